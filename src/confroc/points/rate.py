"""At a given false positive rate, the true positive rate of one model.

The threshold is the r-th highest score of the negatives and varies from sample to sample; given it, the
true positives are binomial (Dugas & Gadoury 2009, §4.1). Exchanging the classes turns the question into that
for the false positive rate at a given true positive rate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from confroc import methods
from confroc._check import ArgumentError, check_level, check_rate, check_size, false_positives, warn, whole
from confroc._types import RNG, Ends, FloatArray, IntArray, Sampling, Size
from confroc.distributions import clipped, normal_quantile, warn_zero_width
from confroc.exact.tpr import tpr_moments, tpr_quantiles
from confroc.methods.points import FPR_AT_TPR, TPR_AT_FPR
from confroc.points.kernel import kernel_curve
from confroc.points.smoothed import symmetric_bootstrap
from confroc.points.threshold import intervals
from confroc.resample import N_RESAMPLES, Draw, check_draws, percentile_ends, resamples_or, tails
from confroc.results import Intervals
from confroc.scores import (
    CountTable,
    Scores,
    check_scores,
    errors_of,
)
from confroc.scores.counting import rows_reaching, sums_before

Numbers: TypeAlias = FloatArray | IntArray
Given: TypeAlias = Literal["fpr", "tpr"]

RATES = {"fpr": "false positive rate", "tpr": "true positive rate"}


# --- the threshold that a rate stands for ------------------------------------------------------------


def threshold_rows(scores: Scores, r: IntArray, m_neg: int) -> tuple[IntArray, FloatArray]:
    """Row of the negative whose score is the threshold, at r out of m_neg false positives.

    For a sample of another size it is the negative with the same share of negatives above it, rounded up.
    Also returned is by how much a tie makes the false positive rate there exceed the rate asked for.
    """
    rank = -(-r * scores.n_neg // m_neg)
    rows = np.searchsorted(scores.neg_above, rank)
    return rows, (scores.neg_above[rows] - rank) / scores.n_neg


def tie_note(scores: Scores, r: IntArray, m_neg: int, given: Given) -> tuple[str, ...]:
    """Say where a tie makes the threshold's rate in the sample larger than the rate asked for."""
    _, excess = threshold_rows(scores, r, m_neg)
    tied = int(np.count_nonzero(excess > 0.0))
    if not tied:
        return ()
    return (
        f"At {tied} of {len(r)} rates the threshold falls in a tie, so that the sample's {RATES[given]} at "
        f"that threshold exceeds the rate in `at`, by up to {excess.max():.4g}.",
    )


def share_above(scores: Scores, r: IntArray, m_neg: int) -> FloatArray:
    """True positive rate at the threshold for r out of m_neg false positives."""
    rows, _ = threshold_rows(scores, r, m_neg)
    return np.asarray(scores.pos_above[rows] / scores.n_pos)


def share_at_rank(pos: Numbers, neg: Numbers, rate: FloatArray, *, up: bool) -> FloatArray:
    """Return the true positive rate of one table of counts at given false positive rates.

    The rank that a rate stands for stays within 1 and the number of negatives, which under full sampling
    varies.
    """
    m_neg = int(neg.sum())
    rows = rows_reaching(np.clip(whole(rate, m_neg, up=up), 1, m_neg), neg)
    (found,) = sums_before(rows + 1, pos)
    return np.asarray(found / pos.sum())


# --- one model ---------------------------------------------------------------------------------------


Found: TypeAlias = tuple[Ends, FloatArray | None]
"""The ends, and the estimate where it is not the sample's own rate."""


def tpr_replicates(
    scores: Scores, rate: FloatArray, size: tuple[int, int], draw: Draw, *, up: bool
) -> FloatArray:
    """Return resampled true positive rates, of shape (n_resamples, h)."""

    def statistic(pos: IntArray, neg: IntArray) -> FloatArray:
        return share_at_rank(pos, neg, rate, up=up)

    return draw(statistic, scores, size=size)


def _normal(a: float) -> Callable[..., Found]:
    """Use the moments of the exact law, a successes and failures added to each binomial."""

    def found(scores: Scores, r: IntArray, size: tuple[int, int], level: float, *_: object) -> Found:
        mean, variance = tpr_moments(scores, r, size, a)
        return clipped(mean, normal_quantile(level) * np.sqrt(variance)), None

    return found


def _exact(scores: Scores, r: IntArray, size: tuple[int, int], level: float, *_: object) -> Found:
    lower, upper = tpr_quantiles(scores, r, size, tails(level)).T
    return (lower, upper), None


def _resampled(
    scores: Scores,
    r: IntArray,
    size: tuple[int, int],
    level: float,
    draw: Draw,
    given: Given,
    *_: object,
) -> Found:
    shares = tpr_replicates(scores, r / size[1], size, draw, up=given == "tpr")
    return percentile_ends(shares, level), None


def _smooth(scores: Scores, r: IntArray, size: tuple[int, int], level: float, *_: object) -> Found:
    z = normal_quantile(level)
    curve = kernel_curve(scores, r / size[1], z)
    return clipped(curve.tpr, z * curve.standard_error), curve.tpr


def _symmetric(*, smoothing: bool, studentized: bool) -> Callable[..., Found]:
    """Use a symmetric interval around the sample's own rate, which is the top of a vertical step."""

    def found(
        scores: Scores, r: IntArray, _size: object, level: float, _draw: object, _given: object, *options: Any
    ) -> Found:
        n_resamples, rng, _, n_jobs = options
        return symmetric_bootstrap(
            scores,
            r,
            level,
            n_resamples=resamples_or(N_RESAMPLES, n_resamples),
            rng=rng,
            n_jobs=n_jobs,
            smoothing=smoothing,
            studentized=studentized,
        )

    return found


_FOUND: Mapping[str, Callable[..., Found]] = TPR_AT_FPR.table(
    {
        "agresti_coull": _normal(2.0),
        "wald": _normal(0.0),
        "bootstrap": _resampled,
        "exact_bootstrap": _exact,
        "kernel": _smooth,
        "smoothed_bootstrap": _symmetric(smoothing=True, studentized=False),
        "smoothed_studentized_bootstrap": _symmetric(smoothing=True, studentized=True),
        "naive_bootstrap": _symmetric(smoothing=False, studentized=False),
        "naive_studentized_bootstrap": _symmetric(smoothing=False, studentized=True),
    }
)


_BY_COUNTS = ("agresti_coull", "wald", "bootstrap", "exact_bootstrap")


def warn_few_cases(tpr: FloatArray, n: int) -> tuple[str, ...]:
    """Warn about, and note, a smooth curve with fewer than five cases expected beyond it."""
    few = int(np.count_nonzero(n * np.minimum(tpr, 1.0 - tpr) < 5.0))
    if not few:
        return ()
    note = (
        f"At {few} of {len(tpr)} rates the curve is so close to 0 or 1 that fewer than five cases are "
        "expected beyond it; 'kernel' covers less than its level there. Use 'agresti_coull'."
    )
    warn(note)
    return (note,)


def _checked(
    entry: methods.Function, scores: Scores, method: str, size: Size, n_resamples: int | None
) -> tuple[int, int]:
    """Check what both functions share, and return the size of a bootstrap sample."""
    # Smoothing moves with the scores themselves, by more than counts can tell.
    check_scores("scores", scores, widens=method in _BY_COUNTS)
    entry.check(method, size=size, n_resamples=n_resamples)
    return check_size(size, scores.n_pos, scores.n_neg)


def _at_rank(
    scores: Scores,
    r: IntArray,
    size: tuple[int, int],
    given: Given,
    method: str,
    confidence_level: float,
    *options: Any,
) -> Intervals:
    """Intervals for the true positive rate when the r-th highest of size[1] negatives is the threshold.

    Given the "tpr", the classes of `scores` and `size` are exchanged. `options` are those of `check_draws`.
    """

    def share(table: Scores) -> FloatArray:
        return share_above(table, r, size[1])

    row = TPR_AT_FPR.check(method)
    level = check_level(confidence_level)
    draw = check_draws(row, level, *options)
    ends, own = _FOUND[row.name](scores, r, size, level, draw, given, *options)
    notes: tuple[str, ...] = ()
    if row.name == "kernel" or own is None:
        notes = tie_note(scores, r, size[1], given)
    if own is None:
        estimate, errors = share(scores), errors_of(scores, share)
    else:
        none = np.zeros(len(r))
        estimate, errors = own, (none, none)
    if row.name == "kernel":
        notes += warn_few_cases(estimate, scores.n_pos)
    notes += warn_zero_width(ends[1] - ends[0], row.name, "agresti_coull")
    wanted = "tpr" if given == "fpr" else "fpr"
    return intervals(row, level, wanted, given, r / size[1], estimate, ends, errors, notes=notes)


def tpr_at_fpr(
    scores: Scores,
    fpr: ArrayLike,
    *,
    method: str = "agresti_coull",
    confidence_level: float = 0.95,
    size: Size = None,
    n_resamples: int | None = None,
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
    method : str
        agresti_coull : normal interval with the mean and variance of the exact bootstrap law, after two
            successes and two failures are added at every threshold (Algorithm 4 and eqs. 6-7 of [1]_).
            Asymptotic: where the rate stands for one or two false positives and positives are few it covers
            too little (0.87 at 95 % for one of 25 and 25 positives, `experiments/which_method.py`).
        wald : the same without the addition. Zero width, and no coverage, where the sample's rate is
            0 or 1; for comparison. Asymptotic.
        bootstrap : percentiles of `n_resamples` resamples. Covers too little near 0 and 1, like "wald".
            Guarantee: bootstrap.
        exact_bootstrap : quantiles of the law to which "bootstrap" converges (eq. 5), without resampling.
            Guarantee: bootstrap.
        kernel : normal interval around the smooth curve of two Gaussian kernel estimates [2]_, with
            bandwidths after [3]_. For continuous scores; it changes under a monotone transform of them.
            Covers too little where the curve is near 0 or 1, and warns there. Asymptotic.
        smoothed_bootstrap : the rate plus and minus a quantile of the errors of resamples whose scores get
            Gaussian noise of bandwidth 1.06·s·n^(−1/4) (§3.1 of [4]_). Changes under a monotone transform of
            the scores. Guarantee: bootstrap.
        smoothed_studentized_bootstrap : the same, each error divided by its own estimate of the standard
            deviation (eqs. 4 and 5 of [4]_), whose kernel densities have bandwidth 1.06·s·n^(−1/3).
        naive_bootstrap : as "smoothed_bootstrap" without the noise; less accurate.
        naive_studentized_bootstrap : as "smoothed_studentized_bootstrap" without the noise.
    confidence_level : float
        In (0, 1).
    size : (int, int), optional
        (m_pos, m_neg), cases of each class in a bootstrap sample; by default the sample's own. Not for
        "kernel" and the symmetric bootstraps.
    n_resamples : int
        For methods that resample, 2,000 by default; at least 2/(1 - confidence_level).
    rng, sampling, n_jobs
        As in `rates_at_threshold`.

    Returns
    -------
    Intervals
        `at` is the rate r/m_neg really used, `estimate` the share of positives that score at least as high
        as the r-th highest negative ("kernel": the smooth curve; the four symmetric bootstraps: the share
        above the next negative below). Bounds are cut to [0, 1]. With rounded scores they are widened by what
        the rounding can have changed (not for "kernel" and the symmetric bootstraps).

    Raises
    ------
    ValueError
        A rate below 1/m_neg or above 1; an unknown method; an impossible level, size or number of
        resamples; an option that the method does not take.

    Warns
    -----
    ConfrocWarning
        When intervals have zero width, "kernel" is used near 0 or 1, or a method that smooths for rounded
        scores.

    See Also
    --------
    fpr_at_tpr : The reverse.
    tpr_difference_at_fpr : Two models.
    roc_band : All false positive rates at once.
    confroc.exact.tpr_pmf : The exact bootstrap law itself.

    Notes
    -----
    The threshold is the score of the r-th highest negative, so positives between it and the next negative
    below are not found. Where the empirical curve rises vertically at `at`, `estimate` is thus the foot of
    that step; `RocCurve.tpr_at` reads off its top. Negatives tied at the threshold are all called positive,
    so the threshold's false positive rate in the sample may exceed `at`; `notes` says where.

    References
    ----------
    .. [1] Dugas & Gadoury (2009), section 4.1.
    .. [2] Hall, Hyndman & Fan (2004), Biometrika 91, 743-750.
    .. [3] Hall & Hyndman (2003), Statistics & Probability Letters 64, 181-189.
    .. [4] Bertail, Clémençon & Vayatis (2008), On bootstrapping the ROC curve, NIPS 21.

    Examples
    --------
    >>> from confroc import Scores, tpr_at_fpr
    >>> scores = Scores([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], [1, 2, 3, 4, 7, 5, 6, 8, 9, 10])
    >>> found = tpr_at_fpr(scores, [0.2, 0.4])
    >>> found.estimate, found.lower.round(3), found.upper.round(3)
    (array([0.6, 1. ]), array([0.258, 0.375]), array([0.998, 1.   ]))
    """
    size = _checked(TPR_AT_FPR, scores, method, size, n_resamples)
    r = false_positives(fpr, size[1])
    return _at_rank(scores, r, size, "fpr", method, confidence_level, n_resamples, rng, sampling, n_jobs)


def exchanged(scores: Scores) -> Scores:
    """Return the same scores with the classes exchanged."""
    return Scores._of(
        CountTable(scores.score, scores.neg, scores.pos), None if scores.exact else scores.score_max
    )


def _true_positives(tpr: ArrayLike, m_pos: int) -> IntArray:
    rates = check_rate("tpr", tpr)
    if not (rates > 0.0).all():
        wrong = float(rates[~(rates > 0.0)][0])
        raise ArgumentError("tpr", "be above 0", wrong, f"Ask for {1 / m_pos:.4g} or more: one positive.")
    return np.maximum(whole(rates, m_pos, up=True), 1)


def fpr_at_tpr(
    scores: Scores,
    tpr: ArrayLike,
    *,
    method: str = "agresti_coull",
    confidence_level: float = 0.95,
    size: Size = None,
    n_resamples: int | None = None,
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
    method : str
        "agresti_coull", "wald", "bootstrap", "exact_bootstrap" or "kernel", as in `tpr_at_fpr`.
    confidence_level, size, n_resamples, rng, sampling, n_jobs
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
        As in `tpr_at_fpr`.

    See Also
    --------
    tpr_at_fpr : The reverse.
    rates_at_threshold : The threshold given instead of a rate.

    Notes
    -----
    The mathematics of `tpr_at_fpr` (Dugas & Gadoury 2009, section 4.1) with the classes exchanged: the
    threshold is the r-th highest score of the positives, and given it the false positives are binomial.
    Positives tied at the threshold are all found, so the true positive rate of the sample may exceed `at`;
    `notes` says where.

    References
    ----------
    Dugas & Gadoury (2009), section 4.1, with the classes exchanged.

    Examples
    --------
    >>> from confroc import Scores, fpr_at_tpr
    >>> scores = Scores([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], [1, 2, 3, 4, 7, 5, 6, 8, 9, 10])
    >>> found = fpr_at_tpr(scores, 0.75)
    >>> found.at, found.estimate, found.upper.round(3)
    (array([0.8]), array([0.2]), array([0.609]))
    """
    m_pos, m_neg = _checked(FPR_AT_TPR, scores, method, size, n_resamples)
    r, swapped = _true_positives(tpr, m_pos), exchanged(scores)
    return _at_rank(
        swapped, r, (m_neg, m_pos), "tpr", method, confidence_level, n_resamples, rng, sampling, n_jobs
    )
