"""At a given false positive rate, the difference of two models' true positive rates.

On the same cases the thresholds of two models depend on each other and so, given them, do the true positives
(Dugas & Gadoury 2009, §4.2 and Appendix B); on disjoint test sets the two models are independent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import check_level, check_rate, ranks_of, warned, whole
from confroc._types import RNG, Ends, FloatArray, IntArray, Sampling, Size
from confroc.curve import curve_of
from confroc.distributions import clipped, normal_quantile, warn_zero_width
from confroc.exact.difference import (
    PairDesign,
    difference_moments,
    difference_quantiles,
    pair_design,
)
from confroc.exact.tpr import positives_at
from confroc.methods.points import TPR_DIFFERENCE_AT_FPR
from confroc.points.beta_difference import beta_difference
from confroc.points.rate import FEW, is_certain
from confroc.points.threshold import design_of, intervals
from confroc.resample import Draw, check_draws, percentile_ends, tails
from confroc.results import Intervals
from confroc.scores import (
    Pair,
    PairedScores,
    Scores,
    accepts_two_models,
    check_pair,
    difference_errors,
    difference_label,
    errors_of,
)
from confroc.scores.counting import rows_reaching, sums_before

# --- between two of the sample's rates, and inside ties ----------------------------------------------


def ranked_designs(pair: Pair, fpr: ArrayLike, size: Size) -> list[tuple[PairDesign, FloatArray]]:
    """Return the ranks on either side of each rate, and their weights, which fall with their distance.

    On the same cases both models have the same ranks; otherwise each has its own two.
    """
    design = pair_design(pair, fpr, size)
    rates = check_rate("fpr", fpr)
    (r_a, part_a), (r_b, part_b) = (ranks_of(rates, m) for m in (design.size_a[1], design.size_b[1]))
    next_a, next_b = np.minimum(r_a + 1, design.size_a[1]), np.minimum(r_b + 1, design.size_b[1])
    if isinstance(pair, PairedScores):
        sides = [(r_a, r_b, 1.0 - part_a), (next_a, next_b, part_a)]
    else:
        sides = [
            (ranks_a, ranks_b, weight_a * weight_b)
            for ranks_a, weight_a in ((r_a, 1.0 - part_a), (next_a, part_a))
            for ranks_b, weight_b in ((r_b, 1.0 - part_b), (next_b, part_b))
        ]
    return [(design._replace(r_a=a, r_b=b), weight) for a, b, weight in sides if (weight > 0.0).any()]


def moved_inside_ties(pair: Pair, design: PairDesign) -> FloatArray:
    """How far the difference at these ranks moves when ties are entered as the curve does.

    The distributions call all cases tied at a threshold positive; the curve counts their positives evenly
    among their negatives.
    """
    moved = np.zeros((2, len(design.r_a)))
    sides = ((pair.a, design.r_a, design.size_a), (pair.b, design.r_b, design.size_b))
    for i, (scores, r, size) in enumerate(sides):
        # For a resample of another size the negative with the same share of negatives above it.
        # By Python's integers: the product may be beyond 64 bits.
        rank = np.array([-(-x * scores.n_neg // size[1]) for x in r.tolist()], np.int64)
        called = scores.pos_above[np.searchsorted(scores.neg_above, rank)]
        moved[i] = (positives_at(scores, rank) - called) / scores.n_pos
    return np.asarray(moved[0] - moved[1])


def _at_ranks(rule: Callable[..., Ends]) -> Callable[..., Ends]:
    """Apply a method of Dugas & Gadoury, whose thresholds are negatives, at the requested rates.

    Its ends are interpolated between the ranks on either side, as the curve's rates are.
    """

    def ends(pair: Pair, fpr: FloatArray, size: Size, level: float, draw: Draw) -> Ends:
        found = np.zeros((2, len(fpr)))
        for design, weight in ranked_designs(pair, fpr, size):
            found += weight * (np.stack(rule(pair, design, level, draw)) + moved_inside_ties(pair, design))
        return np.clip(found[0], -1.0, 1.0), np.clip(found[1], -1.0, 1.0)

    return ends


# --- methods -----------------------------------------------------------------------------------------


def share_at_rank(pos: FloatArray | IntArray, neg: FloatArray | IntArray, rate: FloatArray) -> FloatArray:
    """Return the true positive rate of one table of counts at given false positive rates.

    The rank that a rate stands for stays within 1 and the number of negatives, which under full sampling
    varies.
    """
    m_neg = int(neg.sum())
    rows = rows_reaching(np.clip(whole(rate, m_neg, up=False), 1, m_neg), neg)
    (found,) = sums_before(rows + 1, pos)
    return np.asarray(found / pos.sum())


def _alone(scores: Scores, rate: FloatArray, size: tuple[int, int], draw: Draw) -> FloatArray:
    return draw(lambda pos, neg: share_at_rank(pos, neg, rate), scores, size=size)


def difference_replicates(pair: Pair, design: PairDesign, draw: Draw) -> FloatArray:
    """Return resampled differences of the true positive rates, of shape (n_resamples, h)."""
    rates = design.r_a / design.size_a[1], design.r_b / design.size_b[1]
    if not isinstance(pair, PairedScores):
        drawn = (
            _alone(scores, rate, size, draw)
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
            )
            for index, rows in columns
        )
        return by_a - by_b

    return draw(statistic, pair, size=design.size_a)


def _normal_difference(a: float) -> Callable[..., Ends]:
    """Use the moments of the exact distribution, a added to the discordant counts and 2a to the others."""

    def ends(pair: Pair, design: PairDesign, level: float, *_: object) -> Ends:
        mean, variance = difference_moments(pair, design, a)
        return clipped(mean, normal_quantile(level) * np.sqrt(variance), low=-1.0)

    return ends


def _exact_difference(pair: Pair, design: PairDesign, level: float, *_: object) -> Ends:
    lower, upper = difference_quantiles(pair, design, tails(level)).T
    return lower, upper


def _resampled_difference(pair: Pair, design: PairDesign, level: float, draw: Draw) -> Ends:
    return percentile_ends(difference_replicates(pair, design, draw), level)


def _joined(pair: Pair, fpr: FloatArray, _size: Size, level: float, *_: object) -> Ends:
    return beta_difference(pair, fpr, level)


_DIFFERENCE_ENDS: Mapping[str, Callable[..., Ends]] = TPR_DIFFERENCE_AT_FPR.table(
    {
        "beta_mixture": _joined,
        "agresti_min": _at_ranks(_normal_difference(0.5)),
        "wald": _at_ranks(_normal_difference(0.0)),
        "bootstrap": _at_ranks(_resampled_difference),
        "exact_bootstrap": _at_ranks(_exact_difference),
    }
)


STEEP = (
    "The interval under-covers at rates with five or fewer negatives expected on one side of a threshold. "
    "Use rates further from 0 and 1."
)


def warn_steep(pair: Pair, fpr: FloatArray) -> tuple[str, ...]:
    """Warn about, and note, thresholds with few negatives on one side."""
    expected = min(pair.a.n_neg, pair.b.n_neg) * np.minimum(fpr, 1.0 - fpr)
    return warned(STEEP, where=bool(((expected > 0.0) & (expected <= FEW)).any()))


@accepts_two_models
def tpr_difference_at_fpr(
    pair: Pair,
    *,
    fpr: ArrayLike,
    method: str = "beta_mixture",
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
    pair : PairedScores, UnpairedScores or (y_true, score_a, score_b)
    fpr : float or array-like of shape (h,)
        False positive rates in [0, 1]; for the methods of [1]_ in [1/m_neg, 1].
    method : str
        beta_mixture : quantiles of the difference of the two models' Beta mixtures (see `tpr_at_fpr`), joined
            with the correlation that their calls at these thresholds show; for `UnpairedScores` independent.
            Asymptotic. At 95 % it contains the true difference in 94 to 98 % of samples where more than five
            negatives are expected beyond the threshold; where fewer are, mostly in more, but where a curve is
            steep there in as little as 89 % (`lab/experiments/edges_differences.py`), and it warns.
        agresti_min : normal interval with the mean and variance of the exact bootstrap distribution (eqs.
            24-27 of [1]_), after one half is added to each count of discordant positives and one to the
            concordant ones at every pair of thresholds [2]_. For `UnpairedScores` one success and one failure
            are added to each model's positives [3]_, and the result's `method` is "agresti_caffo".
            Asymptotic.
        wald : the same without the addition; for comparison. Asymptotic.
        bootstrap : percentiles of `n_resamples` resamples. Guarantee: bootstrap.
        exact_bootstrap : quantiles of the distribution to which "bootstrap" converges (eq. 23). Guarantee:
            bootstrap.
    confidence_level : float
        In (0, 1).
    size : (int, int), optional
        (m_pos, m_neg), cases of each class in a bootstrap sample; by default the sample's own. For
        `UnpairedScores` it holds for both test sets. For the methods of [1]_.
    n_resamples, rng, sampling, n_jobs
        As in `tpr_at_fpr`.

    Returns
    -------
    Intervals
        `at` is the requested rate, and `estimate` the difference of the two curves there, as
        `RocCurve.tpr_at` reads them: both models are compared at the same rate. Every interval contains its
        estimate. At a rate of 1 it is [0, 0]. Bounds are cut to [-1, 1], for rounded scores widened by what
        the rounding can have changed.

    Raises
    ------
    ValueError
        A rate outside [0, 1], or below 1/m_neg for a method of [1]_; an unknown method; an impossible level,
        size or number of resamples; an option that the method does not have.

    Warns
    -----
    ConfrocWarning
        When no more than five negatives are expected on one side of a threshold, or intervals have zero
        width.

    See Also
    --------
    tpr_at_fpr : One model.
    rates_difference_at_threshold : The thresholds given instead of the rate.
    roc_difference_band : All false positive rates at once.
    confroc.exact.tpr_difference_pmf : The exact bootstrap distribution itself.

    Notes
    -----
    The methods of [1]_ use negatives of the sample as thresholds, which is the rate r/m_neg. Between two
    such rates their ends are interpolated. The distribution of a pair's two thresholds is computed exactly
    where that is a matter of seconds, and replaced by a refined normal approximation beyond. It calls all
    cases tied at a threshold positive; its ends are moved by what the curve, which goes through a tie along a
    diagonal, makes of that.

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
    (array([0.057]), array([-0.067]), array([0.2]))
    """
    check_pair("pair", pair, widens=True)
    row = TPR_DIFFERENCE_AT_FPR.check(method, size=size, n_resamples=n_resamples)
    level = check_level(confidence_level)
    rates = check_rate("fpr", fpr)
    draw = check_draws(row, level, n_resamples, rng, sampling, n_jobs)
    ends = _DIFFERENCE_ENDS[row.name](pair, rates, size, level, draw)
    used, notes = design_of(pair, row)
    certain = is_certain("fpr", rates)
    width = (ends[1] - ends[0])[~certain]
    notes += warn_steep(pair, rates) + warn_zero_width(width, "beta_mixture")

    def curve(scores: Scores) -> FloatArray:
        return curve_of(scores).tpr_at(rates)

    return intervals(
        row,
        level,
        difference_label("tpr", pair),
        "fpr",
        rates,
        curve(pair.a) - curve(pair.b),
        (np.where(certain, 0.0, ends[0]), np.where(certain, 0.0, ends[1])),
        difference_errors(errors_of(pair.a, curve), errors_of(pair.b, curve)),
        method=used,
        bounds=(-1.0, 1.0),
        notes=notes,
    )
