"""Interval of the equal error rate, from intervals of the true positive rate."""

from __future__ import annotations

import numpy as np

from confroc._check import check_level
from confroc._types import FloatArray
from confroc.base import Contrast, Method, Outcome, method_class
from confroc.inference import infer, interval_of, one
from confroc.points.rate_methods import BetaMixture
from confroc.results import Interval
from confroc.scores import Scores, accepts_one_model, check_scores
from confroc.statistics.equal_error import EqualErrorRate
from confroc.statistics.rates import TprAtFpr


@method_class
class Inverted(Method):
    """Inverted intervals of the true positive rate.

    Contains all rates e for which the interval of the true positive rate at the false positive rate e, by
    "beta_mixture" of `tpr_at_fpr`, contains 1 − e.
    """

    name = "inverted"
    dependence = "own"
    serves = (("equal_error_rate", "interval"),)
    # Intervals of the true positive rate are already widened.
    widens = False

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the interval."""
        from scipy.optimize.elementwise import find_root

        def excess(fpr: FloatArray, upper: FloatArray) -> FloatArray:
            found = infer(one(x.table, TprAtFpr(fpr)), BetaMixture(), level)
            return np.asarray(np.where(upper, found.upper, found.lower) + fpr - 1.0)

        ends = find_root(excess, (0.0, 1.0), args=(np.array([True, False]),), tolerances={"xatol": 1e-9}).x
        return Outcome(*ends)


@accepts_one_model
def equal_error_rate(scores: Scores, /, *, confidence_level: float = 0.95) -> Interval:
    """Equal error rate: the false positive rate at which the false negative rate is the same.

    Parameters
    ----------
    scores : Scores
    confidence_level : float
        In (0, 1).

    Returns
    -------
    Interval
        In [0, 1]; `quantity` is "equal_error_rate", and `threshold` the highest score at which the false
        positive rate is at least the false negative rate. Guarantee: asymptotic.

    Raises
    ------
    ValueError
        Labels of one class, or an invalid level.

    See Also
    --------
    confroc.statistics.EqualErrorRate : For differences and comparisons of models, and the bootstrap.
    tpr_at_fpr : True positive rate at a given false positive rate.

    Notes
    -----
    The rate is interpolated linearly between thresholds, as the ROC curve. The true rate is e if and only if
    the true positive rate at e is 1 − e. So the interval contains all e at which the interval of
    `tpr_at_fpr` contains 1 − e, and has its coverage: in normal and rounded normal populations with AUC 0.8
    and 0.99, 0.94 to 0.97 with 30 cases per class, and 0.93 to 0.95 with 100 positives and 1,000 negatives.

    References
    ----------
    ISO/IEC 19795-1:2021, Information technology. Biometric performance testing and reporting. Part 1.

    Examples
    --------
    >>> from confroc import Scores, equal_error_rate
    >>> y_true = [0] * 100 + [1] * 100
    >>> y_score = [*range(100), *range(50, 150)]
    >>> print(equal_error_rate(y_true, y_score))
    equal_error_rate 0.2500 (95% CI 0.1975 to 0.3094; inverted) at threshold 75
    >>> scores = Scores.from_counts([3, 2, 1], pos=[60, 30, 10], neg=[10, 30, 60])
    >>> print(equal_error_rate(scores))
    equal_error_rate 0.2500 (95% CI 0.2028 to 0.3012; inverted) at threshold 2
    """
    check_scores("scores", scores, widens=True, dependent=True)
    level, statistic = check_level(confidence_level), EqualErrorRate()
    return interval_of(infer(one(scores, statistic), Inverted(), level), statistic, level)
