"""Binomial masses, and sums over two binomials, inside kernels.

Numba's disk cache depends only on the file of the compiled function: after a change here, save joint.py too,
so that it is recompiled.
"""

from __future__ import annotations

import math

from confroc._types import FloatArray

HALF_LOG_2PI = 0.5 * math.log(2.0 * math.pi)
NEGLIGIBLE = 1e-19

STEPS, DEVIATIONS = 27.0, 9.5
"""A sum of steps in [-1, 1] is within this many steps and standard deviations of its mean, except with
probability 1e-17 (Bernstein)."""


def stirling_error(n: int) -> float:
    """Return log n! minus Stirling's formula."""
    if n < 16:
        return math.lgamma(n + 1.0) - (HALF_LOG_2PI + (n + 0.5) * math.log(n) - n)
    w = 1.0 / (n * n)
    return (1.0 / 12.0 - w * (1.0 / 360.0 - w * (1.0 / 1260.0 - w * (1.0 / 1680.0 - w / 1188.0)))) / n


def binomial_mass(k: int, n: int, p: float) -> float:
    """Return P(Bin(n, p) = k), 0 <= k <= n, by Loader's expansion about the mode."""
    if p <= 0.0:
        return 1.0 if k == 0 else 0.0
    if p >= 1.0:
        return 1.0 if k == n else 0.0
    if k == 0:
        return math.exp(n * math.log1p(-p))
    if k == n:
        return math.exp(n * math.log(p))
    mean = n * p
    log = stirling_error(n) - stirling_error(k) - stirling_error(n - k)
    log -= HALF_LOG_2PI + 0.5 * math.log(k * ((n - k) / n))
    log -= k * math.log1p((k - mean) / mean) + (n - k) * math.log1p((mean - k) / (n - mean))
    return math.exp(log)


def fill_binomial(n: int, p: float, out: FloatArray) -> tuple[int, int]:
    """Put the non-negligible masses of Bin(n, p) in out[low..high]; return low, high."""
    if p <= 0.0:
        out[0] = 1.0
        return 0, 0
    if p >= 1.0:
        out[n] = 1.0
        return n, n
    mode = min(n, int((n + 1) * p))
    odds = p / (1.0 - p)
    out[mode] = 1.0
    total = 1.0
    high = mode
    value = 1.0
    while high < n:
        value *= (n - high) * odds / (high + 1)
        if value < NEGLIGIBLE:
            break
        high += 1
        out[high] = value
        total += value
    low = mode
    value = 1.0
    while low > 0:
        value *= low / ((n - low + 1) * odds)
        if value < NEGLIGIBLE:
            break
        low -= 1
        out[low] = value
        total += value
    for i in range(low, high + 1):
        out[i] /= total
    return low, high


def coincidence(lead: int, r: int, q: float, s: int, b: float) -> float:
    """Return the sum over t of P(Bin(r, q) = t + lead) P(Bin(s, b) = t), lead 0 or 1: relatively exact."""
    last = min(r - lead, s)
    if last < 0 or (lead == 1 and q <= 0.0) or (lead == 0 and q >= 1.0 and s < r):
        return 0.0
    if q <= 0.0 or b <= 0.0:
        return binomial_mass(lead, r, q) * binomial_mass(0, s, b)
    if q >= 1.0:
        return binomial_mass(r - lead, s, b) if s >= r - lead else 0.0
    if b >= 1.0:
        return binomial_mass(s + lead, r, q) if r >= s + lead else 0.0
    x = q * b / ((1.0 - q) * (1.0 - b))
    # The largest term: (r - lead - t)(s - t) x = (t + 1 + lead)(t + 1), a quadratic in t.
    square = 1.0 - x
    linear = x * (r - lead + s) + 2.0 + lead
    free = x * (r - lead) * s - 1.0 - lead
    root = math.sqrt(max(0.0, linear * linear + 4.0 * square * free))
    top = min(last, max(0, int(2.0 * free / (linear + root))))
    first = binomial_mass(top + lead, r, q) * binomial_mass(top, s, b)
    total = 1.0
    value = 1.0
    t = top
    while t < last:
        value *= (r - lead - t) * (s - t) * x / ((t + 1.0 + lead) * (t + 1.0))
        if value < NEGLIGIBLE:
            break
        total += value
        t += 1
    value = 1.0
    t = top
    while t > 0:
        value *= (t + lead) * t / ((r - lead - t + 1.0) * (s - t + 1.0) * x)
        if value < NEGLIGIBLE:
            break
        total += value
        t -= 1
    return first * total


def exceedance(r: int, q: float, s: int, b: float, bu: FloatArray, bv: FloatArray) -> float:
    """Return P(Bin(s, b) > Bin(r, q))."""
    u_low, u_high = fill_binomial(r, q, bu)
    v_low, v_high = fill_binomial(s, b, bv)
    below = 0.0
    u = u_low
    total = 0.0
    for v in range(v_low, v_high + 1):
        while u < v and u <= u_high:
            below += bu[u]
            u += 1
        total += bv[v] * below
    return total


def fill_powers(share: float, tilt: float, m: int, period: int, re: FloatArray, im: FloatArray) -> int:
    """Put the characteristic function of a sum of m steps in {-1, 0, 1} at 2 pi f / period in re + i im.

    Return how many f, from 0, are not negligible. A step is +-1 with probability `share` and has mean `tilt`.
    """
    least = math.exp(-84.0 / m)
    falling = share * share - tilt * tilt <= share * (1.0 - share)
    count: int = re.shape[0]
    for f in range(count):
        angle = 2.0 * math.pi * f / period
        z_re = 1.0 - share + share * math.cos(angle)
        z_im = tilt * math.sin(angle)
        if falling and z_re * z_re + z_im * z_im < least:
            return f
        a, b = 1.0, 0.0
        left = m
        while left > 0:
            if left & 1:
                a, b = a * z_re - b * z_im, a * z_im + b * z_re
            z_re, z_im = z_re * z_re - z_im * z_im, 2.0 * z_re * z_im
            left >>= 1
        re[f] = a
        im[f] = b
    return count
