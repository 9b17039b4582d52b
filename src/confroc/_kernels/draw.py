"""Drawing the cases of bootstrap resamples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from confroc._types import IntArray

RUN = 2**13
"""Block size of consecutive cases, so that counts fit the cache."""


def draw_cases(
    generator: np.random.Generator, draws: IntArray, rows: NDArray[np.int32], out: IntArray
) -> None:
    """Fill `out`, of shape (r, d), with the counts of cases drawn with replacement, by row.

    `draws`, of shape (r, k), has the numbers drawn from each block of cases, and `rows` the row of every
    case, or is empty if each row is one case.
    """
    tied = rows.shape[0] > 0
    n = rows.shape[0] if tied else out.shape[1]
    drawn = np.empty(RUN, np.int64)
    for r in range(out.shape[0]):
        if tied:
            out[r] = 0
        for k in range(draws.shape[1]):
            first = k * RUN
            length = min(RUN, n - first)
            here = drawn if tied else out[r, first : first + length]
            here[:length] = 0
            for _ in range(draws[r, k]):
                here[int(generator.random() * length)] += 1
            if tied:
                for i in range(length):
                    out[r, rows[first + i]] += here[i]
