"""Two models at given thresholds: differences of their rates, and dominance (Dugas & Gadoury 2009, §3.2).

On the same cases the models differ only through the discordant ones, which exactly one of them calls
positive; the resampled counts of those are trinomial (eqs. 8-11). On disjoint test sets the two rates
are independent binomials.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from confroc import distributions
from confroc._check import (
    ArgumentError,
    check_choice,
    check_level,
    check_size,
    check_threshold,
    make_rng,
)
from confroc._types import RNG, Ends, FloatArray, IntArray, Sampling, Size
from confroc.points.shared import (
    check_resamples,
    check_sampling,
    guarantee_of,
    notes_of,
    percentile_ends,
    warn_zero_width,
)
from confroc.points.threshold import rate_errors, rate_replicates
from confroc.resample import resample
from confroc.results import DifferenceRegions, Dominance, Intervals
from confroc.scores import Pair, PairedScores, UnpairedScores, check_pair, difference_errors, widened
from confroc.scores.counting import PairCounter, counts_at, discordant_counts

PairMethod: TypeAlias = Literal["agresti_min", "wald", "bootstrap", "exact_bootstrap"]
PAIR_METHODS = ("agresti_min", "wald", "bootstrap", "exact_bootstrap")

CAFFO_NOTE = (
    "The models have disjoint test sets: one success and one failure are added to each (Agresti & Caffo "
    "2000), where matched cases would take Agresti & Min's (2005) counts."
)


def check_threshold_pair(threshold_a: ArrayLike, threshold_b: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return two arrays of thresholds of one length."""
    a, b = check_threshold("threshold_a", threshold_a), check_threshold("threshold_b", threshold_b)
    if len(a) != len(b):
        raise ArgumentError(
            "threshold_b",
            f"have the length of `threshold_a` ({len(a)})",
            len(b),
            "Thresholds are compared pair by pair.",
        )
    return a, b


def check_pair_sizes(pair: Pair, size: Size) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return (m_pos, m_neg) for each model; a size that is given holds for both."""
    return check_size(size, pair.a.n_pos, pair.a.n_neg), check_size(size, pair.b.n_pos, pair.b.n_neg)


class IndependentCounts(NamedTuple):
    """Successes of two independent samples at each threshold, of n_a and n_b, resampled m_a and m_b times."""

    k_a: IntArray
    n_a: int
    m_a: int
    k_b: IntArray
    n_b: int
    m_b: int


def _independent_counts(
    pair: UnpairedScores, a: FloatArray, b: FloatArray, sizes: tuple[tuple[int, int], tuple[int, int]]
) -> dict[str, IndependentCounts]:
    above_a, above_b = counts_at(pair.a, a), counts_at(pair.b, b)
    (pos_a, neg_a), (pos_b, neg_b) = sizes
    return {
        "fpr": IndependentCounts(above_a.neg, pair.a.n_neg, neg_a, above_b.neg, pair.b.n_neg, neg_b),
        "tpr": IndependentCounts(above_a.pos, pair.a.n_pos, pos_a, above_b.pos, pair.b.n_pos, pos_b),
    }


_UNPAIRED = {
    "agresti_min": distributions.agresti_caffo,
    "wald": distributions.independent_difference,
    "exact_bootstrap": distributions.independent_bootstrap,
}
_PAIRED = {
    "agresti_min": distributions.agresti_min,
    "wald": distributions.matched_difference,
    "exact_bootstrap": distributions.matched_bootstrap,
}


def paired_replicates(
    pair: PairedScores,
    a: FloatArray,
    b: FloatArray,
    *,
    size: tuple[int, int],
    n_resamples: int,
    rng: RNG,
    sampling: Sampling,
    n_jobs: int,
) -> FloatArray:
    """Return resampled differences of (FPR, TPR), of shape (n_resamples, 2, h).

    A case matters only through its place among the thresholds of each model, so cases with the same
    places are put together once, before any resampling.
    """
    table, counter = PairCounter.of(pair, a, b).compressed(pair)

    def statistic(pos: IntArray, neg: IntArray) -> FloatArray:
        difference = counter.differences(pos, neg)
        return np.stack([difference.neg / neg.sum(), difference.pos / pos.sum()])

    return resample(statistic, table, n_resamples, rng, size=size, sampling=sampling, n_jobs=n_jobs)


def _replicates(
    pair: Pair,
    a: FloatArray,
    b: FloatArray,
    sizes: tuple[tuple[int, int], tuple[int, int]],
    n_resamples: int,
    rng: RNG,
    sampling: Sampling,
    n_jobs: int,
) -> FloatArray:
    if isinstance(pair, PairedScores):
        return paired_replicates(
            pair, a, b, size=sizes[0], n_resamples=n_resamples, rng=rng, sampling=sampling, n_jobs=n_jobs
        )
    generator = make_rng(rng)
    drawn = [
        rate_replicates(
            scores,
            at,
            size=size,
            n_resamples=n_resamples,
            rng=generator,
            sampling=sampling,
            n_jobs=n_jobs,
        )
        for scores, at, size in zip((pair.a, pair.b), (a, b), sizes, strict=True)
    ]
    return drawn[0] - drawn[1]


def rates_difference_at_threshold(
    pair: Pair,
    threshold_a: ArrayLike,
    threshold_b: ArrayLike,
    *,
    method: PairMethod = "agresti_min",
    confidence_level: float = 0.95,
    joint: bool = True,
    size: Size = None,
    n_resamples: int = 2000,
    rng: RNG = None,
    sampling: Sampling = "stratified",
    n_jobs: int = 1,
) -> DifferenceRegions:
    """Differences a - b of false and true positive rate, each model at a threshold of its own.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    threshold_a, threshold_b : float or array-like of shape (h,)
        Chosen without looking at these cases, and compared pair by pair. A case exactly at a threshold is
        called positive.
    method : {"agresti_min", "wald", "bootstrap", "exact_bootstrap"}
        agresti_min : normal interval after adding one half to each count of discordant cases and one to
            the concordant ones (Dugas & Gadoury 2009, Algorithm 3; Agresti & Min 2005). For `UnpairedScores`
            one success and one failure are added to each sample (Agresti & Caffo 2000), and the result's
            `method` is "agresti_caffo". Asymptotic.
        wald : the same without the addition. Zero width where the models agree on every case; kept for
            comparison. Asymptotic.
        bootstrap : percentiles of `n_resamples` resamples; fails like "wald". Guarantee: bootstrap.
        exact_bootstrap : quantiles of the law to which "bootstrap" converges. Guarantee: bootstrap.
    confidence_level : float
        In (0, 1).
    joint : bool
        If true, each side has level √confidence_level, so that the rectangle holds both differences
        together with `confidence_level`: the classes are independent.
    size : (int, int), optional
        (m_pos, m_neg), cases of each class in a bootstrap sample; by default the sample's own. For
        `UnpairedScores` it holds for both test sets.
    n_resamples : int
        For "bootstrap"; at least 2/(1 - level of a side).
    rng : Generator, int or None
        For "bootstrap".
    sampling : {"stratified", "full"}
        For "bootstrap": draw each class by itself, or both together so that class sizes vary too.
    n_jobs : int
        Jobs by which joblib shares the resamples out; the result does not depend on it.

    Returns
    -------
    DifferenceRegions
        `fpr` and `tpr` are `Intervals` of the differences, inside [-1, 1], for rounded scores widened by what
        the rounding can have changed; `at`, `at_b` are the thresholds.

    Raises
    ------
    ValueError
        NaN thresholds or arrays of different length; unknown method; impossible level, size or number of
        resamples; full sampling with another method than "bootstrap".

    Warns
    -----
    ConfrocWarning
        When intervals have zero width.

    Notes
    -----
    O(n log h + h log n) for h pairs of thresholds: discordant cases are counted for all of them in one
    sweep.

    Examples
    --------
    >>> from confroc import PairedScores
    >>> from confroc.points import rates_difference_at_threshold
    >>> pair = PairedScores([0, 0, 0, 1, 1, 1], [1, 2, 6, 5, 7, 8], [2, 1, 3, 4, 9, 8])
    >>> region = rates_difference_at_threshold(pair, 5, 4)
    >>> region.fpr.estimate, region.fpr.lower.round(3), region.fpr.upper.round(3)
    (array([0.33333333]), array([-0.4]), array([0.8]))
    """
    check_pair("pair", pair, widens=True)
    a, b = check_threshold_pair(threshold_a, threshold_b)
    check_choice("method", method, PAIR_METHODS)
    level = check_level(confidence_level)
    sizes = check_pair_sizes(pair, size)
    sampling = check_sampling(sampling, method)
    side_level = math.sqrt(level) if joint else level
    (pos_a, neg_a), (pos_b, neg_b) = counts_at(pair.a, a), counts_at(pair.b, b)
    estimate = {
        "fpr": neg_a / pair.a.n_neg - neg_b / pair.b.n_neg,
        "tpr": pos_a / pair.a.n_pos - pos_b / pair.b.n_pos,
    }
    ends: dict[str, Ends]
    if method == "bootstrap":
        count = check_resamples(n_resamples, side_level)
        drawn = _replicates(pair, a, b, sizes, count, rng, sampling, n_jobs)
        lower, upper = percentile_ends(drawn, side_level)
        ends = {"fpr": (lower[0], upper[0]), "tpr": (lower[1], upper[1])}
    elif isinstance(pair, PairedScores):
        d = discordant_counts(pair, a, b)
        ends = {
            "fpr": _PAIRED[method](d.neg_10, d.neg_01, pair.n_neg, side_level, m=sizes[0][1]),
            "tpr": _PAIRED[method](d.pos_10, d.pos_01, pair.n_pos, side_level, m=sizes[0][0]),
        }
    else:
        ends = {
            quantity: _UNPAIRED[method](c.k_a, c.n_a, c.k_b, c.n_b, side_level, m_a=c.m_a, m_b=c.m_b)
            for quantity, c in _independent_counts(pair, a, b, sizes).items()
        }
    caffo = method == "agresti_min" and isinstance(pair, UnpairedScores)
    used = "agresti_caffo" if caffo else method
    sides = {
        quantity: Intervals(
            quantity=f"{quantity}_a - {quantity}_b",
            at_name="threshold",
            at=a,
            estimate=estimate[quantity],
            lower=ends[quantity][0],
            upper=ends[quantity][1],
            confidence_level=side_level,
            method=used,
            guarantee=guarantee_of(method),
        )
        for quantity in ("fpr", "tpr")
    }
    widths = np.concatenate([side.upper - side.lower for side in sides.values()])
    of_a, of_b = rate_errors(pair.a, a), rate_errors(pair.b, b)
    fpr, tpr = (
        widened(side, *difference_errors(of_a[quantity], of_b[quantity]), bounds=(-1.0, 1.0))
        for quantity, side in sides.items()
    )
    return DifferenceRegions(
        at_name="threshold",
        at=a,
        at_b=b,
        fpr=fpr,
        tpr=tpr,
        confidence_level=level,
        joint=joint,
        method=used,
        guarantee=guarantee_of(method),
        design="paired" if isinstance(pair, PairedScores) else "unpaired",
        notes=((CAFFO_NOTE,) if caffo else ())
        + warn_zero_width(widths, method, "agresti_min")
        + notes_of(fpr, tpr),
    )


def dominance_at_threshold(
    pair: Pair, threshold_a: ArrayLike, threshold_b: ArrayLike, *, size: Size = None
) -> Dominance:
    """Probability that one model dominates the other, each at a threshold of its own.

    Model a dominates b when it has no more false positives and no fewer true positives, and is strictly
    better on at least one of the two. The probabilities are those of the exact stratified bootstrap
    (Dugas & Gadoury 2009, Algorithm 2, eqs. 2, 10-11).

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    threshold_a, threshold_b : float or array-like of shape (h,)
        Chosen without looking at these cases, and compared pair by pair.
    size : (int, int), optional
        (m_pos, m_neg), cases of each class in a bootstrap sample; by default the sample's own.

    Returns
    -------
    Dominance
        `a_over_b` and `b_over_a`; the rest of the probability is neither. Guarantee: bootstrap.

    Raises
    ------
    ValueError
        NaN thresholds or arrays of different length; impossible size.

    Warns
    -----
    ConfrocWarning
        For rounded scores: the probabilities have no bound for what the rounding changed.

    Notes
    -----
    As a test of superiority this has little power, as the paper says: one model often has more true *and*
    more false positives. Read it as a description; compare costs to decide.

    Examples
    --------
    >>> from confroc import PairedScores
    >>> from confroc.points import dominance_at_threshold
    >>> pair = PairedScores([0, 0, 0, 1, 1, 1], [1, 2, 6, 5, 7, 8], [2, 1, 3, 4, 9, 8])
    >>> result = dominance_at_threshold(pair, 5, 4)
    >>> result.a_over_b, result.b_over_a.round(4)
    (array([0.]), array([0.7037]))
    """
    check_pair("pair", pair)
    a, b = check_threshold_pair(threshold_a, threshold_b)
    sizes = check_pair_sizes(pair, size)
    if isinstance(pair, PairedScores):
        d = discordant_counts(pair, a, b)
        more_tp, same_tp, fewer_tp = distributions.matched_law(d.pos_10, d.pos_01, pair.n_pos, sizes[0][0])
        more_fp, same_fp, fewer_fp = distributions.matched_law(d.neg_10, d.neg_01, pair.n_neg, sizes[0][1])
    else:
        both = _independent_counts(pair, a, b, sizes)
        more_tp, same_tp, fewer_tp = distributions.independent_law(*both["tpr"])
        more_fp, same_fp, fewer_fp = distributions.independent_law(*both["fpr"])
    same = same_tp * same_fp
    return Dominance(
        threshold_a=a,
        threshold_b=b,
        a_over_b=np.clip(more_tp * fewer_fp - same, 0.0, 1.0),
        b_over_a=np.clip(fewer_tp * more_fp - same, 0.0, 1.0),
        design="paired" if isinstance(pair, PairedScores) else "unpaired",
        method="exact_bootstrap",
        guarantee="bootstrap",
    )
