"""Cost curves and cost differences with pointwise intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import check_level, check_settings, check_size
from confroc._types import RNG, Ends, FloatArray, Sampling, Size
from confroc.cost.conditions import Count, check_w, share_in_curve
from confroc.cost.error_rates import PricedErrors, form_of
from confroc.cost.intervals import Resampling, fields, rounding_errors
from confroc.cost.thresholds import (
    KEPT_INSIDE,
    OPTIMISTIC,
    ChosenThresholds,
    Source,
    ThresholdRange,
    choose,
    within,
)
from confroc.methods import Method
from confroc.methods.cost import COST_CURVE, COST_DIFFERENCE
from confroc.resample import N_RESAMPLES, resamples_or
from confroc.results import Intervals
from confroc.scores import (
    Pair,
    PairedScores,
    Scores,
    accepts_one_model,
    accepts_two_models,
    check_pair,
    check_scores,
    difference_label,
    widened,
)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CostCurve(ChosenThresholds, Intervals):
    """Normalised cost of one model at each w, with intervals.

    Attributes
    ----------
    threshold : ndarray of shape (h,)
        Threshold at each w.
    threshold_source : {"given", "validation", "same_sample"}
    optimistic : bool
        Whether the costs are too low because thresholds were chosen on the same cases.
    sampling : {"stratified", "full"}
    at, estimate, lower, upper, ...
        As in `Intervals`; `at` holds w.
    """

    threshold: FloatArray
    threshold_source: Source
    sampling: Sampling

    def _columns(self) -> Mapping[str, Any]:
        return {**super()._columns(), "threshold": self.threshold}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CostDifference(ChosenThresholds, Intervals):
    """Difference a − b of two models' normalised costs at each w, or of their net benefits at each risk.

    Attributes
    ----------
    threshold_a, threshold_b : ndarray of shape (h,)
    threshold_source : {"given", "validation", "same_sample"}
    optimistic : bool
        As in `CostCurve`, of both models.
    sampling : {"stratified", "full"}
    design : {"paired", "unpaired"}
    at, estimate, lower, upper, ...
        As in `Intervals`; `at` holds w, or the risk threshold. Negative costs are in favour of a, negative
        benefits of b.
    """

    threshold_a: FloatArray
    threshold_b: FloatArray
    threshold_source: Source
    sampling: Sampling
    design: Literal["paired", "unpaired"]

    def _columns(self) -> Mapping[str, Any]:
        return {**super()._columns(), "threshold_a": self.threshold_a, "threshold_b": self.threshold_b}


@accepts_one_model
def cost_curve(
    scores: Scores,
    *,
    w: ArrayLike | None = None,
    threshold: ArrayLike | None = None,
    validation: Scores | None = None,
    threshold_range: ThresholdRange = "any",
    prior: Count | None = None,
    sampling: Sampling = "stratified",
    method: str = "newcombe",
    confidence_level: float = 0.95,
    size: Size = None,
    n_resamples: int | None = None,
    rng: RNG = None,
    n_jobs: int = 1,
) -> CostCurve:
    """Cost curve of one model: normalised cost at each w, with pointwise intervals.

    w weighs the two kinds of error: w = π·c_FN / (π·c_FN + (1 − π)·c_FP) for a share π of positives and
    unit costs c (see `cost_weight`). Each w has its own threshold, and a case is called positive when its
    score is at or above it.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
        The cases on which the cost is measured.
    w : float or array-like of shape (h,), optional
        In [0, 1]; 101 even steps by default.
    threshold : float or array-like of shape (h,), optional
        Thresholds, one per w or one for all, chosen without looking at the sample; ±inf allowed.
    validation : Scores, optional
        Other cases on which to choose the cheapest threshold for each w. Without this and `threshold`
        thresholds are chosen on `scores` itself. **That is optimistic**: the estimates are too low, and
        the intervals under-cover, the more so the fewer the cases (`cost_optimism` measures it).
    threshold_range : {"any", "observed", "both_classes"}
        any : thresholds as they are.
        observed : a threshold beyond all scores of the sample, which calls none or all of them positive,
            becomes the nearest score that does not. With the methods that fail near w = 0 and 1 this helps
            little, since either kind of error may still be without a case.
        both_classes : the same for each class, so that either kind of error has a case. Refused where the
            classes do not overlap.
    prior : (float, float), optional
        (12, 150): the share of positives behind w is an estimate from 150 other cases, 12 of them positive,
        and the interval is wider by its uncertainty. The unit costs are those that w stands for at that
        estimate. A prior with mean π and variance v is `(π·n, n)` with n = π(1 − π)/v, such as Beta(a, b)
        with n = a + b + 1. By default w is known. With both bootstraps the counts are whole, and those cases
        are resampled too.
    sampling : {"stratified", "full"}
        stratified : the class sizes are fixed; cost w·FNR + (1 − w)·FPR, the cost under operating
            conditions that are known.
        full : the class sizes vary too, binomially around the sample's; cost per case
            (c_FN·FN + c_FP·FP)/n divided by the larger unit cost, with the ratio of unit costs that w
            stands for at the sample's share of positives. At w = that share it is the error rate. Not with
            `prior`.
    method : {"newcombe", "agresti_coull", "wald", "bootstrap", "exact_bootstrap"}
        newcombe : Wilson's limits of the two error rates, squared and added. Maintains its coverage near w =
            0 and 1 and with the threshold outside the observed scores. Asymptotic.
        agresti_coull : the Gaussian fit after adding two errors and two correct cases to each class.
            Survives the same places, over-covers there, and under-covers a little in the middle with few
            cases, where both rates are drawn towards one half. Asymptotic.
        wald : Gaussian fit to the bootstrap distribution's mean and variance. Has no coverage where no error
            is observed; kept for comparison. Asymptotic.
        bootstrap : percentiles of resamples, thresholds held fixed. Fails in the same places.
        exact_bootstrap : the same percentiles of the exact bootstrap distribution, without resampling. Fails
            in the same places.
    confidence_level : float
        In (0, 1).
    size : (int, int), optional
        (m_pos, m_neg): give the uncertainty of a sample of that size; by default the data's own. Not for
        "newcombe".
    n_resamples, rng, n_jobs : int; Generator, int or None; int
        For "bootstrap": resamples (default: 2,000), their random numbers, and the jobs that share them out,
        on which the result does not depend.

    Returns
    -------
    CostCurve
        Ends inside [0, 1], with `prior` up to the cost of the worst share; for rounded scores widened by what
        the rounding can have changed. The level is for one interval at a time.

    Raises
    ------
    ValueError
        w outside [0, 1], thresholds that do not match w, both `threshold` and `validation`, a `validation`
        of the same cases, a `prior` that is a single number or given with sampling="full", unknown method,
        impossible level or size.
    TypeError
        `scores` or `validation` not a `Scores`.

    Warns
    -----
    ConfrocWarning
        When intervals have zero width, and when an exact distribution is too large to compute (its quantiles
        are then refined normal ones).

    See Also
    --------
    cost_band : All w together.
    expected_cost : One operating condition, in units of money.

    Notes
    -----
    All w together cost O((n + h) log n), apart from the two bootstrap methods.

    References
    ----------
    Dugas & Gadoury 2009, "Pointwise exact bootstrap distributions of cost curves", eqs. 3-5 (stratified)
    and 9-10 (full), section 4 (`prior`) and section 7 (`threshold_range`); Newcombe 1998; Zou &
    Donner 2008; Agresti & Coull 1998.

    Examples
    --------
    >>> from confroc import Scores, cost_curve
    >>> scores = Scores.from_counts([3, 2, 1], pos=[30, 15, 5], neg=[2, 18, 80])
    >>> curve = cost_curve(scores, w=[0.2, 0.5], threshold=[3, 2])
    >>> curve.estimate, curve.lower.round(3), curve.upper.round(3)
    (array([0.096, 0.15 ]), array([0.069, 0.106]), array([0.145, 0.222]))
    """
    row = COST_CURVE.check(method, size=size, n_resamples=n_resamples)
    check_scores("scores", scores, widens=True)
    given = {"threshold": threshold}
    resampling = Resampling(resamples_or(N_RESAMPLES, n_resamples), rng, n_jobs)
    (chosen,), found, errors, most = _curve(
        scores,
        w,
        given,
        validation,
        threshold_range,
        prior,
        sampling,
        row,
        confidence_level,
        size,
        resampling,
    )
    return widened(CostCurve(quantity="cost", threshold=chosen, **found), *errors, bounds=(0.0, most))


@accepts_two_models
def cost_difference(
    pair: Pair,
    *,
    w: ArrayLike | None = None,
    threshold_a: ArrayLike | None = None,
    threshold_b: ArrayLike | None = None,
    validation: Pair | None = None,
    threshold_range: ThresholdRange = "any",
    prior: Count | None = None,
    sampling: Sampling = "stratified",
    method: str = "agresti_min",
    confidence_level: float = 0.95,
    size: Size = None,
    n_resamples: int | None = None,
    rng: RNG = None,
    n_jobs: int = 1,
) -> CostDifference:
    """Difference a − b of two models' normalised costs at each w, with pointwise intervals.

    Negative where model a is cheaper. On the same cases only those count that one model gets wrong and
    the other right.

    Parameters
    ----------
    pair : PairedScores, UnpairedScores or (y_true, score_a, score_b)
    w : float or array-like of shape (h,), optional
        In [0, 1]; 101 even steps by default.
    threshold_a, threshold_b : float or array-like of shape (h,), optional
        Thresholds of each model, one per w or one for all, chosen without looking at the sample.
    validation : PairedScores or UnpairedScores, optional
        Other cases on which to choose each model's cheapest threshold. Without this and the thresholds
        they are chosen on `pair` itself, which is optimistic for both models.
    threshold_range : {"any", "observed", "both_classes"}
        As in `cost_curve`, of each model's own scores.
    prior : (float, float), optional
        As in `cost_curve`: other cases from which the share of positives behind w is estimated.
    sampling : {"stratified", "full"}
        As in `cost_curve`. For two test sets under "full" the unit costs behind w are those at the share
        of positives of both sets together.
    method : {"agresti_min", "wald", "bootstrap", "exact_bootstrap"}
        agresti_min : the Gaussian fit after adding ½ to each of the four cells of each class's table; for
            two test sets, one error and one correct case to each class. Maintains its coverage near w = 0 and
            1 and with thresholds outside the observed scores. Asymptotic.
        wald : Gaussian fit to the bootstrap distribution. Has no coverage where no case is discordant; kept
            for comparison. Asymptotic.
        bootstrap, exact_bootstrap
            As in `cost_curve`.
    confidence_level, size, n_resamples, rng, n_jobs
        As in `cost_curve`; `size` applies to each model.

    Returns
    -------
    CostDifference
        Ends inside [−1, 1], with `prior` and for rounded scores as in `cost_curve`.

    Raises
    ------
    ValueError, TypeError
        As in `cost_curve`; also when one threshold is given without the other.

    Warns
    -----
    ConfrocWarning
        As in `cost_curve`.

    See Also
    --------
    cost_difference_band : All w together.

    References
    ----------
    Dugas & Gadoury 2009, "Pointwise exact bootstrap distributions of cost curves", eqs. 7-8 (stratified)
    and 12-13 (full), with the sign of a − b; Agresti & Min 2005 (pairs); Agresti & Caffo 2000 (two sets).

    Examples
    --------
    >>> from confroc import PairedScores, cost_difference
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> pair = PairedScores(y, [1, 2, 3, 6, 4, 5, 7, 8], [4, 1, 2, 8, 3, 7, 5, 6])
    >>> difference = cost_difference(pair, w=0.5, threshold_a=4, threshold_b=5)
    >>> difference.estimate, difference.lower.round(3), difference.upper.round(3)
    (array([-0.125]), array([-0.358]), array([0.192]))
    """
    row = COST_DIFFERENCE.check(method, size=size, n_resamples=n_resamples)
    check_pair("pair", pair, widens=True)
    given = {"threshold_a": threshold_a, "threshold_b": threshold_b}
    resampling = Resampling(resamples_or(N_RESAMPLES, n_resamples), rng, n_jobs)
    (a, b), found, errors, most = _curve(
        pair,
        w,
        given,
        validation,
        threshold_range,
        prior,
        sampling,
        row,
        confidence_level,
        size,
        resampling,
    )
    difference = CostDifference(
        quantity=difference_label("cost", pair), threshold_a=a, threshold_b=b, design=design_of(pair), **found
    )
    return widened(difference, *errors, bounds=(-most, most))


def design_of(pair: Pair) -> Literal["paired", "unpaired"]:
    """Whether both models scored the same cases."""
    return "paired" if isinstance(pair, PairedScores) else "unpaired"


def _curve(
    data: Scores | Pair,
    w: ArrayLike | None,
    given: Mapping[str, ArrayLike | None],
    validation: Scores | Pair | None,
    threshold_range: ThresholdRange,
    prior: Count | None,
    sampling: Sampling,
    row: Method,
    confidence_level: float,
    size: Size,
    resampling: Resampling,
) -> tuple[tuple[FloatArray, ...], dict[str, Any], Ends, FloatArray]:
    """Thresholds, fields of the result, what rounded scores may have changed, and the largest cost."""
    at = check_w(w)
    share, sampling = share_in_curve(data, prior, sampling)
    share.check(prior, row)
    level = check_level(confidence_level)
    check_settings(resampling.rng, resampling.n_jobs)
    m = None if size is None else check_size(size, 1, 1)
    thresholds, source = choose(data, at, given, validation)
    thresholds = within(data, thresholds, threshold_range)
    form = form_of(at, share, sampling)
    priced = PricedErrors.of(data, thresholds, form, sampling, size=m, share=share)
    found = fields(priced, row, level, resampling)
    most = np.maximum(*form) if share.uncertain else np.ones_like(at)
    low = 0.0 if isinstance(data, Scores) else -most
    found |= {name: np.clip(found[name], low, most) for name in ("lower", "upper")}
    found["notes"] += share.notes
    if threshold_range != "any":
        found["notes"] += (KEPT_INSIDE,)
    found |= {"at_name": "w", "at": at, "threshold_source": source, "sampling": sampling}
    anew = None
    if source == "same_sample":
        found["notes"] += (OPTIMISTIC,)
        anew = at
    errors = rounding_errors(data, thresholds, form, sampling, chosen_at=anew, share=share)
    return thresholds, found, errors, most
