"""Score intervals for the difference of two areas: written differently, consistent, and covering."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats
from scipy.optimize import brentq

from confroc import ConfrocWarning, PairedScores, Scores, UnpairedScores, auc_difference, auc_interval
from confroc.auc.difference import AUC_DIFFERENCE
from confroc.auditing.samples import Samples
from confroc.hypotheses import ALTERNATIVES, Alternative
from confroc.influence import correlation_of
from confroc_lab import (
    CopulaPair,
    Exponential,
    LogNormal,
    Normal,
    NormalMixture,
    NormalPair,
    Rule,
    TwoDistributions,
)
from confroc_lab.areas import delong_pair, difference_ends
from confroc_lab.study import evaluated
from support import paired_sample

silent = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
rows = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 5), st.integers(0, 5)), min_size=4, max_size=14
).filter(lambda cases: 1 < sum(y for y, _, _ in cases) < len(cases) - 1)


def pair_of(cases: list[tuple[int, int, int]]) -> PairedScores:
    return PairedScores(*zip(*cases, strict=True))


# --- a second implementation, from all pairs of cases -------------------------------------------------


def wins(pair: PairedScores, model: int) -> np.ndarray:
    score = (pair.score_a, pair.score_b)[model]
    y, x = np.repeat(score, pair.pos), np.repeat(score, pair.neg)
    return (y[:, None] > x) + 0.5 * (y[:, None] == x)


def half_length(w: np.ndarray, tail: float) -> float:
    """The longer of t·SE and half the interval of one area, by root finding over its test's equation."""
    area, (m, n) = float(w.mean()), w.shape
    parts = []
    for axis, k in ((1, m), (0, n)):
        v = w.mean(axis=axis)
        s2, fourth = float(np.var(v, ddof=1)), float(np.mean((v - v.mean()) ** 4))
        noise = (fourth - s2**2 * (k - 3) / (k - 1)) / k
        parts.append((s2 / k, k - 1.0 if noise <= 0 else min(k - 1.0, 2 * s2**2 / noise)))
    variance = sum(v for v, _ in parts)
    df = variance**2 / sum(v**2 / d for v, d in parts if v > 1e-30) if variance > 1e-30 else 0.0

    def model(a: float) -> float:
        q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
        both = [a * (1 - a) + (p - 1) * (q1 - a * a) + (q - 1) * (q2 - a * a) for p, q in ((m, n), (n, m))]
        return max(both) / (m * n)

    if df > 0.0:
        used = variance + 6 / (df + 6) * max(0.0, model(area) - variance)
        scale, quantile = used / model(area), stats.t.isf(tail, (df + 6) ** 2 / df)
    else:
        scale, quantile = 1.0, stats.norm.isf(tail)
    reach = quantile * math.sqrt(scale)

    def outside(a: float) -> float:
        return abs(area - a) - reach * math.sqrt(max(0.0, model(a)))

    low = brentq(outside, 0.0, area - 1e-13, xtol=1e-15) if area > 0 else 0.0
    high = brentq(outside, area + 1e-13, 1.0, xtol=1e-15) if area < 1 else 1.0
    return float(max(0.5 * (high - low), reach * math.sqrt(max(0.0, model(area)))))


def by_pairs(pair: PairedScores, level: float) -> tuple[float, float]:
    tail = 0.5 * (1 - level)
    w = [wins(pair, k) for k in (0, 1)]
    matrix = sum(np.cov([v.mean(axis=1 - k) for v in w]) / w[0].shape[k] for k in (0, 1))
    half_a, half_b = (half_length(v, tail) for v in w)
    a, b = (float(v.mean()) for v in w)
    sd_a, sd_b = np.sqrt(np.diag(matrix))
    rho = matrix[0, 1] / (sd_a * sd_b)
    apart = stats.norm.isf(tail) * (sd_a - sd_b)

    squares = half_a**2 + half_b**2
    square = squares - 2 * rho * half_a * half_b if rho < 0 else (1 - rho) * squares + rho * apart**2
    return a - b - math.sqrt(square), a - b + math.sqrt(square)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize(("seed", "sizes"), [(1, (8, 12)), (2, (30, 9)), (3, (12, 40)), (4, (60, 60))])
def test_agrees_with_all_pairs_of_cases(seed: int, sizes: tuple[int, int], level: float) -> None:
    pair = paired_sample(seed, *sizes, (1.8, 1.2))
    found = auc_difference(pair, confidence_level=level)
    assert (found.lower, found.upper) == pytest.approx(by_pairs(pair, level), abs=1e-9)
    assert (str(found.method), found.guarantee, found.notes) == ("score_delong", "asymptotic", ())


def test_negative_correlation() -> None:
    rng = np.random.default_rng(4)
    y, z = np.repeat([1, 0], [15, 25]), rng.standard_normal(40)
    pair = PairedScores(y, 1.2 * y + z, 1.2 * y - z + 0.2 * rng.standard_normal(40))
    found = auc_difference(pair)
    assert (found.lower, found.upper) == pytest.approx(by_pairs(pair, 0.95), abs=1e-9)
    assert found.upper - found.lower > auc_difference(UnpairedScores(pair.a, pair.b)).upper


def test_unpaired_adds_the_squares_of_the_half_lengths() -> None:
    pair = paired_sample(5, 20, 30, (1.8, 1.2))
    found = auc_difference(UnpairedScores(pair.a, pair.b))
    half = math.hypot(*(half_length(wins(pair, k), 0.025) for k in (0, 1)))
    assert (found.lower, found.upper) == pytest.approx(
        (found.estimate - half, found.estimate + half), abs=1e-9
    )
    # Neither is a model that does not vary a reason to warn here: the correlation of two test sets is known.
    perfect = Scores([1, 1, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1])
    assert auc_difference(UnpairedScores(perfect, pair.b)).notes == ()


def test_many_cases_tend_to_delong() -> None:
    small = paired_sample(6, 40, 60, (1.8, 1.2))
    many = PairedScores.from_counts(small.score_a, small.score_b, small.pos * 10**5, small.neg * 10**5)
    one, other = auc_difference(many), auc_difference(many, method="delong")
    assert (one.lower, one.upper) == pytest.approx((other.lower, other.upper), abs=1e-6)
    # A few parts in ten thousand remain of the arms' being uneven.
    assert one.upper - one.lower == pytest.approx(other.upper - other.lower, rel=1e-3)
    half = auc_difference(many, max_fpr=0.3), auc_difference(many, max_fpr=0.3, method="delong")
    assert half[0].upper - half[0].lower == pytest.approx(half[1].upper - half[1].lower, rel=1e-3)


@given(st.floats(1e-8, 1.0), st.floats(1e-8, 1.0), st.floats(-0.999, 0.9999))
def test_correlation_from_three_variances(a: float, b: float, rho: float) -> None:
    found = float(correlation_of(a * a, b * b, a * a + b * b - 2 * rho * a * b))
    # Digits are lost in this test's own sum where one variance is far the larger.
    assert found == pytest.approx(rho, abs=1e-15 * (a / b + b / a) * 4 + 1e-12)


# --- what holds of every sample ----------------------------------------------------------------------


@silent
@settings(max_examples=40)
@given(rows, st.sampled_from([0.8, 0.95, 0.99]), st.sampled_from(ALTERNATIVES))
def test_p_value_and_interval_agree(
    cases: list[tuple[int, int, int]], level: float, alternative: Alternative
) -> None:
    given_margin = {"margin": 0.2} if alternative in ("non-inferiority", "equivalence") else {}
    arguments: dict[str, Any] = {"alternative": alternative, **given_margin}
    pair = pair_of(cases)
    tested = auc_difference(pair, confidence_level=level, **arguments)
    nulls = {"non-inferiority": (-0.2,), "equivalence": (-0.2, 0.2)}.get(alternative, (0.0,))
    excluded = [not tested.lower <= null <= tested.upper for null in nulls]
    if alternative == "equivalence":
        excluded = [all(excluded) and tested.lower < 0.2 and tested.upper > -0.2]
    if abs(tested.pvalue - (1 - level)) > 1e-9:
        assert (tested.pvalue < 1 - level) == all(excluded)


@silent
@settings(max_examples=15)
@given(rows, st.randoms(use_true_random=False))
def test_invariants(cases: list[tuple[int, int, int]], random: Any) -> None:
    found = auc_difference(pair_of(cases))
    y, a, b = (np.array(column) for column in zip(*cases, strict=True))
    assert found.lower <= found.estimate <= found.upper
    assert found.upper - found.lower > 1e-6

    def ends(pair: PairedScores, sign: int = 1) -> list[float]:
        other = auc_difference(pair)
        low, high = other.lower, other.upper
        return [*((low, high) if sign > 0 else (-high, -low)), other.pvalue]

    mine = [found.lower, found.upper, found.pvalue]
    assert ends(PairedScores(y, b, a), -1) == pytest.approx(mine, abs=1e-12)
    assert ends(PairedScores(y, np.exp(a), b**3)) == pytest.approx(mine, abs=1e-12)
    assert ends(PairedScores(1 - y, a, b), -1) == pytest.approx(mine, abs=1e-12)
    assert ends(PairedScores(1 - y, -a, -b)) == pytest.approx(mine, abs=1e-12)
    shuffled = list(cases)
    random.shuffle(shuffled)
    assert auc_difference(pair_of(shuffled)) == found


@silent
@settings(max_examples=20)
@given(rows)
def test_wider_at_higher_levels(cases: list[tuple[int, int, int]]) -> None:
    found = [auc_difference(pair_of(cases), confidence_level=level) for level in (0.5, 0.8, 0.95, 0.999)]
    for inner, outer in itertools.pairwise(found):
        assert outer.lower <= inner.lower + 1e-12
        assert outer.upper >= inner.upper - 1e-12


def test_models_that_agree_on_every_case() -> None:
    same = paired_sample(7, 12, 15, (1.8, 1.2))
    for twin in (PairedScores.from_counts(same.score_a, 2 * same.score_a, same.pos, same.neg),):
        with pytest.warns(ConfrocWarning, match="rank the cases identically"):
            found = auc_difference(twin)
        assert (found.estimate, found.statistic, found.pvalue) == (0.0, 0.0, 1.0)
        assert found.lower == pytest.approx(-found.upper)
        assert found.upper > 0.1
        assert "rank the cases identically" in found.notes[0]


@silent
def test_models_that_rank_alike_differ_by_no_more_than_disjoint_pairs_allow() -> None:
    y, top = np.repeat([1, 0], [20, 60]), np.linspace(0.0, 3.0, 80)
    scores = np.where(y == 1, top * 37.0 % 3.0 + 0.5, top * 37.0 % 3.0)
    twins = PairedScores(y, scores, np.exp(scores))
    for level in (0.8, 0.95, 0.999):
        most = 1.0 - (1.0 - level) ** (1.0 / 20)
        found = auc_difference(twins, confidence_level=level)
        # Or by as much as two models whose areas are uncorrelated, if that is less.
        unpaired = UnpairedScores(twins.a, twins.b)
        apart = min(most, auc_difference(unpaired, confidence_level=level).upper)
        assert (found.lower, found.upper) == pytest.approx((-apart, apart), abs=1e-12)
        assert "rank the cases identically" in found.notes[0]
        one = auc_difference(twins, confidence_level=level, alternative="greater")
        below = auc_difference(unpaired, confidence_level=level, alternative="greater").lower
        assert (one.lower, one.upper) == pytest.approx((max(-most, below), 1.0), abs=1e-12)
    found = auc_difference(twins, alternative="non-inferiority", margin=0.15)
    assert found.pvalue == pytest.approx(0.85**20, rel=1e-9)
    # Wherever uncorrelated areas are further from the margin, they are.
    strong = PairedScores(y, scores + 2.0 * y, np.exp(scores + 2.0 * y))
    assert auc_difference(strong, alternative="non-inferiority", margin=0.1).pvalue < 0.9**20
    # A part of the curve is not a share of pairs.
    assert "treated as uncorrelated" in auc_difference(twins, max_fpr=0.3).notes[0]


@silent
@pytest.mark.parametrize("share", [0.05, 0.2, 0.4, 0.6, 0.75, 0.9])
def test_the_level_of_models_that_rank_alike_by_enumeration(share: float) -> None:
    # Every sample of 5 positives, of which b misplaces this share, and 8 negatives, half of them above all.
    truth, missed, alike = 0.5 * share, 0.0, 0.0
    for misplaced, above in itertools.product(range(6), range(9)):
        weight = stats.binom.pmf(misplaced, 5, share) * stats.binom.pmf(above, 8, 0.5)
        pos, neg = [5 - misplaced, misplaced, 0, 0], [0, 0, above, 8 - above]
        found = auc_difference(PairedScores.from_counts([2, 2, 3, 1], [2, 0, 3, 1], pos, neg))
        if misplaced == 0 or above == 8:
            alike += weight
            missed += weight * (not found.lower <= truth <= found.upper)
    assert alike > 1e-4
    assert missed <= 0.05


def test_perfect_separation_by_both_and_by_one() -> None:
    y, top = [1] * 10 + [0] * 30, list(range(40, 0, -1))
    with pytest.warns(ConfrocWarning, match="rank the cases identically"):
        both = auc_difference(PairedScores(y, top, np.exp(top)))
    assert (both.estimate, both.pvalue) == (0.0, 1.0)
    half = 0.5 * (1.0 - auc_interval(Scores(y, top)).lower)
    assert both.upper == pytest.approx(math.sqrt(2.0) * half, abs=1e-12)
    weak = [float((7 * k) % 41) for k in top]
    one = auc_difference(PairedScores(y, top, weak))
    assert one.notes == ()
    assert one.lower < one.estimate < one.upper
    # A case alone in its class leaves the correlation unknown too.
    with pytest.warns(ConfrocWarning, match="treated as uncorrelated"):
        auc_difference(PairedScores([1, 0, 0], [2, 3, 1], [3, 1, 2]))


# --- repeated samples --------------------------------------------------------------------------------

STRONG = TwoDistributions(LogNormal(1.5, 0.6), Exponential(0.9))
WEAK = TwoDistributions(Exponential(4.0), Exponential(1.0))
MIXED = TwoDistributions(NormalMixture((0.3, 0.7), (Normal(0.0, 1.0), Normal(2.9, 0.7))), Normal())


def near_one(a: float, b: float, correlation: float) -> NormalPair:
    means = special.ndtri([a, b]) * math.sqrt(2.0)
    return NormalPair((means[0], means[1]), (0.0, 0.0), 1.0, 1.0, correlation)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("population", "sizes", "least"),
    [
        (near_one(0.95, 0.97, 0.6), (20, 500), 0.935),
        (near_one(0.99, 0.97, 0.6), (12, 40), 0.935),
        (CopulaPair(STRONG, WEAK, 0.5), (12, 40), 0.935),
        (CopulaPair(MIXED, WEAK, 0.3), (40, 12), 0.935),
        # No samples of two models that almost agree may fall out of a narrow interval.
        (near_one(0.95, 0.96, 0.98), (10, 10), 0.935),
    ],
)
def test_default_covers(population: Any, sizes: tuple[int, int], least: float) -> None:
    # 2,000 samples: an interval that covers 0.935 fails with probability 3e-5 (four Monte Carlo errors make
    # 0.022), one that covers 0.90 with 0.97. Normal intervals with DeLong's variance cover 0.72 to 0.92 here.
    rule = Rule("auc_difference", methods=(AUC_DIFFERENCE.default,), confidence_level=0.95)
    (found,) = evaluated(rule, population, sizes, "stratified", 2000, np.random.default_rng(5))
    assert found.share[0] > least - 0.022


@silent
@pytest.mark.parametrize("sizes", [(12, 30), (1, 9), (2, 2)])
def test_laboratory_judges_what_is_shipped(sizes: tuple[int, int]) -> None:
    samples = Samples(*CopulaPair(STRONG, MIXED, 0.7).draw(np.random.default_rng(1), *sizes, 20))
    found = delong_pair(samples)
    for method in ("score_delong", "delong"):
        low, high = difference_ends(method, samples, found, 0.9, 100, np.random.default_rng(1))
        for i in range(20):
            shipped = auc_difference(samples.pair(i), method=method, confidence_level=0.9)
            assert (low[i, 0], high[i, 0]) == pytest.approx((shipped.lower, shipped.upper), abs=1e-12)


def test_laboratory_judges_methods_that_are_not_batched() -> None:
    for method in AUC_DIFFERENCE.methods:
        rule = Rule("auc_difference", methods=(method,), confidence_level=0.9, n_resamples=40)
        rng = np.random.default_rng(1)
        (found,) = evaluated(rule, near_one(0.8, 0.7, 0.5), (12, 15), "stratified", 5, rng)
        assert (found.samples[0], found.failures[0]) == (5, 0)


def test_the_statistic_of_many_cases_is_that_of_delong() -> None:
    """Beyond 38 standard errors, where normal tails underflow, too; both tend to the same."""
    rng = np.random.default_rng(5)
    y = rng.random(4000) < 0.4
    a, b = (np.round(shift * y + rng.normal(size=4000), 1) for shift in (1.5, 0.5))
    pos, neg = 10 * y, 10 * ~y
    pair = PairedScores.from_counts(a, b, pos, neg)
    found, other = auc_difference(pair), auc_difference(pair, method="delong")
    assert other.statistic > 60.0
    assert found.statistic == pytest.approx(other.statistic, rel=0.07)
    assert found.pvalue == 0.0


def test_perfect_against_reversed_has_a_finite_statistic() -> None:
    """No level's interval reaches zero, so the statistic counts standard errors."""
    y = np.repeat([0, 1], 5)
    with pytest.warns(ConfrocWarning):
        found = auc_difference(y, np.arange(10), -np.arange(10))
    assert found.statistic == pytest.approx(found.estimate / found.standard_error)
