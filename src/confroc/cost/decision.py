"""Expected cost per case for given unit costs, in the user's currency."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, check_jobs, check_level, check_omitted, make_rng
from confroc._options import ExpectedCostDifferenceOptions, ExpectedCostOptions
from confroc._types import RNG, Sampling
from confroc.base import Method, family, lists_methods
from confroc.cost import methods
from confroc.cost.best import BestThreshold, fields_at, set_of
from confroc.cost.thresholds import Source, choose, compared, contrast, placed
from confroc.inference import infer, one
from confroc.resample import N_BAND_RESAMPLES, check_resamples
from confroc.scores import (
    Pair,
    Scores,
    accepts_one_model,
    accepts_two_models,
    check_pair,
    check_scores,
)
from confroc.statistics.cheapest import Criterion
from confroc.statistics.cost import CostPerCase
from confroc.statistics.prevalence import Prior, share_in_use


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ExpectedCost(BestThreshold):
    """Cost per case for given unit costs, or the difference a − b between two models.

    Attributes
    ----------
    w : float
        Weight of false negatives on the cost curve that corresponds to the unit costs and the prevalence.
    prior : float
        Prevalence in the target population: the one given, or that of the sample.
    optimism : float
        As in `BestThreshold`; for a difference, that of a minus that of b.
    threshold_a, threshold_b : float, optional
        Thresholds of both models of a difference.
    design : {"paired", "unpaired"}, optional
        Design of a difference, which is negative if a is cheaper.
    threshold, threshold_lower, threshold_upper, trivial, ...
        As in `BestThreshold`, for one model.
    estimate, lower, upper, standard_error, ...
        As in `Interval`, in the currency of the unit costs.
    """

    _printed: ClassVar = {**BestThreshold._printed, "w": "", "prior": "prevalence"}
    w: float
    prior: float
    threshold_a: float | None = None
    threshold_b: float | None = None
    design: Literal["paired", "unpaired"] | None = None


EXPECTED_COST = family("expected_cost", "Cost per case", methods.ONE[1], "mid_p")
EXPECTED_COST_DIFFERENCE = family(
    "expected_cost_difference", "Difference of two costs per case", methods.TWO[1], "agresti_min"
)


@accepts_one_model
@lists_methods(EXPECTED_COST)
def expected_cost(
    scores: Scores,
    /,
    *,
    false_negative: float,
    false_positive: float,
    prior: Prior | None = None,
    threshold: float | None = None,
    validation: Scores | None = None,
    sampling: Sampling | None = None,
    method: str | Method = "mid_p",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: RNG = None,
    n_jobs: int = 1,
    **options: Unpack[ExpectedCostOptions],
) -> ExpectedCost:
    """Cost per case for given unit costs, at the cheapest threshold or at a given one.

    Parameters
    ----------
    scores : Scores
    false_negative, false_positive : float
        Cost of one error of each kind, positive, in any currency.
    prior : float or (float, float), optional
        Prevalence in the target population. A number is treated as known. `(12, 150)` is a prevalence
        estimated from 12 positives among 150 other cases, whose uncertainty widens the interval; a Beta(a, b)
        prior is `(a − ½, a + b − 1)`. Both bootstraps resample those cases and require whole counts. Default:
        estimated from `scores`.
    threshold, validation
        As in `cost_curve`. Default: the cheapest threshold on `scores`; the estimate and its upper limit are
        then corrected for optimism.
    sampling : {"full", "stratified"}, optional
        full : the cases are a random sample of the population, and estimate its prevalence. The default
            without `prior`.
        stratified : the class sizes are fixed by design, and the prevalence is known: `prior`, or that of the
            sample. The default with `prior`.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    n_resamples, rng, n_jobs
        Of the bootstrap for the confidence set of the threshold, and of method "bootstrap": number of
        resamples (default: 2,000, or as many as the level requires), generator or seed, threads.
    size
        Option of the methods, as in `cost_curve`.

    Returns
    -------
    ExpectedCost
        `estimate`, `lower` and `upper` are per case, in the currency of the unit costs. For rounded scores
        the interval is widened, and thresholds are the lowest scores of their levels.

    Raises
    ------
    ValueError
        Costs that are not positive, a prior outside (0, 1) or given with sampling="full", and as in
        `cost_curve`.

    See Also
    --------
    best_threshold : The same threshold and cost, with both rates; other criteria.
    expected_cost_difference : Difference between two models.
    cost_curve, cost_band : Cost under all operating conditions.
    cost_optimism : The optimism at any w.

    Notes
    -----
    The optimism and the confidence set of the threshold are those of `best_threshold`. The set is wide if the
    cost is nearly constant near its minimum.

    References
    ----------
    Dugas & Gadoury 2009, "Pointwise exact bootstrap distributions of cost curves", eqs. 2-5 and 9-10; Zou &
    Donner 2008; Efron & Tibshirani 1993, "An introduction to the bootstrap", section 17.6.

    Examples
    --------
    >>> from confroc import Scores, expected_cost
    >>> y_true = [0] * 100 + [1] * 100
    >>> y_score = [*range(100), *range(50, 150)]
    >>> print(expected_cost(y_true, y_score, false_negative=5, false_positive=1, rng=1))
    cost per case (false negative 5, false positive 1) 0.2755 (95% CI 0.2001 to 0.3523;
      mid_p, prevalence estimated; corrected by +0.0255 for optimism) at threshold 50 (38 to 57);
      without a model 0.5000
    >>> scores = Scores.from_counts([4, 3, 2, 1], pos=[60, 25, 10, 5], neg=[2, 8, 30, 60])
    >>> cost = expected_cost(scores, false_negative=500, false_positive=50, prior=0.1, rng=1)
    >>> cost.threshold, round(cost.estimate, 2), round(cost.lower, 2), round(cost.upper, 2)
    (3.0, 12.0, 8.14, 16.99)
    >>> cost.threshold_lower, cost.threshold_upper, cost.trivial
    (3.0, 3.0, 45.0)
    """
    check_scores("scores", scores, widens=True, dependent=True)
    generator, level = make_rng(rng), check_level(confidence_level)
    check_jobs(n_jobs)
    drawn = {"n_resamples": n_resamples, "rng": rng, "n_jobs": n_jobs}
    resamples = str(method) == "bootstrap" and not isinstance(method, Method)
    chosen = EXPECTED_COST.chosen(method, options | (drawn if resamples else {}), expected_cost)
    if threshold is not None and not resamples:
        where = f"with a threshold and method {chosen.name!r}"
        check_omitted(where, "Omit it, or use method 'bootstrap'.", n_resamples=n_resamples)
    unit, given = (false_negative, false_positive), {"threshold": threshold}
    (cost,), source = costs_per_case(scores, unit, given, validation, prior, sampling)
    resampling = check_resamples(n_resamples, level, N_BAND_RESAMPLES), generator, n_jobs
    found = infer(one(scores, cost), chosen, level)
    trivial = cost.trivial(scores)
    fields = fields_at(found, level, cost, source, prior, trivial) | {"quantity": cost.quantity}
    fields |= {"threshold_lower": math.nan, "threshold_upper": math.nan}
    if source != "given":
        chosen_on: Any = scores if validation is None else validation
        fields |= set_of(chosen_on, cost, cost.criterion(chosen_on), level, *resampling)
    share, at = cost.share(), float(found.threshold)
    w = float(cost.weights(share)[0])
    return ExpectedCost(**fields, w=w, prior=share.value, threshold=at)


@accepts_two_models
@lists_methods(EXPECTED_COST_DIFFERENCE)
def expected_cost_difference(
    pair: Pair,
    /,
    *,
    false_negative: float,
    false_positive: float,
    prior: Prior | None = None,
    threshold_a: float | None = None,
    threshold_b: float | None = None,
    validation: Pair | None = None,
    sampling: Sampling | None = None,
    method: str | Method = "agresti_min",
    confidence_level: float = 0.95,
    **options: Unpack[ExpectedCostDifferenceOptions],
) -> ExpectedCost:
    """Difference a − b between the costs per case of two models, each at its own threshold.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    false_negative, false_positive, prior, sampling
        As in `expected_cost`. Without `prior` the prevalence of two samples is that of both together.
    threshold_a, threshold_b : float, optional
        Thresholds that were not chosen on `pair`.
    validation : PairedScores or UnpairedScores, optional
        Other cases on which to choose each model's cheapest threshold. Default: thresholds are chosen on
        `pair`, and the difference is corrected for the optimism of both.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    ExpectedCost
        Per case, in the currency of the unit costs; negative if a is cheaper. Widened for rounded scores.

    Raises
    ------
    ValueError, TypeError
        As in `expected_cost` and `cost_difference`.

    See Also
    --------
    cost_difference_band : Operating conditions under which one model is cheaper.

    Notes
    -----
    If the thresholds are chosen on the sample, the interval allows for any bias between zero and the
    correction (Imbens & Manski 2004).

    References
    ----------
    Dugas & Gadoury 2009, "Pointwise exact bootstrap distributions of cost curves", eqs. 7-8 and 12-13, with
    the sign of a − b.

    Examples
    --------
    >>> from confroc import Scores, UnpairedScores, expected_cost_difference
    >>> a = Scores.from_counts([3, 2, 1], pos=[90, 8, 2], neg=[2, 18, 80])
    >>> b = Scores.from_counts([3, 2, 1], pos=[60, 30, 10], neg=[20, 40, 40])
    >>> costs = {"false_negative": 5, "false_positive": 1, "prior": 0.2}
    >>> print(expected_cost_difference(UnpairedScores(a, b), **costs, threshold_a=2, threshold_b=2))
    cost_a - cost_b -0.4000 (95% CI -0.5123 to -0.2720; agresti_min, unpaired, prevalence known)
      at thresholds 2 and 2
    """
    chosen = EXPECTED_COST_DIFFERENCE.chosen(method, options, expected_cost_difference)
    check_pair("pair", pair, widens=True, dependent=True)
    unit, given = (false_negative, false_positive), {"threshold_a": threshold_a, "threshold_b": threshold_b}
    level = check_level(confidence_level)
    costs, source = costs_per_case(pair, unit, given, validation, prior, sampling)
    found = infer(contrast(pair, costs), chosen, level)
    share = costs[0].share()
    return ExpectedCost(
        **fields_at(found, level, costs[0], source, prior),
        **compared(pair, "cost", found.threshold),
        w=float(costs[0].weights(share)[0]),
        prior=share.value,
    )


def costs_per_case(
    data: Scores | Pair,
    unit: tuple[float, float],
    given: Mapping[str, ArrayLike | None],
    validation: object,
    prior: Prior | None,
    sampling: Sampling | None,
) -> tuple[tuple[CostPerCase, ...], Source]:
    """Return the cost per case of each model at its threshold, and the source of the thresholds."""
    share, sampling = share_in_use(data, prior, sampling)
    cost = CostPerCase(false_negative=unit[0], false_positive=unit[1], sampling=sampling, prevalence=share)
    for name, threshold in given.items():
        if threshold is not None and np.size(threshold) != 1:
            raise ArgumentError(name, "be a single number", threshold, "`cost_curve` accepts several.")
    thresholds, source = choose(data, Criterion.cost(cost.weights(share)), given, validation)
    return placed(cost, thresholds, source), source
