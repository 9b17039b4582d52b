"""Many samples at once: drawing them, and counting in all of them together.

A `Batch` holds samples of one size, a row each. When classes are drawn together their sizes vary; such
samples are put into one batch per pair of sizes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from confroc import _kernels
from confroc._check import ArgumentError
from confroc._kernels import lab as kernels
from confroc._types import FloatArray, IntArray, Sampling
from confroc.lab.designs import AnyPopulation
from confroc.scores import CountTable, PairedScores, Scores
from confroc.scores.tables import tally

COMPILE = 50_000
"""Scores in a batch from which a compiled kernel is used: a study has many batches, so the second that it
takes to load the compiler is soon repaid."""


class Batch(NamedTuple):
    """Samples of one size: scores of shape (reps, n), or (reps, n, 2) for two models."""

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

    def scores(self, i: int) -> Scores:
        """Return the i-th sample as the public functions take it."""
        return Scores._of(CountTable(*tally(np.sort(self.pos[i]), np.sort(self.neg[i]))))

    def pair(self, i: int) -> PairedScores:
        """Return the i-th sample of two models as the public functions take it."""
        both = np.concatenate([self.pos[i], self.neg[i]])
        positive = np.arange(len(both)) < self.n_pos
        return PairedScores._of(
            both[:, 0], both[:, 1], positive.astype(np.int64), (~positive).astype(np.int64)
        )

    def model(self, which: int) -> Batch:
        """Return the samples of one of two models."""
        return Batch(self.pos[:, :, which], self.neg[:, :, which])


def draw(
    population: AnyPopulation, size: tuple[int, int], sampling: Sampling, rng: np.random.Generator, reps: int
) -> tuple[list[Batch], int]:
    """Draw samples; return batches, and how many samples lacked a class and are left out.

    Under "full" sampling only n = n_pos + n_neg is fixed: the number of positives is binomial with the
    population's share.
    """
    if sampling == "stratified":
        return [Batch(*population.draw(rng, size[0], size[1], reps))], 0
    n = size[0] + size[1]
    counts = rng.binomial(n, population.share, size=reps)
    kept = counts[(counts > 0) & (counts < n)]
    values, how_many = np.unique(kept, return_counts=True)
    batches = [
        Batch(*population.draw(rng, n_pos, n - n_pos, k))
        for n_pos, k in zip(values.tolist(), how_many.tolist(), strict=True)
    ]
    return batches, reps - len(kept)


def levels(scores: FloatArray, threshold: FloatArray) -> IntArray:
    """Return how many of the increasing thresholds each score reaches, shape (reps, n)."""
    return np.searchsorted(threshold, scores.ravel(), side="right").reshape(scores.shape)


def at_least(level: IntArray, h: int) -> IntArray:
    """Return how many cases of each sample reach each of h thresholds, from their levels; shape (reps, h)."""
    reps = len(level)
    cell = (np.arange(reps) * (h + 1))[:, None] + level
    held = np.bincount(cell.ravel(), minlength=reps * (h + 1)).reshape(reps, h + 1)
    return np.cumsum(held[:, :0:-1], axis=1)[:, ::-1]


def _guide(h: int) -> IntArray:
    # Many more cells than thresholds: most scores then find their level at once.
    return np.empty(8 * h + 64, np.int64)


def count_at(scores: FloatArray, threshold: FloatArray) -> IntArray:
    """Return how many scores of each sample reach each threshold, shape (reps, h)."""
    order = np.argsort(threshold, kind="stable")
    rising = threshold[order]
    out = np.empty((len(scores), len(rising)), np.int64)
    if scores.size < COMPILE or not np.isfinite(rising).all():
        out[:, order] = at_least(levels(scores, rising), len(rising))
        return out
    counts = np.empty_like(out)
    _kernels.compiled(kernels.count_at)(scores, rising, _guide(len(rising)), counts)
    out[:, order] = counts
    return out


def count_at_both(
    scores: FloatArray, threshold_a: FloatArray, threshold_b: FloatArray
) -> tuple[IntArray, IntArray, IntArray]:
    """Return how many cases of each sample reach threshold a, threshold b, and both, shapes (reps, h).

    `scores` has shape (reps, n, 2). The pairs of thresholds must rise together: a case then reaches both of a
    pair exactly when the lower of its two levels does.
    """
    order = np.lexsort((threshold_b, threshold_a))
    if (np.diff(threshold_b[order]) < 0.0).any():
        raise ArgumentError(
            "threshold_b", "rise where `threshold_a` does", threshold_b, "Pair thresholds by their rank."
        )
    rising = threshold_a[order], threshold_b[order]
    h = len(order)
    counts = np.empty((3, len(scores), h), np.int64)
    if scores.size < COMPILE or not np.isfinite(rising).all():
        level = [levels(scores[..., i], t) for i, t in enumerate(rising)]
        for row, each in zip(counts, (*level, np.minimum(*level)), strict=True):
            row[:] = at_least(each, h)
    else:
        guide = np.stack([_guide(h), _guide(h)])
        _kernels.compiled(kernels.count_at_both)(scores, *rising, guide, counts)
    out = np.empty_like(counts)
    out[:, :, order] = counts
    return out[0], out[1], out[2]


def ranks(of_sorted: FloatArray, among_sorted: FloatArray) -> tuple[IntArray, IntArray]:
    """Return, per sample and value of `of_sorted`, how many of `among_sorted` reach and exceed it.

    Both arrays increase along each row.
    """
    reps, n = of_sorted.shape
    if reps * (n + among_sorted.shape[1]) >= COMPILE:
        at_least, above = np.zeros((2, reps, n), np.int64)
        _kernels.compiled(kernels.ranks)(of_sorted, among_sorted, at_least, above)
        return at_least, above
    both = np.concatenate([of_sorted, among_sorted], axis=1)
    counted = []
    for first in (among_sorted, of_sorted):
        # A stable sort puts equal values in the order in which they are written: those written first
        # come first. So the positions of `of_sorted` tell how many of `among_sorted` stand before it.
        row = both if first is of_sorted else np.concatenate([among_sorted, of_sorted], axis=1)
        place = np.empty((reps, row.shape[1]), np.int64)
        order = np.argsort(row, axis=1, kind="stable")
        np.put_along_axis(place, order, np.arange(row.shape[1])[None, :], axis=1)
        mine = place[:, :n] if first is of_sorted else place[:, -n:]
        counted.append(among_sorted.shape[1] - (mine - np.arange(n)))
    above, at_least = counted
    return at_least, above


class PlacementSums(NamedTuple):
    """Mean of a class's placements in each sample, and sums of their centred second and fourth powers."""

    mean: FloatArray
    second: FloatArray
    fourth: FloatArray


def placement_sums(pos: FloatArray, neg: FloatArray) -> tuple[PlacementSums, PlacementSums]:
    """Return the moments of the share of the other class that each case exceeds, ties one half, per class.

    Both arrays increase along each row.
    """
    if pos.size + neg.size >= COMPILE:
        sums = np.empty((2, len(pos), 3))
        room = np.empty(pos.shape[1]), np.empty(neg.shape[1])
        _kernels.compiled(kernels.placement_moments)(pos, neg, *room, sums)
        return PlacementSums(*sums[0].T), PlacementSums(*sums[1].T)
    found = []
    for of, among in ((pos, neg), (neg, pos)):
        reached, exceeded = ranks(of, among)
        placement = 1.0 - (reached + exceeded) / (2.0 * among.shape[1])
        mean = placement.mean(axis=1)
        square = np.square(placement - mean[:, None])
        found.append(PlacementSums(mean, square.sum(axis=1), np.square(square).sum(axis=1)))
    return found[0], found[1]
