"""Cost curves and cost differences with pointwise intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import check_level
from confroc._options import CostCurveOptions, CostDifferenceOptions
from confroc._types import FloatArray, Sampling
from confroc.base import Method, family, lists_methods
from confroc.cost import methods
from confroc.cost.thresholds import (
    KEPT_INSIDE,
    ChosenThresholds,
    Source,
    ThresholdRange,
    choose,
    compared,
    contrast,
    placed,
    within,
)
from confroc.inference import Inferred, fields_of, infer
from confroc.results import Intervals
from confroc.scores import (
    Pair,
    Scores,
    accepts_one_model,
    accepts_two_models,
    check_pair,
    check_scores,
)
from confroc.statistics.cheapest import Criterion
from confroc.statistics.cost import Cost
from confroc.statistics.prevalence import Count, check_w, share_in_curve


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CostCurve(ChosenThresholds, Intervals):
    """Cost, or net benefit, of one model or of the difference a − b of two, with pointwise intervals.

    Attributes
    ----------
    threshold : ndarray of shape (h,), optional
        Threshold used at each w, or the one that stands for each risk.
    threshold_a, threshold_b : ndarray of shape (h,), optional
        Those of both models of a difference.
    threshold_source : {"given", "validation", "same_sample"}
    optimism : ndarray of shape (h,)
        What was added to the cost on the sample because thresholds were chosen on it, of a difference that of
        a less that of b; 0 when they were not, NaN when a class is a single case, which leaves the cost
        optimistic.
    sampling : {"stratified", "full"}
    design : {"paired", "unpaired"}, optional
        Of a difference.
    at, estimate, lower, upper, ...
        As in `Intervals`; `at` holds w, or the risk threshold.
    """

    threshold_source: Source
    optimism: FloatArray
    sampling: Sampling
    design: Literal["paired", "unpaired"] | None = None

    def _columns(self) -> Mapping[str, Any]:
        """The table, with the optimism where there is one."""
        chosen_here = self.threshold_source == "same_sample"
        return {k: v for k, v in super()._columns().items() if chosen_here or k != "optimism"}


COST_CURVE = family("cost_curve", "Cost curve", methods.ONE[0], "mid_p")
COST_DIFFERENCE = family("cost_difference", "Difference of two cost curves", methods.TWO[0], "agresti_min")


@accepts_one_model
@lists_methods(COST_CURVE)
def cost_curve(
    scores: Scores,
    /,
    *,
    w: ArrayLike | None = None,
    threshold: ArrayLike | None = None,
    validation: Scores | None = None,
    threshold_range: ThresholdRange = "any",
    prior: Count | None = None,
    sampling: Sampling = "stratified",
    method: str | Method = "mid_p",
    confidence_level: float = 0.95,
    **options: Unpack[CostCurveOptions],
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
        thresholds are chosen on `scores` itself; estimates and intervals are then corrected for that.
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
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

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
    (array([0.096, 0.15 ]), array([0.065, 0.101]), array([0.14 , 0.217]))
    """
    chosen = COST_CURVE.chosen(method, options, cost_curve)
    check_scores("scores", scores, widens=True, dependent=True)
    given = {"threshold": threshold}
    return _curve(scores, chosen, confidence_level, w, given, validation, threshold_range, prior, sampling)


@accepts_two_models
@lists_methods(COST_DIFFERENCE)
def cost_difference(
    pair: Pair,
    /,
    *,
    w: ArrayLike | None = None,
    threshold_a: ArrayLike | None = None,
    threshold_b: ArrayLike | None = None,
    validation: Pair | None = None,
    threshold_range: ThresholdRange = "any",
    prior: Count | None = None,
    sampling: Sampling = "stratified",
    method: str | Method = "agresti_min",
    confidence_level: float = 0.95,
    **options: Unpack[CostDifferenceOptions],
) -> CostCurve:
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
        they are chosen on `pair` itself; the difference is then corrected for each model's optimism.
    threshold_range : {"any", "observed", "both_classes"}
        As in `cost_curve`, of each model's own scores.
    prior : (float, float), optional
        As in `cost_curve`: other cases from which the share of positives behind w is estimated.
    sampling : {"stratified", "full"}
        As in `cost_curve`. For two test sets under "full" the unit costs behind w are those at the share
        of positives of both sets together.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    CostCurve
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
    chosen = COST_DIFFERENCE.chosen(method, options, cost_difference)
    check_pair("pair", pair, widens=True, dependent=True)
    given = {"threshold_a": threshold_a, "threshold_b": threshold_b}
    return _curve(pair, chosen, confidence_level, w, given, validation, threshold_range, prior, sampling)


def _curve(
    data: Scores | Pair,
    method: Method,
    confidence_level: float,
    w: ArrayLike | None,
    given: Mapping[str, ArrayLike | None],
    validation: Scores | Pair | None,
    threshold_range: ThresholdRange,
    prior: Count | None,
    sampling: Sampling,
) -> CostCurve:
    """Return the costs of one model, or the differences of two, at each w."""
    level, at = check_level(confidence_level), check_w(w)
    share, sampling = share_in_curve(data, prior, sampling)
    thresholds, source = choose(data, Criterion.cost(at), given, validation)
    thresholds = within(data, thresholds, threshold_range)
    costs = placed(Cost(w=at, sampling=sampling, prevalence=share), thresholds, source)
    found = infer(contrast(data, costs), method, level)
    notes = share.notes + ((KEPT_INSIDE,) if threshold_range != "any" else ())
    return curve_of(
        CostCurve,
        found,
        data,
        level,
        notes,
        quantity="cost",
        at_name="w",
        at=at,
        threshold_source=source,
        sampling=sampling,
    )


C = TypeVar("C", bound=CostCurve)


def curve_of(
    of: type[C],
    found: Inferred,
    data: Scores | Pair,
    level: float,
    notes: tuple[str, ...],
    *,
    quantity: str,
    **fields: Any,
) -> C:
    """Return the result of what was found."""
    return of(
        optimism=np.broadcast_to(found.optimism, found.estimate.shape),
        **compared(data, quantity, found.threshold),
        **fields,
        **fields_of(found, level, *notes),
    )
