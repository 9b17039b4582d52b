"""The method of bands over w: the bootstrap distribution of the largest studentized error gives the width.

The band is C̃(w) ± c·s̃(w): cost and standard error after adding pseudo-cases, as the smoothed pointwise
methods do, which keeps both sensible where no error is seen, and one c for all w: the quantile of the
largest studentized error of resampled costs.

Thresholds chosen on the same cases are chosen anew in each resample, and their resampled cost is compared
with what they cost on the data, in addition to that of the data's own thresholds, so that the band pays for
the choice too.
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
"""Most thresholds among which a resample chooses, for one model and for each of two."""

# More than at one point (`linear_cost.AGRESTI`) for a pair: the largest of many errors reaches further out.
ADDED = Pseudo(alone=2.0, of_two=2.0, paired=1.5)

FEW = 50
FEW_CASES = "The band under-covers with fewer than 50 cases in a class."


class Draws(NamedTuple):
    """A table, and where to count on a resample of it: at one set of h places, or at several."""

    table: Cells
    counters: Callable[[IntArray, IntArray], Sequence[Counter]]


class CostBandOutcome(NamedTuple):
    """What a method of bands over w returns.

    Attributes
    ----------
    lower, upper : ndarray of shape (g,)
        Edges at each w. The caller keeps them within the bounds and allows for rounded scores.
    estimate : ndarray of shape (g,), optional
        Where it is not the value of the contrast.
    critical : float
        Half-width in standard errors; NaN where it is not constant.
    notes : tuple of str
    """

    lower: FloatArray
    upper: FloatArray
    estimate: FloatArray | None = None
    critical: float = math.nan
    notes: tuple[str, ...] = ()


@method_class
class CostBandMethod(Method):
    """A way to make a band around the costs at all weights."""

    serves = (("cost", "band"), ("cost_difference", "band"))

    @property
    def kind(self) -> Kind:
        """Whether the level is for one weight at a time or for all together."""
        return "simultaneous"

    def band(self, x: Contrast, level: float) -> CostBandOutcome:
        """Return the edges of a band for a `Cost`, or for the difference of two, at all its weights."""
        raise NotImplementedError


@method_class
class StudentizedCostBand(Resampling, CostBandMethod):
    """Studentized bootstrap.

    At each weight the cost, or the difference, plus and minus one multiple of its standard error, after
    adding pseudo-cases: two errors and two correct cases to each class, for two models on the same cases 1½
    to each cell of each class's table of both models' calls. The multiple is chosen so that the band would
    contain all costs together in the stated share of resamples, the choice of thresholds included.

    Attributes
    ----------
    n_resamples : int, optional
        Number of resamples, at least 2/(1 − confidence_level). Default: 999, or as many as the level needs.
    """

    name = "studentized_bootstrap"
    papers = ("dugas2009cost", "drummond2006")
    caution = "Covers some points less than its level with fewer than 50 cases in a class."

    def band(self, x: Contrast, level: float) -> CostBandOutcome:
        """Return the edges, and the multiple of the standard error."""
        priced = x.statistic.linear_of(x)
        critical = critical_value(self._largest_errors(x, priced, level), level)
        # Where all resamples are identical their errors are zero: the pointwise half-width is the least.
        critical = critical if critical > 1e-9 else normal_quantile(level)
        centre, half = priced.mean(ADDED), critical * priced.error(ADDED)
        few = any(n < FEW for table in x.tables for n in (table.n_pos, table.n_neg))
        notes = (FEW_CASES,) if few else ()
        return CostBandOutcome(centre - half, centre + half, priced.mean(), critical, notes)

    def _largest_errors(self, x: Contrast, priced: LinearCost, level: float) -> FloatArray:
        """Largest studentized error over w of each resample's costs, shape (n_resamples,)."""
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
            # A share of 0 or 1 among other cases is moved by half a case.
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
    """Smoothed rates with their moments, and the data's two rates at the same thresholds.

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
    """Errors at all places of several counters, one after the other."""
    first, *rest = (read(counter, table) for counter in counters)
    return type(first)(*map(np.concatenate, zip(first, *rest, strict=True))) if rest else first


def _draws(x: Contrast, priced: LinearCost) -> list[Draws]:
    """Of each part: the data's thresholds, and where they were chosen on the same cases those chosen anew."""
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
    """Thresholds of one model, the data's and those that each resample chooses anew."""
    own = rows_above(scores.score, threshold)
    cuts = _candidates(scores, own, CANDIDATES)
    table, kept = runs(scores, cuts), np.searchsorted(cuts, own) + 1

    def counters(pos: IntArray, neg: IntArray) -> Sequence[Counter]:
        return [ThresholdCounter(np.concatenate([kept, _cheapest(pos, neg, priced, scores)]))]

    return Draws(table, counters)


def _chosen_pair(pair: PairedScores, thresholds: tuple[FloatArray, ...], priced: LinearCost) -> Draws:
    """Thresholds of two models on the same cases, the data's and those that each resample chooses anew."""
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
    """Numbers of distinct scores called positive among which resamples choose: the data's and even steps."""
    d = len(scores.score)
    if d < most:
        return np.arange(d + 1)
    steps = np.linspace(0, scores.n_pos + scores.n_neg, most)
    even = np.minimum(rows_reaching(steps, scores.pos, scores.neg) + 1, d)
    return np.unique(np.concatenate([[0], even, own]))


def _cheapest(pos: Any, neg: Any, priced: LinearCost, scores: Scores) -> IntArray:
    """Best number of runs called positive at each place, for these counts of the runs."""
    miss, alarm = priced.alpha, priced.beta
    if priced.share is not None:
        miss, alarm = miss * priced.share.value, alarm * (1.0 - priced.share.value)
    if priced.sampling == "stratified":
        miss, alarm = miss / scores.n_pos, alarm / scores.n_neg
    cost = np.multiply.outer(alarm, np.cumsum(neg)) - np.multiply.outer(miss, np.cumsum(pos))
    return np.asarray(np.argmin(cost, axis=1) + 1)
