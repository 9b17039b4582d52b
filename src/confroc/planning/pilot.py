"""Power and sample size for any statistic, from a pilot sample.

The variance of a statistic is that of its influence values in the pilot, by class, and falls as one over the
number of cases.
"""

from __future__ import annotations

import math

import numpy as np

from confroc._check import ArgumentError, check_count, check_instance, check_number
from confroc.base import Statistic
from confroc.inference import minus, one, settled
from confroc.influence import class_sizes_vary, measured_number
from confroc.planning.areas import Asymptotic
from confroc.planning.study import (
    Pilot,
    PlannedStudy,
    Power,
    Sided,
    check_ratio,
    check_target,
    pilot_ratio,
    whole_sizes,
)
from confroc.scores import Scores, UnpairedScores, check_pair, check_scores, class_sizes

LARGE_SAMPLE = "The plan is a large-sample approximation and treats the pilot's variance as known."


def power(
    pilot: Pilot,
    /,
    statistic: Statistic,
    *,
    n_pos: int,
    n_neg: int | None = None,
    null: float | None = None,
    effect: float | None = None,
    alternative: Sided = "two-sided",
    margin: float | None = None,
    significance_level: float = 0.05,
) -> Power:
    """Power of a study of any statistic, from a pilot sample.

    Parameters
    ----------
    pilot : Scores, PairedScores or UnpairedScores
        With two models the study is of the difference, the first minus the second. Weighted and clustered
        pilots plan for a sample drawn in the same way; all numbers are of rows.
    statistic : Statistic
        One of `confroc.statistics` that has an influence function.
    n_pos, n_neg : int
        Numbers of rows, for each model if they have separate test sets. Default of `n_neg`: by the ratio of
        the pilot sample.
    null : float, optional
        Value under the null hypothesis. Default: 0 for a difference, none for one model.
    effect : float, optional
        Difference from the null hypothesis to detect. Default: that of the pilot sample.
    alternative : {"two-sided", "one-sided", "non-inferiority", "equivalence"}
    margin : float, optional
        Positive; for "non-inferiority" and "equivalence" only.
    significance_level : float
        In (0, 1). The interval is two-sided with level 1 − `significance_level`.

    Returns
    -------
    Power
        Guarantee: asymptotic. The power is NaN for one model without `null` and `effect`.

    Raises
    ------
    ValueError
        For a statistic without an influence function, or one that does not vary in the pilot.

    See Also
    --------
    sample_size : Sample size for a given power or width.
    auc_power, rate_sample_size : Plans for the AUC and for rates without a pilot.

    Examples
    --------
    >>> from confroc import Scores, power
    >>> from confroc.statistics import AveragePrecision
    >>> pilot = Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    >>> print(power(pilot, AveragePrecision(), n_pos=300, null=0.7))
    300 positives and 300 negatives (600 cases, prevalence 0.5): power 1.000, interval width 0.0908
      (two-sided 0.05; asymptotic)
    Note: The plan is a large-sample approximation and treats the pilot's variance as known.
    """
    study = _study(pilot, statistic, null, effect, alternative, margin, significance_level)
    check_count("n_pos", n_pos, minimum=2)
    if n_neg is None:
        n_neg = whole_sizes(n_pos, pilot_ratio(pilot))[1]
    else:
        check_count("n_neg", n_neg, minimum=2)
        _check_free("n_neg", n_neg, pilot, statistic)
    return study.by_formula(n_pos, n_neg, method=Asymptotic(), notes=(LARGE_SAMPLE,))


def sample_size(
    pilot: Pilot,
    /,
    statistic: Statistic,
    *,
    power: float | None = None,
    width: float | None = None,
    ratio: float | None = None,
    null: float | None = None,
    effect: float | None = None,
    alternative: Sided = "two-sided",
    margin: float | None = None,
    significance_level: float = 0.05,
) -> Power:
    """Sample size for a given power or width of the interval of any statistic, from a pilot sample.

    Parameters
    ----------
    pilot, statistic, null, effect, alternative, margin, significance_level
        As in `power`.
    power : float, optional
        Power, in (0, 1). Default: 0.8 unless `width` is given.
    width : float, optional
        Width of the two-sided interval of level 1 − `significance_level`.
    ratio : float, optional
        n_neg / n_pos. Default: that of the pilot sample, which cannot be changed under full sampling (random
        class sizes) or with clusters.

    Returns
    -------
    Power
        The smallest integers by the formula. Guarantee: asymptotic.

    Raises
    ------
    ValueError
        As in `power`, when `power` and `width` are both given, or when more than 10⁹ positives are needed.

    See Also
    --------
    power : Power for given numbers of cases.
    auc_sample_size, rate_sample_size : Plans for the AUC and for rates without a pilot.

    Examples
    --------
    >>> from confroc import Scores, sample_size
    >>> from confroc.statistics import Metric
    >>> pilot = Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    >>> print(sample_size(pilot, Metric("f1", threshold=4), width=0.1))
    270 positives and 270 negatives (540 cases, prevalence 0.5): interval width 0.1000 (two-sided 0.05;
      asymptotic)
    Note: The plan is a large-sample approximation and treats the pilot's variance as known.
    """
    study = _study(pilot, statistic, null, effect, alternative, margin, significance_level)
    target = check_target(power, width)
    if ratio is None:
        ratio = pilot_ratio(pilot)
    else:
        check_ratio(ratio)
        _check_free("ratio", ratio, pilot, statistic)
    if target.width is None and math.isnan(study.effect):
        raise ArgumentError("null", "be given with `power`", None, "E.g. null=0.7, or plan for a `width`.")
    sizes = whole_sizes(study.cases_needed(target, ratio), ratio)
    return study.by_formula(*sizes, method=Asymptotic(), notes=(LARGE_SAMPLE,))


def _study(
    pilot: Pilot,
    statistic: Statistic,
    null: float | None,
    effect: float | None,
    alternative: Sided,
    margin: float | None,
    level: float,
) -> PlannedStudy:
    """The study of a statistic: its effect, and its variance times n₊ in two parts."""
    check_instance("statistic", statistic, Statistic, "Use one of confroc.statistics, e.g. Auc().")
    if isinstance(pilot, Scores):
        x = one(check_scores("pilot", pilot, widens=True, dependent=True), statistic)
    else:
        x = minus(check_pair("pilot", pilot, widens=True, dependent=True), (statistic, statistic))
    x = settled(x)
    known = measured_number(x)
    if not known:
        rule = "be one number with an influence function"
        remedy = "For a rate at a false positive rate use rate_sample_size."
        raise ArgumentError("statistic", rule, repr(statistic), remedy)
    parts = np.zeros(2)
    for each in known:
        sizes = np.array(class_sizes(each.data))
        variances = np.array([m.variance for m in each.parts])
        parts += variances[:2] * sizes
        # What clustered classes share is divided between both.
        parts += 0.5 * variances[2:].sum() * sizes
    if not parts.sum() > 0.0:
        rule, remedy = "be a sample in which the statistic varies", "Use a larger pilot."
        raise ArgumentError("pilot", rule, pilot, remedy)
    if effect is not None:
        distance = check_number("effect", effect)
    elif null is None and x.single:
        distance = math.nan
    else:
        distance = x.value - check_number("null", 0.0 if null is None else null)
    return PlannedStudy(
        effect=distance,
        null=parts,
        actual=parts,
        alternative=alternative,
        level=level,
        margin=margin,
        two=not x.single,
    )


def _check_free(name: str, value: float, pilot: Pilot, statistic: Statistic) -> None:
    """Refuse a ratio of the classes where the sampling determines it."""
    samples = (pilot.a, pilot.b) if isinstance(pilot, UnpairedScores) else (pilot,)
    if class_sizes_vary(statistic) or any(s.design is not None and s.design.clusters for s in samples):
        rule = "be omitted where the numbers of positives and negatives are random, or cases are clustered"
        raise ArgumentError(name, rule, value, "The ratio of the classes is taken from the pilot.")
