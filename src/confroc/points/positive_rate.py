"""At a given share of flagged cases: what a budget buys (the further work of Dugas & Gadoury 2009, §6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import check_level, check_size, rate_counts
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
from confroc.points.threshold import intervals
from confroc.resample import Draw, check_draws, percentile_ends, tails
from confroc.results import FlaggedRegions, notes_of
from confroc.scores import CountTable, Scores, check_scores, errors_of

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
    """Use the moments of the exact law, 2a pseudo-cases added to each class."""

    def found(
        scores: Scores, r: IntArray, size: tuple[int, int], level: float, sampling: Sampling, *_: object
    ) -> Found:
        table = with_pseudo_cases(scores, a) if a else scores
        m_pos, m_neg = size[0] + 2 * a, size[1] + 2 * a
        ends = np.empty((2, 3, len(r)))
        for i, count in enumerate((r + 2 * a).tolist()):
            if sampling == "full":
                moments = full_moments(table, count, m_pos + m_neg)
            else:
                mean, variance = found_moments(table, count, (m_pos, m_neg))
                moments = {
                    "fpr": ((count - mean) / m_neg, variance / m_neg**2),
                    "tpr": (mean / m_pos, variance / m_pos**2),
                    "precision": (mean / count, variance / count**2),
                }
            ends[:, :, i] = _normal_ends(moments, level)
        return ends, ()

    return found


def _normal_ends(moments: dict[str, tuple[float, float]], level: float) -> tuple[FloatArray, FloatArray]:
    centre, square = np.array([moments[name] for name in QUANTITIES]).T
    return clipped(centre, normal_quantile(level) * np.sqrt(np.maximum(square, 0.0)))


def _exact(
    scores: Scores, r: IntArray, size: tuple[int, int], level: float, sampling: Sampling, *_: object
) -> Found:
    ends, approximated = np.empty((2, 3, len(r))), 0
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
            approximated += 1
            ends[:, :, i] = _normal_ends(full_moments(scores, count, sum(size)), level)
        else:
            quantiles = joint_quantiles(joint, count, sum(size), tails(level))
            ends[:, :, i] = np.array([quantiles[name] for name in QUANTITIES]).T
    note = (
        f"At {approximated} of {len(r)} rates the exact law is too large to lay out; a normal law with its "
        "first-order moments is used.",
    )
    return ends, note if approximated else ()


def flagged_replicates(scores: Scores, r: IntArray, size: tuple[int, int], draw: Draw) -> FloatArray:
    """Return resampled (FPR, TPR, precision), of shape (n_resamples, 3, h), cut ties in random order."""

    def statistic(pos: IntArray, neg: IntArray, generator: np.random.Generator) -> FloatArray:
        m_pos, m_neg = int(pos.sum()), int(neg.sum())
        pos_above = np.cumsum(pos)
        all_above = pos_above + np.cumsum(neg)
        row = np.searchsorted(all_above, r)
        # The r-th case is in this row: the rows above are flagged whole, of this one a random part.
        short = r - (all_above[row] - pos[row] - neg[row])
        found = pos_above[row] - pos[row] + generator.hypergeometric(pos[row], neg[row], short)
        return np.stack([(r - found) / m_neg, found / m_pos, found / r])

    return draw(statistic, scores, size=size, randomised=True)


def _resampled(
    scores: Scores,
    r: IntArray,
    size: tuple[int, int],
    level: float,
    sampling: Sampling,  # noqa: ARG001
    draw: Draw,
) -> Found:
    return np.stack(percentile_ends(flagged_replicates(scores, r, size, draw), level)), ()


_FOUND: Mapping[str, Callable[..., Found]] = RATES_AT_POSITIVE_RATE.table(
    {
        "agresti_coull": _normal(2),
        "wald": _normal(0),
        "bootstrap": _resampled,
        "exact_bootstrap": _exact,
    }
)


def sample_rates(flagged: FloatArray) -> dict[str, Callable[[Scores], FloatArray]]:
    """Return the three rates of a sample when so many of its cases are flagged."""
    return {
        "fpr": lambda table: (flagged - expected_found(table, flagged)) / table.n_neg,
        "tpr": lambda table: expected_found(table, flagged) / table.n_pos,
        "precision": lambda table: expected_found(table, flagged) / flagged,
    }


def rates_at_positive_rate(
    scores: Scores,
    positive_rate: ArrayLike,
    *,
    method: str = "agresti_coull",
    confidence_level: float = 0.95,
    size: Size = None,
    n_resamples: int | None = None,
    rng: RNG = None,
    sampling: Sampling = "full",
    n_jobs: int = 1,
) -> FlaggedRegions:
    """True and false positive rate and precision when a given share of the cases is flagged.

    The question of a budget that pays for treating, inspecting or calling a share q of all cases: those with
    the highest scores are flagged, exactly r = floor(q·m) of the m.

    Parameters
    ----------
    scores : Scores
    positive_rate : float or array-like of shape (h,)
        Shares q in [1/m, 1]; each stands for r = floor(q * m) flagged cases.
    method : str
        agresti_coull : normal interval with the mean and variance of the exact bootstrap law of the sample
            with two positives and two negatives added above all cases, and as many below. At a fixed
            threshold the same addition is Agresti & Coull's. Asymptotic.
        wald : the same without the addition; for comparison. Asymptotic.
        bootstrap : percentiles of `n_resamples` resamples. Guarantee: bootstrap.
        exact_bootstrap : quantiles of the law to which "bootstrap" converges. Guarantee: bootstrap.
    confidence_level : float
        In (0, 1), of each of the three intervals by itself.
    size : (int, int), optional
        (m_pos, m_neg), cases of each class in a bootstrap sample; m is their sum. By default the sample's
        own.
    n_resamples : int
        For "bootstrap", 2,000 by default; at least 2/(1 - confidence_level).
    rng : Generator, int or None
        For "bootstrap".
    sampling : {"full", "stratified"}
        How the test set came about. "full": cases were drawn from the population whatever their class, so
        the class sizes are random too, which moves the cut. "stratified": so many positives and so many
        negatives were drawn, in the population's proportion; the three rates are then functions of one
        count, and their intervals hold together at the level.
    n_jobs : int
        Jobs by which joblib shares the resamples out; the result does not depend on it.

    Returns
    -------
    FlaggedRegions
        `fpr`, `tpr` and `precision` are `Intervals` over the shares; `at` is the share r/m really used,
        `flagged` is r. Bounds are cut to [0, 1], for rounded scores widened by what the rounding can have
        changed. `joint` is false.

    Raises
    ------
    ValueError
        A share below 1/m or above 1; an unknown method; an impossible level, size or number of resamples.

    Warns
    -----
    ConfrocWarning
        When intervals have zero width.

    See Also
    --------
    rates_at_threshold : The threshold given instead of the share.
    tpr_at_fpr : The false positive rate given instead of the share.

    Notes
    -----
    A budget is kept to the case: when scores tie at the cut, a random part of the tied cases is flagged.
    `estimate` is the mean over that choice, the point where the ROC curve (diagonal along ties) meets the
    line m_pos·TPR + m_neg·FPR = r.

    The share flagged and the precision depend on the share of positives: the sample's share must be the
    population's. If it is not, ask for rates at a threshold or a false positive rate. Where cases were drawn
    whatever their class, "stratified" covers too little, the more the larger the share flagged: it takes the
    share of positives as known.

    References
    ----------
    Dugas & Gadoury (2009), section 6, name this averaging as further work.

    Examples
    --------
    >>> from confroc import Scores, rates_at_positive_rate
    >>> scores = Scores([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], [1, 2, 3, 4, 7, 5, 6, 8, 9, 10])
    >>> budget = rates_at_positive_rate(scores, 0.4, method="exact_bootstrap")
    >>> budget.flagged, budget.precision.estimate, budget.precision.lower
    (array([4]), array([0.75]), array([0.25]))
    """
    check_scores("scores", scores, widens=True)
    row = RATES_AT_POSITIVE_RATE.check(method, n_resamples=n_resamples)
    level = check_level(confidence_level)
    sizes = check_size(size, scores.n_pos, scores.n_neg)
    n, m = scores.n_pos + scores.n_neg, sum(sizes)
    r = rate_counts("positive_rate", positive_rate, m, "cases")
    draw = check_draws(row, level, n_resamples, rng, sampling, n_jobs)
    ends, notes = _FOUND[row.name](scores, r, sizes, level, sampling, draw)
    fpr, tpr, precision = (
        intervals(
            row,
            level,
            quantity,
            "positive_rate",
            r / m,
            rate(scores),
            (ends[0, i], ends[1, i]),
            errors_of(scores, rate),
        )
        for i, (quantity, rate) in enumerate(sample_rates(r * n / m).items())
    )
    notes += warn_zero_width(ends[1] - ends[0], row.name, "agresti_coull")
    return FlaggedRegions(
        at_name="positive_rate",
        at=r / m,
        flagged=r,
        fpr=fpr,
        tpr=tpr,
        precision=precision,
        confidence_level=level,
        joint=False,
        method=row.name,
        guarantee=row.guarantee,
        notes=notes + notes_of(fpr, tpr, precision),
    )
