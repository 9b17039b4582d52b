"""Exact coverage by sums over all counts, the limit of the simulated coverage.

An interval at a threshold depends on counts alone, so that its coverage is a sum of binomial or trinomial
probabilities. These sums follow the papers' definitions with SciPy's distributions and use nothing of
confroc, neither its intervals nor its populations.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, stats

FloatArray: TypeAlias = NDArray[np.float64]
Ends: TypeAlias = tuple[FloatArray, FloatArray]
Interval: TypeAlias = Callable[[Any, int], Ends]
"""Both limits of a rate's interval, for counts out of n."""
Matched: TypeAlias = Callable[[Any, Any, int], Ends]
"""Both limits of a difference's interval, for the counts of cases that one model alone calls positive."""


def z_of(level: float) -> float:
    """Normal quantile of a central interval; each side of a rectangle has level √0.9, for example."""
    return float(stats.norm.isf((1.0 - level) / 2.0))


class Binormal(NamedTuple):
    """Positives N(pos, sd_pos), negatives N(neg, sd_neg), equally frequent."""

    pos: float
    neg: float
    sd_pos: float = 3.75
    sd_neg: float = 3.0

    def rates(self, threshold: float) -> tuple[float, float]:
        """Return the true (FPR, TPR)."""
        fpr, tpr = (
            float(stats.norm.sf((threshold - mean) / sd))
            for mean, sd in ((self.neg, self.sd_neg), (self.pos, self.sd_pos))
        )
        return fpr, tpr

    def threshold(self, rate: float) -> float:
        """Return the threshold at which this share of all cases is called positive."""
        return float(optimize.brentq(lambda t: sum(self.rates(t)) / 2.0 - rate, -80.0, 80.0, xtol=1e-12))


def by_distance(theta: float, sd_pos: float = 3.75) -> Binormal:
    """Return the population with the positives at θ and the negatives at -θ."""
    return Binormal(theta, -theta, sd_pos)


# --- one rate, one rectangle ----------------------------------------------------------------------------


def normal_interval(level: float, added: float) -> Interval:
    """Wald's interval after adding so many successes and as many failures (Algorithm 1: two)."""

    def ends(k: Any, n: int) -> Ends:
        p = (np.asarray(k) + added) / (n + 2.0 * added)
        half = z_of(level) * np.sqrt(p * (1.0 - p) / (n + 2.0 * added))
        return p - half, p + half

    return ends


def score_interval(level: float) -> Interval:
    """Return the interval of section 2.6 that has the variance of the hypothesis."""
    z = z_of(level)

    def ends(k: Any, n: int) -> Ends:
        p = np.asarray(k) / n
        middle = p + z * z / (2.0 * n)
        half = z * np.sqrt(p * (1.0 - p) / n + (z / (2.0 * n)) ** 2)
        # Without rounding, 0 of n reach down to 0 and n of n up to 1.
        low, high = (middle - half) / (1.0 + z * z / n), (middle + half) / (1.0 + z * z / n)
        return np.where(p == 0.0, 0.0, low), np.where(p == 1.0, 1.0, high)

    return ends


def exact_interval(level: float) -> Interval:
    """Clopper & Pearson's interval: binomial tests of either side inverted."""
    tail = (1.0 - level) / 2.0

    def ends(k: Any, n: int) -> Ends:
        k = np.asarray(k)
        low = np.where(k > 0, stats.beta.ppf(tail, np.maximum(k, 1), n - k + 1), 0.0)
        high = np.where(k < n, stats.beta.isf(tail, k + 1, np.maximum(n - k, 1)), 1.0)
        return low, high

    return ends


def covered(p: float, n: int, interval: Interval) -> float:
    """Probability that the interval for a rate p contains it."""
    k = np.arange(n + 1)
    low, high = interval(k, n)
    return float(stats.binom.pmf(k, n, p)[(low <= p) & (p <= high)].sum())


def covered_by_percentiles(p: float, n: int, level: float, resamples: int) -> float:
    """The same for percentiles of so many resamples ("Empirical").

    They contain p if the lower percentile's rank or more of the resampled rates are below p, but not as many
    as the upper percentile's.
    """
    low, high = (math.ceil(resamples * tail - 1e-9) for tail in ((1.0 - level) / 2.0, (1.0 + level) / 2.0))
    k = np.arange(n + 1)
    below = stats.binom.cdf(math.floor(n * p), n, k / n)
    holds = stats.binom.cdf(high - 1, resamples, below) - stats.binom.cdf(low - 1, resamples, below)
    return float(np.sum(stats.binom.pmf(k, n, p) * holds))


METHODS = ("agresti_coull", "wald", "bootstrap")


@functools.cache
def rectangle(model: Binormal, threshold: float, sizes: tuple[int, int], method: str) -> float:
    """Coverage of a 90 % rectangle at a threshold, from so many (positives, negatives)."""
    level = math.sqrt(0.9)
    each = []
    for p, n in zip(model.rates(threshold), sizes[::-1], strict=True):
        if method == "bootstrap":
            each.append(covered_by_percentiles(p, n, level, 100))
        else:
            added = {"wald": 0.0, "agresti_coull": z_of(level) ** 2 / 2.0}[method]
            each.append(covered(p, n, normal_interval(level, added)))
    return math.prod(each)


def at_rate(model: Binormal, rate: float, n: int, method: str) -> float:
    """Return the same at a total positive rate, n cases a class."""
    return rectangle(model, model.threshold(rate), (n, n), method)


def at_rate_full(model: Binormal, rate: float, n: int, method: str) -> float:
    """Return the same where 2n cases are drawn whatever their class; samples of one class are left out."""
    positives = np.arange(1, 2 * n)
    share = stats.binom.pmf(positives, 2 * n, 0.5)
    kept = share > 1e-12
    t = model.threshold(rate)
    each = [rectangle(model, t, (int(k), 2 * n - int(k)), method) for k in positives[kept]]
    return float(np.sum(share[kept] * each) / share[kept].sum())


# --- two models on the same cases -----------------------------------------------------------------------


def matched_interval(level: float, added: float) -> Matched:
    """Normal interval of a difference (Algorithm 3: one half added to either discordant count)."""

    def ends(n10: Any, n01: Any, n: int) -> Ends:
        p10, p01 = ((np.asarray(k) + added) / (n + 4.0 * added) for k in (n10, n01))
        half = z_of(level) * np.sqrt((p10 + p01 - (p10 - p01) ** 2) / (n + 4.0 * added))
        return p10 - p01 - half, p10 - p01 + half

    return ends


def trinomial(n: int, p10: float, p01: float) -> tuple[NDArray[np.int64], NDArray[np.int64], FloatArray]:
    """All pairs of discordant counts of n cases, and their probabilities."""
    n10, n01 = np.nonzero(np.add.outer(np.arange(n + 1), np.arange(n + 1)) <= n)
    rest = max(1.0 - p10 - p01, 0.0)
    pmf = stats.multinomial.pmf(np.column_stack([n10, n01, n - n10 - n01]), n, [p10, p01, rest])
    return n10, n01, np.asarray(pmf)


def difference_covered(p10: float, p01: float, n: int, interval: Matched) -> float:
    """Probability that the interval for p10 - p01 contains it."""
    n10, n01, pmf = trinomial(n, p10, p01)
    low, high = interval(n10, n01, n)
    # Differences of counts equal to the true one up to rounding touch it.
    touch = 1e-12
    return float(pmf[(low <= p10 - p01 + touch) & (p10 - p01 - touch <= high)].sum())


def discordant(
    a: Binormal, b: Binormal, t_a: float, t_b: float, correlation: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return, of negatives and of positives, the shares that only a and only b call positive."""
    law = stats.multivariate_normal([0.0, 0.0], [[1.0, correlation], [correlation, 1.0]])
    shares = []
    for mean_a, mean_b, sd in ((a.neg, b.neg, a.sd_neg), (a.pos, b.pos, a.sd_pos)):
        z_a, z_b = (t_a - mean_a) / sd, (t_b - mean_b) / sd
        both = float(law.cdf([-z_a, -z_b]))
        only = (max(float(stats.norm.sf(z)) - both, 0.0) for z in (z_a, z_b))
        shares.append(tuple(only))
    negatives, positives = shares
    return (negatives[0], negatives[1]), (positives[0], positives[1])


def pair_of(theta: float, shift: float = 2.0) -> tuple[Binormal, Binormal]:
    """Return the two models of the papers' paired designs: the second's positives lie further up."""
    return by_distance(theta), Binormal(theta + shift, -theta)


@functools.cache
def differences_at_rate(
    theta: float, correlation: float, rate: float, n: int, method: str, shift: float = 2.0
) -> float:
    """Coverage of a 90 % rectangle for both differences, both models at a total positive rate."""
    a, b = pair_of(theta, shift)
    interval = matched_interval(math.sqrt(0.9), {"wald": 0.0, "agresti_min": 0.5}[method])
    of_classes = discordant(a, b, a.threshold(rate), b.threshold(rate), correlation)
    return math.prod(difference_covered(*shares, n, interval) for shares in of_classes)


# --- dominance --------------------------------------------------------------------------------------------


def signs(n10: Any, n01: Any, n: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Probabilities that a resampled difference is below, at and above 0, by its characteristic function."""
    p10, p01 = np.asarray(n10)[:, None] / n, np.asarray(n01)[:, None] / n
    size = 2 * n + 1
    turn = np.exp(-2j * np.pi * np.arange(size) / size)
    law = np.fft.ifft((1.0 - p10 - p01 + p10 * turn + p01 / turn) ** n, axis=1).real
    # Places 0 to n hold differences 0 to n, the others -n to -1.
    return law[:, n + 1 :].sum(axis=1), law[:, 0], law[:, 1 : n + 1].sum(axis=1)


def dominance_power(
    theta: float, correlation: float, rate: float, n: int, least: float, shift: float = 2.0
) -> float:
    """Probability that f2, with which the second model dominates (eq. 2), is at least so large."""
    a, b = pair_of(theta, shift)
    of_classes = discordant(a, b, a.threshold(rate), b.threshold(rate), correlation)
    (fp, _, no_fp, more_fp), (tp, less_tp, no_tp, _) = (_resampled(n, *shares) for shares in of_classes)
    found = np.multiply.outer(less_tp + no_tp, more_fp + no_fp) - np.multiply.outer(no_tp, no_fp)
    return float(tp @ (found >= least) @ fp)


def undecided_mean(theta: float, correlation: float, rate: float, n: int, shift: float = 2.0) -> float:
    """Mean probability of the two quadrants in which neither model dominates."""
    a, b = pair_of(theta, shift)
    of_classes = discordant(a, b, a.threshold(rate), b.threshold(rate), correlation)
    (fp, less_fp, _, more_fp), (tp, less_tp, _, more_tp) = (_resampled(n, *shares) for shares in of_classes)
    return float((tp @ more_tp) * (fp @ more_fp) + (tp @ less_tp) * (fp @ less_fp))


def _resampled(n: int, p10: float, p01: float) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Probabilities of samples that matter, and those of the signs of their resampled difference."""
    n10, n01, pmf = trinomial(n, p10, p01)
    kept = pmf > 1e-13
    return pmf[kept], *signs(n10[kept], n01[kept], n)
