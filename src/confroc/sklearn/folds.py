"""Scores of test cases fold by fold, and what each case adds to the error of the mean area."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, ArgumentTypeError, as_floats, check_items
from confroc._types import BoolArray, FloatArray, IntArray
from confroc.results import Frozen, read_only, sealed
from confroc.scores import Scores
from confroc.scores.counting import kept_rows
from confroc.scores.labels import read_labels, refuse_missing


class Fold(NamedTuple):
    """Test cases of one fold, and the scores that its model gave them."""

    cases: IntArray
    score: FloatArray


class CrossValidatedScores(Frozen):
    """Scores of test cases, fold by fold.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of all cases.
    folds : iterable of (cases, score)
        For each fold the row numbers of its test cases, without repeats, and their scores by the model
        that was fitted without them. A case may be tested in several folds (repeated cross-validation).
    everywhere : iterable of array-like of shape (n,), optional
        For each fold the scores of all cases, training cases included, by that fold's model. From these it
        shows how far folds train each other's models; without them intervals do not allow for that, and with
        five folds of few cases 95 % intervals cover 0.90 to 0.92.
    pos_label : label, optional
        As in `Scores`.

    Attributes
    ----------
    positive : ndarray of bool, shape (n,)
    folds : tuple of Fold
    fold_auc : ndarray of shape (F,)
        Area of each fold, ties counting one half.
    n_pos, n_neg : int
        Different cases that were tested.
    times_tested : float
        How often each of them was tested, on average.
    cross_areas : tuple of ndarray
        Of each repeat, the area of every fold's test cases (rows) under every fold's model (columns). Folds
        in sequence that share no test case are one repeat. Empty without `everywhere`.

    Raises
    ------
    ValueError
        For row numbers out of range or repeated, lengths that differ, missing values, folds with fewer
        than two cases of a class, which show no spread, and scores `everywhere` that are not those of the
        folds' test cases.

    Examples
    --------
    >>> from confroc.sklearn import CrossValidatedScores
    >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> halves = [([0, 1, 4, 5], [3.0, 2.0, 1.0, 2.5]), ([2, 3, 6, 7], [0.9, 0.4, 0.3, 0.2])]
    >>> CrossValidatedScores(y, halves).fold_auc
    array([0.75, 1.  ])
    """

    positive: BoolArray
    folds: tuple[Fold, ...]
    fold_auc: FloatArray
    contributions: FloatArray
    n_pos: int
    n_neg: int
    times_tested: float
    cross_areas: tuple[FloatArray, ...]

    def __init__(
        self,
        y_true: ArrayLike,
        folds: Iterable[tuple[ArrayLike, ArrayLike]],
        *,
        everywhere: Iterable[ArrayLike] | None = None,
        pos_label: object = None,
    ) -> None:
        positive, missing = read_labels(y_true, pos_label)
        if missing.any():
            refuse_missing("y_true", int(missing.sum()))
        listed = check_items("folds", folds, "Pass (cases, score) pairs.")
        checked = tuple(_check_fold(f"folds[{i}]", fold, positive) for i, fold in enumerate(listed))
        if not checked:
            raise ArgumentError("folds", "hold at least one fold", 0, "Pass (cases, score) pairs.")
        scores = None if everywhere is None else _check_everywhere(everywhere, checked, len(positive))
        self._fill(positive, checked, () if scores is None else _cross_areas(checked, positive, scores))

    def _fill(
        self, positive: BoolArray, folds: tuple[Fold, ...], cross_areas: tuple[FloatArray, ...]
    ) -> None:
        folds = tuple(Fold(read_only(cases, np.int64), read_only(score)) for cases, score in folds)
        tested = np.bincount(np.concatenate([f.cases for f in folds]), minlength=len(positive))
        n_pos, n_neg = (int(np.count_nonzero(tested[member])) for member in (positive, ~positive))
        contributions, fold_auc = _contributions(folds, positive)
        values: dict[str, Any] = {
            "positive": read_only(positive, bool),
            "folds": folds,
            "n_pos": n_pos,
            "n_neg": n_neg,
            "times_tested": float(tested.sum() / (n_pos + n_neg)),
            "cross_areas": tuple(sealed(areas) for areas in cross_areas),
            "contributions": sealed(contributions),
            "fold_auc": sealed(fold_auc),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def fold_scores(self) -> tuple[Scores, ...]:
        """Each fold's test cases with the scores of its own model: the curves of a `roc_band` of folds.

        Examples
        --------
        >>> from confroc.sklearn import CrossValidatedScores
        >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
        >>> halves = [([0, 1, 4, 5], [3.0, 2.0, 1.0, 2.5]), ([2, 3, 6, 7], [0.9, 0.4, 0.3, 0.2])]
        >>> [scores.auc for scores in CrossValidatedScores(y, halves).fold_scores]
        [0.75, 1.0]
        """
        return tuple(Scores(self.positive[cases], score) for cases, score in self.folds)

    def _made_of(self) -> dict[str, Any]:
        return {"positive": self.positive, "folds": self.folds, "cross_areas": self.cross_areas}

    @classmethod
    def _remade(cls, made_of: dict[str, Any]) -> Self:
        scores = cls.__new__(cls)
        scores._fill(**made_of)
        return scores

    def __repr__(self) -> str:
        return (
            f"CrossValidatedScores(folds={len(self.folds)}, n_pos={self.n_pos}, n_neg={self.n_neg}, "
            f"auc={self.fold_auc.mean():.4f})"
        )


def _check_fold(name: str, fold: object, positive: BoolArray) -> Fold:
    both = check_items(name, fold, "Pass a pair (cases, score).")
    if len(both) != 2:
        raise ArgumentError(name, "be a pair (cases, score)", both, "Pass the test indices and their scores.")
    cases, score = both
    rows, values = np.asarray(cases), as_floats(name, score)
    if np.ma.is_masked(cases):
        refuse_missing(name, int(np.ma.getmaskarray(cases).sum()))
    if rows.dtype.kind not in "iu" or rows.ndim != 1:
        raise ArgumentTypeError(name, "hold row numbers", rows.dtype.name, "Pass the test indices.")
    if len(rows) != len(values):
        raise ArgumentError(
            name, f"hold one score for each of its {len(rows)} cases", len(values), "Align them."
        )
    if len(rows) and (rows.min() < 0 or rows.max() >= len(positive)):
        wrong = int(rows.max() if rows.max() >= len(positive) else rows.min())
        raise ArgumentError(
            name, f"hold row numbers from 0 to {len(positive) - 1}", wrong, "Check the indices."
        )
    # Sorted where they are not yet: NumPy's set of many whole numbers takes ten times as long.
    rising = rows if (rows[1:] > rows[:-1]).all() else np.sort(rows)
    if (rising[1:] == rising[:-1]).any():
        raise ArgumentError(
            name, "hold each case once", "repeated row numbers", "Give repeats as folds of their own."
        )
    if np.isnan(values).any():
        refuse_missing(name, int(np.isnan(values).sum()))
    n_pos = int(np.count_nonzero(positive[rows]))
    if min(n_pos, len(rows) - n_pos) < 2:
        raise ArgumentError(
            name,
            "hold at least two cases of each class",
            {"positives": n_pos, "negatives": len(rows) - n_pos},
            "Use fewer folds, and stratified ones.",
        )
    return Fold(rows.astype(np.int64), values)


def _check_everywhere(everywhere: Iterable[ArrayLike], folds: tuple[Fold, ...], n: int) -> list[FloatArray]:
    listed = check_items("everywhere", everywhere, "Pass the scores of all cases by each fold's model.")
    found = [as_floats(f"everywhere[{f}]", score) for f, score in enumerate(listed)]
    if len(found) != len(folds):
        raise ArgumentError(
            "everywhere", f"hold scores by {len(folds)} models, one a fold", len(found), "Align them."
        )
    for f, (score, fold) in enumerate(zip(found, folds, strict=True)):
        name = f"everywhere[{f}]"
        if len(score) != n:
            raise ArgumentError(name, f"hold one score for each of {n} cases", len(score), "Align them.")
        if np.isnan(score).any():
            refuse_missing(name, int(np.isnan(score).sum()))
        if not np.allclose(score[fold.cases], fold.score):
            rule = f"agree with folds[{f}] on its test cases"
            raise ArgumentError(name, rule, "other scores", "Score all cases with the fold's model.")
    return found


def _placed(score: FloatArray, among: FloatArray) -> FloatArray:
    """Share of `among` below each score, ties counting one half."""
    ranked, order = np.sort(among), np.argsort(score)
    # In order, each search finds its place in the cache that the last one left.
    rising = score[order]
    below, up_to = (np.searchsorted(ranked, rising, side=side) for side in ("left", "right"))
    placed = np.empty(len(score))
    placed[order] = 0.5 * (below + up_to) / len(among)
    return placed


def _contributions(folds: tuple[Fold, ...], positive: BoolArray) -> tuple[FloatArray, FloatArray]:
    """What each case adds to the error of the mean area, and each fold's area.

    In fold f a positive with placement V adds (V − AUC_f)/m_f to the fold's error (LeDell et al. 2015), and
    √(m_f/(m_f − 1)) times that makes the squares of one fold add up to DeLong's variance. Likewise for
    negatives.
    """
    total = np.zeros(len(positive))
    areas = np.empty(len(folds))
    for f, (cases, score) in enumerate(folds):
        is_positive = positive[cases]
        groups, values = (
            [kept_rows(v, mark) for mark in (is_positive, ~is_positive)] for v in (cases, score)
        )
        placed = _placed(values[0], values[1]), 1.0 - _placed(values[1], values[0])
        areas[f] = placed[0].mean()
        for group, placement in zip(groups, placed, strict=True):
            m = len(group)
            total[group] += (placement - areas[f]) / math.sqrt(m * (m - 1.0)) / len(folds)
    return total, areas


def _cross_areas(
    folds: tuple[Fold, ...], positive: BoolArray, everywhere: list[FloatArray]
) -> tuple[FloatArray, ...]:
    """Of each repeat, the area of fold h's test cases (row) under the model of fold f (column)."""
    repeats: list[list[int]] = []
    seen = np.ones(len(positive), dtype=bool)
    for f, (cases, _) in enumerate(folds):
        if seen[cases].any():
            repeats.append([])
            seen[:] = False
        repeats[-1].append(f)
        seen[cases] = True

    def area(h: int, f: int) -> float:
        cases, score = folds[h].cases, everywhere[f]
        members = positive[cases]
        return float(_placed(score[cases[members]], score[cases[~members]]).mean())

    return tuple(np.array([[area(h, f) for f in repeat] for h in repeat]) for repeat in repeats)


def between_folds(cross_areas: Iterable[FloatArray]) -> float:
    """What the training of each fold's model by the other folds adds to the variance of the mean area.

    Off the diagonal −(F − 1)(Q_hf − mean of the row) is what fold f taught the models, as it shows on fold h.
    The products of both ways, h and f exchanged, have the mean wanted. Two folds have nothing to compare.
    """
    found = []
    for areas in cross_areas:
        k = len(areas)
        if k > 2:
            off = ~np.eye(k, dtype=bool)
            mean = areas.sum(axis=1, where=off) / (k - 1.0)
            taught = np.where(off, areas - mean[:, None], 0.0)
            found.append(float((taught * taught.T).sum()) * ((k - 1.0) / (k * (k - 2.0))) ** 2)
    return max(0.0, float(np.mean(found))) if found else 0.0
