"""What a test of two areas is for: difference, non-inferiority or equivalence; and its result."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from scipy import special

from confroc._check import ArgumentError, check_choice, check_level
from confroc.results import Difference

Alternative: TypeAlias = Literal["two-sided", "less", "greater", "non-inferiority", "equivalence"]
ALTERNATIVES = ("two-sided", "less", "greater", "non-inferiority", "equivalence")
MARGIN_ALTERNATIVES = ("non-inferiority", "equivalence")


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

    def test(self, estimate: float, se: float, df: float = math.inf) -> tuple[float, float]:
        """Statistic and p-value from a standard error; normal, or Student's t with finite `df`."""

        def upper_tail(t: float) -> float:
            return float(special.ndtr(-t) if math.isinf(df) else special.stdtr(df, -t))

        if self.margin is None:
            t = estimate / se
            if self.alternative == "two-sided":
                return t, 2.0 * upper_tail(abs(t))
            return t, upper_tail(t if self.alternative == "greater" else -t)
        above, below = (estimate + self.margin) / se, (estimate - self.margin) / se
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


def check_hypothesis(alternative: str, margin: float | None, confidence_level: float) -> Hypothesis:
    """Return the hypothesis after checking that a margin is there exactly when it is needed."""
    check_choice("alternative", alternative, ALTERNATIVES)
    level = check_level(confidence_level)
    needed = alternative in MARGIN_ALTERNATIVES
    valid = margin is None if not needed else isinstance(margin, int | float) and 0.0 < margin < 1.0
    if not valid:
        rule = "lie strictly between 0 and 1" if needed else "be left out"
        remedy = (
            "Give the smallest difference that matters, e.g. 0.05."
            if needed
            else "Margins belong to alternative='non-inferiority' and 'equivalence'."
        )
        raise ArgumentError("margin", f"{rule} with alternative={alternative!r}", margin, remedy)
    return Hypothesis(alternative, None if margin is None else float(margin), level)  # type: ignore[arg-type]
