"""Cost curves and cost differences with pointwise intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import check_choice, check_level, check_size, make_rng
from confroc._types import RNG, FloatArray, Sampling, Size
from confroc.cost.moments import linear_form
from confroc.cost.problem import Method, Problem, one_model, pooled_share, solve, two_models
from confroc.cost.rounded import cost_errors, pair_cost_errors
from confroc.cost.thresholds import OPTIMISTIC, Source, check_w, choose, choose_pair
from confroc.points.shared import guarantee_of, refuse_size
from confroc.resample import SAMPLINGS
from confroc.results import Intervals, read_only
from confroc.scores import Pair, PairedScores, Scores, check_pair, check_scores, widened

CostMethod: TypeAlias = Literal["newcombe", "agresti_coull", "wald", "bootstrap", "exact_bootstrap"]
CostDifferenceMethod: TypeAlias = Literal["agresti_min", "wald", "bootstrap", "exact_bootstrap"]

METHODS: dict[str, Method] = {
    "newcombe": "newcombe",
    "agresti_coull": "smoothed",
    "agresti_min": "smoothed",
    "wald": "wald",
    "bootstrap": "bootstrap",
    "exact_bootstrap": "exact_bootstrap",
}
COST_METHODS = ("newcombe", "agresti_coull", "wald", "bootstrap", "exact_bootstrap")
COST_DIFFERENCE_METHODS = ("agresti_min", "wald", "bootstrap", "exact_bootstrap")


class Ribbon(Intervals):
    """Intervals along a curve, however few."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CostCurve(Ribbon):
    """Normalised cost of one model at each w, with intervals.

    Attributes
    ----------
    threshold : ndarray of shape (h,)
        Threshold at each w.
    threshold_source : {"given", "validation", "same_sample"}
    sampling : {"stratified", "full"}
    at, estimate, lower, upper, ...
        As in `Intervals`; `at` holds w.
    """

    threshold: FloatArray
    threshold_source: Source
    sampling: Sampling

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "threshold", read_only(self.threshold))

    def _columns(self) -> Mapping[str, Any]:
        return {**super()._columns(), "threshold": self.threshold}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CostDifference(Ribbon):
    """Difference a − b of two models' normalised costs at each w; negative where a is cheaper.

    Attributes
    ----------
    threshold_a, threshold_b : ndarray of shape (h,)
    threshold_source : {"given", "validation", "same_sample"}
    sampling : {"stratified", "full"}
    design : {"paired", "unpaired"}
    at, estimate, lower, upper, ...
        As in `Intervals`; `at` holds w.
    """

    threshold_a: FloatArray
    threshold_b: FloatArray
    threshold_source: Source
    sampling: Sampling
    design: Literal["paired", "unpaired"]

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("threshold_a", "threshold_b"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    def _columns(self) -> Mapping[str, Any]:
        return {**super()._columns(), "threshold_a": self.threshold_a, "threshold_b": self.threshold_b}


def check_sampling(sampling: object) -> Sampling:
    """Return the way the cases are taken to be drawn."""
    return "full" if check_choice("sampling", sampling, SAMPLINGS) == "full" else "stratified"


def internal(method: str) -> Method:
    """Both smoothed methods are one: pseudo-cases, as many as suit the design."""
    return METHODS[method]


def cost_curve(
    scores: Scores,
    w: ArrayLike | None = None,
    *,
    threshold: ArrayLike | None = None,
    validation: Scores | None = None,
    sampling: Sampling = "stratified",
    method: CostMethod = "newcombe",
    confidence_level: float = 0.95,
    size: Size = None,
    n_resamples: int = 2000,
    rng: RNG = None,
    n_jobs: int = 1,
) -> CostCurve:
    """Cost curve of one model: normalised cost at each w, with pointwise intervals.

    w weighs the two kinds of error: w = π·c_FN / (π·c_FN + (1 − π)·c_FP) for a share π of positives and
    unit costs c (see `cost_weight`). Each w has its own threshold, and a case is called positive when its
    score is at or above it.

    Parameters
    ----------
    scores : Scores
        The cases on which the cost is measured.
    w : float or array-like of shape (h,), optional
        In [0, 1]; 101 even steps by default.
    threshold : float or array-like of shape (h,), optional
        Thresholds, one per w or one for all, chosen without looking at these cases; ±inf allowed.
    validation : Scores, optional
        Other cases on which to choose the cheapest threshold for each w. Without this and `threshold`
        thresholds are chosen on `scores` itself. **That is optimistic**: the estimates are too low, and
        the intervals under-cover, the more so the fewer the cases (`cost_optimism` measures it).
    sampling : {"stratified", "full"}
        stratified : the class sizes are fixed; cost w·FNR + (1 − w)·FPR, the cost under operating
            conditions that are known.
        full : the class sizes vary too, binomially around the sample's; cost per case
            (c_FN·FN + c_FP·FP)/n divided by the larger unit cost, with the ratio of unit costs that w
            stands for at the sample's share of positives. At w = that share it is the error rate.
    method : {"newcombe", "agresti_coull", "wald", "bootstrap", "exact_bootstrap"}
        newcombe : Wilson's limits of the two error rates, squared and added (Newcombe 1998; Zou & Donner
            2008). Keeps its coverage near w = 0 and 1 and with the threshold outside the observed
            scores. Asymptotic.
        agresti_coull : the Gaussian fit after adding two errors and two correct cases to each class.
            Survives the same places, over-covers there, and under-covers a little in the middle with few
            cases, where both rates are drawn towards one half. Asymptotic.
        wald : Gaussian fit to the bootstrap law's mean and variance (Dugas & Gadoury 2009, cost curves,
            eqs. 4-5 and 9-10). Has no coverage where no error is observed; kept for comparison.
            Asymptotic.
        bootstrap : percentiles of resamples, thresholds held fixed. Fails in the same places.
        exact_bootstrap : the same percentiles of the exact bootstrap law, without resampling. Fails in
            the same places.
    confidence_level : float
        In (0, 1).
    size : (int, int), optional
        (m_pos, m_neg): give the uncertainty of a sample of that size; by default the data's own. Not for
        "newcombe".
    n_resamples : int
        For "bootstrap".
    rng : Generator, int or None
        For "bootstrap".
    n_jobs : int
        Jobs by which joblib shares the resamples out; the result does not depend on it.

    Returns
    -------
    CostCurve
        Ends inside [0, 1], for rounded scores widened by what the rounding can have changed. One interval at
        a time has the level; see `cost_band` for all w together.

    Raises
    ------
    ValueError
        w outside [0, 1], thresholds that do not match w, both `threshold` and `validation`, unknown
        method, impossible level or size.
    TypeError
        `scores` or `validation` not a `Scores`.

    Warns
    -----
    ConfrocWarning
        When intervals have zero width, and when an exact law is too large to lay out (its quantiles are
        then refined normal ones).

    Notes
    -----
    All w together cost O((n + h) log n), apart from the two bootstrap methods.

    Examples
    --------
    >>> from confroc import Scores, cost_curve
    >>> scores = Scores.from_counts([3, 2, 1], pos=[30, 15, 5], neg=[2, 18, 80])
    >>> curve = cost_curve(scores, [0.2, 0.5], threshold=[3, 2])
    >>> curve.estimate, curve.lower.round(3), curve.upper.round(3)
    (array([0.096, 0.15 ]), array([0.069, 0.106]), array([0.145, 0.222]))
    """
    check_scores("scores", scores, widens=True)
    at = check_w(w)
    sampling = check_sampling(sampling)
    check_choice("method", method, COST_METHODS)
    level = check_level(confidence_level)
    if method == "newcombe":
        refuse_size(size, method, "Use 'agresti_coull'.")
    thresholds, source = choose(scores, at, threshold, validation)
    part = one_model(scores, thresholds, check_size(size, scores.n_pos, scores.n_neg))
    form = linear_form(at, part.sample.share, sampling)
    solution = solve(
        Problem((part,), *form, sampling), internal(method), level, n_resamples, make_rng(rng), n_jobs
    )
    anew = at if source == "same_sample" else None
    errors = cost_errors(scores, thresholds, form, sampling, chosen_at=anew)
    curve = CostCurve(
        quantity="cost",
        at_name="w",
        at=at,
        estimate=solution.estimate,
        lower=np.clip(solution.lower, 0.0, 1.0),
        upper=np.clip(solution.upper, 0.0, 1.0),
        confidence_level=level,
        method=method,
        guarantee=guarantee_of(method),
        notes=solution.notes + ((OPTIMISTIC,) if source == "same_sample" else ()),
        threshold=thresholds,
        threshold_source=source,
        sampling=sampling,
    )
    return widened(curve, *errors, bounds=(0.0, 1.0))


def cost_difference(
    pair: Pair,
    w: ArrayLike | None = None,
    *,
    threshold_a: ArrayLike | None = None,
    threshold_b: ArrayLike | None = None,
    validation: Pair | None = None,
    sampling: Sampling = "stratified",
    method: CostDifferenceMethod = "agresti_min",
    confidence_level: float = 0.95,
    size: Size = None,
    n_resamples: int = 2000,
    rng: RNG = None,
    n_jobs: int = 1,
) -> CostDifference:
    """Difference a − b of two models' normalised costs at each w, with pointwise intervals.

    Negative where model a is cheaper. On the same cases only those count that one model gets wrong and
    the other right.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    w : float or array-like of shape (h,), optional
        In [0, 1]; 101 even steps by default.
    threshold_a, threshold_b : float or array-like of shape (h,), optional
        Thresholds of each model, one per w or one for all, chosen without looking at these cases.
    validation : PairedScores or UnpairedScores, optional
        Other cases on which to choose each model's cheapest threshold. Without this and the thresholds
        they are chosen on `pair` itself, which is optimistic for both models.
    sampling : {"stratified", "full"}
        As in `cost_curve`. For two test sets under "full" the unit costs behind w are those at the share
        of positives of both sets together.
    method : {"agresti_min", "wald", "bootstrap", "exact_bootstrap"}
        agresti_min : the Gaussian fit after adding ½ to each of the four cells of each class's table
            (Agresti & Min 2005); for two test sets, one error and one correct case to each class
            (Agresti & Caffo 2000). Keeps its coverage near w = 0 and 1 and with thresholds outside the
            observed scores. Asymptotic.
        wald : Gaussian fit to the bootstrap law (Dugas & Gadoury 2009, cost curves, eqs. 7-8 and 12-13,
            with the sign of a − b). Has no coverage where no case is discordant; kept for comparison.
            Asymptotic.
        bootstrap, exact_bootstrap
            As in `cost_curve`.
    confidence_level, size, n_resamples, rng, n_jobs
        As in `cost_curve`; `size` applies to each model.

    Returns
    -------
    CostDifference
        Ends inside [−1, 1], for rounded scores widened as in `cost_curve`. See `cost_difference_band` for all
        w together.

    Raises
    ------
    ValueError, TypeError
        As in `cost_curve`; also when one threshold is given without the other.

    Warns
    -----
    ConfrocWarning
        As in `cost_curve`.

    Examples
    --------
    >>> from confroc import PairedScores, cost_difference
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> pair = PairedScores(y, [1, 2, 3, 6, 4, 5, 7, 8], [4, 1, 2, 8, 3, 7, 5, 6])
    >>> difference = cost_difference(pair, 0.5, threshold_a=4, threshold_b=5)
    >>> difference.estimate, difference.lower.round(3), difference.upper.round(3)
    (array([-0.125]), array([-0.358]), array([0.192]))
    """
    check_pair("pair", pair, widens=True)
    at = check_w(w)
    sampling = check_sampling(sampling)
    check_choice("method", method, COST_DIFFERENCE_METHODS)
    level = check_level(confidence_level)
    threshold_a, threshold_b, source = choose_pair(pair, at, threshold_a, threshold_b, validation)
    parts = two_models(pair, threshold_a, threshold_b, None if size is None else check_size(size, 1, 1))
    form = linear_form(at, pooled_share(pair), sampling)
    solution = solve(
        Problem(parts, *form, sampling), internal(method), level, n_resamples, make_rng(rng), n_jobs
    )
    anew = at if source == "same_sample" else None
    errors = pair_cost_errors(pair, (threshold_a, threshold_b), form, sampling, chosen_at=anew)
    difference = CostDifference(
        quantity="cost_a - cost_b",
        at_name="w",
        at=at,
        estimate=solution.estimate,
        lower=np.clip(solution.lower, -1.0, 1.0),
        upper=np.clip(solution.upper, -1.0, 1.0),
        confidence_level=level,
        method=method,
        guarantee=guarantee_of(method),
        notes=solution.notes + ((OPTIMISTIC,) if source == "same_sample" else ()),
        threshold_a=threshold_a,
        threshold_b=threshold_b,
        threshold_source=source,
        sampling=sampling,
        design="paired" if isinstance(pair, PairedScores) else "unpaired",
    )
    return widened(difference, *errors, bounds=(-1.0, 1.0))
