"""The nearest population with a given AUC, and the extreme AUCs within a distance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from confroc._check import MOST_DRAWN, ArgumentError, check_count, check_inside, make_rng
from confroc._keywords import checks_keywords
from confroc._types import RNG, FloatArray
from confroc.drift.divergence import Divergence, DivergenceName, check_divergence
from confroc.drift.reweighting import (
    AreaFunctional,
    Functional,
    Reweighted,
    climb,
    functional_of,
    runs,
    solve,
    value_of,
)
from confroc.results import Result
from confroc.scores import PairedScores, Scores, check_scores

SHORTEST, FARTHEST = 1e-9, 1e3
"""Bracket of distances for the fallback search."""

AN_AREA = "Use e.g. 0.5, the AUC of chance."


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Tilted(Result):
    """A reweighted sample: the nearest population with a given AUC.

    Attributes
    ----------
    scores : Scores
        The sample.
    pos_weight, neg_weight : ndarray of shape (d,)
        Proportions of positives and of negatives at each distinct score; each sums to 1.
    auc : float
        AUC of the reweighted population, as requested.
    distance : float
        Divergence from the sample, summed over classes.
    divergence : {"kl", "jeffreys", "chi2"}
    multiplier : float
        λ of the solution: the derivative of the distance with respect to the AUC.
    """

    _title = "Nearest distribution"
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
        pos = generator.multinomial(check_count("n_pos", n_pos, maximum=MOST_DRAWN), self.pos_weight)
        neg = generator.multinomial(check_count("n_neg", n_neg, maximum=MOST_DRAWN), self.neg_weight)
        return Scores.from_counts(self.scores.score, pos, neg)


@checks_keywords
def nearest_distribution(scores: Scores, *, auc: float, divergence: DivergenceName = "kl") -> Tilted:
    """Nearest population to the sample with a given AUC (Morin 2018, eqs. 11-14).

    The cases of each class are reweighted so that the AUC, with tied pairs counting one half, is `auc` and
    the sum of both classes' divergences from the sample is minimal.

    Parameters
    ----------
    scores : Scores
    auc : float
        Requested AUC, in (0, 1).
    divergence : {"kl", "jeffreys", "chi2"}
        kl : Kullback-Leibler, of the new weights from the sample's.
        jeffreys : its symmetric form (eq. 17).
        chi2 : Pearson's; eq. 18 with the division it lacks.

    Returns
    -------
    Tilted
        Proportions of both classes at every distinct score, and `sample` to draw from them.

    Raises
    ------
    ValueError
        No weights on the sample have that AUC: all scores are equal, the classes are perfectly separated, or
        the AUC is out of reach.

    See Also
    --------
    auc_test : Tests a given AUC by resampling this population.
    auc_forecast : The extreme AUCs within a distance.

    References
    ----------
    Morin (2018), eqs. 11-14. The printed recurrences (eqs. 19-22, 39-41) do not follow from these.

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
    """Return the nearest population with a given AUC (the sample itself if it has it), or raise."""
    auc = check_inside("auc", auc, AN_AREA)
    own = AreaFunctional(scores.pos, scores.neg)
    if abs(auc - scores.auc) <= 1e-12:
        return Reweighted(own.pos, own.neg, scores.auc, 0.0, 0.0)
    found = solve(own, divergence, sign=math.copysign(1.0, auc - scores.auc), target=float(auc))
    if found is None:
        raise ArgumentError(
            "auc",
            f"be attainable by reweighting the sample (AUC {scores.auc:.6g})",
            auc,
            "The AUC of perfectly separated samples or constant scores cannot be changed; use "
            "`auc_interval` instead.",
        )
    return found


Extreme: TypeAlias = tuple[Functional, float]
"""The functional of a forecast, for one ranking of rounded scores, and its value in the sample."""


def extremes_of(scores: Scores | PairedScores) -> tuple[Extreme, Extreme]:
    """The AUC or difference in the worst and in the best ranking; equal without rounding.

    For values and distances, not for weights: indistinguishable rows are merged.
    """
    if isinstance(scores, PairedScores):
        return ((functional_of(scores), value_of(scores)),) * 2
    low, high = scores.extremes
    worst: Extreme = AreaFunctional(*runs(low.pos, low.neg)), low.auc
    return worst, worst if high is low else (AreaFunctional(*runs(high.pos, high.neg)), high.auc)


def extreme_values(
    extremes: tuple[Extreme, Extreme], divergence: Divergence, radius: tuple[float, float]
) -> tuple[float, float]:
    """Extreme values within one distance below and another above; the sample's value if it cannot change.

    For rounded scores, those of the worst and the best possible ranking: under any weights of the cases the
    exact AUC lies between the AUCs of these two.
    """
    ends = []
    for sign, (functional, value), far in zip((-1.0, 1.0), extremes, radius, strict=True):
        found = solve(functional, divergence, sign=sign, radius=far) if far > 0.0 else None
        least, greatest = functional.extent
        ends.append(value if found is None else min(greatest, max(least, found.value)))
    return ends[0], ends[1]


def distances_to(
    extremes: tuple[Extreme, Extreme], divergence: Divergence, values: tuple[float, float]
) -> tuple[float, float]:
    """Distances of the nearest populations with a lower and a higher value; inf if there is none.

    The extreme values within these distances are the two values. For rounded scores, by the ranking that is
    farthest from each, which bounds the exact distance.
    """
    found = []
    for sign, (functional, own), value in zip((-1.0, 1.0), extremes[::-1], values, strict=True):
        beyond = sign * (value - own) > 1e-12
        found.append(_distance(functional, divergence, sign, value) if beyond else 0.0)
    return found[0], found[1]


def _distance(functional: Functional, divergence: Divergence, sign: float, value: float) -> float:
    from scipy.optimize import brentq

    one = solve(functional, divergence, sign=sign, target=value)
    if one is not None:
        return one.distance
    least, greatest = functional.extent
    if not least < value < greatest:
        return math.inf
    # The multiplier need not increase with the distance, so the passes may not converge to a value; the
    # extreme value does increase with the radius.
    own = Reweighted(functional.pos, functional.neg)

    def beyond(log_radius: float) -> float:
        return sign * (climb(functional, divergence, own, math.exp(log_radius), sign).value - value)

    high = math.log(SHORTEST)
    while high < math.log(FARTHEST):
        low, high = high, high + 3.0
        if beyond(high) >= 0.0:
            return math.exp(float(brentq(beyond, low, high, xtol=1e-6)))
    return math.inf
