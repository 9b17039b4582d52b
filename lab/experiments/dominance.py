"""The probability of dominance: how often it reaches a level, and a plot of its four quadrants."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from confroc import dominance_at_threshold
from confroc.auditing.coverage import Coverage
from confroc.auditing.rules import Drawn, quiet
from confroc.auditing.samples import Samples
from confroc_lab import NormalPair, Rule, threshold_at_positive_rate
from confroc_lab._types import FloatArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEVELS = (0.9, 0.95, 0.99)
METHOD = "exact_bootstrap"


def thresholds(population: Any, rates: tuple[float, ...]) -> tuple[FloatArray, FloatArray]:
    """Thresholds at which either model predicts these proportions positive."""
    a, b = (threshold_at_positive_rate(model, rates, 0.5) for model in (population.a, population.b))
    return a, b


def dominances(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Count samples in which f2 reaches each level; sum f2 and what neither model's dominance has."""
    samples, at = drawn.samples, np.array(rule.at)
    a, b = thresholds(drawn.population, rule.at)
    second, neither = np.empty((2, samples.reps, len(at)))
    for i in range(samples.reps):
        found = dominance_at_threshold(samples.pair(i), threshold_a=a, threshold_b=b)
        second[i], neither[i] = found.b_over_a, 1.0 - found.a_over_b - found.b_over_a
    reps, zero = np.full(len(at), samples.reps), np.zeros(len(at), np.int64)

    def counts(quantity: str, held: Any, values: FloatArray) -> Coverage:
        covered = np.count_nonzero(held, axis=0)
        sums = values.sum(axis=0), np.square(values).sum(axis=0)
        return Coverage(METHOD, quantity, at, reps, reps, zero, covered, zero, zero, zero, zero, *sums)

    reached = [counts(f"f2 >= {level:.2f}", second >= level, second) for level in LEVELS]
    return [*reached, counts("undecided", neither >= 0.1, neither)]


@dataclass(frozen=True, kw_only=True)
class Quadrants:
    """Where the first model stands against the second at one pair of thresholds, in resamples of one sample.

    Attributes
    ----------
    name, caption : str
    population : NormalPair
    size : int
        Cases of each class.
    rate : float
        Total positive rate of both models.
    resamples : int
    seed : int
    """

    name: str
    caption: str
    population: NormalPair
    size: int
    rate: float
    resamples: int = 500
    seed: int = 0

    def figure(self, data: Path | None) -> Figure:  # noqa: ARG002
        """Draw it."""
        from matplotlib.figure import Figure

        population, n = self.population, self.size
        t_a, t_b = (float(t[0]) for t in thresholds(population, (self.rate,)))
        rng = np.random.Generator(np.random.SFC64(self.seed))
        drawn = Samples(*population.draw(rng, n, n, 1))
        with quiet():
            found = dominance_at_threshold(drawn.pair(0), threshold_a=t_a, threshold_b=t_b)
        steps = []
        for scores in (drawn.neg[0], drawn.pos[0]):
            step = (scores[:, 0] >= t_a).astype(int) - (scores[:, 1] >= t_b)
            steps.append(step[rng.integers(n, size=(self.resamples, n))].mean(axis=1))
        figure = Figure(figsize=(4.6, 4.6), layout="constrained")
        ax = figure.subplots()
        jitter = rng.uniform(-0.3 / n, 0.3 / n, size=(2, self.resamples))
        ax.plot(steps[0] + jitter[0], steps[1] + jitter[1], ".", color="C0", markersize=3)
        reach = 1.1 * max(float(np.abs(step).max()) for step in steps)
        ax.set_xlim(-reach, reach)
        ax.set_ylim(-reach, reach)
        ax.axhline(0.0, color="black", linewidth=0.8, linestyle="--")
        ax.axvline(0.0, color="black", linewidth=0.8, linestyle="--")
        for x, y, text in (
            (0.97, 0.97, "A: more of both"),
            (0.97, 0.05, f"B: model 2 dominates\nf2 = {found.b_over_a[0]:.3f}"),
            (0.03, 0.05, "C: fewer of both"),
            (0.03, 0.97, f"D: model 1 dominates\nf1 = {found.a_over_b[0]:.3f}"),
        ):
            ax.text(
                x,
                y,
                text,
                transform=ax.transAxes,
                fontsize=8,
                ha="left" if x < 0.5 else "right",
                va="top" if y > 0.5 else "bottom",
            )
        ax.set_xlabel("difference of false positive rates, model 1 less model 2", fontsize=8)
        ax.set_ylabel("difference of true positive rates", fontsize=8)
        ax.tick_params(labelsize=8)
        return figure
