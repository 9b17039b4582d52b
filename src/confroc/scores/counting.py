"""Counts above one threshold, and above two thresholds of two models on the same cases.

Functions work on rows of a table of counts in decreasing order of score; a threshold is the number of rows at
or above it. `ThresholdCounter` and `PairCounter` are built once for a table and its thresholds, and then
count any cases on its rows: the data or a resample. Both can compress the table to the smallest one with the
same results, so that the cost of a resample depends only on the number of thresholds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from confroc import _kernels
from confroc._check import ArgumentError
from confroc._kernels.counting import counts_above_both
from confroc._types import FloatArray, IntArray
from confroc.scores.pair import PairedScores
from confroc.scores.single import Scores

CHUNK = 2**16
"""Block size, so that intermediate results fit the cache."""


class Cells(NamedTuple):
    """Counts of positives and negatives, for statistics that need no scores."""

    pos: IntArray
    neg: IntArray


Counts: TypeAlias = Scores | PairedScores | Cells
"""Table of counts."""


class Discordant(NamedTuple):
    """Cases predicted positive by exactly one of two models, per pair of thresholds.

    `pos_10` are positives with score a >= threshold a and score b < threshold b; `pos_01` the reverse.
    """

    pos_10: IntArray
    pos_01: IntArray
    neg_10: IntArray
    neg_01: IntArray


LARGEST_REPEATED = 20_000_000
"""Most cases accepted by methods that need single cases."""


def one_by_one(method: str, count: int, what: str = "cases", *, name: str = "scores") -> None:
    """Raise for more cases than `method`, which needs single cases, can store."""
    if count > LARGEST_REPEATED:
        rule = f"contain at most {LARGEST_REPEATED:,} {what} for {method}"
        raise ArgumentError(name, rule, count, "Use fewer cases or another method.")


# --- rows --------------------------------------------------------------------------------------------


def rows_above(score: FloatArray, threshold: FloatArray) -> IntArray:
    """Number of the distinct, decreasing scores at or above each threshold."""
    # Sorted searches are faster, because they share the cache.
    falling = bool((threshold[1:] <= threshold[:-1]).all())
    order = slice(None) if falling else np.argsort(threshold)
    rows = np.empty(len(threshold), dtype=np.int64)
    rows[order] = len(score) - np.searchsorted(score[::-1], threshold[order], side="left")
    return rows


def sums_before(rows: IntArray, *counts: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Sums of each column of counts over the first `rows[i]` rows, for each i."""
    if len(counts[0]) <= max(CHUNK, 8 * len(rows)):
        return tuple(_from_zero(count)[rows] for count in counts)
    starts = np.sort(np.append(rows[rows < len(counts[0])], 0))
    starts = starts[np.diff(starts, prepend=-1) > 0]
    place = np.searchsorted(starts, rows)
    return tuple(_from_zero(np.add.reduceat(count, starts))[place] for count in counts)


def rows_reaching(cases: NDArray[Any], *counts: NDArray[Any]) -> IntArray:
    """First row at which the cumulative total count reaches `cases`; else the number of rows."""
    if len(counts[0]) <= CHUNK:
        return np.searchsorted(np.cumsum(counts[0] if len(counts) == 1 else sum(counts)), cases)
    row = np.zeros(len(cases), dtype=np.int64)
    passed = 0
    for start in range(0, len(counts[0]), CHUNK):
        part = slice(start, start + CHUNK)
        total = np.cumsum(counts[0][part] if len(counts) == 1 else sum(count[part] for count in counts))
        total += passed
        row += np.searchsorted(total, cases)
        passed = total[-1]
    return row


def kept_rows(values: NDArray[Any], kept: NDArray[Any]) -> Any:
    """Selected rows of a column, by mask or index; an irregular mask is three times slower in NumPy."""
    if kept.dtype != np.bool_ or len(kept) <= CHUNK:
        return values[kept]
    found, end = np.empty(np.count_nonzero(kept), dtype=values.dtype), 0
    for first in range(0, len(kept), CHUNK):
        rows = np.flatnonzero(kept[first : first + CHUNK])
        start, end = end, end + len(rows)
        found[start:end] = values[first : first + CHUNK][rows]
    return found


def runs(table: Counts, rows: IntArray) -> Cells:
    """Sums of the counts between consecutive row numbers."""
    pos, neg = (
        np.diff(above, prepend=0, append=count.sum())
        for above, count in zip(sums_before(rows, table.pos, table.neg), (table.pos, table.neg), strict=True)
    )
    return Cells(pos, neg)


def _from_zero(values: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([[0], np.cumsum(values)])


# --- one model ---------------------------------------------------------------------------------------


def counts_at(scores: Scores, threshold: FloatArray) -> Cells:
    """Positives and negatives with score >= threshold, at h thresholds."""
    return Cells(*sums_before(rows_above(scores.score, threshold), scores.pos, scores.neg))


def rows_of_cases(scores: Scores, cases: FloatArray) -> IntArray:
    """First row of a model's table at which the cumulative count reaches `cases`, by bisection.

    The last row if none does: sums of weights are rounded.
    """
    low = np.zeros(len(cases), np.int64)
    high = np.full(len(cases), len(scores.score) - 1)
    while (low < high).any():
        middle = (low + high) // 2
        reached = scores.pos_above[middle] + scores.neg_above[middle] >= cases
        low, high = np.where(reached, low, np.minimum(middle + 1, high)), np.where(reached, middle, high)
    return low


class ThresholdCounter(NamedTuple):
    """Counts of one model: for threshold i the first `rows[i]` rows are predicted positive."""

    rows: IntArray

    @classmethod
    def of(cls, scores: Scores, threshold: FloatArray) -> Self:
        """Build from a model's table; cases with score >= threshold are predicted positive."""
        return cls(rows_above(scores.score, threshold))

    def __call__(self, pos: IntArray, neg: IntArray) -> Cells:
        """Cases predicted positive at each threshold, for these counts of the table's rows."""
        return Cells(_from_zero(pos)[self.rows], _from_zero(neg)[self.rows])

    def compressed(self, table: Counts) -> tuple[Cells, ThresholdCounter]:
        """The smallest table with the same results: one row between consecutive thresholds."""
        distinct, back = np.unique(self.rows, return_inverse=True)
        return runs(table, distinct), ThresholdCounter(back + 1)


def recurring_cases(a: Scores, b: Scores) -> tuple[int, int]:
    """Number of positives and negatives of one sample whose scores also occur in the other."""
    _, of_a, of_b = np.intersect1d(a.score, b.score, assume_unique=True, return_indices=True)
    both = ((a.pos, b.pos), (a.neg, b.neg))
    n_pos, n_neg = (int(np.minimum(own[of_a], other[of_b]).sum()) for own, other in both)
    return n_pos, n_neg


# --- two models on the same cases --------------------------------------------------------------------

OnlyOne = tuple[IntArray, IntArray]


def discordant_counts(pair: PairedScores, threshold_a: FloatArray, threshold_b: FloatArray) -> Discordant:
    """Discordant cases at h pairs of thresholds, in O((n + h) log n)."""
    return _discordant(pair, PairCounter.of(pair, threshold_a, threshold_b))


def _discordant(pair: PairedScores, counter: PairCounter) -> Discordant:
    table = Cells(pair.pos, pair.neg)
    if len(table.pos) > CHUNK:
        table, counter = counter.compressed(table)
    return counter(*table)


@dataclass(frozen=True)
class PairCounter:
    """Counts of two models at the `back[i]`-th of the distinct pairs of thresholds, for pair i.

    A row of the table, with ranks `index_a` and `index_b`, is predicted positive by a if its rank is below
    `rows_a`, by b if below `rows_b`. Rows are sorted by `index_a`.
    """

    rows_a: IntArray
    rows_b: IntArray
    back: IntArray
    index_a: IntArray
    index_b: IntArray

    @classmethod
    def of(cls, pair: PairedScores, threshold_a: FloatArray, threshold_b: FloatArray) -> Self:
        """Build from a pair's table, for each pair of thresholds."""
        rows_a, rows_b = rows_above(pair.a.score, threshold_a), rows_above(pair.b.score, threshold_b)
        return cls.at(rows_a, rows_b, pair.index_a, pair.index_b)

    @classmethod
    def at(cls, rows_a: IntArray, rows_b: IntArray, index_a: IntArray, index_b: IntArray) -> Self:
        """Build from ranks; model a predicts the first `rows_a[i]` ranks positive at pair i."""
        width = int(rows_b.max(initial=0)) + 1
        key, back = np.unique(rows_a * width + rows_b, return_inverse=True)
        rows_a, rows_b = np.divmod(key, width)
        return cls(rows_a, rows_b, back, index_a, index_b)

    @cached_property
    def only_one(self) -> Callable[[IntArray], OnlyOne]:
        """Cases predicted positive by a only and by b only, at each distinct pair of thresholds."""
        make = _along_a_path if bool((np.diff(self.rows_b) >= 0).all()) else _anywhere
        return make(self.rows_a, self.rows_b, self.index_a, self.index_b)

    def __call__(self, pos: IntArray, neg: IntArray) -> Discordant:
        """Discordant cases at each pair, for these counts of the table's rows."""
        return Discordant(*(side[self.back] for count in (pos, neg) for side in self.only_one(count)))

    def differences(self, pos: IntArray, neg: IntArray) -> Cells:
        """Cases above a's threshold minus those above b's; needs no joint counts."""
        found = []
        for count in (pos, neg):
            above_a, above_b = (
                _from_zero(np.bincount(index, weights=count, minlength=int(rows.max(initial=0))))[rows]
                for index, rows in ((self.index_a, self.rows_a), (self.index_b, self.rows_b))
            )
            found.append((above_a - above_b)[self.back].astype(count.dtype))
        return Cells(*found)

    def compressed(self, table: Counts) -> tuple[Cells, PairCounter]:
        """The smallest table with the same results: one row per rectangle between thresholds."""
        cut_a, cut_b = np.unique(self.rows_a), np.unique(self.rows_b)
        cells, index_a, index_b = rectangles(table, self.index_a, self.index_b, cut_a, cut_b)
        rows_a = np.searchsorted(cut_a, self.rows_a)[self.back] + 1
        rows_b = np.searchsorted(cut_b, self.rows_b)[self.back] + 1
        return cells, PairCounter.at(rows_a, rows_b, index_a, index_b)


Cut: TypeAlias = tuple[IntArray, FloatArray]
"""Rows of a model's table predicted positive, and the randomly selected fraction of the next row."""


def calls(pair: PairedScores, *cuts: tuple[Cut, Cut]) -> list[FloatArray]:
    """Cases predicted positive by both models, by a only, by b only, by neither; positives first, (2, 4, h).

    Each item is for h cuts of both models.
    """
    corners = [(i, j) for i in (0, 1) for j in (0, 1)]
    above = [[np.append(0, x) for x in (s.pos_above, s.neg_above)] for s in (pair.a, pair.b)]
    found = []
    for (rows_a, part_a), (rows_b, part_b) in cuts:
        at_a = np.concatenate([np.minimum(rows_a + i, len(pair.a.score)) for i, _ in corners])
        at_b = np.concatenate([np.minimum(rows_b + j, len(pair.b.score)) for _, j in corners])
        only = _discordant(pair, PairCounter.at(at_a, at_b, pair.index_a, pair.index_b))
        weight = np.stack(
            [(part_a if i else 1.0 - part_a) * (part_b if j else 1.0 - part_b) for i, j in corners]
        )
        cells = np.empty((2, 4, len(part_a)))
        of_classes = ((only.pos_10, only.pos_01, pair.n_pos), (only.neg_10, only.neg_01, pair.n_neg))
        for k, (only_a, only_b, n) in enumerate(of_classes):
            found_a, found_b = above[0][k][at_a], above[1][k][at_b]
            for cell, counts in enumerate((found_a - only_a, only_a, only_b, n - found_b - only_a)):
                cells[k, cell] = (weight * counts.reshape(weight.shape)).sum(axis=0)
        found.append(cells)
    return found


def counts_above_grid(
    level_a: IntArray, level_b: IntArray, count: IntArray, shape: tuple[int, int]
) -> IntArray:
    """Sums of `count` over the rows with level <= k under a and <= j under b, for all k and j.

    Levels start at 0; rows above all cuts have level shape[0] or shape[1].
    """
    size = shape[0] + 1, shape[1] + 1
    held = np.bincount(level_a * size[1] + level_b, weights=count, minlength=size[0] * size[1])
    return held.astype(count.dtype).reshape(size).cumsum(axis=0).cumsum(axis=1)[:-1, :-1]


def _along_a_path(rows_a: IntArray, rows_b: IntArray, index_a: IntArray, index_b: IntArray) -> Any:
    """Cases predicted positive by one model only, for non-increasing thresholds of both models.

    Each case becomes positive under a at one step and under b at another; it is discordant in between.
    Cumulative sums of the starts and ends give all counts in linear time.
    """
    steps = len(rows_a)
    first = [
        np.searchsorted(rows, np.arange(int(index.max()) + 1), side="right")[index]
        for rows, index in ((rows_a, index_a), (rows_b, index_b))
    ]
    spans = []
    for start, end in (first, first[::-1]):
        cases = np.flatnonzero(start < end)
        spans.append((cases, start[cases], end[cases]))

    def only_one(count: IntArray) -> OnlyOne:
        sides = []
        for cases, start, end in spans:
            weight = count[cases]
            change = np.bincount(start, weights=weight, minlength=steps + 1)
            change -= np.bincount(end, weights=weight, minlength=steps + 1)
            sides.append(np.cumsum(change[:steps]).astype(count.dtype))
        return sides[0], sides[1]

    return only_one


def _anywhere(
    rows_a: IntArray, rows_b: IntArray, index_a: IntArray, index_b: IntArray
) -> Callable[[IntArray], OnlyOne]:
    """The same for thresholds in any order.

    Rows are sorted by rank under a, so those above a's threshold are a prefix; within it, cases with rank
    under b below a bound are predicted positive by both.
    """
    ranks_a, ranks_b = (int(index.max()) + 1 for index in (index_a, index_b))
    above_a, above_b = np.minimum(rows_a, ranks_a), np.minimum(rows_b, ranks_b)
    if len(np.unique(above_a)) * len(np.unique(above_b)) <= len(index_a):
        return _at_few(above_a, above_b, index_a, index_b)
    prefix = _from_zero(np.bincount(index_a, minlength=ranks_a))[above_a]
    above_both = wavelet_counts
    if len(index_a) + len(rows_a) >= _kernels.BIG:
        above_both = _kernels.compiled(counts_above_both)

    def only_one(count: IntArray) -> OnlyOne:
        both = above_both(prefix, above_b, index_b, count, ranks_b)
        per_b = np.bincount(index_b, weights=count, minlength=ranks_b).astype(count.dtype)
        called_a, called_b = _from_zero(count)[prefix], _from_zero(per_b)[above_b]
        return called_a - both, called_b - both

    return only_one


def _at_few(
    above_a: IntArray, above_b: IntArray, index_a: IntArray, index_b: IntArray
) -> Callable[[IntArray], OnlyOne]:
    """The same for few thresholds, by a table of all pairs of them."""
    cuts, places, levels = [], [], []
    for above, index in ((above_a, index_a), (above_b, index_b)):
        cut, place = np.unique(above, return_inverse=True)
        cuts.append(len(cut))
        places.append(place)
        levels.append(np.searchsorted(cut, np.arange(int(index.max()) + 1), side="right")[index])

    def only_one(count: IntArray) -> OnlyOne:
        both = counts_above_grid(levels[0], levels[1], count, (cuts[0], cuts[1]))[places[0], places[1]]
        called = [
            _from_zero(np.bincount(level, weights=count, minlength=k + 1)).astype(count.dtype)[1 + place]
            for level, k, place in zip(levels, cuts, places, strict=True)
        ]
        return called[0] - both, called[1] - both

    return only_one


def wavelet_counts(
    prefix: IntArray, below_b: IntArray, index_b: IntArray, count: IntArray, ranks: int
) -> IntArray:
    """`counts_above_both` without a compiler.

    A wavelet matrix (Claude & Navarro 2012) processes the ranks bit by bit and partitions the rows stably
    into zeros and ones, so that a prefix remains a range and the counts of lower ranks add up.
    """
    low, high = np.zeros_like(prefix), prefix
    both = np.zeros(len(prefix), dtype=count.dtype)
    for bit in range(ranks.bit_length() - 1, -1, -1):
        zero = (index_b >> bit) & 1 == 0
        zeros, mass = _from_zero(zero), _from_zero(np.where(zero, count, 0))
        set_bit = (below_b >> bit) & 1 == 1
        both += np.where(set_bit, mass[high] - mass[low], 0)
        low, high = (
            np.where(set_bit, zeros[-1] + place - zeros[place], zeros[place]) for place in (low, high)
        )
        order = np.concatenate([np.flatnonzero(zero), np.flatnonzero(~zero)])
        index_b, count = index_b[order], count[order]
    return both


def rectangles(
    table: Counts, index_a: IntArray, index_b: IntArray, cut_a: IntArray, cut_b: IntArray
) -> tuple[Cells, IntArray, IntArray]:
    """Sums of the counts over rectangles between cuts of both ranks, and the rectangles' two indices.

    Empty rectangles are omitted.
    """
    width = len(cut_b) + 1
    size = (len(cut_a) + 1) * width
    counts = table.pos, table.neg
    if size > max(CHUNK, len(index_a) // 8):
        key = np.searchsorted(cut_a, index_a, side="right") * width
        key += np.searchsorted(cut_b, index_b, side="right")
        held, row = np.unique(key, return_inverse=True)
        pos, neg = (np.bincount(row, c, len(held)).astype(c.dtype) for c in counts)
        return Cells(pos, neg), *np.divmod(held, width)
    # A lookup by rank is faster than a search for each row.
    last = max(int(index_b.max(initial=-1)) + 1, int(cut_b.max(initial=0)))
    column = np.repeat(
        np.arange(width, dtype=np.min_scalar_type(width)), np.diff(cut_b, prepend=0, append=last)
    )
    sums = np.zeros((2, size), dtype=table.pos.dtype)
    step = max(CHUNK, size)
    for start in range(0, len(index_a), step):
        part = slice(start, start + step)
        key = np.searchsorted(cut_a, index_a[part], side="right") * width
        key += column[index_b[part]]
        for total, count in zip(sums, counts, strict=True):
            total += np.bincount(key, weights=count[part], minlength=size).astype(count.dtype)
    held = np.flatnonzero(sums.any(axis=0))
    return Cells(sums[0, held], sums[1, held]), *np.divmod(held, width)
