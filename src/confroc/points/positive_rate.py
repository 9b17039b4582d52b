"""At a given fraction flagged: what a budget buys (the further work of Dugas & Gadoury 2009, section 6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import check_choice, check_level, check_size, rate_counts
from confroc._types import RNG, FloatArray, IntArray, Sampling, Size
from confroc.distributions import clipped, normal_quantile
from confroc.exact.positive_rate import FoundLaw, expected_found, full_moments, joint_law, joint_quantiles
from confroc.points.shared import (
    check_resamples,
    guarantee_of,
    notes_of,
    percentile_ends,
    tails,
    warn_zero_width,
)
from confroc.resample import SAMPLINGS, resample
from confroc.results import FlaggedRegions, Intervals
from confroc.scores import CountTable, Scores, check_scores, errors_of, widened

BudgetMethod: TypeAlias = Literal["agresti_coull", "wald", "bootstrap", "exact_bootstrap"]
BUDGET_METHODS = ("agresti_coull", "wald", "bootstrap", "exact_bootstrap")

QUANTITIES = ("fpr", "tpr", "precision")


def with_pseudo_cases(scores: Scores, a: int) -> Scores:
    """Add a positives and a negatives above all cases, and as many below."""
    # Nothing but their number matters of the scores.
    score = np.broadcast_to(0.0, len(scores.score) + 2)
    pos, neg = (np.concatenate([[a], counts, [a]]) for counts in (scores.pos, scores.neg))
    return Scores._of(CountTable(score, pos, neg))


def moment_ends(
    scores: Scores, r: IntArray, size: tuple[int, int], level: float, a: int, sampling: Sampling
) -> FloatArray:
    """Return normal intervals from the moments of the law with 2a pseudo-cases added to each class.

    Shape (2, 3, h): ends, quantities, rates.
    """
    table = with_pseudo_cases(scores, a) if a else scores
    m_pos, m_neg = size[0] + 2 * a, size[1] + 2 * a
    ends = np.empty((2, 3, len(r)))
    for i, count in enumerate((r + 2 * a).tolist()):
        if sampling == "full":
            moments = full_moments(table, count, m_pos + m_neg)
        else:
            mean, variance = FoundLaw(table, count, (m_pos, m_neg)).moments()
            moments = {
                "fpr": ((count - mean) / m_neg, variance / m_neg**2),
                "tpr": (mean / m_pos, variance / m_pos**2),
                "precision": (mean / count, variance / count**2),
            }
        centre, square = np.array([moments[name] for name in QUANTITIES]).T
        ends[:, :, i] = clipped(centre, normal_quantile(level) * np.sqrt(np.maximum(square, 0.0)))
    return ends


def stratified_ends(scores: Scores, r: IntArray, size: tuple[int, int], level: float) -> FloatArray:
    """Return quantiles of the exact law under stratified sampling; shape (2, 3, h)."""
    ends = np.empty((2, 3, len(r)))
    for i, count in enumerate(r.tolist()):
        low, high = FoundLaw(scores, count, size).quantiles(tails(level))
        # Sizes are fixed, so the three rates are functions of one count.
        ends[:, 0, i] = (count - high) / size[1], (count - low) / size[1]
        ends[:, 1, i] = low / size[0], high / size[0]
        ends[:, 2, i] = low / count, high / count
    return ends


def full_ends(scores: Scores, r: IntArray, m: int, level: float) -> tuple[FloatArray, tuple[str, ...]]:
    """Return quantiles of the exact law under full sampling, shape (2, 3, h), and notes."""
    ends, approximated = np.empty((2, 3, len(r))), 0
    for i, count in enumerate(r.tolist()):
        joint = joint_law(scores, count, m)
        if joint is None:
            approximated += 1
            centre, square = np.array([full_moments(scores, count, m)[name] for name in QUANTITIES]).T
            ends[:, :, i] = clipped(centre, normal_quantile(level) * np.sqrt(square))
        else:
            quantiles = joint_quantiles(joint, count, m, tails(level))
            ends[:, :, i] = np.array([quantiles[name] for name in QUANTITIES]).T
    note = (
        f"At {approximated} of {len(r)} rates the exact law is too large to lay out; a normal law with its "
        "first-order moments is used.",
    )
    return ends, note if approximated else ()


def flagged_replicates(
    scores: Scores,
    r: IntArray,
    *,
    size: tuple[int, int],
    n_resamples: int,
    rng: RNG,
    sampling: Sampling,
    n_jobs: int,
) -> FloatArray:
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

    return resample(
        statistic, scores, n_resamples, rng, size=size, sampling=sampling, n_jobs=n_jobs, randomised=True
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
    method: BudgetMethod = "agresti_coull",
    confidence_level: float = 0.95,
    size: Size = None,
    n_resamples: int = 2000,
    rng: RNG = None,
    sampling: Sampling = "full",
    n_jobs: int = 1,
) -> FlaggedRegions:
    """True and false positive rate and precision when a given fraction of the cases is flagged.

    The question of a budget that pays for treating, inspecting or calling a fraction q of all cases: those
    with the highest scores are flagged, exactly r = floor(q·m) of the m. (Dugas & Gadoury 2009, section 6,
    name this averaging as further work.)

    Parameters
    ----------
    scores : Scores
    positive_rate : float or array-like of shape (h,)
        Fractions q in [1/m, 1]; each stands for r = floor(q * m) flagged cases.
    method : {"agresti_coull", "wald", "bootstrap", "exact_bootstrap"}
        agresti_coull : mean and variance of the exact bootstrap law of the sample with two positives and two
            negatives added above all cases, and as many below. At a fixed threshold the same addition is
            Agresti & Coull's. Asymptotic.
        wald : the same without the addition; kept for comparison. Asymptotic.
        bootstrap : percentiles of `n_resamples` resamples. Guarantee: bootstrap.
        exact_bootstrap : quantiles of the law to which "bootstrap" converges. Guarantee: bootstrap.
    confidence_level : float
        In (0, 1), of each of the three intervals by itself.
    size : (int, int), optional
        (m_pos, m_neg), cases of each class in a bootstrap sample; m is their sum. By default the sample's
        own.
    n_resamples : int
        For "bootstrap"; at least 2/(1 - confidence_level).
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
        `fpr`, `tpr` and `precision` are `Intervals` over the fractions; `at` is the fraction r/m really used,
        `flagged` is r. Bounds are cut to [0, 1], for rounded scores widened by what the rounding can have
        changed. `joint` is false.

    Raises
    ------
    ValueError
        A fraction below 1/m or above 1; an unknown method; an impossible level, size or number of resamples.

    Warns
    -----
    ConfrocWarning
        When intervals have zero width.

    Notes
    -----
    A budget is kept to the case: when scores tie at the cut, a random part of the tied cases is flagged.
    `estimate` is the mean over that choice, the point where the ROC curve (diagonal along ties) meets the
    line m_pos·TPR + m_neg·FPR = r.

    The fraction flagged and the precision depend on the share of positives: the sample's share must be the
    population's. If it is not, ask for rates at a threshold or a false positive rate. Where cases were drawn
    whatever their class, "stratified" covers too little, the more the larger the fraction: it takes the
    share of positives as known.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.points import rates_at_positive_rate
    >>> scores = Scores([0, 0, 0, 0, 0, 1, 1, 1, 1, 1], [1, 2, 3, 4, 7, 5, 6, 8, 9, 10])
    >>> budget = rates_at_positive_rate(scores, 0.4, method="exact_bootstrap")
    >>> budget.flagged, budget.precision.estimate, budget.precision.lower
    (array([4]), array([0.75]), array([0.25]))
    """
    check_scores("scores", scores, widens=True)
    check_choice("method", method, BUDGET_METHODS)
    level = check_level(confidence_level)
    sizes = check_size(size, scores.n_pos, scores.n_neg)
    n, m = scores.n_pos + scores.n_neg, sum(sizes)
    r = rate_counts("positive_rate", positive_rate, m, "cases")
    check_choice("sampling", sampling, SAMPLINGS)
    notes: tuple[str, ...] = ()
    if method == "bootstrap":
        count = check_resamples(n_resamples, level)
        drawn = flagged_replicates(
            scores, r, size=sizes, n_resamples=count, rng=rng, sampling=sampling, n_jobs=n_jobs
        )
        ends = np.stack(percentile_ends(drawn, level))
    elif method == "exact_bootstrap" and sampling == "full":
        ends, notes = full_ends(scores, r, m, level)
    elif method == "exact_bootstrap":
        ends = stratified_ends(scores, r, sizes, level)
    else:
        ends = moment_ends(scores, r, sizes, level, 2 if method == "agresti_coull" else 0, sampling)
    flagged = r * n / m
    rates = sample_rates(flagged)
    sides = {
        quantity: Intervals(
            quantity=quantity,
            at_name="positive_rate",
            at=r / m,
            estimate=rates[quantity](scores),
            lower=ends[0, i],
            upper=ends[1, i],
            confidence_level=level,
            method=method,
            guarantee=guarantee_of(method),
        )
        for i, quantity in enumerate(QUANTITIES)
    }
    widths = np.concatenate([side.upper - side.lower for side in sides.values()])
    fpr, tpr, precision = (
        widened(side, *errors_of(scores, rates[quantity]), bounds=(0.0, 1.0))
        for quantity, side in sides.items()
    )
    return FlaggedRegions(
        at_name="positive_rate",
        at=r / m,
        flagged=r,
        fpr=fpr,
        tpr=tpr,
        precision=precision,
        confidence_level=level,
        joint=False,
        method=method,
        guarantee=guarantee_of(method),
        notes=notes + warn_zero_width(widths, method, "agresti_coull") + notes_of(fpr, tpr, precision),
    )
