"""The bootstrap of areas: by resampling, and with the variance of infinitely many resamples.

A resample draws each class by itself. Where only some cases have both models' scores, resampling draws from
all cases together, so that which models have scored a case is drawn with it. The closed form draws the cases
with both scores, with a's only and with b's only each by themselves: strata s of the positives and t of the
negatives. With φ ∈ {0, ½, 1} the win of a pair of cases, Hoeffding's (1948) decomposition of Σφ/(n₊n₋) gives

    Var* = Σ_s n_s Var_s(h)/n₊² + Σ_t n_t Var_t(g)/n₋²
           + Σ_st n_s n_t [E_st φ² − μ_st² − Var_s(h_t) − Var_t(g_s)]/(n₊n₋)²,

where h is a positive's placement among all negatives, h_t among those of stratum t, g and g_s the negatives',
and variances have divisor n. With one stratum it is Bandos, Rockette & Gur's (2006) formula. For the
covariance of two models, products replace squares and only the stratum with both scores counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from confroc import _kernels
from confroc._kernels.auc import four_joint_wins, twice_won
from confroc._types import RNG, Ends, FloatArray, IntArray
from confroc.curve import CurvePart, area_of_counts
from confroc.influence import count_placements, placements, shared_placements
from confroc.models.resampler import Smoothing, resampler
from confroc.resample import by_generator, compiles, percentiles, resample
from confroc.scores import PairedScores, Scores
from confroc.scores.counting import Cells, one_by_one

ENUMERABLE = 4_000_000
"""Pairs of cases up to which joint wins are counted pair by pair rather than with a compiled kernel."""


# --- resampling ----------------------------------------------------------------------------------------

SMALL = 2**14
"""Numbers of an array that is used again at once; larger ones are given back to the system each time."""


class Order(NamedTuple):
    """One model's order of the rows of positives and of negatives.

    Attributes
    ----------
    pos, neg : ndarray of int32
        The rows that have a score, by decreasing score.
    strict, weak : ndarray of int32
        How many of those rows of positives stand above, and at or above, each one of negatives.
    """

    pos: NDArray[np.int32]
    neg: NDArray[np.int32]
    strict: NDArray[np.int32]
    weak: NDArray[np.int32]

    @classmethod
    def of(cls, ranks: Ranks) -> Order:
        """Return the order of rows with these ranks."""
        pos, neg = (np.argsort(rank, kind="stable")[np.count_nonzero(rank < 0) :] for rank in ranks)
        of_pos, of_neg = ranks[0][pos], ranks[1][neg]
        strict = np.searchsorted(of_pos, of_neg)
        weak = np.searchsorted(of_pos, of_neg, side="right")
        at_pos, at_neg, above = pos.astype(np.int32), neg.astype(np.int32), strict.astype(np.int32)
        # Without ties one of them is enough.
        same = np.array_equal(strict, weak)
        return cls(at_pos, at_neg, above, above if same else weak.astype(np.int32))

    def twice_won(self, pos: IntArray, neg: IntArray, found: Any) -> None:
        """What the kernel of this name does, for little data."""
        at_once = max(1, SMALL // max(len(self.pos), len(self.neg)))
        for start in range(0, len(pos), at_once):
            part = slice(start, start + at_once)
            above = np.zeros((len(pos[part]), len(self.pos) + 1), np.int64)
            np.cumsum(pos[part].take(self.pos, axis=1), axis=1, out=above[:, 1:])
            won = above.take(self.strict, axis=1)
            won += won if self.strict is self.weak else above.take(self.weak, axis=1)
            count = neg[part].take(self.neg, axis=1)
            found[part, 0] = np.einsum("ri,ri->r", won, count.astype(found.dtype, copy=False))
            found[part, 1], found[part, 2] = above[:, -1], count.sum(axis=1)


Ranks: TypeAlias = tuple[IntArray, IntArray]
"""Ranks of the rows of positives and of negatives by one model, the highest score 0; −1 without a score."""


def _areas(
    table: Cells,
    ranks: Sequence[Ranks],
    part: CurvePart | None,
    n_resamples: int,
    rng: RNG,
    size: tuple[int, int],
    n_jobs: int,
) -> FloatArray:
    """Areas of some models on the same resamples, shape (n_resamples, k); NaN where one lacks a class."""
    if part is not None:
        levels = [1 + max(int(rank.max()) for rank in own) for own in ranks]

        def of_parts(pos: IntArray, neg: IntArray) -> FloatArray:
            areas = []
            for own, rows in zip(ranks, levels, strict=True):
                # Those without a score are counted last.
                p, q = (
                    np.bincount(rank % (rows + 1), weights=count, minlength=rows + 1)[:-1].astype(np.int64)
                    for rank, count in zip(own, (pos, neg), strict=True)
                )
                areas.append(area_of_counts(p, q, part) if p.any() and q.any() else math.nan)
            return np.array(areas)

        return resample(of_parts, table, n_resamples, rng, size=size, n_jobs=n_jobs)
    orders = [Order.of(own) for own in ranks]
    # Beyond 64 bits wins are added up as doubles, whose rounding is far below the error of resampling.
    exact = 2 * size[0] * size[1] < 2**63
    fast = exact and compiles(size, n_resamples, twice_won)

    def areas(pos: IntArray, neg: IntArray) -> FloatArray:
        found: Any = np.empty((len(orders), len(pos), 3), np.int64 if exact else np.float64)
        for order, own in zip(orders, found, strict=True):
            if fast:
                _kernels.compiled(twice_won)(*order, pos, neg, own)
            else:
                order.twice_won(pos, neg, own)
        pairs = 2.0 * found[..., 1] * found[..., 2]
        area = np.full(pairs.shape, np.nan)
        np.divide(found[..., 0], pairs, out=area, where=pairs > 0.0)
        return area.T

    return resample(areas, table, n_resamples, rng, size=size, n_jobs=n_jobs, vectorized=True)


def replicates(
    scores: Scores, part: CurvePart | None, n_resamples: int, rng: RNG, size: tuple[int, int], n_jobs: int
) -> FloatArray:
    """Areas of stratified resamples, not standardized, shape (n_resamples,)."""
    # Each class has a table of its own, half as long as the two together without ties.
    rows = np.flatnonzero(scores.pos), np.flatnonzero(scores.neg)
    table = Cells(scores.pos[rows[0]], scores.neg[rows[1]])
    return _areas(table, [rows], part, n_resamples, rng, size, n_jobs)[:, 0]


def smoothed_replicates(
    scores: Scores,
    part: CurvePart | None,
    smoothing: Smoothing,
    n_resamples: int,
    rng: RNG,
    n_jobs: int,
) -> tuple[FloatArray, float]:
    """Areas of resamples whose scores get noise, and the one their errors are taken from; not standardized.

    Each class is drawn by itself (Bertail, Clémençon & Vayatis 2008, remark 4).
    """
    one_by_one("method 'smoothed_bootstrap'", scores.n_pos + scores.n_neg)
    draws = resampler(scores, smoothing, "stratified")

    def one(generator: np.random.Generator) -> FloatArray:
        pos, neg = draws.draw(generator)
        # Noise breaks every tie.
        positive = np.argsort(-np.concatenate([pos, neg]), kind="stable") < len(pos)
        return np.asarray(area_of_counts(positive.astype(np.int64), (~positive).astype(np.int64), part))

    pos, neg = draws.smooth_steps() if smoothing.center == "smoothed" else (scores.pos, scores.neg)
    return by_generator(one, n_resamples, rng, n_jobs), area_of_counts(pos, neg, part)


def joint_replicates(
    scores: PairedScores,
    part: CurvePart | None,
    n_resamples: int,
    rng: RNG,
    size: tuple[int, int] | None,
    n_jobs: int,
    *,
    full: Sequence[Scores] | None = None,
    only: Sequence[Scores | None] = (),
) -> FloatArray:
    """Areas of k models on the same stratified resamples, not standardized, shape (n_resamples, k).

    Of `size` cases, by default as many as there are. `full` are all cases of each model, `only` those of each
    that no other one has scored. A resample in which a model lacks a class has no area and is left out.
    """
    models, k = scores.models if full is None else full, len(scores.models)
    own_scores = (model.score[i] for model, i in zip(scores.models, scores.index, strict=True))
    blocks: list[tuple[Any, ...]] = [(scores.pos, scores.neg, *own_scores)]
    for own, extra in enumerate(only):
        if extra is not None:
            missing = np.full(len(extra.score), np.nan)
            columns = (extra.score if place == own else missing for place in range(k))
            blocks.append((extra.pos, extra.neg, *columns))
    pos, neg, *columns_of_scores = (np.concatenate(columns) for columns in zip(*blocks, strict=True))
    rows = np.flatnonzero(pos), np.flatnonzero(neg)
    ranks = []
    for score, own_table in zip(columns_of_scores, models, strict=True):
        rank = np.where(np.isnan(score), -1, np.searchsorted(-own_table.score, -score))
        ranks.append((rank[rows[0]], rank[rows[1]]))
    table, whole = Cells(pos[rows[0]], neg[rows[1]]), (int(pos.sum()), int(neg.sum()))
    values = _areas(table, ranks, part, n_resamples, rng, size or whole, n_jobs)
    return values[~np.isnan(values).any(axis=1)]


def bca_ends(scores: Scores, part: CurvePart | None, values: FloatArray, level: float) -> Ends:
    """Bias-corrected and accelerated percentiles (Efron 1987).

    The acceleration is the two-sample one, Σ lᵢ³/n³ over (Σ lᵢ²/n²)^{3/2}/6 with the placements as
    influences l (Davison & Hinkley 1997, eq. 5.24).
    """
    estimate = area_of_counts(scores.pos, scores.neg, part)
    cubes = squares = 0.0
    sides = zip(placements(scores, part), (scores.pos, scores.neg), (scores.n_pos, scores.n_neg), strict=True)
    for pull, count, n in sides:
        cubes += float(np.dot(pull**3, count)) / n**3
        squares += float(np.dot(pull**2, count)) / n**2
    acceleration = cubes / (6.0 * squares**1.5) if squares > 0.0 else 0.0
    below = float(np.mean(values < estimate - 1e-12) + 0.5 * np.mean(np.abs(values - estimate) <= 1e-12))
    # All replicates on one side would send the correction to infinity; half a replicate bounds it.
    below = min(max(below, 0.5 / len(values)), 1.0 - 0.5 / len(values))
    bias = float(special.ndtri(below))
    tails = np.array([-1.0, 1.0]) * -special.ndtri((1.0 - level) / 2.0)
    shifted = special.ndtr(bias + (bias + tails) / (1.0 - acceleration * (bias + tails)))
    low, high = percentiles(values, (float(shifted.min()), float(shifted.max())))
    return low, high


# --- infinitely many resamples -------------------------------------------------------------------------


def _mean(values: FloatArray, count: IntArray) -> float:
    # Not np.dot: the threads of a linear algebra library cost more here than they save.
    return float(np.einsum("i,i->", values, count)) / int(count.sum())


def _variance(values: FloatArray, count: IntArray) -> float:
    return _mean((values - _mean(values, count)) ** 2, count)


def counts_on_rows(levels: FloatArray, scores: Scores) -> tuple[IntArray, IntArray]:
    """Positives and negatives of a sample on the rows of decreasing scores that include its own."""
    at = np.searchsorted(-levels, -scores.score)
    counts = np.zeros((2, len(levels)), np.int64)
    counts[0, at], counts[1, at] = scores.pos, scores.neg
    return counts[0], counts[1]


def exact_bootstrap_variance(
    scores: Scores, size: tuple[int, int] | None = None, strata: Sequence[Scores] = ()
) -> float:
    """Variance of one area over resamples of `size` cases, by default as many as there are.

    `strata` are samples that sum to `scores` and are resampled each by itself.
    """
    rows = [counts_on_rows(scores.score, s) for s in strata] or [(scores.pos, scores.neg)]
    counts = [[c for c in side if c.any()] for side in zip(*rows, strict=True)]
    sizes = [[int(c.sum()) for c in side] for side in counts] if size is None else [[m] for m in size]
    n_pos, n_neg = (sum(side) for side in sizes)
    total = 0.0
    of_class = zip(count_placements(scores.pos, scores.neg), counts, sizes, (n_pos, n_neg), strict=True)
    for values, side, own, n in of_class:
        total += sum(m * _variance(values, c) for c, m in zip(side, own, strict=True)) / n**2
    for p, m_pos in zip(counts[0], sizes[0], strict=True):
        for q, m_neg in zip(counts[1], sizes[1], strict=True):
            own_pos, own_neg = count_placements(p, q)
            mean = _mean(own_pos, p)
            ties = float(np.einsum("i,i->", p.astype(np.float64), q)) / (float(p.sum()) * float(q.sum()))
            # E φ² = P(win) + P(tie)/4 = μ − P(tie)/4.
            rest = mean - 0.25 * ties - mean**2 - _variance(own_pos, p) - _variance(own_neg, q)
            total += float(m_pos) * m_neg * rest / (float(n_pos) * n_neg) ** 2
    return total


def exact_bootstrap_covariance(
    pair: PairedScores, full: tuple[Scores, Scores], size: tuple[int, int] | None = None
) -> float:
    """Covariance of two areas over resamples of `size` of the cases that have both scores.

    `full` are all cases of each model. By default all are resampled, those with both scores by themselves.
    """
    m_pos, m_neg = size or (pair.n_pos, pair.n_neg)
    (n_pos_a, n_neg_a), (n_pos_b, n_neg_b) = (size or (s.n_pos, s.n_neg) for s in full)
    of_pos, of_neg = _covariances(pair, *full)
    whole = full == (pair.a, pair.b)
    own_pos, own_neg = (of_pos, of_neg) if whole else _covariances(pair, pair.a, pair.b)
    rest = joint_wins(pair) - pair.a.auc * pair.b.auc - own_pos - own_neg
    total = m_pos * of_pos / (float(n_pos_a) * n_pos_b) + m_neg * of_neg / (float(n_neg_a) * n_neg_b)
    share = float(m_pos) * m_neg / (float(n_pos_a) * n_neg_a) / (float(n_pos_b) * n_neg_b)
    return total + share * rest


def _covariances(pair: PairedScores, a: Scores, b: Scores) -> tuple[float, float]:
    """Covariances (divisor n) of both models' placements among all their cases, over the pair's."""
    (pos_a, pos_b), (neg_a, neg_b) = shared_placements(pair, a, b)
    return _mean(pos_a * pos_b, pair.pos), _mean(neg_a * neg_b, pair.neg)


def joint_wins(pair: PairedScores) -> float:
    """Mean over pairs of a positive and a negative of the product of both models' wins."""
    rows_pos, rows_neg = np.flatnonzero(pair.pos), np.flatnonzero(pair.neg)
    pairs = float(pair.n_pos) * pair.n_neg
    if len(rows_pos) * len(rows_neg) > ENUMERABLE:
        count = _kernels.compiled(four_joint_wins)(
            pair.index_a, pair.index_b, pair.pos, pair.neg, len(pair.b.score)
        )
        return count / 4.0 / pairs
    wins = np.ones((len(rows_pos), len(rows_neg)))
    for index in (pair.index_a, pair.index_b):
        # A smaller index is a higher score.
        wins *= 0.5 + 0.5 * np.sign(index[rows_neg] - index[rows_pos, None])
    return float(pair.pos[rows_pos] @ wins @ pair.neg[rows_neg]) / pairs
