"""Values of a polyline that may jump, from either side, and its vertices that are worth drawing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from confroc._types import FloatArray

CHUNK = 2**14
"""Abscissae that are worked on at a time, so that what is computed for each needs little memory."""
MAX_VERTICES, THIN_ERROR = 1500, 2e-3
"""Lines of more vertices are thinned, and then move by at most so much on unit axes."""


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


def thin(x: FloatArray, *ys: FloatArray, most: int = MAX_VERTICES) -> NDArray[np.intp]:
    """Return the rows worth drawing of lines y over a common x.

    Parameters
    ----------
    x : ndarray of shape (n,)
        Non-decreasing.
    *ys : ndarray of shape (n,)
        At most three.
    most : int
        Vertices, about; with fewer, lines move farther in proportion.

    Returns
    -------
    ndarray of int
        At most about `most` row numbers, the first and the last among them. All rows when there are no more
        than that.

    Notes
    -----
    Rows are put into bins of equal total variation (of x and every y, each in units of its own
    range), and the first and last row of each bin are kept. All rows of a bin then lie in a box whose
    width and height add up to at most one bin, (1 + k)/750 for k monotone lines, and no vertex of a
    monotone line is further than 1/(2√2) of that from the chord: 0.0009 of the axes for one line,
    `THIN_ERROR` for three. That is less than a pixel of a picture 500 pixels wide.
    """
    n = len(x)
    if n <= most:
        return np.arange(n)
    traveled = np.zeros(n)
    for values in (x, *ys):
        steps = np.abs(np.diff(values))
        span = float(np.ptp(values))
        if span > 0.0:
            traveled[1:] += np.cumsum(steps / span)
    bins = most // 2
    bin_of = np.minimum(traveled / traveled[-1] * bins, bins - 1).astype(np.intp)
    ends = np.flatnonzero(np.diff(bin_of))
    return np.unique(np.concatenate([[0], ends, ends + 1, [n - 1]]))
