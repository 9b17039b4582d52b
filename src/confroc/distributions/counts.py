"""Distributions of counts: the binomial, and differences of two counts.

Masses are accurate for millions of trials. A difference of three log-gamma functions near 10^7 has nine
correct digits; a binomial mass relative to its mode (Loader 2000) has fourteen.

Distributions are computed only over the window with all but 1e-17 of the mass: `bernstein_bound` gives it for
sums of bounded steps, by Bernstein's inequality.

References
----------
Loader C (2000). Fast and accurate computation of binomial probabilities.
Dugas & Gadoury 2009, eqs. 9-11 and 21-22 (discordant counts).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, ndtr, ndtri, xlog1py

from confroc._kernels.exact_binomial import DEVIATIONS, HALF_LOG_2PI, STEPS
from confroc._types import FloatArray, IntArray

ComplexArray = NDArray[np.complex128]

ROUNDING = 1e-12
"""Relative tolerance with which a cumulative probability reaches a level."""

LAID_OUT = 4_000_000
"""Maximum number of masses computed one by one; larger distributions are smooth."""

SMALLER = 10**9
"""Number of cases from which sums run over the counts of the smaller sample."""

CELLS = 50_000
"""Number of cells of a window that is not computed one by one."""

SMOOTH = 1e10
"""Variance of a count from which four terms of its expansion have an error below 1e-13."""

BATCH = 2_000_000
"""Block size, in numbers."""

SECANT_STEPS = 8
"""Secant steps of a quantile search before bisection."""


def inner(a: NDArray[Any], b: NDArray[Any]) -> float:
    """Return the sum of products on one thread; BLAS threads are slower beyond 10,000 terms."""
    return float(np.einsum("i,i->", a, b))


# --- windows -----------------------------------------------------------------------------------------


def bernstein_bound(variance: ArrayLike) -> FloatArray:
    """Return the distance from its mean exceeded by a sum of steps in [-1, 1] with probability at most 1e-17.

    Bernstein's inequality, for a sum of independent steps with this total variance.
    """
    return np.asarray(STEPS + DEVIATIONS * np.sqrt(variance))


def binomial_window(p: ArrayLike, m: int) -> IntArray:
    """Return the consecutive counts outside of which Bin(m, p) has negligible mass, for all p."""
    first, last = binomial_ends(p, m)
    return np.arange(first, last + 1)


def binomial_ends(p: ArrayLike, m: int) -> tuple[int, int]:
    """Return the first and the last of these counts."""
    share = np.asarray(p)
    mean, around = m * share, bernstein_bound(m * share * (1.0 - share))
    first, last = max(0.0, np.floor((mean - around).min())), min(m, np.ceil((mean + around).max()))
    return int(first), int(last)


def binomial_cells(p: float, m: int) -> tuple[IntArray, FloatArray]:
    """Return counts that represent Bin(m, p), and their masses.

    All counts, or beyond `LAID_OUT` about `CELLS` of them at even steps: a step is then 1e-3 of the standard
    deviation, and sums over so smooth a distribution are accurate to rounding error.
    """
    first, last = binomial_ends(p, m)
    step = 1 if last - first <= LAID_OUT else (last - first) // CELLS
    counts = np.arange(first, last + 1, step)
    return counts, step * binomial_pmf(counts, m, np.asarray(p))


# --- binomial ----------------------------------------------------------------------------------------

SMALL = np.array(
    [0.0] + [math.lgamma(n + 1) - HALF_LOG_2PI - (n + 0.5) * math.log(n) + n for n in range(1, 20)]
)
"""Stirling's error for n < 20, where its series is inaccurate; 0 at n = 0."""


def stirling_error(n: IntArray) -> FloatArray:
    """Return log n! minus Stirling's formula; 0 for n = 0."""
    x = np.maximum(n, 20.0)
    w = 1.0 / (x * x)
    series = (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w / 1188)))) / x
    return np.asarray(np.where(n < 20, SMALL[np.minimum(n, 19)], series))


def _log_mode_mass(k: int, n: int) -> float:
    if not 0 < k < n:
        return 0.0
    error = _stirling_error(n) - _stirling_error(k) - _stirling_error(n - k)
    return error - HALF_LOG_2PI - 0.5 * math.log(k * (n - k) / n)


def _stirling_error(n: int) -> float:
    if n < 20:
        return float(SMALL[n])
    w = 1.0 / (n * n)
    return (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w / 1188)))) / n


def log_mode_mass(k: IntArray, n: int) -> FloatArray:
    """Return log of C(n, k) (k/n)^k (1 - k/n)^(n - k), the mass at k of the binomial with mean k."""
    j = n - k
    inside = (k > 0) & (j > 0)
    value = -HALF_LOG_2PI - 0.5 * np.log(np.where(inside, k / max(n, 1) * j, 1.0))
    value += stirling_error(np.array(n)) - stirling_error(k) - stirling_error(j)
    return np.asarray(np.where(inside, value, 0.0))


def binomial_pmf(k: IntArray | int, n: int, p: FloatArray) -> FloatArray:
    """Return P(Bin(n, p) = k) with broadcasting; relative error 1e-13 within ten standard deviations."""
    if n == 0:
        return np.asarray(np.where(k + 0.0 * p == 0.0, 1.0, 0.0))
    mean = n * p
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # Loader's deviance: k log(k / mean) + mean - k and its mirror image, written without cancellation;
        # the linear terms add up to zero.
        deviance = xlog1py(k, (k - mean) / mean) + xlog1py(n - k, (mean - k) / (n - mean))
        height = _log_mode_mass(k, n) if isinstance(k, int) else log_mode_mass(k, n)
        mass = np.exp(height - deviance)
    if np.min(p) > 0.0 and np.max(p) < 1.0:
        return np.asarray(mass)
    sure = (p <= 0.0) | (p >= 1.0)
    return np.asarray(np.where(sure, np.where(p <= 0.0, k == 0, k == n), mass), dtype=np.float64)


def binomial_tail(k: IntArray, n: int, p: float) -> FloatArray:
    """Return P(Bin(n, p) >= k), for any integer k."""
    variance = n * p * (1.0 - p)
    if variance > SMOOTH:
        # Edgeworth expansion; an incomplete beta function takes 50 microseconds here.
        z = (k - 0.5 - n * p) / math.sqrt(variance)
        square, skewness = z * z, (1.0 - 2.0 * p) / math.sqrt(variance)
        terms = skewness / 6.0 * (square - 1.0) + z / 24.0 * (1.0 / variance - 6.0 / n) * (square - 3.0)
        terms += skewness * skewness / 72.0 * z * (square * square - 10.0 * square + 15.0)
        terms -= z / (24.0 * variance)
        return np.clip(ndtr(-z) + np.exp(-0.5 * square) / math.sqrt(2.0 * math.pi) * terms, 0.0, 1.0)
    inside = betainc(np.clip(k, 1, n), n - np.clip(k, 1, n) + 1.0, p)
    return np.where(k < 1, 1.0, np.where(k > n, 0.0, inside))


def hypergeometric_tails(k: int, m: int, hits: int, n: int) -> tuple[float, float]:
    """Return P(X <= k) and P(X >= k), X the number of `hits` among m of n cases without replacement.

    A mass is Bin(x; m, p) Bin(hits - x; n - m, p) / Bin(hits; n, p) for any p; hits/n is accurate. Sums run
    over the window around the mean, or beyond k if k is outside of it.
    """
    p = np.asarray(hits / n)
    mean, around = m * hits / n, float(bernstein_bound(m * p * (1.0 - p) * (n - m) / max(1, n - 1)))
    first, last = max(0, hits - n + m), min(m, hits)

    def mass(low: float, high: float) -> float:
        x = np.arange(max(first, math.floor(low)), min(last, math.ceil(high)) + 1)
        return float(np.sum(binomial_pmf(x, m, p) * binomial_pmf(hits - x, n - m, p)))

    whole = float(binomial_pmf(hits, n, p))
    less, greater = mass(min(mean, k) - around, k), mass(k, max(mean, k) + around)
    return min(1.0, less / whole), min(1.0, greater / whole)


# --- quantiles of a discrete distribution ------------------------------------------------------------


def discrete_quantile(
    cdf: Callable[[int], float], prob: float, first: int, last: int, mean: float, deviation: float
) -> int:
    """Return the smallest integer k in [first, last] with cdf(k) >= prob, up to `ROUNDING`.

    Starts at the normal quantile, followed by secant steps on the scale of normal scores, on which a nearly
    normal distribution is nearly linear, and by bisection.

    Parameters
    ----------
    cdf : callable
        Cumulative probability at an integer; one at `last`.
    prob : float
    first, last : int
    mean, deviation : float
        Approximate mean and standard deviation.
    """
    level = prob * (1.0 - ROUNDING)
    target = float(ndtri(level))
    low, high = first - 1, last
    score_low = score_high = math.nan
    guess = mean + target * deviation
    steps = 0
    while high - low > 1:
        steps += 1
        if steps > SECANT_STEPS or not math.isfinite(guess):
            guess = (low + high) // 2
        k = min(max(math.ceil(guess), low + 1), high - 1)
        reached = cdf(k)
        score = float(ndtri(reached))
        if reached >= level:
            high, score_high = k, score
        else:
            low, score_low = k, score
        if score_low < score_high < math.inf:
            guess = low + (target - score_low) / (score_high - score_low) * (high - low)
        else:
            guess = k + (target - score) * deviation
    return high


def first_reaching(cumulative: FloatArray, levels: FloatArray) -> IntArray:
    """Return the first positions where cumulative probabilities bernstein_bound the levels, up to `ROUNDING`.

    `cumulative` has a distribution in each row; the last position is returned for levels not reached.
    """
    wanted = levels * (1.0 - ROUNDING)
    places = [np.searchsorted(row, wanted) for row in cumulative]
    found = np.reshape(places, (len(cumulative), len(wanted)))
    return np.asarray(np.minimum(found, cumulative.shape[1] - 1), dtype=np.int64)


# --- the difference of two discordant counts --------------------------------------------------------- Of n
# cases, n10 pass only the first threshold and n01 only the second. In m draws with replacement D = M10 - M01
# is a sum of m independent steps in {-1, 0, 1}. Its characteristic function has a closed form and is
# negligible except at few frequencies, so any probability of D is a sum of a few dozen terms for any m.


def step_power(share: FloatArray, tilt: FloatArray, m: int, angle: FloatArray) -> ComplexArray:
    """Return (1 - share + share cos t + i tilt sin t)^m: the characteristic function of m steps at t.

    A step is +-1 with probability `share` and has mean `tilt`. Uses log1p, since m times the rounding error
    of a number near one would not be small.
    """
    re = -2.0 * share * np.square(np.sin(angle / 2.0))
    im = tilt * np.sin(angle)
    with np.errstate(divide="ignore"):
        log_size = 0.5 * m * np.log1p(np.maximum(2.0 * re + re * re + im * im, -1.0))
    turn = m * np.arctan2(im, 1.0 + re)
    return np.asarray(np.exp(log_size) * (np.cos(turn) + 1j * np.sin(turn)))


def _matched_window(n10: ArrayLike, n01: ArrayLike, n: int, m: int) -> tuple[FloatArray, ...]:
    """Return the probability of a step, its mean, and the first and the last relevant difference."""
    up, down = np.atleast_1d(np.asarray(n10)), np.atleast_1d(np.asarray(n01))
    share, tilt = (up + down) / n, (up - down) / n
    around = bernstein_bound(m * np.maximum(share - tilt * tilt, 0.0))
    return share, tilt, np.maximum(np.floor(m * tilt - around), -m), np.minimum(np.ceil(m * tilt + around), m)


def matched_law(n10: ArrayLike, n01: ArrayLike, n: int, m: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return P(D >= 0), P(D = 0) and P(D <= 0), with absolute error 1e-13.

    `n10` and `n01` are arrays of equal shape (h,). Dugas & Gadoury (2009), eqs. 10-11; n10 = n (their u = 1)
    is no special case.
    """
    share, tilt, low, high = _matched_window(n10, n01, n, m)
    # An odd period, so that no frequency equals its mirror image.
    period = 2.0 * np.floor((np.maximum(high, 0) - np.minimum(low, 0)) / 2.0) + 1.0
    period += 2.0 * (period < np.maximum(high, 0) - np.minimum(low, 0) + 1.0)
    deviation = np.sqrt(m * np.maximum(share - tilt * tilt, 1e-300))
    falls = share * share - tilt * tilt <= share * (1.0 - share)
    # The modulus is at most exp(-(deviation t / pi)^2) there.
    needed = np.where(falls, np.minimum(period // 2, 3.3 * period / deviation + 1.0), period // 2)
    out = np.empty((3, len(share)))
    order = np.argsort(needed)
    start = 0
    while start < len(order):
        stop = start + 1
        while stop < len(order) and (stop + 1 - start) * (needed[order[stop]] + 1.0) <= BATCH:
            stop += 1
        at = order[start:stop]
        f = np.arange(1, int(needed[at].max()) + 1)[None, :]
        in_period = f <= period[at, None] // 2
        angle = 2.0 * np.pi * f / period[at, None]
        phi = np.where(in_period, step_power(share[at, None], tilt[at, None], m, angle), 0.0)
        last = np.maximum(high[at], 0.0)
        # Sum over d = 0..last of exp(-i t d).
        ratio = np.sin((last[:, None] + 1.0) * angle / 2.0) / np.sin(angle / 2.0)
        geometric = ratio * np.exp(-0.5j * angle * last[:, None])
        out[0, at] = (last + 1.0 + 2.0 * (phi * geometric).real.sum(axis=1)) / period[at]
        out[1, at] = (1.0 + 2.0 * phi.real.sum(axis=1)) / period[at]
        start = stop
    out[:2] = np.clip(out[:2], 0.0, 1.0)
    out[1] = np.minimum(out[1], out[0])
    out[2] = np.clip(1.0 - out[0] + out[1], 0.0, 1.0)
    return out[0], out[1], out[2]


def matched_pmf(n10: int, n01: int, n: int, m: int) -> FloatArray:
    """Return P(D = d) for d = -m, ..., m."""
    angle = 2.0 * np.pi * np.arange(m + 1) / (2 * m + 1)
    phi = step_power(np.array((n10 + n01) / n), np.array((n10 - n01) / n), m, angle)
    return np.asarray(unwrap(phi[None, :], np.array([-m]), 2 * m + 1)[0])


def matched_quantiles(n10: ArrayLike, n01: ArrayLike, n: int, m: int, probs: ArrayLike) -> FloatArray:
    """Return, per threshold and level, the smallest d/m with P(D <= d) >= level; shape (h, levels)."""
    share, tilt, *window = _matched_window(n10, n01, n, m)
    low, high = (end.astype(np.int64) for end in window)
    levels = np.asarray(probs, dtype=np.float64)
    out = np.empty((len(share), len(levels)))
    if int((high - low).max(initial=0)) > LAID_OUT:
        return _smooth_quantiles(share, tilt, m, levels)
    rows = max(1, BATCH // int((high - low).max() + 1))
    for start in range(0, len(share), rows):
        at = slice(start, start + rows)
        period = int((high[at] - low[at]).max()) + 1
        angle = 2.0 * np.pi * np.arange(period // 2 + 1) / period
        phi = step_power(share[at, None], tilt[at, None], m, angle)
        out[at] = lattice_quantiles(unwrap(phi, low[at], period), low[at], levels) / m
    return out


def _smooth_quantiles(share: FloatArray, tilt: FloatArray, m: int, levels: FloatArray) -> FloatArray:
    """Quantiles for so many steps that masses are not computed, after Cornish & Fisher (1938).

    With `LAID_OUT` differences in the window the standard deviation exceeds 1e5 steps. Neglected terms and
    the lattice change a quantile by a step or two, less than 1e-5 of the standard deviation.
    """
    variance = share - tilt * tilt
    deviation = np.sqrt(np.maximum(m * variance, 0.0))
    third = m * tilt * (1.0 - 3.0 * share + 2.0 * tilt * tilt)
    z = ndtri(levels)
    skewed = np.divide(third, deviation**2, out=np.zeros_like(third), where=deviation > 0.0)
    x = (m * tilt)[:, None] + deviation[:, None] * z + skewed[:, None] * (z * z - 1.0) / 6.0
    return np.asarray(np.clip(np.ceil(x - 0.5), -m, m) / m)


def unwrap(phi: ComplexArray, low: IntArray, period: int) -> FloatArray:
    """Return the masses at low, low + 1, ..., low + period - 1 from the characteristic function, per row."""
    wrapped = np.fft.irfft(phi.conj(), n=period, axis=1)
    at = (low[:, None] + np.arange(period)) % period
    return np.maximum(np.take_along_axis(wrapped, at, axis=1), 0.0)


def lattice_quantiles(masses: FloatArray, low: IntArray, levels: FloatArray) -> FloatArray:
    """Return the first lattice point whose cumulative probability reaches each level, up to rounding."""
    cumulative = np.cumsum(masses, axis=1)
    cumulative /= cumulative[:, -1:]
    return np.asarray(low[:, None] + first_reaching(cumulative, levels), dtype=np.float64)


# --- the difference between two independent proportions ----------------------------------------------


def independent_law(
    k_a: IntArray, n_a: int, m_a: int, k_b: IntArray, n_b: int, m_b: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return P(D >= 0), P(D = 0) and P(D <= 0) of D = A/m_a - B/m_b, A ~ Bin(m_a, k_a/n_a), B likewise."""
    ge, eq = np.empty(len(k_a)), np.empty(len(k_a))
    for i, (p, q) in enumerate(zip((k_a / n_a).tolist(), (k_b / n_b).tolist(), strict=True)):
        j, mass = binomial_cells(q, m_b)
        ge[i] = inner(mass, binomial_tail(_at_least(j, m_a, m_b), m_a, p))
        eq[i] = _equal(p, m_a, q, m_b)
    return np.minimum(ge, 1.0), eq, np.clip(1.0 - ge + eq, 0.0, 1.0)


def _at_least(j: IntArray, m_a: int, m_b: int) -> IntArray:
    """Return j·m_a/m_b rounded up: exact without overflow, else within one case in 1e11."""
    if int(j[-1]) * m_a < 2**62:
        return np.asarray(-(-j * m_a // m_b))
    return np.asarray(np.ceil(j * (m_a / m_b) * (1.0 - 1e-16)), dtype=np.int64)


def _equal(p: float, m_a: int, q: float, m_b: int) -> float:
    """P(A/m_a = B/m_b), a sum over the counts i·a and i·b in the lowest terms of a/b = m_a/m_b."""
    common = math.gcd(m_a, m_b)
    a, b = m_a // common, m_b // common
    ends = (binomial_ends(p, m_a), a), (binomial_ends(q, m_b), b)
    first, last = max(-(-low // n) for (low, _), n in ends), min(high // n for (_, high), n in ends)
    step = 1 if last - first <= LAID_OUT else (last - first) // CELLS
    i = np.arange(first, last + 1, step)
    return step * inner(binomial_pmf(i * a, m_a, np.asarray(p)), binomial_pmf(i * b, m_b, np.asarray(q)))


def independent_quantiles(
    k_a: IntArray, n_a: int, m_a: int, k_b: IntArray, n_b: int, m_b: int, probs: tuple[float, ...]
) -> FloatArray:
    """Return quantiles of D = A/m_a - B/m_b; shape (number of thresholds, number of levels).

    A quantile is the smallest difference whose cumulative probability reaches the level.
    """
    if m_b > max(m_a, SMALLER):
        # Sum over the counts of the smaller sample; the distribution of the other is smooth.
        turned = tuple(1.0 - prob for prob in probs)
        return -independent_quantiles(k_b, n_b, m_b, k_a, n_a, m_a, turned)
    result = np.empty((len(k_a), len(probs)))
    # A lattice finer than double precision is ignored.
    whole = min(math.lcm(m_a, m_b), 2**60)
    for i, (p, q) in enumerate(zip((k_a / n_a).tolist(), (k_b / n_b).tolist(), strict=True)):
        j, mass = binomial_cells(q, m_b)

        def cdf(d: int, p: float = p, j: IntArray = j, mass: FloatArray = mass) -> float:
            """P(D <= d / whole)."""
            if whole < 2**60:
                most = (d + j * (whole // m_b)) // (whole // m_a)
            else:
                most = np.floor(m_a * (d / whole + j / m_b) * (1.0 + 1e-16)).astype(np.int64)
            return 1.0 - inner(mass, binomial_tail(most + 1, m_a, p))

        deviation = whole * math.sqrt(p * (1.0 - p) / m_a + q * (1.0 - q) / m_b)
        result[i] = [
            discrete_quantile(cdf, level, -whole, whole, whole * (p - q), deviation) / whole
            for level in probs
        ]
    return result
