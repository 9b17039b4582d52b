"""Two models' score intervals combined, for when the variance of their difference cannot be estimated.

Each arm of the difference is the root of the sum of the two models' squared arms (Newcombe 1998), which is
right for independent samples and cautious for a pair that agrees.
"""

from __future__ import annotations

import math

from scipy import special

from confroc.auc.asymptotic import newcombe_ends
from confroc.auc.estimate import Estimate
from confroc.auc.hypothesis import Hypothesis
from confroc.distributions import normal_quantile

FARTHEST = 40.0
"""Standard errors beyond which the normal law holds nothing."""


class SquareAndAdd:
    """The combined interval of a difference: `scale` turns shares of the width into the result's units."""

    def __init__(self, estimates: tuple[Estimate, Estimate], scale: float) -> None:
        self.estimates, self.scale = estimates, scale
        self.difference = scale * (estimates[0].auc - estimates[1].auc)

    @property
    def standard_error(self) -> float:
        """Half the interval one standard error wide to either side: never zero."""
        low, high = self.ends(1.0)
        return 0.5 * (high - low)

    def ends(self, z: float) -> tuple[float, float]:
        """The interval z standard errors wide to either side."""
        arms = []
        for e in self.estimates:
            low, high = newcombe_ends(e.auc, e.n_pos, e.n_neg, z)
            arms.append((e.auc - low, high - e.auc))
        (down_a, up_a), (down_b, up_b) = arms
        down, up = math.hypot(down_a, up_b), math.hypot(up_a, down_b)
        return self.difference - self.scale * down, self.difference + self.scale * up

    def interval(self, level: float) -> tuple[float, float]:
        """The two-sided interval of a level."""
        return self.ends(normal_quantile(level))

    def distance(self, null: float) -> float:
        """Signed z at which the interval reaches `null`; positive when the estimate lies above it."""
        from scipy.optimize import brentq

        if self.difference == null:
            return 0.0
        above = self.difference > null

        def reach(z: float) -> float:
            return self.ends(z)[0] - null if above else null - self.ends(z)[1]

        z = FARTHEST if reach(FARTHEST) > 0.0 else float(brentq(reach, 0.0, FARTHEST))
        return z if above else -z

    def test(self, hypothesis: Hypothesis) -> tuple[float, float]:
        """Statistic and p-value: where the interval just reaches the null value."""
        if hypothesis.margin is not None:
            above, below = self.distance(-hypothesis.margin), self.distance(hypothesis.margin)
            weaker = hypothesis.alternative == "non-inferiority" or above < -below
            return (above, float(special.ndtr(-above))) if weaker else (below, float(special.ndtr(below)))
        z = self.distance(0.0)
        if hypothesis.alternative == "two-sided":
            return z, 2.0 * float(special.ndtr(-abs(z)))
        return z, float(special.ndtr(-z if hypothesis.alternative == "greater" else z))
