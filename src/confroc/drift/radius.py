"""How far populations drift: the radius of a forecast.

Morin (2018, section 3.5) takes the mean divergence of known segments from the whole, on bins. That
mean is not zero without any drift: with K bins and S segments of a sample it is about
(K − 1)/2·(1 − 1/S)·(1/n₊ + 1/n₋) (twice that for the symmetric divergence), n₊ and n₋ being a segment's, so
how
wide the forecast is depends on K and S. The calibrated radius asks instead how much the AUC itself varies.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy import special

from confroc._check import make_rng
from confroc._types import RNG, FloatArray, IntArray
from confroc.drift.divergence import Divergence
from confroc.influence import delong_moments
from confroc.scores import Scores
from confroc.scores.counting import CHUNK, rows_above, sums_before


def bin_edges(score: FloatArray, count: IntArray, n_bins: int) -> FloatArray:
    """Lower edges of quantile bins of one class, from the top, distinct scores never divided."""
    n, passed = int(count.sum()), 0
    share = np.arange(1, n_bins) / n_bins - 1e-12
    ends = np.zeros(n_bins - 1, dtype=np.int64)
    for start in range(0, len(count), CHUNK):
        above = passed + np.cumsum(count[start : start + CHUNK])
        ends += np.searchsorted(above / n, share)
        passed = int(above[-1])
    return np.asarray(score[np.unique(np.concatenate([ends, [len(score) - 1]]))])


def shares(score: FloatArray, count: IntArray, edges: FloatArray) -> FloatArray:
    """Share of a class in each bin; cases below the last edge belong to the last bin."""
    n = int(count.sum())
    (above,) = sums_before(rows_above(score, edges[:-1]), count)
    return np.asarray(np.diff(above, prepend=0, append=n) / n)


def class_divergences(
    segment: Scores, whole: Scores, divergence: Divergence, n_bins: int
) -> tuple[float, float]:
    """Divergence of a segment's positives and of its negatives from the whole's, on the whole's bins."""
    parts = []
    for name in ("pos", "neg"):
        count, own = getattr(whole, name), getattr(segment, name)
        edges = bin_edges(whole.score, count, n_bins)
        parts.append(divergence.between(shares(segment.score, own, edges), shares(whole.score, count, edges)))
    return parts[0], parts[1]


def segment_radius(segments: Sequence[Scores], whole: Scores, divergence: Divergence, n_bins: int) -> float:
    """Mean over segments of both classes' divergences from the whole (Morin 2018, section 3.5)."""
    return float(np.mean([sum(class_divergences(s, whole, divergence, n_bins)) for s in segments]))


def bootstrap_radius(
    whole: Scores, divergence: Divergence, n_bins: int, size: tuple[int, int], n_resamples: int, rng: RNG
) -> float:
    """Mean divergence of resamples of a size from the sample: what sampling alone makes of it."""
    generator = make_rng(rng)
    total = 0.0
    for name, m in (("pos", size[0]), ("neg", size[1])):
        count = getattr(whole, name)
        own = shares(whole.score, count, bin_edges(whole.score, count, n_bins))
        # Only the bins' counts matter, and they are multinomial.
        drawn = generator.multinomial(m, own, size=n_resamples) / m
        total += float(np.mean([divergence.between(d, own) for d in drawn]))
    return total


def calibrated_radius(
    whole: Scores, segments: Sequence[Scores], level: float, size: tuple[int, int]
) -> tuple[float, float, float]:
    """Radius whose bounds are those of a prediction interval for the next AUC; its SD and its df.

    Segments' areas vary with variance τ² beyond sampling; the next one's estimate, from `size` cases, varies
    by τ²(1 + 1/S) + V(next) + V(whole). τ² is the segments' variance less their mean sampling variance, and
    the
    sum's degrees of freedom are Welch-Satterthwaite's, S − 1 for τ². Moving the area by δ takes a distance of
    δ²/(2(ζ₊ + ζ₋)), ζ the variances of the placements, to first order in δ; so δ = t·SD gives the radius.
    """
    # A single case is its class's mean.
    zeta = [
        moments.variance * (n - 1) if n > 1 else 0.0
        for moments, n in zip(delong_moments(whole), (whole.n_pos, whole.n_neg), strict=True)
    ]
    spread = zeta[0] + zeta[1]
    next_one = zeta[0] / size[0] + zeta[1] / size[1]
    own = zeta[0] / whole.n_pos + zeta[1] / whole.n_neg
    variance, df = next_one + own, math.inf
    if segments:
        number = len(segments)
        areas = np.array([s.auc for s in segments])
        noise = float(np.mean([sum(m.variance for m in delong_moments(s)) for s in segments]))
        between = max(0.0, float(areas.var(ddof=1)) - noise)
        variance += between * (1.0 + 1.0 / number)
        if between > 0.0:
            df = (number - 1.0) * (variance / (float(areas.var(ddof=1)) * (1.0 + 1.0 / number))) ** 2
    if not spread > 0.0:
        return 0.0, math.sqrt(variance), df
    tail = (1.0 - level) / 2.0
    t = -float(special.ndtri(tail)) if math.isinf(df) else -float(special.stdtrit(df, tail))
    return t * t * variance / (2.0 * spread), math.sqrt(variance), df
