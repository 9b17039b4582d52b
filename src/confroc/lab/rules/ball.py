"""Bootstrap balls around the curve, and intervals at one rate (Bertail, Clémençon & Vayatis 2008, Table 1).

All statements about a sample come from the same resamples, drawn, sorted and compared many at a time; the
public functions draw anew for each.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from confroc import _kernels
from confroc._kernels import lab as kernels
from confroc._types import FloatArray, IntArray
from confroc.bands.ball import bandwidths, db_distance, steps_of, sup_distance
from confroc.bands.shared import critical_value
from confroc.lab.batch import Batch
from confroc.lab.designs import AnyPopulation
from confroc.lab.populations import FINE, Population
from confroc.lab.rules.band import WHOLE, curve_tally
from confroc.lab.rules.base import Rule, one_model, parse
from confroc.lab.rules.tallies import Tally, tally
from confroc.scores import Scores

POINTWISE = {"centred_bootstrap": False, "smoothed_bootstrap": True}
METRICS = ("sup", "db")


@functools.lru_cache(maxsize=16)
def true_curve(population: Population) -> tuple[FloatArray, FloatArray]:
    """Vertices of the true curve, dense at both ends."""
    return population.curve(FINE)


def resampled_distances(
    scores: Scores, smoothing: bool, at: IntArray, n_resamples: int, rng: np.random.Generator
) -> FloatArray:
    """Sup distance, d_B and errors at given steps of resampled curves, shape (n_resamples, 2 + len(at))."""
    bandwidth = bandwidths(scores) if smoothing else (0.0, 0.0)
    drawn = []
    for count, h in zip((scores.pos, scores.neg), bandwidth, strict=True):
        cases = np.repeat(scores.score, count)
        again = cases[rng.integers(len(cases), size=(n_resamples, len(cases)), dtype=np.uint32)]
        if smoothing:
            again += h * rng.standard_normal(again.shape)
        again.sort(axis=1)
        drawn.append(again)
    out = np.empty((n_resamples, 2 + len(at)))
    # The kernel is the only way: distances are found in one pass over both curves.
    own = steps_of(scores.pos, scores.neg)
    _kernels.compiled(kernels.ball_distances)(drawn[0], drawn[1], own, at, out)
    return out


def between_edges(
    own: FloatArray, delta: float, across: float, truth: Callable[[FloatArray], FloatArray]
) -> tuple[bool, bool, float]:
    """Whether a rising curve stays above the lower and below the upper edge of a ball, and the ball's area.

    Both edges are the own steps moved by `delta` up or down and, for d_B, by `across` sideways; between their
    jumps they are constant, so a rising curve is furthest out at the end of such a stretch.
    """
    n = len(own)
    steps = np.arange(n + 1) / n

    def at(t: FloatArray) -> FloatArray:
        inside = own[np.clip((t * n).astype(np.int64), 0, n - 1)]
        return np.where(t < 0.0, 0.0, np.where(t > 1.0, 1.0, inside))

    area, holds = 0.0, []
    for side in (1.0, -1.0):
        joints = np.union1d(steps, np.clip(steps - side * across, 0.0, 1.0))
        middle = 0.5 * (joints[1:] + joints[:-1])
        moved = at(middle) + side * delta, at(middle + side * across)
        edge = np.clip(np.maximum(*moved) if side > 0.0 else np.minimum(*moved), 0.0, 1.0)
        outermost = truth(joints[1:] if side > 0.0 else joints[:-1])
        holds.append(bool((side * (edge - outermost) >= -1e-12).all()))
        area += side * float(np.sum(edge * np.diff(joints)))
    return holds[1], holds[0], area


@dataclass(frozen=True, kw_only=True)
class BallRule(Rule):
    """Whether bootstrap balls hold the true curve, and intervals the true rate at one false positive rate.

    Quantity "distance": is the true curve, taken at the middle of each step, no further away than the ball's
    radius? Quantity "curve": does the band between the ball's edges hold the whole true curve, as
    `roc_band(...).contains` has it? Its width is the area. Quantity "tpr": the rate at `fpr`.

    Attributes
    ----------
    methods : tuple of str
        "bootstrap:metric=...,smoothing=..." as in `roc_band`, "centred_bootstrap" or "smoothed_bootstrap".
    fpr : float
    """

    fpr: float = 0.2

    def judge(
        self,
        batch: Batch,
        population: AnyPopulation,
        rng: np.random.Generator,
        share: float,  # noqa: ARG002
    ) -> list[Tally]:
        """Count statements that hold."""
        model = one_model(population)
        vertices = true_curve(model)
        n = batch.n_neg
        step = np.array([min(int(self.fpr * n + 1e-9), n - 1)])
        middle = np.interp((np.arange(n) + 0.5) / n, *vertices)
        plans = [_plan(method) for method in self.methods]
        half = np.empty((2, batch.reps, 3))
        found = np.empty((len(plans), batch.reps, 3))
        own_rate = np.empty(batch.reps)
        distance = np.empty((batch.reps, 2))
        for i in range(batch.reps):
            scores = batch.scores(i)
            own = steps_of(scores.pos, scores.neg)
            own_rate[i] = own[step[0]]
            distance[i] = sup_distance(own, middle), db_distance(own, middle)
            for smoothing in sorted({smooth for _, smooth in plans}):
                drawn = resampled_distances(scores, smoothing, step, self.n_resamples, rng)
                half[int(smoothing), i] = [critical_value(c, self.confidence_level) for c in drawn.T]
            for j, (kind, smoothing) in enumerate(plans):
                if kind in METRICS:
                    delta = half[int(smoothing), i, METRICS.index(kind)]
                    across = delta if kind == "db" else 0.0
                    found[j, i] = between_edges(own, delta, across, lambda t: np.interp(t, *vertices))
        out = []
        true_rate = np.array([np.interp(self.fpr, *vertices)])
        for j, (method, (kind, smoothing)) in enumerate(zip(self.methods, plans, strict=True)):
            if kind in METRICS:
                k = METRICS.index(kind)
                delta, zero = half[int(smoothing), :, k, None], np.zeros((batch.reps, 1))
                out.append(tally(method, "distance", WHOLE, distance[:, k, None], zero, delta))
                ends = np.where(found[j, :, :2].T > 0.0, [[-1.0], [1.0]], [[1.0], [-1.0]])
                out.append(curve_tally(method, ends, found[j, :, 2]))
            else:
                delta = half[int(smoothing), :, 2]
                low, high = np.clip(own_rate - delta, 0.0, 1.0), np.clip(own_rate + delta, 0.0, 1.0)
                out.append(tally(method, "tpr", np.array([self.fpr]), true_rate, low[:, None], high[:, None]))
        return out


def _plan(method: str) -> tuple[str, bool]:
    """Metric, or "point", and whether to smooth."""
    if method in POINTWISE:
        return "point", POINTWISE[method]
    options: dict[str, Any] = parse(method)[1]
    return options["metric"], options["smoothing"]
