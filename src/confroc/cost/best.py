"""The best threshold by a criterion, the thresholds that may be the best, and the criterion to expect there.

The best of many noisy values is too good. Where the threshold is chosen and evaluated on the same cases,
cross-validation measures by how much, and the value and the end of its interval are moved by that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from confroc._check import ArgumentError, check_choice, check_jobs, check_level, make_rng
from confroc._types import RNG, BoolArray, FloatArray, Sampling
from confroc.base import Method
from confroc.cost import methods
from confroc.cost.threshold_set import SPREAD, ThresholdSet, threshold_set
from confroc.cost.thresholds import Source, check_like
from confroc.inference import Inferred, fields_of, infer, interval_of, one
from confroc.points.attained import threshold_at
from confroc.points.confusion_methods import MidPMetric
from confroc.resample import N_BAND_RESAMPLES, check_resamples
from confroc.results import Interval, Result
from confroc.scores import Scores, accepts_one_model, check_scores
from confroc.statistics.cheapest import Criterion, candidates, score_of_rows
from confroc.statistics.cost import AtThresholds, CostPerCase, NetBenefit
from confroc.statistics.metrics import Metric
from confroc.statistics.prevalence import KNOWN_PREVALENCE, Prior, check_share, share_in_use

OPTIONS = {
    "cost": ("false_negative", "false_positive"),
    "net_benefit": ("risk",),
    "fbeta": ("beta",),
    "max_tpr": ("max_fpr",),
}
"""Arguments of `best_threshold` by criterion."""

By: TypeAlias = Literal[
    "cost",
    "youden",
    "balanced_accuracy",
    "accuracy",
    "f1",
    "fbeta",
    "mcc",
    "kappa",
    "closest_corner",
    "max_tpr",
    "net_benefit",
]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ThresholdCurve(Result):
    """A criterion along the thresholds that were compared, in decreasing order.

    Attributes
    ----------
    threshold : ndarray of shape (h,)
        Observed scores, and inf, at which no case is called positive.
    estimate : ndarray of shape (h,)
        The criterion on the cases on which the threshold was chosen.
    may_be_best : ndarray of shape (h,)
        Whether the threshold is statistically indistinguishable from the best.
    """

    quantity: str
    threshold: FloatArray
    estimate: FloatArray
    may_be_best: BoolArray


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class BestThreshold(Interval):
    """A threshold and the value of a criterion there, corrected where the threshold was chosen on the sample.

    Attributes
    ----------
    threshold : float
        Score at or above which a case is called positive.
    threshold_lower, threshold_upper : float
        The lowest and the highest threshold that may be the best one: the confidence set's two ends. NaN when
        the threshold was given. Of more than 2,000 distinct scores the best and 500 evenly spread over the
        cases are compared.
    threshold_source : {"given", "validation", "same_sample"}
    optimism : float
        What was added to the value on the sample because the threshold was chosen on it; 0 when it was not,
        NaN when a class is a single case, which leaves the value optimistic.
    sampling : {"full", "stratified"}
        Whether the share of positives is estimated from the sample ("full") or given.
    fpr, tpr : Interval, optional
        Both rates at the threshold on new cases; corrected for the choice as the value is.
    curve : ThresholdCurve, optional
        The criterion along the thresholds. It is left out of `to_dict` and `to_frame`, and has its own.
    estimate, lower, upper, standard_error, ...
        As in `Interval`, of the criterion.

    See Also
    --------
    best_threshold, expected_cost : Make one.
    """

    _sparse = True
    threshold_source: Source
    optimism: float
    sampling: Sampling
    fpr: Interval | None = None
    tpr: Interval | None = None
    curve: ThresholdCurve | None = None

    @property
    def apparent(self) -> float:
        """The value on the sample, not corrected for optimism."""
        return self.estimate - (0.0 if math.isnan(self.optimism) else self.optimism)

    def _parts(self) -> dict[str, Any]:
        return {name: value for name, value in super()._parts().items() if name != "curve"}

    def _columns(self) -> Mapping[str, Any]:
        columns: dict[str, Any] = {}
        for name, value in super()._columns().items():
            if isinstance(value[0], Interval):
                ends = {f"{name}_{end}": [getattr(value[0], end)] for end in ("lower", "upper")}
                columns |= {name: [value[0].estimate], **ends}
            else:
                columns[name] = value
        return columns

    def _claims(self) -> list[str]:
        return [*super()._claims(), "optimism: correction of the estimate"]

    def _origin(self) -> str:
        chosen = f"; optimism {self.optimism:+.4f}" if abs(self.optimism) > 0.0 else ""
        return f"{super()._origin()}{chosen}"


class MaxTpr(NamedTuple):
    """The greatest TPR with an FPR of at most so much."""

    max_fpr: float

    def criterion(self, table: Scores) -> Criterion:  # noqa: ARG002
        """Return what the best threshold minimizes."""
        most = self.max_fpr + 1e-12
        return Criterion(lambda tpr, fpr: np.where(fpr <= most, -tpr, np.inf))


@accepts_one_model
def best_threshold(
    scores: Scores,
    /,
    *,
    criterion: By = "cost",
    false_negative: float | None = None,
    false_positive: float | None = None,
    beta: float | None = None,
    risk: float | None = None,
    max_fpr: float | None = None,
    prior: Prior | None = None,
    validation: Scores | None = None,
    sampling: Sampling | None = None,
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: RNG = None,
    n_jobs: int = 1,
) -> BestThreshold:
    """Best threshold by a criterion, the thresholds that may be the best, and the criterion to expect there.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
    criterion : str
        cost : least cost per case; with equal unit costs the error rate.
        youden, balanced_accuracy : greatest TPR − FPR; greatest mean of TPR and TNR, at the same threshold.
        accuracy, f1, fbeta, mcc, kappa : greatest value of the metric (`Metric`).
        closest_corner : least distance of (FPR, TPR) from (0, 1).
        max_tpr : greatest TPR with an FPR of at most `max_fpr` on the sample.
        net_benefit : greatest net benefit at the threshold probability `risk`.
    false_negative, false_positive : float, optional
        Unit costs of "cost", in any currency. Default: 1.
    beta : float
        Of "fbeta": recall counts `beta` times as much as precision.
    risk, max_fpr : float
        Of "net_benefit" and "max_tpr", strictly between 0 and 1.
    prior : float or (float, float), optional
        Prevalence in use: known, or so many positives of so many cases seen elsewhere. Default: the sample's.
    validation : Scores, optional
        Other cases on which the threshold is chosen; its value is then measured on `scores`, without
        optimism. Default: it is chosen on `scores` itself, and its value is corrected for that.
    sampling : {"full", "stratified"}, optional
        As in `confusion_at_threshold`: whether the prevalence is the sample's and as uncertain, or known.
    confidence_level : float
        In (0, 1); of each interval, and of the set of thresholds, by itself.
    n_resamples, rng, n_jobs
        For the set of thresholds: number of resamples (default: 999, or as many as the level needs),
        generator or seed, threads.

    Returns
    -------
    BestThreshold
        `threshold` is an observed score, or inf, which calls no case positive; of thresholds of equal value
        the highest. It moves with the scores under increasing transformations. `threshold_lower` and
        `threshold_upper` are the ends of the set. `estimate`, `lower` and `upper` are the criterion on new
        cases at `threshold`; `apparent` is its value on the sample. `fpr` and `tpr` are both rates there.

    Raises
    ------
    ValueError
        Unknown criterion; an argument of another criterion; a missing `beta`, `risk` or `max_fpr`;
        `validation` of the same cases.

    See Also
    --------
    threshold_at : The threshold for a wanted false or true positive rate.
    expected_cost : The cost with other interval methods, at a threshold given, and next to trivial rules.
    confusion_at_threshold : All metrics at a threshold chosen on other cases.
    confroc.statistics.Metric : A metric at its best threshold, for `difference` and `comparison` of models.

    Notes
    -----
    Optimism: thresholds chosen on nine of ten folds are applied to the tenth; the rates of all ten folds
    together give the criterion (Forman & Scholz 2010), whose mean over 20 deals (down to 5 beyond 25,000
    cases), less the apparent value, is the optimism; it never improves the criterion. The interval is the
    mid-P interval at the threshold, which allows for a bias anywhere between none and the optimism (Imbens &
    Manski 2004). Guarantee: asymptotic. Both rates, and the TPR of "max_tpr", are corrected by how much they
    differ between the fold left out and the nine others at the same threshold.

    Set of thresholds: all whose criterion is not significantly worse than at the chosen one, on the same
    cases. The difference, with ½ added to each cell of each class's table, is within c standard errors by
    influence, where c is the bootstrap quantile of the largest studentized error over all thresholds. The set
    contains the population's best threshold with the stated confidence (guarantee: bootstrap), for a
    prevalence that is fixed. Each cluster counts as one case. With "max_tpr" it is the distribution-free
    interval of `threshold_at` (guarantee: finite-sample).

    References
    ----------
    Youden WJ (1950). Index for rating diagnostic tests. Cancer 3, 32–35.
    Perkins NJ, Schisterman EF (2006). The inconsistency of "optimal" cutpoints obtained using two criteria
    based on the receiver operating characteristic curve. American Journal of Epidemiology 163, 670–675.
    Forman G, Scholz M (2010). Apples-to-apples in cross-validation studies. SIGKDD Explorations 12, 49–57.
    Imbens GW, Manski CF (2004). Confidence intervals for partially identified parameters. Econometrica 72,
    1845–1857.

    Examples
    --------
    >>> from confroc import Scores, best_threshold
    >>> scores = Scores.from_counts([4, 3, 2, 1], pos=[60, 25, 10, 5], neg=[2, 8, 30, 60])
    >>> print(best_threshold(scores, criterion="youden", rng=1))
    youden 0.7500 (95 % interval 0.6458 to 0.8303; mid_p) at threshold 3 (3 to 3)
    """
    check_scores("scores", scores, widens=True, dependent=True)
    generator, level = make_rng(rng), check_level(confidence_level)
    resampling = check_resamples(n_resamples, level, N_BAND_RESAMPLES), generator, check_jobs(n_jobs)
    given = {
        "false_negative": false_negative,
        "false_positive": false_positive,
        "beta": beta,
        "risk": risk,
        "max_fpr": max_fpr,
    }
    statistic = _criterion(scores, criterion, given, prior, sampling)
    chosen_on: Any = scores if validation is None else check_like(scores, validation)
    source: Source = "same_sample" if validation is None else "validation"
    by: Any = statistic if max_fpr is None else MaxTpr(max_fpr)
    rule = by.criterion(chosen_on)
    threshold, by = float(rule.thresholds(chosen_on)[0]), by if validation is None else None
    if isinstance(statistic, Metric):
        placed_there: Any = replace(statistic, threshold=threshold, chosen_by=by)
        method: Method = MidPMetric()
    else:
        placed_there = replace(statistic, threshold=threshold, same_sample=by is not None)
        method = methods.MidPCost()
    rates: dict[str, Any] = {}
    for name in ("fpr", "tpr"):
        rate = Metric(name, threshold, chosen_by=by)
        rates[name] = interval_of(infer(one(scores, rate), MidPMetric(), level), rate, level)
    return BestThreshold(
        **fields_at(infer(one(scores, placed_there), method, level), level, statistic, source, prior),
        **set_of(chosen_on, placed_there, rule, level, *resampling, max_fpr),
        **rates,
        quantity="cost per case" if criterion == "cost" else statistic.label,
        threshold=threshold,
    )


def _criterion(
    scores: Scores,
    criterion: str,
    given: Mapping[str, Any],
    prior: Prior | None,
    sampling: Sampling | None,
) -> Any:
    """Return the statistic that the best threshold makes best, without a threshold."""
    check_choice("criterion", criterion, get_args(By))
    own = OPTIONS.get(criterion, ())
    for name, value in given.items():
        if value is not None and name not in own:
            rule = f"be left out with criterion {criterion!r}"
            raise ArgumentError(name, rule, value, f"Leave out `{name}`.")
        if value is None and name in own and criterion != "cost":
            rule = f"be given with criterion {criterion!r}"
            raise ArgumentError(name, rule, None, f"E.g. `{name}={1 if name == 'beta' else 0.1}`.")
    if criterion == "max_tpr":
        check_share("max_fpr", given["max_fpr"])
        return Metric("tpr", math.inf, sampling=sampling, prior=prior)
    if criterion not in ("cost", "net_benefit"):
        beta = given["beta"] if criterion == "fbeta" else 1.0
        return Metric(criterion, beta=beta, sampling=sampling, prior=prior)
    share, sampling = share_in_use(scores, prior, sampling)
    if criterion == "net_benefit":
        return NetBenefit(risk=given["risk"], sampling=sampling, prevalence=share)
    miss, alarm = (1.0 if given[name] is None else given[name] for name in own)
    return CostPerCase(false_negative=miss, false_positive=alarm, sampling=sampling, prevalence=share)


def set_of(
    scores: Scores,
    statistic: Any,
    criterion: Criterion,
    level: float,
    n_resamples: int,
    rng: np.random.Generator,
    n_jobs: int,
    max_fpr: float | None = None,
) -> dict[str, Any]:
    """Return the ends of the set of thresholds that may be the best on the table, and the curve along all."""
    if max_fpr is None:
        found = threshold_set(scores, criterion, level, n_resamples, rng, n_jobs)
    else:
        # The best threshold has an FPR of exactly `max_fpr`.
        known = threshold_at(scores, fpr=max_fpr, confidence_level=level).threshold
        at = score_of_rows(scores, candidates(scores, criterion.rows(scores), SPREAD))
        found = ThresholdSet(at, (at >= known.lower[0]) & (at <= known.upper[0]))
    curve = ThresholdCurve(
        quantity=statistic.label,
        threshold=found.threshold,
        estimate=statistic.along(scores, found.threshold),
        may_be_best=found.may_be_best,
    )
    return {"threshold_lower": found.ends[0], "threshold_upper": found.ends[1], "curve": curve}


def fields_at(
    found: Inferred, level: float, statistic: Any, source: Source, prior: Prior | None
) -> dict[str, Any]:
    """Return what results of costs and of criteria at thresholds share."""
    fields = fields_of(found, level)
    if isinstance(statistic, AtThresholds):
        notes = statistic.share().notes
        notes += (KNOWN_PREVALENCE,) if prior is None and statistic.sampling == "stratified" else ()
        fields["notes"] += notes
    return fields | {
        "standard_error": found.standard_error,
        "sampling": statistic.sampling,
        "threshold_source": source,
        "optimism": found.optimism,
    }
