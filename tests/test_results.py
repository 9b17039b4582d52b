"""Frozen results: dicts, frames, exact containment."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from confroc import (
    Band,
    PairedScores,
    auc_difference,
    auc_interval,
    rates_at_threshold,
    roc_band,
    roc_curve,
    tpr_at_fpr,
)

Y = [0, 0, 0, 0, 1, 1, 1, 1]
PAIR = PairedScores(Y, [1, 2, 3, 6, 4, 5, 7, 8], [4, 1, 2, 8, 3, 7, 5, 6])
RESULTS = [
    auc_interval(PAIR.a),
    auc_difference(PAIR),
    rates_at_threshold(PAIR.a, [3, 5]),
    tpr_at_fpr(PAIR.a, [0.25, 0.5]),
    roc_band(PAIR.a),
    roc_curve(PAIR.a),
]


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: type(r).__name__)
def test_every_result_is_plain_when_asked(result: object) -> None:
    plain = result.to_dict()  # type: ignore[attr-defined]
    assert json.loads(json.dumps(plain)) == plain
    for backend in ("pandas", "polars", "pyarrow"):
        frame = result.to_frame(backend)  # type: ignore[attr-defined]
        assert type(frame).__module__.startswith(backend)
        assert len(frame) >= 1
    with pytest.raises(FrozenInstanceError):
        result.method = "other"  # type: ignore[attr-defined]


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


def test_interval_as_in_scipy() -> None:
    interval = auc_interval(PAIR.a)
    assert interval.confidence_interval == (interval.lower, interval.upper)
    assert interval.confidence_interval.low == interval.lower
    assert "95 % interval" in str(interval)
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
