"""Thresholds of two models that mean the same, against counting one by one and scikit-learn's calibration."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.isotonic import IsotonicRegression

from confroc import PairedScores, Scores, UnpairedScores, aligned_thresholds
from confroc.curve import calibrated

Floats = NDArray[np.float64]

pytestmark = pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")


def probabilities(y: Any, score: Any) -> dict[float, float]:
    """Each score's probability by scikit-learn, at equal shares of both classes."""
    y, score = np.asarray(y), np.asarray(score, np.float64)
    weight = np.where(y == 1, 1.0 / (y == 1).sum(), 1.0 / (y == 0).sum())
    fitted = IsotonicRegression().fit(score, y, sample_weight=weight)
    return dict(zip(score.tolist(), fitted.predict(score).tolist(), strict=True))


cases = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=30
).filter(lambda rows: 0 < sum(y for y, *_ in rows) < len(rows))


@settings(max_examples=60, deadline=None)
@given(cases)
def test_calibration_is_isotonic_regression(rows: Any) -> None:
    y, score, _ = zip(*rows, strict=True)
    made, wanted = Scores(y, score), probabilities(y, score)
    np.testing.assert_allclose(calibrated(made), [wanted[s] for s in made.score.tolist()], atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(cases, st.integers(-1, 20).map(lambda twice: twice / 2.0))
def test_alignment_equals_trying_every_threshold(rows: Any, threshold: float) -> None:
    """Of all thresholds of b the one that the definition names, and never another for a monotone scale."""
    y, a, b = (np.array(column) for column in zip(*rows, strict=True))
    pair = PairedScores(y, a, b)
    tried = np.append(np.inf, np.unique(b)[::-1])
    flagged = int((a >= threshold).sum())
    best = min(tried.tolist(), key=lambda t: (abs(int((b >= t).sum()) - flagged), int((b >= t).sum())))
    same, (found,) = aligned_thresholds(pair, threshold_a=threshold)
    assert (same[0], found) == (threshold, best)
    of_a, of_b = probabilities(y, a), probabilities(y, b)
    least = min((of_a[float(s)] for s in a if s >= threshold), default=np.inf)
    likely = [s for s, p in of_b.items() if p >= least - 1e-12]
    (found,) = aligned_thresholds(pair, threshold_a=threshold, by="calibration")[1]
    assert found == min(likely, default=np.inf)
    moved = PairedScores(y, np.exp(a / 3.0), -1.0 / (b + 1.0))
    ways: tuple[Any, ...] = ("positive_rate", "calibration")
    for by in ways:
        (there,) = aligned_thresholds(moved, threshold_a=np.exp(threshold / 3.0), by=by)[1]
        (here,) = aligned_thresholds(pair, threshold_a=threshold, by=by)[1]
        assert there == (np.inf if here == np.inf else -1.0 / (here + 1.0))


def test_alignment_of_one_model_on_two_scales_is_the_scale() -> None:
    g = np.random.default_rng(3)
    y = np.arange(400) % 2
    score = g.normal(size=400) + y
    t, same = aligned_thresholds(PairedScores(y, score, np.exp(score)), threshold_a=np.sort(score)[::7])
    np.testing.assert_array_equal(same, np.exp(t))
    assert aligned_thresholds(PairedScores(y, score, score), threshold_a=[np.inf, -np.inf])[1].tolist() == [
        np.inf,
        score.min(),
    ]


def test_test_sets_of_other_sizes_and_shares() -> None:
    """Shares of cases, and probabilities at equal shares of both classes, do not depend on sizes."""
    table: dict[str, list[int]] = {"pos": [6, 3, 1], "neg": [1, 3, 6]}
    a = Scores.from_counts([3.0, 2.0, 1.0], **table)
    many = Scores.from_counts([30.0, 20.0, 10.0], pos=[60, 30, 10], neg=[10, 30, 60])
    rare = Scores.from_counts([30.0, 20.0, 10.0], pos=[6, 3, 1], neg=[50, 150, 300])
    assert aligned_thresholds(UnpairedScores(a, many), threshold_a=[3.0, 2.0])[1].tolist() == [30.0, 20.0]
    (found,) = aligned_thresholds(UnpairedScores(a, rare), threshold_a=2.0, by="calibration")[1]
    assert found == 20.0


def test_equal_probabilities_from_other_counts_are_equal() -> None:
    """A block with i of 10 positives and j of 10 negatives, and one with 3i and 3j of 40, have i/(i + j).

    In floating point 0.3/(0.3 + 0.1) is less than 0.225/(0.225 + 0.075).
    """
    for i in range(2, 10):
        for j in range(1, i):
            a = Scores.from_counts([2, 1], pos=[i, 10 - i], neg=[j, 10 - j])
            b = Scores.from_counts([20, 10], pos=[3 * i, 40 - 3 * i], neg=[3 * j, 40 - 3 * j])
            for one, other in ((a, b), (b, a)):
                found = aligned_thresholds(
                    UnpairedScores(one, other), threshold_a=one.score[:1], by="calibration"
                )
                assert found.threshold_b.tolist() == [other.score[0]]


def test_wrong_arguments() -> None:
    pair = PairedScores([0, 1, 0, 1], [1, 2, 3, 4], [1, 3, 2, 4])
    wrong: Any = "share"
    with pytest.raises(ValueError, match="`by` must be one of 'positive_rate', 'calibration'"):
        aligned_thresholds(pair, threshold_a=2, by=wrong)
    with pytest.raises(ValueError, match="`threshold_a` must not contain NaN"):
        aligned_thresholds(pair, threshold_a=np.nan)
