"""Two models at a given false positive rate: the difference of their true positive rates.

On the same cases the two thresholds depend on each other and so, given them, do the true positives
(Dugas & Gadoury 2009, section 4.2 and Appendix B); on disjoint test sets the two models are independent.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import check_choice, check_level, make_rng
from confroc._types import RNG, FloatArray, IntArray, Sampling, Size
from confroc.distributions import clipped, normal_quantile
from confroc.exact.difference import (
    PairDesign,
    difference_is_exact,
    difference_moments,
    difference_quantiles,
    pair_design,
)
from confroc.points.shared import (
    check_resamples,
    check_sampling,
    guarantee_of,
    percentile_ends,
    tails,
    warn_zero_width,
)
from confroc.points.threshold_pair import CAFFO_NOTE, PAIR_METHODS, PairMethod
from confroc.points.vertical import RATES, share_above, share_at_rank, tie_note, tpr_replicates
from confroc.resample import resample
from confroc.results import Intervals
from confroc.scores import Pair, PairedScores, check_pair, difference_errors, errors_of, widened

SMOOTHING = {"agresti_min": 0.5, "wald": 0.0}


def difference_replicates(
    pair: Pair, design: PairDesign, *, n_resamples: int, rng: RNG, sampling: Sampling, n_jobs: int
) -> FloatArray:
    """Return resampled differences of the true positive rates, of shape (n_resamples, h)."""
    rates = design.r_a / design.size_a[1], design.r_b / design.size_b[1]
    if isinstance(pair, PairedScores):
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

        return resample(
            statistic, pair, n_resamples, rng, size=design.size_a, sampling=sampling, n_jobs=n_jobs
        )
    generator = make_rng(rng)
    drawn = [
        tpr_replicates(
            scores,
            rate,
            up=False,
            size=size,
            n_resamples=n_resamples,
            rng=generator,
            sampling=sampling,
            n_jobs=n_jobs,
        )
        for scores, rate, size in zip((pair.a, pair.b), rates, (design.size_a, design.size_b), strict=True)
    ]
    return drawn[0] - drawn[1]


def _notes(pair: Pair, design: PairDesign) -> tuple[str, ...]:
    notes: tuple[str, ...] = ()
    sides = ((pair.a, design.r_a, design.size_a), (pair.b, design.r_b, design.size_b))
    for name, (scores, r, size) in zip("ab", sides, strict=True):
        notes += tuple(f"Model {name}: {text}" for text in tie_note(scores, r, size[1], RATES["fpr"]))
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
    method: PairMethod = "agresti_min",
    confidence_level: float = 0.95,
    size: Size = None,
    n_resamples: int = 2000,
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
    method : {"agresti_min", "wald", "bootstrap", "exact_bootstrap"}
        agresti_min : mean and variance of the exact bootstrap law (Dugas & Gadoury 2009, eqs. 24-27), after
            one half is added to each count of discordant positives and one to the concordant ones at every
            pair of thresholds, as in their Algorithm 3. For `UnpairedScores` one success and one failure are
            added to each model's positives (Agresti & Caffo 2000), and the result's `method` is
            "agresti_caffo". Asymptotic.
        wald : the same without the addition; kept for comparison. Asymptotic.
        bootstrap : percentiles of `n_resamples` resamples. Guarantee: bootstrap.
        exact_bootstrap : quantiles of the law to which "bootstrap" converges (eq. 23). Guarantee: bootstrap.
    confidence_level : float
        In (0, 1).
    size : (int, int), optional
        (m_pos, m_neg), cases of each class in a bootstrap sample; by default the sample's own. For
        `UnpairedScores` it holds for both test sets.
    n_resamples : int
        For "bootstrap"; at least 2/(1 - confidence_level).
    rng : Generator, int or None
        For "bootstrap".
    sampling : {"stratified", "full"}
        For "bootstrap": draw each class by itself, or both together so that class sizes vary too.
    n_jobs : int
        Jobs by which joblib shares the resamples out; the result does not depend on it.

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
        A rate below 1/m_neg or above 1; an unknown method; an impossible level, size or number of
        resamples; full sampling with another method than "bootstrap".

    Warns
    -----
    ConfrocWarning
        When intervals have zero width.

    Notes
    -----
    The law of a pair's two thresholds is laid out exactly where that takes seconds, and replaced by a
    refined normal approximation beyond; `notes` says where.
    Negatives tied at a threshold are all called positive, see `tpr_at_fpr`.

    Examples
    --------
    >>> from confroc import PairedScores
    >>> from confroc.points import tpr_difference_at_fpr
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> pair = PairedScores(y, [1, 2, 3, 6, 4, 5, 7, 8], [4, 1, 2, 8, 3, 7, 5, 6])
    >>> difference = tpr_difference_at_fpr(pair, 0.25)
    >>> difference.estimate, difference.lower.round(3), difference.upper.round(3)
    (array([0.5]), array([-0.245]), array([0.785]))
    """
    check_pair("pair", pair, widens=True)
    check_choice("method", method, PAIR_METHODS)
    level = check_level(confidence_level)
    design = pair_design(pair, fpr, size)
    sampling = check_sampling(sampling, method)
    notes: tuple[str, ...] = ()
    used: str = method
    if method in SMOOTHING:
        mean, variance = difference_moments(pair, design, SMOOTHING[method])
        lower, upper = clipped(mean, normal_quantile(level) * np.sqrt(variance), low=-1.0)
        if method == "agresti_min" and not isinstance(pair, PairedScores):
            used, notes = "agresti_caffo", (CAFFO_NOTE,)
    elif method == "exact_bootstrap":
        lower, upper = difference_quantiles(pair, design, tails(level)).T
    else:
        count = check_resamples(n_resamples, level)
        drawn = difference_replicates(
            pair, design, n_resamples=count, rng=rng, sampling=sampling, n_jobs=n_jobs
        )
        lower, upper = percentile_ends(drawn, level)
    if method != "bootstrap":
        approximated = int(np.count_nonzero(~difference_is_exact(pair, design)))
        if approximated:
            notes += (
                f"At {approximated} of {len(design.r_a)} rates the exact law of the thresholds would take "
                "too long; a refined normal approximation of it is used.",
            )
    notes += _notes(pair, design) + warn_zero_width(upper - lower, method, "agresti_min")
    rates = [
        lambda table, r=r, size=size: share_above(table, r, size[1])
        for r, size in ((design.r_a, design.size_a), (design.r_b, design.size_b))
    ]
    result = Intervals(
        quantity="tpr_a - tpr_b",
        at_name="fpr",
        at=design.r_a / design.size_a[1],
        estimate=rates[0](pair.a) - rates[1](pair.b),
        lower=lower,
        upper=upper,
        confidence_level=level,
        method=used,
        guarantee=guarantee_of(method),
        notes=notes,
    )
    errors = difference_errors(errors_of(pair.a, rates[0]), errors_of(pair.b, rates[1]))
    return widened(result, *errors, bounds=(-1.0, 1.0))
