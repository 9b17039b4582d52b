"""Simultaneous bands for cost curves from the bootstrap distribution of the largest studentized error.

The band is C̃(w) ± c·s̃(w), with cost and standard error after adding pseudo-cases, and one c for all w: the
quantile of the largest studentized error in resamples.

If thresholds are chosen on the same cases, each resample also chooses its own thresholds. Their error is the
difference between their costs in the resample and in the data, so that the band allows for the choice.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from confroc._check import make_rng
from confroc._types import FloatArray, IntArray
from confroc.base import Contrast, Kind, Method, Resampling, method_class
from confroc.distributions import normal_quantile
from confroc.resample import N_BAND_RESAMPLES, Draw, check_resamples, critical_value, resample
from confroc.scores import PairedScores, Scores
from confroc.scores.counting import (
    Cells,
    PairCounter,
    ThresholdCounter,
    rectangles,
    rows_above,
    rows_reaching,
    runs,
)
from confroc.statistics.linear_cost import (
    ClassSizes,
    Counter,
    Found,
    LinearCost,
    Pseudo,
    Rates,
    rates_of,
    read,
)

CANDIDATES = 512
CANDIDATES_OF_EACH = 96
"""Maximum number of thresholds among which a resample chooses, for one model and for each of two."""

# More than pointwise (`linear_cost.AGRESTI`) for a pair, since the largest of many errors has a heavier tail.
ADDED = Pseudo(alone=2.0, of_two=2.0, paired=1.5)

FEW = 50
FEW_CASES = "The band under-covers with fewer than 50 cases in a class."


class Draws(NamedTuple):
    """A table, and the places at which to count on its resamples: one set of h places, or several."""

    table: Cells
    counters: Callable[[IntArray, IntArray], Sequence[Counter]]


class CostBandOutcome(NamedTuple):
    """Result of a band method.

    Attributes
    ----------
    lower, upper : ndarray of shape (g,)
        Edges at each w, not yet clipped nor widened for rounded scores.
    estimate : ndarray of shape (g,), optional
        Default: the value of the contrast.
    critical : float
        Half-width in standard errors; NaN if it is not constant.
    notes : tuple of str
    """

    lower: FloatArray
    upper: FloatArray
    estimate: FloatArray | None = None
    critical: float = math.nan
    notes: tuple[str, ...] = ()


@method_class
class CostBandMethod(Method):
    """Base class of band methods for costs."""

    serves = (("cost", "band"), ("cost_difference", "band"))

    @property
    def kind(self) -> Kind:
        """Whether the level is pointwise or simultaneous."""
        return "simultaneous"

    def band(self, x: Contrast, level: float) -> CostBandOutcome:
        """Return the band for a `Cost`, or for the difference between two, at all its weights."""
        raise NotImplementedError


@method_class
class StudentizedCostBand(Resampling, CostBandMethod):
    """Studentized bootstrap.

    The cost, or the difference, plus and minus a constant multiple of its standard error, after adding
    pseudo-cases: two errors and two correct cases in each class; for paired models, 1½ in each cell of each
    class's 2 × 2 table of both models' predictions. The multiple is the bootstrap quantile of the largest
    studentized error over all weights, including the choice of thresholds.

    Attributes
    ----------
    n_resamples : int, optional
        Number of resamples, at least 2/(1 − confidence_level). Default: 999, or as many as the level
        requires.
    """

    name = "studentized_bootstrap"
    papers = ("dugas2009cost", "drummond2006")
    caution = "Under-covers with fewer than 50 cases in a class."

    def band(self, x: Contrast, level: float) -> CostBandOutcome:
        """Return the edges, and the multiple of the standard error."""
        priced = x.statistic.linear_of(x)
        critical = critical_value(self._largest_errors(x, priced, level), level)
        # If all resamples are identical their errors are zero, so the pointwise half-width is the minimum.
        critical = critical if critical > 1e-9 else normal_quantile(level)
        center, half = priced.mean(ADDED), critical * priced.error(ADDED)
        few = any(n < FEW for table in x.tables for n in (table.n_pos, table.n_neg))
        notes = (FEW_CASES,) if few else ()
        return CostBandOutcome(center - half, center + half, priced.mean(), critical, notes)

    def _largest_errors(self, x: Contrast, priced: LinearCost, level: float) -> FloatArray:
        """Return the largest studentized error over w of each resample's costs, shape (n_resamples,)."""
        generator = make_rng(self.rng)
        count = check_resamples(self.n_resamples, level, N_BAND_RESAMPLES)
        settings: dict[str, Any] = {"n_resamples": count, "rng": generator, "n_jobs": self.n_jobs}
        draw = functools.partial(resample, sampling=priced.sampling, **settings)
        first, *second = (
            _resampled(draws, priced, part.sample, draw)
            for draws, part in zip(_draws(x, priced), priced.parts, strict=True)
        )
        smooth, true = Rates(*first[:5]), first[5:]
        for other in second:
            smooth, true = smooth.minus(Rates(*other[:5])), true - other[5:]
        if priced.share is not None:
            share, n = priced.share, priced.share.cases or 1.0
            # An estimated prevalence of 0 or 1 is moved by half a case.
            half = min(0.5, 0.5 / n)
            drawn = np.clip(share.resampled(count, generator), half, 1.0 - half)[:, None]
            smooth = smooth.per_case(drawn, drawn * (1.0 - drawn) / n)
            true = np.stack([share.value * true[0], (1.0 - share.value) * true[1]])
        copies = smooth.x.shape[1] // len(priced.alpha)
        alpha, beta = np.tile(priced.alpha, copies), np.tile(priced.beta, copies)
        error = smooth.mean(alpha, beta) - (alpha * true[0] + beta * true[1])
        largest: FloatArray = (np.abs(error) / np.sqrt(smooth.variance(alpha, beta))).max(axis=1)
        return largest


def _resampled(draws: Draws, priced: LinearCost, sample: ClassSizes, draw: Draw) -> FloatArray:
    """Return smoothed rates with their moments, and both rates in the data at the same thresholds.

    Shape (7, n_resamples, places).
    """
    added = priced.cells(ADDED)

    def rates(pos: IntArray, neg: IntArray) -> FloatArray:
        counters, sizes = draws.counters(pos, neg), (int(pos.sum()), int(neg.sum()))
        drawn, true = (_read_all(counters, table) for table in (Cells(pos, neg), draws.table))
        smooth = rates_of(drawn, ClassSizes(*sizes, *sizes), priced.sampling, added)
        plain = rates_of(true, sample, priced.sampling)
        return np.stack([*smooth, plain.x, plain.y])

    return np.moveaxis(draw(rates, draws.table, size=(sample.n_pos, sample.n_neg)), 1, 0)


def _read_all(counters: Sequence[Counter], table: Cells) -> Found:
    """Return the errors at all places of several counters, concatenated."""
    first, *rest = (read(counter, table) for counter in counters)
    return type(first)(*map(np.concatenate, zip(first, *rest, strict=True))) if rest else first


def _draws(x: Contrast, priced: LinearCost) -> list[Draws]:
    """Return the counters of each part, for the data's thresholds and for those reselected in resamples."""
    if not x.statistic.chosen_here:
        tables = [part.counter.compressed(part.table) for part in priced.parts]
        return [Draws(table, _always(counter)) for table, counter in tables]
    thresholds = tuple(s.thresholds(t) for s, t in zip(x.statistics, x.tables, strict=True))
    if isinstance(x.data, PairedScores):
        return [_chosen_pair(x.data, thresholds, priced)]
    return [_chosen(table, own, priced) for table, own in zip(x.tables, thresholds, strict=True)]


def _always(counter: Counter) -> Callable[[IntArray, IntArray], Sequence[Counter]]:
    return lambda _pos, _neg: [counter]


def _chosen(scores: Scores, threshold: FloatArray, priced: LinearCost) -> Draws:
    """Return counters for one model: at the data's thresholds, and at those reselected in resamples."""
    own = rows_above(scores.score, threshold)
    cuts = _candidates(scores, own, CANDIDATES)
    table, kept = runs(scores, cuts), np.searchsorted(cuts, own) + 1

    def counters(pos: IntArray, neg: IntArray) -> Sequence[Counter]:
        return [ThresholdCounter(np.concatenate([kept, _cheapest(pos, neg, priced, scores)]))]

    return Draws(table, counters)


def _chosen_pair(pair: PairedScores, thresholds: tuple[FloatArray, ...], priced: LinearCost) -> Draws:
    """Return counters for paired models: at the data's thresholds, and at those reselected in resamples."""
    own = [rows_above(scores.score, t) for scores, t in zip((pair.a, pair.b), thresholds, strict=True)]
    cuts = [_candidates(s, o, CANDIDATES_OF_EACH) for s, o in zip((pair.a, pair.b), own, strict=True)]
    table, *index = rectangles(Cells(pair.pos, pair.neg), pair.index_a, pair.index_b, *cuts)
    kept = PairCounter.at(*(np.searchsorted(cut, o) + 1 for cut, o in zip(cuts, own, strict=True)), *index)

    def counters(pos: IntArray, neg: IntArray) -> Sequence[Counter]:
        anew = []
        for ranks, cut in zip(index, cuts, strict=True):
            p, q = (np.bincount(ranks, weights=count, minlength=len(cut) + 1) for count in (pos, neg))
            anew.append(_cheapest(p, q, priced, pair.a))
        return kept, PairCounter.at(*anew, *index)

    return Draws(table, counters)


def _candidates(scores: Scores, own: IntArray, most: int) -> IntArray:
    """Return the candidate rows from which resamples choose: the data's, and equally spaced ones."""
    d = len(scores.score)
    if d < most:
        return np.arange(d + 1)
    steps = np.linspace(0, scores.n_pos + scores.n_neg, most)
    even = np.minimum(rows_reaching(steps, scores.pos, scores.neg) + 1, d)
    return np.unique(np.concatenate([[0], even, own]))


def _cheapest(pos: Any, neg: Any, priced: LinearCost, scores: Scores) -> IntArray:
    """Return the best number of runs predicted positive at each place, given the counts of the runs."""
    miss, alarm = priced.alpha, priced.beta
    if priced.share is not None:
        miss, alarm = miss * priced.share.value, alarm * (1.0 - priced.share.value)
    if priced.sampling == "stratified":
        miss, alarm = miss / scores.n_pos, alarm / scores.n_neg
    cost = np.multiply.outer(alarm, np.cumsum(neg)) - np.multiply.outer(miss, np.cumsum(pos))
    return np.asarray(np.argmin(cost, axis=1) + 1)
