"""The bootstrap distribution of the largest studentized error over w: the half-width of a band of costs.

Thresholds chosen on the same cases are chosen anew in each resample, and their resampled cost is compared
with what they cost on the data, in addition to that of the data's own thresholds, so that the band pays for
the choice too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from confroc._check import make_rng
from confroc._types import FloatArray, IntArray
from confroc.cost.conditions import models_of
from confroc.cost.error_rates import ClassSizes, Counter, Found, PricedErrors, Pseudo, Rates, rates_of, read
from confroc.cost.intervals import Resampling
from confroc.cost.thresholds import Source
from confroc.resample import resample
from confroc.scores import Pair, PairedScores, Scores
from confroc.scores.counting import (
    Cells,
    PairCounter,
    ThresholdCounter,
    rectangles,
    rows_above,
    rows_reaching,
    runs,
)

CANDIDATES = 512
CANDIDATES_OF_EACH = 96
"""Most thresholds among which a resample chooses, for one model and for each of two."""

# More than at one point (`error_rates.AGRESTI`) for a pair: the largest of many errors reaches further out.
ADDED = Pseudo(alone=2.0, of_two=2.0, paired=1.5)


class Draws(NamedTuple):
    """A table, and where to count on a resample of it: at one set of h places, or at several."""

    table: Cells
    counters: Callable[[IntArray, IntArray], Sequence[Counter]]


def largest_errors(
    data: Scores | Pair,
    thresholds: tuple[FloatArray, ...],
    priced: PricedErrors,
    source: Source,
    resampling: Resampling,
) -> FloatArray:
    """Largest studentized error over w of each resample's costs, shape (n_resamples,)."""
    generator = make_rng(resampling.rng)
    first, *second = (
        _resampled(draws, priced, part.sample, resampling._replace(rng=generator))
        for draws, part in zip(_draws(data, thresholds, priced, source), priced.parts, strict=True)
    )
    smooth, true = Rates(*first[:5]), first[5:]
    for other in second:
        smooth, true = smooth.minus(Rates(*other[:5])), true - other[5:]
    if priced.share is not None:
        share, n = priced.share, priced.share.cases or 1.0
        # A share of 0 or 1 among other cases is moved by half a case.
        half = min(0.5, 0.5 / n)
        told = np.clip(share.resampled(resampling.n_resamples, generator), half, 1.0 - half)[:, None]
        smooth = smooth.per_case(told, told * (1.0 - told) / n)
        true = np.stack([share.value * true[0], (1.0 - share.value) * true[1]])
    copies = smooth.x.shape[1] // len(priced.alpha)
    alpha, beta = np.tile(priced.alpha, copies), np.tile(priced.beta, copies)
    error = smooth.mean(alpha, beta) - (alpha * true[0] + beta * true[1])
    largest: FloatArray = (np.abs(error) / np.sqrt(smooth.variance(alpha, beta))).max(axis=1)
    return largest


def _resampled(draws: Draws, priced: PricedErrors, sample: ClassSizes, resampling: Resampling) -> FloatArray:
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

    n_resamples, rng, n_jobs = resampling
    size = sample.n_pos, sample.n_neg
    rows = resample(rates, draws.table, n_resamples, rng, size=size, sampling=priced.sampling, n_jobs=n_jobs)
    return np.moveaxis(rows, 1, 0)


def _read_all(counters: Sequence[Counter], table: Cells) -> Found:
    """Errors at all places of several counters, one after the other."""
    first, *rest = (read(counter, table) for counter in counters)
    return type(first)(*map(np.concatenate, zip(first, *rest, strict=True))) if rest else first


def _draws(
    data: Scores | Pair, thresholds: tuple[FloatArray, ...], priced: PricedErrors, source: Source
) -> list[Draws]:
    """Of each part: the data's thresholds, and where they were chosen on the same cases those chosen anew."""
    if source != "same_sample":
        tables = [part.counter.compressed(part.table) for part in priced.parts]
        return [Draws(table, _always(counter)) for table, counter in tables]
    if isinstance(data, PairedScores):
        return [_chosen_pair(data, thresholds, priced)]
    return [
        _chosen(scores, threshold, priced)
        for scores, threshold in zip(models_of(data), thresholds, strict=True)
    ]


def _always(counter: Counter) -> Callable[[IntArray, IntArray], Sequence[Counter]]:
    return lambda _pos, _neg: [counter]


def _chosen(scores: Scores, threshold: FloatArray, priced: PricedErrors) -> Draws:
    """Thresholds of one model, the data's and those that each resample chooses anew."""
    own = rows_above(scores.score, threshold)
    cuts = _candidates(scores, own, CANDIDATES)
    table, kept = runs(scores, cuts), np.searchsorted(cuts, own) + 1

    def counters(pos: IntArray, neg: IntArray) -> Sequence[Counter]:
        return [ThresholdCounter(np.concatenate([kept, _cheapest(pos, neg, priced, scores)]))]

    return Draws(table, counters)


def _chosen_pair(pair: PairedScores, thresholds: tuple[FloatArray, ...], priced: PricedErrors) -> Draws:
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


def _cheapest(pos: Any, neg: Any, priced: PricedErrors, scores: Scores) -> IntArray:
    """Best number of runs called positive at each place, for these counts of the runs."""
    miss, alarm = priced.alpha, priced.beta
    if priced.share is not None:
        miss, alarm = miss * priced.share.value, alarm * (1.0 - priced.share.value)
    if priced.sampling == "stratified":
        miss, alarm = miss / scores.n_pos, alarm / scores.n_neg
    cost = np.multiply.outer(alarm, np.cumsum(neg)) - np.multiply.outer(miss, np.cumsum(pos))
    return np.asarray(np.argmin(cost, axis=1) + 1)
