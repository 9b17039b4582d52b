"""Rates at given thresholds of one model, differences of two models, and dominance.

The threshold must not be chosen on the sample.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike

from confroc import distributions
from confroc._check import ArgumentError, check_flag, check_level, check_threshold
from confroc._options import RatesAtThresholdOptions, RatesDifferenceAtThresholdOptions
from confroc._types import FloatArray, Size
from confroc.base import Guarantee, Kind, Method, family, lists_methods
from confroc.exact.difference import check_pair_sizes
from confroc.inference import design_of, infer, minus, one, regions_of
from confroc.points import threshold_methods as methods
from confroc.results import Regions, Result
from confroc.scores import (
    Pair,
    PairedScores,
    Scores,
    accepts_one_model,
    accepts_two_models,
    check_pair,
    check_scores,
    difference_label,
)
from confroc.scores.counting import discordant_counts
from confroc.statistics.rates import RatesAtThreshold

RATES_AT_THRESHOLD = family(
    "rates_at_threshold", "True and false positive rate at a threshold", methods.INTERVAL, "agresti_coull"
)
RATES_DIFFERENCE_AT_THRESHOLD = family(
    "rates_difference_at_threshold",
    "Difference of two models' rates at thresholds",
    methods.DIFFERENCE,
    "bonett_price",
)
DOMINANCE_AT_THRESHOLD = family(
    "dominance_at_threshold", "Dominance of one model over another", methods.DOMINANCE, "exact_bootstrap"
)


@accepts_one_model
@lists_methods(RATES_AT_THRESHOLD)
def rates_at_threshold(
    scores: Scores,
    /,
    *,
    threshold: ArrayLike,
    method: str | Method = "agresti_coull",
    confidence_level: float = 0.95,
    joint: bool = False,
    **options: Unpack[RatesAtThresholdOptions],
) -> Regions:
    """True and false positive rate at a threshold.

    Cases with score >= threshold are predicted positive. The threshold must not be chosen on the sample; the
    two rates are then independent binomial proportions.

    Parameters
    ----------
    scores : Scores
    threshold : float or array-like of shape (h,)
        Thresholds, possibly ±inf.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    joint : bool
        If false, each interval has level `confidence_level`. If true, each has level √confidence_level, so
        the rectangle contains both true rates with probability `confidence_level`, as in [2]_.
    {options}

    Returns
    -------
    Regions
        `fpr` and `tpr` are `Intervals` over the thresholds, inside [0, 1]; each contains its estimate. For
        rounded scores upper limits are raised by the bound on the effect of rounding.

    Raises
    ------
    ValueError
        NaN thresholds, unknown method, invalid level, size or number of resamples, or an option that the
        method does not have.

    Warns
    -----
    ConfrocWarning
        Intervals have zero width.

    See Also
    --------
    rates_difference_at_threshold : Two models, each at a threshold of its own.
    confusion_at_threshold : PPV, NPV and other metrics there, at any prevalence.
    tpr_at_fpr : The false positive rate is given and the threshold varies, so intervals are wider;
        "Where should I set the threshold?" in the documentation compares both.
    rates_at_positive_rate : Rates at a given predicted-positive rate.

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
    >>> y_true = [0] * 100 + [1] * 100
    >>> y_score = [*range(100), *range(50, 150)]
    >>> print(rates_at_threshold(y_true, y_score, threshold=75))
    Regions: fpr, tpr
    threshold     fpr  fpr_lower  fpr_upper     tpr  tpr_lower  tpr_upper
           75  0.2500     0.1750     0.3435  0.7500     0.6565     0.8250
    95% pointwise for each rate; method: agresti_coull; guarantee: asymptotic
    >>> scores = Scores.from_counts([3, 2, 1], pos=[30, 15, 5], neg=[2, 18, 80])
    >>> region = rates_at_threshold(scores, threshold=2)
    >>> region.tpr.estimate, region.tpr.lower.round(3), region.tpr.upper.round(3)
    (array([0.9]), array([0.782]), array([0.961]))
    """
    chosen = RATES_AT_THRESHOLD.chosen(method, options, rates_at_threshold)
    check_scores("scores", scores, widens=chosen.widens, dependent=True)
    statistic, level = RatesAtThreshold(threshold), check_level(confidence_level)
    side_level = math.sqrt(level) if check_flag("joint", joint) else level
    found = infer(one(scores, statistic), chosen, side_level)
    return regions_of(found, ("fpr", "tpr"), statistic.at, level, side_level, joint=joint)


@accepts_two_models
@lists_methods(RATES_DIFFERENCE_AT_THRESHOLD)
def rates_difference_at_threshold(
    pair: Pair,
    /,
    *,
    threshold_a: ArrayLike,
    threshold_b: ArrayLike,
    method: str | Method = "bonett_price",
    confidence_level: float = 0.95,
    joint: bool = False,
    **options: Unpack[RatesDifferenceAtThresholdOptions],
) -> Regions:
    """Differences a - b of false and true positive rate at thresholds.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    threshold_a, threshold_b : float or array-like of shape (h,)
        Thresholds of both models, compared pairwise. They must not be chosen on the sample.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    joint : bool
        If false, each interval has level `confidence_level`. If true, each has level √confidence_level, so
        the rectangle contains both true differences with probability `confidence_level`: the classes are
        independent.
    {options}

    Returns
    -------
    Regions
        `fpr` and `tpr` are `Intervals` of the differences, inside [-1, 1]; each contains its estimate. For
        rounded scores they are widened by the bound on the effect of rounding; `at` and `at_b` are the
        thresholds.

    Raises
    ------
    ValueError
        NaN thresholds or arrays of different length, unknown method, invalid level, size or number of
        resamples, or an option that the method does not have.

    Warns
    -----
    ConfrocWarning
        Intervals have zero width.

    See Also
    --------
    rates_at_threshold : Rates of one model.
    tpr_difference_at_fpr : Difference at a given false positive rate.
    dominance_at_threshold : Probability that one model is better on both rates.

    Notes
    -----
    The time is O(n log n + h log n) for h pairs of thresholds.

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
    (array([0.33333333]), array([-0.456]), array([0.856]))
    """
    chosen = RATES_DIFFERENCE_AT_THRESHOLD.chosen(method, options, rates_difference_at_threshold)
    check_pair("pair", pair, widens=chosen.widens, dependent=True)
    a, b = _check_thresholds(threshold_a, threshold_b)
    level = check_level(confidence_level)
    side_level = math.sqrt(level) if check_flag("joint", joint) else level
    found = infer(minus(pair, (RatesAtThreshold(a), RatesAtThreshold(b))), chosen, side_level)
    names = difference_label("fpr", pair), difference_label("tpr", pair)
    return regions_of(
        found, names, ("threshold", a), level, side_level, joint=joint, at_b=b, design=design_of(pair)
    )


def _check_thresholds(threshold_a: ArrayLike, threshold_b: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return two arrays of thresholds of equal length."""
    a, b = check_threshold("threshold_a", threshold_a), check_threshold("threshold_b", threshold_b)
    if len(a) != len(b):
        raise ArgumentError(
            "threshold_b",
            f"have the length of `threshold_a` ({len(a)})",
            len(b),
            "Thresholds are compared pairwise.",
        )
    return a, b


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Dominance(Result):
    """Probabilities that one model dominates the other on both axes.

    Attributes
    ----------
    threshold_a, threshold_b : ndarray of shape (h,)
    a_over_b : ndarray of shape (h,)
        Probability that a has no more false positives and no fewer true positives than b, and is strictly
        better on at least one axis.
    b_over_a : ndarray of shape (h,)
    design : {"paired", "unpaired"}
    method, guarantee, notes, kind
        As in `Inference`.
    """

    threshold_a: FloatArray
    threshold_b: FloatArray
    a_over_b: FloatArray
    b_over_a: FloatArray
    design: Literal["paired", "unpaired"]
    method: Method | str
    guarantee: Guarantee
    notes: tuple[str, ...] = ()
    kind: Kind = "pointwise"

    def __len__(self) -> int:
        return len(self.threshold_a)


@accepts_two_models
@lists_methods(DOMINANCE_AT_THRESHOLD)
def dominance_at_threshold(
    pair: Pair, *, threshold_a: ArrayLike, threshold_b: ArrayLike, size: Size = None
) -> Dominance:
    """Probability that one model dominates the other at given thresholds.

    Model a dominates b if it has no more false positives and no fewer true positives, and is strictly better
    on at least one of the two. The probabilities are those of the exact stratified bootstrap (method
    "exact_bootstrap"; Algorithm 2 and eqs. 2, 10-11 of [1]_).

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    threshold_a, threshold_b : float or array-like of shape (h,)
        Thresholds of both models, compared pairwise. They must not be chosen on the sample.
    size : (int, int), optional
        (m_pos, m_neg), cases of each class in a bootstrap sample; default: as in the sample.

    Returns
    -------
    Dominance
        `a_over_b` and `b_over_a`; the remaining probability is that of neither. Guarantee: bootstrap.

    Raises
    ------
    ValueError
        NaN thresholds, arrays of different length, or an invalid size.

    Warns
    -----
    ConfrocWarning
        Rounded scores, whose effect on the probabilities is not bounded.

    See Also
    --------
    rates_difference_at_threshold : Intervals for both differences.
    confroc.cost_difference : Difference in costs of both kinds of errors.

    Notes
    -----
    As a test of superiority this has little power [1]_: one model often has more true *and* more false
    positives. Use it as a description, and compare costs for decisions.

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
    a, b = _check_thresholds(threshold_a, threshold_b)
    sizes = check_pair_sizes(pair, size)
    method = methods.ExactBootstrapRates(size=size)
    if isinstance(pair, PairedScores):
        d = discordant_counts(pair, a, b)
        m_pos, m_neg = sizes[0]
        more_tp, same_tp, fewer_tp = distributions.matched_law(d.pos_10, d.pos_01, pair.n_pos, m_pos)
        more_fp, same_fp, fewer_fp = distributions.matched_law(d.neg_10, d.neg_01, pair.n_neg, m_neg)
    else:
        of_fpr, of_tpr = methods.independent_counts(pair, a, b, sizes)
        more_tp, same_tp, fewer_tp = distributions.independent_law(*of_tpr)
        more_fp, same_fp, fewer_fp = distributions.independent_law(*of_fpr)
    same = same_tp * same_fp
    return Dominance(
        threshold_a=a,
        threshold_b=b,
        a_over_b=np.clip(more_tp * fewer_fp - same, 0.0, 1.0),
        b_over_a=np.clip(fewer_tp * more_fp - same, 0.0, 1.0),
        design=design_of(pair),
        method=method,
        guarantee=method.guarantee,
    )
