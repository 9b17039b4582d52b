"""Permutation tests of two areas.

Paired, after Bandos, Rockette & Gur (2005). If the two models are exchangeable case by case, swapping their
scores within any set of cases leaves the joint distribution unchanged. Scores are put on one scale first, as
mid-ranks within each model, so the test is invariant under transforms of either. Write sᵢ, tⱼ = ±1 for
"positive i, negative j keeps its scores". The difference of wins of a pair (i, j) changes sign when both are
swapped, and a function of two signs with that property is linear in them, so the difference of areas under
any swapping is Σ cᵢsᵢ + Σ dⱼtⱼ: a sum of independent signs with fixed weights. Its variance is Σc² + Σd²; its
whole distribution follows from the product of cosines, and none of it needs resampling.

Unpaired. If both test sets come from one population, any division of the pooled cases of each class into two
sets of the same sizes is equally likely, whatever the statistic: a test by random divisions, the observed one
counted among them, is exact. The statistic is the difference of the areas over DeLong's standard error; so
studentized, the test is also asymptotically valid for equal areas of different populations (Chung & Romano
2013; Pauly, Asendorf & Konietschke 2016), which that of the plain difference is not.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from confroc._check import ArgumentError
from confroc._types import RNG, FloatArray, IntArray
from confroc.auc.bootstrap import counts_on_rows
from confroc.influence import area_and_variance
from confroc.resample import spawn
from confroc.results import Guarantee
from confroc.scores import PairedScores, Scores, UnpairedScores

LARGEST_POOL = 10**9
"""numpy divides no more cases than that at random."""

EXACT_WORK = 30_000_000
"""Cosines up to which the exact distribution is computed; beyond, the sum of so many signs is normal."""

LEAST_TAIL = 1e-14
"""Tails below which the transform of the exact distribution is rounding error."""


class PermutationTest(NamedTuple):
    """A test by exchanging cases: null standard error, statistic, p-value, and its least p-value."""

    standard_error: float
    statistic: float
    pvalue: float
    guarantee: Guarantee
    least_pvalue: float


def p_value(less: float, greater: float, alternative: str) -> float:
    """P-value from the probabilities of a statistic at most and at least as large as the sample's."""
    tails = {"less": less, "greater": greater, "two-sided": min(1.0, 2.0 * min(less, greater))}
    return tails[alternative]


# --- the same cases ------------------------------------------------------------------------------------


def swap_test(pair: PairedScores, alternative: str, tests: int = 1) -> PermutationTest:
    """Test of equal areas by swapping the two models' ranks within cases; one of so many such tests."""
    weights, counts = sign_weights(pair)
    observed = float(np.dot(weights.astype(np.float64), counts))
    less, greater, exact = tail_probabilities(weights, counts, observed, EXACT_WORK / tests)
    scale = 4.0 * pair.n_pos * pair.n_neg
    se = math.sqrt(float(np.dot(weights.astype(float) ** 2, counts))) / scale
    return PermutationTest(
        se,
        observed / scale / se if se > 0.0 else 0.0,
        p_value(less, greater, alternative),
        "finite-sample" if exact else "asymptotic",
        p_value(LEAST_TAIL, LEAST_TAIL, alternative) if exact else 0.0,
    )


def mid_ranks(scores: Scores) -> FloatArray:
    """Mid-rank of each distinct score among all cases, counted from the top."""
    count = scores.pos + scores.neg
    ranks: FloatArray = np.cumsum(count) - 0.5 * (count - 1)
    return ranks


def sign_weights(pair: PairedScores) -> tuple[IntArray, IntArray]:
    """Weights of the signs, times 8·n₊·n₋ and so whole numbers, and how many cases have each.

    A positive's weight is half the difference of how many negatives' scores, of both models together,
    its two scores outrank; and the like for a negative.
    """
    rank_a, rank_b = mid_ranks(pair.a)[pair.index_a], mid_ranks(pair.b)[pair.index_b]
    weights, counts = [], []
    for own, other, side in ((pair.pos, pair.neg, 1), (pair.neg, pair.pos, -1)):
        rows = own > 0
        pool, tally = np.concatenate([rank_a, rank_b]), np.concatenate([other, other])
        order = np.argsort(pool)
        pool, total = pool[order], np.concatenate([[0], np.cumsum(tally[order])])
        # Twice the number ranked lower (a larger rank) among the other class, ties one half.
        lower = [
            2 * total[-1]
            - total[np.searchsorted(pool, r[rows], side="left")]
            - total[np.searchsorted(pool, r[rows], side="right")]
            for r in (rank_a, rank_b)
        ]
        weights.append(side * (lower[0] - lower[1]))
        counts.append(own[rows])
    return np.concatenate(weights), np.concatenate(counts)


def tail_probabilities(
    weights: IntArray, counts: IntArray, observed: float, most: float = EXACT_WORK
) -> tuple[float, float, bool]:
    """P(S ≤ observed), P(S ≥ observed) for the sum S of signed weights; and whether they are exact.

    They are if that needs at most so many cosines; a smaller one than `LEAST_TAIL` is given as that.
    """
    distinct, of = np.unique(np.abs(weights), return_inverse=True)
    repeats = np.zeros(len(distinct), np.int64)
    np.add.at(repeats, of, counts)
    distinct, repeats = distinct[distinct > 0], repeats[distinct > 0]
    if len(distinct) == 0:
        return float(observed >= 0), float(observed <= 0), True
    step = int(np.gcd.reduce(distinct))
    distinct, shifted = distinct // step, observed / step
    if len(distinct) * float(np.dot(distinct.astype(np.float64), repeats)) <= most:
        reach = int(np.dot(distinct, repeats))
        lattice = np.arange(-reach, reach + 1)
        law = _law(distinct, repeats, reach)
        # The observed sum lies on the lattice up to rounding.
        less, greater = law[lattice <= shifted + 1e-6].sum(), law[lattice >= shifted - 1e-6].sum()
        return max(float(less), LEAST_TAIL), max(float(greater), LEAST_TAIL), True
    from scipy import special

    z = shifted / math.sqrt(float(np.dot(distinct.astype(float) ** 2, repeats)))
    return float(special.ndtr(z)), float(special.ndtr(-z)), False


def _law(distinct: IntArray, repeats: IntArray, reach: int) -> FloatArray:
    """Probabilities of the sum on −reach … reach, from its characteristic function Π cos(wθ)."""
    size = 2 * reach + 1
    # Angles 2πk/size with w·k reduced first, so that large products keep their digits.
    k = np.arange(reach + 1)
    transform = np.ones(reach + 1)
    for w, times in zip(distinct.tolist(), repeats.tolist(), strict=True):
        transform *= np.cos((2.0 * math.pi / size) * (w * k % size)) ** times
    law = np.fft.irfft(transform, n=size)
    return np.maximum(np.fft.fftshift(law), 0.0)


# --- two test sets -------------------------------------------------------------------------------------


def studentized(difference: float, variance: float) -> float:
    """Difference over its standard error; infinite when that is zero and the difference is not."""
    if variance > 1e-24:
        return difference / math.sqrt(variance)
    return 0.0 if abs(difference) <= 1e-12 else math.copysign(math.inf, difference)


def reallocations(pair: UnpairedScores, n_resamples: int, rng: RNG) -> tuple[float, FloatArray]:
    """Statistic of the sample; differences and statistics of random divisions, shape (n_resamples, 2)."""
    levels = np.union1d(pair.a.score, pair.b.score)[::-1]
    (pos_a, neg_a), (pos_b, neg_b) = (counts_on_rows(levels, scores) for scores in (pair.a, pair.b))
    pos, neg = pos_a + pos_b, neg_a + neg_b
    largest = int(max(pos.sum(), neg.sum()))
    if largest >= LARGEST_POOL:
        raise ArgumentError(
            "pair",
            f"hold fewer than {LARGEST_POOL:,} cases of a class for method 'permutation' of two test sets",
            largest,
            "Use method 'score_delong'.",
        )

    def both(p: IntArray, q: IntArray) -> tuple[float, float]:
        (area_a, of_a), (area_b, of_b) = area_and_variance(p, q), area_and_variance(pos - p, neg - q)
        return area_a - area_b, studentized(area_a - area_b, of_a + of_b)

    found = np.empty((n_resamples, 2))
    for i, seed in enumerate(spawn(rng, n_resamples)):
        generator = np.random.Generator(np.random.SFC64(seed))
        drawn = [
            # Case by case, or row by row where rows are few.
            generator.multivariate_hypergeometric(
                total, n, method="count" if total.sum() < 10 * len(total) else "marginals"
            )
            for total, n in ((pos, pair.a.n_pos), (neg, pair.a.n_neg))
        ]
        found[i] = both(drawn[0], drawn[1])
    return both(pos_a, neg_a)[1], found


def tail_shares(observed: float, statistics: FloatArray) -> tuple[float, float]:
    """Shares of divisions at most and at least as large as the sample's, which counts as one of them."""
    # Ties of the discrete statistic count against rejection, rounding or not.
    slack = 1e-9 * max(1.0, abs(observed)) if math.isfinite(observed) else 0.0
    n = 1 + len(statistics)
    less, greater = statistics <= observed + slack, statistics >= observed - slack
    return (1 + int(less.sum())) / n, (1 + int(greater.sum())) / n


def division_test(pair: UnpairedScores, alternative: str, n_resamples: int, rng: RNG) -> PermutationTest:
    """Test of equal areas by dividing the pooled cases of each class anew."""
    observed, found = reallocations(pair, n_resamples, rng)
    less, greater = tail_shares(observed, found[:, 1])
    least = 1.0 / (1.0 + n_resamples)
    return PermutationTest(
        float(np.sqrt(np.mean(found[:, 0] ** 2))),
        observed,
        p_value(less, greater, alternative),
        "finite-sample",
        p_value(least, least, alternative),
    )
