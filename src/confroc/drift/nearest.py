"""The population closest to a sample with a given area, and the extreme areas within a distance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from confroc._check import MOST_DRAWN, ArgumentError, check_count, check_number, make_rng
from confroc._keywords import checks_keywords
from confroc._types import RNG, FloatArray, IntArray
from confroc.drift.divergence import Divergence, DivergenceName, check_divergence
from confroc.drift.reweighting import AreaFunctional, Reweighted, climb, reach, runs, solve
from confroc.results import Result
from confroc.scores import CountTable, Scores, check_scores

SHORTEST, FARTHEST = 1e-9, 1e3
"""Distances between which one is sought where no population was found at once."""


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
        Area of the reweighted population, as requested.
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

    def _parts(self) -> dict[str, Any]:
        """The sample as its three columns."""
        return super()._parts() | {"scores": {k: getattr(self.scores, k) for k in ("score", "pos", "neg")}}

    def _columns(self) -> Mapping[str, Any]:
        return {"score": self.scores.score, **super()._columns()}

    def sample(self, n_pos: int, n_neg: int, *, rng: RNG = None) -> Scores:
        """Draw a sample of the given class sizes from the reweighted population."""
        generator = make_rng(rng)
        sizes = (
            check_count("n_pos", n_pos, maximum=MOST_DRAWN),
            check_count("n_neg", n_neg, maximum=MOST_DRAWN),
        )
        counts = [
            generator.multinomial(n, w)
            for n, w in zip(sizes, (self.pos_weight, self.neg_weight), strict=True)
        ]
        return Scores.from_counts(self.scores.score, counts[0], counts[1])


@checks_keywords
def nearest_distribution(scores: Scores, *, auc: float, divergence: DivergenceName = "kl") -> Tilted:
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
        chi2 : Pearson's; eq. 18 with the division it lacks.

    Returns
    -------
    Tilted
        With shares of both classes at every distinct score, and `sample` to draw from them.

    Raises
    ------
    ValueError
        When no weights on the sample have that area: all scores are equal, the classes are perfectly
        separated, or the area is out of reach.

    See Also
    --------
    auc_test : Resamples that population to test whether the area is `auc`.
    auc_forecast : The extreme areas within a distance.

    References
    ----------
    Morin (2018), eqs. 11-14. The recurrences printed there (eqs. 19-22, 39-41) do not follow from these.

    Examples
    --------
    >>> from confroc import Scores, nearest_distribution
    >>> scores = Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    >>> tilted = nearest_distribution(scores, auc=0.7)
    >>> round(tilted.auc, 6), round(tilted.distance, 4)
    (0.7, 0.1931)
    >>> tilted.pos_weight.round(3)
    array([0.226, 0.226, 0.   , 0.548, 0.   , 0.   ])
    """
    check_scores("scores", scores)
    found = population_with_area(scores, auc, check_divergence(divergence))
    weights = np.zeros((2, len(scores.score)))
    weights[0, scores.pos > 0], weights[1, scores.neg > 0] = found.pos, found.neg
    return Tilted(
        scores=scores,
        pos_weight=weights[0],
        neg_weight=weights[1],
        auc=found.value,
        distance=found.distance,
        divergence=divergence,
        multiplier=found.multiplier,
    )


def population_with_area(scores: Scores, auc: float, divergence: Divergence) -> Reweighted:
    """Return the closest population with an area, the sample itself when it has it, or raise."""
    auc = check_number("auc", auc)
    if not 0.0 < auc < 1.0:
        raise ArgumentError("auc", "lie strictly between 0 and 1", auc, "Try 0.5, the area of chance.")
    if abs(auc - scores.auc) <= 1e-12:
        own = AreaFunctional(scores.pos, scores.neg)
        return Reweighted(own.pos, own.neg, scores.auc, 0.0, 0.0)
    sign = math.copysign(1.0, auc - scores.auc)
    found = solve(scores.pos, scores.neg, divergence, sign=sign, target=float(auc))
    if found is None:
        raise ArgumentError(
            "auc",
            f"be within reach of reweighting the sample (its AUC is {scores.auc:.6g})",
            auc,
            "Samples that are perfectly separated, or whose scores are all equal, cannot be moved; use "
            "`auc_interval` to see which areas are plausible.",
        )
    return found


def extreme_areas(
    scores: Scores, divergence: Divergence, radius: float | tuple[float, float]
) -> tuple[float, float]:
    """Extreme areas within a distance of the sample, or within one below and another above; NaN if fixed.

    For rounded scores those of the least and of the greatest curve that the exact ones can have: under any
    weights of the cases, the exact area lies between the areas of these two.
    """
    ends = []
    tables = _tables(scores)
    radii = radius if isinstance(radius, tuple) else (radius, radius)
    for sign, extreme, table, far in zip((-1.0, 1.0), scores.extremes, tables, radii, strict=True):
        found = solve(*table, divergence, sign=sign, radius=far)
        if found is not None:
            ends.append(min(1.0, max(0.0, found.value)))
        else:
            # Of rounded scores the exact ones may be such that they can be moved, but not beyond this.
            ends.append(math.nan if scores.exact else extreme.auc)
    return ends[0], ends[1]


def distances_to(scores: Scores, divergence: Divergence, areas: tuple[float, float]) -> tuple[float, float]:
    """Distances of the nearest populations whose areas are a lower and a higher one; inf where there is none.

    The extreme areas within them are these two. For rounded scores the curve that is farthest from each: no
    exact scores are farther from what is beyond it.
    """
    found = []
    tables = _tables(scores)[::-1]
    for sign, extreme, table, area in zip((-1.0, 1.0), scores.extremes[::-1], tables, areas, strict=True):
        if sign * (area - extreme.auc) <= 1e-12:
            found.append(0.0)
        else:
            found.append(_distance(*table, divergence, sign, area) if 0.0 < area < 1.0 else math.inf)
    return found[0], found[1]


def _tables(scores: Scores) -> list[tuple[IntArray, IntArray]]:
    """Counts of the worst and of the best ranking, of which values and distances are needed, not shares."""
    worst, best = scores.extremes
    table = runs(worst.pos, worst.neg)
    return [table, table if best is worst else runs(best.pos, best.neg)]


def _distance(pos: IntArray, neg: IntArray, divergence: Divergence, sign: float, area: float) -> float:
    from scipy.optimize import brentq

    one = solve(pos, neg, divergence, sign=sign, target=area)
    if one is not None:
        return one.distance
    # The multiplier need not grow with the distance, and then the passes do not converge to an area; the
    # extreme area does grow with the radius.
    functional = AreaFunctional(pos, neg)
    own, (least, greatest) = Reweighted(functional.pos, functional.neg), reach(pos, neg)

    def beyond(log_radius: float) -> float:
        return sign * (climb(functional, divergence, own, math.exp(log_radius), sign).value - area)

    high = math.log(SHORTEST)
    while least < area < greatest and high < math.log(FARTHEST):
        low, high = high, high + 3.0
        if beyond(high) >= 0.0:
            return math.exp(float(brentq(beyond, low, high, xtol=1e-6)))
    return math.inf


def coarsened(scores: Scores, most: int = 500) -> tuple[Scores, float]:
    """Merge neighbouring scores, for quicker forecasts with a bound on what that changes.

    Parameters
    ----------
    scores : Scores
        Rounded ones are returned as they are: they carry bounds of their own.
    most : int
        Distinct scores to keep, each with about the same number of cases.

    Returns
    -------
    scores : Scores
        With ranks for scores; the same when there are no more than `most`.
    error : float
        How far an extreme area within any distance may lie from that of the sample.

    Notes
    -----
    A reweighting that keeps ratios within a group is one of the cases, of the same divergence; any other has
    a larger divergence than its groups have. So the extreme areas differ by no more than what ties within
    groups count: ½·Σ of the products of both classes' shares, here of the sample's.
    """
    if len(scores.score) <= most or not scores.exact:
        return scores, 0.0
    cases = scores.pos_above + scores.neg_above
    ends = np.unique(np.searchsorted(cases, np.linspace(0, int(cases[-1]), most + 1)[1:]))
    starts = np.concatenate([[0], ends[:-1] + 1])
    pos, neg = (np.add.reduceat(count, starts) for count in (scores.pos, scores.neg))
    few = Scores._of(CountTable(-np.arange(len(ends), dtype=np.float64), pos, neg))
    return few, 0.5 * float((pos / scores.n_pos * (neg / scores.n_neg)).sum())
