"""Confusion matrix at a threshold, and metrics computed from it, with intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack

# Imported to register the general methods.
from confroc import bootstrap, linear  # noqa: F401
from confroc._check import ArgumentTypeError, check_level, check_threshold
from confroc._options import ConfusionAtThresholdOptions
from confroc._types import Sampling
from confroc.base import Method, family, lists_methods
from confroc.inference import infer, interval_of, one
from confroc.points import confusion_methods as methods
from confroc.results import Interval, Result, notes_of, shown
from confroc.scores import Scores, accepts_one_model, check_scores
from confroc.scores.counting import counts_at
from confroc.statistics.metrics import METRICS, SYNONYMS, Metric
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
        True positives, false positives, false negatives and true negatives; sums of weights for weighted
        cases.
    tpr, tnr, fpr, fnr : Interval
        True positive rate (recall, sensitivity), true negative rate (specificity), and their complements.
    ppv, npv : Interval
        Positive predictive value (precision) and negative predictive value.
    lr_positive, lr_negative, diagnostic_odds_ratio : Interval
        Likelihood ratios TPR/FPR and FNR/TNR, and their ratio.
    accuracy, balanced_accuracy, f1, mcc, youden, kappa : Interval
        Balanced accuracy is the mean of TPR and TNR, Youden's index TPR − FPR, MCC Matthews's correlation.
    lift : Interval
        PPV divided by the prevalence.
    positive_rate : Interval
        Predicted-positive rate.
    number_needed_to_evaluate : Interval
        Predicted positives per true positive, 1/PPV.

    See Also
    --------
    confusion_at_threshold : Returns one.
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

    _synonyms = Result._synonyms | SYNONYMS

    def _intervals(self) -> list[Interval]:
        return [value for value in vars(self).values() if isinstance(value, Interval)]

    def _columns(self) -> Mapping[str, Any]:
        found = self._intervals()
        ends = {name: [getattr(i, name) for i in found] for name in ("estimate", "lower", "upper")}
        return {"metric": [i.quantity for i in found], **ends}

    def _heading(self) -> str:
        return f"Confusion matrix at threshold {self.threshold:g}"

    def _claims(self) -> list[str]:
        counts = (f"{name.upper()} {shown.cell(getattr(self, name))}" for name in ("tp", "fp", "fn", "tn"))
        *claims, _ = self.tpr._claims()
        found: dict[str, list[str]] = {}
        for interval in self._intervals():
            found.setdefault(interval.guarantee, []).append(interval.quantity)
        # A proportion can have a stronger guarantee than a function of several.
        parts = [f"{guarantee} for {', '.join(names)}" for guarantee, names in found.items()]
        guarantees = [*found] if len(found) == 1 else [*parts[:-1], f"otherwise {[*found][-1]}"]
        return [", ".join(counts), *claims, f"guarantee: {', '.join(guarantees)}"]

    def _interval_words(self) -> str:
        return self.tpr._interval_words()

    def _page(self, **rows: Any) -> shown.Table:
        table = super()._page(**rows)
        names = {n: f" ({shown.HEADS[n]})" if n in shown.HEADS else "" for n in table.columns["metric"]}
        metrics = [METRICS[name].title + short for name, short in names.items()]
        return table._replace(columns={**table.columns, "metric": metrics})

    def table(self, heading: str | None = None, *, most: int | None = None) -> shown.Table:
        """Return the table that is printed, with all metrics."""
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

    Cases with score >= threshold are predicted positive. The threshold must not be chosen on the sample.

    Parameters
    ----------
    scores : Scores
    threshold : float
        Threshold, possibly ±inf.
    prior : float or (float, float), optional
        Prevalence in the target population: known, or counts (positives, cases) from another sample, whose
        uncertainty is then included. Default: that of the sample.
    sampling : {"full", "stratified"}, optional
        full : the prevalence is estimated from the sample, as in a cohort; default without `prior`.
        stratified : the prevalence is `prior`, or that of the sample, treated as known, as in a case-control
            study; default with `prior`.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1), for each interval.
    {options}

    Returns
    -------
    Confusion
        One `Interval` per metric. 0/0 is NaN, e.g. the PPV if no case is predicted positive. For rounded
        scores intervals are widened by the bound on the effect of rounding.

    Raises
    ------
    ValueError
        NaN threshold, `prior` with sampling="full", unknown method, invalid level, or an option that the
        method does not have.

    See Also
    --------
    confroc.statistics.Metric : One metric, also at several thresholds, for differences and comparisons.
    ratio : The ratio of two models' metrics.
    rates_at_threshold : Both rates, each or jointly.

    Notes
    -----
    Coverage of "mid_p" at nominal 95%, by enumeration of all tables of 20 + 20 and 15 + 50 cases
    (stratified) and of 40 and 50 cases (full), with rates from .05 to .95: .951 to .968 on average, at least
    .928. It exceeds .96 for rates near 0 or 1. The exception is kappa for 40 cases under full sampling and
    models far worse than chance: .88 at TPR .05 and FPR .95, .92 at .1 and .95, .94 or more elsewhere.

    References
    ----------
    Simel DL, Samsa GP, Matchar DB (1991). Journal of Clinical Epidemiology 44, 763–770.
    Mercaldo ND, Lau KF, Zhou XH (2007). Statistics in Medicine 26, 2170–2183.

    Examples
    --------
    >>> from confroc import Scores, confusion_at_threshold
    >>> y_true = [0] * 100 + [1] * 100
    >>> y_score = [*range(100), *range(50, 150)]
    >>> print(confusion_at_threshold(y_true, y_score, threshold=75).ppv)
    ppv 0.7500 (95% CI 0.6583 to 0.8274; mid_p)
    >>> scores = Scores.from_counts([3, 2, 1], pos=[30, 15, 5], neg=[2, 18, 80])
    >>> found = confusion_at_threshold(scores, threshold=2)
    >>> found.tp, found.fp
    (45, 20)
    >>> print(found.ppv)
    ppv 0.6923 (95% CI 0.5726 to 0.7952; mid_p)

    PPV and NPV where 10% are positive:

    >>> in_use = confusion_at_threshold(scores, threshold=2, prior=0.1)
    >>> print(in_use.ppv)
    ppv 0.3333 (95% CI 0.2548 to 0.4357; mid_p)
    >>> print(in_use.npv)
    npv 0.9863 (95% CI 0.9717 to 0.9948; mid_p)
    """
    chosen = CONFUSION_AT_THRESHOLD.chosen(method, options, confusion_at_threshold)
    check_scores("scores", scores, widens=chosen.widens, dependent=True)
    level = check_level(confidence_level)
    place, *others = check_threshold("threshold", threshold)
    if others:
        raise ArgumentTypeError("threshold", "be one number", threshold, "Use `interval` with a `Metric`.")
    names = [name for name in METRICS if name in Confusion.__dataclass_fields__]
    metrics = {name: Metric(name, place, sampling=sampling, prior=prior) for name in names}
    found: dict[str, Any] = {
        name: interval_of(infer(one(scores, metric), chosen, level), metric, level)
        for name, metric in metrics.items()
    }
    tp, fp = (above[0].item() for above in counts_at(scores, metrics["tpr"].places))
    return Confusion(
        threshold=float(place), tp=tp, fp=fp, fn=scores.n_pos - tp, tn=scores.n_neg - fp, **found
    )
