"""Simultaneous confidence bands for the whole ROC curve."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from confroc._check import check_choice, check_level
from confroc.curve import roc_curve
from confroc.results import Band, one_sided_limits
from confroc.scores import Scores, check_scores

FloatArray: TypeAlias = NDArray[np.float64]
BandMethod: TypeAlias = Literal["ks_regions"]
BAND_METHODS = ("ks_regions",)


def ks_half_width(n: int, level: float) -> float:
    """Kolmogorov's half-width d: P(sup |Fₙ − F| <= d) >= level, for any F and finite n.

    Twice the exact one-sided tail (Smirnov's closed form) bounds the two-sided one from above, and
    exceeds it only by the chance of crossing both sides, about (1 − level)⁴/8.
    """
    return min(1.0, float(special.smirnovi(n, (1.0 - level) / 2.0)))


def ks_regions(scores: Scores, level: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Edges of the band swept out by Kolmogorov rectangles around the operating points.

    Each class's rates are within its half-width at every threshold at once with probability √level, so
    all true operating points lie in their rectangles with probability >= level. The upper edge is the
    curve moved to the rectangles' upper left corners, the lower edge to the lower right ones; true
    points joined by straight lines stay between them, since each line does.
    """
    each = math.sqrt(level)
    e, d = ks_half_width(scores.n_neg, each), ks_half_width(scores.n_pos, each)
    curve = roc_curve(scores)
    x, y = curve.fpr, curve.tpr
    return edges_on_one_grid(
        np.concatenate([x - e, [1.0 - e, 1.0]]),
        np.concatenate([y + d, [1.0 + d, 1.0 + d]]),
        np.concatenate([[0.0, e], x + e]),
        np.concatenate([[-d, -d], y - d]),
    )


def edges_on_one_grid(
    upper_x: FloatArray, upper_y: FloatArray, lower_x: FloatArray, lower_y: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Put two polylines on one grid over [0, 1], every abscissa twice (left and right limit)."""
    inner = np.concatenate([upper_x, lower_x])
    at = np.unique(np.concatenate([[0.0, 1.0], inner[(inner > 0.0) & (inner < 1.0)]]))
    grid = np.repeat(at, 2)
    edges = []
    for px, py in ((lower_x, lower_y), (upper_x, upper_y)):
        edge = np.empty_like(grid)
        edge[0::2], edge[1::2] = one_sided_limits(px, py, at)
        edges.append(np.clip(edge, 0.0, 1.0))
    return grid, edges[0], edges[1]


def roc_band(scores: Scores, *, method: BandMethod = "ks_regions", confidence_level: float = 0.95) -> Band:
    """Confidence band that holds the whole true ROC curve with a stated probability.

    Parameters
    ----------
    scores : Scores
    method : {"ks_regions"}
        ks_regions : simultaneous joint confidence regions (Campbell 1994; Macskassy & Provost 2004,
            §3.6). Kolmogorov's exact quantiles at level √confidence_level bound each class's rates at
            all thresholds together, so the band has at least `confidence_level` for every sample size
            and distribution, ties included. Finite-sample; wide, above all at the ends of the curve.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    Band
        Edges inside [0, 1]; `contains` is exact.

    Examples
    --------
    >>> from confroc import Scores, roc_band
    >>> scores = Scores.from_counts([3, 2, 1], pos=[300, 150, 50], neg=[20, 180, 800])
    >>> band = roc_band(scores)
    >>> print(band.kind, band.guarantee, round(band.area, 3))
    simultaneous finite-sample 0.156
    >>> band.contains(([0, 0.02, 0.2, 1], [0, 0.62, 0.9, 1]))
    True
    """
    check_scores("scores", scores)
    check_choice("method", method, BAND_METHODS)
    level = check_level(confidence_level)
    fpr, lower, upper = ks_regions(scores, level)
    curve = roc_curve(scores)
    tpr = np.empty_like(fpr)
    tpr[0::2], tpr[1::2] = one_sided_limits(curve.fpr, curve.tpr, fpr[0::2])
    return Band(
        fpr=fpr,
        tpr=tpr,
        lower=lower,
        upper=upper,
        confidence_level=level,
        method=method,
        guarantee="finite-sample",
    )
