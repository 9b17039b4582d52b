"""At a given threshold: a confidence rectangle for (FPR, TPR) (Dugas & Gadoury 2009, §3.1)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from confroc import binomial
from confroc._check import Size, check_choice, check_level, check_size, check_threshold, sentence, warn
from confroc.results import Guarantee, Intervals, Regions
from confroc.scores import Scores, check_scores

RateMethod: TypeAlias = Literal["agresti_coull", "wald", "wilson", "clopper_pearson", "jeffreys"]
RATE_METHODS = ("agresti_coull", "wald", "wilson", "clopper_pearson", "jeffreys")

_ANY_SIZE: dict[str, Callable[..., binomial.Ends]] = {
    "agresti_coull": binomial.agresti_coull,
    "wald": binomial.wald,
}
_OWN_SIZE: dict[str, Callable[..., binomial.Ends]] = {
    "wilson": binomial.wilson,
    "clopper_pearson": binomial.clopper_pearson,
    "jeffreys": binomial.jeffreys,
}


def warn_zero_width(width: NDArray[np.float64], method: str) -> tuple[str, ...]:
    """Warn about, and note, intervals that claim to know a rate exactly."""
    empty = int(np.count_nonzero(width <= 0.0))
    if not empty:
        return ()
    note = (
        f"{empty} interval(s) of method {method!r} have zero width because the estimated rate is 0 or 1; they do "
        "not show the doubt that is left. Use 'agresti_coull'."
    )
    warn(note)
    return (note,)


def counts_at(scores: Scores, threshold: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Positives and negatives with score >= threshold."""
    # `score` decreases: the number of distinct scores >= t.
    rows = np.searchsorted(-scores.score, -threshold, side="right")
    above = (np.concatenate([[0], total])[rows] for total in (scores.pos_above, scores.neg_above))
    pos, neg = above
    return pos, neg


def rates_at_threshold(
    scores: Scores,
    threshold: ArrayLike,
    *,
    method: RateMethod = "agresti_coull",
    confidence_level: float = 0.95,
    joint: bool = True,
    size: Size = None,
) -> Regions:
    """True and false positive rate when cases with score >= threshold are called positive.

    The threshold must have been chosen without looking at these cases; the two rates are then
    independent binomial proportions.

    Parameters
    ----------
    scores : Scores
    threshold : float or array-like of shape (h,)
        Any numbers, ±inf included. A case exactly at the threshold is called positive.
    method : {"agresti_coull", "wald", "wilson", "clopper_pearson", "jeffreys"}
        agresti_coull : Wald's interval after adding two successes and two failures (Dugas & Gadoury 2009,
            Algorithm 1). Slightly conservative near 0 and 1. Asymptotic.
        wald : Gaussian fit to the exact bootstrap law. Has zero width, and no coverage, at rates of 0
            and 1; kept for comparison. Asymptotic.
        wilson : score interval. Asymptotic.
        clopper_pearson : inverts the binomial test; never under-covers. Finite-sample.
        jeffreys : Bayesian interval under the Beta(½, ½) prior; close to nominal on average. Asymptotic.
    confidence_level : float
        In (0, 1).
    joint : bool
        If true, each side has level √confidence_level, so that the rectangle holds both rates together
        with `confidence_level`. If false, each side has `confidence_level` by itself.
    size : (int, int), optional
        (m_pos, m_neg): give the uncertainty of a sample of that size, for "agresti_coull" and "wald"; by
        default the data's own.

    Returns
    -------
    Regions
        `fpr` and `tpr` are `Intervals` over the thresholds, inside [0, 1].

    Raises
    ------
    ValueError
        NaN thresholds, unknown method, impossible level or size.

    Warns
    -----
    ConfrocWarning
        When "wald" returns intervals of zero width.

    Examples
    --------
    >>> from confroc import Scores, rates_at_threshold
    >>> scores = Scores.from_counts([3, 2, 1], pos=[30, 15, 5], neg=[2, 18, 80])
    >>> region = rates_at_threshold(scores, 2)
    >>> region.tpr.estimate, region.tpr.lower.round(3), region.tpr.upper.round(3)
    (array([0.9]), array([0.756]), array([0.985]))
    """
    check_scores("scores", scores)
    at = check_threshold("threshold", threshold)
    check_choice("method", method, RATE_METHODS)
    level = check_level(confidence_level)
    m_pos, m_neg = check_size(size, scores.n_pos, scores.n_neg)
    if size is not None and method in _OWN_SIZE:
        raise ValueError(
            sentence("size", f"be left out with method {method!r}", size, "Use 'agresti_coull' or 'wald'.")
        )
    side_level = math.sqrt(level) if joint else level
    guarantee: Guarantee = "finite-sample" if method == "clopper_pearson" else "asymptotic"
    pos, neg = counts_at(scores, at)
    sides = []
    for quantity, k, n, m in (("fpr", neg, scores.n_neg, m_neg), ("tpr", pos, scores.n_pos, m_pos)):
        if method in _ANY_SIZE:
            lower, upper = _ANY_SIZE[method](k, n, side_level, m=m)
        else:
            lower, upper = _OWN_SIZE[method](k, n, side_level)
        sides.append(
            Intervals(
                quantity=quantity,
                at_name="threshold",
                at=at,
                estimate=k / n,
                lower=lower,
                upper=upper,
                confidence_level=side_level,
                method=method,
                guarantee=guarantee,
            )
        )
    fpr, tpr = sides
    notes = warn_zero_width(np.concatenate([fpr.upper - fpr.lower, tpr.upper - tpr.lower]), method)
    return Regions(
        at_name="threshold",
        at=at,
        fpr=fpr,
        tpr=tpr,
        confidence_level=level,
        joint=joint,
        method=method,
        guarantee=guarantee,
        notes=notes,
    )
