"""The curves of a band: resamples of one sample, or given curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np

from confroc._check import ArgumentError, ArgumentTypeError
from confroc._types import RNG, FloatArray, IntArray
from confroc.bands.base import BandOutcome, ResampledBand
from confroc.bands.edges import MOST_JOINTS, Edges, FprRange, both_limits
from confroc.base import method_class
from confroc.curve import RocCurve, outline
from confroc.moments import kish_sizes
from confroc.resample import least_resamples, resample
from confroc.results import sealed
from confroc.scores import PairedScores, Scores, UnpairedScores, check_scores

Statistic: TypeAlias = Callable[[IntArray, IntArray, FloatArray], FloatArray]
"""A function of a curve's positives and negatives per score, and decreasing scores."""

OF_CURVES = (
    "The band is computed from several curves and refers to the next such curve, not to one true curve."
)

COARSE = np.linspace(0.0, 1.0, 1001)
"""Number of false positive rates at which curves with too many joints are evaluated."""


class Curves(NamedTuple):
    """The curves of a band.

    Attributes
    ----------
    number : int
    center : RocCurve
        The empirical curve of the resampled cases, or the vertical mean of the given curves.
    score : ndarray
        Distinct scores of all curves, decreasing.
    n_pos, n_neg : float
        Cases of each class per curve (clusters count once); harmonic means, so 1/n is a mean too.
    grid : ndarray
        False positive rates at which curves are compared.
    each : callable
        Accepts a statistic of one curve and returns its values for all curves, along the first axis.
    """

    number: int
    center: RocCurve
    score: FloatArray
    n_pos: float
    n_neg: float
    grid: FloatArray
    each: Callable[[Statistic], FloatArray]


def resampled(scores: Scores, *, n_resamples: int, rng: RNG, n_jobs: int) -> Curves:
    """Return the curves of stratified resamples of one sample."""

    def each(statistic: Statistic) -> FloatArray:
        return resample(
            lambda pos, neg: statistic(pos, neg, scores.score),
            scores,
            n_resamples,
            rng,
            size=(scores.n_pos, scores.n_neg),
            n_jobs=n_jobs,
        )

    grid = COARSE
    if scores.design is None:
        # Curves of resamples increase only at multiples of 1/n₋.
        strips = min(scores.n_neg, len(COARSE) - 1)
        grid = np.unique(np.arange(strips + 1) * scores.n_neg // strips) / scores.n_neg
    return Curves(n_resamples, outline(scores).corners(), scores.score, *kish_sizes(scores), grid, each)


def given(samples: Sequence[Scores]) -> Curves:
    """Return the curves of samples: folds, learners fitted to resamples, sites."""

    def each(statistic: Statistic) -> FloatArray:
        return np.array([statistic(s.pos, s.neg, s.score) for s in samples])

    curves = [outline(s).corners() for s in samples]
    joints = np.unique(np.concatenate([curve.fpr for curve in curves]))
    grid = joints if len(joints) <= MOST_JOINTS else COARSE
    mean = np.zeros(2 * len(grid))
    for curve in curves:
        mean += both_limits(curve.fpr, curve.tpr, grid) / len(curves)
    fpr = np.repeat(grid, 2)
    # A mean of curves has no thresholds.
    center = RocCurve(
        fpr=sealed(fpr),
        tpr=sealed(np.minimum(mean, 1.0)),
        threshold=sealed(np.full(len(fpr), np.nan)),
        auc=float(np.mean([s.auc for s in samples])),
    )
    score = np.unique(np.concatenate([s.score for s in samples]))[::-1]
    n_pos, n_neg = (
        len(samples) / sum(1.0 / n for n in ns) for ns in zip(*map(kish_sizes, samples), strict=True)
    )
    return Curves(len(samples), center, score, n_pos, n_neg, grid, each)


@method_class
class CurvesBand(ResampledBand):
    """Base class of bands from many curves, resampled or given."""

    dependence = "own"
    of_curves: ClassVar[bool] = True

    @property
    def by_quantile(self) -> bool:
        """Whether quantiles of the curves are used, so that the level requires a minimum number."""
        return True

    def edges(self, curves: Curves, level: float) -> Edges:
        """Return the edges of the band of the curves."""
        raise NotImplementedError

    def band(self, data: Scores | Sequence[Scores], level: float, fpr_range: FprRange) -> BandOutcome:  # noqa: ARG002
        """Return the edges of the band of resampled curves, or of given ones around their mean."""
        if isinstance(data, Scores):
            curves = resampled(data, n_resamples=self.count(level), rng=self.rng, n_jobs=self.n_jobs)
            return BandOutcome(self.edges(curves, level))
        if self.n_resamples is not None:
            rule = "be omitted for given curves"
            raise ArgumentError("n_resamples", rule, self.n_resamples, "Omit it.")
        if self.by_quantile:
            needed = least_resamples(level)
            if len(data) < needed:
                remedy = "Pass more, or use 'vertical_averaging' with distribution='normal'."
                rule = f"contain at least {needed} curves at this level"
                raise ArgumentError("scores", rule, len(data), remedy)
        curves = given(data)
        used = replace(self, rng=None)
        return BandOutcome(
            self.edges(curves, level), curves.center, used=used, guarantee="none", notes=(OF_CURVES,)
        )


def check_curves(name: str, value: object, widens: bool) -> Scores | tuple[Scores, ...]:
    """Return one sample, or the samples of two or more given curves."""
    if isinstance(value, Scores):
        return check_scores(name, value, widens=widens, dependent=True)
    if isinstance(value, PairedScores):
        return check_scores(name, value)
    listed = (value.a, value.b) if isinstance(value, UnpairedScores) else value
    if not isinstance(listed, list | tuple) or not any(isinstance(item, Scores) for item in listed):
        raise ArgumentTypeError(
            name,
            "be a Scores, or a list of them for given curves",
            type(value).__name__,
            "Pass labels and scores, or the `fold_scores` of a cross-validation.",
        )
    samples = tuple(check_scores(f"{name}[{i}]", item, dependent=True) for i, item in enumerate(listed))
    if len(samples) < 2:
        remedy = "Pass one sample without a list."
        raise ArgumentError(name, "contain at least two curves if it is a list", len(samples), remedy)
    return samples
