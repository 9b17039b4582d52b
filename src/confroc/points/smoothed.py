"""Symmetric bootstrap intervals at given false positive rates, smoothed or not, studentized or not.

The pointwise companions of the bootstrap ball (Bertail, Clémençon & Vayatis 2008, §3.3 and eqs. 4–5). A
smoothed resample adds Gaussian noise of bandwidth 1.06·s·n^(−1/4) to each resampled score. A studentized one
divides its error by its own estimate of the standard deviation, from kernel densities of bandwidth
1.06·s·n^(−1/3).
"""

from __future__ import annotations

import numpy as np

from confroc._check import ranks_of
from confroc._types import RNG, Ends, FloatArray
from confroc.distributions import clipped
from confroc.models.bandwidths import CURVE, class_samples, reference, unit_scaled
from confroc.models.kernel import kernel_density, kernel_draw
from confroc.resample import critical_value, in_threads, spawn
from confroc.scores import Scores
from confroc.scores.counting import one_by_one


def standard_error(
    pos: FloatArray, neg: FloatArray, tpr: FloatArray, threshold: FloatArray, fpr: FloatArray
) -> FloatArray:
    """Root of eq. 4 for the sample's own sizes.

    A rate of half a case is added to the binomial part, which would vanish with the rate.
    """
    g, h = (kernel_density(x, reference(max(float(x.std()), 1e-100), len(x)), threshold) for x in (pos, neg))
    # Of equal scores the density has no bound.
    with np.errstate(over="ignore"):
        slope = np.minimum(np.divide(g, h, out=np.zeros_like(g), where=h > 0.0), 1e150)
    eased = (tpr * len(pos) + 0.5) / (len(pos) + 1.0)
    variance = slope**2 * fpr * (1.0 - fpr) / len(neg) + eased * (1.0 - eased) / len(pos)
    root: FloatArray = np.sqrt(variance)
    return root


def curve_at(pos: FloatArray, neg: FloatArray, fpr: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the largest value of the curve of increasing scores at each rate, and the threshold there.

    That is the negative whose step begins or goes on at the rate; positives tied with it are interpolated.
    """
    n_neg, n_pos = len(neg), len(pos)
    r, _ = ranks_of(fpr, n_neg)
    threshold = neg[n_neg - 1 - np.minimum(r, n_neg - 1)]
    beyond, reach = (
        [len(scores) - np.searchsorted(scores, threshold, side=side) for scores in (pos, neg)]
        for side in ("right", "left")
    )
    inside = (fpr * n_neg - beyond[1]) / (reach[1] - beyond[1])
    return np.where(r == n_neg, 1.0, (beyond[0] + inside * (reach[0] - beyond[0])) / n_pos), threshold


def symmetric_bootstrap(
    scores: Scores,
    fpr: FloatArray,
    estimate: FloatArray,
    level: float,
    *,
    n_resamples: int,
    rng: RNG,
    n_jobs: int,
    smoothing: bool,
    studentized: bool,
) -> Ends:
    """Return the ends, symmetric around the curve's own value at each rate but cut to [0, 1]."""
    one_by_one("the symmetric bootstraps", scores.n_pos + scores.n_neg)
    scores, _ = unit_scaled(scores)
    pos, neg = (np.repeat(scores.score, count)[::-1] for count in (scores.pos, scores.neg))
    widths = [0.0, 0.0]
    if smoothing:
        of_neg, of_pos = class_samples(scores, "Use method 'beta_mixture'.")
        widths = [reference(c.spread, c.n, CURVE) for c in (of_pos, of_neg)]

    def one(seed: np.random.SeedSequence) -> FloatArray:
        generator = np.random.Generator(np.random.SFC64(seed))
        drawn = [
            np.sort(kernel_draw(generator, x, h, len(x))) for x, h in zip((pos, neg), widths, strict=True)
        ]
        tpr, at = curve_at(drawn[0], drawn[1], fpr)
        error = np.abs(tpr - estimate)
        return error / standard_error(drawn[0], drawn[1], tpr, at, fpr) if studentized else error

    errors = np.array(in_threads(one, spawn(rng, n_resamples), n_jobs))
    half = np.array([critical_value(column, level) for column in errors.T])
    if studentized:
        half = half * standard_error(pos, neg, estimate, curve_at(pos, neg, fpr)[1], fpr)
    return clipped(estimate, half)
