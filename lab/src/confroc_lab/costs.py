"""Coverage of intervals for costs of one model and of two (Dugas & Gadoury 2009, costs, §5).

Thresholds are the population's best ones, as if chosen on an infinite validation set, unless a method has an
option. All samples are concatenated, and the intervals of `cost_curve` are computed for one long list of
places. Costs per case are evaluated sample by sample, at thresholds that may be chosen on the sample.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from confroc.auditing.coverage import Coverage, counted
from confroc.auditing.formulas import (
    COST_CURVE,
    COST_DIFFERENCE,
    CostMethod,
    Criterion,
    Discordant,
    Errors,
    LinearCost,
    Prior,
    costs_per_case,
    infer,
    linear_form,
    minus,
    models_of,
    one,
    thresholds_within,
)
from confroc.auditing.populations import Population
from confroc.auditing.rules import Drawn, Rule, parse
from confroc.auditing.samples import Samples, count_at
from confroc.cost import unit_costs
from confroc.methods import FAMILIES
from confroc_lab._errors import invalid
from confroc_lab._types import BoolArray, Ends, FloatArray, IntArray
from confroc_lab.samples import discordant_at

KEPT = ("all", "inside", "outside", "both_classes", "one_class")
"""Which samples count, for two models the first."""


@functools.lru_cache(maxsize=16)
def best_places(
    population: Population, weights: tuple[float, ...]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the threshold of least true cost w·FNR + (1 − w)·FPR at each w, and its true FPR and TPR."""
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

    Under "full" sampling the unit costs are those implied by w at the population's prevalence.

    A method's options: `thresholds` are "known" (the population's best; the default), "validation" (chosen on
    another such sample), "chosen" (on the sample itself), or the population's best moved into the sample's
    range, "observed" or "both_classes" (`threshold_range` of `cost_curve`). `samples` keeps samples whose
    threshold is "inside" or "outside" their scores, or has cases of "both_classes" on both sides, or of at
    most "one_class"; the others count as failures. The true cost is that of the threshold used.
    """
    return _at_thresholds(rule, drawn, "cost", (drawn.model,))


def cost_differences(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count intervals that contain the true difference a − b at both models' thresholds, as in `costs`."""
    return _at_thresholds(rule, drawn, "cost_a - cost_b", drawn.models)


def _at_thresholds(rule: Rule, drawn: Drawn, quantity: str, models: tuple[Population, ...]) -> list[Coverage]:
    samples, out = drawn.samples, {}
    parsed = {method: parse(method) for method in rule.methods}
    for kind in dict.fromkeys(options.get("thresholds", "known") for _, options in parsed.values()):
        thresholds = _thresholds(rule, drawn, kind, models)
        if kind == "known":
            pos, neg = (_counted(scores, thresholds) for scores in samples)
        else:
            pos, neg = (_counted_by_sample(scores, thresholds) for scores in samples)
        found: Errors | Discordant
        if len(models) == 1:
            found = Errors((samples.n_pos - pos[0]).ravel(), neg[0].ravel())
        else:
            found = Discordant(*(count.ravel() for count in (*pos, *neg)))
        fpr, tpr = zip(*(m.rates(t) for m, t in zip(models, thresholds, strict=True)), strict=True)
        fnr, alarms = 1.0 - tpr[0], fpr[0]
        pair = len(models) == 2
        if pair:
            fnr, alarms = tpr[1] - tpr[0], fpr[0] - fpr[1]
        # No threshold, no interval.
        lost = np.isnan(sum(thresholds))
        for method, (name, options) in parsed.items():
            if options.get("thresholds", "known") == kind:
                kept = options.get("samples", "all")
                if kept not in KEPT[: 1 if pair else None]:
                    raise invalid("samples", f"be one of {', '.join(KEPT)}", kept, "Of two models all count.")
                n = samples.n_pos, samples.n_neg
                left_out = lost | ~_kept(kept, pos[0], neg[0], n)
                one = method, name, thresholds
                out[method] = _evaluated(rule, drawn, quantity, one, found, (fnr, alarms), left_out)
    return [out[method] for method in rule.methods]


def _counted(scores: FloatArray, thresholds: Sequence[FloatArray]) -> tuple[IntArray, ...]:
    """Cases of each sample predicted positive at the same thresholds; for two models, by only one of them."""
    return discordant_at(scores, thresholds) if len(thresholds) == 2 else (count_at(scores, thresholds[0]),)


def _counted_by_sample(scores: FloatArray, thresholds: Sequence[FloatArray]) -> tuple[IntArray, ...]:
    """The same where each sample has its own thresholds, shape (reps, h)."""
    counts = np.zeros((len(thresholds), len(scores), thresholds[0].shape[1]), np.int64)
    for i, cases in enumerate(scores):
        called = [
            column[:, None] >= t[i] for column, t in zip(np.atleast_2d(cases.T), thresholds, strict=True)
        ]
        if len(called) == 2:
            called = [called[0] & ~called[1], called[1] & ~called[0]]
        counts[:, i] = [np.count_nonzero(c, axis=0) for c in called]
    return tuple(counts)


def _thresholds(
    rule: Rule, drawn: Drawn, kind: str, models: tuple[Population, ...]
) -> tuple[FloatArray, ...]:
    """Thresholds of each model: one per w, or one per sample and w; NaN where there is none."""
    samples, w = drawn.samples, np.array(rule.at)
    best = tuple(best_places(model, rule.at)[0] for model in models)
    if kind == "known":
        return best
    chosen_on = samples
    if kind == "validation":
        size = samples.n_pos, samples.n_neg
        chosen_on = Samples(*drawn.population.draw(drawn.rng, *size, samples.reps))
    take = chosen_on.scores if len(models) == 1 else chosen_on.pair
    out = np.full((len(models), samples.reps, len(w)), np.nan)
    for i in range(samples.reps):
        cases = take(i)
        if kind in ("validation", "chosen"):
            out[:, i] = [Criterion.cost(w).thresholds(scores) for scores in models_of(cases)]
            continue
        with contextlib.suppress(ValueError):
            out[:, i] = thresholds_within(cases, best, kind)
    return tuple(out)


def method_of_costs(priced: LinearCost, name: str, **options: Any) -> CostMethod:
    """Return the method for one model or for the difference of two."""
    method: CostMethod = (COST_CURVE if priced.alone else COST_DIFFERENCE).chosen(name, options)
    return method


def _kept(kept: str, pos: IntArray, neg: IntArray, n: tuple[int, int]) -> BoolArray:
    """Which samples count at each place, by the cases that one model predicts positive."""
    parted = [(called > 0) & (called < cases) for called, cases in ((pos, n[0]), (neg, n[1]))]
    inside, both = (pos + neg > 0) & (pos + neg < sum(n)), parted[0] & parted[1]
    all_of = np.ones_like(inside)
    return dict(zip(KEPT, (all_of, inside, ~inside, both, ~both), strict=True))[kept]


def expected_costs(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count intervals that contain the cost per case, or its difference, at the thresholds used.

    A method's options: `thresholds` are "known" (the population's best), "validation" (chosen on another such
    sample) or "chosen" (on the sample itself); `prior` is "sample", "known", or the number of other cases
    that estimate it. At each w the unit costs are those implied by w at the population's prevalence.
    """
    samples, population, share = drawn.samples, drawn.population, float(drawn.population.share)
    models: tuple[Population, ...] = drawn.models if samples.pos.ndim == 3 else (drawn.model,)
    entry = FAMILIES["expected_cost" if len(models) == 1 else "expected_cost_difference"]
    quantity = "cost" if len(models) == 1 else "cost_a - cost_b"
    sides = ("",) if len(models) == 1 else ("_a", "_b")
    take = samples.scores if len(models) == 1 else samples.pair
    best = [best_places(model, rule.at)[0] for model in models]
    out = []
    for method in rule.methods:
        name, options = parse(method)
        used, known = entry.chosen(name, {}), options["thresholds"] == "known"
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
            cases: Any = take(i)
            own: Any = costs_per_case(cases, unit, given, other, prior, None)[0]
            x = one(cases, own[0]) if len(own) == 1 else minus(cases, own)
            made = infer(x, used, rule.confidence_level)
            paid = []
            for model, t in zip(models, np.atleast_1d(made.threshold), strict=True):
                fpr, tpr = model.rates(np.array([t]))
                paid.append(w * (1.0 - tpr[0]) + (1.0 - w) * fpr[0])
            truth[i, place] = paid[0] - sum(paid[1:])
            lower[i, place], upper[i, place] = made.lower, made.upper
        out.append(counted(method, quantity, np.array(rule.at), truth, lower, upper))
    return out


def _evaluated(
    rule: Rule,
    drawn: Drawn,
    quantity: str,
    one: tuple[str, str, tuple[FloatArray, ...]],
    found: Errors | Discordant,
    rates: tuple[FloatArray, FloatArray],
    left_out: BoolArray,
) -> Coverage:
    """Count the intervals of one method that contain the costs of true rates of shape (g,) or (reps, g)."""
    method, name, thresholds = one
    samples, sampling, share = drawn.samples, drawn.sampling, drawn.share
    alpha, beta = linear_form(np.array(rule.at), share, sampling)
    fnr, fpr = rates
    if sampling == "full":
        fnr, fpr = share * fnr, (1.0 - share) * fpr
    truth = alpha * fnr + beta * fpr
    if name == "bootstrap":
        both = _resampled(rule, drawn, (alpha, beta), thresholds)
    else:
        form = np.tile(alpha, samples.reps), np.tile(beta, samples.reps)
        priced = LinearCost.counted([found], (samples.n_pos, samples.n_neg), form, sampling)
        both = method_of_costs(priced, name).ends(priced, rule.confidence_level)[:2]
    least = 0.0 if isinstance(found, Errors) else -1.0
    lower, upper = (np.clip(x, least, 1.0).reshape(samples.reps, -1) for x in both)
    lower, upper = (np.where(left_out, np.nan, end) for end in (lower, upper))
    return counted(method, quantity, np.array(rule.at), truth, lower, upper)


def _resampled(
    rule: Rule, drawn: Drawn, form: tuple[FloatArray, FloatArray], thresholds: tuple[FloatArray, ...]
) -> Ends:
    """Percentile limits of resamples, sample by sample."""
    samples = drawn.samples
    take = samples.scores if len(thresholds) == 1 else samples.pair
    rows = []
    for i in range(samples.reps):
        at = tuple(t if t.ndim == 1 else t[i] for t in thresholds)
        priced = LinearCost.of(take(i), at, form, drawn.sampling)
        method = method_of_costs(priced, "bootstrap", n_resamples=rule.n_resamples, rng=drawn.rng)
        rows.append(method.ends(priced, rule.confidence_level)[:2])
    lower, upper = np.stack(rows, axis=1)
    return lower, upper
