"""Many samples of one size, one per row, with vectorized counts and ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from confroc._types import BoolArray, Ends, FloatArray, IntArray
from confroc.scores import PairedScores, Scores, UnpairedScores


class Samples(NamedTuple):
    """Samples of one size: scores of shape (reps, n), or (reps, n, k) for k models."""

    pos: FloatArray
    neg: FloatArray

    @property
    def reps(self) -> int:
        """Number of samples."""
        return len(self.pos)

    @property
    def n_pos(self) -> int:
        """Number of positives per sample."""
        return int(self.pos.shape[1])

    @property
    def n_neg(self) -> int:
        """Number of negatives per sample."""
        return int(self.neg.shape[1])

    def take(self, rows: BoolArray) -> Samples:
        """Return some of the samples."""
        return Samples(self.pos[rows], self.neg[rows])

    def scores(self, i: int) -> Scores:
        """Return the i-th sample of one model."""
        return Scores(self._positive(), np.concatenate([self.pos[i], self.neg[i]]))

    def pair(self, i: int) -> PairedScores:
        """Return the i-th sample of several models on the same cases."""
        return PairedScores(self._positive(), *np.concatenate([self.pos[i], self.neg[i]]).T)

    def groups(self, i: int) -> UnpairedScores:
        """Return the i-th sample of several disjoint groups."""
        columns = np.concatenate([self.pos[i], self.neg[i]]).T
        return UnpairedScores(*(Scores(self._positive(), column) for column in columns))

    def _positive(self) -> Any:
        return np.arange(self.n_pos + self.n_neg) < self.n_pos

    def one_by_one(self, *intervals: Callable[[Any], Any], places: int = 1) -> list[Ends]:
        """Limits of the intervals returned by functions of a sample, shape (reps, places); NaN if none."""
        take = self.scores if self.pos.ndim == 2 else self.pair
        return one_by_one(take, self.reps, intervals, places)


def one_by_one(
    take: Callable[[int], Any], reps: int, intervals: Sequence[Callable[[Any], Any]], places: int
) -> list[Ends]:
    """Limits of the intervals of samples accessed by index; see `Samples`."""
    made = np.full((len(intervals), 2, reps, places), np.nan)
    for i in range(reps):
        sample = take(i)
        for ends, interval in zip(made, intervals, strict=True):
            try:
                found = interval(sample)
            except ValueError:
                continue
            ends[:, i] = np.reshape(found.lower, places), np.reshape(found.upper, places)
    return [(low, high) for low, high in made]


def reached(scores: FloatArray, rising: FloatArray) -> IntArray:
    """Return the number of increasing thresholds at or below each score."""
    return np.searchsorted(rising, scores.ravel(), side="right").reshape(scores.shape)


def at_least(level: IntArray, h: int) -> IntArray:
    """Return the number of cases at or above each of h thresholds, from their levels; (reps, h)."""
    reps = len(level)
    cell = (np.arange(reps) * (h + 1))[:, None] + level
    held = np.bincount(cell.ravel(), minlength=reps * (h + 1)).reshape(reps, h + 1)
    return np.cumsum(held[:, :0:-1], axis=1)[:, ::-1]


def count_at(scores: FloatArray, threshold: FloatArray) -> IntArray:
    """Return the number of scores at or above each threshold, shape (reps, h)."""
    order = np.argsort(threshold, kind="stable")
    out = np.empty((len(scores), len(order)), np.int64)
    out[:, order] = at_least(reached(scores, threshold[order]), len(order))
    return out


def ranks(of_sorted: FloatArray, among_sorted: FloatArray) -> tuple[IntArray, IntArray]:
    """Return, per sample and value of `of_sorted`, the numbers of `among_sorted` at or above and above it.

    Both arrays increase along each row.
    """
    n = among_sorted.shape[1]
    at_least, above = np.empty((2, *of_sorted.shape), np.int64)
    for i, (values, among) in enumerate(zip(of_sorted, among_sorted, strict=True)):
        at_least[i] = n - among.searchsorted(values, side="left")
        above[i] = n - among.searchsorted(values, side="right")
    return at_least, above
