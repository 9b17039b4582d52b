"""Exact joint distribution of the thresholds of two models on the same cases.

F_r(k, j) = P(T_a >= s_k, T_b >= s_j) = P(X >= r, Y >= r) for the numbers X, Y of draws with score at least
s_k under model a and at least s_j under model b (Dugas & Gadoury 2009, eq. 13). A cell of the joint
distribution is the mixed difference of F at its corners (eq. 19). Thresholds with no positive in between give
the same true positive rates, so they are merged first.

Small tables are computed by array operations; larger ones row by row in `confroc._kernels.joint`, over the
window of relevant thresholds.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from confroc._check import check_rate, check_size, false_positives
from confroc._kernels import compiled
from confroc._kernels.joint import Entries, RowPlan, RowSums, Sizes, Thresholds, joint_rows
from confroc._types import FloatArray, IntArray, Size
from confroc.distributions import beta_window, binomial_pmf
from confroc.exact.thresholds import check_support, threshold_pmf
from confroc.results import Distribution
from confroc.scores import Pair, PairedScores, Scores, UnpairedScores, accepts_two_models, check_pair
from confroc.scores.counting import counts_above_grid

PLAIN = 3_000_000
"""Number of (corner, draw) pairs up to which array operations are faster than loading a compiler."""

CHUNKS = 16
"""Number of blocks of rows; fixed, so that sums do not depend on the number of threads."""


@accepts_two_models
def joint_threshold_pmf(
    pair: Pair, *, fpr: ArrayLike, size: Size = None
) -> Distribution[tuple[FloatArray, FloatArray]]:
    """Exact bootstrap distribution of the two thresholds that yield a given false positive rate.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    fpr, size
        As in `tpr_pmf`.

    Returns
    -------
    (support_a, support_b) : ndarrays of shape (k,) and (j,)
        Distinct scores of negatives of each model, in decreasing order.
    pmf : ndarray of shape (k, j), or (h, k, j) when `fpr` is an array

    Raises
    ------
    ValueError
        A rate is not in [1/m_neg, 1], `size` is not a pair of positive integers, or the table has more than
        2,000,000 entries.

    See Also
    --------
    tpr_difference_pmf : Distribution of the difference in true positive rates.
    threshold_pmf : Threshold of one model.

    Notes
    -----
    Eqs. 13-19 of [1]_ by other formulas; exact to 1e-10, in time about n^2 for all rates. The table has k * j
    entries per rate. Negatives with equal scores are one support point. For unpaired models the distribution
    is the product of the two marginal ones.

    References
    ----------
    .. [1] Dugas & Gadoury (2009), section 4.2.

    Examples
    --------
    >>> from confroc import PairedScores
    >>> from confroc.exact import joint_threshold_pmf
    >>> pair = PairedScores([1, 0, 1, 0], [4, 3, 2, 1], [4, 1, 3, 2])
    >>> (a, b), pmf = joint_threshold_pmf(pair, fpr=0.5)
    >>> a, b
    (array([3., 1.]), array([2., 1.]))
    >>> pmf.round(6)
    array([[0.5 , 0.25],
           [0.25, 0.  ]])
    """
    checked = check_pair("pair", pair)
    supports = tuple(x.score[x.neg > 0] for x in (checked.a, checked.b))
    check_rate("fpr", fpr)
    shape = (*np.shape(fpr), len(supports[0]), len(supports[1]))
    check_support("pair", math.prod(shape))
    if isinstance(checked, UnpairedScores):
        law_a, law_b = (
            np.atleast_2d(threshold_pmf(x, fpr=fpr, size=size)[1]) for x in (checked.a, checked.b)
        )
        return Distribution(
            (supports[0], supports[1]), (law_a[:, :, None] * law_b[:, None, :]).reshape(shape)
        )
    sizes = check_size(size, checked.n_pos, checked.n_neg)
    m_neg = sizes[1]
    check_support("size", m_neg)
    t = table(checked, merged=False)
    rates, slot = np.unique(false_positives(fpr, m_neg), return_inverse=True)
    if is_plain(t, m_neg):
        law = np.maximum(cells(plain_tails(t, m_neg)[rates]), 0.0)
    else:
        law = np.zeros((len(rates), *shape[-2:]))
        for block in blocks(t, plan(t, rates, m_neg), sizes, keep_joint=True):
            slots, rows = (
                slice(start, start + length)
                for start, length in zip((block.slot0, block.row0), block.joint.shape, strict=False)
            )
            law[slots, rows] += np.maximum(block.joint, 0.0)
    law /= law.sum(axis=(1, 2), keepdims=True)
    return Distribution((supports[0], supports[1]), law[slot].reshape(shape))


class Cuts(NamedTuple):
    """Thresholds of one model, decreasing: cases of each class at or above each, and at each score."""

    above: IntArray
    found: IntArray
    level: IntArray


def axis(scores: Scores, *, merged: bool, shares: tuple[FloatArray, FloatArray] | None = None) -> Cuts:
    """Return the thresholds of one model; `merged` merges those with the same true positives.

    `shares` are the limits of windows of the ranking: only their thresholds are kept, and the preceding one.
    """
    rows = np.flatnonzero(scores.neg > 0)
    if merged:
        rows = rows[np.append(np.diff(scores.pos_above[rows]) > 0, True)]
    if shares is not None:
        k = np.arange(len(rows))
        first, last = _window_ends(scores.neg_above[rows], scores.n_neg, *shares)
        rows = rows[np.searchsorted(last, k) < np.searchsorted(first - 1, k, side="right")]
    level = np.searchsorted(rows, np.arange(len(scores.score)))
    return Cuts(scores.neg_above[rows], scores.pos_above[rows], level)


def _window_ends(above: IntArray, n: int, low: FloatArray, high: FloatArray) -> tuple[IntArray, IntArray]:
    """Return the first and the last relevant threshold at each rate."""
    first = np.searchsorted(above, low * n, side="right")
    return first, np.minimum(np.searchsorted(above, high * n), len(above) - 1)


class PairGrid(NamedTuple):
    """Input of the joint distribution: both axes, and the cases by their thresholds."""

    a: Cuts
    b: Cuts
    level_a: IntArray
    level_b: IntArray
    pos: IntArray
    neg: IntArray
    n_pos: int
    n_neg: int


def table(pair: PairedScores, *, merged: bool, rates: IntArray | None = None, m_neg: int = 0) -> PairGrid:
    """Return the pair's cases on the grid of all thresholds, or those relevant at given rates."""
    shares = None if rates is None else beta_window(rates, m_neg)
    a, b = axis(pair.a, merged=merged, shares=shares), axis(pair.b, merged=merged, shares=shares)
    level_a, level_b = a.level[pair.index_a], b.level[pair.index_b]
    return PairGrid(a, b, level_a, level_b, pair.pos, pair.neg, pair.n_pos, pair.n_neg)


def counts_above(t: PairGrid, counts: IntArray) -> IntArray:
    """Return the number of cases at or above both thresholds, shape (K, J)."""
    return counts_above_grid(t.level_a, t.level_b, counts, (len(t.a.above), len(t.b.above)))


def is_plain(t: PairGrid, m_neg: int) -> bool:
    """Whether array operations over the whole table are fast and do not underflow."""
    corners = len(t.a.above) * len(t.b.above)
    return corners * m_neg <= PLAIN and m_neg * math.log(t.n_neg + 1.0) <= 1250.0


def plain_tails(t: PairGrid, m: int) -> FloatArray:
    """Return P(X >= r, Y >= r) for r = 0..m + 1 at every corner, shape (m + 2, K, J).

    The same recurrences as in the kernel, for probabilities conditional on one of the counts, from r = 0
    upwards and from r = m downwards, so that no starting value is needed.
    """
    n = t.n_neg
    a, b = t.a.above[:, None] / n, t.b.above[None, :] / n
    both = counts_above(t, t.neg) / n
    some_a, some_b = t.a.above[:, None] < n, t.b.above[None, :] < n
    r = np.arange(m + 1)[:, None, None]
    px, py = binomial_pmf(r, m, a), binomial_pmf(r, m, b)
    d, e = _coincidences(t, a, m - 1)
    y_step = e[:m] / np.where(some_a, 1.0 - a, 1.0) + (a - both) / a * d
    d, e = _coincidences(t, b, m - 1)
    last = np.arange(m)[:, None, None]
    x_step = (a - both) * d + e[1:] * ((m - 1 - last) / (last + 1.0))
    x_step /= np.where(some_b, 1.0 - b, 1.0)
    zero = np.zeros((1, *both.shape))
    y_given = 1.0 - np.concatenate([zero, y_step.cumsum(axis=0)])
    x_first = 1.0 - (1.0 - np.divide(a - both, 1.0 - b, out=zero[0].copy(), where=some_b)) ** m
    x_given = x_first - np.concatenate([zero, x_step.cumsum(axis=0)])
    tails = px * np.maximum(y_given, 0.0) + py * np.maximum(x_given, 0.0)
    tails = np.concatenate([tails[::-1].cumsum(axis=0)[::-1], zero])
    # At a threshold that every draw passes, only the other model's count varies.
    tails = np.where(some_a, tails, np.append(py[::-1].cumsum(axis=0)[::-1], np.zeros_like(py[:1]), axis=0))
    return np.where(some_b, tails, np.append(px[::-1].cumsum(axis=0)[::-1], np.zeros_like(px[:1]), axis=0))


def _coincidences(t: PairGrid, own: FloatArray, m: int) -> tuple[FloatArray, FloatArray]:
    """Return P(X = Y = r) and p01 P(X = r, Y = r - 1), divided by the own count's P(r), for m draws.

    Shapes (m + 1, K, J) and (m + 2, K, J); `own` is the proportion above the threshold of a or of b.
    """
    n = t.n_neg
    count = counts_above(t, t.neg)
    p11, p10, p01 = count / n, (t.a.above[:, None] - count) / n, (t.b.above[None, :] - count) / n
    p00 = (n - t.a.above[:, None] - t.b.above[None, :] + count) / n
    d, e = np.zeros((m + 1, *count.shape)), np.zeros((m + 2, *count.shape))
    some = np.broadcast_to(own < 1.0, count.shape)
    odds = np.where(some, (1.0 - own) / own, 1.0)

    def over(x: FloatArray, y: FloatArray) -> FloatArray:
        return np.divide(x, y, out=np.zeros(count.shape), where=y > 0.0)

    def start(base: FloatArray) -> tuple[FloatArray, FloatArray]:
        # base^m times a power of e that prevents underflow, and the inverse power.
        log = m * np.log(np.maximum(base, 1e-300))
        lift = np.minimum(-log, 650.0)
        return np.where(base > 0.0, np.exp(log + lift), float(m == 0)), np.exp(-lift)

    half = m // 2
    agree, w, inverse = over(p11, p00) * odds, over(p10 * p01, p00) * odds, over(np.ones(count.shape), p00)
    d[0], scale = start(over(p00, np.where(some, 1.0 - own, 1.0)))
    for r in range(half):
        e[r + 1] = ((m - 2 * r) * w * d[r] + (m + 1 - r) * agree * e[r]) / (m - r)
        d[r + 1] = agree * d[r] + (m - 1 - 2 * r) / (r + 1) * inverse * e[r + 1]
    d[: half + 1] *= scale
    e[: half + 1] *= scale
    agree, w, inverse = over(p00, p11) / odds, over(p10 * p01, p11), over(np.ones(count.shape), p11) / odds
    if m > half:
        d[m], scale = start(p11 / own)
        for r in range(m, half, -1):
            e[r] = ((2 * r - m) * w * d[r] + (m - r) * agree * e[r + 1]) / (m - r + 1)
            if r > half + 1:
                d[r - 1] = agree * d[r] + (2 * r - m - 1) / r * inverse * e[r]
        d[half + 1 :] *= scale
        e[half + 1 :] *= scale
    # Without cases in both or in neither, the recurrences start from zero and miss the outcome with all draws
    # discordant.
    alone = np.where(some, over(p10 * p01, own * (1.0 - own)), 0.0) ** half
    if m % 2 == 0 and half > 0:
        d[half] = np.where(p00 > 0.0, d[half], alone)
    elif m % 2 == 1:
        e[half + 1] = np.where(p11 > 0.0, e[half + 1], p01 * p10 / own * alone)
    return d, e


def cells(tails: FloatArray) -> FloatArray:
    """Return the mixed differences of F over the last two axes (eq. 19).

    Rounding errors may be negative; they cancel in sums.
    """
    law = tails.copy()
    law[..., 1:, :] -= tails[..., :-1, :]
    law[..., 1:] -= law[..., :-1].copy()
    return law


# --- row by row --------------------------------------------------------------------------------------


def _masses(
    above: IntArray, n: int, m: int, counts: IntArray, low: FloatArray, high: FloatArray
) -> tuple[FloatArray, IntArray]:
    """Return the window of Bin(m, above/n) at each threshold: masses, first and last count."""
    p = above / n
    last = np.append(0, counts)[np.searchsorted(low, p)]
    first = np.append(counts, m + 1)[np.searchsorted(high, p, side="right")]
    first = np.where(above < n, np.minimum(first, last + 1), m + 1)
    width = int(max(1, (last - first).max() + 1))
    mass = binomial_pmf(np.minimum(first[:, None] + np.arange(width), m), m, p[:, None])
    return mass, np.stack([first, last], axis=1)


def _slots(above: IntArray, n: int, low: FloatArray, high: FloatArray) -> IntArray:
    """Return the first and the last rate at which each threshold is relevant."""
    first, last = _window_ends(above, n, low, high)
    k = np.arange(len(above))
    return np.stack([np.searchsorted(last, k), np.searchsorted(first, k, side="right") - 1], axis=1)


def plan(t: PairGrid, rates: IntArray, m: int) -> RowPlan:
    """Return the windows of counts and of rates for every threshold of both models."""
    # Counts relevant at the thresholds of these rates, with a margin.
    margin = (100.0 + 20.0 * np.sqrt(rates * (m - rates + 1.0) / m)).astype(np.int64)
    near = np.zeros(m + 2, dtype=np.int64)
    np.add.at(near, np.maximum(rates - margin, 1), 1)
    np.add.at(near, np.minimum(rates + margin, m) + 1, -1)
    counts = np.flatnonzero(near.cumsum()[: m + 1] > 0)
    low, high = beta_window(counts, m)
    at = np.searchsorted(counts, rates)

    def thresholds(x: Cuts) -> Thresholds:
        mass, ends = _masses(x.above, t.n_neg, m, counts, low, high)
        return Thresholds(x.above, x.found, mass, ends, _slots(x.above, t.n_neg, low[at], high[at]))

    return RowPlan(rates, thresholds(t.a), thresholds(t.b))


class RowBlock(NamedTuple):
    """Contribution of a block of rows, from row0, to slots slot0, slot0 + 1, ... of the rates."""

    slot0: int
    row0: int
    sums: FloatArray
    law: NDArray[np.complex128]
    joint: FloatArray


def _by_level(level: IntArray, other: IntArray, count: IntArray, rows: int) -> Entries:
    kept = np.flatnonzero((count > 0) & (level < rows))
    kept = kept[np.argsort(level[kept], kind="stable")]
    start = np.searchsorted(level[kept], np.arange(rows + 1))
    return Entries(start, np.stack([other[kept], count[kept]], axis=1))


def blocks(
    t: PairGrid,
    given: RowPlan,
    size: tuple[int, int],
    *,
    period: int = 0,
    keep_joint: bool = False,
) -> Iterator[RowBlock]:
    """Run the kernel over all relevant rows and return the blocks in order."""
    sizes = Sizes(size[1], t.n_neg, size[0], t.n_pos)
    slots = given.a.slots
    rows = np.flatnonzero(slots[:, 0] <= slots[:, 1])
    neg, pos = (_by_level(t.level_a, t.level_b, cases, len(t.a.above)) for cases in (t.neg, t.pos))
    kernel = compiled(joint_rows)
    edges = np.unique(np.linspace(0, len(rows), min(CHUNKS, len(rows)) + 1).astype(np.int64))

    def work(first: int, last: int) -> RowBlock:
        k0, k1 = int(rows[first]), int(rows[last - 1]) + 1
        slot0 = int(slots[k0:k1, 0].min())
        width = int(slots[k0:k1, 1].max()) - slot0 + 1
        sums = np.zeros((width, 6))
        sums[:, 4:] = np.inf, -np.inf
        columns = period // 2 + 1 if period else 0
        re, im = np.zeros((width, columns)), np.zeros((width, columns))
        joint = np.zeros((width, k1 - k0, len(t.b.above)) if keep_joint else (0, 0, 0))
        kernel((k0, k1), given, sizes, neg, pos, RowSums(slot0, sums, period, re, im, joint))
        return RowBlock(slot0, k0, sums, re + 1j * im, joint)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(work, edges[:-1].tolist(), edges[1:].tolist())


def work_units(pair: PairedScores, rates: IntArray, m: int) -> float:
    """Return the approximate number of recurrence steps, from the sizes of the windows."""
    low, high = beta_window(rates, m)
    # Proportion of the ranking in any rate's window; the windows are sorted and may overlap.
    union = float(np.maximum(high - np.maximum(low, np.append(0.0, high[:-1])), 0.0).sum())
    deviation = float(np.sqrt(rates * (m - rates + 1.0) / m).mean()) + 1.0
    rows, columns = (
        float(min(np.count_nonzero(x.neg), np.count_nonzero(x.pos) + 1)) for x in (pair.a, pair.b)
    )
    # X - Y has at most sqrt(2) times the deviation of X; starting a recurrence costs about 150 steps.
    band = min(columns, 25.0 * deviation / m * columns)
    return union * rows * band * (17.0 * deviation + 150.0)
