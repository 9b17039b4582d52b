"""Net benefit and decision curves.

Treatment at a risk of at least r implies that the harm of a false positive is r/(1 − r) times the benefit of
a true positive. Net benefit is the number of true positives minus the number of false positives times this
ratio, per case (Vickers & Elkin 2006). For a given prevalence π it is π minus the cost with unit costs 1 and
r/(1 − r).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import check_flag, check_level
from confroc._options import NetBenefitDifferenceOptions, NetBenefitOptions
from confroc._types import FloatArray, Sampling
from confroc.base import Method, family, lists_methods
from confroc.cost import methods
from confroc.cost.curve import C, CostCurve, curve_of
from confroc.cost.thresholds import contrast, given_thresholds, placed
from confroc.inference import infer, intervals_of
from confroc.results import Intervals
from confroc.scores import (
    Pair,
    Scores,
    accepts_one_model,
    accepts_two_models,
    check_pair,
    check_scores,
)
from confroc.statistics.cost import InterventionsAvoided, NetBenefit
from confroc.statistics.prevalence import KNOWN_PREVALENCE, Prior, check_share, share_in_use

NET_BENEFIT = family("net_benefit", "Net benefit", methods.ONE[2], "mid_p", papers=("vickers2006",))
NET_BENEFIT_DIFFERENCE = family(
    "net_benefit_difference",
    "Difference of two net benefits",
    methods.TWO[2],
    "agresti_min",
    papers=("vickers2006",),
)
STEPS = 100
"""Number of risk thresholds by default."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DecisionCurve(CostCurve):
    """Net benefit of one model at each risk threshold, with those of treating all and none.

    Attributes
    ----------
    treat_all : ndarray of shape (h,)
        Net benefit of treating all.
    treat_none : ndarray of shape (h,)
        Net benefit of treating none, 0.
    interventions_avoided : Intervals
        Net reduction in interventions per 100 patients, compared with treating all: the difference in net
        benefit, in units of false positives. At most 100; its `.plot()` draws the curve.
    at, estimate, lower, upper, threshold, ...
        As in `CostCurve`.
    """

    treat_all: FloatArray
    treat_none: FloatArray
    interventions_avoided: Intervals


def default_risks(prevalence: float, steps: int = STEPS) -> FloatArray:
    """Return evenly spaced risk thresholds up to about twice the prevalence, below 1.

    Tenths of the largest have one significant digit.
    """
    tenth = float(f"{prevalence / 5.0:.0e}")
    risks = np.array([float(f"{10.0 * tenth * i / steps:.6g}") for i in range(1, steps + 1)])
    return np.asarray(risks[risks < 1.0])


@accepts_one_model
@lists_methods(NET_BENEFIT)
def net_benefit(
    scores: Scores,
    /,
    *,
    risk: ArrayLike | None = None,
    threshold: ArrayLike | None = None,
    prior: Prior | None = None,
    sampling: Sampling | None = None,
    standardized: bool = False,
    method: str | Method = "mid_p",
    confidence_level: float = 0.95,
    **options: Unpack[NetBenefitOptions],
) -> DecisionCurve:
    """Net benefit of a model at each risk threshold, with pointwise intervals.

    NB = (TP − FP·r/(1 − r))/n at risk threshold r.

    Parameters
    ----------
    scores : Scores
    risk : float or array-like of shape (h,), optional
        Risk thresholds in (0, 1). Default: 100 evenly spaced ones up to about twice the prevalence.
    threshold : float or array-like of shape (h,), optional
        Score at or above which a case is treated. Default: the risk itself; the scores must then be
        probabilities.
    prior : float or (float, float), optional
        Prevalence in the target population, as in `expected_cost`: known, or (positives, cases) of another
        sample that estimates it. Default: estimated from `scores`.
    sampling : {"full", "stratified"}, optional
        full : the sample estimates the prevalence, as in a cohort study. The default without `prior`.
        stratified : the prevalence is known: `prior`, or that of the sample. For case-control studies; the
            default with `prior`.
    standardized : bool
        Divide by the prevalence, so a perfect model has 1. The prevalence must be known: the default of
        sampling is "stratified", and `prior` must be a number.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    DecisionCurve
        Per case, in units of one true positive; at most the prevalence. `.plot()` draws the decision curve.
        Widened for rounded scores as in `cost_curve`.

    Raises
    ------
    ValueError
        Risks outside (0, 1), scores that are not probabilities without `threshold`, `prior` with
        sampling="full", `standardized` with an estimated prevalence, unknown method, invalid level.

    See Also
    --------
    net_benefit_difference : Difference between two models.

    References
    ----------
    Vickers & Elkin 2006, "Decision curve analysis", Medical Decision Making 26; Kerr, Brown, Zhu & Janes 2016
    (`standardized`).

    Examples
    --------
    >>> from confroc import Scores, net_benefit
    >>> y_true = [0] * 100 + [1] * 100
    >>> y_score = [*range(100), *range(50, 150)]
    >>> print(net_benefit(y_true, [s / 150 for s in y_score], risk=[0.2, 0.4]))
    Decision curve: net_benefit
    risk  net_benefit   lower   upper  treat_all  treat_none
     0.2       0.4125  0.3303  0.4943     0.3750           0
     0.4       0.3167  0.2233  0.4068     0.1667           0
    95%; pointwise; method: mid_p; guarantee: asymptotic
    >>> scores = Scores.from_counts([0.8, 0.3, 0.1], pos=[30, 15, 5], neg=[10, 40, 100])
    >>> curve = net_benefit(scores, risk=[0.2, 0.5])
    >>> curve.estimate, curve.treat_all
    (array([0.1625, 0.1   ]), array([ 0.0625, -0.5   ]))
    >>> avoided = curve.interventions_avoided
    >>> avoided.estimate, avoided.lower.round(1), avoided.upper.round(1)
    (array([40., 60.]), array([25.4, 50. ]), array([50.3, 68.5]))
    """
    chosen = NET_BENEFIT.chosen(method, options, net_benefit)
    check_scores("scores", scores, widens=True, dependent=True)
    given = {"threshold": threshold}
    return _benefits(
        DecisionCurve, scores, chosen, confidence_level, risk, given, prior, sampling, standardized
    )


@accepts_two_models
@lists_methods(NET_BENEFIT_DIFFERENCE)
def net_benefit_difference(
    pair: Pair,
    /,
    *,
    risk: ArrayLike | None = None,
    threshold_a: ArrayLike | None = None,
    threshold_b: ArrayLike | None = None,
    prior: Prior | None = None,
    sampling: Sampling | None = None,
    standardized: bool = False,
    method: str | Method = "agresti_min",
    confidence_level: float = 0.95,
    **options: Unpack[NetBenefitDifferenceOptions],
) -> CostCurve:
    """Difference a − b between the net benefits of two models, with pointwise intervals.

    It is positive where model a is better.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    risk : float or array-like of shape (h,), optional
        Risk thresholds in (0, 1). Default: as in `net_benefit`.
    threshold_a, threshold_b : float or array-like of shape (h,), optional
        Scores at or above which a case is treated. Default: the risk itself.
    prior, sampling, standardized
        As in `net_benefit`. Without `prior` the prevalence of two samples is that of both together.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    CostCurve
        Per case, in units of one true positive. Multiplied by 100·(1 − risk)/risk it is the difference in
        interventions avoided per 100 patients.

    Raises
    ------
    ValueError
        As in `net_benefit`.

    See Also
    --------
    net_benefit : Net benefit of one model.

    References
    ----------
    Vickers & Elkin 2006, "Decision curve analysis", Medical Decision Making 26.

    Examples
    --------
    >>> from confroc import PairedScores, net_benefit_difference
    >>> pair = PairedScores([1, 0, 1, 0], [0.9, 0.2, 0.7, 0.4], [0.6, 0.7, 0.4, 0.1])
    >>> net_benefit_difference(pair, risk=0.5).estimate
    array([0.5])
    """
    chosen = NET_BENEFIT_DIFFERENCE.chosen(method, options, net_benefit_difference)
    check_pair("pair", pair, widens=True, dependent=True)
    given = {"threshold_a": threshold_a, "threshold_b": threshold_b}
    return _benefits(CostCurve, pair, chosen, confidence_level, risk, given, prior, sampling, standardized)


def _benefits(
    of: type[C],
    data: Scores | Pair,
    method: Method,
    confidence_level: float,
    risk: ArrayLike | None,
    given: Mapping[str, ArrayLike | None],
    prior: Prior | None,
    sampling: Sampling | None,
    standardized: bool,
) -> C:
    """Return the net benefits of one model, or the differences between two, at each risk."""
    level = check_level(confidence_level)
    known = check_flag("standardized", standardized) and prior is None and sampling is None
    share, sampling = share_in_use(data, prior, "stratified" if known else sampling)
    at = default_risks(share.value) if risk is None else check_share("risk", risk)
    thresholds = [
        None if threshold is None else given_thresholds(name, threshold, len(at), "risk")
        for name, threshold in given.items()
    ]
    known_as: dict[str, Any] = {"risk": at, "sampling": sampling, "prevalence": share}
    whole = NetBenefit(**known_as, standardized=standardized)
    found = infer(contrast(data, placed(whole, thresholds, "given")), method, level)
    fields: dict[str, Any] = {}
    if isinstance(data, Scores):
        avoided = infer(
            contrast(data, placed(InterventionsAvoided(**known_as), thresholds, "given")), method, level
        )
        # Benefits that cancel are exactly zero.
        avoided = avoided._replace(estimate=avoided.estimate.round(10) + 0.0)
        fields = {
            "treat_all": whole.treat_all(share),
            "treat_none": np.zeros(len(at)),
            "interventions_avoided": intervals_of(avoided, "interventions_avoided", ("risk", at), level),
        }
    return curve_of(
        of,
        found,
        data,
        level,
        (KNOWN_PREVALENCE,) if known else (),
        quantity="standardized_net_benefit" if standardized else "net_benefit",
        at_name="risk",
        at=at,
        threshold_source="given",
        sampling=sampling,
        **fields,
    )
