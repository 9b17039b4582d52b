"""KS and Gini: a maximum with its bias, and an area on another scale."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from confroc import (
    PairedScores,
    Scores,
    auc_comparison,
    auc_difference,
    auc_interval,
    comparison,
    difference,
    interval,
    methods,
)
from confroc._types import FloatArray
from confroc.auc.difference import AUC_DIFFERENCE
from confroc.auc.interval import AUC_INTERVAL
from confroc.bands import ks_statistic
from confroc.results import Difference, Interval
from confroc.statistics import Gini, KolmogorovSmirnov
from support import slow

backwards = pytest.mark.filterwarnings("ignore:.*has AUC below 0.5:confroc.ConfrocWarning")
g = np.random.default_rng(5)
Y = np.repeat([1, 0], [60, 90])
RAW = g.normal(size=150) + Y
SCORES = Scores(Y, RAW.round(1))
ROWS = np.repeat(SCORES.score, SCORES.pos), np.repeat(SCORES.score, SCORES.neg)


def distances(pos: FloatArray, neg: FloatArray, thresholds: FloatArray) -> FloatArray:
    """TPR − FPR at each threshold, by definition, case by case."""
    return np.array([np.mean(pos >= t) - np.mean(neg >= t) for t in thresholds])


def test_ks_is_the_greatest_distance_of_the_two_distributions() -> None:
    found = ks_statistic(SCORES)
    by_hand = distances(*ROWS, SCORES.score).max()
    assert found.estimate == pytest.approx(by_hand, abs=1e-12)
    assert found.lower < found.estimate < found.upper
    assert KolmogorovSmirnov().value(SCORES) == found.estimate
    assert (found.quantity, found.guarantee, str(found.method)) == ("ks", "asymptotic", "newcombe")


def test_the_named_function_is_the_interval_of_the_statistic() -> None:
    for level in (0.8, 0.99):
        named = ks_statistic(SCORES, confidence_level=level)
        assert named == interval(SCORES, KolmogorovSmirnov(), confidence_level=level)
    assert ks_statistic(SCORES, method=methods.NewcombeKs()) == ks_statistic(SCORES, method="newcombe")
    # It is about the order of the scores alone.
    moved, own = ks_statistic(Scores(Y, np.sinh(RAW))), ks_statistic(Scores(Y, RAW))
    assert (moved.estimate, moved.lower, moved.upper) == (own.estimate, own.lower, own.upper)
    assert moved.threshold == np.sinh(own.threshold)
    with pytest.raises(ValueError, match="`method` must be one of 'newcombe'"):
        ks_statistic(SCORES, method="bootstrap")


def cross_validated(pos: FloatArray, neg: FloatArray, deals: int, seed: int) -> float:
    """How much too large the distance at a chosen threshold is: chosen on nine folds, read on the tenth."""
    rng, apart = np.random.default_rng(seed), []
    levels = np.append(np.inf, np.unique([*pos, *neg])[::-1])
    for _ in range(deals):
        fold_of = [rng.permutation(np.arange(len(x)) % 10) for x in (pos, neg)]
        rates = np.zeros(2)
        for fold in range(10):
            kept = [x[own != fold] for x, own in zip((pos, neg), fold_of, strict=True)]
            # The highest of equally good thresholds.
            chosen = levels[np.argmax(distances(*kept, levels).round(12))]
            held = [x[own == fold] for x, own in zip((pos, neg), fold_of, strict=True)]
            rates += [np.sum(x >= chosen) for x in held]
        apart.append(rates[0] / len(pos) - rates[1] / len(neg))
    return float(distances(pos, neg, levels).max() - np.mean(apart))


def wilson_ends(k: int, n: int, level: float) -> tuple[float, float]:
    """The shares at which a score test of k among n just rejects: |k/n − p| = z √(p(1 − p)/n)."""
    c, share = stats.norm.ppf(0.5 + 0.5 * level) ** 2 / n, k / n
    low, high = np.sort(np.roots([1.0 + c, -2.0 * share - c, share * share]))
    return float(low), float(high)


@backwards
@pytest.mark.parametrize("shift", [0.0, 1.0, 2.0])
@pytest.mark.parametrize("digits", slow([0, 6], 6))
def test_ends_are_newcombes_at_the_best_threshold_moved_by_the_bias(shift: float, digits: int) -> None:
    rng = np.random.default_rng(3)
    pos, neg = (rng.normal(size=n).round(digits) for n in (40, 70))
    pos = (pos + shift).round(digits)
    scores = Scores(np.repeat([1, 0], [40, 70]), np.concatenate([pos, neg]))
    bias = KolmogorovSmirnov().bias(scores)
    # Both are means over deals of their own, twenty there.
    again = [0.75 * cross_validated(pos, neg, 20, seed) for seed in range(5)]
    assert abs(bias - np.mean(again)) < 4.0 * np.std(again, ddof=1) + 1e-9
    # Of few levels the same threshold may be the best without any fold.
    assert 0.0 <= bias < 0.2
    assert bias > 0.0 or digits == 0
    at = distances(pos, neg, scores.score)
    best = scores.score[np.argmax(at)]
    k, m = int(np.sum(pos >= best)), int(np.sum(neg >= best))
    for level in (0.8, 0.95):
        (low_k, high_k), (low_m, high_m) = wilson_ends(k, 40, level), wilson_ends(m, 70, level)
        lower = at.max() - np.hypot(k / 40 - low_k, high_m - m / 70) - bias
        upper = at.max() + np.hypot(high_k - k / 40, m / 70 - low_m) - 0.5 * bias
        found = ks_statistic(scores, confidence_level=level)
        expected = [max(0.0, lower), min(1.0, max(upper, at.max()))]
        assert [found.lower, found.upper] == pytest.approx(expected, abs=1e-9)


@pytest.mark.filterwarnings("ignore:.*predicted classes")
def test_perfect_and_useless_scores() -> None:
    perfect = ks_statistic(Scores(Y, Y.astype(float)))
    assert perfect.estimate == perfect.upper == 1.0
    # Nothing is chosen badly: the arms alone, of 60 of 60 and 0 of 90.
    arms = 1.0 - wilson_ends(60, 60, 0.95)[0], wilson_ends(0, 90, 0.95)[1]
    assert perfect.lower == pytest.approx(1.0 - np.hypot(*arms), abs=1e-9)
    useless = ks_statistic(Scores.from_counts([1.0], [30], [40]))
    assert (useless.estimate, useless.lower) == (0.0, 0.0)
    assert 0.0 < useless.upper < 0.2
    # With one case in a class no fold can be left out.
    single = Scores([1, 0, 0, 0], [2.0, 1.0, 3.0, 0.0])
    assert KolmogorovSmirnov().bias(single) == 0.0
    found = ks_statistic(single)
    assert found.lower == 0.0
    assert found.estimate < found.upper <= 1.0


@pytest.mark.slow
@backwards
def test_coverage_where_the_bias_is_largest_and_where_it_is_small() -> None:
    """600 samples: 0.95 less four Monte Carlo errors; without the bias 0.75 of useless scores are covered."""
    grid = np.linspace(-8.0, 10.0, 20001)
    for shift, sizes in ((0.0, (50, 50)), (1.5, (60, 40))):
        true = float(np.max(stats.norm.sf(grid - shift) - stats.norm.sf(grid)))
        y, rng, hits = np.repeat([1, 0], sizes), np.random.default_rng(8), 0
        for _ in range(600):
            found = ks_statistic(y, rng.normal(size=len(y)) + shift * y)
            hits += found.lower <= true <= found.upper
        assert 0.914 < hits / 600 < 0.986


METHODS = [name for name, m in AUC_INTERVAL.methods.items() if name not in ("bootstrap_bca", "cortes_mohri")]


@pytest.mark.parametrize("method", METHODS)
def test_gini_is_the_area_on_its_own_scale(method: str) -> None:
    options = {"rng": 0, "n_resamples": 199} if "n_resamples" in AUC_INTERVAL.methods[method].options else {}
    area = auc_interval(SCORES, method=method, **options)  # type: ignore[arg-type]
    found = interval(SCORES, Gini(), method=method, **options)
    assert isinstance(found, Interval)
    assert found.quantity == "gini"
    for name in ("estimate", "lower", "upper"):
        assert getattr(found, name) == pytest.approx(2.0 * getattr(area, name) - 1.0, abs=1e-12)
    assert (found.method, found.confidence_level) == (area.method, area.confidence_level)
    # Somers' D: pairs in order less pairs out of order, over all pairs.
    pos, neg = np.repeat(SCORES.score, SCORES.pos), np.repeat(SCORES.score, SCORES.neg)
    assert Gini().value(SCORES) == pytest.approx(np.sign(pos[:, None] - neg[None, :]).mean(), abs=1e-12)


@pytest.mark.parametrize("method", AUC_DIFFERENCE.names)
def test_differences_and_comparisons_of_gini_are_twice_those_of_areas(method: str) -> None:
    options = {"rng": 0, "n_resamples": 199} if method == "bootstrap" else {}
    pair = PairedScores(Y, g.normal(size=150) + Y, g.normal(size=150) + Y)
    area = auc_difference(pair, method=method, **options)  # type: ignore[arg-type]
    found = difference(pair, Gini(), method=method, **options)
    assert isinstance(found, Difference)
    assert found.pvalue == pytest.approx(area.pvalue, rel=1e-9)
    for name in ("estimate", "lower", "upper"):
        assert getattr(found, name) == pytest.approx(2.0 * getattr(area, name), abs=1e-12)
    many, areas = comparison(pair, Gini()), auc_comparison(pair)
    assert many.test.pvalue == pytest.approx(areas.test.pvalue, rel=1e-9)
    np.testing.assert_allclose(many.differences.lower, 2.0 * areas.differences.lower, rtol=1e-9)


def test_standard_error_of_gini_is_that_of_somers_d() -> None:
    found = interval(SCORES, Gini(), method="delong")
    assert isinstance(found, Interval)
    # Somers' D is a U-statistic whose kernel is the sign of a pair's difference; DeLong's variance of it.
    pos, neg = np.repeat(SCORES.score, SCORES.pos), np.repeat(SCORES.score, SCORES.neg)
    sign = np.sign(pos[:, None] - neg[None, :])
    variance = sum(sign.mean(axis=1 - k).var(ddof=1) / sign.shape[k] for k in (0, 1))
    assert found.standard_error == pytest.approx(np.sqrt(variance), rel=1e-12)


@backwards
def test_ks_of_scores_that_rank_backwards_is_no_absolute_value() -> None:
    # Two positives lead, all others come last: the curve is above the diagonal by 2/10, below it by 8/10.
    scores = Scores(np.repeat([1, 0, 1], [2, 20, 8]), np.arange(30.0)[::-1])
    assert ks_statistic(scores).estimate == pytest.approx(0.2, abs=1e-12)
    assert ks_statistic(-scores).estimate == pytest.approx(0.8, abs=1e-12)
