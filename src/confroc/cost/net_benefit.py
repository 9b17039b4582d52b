"""Net benefit: the decision-curve view of the same counts.

Treating at a risk of r or more implies that one false positive costs r/(1 − r) of what one true
positive brings. Net benefit counts, per case, the true positives less the false positives at that price
(Vickers & Elkin 2006). At a fixed share of positives it is a cost curve turned round: NB = π − cost, with
unit costs 1 and r/(1 − r).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, check_level, check_settings
from confroc._types import RNG, Ends, FloatArray, Sampling
from confroc.cost.conditions import Prior, check_share, models_of, share_in_use
from confroc.cost.curve import CostCurve, CostDifference, design_of
from confroc.cost.error_rates import PricedErrors
from confroc.cost.intervals import Resampling, fields, rounding_errors
from confroc.cost.thresholds import given_thresholds
from confroc.methods import Method
from confroc.methods.cost import NET_BENEFIT, NET_BENEFIT_DIFFERENCE
from confroc.resample import N_RESAMPLES, resamples_or
from confroc.scores import (
    Pair,
    Scores,
    accepts_one_model,
    accepts_two_models,
    check_pair,
    check_scores,
    difference_label,
    widened,
)

ANY = (-np.inf, np.inf)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class NetBenefit(CostCurve):
    """Net benefit of one model at each risk threshold, with intervals.

    Attributes
    ----------
    treat_all : ndarray of shape (h,)
        Net benefit of calling everybody positive; calling nobody positive has 0.
    threshold, sampling
        As in `CostCurve`.
    at, estimate, lower, upper, ...
        As in `Intervals`; `at` holds the risk threshold.
    """

    treat_all: FloatArray

    def _columns(self) -> Mapping[str, Any]:
        return {**super()._columns(), "treat_all": self.treat_all}


@accepts_one_model
def net_benefit(
    scores: Scores,
    *,
    risk: ArrayLike,
    threshold: ArrayLike | None = None,
    prior: Prior | None = None,
    sampling: Sampling | None = None,
    method: str = "newcombe",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: RNG = None,
    n_jobs: int = 1,
) -> NetBenefit:
    """Net benefit of acting on the scores, at each risk threshold, with pointwise intervals.

    NB = (TP − FP·r/(1 − r))/n at risk threshold r.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
    risk : float or array-like of shape (h,)
        Risk thresholds, strictly between 0 and 1.
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
    method : {"newcombe", "agresti_coull", "wald", "bootstrap", "exact_bootstrap"}
    confidence_level, n_resamples, rng, n_jobs
        As in `cost_curve`.

    Returns
    -------
    NetBenefit
        Per case, in units of one true positive; at most the share of positives. `treat_all` is for
        comparison. For rounded scores widened as in `cost_curve`.

    Raises
    ------
    ValueError
        Risks outside (0, 1), scores that are not probabilities without `threshold`, `prior` with
        sampling="full", unknown method, impossible level.

    See Also
    --------
    net_benefit_difference : Two models.

    References
    ----------
    Vickers & Elkin 2006, "Decision curve analysis", Medical Decision Making 26.

    Examples
    --------
    >>> from confroc import Scores, net_benefit
    >>> scores = Scores.from_counts([0.8, 0.3, 0.1], pos=[30, 15, 5], neg=[10, 40, 100])
    >>> curve = net_benefit(scores, risk=[0.2, 0.5])
    >>> curve.estimate, curve.treat_all
    (array([0.1625, 0.1   ]), array([ 0.0625, -0.5   ]))
    """
    row = NET_BENEFIT.check(method, n_resamples=n_resamples)
    check_scores("scores", scores, widens=True)
    given = {"threshold": threshold}
    (share, offset), (chosen,), found, errors = _benefit(
        scores,
        risk,
        given,
        prior,
        sampling,
        row,
        confidence_level,
        Resampling(resamples_or(N_RESAMPLES, n_resamples), rng, n_jobs),
    )
    # Where the share is known the missed positives are taken off all of them.
    found |= {name: offset + found[name] for name in ("estimate", "lower", "upper")}
    odds = found["at"] / (1.0 - found["at"])
    benefit = NetBenefit(
        quantity="net_benefit", treat_all=share - (1.0 - share) * odds, threshold=chosen, **found
    )
    return widened(benefit, *errors, bounds=ANY)


@accepts_two_models
def net_benefit_difference(
    pair: Pair,
    *,
    risk: ArrayLike,
    threshold_a: ArrayLike | None = None,
    threshold_b: ArrayLike | None = None,
    prior: Prior | None = None,
    sampling: Sampling | None = None,
    method: str = "agresti_min",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: RNG = None,
    n_jobs: int = 1,
) -> CostDifference:
    """Difference a − b of two models' net benefits at each risk threshold, with pointwise intervals.

    Positive where model a is better.

    Parameters
    ----------
    pair : PairedScores, UnpairedScores or (y_true, score_a, score_b)
    risk : float or array-like of shape (h,)
        Risk thresholds, strictly between 0 and 1.
    threshold_a, threshold_b : float or array-like of shape (h,), optional
        Scores at or above which a case is treated; by default the risk itself.
    prior, sampling
        As in `net_benefit`; under "stratified" with two test sets the share by default is that of both
        together.
    method : {"agresti_min", "wald", "bootstrap", "exact_bootstrap"}
    confidence_level, n_resamples, rng, n_jobs
        As in `cost_difference`.

    Returns
    -------
    CostDifference
        Per case, in units of one true positive.

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
    row = NET_BENEFIT_DIFFERENCE.check(method, n_resamples=n_resamples)
    check_pair("pair", pair, widens=True)
    given = {"threshold_a": threshold_a, "threshold_b": threshold_b}
    _, (a, b), found, errors = _benefit(
        pair,
        risk,
        given,
        prior,
        sampling,
        row,
        confidence_level,
        Resampling(resamples_or(N_RESAMPLES, n_resamples), rng, n_jobs),
    )
    difference = CostDifference(
        quantity=difference_label("net_benefit", pair),
        threshold_a=a,
        threshold_b=b,
        design=design_of(pair),
        **found,
    )
    return widened(difference, *errors, bounds=ANY)


def _benefit(
    data: Scores | Pair,
    risk: ArrayLike,
    given: Mapping[str, ArrayLike | None],
    prior: Prior | None,
    sampling: Sampling | None,
    row: Method,
    confidence_level: float,
    resampling: Resampling,
) -> tuple[tuple[float, float], tuple[FloatArray, ...], dict[str, Any], Ends]:
    """Share of positives and what counts from it, thresholds, fields, what rounding may have changed."""
    at = check_share("risk", risk)
    level = check_level(confidence_level)
    check_settings(resampling.rng, resampling.n_jobs)
    share, sampling = share_in_use(data, prior, sampling)
    share.check(prior, row)
    thresholds = tuple(
        _risk_thresholds(name, threshold, scores, at)
        for (name, threshold), scores in zip(given.items(), models_of(data), strict=True)
    )
    odds, pi = at / (1.0 - at), share.value
    # Where the share is uncertain true positives replace false negatives: those of the data are not
    # fixed in number.
    hits = sampling == "full" or share.uncertain
    form = (np.ones_like(odds), -odds) if hits else (np.full_like(odds, -pi), -(1.0 - pi) * odds)
    priced = PricedErrors.of(data, thresholds, form, sampling, hits=hits, share=share)
    found = fields(priced, row, level, resampling)
    found |= {"at_name": "risk", "at": at, "threshold_source": "given", "sampling": sampling}
    errors = rounding_errors(data, thresholds, form, sampling, hits=hits, share=share)
    return (pi, 0.0 if hits else pi), thresholds, found, errors


def _risk_thresholds(name: str, threshold: ArrayLike | None, scores: Scores, risk: FloatArray) -> FloatArray:
    if threshold is not None:
        return given_thresholds(name, threshold, len(risk), "risk")
    low, high = float(scores.score[-1]), float(scores.score[0])
    if low < 0.0 or high > 1.0:
        raise ArgumentError(
            name,
            "be given unless the scores are risks between 0 and 1",
            f"scores from {low:g} to {high:g}",
            "Pass the score that stands for each risk, or calibrated probabilities as scores.",
        )
    return risk
