"""Confidence intervals for the average precision, and for the difference between two."""

from __future__ import annotations

import math
from typing import Unpack

import numpy as np
from scipy import special

from confroc._check import check_level, warned
from confroc._options import AveragePrecisionDifferenceOptions, AveragePrecisionOptions
from confroc._types import Sampling
from confroc.auc import auc_interval
from confroc.base import Contrast, Method, Outcome, family, lists_methods, method_class
from confroc.distributions import t_quantile
from confroc.hypotheses import Alternative, check_hypothesis
from confroc.inference import difference_of, infer, interval_of, minus, one
from confroc.influence import design_effect, measured_number
from confroc.linear import standard_error
from confroc.results import Difference, Interval
from confroc.scores import (
    Pair,
    Scores,
    accepts_one_model,
    accepts_two_models,
    check_pair,
    check_scores,
)
from confroc.statistics.precision import AveragePrecision, odds_of, precision_of
from confroc.statistics.prevalence import share_in_use

NO_ERRORS = "Every positive outranks every negative; the lower limit is that of the AUC for normal scores."


@method_class
class CorrectedLogit(Method):
    """Logit interval corrected for bias.

    Corrects the bias of average precision in small samples. The interval is the estimate minus its bias, ± t
    standard errors on the logit scale; the standard error combines the influences and the bias. If every
    positive outranks every negative, the lower limit is that of the area under the ROC curve, for normal
    scores.
    """

    name = "corrected_logit"
    dependence = "own"
    serves = (("average_precision", "interval"),)
    papers = ("boyd2013",)

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the interval."""
        value = x.value
        if value == 1.0:
            return _without_errors(x, level)
        error, df = standard_error(self, x)
        if not error > 0.0:
            return Outcome(0.0, 1.0)
        effect = None if x.table.design is None else design_effect(measured_number(x))
        bias = x.statistic.bias(x.table) * (effect or 1.0)
        # On the scale of log(1 − value), whose bias is that of the value and half its relative variance.
        miss = 1.0 - value
        middle = 1.0 - miss * math.exp(min(bias / miss + 0.5 * (error / miss) ** 2, FARTHEST))
        middle = min(max(middle, value / FARTHEST), 1.0 - 1e-9)
        slope = 0.5 * (value + middle) * (1.0 - 0.5 * (value + middle))
        half = t_quantile(df, level) * math.hypot(error, bias) / slope
        lower, upper = special.expit(special.logit(middle) + np.array([-half, half]))
        return Outcome(lower, upper, standard_error=error)


FARTHEST = 50.0
"""Limits what the correction does to an estimate of which next to nothing is known."""


def _without_errors(x: Contrast, level: float) -> Outcome:
    """The interval of a sample in which every positive outranks every negative."""
    area = auc_interval(x.table, method="newcombe", confidence_level=level).lower
    statistic = x.statistic
    recall = statistic.max_recall * (np.arange(1000) + 0.5) / 1000
    fpr = special.ndtr(special.ndtri(recall) - math.sqrt(2.0) * special.ndtri(area))
    odds = odds_of(share_in_use(x.table, statistic.prior, None)[0].value)
    lower = float(np.mean(precision_of(recall, fpr, odds)))
    return Outcome(lower, 1.0, notes=warned(NO_ERRORS, where=True))


AVERAGE_PRECISION = family(
    "average_precision",
    "Average precision",
    ("average_precision", "interval"),
    "corrected_logit",
    listed=True,
)
AVERAGE_PRECISION_DIFFERENCE = family(
    "average_precision_difference",
    "Difference of two models' average precisions",
    ("average_precision", "difference"),
    "wald",
    listed=True,
)


@accepts_one_model
@lists_methods(AVERAGE_PRECISION)
def average_precision(
    scores: Scores,
    /,
    *,
    max_recall: float = 1.0,
    prior: float | None = None,
    sampling: Sampling | None = None,
    method: str | Method = "corrected_logit",
    confidence_level: float = 0.95,
    **options: Unpack[AveragePrecisionOptions],
) -> Interval:
    """Confidence interval for the average precision, the area under the precision-recall curve.

    Parameters
    ----------
    scores : Scores
    max_recall : float
        Largest recall of the average, in (0, 1].
    prior : float, optional
        Prevalence in the target population, if it is known and not that of the sample.
    sampling : {"full", "stratified"}, optional
        Whether the prevalence of the sample is an estimate, or fixed. Default: "full" without `prior`,
        "stratified" with it.
    method : str or Method
        {methods}
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    Interval
        `estimate` is that of scikit-learn's `average_precision_score`. It is biased upwards, by
        up to 0.03 with 25 positives; "corrected_logit" corrects for this.

    Raises
    ------
    ValueError
        For an unknown method, an option that it does not have, or an argument out of range.

    Warns
    -----
    ConfrocWarning
        Every positive outranks every negative.

    See Also
    --------
    average_precision_difference : Two models.
    comparison : Many models, with `statistics.AveragePrecision()`.
    pr_curve, pr_band : The curve.

    References
    ----------
    Boyd K, Eng KH, Page CD (2013). Area under the precision-recall curve. ECML PKDD 2013, 451–466.

    Examples
    --------
    >>> from confroc import average_precision
    >>> y_true, y_score = [1, 1, 0, 1, 0, 1, 0, 0, 0, 0], [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    >>> print(average_precision(y_true, y_score))
    average_precision 0.8542 (95% CI 0.1215 to 0.9529; corrected_logit)
    """
    chosen = AVERAGE_PRECISION.chosen(method, options, average_precision)
    check_scores("scores", scores, widens=chosen.widens, dependent=True)
    statistic, level = AveragePrecision(max_recall, prior, sampling), check_level(confidence_level)
    return interval_of(infer(one(scores, statistic), chosen, level), statistic, level)


@accepts_two_models
@lists_methods(AVERAGE_PRECISION_DIFFERENCE)
def average_precision_difference(
    pair: Pair,
    /,
    *,
    max_recall: float = 1.0,
    prior: float | None = None,
    sampling: Sampling | None = None,
    method: str | Method = "wald",
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    confidence_level: float = 0.95,
    **options: Unpack[AveragePrecisionDifferenceOptions],
) -> Difference:
    """Difference a − b of two average precisions, with interval and test.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    max_recall, prior, sampling
        As in `average_precision`.
    method : str or Method
        {methods}
    alternative, margin
        As in `auc_difference`.
    confidence_level : float
        In (0, 1).
    {options}

    Returns
    -------
    Difference

    Raises
    ------
    ValueError
        As in `average_precision`.

    See Also
    --------
    average_precision : One model.
    comparison : Many models, with `statistics.AveragePrecision()`.

    Examples
    --------
    >>> from confroc import average_precision_difference
    >>> y_true = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    >>> new, old = [9, 8, 6, 4, 7, 5, 3, 2, 1, 0], [8, 5, 9, 1, 6, 4, 3, 2, 7, 0]
    >>> print(average_precision_difference(y_true, new, old))
    average_precision_a - average_precision_b +0.0931 (95% CI -0.5520 to +0.7382, p = 0.702;
      wald, paired)
    """
    chosen = AVERAGE_PRECISION_DIFFERENCE.chosen(method, options, average_precision_difference)
    check_pair("pair", pair, widens=chosen.widens, dependent=True)
    hypothesis = check_hypothesis(alternative, margin, confidence_level)
    statistic = AveragePrecision(max_recall, prior, sampling)
    found = infer(minus(pair, (statistic, statistic), hypothesis), chosen, hypothesis.central_level)
    return difference_of(found, statistic, pair, hypothesis)
