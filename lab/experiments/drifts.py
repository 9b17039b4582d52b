"""Populations that drift, with forecasts and a monitor, for the study of drift at small sizes."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize, special

from confroc import (
    Scores,
    auc_equality_test,
    auc_forecast,
    auc_interval,
    auc_test,
    drift_monitor,
    forecast_curve,
)
from confroc.auditing.coverage import Coverage, counted
from confroc.auditing.formulas import DIVERGENCES, Divergence, chance_distance, class_divergences
from confroc.auditing.populations import Draw
from confroc.auditing.rules import Drawn, Rule
from confroc.auditing.samples import Samples
from confroc_lab._types import FloatArray
from confroc_lab.populations import TwoDistributions
from shapes import MODELS

BUDGET = 0.1
ZERO = np.zeros(1)
GRID = 60_000
RADIUS = 0.01
"""A small distance: in samples of 100 + 1,000 cases the distance without drift is five times as large."""


@dataclass(frozen=True)
class Shape:
    """A population of `shapes.MODELS`, by its name."""

    name: str

    @property
    def share(self) -> float:
        """Prevalence."""
        return MODELS[self.name].share

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int, reps: int) -> Draw:
        """Return scores of positives and negatives."""
        return MODELS[self.name].draw(rng, n_pos, n_neg, reps)


@functools.cache
def extremes(shape: str) -> tuple[float, float]:
    """The least and the greatest area within the budget of a population."""
    pos, neg = MODELS[shape].draw(np.random.default_rng(1), GRID, GRID, 1)
    scores = Scores(np.repeat([1, 0], GRID), np.concatenate([pos[0], neg[0]]))
    found = auc_forecast(scores, jeffreys=BUDGET, method="paper")
    return found.lower, found.upper


def contains_all(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count forecasts that contain the areas of all populations within the budget; widths beyond theirs."""
    least, greatest = extremes(drawn.population.name)
    out = []
    for method in rule.methods:
        level = {"confidence_level": rule.confidence_level} if method == "calibrated" else {}
        ask = functools.partial(auc_forecast, jeffreys=BUDGET, method=method, **level)
        ((low, high),) = drawn.samples.one_by_one(ask)
        # One that falls short on both sides counts once.
        short, beyond = low - least, high - greatest
        beyond = np.where(short > 0.0, np.maximum(short, beyond), beyond)
        out.append(counted(method, "all within", ZERO, ZERO, short, beyond))
    return out


@dataclass(frozen=True)
class Drifting:
    """Segments of one size whose positives each shift by a normal amount.

    Attributes
    ----------
    shape : str
        Of the population without drift.
    sd : float
        Standard deviation of the shifts.
    parts : int
        Segments; the last one is the next, which the others forecast.
    """

    shape: str
    sd: float
    parts: int

    @property
    def share(self) -> float:
        """Prevalence."""
        return MODELS[self.shape].share

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int, reps: int) -> Draw:
        """Return scores of positives and negatives, one segment after the other in each row."""
        pos, neg = MODELS[self.shape].draw(rng, n_pos, n_neg, reps)
        shift = np.repeat(self.sd * rng.standard_normal((reps, self.parts)), n_pos // self.parts, axis=1)
        return pos + shift, neg


@dataclass(frozen=True)
class DrawnRegimes:
    """Segments of one size, each in the low or the high regime with probability one half.

    Attributes
    ----------
    low, high : TwoDistributions
    parts : int
        Segments; the last one is the next.
    """

    low: TwoDistributions
    high: TwoDistributions
    parts: int

    @property
    def share(self) -> float:
        """Prevalence."""
        return self.low.share

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int, reps: int) -> Draw:
        """Return scores of positives and negatives, one segment after the other in each row."""
        upper = rng.integers(2, size=(reps, self.parts)).astype(bool)
        drawn = [law.draw(rng, n_pos, n_neg, reps) for law in (self.low, self.high)]
        pos, neg = (
            np.where(np.repeat(upper, n // self.parts, axis=1), high, low)
            for n, low, high in zip((n_pos, n_neg), *drawn, strict=True)
        )
        return pos, neg


def parts_of(samples: Samples, parts: int, i: int) -> list[Scores]:
    """The segments of the i-th sample."""
    pieces = zip(np.split(samples.pos[i], parts), np.split(samples.neg[i], parts), strict=True)
    return [Scores(np.repeat([1, 0], [len(p), len(n)]), np.concatenate([p, n])) for p, n in pieces]


def next_area(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count forecasts from segments that contain the area of the next one."""
    out = []
    for method in rule.methods:
        ends = np.empty((2, drawn.samples.reps, 1))
        level = {"confidence_level": rule.confidence_level} if method == "calibrated" else {}
        for i in range(drawn.samples.reps):
            *past, new = parts_of(drawn.samples, drawn.population.parts, i)
            whole = functools.reduce(Scores.merge, past)
            found = auc_forecast(whole, segments=past, method=method, **level)
            ends[:, i, 0] = found.lower - new.auc, found.upper - new.auc
        out.append(counted(method, "next", ZERO, ZERO, ends[0], ends[1]))
    return out


def curve_areas(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count bounds within distances that contain the true area; and intervals, the same at all distances."""
    at, truth = np.array(rule.at), np.full(len(rule.at), drawn.model.auc)
    out = []
    for method in rule.methods:
        ends = np.empty((2, drawn.samples.reps, len(at)))
        for i in range(drawn.samples.reps):
            scores = drawn.samples.scores(i)
            found: Any
            if method in DIVERGENCES:
                found = forecast_curve(scores, radius=at, divergence=method)  # type: ignore[arg-type]
            else:
                found = auc_interval(scores, method=method, confidence_level=rule.confidence_level)
            ends[0, i], ends[1, i] = found.lower, found.upper
        out.append(counted(method, "curve", at, truth, ends[0], ends[1]))
    return out


def kept(method: str, quantity: str, holds: FloatArray, at: FloatArray = ZERO) -> Coverage:
    """Count what is zero or more, in rows a sample and columns a place."""
    return counted(method, quantity, at, np.zeros(len(at)), -holds, np.where(np.isnan(holds), np.nan, 1.0))


CHI2_9 = 16.918977604620448
"""The 95 % point of χ² with nine degrees of freedom."""


def chance_distances(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count distances without drift, on ten bins a class, below the 95 % point of a distribution.

    Samples are two segments. "as printed" compares a segment's distance from the whole, both classes added,
    with χ² with nine degrees of freedom; the classes' names their own distances times 2n/(1 − 1/2); "both
    classes" the sum so scaled, as if the two had one factor, 1/n₊ + 1/n₋. A divergence's name compares the
    second segment's distance from the first with the distribution that `forecast_curve` reports.
    """
    first, second = zip(*(parts_of(drawn.samples, 2, i) for i in range(drawn.samples.reps)), strict=True)
    whole = [drawn.samples.scores(i) for i in range(drawn.samples.reps)]
    n = np.array([first[0].n_pos, first[0].n_neg])
    apart = np.array(
        [class_divergences(s, w, Divergence("kl"), 10) for s, w in zip(first, whole, strict=True)]
    )
    scaled = {
        "as printed": apart.sum(axis=1),
        "positives": 4.0 * n[0] * apart[:, 0],
        "negatives": 4.0 * n[1] * apart[:, 1],
        "both classes": 4.0 * apart.sum(axis=1) / (1.0 / n).sum(),
    }
    out = []
    for method in rule.methods:
        if method in scaled:
            room = CHI2_9 - scaled[method]
        else:
            chosen = Divergence(method)  # type: ignore[arg-type]
            room = np.empty(len(whole))
            for i, (reference, new) in enumerate(zip(first, second, strict=True)):
                law = chance_distance(reference, chosen, 10, (new.n_pos, new.n_neg))
                room[i] = law.quantile(0.05) - sum(class_divergences(new, reference, chosen, 10))
        out.append(kept(method, "below", room[:, None]))
    return out


def directions(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count drifts in a random direction that move the area by at most given fractions of the extreme move.

    A direction is a normal number for each of the ten quantile bins of a class, by whose exponential the
    class's cases are weighted, as far as the distance goes. The extreme is the bound on the same side.
    """
    at, bins = np.array(rule.at), 10
    share = np.empty(drawn.samples.reps)
    for i in range(drawn.samples.reps):
        pos, neg = np.sort(drawn.samples.pos[i]), np.sort(drawn.samples.neg[i])
        heights = drawn.rng.standard_normal((2, bins))
        logs = [h[np.arange(len(c)) * bins // len(c)] for h, c in zip(heights, (pos, neg), strict=True)]
        new = tilted(logs, RADIUS)
        below = np.searchsorted(neg, pos)
        moved = float(new[0] @ np.concatenate([[0.0], np.cumsum(new[1])])[below])
        found = auc_forecast(drawn.samples.scores(i), radius=RADIUS, method="paper")
        extreme = (found.upper if moved > found.estimate else found.lower) - found.estimate
        share[i] = (moved - found.estimate) / extreme
    return [kept(method, "moved", at - share[:, None], at) for method in rule.methods]


def tilted(logs: list[FloatArray], radius: float) -> list[FloatArray]:
    """Weights ∝ exp(s·log) of the cases of each class, s such that both divergences make up the radius."""

    def at(s: float) -> list[FloatArray]:
        return [special.softmax(s * log) for log in logs]

    def excess(s: float) -> float:
        return sum(float(np.sum(special.xlogy(u, u * len(u)))) for u in at(s)) - radius

    return at(float(optimize.brentq(excess, 0.0, 10.0)))


def falls(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """The largest decrease of the area within the distance, and as a fraction of the misordered pairs."""
    moves = {name: np.empty(drawn.samples.reps) for name in ("area", "share of what is misplaced")}
    for i in range(drawn.samples.reps):
        found = auc_forecast(drawn.samples.scores(i), radius=RADIUS, method="paper")
        fall = found.estimate - found.lower
        moves["area"][i] = fall
        moves["share of what is misplaced"][i] = fall / (1.0 - found.estimate)
    none = np.zeros((drawn.samples.reps, 1))
    return [counted(m, "fall", ZERO, ZERO, none, moves[m][:, None]) for m in rule.methods]


def levels_of_tests(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count true hypotheses that tests by resampling do not reject."""
    area = drawn.models[0].auc
    found = np.full((len(rule.methods), drawn.samples.reps), np.nan)
    for i in range(drawn.samples.reps):
        pair = drawn.samples.pair(i)
        for k, method in enumerate(rule.methods):
            try:
                if method == "auc_test":
                    options = {"n_resamples": rule.n_resamples, "rng": drawn.rng}
                    result = auc_test(pair.a, null_auc=area, method="nearest_population", **options)
                else:
                    result = auc_equality_test(pair, n_resamples=rule.n_resamples, rng=drawn.rng)
                found[k, i] = result.pvalue
            except ValueError:
                # No reweighting of such a sample has that area.
                continue
    alpha = 1.0 - rule.confidence_level
    return [
        kept(method, "not rejected", (values - alpha - 1e-9)[:, None])
        for method, values in zip(rule.methods, found, strict=True)
    ]


def silence(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count segments whose Jeffreys divergence raises no alarm, by its p-value and by the rule of 0.25."""
    found: dict[str, list[float]] = {"p-value": [], "jeffreys > 0.25": []}
    for i in range(drawn.samples.reps):
        reference, new = parts_of(drawn.samples, 2, i)
        table = drift_monitor(reference, [new], n_resamples=399, rng=drawn.rng)
        found["p-value"].append(float(table.jeffreys_pvalue[0]) - (1.0 - rule.confidence_level))
        found["jeffreys > 0.25"].append(0.25 - float(table.jeffreys[0]))
    out = []
    for method in rule.methods:
        kept = np.array(found[method])[:, None]
        out.append(counted(method, "silent", ZERO, ZERO, -kept, np.ones(kept.shape)))
    return out
