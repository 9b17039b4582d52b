"""Resamples of a sample's scores, smoothed by a kernel or not (Bertail, Clémençon & Vayatis 2008, §3.1).

A smoothed resample is a sample from the two kernel estimates: cases with replacement, each moved by noise.
Remark 3's other centre, the kernel ROC curve itself, is evaluated here too.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from confroc._types import FloatArray, Sampling
from confroc.models.bandwidths import Bandwidth, ClassSample, class_bandwidths, class_samples, unit_scaled
from confroc.models.kernel import kernel_draw
from confroc.models.kernel_grid import Kernel, kernel_rates, kernel_tpr
from confroc.scores import Scores

Center: TypeAlias = Literal["empirical", "smoothed"]
CENTERS: tuple[Center, ...] = get_args(Center)


class Smoothing(NamedTuple):
    """How resamples are smoothed, and which curve they are compared with; None is no smoothing at all."""

    bandwidth: Bandwidth | None = "curve"
    kernel: Kernel = "gaussian"
    center: Center = "empirical"


class Resampler(NamedTuple):
    """A sample to draw from: each class's cases, increasing, and the bandwidths of their noise."""

    pos: FloatArray
    neg: FloatArray
    samples: tuple[ClassSample, ClassSample] | None
    bandwidths: tuple[float, float]
    kernel: Kernel
    sampling: Sampling

    def draw(self, generator: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Return a resample's positives and negatives, increasing.

        Under "full" sampling pairs of a score and a class are drawn, so that class sizes vary; a resample
        without one of the classes is drawn again.
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
        """The same with cases in decreasing order, the order of a table of counts: another use of a seed."""
        return self._replace(pos=self.pos[::-1], neg=self.neg[::-1])

    def smooth_tpr(self, fpr: FloatArray) -> FloatArray:
        """Evaluate the kernel ROC curve, from which smoothed resamples are drawn."""
        assert self.samples is not None
        return kernel_tpr(self.samples, self.bandwidths[::-1], self.kernel, fpr)

    def smooth_steps(self) -> tuple[FloatArray, FloatArray]:
        """Shares of the positives and of the negatives between many decreasing thresholds."""
        assert self.samples is not None
        _, fpr, tpr = kernel_rates(self.samples, self.bandwidths[::-1], self.kernel)
        steps = np.diff(tpr, append=1.0), np.diff(fpr, append=1.0)
        there = (steps[0] > 0.0) | (steps[1] > 0.0)
        return steps[0][there], steps[1][there]


def resampler(scores: Scores, smoothing: Smoothing, sampling: Sampling) -> Resampler:
    """Return what resamples are drawn from, in units of a power of two."""
    unit, exponent = unit_scaled(scores)
    if smoothing.bandwidth is None:
        pos, neg = (np.repeat(unit.score, count)[::-1] for count in (unit.pos, unit.neg))
        return Resampler(pos, neg, None, (0.0, 0.0), smoothing.kernel, sampling)
    samples = class_samples(unit)
    bandwidths = class_bandwidths(smoothing.bandwidth, samples[1], samples[0], exponent)
    neg, pos = (s.score if s.n == len(s.score) else np.repeat(s.score, s.counts) for s in samples)
    return Resampler(pos, neg, samples, bandwidths, smoothing.kernel, sampling)
