"""The Kolmogorov–Smirnov statistic."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confroc._types import FloatArray
from confroc.base import Statistic
from confroc.scores import Scores
from confroc.statistics.cheapest import Criterion, optimism_of

BIAS = 0.75
"""Bias of the maximum distance, as a proportion of the optimism at the chosen threshold."""


@dataclass(frozen=True)
class KolmogorovSmirnov(Statistic):
    """Kolmogorov–Smirnov statistic: the maximum of TPR − FPR over all thresholds.

    It equals Youden's index at its best threshold. Thresholds are between distinct scores.

    Notes
    -----
    The maximum is biased upwards, especially in small samples (`bias`). To first order the threshold can be
    treated as known, since the derivative of the distance is zero at the maximum. The influence of a case is
    therefore that on both rates there. This does not hold if the classes do not differ.

    References
    ----------
    Youden WJ (1950). Index for rating diagnostic tests. Cancer 3, 32–35.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.statistics import KolmogorovSmirnov
    >>> scores = Scores.from_counts([3, 2, 1], pos=[300, 150, 50], neg=[20, 180, 800])
    >>> KolmogorovSmirnov().value(scores), KolmogorovSmirnov().threshold_of(scores)
    (0.7, 2.0)
    """

    name: ClassVar[str] = "ks"
    title: ClassVar[str] = "One-sided Kolmogorov–Smirnov statistic"
    monotone: ClassVar[bool] = True
    default_method: ClassVar[str] = "newcombe"
    default_difference: ClassVar[str] = "bootstrap"

    def value(self, table: Scores) -> float:
        """Return the maximum distance."""
        return max(0.0, float(_distance(table).max()))

    def threshold_of(self, table: Scores) -> float:
        """Return the threshold with the maximum distance; the highest of several."""
        return float(table.score[np.argmax(_distance(table))])

    def bias(self, table: Scores) -> float:
        """Return the bias of the value, estimated by cross-validation; 0 with one case in a class.

        See docs/theory/bands.md.
        """
        optimism = float(optimism_of(table, Criterion(lambda tpr, fpr: fpr - tpr))[0])
        return 0.0 if math.isnan(optimism) else BIAS * optimism

    def influence(self, table: Scores) -> tuple[FloatArray, FloatArray]:
        """Return whether a case is above the best threshold, centered in each class."""
        called = (table.score >= self.threshold_of(table)).astype(np.float64)
        of_pos, of_neg = (called - np.average(called, weights=w) for w in (table.pos, table.neg))
        return of_pos, -of_neg


def _distance(table: Scores) -> FloatArray:
    """TPR − FPR at each distinct score."""
    return np.asarray(table.pos_above / table.n_pos - table.neg_above / table.n_neg)
