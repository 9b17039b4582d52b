"""How far a threshold separates the classes: the Kolmogorov–Smirnov statistic."""

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
"""Share of the optimism of a chosen threshold by which the greatest distance itself is too large."""


@dataclass(frozen=True)
class KolmogorovSmirnov(Statistic):
    """Kolmogorov–Smirnov statistic of credit risk: the greatest of TPR − FPR over all thresholds.

    It equals Youden's index at its best threshold. Tied cases are predicted the same.

    Notes
    -----
    The greatest of many noisy distances is biased upwards, the more the fewer the cases (`bias`). To first
    order the threshold may be taken as known, as the distance is level at its maximum; so the influence of a
    case is that on both rates there. Where the classes do not differ there is no such maximum.

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
    title: ClassVar[str] = "Kolmogorov–Smirnov statistic"
    monotone: ClassVar[bool] = True
    default_method: ClassVar[str] = "newcombe"
    default_difference: ClassVar[str] = "bootstrap"

    def value(self, table: Scores) -> float:
        """Return the greatest distance."""
        return max(0.0, float(_distance(table).max()))

    def threshold_of(self, table: Scores) -> float:
        """Return the threshold with the greatest distance; the highest of several."""
        return float(table.score[np.argmax(_distance(table))])

    def bias(self, table: Scores) -> float:
        """Return how much too large the value is on average; 0 with one case in a class, where it is unknown.

        A share of what cross-validation finds at a chosen threshold (docs/theory/bands.md).
        """
        optimism = float(optimism_of(table, Criterion(lambda tpr, fpr: fpr - tpr))[0])
        return 0.0 if math.isnan(optimism) else BIAS * optimism

    def influence(self, table: Scores) -> tuple[FloatArray, FloatArray]:
        """Return whether a case is above the best threshold, centred in each class."""
        called = (table.score >= self.threshold_of(table)).astype(np.float64)
        of_pos, of_neg = (called - np.average(called, weights=w) for w in (table.pos, table.neg))
        return of_pos, -of_neg


def _distance(table: Scores) -> FloatArray:
    """TPR − FPR at each distinct score."""
    return np.asarray(table.pos_above / table.n_pos - table.neg_above / table.n_neg)
