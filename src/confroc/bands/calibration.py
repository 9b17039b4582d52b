"""A band for the probability of a positive given the score, from binomial bounds of blocks of scores.

A block of neighbouring scores holds m cases, s of them positive. While the probability only grows with the
score, s is stochastically no larger than a binomial number with the probability at the block's highest score,
so the Clopper–Pearson lower bound for that number bounds the probability there, and at every higher score.
Upper bounds mirror this. Of all blocks the best bound counts, at a level at which all of them are
simultaneous (Dimitriadis, Dümbgen, Henzi, Puke & Ziegel 2023).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from confroc._check import check_count, check_level, warned
from confroc._types import FloatArray, IntArray
from confroc.bands.edges import on_joints
from confroc.curve import calibration_blocks
from confroc.distributions import normal_quantile, wilson_limit
from confroc.methods.bands import CALIBRATION_BAND
from confroc.results import CalibrationBand
from confroc.scores import Scores, accepts_one_model, check_scores

FEWEST_DEFAULT, MOST_DEFAULT, MOST_GROUPS = 20, 256, 5_000
BLOCKS_AT_ONCE = 2**20
CROSSING = "The bounds cross: the data contradict a probability that never decreases with the score."


class Groups(NamedTuple):
    """Neighbouring scores together, in increasing order: their lowest and highest score, and counts."""

    low: FloatArray
    high: FloatArray
    pos: IntArray
    neg: IntArray


def groups_of(scores: Scores, most: int) -> Groups:
    """Put the distinct scores into at most so many groups, by the numbers of cases alone.

    The ends of groups are at shares sin²(πg/2G) of the cases: smaller groups at both ends of the scores,
    where there is nothing beyond them to lean on.
    """
    low, pos, neg = scores.score[::-1], scores.pos[::-1], scores.neg[::-1]
    # Levels of rounded scores may overlap: a bound holds from the highest score of all that it is made of.
    high = np.maximum.accumulate(scores.score_max[::-1])
    if len(low) > most:
        below = np.cumsum(pos + neg)
        share = np.sin(0.5 * np.pi * np.arange(1, most) / most) ** 2
        last = np.append(np.searchsorted(below, share * below[-1]), len(low) - 1)
        last = np.unique(last)
        first = np.append(0, last[:-1] + 1)
        low, high = low[first], high[last]
        pos, neg = (np.add.reduceat(counts, first) for counts in (pos, neg))
    return Groups(low, high, pos, neg)


def lower_bounds(pos: IntArray, neg: IntArray, error: float) -> FloatArray:
    """Return the best Clopper–Pearson lower bound of the blocks that end in a group or before it.

    Parameters
    ----------
    pos, neg : ndarray of int, shape (g,)
        Of each group, in order.
    error : float
        One-sided, of each bound.

    Returns
    -------
    ndarray of shape (g,)
        Non-decreasing.

    Notes
    -----
    The bound of s positives among m cases solves P(Bin(m, p) ≥ s) = error. Whether it is above a value takes
    one tail, a fifteenth of the time; so the block that a normal approximation prefers is solved first, and
    then only those whose bound is above the best so far.
    """
    found, above = np.zeros(len(pos)), np.append(0, np.cumsum(pos)).astype(np.float64)
    cases = np.append(0, np.cumsum(pos + neg)).astype(np.float64)
    z = normal_quantile(1.0 - 2.0 * error)
    rows = max(1, BLOCKS_AT_ONCE // len(pos))
    for start in range(0, len(pos), rows):
        end = np.arange(start, min(start + rows, len(pos)))
        # Blocks from the group after `begin` to the group `end`.
        at, begin = np.nonzero(np.arange(end[-1] + 1) <= end[:, None])
        s, m = above[end[at] + 1] - above[begin], cases[end[at] + 1] - cases[begin]
        some = s > 0.0
        at, s, m = at[some], s[some], m[some]
        if not len(s):
            continue
        leading = np.lexsort((wilson_limit(s / m, m, -z), at))
        leading = leading[np.append(np.diff(at[leading]) > 0, True)]
        best = found[end]
        best[at[leading]] = special.betaincinv(s[leading], m[leading] - s[leading] + 1.0, error)
        best = np.maximum.accumulate(np.maximum(best, found[start - 1] if start else 0.0))
        better = np.flatnonzero(special.betainc(s, m - s + 1.0, best[at]) < error)
        np.maximum.at(best, at[better], special.betaincinv(s[better], m[better] - s[better] + 1.0, error))
        found[end] = np.maximum.accumulate(best)
    return found


@accepts_one_model
def calibration_band(
    scores: Scores, *, confidence_level: float = 0.95, n_groups: int | None = None
) -> CalibrationBand:
    """Band that contains the probability of a positive at every score, with at least the stated probability.

    The calibration curve p(x) = P(Y = 1 | score = x) of risks, with proof for every sample size: the one
    assumption is that the probability does not fall as the score grows [1]_. Scores need not be
    probabilities; where all of them lie in [0, 1] the band also shows at which scores they are not
    calibrated.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
        Shape (d,) distinct scores with their counts; tied scores are one score with one probability. The
        band depends on their order only, but for the abscissae.
    confidence_level : float
        In (0, 1), of the band as a whole.
    n_groups : int, optional
        At most so many groups of neighbouring scores, 2 to 5,000, of which the blocks consist; ends of groups
        depend on the numbers of cases alone, never on outcomes, so the guarantee stays whatever the number.
        With d or more the band is that of [1]_, made of all blocks of scores. By default 4·n^(1/3) of n
        cases, from 20 to 256: fewer blocks, each at a milder level, make the band narrower than all do.

    Returns
    -------
    CalibrationBand
        `at` holds scores in increasing order, from 0 to 1 where all of them lie there, else from the lowest
        to the highest. `estimate` is the isotonic regression of the outcome on the score, joined by straight
        lines; `lower` and `upper` are steps inside [0, 1]. `kind` is "simultaneous", `guarantee`
        "finite-sample". Of rounded scores the bounds hold for the scores before rounding.

    Raises
    ------
    ValueError
        An impossible level or number of groups.

    Warns
    -----
    ConfrocWarning
        When the edges cross.

    See Also
    --------
    predictive_values : Precision at a threshold, of all cases above it.
    aligned_thresholds : Thresholds of two models at which the probability is the same.
    rates_at_positive_rate : Rates and precision at a predicted-positive rate.

    Notes
    -----
    Outcomes must be independent given the scores, with the population's share of positives: cases drawn
    whatever their class (full sampling). Where positives and negatives were drawn in numbers chosen
    beforehand the curve is that of their mixture, not of the population.

    With G groups there are G(G + 1)/2 blocks, each with a Clopper–Pearson bound on either side of the error
    (1 − confidence_level)/(G(G + 1)). The lower edge at x is the greatest lower bound of all blocks that end
    at x or below, the upper edge the least upper bound of those that begin at x or above. Where the edges
    would leave out the estimate they are moved to it, which only widens the band; if they cross, the data
    contradict a probability that never falls, and a warning shows where. It takes O(n log n + G²) time.

    References
    ----------
    .. [1] Dimitriadis, T., Dümbgen, L., Henzi, A., Puke, M. & Ziegel, J. (2023). Honest calibration
       assessment for binary outcome predictions. Biometrika 110, 663–680.

    Examples
    --------
    >>> from confroc import Scores, calibration_band
    >>> risks = Scores.from_counts([0.1, 0.3, 0.6, 0.9], pos=[40, 95, 90, 93], neg=[360, 205, 60, 7])
    >>> band = calibration_band(risks)
    >>> print(band.kind, band.guarantee, band.calibrated)
    simultaneous finite-sample True
    >>> over = Scores.from_counts([0.1, 0.5, 0.9], pos=[40, 80, 90], neg=[360, 220, 60])
    >>> calibration_band(over).calibrated
    False
    """
    check_scores("scores", scores, widens=True)
    level = check_level(confidence_level)
    usual = min(max(round(4.0 * (scores.n_pos + scores.n_neg) ** (1.0 / 3.0)), FEWEST_DEFAULT), MOST_DEFAULT)
    most = check_count("n_groups", usual if n_groups is None else n_groups, minimum=2, maximum=MOST_GROUPS)
    row = CALIBRATION_BAND.methods[CALIBRATION_BAND.default]
    groups = groups_of(scores, most)
    error = (1.0 - level) / (len(groups.low) * (len(groups.low) + 1))
    least = lower_bounds(groups.pos, groups.neg, error)
    greatest = 1.0 - lower_bounds(groups.neg[::-1], groups.pos[::-1], error)[::-1]

    probabilities = bool(groups.low[0] >= 0.0 and groups.high[-1] <= 1.0)
    start, stop = (0.0, 1.0) if probabilities else (float(groups.low[0]), float(groups.high[-1]))
    x, estimate = isotonic(scores)
    lower_x, lower = steps(start, groups.high, np.append(0.0, least), stop)
    upper_x, upper = steps(start, groups.low, np.append(greatest, 1.0), stop)
    at = np.unique(np.concatenate([x, lower_x, upper_x]))
    at, middle, low, high = on_joints(at, (x, estimate), (lower_x, lower), (upper_x, upper))
    notes = warned(CROSSING, where=crosses(at, low, high))
    return CalibrationBand(
        at=at,
        estimate=middle,
        lower=np.minimum(low, middle),
        upper=np.maximum(high, middle),
        at_range=(start, stop),
        probabilities=probabilities,
        confidence_level=level,
        method=row.name,
        guarantee=row.guarantee,
        kind=row.kind,
        notes=notes,
    )


def isotonic(scores: Scores) -> tuple[FloatArray, FloatArray]:
    """Return the isotonic regression of the outcome on the score: both ends of each block, and values."""
    ends = calibration_blocks(scores)
    pos, neg = (np.diff(np.append(0, above)[ends]) for above in (scores.pos_above, scores.neg_above))
    # Rows run from the highest score down.
    low, high = scores.score[ends[1:] - 1], scores.score_max[ends[:-1]]
    x = np.maximum.accumulate(np.stack([low, high], axis=1)[::-1].ravel())
    return x, np.repeat((pos / (pos + neg))[::-1], 2)


def steps(start: float, jumps: FloatArray, values: FloatArray, stop: float) -> tuple[FloatArray, FloatArray]:
    """Return the vertices of a function that is constant between jumps; one value more than jumps."""
    kept = np.diff(values) != 0.0
    jumps, values = jumps[kept], values[np.append(True, kept)]
    return np.concatenate([[start], np.repeat(jumps, 2), [stop]]), np.repeat(values, 2)


def crosses(at: FloatArray, lower: FloatArray, upper: FloatArray) -> bool:
    """Whether the lower edge is above the upper one; at a step the closer sides are compared."""
    first = np.unique(at, return_index=True)[1]
    return bool((np.maximum.reduceat(lower, first) > np.minimum.reduceat(upper, first)).any())
