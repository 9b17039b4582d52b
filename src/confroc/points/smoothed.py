"""Bootstrap intervals at given false positive rates, optionally smoothed and studentized.

The pointwise counterparts of the bootstrap ball (Bertail, Clémençon & Vayatis 2008, §3.3 and eqs. 2, 4, 5). A
smoothed resample adds noise to each resampled score, by default Gaussian with bandwidth 1.06·s·n^(−1/4). A
studentized one divides its error by its estimated standard deviation, from Gaussian kernel densities with
bandwidth 1.06·s·n^(−1/3): the bandwidths of the two stages differ, as §4 of the paper requires.
"""

from __future__ import annotations

import numpy as np

from confroc._check import ranks_of
from confroc._types import FloatArray
from confroc.models.bandwidths import reference
from confroc.models.kernel import kernel_density
from confroc.models.resampler import Resampler


def standard_error(
    pos: FloatArray, neg: FloatArray, tpr: FloatArray, threshold: FloatArray, fpr: FloatArray
) -> FloatArray:
    """Square root of eq. 4 for the sample's sizes.

    A rate of half a case is added to the binomial term, which would otherwise vanish with the rate.
    """
    g, h = (kernel_density(x, reference(max(float(x.std()), 1e-100), len(x)), threshold) for x in (pos, neg))
    # The density of equal scores is unbounded.
    with np.errstate(over="ignore"):
        slope = np.minimum(np.divide(g, h, out=np.zeros_like(g), where=h > 0.0), 1e150)
    eased = (tpr * len(pos) + 0.5) / (len(pos) + 1.0)
    variance = slope**2 * fpr * (1.0 - fpr) / len(neg) + eased * (1.0 - eased) / len(pos)
    return np.asarray(np.sqrt(variance))


def curve_at(pos: FloatArray, neg: FloatArray, fpr: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the largest value of the curve of increasing scores at each rate, and the threshold there.

    The threshold is the negative whose step contains the rate; positives tied with it are interpolated.
    """
    n_neg, n_pos = len(neg), len(pos)
    r, _ = ranks_of(fpr, n_neg)
    threshold = neg[n_neg - 1 - np.minimum(r, n_neg - 1)]
    beyond, next_rank = (
        [len(scores) - np.searchsorted(scores, threshold, side=side) for scores in (pos, neg)]
        for side in ("right", "left")
    )
    inside = (fpr * n_neg - beyond[1]) / (next_rank[1] - beyond[1])
    return np.where(r == n_neg, 1.0, (beyond[0] + inside * (next_rank[0] - beyond[0])) / n_pos), threshold


def error_of_resample(
    draws: Resampler, fpr: FloatArray, center: FloatArray, studentized: bool, generator: np.random.Generator
) -> FloatArray:
    """Return the error of a resample's curve, in its standard errors if `studentized`."""
    pos, neg = draws.draw(generator)
    tpr, at = curve_at(pos, neg, fpr)
    error = tpr - center
    return error / standard_error(pos, neg, tpr, at, fpr) if studentized else error
