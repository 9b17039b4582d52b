"""Judging intervals for costs of one model and of two (Dugas & Gadoury 2009, costs, §5).

Thresholds are the population's own best ones, as if chosen on an endless validation set. All samples are laid
end to end and given to the intervals of `cost_curve` as one long list of places. Costs per case are judged
one sample after the other, at thresholds that may be chosen on it.
"""

from __future__ import annotations

import functools

import numpy as np

from confroc._types import FloatArray
from confroc.cost.conditions import Prior, unit_costs
from confroc.cost.decision import decided
from confroc.cost.error_rates import Errors, PricedErrors, linear_form
from confroc.cost.intervals import Resampling, ends
from confroc.lab.coverage import Coverage, counted
from confroc.lab.populations import Population
from confroc.lab.rules import Drawn, Rule, parse
from confroc.lab.samples import Samples, count_at, discordant_at
from confroc.methods.cost import EXPECTED_COST, EXPECTED_COST_DIFFERENCE
from confroc.scores.counting import Discordant


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


def costs(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count intervals that contain the true cost of one model at each w, for known unit costs.

    Under "full" sampling the unit costs are those that w stands for at the population's share of positives.
    """
    samples = drawn.samples
    threshold, fpr, tpr = best_places(drawn.model, rule.at)
    fn = (samples.n_pos - count_at(samples.pos, threshold)).ravel()
    fp = count_at(samples.neg, threshold).ravel()
    return _judged(rule, drawn, "cost", Errors(fn, fp), 1.0 - tpr, fpr)


def cost_differences(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count intervals that contain the true difference a − b, each model at its own best threshold."""
    (t_a, fpr_a, tpr_a), (t_b, fpr_b, tpr_b) = (best_places(m, rule.at) for m in drawn.models)
    counts = (c.ravel() for x in drawn.samples for c in discordant_at(x, (t_a, t_b)))
    rates = tpr_b - tpr_a, fpr_a - fpr_b
    return _judged(rule, drawn, "cost_a - cost_b", Discordant(*counts), *rates)


def expected_costs(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count intervals that contain the cost per case, or its difference, at the thresholds used.

    A method's options: `thresholds` are "known" (the population's best), "validation" (chosen on another such
    sample) or "chosen" (on the sample itself); `prior` is "sample", "known", or the number of other cases
    that tell it. At each w the unit costs are those that w stands for at the population's share of positives.
    """
    samples, population, share = drawn.samples, drawn.population, float(drawn.population.share)
    models: tuple[Population, ...] = drawn.models if samples.pos.ndim == 3 else (drawn.model,)
    entry = EXPECTED_COST if len(models) == 1 else EXPECTED_COST_DIFFERENCE
    quantity = "cost" if len(models) == 1 else "cost_a - cost_b"
    sides = ("",) if len(models) == 1 else ("_a", "_b")
    take = samples.scores if len(models) == 1 else samples.pair
    best = [best_places(model, rule.at)[0] for model in models]
    out = []
    for method in rule.methods:
        name, options = parse(method)
        row, known = entry.check(name), options["thresholds"] == "known"
        truth, lower, upper = np.empty((3, samples.reps, len(rule.at)))
        for i, place in np.ndindex(truth.shape):
            w, other = rule.at[place], None
            prior: Prior | None = None
            given = {
                f"threshold{end}": t[place] if known else None for end, t in zip(sides, best, strict=True)
            }
            if options["thresholds"] == "validation":
                fresh = Samples(*population.draw(drawn.rng, samples.n_pos, samples.n_neg, 1))
                other = fresh.scores(0) if len(models) == 1 else fresh.pair(0)
            if options["prior"] == "known":
                prior = share
            elif options["prior"] != "sample":
                n = int(options["prior"])
                # None or all among so few cases tell nothing; they are seen as half a case.
                prior = float(np.clip(drawn.rng.binomial(n, share), 0.5, n - 0.5)), float(n)
            unit = unit_costs(w, prior=share)
            thresholds, made, *_ = decided(
                take(i), unit, given, other, prior, None, row, rule.confidence_level, Resampling()
            )
            paid = []
            for model, t in zip(models, thresholds, strict=True):
                fpr, tpr = model.rates(np.array([t]))
                paid.append(w * (1.0 - tpr[0]) + (1.0 - w) * fpr[0])
            truth[i, place] = paid[0] - sum(paid[1:])
            lower[i, place], upper[i, place] = made["lower"], made["upper"]
        out.append(counted(method, quantity, np.array(rule.at), truth, lower, upper))
    return out


def _judged(
    rule: Rule,
    drawn: Drawn,
    quantity: str,
    found: Errors | Discordant,
    fnr: FloatArray,
    fpr: FloatArray,
) -> list[Coverage]:
    samples, sampling, share = drawn.samples, drawn.sampling, drawn.share
    alpha, beta = linear_form(np.array(rule.at), share, sampling)
    if sampling == "full":
        fnr, fpr = share * fnr, (1.0 - share) * fpr
    truth = alpha * fnr + beta * fpr
    form = np.tile(alpha, samples.reps), np.tile(beta, samples.reps)
    priced = PricedErrors.counted([found], (samples.n_pos, samples.n_neg), form, sampling)
    least = 0.0 if priced.alone else -1.0
    out = []
    for method in rule.methods:
        both = ends(priced, method, rule.confidence_level)[:2]
        lower, upper = (np.clip(x, least, 1.0).reshape(samples.reps, -1) for x in both)
        out.append(counted(method, quantity, np.array(rule.at), truth, lower, upper))
    return out
