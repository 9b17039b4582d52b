"""The joint law of two models' thresholds, row by row of its table.

X and Y count the draws, of m, that score at least the k-th threshold of model a and the j-th of model
b. Everything here serves F_r = P(X >= r, Y >= r); docs/theory/exact-bootstrap.md derives the formulas.
"""

from __future__ import annotations

import math

import numpy as np

from confroc._kernels.exact_binomial import DEVIATIONS, STEPS, coincidence, exceedance, fill_powers
from confroc._types import FloatArray, IntArray

EXPONENT = 41.0
"""A cell whose probability is bounded by exp(-EXPONENT) is left out."""


def joint_tail(
    m: int,
    n: int,
    above_a: int,
    above_b: int,
    both: int,
    px: FloatArray,
    first_a: int,
    last_a: int,
    py: FloatArray,
    first_b: int,
    last_b: int,
    r_low: int,
    tail: FloatArray,
    work: FloatArray,
) -> int:
    """Put P(X >= r, Y >= r) in tail[r - r_low] for r from `r_low`; return the last r that is not negligible.

    px[r - first_a] holds P(X = r), first_a <= r <= last_a, outside of which X has no mass worth naming; py
    likewise. `work` has four rows of m + 2 numbers.
    """
    top = min(last_a, last_b)
    start = max(r_low, first_a, first_b)
    big = m - 1
    if start <= top:
        both_share = both / n
        only_a = (above_a - both) / n
        only_b = (above_b - both) / n
        neither = (n - above_a - above_b + both) / n
        p_a = above_a / n
        p_b = above_b / n
        # Of the draws counted by X the share that Y misses, and of the others the share that Y counts:
        # quotients of integers, so that certainty is exactly one.
        lost_a = (above_a - both) / above_a
        gained_b = (above_b - both) / (n - above_a)
        lost_b = (above_b - both) / above_b
        gained_a = (above_a - both) / (n - above_b)
        # D[r] = P'(X = r, Y = r) and E[r] = p01 P'(X = r, Y = r - 1) for one draw fewer, start <= r <= top.
        D = work[0]
        E = work[1]
        half = big // 2
        middle = min(top, half)
        if start <= middle:
            anchor_mass = px[start - first_a] * (m - start) / (m * (1.0 - p_a))
            if neither > 0.0:
                D[start] = anchor_mass * coincidence(0, start, lost_a, big - start, gained_b)
                E[start] = only_b * anchor_mass
                E[start] *= coincidence(1, start, lost_a, big - start, gained_b)
                u = both_share / neither
                w = only_a * only_b / neither
                for r in range(start, middle):
                    over = 1.0 / (r + 1.0)
                    E[r + 1] = ((big - 2 * r) * w * D[r] + (big + 1 - r) * u * E[r]) * over
                    D[r + 1] = ((big - r) * u * D[r] + (big - 1 - 2 * r) * E[r + 1] / neither) * over
            else:
                for r in range(start, middle + 1):
                    mass = px[r - first_a] * (m - r) / (m * (1.0 - p_a))
                    D[r] = mass * coincidence(0, r, lost_a, big - r, gained_b)
                    E[r] = only_b * mass * coincidence(1, r, lost_a, big - r, gained_b)
        if top > half:
            bottom = max(start, half + 1)
            r = top
            if top == m:
                D[m] = 0.0
                E[m] = 0.0
                r = m - 1
            if r >= bottom:
                if both > 0:
                    mass = px[r - first_a] * (m - r) / (m * (1.0 - p_a))
                    D[r] = mass * coincidence(0, r, lost_a, big - r, gained_b)
                    E[r] = only_b * mass * coincidence(1, r, lost_a, big - r, gained_b)
                    u = neither / both_share
                    while r > bottom:
                        over = 1.0 / (big - r + 1.0)
                        D[r - 1] = (r * u * D[r] + (2 * r - big - 1) * E[r] / both_share) * over
                        r -= 1
                        w = only_a * only_b / both_share
                        E[r] = ((2 * r - big) * w * D[r] + (r + 1) * u * E[r + 1]) / (big - r + 1.0)
                else:
                    while r >= bottom:
                        mass = px[r - first_a] * (m - r) / (m * (1.0 - p_a))
                        D[r] = mass * coincidence(0, r, lost_a, big - r, gained_b)
                        E[r] = only_b * mass * coincidence(1, r, lost_a, big - r, gained_b)
                        r -= 1
        # P(Y >= r | X = r) and P(X > r | Y = r): exact at one r, then along r by D and E.
        first_given = work[2]
        if start == m:
            y_given = (1.0 - lost_a) ** m
            x_given = 0.0
        else:
            mass = px[start - first_a] * (m - start) / (m * (1.0 - p_a))
            y_given = exceedance(start, lost_a, big - start, gained_b, work[2], work[3])
            y_given += (D[start] + E[start] / (1.0 - p_a)) / mass
            mass = py[start - first_b] * (m - start) / (m * (1.0 - p_b))
            x_given = exceedance(start, lost_b, big - start, gained_a, work[2], work[3])
            x_given += gained_a * D[start] / mass
        for r in range(start, top + 1):
            first_given[r] = px[r - first_a] * y_given + py[r - first_b] * x_given
            if r < top:
                scale = m / (m - r)
                y_given -= (E[r] + only_a * D[r] * (1.0 - p_a) / p_a) * scale / px[r - first_a]
                x_given -= (only_a * D[r] + E[r + 1] * (1.0 - p_b) / p_b) * scale / py[r - first_b]
                y_given = max(y_given, 0.0)
                x_given = max(x_given, 0.0)
        total = 0.0
        for r in range(top, start - 1, -1):
            total += first_given[r]
            tail[r - r_low] = total
    return top


def negligible(m: int, n: int, more: int, fewer: int) -> bool:
    """Whether P(Bin-difference >= 1) is negligible, `more` and `fewer` of n being its steps up and down.

    Bernstein's inequality: m steps of variance at most (more + fewer)/n, none farther than 2 from the mean.
    """
    gap = 1.0 - m * (more - fewer) / n
    return gap > 0.0 and gap * gap > 2.0 * EXPONENT * (m * (more + fewer) / n + 2.0 * gap / 3.0)


def joint_rows(
    rows: tuple[int, int],
    sizes: tuple[int, int, int, int],
    rates: IntArray,
    above_a: IntArray,
    above_b: IntArray,
    found_a: IntArray,
    found_b: IntArray,
    px: FloatArray,
    range_a: IntArray,
    py: FloatArray,
    range_b: IntArray,
    slots_a: IntArray,
    slots_b: IntArray,
    neg_start: IntArray,
    neg: IntArray,
    pos_start: IntArray,
    pos: IntArray,
    period: int,
    slot0: int,
    sums: FloatArray,
    law_re: FloatArray,
    law_im: FloatArray,
    joint: FloatArray,
) -> None:
    """Add up what the rows of thresholds rows[0] <= k < rows[1] of model a contribute, at every rate.

    Parameters
    ----------
    sizes : (m_neg, n_neg, m_pos, n_pos)
    rates : numbers of false positives r, increasing; a *slot* is a position in it
    above_a, found_a : negatives and positives at or above each threshold of a; likewise for b
    px, range_a : masses of the count above each threshold, and the first and last count they are for
    slots_a : first and last slot (columns) for which a threshold matters
    neg_start, neg : rows (threshold of b, count) of the negatives that enter at each threshold of a
    period : length of the lattice of differences, for the law
    slot0 : slot of the first row of the outputs
    sums : total mass, sums of d, d^2 and s (d, s = difference and sum of the discordant positives), and the
        least and the largest difference that matters
    law_re, law_im : characteristic function of the difference; no columns when not wanted
    joint : (slot, k - rows[0], j) probabilities; no slots when not wanted
    """
    m, n, m_pos, n_pos = sizes
    n_b = above_b.shape[0]
    k0, k1 = rows
    first_row = max(k0 - 1, 0)
    width = sums.shape[0]
    # Counts at or above (k, j), for the row in hand and, for the bands, the row before.
    both = np.zeros(n_b + 1, np.int64)
    before = np.zeros(n_b + 1, np.int64)
    found = np.zeros(n_b + 1, np.int64)
    band = np.empty((k1 - k0, 2), np.int64)
    entered = np.zeros(n_b + 1, np.int64)
    # A case below every threshold of b is in no count.
    for i in range(neg_start[first_row]):
        if neg[i, 0] < n_b:
            entered[neg[i, 0] + 1] += neg[i, 1]
    for j in range(1, n_b + 1):
        both[j] = both[j - 1] + entered[j]
    start_both = both.copy()
    entered[:] = 0
    for i in range(pos_start[first_row]):
        if pos[i, 0] < n_b:
            entered[pos[i, 0] + 1] += pos[i, 1]
    for j in range(1, n_b + 1):
        found[j] = found[j - 1] + entered[j]
    # First pass: which cells of each row have a probability worth the name.
    for k in range(first_row, k1):
        before[:] = both
        for i in range(neg_start[k], neg_start[k + 1]):
            for j in range(neg[i, 0] + 1, n_b + 1):
                both[j] += neg[i, 1]
        if k < k0:
            continue
        low, high = n_b, -1
        for j in range(n_b):
            if max(slots_a[k, 0], slots_b[j, 0]) > min(slots_a[k, 1], slots_b[j, 1]):
                continue
            left_b = above_b[j - 1] if j > 0 else 0
            left_a = above_a[k - 1] if k > 0 else 0
            c = both[j]
            if negligible(m, n, above_a[k] - c, left_b - c):
                continue
            c = before[j + 1]
            if negligible(m, n, above_b[j] - c, left_a - c):
                continue
            low = min(low, j)
            high = j
        band[k - k0, 0] = low
        band[k - k0, 1] = high
    # Second pass: P(X >= r, Y >= r) at the corners, then the cells as its mixed differences.
    both[:] = start_both
    upper = np.zeros((n_b + 1, width))
    lower = np.zeros((n_b + 1, width))
    work = np.empty((4, m + 2))
    tail = np.empty(m + 2)
    power_re = np.empty(law_re.shape[1])
    power_im = np.empty(law_re.shape[1])
    mass = np.empty(width)
    for k in range(first_row, k1):
        for i in range(neg_start[k], neg_start[k + 1]):
            for j in range(neg[i, 0] + 1, n_b + 1):
                both[j] += neg[i, 1]
        for i in range(pos_start[k], pos_start[k + 1]):
            for j in range(pos[i, 0] + 1, n_b + 1):
                found[j] += pos[i, 1]
        low, high = n_b, -1
        for row in range(max(k, k0), min(k + 2, k1)):
            low = min(low, band[row - k0, 0])
            high = max(high, band[row - k0, 1])
        upper, lower = lower, upper
        lower[0, :] = 0.0
        next_k = min(k + 1, above_a.shape[0] - 1)
        for j in range(max(low - 1, 0), high + 1):
            s_low = max(slots_a[k, 0], slots_b[j, 0])
            s_high = min(slots_a[next_k, 1], slots_b[min(j + 1, n_b - 1), 1])
            # Slots that belong to rows of other calls are not wanted.
            s_low = max(s_low, slot0)
            s_high = min(s_high, slot0 + width - 1)
            if s_low > s_high:
                continue
            r_low = rates[s_low]
            top = joint_tail(
                m, n, above_a[k], above_b[j], both[j + 1],
                px[k], range_a[k, 0], range_a[k, 1], py[j], range_b[j, 0], range_b[j, 1], r_low, tail, work,
            )  # fmt: skip
            for s in range(s_low, s_high + 1):
                r = rates[s]
                if r > top:
                    value = 0.0
                elif r >= range_a[k, 0] and r >= range_b[j, 0]:
                    value = tail[r - r_low]
                elif r >= range_b[j, 0]:
                    value = 0.0
                    for i in range(range_b[j, 1], r - 1, -1):
                        value += py[j, i - range_b[j, 0]]
                elif r >= range_a[k, 0]:
                    value = 0.0
                    for i in range(range_a[k, 1], r - 1, -1):
                        value += px[k, i - range_a[k, 0]]
                else:
                    value = 1.0
                lower[j + 1, s - slot0] = value
        if k < k0:
            continue
        for j in range(band[k - k0, 0], band[k - k0, 1] + 1):
            s_low = max(slots_a[k, 0], slots_b[j, 0])
            s_high = min(slots_a[k, 1], slots_b[j, 1])
            largest = 0.0
            for s in range(s_low, s_high + 1):
                i = s - slot0
                value = (lower[j + 1, i] - upper[j + 1, i]) - (lower[j, i] - upper[j, i])
                # Rounding leaves some cells a little below zero; kept, it cancels in every sum.
                mass[i] = value
                largest = max(largest, value)
            if largest < 1e-18:
                continue
            only_a = found_a[k] - found[j + 1]
            only_b = found_b[j] - found[j + 1]
            d = float(only_a - only_b)
            share = (only_a + only_b) / n_pos
            tilt = d / n_pos
            spread = STEPS + DEVIATIONS * math.sqrt(max(0.0, m_pos * (share - tilt * tilt)))
            for s in range(s_low, s_high + 1):
                i = s - slot0
                sums[i, 0] += mass[i]
                sums[i, 1] += mass[i] * d
                sums[i, 2] += mass[i] * d * d
                sums[i, 3] += mass[i] * (only_a + only_b)
                if mass[i] > 1e-15:
                    sums[i, 4] = min(sums[i, 4], m_pos * tilt - spread)
                    sums[i, 5] = max(sums[i, 5], m_pos * tilt + spread)
            if joint.shape[0] > 0:
                for s in range(s_low, s_high + 1):
                    joint[s - slot0, k - k0, j] = mass[s - slot0]
            if law_re.shape[1] > 0:
                used = fill_powers(share, tilt, m_pos, period, power_re, power_im)
                for s in range(s_low, s_high + 1):
                    i = s - slot0
                    for f in range(used):
                        law_re[i, f] += mass[i] * power_re[f]
                        law_im[i, f] += mass[i] * power_im[f]
