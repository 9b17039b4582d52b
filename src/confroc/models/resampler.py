"""Resamples of scores, optionally smoothed by a kernel (Bertail, Clémençon & Vayatis 2008, §3.1).

A smoothed resample is drawn from the two kernel estimates: cases with replacement plus noise. The kernel ROC
curve, the other center of remark 3, is also evaluated here.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from confroc._types import FloatArray, Sampling
from confroc.models.bandwidths import Bandwidth, ClassSample, class_bandwidths, class_samples, unit_scaled
from confroc.models.kernel import kernel_draw
from confroc.models.kernel_grid import Kernel, kernel_rates, kernel_tpr
from confroc.scores import Scores

Center: TypeAlias = Literal["empirical", "smoothed"]


class Smoothing(NamedTuple):
    """Smoothing of resamples, and the curve they are compared with; None is no smoothing."""

    bandwidth: Bandwidth | None = "curve"
    kernel: Kernel = "gaussian"
    center: Center = "empirical"


class Resampler(NamedTuple):
    """A sample to draw from: cases of each class, increasing, and bandwidths of their noise."""

    pos: FloatArray
    neg: FloatArray
    samples: tuple[ClassSample, ClassSample] | None
    bandwidths: tuple[float, float]
    kernel: Kernel
    sampling: Sampling

    def draw(self, generator: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Return a resample's positives and negatives, increasing.

        With "full" sampling pairs of score and class are drawn, so class sizes vary; a resample without one
        of the classes is drawn again.
        """
        n_pos, n_neg = len(self.pos), len(self.neg)
        if self.sampling == "full":
            n, drawn = n_pos + n_neg, 0
            while not 0 < drawn < n:
                drawn = int(generator.binomial(n, n_pos / n))
            n_pos, n_neg = drawn, n - drawn
        (h_pos, h_neg), kernel = self.bandwidths, self.kernel
        pos, neg = (
            np.sort(kernel_draw(generator, cases, h, m, kernel))
            for cases, h, m in ((self.pos, h_pos, n_pos), (self.neg, h_neg, n_neg))
        )
        return pos, neg

    @property
    def reversed(self) -> Resampler:
        """The same with cases in decreasing order, as in a table of counts."""
        return self._replace(pos=self.pos[::-1], neg=self.neg[::-1])

    def smooth_tpr(self, fpr: FloatArray) -> FloatArray:
        """Evaluate the kernel ROC curve that smoothed resamples are drawn from."""
        assert self.samples is not None
        return kernel_tpr(self.samples, self.bandwidths[::-1], self.kernel, fpr)

    def smooth_steps(self) -> tuple[FloatArray, FloatArray]:
        """Proportions of positives and negatives between many decreasing thresholds."""
        assert self.samples is not None
        _, fpr, tpr = kernel_rates(self.samples, self.bandwidths[::-1], self.kernel)
        steps = np.diff(tpr, append=1.0), np.diff(fpr, append=1.0)
        there = (steps[0] > 0.0) | (steps[1] > 0.0)
        return steps[0][there], steps[1][there]


def resampler(scores: Scores, smoothing: Smoothing, sampling: Sampling) -> Resampler:
    """Return the resampler, in units of a power of two."""
    unit, exponent = unit_scaled(scores)
    if smoothing.bandwidth is None:
        pos, neg = (np.repeat(unit.score, count)[::-1] for count in (unit.pos, unit.neg))
        return Resampler(pos, neg, None, (0.0, 0.0), smoothing.kernel, sampling)
    samples = class_samples(unit)
    bandwidths = class_bandwidths(smoothing.bandwidth, samples[1], samples[0], exponent)
    neg, pos = (s.score if s.n == len(s.score) else np.repeat(s.score, s.counts) for s in samples)
    return Resampler(pos, neg, samples, bandwidths, smoothing.kernel, sampling)
