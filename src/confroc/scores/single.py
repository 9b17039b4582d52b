"""Scores of one model on one test set."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from confroc import _kernels
from confroc._check import (
    ArgumentError,
    ArgumentTypeError,
    DesignError,
    as_column,
    as_floats,
    check_choice,
    check_count,
    warn,
)
from confroc._kernels.merge import twice_wins
from confroc._keywords import checks_keywords
from confroc._types import FloatArray, IntArray
from confroc.results import Drawn, Frozen, sealed, shown
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
    both_classes,
    most_cases,
    read_labels,
    refuse_infinite,
    refuse_missing,
    right_way_round,
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
"""What scores are that are predicted classes."""
FEW_CASES = 20
"""Fewer cases may have two scores that are none."""
TURNED = "-Scores(...)"
"""What to write where lower scores mean more likely positive."""
CLASSES = "The scores are predicted classes; the curve has one threshold."


class Scores(Drawn, Frozen):
    """Scores of one model on one test set, as counts per distinct score.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True classes: truth values, numbers or text, one kind in all. {0, 1}, {-1, 1} and truth values need no
        `pos_label`.
    y_score : array-like of shape (n,)
        Scores; higher means more likely positive (where lower does, write `-Scores(y_true, y_score)`). Any
        finite numbers, tied or not, as numbers: text is refused, and so are integers beyond 2**53, which
        double precision cannot distinguish.
    sample_weight : array-like of shape (n,), optional
        Weights, finite and not negative; rows of weight 0 are dropped.
    weight_kind : {"sampling", "frequency"}
        "sampling": how many cases of the population a row stands for, as in surveys, case-control studies and
        inverse-probability weighting; only their ratios matter. "frequency": how often the row occurs, a
        whole number; the same as repeating it.
    cluster : array-like of shape (n,), or two of them, optional
        What rows belong to: a patient, a borrower, a conversation. Rows of one cluster may depend on each
        other. Two columns for rows that have two identifiers, as both members of a pair in biometrics.
    strata : array-like of shape (n,), optional
        Strata from which rows, or clusters, were sampled separately.
    pos_label : int, float, str or bool, optional
        The positive class; every other label is negative. It is the label that reads the same, the same
        number (1, 1.0, "1") or the same truth value (True, "true", and 1 where all labels are truth values);
        space around text does not count.
    nan_policy : {"raise", "omit"}
        What to do with cases whose label or score is missing: None, NaN, NaT, pandas's NA, a masked value, or
        a label of blank text. "omit" drops the whole case and keeps their number in `n_dropped`.

    Attributes
    ----------
    score : ndarray of float, shape (d,)
        Distinct scores, strictly decreasing.
    pos, neg : ndarray of shape (d,)
        Positives and negatives with that score; with sampling weights their sums, scaled so that all of them
        add up to the number of rows.
    n_pos, n_neg : int, or float with sampling weights
    n_dropped : int
    design : Design or None
        Weights, clusters and strata; None for independent cases of one weight.
    score_max : ndarray of float, shape (d,)
        The highest score that the level stands for, `score` being the lowest: the same array unless
        scores were rounded to fewer levels by `read_scores(resolution=...)` or a `ScoreStream`.
    fpr_error, tpr_error, auc_error : float
        Bounds on what such rounding may have changed: the empirical rate at any threshold, and the
        area. 0 without rounding.
    auc : float
        Area under the empirical curve: the share of (positive, negative) pairs in which the positive
        has the higher score, ties counting one half.

    Raises
    ------
    ValueError
        Missing or infinite scores, weights that are missing, negative or infinite, one class only, lengths
        that differ, labels that need `pos_label`; columns of pandas whose rows have the same index in another
        order, as all are read by position.

    Warns
    -----
    ConfrocWarning
        When the AUC is below 0.5. Scores are never flipped, unless by you: `-Scores(y_true, y_score)`. When
        the scores are predicted classes, 0 and 1.

    See Also
    --------
    read_scores : The same from files, SQL and data frames.
    PairedScores, UnpairedScores : Two models, on the same cases or each on its own.
    ScoreStream : Cases that arrive in batches.

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
            with right_way_round(y_true, y_score, pos_label):
                values = as_floats("y_score", y_score)
                cases = sampled_cases(y_true, pos_label, nan_policy, rows, y_score=values)
            self._fill_sampled(cases)
            self._warn_of_ranking()
            return
        with right_way_round(y_true, y_score, pos_label):
            score, labels = as_floats("y_score", y_score), as_column("y_true", y_true)
            n = len(score)
            coded = sorted_coded(score, labels) if pos_label is None and labels.shape == (n,) else None
            read = read_labels(labels, pos_label) if coded is None else None
        if read is not None:
            positive, unlabelled = read
            same_length(y_true=positive, y_score=score)
            if unlabelled.any():
                if nan_policy == "raise":
                    refuse_missing("y_true", int(unlabelled.sum()))
                score, positive = score[~unlabelled], positive[~unlabelled]
            coded = sorted_classes(score, positive)
        assert coded is not None
        classes = []
        for values in coded:
            # NaN sorts last.
            known = len(values) - int(np.isnan(values[-1:]).any() and np.isnan(values).sum())
            if known < len(values) and nan_policy == "raise":
                refuse_missing("y_score", int(np.isnan(score).sum()))
            classes.append(values[:known])
        pos, neg = classes
        dropped = n - len(pos) - len(neg)
        both_classes(len(pos), len(neg))
        for end in (pos[0], pos[-1], neg[0], neg[-1]):
            if math.isinf(end):
                refuse_infinite("y_score", float(end))
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
        """Build from a table of counts, in any order; equal scores are added up.

        Parameters
        ----------
        score : array-like of shape (d,)
        pos, neg : array-like of int, shape (d,)
            Positives and negatives with that score. Rows with neither are ignored.
        score_max : array-like of shape (d,), optional
            Where a row stands for a range of scores: its highest one, `score` being its lowest.
        n_dropped : int
            Incomplete cases that were left out of the table, to be kept on record.

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
            Of two classes; a pipeline, a search or a calibrated classifier as well.
        X : whatever the estimator predicts from, n cases
            Passed on untouched. They must not be the cases that the estimator was fitted to.
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
            Ties stay ties: a tree or a calibrated model gives few distinct scores, and that is accounted for.

        Raises
        ------
        TypeError
            When the estimator is no classifier, or lacks the response.
        ValueError
            When it has more or fewer than two classes; as in `Scores`.

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
        auc 0.8764 (95 % interval 0.7761 to 0.9336; score_delong)
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
            raise ArgumentError(
                "score_max",
                f"be no lower than `score` ({float(values[wrong])})",
                float(highest[wrong]),
                "Give each row's highest score.",
            )
        both_classes(int(n_pos.sum()), int(n_neg.sum()))
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
        """Wrap a table that is known to be in order, without checks or warnings."""
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
        object.__setattr__(self, "_lone", lone)
        object.__setattr__(self, "design", None if design is None or is_simple(design) else design)
        for name, values in table._asdict().items():
            object.__setattr__(self, name, sealed(values))
        if score_max is table.score:
            score_max = None
        object.__setattr__(self, "score_max", self.score if score_max is None else sealed(score_max))
        n_pos, n_neg = known[:2] if known else (table.pos.sum().item(), table.neg.sum().item())
        object.__setattr__(self, "n_pos", n_pos)
        object.__setattr__(self, "n_neg", n_neg)
        object.__setattr__(self, "n_dropped", dropped)
        if known and self._wins_fit:
            object.__setattr__(self, "auc", known[2] / (2 * n_pos * n_neg))

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
        both_classes(int(np.count_nonzero(table.pos)), int(np.count_nonzero(table.neg)))
        lone = len(design.clusters) < len(cases.rows.clusters)
        self._fill(table, None, cases.dropped, design=design, lone=lone)

    @classmethod
    def _sampled(cls, cases: SampledCases) -> Self:
        """Build from complete cases, without warnings."""
        scores = cls.__new__(cls)
        scores._fill_sampled(cases)
        return scores

    def _resized(self, n_pos: float, n_neg: float) -> Self:
        """Return independent cases with the same curve, of other class sizes: whole numbers, two at least."""
        sizes = max(2, round(n_pos)), max(2, round(n_neg))
        pos: Any = self.pos * (sizes[0] / self.n_pos)
        neg: Any = self.neg * (sizes[1] / self.n_neg)
        table = self.__new__(type(self))
        table._fill(CountTable(self.score, pos, neg), None, self.n_dropped, (*sizes, 0))
        object.__setattr__(table, "auc", self.auc)
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
        """Infinity and then the distinct scores, shape (d + 1,)."""
        return sealed(np.concatenate([[np.inf], self.score]))

    @cached_property
    def pos_above(self) -> IntArray:
        """Positives with this score or a higher one, per distinct score."""
        return sealed(np.cumsum(self.pos))

    @cached_property
    def neg_above(self) -> IntArray:
        """Negatives with this score or a higher one, per distinct score."""
        return sealed(np.cumsum(self.neg))

    @property
    def _wins_fit(self) -> bool:
        # Twice the number of wins, an integer: exact in int64 below 2**63.
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
        """Whether every level is a single score."""
        return self.score_max is self.score

    @cached_property
    def fpr_error(self) -> float:
        """Bound on the error that rounded scores add to the false positive rate at any threshold."""
        return self._most_misplaced(self.neg) / self.n_neg

    @cached_property
    def tpr_error(self) -> float:
        """Bound on the error that rounded scores add to the true positive rate at any threshold."""
        return self._most_misplaced(self.pos) / self.n_pos

    def _most_misplaced(self, counts: IntArray) -> int:
        """Most cases in levels that a threshold could cut: those with score < threshold <= score_max."""
        if self.exact:
            return 0
        wide = self.score_max > self.score
        begin, end, counts = self.score[wide], self.score_max[wide], counts[wide]
        order = np.argsort(end)
        ended = np.concatenate([[0], np.cumsum(counts[order])])
        begun = np.cumsum(counts[::-1])[::-1]
        # Just above the lowest score of a level: all levels that begin there or below and have not ended.
        cut = begun - ended[np.searchsorted(end[order], begin, side="right")]
        return int(cut.max(initial=0))

    @cached_property
    def auc_error(self) -> float:
        """Bound on the error that rounded scores add to the area."""
        if self.exact:
            return 0.0
        worst, best = self.extremes
        return max(best.auc - self.auc, self.auc - worst.auc)

    @cached_property
    def extremes(self) -> tuple[Scores, Scores]:
        """The worst and the best ranking that rounded levels allow; the scores themselves without rounding.

        In the best every positive has its level's highest score and every negative its level's lowest, in the
        worst it is the reverse. At any threshold the exact false positive rate is no lower than in the best
        and no higher than in the worst, the exact true positive rate the other way round, so that the exact
        ROC curve lies between the two.
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

    def _warn_of_ranking(self, name: str = "y_score") -> None:
        """Warn of scores that are predicted classes, equal, or rank negatives above positives."""
        if self._classes:
            warn(f"`{name}` holds predicted classes: the curve has one threshold. Pass scores instead.")
        self._warn_below_half(name)

    def _warn_below_half(self, name: str = "y_score") -> None:
        if self.auc < 0.5:
            warn(
                f"`{name}` has AUC below 0.5: it ranks negatives above positives. If lower scores mean more "
                "likely positive, negate the scores; confroc never does."
            )

    def __neg__(self) -> Self:
        """Return the same cases with each score's sign turned: where lower scores mean more likely positive.

        Thresholds are then those of the turned scores.

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
        """Add up two disjoint test sets scored by the same model.

        Clusters with the same identifier become one. Tables whose clusters have one case each keep no
        identifiers and are refused.

        Examples
        --------
        >>> from confroc import Scores
        >>> monday, tuesday = Scores([0, 1], [0.2, 0.7]), Scores([0, 1], [0.1, 0.7])
        >>> monday.merge(tuesday).pos
        array([2, 0, 0])
        """
        if not isinstance(other, Scores):
            raise ArgumentTypeError(
                "other", "be a Scores", type(other).__name__, "Build one from its arrays first."
            )
        most_cases("other", sum(s.n_pos + s.n_neg for s in (self, other)))
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
        n_pos, n_neg = (round(float(n), 2) if self.design else n for n in (self.n_pos, self.n_neg))
        parts = [f"n_pos={n_pos}, n_neg={n_neg}, distinct={len(self.score)}"]
        parts += [f"auc={self.auc:.4f}{rounded}"]
        parts += [str(self.design)] if self.design is not None else []
        parts += [f"n_dropped={self.n_dropped}"] if self.n_dropped else []
        return f"Scores({', '.join(parts)})"


def notes_of_classes(*scores: Scores) -> tuple[str, ...]:
    """Return the note of results on scores that are predicted classes."""
    return (CLASSES,) if any(s._classes for s in scores) else ()


def check_scores(name: str, value: object, *, widens: bool = False, dependent: bool = False) -> Scores:
    """Return `value` if it is a Scores; unless the result `widens` for rounded scores, warn of them.

    Weights, clusters and strata are refused, unless the result allows for `dependent` cases.
    """
    if not isinstance(value, Scores):
        remedy = (
            "Pass labels and scores, or Scores(y_true, y_score); of several models choose one, scores[0]."
        )
        raise ArgumentTypeError(name, "be a Scores", type(value).__name__, remedy)
    if not dependent:
        refuse_design(name, value)
    if not widens:
        warn_of_rounding(name, value)
    return value


def refuse_design(name: str, scores: Scores) -> None:
    """Refuse weights, clusters and strata where a result does not allow for them."""
    if scores.design is not None:
        rule = "hold independent cases of one weight for this result"
        remedy = "Use `interval`, `difference` or `comparison`, which allow for weights, clusters and strata."
        raise DesignError(name, rule, str(scores.design), remedy)


def warn_of_rounding(name: str, scores: Scores) -> None:
    """Warn users of results that do not allow for rounded scores."""
    if not scores.exact:
        warn(
            f"`{name}` holds rounded scores, for which this result does not allow; `fpr_error`, `tpr_error` "
            "and `auc_error` bound the effect. Use a larger `resolution` to make it smaller."
        )
