"""The difference of two discordant counts: m draws, each one step up, one step down, or none.

Of n cases, `n10` pass only the first threshold and `n01` only the second. In m draws with replacement
D = M10 - M01 is a sum of m independent steps in {-1, 0, 1} (Dugas & Gadoury 2009, eqs. 9 and 21-22).
Its characteristic function is known in closed form and negligible but at few frequencies, so any
probability of D is a sum of a few dozen terms, however large m is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from confroc._types import FloatArray, IntArray

ComplexArray = NDArray[np.complex128]

BATCH = 2_000_000
"""Numbers held at once."""


def step_power(share: FloatArray, tilt: FloatArray, m: int, angle: FloatArray) -> ComplexArray:
    """Return (1 - share + share cos t + i tilt sin t)^m: the characteristic function of m steps at t.

    A step is +-1 with probability `share` and has mean `tilt`. Written by log1p, since m times the
    rounding of a number near one would not be small.
    """
    re = -2.0 * share * np.square(np.sin(angle / 2.0))
    im = tilt * np.sin(angle)
    with np.errstate(divide="ignore"):
        log_size = 0.5 * m * np.log1p(np.maximum(2.0 * re + re * re + im * im, -1.0))
    turn = m * np.arctan2(im, 1.0 + re)
    return np.asarray(np.exp(log_size) * (np.cos(turn) + 1j * np.sin(turn)))


def spread(share: FloatArray, tilt: FloatArray, m: int) -> FloatArray:
    """Return a distance from the mean within which D stays but for less than 1e-17 (Bernstein)."""
    return np.asarray(27.0 + 9.5 * np.sqrt(m * np.maximum(share - tilt * tilt, 0.0)))


def discordant_difference_law(
    n10: ArrayLike, n01: ArrayLike, n: int, m: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return P(D >= 0), P(D = 0) and P(D <= 0), to 1e-13 in absolute terms.

    `n10` and `n01` are arrays of equal shape (h,). Dugas & Gadoury (2009), eqs. 10-11; nothing is special
    about n10 = n (their u = 1).
    """
    up, down = np.atleast_1d(np.asarray(n10)), np.atleast_1d(np.asarray(n01))
    share, tilt = (up + down) / n, (up - down) / n
    around = spread(share, tilt, m)
    low = np.maximum(np.floor(m * tilt - around), -m)
    high = np.minimum(np.ceil(m * tilt + around), m)
    # An odd period, so that no frequency is its own mirror image.
    period = 2.0 * np.floor((np.maximum(high, 0) - np.minimum(low, 0)) / 2.0) + 1.0
    period += 2.0 * (period < np.maximum(high, 0) - np.minimum(low, 0) + 1.0)
    deviation = np.sqrt(m * np.maximum(share - tilt * tilt, 1e-300))
    falls = share * share - tilt * tilt <= share * (1.0 - share)
    # There the size of the function is at most exp(-(deviation t / pi)^2).
    needed = np.where(falls, np.minimum(period // 2, 3.3 * period / deviation + 1.0), period // 2)
    out = np.empty((3, len(up)))
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


def discordant_difference_quantiles(
    n10: ArrayLike, n01: ArrayLike, n: int, m: int, probs: ArrayLike
) -> FloatArray:
    """Return, per threshold and level, the smallest d/m with P(D <= d) >= level; shape (h, levels)."""
    up, down = np.atleast_1d(np.asarray(n10)), np.atleast_1d(np.asarray(n01))
    share, tilt = (up + down) / n, (up - down) / n
    levels = np.asarray(probs, dtype=np.float64)
    around = spread(share, tilt, m)
    low = np.maximum(np.floor(m * tilt - around), -m).astype(np.int64)
    high = np.minimum(np.ceil(m * tilt + around), m).astype(np.int64)
    out = np.empty((len(up), len(levels)))
    rows = max(1, BATCH // int((high - low).max() + 1))
    for start in range(0, len(up), rows):
        at = slice(start, start + rows)
        period = int((high[at] - low[at]).max()) + 1
        angle = 2.0 * np.pi * np.arange(period // 2 + 1) / period
        phi = step_power(share[at, None], tilt[at, None], m, angle)
        out[at] = lattice_quantiles(unwrap(phi, low[at], period), low[at], levels) / m
    return out


def unwrap(phi: ComplexArray, low: IntArray, period: int) -> FloatArray:
    """Return the masses at low, low + 1, ..., low + period - 1 from the characteristic function, per row."""
    wrapped = np.fft.irfft(phi.conj(), n=period, axis=1)
    at = (low[:, None] + np.arange(period)) % period
    return np.maximum(np.take_along_axis(wrapped, at, axis=1), 0.0)


def lattice_quantiles(masses: FloatArray, low: IntArray, levels: FloatArray) -> FloatArray:
    """Return the first lattice point whose cumulative probability reaches each level, but for rounding."""
    cumulative = np.cumsum(masses, axis=1)
    cumulative /= cumulative[:, -1:]
    reached = [np.argmax(cumulative >= level - 1e-12, axis=1) for level in levels]
    return np.asarray(low[:, None] + np.stack(reached, axis=1), dtype=np.float64)
