"""The equal error rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confroc._types import FloatArray
from confroc.base import Statistic
from confroc.scores import Scores


@dataclass(frozen=True)
class EqualErrorRate(Statistic):
    """Equal error rate: the false positive rate at which the false negative rate is the same.

    It is the FPR where the ROC curve, interpolated linearly between thresholds, meets the line TPR = 1 − FPR.
    A tie of positives and negatives is one diagonal step of the curve.

    Notes
    -----
    The influence function requires densities, so methods that use influence refuse this statistic.

    References
    ----------
    ISO/IEC 19795-1:2021, Information technology. Biometric performance testing and reporting. Part 1.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.statistics import EqualErrorRate
    >>> scores = Scores.from_counts([3, 2, 1], pos=[60, 30, 10], neg=[10, 30, 60])
    >>> EqualErrorRate().value(scores), EqualErrorRate().threshold_of(scores)
    (0.25, 2.0)
    """

    name: ClassVar[str] = "equal_error_rate"
    title: ClassVar[str] = "Equal error rate"
    monotone: ClassVar[bool] = True
    regular: ClassVar[bool] = False
    lower_is_better: ClassVar[bool] = True
    default_method: ClassVar[str] = "inverted"
    default_difference: ClassVar[str] = "bootstrap"

    def value(self, table: Scores) -> float:
        """Return the rate."""
        fpr, excess = _along(table)
        return float(np.interp(0.0, np.append(-1.0, excess), np.append(0.0, fpr)))

    def threshold_of(self, table: Scores) -> float:
        """Return the highest threshold at which the FPR is at least the FNR."""
        return float(table.score[np.searchsorted(_along(table)[1], -1e-12)])


def _along(table: Scores) -> tuple[FloatArray, FloatArray]:
    """FPR, and FPR − FNR, at each distinct score."""
    fpr = table.neg_above / table.n_neg
    return fpr, fpr - (1.0 - table.pos_above / table.n_pos)
