"""The kernel ROC curve and its interval (Hall & Hyndman 2003; Hall, Hyndman & Fan 2004).

F and f are the distribution function and density of the negatives, G and g those of the positives,
each estimated with a Gaussian kernel and a bandwidth of its own. The curve is
R(t) = 1 - G(F^-1(1 - t)), and with x = F^-1(1 - t) the variance of its estimate is, to first order,

    G(x)(1 - G(x))/n_pos + (g(x)/f(x))^2 t(1 - t)/n_neg.

Bandwidths. For F and G, Hall & Hyndman's rule with either normal or estimated densities, whichever is
less, and then one half of it: an interval's coverage suffers from bias sooner than the curve's error
does. For f and g in the variance, the one that cancels the error of coverage on average over t. With
a(t) the share of the second term in the variance, R(K) = 1/(2 sqrt(pi)) and K(0) = 1/sqrt(2 pi), that
error is proportional to

    -h_f^2 f''(x) + [R(K)(3 - a - a z^2) - 2 K(0)]/(n_neg h_f)    for f, and
     h_g^2 g''(x) + R(K)(1 - a - a z^2)/(n_pos h_g)               for g.

Where a = 1 and the kernel is uniform, the first bracket is -z^2/2, the term of Hall & Sheather's (1988)
theorem on the studentised quantile.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from confroc._check import ArgumentError
from confroc._types import FloatArray, IntArray
from confroc.distributions import inner
from confroc.scores import Scores

KAPPA = 1.0 / math.sqrt(math.pi)
"""Twice the integral of u K(u) W(u), with W the integral of the kernel K."""

ROUGHNESS = 1.0 / (2.0 * math.sqrt(math.pi))
PEAK = 1.0 / math.sqrt(2.0 * math.pi)

LARGEST_GRID = 2**18

MARGIN = 6.0
"""Bandwidths that the grid reaches beyond the extreme scores."""


class Sample(NamedTuple):
    """One class: its distinct scores, increasing, with counts, and its location and scale."""

    score: FloatArray
    counts: IntArray
    n: int
    mean: float
    scale: float


def sample(scores: Scores, counts: IntArray, name: str) -> Sample:
    """Return one class; its scale is the standard deviation, or the quartiles' if less."""
    held = np.flatnonzero(counts)[::-1]
    score, count = scores.score[held], counts[held]
    n = int(count.sum())
    if len(held) < 2:
        raise ArgumentError(
            "method",
            f"be another one when all {name} have one score",
            "kernel",
            "A kernel needs spread; use 'agresti_coull'.",
        )
    mean = inner(score, count) / n
    deviation = math.sqrt(inner(np.square(score - mean), count) / (n - 1))
    low, high = score[np.searchsorted(np.cumsum(count), [0.25 * n, 0.75 * n])].tolist()
    quartiles = (high - low) / 1.349
    return Sample(score, count, n, mean, min(deviation, quartiles) if quartiles > 0.0 else deviation)


def pilot(s: Sample, order: int) -> float:
    """Bandwidth for a density's derivative, best if the density were normal."""
    return s.scale * math.pow(4.0 / ((2 * order + 3) * s.n), 1.0 / (2 * order + 5))


def normal_rule(f: Sample, g: Sample) -> float:
    """Bandwidth for F, h^3 = kappa / n * int f g^2 / int (f' g)^2, for normal f and g (Hall & Hyndman 2003).

    f g^2 and f^2 g^2 are multiples of normal densities, and (x - mean)^2 / v^2 turns f^2 into f'^2.
    """
    v, w, gap = f.scale**2, g.scale**2, f.mean - g.mean
    second_moment = v * w / (2.0 * (v + w)) + (gap * v / (v + w)) ** 2
    size = 2.0 * math.sqrt(math.pi * v) * v**2 / second_moment * math.sqrt((v + w) / (2.0 * v + w))
    # Far apart the classes would ask for a bandwidth beyond all bounds.
    ratio = size * math.exp(min(gap * gap * (1.0 / (v + w) - 1.0 / (2.0 * v + w)), 100.0))
    return float((KAPPA * ratio / f.n) ** (1.0 / 3.0))


class Grid(NamedTuple):
    """Equally spaced places with the two classes' cases moved to them."""

    x: FloatArray
    step: float
    shares: tuple[FloatArray, FloatArray]


def make_grid(samples: tuple[Sample, Sample], bandwidths: tuple[float, ...]) -> Grid:
    """Return a grid an eighth of the narrowest bandwidth fine, and wide enough for the broadest."""
    margin = MARGIN * max(bandwidths)
    low = min(s.score[0] for s in samples) - margin
    high = max(s.score[-1] for s in samples) + margin
    size = 2 ** math.ceil(math.log2(8.0 * (high - low) / min(bandwidths)))
    if size > LARGEST_GRID:
        raise ArgumentError(
            "method",
            "be another one for scores with such long tails",
            "kernel",
            "Transform the scores first (logarithm, logit, ranks), or use 'agresti_coull'.",
        )
    step = (high - low) / (size - 1)
    shares = []
    for s in samples:
        right = s.score - low
        right /= step
        left = right.astype(np.int64)
        np.minimum(left, size - 2, out=left)
        right -= left
        weight = s.counts / s.n
        right *= weight
        weight -= right
        moved = np.bincount(left, weight, size)
        left += 1
        moved += np.bincount(left, right, size)
        shares.append(moved.astype(np.float64))
    return Grid(low + step * np.arange(size), step, (shares[0], shares[1]))


def density(grid: Grid, which: int, bandwidth: float, order: int = 0) -> FloatArray:
    """Return a kernel density, or its derivative, on the grid, by a Fourier transform."""
    size = len(grid.x)
    frequency = 2.0 * math.pi * np.fft.rfftfreq(size, grid.step)
    smoothed = np.fft.rfft(grid.shares[which]) * np.exp(-0.5 * np.square(bandwidth * frequency))
    return np.asarray(np.fft.irfft(smoothed * (1j * frequency) ** order, size) / grid.step)


def distribution(grid: Grid, which: int, bandwidth: float) -> FloatArray:
    """Return a kernel distribution function on the grid, non-decreasing from 0 to 1."""
    mass = np.maximum(density(grid, which, bandwidth), 0.0)
    total = np.concatenate([[0.0], np.cumsum((mass[1:] + mass[:-1]) / 2.0)])
    return np.asarray(total / total[-1])


def estimated_rule(grid: Grid, which: int, samples: tuple[Sample, Sample]) -> float:
    """Return the bandwidth for a distribution function by the rule of `normal_rule`, densities estimated."""
    f, g = samples[which], samples[1 - which]
    other = np.square(density(grid, 1 - which, pilot(g, 0)))
    above = inner(density(grid, which, pilot(f, 0)), other)
    below = inner(np.square(density(grid, which, pilot(f, 1), 1)), other)
    return float((KAPPA * above / below / f.n) ** (1.0 / 3.0)) if below > 0.0 and above > 0.0 else math.inf


def coverage_bandwidths(grid: Grid, samples: tuple[Sample, Sample], z: float) -> tuple[float, float]:
    """Return the bandwidths of f and g that cancel the coverage error on average, or else make it least.

    Kept within a factor of three of the density's own normal rule.
    """
    f, g = samples
    t = np.arange(1, 200) / 200.0
    cdf = [distribution(grid, i, 1.587 * s.scale * s.n ** (-1.0 / 3.0)) for i, s in enumerate(samples)]
    x = np.interp(1.0 - t, cdf[0], grid.x)
    # Where the curve is 0 or 1 to within half a case neither variance means anything.
    inner = np.minimum(*(np.interp(x, grid.x, side) for side in (cdf[1], 1.0 - cdf[1]))) > 0.5 / g.n
    x, t = (x[inner], t[inner]) if inner.any() else (x, t)
    at_f, at_g = (np.interp(x, grid.x, density(grid, i, pilot(s, 0))) for i, s in enumerate(samples))
    tpr = 1.0 - np.interp(x, grid.x, cdf[1])
    through_f = np.square(np.divide(at_g, at_f, out=np.zeros_like(t), where=at_f > 0.0)) * t * (1.0 - t) / f.n
    both = through_f + tpr * (1.0 - tpr) / g.n
    a = np.divide(through_f, both, out=np.zeros_like(t), where=both > 0.0)
    noise = (
        float(np.mean(ROUGHNESS * (3.0 - a - a * z * z) - 2.0 * PEAK)),
        float(np.mean(ROUGHNESS * (a - 1.0 + a * z * z))),
    )
    result = []
    for i, s in enumerate(samples):
        curvature = float(np.mean(np.interp(x, grid.x, density(grid, i, pilot(s, 2), 2))))
        ratio = noise[i] / (s.n * curvature) if curvature != 0.0 else math.inf
        # Of one sign the two parts cancel; of two signs their sum has a least value.
        width = ratio ** (1.0 / 3.0) if ratio > 0.0 else (-ratio / 2.0) ** (1.0 / 3.0)
        result.append(min(max(width, pilot(s, 0) / 3.0), 3.0 * pilot(s, 0)))
    return result[0], result[1]


class KernelCurve(NamedTuple):
    """The kernel ROC curve and its standard error at given false positive rates."""

    tpr: FloatArray
    standard_error: FloatArray


def kernel_curve(scores: Scores, fpr: FloatArray, z: float) -> KernelCurve:
    """Evaluate the kernel ROC curve for an interval of z standard errors."""
    samples = sample(scores, scores.neg, "negatives"), sample(scores, scores.pos, "positives")
    rules = normal_rule(samples[0], samples[1]), normal_rule(samples[1], samples[0])
    first = make_grid(samples, tuple(pilot(s, order) for s in samples for order in (0, 1, 2)))
    smooth = tuple(
        0.5 * min(rules[i], estimated_rule(first, i, samples), 3.0 * pilot(samples[i], 0)) for i in (0, 1)
    )
    of_density = coverage_bandwidths(first, samples, z)
    grid = make_grid(samples, (*smooth, *of_density))
    f_cdf, g_cdf = (distribution(grid, i, smooth[i]) for i in (0, 1))
    x = np.interp(1.0 - fpr, f_cdf, grid.x)
    tpr = 1.0 - np.interp(x, grid.x, g_cdf)
    f, g = (np.maximum(np.interp(x, grid.x, density(grid, i, of_density[i])), 0.0) for i in (0, 1))
    slope = np.divide(g, f, out=np.where(g > 0.0, 1e150, 0.0), where=f > 1e-150)
    variance = tpr * (1.0 - tpr) / samples[1].n + np.square(slope) * fpr * (1.0 - fpr) / samples[0].n
    return KernelCurve(tpr, np.sqrt(variance))
