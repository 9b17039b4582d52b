"""The bootstrap of the area: by resampling, and in closed form."""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from confroc import _kernels
from confroc._check import RNG
from confroc._kernels.auc import four_joint_wins
from confroc.auc.partial import Part, partial_area, partial_moments
from confroc.auc.placements import placements
from confroc.resample import Cells, resample
from confroc.scores import PairedScores, Scores

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]

ENUMERABLE = 4_000_000
"""Pairs of cases up to which joint wins are counted pair by pair rather than with a compiled kernel."""


def area(pos: IntArray, neg: IntArray) -> float:
    """Area of a table of counts, ties one half."""
    above = np.cumsum(pos)
    return float(np.dot(neg.astype(np.float64), above - 0.5 * pos)) / (float(above[-1]) * float(neg.sum()))


def replicates(
    scores: Scores, part: Part | None, n_resamples: int, rng: RNG, size: tuple[int, int], n_jobs: int
) -> FloatArray:
    """Areas of stratified resamples, shape (n_resamples,)."""

    def statistic(pos: IntArray, neg: IntArray) -> FloatArray:
        return np.asarray(area(pos, neg) if part is None else partial_area(pos, neg, part))

    return resample(statistic, scores, n_resamples, rng, size=size, n_jobs=n_jobs)


def difference_replicates(
    table: PairedScores, n_resamples: int, rng: RNG, size: tuple[int, int], n_jobs: int
) -> FloatArray:
    """Differences of two areas on stratified resamples of the same cases, shape (n_resamples,)."""
    d_a, d_b = len(table.a.score), len(table.b.score)

    def statistic(pos: IntArray, neg: IntArray) -> FloatArray:
        areas = []
        for index, d in ((table.index_a, d_a), (table.index_b, d_b)):
            tallies = (np.bincount(index, weights=c, minlength=d) for c in (pos, neg))
            areas.append(area(*(t.astype(np.int64) for t in tallies)))
        return np.asarray(areas[0] - areas[1])

    return resample(statistic, table, n_resamples, rng, size=size, n_jobs=n_jobs)


def percentile_ends(values: FloatArray, level: float) -> tuple[float, float]:
    """Central quantiles of the replicates."""
    low, high = np.quantile(values, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    return float(low), float(high)


def bca_ends(scores: Scores, part: Part | None, values: FloatArray, level: float) -> tuple[float, float]:
    """Bias-corrected and accelerated percentiles (Efron 1987).

    The acceleration is the two-sample one, Σ lᵢ³/n³ over (Σ lᵢ²/n²)^{3/2}/6 with the placements as
    influences l (Davison & Hinkley 1997, eq. 5.24).
    """
    if part is None:
        estimate = scores.auc
        influence = placements(scores)
    else:
        estimate, _, _, of_pos, of_neg = partial_moments(scores, part)
        influence = (of_pos, of_neg)
    cubes = squares = 0.0
    for pull, count, n in zip(influence, (scores.pos, scores.neg), (scores.n_pos, scores.n_neg), strict=True):
        cubes += float(np.dot(pull**3, count)) / n**3
        squares += float(np.dot(pull**2, count)) / n**2
    acceleration = cubes / (6.0 * squares**1.5) if squares > 0.0 else 0.0
    below = float(np.mean(values < estimate - 1e-12) + 0.5 * np.mean(np.abs(values - estimate) <= 1e-12))
    # All replicates on one side would send the correction to infinity; half a replicate bounds it.
    below = min(max(below, 0.5 / len(values)), 1.0 - 0.5 / len(values))
    bias = float(special.ndtri(below))
    tails = np.array([-1.0, 1.0]) * -special.ndtri((1.0 - level) / 2.0)
    shifted = bias + (bias + tails) / (1.0 - acceleration * (bias + tails))
    low, high = np.quantile(values, np.sort(special.ndtr(shifted)))
    return float(low), float(high)


def _two_sample_variance(
    joint: float, product: float, of_pos: float, of_neg: float, size: tuple[int, int]
) -> float:
    """Covariance of two U-statistics with kernels whose product has mean `joint`, under the sample's law.

    `of_pos` and `of_neg` are covariances of their placements (divisor n), `product` that of their means.
    """
    m_pos, m_neg = size
    return (joint - product + (m_neg - 1.0) * of_pos + (m_pos - 1.0) * of_neg) / (m_pos * m_neg)


def exact_bootstrap_variance(scores: Scores, size: tuple[int, int]) -> float:
    """Variance of the AUC over infinitely many stratified resamples, in closed form.

    With φ ∈ {0, ½, 1} the win of a pair, Var* = [E φ² − Â² + (m₋ − 1) ζ₊ + (m₊ − 1) ζ₋]/(m₊m₋), where
    ζ₊, ζ₋ are the placements' variances with divisor n: Hoeffding's (1948) formula for the law that puts
    1/n on each case (Bandos, Rockette & Gur 2006).
    """
    pairs = float(scores.n_pos) * scores.n_neg
    ties = float(np.dot(scores.pos.astype(np.float64), scores.neg)) / pairs
    of_pos, of_neg = placements(scores)
    zeta_pos = float(np.dot(of_pos**2, scores.pos)) / scores.n_pos
    zeta_neg = float(np.dot(of_neg**2, scores.neg)) / scores.n_neg
    # E φ² = P(win) + P(tie)/4 = Â − P(tie)/4.
    return _two_sample_variance(scores.auc - 0.25 * ties, scores.auc**2, zeta_pos, zeta_neg, size)


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


def exact_bootstrap_covariance(pair: PairedScores, size: tuple[int, int]) -> float:
    """Covariance of two AUCs over infinitely many stratified resamples of the same cases."""
    (pos_a, neg_a), (pos_b, neg_b) = placements(pair.a), placements(pair.b)
    zeta_pos = float(np.dot(pos_a[pair.index_a] * pos_b[pair.index_b], pair.pos)) / pair.n_pos
    zeta_neg = float(np.dot(neg_a[pair.index_a] * neg_b[pair.index_b], pair.neg)) / pair.n_neg
    return _two_sample_variance(joint_wins(pair), pair.a.auc * pair.b.auc, zeta_pos, zeta_neg, size)


def standard_deviation(values: FloatArray) -> float:
    """Standard deviation of the replicates, NaN for one of them."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else math.nan


def partially_paired_replicates(
    pair: PairedScores,
    a: Scores,
    b: Scores,
    only: tuple[Scores | None, Scores | None],
    n_resamples: int,
    rng: RNG,
    n_jobs: int,
) -> FloatArray:
    """Differences of two areas on resamples of all cases, whether scored by one model or by both.

    `a` and `b` hold all the cases of each model. Which models have scored a case is resampled with it; a
    resample in which a model lacks a class has no area and is left out.
    """
    blocks = [(pair.pos, pair.neg, pair.score_a, pair.score_b)]
    for own, extra in enumerate(only):
        if extra is not None:
            missing = np.full(len(extra.score), np.nan)
            columns = (extra.score, missing) if own == 0 else (missing, extra.score)
            blocks.append((extra.pos, extra.neg, *columns))
    table = Cells(*(np.concatenate([block[k] for block in blocks]) for k in (0, 1)))
    rows, index = [], []
    for k, full in ((2, a), (3, b)):
        score = np.concatenate([block[k] for block in blocks])
        rows.append(np.flatnonzero(~np.isnan(score)))
        index.append(np.searchsorted(-full.score, -score[rows[-1]]))

    def statistic(pos: IntArray, neg: IntArray) -> FloatArray:
        areas = []
        for at, where, full in zip(rows, index, (a, b), strict=True):
            p, q = (
                np.bincount(where, weights=c[at], minlength=len(full.score)).astype(np.int64)
                for c in (pos, neg)
            )
            areas.append(area(p, q) if p.any() and q.any() else math.nan)
        return np.asarray(areas[0] - areas[1])

    size = (int(table.pos.sum()), int(table.neg.sum()))
    values = resample(statistic, table, n_resamples, rng, size=size, n_jobs=n_jobs)
    return values[~np.isnan(values)]
