"""Linear passes over two models' scores of the same cases.

Random memory access is much slower than sequential access, so cases are first moved next to the part of the
table they belong to, a part small enough for the cache.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from confroc._types import FloatArray, IntArray

BLOCK = 32
"""Number of interleaved searches, to hide memory latency."""


def last_not_below(
    score: FloatArray,
    begin: int,
    end: int,
    values: FloatArray,
    first: int,
    count: int,
    at: IntArray,
) -> None:
    """For `count` values from `first`, the last position in [begin, end) of `score` not below the value.

    `score` decreases there and starts no lower than any of the values.
    """
    for j in range(count):
        at[j] = begin
    size = end - begin
    while size > 1:
        half = size // 2
        for j in range(count):
            at[j] += half if score[at[j] + half] >= values[first + j] else 0
        size -= half


def bring_together(
    values: FloatArray,
    carried: NDArray[Any],
    heads: FloatArray,
    place: IntArray,
    out_values: FloatArray,
    out_carried: NDArray[Any],
) -> None:
    """Move values and their companions to the part of the table whose `heads` (decreasing) fit.

    `place` has the positions of each part's values, and is overwritten.
    """
    part = np.empty(BLOCK, np.int64)
    for first in range(0, values.shape[0], BLOCK):
        count = min(BLOCK, values.shape[0] - first)
        last_not_below(heads, 0, heads.shape[0], values, first, count, part)
        for j in range(count):
            at = place[part[j]]
            place[part[j]] = at + 1
            out_values[at] = values[first + j]
            out_carried[at] = carried[first + j]


def add_ranks(
    values: FloatArray,
    score: FloatArray,
    step: int,
    begin: IntArray,
    factor: int,
    codes: IntArray,
) -> None:
    """Add `factor` times each value's position in `score` to its code.

    Part k of the values, from begin[k] to begin[k + 1], lies in score[k * step : (k + 1) * step].
    """
    at = np.empty(BLOCK, np.int64)
    for part in range(begin.shape[0] - 1):
        low = part * step
        high = min(low + step, score.shape[0])
        for first in range(begin[part], begin[part + 1], BLOCK):
            count = min(BLOCK, begin[part + 1] - first)
            last_not_below(score, low, high, values, first, count, at)
            for j in range(count):
                codes[first + j] += factor * at[j]


def merge_codes(
    pos_codes: IntArray,
    neg_codes: IntArray,
    size_b: int,
    index_a: IntArray,
    index_b: IntArray,
    pos: IntArray,
    neg: IntArray,
) -> int:
    """Merge the two classes' codes, index_a * size_b + index_b, ascending; return the rows used."""
    n_pos = pos_codes.shape[0]
    n_neg = neg_codes.shape[0]
    i = 0
    j = 0
    row = -1
    last = -1
    while i < n_pos or j < n_neg:
        positive = j == n_neg or (i < n_pos and pos_codes[i] <= neg_codes[j])
        code = pos_codes[i] if positive else neg_codes[j]
        if code != last:
            last = code
            row += 1
            index_a[row] = code // size_b
            index_b[row] = code - index_a[row] * size_b
            pos[row] = 0
            neg[row] = 0
        if positive:
            pos[row] += 1
            i += 1
        else:
            neg[row] += 1
            j += 1
    return row + 1
