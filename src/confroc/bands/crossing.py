"""Exact calibration of equal local levels: the chance that n order statistics all keep their intervals.

The k-th of n uniform order statistics has a Beta(k, n − k + 1) distribution. Give each its central interval
with the same local level; the chance that all keep theirs follows from a Poisson process of rate n,
which conditioned on n events in [0, 1] is the uniform sample. The process is carried from boundary to
boundary; only O(√n) counts are possible between the two staircases, so a pass costs O(n^1.5).
"""

from __future__ import annotations

import functools
import math

import numpy as np
from scipy import special

from confroc import _kernels
from confroc._kernels.band_crossing import stay_between
from confroc._types import FloatArray

COMPILED_FROM = 1000
"""Sample size from which the compiled kernel is used."""

LARGEST_EXACT = 30_000
"""Sample size past which the normal deviate of the local level is extrapolated."""


def order_statistic_bounds(n: int, z: float) -> tuple[FloatArray, FloatArray]:
    """Central intervals of the n uniform order statistics, of normal deviate z each."""
    k = np.arange(1, n + 1)
    tail = special.ndtr(-z)
    low: FloatArray = special.betaincinv(k, n - k + 1.0, tail).astype(np.float64)
    # Mirror images, so that upper ends keep the digits of lower ones.
    return low, 1.0 - low[::-1]


def all_inside(low: FloatArray, high: FloatArray) -> float:
    """Chance that every order statistic of n uniforms lies between its two bounds.

    Parameters
    ----------
    low, high : ndarray of shape (n,)
        Increasing, low[k] < high[k], in [0, 1].
    """
    n = len(low)
    times = np.concatenate([low, high])
    order = np.argsort(times, kind="stable")
    times = times[order]
    # By low[k] at most k events may have happened; by high[k] at least k + 1.
    most = np.minimum(np.concatenate([[0], np.cumsum(order < n)])[:-1], n)
    least = np.cumsum(order >= n)
    gap = n * np.diff(np.concatenate([[0.0], times, [1.0]]))
    floor = np.concatenate([least, [n]]).astype(np.int64)
    ceiling = np.concatenate([most, [n]]).astype(np.int64)
    if (floor > ceiling).any():
        return 0.0
    kernel = stay_between if n < COMPILED_FROM else _kernels.compiled(stay_between)
    # n^n e^-n / n! is the chance of n events, by which the joint chance is divided.
    log_total = n * math.log(n) - n - special.gammaln(n + 1.0)
    return min(1.0, kernel(gap, floor, ceiling, n, 1e-14) / math.exp(log_total))


def _extrapolated(n: int, level: float, sizes: tuple[int, int]) -> float:
    z = [exact_deviate(size, level) for size in sizes]
    rate = [math.sqrt(2.0 * math.log(math.log(size))) for size in (*sizes, n)]
    return z[1] + (z[1] - z[0]) * (rate[2] - rate[1]) / (rate[1] - rate[0])


@functools.lru_cache(maxsize=256)
def exact_deviate(n: int, level: float) -> float:
    """Smallest normal deviate z at which all n order statistics keep their intervals with `level`.

    Found to 1e-4 and rounded up, so that the level is kept. Past `LARGEST_EXACT` cases it is
    extrapolated along √(2 ln ln n), the rate at which the supremum of the standardized empirical
    process grows. The growth is a little slower than that, so the extrapolation errs on the wide side:
    from 1,000 and 10,000 to 100,000 cases by 0.004.
    """
    from scipy.optimize import brentq

    if n > LARGEST_EXACT:
        return _extrapolated(n, level, (LARGEST_EXACT // 10, LARGEST_EXACT))

    def excess(z: float) -> float:
        return all_inside(*order_statistic_bounds(n, z)) - level

    low, high = -float(special.ndtri((1.0 - level) / 2.0)), 9.0
    if n == 1:
        return low
    if n > COMPILED_FROM:
        # Few passes are affordable, so start from a narrow bracket.
        guess = _extrapolated(n, level, (COMPILED_FROM // 4, COMPILED_FROM))
        if excess(guess - 0.03) < 0.0 < excess(guess + 0.01):
            low, high = guess - 0.03, guess + 0.01
    return float(brentq(excess, low, high, xtol=5e-5, rtol=1e-12)) + 1e-4
