"""Scores of one model on one test set."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from confroc import _kernels
from confroc._check import (
    ArgumentError,
    ArgumentTypeError,
    DesignError,
    Words,
    as_column,
    as_floats,
    check_choice,
    check_count,
    warn,
)
from confroc._kernels.merge import twice_wins
from confroc._keywords import checks_keywords
from confroc._types import FloatArray, IntArray
from confroc.results import Frozen, Plottable, sealed, shown
from confroc.scores.design import (
    Design,
    SampledCases,
    WeightKind,
    another_design,
    check_identified,
    gathered,
    is_simple,
    read_rows,
    sampled_cases,
)
from confroc.scores.labels import (
    NAN_POLICIES,
    NanPolicy,
    check_both_classes,
    check_case_count,
    check_not_swapped,
    complete_cases,
    refuse_infinite,
    refuse_missing,
    same_length,
    same_rows,
)
from confroc.scores.predictions import ResponseMethod, check_cases, responses
from confroc.scores.tables import (
    CountTable,
    add_tables,
    check_counts,
    check_finite,
    sorted_classes,
    sorted_coded,
    sum_equal,
    sum_levels,
    tally_wins,
)

PREDICTED = ([1.0, 0.0], [1.0, -1.0])
"""Scores that are predicted classes."""
FEW_CASES = 20
"""With fewer cases, two scores may be real scores."""
CLASSES = "Scores are predicted classes; the ROC curve has one threshold."


class Scores(Plottable, Frozen):
    """Scores of one model on one test set, as counts per distinct score.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True classes: booleans, numbers or text, all of one type. {0, 1}, {-1, 1} and booleans need
        no `pos_label`.
    y_score : array-like of shape (n,)
        Scores; higher means more likely positive (otherwise use `-Scores(y_true, y_score)`). Finite numbers,
        ties allowed; text is rejected, and so are integers beyond 2**53, which are not exact in double
        precision.
    sample_weight : array-like of shape (n,), optional
        Weights, finite and not negative; rows of weight 0 are dropped.
    weight_kind : {"sampling", "frequency"}
        "sampling": number of cases of the population that a row represents, as in surveys, case-control
        studies and inverse-probability weighting; only ratios matter. "frequency": number of times the row
        occurs, an integer; the same as repeating it.
    cluster : array-like of shape (n,), or two of them, optional
        Identifier of the unit a row belongs to: a patient, a borrower, a conversation. Rows of one cluster
        may be dependent. Two columns for rows with two identifiers, e.g. both members of a pair in
        biometrics.
    strata : array-like of shape (n,), optional
        Strata within which rows or clusters were sampled separately.
    pos_label : int, float, str or bool, optional
        The positive class; all other labels are negative. It matches equal text, equal numbers (1, 1.0, "1")
        and equal booleans (True, "true", and 1 if all labels are booleans); leading and trailing
        spaces are ignored.
    nan_policy : {"raise", "omit"}
        How to treat cases with a missing label or score: None, NaN, NaT, pandas NA, a masked value, or a
        blank label. "omit" drops and counts them in `n_dropped`.

    Attributes
    ----------
    score : ndarray of float, shape (d,)
        Distinct scores, strictly decreasing.
    pos, neg : ndarray of shape (d,)
        Positives and negatives with that score; with sampling weights, sums of weights scaled to add up to
        the number of rows.
    n_pos, n_neg : int, or float with sampling weights
    n_dropped : int
    design : Design or None
        Weights, clusters and strata; None for independent cases of one weight.
    score_max : ndarray of float, shape (d,)
        The highest score of each level, `score` being the lowest; the same array unless scores were rounded
        by `read_scores(resolution=...)` or a `ScoreStream`.
    fpr_error, tpr_error, auc_error : float
        Bounds on the effect of rounding on the empirical rates at any threshold and on the AUC; 0 without
        rounding.
    auc : float
        Area under the empirical curve: the proportion of (positive, negative) pairs in which the positive
        has the higher score, ties counting one half.

    Raises
    ------
    ValueError
        Missing or infinite scores; missing, negative or infinite weights; one class only; different lengths;
        labels that need `pos_label`; pandas columns with the same index in different order, since all are
        read by position.

    Warns
    -----
    ConfrocWarning
        AUC below 0.5 (scores are never negated automatically; use `-Scores(y_true, y_score)`); scores that
        are predicted classes.

    See Also
    --------
    read_scores : Reads files, SQL and data frames.
    PairedScores, UnpairedScores : Several models, on the same or on disjoint cases.
    ScoreStream : Counts cases that arrive in batches.

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
    score_max: FloatArray
    n_pos: int
    n_neg: int
    n_dropped: int
    design: Design | None
    _lone: bool

    @checks_keywords
    def __init__(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        weight_kind: WeightKind = "sampling",
        cluster: ArrayLike | tuple[ArrayLike, ArrayLike] | None = None,
        strata: ArrayLike | None = None,
        pos_label: object = None,
        nan_policy: NanPolicy = "raise",
    ) -> None:
        check_choice("nan_policy", nan_policy, NAN_POLICIES)
        same_rows(y_true=y_true, y_score=y_score, sample_weight=sample_weight, strata=strata)
        rows = read_rows(sample_weight, weight_kind, cluster, strata)
        if rows is not None:
            with check_not_swapped(y_true, [y_score], pos_label):
                values = as_floats("y_score", y_score)
                cases = sampled_cases(y_true, pos_label, nan_policy, rows, y_score=values)
            self._fill_sampled(cases)
            self._warn_of_ranking()
            return
        with check_not_swapped(y_true, [y_score], pos_label):
            score, labels = as_floats("y_score", y_score), as_column("y_true", y_true)
            n = len(score)
            coded = sorted_coded(score, labels) if pos_label is None and labels.shape == (n,) else None
            if coded is None:
                positive, (score,), _ = complete_cases(labels, pos_label, nan_policy, y_score=score)
                coded = sorted_classes(score, positive)
        classes = []
        for values in coded:
            # NaN sorts last.
            known = len(values) - int(np.isnan(values[-1:]).any() and np.isnan(values).sum())
            if known < len(values) and nan_policy == "raise":
                refuse_missing("y_score", np.isnan(score))
            classes.append(values[:known])
        pos, neg = classes
        dropped = n - len(pos) - len(neg)
        check_both_classes(len(pos), len(neg))
        refuse_infinite("y_score", np.array([pos[0], pos[-1], neg[0], neg[-1]]))
        table, twice_wins = tally_wins(pos, neg)
        self._fill(table, None, dropped, (len(pos), len(neg), twice_wins))
        self._warn_of_ranking()

    @classmethod
    def from_counts(
        cls,
        score: ArrayLike,
        pos: ArrayLike,
        neg: ArrayLike,
        *,
        score_max: ArrayLike | None = None,
        n_dropped: int = 0,
    ) -> Self:
        """Build from a table of counts, in any order; counts of equal scores are added.

        Parameters
        ----------
        score : array-like of shape (d,)
        pos, neg : array-like of int, shape (d,)
            Positives and negatives with that score. Empty rows are ignored.
        score_max : array-like of shape (d,), optional
            Highest score of each row, `score` being the lowest, for rows that cover a range.
        n_dropped : int
            Number of incomplete cases that were dropped.

        Examples
        --------
        >>> from confroc import Scores
        >>> Scores.from_counts([1, 2, 3], pos=[1, 2, 9], neg=[8, 3, 1]).auc
        0.8784722222222222
        """
        scores = cls._counted(score, pos, neg, score_max, n_dropped)
        scores._warn_below_half()
        return scores

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y_true: ArrayLike,
        *,
        pos_label: object = None,
        response_method: ResponseMethod = "auto",
        **options: Any,
    ) -> Self:
        """Score test cases with a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier
            A binary classifier, pipeline, search or calibrated classifier.
        X : n cases, as the estimator accepts them
            Test cases, not those the estimator was fitted to.
        y_true : array-like of shape (n,)
            Their labels.
        pos_label : label, optional
            As in `Scores`.
        response_method : {"auto", "predict_proba", "decision_function"}
            Where the score comes from; "auto" is `predict_proba` if there is one. Both are turned so that
            high scores speak for `pos_label`, as in scikit-learn.
        **options
            `sample_weight`, `weight_kind`, `cluster`, `strata` and `nan_policy`, as in `Scores`.

        Returns
        -------
        Scores
            Ties, as from a tree or a calibrated model, are kept.

        Raises
        ------
        TypeError
            The estimator is not a classifier, or lacks the response method.
        ValueError
            The estimator does not have two classes; as in `Scores`.

        See Also
        --------
        PairedScores.from_estimators : Two classifiers on the same cases.
        confroc.sklearn.from_cv_results : The models of a cross-validation.

        Examples
        --------
        >>> from sklearn.datasets import make_classification
        >>> from sklearn.linear_model import LogisticRegression
        >>> from confroc import Scores, auc_interval
        >>> X, y = make_classification(300, flip_y=0.2, random_state=0)
        >>> model = LogisticRegression().fit(X[:200], y[:200])
        >>> print(auc_interval(Scores.from_estimator(model, X[200:], y[200:])))
        auc 0.8764 (95% CI 0.7761 to 0.9336; score_delong)
        """
        check_cases([estimator], X, y_true)
        score = responses(estimator, X, pos_label, response_method)
        return cls(y_true, score, pos_label=pos_label, **options)

    @classmethod
    def _counted(
        cls, score: ArrayLike, pos: ArrayLike, neg: ArrayLike, score_max: ArrayLike | None, n_dropped: int
    ) -> Self:
        """Check a table of counts and build from it, without a warning."""
        values = check_finite("score", score)
        highest = values if score_max is None else check_finite("score_max", score_max)
        n_pos, n_neg = check_counts("pos", pos), check_counts("neg", neg)
        same_length(score=values, score_max=highest, pos=n_pos, neg=n_neg)
        if (highest < values).any():
            wrong = int(np.argmax(highest < values))
            rule, remedy = f"be >= `score` ({float(values[wrong])})", "Pass the highest score of each row."
            raise ArgumentError("score_max", rule, float(highest[wrong]), remedy)
        check_both_classes(int(n_pos.sum()), int(n_neg.sum()))
        dropped = check_count("n_dropped", n_dropped, minimum=0)
        return cls._of(*sum_levels(values, highest, n_pos, n_neg), dropped=dropped)

    @classmethod
    def _of(
        cls,
        table: CountTable,
        score_max: FloatArray | None = None,
        *,
        dropped: int = 0,
        design: Design | None = None,
        lone: bool = False,
    ) -> Self:
        """Wrap a valid table, without checks or warnings."""
        scores = cls.__new__(cls)
        scores._fill(table, score_max, dropped, design=design, lone=lone)
        return scores

    def _fill(
        self,
        table: CountTable,
        score_max: FloatArray | None,
        dropped: int,
        known: tuple[int, int, int] | None = None,
        design: Design | None = None,
        lone: bool = False,
    ) -> None:
        """Set the attributes; `known` are the positives, the negatives and twice the wins, if at hand.

        `lone` are cases with identifiers of clusters that have one case each, and so are not kept.
        """
        design = None if design is None or is_simple(design) else design
        n_pos, n_neg = known[:2] if known else (table.pos.sum().item(), table.neg.sum().item())
        columns = {name: sealed(values) for name, values in table._asdict().items()}
        own = None if score_max is table.score else score_max
        columns["score_max"] = columns["score"] if own is None else sealed(own)
        sizes = {"n_pos": n_pos, "n_neg": n_neg, "n_dropped": dropped}
        self.__dict__.update(columns, **sizes, design=design, _lone=lone)
        if known and self._wins_fit:
            self.__dict__["auc"] = known[2] / (2 * n_pos * n_neg)

    def _fill_sampled(self, cases: SampledCases) -> None:
        assert cases.rows is not None
        falling = -cases.columns[0]
        order = np.argsort(falling)
        falling = falling[order]
        new = np.append(True, falling[1:] > falling[:-1])
        score = 0.0 - falling[new]
        del falling
        design = gathered(cases.rows, order, np.cumsum(new) - 1, cases.positive)
        table = CountTable(score, *design.counts(len(score)))
        check_both_classes(int(np.count_nonzero(table.pos)), int(np.count_nonzero(table.neg)))
        lone = len(design.clusters) < len(cases.rows.clusters)
        self._fill(table, None, cases.dropped, design=design, lone=lone)

    @classmethod
    def _sampled(cls, cases: SampledCases) -> Self:
        """Build from complete cases, without warnings."""
        scores = cls.__new__(cls)
        scores._fill_sampled(cases)
        return scores

    def _resized(self, n_pos: float, n_neg: float) -> Self:
        """Return independent cases with the same curve and other class sizes: integers >= 2."""
        sizes = max(2, round(n_pos)), max(2, round(n_neg))
        pos: Any = self.pos * (sizes[0] / self.n_pos)
        neg: Any = self.neg * (sizes[1] / self.n_neg)
        table = self.__new__(type(self))
        table._fill(CountTable(self.score, pos, neg), None, self.n_dropped, (*sizes, 0))
        table.__dict__["auc"] = self.auc
        return table

    @property
    def _table(self) -> CountTable:
        return CountTable(self.score, self.pos, self.neg)

    def _made_of(self) -> dict[str, Any]:
        return {
            "table": self._table,
            "score_max": None if self.exact else self.score_max,
            "dropped": self.n_dropped,
            "design": self.design,
            "lone": self._lone,
        }

    @classmethod
    def _remade(cls, made_of: dict[str, Any]) -> Self:
        return cls._of(**made_of)

    @cached_property
    def threshold(self) -> FloatArray:
        """Infinity followed by the distinct scores, shape (d + 1,)."""
        return sealed(np.concatenate([[np.inf], self.score]))

    @cached_property
    def pos_above(self) -> IntArray:
        """Positives with score >= each distinct score."""
        return sealed(np.cumsum(self.pos))

    @cached_property
    def neg_above(self) -> IntArray:
        """Negatives with score >= each distinct score."""
        return sealed(np.cumsum(self.neg))

    @property
    def _wins_fit(self) -> bool:
        # Twice the Mann-Whitney U is exact in int64 below 2**63.
        return self.pos.dtype.kind != "f" and 2 * self.n_pos * self.n_neg < 2**63

    @cached_property
    def auc(self) -> float:
        """Area under the empirical ROC curve (Mann-Whitney, ties one half)."""
        if not self._wins_fit:
            return float(np.dot(self.neg / self.n_neg, (self.pos_above - 0.5 * self.pos) / self.n_pos))
        if len(self.score) >= _kernels.BIG:
            wins = int(_kernels.compiled(twice_wins)(self.pos, self.neg))
        else:
            wins = int(np.dot(self.neg, 2 * self.pos_above - self.pos))
        return wins / (2 * self.n_pos * self.n_neg)

    @property
    def exact(self) -> bool:
        """Whether no scores were rounded."""
        return self.score_max is self.score

    @cached_property
    def fpr_error(self) -> float:
        """Bound on the effect of rounding on the false positive rate at any threshold."""
        return self._most_misplaced(self.neg) / self.n_neg

    @cached_property
    def tpr_error(self) -> float:
        """Bound on the effect of rounding on the true positive rate at any threshold."""
        return self._most_misplaced(self.pos) / self.n_pos

    def _most_misplaced(self, counts: IntArray) -> int:
        """Largest number of cases in levels that one threshold cuts: score < threshold <= score_max."""
        if self.exact:
            return 0
        wide = self.score_max > self.score
        begin, end, counts = self.score[wide], self.score_max[wide], counts[wide]
        order = np.argsort(end)
        ended = np.concatenate([[0], np.cumsum(counts[order])])
        begun = np.cumsum(counts[::-1])[::-1]
        # Just above the lowest score of a level: levels that start there or below and end above.
        cut = begun - ended[np.searchsorted(end[order], begin, side="right")]
        return int(cut.max(initial=0))

    @cached_property
    def auc_error(self) -> float:
        """Bound on the effect of rounding on the AUC."""
        if self.exact:
            return 0.0
        worst, best = self.extremes
        return max(best.auc - self.auc, self.auc - worst.auc)

    @cached_property
    def extremes(self) -> tuple[Scores, Scores]:
        """The worst and the best ranking consistent with rounded scores; the scores themselves if exact.

        In the best ranking every positive has its level's highest score and every negative the lowest; in the
        worst ranking the reverse. At any threshold the exact rates lie between those of the two, so the exact
        ROC curve lies between the two curves.
        """
        if self.exact:
            return self, self
        none = np.zeros_like(self.pos)
        both = np.concatenate([self.score_max, self.score])
        worst = sum_equal(both, np.concatenate([none, self.pos]), np.concatenate([self.neg, none]))
        best = sum_equal(both, np.concatenate([self.pos, none]), np.concatenate([none, self.neg]))
        return Scores._of(worst), Scores._of(best)

    @property
    def _classes(self) -> bool:
        """Whether the scores look like predicted classes."""
        few = len(self.score) == 2 and self.n_pos + self.n_neg >= FEW_CASES
        return few and self.score.tolist() in PREDICTED

    def _warn_of_ranking(self, name: str = "y_score", remedy: str = "negate the scores") -> None:
        """Warn of predicted classes and of AUC below 0.5."""
        if self._classes:
            warn(
                f"`{name}` contains predicted classes: the ROC curve has one threshold. Pass scores instead."
            )
        self._warn_below_half(name, remedy)

    def _warn_below_half(self, name: str = "y_score", remedy: str = "negate the scores") -> None:
        if self.auc < 0.5:
            warn(f"`{name}` has AUC below 0.5. If lower scores mean more likely positive, {remedy}.")

    def __neg__(self) -> Self:
        """Return the same cases with negated scores, for scores where lower means more likely positive.

        Thresholds then refer to the negated scores.

        Examples
        --------
        >>> from confroc import Scores
        >>> platelets = Scores.from_counts([90, 150, 250], pos=[3, 1, 3], neg=[1, 4, 1])
        >>> (-platelets).score
        array([ -90., -150., -250.])
        """
        levels = sum_levels(-self.score_max, -self.score, self.pos, self.neg)
        design = None if self.design is None else self.design.moved(np.arange(len(self.score))[::-1])
        scores = self._of(*levels, dropped=self.n_dropped, design=design, lone=self._lone)
        scores._warn_below_half()
        return scores

    def merge(self, other: Scores) -> Scores:
        """Combine two disjoint test sets scored by the same model.

        Clusters with the same identifier become one. Tables whose clusters have one case each keep no
        identifiers and are refused.

        Examples
        --------
        >>> from confroc import Scores
        >>> monday, tuesday = Scores([0, 1], [0.2, 0.7]), Scores([0, 1], [0.1, 0.7])
        >>> monday.merge(tuesday).pos
        array([2, 0, 0])
        """
        check_scores("other", other, widens=True, dependent=True)
        check_case_count("other", sum(s.n_pos + s.n_neg for s in (self, other)))
        check_identified(self._lone or other._lone)
        dropped = self.n_dropped + other.n_dropped
        if self.design is not None and other.design is not None:
            score = -np.unique(-np.concatenate([self.score, other.score]))
            design = self.design.moved(np.searchsorted(-score, -self.score)).joined(
                other.design.moved(np.searchsorted(-score, -other.score))
            )
            return Scores._of(CountTable(score, *design.counts(len(score))), dropped=dropped, design=design)
        if self.design is not other.design:
            raise another_design()
        if self.exact and other.exact:
            return Scores._of(add_tables(self._table, other._table), dropped=dropped)
        score, pos, neg = (np.concatenate(columns) for columns in zip(self._table, other._table, strict=True))
        highest = np.concatenate([self.score_max, other.score_max])
        return Scores._of(*sum_levels(score, highest, pos, neg), dropped=dropped)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scores):
            return NotImplemented
        return self.design == other.design and all(
            np.array_equal(getattr(self, c), getattr(other, c)) for c in ("score", "pos", "neg", "score_max")
        )

    def __hash__(self) -> int:
        return hash((self.n_pos, self.n_neg, len(self.score)))

    def _repr_html_(self) -> str:
        """Return a small table for notebooks."""
        return shown.as_html(shown.samples("Scores", {"": self}, notes=notes_of_classes(self)))

    def __repr__(self) -> str:
        rounded = "" if self.exact else f"±{self.auc_error:.1g}"
        parts = [counts_shown(self), f"distinct={len(self.score)}"]
        parts += [f"auc={self.auc:.4f}{rounded}"]
        parts += [str(self.design)] if self.design is not None else []
        parts += [f"n_dropped={self.n_dropped}"] if self.n_dropped else []
        return f"Scores({', '.join(parts)})"


def class_sizes(scores: Any) -> tuple[int, int]:
    """Return the numbers of positive and of negative cases, without weights."""
    return (scores.n_pos, scores.n_neg) if scores.design is None else scores.design.class_sizes


def counts_shown(table: Any) -> str:
    """The numbers of positives and negatives, which weights can make fractions, for `repr`."""
    return f"n_pos={round(table.n_pos, 2):.15g}, n_neg={round(table.n_neg, 2):.15g}"


def notes_of_classes(*scores: Scores) -> tuple[str, ...]:
    """Return the note for scores that are predicted classes."""
    return (CLASSES,) if any(s._classes for s in scores) else ()


def check_scores(name: str, value: object, *, widens: bool = False, dependent: bool = False) -> Scores:
    """Return `value` if it is a Scores; warn of rounded scores unless the result `widens` for them.

    Raise for weights, clusters and strata unless the method supports `dependent` cases.
    """
    if not isinstance(value, Scores):
        one = repr(names[0]) if (names := getattr(value, "names", ())) else 0
        remedy = f"Pass labels and scores, Scores(y_true, y_score), or one of several models, scores[{one}]."
        raise ArgumentTypeError(name, "be a Scores", type(value).__name__, remedy)
    if not dependent and value.design is not None:
        rule = "have no weights, clusters or strata in this function"
        remedy = "`interval` and `difference` accept them, e.g. interval(scores, BrierScore())."
        raise DesignError(name, rule, Words(value.design), remedy)
    if not widens:
        warn_of_rounding(name, value)
    return value


def warn_of_rounding(name: str, scores: Scores) -> None:
    """Warn of rounded scores where the result is not widened."""
    if not scores.exact:
        warn(
            f"`{name}` contains rounded scores, which are not accounted for. `fpr_error`, `tpr_error` "
            "and `auc_error` bound the effect; a larger `resolution` reduces it."
        )
