"""Confidence intervals for proportions and differences of two proportions, vectorized.

A single proportion is k successes in n trials. Two matched ones are discordant counts of n cases: n10
predicted positive by a only, n01 by b only. Two independent ones are k_a successes in n_a trials and k_b in
n_b. Each method maps counts and a level to two limits inside [0, 1], or [-1, 1] for differences. `m` is the
number of trials of the sample of interest (a bootstrap sample of another size); default `n`. Methods that
invert exact binomial probabilities do not accept it.

References
----------
Agresti & Coull 1998; Agresti & Caffo 2000; Agresti & Min 2005; Bonett & Price 2012; Brown, Cai & DasGupta
2001; Clopper & Pearson 1934; Dugas & Gadoury 2009, eq. 1, Algorithms 1 and 3.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from confroc._check import warned
from confroc._types import Ends, FloatArray, IntArray
from confroc.distributions.counts import ROUNDING, independent_quantiles, matched_quantiles
from confroc.resample import tails

FAR_OFF = 1e-4
"""Tolerance of mid-P limits, in deviates and in tenths of a step in log odds."""

MOST_STEPS = 12
"""Maximum number of steps, needed only for limits equal to 0 or 1 up to rounding."""


def normal_quantile(confidence_level: float) -> float:
    """Return z with P(|Z| <= z) = confidence_level."""
    # ndtri of the small tail is accurate for levels close to 1.
    return -float(special.ndtri((1.0 - confidence_level) / 2.0))


def t_quantile(df: Any, level: float) -> FloatArray:
    """Return t with P(|T| <= t) = level for Student's T."""
    return np.asarray(-special.stdtrit(df, (1.0 - level) / 2.0))


def clipped(center: FloatArray, half_width: FloatArray, low: float = 0.0) -> Ends:
    """Return center ∓ half_width, clipped to [low, 1]."""
    return np.clip(center - half_width, low, 1.0), np.clip(center + half_width, low, 1.0)


def containing(ends: Ends, estimate: FloatArray) -> Ends:
    """Return limits extended to include the estimate.

    At low levels pseudo-counts or skewness can otherwise exclude it.
    """
    return np.minimum(ends[0], estimate), np.maximum(ends[1], estimate)


def warn_zero_width(width: FloatArray, remedy: str) -> tuple[str, ...]:
    """Warn of intervals of zero width, and return the note."""
    note = f"Intervals of zero width do not show the remaining uncertainty. Use method={remedy!r}."
    # Rounding leaves about 1e-16 between limits near 1.
    return warned(note, where=bool((width <= 4e-16).any()))


# --- one proportion ----------------------------------------------------------------------------------


def wald(k: IntArray, n: int, level: float, *, m: int | None = None, a: float = 0.0) -> Ends:
    """P ± z √(p(1 − p)/(m + 2a)) with p = (k + a)/(n + 2a); a = 0 is the Wald interval."""
    p = np.asarray((k + a) / (n + 2.0 * a), dtype=np.float64)
    return clipped(p, normal_quantile(level) * np.sqrt(np.maximum(0.0, p * (1.0 - p)) / ((m or n) + 2.0 * a)))


def agresti_coull(k: IntArray, n: int, level: float, *, m: int | None = None) -> Ends:
    """Wald interval after adding z²/2 successes and failures (Dugas & Gadoury 2009, Alg. 1).

    Its center is that of Wilson's interval, which it contains (Agresti & Coull 1998); z²/2 is 1.92 at 95%.
    """
    return wald(k, n, level, m=m, a=normal_quantile(level) ** 2 / 2.0)


def wilson(k: IntArray, n: int, level: float) -> Ends:
    """Score interval: all p with |k/n − p| ≤ z √(p(1 − p)/n)."""
    z = normal_quantile(level)
    return wilson_limit(k / n, n, -z), wilson_limit(k / n, n, z)


def wilson_limit(p: float | FloatArray, n: float | FloatArray, z: float | FloatArray) -> FloatArray:
    """Wilson's (1927) limit, z standard errors above the proportion p of n cases, or below for negative z.

    Of the roots of (p − x)² = q x(1 − x), q = z²/n, the upper is (2p + q + r)/(2 + 2q) and the lower
    2p²/(2p + q + r), r² = q² + 4qp(1 − p). In this order they are exactly 0 and 1 at p = 0 and 1.
    """
    p, q = np.asarray(p), np.square(z) / n
    both = 2.0 * p + (q + np.sqrt(q * q + 4.0 * q * p * (1.0 - p)))
    lower = 2.0 * p * p / np.maximum(both, 1e-300)
    return np.where(np.greater(z, 0.0), np.minimum(both / (2.0 + 2.0 * q), 1.0), lower)


def mid_p_limit(k: Any, n: Any, z: Any) -> FloatArray:
    """Proportion with k successes among n at z mid-P deviates, above k/n, or below for negative z.

    The upper limit solves F(p) = P(X < k) + ½ P(X = k) = Φ(−z) (Lancaster 1961); the lower one is its mirror
    image.
    """
    k, n, z = (np.asarray(x, dtype=np.float64) for x in np.broadcast_arrays(k, n, z))
    found, wanted = np.ones(k.size), -np.abs(z).ravel()
    k, n = np.where(z < 0.0, n - k, k).ravel(), n.ravel()
    rest = np.flatnonzero(k < n)
    p = special.betainccinv(k[rest] + 0.5, n[rest] - k[rest] + 0.5, special.ndtr(wanted[rest]))
    for _ in range(MOST_STEPS):
        # Halley's step for Φ⁻¹(F) as a function of the log odds of p, from Jeffreys's limit.
        x, y = k[rest], n[rest] - k[rest]
        p = np.clip(p, 1e-300, 1.0 - 2.0**-53)
        q = 1.0 - p
        mass = special.gammaln(x + y + 1.0) - special.gammaln(x + 1.0) - special.gammaln(y + 1.0)
        mass = np.exp(mass + special.xlogy(x, p) + special.xlogy(y, q))
        deviate = special.ndtri(special.betaincc(x + 1.0, y, p) - 0.5 * mass)
        both = x * q + y * p
        slope = -0.5 * mass * both * math.sqrt(2.0 * math.pi) * np.exp(0.5 * deviate**2)
        bend = x * q - y * p + p * q * (y - x) / both + deviate * slope
        off = deviate - wanted[rest]
        step = off / slope
        step = np.clip(step / (1.0 - 0.5 * np.clip(step * bend, -1.0, 1.0)), -3.0, 3.0)
        p = p / (p + q * np.exp(step))
        found[rest] = p
        # The remaining error is of the order of their cubes.
        far = np.maximum(np.abs(off), 0.1 * np.abs(step)) > FAR_OFF
        if not far.any():
            break
        rest, p = rest[far], p[far]
    found = found.reshape(z.shape)
    return np.where(z < 0.0, 1.0 - found, found)


def biased_quantile(shift: ArrayLike, level: float) -> FloatArray:
    """C with Φ(C) − Φ(−C − shift) = level, for an unknown bias between 0 and `shift` deviates.

    It decreases from the two-sided to the one-sided normal quantile (Imbens & Manski 2004, eq. 7).
    """
    shift = np.asarray(shift, dtype=np.float64)
    quantile = np.full(shift.shape, normal_quantile(level))
    for _ in range(8):
        # The function is concave and increasing, so Newton steps increase to the root after the first.
        short = special.ndtr(quantile) - special.ndtr(-quantile - shift) - level
        slope = np.exp(-0.5 * quantile**2) + np.exp(-0.5 * (quantile + shift) ** 2)
        quantile = quantile - short * math.sqrt(2.0 * math.pi) / slope
    return quantile


def _beta_ends(k: IntArray, n: float, level: float, shift: float) -> Ends:
    tail = (1.0 - level) / 2.0
    some, fewer = np.where(k > 0, k, 1), np.where(k < n, k, 0)
    # betaincinv(a, b, q) is the q-quantile of Beta(a, b).
    low = special.betaincinv(some + shift, n - some + 1.0 - shift, tail)
    high = special.betainccinv(fewer + 1.0 - shift, n - fewer + shift, tail)
    return np.where(k > 0, low, 0.0), np.where(k < n, high, 1.0)


def clopper_pearson(k: IntArray, n: float, level: float) -> Ends:
    """Exact interval: coverage is at least the level for every p and n."""
    return _beta_ends(k, n, level, 0.0)


def jeffreys(k: IntArray, n: int, level: float) -> Ends:
    """Equal-tailed posterior interval under Jeffreys's Beta(½, ½) prior; 0 and 1 at k = 0 and n."""
    return _beta_ends(k, n, level, 0.5)


def bootstrap_quantiles(k: IntArray, n: int, m: int, probs: tuple[float, ...]) -> FloatArray:
    """Quantiles of the resampled proportion, Bin(m, k/n)/m; shape (number of k, number of levels).

    A quantile is the smallest j/m whose cumulative probability reaches the level, up to `ROUNDING`.
    """
    p = (k / n)[:, None]
    level = np.asarray(probs) * (1.0 - ROUNDING)

    def reached(count: FloatArray) -> NDArray[np.bool_]:
        inside = np.clip(count, 0.0, m - 1.0)
        cdf = special.betaincc(inside + 1.0, m - inside, p)
        return (count >= 0.0) & ((count >= m) | (cdf >= level))

    # SciPy's quantile of the continuous extension, rounded up, is off by at most one count.
    count = np.ceil(np.where(p < 1.0, np.nan_to_num(special.bdtrik(level, m, p)), m))
    count = np.clip(count, 0.0, m)
    count = np.where(reached(count - 1.0), count - 1.0, count)
    return np.asarray(np.where(reached(count), count, count + 1.0) / m)


def exact_bootstrap(k: IntArray, n: int, level: float, *, m: int | None = None) -> Ends:
    """Quantiles of the resampled proportion, the limit of bootstrap percentiles."""
    return tuple(bootstrap_quantiles(k, n, m or n, tails(level)).T)


# --- two matched proportions -------------------------------------------------------------------------


def matched_difference(
    n10: IntArray, n01: IntArray, n: int, level: float, *, m: int | None = None, a: float = 0.0
) -> Ends:
    """Normal interval for the difference between two matched proportions, with pseudo-counts a.

    p10 = (n10 + a)/(n + 4a) and p01 likewise; the variance is (p10 + p01 - (p10 - p01)^2)/(m + 4a)
    (Dugas & Gadoury 2009, Alg. 3). a = 0 is the Wald interval.
    """
    p10, p01 = (n10 + a) / (n + 4.0 * a), (n01 + a) / (n + 4.0 * a)
    variance = (p10 + p01 - np.square(p10 - p01)) / ((m or n) + 4.0 * a)
    return clipped(p10 - p01, normal_quantile(level) * np.sqrt(variance), low=-1.0)


def agresti_min(n10: IntArray, n01: IntArray, n: int, level: float, *, m: int | None = None) -> Ends:
    """Add one half to each discordant count and one to the concordant ones (Agresti & Min 2005)."""
    return matched_difference(n10, n01, n, level, m=m, a=0.5)


def bonett_price(n10: IntArray, n01: IntArray, n: int, level: float, *, m: int | None = None) -> Ends:
    """Add one to each discordant count and nothing to the concordant ones (Bonett & Price 2012).

    p10 = (n10 + 1)/(n + 2) and p01 likewise; the variance is (p10 + p01 - (p10 - p01)^2)/(m + 2).
    """
    p10, p01 = (n10 + 1.0) / (n + 2.0), (n01 + 1.0) / (n + 2.0)
    variance = (p10 + p01 - np.square(p10 - p01)) / ((m or n) + 2.0)
    return clipped(p10 - p01, normal_quantile(level) * np.sqrt(variance), low=-1.0)


def matched_bootstrap(n10: IntArray, n01: IntArray, n: int, level: float, *, m: int | None = None) -> Ends:
    """Quantiles of the resampled difference (Dugas & Gadoury 2009, eq. 9)."""
    return tuple(matched_quantiles(n10, n01, n, m or n, tails(level)).T)


# --- two independent proportions ---------------------------------------------------------------------


def independent_difference(
    k_a: IntArray, n_a: int, m_a: int, k_b: IntArray, n_b: int, m_b: int, level: float, *, a: float = 0.0
) -> Ends:
    """Normal interval for the difference of two independent proportions, with a successes and failures added.

    a = 1 is Agresti & Caffo's (2000) interval, a = 0 the Wald interval.
    """
    p_a, p_b = (k_a + a) / (n_a + 2.0 * a), (k_b + a) / (n_b + 2.0 * a)
    variance = p_a * (1.0 - p_a) / (m_a + 2.0 * a) + p_b * (1.0 - p_b) / (m_b + 2.0 * a)
    return clipped(p_a - p_b, normal_quantile(level) * np.sqrt(variance), low=-1.0)


def independent_bootstrap(
    k_a: IntArray, n_a: int, m_a: int, k_b: IntArray, n_b: int, m_b: int, level: float
) -> Ends:
    """Quantiles of the resampled difference."""
    return tuple(independent_quantiles(k_a, n_a, m_a, k_b, n_b, m_b, tails(level)).T)


# --- the difference between two estimates with separate intervals -------------------------------------


def square_and_add_ends(
    estimates: tuple[float | FloatArray, float | FloatArray],
    ends: tuple[Ends, Ends],
    correlation: float | FloatArray = 0.0,
    common: float | FloatArray = 0.0,
) -> Ends:
    """Square-and-add limits of a difference between two estimates.

    A proportion |ρ| of both variances is common to the estimates. The rest adds up as for independent samples
    (Newcombe 1998). If ρ > 0 the common parts cancel except for their difference, with half-length `common`;
    if ρ < 0 they have opposite signs, and their arms add (Zou & Donner 2008). Arms of equal multiples of two
    standard errors give that multiple of √(σ_a² + σ_b² − 2ρσ_aσ_b).
    """
    (low_a, high_a), (low_b, high_b) = ends
    a, b = estimates
    shared = np.abs(correlation)

    def arm(x: float | FloatArray, y: float | FloatArray) -> FloatArray:
        together = np.where(np.asarray(correlation) > 0.0, common, np.add(x, y))
        return np.asarray(np.hypot(np.sqrt(1.0 - shared) * np.hypot(x, y), np.sqrt(shared) * together))

    d = np.subtract(a, b)
    return d - arm(a - low_a, high_b - b), d + arm(high_a - a, b - low_b)
