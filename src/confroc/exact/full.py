"""Exact distributions for random class sizes: a random sample of all cases.

A resample of m cases has Bin(m, n_pos / n) positives. Given that number its classes are stratified samples,
so a distribution is the mixture of stratified ones over the number, given that both classes occur (Dugas &
Gadoury 2009, §2.3 and §5.5). A rate i/p has as many denominators p as there are class sizes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from confroc._types import FloatArray, IntArray
from confroc.distributions import binomial_pmf, binomial_window, discrete_quantile, inner
from confroc.exact.thresholds import check_support


class RateLaw(NamedTuple):
    """The values of a rate or a difference, increasing, and their probabilities."""

    value: FloatArray
    pmf: FloatArray


ZERO = RateLaw(np.zeros(1), np.ones(1))
FINEST = 2**47
"""Number of steps of a rate for quantiles."""


def quantiles(law: RateLaw, levels: tuple[float, ...], less: RateLaw = ZERO) -> list[float]:
    """Return, per level, the smallest difference between two independent rates that reaches it."""
    reached = np.append(0.0, np.cumsum(law.pmf))

    def up_to(d: int) -> IntArray:
        # Differences of quotients equal up to rounding error are equal.
        return np.searchsorted(law.value, d / FINEST + less.value + 1e-13, side="right")

    def cdf(d: int) -> float:
        return inner(less.pmf, reached[up_to(d)])

    def value_at(d: int) -> float:
        at = up_to(d)
        return float(np.max(law.value[np.maximum(at - 1, 0)] - less.value, where=at > 0, initial=-1.0))

    mean = inner(law.value, law.pmf) - inner(less.value, less.pmf)
    found = [discrete_quantile(cdf, level, -FINEST, FINEST, FINEST * mean, FINEST * 0.1) for level in levels]
    return [value_at(d) for d in found]


def over_class_sizes(
    sample: tuple[int, int], size: tuple[int, int], law_of: Callable[[tuple[int, int]], RateLaw]
) -> RateLaw:
    """Return the mixture of the distributions `law_of((m_pos, m_neg))` with fixed sum."""
    m, share = sum(size), np.array(sample[0] / sum(sample))
    drawn = binomial_window(share, m)
    drawn = drawn[(drawn > 0) & (drawn < m)]
    check_support("size", m * len(drawn))
    laws = [law_of((m_pos, m - m_pos)) for m_pos in drawn.tolist()]
    weights = binomial_pmf(drawn, m, share)
    masses = [weight * law.pmf for weight, law in zip(weights, laws, strict=True)]
    # Equal quotients of integers are rounded identically.
    values, at = np.unique(np.concatenate([law.value for law in laws]), return_inverse=True)
    pmf = np.bincount(at, np.concatenate(masses))
    return RateLaw(values, pmf / pmf.sum())
