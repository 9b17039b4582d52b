"""Areas in resamples of one model, and of several models on the same cases.

Classes are resampled separately. If only some cases are scored by both models, cases are resampled together
with the information which models scored them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from confroc import _kernels
from confroc._check import ArgumentError, check_size
from confroc._kernels.auc import twice_won
from confroc._types import RNG, FloatArray, IntArray, Sampling, Size
from confroc.base import Contrast
from confroc.curve import CurvePart, area_of_counts
from confroc.resample import is_much, resample
from confroc.scores import PairedScores, Scores
from confroc.scores.counting import Cells


class Order(NamedTuple):
    """One model's order of the rows of positives and of negatives.

    Attributes
    ----------
    pos, neg : ndarray of int32
        Rows with a score, by decreasing score.
    strict, weak : ndarray of int32
        Numbers of rows of positives above, and at or above, each row of negatives.
    """

    pos: NDArray[np.int32]
    neg: NDArray[np.int32]
    strict: NDArray[np.int32]
    weak: NDArray[np.int32]

    @classmethod
    def of(cls, ranks: Ranks) -> Order:
        """Return the order of rows with these ranks."""
        pos, neg = (np.argsort(rank, kind="stable")[np.count_nonzero(rank < 0) :] for rank in ranks)
        of_pos, of_neg = ranks[0][pos], ranks[1][neg]
        strict = np.searchsorted(of_pos, of_neg)
        weak = np.searchsorted(of_pos, of_neg, side="right")
        at_pos, at_neg, above = pos.astype(np.int32), neg.astype(np.int32), strict.astype(np.int32)
        # Without ties one of them is enough.
        same = np.array_equal(strict, weak)
        return cls(at_pos, at_neg, above, above if same else weak.astype(np.int32))

    def twice_won(self, pos: IntArray, neg: IntArray, found: Any) -> None:
        """Plain version of the kernel of this name, for small samples."""
        above = np.zeros((len(pos), len(self.pos) + 1), np.int64)
        np.cumsum(pos.take(self.pos, axis=1), axis=1, out=above[:, 1:])
        won = above.take(self.strict, axis=1)
        won += won if self.strict is self.weak else above.take(self.weak, axis=1)
        count = neg.take(self.neg, axis=1)
        found[:, 0] = np.einsum("ri,ri->r", won, count.astype(found.dtype, copy=False))
        found[:, 1], found[:, 2] = above[:, -1], count.sum(axis=1)


Ranks: TypeAlias = tuple[IntArray, IntArray]
"""Return one model's ranks of the rows of positives and negatives, from 0; −1 without a score."""


def _areas(
    table: Cells,
    ranks: Sequence[Ranks],
    part: CurvePart | None,
    n_resamples: int,
    rng: RNG,
    size: tuple[int, int],
    n_jobs: int,
    sampling: Sampling = "stratified",
) -> FloatArray:
    """Return the areas of models in the same resamples, shape (n_resamples, k); NaN without one class."""
    if part is not None:
        levels = [1 + max(int(rank.max()) for rank in own) for own in ranks]

        def of_parts(pos: IntArray, neg: IntArray) -> FloatArray:
            areas = []
            for own, rows in zip(ranks, levels, strict=True):
                # Those without a score are counted last.
                p, q = (
                    np.bincount(rank % (rows + 1), weights=count, minlength=rows + 1)[:-1].astype(np.int64)
                    for rank, count in zip(own, (pos, neg), strict=True)
                )
                areas.append(area_of_counts(p, q, part) if p.any() and q.any() else math.nan)
            return np.array(areas)

        return resample(of_parts, table, n_resamples, rng, size=size, n_jobs=n_jobs, sampling=sampling)
    orders = [Order.of(own) for own in ranks]
    # Beyond 64 bits wins are summed as doubles, with a rounding error far below that of resampling.
    exact = 2 * size[0] * size[1] < 2**63
    fast = exact and is_much(size, n_resamples)

    def areas(pos: IntArray, neg: IntArray) -> FloatArray:
        found: Any = np.empty((len(orders), len(pos), 3), np.int64 if exact else np.float64)
        for order, own in zip(orders, found, strict=True):
            if fast:
                _kernels.compiled(twice_won)(*order, pos, neg, own)
            else:
                order.twice_won(pos, neg, own)
        pairs = 2.0 * found[..., 1] * found[..., 2]
        area = np.full(pairs.shape, np.nan)
        np.divide(found[..., 0], pairs, out=area, where=pairs > 0.0)
        return area.T

    settings: dict[str, Any] = {"size": size, "n_jobs": n_jobs, "sampling": sampling}
    return resample(areas, table, n_resamples, rng, vectorized=True, **settings)


def replicates(
    scores: Scores,
    part: CurvePart | None,
    n_resamples: int,
    rng: RNG,
    size: tuple[int, int],
    n_jobs: int,
    sampling: Sampling = "stratified",
) -> FloatArray:
    """Return the areas of stratified resamples, not standardized, shape (n_resamples,)."""
    # Each class has its own table, which without ties is half as long as the common one.
    rows = np.flatnonzero(scores.pos), np.flatnonzero(scores.neg)
    table = Cells(scores.pos[rows[0]], scores.neg[rows[1]])
    return _areas(table, [rows], part, n_resamples, rng, size, n_jobs, sampling)[:, 0]


def joint_replicates(
    scores: PairedScores,
    part: CurvePart | None,
    n_resamples: int,
    rng: RNG,
    size: tuple[int, int] | None,
    n_jobs: int,
    *,
    full: Sequence[Scores] | None = None,
    only: Sequence[Scores | None] = (),
    sampling: Sampling = "stratified",
) -> FloatArray:
    """Return the areas of k models in the same stratified resamples, not standardized, (n_resamples, k).

    `size` are the class sizes, by default as observed, `full` all cases of each model, and `only` the cases
    that no other model scored. Resamples in which a model lacks a class are omitted.
    """
    models, k = scores.models if full is None else full, len(scores.models)
    own_scores = (model.score[i] for model, i in zip(scores.models, scores.index, strict=True))
    blocks: list[tuple[Any, ...]] = [(scores.pos, scores.neg, *own_scores)]
    for own, extra in enumerate(only):
        if extra is not None:
            missing = np.full(len(extra.score), np.nan)
            columns = (extra.score if place == own else missing for place in range(k))
            blocks.append((extra.pos, extra.neg, *columns))
    pos, neg, *columns_of_scores = (np.concatenate(columns) for columns in zip(*blocks, strict=True))
    rows = np.flatnonzero(pos), np.flatnonzero(neg)
    ranks = []
    for score, own_table in zip(columns_of_scores, models, strict=True):
        rank = np.where(np.isnan(score), -1, np.searchsorted(-own_table.score, -score))
        ranks.append((rank[rows[0]], rank[rows[1]]))
    table, whole = Cells(pos[rows[0]], neg[rows[1]]), (int(pos.sum()), int(neg.sum()))
    values = _areas(table, ranks, part, n_resamples, rng, size or whole, n_jobs, sampling)
    return values[~np.isnan(values).any(axis=1)]


def resample_size(x: Contrast, size: Size) -> Size:
    """Return the size of a resample of two models, which can be given only if all cases are paired."""
    if size is None:
        return None
    if not isinstance(x.data, PairedScores) or any(extra is not None for extra in x.only):
        refuse_size(size)
    return check_size(size, x.data.n_pos, x.data.n_neg)


def refuse_size(size: Size) -> None:
    """Refuse a size of resamples of cases that are not all paired."""
    if size is not None:
        raise ArgumentError("size", "be omitted unless all cases are paired", size, "Omit it.")
