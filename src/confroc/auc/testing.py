"""What a test of two areas is for, and how it is decided: by a standard error, or by two score intervals."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from scipy import special

from confroc._check import ArgumentError, check_choice, check_level
from confroc._types import Ends
from confroc.auc.asymptotic import t_quantile
from confroc.distributions import normal_quantile, square_and_add_ends
from confroc.influence import AreaEstimate
from confroc.results import Difference

Alternative: TypeAlias = Literal["two-sided", "less", "greater", "non-inferiority", "equivalence"]
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "less", "greater", "non-inferiority", "equivalence")
MARGIN_ALTERNATIVES = ("non-inferiority", "equivalence")

FARTHEST = 37.0
"""Standard errors beyond which normal tails underflow."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class AucDifference(Difference):
    """The difference of two areas, a − b, and the test of the chosen hypothesis.

    Attributes
    ----------
    alternative : {"two-sided", "less", "greater", "non-inferiority", "equivalence"}
        What `pvalue` is evidence for.
    margin : float or None
        The smallest difference that matters, for the last two.
    quantity, estimate, lower, upper, standard_error, statistic, pvalue, least_pvalue, design,
    confidence_level, method, guarantee, notes, kind
        As in `Difference`. With "less" the interval is [−1, upper], with "greater" and "non-inferiority"
        [lower, 1] (a partial area's ends in the largest difference it can have); `confidence_level` is that
        of the interval as it stands.
    """

    alternative: Alternative = "two-sided"
    margin: float | None = None

    def _sentence(self) -> str:
        text = super()._sentence()
        if self.alternative == "two-sided":
            return text
        aim = self.alternative if self.margin is None else f"{self.alternative} within {self.margin:g}"
        return f"{text[:-1]}, {aim})"


class Hypothesis(NamedTuple):
    """What is tested, and so which ends the interval has."""

    alternative: Alternative
    margin: float | None
    level: float

    @property
    def two_ended(self) -> bool:
        """Whether the interval has both ends."""
        return self.alternative in ("two-sided", "equivalence")

    @property
    def central_level(self) -> float:
        """Level of the two-sided interval whose ends are wanted."""
        return self.level if self.two_ended else 2.0 * self.level - 1.0

    def test(self, statistic: Callable[[float], float], df: float = math.inf) -> tuple[float, float]:
        """Statistic and p-value; normal, or Student's t with finite `df`.

        Parameters
        ----------
        statistic : callable
            Accepts the difference under a null hypothesis; returns how many standard errors the estimate lies
            above it.
        df : float
        """

        def upper_tail(t: float) -> float:
            return float(special.ndtr(-t) if math.isinf(df) else special.stdtr(df, -t))

        if self.margin is None:
            t = statistic(0.0)
            if self.alternative == "two-sided":
                return t, 2.0 * upper_tail(abs(t))
            return t, upper_tail(t if self.alternative == "greater" else -t)
        above, below = statistic(-self.margin), statistic(self.margin)
        if self.alternative == "non-inferiority" or above < -below:
            return above, upper_tail(above)
        # The weaker of the two one-sided tests decides (Schuirmann 1987).
        return below, upper_tail(-below)

    def ends(self, low: float, high: float, most: float = 1.0) -> tuple[float, float]:
        """Cut to [−most, most] and open the side that a one-sided hypothesis leaves free."""
        if self.alternative == "less":
            return -most, min(most, high)
        if not self.two_ended:
            return max(-most, low), most
        return max(-most, low), min(most, high)


def check_hypothesis(alternative: Alternative, margin: float | None, confidence_level: float) -> Hypothesis:
    """Return the hypothesis after checking that a margin is there exactly when it is needed."""
    check_choice("alternative", alternative, ALTERNATIVES)
    level = check_level(confidence_level)
    return Hypothesis(alternative, check_margin(alternative, margin), level)


def check_margin(alternative: str, margin: float | None) -> float | None:
    """Return the margin, which must be there exactly when it is needed."""
    needed = alternative in MARGIN_ALTERNATIVES
    if not needed and margin is None:
        return None
    if needed and isinstance(margin, int | float) and 0.0 < margin < 1.0:
        return float(margin)
    rule = "lie strictly between 0 and 1 for 'non-inferiority' and 'equivalence', and be left out otherwise"
    raise ArgumentError("margin", rule, margin, "Give the smallest difference that matters, e.g. 0.05.")


class TestedDifference(NamedTuple):
    """The ends of a central interval for a difference, and its test."""

    low: float
    high: float
    standard_error: float
    statistic: float
    pvalue: float
    least_pvalue: float = 0.0


def by_standard_error(
    difference: float,
    se: float,
    df: float,
    hypothesis: Hypothesis,
    ends: tuple[float, float] | None = None,
) -> TestedDifference | None:
    """Interval and test by a normal distribution, or by Student's t with finite `df`.

    `ends` are those of another interval than that of the distribution. None when nothing varies.
    """
    if not se > 0.0:
        return None
    level = hypothesis.central_level
    reach = (normal_quantile(level) if math.isinf(df) else float(t_quantile(df, level))) * se
    low, high = (difference - reach, difference + reach) if ends is None else ends
    if not high - low > 1e-12:
        return None
    return TestedDifference(low, high, se, *hypothesis.test(lambda null: (difference - null) / se, df))


def square_and_add(
    areas: tuple[AreaEstimate, AreaEstimate],
    scale: float,
    hypothesis: Hypothesis,
    ends_at: Callable[[float], Ends],
    correlation: float = 0.0,
) -> TestedDifference:
    """Two models' score intervals combined, their arms squared and added as `square_and_add_ends` does.

    `ends_at` gives both intervals, in arrays of two, at a normal quantile. The standard error is half the
    interval one standard error wide to either side, so never zero; the statistic is the number of standard
    errors at which the interval just reaches the null value, so p-value and interval agree at every level.
    `scale` turns shares of the width into the result's units.
    """
    aucs = areas[0].auc, areas[1].auc
    difference = scale * (aucs[0] - aucs[1])
    # What two fully correlated areas may differ by for each standard error.
    apart = abs(math.sqrt(areas[0].variance) - math.sqrt(areas[1].variance)) if correlation > 0.0 else 0.0

    def ends(z: float) -> tuple[float, float]:
        (low_a, low_b), (high_a, high_b) = ends_at(z)
        low, high = square_and_add_ends(aucs, ((low_a, high_a), (low_b, high_b)), correlation, z * apart)
        return scale * float(low), scale * float(high)

    low, high = ends(1.0)

    def statistic(null: float) -> float:
        from scipy.optimize import brentq

        if difference == null:
            return 0.0
        above = difference > null

        def reach(z: float) -> float:
            return ends(z)[0] - null if above else null - ends(z)[1]

        if not reach(0.0) > 0.0:
            # No further away than rounding.
            return 0.0
        most = min(FARTHEST, 4.0 * abs(difference - null) / (high - low))
        while reach(most) > 0.0:
            if most == FARTHEST:
                return FARTHEST if above else -FARTHEST
            most = min(FARTHEST, 2.0 * most)
        z = float(brentq(reach, 0.0, most))
        return z if above else -z

    found = hypothesis.test(statistic)
    return TestedDifference(*ends(normal_quantile(hypothesis.central_level)), 0.5 * (high - low), *found)
