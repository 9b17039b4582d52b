"""At a given false positive rate: the true positive rate of one model, and the difference of two.

The threshold is the r-th highest score of the negatives and varies from sample to sample; given it, the
true positives are binomial (Dugas & Gadoury 2009, §4.1). Exchanging the classes turns the question into that
for the false positive rate at a given true positive rate. On the same cases the thresholds of two models
depend on each other and so, given them, do the true positives (§4.2 and Appendix B); on disjoint test sets
the two models are independent.
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
from confroc.exact.difference import (
    PairDesign,
    difference_is_exact,
    difference_moments,
    difference_quantiles,
    pair_design,
)
from confroc.exact.tpr import tpr_moments, tpr_quantiles
from confroc.methods.points import FPR_AT_TPR, TPR_AT_FPR, TPR_DIFFERENCE_AT_FPR
from confroc.points.kernel import kernel_curve
from confroc.points.smoothed import symmetric_bootstrap
from confroc.points.threshold import design_of, intervals
from confroc.resample import N_RESAMPLES, Draw, check_draws, percentile_ends, tails
from confroc.results import Intervals
from confroc.scores import (
    CountTable,
    Pair,
    PairedScores,
    Scores,
    check_pair,
    check_scores,
    difference_errors,
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
            n_resamples=n_resamples,
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


def _checked(entry: methods.Function, scores: Scores, method: str, size: Size) -> tuple[int, int]:
    """Check what both functions share, and return the size of a bootstrap sample."""
    # Smoothing moves with the scores themselves, by more than counts can tell.
    check_scores("scores", scores, widens=method in _BY_COUNTS)
    entry.check(method, size=size)
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
    n_resamples: int = N_RESAMPLES,
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
        For methods that resample; at least 2/(1 - confidence_level).
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
    size = _checked(TPR_AT_FPR, scores, method, size)
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
    n_resamples: int = N_RESAMPLES,
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
    m_pos, m_neg = _checked(FPR_AT_TPR, scores, method, size)
    r, swapped = _true_positives(tpr, m_pos), exchanged(scores)
    return _at_rank(
        swapped, r, (m_neg, m_pos), "tpr", method, confidence_level, n_resamples, rng, sampling, n_jobs
    )


# --- two models --------------------------------------------------------------------------------------


def difference_replicates(pair: Pair, design: PairDesign, draw: Draw) -> FloatArray:
    """Return resampled differences of the true positive rates, of shape (n_resamples, h)."""
    rates = design.r_a / design.size_a[1], design.r_b / design.size_b[1]
    if not isinstance(pair, PairedScores):
        drawn = (
            tpr_replicates(scores, rate, size, draw, up=False)
            for scores, rate, size in zip(
                (pair.a, pair.b), rates, (design.size_a, design.size_b), strict=True
            )
        )
        return next(drawn) - next(drawn)
    columns = [
        (index, len(scores.score)) for index, scores in ((pair.index_a, pair.a), (pair.index_b, pair.b))
    ]

    def statistic(pos: IntArray, neg: IntArray) -> FloatArray:
        by_a, by_b = (
            share_at_rank(
                np.bincount(index, weights=pos, minlength=rows),
                np.bincount(index, weights=neg, minlength=rows),
                rates[0],
                up=False,
            )
            for index, rows in columns
        )
        return by_a - by_b

    return draw(statistic, pair, size=design.size_a)


def _normal_difference(a: float) -> Callable[..., Ends]:
    """Use the moments of the exact law, a added to the discordant counts and 2a to the others."""

    def ends(pair: Pair, design: PairDesign, level: float, *_: object) -> Ends:
        mean, variance = difference_moments(pair, design, a)
        return clipped(mean, normal_quantile(level) * np.sqrt(variance), low=-1.0)

    return ends


def _exact_difference(pair: Pair, design: PairDesign, level: float, *_: object) -> Ends:
    lower, upper = difference_quantiles(pair, design, tails(level)).T
    return lower, upper


def _resampled_difference(pair: Pair, design: PairDesign, level: float, draw: Draw) -> Ends:
    return percentile_ends(difference_replicates(pair, design, draw), level)


_DIFFERENCE_ENDS: Mapping[str, Callable[..., Ends]] = TPR_DIFFERENCE_AT_FPR.table(
    {
        "agresti_min": _normal_difference(0.5),
        "wald": _normal_difference(0.0),
        "bootstrap": _resampled_difference,
        "exact_bootstrap": _exact_difference,
    }
)


def _notes(pair: Pair, design: PairDesign) -> tuple[str, ...]:
    notes: tuple[str, ...] = ()
    sides = ((pair.a, design.r_a, design.size_a), (pair.b, design.r_b, design.size_b))
    for name, (scores, r, size) in zip("ab", sides, strict=True):
        notes += tuple(f"Model {name}: {text}" for text in tie_note(scores, r, size[1], "fpr"))
    gap = float(np.max(np.abs(design.r_a / design.size_a[1] - design.r_b / design.size_b[1])))
    if gap > 0.0:
        notes += (
            f"The test sets hold different numbers of negatives, so the rates really used differ by up to "
            f"{gap:.4g}; `at` holds those of model a.",
        )
    return notes


def tpr_difference_at_fpr(
    pair: Pair,
    fpr: ArrayLike,
    *,
    method: str = "agresti_min",
    confidence_level: float = 0.95,
    size: Size = None,
    n_resamples: int = N_RESAMPLES,
    rng: RNG = None,
    sampling: Sampling = "stratified",
    n_jobs: int = 1,
) -> Intervals:
    """Difference a - b of two models' true positive rates at a given false positive rate.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    fpr : float or array-like of shape (h,)
        False positive rates in [1/m_neg, 1]; each stands for r = floor(fpr * m_neg) false positives.
    method : str
        agresti_min : normal interval with the mean and variance of the exact bootstrap law (eqs. 24-27 of
            [1]_), after one half is added to each count of discordant positives and one to the concordant
            ones at every pair of thresholds [2]_. For `UnpairedScores` one success and one failure are added
            to each model's positives [3]_, and the result's `method` is "agresti_caffo". Asymptotic.
        wald : the same without the addition; for comparison. Asymptotic.
        bootstrap : percentiles of `n_resamples` resamples. Guarantee: bootstrap.
        exact_bootstrap : quantiles of the law to which "bootstrap" converges (eq. 23). Guarantee: bootstrap.
    confidence_level : float
        In (0, 1).
    size : (int, int), optional
        (m_pos, m_neg), cases of each class in a bootstrap sample; by default the sample's own. For
        `UnpairedScores` it holds for both test sets.
    n_resamples, rng, sampling, n_jobs
        As in `tpr_at_fpr`.

    Returns
    -------
    Intervals
        `at` is the rate r/m_neg really used (of model a, should two test sets differ). `estimate` is the
        difference of the shares of positives that score at least as high as the r-th highest negative of
        each model. Bounds are cut to [-1, 1], for rounded scores widened by what the rounding can have
        changed.

    Raises
    ------
    ValueError
        As in `tpr_at_fpr`.

    Warns
    -----
    ConfrocWarning
        When intervals have zero width.

    See Also
    --------
    tpr_at_fpr : One model.
    rates_difference_at_threshold : The thresholds given instead of the rate.
    roc_difference_band : All false positive rates at once.
    confroc.exact.tpr_difference_pmf : The exact bootstrap law itself.

    Notes
    -----
    The law of a pair's two thresholds is laid out exactly where that takes seconds, and replaced by a
    refined normal approximation beyond; `notes` says where. Negatives tied at a threshold are all called
    positive, see `tpr_at_fpr`.

    References
    ----------
    .. [1] Dugas & Gadoury (2009), section 4.2 and Appendix B.
    .. [2] Agresti & Min (2005), Statistics in Medicine 24, 729-740.
    .. [3] Agresti & Caffo (2000), The American Statistician 54, 280-288.

    Examples
    --------
    >>> from confroc import PairedScores, tpr_difference_at_fpr
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> pair = PairedScores(y, [1, 2, 3, 6, 4, 5, 7, 8], [4, 1, 2, 8, 3, 7, 5, 6])
    >>> difference = tpr_difference_at_fpr(pair, 0.25)
    >>> difference.estimate, difference.lower.round(3), difference.upper.round(3)
    (array([0.5]), array([-0.245]), array([0.785]))
    """
    check_pair("pair", pair, widens=True)
    row = TPR_DIFFERENCE_AT_FPR.check(method)
    level = check_level(confidence_level)
    design = pair_design(pair, fpr, size)
    draw = check_draws(row, level, n_resamples, rng, sampling, n_jobs)
    ends = _DIFFERENCE_ENDS[row.name](pair, design, level, draw)
    used, notes = design_of(pair, row)
    if "n_resamples" not in row.options:
        approximated = int(np.count_nonzero(~difference_is_exact(pair, design)))
        if approximated:
            notes += (
                f"At {approximated} of {len(design.r_a)} rates the exact law of the thresholds would take "
                "too long; a refined normal approximation of it is used.",
            )
    notes += _notes(pair, design) + warn_zero_width(ends[1] - ends[0], row.name, "agresti_min")
    rates = [
        lambda table, r=r, size=size: share_above(table, r, size[1])
        for r, size in ((design.r_a, design.size_a), (design.r_b, design.size_b))
    ]
    return intervals(
        row,
        level,
        "tpr_a - tpr_b",
        "fpr",
        design.r_a / design.size_a[1],
        rates[0](pair.a) - rates[1](pair.b),
        ends,
        difference_errors(errors_of(pair.a, rates[0]), errors_of(pair.b, rates[1])),
        method=used,
        bounds=(-1.0, 1.0),
        notes=notes,
    )
