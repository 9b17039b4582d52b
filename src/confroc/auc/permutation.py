"""Permutation tests of two areas.

Paired, after Bandos, Rockette & Gur (2005). If the two models are exchangeable case by case, swapping their
scores within any set of cases leaves the joint distribution unchanged. Scores are put on one scale first, as
mid-ranks within each model, so the test is invariant under transforms of either. Write sᵢ, tⱼ = ±1 for
"positive i, negative j keeps its scores". The difference of wins of a pair (i, j) changes sign when both are
swapped, and a function of two signs with that property is linear in them, so the difference of areas under
any swapping is Σ cᵢsᵢ + Σ dⱼtⱼ: a sum of independent signs with fixed weights. Its variance is Σc² + Σd²; its
whole distribution follows from the product of cosines, and none of it needs resampling.

All cases of a cluster are swapped at once, so that it has one sign, whose weight is the sum of its cases'.
Sampling weights stay with their cases; the signs' weights are then rounded to a lattice, which makes the test
that of a slightly different statistic, and no less exact.

Unpaired. If both test sets come from one population, any division of the pooled cases of each class into two
sets of the same sizes is equally likely, whatever the statistic: a test by random divisions, the observed one
counted among them, is exact. The statistic is the difference of the areas over DeLong's standard error; so
studentized, the test is also asymptotically valid for equal areas of different populations (Chung & Romano
2013; Pauly, Asendorf & Konietschke 2016), which that of the plain difference is not. Whole clusters are
divided, in each stratum, and the standard error is that of clusters.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from confroc._check import ArgumentError
from confroc._progress import steps
from confroc._types import RNG, BoolArray, FloatArray, IntArray
from confroc.auc.bootstrap import counts_on_rows
from confroc.influence import area_and_variance, placements
from confroc.moments import influence_moments
from confroc.resample import by_generator, exchangeable, spawn, units_of
from confroc.results import Guarantee
from confroc.scores import CountTable, Design, PairedScores, Scores, UnpairedScores
from confroc.scores.design import another_design

LARGEST_POOL = 10**9
"""numpy divides no more cases than that at random."""

EXACT_WORK = 30_000_000
"""Cosines up to which the exact distribution is computed; beyond, the sum of so many signs is normal."""

LATTICE = 20_000
"""Sum of all weights that are put on a lattice."""

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
    whole, observed = _on_lattice(weights, counts), float(np.dot(weights.astype(np.float64), counts))
    sum_of_signs = float(np.dot(whole.astype(np.float64), counts))
    less, greater, exact = tail_probabilities(whole, counts, sum_of_signs, EXACT_WORK / tests)
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


def sign_weights(pair: PairedScores) -> tuple[Any, IntArray]:
    """Weights of the signs, times 8·n₊·n₋, and how many signs have each; whole numbers without weights.

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
    design = pair.design
    if design is None:
        return np.concatenate(weights), np.concatenate(counts)
    each = np.empty(len(design.row), weights[0].dtype)
    sides = design.positive, ~design.positive
    for own, values, cells in zip((pair.pos, pair.neg), weights, sides, strict=True):
        each[cells] = values[np.searchsorted(np.flatnonzero(own > 0), design.row[cells])]
    each = each * design.weight if design.weighted else each
    unit = units_of(design)
    if not design.clusters:
        return each, design.count
    total = np.zeros(int(unit.max()) + 1, each.dtype)
    np.add.at(total, unit, each * design.count)
    return total, np.ones(len(total), np.int64)


def _on_lattice(weights: Any, counts: IntArray) -> IntArray:
    """Whole weights of signs in proportion to these."""
    if weights.dtype.kind != "i":
        total = float(np.dot(np.abs(weights), counts))
        weights = np.rint(weights * (LATTICE / max(total, 1e-300))).astype(np.int64)
    return np.asarray(weights)


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
    if any(table.design is not None for table in pair.samples):
        return _divided_clusters(pair, n_resamples, rng)
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
    for i, seed in enumerate(steps(spawn(rng, n_resamples), "divisions")):
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


def _divided_clusters(pair: UnpairedScores, n_resamples: int, rng: RNG) -> tuple[float, FloatArray]:
    """The same where whole clusters, or weighted cases, are divided in each stratum."""
    levels = np.union1d(pair.a.score, pair.b.score)[::-1]
    pool, in_a = _pooled(pair, levels)
    unit = units_of(pool)
    of_a = np.zeros(int(unit.max()) + 1, dtype=bool)
    of_a[unit] = in_a
    groups = exchangeable(pool, unit, by_class=True)

    def both(chosen: BoolArray) -> tuple[float, float]:
        cells = chosen[unit]
        sets = [_area_of(pool, levels, part) for part in (cells, ~cells)]
        if None in sets:
            # Without one of the classes there is no area; any value will do if it is always the same.
            return 0.0, 0.0
        (area_a, var_a), (area_b, var_b) = (found for found in sets if found is not None)
        return area_a - area_b, studentized(area_a - area_b, var_a + var_b)

    def divided(generator: np.random.Generator) -> FloatArray:
        chosen = of_a.copy()
        for at in groups:
            chosen[at] = generator.permutation(of_a[at])
        return np.array(both(chosen))

    return both(of_a)[1], by_generator(divided, n_resamples, rng, 1)


def _pooled(pair: UnpairedScores, levels: FloatArray) -> tuple[Design, BoolArray]:
    """The cells of both test sets, whose clusters differ, on common rows; and which are of the first."""
    found = [table.design for table in pair.samples if table.design is not None]
    if len(found) < 2:
        raise another_design()
    apart = []
    for name, table, design in zip("ab", pair.samples, found, strict=True):
        clusters = tuple(c._replace(label=np.char.add(name, c.label)) for c in design.clusters)
        apart.append(replace(design.moved(np.searchsorted(-levels, -table.score)), clusters=clusters))
    pool = apart[0].joined(apart[1])
    in_a = np.arange(len(pool.row)) < len(apart[0].row)
    if pool.clusters:
        return pool, in_a
    # Cases are units of their own.
    case = np.repeat(np.arange(len(in_a)), pool.count)
    return _cells(pool, case, np.ones(len(case), np.int64)), in_a[case]


def _cells(design: Design, at: IntArray, count: IntArray) -> Design:
    """Some cells of a design, with other numbers of cases."""
    columns = {name: getattr(design, name)[at] for name in ("row", "positive", "weight")}
    clusters = tuple(c._replace(code=np.unique(c.code[at], return_inverse=True)[1]) for c in design.clusters)
    stratum = None if design.stratum is None else design.stratum._replace(code=design.stratum.code[at])
    return replace(design, **columns, count=count, clusters=clusters, stratum=stratum)


def _area_of(pool: Design, levels: FloatArray, part: BoolArray) -> tuple[float, float] | None:
    """The area of some cells and its variance; None without one of the classes."""
    design = _cells(pool, np.flatnonzero(part), pool.count[part])
    if design.positive.all() or not design.positive.any():
        return None
    table = Scores._of(CountTable(levels, *design.counts(len(levels))), design=design)
    return table.auc, sum(m.variance for m in influence_moments(placements(table, None), table))


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
