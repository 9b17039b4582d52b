"""One-sided limits of a polyline with jumps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from confroc._types import FloatArray

CHUNK = 2**14
"""Block size, to limit memory."""


def one_sided_limits(
    x: FloatArray, y: FloatArray, at: FloatArray, out: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Left and right limits at `at` of the polyline through (x, y); repeated x are jumps.

    `x` is non-decreasing. Outside its range the polyline continues with its end values. With `out`, of shape
    (2, len(at)), the limits are written to its rows.
    """
    left, right = np.empty((2, len(at))) if out is None else out
    for start in range(0, len(at), CHUNK):
        part = slice(start, start + CHUNK)
        here = at[part]
        j = np.searchsorted(x, here, side="left")
        nearest = np.minimum(j, len(x) - 1)
        at_knot = x[nearest] == here
        # Only at a knot do the limits differ: its first ordinate and its last.
        left[part] = right[part] = y[nearest]
        knots, rest = np.flatnonzero(at_knot), np.flatnonzero(~at_knot)
        right[start + knots] = y[np.searchsorted(x, here[knots], side="right") - 1]
        left[start + rest] = right[start + rest] = _between(x, y, here[rest], j[rest])
    return left, right


def _between(x: FloatArray, y: FloatArray, at: FloatArray, j: NDArray[np.intp]) -> FloatArray:
    """Return values on the segments from knots j − 1 to knots j."""
    b, a = np.clip(j, 0, len(x) - 1), np.clip(j - 1, 0, len(x) - 1)
    # Halves, because the distance of two scores may overflow.
    run = 0.5 * x[b] - 0.5 * x[a]
    share = np.divide(0.5 * at - 0.5 * x[a], run, out=np.zeros_like(at), where=run > 0.0)
    # Keep exact ordinates at the ends.
    value: FloatArray = np.where((share >= 1.0) | (at >= x[b]), y[b], y[a] + share * (y[b] - y[a]))
    return value
