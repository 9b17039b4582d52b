"""Inference for any statistic: interval, difference or ratio of two models, comparison of several."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from confroc import auc, bands, bootstrap, cost, linear, points, precision
from confroc._check import ArgumentError, check_choice, check_level
from confroc.base import Method, Statistic
from confroc.comparing.comparison import compare
from confroc.hypotheses import Alternative, check_hypothesis
from confroc.inference import (
    Inferred,
    design_of,
    difference_of,
    family_of,
    infer,
    interval_of,
    intervals_of,
    minus,
    one,
    regions_of,
)
from confroc.results import Comparison, Difference, Interval, Intervals, Ratio, Regions
from confroc.scores import (
    Pair,
    Scores,
    accepts_one_model,
    accepts_several_models,
    accepts_two_models,
    check_pair,
    check_scores,
    difference_label,
)
from confroc.statistics.custom import as_statistic
from confroc.statistics.logarithm import Log

Sided: TypeAlias = Literal["two-sided", "less", "greater"]
Of: TypeAlias = Statistic | Callable[..., float]
"""A statistic, or a function of (y_true, y_score, sample_weight)."""

_REGISTERED = (auc, bands, bootstrap, cost, linear, points, precision)
"""Modules that register methods and functions when imported."""


@accepts_one_model
def interval(
    scores: Scores,
    /,
    statistic: Of,
    *,
    method: str | Method | None = None,
    confidence_level: float = 0.95,
    **options: Any,
) -> Interval | Intervals | Regions:
    """Confidence interval for any statistic of one model.

    Parameters
    ----------
    scores : Scores
    statistic : Statistic or callable
        One of `confroc.statistics`, or a function of (y_true, y_score, sample_weight); see `Custom`.
    method : str or Method, optional
        A method of the statistic, e.g. those of `auc_interval` for `Auc()`; for statistics without a named
        function "logit", "wald", "bootstrap" and "bootstrap_bca". Default: that of the statistic.
    confidence_level : float
        In (0, 1).
    **options
        Options of the method, e.g. `n_resamples` and `rng` of "bootstrap".

    Returns
    -------
    Interval, Intervals or Regions
        `Intervals` for a statistic at several abscissae, `Regions` for several rates at each.

    Raises
    ------
    ValueError
        Unknown method, an option the method does not have, a method that needs an influence function for a
        statistic without one, or a function that fails.

    See Also
    --------
    difference : Difference between two models.
    comparison : Comparison of several models.
    confroc.statistics : Available statistics.

    Examples
    --------
    >>> from confroc import interval
    >>> from confroc.statistics import Auc
    >>> y_true, y_score = [1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1]
    >>> print(interval(y_true, y_score, Auc(max_fpr=0.5)))
    auc[max_fpr=0.5] 0.3125 (95% CI 0.0890 to 0.4639; score_delong)
    """
    statistic = as_statistic(statistic)
    chosen = family_of(statistic, "interval").chosen(method, options, interval)
    check_scores("scores", scores, widens=chosen.widens, dependent=True)
    level = check_level(confidence_level)
    found = infer(one(scores, statistic), chosen, level)
    if np.ndim(found.estimate) == 0:
        return interval_of(found, statistic, level)
    return _several(found, (statistic,), level)


@accepts_two_models
def difference(
    pair: Pair,
    /,
    statistic: Of | tuple[Of, Of],
    *,
    method: str | Method | None = None,
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    confidence_level: float = 0.95,
    **options: Any,
) -> Difference | Intervals | Regions:
    """Difference a − b of any statistic of two models: interval, and test if the method has one.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    statistic : Statistic or callable, or two of them
        One for both models, or one for each, e.g. rates at different thresholds.
    method : str or Method, optional
        As in `interval`; default: that of the statistic for differences.
    alternative, margin
        As in `auc_difference`.
    confidence_level : float
        In (0, 1).
    **options
        Options of the method.

    Returns
    -------
    Difference, Intervals or Regions
        `pvalue` is NaN if the method has no test.

    Raises
    ------
    ValueError
        As in `interval`.

    See Also
    --------
    interval : Interval for one model.
    comparison : Comparison of several models.

    Examples
    --------
    >>> import sklearn.metrics
    >>> from confroc import difference
    >>> def best_youden(y_true, y_score, sample_weight):
    ...     fpr, tpr, _ = sklearn.metrics.roc_curve(y_true, y_score, sample_weight=sample_weight)
    ...     return max(tpr - fpr)
    >>> y_true, new, old = [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 6, 4, 5, 7, 8], [4, 1, 2, 8, 3, 7, 5, 6]
    >>> found = difference(y_true, new, old, best_youden, n_resamples=199, rng=0)
    >>> print(round(found.estimate, 4), found.method, found.design)
    0.25 bootstrap paired
    """
    both = _both(statistic)
    chosen = family_of(both[0], "difference").chosen(method, options, difference)
    check_pair("pair", pair, widens=chosen.widens, dependent=True)
    hypothesis = check_hypothesis(alternative, margin, confidence_level)
    found = infer(minus(pair, both, hypothesis), chosen, hypothesis.central_level)
    if np.ndim(found.estimate) > 0:
        return _several(found, both, hypothesis.interval_level, pair)
    return difference_of(found, both[0], pair, hypothesis)


@accepts_two_models
def ratio(
    pair: Pair,
    /,
    statistic: Of | tuple[Of, Of],
    *,
    method: str | Method | None = None,
    alternative: Sided = "two-sided",
    confidence_level: float = 0.95,
    **options: Any,
) -> Ratio:
    """Ratio a / b of any statistic of two models, with interval and test of ratio 1.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    statistic : Statistic or callable, or two of them
        A positive number, e.g. `Metric("ppv", threshold=0.5)`; one for both models, or one for each.
    method : str or Method, optional
        For the log ratio: "wald" by influence functions (default), "bootstrap", or "moskowitz_pepe", which
        agrees with other software (Moskowitz & Pepe 2006).
    alternative : {"two-sided", "less", "greater"}
    confidence_level : float
        In (0, 1).
    **options
        Options of the method.

    Returns
    -------
    Ratio
        The interval excludes 1 exactly where p < 1 − `confidence_level`. It is (0, ∞) if one of the values is
        zero.

    Raises
    ------
    ValueError
        As in `interval`.

    See Also
    --------
    difference : Difference between two models.
    confusion_at_threshold : Metrics of one model.

    References
    ----------
    Moskowitz CS, Pepe MS (2006). Comparing the predictive values of diagnostic tests: sample size and
    analysis for paired study designs. Clinical Trials 3, 272–279.

    Examples
    --------
    >>> from confroc import ratio
    >>> from confroc.statistics import Metric
    >>> y_true, new, old = [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 6, 4, 5, 7, 8], [4, 1, 5, 8, 3, 7, 5, 6]
    >>> print(ratio(y_true, new, old, Metric("ppv", threshold=4.5)))
    ppv_a / ppv_b 1.2500 (95% CI 0.6115 to 2.5552, p = 0.4359; wald, paired)
    """
    check_choice("alternative", alternative, get_args(Sided))
    both = _both(statistic)
    for each in both:
        if not each.is_number:
            raise ArgumentError("statistic", "be a number", each, "Pass one threshold, rate or weight.")
    found = difference(
        pair,
        (Log(both[0]), Log(both[1])),
        method=method,
        alternative=alternative,
        confidence_level=confidence_level,
        **options,
    )
    kept = {f.name: getattr(found, f.name) for f in fields(Ratio)}
    ends: Any = {name: math.exp(kept[name]) for name in ("estimate", "lower", "upper")}
    return Ratio(**kept | ends | {"quantity": difference_label(both[0].label, pair, sign="/")})


@accepts_several_models
def comparison(
    scores: Pair,
    /,
    statistic: Of,
    *,
    adjust: str = "max_t",
    reference: str | None = None,
    method: str | Method | None = None,
    confidence_level: float = 0.95,
    **options: Any,
) -> Comparison:
    """Compare any statistic of several models or groups, adjusted for multiplicity.

    Parameters
    ----------
    scores : PairedScores or UnpairedScores
        Two or more models on the same cases, or two or more disjoint samples. Score columns are a mapping, a
        data frame or further arrays.
    statistic : Statistic or callable
        A scalar statistic: one rate, one cost, average precision.
    adjust, reference, confidence_level
        As in `auc_comparison`.
    method : str or Method, optional
        "wald" by influence functions, or "bootstrap", which resamples cases with the scores of all models.
        Default: "wald", or "bootstrap" for a statistic without influence function. Both apply to the
        differences; the intervals of single models are those of `interval`, at the simultaneous level.
    **options
        Options of the method.

    Returns
    -------
    Comparison
        Intervals, differences with adjusted p-values, the joint test of equality, and the set of models that
        may be best: with the largest value, or the smallest for costs. As from `auc_comparison`.

    Raises
    ------
    ValueError
        As in `interval`; also for a statistic at several abscissae.

    See Also
    --------
    auc_comparison : Comparison of AUCs.
    difference : Difference between two models.

    Examples
    --------
    >>> from confroc import comparison
    >>> from confroc.statistics import Auc
    >>> y = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    >>> new, old = [1, 2, 3, 6, 4, 5, 7, 8, 9, 10], [4, 1, 2, 8, 7, 3, 9, 5, 6, 10]
    >>> found = comparison(y, {"new": new, "old": old}, Auc())
    >>> found.ranking
    ('new', 'old')
    """
    statistic = as_statistic(statistic)
    chosen = family_of(statistic, "comparison").chosen(method, options, comparison)
    return compare(scores, statistic, chosen, adjust, reference, confidence_level)


def _both(statistic: Of | tuple[Of, Of]) -> tuple[Statistic, Statistic]:
    """Return the statistics of two models."""
    a, b = statistic if isinstance(statistic, tuple) else (statistic, statistic)
    return as_statistic(a), as_statistic(b)


def _several(
    found: Inferred, statistics: tuple[Any, ...], level: float, pair: Pair | None = None
) -> Intervals | Regions:
    """Return the result for a statistic at several abscissae, or for several rates at each."""
    first, last = statistics[0], statistics[-1]
    at = first.at or ("place", np.arange(len(found.estimate)))
    if np.ndim(found.estimate) == 1:
        return intervals_of(
            found, first.label if pair is None else difference_label(first.label, pair), at, level
        )
    if pair is None:
        return regions_of(found, first.rates, at, level, level, joint=False)
    names, design = [difference_label(rate, pair) for rate in first.rates], design_of(pair)
    return regions_of(found, names, at, level, level, joint=False, at_b=last.at[1], design=design)
