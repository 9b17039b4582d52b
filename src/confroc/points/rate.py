"""One rate at a value of the other: the true positive rate at a false positive rate, and the reverse."""

from __future__ import annotations

from typing import Unpack

from numpy.typing import ArrayLike

from confroc._check import check_level, check_rate
from confroc._options import FprAtTprOptions, TprAtFprOptions, TprDifferenceAtFprOptions
from confroc.base import Method, family, lists_methods
from confroc.inference import infer, intervals_of, minus, one
from confroc.points import rate_methods as methods
from confroc.results import Intervals
from confroc.scores import (
    Pair,
    Scores,
    accepts_one_model,
    accepts_two_models,
    check_pair,
    check_scores,
    difference_label,
)
from confroc.statistics.rates import FprAtTpr, TprAtFpr

TPR_AT_FPR = family("tpr_at_fpr", "True positive rate at a false positive rate", methods.TPR, "beta_mixture")
FPR_AT_TPR = family("fpr_at_tpr", "False positive rate at a true positive rate", methods.FPR, "beta_mixture")
TPR_DIFFERENCE_AT_FPR = family(
    "tpr_difference_at_fpr",
    "Difference of two models' true positive rates at a false positive rate",
    methods.DIFFERENCE,
    "beta_mixture",
)


@accepts_one_model
@lists_methods(TPR_AT_FPR)
def tpr_at_fpr(
    scores: Scores,
    /,
    *,
    fpr: ArrayLike,
    method: str | Method = "beta_mixture",
    confidence_level: float = 0.95,
    **options: Unpack[TprAtFprOptions],
) -> Intervals:
    """True positive rate at a given false positive rate.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
    fpr : float or array-like of shape (h,)
        False positive rates in [0, 1]; for methods by rank ("agresti_coull", "wald" and the plain bootstraps)
        in [1/n_neg, 1].
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    Intervals
        `at` is the requested rate, `estimate` the curve's value there, as `RocCurve.tpr_at` reads it
        ("kernel": the smooth curve). Every interval contains its estimate. At a false positive rate of 1 it
        is [1, 1]. Bounds are cut to [0, 1]. With rounded scores they are widened by what the rounding can
        have changed (not for "kernel" and the symmetric bootstraps). A rate below 1/n_neg, which the sample
        cannot show, is noted.

    Raises
    ------
    ValueError
        A rate outside [0, 1], or below 1/m_neg for a method by rank; an unknown method; an impossible level,
        size or number of resamples; an option that the method does not have.

    Warns
    -----
    ConfrocWarning
        When a method by rank is used where fewer than five negatives are expected above the threshold, or
        below it; when intervals have zero width, "kernel" is used near 0 or 1, or a method that smooths for
        rounded scores.

    See Also
    --------
    fpr_at_tpr : The reverse.
    tpr_difference_at_fpr : Two models.
    roc_band : All false positive rates at once.
    confroc.exact.tpr_pmf : The exact bootstrap distribution itself.

    Notes
    -----
    Every method gives the interval at the requested rate. Those by rank [1]_ take the score of the r-th
    highest negative of m_neg as the threshold, which is the rate r/m_neg; between two such rates their
    distribution is the mixture of the two, in proportion to nearness. Inside a tie rates are interpolated,
    as on the curve: a tie's negatives are counted one by one, its positives evenly among them.

    Where the empirical curve rises vertically at `at`, `estimate` is the top of that step.

    References
    ----------
    .. [1] Dugas & Gadoury (2009), section 4.1.
    .. [2] Hall, Hyndman & Fan (2004), Biometrika 91, 743-750.
    .. [3] Hall & Hyndman (2003), Statistics & Probability Letters 64, 181-189.
    .. [4] Bertail, Clémençon & Vayatis (2008), On bootstrapping the ROC curve, NIPS 21.

    Examples
    --------
    >>> from confroc import Scores, tpr_at_fpr
    >>> scores = Scores.from_counts([3, 2, 1], [40, 40, 20], [10, 40, 50])
    >>> found = tpr_at_fpr(scores, fpr=[0.1, 0.3])
    >>> found.estimate, found.lower.round(3), found.upper.round(3)
    (array([0.4, 0.6]), array([0.198, 0.489]), array([0.497, 0.703]))
    """
    chosen = TPR_AT_FPR.chosen(method, options, tpr_at_fpr)
    check_scores("scores", scores, widens=chosen.widens, dependent=True)
    statistic, level = TprAtFpr(check_rate("fpr", fpr)), check_level(confidence_level)
    return intervals_of(infer(one(scores, statistic), chosen, level), "tpr", statistic.at, level)


@accepts_one_model
@lists_methods(FPR_AT_TPR)
def fpr_at_tpr(
    scores: Scores,
    /,
    *,
    tpr: ArrayLike,
    method: str | Method = "beta_mixture",
    confidence_level: float = 0.95,
    **options: Unpack[FprAtTprOptions],
) -> Intervals:
    """False positive rate that a given true positive rate costs.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
    tpr : float or array-like of shape (h,)
        True positive rates in [0, 1]; for methods by rank 0, or in [1/n_pos, 1].
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    Intervals
        `at` is the requested rate; `estimate` the smallest false positive rate of the curve there, as
        `RocCurve.fpr_at` reads it ("kernel": the smooth curve). Every interval contains its estimate. At a
        true positive rate of 0 it is [0, 0]. Bounds are cut to [0, 1], and for rounded scores widened as in
        `tpr_at_fpr`.

    Raises
    ------
    ValueError
        A rate outside [0, 1], and as in `tpr_at_fpr`.

    Warns
    -----
    ConfrocWarning
        As in `tpr_at_fpr`, with the classes exchanged.

    See Also
    --------
    tpr_at_fpr : The reverse.
    rates_at_threshold : The threshold given instead of a rate.

    Notes
    -----
    The mathematics of `tpr_at_fpr` with the classes exchanged: the threshold stands between two positives,
    and given it the false positives are binomial.

    References
    ----------
    Dugas & Gadoury (2009), section 4.1, with the classes exchanged.

    Examples
    --------
    >>> from confroc import Scores, fpr_at_tpr
    >>> scores = Scores.from_counts([3, 2, 1], [40, 40, 20], [10, 40, 50])
    >>> found = fpr_at_tpr(scores, tpr=0.6)
    >>> found.estimate.round(3), found.lower.round(3), found.upper.round(3)
    (array([0.3]), array([0.206]), array([0.414]))
    """
    chosen = FPR_AT_TPR.chosen(method, options, fpr_at_tpr)
    check_scores("scores", scores, widens=chosen.widens, dependent=True)
    statistic, level = FprAtTpr(check_rate("tpr", tpr)), check_level(confidence_level)
    return intervals_of(infer(one(scores, statistic), chosen, level), "fpr", statistic.at, level)


@accepts_two_models
@lists_methods(TPR_DIFFERENCE_AT_FPR)
def tpr_difference_at_fpr(
    pair: Pair,
    /,
    *,
    fpr: ArrayLike,
    method: str | Method = "beta_mixture",
    confidence_level: float = 0.95,
    **options: Unpack[TprDifferenceAtFprOptions],
) -> Intervals:
    """Difference a - b of two models' true positive rates at a given false positive rate.

    Parameters
    ----------
    pair : PairedScores, UnpairedScores or (y_true, score_a, score_b)
    fpr : float or array-like of shape (h,)
        False positive rates in [0, 1]; for methods by rank in [1/n_neg, 1].
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    Intervals
        `at` is the requested rate, and `estimate` the difference of the two curves there, as
        `RocCurve.tpr_at` reads them: both models are compared at the same rate. Every interval contains its
        estimate. At a rate of 1 it is [0, 0]. Bounds are cut to [-1, 1], for rounded scores widened by what
        the rounding can have changed. `pvalue` of "beta_mixture", "agresti_min" and "wald" is that of the
        two-sided test that the difference is zero, for rounded scores as they are; `difference` has other
        hypotheses.

    Raises
    ------
    ValueError
        A rate outside [0, 1], or below 1/m_neg for a method by rank; an unknown method; an impossible level,
        size or number of resamples; an option that the method does not have.

    Warns
    -----
    ConfrocWarning
        When a method by rank is used where fewer than five negatives are expected on one side of a threshold,
        or intervals have zero width.

    See Also
    --------
    tpr_at_fpr : One model.
    rates_difference_at_threshold : The thresholds given instead of the rate.
    roc_difference_band : All false positive rates at once.
    confroc.exact.tpr_difference_pmf : The exact bootstrap distribution itself.

    Notes
    -----
    The methods by rank [1]_ use negatives of the sample as thresholds, which is the rate r/m_neg. On disjoint
    test sets either model has the distribution of `tpr_at_fpr`. On the same cases ends are interpolated
    between two such rates. The distribution of a pair's two thresholds is computed exactly where that is a
    matter of seconds, and replaced by a refined normal approximation beyond. It calls all cases tied at a
    threshold positive; its ends are moved by what the curve, which goes through a tie along a diagonal, makes
    of that.

    References
    ----------
    .. [1] Dugas & Gadoury (2009), section 4.2 and Appendix B.
    .. [2] Agresti & Min (2005), Statistics in Medicine 24, 729-740.
    .. [3] Agresti & Caffo (2000), The American Statistician 54, 280-288.

    Examples
    --------
    >>> from confroc import PairedScores, tpr_difference_at_fpr
    >>> pos, neg = [30, 8, 6, 4, 3, 1], [2, 4, 6, 10, 12, 30]
    >>> pair = PairedScores.from_counts([4, 4, 3, 3, 2, 1], [4, 3, 4, 2, 3, 1], pos=pos, neg=neg)
    >>> difference = tpr_difference_at_fpr(pair, fpr=0.2)
    >>> difference.estimate.round(3), difference.lower.round(3), difference.upper.round(3)
    (array([0.057]), array([-0.074]), array([0.211]))
    """
    chosen = TPR_DIFFERENCE_AT_FPR.chosen(method, options, tpr_difference_at_fpr)
    check_pair("pair", pair, widens=chosen.widens, dependent=True)
    statistic, level = TprAtFpr(check_rate("fpr", fpr)), check_level(confidence_level)
    found = infer(minus(pair, (statistic, statistic)), chosen, level)
    return intervals_of(found, difference_label("tpr", pair), statistic.at, level)
