"""Comparable thresholds of two models with scores on different scales.

Models with scores on different scales must not be compared at equal thresholds (Dugas & Gadoury 2009, §3.2):
scores are calibrated first, or thresholds with equal predicted-positive rates are used.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import check_choice, check_threshold
from confroc._files import finite
from confroc._types import FloatArray, IntArray
from confroc.curve import calibrated
from confroc.distributions import ROUNDING
from confroc.results import Backend, frame, shown
from confroc.scores import Pair, Scores, accepts_two_models, check_pair
from confroc.scores.counting import counts_at, rows_above

By = Literal["positive_rate", "calibration"]


class AlignedThresholds(NamedTuple):
    """Comparable thresholds of two models, by row.

    Attributes
    ----------
    threshold_a, threshold_b : ndarray of shape (h,)
    """

    threshold_a: FloatArray
    threshold_b: FloatArray

    def to_frame(self, backend: Backend | None = None) -> Any:
        """Return the thresholds as a data frame of the given or the first installed library."""
        return frame(self._asdict(), backend)

    def to_dict(self) -> dict[str, Any]:
        """Return the thresholds as plain values for JSON; inf becomes None."""
        plain: dict[str, Any] = finite(self._asdict())
        return plain

    def table(self, *, most: int | None = shown.MOST_ROWS) -> shown.Table:
        """Return the table that is printed."""
        columns, gap = shown.ends({name: at.tolist() for name, at in self._asdict().items()}, most)
        return shown.Table("Aligned thresholds", columns, len(self.threshold_a), gap=gap)

    def __str__(self) -> str:
        return shown.as_text(self.table(), wide=shown.PAGE)

    def __repr__(self) -> str:
        return shown.as_line(self.table())

    def _repr_html_(self) -> str:
        """Return a small table for notebooks."""
        return shown.as_html(self.table())

    def to_latex(self) -> str:
        """Return the table as a LaTeX tabular; see `Result.to_latex`."""
        return shown.as_latex(self.table())


def _as_many(a: Scores, b: Scores, threshold: FloatArray) -> IntArray:
    """Number of rows of b with the predicted-positive rate nearest to that of a."""
    cases_a, cases_b = a.n_pos + a.n_neg, b.n_pos + b.n_neg
    flagged = np.sum(counts_at(a, threshold), axis=0)
    wanted = flagged if cases_a == cases_b else flagged * (cases_b / cases_a)
    above = np.append(0, b.pos_above + b.neg_above)
    row = np.searchsorted(above, wanted)
    fewer = np.maximum(row - 1, 0)
    return np.asarray(np.where(wanted - above[fewer] <= above[row] - wanted, fewer, row))


def _as_likely(a: Scores, b: Scores, threshold: FloatArray) -> IntArray:
    """Number of rows of b with at least the calibrated probability at a's threshold."""
    rows = rows_above(a.score, threshold)
    wanted = np.append(np.inf, calibrated(a))[rows]
    # Equal proportions of different counts differ by rounding.
    return np.searchsorted(-calibrated(b), -wanted * (1.0 - ROUNDING), side="right")


@accepts_two_models
def aligned_thresholds(pair: Pair, *, threshold_a: ArrayLike, by: By = "positive_rate") -> AlignedThresholds:
    """Thresholds of the second model comparable with those of the first.

    If scores of two models are on different scales, such as probabilities and log odds, equal thresholds are
    not comparable [1]_. Align them on other cases than those used to compare the models, just as a threshold
    is chosen on a validation set.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    threshold_a : float or array-like of shape (h,)
        Thresholds of the first model.
    by : {"positive_rate", "calibration"}
        "positive_rate": the threshold of the second model with the nearest predicted-positive rate, the
        smaller of two equally near ones. "calibration": both scores are calibrated by isotonic regression of
        the class on the score (as `sklearn.isotonic.IsotonicRegression`; the slopes of the ROC curve's convex
        hull), and the second model's threshold is that of equal or higher probability than the first model's.
        For `UnpairedScores` probabilities are those at equal prevalence of both classes.

    Returns
    -------
    threshold_a, threshold_b : ndarray of shape (h,)
        Thresholds of the second model are among its scores, inf if it predicts no case positive.

    Raises
    ------
    ValueError
        NaN thresholds, or an unknown `by`.

    Warns
    -----
    ConfrocWarning
        Rounded scores; thresholds are those of the rounded scores.

    See Also
    --------
    rates_difference_at_threshold : Intervals at these thresholds, treated as fixed.
    rates_difference_at_positive_rate : Intervals at equal predicted-positive rates.

    References
    ----------
    .. [1] Dugas & Gadoury (2009), section 3.2. Fawcett & Niculescu-Mizil (2007), Machine Learning 68, 97-106:
       calibration is the convex hull.

    Examples
    --------
    The second model's scores are log odds. The threshold of the first model is 0.6:

    >>> from confroc import PairedScores, aligned_thresholds, rates_difference_at_threshold
    >>> validation = PairedScores([0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.4, 0.6, 0.7, 0.9], [-3, -1, 2, -2, 0, 4])
    >>> print(aligned_thresholds(validation, threshold_a=0.6))
    Aligned thresholds
    threshold_a  threshold_b
            0.6            0
    >>> test = PairedScores([0, 0, 0, 1, 1, 1], [0.1, 0.2, 0.7, 0.5, 0.8, 0.9], [-2, -1, 1, 0, 3, 2])
    >>> a, b = aligned_thresholds(validation, threshold_a=0.6)
    >>> rates_difference_at_threshold(test, threshold_a=a, threshold_b=b).tpr.estimate
    array([-0.33333333])
    """
    check_pair("pair", pair)
    a = check_threshold("threshold_a", threshold_a)
    check_choice("by", by, ("positive_rate", "calibration"))
    rows = (_as_many if by == "positive_rate" else _as_likely)(pair.a, pair.b, a)
    return AlignedThresholds(a, pair.b.threshold[rows])
