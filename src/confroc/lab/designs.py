"""Populations of particular designs: a probit regression, a sample resampled, two models."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from confroc._check import ArgumentError
from confroc._types import FloatArray
from confroc.lab.laws import Normal, invert_decreasing
from confroc.lab.populations import Draw, Population, TwoLaws, smooth_curve
from confroc.scores import Scores


@dataclass(frozen=True)
class Probit:
    """One normal covariate X and a class that is positive when β₀ + β₁X + ε > 0 (Bertail et al. 2008).

    The score is X itself: with β₁ > 0 every fitted probit model ranks the cases the same way.
    """

    intercept: float = 1.0
    slope: float = 1.0

    def __post_init__(self) -> None:
        if not self.slope > 0.0:
            raise ArgumentError("slope", "be positive", self.slope, "Turn the covariate round.")

    @property
    def support(self) -> FloatArray | None:
        """None: scores are continuous."""
        return None

    @property
    def share(self) -> float:
        """Share of positives."""
        return float(special.ndtr(self.intercept / math.hypot(1.0, self.slope)))

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int, reps: int) -> Draw:
        """Return scores of positives and negatives, one row per sample."""
        spread = math.hypot(1.0, self.slope)
        drawn = []
        for positive, n in ((True, n_pos), (False, n_neg)):
            # The latent variable, normal and cut at zero; then X given it.
            p = self.share if positive else 1.0 - self.share
            tail = special.ndtri(p * (1.0 - rng.random((reps, n))))
            latent = self.intercept - spread * tail if positive else self.intercept + spread * tail
            mean = self.slope / spread**2 * (latent - self.intercept)
            drawn.append(mean + rng.standard_normal((reps, n)) / spread)
        return drawn[0], drawn[1]

    def rates(self, threshold: ArrayLike) -> Draw:
        """Return the true (FPR, TPR)."""
        t = np.asarray(threshold, dtype=np.float64)
        spread = math.hypot(1.0, self.slope)
        above = special.ndtr(-t)
        # X >= t and a positive latent variable: both standardised, with correlation slope / spread.
        both = _both_below(-t, np.full_like(t, self.intercept / spread), self.slope / spread)
        return np.clip((above - both) / (1.0 - self.share), 0.0, 1.0), np.clip(both / self.share, 0.0, 1.0)

    def threshold_at_fpr(self, fpr: ArrayLike) -> FloatArray:
        """Return the threshold with this true false positive rate."""
        p = np.asarray(fpr, dtype=np.float64)
        found = invert_decreasing(lambda t: self.rates(t)[0], p, np.array(-12.0), np.array(12.0))
        return np.where(p <= 0.0, np.inf, np.where(p >= 1.0, -np.inf, found))

    @cached_property
    def _table(self) -> Draw:
        """The curve on a fine grid of thresholds: a chord is off by less than 1e-7."""
        fpr, tpr = self.rates(np.linspace(12.0, -12.0, 40_001))
        return fpr, tpr

    def curve(self, knots: FloatArray) -> Draw:
        """Return vertices of the true curve."""
        return smooth_curve(lambda x: np.interp(x, *self._table), knots)

    @cached_property
    def auc(self) -> float:
        """True area."""
        fpr, tpr = self._table
        return float(np.trapezoid(tpr, fpr))


def _both_below(h: FloatArray, k: FloatArray, rho: float) -> FloatArray:
    """P(U <= h, V <= k) for standard normals with correlation rho, by Owen's T function (Owen 1956)."""
    # Infinite and zero arguments are limits that a tiny shift reaches within rounding.
    h = np.clip(np.where(h == 0.0, 1e-15, h), -39.0, 39.0)
    k = np.clip(np.where(k == 0.0, 1e-15, k), -39.0, 39.0)
    root = math.sqrt(1.0 - rho * rho)
    t_h = special.owens_t(h, (k / h - rho) / root)
    t_k = special.owens_t(k, (h / k - rho) / root)
    return np.asarray(0.5 * (special.ndtr(h) + special.ndtr(k)) - t_h - t_k - np.where(h * k < 0.0, 0.5, 0.0))


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
    def a(self) -> TwoLaws:
        """Model a by itself."""
        return TwoLaws(
            Normal(self.mean_pos[0], self.sd_pos), Normal(self.mean_neg[0], self.sd_neg), self.share
        )

    @property
    def b(self) -> TwoLaws:
        """Model b by itself."""
        return TwoLaws(
            Normal(self.mean_pos[1], self.sd_pos), Normal(self.mean_neg[1], self.sd_neg), self.share
        )

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


AnyPopulation: TypeAlias = Population | NormalPair
