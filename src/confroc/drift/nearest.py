"""The closest population with a given area, and the extreme areas within a given distance.

Morin (2018, eqs. 7-14) states the two problems; they share their solutions, one curve of populations
through the sample with the multiplier λ as its parameter: λ > 0 raises the area, λ < 0 lowers it. On it
each class's shares are the sample's times ratio(λS + γ), S being what the other class's shares make of
each case, so the classes are updated in turn and λ between the turns, by Newton's rule for whatever is
prescribed. A pass costs two cumulative sums.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from confroc._check import ArgumentError, check_choice, check_count, make_rng
from confroc._types import RNG, FloatArray, IntArray
from confroc.drift.divergence import DIVERGENCES, Divergence, DivergenceName, inner, tilt
from confroc.drift.objective import Area, Objective, blocks
from confroc.results import Result, read_only
from confroc.scores import Scores, check_scores
from confroc.scores.counting import CHUNK

MAX_PASSES = 300
STEEP = 1e10
"""Distance per unit of area from which no more than 1e-9 of area is left to gain for any distance in use."""
SMALL = 200
"""Rows up to which a second start is tried whatever the radius."""
COARSE = 4096
"""Rows above which a merged table of so many rows supplies the starting point."""


@dataclass(frozen=True)
class Population:
    """Shares of both classes over an objective's rows, the value and the distance they have."""

    pos: FloatArray
    neg: FloatArray
    value: float
    distance: float
    multiplier: float
    levels: tuple[float, float] = (math.nan, math.nan)


@dataclass(frozen=True)
class Start:
    """Where the passes start: shares, and guesses of the multiplier and of the classes' γ."""

    pos: FloatArray
    neg: FloatArray
    multiplier: float | None = None
    levels: tuple[float | None, float | None] = (None, None)


def _variance(weight: FloatArray, pull: FloatArray) -> float:
    total = float(weight.sum())
    if not total > 0.0:
        return 0.0
    squares = pull - inner(weight, pull) / total
    squares *= squares
    return inner(weight, squares)


def alternate(
    objective: Objective,
    divergence: Divergence,
    start: Start,
    radius: float | None,
    target: float | None,
    sign: float,
    damping: float = 1.0,
) -> Population | None:
    """Alternate until nothing moves; None when the passes run off or do not settle."""
    s = objective.pull_on_pos(start.neg)
    t = objective.pull_on_neg(start.pos)
    spread = _variance(objective.pos, s) + _variance(objective.neg, t)
    if not spread > 0.0:
        return None
    if start.multiplier is not None:
        size = start.multiplier
    elif radius is not None:
        size = math.sqrt(2.0 * radius / spread)
    else:
        size = max(1e-12, abs((target or 0.0) - inner(objective.pos, s)) / spread)
    levels = start.levels
    # Whatever is as long as a class goes as soon as it has served.
    del start, t
    for _ in range(int(MAX_PASSES / damping)):
        of_pos = tilt(divergence, objective.pos, sign * size * s, levels[0])
        t = objective.pull_on_neg(of_pos.share)
        of_neg = tilt(divergence, objective.neg, sign * size * t, levels[1])
        levels = of_pos.level, of_neg.level
        rise_neg = _variance(of_neg.slope, t)
        del t
        change = objective.pull_on_pos(of_neg.share)
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
            within = radius is not None and distance <= radius * (1.0 + 1e-9)
            return (
                Population(of_pos.share, of_neg.share, value, distance, sign * math.inf) if within else None
            )
        if radius is not None and size > STEEP and distance <= radius:
            return Population(of_pos.share, of_neg.share, value, distance, sign * size, levels)
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
            return Population(of_pos.share, of_neg.share, value, distance, sign * size, levels)
        size = min(max(size + damping * step, 0.5 * size), 2.0 * size)
        del of_pos, of_neg
    return None


def _split(objective: Area, divergence: Divergence, sign: float) -> tuple[float, int] | None:
    """Cheapest shares with all positives above (sign 1) or below (−1) all negatives: their cost, and where.

    The row is the last of those above.
    """
    best: tuple[float, int, float, float] | None = None
    passed = [0.0, 0.0]
    last = len(objective.counts[0]) - 1
    sizes = [count.sum() for count in objective.counts]
    for start in range(0, last, CHUNK):
        part = slice(start, min(start + CHUNK, last))
        above = [count[part] / n for count, n in zip(objective.counts, sizes, strict=True)]
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


def _separated(objective: Area, row: int, sign: float) -> Start:
    """The sample's shares with all positives in this row or above (sign 1) or below it (−1)."""
    p = np.where((objective.rows_pos <= row) == (sign > 0.0), objective.pos, 0.0)
    q = np.where((objective.rows_neg <= row) == (sign < 0.0), objective.neg, 0.0)
    p /= p.sum()
    q /= q.sum()
    return Start(p, q)


def _refined(coarse: Area, first: NDArray[np.intp], found: Population, fine: Area) -> Start:
    """Carry a merged table's solution over to the rows it was merged from, in runs that begin at `first`."""
    shares = []
    for own, count, new, old, held in (
        (fine.pos, fine.counts[0], found.pos, coarse.pos, coarse.rows_pos),
        (fine.neg, fine.counts[1], found.neg, coarse.neg, coarse.rows_neg),
    ):
        ratio = np.ones(len(first))
        ratio[held] = new / old
        moved, rows = own.copy(), np.flatnonzero(count)
        for start in range(0, len(rows), CHUNK):
            part = slice(start, start + CHUNK)
            moved[part] *= ratio[np.searchsorted(first, rows[part], side="right") - 1]
        moved /= moved.sum()
        shares.append(moved)
    return Start(shares[0], shares[1], abs(found.multiplier), found.levels)


def solve(
    pos: IntArray,
    neg: IntArray,
    divergence: Divergence,
    *,
    sign: float,
    radius: float | None = None,
    target: float | None = None,
) -> Population | None:
    """Population on the side `sign` at a distance `radius`, or with area `target`; None if there is none.

    With a radius that suffices for perfect separation, the cheapest perfectly separated one.
    """
    objective = Area(pos, neg)
    # Made when needed, and then not kept.
    starts: list[Callable[[], Start]] = [lambda: Start(objective.pos, objective.neg)]
    split = _split(objective, divergence, sign) if radius is not None else None
    if split is not None and radius is not None:
        cost, row = split
        if cost <= radius:
            start = _separated(objective, row, sign)
            return Population(start.pos, start.neg, 0.5 + 0.5 * sign, cost, sign * math.inf)
        # Far from the sample there can be more than one curve; the one that ends in this split may lead.
        if radius > 0.5 or len(pos) <= SMALL:
            starts.append(lambda: _separated(objective, row, sign))
    if len(pos) > 2 * COARSE:
        first = blocks(pos, neg, COARSE)
        merged = [np.add.reduceat(c, first) for c in (pos, neg)]
        found = solve(merged[0], merged[1], divergence, sign=sign, radius=radius, target=target)
        if found is not None and math.isfinite(found.multiplier):
            starts = [functools.partial(_refined, Area(merged[0], merged[1]), first, found, objective)]
    # Far out the plain passes can circle around the solution; damped ones settle on it.
    for damping in (1.0, 0.5, 0.2):
        solutions = [
            alternate(objective, divergence, make(), radius, target, sign, damping) for make in starts
        ]
        usable = [p for p in solutions if p is not None]
        if usable:
            return max(usable, key=lambda p: sign * p.value)
    return None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Tilted(Result):
    """A reweighted sample: the population closest to it among those with a given area.

    Attributes
    ----------
    scores : Scores
        The sample.
    pos_weight, neg_weight : ndarray of shape (d,)
        Share of the positives and of the negatives at each of the sample's distinct scores; each sums to 1.
    auc : float
        Area of the reweighted population, the one asked for.
    distance : float
        Divergence from the sample, both classes added.
    divergence : {"kl", "jeffreys", "chi2"}
    multiplier : float
        λ of the solution: the marginal distance per unit of area.
    """

    scores: Scores
    pos_weight: FloatArray
    neg_weight: FloatArray
    auc: float
    distance: float
    divergence: DivergenceName
    multiplier: float

    def __post_init__(self) -> None:
        for name in ("pos_weight", "neg_weight"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values; the sample as its three columns."""
        columns = {name: getattr(self.scores, name).tolist() for name in ("score", "pos", "neg")}
        rest = {k: getattr(self, k) for k in ("auc", "distance", "divergence", "multiplier")}
        weights = {k: getattr(self, k).tolist() for k in ("pos_weight", "neg_weight")}
        return {"scores": columns, **weights, **rest}

    def _columns(self) -> Mapping[str, Any]:
        return {"score": self.scores.score, "pos_weight": self.pos_weight, "neg_weight": self.neg_weight}

    def sample(self, n_pos: int, n_neg: int, *, rng: RNG = None) -> Scores:
        """Draw a sample of the given class sizes from the reweighted population."""
        generator = make_rng(rng)
        sizes = check_count("n_pos", n_pos), check_count("n_neg", n_neg)
        counts = [
            generator.multinomial(n, w)
            for n, w in zip(sizes, (self.pos_weight, self.neg_weight), strict=True)
        ]
        return Scores.from_counts(self.scores.score, counts[0], counts[1])


def spread_over_rows(scores: Scores, found: Population) -> tuple[FloatArray, FloatArray]:
    """Shares of both classes at every distinct score."""
    weights = []
    for count, share in ((scores.pos, found.pos), (scores.neg, found.neg)):
        weight = np.zeros(len(count))
        weight[count > 0] = share
        weights.append(weight)
    return weights[0], weights[1]


def nearest_distribution(scores: Scores, auc: float, *, divergence: DivergenceName = "kl") -> Tilted:
    """Population closest to the sample among those with a given area (Morin 2018, eqs. 11-14).

    Each class's cases are reweighted so that the area, tied pairs counting one half, becomes `auc`, while
    the divergences of the two classes' weights from the sample's, added up, stay as small as can be.

    Parameters
    ----------
    scores : Scores
    auc : float
        Wanted area, in (0, 1).
    divergence : {"kl", "jeffreys", "chi2"}
        kl : Kullback-Leibler, of the new weights from the sample's.
        jeffreys : its symmetric form (eq. 17).
        chi2 :
        Pearson's; eq. 18 with the division it lacks.

    Returns
    -------
    Tilted

    Raises
    ------
    ValueError
        When no weights on these cases have that area: all scores are equal, the classes are perfectly
        separated, or the area is out of reach.

    Examples
    --------
    >>> from confroc import Scores, nearest_distribution
    >>> scores = Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    >>> tilted = nearest_distribution(scores, 0.7)
    >>> round(tilted.auc, 6), round(tilted.distance, 4)
    (0.7, 0.1931)
    >>> tilted.pos_weight.round(3)
    array([0.226, 0.226, 0.   , 0.548, 0.   , 0.   ])
    """
    check_scores("scores", scores)
    check_choice("divergence", divergence, DIVERGENCES)
    if not 0.0 < auc < 1.0:
        raise ArgumentError("auc", "lie strictly between 0 and 1", auc, "A population's area does.")
    found = population_with_area(scores, float(auc), Divergence(divergence))
    if found is None:
        raise ArgumentError(
            "auc",
            f"be within reach of reweighting these cases (their AUC is {scores.auc:.6g})",
            auc,
            "Samples that are perfectly separated, or whose scores are all equal, cannot be moved.",
        )
    pos, neg = spread_over_rows(scores, found)
    return Tilted(
        scores=scores,
        pos_weight=pos,
        neg_weight=neg,
        auc=found.value,
        distance=found.distance,
        divergence=divergence,
        multiplier=found.multiplier,
    )


def population_with_area(scores: Scores, auc: float, divergence: Divergence) -> Population | None:
    """The closest population with an area, the sample itself when it has it."""
    if abs(auc - scores.auc) <= 1e-12:
        own = Area(scores.pos, scores.neg)
        return Population(own.pos, own.neg, scores.auc, 0.0, 0.0)
    return solve(scores.pos, scores.neg, divergence, sign=math.copysign(1.0, auc - scores.auc), target=auc)
