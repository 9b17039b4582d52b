"""Moments of weights over the panels of a quadrature rule."""

from __future__ import annotations

from confroc._types import FloatArray, IntArray


def panel_moments(
    count: FloatArray,
    weight: FloatArray,
    begin: IntArray,
    center: FloatArray,
    scale: FloatArray,
    moments: FloatArray,
) -> None:
    """Sum, per panel, each row's weight times the Chebyshev polynomials at (count − center)·scale.

    Panel k has the rows from begin[k] to begin[k + 1]; `moments` has a column per degree, at least two.
    """
    for k in range(begin.shape[0] - 1):
        for i in range(begin[k], begin[k + 1]):
            t = (count[i] - center[k]) * scale[k]
            before = weight[i]
            current = before * t
            moments[k, 0] += before
            moments[k, 1] += current
            for degree in range(2, moments.shape[1]):
                following = 2.0 * t * current - before
                before = current
                current = following
                moments[k, degree] += following
