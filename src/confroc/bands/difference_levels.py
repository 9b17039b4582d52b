"""Equal local levels for the difference of two curves, calibrated by the smoothed bootstrap.

The ellipses of one curve (`local_levels`) give its rates, at each false positive rate, an interval for every
radius. The difference's interval of radius c is the union over φ of the differences of the two intervals of
radii c·cos φ and c·sin φ: all that four deviates, one a class and model, allow within a ball of radius c.
What the models have in common is left to c, which is the radius at which the bands of resamples contain the
smooth difference; each resampled case keeps both its scores.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from confroc._types import RNG, FloatArray, IntArray
from confroc.bands.edges import MOST_JOINTS, Edges, FprRange, both_limits, widened_edges
from confroc.bands.local_levels import ellipse_edges, lower_bound
from confroc.models.ranks import PooledRanks, pooled_ranks, smooth_curve
from confroc.resample import critical_rank, in_threads, spawn
from confroc.scores import Pair, PairedScores, Scores

Counts32: TypeAlias = NDArray[np.int32]

LARGEST_RESAMPLE = 3_000
"""Cases of a class past which resamples are smaller than the sample, and the radius is extrapolated."""

SPACING, SPACING_IN_DEVIATES = 0.1, 0.25
"""Steps between false positive rates: of log odds, and of standard deviations; the finer one is taken."""

DIRECTIONS = np.linspace(0.0, 0.5 * np.pi, 5)
"""Directions of an ellipse, and of the two models' shares of a radius."""

MOST_COUNTS = 400
"""Cases of a class past which bounds are interpolated between counts."""

PARTS, MANY = (slice(None, None, 8), slice(None)), 100
"""The rates that are judged first, and then all of them, of so many resamples or more."""

PRECISION = 0.01
"""To which a radius is found; 999 resamples know it to some 0.05."""

LARGEST_RADIUS = 12.0
"""A radius that contains everything: its tail is 2e-33."""


def judged_rates(n_neg: int, fpr_range: FprRange) -> FloatArray:
    """False positive rates between which a curve is a straight line for a band, inside a range.

    They start at a twentieth of a case: no band says anything below.
    """
    fine = special.expit(np.linspace(-1.0, 1.0, 20_001) * special.logit(1.0 - 0.05 / n_neg))
    # The arcsine scale has a standard deviation of 1/(2√n) everywhere.
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
    """Lower bounds, of normal deviate z, for every count of n cases; upper ones are 1 − these, reversed."""
    if n <= MOST_COUNTS:
        return lower_bound(np.arange(n + 1), n, z)
    few = np.arange(20)
    # Even steps of the arcsine scale have equal standard deviations.
    even = np.round(n * np.sin(np.linspace(0.0, 0.5 * np.pi, 301)) ** 2).astype(np.int64)
    knots = np.unique(np.concatenate([few, even, n - few]))
    return np.interp(np.arange(n + 1), knots, lower_bound(knots, n, z))


class Resamples(NamedTuple):
    """Resampled curves of one model.

    Attributes
    ----------
    above : ndarray of int, shape (B, n_neg + 2)
        Positives above the k-th highest negative, in column k: none in column 0, all in the last.
    n_neg, n_pos : int
        Cases of a resample.
    """

    above: Counts32
    n_neg: int
    n_pos: int

    def some(self, rows: IntArray) -> Resamples:
        """These of the resamples."""
        return self._replace(above=self.above[rows])

    def limits(self, at: FloatArray, radius: float) -> tuple[FloatArray, FloatArray]:
        """Edges of the ellipse bands of a radius at some rates; shapes (B, len(at))."""
        low = np.ones((len(self.above), len(at)))
        high = np.zeros_like(low)
        for angle in DIRECTIONS if radius > 0.0 else DIRECTIONS[:1]:
            # Rounded, so that directions of equal deviates share their bounds.
            neg = lower_bounds(self.n_neg, round(radius * math.cos(angle), 9))
            pos = lower_bounds(self.n_pos, round(radius * math.sin(angle), 9))
            # The most negatives that may be above the threshold of a rate, and the fewest.
            most = np.searchsorted(neg, at, side="right")
            least = np.searchsorted(1.0 - neg[::-1], at, side="right")
            np.maximum(high, 1.0 - pos[self.n_pos - self.above[:, most]], out=high)
            np.minimum(low, pos[self.above[:, least]], out=low)
        return low, high


def differences(a: Resamples, b: Resamples, at: FloatArray, radius: float) -> tuple[FloatArray, FloatArray]:
    """Edges of the bands of a radius for the difference; shapes (B, len(at))."""
    of_a, of_b = ([model.limits(at, radius * math.sin(t)) for t in DIRECTIONS] for model in (a, b))
    pairs = list(zip(of_a, reversed(of_b), strict=True))
    low = np.minimum.reduce([low_a - high_b for (low_a, _), (_, high_b) in pairs])
    high = np.maximum.reduce([high_a - low_b for (_, high_a), (low_b, _) in pairs])
    return low, high


def critical_radius(a: Resamples, b: Resamples, at: FloatArray, truth: FloatArray, level: float) -> float:
    """Radius at which the bands of a share `level` of resamples contain the difference they come from."""
    wanted, low, high = critical_rank(len(a.above), level), 0.0, LARGEST_RADIUS
    undecided = np.arange(len(a.above))
    radius = 1.5
    while high - low > PRECISION:
        inside = np.ones(len(undecided), dtype=bool)
        # Most that fail do so at some of the rates.
        for part in PARTS if len(undecided) >= MANY else PARTS[1:]:
            rows = undecided[inside]
            lower, upper = differences(a.some(rows), b.some(rows), at[part], radius)
            inside[inside] = ((truth[part] >= lower) & (truth[part] <= upper)).all(axis=1)
        held = int(np.count_nonzero(inside))
        # Bands grow with the radius, so that the wanted one is decided by those that it divides.
        if held >= wanted:
            high, undecided = radius, undecided[inside]
        else:
            low, wanted, undecided = radius, wanted - held, undecided[~inside]
        radius = 0.5 * (low + min(high, 1.6 * low + 1.0))
    return high


# --- resamples ------------------------------------------------------------------------------------------


def counts_above(pos: FloatArray, neg: FloatArray) -> Counts32:
    """Positives above each negative, from the highest on, as a row of `Resamples`."""
    found = np.empty(len(neg) + 2, dtype=np.int32)
    found[0], found[-1] = 0, len(pos)
    found[-2:0:-1] = len(pos) - np.searchsorted(np.sort(pos), np.sort(neg), side="right")
    return found


def correlation(a: FloatArray, b: FloatArray, counts: IntArray) -> float:
    """Correlation of two scores that stand for so many cases each; 0 where one does not vary."""
    (var_a, cov), (_, var_b) = np.cov(np.stack([a, b]), fweights=counts, ddof=0)
    return float(np.clip(cov / math.sqrt(var_a * var_b), -1.0, 1.0)) if min(var_a, var_b) > 0.0 else 0.0


class ClassDraw(NamedTuple):
    """What draws cases of one class with their smoothed normal scores by each of some models.

    Attributes
    ----------
    total : ndarray of int
        Cumulative cases over the rows of the table.
    m : int
        Cases to draw.
    models : sequence of (PooledRanks, ndarray of int)
        Each model's ranks, and which of them each row has.
    common : float
        Correlation of the noise of two models. It is that of their scores, so that the smoothed scores have
        it too: noise without it would make the models less alike than they are.
    """

    total: IntArray
    m: int
    models: Sequence[tuple[PooledRanks, IntArray]]
    positive: bool
    common: float = 0.0

    def __call__(self, generator: np.random.Generator) -> list[FloatArray]:
        """Draw them; an array of shape (m,) a model."""
        # Cases that are looked up in their order are found faster.
        case = np.sort(generator.integers(self.total[-1], size=self.m))
        row = np.searchsorted(self.total, case, side="right")
        noise = [generator.standard_normal(self.m) for _ in self.models]
        if len(noise) == 2:
            noise[1] = self.common * noise[0] + math.sqrt(1.0 - self.common**2) * noise[1]
        return [
            ranks.draw(generator, index[row], self.positive, each)
            for (ranks, index), each in zip(self.models, noise, strict=True)
        ]


def class_draw(
    table: Scores | PairedScores, models: Sequence[tuple[PooledRanks, IntArray]], positive: bool
) -> ClassDraw:
    """Return what draws the positives, or the negatives, of a table."""
    counts = table.pos if positive else table.neg
    total, common = np.cumsum(counts), 0.0
    if len(models) == 2:
        a, b = (ranks.middle[index] for ranks, index in models)
        common = correlation(a, b, counts)
    return ClassDraw(total, min(int(total[-1]), LARGEST_RESAMPLE), models, positive, common)


def resampled(pair: Pair, n_resamples: int, rng: RNG, n_jobs: int) -> tuple[Resamples, Resamples]:
    """Curves of both models over smoothed resamples; paired cases keep both their scores."""
    a, b = pooled_ranks(pair.a), pooled_ranks(pair.b)
    tables: list[tuple[Scores | PairedScores, list[tuple[PooledRanks, IntArray]]]]
    if isinstance(pair, PairedScores):
        tables = [(pair, [(a, pair.index_a), (b, pair.index_b)])]
    else:
        tables = [(s, [(ranks, np.arange(len(s.score)))]) for s, ranks in ((pair.a, a), (pair.b, b))]
    draws = [[class_draw(*each, positive) for positive in (True, False)] for each in tables]

    def one(seed: np.random.SeedSequence) -> list[Counts32]:
        generator = np.random.Generator(np.random.SFC64(seed))
        return [
            counts_above(of_pos, of_neg)
            for pos, neg in draws
            for of_pos, of_neg in zip(pos(generator), neg(generator), strict=True)
        ]

    rows = in_threads(one, spawn(rng, n_resamples), n_jobs)
    of_a, of_b = (np.stack([row[i] for row in rows]) for i in (0, 1))
    found = [Resamples(above, above.shape[1] - 2, int(above[0, -1])) for above in (of_a, of_b)]
    return found[0], found[1]


# --- the band -------------------------------------------------------------------------------------------


def smooth_difference(pair: Pair, at: FloatArray) -> FloatArray:
    """Difference of the two smooth curves from which resamples are drawn."""
    values = []
    for scores in (pair.a, pair.b):
        x, y = (np.concatenate([[0.0], rate, [1.0]]) for rate in smooth_curve(scores))
        values.append(np.interp(at, x, y))
    difference: FloatArray = values[0] - values[1]
    return difference


def growth(n: int) -> float:
    """How fast the supremum of a standardized empirical process grows with the cases: √(2 ln ln n)."""
    return math.sqrt(2.0 * math.log(math.log(n)))


def resampled_radius(
    pair: Pair, level: float, fpr_range: FprRange, *, n_resamples: int, rng: RNG, n_jobs: int
) -> float:
    """Radius of the ellipses, calibrated over resamples of at most `LARGEST_RESAMPLE` cases a class."""
    a, b = resampled(pair, n_resamples, rng, n_jobs)
    at = judged_rates(max(a.n_neg, b.n_neg), fpr_range)
    radius = critical_radius(a, b, at, smooth_difference(pair, at), level)
    largest = max(max(scores.n_pos, scores.n_neg) for scores in (pair.a, pair.b))
    if largest > LARGEST_RESAMPLE:
        radius += growth(largest) - growth(LARGEST_RESAMPLE)
    return radius


def difference_edges(pair: Pair, radius: float, at: FloatArray) -> Edges:
    """Edges at some rates, and from the outermost of them on to 0 and 1."""
    sides: list[list[tuple[FloatArray, FloatArray]]] = []
    for scores in (pair.a, pair.b):
        of_model = []
        for angle in DIRECTIONS:
            edges = widened_edges(ellipse_edges(scores, radius * math.sin(angle), len(DIRECTIONS)), scores)
            low, high = (both_limits(edges.fpr, edge, at).reshape(-1, 2) for edge in edges[1:])
            of_model.append((low.min(axis=1), high.max(axis=1)))
        sides.append(of_model)
    pairs = list(zip(sides[0], reversed(sides[1]), strict=True))
    lower = np.minimum.reduce([low_a - high_b for (low_a, _), (_, high_b) in pairs])
    upper = np.maximum.reduce([high_a - low_b for (_, high_a), (low_b, _) in pairs])
    grid = np.concatenate([[0.0], at, [1.0]])
    return Edges(np.repeat(grid, 2), *(np.repeat(np.pad(edge, 1, mode="edge"), 2) for edge in (lower, upper)))


def calibrated_edges(
    pair: Pair, level: float, fpr_range: FprRange, *, n_resamples: int, rng: RNG, n_jobs: int
) -> Edges:
    """Edges of the band whose radius is calibrated."""
    radius = resampled_radius(pair, level, fpr_range, n_resamples=n_resamples, rng=rng, n_jobs=n_jobs)
    at = judged_rates(max(pair.a.n_neg, pair.b.n_neg), fpr_range)
    return difference_edges(pair, radius, at)
