"""The empirical curve, against scikit-learn and plain Python."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from confroc import RocCurve, Scores, _kernels, roc_curve
from confroc.curve import CHUNK, area_of_counts, outline, turns_of_counts
from confroc.results import one_sided_limits

quiet = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")

tables = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=8).filter(
    lambda rows: sum(p for p, _ in rows) > 0 and sum(n for _, n in rows) > 0
)


def table(rows: list[tuple[int, int]]) -> Scores:
    pos, neg = zip(*rows, strict=True)
    return Scores.from_counts(np.arange(len(rows), 0, -1), pos, neg)


def expanded(scores: Scores) -> tuple[np.ndarray, np.ndarray]:
    y = np.concatenate([np.ones(scores.n_pos), np.zeros(scores.n_neg)])
    s = np.concatenate([np.repeat(scores.score, scores.pos), np.repeat(scores.score, scores.neg)])
    return y, s


@quiet
@given(tables)
def test_vertices_and_areas_equal_scikit_learn(rows: list[tuple[int, int]]) -> None:
    scores = table(rows)
    y, s = expanded(scores)
    curve = roc_curve(scores)
    fpr, tpr, threshold = metrics.roc_curve(y, s, drop_intermediate=False)
    assert np.allclose(curve.fpr, fpr, atol=1e-15)
    assert np.allclose(curve.tpr, tpr, atol=1e-15)
    assert np.array_equal(curve.threshold, threshold)
    assert curve.auc == pytest.approx(metrics.roc_auc_score(y, s), abs=1e-14)
    for max_fpr in (0.1, 0.35, 0.9):
        ours = curve.partial_auc(max_fpr=max_fpr, standardize=True)
        assert ours == pytest.approx(metrics.roc_auc_score(y, s, max_fpr=max_fpr), abs=1e-12)
    # Swapping the classes and turning the scores round exchanges the two partial areas.
    mirrored = roc_curve(Scores.from_counts(-scores.score, scores.neg, scores.pos))
    for width in (0.2, 0.6):
        assert curve.partial_auc(max_fpr=width) == pytest.approx(
            mirrored.partial_auc(min_tpr=1 - width), abs=1e-12
        )


def test_curves_of_many_scores_equal_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_kernels, "BIG", 1)
    y, s = np.arange(50) % 3 == 0, np.arange(50) % 11
    curve = roc_curve(Scores(y, s + y))
    fpr, tpr, threshold = metrics.roc_curve(y, s + y, drop_intermediate=False)
    assert np.array_equal([curve.fpr, curve.tpr, curve.threshold], [fpr, tpr, threshold])


@quiet
@given(tables)
def test_values_between_vertices(rows: list[tuple[int, int]]) -> None:
    curve = roc_curve(table(rows))
    points = list(zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True))
    for f in (0.0, 0.2, 0.5, *curve.fpr.tolist(), 1.0):
        at = [y for x, y in points if x == f]
        for (x0, y0), (x1, y1) in pairwise(points):
            if x0 < f < x1:
                at.append(y0 + (y1 - y0) * (f - x0) / (x1 - x0))
        assert curve.tpr_at([f])[0] == pytest.approx(max(at), abs=1e-12)
    for t in (0.0, 0.3, *curve.tpr.tolist(), 1.0):
        at = [x for x, y in points if y == t]
        for (x0, y0), (x1, y1) in pairwise(points):
            if y0 < t < y1:
                at.append(x0 + (x1 - x0) * (t - y0) / (y1 - y0))
        assert curve.fpr_at([t])[0] == pytest.approx(min(at), abs=1e-12)


def test_a_curve_unpacks_as_in_scikit_learn() -> None:
    y, score = [0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.8]
    expected = metrics.roc_curve(y, score, drop_intermediate=False)
    for found, known in zip(roc_curve(y, score), expected, strict=True):
        np.testing.assert_allclose(found, known)


@quiet
@given(tables)
def test_hull_is_the_least_concave_majorant(rows: list[tuple[int, int]]) -> None:
    curve = roc_curve(table(rows))
    hull = curve.convex_hull()
    # Brute force: the highest chord over any abscissa.
    for f in np.linspace(0, 1, 13):
        highest = curve.tpr_at([f])[0]
        for i, j in combinations(range(len(curve.fpr)), 2):
            x0, x1 = curve.fpr[i], curve.fpr[j]
            if x0 < x1 and x0 <= f <= x1:
                share = (f - x0) / (x1 - x0)
                highest = max(highest, (1 - share) * curve.tpr[i] + share * curve.tpr[j])
        assert hull.tpr_at([f])[0] == pytest.approx(highest, abs=1e-12)
    assert hull.auc >= curve.auc - 1e-15
    assert set(hull.threshold.tolist()) <= set(curve.threshold.tolist())


@quiet
@given(tables)
def test_corners_draw_the_same_curve(rows: list[tuple[int, int]]) -> None:
    curve = roc_curve(table(rows))
    corners = curve.corners()
    f = np.linspace(0, 1, 41)
    assert np.allclose(corners.tpr_at(f), curve.tpr_at(f), atol=1e-12)
    assert np.allclose(corners.fpr_at(f), curve.fpr_at(f), atol=1e-12)
    assert np.trapezoid(corners.tpr, corners.fpr) == pytest.approx(curve.auc, abs=1e-14)


def test_published_areas(asah: dict[str, np.ndarray]) -> None:
    # pROC's own test suite.
    for marker, auc in (
        ("wfns", 0.823678861788618),
        ("s100b", 0.731368563685637),
        ("ndka", 0.611957994579946),
    ):
        scores = Scores(asah["outcome"], asah[marker], pos_label="Poor")
        assert roc_curve(scores).auc == pytest.approx(auc, abs=1e-14)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "`max_fpr` must be given, or `min_tpr`"),
        ({"max_fpr": 0.1, "min_tpr": 0.9}, "`max_fpr` must not be combined"),
        ({"max_fpr": 1.5}, "`max_fpr` must lie between 0 and 1"),
        ({"max_fpr": (0, 0.1)}, r"`max_fpr` must be one rate.*got \(0, 0.1\). Pass one number"),
        ({"min_tpr": [0.8, 1.0]}, "`min_tpr` must be one rate.*Pass one number"),
        ({"max_fpr": 0.0}, "`max_fpr` must leave a part of the curve"),
        ({"min_tpr": 1.0}, "`min_tpr` must leave a part of the curve"),
    ],
)
def test_bad_ranges(options: dict[str, Any], message: str) -> None:
    curve = roc_curve(Scores([0, 1], [1, 2]))
    with pytest.raises(ValueError, match=message):
        curve.partial_auc(**options)


def test_bad_calls() -> None:
    with pytest.raises(TypeError, match=r"`scores` must be a Scores; got 'list'. Pass labels and scores"):
        roc_curve([1, 2])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"`fpr` must lie between 0 and 1; got 2\.0. Write 5% as 0\.05"):
        roc_curve(Scores([0, 1], [1, 2])).tpr_at(2)
    curve: RocCurve = roc_curve(Scores([0, 1], [1, 2]))
    with pytest.raises(ValueError, match="read-only"):
        curve.fpr[0] = 1


@pytest.mark.parametrize("rows", [7, 2 * CHUNK + 5])
def test_turns_of_a_resample_are_those_of_the_rows_that_it_holds(rows):
    rng = np.random.default_rng(rows)
    often = np.linspace(0.6, 0.2, rows)
    pos, neg = rng.poisson(often), rng.poisson(often[::-1])
    pos[0] = neg[-1] = 1
    held = (pos > 0) | (neg > 0)
    curve = outline(Scores.from_counts(-np.arange(float(held.sum())), pos[held], neg[held]))
    above_neg, above_pos = turns_of_counts(pos, neg)
    np.testing.assert_array_equal(above_neg / neg.sum(), curve.fpr)
    np.testing.assert_array_equal(above_pos / pos.sum(), curve.tpr)
    every = np.append(0.0, np.cumsum(neg)), np.append(0.0, np.cumsum(pos))
    limits = (one_sided_limits(x, y, every[0]) for x, y in (every, (above_neg, above_pos)))
    np.testing.assert_allclose(*limits, rtol=1e-14)
    assert area_of_counts(np.diff(above_pos), np.diff(above_neg)) == area_of_counts(pos, neg)


def test_weighted_bands_have_the_vertices_of_their_curve() -> None:
    """Sums of weights round: in two orders of summation the band would not be that of the curve."""
    rng = np.random.default_rng(0)
    y = np.arange(480) < 168
    scores = Scores(y, 1.8 * y + rng.normal(size=480), sample_weight=np.where(y, 1, 10))
    curve, own = roc_curve(scores), outline(scores)
    at = curve.fpr[np.append(True, np.diff(curve.fpr) > 0.0)]
    limits = (one_sided_limits(c.fpr, c.tpr, at) for c in (curve, own))
    np.testing.assert_array_equal(*limits)
