"""What a study's test is, and its size and power by the normal formula."""

from __future__ import annotations

import math

from scipy import special

from confroc._check import ArgumentError, check_choice, check_level
from confroc.auc.study import MARGIN_SIDES, SIDES, Power, Question, Test
from confroc.distributions import normal_quantile

LARGEST = 10**9
"""Most positives that a study is planned for."""


def check_test(asked: Question, alternative: str, level: float, margin: float | None) -> Test:
    """Return the test; a margin is there exactly when it is needed, and only for two models."""
    check_choice("alternative", alternative, SIDES)
    check_level(1.0 - level)
    if alternative not in MARGIN_SIDES:
        if margin is not None:
            remedy = "Margins belong to alternative='non-inferiority' and 'equivalence'."
            raise ArgumentError("margin", f"be left out with alternative={alternative!r}", margin, remedy)
        return Test(alternative, float(level))  # type: ignore[arg-type]
    if not asked.two:
        raise ArgumentError(
            "alternative", "be 'two-sided' or 'one-sided' for one model", alternative, "Move `null_auc`."
        )
    if not (isinstance(margin, int | float) and 0.0 < margin < 1.0):
        remedy = "Give the smallest difference that matters, e.g. 0.05."
        raise ArgumentError("margin", "lie strictly between 0 and 1", margin, remedy)
    return Test(alternative, float(level), float(margin))  # type: ignore[arg-type]


def check_effect(asked: Question, test: Test) -> None:
    """Refuse to look for cases that no number of would do."""
    if test.margin is None and asked.effect == 0.0:
        raise ArgumentError("model", "differ from the null hypothesis", asked.effect, "Its power is fixed.")
    if test.margin is not None and not distances(asked, test)[0] > 0.0:
        remedy = "Widen the margin: no number of cases can show what is not so."
        raise ArgumentError(
            "margin", f"hold the difference of the areas, {asked.effect:g}", test.margin, remedy
        )


def critical_value(test: Test) -> float:
    """Normal quantile that a statistic must exceed."""
    tails = 2.0 if test.alternative == "two-sided" else 1.0
    return -float(special.ndtri(test.level / tails))


def distances(asked: Question, test: Test) -> tuple[float, ...]:
    """Distances from the null hypothesis; of equivalence, from both ends of the margin, the nearer first."""
    if test.margin is None:
        return (abs(asked.effect),)
    if test.alternative == "non-inferiority":
        return (asked.effect + test.margin,)
    return test.margin - abs(asked.effect), test.margin + abs(asked.effect)


def sizes_of(n_pos: int, ratio: float) -> tuple[int, int]:
    """Positives, and `ratio` times as many negatives, at least two."""
    return n_pos, max(2, math.ceil(n_pos * ratio - 1e-9))


def power_of(asked: Question, n_pos: float, ratio: float, test: Test) -> float:
    """Power of n₊ positives and `ratio` times as many negatives."""
    actual = math.sqrt(asked.actual.at(ratio))
    # Tests of a margin, like DeLong's, estimate the actual variance.
    null = actual if test.margin is not None else math.sqrt(asked.null.at(ratio))
    parts = [
        float(special.ndtr((math.sqrt(n_pos) * e - critical_value(test) * null) / actual))
        for e in distances(asked, test)
    ]
    # Both one-sided tests must reject: not both fail to, but for a chance that is nil where it matters.
    return max(0.0, sum(parts) - (len(parts) - 1))


def cases_needed(asked: Question, power: float | None, width: float | None, ratio: float, test: Test) -> int:
    """Fewest positives, with `ratio` times as many negatives, for a power or else for an interval's width."""
    if power is None:
        assert width is not None
        z = normal_quantile(1.0 - test.level)
        n = asked.actual.at(ratio) * (2.0 * z / width) ** 2
    else:
        low, high = 0.0, 2.0
        while power_of(asked, high, ratio, test) < power and high <= LARGEST:
            low, high = high, 2.0 * high
        # Fifty halvings exhaust the digits that matter to a whole number.
        for _ in range(50):
            middle = 0.5 * (low + high)
            enough = power_of(asked, middle, ratio, test) >= power
            low, high = (low, middle) if enough else (middle, high)
        n = high
    if n > LARGEST:
        raise ArgumentError("model", "need fewer than 10⁹ positives", n, "The effect or width is too small.")
    return max(2, math.ceil(n - 1e-6))


def by_formula(asked: Question, sizes: tuple[int, int], test: Test) -> Power:
    """Size and power of a study of so many positives and negatives."""
    n_pos, n_neg = sizes
    ratio = n_neg / n_pos
    actual = math.sqrt(asked.actual.at(ratio))
    return Power(
        n_pos=n_pos,
        n_neg=n_neg,
        power=power_of(asked, n_pos, ratio, test),
        width=min(2.0, 2.0 * normal_quantile(1.0 - test.level) * actual / math.sqrt(n_pos)),
        effect=asked.effect,
        significance_level=test.level,
        alternative=test.alternative,
        standard_error=0.0,
        method="asymptotic",
        margin=test.margin,
    )
