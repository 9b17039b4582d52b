"""A population of a probit regression (Bertail, Clémençon & Vayatis 2008)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from confroc.auditing.populations import Draw, invert_decreasing, smooth_curve
from confroc_lab._errors import invalid
from confroc_lab._types import FloatArray


@dataclass(frozen=True)
class Probit:
    """One normal covariate X and a class that is positive when β₀ + β₁X + ε > 0 (Bertail et al. 2008).

    The score is X itself: with β₁ > 0 every fitted probit model ranks the cases the same way.
    """

    intercept: float = 1.0
    slope: float = 1.0

    def __post_init__(self) -> None:
        if not self.slope > 0.0:
            raise invalid("slope", "be positive", self.slope, "Turn the covariate round.")

    @property
    def support(self) -> FloatArray | None:
        """None: scores are continuous."""
        return None

    @property
    def share(self) -> float:
        """Prevalence."""
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
        # X >= t and a positive latent variable: both standardized, with correlation slope / spread.
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
