"""Errors at many thresholds at once, from a table of counts: one pass for all, one model or two.

A `Reader` is made once for a table's rows and the thresholds, and then reads any counts on those rows:
the data's own, or a resample's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from confroc import _kernels
from confroc._kernels.cost import counts_above_both
from confroc._types import FloatArray, IntArray
from confroc.points.quadrants import rectangles
from confroc.resample import Cells
from confroc.scores import PairedScores, Scores
from confroc.scores.counting import rows_above, sums_before


class Errors(NamedTuple):
    """Errors of one model at each threshold: false negatives and false positives, shape (h,)."""

    fn: IntArray
    fp: IntArray


class Discordant(NamedTuple):
    """Cases on which one model errs and the other does not, at each pair of thresholds, shape (h,)."""

    fn_a: IntArray
    fn_b: IntArray
    fp_a: IntArray
    fp_b: IntArray


def _from_zero(values: IntArray) -> IntArray:
    return np.concatenate([[0], np.cumsum(values)])


def runs(table: Cells, rows: IntArray) -> Cells:
    """Sums of the counts over the runs of rows between the given, increasing numbers of rows."""
    pos, neg = (
        np.diff(above, prepend=0, append=count.sum())
        for above, count in zip(sums_before(rows, *table), table, strict=True)
    )
    return Cells(pos, neg)


class Reader(NamedTuple):
    """Errors of one model: at place i the first `rows[i]` rows of the table are called positive.

    With `hits`, true positives stand in for false negatives.
    """

    rows: IntArray
    hits: bool = False

    @classmethod
    def of(cls, scores: Scores, threshold: FloatArray, *, hits: bool = False) -> Self:
        """Read a model's table at each threshold; cases with score >= threshold are called positive."""
        return cls(rows_above(scores.score, threshold), hits)

    def __call__(self, pos: IntArray, neg: IntArray) -> Errors:
        """Errors at each place, for these counts of the table's rows."""
        called = _from_zero(pos)
        hits = called[self.rows]
        return Errors(hits if self.hits else called[-1] - hits, _from_zero(neg)[self.rows])

    def compressed(self, table: Cells) -> tuple[Cells, Reader]:
        """The smallest table that gives the same answers: one row per run between thresholds."""
        distinct, back = np.unique(self.rows, return_inverse=True)
        return runs(table, distinct), Reader(back + 1, self.hits)


OnlyOne = tuple[IntArray, IntArray]


@dataclass(frozen=True)
class PairReader:
    """Discordant errors of two models at `back[i]`-th of the distinct pairs of thresholds.

    A pair of the table, of ranks `index_a` and `index_b`, is called positive by a when its rank is below
    `rows_a`, by b when below `rows_b`.
    """

    rows_a: IntArray
    rows_b: IntArray
    back: IntArray
    index_a: IntArray
    index_b: IntArray

    @classmethod
    def of(cls, pair: PairedScores, threshold_a: FloatArray, threshold_b: FloatArray) -> Self:
        """Read a pair's table at each pair of thresholds, in O((n + h) log n)."""
        rows_a, rows_b = rows_above(pair.a.score, threshold_a), rows_above(pair.b.score, threshold_b)
        return cls.at(rows_a, rows_b, pair.index_a, pair.index_b)

    @classmethod
    def at(cls, rows_a: IntArray, rows_b: IntArray, index_a: IntArray, index_b: IntArray) -> Self:
        """Read a table whose rows stand by increasing `index_a`."""
        width = int(rows_b.max(initial=0)) + 1
        key, back = np.unique(rows_a * width + rows_b, return_inverse=True)
        rows_a, rows_b = np.divmod(key, width)
        return cls(rows_a, rows_b, back, index_a, index_b)

    @cached_property
    def only_one(self) -> Callable[[IntArray], OnlyOne]:
        """Cases called positive by one model only."""
        make = _along_a_path if bool((np.diff(self.rows_b) >= 0).all()) else _anywhere
        return make(self.rows_a, self.rows_b, self.index_a, self.index_b)

    def __call__(self, pos: IntArray, neg: IntArray) -> Discordant:
        """Discordant errors at each place, for these counts of the table's rows."""
        (pos_a, pos_b), (neg_a, neg_b) = self.only_one(pos), self.only_one(neg)
        # A positive that only a calls positive is an error of b alone; a negative, of a alone.
        return Discordant(pos_b[self.back], pos_a[self.back], neg_a[self.back], neg_b[self.back])

    def compressed(self, table: Cells) -> tuple[Cells, PairReader]:
        """The smallest table that gives the same answers: one row per rectangle between thresholds."""
        cut_a, cut_b = np.unique(self.rows_a), np.unique(self.rows_b)
        cells, index_a, index_b = rectangles(table, self.index_a, self.index_b, cut_a, cut_b)
        rows_a = np.searchsorted(cut_a, self.rows_a)[self.back] + 1
        rows_b = np.searchsorted(cut_b, self.rows_b)[self.back] + 1
        return cells, PairReader.at(rows_a, rows_b, index_a, index_b)


def _along_a_path(
    rows_a: IntArray, rows_b: IntArray, index_a: IntArray, index_b: IntArray
) -> Callable[[IntArray], OnlyOne]:
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
            sides.append(np.cumsum(change[:steps]).astype(np.int64))
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
    prefix = _from_zero(np.bincount(index_a, minlength=ranks_a))[above_a]
    above_both = wavelet_counts
    if len(index_a) + len(rows_a) >= _kernels.BIG:
        above_both = _kernels.compiled(counts_above_both)

    def only_one(count: IntArray) -> OnlyOne:
        both = above_both(prefix, above_b, index_b, count, ranks_b)
        per_b = np.bincount(index_b, weights=count, minlength=ranks_b).astype(np.int64)
        called_a, called_b = _from_zero(count)[prefix], _from_zero(per_b)[above_b]
        return called_a - both, called_b - both

    return only_one


def wavelet_counts(
    prefix: IntArray, below_b: IntArray, index_b: IntArray, count: IntArray, ranks: int
) -> IntArray:
    """The same as `counts_above_both`, without a compiler.

    The ranks are gone through bit by bit, the rows stably parted into zeros and ones at each (a wavelet
    matrix), so that a prefix stays a range and the counts of lower ranks add up along the way.
    """
    low, high = np.zeros_like(prefix), prefix
    both = np.zeros(len(prefix), dtype=np.int64)
    for bit in range(ranks.bit_length() - 1, -1, -1):
        zero = (index_b >> bit) & 1 == 0
        zeros, mass = _from_zero(zero), _from_zero(np.where(zero, count, 0))
        asked = (below_b >> bit) & 1 == 1
        both += np.where(asked, mass[high] - mass[low], 0)
        low, high = (np.where(asked, zeros[-1] + place - zeros[place], zeros[place]) for place in (low, high))
        order = np.concatenate([np.flatnonzero(zero), np.flatnonzero(~zero)])
        index_b, count = index_b[order], count[order]
    return both
