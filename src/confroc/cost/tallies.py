"""Errors of one model at many thresholds, counted on the data or on a resample of its table."""

from __future__ import annotations

from typing import NamedTuple, Self

from confroc._types import FloatArray, IntArray
from confroc.scores import Scores
from confroc.scores.counting import Cells, Counts, ThresholdCounter


class Errors(NamedTuple):
    """Errors of one model at each threshold: false negatives and false positives, shape (h,)."""

    fn: IntArray
    fp: IntArray


class Reader(NamedTuple):
    """Errors of one model at each place of a counter; with `hits`, true positives for false negatives."""

    counter: ThresholdCounter
    hits: bool = False

    @classmethod
    def of(cls, scores: Scores, threshold: FloatArray, *, hits: bool = False) -> Self:
        """Read a model's table at each threshold; cases with score >= threshold are called positive."""
        return cls(ThresholdCounter.of(scores, threshold), hits)

    def __call__(self, pos: IntArray, neg: IntArray) -> Errors:
        """Errors at each place, for these counts of the table's rows."""
        found = self.counter(pos, neg)
        return Errors(found.pos if self.hits else pos.sum() - found.pos, found.neg)

    def compressed(self, table: Counts) -> tuple[Cells, Reader]:
        """The smallest table that gives the same answers."""
        cells, counter = self.counter.compressed(table)
        return cells, Reader(counter, self.hits)
