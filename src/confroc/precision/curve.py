"""The precision-recall curve of a sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from confroc._types import FloatArray
from confroc.curve import curve_of
from confroc.results import Plottable, Result, one_sided_limits, sealed
from confroc.scores import Scores, accepts_one_model, check_scores
from confroc.statistics.precision import AveragePrecision, PrecisionAtRecall, odds_of, precision_of


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PrCurve(Plottable, Result):
    """A precision-recall curve: the operating points of all thresholds.

    Attributes
    ----------
    recall, precision : ndarray of shape (d + 1,)
        Proportion of positives with score >= threshold, and proportion of positives among the cases with such
        a score. The first point, with no predicted positives, is (0, 1).
    fpr : ndarray of shape (d + 1,)
        False positive rates.
    threshold : ndarray of shape (d + 1,)
        Decreasing; the first is inf.
    prevalence : float
        Prevalence of the sample, or the given one.
    average_precision : float
        Area under the step curve.

    See Also
    --------
    pr_curve : Returns one.
    pr_band : Simultaneous confidence band.
    """

    _title = "Precision-recall curve"
    recall: FloatArray
    precision: FloatArray
    fpr: FloatArray
    threshold: FloatArray
    prevalence: float
    average_precision: float

    def __len__(self) -> int:
        return len(self.recall)

    def _heading(self) -> str:
        return f"{self._title}: average precision {self.average_precision:.4f}"

    def precision_at(self, recall: ArrayLike, *, interpolate: bool = False) -> FloatArray:
        """Precision at each recall.

        Parameters
        ----------
        recall : array-like of shape (h,)
            In (0, 1].
        interpolate : bool
            Interpolate between operating points so that the false positive rate is linear in the recall
            (Davis & Goadrich 2006). By default the curve is a step function: the precision of the first
            operating point with at least this recall, as in scikit-learn.

        Returns
        -------
        ndarray of shape (h,)

        References
        ----------
        Davis J, Goadrich M (2006). The relationship between precision-recall and ROC curves. ICML 2006,
        233–240.

        Examples
        --------
        >>> from confroc import pr_curve
        >>> curve = pr_curve([1, 0, 0, 1], [4, 3, 2, 1])
        >>> curve.precision_at(0.75), curve.precision_at(0.75, interpolate=True)
        (array([0.5]), array([0.42857143]))
        """
        at = PrecisionAtRecall(np.atleast_1d(recall)).places
        if interpolate:
            fpr = one_sided_limits(self.recall, self.fpr, at)[0]
            return precision_of(at, fpr, odds_of(self.prevalence))
        return self.precision[np.searchsorted(self.recall, at * (1.0 - 1e-12))]


@accepts_one_model
def pr_curve(scores: Scores, /, *, prior: float | None = None) -> PrCurve:
    """Precision-recall curve.

    Parameters
    ----------
    scores : Scores
    prior : float, optional
        Prevalence in the target population. Default: that of the sample.

    Returns
    -------
    PrCurve
        One point per distinct score, by increasing recall, plus (0, 1): the points of scikit-learn's
        `precision_recall_curve` in reverse.

    See Also
    --------
    pr_band : Simultaneous confidence band.
    average_precision : Confidence interval for the average precision.
    precision_at_recall : Confidence intervals for points of the curve.

    Examples
    --------
    >>> from confroc import pr_curve
    >>> curve = pr_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.8, 0.6, 0.1])
    >>> curve.recall.round(3), curve.precision.round(3)
    (array([0.   , 0.333, 0.667, 1.   , 1.   ]), array([1.   , 1.   , 0.667, 0.75 , 0.6  ]))
    """
    check_scores("scores", scores, dependent=True)
    roc, average = curve_of(scores), AveragePrecision(prior=prior)
    prevalence = PrecisionAtRecall(1.0, prior=prior).share(scores).value
    return PrCurve(
        recall=roc.tpr,
        precision=sealed(precision_of(roc.tpr, roc.fpr, odds_of(prevalence))),
        fpr=roc.fpr,
        threshold=roc.threshold,
        prevalence=prevalence,
        average_precision=average.value(scores),
    )
