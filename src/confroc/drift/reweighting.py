"""Reweighting a sample so that its area moves farthest for the distance.

Morin (2018, eqs. 7-14) states two problems, the extreme areas within a distance and the least distance at an
area. They share their solutions, one curve of populations through the sample with the multiplier λ as its
parameter: λ > 0 raises the area, λ < 0 lowers it. On it each class's shares are the sample's times
ratio(λS + γ), S being what the other class's shares make of each case, so the classes are updated in turn and
λ between the turns, by Newton's rule for whatever is prescribed. A pass costs two cumulative sums.

What is moved is the area of one model, or the difference of two on the same cases. Both are bilinear in the
classes' shares (p, q), so each has a gradient in either class that is linear in the other's shares.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass

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
"""Distance per unit of area from which no more than 1e-9 of area is left to gain for any distance in use."""
SMALL = 200
"""Rows up to which a second start is tried whatever the radius."""
TINY = 12
"""Rows up to which every row that divides the classes is tried as a start, and each start climbed from."""
COARSE = 4096
"""Rows above which a merged table, of so many rows or a sixteenth of them, supplies the starting point."""
GRID = 64
"""Thresholds of each of two models between which parts of the cases are sought."""
NOWHERE = np.iinfo(np.int64).max
"""The rank of no case."""


class _Ranks:
    """For each row that holds one class, how many rows with the other are strictly above, and at or above."""

    def __init__(self, count: IntArray, other: IntArray) -> None:
        held, of_other = count > 0, other > 0
        # A long table's ranks need half the memory of whole numbers.
        narrow = np.min_scalar_type(-len(count) - 1) if len(count) > CHUNK else np.dtype(np.intp)
        self._weak = kept_rows(np.cumsum(of_other, dtype=narrow), held)
        self._strict = self._weak - kept_rows(of_other, held)

    def both_sums(self, share: FloatArray) -> FloatArray:
        """The sum of shares of the rows strictly above and that at or above, added up."""
        total = np.zeros(len(share) + 1)
        np.cumsum(share, out=total[1:])
        return np.asarray(total[self._strict] + total[self._weak])


def _shares(count: IntArray) -> FloatArray:
    """Each row's share of a class, over the rows that hold it."""
    return np.asarray(kept_rows(count, count > 0) / count.sum())


def _variance(weight: FloatArray, pull: FloatArray) -> float:
    total = float(weight.sum())
    if not total > 0.0:
        return 0.0
    squares = pull - inner(weight, pull) / total
    squares *= squares
    return inner(weight, squares)


@dataclass(frozen=True)
class Reweighted:
    """Shares of both classes over a functional's rows; what is known of value, distance and multiplier.

    As a start of the passes it may leave out all but the shares; `levels` are the two classes' γ.
    """

    pos: FloatArray
    neg: FloatArray
    value: float = math.nan
    distance: float = math.nan
    multiplier: float = math.nan
    levels: tuple[float | None, float | None] = (None, None)


class Functional:
    """What is moved: bilinear in the classes' shares, over the rows of a table that hold each class.

    Attributes
    ----------
    counts : (ndarray of int, ndarray of int)
        Positives and negatives of each row of the table.
    """

    counts: tuple[IntArray, IntArray]

    @property
    def pos(self) -> FloatArray:
        """Each row's share of the positives."""
        return _shares(self.counts[0])

    @property
    def neg(self) -> FloatArray:
        """Each row's share of the negatives."""
        return _shares(self.counts[1])

    @property
    def reach(self) -> tuple[float, float]:
        """The least and the greatest value that weights can have: those of single pairs of cases."""
        raise NotImplementedError

    def above_pos(self, neg: FloatArray) -> FloatArray:
        """Share of negatives that outrank each positive; or how many, given counts."""
        raise NotImplementedError

    def pull_on_pos(self, neg: FloatArray) -> FloatArray:
        """What each positive makes of the value: the share of negatives that it outranks."""
        raise NotImplementedError

    def pull_on_neg(self, pos: FloatArray) -> FloatArray:
        """Share of positives that outrank each negative; or how many, given counts."""
        raise NotImplementedError

    def splits(self, sign: float) -> tuple[FloatArray, FloatArray]:
        """Parts of both classes between which every pair has the greatest value (sign 1) or the least (−1).

        Returns the shares of the positives and of the negatives that each part keeps.
        """
        raise NotImplementedError

    def part(self, place: int, sign: float) -> Reweighted:
        """The sample's shares of the part at this place."""
        raise NotImplementedError

    def rough(
        self, divergence: Divergence, sign: float, radius: float | None, target: float | None
    ) -> Callable[[], Reweighted] | None:
        """A start near the solution, where one is quick to find."""

    @property
    def spreads(self) -> tuple[float, float]:
        """Variance over the positives, and over the negatives, of what each makes of the value."""
        pos, neg = self.pos, self.neg
        return _variance(pos, self.pull_on_pos(neg)), _variance(neg, self.pull_on_neg(pos))


class AreaFunctional(Functional):
    """The area of one model."""

    def __init__(self, pos: IntArray, neg: IntArray) -> None:
        self.counts = pos, neg

    @functools.cached_property
    def pos(self) -> FloatArray:
        """Each row's share of the positives."""
        return _shares(self.counts[0])

    @functools.cached_property
    def neg(self) -> FloatArray:
        """Each row's share of the negatives."""
        return _shares(self.counts[1])

    @functools.cached_property
    def _ranks(self) -> tuple[_Ranks, _Ranks]:
        pos, neg = self.counts
        return _Ranks(pos, neg), _Ranks(neg, pos)

    @property
    def reach(self) -> tuple[float, float]:
        """The least and the greatest area that weights can have: those of single pairs of cases."""
        (first_pos, last_pos), (first_neg, last_neg) = (
            (int(np.argmax(held)), len(held) - 1 - int(np.argmax(held[::-1])))
            for held in (count > 0 for count in self.counts)
        )
        return 0.5 + 0.5 * np.sign(first_neg - last_pos), 0.5 + 0.5 * np.sign(last_neg - first_pos)

    def above_pos(self, neg: FloatArray) -> FloatArray:
        """Share of negatives that outrank each positive; or how many, given counts."""
        both = self._ranks[0].both_sums(neg)
        both *= 0.5
        return both

    def pull_on_pos(self, neg: FloatArray) -> FloatArray:
        """Share of negatives that each positive outranks."""
        above = self.above_pos(neg)
        return np.subtract(1.0, above, out=above)

    def pull_on_neg(self, pos: FloatArray) -> FloatArray:
        """Share of positives that outrank each negative; or how many, given counts."""
        both = self._ranks[1].both_sums(pos)
        both *= 0.5
        return both

    def splits(self, sign: float) -> tuple[FloatArray, FloatArray]:
        """Thresholds above which all positives and below which all negatives can be (sign 1), or vice versa.

        Each is given by the last row above it.
        """
        pos, neg = (np.cumsum(count)[:-1] / count.sum() for count in self.counts)
        below = neg if sign > 0.0 else pos
        np.subtract(1.0, below, out=below)
        return pos, neg

    def part(self, place: int, sign: float) -> Reweighted:
        """The sample's shares with all positives in this row or above (sign 1) or below it (−1)."""
        kept = []
        for count, share, of_class in zip(self.counts, (self.pos, self.neg), (sign, -sign), strict=True):
            above = np.flatnonzero(count) <= place
            moved = np.where(above == (of_class > 0.0), share, 0.0)
            kept.append(moved / moved.sum())
        return Reweighted(kept[0], kept[1])

    def rough(
        self, divergence: Divergence, sign: float, radius: float | None, target: float | None
    ) -> Callable[[], Reweighted] | None:
        """For a long table, the solution for its rows merged to fewer."""
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
    """The difference of the areas of two models on the same cases, by default the first two, a − b."""

    def __init__(self, pair: PairedScores, a: int = 0, b: int = 1) -> None:
        self.counts = pair.pos, pair.neg
        self._models = [(pair.index[i], len(pair.models[i].score)) for i in (a, b)]
        self._held = [count > 0 for count in self.counts]
        # A long table is gone through row by row, and nothing as long is kept with it.
        self._long = len(pair.pos) >= _kernels.BIG
        rows = [np.flatnonzero(held) for held in self._held]
        self._lengths = [len(held) for held in rows]
        self._places = [] if self._long else [[index[held] for held in rows] for index, _ in self._models]

    @property
    def reach(self) -> tuple[float, float]:
        """The least and the greatest difference that weights can have: those of single pairs of cases."""
        return -self._most(1, 0), self._most(0, 1)

    def _most(self, x: int, y: int) -> float:
        """The greatest difference of two models between one positive and one negative."""
        (x_pos, y_pos), (x_neg, y_neg) = (
            [self._models[model][0][held] for model in (x, y)] for held in self._held
        )
        # Of negatives at each score of one model, the one that the other ranks highest.
        highest = np.full(self._models[x][1] + 2, NOWHERE)
        np.minimum.at(highest, x_neg + 1, y_neg)
        above, below = np.minimum.accumulate(highest), np.minimum.accumulate(highest[::-1])[::-1]
        won = [(1.0, below[x_pos + 2]), (0.5, highest[x_pos + 1]), (0.0, above[x_pos])]
        return max(
            float(np.max(np.where(rank == NOWHERE, -1.0, win - 0.5 - 0.5 * np.sign(rank - y_pos))))
            for win, rank in won
        )

    def above_pos(self, neg: FloatArray) -> FloatArray:
        """Difference of the shares of negatives that outrank each positive; or of how many, given counts."""
        return self._above(0, neg)

    def pull_on_pos(self, neg: FloatArray) -> FloatArray:
        """Difference of the shares of negatives that each positive outranks."""
        above = self.above_pos(neg)
        return np.negative(above, out=above)

    def pull_on_neg(self, pos: FloatArray) -> FloatArray:
        """Difference of the shares of positives that outrank each negative; or of how many, given counts."""
        return self._above(1, pos)

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

        Between such positives and negatives the difference is 1 (−1). Where a model has many scores, GRID
        thresholds of it are tried.
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
        """Of the model that is to gain and of the other, each row's score among those of the grid."""
        models = self._models if sign > 0.0 else self._models[::-1]
        return [(index * min(n, GRID) // n, min(n, GRID)) for index, n in models]

    def part(self, place: int, sign: float) -> Reweighted:
        """The sample's shares of the cases on the right sides of two thresholds."""
        (x, _), (y, n_below) = self._grid(sign)
        above, below = x <= place // n_below, y <= place % n_below
        kept = [
            np.where((above > below)[self._held[0]], self.pos, 0.0),
            np.where((below > above)[self._held[1]], self.neg, 0.0),
        ]
        return Reweighted(*(moved / moved.sum() for moved in kept))


def functional_of(data: Scores | PairedScores) -> Functional:
    """The area of one model, or the difference of two."""
    return (
        DifferenceFunctional(data) if isinstance(data, PairedScores) else AreaFunctional(data.pos, data.neg)
    )


def value_of(data: Scores | PairedScores) -> float:
    """Its value in the sample."""
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
    """Alternate until nothing moves; None when the passes diverge or do not converge."""
    s = functional.pull_on_pos(start.neg)
    t = functional.pull_on_neg(start.pos)
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
    # Whatever is as long as a class goes as soon as it has served.
    del start, t
    for _ in range(int(MAX_PASSES / damping)):
        # No more exact than the pulls are as yet: the value is stationary in the shares.
        within = 0.01 * min(moved, 1.0)
        of_pos = tilt(divergence, functional.pos, sign * size * s, levels[0], within=within)
        t = functional.pull_on_neg(of_pos.share)
        of_neg = tilt(divergence, functional.neg, sign * size * t, levels[1], within=within)
        levels = of_pos.level, of_neg.level
        rise_neg = _variance(of_neg.slope, t)
        del t
        change = functional.pull_on_pos(of_neg.share)
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
            # All that is left weighs the same: nothing more to gain this way, though some radius may be left.
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
        # The value is stationary in the shares, so its own error is of the order of `moved` squared.
        if done and moved <= 1e-6:
            if radius is not None:
                # The Lagrangian is stationary in λ, too: what the distance still lacks goes into the value.
                value += sign * (radius - distance) / size
            return Reweighted(of_pos.share, of_neg.share, value, distance, sign * size, levels)
        size = min(max(size + damping * step, 0.5 * size), 2.0 * size)
        del of_pos, of_neg
    return None


def climb(
    functional: Functional, divergence: Divergence, start: Reweighted, radius: float, sign: float
) -> Reweighted:
    """Rise within the radius to where no direction leads farther: slower than `alternate`, and never lost.

    Given the pulls, the shares that gain most within the radius are tilted by one multiplier for both classes
    (a convex problem). Every pass goes towards them, as far as the value, a parabola on the way, rises
    (Frank & Wolfe 1956); all shares on the way are within the radius, as the distance is convex.
    """
    p, q = start.pos, start.neg
    s, t = functional.pull_on_pos(q), functional.pull_on_neg(p)
    value, outside, size = inner(p, s), True, 1.0
    levels: tuple[float | None, float | None] = None, None
    for _ in range(MAX_PASSES):
        size, tilts = _farthest(functional, divergence, sign * s, sign * t, radius, size, levels)
        levels, (of_pos, of_neg) = (tilts[0].level, tilts[1].level), (one.share for one in tilts)
        ahead = functional.pull_on_pos(of_neg)
        reached = inner(of_pos, ahead)
        slope = sign * (inner(of_pos, s) - value + inner(of_neg, t) - value)
        bend = sign * (reached - value) - slope
        # A start outside the radius is left at once.
        step = 1.0 if outside or bend >= 0.0 else min(1.0, max(0.0, -0.5 * slope / bend))
        if not outside and step * (slope + step * bend) <= 1e-10:
            break
        p, q, outside = p + step * (of_pos - p), q + step * (of_neg - q), False
        s, t = functional.pull_on_pos(q), functional.pull_on_neg(p)
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
    """Multiplier and both tilts by given pulls that go as far as the radius lets them.

    `size` and `levels` are those of pulls not far away. Each distance starts from the last one's: with
    SciPy's brentq passes take up to six times as long.
    """
    # From below, so as to stay within the radius.
    aim, low, high = radius * (1.0 - 2e-11), 0.0, math.inf
    for _ in range(MAX_PASSES):
        of_pos = tilt(divergence, functional.pos, size * s, levels[0])
        of_neg = tilt(divergence, functional.neg, size * t, levels[1])
        levels, distance = (of_pos.level, of_neg.level), of_pos.cost + of_neg.cost
        if abs(distance - aim) <= 1e-11 * radius or (distance < aim and size >= STEEP):
            break
        low, high = (size, high) if distance < aim else (low, size)
        # Newton on logarithms: while little is moved, the distance grows as the multiplier's square.
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

    With a radius that suffices for the greatest (or the least) value, the closest sample of a part with it.
    """
    ends, rows = functional.reach, len(functional.counts[0])
    if ends[0] == ends[1] or not (target is None or ends[0] < target < ends[1]):
        return None
    # Made when needed, and then not kept.
    starts: list[Callable[[], Reweighted]] = [lambda: Reweighted(functional.pos, functional.neg)]
    far = radius is not None and radius > 0.5
    if radius is not None:
        kept = functional.splits(sign)
        worth = kept[0] * kept[1]
        if divergence.name == "chi2":
            worth /= np.maximum(kept[0] + kept[1], 1e-300)
        # Where no split is affordable (jeffreys), the one that keeps most is still a place to start from.
        best = int(np.argmax(worth)) if len(worth) else 0
        if len(worth) and min(kept[0][best], kept[1][best]) > 1e-12:
            cost = float(divergence.split_cost(np.array([kept[0][best], kept[1][best]])).sum())
            if cost <= radius:
                part = functional.part(best, sign)
                value = ends[1] if sign > 0.0 else ends[0]
                return Reweighted(part.pos, part.neg, value, cost, sign * math.inf)
            # Far from the sample there can be more than one curve; the one that ends in a split may lead.
            if far or rows <= SMALL:
                chosen = [best]
                if far and rows <= TINY:
                    chosen = np.flatnonzero(np.minimum(*kept) > 1e-12).tolist()
                starts += [functools.partial(functional.part, at, sign) for at in chosen]
        del kept, worth
    rough = functional.rough(divergence, sign, radius, target)
    if rough is not None:
        starts = [rough]
    # Far out the plain passes can circle around the solution; damped ones converge, and in a small table
    # a climb is quicker.
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
    """Counts of a long table with its runs of neighbouring rows that hold one class only added up.

    No row of the other class lies between such rows, so all closest shares keep their proportions: values and
    distances are the same, of untied scores from about half the rows.
    """
    if len(pos) <= 2 * COARSE:
        return pos, neg
    kind = (pos > 0).view(np.int8) - (neg > 0)
    first = np.flatnonzero((np.diff(kind, prepend=np.int8(0)) != 0) | (kind == 0))
    return np.add.reduceat(pos, first), np.add.reduceat(neg, first)


def blocks(pos: IntArray, neg: IntArray, n_blocks: int) -> NDArray[np.intp]:
    """First rows of the runs of neighbouring rows into which about `n_blocks` equal ones divide the table."""
    place = np.cumsum(pos) / pos.sum()
    place += np.cumsum(neg) / neg.sum()
    run = np.minimum(0.5 * n_blocks * place, n_blocks - 1).astype(np.intp)
    return np.flatnonzero(np.diff(run, prepend=-1))
