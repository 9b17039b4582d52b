"""Coverage of costs by sums over all counts, and by simulation of the counts.

A cost at given thresholds depends on counts alone, so that the coverage of its interval is a sum of
binomial probabilities. Where class sizes are random too, or for two models, it is the mean over many draws
of the counts. The formulas follow Dugas & Gadoury's (2009, cost curves) equations with SciPy's
distributions and do not use confroc. An interval of zero width counts as containing nothing.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from exact_coverage import z_of

FloatArray: TypeAlias = NDArray[np.float64]
Z = z_of(0.9)
SD = 3.0


def best_threshold(theta: float, w: float, shift: float = 0.0) -> float:
    """Cheapest threshold for positives N(θ + shift, 3) and negatives N(−θ, 3)."""
    mean = 2.0 * theta + shift
    return 0.5 * shift + SD**2 / mean * float(np.log((1.0 - w) / w))


def error_rates(theta: float, threshold: Any, shift: float = 0.0) -> tuple[Any, Any]:
    """False negative and false positive rate."""
    return stats.norm.cdf((threshold - theta - shift) / SD), stats.norm.sf((threshold + theta) / SD)


def stratified_at(theta: float, n: int, w: float, threshold: float) -> float:
    """Coverage of eqs. 4 and 5 (with its divisors) at a threshold, n cases a class: a double sum."""
    fnr, fpr = (float(rate) for rate in error_rates(theta, threshold))
    k = np.arange(n + 1)
    x, y = stats.binom.pmf(k, n, fnr), stats.binom.pmf(k, n, fpr)
    # Counts of no weight are left out.
    i, j = k[x > 1e-15], k[y > 1e-15]
    p, q = (i / n)[:, None], (j / n)[None]
    cost = w * p + (1.0 - w) * q
    half = Z * np.sqrt((w * w * p * (1.0 - p) + (1.0 - w) ** 2 * q * (1.0 - q)) / n)
    held = (half > 0.0) & (np.abs(cost - w * fnr - (1.0 - w) * fpr) <= half)
    return float((np.multiply.outer(x[i], y[j]) * held).sum())


def stratified(theta: float, n: int, w: float) -> float:
    """Coverage at the best threshold."""
    return stratified_at(theta, n, w, best_threshold(theta, w))


def unseen(theta: float, n: int, w: float) -> float:
    """Chance that the variance of eq. 5 is zero: both classes wholly on one side of the best threshold."""
    chance = 1.0
    for rate in error_rates(theta, best_threshold(theta, w)):
        chance *= float(rate**n + (1.0 - rate) ** n)
    return chance


def full(theta: float, n: int, w: float, draws: int, rng: np.random.Generator) -> float:
    """Coverage of eqs. 9 and 10 at the best threshold, 2n cases, half of them positive on average."""
    fnr, fpr = error_rates(theta, best_threshold(theta, w))
    miss, alarm = w / max(w, 1.0 - w), (1.0 - w) / max(w, 1.0 - w)
    cases = 2 * n
    n_pos = rng.binomial(cases, 0.5, draws)
    n_neg = cases - n_pos
    p, q = rng.binomial(n_pos, fnr) / n_pos, rng.binomial(n_neg, fpr) / n_neg
    cost = (miss * n_pos * p + alarm * n_neg * q) / cases
    within = miss**2 * n_pos * p * (1.0 - p) + alarm**2 * n_neg * q * (1.0 - q)
    between = (miss * p - alarm * q) ** 2 * n_pos * n_neg / cases
    half = Z * np.sqrt(within + between) / cases
    return float(np.mean((half > 0.0) & (np.abs(cost - 0.5 * (miss * fnr + alarm * fpr)) <= half)))


def difference(
    theta: float,
    shift: float,
    correlation: float,
    n: int,
    w: float,
    draws: int,
    rng: np.random.Generator,
    *,
    all_sizes: bool = False,
) -> float:
    """Coverage of eqs. 7 and 8, or with varying class sizes of 12 and 13, at both best thresholds."""
    at = best_threshold(theta, w), best_threshold(theta, w, shift)
    cov = [[1.0, correlation], [correlation, 1.0]]
    only = []
    for means in ((theta, theta + shift), (-theta, -theta)):
        z = [(t - mean) / SD for t, mean in zip(at, means, strict=True)]
        both_below = float(stats.multivariate_normal.cdf(z, [0.0, 0.0], cov))
        below = stats.norm.cdf(z)
        only.append((max(below[1] - both_below, 0.0), max(below[0] - both_below, 0.0)))
    cases = 2 * n
    n_pos = rng.binomial(cases, 0.5, draws) if all_sizes else np.full(draws, n)
    sizes = n_pos, cases - n_pos
    # A positive that only the first model finds is an error of the second, so its price is negative.
    prices = -w, 1.0 - w
    net, true, spread = [], [], []
    for size, (first, second) in zip(sizes, only, strict=True):
        a = rng.binomial(size, first)
        b = rng.binomial(size - a, second / (1.0 - first))
        net.append((a - b) / size)
        true.append(first - second)
        spread.append((a + b) / size - ((a - b) / size) ** 2)
    shares = [0.5, 0.5] if all_sizes else [1.0, 1.0]
    if all_sizes:
        cost = sum(c * size * d for c, size, d in zip(prices, sizes, net, strict=True)) / cases
        within = sum(c * c * size * v for c, size, v in zip(prices, sizes, spread, strict=True))
        between = (prices[0] * net[0] - prices[1] * net[1]) ** 2 * sizes[0] * sizes[1] / cases
        half = Z * np.sqrt(within + between) / cases
    else:
        cost = sum(c * d for c, d in zip(prices, net, strict=True))
        half = Z * np.sqrt(sum(c * c * v / n for c, v in zip(prices, spread, strict=True)))
    truth = sum(s * c * d for s, c, d in zip(shares, prices, true, strict=True))
    return float(np.mean((half > 0.0) & (np.abs(cost - truth) <= half)))


def validated(theta: float, n: int, w: float, draws: int, rng: np.random.Generator) -> FloatArray:
    """Thresholds that samples of n cases a class find cheapest: an observed score, or infinity."""
    found = np.empty(draws)
    for i in range(draws):
        pos, neg = rng.normal(theta, SD, n), rng.normal(-theta, SD, n)
        tried = np.append(np.sort(np.concatenate([pos, neg]))[::-1], np.inf)
        missed = np.searchsorted(np.sort(pos), tried) / n
        alarms = 1.0 - np.searchsorted(np.sort(neg), tried) / n
        cost = w * missed + (1.0 - w) * alarms
        # Of equal costs the highest threshold.
        found[i] = tried[np.flatnonzero(cost <= cost.min() + 1e-12)].max()
    return found
