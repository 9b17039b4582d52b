"""Scores of two models on the same cases."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from confroc._check import ArgumentError, ArgumentTypeError, as_floats, check_choice, check_count
from confroc._types import FloatArray, IntArray
from confroc.results import Frozen, sealed, shown
from confroc.scores.labels import (
    NAN_POLICIES,
    NanPolicy,
    both_classes,
    complete_cases,
    most_cases,
    same_length,
)
from confroc.scores.predictions import ResponseMethod, responses
from confroc.scores.single import Scores
from confroc.scores.tables import PairTable, check_counts, check_finite, pair_cases, pair_counts

# Each model's `score_max`, where it has one of its own.
Highest: TypeAlias = tuple[FloatArray | None, FloatArray | None] | None


class PairedScores(Frozen):
    """Scores of two models on the same cases, as counts per distinct pair of scores.

    Parameters
    ----------
    y_true : array-like of shape (n,)
    score_a, score_b : array-like of shape (n,)
        The two models' scores of the same cases, in the same order.
    pos_label, nan_policy
        As in `Scores`. "omit" drops a case when its label or either score is missing.

    Attributes
    ----------
    a, b : Scores
        Each model by itself.
    score_a, score_b : ndarray of float, shape (d,)
        The distinct pairs, by decreasing `score_a`, then decreasing `score_b`.
    pos, neg : ndarray of int, shape (d,)
        Positives and negatives with that pair of scores.
    index_a, index_b : ndarray of int, shape (d,)
        Position of the pair's scores in `a.score` and `b.score`.
    n_pos, n_neg, n_dropped : int

    See Also
    --------
    UnpairedScores : Each model on cases of its own.
    read_scores : From files, SQL and data frames.

    Examples
    --------
    >>> from confroc import PairedScores
    >>> pair = PairedScores([1, 0, 1, 0], [4, 3, 2, 1], [0.5, 0.1, 0.9, 0.1])
    >>> pair.a.auc, pair.b.auc
    (0.75, 1.0)
    """

    a: Scores
    b: Scores
    index_a: IntArray
    index_b: IntArray
    pos: IntArray
    neg: IntArray
    n_pos: int
    n_neg: int
    n_dropped: int

    def __init__(
        self,
        y_true: ArrayLike,
        score_a: ArrayLike,
        score_b: ArrayLike,
        *,
        pos_label: object = None,
        nan_policy: NanPolicy = "raise",
    ) -> None:
        check_choice("nan_policy", nan_policy, NAN_POLICIES)
        positive, (a, b), dropped = complete_cases(
            y_true,
            pos_label,
            nan_policy,
            score_a=as_floats("score_a", score_a),
            score_b=as_floats("score_b", score_b),
        )
        n_pos = int(np.count_nonzero(positive))
        both_classes(n_pos, len(positive) - n_pos)
        self._fill(pair_cases(a, b, positive), None, dropped)
        self._warn_below_half()

    @classmethod
    def from_counts(
        cls,
        score_a: ArrayLike,
        score_b: ArrayLike,
        pos: ArrayLike,
        neg: ArrayLike,
        *,
        score_a_max: ArrayLike | None = None,
        score_b_max: ArrayLike | None = None,
        n_dropped: int = 0,
    ) -> Self:
        """Build from a table of counts per pair of scores, in any order; equal pairs are added up.

        `score_a_max` and `score_b_max` are as `score_max` in `Scores.from_counts`.
        """
        pair = cls._counted(score_a, score_b, pos, neg, (score_a_max, score_b_max), n_dropped)
        pair._warn_below_half()
        return pair

    @classmethod
    def from_estimators(
        cls,
        estimators: Mapping[str, Any],
        X: Any,
        y_true: ArrayLike,
        *,
        pos_label: object = None,
        response_method: ResponseMethod = "auto",
        nan_policy: NanPolicy = "raise",
    ) -> Self:
        """Score the same test cases with two fitted classifiers.

        Parameters
        ----------
        estimators : mapping of two names to fitted classifiers
            The first is model a, the second model b.
        X, y_true, pos_label, response_method, nan_policy
            As in `Scores.from_estimator`, whose errors are raised.

        Returns
        -------
        PairedScores

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> from sklearn.linear_model import LogisticRegression
        >>> from confroc import PairedScores, auc_difference
        >>> X, y = make_classification(300, flip_y=0.2, random_state=0)
        >>> models = {"new": LogisticRegression(C=1.0), "old": LogisticRegression(C=1e-4)}
        >>> fitted = {name: model.fit(X[:200], y[:200]) for name, model in models.items()}
        >>> print(auc_difference(PairedScores.from_estimators(fitted, X[200:], y[200:])))
        auc_a - auc_b +0.0...
        """
        given: Any = estimators
        names = list(given) if isinstance(given, Mapping) else type(given).__name__
        if not isinstance(names, list) or len(names) != 2:
            raise ArgumentError(
                "estimators",
                "be a mapping of two names to classifiers",
                names,
                'Pass {"new": new, "old": old}; for one classifier use `Scores.from_estimator`.',
            )
        a, b = (responses(e, X, pos_label, response_method) for e in estimators.values())
        return cls(y_true, a, b, pos_label=pos_label, nan_policy=nan_policy)

    @classmethod
    def _counted(
        cls,
        score_a: ArrayLike,
        score_b: ArrayLike,
        pos: ArrayLike,
        neg: ArrayLike,
        score_max: tuple[ArrayLike | None, ArrayLike | None],
        n_dropped: int,
    ) -> Self:
        """Check a table of counts and build from it, without warnings."""
        a, b = check_finite("score_a", score_a), check_finite("score_b", score_b)
        n_pos, n_neg = check_counts("pos", pos), check_counts("neg", neg)
        same_length(score_a=a, score_b=b, pos=n_pos, neg=n_neg)
        both_classes(int(n_pos.sum()), int(n_neg.sum()))
        dropped = check_count("n_dropped", n_dropped, minimum=0)
        highest = tuple(
            None if top is None else Scores._counted(low, n_pos, n_neg, top, 0).score_max
            for low, top in zip((a, b), score_max, strict=True)
        )
        return cls._of(a, b, n_pos, n_neg, dropped, (highest[0], highest[1]))

    @classmethod
    def _of(
        cls,
        a: FloatArray,
        b: FloatArray,
        pos: NDArray[Any],
        neg: NDArray[Any],
        dropped: int = 0,
        highest: Highest = None,
    ) -> Self:
        """Sum up a table that is known to be sound, without checks or warnings."""
        kept = (pos > 0) | (neg > 0)
        if not kept.all():
            a, b, pos, neg = a[kept], b[kept], pos[kept], neg[kept]
        pair = cls.__new__(cls)
        pair._fill(pair_counts(a, b, pos, neg), highest, dropped)
        return pair

    def _fill(self, table: PairTable, highest: Highest, dropped: int) -> None:
        """Set the attributes; `highest` gives, if not all levels are points, each model's `score_max`."""
        for column in ("index_a", "index_b", "pos", "neg"):
            object.__setattr__(self, column, sealed(getattr(table, column)))
        for name, model, top in zip("ab", (table.a, table.b), highest or (None, None), strict=True):
            if top is not None and np.array_equal(top, model.score):
                top = None
            object.__setattr__(self, name, Scores._of(model, top, dropped=dropped))
        object.__setattr__(self, "n_pos", self.a.n_pos)
        object.__setattr__(self, "n_neg", self.a.n_neg)
        object.__setattr__(self, "n_dropped", dropped)

    @cached_property
    def score_a(self) -> FloatArray:
        """Model a's score of each distinct pair."""
        return sealed(self.a.score[self.index_a])

    @cached_property
    def score_b(self) -> FloatArray:
        """Model b's score of each distinct pair."""
        return sealed(self.b.score[self.index_b])

    def _warn_below_half(self) -> None:
        self.a._warn_below_half("score_a")
        self.b._warn_below_half("score_b")

    def _made_of(self) -> dict[str, Any]:
        columns = (getattr(self, column) for column in ("index_a", "index_b", "pos", "neg"))
        highest = tuple(None if model.exact else model.score_max for model in (self.a, self.b))
        table = PairTable(self.a._table, self.b._table, *columns)
        return {"table": table, "highest": highest, "dropped": self.n_dropped}

    @classmethod
    def _remade(cls, made_of: dict[str, Any]) -> Self:
        pair = cls.__new__(cls)
        pair._fill(**made_of)
        return pair

    def swapped(self) -> PairedScores:
        """Return the same cases with the two models exchanged."""
        highest = self.b.score_max, self.a.score_max
        return PairedScores._of(self.score_b, self.score_a, self.pos, self.neg, self.n_dropped, highest)

    def merge(self, other: PairedScores) -> PairedScores:
        """Add up two disjoint test sets scored by the same two models."""
        if not isinstance(other, PairedScores):
            raise ArgumentTypeError(
                "other", "be a PairedScores", type(other).__name__, "Build one from its arrays first."
            )
        most_cases("other", sum(s.n_pos + s.n_neg for s in (self, other)))
        a, b, pos, neg = (
            np.concatenate([getattr(self, c), getattr(other, c)])
            for c in ("score_a", "score_b", "pos", "neg")
        )
        highest = _merged_ends(self.a, other.a), _merged_ends(self.b, other.b)
        return PairedScores._of(a, b, pos, neg, self.n_dropped + other.n_dropped, highest)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PairedScores):
            return NotImplemented
        columns = ("index_a", "index_b", "pos", "neg")
        alike = all(np.array_equal(getattr(self, c), getattr(other, c)) for c in columns)
        return alike and self.a == other.a and self.b == other.b

    def __hash__(self) -> int:
        return hash((self.a, self.b, len(self.pos)))

    def _repr_html_(self) -> str:
        """Return a small table for notebooks."""
        return shown.as_html(shown.samples("PairedScores", {"a": self.a, "b": self.b}, joint=len(self.pos)))

    def __repr__(self) -> str:
        return (
            f"PairedScores(n_pos={self.n_pos}, n_neg={self.n_neg}, distinct={len(self.pos)}, "
            f"auc_a={self.a.auc:.4f}, auc_b={self.b.auc:.4f}"
            + (f", n_dropped={self.n_dropped}" if self.n_dropped else "")
            + ")"
        )


def _merged_ends(mine: Scores, theirs: Scores) -> FloatArray | None:
    return None if mine.exact and theirs.exact else mine.merge(theirs).score_max
