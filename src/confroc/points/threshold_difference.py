"""At given thresholds, the differences of two models' rates, and dominance.

Two models on the same cases differ only through the discordant ones, which exactly one of them calls
positive; the resampled counts of those are trinomial (Dugas & Gadoury 2009, §3.2, eqs. 8-11). On disjoint
test sets the two rates are independent binomials.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from confroc import distributions
from confroc._check import ArgumentError, check_flag, check_level, check_threshold
from confroc._types import RNG, Ends, FloatArray, IntArray, Sampling, Size
from confroc.distributions import warn_zero_width
from confroc.exact.difference import PairSizes, check_pair_sizes
from confroc.methods.points import DOMINANCE_AT_THRESHOLD, RATES_DIFFERENCE_AT_THRESHOLD
from confroc.points.threshold import (
    RegionEnds,
    design_of,
    intervals,
    rate_errors,
    rate_percentiles,
    rate_replicates,
    widths,
)
from confroc.resample import Draw, check_draws
from confroc.results import DifferenceRegions, Dominance, notes_of
from confroc.scores import (
    Pair,
    PairedScores,
    UnpairedScores,
    accepts_two_models,
    check_pair,
    difference_errors,
    difference_label,
)
from confroc.scores.counting import PairCounter, counts_at, discordant_counts


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
    return rate_percentiles(difference_replicates(pair, a, b, sizes, draw), level)


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


@accepts_two_models
def rates_difference_at_threshold(
    pair: Pair,
    *,
    threshold_a: ArrayLike,
    threshold_b: ArrayLike,
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
    pair : PairedScores, UnpairedScores or (y_true, score_a, score_b)
    threshold_a, threshold_b : float or array-like of shape (h,)
        Chosen without looking at the sample, and compared pair by pair. A case exactly at a threshold is
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
        exact_bootstrap : quantiles of the distribution to which "bootstrap" converges. Guarantee: bootstrap.
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
        resamples; an option that the method does not have.

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
    >>> region = rates_difference_at_threshold(pair, threshold_a=5, threshold_b=4)
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
            (difference_label("fpr", pair), difference_label("tpr", pair)),
            estimates,
            ends,
            errors,
            strict=True,
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
        notes=notes + warn_zero_width(widths(ends), "bonett_price") + notes_of(fpr, tpr),
    )


@accepts_two_models
def dominance_at_threshold(
    pair: Pair, *, threshold_a: ArrayLike, threshold_b: ArrayLike, size: Size = None
) -> Dominance:
    """Probability that one model dominates the other, each at a threshold of its own.

    Model a dominates b when it has no more false positives and no fewer true positives, and is strictly
    better on at least one of the two. The probabilities are those of the exact stratified bootstrap (method
    "exact_bootstrap"; Algorithm 2 and eqs. 2, 10-11 of [1]_).

    Parameters
    ----------
    pair : PairedScores, UnpairedScores or (y_true, score_a, score_b)
    threshold_a, threshold_b : float or array-like of shape (h,)
        Chosen without looking at the sample, and compared pair by pair.
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
    As a test of superiority this has little power [1]_: one model often has more true *and* more
    false positives. Read it as a description; compare costs to decide.

    References
    ----------
    .. [1] Dugas & Gadoury (2009), section 3.2.

    Examples
    --------
    >>> from confroc import PairedScores, dominance_at_threshold
    >>> pair = PairedScores([0, 0, 0, 1, 1, 1], [1, 2, 6, 5, 7, 8], [2, 1, 3, 4, 9, 8])
    >>> result = dominance_at_threshold(pair, threshold_a=5, threshold_b=4)
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
