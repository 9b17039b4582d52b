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
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from confroc import _kernels
from confroc._kernels.auc import add_ranked_above
from confroc._types import FloatArray, IntArray
from confroc.drift.divergence import SHORT, Divergence, Tilt, inner, tilt
from confroc.scores import PairedScores
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


class _Ranks:
    """For each row that holds one class, how many rows with the other are strictly above, and at or above.

    For long tables in half the memory of whole numbers, turned to sums of shares run by run.
    """

    def __init__(self, count: IntArray, other: IntArray) -> None:
        held, of_other = count > 0, other > 0
        self._long = len(count) > CHUNK
        above = np.cumsum(of_other, dtype=np.min_scalar_type(-len(count) - 1) if self._long else np.intp)
        self._tied = kept_rows(of_other, held)
        self._strict = kept_rows(above, held)
        self._weak = self._strict if self._long else self._strict.copy()
        self._strict -= self._tied

    def both_sums(self, share: FloatArray) -> FloatArray:
        """The sum of shares of the rows strictly above and that at or above, added up."""
        total = np.empty(len(share) + 1)
        total[0] = 0.0
        np.cumsum(share, out=total[1:])
        if not self._long:
            return np.asarray(total[self._strict] + total[self._weak])
        both = np.empty(len(self._strict))
        for start in range(0, len(both), CHUNK):
            part = slice(start, start + CHUNK)
            strict = self._strict[part].astype(np.intp)
            np.add(total[strict], total[strict + self._tied[part]], out=both[part])
        return both


def reach(pos: IntArray, neg: IntArray) -> tuple[float, float]:
    """The least and the greatest area that weights can have: those of single pairs of cases."""
    (first_pos, last_pos), (first_neg, last_neg) = (
        (int(np.argmax(held)), len(held) - 1 - int(np.argmax(held[::-1])))
        for held in (count > 0 for count in (pos, neg))
    )
    return 0.5 + 0.5 * np.sign(first_neg - last_pos), 0.5 + 0.5 * np.sign(last_neg - first_pos)


def _shares(count: IntArray) -> FloatArray:
    """Each row's share of a class, over the rows that hold it."""
    return np.asarray(kept_rows(count, count > 0) / count.sum())


class AreaFunctional:
    """The area of one model, over the rows of a table that hold each class."""

    def __init__(self, pos: IntArray, neg: IntArray) -> None:
        self.counts = pos, neg
        self._neg_over_pos, self._pos_over_neg = _Ranks(pos, neg), _Ranks(neg, pos)

    @functools.cached_property
    def pos(self) -> FloatArray:
        """Each row's share of the positives."""
        return _shares(self.counts[0])

    @functools.cached_property
    def neg(self) -> FloatArray:
        """Each row's share of the negatives."""
        return _shares(self.counts[1])

    @property
    def rows_pos(self) -> NDArray[np.intp]:
        """The rows of the table that hold positives."""
        return np.flatnonzero(self.counts[0])

    @property
    def rows_neg(self) -> NDArray[np.intp]:
        """The rows of the table that hold negatives."""
        return np.flatnonzero(self.counts[1])

    def above_pos(self, neg: FloatArray) -> FloatArray:
        """Share of negatives that outrank each positive; or how many, given counts."""
        both = self._neg_over_pos.both_sums(neg)
        both *= 0.5
        return both

    def pull_on_pos(self, neg: FloatArray) -> FloatArray:
        """Share of negatives that each positive outranks."""
        above = self.above_pos(neg)
        return np.subtract(1.0, above, out=above)

    def pull_on_neg(self, pos: FloatArray) -> FloatArray:
        """Share of positives that outrank each negative; or how many, given counts."""
        both = self._pos_over_neg.both_sums(pos)
        both *= 0.5
        return both


class DifferenceFunctional:
    """The difference a − b of two models' areas, over the rows of their table that hold each class."""

    def __init__(self, pair: PairedScores) -> None:
        self.counts = pair.pos, pair.neg
        self._models = [(pair.index_a, len(pair.a.score)), (pair.index_b, len(pair.b.score))]
        rows = [np.flatnonzero(count) for count in self.counts]
        self._lengths = [len(held) for held in rows]
        # A long table is gone through row by row, and nothing as long is kept with it.
        self._long = len(pair.pos) >= _kernels.BIG
        self._places = [] if self._long else [[index[held] for held in rows] for index, _ in self._models]

    @property
    def pos(self) -> FloatArray:
        """Each row's share of the positives."""
        return _shares(self.counts[0])

    @property
    def neg(self) -> FloatArray:
        """Each row's share of the negatives."""
        return _shares(self.counts[1])

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


Functional: TypeAlias = AreaFunctional | DifferenceFunctional


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


def _variance(weight: FloatArray, pull: FloatArray) -> float:
    total = float(weight.sum())
    if not total > 0.0:
        return 0.0
    squares = pull - inner(weight, pull) / total
    squares *= squares
    return inner(weight, squares)


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
    near: tuple[Tilt | None, Tilt | None] = None, None
    moved = math.inf
    # Whatever is as long as a class goes as soon as it has served.
    del start, t
    for _ in range(int(MAX_PASSES / damping)):
        # No more exact than the pulls are as yet: the value is stationary in the shares.
        within = 0.01 * min(moved, 1.0)
        of_pos = tilt(divergence, functional.pos, sign * size * s, levels[0], near=near[0], within=within)
        t = functional.pull_on_neg(of_pos.share)
        of_neg = tilt(divergence, functional.neg, sign * size * t, levels[1], near=near[1], within=within)
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
        if len(of_pos.share) + len(of_neg.share) <= SHORT:
            near = of_pos, of_neg
        del of_pos, of_neg
    return None


def climb(
    functional: AreaFunctional, divergence: Divergence, start: Reweighted, radius: float, sign: float
) -> Reweighted:
    """Rise within the radius to where no direction leads farther: slower than `alternate`, and never lost.

    Given the pulls, the shares that gain most within the radius are tilted by one multiplier for both classes
    (a convex problem). Every pass goes towards them, as far as the value, a parabola on the way, rises
    (Frank & Wolfe 1956); all shares on the way are within the radius, as the distance is convex.
    """
    p, q = start.pos, start.neg
    s, t = functional.pull_on_pos(q), functional.pull_on_neg(p)
    value, outside, size = inner(p, s), True, 1.0
    near: tuple[Tilt | None, Tilt | None] = None, None
    for _ in range(MAX_PASSES):
        size, near = _farthest(functional, divergence, sign * s, sign * t, radius, size, near)
        of_pos, of_neg = (tilted.share for tilted in near)
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
    functional: AreaFunctional,
    divergence: Divergence,
    s: FloatArray,
    t: FloatArray,
    radius: float,
    size: float,
    near: tuple[Tilt | None, Tilt | None],
) -> tuple[float, tuple[Tilt, Tilt]]:
    """Multiplier and both tilts by given pulls that go as far as the radius lets them.

    `size` and `near` are those of pulls not far away. Each distance starts from the last one's tilts: with
    SciPy's brentq passes take up to six times as long.
    """
    # From below, so as to stay within the radius.
    aim, low, high = radius * (1.0 - 2e-11), 0.0, math.inf
    for _ in range(MAX_PASSES):
        of_pos = tilt(divergence, functional.pos, size * s, near=near[0])
        of_neg = tilt(divergence, functional.neg, size * t, near=near[1])
        near, distance = (of_pos, of_neg), of_pos.cost + of_neg.cost
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


def _split(functional: AreaFunctional, divergence: Divergence, sign: float) -> tuple[float, int] | None:
    """Cheapest shares with all positives above (sign 1) or below (−1) all negatives: their cost, and where.

    The row is the last of those above.
    """
    best: tuple[float, int, float, float] | None = None
    passed = [0.0, 0.0]
    last = len(functional.counts[0]) - 1
    sizes = [count.sum() for count in functional.counts]
    for start in range(0, last, CHUNK):
        part = slice(start, min(start + CHUNK, last))
        above = [count[part] / n for count, n in zip(functional.counts, sizes, strict=True)]
        for i, share in enumerate(above):
            share[0] += passed[i]
            np.cumsum(share, out=share)
            passed[i] = float(share[-1])
        kept_pos, kept_neg = (above[0], 1.0 - above[1]) if sign > 0.0 else (1.0 - above[0], above[1])
        cuts = np.flatnonzero((kept_pos > 1e-12) & (kept_neg > 1e-12))
        if not len(cuts):
            continue
        p, q = kept_pos[cuts], kept_neg[cuts]
        # Where no split is affordable (jeffreys), the one that keeps most is still a place to start from.
        worth = -(1.0 / p + 1.0 / q) if divergence.name == "chi2" else p * q
        i = int(np.argmax(worth))
        if best is None or worth[i] > best[0]:
            best = float(worth[i]), start + int(cuts[i]), float(p[i]), float(q[i])
    if best is None:
        return None
    return float(divergence.split_cost(np.array(best[2:])).sum()), best[1]


def _dividing(functional: AreaFunctional, sign: float) -> list[int]:
    """The rows that leave some of both classes when all positives must be above (sign 1) or below them."""
    pos, neg = (np.cumsum(count)[:-1] for count in functional.counts)
    last_pos, last_neg = (count.sum() for count in functional.counts)
    kept = (pos > 0) & (neg < last_neg) if sign > 0.0 else (pos < last_pos) & (neg > 0)
    return list(np.flatnonzero(kept).tolist())


def _separated(functional: AreaFunctional, row: int, sign: float) -> Reweighted:
    """The sample's shares with all positives in this row or above (sign 1) or below it (−1)."""
    p = np.where((functional.rows_pos <= row) == (sign > 0.0), functional.pos, 0.0)
    q = np.where((functional.rows_neg <= row) == (sign < 0.0), functional.neg, 0.0)
    p /= p.sum()
    q /= q.sum()
    return Reweighted(p, q)


@dataclass(frozen=True)
class _Rough:
    """A merged table's solution: ratios of new to old shares in runs of rows that begin at `first`."""

    first: NDArray[np.intp]
    ratios: tuple[FloatArray, FloatArray]
    multiplier: float
    levels: tuple[float | None, float | None]

    def refined(self, fine: AreaFunctional) -> Reweighted:
        """Carry it over to the rows that were merged."""
        shares = []
        for own, count, ratio in zip((fine.pos, fine.neg), fine.counts, self.ratios, strict=True):
            moved, rows = own.copy(), np.flatnonzero(count)
            for start in range(0, len(rows), CHUNK):
                part = slice(start, start + CHUNK)
                moved[part] *= ratio[np.searchsorted(self.first, rows[part], side="right") - 1]
            moved /= moved.sum()
            shares.append(moved)
        return Reweighted(shares[0], shares[1], multiplier=abs(self.multiplier), levels=self.levels)


def _rough(
    pos: IntArray,
    neg: IntArray,
    divergence: Divergence,
    sign: float,
    radius: float | None,
    target: float | None,
) -> _Rough | None:
    """Solve the problem for a long table's rows merged to fewer."""
    first = blocks(pos, neg, max(COARSE, len(pos) // 16))
    merged = np.add.reduceat(pos, first), np.add.reduceat(neg, first)
    found = solve(*merged, divergence, sign=sign, radius=radius, target=target)
    if found is None or not math.isfinite(found.multiplier):
        return None
    ratios = np.ones((2, len(first)))
    for ratio, count, new in zip(ratios, merged, (found.pos, found.neg), strict=True):
        ratio[count > 0] = new / (count[count > 0] / count.sum())
    return _Rough(first, (ratios[0], ratios[1]), found.multiplier, found.levels)


def solve(
    pos: IntArray,
    neg: IntArray,
    divergence: Divergence,
    *,
    sign: float,
    radius: float | None = None,
    target: float | None = None,
) -> Reweighted | None:
    """Reweighted on the side `sign` at a distance `radius`, or with area `target`; None if there is none.

    With a radius that suffices for perfect separation, the cheapest perfectly separated one.
    """
    least, greatest = reach(pos, neg)
    if least == greatest or not (target is None or least < target < greatest):
        return None
    # Before anything as long as the table is made.
    rough = _rough(pos, neg, divergence, sign, radius, target) if len(pos) > 2 * COARSE else None
    functional = AreaFunctional(pos, neg)
    # Made when needed, and then not kept.
    starts: list[Callable[[], Reweighted]] = [lambda: Reweighted(functional.pos, functional.neg)]
    split = _split(functional, divergence, sign) if radius is not None else None
    if split is not None and radius is not None:
        cost, row = split
        if cost <= radius:
            start = _separated(functional, row, sign)
            return Reweighted(start.pos, start.neg, 0.5 + 0.5 * sign, cost, sign * math.inf)
        # Far from the sample there can be more than one curve; the one that ends in this split may lead.
        if radius > 0.5 or len(pos) <= SMALL:
            rows = _dividing(functional, sign) if radius > 0.5 and len(pos) <= TINY else [row]
            starts += [functools.partial(_separated, functional, at, sign) for at in rows]
    if rough is not None:
        starts = [functools.partial(rough.refined, functional)]
    # Far out the plain passes can circle around the solution; damped ones converge, and in a small table
    # a climb is quicker.
    climbing = radius is not None and len(pos) <= SMALL
    for damping in (1.0,) if climbing else (1.0, 0.5, 0.2):
        solutions = [
            alternate(functional, divergence, make(), radius, target, sign, damping) for make in starts
        ]
        usable = [p for p in solutions if p is not None]
        if usable:
            break
    if radius is not None and (not usable or (radius > 0.5 and len(pos) <= TINY)):
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
    sizes, passed, last = (int(pos.sum()), int(neg.sum())), [0, 0], -1
    first = []
    for start in range(0, len(pos), CHUNK):
        above = [n + np.cumsum(c[start : start + CHUNK]) for n, c in zip(passed, (pos, neg), strict=True)]
        passed = [int(a[-1]) for a in above]
        place = above[0] / sizes[0] + above[1] / sizes[1]
        run = np.minimum(0.5 * n_blocks * place, n_blocks - 1).astype(np.intp)
        first.append(start + np.flatnonzero(np.diff(run, prepend=last)))
        last = int(run[-1])
    return np.concatenate(first)
