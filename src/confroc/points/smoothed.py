"""Symmetric bootstrap intervals at given false positive rates, smoothed or not, studentized or not.

The pointwise companions of the bootstrap ball (Bertail, Clémençon & Vayatis 2008, §3.3 and eqs. 4–5). A
smoothed resample adds Gaussian noise of bandwidth 1.06·s·n^(−1/4) to each resampled score. A studentized one
divides its error by its own estimate of the standard deviation, from kernel densities of bandwidth
1.06·s·n^(−1/3).
"""

from __future__ import annotations

import numpy as np

from confroc._types import RNG, Ends, FloatArray, IntArray
from confroc.distributions import clipped
from confroc.models.bandwidths import CURVE, class_samples, reference
from confroc.models.kernel import kernel_density, kernel_draw
from confroc.resample import critical_value, in_threads, spawn
from confroc.scores import Scores


def standard_error(
    pos: FloatArray, neg: FloatArray, tpr: FloatArray, threshold: FloatArray, r: IntArray
) -> FloatArray:
    """Root of eq. 4 for the sample's own sizes.

    A rate of half a case is added to the binomial part, which would vanish with the rate.
    """
    g, h = (
        kernel_density(x, reference(max(float(x.std()), np.finfo(float).tiny), len(x)), threshold)
        for x in (pos, neg)
    )
    fpr = r / len(neg)
    slope = np.divide(g, h, out=np.zeros_like(g), where=h > 0.0)
    eased = (tpr * len(pos) + 0.5) / (len(pos) + 1.0)
    variance = slope**2 * fpr * (1.0 - fpr) / len(neg) + eased * (1.0 - eased) / len(pos)
    root: FloatArray = np.sqrt(variance)
    return root


def symmetric_bootstrap(
    scores: Scores,
    r: IntArray,
    level: float,
    *,
    n_resamples: int,
    rng: RNG,
    n_jobs: int,
    smoothing: bool,
    studentized: bool,
) -> tuple[Ends, FloatArray]:
    """Return the ends, symmetric but cut to [0, 1], and the rate with r negatives above the threshold."""
    n_neg = scores.n_neg
    pos, neg = (np.repeat(scores.score, count)[::-1] for count in (scores.pos, scores.neg))
    widths = [0.0, 0.0]
    if smoothing:
        of_neg, of_pos = class_samples(scores, "Use method 'agresti_coull'.")
        widths = [reference(c.spread, c.n, CURVE) for c in (of_pos, of_neg)]

    def rates(pos: FloatArray, neg: FloatArray) -> tuple[FloatArray, FloatArray]:
        # With r negatives above it the threshold is at the next one below.
        threshold = neg[n_neg - 1 - np.minimum(r, n_neg - 1)]
        tpr = 1.0 - np.searchsorted(pos, threshold, side="right") / len(pos)
        return np.where(r == n_neg, 1.0, tpr), threshold

    estimate, threshold = rates(pos, neg)

    def one(seed: np.random.SeedSequence) -> FloatArray:
        generator = np.random.Generator(np.random.SFC64(seed))
        drawn = [
            np.sort(kernel_draw(generator, x, h, len(x))) for x, h in zip((pos, neg), widths, strict=True)
        ]
        tpr, at = rates(drawn[0], drawn[1])
        error = np.abs(tpr - estimate)
        return error / standard_error(drawn[0], drawn[1], tpr, at, r) if studentized else error

    errors = np.array(in_threads(one, spawn(rng, n_resamples), n_jobs))
    half = np.array([critical_value(column, level) for column in errors.T])
    if studentized:
        half = half * standard_error(pos, neg, estimate, threshold, r)
    return clipped(estimate, half), estimate
