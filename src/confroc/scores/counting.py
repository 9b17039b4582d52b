"""Counting the cases above thresholds, without arrays as long as the table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from confroc._types import FloatArray, IntArray

CHUNK = 2**16
"""Rows that are worked on at a time, so that what is computed for each stays within the cache."""


def rows_above(score: FloatArray, threshold: FloatArray) -> IntArray:
    """How many of the distinct, decreasing scores are at or above each threshold."""
    # In order, each search finds its place in the cache that the last one left.
    falling = bool((threshold[1:] <= threshold[:-1]).all())
    order = slice(None) if falling else np.argsort(threshold)
    rows = np.empty(len(threshold), dtype=np.int64)
    rows[order] = len(score) - np.searchsorted(score[::-1], threshold[order], side="left")
    return rows


def sums_before(rows: IntArray, *counts: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Sums of each table of counts over its first `rows[i]` rows, for each i."""
    if len(counts[0]) <= max(CHUNK, 8 * len(rows)):
        return tuple(np.concatenate([[0], np.cumsum(count)])[rows] for count in counts)
    starts = np.sort(np.append(rows[rows < len(counts[0])], 0))
    starts = starts[np.diff(starts, prepend=-1) > 0]
    place = np.searchsorted(starts, rows)
    return tuple(np.append(0, np.cumsum(np.add.reduceat(count, starts)))[place] for count in counts)


def rows_reaching(cases: NDArray[Any], *counts: NDArray[Any]) -> IntArray:
    """First row at which so many cases have been passed, all counts together; else the number of rows."""
    if len(counts[0]) <= CHUNK:
        return np.searchsorted(np.cumsum(counts[0] if len(counts) == 1 else sum(counts)), cases)
    row = np.zeros(len(cases), dtype=np.int64)
    passed = 0
    for start in range(0, len(counts[0]), CHUNK):
        part = slice(start, start + CHUNK)
        total = np.cumsum(counts[0][part] if len(counts) == 1 else sum(count[part] for count in counts))
        total += passed
        row += np.searchsorted(total, cases)
        passed = int(total[-1])
    return row
