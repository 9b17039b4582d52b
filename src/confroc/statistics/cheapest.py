"""The cheapest threshold of a table for each weight of the two errors, and by how much its cost is too low.

The least of many noisy costs is too low. Cross-validation measures by how much: thresholds are chosen on all
cases but a fold, and priced on that fold. Rows of a cluster are in one fold.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from confroc._check import make_rng
from confroc._types import FloatArray, IntArray
from confroc.curve import hull_vertices
from confroc.scores import CountTable, Scores
from confroc.scores.counting import LARGEST_REPEATED, rows_reaching, runs, sums_before

CANDIDATES = 2000
"""Most thresholds of which all are compared with one another."""

COMPARED = 100_000
"""Most costs of left-out folds to lay out and compare."""

FOLDS, REPEATS, REPEAT_SEED = 10, 20, 0
"""Of the cross-validation. Its deals are the same each time: one sample has one estimate."""
FEWEST_REPEATS, MOST_DEALT = 5, 500_000
"""Deals at least, and cases in all of them: the more cases, the less one deal differs from another."""


def hull_rows(
    scores: Scores, without: tuple[IntArray, IntArray] | None = None
) -> tuple[IntArray, FloatArray]:
    """Hull corners as numbers of distinct scores called positive, and the w where each gives way to the next.

    Of all cases, or without so many positives and negatives of each distinct score; the last score called
    positive then is one that still has cases.

    The first array (k corners) increases; the second (k − 1) too. Where a corner's edge is vertical or
    horizontal in ROC space the change is at w = 0 or w = 1 exactly.
    """
    pos, neg = (None, None) if without is None else without
    n_pos, n_neg = (
        n if out is None else n - out.sum().item() for n, out in ((scores.n_pos, pos), (scores.n_neg, neg))
    )

    def between(count: IntArray, out: IntArray | None, vertices: slice | IntArray) -> IntArray:
        if isinstance(vertices, slice):
            rows = slice(vertices.start, vertices.stop - 1)
            return count[rows] if out is None else count[rows] - out[rows]
        sums = np.add.reduceat(count, vertices[:-1])
        return sums if out is None else sums - np.add.reduceat(out, vertices[:-1])

    def steps(vertices: slice | IntArray) -> tuple[FloatArray, FloatArray]:
        return between(scores.neg, neg, vertices) / n_neg, between(scores.pos, pos, vertices) / n_pos

    rows = hull_vertices(len(scores.score), steps)
    loss, gain = steps(rows)
    return rows, loss / (gain + loss)


def score_of_rows(scores: Scores, rows: IntArray) -> FloatArray:
    """Threshold that calls so many distinct scores positive: the last of them, or inf."""
    return np.where(rows > 0, scores.score[rows - 1], np.inf)


def optimal_rows(scores: Scores, w: FloatArray, without: tuple[IntArray, IntArray] | None = None) -> IntArray:
    """Number of distinct scores called positive at the cheapest threshold, for each w.

    It is that of all cases, or without some. Of thresholds of equal cost the highest is taken; but at w = 0
    and w = 1, where one kind of error is free, the one with fewest free errors too.
    """
    rows, change = hull_rows(scores, without)
    # Vertical steps of the ROC curve cost nothing at any w, so they are taken at w = 0 already.
    piece = np.searchsorted(np.where(change == 0.0, -1.0, change), w, side="left")
    return rows[piece]


def optimal_thresholds(scores: Scores, w: FloatArray) -> FloatArray:
    """Cheapest threshold at each w: an observed score, or inf."""
    return score_of_rows(scores, optimal_rows(scores, w))


def candidates(scores: Scores, best: int | IntArray, spread: int) -> IntArray:
    """Numbers of distinct scores called positive to compare: all, or evenly spread ones and the best."""
    d = len(scores.score)
    if d <= CANDIDATES:
        return np.arange(d + 1)
    even = rows_reaching(np.linspace(0, scores.n_pos + scores.n_neg, spread), scores.pos, scores.neg)
    return np.unique(np.concatenate([[0, d], np.atleast_1d(best), np.minimum(even + 1, d)]))


def optimism_of(scores: Scores, w: FloatArray) -> FloatArray:
    """How much too low the normalised cost is at the threshold chosen at w.

    NaN with one case, or cluster, in a class, and where rows have two identifiers.
    """
    folds = min(FOLDS, *units(scores))
    if folds < 2:
        return np.full(len(w), math.nan)
    table = joined_runs(scores, candidates(scores, optimal_rows(scores, w), CANDIDATES)[1:-1])
    deals = min(REPEATS, max(FEWEST_REPEATS, MOST_DEALT // round(scores.n_pos + scores.n_neg)))
    return np.maximum(0.0, optimism_at(table, w, folds, deals, make_rng(REPEAT_SEED)))


def joined_runs(scores: Scores, rows: IntArray) -> Scores:
    """Return the table of the runs between the given, increasing numbers of rows, in their order."""
    score, design = -np.arange(len(rows) + 1, dtype=np.float64), scores.design
    if design is None:
        return Scores._of(CountTable(score, *runs(scores, rows)))
    design = design.moved(np.searchsorted(rows, np.arange(len(scores.score)), side="right"))
    return Scores._of(CountTable(score, *design.counts(len(score))), design=design)


def units(scores: Scores) -> tuple[int, int]:
    """Numbers of cases, or clusters, with positives and with negatives; none where clusters cross."""
    design = scores.design
    if design is None:
        return scores.n_pos, scores.n_neg
    if len(design.clusters) > 1:
        return 0, 0
    sides = design.positive, ~design.positive
    if not design.clusters:
        return int(design.count[sides[0]].sum()), int(design.count[sides[1]].sum())
    code = design.clusters[0].code
    return len(np.unique(code[sides[0]])), len(np.unique(code[sides[1]]))


def optimism_at(
    scores: Scores, at: FloatArray, k: int, deals: int, generator: np.random.Generator
) -> FloatArray:
    """Mean price of thresholds chosen on all of k folds but one, less the price of those chosen on all."""
    total = np.zeros(len(at))
    for _ in range(deals):
        dealt = _dealt(scores, k, generator)
        rows, few = _rows_without(scores, dealt, at), len(at) * dealt[0].size <= COMPARED
        found, alarms = (
            np.take_along_axis(_called(out), rows, axis=1)
            if few
            else np.stack([sums_before(r, o)[0] for r, o in zip(rows, out, strict=True)])
            for out in dealt
        )
        missed = dealt[0].sum(axis=1, keepdims=True) - found
        for price in at * missed / scores.n_pos + (1.0 - at) * alarms / scores.n_neg:
            total += price
    found, alarms = sums_before(optimal_rows(scores, at), scores.pos, scores.neg)
    apparent = at * (scores.n_pos - found) / scores.n_pos + (1.0 - at) * alarms / scores.n_neg
    return np.asarray(total / deals - apparent)


def _called(counts: IntArray) -> IntArray:
    """Cases of each fold called positive, for every number of distinct scores called so."""
    return np.concatenate([np.zeros((len(counts), 1), np.int64), np.cumsum(counts, axis=1)], axis=1)


def _rows_without(scores: Scores, dealt: list[Any], at: FloatArray) -> IntArray:
    """Number of distinct scores called positive at each w, chosen without each fold in turn: (folds, h)."""
    if len(at) * dealt[0].size > COMPARED:
        return np.stack([optimal_rows(scores, at, (pos, neg)) for pos, neg in zip(*dealt, strict=True)])
    # Cheaper than a hull each; rounded, so that costs that are equal are found equal.
    kept = [count - out for count, out in zip((scores.pos, scores.neg), dealt, strict=True)]
    share, alarm = (_called(count) / count.sum(axis=1, keepdims=True) for count in kept)
    costs = [np.round((1.0 - w) * alarm - w * share, 12) for w in at.tolist()]
    return np.stack([np.argmin(cost, axis=1) for cost in costs], axis=1)


def _dealt(scores: Scores, folds: int, generator: np.random.Generator) -> list[Any]:
    """Positives and negatives per fold, each of shape (folds, d), of whole clusters dealt out."""
    design = scores.design
    if design is None:
        return [_deal(count, folds, generator) for count in (scores.pos, scores.neg)]
    side, row, mass = design.positive, design.row, design.mass
    unit: IntArray = np.arange(len(row))
    stratum = np.zeros(len(row), np.int64) if design.stratum is None else design.stratum.code
    if design.clusters:
        unit = design.clusters[0].code
    else:
        # Cases by themselves, each with its weight.
        case = np.repeat(unit, design.count)
        side, row, mass, stratum = side[case], row[case], design.weight[case], stratum[case]
        unit = np.arange(len(row))
    # Clusters with both classes stand between those with one, so that those of a class are neighbours in the
    # order in which they are dealt: no fold has many more of them than another one.
    found = [np.bincount(unit[s], minlength=unit.max() + 1) > 0 for s in (side, ~side)]
    kind, group = found[0].astype(np.int64) - found[1], np.zeros(len(found[0]), np.int64)
    group[unit] = stratum
    order = np.lexsort([generator.random(len(kind)), group, kind])
    fold = np.empty(len(kind), np.int64)
    fold[order] = np.arange(len(kind)) % folds
    d = len(scores.score)
    cell = row + d * fold[unit]
    return [np.bincount(cell[s], mass[s], minlength=folds * d).reshape(folds, d) for s in (side, ~side)]


def _deal(count: IntArray, folds: int, generator: np.random.Generator) -> IntArray:
    """Counts per fold, shape (folds, d), of cases dealt out as evenly as can be."""
    if count.sum() > LARGEST_REPEATED:
        # Folds of so many cases are as even as can be when each case goes to one of them at random.
        return generator.multinomial(count, np.full(folds, 1.0 / folds)).T
    # All folds are held at once, so in as few bytes as will do.
    cases = np.repeat(np.arange(len(count), dtype=np.min_scalar_type(-len(count))), count)
    generator.shuffle(cases)
    kept = np.min_scalar_type(-int(count.max()) - 1)
    if folds * len(count) <= COMPARED:
        cell = cases + len(count) * (np.arange(len(cases)) % folds)
        return np.bincount(cell, minlength=folds * len(count)).reshape(folds, -1).astype(kept)
    dealt = np.zeros((folds, len(count)), dtype=kept)
    for fold, held in enumerate(dealt):
        np.add.at(held, cases[fold::folds].astype(np.intp), kept.type(1))
    return dealt
