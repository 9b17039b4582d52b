"""Vertical and threshold averaging: pointwise intervals for the rates of many curves, joined into a band."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from confroc._check import ArgumentError, check_count, warned
from confroc._types import FloatArray, IntArray
from confroc.bands.base import ONE_RATE, BandOutcome
from confroc.bands.curves import Curves, CurvesBand
from confroc.bands.edges import Edges, FprRange, edges_on_one_grid, envelope
from confroc.base import method_class
from confroc.distributions import normal_quantile
from confroc.resample import N_BAND_RESAMPLES, percentile_ends, resamples_or
from confroc.scores import Scores
from confroc.scores.counting import rows_above, rows_reaching, sums_before

Distribution: TypeAlias = Literal["normal", "binomial", "empirical"]
Trials: TypeAlias = Literal["positives", "curves"]
Joined: TypeAlias = Literal["vertical", "box", "diamond"]

MOST_POINTS = 10_000
"""Maximum number of points of a sweep."""

TRIALS_OF_CURVES = "With trials='curves' the width depends on the number of curves, not of cases."
SHARED_SCALE = "Threshold averaging requires scores of all curves on one scale."


def tpr_at_counts(pos: IntArray, neg: IntArray, at: FloatArray) -> FloatArray:
    """Largest true positive rate of a curve, by its counts, at each false positive rate below 1."""
    wanted = at * neg.sum()
    # Row j is the first step beyond the false positive rate `at`.
    j = rows_reaching(np.nextafter(wanted, np.inf), neg)
    tp, fp = sums_before(j, pos, neg)
    share = (wanted - fp) / neg[j]
    return np.asarray((tp + share * pos[j]) / pos.sum())


def interval_of(
    rates: FloatArray, level: float, distribution: Distribution, n: float
) -> tuple[FloatArray, FloatArray]:
    """Limits of the interval of the curves' rates at each point of a sweep (§3.2).

    The binomial variance is that of a proportion of `n` trials.
    """
    if distribution == "empirical":
        return percentile_ends(rates, level)
    # A mean of ones may exceed one by rounding.
    mean = np.minimum(rates.mean(axis=0), 1.0)
    sd = rates.std(axis=0, ddof=1) if distribution == "normal" else np.sqrt(mean * (1.0 - mean) / n)
    half = normal_quantile(level) * sd
    return mean - half, mean + half


@method_class
class VerticalAveraging(CurvesBand):
    """Vertical averaging.

    Pointwise intervals for the true positive rates of resampled curves at 100 false positive rates, joined
    (Macskassy & Provost 2004, §3.4).

    Attributes
    ----------
    distribution : {"normal", "binomial", "empirical"}
        Distribution of the intervals (Macskassy & Provost 2004, §3.2).
    trials : {"positives", "curves"}
        With distribution "binomial", the divisor of the variance μ(1 − μ): the number of positives, or as in
        the paper the number of curves, which alone then determines the width (with a warning).
    n_points : int
        Number of points of the sweep; 100 as in the paper (§3.3).
    """

    name = "vertical_averaging"
    serves = (("roc", "band"),)
    papers = ("macskassy2004",)
    caution = ONE_RATE
    distribution: Distribution = "normal"
    trials: Trials = "positives"
    n_points: int = 100
    kind = "pointwise"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("n_points", self.n_points, minimum=2, maximum=MOST_POINTS)
        if self.trials == "curves" and self.distribution != "binomial":
            rule = f"be omitted with distribution {self.distribution!r}"
            remedy = "Omit it, or use distribution='binomial'."
            raise ArgumentError("trials", rule, self.trials, remedy)

    @property
    def by_quantile(self) -> bool:
        """Few curves suffice for means and variances, but not for quantiles."""
        return self.distribution == "empirical"

    def count(self, level: float) -> int:
        """Return the number of resamples."""
        if self.by_quantile:
            return super().count(level)
        return resamples_or(N_BAND_RESAMPLES, self.n_resamples, minimum=2)

    def edges(self, curves: Curves, level: float) -> Edges:
        """Intervals for the true positive rate at 0, 1/k, ..., 1 − 1/k, joined by straight lines."""
        at = np.arange(self.n_points) / self.n_points
        rates = curves.each(lambda pos, neg, _: tpr_at_counts(pos, neg, at))
        n = curves.number if self.trials == "curves" else curves.n_pos
        low, high = interval_of(rates, level, self.distribution, n)
        x = np.append(at, 1.0)
        return edges_on_one_grid(x, np.append(high, 1.0), x, np.append(low, 1.0))

    def band(self, data: Scores | Sequence[Scores], level: float, fpr_range: FprRange) -> BandOutcome:
        """Return the edges; warn if their width does not depend on the number of cases."""
        found = super().band(data, level, fpr_range)
        notes = warned(TRIALS_OF_CURVES, where=self.trials == "curves")
        return found._replace(notes=notes + found.notes)


@method_class
class ThresholdAveraging(VerticalAveraging):
    """Threshold averaging.

    Pointwise intervals for the rates of resampled curves at 100 thresholds, joined (Macskassy & Provost 2004,
    §3.5).

    Attributes
    ----------
    joined : {"vertical", "box", "diamond"}
        "vertical" ignores the intervals of the false positive rate, as in Macskassy & Provost (2004, §3.5).
        "box" joins the upper left and lower right corners of the rectangles of both intervals, "diamond" the
        four limits.
    """

    name = "threshold_averaging"
    joined: Joined = "vertical"

    def edges(self, curves: Curves, level: float) -> Edges:
        """Intervals for both rates at k of all thresholds, joined into a band."""
        d = len(curves.score)
        row = np.unique(np.linspace(0, d - 1, min(d, self.n_points)).round().astype(np.int64))
        threshold = curves.score[row]

        def rates(pos: IntArray, neg: IntArray, score: FloatArray) -> FloatArray:
            above = sums_before(rows_above(score, threshold), neg, pos)
            return np.stack([passed / n.sum() for passed, n in zip(above, (neg, pos), strict=True)])

        found = curves.each(rates)
        n_neg, n_pos = (curves.number,) * 2 if self.trials == "curves" else (curves.n_neg, curves.n_pos)
        low, high = interval_of(found[:, 1], level, self.distribution, n_pos)
        center = found.mean(axis=0)
        if self.joined == "vertical":
            return _through(center[0], high, center[0], low)
        left, right = interval_of(found[:, 0], level, self.distribution, n_neg)
        # Edges are non-decreasing: use the outer limit if limits are out of order.
        left, right = np.minimum.accumulate(left[::-1])[::-1], np.maximum.accumulate(right)
        if self.joined == "box":
            return _through(left, high, right, low)
        sideways = _through(left, center[1], right, center[1])
        return envelope([sideways, _through(center[0], high, center[0], low)])

    def band(self, data: Scores | Sequence[Scores], level: float, fpr_range: FprRange) -> BandOutcome:
        """Return the edges, with a note for given curves."""
        found = super().band(data, level, fpr_range)
        shared = () if isinstance(data, Scores) else (SHARED_SCALE,)
        return found._replace(notes=found.notes + shared)


def _through(upper_x: FloatArray, high: FloatArray, lower_x: FloatArray, low: FloatArray) -> Edges:
    """Edges through these points, from (0, 0) to (1, 1)."""
    (x, y), (u, v) = (
        (np.concatenate([[0.0], np.clip(a, 0.0, 1.0), [1.0]]), np.concatenate([[0.0], b, [1.0]]))
        for a, b in ((upper_x, high), (lower_x, low))
    )
    return edges_on_one_grid(x, y, u, v)
