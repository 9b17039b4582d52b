"""Reweighting of a sample that changes its AUC most within a distance.

Morin (2018, eqs. 7-14) states two problems, the extreme AUCs within a distance and the minimum distance at an
AUC. They have the same solutions, a curve of populations through the sample with the multiplier λ as
parameter: λ > 0 raises the AUC, λ < 0 lowers it. On it the proportions of each class are the sample's times
ratio(λS + γ), where the gradient S in each case depends on the proportions of the other class. So the classes
are updated in turn, and λ in between, by Newton's method. A pass costs two cumulative sums.

The functional is the AUC of one model, or the difference of two AUCs on the same cases. Both are bilinear in
the classes' proportions (p, q), so the gradient in each class is linear in the proportions of the other.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from confroc import _kernels
from confroc._kernels.auc import add_ranked_above
from confroc._types import FloatArray, IntArray
from confroc.drift.divergence import Divergence, Tilt, inner, tilt
from confroc.scores import PairedScores, Scores
from confroc.scores.counting import CHUNK, kept_rows

MAX_PASSES = 300
STEEP = 1e10
"""Distance per unit of AUC beyond which at most 1e-9 of AUC can be gained."""
SMALL = 200
"""Number of rows up to which a second start is always tried."""
TINY = 12
"""Number of rows up to which all splits are tried as starts, with ascent from each."""
COARSE = 4096
"""Number of rows above which a merged table, of this size or a sixteenth, gives the start."""
GRID = 64
"""Number of thresholds of each of two models for splits of the cases."""
NOWHERE = np.iinfo(np.int64).max
"""Rank used for no case."""


class _Ranks:
    """For each row of one class, numbers of rows of the other strictly above, and at or above."""

    def __init__(self, count: IntArray, other: IntArray) -> None:
        held, of_other = count > 0, other > 0
        # 32-bit ranks halve the memory of long tables.
        narrow = np.min_scalar_type(-len(count) - 1) if len(count) > CHUNK else np.dtype(np.intp)
        self._weak = kept_rows(np.cumsum(of_other, dtype=narrow), held)
        self._strict = self._weak - kept_rows(of_other, held)

    def both_sums(self, share: FloatArray) -> FloatArray:
        """Sum of the proportions of rows strictly above, plus that of rows at or above."""
        total = np.zeros(len(share) + 1)
        np.cumsum(share, out=total[1:])
        return np.asarray(total[self._strict] + total[self._weak])


def _shares(count: IntArray) -> FloatArray:
    """Proportions of a class over the rows that have it."""
    return np.asarray(kept_rows(count, count > 0) / count.sum())


def _variance(weight: FloatArray, gradient: FloatArray) -> float:
    total = float(weight.sum())
    if not total > 0.0:
        return 0.0
    squares = gradient - inner(weight, gradient) / total
    squares *= squares
    return inner(weight, squares)


@dataclass(frozen=True)
class Reweighted:
    """Proportions of both classes over a functional's rows; value, distance and multiplier if known.

    As a start of the passes only the proportions are needed; `levels` are the γ of the classes.
    """

    pos: FloatArray
    neg: FloatArray
    value: float = math.nan
    distance: float = math.nan
    multiplier: float = math.nan
    levels: tuple[float | None, float | None] = (None, None)


class Functional:
    """A bilinear functional of the classes' proportions, over the rows of a table with each class.

    Attributes
    ----------
    counts : (ndarray of int, ndarray of int)
        Positives and negatives in each row of the table.
    total : float
        Sum of the value and that with the two classes exchanged.
    """

    counts: tuple[IntArray, IntArray]
    total: ClassVar[float]

    @functools.cached_property
    def pos(self) -> FloatArray:
        """Proportion of positives in each row."""
        return _shares(self.counts[0])

    @functools.cached_property
    def neg(self) -> FloatArray:
        """Proportion of negatives in each row."""
        return _shares(self.counts[1])

    @property
    def extent(self) -> tuple[float, float]:
        """Minimum and maximum over all weights: those of single pairs of cases."""
        raise NotImplementedError

    def _above(self, own: int, weight: FloatArray) -> FloatArray:
        """What outranks each row of a class (0 for positives), for weights of the other class's rows."""
        raise NotImplementedError

    def above_pos(self, neg: FloatArray) -> FloatArray:
        """Proportion (or, for counts, number) of negatives that outrank each positive."""
        return self._above(0, neg)

    def gradient_pos(self, neg: FloatArray) -> FloatArray:
        """Gradient in each positive: the proportion of negatives that it outranks."""
        above = self._above(0, neg)
        return np.subtract(self.total, above, out=above)

    def gradient_neg(self, pos: FloatArray) -> FloatArray:
        """Proportion (or, for counts, number) of positives that outrank each negative."""
        return self._above(1, pos)

    def splits(self, sign: float) -> tuple[FloatArray, FloatArray]:
        """Parts of both classes between which every pair has the maximum value (sign 1) or minimum (−1).

        Returns the proportions of positives and of negatives that each part keeps.
        """
        raise NotImplementedError

    def part(self, place: int, sign: float) -> Reweighted:
        """The sample's proportions in the given part."""
        raise NotImplementedError

    def rough(
        self, divergence: Divergence, sign: float, radius: float | None, target: float | None
    ) -> Callable[[], Reweighted] | None:
        """A start near the solution, if available at low cost."""

    @property
    def spreads(self) -> tuple[float, float]:
        """Variances of the gradient over the positives and over the negatives."""
        pos, neg = self.pos, self.neg
        return _variance(pos, self.gradient_pos(neg)), _variance(neg, self.gradient_neg(pos))


class AreaFunctional(Functional):
    """The AUC of one model."""

    total = 1.0

    def __init__(self, pos: IntArray, neg: IntArray) -> None:
        self.counts = pos, neg

    @functools.cached_property
    def _ranks(self) -> tuple[_Ranks, _Ranks]:
        pos, neg = self.counts
        return _Ranks(pos, neg), _Ranks(neg, pos)

    @property
    def extent(self) -> tuple[float, float]:
        """Minimum and maximum AUC over all weights: those of single pairs of cases."""
        (first_pos, last_pos), (first_neg, last_neg) = (
            (int(np.argmax(held)), len(held) - 1 - int(np.argmax(held[::-1])))
            for held in (count > 0 for count in self.counts)
        )
        return 0.5 + 0.5 * np.sign(first_neg - last_pos), 0.5 + 0.5 * np.sign(last_neg - first_pos)

    def _above(self, own: int, weight: FloatArray) -> FloatArray:
        both = self._ranks[own].both_sums(weight)
        both *= 0.5
        return both

    def splits(self, sign: float) -> tuple[FloatArray, FloatArray]:
        """Thresholds with all positives above and all negatives below (sign 1), or vice versa (−1).

        Each is given by the last row above it.
        """
        pos, neg = (np.cumsum(count)[:-1] / count.sum() for count in self.counts)
        below = neg if sign > 0.0 else pos
        np.subtract(1.0, below, out=below)
        return pos, neg

    def part(self, place: int, sign: float) -> Reweighted:
        """The sample's proportions with all positives in this row or above (sign 1) or below it (−1)."""
        kept = []
        for count, share, of_class in zip(self.counts, (self.pos, self.neg), (sign, -sign), strict=True):
            above = np.flatnonzero(count) <= place
            moved = np.where(above == (of_class > 0.0), share, 0.0)
            kept.append(moved / moved.sum())
        return Reweighted(kept[0], kept[1])

    def rough(
        self, divergence: Divergence, sign: float, radius: float | None, target: float | None
    ) -> Callable[[], Reweighted] | None:
        """For a long table, the solution with merged rows."""
        pos, neg = self.counts
        if len(pos) <= 2 * COARSE:
            return None
        first = blocks(pos, neg, max(COARSE, len(pos) // 16))
        merged = AreaFunctional(np.add.reduceat(pos, first), np.add.reduceat(neg, first))
        found = solve(merged, divergence, sign=sign, radius=radius, target=target)
        if found is None or not math.isfinite(found.multiplier):
            return None
        ratios = np.ones((2, len(first)))
        for ratio, count, new in zip(ratios, merged.counts, (found.pos, found.neg), strict=True):
            ratio[count > 0] = new / (count[count > 0] / count.sum())
        multiplier, levels = abs(found.multiplier), found.levels

        def refined() -> Reweighted:
            shares = []
            for own, count, ratio in zip((self.pos, self.neg), self.counts, ratios, strict=True):
                run = np.searchsorted(first, np.flatnonzero(count), side="right")
                run -= 1
                moved = own * ratio[run]
                moved /= moved.sum()
                shares.append(moved)
            return Reweighted(shares[0], shares[1], multiplier=multiplier, levels=levels)

        return refined


class DifferenceFunctional(Functional):
    """The difference in AUC of two models on the same cases, by default a − b."""

    total = 0.0

    def __init__(self, pair: PairedScores, a: int = 0, b: int = 1) -> None:
        self.counts = pair.pos, pair.neg
        self._models = [(pair.index[i], len(pair.models[i].score)) for i in (a, b)]
        self._held = [count > 0 for count in self.counts]
        # Long tables are processed row by row, without arrays of that length.
        self._long = len(pair.pos) >= _kernels.BIG
        rows = [np.flatnonzero(held) for held in self._held]
        self._lengths = [len(held) for held in rows]
        self._places = [] if self._long else [[index[held] for held in rows] for index, _ in self._models]

    @property
    def extent(self) -> tuple[float, float]:
        """Minimum and maximum difference over all weights: those of single pairs of cases."""
        return -self._most(1, 0), self._most(0, 1)

    def _most(self, x: int, y: int) -> float:
        """The maximum difference between two models for one positive and one negative."""
        (x_pos, y_pos), (x_neg, y_neg) = (
            [self._models[model][0][held] for model in (x, y)] for held in self._held
        )
        # At each score of one model, the negative that the other model ranks highest.
        highest = np.full(self._models[x][1] + 2, NOWHERE)
        np.minimum.at(highest, x_neg + 1, y_neg)
        above, below = np.minimum.accumulate(highest), np.minimum.accumulate(highest[::-1])[::-1]
        won = [(1.0, below[x_pos + 2]), (0.5, highest[x_pos + 1]), (0.0, above[x_pos])]
        return max(
            float(np.max(np.where(rank == NOWHERE, -1.0, win - 0.5 - 0.5 * np.sign(rank - y_pos))))
            for win, rank in won
        )

    def _above(self, own: int, weight: FloatArray) -> FloatArray:
        found, other = np.zeros(self._lengths[own]), 1 - own
        for model, (index, rows) in enumerate(self._models):
            sign = -1.0 if model else 1.0
            if self._long:
                add = _kernels.compiled(add_ranked_above)
                add(index, self.counts[own], self.counts[other], weight, sign, np.zeros(rows), found)
                continue
            places = self._places[model]
            held = np.bincount(places[other], weights=weight, minlength=rows)
            found += sign * (np.cumsum(held) - 0.5 * held)[places[own]]
        return found

    def splits(self, sign: float) -> tuple[FloatArray, FloatArray]:
        """Thresholds of both models that all positives and all negatives pass in opposite directions.

        Between such positives and negatives the difference is 1 (−1). For models with many scores, GRID
        thresholds are tried.
        """
        (x, above), (y, below) = self._grid(sign)
        pos, neg = (
            np.bincount(x * below + y, weights=count, minlength=above * below)
            .reshape(above, below)
            .cumsum(axis=0)
            .cumsum(axis=1)
            / count.sum()
            for count in self.counts
        )
        return np.ravel(pos[:, -1:] - pos), np.ravel(neg[-1:, :] - neg)

    def _grid(self, sign: float) -> list[tuple[IntArray, int]]:
        """Grid index of each row's score, for the model that gains and for the other."""
        models = self._models if sign > 0.0 else self._models[::-1]
        return [(index * min(n, GRID) // n, min(n, GRID)) for index, n in models]

    def part(self, place: int, sign: float) -> Reweighted:
        """The sample's proportions of the cases on the right sides of two thresholds."""
        (x, _), (y, n_below) = self._grid(sign)
        above, below = x <= place // n_below, y <= place % n_below
        kept = [
            np.where((above > below)[self._held[0]], self.pos, 0.0),
            np.where((below > above)[self._held[1]], self.neg, 0.0),
        ]
        return Reweighted(*(moved / moved.sum() for moved in kept))


def functional_of(data: Scores | PairedScores) -> Functional:
    """The AUC of one model, or the difference between two."""
    return (
        DifferenceFunctional(data) if isinstance(data, PairedScores) else AreaFunctional(data.pos, data.neg)
    )


def value_of(data: Scores | PairedScores) -> float:
    """Value of the functional in the sample."""
    return data.a.auc - data.b.auc if isinstance(data, PairedScores) else data.auc


def alternate(
    functional: Functional,
    divergence: Divergence,
    start: Reweighted,
    radius: float | None,
    target: float | None,
    sign: float,
    damping: float = 1.0,
) -> Reweighted | None:
    """Alternate until convergence; None if the passes diverge or do not converge."""
    s = functional.gradient_pos(start.neg)
    t = functional.gradient_neg(start.pos)
    spread = _variance(functional.pos, s) + _variance(functional.neg, t)
    if not spread > 0.0:
        return None
    if not math.isnan(start.multiplier):
        size = start.multiplier
    elif radius is not None:
        size = math.sqrt(2.0 * radius / spread)
    else:
        size = max(1e-12, abs((target or 0.0) - inner(functional.pos, s)) / spread)
    levels = start.levels
    moved = math.inf
    # Free class-length arrays early.
    del start, t
    for _ in range(int(MAX_PASSES / damping)):
        # Accuracy as that of the gradients: the value is stationary in the proportions.
        within = 0.01 * min(moved, 1.0)
        of_pos = tilt(divergence, functional.pos, sign * size * s, levels[0], within=within)
        t = functional.gradient_neg(of_pos.share)
        of_neg = tilt(divergence, functional.neg, sign * size * t, levels[1], within=within)
        levels = of_pos.level, of_neg.level
        rise_neg = _variance(of_neg.slope, t)
        del t
        change = functional.gradient_pos(of_neg.share)
        value = inner(of_pos.share, change)
        change -= s
        moved = float(max(change.max(), -change.min()))
        change *= damping
        s += change
        del change
        distance = of_pos.cost + of_neg.cost
        rise = _variance(of_pos.slope, s) + rise_neg
        if not math.isfinite(distance):
            return None
        if not (rise > 0.0 and distance > 0.0):
            # All remaining gradients are equal: no further gain, though some radius may remain.
            inside = radius is not None and distance <= radius * (1.0 + 1e-9)
            return (
                Reweighted(of_pos.share, of_neg.share, value, distance, sign * math.inf) if inside else None
            )
        if radius is not None and size > STEEP and distance <= radius:
            return Reweighted(of_pos.share, of_neg.share, value, distance, sign * size, levels)
        if radius is not None:
            error = math.sqrt(radius) - math.sqrt(distance)
            step = error * 2.0 * math.sqrt(distance) / (size * rise)
            done = abs(distance - radius) <= 1e-7 * radius
        else:
            assert target is not None
            step = sign * (target - value) / rise
            done = abs(target - value) <= 1e-11
        # The value is stationary in the proportions, so its error is of the order of `moved` squared.
        if done and moved <= 1e-6:
            if radius is not None:
                # The Lagrangian is stationary in λ: correct the value for the remaining distance.
                value += sign * (radius - distance) / size
            return Reweighted(of_pos.share, of_neg.share, value, distance, sign * size, levels)
        size = min(max(size + damping * step, 0.5 * size), 2.0 * size)
        del of_pos, of_neg
    return None


def climb(
    functional: Functional, divergence: Divergence, start: Reweighted, radius: float, sign: float
) -> Reweighted:
    """Ascend within the radius to a stationary point: slower than `alternate`, but always convergent.

    For given gradients, the proportions with the largest gain within the radius are tilted by one multiplier
    for both classes (a convex problem). Every pass moves towards them as far as the value, a parabola,
    increases (Frank & Wolfe 1956); all proportions in between are within the radius, as the distance is
    convex.
    """
    p, q = start.pos, start.neg
    s, t = functional.gradient_pos(q), functional.gradient_neg(p)
    value, outside, size = inner(p, s), True, 1.0
    levels: tuple[float | None, float | None] = None, None
    for _ in range(MAX_PASSES):
        size, tilts = _farthest(functional, divergence, sign * s, sign * t, radius, size, levels)
        levels, (of_pos, of_neg) = (tilts[0].level, tilts[1].level), (one.share for one in tilts)
        ahead = functional.gradient_pos(of_neg)
        reached = inner(of_pos, ahead)
        slope = sign * (inner(of_pos, s) - value + inner(of_neg, t) - value)
        bend = sign * (reached - value) - slope
        # Leave a start outside the radius at once.
        step = 1.0 if outside or bend >= 0.0 else min(1.0, max(0.0, -0.5 * slope / bend))
        if not outside and step * (slope + step * bend) <= 1e-10:
            break
        p, q, outside = p + step * (of_pos - p), q + step * (of_neg - q), False
        s, t = functional.gradient_pos(q), functional.gradient_neg(p)
        value = inner(p, s)
    distance = sum(
        inner(own, divergence.cost(new / own)) for new, own in ((p, functional.pos), (q, functional.neg))
    )
    return Reweighted(p, q, value, min(distance, radius), sign * size)


def _farthest(
    functional: Functional,
    divergence: Divergence,
    s: FloatArray,
    t: FloatArray,
    radius: float,
    size: float,
    levels: tuple[float | None, float | None],
) -> tuple[float, tuple[Tilt, Tilt]]:
    """Multiplier and both tilts with the largest gain within the radius, for given gradients.

    `size` and `levels` are those of nearby gradients. Each distance starts from the last one's: with SciPy's
    brentq passes take up to six times as long.
    """
    # From below, to stay within the radius.
    aim, low, high = radius * (1.0 - 2e-11), 0.0, math.inf
    for _ in range(MAX_PASSES):
        of_pos = tilt(divergence, functional.pos, size * s, levels[0])
        of_neg = tilt(divergence, functional.neg, size * t, levels[1])
        levels, distance = (of_pos.level, of_neg.level), of_pos.cost + of_neg.cost
        if abs(distance - aim) <= 1e-11 * radius or (distance < aim and size >= STEEP):
            break
        low, high = (size, high) if distance < aim else (low, size)
        # Newton on logarithms: for small changes the distance is quadratic in the multiplier.
        rise = _variance(of_pos.slope, size * s) + _variance(of_neg.slope, size * t)
        growth = math.log(aim / distance) * distance / rise if rise * distance > 0.0 else math.inf
        guess = size * math.exp(min(growth, 2.0))
        if not low < guess < high:
            guess = math.sqrt(max(low, 0.01 * size) * min(high, 100.0 * size))
        size = min(guess, STEEP)
    return size, (of_pos, of_neg)


def solve(
    functional: Functional,
    divergence: Divergence,
    *,
    sign: float,
    radius: float | None = None,
    target: float | None = None,
) -> Reweighted | None:
    """Reweighted on the side `sign` at a distance `radius`, or with value `target`; None if there is none.

    If the radius suffices for the maximum (or minimum) value, the closest sample of a part with it.
    """
    ends, rows = functional.extent, len(functional.counts[0])
    if ends[0] == ends[1] or not (target is None or ends[0] < target < ends[1]):
        return None
    # Computed when needed, and not kept.
    starts: list[Callable[[], Reweighted]] = [lambda: Reweighted(functional.pos, functional.neg)]
    far = radius is not None and radius > 0.5
    if radius is not None:
        kept = functional.splits(sign)
        worth = kept[0] * kept[1]
        if divergence.name == "chi2":
            worth /= np.maximum(kept[0] + kept[1], 1e-300)
        # If no split is within the radius (jeffreys), the one that keeps most is still a start.
        best = int(np.argmax(worth)) if len(worth) else 0
        if len(worth) and min(kept[0][best], kept[1][best]) > 1e-12:
            cost = float(divergence.split_cost(np.array([kept[0][best], kept[1][best]])).sum())
            if cost <= radius:
                part = functional.part(best, sign)
                value = ends[1] if sign > 0.0 else ends[0]
                return Reweighted(part.pos, part.neg, value, cost, sign * math.inf)
            # Far from the sample there can be several curves; the one that ends in a split may be best.
            if far or rows <= SMALL:
                chosen = [best]
                if far and rows <= TINY:
                    chosen = np.flatnonzero(np.minimum(*kept) > 1e-12).tolist()
                starts += [functools.partial(functional.part, at, sign) for at in chosen]
        del kept, worth
    rough = functional.rough(divergence, sign, radius, target)
    if rough is not None:
        starts = [rough]
    # Far from the sample plain passes can cycle; damped ones converge, and in a small table the ascent is
    # faster.
    for damping in (1.0,) if radius is not None and rows <= SMALL else (1.0, 0.5, 0.2):
        solutions = [
            alternate(functional, divergence, make(), radius, target, sign, damping) for make in starts
        ]
        usable = [p for p in solutions if p is not None]
        if usable:
            break
    if radius is not None and (not usable or (far and rows <= TINY)):
        usable += [climb(functional, divergence, make(), radius, sign) for make in starts]
    return max(usable, key=lambda p: sign * p.value, default=None)


def runs(pos: IntArray, neg: IntArray) -> tuple[IntArray, IntArray]:
    """Counts of a long table with adjacent rows of one class merged.

    No row of the other class lies between such rows, so all nearest proportions keep their ratios: values and
    distances are the same, with about half the rows for untied scores.
    """
    if len(pos) <= 2 * COARSE:
        return pos, neg
    kind = (pos > 0).view(np.int8) - (neg > 0)
    first = np.flatnonzero((np.diff(kind, prepend=np.int8(0)) != 0) | (kind == 0))
    return np.add.reduceat(pos, first), np.add.reduceat(neg, first)


def blocks(pos: IntArray, neg: IntArray, n_blocks: int) -> NDArray[np.intp]:
    """First rows of about `n_blocks` equal runs of adjacent rows."""
    place = np.cumsum(pos) / pos.sum()
    place += np.cumsum(neg) / neg.sum()
    run = np.minimum(0.5 * n_blocks * place, n_blocks - 1).astype(np.intp)
    return np.flatnonzero(np.diff(run, prepend=-1))
