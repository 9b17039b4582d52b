"""Populations whose truth is known: what a coverage study draws samples from.

A population draws many samples at once and knows its own rates at every threshold, so that an interval
can be held against the truth. One-model populations are built from a distribution for each class
(`TwoDistributions`), or from a large sample resampled; `NormalPair` and `CopulaPair` have two
correlated models, `NormalModels` any number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from confroc._calls import public
from confroc._check import ArgumentError, ArgumentTypeError, check_number, check_rate
from confroc._types import FloatArray
from confroc.lab.distributions import Distribution, Normal, invert_decreasing
from confroc.scores import Scores

Draw: TypeAlias = tuple[FloatArray, FloatArray]


class Population(Hashable, Protocol):
    """One model's scores in both classes."""

    @property
    def share(self) -> float:
        """Share of positives, used when samples are drawn from both classes together."""
        ...

    @property
    def auc(self) -> float:
        """True area, ties counting one half."""
        ...

    @property
    def support(self) -> FloatArray | None:
        """The distinct scores, increasing, where there are but countably many."""
        ...

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int, reps: int) -> Draw:
        """Return scores of positives and negatives, shapes (reps, n_pos) and (reps, n_neg)."""
        ...

    def rates(self, threshold: ArrayLike) -> Draw:
        """Return the true (FPR, TPR) when cases with score >= threshold are called positive."""
        ...

    def threshold_at_fpr(self, fpr: ArrayLike) -> FloatArray:
        """Return the threshold with this true false positive rate."""
        ...

    def curve(self, knots: FloatArray) -> Draw:
        """Return vertices (FPR, TPR) of the true curve, those at `knots` among them."""
        ...


@public
def threshold_at_positive_rate(population: Population, rate: ArrayLike, share: float) -> FloatArray:
    """Threshold at which a given share of all cases is called positive.

    Parameters
    ----------
    population : Population
    rate : array-like of shape (h,)
        In (0, 1).
    share : float
        Share of positives among the cases.

    Examples
    --------
    >>> from confroc.lab import binormal, threshold_at_positive_rate
    >>> t = threshold_at_positive_rate(binormal(5.0, -5.0, 3.75, 3.0), [0.2], 0.5)
    >>> t.round(4), [r.round(7) for r in binormal(5.0, -5.0, 3.75, 3.0).rates(t)]
    (array([5.9513]), [array([0.0001309]), array([0.3998691])])
    """
    for needed in ("rates", "support", "threshold_at_fpr"):
        if not hasattr(population, needed):
            raise ArgumentTypeError("population", "be a population", population, "Try `binormal(1.0)`.")
    wanted = check_rate("rate", rate)
    if not 0.0 < check_number("share", share) < 1.0:
        raise ArgumentError("share", "lie strictly between 0 and 1", share, "Try 0.5.")
    if not ((wanted > 0.0) & (wanted < 1.0)).all():
        raise ArgumentError("rate", "lie strictly between 0 and 1", rate, "Try 0.1.")

    def called(t: FloatArray) -> FloatArray:
        fpr, tpr = population.rates(t)
        return share * tpr + (1.0 - share) * fpr

    if population.support is not None:
        # The highest score at which enough are called.
        reached = called(population.support)
        return population.support[np.maximum(np.searchsorted(-reached, -wanted, side="right") - 1, 0)]
    # The threshold lies between those at which either class alone would have the rate.
    at_neg = population.threshold_at_fpr(wanted)
    spread = np.maximum(1.0, np.abs(at_neg))
    low, high = at_neg - spread, at_neg + spread
    for _ in range(60):
        low = np.where(called(low) < wanted, low - spread, low)
        high = np.where(called(high) >= wanted, high + spread, high)
        spread = 2.0 * spread
    return invert_decreasing(called, wanted, low, high)


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
"""False positive rates on which a smooth true curve is laid out, dense at both ends."""


def smooth_curve(tpr_at: Callable[[FloatArray], FloatArray], knots: FloatArray) -> Draw:
    """Lay a smooth curve out on the fine grid and at the knots."""
    x = np.union1d(FINE, knots)
    y = np.clip(tpr_at(x), 0.0, 1.0)
    # Exact at the end, where rounding leaves 1 - 1e-16.
    return x, np.where(x >= 1.0, 1.0, y)


@public
@dataclass(frozen=True)
class TwoDistributions:
    """Positives and negatives drawn from a distribution each.

    Attributes
    ----------
    pos, neg : Distribution
    share : float
        Share of positives.
    """

    pos: Distribution
    neg: Distribution
    share: float = 0.5

    @property
    def support(self) -> FloatArray | None:
        """None: scores are continuous."""
        return None

    def __post_init__(self) -> None:
        if not 0.0 < check_number("share", self.share) < 1.0:
            raise ArgumentError("share", "lie strictly between 0 and 1", self.share, "Try 0.5.")

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int, reps: int) -> Draw:
        """Return scores of positives and negatives, one row per sample."""
        return self.pos.draw(rng, (reps, n_pos)), self.neg.draw(rng, (reps, n_neg))

    def placed(self, pos: FloatArray, neg: FloatArray) -> Draw:
        """Return the scores that are exceeded with these probabilities, of each class."""
        return self.pos.threshold(pos), self.neg.threshold(neg)

    def rates(self, threshold: ArrayLike) -> Draw:
        """Return the true (FPR, TPR)."""
        return self.neg.survival(threshold), self.pos.survival(threshold)

    def threshold_at_fpr(self, fpr: ArrayLike) -> FloatArray:
        """Return the threshold with this true false positive rate."""
        return self.neg.threshold(fpr)

    def curve(self, knots: FloatArray) -> Draw:
        """Return vertices of the true curve."""
        return smooth_curve(lambda x: self.pos.survival(self.neg.threshold(x)), knots)

    @cached_property
    def auc(self) -> float:
        """True area; exact for normal scores, by Gauss's rule otherwise."""
        if isinstance(self.pos, Normal) and isinstance(self.neg, Normal):
            return float(special.ndtr((self.pos.mean - self.neg.mean) / math.hypot(self.pos.sd, self.neg.sd)))
        # Graded panels: the curve may be steep at both ends.
        edges = np.concatenate(
            [[0.0], 2.0 ** np.arange(-60.0, 0.0), 1.0 - 2.0 ** np.arange(-2.0, -50.0, -1.0), [1.0]]
        )
        nodes, weights = np.polynomial.legendre.leggauss(20)
        half = np.diff(edges)[:, None] / 2.0
        x = edges[:-1, None] + half * (nodes + 1.0)
        return float(np.sum(half * weights * self.pos.survival(self.neg.threshold(x))))


@public
@dataclass(frozen=True)
class TiedDistributions(TwoDistributions):
    """Two distributions whose scores are rounded to multiples of `step`, so that cases tie.

    The true curve is the polyline through the operating points of all thresholds.
    """

    step: float = 1.0

    def _round(self, values: FloatArray) -> FloatArray:
        return self.step * np.floor(values / self.step + 0.5) + 0.0

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int, reps: int) -> Draw:
        """Return scores of positives and negatives, one row per sample."""
        pos, neg = super().draw(rng, n_pos, n_neg, reps)
        return self._round(pos), self._round(neg)

    def placed(self, pos: FloatArray, neg: FloatArray) -> Draw:
        """Return the rounded scores of cases whose scores are exceeded with these probabilities."""
        pos, neg = super().placed(pos, neg)
        return self._round(pos), self._round(neg)

    @cached_property
    def _multiples(self) -> FloatArray:
        ends = [float(of.threshold(p)) for of in (self.pos, self.neg) for p in (1e-15, 1.0 - 1e-15)]
        return np.arange(math.floor(min(ends) / self.step) - 1.0, math.ceil(max(ends) / self.step) + 2.0)

    @property
    def support(self) -> FloatArray:
        """The multiples of `step` that scores take, but for a chance of 1e-15."""
        return self.step * self._multiples + 0.0

    @cached_property
    def _at_support(self) -> Draw:
        # A rounded score reaches a multiple when the score reaches half a step below it.
        fpr, tpr = super().rates((self._multiples - 0.5) * self.step)
        return np.append(fpr, 0.0), np.append(tpr, 0.0)

    def rates(self, threshold: ArrayLike) -> Draw:
        """Return the true (FPR, TPR)."""
        row = np.searchsorted(self.support, np.asarray(threshold, dtype=np.float64))
        return self._at_support[0][row], self._at_support[1][row]

    def threshold_at_fpr(self, fpr: ArrayLike) -> FloatArray:
        """Return the highest multiple of `step` with at least this true false positive rate; inf at 0."""
        p = np.asarray(fpr, dtype=np.float64)
        row = np.searchsorted(-self._at_support[0], -p, side="right") - 1
        return np.append(self.support, np.inf)[np.maximum(row, 0)]

    @cached_property
    def _vertices(self) -> Draw:
        fpr, tpr = self._at_support
        return np.append(fpr[::-1], 1.0), np.append(tpr[::-1], 1.0)

    def curve(self, knots: FloatArray) -> Draw:  # noqa: ARG002
        """Return the vertices of the true curve, which joins them by straight lines."""
        return self._vertices

    @cached_property
    def auc(self) -> float:
        """True area under the polyline: ties count one half."""
        x, y = self._vertices
        return float(np.trapezoid(y, x))


@public
def binormal(
    mean_pos: float, mean_neg: float = 0.0, sd_pos: float = 1.0, sd_neg: float = 1.0
) -> TwoDistributions:
    """Return a binormal population."""
    given = {"mean_pos": mean_pos, "sd_pos": sd_pos, "mean_neg": mean_neg, "sd_neg": sd_neg}
    checked = {name: check_number(name, value) for name, value in given.items()}
    return TwoDistributions(
        Normal(checked["mean_pos"], checked["sd_pos"]), Normal(checked["mean_neg"], checked["sd_neg"])
    )


@public
def binormal_with_auc(auc: float, *, sd: float = 1.0, share: float = 0.5) -> TwoDistributions:
    """Return an equal-spread binormal population with this area (Morin 2018 takes sd = 1/√2).

    Examples
    --------
    >>> from confroc.lab import binormal_with_auc
    >>> round(binormal_with_auc(0.7, sd=0.5**0.5).pos.mean, 4)
    0.5244
    """
    area, sd = check_number("auc", auc), check_number("sd", sd)
    if not 0.0 < area < 1.0:
        raise ArgumentError("auc", "lie strictly between 0 and 1", auc, "Try 0.8.")
    return TwoDistributions(
        Normal(float(special.ndtri(area)) * math.sqrt(2.0) * sd, sd), Normal(0.0, sd), share
    )


@public
@dataclass(frozen=True, eq=False)
class SamplePopulation:
    """A large sample taken as the population: samples are drawn from it with replacement.

    Attributes
    ----------
    pos, neg : ndarray
        Scores of its positives and negatives, in increasing order.
    """

    pos: FloatArray
    neg: FloatArray

    @classmethod
    @public
    def of(cls, scores: Scores) -> SamplePopulation:
        """Take the cases behind a `Scores` as the population."""
        pos, neg = (np.repeat(scores.score, count)[::-1].copy() for count in (scores.pos, scores.neg))
        return cls(pos, neg)

    @property
    def share(self) -> float:
        """Share of positives."""
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
        """Return the highest score that at least this share of negatives reach; inf at 0."""
        n = len(self.neg)
        rank = np.ceil(np.asarray(fpr, dtype=np.float64) * n - 1e-9).astype(np.int64)
        return np.where(rank >= 1, self.neg[np.clip(n - rank, 0, n - 1)], np.inf)

    @cached_property
    def support(self) -> FloatArray:
        """The population's distinct scores."""
        return np.unique(np.concatenate([self.pos, self.neg]))

    @cached_property
    def _vertices(self) -> Draw:
        at = self.support[::-1]
        fpr, tpr = self.rates(at)
        return np.concatenate([[0.0], fpr]), np.concatenate([[0.0], tpr])

    def curve(self, knots: FloatArray) -> Draw:  # noqa: ARG002
        """Return the vertices of the population's own empirical curve."""
        return self._vertices

    @cached_property
    def auc(self) -> float:
        """True area, ties counting one half."""
        x, y = self._vertices
        return float(np.trapezoid(y, x))


def exchanged(population: Population) -> TwoDistributions | SamplePopulation:
    """Return the same population with the classes exchanged, so that its curve is mirrored."""
    if isinstance(population, TwoDistributions):
        return replace(population, pos=population.neg, neg=population.pos, share=1.0 - population.share)
    if isinstance(population, SamplePopulation):
        return SamplePopulation(population.neg, population.pos)
    remedy = "Use a `TwoDistributions`, a `TiedDistributions` or a `SamplePopulation`."
    raise ArgumentTypeError("population", "have classes to exchange", type(population).__name__, remedy)


@public
@dataclass(frozen=True)
class NormalPair:
    """Two models whose scores are normal and correlated within each class.

    Attributes
    ----------
    mean_pos, mean_neg : (float, float)
        Means of the scores of model a and of model b.
    sd_pos, sd_neg : float
        Standard deviations, the same for both models.
    correlation : float
        Of the two models' scores of one case, within its class.
    """

    mean_pos: tuple[float, float]
    mean_neg: tuple[float, float]
    sd_pos: float
    sd_neg: float
    correlation: float
    share: float = 0.5

    def __post_init__(self) -> None:
        if not -1.0 < self.correlation < 1.0:
            raise ArgumentError("correlation", "lie strictly between -1 and 1", self.correlation, "Try 0.6.")

    @property
    def a(self) -> TwoDistributions:
        """Model a by itself."""
        return self._model(0)

    @property
    def b(self) -> TwoDistributions:
        """Model b by itself."""
        return self._model(1)

    def _model(self, i: int) -> TwoDistributions:
        pos, neg = Normal(self.mean_pos[i], self.sd_pos), Normal(self.mean_neg[i], self.sd_neg)
        return TwoDistributions(pos, neg, self.share)

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int, reps: int) -> Draw:
        """Return scores of positives and negatives, shapes (reps, n_pos, 2) and (reps, n_neg, 2)."""
        drawn = []
        for mean, sd, n in ((self.mean_pos, self.sd_pos, n_pos), (self.mean_neg, self.sd_neg, n_neg)):
            z = rng.standard_normal((reps, n, 2))
            z[..., 1] *= math.sqrt(1.0 - self.correlation**2)
            z[..., 1] += self.correlation * z[..., 0]
            z *= sd
            z += mean
            drawn.append(z)
        return drawn[0], drawn[1]


@public
@dataclass(frozen=True)
class CopulaPair:
    """Two models with populations of their own whose scores of one case depend as correlated normals do.

    Attributes
    ----------
    a, b : TwoDistributions
        Each model by itself, rounded scores included.
    correlation : float
        Of the two normal scores behind one case's scores, within its class.
    share : float
        Share of positives.
    """

    a: TwoDistributions
    b: TwoDistributions
    correlation: float
    share: float = 0.5

    def __post_init__(self) -> None:
        if not -1.0 < self.correlation < 1.0:
            raise ArgumentError("correlation", "lie strictly between -1 and 1", self.correlation, "Try 0.6.")

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int, reps: int) -> Draw:
        """Return scores of positives and negatives, shapes (reps, n_pos, 2) and (reps, n_neg, 2)."""
        normal = NormalPair((0.0, 0.0), (0.0, 0.0), 1.0, 1.0, self.correlation)
        pos, neg = (special.ndtr(-z) for z in normal.draw(rng, n_pos, n_neg, reps))
        for i, model in enumerate((self.a, self.b)):
            pos[..., i], neg[..., i] = model.placed(pos[..., i], neg[..., i])
        return pos, neg


@public
@dataclass(frozen=True)
class NormalModels:
    """Several models, or several groups of cases, whose scores are normal with the same spread.

    Attributes
    ----------
    areas : tuple of float
        True area of each.
    correlation : float
        Of two models' scores of one case, within its class.
    groups : bool
        Whether each has cases of its own: as many in every group, and no correlation.
    share : float
        Share of positives.
    """

    areas: tuple[float, ...]
    correlation: float = 0.0
    groups: bool = False
    share: float = 0.5

    def __post_init__(self) -> None:
        for area in self.areas:
            if not 0.0 < check_number("areas", area) < 1.0:
                raise ArgumentError("areas", "lie strictly between 0 and 1", area, "Try 0.8.")
        if len(self.areas) < 2:
            raise ArgumentError("areas", "be two or more", self.areas, "Use `binormal_with_auc` for one.")
        if not 0.0 <= self.correlation < 1.0:
            raise ArgumentError("correlation", "lie in [0, 1)", self.correlation, "Try 0.6.")
        if self.groups and self.correlation > 0.0:
            raise ArgumentError("correlation", "be 0 for groups", self.correlation, "Leave it out.")

    @property
    def means(self) -> FloatArray:
        """Means of the positives' scores; the negatives' are 0, and all standard deviations 1."""
        return math.sqrt(2.0) * np.asarray(special.ndtri(self.areas))

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int, reps: int) -> Draw:
        """Return scores of positives and negatives, shapes (reps, n_pos, k) and (reps, n_neg, k)."""
        drawn = []
        for mean, n in ((self.means, n_pos), (0.0, n_neg)):
            z = math.sqrt(1.0 - self.correlation) * rng.standard_normal((reps, n, len(self.areas)))
            if self.correlation > 0.0:
                z += math.sqrt(self.correlation) * rng.standard_normal((reps, n, 1))
            drawn.append(z + mean)
        return drawn[0], drawn[1]


AnyPopulation: TypeAlias = Population | NormalPair | CopulaPair | NormalModels
