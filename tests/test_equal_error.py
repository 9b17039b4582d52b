"""The equal error rate and its interval."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from confroc import PairedScores, Scores, difference, equal_error_rate, interval, tpr_at_fpr
from confroc.statistics import EqualErrorRate


def sample(
    n_pos: int, n_neg: int, shift: float, seed: int, decimals: int = 9
) -> tuple[np.ndarray, np.ndarray]:
    y = np.repeat([1, 0], [n_pos, n_neg])
    return y, np.round(np.random.default_rng(seed).normal(size=len(y)) + shift * y, decimals)


def by_thresholds(y: np.ndarray, s: np.ndarray) -> Fraction:
    """Crossing of FPR and FNR between two successive thresholds, in rational numbers."""
    pos, neg = s[y == 1], s[y == 0]
    before = (Fraction(0), Fraction(1))
    for threshold in sorted({*s.tolist()}, reverse=True):
        fpr = Fraction(sum(v >= threshold for v in neg.tolist()), len(neg))
        fnr = Fraction(sum(v < threshold for v in pos.tolist()), len(pos))
        if fpr >= fnr:
            rise, fall = fpr - before[0], before[1] - fnr
            return before[0] + rise * (before[1] - before[0]) / (rise + fall)
        before = fpr, fnr
    raise AssertionError


@pytest.mark.filterwarnings("ignore:`y_score` has AUC below")
@pytest.mark.parametrize("decimals", [0, 1, 9])
@pytest.mark.parametrize(
    ("n_pos", "n_neg", "shift"), [(1, 1, 0.0), (7, 12, 1.0), (40, 90, 1.2), (30, 30, 9.0)]
)
def test_equals_the_crossing_found_by_brute_force(
    n_pos: int, n_neg: int, shift: float, decimals: int
) -> None:
    for seed in range(2):
        y, s = sample(n_pos, n_neg, shift, seed, decimals)
        assert EqualErrorRate().value(Scores(y, s)) == pytest.approx(float(by_thresholds(y, s)), abs=1e-12)


def test_the_threshold_is_the_highest_with_no_fewer_false_positives() -> None:
    y, s = sample(40, 90, 1.2, 1)
    scores = Scores(y, s)
    at = EqualErrorRate().threshold_of(scores)
    rates = [((s[y == 0] >= t).mean(), (s[y == 1] < t).mean()) for t in scores.score]
    assert at == max(t for t, (fpr, fnr) in zip(scores.score, rates, strict=True) if fpr >= fnr - 1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("design", [{}, {"cluster": np.repeat(np.arange(65), 2)}])
def test_the_interval_has_all_rates_that_the_interval_of_the_tpr_allows(design: dict) -> None:
    y, s = sample(40, 90, 1.2, 2, 1)
    scores = Scores(y, s, **design)
    rate = np.linspace(0.001, 0.999, 999)
    at = tpr_at_fpr(scores, fpr=rate, confidence_level=0.9)
    allowed = rate[(at.lower <= 1.0 - rate) & (1.0 - rate <= at.upper)]
    found = equal_error_rate(scores, confidence_level=0.9)
    assert (found.lower, found.upper) == pytest.approx((allowed.min(), allowed.max()), abs=0.001)
    assert found.lower < found.estimate < found.upper


def test_perfect_and_reversed_rankings() -> None:
    y, s = sample(30, 30, 20.0, 3)
    best = equal_error_rate(Scores(y, s))
    assert (best.estimate, best.lower) == (0.0, 0.0)
    assert 0.02 < best.upper < 0.15
    with pytest.warns(UserWarning, match="AUC below"):
        worst = equal_error_rate(Scores(y, -s))
    assert (worst.estimate, worst.upper) == (1.0, 1.0)
    assert worst.lower < 1.0


def test_other_methods_and_differences() -> None:
    y, s = sample(40, 90, 1.2, 4)
    near = interval(Scores(y, s), EqualErrorRate(), method="bootstrap", rng=1)
    own = interval(Scores(y, s), EqualErrorRate())
    assert own == equal_error_rate(y, s)
    assert (near.lower, near.upper) == pytest.approx((own.lower, own.upper), abs=0.05)
    other = np.random.default_rng(5).normal(size=len(s)) + s
    found = difference(PairedScores(y, s, other), EqualErrorRate(), rng=1)
    assert found.estimate == pytest.approx(float(by_thresholds(y, s) - by_thresholds(y, other)), abs=1e-12)
    assert found.lower < found.estimate < found.upper


@pytest.mark.slow
def test_coverage() -> None:
    """In 300 samples at most 26 intervals miss the true rate: false alarms 0.3%, power 96% at 12% misses."""
    true = 0.27425311775007355  # of normal scores with unit variances and a shift of 1.2: Φ(−0.6)
    missed = 0
    for seed in range(300):
        found = equal_error_rate(*sample(30, 60, 1.2, 100 + seed))
        missed += not found.lower <= true <= found.upper
    assert missed <= 26
