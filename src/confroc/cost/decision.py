"""One decision: the threshold to use for given unit costs, and what it will cost, in the user's currency."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from confroc._check import check_level, make_rng
from confroc._types import RNG, FloatArray, IntArray, Sampling
from confroc.cost.conditions import check_unit_cost, cost_weight, optimal_rows, share_in_use, threshold_at
from confroc.cost.curve import cost_curve
from confroc.methods.cost import COST_CURVE, EXPECTED_COST
from confroc.resample import N_RESAMPLES, check_resamples, check_sampling, critical_value, resample
from confroc.results import Interval
from confroc.scores import Scores, check_scores
from confroc.scores.counting import Cells, rows_reaching

CANDIDATES = 2000


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
        **COST_CURVE.taken(row.name, {"n_resamples": n_resamples}),
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
