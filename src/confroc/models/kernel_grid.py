"""Kernel estimates of both classes on one grid of scores: Gaussian by Fourier transforms, uniform by sums.

F and f are the distribution function and density of the negatives (class 0), G and g those of the positives
(class 1), with separate bandwidths. The kernel ROC curve is R(t) = 1 - G(F^-1(1 - t)).
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from scipy import special

from confroc._check import ArgumentError
from confroc._types import FloatArray
from confroc.distributions import inner
from confroc.models.bandwidths import KAPPA, ClassSample, derivative_reference
from confroc.scores.counting import CHUNK

Kernel: TypeAlias = Literal["gaussian", "uniform"]
KERNELS: tuple[Kernel, ...] = get_args(Kernel)

REACH = math.sqrt(3.0)
"""Half-width of the uniform kernel in standard deviations."""

LARGEST_GRID = 2**18

MARGIN = 6.0
"""Margin of the grid beyond the extreme scores, in bandwidths."""


def kernel_cdf(u: FloatArray, kernel: Kernel) -> FloatArray:
    """Distribution function of the kernel with standard deviation one."""
    if kernel == "gaussian":
        return np.asarray(special.ndtr(u))
    return np.clip(0.5 + u / (2.0 * REACH), 0.0, 1.0)


class Grid(NamedTuple):
    """Equally spaced grid points with the two classes' binned cases."""

    x: FloatArray
    step: float
    shares: tuple[FloatArray, FloatArray]


def make_grid(samples: tuple[ClassSample, ClassSample], bandwidths: tuple[float, ...]) -> Grid:
    """Return a grid with steps of an eighth of the narrowest bandwidth, wide enough for the broadest."""
    margin = MARGIN * max(bandwidths)
    low = min(s.score[0] for s in samples) - margin
    high = max(s.score[-1] for s in samples) + margin
    size = 2 ** math.ceil(math.log2(8.0 * (high - low) / min(bandwidths)))
    if size > LARGEST_GRID:
        raise ArgumentError(
            "scores",
            "have shorter tails for a kernel",
            f"{size // 8:,} bandwidths between extremes",
            "Transform the scores first (logarithm, logit, ranks), or use a method without a kernel.",
        )
    step = (high - low) / (size - 1)
    shares = []
    for s in samples:
        moved = np.zeros(size)
        for start in range(0, len(s.score), CHUNK):
            part = slice(start, start + CHUNK)
            right = s.score[part] - low
            right /= step
            left = right.astype(np.int64)
            np.minimum(left, size - 2, out=left)
            right -= left
            weight = s.counts[part] / s.n
            right *= weight
            weight -= right
            # Scores increase, so a block of them covers few grid points.
            first, last = int(left[0]), int(left[-1]) + 1
            left -= first
            moved[first:last] += np.bincount(left, weight)
            moved[first + 1 : last + 1] += np.bincount(left, right)
        shares.append(moved)
    return Grid(low + step * np.arange(size), step, (shares[0], shares[1]))


def density(grid: Grid, which: int, bandwidth: float, order: int = 0) -> FloatArray:
    """Return a kernel density, or its derivative, on the grid."""
    size = len(grid.x)
    frequency = 2.0 * math.pi * np.fft.rfftfreq(size, grid.step)
    smoothed = np.fft.rfft(grid.shares[which]) * np.exp(-0.5 * np.square(bandwidth * frequency))
    return np.asarray(np.fft.irfft(smoothed * (1j * frequency) ** order, size) / grid.step)


def distribution(grid: Grid, which: int, bandwidth: float, kernel: Kernel = "gaussian") -> FloatArray:
    """Return a kernel distribution function on the grid, non-decreasing from 0 to 1."""
    if kernel == "uniform":
        # The mean of the empirical one over the kernel's support.
        share = grid.shares[which]
        below = np.cumsum(share) - 0.5 * share
        area = np.concatenate([[0.0], np.cumsum(0.5 * (below[1:] + below[:-1]))]) * grid.step
        end, half_width = grid.x[-1], REACH * bandwidth
        up = np.interp(grid.x + half_width, grid.x, area) + np.maximum(grid.x + half_width - end, 0.0)
        down = np.interp(grid.x - half_width, grid.x, area)
        return np.asarray(np.clip((up - down) / (2.0 * half_width), 0.0, 1.0))
    mass = np.maximum(density(grid, which, bandwidth), 0.0)
    total = np.concatenate([[0.0], np.cumsum((mass[1:] + mass[:-1]) / 2.0)])
    return np.asarray(total / total[-1])


def pilot(s: ClassSample, order: int) -> float:
    """Bandwidth for the class's density, or a derivative of it."""
    return derivative_reference(s.scale, s.n, order)


def estimated_hall_hyndman(grid: Grid, which: int, samples: tuple[ClassSample, ClassSample]) -> float:
    """Return the bandwidth of `hall_hyndman_bandwidths` with weight "density" and estimated densities."""
    f, g = samples[which], samples[1 - which]
    other = np.square(density(grid, 1 - which, pilot(g, 0)))
    above = inner(density(grid, which, pilot(f, 0)), other)
    below = inner(np.square(density(grid, which, pilot(f, 1), 1)), other)
    return float((KAPPA * above / below / f.n) ** (1.0 / 3.0)) if below > 0.0 and above > 0.0 else math.inf


def kernel_rates(
    samples: tuple[ClassSample, ClassSample], bandwidths: tuple[float, float], kernel: Kernel
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Decreasing thresholds with both rates; samples are those of the negatives and the positives."""
    grid = make_grid(samples, bandwidths)
    fpr, tpr = (1.0 - distribution(grid, i, h, kernel)[::-1] for i, h in enumerate(bandwidths))
    return grid.x[::-1], fpr, tpr


def kernel_tpr(
    samples: tuple[ClassSample, ClassSample],
    bandwidths: tuple[float, float],
    kernel: Kernel,
    fpr: FloatArray,
) -> FloatArray:
    """Evaluate the kernel ROC curve."""
    at, false, true = kernel_rates(samples, bandwidths, kernel)
    tpr = np.interp(np.interp(fpr, false, at), at[::-1], true[::-1])
    return np.where(fpr >= 1.0, 1.0, np.where(fpr <= 0.0, 0.0, tpr))
