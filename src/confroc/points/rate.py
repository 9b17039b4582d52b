"""True positive rate at a false positive rate, and the reverse."""

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
    scores : Scores
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
        `at` is the requested rate, `estimate` the value of the curve, as `RocCurve.tpr_at` (for "kernel" the
        smooth curve). Every interval contains its estimate; at a false positive rate of 1 it is [1, 1].
        Limits are clipped to [0, 1], and widened for rounded scores by the bound on the effect of rounding
        (not for "kernel" and the symmetric bootstraps). Notes report rates below 1/n_neg, which cannot be
        estimated from the sample, lower limits of zero, and interpolated rates: where scores tie, `estimate`
        lies between the rates of two thresholds, and `threshold` is NaN.

    Raises
    ------
    ValueError
        A rate outside [0, 1], or below 1/m_neg for a method by rank; an unknown method; an invalid level,
        size or number of resamples; an option that the method does not have.

    Warns
    -----
    ConfrocWarning
        A method by rank with fewer than five negatives expected above or below the threshold; intervals of
        zero width; "kernel" near 0 or 1; smoothing methods for rounded scores.

    See Also
    --------
    fpr_at_tpr : The reverse.
    rates_at_threshold : The threshold is fixed, so intervals are shorter.
    tpr_difference_at_fpr : Difference between two models.
    roc_band : Simultaneous band for all false positive rates.
    confroc.exact.tpr_pmf : The exact bootstrap distribution.

    Notes
    -----
    Intervals are for the requested rate. Methods by rank [1]_ use the score of the r-th highest negative of
    m_neg as the threshold, with rate r/m_neg; between two such rates their distribution is a mixture of both,
    weighted by distance. Inside a tie rates are interpolated, as on the curve: a tie's negatives are ordered,
    with its positives spread evenly among them.

    Where the empirical curve is vertical at `at`, `estimate` is the top of that step.

    References
    ----------
    .. [1] Dugas & Gadoury (2009), section 4.1.
    .. [2] Hall, Hyndman & Fan (2004), Biometrika 91, 743-750.
    .. [3] Hall & Hyndman (2003), Statistics & Probability Letters 64, 181-189.
    .. [4] Bertail, Clémençon & Vayatis (2008), On bootstrapping the ROC curve, NIPS 21.

    Examples
    --------
    >>> from confroc import Scores, tpr_at_fpr
    >>> y_true = [0] * 100 + [1] * 100
    >>> y_score = [*range(100), *range(50, 150)]
    >>> print(tpr_at_fpr(y_true, y_score, fpr=0.1))
    Intervals: tpr
    fpr     tpr   lower   upper  threshold
    0.1  0.6000  0.4896  0.7036         90
    95%; pointwise; method: beta_mixture; guarantee: asymptotic
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
    """False positive rate at a given true positive rate.

    Parameters
    ----------
    scores : Scores
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
        `RocCurve.fpr_at` (for "kernel" the smooth curve). Every interval contains its estimate; at a true
        positive rate of 0 it is [0, 0]. Limits are clipped to [0, 1], and widened for rounded scores as in
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
    rates_at_threshold : Rates at a given threshold.

    Notes
    -----
    As `tpr_at_fpr` with the classes exchanged: the threshold lies between two positives, and given it the
    false positives are binomial.

    References
    ----------
    Dugas & Gadoury (2009), section 4.1, with the classes exchanged.

    Examples
    --------
    >>> from confroc import Scores, fpr_at_tpr
    >>> y_true = [0] * 100 + [1] * 100
    >>> y_score = [*range(100), *range(50, 150)]
    >>> print(fpr_at_tpr(y_true, y_score, tpr=0.9))
    Intervals: fpr
    tpr     fpr   lower   upper  threshold
    0.9  0.4000  0.2966  0.5090         60
    95%; pointwise; method: beta_mixture; guarantee: asymptotic
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
    pair : PairedScores or UnpairedScores
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
        `RocCurve.tpr_at`. Every interval contains its estimate; at a rate of 1 it is [0, 0]. Limits are
        clipped to [-1, 1], and widened for rounded scores by the bound on the effect of rounding. `pvalue` of
        "beta_mixture", "agresti_min" and "wald" is that of the two-sided test of zero difference, for the
        rounded scores; `difference` has other hypotheses.

    Raises
    ------
    ValueError
        A rate outside [0, 1], or below 1/m_neg for a method by rank; an unknown method; an invalid level,
        size or number of resamples; an option that the method does not have.

    Warns
    -----
    ConfrocWarning
        A method by rank with fewer than five negatives expected on one side of a threshold; intervals of zero
        width.

    See Also
    --------
    tpr_at_fpr : Rate of one model.
    rates_difference_at_threshold : Differences at given thresholds.
    roc_difference_band : Simultaneous band for all false positive rates.
    confroc.exact.tpr_difference_pmf : The exact bootstrap distribution.

    Notes
    -----
    Methods by rank [1]_ use negatives of the sample as thresholds, with rates r/m_neg. On disjoint test sets
    each model has the distribution of `tpr_at_fpr`. On the same cases limits are interpolated between two
    such rates. The joint distribution of a pair's thresholds is exact if it takes seconds, otherwise a
    refined normal approximation. It predicts all cases tied at a threshold positive; limits are corrected for
    the diagonal of the curve inside ties.

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
