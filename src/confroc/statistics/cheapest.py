"""The best threshold of a table by a criterion, and the optimism of the criterion there.

The minimum of the loss in the sample is optimistic. The optimism is estimated by cross-validation, in which
all rows of a cluster are in the same fold.
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
"""Maximum number of thresholds that are all compared."""

COMPARED = 100_000
"""Maximum size of an array of losses of left-out folds."""

FOLDS, REPEATS, REPEAT_SEED = 10, 20, 0
"""Of the cross-validation. The seed is fixed, so that the estimate depends on the sample only."""
FEWEST_REPEATS, MOST_DEALT = 5, 500_000
"""Minimum number of partitions, and number of cases in all partitions; large samples require fewer."""


def hull_rows(
    scores: Scores, without: tuple[IntArray, IntArray] | None = None
) -> tuple[IntArray, FloatArray]:
    """Return the vertices of the convex hull as row numbers, and the w at which each is replaced by the next.

    `without` are numbers of positives and negatives of each distinct score to leave out.

    Both arrays, of k and k − 1 entries, increase. Vertical and horizontal edges in ROC space correspond to
    w = 0 and w = 1 exactly.
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
    """Return the threshold at which this number of distinct scores is predicted positive; inf for none."""
    return np.where(rows > 0, scores.score[rows - 1], np.inf)


def optimal_rows(scores: Scores, w: FloatArray, without: tuple[IntArray, IntArray] | None = None) -> IntArray:
    """Return the number of distinct scores predicted positive at the cheapest threshold for each w.

    Of several thresholds the highest is chosen; at w = 0 and w = 1, where one kind of error has no cost, the
    one with the fewest errors of that kind.
    """
    rows, change = hull_rows(scores, without)
    # Vertical steps of the ROC curve have no cost at any w, so they are included at w = 0.
    piece = np.searchsorted(np.where(change == 0.0, -1.0, change), w, side="left")
    return rows[piece]


class Criterion(NamedTuple):
    """Loss that the best threshold of a table minimizes.

    Attributes
    ----------
    loss : callable
        Accepts true and false positive rates of shape (..., 1), and returns losses of shape (..., h). NaN
        counts as 0.
    w : ndarray of shape (h,), optional
        If the loss is the cost at each w, which has its minima on the convex hull.
    """

    loss: Callable[[Any, Any], Any]
    w: FloatArray | None = None

    @classmethod
    def cost(cls, w: FloatArray) -> Self:
        """Return the normalized cost at each w."""
        return cls(lambda tpr, fpr: w * (1.0 - tpr) + (1.0 - w) * fpr, w)

    @property
    def size(self) -> int:
        """Number of losses, h."""
        return 1 if self.w is None else len(self.w)

    def rows(self, scores: Scores, without: tuple[IntArray, IntArray] | None = None) -> IntArray:
        """Return the number of distinct scores predicted positive at the best threshold, shape (h,).

        The highest of several thresholds. Only costs accept `without`.
        """
        if self.w is not None:
            return optimal_rows(scores, self.w, without)
        return self.least(rates_along(scores.pos), rates_along(scores.neg))

    def least(self, tpr: FloatArray, fpr: FloatArray) -> IntArray:
        """Return the index of the first minimum along the last axis, which becomes one of length h."""
        with np.errstate(divide="ignore", invalid="ignore"):
            loss = np.nan_to_num(self.loss(tpr[..., None], fpr[..., None]), posinf=1e9)
        # Rounding removes differences between equal losses.
        return np.asarray(np.argmin(np.round(loss, 12), axis=-2))

    def thresholds(self, scores: Scores) -> FloatArray:
        """Return the best threshold: an observed score, or inf."""
        return score_of_rows(scores, self.rows(scores))


def rates_along(counts: IntArray) -> FloatArray:
    """Return the rate at each threshold, from inf to the lowest score, along the last axis."""
    called = _called(counts)
    return np.asarray(called / called[..., -1:])


def candidates(scores: Scores, best: int | IntArray) -> IntArray:
    """Return the rows of thresholds to compare: all, or the best and some at even steps in each class."""
    d = len(scores.score)
    if d <= CANDIDATES:
        return np.arange(d + 1)
    half = CANDIDATES // 2
    of_pos = rows_reaching(np.linspace(0, scores.n_pos, half), scores.pos)
    of_neg = rows_reaching(np.linspace(0, scores.n_neg, half), scores.neg)
    even = np.minimum(np.concatenate([of_pos, of_neg]) + 1, d)
    return np.unique(np.concatenate([[0, d], np.atleast_1d(best), even]))


def optimism_of(
    scores: Scores, criterion: Criterion, price: Callable[[Any, Any], Any] | None = None
) -> FloatArray:
    """Return the optimism of the loss at the threshold chosen by the criterion; never negative.

    With `price`, another function of the rates, return its optimism for one loss. NaN with one case, or
    cluster, in a class, and for crossed clusters.
    """
    folds = min(FOLDS, *units(scores))
    if folds < 2:
        return np.full(criterion.size, math.nan)
    table = joined_runs(scores, candidates(scores, criterion.rows(scores))[1:-1])
    deals = min(REPEATS, max(FEWEST_REPEATS, MOST_DEALT // round(scores.n_pos + scores.n_neg)))
    found = optimism_at(table, criterion, folds, deals, make_rng(REPEAT_SEED), price)
    # Less is rounding error.
    return np.where(found > 1e-12, found, 0.0)


def joined_runs(scores: Scores, rows: IntArray) -> Scores:
    """Return the table of the runs of rows between the given, increasing row numbers."""
    score, design = -np.arange(len(rows) + 1, dtype=np.float64), scores.design
    if design is None:
        return Scores._of(CountTable(score, *runs(scores, rows)))
    design = design.moved(np.searchsorted(rows, np.arange(len(scores.score)), side="right"))
    return Scores._of(CountTable(score, *design.counts(len(score))), design=design)


def units(scores: Scores) -> tuple[int, int]:
    """Return the numbers of cases, or clusters, with positives and with negatives; 0 for crossed clusters."""
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
    """Return the cross-validated loss minus the apparent loss.

    The loss of a partition is that of both rates over all its folds. A price is compared with the price of
    the same thresholds on the folds on which they were chosen.
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
    """Return the number of cases predicted positive at each threshold, along the last axis."""
    first = np.zeros((*counts.shape[:-1], 1), counts.dtype if counts.dtype.kind == "f" else np.int64)
    return np.concatenate([first, np.cumsum(counts, axis=-1)], axis=-1)


def _rows_without(scores: Scores, dealt: list[Any], criterion: Criterion) -> IntArray:
    """Return the rows of the thresholds chosen without each fold, shape (folds, h)."""
    if criterion.w is not None and criterion.size * dealt[0].size > COMPARED:
        return np.stack([criterion.rows(scores, (pos, neg)) for pos, neg in zip(*dealt, strict=True)])
    # Faster than a convex hull for each fold.
    kept = (rates_along(count - out) for count, out in zip((scores.pos, scores.neg), dealt, strict=True))
    return criterion.least(*kept)


def _dealt(scores: Scores, folds: int, generator: np.random.Generator) -> list[Any]:
    """Return positives and negatives by fold, each of shape (folds, d); clusters are not divided."""
    design = scores.design
    if design is None:
        return [_deal(count, folds, generator) for count in (scores.pos, scores.neg)]
    side, row, mass = design.positive, design.row, design.mass
    unit: IntArray = np.arange(len(row))
    stratum = np.zeros(len(row), np.int64) if design.stratum is None else design.stratum.code
    if design.clusters:
        unit = design.clusters[0].code
    else:
        # Each case is a unit with its weight.
        case = np.repeat(unit, design.count)
        side, row, mass, stratum = side[case], row[case], design.weight[case], stratum[case]
        unit = np.arange(len(row))
    # Clusters with both classes are sorted between those with one, so that the clusters of each class are
    # contiguous and evenly distributed over the folds.
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
    """Return counts by fold, shape (folds, d), of cases distributed as evenly as possible."""
    if count.sum() > LARGEST_REPEATED:
        # For so many cases independent assignment is even enough.
        return generator.multinomial(count, np.full(folds, 1.0 / folds)).T
    # All folds are in memory at once, so the smallest integer type is used.
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
