"""The Kolmogorov–Smirnov statistic of credit risk: the greatest height of an ROC curve over the diagonal."""

from __future__ import annotations

import numpy as np

from confroc._check import check_level
from confroc.base import Contrast, Method, Outcome, family, lists_methods, method_class
from confroc.distributions import square_and_add_ends, wilson
from confroc.inference import infer, interval_of, one, resized
from confroc.results import Interval
from confroc.scores import Scores, accepts_one_model, check_scores
from confroc.statistics.separation import KolmogorovSmirnov


@method_class
class BestThreshold(Method):
    """Newcombe's interval at the best threshold.

    Wilson's intervals of both rates at the threshold of the greatest distance, their arms squared and added
    (Newcombe 1998), moved downwards by the bias of a greatest distance: the lower end by all of it, the
    upper end by half. The bias is three quarters of the optimism that cross-validation finds in the distance
    at a chosen threshold.
    """

    name = "newcombe"
    dependence = "own"
    serves = (("ks", "interval"),)
    papers = ("newcombe1998",)

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the interval of one model."""
        table = resized(x).table
        place = np.searchsorted(-table.score, -x.statistic.threshold_of(table))
        counts, sizes = (table.pos_above[place], table.neg_above[place]), (table.n_pos, table.n_neg)
        rates = [k / n for k, n in zip(counts, sizes, strict=True)]
        ends = [wilson(k, n, level) for k, n in zip(counts, sizes, strict=True)]
        lower, upper = square_and_add_ends((rates[0], rates[1]), (ends[0], ends[1]))
        bias = x.statistic.bias(x.table)
        return Outcome(lower - bias, upper - 0.5 * bias)


KS_STATISTIC = family("ks_statistic", "Kolmogorov–Smirnov statistic", ("ks", "interval"), "newcombe")


@accepts_one_model
@lists_methods(KS_STATISTIC)
def ks_statistic(
    scores: Scores, /, *, method: str | Method = "newcombe", confidence_level: float = 0.95
) -> Interval:
    """Kolmogorov–Smirnov statistic: the greatest of TPR − FPR over all thresholds, with an interval.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
        A threshold cuts between distinct scores, so tied cases are called the same.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).

    Returns
    -------
    Interval
        In [0, 1]; `quantity` is "ks". It is `interval(scores, KolmogorovSmirnov())`.

    See Also
    --------
    confroc.statistics.KolmogorovSmirnov : The statistic: differences and comparisons of models, the best
        threshold.
    roc_band : A band around the whole curve, with a finite-sample guarantee where that is wanted.
    auc_interval : The area; `confroc.statistics.Gini` is 2·AUC − 1.

    Notes
    -----
    The estimate is the greatest of many noisy distances, so it is biased upwards, the more the fewer the
    cases: with 50 positives and 50 negatives and scores without any value its mean is 0.12 where the true
    statistic is 0. The interval allows for that; those of the bootstrap, which do not, cover 0.55 to 0.93
    instead of 0.95. The same number is Youden's index at its best threshold.

    References
    ----------
    Newcombe RG (1998). Statistics in Medicine 17, 873–890.
    Youden WJ (1950). Index for rating diagnostic tests. Cancer 3, 32–35.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.bands import ks_statistic
    >>> scores = Scores.from_counts([3, 2, 1], pos=[300, 150, 50], neg=[20, 180, 800])
    >>> print(ks_statistic(scores))
    ks 0.7000 (95 % interval 0.6608 to 0.7332; newcombe) at threshold 2
    """
    chosen = KS_STATISTIC.chosen(method, {}, ks_statistic)
    check_scores("scores", scores, widens=chosen.widens, dependent=True)
    level, statistic = check_level(confidence_level), KolmogorovSmirnov()
    return interval_of(infer(one(scores, statistic), chosen, level), statistic, level)
