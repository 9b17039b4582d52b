"""The data: distinct scores with a count of positives and of negatives each.

Everything confroc computes on one model depends on the cases only through this table, and everything
on two models through the same table with two score columns. The classes here validate, sort and
tally once; whatever follows is a function of the counts.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, Literal, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from confroc import _kernels
from confroc._check import as_floats, check_choice, sentence, warn
from confroc._kernels.merge import merge_counts, twice_wins
from confroc.results import read_only

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]
NanPolicy: TypeAlias = Literal["raise", "omit"]

NAN_POLICIES = ("raise", "omit")


class Table(NamedTuple):
    """Distinct scores, strictly decreasing, with their counts."""

    score: FloatArray
    pos: IntArray
    neg: IntArray


# --- labels ------------------------------------------------------------------------------------------


def _missing(values: NDArray[Any]) -> Mask:
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind == "O":
        none: Mask = np.array([v is None or v != v or type(v).__name__ == "NAType" for v in values], dtype=bool)
        return none
    return np.zeros(len(values), dtype=bool)


def read_labels(y_true: ArrayLike, pos_label: object) -> tuple[Mask, Mask]:
    """Return which cases are positive, and whose label is missing."""
    y = np.asarray(y_true)
    if y.ndim != 1:
        raise ValueError(
            sentence("y_true", "be one-dimensional", y.shape, "Pass one label per case.")
        )
    if y.dtype.kind == "O":
        missing = _missing(y)
        known = np.array(y[~missing].tolist())
        positive = np.zeros(len(y), dtype=bool)
        positive[~missing] = _positive(known, pos_label)
        return positive, missing
    missing = _missing(y)
    if missing.any():
        positive = np.zeros(len(y), dtype=bool)
        positive[~missing] = _positive(y[~missing], pos_label)
        return positive, missing
    return _positive(y, pos_label), missing


def _positive(y: NDArray[Any], pos_label: object) -> Mask:
    if y.size == 0:
        return np.zeros(0, dtype=bool)
    if pos_label is None:
        if y.dtype.kind == "b":
            return y
        if y.dtype.kind in "iuf":
            ones: Mask = np.asarray(y == 1)
            if _is_coded(y, int(np.count_nonzero(ones))):
                return ones
        raise ValueError(
            sentence(
                "pos_label",
                "name the positive class unless labels are {0, 1}, {-1, 1} or booleans",
                None,
                f"The labels are {_listed(y)}; pass one of them, e.g. pos_label={np.unique(y)[-1].item()!r}.",
            )
        )
    text = isinstance(pos_label, str)
    if text != (y.dtype.kind in "US"):
        kind = "text" if y.dtype.kind in "US" else "numbers"
        raise ValueError(
            sentence("pos_label", f"be of the labels' type ({kind})", pos_label, f"The labels are {_listed(y)}.")
        )
    positive: Mask = np.asarray(y == pos_label)
    if not positive.any():
        raise ValueError(
            sentence("pos_label", "be one of the labels", pos_label, f"The labels are {_listed(y)}.")
        )
    return positive


def _is_coded(y: NDArray[Any], ones: int) -> bool:
    """Whether the labels, of which so many equal 1, are within {0, 1} or within {-1, 1}."""
    return len(y) in (ones + np.count_nonzero(y == 0), ones + np.count_nonzero(y == -1))


def _listed(y: NDArray[Any]) -> str:
    labels = [repr(v) for v in np.unique(y)[:6].tolist()]
    return ", ".join(labels[:5]) + (", ..." if len(labels) > 5 else "")


def _both_classes(n_pos: int, n_neg: int) -> None:
    if n_pos == 0 or n_neg == 0:
        lacking = "positives" if n_pos == 0 else "negatives"
        raise ValueError(
            sentence(
                "y_true",
                "hold both classes",
                {"positives": n_pos, "negatives": n_neg},
                f"There are no {lacking}: check the labels and `pos_label`.",
            )
        )


def _refuse_missing(name: str, count: int) -> None:
    raise ValueError(
        sentence(
            name,
            "hold no missing values under nan_policy='raise'",
            f"{count} missing",
            "Remove them, or pass nan_policy='omit' to drop those cases and keep their count.",
        )
    )


def _refuse_infinite(name: str, value: float) -> None:
    raise ValueError(
        sentence(name, "hold finite scores", value, "Replace infinite scores by large finite ones or by ranks.")
    )


def _same_length(**columns: NDArray[Any]) -> None:
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        first, *rest = lengths
        other = next(name for name in rest if lengths[name] != lengths[first])
        raise ValueError(
            sentence(other, f"have the length of `{first}` ({lengths[first]})", lengths[other], "Align the columns.")
        )


# --- tallying ----------------------------------------------------------------------------------------


def tally(pos_sorted: FloatArray, neg_sorted: FloatArray) -> Table:
    """Merge the two classes' scores, each sorted upwards, into a table of counts."""
    n = len(pos_sorted) + len(neg_sorted)
    if n >= _kernels.BIG:
        score, pos, neg = np.empty(n), np.empty(n, np.int64), np.empty(n, np.int64)
        used = _kernels.compiled(merge_counts)(pos_sorted, neg_sorted, score, pos, neg)
        if used < n:
            score, pos, neg = score[:used].copy(), pos[:used].copy(), neg[:used].copy()
        return Table(score, pos, neg)
    score = np.unique(np.concatenate([pos_sorted, neg_sorted]))
    counts = [
        np.diff(np.searchsorted(values, score, side="right"), prepend=0)[::-1].astype(np.int64)
        for values in (pos_sorted, neg_sorted)
    ]
    return Table(score[::-1].copy(), counts[0], counts[1])


def _group(key: IntArray, *columns: NDArray[Any]) -> tuple[IntArray, list[IntArray]]:
    """Sum integer columns over equal keys; return the distinct keys, ascending, and the sums."""
    order = np.argsort(key, kind="stable")
    key = key[order]
    first = np.flatnonzero(np.diff(key, prepend=key[0] - 1))
    return key[first], [np.add.reduceat(c[order].astype(np.int64), first) for c in columns]


def _check_counts(name: str, counts: ArrayLike) -> IntArray:
    values = as_floats(name, counts)
    if not ((values >= 0) & (values == np.floor(values)) & np.isfinite(values)).all():
        wrong = float(values[~((values >= 0) & (values == np.floor(values)))][0])
        raise ValueError(sentence(name, "hold whole numbers >= 0", wrong, "Pass counts of cases, not weights."))
    return values.astype(np.int64)


def _check_finite(name: str, score: ArrayLike) -> FloatArray:
    values = as_floats(name, score)
    if np.isnan(values).any():
        _refuse_missing(name, int(np.isnan(values).sum()))
    if not np.isfinite(values).all():
        _refuse_infinite(name, float(values[~np.isfinite(values)][0]))
    # Minus zero equals zero, and must print as it.
    return values + 0.0


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
        _same_length(y_true=positive, y_score=score)
        negative = ~positive
        if unlabelled.any():
            if nan_policy == "raise":
                _refuse_missing("y_true", int(unlabelled.sum()))
            negative &= ~unlabelled
        classes, dropped = [], int(unlabelled.sum())
        for member in (positive, negative):
            values = np.compress(member, score)
            values.sort()
            # NaN sorts last.
            known = len(values) if not len(values) or values[-1] == values[-1] else int(np.searchsorted(values, np.nan))
            if known < len(values) and nan_policy == "raise":
                _refuse_missing("y_score", int(np.isnan(score).sum()))
            dropped += len(values) - known
            classes.append(values[:known])
        pos, neg = classes
        _both_classes(len(pos), len(neg))
        for end in (pos[0], pos[-1], neg[0], neg[-1]):
            if math.isinf(end):
                _refuse_infinite("y_score", float(end))
        self._fill(tally(pos, neg), dropped)
        self._warn_below_half()

    @classmethod
    def from_counts(cls, score: ArrayLike, pos: ArrayLike, neg: ArrayLike) -> Self:
        """Build from a table of counts, in any order; equal scores are added up.

        Parameters
        ----------
        score : array-like of shape (d,)
        pos, neg : array-like of int, shape (d,)
            Positives and negatives with that score. Rows with neither are dropped.

        Examples
        --------
        >>> from confroc import Scores
        >>> Scores.from_counts([1, 2, 3], pos=[1, 2, 9], neg=[8, 3, 1]).auc
        0.8958333333333334
        """
        values = _check_finite("score", score)
        n_pos, n_neg = _check_counts("pos", pos), _check_counts("neg", neg)
        _same_length(score=values, pos=n_pos, neg=n_neg)
        _both_classes(int(n_pos.sum()), int(n_neg.sum()))
        scores = cls.__new__(cls)
        scores._fill(_sum_equal(values, n_pos, n_neg), 0)
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

    def _warn_below_half(self) -> None:
        if self.auc < 0.5:
            warn(
                f"AUC is {self.auc:.4f}, below 0.5: these scores rank negatives above positives. If lower scores "
                "mean more likely positive, pass -y_score; confroc never flips them for you."
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
            raise TypeError(sentence("other", "be a Scores", type(other).__name__, "Build one from its arrays first."))
        both = (np.concatenate([getattr(self, c), getattr(other, c)]) for c in ("score", "pos", "neg"))
        return Scores._of(_sum_equal(*both), self.n_dropped + other.n_dropped)

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


def _sum_equal(score: FloatArray, pos: IntArray, neg: IntArray) -> Table:
    kept = (pos > 0) | (neg > 0)
    score, pos, neg = score[kept], pos[kept], neg[kept]
    order = np.argsort(-score, kind="stable")
    score, pos, neg = score[order], pos[order], neg[order]
    first = np.flatnonzero(np.concatenate([[True], score[1:] != score[:-1]]))
    return Table(score[first], np.add.reduceat(pos, first), np.add.reduceat(neg, first))


class PairedScores:
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

    Examples
    --------
    >>> from confroc import PairedScores
    >>> pair = PairedScores([1, 0, 1, 0], [4, 3, 2, 1], [0.5, 0.1, 0.9, 0.1])
    >>> pair.a.auc, pair.b.auc
    (0.75, 1.0)
    """

    a: Scores
    b: Scores
    score_a: FloatArray
    score_b: FloatArray
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
        positive, dropped = read_labels(y_true, pos_label)
        columns = {"score_a": as_floats("score_a", score_a), "score_b": as_floats("score_b", score_b)}
        _same_length(y_true=positive, **columns)
        if nan_policy == "raise" and dropped.any():
            _refuse_missing("y_true", int(dropped.sum()))
        for name, values in columns.items():
            if np.isinf(values).any():
                _refuse_infinite(name, float(values[np.isinf(values)][0]))
            missing = np.isnan(values)
            if nan_policy == "raise" and missing.any():
                _refuse_missing(name, int(missing.sum()))
            dropped = dropped | missing
        kept = ~dropped
        a, b = (values[kept] + 0.0 for values in columns.values())
        positive = positive[kept]
        _both_classes(int(positive.sum()), int((~positive).sum()))
        self._fill(a, b, positive, ~positive, int(dropped.sum()))
        self._warn_below_half()

    @classmethod
    def from_counts(cls, score_a: ArrayLike, score_b: ArrayLike, pos: ArrayLike, neg: ArrayLike) -> Self:
        """Build from a table of counts per pair of scores, in any order; equal pairs are added up."""
        a, b = _check_finite("score_a", score_a), _check_finite("score_b", score_b)
        n_pos, n_neg = _check_counts("pos", pos), _check_counts("neg", neg)
        _same_length(score_a=a, score_b=b, pos=n_pos, neg=n_neg)
        _both_classes(int(n_pos.sum()), int(n_neg.sum()))
        kept = (n_pos > 0) | (n_neg > 0)
        pair = cls.__new__(cls)
        pair._fill(a[kept], b[kept], n_pos[kept], n_neg[kept], 0)
        pair._warn_below_half()
        return pair

    def _fill(self, a: FloatArray, b: FloatArray, pos: NDArray[Any], neg: NDArray[Any], dropped: int) -> None:
        distinct_a, code_a = np.unique(-a, return_inverse=True)
        distinct_b, code_b = np.unique(-b, return_inverse=True)
        key, (pos, neg) = _group(code_a * len(distinct_b) + code_b, pos, neg)
        index_a, index_b = np.divmod(key, len(distinct_b))
        columns = {"index_a": index_a, "index_b": index_b, "pos": pos, "neg": neg}
        models = {}
        for name, distinct, index in (("a", distinct_a, index_a), ("b", distinct_b, index_b)):
            counts = (np.bincount(index, weights=c, minlength=len(distinct)).astype(np.int64) for c in (pos, neg))
            models[name] = Scores._of(Table(0.0 - distinct, *counts), dropped)
            columns[f"score_{name}"] = models[name].score[index]
        for column, values in columns.items():
            values.flags.writeable = False
            object.__setattr__(self, column, values)
        object.__setattr__(self, "a", models["a"])
        object.__setattr__(self, "b", models["b"])
        object.__setattr__(self, "n_pos", int(pos.sum()))
        object.__setattr__(self, "n_neg", int(neg.sum()))
        object.__setattr__(self, "n_dropped", dropped)

    def _warn_below_half(self) -> None:
        for name, scores in (("score_a", self.a), ("score_b", self.b)):
            if scores.auc < 0.5:
                warn(
                    f"AUC of `{name}` is {scores.auc:.4f}, below 0.5: it ranks negatives above positives. If lower "
                    f"scores mean more likely positive, pass -{name}; confroc never flips them for you."
                )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"PairedScores is read-only; cannot set {name!r}. Build a new one instead.")

    def merge(self, other: PairedScores) -> PairedScores:
        """Add up two disjoint test sets scored by the same two models."""
        if not isinstance(other, PairedScores):
            raise TypeError(
                sentence("other", "be a PairedScores", type(other).__name__, "Build one from its arrays first.")
            )
        columns = (
            np.concatenate([getattr(self, c), getattr(other, c)]) for c in ("score_a", "score_b", "pos", "neg")
        )
        pair = PairedScores.__new__(PairedScores)
        pair._fill(*columns, self.n_dropped + other.n_dropped)
        return pair

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PairedScores):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, c), getattr(other, c)) for c in ("score_a", "score_b", "pos", "neg")
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"PairedScores(n_pos={self.n_pos}, n_neg={self.n_neg}, distinct={len(self.pos)}, "
            f"auc_a={self.a.auc:.4f}, auc_b={self.b.auc:.4f}"
            + (f", n_dropped={self.n_dropped}" if self.n_dropped else "")
            + ")"
        )


class UnpairedScores:
    """Two models, each on a test set of its own; no case is in both.

    Parameters
    ----------
    a, b : Scores

    Raises
    ------
    TypeError
        When `a` or `b` is not a `Scores`.

    Examples
    --------
    >>> from confroc import Scores, UnpairedScores
    >>> UnpairedScores(Scores([0, 1], [1, 2]), Scores([0, 1, 1], [1, 2, 3]))
    UnpairedScores(a=Scores(n_pos=1, n_neg=1, distinct=2, auc=1.0000),
                   b=Scores(n_pos=2, n_neg=1, distinct=3, auc=1.0000))
    """

    __slots__ = ("_a", "_b")

    def __init__(self, a: Scores, b: Scores) -> None:
        for name, value in (("a", a), ("b", b)):
            if not isinstance(value, Scores):
                raise TypeError(
                    sentence(name, "be a Scores", type(value).__name__, "Build one with Scores(y_true, y_score).")
                )
        self._a, self._b = a, b

    @property
    def a(self) -> Scores:
        """The first model's scores."""
        return self._a

    @property
    def b(self) -> Scores:
        """The second model's scores."""
        return self._b

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, UnpairedScores):
            return NotImplemented
        return self.a == other.a and self.b == other.b

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"UnpairedScores(a={self.a!r}, b={self.b!r})"


Pair: TypeAlias = PairedScores | UnpairedScores


def check_scores(name: str, value: object) -> Scores:
    """Return `value` if it is a Scores."""
    if not isinstance(value, Scores):
        raise TypeError(
            sentence(name, "be a Scores", type(value).__name__, "Build one with Scores(y_true, y_score).")
        )
    return value


def check_pair(name: str, value: object) -> Pair:
    """Return `value` if it is a PairedScores or an UnpairedScores."""
    if not isinstance(value, PairedScores | UnpairedScores):
        raise TypeError(
            sentence(
                name,
                "be a PairedScores or an UnpairedScores",
                type(value).__name__,
                "Build one with PairedScores(y_true, score_a, score_b).",
            )
        )
    return value
