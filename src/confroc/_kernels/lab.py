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


def ball_distances(
    pos: NDArray[np.float64],
    neg: NDArray[np.float64],
    own: NDArray[np.float64],
    at: NDArray[np.int64],
    out: NDArray[np.float64],
) -> None:
    """Distances of resampled curves from the sample's own (Bertail, Clémençon & Vayatis 2008, §2.1, §3.1).

    Row i of `pos` and of `neg` is a resample, increasing; `own` is the sample's true positive rate over each
    step of the false positive rate. A row of `out` takes the sup distance, d_B, and the absolute error over
    each step in `at`.
    """
    m = pos.shape[1]
    n = neg.shape[1]
    curve = np.empty(n)
    for i in range(neg.shape[0]):
        exceeded = 0
        j = 0
        while j < n:
            x = neg[i, n - 1 - j]
            negatives = 1
            while j + negatives < n and neg[i, n - 1 - j - negatives] == x:
                negatives += 1
            while exceeded < m and pos[i, m - 1 - exceeded] > x:
                exceeded += 1
            tied = 0
            while exceeded + tied < m and pos[i, m - 1 - exceeded - tied] == x:
                tied += 1
            # Inside a tied block the curve is a diagonal; a step holds its middle value.
            for k in range(negatives):
                curve[j + k] = (exceeded + tied * (k + 0.5) / negatives) / m
            j += negatives
        out[i, 0], out[i, 1] = two_distances(own, curve)
        for k in range(at.shape[0]):
            out[i, 2 + k] = abs(curve[at[k]] - own[at[k]])


def two_distances(f: NDArray[np.float64], g: NDArray[np.float64]) -> tuple[float, float]:
    """Sup distance and d_B of two curves given over the same n steps.

    d_B is the sup over t of the least of |f − g|, |f⁻¹∘g − t| and |g⁻¹∘f − t|.
    """
    n = f.shape[0]
    sup = 0.0
    db = 0.0
    # First steps at which one curve reaches and exceeds the other's value; they only move right.
    f_reaches = 0
    f_exceeds = 0
    g_reaches = 0
    g_exceeds = 0
    for i in range(n):
        while f_reaches < n and f[f_reaches] < g[i]:
            f_reaches += 1
        while f_exceeds < n and f[f_exceeds] <= g[i]:
            f_exceeds += 1
        while g_reaches < n and g[g_reaches] < f[i]:
            g_reaches += 1
        while g_exceeds < n and g[g_exceeds] <= f[i]:
            g_exceeds += 1
        vertical = abs(f[i] - g[i])
        sup = max(sup, vertical)
        # Horizontal distances in steps at the step's left and right end, linear in between.
        a0 = max(f_reaches - i, i - f_exceeds, 0)
        a1 = max(f_reaches - i - 1, i - f_exceeds + 1, 0)
        b0 = max(g_reaches - i, i - g_exceeds, 0)
        b1 = max(g_reaches - i - 1, i - g_exceeds + 1, 0)
        across = float(max(min(a0, b0), min(a1, b1)))
        turn = (a1 - a0) - (b1 - b0)
        if turn != 0:
            u = min(max((b0 - a0) / turn, 0.0), 1.0)
            across = max(across, min(a0 + u * (a1 - a0), b0 + u * (b1 - b0)))
        db = max(db, min(vertical, across / n))
    return sup, db


def limits(
    x: NDArray[np.float64], y: NDArray[np.float64], i: int, t: float, tied: int
) -> tuple[float, float]:
    """Left and right limits at t of a polyline, i its first knot at t or beyond and `tied` knots at t."""
    last = x.shape[0] - 1
    if tied > 0:
        return y[i], y[i + tied - 1]
    if i == 0:
        return y[0], y[0]
    if i > last:
        return y[last], y[last]
    value = y[i - 1] + (t - x[i - 1]) / (x[i] - x[i - 1]) * (y[i] - y[i - 1])
    return value, value


def held(
    fpr: NDArray[np.float64],
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
) -> bool:
    """Whether a band's edges, polylines over `fpr`, enclose the curve (x, y), rounding of 1e-12 forgiven."""
    n = fpr.shape[0]
    m = x.shape[0]
    i = 0
    j = 0
    while i < n or j < m:
        t = min(fpr[i] if i < n else np.inf, x[j] if j < m else np.inf)
        edges = 0
        while i + edges < n and fpr[i + edges] == t:
            edges += 1
        knots = 0
        while j + knots < m and x[j + knots] == t:
            knots += 1
        value = limits(x, y, j, t, knots)
        low = limits(fpr, lower, i, t, edges)
        high = limits(fpr, upper, i, t, edges)
        if value[0] < low[0] - 1e-12 or value[0] > high[0] + 1e-12:
            return False
        if value[1] < low[1] - 1e-12 or value[1] > high[1] + 1e-12:
            return False
        i += edges
        j += knots
    return True
