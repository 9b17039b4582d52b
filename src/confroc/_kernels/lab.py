"""Counting across many samples at once: every row of an array is one sample."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def ranks(
    of_sorted: NDArray[np.float64],
    among_sorted: NDArray[np.float64],
    at_least: NDArray[np.int64],
    above: NDArray[np.int64],
) -> None:
    """Per row, for each value of `of_sorted`: how many of `among_sorted` reach it, and how many exceed it.

    Both inputs increase along each row; one linear merge a row.
    """
    for i in range(of_sorted.shape[0]):
        n = among_sorted.shape[1]
        low = 0
        high = 0
        for j in range(of_sorted.shape[1]):
            x = of_sorted[i, j]
            while low < n and among_sorted[i, low] < x:
                low += 1
            if high < low:
                high = low
            while high < n and among_sorted[i, high] <= x:
                high += 1
            at_least[i, j] = n - low
            above[i, j] = n - high


def count_at(scores: NDArray[np.float64], threshold: NDArray[np.float64], counts: NDArray[np.int64]) -> None:
    """Per row, how many scores reach each threshold; thresholds increase. `counts` starts at zero."""
    h = threshold.shape[0]
    for i in range(scores.shape[0]):
        for j in range(scores.shape[1]):
            x = scores[i, j]
            low = 0
            high = h
            while low < high:
                middle = (low + high) // 2
                if threshold[middle] <= x:
                    low = middle + 1
                else:
                    high = middle
            if low > 0:
                counts[i, low - 1] += 1
        for k in range(h - 2, -1, -1):
            counts[i, k] += counts[i, k + 1]
