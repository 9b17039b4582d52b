"""Decisions: the threshold and the cost per case for given unit costs, and net benefit at given risks.

Someone who treats at a risk of r or more says that one false positive costs r/(1 − r) of what one true
positive brings. Net benefit counts, per case, the true positives less the false positives at that price
(Vickers & Elkin 2006). At a fixed share of positives it is a cost curve turned round: NB = π − cost, with
unit costs 1 and r/(1 − r).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, check_level, make_rng
from confroc._types import RNG, Ends, FloatArray, IntArray, Sampling
from confroc.cost.conditions import (
    check_share,
    check_unit_cost,
    cost_weight,
    models_of,
    optimal_rows,
    share_in_use,
    threshold_at,
)
from confroc.cost.curve import (
    CostCurve,
    CostDifference,
    Resampling,
    cost_curve,
    design_of,
    fields,
    rounding_errors,
)
from confroc.cost.error_rates import PricedErrors
from confroc.cost.thresholds import given_thresholds
from confroc.methods import Method
from confroc.methods.cost import EXPECTED_COST, NET_BENEFIT, NET_BENEFIT_DIFFERENCE
from confroc.resample import N_RESAMPLES, check_resamples, check_sampling, critical_value, resample
from confroc.results import Interval
from confroc.scores import Pair, Scores, check_pair, check_scores, widened
from confroc.scores.counting import Cells, rows_reaching

CANDIDATES = 2000
ANY = (-np.inf, np.inf)

# --- one decision ------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, repr=False)
class ExpectedCost(Interval):
    """Cost per case at one operating condition, in the currency of the unit costs, and its threshold.

    Attributes
    ----------
    w : float
        Weight of the cost curve that the unit costs and the prior stand for.
    threshold : float
        Score at or above which a case is called positive.
    threshold_lower, threshold_upper : float
        Thresholds that may be the best one: the confidence set's two ends. NaN when the threshold was
        given.
    trivial : float
        Cost per case of the better classifier that ignores the scores.
    estimate, lower, upper, standard_error, ...
        As in `Interval`, of the cost per case.
    """

    w: float
    threshold: float
    threshold_lower: float
    threshold_upper: float
    trivial: float


def expected_cost(
    scores: Scores,
    *,
    false_negative: float,
    false_positive: float,
    prior: float | None = None,
    threshold: float | None = None,
    validation: Scores | None = None,
    sampling: Sampling = "stratified",
    method: str = "newcombe",
    confidence_level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    rng: RNG = None,
    n_jobs: int = 1,
) -> ExpectedCost:
    """Best threshold for given unit costs, and the cost per case to expect there, each with its interval.

    Parameters
    ----------
    scores : Scores
    false_negative, false_positive : float
        Cost of one error of each kind, positive, in any currency.
    prior : float, optional
        Share of positives expected in use; by default the sample's.
    threshold, validation
        As in `cost_curve`: where the threshold comes from. By default it is the cheapest on `scores`
        itself, whose cost is then optimistic.
    sampling : {"stratified", "full"}
        As in `cost_curve`. Under "full" the prior is the sample's, and as uncertain.
    method : {"newcombe", "agresti_coull", "wald", "bootstrap", "exact_bootstrap"}
    confidence_level
        As in `cost_curve`.
    n_resamples, rng, n_jobs
        As in `cost_curve`; for the threshold's confidence set, and for method "bootstrap".

    Returns
    -------
    ExpectedCost
        `estimate`, `lower` and `upper` are per case, in the currency given. For rounded scores the interval
        is widened, and thresholds are levels' lowest scores.

    Raises
    ------
    ValueError
        Costs that are not positive, a prior outside (0, 1) or given with sampling="full", and as in
        `cost_curve`.

    See Also
    --------
    cost_curve, cost_band : The cost under every operating condition.

    Notes
    -----
    The threshold's set holds every threshold whose cost is not significantly above the chosen one's: its
    difference, after adding ½ to each cell of each class's table, is within c standard errors. c is the
    bootstrap quantile of the largest studentized error of these differences over all thresholds, so that
    the set contains the truly best threshold with the stated confidence (guarantee: bootstrap). It is
    bounded by scores of `validation`, when given, else of `scores`. The set is wide where the cost is flat.

    References
    ----------
    Dugas & Gadoury 2009, "Pointwise exact bootstrap distributions of cost curves", eqs. 2-5 and 9-10.

    Examples
    --------
    >>> from confroc import Scores, expected_cost
    >>> scores = Scores.from_counts([4, 3, 2, 1], pos=[60, 25, 10, 5], neg=[2, 8, 30, 60])
    >>> cost = expected_cost(scores, false_negative=500, false_positive=50, prior=0.1, rng=1)
    >>> cost.threshold, round(cost.estimate, 2), round(cost.lower, 2), round(cost.upper, 2)
    (3.0, 12.0, 8.51, 17.32)
    >>> cost.threshold_lower, cost.threshold_upper, cost.trivial
    (3.0, 3.0, 45.0)
    """
    # `cost_curve` widens for rounded scores.
    check_scores("scores", scores, widens=True)
    row = EXPECTED_COST.check(method)
    miss = float(check_unit_cost("false_negative", false_negative)[0])
    alarm = float(check_unit_cost("false_positive", false_positive)[0])
    sampling, level = check_sampling(sampling), check_level(confidence_level)
    share = share_in_use(scores, prior, sampling)
    w = float(cost_weight(false_negative=miss, false_positive=alarm, prior=share))
    generator = make_rng(rng)
    curve = cost_curve(
        scores,
        w,
        threshold=threshold,
        validation=validation,
        sampling=sampling,
        method=row.name,
        confidence_level=level,
        n_resamples=n_resamples,
        rng=generator,
        n_jobs=n_jobs,
    )
    # Back from the normalised cost: the worst is π·c_FN + (1 − π)·c_FP, under full sampling the larger cost.
    scale = share * miss + (1.0 - share) * alarm if sampling == "stratified" else max(miss, alarm)
    ends = (math.nan, math.nan)
    if threshold is None:
        chosen_on = scores if validation is None else validation
        ends = threshold_set(chosen_on, w, level, check_resamples(n_resamples, level), generator, n_jobs)
    return ExpectedCost(
        quantity="cost per case",
        estimate=scale * float(curve.estimate[0]),
        lower=scale * float(curve.lower[0]),
        upper=scale * float(curve.upper[0]),
        standard_error=math.nan,
        confidence_level=level,
        method=row.name,
        guarantee=row.guarantee,
        notes=curve.notes,
        w=w,
        threshold=float(curve.threshold[0]),
        threshold_lower=ends[0],
        threshold_upper=ends[1],
        trivial=min(share * miss, (1.0 - share) * alarm),
    )


def threshold_set(
    scores: Scores, w: float, level: float, n_resamples: int, rng: np.random.Generator, n_jobs: int = 1
) -> tuple[float, float]:
    """Lowest and highest threshold that may be the cheapest one at w."""
    d = len(scores.score)
    best = int(optimal_rows(scores, np.array([w]))[0])
    if d > CANDIDATES:
        even = rows_reaching(np.linspace(0, scores.n_pos + scores.n_neg, CANDIDATES), scores.pos, scores.neg)
        rows = np.unique(np.concatenate([[0, best, d], np.minimum(even + 1, d)]))
    else:
        rows = np.arange(d + 1)
    anchor = int(np.searchsorted(rows, best))
    pos, neg = (np.add.reduceat(count, rows[:-1]) for count in (scores.pos, scores.neg))

    def excess(p: IntArray, q: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Cost above the chosen threshold's: plain, smoothed, and its standard error."""
        # Positives and negatives between the two thresholds, signed: all are discordant one way.
        more_pos, more_neg = (np.concatenate([[0], np.cumsum(c)]) for c in (p, q))
        more_pos, more_neg = more_pos - more_pos[anchor], more_neg - more_neg[anchor]
        cost = -w * more_pos / scores.n_pos + (1.0 - w) * more_neg / scores.n_neg
        n_pos, n_neg = scores.n_pos + 2.0, scores.n_neg + 2.0
        dp, dq = more_pos / n_pos, more_neg / n_neg
        variance = w**2 * ((np.abs(more_pos) + 1.0) / n_pos - dp**2) / n_pos
        variance += (1.0 - w) ** 2 * ((np.abs(more_neg) + 1.0) / n_neg - dq**2) / n_neg
        return cost, -w * dp + (1.0 - w) * dq, np.sqrt(variance)

    plain, smooth, error = excess(pos, neg)

    def largest(p: IntArray, q: IntArray) -> FloatArray:
        _, drawn, spread = excess(p, q)
        # Only a cost drawn too high would shut out a threshold that is really better.
        return np.asarray(((drawn - plain) / spread).max())

    size = scores.n_pos, scores.n_neg
    drawn = resample(largest, Cells(pos, neg), n_resamples, rng, size=size, n_jobs=n_jobs)
    held = rows[smooth <= critical_value(drawn, level) * error]
    low, high = threshold_at(scores, held[[-1, 0]]).tolist()
    return low, high


# --- net benefit -------------------------------------------------------------------------------------


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


def net_benefit(
    scores: Scores,
    risk: ArrayLike,
    *,
    threshold: ArrayLike | None = None,
    prior: float | None = None,
    sampling: Sampling = "full",
    method: str = "newcombe",
    confidence_level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    rng: RNG = None,
    n_jobs: int = 1,
) -> NetBenefit:
    """Net benefit of acting on the scores, at each risk threshold, with pointwise intervals.

    NB = (TP − FP·r/(1 − r))/n at risk threshold r.

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
    >>> curve = net_benefit(scores, [0.2, 0.5])
    >>> curve.estimate, curve.treat_all
    (array([0.1625, 0.1   ]), array([ 0.0625, -0.5   ]))
    """
    row = NET_BENEFIT.check(method)
    check_scores("scores", scores, widens=True)
    given = {"threshold": threshold}
    share, (chosen,), found, errors = _benefit(
        scores, risk, given, prior, sampling, row, confidence_level, Resampling(n_resamples, rng, n_jobs)
    )
    # Under full sampling true positives are counted, else the missed ones are taken off all of them.
    offset = 0.0 if found["sampling"] == "full" else share
    found |= {name: offset + found[name] for name in ("estimate", "lower", "upper")}
    odds = found["at"] / (1.0 - found["at"])
    benefit = NetBenefit(
        quantity="net_benefit", treat_all=share - (1.0 - share) * odds, threshold=chosen, **found
    )
    return widened(benefit, *errors, bounds=ANY)


def net_benefit_difference(
    pair: Pair,
    risk: ArrayLike,
    *,
    threshold_a: ArrayLike | None = None,
    threshold_b: ArrayLike | None = None,
    prior: float | None = None,
    sampling: Sampling = "full",
    method: str = "agresti_min",
    confidence_level: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    rng: RNG = None,
    n_jobs: int = 1,
) -> CostDifference:
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
    >>> net_benefit_difference(pair, 0.5).estimate
    array([0.5])
    """
    row = NET_BENEFIT_DIFFERENCE.check(method)
    check_pair("pair", pair, widens=True)
    given = {"threshold_a": threshold_a, "threshold_b": threshold_b}
    _, (a, b), found, errors = _benefit(
        pair, risk, given, prior, sampling, row, confidence_level, Resampling(n_resamples, rng, n_jobs)
    )
    difference = CostDifference(
        quantity="net_benefit_a - net_benefit_b",
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
    prior: float | None,
    sampling: Sampling,
    row: Method,
    confidence_level: float,
    resampling: Resampling,
) -> tuple[float, tuple[FloatArray, ...], dict[str, Any], Ends]:
    """Share of positives, thresholds, fields of the result, and what rounded scores may have changed."""
    at = check_share("risk", risk, "Write 10 % as 0.1.")
    sampling, level = check_sampling(sampling), check_level(confidence_level)
    thresholds = tuple(
        _risk_thresholds(name, threshold, scores, at)
        for (name, threshold), scores in zip(given.items(), models_of(data), strict=True)
    )
    share, odds = share_in_use(data, prior, sampling), at / (1.0 - at)
    # Under full sampling true positives take the place of false negatives: those of the data are not fixed
    # in number.
    hits = sampling == "full"
    form = (np.ones_like(odds), -odds) if hits else (np.full_like(odds, -share), -(1.0 - share) * odds)
    priced = PricedErrors.of(data, thresholds, form, sampling, hits=hits)
    found = fields(priced, row, level, resampling)
    found |= {"at_name": "risk", "at": at, "threshold_source": "given", "sampling": sampling}
    return share, thresholds, found, rounding_errors(data, thresholds, form, sampling, hits=hits)


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
