"""Net benefit: the decision-curve view of the same counts.

Treating at a risk of r or more implies that one false positive costs r/(1 − r) of what one true
positive brings. Net benefit counts, per case, the true positives less the false positives at that price
(Vickers & Elkin 2006). At a fixed share of positives it is a cost curve turned round: NB = π − cost, with
unit costs 1 and r/(1 − r).
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
RISKS = np.arange(1, 100) / 100.0


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DecisionCurve(CostCurve):
    """Net benefit of one model at each risk threshold, next to treating everybody and nobody.

    Attributes
    ----------
    treat_all : ndarray of shape (h,)
        Net benefit of treating everybody.
    treat_none : ndarray of shape (h,)
        That of treating nobody, 0.
    interventions_avoided : Intervals
        Per 100 patients, compared with treating everybody, at no loss of true positives: the net benefit
        above that of treating everybody, in units of false positives. At most 100; its `.plot()` draws the
        curve.
    at, estimate, lower, upper, threshold, ...
        As in `CostCurve`.
    """

    treat_all: FloatArray
    treat_none: FloatArray
    interventions_avoided: Intervals


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
    """Net benefit of acting on the scores, at each risk threshold, with pointwise intervals.

    NB = (TP − FP·r/(1 − r))/n at risk threshold r.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
    risk : float or array-like of shape (h,), optional
        Risk thresholds, strictly between 0 and 1; by default 0.01, 0.02, ..., 0.99.
    threshold : float or array-like of shape (h,), optional
        Score at or above which a case is treated. By default the risk itself, for scores that are
        probabilities.
    prior : float or (float, float), optional
        Share of positives in use, as in `expected_cost`: known, or so many of so many cases seen elsewhere;
        by default the sample's.
    sampling : {"full", "stratified"}, optional
        full : the share of positives is the sample's and as uncertain, as in a cohort; the default without
            `prior`.
        stratified : the share is `prior`, or the sample's, taken as known, as in a case-control study; the
            default with `prior`.
    standardized : bool
        Divide by the prevalence, so that a perfect model has 1. The prevalence must be known: sampling is
        "stratified" by default, and a count as `prior` is refused.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    DecisionCurve
        Per case, in units of one true positive; at most the share of positives. `treat_all` and
        `treat_none` are for comparison, `interventions_avoided` has its own intervals; `.plot()` draws the
        decision curve. For rounded scores widened as in `cost_curve`.

    Raises
    ------
    ValueError
        Risks outside (0, 1), scores that are not probabilities without `threshold`, `prior` with
        sampling="full", `standardized` where the prevalence is an estimate, unknown method, impossible level.

    See Also
    --------
    net_benefit_difference : Two models.

    References
    ----------
    Vickers & Elkin 2006, "Decision curve analysis", Medical Decision Making 26; Kerr, Brown, Zhu & Janes 2016
    (`standardized`).

    Examples
    --------
    >>> from confroc import Scores, net_benefit
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
    """Difference a − b of two models' net benefits at each risk threshold, with pointwise intervals.

    Positive where model a is better.

    Parameters
    ----------
    pair : PairedScores, UnpairedScores or (y_true, score_a, score_b)
    risk : float or array-like of shape (h,), optional
        Risk thresholds, strictly between 0 and 1; by default 0.01, 0.02, ..., 0.99.
    threshold_a, threshold_b : float or array-like of shape (h,), optional
        Scores at or above which a case is treated; by default the risk itself.
    prior, sampling, standardized
        As in `net_benefit`; under "stratified" with two test sets the share by default is that of both
        together.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    CostCurve
        Per case, in units of one true positive. Times 100·(1 − risk)/risk it is the difference of the
        interventions avoided per 100 patients.

    Raises
    ------
    ValueError
        As in `net_benefit`.

    See Also
    --------
    net_benefit : One model.

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
    """Return the net benefits of one model, or the differences of two, at each risk."""
    level, at = check_level(confidence_level), RISKS if risk is None else check_share("risk", risk)
    known = check_flag("standardized", standardized) and prior is None and sampling is None
    share, sampling = share_in_use(data, prior, "stratified" if known else sampling)
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
        # Benefits that cancel are exactly none.
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
