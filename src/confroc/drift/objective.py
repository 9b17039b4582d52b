"""What is moved: the area of one model, or the difference of two on the same cases.

Both are bilinear in the classes' shares (p, q), so each has a gradient in either class that is linear in
the other's shares and takes cumulative sums only.
"""

from __future__ import annotations

from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from confroc._types import FloatArray
from confroc.scores import PairedScores
from confroc.scores.counting import CHUNK

IntArray: TypeAlias = NDArray[np.intp]
Counts: TypeAlias = NDArray[np.int64]


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


class _Ranks:
    """For each row that holds one class, how many rows with the other are strictly above, and at or above.

    For long tables in half the memory of whole numbers, turned to sums of shares run by run.
    """

    def __init__(self, count: Counts, other: Counts) -> None:
        held, of_other = count > 0, other > 0
        self._long = len(count) > CHUNK
        above = np.cumsum(of_other, dtype=np.min_scalar_type(-len(count) - 1) if self._long else np.intp)
        self._tied = of_other[held]
        self._strict = above[held]
        self._weak = self._strict if self._long else above[held]
        self._strict -= self._tied

    def both_sums(self, share: FloatArray) -> FloatArray:
        """The sum of shares of the rows strictly above and that at or above, added up."""
        total = np.empty(len(share) + 1)
        total[0] = 0.0
        np.cumsum(share, out=total[1:])
        if not self._long:
            return np.asarray(total[self._strict] + total[self._weak])
        both = np.empty(len(self._strict))
        for start in range(0, len(both), CHUNK):
            part = slice(start, start + CHUNK)
            strict = self._strict[part].astype(np.intp)
            np.add(total[strict], total[strict + self._tied[part]], out=both[part])
        return both


class Area:
    """The area of one model, over the rows of a table that hold each class."""

    def __init__(self, pos: Counts, neg: Counts) -> None:
        self.counts = pos, neg
        self.pos: FloatArray = pos[pos > 0] / pos.sum()
        self.neg: FloatArray = neg[neg > 0] / neg.sum()
        self._neg_over_pos, self._pos_over_neg = _Ranks(pos, neg), _Ranks(neg, pos)

    @property
    def rows_pos(self) -> IntArray:
        """The rows of the table that hold positives."""
        return np.flatnonzero(self.counts[0])

    @property
    def rows_neg(self) -> IntArray:
        """The rows of the table that hold negatives."""
        return np.flatnonzero(self.counts[1])

    def pull_on_pos(self, neg: FloatArray) -> FloatArray:
        """Share of negatives that each positive outranks."""
        both = self._neg_over_pos.both_sums(neg)
        both *= 0.5
        return np.subtract(1.0, both, out=both)

    def pull_on_neg(self, pos: FloatArray) -> FloatArray:
        """Share of positives that outrank each negative."""
        both = self._pos_over_neg.both_sums(pos)
        both *= 0.5
        return both


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


def blocks(pos: Counts, neg: Counts, n_blocks: int) -> IntArray:
    """First rows of the runs of neighbouring rows into which about `n_blocks` equal ones divide the table."""
    sizes, passed, last = (int(pos.sum()), int(neg.sum())), [0, 0], -1
    first = []
    for start in range(0, len(pos), CHUNK):
        above = [n + np.cumsum(c[start : start + CHUNK]) for n, c in zip(passed, (pos, neg), strict=True)]
        passed = [int(a[-1]) for a in above]
        place = above[0] / sizes[0] + above[1] / sizes[1]
        run = np.minimum(0.5 * n_blocks * place, n_blocks - 1).astype(np.intp)
        first.append(start + np.flatnonzero(np.diff(run, prepend=last)))
        last = int(run[-1])
    return np.concatenate(first)
