"""The confusion matrix at a threshold, and every metric that is computed from it, with intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

# The general methods enter themselves into the register when their modules are imported.
from confroc import bootstrap, linear  # noqa: F401
from confroc._check import ArgumentTypeError, check_level
from confroc._options import ConfusionAtThresholdOptions
from confroc._types import Sampling
from confroc.base import Method, family, lists_methods
from confroc.inference import infer, interval_of, one
from confroc.points import confusion_methods as methods
from confroc.results import Interval, Result, notes_of, shown
from confroc.scores import Scores, accepts_one_model, check_scores
from confroc.scores.counting import counts_at
from confroc.statistics.metrics import METRICS, Metric
from confroc.statistics.prevalence import Prior

CONFUSION_AT_THRESHOLD = family(
    "confusion_at_threshold",
    "Metrics of the confusion matrix at a threshold",
    methods.INTERVAL,
    "mid_p",
    listed=True,
)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Confusion(Result):
    """The confusion matrix at a threshold, and metrics with their intervals.

    Attributes
    ----------
    threshold : float
    tp, fp, fn, tn : float
        True positives, false positives, false negatives and true negatives; sums of weights if cases have
        some.
    tpr, tnr, fpr, fnr : Interval
        True positive rate (recall, sensitivity), true negative rate (specificity), and their complements.
    ppv, npv : Interval
        Positive predictive value (precision) and negative predictive value.
    lr_positive, lr_negative, diagnostic_odds_ratio : Interval
        Likelihood ratios TPR/FPR and FNR/TNR, and the one over the other.
    accuracy, balanced_accuracy, f1, mcc, youden, kappa : Interval
        Balanced accuracy is the mean of TPR and TNR, Youden's index TPR − FPR, MCC Matthews's correlation.
    lift : Interval
        PPV over the prevalence.
    positive_rate : Interval
        Share of the cases called positive.
    number_needed_to_evaluate : Interval
        Cases called positive for each true positive, 1/PPV.

    See Also
    --------
    confusion_at_threshold : Makes one.
    """

    threshold: float
    tp: float
    fp: float
    fn: float
    tn: float
    tpr: Interval
    tnr: Interval
    fpr: Interval
    fnr: Interval
    ppv: Interval
    npv: Interval
    lr_positive: Interval
    lr_negative: Interval
    diagnostic_odds_ratio: Interval
    accuracy: Interval
    balanced_accuracy: Interval
    f1: Interval
    mcc: Interval
    youden: Interval
    kappa: Interval
    lift: Interval
    positive_rate: Interval
    number_needed_to_evaluate: Interval

    def _intervals(self) -> list[Interval]:
        return [value for value in vars(self).values() if isinstance(value, Interval)]

    def _columns(self) -> Mapping[str, Any]:
        found = self._intervals()
        ends = {name: [getattr(i, name) for i in found] for name in ("estimate", "lower", "upper")}
        return {"metric": [i.quantity for i in found], **ends}

    def _heading(self) -> str:
        return f"Confusion at threshold {self.threshold:g}"

    def _claims(self) -> list[str]:
        counts = (f"{name.upper()} {shown.cell(getattr(self, name))}" for name in ("tp", "fp", "fn", "tn"))
        return [", ".join(counts), *self.tpr._claims()]

    def table(self, heading: str | None = None, *, most: int | None = None) -> shown.Table:
        """Return what is printed: all metrics."""
        return super().table(heading, most=most)._replace(notes=notes_of(*self._intervals()))


@accepts_one_model
@lists_methods(CONFUSION_AT_THRESHOLD)
def confusion_at_threshold(
    scores: Scores,
    /,
    *,
    threshold: float,
    prior: Prior | None = None,
    sampling: Sampling | None = None,
    method: str | Method = "mid_p",
    confidence_level: float = 0.95,
    **options: Unpack[ConfusionAtThresholdOptions],
) -> Confusion:
    """Confusion matrix at a threshold: PPV, NPV and other metrics with intervals, at any prevalence.

    Cases with score >= threshold are called positive. The threshold must have been chosen without looking at
    the sample.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
    threshold : float
        ±inf included. A case exactly at the threshold is called positive.
    prior : float or (float, float), optional
        Prevalence in use: known, or so many positives of so many cases seen elsewhere, whose uncertainty the
        intervals then include. Default: the sample's.
    sampling : {"full", "stratified"}, optional
        full : the prevalence is the sample's and as uncertain, as in a cohort; the default without `prior`.
        stratified : the prevalence is `prior`, or the sample's, taken as known, as in a case-control study;
            the default with `prior`.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1); of each interval by itself.
    {options}

    Returns
    -------
    Confusion
        An `Interval` a metric. 0/0 is NaN, e.g. the PPV where no case is called positive. For rounded scores
        intervals are widened by what the rounding can have changed.

    Raises
    ------
    ValueError
        NaN threshold, `prior` with sampling="full", unknown method, impossible level; an option that the
        method does not have.

    See Also
    --------
    confroc.statistics.Metric : One metric, at several thresholds, as a difference or a comparison.
    ratio : The ratio of two models' metrics.
    rates_at_threshold : Both rates, jointly.

    Notes
    -----
    Coverage of "mid_p" at 95 %, exact by enumeration of all tables of 20 + 20 and 15 + 50 cases (stratified)
    and of 40 and 50 cases (full), rates from .05 to .95: on average .951 to .968, at least .928. It is above
    .96 where a rate is near 0 or 1. The exception is kappa of 40 cases under full sampling, for models far
    worse than chance: .88 at TPR .05 and FPR .95, .92 at .1 and .95, .94 or more elsewhere.

    References
    ----------
    Simel DL, Samsa GP, Matchar DB (1991). Journal of Clinical Epidemiology 44, 763–770.
    Mercaldo ND, Lau KF, Zhou XH (2007). Statistics in Medicine 26, 2170–2183.

    Examples
    --------
    >>> from confroc import Scores, confusion_at_threshold
    >>> scores = Scores.from_counts([3, 2, 1], pos=[30, 15, 5], neg=[2, 18, 80])
    >>> found = confusion_at_threshold(scores, threshold=2)
    >>> found.tp, found.fp
    (45, 20)
    >>> print(found.ppv)
    ppv 0.6923 (95 % interval 0.5726 to 0.7952; mid_p)

    PPV and NPV where 10 % are positive:

    >>> in_use = confusion_at_threshold(scores, threshold=2, prior=0.1)
    >>> print(in_use.ppv)
    ppv 0.3333 (95 % interval 0.2548 to 0.4357; mid_p)
    >>> print(in_use.npv)
    npv 0.9863 (95 % interval 0.9717 to 0.9948; mid_p)
    """
    chosen = CONFUSION_AT_THRESHOLD.chosen(method, options, confusion_at_threshold)
    check_scores("scores", scores, widens=chosen.widens, dependent=True)
    level = check_level(confidence_level)
    if np.ndim(threshold):
        raise ArgumentTypeError("threshold", "be one number", threshold, "Use `interval` with a `Metric`.")
    names = [name for name in METRICS if name in Confusion.__dataclass_fields__]
    metrics = {name: Metric(name, threshold, sampling=sampling, prior=prior) for name in names}
    found: dict[str, Any] = {
        name: interval_of(infer(one(scores, metric), chosen, level), metric, level)
        for name, metric in metrics.items()
    }
    tp, fp = (above[0].item() for above in counts_at(scores, metrics["tpr"].places))
    return Confusion(
        threshold=float(threshold), tp=tp, fp=fp, fn=scores.n_pos - tp, tn=scores.n_neg - fp, **found
    )
