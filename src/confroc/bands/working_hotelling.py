"""Working-Hotelling bands around a binormal curve fitted by maximum likelihood."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from confroc._types import FloatArray
from confroc.bands.edges import Edges, edges_on_one_grid
from confroc.distributions import normal_quantile
from confroc.models import BinormalModel
from confroc.scores import Scores

GRID = special.ndtr(np.linspace(-8.0, 8.0, 1601))
"""False positive rates at equal steps of their normal deviate."""


def working_hotelling(scores: Scores, level: float, *, simultaneous: bool) -> Edges:
    """Edges Φ(a + b·x ± k·σ(x)) at x = Φ⁻¹(FPR) (Ma & Hall 1993; Macskassy & Provost 2004, eq. 1).

    σ²(x) = σ_a² + 2σ_ab·x + σ_b²·x². k = √(−2 ln(1 − level)), the root of a χ²₂ quantile, for all rates
    together; the normal quantile for one rate at a time.
    """
    model = BinormalModel.fit(scores)
    assert model.covariance is not None
    k = math.sqrt(-2.0 * math.log1p(-level)) if simultaneous else normal_quantile(level)
    (var_a, cov), (_, var_b) = model.covariance

    def edge(sign: float) -> tuple[FloatArray, FloatArray]:
        x = special.ndtri(GRID)
        line = model.a + model.b * x + sign * k * np.sqrt(var_a + 2.0 * cov * x + var_b * x * x)
        # Limits at the two ends: the sign of the slope there decides.
        ends = [-(model.b - sign * k * math.sqrt(var_b)), model.b + sign * k * math.sqrt(var_b)]
        y = special.ndtr(np.concatenate([[ends[0] * math.inf], line, [ends[1] * math.inf]]))
        return np.concatenate([[0.0], GRID, [1.0]]), y

    upper, lower = edge(1.0), edge(-1.0)
    return edges_on_one_grid(*upper, *lower)
