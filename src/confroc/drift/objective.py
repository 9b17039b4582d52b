"""What is moved: the area of one model, or the difference of two on the same cases.

Both are bilinear in the classes' shares (p, q), so each has a gradient in either class that is linear in
the other's shares and takes cumulative sums only.
"""

from __future__ import annotations

from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from confroc.scores import PairedScores

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.intp]


class Objective(Protocol):
    """A bilinear function of the positives' and the negatives' shares."""

    @property
    def pos(self) -> FloatArray:
        """Shares of the rows that hold positives."""

    @property
    def neg(self) -> FloatArray:
        """Shares of the rows that hold negatives."""

    def pull_on_pos(self, neg: FloatArray) -> FloatArray:
        """Derivative in each of the positives' shares."""

    def pull_on_neg(self, pos: FloatArray) -> FloatArray:
        """Derivative in each of the negatives' shares."""


class Area:
    """The area of one model. `rows_pos` and `rows_neg` are the rows of the table that hold each class."""

    def __init__(self, pos: NDArray[np.int64], neg: NDArray[np.int64]) -> None:
        self.rows_pos, self.rows_neg = np.flatnonzero(pos), np.flatnonzero(neg)
        self.pos: FloatArray = pos[self.rows_pos] / pos.sum()
        self.neg: FloatArray = neg[self.rows_neg] / neg.sum()
        # Rows of the other class strictly above, and at or above.
        above_pos = np.concatenate([[0], np.cumsum(pos > 0)])
        above_neg = np.concatenate([[0], np.cumsum(neg > 0)])
        self._neg_over_pos = above_neg[self.rows_pos], above_neg[self.rows_pos + 1]
        self._pos_over_neg = above_pos[self.rows_neg], above_pos[self.rows_neg + 1]

    def pull_on_pos(self, neg: FloatArray) -> FloatArray:
        """Share of negatives that each positive outranks."""
        total = np.concatenate([[0.0], np.cumsum(neg)])
        strict, weak = self._neg_over_pos
        return np.asarray(1.0 - 0.5 * (total[strict] + total[weak]))

    def pull_on_neg(self, pos: FloatArray) -> FloatArray:
        """Share of positives that outrank each negative."""
        total = np.concatenate([[0.0], np.cumsum(pos)])
        strict, weak = self._pos_over_neg
        return np.asarray(0.5 * (total[strict] + total[weak]))


class AreaDifference:
    """The difference a − b of two models' areas, over the rows of their table of pairs."""

    def __init__(self, pair: PairedScores) -> None:
        self.rows_pos, self.rows_neg = np.flatnonzero(pair.pos), np.flatnonzero(pair.neg)
        self.pos: FloatArray = pair.pos[self.rows_pos] / pair.n_pos
        self.neg: FloatArray = pair.neg[self.rows_neg] / pair.n_neg
        self._models = [
            (index[self.rows_pos], index[self.rows_neg], len(scores.score))
            for index, scores in ((pair.index_a, pair.a), (pair.index_b, pair.b))
        ]

    def pull_on_pos(self, neg: FloatArray) -> FloatArray:
        """Difference of the shares of negatives that each positive outranks."""
        pulls = []
        for at_pos, at_neg, rows in self._models:
            tally = np.bincount(at_neg, weights=neg, minlength=rows)
            pulls.append(1.0 - (np.cumsum(tally) - 0.5 * tally)[at_pos])
        return np.asarray(pulls[0] - pulls[1])

    def pull_on_neg(self, pos: FloatArray) -> FloatArray:
        """Difference of the shares of positives that outrank each negative."""
        pulls = []
        for at_pos, at_neg, rows in self._models:
            tally = np.bincount(at_pos, weights=pos, minlength=rows)
            pulls.append((np.cumsum(tally) - 0.5 * tally)[at_neg])
        return np.asarray(pulls[0] - pulls[1])


def blocks(pos: NDArray[np.int64], neg: NDArray[np.int64], n_blocks: int) -> IntArray:
    """Number of the run of neighbouring rows, of about `n_blocks` equal ones, that each row falls into."""
    place = np.cumsum(pos) / pos.sum() + np.cumsum(neg) / neg.sum()
    run = np.minimum(0.5 * n_blocks * place, n_blocks - 1).astype(np.intp)
    return np.asarray(np.cumsum(np.diff(run, prepend=run[0]) > 0))
