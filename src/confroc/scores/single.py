"""Scores of one model on one test set."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from confroc import _kernels
from confroc._check import as_floats, check_choice, sentence, warn
from confroc._kernels.merge import twice_wins
from confroc.results import read_only
from confroc.scores.labels import (
    NAN_POLICIES,
    NanPolicy,
    both_classes,
    read_labels,
    refuse_infinite,
    refuse_missing,
    same_length,
)
from confroc.scores.tables import (
    FloatArray,
    IntArray,
    Table,
    check_counts,
    check_finite,
    sorted_classes,
    sum_equal,
    tally,
)


class Scores:
    """Scores of one model on one test set, as counts per distinct score.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True classes. {0, 1}, {-1, 1} and booleans need no `pos_label`.
    y_score : array-like of shape (n,)
        Scores; higher means more likely positive. Any finite numbers, tied or not.
    pos_label : int, float, str or bool, optional
        The positive class; every other label is negative.
    nan_policy : {"raise", "omit"}
        What to do with cases whose label or score is missing. "omit" drops the whole case and keeps
        their number in `n_dropped`.

    Attributes
    ----------
    score : ndarray of float, shape (d,)
        Distinct scores, strictly decreasing.
    pos, neg : ndarray of int, shape (d,)
        Positives and negatives with that score.
    n_pos, n_neg, n_dropped : int
    auc : float
        Area under the empirical curve: the share of (positive, negative) pairs in which the positive
        has the higher score, ties counting one half.

    Raises
    ------
    ValueError
        Missing or infinite scores, one class only, lengths that differ, labels that need `pos_label`.

    Warns
    -----
    ConfrocWarning
        When the AUC is below 0.5. Scores are never flipped.

    Examples
    --------
    >>> from confroc import Scores
    >>> scores = Scores([1, 1, 0, 1, 0], [0.9, 0.8, 0.8, 0.6, 0.1])
    >>> scores.score
    array([0.9, 0.8, 0.6, 0.1])
    >>> scores.pos, scores.neg
    (array([1, 1, 1, 0]), array([0, 1, 0, 1]))
    >>> scores.auc
    0.75
    """

    score: FloatArray
    pos: IntArray
    neg: IntArray
    n_pos: int
    n_neg: int
    n_dropped: int

    def __init__(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: object = None,
        nan_policy: NanPolicy = "raise",
    ) -> None:
        check_choice("nan_policy", nan_policy, NAN_POLICIES)
        score = as_floats("y_score", y_score)
        positive, unlabelled = read_labels(y_true, pos_label)
        same_length(y_true=positive, y_score=score)
        if unlabelled.any():
            if nan_policy == "raise":
                refuse_missing("y_true", int(unlabelled.sum()))
            score, positive = score[~unlabelled], positive[~unlabelled]
        classes = []
        for values in sorted_classes(score, positive):
            # NaN sorts last.
            known = len(values) - int(np.isnan(values[-1:]).any() and np.isnan(values).sum())
            if known < len(values) and nan_policy == "raise":
                refuse_missing("y_score", int(np.isnan(score).sum()))
            classes.append(values[:known])
        pos, neg = classes
        dropped = len(unlabelled) - len(pos) - len(neg)
        both_classes(len(pos), len(neg))
        for end in (pos[0], pos[-1], neg[0], neg[-1]):
            if math.isinf(end):
                refuse_infinite("y_score", float(end))
        self._fill(tally(pos, neg), dropped)
        self._warn_below_half()

    @classmethod
    def from_counts(cls, score: ArrayLike, pos: ArrayLike, neg: ArrayLike, *, n_dropped: int = 0) -> Self:
        """Build from a table of counts, in any order; equal scores are added up.

        Parameters
        ----------
        score : array-like of shape (d,)
        pos, neg : array-like of int, shape (d,)
            Positives and negatives with that score. Rows with neither are ignored.
        n_dropped : int
            Incomplete cases that were left out of the table, to be kept on record.

        Examples
        --------
        >>> from confroc import Scores
        >>> Scores.from_counts([1, 2, 3], pos=[1, 2, 9], neg=[8, 3, 1]).auc
        0.8958333333333334
        """
        values = check_finite("score", score)
        n_pos, n_neg = check_counts("pos", pos), check_counts("neg", neg)
        same_length(score=values, pos=n_pos, neg=n_neg)
        both_classes(int(n_pos.sum()), int(n_neg.sum()))
        scores = cls._of(sum_equal(values, n_pos, n_neg), n_dropped)
        scores._warn_below_half()
        return scores

    @classmethod
    def _of(cls, table: Table, dropped: int = 0) -> Self:
        """Wrap a table that is known to be in order, without checks or warnings."""
        scores = cls.__new__(cls)
        scores._fill(table, dropped)
        return scores

    def _fill(self, table: Table, dropped: int) -> None:
        for name, values in zip(("score", "pos", "neg"), table, strict=True):
            values.flags.writeable = False
            object.__setattr__(self, name, values)
        object.__setattr__(self, "n_pos", int(table.pos.sum()))
        object.__setattr__(self, "n_neg", int(table.neg.sum()))
        object.__setattr__(self, "n_dropped", dropped)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Scores is read-only; cannot set {name!r}. Build a new one instead.")

    @cached_property
    def pos_above(self) -> IntArray:
        """Positives with this score or a higher one, per distinct score."""
        return np.asarray(read_only(np.cumsum(self.pos), np.int64))

    @cached_property
    def neg_above(self) -> IntArray:
        """Negatives with this score or a higher one, per distinct score."""
        return np.asarray(read_only(np.cumsum(self.neg), np.int64))

    @cached_property
    def auc(self) -> float:
        """Area under the empirical ROC curve (Mann-Whitney, ties one half)."""
        # Twice the number of wins, an integer: exact in int64 below 2**63.
        if 2 * self.n_pos * self.n_neg < 2**63:
            if len(self.score) >= _kernels.BIG:
                wins = int(_kernels.compiled(twice_wins)(self.pos, self.neg))
            else:
                wins = int(np.dot(self.neg, 2 * self.pos_above - self.pos))
            return wins / (2 * self.n_pos * self.n_neg)
        return float(np.dot(self.neg / self.n_neg, (self.pos_above - 0.5 * self.pos) / self.n_pos))

    def _warn_below_half(self, name: str = "y_score") -> None:
        if self.auc < 0.5:
            warn(
                f"AUC of `{name}` is {self.auc:.4f}, below 0.5: it ranks negatives above positives. If lower "
                f"scores mean more likely positive, pass -{name}; confroc never flips them for you."
            )

    def merge(self, other: Scores) -> Scores:
        """Add up two disjoint test sets scored by the same model.

        Examples
        --------
        >>> from confroc import Scores
        >>> monday, tuesday = Scores([0, 1], [0.2, 0.7]), Scores([0, 1], [0.1, 0.7])
        >>> monday.merge(tuesday).pos
        array([2, 0, 0])
        """
        if not isinstance(other, Scores):
            raise TypeError(
                sentence("other", "be a Scores", type(other).__name__, "Build one from its arrays first.")
            )
        both = (np.concatenate([getattr(self, c), getattr(other, c)]) for c in ("score", "pos", "neg"))
        return Scores._of(sum_equal(*both), self.n_dropped + other.n_dropped)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scores):
            return NotImplemented
        return all(np.array_equal(getattr(self, c), getattr(other, c)) for c in ("score", "pos", "neg"))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"Scores(n_pos={self.n_pos}, n_neg={self.n_neg}, distinct={len(self.score)}, auc={self.auc:.4f}"
            + (f", n_dropped={self.n_dropped}" if self.n_dropped else "")
            + ")"
        )


def check_scores(name: str, value: object) -> Scores:
    """Return `value` if it is a Scores."""
    if not isinstance(value, Scores):
        raise TypeError(
            sentence(name, "be a Scores", type(value).__name__, "Build one with Scores(y_true, y_score).")
        )
    return value
