"""At a given false positive rate, the difference of two models' true positive rates.

On the same cases the thresholds of two models depend on each other and so, given them, do the true positives
(Dugas & Gadoury 2009, §4.2 and Appendix B); on disjoint test sets the two models are independent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import check_level
from confroc._types import RNG, Ends, FloatArray, IntArray, Sampling, Size
from confroc.distributions import clipped, normal_quantile, warn_zero_width
from confroc.exact.difference import (
    PairDesign,
    difference_is_exact,
    difference_moments,
    difference_quantiles,
    pair_design,
)
from confroc.methods.points import TPR_DIFFERENCE_AT_FPR
from confroc.points.rate import share_above, share_at_rank, tie_note, tpr_replicates
from confroc.points.threshold import design_of, intervals
from confroc.resample import Draw, check_draws, percentile_ends, tails
from confroc.results import Intervals
from confroc.scores import Pair, PairedScores, check_pair, difference_errors, errors_of


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
    n_resamples: int | None = None,
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
    row = TPR_DIFFERENCE_AT_FPR.check(method, n_resamples=n_resamples)
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
