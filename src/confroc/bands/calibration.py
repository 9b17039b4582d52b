"""Simultaneous band for the probability of a positive given the score, from binomial bounds of score blocks.

A block of adjacent scores has m cases, s of them positive. If the probability is non-decreasing in the score,
s is stochastically no larger than a binomial variable with the probability at the block's highest score, so
the Clopper–Pearson lower bound is valid there and at every higher score. Upper bounds are symmetric. The band
is the best bound over all blocks, at a local level for which all bounds are simultaneous (Dimitriadis,
Dümbgen, Henzi, Puke & Ziegel 2023).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from confroc._check import check_count, check_level, check_threshold, make_rng, warned
from confroc._options import CalibrationBandOptions
from confroc._types import FloatArray, IntArray
from confroc.bands.base import BandMethod, BandOutcome, CalibratedBand
from confroc.bands.edges import Edges, FprRange, on_joints
from confroc.bands.ellipse_radius import binomial_deviate
from confroc.base import Method, family, lists_methods, method_class
from confroc.curve import calibration_blocks
from confroc.distributions import normal_quantile, wilson_limit
from confroc.resample import critical_rank
from confroc.results import Band, Intervals, one_sided_limits, shown
from confroc.results.bands import ROUND, spans
from confroc.scores import Scores, accepts_one_model, check_scores

FEWEST_DEFAULT, MOST_DEFAULT, MOST_GROUPS = 20, 256, 5_000
BLOCKS_AT_ONCE = 2**20
LEAST_RATE = 1e-12
NEARLY_ALL, ROOM, HIGHEST_END = 0.99, 1.05, 0.5
"""The share of cases that axes must hold, the room next to these, and the last end that is not 1."""
FAR = 4.0
"""Standard errors by which a block's expectation may be below the rate at its end."""
CROSSING = (
    "The data contradict a probability that is non-decreasing in the score. Where the bounds cross, there is "
    "no interval."
)
FEW = 500
FEW_CASES = f"With fewer than {FEW} cases the band can under-cover; exact calibration has a guarantee."
NO_TEST = "The scores are not probabilities in [0, 1], so their calibration is not tested."


class Groups(NamedTuple):
    """Groups of adjacent scores in increasing order: lowest and highest score, and counts."""

    low: FloatArray
    high: FloatArray
    pos: IntArray
    neg: IntArray


def groups_of(scores: Scores, most: int) -> Groups:
    """Group the distinct scores into at most `most` groups, by the numbers of cases only.

    Group boundaries are at proportions sin²(πg/2G) of the cases, so that groups are smaller at both ends of
    the scores.
    """
    low, pos, neg = scores.score[::-1], scores.pos[::-1], scores.neg[::-1]
    # Levels of rounded scores may overlap: a bound is valid from the highest score of its block.
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
    """Return the largest Clopper–Pearson lower bound of the blocks that end at or before each group.

    Parameters
    ----------
    pos, neg : ndarray of int, shape (g,)
        Counts of each group, in order.
    error : float
        One-sided error probability of each bound.

    Returns
    -------
    ndarray of shape (g,)
        Non-decreasing.

    Notes
    -----
    The bound of s positives among m cases solves P(Bin(m, p) ≥ s) = error. Comparing it with a value needs
    one tail probability, a fifteenth of the time; so the block with the best normal approximation is solved
    first, and then only those whose bound exceeds the current maximum.
    """
    found, above = np.zeros(len(pos)), np.append(0, np.cumsum(pos)).astype(np.float64)
    cases = np.append(0, np.cumsum(pos + neg)).astype(np.float64)
    z = normal_quantile(1.0 - 2.0 * error)
    rows = max(1, BLOCKS_AT_ONCE // len(pos))
    for start in range(0, len(pos), rows):
        end = np.arange(start, min(start + rows, len(pos)))
        # Blocks from group `begin` + 1 to group `end`.
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


def isotonic(scores: Scores) -> tuple[FloatArray, FloatArray]:
    """Return the isotonic regression of the outcome on the score: ends and value of each block."""
    ends = calibration_blocks(scores)
    pos, neg = (np.diff(np.append(0, above)[ends]) for above in (scores.pos_above, scores.neg_above))
    # Rows are in descending order of score.
    low, high = scores.score[ends[1:] - 1], scores.score_max[ends[:-1]]
    x = np.maximum.accumulate(np.stack([low, high], axis=1)[::-1].ravel())
    return x, np.repeat((pos / (pos + neg))[::-1], 2)


def steps(start: float, jumps: FloatArray, values: FloatArray, stop: float) -> tuple[FloatArray, FloatArray]:
    """Return the vertices of a step function; there is one value more than jumps."""
    kept = np.diff(values) != 0.0
    jumps, values = jumps[kept], values[np.append(True, kept)]
    return np.concatenate([[start], np.repeat(jumps, 2), [stop]]), np.repeat(values, 2)


def largest_deviates(pos: IntArray, cases: IntArray, right: FloatArray, left: FloatArray) -> FloatArray:
    """Largest deviate by which a block's bound violates a curve, for tables in rows.

    Parameters
    ----------
    pos : ndarray of int, shape (b, g)
        Number of positives of each group.
    cases : ndarray of shape (g,)
    right, left : ndarray of shape (g,)
        The curve at each group's highest score, which a lower bound of a block that ends there must not
        exceed, and at its lowest score.
    """
    largest = np.full(len(pos), -np.inf)
    total = np.append(0, np.cumsum(cases)).astype(np.float64)
    mirrored = cases[::-1] - pos[:, ::-1], total[-1] - total[::-1], 1.0 - left[::-1]
    for count, m, ends in ((pos, total, right), mirrored):
        rate = np.clip(ends, LEAST_RATE, 1.0 - LEAST_RATE)
        above = np.pad(np.cumsum(count, axis=1), [(0, 0), (1, 0)]).astype(np.float64)
        mean = np.append(0.0, np.cumsum(rate * np.diff(m)))
        for end, p in enumerate(rate.tolist()):
            size = m[end + 1] - m[: end + 1]
            # Blocks with far fewer positives than expected at their end are never decisive.
            near = p * size - (mean[end + 1] - mean[: end + 1]) <= FAR * np.sqrt(size * p * (1.0 - p))
            s = above[:, end + 1, None] - above[:, : end + 1][:, near]
            np.maximum(largest, binomial_deviate(s - 1.0, size[near], np.asarray(p)).max(axis=1), out=largest)
    return largest


def isotonic_fit(positive: NDArray[Any], cases: NDArray[Any]) -> FloatArray:
    """Return the isotonic regression of the proportion of positives in each group."""
    # Imported here because SciPy's optimizers are slow to load.
    from scipy.optimize import isotonic_regression

    return np.asarray(isotonic_regression(positive / cases, weights=cases).x)


@method_class
class GroupedBand(BandMethod):
    """Base class of bands from blocks of score groups.

    Attributes
    ----------
    n_groups : int, optional
        Maximum number of groups of adjacent scores, 2 to 5,000. Group boundaries depend on the numbers of
        cases only, not on outcomes, so coverage does not depend on it. With d or more every score is a group.
        Default: 4·n^(1/3) for n cases, from 20 to 256; fewer blocks, each at a less extreme level, give a
        narrower band.
    """

    serves = (("calibration", "band"),)
    caution = (
        "Assumes that the probability of a positive is non-decreasing in the score, and a random sample "
        "of all cases."
    )
    n_groups: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n_groups is not None:
            check_count("n_groups", self.n_groups, minimum=2, maximum=MOST_GROUPS)

    def groups(self, data: Scores) -> Groups:
        """Return the groups of scores."""
        usual = round(4.0 * (data.n_pos + data.n_neg) ** (1.0 / 3.0))
        return groups_of(data, self.n_groups or min(max(usual, FEWEST_DEFAULT), MOST_DEFAULT))


def stepped(groups: Groups, least: FloatArray, greatest: FloatArray, score_range: FprRange) -> Edges:
    """Bounds as steps: lower bounds from the group's highest score, upper bounds up to its lowest."""
    start, stop = score_range
    lower_x, lower = steps(start, groups.high, np.append(0.0, least), stop)
    upper_x, upper = steps(start, groups.low, np.append(greatest, 1.0), stop)
    at = np.unique(np.concatenate([lower_x, upper_x]))
    return Edges(*on_joints(at, (lower_x, lower), (upper_x, upper)))


@method_class
class IsotonicBlocks(CalibratedBand, GroupedBand):
    """Binomial bounds of blocks of scores.

    Needs no bins, and assumes only that the probability does not decrease with the score. Exact binomial
    bounds for the proportion of positives in every block of adjacent scores, all with the same local level;
    at each score the best bound under a non-decreasing probability (Dimitriadis, Dümbgen, Henzi, Puke &
    Ziegel 2023).

    Attributes
    ----------
    calibration : {"bootstrap", "exact"}
        "bootstrap": the local level at which the band contains the isotonic fit, with half a case added at
        both ends, in the stated proportion of outcomes drawn from it.
        "exact": Bonferroni's local level, with simultaneous coverage for every sample size; wider, without
        resamples. With d groups the band is that of Dimitriadis et al. (2023).
    """

    name = "isotonic_blocks"
    papers = ("dimitriadis2023",)

    def band(self, data: Scores, level: float, fpr_range: FprRange) -> BandOutcome:
        """Return the best bounds over a range of scores, as steps."""
        groups = self.groups(data)
        cases, blocks = groups.pos + groups.neg, len(groups.low) * (len(groups.low) + 1)
        inside = groups.low[0] >= 0.0 and groups.high[-1] <= 1.0
        ends = (groups.high, groups.low) if inside else (np.ones(len(cases)), np.zeros(len(cases)))
        diagonal = largest_deviates(groups.pos[None], cases, *ends)[0]
        if self.calibration == "exact":
            error, pvalue = (1.0 - level) / blocks, min(1.0, float(special.ndtr(-diagonal)) * blocks)
            floor = 0.0
        else:
            count = self.count(level)
            drawn = np.sort(self._resampled(groups, count))
            error = float(special.ndtr(-drawn[critical_rank(count, level) - 1]))
            pvalue, floor = float(1 + (drawn >= diagonal).sum()) / (count + 1), 1.0 / (count + 1)
        least = lower_bounds(groups.pos, groups.neg, error)
        greatest = 1.0 - lower_bounds(groups.neg[::-1], groups.pos[::-1], error)[::-1]
        used = replace(self, rng=None) if self.calibration == "exact" else None
        edges = stepped(groups, least, greatest, fpr_range)
        few = self.calibration == "bootstrap" and cases.sum() < FEW
        notes = (FEW_CASES,) if few else ()
        return BandOutcome(edges, used=used, notes=notes, pvalue=pvalue, least_pvalue=floor)

    def _resampled(self, groups: Groups, count: int) -> FloatArray:
        """Largest deviates of outcomes drawn from the isotonic fit."""
        cases, climbs = groups.pos + groups.neg, groups.low < groups.high
        # Half a positive in the lowest group and half a negative in the highest: no rate is 0 or 1.
        half = np.zeros(len(cases))
        half[0] = 0.5
        fit = isotonic_fit(groups.pos + half, cases + half + half[::-1])
        left, right = fit.copy(), fit.copy()
        left[1:] = right[:-1] = 0.5 * (fit[:-1] + fit[1:])
        drawn = make_rng(self.rng).binomial(cases, fit, (count, len(cases)))
        return largest_deviates(drawn, cases, np.where(climbs, right, fit), np.where(climbs, left, fit))


@method_class
class IsotonicContraction(GroupedBand):
    """Sub-Gaussian bounds of means of the isotonic fit.

    The mean of the isotonic regression over every block of adjacent scores ± a simultaneous Hoeffding bound
    (Yang & Barber 2019), for every sample size. If the probability is not monotone, the band contains the
    closest monotone curve. Wide if the prevalence is near 0 or 1.
    """

    name = "isotonic_contraction"
    papers = ("yang2019",)
    guarantee = "finite-sample"

    def band(self, data: Scores, level: float, fpr_range: FprRange) -> BandOutcome:
        """Return the best bounds over a range of scores, as steps."""
        groups = self.groups(data)
        cases = (groups.pos + groups.neg).astype(np.float64)
        fit = isotonic_fit(groups.pos, cases)
        number = len(cases) * (len(cases) + 1) / (1.0 - level)
        sides = []
        for values, m in ((fit, cases), (1.0 - fit[::-1], cases[::-1])):
            sums, size = (np.append(0.0, np.cumsum(x)) for x in (values * m, m))
            best = []
            for k in range(1, len(size)):
                cases_of = size[k] - size[:k]
                means = (sums[k] - sums[:k]) / cases_of
                best.append(np.max(means - np.sqrt(0.5 * math.log(number) / cases_of)))
            sides.append(np.maximum.accumulate(np.maximum(best, 0.0)))
        return BandOutcome(stepped(groups, sides[0], 1.0 - sides[1][::-1], fpr_range))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CalibrationBand(Band):
    """A simultaneous confidence band for the probability of a positive given the score.

    Attributes
    ----------
    probabilities : bool
        Whether all scores lie in [0, 1], so that they can be compared with the diagonal; otherwise the band
        is that of a risk curve.
    pvalue : float
        P-value of the hypothesis that the scores are calibrated: the smallest 1 − confidence_level at which
        the band excludes the diagonal somewhere; NaN for a risk curve.
    least_pvalue : float
        The smallest p-value possible with these resamples, printed with "≤"; 0 for closed forms.
    at, estimate, lower, upper, at_range, confidence_level, method, guarantee, notes, kind
        As in `Band`, over increasing scores. The edges are steps: a lower bound is valid from its score
        upwards, an upper bound up to its score.

    See Also
    --------
    calibration_band : Returns one.
    """

    quantity: str = "probability"
    at_name: str = "score"
    probabilities: bool = True
    pvalue: float = math.nan
    least_pvalue: float = 0.0

    def at_score(self, score: ArrayLike) -> Intervals:
        """Return the estimate and the simultaneous bounds at scores.

        Parameters
        ----------
        score : float or array-like of shape (h,)
            Below the lowest score in the data the lower bound is 0, above the highest the upper bound is 1.

        Raises
        ------
        ArgumentError
            Missing values.
        """
        at = check_threshold("score", score)
        estimate, lower, upper = self._values(at)
        return Intervals(
            quantity=self.quantity,
            at_name=self.at_name,
            at=at,
            estimate=estimate,
            lower=np.where(at < self.at[0], 0.0, lower),
            upper=np.where(at > self.at[-1], 1.0, upper),
            confidence_level=self.confidence_level,
            method=self.method,
            guarantee=self.guarantee,
            notes=self.notes,
            kind=self.kind,
        )

    def _values(self, at: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The estimate and the bounds at scores; at a step, the closer sides."""
        estimate, lower, upper = (
            one_sided_limits(self.at, curve, at) for curve in (self.estimate, self.lower, self.upper)
        )
        low, high = np.maximum(*lower), np.minimum(*upper)
        # Edges that cross at a step were both moved to the estimate.
        empty = low >= high
        return estimate[1], np.where(empty, math.nan, low), np.where(empty, math.nan, high)

    def _shown(self, most: int | None) -> tuple[Mapping[str, Any], int | None]:
        """Bounds at the scores if these are few, else at selected or round ones between the observed ends."""
        places = distinct_scores(self) if self.probabilities else np.unique(self.at)
        if len(places) > (shown.MOST_ROWS if most is None else most):
            spread = np.quantile(self.at, np.arange(0.5, 8.0) / 8.0, method="nearest")
            ends = places[0], places[-1]
            places = np.unique([*ends, *np.clip(ROUND, *ends)] if self.probabilities else spread)
        names = (self.at_name, self.quantity, "lower", "upper")
        return dict(zip(names, (places, *self._values(places)), strict=True)), None

    def _claims(self) -> list[str]:
        if not self.probabilities:
            return super()._claims()
        where = spans(self.miscalibrated_at)
        found = f", miscalibrated at scores {where}" if where else ""
        *claims, last = super()._claims()
        return [
            *claims,
            f"{last}\ntest of calibration: {shown.pvalue(self.pvalue, self.least_pvalue)}{found}",
        ]

    @property
    def calibrated(self) -> bool | None:
        """Whether the band contains the diagonal, i.e. calibration is not rejected.

        None if the scores are not probabilities. True does not prove calibration: in small samples the band
        is wide.
        """
        return not self.miscalibrated_at if self.probabilities else None

    @property
    def miscalibrated_at(self) -> tuple[tuple[float, float], ...]:
        """Intervals of scores, as (from, to), where the diagonal is outside; empty for other scores.

        With probability at least `confidence_level`, no score of a calibrated model is in any of them.
        """
        if not self.probabilities:
            return ()
        run = np.diff(self.at) > 0.0
        start, stop = self.at[:-1][run], self.at[1:][run]
        found: list[tuple[float, float]] = []
        # Segments of an edge on the wrong side of the diagonal.
        for edge, side in ((self.lower, 1.0), (self.upper, -1.0)):
            first, last = side * (edge[:-1][run] - start), side * (edge[1:][run] - stop)
            # Where the edges cross, no probability is inside.
            wrong = (first > 1e-12) | (last > 1e-12) | np.isnan(first)
            share = np.divide(first, first - last, out=np.zeros_like(first), where=first != last)
            crossing = start + np.clip(share, 0.0, 1.0) * (stop - start)
            begin, end = np.where(first <= 0.0, crossing, start), np.where(last <= 0.0, crossing, stop)
            found += zip(begin[wrong].tolist(), end[wrong].tolist(), strict=True)
        return tuple(_joined(found))


def _joined(stretches: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Merge adjacent or overlapping intervals, in order."""
    joined: list[tuple[float, float]] = []
    for begin, end in sorted(stretches):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined


CALIBRATION_BAND = family(
    "calibration_band", "Band around the calibration curve", ("calibration", "band"), "isotonic_blocks"
)


@accepts_one_model
@lists_methods(CALIBRATION_BAND)
def calibration_band(
    scores: Scores,
    /,
    *,
    method: str | Method = "isotonic_blocks",
    confidence_level: float = 0.95,
    **options: Unpack[CalibrationBandOptions],
) -> CalibrationBand:
    """Simultaneous confidence band for the calibration curve.

    The calibration curve is p(x) = P(Y = 1 | score = x), assumed non-decreasing in the score. With
    `calibration="exact"` coverage is guaranteed for every sample size. Scores need not be probabilities; if
    all lie in [0, 1], the band also shows at which scores calibration is rejected, with a p-value.

    Parameters
    ----------
    scores : Scores
        Tied scores are one score with one probability. The band depends only on the order of the scores,
        apart from the x-axis.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1), for the whole band.
    {options}

    Returns
    -------
    CalibrationBand
            `at` has increasing scores, from 0 to 1 if all lie there, else from the lowest to the highest.
            `estimate` is the isotonic regression of the outcome on the score, joined by straight lines;
            `lower` and `upper` are steps inside [0, 1], NaN where they cross. `kind` is "simultaneous",
            `guarantee` "bootstrap" or "finite-sample". For rounded scores the bounds are valid for the exact
            scores.

    Raises
    ------
    ValueError
        Invalid level or number of groups.

    Warns
    -----
    ConfrocWarning
        The edges cross.

    See Also
    --------
    confroc.confusion_at_threshold : Precision at a threshold.
    aligned_thresholds : Thresholds of two models with equal probability.
    rates_at_positive_rate : Rates and precision at a predicted-positive rate.

    Notes
    -----
    Outcomes must be independent given the scores, from a random sample of all cases (full sampling). If the
    numbers of positives and negatives were fixed by design, the curve is that of their mixture, not of the
    population.

    G groups have G(G + 1)/2 blocks, each with a Clopper–Pearson bound on both sides, with an error calibrated
    by the bootstrap, or (1 − confidence_level)/(G(G + 1)). The lower edge at x is the largest lower bound of
    all blocks that end at x or below, the upper edge the smallest upper bound of those that begin at x or
    above. Edges that exclude the estimate are moved to it, which only widens the band; where they cross, the
    data contradict monotonicity, and there is no interval. The time is O(n log n + G²).

    References
    ----------
    Dimitriadis, T., Dümbgen, L., Henzi, A., Puke, M. & Ziegel, J. (2023). Honest calibration
    assessment for binary outcome predictions. Biometrika 110, 663–680.
    Yang, F. & Barber, R. F. (2019). Contraction and uniform convergence of isotonic regression. Electronic
    Journal of Statistics 13, 646–677.

    Examples
    --------
    >>> from confroc import Scores, calibration_band
    >>> risks = Scores.from_counts([0.1, 0.3, 0.6, 0.9], pos=[40, 95, 90, 93], neg=[360, 205, 60, 7])
    >>> band = calibration_band(risks, rng=1)
    >>> print(band.kind, band.guarantee, band.calibrated)
    simultaneous bootstrap True
    >>> over = Scores.from_counts([0.1, 0.5, 0.9], pos=[40, 80, 90], neg=[360, 220, 60])
    >>> band = calibration_band(over, calibration="exact")
    >>> band.calibrated, band.guarantee, band.pvalue < 0.001
    (False, 'finite-sample', True)
    """
    chosen = CALIBRATION_BAND.chosen(method, options, calibration_band)
    check_scores("scores", scores, widens=chosen.widens)
    level = check_level(confidence_level)
    low, high = float(scores.score[-1]), float(scores.score_max.max())
    probabilities = low >= 0.0 and high <= 1.0
    at_range = (0.0, 1.0) if probabilities else (low, high)
    edges, _, _, used, guarantee, notes, pvalue, floor = chosen.band(scores, level, at_range)
    used = used or chosen
    x, estimate = isotonic(scores)
    at = np.unique(np.concatenate([x, edges.at]))
    at, middle, lower, upper = on_joints(at, (x, estimate), (edges.at, edges.lower), (edges.at, edges.upper))
    crossing = lower > upper
    # At a step, by the closer sides.
    first = np.unique(at, return_index=True)[1]
    crossed = np.maximum.reduceat(lower, first) > np.minimum.reduceat(upper, first)
    notes = warned(CROSSING, where=bool(crossed.any())) + notes + (() if probabilities else (NO_TEST,))
    return CalibrationBand(
        at=at,
        estimate=middle,
        lower=np.where(crossing, math.nan, np.minimum(lower, middle)),
        upper=np.where(crossing, math.nan, np.maximum(upper, middle)),
        at_range=at_range,
        probabilities=probabilities,
        pvalue=pvalue if probabilities else math.nan,
        least_pvalue=floor,
        confidence_level=level,
        method=used,
        guarantee=guarantee or used.guarantee,
        kind=used.kind,
        notes=notes,
    )


def reach(band: CalibrationBand, scores: Scores | None = None) -> float:
    """Return where the axes of a calibration curve end: at 1, or where low probabilities and their curve do.

    Without the cases, each distinct score counts as one.
    """
    if not band.probabilities:
        return 1.0
    at = distinct_scores(band) if scores is None else scores.score[::-1]
    cases = np.ones(len(at)) if scores is None else (scores.pos + scores.neg)[::-1]
    share = np.cumsum(cases) / np.sum(cases)
    nearly_all = float(at[np.searchsorted(share, NEARLY_ALL - 1e-9)])
    most = ROOM * max(nearly_all, float(band.at_score(nearly_all).estimate[0]))
    if not 0.0 < most <= HIGHEST_END:
        return 1.0
    exponent = math.floor(math.log10(most))
    digit = math.ceil(most / 10.0**exponent)
    return float(f"{digit if digit <= 5 else 10}e{exponent}")


def distinct_scores(band: CalibrationBand) -> FloatArray:
    """The distinct scores of a band of probabilities, which in addition begins at 0 and ends at 1."""
    return np.asarray(np.unique(band.at[1:-1]))
