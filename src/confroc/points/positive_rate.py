"""Rates at a given predicted-positive rate: of one model, and the differences of two."""

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
    "Rates and precision when a share of the cases is predicted positive",
    methods.INTERVAL,
    "beta_mixture",
)
RATES_DIFFERENCE_AT_POSITIVE_RATE = family(
    "rates_difference_at_positive_rate",
    "Difference of two models' rates when both predict the same share of the cases positive",
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

    For a budget that pays for treating, inspecting or calling a share q of all cases: those with the highest
    scores are predicted positive. The estimated rates are those of the population at the threshold above
    which the share q of it lies.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
    positive_rate : float or array-like of shape (h,)
        Shares q in (0, 1]. The bootstrap's methods predict exactly r = floor(q * m) of a sample's m cases
        positive, at least one.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1), of each of the three intervals by itself.
    sampling : {"full", "stratified"}
        How the test set came about. "full": cases were drawn from the population whatever their class, so
        the class sizes are random too, which moves the cut. "stratified": so many positives and so many
        negatives were drawn, in the population's proportion; the three rates are then functions of one
        number, and their intervals are simultaneous at the level.
    {options}

    Returns
    -------
    Regions
        `fpr`, `tpr` and `precision` are `Intervals` over the shares. `at` is the requested share, with the
        bootstrap's methods r/m; `flagged` the number of the sample's cases that it stands for, n·q or n·r/m,
        whole or not. Bounds are cut to [0, 1], for rounded scores widened by what the rounding can have
        changed. `joint` is false. At a share of 1 both rates are 1 whatever the scores.

    Raises
    ------
    ValueError
        A share of 0 or above 1, or for the bootstrap's methods below 1/m; an unknown method; an impossible
        level, size or number of resamples.

    Warns
    -----
    ConfrocWarning
        When intervals of the bootstrap's methods have zero width.

    See Also
    --------
    rates_difference_at_positive_rate : Two models at the same predicted-positive rate.
    rates_at_threshold : The threshold given instead of the share.
    tpr_at_fpr : The false positive rate given instead of the share.

    Notes
    -----
    A budget is kept to the case: when scores tie at the cut, a random part of the tied cases is predicted
    positive. `estimate` is the mean over that choice, the point where the ROC curve (diagonal along ties)
    meets the line n_pos·TPR + n_neg·FPR = n·q. The mean and variance behind "agresti_coull" and "wald" are
    those of the exact bootstrap distribution for the precision, and under stratified sampling for all three
    rates; under full sampling the two rates' denominators vary, and theirs are of first order (delta method).

    The predicted-positive rate and the precision depend on the share of positives: the sample's share must be
    the population's. If it is not, use rates at a threshold or a false positive rate. Where cases were drawn
    whatever their class, "stratified" under-covers, more so at larger predicted-positive rates: it treats the
    share of positives as known.

    References
    ----------
    Dugas & Gadoury (2009), section 6, name this averaging as further work. Brown LD, Cai TT, DasGupta A
    (2001), Statistical Science 16, 101-133: Jeffreys's interval for one proportion.

    Examples
    --------
    >>> from confroc import Scores, rates_at_positive_rate
    >>> scores = Scores([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], [1, 2, 3, 4, 7, 5, 6, 8, 9, 10])
    >>> budget = rates_at_positive_rate(scores, positive_rate=0.4)
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
    """Differences a - b of false and true positive rate at the same predicted-positive rate of both models.

    For a fixed budget: each model predicts the share q of all cases that it scores highest as positive,
    whatever its scale. The estimated differences are those in the population, each model at its own threshold
    above which the share q of it lies.

    Parameters
    ----------
    pair : PairedScores, UnpairedScores or (y_true, score_a, score_b)
    positive_rate : float or array-like of shape (h,)
        Shares q in (0, 1]. The bootstrap's methods predict exactly r = floor(q * m) of a sample's m cases
        positive, at least one.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1), of each of the two intervals by itself.
    sampling
        As in `rates_at_positive_rate`.
    {options}

    Returns
    -------
    Regions
        `fpr` and `tpr` are `Intervals` of the differences, inside [-1, 1]; each contains its estimate. `at`
        and `at_b` are the predicted-positive rates of a and b, with the bootstrap's methods r/m. For rounded
        scores the intervals are widened by what the rounding can have changed. `joint` is false.

    Raises
    ------
    ValueError
        A share of 0 or above 1, or for the bootstrap's methods below 1/m; an unknown method; an impossible
        level, size or number of resamples; an option that the method does not have.

    Warns
    -----
    ConfrocWarning
        When intervals of the bootstrap's methods have zero width.

    See Also
    --------
    rates_at_positive_rate : One model.
    rates_difference_at_threshold : The thresholds given instead of the share.
    aligned_thresholds : Thresholds with the same predicted-positive rate, to be used on other cases.

    Notes
    -----
    Both models predict the same number of cases positive: where a finds more positives than b, it predicts as
    many fewer negatives positive. With π the share of positives, π times the difference of the true
    positive rates is -(1 - π) times that of the false positive rates, so that the two intervals are two views
    of one question. The precision's difference is π/q times that of the true positive rates.

    When scores tie at the cut, a random part of the tied cases is predicted positive; `estimate` is the mean
    over that choice. The exact distribution takes seconds with some 50 cases of a class under stratified
    sampling and with some 25 under full sampling, with fewer where scores tie; beyond, a normal distribution
    with first-order moments replaces it, with a note.

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
    asked = RatesAtPositiveRate(positive_rate, sampling, methods.RATES)
    a, b = (methods.attained(chosen, asked, table) for table in (pair.a, pair.b))
    found = infer(minus(pair, (a, b)), chosen, level)
    names = [difference_label(rate, pair) for rate in methods.RATES]
    return regions_of(found, names, a.at, level, level, joint=False, at_b=b.places, design=design_of(pair))
