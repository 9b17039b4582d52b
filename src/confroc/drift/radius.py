"""Distances of drift from segments of a sample, and distances due to sampling alone.

Morin (2018, section 3.5) uses the mean divergence of known segments from the whole, on bins. Without drift
that mean is positive: with K bins and S segments it is about (K − 1)/2·(1 − 1/S)·(1/n₊ + 1/n₋) (twice that
for the symmetric divergence) for segments of size n₊, n₋, so the width of the forecast depends on K and S.
The calibrated forecast uses the variation of the AUC instead.

A class's divergence of m new cases from the n of a sample is, in large samples without drift, ½(1/m + 1/n)·χ²
with K − 1 degrees of freedom (twice that except for "kl"); that of a segment from the whole that includes it
is ½(1/m − 1/n)·χ². The χ² with 9 degrees of freedom in Morin (2018, Fig. 6) applies to one class after that
scaling. The sum over classes is a weighted sum of two.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy import special

from confroc._check import make_rng
from confroc._types import RNG, FloatArray
from confroc.distributions import chi2_sum_quantile, chi2_sum_tail
from confroc.drift.divergence import Divergence, class_divergences, quantile_bins
from confroc.drift.reweighting import functional_of, value_of
from confroc.scores import PairedScores, Scores

Table: TypeAlias = Scores | PairedScores


def mean_size(samples: Sequence[Table]) -> tuple[int, int]:
    """Mean numbers of positives and negatives, rounded down, at least one of each."""
    n = len(samples)
    return max(1, sum(s.n_pos for s in samples) // n), max(1, sum(s.n_neg for s in samples) // n)


def segment_radius(segments: Sequence[Scores], whole: Scores, divergence: Divergence, n_bins: int) -> float:
    """Mean over segments of both classes' divergences from the whole (Morin 2018, section 3.5)."""
    return float(np.mean([sum(class_divergences(s, whole, divergence, n_bins)) for s in segments]))


def bootstrap_radius(
    whole: Scores, divergence: Divergence, n_bins: int, size: tuple[int, int], n_resamples: int, rng: RNG
) -> float:
    """Mean divergence of resamples of a given size from the sample, due to sampling alone."""
    generator = make_rng(rng)
    total = 0.0
    for count, m in ((whole.pos, size[0]), (whole.neg, size[1])):
        own = quantile_bins(whole.score, count, n_bins).share
        # Only the bin counts are needed, and they are multinomial.
        drawn = generator.multinomial(m, own, size=n_resamples) / m
        total += float(divergence.between(drawn, own).mean())
    return total


class Chance(NamedTuple):
    """Large-sample distribution of a distance without drift: weights and degrees of freedom by class."""

    weight: tuple[float, float]
    df: tuple[int, int]

    def tail(self, distance: FloatArray) -> FloatArray:
        """Probability of a distance at least this large."""
        return chi2_sum_tail(distance, self.weight, self.df)

    def quantile(self, tail: float) -> float:
        """The distance exceeded with a given probability."""
        return chi2_sum_quantile(tail, self.weight, self.df)

    @property
    def mean(self) -> float:
        """Mean distance."""
        return sum(w * d for w, d in zip(self.weight, self.df, strict=True))


def chance_radius(segments: Sequence[Scores], whole: Scores, divergence: Divergence, n_bins: int) -> Chance:
    """Distribution of `segment_radius` without drift, with (K − 1)(S − 1) degrees of freedom per class.

    For segments of equal size it is the likelihood ratio statistic of homogeneity divided by the number of
    cases, in large samples; otherwise its mean is exact.
    """
    sizes = np.array([(s.n_pos, s.n_neg) for s in segments])
    spread = (1.0 / sizes).mean(axis=0) - 1.0 / np.array([whole.n_pos, whole.n_neg])
    return _chance(whole, divergence, n_bins, spread / (len(sizes) - 1), len(sizes) - 1)


def chance_distance(whole: Scores, divergence: Divergence, n_bins: int, size: tuple[int, int]) -> Chance:
    """Distribution of the distance of new samples from a sample of the same population, on its bins."""
    spread = 1.0 / np.array(size) + 1.0 / np.array([whole.n_pos, whole.n_neg])
    return _chance(whole, divergence, n_bins, spread, 1)


def _chance(whole: Scores, divergence: Divergence, n_bins: int, spread: FloatArray, times: int) -> Chance:
    held = [quantile_bins(whole.score, count, n_bins).share for count in (whole.pos, whole.neg)]
    df = [(int(np.count_nonzero(share)) - 1) * times for share in held]
    weight = (divergence.chance * spread).tolist()
    return Chance((weight[0], weight[1]), (df[0], df[1]))


HalfLengths: TypeAlias = tuple[float, float]
"""Half-lengths of a forecast below and above the sample's AUC, in units of today's interval."""


def next_half_lengths(whole: Table, size: tuple[int, int]) -> HalfLengths:
    """Half-lengths of a prediction interval for the AUC of a new sample of a given size, without drift.

    Relative to today's interval: √(1 + V(new)/V(today)), the variances of the new sample's AUC and of
    today's.
    """
    zeta = functional_of(whole).spreads
    ratio = math.sqrt(1.0 + sampling_variance(zeta, size) / _own(whole, zeta))
    return ratio, ratio


def segment_half_lengths(
    whole: Table, segments: Sequence[Table], level: float, size: tuple[int, int]
) -> HalfLengths:
    """Half-lengths of a prediction interval for the AUC of the next segment, from the AUCs of S segments.

    Student's prediction interval t·s·√(1 + 1/S) around the segments' mean AUC, where s is the standard
    deviation of their AUCs and t has S − 1 degrees of freedom; exact for normal AUCs of segments of equal
    size. It is at least as wide as without drift, in case the segments agree better than expected from
    sampling error. A smaller next segment adds the excess of its sampling variance. It includes today's
    interval.
    """
    zeta, number = functional_of(whole).spreads, len(segments)
    areas = np.array([value_of(s) for s in segments])
    z, t = -special.ndtri(0.5 * (1.0 - level)), -special.stdtrit(number - 1.0, 0.5 * (1.0 - level))
    new = sampling_variance(zeta, size)
    noise = float(np.mean([sampling_variance(zeta, (s.n_pos, s.n_neg)) for s in segments]))
    shown = t * t * float(areas.var(ddof=1)) * (1.0 + 1.0 / number) + z * z * max(0.0, new - noise)
    today = _own(whole, zeta)
    half = math.sqrt(max(shown, z * z * (new + today)))
    # The sample's AUC also counts pairs across segments, so it may differ from the mean of theirs.
    off, unit = value_of(whole) - float(areas.mean()), z * math.sqrt(today)
    return max(1.0, (half + off) / unit), max(1.0, (half - off) / unit)


def sampling_variance(zeta: tuple[float, float], size: tuple[int, int]) -> float:
    """Sampling variance of the AUC in a sample of a given size."""
    return zeta[0] / size[0] + zeta[1] / size[1]


def _own(whole: Table, zeta: tuple[float, float]) -> float:
    return sampling_variance(zeta, (whole.n_pos, whole.n_neg))
