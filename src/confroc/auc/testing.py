"""What a test of two areas is for, and how it is decided: by a standard error, or by two score intervals."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from scipy import special

from confroc._check import ArgumentError, check_choice, check_level
from confroc.auc.asymptotic import newcombe_ends, t_quantile
from confroc.distributions import normal_quantile
from confroc.influence import AreaEstimate
from confroc.results import Difference

Alternative: TypeAlias = Literal["two-sided", "less", "greater", "non-inferiority", "equivalence"]
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "less", "greater", "non-inferiority", "equivalence")
MARGIN_ALTERNATIVES = ("non-inferiority", "equivalence")

FARTHEST = 40.0
"""Standard errors beyond which the normal law holds nothing."""


@dataclass(frozen=True, kw_only=True, repr=False)
class AucDifference(Difference):
    """The difference of two areas, a − b, and the test of the chosen hypothesis.

    Attributes
    ----------
    alternative : {"two-sided", "less", "greater", "non-inferiority", "equivalence"}
        What `pvalue` is evidence for.
    margin : float or None
        The smallest difference that matters, for the last two.
    quantity, estimate, lower, upper, standard_error, statistic, pvalue, design, confidence_level, method,
    guarantee, notes, kind
        As in `Difference`. With "less" the interval is [−1, upper], with "greater" and "non-inferiority"
        [lower, 1] (a partial area's ends in the largest difference it can have); `confidence_level` is that
        of the interval as it stands.
    """

    alternative: Alternative = "two-sided"
    margin: float | None = None

    def __str__(self) -> str:
        text = super().__str__()
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
            Takes the difference under a null hypothesis; returns how many standard errors the estimate lies
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
    rule = "lie strictly between 0 and 1" if needed else "be left out"
    remedy = (
        "Give the smallest difference that matters, e.g. 0.05."
        if needed
        else "Margins belong to alternative='non-inferiority' and 'equivalence'."
    )
    raise ArgumentError("margin", f"{rule} with alternative={alternative!r}", margin, remedy)


class TestedDifference(NamedTuple):
    """The ends of a central interval for a difference, and its test."""

    low: float
    high: float
    standard_error: float
    statistic: float
    pvalue: float


def by_standard_error(
    difference: float,
    se: float,
    df: float,
    hypothesis: Hypothesis,
    ends: tuple[float, float] | None = None,
) -> TestedDifference | None:
    """Interval and test by a normal law, or by Student's t with finite `df`.

    `ends` are those of another interval than the law's own. None when nothing varies.
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
    areas: tuple[AreaEstimate, AreaEstimate], scale: float, hypothesis: Hypothesis
) -> TestedDifference:
    """Two models' Newcombe intervals combined, for when the variance of their difference is unknown.

    Each arm of the difference is the root of the sum of the two models' squared arms (Newcombe 1998), which
    is right for independent samples and cautious for a pair that agrees. The standard error is half the
    interval one standard error wide to either side, so never zero; a test asks at how many standard errors
    the interval just reaches the null value. `scale` turns shares of the width into the result's units.
    """
    difference = scale * (areas[0].auc - areas[1].auc)

    def ends(z: float) -> tuple[float, float]:
        (down_a, up_a), (down_b, up_b) = (
            (e.auc - low, high - e.auc)
            for e in areas
            for low, high in [newcombe_ends(e.auc, e.n_pos, e.n_neg, z)]
        )
        down, up = math.hypot(down_a, up_b), math.hypot(up_a, down_b)
        return difference - scale * down, difference + scale * up

    def statistic(null: float) -> float:
        from scipy.optimize import brentq

        if difference == null:
            return 0.0
        above = difference > null

        def reach(z: float) -> float:
            return ends(z)[0] - null if above else null - ends(z)[1]

        z = FARTHEST if reach(FARTHEST) > 0.0 else float(brentq(reach, 0.0, FARTHEST))
        return z if above else -z

    low, high = ends(1.0)
    found = hypothesis.test(statistic)
    return TestedDifference(*ends(normal_quantile(hypothesis.central_level)), 0.5 * (high - low), *found)
