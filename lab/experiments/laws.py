"""Exact distributions of errors of bootstrapped points and areas, and their distance from the truth.

Given the threshold, the rate at α is binomial, and the threshold is an order statistic. The true
distribution, that of the naive bootstrap (a sum over the sample's negatives) and that of the smoothed one
(the true distribution's integral, with the kernel curve) are therefore mixtures of binomials. Distributions
of areas are approximated by normal ones with their mean and variance.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from confroc import Scores
from confroc.auditing.bands import WHOLE
from confroc.auditing.coverage import Coverage, counted
from confroc.auditing.formulas import exact_bootstrap_variance
from confroc.auditing.rules import Drawn, Rule, parse
from confroc_lab._types import FloatArray
from confroc_lab.populations import TwoDistributions

ALPHA = 0.2
SIZES = (250, 1000, 4000, 16_000)
NODES = 200
SPAN = math.log(SIZES[-1] / SIZES[0])


@dataclass(frozen=True)
class Logistic:
    """Logistic scores of scale one."""

    mean: float = 0.0

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
        """Return independent scores."""
        return rng.logistic(self.mean, 1.0, shape)

    def survival(self, t: ArrayLike) -> FloatArray:
        """Return P(score >= t)."""
        return np.asarray(special.expit(self.mean - np.asarray(t, dtype=np.float64)))

    def threshold(self, p: ArrayLike) -> FloatArray:
        """Return the score exceeded with probability p."""
        return np.asarray(self.mean - special.logit(np.asarray(p, dtype=np.float64)))


GAP = 2.0
POPULATION = TwoDistributions(Logistic(GAP), Logistic(0.0))


class Mixture(NamedTuple):
    """Distribution of count/n - center: binomials with these probabilities and weights."""

    p: FloatArray
    weight: FloatArray
    center: float

    def below(self, k: FloatArray, n: int) -> FloatArray:
        """P(count <= k)."""
        cdf = special.bdtr(np.clip(k, 0.0, n)[None, :], n, self.p[:, None])
        return np.where(k < 0.0, 0.0, self.weight @ cdf)


def farthest(ours: Mixture, true: Mixture, n: int) -> float:
    """Largest distance of the two distribution functions."""
    mean = float(ours.weight @ ours.p)
    spread = math.sqrt(float(ours.weight @ (ours.p - mean) ** 2) + 0.25 / n)
    low, high = max(0.0, mean - 6.0 * spread), min(1.0, mean + 6.0 * spread)
    k = np.unique(np.rint(np.linspace(low, high, 300) * n))
    value = ours.below(k, n)
    # Between two jumps of ours the true distribution jumps once.
    other = np.floor(k + (true.center - ours.center) * n + 1e-9)
    return max(float(np.abs(value - true.below(j, n)).max()) for j in (other, other + 1.0))


def nodes(n: int, alpha: float = ALPHA) -> FloatArray:
    """False positive rates that the threshold may have, equally probable, for n negatives."""
    rank = math.floor(alpha * n + 1e-9) + 1
    return np.asarray(special.betaincinv(rank, n + 1 - rank, (np.arange(NODES) + 0.5) / NODES))


@functools.lru_cache(maxsize=8)
def true_law(population: TwoDistributions, n: int, alpha: float = ALPHA) -> Mixture:
    """Distribution of the curve's error at one rate: fixed rank of the threshold, Beta rate."""
    p = population.pos.survival(population.neg.threshold(nodes(n, alpha)))
    center = float(population.pos.survival(population.neg.threshold(np.array([alpha])))[0])
    return Mixture(p, np.full(NODES, 1.0 / NODES), center)


def naive_law(pos: FloatArray, neg: FloatArray) -> Mixture:
    """Distribution of the naive bootstrap's error: the threshold is one of the sample's negatives."""
    n, rank = len(neg), math.floor(ALPHA * len(neg) + 1e-9) + 1
    spread = 12.0 * math.sqrt(ALPHA * (1.0 - ALPHA) * n)
    first, last = max(0, int(rank - spread)), min(n, int(rank + spread))
    j = np.arange(first, last + 1)
    # The rank-th highest resampled negative is among the j highest of the sample.
    reached = 1.0 - special.bdtr(rank - 1, n, j / n)
    highest = np.sort(neg)[::-1]
    rate = 1.0 - np.searchsorted(np.sort(pos), highest[first:last], side="right") / len(pos)
    own = 1.0 - np.searchsorted(np.sort(pos), highest[rank - 1], side="right") / len(pos)
    return Mixture(rate, np.diff(reached), float(own))


def smoothed_law(
    pos: FloatArray, neg: FloatArray, h: tuple[float, float], centered: bool, own: float
) -> Mixture:
    """Distribution of the smoothed bootstrap's error: the true one's integral with the kernel curve."""
    u = nodes(len(neg))
    # The kernel curve near the threshold, on a grid of scores.
    reach = 6.0 * h[1] + 12.0 * float(neg.std()) / math.sqrt(len(neg))
    middle = float(np.quantile(neg, 1.0 - ALPHA))
    t = np.linspace(middle + reach, middle - reach, 120)
    fpr, tpr = (
        np.array([special.ndtr((x - at) / w).mean() for at in t]) for x, w in ((neg, h[1]), (pos, h[0]))
    )
    center = float(np.interp(ALPHA, fpr, tpr)) if centered else own
    return Mixture(np.interp(u, fpr, tpr), np.full(NODES, 1.0 / NODES), center)


def normal_distance(mean: float, sd: float, true_sd: float) -> float:
    """Largest distance of N(mean, sd²) from N(0, true_sd²)."""
    x = np.linspace(-6.0, 6.0, 4001) * max(sd, true_sd)
    return float(np.abs(special.ndtr((x - mean) / sd) - special.ndtr(x / true_sd)).max())


@functools.lru_cache(maxsize=2)
def area_of(population: TwoDistributions) -> tuple[float, float, float]:
    """The area, and the variances of one case's placement in either class."""
    u = (np.arange(20_000) + 0.5) / 20_000
    of_pos = 1.0 - population.neg.survival(population.pos.threshold(u))
    of_neg = population.pos.survival(population.neg.threshold(u))
    return float(of_pos.mean()), float(of_pos.var()), float(of_neg.var())


def smooth_area(pos: FloatArray, neg: FloatArray, h: float) -> float:
    """Area under the kernel curve, h² the sum of both bandwidths' squares: differences on a grid."""
    grid = h / 8.0
    low = min(pos.min(), neg.min())
    size = int((max(pos.max(), neg.max()) - low) / grid) + 2
    shares = [np.bincount(np.rint((x - low) / grid).astype(int), minlength=size) / len(x) for x in (pos, neg)]
    gaps = np.correlate(shares[0], shares[1], "full") if size < 3000 else None
    if gaps is None:
        length = 2 * size - 1
        gaps = np.fft.irfft(np.fft.rfft(shares[0], length) * np.fft.rfft(shares[1][::-1], length), length)
    return float(gaps @ special.ndtr((np.arange(2 * size - 1) - (size - 1)) * grid / h))


def bandwidths(pos: FloatArray, neg: FloatArray, power: float, divisor: float = 1.0) -> tuple[float, float]:
    """Noise of either class."""
    h_pos, h_neg = (1.06 * float(x.std()) * len(x) ** power / divisor for x in (pos, neg))
    return h_pos, h_neg


def distance_of(method: str, pos: FloatArray, neg: FloatArray, population: TwoDistributions) -> float:
    """K of one method on one sample."""
    name, options = parse(method)
    n = len(pos)
    if name.endswith("_auc"):
        _, of_pos, of_neg = area_of(population)
        own = Scores(np.repeat([1, 0], [n, n]), np.concatenate([pos, neg]))
        sd, true_sd = math.sqrt(exact_bootstrap_variance(own)), math.sqrt((of_pos + of_neg) / n)
        mean = 0.0
        if name == "smoothed_auc":
            mean = smooth_area(pos, neg, math.hypot(*bandwidths(pos, neg, float(options["power"])))) - own.auc
        return normal_distance(mean, sd, true_sd)
    naive = naive_law(pos, neg)
    true = true_law(population, n)
    if name == "naive":
        return farthest(naive, true, n)
    power, divisor = (-0.2, math.log(2.0 * n) ** 2.1) if name == "theorem" else (float(options["power"]), 1.0)
    centered = bool(options.get("center", False))
    h = bandwidths(pos, neg, power, divisor)
    return farthest(smoothed_law(pos, neg, h, centered, naive.center), true, n)


def rates(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Record log(1/K)/log(64) of each sample as a width."""
    out = []
    for method in rule.methods:
        pairs = zip(drawn.samples.pos, drawn.samples.neg, strict=True)
        k = np.array([[distance_of(method, pos, neg, drawn.population)] for pos, neg in pairs])
        value = -np.log(k) / SPAN
        out.append(counted(method, "power", WHOLE, np.zeros_like(k), np.zeros_like(k), value))
    return out
