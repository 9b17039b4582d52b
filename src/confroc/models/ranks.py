"""The kernel ROC curve on the normal scores of pooled ranks, used by band resampling.

Ranks make the curve invariant under increasing transforms of the scores; normal scores give each class a
scale on which one bandwidth is suitable everywhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from confroc._types import FloatArray, IntArray
from confroc.models.bandwidths import reference
from confroc.scores import Scores
from confroc.scores.counting import CHUNK, rows_reaching, sums_before

SPACING = 0.03
"""Minimum step between thresholds, on the log-odds scale of the faster-changing rate."""

SPACING_IN_DEVIATES = 0.25
"""Step in standard deviations of a resample's rate; finer steps change radii by less than 0.5%."""


STRAIGHT = 100.0
"""Ratio of ranks outside to inside a tied block from which its normal scores are linear to 1e-5."""


FLOOR = 0.02
"""Lowest number of cases at which the curve is evaluated; it may be steep before the first case."""


class SmoothCurve(NamedTuple):
    """True rates at a grid of thresholds, both increasing, inside (0, 1)."""

    fpr: FloatArray
    tpr: FloatArray


class PooledRanks(NamedTuple):
    """Pooled ranks of each distinct score, and each class's bandwidth."""

    first: FloatArray
    size: FloatArray
    n: int
    h_neg: float
    h_pos: float

    def draw(self, generator: np.random.Generator, row: IntArray, positive: bool) -> FloatArray:
        """Normal scores of cases on these rows, at random positions in their tied blocks, plus noise."""
        rank = self.first[row] + self.size[row] * generator.random(len(row))
        noise = generator.standard_normal(len(row))
        return -special.ndtri(rank / self.n) + (self.h_pos if positive else self.h_neg) * noise


class NormalScores(NamedTuple):
    """Positions of a model's tied blocks on the scale of normal scores.

    Attributes
    ----------
    edge : ndarray of float32, shape (d + 1,)
        Normal score of the highest rank of each row's block, and of the lowest of the last one. NaN for the
        outermost blocks and large ones, which are not linear.
    bent : ndarray of int
        These blocks, and empty ones.
    first, size : ndarray
        Proportion of all cases above each of them, and in it.
    """

    edge: NDArray[np.float32]
    bent: IntArray
    first: FloatArray
    size: FloatArray

    def at(self, row: NDArray[np.signedinteger], place: FloatArray) -> FloatArray:
        """Normal scores of cases on given rows, at positions from 0 to 1 in their tied blocks."""
        start = self.edge.take(row)
        found = (self.edge.take(row + 1) - start) * place
        found += start
        bent = np.isnan(found)
        if bent.any():
            block = np.searchsorted(self.bent, row[bent])
            found[bent] = -special.ndtri(self.first[block] + self.size[block] * place[bent])
        return found


def normal_scores_of_rows(scores: Scores) -> NormalScores:
    """Return the positions of the blocks of all rows."""
    n, d = scores.n_pos + scores.n_neg, len(scores.score)
    edge, above = np.full(d + 1, np.nan, dtype=np.float32), 0
    bent = np.zeros(d, dtype=bool)
    for begin in range(0, d, CHUNK):
        part = slice(begin, min(begin + CHUNK, d))
        size = scores.pos[part] + scores.neg[part]
        first = np.cumsum(size) - size + above
        above = int(first[-1] + size[-1])
        edge[part] = -special.ndtri(first / n)
        bent[part] = size * STRAIGHT > np.minimum(first, n - first - size)
    edge[:-1][bent] = np.nan
    bent[:-1] |= bent[1:]
    rows = np.flatnonzero(bent)
    above_pos, above_neg = sums_before(rows, scores.pos, scores.neg)
    of_block = scores.pos[rows] + scores.neg[rows]
    return NormalScores(edge, rows, (above_pos + above_neg) / n, of_block / n)


def pooled_ranks(scores: Scores) -> PooledRanks:
    """Pooled ranks, in descending order, of the cases at each distinct score."""
    size = (scores.pos + scores.neg).astype(np.float64)
    h_neg, h_pos = rank_bandwidths(scores)
    return PooledRanks(np.cumsum(size) - size, size, scores.n_pos + scores.n_neg, h_neg, h_pos)


def normal_scores(counts: IntArray) -> FloatArray:
    """Normal scores of the mid-ranks of tied blocks, by increasing score."""
    return np.asarray(special.ndtri((np.cumsum(counts) - 0.5 * counts) / counts.sum()))


def _shares(scores: Scores, at: FloatArray) -> list[FloatArray]:
    """Proportions of negatives and positives above these proportions of all cases, interpolated linearly."""
    n, d = scores.n_pos + scores.n_neg, len(scores.score)
    # Only the rows on both sides of each proportion are used.
    near = rows_reaching(at * n, scores.pos, scores.neg)
    rows = np.unique(np.clip(near[:, None] + np.arange(-1, 3), 0, d))
    pos, neg = sums_before(rows, scores.pos, scores.neg)
    return [np.interp(at, (pos + neg) / n, c / m) for c, m in ((neg, scores.n_neg), (pos, scores.n_pos))]


def rank_bandwidths(scores: Scores) -> list[float]:
    """Bandwidths of negatives and positives, in normal scores of pooled ranks."""
    limit = -float(special.ndtri(0.5 / (scores.n_pos + scores.n_neg)))
    coarse = np.linspace(limit, -limit, 2001)
    middle = 0.5 * (coarse[1:] + coarse[:-1])
    width = []
    shares = _shares(scores, special.ndtr(-coarse))
    for above, m in zip(shares, (scores.n_neg, scores.n_pos), strict=True):
        mass = np.diff(above)
        mean = np.average(middle, weights=mass)
        spread = float(np.sqrt(np.average((middle - mean) ** 2, weights=mass)))
        # The floor is for a class of one case; a tied block has the variance of its ranks.
        width.append(reference(max(spread, 0.05), m))
    return width


def smooth_curve(scores: Scores) -> SmoothCurve:
    """Smooth the distributions of both classes and return their curve on a fine grid of thresholds.

    A tied block is spread evenly over its ranks in both classes, so that it becomes a straight segment.
    """
    n = scores.n_pos + scores.n_neg
    limit = -float(special.ndtri(0.5 / n))
    width = rank_bandwidths(scores)
    step = min(width) / 6.0
    cells = int(np.ceil((2.0 * limit + 10.0 * max(width)) / step))
    edge = limit + 5.0 * max(width) - step * np.arange(cells + 1)
    smooth = []
    for above, h in zip(_shares(scores, special.ndtr(-edge)), width, strict=True):
        mass = np.diff(above, prepend=0.0)
        mass[-1] += 1.0 - mass.sum()
        half_width = int(np.ceil(5.0 * h / step))
        kernel = np.diff(special.ndtr((np.arange(-half_width, half_width + 2) - 0.5) * step / h))
        smooth.append(np.cumsum(np.convolve(mass, kernel / kernel.sum())))
    length = max(map(len, smooth))
    # The two convolutions start at different points: align them on the unsmoothed grid.
    aligned = []
    for values in smooth:
        lead = (length - len(values)) // 2
        aligned.append(np.pad(values, (lead, length - len(values) - lead), mode="edge"))
        if lead:
            aligned[-1][:lead] = 0.0
    return _on_log_odds(aligned[0], aligned[1], scores.n_neg, scores.n_pos)


def _on_log_odds(x: FloatArray, y: FloatArray, n_neg: int, n_pos: int) -> SmoothCurve:
    """Points of the curve at even steps, within the rates that the sample resolves."""
    odds, steps = [], []
    for rate, n in ((x, n_neg), (y, n_pos)):
        floor = FLOOR / n
        inside = np.clip(rate, floor, 1.0 - floor)
        odds.append(special.logit(inside))
        # On the arcsine scale the standard deviation is 1/(2√n).
        deviates = 2.0 * np.sqrt(n) * np.diff(np.arcsin(np.sqrt(inside)))
        steps.append(np.minimum(np.diff(odds[-1]) / SPACING, deviates / SPACING_IN_DEVIATES))
    path = np.concatenate([[0.0], np.cumsum(np.maximum(*steps))])
    at = np.linspace(0.0, path[-1], max(2, int(np.ceil(path[-1])) + 1))
    kept = np.flatnonzero(np.diff(path, prepend=-1.0) > 0.0)
    fine = [special.expit(np.interp(at, path[kept], o[kept])) for o in odds]
    return SmoothCurve(fine[0], fine[1])
