"""Kolmogorov–Smirnov statistic: the largest height of an ROC curve above the diagonal."""

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
class NewcombeKs(Method):
    """Newcombe's interval at the best threshold.

    Wilson intervals of both rates at the threshold with the largest distance, squared and added (Newcombe
    1998), and shifted down for the bias of a maximum: the lower limit by the whole bias, the upper limit by
    half of it. The bias is three quarters of the cross-validated optimism of the distance at a chosen
    threshold.
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
    """Kolmogorov–Smirnov statistic: the maximum of TPR − FPR over all thresholds, with an interval.

    Parameters
    ----------
    scores : Scores
        Thresholds lie between distinct scores, so tied cases have the same prediction.
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
    confroc.statistics.KolmogorovSmirnov : For differences and comparisons of models and the best threshold.
    roc_band : Simultaneous band for the whole curve.
    auc_interval : AUC; `confroc.statistics.Gini` is 2·AUC − 1.

    Notes
    -----
    The estimate is a maximum and so biased upwards, more so in small samples: with 50 positives, 50 negatives
    and uninformative scores its mean is 0.12, and the true value 0. The interval corrects for the bias;
    bootstrap intervals do not and have coverage 0.55 to 0.93 at nominal 0.95. The statistic equals Youden's
    index at its best threshold.

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
    ks 0.7000 (95% CI 0.6608 to 0.7332; newcombe) at threshold 2
    """
    chosen = KS_STATISTIC.chosen(method, {}, ks_statistic)
    check_scores("scores", scores, widens=chosen.widens, dependent=True)
    level, statistic = check_level(confidence_level), KolmogorovSmirnov()
    return interval_of(infer(one(scores, statistic), chosen, level), statistic, level)
