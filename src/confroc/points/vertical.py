"""At a given false positive rate: an interval for the true positive rate, and the reverse.

The threshold is the r-th highest score of the negatives and varies from sample to sample; given it,
the true positives are binomial (Dugas & Gadoury 2009, section 4.1). Exchanging the classes turns one
question into the other.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import (
    ArgumentError,
    check_choice,
    check_level,
    check_rate,
    check_size,
    false_positives,
)
from confroc._types import RNG, FloatArray, IntArray, Sampling, Size
from confroc.distributions import clipped, normal_quantile
from confroc.exact.tpr import tpr_moments, tpr_quantiles
from confroc.points.kernel import kernel_curve
from confroc.points.shared import (
    check_resamples,
    check_sampling,
    guarantee_of,
    percentile_ends,
    refuse_size,
    tails,
    warn_few_cases,
    warn_zero_width,
)
from confroc.resample import resample
from confroc.results import Intervals
from confroc.scores import CountTable, Scores, check_scores, errors_of, widened
from confroc.scores.counting import rows_reaching, sums_before

Numbers: TypeAlias = FloatArray | IntArray
VerticalMethod: TypeAlias = Literal["agresti_coull", "wald", "bootstrap", "exact_bootstrap", "kernel"]
VERTICAL_METHODS = ("agresti_coull", "wald", "bootstrap", "exact_bootstrap", "kernel")

SMOOTHING = {"agresti_coull": 2.0, "wald": 0.0}
"""Successes, and failures, added to each binomial."""

RATES = {"fpr": "false positive rate", "tpr": "true positive rate"}


def whole(rate: FloatArray, m: int, *, up: bool) -> IntArray:
    """Return rate * m rounded down (or up) to a whole number, products within 1e-9 of one being that one."""
    exact = rate * m
    near = np.rint(exact)
    rounded = np.ceil(exact) if up else np.floor(exact)
    return np.where(np.abs(exact - near) <= 1e-9 * np.maximum(1.0, exact), near, rounded).astype(np.int64)


def threshold_rows(scores: Scores, r: IntArray, m_neg: int) -> IntArray:
    """Row of the negative whose score is the threshold, at r out of m_neg false positives.

    For a sample of another size it is the negative with the same share of negatives above it, rounded up.
    """
    rank = -(-r * scores.n_neg // m_neg)
    return np.searchsorted(scores.neg_above, rank)


def tie_note(scores: Scores, r: IntArray, m_neg: int, given: str) -> tuple[str, ...]:
    """Say where a tie makes the threshold's rate in the sample larger than the rate asked for."""
    rows, rank = threshold_rows(scores, r, m_neg), -(-r * scores.n_neg // m_neg)
    excess = (scores.neg_above[rows] - rank) / scores.n_neg
    tied = int(np.count_nonzero(excess > 0.0))
    if not tied:
        return ()
    return (
        f"At {tied} of {len(r)} rates the threshold falls in a tie, so that the sample's {given} at that "
        f"threshold exceeds the rate in `at`, by up to {excess.max():.4g}.",
    )


def share_at_rank(pos: Numbers, neg: Numbers, rate: FloatArray, *, up: bool) -> FloatArray:
    """Return the true positive rate of one table of counts at given false positive rates.

    The rank that a rate stands for stays within 1 and the number of negatives, which under full sampling
    varies.
    """
    m_neg = int(neg.sum())
    rows = rows_reaching(np.clip(whole(rate, m_neg, up=up), 1, m_neg), neg)
    (found,) = sums_before(rows + 1, pos)
    return np.asarray(found / pos.sum())


def tpr_replicates(
    scores: Scores,
    rate: FloatArray,
    *,
    up: bool,
    size: tuple[int, int],
    n_resamples: int,
    rng: RNG,
    sampling: Sampling,
    n_jobs: int,
) -> FloatArray:
    """Return resampled true positive rates, of shape (n_resamples, h)."""

    def statistic(pos: IntArray, neg: IntArray) -> FloatArray:
        return share_at_rank(pos, neg, rate, up=up)

    return resample(statistic, scores, n_resamples, rng, size=size, sampling=sampling, n_jobs=n_jobs)


def share_above(scores: Scores, r: IntArray, m_neg: int) -> FloatArray:
    """True positive rate at the threshold for r out of m_neg false positives."""
    return np.asarray(scores.pos_above[threshold_rows(scores, r, m_neg)] / scores.n_pos)


def _at_rank(
    scores: Scores,
    r: IntArray,
    *,
    given: Literal["fpr", "tpr"],
    size: tuple[int, int],
    method: str,
    confidence_level: float,
    n_resamples: int,
    rng: RNG,
    sampling: object,
    n_jobs: int,
) -> Intervals:
    """Intervals for the true positive rate when the r-th highest of size[1] negatives is the threshold.

    Given the "tpr", the classes of `scores` and `size` are exchanged, and the names change back here.
    """
    level = check_level(confidence_level)
    drawn = check_sampling(sampling, method)
    at = r / size[1]
    few: tuple[str, ...] = ()
    if method != "kernel":
        estimate = share_above(scores, r, size[1])
        errors = errors_of(scores, lambda table: share_above(table, r, size[1]))
    if method in SMOOTHING:
        mean, variance = tpr_moments(scores, r, size, SMOOTHING[method])
        lower, upper = clipped(mean, normal_quantile(level) * np.sqrt(variance))
    elif method == "kernel":
        curve = kernel_curve(scores, at, normal_quantile(level))
        lower, upper = clipped(curve.tpr, normal_quantile(level) * curve.standard_error)
        estimate, errors = curve.tpr, (np.zeros_like(at), np.zeros_like(at))
        few = warn_few_cases(curve.tpr, scores.n_pos)
    elif method == "exact_bootstrap":
        lower, upper = tpr_quantiles(scores, r, size, tails(level)).T
    else:
        count = check_resamples(n_resamples, level)
        shares = tpr_replicates(
            scores,
            at,
            up=given == "tpr",
            size=size,
            n_resamples=count,
            rng=rng,
            sampling=drawn,
            n_jobs=n_jobs,
        )
        lower, upper = percentile_ends(shares, level)
    notes = tie_note(scores, r, size[1], RATES[given]) + few
    result = Intervals(
        quantity="tpr" if given == "fpr" else "fpr",
        at_name=given,
        at=at,
        estimate=estimate,
        lower=lower,
        upper=upper,
        confidence_level=level,
        method=method,
        guarantee=guarantee_of(method),
        notes=notes + warn_zero_width(upper - lower, method, "agresti_coull"),
    )
    return widened(result, *errors, bounds=(0.0, 1.0))


def tpr_at_fpr(
    scores: Scores,
    fpr: ArrayLike,
    *,
    method: VerticalMethod = "agresti_coull",
    confidence_level: float = 0.95,
    size: Size = None,
    n_resamples: int = 2000,
    rng: RNG = None,
    sampling: Sampling = "stratified",
    n_jobs: int = 1,
) -> Intervals:
    """True positive rate at a given false positive rate.

    Parameters
    ----------
    scores : Scores
    fpr : float or array-like of shape (h,)
        False positive rates in [1/m_neg, 1]; each stands for r = floor(fpr * m_neg) false positives.
    method : {"agresti_coull", "wald", "bootstrap", "exact_bootstrap", "kernel"}
        agresti_coull : mean and variance of the exact bootstrap law, after two successes and two failures
            are added at every threshold (Dugas & Gadoury 2009, Algorithm 4, eqs. 6-7). Asymptotic: where the
            rate stands for one or two false positives and positives are few it under-covers (0.87 at 95 %
            for one of 25 and 25 positives, `experiments/which_method.py`).
        wald : the same without the addition. Zero width, and no coverage, where the sample's rate is
            0 or 1; kept for comparison. Asymptotic.
        bootstrap : percentiles of `n_resamples` resamples. Under-covers near 0 and 1, like "wald".
            Guarantee: bootstrap.
        exact_bootstrap : quantiles of the law to which "bootstrap" converges (eq. 5), without resampling.
            Guarantee: bootstrap.
        kernel : normal interval around the smooth curve of two Gaussian kernel estimates (Hall, Hyndman &
            Fan 2004, with bandwidths after Hall & Hyndman 2003). For continuous scores; unlike all else it
            changes under a monotone transform of them. Covers too little where the curve is near 0 or 1,
            and warns there. Asymptotic.
    confidence_level : float
        In (0, 1).
    size : (int, int), optional
        (m_pos, m_neg), cases of each class in a bootstrap sample; by default the sample's own. Not for
        "kernel".
    n_resamples : int
        For "bootstrap"; at least 2/(1 - confidence_level).
    rng : Generator, int or None
        For "bootstrap".
    sampling : {"stratified", "full"}
        For "bootstrap": draw each class by itself, or both together so that class sizes vary too. All
        other methods are stratified.
    n_jobs : int
        Jobs by which joblib shares the resamples out; the result does not depend on it.

    Returns
    -------
    Intervals
        `at` is the rate r/m_neg really used, `estimate` the share of positives that score at least as high
        as the r-th highest negative ("kernel": the smooth curve). Bounds are cut to [0, 1]. With rounded
        scores they are widened by what the rounding can have changed (not for "kernel").

    Raises
    ------
    ValueError
        A rate below 1/m_neg or above 1; an unknown method; an impossible level, size or number of
        resamples; full sampling with another method than "bootstrap".

    Warns
    -----
    ConfrocWarning
        When intervals have zero width, or "kernel" is used near 0 or 1 or for rounded scores.

    Notes
    -----
    The threshold is the score of the r-th highest negative, so positives between it and the next negative
    below are not found. Where the empirical curve rises vertically at `at`, `estimate` is thus the foot of
    that step, and `RocCurve.tpr_at`, which reads off the largest value there, its top: a threshold put just
    above the next negative would have as few false positives, but whether one stands there is the sample's
    luck. In the aSAH data s100b at 7 of 72 negatives (9.7 %) has 14 of 41 positives by the former reading
    (0.341) and 16 of 41 by the latter (0.390).

    Negatives tied at the threshold are all called positive, so the threshold's false positive rate in the
    sample may exceed `at`; `notes` says where.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.points import tpr_at_fpr
    >>> scores = Scores([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], [1, 2, 3, 4, 7, 5, 6, 8, 9, 10])
    >>> band = tpr_at_fpr(scores, [0.2, 0.4])
    >>> band.estimate, band.lower.round(3), band.upper.round(3)
    (array([0.6, 1. ]), array([0.258, 0.375]), array([0.998, 1.   ]))
    """
    m_pos, m_neg = _checked(scores, method, size)
    return _at_rank(
        scores,
        false_positives(fpr, m_neg),
        given="fpr",
        size=(m_pos, m_neg),
        method=method,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        rng=rng,
        sampling=sampling,
        n_jobs=n_jobs,
    )


def _checked(scores: Scores, method: str, size: Size) -> tuple[int, int]:
    """Check what both functions share, and return the size of a bootstrap sample."""
    # A kernel estimate moves with the scores themselves, by more than counts can tell.
    check_scores("scores", scores, widens=method != "kernel")
    check_choice("method", method, VERTICAL_METHODS)
    if method == "kernel":
        refuse_size(size, method, "Use 'agresti_coull' or a bootstrap.")
    return check_size(size, scores.n_pos, scores.n_neg)


def exchanged(scores: Scores) -> Scores:
    """Return the same scores with the classes exchanged."""
    return Scores._of(
        CountTable(scores.score, scores.neg, scores.pos), None if scores.exact else scores.score_max
    )


def _true_positives(tpr: ArrayLike, m_pos: int) -> IntArray:
    rates = check_rate("tpr", tpr)
    if not (rates > 0.0).all():
        wrong = float(rates[~(rates > 0.0)][0])
        raise ArgumentError("tpr", "be above 0", wrong, "Finding no positive costs nothing.")
    return np.maximum(whole(rates, m_pos, up=True), 1)


def fpr_at_tpr(
    scores: Scores,
    tpr: ArrayLike,
    *,
    method: VerticalMethod = "agresti_coull",
    confidence_level: float = 0.95,
    size: Size = None,
    n_resamples: int = 2000,
    rng: RNG = None,
    sampling: Sampling = "stratified",
    n_jobs: int = 1,
) -> Intervals:
    """False positive rate that a given true positive rate costs.

    Parameters
    ----------
    scores : Scores
    tpr : float or array-like of shape (h,)
        True positive rates in (0, 1]; each stands for r = ceil(tpr * m_pos) positives that must be found.
    method, confidence_level, size, n_resamples, rng, sampling, n_jobs
        As in `tpr_at_fpr`.

    Returns
    -------
    Intervals
        `at` is the rate r/m_pos really used, no smaller than `tpr`; `estimate` the share of negatives that
        score at least as high as the r-th highest positive: the smallest false positive rate of any threshold
        that finds r positives or more, as `RocCurve.fpr_at` reads it. Bounds are cut to [0, 1], and for
        rounded scores widened as in `tpr_at_fpr`.

    Raises
    ------
    ValueError
        A rate outside (0, 1], and as in `tpr_at_fpr`.

    Warns
    -----
    ConfrocWarning
        When intervals have zero width.

    Notes
    -----
    The mathematics of `tpr_at_fpr` (Dugas & Gadoury 2009, section 4.1) with the classes exchanged: the
    threshold is the r-th highest score of the positives, and given it the false positives are binomial.
    Positives tied at the threshold are all found, so the true positive rate of the sample may exceed `at`;
    `notes` says where.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.points import fpr_at_tpr
    >>> scores = Scores([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], [1, 2, 3, 4, 7, 5, 6, 8, 9, 10])
    >>> band = fpr_at_tpr(scores, 0.75)
    >>> band.at, band.estimate, band.upper.round(3)
    (array([0.8]), array([0.2]), array([0.609]))
    """
    m_pos, m_neg = _checked(scores, method, size)
    return _at_rank(
        exchanged(scores),
        _true_positives(tpr, m_pos),
        given="tpr",
        size=(m_neg, m_pos),
        method=method,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        rng=rng,
        sampling=sampling,
        n_jobs=n_jobs,
    )
