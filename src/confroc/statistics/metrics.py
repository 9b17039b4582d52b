"""Metrics of the confusion matrix at a threshold.

Each metric is a formula of the numbers, or proportions, of true and false positives and negatives. The
influence of a case follows from its gradient, which is computed by a complex step and exact to rounding
(Squire & Trapp 1998).

References
----------
Squire W, Trapp G (1998). Using complex variables to estimate derivatives of real functions. SIAM Review 40,
110–112.
Simel DL, Samsa GP, Matchar DB (1991). Likelihood ratios with confidence: sample size estimation for
diagnostic test studies. Journal of Clinical Epidemiology 44, 763–770.
Mercaldo ND, Lau KF, Zhou XH (2007). Confidence intervals for predictive values with an emphasis to
case-control studies. Statistics in Medicine 26, 2170–2183.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, check_choice, check_number, check_threshold
from confroc._types import Ends, FloatArray, Sampling
from confroc.scores import Scores
from confroc.scores.counting import counts_at
from confroc.statistics.cheapest import Criterion, optimism_of
from confroc.statistics.prevalence import Prevalence, Prior, read_prior, share_of, stated_prevalence
from confroc.statistics.rates import AtPlaces

TP, FP, FN, TN = range(4)
STEP = 1e-30
"""Size of the complex step, which involves no subtraction and can therefore be very small."""


class Formula(NamedTuple):
    """Definition of a metric.

    Attributes
    ----------
    title : str
    of : callable
        Accepts true positives, false positives, false negatives and true negatives.
    bounds : (float, float)
    log : bool
        Whether the metric is a ratio, with intervals on the logarithmic scale.
    lower : bool
        Whether smaller values are better.
    share : pair of tuples
        Cells of successes and failures, if the metric is a function of their proportion.
    prevalence : bool
        Whether the metric depends on the prevalence.
    """

    title: str
    of: Callable[..., Any]
    bounds: tuple[float, float] = (0.0, 1.0)
    log: bool = False
    lower: bool = False
    share: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    prevalence: bool = True


SIGNED, RATIO = (-1.0, 1.0), (0.0, math.inf)


def _share(title: str, wins: tuple[int, ...], losses: tuple[int, ...], **more: Any) -> Formula:
    def of(*cells: Any) -> Any:
        won = sum(cells[i] for i in wins)
        return won / (won + sum(cells[i] for i in losses))

    return Formula(title, of, share=(wins, losses), **more)


def _f_beta(tp: Any, fp: Any, fn: Any, tn: Any, beta: float = 1.0) -> Any:  # noqa: ARG001
    both = (1.0 + beta * beta) * tp
    return both / (both + beta * beta * fn + fp)


def _positive_ratio(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    return (tp / (tp + fn)) / (fp / (tn + fp))


def _negative_ratio(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    return (fn / (tp + fn)) / (tn / (tn + fp))


def _odds_ratio(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    return (tp * tn) / (fp * fn)


def _balanced_accuracy(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    return 0.5 * (tp / (tp + fn) + tn / (tn + fp))


def _youden(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    return tp / (tp + fn) - fp / (tn + fp)


def _mcc(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    return (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


def _kappa(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    return 2.0 * (tp * tn - fp * fn) / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))


def _corner(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    missed, alarms = fn / (tp + fn), fp / (tn + fp)
    return np.sqrt(missed * missed + alarms * alarms)


def _lift(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    return tp * (tp + fp + fn + tn) / ((tp + fp) * (tp + fn))


def _needed(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:  # noqa: ARG001
    return (tp + fp) / tp


METRICS: dict[str, Formula] = {
    "tpr": _share("True positive rate", (TP,), (FN,), prevalence=False),
    "tnr": _share("True negative rate", (TN,), (FP,), prevalence=False),
    "fpr": _share("False positive rate", (FP,), (TN,), prevalence=False, lower=True),
    "fnr": _share("False negative rate", (FN,), (TP,), prevalence=False, lower=True),
    "ppv": _share("Positive predictive value", (TP,), (FP,)),
    "npv": _share("Negative predictive value", (TN,), (FN,)),
    "lr_positive": Formula("Positive likelihood ratio", _positive_ratio, RATIO, log=True, prevalence=False),
    "lr_negative": Formula(
        "Negative likelihood ratio", _negative_ratio, RATIO, log=True, lower=True, prevalence=False
    ),
    "diagnostic_odds_ratio": Formula("Diagnostic odds ratio", _odds_ratio, RATIO, log=True, prevalence=False),
    "accuracy": _share("Accuracy", (TP, TN), (FP, FN)),
    "balanced_accuracy": Formula("Balanced accuracy", _balanced_accuracy, prevalence=False),
    "f1": Formula("F1", _f_beta, share=((TP,), (FP, FN))),
    "fbeta": Formula("F-beta", _f_beta),
    "mcc": Formula("Matthews correlation", _mcc, SIGNED),
    "youden": Formula("Youden's index", _youden, SIGNED, prevalence=False),
    "kappa": Formula("Cohen's kappa", _kappa, SIGNED),
    "closest_corner": Formula(
        "Distance to the corner", _corner, (0.0, math.sqrt(2.0)), lower=True, prevalence=False
    ),
    "lift": Formula("Lift", _lift, RATIO, log=True),
    "positive_rate": _share("Predicted-positive rate", (TP, FP), (FN, TN)),
    "number_needed_to_evaluate": Formula(
        "Number needed to evaluate", _needed, (1.0, math.inf), log=True, lower=True, share=((TP,), (FP,))
    ),
}


SYNONYMS = {"precision": "ppv", "recall": "tpr", "sensitivity": "tpr", "specificity": "tnr", "j": "youden"}
"""Other names of metrics, for hints in errors."""

CRITERIA = ("youden", "balanced_accuracy", "accuracy", "f1", "fbeta", "mcc", "kappa", "closest_corner")
"""Metrics with a best threshold that is neither the lowest nor the highest."""


class Proportions(NamedTuple):
    """Independent proportions, and a metric as a function of them.

    Attributes
    ----------
    k, n : ndarray of shape (m, h)
        Successes and trials of each of the m proportions.
    of : callable
        Accepts proportions of shape (m, h).
    """

    k: FloatArray
    n: FloatArray
    of: Callable[[Any], Any]


@dataclass(frozen=True, eq=False)
class Metric(AtPlaces):
    """A metric of the confusion matrix at a threshold; cases with score >= threshold are predicted positive.

    Parameters
    ----------
    metric : str
        "tpr", "tnr", "fpr", "fnr", "ppv", "npv", "lr_positive", "lr_negative", "diagnostic_odds_ratio",
        "accuracy", "balanced_accuracy", "f1", "fbeta", "mcc", "youden", "kappa", "closest_corner" (distance
        of (FPR, TPR) from (0, 1)), "lift", "positive_rate" (of predictions) or "number_needed_to_evaluate"
        (1/PPV).
    threshold : float or array-like of shape (h,), optional
        Threshold that was not chosen on the table. Default: the best on the table, for "youden",
        "balanced_accuracy", "accuracy", "f1", "fbeta", "mcc", "kappa" and "closest_corner"; the estimate and
        its interval are then corrected for optimism, as in `best_threshold`.
    beta : float
        Weight of recall relative to precision, for "fbeta".
    sampling : {"full", "stratified"}, optional
        Sampling of all cases, so the prevalence is estimated, or of each class separately, so it is known.
        Default: "full", with `prior` "stratified".
    prior : float or (float, float), optional
        Prevalence in the target population: known, or (positives, cases) of another sample that estimates it
        (Mercaldo, Lau & Zhou 2007). Default: that of the table.
    chosen_by : Statistic, optional
        Statistic by which the given threshold was chosen on the table.

    Notes
    -----
    A ratio with denominator zero is infinite, and 0/0 is NaN, e.g. the PPV if no case is predicted positive.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.statistics import Metric
    >>> scores = Scores.from_counts([3, 2, 1], pos=[30, 15, 5], neg=[2, 18, 80])
    >>> round(Metric("ppv", threshold=2).value(scores), 4)
    0.6923

    PPV and NPV where 10% are positive:

    >>> [round(Metric(name, threshold=2, prior=0.1).value(scores), 4) for name in ("ppv", "npv")]
    [0.3333, 0.9863]
    """

    metric: str
    threshold: ArrayLike | None = None
    beta: float = 1.0
    sampling: Sampling | None = None
    prior: Prior | None = None
    chosen_by: Any = None

    name: ClassVar[str] = "metric"
    title: ClassVar[str] = "Metric of the confusion matrix at a threshold"
    given: ClassVar[str] = "threshold"
    default_method: ClassVar[str] = "mid_p"
    default_difference: ClassVar[str] = "newcombe"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("metric", self.metric, tuple(METRICS), SYNONYMS)
        if self.threshold is None and self.metric not in CRITERIA:
            rule = f"be given for {self.metric!r}, which has no best one"
            raise ArgumentError("threshold", rule, None, "E.g. Metric('ppv', threshold=0.5).")
        if not 0.0 < check_number("beta", self.beta) < math.inf:
            raise ArgumentError("beta", "be positive and finite", self.beta, "Use 1 for F1.")
        object.__setattr__(self, "sampling", read_prior(self.prior, self.sampling)[1])

    @functools.cached_property
    def places(self) -> FloatArray:
        """The thresholds, in an array of shape (h,); NaN for the best one of a table."""
        return (
            check_threshold("threshold", self.threshold) if self.threshold is not None else np.full(1, np.nan)
        )

    @property
    def at(self) -> tuple[str, FloatArray] | None:
        """Name and values of the abscissae; None for one threshold."""
        return None if self.is_number else super().at

    @property
    def label(self) -> str:
        """Name in results."""
        return f"fbeta[beta={self.beta:g}]" if self.metric == "fbeta" else self.metric

    @property
    def formula(self) -> Formula:
        """Definition of the metric."""
        found = METRICS[self.metric]
        of = functools.partial(_f_beta, beta=self.beta)
        return found._replace(of=of) if self.metric == "fbeta" else found

    @property
    def bounds(self) -> tuple[float, float]:
        """Minimum and maximum of the value."""
        return self.formula.bounds

    @property
    def lower_is_better(self) -> bool:  # type: ignore[override]
        """Whether smaller values are better."""
        return self.formula.lower

    @property
    def uncertain(self) -> bool:
        """Whether the value depends on a prevalence estimated from other cases."""
        stated = self.prior is not None and stated_prevalence(self.prior).uncertain
        return stated and self.formula.prevalence

    @property
    def regular(self) -> bool:  # type: ignore[override]
        """Whether the influence of the cases of the table contains all uncertainty."""
        return not self.uncertain

    @property
    def together(self) -> bool:
        """Whether class sizes, and therefore the value, vary."""
        return self.sampling == "full" and self.formula.prevalence

    def prevalence(self, table: Scores) -> Prevalence:
        """Return the prevalence in the target population."""
        return Prevalence(share_of([table])) if self.prior is None else stated_prevalence(self.prior)

    def criterion(self, table: Scores) -> Criterion:
        """Return the loss that the best threshold minimizes: the metric or its negative."""
        share, sign = self.prevalence(table).value, 1.0 if self.formula.lower else -1.0
        return Criterion(lambda tpr, fpr: sign * self.of_rates(share, tpr, fpr))

    def settled(self, table: Scores, tables: Sequence[Scores] = ()) -> Metric:  # noqa: ARG002
        """Return the metric with its threshold fixed to that of the table."""
        if self.threshold is not None:
            return self
        return replace(self, threshold=float(self.criterion(table).thresholds(table)[0]), chosen_by=self)

    def optimism(self, table: Scores) -> Any:
        """Return the optimism of the value if the threshold was chosen on the table; NaN if unknown."""
        if self.chosen_by is None:
            return 0.0
        share, sign = self.prevalence(table).value, 1.0 if self.formula.lower else -1.0
        own = getattr(self.chosen_by, "metric", None) == self.metric
        price = None if own else lambda tpr, fpr: sign * self.of_rates(share, tpr, fpr)
        found = sign * optimism_of(table, self.chosen_by.criterion(table), price) + 0.0
        return self.shaped(found)

    def along(self, table: Scores, thresholds: FloatArray) -> FloatArray:
        """Return the metric at each threshold."""
        return np.asarray(replace(self, threshold=thresholds).value(table))

    def counts(self, table: Scores) -> FloatArray:
        """Return the four counts at each threshold, shape (4, h)."""
        tp, fp = counts_at(table, self.settled(table).places)
        return np.array([tp, fp, table.n_pos - tp, table.n_neg - fp], dtype=np.float64)

    def cells(self, table: Scores, counts: FloatArray) -> FloatArray:
        """Return the counts, rescaled to the prevalence in the target population."""
        if self.prior is None:
            return counts
        share = self.prevalence(table).value
        return np.array([share, 1.0 - share] * 2)[:, None] * counts / (counts[:2] + counts[2:])[[0, 1, 0, 1]]

    def of_counts(self, table: Scores, counts: FloatArray) -> FloatArray:
        """Return the metric of counts at the thresholds, shape (h,)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.formula.of(*self.cells(table, counts)))

    def of_rates(self, share: Any, tpr: Any, fpr: Any) -> Any:
        """Return the metric of both rates at a prevalence."""
        rest = 1.0 - share
        return self.formula.of(share * tpr, rest * fpr, share * (1.0 - tpr), rest * (1.0 - fpr))

    def value(self, table: Scores) -> Any:
        """Return the metric, at each threshold."""
        return self.shaped(self.of_counts(table, self.counts(table)))

    def rounding(self, table: Scores) -> Ends:
        """Return bounds on the effect of rounded scores, below and above the value.

        Each rate is between its values on the worst and on the best curve.
        """
        here, extremes = self.value(table), [self.counts(t) for t in table.extremes]
        mixed = [np.stack([p[TP], q[FP], p[FN], q[TN]]) for p in extremes for q in extremes]
        values = np.array([self.of_counts(table, counts) for counts in mixed])
        moved = np.nan_to_num(here - values.min(axis=0)), np.nan_to_num(values.max(axis=0) - here)
        return self.shaped(moved[0]), self.shaped(moved[1])

    def resampled_value(self, table: Scores) -> Any:
        """Return the metric of a resample."""
        if self.uncertain:
            rule = "be a number if cases are resampled"
            raise ArgumentError("prior", rule, self.prior, "Give a number, or use the default method.")
        return self.value(table)

    def influence(self, table: Scores) -> tuple[FloatArray, FloatArray]:
        """Return the influence of each case, centered within classes or under full sampling over all."""
        if not self.is_number:
            rule = "be one number where the contributions of cases are needed"
            raise ArgumentError("threshold", rule, self.threshold, "Use one threshold at a time.")
        cells = self.cells(table, self.counts(table))
        slope = gradient(lambda c: self.formula.of(*c), cells)[:, 0]
        called = table.score >= self.settled(table).places
        sides = []
        for yes, no, count in ((TP, FN, table.pos), (FP, TN, table.neg)):
            values = (cells[yes] + cells[no]) * np.where(called, slope[yes], slope[no])
            sides.append(values - np.average(values, weights=count) * (self.sampling == "stratified"))
        return sides[0], sides[1]

    def proportions(self, table: Scores, counts: FloatArray) -> Proportions:
        """Return the independent proportions on which the metric depends.

        Under full sampling the proportion of some of the four cells is binomial, given their total.
        """
        tp, fp, fn, tn = counts
        of, share = self.formula.of, self.formula.share
        if share is not None and (self.sampling == "full" or not self.formula.prevalence):
            (win, *_), (loss, *_) = share

            def of_share(p: Any) -> Any:
                cells = np.zeros((4, *p.shape[1:]), dtype=p.dtype)
                cells[win], cells[loss] = p[0], 1.0 - p[0]
                return of(*cells)

            wins, losses = (counts[list(cells)].sum(axis=0) for cells in share)
            return Proportions(wins[None], (wins + losses)[None], of_share)
        known = self.prevalence(table)
        k, n = [tp, fp], [tp + fn, fp + tn]
        if self.formula.prevalence and self.sampling == "full":
            k, n = [*k, tp + fn], [*n, counts.sum(axis=0)]
        elif self.uncertain:
            k, n = [*k, np.full_like(tp, known.positives)], [*n, np.full_like(tp, known.cases)]

        def of_rates(p: Any) -> Any:
            return self.of_rates(p[2] if len(p) > 2 else known.value, p[0], p[1])

        return Proportions(np.array(k), np.array(n), of_rates)


def gradient(function: Callable[[Any], Any], at: FloatArray) -> FloatArray:
    """Return the derivatives of a function of m numbers at h places; NaN where they are not finite.

    Parameters
    ----------
    function : callable
        Accepts arrays of shape (m, h), complex ones too, and returns one of shape (h,).
    at : ndarray of shape (m, h)
    """
    steps = STEP * 1j * np.eye(len(at))[:, :, None]
    with np.errstate(all="ignore"):
        found = np.array([np.imag(function(at + step)) for step in steps]) / STEP
        return np.where(np.isfinite(function(at)), found, np.nan)
