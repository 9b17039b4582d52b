"""The difference of two independent resampled proportions: A/m_a - B/m_b with binomial A and B.

For models on disjoint test sets, at given thresholds.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import betainc

from confroc._types import FloatArray, IntArray
from confroc.exact.binomials import binomial_pmf, inner


class Proportion(NamedTuple):
    """Successes k of n cases, per threshold, and the number m of cases in a resample."""

    k: IntArray
    n: int
    m: int


def _window(p: float, m: int) -> IntArray:
    # Bernstein's inequality: less than 1e-17 lies beyond.
    spread = 27.0 + 9.5 * np.sqrt(m * p * (1.0 - p))
    return np.arange(max(0, int(m * p - spread)), min(m, int(m * p + spread) + 1) + 1)


def _survival(k: IntArray, m: int, p: float) -> FloatArray:
    """P(Bin(m, p) >= k), for any integer k."""
    inside = betainc(np.clip(k, 1, m), m - np.clip(k, 1, m) + 1.0, p)
    return np.where(k < 1, 1.0, np.where(k > m, 0.0, inside))


def difference_law(a: Proportion, b: Proportion) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return P(D >= 0), P(D = 0) and P(D <= 0) of D = A/m_a - B/m_b, one value per threshold."""
    ge, eq = np.empty(len(a.k)), np.empty(len(a.k))
    for i, (p, q) in enumerate(zip((a.k / a.n).tolist(), (b.k / b.n).tolist(), strict=True)):
        j = _window(q, b.m)
        mass = binomial_pmf(j, b.m, np.asarray(q))
        least, rest = np.divmod(j * a.m, b.m)
        ge[i] = inner(mass, _survival(least + (rest > 0), a.m, p))
        eq[i] = inner(mass, np.where(rest == 0, binomial_pmf(least, a.m, np.asarray(p)), 0.0))
    return np.minimum(ge, 1.0), eq, np.clip(1.0 - ge + eq, 0.0, 1.0)


def difference_quantiles(a: Proportion, b: Proportion, probs: tuple[float, ...]) -> FloatArray:
    """Quantiles of D = A/m_a - B/m_b; shape (number of thresholds, number of levels).

    The smallest difference whose cumulative probability reaches the level, found by halving the lattice
    of all differences.
    """
    result = np.empty((len(a.k), len(probs)))
    whole = math.lcm(a.m, b.m)
    for i, (p, q) in enumerate(zip((a.k / a.n).tolist(), (b.k / b.n).tolist(), strict=True)):
        j = _window(q, b.m)
        mass = binomial_pmf(j, b.m, np.asarray(q))
        for column, level in enumerate(probs):
            low, high = -whole - 1, whole
            while high - low > 1:
                middle = (low + high) // 2
                most = (middle + j * (whole // b.m)) // (whole // a.m)
                if 1.0 - inner(mass, _survival(most + 1, a.m, p)) >= level * (1.0 - 1e-12):
                    high = middle
                else:
                    low = middle
            result[i, column] = high / whole
    return result
