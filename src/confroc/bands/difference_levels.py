"""Equal local levels for the difference between two curves, calibrated by the smoothed bootstrap.

The ellipses of one curve (`local_levels`) give an interval for its rate at each false positive rate, for
every radius. The interval of the difference with radius c is the union over φ of the differences of the two
intervals with radii c·cos φ and c·sin φ: all values allowed by four deviates, one per class and model, within
a ball of radius c. The dependence of the models enters through c, the radius at which the bands of resamples
contain the smooth difference; each resampled case keeps both scores.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from confroc._progress import work
from confroc._types import RNG, FloatArray, IntArray
from confroc.bands.base import BandOutcome, ResampledBand
from confroc.bands.crossing import LARGEST_RADIUS
from confroc.bands.edges import MOST_JOINTS, Edges, FprRange, both_limits, widened_edges
from confroc.bands.local_levels import ellipses_edges, lower_bound
from confroc.base import method_class
from confroc.models.ranks import NormalScores, normal_scores_of_rows, rank_bandwidths, smooth_curve
from confroc.resample import check_kept, critical_rank, in_threads, spawn
from confroc.scores import Pair, PairedScores, Scores, moved_note
from confroc.scores.counting import CHUNK

Counts: TypeAlias = NDArray[np.int16]
"""Counts of resamples, which have at most `LARGEST_RESAMPLE` cases."""

LARGEST_RESAMPLE = 3_000
"""Number of cases of a class beyond which resamples are smaller and the radius is extrapolated."""

SPACING, SPACING_IN_DEVIATES = 0.1, 0.25
"""Steps between false positive rates, in log odds and in standard deviations; the finer one is used."""

DIRECTIONS = np.linspace(0.0, 0.5 * np.pi, 5)
"""Number of directions of an ellipse, and of splits of a radius between the models."""

SHARES = np.sin(DIRECTIONS)
"""Fractions of a radius for one model; reversed for the other."""

CORNERS = np.arange(len(DIRECTIONS) ** 2).reshape(len(DIRECTIONS), -1)
"""The corner bands of one model, a row for each fraction of the radius."""

DRAWN = 2**14
"""Block size, in cases of a class."""

UNITS = 2.0**26
"""Resolution to which normal scores (below 32) are rounded for sorting; ties are rare."""

MOST_COUNTS = 400
"""Number of cases of a class beyond which bounds are interpolated between counts."""

MANY = 100
"""Number of resamples from which some rates are evaluated before all of them."""

BLOCK = 2**15
"""Block size, in edges."""

FIRST_RADIUS = 2.2
"""Starting radius, approximately that of level 0.95."""

PRECISION = 0.01
"""Tolerance of a radius; its Monte Carlo error with 999 resamples is about 0.05."""


def evaluated_rates(n_neg: int, fpr_range: FprRange) -> FloatArray:
    """False positive rates between which a band is linear, inside a range.

    They start at a twentieth of a case, below which no band is informative.
    """
    fine = special.expit(np.linspace(-1.0, 1.0, 20_001) * special.logit(1.0 - 0.05 / n_neg))
    # On the arcsine scale the standard deviation is 1/(2√n).
    deviates = 2.0 * math.sqrt(n_neg) * np.diff(np.arcsin(np.sqrt(fine)))
    steps = np.maximum(np.diff(special.logit(fine)) / SPACING, deviates / SPACING_IN_DEVIATES)
    path = np.concatenate([[0.0], np.cumsum(steps)])
    points = min(math.ceil(path[-1]) + 1, MOST_JOINTS)
    at = np.interp(np.linspace(0.0, path[-1], points), path, fine)
    inside = at[(at > fpr_range[0]) & (at < fpr_range[1])]
    return np.unique(np.clip(np.concatenate([fpr_range, inside]), at[0], at[-1]))


# --- limits of many resamples ---------------------------------------------------------------------------


@functools.lru_cache(maxsize=1024)
def lower_bounds(n: int, z: float) -> FloatArray:
    """Lower bounds with normal deviate z for every count of n cases; upper ones are 1 − these, reversed."""
    if n <= MOST_COUNTS:
        return lower_bound(np.arange(n + 1), n, z)
    few = np.arange(20)
    # Even steps on the arcsine scale have equal standard deviations.
    even = np.round(n * np.sin(np.linspace(0.0, 0.5 * np.pi, 301)) ** 2).astype(np.int64)
    knots = np.unique(np.concatenate([few, even, n - few]))
    return np.interp(np.arange(n + 1), knots, lower_bound(knots, n, z))


class Resamples(NamedTuple):
    """Resampled curves of one model.

    Attributes
    ----------
    above : ndarray of int, shape (B, n_neg + 2)
        Positives above the k-th highest negative in column k; none in column 0, all in the last.
    n_neg, n_pos : int
        Number of cases of a resample.
    """

    above: Counts
    n_neg: int
    n_pos: int

    @property
    def mean_curve(self) -> Resamples:
        """The curve of mean counts."""
        return self._replace(above=np.rint(self.above.mean(axis=0, keepdims=True)).astype(self.above.dtype))

    def ellipses(self, at: FloatArray, radii: FloatArray) -> Ellipses:
        """Ellipse bands with these radii at some rates."""
        # Rounded, so that directions with equal deviates share their bounds.
        deviates = [np.round(np.outer(radii, of_t).ravel(), 9) for of_t in (np.cos(DIRECTIONS), SHARES)]
        each, place = np.unique(deviates[0], return_inverse=True)
        bounds = [lower_bounds(self.n_neg, z) for z in each.tolist()]
        # The maximum and minimum numbers of negatives above the threshold of a rate.
        most = np.stack([np.searchsorted(neg, at, side="right") for neg in bounds])[place]
        least = np.stack([np.searchsorted(1.0 - neg[::-1], at, side="right") for neg in bounds])[place]
        lowest = np.stack([lower_bounds(self.n_pos, z) for z in deviates[1].tolist()])
        return Ellipses(self.above, least, most, lowest)


Corners: TypeAlias = tuple[IntArray, IntArray]
"""Corner bands of both models at each rate."""


class Ellipses(NamedTuple):
    """Bands of resampled curves for several ellipses, each with a corner band per direction.

    Attributes
    ----------
    above : ndarray of int
        As in `Resamples`.
    least, most : ndarray of int, shape (ellipses · directions, rates)
        Minimum and maximum numbers of negatives above the threshold of a rate.
    lowest : ndarray of shape (ellipses · directions, n_pos + 1)
        Lower bounds of the true positive rate for every count of positives.
    """

    above: Counts
    least: IntArray
    most: IntArray
    lowest: FloatArray

    def low(self, corner: IntArray, row: IntArray, rate: IntArray) -> FloatArray:
        """Lower edges of given corner bands, resamples and rates."""
        count = self.above[row, self.least[corner, rate]].astype(np.intp)
        return np.asarray(self.lowest.take(corner * self.lowest.shape[1] + count))

    def high(self, corner: IntArray, row: IntArray, rate: IntArray) -> FloatArray:
        """Upper edges, from lower edges of the cases below."""
        n_pos = self.lowest.shape[1] - 1
        count = self.above[row, self.most[corner, rate]].astype(np.intp)
        return np.asarray(1.0 - self.lowest.take(corner * (n_pos + 1) + (n_pos - count)))


def two_models(a: Resamples, b: Resamples, at: FloatArray, radius: float) -> tuple[Ellipses, Ellipses]:
    """Bands of both models for all splits of a radius."""
    return a.ellipses(at, radius * SHARES), b.ellipses(at, radius * SHARES[::-1])


def lower_edge(a: Ellipses, b: Ellipses, row: IntArray, rate: IntArray) -> FloatArray:
    """Lower edges of the difference for given resamples and rates; upper ones are those of −(b − a)."""
    found = np.full(np.broadcast_shapes(row.shape, rate.shape), np.inf)
    for corners in CORNERS:
        low = np.minimum.reduce([a.low(each, row, rate) for each in corners])
        np.minimum(found, low - np.maximum.reduce([b.high(each, row, rate) for each in corners]), out=found)
    return found


def lowest_corners(a: Ellipses, b: Ellipses) -> Corners:
    """The two corner bands whose difference has the lowest edge at each rate, for the first resample."""
    row, rate = np.zeros(1, np.intp), np.arange(a.least.shape[1])
    low = a.low(CORNERS[..., None], row, rate)
    high = b.high(CORNERS[..., None], row, rate)
    share = np.argmin(low.min(axis=1) - high.max(axis=1), axis=0)
    return (
        CORNERS[share, low.argmin(axis=1)[share, rate]],
        CORNERS[share, high.argmax(axis=1)[share, rate]],
    )


def reached(
    a: Ellipses, b: Ellipses, mean_curve: Corners, value: FloatArray, rows: IntArray, rates: IntArray
) -> IntArray:
    """The resamples with lower edges below a value at all of these rates."""
    held = np.ones(len(rows), dtype=bool)
    block = max(1, BLOCK // len(rates))
    of_a, of_b = (corner[rates] for corner in mean_curve)
    for start in range(0, len(rows), block):
        row = rows[start : start + block, None]
        # One corner band of each model decides nearly all resamples; all are evaluated for the rest.
        i, j = np.nonzero(value[rates] < a.low(of_a, row, rates) - b.high(of_b, row, rates))
        missed = value[rates[j]] < lower_edge(a, b, row[i, 0], rates[j])
        held[start + i[missed]] = False
    return rows[held]


def critical_radius(a: Resamples, b: Resamples, at: FloatArray, truth: FloatArray, level: float) -> float:
    """Radius at which the bands of a proportion `level` of resamples contain the true difference.

    Own bracketing: every radius tried leaves fewer resamples undecided, and only those are evaluated at the
    next one. SciPy's solvers evaluate all, and at both ends first.
    """
    n_resamples = len(a.above)
    rank, known = critical_rank(n_resamples, level), 0
    low, high, radius = 0.0, LARGEST_RADIUS, FIRST_RADIUS
    undecided, rates = np.arange(n_resamples), np.arange(len(at))
    mean_curve = a.mean_curve, b.mean_curve
    seen: list[tuple[float, float]] = []
    while high - low > PRECISION:
        of_a, of_b = two_models(a, b, at, radius)
        mean_a, mean_b = two_models(*mean_curve, at, radius)
        lower, upper = lowest_corners(mean_a, mean_b), lowest_corners(mean_b, mean_a)
        inside = undecided
        # Most failures occur at some of the rates.
        for part in (rates[::8], rates) if len(undecided) >= MANY else (rates,):
            inside = reached(of_a, of_b, lower, truth, inside, part)
            inside = reached(of_b, of_a, upper, -truth, inside, part)
        held = known + len(inside)
        # Bands grow with the radius, so only undecided resamples matter.
        if held >= rank:
            high, undecided = radius, inside
        else:
            low, known, undecided = radius, held, np.setdiff1d(undecided, inside, assume_unique=True)
        seen.append((radius, _gumbel((held + 0.5) / (n_resamples + 1)) - _gumbel(rank / (n_resamples + 1))))
        radius = next_radius(low, high, seen)
    return high


def _gumbel(share: float) -> float:
    """Gumbel quantile: approximately linear in the radius."""
    return -math.log(-math.log(share))


def next_radius(low: float, high: float, seen: Sequence[tuple[float, float]]) -> float:
    """Next trial radius in a bracket, from the previous trials and their errors."""
    middle = 0.5 * (low + min(high, 1.6 * low + 1.0))
    near = 0.9 * PRECISION
    # Every fourth step bisects.
    if len(seen) % 4 == 0 or high - low < 2.0 * near:
        return middle
    (before, off), (radius, error) = [(0.0, 0.0), *seen][-2:]
    # The derivative of the normal density is −z times the density.
    slope = (error - off) / (radius - before) if len(seen) > 1 else radius
    if not slope > 0.0:
        return middle
    # Slightly beyond the expected root, to bracket it.
    guess = radius - error / slope - math.copysign(0.4 * PRECISION, error)
    return min(max(guess, low + near), high - near, 1.6 * low + 1.0)


# --- resamples ------------------------------------------------------------------------------------------


def counts_above(pos: FloatArray, neg: FloatArray) -> Counts:
    """Positives above each negative, in descending order, as rows of `Resamples`."""
    n_pos, n_neg = pos.shape[-1], neg.shape[-1]
    # 32-bit integers sort twice as fast. The last bit is the class; a negative precedes positives that tie
    # with it.
    place = np.empty((len(pos), n_pos + n_neg), dtype=np.int32)
    of_pos, of_neg = place[:, :n_pos], place[:, n_pos:]
    np.multiply(pos, -UNITS, out=of_pos, casting="unsafe")
    np.multiply(neg, -UNITS, out=of_neg, casting="unsafe")
    of_pos |= 1
    of_neg &= -2
    place.sort(axis=1)
    before = np.flatnonzero((place & 1) == 0).reshape(len(neg), n_neg)
    before -= np.arange(len(neg))[:, None] * (n_pos + n_neg) + np.arange(n_neg)
    found = np.empty((len(neg), n_neg + 2), dtype=np.int16)
    found[:, 0], found[:, 1:-1], found[:, -1] = 0, before, n_pos
    return found


class ClassDraw(NamedTuple):
    """Sampler of cases of one class with smoothed normal scores of each model.

    Attributes
    ----------
    row : ndarray of int32
        Non-empty rows of the table.
    total : ndarray of int, optional
        Cumulative numbers of cases, unless all rows have one.
    m : int
        Number of cases to draw.
    models : sequence of NormalScores
        Normal scores of each model.
    rows : sequence of ndarray
        For each model, the index of its row for each row of the table; None if identical.
    width : sequence of float
        Standard deviations of the noise.
    common : float
        Correlation of the noise of two models: that of their scores, so that smoothed scores have it too.
        Uncorrelated noise would understate the dependence of the models.
    """

    row: NDArray[np.int32]
    total: IntArray | None
    m: int
    models: Sequence[NormalScores]
    rows: Sequence[IntArray | None]
    width: Sequence[float]
    common: float = 0.0

    def __call__(self, generator: np.random.Generator, resamples: int) -> list[FloatArray]:
        """Draw resamples; one array of shape (resamples, m) per model."""
        cases = len(self.row) if self.total is None else self.total[-1]
        case = generator.integers(cases, size=(resamples, self.m))
        if self.total is not None:
            # Sorted look-ups are faster.
            case.sort(axis=1)
            case = np.searchsorted(self.total, case, side="right")
        row = self.row.take(case)
        noise = [generator.standard_normal(row.shape) for _ in self.models]
        if len(noise) == 2:
            noise[1] *= math.sqrt(1.0 - self.common**2)
            noise[1] += self.common * noise[0]
        for model, index, width, found in zip(self.models, self.rows, self.width, noise, strict=True):
            found *= width
            found += model.at(row if index is None else index.take(row), generator.random(row.shape))
        return noise

    def correlated(self, counts: IntArray) -> ClassDraw:
        """Set the noise correlation to that of the scores, 0 if one does not vary."""
        n, parts = counts.sum(), range(0, len(self.row), DRAWN)

        def some(start: int) -> tuple[FloatArray, list[FloatArray]]:
            row = self.row[start : start + DRAWN]
            share, middle = counts[row] / n, np.full(len(row), 0.5)
            found = zip(self.models, self.rows, strict=True)
            return share, [model.at(row if index is None else index[row], middle) for model, index in found]

        mean = np.sum(
            [[np.einsum("i,i", share, z) for z in both] for share, both in map(some, parts)], axis=0
        )
        square = np.zeros(3)
        for share, both in map(some, parts):
            a, b = (z - center for z, center in zip(both, mean, strict=True))
            square += [np.einsum("i,i,i", share, *two) for two in ((a, a), (a, b), (b, b))]
        var_a, cov, var_b = square.tolist()
        varied = min(var_a, var_b) > 0.0
        return self._replace(common=min(1.0, max(-1.0, cov / math.sqrt(var_a * var_b))) if varied else 0.0)


def class_draws(
    table: Scores | PairedScores, models: Sequence[tuple[Scores, IntArray | None]]
) -> list[ClassDraw]:
    """Return samplers of the positives and of the negatives of a table.

    `models` are the scores of each model, with the index of its row for each row of the table.
    """
    normal = [normal_scores_of_rows(scores) for scores, _ in models]
    widths = [rank_bandwidths(scores) for scores, _ in models]
    index = [of_model for _, of_model in models]
    draws = []
    for counts, width in zip((table.neg, table.pos), zip(*widths, strict=True), strict=True):
        # Tables of 2**31 rows do not fit into memory.
        row = np.concatenate(
            [
                (start + np.flatnonzero(counts[start : start + CHUNK])).astype(np.int32)
                for start in range(0, len(counts), CHUNK)
            ]
        )
        total = np.cumsum(counts[row]) if counts.max() > 1 else None
        m = min(int(counts.sum()), LARGEST_RESAMPLE)
        draw = ClassDraw(row, total, m, normal, index, width)
        draws.append(draw.correlated(counts) if len(models) == 2 else draw)
    return draws[::-1]


def resampled(pair: Pair, n_resamples: int, rng: RNG, n_jobs: int) -> tuple[Resamples, Resamples]:
    """Curves of both models in smoothed resamples; paired cases keep both scores."""
    if isinstance(pair, PairedScores):
        draws = [class_draws(pair, [(pair.a, pair.index_a), (pair.b, pair.index_b)])]
    else:
        draws = [class_draws(scores, [(scores, None)]) for scores in (pair.a, pair.b)]
    check_kept(n_resamples, max(draw.m for both in draws for draw in both))
    # Blocks that fit the cache.
    at_once = max(1, DRAWN // max(draw.m for both in draws for draw in both))

    def some(first_and_seed: tuple[int, np.random.SeedSequence]) -> list[Counts]:
        first, seed = first_and_seed
        generator = np.random.Generator(np.random.SFC64(seed))
        resamples = min(at_once, n_resamples - first)
        report(resamples)
        return [
            counts_above(of_pos, of_neg)
            for pos, neg in draws
            for of_pos, of_neg in zip(pos(generator, resamples), neg(generator, resamples), strict=True)
        ]

    firsts = range(0, n_resamples, at_once)
    with work("resamples", n_resamples) as report:
        rows = in_threads(some, list(zip(firsts, spawn(rng, len(firsts)), strict=True)), n_jobs)
    of_a, of_b = (np.concatenate([row[i] for row in rows]) for i in (0, 1))
    found = [Resamples(above, above.shape[1] - 2, int(above[0, -1])) for above in (of_a, of_b)]
    return found[0], found[1]


# --- the band -------------------------------------------------------------------------------------------


def smooth_difference(pair: Pair, at: FloatArray) -> FloatArray:
    """Difference of the two smooth curves that resamples are drawn from."""
    values = []
    for scores in (pair.a, pair.b):
        x, y = (np.concatenate([[0.0], rate, [1.0]]) for rate in smooth_curve(scores))
        values.append(np.interp(at, x, y))
    return np.asarray(values[0] - values[1])


def growth(n: int) -> float:
    """Growth of the supremum of a standardized empirical process: √(2 ln ln n)."""
    return math.sqrt(2.0 * math.log(math.log(n)))


def resampled_radius(
    pair: Pair, level: float, fpr_range: FprRange, *, n_resamples: int, rng: RNG, n_jobs: int
) -> float:
    """Radius of the ellipses, calibrated by resamples of at most `LARGEST_RESAMPLE` cases per class."""
    a, b = resampled(pair, n_resamples, rng, n_jobs)
    at = evaluated_rates(max(a.n_neg, b.n_neg), fpr_range)
    radius = critical_radius(a, b, at, smooth_difference(pair, at), level)
    largest = max(max(scores.n_pos, scores.n_neg) for scores in (pair.a, pair.b))
    if largest > LARGEST_RESAMPLE:
        radius += growth(largest) - growth(LARGEST_RESAMPLE)
    return radius


def difference_edges(pair: Pair, radius: float, at: FloatArray) -> Edges:
    """Edges at given rates, continued from the outermost ones to 0 and 1."""
    sides: list[list[tuple[FloatArray, FloatArray]]] = []
    for scores in (pair.a, pair.b):
        of_model = []
        for outline in ellipses_edges(scores, radius * SHARES, len(DIRECTIONS)):
            edges = widened_edges(outline, scores)
            low, high = (both_limits(edges.at, edge, at).reshape(-1, 2) for edge in edges[1:])
            of_model.append((low.min(axis=1), high.max(axis=1)))
        sides.append(of_model)
    pairs = list(zip(sides[0], reversed(sides[1]), strict=True))
    lower = np.minimum.reduce([low_a - high_b for (low_a, _), (_, high_b) in pairs])
    upper = np.maximum.reduce([high_a - low_b for (_, high_a), (low_b, _) in pairs])
    grid = np.concatenate([[0.0], at, [1.0]])
    return Edges(np.repeat(grid, 2), *(np.repeat(np.pad(edge, 1, mode="edge"), 2) for edge in (lower, upper)))


@method_class
class EqualLocalLevelsDifference(ResampledBand):
    """Equal local levels, calibrated by the smoothed bootstrap.

    Contains the whole difference, and uses the correlation of the models: each resampled case keeps both
    scores. The rates of both curves have intervals from the Beta distributions of order statistics, as in
    `roc_band`; the band is the set of differences allowed by all four deviates (one per class and model)
    within a ball. Its radius is chosen so that the band contains the whole difference in the stated
    proportion of smoothed resamples.
    """

    name = "equal_local_levels"
    serves = (("roc_difference", "band"),)
    papers = ("bertail2008",)

    def band(self, data: Pair, level: float, fpr_range: FprRange) -> BandOutcome:
        """Return the differences of the edges of two ellipse bands with one calibrated radius."""
        count = self.count(level)
        radius = resampled_radius(data, level, fpr_range, n_resamples=count, rng=self.rng, n_jobs=self.n_jobs)
        at = evaluated_rates(max(data.a.n_neg, data.b.n_neg), fpr_range)
        return BandOutcome(difference_edges(data, radius, at), notes=moved_note(data.a, data.b))
