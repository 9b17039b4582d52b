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
    """Cost or net benefit of one model, or the difference a − b of two, with pointwise intervals.

    Attributes
    ----------
    threshold : ndarray of shape (h,), optional
        Threshold at each w or risk.
    threshold_a, threshold_b : ndarray of shape (h,), optional
        Thresholds of both models of a difference.
    threshold_source : {"given", "validation", "same_sample"}
    optimism : ndarray of shape (h,)
        Correction added to the cost in the sample; for a difference, that of a minus that of b. 0 if the
        thresholds were not chosen on the sample, and NaN if a class has a single case, where the cost is not
        corrected.
    sampling : {"stratified", "full"}
    design : {"paired", "unpaired"}, optional
        Design of a difference.
    at, estimate, lower, upper, ...
        As in `Intervals`; `at` is w or the risk threshold.
    """

    threshold_source: Source
    optimism: FloatArray
    sampling: Sampling
    design: Literal["paired", "unpaired"] | None = None

    @property
    def _title(self) -> str:
        return "Cost curve" if self.at_name == "w" else "Decision curve"

    def _columns(self) -> Mapping[str, Any]:
        """Return the columns of the table, without zero optimism and thresholds that are the risks."""
        omitted = set() if self.threshold_source == "same_sample" else {"optimism"}
        if self.at_name == "risk":
            names = ("threshold", "threshold_a", "threshold_b")
            omitted |= {name for name in names if np.array_equal(getattr(self, name), self.at)}
        return {k: v for k, v in super()._columns().items() if k not in omitted}


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
    """Cost curve of one model: normalized cost at each w, with pointwise intervals.

    w weights the two kinds of error: w = π·c_FN / (π·c_FN + (1 − π)·c_FP) for prevalence π and unit costs c
    (see `cost_weight`). Each w has its own threshold; cases with scores at or above it are predicted
    positive.

    Parameters
    ----------
    scores : Scores
        Cases on which the cost is evaluated.
    w : float or array-like of shape (h,), optional
        In [0, 1]. Default: 101 equally spaced values.
    threshold : float or array-like of shape (h,), optional
        Thresholds that were not chosen on `scores`, one per w or one for all; ±inf allowed.
    validation : Scores, optional
        Other cases on which to choose the cheapest threshold for each w. Default: thresholds are chosen on
        `scores`, and estimates and intervals are corrected for optimism.
    threshold_range : {"any", "observed", "both_classes"}
        any : thresholds are not changed.
        observed : a threshold at which no case or all cases are predicted positive is moved to the nearest
            score at which they are not.
        both_classes : the same within each class, so both kinds of error occur. An error if the classes
            do not overlap.
    prior : (float, float), optional
        `(12, 150)`: the prevalence in w is estimated from 12 positives among 150 other cases, and its
        uncertainty widens the interval. Unit costs are those of w at that estimate. A prior with mean π and
        variance v is `(π·n, n)` with n = π(1 − π)/v, e.g. Beta(a, b) with n = a + b + 1. Both bootstraps
        resample those cases and require whole counts. Default: w is known.
    sampling : {"stratified", "full"}
        stratified : the class sizes are fixed. The cost is w·FNR + (1 − w)·FPR, under known operating
            conditions.
        full : the class sizes are binomial. The cost is (c_FN·FN + c_FP·FP)/n, divided by the larger unit
            cost, where the ratio of unit costs is that of w at the sample's prevalence. If w equals the
            prevalence it is the error rate. Not available with `prior`.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    CostCurve
        Pointwise limits in [0, 1]; with `prior`, up to the cost at the least favorable prevalence. For
        rounded scores widened by the possible effect of rounding.

    Raises
    ------
    ValueError
        w outside [0, 1], thresholds that do not match w, both `threshold` and `validation`, a `validation`
        with the same cases, a `prior` that is a single number or given with sampling="full", unknown method,
        invalid level or size.
    TypeError
        `scores` or `validation` is not a `Scores`.

    Warns
    -----
    ConfrocWarning
        If intervals have zero width, or if an exact distribution is too large to compute; its quantiles are
        then Cornish–Fisher approximations.

    See Also
    --------
    cost_band : Simultaneous band for all w.
    expected_cost : One operating condition, in a currency.

    Notes
    -----
    The time is O((n + h) log n), except for the two bootstrap methods.

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
    """Difference a − b between the normalized costs of two models at each w, with pointwise intervals.

    It is negative where model a is cheaper. For paired models it depends only on the cases that exactly one
    model classifies correctly.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    w : float or array-like of shape (h,), optional
        In [0, 1]. Default: 101 equally spaced values.
    threshold_a, threshold_b : float or array-like of shape (h,), optional
        Thresholds that were not chosen on `pair`, one per w or one for all.
    validation : PairedScores or UnpairedScores, optional
        Other cases on which to choose each model's cheapest threshold. Default: thresholds are chosen on
        `pair`, and the difference is corrected for the optimism of both.
    threshold_range : {"any", "observed", "both_classes"}
        As in `cost_curve`, for each model's scores.
    prior : (float, float), optional
        As in `cost_curve`.
    sampling : {"stratified", "full"}
        As in `cost_curve`. For two samples under "full", the unit costs are those of w at the prevalence of
        both samples together.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    CostCurve
        Limits in [−1, 1]; with `prior` and for rounded scores as in `cost_curve`.

    Raises
    ------
    ValueError, TypeError
        As in `cost_curve`; also if only one of the thresholds is given.

    Warns
    -----
    ConfrocWarning
        As in `cost_curve`.

    See Also
    --------
    cost_difference_band : Simultaneous band for all w.

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
    """Return the costs of one model, or the differences between two, at each w."""
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
    """Return a cost curve or a class derived from it."""
    return of(
        optimism=np.broadcast_to(found.optimism, found.estimate.shape),
        **compared(data, quantity, found.threshold),
        **fields,
        **fields_of(found, level, *notes),
    )
