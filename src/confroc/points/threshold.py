"""At a given threshold: a confidence rectangle for (FPR, TPR) (Dugas & Gadoury 2009, §3.1)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from confroc import distributions
from confroc._check import check_choice, check_level, check_size, check_threshold
from confroc._types import RNG, Ends, FloatArray, IntArray, Sampling, Size
from confroc.points.shared import (
    check_resamples,
    check_sampling,
    guarantee_of,
    notes_of,
    percentile_ends,
    refuse_size,
    tails,
    warn_zero_width,
)
from confroc.resample import resample
from confroc.results import Intervals, Regions
from confroc.scores import Scores, check_scores, errors_of, widened
from confroc.scores.counting import ThresholdCounter, counts_at

RateMethod: TypeAlias = Literal[
    "agresti_coull", "wald", "bootstrap", "exact_bootstrap", "wilson", "clopper_pearson", "jeffreys"
]
RATE_METHODS = (
    "agresti_coull", "wald", "bootstrap", "exact_bootstrap", "wilson", "clopper_pearson", "jeffreys"
)  # fmt: skip

_ANY_SIZE: dict[str, Callable[..., Ends]] = {
    "agresti_coull": distributions.agresti_coull,
    "wald": distributions.wald,
}
_OWN_SIZE: dict[str, Callable[..., Ends]] = {
    "wilson": distributions.wilson,
    "clopper_pearson": distributions.clopper_pearson,
    "jeffreys": distributions.jeffreys,
}


def rate_errors(scores: Scores, threshold: FloatArray) -> dict[str, tuple[FloatArray, FloatArray]]:
    """How far below and above those of rounded scores the exact rates may lie: of "fpr" and "tpr"."""
    return {
        "fpr": errors_of(scores, lambda table: counts_at(table, threshold)[1] / table.n_neg),
        "tpr": errors_of(scores, lambda table: counts_at(table, threshold)[0] / table.n_pos),
    }


def rate_replicates(
    scores: Scores,
    threshold: FloatArray,
    *,
    size: tuple[int, int],
    n_resamples: int,
    rng: RNG,
    sampling: Sampling,
    n_jobs: int,
) -> FloatArray:
    """Return resampled (FPR, TPR), of shape (n_resamples, 2, h).

    Only the counts between neighbouring thresholds matter, so a resample costs O(h) whatever the data.
    """
    table, counter = ThresholdCounter.of(scores, threshold).compressed(scores)

    def statistic(pos: IntArray, neg: IntArray) -> FloatArray:
        above = counter(pos, neg)
        return np.stack([above.neg / neg.sum(), above.pos / pos.sum()])

    return resample(statistic, table, n_resamples, rng, size=size, sampling=sampling, n_jobs=n_jobs)


def rates_at_threshold(
    scores: Scores,
    threshold: ArrayLike,
    *,
    method: RateMethod = "agresti_coull",
    confidence_level: float = 0.95,
    joint: bool = True,
    size: Size = None,
    n_resamples: int = 2000,
    rng: RNG = None,
    sampling: Sampling = "stratified",
    n_jobs: int = 1,
) -> Regions:
    """True and false positive rate when cases with score >= threshold are called positive.

    The threshold must have been chosen without looking at these cases; the two rates are then
    independent binomial proportions.

    Parameters
    ----------
    scores : Scores
    threshold : float or array-like of shape (h,)
        Any numbers, ±inf included. A case exactly at the threshold is called positive.
    method : {"agresti_coull", "wald", "bootstrap", "exact_bootstrap", "wilson", "clopper_pearson", \
"jeffreys"}
        agresti_coull : Wald's interval after adding two successes and two failures (Dugas & Gadoury 2009,
            Algorithm 1). Slightly conservative near 0 and 1. Asymptotic.
        wald : Gaussian fit to the exact bootstrap law. Has zero width, and no coverage, at rates of 0
            and 1; kept for comparison. Asymptotic.
        bootstrap : percentiles of `n_resamples` resamples, the paper's "Empirical"; fails at 0 and 1 like
            "wald". Guarantee: bootstrap.
        exact_bootstrap : quantiles of the binomial law to which "bootstrap" converges, without resampling.
            Guarantee: bootstrap.
        wilson : score interval. Asymptotic.
        clopper_pearson : inverts the binomial test; never under-covers. Finite-sample.
        jeffreys : Bayesian interval under the Beta(½, ½) prior; close to nominal on average. Asymptotic.
    confidence_level : float
        In (0, 1).
    joint : bool
        If true, each side has level √confidence_level, so that the rectangle holds both rates together
        with `confidence_level`. If false, each side has `confidence_level` by itself.
    size : (int, int), optional
        (m_pos, m_neg): give the uncertainty of a sample of that size, for "agresti_coull", "wald" and the
        bootstraps; by default the data's own.
    n_resamples : int
        For "bootstrap"; at least 2/(1 - level of a side).
    rng : Generator, int or None
        For "bootstrap".
    sampling : {"stratified", "full"}
        For "bootstrap": draw each class by itself, or both together so that class sizes vary too (Dugas &
        Gadoury 2009, section 5.5). All other methods are stratified.
    n_jobs : int
        Jobs by which joblib shares the resamples out; the result does not depend on it.

    Returns
    -------
    Regions
        `fpr` and `tpr` are `Intervals` over the thresholds, inside [0, 1]. For rounded scores upper ends are
        raised by the share of the class in the levels that the threshold cuts.

    Raises
    ------
    ValueError
        NaN thresholds, unknown method, impossible level, size or number of resamples; full sampling with
        another method than "bootstrap".

    Warns
    -----
    ConfrocWarning
        When intervals have zero width.

    Examples
    --------
    >>> from confroc import Scores, rates_at_threshold
    >>> scores = Scores.from_counts([3, 2, 1], pos=[30, 15, 5], neg=[2, 18, 80])
    >>> region = rates_at_threshold(scores, 2)
    >>> region.tpr.estimate, region.tpr.lower.round(3), region.tpr.upper.round(3)
    (array([0.9]), array([0.768]), array([0.973]))
    """
    check_scores("scores", scores, widens=True)
    at = check_threshold("threshold", threshold)
    check_choice("method", method, RATE_METHODS)
    level = check_level(confidence_level)
    sizes = check_size(size, scores.n_pos, scores.n_neg)
    if method in _OWN_SIZE:
        refuse_size(size, method, "Use 'agresti_coull' or a bootstrap.")
    sampling = check_sampling(sampling, method)
    side_level = math.sqrt(level) if joint else level
    guarantee = guarantee_of(method)
    pos, neg = counts_at(scores, at)
    ends: list[Ends] = []
    if method == "bootstrap":
        count = check_resamples(n_resamples, side_level)
        drawn = rate_replicates(
            scores, at, size=sizes, n_resamples=count, rng=rng, sampling=sampling, n_jobs=n_jobs
        )
        ends = list(zip(*percentile_ends(drawn, side_level), strict=True))
    for k, n, m in ((neg, scores.n_neg, sizes[1]), (pos, scores.n_pos, sizes[0])):
        if method in _ANY_SIZE:
            ends.append(_ANY_SIZE[method](k, n, side_level, m=m))
        elif method in _OWN_SIZE:
            ends.append(_OWN_SIZE[method](k, n, side_level))
        elif method == "exact_bootstrap":
            quantiles = distributions.bootstrap_quantiles(k, n, m, tails(side_level))
            ends.append((quantiles[:, 0], quantiles[:, 1]))
    estimates = {"fpr": neg / scores.n_neg, "tpr": pos / scores.n_pos}
    sides = {
        quantity: Intervals(
            quantity=quantity,
            at_name="threshold",
            at=at,
            estimate=estimates[quantity],
            lower=lower,
            upper=upper,
            confidence_level=side_level,
            method=method,
            guarantee=guarantee,
        )
        for quantity, (lower, upper) in zip(("fpr", "tpr"), ends, strict=True)
    }
    widths = np.concatenate([side.upper - side.lower for side in sides.values()])
    errors = rate_errors(scores, at)
    fpr, tpr = (widened(side, *errors[name], bounds=(0.0, 1.0)) for name, side in sides.items())
    return Regions(
        at_name="threshold",
        at=at,
        fpr=fpr,
        tpr=tpr,
        confidence_level=level,
        joint=joint,
        method=method,
        guarantee=guarantee,
        notes=warn_zero_width(widths, method, "agresti_coull") + notes_of(fpr, tpr),
    )
