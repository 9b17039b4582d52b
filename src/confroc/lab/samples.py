"""Many samples at once: drawing them, and counting in all of them together.

`Samples` holds samples of one size, a row each. When classes are drawn together their sizes vary; such
samples are put together by their sizes. Counts and ranks are those of the public functions, for all rows in
one go: a study has so many small samples that making a table of each would take most of its time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from confroc import _kernels
from confroc._check import ArgumentError
from confroc._kernels import lab as kernels
from confroc._types import BoolArray, Ends, FloatArray, IntArray, Sampling
from confroc.lab.populations import AnyPopulation
from confroc.scores import PairedScores, Scores, UnpairedScores

COMPILE = 50_000
"""Scores from which a compiled kernel is used: a study has many such arrays, so that the second that it takes
to load the compiler is soon repaid."""


BLOCK = 2**17
"""Scores that are worked on at a time, so that what is computed of them stays within the cache."""


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
        """Positives in each."""
        return int(self.pos.shape[1])

    @property
    def n_neg(self) -> int:
        """Negatives in each."""
        return int(self.neg.shape[1])

    def take(self, rows: BoolArray) -> Samples:
        """Return some of the samples."""
        return Samples(self.pos[rows], self.neg[rows])

    def scores(self, i: int) -> Scores:
        """Return the i-th sample as the public functions take it."""
        return Scores(self._positive(), np.concatenate([self.pos[i], self.neg[i]]))

    def pair(self, i: int) -> PairedScores:
        """Return the i-th sample of several models as the public functions take it."""
        return PairedScores(self._positive(), *np.concatenate([self.pos[i], self.neg[i]]).T)

    def groups(self, i: int) -> UnpairedScores:
        """The same of groups, each with cases of its own."""
        columns = np.concatenate([self.pos[i], self.neg[i]]).T
        return UnpairedScores(*(Scores(self._positive(), column) for column in columns))

    def _positive(self) -> Any:
        return np.arange(self.n_pos + self.n_neg) < self.n_pos

    def one_by_one(self, *intervals: Callable[[Any], Any], places: int = 1) -> list[Ends]:
        """Ends of the intervals that functions of one sample give, shapes (reps, places); NaN where none."""
        take = self.scores if self.pos.ndim == 2 else self.pair
        made = np.full((len(intervals), 2, self.reps, places), np.nan)
        for i in range(self.reps):
            sample = take(i)
            for ends, interval in zip(made, intervals, strict=True):
                try:
                    found = interval(sample)
                except ValueError:
                    continue
                ends[:, i] = np.reshape(found.lower, places), np.reshape(found.upper, places)
        return [(low, high) for low, high in made]


def draw(
    population: AnyPopulation, size: tuple[int, int], sampling: Sampling, rng: np.random.Generator, reps: int
) -> tuple[list[Samples], int]:
    """Draw samples; return those of each size, and how many lacked a class and are left out.

    Under "full" sampling only n = n_pos + n_neg is fixed: the number of positives is binomial with the
    population's share.
    """
    if sampling == "stratified":
        return [Samples(*population.draw(rng, size[0], size[1], reps))], 0
    n = size[0] + size[1]
    counts = rng.binomial(n, population.share, size=reps)
    kept = counts[(counts > 0) & (counts < n)]
    values, how_many = np.unique(kept, return_counts=True)
    drawn = [
        Samples(*population.draw(rng, n_pos, n - n_pos, k))
        for n_pos, k in zip(values.tolist(), how_many.tolist(), strict=True)
    ]
    return drawn, reps - len(kept)


# --- counting ----------------------------------------------------------------------------------------


def blocks(scores: FloatArray) -> Iterator[slice]:
    """Rows that are worked on at a time."""
    step = max(1, BLOCK // scores[0].size)
    return (slice(start, start + step) for start in range(0, len(scores), step))


def levels(scores: FloatArray, rising: FloatArray) -> IntArray:
    """Return how many of the increasing thresholds each score reaches."""
    if scores.size < COMPILE or not np.isfinite(rising).all():
        return np.searchsorted(rising, scores.ravel(), side="right").reshape(scores.shape)
    level = np.empty(scores.shape, np.int64)
    # Many more cells than thresholds: most scores then find their level at once.
    guide = np.empty(8 * len(rising) + 64, np.int64)
    _kernels.compiled(kernels.levels)(scores, rising, guide, level)
    return level


def at_least(level: IntArray, h: int) -> IntArray:
    """Return how many cases of each sample reach each of h thresholds, from their levels; shape (reps, h)."""
    reps = len(level)
    cell = (np.arange(reps) * (h + 1))[:, None] + level
    held = np.bincount(cell.ravel(), minlength=reps * (h + 1)).reshape(reps, h + 1)
    return np.cumsum(held[:, :0:-1], axis=1)[:, ::-1]


def count_at(scores: FloatArray, threshold: FloatArray) -> IntArray:
    """Return how many scores of each sample reach each threshold, shape (reps, h)."""
    order = np.argsort(threshold, kind="stable")
    out = np.empty((len(scores), len(order)), np.int64)
    for rows in blocks(scores):
        out[rows][:, order] = at_least(levels(scores[rows], threshold[order]), len(order))
    return out


def discordant_at(scores: FloatArray, thresholds: Sequence[FloatArray]) -> tuple[IntArray, IntArray]:
    """Cases of each sample that only model a, and only model b, calls positive, shapes (reps, h).

    `scores` has shape (reps, n, 2). The pairs of thresholds must rise together: a case then reaches both of a
    pair exactly when the lower of its two levels does.
    """
    order = np.lexsort((thresholds[1], thresholds[0]))
    if (np.diff(thresholds[1][order]) < 0.0).any():
        raise ArgumentError(
            "thresholds", "rise together for both models", thresholds[1], "Pair thresholds by their rank."
        )
    h = len(order)
    out = np.empty((2, len(scores), h), np.int64)
    for rows in blocks(scores):
        level = [levels(scores[rows, :, model], t[order]) for model, t in enumerate(thresholds)]
        both = at_least(np.minimum(*level), h)
        for only, each in zip(out, level, strict=True):
            only[rows][:, order] = at_least(each, h) - both
    return out[0], out[1]


def ranks(of_sorted: FloatArray, among_sorted: FloatArray) -> tuple[IntArray, IntArray]:
    """Return, per sample and value of `of_sorted`, how many of `among_sorted` reach and exceed it.

    Both arrays increase along each row.
    """
    n = of_sorted.shape[1]
    if of_sorted.size + among_sorted.size >= COMPILE:
        at_least, above = np.empty((2, *of_sorted.shape), np.int64)
        _kernels.compiled(kernels.ranks)(of_sorted, among_sorted, at_least, above)
        return at_least, above
    counted = []
    for mine_first in (True, False):
        # A stable sort leaves equal values in the order in which they are written: those written first come
        # first. So the places of `of_sorted` tell how many of `among_sorted` stand before it.
        row = np.concatenate([of_sorted, among_sorted][:: 1 if mine_first else -1], axis=1)
        place = np.empty(row.shape, np.int64)
        order = np.argsort(row, axis=1, kind="stable")
        np.put_along_axis(place, order, np.arange(row.shape[1])[None, :], axis=1)
        mine = place[:, :n] if mine_first else place[:, -n:]
        counted.append(among_sorted.shape[1] - (mine - np.arange(n)))
    return counted[0], counted[1]
