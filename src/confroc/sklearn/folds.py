"""Scores of test cases by fold, and the influence of each case on the mean AUC."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, ArgumentTypeError, Words, as_floats, check_items
from confroc._types import BoolArray, FloatArray, IntArray
from confroc.influence import placements
from confroc.results import Frozen, read_only, sealed
from confroc.scores import Scores, WeightKind
from confroc.scores.design import Rows, SampledCases, read_rows
from confroc.scores.labels import read_labels, refuse_missing, same_length

INDEPENDENT = Rows(None, None, (), None)


class Fold(NamedTuple):
    """Test cases of one fold with the scores of its model."""

    cases: IntArray
    score: FloatArray


class CrossValidatedScores(Frozen):
    """Scores of test cases by fold.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of all cases.
    folds : iterable of (cases, score)
        For each fold the row numbers of its test cases, without repeats, and their scores by the model fitted
        without them. A case may be tested in several folds (repeated cross-validation).
    everywhere : iterable of array-like of shape (n,), optional
        For each fold the scores of all cases, including training cases, by that fold's model, which give the
        covariance of folds that train each other's models. Without them it is neglected, and with five small
        folds the coverage of 95% intervals is 0.90 to 0.92.
    sample_weight, weight_kind, cluster, strata : optional
        For all cases, as in `Scores`. Clusters must not be divided between folds: use `StratifiedGroupKFold`
        with the clusters as `groups`.
    pos_label : label, optional
        As in `Scores`.

    Attributes
    ----------
    positive : ndarray of bool, shape (n,)
    folds : tuple of Fold
    fold_auc : ndarray of shape (F,)
        AUC of each fold, ties counting one half.
    cases : Scores
        The distinct tested cases, one per row, with their weights, clusters and strata.
    n_pos, n_neg : int, or float with sampling weights
        Numbers of tested cases.
    times_tested : float
        Mean number of folds that tested a case.
    cross_areas : tuple of ndarray
        For each repeat, the AUC of every fold's test cases (rows) under every fold's model (columns).
        Consecutive folds without common test cases are one repeat. Empty without `everywhere`.

    Raises
    ------
    ValueError
        Row numbers out of range or repeated, different lengths, missing values, folds with fewer than two
        cases or clusters of a class, folds with a part of a cluster, or `everywhere` that disagrees with the
        folds' scores.

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
    rows: Rows
    cases: Scores
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
        sample_weight: ArrayLike | None = None,
        weight_kind: WeightKind = "sampling",
        cluster: Any = None,
        strata: ArrayLike | None = None,
        pos_label: object = None,
    ) -> None:
        positive, missing = read_labels(y_true, pos_label)
        refuse_missing("y_true", missing)
        rows = read_rows(sample_weight, weight_kind, cluster, strata) or INDEPENDENT
        same_length(y_true=positive, **rows.columns)
        listed = check_items("folds", folds, "Pass (cases, score) pairs.")
        checked = tuple(_check_fold(f"folds[{i}]", fold, positive, rows) for i, fold in enumerate(listed))
        if not checked:
            raise ArgumentError("folds", "contain at least one fold", 0, "Pass (cases, score) pairs.")
        scores = None if everywhere is None else _check_everywhere(everywhere, checked, len(positive))
        areas = () if scores is None else _cross_areas(checked, positive, scores, rows)
        self._fill(positive, checked, areas, rows)

    def _fill(
        self, positive: BoolArray, folds: tuple[Fold, ...], cross_areas: tuple[FloatArray, ...], rows: Rows
    ) -> None:
        folds = tuple(Fold(read_only(cases, np.int64), read_only(score)) for cases, score in folds)
        tested = np.bincount(np.concatenate([f.cases for f in folds]), minlength=len(positive))
        known = np.flatnonzero(tested)
        cases = _table(known, -np.arange(len(known), dtype=np.float64), positive, rows)
        times = np.ones(len(positive)) if rows.repeats is None else rows.repeats
        self.__dict__.update(
            positive=read_only(positive, bool),
            folds=folds,
            rows=rows,
            cases=cases,
            n_pos=cases.n_pos,
            n_neg=cases.n_neg,
            times_tested=float((tested * times).sum() / times[known].sum()),
            cross_areas=tuple(sealed(areas) for areas in cross_areas),
        )
        contributions, fold_auc = _contributions(self.fold_scores, folds, positive, rows)
        self.__dict__.update(contributions=sealed(contributions), fold_auc=sealed(fold_auc))

    def _influence(self, contributions: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return contributions as an influence on the rows of `cases`."""
        known = np.unique(np.concatenate([fold.cases for fold in self.folds]))
        own = contributions[known] / (self.cases.pos + self.cases.neg)
        sizes = zip((self.n_pos, self.n_neg), _units(known, self.positive, self.rows), strict=True)
        of_pos, of_neg = (own * (n * np.sqrt((c - 1.0) / c)) for n, c in sizes)
        return of_pos, of_neg

    @property
    def fold_scores(self) -> tuple[Scores, ...]:
        """Test cases of each fold with the scores of its model, e.g. for a `roc_band` of folds.

        Examples
        --------
        >>> from confroc.sklearn import CrossValidatedScores
        >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
        >>> halves = [([0, 1, 4, 5], [3.0, 2.0, 1.0, 2.5]), ([2, 3, 6, 7], [0.9, 0.4, 0.3, 0.2])]
        >>> [scores.auc for scores in CrossValidatedScores(y, halves).fold_scores]
        [0.75, 1.0]
        """
        return tuple(_table(*fold, self.positive, self.rows) for fold in self.folds)

    def _made_of(self) -> dict[str, Any]:
        made = {"positive": self.positive, "folds": self.folds, "cross_areas": self.cross_areas}
        return {**made, "rows": self.rows}

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


def _mass(rows: Rows, n: int) -> FloatArray:
    """Weight times frequency of each of n cases."""
    given = [values for values in (rows.weight, rows.repeats) if values is not None]
    return np.asarray(np.prod([np.ones(n), *given], axis=0))


def _table(cases: IntArray, score: FloatArray, positive: BoolArray, rows: Rows) -> Scores:
    """Table of some cases with their weights, clusters and strata."""
    return Scores._sampled(SampledCases(positive[cases], [score], 0, rows.at(cases)))


def _units(cases: IntArray, positive: BoolArray, rows: Rows) -> tuple[int, int]:
    """Numbers of independent positives and negatives: clusters, by the identifier with fewer."""
    times = np.ones(len(positive)) if rows.repeats is None else rows.repeats
    of_pos, of_neg = (
        min((len(np.unique(c.code[own])) for c in rows.clusters), default=int(times[own].sum()))
        for own in (cases[positive[cases]], cases[~positive[cases]])
    )
    return of_pos, of_neg


def _check_clusters(name: str, cases: IntArray, rows: Rows) -> None:
    """Raise for a fold with a part of a cluster, whose rest trained the fold's model."""
    for column in rows.clusters:
        divided = np.intersect1d(column.code[cases], np.delete(column.code, cases))
        if len(divided):
            rule = "contain all cases of a cluster or none"
            remedy = "Split by StratifiedGroupKFold, with the clusters as `groups`."
            raise ArgumentError(name, rule, f"a part of {column.label[divided[0]]!r}", remedy)


def _check_fold(name: str, fold: object, positive: BoolArray, rows: Rows) -> Fold:
    both = check_items(name, fold, "Pass a pair (cases, score).")
    if len(both) != 2:
        raise ArgumentError(name, "be a pair (cases, score)", both, "Pass the test indices and their scores.")
    cases, score = both
    places, values = np.asarray(cases), as_floats(name, score)
    if np.ma.is_masked(cases):
        refuse_missing(name, np.ma.getmaskarray(cases))
    if places.dtype.kind not in "iu" or places.ndim != 1:
        raise ArgumentTypeError(name, "contain row numbers", places.dtype.name, "Pass the test indices.")
    if len(places) != len(values):
        rule = f"contain one score for each of its {len(places)} cases"
        raise ArgumentError(name, rule, len(values), "Align them.")
    if (outside := places[(places < 0) | (places >= len(positive))]).size:
        rule = f"contain row numbers from 0 to {len(positive) - 1}"
        raise ArgumentError(name, rule, int(outside[0]), "Check the indices.")
    # Sort only if needed; NumPy's set of many integers is ten times slower.
    rising = places if (places[1:] > places[:-1]).all() else np.sort(places)
    if (rising[1:] == rising[:-1]).any():
        rule = "contain each case once"
        raise ArgumentError(name, rule, "repeated row numbers", "Pass repeats as separate folds.")
    refuse_missing(name, np.isnan(values))
    _check_clusters(name, places, rows)
    kept = _mass(rows, len(positive))[places] > 0.0
    places, values = places[kept].astype(np.int64), values[kept]
    n_pos, n_neg = _units(places, positive, rows)
    if min(n_pos, n_neg) < 2:
        rule, remedy = "contain at least two cases or clusters of each class", "Use fewer, stratified folds."
        raise ArgumentError(name, rule, Words(f"{n_pos} positives and {n_neg} negatives"), remedy)
    return Fold(places, values)


def _check_everywhere(everywhere: Iterable[ArrayLike], folds: tuple[Fold, ...], n: int) -> list[FloatArray]:
    listed = check_items("everywhere", everywhere, "Pass the scores of all cases by each fold's model.")
    found = [as_floats(f"everywhere[{f}]", score) for f, score in enumerate(listed)]
    if len(found) != len(folds):
        rule = f"contain scores by {len(folds)} models, one per fold"
        raise ArgumentError("everywhere", rule, len(found), "Align them.")
    for f, (score, fold) in enumerate(zip(found, folds, strict=True)):
        name = f"everywhere[{f}]"
        if len(score) != n:
            raise ArgumentError(name, f"contain one score for each of {n} cases", len(score), "Align them.")
        refuse_missing(name, np.isnan(score))
        if not np.allclose(score[fold.cases], fold.score):
            rule = f"agree with folds[{f}] on its test cases"
            raise ArgumentError(name, rule, "other scores", "Score all cases with the fold's model.")
    return found


def _contributions(
    tables: tuple[Scores, ...], folds: tuple[Fold, ...], positive: BoolArray, rows: Rows
) -> tuple[FloatArray, FloatArray]:
    """Influence of each case on the mean AUC, and each fold's AUC.

    In fold f a positive with placement V and weight w contributes w(V − AUC_f)/W_f (LeDell et al. 2015),
    where W_f is the sum of weights of its class. With m_f independent positives, or clusters of them, the
    factor √(m_f/(m_f − 1)) makes the sum of squares in one fold DeLong's variance. Likewise for negatives.
    """
    mass = _mass(rows, len(positive))
    total = np.zeros(len(positive))
    for table, (cases, score) in zip(tables, folds, strict=True):
        at, sides = np.searchsorted(-table.score, -score), (positive[cases], ~positive[cases])
        classes = zip(sides, placements(table), _units(cases, positive, rows), strict=True)
        for side, placement, m in classes:
            own = cases[side]
            factor = np.sqrt(m / (m - 1.0)) / (mass[own].sum() * len(folds))
            total[own] += placement[at[side]] * mass[own] * factor
    return total, np.array([table.auc for table in tables])


def _cross_areas(
    folds: tuple[Fold, ...], positive: BoolArray, everywhere: list[FloatArray], rows: Rows
) -> tuple[FloatArray, ...]:
    """For each repeat, the AUC of fold h's test cases (row) under the model of fold f (column)."""
    repeats: list[list[int]] = []
    seen = np.ones(len(positive), dtype=bool)
    for f, (cases, _) in enumerate(folds):
        if seen[cases].any():
            repeats.append([])
            seen[:] = False
        repeats[-1].append(f)
        seen[cases] = True

    def area(h: int, f: int) -> float:
        cases = folds[h].cases
        return _table(cases, everywhere[f][cases], positive, rows).auc

    return tuple(np.array([[area(h, f) for f in repeat] for h in repeat]) for repeat in repeats)


def between_folds(cross_areas: Iterable[FloatArray]) -> float:
    """Contribution to the variance of the mean AUC from training each fold's model by the other folds.

    Off the diagonal −(F − 1)(Q_hf − mean of the row) is the effect of fold f on training, evaluated on fold
    h. The products with h and f exchanged estimate the variance. It is undefined for two folds.
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
