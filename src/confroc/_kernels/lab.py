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


def placement_moments(
    of_sorted: NDArray[np.float64],
    among_sorted: NDArray[np.float64],
    placement: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    """Mean and sums of centred second and fourth powers of the placements in each row.

    The placement of a value of `of_sorted` is the share of `among_sorted` that it exceeds, ties one half;
    `placement` is room for one row of them.
    """
    m = of_sorted.shape[1]
    n = among_sorted.shape[1]
    for i in range(of_sorted.shape[0]):
        low = 0
        high = 0
        twice = 0
        for j in range(m):
            x = of_sorted[i, j]
            while low < n and among_sorted[i, low] < x:
                low += 1
            if high < low:
                high = low
            while high < n and among_sorted[i, high] <= x:
                high += 1
            twice += low + high
            placement[j] = (low + high) / (2.0 * n)
        mean = twice / (2.0 * n * m)
        second = 0.0
        fourth = 0.0
        for j in range(m):
            square = (placement[j] - mean) * (placement[j] - mean)
            second += square
            fourth += square * square
        sums[i, 0] = mean
        sums[i, 1] = second
        sums[i, 2] = fourth


def count_sorted(
    scores: NDArray[np.float64], threshold: NDArray[np.float64], counts: NDArray[np.int64]
) -> None:
    """Per row of increasing scores, how many reach each of the increasing thresholds."""
    n = scores.shape[1]
    for i in range(scores.shape[0]):
        low = 0
        for j in range(threshold.shape[0]):
            high = n
            while low < high:
                middle = (low + high) // 2
                if scores[i, middle] < threshold[j]:
                    low = middle + 1
                else:
                    high = middle
            counts[i, j] = n - low


def levels(scores: NDArray[np.float64], threshold: NDArray[np.float64], level: NDArray[np.int64]) -> None:
    """How many of the increasing thresholds each score reaches."""
    for i in range(scores.shape[0]):
        for j in range(scores.shape[1]):
            x = scores[i, j]
            low = 0
            high = threshold.shape[0]
            while low < high:
                middle = (low + high) // 2
                if threshold[middle] <= x:
                    low = middle + 1
                else:
                    high = middle
            level[i, j] = low


def mixture_quantiles(
    count: NDArray[np.int64],
    weight: NDArray[np.float64],
    first: NDArray[np.int64],
    cdf: NDArray[np.float64],
    prob: NDArray[np.float64],
    out: NDArray[np.int64],
) -> None:
    """Per row and place, the smallest value whose probability under a mixture reaches `prob`.

    Place j of row i mixes the laws of `cdf[count[i, first[j] + k]]` with weights `weight[j, k]`.
    """
    top = cdf.shape[1] - 1
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            low = 0
            high = top
            while low < high:
                middle = (low + high) // 2
                total = 0.0
                for k in range(weight.shape[1]):
                    total += weight[j, k] * cdf[count[i, first[j] + k], middle]
                if total >= prob[i, j]:
                    high = middle
                else:
                    low = middle + 1
            out[i, j] = low
