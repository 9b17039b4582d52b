"""Partial areas: the curve's own integral, pROC, the jackknife, and the whole area as the limit."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from confroc import ConfrocWarning, Scores, auc_interval, roc_curve
from confroc.curve import CurvePart, area_of_counts
from confroc.influence import estimate_area, placements
from support import table

REFERENCE: dict[str, Any] = json.loads(
    (Path(__file__).parent / "reference" / "proc_reference.json").read_text()
)
below_half = pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")
counts = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=7).filter(
    lambda rows: all(sum(column) > 0 for column in zip(*rows, strict=True))
)
widths = st.one_of(st.floats(0.01, 1.0), st.sampled_from([0.1, 0.2, 0.25, 0.5, 1 / 3, 1.0]))


def area(scores: Scores, width: float, vertical: bool, standardize: bool = False) -> float:
    curve = roc_curve(scores)
    if vertical:
        return curve.partial_auc(min_tpr=1.0 - width, standardize=standardize)
    return curve.partial_auc(max_fpr=width, standardize=standardize)


@below_half
@given(counts, widths, st.booleans())
def test_placements_average_to_the_integral(
    rows: list[tuple[int, int]], width: float, vertical: bool
) -> None:
    scores = table(rows)
    part = CurvePart(width, vertical)
    found = width * estimate_area(scores, part).auc
    assert found == pytest.approx(area(scores, width, vertical), abs=1e-12)
    of_pos, of_neg = placements(scores, part)
    assert np.dot(of_pos, scores.pos) == pytest.approx(0.0, abs=1e-12)
    assert np.dot(of_neg, scores.neg) == pytest.approx(0.0, abs=1e-12)
    # Seen from the end of the curve that matters: the one class contributes strips no wider than the part; of
    # the other, cases beyond it sit at its edge, so their mean is the area plus the edge times the rest.
    own, other = (of_neg, of_pos) if vertical else (of_pos, of_neg)
    assert ((own + found >= -1e-12) & (own + found <= width + 1e-12)).all()
    edge = (other.max() + found) / width
    assert -1e-9 <= edge <= 1.0 + 1e-9


@below_half
@given(counts, widths, st.booleans())
def test_area_alone_is_that_of_the_placements(
    rows: list[tuple[int, int]], width: float, vertical: bool
) -> None:
    scores, part = table(rows), CurvePart(width, vertical)
    whole = width * estimate_area(scores, part).auc
    assert area_of_counts(scores.pos, scores.neg, part) == pytest.approx(whole, abs=1e-14)


@below_half
@given(counts)
def test_all_of_the_curve_is_the_whole_area(rows: list[tuple[int, int]]) -> None:
    scores = table(rows)
    for vertical in (False, True):
        of_pos, of_neg = placements(scores, CurvePart(1.0, vertical))
        whole_pos, whole_neg = placements(scores)
        assert of_pos[scores.pos > 0] == pytest.approx(whole_pos[scores.pos > 0], abs=1e-12)
        assert of_neg[scores.neg > 0] == pytest.approx(whole_neg[scores.neg > 0], abs=1e-12)
    one, other = auc_interval(scores), auc_interval(scores, max_fpr=1.0)
    assert (other.lower, other.upper) == pytest.approx((one.lower, one.upper), abs=1e-9)


def data(folder: Path) -> dict[str, Scores]:
    with (folder / "aSAH.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    outcome = [r["outcome"] for r in rows]
    return {
        m: Scores(outcome, [float(r[m]) for r in rows], pos_label="Poor") for m in ("s100b", "ndka", "wfns")
    }


def region(block: dict[str, Any]) -> dict[str, Any]:
    return {"max_fpr": 1.0 - block["to"]} if block["focus"] == "specificity" else {"min_tpr": block["to"]}


def test_agrees_with_proc(data_folder: Path) -> None:
    for marker, scores in data(data_folder).items():
        for block in REFERENCE["asah"]["markers"][marker]["partial_auc"]:
            for standardize, key in ((False, "raw"), (True, "corrected")):
                if block[key] is None:
                    continue
                result = auc_interval(scores, method="score_delong", standardize=standardize, **region(block))
                assert result.estimate == pytest.approx(block[key], abs=1e-12)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
def test_bootstrap_agrees_with_proc(data_folder: Path) -> None:
    scores = data(data_folder)["s100b"]
    for block in REFERENCE["asah"]["markers"]["s100b"]["partial_auc"]:
        expected = block["bootstrap_raw"]
        result = auc_interval(
            scores, method="bootstrap", n_resamples=20_000, rng=3, n_jobs=2, **region(block)
        )
        width = abs(block["from"] - block["to"])
        # Quantiles of 20,000 replicates vary by about 1% of the interval's width; five times √2 of that.
        tolerance = 0.07 * (expected["upper"] - expected["lower"])
        assert [result.lower, result.upper] == pytest.approx(
            [expected["lower"], expected["upper"]], abs=tolerance
        )
        assert result.upper <= width + 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("part", [{"max_fpr": 0.1}, {"max_fpr": 0.3}, {"min_tpr": 0.8}, {"min_tpr": 0.5}])
def test_variance_against_repeated_samples(part: dict[str, Any]) -> None:
    # 2,000 samples: the spread is known to 1.6%, the mean of 300 estimates of it to less; five of these.
    rng = np.random.default_rng(17)
    n_pos, n_neg = 150, 200
    samples = [
        Scores(
            [1] * n_pos + [0] * n_neg,
            np.r_[1.2 + 1.5 * rng.standard_normal(n_pos), rng.standard_normal(n_neg)],
        )
        for _ in range(2000)
    ]
    areas = [roc_curve(s).partial_auc(**part) for s in samples]
    errors = [auc_interval(s, method="delong", **part).standard_error for s in samples[:300]]
    assert np.mean(errors) == pytest.approx(np.std(areas), rel=0.08)


def test_part_counts_the_cases_that_shape_it() -> None:
    scores = Scores(*zip(*[(i % 3 == 0, i * 37 % 101) for i in range(90)], strict=True))
    for part, sizes in (
        (CurvePart(0.2), (30.0, 12.0)),
        (CurvePart(0.2, vertical=True), (6.0, 60.0)),
        (CurvePart(1e-3), (30.0, 1.0)),
    ):
        area = estimate_area(scores, part)
        assert (area.n_pos, area.n_neg) == pytest.approx(sizes, rel=1e-12)


def test_mcclish_scale() -> None:
    rng = np.random.default_rng(2)
    scores = Scores([1] * 80 + [0] * 90, np.r_[1.0 + rng.standard_normal(80), rng.standard_normal(90)])
    parts: list[dict[str, Any]] = [{"max_fpr": 0.2}, {"min_tpr": 0.7}]
    for part in parts:
        plain, scaled = (auc_interval(scores, standardize=s, **part) for s in (False, True))
        width = 1.0 - part["min_tpr"] if "min_tpr" in part else part["max_fpr"]
        for end in ("estimate", "lower", "upper"):
            chance = width**2 / 2
            expected = 0.5 * (1 + (getattr(plain, end) - chance) / (width - chance))
            assert getattr(scaled, end) == pytest.approx(expected, abs=1e-12)
        assert scaled.standard_error == pytest.approx(
            plain.standard_error * 0.5 / (width - chance), rel=1e-12
        )


@below_half
@given(counts, widths, st.booleans(), st.booleans())
def test_never_empty_never_outside(
    rows: list[tuple[int, int]], width: float, vertical: bool, standardize: bool
) -> None:
    if vertical and width == 1.0:
        part: dict[str, Any] = {"min_tpr": 0.0}
    else:
        part = {"min_tpr": 1.0 - width} if vertical else {"max_fpr": width}
    result = auc_interval(table(rows), standardize=standardize, **part)
    top = 1.0 if standardize else width
    assert result.lower - 1e-12 <= result.estimate <= result.upper + 1e-12
    assert result.lower < result.upper <= top + 1e-12
    assert result.standard_error > 0.0


def test_perfect_separation() -> None:
    scores = Scores([1] * 5 + [0] * 7, range(12, 0, -1))
    result = auc_interval(scores, max_fpr=0.2)
    assert result.upper == pytest.approx(0.2)
    assert result.lower < 0.15
    with pytest.warns(
        ConfrocWarning,
        match="^The standard error is zero or undefined; Newcombe's score interval is reported",
    ):
        assert auc_interval(scores, max_fpr=0.2, method="delong").method.name == "newcombe"
