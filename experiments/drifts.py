"""Populations that drift, and what forecasts and a monitor say of them: for the study of their edges."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from confroc.drift import auc_forecast, drift_monitor
from confroc.lab.coverage import Coverage, counted
from confroc.lab.populations import Draw
from confroc.lab.rules import Drawn, Rule
from confroc.lab.samples import Samples
from confroc.scores import Scores
from shapes import MODELS

PSI = 0.1
ZERO = np.zeros(1)
GRID = 60_000


@dataclass(frozen=True)
class Shape:
    """A population of `shapes.MODELS`, by its name."""

    name: str

    @property
    def share(self) -> float:
        """Share of positives."""
        return MODELS[self.name].share

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int, reps: int) -> Draw:
        """Return scores of positives and negatives."""
        return MODELS[self.name].draw(rng, n_pos, n_neg, reps)


@functools.cache
def extremes(shape: str) -> tuple[float, float]:
    """The least and the greatest area within the budget of a population."""
    pos, neg = MODELS[shape].draw(np.random.default_rng(1), GRID, GRID, 1)
    scores = Scores(np.repeat([1, 0], GRID), np.concatenate([pos[0], neg[0]]))
    found = auc_forecast(scores, psi=PSI, method="paper")
    return found.lower, found.upper


def contains_all(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count forecasts that contain the areas of all populations within the budget; widths beyond theirs."""
    least, greatest = extremes(drawn.population.name)
    out = []
    for method in rule.methods:
        level = {"confidence_level": rule.confidence_level} if method == "calibrated" else {}
        ask = functools.partial(auc_forecast, psi=PSI, method=method, **level)
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
        """Share of positives."""
        return MODELS[self.shape].share

    def draw(self, rng: np.random.Generator, n_pos: int, n_neg: int, reps: int) -> Draw:
        """Return scores of positives and negatives, one segment after the other in each row."""
        pos, neg = MODELS[self.shape].draw(rng, n_pos, n_neg, reps)
        shift = np.repeat(self.sd * rng.standard_normal((reps, self.parts)), n_pos // self.parts, axis=1)
        return pos + shift, neg


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


def silence(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count segments whose stability index raises no alarm, by its p-value and by the rule of 0.25."""
    found: dict[str, list[float]] = {"p-value": [], "psi > 0.25": []}
    for i in range(drawn.samples.reps):
        reference, new = parts_of(drawn.samples, 2, i)
        table = drift_monitor(reference, [new], n_resamples=399, rng=drawn.rng)
        found["p-value"].append(float(table.pvalue[0]) - (1.0 - rule.confidence_level))
        found["psi > 0.25"].append(0.25 - float(table.psi[0]))
    out = []
    for method in rule.methods:
        kept = np.array(found[method])[:, None]
        out.append(counted(method, "silent", ZERO, ZERO, -kept, np.ones(kept.shape)))
    return out
