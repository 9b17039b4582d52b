"""Normalised cost at given operating conditions, against the true cost (Dugas & Gadoury 2009, costs, §5).

Thresholds are the population's own best ones, as if chosen on an endless validation set. All samples of a
batch are laid end to end and solved as one long list of places.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from confroc._check import ArgumentError
from confroc._types import FloatArray, IntArray, Sampling
from confroc.cost.error_rates import ClassSizes, Errors, linear_form, rates_of
from confroc.cost.intervals import newcombe_ends, wilson_arms
from confroc.distributions import normal_quantile
from confroc.lab.batch import Batch, count_at
from confroc.lab.designs import AnyPopulation
from confroc.lab.populations import Population
from confroc.lab.rules.base import Rule, one_model, two_models
from confroc.lab.rules.tallies import Tally, tally
from confroc.lab.rules.threshold import discordant_at
from confroc.scores.counting import Discordant

PSEUDO_CASES = {"wald": 0.0, "agresti_coull": 2.0, "agresti_min": 0.5}
"""Cases added to each cell before a normal law is fitted (Agresti & Coull 1998; Agresti & Min 2005)."""


@functools.lru_cache(maxsize=16)
def best_places(
    population: Population, weights: tuple[float, ...]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Threshold of least true cost w·FNR + (1 − w)·FPR at each w, and the true FPR and TPR there."""
    w = np.array(weights)

    def cost(t: FloatArray) -> FloatArray:
        fpr, tpr = population.rates(t)
        return w[:, None] * (1.0 - tpr) + (1.0 - w[:, None]) * fpr

    neg = population.threshold_at_fpr(np.array([1e-7, 1.0 - 1e-7]))
    # Both classes are taken to lie within a few times the negatives' range of each other.
    reach = float(neg[0] - neg[1])
    low, high = np.full(len(w), neg[1] - reach), np.full(len(w), neg[0] + reach)
    for _ in range(12):
        grid = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, 401)
        best = np.argmin(cost(grid), axis=1)
        rows = np.arange(len(w))
        low, high = grid[rows, np.maximum(best - 1, 0)], grid[rows, np.minimum(best + 1, 400)]
    threshold = 0.5 * (low + high)
    return threshold, *population.rates(threshold)


def _ends(
    found: Errors | Discordant,
    batch: Batch,
    weights: tuple[FloatArray, FloatArray],
    sampling: Sampling,
    method: str,
    level: float,
) -> tuple[FloatArray, FloatArray]:
    """Ends of shape (reps, h) from error counts of shape (reps·h,)."""
    if method == "newcombe" and isinstance(found, Errors) and sampling == "stratified":
        return _newcombe(found, batch, weights, level)
    sample = ClassSizes(batch.n_pos, batch.n_neg, batch.n_pos, batch.n_neg)
    alpha, beta = (np.tile(x, batch.reps) for x in weights)
    a = PSEUDO_CASES.get(method, 0.0)
    one = isinstance(found, Errors)
    rates = rates_of(found, sample, sampling, a)
    if method == "newcombe" and isinstance(found, Errors):
        lower, upper = newcombe_ends(found, sample, sampling, rates, alpha, beta, level)
    elif method in PSEUDO_CASES:
        half = normal_quantile(level) * np.sqrt(rates.variance(alpha, beta))
        centre = rates.mean(alpha, beta)
        lower, upper = centre - half, centre + half
    else:
        raise ArgumentError("methods", "have a form for whole batches", method, "Use another method.")
    lower, upper = (np.clip(x, 0.0 if one else -1.0, 1.0).reshape(batch.reps, -1) for x in (lower, upper))
    return lower, upper


def _newcombe(
    found: Errors, batch: Batch, weights: tuple[FloatArray, FloatArray], level: float
) -> tuple[FloatArray, FloatArray]:
    """`confroc.cost.intervals.newcombe_ends` for independent rates, with Wilson's arms looked up by count."""
    centre = np.zeros((batch.reps, len(weights[0])))
    squares = np.zeros((2, *centre.shape))
    for count, n, weight in zip(found, (batch.n_pos, batch.n_neg), weights, strict=True):
        k = count.reshape(centre.shape)
        table = np.arange(n + 1)
        centre += weight * (table / n)[k]
        for square, arm in zip(squares, wilson_arms(table, n, level), strict=True):
            square += weight * weight * np.square(arm)[k]
    down, up = np.sqrt(squares)
    return np.clip(centre - down, 0.0, 1.0), np.clip(centre + up, 0.0, 1.0)


def _errors(batch: Batch, threshold: FloatArray) -> Errors:
    fn = batch.n_pos - count_at(batch.pos, threshold)
    return Errors(fn.ravel(), count_at(batch.neg, threshold).ravel())


@dataclass(frozen=True, kw_only=True)
class AtW(Rule):
    """Intervals for the normalised cost of one model at each w, for known unit costs.

    Attributes
    ----------
    w : tuple of float
        In (0, 1).
    sampling : {"stratified", "full"}
        Which cost is meant, as in `cost_curve`; the samples are drawn the same way. Under "full" the unit
        costs are those that w stands for at the population's share of positives.
    """

    w: tuple[float, ...]
    sampling: Sampling = "stratified"

    at_name = "w"

    def judge(
        self,
        batch: Batch,
        population: AnyPopulation,
        rng: np.random.Generator,  # noqa: ARG002
        share: float,
    ) -> list[Tally]:
        """Count intervals that hold the true cost."""
        model = one_model(population)
        w = np.array(self.w)
        threshold, fpr, tpr = best_places(model, self.w)
        weights = linear_form(w, share, self.sampling)
        truth = _true_cost(weights, 1.0 - tpr, fpr, share, self.sampling)
        found = _errors(batch, threshold)
        return [
            tally(
                method,
                "cost",
                w,
                truth,
                *_ends(found, batch, weights, self.sampling, method, self.confidence_level),
            )
            for method in self.methods
        ]


def _true_cost(
    weights: tuple[FloatArray, FloatArray], fnr: FloatArray, fpr: FloatArray, share: float, sampling: Sampling
) -> FloatArray:
    if sampling == "full":
        fnr, fpr = share * fnr, (1.0 - share) * fpr
    return weights[0] * fnr + weights[1] * fpr


@dataclass(frozen=True, kw_only=True)
class PairAtW(Rule):
    """Intervals for the difference a − b of two models' costs, each at its own best threshold."""

    w: tuple[float, ...]
    sampling: Sampling = "stratified"

    at_name = "w"

    def judge(
        self,
        batch: Batch,
        population: AnyPopulation,
        rng: np.random.Generator,  # noqa: ARG002
        share: float,
    ) -> list[Tally]:
        """Count intervals that hold the true difference."""
        w = np.array(self.w)
        models = two_models(population)
        (t_a, *rates_a), (t_b, *rates_b) = (best_places(model, self.w) for model in models)
        weights = linear_form(w, share, self.sampling)
        costs = [_true_cost(weights, 1.0 - tpr, fpr, share, self.sampling) for fpr, tpr in (rates_a, rates_b)]
        (pos_a, pos_b), (neg_a, neg_b) = (_flat(discordant_at(x, t_a, t_b)) for x in (batch.pos, batch.neg))
        found = Discordant(pos_a, pos_b, neg_a, neg_b)
        return [
            tally(
                method,
                "cost_a - cost_b",
                w,
                costs[0] - costs[1],
                *_ends(found, batch, weights, self.sampling, method, self.confidence_level),
            )
            for method in self.methods
        ]


def _flat(both: tuple[IntArray, IntArray]) -> tuple[IntArray, IntArray]:
    return both[0].ravel(), both[1].ravel()
