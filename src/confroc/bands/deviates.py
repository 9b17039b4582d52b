"""The deviate at which each resample's ellipse band holds a known curve, in arrays or compiled.

Both ways walk the same paths: for each true point, along the resample's operating points in both
directions, until no nearer one can follow. The arrays serve small studies, which would otherwise wait
for the compiler.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from confroc import _kernels
from confroc._kernels.band_paths import critical_deviates

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]

COMPILED_FROM = 2_000_000
"""Cases times thresholds from which the compiled kernel is used: smaller tables of deviates are cheap."""

OFFSETS = (8, -8, 24, -24, 3, -3, 48, -48, 14, -14)
"""Neighbours that are tried first, to rule out the true points whose paths need not be followed."""

CHUNK = 2
"""True points of each resample that are followed at once."""


class _Side(NamedTuple):
    """One class in one role: deviates by count and true point, and counts by resample and threshold."""

    table: FloatArray
    k: IntArray


def _deviate(k: FloatArray, n: int, p: FloatArray) -> FloatArray:
    """Φ⁻¹(P(Bin(n, p) <= k)) by Peizer & Pratt (1968); see `binomial_deviate`, its scalar twin."""
    inside = (k >= 0.0) & (k < n)
    outside = np.where(k < 0.0, -40.0, 40.0)
    k = np.where(inside, k, 0.0)
    q = 1.0 - p
    s = k + 0.5
    t = n - s
    d = s + 1.0 / 6.0 - (n + 1.0 / 3.0) * p + 0.02 * (q / (k + 1.0) - p / (n - k) + (q - 0.5) / (n + 1.0))
    off = s - n * p
    spread = (1.0 + 1.0 / (6.0 * n)) * n * p * q
    near = off * off <= 1e-6 * spread
    gain = np.maximum(s * np.log(s) + t * np.log(t) - s * np.log(n * p) - t * np.log(n * q), 0.0)
    far = d / np.abs(np.where(near, 1.0, off)) * np.sqrt(2.0 * gain / (1.0 + 1.0 / (6.0 * n)))
    value = np.where(near, d / np.sqrt(spread), far)
    return np.where(inside, value, outside)


def _segment(a0: FloatArray, b0: FloatArray, a1: FloatArray, b1: FloatArray) -> FloatArray:
    """Least √(a₊² + b₊²) on segments; see `segment_distance`, its scalar twin."""
    da, db = a1 - a0, b0 - b1
    start = np.where((a0 < 0.0) & (da > 0.0), -a0 / np.where(da > 0.0, da, 1.0), 0.0)
    stop = np.where((b1 < 0.0) & (db > 0.0), b0 / np.where(db > 0.0, db, 1.0), 1.0)
    zero = ((a0 <= 0.0) & (b0 <= 0.0)) | ((a1 <= 0.0) & (b1 <= 0.0))
    zero |= (a0 <= 0.0) & (b1 <= 0.0) & (stop <= start) & (start <= 1.0)
    length = da * da + db * db
    foot = np.where(length > 0.0, (b0 * db - a0 * da) / np.where(length > 0.0, length, 1.0), 0.0)
    foot = np.clip(np.minimum(np.maximum(foot, start), stop), 0.0, 1.0)
    distance = np.hypot(np.maximum(a0 + foot * da, 0.0), np.maximum(b0 - foot * db, 0.0))
    return np.where(zero, 0.0, distance)


def _vertex(a: _Side, b: _Side, r: IntArray, j: IntArray, i: IntArray) -> tuple[FloatArray, FloatArray]:
    """Where resample r's path is at threshold j, seen from true point i."""
    return a.table[a.k[r, j], i], b.table[b.k[r, j], i]


def _norm(a: FloatArray, b: FloatArray) -> FloatArray:
    distance: FloatArray = np.sqrt(np.maximum(a, 0.0) ** 2 + np.maximum(b, 0.0) ** 2)
    return distance


def _follow(a_side: _Side, b_side: _Side, r: IntArray, i: IntArray, least: FloatArray) -> FloatArray:
    """Distance from the origin to the path of resample r[m] seen from true point i[m], for each m."""
    last = a_side.k.shape[1] - 1
    everyone = np.arange(len(r))
    a_own, b_own = _vertex(a_side, b_side, r, i, i)
    best = _norm(a_own, b_own)
    for way in (1, -1):
        m, j, a, b = everyone, i, a_own, b_own
        while True:
            near, still = (a, b) if way == 1 else (b, a)
            going = (j != (last if way == 1 else 0)) & (best[m] > least[m]) & (near < best[m]) & (still > 0.0)
            m, j, a, b = m[going], j[going] + way, a[going], b[going]
            if not len(m):
                break
            a_next, b_next = _vertex(a_side, b_side, r[m], j, i[m])
            found = _segment(a, b, a_next, b_next) if way == 1 else _segment(a_next, b_next, a, b)
            best[m] = np.minimum(best[m], found)
            a, b = a_next, b_next
    return best


def _one_side(a_side: _Side, b_side: _Side, used: Mask, least: FloatArray) -> FloatArray:
    """Largest distance over true points, for each resample, or `least`."""
    point = np.arange(a_side.k.shape[1])
    a, b = _vertex(a_side, b_side, np.arange(len(least))[:, None], point, point)
    # A path is no farther than any of its vertices: only points far from all those tried can matter.
    bound = np.where(used, _norm(a, b), -1.0)
    least = least.copy()
    width = min(CHUNK, len(point))

    def try_vertices(offset: int) -> None:
        r, i = np.nonzero(bound > least[:, None])
        j = np.clip(i + offset, 0, len(point) - 1)
        bound[r, i] = np.minimum(bound[r, i], _norm(*_vertex(a_side, b_side, r, j, i)))

    def follow_farthest() -> bool:
        rows = np.flatnonzero(bound.max(axis=1) > least)
        top = np.argpartition(bound[rows], -width, axis=1)[:, -width:]
        r, i = np.repeat(rows, width), top.ravel()
        wanted = bound[r, i] > least[r]
        r, i = r[wanted], i[wanted]
        np.maximum.at(least, r, _follow(a_side, b_side, r, i, least[r]))
        bound[r, i] = -1.0
        return len(rows) > 0

    # A first good value of `least` spares most of the trials that follow.
    for offset in OFFSETS[:2]:
        try_vertices(offset)
    follow_farthest()
    for offset in OFFSETS[2:]:
        try_vertices(offset)
    while follow_farthest():
        pass
    return least


def critical_in_arrays(
    neg: IntArray, pos: IntArray, x: FloatArray, y: FloatArray, n_neg: int, n_pos: int, used: Mask
) -> FloatArray:
    """Deviate of each resample, as `critical_deviates` gives it, without a compiler."""
    below_neg, at_neg = (_deviate(np.arange(n_neg + 1.0)[:, None] - s, n_neg, x) for s in (1.0, 0.0))
    below_pos, at_pos = (_deviate(np.arange(n_pos + 1.0)[:, None] - s, n_pos, y) for s in (1.0, 0.0))
    upper = _one_side(_Side(below_neg, neg), _Side(-at_pos, pos), used, np.zeros(len(neg)))
    return _one_side(_Side(below_pos, pos), _Side(-at_neg, neg), used, upper)


def critical(
    neg: IntArray, pos: IntArray, x: FloatArray, y: FloatArray, n_neg: int, n_pos: int, used: Mask
) -> FloatArray:
    """Deviate at which each resample's ellipse band holds the true curve.

    Parameters
    ----------
    neg, pos : ndarray of int, shape (B, G)
        Cases above each of G thresholds, per resample. The first and the last threshold should have none
        and all above them: paths start and end there.
    x, y : ndarray of shape (G,)
        True rates at the thresholds, increasing, inside (0, 1).
    n_neg, n_pos : int
        Cases of a resample.
    used : ndarray of bool, shape (G,)
        Points of the curve that the band must hold.

    Returns
    -------
    ndarray of shape (B,)
    """
    if (n_neg + n_pos) * len(x) < COMPILED_FROM:
        return critical_in_arrays(neg, pos, x, y, n_neg, n_pos, used)
    out = np.empty(len(neg))
    _kernels.compiled(critical_deviates, parallel=True)(neg, pos, x, y, n_neg, n_pos, used, out)
    return out
