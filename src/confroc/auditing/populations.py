"""Populations with known true rates, to draw samples from."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, check_inside, check_rate
from confroc._types import FloatArray
from confroc.scores import Scores

Draw: TypeAlias = tuple[FloatArray, FloatArray]


class Population(Hashable, Protocol):
    """One model's scores in both classes."""

    @property
    def share(self) -> float:
        """Prevalence, for samples of all cases."""

    @property
    def auc(self) -> float:
        """True AUC, ties counting one half."""

    @property
    def support(self) -> FloatArray | None:
        """The distinct scores, increasing; None for continuous scores."""

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int, reps: int) -> Draw:
        """Return scores of positives and negatives, shapes (reps, n_pos) and (reps, n_neg)."""

    def rates(self, threshold: ArrayLike) -> Draw:
        """Return the true (FPR, TPR) at thresholds."""

    def threshold_at_fpr(self, fpr: ArrayLike) -> FloatArray:
        """Return the threshold with this true false positive rate."""

    def curve(self, knots: FloatArray) -> Draw:
        """Return vertices (FPR, TPR) of the true curve, including those at `knots`."""


def invert_decreasing(
    function: Callable[[FloatArray], FloatArray], target: FloatArray, low: FloatArray, high: FloatArray
) -> FloatArray:
    """Return the largest x in [low, high] with function(x) >= target, or `low`."""
    from scipy.optimize.elementwise import find_root

    def excess(x: FloatArray, wanted: FloatArray) -> FloatArray:
        return function(x) - wanted

    # The largest x with function(x) = target is next to values just below.
    below = np.nextafter(target, -np.inf)
    found = find_root(excess, (low, high), args=(below,)).x
    return np.where(below >= function(low), low, np.where(below < function(high), high, found))


def threshold_at_positive_rate(population: Population, rate: ArrayLike, share: float) -> FloatArray:
    """Threshold at a given predicted-positive rate.

    Parameters
    ----------
    population : Population
    rate : array-like of shape (h,)
        In (0, 1).
    share : float
        Prevalence.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.auditing.populations import SamplePopulation, threshold_at_positive_rate
    >>> population = SamplePopulation.of(Scores([0, 0, 1, 1], [1, 2, 3, 4]))
    >>> threshold_at_positive_rate(population, [0.25, 0.5], 0.5)
    array([4., 3.])
    """
    wanted = check_rate("rate", rate)
    check_inside("share", share, "Use e.g. 0.5.")
    if not ((wanted > 0.0) & (wanted < 1.0)).all():
        raise ArgumentError("rate", "lie strictly between 0 and 1", rate, "Use e.g. 0.1.")

    def called(t: FloatArray) -> FloatArray:
        fpr, tpr = population.rates(t)
        return share * tpr + (1.0 - share) * fpr

    if population.support is not None:
        # The highest score at which enough cases are predicted positive.
        reached = called(population.support)
        return population.support[np.maximum(np.searchsorted(-reached, -wanted, side="right") - 1, 0)]
    from scipy.optimize.elementwise import bracket_root

    def excess(t: FloatArray, wanted: FloatArray) -> FloatArray:
        return called(t) - wanted

    # The threshold lies between those at which each class has the rate.
    at_neg = population.threshold_at_fpr(wanted)
    spread = np.maximum(1.0, np.abs(at_neg))
    ends = bracket_root(excess, at_neg - spread, at_neg + spread, args=(wanted,)).bracket
    return invert_decreasing(called, wanted, *ends)


FINE = np.unique(
    np.concatenate(
        [
            [0.0, 1.0],
            np.linspace(0.0, 1.0, 2001),
            10.0 ** np.linspace(-9, -3, 121),
            1 - 10.0 ** np.linspace(-9, -3, 121),
        ]
    )
)
"""False positive rates of the vertices of a smooth true curve, dense at both ends."""


def smooth_curve(tpr_at: Callable[[FloatArray], FloatArray], knots: FloatArray) -> Draw:
    """Evaluate a smooth curve on a fine grid and at the knots."""
    x = np.union1d(FINE, knots)
    y = np.clip(tpr_at(x), 0.0, 1.0)
    # Exact at the end, where rounding gives 1 - 1e-16.
    return x, np.where(x >= 1.0, 1.0, y)


@dataclass(frozen=True, eq=False)
class SamplePopulation:
    """A large sample as population, sampled with replacement.

    Attributes
    ----------
    pos, neg : ndarray
        Scores of its positives and negatives, increasing.
    """

    pos: FloatArray
    neg: FloatArray

    @classmethod
    def of(cls, scores: Scores) -> SamplePopulation:
        """Use the cases of a `Scores` as population."""
        pos, neg = (np.repeat(scores.score, count)[::-1].copy() for count in (scores.pos, scores.neg))
        return cls(pos, neg)

    @property
    def share(self) -> float:
        """Prevalence."""
        return len(self.pos) / (len(self.pos) + len(self.neg))

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int, reps: int) -> Draw:
        """Return scores of positives and negatives, one row per sample."""
        rows = [rng.integers(len(s), size=(reps, n)) for s, n in ((self.pos, n_pos), (self.neg, n_neg))]
        return self.pos[rows[0]], self.neg[rows[1]]

    def rates(self, threshold: ArrayLike) -> Draw:
        """Return the true (FPR, TPR)."""
        fpr, tpr = (1.0 - np.searchsorted(s, threshold) / len(s) for s in (self.neg, self.pos))
        return fpr, tpr

    def threshold_at_fpr(self, fpr: ArrayLike) -> FloatArray:
        """Return the highest score attained by at least this proportion of negatives; inf at 0."""
        n = len(self.neg)
        rank = np.ceil(np.asarray(fpr, dtype=np.float64) * n - 1e-9).astype(np.int64)
        return np.where(rank >= 1, self.neg[np.clip(n - rank, 0, n - 1)], np.inf)

    @cached_property
    def support(self) -> FloatArray:
        """Distinct scores of the population."""
        return np.unique(np.concatenate([self.pos, self.neg]))

    @cached_property
    def _vertices(self) -> Draw:
        at = self.support[::-1]
        fpr, tpr = self.rates(at)
        return np.concatenate([[0.0], fpr]), np.concatenate([[0.0], tpr])

    def curve(self, knots: FloatArray) -> Draw:  # noqa: ARG002
        """Return the vertices of the empirical curve of the population."""
        return self._vertices

    @cached_property
    def auc(self) -> float:
        """True AUC, ties counting one half."""
        x, y = self._vertices
        return float(np.trapezoid(y, x))
