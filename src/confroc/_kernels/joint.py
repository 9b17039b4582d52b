"""The joint distribution of two models' thresholds, by rows of its table.

X and Y count the draws, of m, with score at least the k-th threshold of model a and the j-th of model b. All
functions compute F_r = P(X >= r, Y >= r); docs/theory/exact-bootstrap.md derives the formulas.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from confroc._kernels.exact_binomial import DEVIATIONS, STEPS, coincidence, exceedance, fill_powers
from confroc._types import FloatArray, IntArray

EXPONENT = 41.0
"""Cells with probability below exp(-EXPONENT) are neglected."""


class Sizes(NamedTuple):
    """Negatives drawn and in the sample; positives likewise."""

    m: int
    n: int
    m_pos: int
    n_pos: int


class Thresholds(NamedTuple):
    """One model's thresholds.

    above, found : negatives and positives at or above each
    mass, counts : masses of the count of draws above each, and the first and last count
    slots : first and last slot for which each is relevant
    """

    above: IntArray
    found: IntArray
    mass: FloatArray
    counts: IntArray
    slots: IntArray


class RowPlan(NamedTuple):
    """Data shared by all rows: increasing numbers of false positives r, and both models' thresholds.

    A *slot* is a position in `rates`.
    """

    rates: IntArray
    a: Thresholds
    b: Thresholds


class Entries(NamedTuple):
    """Cases of one class by the threshold of a at which they enter.

    cases[start[k]:start[k + 1]] are rows (threshold of b, count).
    """

    start: IntArray
    cases: IntArray


class RowSums(NamedTuple):
    """Output of the kernel, for slots slot0, slot0 + 1, ...

    sums : total mass, sums of d, d^2 and s (d, s = difference and sum of the discordant positives), and the
        smallest and largest relevant difference
    period : length of the lattice of differences
    law_re, law_im : characteristic function of the difference; no columns if not needed
    joint : (slot, row, j) probabilities; no slots if not needed
    """

    slot0: int
    sums: FloatArray
    period: int
    law_re: FloatArray
    law_im: FloatArray
    joint: FloatArray


class Count(NamedTuple):
    """X or Y: the negatives at or above its threshold, their proportion, and its masses.

    mass[r - first] = P(X = r), first <= r <= last; the mass outside is negligible.
    """

    above: int
    share: float
    mass: FloatArray
    first: int
    last: int


class OneDraw(NamedTuple):
    """One draw: the probabilities that X and Y both, only one, or neither counts it, and conditional ones.

    Of the draws counted by X, lost_a is the proportion not counted by Y; of the others, gained_b the
    proportion counted by Y. lost_b and gained_a are the same with X and Y exchanged.
    """

    both: float
    only_a: float
    only_b: float
    neither: float
    lost_a: float
    gained_b: float
    lost_b: float
    gained_a: float


# --- one corner --------------------------------------------------------------------------------------


def one_draw(n: int, a: int, b: int, both: int) -> OneDraw:
    """Return the probabilities of one draw, as quotients of integers, so that certainty is exactly one."""
    return OneDraw(
        both=both / n,
        only_a=(a - both) / n,
        only_b=(b - both) / n,
        neither=(n - a - b + both) / n,
        lost_a=(a - both) / a,
        gained_b=(b - both) / (n - a),
        lost_b=(b - both) / b,
        gained_a=(a - both) / (n - b),
    )


def fewer(x: Count, r: int, m: int) -> float:
    """Return P'(X = r), for m - 1 draws."""
    mass: float = x.mass[r - x.first] * (m - r) / (m * (1.0 - x.share))
    return mass


def meet(r: int, big: int, mass: float, draw: OneDraw) -> tuple[float, float]:
    """Return P'(X = r, Y = r) and p01 P'(X = r, Y = r - 1) of `big` draws, with mass = P'(X = r)."""
    d = mass * coincidence(0, r, draw.lost_a, big - r, draw.gained_b)
    e = draw.only_b * mass * coincidence(1, r, draw.lost_a, big - r, draw.gained_b)
    return d, e


def meet_upwards(start: int, stop: int, m: int, x: Count, draw: OneDraw, work: FloatArray) -> None:
    """Fill D[r], E[r] = meet(r) from r = start up to stop, at most half of the draws."""
    D, E, big = work[0], work[1], m - 1
    D[start], E[start] = meet(start, big, fewer(x, start, m), draw)
    if draw.neither > 0.0:
        u = draw.both / draw.neither
        w = draw.only_a * draw.only_b / draw.neither
        for r in range(start, stop):
            over = 1.0 / (r + 1.0)
            E[r + 1] = ((big - 2 * r) * w * D[r] + (big + 1 - r) * u * E[r]) * over
            D[r + 1] = ((big - r) * u * D[r] + (big - 1 - 2 * r) * E[r + 1] / draw.neither) * over
    else:
        for r in range(start + 1, stop + 1):
            D[r], E[r] = meet(r, big, fewer(x, r, m), draw)


def meet_downwards(start: int, stop: int, m: int, x: Count, draw: OneDraw, work: FloatArray) -> None:
    """Fill D[r], E[r] = meet(r) from r = start down to stop, more than half of the draws."""
    D, E, big = work[0], work[1], m - 1
    D[start], E[start] = meet(start, big, fewer(x, start, m), draw)
    if draw.both > 0.0:
        u = draw.neither / draw.both
        w = draw.only_a * draw.only_b / draw.both
        for r in range(start - 1, stop - 1, -1):
            over = 1.0 / (big - r)
            D[r] = ((r + 1) * u * D[r + 1] + (2 * r + 1 - big) * E[r + 1] / draw.both) * over
            E[r] = ((2 * r - big) * w * D[r] + (r + 1) * u * E[r + 1]) / (big - r + 1.0)
    else:
        for r in range(start - 1, stop - 1, -1):
            D[r], E[r] = meet(r, big, fewer(x, r, m), draw)


def given_start(
    start: int, m: int, x: Count, y: Count, draw: OneDraw, work: FloatArray
) -> tuple[float, float]:
    """Return P(Y >= r | X = r) and P(X > r | Y = r) at r = start."""
    if start == m:
        return (1.0 - draw.lost_a) ** m, 0.0
    d, e = work[0, start], work[1, start]
    y_given = exceedance(start, draw.lost_a, m - 1 - start, draw.gained_b, work[2], work[3])
    y_given += (d + e / (1.0 - x.share)) / fewer(x, start, m)
    x_given = exceedance(start, draw.lost_b, m - 1 - start, draw.gained_a, work[2], work[3])
    x_given += draw.gained_a * d / fewer(y, start, m)
    return y_given, x_given


def joint_tail(
    m: int, n: int, x: Count, y: Count, both: int, r_low: int, tail: FloatArray, work: FloatArray
) -> int:
    """Put P(X >= r, Y >= r) in tail[r - r_low] for r from `r_low`; return the last r that is not negligible.

    `work` has four rows of m + 2 numbers; the first two are D and E.
    """
    top = min(x.last, y.last)
    start = max(r_low, x.first, y.first)
    if start > top:
        return top
    draw = one_draw(n, x.above, y.above, both)
    D, E, first_given = work[0], work[1], work[2]
    half = (m - 1) // 2
    if start <= half:
        meet_upwards(start, min(top, half), m, x, draw, work)
    bottom = max(start, half + 1)
    if top == m:
        D[m] = E[m] = 0.0
    if min(top, m - 1) >= bottom:
        meet_downwards(min(top, m - 1), bottom, m, x, draw, work)
    # Exact at one r, then along r by D and E.
    y_given, x_given = given_start(start, m, x, y, draw, work)
    for r in range(start, top + 1):
        p_x, p_y = x.mass[r - x.first], y.mass[r - y.first]
        first_given[r] = p_x * y_given + p_y * x_given
        if r < top:
            scale = m / (m - r)
            y_given -= (E[r] + draw.only_a * D[r] * (1.0 - x.share) / x.share) * scale / p_x
            x_given -= (draw.only_a * D[r] + E[r + 1] * (1.0 - y.share) / y.share) * scale / p_y
            y_given = max(y_given, 0.0)
            x_given = max(x_given, 0.0)
    total = 0.0
    for r in range(top, start - 1, -1):
        total += first_given[r]
        tail[r - r_low] = total
    return top


# --- the thresholds of b at one threshold of a -------------------------------------------------------


def count_before(of: Entries, k: int, above: IntArray) -> None:
    """Put in above[j + 1] the cases at or above the j-th threshold of b that enter before the k-th of a."""
    above[:] = 0
    for i in range(of.start[k]):
        # A case below every threshold of b is not counted.
        if of.cases[i, 0] + 1 < above.shape[0]:
            above[of.cases[i, 0] + 1] += of.cases[i, 1]
    for j in range(1, above.shape[0]):
        above[j] += above[j - 1]


def count_entering(of: Entries, k: int, above: IntArray) -> None:
    """Add the cases that enter at the k-th threshold of a."""
    for i in range(of.start[k], of.start[k + 1]):
        for j in range(of.cases[i, 0] + 1, above.shape[0]):
            above[j] += of.cases[i, 1]


def negligible(m: int, n: int, more: int, less: int) -> bool:
    """Whether P(difference >= 1) is negligible, with `more` and `less` of n steps up and down.

    Bernstein's inequality: m steps of variance at most (more + less)/n, within 2 of the mean.
    """
    gap = 1.0 - m * (more - less) / n
    return gap > 0.0 and gap * gap > 2.0 * EXPONENT * (m * (more + less) / n + 2.0 * gap / 3.0)


def shared_slots(a: Thresholds, k: int, b: Thresholds, j: int) -> tuple[int, int]:
    """Return the first and the last slot for which both thresholds are relevant."""
    return max(a.slots[k, 0], b.slots[j, 0]), min(a.slots[k, 1], b.slots[j, 1])


def bands(rows: tuple[int, int], plan: RowPlan, sizes: Sizes, neg: Entries) -> IntArray:
    """Return the first and the last cell of each row with non-negligible probability."""
    a, b, m, n = plan.a, plan.b, sizes.m, sizes.n
    k0, k1 = rows
    n_b = b.above.shape[0]
    # Negatives above the thresholds of b and those of a up to k, and up to k - 1.
    both = np.empty(n_b + 1, np.int64)
    before = np.empty(n_b + 1, np.int64)
    band = np.empty((k1 - k0, 2), np.int64)
    count_before(neg, k0, both)
    count_before(neg, k0, before)
    for k in range(k0, k1):
        count_entering(neg, k, both)
        low, high = n_b, -1
        for j in range(n_b):
            s_low, s_high = shared_slots(a, k, b, j)
            if s_low > s_high:
                continue
            left_a = a.above[k - 1] if k > 0 else 0
            left_b = b.above[j - 1] if j > 0 else 0
            if negligible(m, n, a.above[k] - both[j], left_b - both[j]):
                continue
            if negligible(m, n, b.above[j] - before[j + 1], left_a - before[j + 1]):
                continue
            low = min(low, j)
            high = j
        band[k - k0, 0] = low
        band[k - k0, 1] = high
        count_entering(neg, k, before)
    return band


def count_at(of: Thresholds, k: int, n: int) -> Count:
    """Return the count of draws at or above a threshold."""
    return Count(of.above[k], of.above[k] / n, of.mass[k], of.counts[k, 0], of.counts[k, 1])


def single_tail(x: Count, r: int) -> float:
    """Return P(X >= r), r >= first."""
    total = 0.0
    for i in range(x.last, r - 1, -1):
        total += x.mass[i - x.first]
    return total


def fill_corners(
    k: int,
    cells: tuple[int, int],
    plan: RowPlan,
    sizes: Sizes,
    both: IntArray,
    slot0: int,
    corner: FloatArray,
    work: FloatArray,
) -> None:
    """Put P(X >= r, Y >= r) in corner[j + 1, slot - slot0] at the corners around some cells of a row.

    `work` has five rows of m + 2 numbers.
    """
    a, b, rates = plan.a, plan.b, plan.rates
    next_k = min(k + 1, a.above.shape[0] - 1)
    tail = work[4]
    x = count_at(a, k, sizes.n)
    corner[0, :] = 0.0
    for j in range(max(cells[0] - 1, 0), cells[1] + 1):
        next_j = min(j + 1, b.above.shape[0] - 1)
        # Slots of other calls are not needed.
        s_low = max(a.slots[k, 0], b.slots[j, 0], slot0)
        s_high = min(a.slots[next_k, 1], b.slots[next_j, 1], slot0 + corner.shape[1] - 1)
        if s_low > s_high:
            continue
        y = count_at(b, j, sizes.n)
        r_low = rates[s_low]
        top = joint_tail(sizes.m, sizes.n, x, y, both[j + 1], r_low, tail, work)
        for s in range(s_low, s_high + 1):
            r = rates[s]
            if r > top:
                value = 0.0
            elif r >= x.first and r >= y.first:
                value = tail[r - r_low]
            elif r >= y.first:
                value = single_tail(y, r)
            elif r >= x.first:
                value = single_tail(x, r)
            else:
                value = 1.0
            corner[j + 1, s - slot0] = value


# --- cells -------------------------------------------------------------------------------------------


def fill_masses(
    places: tuple[int, int], j: int, upper: FloatArray, lower: FloatArray, mass: FloatArray
) -> float:
    """Put a cell's probabilities, the mixed differences of its corners, in mass; return the largest."""
    largest = 0.0
    for i in range(places[0], places[1] + 1):
        value = (lower[j + 1, i] - upper[j + 1, i]) - (lower[j, i] - upper[j, i])
        # Rounding errors may be negative; they cancel in sums.
        mass[i] = value
        largest = max(largest, value)
    return largest


def add_sums(
    places: tuple[int, int], mass: FloatArray, only_a: int, only_b: int, sizes: Sizes, sums: FloatArray
) -> None:
    """Add a cell's masses, and those times the moments of its discordant positives."""
    d = float(only_a - only_b)
    share = (only_a + only_b) / sizes.n_pos
    tilt = d / sizes.n_pos
    spread = STEPS + DEVIATIONS * math.sqrt(max(0.0, sizes.m_pos * (share - tilt * tilt)))
    for i in range(places[0], places[1] + 1):
        sums[i, 0] += mass[i]
        sums[i, 1] += mass[i] * d
        sums[i, 2] += mass[i] * d * d
        sums[i, 3] += mass[i] * (only_a + only_b)
        if mass[i] > 1e-15:
            sums[i, 4] = min(sums[i, 4], sizes.m_pos * tilt - spread)
            sums[i, 5] = max(sums[i, 5], sizes.m_pos * tilt + spread)


def add_law(
    places: tuple[int, int], mass: FloatArray, used: int, re: FloatArray, im: FloatArray, out: RowSums
) -> None:
    """Add a cell's masses times the characteristic function re + i im."""
    for i in range(places[0], places[1] + 1):
        for f in range(used):
            out.law_re[i, f] += mass[i] * re[f]
            out.law_im[i, f] += mass[i] * im[f]


def joint_rows(
    rows: tuple[int, int], plan: RowPlan, sizes: Sizes, neg: Entries, pos: Entries, out: RowSums
) -> None:
    """Add to `out` what the thresholds rows[0] <= k < rows[1] of model a contribute, at every rate."""
    a, b = plan.a, plan.b
    k0, k1 = rows
    first_row = max(k0 - 1, 0)
    n_b = b.above.shape[0]
    width = out.sums.shape[0]
    columns = out.law_re.shape[1]
    band = bands(rows, plan, sizes, neg)
    # Counts at or above (k, j) for the current row, and the corners of its cells.
    both = np.empty(n_b + 1, np.int64)
    found = np.empty(n_b + 1, np.int64)
    count_before(neg, first_row, both)
    count_before(pos, first_row, found)
    upper = np.zeros((n_b + 1, width))
    lower = np.zeros((n_b + 1, width))
    work = np.empty((5, sizes.m + 2))
    re = np.empty(columns)
    im = np.empty(columns)
    mass = np.empty(width)
    for k in range(first_row, k1):
        count_entering(neg, k, both)
        count_entering(pos, k, found)
        low, high = n_b, -1
        for row in range(max(k, k0), min(k + 2, k1)):
            low = min(low, band[row - k0, 0])
            high = max(high, band[row - k0, 1])
        upper, lower = lower, upper
        fill_corners(k, (low, high), plan, sizes, both, out.slot0, lower, work)
        if k < k0:
            continue
        for j in range(band[k - k0, 0], band[k - k0, 1] + 1):
            s_low, s_high = shared_slots(a, k, b, j)
            places = s_low - out.slot0, s_high - out.slot0
            if fill_masses(places, j, upper, lower, mass) < 1e-18:
                continue
            only_a = a.found[k] - found[j + 1]
            only_b = b.found[j] - found[j + 1]
            add_sums(places, mass, only_a, only_b, sizes, out.sums)
            if out.joint.shape[0] > 0:
                for i in range(places[0], places[1] + 1):
                    out.joint[i, k - k0, j] = mass[i]
            if columns > 0:
                share, tilt = (only_a + only_b) / sizes.n_pos, (only_a - only_b) / sizes.n_pos
                used = fill_powers(share, tilt, sizes.m_pos, out.period, re, im)
                add_law(places, mass, used, re, im, out)
