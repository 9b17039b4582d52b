"""The bootstrap of the area by resampling."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from confroc import _kernels
from confroc._kernels.auc import twice_won
from confroc._types import RNG, FloatArray, IntArray
from confroc.auc.partial import Part, partial_area, partial_moments
from confroc.influence import placements
from confroc.resample import compiles, resample
from confroc.scores import PairedScores, Scores
from confroc.scores.counting import Cells


def area(pos: IntArray, neg: IntArray) -> float:
    """Area of a table of counts, ties one half."""
    above = np.cumsum(pos)
    return float(np.dot(neg.astype(np.float64), above - 0.5 * pos)) / (float(above[-1]) * float(neg.sum()))


def area_of(pos: IntArray, neg: IntArray, part: Part | None) -> float:
    """Area of a table of counts, or of a part of its curve, not standardised."""
    return area(pos, neg) if part is None else partial_area(pos, neg, part)


def replicates(
    scores: Scores, part: Part | None, n_resamples: int, rng: RNG, size: tuple[int, int], n_jobs: int
) -> FloatArray:
    """Areas of stratified resamples, shape (n_resamples,)."""
    if part is not None:

        def of_part(pos: IntArray, neg: IntArray) -> FloatArray:
            return np.asarray(partial_area(pos, neg, part))

        return resample(of_part, scores, n_resamples, rng, size=size, n_jobs=n_jobs)
    # Only rows that hold a class are counted for it, half as many as there are without ties.
    at_pos, at_neg = np.flatnonzero(scores.pos), np.flatnonzero(scores.neg)
    strict, weak = np.searchsorted(at_pos, at_neg), np.searchsorted(at_pos, at_neg, side="right")
    count = _kernels.compiled(twice_won) if compiles(size, n_resamples) else _twice_won
    pairs = 2.0 * float(size[0]) * float(size[1])

    def whole(pos: IntArray, neg: IntArray) -> FloatArray:
        return np.asarray(count(strict, weak, pos, neg) / pairs)

    table = Cells(scores.pos[at_pos], scores.neg[at_neg])
    return resample(whole, table, n_resamples, rng, size=size, n_jobs=n_jobs)


def _twice_won(strict: IntArray, weak: IntArray, pos: IntArray, neg: IntArray) -> int:
    """What the kernel of this name does, for little data."""
    above = np.concatenate([[0], np.cumsum(pos)])
    return int(np.einsum("i,i->", above[strict] + above[weak], neg))


def difference_replicates(
    table: PairedScores,
    part: Part | None,
    n_resamples: int,
    rng: RNG,
    size: tuple[int, int],
    n_jobs: int,
) -> FloatArray:
    """Differences of two areas on stratified resamples of the same cases, shape (n_resamples,)."""
    d_a, d_b = len(table.a.score), len(table.b.score)

    def statistic(pos: IntArray, neg: IntArray) -> FloatArray:
        areas = []
        for index, d in ((table.index_a, d_a), (table.index_b, d_b)):
            tallies = (np.bincount(index, weights=c, minlength=d) for c in (pos, neg))
            p, q = (t.astype(np.int64) for t in tallies)
            areas.append(area_of(p, q, part))
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


def standard_deviation(values: FloatArray) -> float:
    """Standard deviation of the replicates, NaN for one of them."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else math.nan


def partially_paired_replicates(
    pair: PairedScores,
    a: Scores,
    b: Scores,
    only: tuple[Scores | None, Scores | None],
    part: Part | None,
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
            areas.append(area_of(p, q, part) if p.any() and q.any() else math.nan)
        return np.asarray(areas[0] - areas[1])

    size = (int(table.pos.sum()), int(table.neg.sum()))
    values = resample(statistic, table, n_resamples, rng, size=size, n_jobs=n_jobs)
    return values[~np.isnan(values)]
