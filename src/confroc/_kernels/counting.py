"""Counting pairs of scores above many pairs of thresholds."""

from __future__ import annotations

import numpy as np

from confroc._types import IntArray


def counts_above_both(
    prefix: IntArray,
    below_b: IntArray,
    index_b: IntArray,
    count: IntArray,
    ranks: int,
) -> IntArray:
    """Sum of `count` over the first `prefix[i]` rows with rank `index_b` below `below_b[i]`, for each i.

    `prefix` is non-decreasing; ranks are below `ranks`. A binary indexed tree over the ranks accumulates the
    rows as the prefix grows.
    """
    tree = np.zeros(ranks + 1, np.int64)
    out = np.zeros(prefix.shape[0], np.int64)
    row = 0
    for i in range(prefix.shape[0]):
        while row < prefix[i]:
            node = index_b[row] + 1
            while node <= ranks:
                tree[node] += count[row]
                node += node & -node
            row += 1
        node = below_b[i]
        total = 0
        while node > 0:
            total += tree[node]
            node -= node & -node
        out[i] = total
    return out
