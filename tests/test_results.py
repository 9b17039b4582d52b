"""Frozen results: dicts, frames, exact containment."""

from __future__ import annotations

import json
import math
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from confroc import (
    Band,
    PairedScores,
    Scores,
    auc_comparison,
    auc_difference,
    auc_forecast,
    auc_interval,
    cost_difference,
    expected_cost,
    nearest_distribution,
    rates_at_positive_rate,
    rates_at_threshold,
    roc_band,
    roc_curve,
    tpr_at_fpr,
)
from confroc._check import ArgumentError
from confroc.results import Result, one_sided_limits
from confroc.results.shown import as_text, joined

Y = [0, 0, 0, 0, 1, 1, 1, 1]
SCORES_MANY = Scores(np.arange(200) % 3 == 0, np.arange(200) * 7919 % 211)
PAIR = PairedScores(Y, [1, 2, 3, 6, 4, 5, 7, 8], [4, 1, 2, 8, 3, 7, 5, 6])
RESULTS = [
    auc_interval(PAIR.a),
    auc_difference(PAIR),
    rates_at_threshold(PAIR.a, threshold=[3, 5]),
    tpr_at_fpr(PAIR.a, fpr=[0.25, 0.5]),
    roc_band(PAIR.a),
    roc_curve(PAIR.a),
]


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: type(r).__name__)
def test_every_result_is_plain_when_asked(result: object) -> None:
    plain = result.to_dict()  # type: ignore[attr-defined]
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    for backend in ("pandas", "polars", "pyarrow"):
        frame = result.to_frame(backend)  # type: ignore[attr-defined]
        assert type(frame).__module__.startswith(backend)
        assert len(frame) >= 1
    with pytest.raises(FrozenInstanceError):
        result.method = "other"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "result",
    [
        *RESULTS,
        auc_comparison(PAIR),
        cost_difference(PAIR),
        expected_cost(PAIR.a, false_negative=10, false_positive=1),
        expected_cost(PAIR.a, false_negative=10, false_positive=1, threshold=3),
        auc_forecast(PAIR.a, radius=0.1),
        nearest_distribution(PAIR.a, auc=0.6),
    ],
    ids=lambda r: type(r).__name__,
)
def test_every_result_is_json_when_asked(result: Result) -> None:
    def refuse(word: str) -> None:
        raise AssertionError(word)

    text = result.to_json()
    assert json.loads(text, parse_constant=refuse) == result.to_dict()
    assert json.loads(json.dumps(result.to_dict()), parse_constant=refuse) == result.to_dict()
    assert "\n" not in text
    assert json.loads(result.to_json(indent=2)) == json.loads(text)


def test_numbers_that_json_lacks_are_none_in_dicts_and_stay_in_attributes() -> None:
    cost = expected_cost(PAIR.a, false_negative=10, false_positive=1, threshold=3)
    assert math.isnan(cost.threshold_lower)
    assert cost.to_dict()["threshold_lower"] is None
    assert math.isnan(cost.to_frame()["threshold_lower"][0])
    curve = roc_curve(PAIR.a)
    assert curve.threshold[0] == math.inf
    assert curve.to_dict()["threshold"] == [None, *curve.threshold[1:].tolist()]
    assert curve.to_frame()["threshold"][0] == math.inf


@pytest.mark.parametrize("result", RESULTS[:-1], ids=lambda r: type(r).__name__)
def test_every_inference_says_what_it_claims(result: object) -> None:
    plain = result.to_dict()  # type: ignore[attr-defined]
    assert plain["method"]
    assert plain["confidence_level"] == pytest.approx(0.95)
    assert plain["kind"] == ("simultaneous" if isinstance(result, Band) else "pointwise")
    assert plain["guarantee"] in ("finite-sample", "asymptotic", "bootstrap")


def test_default_frame_is_the_first_library_installed() -> None:
    assert type(RESULTS[0].to_frame()).__module__.startswith("pandas")


def test_frame_without_any_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)  # noqa: ARG005
    with pytest.raises(ImportError, match="pip install pandas"):
        RESULTS[0].to_frame()


@pytest.mark.parametrize("backend", ["pl", "pd", "dict", "json", "numpy", "Pandas", "arrow", pytest, 1])
def test_a_frame_of_a_library_that_makes_none(backend: Any) -> None:
    near = {"Pandas": "pandas", "arrow": "pyarrow"}.get(str(backend))
    meant = f"Did you mean '{near}'?" if near else ". Choose"
    with pytest.raises(ArgumentError, match="be one of 'pandas', 'polars', 'pyarrow'; got") as caught:
        RESULTS[0].to_frame(backend)
    assert meant in str(caught.value)


def test_a_frame_of_a_library_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(ImportError, match=r"requires polars\. Run `pip install polars`"):
        RESULTS[0].to_frame("polars")


def test_interval_as_in_scipy() -> None:
    interval = auc_interval(PAIR.a)
    assert interval.confidence_interval == (interval.lower, interval.upper)
    assert interval.confidence_interval.low == interval.lower
    assert "95% CI" in str(interval)
    assert "p = " in str(auc_difference(PAIR))


def band(fpr: list[float], lower: list[float], upper: list[float]) -> Band:
    return Band(
        at=np.array(fpr),
        estimate=np.array(lower),
        lower=np.array(lower),
        upper=np.array(upper),
        confidence_level=0.95,
        method="by hand",
        guarantee="asymptotic",
    )


def test_containment_at_jumps() -> None:
    # Upper edge 0.5 until 0.4, then 1; lower edge 0 until 0.6, then 0.5.
    b = band([0, 0.4, 0.4, 0.6, 0.6, 1], [0, 0, 0, 0, 0.5, 0.5], [0.5, 0.5, 1, 1, 1, 1])
    assert b.area == pytest.approx(0.4 * 0.5 + 0.2 * 1.0 + 0.4 * 0.5)
    assert b.contains(([0, 0.4, 0.4, 1], [0, 0.5, 1, 1]))
    assert not b.contains(([0, 0.39, 0.39, 1], [0, 0.5, 1, 1]))
    assert b.contains(([0, 0.6, 0.6, 1], [0, 0, 0.5, 1]))
    assert not b.contains(([0, 0.61, 0.61, 1], [0, 0, 0.5, 1]))
    # A thin spike between two grid points of anybody's sampling is still found.
    assert not b.contains(([0, 0.2, 0.2, 1], [0, 0.4, 0.5 + 1e-9, 1]))
    assert b.contains(([0, 1], [0, 1]))


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=8), st.floats(0.01, 0.3)
)
def test_containment_against_dense_sampling(rows: list[tuple[int, int]], width: float) -> None:
    pos = np.array([p for p, _ in rows] + [1])
    neg = np.array([n for _, n in rows] + [1])
    x = np.concatenate([[0], np.cumsum(neg)]) / neg.sum()
    y = np.concatenate([[0], np.cumsum(pos)]) / pos.sum()
    grid = np.linspace(0, 1, 21)
    middle = grid ** (1 - width)
    b = band(grid.tolist(), np.maximum(0, middle - width).tolist(), np.minimum(1, middle + width).tolist())
    # Dense points along the polyline, vertical steps included.
    along = np.linspace(0, 1, 101)[:, None]
    px = (x[:-1] + along * np.diff(x)).ravel()
    py = (y[:-1] + along * np.diff(y)).ravel()
    sampled = (
        (py <= np.interp(px, grid, b.upper) + 1e-12) & (py >= np.interp(px, grid, b.lower) - 1e-12)
    ).all()
    # Sampling can miss an excursion, never invent one.
    assert sampled or not b.contains((x, y))


def test_a_band_is_printed_at_round_abscissae() -> None:
    found = roc_band(SCORES_MANY, method="ks_regions")
    lines = str(found).splitlines()
    assert [line.split()[0] for line in lines[2:10]] == [
        "0.01",
        "0.05",
        "0.10",
        "0.20",
        "0.30",
        "0.50",
        "0.70",
        "0.90",
    ]
    low, high = one_sided_limits(found.at, found.lower, np.array([0.2]))
    assert found.table().columns["lower"][3] == min(low[0], high[0])
    part = roc_band(SCORES_MANY, method="ks_regions", fpr=(0.1, 0.6)).table()
    assert list(part.columns["fpr"]) == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])


def test_tables_say_how_many_rows_they_leave_out() -> None:
    curve = roc_curve(SCORES_MANY)
    assert curve.table().left_out == len(curve.fpr) - 10
    assert f"({len(curve.fpr)} rows, 10 shown)" in str(curve)
    assert curve.table(most=None).left_out == 0


def test_tables_of_several_models_are_one() -> None:
    tables = {name: auc_interval(scores).table() for name, scores in (("a", PAIR.a), ("b", PAIR.b))}
    found = joined("Areas", tables)
    assert list(found.columns) == ["model", "estimate", "lower", "upper", "standard_error"]
    assert found.claims == "95%; pointwise; method: score_delong; guarantee: asymptotic"
    assert found.columns["estimate"] == [PAIR.a.auc, PAIR.b.auc]
    # What differs from model to model is said of each; a column without numbers is left out.
    tables["b"] = auc_interval(PAIR.b, method="newcombe").table()
    tables["a"] = tables["a"]._replace(notes=("few cases.",))
    found = joined("Areas", tables)
    own = ["a: method: score_delong", "b: method: newcombe"]
    assert found.claims.splitlines() == ["95%; pointwise; guarantee: asymptotic", *own]
    assert found.notes == ("a: few cases.",)
    assert as_text(found).splitlines()[1].split() == list(found.columns)


def test_a_wide_table_is_turned() -> None:
    pair = auc_difference(PAIR)
    assert "statistic" in as_text(pair.table("Areas"))
    wide = joined("Areas", {"first - second": pair.table(), "second - first": pair.table()}, by="models")
    assert max(map(len, as_text(wide).splitlines()[:-1])) <= 80
    turned = as_text(joined("Rates", {"m": rates_at_positive_rate(PAIR.a, positive_rate=0.5).table()}))
    assert [line.split()[0] for line in turned.splitlines()[1:4]] == ["model", "positive_rate", "fpr"]
