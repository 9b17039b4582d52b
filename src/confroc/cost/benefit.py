"""Net benefit: the decision-curve view of the same counts.

Someone who treats at a risk of r or more says that one false positive costs r/(1 − r) of what one true
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

from confroc._check import ArgumentError, as_floats, check_choice, check_level, make_rng
from confroc._types import RNG, FloatArray, Sampling
from confroc.cost.geometry import check_prior
from confroc.cost.intervals import (
    COST_DIFFERENCE_METHODS,
    COST_METHODS,
    CostDifferenceMethod,
    CostMethod,
    Ribbon,
    check_sampling,
    internal,
)
from confroc.cost.problem import Problem, one_model, pooled_share, solve, two_models
from confroc.cost.rounded import cost_errors
from confroc.cost.thresholds import given_thresholds
from confroc.points.shared import guarantee_of
from confroc.results import read_only
from confroc.scores import (
    Pair,
    PairedScores,
    Scores,
    check_pair,
    check_scores,
    difference_errors,
    widened,
)

ANY = (-np.inf, np.inf)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class NetBenefit(Ribbon):
    """Net benefit of one model at each risk threshold, with intervals.

    Attributes
    ----------
    treat_all : ndarray of shape (h,)
        Net benefit of calling everybody positive; calling nobody positive has 0.
    sampling : {"stratified", "full"}
    at, estimate, lower, upper, ...
        As in `Intervals`; `at` holds the risk threshold.
    """

    treat_all: FloatArray
    sampling: Sampling

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "treat_all", read_only(self.treat_all))

    def _columns(self) -> Mapping[str, Any]:
        return {**super()._columns(), "treat_all": self.treat_all}


def check_risk(risk: ArrayLike) -> FloatArray:
    """Return risk thresholds in (0, 1)."""
    values = as_floats("risk", np.atleast_1d(np.asarray(risk)))
    bad = ~((values > 0.0) & (values < 1.0))
    if bad.any():
        raise ArgumentError(
            "risk", "lie strictly between 0 and 1", float(values[bad][0]), "Write 10 % as 0.1."
        )
    return values


def _risk_thresholds(name: str, threshold: ArrayLike | None, scores: Scores, risk: FloatArray) -> FloatArray:
    if threshold is not None:
        return given_thresholds(name, threshold, len(risk))
    low, high = float(scores.score[-1]), float(scores.score[0])
    if low < 0.0 or high > 1.0:
        raise ArgumentError(
            name,
            "be given unless the scores are risks between 0 and 1",
            f"scores from {low:g} to {high:g}",
            "Pass the score that stands for each risk, or calibrated probabilities as scores.",
        )
    return risk


def _share(prior: float | None, share: float, sampling: Sampling) -> float:
    if prior is None:
        return share
    if sampling == "full":
        raise ArgumentError(
            "prior",
            "be left out under sampling='full', which takes it from the sample",
            prior,
            "Use sampling='stratified'.",
        )
    return float(check_prior("prior", prior)[0])


def net_benefit(
    scores: Scores,
    risk: ArrayLike,
    *,
    threshold: ArrayLike | None = None,
    prior: float | None = None,
    sampling: Sampling = "full",
    method: CostMethod = "newcombe",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RNG = None,
    n_jobs: int = 1,
) -> NetBenefit:
    """Net benefit of acting on the scores, at each risk threshold, with pointwise intervals.

    NB = (TP − FP·r/(1 − r))/n at risk threshold r (Vickers & Elkin 2006).

    Parameters
    ----------
    scores : Scores
    risk : float or array-like of shape (h,)
        Risk thresholds, strictly between 0 and 1.
    threshold : float or array-like of shape (h,), optional
        Score at or above which a case is treated. By default the risk itself, for scores that are
        probabilities.
    prior : float, optional
        Share of positives under sampling="stratified"; by default the sample's.
    sampling : {"full", "stratified"}
        full : the share of positives is the sample's and as uncertain, as in a cohort.
        stratified : the share is known and only the error rates are uncertain, as in a case-control
            study.
    method, confidence_level, n_resamples, rng, n_jobs
        As in `cost_curve`.

    Returns
    -------
    NetBenefit
        Per case, in units of one true positive; at most the share of positives. `treat_all` is for
        comparison.

    Raises
    ------
    ValueError
        Risks outside (0, 1), scores that are not probabilities without `threshold`, `prior` with
        sampling="full", unknown method, impossible level.

    Examples
    --------
    >>> from confroc import Scores, net_benefit
    >>> scores = Scores.from_counts([0.8, 0.3, 0.1], pos=[30, 15, 5], neg=[10, 40, 100])
    >>> curve = net_benefit(scores, [0.2, 0.5])
    >>> curve.estimate, curve.treat_all
    (array([0.1625, 0.1   ]), array([ 0.0625, -0.5   ]))
    """
    check_scores("scores", scores, widens=True)
    at = check_risk(risk)
    sampling = check_sampling(sampling)
    check_choice("method", method, COST_METHODS)
    level = check_level(confidence_level)
    thresholds = _risk_thresholds("threshold", threshold, scores, at)
    share = _share(prior, scores.n_pos / (scores.n_pos + scores.n_neg), sampling)
    odds = at / (1.0 - at)
    # Under full sampling true positives take the place of false negatives: those of the data are not fixed
    # in number.
    hits, offset = sampling == "full", 0.0 if sampling == "full" else share
    form = _gain(share, odds, sampling)
    problem = Problem((one_model(scores, thresholds, hits=hits),), *form, sampling)
    solution = solve(problem, internal(method), level, n_resamples, make_rng(rng), n_jobs)
    benefit = NetBenefit(
        quantity="net_benefit",
        at_name="risk",
        at=at,
        estimate=offset + solution.estimate,
        lower=offset + solution.lower,
        upper=offset + solution.upper,
        confidence_level=level,
        method=method,
        guarantee=guarantee_of(method),
        notes=solution.notes,
        treat_all=share - (1.0 - share) * odds,
        sampling=sampling,
    )
    return widened(benefit, *cost_errors(scores, thresholds, form, sampling, hits=hits), bounds=ANY)


def _gain(share: float, odds: FloatArray, sampling: Sampling) -> tuple[FloatArray, FloatArray]:
    """What errors add to the net benefit: missed positives (found ones under "full") and false positives."""
    if sampling == "stratified":
        return np.full_like(odds, -share), -(1.0 - share) * odds
    return np.ones_like(odds), -odds


def net_benefit_difference(
    pair: Pair,
    risk: ArrayLike,
    *,
    threshold_a: ArrayLike | None = None,
    threshold_b: ArrayLike | None = None,
    prior: float | None = None,
    sampling: Sampling = "full",
    method: CostDifferenceMethod = "agresti_min",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RNG = None,
    n_jobs: int = 1,
) -> Ribbon:
    """Difference a − b of two models' net benefits at each risk threshold, with pointwise intervals.

    Positive where model a is better.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    risk : float or array-like of shape (h,)
        Risk thresholds, strictly between 0 and 1.
    threshold_a, threshold_b : float or array-like of shape (h,), optional
        Scores at or above which a case is treated; by default the risk itself.
    prior, sampling
        As in `net_benefit`; under "stratified" with two test sets the share by default is that of both
        together.
    method, confidence_level, n_resamples, rng, n_jobs
        As in `cost_difference`.

    Returns
    -------
    Intervals
        Per case, in units of one true positive.

    Raises
    ------
    ValueError
        As in `net_benefit`.

    Examples
    --------
    >>> from confroc import PairedScores, net_benefit_difference
    >>> pair = PairedScores([1, 0, 1, 0], [0.9, 0.2, 0.7, 0.4], [0.6, 0.7, 0.4, 0.1])
    >>> net_benefit_difference(pair, 0.5).estimate
    array([0.5])
    """
    check_pair("pair", pair, widens=True)
    at = check_risk(risk)
    sampling = check_sampling(sampling)
    check_choice("method", method, COST_DIFFERENCE_METHODS)
    level = check_level(confidence_level)
    thresholds = (
        _risk_thresholds("threshold_a", threshold_a, pair.a, at),
        _risk_thresholds("threshold_b", threshold_b, pair.b, at),
    )
    share = _share(prior, pooled_share(pair), sampling)
    form, hits = _gain(share, at / (1.0 - at), sampling), sampling == "full"
    errors = difference_errors(
        *(
            cost_errors(scores, threshold, form, sampling, hits=hits)
            for scores, threshold in zip((pair.a, pair.b), thresholds, strict=True)
        )
    )
    if hits and isinstance(pair, PairedScores):
        # On the same cases a true positive more is a false negative less.
        problem = Problem(two_models(pair, *thresholds), -form[0], form[1], sampling)
    elif hits:
        parts = tuple(one_model(s, t, hits=True) for s, t in zip((pair.a, pair.b), thresholds, strict=True))
        problem = Problem(parts, *form, sampling)
    else:
        problem = Problem(two_models(pair, *thresholds), *form, sampling)
    solution = solve(problem, internal(method), level, n_resamples, make_rng(rng), n_jobs)
    difference = Ribbon(
        quantity="net_benefit_a - net_benefit_b",
        at_name="risk",
        at=at,
        estimate=solution.estimate,
        lower=solution.lower,
        upper=solution.upper,
        confidence_level=level,
        method=method,
        guarantee=guarantee_of(method),
        notes=solution.notes,
    )
    return widened(difference, *errors, bounds=ANY)
