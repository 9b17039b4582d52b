"""Kernel bandwidths, and the cases of one class.

A bandwidth is the kernel's standard deviation, for any shape. `class_bandwidths` returns those of both
classes from a number, a pair of numbers, or the name of a rule:

* `reference`, 1.06·s·n^(−1/3), n^(−1/4) or n^(−1/5): for resampling from smooth classes (bands, rates).
* `normal_reference`, (4/n)^(1/3)·s: optimal for one normal distribution function (`KernelModel`).
* `derivative_reference`, s·(4/((2r + 3)n))^(1/(2r + 5)): for the r-th derivative of a normal density.
* `hall_hyndman_bandwidths`: optimal for the ROC curve of two normal classes (`KernelModel`, `tpr_at_fpr`).

References
----------
Bertail, Clémençon & Vayatis 2008, Theorem 2; Hall & Hyndman 2003, *Statistics & Probability Letters* 64,
181–189; Lloyd & Yong 1999, *Statistics & Probability Letters* 44, 221–228.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from confroc._check import ArgumentError, check_choice, check_number
from confroc._types import FloatArray, IntArray
from confroc.distributions import inner
from confroc.scores import Scores
from confroc.scores.counting import CHUNK
from confroc.scores.tables import CountTable, sum_equal

Rule: TypeAlias = Literal["curve", "density", "distribution", "hall_hyndman", "normal_reference"]
Bandwidth: TypeAlias = Rule | float | tuple[float, float]
Weight: TypeAlias = Literal["uniform", "density"]

KAPPA = 1.0 / math.sqrt(math.pi)
"""Twice the integral of u K(u) W(u), with K the Gaussian kernel and W its integral."""

DISTRIBUTION, CURVE, DENSITY = -1.0 / 3.0, -0.25, -0.2
"""Powers of n: optimum for a distribution function; one with n·h⁵·log²n → 0, for smooth curves; optimum for
a density, as in remark 2 of Bertail, Clémençon & Vayatis, which their theorem 2 does not admit."""


def unit_scaled(scores: Scores) -> tuple[Scores, int]:
    """Divide scores by the power of two that brings the largest below 1; return also its exponent.

    Functions of distances between scores then neither overflow nor underflow, and do not depend on the scale
    by powers of two, to the last bit.
    """
    exponent = math.frexp(max(abs(float(scores.score[0])), abs(float(scores.score[-1]))))[1]
    if exponent == 0:
        return scores, 0
    unit = np.ldexp(scores.score, -exponent) + 0.0
    # The smallest may underflow and tie.
    distinct = bool((unit[1:] < unit[:-1]).all())
    table = CountTable(unit, scores.pos, scores.neg) if distinct else sum_equal(unit, scores.pos, scores.neg)
    return Scores._of(table), exponent


class ClassSample:
    """The cases of one class: distinct scores, increasing, with counts.

    Parameters
    ----------
    score : ndarray of shape (d,)
    counts : ndarray of int, shape (d,)
    """

    def __init__(self, score: FloatArray, counts: IntArray) -> None:
        self.score, self.counts, self.n = score, counts, int(counts.sum())

    @cached_property
    def mean(self) -> float:
        """Mean score."""
        return inner(self.score, self.counts) / self.n

    @cached_property
    def squares(self) -> float:
        """Sum of squared deviations from the mean."""
        total = 0.0
        for start in range(0, len(self.score), CHUNK):
            part = slice(start, start + CHUNK)
            total += inner(np.square(self.score[part] - self.mean), self.counts[part])
        return total

    @property
    def deviation(self) -> float:
        """Standard deviation with divisor n − 1."""
        return math.sqrt(self.squares / max(1, self.n - 1))

    @property
    def spread(self) -> float:
        """Standard deviation with divisor n."""
        return math.sqrt(self.squares / self.n)

    @cached_property
    def scale(self) -> float:
        """Standard deviation, or its estimate from the quartiles if smaller."""
        quarters = np.searchsorted(np.cumsum(self.counts), [0.25 * self.n, 0.75 * self.n])
        low, high = self.score[quarters].tolist()
        quartiles = (high - low) / 1.349
        return min(self.deviation, quartiles) if quartiles > 0.0 else self.deviation


def class_samples(scores: Scores) -> tuple[ClassSample, ClassSample]:
    """Return the negatives and the positives; raise if one has no variance."""
    found = []
    for name, count in (("negatives", scores.neg), ("positives", scores.pos)):
        rows = np.flatnonzero(count)[::-1]
        found.append(ClassSample(scores.score[rows], count[rows]))
        if not found[-1].deviation > 0.0:
            raise ArgumentError(
                "scores", f"have at least two distinct scores among the {name} for a kernel", 1, NO_KERNEL
            )
    return found[0], found[1]


def reference(spread: float, n: int, power: float = DISTRIBUTION) -> float:
    """Bandwidth 1.06·s·n^power for a class of n cases with standard deviation s."""
    return 1.06 * spread * math.pow(n, power)


def normal_reference(deviation: float, n: int) -> float:
    """Bandwidth with minimal integrated mean squared error for a normal distribution function."""
    return math.cbrt(4.0 / n) * deviation


def derivative_reference(scale: float, n: int, order: int) -> float:
    """Bandwidth for a derivative of a density, optimal for a normal density."""
    return scale * math.pow(4.0 / ((2 * order + 3) * n), 1.0 / (2 * order + 5))


def hall_hyndman_bandwidths(
    mean_pos: float,
    sd_pos: float,
    n_pos: int,
    mean_neg: float,
    sd_neg: float,
    n_neg: int,
    *,
    weight: Weight = "uniform",
) -> tuple[float, float]:
    """Optimal bandwidths (h₊, h₋) for the ROC curve of two normal classes.

    Parameters
    ----------
    mean_pos, sd_pos, mean_neg, sd_neg : float
        Means and standard deviations of the scores by class.
    n_pos, n_neg : int
    weight : {"uniform", "density"}
        Weight of errors by false positive rate: uniform, or the density of the negatives at the threshold, as
        in Hall & Hyndman (2003).

    Notes
    -----
    With densities f (negatives) and g (positives) the error of the curve at p is that of Ĝ at x = F⁻¹(1 − p)
    minus g(x)/f(x) times that of F̂. Squared and integrated over p (dp = f dx), the leading terms of each
    class for a Gaussian kernel give

        h³ = π^(−1/2)/n · ∫ uⁱ vʲ / ∫ (u′)² uⁱ⁻¹ vʲ

    with u the density of the class and v that of the other: (i, j) = (1, 1) for the positives and (0, 2) for
    the negatives; with weight f both have (1, 2). The cross term of the two biases is neglected.
    """
    gap = mean_pos - mean_neg
    of_pos, of_neg = ((1, 1), (0, 2)) if weight == "uniform" else ((1, 2), (1, 2))
    return (
        _ratio_rule(n_pos, gap, sd_pos**2, sd_neg**2, *of_pos),
        _ratio_rule(n_neg, gap, sd_neg**2, sd_pos**2, *of_neg),
    )


def _ratio_rule(n: int, gap: float, var: float, other: float, i: int, j: int) -> float:
    # uᵏ vʲ is a multiple of a normal density with this precision; (x − mean)²/var² turns uⁱ⁺¹ into u′² uⁱ⁻¹.
    above, below = i / var + j / other, (i + 1) / var + j / other
    exponents = [k / var * (j / other) / p for k, p in ((i, above), (i + 1, below))]
    second_moment = 1.0 / below + (gap * (j / other) / below) ** 2
    size = math.sqrt(2.0 * math.pi * var) * math.sqrt(below / above) * var * var / second_moment
    # The bandwidth is unbounded for well-separated classes.
    ratio = size * math.exp(min(0.5 * gap * gap * (exponents[1] - exponents[0]), 100.0))
    return math.cbrt(KAPPA * ratio / n)


NO_KERNEL = "Use a method without a kernel, such as the default."
WIDEST = 1e6
"""Upper limit of a bandwidth in standard deviations of the scores; the lower limit is its inverse."""

Given: TypeAlias = Callable[[ClassSample, ClassSample], tuple[float, float]]


def _power(power: float) -> Given:
    return lambda pos, neg: (reference(pos.spread, pos.n, power), reference(neg.spread, neg.n, power))


def _hall_hyndman(pos: ClassSample, neg: ClassSample) -> tuple[float, float]:
    return hall_hyndman_bandwidths(pos.mean, pos.deviation, pos.n, neg.mean, neg.deviation, neg.n)


RULES: Mapping[Rule, Given] = {
    "curve": _power(CURVE),
    "density": _power(DENSITY),
    "distribution": _power(DISTRIBUTION),
    "hall_hyndman": _hall_hyndman,
    "normal_reference": lambda pos, neg: (
        normal_reference(pos.deviation, pos.n),
        normal_reference(neg.deviation, neg.n),
    ),
}
"""Bandwidths (h₊, h₋) by the name of a rule."""


def check_bandwidth(bandwidth: Any) -> Rule | tuple[float, float]:
    """Return the name of a rule, or the bandwidths of positives and negatives."""
    if isinstance(bandwidth, str):
        check_choice("bandwidth", bandwidth, tuple(RULES))
        return bandwidth  # type: ignore[return-value]
    listed = isinstance(bandwidth, tuple | list) or np.ndim(bandwidth) == 1
    pair = tuple(bandwidth) if listed else (bandwidth, bandwidth)
    if len(pair) != 2:
        remedy = "Pass one number, or one for the positives and one for the negatives."
        raise ArgumentError("bandwidth", "be a number, a pair of them or a rule", bandwidth, remedy)
    h_pos, h_neg = (check_number("bandwidth", h) for h in pair)
    if not (h_pos > 0.0 and h_neg > 0.0):
        remedy = "Pass a standard deviation in units of the scores, or omit it."
        raise ArgumentError("bandwidth", "be positive", bandwidth, remedy)
    return h_pos, h_neg


def class_bandwidths(
    bandwidth: Bandwidth, pos: ClassSample, neg: ClassSample, exponent: int = 0
) -> tuple[float, float]:
    """Bandwidths (h₊, h₋) of a rule, or the given ones, for scores divided by a power of two."""
    found = check_bandwidth(bandwidth)
    if isinstance(found, str):
        return RULES[found](pos, neg)
    with np.errstate(over="ignore", under="ignore"):
        h_pos, h_neg = np.ldexp(found, -exponent).tolist()
    spread = max(pos.deviation, neg.deviation)
    if not WIDEST > max(h_pos, h_neg) / spread >= min(h_pos, h_neg) / spread > 1.0 / WIDEST:
        rule = f"be more than {1.0 / WIDEST:g} and less than {WIDEST:g} standard deviations of the scores"
        remedy = "Pass a standard deviation in units of the scores, or omit it."
        raise ArgumentError("bandwidth", rule, bandwidth, remedy)
    return h_pos, h_neg
