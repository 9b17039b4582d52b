"""Intervals for proportions: k successes in n trials, vectorised.

Each method maps (k, n, z or level) to two ends inside [0, 1]. `m` is the number of trials of the
sample whose uncertainty is wanted (a bootstrap sample of another size); it is `n` for the data's own.
Methods that invert an exact binomial statement have no meaning for m != n and do not take it.

References
----------
Agresti & Coull 1998; Brown, Cai & DasGupta 2001; Clopper & Pearson 1934; Dugas & Gadoury 2009, eq. 1
and Algorithm 1.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
Ends: TypeAlias = tuple[FloatArray, FloatArray]


def normal_quantile(confidence_level: float) -> float:
    """Return z with P(|Z| <= z) = confidence_level."""
    # ndtri of the small tail keeps its digits when the level is close to 1.
    return -float(special.ndtri((1.0 - confidence_level) / 2.0))


def clipped(centre: FloatArray, half_width: FloatArray, low: float = 0.0, high: float = 1.0) -> Ends:
    """Return centre ∓ half_width, cut to [low, high]."""
    return np.clip(centre - half_width, low, high), np.clip(centre + half_width, low, high)


def wald(k: IntArray, n: int, level: float, *, m: int | None = None, a: float = 0.0) -> Ends:
    """p ± z √(p(1 − p)/(m + 2a)) with p = (k + a)/(n + 2a); a = 0 is Wald's own interval."""
    p = (k + a) / (n + 2.0 * a)
    return clipped(p, normal_quantile(level) * np.sqrt(p * (1.0 - p) / ((m or n) + 2.0 * a)))


def agresti_coull(k: IntArray, n: int, level: float, *, m: int | None = None) -> Ends:
    """Wald's interval after adding two successes and two failures (Dugas & Gadoury 2009, Alg. 1)."""
    return wald(k, n, level, m=m, a=2.0)


def wilson(k: IntArray, n: int, level: float) -> Ends:
    """Score interval: all p with |k/n − p| ≤ z √(p(1 − p)/n)."""
    z2 = normal_quantile(level) ** 2
    p = k / n
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = np.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    low, high = clipped(centre, half)
    # Exact at the ends, where rounding would leave 1e-18 instead of zero.
    return np.where(k == 0, 0.0, low), np.where(k == n, 1.0, high)


def _beta_ends(k: IntArray, n: int, level: float, shift: float) -> Ends:
    tail = (1.0 - level) / 2.0
    inner = (k > 0), (k < n)
    low = np.zeros(k.shape)
    high = np.ones(k.shape)
    # betaincinv(a, b, q) is the q-quantile of Beta(a, b).
    low[inner[0]] = special.betaincinv(k[inner[0]] + shift, n - k[inner[0]] + 1.0 - shift, tail)
    high[inner[1]] = special.betainccinv(k[inner[1]] + 1.0 - shift, n - k[inner[1]] + shift, tail)
    return low, high


def clopper_pearson(k: IntArray, n: int, level: float) -> Ends:
    """Exact interval: coverage is at least the level for every p and n."""
    return _beta_ends(k, n, level, 0.0)


def jeffreys(k: IntArray, n: int, level: float) -> Ends:
    """Equal-tailed posterior interval under Jeffreys's Beta(½, ½) prior; 0 and 1 at k = 0 and n."""
    return _beta_ends(k, n, level, 0.5)
