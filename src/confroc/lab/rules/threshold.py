"""Rates at a fixed threshold, one model and two, against the true rates (Dugas & Gadoury 2009, §5.1-5.2).

Intervals for a proportion depend on the count alone, so each method is tabulated once for all counts
and looked up for all samples. The places are given as total positive rates, the share of all cases called
positive, which does not depend on the scale of the scores.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np

from confroc import distributions
from confroc._types import Ends, FloatArray, IntArray
from confroc.lab.batch import Batch, count_at, count_at_both
from confroc.lab.designs import AnyPopulation
from confroc.lab.percentiles import resampled_proportion
from confroc.lab.populations import Population, threshold_at_positive_rate
from confroc.lab.rules.base import Rule, one_model, two_models
from confroc.lab.rules.tallies import Side, Tally, tally_region
from confroc.resample import percentile_ends, tails

PROPORTIONS = {
    "agresti_coull": distributions.agresti_coull,
    "wald": distributions.wald,
    "wilson": distributions.wilson,
    "clopper_pearson": distributions.clopper_pearson,
    "jeffreys": distributions.jeffreys,
}


@functools.lru_cache(maxsize=4096)
def interval_table(method: str, n: int, level: float) -> tuple[FloatArray, FloatArray]:
    """Both ends for every count from 0 to n."""
    k = np.arange(n + 1)
    if method == "exact_bootstrap":
        quantiles = distributions.bootstrap_quantiles(k, n, n, tails(level))
        return quantiles[:, 0], quantiles[:, 1]
    low, high = PROPORTIONS[method](k, n, level)
    return low, high


@functools.lru_cache(maxsize=16)
def places(
    population: Population, positive_rate: tuple[float, ...], share: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Thresholds with these total positive rates, and the true FPR and TPR there."""
    threshold = threshold_at_positive_rate(population, np.array(positive_rate), share)
    return threshold, *population.rates(threshold)


@dataclass(frozen=True, kw_only=True)
class AtThreshold(Rule):
    """Rectangles for (FPR, TPR) at the thresholds with given total positive rates.

    Attributes
    ----------
    positive_rate : tuple of float
        In (0, 1); the threshold of each is the population's.
    joint : bool
        As in `rates_at_threshold`.
    """

    positive_rate: tuple[float, ...]
    joint: bool = True

    at_name = "positive_rate"

    def judge(
        self, batch: Batch, population: AnyPopulation, rng: np.random.Generator, share: float
    ) -> list[Tally]:
        """Count rectangles that hold both true rates."""
        model = one_model(population)
        at = np.array(self.positive_rate)
        threshold, *truth = places(model, self.positive_rate, share)
        counts = count_at(batch.neg, threshold), count_at(batch.pos, threshold)
        level = math.sqrt(self.confidence_level) if self.joint else self.confidence_level
        out: list[Tally] = []
        for method in self.methods:
            sides = []
            for name, true, k, n in zip(
                ("fpr", "tpr"), truth, counts, (batch.n_neg, batch.n_pos), strict=True
            ):
                if method == "bootstrap":
                    low, high = resampled_proportion(k, n, self.n_resamples, level, rng)
                else:
                    low, high = (ends[k] for ends in interval_table(method, n, level))
                sides.append(Side(name, true, low, high))
            out += tally_region(method, at, *sides)
        return out


def discordant_at(
    scores: FloatArray, threshold_a: FloatArray, threshold_b: FloatArray
) -> tuple[IntArray, IntArray]:
    """Cases of each sample that only model a, and only model b, calls positive, shapes (reps, h)."""
    by_a, by_b, both = count_at_both(scores, threshold_a, threshold_b)
    return by_a - both, by_b - both


def _difference_quantiles(n10: IntArray, n01: IntArray, n: int, level: float) -> Ends:
    code, back = np.unique(n10 * (n + 1) + n01, return_inverse=True)
    quantiles = distributions.matched_quantiles(*np.divmod(code, n + 1), n, n, tails(level))
    return quantiles[back, 0].reshape(n10.shape), quantiles[back, 1].reshape(n10.shape)


def _resampled_difference(
    n10: IntArray, n01: IntArray, n: int, b: int, level: float, rng: np.random.Generator
) -> Ends:
    # A trinomial as two binomials.
    only_a = rng.binomial(n, n10 / n, size=(b, *n10.shape))
    rest = np.divide(n01, n - n10, out=np.zeros(n10.shape), where=n10 < n)
    only_b = rng.binomial(n - only_a, rest)
    return percentile_ends((only_a - only_b) / n, level)


@dataclass(frozen=True, kw_only=True)
class PairAtThreshold(Rule):
    """Rectangles for the differences a − b of both rates, each model at the same total positive rate."""

    positive_rate: tuple[float, ...]

    at_name = "positive_rate"

    def judge(
        self, batch: Batch, population: AnyPopulation, rng: np.random.Generator, share: float
    ) -> list[Tally]:
        """Count rectangles that hold both true differences."""
        at = np.array(self.positive_rate)
        models = two_models(population)
        (t_a, *rates_a), (t_b, *rates_b) = (places(model, self.positive_rate, share) for model in models)
        truth = [x - y for x, y in zip(rates_a, rates_b, strict=True)]
        level = math.sqrt(self.confidence_level)
        counts = discordant_at(batch.neg, t_a, t_b), discordant_at(batch.pos, t_a, t_b)
        out: list[Tally] = []
        for method in self.methods:
            sides = []
            for name, true, (n10, n01), n in zip(
                ("fpr", "tpr"), truth, counts, (batch.n_neg, batch.n_pos), strict=True
            ):
                if method == "bootstrap":
                    ends = _resampled_difference(n10, n01, n, self.n_resamples, level, rng)
                elif method == "exact_bootstrap":
                    ends = _difference_quantiles(n10, n01, n, level)
                elif method == "agresti_min":
                    ends = distributions.agresti_min(n10, n01, n, level)
                else:
                    ends = distributions.matched_difference(n10, n01, n, level)
                sides.append(Side(name, true, *ends))
            out += tally_region(method, at, *sides)
        return out
