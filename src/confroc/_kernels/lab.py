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
    pos: NDArray[np.float64],
    neg: NDArray[np.float64],
    of_pos: NDArray[np.float64],
    of_neg: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    """Mean, and sums of centred second and fourth powers, of both classes' placements in each row.

    A case's placement is the share of the other class that it exceeds, ties one half. Rows increase; one
    merge serves both classes. `of_pos` and `of_neg` are room for one row; `sums` is (2, reps, 3).
    """
    m = pos.shape[1]
    n = neg.shape[1]
    for i in range(pos.shape[0]):
        a = 0
        b = 0
        while a < m or b < n:
            if b == n or (a < m and pos[i, a] < neg[i, b]):
                of_pos[a] = b / n
                a += 1
            elif a == m or neg[i, b] < pos[i, a]:
                of_neg[b] = a / m
                b += 1
            else:
                x = pos[i, a]
                p = 1
                while a + p < m and pos[i, a + p] == x:
                    p += 1
                q = 1
                while b + q < n and neg[i, b + q] == x:
                    q += 1
                for k in range(p):
                    of_pos[a + k] = (b + 0.5 * q) / n
                for k in range(q):
                    of_neg[b + k] = (a + 0.5 * p) / m
                a += p
                b += q
        centred_moments(of_pos, sums[0, i])
        centred_moments(of_neg, sums[1, i])


def centred_moments(x: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Mean, and sums of centred second and fourth powers."""
    mean = 0.0
    for j in range(x.shape[0]):
        mean += x[j]
    mean /= x.shape[0]
    second = 0.0
    fourth = 0.0
    for j in range(x.shape[0]):
        square = (x[j] - mean) * (x[j] - mean)
        second += square
        fourth += square * square
    out[0] = mean
    out[1] = second
    out[2] = fourth


def guide_cells(threshold: NDArray[np.float64], guide: NDArray[np.int64]) -> float:
    """Fill a guide to increasing finite thresholds; return its cells per unit.

    A value x >= threshold[0] lies in cell int((x − threshold[0])·scale). That formula never falls as x grows,
    so every threshold in an earlier cell is at most x: guide[c] counts those.
    """
    h = threshold.shape[0]
    cells = guide.shape[0]
    spread = threshold[h - 1] - threshold[0]
    scale = (cells - 1) / spread if spread > 0.0 else 0.0
    for c in range(cells):
        guide[c] = 0
    for j in range(h):
        c = int((threshold[j] - threshold[0]) * scale) + 1
        if c < cells:
            guide[c] += 1
    for c in range(1, cells):
        guide[c] += guide[c - 1]
    return scale


def fill_levels(
    scores: NDArray[np.float64],
    threshold: NDArray[np.float64],
    guide: NDArray[np.int64],
    scale: float,
    level: NDArray[np.int64],
) -> None:
    """How many of the increasing thresholds each score of one sample reaches."""
    h = threshold.shape[0]
    first = threshold[0]
    last = threshold[h - 1]
    for j in range(scores.shape[0]):
        x = scores[j]
        if x < first:
            level[j] = 0
        elif x >= last:
            level[j] = h
        else:
            k = guide[int((x - first) * scale)]
            while threshold[k] <= x:
                k += 1
            level[j] = k


def reverse_sums(at_level: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
    """How many reach each threshold, from how many stand at each level."""
    above = 0
    for k in range(counts.shape[0], 0, -1):
        above += at_level[k]
        counts[k - 1] = above


def count_at(
    scores: NDArray[np.float64],
    threshold: NDArray[np.float64],
    guide: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Per row, how many scores reach each of the increasing finite thresholds; `guide` is room to work in."""
    n = scores.shape[1]
    scale = guide_cells(threshold, guide)
    level = np.empty(n, np.int64)
    at_level = np.empty(threshold.shape[0] + 1, np.int64)
    for i in range(scores.shape[0]):
        fill_levels(scores[i], threshold, guide, scale, level)
        at_level[:] = 0
        for j in range(n):
            at_level[level[j]] += 1
        reverse_sums(at_level, counts[i])


def count_at_both(
    scores: NDArray[np.float64],
    threshold_a: NDArray[np.float64],
    threshold_b: NDArray[np.float64],
    guide: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Per row of paired scores, how many reach threshold a, threshold b and both; `counts` is (3, reps, h).

    Both lists of thresholds increase, so a case reaches both of a pair exactly when its lower level does.
    """
    n = scores.shape[1]
    scale_a = guide_cells(threshold_a, guide[0])
    scale_b = guide_cells(threshold_b, guide[1])
    level = np.empty((2, n), np.int64)
    at_level = np.empty((3, threshold_a.shape[0] + 1), np.int64)
    for i in range(scores.shape[0]):
        fill_levels(scores[i, :, 0], threshold_a, guide[0], scale_a, level[0])
        fill_levels(scores[i, :, 1], threshold_b, guide[1], scale_b, level[1])
        at_level[:] = 0
        for j in range(n):
            a = level[0, j]
            b = level[1, j]
            at_level[0, a] += 1
            at_level[1, b] += 1
            at_level[2, min(a, b)] += 1
        for which in range(3):
            reverse_sums(at_level[which], counts[which, i])


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
