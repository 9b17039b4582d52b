"""Working-Hotelling bands around a binormal curve fitted by maximum likelihood."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from confroc._types import FloatArray
from confroc.bands.base import ONE_RATE, BandMethod, BandOutcome
from confroc.bands.edges import FprRange, edges_on_one_grid
from confroc.base import method_class
from confroc.distributions import normal_quantile
from confroc.models import BinormalModel
from confroc.scores import Scores

GRID = special.ndtr(np.linspace(-8.0, 8.0, 1601))
"""False positive rates at equal steps of their normal deviate."""


@method_class
class WorkingHotelling(BandMethod):
    """Working–Hotelling band.

    Hyperbolic band around the binormal curve fitted by maximum likelihood (Ma & Hall 1993; Macskassy &
    Provost 2004, eq. 1).
    """

    name = "working_hotelling"
    papers = ("ma1993", "macskassy2004")
    caution = "Valid only if the true curve is binormal."

    def multiple(self, level: float) -> float:
        """Return the half-width in standard deviations, √(−2 ln(1 − level)), the root of a χ²₂ quantile."""
        return math.sqrt(-2.0 * math.log1p(-level))

    def band(self, data: Scores, level: float, fpr_range: FprRange) -> BandOutcome:  # noqa: ARG002
        """Edges Φ(a + b·x ± k·σ(x)) at x = Φ⁻¹(FPR), where σ²(x) = σ_a² + 2σ_ab·x + σ_b²·x²."""
        model, k = BinormalModel.fit(data), self.multiple(level)
        assert model.covariance is not None
        (var_a, cov), (_, var_b) = model.covariance

        def edge(sign: float) -> tuple[FloatArray, FloatArray]:
            x = special.ndtri(GRID)
            line = model.a + model.b * x + sign * k * np.sqrt(var_a + 2.0 * cov * x + var_b * x * x)
            # Limits at the two ends depend on the sign of the slope.
            ends = [-(model.b - sign * k * math.sqrt(var_b)), model.b + sign * k * math.sqrt(var_b)]
            y = special.ndtr(np.concatenate([[ends[0] * math.inf], line, [ends[1] * math.inf]]))
            return np.concatenate([[0.0], GRID, [1.0]]), y

        upper, lower = edge(1.0), edge(-1.0)
        return BandOutcome(edges_on_one_grid(*upper, *lower))


@method_class
class WorkingHotellingPointwise(WorkingHotelling):
    """Working–Hotelling intervals.

    Pointwise intervals around the binormal curve fitted by maximum likelihood.
    """

    name = "working_hotelling_pointwise"
    serves = (("roc", "band"),)
    caution = ONE_RATE
    kind = "pointwise"

    def multiple(self, level: float) -> float:
        """Return the half-width in standard deviations, the normal quantile."""
        return normal_quantile(level)
