"""Counts of coverage, with misses on each side and widths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from confroc._types import Ends, FloatArray, IntArray

COUNTS = ("samples", "n", "failures", "covered", "below", "above", "points", "points_covered")
SUMS = ("width", "width_sq")


class Coverage(NamedTuple):
    """Sums over samples for one method and one quantity, at each of g places.

    Attributes
    ----------
    method, quantity : str
    at : ndarray of shape (g,)
        Places, in the units of the rule (a rate, a weight, or nan if there is only one).
    samples : ndarray of int
        Number of samples with an interval.
    n : ndarray of int
        Number of intervals checked, one or more per sample.
    failures : ndarray of int
        Number of samples without an interval.
    covered, below, above : ndarray of int
        Number of times the truth is inside, below and above. For a region only `covered` is used.
    points, points_covered : ndarray of int
        Number of zero-width intervals, and of those equal to the truth.
    width, width_sq : ndarray of float
        Sums of the widths and of their squares.
    """

    method: str
    quantity: str
    at: FloatArray
    samples: IntArray
    n: IntArray
    failures: IntArray
    covered: IntArray
    below: IntArray
    above: IntArray
    points: IntArray
    points_covered: IntArray
    width: FloatArray
    width_sq: FloatArray

    @property
    def share(self) -> FloatArray:
        """Coverage: proportion of intervals that contain the true value."""
        return np.asarray(np.divide(self.covered, self.n, out=np.full(len(self.n), np.nan), where=self.n > 0))

    @property
    def error(self) -> FloatArray:
        """Monte Carlo standard error of the coverage.

        Binomial, with two successes and two failures added, so it is positive at coverages 0 and 1.
        """
        p = (self.covered + 2.0) / (self.n + 4.0)
        return np.asarray(np.sqrt(p * (1.0 - p) / (self.n + 4.0)))

    @property
    def mean_width(self) -> FloatArray:
        """Mean width; mean area for regions and bands."""
        n = self.samples
        return np.asarray(np.divide(self.width, n, out=np.full(len(n), np.nan), where=n > 0))

    @property
    def width_sd(self) -> FloatArray:
        """Standard deviation of the width between samples."""
        n, mean = self.samples, self.mean_width
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.sqrt(np.maximum(self.width_sq / n - mean * mean, 0.0) * n / (n - 1.0)))


def counted(
    method: str, quantity: str, at: FloatArray, truth: FloatArray, lower: FloatArray, upper: FloatArray
) -> Coverage:
    """Count intervals of shape (reps, g) that contain truths of shape (g,) or (reps, g); NaN is a failure."""
    # Comparisons with NaN are false.
    below, above = np.count_nonzero(truth < lower, axis=0), np.count_nonzero(truth > upper, axis=0)
    width = upper - lower
    point = width == 0.0
    points = np.count_nonzero(point, axis=0)
    met = np.count_nonzero(point & (truth == lower), axis=0)
    failed = np.isnan(width)
    n = len(lower) - np.count_nonzero(failed, axis=0)
    width = np.where(failed, 0.0, width)
    sums = width.sum(axis=0), np.einsum("ij,ij->j", width, width)
    covered = n - below - above
    return Coverage(method, quantity, at, n, n, len(lower) - n, covered, below, above, points, met, *sums)


def counted_region(
    method: str,
    at: FloatArray,
    names: Sequence[str],
    truth: Sequence[FloatArray],
    ends: Sequence[Ends],
) -> list[Coverage]:
    """Count rectangles: both sides ("joint", with area as width), and each side."""
    sides = [
        counted(method, name, at, true, *both) for name, true, both in zip(names, truth, ends, strict=True)
    ]
    inside = [(low <= true) & (true <= high) for true, (low, high) in zip(truth, ends, strict=True)]
    both = inside[0] & inside[1]
    area = (ends[0][1] - ends[0][0]) * (ends[1][1] - ends[1][0])
    zero, reps = np.zeros(len(at), np.int64), np.full(len(at), len(area))
    covered = np.count_nonzero(both, axis=0)
    sums = area.sum(axis=0), np.einsum("ij,ij->j", area, area)
    points = np.count_nonzero(area == 0.0, axis=0)
    met = np.count_nonzero((area == 0.0) & both, axis=0)
    return [Coverage(method, "joint", at, reps, reps, zero, covered, zero, zero, points, met, *sums), *sides]


def added(parts: Sequence[list[Coverage]]) -> list[Coverage]:
    """Add the counts of several parts with the same methods and quantities."""
    total = list(parts[0])
    for part in parts[1:]:
        total = [
            t._replace(**{name: getattr(t, name) + getattr(p, name) for name in (*COUNTS, *SUMS)})
            for t, p in zip(total, part, strict=True)
        ]
    return total
