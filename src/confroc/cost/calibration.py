"""How far a band reaches: the bootstrap law of the largest studentised error over w.

Thresholds chosen on the same cases are chosen anew in each resample, and their resampled cost is compared
with what they cost on the data, besides that of the data's own thresholds, so that the band pays for the
choice too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from confroc._types import FloatArray, IntArray
from confroc.cost.moments import Sample
from confroc.cost.problem import Part, Problem, Pseudo, rates_of
from confroc.cost.tallies import Errors, Reader
from confroc.resample import resample
from confroc.scores import PairedScores, Scores
from confroc.scores.counting import (
    Cells,
    Discordant,
    PairCounter,
    ThresholdCounter,
    rectangles,
    rows_reaching,
    runs,
)

CANDIDATES = 512
CANDIDATES_OF_EACH = 96
"""Most thresholds among which a resample chooses, for one model and for each of two."""

# More than at one point (`problem.AGRESTI`) for a pair: the largest of many errors reaches further out.
ADDED = Pseudo(alone=2.0, of_two=2.0, paired=1.5)


class Draws(NamedTuple):
    """A table, and a statistic of its resamples: errors there and on the data, at the same thresholds.

    Under thresholds that are chosen anew the places come twice: at the data's thresholds, then at the
    resample's.
    """

    table: Cells
    statistic: Callable[[IntArray, IntArray], FloatArray]
    kind: type[Errors] | type[Discordant]


def _stacked(reader: Reader | PairCounter, table: Cells, pos: IntArray, neg: IntArray) -> FloatArray:
    drawn, truth = reader(pos, neg), reader(*table)
    # The class size, which varies under full sampling, as one more row.
    return np.stack([*drawn, *truth, np.full(len(drawn[0]), pos.sum())]).astype(np.float64)


def fixed_draws(part: Part) -> Draws:
    """Thresholds that do not depend on the cases."""
    table, reader = part.reader.compressed(part.table)
    return Draws(table, lambda pos, neg: _stacked(reader, table, pos, neg), type(part.found))


def _candidates(scores: Scores, own: IntArray, most: int) -> IntArray:
    """Numbers of distinct scores called positive among which resamples choose: the data's and even steps."""
    d = len(scores.score)
    if d < most:
        return np.arange(d + 1)
    steps = np.linspace(0, scores.n_pos + scores.n_neg, most)
    return np.unique(
        np.concatenate([[0], np.minimum(rows_reaching(steps, scores.pos, scores.neg) + 1, d), own])
    )


def _cheapest(pos: NDArray[Any], neg: NDArray[Any], miss: FloatArray, alarm: FloatArray) -> IntArray:
    """Best number of runs called positive, at each weight of a false negative and of a false positive."""
    cost = np.multiply.outer(alarm, np.cumsum(neg)) - np.multiply.outer(miss, np.cumsum(pos))
    return np.asarray(np.argmin(cost, axis=1) + 1)


def chosen_draws(scores: Scores, own: IntArray, miss: FloatArray, alarm: FloatArray) -> Draws:
    """Thresholds of one model, the data's and those that each resample chooses anew."""
    cuts = _candidates(scores, own, CANDIDATES)
    table, kept = runs(Cells(scores.pos, scores.neg), cuts), np.searchsorted(cuts, own) + 1

    def statistic(pos: IntArray, neg: IntArray) -> FloatArray:
        reader = Reader(ThresholdCounter(np.concatenate([kept, _cheapest(pos, neg, miss, alarm)])))
        return _stacked(reader, table, pos, neg)

    return Draws(table, statistic, Errors)


def chosen_pair_draws(
    pair: PairedScores, own_a: IntArray, own_b: IntArray, miss: FloatArray, alarm: FloatArray
) -> Draws:
    """Thresholds of two models on the same cases, the data's and those that each resample chooses anew."""
    cut_a = _candidates(pair.a, own_a, CANDIDATES_OF_EACH)
    cut_b = _candidates(pair.b, own_b, CANDIDATES_OF_EACH)
    table, index_a, index_b = rectangles(Cells(pair.pos, pair.neg), pair.index_a, pair.index_b, cut_a, cut_b)
    kept_a, kept_b = np.searchsorted(cut_a, own_a) + 1, np.searchsorted(cut_b, own_b) + 1
    kept = PairCounter.at(kept_a, kept_b, index_a, index_b)

    def statistic(pos: IntArray, neg: IntArray) -> FloatArray:
        stacks = [_stacked(kept, table, pos, neg)]
        chosen = []
        for index, cut in ((index_a, cut_a), (index_b, cut_b)):
            p, q = (np.bincount(index, weights=count, minlength=len(cut) + 1) for count in (pos, neg))
            chosen.append(_cheapest(p, q, miss, alarm))
        stacks.append(_stacked(PairCounter.at(chosen[0], chosen[1], index_a, index_b), table, pos, neg))
        return np.concatenate(stacks, axis=1)

    return Draws(table, statistic, Discordant)


def critical_value(
    problem: Problem,
    draws: list[Draws],
    level: float,
    n_resamples: int,
    rng: np.random.Generator,
    n_jobs: int,
) -> float:
    """Quantile of the largest studentised error of the resampled costs."""
    samples = [part.sample for part in problem.parts]
    counts = [
        resample(
            d.statistic,
            d.table,
            n_resamples,
            rng,
            size=(s.n_pos, s.n_neg),
            sampling=problem.sampling,
            n_jobs=n_jobs,
        ).astype(np.int64)
        for d, s in zip(draws, samples, strict=True)
    ]
    copies = counts[0].shape[2] // len(problem.alpha)
    form = np.tile(problem.alpha, copies), np.tile(problem.beta, copies)
    largest = np.empty(n_resamples)
    for i in range(n_resamples):
        drawn, true, sizes = [], [], []
        for d, s, count in zip(draws, samples, counts, strict=True):
            k = (count.shape[1] - 1) // 2
            drawn.append(d.kind(*count[i, :k]))
            true.append(d.kind(*count[i, k : 2 * k]))
            pos = int(count[i, -1, 0])
            neg = s.n_pos + s.n_neg - pos
            sizes.append(Sample(pos, neg, pos, neg))
        rates = rates_of(drawn, sizes, problem.sampling, ADDED)
        error = rates.mean(*form) - rates_of(true, samples, problem.sampling).mean(*form)
        largest[i] = (np.abs(error) / np.sqrt(rates.variance(*form))).max()
    # The order statistic that a further draw exceeds with probability 1 − level at most.
    rank = min(n_resamples, math.ceil((n_resamples + 1) * level))
    return float(np.partition(largest, rank - 1)[rank - 1])


def edges(problem: Problem, critical: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Estimate and the two edges."""
    smooth = problem.rates(ADDED)
    centre = smooth.mean(problem.alpha, problem.beta)
    half = critical * np.sqrt(smooth.variance(problem.alpha, problem.beta))
    return problem.rates().mean(problem.alpha, problem.beta), centre - half, centre + half
