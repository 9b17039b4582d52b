"""Permutation tests of two AUCs.

Paired, after Bandos, Rockette & Gur (2005). If the two models are exchangeable case by case, swapping their
scores within any set of cases leaves the joint distribution unchanged. Scores are first replaced by mid-ranks
within each model, so the test is invariant under transforms of either. Let sᵢ, tⱼ = ±1, +1 if positive i,
negative j keeps its scores. The difference of wins of a pair (i, j) changes sign if both are swapped, and a
function of two signs with that property is linear in them, so the difference in AUC under any swapping is
Σ cᵢsᵢ + Σ dⱼtⱼ: a sum of independent signs with fixed weights. Its variance is Σc² + Σd²; its distribution
follows from a product of cosines, without resampling.

All cases of a cluster are swapped together, so it has one sign with the sum of its cases' weights. Sampling
weights stay with their cases; the signs' weights are then rounded to a lattice, which gives an exact test of
a slightly different statistic.

Unpaired. If both test sets come from one population, any division of the pooled cases of each class into two
sets of the same sizes is equally likely, so a test by random divisions that include the observed one is exact
for any statistic. The statistic is the difference in AUC divided by DeLong's standard error;
studentized, the test is also asymptotically valid for equal AUCs of different populations (Chung & Romano
2013; Pauly, Asendorf & Konietschke 2016). Whole clusters are divided, in each stratum, with the clustered
standard error.
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
"""Largest number of cases that numpy divides at random."""

EXACT_WORK = 30_000_000
"""Number of cosines up to which the distribution is exact; beyond, a normal approximation is used."""

LATTICE = 20_000
"""Sum of all weights on the lattice."""

LEAST_TAIL = 1e-14
"""Tail probability below which the Fourier inversion is rounding error."""


class PermutationTest(NamedTuple):
    """A permutation test: null standard error, statistic, p-value, and smallest possible p-value."""

    standard_error: float
    statistic: float
    pvalue: float
    guarantee: Guarantee
    least_pvalue: float


def p_value(less: float, greater: float, alternative: str) -> float:
    """P-value from the lower and upper tail probabilities of the observed statistic."""
    tails = {"less": less, "greater": greater, "two-sided": min(1.0, 2.0 * min(less, greater))}
    return tails[alternative]


# --- the same cases ------------------------------------------------------------------------------------


def swap_test(pair: PairedScores, alternative: str, tests: int = 1) -> PermutationTest:
    """Test equal AUCs by swapping the two models' ranks within cases, adjusted for `tests` tests."""
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
    """Mid-rank of each distinct score among all cases, in descending order."""
    count = scores.pos + scores.neg
    ranks: FloatArray = np.cumsum(count) - 0.5 * (count - 1)
    return ranks


def sign_weights(pair: PairedScores) -> tuple[Any, IntArray]:
    """Weights of the signs, times 8·n₊·n₋, and numbers of signs with each; integers without sampling weights.

    The weight of a positive is half the difference of the numbers of negatives' scores, of both models
    together, that its two scores outrank; that of a negative likewise.
    """
    rank_a, rank_b = mid_ranks(pair.a)[pair.index_a], mid_ranks(pair.b)[pair.index_b]
    weights, counts = [], []
    for own, other, side in ((pair.pos, pair.neg, 1), (pair.neg, pair.pos, -1)):
        rows = own > 0
        pool, tally = np.concatenate([rank_a, rank_b]), np.concatenate([other, other])
        order = np.argsort(pool)
        pool, total = pool[order], np.concatenate([[0], np.cumsum(tally[order])])
        # Twice the number of lower-ranked cases of the other class, ties counting one half.
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
    """Integer weights of signs proportional to these."""
    if weights.dtype.kind != "i":
        total = float(np.dot(np.abs(weights), counts))
        weights = np.rint(weights * (LATTICE / max(total, 1e-300))).astype(np.int64)
    return np.asarray(weights)


def tail_probabilities(
    weights: IntArray, counts: IntArray, observed: float, most: float = EXACT_WORK
) -> tuple[float, float, bool]:
    """P(S ≤ observed) and P(S ≥ observed) for the sum S of signed weights, and whether they are exact.

    They are exact up to the maximum number of cosines; values below `LEAST_TAIL` are replaced by it.
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
        bound = int(np.dot(distinct, repeats))
        lattice = np.arange(-bound, bound + 1)
        law = _law(distinct, repeats, bound)
        # The observed sum lies on the lattice up to rounding error.
        less, greater = law[lattice <= shifted + 1e-6].sum(), law[lattice >= shifted - 1e-6].sum()
        return max(float(less), LEAST_TAIL), max(float(greater), LEAST_TAIL), True
    from scipy import special

    z = shifted / math.sqrt(float(np.dot(distinct.astype(float) ** 2, repeats)))
    return float(special.ndtr(z)), float(special.ndtr(-z)), False


def _law(distinct: IntArray, repeats: IntArray, bound: int) -> FloatArray:
    """Probabilities of the sum on −bound … bound, from its characteristic function Π cos(wθ)."""
    size = 2 * bound + 1
    # Reduce w·k first, so that large products keep their precision.
    k = np.arange(bound + 1)
    transform = np.ones(bound + 1)
    for w, times in zip(distinct.tolist(), repeats.tolist(), strict=True):
        transform *= np.cos((2.0 * math.pi / size) * (w * k % size)) ** times
    law = np.fft.irfft(transform, n=size)
    return np.maximum(np.fft.fftshift(law), 0.0)


# --- two test sets -------------------------------------------------------------------------------------


def studentized(difference: float, variance: float) -> float:
    """Difference divided by its standard error; infinite if only the latter is zero."""
    if variance > 1e-24:
        return difference / math.sqrt(variance)
    return 0.0 if abs(difference) <= 1e-12 else math.copysign(math.inf, difference)


def reallocations(pair: UnpairedScores, n_resamples: int, rng: RNG) -> tuple[float, FloatArray]:
    """Statistic of the sample, and differences and statistics of random divisions, (n_resamples, 2)."""
    if any(table.design is not None for table in pair.samples):
        return _divided_clusters(pair, n_resamples, rng)
    levels = np.union1d(pair.a.score, pair.b.score)[::-1]
    (pos_a, neg_a), (pos_b, neg_b) = (counts_on_rows(levels, scores) for scores in (pair.a, pair.b))
    pos, neg = pos_a + pos_b, neg_a + neg_b
    largest = int(max(pos.sum(), neg.sum()))
    if largest >= LARGEST_POOL:
        raise ArgumentError(
            "pair",
            f"contain fewer than {LARGEST_POOL:,} cases of a class for method 'permutation' of two test sets",
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
            # Case by case, or row by row if there are few rows.
            generator.multivariate_hypergeometric(
                total, n, method="count" if total.sum() < 10 * len(total) else "marginals"
            )
            for total, n in ((pos, pair.a.n_pos), (neg, pair.a.n_neg))
        ]
        found[i] = both(drawn[0], drawn[1])
    return both(pos_a, neg_a)[1], found


def _divided_clusters(pair: UnpairedScores, n_resamples: int, rng: RNG) -> tuple[float, FloatArray]:
    """The same for whole clusters or weighted cases, in each stratum."""
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
            # Without one of the classes the AUC is undefined; any constant value is valid.
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
    """The cells of both test sets, with disjoint clusters, on common rows, and the mask of the first."""
    found = [table.design for table in pair.samples if table.design is not None]
    if len(found) < 2:
        raise another_design()
    samples = []
    for name, table, design in zip("ab", pair.samples, found, strict=True):
        clusters = tuple(c._replace(label=np.char.add(name, c.label)) for c in design.clusters)
        samples.append(replace(design.moved(np.searchsorted(-levels, -table.score)), clusters=clusters))
    pool = samples[0].joined(samples[1])
    in_a = np.arange(len(pool.row)) < len(samples[0].row)
    if pool.clusters:
        return pool, in_a
    # Cases are separate units.
    case = np.repeat(np.arange(len(in_a)), pool.count)
    return _cells(pool, case, np.ones(len(case), np.int64)), in_a[case]


def _cells(design: Design, at: IntArray, count: IntArray) -> Design:
    """Selected cells of a design, with new numbers of cases."""
    columns = {name: getattr(design, name)[at] for name in ("row", "positive", "weight")}
    clusters = tuple(c._replace(code=np.unique(c.code[at], return_inverse=True)[1]) for c in design.clusters)
    stratum = None if design.stratum is None else design.stratum._replace(code=design.stratum.code[at])
    return replace(design, **columns, count=count, clusters=clusters, stratum=stratum)


def _area_of(pool: Design, levels: FloatArray, part: BoolArray) -> tuple[float, float] | None:
    """AUC of some cells and its variance; None without one of the classes."""
    design = _cells(pool, np.flatnonzero(part), pool.count[part])
    if design.positive.all() or not design.positive.any():
        return None
    table = Scores._of(CountTable(levels, *design.counts(len(levels))), design=design)
    return table.auc, sum(m.variance for m in influence_moments(placements(table, None), table))


def tail_shares(observed: float, statistics: FloatArray) -> tuple[float, float]:
    """Tail proportions of divisions, including the observed one."""
    # Ties of the discrete statistic count against rejection, up to rounding error.
    slack = 1e-9 * max(1.0, abs(observed)) if math.isfinite(observed) else 0.0
    n = 1 + len(statistics)
    less, greater = statistics <= observed + slack, statistics >= observed - slack
    return (1 + int(less.sum())) / n, (1 + int(greater.sum())) / n


def division_test(pair: UnpairedScores, alternative: str, n_resamples: int, rng: RNG) -> PermutationTest:
    """Test equal AUCs by random divisions of the pooled cases of each class."""
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
