"""A drift monitor: compares new segments with a reference sample and with its forecast.

An index on bins is positive even without drift, and larger for smaller samples, so it is compared with its
distribution without drift. The proportions of a continuous population between the order statistics of a
sample have a Dirichlet distribution; so new cases fall into bins with k₁, …, k_K of the sample's cases by
multinomial counts with Dirichlet(k₁, …, k_K + 1) proportions, where the last bin has no lower edge. Indices
of such counts, with the same floors, have that distribution exactly; with ties approximately. For clustered
or weighted cases, effective sizes are used.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from confroc._check import (
    ArgumentError,
    ArgumentTypeError,
    check_count,
    check_items,
    check_level,
    check_names,
    make_rng,
    warned,
)
from confroc._keywords import checks_keywords
from confroc._types import RNG, BoolArray, FloatArray, IntArray
from confroc.auc import auc_difference, auc_interval
from confroc.distributions import clopper_pearson, holm, hypergeometric_tails, joint_level
from confroc.drift.divergence import MOST_BINS, Divergence, QuantileBins, quantile_bins, shares
from confroc.drift.forecast import Forecast, todays_forecast
from confroc.influence import class_placements
from confroc.moments import effective_sizes, measured
from confroc.resample import N_RESAMPLES, check_resamples, resamples_or
from confroc.results import Inference, Plottable, notes_of
from confroc.scores import Scores, UnpairedScores, check_scores
from confroc.scores.design import SHARED, shares_clusters
from confroc.scores.tables import CountTable

TESTS = ("rate", "psi", "jeffreys", "auc")
"""Columns whose p-values raise alarms: the last one sets `auc_drifted`, the others `population_drifted`."""
N_DIRECTIONS = 9
"""Number of directions for the design effects of binned proportions."""
DRAWN = 2_000_000
"""Block size, in bins of samples without drift."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DriftTable(Plottable, Inference):
    """New segments compared with a reference: one row per segment.

    P-values are unadjusted and test equality with the reference. `auc_drifted` and `population_drifted`
    adjust the four tests of all segments jointly (Holm 1979): without drift a table has an alarm with
    probability at most 1 − `confidence_level`.

    Attributes
    ----------
    forecast : Forecast
        The given forecast, or the interval of the reference's AUC.
    segment : tuple of str
        Names of the segments.
    n_pos, n_neg : ndarray of int, shape (k,), or of float with sampling weights
    auc, lower, upper : ndarray of shape (k,)
        AUC of the segment and its interval.
    auc_pvalue : ndarray of shape (k,)
        Test of `auc_difference` that the segment and the reference have the same AUC.
    auc_drifted : ndarray of bool, shape (k,)
        Whether that p-value, adjusted, is at most 1 − `confidence_level`.
    outside : ndarray of bool, shape (k,), or None
        Whether the interval of the segment's AUC lies outside the forecast; None without a forecast.
    positive_rate, rate_lower, rate_upper : ndarray of shape (k,)
        Proportion of positives, with its Clopper-Pearson interval.
    rate_pvalue : ndarray of shape (k,)
        Two-sided Fisher exact test of equality with the reference (smaller tail doubled).
    psi : ndarray of shape (k,)
        Population stability index Σ(a − b)·ln(a/b) of all cases, both classes pooled, on quantile bins of the
        reference.
    jeffreys_pos, jeffreys_neg, jeffreys : ndarray of shape (k,)
        The same sum for each class on its own quantile bins (Morin 2018, eq. 17), and summed over classes.
    psi_without_drift, jeffreys_without_drift : ndarray of shape (k,)
        Mean index of samples of these sizes from the reference's population.
    psi_pvalue, jeffreys_pvalue : ndarray of shape (k,)
        Proportion of such samples, including the segment, with an index at least as large.
    population_drifted : ndarray of bool, shape (k,)
        Whether the adjusted p-value of the proportion of positives, `psi` or `jeffreys` is at most 1 −
        `confidence_level`.
    least_pvalue : float
        The smallest p-value possible with these samples without drift.
    confidence_level, method, guarantee, notes, kind
        For the segments' intervals; as in `Inference`.
    """

    forecast: Forecast
    segment: tuple[str, ...]
    n_pos: IntArray
    n_neg: IntArray
    auc: FloatArray
    lower: FloatArray
    upper: FloatArray
    auc_pvalue: FloatArray
    auc_drifted: BoolArray
    outside: BoolArray | None
    positive_rate: FloatArray
    rate_lower: FloatArray
    rate_upper: FloatArray
    rate_pvalue: FloatArray
    psi: FloatArray
    psi_without_drift: FloatArray
    psi_pvalue: FloatArray
    jeffreys_pos: FloatArray
    jeffreys_neg: FloatArray
    jeffreys: FloatArray
    jeffreys_without_drift: FloatArray
    jeffreys_pvalue: FloatArray
    population_drifted: BoolArray
    least_pvalue: float

    _spare = (
        *("jeffreys_pos", "jeffreys_neg", "jeffreys_without_drift", "jeffreys", "psi_without_drift"),
        *("n_pos", "n_neg", "auc_pvalue", "jeffreys_pvalue", "psi_pvalue", "rate_pvalue"),
        *("rate_lower", "rate_upper", "lower", "upper"),
    )

    def __len__(self) -> int:
        return len(self.segment)

    def _columns(self) -> Mapping[str, Any]:
        return {"segment": list(self.segment), **super()._columns()}

    def _claims(self) -> list[str]:
        words, held = super()._claims(), self.forecast
        if self.outside is not None:
            words.append(f"outside: interval outside the forecast {held.lower:.4f} to {held.upper:.4f}")
        words.append("p-values: comparison with the reference, not adjusted")
        words.append("auc_drifted, population_drifted (prevalence, psi or jeffreys): adjusted (Holm)")
        return [*words, "without_drift: expected from sampling alone"]


@checks_keywords
def drift_monitor(
    reference: Scores,
    segments: Mapping[str, Scores] | Sequence[Scores],
    *,
    forecast: Forecast | None = None,
    n_bins: int = 10,
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: RNG = None,
) -> DriftTable:
    """Compare the AUC, prevalence and scores of new segments with a reference sample, and with a forecast.

    Parameters
    ----------
    reference : Scores
    segments : mapping of names to Scores, or sequence of Scores
    forecast : Forecast, optional
        From `auc_forecast`, estimated from samples other than `segments`, and preferably without `size`,
        since `outside` accounts for each segment's sampling error. Default: segments are compared with the
        reference only.
    n_bins : int
        Number of quantile bins of the reference, of all cases for `psi` and of each class for `jeffreys`;
        proportions are floored at 1e-4. Without drift `psi` is about (n_bins − 1)·(1/n + 1/m) for n cases of
        the reference and m of the segment, and `jeffreys` the sum of this over the classes; more with empty
        bins.
    confidence_level : float
        Level of each segment's intervals, and joint level of all alarms of the table.
    n_resamples : int, optional
        Number of samples without drift for each index. Default: 2,000, and for indices with a p-value of at
        most 1 − `confidence_level` as many as the adjusted p-values of all segments require.
    rng : Generator, int or None
        Source of randomness of these samples.

    Returns
    -------
    DriftTable
        P-values of indices are exact for scores without ties, up to Monte Carlo error. In large samples
        `psi`, or a class's part of `jeffreys`, is (1/n + 1/m)·χ² with `n_bins` − 1 degrees of freedom, as in
        Morin's Fig. 6. If the numbers of positives and negatives are fixed by design, only `jeffreys_pvalue`
        and `auc_pvalue` show drift. Weighted or clustered cases use effective sizes, and p-values are
        approximate.

    Raises
    ------
    ValueError
        No segments, or too few resamples for significance after adjustment.

    See Also
    --------
    auc_forecast : Returns a forecast.
    confroc.ingest.read_segments : Reads segments by column or file.

    References
    ----------
    Morin (2018), section 3.5, and eq. 17 for `jeffreys`. Holm S (1979). Scandinavian Journal of Statistics 6,
    65–70. Rao JNK, Scott AJ (1981). Journal of the American Statistical Association 76, 221–230.

    Examples
    --------
    >>> from confroc import Scores, drift_monitor
    >>> reference = Scores.from_counts(range(5), pos=[5, 10, 20, 30, 35], neg=[60, 50, 40, 30, 20])
    >>> worse = Scores.from_counts(range(5), pos=[18, 19, 20, 21, 22], neg=[42, 41, 40, 39, 38])
    >>> table = drift_monitor(reference, {"same": reference, "worse": worse}, rng=1)
    >>> table.psi.round(3), table.jeffreys.round(3), table.auc.round(3)
    (array([0.   , 0.003]), array([0.   , 0.427]), array([0.76, 0.53]))
    >>> table.population_drifted, table.auc_drifted
    (array([False,  True]), array([False,  True]))
    """
    check_scores("reference", reference, dependent=True)
    remedy = "Pass new samples, e.g. [next_month], or a dict of them by name."
    if isinstance(segments, Mapping):
        check_names("segments", list(segments), len(segments))
        named = dict(segments)
    else:
        named = {str(i): s for i, s in enumerate(check_items("segments", segments, remedy))}
    if not named:
        raise ArgumentError("segments", "contain at least one segment", segments, remedy)
    for name, s in named.items():
        check_scores(f"segments[{name}]", s, dependent=True)
    listed = list(named.values())
    warned(SHARED, where=shares_clusters([reference, *listed]))
    held: Any = todays_forecast(reference, confidence_level) if forecast is None else forecast
    if not isinstance(held, Forecast) or held.quantity != "auc":
        made = getattr(held, "quantity", type(held).__name__)
        raise ArgumentTypeError("forecast", "be a Forecast of one AUC", made, "Use auc_forecast(reference).")
    check_level(confidence_level)
    check_count("n_bins", n_bins, minimum=2, maximum=MOST_BINS)
    most = check_resamples(n_resamples, joint_level(confidence_level, len(TESTS) * len(listed)))
    known = informative_sizes(reference)
    bins = [quantile_bins(reference.score, count, n_bins) for count in _counts(reference)]
    chance = WithoutDrift(
        [b._replace(size=size) for b, size in zip(bins, known.bins, strict=True)],
        first=resamples_or(N_RESAMPLES, n_resamples),
        most=most,
        alpha=1.0 - confidence_level,
        rng=make_rng(rng),
    )
    intervals = [auc_interval(s, confidence_level=confidence_level) for s in listed]
    rows = [
        {
            "n_pos": s.n_pos,
            "n_neg": s.n_neg,
            "auc": interval.estimate,
            "lower": interval.lower,
            "upper": interval.upper,
            "auc_pvalue": auc_difference(UnpairedScores(s, reference)).pvalue,
            **_positive_rate(s, reference, (own.rate, known.rate), confidence_level),
            **chance.compared(s, own.bins),
        }
        for s, own, interval in zip(listed, map(informative_sizes, listed), intervals, strict=True)
    ]
    columns: dict[str, Any] = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    adjusted = holm(np.concatenate([columns[f"{name}_pvalue"] for name in TESTS]))
    alarm = adjusted.reshape(len(TESTS), -1) <= 1.0 - confidence_level + 1e-12
    return DriftTable(
        forecast=held,
        segment=tuple(named),
        **columns,
        auc_drifted=alarm[-1],
        outside=None
        if forecast is None
        else (columns["lower"] > held.upper) | (columns["upper"] < held.lower),
        population_drifted=np.asarray(alarm[:-1].any(axis=0)),
        least_pvalue=1.0 / (1.0 + most),
        confidence_level=confidence_level,
        method=" or ".join(dict.fromkeys(str(i.method) for i in intervals)),
        guarantee="asymptotic",
        notes=notes_of(*intervals),
    )


def _counts(scores: Scores) -> tuple[IntArray, IntArray, IntArray]:
    """Counts of positives, of negatives, and of all cases."""
    return scores.pos, scores.neg, scores.pos + scores.neg


class EffectiveSizes(NamedTuple):
    """Numbers of independent cases equally informative as a sample.

    `bins` are for the binned proportions of positives, of negatives and of all cases; `rate` is for the
    proportion of positives.
    """

    bins: tuple[float, float, float]
    rate: float


def informative_sizes(scores: Scores) -> EffectiveSizes:
    """Return numbers of cases, or effective ones for weighted, clustered or stratified cases.

    Binned proportions vary in as many directions as bins minus one, with different design effects d, largest
    for the mean rank. An index is a sum of their squares, with mean Σd and variance 2Σd², so Σd²/Σd is used
    for all of them (Rao & Scott 1981). The directions are the polynomials of the rank.
    """
    n_pos, n_neg = scores.n_pos, scores.n_neg
    n, design = n_pos + n_neg, scores.design
    if design is None:
        return EffectiveSizes((n_pos, n_neg, n), n)
    # All cases as one class, with a row for each score and class; the other class is a copy.
    cells, rows = replace(design, row=2 * design.row + design.positive), 2 * len(scores.score)
    every = np.ones(len(cells.row), bool)
    both = replace(cells, positive=every).joined(replace(cells, positive=~every))
    table = Scores._of(CountTable(-np.arange(float(rows)), *both.counts(rows)), design=both)
    positive = np.tile([0.0, 1.0], len(scores.score)) - n_pos / n
    ranks = [polynomials(count) for count in _counts(scores)]
    of_classes = [effective_sizes(measured(pair, scores), True) for pair in zip(*ranks[:2], strict=True)]
    whole = [measured((u, u), table) for u in (*np.repeat(ranks[2], 2, axis=1), positive)]
    *of_all, rate = (effective_sizes(found, True)[0] for found in whole)
    of_bins = []
    for size, found in zip((n_pos, n_neg, n), (*np.transpose(of_classes), np.array(of_all)), strict=True):
        effect = size / found
        # Stratification need not make all bins more precise.
        of_bins.append(min(size, size * float(effect.sum() / (effect**2).sum())))
    return EffectiveSizes((of_bins[0], of_bins[1], of_bins[2]), rate)


def polynomials(count: IntArray) -> FloatArray:
    """Legendre polynomials of the rank of a case on each row, centered over the counted cases."""
    rank = 2.0 * class_placements(count, True) - 1.0
    values = np.stack([special.eval_legendre(degree, rank) for degree in range(1, N_DIRECTIONS + 1)])
    return np.asarray(values - (values @ count / count.sum())[:, None])


def _positive_rate(
    segment: Scores, reference: Scores, sizes: tuple[float, float], level: float
) -> dict[str, float]:
    """A segment's proportion of positives, its interval, and the test of equality with the reference.

    Effective sizes are not integers: the test rounds the proportions towards each other.
    """
    rates = [s.n_pos / (s.n_pos + s.n_neg) for s in (segment, reference)]
    size = sizes[0]
    lower, upper = clopper_pearson(
        np.array([segment.n_pos * (size / (segment.n_pos + segment.n_neg))]), size, level
    )
    n, m = (max(1, round(size)) for size in sizes)
    down, up = (math.floor, math.ceil) if rates[0] > rates[1] else (math.ceil, math.floor)
    # Integers are unchanged.
    k, j = down(round(rates[0] * n, 6)), up(round(rates[1] * m, 6))
    pvalue = min(1.0, 2.0 * min(hypergeometric_tails(k, n, k + j, n + m)))
    return {
        "positive_rate": rates[0],
        "rate_lower": float(lower[0]),
        "rate_upper": float(upper[0]),
        "rate_pvalue": pvalue,
    }


@dataclass(frozen=True)
class WithoutDrift:
    """Indices of samples from the reference's population, to compare segments with.

    `bins` are those of the reference, of positives, negatives and all cases. `first` samples are drawn for
    every segment; if a p-value is then at most `alpha`, `most` in total.
    """

    bins: Sequence[QuantileBins]
    first: int
    most: int
    alpha: float
    rng: np.random.Generator

    def compared(self, segment: Scores, sizes: Sequence[float]) -> dict[str, float]:
        """Indices of a segment, their means without drift, and their p-values."""
        cells = zip(_counts(segment), self.bins, strict=True)
        new = [shares(segment.score, count, b.edges) for count, b in cells]
        parts = self.indices(new)
        own = np.array([parts[0] + parts[1], parts[2]])
        total, larger, drawn = np.zeros(2), np.zeros(2), 0
        # A p-value above `alpha` after the first samples is not significant at any smaller level.
        while drawn < self.first or (drawn < self.most and min(1.0 + larger) <= self.alpha * (1.0 + drawn)):
            wanted = (self.first if drawn < self.first else self.most) - drawn
            n = min(wanted, max(1, DRAWN // len(self.bins[2].share)))
            of_pos, of_neg, pooled = self.indices(self.draw(sizes, n))
            values = np.array([of_pos + of_neg, pooled])
            total += values.sum(axis=1)
            larger += (values >= own[:, None] - 1e-12).sum(axis=1)
            drawn += n
        mean, pvalue = total / drawn, (1.0 + larger) / (1.0 + drawn)
        return {
            "psi": float(own[1]),
            "psi_without_drift": mean[1],
            "psi_pvalue": pvalue[1],
            "jeffreys_pos": float(parts[0]),
            "jeffreys_neg": float(parts[1]),
            "jeffreys": own[0],
            "jeffreys_without_drift": mean[0],
            "jeffreys_pvalue": pvalue[0],
        }

    def indices(self, new: Sequence[FloatArray]) -> list[FloatArray]:
        """Jeffreys divergence from the reference for positives, for negatives and for all cases."""
        index = Divergence("jeffreys")
        return [index.between(share, b.share) for share, b in zip(new, self.bins, strict=True)]

    def draw(self, sizes: Sequence[float], n: int) -> list[FloatArray]:
        """Proportions in n samples of the given numbers of positives, negatives and cases."""
        drawn = []
        for b, size in zip(self.bins, sizes, strict=True):
            held = b.share * b.size
            held[-1] += 1.0
            m = max(1, round(size))
            drawn.append(self.rng.multinomial(m, self.rng.dirichlet(held, n)) / m)
        return drawn
