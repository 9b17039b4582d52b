"""At given thresholds, the rates of one model; and what all functions of this package share.

With the threshold fixed the two rates of a model are independent binomial proportions (Dugas & Gadoury
2009, §3.1).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from confroc import distributions
from confroc._check import check_flag, check_level, check_size, check_threshold, warned
from confroc._types import RNG, Ends, FloatArray, IntArray, Sampling, Size
from confroc.distributions import containing, warn_zero_width
from confroc.methods import Method
from confroc.methods.points import RATES_AT_THRESHOLD
from confroc.resample import Draw, check_draws, percentile_ends
from confroc.results import Intervals, Regions, notes_of
from confroc.scores import Pair, Scores, UnpairedScores, accepts_one_model, check_scores, errors_of, widened
from confroc.scores.counting import Cells, ThresholdCounter, counts_at

RegionEnds: TypeAlias = Callable[..., tuple[Ends, Ends]]
"""Accepts the data, thresholds, sizes, the level and a way to draw; returns the ends of FPR and of TPR."""

CAFFO_NOTE = "On disjoint test sets one success and one failure are added to each (Agresti & Caffo 2000)."
APPROXIMATE = "Some exact distributions are too large; a normal approximation is used for them."


# --- what all functions of this package share --------------------------------------------------------


def design_of(pair: Pair, row: Method) -> tuple[str, tuple[str, ...]]:
    """Return the method's name and its note: what is added to counts differs on disjoint test sets."""
    if row.name in ("agresti_min", "bonett_price") and isinstance(pair, UnpairedScores):
        return "agresti_caffo", (CAFFO_NOTE,)
    return row.name, ()


def intervals(
    row: Method,
    level: float,
    quantity: str,
    at_name: str,
    at: FloatArray,
    estimate: FloatArray,
    ends: Ends,
    errors: Ends,
    *,
    method: str | None = None,
    bounds: tuple[float, float] = (0.0, 1.0),
    notes: tuple[str, ...] = (),
) -> Intervals:
    """Return intervals that contain their estimates, widened by what rounding may have changed."""
    lower, upper = containing(ends, estimate)
    result = Intervals(
        quantity=quantity,
        at_name=at_name,
        at=at,
        estimate=estimate,
        lower=lower,
        upper=upper,
        confidence_level=level,
        method=method or row.name,
        guarantee=row.guarantee,
        notes=notes,
    )
    return widened(result, *errors, bounds=bounds)


def widths(ends: tuple[Ends, ...]) -> FloatArray:
    """Return the widths of all sides."""
    return np.concatenate([upper - lower for lower, upper in ends])


# --- one model ---------------------------------------------------------------------------------------


def rate_errors(scores: Scores, threshold: FloatArray) -> tuple[Ends, Ends]:
    """How far below and above those of rounded scores the exact rates may lie: of FPR and of TPR."""
    return (
        errors_of(scores, lambda table: counts_at(table, threshold).neg / table.n_neg),
        errors_of(scores, lambda table: counts_at(table, threshold).pos / table.n_pos),
    )


def rate_replicates(scores: Scores, threshold: FloatArray, size: tuple[int, int], draw: Draw) -> FloatArray:
    """Return resampled (FPR, TPR), of shape (n_resamples, 2, h).

    Only the counts between neighbouring thresholds matter, so a resample costs O(h) whatever the data.
    """
    table, counter = ThresholdCounter.of(scores, threshold).compressed(scores)

    def statistic(pos: IntArray, neg: IntArray) -> FloatArray:
        above = counter(pos, neg)
        return np.stack([above.neg / neg.sum(), above.pos / pos.sum()])

    return draw(statistic, table, size=size)


def rate_percentiles(drawn: FloatArray, level: float) -> tuple[Ends, Ends]:
    """Return percentile intervals of both rates, from replicates of shape (n_resamples, 2, h)."""
    lower, upper = percentile_ends(drawn, level)
    return (lower[0], upper[0]), (lower[1], upper[1])


def _resampled(
    scores: Scores, threshold: FloatArray, size: tuple[int, int], level: float, draw: Draw
) -> tuple[Ends, Ends]:
    return rate_percentiles(rate_replicates(scores, threshold, size, draw), level)


def _by_class(rule: Callable[..., Ends], *, any_size: bool = True) -> RegionEnds:
    """Apply an interval for one proportion to either class."""

    def ends(
        scores: Scores, threshold: FloatArray, size: tuple[int, int], level: float, *_: object
    ) -> tuple[Ends, Ends]:
        above = counts_at(scores, threshold)
        of_neg, of_pos = ({"m": m} if any_size else {} for m in size[::-1])
        return (
            rule(above.neg, scores.n_neg, level, **of_neg),
            rule(above.pos, scores.n_pos, level, **of_pos),
        )

    return ends


PSEUDO_COUNTS_SUIT = 0.85
"""Level from which on two pseudo-counts of each kind do not push an interval off a rate near 0 or 1."""
LOW_LEVEL = "'agresti_coull' under-covers rates near 0 and 1 at low confidence levels. Use method='wilson'."


def _warn_low_level(row: Method, level: float, counts: Cells, scores: Scores) -> tuple[str, ...]:
    """Warn about, and note, rates near 0 or 1 of Agresti & Coull's interval at a low level."""
    few = any(
        np.any(np.minimum(k, n - k) < 4) for k, n in ((counts.neg, scores.n_neg), (counts.pos, scores.n_pos))
    )
    low = row.name == "agresti_coull" and level < PSEUDO_COUNTS_SUIT
    return warned(LOW_LEVEL, where=low and few)


_RATES = RATES_AT_THRESHOLD.table(
    {
        "agresti_coull": _by_class(distributions.agresti_coull),
        "wald": _by_class(distributions.wald),
        "bootstrap": _resampled,
        "exact_bootstrap": _by_class(distributions.exact_bootstrap),
        "wilson": _by_class(distributions.wilson, any_size=False),
        "clopper_pearson": _by_class(distributions.clopper_pearson, any_size=False),
        "jeffreys": _by_class(distributions.jeffreys, any_size=False),
    }
)


@accepts_one_model
def rates_at_threshold(
    scores: Scores,
    *,
    threshold: ArrayLike,
    method: str = "agresti_coull",
    confidence_level: float = 0.95,
    joint: bool = True,
    size: Size = None,
    n_resamples: int | None = None,
    rng: RNG = None,
    sampling: Sampling = "stratified",
    n_jobs: int = 1,
) -> Regions:
    """True and false positive rate when cases with score >= threshold are called positive.

    The threshold must have been chosen without looking at the sample; the two rates are then
    independent binomial proportions.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
    threshold : float or array-like of shape (h,)
        Any numbers, ±inf included. A case exactly at the threshold is called positive.
    method : str
        agresti_coull : Wald's interval after adding two successes and two failures [1]_ (Algorithm 1 of
            [2]_). Slightly conservative near 0 and 1 at levels from 0.9 on; too short there, with a warning,
            at levels below 0.85 a side. Asymptotic.
        wald : normal interval with the mean and variance of the exact bootstrap distribution. Zero width, and
            no coverage, at rates of 0 and 1; for comparison. Asymptotic.
        bootstrap : percentiles of `n_resamples` resamples, "Empirical" in [2]_; fails at 0 and 1 like "wald".
            Guarantee: bootstrap.
        exact_bootstrap : quantiles of the binomial distribution to which "bootstrap" converges, without
            resampling. Guarantee: bootstrap.
        wilson : score interval [3]_. Asymptotic.
        clopper_pearson : inverts the binomial test [4]_; coverage is never below the level. Finite-sample.
        jeffreys : Bayesian interval under the Beta(½, ½) prior [5]_; close to the level on average.
            Asymptotic.
    confidence_level : float
        In (0, 1).
    joint : bool
        If true, each side has level √confidence_level, so that the rectangle contains both true rates with
        `confidence_level`. If false, each side has `confidence_level` by itself.
    size : (int, int), optional
        (m_pos, m_neg): give the uncertainty of a sample of that size; by default the data's own. Not for
        "wilson", "clopper_pearson" and "jeffreys".
    n_resamples : int
        For "bootstrap", 2,000 by default; at least 2/(1 - level of a side).
    rng : Generator, int or None
        For "bootstrap".
    sampling : {"stratified", "full"}
        For "bootstrap": draw each class by itself, or both together so that class sizes vary too ([2]_,
        section 5.5); a resample that lacks a class, which has no such rates, is drawn again. All other
        methods are stratified.
    n_jobs : int
        Jobs by which joblib shares the resamples out; the result does not depend on it.

    Returns
    -------
    Regions
        `fpr` and `tpr` are `Intervals` over the thresholds, inside [0, 1]; each contains its estimate. For
        rounded scores upper ends are raised by the share of the class in the levels that the threshold cuts.

    Raises
    ------
    ValueError
        NaN thresholds, unknown method, impossible level, size or number of resamples; an option that the
        method does not have.

    Warns
    -----
    ConfrocWarning
        When intervals have zero width, or "agresti_coull" is used at a low level near a rate of 0 or 1.

    See Also
    --------
    rates_difference_at_threshold : Two models, each at a threshold of its own.
    tpr_at_fpr : The false positive rate given instead of the threshold.
    rates_at_positive_rate : The predicted-positive rate given instead.

    References
    ----------
    .. [1] Agresti & Coull (1998), The American Statistician 52, 119-126.
    .. [2] Dugas & Gadoury (2009), section 3.1.
    .. [3] Wilson (1927), Journal of the American Statistical Association 22, 209-212.
    .. [4] Clopper & Pearson (1934), Biometrika 26, 404-413.
    .. [5] Brown, Cai & DasGupta (2001), Statistical Science 16, 101-133.

    Examples
    --------
    >>> from confroc import Scores, rates_at_threshold
    >>> scores = Scores.from_counts([3, 2, 1], pos=[30, 15, 5], neg=[2, 18, 80])
    >>> region = rates_at_threshold(scores, threshold=2)
    >>> region.tpr.estimate, region.tpr.lower.round(3), region.tpr.upper.round(3)
    (array([0.9]), array([0.768]), array([0.973]))
    """
    check_scores("scores", scores, widens=True)
    at = check_threshold("threshold", threshold)
    row = RATES_AT_THRESHOLD.check(method, size=size, n_resamples=n_resamples)
    level = check_level(confidence_level)
    sizes = check_size(size, scores.n_pos, scores.n_neg)
    side_level = math.sqrt(level) if check_flag("joint", joint) else level
    draw = check_draws(row, side_level, n_resamples, rng, sampling, n_jobs)
    ends = _RATES[row.name](scores, at, sizes, side_level, draw)
    above = counts_at(scores, at)
    estimates = above.neg / scores.n_neg, above.pos / scores.n_pos
    fpr, tpr = (
        intervals(row, side_level, name, "threshold", at, estimate, side, error)
        for name, estimate, side, error in zip(
            ("fpr", "tpr"), estimates, ends, rate_errors(scores, at), strict=True
        )
    )
    return Regions(
        at_name="threshold",
        at=at,
        fpr=fpr,
        tpr=tpr,
        confidence_level=level,
        joint=joint,
        method=row.name,
        guarantee=row.guarantee,
        notes=warn_zero_width(widths(ends), "agresti_coull")
        + _warn_low_level(row, side_level, above, scores)
        + notes_of(fpr, tpr),
    )
