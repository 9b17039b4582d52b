"""The best threshold by a criterion, its confidence set, and the value of the criterion.

The value is optimistic if the threshold is chosen and evaluated on the same cases. Cross-validation estimates
the optimism, by which the value and one limit of its interval are corrected.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from confroc._check import ArgumentError, check_choice, check_jobs, check_level, check_omitted, make_rng
from confroc._types import RNG, BoolArray, FloatArray, Sampling
from confroc.base import Method
from confroc.cost import methods
from confroc.cost.threshold_set import ThresholdSet, threshold_set
from confroc.cost.thresholds import Source, check_like
from confroc.inference import Inferred, fields_of, infer, interval_of, one
from confroc.points.attained import threshold_at
from confroc.points.confusion_methods import MidPMetric
from confroc.resample import N_BAND_RESAMPLES, check_resamples
from confroc.results import Interval, Result
from confroc.scores import Scores, accepts_one_model, check_scores
from confroc.statistics.cheapest import Criterion, candidates, score_of_rows
from confroc.statistics.cost import AtThresholds, CostPerCase, NetBenefit
from confroc.statistics.metrics import SYNONYMS, Metric
from confroc.statistics.prevalence import KNOWN_PREVALENCE, Prior, check_share, share_in_use

NOT_CHEAPER = (
    "Not significantly cheaper than without a model (all cases predicted positive, or all negative)."
)
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
    """A criterion as a function of the threshold, in decreasing order of thresholds.

    Attributes
    ----------
    threshold : ndarray of shape (h,)
        Observed scores, and inf, at which no case is predicted positive.
    estimate : ndarray of shape (h,)
        The criterion in the sample on which the threshold was chosen.
    may_be_best : ndarray of shape (h,)
        Whether the threshold is statistically indistinguishable from the best.
    """

    quantity: str
    threshold: FloatArray
    estimate: FloatArray
    may_be_best: BoolArray


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class BestThreshold(Interval):
    """A threshold, and the value of a criterion there, corrected for optimism.

    Attributes
    ----------
    threshold : float
        Cases with at least this score are predicted positive.
    threshold_lower, threshold_upper : float
        Ends of the confidence set of the best threshold; NaN for a given threshold. With more than 2,000
        distinct scores it is computed from about 2,000 thresholds, at even steps in each class and closer
        near the best one.
    threshold_source : {"given", "validation", "same_sample"}
    optimism : float
        Correction added to the value in the sample. 0 if the threshold was not chosen on the sample, and NaN
        if a class has a single case, where the value is not corrected.
    sampling : {"full", "stratified"}, optional
        Whether the prevalence is estimated from the sample ("full") or known ("stratified"), if the criterion
        depends on it.
    trivial : float, optional
        Cost per case of the better classifier that ignores the scores, for criterion "cost".
    fpr, tpr : Interval, optional
        Both rates at the threshold, corrected for optimism.
    curve : ThresholdCurve, optional
        The criterion as a function of the threshold; not part of `to_dict` and `to_frame`.
    estimate, lower, upper, standard_error, ...
        As in `Interval`, of the criterion.

    See Also
    --------
    best_threshold, expected_cost : Return this class.
    """

    _sparse = True
    _printed: ClassVar[Mapping[str, str]] = {"trivial": "cost_without_model"}
    threshold_source: Source
    optimism: float
    sampling: Sampling | None = None
    trivial: float | None = None
    fpr: Interval | None = None
    tpr: Interval | None = None
    curve: ThresholdCurve | None = None

    @property
    def cheaper(self) -> bool | None:
        """Whether the cost is significantly lower than without a model; None for other criteria."""
        return None if self.trivial is None else self.upper < self.trivial

    @property
    def apparent(self) -> float:
        """Value in the sample, not corrected for optimism."""
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

    def _sentence(self) -> str:
        return super()._sentence() + ("" if self.trivial is None else f"; without a model {self.trivial:.4f}")

    def _origin(self) -> str:
        moved = f"; corrected by {self.optimism:+.4f} for optimism" if abs(self.optimism) > 0.0 else ""
        prevalence = {"full": ", prevalence estimated", "stratified": ", prevalence known", None: ""}
        return f"{super()._origin()}{prevalence[self.sampling]}{moved}"


class MaxTpr(NamedTuple):
    """Maximum TPR with an FPR of at most `max_fpr`."""

    max_fpr: float

    def criterion(self, table: Scores) -> Criterion:  # noqa: ARG002
        """Return the loss that the best threshold minimizes."""
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
    """Best threshold by a criterion, with its confidence set, and the criterion and both rates there.

    Parameters
    ----------
    scores : Scores
    criterion : str
        cost : minimum cost per case; for equal unit costs, the error rate.
        youden, balanced_accuracy : maximum TPR − FPR; maximum mean of TPR and TNR, at the same threshold.
        accuracy, f1, fbeta, mcc, kappa : maximum of the metric (`Metric`).
        closest_corner : minimum distance of (FPR, TPR) from (0, 1).
        max_tpr : maximum TPR with an FPR of at most `max_fpr` in the sample.
        net_benefit : maximum net benefit at the threshold probability `risk`.
    false_negative, false_positive : float, optional
        Unit costs for "cost", in any currency. Default: 1.
    beta : float
        Weight of recall relative to precision, for "fbeta".
    risk, max_fpr : float
        In (0, 1), for "net_benefit" and "max_tpr".
    prior : float or (float, float), optional
        Prevalence in the target population: known, or (positives, cases) of another sample that estimates it.
        Default: estimated from `scores`.
    validation : Scores, optional
        Other cases on which to choose the threshold, which is then evaluated on `scores`. Default: the
        threshold is chosen on `scores`, and the value is corrected for optimism.
    sampling : {"full", "stratified"}, optional
        As in `confusion_at_threshold`: prevalence estimated from the sample, or known.
    confidence_level : float
        In (0, 1); of each interval and of the confidence set, separately.
    n_resamples, rng, n_jobs
        Of the bootstrap for the confidence set: number of resamples (default: 999, or as many as the level
        requires), generator or seed, threads.

    Returns
    -------
    BestThreshold
        `threshold` is an observed score, or inf, at which no case is predicted positive; the highest of
        several best ones. It is equivariant under increasing transformations of the scores.
        `threshold_lower` and `threshold_upper` are the ends of the confidence set. `estimate`, `lower` and
        `upper` are the criterion at `threshold`, corrected for optimism; `apparent` is its value in the
        sample.

    Raises
    ------
    ValueError
        Unknown criterion; an argument of another criterion; a missing `beta`, `risk` or `max_fpr`;
        `validation` with the same cases.

    See Also
    --------
    threshold_at : Threshold for a target rate or precision.
    expected_cost : Cost with other interval methods, or at a given threshold; cost of trivial classifiers.
    confusion_at_threshold : All metrics at a threshold chosen on other cases.
    confroc.statistics.Metric : A metric at its best threshold, for `difference` and `comparison` of models.

    Notes
    -----
    Optimism: thresholds chosen on nine of ten folds are applied to the tenth, and the rates of all ten folds
    give the criterion (Forman & Scholz 2010). The optimism is its mean over 20 random partitions (down to 5
    beyond 25,000 cases) minus the apparent value. No correction improves the criterion or a rate.
    The interval is the mid-P interval at the threshold, extended to allow for any bias between zero and the
    optimism (Imbens & Manski 2004). Guarantee: asymptotic. Both rates, and the TPR of "max_tpr", are
    corrected by their mean difference between the fold left out and the other nine at the same threshold.

    There is no `method`, because mid-P is the only one that exists for every criterion and for both rates.
    Others have the same estimate and correction: `expected_cost(scores, method="wald", ...)` for costs,
    `interval(scores, Metric("f1"), method="wilson")` for metrics.

    Confidence set: all thresholds at which the criterion is not significantly worse than at the chosen one.
    The difference, after adding ½ to each cell of each class's table, is less than c standard errors from
    influence values, where c is the bootstrap quantile of the largest studentized error over all thresholds.
    The set contains the best threshold of the population at the confidence level (guarantee: bootstrap),
    given the prevalence. Each cluster counts as one case. For "max_tpr" it is the distribution-free interval
    of `threshold_at` (guarantee: finite-sample).

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
    >>> y_true = [0] * 100 + [1] * 100
    >>> y_score = [*range(100), *range(50, 150)]
    >>> print(best_threshold(y_true, y_score, false_negative=5, false_positive=1, rng=1))
    cost per case (false negative 5, false positive 1) 0.2755 (95% CI 0.2001 to 0.3523;
      mid_p, prevalence estimated; corrected by +0.0255 for optimism) at threshold 50 (38 to 57);
      without a model 0.5000
    >>> scores = Scores.from_counts([4, 3, 2, 1], pos=[60, 25, 10, 5], neg=[2, 8, 30, 60])
    >>> print(best_threshold(scores, criterion="youden", rng=1))
    youden 0.7500 (95% CI 0.6458 to 0.8303; mid_p) at threshold 3 (3 to 3)
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
    found = infer(one(scores, placed_there), method, level)
    trivial = statistic.trivial(scores) if criterion == "cost" else None
    return BestThreshold(
        **fields_at(found, level, statistic, source, prior, trivial),
        **set_of(chosen_on, placed_there, rule, level, *resampling, max_fpr),
        **rates,
        quantity=statistic.quantity if isinstance(statistic, CostPerCase) else statistic.label,
        threshold=threshold,
    )


def _criterion(
    scores: Scores,
    criterion: str,
    given: Mapping[str, Any],
    prior: Prior | None,
    sampling: Sampling | None,
) -> Any:
    """Return the statistic of a criterion, without a threshold."""
    check_choice("criterion", criterion, get_args(By), SYNONYMS)
    own = OPTIONS.get(criterion, ())
    others = {name: value for name, value in given.items() if name not in own}
    check_omitted(f"with criterion {criterion!r}", "Omit it.", **others)
    for name in own if criterion != "cost" else ():
        if given[name] is None:
            rule = f"be given with criterion {criterion!r}"
            raise ArgumentError(name, rule, None, f"Give it, e.g. `{name}={1 if name == 'beta' else 0.1}`.")
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
    """Return the ends of the confidence set of the best threshold, and the criterion along all thresholds."""
    if max_fpr is None:
        found = threshold_set(scores, criterion, level, n_resamples, rng, n_jobs)
    else:
        # The population's best threshold has an FPR of exactly `max_fpr`.
        known = threshold_at(scores, fpr=max_fpr, confidence_level=level).threshold
        at = score_of_rows(scores, candidates(scores, criterion.rows(scores)))
        found = ThresholdSet(at, (at >= known.lower[0]) & (at <= known.upper[0]))
    curve = ThresholdCurve(
        quantity=statistic.label,
        threshold=found.threshold,
        estimate=statistic.along(scores, found.threshold),
        may_be_best=found.may_be_best,
    )
    return {"threshold_lower": found.ends[0], "threshold_upper": found.ends[1], "curve": curve}


def fields_at(
    found: Inferred,
    level: float,
    statistic: Any,
    source: Source,
    prior: Prior | None,
    trivial: float | None = None,
) -> dict[str, Any]:
    """Return the fields that results of costs and of criteria share."""
    fields = fields_of(
        found, level, *((NOT_CHEAPER,) if trivial is not None and found.upper >= trivial else ())
    )
    depends = not isinstance(statistic, Metric) or statistic.formula.prevalence
    if isinstance(statistic, AtThresholds):
        notes = statistic.share().notes
        notes += (KNOWN_PREVALENCE,) if prior is None and statistic.sampling == "stratified" else ()
        fields["notes"] += notes
    return fields | {
        "standard_error": found.standard_error,
        "sampling": statistic.sampling if depends else None,
        "threshold_source": source,
        "optimism": found.optimism,
        "trivial": trivial,
    }
