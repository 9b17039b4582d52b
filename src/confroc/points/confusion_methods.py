"""Methods for metrics of the confusion matrix, of one model and of the difference between two.

A metric is a function of one, two or three independent proportions: a proportion of some cells, or both rates
and the prevalence. Limits of these give limits of the metric.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from scipy import special

from confroc import distributions
from confroc._check import ArgumentError
from confroc._types import Ends, FloatArray, IntArray
from confroc.base import Contrast, Dependence, Method, Outcome, method_class
from confroc.hypotheses import by_standard_error, square_and_add
from confroc.inference import one
from confroc.influence import as_drawn, contrast_moments, correlation_of, needs_influence
from confroc.moments import effective_sizes, measured
from confroc.scores import PairedScores, Scores
from confroc.scores.counting import discordant_counts
from confroc.statistics.metrics import FN, FP, TN, TP, Metric, Proportions, gradient
from confroc.statistics.prevalence import KNOWN_PREVALENCE

INTERVAL, DIFFERENCE = ("metric", "interval"), ("metric", "difference")
UNDEFINED = "All cases are on the same side of the threshold, so some metrics are undefined (0/0)."
FARTHEST = 1e100
"""Maximum distance, so that ratios of distances are finite."""


def effective_counts(statistic: Metric, table: Scores) -> FloatArray:
    """Return the four counts at each threshold; effective counts for dependent cases."""
    counts = statistic.counts(table)
    if table.design is None:
        return counts
    each = (replace(statistic, threshold=t) for t in statistic.places.tolist())
    found = (measured(s.influence(table), as_drawn(s, table), s.together) for s in each)
    pos, neg = np.array([effective_sizes(known) for known in found]).T
    return np.asarray(counts * np.stack([pos / table.n_pos, neg / table.n_neg] * 2))


def limits(
    parts: Proportions, z: FloatArray, log: bool, limit: Callable[[Any, Any, Any], FloatArray]
) -> Ends:
    """Limits of a function of independent proportions, from limits of each.

    Each limit is the function at proportions whose squared deviates sum to z², divided between them in
    proportion to the squared change of the function that each causes at z: to first order the extreme value.

    Parameters
    ----------
    parts : Proportions
    z : ndarray of shape (h,)
        Deviates, > 0.
    log : bool
        Whether changes are measured on the logarithmic scale.
    limit : callable
        Accepts successes, trials and deviates; returns proportions.
    """
    k, n, of = parts
    inside = (k + 0.5) / (n + 1.0)

    def scaled(p: FloatArray) -> Any:
        return np.log(of(p)) if log else of(p)

    ends = []
    with np.errstate(divide="ignore", invalid="ignore"):
        upwards = np.sign(gradient(of, inside)) * z
        for away in (-upwards, upwards):
            alone = np.where(np.eye(len(k), dtype=bool)[:, :, None], limit(k, n, away), inside)
            # Each proportion at its limit, the others as estimated: shape (changed, proportion, h).
            moved = np.abs(np.array([scaled(p) for p in alone]) - scaled(inside))
            moved = np.nan_to_num(np.minimum(moved, FARTHEST), nan=FARTHEST)
            part = moved / np.maximum(moved.max(axis=0), 1e-300)
            ends.append(of(limit(k, n, away * part / np.sqrt(np.sum(part * part, axis=0) + 1e-300))))
    return np.minimum(*ends), np.maximum(*ends)


@method_class
class MetricLimits(Method):
    """Base class of methods that combine limits of proportions."""

    dependence: ClassVar[Dependence] = "own"
    serves = (INTERVAL,)

    limit: ClassVar[Callable[..., FloatArray]]
    """Returns the proportion with k successes among n at z deviates."""

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the interval, at each threshold."""
        statistic, table = x.statistic, x.table
        parts = statistic.proportions(table, effective_counts(statistic, table))
        z = np.full(parts.k.shape[1], distributions.normal_quantile(level))
        lower, upper = limits(parts, z, statistic.formula.log, self.limit)
        return Outcome(
            statistic.shaped(lower),
            statistic.shaped(upper),
            guarantee=self.guarantee if len(parts.k) == 1 else "asymptotic",
            notes=notes_of(statistic, table, x.value),
        )


def notes_of(statistic: Metric, table: Scores, value: Any) -> tuple[str, ...]:
    """Return the notes on a metric: 0/0, and the source of the prevalence."""
    notes = (UNDEFINED,) if np.isnan(value).any() else ()
    if not statistic.formula.prevalence or statistic.sampling == "full":
        return notes
    return notes + (statistic.prevalence(table).notes if statistic.prior is not None else (KNOWN_PREVALENCE,))


@method_class
class MidPMetric(MetricLimits):
    """Combined mid-P limits of all proportions.

    The width is positive even without observed errors. Each limit is the metric at proportions whose squared
    mid-P deviates sum to z², divided between them in proportion to the squared change that each causes. A
    metric that is a single proportion of cells, such as PPV and F1, has the mid-P limits of that proportion.
    """

    name = "mid_p"
    papers = ("lancaster1961", "newcombe1998", "zou2008")

    limit = staticmethod(distributions.mid_p_limit)


@method_class
class WilsonMetric(MetricLimits):
    """Combined Wilson score limits of all proportions.

    As "mid_p", with Wilson's limits of each proportion.
    """

    name = "wilson"
    papers = ("wilson1927", "newcombe1998", "zou2008")

    @staticmethod
    def limit(k: Any, n: Any, z: Any) -> FloatArray:
        """Return Wilson's limit."""
        return distributions.wilson_limit(k / n, n, z)


@method_class
class ClopperPearsonMetric(MetricLimits):
    """Combined Clopper–Pearson limits of all proportions.

    As "mid_p", with exact limits of each proportion. For a metric that is a single proportion coverage is at
    least the level.
    """

    name = "clopper_pearson"
    papers = ("clopper1934", "newcombe1998", "zou2008")
    caution = "Conservative."
    guarantee = "finite-sample"

    @staticmethod
    def limit(k: Any, n: Any, z: Any) -> FloatArray:
        """Return the exact limit."""
        lost, tail = np.where(z < 0.0, n - k, k), special.ndtr(-np.abs(z))
        high = np.where(lost < n, special.betainccinv(lost + 1.0, np.maximum(n - lost, 1e-300), tail), 1.0)
        return np.where(z < 0.0, 1.0 - high, high)


@method_class
class DeltaMetric(Method):
    """Delta method on the log or logit scale.

    Normal interval by influence functions without small-sample correction, on the log scale for ratios
    (Simel, Samsa & Matchar 1991), otherwise on the logit scale (Mercaldo, Lau & Zhou 2007). For comparison
    with other software.
    """

    name = "delta"
    serves = (INTERVAL,)
    papers = ("simel1991", "mercaldo2007")
    caution = "Returns the whole range without observed errors; under-covers with few cases."

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the interval."""
        statistic, table, value = x.statistic, x.table, x.value
        low, high = statistic.bounds
        spread = prevalence_slope(statistic, table) ** 2 * statistic.prevalence(table).variance
        error = math.sqrt(plain_variance(x) + spread)
        notes = notes_of(statistic, table, value)
        if not (error > 0.0 and low < value < high):
            return Outcome(low, high, notes=notes)
        half_width = distributions.normal_quantile(level) * error * np.array([-1.0, 1.0])
        if statistic.formula.log:
            ends = value * np.exp(half_width / value)
        else:
            share, width = (value - low) / (high - low), high - low
            ends = low + width * special.expit(
                special.logit(share) + half_width / (width * share * (1.0 - share))
            )
        return Outcome(float(ends[0]), float(ends[1]), standard_error=error, notes=notes)


def plain_variance(x: Contrast) -> float:
    """Variance of a contrast by influence functions with divisor n in each class, as in delta methods."""
    tables = (x.data,) if isinstance(x.data, PairedScores) else x.tables
    sizes = [n for t in tables for n in (t.n_pos, t.n_neg)]
    return float(sum(m.variance * (n - 1.0) / n for m, n in zip(contrast_moments(x), sizes, strict=True)))


def prevalence_slope(statistic: Metric, table: Scores) -> float:
    """Derivative of a metric with respect to a prevalence from other cases; 0 without one."""
    if not statistic.uncertain:
        return 0.0
    cells, share = statistic.cells(table, statistic.counts(table)), statistic.prevalence(table).value
    slope = gradient(lambda c: statistic.formula.of(*c), cells)
    return float(np.sum(slope * cells / np.array([[share], [share - 1.0]] * 2)))


@method_class
class NewcombeMetric(Method):
    """Square-and-add of two mid-P intervals.

    Limits of each model are those of "mid_p"; their arms are squared and added, with the correlation of the
    two models by influence functions (Newcombe 1998; Zou & Donner 2008).
    """

    name = "newcombe"
    caution = "Wide for identical predictions, whose correlation is undefined."
    dependence: ClassVar[Dependence] = "own"
    serves = (DIFFERENCE,)
    papers = ("newcombe1998", "zou2008", "lancaster1961")

    def __call__(self, x: Contrast, level: float) -> Outcome:  # noqa: ARG002
        """Return interval and test of the difference."""
        values = np.array(x.values)[:, None]
        both = [*zip(x.statistics, x.tables, strict=True)]
        notes = tuple(dict.fromkeys(note for s, t in both for note in notes_of(s, t, s.value(t))))
        if not np.isfinite(values).all():
            return Outcome(math.nan, math.nan, notes=notes)
        parts = [s.proportions(t, effective_counts(s, t)) for s, t in both]

        def ends_at(z: FloatArray, at: IntArray) -> Ends:  # noqa: ARG001
            found = [
                limits(part, z, s.formula.log, MidPMetric.limit)
                for part, s in zip(parts, x.statistics, strict=True)
            ]
            low, high = np.stack(found, axis=1)
            return np.minimum(low, values), np.maximum(high, values)

        slopes = np.array([prevalence_slope(s, t) for s, t in both])
        # Both models share a prevalence estimated from other cases.
        drift = x.statistic.prevalence(x.table).variance
        variances = np.array([contrast_variance(one(t, s)) for s, t in both]) + slopes**2 * drift
        of_difference = contrast_variance(x) + (slopes[0] - slopes[1]) ** 2 * drift
        rho = np.nan_to_num(np.atleast_1d(correlation_of(variances[0], variances[1], of_difference)))
        errors = np.sqrt(variances)[:, None]
        found = square_and_add(values, errors, 1.0, x.hypothesis, ends_at, rho)
        return found._replace(notes=notes)


def contrast_variance(x: Contrast) -> float:
    """Variance of a contrast by influence functions."""
    return sum(m.variance for m in contrast_moments(x))


@method_class
class GeneralizedScore(Method):
    """Weighted generalized score.

    Normal interval and test of two predictive values with the variance under equality: the test of
    Leisenring, Alonzo & Pepe (2000) in the form of Kosinski (2013). The interval uses the same standard
    error, so both agree.
    """

    name = "generalized_score"
    serves = (DIFFERENCE,)
    papers = ("leisenring2000", "kosinski2013")
    caution = "Only for PPV and NPV under full sampling. The interval under-covers far from 0."

    def __call__(self, x: Contrast, level: float) -> Outcome:  # noqa: ARG002
        """Return interval and test of the difference."""
        for s in x.statistics:
            if s.metric not in ("ppv", "npv") or s.metric != x.statistic.metric or s.sampling != "full":
                rule = "be used for 'ppv' or 'npv' with sampling='full'"
                raise ArgumentError("method", rule, str(self), "Use method='newcombe'.")
        win, loss = (TP, FP) if x.statistic.metric == "ppv" else (TN, FN)
        counts = np.array([s.counts(t)[:, 0] for s, t in zip(x.statistics, x.tables, strict=True)])
        wins, called = counts[:, win], counts[:, win] + counts[:, loss]
        if not called.all():
            return Outcome(math.nan, math.nan, notes=(UNDEFINED,))
        share = wins.sum() / called.sum()
        variance = share * (1.0 - share) * (1.0 / called).sum()
        if isinstance(x.data, PairedScores):
            d = discordant_counts(x.data, *(s.places for s in x.statistics))
            only_a = {TP: d.pos_10, FP: d.neg_10, FN: d.pos_01, TN: d.neg_01}
            both = [counts[0, cell] - only_a[cell][0] for cell in (win, loss)]
            variance -= 2.0 * ((1.0 - share) ** 2 * both[0] + share**2 * both[1]) / called.prod()
        found = by_standard_error(x.value, math.sqrt(max(0.0, variance)), math.inf, x.hypothesis)
        return Outcome(-1.0, 1.0, statistic=0.0, pvalue=1.0) if found is None else found


@method_class
class MoskowitzPepe(Method):
    """Normal interval for the log ratio.

    As "wald", with the variance of Moskowitz & Pepe (2006): n in place of n − 1, and the normal distribution.
    """

    name = "moskowitz_pepe"
    serves = (("log", "difference"),)
    papers = ("moskowitz2006",)
    caution = "Under-covers with few cases."

    def __call__(self, x: Contrast, level: float) -> Outcome:  # noqa: ARG002
        """Return interval and test of the logarithm."""
        needs_influence(self, *x.statistics)
        found = by_standard_error(x.value, math.sqrt(plain_variance(x)), math.inf, x.hypothesis)
        return Outcome(-math.inf, math.inf, statistic=0.0, pvalue=1.0) if found is None else found
