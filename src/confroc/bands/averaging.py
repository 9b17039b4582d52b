"""Vertical and threshold averaging: intervals for the rates of resampled curves, joined into a band."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np

from confroc._types import RNG, FloatArray, IntArray
from confroc.bands.edges import Edges, edges_on_one_grid
from confroc.distributions import normal_quantile
from confroc.resample import percentile_ends, resample
from confroc.scores import Scores

Distribution: TypeAlias = Literal["normal", "binomial", "empirical"]
DISTRIBUTIONS: tuple[Distribution, ...] = get_args(Distribution)

SWEEP_POINTS = 100
"""Points of a sweep (Macskassy & Provost 2004, §3.3)."""


def tpr_at_counts(pos: IntArray, neg: IntArray, at: FloatArray) -> FloatArray:
    """Largest true positive rate of a resampled curve at each false positive rate below 1."""
    tp, fp = np.cumsum(pos), np.cumsum(neg)
    wanted = at * fp[-1]
    # Row j is the step that leaves the false positive rate `at`.
    j = np.searchsorted(fp, wanted, side="right")
    share = (wanted - (fp[j] - neg[j])) / neg[j]
    value: FloatArray = (tp[j] - pos[j] + share * pos[j]) / tp[-1]
    return value


def interval_of(
    curves: FloatArray, level: float, distribution: Distribution, n: int
) -> tuple[FloatArray, FloatArray]:
    """Ends of the interval of resampled rates at each point of a sweep (§3.2).

    The binomial variance is that of a proportion of `n` cases, not of the number of curves, with which
    the interval would shrink as curves are added.
    """
    if distribution == "empirical":
        return percentile_ends(curves, level)
    # A mean of ones may be above one by its rounding.
    mean = np.minimum(curves.mean(axis=0), 1.0)
    sd = curves.std(axis=0, ddof=1) if distribution == "normal" else np.sqrt(mean * (1.0 - mean) / n)
    half = normal_quantile(level) * sd
    return mean - half, mean + half


def vertical_averaging(
    scores: Scores, level: float, *, n_resamples: int, rng: RNG, n_jobs: int, distribution: Distribution
) -> Edges:
    """Intervals for the true positive rate at 0, 0.01, ..., 0.99, joined by straight lines."""
    at = np.arange(SWEEP_POINTS) / SWEEP_POINTS
    curves = resample(
        lambda pos, neg: tpr_at_counts(pos, neg, at),
        scores,
        n_resamples,
        rng,
        size=(scores.n_pos, scores.n_neg),
        n_jobs=n_jobs,
    )
    low, high = interval_of(curves, level, distribution, scores.n_pos)
    x = np.append(at, 1.0)
    return edges_on_one_grid(x, np.append(high, 1.0), x, np.append(low, 1.0))


def threshold_averaging(
    scores: Scores, level: float, *, n_resamples: int, rng: RNG, n_jobs: int, distribution: Distribution
) -> Edges:
    """Intervals for the true positive rate at 100 observed thresholds, at their mean false positive rate.

    The interval of the false positive rate is left out, as in the paper (§3.5).
    """
    d = len(scores.score)
    row = np.unique(np.linspace(0, d - 1, min(d, SWEEP_POINTS)).round().astype(np.int64))

    def rates(pos: IntArray, neg: IntArray) -> FloatArray:
        return np.stack([np.cumsum(neg)[row] / scores.n_neg, np.cumsum(pos)[row] / scores.n_pos])

    curves = resample(rates, scores, n_resamples, rng, size=(scores.n_pos, scores.n_neg), n_jobs=n_jobs)
    low, high = interval_of(curves[:, 1], level, distribution, scores.n_pos)
    x = np.concatenate([[0.0], curves[:, 0].mean(axis=0), [1.0]])
    return edges_on_one_grid(x, np.concatenate([[0.0], high, [1.0]]), x, np.concatenate([[0.0], low, [1.0]]))
