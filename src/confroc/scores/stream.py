"""Counts of a stream of cases in bounded memory."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import (
    ArgumentError,
    as_floats,
    check_choice,
    check_count,
    check_instance,
    check_number,
)
from confroc.scores.labels import (
    NAN_POLICIES,
    NanPolicy,
    check_both_classes,
    check_case_count,
    complete_cases,
    same_rows,
)
from confroc.scores.single import Scores, check_scores
from confroc.scores.tables import check_finite, sum_levels

MOST_CELLS = 10**7


class ScoreStream:
    """Counts per cell of a fixed grid of scores, for cases that arrive in batches.

    Memory is four numbers per cell. `scores()` returns a `Scores` with a level per occupied cell, which
    records the cell's lowest and highest score; its `fpr_error`, `tpr_error` and `auc_error` bound the effect
    of the grid. A cell with only one distinct score adds no error.

    Parameters
    ----------
    edges : array-like of shape (k,)
        Increasing boundaries of the k + 1 cells; a score equal to a boundary belongs to the cell above it.
        The outer cells are unbounded. See `even` and `like`.
    pos_label, nan_policy
        As in `Scores`.

    Attributes
    ----------
    n_pos, n_neg, n_dropped : int
        Number of cases so far.

    Raises
    ------
    ValueError
        Edges are not increasing.

    See Also
    --------
    read_scores : Rounds with `resolution=`, if all cases can be read.

    Examples
    --------
    >>> from confroc.scores import ScoreStream
    >>> stream = ScoreStream.even(0.0, 1.0, cells=1000)
    >>> stream.update([1, 0], [0.8, 0.3])
    >>> stream.update([1, 0, 1], [0.25, 0.1, 0.9])
    >>> stream.scores()
    Scores(n_pos=3, n_neg=2, distinct=5, auc=0.8333)
    """

    n_pos: int
    n_neg: int
    n_dropped: int

    def __init__(
        self, edges: ArrayLike, *, pos_label: object = None, nan_policy: NanPolicy = "raise"
    ) -> None:
        check_choice("nan_policy", nan_policy, NAN_POLICIES)
        self._edges = check_finite("edges", edges)
        if not self._edges.size or not (self._edges[1:] > self._edges[:-1]).all():
            raise ArgumentError("edges", "be strictly increasing", edges, "Sort them and drop repeats.")
        self._pos_label = pos_label
        self._nan_policy: NanPolicy = nan_policy
        cells = len(self._edges) + 1
        self._pos, self._neg = np.zeros(cells, np.int64), np.zeros(cells, np.int64)
        self._low, self._high = np.full(cells, np.inf), np.full(cells, -np.inf)
        self.n_pos = self.n_neg = self.n_dropped = 0

    @classmethod
    def even(
        cls,
        low: float,
        high: float,
        *,
        cells: int = 4096,
        pos_label: object = None,
        nan_policy: NanPolicy = "raise",
    ) -> Self:
        """Equal cells from `low` to `high`, e.g. 0 and 1 for probabilities; the outer two are unbounded."""
        check_count("cells", cells, minimum=2, maximum=MOST_CELLS)
        bottom, top = check_number("low", low), check_number("high", high)
        if not bottom < top:
            raise ArgumentError("low", f"be below `high` ({top})", low, "Swap the two.")
        with np.errstate(over="ignore", invalid="ignore"):
            # A range too wide for double precision gives invalid edges.
            edges = np.linspace(bottom, top, cells + 1)[1:-1]
        return cls(edges, pos_label=pos_label, nan_policy=nan_policy)

    @classmethod
    def like(
        cls,
        scores: Scores,
        *,
        cells: int = 4096,
        pos_label: object = None,
        nan_policy: NanPolicy = "raise",
    ) -> Self:
        """At most `cells` cells with about equal proportions of the classes of earlier `scores`."""
        check_scores("scores", scores)
        check_count("cells", cells, minimum=2, maximum=MOST_CELLS)
        above = 0.5 * (scores.pos_above / scores.n_pos + scores.neg_above / scores.n_neg)
        # The k-th edge is the score with k cell proportions of the cases above it.
        at = np.unique(np.searchsorted(above, np.arange(1, cells) / cells))
        return cls(np.unique(scores.score[at]), pos_label=pos_label, nan_policy=nan_policy)

    def update(self, y_true: ArrayLike, y_score: ArrayLike) -> None:
        """Count a batch of cases; it may lack one class.

        Parameters
        ----------
        y_true, y_score : array-like of shape (n,)
            As in `Scores`.

        Raises
        ------
        ValueError
            As in `Scores`; the batch is then not counted.
        """
        same_rows(y_true=y_true, y_score=y_score)
        positive, (score,), dropped = complete_cases(
            y_true, self._pos_label, self._nan_policy, part=True, y_score=as_floats("y_score", y_score)
        )
        check_case_count("y_true", self.n_pos + self.n_neg + len(score))
        cell = np.searchsorted(self._edges, score, side="right")
        pos = np.bincount(cell[positive], minlength=len(self._pos))
        self._pos += pos
        self._neg += np.bincount(cell, minlength=len(self._pos)) - pos
        np.minimum.at(self._low, cell, score)
        np.maximum.at(self._high, cell, score)
        self.n_dropped += int(dropped.sum())
        self._sum()

    def _sum(self) -> None:
        self.n_pos, self.n_neg = int(self._pos.sum()), int(self._neg.sum())

    def scores(self) -> Scores:
        """Return the counts so far.

        Raises
        ------
        ValueError
            A class has no cases yet.

        Warns
        -----
        ConfrocWarning
            AUC below 0.5.
        """
        check_both_classes(self.n_pos, self.n_neg)
        used = (self._pos + self._neg) > 0
        levels = sum_levels(self._low[used], self._high[used], self._pos[used], self._neg[used])
        scores = Scores._of(*levels, dropped=self.n_dropped)
        scores._warn_below_half()
        return scores

    def merge(self, other: ScoreStream) -> None:
        """Add the counts of another stream with the same grid."""
        check_instance("other", other, ScoreStream, "Merge Scores by Scores.merge.")
        if not np.array_equal(self._edges, other._edges):
            rule = "have the same edges"
            raise ArgumentError("other", rule, other, "Merge the two streams' scores() by Scores.merge.")
        check_case_count("other", sum(s.n_pos + s.n_neg for s in (self, other)))
        self._pos += other._pos
        self._neg += other._neg
        np.minimum(self._low, other._low, out=self._low)
        np.maximum(self._high, other._high, out=self._high)
        self.n_dropped += other.n_dropped
        self._sum()

    def __repr__(self) -> str:
        return f"ScoreStream(cells={len(self._pos)}, n_pos={self.n_pos}, n_neg={self.n_neg})"
