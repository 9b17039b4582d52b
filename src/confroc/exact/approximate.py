"""Approximate joint distribution of the thresholds of two models on the same cases, for large samples.

The marginal distributions of both thresholds are exact. Their joint distribution is computed on a coarse
grid, with bins of a fraction of a standard deviation: given that the r-th draw for model a is at proportion u
of its ranking, the number of draws above a threshold of model b is a sum of two binomials, whose lattice
distribution is approximated by its second-order Edgeworth expansion. Variation inside a bin enters by its
exact mean and variance. Thus only the dependence between the thresholds is approximated.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri, xlogy

from confroc._types import FloatArray, IntArray
from confroc.distributions import beta_window, gauss_nodes, smooth_quantile
from confroc.exact.thresholds import ThresholdLaw, windows
from confroc.scores import PairedScores, Scores
from confroc.scores.counting import counts_above_grid

BINS_PER_DEVIATION = 6.0
REACH = 6.5
"""Range of the bins in standard deviations on each side; the last bins contain the tails."""

FEW = 9.0
"""Variance of the number of discordant draws below which it is not approximated."""

NODES = np.array([-1.0, 0.0, 1.0]) * math.sqrt(0.6)
WEIGHTS = np.array([5.0, 8.0, 5.0]) / 18.0


class ThresholdBins(NamedTuple):
    """One model's thresholds in bins.

    The last row of each bin (preceded by the row before the first); per bin, the row of its median threshold,
    its probability, and the mean and variance of the true positives.
    """

    edge: IntArray
    median: IntArray
    mass: FloatArray
    mean: FloatArray
    variance: FloatArray


class BinnedLaw(NamedTuple):
    """Probabilities of the cells, and difference and sum of the discordant positives per cell."""

    mass: FloatArray
    difference: FloatArray
    discordant: FloatArray
    within: FloatArray


def sums(pair: PairedScores, rates: IntArray, size: tuple[int, int]) -> FloatArray:
    """Return the means of d, d^2 and s over the approximate distribution of the thresholds, shape (3, h)."""
    out = np.empty((3, len(rates)))
    for i, grid in enumerate(_grids(pair, rates, size[1])):
        square = np.square(grid.difference) + grid.within
        out[:, i] = [float((grid.mass * x).sum()) for x in (grid.difference, square, grid.discordant)]
    return out


def quantiles(pair: PairedScores, rates: IntArray, size: tuple[int, int], levels: FloatArray) -> FloatArray:
    """Return approximate quantiles of the difference in true positive rates, shape (h, number of levels)."""
    m = size[0]
    out = np.empty((len(rates), len(levels)))
    for i, grid in enumerate(_grids(pair, rates, size[1])):
        kept = grid.mass > 1e-10
        mass = grid.mass[kept] / grid.mass[kept].sum()
        tilt, share = grid.difference[kept] / pair.n_pos, grid.discordant[kept] / pair.n_pos
        mean = m * tilt
        variance = m * np.maximum(share - tilt * tilt, 0.0)
        third = m * tilt * (1.0 - 3.0 * share + 2.0 * tilt * tilt)
        deviation = np.sqrt(np.maximum(variance + grid.within[kept] * (m / pair.n_pos) ** 2, 1e-12))
        for j, level in enumerate(levels.tolist()):
            x = _mixture_quantile(mass, mean, deviation, third / deviation**3, level)
            out[i, j] = min(max(math.ceil(x - 0.5), -m), m) / m
    return out


def _mixture_quantile(
    mass: FloatArray, mean: FloatArray, deviation: FloatArray, skewness: FloatArray, level: float
) -> float:
    """Quantile of a mixture of normals, each with its first Edgeworth term."""
    center = float(mass @ mean)
    spread = math.sqrt(float(mass @ (np.square(mean - center) + np.square(deviation))))
    low, high = float((mean - 12.0 * deviation).min()), float((mean + 12.0 * deviation).max())

    def cdf(x: float) -> tuple[float, float]:
        z = (x - mean) / deviation
        density = np.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
        reached = float(mass @ (ndtr(z) - density * skewness / 6.0 * (z * z - 1.0)))
        return reached, float((mass / deviation) @ density)

    start = min(max(center + spread * float(ndtri(level)), low), high)
    return float(smooth_quantile(cdf, level, start, (low, high), xtol=1e-6 * max(1.0, spread)))


def _grids(pair: PairedScores, rates: IntArray, m_neg: int) -> list[BinnedLaw]:
    """Return the joint distribution of the threshold bins at every rate."""
    laws = zip(windows(pair.a, rates, m_neg), windows(pair.b, rates, m_neg), strict=True)
    return [_grid(pair, r, m_neg, *law) for r, law in zip(rates.tolist(), laws, strict=True)]


def _bins(scores: Scores, r: int, m: int, law: ThresholdLaw) -> ThresholdBins:
    share = r / (m + 1.0)
    deviation = math.sqrt(share * (1.0 - share) / (m + 2.0))
    cuts = share + deviation * np.linspace(-REACH, REACH, int(2 * REACH * BINS_PER_DEVIATION) + 1)
    last = np.searchsorted(scores.neg_above[law.rows], cuts * scores.n_neg, side="right") - 1
    last = np.unique(np.append(last[(last >= 0) & (last < len(law.rows) - 1)], len(law.rows) - 1))
    first = np.append(0, last[:-1] + 1)
    found = scores.pos_above[law.rows].astype(np.float64)
    mass = np.add.reduceat(law.pmf, first)
    safe = np.maximum(mass, 1e-300)
    mean = np.add.reduceat(law.pmf * found, first) / safe
    around = np.square(found - np.repeat(mean, np.diff(np.append(first, len(found)))))
    variance = np.add.reduceat(law.pmf * around, first) / safe
    reached = np.append(0.0, np.cumsum(law.pmf))
    median = np.clip(np.searchsorted(reached, reached[first] + 0.5 * mass) - 1, first, last)
    return ThresholdBins(np.append(law.rows[0] - 1, law.rows[last]), law.rows[median], mass, mean, variance)


def _counts_above(pair: PairedScores, counts: IntArray, rows_a: IntArray, rows_b: IntArray) -> IntArray:
    """Return the numbers of cases at or above both rows, for all pairs of the given rows."""
    level_a, level_b = (
        np.searchsorted(rows, np.arange(len(scores.score)))[index]
        for rows, scores, index in ((rows_a, pair.a, pair.index_a), (rows_b, pair.b, pair.index_b))
    )
    return counts_above_grid(level_a, level_b, counts, (len(rows_a), len(rows_b)))


def _exceeds(
    r: int, m: int, n: int, position: FloatArray, both: FloatArray, above: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return P(W >= 1) and P(W >= 0) for W = V - U.

    U of the r - 1 draws before `position` in a's ranking are not above the threshold of b, and V of the m - r
    draws behind it are.
    """
    miss = 1.0 - np.clip(both / np.maximum(position, 1e-300), 0.0, 1.0)
    gain = np.clip((above - both) / np.maximum(n - position, 1e-300), 0.0, 1.0)
    u, v = (r - 1.0) * miss * (1.0 - miss), (m - r) * gain * (1.0 - gain)
    mean, variance = (m - r) * gain - (r - 1.0) * miss, np.maximum(u + v, 1e-6)
    third = v * (1.0 - 2.0 * gain) - u * (1.0 - 2.0 * miss)
    fourth = v * (1.0 - 6.0 * gain * (1.0 - gain)) + u * (1.0 - 6.0 * miss * (1.0 - miss))
    deviation = np.sqrt(variance)
    skewness, excess = third / (variance * deviation), fourth / np.square(variance)
    out = np.empty((2, *mean.shape))
    for i, least in enumerate((1.0, 0.0)):
        # Edgeworth expansion with the lattice term (the last).
        z = (least - 0.5 - mean) / deviation
        square = z * z
        terms = skewness / 6.0 * (square - 1.0) + z * excess / 24.0 * (square - 3.0)
        terms += np.square(skewness) / 72.0 * z * (np.square(square) - 10.0 * square + 15.0)
        terms -= z / (24.0 * variance)
        density = np.exp(-0.5 * square) / math.sqrt(2.0 * math.pi)
        out[i] = ndtr(-z) + density * np.where(variance < FEW, 0.0, terms)
    few = (variance < FEW) & (np.abs(mean) < 6.0 * deviation + 4.0)
    if few.any():
        out[:, few] = _few_discordant(r, m, miss[few], gain[few])
    out = np.clip(out, 0.0, 1.0)
    return out[0], out[1]


def _few_discordant(r: int, m: int, miss: FloatArray, gain: FloatArray) -> FloatArray:
    """Return P(W >= 1) and P(W >= 0) from the characteristic function of W, if W has a small variance."""
    last = int(14.0 * math.sqrt(FEW)) + 4
    angle = 2.0 * np.pi * np.arange(1, last + 1) / (2 * last + 1)
    turn = np.exp(1j * angle)
    out = np.empty((2, len(miss)))
    for start in range(0, len(miss), 10_000):
        at = slice(start, start + 10_000)
        back, ahead = (np.log(1.0 + share[at, None] * (turn - 1.0)) for share in (miss, gain))
        phi = np.exp((r - 1) * back.conj() + (m - r) * ahead)
        # Sums of exp(-i t d) over d = 1..last; d = 0 adds one.
        tail = (phi * (turn.conj() * (1.0 - turn.conj() ** last) / (1.0 - turn.conj()))).real.sum(axis=1)
        out[0, at] = (last + 2.0 * tail) / (2 * last + 1)
        out[1, at] = out[0, at] + (1.0 + 2.0 * phi.real.sum(axis=1)) / (2 * last + 1)
    return out


def _nodes(ends: FloatArray, r: int, m: int, n: int) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return Gauss nodes for a's position in the ranking, with Beta weights and bins: three per panel.

    A bin is one panel, unless a group of ties is wider than a quarter of a standard deviation.
    """
    low, high = (float(x[0]) * n for x in beta_window(np.array([r]), m))
    step = 0.25 * n * math.sqrt(r * (m - r + 1.0) / (m + 2.0)) / (m + 1.0)
    start, stop = np.clip(ends[:-1], low, high), np.clip(ends[1:], low, high)
    start, stop = np.where(stop > start, start, ends[:-1]), np.where(stop > start, stop, ends[1:])
    pieces = np.clip(np.ceil((stop - start) / step), 1, 80).astype(np.int64)
    of_bin, width, nodes = gauss_nodes(start, stop, pieces, NODES)
    position = nodes.ravel()
    mode = np.float64((r - 1.0) / max(m - 1.0, 1.0))
    with np.errstate(divide="ignore"):
        log = xlogy(r - 1, position / n / mode) + xlogy(m - r, (1.0 - position / n) / (1.0 - mode))
    weight = np.maximum(np.exp(log), 1e-300) * np.repeat(width, 3) * np.tile(WEIGHTS, len(width))
    return position, weight, np.repeat(of_bin, 3)


def _grid(pair: PairedScores, r: int, m: int, law_a: ThresholdLaw, law_b: ThresholdLaw) -> BinnedLaw:
    a, b = _bins(pair.a, r, m, law_a), _bins(pair.b, r, m, law_b)
    neg = _counts_above(pair, pair.neg, a.edge, b.edge)
    n = pair.n_neg
    ends = np.append(0, pair.a.neg_above)[a.edge + 1].astype(np.float64)
    above = np.append(0, pair.b.neg_above)[b.edge + 1].astype(np.float64)
    position, weight, of_bin = _nodes(ends, r, m, n)
    gained = np.diff(neg, axis=0) / np.diff(ends)[:, None]
    both = neg[of_bin] + (position - ends[of_bin])[:, None] * gained[of_bin]
    after, tied = _exceeds(r, m, n, position[:, None], both, above)
    # The draw at `position` is above b's threshold with the probability of its bin.
    values = weight[:, None] * (after + gained[of_bin] * (tied - after))
    first = np.flatnonzero(np.diff(of_bin, prepend=-1))
    rows = np.zeros((len(a.mass), len(b.edge)))
    rows[of_bin[first]] = np.add.reduceat(values, first) / np.add.reduceat(weight, first)[:, None]
    rows[:, 0], rows[:, -1] = 0.0, 1.0
    mass = a.mass[:, None] * np.maximum(np.diff(rows, axis=1), 0.0)
    for _ in range(3):
        # The marginal distributions are exact.
        mass *= (b.mass / np.maximum(mass.sum(axis=0), 1e-300))[None, :]
        mass *= (a.mass / np.maximum(mass.sum(axis=1), 1e-300))[:, None]
    # The number of concordant positives, which affects only a variance, is evaluated at the medians.
    found = _counts_above(pair, pair.pos, a.median, b.median)
    difference = a.mean[:, None] - b.mean[None, :]
    discordant = pair.a.pos_above[a.median][:, None] + pair.b.pos_above[b.median][None, :] - 2.0 * found
    discordant = np.maximum(discordant, np.abs(difference))
    return BinnedLaw(mass, difference, discordant, a.variance[:, None] + b.variance[None, :])
