"""Interval around the kernel ROC curve (Hall & Hyndman 2003; Hall, Hyndman & Fan 2004).

F and f are the distribution function and density of the negatives, G and g those of the positives, estimated
with separate kernels and bandwidths. The curve is R(t) = 1 - G(F^-1(1 - t)), and with x = F^-1(1 - t) the
variance of its estimate is, to first order,

    G(x)(1 - G(x))/n_pos + (g(x)/f(x))^2 t(1 - t)/n_neg.

The kernel is Gaussian; optionally uniform for F and G.

Bandwidths. For F and G, unless given, half of Hall & Hyndman's rule with either normal or estimated
densities, whichever is smaller: coverage is more sensitive to bias than the error of the curve. For f and g
in the variance, the bandwidth that cancels the coverage error on average over t. With a(t) the proportion of
the second term in the variance, R(K) = 1/(2 sqrt(pi)) and K(0) = 1/sqrt(2 pi), that error is proportional to

    -h_f^2 f''(x) + [R(K)(3 - a - a z^2) - 2 K(0)]/(n_neg h_f)    for f, and
     h_g^2 g''(x) + R(K)(1 - a - a z^2)/(n_pos h_g)               for g.

Where a = 1 and the kernel is uniform, the first bracket is -z^2/2, the term of Hall & Sheather's (1988)
theorem on the studentized quantile.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from confroc._types import FloatArray
from confroc.models.bandwidths import (
    Bandwidth,
    ClassSample,
    class_bandwidths,
    class_samples,
    hall_hyndman_bandwidths,
    unit_scaled,
)
from confroc.models.kernel_grid import (
    Grid,
    Kernel,
    density,
    distribution,
    estimated_hall_hyndman,
    make_grid,
    pilot,
)
from confroc.scores import Scores

ROUGHNESS = 1.0 / (2.0 * math.sqrt(math.pi))
PEAK = 1.0 / math.sqrt(2.0 * math.pi)


def coverage_bandwidths(
    grid: Grid, samples: tuple[ClassSample, ClassSample], z: float
) -> tuple[float, float]:
    """Return the bandwidths of f and g that cancel or minimize the average coverage error.

    Limited to a factor of three around the normal rule of the density.
    """
    f, g = samples
    t = np.arange(1, 200) / 200.0
    # The normal rule for a distribution function, with the cube root of four to three digits.
    cdf = [distribution(grid, i, 1.587 * s.scale * s.n ** (-1.0 / 3.0)) for i, s in enumerate(samples)]
    x = np.interp(1.0 - t, cdf[0], grid.x)
    # Exclude points where the curve is within half a case of 0 or 1.
    inner = np.minimum(*(np.interp(x, grid.x, side) for side in (cdf[1], 1.0 - cdf[1]))) > 0.5 / g.n
    x, t = (x[inner], t[inner]) if inner.any() else (x, t)
    at_f, at_g = (np.interp(x, grid.x, density(grid, i, pilot(s, 0))) for i, s in enumerate(samples))
    tpr = 1.0 - np.interp(x, grid.x, cdf[1])
    through_f = np.square(np.divide(at_g, at_f, out=np.zeros_like(t), where=at_f > 0.0)) * t * (1.0 - t) / f.n
    both = through_f + tpr * (1.0 - tpr) / g.n
    a = np.divide(through_f, both, out=np.zeros_like(t), where=both > 0.0)
    noise = (
        float(np.mean(ROUGHNESS * (3.0 - a - a * z * z) - 2.0 * PEAK)),
        float(np.mean(ROUGHNESS * (a - 1.0 + a * z * z))),
    )
    result = []
    for i, s in enumerate(samples):
        curvature = float(np.mean(np.interp(x, grid.x, density(grid, i, pilot(s, 2), 2))))
        ratio = noise[i] / (s.n * curvature) if curvature != 0.0 else math.inf
        # With opposite effects the two parts cancel; otherwise their sum has a minimum.
        width = ratio ** (1.0 / 3.0) if ratio > 0.0 else (-ratio / 2.0) ** (1.0 / 3.0)
        result.append(min(max(width, pilot(s, 0) / 3.0), 3.0 * pilot(s, 0)))
    return result[0], result[1]


class KernelCurve(NamedTuple):
    """The kernel ROC curve and its standard error at given false positive rates."""

    tpr: FloatArray
    standard_error: FloatArray


def kernel_curve(
    scores: Scores,
    fpr: FloatArray,
    z: float,
    bandwidth: Bandwidth | None = None,
    kernel: Kernel = "gaussian",
) -> KernelCurve:
    """Evaluate the kernel ROC curve for an interval of z standard errors."""
    unit, exponent = unit_scaled(scores)
    neg, pos = samples = class_samples(unit)
    first = make_grid(samples, tuple(pilot(s, order) for s in samples for order in (0, 1, 2)))
    if bandwidth is None:
        of_pos, of_neg = hall_hyndman_bandwidths(
            pos.mean, pos.scale, pos.n, neg.mean, neg.scale, neg.n, weight="density"
        )
        smooth = tuple(
            0.5 * min(rule, estimated_hall_hyndman(first, i, samples), 3.0 * pilot(samples[i], 0))
            for i, rule in enumerate((of_neg, of_pos))
        )
    else:
        smooth = class_bandwidths(bandwidth, pos, neg, exponent)[::-1]
    of_density = coverage_bandwidths(first, samples, z)
    grid = make_grid(samples, (*smooth, *of_density))
    f_cdf, g_cdf = (distribution(grid, i, smooth[i], kernel) for i in (0, 1))
    x = np.interp(1.0 - fpr, f_cdf, grid.x)
    tpr = 1.0 - np.interp(x, grid.x, g_cdf)
    f, g = (np.maximum(np.interp(x, grid.x, density(grid, i, of_density[i])), 0.0) for i in (0, 1))
    slope = np.divide(g, f, out=np.where(g > 0.0, 1e150, 0.0), where=f > 1e-150)
    variance = tpr * (1.0 - tpr) / pos.n + np.square(slope) * fpr * (1.0 - fpr) / neg.n
    return KernelCurve(tpr, np.sqrt(variance))
