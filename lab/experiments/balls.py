"""Bootstrap balls around the curve, and intervals at one rate (Bertail, Clémençon & Vayatis 2008, Table 1).

All statements about a sample use the same resamples, which are drawn, sorted and compared in batches; the
public functions draw new ones for each.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from confroc import Scores
from confroc.auditing.bands import WHOLE, counted_curve
from confroc.auditing.coverage import Coverage, counted
from confroc.auditing.formulas import (
    class_bandwidths,
    class_samples,
    critical_value,
    db_distance,
    steps_of,
    sup_distance,
)
from confroc.auditing.populations import FINE, Population
from confroc.auditing.rules import Drawn, Rule, parse
from confroc_lab._types import FloatArray, IntArray

POINTWISE = {"naive_bootstrap": False, "smoothed_bootstrap": True}
METRICS = ("sup", "db")


@functools.lru_cache(maxsize=16)
def true_curve(population: Population) -> tuple[FloatArray, FloatArray]:
    """Vertices of the true curve, dense at both ends."""
    return population.curve(FINE)


@numba.njit(nogil=True, cache=True)
def two_distances(f: NDArray[np.float64], g: NDArray[np.float64]) -> tuple[float, float]:
    """Sup distance and d_B of two curves given over the same n steps.

    d_B is the sup over t of the least of |f − g|, |f⁻¹∘g − t| and |g⁻¹∘f − t|.
    """
    n = f.shape[0]
    sup = 0.0
    db = 0.0
    # First steps at which one curve reaches and exceeds the other's value; they only move right.
    f_reaches = 0
    f_exceeds = 0
    g_reaches = 0
    g_exceeds = 0
    for i in range(n):
        while f_reaches < n and f[f_reaches] < g[i]:
            f_reaches += 1
        while f_exceeds < n and f[f_exceeds] <= g[i]:
            f_exceeds += 1
        while g_reaches < n and g[g_reaches] < f[i]:
            g_reaches += 1
        while g_exceeds < n and g[g_exceeds] <= f[i]:
            g_exceeds += 1
        vertical = abs(f[i] - g[i])
        sup = max(sup, vertical)
        # Horizontal distances in steps at the step's left and right end, linear in between.
        a0 = max(f_reaches - i, i - f_exceeds, 0)
        a1 = max(f_reaches - i - 1, i - f_exceeds + 1, 0)
        b0 = max(g_reaches - i, i - g_exceeds, 0)
        b1 = max(g_reaches - i - 1, i - g_exceeds + 1, 0)
        across = float(max(min(a0, b0), min(a1, b1)))
        turn = (a1 - a0) - (b1 - b0)
        if turn != 0:
            u = min(max((b0 - a0) / turn, 0.0), 1.0)
            across = max(across, min(a0 + u * (a1 - a0), b0 + u * (b1 - b0)))
        db = max(db, min(vertical, across / n))
    return sup, db


@numba.njit(nogil=True, cache=True)
def ball_distances(
    pos: NDArray[np.float64],
    neg: NDArray[np.float64],
    own: NDArray[np.float64],
    at: NDArray[np.int64],
    out: NDArray[np.float64],
) -> None:
    """Distances of resampled curves from the sample's own (Bertail, Clémençon & Vayatis 2008, §2.1, §3.1).

    Row i of `pos` and of `neg` is a resample, increasing; `own` is the sample's true positive rate over each
    step of the false positive rate. A row of `out` takes the sup distance, d_B, and the absolute error over
    each step in `at`.
    """
    m = pos.shape[1]
    n = neg.shape[1]
    curve = np.empty(n)
    for i in range(neg.shape[0]):
        exceeded = 0
        j = 0
        while j < n:
            x = neg[i, n - 1 - j]
            negatives = 1
            while j + negatives < n and neg[i, n - 1 - j - negatives] == x:
                negatives += 1
            while exceeded < m and pos[i, m - 1 - exceeded] > x:
                exceeded += 1
            tied = 0
            while exceeded + tied < m and pos[i, m - 1 - exceeded - tied] == x:
                tied += 1
            # Inside a tied block the curve is a diagonal; a step holds its middle value.
            for k in range(negatives):
                curve[j + k] = (exceeded + tied * (k + 0.5) / negatives) / m
            j += negatives
        out[i, 0], out[i, 1] = two_distances(own, curve)
        for k in range(at.shape[0]):
            out[i, 2 + k] = abs(curve[at[k]] - own[at[k]])


def resampled_distances(
    scores: Scores, smoothing: bool, at: IntArray, n_resamples: int, rng: np.random.Generator
) -> FloatArray:
    """Sup distance, d_B and errors at given steps of resampled curves, shape (n_resamples, 2 + len(at))."""
    neg, pos = class_samples(scores)
    bandwidth = class_bandwidths("curve", pos, neg) if smoothing else (0.0, 0.0)
    drawn = []
    for count, h in zip((scores.pos, scores.neg), bandwidth, strict=True):
        cases = np.repeat(scores.score, count)
        again = cases[rng.integers(len(cases), size=(n_resamples, len(cases)), dtype=np.uint32)]
        if smoothing:
            again += h * rng.standard_normal(again.shape)
        again.sort(axis=1)
        drawn.append(again)
    out = np.empty((n_resamples, 2 + len(at)))
    ball_distances(drawn[0], drawn[1], steps_of(scores.pos, scores.neg), at, out)
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


def balls(rule: Rule, drawn: Drawn) -> list[Coverage]:
    """Evaluator bootstrap balls around the curve, and intervals for the true rate at one false positive rate.

    Methods are "bootstrap:metric=...,smoothing=..." as in `roc_band`, "naive_bootstrap" and
    "smoothed_bootstrap"; the rule's one place is the rate.

    Quantity "distance": is the true curve, taken at the middle of each step, no further away than the ball's
    radius? Quantity "curve": does the band between the ball's edges contain the whole true curve, as
    `roc_band(...).contains` has it? Its width is the area. Quantity "tpr": the rate.
    """
    (fpr,) = rule.at
    samples, vertices = drawn.samples, true_curve(drawn.model)
    n = samples.n_neg
    step = np.array([min(int(fpr * n + 1e-9), n - 1)])
    middle = np.interp((np.arange(n) + 0.5) / n, *vertices)
    plans = [_plan(method) for method in rule.methods]
    half = np.empty((2, samples.reps, 3))
    found = np.empty((len(plans), samples.reps, 3))
    own_rate = np.empty(samples.reps)
    distance = np.empty((samples.reps, 2))
    for i in range(samples.reps):
        scores = samples.scores(i)
        own = steps_of(scores.pos, scores.neg)
        own_rate[i] = own[step[0]]
        distance[i] = sup_distance(own, middle), db_distance(own, middle)
        for smoothing in sorted({smooth for _, smooth in plans}):
            errors = resampled_distances(scores, smoothing, step, rule.n_resamples, drawn.rng)
            half[int(smoothing), i] = [critical_value(c, rule.confidence_level) for c in errors.T]
        for j, (kind, smoothing) in enumerate(plans):
            if kind in METRICS:
                delta = half[int(smoothing), i, METRICS.index(kind)]
                across = delta if kind == "db" else 0.0
                found[j, i] = between_edges(own, delta, across, lambda t: np.interp(t, *vertices))
    out = []
    true_rate = np.array([np.interp(fpr, *vertices)])
    for j, (method, (kind, smoothing)) in enumerate(zip(rule.methods, plans, strict=True)):
        if kind in METRICS:
            k = METRICS.index(kind)
            delta, zero = half[int(smoothing), :, k, None], np.zeros((samples.reps, 1))
            out.append(counted(method, "distance", WHOLE, distance[:, k, None], zero, delta))
            ends = np.where(found[j, :, :2].T > 0.0, [[-1.0], [1.0]], [[1.0], [-1.0]])
            out.append(counted_curve(method, ends, found[j, :, 2]))
        else:
            delta = half[int(smoothing), :, 2]
            low, high = np.clip(own_rate - delta, 0.0, 1.0), np.clip(own_rate + delta, 0.0, 1.0)
            out.append(counted(method, "tpr", np.array([fpr]), true_rate, low[:, None], high[:, None]))
    return out


def _plan(method: str) -> tuple[str, bool]:
    """Metric, or "point", and whether to smooth."""
    if method in POINTWISE:
        return "point", POINTWISE[method]
    options: dict[str, Any] = parse(method)[1]
    return options["metric"], options["smoothing"]
