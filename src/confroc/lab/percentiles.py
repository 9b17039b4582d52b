"""Percentiles of B resamples without resampling.

The two percentiles are order statistics of B independent draws, and those are the law's quantiles at two
order statistics of B uniform numbers, which are Beta distributed. So two random numbers per interval give the
very law that B draws give.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from confroc import _kernels
from confroc._kernels import lab as kernels
from confroc._types import FloatArray, IntArray
from confroc.distributions import binomial_pmf
from confroc.resample import percentile_ends, tails

TABULATED = 1000
"""Trials up to which all binomial laws are laid out."""

LOST = 1e-14
"""Weight of thresholds left out of a mixture."""


@functools.lru_cache(maxsize=32)
def binomial_cdfs(n: int) -> FloatArray:
    """P(Bin(n, k/n) <= l), row k, column l."""
    k = np.arange(n + 1)
    return np.minimum(np.cumsum(binomial_pmf(k, n, (k / n)[:, None]), axis=1), 1.0)


@functools.lru_cache(maxsize=32)
def _in_one_list(n: int) -> FloatArray:
    """Rows of the table moved apart by one each: one increasing list."""
    return (binomial_cdfs(n) + np.arange(n + 1)[:, None]).ravel()


def percentile_levels(
    b: int, level: float, shape: tuple[int, ...], rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Draw the two levels at which b draws have their percentiles, each array of this shape."""
    low, high = (max(1, math.ceil(b * p - 1e-9)) for p in tails(level))
    upper = rng.beta(high, b - high + 1.0, size=shape)
    lower = upper * rng.beta(low, high - low, size=shape) if high > low else upper
    return lower, upper


def resampled_proportion(
    k: IntArray, n: int, b: int, level: float, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Percentiles of b resampled proportions, for k of n cases; arrays of the shape of k."""
    if n > TABULATED:
        return percentile_ends(rng.binomial(n, k / n, size=(b, *k.shape)) / n, level)
    ends = []
    for at in percentile_levels(b, level, k.shape, rng):
        place = np.searchsorted(_in_one_list(n), at + k) - k * (n + 1)
        ends.append(np.clip(place, 0, n) / n)
    return ends[0], ends[1]


def mixture_ends(
    count: IntArray, n_pos: int, weights: FloatArray, levels: tuple[FloatArray, FloatArray]
) -> tuple[FloatArray, FloatArray]:
    """Quantiles of mixtures of binomials at given levels.

    Parameters
    ----------
    count : ndarray of shape (reps, n_neg)
        Positives above each negative.
    n_pos : int
    weights : ndarray of shape (h, n_neg)
        Law of the threshold at each place.
    levels : pair of ndarrays of shape (reps, h)
    """
    matters = weights > LOST
    first = matters.argmax(axis=1)
    length = int((weights.shape[1] - matters[:, ::-1].argmax(axis=1) - first).max())
    first = np.minimum(first, weights.shape[1] - length)
    kept = np.take_along_axis(weights, first[:, None] + np.arange(length), axis=1)
    ends = []
    for level in levels:
        out = np.empty(level.shape, np.int64)
        # The kernel is the only way: a mixture's quantile takes a loop of its own.
        _kernels.compiled(kernels.mixture_quantiles)(
            np.ascontiguousarray(count), kept, first, binomial_cdfs(n_pos), level, out
        )
        ends.append(out / n_pos)
    return ends[0], ends[1]


def central_levels(level: float, shape: tuple[int, ...]) -> tuple[FloatArray, FloatArray]:
    """The two tail probabilities themselves, for quantiles of the exact law, rounding forgiven."""
    low, high = (np.full(shape, p * (1.0 - 1e-12)) for p in tails(level))
    return low, high
