"""The best threshold of a table by a criterion, as the cheapest one, and the optimism of its value there.

The least of many noisy losses is too low. Cross-validation measures by how much: thresholds are chosen on all
cases but a fold, and evaluated on that fold. Rows of a cluster are in one fold.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, Self

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


class Criterion(NamedTuple):
    """What the best threshold of a table minimizes.

    Attributes
    ----------
    loss : callable
        Accepts true and false positive rates of shape (..., 1), and returns losses of shape (..., h). A loss
        that is NaN counts as 0.
    w : ndarray of shape (h,), optional
        Where the loss is the cost at each w, whose least values are found along the hull.
    """

    loss: Callable[[Any, Any], Any]
    w: FloatArray | None = None

    @classmethod
    def cost(cls, w: FloatArray) -> Self:
        """Return the normalised cost at each w."""
        return cls(lambda tpr, fpr: w * (1.0 - tpr) + (1.0 - w) * fpr, w)

    @property
    def size(self) -> int:
        """Number of losses, h."""
        return 1 if self.w is None else len(self.w)

    def rows(self, scores: Scores, without: tuple[IntArray, IntArray] | None = None) -> IntArray:
        """Number of distinct scores called positive at the best threshold, shape (h,).

        Of thresholds of equal loss the highest is taken. Of all cases, or of a cost also without some.
        """
        if self.w is not None:
            return optimal_rows(scores, self.w, without)
        return self.least(rates_along(scores.pos), rates_along(scores.neg))

    def least(self, tpr: FloatArray, fpr: FloatArray) -> IntArray:
        """Return the place of the first of the least losses along the last axis, with an axis of h for it."""
        with np.errstate(divide="ignore", invalid="ignore"):
            loss = np.nan_to_num(self.loss(tpr[..., None], fpr[..., None]), posinf=1e9)
        # Rounded, so that losses that are equal are found equal.
        return np.asarray(np.argmin(np.round(loss, 12), axis=-2))

    def thresholds(self, scores: Scores) -> FloatArray:
        """Return the best threshold: an observed score, or inf."""
        return score_of_rows(scores, self.rows(scores))


def rates_along(counts: IntArray) -> FloatArray:
    """Share of cases called positive for every number of distinct scores called so, along the last axis."""
    called = _called(counts)
    return np.asarray(called / called[..., -1:])


def candidates(scores: Scores, best: int | IntArray, spread: int) -> IntArray:
    """Numbers of distinct scores called positive to compare: all, or evenly spread ones and the best."""
    d = len(scores.score)
    if d <= CANDIDATES:
        return np.arange(d + 1)
    even = rows_reaching(np.linspace(0, scores.n_pos + scores.n_neg, spread), scores.pos, scores.neg)
    return np.unique(np.concatenate([[0, d], np.atleast_1d(best), np.minimum(even + 1, d)]))


def optimism_of(
    scores: Scores, criterion: Criterion, price: Callable[[Any, Any], Any] | None = None
) -> FloatArray:
    """How much too low the loss is at the threshold chosen by the criterion; never below zero.

    With a `price`, a function of the rates like a loss, how much too low that is; of either sign, for one
    loss. NaN with one case, or cluster, in a class, and where rows have two identifiers.
    """
    folds = min(FOLDS, *units(scores))
    if folds < 2:
        return np.full(criterion.size, math.nan)
    table = joined_runs(scores, candidates(scores, criterion.rows(scores), CANDIDATES)[1:-1])
    deals = min(REPEATS, max(FEWEST_REPEATS, MOST_DEALT // round(scores.n_pos + scores.n_neg)))
    found = optimism_at(table, criterion, folds, deals, make_rng(REPEAT_SEED), price)
    return np.maximum(0.0, found) if price is None else found


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
    scores: Scores,
    criterion: Criterion,
    k: int,
    deals: int,
    generator: np.random.Generator,
    price: Callable[[Any, Any], Any] | None = None,
) -> FloatArray:
    """Mean loss of thresholds chosen on all of k folds but one, less the loss of those chosen on all.

    The loss of a deal is that of both rates over all its folds. Of a price it is the mean, less the mean of
    the same thresholds on the folds on which they were chosen: another threshold may have another price.
    """
    held, kept = np.empty((2, 2, deals, criterion.size))
    sizes = scores.n_pos, scores.n_neg
    for deal in range(deals):
        dealt = _dealt(scores, k, generator)
        rows = _rows_without(scores, dealt, criterion)
        for i, (out, whole, n) in enumerate(zip(dealt, (scores.pos, scores.neg), sizes, strict=True)):
            if criterion.size * out.size <= COMPARED:
                called = np.take_along_axis(_called(out), rows, axis=1)
            else:
                called = np.stack([sums_before(r, o)[0] for r, o in zip(rows, out, strict=True)])
            held[i, deal] = called.sum(axis=0) / n
            if price is not None:
                kept[i, deal] = (sums_before(rows.ravel(), whole)[0].sum() - called.sum()) / ((k - 1) * n)
    if price is not None:
        return np.asarray(np.mean(price(*held) - price(*kept), axis=0))
    found, alarms = sums_before(criterion.rows(scores), scores.pos, scores.neg)
    apparent = criterion.loss(found / scores.n_pos, alarms / scores.n_neg)
    return np.asarray(np.mean(criterion.loss(*held), axis=0) - apparent)


def _called(counts: IntArray) -> IntArray:
    """Cases called positive for every number of distinct scores called so, along the last axis."""
    first = np.zeros((*counts.shape[:-1], 1), counts.dtype if counts.dtype.kind == "f" else np.int64)
    return np.concatenate([first, np.cumsum(counts, axis=-1)], axis=-1)


def _rows_without(scores: Scores, dealt: list[Any], criterion: Criterion) -> IntArray:
    """Number of distinct scores called positive, chosen without each fold in turn: (folds, h)."""
    if criterion.w is not None and criterion.size * dealt[0].size > COMPARED:
        return np.stack([criterion.rows(scores, (pos, neg)) for pos, neg in zip(*dealt, strict=True)])
    # Cheaper than a hull each.
    kept = (rates_along(count - out) for count, out in zip((scores.pos, scores.neg), dealt, strict=True))
    return criterion.least(*kept)


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
