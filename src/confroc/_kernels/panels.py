"""Moments of weights over the panels of a rule."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def panel_moments(
    count: NDArray[np.int64],
    weight: NDArray[np.float64],
    begin: NDArray[np.int64],
    centre: NDArray[np.float64],
    scale: NDArray[np.float64],
    moments: NDArray[np.float64],
) -> None:
    """Add up, per panel, each row's weight times the Chebyshev polynomials at (count − centre)·scale.

    Panel k holds the rows from begin[k] to begin[k + 1]; `moments` has a column per degree, two at least.
    """
    for k in range(begin.shape[0] - 1):
        for i in range(begin[k], begin[k + 1]):
            t = (count[i] - centre[k]) * scale[k]
            before = weight[i]
            current = before * t
            moments[k, 0] += before
            moments[k, 1] += current
            for degree in range(2, moments.shape[1]):
                following = 2.0 * t * current - before
                before = current
                current = following
                moments[k, degree] += following
