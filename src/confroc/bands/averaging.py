"""Vertical and threshold averaging: intervals for the rates of many curves, joined into a band."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np

from confroc._types import FloatArray, IntArray
from confroc.bands.curves import Curves
from confroc.bands.edges import Edges, edges_on_one_grid, envelope
from confroc.distributions import normal_quantile
from confroc.resample import percentile_ends
from confroc.scores.counting import rows_above, rows_reaching, sums_before

Distribution: TypeAlias = Literal["normal", "binomial", "empirical"]
DISTRIBUTIONS: tuple[Distribution, ...] = get_args(Distribution)

Trials: TypeAlias = Literal["positives", "curves"]
TRIALS: tuple[Trials, ...] = get_args(Trials)

Joined: TypeAlias = Literal["vertical", "box", "diamond"]
JOINED: tuple[Joined, ...] = get_args(Joined)

SWEEP_POINTS = 100
"""Points of a sweep (Macskassy & Provost 2004, §3.3)."""


def tpr_at_counts(pos: IntArray, neg: IntArray, at: FloatArray) -> FloatArray:
    """Largest true positive rate of a curve, by its counts, at each false positive rate below 1."""
    wanted = at * neg.sum()
    # Row j is the step that leaves the false positive rate `at`.
    j = rows_reaching(np.floor(wanted).astype(np.int64) + 1, neg)
    tp, fp = sums_before(j, pos, neg)
    share = (wanted - fp) / neg[j]
    value: FloatArray = (tp + share * pos[j]) / pos.sum()
    return value


def interval_of(
    rates: FloatArray, level: float, distribution: Distribution, n: float
) -> tuple[FloatArray, FloatArray]:
    """Ends of the interval of the curves' rates at each point of a sweep (§3.2).

    The binomial variance is that of a proportion of `n` trials.
    """
    if distribution == "empirical":
        return percentile_ends(rates, level)
    # A mean of ones may be above one by its rounding.
    mean = np.minimum(rates.mean(axis=0), 1.0)
    sd = rates.std(axis=0, ddof=1) if distribution == "normal" else np.sqrt(mean * (1.0 - mean) / n)
    half = normal_quantile(level) * sd
    return mean - half, mean + half


def vertical_averaging(
    curves: Curves, level: float, *, distribution: Distribution, n_points: int, trials: Trials
) -> Edges:
    """Intervals for the true positive rate at 0, 1/k, ..., 1 − 1/k, joined by straight lines."""
    at = np.arange(n_points) / n_points
    rates = curves.each(lambda pos, neg, _: tpr_at_counts(pos, neg, at))
    n = curves.number if trials == "curves" else curves.n_pos
    low, high = interval_of(rates, level, distribution, n)
    x = np.append(at, 1.0)
    return edges_on_one_grid(x, np.append(high, 1.0), x, np.append(low, 1.0))


def threshold_averaging(
    curves: Curves,
    level: float,
    *,
    distribution: Distribution,
    n_points: int,
    trials: Trials,
    joined: Joined,
) -> Edges:
    """Intervals for both rates at k of all thresholds, joined into a band.

    "vertical" leaves the false positive rates' intervals out, as the paper does (§3.5). "box" joins the upper
    left and the lower right corners of the rectangles of both intervals, "diamond" the four ends of the two.
    """
    d = len(curves.score)
    row = np.unique(np.linspace(0, d - 1, min(d, n_points)).round().astype(np.int64))
    threshold = curves.score[row]

    def rates(pos: IntArray, neg: IntArray, score: FloatArray) -> FloatArray:
        above = sums_before(rows_above(score, threshold), neg, pos)
        return np.stack([passed / n.sum() for passed, n in zip(above, (neg, pos), strict=True)])

    found = curves.each(rates)
    n_neg, n_pos = (curves.number,) * 2 if trials == "curves" else (curves.n_neg, curves.n_pos)
    low, high = interval_of(found[:, 1], level, distribution, n_pos)
    centre = found.mean(axis=0)
    if joined == "vertical":
        return _through(centre[0], high, centre[0], low)
    left, right = interval_of(found[:, 0], level, distribution, n_neg)
    # An edge never falls: where ends are out of order the outer one stands for both.
    left, right = np.minimum.accumulate(left[::-1])[::-1], np.maximum.accumulate(right)
    if joined == "box":
        return _through(left, high, right, low)
    sideways = _through(left, centre[1], right, centre[1])
    return envelope([sideways, _through(centre[0], high, centre[0], low)])


def _through(upper_x: FloatArray, high: FloatArray, lower_x: FloatArray, low: FloatArray) -> Edges:
    """Edges through these points, from (0, 0) to (1, 1)."""
    (x, y), (u, v) = (
        (np.concatenate([[0.0], np.clip(a, 0.0, 1.0), [1.0]]), np.concatenate([[0.0], b, [1.0]]))
        for a, b in ((upper_x, high), (lower_x, low))
    )
    return edges_on_one_grid(x, y, u, v)
