"""Counting the cases above a threshold, and above two: of one model, and of two on the same cases.

Everything here works on rows of a table of counts, in decreasing order of score, so that a threshold is the
number of rows at or above it. `ThresholdCounter` and `PairCounter` are made once for a table's rows and the
thresholds, and then count any cases on those rows: the data's own, or a resample's. Both can cut a table down
to the smallest with the same results, so that a resample costs no more than there are thresholds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from confroc import _kernels
from confroc._check import ArgumentError
from confroc._kernels.counting import counts_above_both
from confroc._types import FloatArray, IntArray
from confroc.scores.pair import PairedScores
from confroc.scores.single import Scores

CHUNK = 2**16
"""Rows that are worked on at a time, so that what is computed for each stays within the cache."""


class Counts(Protocol):
    """A table of counts: `Scores`, `PairedScores` or `Cells`."""

    @property
    def pos(self) -> IntArray:
        """Positives per row."""
        ...

    @property
    def neg(self) -> IntArray:
        """Negatives per row."""
        ...


class Cells(NamedTuple):
    """Counts of positives and of negatives by themselves, for statistics that need no scores."""

    pos: IntArray
    neg: IntArray


class Discordant(NamedTuple):
    """Cases that one model calls positive and the other does not, per pair of thresholds.

    `pos_10` are positives with score a >= threshold a and score b < threshold b; `pos_01` the reverse.
    """

    pos_10: IntArray
    pos_01: IntArray
    neg_10: IntArray
    neg_01: IntArray


LARGEST_REPEATED = 20_000_000
"""Cases up to which methods that need them one by one are computed."""


def one_by_one(method: str, count: int, what: str = "cases", *, name: str = "scores") -> None:
    """Refuse more cases than `method` can lay out one by one; with rows of counts there is no such limit."""
    if count > LARGEST_REPEATED:
        rule = f"hold at most {LARGEST_REPEATED:,} {what} for {method}, which needs them one by one"
        raise ArgumentError(name, rule, count, "Take fewer cases, or leave `method` out.")


# --- rows --------------------------------------------------------------------------------------------


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
        return tuple(_from_zero(count)[rows] for count in counts)
    starts = np.sort(np.append(rows[rows < len(counts[0])], 0))
    starts = starts[np.diff(starts, prepend=-1) > 0]
    place = np.searchsorted(starts, rows)
    return tuple(_from_zero(np.add.reduceat(count, starts))[place] for count in counts)


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
        passed = total[-1]
    return row


def kept_rows(values: NDArray[Any], kept: NDArray[Any]) -> Any:
    """Rows of a column that are marked, or listed; a mask without pattern takes NumPy three times as long."""
    if kept.dtype != np.bool_ or len(kept) <= CHUNK:
        return values[kept]
    found, end = np.empty(np.count_nonzero(kept), dtype=values.dtype), 0
    for first in range(0, len(kept), CHUNK):
        rows = np.flatnonzero(kept[first : first + CHUNK])
        start, end = end, end + len(rows)
        found[start:end] = values[first : first + CHUNK][rows]
    return found


def runs(table: Counts, rows: IntArray) -> Cells:
    """Sums of the counts over the runs of rows between the given, increasing numbers of rows."""
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
    """First row of a model's table at which so many cases have been passed: bisection, for few of them."""
    low = np.zeros(len(cases), np.int64)
    high = np.full(len(cases), len(scores.score) - 1)
    while (low < high).any():
        middle = (low + high) // 2
        reached = scores.pos_above[middle] + scores.neg_above[middle] >= cases
        low, high = np.where(reached, low, middle + 1), np.where(reached, middle, high)
    return low


class ThresholdCounter(NamedTuple):
    """Counts of one model: at place i the first `rows[i]` rows of the table are called positive."""

    rows: IntArray

    @classmethod
    def of(cls, scores: Scores, threshold: FloatArray) -> Self:
        """Count on a model's table; cases with score >= threshold are called positive."""
        return cls(rows_above(scores.score, threshold))

    def __call__(self, pos: IntArray, neg: IntArray) -> Cells:
        """Cases called positive at each place, for these counts of the table's rows."""
        return Cells(_from_zero(pos)[self.rows], _from_zero(neg)[self.rows])

    def compressed(self, table: Counts) -> tuple[Cells, ThresholdCounter]:
        """The smallest table with the same results: one row per run between thresholds."""
        distinct, back = np.unique(self.rows, return_inverse=True)
        return runs(table, distinct), ThresholdCounter(back + 1)


def recurring_cases(a: Scores, b: Scores) -> tuple[int, int]:
    """How many positives and negatives of one sample recur, by their scores, in the other."""
    _, of_a, of_b = np.intersect1d(a.score, b.score, assume_unique=True, return_indices=True)
    both = ((a.pos, b.pos), (a.neg, b.neg))
    n_pos, n_neg = (int(np.minimum(own[of_a], other[of_b]).sum()) for own, other in both)
    return n_pos, n_neg


# --- two models on the same cases --------------------------------------------------------------------

OnlyOne = tuple[IntArray, IntArray]


def discordant_counts(pair: PairedScores, threshold_a: FloatArray, threshold_b: FloatArray) -> Discordant:
    """Count discordant cases at h pairs of thresholds, in O((n + h) log n)."""
    table, counter = Cells(pair.pos, pair.neg), PairCounter.of(pair, threshold_a, threshold_b)
    if len(table.pos) > CHUNK:
        table, counter = counter.compressed(table)
    return counter(*table)


@dataclass(frozen=True)
class PairCounter:
    """Counts of two models at the `back[i]`-th of the distinct pairs of thresholds, for place i.

    A row of the table, of ranks `index_a` and `index_b`, is called positive by a when its rank is below
    `rows_a`, by b when below `rows_b`. Rows stand by increasing `index_a`.
    """

    rows_a: IntArray
    rows_b: IntArray
    back: IntArray
    index_a: IntArray
    index_b: IntArray

    @classmethod
    def of(cls, pair: PairedScores, threshold_a: FloatArray, threshold_b: FloatArray) -> Self:
        """Count on a pair's table at each pair of thresholds."""
        rows_a, rows_b = rows_above(pair.a.score, threshold_a), rows_above(pair.b.score, threshold_b)
        return cls.at(rows_a, rows_b, pair.index_a, pair.index_b)

    @classmethod
    def at(cls, rows_a: IntArray, rows_b: IntArray, index_a: IntArray, index_b: IntArray) -> Self:
        """Count on a table of two ranks a row, the first `rows_a[i]` ranks of a positive at place i."""
        width = int(rows_b.max(initial=0)) + 1
        key, back = np.unique(rows_a * width + rows_b, return_inverse=True)
        rows_a, rows_b = np.divmod(key, width)
        return cls(rows_a, rows_b, back, index_a, index_b)

    @cached_property
    def only_one(self) -> Callable[[IntArray], OnlyOne]:
        """Cases called positive by a only and by b only, at each distinct pair of thresholds."""
        make = _along_a_path if bool((np.diff(self.rows_b) >= 0).all()) else _anywhere
        return make(self.rows_a, self.rows_b, self.index_a, self.index_b)

    def __call__(self, pos: IntArray, neg: IntArray) -> Discordant:
        """Discordant cases at each place, for these counts of the table's rows."""
        return Discordant(*(side[self.back] for count in (pos, neg) for side in self.only_one(count)))

    def differences(self, pos: IntArray, neg: IntArray) -> Cells:
        """Cases above a's threshold less those above b's: quicker, since nothing is counted jointly."""
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
"""How many rows of a model's table are called, and the part of the next one that is, too, in random order."""


def calls(pair: PairedScores, *cuts: tuple[Cut, Cut]) -> list[FloatArray]:
    """Cases called by both models, by a alone, by b alone, by neither; positives first, shape (2, 4, h).

    Each item is for h cuts of both models. The cases are counted once between all of them.
    """
    corners = [(i, j) for i in (0, 1) for j in (0, 1)]
    lengths = len(pair.a.score), len(pair.b.score)
    asked = [
        [
            np.concatenate([np.minimum(rows + corner[side], lengths[side]) for corner in corners])
            for side, (rows, _) in enumerate(both)
        ]
        for both in cuts
    ]
    table, index_a, index_b = Cells(pair.pos, pair.neg), pair.index_a, pair.index_b
    places = asked
    if len(table.pos) > CHUNK:
        cut_a, cut_b = (np.unique(np.concatenate([rows[side] for rows in asked])) for side in (0, 1))
        table, index_a, index_b = rectangles(table, index_a, index_b, cut_a, cut_b)
        places = [
            [np.searchsorted(c, r) + 1 for c, r in zip((cut_a, cut_b), rows, strict=True)] for rows in asked
        ]
    above = [[np.append(0, x) for x in (s.pos_above, s.neg_above)] for s in (pair.a, pair.b)]
    found = []
    for ((_, part_a), (_, part_b)), (at_a, at_b), place in zip(cuts, asked, places, strict=True):
        only = PairCounter.at(place[0], place[1], index_a, index_b)(*table)
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
    """Sums of `count` over the rows of at most level k under a and at most level j under b, for all k and j.

    Levels run from 0; the row of neither has the level shape[0] or shape[1].
    """
    size = shape[0] + 1, shape[1] + 1
    held = np.bincount(level_a * size[1] + level_b, weights=count, minlength=size[0] * size[1])
    return held.astype(count.dtype).reshape(size).cumsum(axis=0).cumsum(axis=1)[:-1, :-1]


def _along_a_path(rows_a: IntArray, rows_b: IntArray, index_a: IntArray, index_b: IntArray) -> Any:
    """Cases called positive by one model only, when both thresholds only ever fall.

    Each case is then called by a from one step on and by b from another: it is discordant between the
    two steps, so that sums of starts and ends give all counts in linear time.
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

    Rows stand by rank under a, so those above a's threshold are a prefix; within it, the cases whose rank
    under b is below a bound are called by both.
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
    """The same for so few thresholds that all pairs of them are distinguished at once."""
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
    """The same as `counts_above_both`, without a compiler.

    The ranks are gone through bit by bit, the rows stably parted into zeros and ones at each (a wavelet
    matrix: Claude & Navarro 2012), so that a prefix stays a range and the counts of lower ranks add up along
    the way.
    """
    low, high = np.zeros_like(prefix), prefix
    both = np.zeros(len(prefix), dtype=count.dtype)
    for bit in range(ranks.bit_length() - 1, -1, -1):
        zero = (index_b >> bit) & 1 == 0
        zeros, mass = _from_zero(zero), _from_zero(np.where(zero, count, 0))
        asked = (below_b >> bit) & 1 == 1
        both += np.where(asked, mass[high] - mass[low], 0)
        low, high = (np.where(asked, zeros[-1] + place - zeros[place], zeros[place]) for place in (low, high))
        order = np.concatenate([np.flatnonzero(zero), np.flatnonzero(~zero)])
        index_b, count = index_b[order], count[order]
    return both


def rectangles(
    table: Counts, index_a: IntArray, index_b: IntArray, cut_a: IntArray, cut_b: IntArray
) -> tuple[Cells, IntArray, IntArray]:
    """Sums of the counts over rectangles between cuts of both ranks, and the rectangles' two indices.

    Rectangles without a case are left out.
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
    # Looked up by rank: a search for each row would take longer.
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
