"""Populations with known true rates, from which a study draws samples.

A population of one model has a distribution for each class (`TwoDistributions`), or is a large sample that is
resampled (`confroc.auditing.SamplePopulation`); `NormalPair` and `CopulaPair` have two correlated models,
`NormalModels` any number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from confroc.auditing.populations import Draw, Population, SamplePopulation, smooth_curve
from confroc_lab._errors import invalid
from confroc_lab._types import FloatArray
from confroc_lab.distributions import Distribution, Normal


@dataclass(frozen=True)
class TwoDistributions:
    """Positives and negatives with one distribution each.

    Attributes
    ----------
    pos, neg : Distribution
    share : float
        Prevalence.
    """

    pos: Distribution
    neg: Distribution
    share: float = 0.5

    @property
    def support(self) -> FloatArray | None:
        """None: scores are continuous."""
        return None

    def __post_init__(self) -> None:
        if not 0.0 < self.share < 1.0:
            raise invalid("share", "lie strictly between 0 and 1", self.share, "Try 0.5.")

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int, reps: int) -> Draw:
        """Return scores of positives and negatives, one row per sample."""
        return self.pos.draw(rng, (reps, n_pos)), self.neg.draw(rng, (reps, n_neg))

    def placed(self, pos: FloatArray, neg: FloatArray) -> Draw:
        """Return the scores of each class that are exceeded with these probabilities."""
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
        """True area; exact for normal scores, otherwise by Gauss's rule."""
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
        """Multiples of `step` that scores take, except with probability 1e-15."""
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


def binormal(
    mean_pos: float, mean_neg: float = 0.0, sd_pos: float = 1.0, sd_neg: float = 1.0
) -> TwoDistributions:
    """Return a binormal population."""
    return TwoDistributions(Normal(mean_pos, sd_pos), Normal(mean_neg, sd_neg))


def binormal_with_auc(auc: float, *, sd: float = 1.0, share: float = 0.5) -> TwoDistributions:
    """Return an equal-spread binormal population with this area (Morin 2018 uses sd = 1/√2).

    Examples
    --------
    >>> from confroc_lab import binormal_with_auc
    >>> round(binormal_with_auc(0.7, sd=0.5**0.5).pos.mean, 4)
    0.5244
    """
    if not 0.0 < auc < 1.0:
        raise invalid("auc", "lie strictly between 0 and 1", auc, "Try 0.8.")
    return TwoDistributions(
        Normal(float(special.ndtri(auc)) * math.sqrt(2.0) * sd, sd), Normal(0.0, sd), share
    )


def exchanged(population: Population) -> TwoDistributions | SamplePopulation:
    """Return the same population with the classes exchanged, so that its curve is mirrored."""
    if isinstance(population, TwoDistributions):
        return replace(population, pos=population.neg, neg=population.pos, share=1.0 - population.share)
    if isinstance(population, SamplePopulation):
        return SamplePopulation(population.neg, population.pos)
    remedy = "Use a `TwoDistributions`, a `TiedDistributions` or a `SamplePopulation`."
    raise invalid("population", "have classes to exchange", type(population).__name__, remedy)


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
            raise invalid("correlation", "lie strictly between -1 and 1", self.correlation, "Try 0.6.")

    @property
    def a(self) -> TwoDistributions:
        """Model a separately."""
        return self._model(0)

    @property
    def b(self) -> TwoDistributions:
        """Model b separately."""
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


@dataclass(frozen=True)
class CopulaPair:
    """Two models with separate populations, coupled by a Gaussian copula of the scores of a case.

    Attributes
    ----------
    a, b : TwoDistributions
        Each model separately, rounded scores included.
    correlation : float
        Of the two normal scores behind one case's scores, within its class.
    share : float
        Prevalence.
    """

    a: TwoDistributions
    b: TwoDistributions
    correlation: float
    share: float = 0.5

    def __post_init__(self) -> None:
        if not -1.0 < self.correlation < 1.0:
            raise invalid("correlation", "lie strictly between -1 and 1", self.correlation, "Try 0.6.")

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int, reps: int) -> Draw:
        """Return scores of positives and negatives, shapes (reps, n_pos, 2) and (reps, n_neg, 2)."""
        normal = NormalPair((0.0, 0.0), (0.0, 0.0), 1.0, 1.0, self.correlation)
        pos, neg = (special.ndtr(-z) for z in normal.draw(rng, n_pos, n_neg, reps))
        for i, model in enumerate((self.a, self.b)):
            pos[..., i], neg[..., i] = model.placed(pos[..., i], neg[..., i])
        return pos, neg


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
        Whether each has separate cases: equal numbers in every group, and no correlation.
    share : float
        Prevalence.
    """

    areas: tuple[float, ...]
    correlation: float = 0.0
    groups: bool = False
    share: float = 0.5

    def __post_init__(self) -> None:
        for area in self.areas:
            if not 0.0 < area < 1.0:
                raise invalid("areas", "lie strictly between 0 and 1", area, "Try 0.8.")
        if len(self.areas) < 2:
            raise invalid("areas", "be two or more", self.areas, "Use `binormal_with_auc` for one.")
        if not 0.0 <= self.correlation < 1.0:
            raise invalid("correlation", "lie in [0, 1)", self.correlation, "Try 0.6.")
        if self.groups and self.correlation > 0.0:
            raise invalid("correlation", "be 0 for groups", self.correlation, "Leave it out.")

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
