"""Threshold for a target rate or precision: its interval, a guaranteed threshold, and the rates there.

A target rate is the proportion of cases above the threshold among the negatives, the positives or all cases;
for a precision, it is the proportion of negatives among the cases above. The interval contains the thresholds
at which the binomial test does not reject the target (Woodruff 1952). For a class of n cases its ends are
order statistics. With T the quantile of the population,

    #{S ≥ T} is stochastically at least, and #{S > T} at most, Bin(n, f),

with equality without ties, so the coverage does not depend on the distribution (David & Nagaraja 2003,
section 7.1). The rate of the r-th highest score in the population has a Beta(r, n − r + 1) distribution. The
limits of the Clopper–Pearson interval for r among n are quantiles of this distribution and of the next.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from confroc._check import ArgumentError, check_level, check_number, check_rate, whole
from confroc._types import FloatArray, IntArray
from confroc.base import Guarantee, Method, method_class
from confroc.inference import infer, intervals_of, one
from confroc.points.confusion_methods import ClopperPearsonMetric, effective_counts
from confroc.results import Intervals, Plottable, Regions, Result, notes_of, sealed
from confroc.scores import Scores, accepts_one_model, check_scores
from confroc.scores.counting import rows_above
from confroc.statistics.metrics import Metric
from confroc.statistics.precision import odds_of, precision_of
from confroc.statistics.prevalence import check_share, share_of
from confroc.statistics.rates import FprAtTpr, RatesAtPositiveRate, TprAtFpr

STEP = 4096
"""Number of rows of the table to test at a time."""
UNSEEN = "A rate of {rate:g} cannot be estimated from {n:,.0f} {cases}; at least {needed:,} are required."
NO_GUARANTEE = "No threshold guarantees the rate; at least {needed:,} {cases} are required."
ONE_SIDED = (
    "guaranteed: threshold that meets the target in the population with {level} confidence; "
    "guaranteed_fpr, guaranteed_tpr: its rates in the sample"
)
NONE_ABOVE = "At the guaranteed threshold no case of the sample is predicted positive."


@method_class
class InvertedBinomial(Method):
    """Inverted binomial test.

    Contains the threshold with the target rate in the population: all thresholds at which the binomial test
    does not reject the target rate. For a rate among one class or all cases the limits are order statistics.
    Conservative with ties.
    """

    name = "inverted_binomial"
    guarantee = "finite-sample"
    serves = ()


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class AttainedThresholds(Plottable, Result):
    """Threshold for each target rate, and the rates there.

    Attributes
    ----------
    threshold : Intervals
        Threshold in the sample, with an interval for that in the population.
    guaranteed : ndarray of shape (h,), optional
        Threshold at which the population meets the target at the confidence level, by a one-sided limit; None
        for a precision.
    guaranteed_fpr, guaranteed_tpr : ndarray of shape (h,), optional
        Rates of the sample at `guaranteed`.
    fpr, tpr : Intervals
        Rates of the population at `threshold`, not at `guaranteed`; intervals are two-sided and allow for the
        choice of the threshold on the sample.
    positive_rate, precision : Intervals, optional
        The same for a target predicted-positive rate or precision.

    See Also
    --------
    threshold_at : Returns one.
    """

    _sparse = True
    _title = "Threshold for a target"
    threshold: Intervals
    guaranteed: FloatArray | None = None
    guaranteed_fpr: FloatArray | None = None
    guaranteed_tpr: FloatArray | None = None
    fpr: Intervals
    tpr: Intervals
    positive_rate: Intervals | None = None
    precision: Intervals | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on all results."""
        return notes_of(self.threshold, *self._attained())

    @property
    def rates(self) -> Regions:
        """Both rates at the thresholds."""
        return Regions(
            at_name="threshold",
            at=self.threshold.estimate,
            fpr=self.fpr,
            tpr=self.tpr,
            joint=False,
            confidence_level=self.fpr.confidence_level,
            method=self.fpr.method,
            guarantee="asymptotic",
        )

    def _attained(self) -> list[Intervals]:
        sides = (self.fpr, self.tpr, self.positive_rate, self.precision)
        return [side for side in sides if side is not None]

    def _columns(self) -> Mapping[str, Any]:
        columns: dict[str, Any] = {self.threshold.at_name: self.threshold.at}
        named = [("threshold", self.threshold)]
        named += [(f"attained_{side.quantity}", side) for side in self._attained()]
        for name, side in named:
            columns |= {name: side.estimate, f"{name}_lower": side.lower, f"{name}_upper": side.upper}
            if side is self.threshold and self.guaranteed is not None:
                columns["guaranteed"] = self.guaranteed
                columns |= {"guaranteed_fpr": self.guaranteed_fpr, "guaranteed_tpr": self.guaranteed_tpr}
        return columns

    def _interval_words(self) -> str:
        return self.threshold._interval_words()

    def _claims(self) -> list[str]:
        claims: dict[str, list[str]] = {}
        for side in self._attained():
            tied = side.quantity == self.threshold.at_name and side.guarantee != self.threshold.guarantee
            claim = f"{side.method}; guarantee: {side.guarantee}"
            name = f"attained_{side.quantity}"
            claims.setdefault(claim + " (scores tie at the threshold)" * tied, []).append(name)
        lines = [f"{', '.join(names)}: at threshold; method: {claim}" for claim, names in claims.items()]
        level, *others = self.threshold._claims()
        if self.guaranteed is not None:
            lines.insert(0, ONE_SIDED.format(level=level))
        return [level, *others[:-1], "\n".join([others[-1], *lines])]


@accepts_one_model
def threshold_at(
    scores: Scores,
    *,
    fpr: ArrayLike | None = None,
    tpr: ArrayLike | None = None,
    precision: ArrayLike | None = None,
    positive_rate: ArrayLike | None = None,
    prior: float | None = None,
    confidence_level: float = 0.95,
) -> AttainedThresholds:
    """Threshold for a target rate or precision, and the rates there.

    Parameters
    ----------
    scores : Scores
    fpr, tpr, precision, positive_rate : float or array-like of shape (h,)
        Target, exactly one of them, in (0, 1); a precision may be 1.
    prior : float, optional
        Known prevalence in the target population, for `precision`. Default: that of the sample.
    confidence_level : float
        In (0, 1); of each interval and of each guaranteed threshold, separately.

    Returns
    -------
    threshold : Intervals
        The lowest threshold of the sample with a false positive rate of at most `fpr`, the highest with a
        true positive rate of at least `tpr` or a predicted-positive rate of at least `positive_rate`, or the
        lowest with a precision of at least `precision`. The interval is for the threshold with the target
        rate in the population. Guarantee: finite-sample, also with ties; asymptotic for a precision, and with
        weights or clusters.
    guaranteed : ndarray of shape (h,)
        The lowest threshold whose false positive rate in the population is at most `fpr` at the confidence
        level (or predicted-positive rate at most `positive_rate`), or the highest whose true positive rate is
        at least `tpr`. The limit is one-sided; the rates below have two-sided intervals and are those at
        `threshold`, so their limits may exceed the target. Guarantee: that of `threshold`. If the class has
        too few cases, it is inf or −inf, and a note reports the number required. None for `precision`.
    guaranteed_fpr, guaranteed_tpr : ndarray of shape (h,)
        Rates of the sample at `guaranteed`. None for `precision`.
    fpr, tpr : Intervals
        Rates of the population at the threshold of the sample. The interval of the target rate allows for the
        choice of the threshold (finite-sample; asymptotic if scores tie at the threshold). That of the other
        rate is asymptotic.
    positive_rate, precision : Intervals, optional
        The same for a target predicted-positive rate or precision.

    Raises
    ------
    ValueError
        No or several targets; a target out of range; a precision that no threshold of the sample attains;
        `prior` without `precision`; an invalid level.

    Warns
    -----
    ConfrocWarning
        Rounded scores, whose error is not included in the thresholds.

    See Also
    --------
    tpr_at_fpr, fpr_at_tpr, rates_at_positive_rate, precision_at_recall : Rates at exactly a given rate.
    rates_at_threshold : Both rates at a threshold chosen on other cases.

    Notes
    -----
    The limits of the interval are the nearest scores above and below the threshold at which the binomial test
    rejects the target, with half the error on each side: Woodruff's interval [2]_ with Clopper–Pearson
    limits. With weights, clusters or strata the counts are effective numbers of independent cases at the
    threshold. With `prior` the target is the precision at the sample's prevalence with the same likelihood
    ratio, and the interval is conservative.

    The rate above the r-th highest of n negatives exceeds f with probability P(Bin(n, f) < r). The guaranteed
    threshold is the next higher score than the one with the largest r for which this is at most
    1 − `confidence_level`, since that score may be tied. It exists if (1 − f)ⁿ ≤ 1 − `confidence_level`.

    The rates at the threshold have Clopper–Pearson intervals. For the target rate they are exact although the
    threshold is an order statistic: the rate is between those of the r-th and the (r + 1)-th highest score,
    which have Beta(r, n − r + 1) and Beta(r + 1, n − r) distributions [1]_.

    References
    ----------
    .. [1] David HA, Nagaraja HN (2003). Order statistics, 3rd edition. Wiley. Section 7.1.
    .. [2] Woodruff RS (1952). Confidence intervals for medians and other position measures. Journal of the
       American Statistical Association 47, 635–646.

    Examples
    --------
    >>> from confroc import threshold_at
    >>> y_true = [0] * 100 + [1] * 100
    >>> y_score = [*range(100), *range(50, 150)]
    >>> found = threshold_at(y_true, y_score, fpr=0.1)
    >>> found.threshold.estimate, found.threshold.lower, found.threshold.upper, found.guaranteed
    (array([90.]), array([83.]), array([95.]), array([96.]))
    >>> found.fpr.lower.round(3), found.fpr.upper.round(3), found.tpr.estimate
    (array([0.049]), array([0.176]), array([0.6]))
    >>> threshold_at(y_true, y_score, precision=0.9).threshold.estimate
    array([94.])
    """
    named = {"fpr": fpr, "tpr": tpr, "precision": precision, "positive_rate": positive_rate}
    given = {name: value for name, value in named.items() if value is not None}
    if len(given) != 1:
        remedy = "Give exactly one of the four: `fpr`, `tpr`, `precision`, `positive_rate`."
        raise ArgumentError("fpr", "be the only target", [*given] or None, remedy)
    check_scores("scores", scores, dependent=True)
    (name, value), level = given.popitem(), check_level(confidence_level)
    at = check_rate(name, value)
    inside = (at > 0.0) & ((at < 1.0) | (name == "precision"))
    if not inside.all():
        rule = "lie strictly between 0 and 1" if name != "precision" else "be above 0 and at most 1"
        raise ArgumentError(name, rule, float(at[~inside][0]), "E.g. 0.05.")
    if prior is not None and name != "precision":
        raise ArgumentError("prior", "be omitted without `precision`", prior, "Omit it.")
    wanted = _wanted(scores, name, at, prior)
    metric, count, estimate = wanted.metric, wanted.counted, wanted.metric.places
    rows, scale = rows_above(scores.score, estimate), _information(metric, scores)
    ends = np.append(scores.threshold, -np.inf)

    def rejected(tail: float, step: int) -> IntArray:
        places = zip(rows, wanted.share, scale, strict=True)
        return np.array([_rejected(count, wanted.among, *place, tail, step) for place in places])

    tail, of_rate = (1.0 - level) / 2.0, name != "precision"
    guaranteed, sides, notes = None, dict[str, Any](), tuple[str, ...]()
    if of_rate:
        kept = rejected(1.0 - level, 1 if name == "tpr" else -1)
        guaranteed = sealed(ends[np.maximum(kept, 0)])
        sides = {f"guaranteed_{side}": Metric(side, guaranteed).value(scores) for side in ("fpr", "tpr")}
        notes = _notes(name, wanted, level, kept)
    exact: Guarantee = "finite-sample" if of_rate and scores.design is None else "asymptotic"
    threshold = Intervals(
        quantity="threshold",
        at_name=name,
        at=at,
        estimate=estimate,
        lower=np.minimum(ends[rejected(tail, 1)], estimate),
        upper=np.maximum(ends[rejected(tail, -1) + 1], estimate),
        confidence_level=level,
        method=InvertedBinomial(),
        guarantee=exact,
        notes=notes,
    )
    tied = exact == "asymptotic" or (count[rows] != whole(at, int(count[-1]), up=name != "fpr")).any()
    for side, of in {"fpr": Metric("fpr", estimate), "tpr": Metric("tpr", estimate), name: metric}.items():
        found = infer(one(scores, of), ClopperPearsonMetric(), level)
        found = found._replace(guarantee="asymptotic" if tied or side != name else exact)
        sides[side] = intervals_of(found, side, ("threshold", estimate), level)
    return AttainedThresholds(threshold=threshold, guaranteed=guaranteed, **sides)


class Wanted(NamedTuple):
    """Counts at every threshold for the binomial test of a target rate.

    Attributes
    ----------
    metric : Metric
        Metric with a target value, at the sample's thresholds.
    counted, among : ndarray of shape (d + 1,)
        Numerators and denominators of the tested proportion.
    share : ndarray of shape (h,)
        Its target values.
    cases : str
    """

    metric: Metric
    counted: IntArray
    among: IntArray
    share: FloatArray
    cases: str


def _wanted(table: Scores, name: str, at: FloatArray, prior: float | None) -> Wanted:
    pos, neg = np.append(0, table.pos_above), np.append(0, table.neg_above)
    if name == "precision":
        given = odds = odds_of(share_of([table]))
        if prior is not None:
            odds = odds_of(float(check_share("prior", check_number("prior", prior))[0]))
        estimate = _with_precision(table, at, odds)
        # The proportion of negatives at the sample's prevalence, with the same likelihood ratio.
        share = (1.0 - at) * given / ((1.0 - at) * given + at * odds)
        return Wanted(Metric("ppv", estimate, prior=prior), neg, pos + neg, share, "cases")
    if name == "fpr":
        threshold, count, cases = TprAtFpr(at).nearest(table), neg, "negatives"
    elif name == "tpr":
        threshold, count, cases = FprAtTpr(at).nearest(table), pos, "positives"
    else:
        threshold, count, cases = RatesAtPositiveRate(at).threshold_of(table), pos + neg, "cases"
    return Wanted(Metric(name, threshold), count, np.full_like(count, count[-1]), at, cases)


def _with_precision(table: Scores, at: FloatArray, odds: float) -> FloatArray:
    """Return the lowest threshold for each precision, given the number of negatives per positive in use."""
    found = precision_of(table.pos_above / table.n_pos, table.neg_above / table.n_neg, odds)
    if at.max() > found.max() * (1.0 + 1e-12):
        rule = f"be at most {found.max():.4g}, the maximum precision in the sample"
        raise ArgumentError("precision", rule, float(at.max()), "Use a lower precision.")
    return np.array([table.score[np.flatnonzero(found >= p * (1.0 - 1e-12))[-1]] for p in at])


def _information(metric: Metric, table: Scores) -> FloatArray:
    """Return the effective number of binomial cases at the thresholds, relative to all cases."""
    counts, cells = metric.counts(table), effective_counts(metric, table)
    if metric.prior is None:
        share = [*sum(metric.formula.share or (), ())]
        return np.asarray(cells[share].sum(axis=0) / counts[share].sum(axis=0))
    # The variance of the logit of the precision is 1/TP + 1/FP for a binomial proportion, and that of the
    # difference of the logarithms of both rates for a known prevalence.
    missed = cells[2:] / (cells[:2] + cells[2:]) / np.maximum(cells[:2], 0.5)
    binomial = (1.0 / np.maximum(counts[:2], 0.5)).sum(axis=0)
    return np.asarray(binomial / np.maximum(missed.sum(axis=0), 1e-6 * binomial))


def _notes(name: str, wanted: Wanted, level: float, kept: IntArray) -> tuple[str, ...]:
    """Return notes on rates that cannot be estimated or guaranteed with the sample."""
    notes, rate, cases, n = [], wanted.share, wanted.cases, wanted.counted[-1]
    if rate.min() * n < 1.0 - 1e-9:
        needed = math.ceil(1.0 / rate.min() - 1e-9)
        notes.append(UNSEEN.format(n=n, cases=cases, rate=rate.min(), needed=needed))
    if (kept == 0).any():
        notes.append(NONE_ABOVE)
    if (none := (kept < 0) | (kept >= len(wanted.counted))).any():
        miss = rate if name == "tpr" else 1.0 - rate
        needed = math.ceil((np.log1p(-level) / np.log(miss[none])).max())
        notes.append(NO_GUARANTEE.format(needed=needed, cases=cases))
    return tuple(notes)


def _rejected(
    count: IntArray, among: IntArray, row: int, wanted: float, scale: float, tail: float, step: int
) -> int:
    """Return the nearest row at which the binomial test rejects, for too few cases (step −1) or too many (1).

    −1 or the number of rows if there is none. Counts are scaled to those of independent cases.
    """
    while 0 <= row < len(count):
        rows = np.arange(row, np.clip(row + step * STEP, -1, len(count)), step)
        k, rest = scale * count[rows], scale * (among[rows] - count[rows])
        if step < 0:
            chance = np.where(rest > 0.0, special.betaincc(k + 1.0, np.maximum(rest, 1e-300), wanted), 1.0)
        else:
            chance = np.where(k > 0.0, special.betainc(np.maximum(k, 1e-300), rest + 1.0, wanted), 1.0)
        beyond = np.flatnonzero(chance <= tail)
        if len(beyond):
            return int(rows[beyond[0]])
        row = int(rows[-1]) + step
    return row
