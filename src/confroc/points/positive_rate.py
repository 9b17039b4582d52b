"""Rates and precision at a given predicted-positive rate (the further work of Dugas & Gadoury 2009, §6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, check_level, check_rate, check_size, rate_counts
from confroc._types import RNG, FloatArray, IntArray, Sampling, Size
from confroc.distributions import clipped, normal_quantile, warn_zero_width
from confroc.exact.positive_rate import (
    expected_found,
    found_moments,
    found_quantiles,
    full_moments,
    joint_law,
    joint_quantiles,
)
from confroc.methods.points import RATES_AT_POSITIVE_RATE
from confroc.points.share_mixture import share_mixture
from confroc.points.threshold import APPROXIMATE, intervals
from confroc.resample import Draw, check_draws, check_sampling, percentile_ends, tails
from confroc.results import FlaggedRegions, notes_of
from confroc.scores import CountTable, Scores, accepts_one_model, check_scores, errors_of

Found: TypeAlias = tuple[FloatArray, tuple[str, ...]]
"""Ends of shape (2, 3, h): ends, quantities, rates; and notes."""

QUANTITIES = ("fpr", "tpr", "precision")


def with_pseudo_cases(scores: Scores, a: int) -> Scores:
    """Add a positives and a negatives above all cases, and as many below."""
    # Nothing but their number matters of the scores.
    score = np.broadcast_to(0.0, len(scores.score) + 2)
    pos, neg = (np.concatenate([[a], counts, [a]]) for counts in (scores.pos, scores.neg))
    return Scores._of(CountTable(score, pos, neg))


def _normal(a: int) -> Callable[..., Found]:
    """Use the moments of the exact distribution, 2a pseudo-cases added to each class."""

    def found(
        scores: Scores, r: IntArray, size: tuple[int, int], level: float, sampling: Sampling, *_: object
    ) -> Found:
        table = with_pseudo_cases(scores, a) if a else scores
        m_pos, m_neg = size[0] + 2 * a, size[1] + 2 * a
        ends = np.empty((2, 3, len(r)))
        for i, count in enumerate((r + 2 * a).tolist()):
            ends[:, :, i] = _normal_ends(rates_moments(table, count, (m_pos, m_neg), sampling), level)
        return ends, ()

    return found


def rates_moments(
    scores: Scores, r: int, size: tuple[int, int], sampling: Sampling
) -> dict[str, tuple[float, float]]:
    """Return the mean and variance of each rate when r cases of a resample are predicted positive."""
    m_pos, m_neg = size
    if sampling == "full":
        return full_moments(scores, r, m_pos + m_neg)
    mean, variance = found_moments(scores, r, size)
    return {
        "fpr": ((r - mean) / m_neg, variance / m_neg**2),
        "tpr": (mean / m_pos, variance / m_pos**2),
        "precision": (mean / r, variance / r**2),
    }


def _normal_ends(moments: dict[str, tuple[float, float]], level: float) -> tuple[FloatArray, FloatArray]:
    centre, square = np.array([moments[name] for name in QUANTITIES]).T
    return clipped(centre, normal_quantile(level) * np.sqrt(np.maximum(square, 0.0)))


def _exact(
    scores: Scores, r: IntArray, size: tuple[int, int], level: float, sampling: Sampling, *_: object
) -> Found:
    ends, approximated = np.empty((2, 3, len(r))), False
    for i, count in enumerate(r.tolist()):
        if sampling == "stratified":
            low, high = found_quantiles(scores, count, size, tails(level))
            # Sizes are fixed, so the three rates are functions of one count.
            ends[:, 0, i] = (count - high) / size[1], (count - low) / size[1]
            ends[:, 1, i] = low / size[0], high / size[0]
            ends[:, 2, i] = low / count, high / count
            continue
        joint = joint_law(scores, count, sum(size))
        if joint is None:
            approximated = True
            ends[:, :, i] = _normal_ends(full_moments(scores, count, sum(size)), level)
        else:
            quantiles = joint_quantiles(joint, count, sum(size), tails(level))
            ends[:, :, i] = np.array([quantiles[name] for name in QUANTITIES]).T
    return ends, (APPROXIMATE,) if approximated else ()


LARGEST_TIE = 10**9
"""numpy draws no hypergeometric numbers from a class of so many."""


def _check_ties(pos: IntArray, neg: IntArray) -> None:
    largest = int(max(pos.max(initial=0), neg.max(initial=0)))
    if largest >= LARGEST_TIE:
        raise ArgumentError(
            "scores",
            f"hold fewer than {LARGEST_TIE:,} cases of a class with one score for method 'bootstrap'",
            largest,
            "Use method 'exact_bootstrap', which needs no resampling.",
        )


def found_in_resample(pos: IntArray, neg: IntArray, r: IntArray, generator: np.random.Generator) -> IntArray:
    """Return the positives among the r highest cases of a table of counts, cut ties in random order."""
    pos_above = np.cumsum(pos)
    all_above = pos_above + np.cumsum(neg)
    row = np.searchsorted(all_above, r)
    # The r-th case is in this row: the rows above are predicted positive whole, of this one a random part.
    short = r - (all_above[row] - pos[row] - neg[row])
    _check_ties(pos[row], neg[row])
    return np.asarray(pos_above[row] - pos[row] + generator.hypergeometric(pos[row], neg[row], short))


def flagged_replicates(scores: Scores, r: IntArray, size: tuple[int, int], draw: Draw) -> FloatArray:
    """Return resampled (FPR, TPR, precision), of shape (n_resamples, 3, h), cut ties in random order."""

    def statistic(pos: IntArray, neg: IntArray, generator: np.random.Generator) -> FloatArray:
        found = found_in_resample(pos, neg, r, generator)
        return np.stack([(r - found) / int(neg.sum()), found / int(pos.sum()), found / r])

    return draw(statistic, scores, size=size, randomised=True)


def _resampled(
    scores: Scores,
    r: IntArray,
    size: tuple[int, int],
    level: float,
    _: object,
    draw: Draw,
) -> Found:
    return np.stack(percentile_ends(flagged_replicates(scores, r, size, draw), level)), ()


def _mixture(
    scores: Scores, flagged: FloatArray, _: object, level: float, sampling: Sampling, *__: object
) -> Found:
    n = scores.n_pos + scores.n_neg
    return share_mixture(scores, flagged / n, level, sampling), ()


_FOUND: Mapping[str, Callable[..., Found]] = RATES_AT_POSITIVE_RATE.table(
    {
        "beta_mixture": _mixture,
        "agresti_coull": _normal(2),
        "wald": _normal(0),
        "bootstrap": _resampled,
        "exact_bootstrap": _exact,
    }
)


def sample_rates(flagged: FloatArray) -> dict[str, Callable[[Scores], FloatArray]]:
    """Return the three rates of a sample when so many of its cases are predicted positive."""
    return {
        "fpr": lambda table: np.clip((flagged - expected_found(table, flagged)) / table.n_neg, 0.0, 1.0),
        "tpr": lambda table: np.clip(expected_found(table, flagged) / table.n_pos, 0.0, 1.0),
        "precision": lambda table: np.clip(expected_found(table, flagged) / flagged, 0.0, 1.0),
    }


def check_shares(positive_rate: ArrayLike) -> FloatArray:
    """Return predicted-positive rates, in (0, 1]."""
    share = check_rate("positive_rate", positive_rate)
    if not (share > 0.0).all():
        wrong = float(share[~(share > 0.0)][0])
        raise ArgumentError("positive_rate", "be above 0", wrong, "Use a rate above 0.")
    return share


@accepts_one_model
def rates_at_positive_rate(
    scores: Scores,
    *,
    positive_rate: ArrayLike,
    method: str = "beta_mixture",
    confidence_level: float = 0.95,
    size: Size = None,
    n_resamples: int | None = None,
    rng: RNG = None,
    sampling: Sampling = "full",
    n_jobs: int = 1,
) -> FlaggedRegions:
    """True and false positive rate and precision at a given predicted-positive rate.

    For a budget that pays for treating, inspecting or calling a share q of all cases: those with the highest
    scores are predicted positive. The estimated rates are those of the population at the threshold above
    which the share q of it lies.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
    positive_rate : float or array-like of shape (h,)
        Shares q in (0, 1]. The bootstrap's methods predict exactly r = floor(q * m) of a sample's m cases
        positive, at least one.
    method : str
        beta_mixture : quantiles of a mixture of Jeffreys's Beta distributions for the shares of positives
            above and below the cut, over the binomial distribution of the number of cases above it. FPR, TPR
            and precision follow from the two shares and q, so that with few positives the FPR, which q then
            all but decides, gets the short interval that it should have. Default. Asymptotic.
        agresti_coull : normal interval with the mean and variance of the bootstrap distribution of the sample
            with two positives and two negatives added above all cases, and as many below. At a fixed
            threshold the same addition is Agresti & Coull's. Covers too little where the added cases are many
            for what is known: the FPR with few positives. Asymptotic.
        wald : the same without the addition; for comparison. Asymptotic.
        bootstrap : percentiles of `n_resamples` resamples. Guarantee: bootstrap.
        exact_bootstrap : quantiles of the distribution to which "bootstrap" converges. Guarantee: bootstrap.
    confidence_level : float
        In (0, 1), of each of the three intervals by itself.
    size : (int, int), optional
        (m_pos, m_neg), cases of each class in a bootstrap sample; m is their sum. By default the sample's
        own. Not for "beta_mixture".
    n_resamples : int
        For "bootstrap", 2,000 by default; at least 2/(1 - confidence_level).
    rng : Generator, int or None
        For "bootstrap".
    sampling : {"full", "stratified"}
        How the test set came about. "full": cases were drawn from the population whatever their class, so
        the class sizes are random too, which moves the cut. "stratified": so many positives and so many
        negatives were drawn, in the population's proportion; the three rates are then functions of one
        number, and their intervals are simultaneous at the level.
    n_jobs : int
        Jobs by which joblib shares the resamples out; the result does not depend on it.

    Returns
    -------
    FlaggedRegions
        `fpr`, `tpr` and `precision` are `Intervals` over the shares. `at` is the requested share, with the
        bootstrap's methods r/m; `flagged` the number of the sample's cases that it stands for, n·q or n·r/m,
        whole or not. Bounds are cut to [0, 1], for rounded scores widened by what the rounding can have
        changed. `joint` is false. At a share of 1 both rates are 1 whatever the scores.

    Raises
    ------
    ValueError
        A share of 0 or above 1, or for the bootstrap's methods below 1/m; an unknown method; an impossible
        level, size or number of resamples.

    Warns
    -----
    ConfrocWarning
        When intervals of the bootstrap's methods have zero width.

    See Also
    --------
    rates_difference_at_positive_rate : Two models at the same predicted-positive rate.
    rates_at_threshold : The threshold given instead of the share.
    tpr_at_fpr : The false positive rate given instead of the share.

    Notes
    -----
    A budget is kept to the case: when scores tie at the cut, a random part of the tied cases is predicted
    positive. `estimate` is the mean over that choice, the point where the ROC curve (diagonal along ties)
    meets the line n_pos·TPR + n_neg·FPR = n·q. The mean and variance behind "agresti_coull" and "wald" are
    those of the exact bootstrap distribution for the precision, and under stratified sampling for all three
    rates; under full sampling the two rates' denominators vary, and theirs are of first order (delta method).

    The predicted-positive rate and the precision depend on the share of positives: the sample's share must be
    the population's. If it is not, use rates at a threshold or a false positive rate. Where cases were drawn
    whatever their class, "stratified" under-covers, more so at larger predicted-positive rates: it treats the
    share of positives as known.

    References
    ----------
    Dugas & Gadoury (2009), section 6, name this averaging as further work. Brown LD, Cai TT, DasGupta A
    (2001), Statistical Science 16, 101-133: Jeffreys's interval for one proportion.

    Examples
    --------
    >>> from confroc import Scores, rates_at_positive_rate
    >>> scores = Scores([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], [1, 2, 3, 4, 7, 5, 6, 8, 9, 10])
    >>> budget = rates_at_positive_rate(scores, positive_rate=0.4)
    >>> budget.flagged, budget.precision.estimate, budget.precision.lower.round(3)
    (array([4.]), array([0.75]), array([0.309]))
    """
    check_scores("scores", scores, widens=True)
    row = RATES_AT_POSITIVE_RATE.check(method, size=size, n_resamples=n_resamples)
    level = check_level(confidence_level)
    sizes = check_size(size, scores.n_pos, scores.n_neg)
    n, m = scores.n_pos + scores.n_neg, sum(sizes)
    draw = check_draws(row, level, n_resamples, rng, sampling, n_jobs)
    if row.name == "beta_mixture":
        share = check_shares(positive_rate)
        ends, notes = _FOUND[row.name](scores, share * n, sizes, level, check_sampling(sampling))
    else:
        r = rate_counts("positive_rate", positive_rate, m, "cases")
        ends, notes = _FOUND[row.name](scores, r, sizes, level, sampling, draw)
        share = r / m
    # All cases predicted positive: both rates are 1 by definition.
    ends[:, :2, share == 1.0] = 1.0
    rates = sample_rates(share * n)
    estimates = np.array([rate(scores) for rate in rates.values()])
    if row.guarantee != "bootstrap":
        ends = np.stack([np.minimum(ends[0], estimates), np.maximum(ends[1], estimates)])
    fpr, tpr, precision = (
        intervals(
            row,
            level,
            quantity,
            "positive_rate",
            share,
            estimate,
            side,
            errors_of(scores, rate),
        )
        for (quantity, rate), estimate, side in zip(
            rates.items(), estimates, ends.transpose(1, 0, 2), strict=True
        )
    )
    if row.name != "beta_mixture":
        notes += warn_zero_width((ends[1] - ends[0])[:, share < 1.0], "beta_mixture")
    return FlaggedRegions(
        at_name="positive_rate",
        at=share,
        flagged=share * n,
        fpr=fpr,
        tpr=tpr,
        precision=precision,
        confidence_level=level,
        joint=False,
        method=row.name,
        guarantee=row.guarantee,
        notes=notes + notes_of(fpr, tpr, precision),
    )
