"""Smoothed and naive bootstrap bands: a ball around the curve (Bertail, Clémençon & Vayatis 2008).

A curve is represented by its true positive rate over each of the n₋ steps of the false positive rate, for
which the distances of the paper are exact for step curves. A smooth curve is evaluated at the centers of many
steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from confroc._check import ArgumentError
from confroc._types import FloatArray, IntArray, Sampling
from confroc.bands.averaging import tpr_at_counts
from confroc.bands.base import BandOutcome, ResampledBand
from confroc.bands.edges import BLOCK, Edges, FprRange, edges_on_one_grid, merged, outermost
from confroc.base import Guarantee, method_class
from confroc.curve import outline
from confroc.models.bandwidths import Bandwidth, check_bandwidth
from confroc.models.kernel_grid import Kernel
from confroc.models.resampler import Center, Smoothing, resampler
from confroc.resample import by_generator, critical_value, resample
from confroc.scores import Scores
from confroc.scores.counting import one_by_one

Metric: TypeAlias = Literal["sup", "db", "hausdorff"]

SMOOTH_STEPS = 8000
"""Minimum number of steps of a smooth curve."""


def steps_of(pos: IntArray, neg: IntArray) -> FloatArray:
    """True positive rate over each step of the false positive rate, from a table of counts.

    Inside a tied block the curve is a diagonal; steps have their middle values.
    """
    parts, passed = [], 0
    for first in range(0, len(neg), BLOCK):
        p, q = pos[first : first + BLOCK], neg[first : first + BLOCK]
        above, start = np.cumsum(p) + passed, np.cumsum(q) - q
        each = np.repeat(np.arange(len(q)), q)
        within = (np.arange(len(each)) - start[each] + 0.5) / q[each]
        parts.append(above[each] - p[each] * (1.0 - within))
        passed = int(above[-1])
    value: FloatArray = np.concatenate(parts)
    value /= passed
    return value


def even_steps_of(pos: IntArray, neg: IntArray) -> FloatArray:
    """The same at the centers of many even steps, for weights and resamples of other sizes."""
    return tpr_at_counts(pos, neg, (np.arange(SMOOTH_STEPS) + 0.5) / SMOOTH_STEPS)


def on_common_steps(f: FloatArray, g: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return two curves over the union of their steps, and their joints (in steps if equally many)."""
    if len(f) == len(g):
        return f, g, np.arange(len(f) + 1.0)
    # Equal fractions give equal doubles.
    joints = np.union1d(np.arange(len(f) + 1) / len(f), np.arange(len(g) + 1) / len(g))
    middle = 0.5 * (joints[1:] + joints[:-1])
    first, second = (values[(middle * len(values)).astype(np.int64)] for values in (f, g))
    return first, second, joints


def sup_distance(f: FloatArray, g: FloatArray) -> float:
    """Largest vertical distance of two curves."""
    f, g, _ = on_common_steps(f, g)
    return float(np.abs(f - g).max())


def _across(
    f: FloatArray, value: FloatArray, joints: FloatArray, ends: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Horizontal distance from (t, value) to the curve f, completed by its jumps, for some steps' values.

    Returned at the left and right end of each step; linear in between.
    """
    reached = joints[np.searchsorted(f, value, side="left")]
    left_behind = joints[np.searchsorted(f, value, side="right")]
    left, right = (np.maximum(np.maximum(reached - t, t - left_behind), 0.0) for t in (ends[:-1], ends[1:]))
    return left, right


def db_distance(f: FloatArray, g: FloatArray) -> float:
    """The pseudo-metric d_B (§2.1): sup over t of the minimum of |f − g|, |f⁻¹∘g − t| and |g⁻¹∘f − t|."""
    f, g, joints = on_common_steps(f, g)
    one, farthest = joints[-1], 0.0
    for start in range(0, len(f), BLOCK):
        ends, some_f, some_g = (v[start : start + BLOCK + i] for v, i in ((joints, 1), (f, 0), (g, 0)))
        (a0, a1), (b0, b1) = _across(f, some_g, joints, ends), _across(g, some_f, joints, ends)
        # The minimum of two linear distances over a step is largest at an end or where they cross.
        turn = (a1 - a0) - (b1 - b0)
        u = np.clip(np.divide(b0 - a0, turn, out=np.zeros_like(turn), where=turn != 0.0), 0.0, 1.0)
        crossed = np.minimum(a0 + u * (a1 - a0), b0 + u * (b1 - b0))
        across = np.maximum(np.maximum(np.minimum(a0, b0), np.minimum(a1, b1)), crossed) / one
        farthest = max(farthest, float(np.minimum(np.abs(some_f - some_g), across).max()))
    return farthest


def _turned(f: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Vertices of the curve, completed by its jumps, as TPR + FPR and TPR − FPR."""
    fpr = np.repeat(np.arange(len(f) + 1) / len(f), 2)
    tpr = np.concatenate([[0.0], np.repeat(f, 2), [1.0]])
    return tpr + fpr, tpr - fpr


def hausdorff_distance(f: FloatArray, g: FloatArray) -> float:
    """Hausdorff distance of two curves completed by their jumps, in the maximum norm.

    Computed along falling diagonals: in rotated axes both curves have slopes −1 and 1, so the nearest point
    of the other curve is straight across, and the largest distance is at a vertex of both.
    """
    (at, value), other = _turned(f), _turned(g)
    return 0.5 * float(np.abs(value - np.interp(at, *other)).max())


DISTANCES: Mapping[Metric, Callable[[FloatArray, FloatArray], float]] = {
    "sup": sup_distance,
    "db": db_distance,
    "hausdorff": hausdorff_distance,
}


@method_class
class BallBootstrap(ResampledBand):
    """Bootstrap ball.

    Contains all curves within a distance of the empirical curve (Bertail, Clémençon & Vayatis 2008). The
    stated proportion of resampled curves is within that distance. Resampled scores are smoothed by noise
    unless `smoothing=False`.

    Attributes
    ----------
    metric : {"sup", "db", "hausdorff"}
        The sup norm, the pseudo-metric d_B, or the Hausdorff distance (in the maximum norm) of the curves
        completed by their jumps, which moves the curve along falling diagonals.
    smoothing : bool
        Add noise to resampled scores; not invariant under transforms. Not for weighted, clustered or
        stratified cases.
    bandwidth : float, (float, float) or str
        Standard deviation of the noise in units of the scores, common or as (positives, negatives), or a
        rule: "curve", 1.06·s·n^(−1/4), which satisfies theorem 2 of Bertail, Clémençon & Vayatis
        (2008); "density", n^(−1/5) as in their remark 2; "distribution", n^(−1/3); "hall_hyndman" or
        "normal_reference". See `KernelModel.fit`.
    kernel : {"gaussian", "uniform"}
        Distribution of the noise. The uniform one extends √3 bandwidths to each side.
    center : {"empirical", "smoothed"}
        The curve from which distances of smoothed resamples are measured: the empirical curve, or the kernel
        curve they are drawn from (remark 3). The ball is centered at the empirical curve in both cases.
    sampling : {"stratified", "full"}
        Resample each class separately, or pairs of score and class as in step 2 of the paper's algorithm, so
        that class sizes vary.
    """

    name = "bootstrap"
    dependence = "own"
    papers = ("bertail2008",)
    caution = (
        "With smoothing not invariant under non-linear transforms of the scores. In the sup norm "
        "under-covers where the curve is steep, without guarantee."
    )
    metric: Metric = "db"
    smoothing: bool = True
    bandwidth: Bandwidth = "curve"
    kernel: Kernel = "gaussian"
    center: Center = "empirical"
    sampling: Sampling = "stratified"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_bandwidth(self.bandwidth)
        given = {} if self.smoothing else self.given
        for name in ("bandwidth", "kernel", "center"):
            if name in given:
                raise ArgumentError(name, "be omitted without smoothing", given[name], "Omit it.")

    @property
    def guarantee(self) -> Guarantee:
        """Basis of the coverage."""
        return "none" if self.metric == "sup" else "bootstrap"

    @property
    def widens(self) -> bool:
        """Smoothed scores depend on the values of the scores, not only on their order."""
        return not self.smoothing

    @property
    def of_dependent(self) -> BallBootstrap:
        """Unsmoothed resamples of whole clusters, since independent noise would break their dependence."""
        return replace(self, smoothing=False)

    def band(self, data: Scores, level: float, fpr_range: FprRange) -> BandOutcome:  # noqa: ARG002
        """Edges of the ball that contains the resampled curves with probability `level` (§3.1, step 4)."""
        return BandOutcome(ball_edges(data, self.radius(data, level), self.metric))

    def radius(self, scores: Scores, level: float) -> float:
        """Distance within which the resampled curves lie with probability `level`."""
        one_by_one("method 'bootstrap'", scores.n_pos + scores.n_neg)
        distance = DISTANCES[self.metric]
        steps_in = steps_of if scores.design is None else even_steps_of
        own = steps_in(scores.pos, scores.neg)
        if not self.smoothing:
            distances = resample(
                lambda pos, neg: np.array(distance(own, steps_in(pos, neg))),
                scores,
                self.count(level),
                self.rng,
                size=(scores.n_pos, scores.n_neg),
                sampling=self.sampling,
                n_jobs=self.n_jobs,
            )
            return critical_value(distances, level)
        noise = Smoothing(self.bandwidth, self.kernel, self.center)
        draws = resampler(scores, noise, self.sampling).reversed
        if self.center == "smoothed":
            # Remark 3: resampled curves are compared with the curve they are drawn from.
            steps = scores.n_neg * max(1, SMOOTH_STEPS // scores.n_neg)
            own = draws.smooth_tpr((np.arange(steps) + 0.5) / steps)
        # Free tables as long as the sample.
        draws = draws._replace(samples=None)

        def one(generator: np.random.Generator) -> FloatArray:
            pos, neg = draws.draw(generator)
            # With "full" sampling resamples differ in their number of steps.
            return np.array(distance(own, 1.0 - np.searchsorted(pos, neg[::-1]) / len(pos)))

        return critical_value(by_generator(one, self.count(level), self.rng, self.n_jobs), level)


def ball_edges(scores: Scores, delta: float, metric: Metric) -> Edges:
    """Edges of the ball with radius `delta` around the empirical curve."""
    corner = outline(scores).corners()
    x, y = corner.fpr, corner.tpr
    del corner
    if metric == "sup":
        return edges_on_one_grid(x, y + delta, x, y - delta)
    if metric == "hausdorff":
        # All points within δ of the completed curve: R(t + δ) + δ and R(t − δ) − δ.
        return edges_on_one_grid(x - delta, y + delta, x + delta, y - delta)
    # The edges are max(R(t) + δ, R(t + δ)) and min(R(t) − δ, R(t − δ)).
    left, right = x - delta, x + delta
    at = merged([0.0, 1.0], x, *(moved[(moved > 0.0) & (moved < 1.0)] for moved in (left, right)))
    del right
    upper = outermost(np.maximum, at, (x, np.minimum(y + delta, 1.0)), (left, y))
    del left
    lower = outermost(np.minimum, at, (x, np.maximum(y - delta, 0.0)), (x + delta, y))
    del x, y
    return Edges(np.repeat(at, 2), lower, upper)
