"""Counting the cases above two thresholds at once, for many pairs of thresholds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from confroc._types import FloatArray, IntArray
from confroc.points.threshold import counts_at
from confroc.resample import Cells
from confroc.scores import PairedScores
from confroc.scores.counting import CHUNK, rows_above


class Discordant(NamedTuple):
    """Cases that one model calls positive and the other does not, per pair of thresholds.

    `pos_10` are positives with score a >= threshold a and score b < threshold b; `pos_01` the reverse.
    """

    pos_10: IntArray
    pos_01: IntArray
    neg_10: IntArray
    neg_01: IntArray


def discordant_counts(pair: PairedScores, threshold_a: FloatArray, threshold_b: FloatArray) -> Discordant:
    """Count discordant cases at h pairs of thresholds, in O(n log h + h log n) after the pair is sorted."""
    pos_both, neg_both = counts_above_both(pair, threshold_a, threshold_b)
    pos_a, neg_a = counts_at(pair.a, threshold_a)
    pos_b, neg_b = counts_at(pair.b, threshold_b)
    return Discordant(pos_a - pos_both, pos_b - pos_both, neg_a - neg_both, neg_b - neg_both)


def few_rectangles(rows: int, cut_a: IntArray, cut_b: IntArray) -> bool:
    """Whether there are so few rectangles between cuts that a count for each is no matter."""
    return (len(cut_a) + 1) * (len(cut_b) + 1) <= max(CHUNK, rows // 8)


def rectangles(
    table: Cells, index_a: IntArray, index_b: IntArray, cut_a: IntArray, cut_b: IntArray
) -> tuple[Cells, IntArray, IntArray]:
    """Sums of the counts over rectangles between cuts of both ranks, and the rectangles' two indices.

    Rectangles without a case are left out.
    """
    width = len(cut_b) + 1
    if not few_rectangles(len(index_a), cut_a, cut_b):
        key = np.searchsorted(cut_a, index_a, side="right") * width
        key += np.searchsorted(cut_b, index_b, side="right")
        held, row = np.unique(key, return_inverse=True)
        pos, neg = (np.bincount(row, weights=count, minlength=len(held)).astype(np.int64) for count in table)
        return Cells(pos, neg), *np.divmod(held, width)
    size = (len(cut_a) + 1) * width
    # Looked up by rank: a search for each row would take longer.
    last = max(int(index_b.max(initial=-1)) + 1, int(cut_b.max(initial=0)))
    column = np.repeat(
        np.arange(width, dtype=np.min_scalar_type(width)), np.diff(cut_b, prepend=0, append=last)
    )
    sums = np.zeros((2, size), dtype=np.int64)
    step = max(CHUNK, size)
    for start in range(0, len(index_a), step):
        part = slice(start, start + step)
        key = np.searchsorted(cut_a, index_a[part], side="right") * width
        key += column[index_b[part]]
        for total, count in zip(sums, table, strict=True):
            total += np.bincount(key, weights=count[part], minlength=size).astype(np.int64)
    held = np.flatnonzero(sums.any(axis=0))
    return Cells(sums[0, held], sums[1, held]), *np.divmod(held, width)


def counts_above_both(
    pair: PairedScores, threshold_a: FloatArray, threshold_b: FloatArray
) -> tuple[IntArray, IntArray]:
    """Positives and negatives with score a >= threshold a and score b >= threshold b.

    Rows lie in order of score a, so threshold a selects a prefix of them; few thresholds are counted on their
    rectangles instead. Of a row's score b only its level among the thresholds matters. The levels are split
    bit by bit, the highest first, each time moving the rows with a zero bit before those with a one and
    following where every query's stretch of rows goes (a wavelet matrix: Claude & Navarro 2012): what lies on
    the one side while the query's bit is zero is above the threshold.
    """
    rows_a, rows_b = rows_above(pair.a.score, threshold_a), rows_above(pair.b.score, threshold_b)
    cut_a, cut_b = np.unique(rows_a), np.unique(rows_b)
    index_a, level = pair.index_a, pair.index_b
    table = Cells(pair.pos, pair.neg)
    if few_rectangles(len(index_a), cut_a, cut_b):
        table, index_a, level = rectangles(table, index_a, level, cut_a, cut_b)
        rows_a = np.searchsorted(cut_a, rows_a) + 1
    else:
        level = np.searchsorted(cut_b, level, side="right")
    # From the lowest scores up.
    level = len(cut_b) - level
    wanted = len(cut_b) - np.searchsorted(cut_b, rows_b)
    last = np.searchsorted(index_a, rows_a)
    first = np.zeros_like(last)
    counts = np.stack(table)
    found = np.zeros((2, len(last)), dtype=np.int64)
    for bit in reversed(range(len(cut_b).bit_length())):
        is_one = (level >> bit) & 1 == 1
        ones_before = np.concatenate([[0], np.cumsum(is_one)])
        zeros = len(level) - int(ones_before[-1])
        count_before = np.zeros((2, len(level) + 1), dtype=np.int64)
        np.cumsum(counts * is_one, axis=1, out=count_before[:, 1:])
        wants_one = (wanted >> bit) & 1 == 1
        found += np.where(wants_one, 0, count_before[:, last] - count_before[:, first])
        first, last = (
            np.where(wants_one, zeros + ones_before[end], end - ones_before[end]) for end in (first, last)
        )
        level = np.concatenate([level[~is_one], level[is_one]])
        counts = np.concatenate([counts[:, ~is_one], counts[:, is_one]], axis=1)
    count_before = np.zeros((2, len(level) + 1), dtype=np.int64)
    np.cumsum(counts, axis=1, out=count_before[:, 1:])
    pos, neg = found + count_before[:, last] - count_before[:, first]
    return pos, neg
