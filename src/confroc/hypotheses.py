"""Tests of a difference, by a standard error or by two intervals."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from scipy import special

from confroc._check import ArgumentError, check_choice, check_level
from confroc._types import Ends, FloatArray, IntArray
from confroc.base import Outcome
from confroc.distributions import normal_quantile, square_and_add_ends, t_quantile

Alternative: TypeAlias = Literal["two-sided", "less", "greater", "non-inferiority", "equivalence"]
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "less", "greater", "non-inferiority", "equivalence")
MARGIN_ALTERNATIVES = ("non-inferiority", "equivalence")

FARTHEST = 1000.0
"""Largest number of standard errors that is computed; normal tails underflow at 38."""


class Hypothesis(NamedTuple):
    """The hypothesis, which determines the sides of the interval, and the multiplicity adjustment."""

    alternative: Alternative
    margin: float | None
    level: float
    tests: int = 1

    @property
    def two_ended(self) -> bool:
        """Whether the interval is two-sided."""
        return self.alternative in ("two-sided", "equivalence")

    @property
    def central_level(self) -> float:
        """Level of the two-sided interval whose ends agree with the test."""
        return self.level if self.alternative == "two-sided" else 2.0 * self.level - 1.0

    @property
    def interval_level(self) -> float:
        """Level of the interval: one-sided, or two-sided for two one-sided tests."""
        return round(self.central_level, 12) if self.alternative == "equivalence" else self.level

    def test(self, statistic: Callable[[float], Any], df: float = math.inf) -> tuple[Any, Any]:
        """Statistic and p-value; normal, or Student's t with finite `df`.

        Parameters
        ----------
        statistic : callable
            Accepts the difference under a null hypothesis; returns the number of standard errors between it
            and the estimate.
        df : float
        """

        def upper_tail(t: Any) -> Any:
            return special.ndtr(-t) if math.isinf(df) else special.stdtr(df, -t)

        if self.margin is None:
            t = statistic(0.0)
            if self.alternative == "two-sided":
                return t, 2.0 * upper_tail(abs(t))
            return t, upper_tail(t if self.alternative == "greater" else -t)
        above, below = statistic(-self.margin), statistic(self.margin)
        if self.alternative == "non-inferiority":
            return above, upper_tail(above)
        # Two one-sided tests (Schuirmann 1987).
        nearer = above < -below
        return np.where(nearer, above, below), upper_tail(np.where(nearer, above, -below))

    def opened(self, low: Any, high: Any, least: Any, most: Any) -> tuple[Any, Any]:
        """The limits, with the open side of a one-sided interval at its bound."""
        if self.alternative == "less":
            return least, high
        return low, high if self.two_ended else most


def check_hypothesis(alternative: Alternative, margin: float | None, confidence_level: float) -> Hypothesis:
    """Return the hypothesis; raise unless a margin is given exactly when needed."""
    check_choice("alternative", alternative, ALTERNATIVES)
    level = check_level(confidence_level)
    return Hypothesis(alternative, check_margin(alternative, margin), level)


def check_margin(alternative: str, margin: float | None) -> float | None:
    """Return the margin; raise unless it is given exactly when needed."""
    needed = alternative in MARGIN_ALTERNATIVES
    if not needed and margin is None:
        return None
    if needed and isinstance(margin, int | float) and 0.0 < margin < 1.0:
        return float(margin)
    rule = "lie strictly between 0 and 1 for 'non-inferiority' and 'equivalence', and be omitted otherwise"
    raise ArgumentError("margin", rule, margin, "Pass the smallest relevant difference, e.g. 0.05.")


def by_standard_error(
    difference: Any,
    se: Any,
    df: float,
    hypothesis: Hypothesis,
    ends: tuple[Any, Any] | None = None,
) -> Outcome | None:
    """Interval and test by a normal distribution, or by Student's t with finite `df`.

    `ends` replace the limits of that distribution. None if nothing varies.
    """
    if not np.any(se > 0.0):
        return None
    level = hypothesis.central_level
    half = (normal_quantile(level) if math.isinf(df) else float(t_quantile(df, level))) * se
    low, high = (difference - half, difference + half) if ends is None else ends
    if not np.any(high - low > 1e-12):
        return None
    statistic, pvalue = hypothesis.test(lambda null: (difference - null) / se, df)
    return Outcome(low, high, difference, se, statistic, pvalue)


def square_and_add(
    values: FloatArray,
    errors: FloatArray,
    scale: float,
    hypothesis: Hypothesis,
    ends_at: Callable[[FloatArray, IntArray], Ends],
    correlation: FloatArray,
) -> Outcome:
    """Square-and-add intervals from the score intervals of two models, for n pairs at once.

    `ends_at` returns the intervals of both models at one normal quantile per pair, of shape (2, m), for the
    given pairs. The standard error is half the length of the interval at z = 1, so it is never zero. The
    statistic is the z at which the interval just reaches the null value, so p-value and interval agree at
    every level; if none reaches it, the number of standard errors. `values` and their standard `errors`,
    needed if the values are correlated, have shape (2, n); `scale` converts values to the units of the
    result. See `square_and_add_ends`.
    """
    difference = scale * (values[0] - values[1])
    # Difference of two fully correlated values per standard error.
    common = np.where(correlation > 0.0, np.abs(errors[0] - errors[1]), 0.0)
    every = np.arange(len(difference))

    def ends(z: FloatArray, at: IntArray = every) -> Ends:
        (low_a, low_b), (high_a, high_b) = ends_at(z, at)
        both, own = (low_a, high_a), (low_b, high_b)
        low, high = square_and_add_ends(
            (values[0, at], values[1, at]), (both, own), correlation[at], z * common[at]
        )
        return scale * low, scale * high

    low, high = ends(np.ones(len(every)))

    def statistic(null: float) -> FloatArray:
        from scipy.optimize.elementwise import find_root

        above = difference > null

        def excess(z: FloatArray, at: IntArray) -> FloatArray:
            low, high = ends(z, at)
            return np.where(above[at], low - null, null - high)

        # Equal up to rounding.
        level = (difference == null) | ~(excess(np.zeros(len(every)), every) > 0.0)
        errors = 2.0 * np.abs(difference - null) / (high - low)
        most = np.where(level, 0.0, np.minimum(FARTHEST, 2.0 * errors))
        while ((beyond := ~level & (excess(most, every) > 0.0)) & (most < FARTHEST)).any():
            most = np.where(beyond, np.minimum(FARTHEST, 2.0 * most), most)
        inside = np.flatnonzero(~level & ~beyond)
        if len(inside):
            bracket = np.zeros(len(inside)), most[inside]
            most[inside] = find_root(excess, bracket, args=(inside,), tolerances={"xatol": 1e-12}).x
        most = np.where(beyond, errors, most)
        return np.where(above, most, -most)

    found, pvalue = hypothesis.test(statistic)
    lower, upper = ends(np.full(len(every), normal_quantile(hypothesis.central_level)))
    return Outcome(lower, upper, difference, 0.5 * (high - low), found, pvalue)
