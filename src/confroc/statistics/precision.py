"""Precision and recall: the average precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confroc._types import FloatArray
from confroc.base import Statistic
from confroc.scores import Scores


@dataclass(frozen=True)
class AveragePrecision(Statistic):
    """Average precision: the mean, over the positives, of the precision at their scores.

    scikit-learn's definition, ties together: Σ (R_k − R_{k−1})·P_k over the distinct scores, where R is the
    recall and P the precision of predicting positive from a score on. It depends on the prevalence, which is
    the sample's.

    Notes
    -----
    The influence of a case counts both what it contributes itself and what it does to the precision at all
    lower scores. Of independent cases the numbers of positives and of negatives are taken as given. Where
    rows come in clusters, these numbers vary with the clusters drawn, and the influence includes it. With 25
    positives the estimate is too high by about 0.03.

    References
    ----------
    Boyd K, Eng KH, Page CD (2013). Area under the precision-recall curve. ECML PKDD 2013, 451–466.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.statistics import AveragePrecision
    >>> round(AveragePrecision().value(Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])), 4)
    0.9167
    """

    name: ClassVar[str] = "average_precision"
    title: ClassVar[str] = "Average precision"
    default_method: ClassVar[str] = "logit"
    default_difference: ClassVar[str] = "wald"

    def value(self, table: Scores) -> float:
        """Return the average precision."""
        return float(np.dot(table.pos, _precision(table)) / table.n_pos)

    def influence(self, table: Scores) -> tuple[FloatArray, FloatArray]:
        """Return what a positive and a negative at each distinct score contribute.

        They are centred in each class; where there are clusters, over all cases.
        """
        precision = _precision(table)
        flagged = table.pos_above + table.neg_above
        # What one more case above a score does to the precision there, summed over the scores below it.
        per_case = np.divide(table.pos, flagged, out=np.zeros(len(flagged)), where=flagged > 0)
        below_pos = np.cumsum((per_case * (1.0 - precision))[::-1])[::-1]
        below_neg = np.cumsum((per_case * precision)[::-1])[::-1]
        of_pos = precision + below_pos
        of_neg = -below_neg * table.n_neg / table.n_pos
        if table.design is not None and table.design.clusters:
            return of_pos - self.value(table), of_neg
        return (
            of_pos - np.average(of_pos, weights=table.pos),
            of_neg - np.average(of_neg, weights=table.neg),
        )


def _precision(table: Scores) -> FloatArray:
    """Share of positives among the cases at or above each distinct score."""
    flagged = table.pos_above + table.neg_above
    share = np.divide(table.pos_above, flagged, out=np.zeros(len(flagged)), where=flagged > 0)
    return np.asarray(share)
