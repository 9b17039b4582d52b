"""At given thresholds: the rates of one model, the differences of two, and dominance.

With the threshold fixed the two rates of a model are independent binomial proportions (Dugas & Gadoury
2009, §3.1). Two models on the same cases differ only through the discordant ones, which exactly one of them
calls positive; the resampled counts of those are trinomial (§3.2, eqs. 8-11). On disjoint test sets the two
rates are independent binomials.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from confroc import distributions
from confroc._check import ArgumentError, check_flag, check_level, check_size, check_threshold, warn
from confroc._types import RNG, Ends, FloatArray, IntArray, Sampling, Size
from confroc.distributions import containing, warn_zero_width
from confroc.exact.difference import PairSizes, check_pair_sizes
from confroc.methods import Method
from confroc.methods.points import DOMINANCE_AT_THRESHOLD, RATES_AT_THRESHOLD, RATES_DIFFERENCE_AT_THRESHOLD
from confroc.resample import Draw, check_draws, percentile_ends
from confroc.results import DifferenceRegions, Dominance, Intervals, Regions, notes_of
from confroc.scores import (
    Pair,
    PairedScores,
    Scores,
    UnpairedScores,
    check_pair,
    check_scores,
    difference_errors,
    errors_of,
    widened,
)
from confroc.scores.counting import Cells, PairCounter, ThresholdCounter, counts_at, discordant_counts

RegionEnds: TypeAlias = Callable[..., tuple[Ends, Ends]]
"""Takes the data, thresholds, sizes, the level and a way to draw; returns the ends of FPR and of TPR."""

CAFFO_NOTE = (
    "The models have disjoint test sets: one success and one failure are added to each (Agresti & Caffo "
    "2000), where matched cases would have counts added to the discordant ones."
)


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


def _widths(ends: tuple[Ends, ...]) -> FloatArray:
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


def _percentiles(drawn: FloatArray, level: float) -> tuple[Ends, Ends]:
    lower, upper = percentile_ends(drawn, level)
    return (lower[0], upper[0]), (lower[1], upper[1])


def _resampled(
    scores: Scores, threshold: FloatArray, size: tuple[int, int], level: float, draw: Draw
) -> tuple[Ends, Ends]:
    return _percentiles(rate_replicates(scores, threshold, size, draw), level)


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


def _warn_low_level(row: Method, level: float, counts: Cells, scores: Scores) -> tuple[str, ...]:
    """Warn about, and note, rates near 0 or 1 of Agresti & Coull's interval at a low level."""
    if row.name != "agresti_coull" or level >= PSEUDO_COUNTS_SUIT:
        return ()
    few = sum(
        int(np.count_nonzero(np.minimum(k, n - k) < 4))
        for k, n in ((counts.neg, scores.n_neg), (counts.pos, scores.n_pos))
    )
    if not few:
        return ()
    note = (
        f"{few} rate(s) have fewer than four cases on one side of the threshold; at a level of {level:.3g} a "
        "side 'agresti_coull' covers less than that there. Use 'wilson'."
    )
    warn(note)
    return (note,)


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


def rates_at_threshold(
    scores: Scores,
    threshold: ArrayLike,
    *,
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

    The threshold must have been chosen without looking at these cases; the two rates are then
    independent binomial proportions.

    Parameters
    ----------
    scores : Scores
    threshold : float or array-like of shape (h,)
        Any numbers, ±inf included. A case exactly at the threshold is called positive.
    method : str
        agresti_coull : Wald's interval after adding two successes and two failures [1]_ (Algorithm 1 of
            [2]_). Slightly conservative near 0 and 1 at levels from 0.9 on; too short there, with a warning,
            at levels below 0.85 a side. Asymptotic.
        wald : normal interval with the mean and variance of the exact bootstrap law. Zero width, and no
            coverage, at rates of 0 and 1; for comparison. Asymptotic.
        bootstrap : percentiles of `n_resamples` resamples, "Empirical" in [2]_; fails at 0 and 1 like "wald".
            Guarantee: bootstrap.
        exact_bootstrap : quantiles of the binomial law to which "bootstrap" converges, without resampling.
            Guarantee: bootstrap.
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
        section 5.5). All other methods are stratified.
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
        method does not take.

    Warns
    -----
    ConfrocWarning
        When intervals have zero width, or "agresti_coull" is used at a low level near a rate of 0 or 1.

    See Also
    --------
    rates_difference_at_threshold : Two models, each at a threshold of its own.
    tpr_at_fpr : The false positive rate given instead of the threshold.
    rates_at_positive_rate : The share of flagged cases given instead.

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
    >>> region = rates_at_threshold(scores, 2)
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
        notes=warn_zero_width(_widths(ends), row.name, "agresti_coull")
        + _warn_low_level(row, side_level, above, scores)
        + notes_of(fpr, tpr),
    )


# --- two models --------------------------------------------------------------------------------------


def check_threshold_pair(threshold_a: ArrayLike, threshold_b: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return two arrays of thresholds of one length."""
    a, b = check_threshold("threshold_a", threshold_a), check_threshold("threshold_b", threshold_b)
    if len(a) != len(b):
        raise ArgumentError(
            "threshold_b",
            f"have the length of `threshold_a` ({len(a)})",
            len(b),
            "Thresholds are compared pair by pair.",
        )
    return a, b


def _independent_counts(
    pair: UnpairedScores, a: FloatArray, b: FloatArray, sizes: PairSizes
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return successes, cases and resampled cases of a and then of b, for FPR and for TPR."""
    above_a, above_b = counts_at(pair.a, a), counts_at(pair.b, b)
    (pos_a, neg_a), (pos_b, neg_b) = sizes
    return (
        (above_a.neg, pair.a.n_neg, neg_a, above_b.neg, pair.b.n_neg, neg_b),
        (above_a.pos, pair.a.n_pos, pos_a, above_b.pos, pair.b.n_pos, pos_b),
    )


def difference_replicates(
    pair: Pair, a: FloatArray, b: FloatArray, sizes: PairSizes, draw: Draw
) -> FloatArray:
    """Return resampled differences of (FPR, TPR), of shape (n_resamples, 2, h).

    A case matters only through its place among the thresholds of each model, so cases with the same
    places are put together once, before any resampling.
    """
    if not isinstance(pair, PairedScores):
        drawn = (
            rate_replicates(scores, at, size, draw)
            for scores, at, size in zip((pair.a, pair.b), (a, b), sizes, strict=True)
        )
        return next(drawn) - next(drawn)
    table, counter = PairCounter.of(pair, a, b).compressed(pair)

    def statistic(pos: IntArray, neg: IntArray) -> FloatArray:
        difference = counter.differences(pos, neg)
        return np.stack([difference.neg / neg.sum(), difference.pos / pos.sum()])

    return draw(statistic, table, size=sizes[0])


def _resampled_difference(
    pair: Pair, a: FloatArray, b: FloatArray, sizes: PairSizes, level: float, draw: Draw
) -> tuple[Ends, Ends]:
    return _percentiles(difference_replicates(pair, a, b, sizes, draw), level)


def _by_counts(matched: Callable[..., Ends], independent: Callable[..., Ends]) -> RegionEnds:
    """Apply an interval for a difference of proportions, matched or independent, to either class."""

    def ends(
        pair: Pair, a: FloatArray, b: FloatArray, sizes: PairSizes, level: float, *_: object
    ) -> tuple[Ends, Ends]:
        if isinstance(pair, PairedScores):
            d = discordant_counts(pair, a, b)
            m_pos, m_neg = sizes[0]
            return (
                matched(d.neg_10, d.neg_01, pair.n_neg, level, m=m_neg),
                matched(d.pos_10, d.pos_01, pair.n_pos, level, m=m_pos),
            )
        fpr, tpr = (
            independent(k_a, n_a, k_b, n_b, level, m_a=m_a, m_b=m_b)
            for k_a, n_a, m_a, k_b, n_b, m_b in _independent_counts(pair, a, b, sizes)
        )
        return fpr, tpr

    return ends


_DIFFERENCES = RATES_DIFFERENCE_AT_THRESHOLD.table(
    {
        "bonett_price": _by_counts(distributions.bonett_price, distributions.agresti_caffo),
        "agresti_min": _by_counts(distributions.agresti_min, distributions.agresti_caffo),
        "wald": _by_counts(distributions.matched_difference, distributions.independent_difference),
        "bootstrap": _resampled_difference,
        "exact_bootstrap": _by_counts(distributions.matched_bootstrap, distributions.independent_bootstrap),
    }
)


def rates_difference_at_threshold(
    pair: Pair,
    threshold_a: ArrayLike,
    threshold_b: ArrayLike,
    *,
    method: str = "bonett_price",
    confidence_level: float = 0.95,
    joint: bool = True,
    size: Size = None,
    n_resamples: int | None = None,
    rng: RNG = None,
    sampling: Sampling = "stratified",
    n_jobs: int = 1,
) -> DifferenceRegions:
    """Differences a - b of false and true positive rate, each model at a threshold of its own.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    threshold_a, threshold_b : float or array-like of shape (h,)
        Chosen without looking at these cases, and compared pair by pair. A case exactly at a threshold is
        called positive.
    method : str
        bonett_price : normal interval after adding one to each count of discordant cases [4]_. For
            `UnpairedScores` one success and one failure are added to each sample [3]_, and the result's
            `method` is "agresti_caffo". Conservative where hardly any case is discordant. Asymptotic.
        agresti_min : the same with one half added to each count of discordant cases and one to the concordant
            ones [1]_ (Algorithm 3 of [2]_). Covers too little where few cases are discordant, most of them on
            one side: 0.87 at 95 % for differences of a few percent. Asymptotic.
        wald : the same without the addition. Zero width where the models agree on every case; for
            comparison. Asymptotic.
        bootstrap : percentiles of `n_resamples` resamples; fails like "wald". Guarantee: bootstrap.
        exact_bootstrap : quantiles of the law to which "bootstrap" converges. Guarantee: bootstrap.
    confidence_level : float
        In (0, 1).
    joint : bool
        If true, each side has level √confidence_level, so that the rectangle contains both true differences
        with `confidence_level`: the classes are independent.
    size : (int, int), optional
        (m_pos, m_neg), cases of each class in a bootstrap sample; by default the sample's own. For
        `UnpairedScores` it holds for both test sets.
    n_resamples, rng, sampling, n_jobs
        As in `rates_at_threshold`.

    Returns
    -------
    DifferenceRegions
        `fpr` and `tpr` are `Intervals` of the differences, inside [-1, 1]; each contains its estimate. For
        rounded scores they are widened by what the rounding can have changed; `at` and `at_b` are the
        thresholds.

    Raises
    ------
    ValueError
        NaN thresholds or arrays of different length; unknown method; impossible level, size or number of
        resamples; an option that the method does not take.

    Warns
    -----
    ConfrocWarning
        When intervals have zero width.

    See Also
    --------
    rates_at_threshold : One model.
    tpr_difference_at_fpr : The false positive rate given instead of the thresholds.
    dominance_at_threshold : The probability that one model is better on both rates.

    Notes
    -----
    O(n log n + h log n) for h pairs of thresholds: discordant cases are counted for all of them in one
    sweep.

    References
    ----------
    .. [1] Agresti & Min (2005), Statistics in Medicine 24, 729-740.
    .. [2] Dugas & Gadoury (2009), section 3.2.
    .. [3] Agresti & Caffo (2000), The American Statistician 54, 280-288.
    .. [4] Bonett & Price (2012), Journal of Educational and Behavioral Statistics 37, 479-488.

    Examples
    --------
    >>> from confroc import PairedScores, rates_difference_at_threshold
    >>> pair = PairedScores([0, 0, 0, 1, 1, 1], [1, 2, 6, 5, 7, 8], [2, 1, 3, 4, 9, 8])
    >>> region = rates_difference_at_threshold(pair, 5, 4)
    >>> region.fpr.estimate, region.fpr.lower.round(3), region.fpr.upper.round(3)
    (array([0.33333333]), array([-0.548]), array([0.948]))
    """
    check_pair("pair", pair, widens=True)
    a, b = check_threshold_pair(threshold_a, threshold_b)
    row = RATES_DIFFERENCE_AT_THRESHOLD.check(method, n_resamples=n_resamples)
    level = check_level(confidence_level)
    sizes = check_pair_sizes(pair, size)
    side_level = math.sqrt(level) if check_flag("joint", joint) else level
    draw = check_draws(row, side_level, n_resamples, rng, sampling, n_jobs)
    ends = _DIFFERENCES[row.name](pair, a, b, sizes, side_level, draw)
    used, notes = design_of(pair, row)
    above_a, above_b = counts_at(pair.a, a), counts_at(pair.b, b)
    estimates = (
        above_a.neg / pair.a.n_neg - above_b.neg / pair.b.n_neg,
        above_a.pos / pair.a.n_pos - above_b.pos / pair.b.n_pos,
    )
    errors = map(difference_errors, rate_errors(pair.a, a), rate_errors(pair.b, b))
    fpr, tpr = (
        intervals(
            row, side_level, name, "threshold", a, estimate, side, error, method=used, bounds=(-1.0, 1.0)
        )
        for name, estimate, side, error in zip(
            ("fpr_a - fpr_b", "tpr_a - tpr_b"), estimates, ends, errors, strict=True
        )
    )
    return DifferenceRegions(
        at_name="threshold",
        at=a,
        at_b=b,
        fpr=fpr,
        tpr=tpr,
        confidence_level=level,
        joint=joint,
        method=used,
        guarantee=row.guarantee,
        design="paired" if isinstance(pair, PairedScores) else "unpaired",
        notes=notes + warn_zero_width(_widths(ends), row.name, "bonett_price") + notes_of(fpr, tpr),
    )


def dominance_at_threshold(
    pair: Pair, threshold_a: ArrayLike, threshold_b: ArrayLike, *, size: Size = None
) -> Dominance:
    """Probability that one model dominates the other, each at a threshold of its own.

    Model a dominates b when it has no more false positives and no fewer true positives, and is strictly
    better on at least one of the two. The probabilities are those of the exact stratified bootstrap (method
    "exact_bootstrap"; Algorithm 2 and eqs. 2, 10-11 of [1]_).

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    threshold_a, threshold_b : float or array-like of shape (h,)
        Chosen without looking at these cases, and compared pair by pair.
    size : (int, int), optional
        (m_pos, m_neg), cases of each class in a bootstrap sample; by default the sample's own.

    Returns
    -------
    Dominance
        `a_over_b` and `b_over_a`; the rest of the probability is neither. Guarantee: bootstrap.

    Raises
    ------
    ValueError
        NaN thresholds or arrays of different length; impossible size.

    Warns
    -----
    ConfrocWarning
        For rounded scores: the probabilities have no bound for what the rounding changed.

    See Also
    --------
    rates_difference_at_threshold : Intervals for both differences.
    confroc.cost_difference : The two kinds of error weighed against each other.

    Notes
    -----
    As a test of superiority this has little power, as [1]_ says: one model often has more true *and* more
    false positives. Read it as a description; compare costs to decide.

    References
    ----------
    .. [1] Dugas & Gadoury (2009), section 3.2.

    Examples
    --------
    >>> from confroc import PairedScores, dominance_at_threshold
    >>> pair = PairedScores([0, 0, 0, 1, 1, 1], [1, 2, 6, 5, 7, 8], [2, 1, 3, 4, 9, 8])
    >>> result = dominance_at_threshold(pair, 5, 4)
    >>> result.a_over_b, result.b_over_a.round(4)
    (array([0.]), array([0.7037]))
    """
    check_pair("pair", pair)
    a, b = check_threshold_pair(threshold_a, threshold_b)
    sizes = check_pair_sizes(pair, size)
    row = DOMINANCE_AT_THRESHOLD.check("exact_bootstrap")
    if isinstance(pair, PairedScores):
        d = discordant_counts(pair, a, b)
        m_pos, m_neg = sizes[0]
        more_tp, same_tp, fewer_tp = distributions.matched_law(d.pos_10, d.pos_01, pair.n_pos, m_pos)
        more_fp, same_fp, fewer_fp = distributions.matched_law(d.neg_10, d.neg_01, pair.n_neg, m_neg)
    else:
        of_fpr, of_tpr = _independent_counts(pair, a, b, sizes)
        more_tp, same_tp, fewer_tp = distributions.independent_law(*of_tpr)
        more_fp, same_fp, fewer_fp = distributions.independent_law(*of_fpr)
    same = same_tp * same_fp
    return Dominance(
        threshold_a=a,
        threshold_b=b,
        a_over_b=np.clip(more_tp * fewer_fp - same, 0.0, 1.0),
        b_over_a=np.clip(fewer_tp * more_fp - same, 0.0, 1.0),
        design="paired" if isinstance(pair, PairedScores) else "unpaired",
        method=row.name,
        guarantee=row.guarantee,
    )
