"""Smoothed and naive bootstrap bands: a ball around the curve (Bertail, Clémençon & Vayatis 2008).

A curve is given by its true positive rate over each of the n₋ steps of the false positive rate, on which the
distances of the paper are exact for step curves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias, get_args

import numpy as np

from confroc._types import RNG, FloatArray, IntArray
from confroc.bands.edges import Edges, edges_on_one_grid, envelope
from confroc.curve import curve_of
from confroc.models.bandwidths import CURVE, class_samples, reference, unit_scaled
from confroc.models.kernel import kernel_draw
from confroc.resample import critical_value, in_threads, resample, spawn
from confroc.scores import Scores
from confroc.scores.counting import one_by_one

Metric: TypeAlias = Literal["sup", "db"]
METRICS: tuple[Metric, ...] = get_args(Metric)


def steps_of(pos: IntArray, neg: IntArray) -> FloatArray:
    """True positive rate over each step of the false positive rate, from a table of counts.

    Inside a tied block the curve is a diagonal, and the step has its middle value.
    """
    above = np.cumsum(pos)
    start = np.cumsum(neg) - neg
    each = np.repeat(np.arange(len(neg)), neg)
    within = (np.arange(len(each)) - start[each] + 0.5) / neg[each]
    value: FloatArray = (above[each] - pos[each] * (1.0 - within)) / above[-1]
    return value


def sup_distance(f: FloatArray, g: FloatArray) -> float:
    """Largest vertical distance of two curves."""
    return float(np.abs(f - g).max())


def _across(f: FloatArray, value: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Horizontal distance from (t, value) to the curve f, completed by its jumps, in steps.

    Returned at the left end of each step and at its right end; between them it is linear.
    """
    i = np.arange(len(f))
    right = np.searchsorted(f, value, side="left") - i
    left = i - np.searchsorted(f, value, side="right") + 1
    return np.maximum(np.maximum(right, left - 1.0), 0.0), np.maximum(np.maximum(right - 1.0, left), 0.0)


def db_distance(f: FloatArray, g: FloatArray) -> float:
    """The pseudo-metric d_B (§2.1): sup over t of the least of |f − g|, |f⁻¹∘g − t| and |g⁻¹∘f − t|."""
    (a0, a1), (b0, b1) = _across(f, g), _across(g, f)
    # Of two distances linear over a step the smaller one is largest at an end or where they cross.
    turn = (a1 - a0) - (b1 - b0)
    u = np.clip(np.divide(b0 - a0, turn, out=np.zeros_like(turn), where=turn != 0.0), 0.0, 1.0)
    crossed = np.minimum(a0 + u * (a1 - a0), b0 + u * (b1 - b0))
    across = np.maximum(np.maximum(np.minimum(a0, b0), np.minimum(a1, b1)), crossed) / len(f)
    return float(np.minimum(np.abs(f - g), across).max())


def bandwidths(scores: Scores) -> tuple[float, float]:
    """Kernel bandwidths of the positives and of the negatives, 1.06·s·n^(−1/4).

    Theorem 2 asks for n·h⁵·log²n → 0 and n·h³ → ∞, which n^(−1/5) fails and n^(−1/4) meets.
    """
    neg, pos = class_samples(scores, "Use method 'equal_local_levels'.")
    return reference(pos.spread, pos.n, CURVE), reference(neg.spread, neg.n, CURVE)


def resampled_steps(
    scores: Scores,
    n_resamples: int,
    rng: RNG,
    n_jobs: int,
    smoothing: bool,
    of: Callable[[FloatArray], FloatArray],
) -> FloatArray:
    """Evaluate a function of the resampled curve's steps; smoothing adds Gaussian noise to each case."""
    if not smoothing:
        size = scores.n_pos, scores.n_neg
        return resample(lambda p, q: of(steps_of(p, q)), scores, n_resamples, rng, size=size, n_jobs=n_jobs)
    scores, _ = unit_scaled(scores)
    h_pos, h_neg = bandwidths(scores)
    all_pos, all_neg = np.repeat(scores.score, scores.pos), np.repeat(scores.score, scores.neg)

    def one(seed: np.random.SeedSequence) -> FloatArray:
        generator = np.random.Generator(np.random.SFC64(seed))
        pos = np.sort(kernel_draw(generator, all_pos, h_pos, len(all_pos)))
        neg = np.sort(kernel_draw(generator, all_neg, h_neg, len(all_neg)))
        return of(1.0 - np.searchsorted(pos, neg[::-1]) / len(pos))

    return np.array(in_threads(one, spawn(rng, n_resamples), n_jobs))


def ball(
    scores: Scores,
    level: float,
    *,
    n_resamples: int,
    rng: RNG,
    n_jobs: int,
    metric: Metric,
    smoothing: bool,
) -> Edges:
    """Band of the ball that contains the resampled curves with probability `level` (§3.1, step 4)."""
    one_by_one("method 'bootstrap'", scores.n_pos + scores.n_neg)
    own = steps_of(scores.pos, scores.neg)
    distance = sup_distance if metric == "sup" else db_distance
    distances = resampled_steps(
        scores, n_resamples, rng, n_jobs, smoothing, lambda steps: np.array(distance(own, steps))
    )
    delta = critical_value(distances, level)
    corner = curve_of(scores).corners()
    x, y = corner.fpr, corner.tpr
    vertical = edges_on_one_grid(x, y + delta, x, y - delta)
    if metric == "sup":
        return vertical
    # The ball's edges are max(R(t) + δ, R(t + δ)) and min(R(t) − δ, R(t − δ)).
    left, right = np.append(x - delta, 1.0), np.concatenate([[0.0], x + delta])
    horizontal = edges_on_one_grid(left, np.append(y, 1.0), right, np.concatenate([[0.0], y]))
    return envelope([vertical, horizontal])
