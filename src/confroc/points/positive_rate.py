"""Rates at a given predicted-positive rate, of one model and of the difference between two."""

from __future__ import annotations

from typing import Unpack

from numpy.typing import ArrayLike

from confroc._check import check_level
from confroc._options import RatesAtPositiveRateOptions, RatesDifferenceAtPositiveRateOptions
from confroc._types import Sampling
from confroc.base import Method, family, lists_methods
from confroc.inference import design_of, infer, minus, one, regions_of
from confroc.points import positive_rate_methods as methods
from confroc.results import Regions
from confroc.scores import (
    Pair,
    Scores,
    accepts_one_model,
    accepts_two_models,
    check_pair,
    check_scores,
    difference_label,
)
from confroc.statistics.rates import RatesAtPositiveRate

RATES_AT_POSITIVE_RATE = family(
    "rates_at_positive_rate",
    "Rates and precision at a predicted-positive rate",
    methods.INTERVAL,
    "beta_mixture",
)
RATES_DIFFERENCE_AT_POSITIVE_RATE = family(
    "rates_difference_at_positive_rate",
    "Difference of two models' rates at a predicted-positive rate",
    methods.DIFFERENCE,
    "beta_mixture",
)


@accepts_one_model
@lists_methods(RATES_AT_POSITIVE_RATE)
def rates_at_positive_rate(
    scores: Scores,
    /,
    *,
    positive_rate: ArrayLike,
    method: str | Method = "beta_mixture",
    confidence_level: float = 0.95,
    sampling: Sampling = "full",
    **options: Unpack[RatesAtPositiveRateOptions],
) -> Regions:
    """True and false positive rate and precision at a given predicted-positive rate.

    For a budget to treat, inspect or call a proportion q of all cases: those with the highest scores are
    predicted positive. Estimates are for the population, at the threshold with predicted-positive rate q.

    Parameters
    ----------
    scores : Scores
    positive_rate : float or array-like of shape (h,)
        Rates q in (0, 1]. Bootstrap methods predict exactly r = floor(q * m) of a sample's m cases positive,
        at least one.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1), for each of the three intervals.
    sampling : {"full", "stratified"}
        Sampling of the test set. "full": a random sample of all cases, so class sizes are random, too, which
        affects the threshold. "stratified": fixed numbers of positives and negatives, in the population's
        proportion; the three rates are then functions of one number, and their intervals are simultaneous.
    {options}

    Returns
    -------
    Regions
        `fpr`, `tpr` and `precision` are `Intervals` over the rates. `at` is the requested rate, or r/m for
        bootstrap methods; `flagged` the number of cases predicted positive, n·q or n·r/m, possibly
        fractional. Limits are clipped to [0, 1], and widened for rounded scores. `joint` is false. At a
        predicted-positive rate of 1 both rates are 1.

    Raises
    ------
    ValueError
        A rate of 0 or above 1, or below 1/m for bootstrap methods; an unknown method; an invalid level, size
        or number of resamples.

    Warns
    -----
    ConfrocWarning
        Intervals of bootstrap methods have zero width.

    See Also
    --------
    rates_difference_at_positive_rate : Two models at the same predicted-positive rate.
    rates_at_threshold : Rates at a given threshold.
    tpr_at_fpr : True positive rate at a given false positive rate.

    Notes
    -----
    If scores tie at the threshold, tied cases are predicted positive at random. `estimate` is the mean over
    that choice, the point where the ROC curve (diagonal along ties) meets the line n_pos·TPR + n_neg·FPR =
    n·q. The mean and variance of "agresti_coull" and "wald" are those of the exact bootstrap distribution for
    the precision, and under stratified sampling for all three rates; under full sampling the denominators of
    the two rates vary, and their moments are of first order (delta method).

    The predicted-positive rate and the precision depend on the prevalence: it must be equal in the sample and
    the population. Otherwise use rates at a threshold or at a false positive rate. For a random sample of all
    cases "stratified" under-covers, more so at larger predicted-positive rates, since it treats the
    prevalence as known.

    References
    ----------
    Dugas & Gadoury (2009), section 6, name this averaging as further work. Brown LD, Cai TT, DasGupta A
    (2001), Statistical Science 16, 101-133: Jeffreys's interval for one proportion.

    Examples
    --------
    >>> from confroc import rates_at_positive_rate
    >>> y_true, y_score = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1], [1, 2, 3, 4, 7, 5, 6, 8, 9, 10]
    >>> budget = rates_at_positive_rate(y_true, y_score, positive_rate=0.4)
    >>> budget.flagged, budget.precision.estimate, budget.precision.lower.round(3)
    (array([4.]), array([0.75]), array([0.309]))
    """
    chosen = RATES_AT_POSITIVE_RATE.chosen(method, options, rates_at_positive_rate)
    check_scores("scores", scores, widens=chosen.widens, dependent=True)
    level = check_level(confidence_level)
    statistic = methods.attained(chosen, RatesAtPositiveRate(positive_rate, sampling), scores)
    found, at = infer(one(scores, statistic), chosen, level), statistic.at
    flagged = statistic.places * (scores.n_pos + scores.n_neg)
    return regions_of(found, methods.QUANTITIES, at, level, level, joint=False, flagged=flagged)


@accepts_two_models
@lists_methods(RATES_DIFFERENCE_AT_POSITIVE_RATE)
def rates_difference_at_positive_rate(
    pair: Pair,
    /,
    *,
    positive_rate: ArrayLike,
    method: str | Method = "beta_mixture",
    confidence_level: float = 0.95,
    sampling: Sampling = "full",
    **options: Unpack[RatesDifferenceAtPositiveRateOptions],
) -> Regions:
    """Differences a - b of false and true positive rate at equal predicted-positive rates.

    For a fixed budget: each model predicts the proportion q of all cases with its highest scores positive.
    Estimates are for the population, each model at its threshold with predicted-positive rate q.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    positive_rate : float or array-like of shape (h,)
        Rates q in (0, 1]. Bootstrap methods predict exactly r = floor(q * m) of a sample's m cases positive,
        at least one.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1), for each of the two intervals.
    sampling
        As in `rates_at_positive_rate`.
    {options}

    Returns
    -------
    Regions
        `fpr` and `tpr` are `Intervals` of the differences, inside [-1, 1]; each contains its estimate. `at`
        and `at_b` are the predicted-positive rates of a and b, or r/m for bootstrap methods. For rounded
        scores intervals are widened by the bound on the effect of rounding. `joint` is false.

    Raises
    ------
    ValueError
        A rate of 0 or above 1, or below 1/m for bootstrap methods; an unknown method; an invalid level, size
        or number of resamples; an option that the method does not have.

    Warns
    -----
    ConfrocWarning
        Intervals of bootstrap methods have zero width.

    See Also
    --------
    rates_at_positive_rate : Rates of one model.
    rates_difference_at_threshold : Differences at given thresholds.
    aligned_thresholds : Thresholds with equal predicted-positive rates, for use on other cases.

    Notes
    -----
    Both models predict the same number of cases positive: if a has more true positives than b, it has as many
    fewer false positives. With prevalence π, π times the difference of the true positive rates is -(1 - π)
    times that of the false positive rates, so both intervals are equivalent. The difference of the precisions
    is π/q times that of the true positive rates.

    If scores tie at the threshold, tied cases are predicted positive at random; `estimate` is the mean over
    that choice. The exact distribution takes seconds with some 50 cases of a class under stratified sampling
    and some 25 under full sampling, fewer with ties; for larger samples a normal distribution with
    first-order moments is used, with a note.

    References
    ----------
    .. [1] Newcombe (1998), Statistics in Medicine 17, 873-890. Zou & Donner (2008), Statistics in Medicine
       27, 1693-1702.
    .. [2] Dugas & Gadoury (2009), section 6, name this averaging as further work.

    Examples
    --------
    >>> from confroc import PairedScores, rates_difference_at_positive_rate
    >>> y = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    >>> pair = PairedScores(y, [1, 2, 3, 4, 7, 5, 6, 8, 9, 10], [1, 2, 6, 7, 8, 3, 4, 5, 9, 10])
    >>> budget = rates_difference_at_positive_rate(pair, positive_rate=0.4)
    >>> budget.tpr.estimate.round(3), budget.tpr.lower.round(3), budget.tpr.upper.round(3)
    (array([0.2]), array([-0.189]), array([0.577]))
    """
    chosen = RATES_DIFFERENCE_AT_POSITIVE_RATE.chosen(method, options, rates_difference_at_positive_rate)
    check_pair("pair", pair, widens=chosen.widens, dependent=True)
    level = check_level(confidence_level)
    requested = RatesAtPositiveRate(positive_rate, sampling, methods.RATES)
    a, b = (methods.attained(chosen, requested, table) for table in (pair.a, pair.b))
    found = infer(minus(pair, (a, b)), chosen, level)
    names = [difference_label(rate, pair) for rate in methods.RATES]
    return regions_of(found, names, a.at, level, level, joint=False, at_b=b.places, design=design_of(pair))
