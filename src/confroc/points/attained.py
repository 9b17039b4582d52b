"""The threshold for a wanted rate or precision: its interval, one that guarantees it, and the rates there.

A wanted rate is a share of cases above the threshold: of the negatives, of the positives or of all cases, and
for a precision the share of negatives among the cases above. The interval holds the thresholds at which the
binomial test does not reject the wanted share (Woodruff 1952). Of a class of n cases these are two order
statistics: with T the quantile,

    #{S ≥ T} is at least, and #{S > T} at most, a Bin(n, f) number of cases,

both equal to it where scores do not tie, so that the coverage does not depend on the distribution (David &
Nagaraja 2003, section 7.1). The rate that the r-th highest score attains in the population has a Beta(r, n −
r + 1) distribution; the ends of the Clopper–Pearson interval of r among n are quantiles of it and of the
next.
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
from confroc.results import Intervals, Regions, Result, notes_of, sealed
from confroc.scores import Scores, accepts_one_model, check_scores
from confroc.scores.counting import rows_above
from confroc.statistics.metrics import Metric
from confroc.statistics.precision import odds_of, precision_of
from confroc.statistics.prevalence import check_share, share_of
from confroc.statistics.rates import FprAtTpr, RateAtRate, RatesAtPositiveRate, TprAtFpr

STEP = 4096
"""Rows of the table that are tested at a time."""
UNSEEN = "{n:,.0f} {cases} do not show a rate of {rate:g}: at least {needed:,} are needed."
NO_GUARANTEE = "No threshold of the sample guarantees the rate: at least {needed:,} {cases} are needed."
NONE_ABOVE = "No score of the sample is above the one that a guaranteed threshold must exceed."


@method_class
class InvertedBinomial(Method):
    """Inverted binomial test.

    The thresholds around the sample's at which the binomial test does not reject the wanted rate: for a rate
    of one class, or of all cases, two order statistics. Conservative where scores tie.
    """

    name = "inverted_binomial"
    serves = ()

    @property
    def guarantee(self) -> Guarantee:
        """What the level rests on."""
        return "finite-sample"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class AttainedThresholds(Result):
    """The threshold at each wanted rate, and the rates there.

    Attributes
    ----------
    threshold : Intervals
        The sample's threshold and the interval of the population's.
    guaranteed : ndarray of shape (h,), optional
        The threshold that keeps the rate with the stated confidence; none for a precision.
    fpr, tpr : Intervals
        What the sample's threshold attains in the population, its choice on the sample included.
    positive_rate, precision : Intervals, optional
        The same of the wanted predicted-positive rate, or precision.

    See Also
    --------
    threshold_at : Makes one.
    """

    _sparse = True
    threshold: Intervals
    guaranteed: FloatArray | None = None
    fpr: Intervals
    tpr: Intervals
    positive_rate: Intervals | None = None
    precision: Intervals | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences the reader should see with the numbers."""
        return notes_of(self.threshold, *self._attained())

    @property
    def rates(self) -> Regions:
        """Both rates at the sample's thresholds."""
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
        return columns

    def _claims(self) -> list[str]:
        claims: dict[str, list[str]] = {}
        for side in self._attained():
            claims.setdefault(f"{side.method}; guarantee: {side.guarantee}", []).append(side.quantity)
        lines = [f"attained {', '.join(names)}: {claim}" for claim, names in claims.items()]
        level, *others = self.threshold._claims()
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
    """Where to put the threshold for a wanted rate or precision, and the rates to expect there.

    Parameters
    ----------
    scores : Scores or (y_true, y_score)
    fpr, tpr, precision, positive_rate : float or array-like of shape (h,)
        Exactly one of them, strictly between 0 and 1; a precision may be 1.
    prior : float, optional
        With `precision`: prevalence in use, if it is known and not that of the sample.
    confidence_level : float
        In (0, 1); of each interval, and of each guaranteed threshold, by itself.

    Returns
    -------
    threshold : Intervals
        The sample's threshold, as the functions at a rate carry it: the lowest whose false positive rate is
        at most `fpr`, the highest whose true positive rate is at least `tpr` or whose predicted-positive rate
        is at least `positive_rate`, and the lowest whose precision is at least `precision`, which is the one
        of the highest recall. With an interval of the threshold that has the rate in the population.
        Guarantee: finite-sample, ties included; asymptotic for a precision, and with weights or clusters.
    guaranteed : ndarray of shape (h,)
        The lowest threshold whose false positive rate is at most `fpr` in the population with this
        confidence (or predicted-positive rate at most `positive_rate`), or the highest whose true positive
        rate is at least `tpr`. Guarantee as of `threshold`, for each by itself. Where the class has too few
        cases for any, it is inf, or −inf, and a note names the number needed. None with `precision`.
    fpr, tpr : Intervals
        The rates of the population at the sample's threshold. The interval of the wanted rate includes that
        the threshold was chosen on the sample; guarantee: finite-sample, asymptotic where scores tie at the
        threshold. The other rates are asymptotic.
    positive_rate, precision : Intervals, optional
        The same of the wanted one.

    Raises
    ------
    ValueError
        None or several of the wanted values; one out of its range; a precision that no threshold of the
        sample attains; `prior` without `precision`; an impossible level.

    Warns
    -----
    ConfrocWarning
        For rounded scores, whose error the thresholds do not include.

    See Also
    --------
    tpr_at_fpr, fpr_at_tpr, rates_at_positive_rate, precision_at_recall : The rates at exactly a wanted rate.
    rates_at_threshold : Both rates at a threshold chosen on other cases.

    Notes
    -----
    The interval ends at the nearest scores above and below the sample's threshold at which the binomial test
    rejects the wanted rate, each side at half the error. This is Woodruff's interval [2]_ with Clopper and
    Pearson's limits. With weights, clusters or strata the counts are those of as many independent cases as
    are as informative at the sample's threshold. With `prior` the wanted precision is that of the sample with
    the same likelihood ratio; the interval is then conservative.

    More than f are above the r-th highest of n negatives with probability P(Bin(n, f) < r). The guaranteed
    threshold is the next score of the sample above the one with the largest r for which that is at most
    1 − `confidence_level`: that negative itself may tie with others. It exists when (1 − f)ⁿ is as small.

    The rates at the threshold have Clopper–Pearson intervals. For the wanted rate they remain exact although
    the threshold is an order statistic: the rate lies between those of the r-th and the (r + 1)-th highest
    score, which have Beta(r, n − r + 1) and Beta(r + 1, n − r) distributions [1]_.

    References
    ----------
    .. [1] David HA, Nagaraja HN (2003). Order statistics, 3rd edition. Wiley. Section 7.1.
    .. [2] Woodruff RS (1952). Confidence intervals for medians and other position measures. Journal of the
       American Statistical Association 47, 635–646.

    Examples
    --------
    >>> from confroc import Scores, threshold_at
    >>> scores = Scores([0] * 100 + [1] * 100, [*range(100), *range(50, 150)])
    >>> found = threshold_at(scores, fpr=0.1)
    >>> found.threshold.estimate, found.threshold.lower, found.threshold.upper, found.guaranteed
    (array([90.]), array([83.]), array([95.]), array([96.]))
    >>> found.fpr.lower.round(3), found.fpr.upper.round(3), found.tpr.estimate
    (array([0.049]), array([0.176]), array([0.6]))
    >>> threshold_at(scores, precision=0.9).threshold.estimate
    array([94.])
    """
    named = {"fpr": fpr, "tpr": tpr, "precision": precision, "positive_rate": positive_rate}
    given = {name: value for name, value in named.items() if value is not None}
    if len(given) != 1:
        rule = "be given, or `tpr`, `precision` or `positive_rate`, and only one of them"
        raise ArgumentError("fpr", rule, [*given], "Give one of the four.")
    check_scores("scores", scores, dependent=True)
    (name, value), level = given.popitem(), check_level(confidence_level)
    at = check_rate(name, value)
    inside = (at > 0.0) & ((at < 1.0) | (name == "precision"))
    if not inside.all():
        rule = "lie strictly between 0 and 1" if name != "precision" else "be above 0 and at most 1"
        raise ArgumentError(name, rule, float(at[~inside][0]), "E.g. 0.05.")
    if prior is not None and name != "precision":
        raise ArgumentError("prior", "be left out without `precision`", prior, "Rates do not depend on it.")
    wanted = _wanted(scores, name, at, prior)
    metric, count, estimate = wanted.metric, wanted.counted, wanted.metric.places
    rows, scale = rows_above(scores.score, estimate), _information(metric, scores)
    ends = np.append(scores.threshold, -np.inf)

    def rejected(tail: float, step: int) -> IntArray:
        places = zip(rows, wanted.share, scale, strict=True)
        return np.array([_rejected(count, wanted.among, *place, tail, step) for place in places])

    tail, of_rate = (1.0 - level) / 2.0, name != "precision"
    guaranteed, notes = None, tuple[str, ...]()
    if of_rate:
        kept = rejected(1.0 - level, 1 if name == "tpr" else -1)
        guaranteed = sealed(ends[np.maximum(kept, 0)])
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
    sides = {}
    for side, of in {"fpr": Metric("fpr", estimate), "tpr": Metric("tpr", estimate), name: metric}.items():
        found = infer(one(scores, of), ClopperPearsonMetric(), level)
        found = found._replace(guarantee="asymptotic" if tied or side != name else exact)
        sides[side] = intervals_of(found, side, ("threshold", estimate), level)
    return AttainedThresholds(threshold=threshold, guaranteed=guaranteed, **sides)


class Wanted(NamedTuple):
    """What the binomial test of a wanted rate compares at every threshold.

    Attributes
    ----------
    metric : Metric
        Whose value is wanted, at the sample's thresholds.
    counted, among : ndarray of shape (d + 1,)
        Cases that count, and cases among whom they do.
    share : ndarray of shape (h,)
        Their wanted share.
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
        # The share of negatives above the threshold in the sample, at the same likelihood ratio.
        share = (1.0 - at) * given / ((1.0 - at) * given + at * odds)
        return Wanted(Metric("ppv", estimate, prior=prior), neg, pos + neg, share, "cases")
    statistic: RateAtRate | RatesAtPositiveRate
    if name == "fpr":
        statistic, count, cases = TprAtFpr(at), neg, "negatives"
    elif name == "tpr":
        statistic, count, cases = FprAtTpr(at), pos, "positives"
    else:
        statistic, count, cases = RatesAtPositiveRate(at), pos + neg, "cases"
    metric = Metric(name, statistic.threshold_of(table))
    return Wanted(metric, count, np.full_like(count, count[-1]), at, cases)


def _with_precision(table: Scores, at: FloatArray, odds: float) -> FloatArray:
    """Return the lowest threshold of each precision, with so many negatives in use for each positive."""
    found = precision_of(table.pos_above / table.n_pos, table.neg_above / table.n_neg, odds)
    if at.max() > found.max() * (1.0 + 1e-12):
        rule = f"be at most {found.max():.4g}, the largest precision of the sample's thresholds"
        raise ArgumentError("precision", rule, float(at.max()), "Use a lower precision.")
    return np.array([table.score[np.flatnonzero(found >= p * (1.0 - 1e-12))[-1]] for p in at])


def _information(metric: Metric, table: Scores) -> FloatArray:
    """Return the number of binomial cases as informative at the thresholds, as a share of all cases."""
    counts, cells = metric.counts(table), effective_counts(metric, table)
    if metric.prior is None:
        share = [*sum(metric.formula.share or (), ())]
        return np.asarray(cells[share].sum(axis=0) / counts[share].sum(axis=0))
    # The logit of the precision has the variance 1/TP + 1/FP if it is a binomial share, and that of the two
    # rates' logarithms at a known prevalence.
    missed = cells[2:] / (cells[:2] + cells[2:]) / np.maximum(cells[:2], 0.5)
    binomial = (1.0 / np.maximum(counts[:2], 0.5)).sum(axis=0)
    return np.asarray(binomial / np.maximum(missed.sum(axis=0), 1e-6 * binomial))


def _notes(name: str, wanted: Wanted, level: float, kept: IntArray) -> tuple[str, ...]:
    """Return what to note of rates that the sample does not show or guarantee."""
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
    """Return the nearest row at which the binomial test finds too few cases (step −1), or too many (step 1).

    −1 or the number of rows where there is none. Counts are scaled to those of independent cases.
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
