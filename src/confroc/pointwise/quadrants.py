"""Counting the cases above two thresholds at once, for many pairs of thresholds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from confroc.pointwise.shared import FloatArray, IntArray
from confroc.pointwise.threshold import counts_at
from confroc.scores import PairedScores


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


def counts_above_both(
    pair: PairedScores, threshold_a: FloatArray, threshold_b: FloatArray
) -> tuple[IntArray, IntArray]:
    """Positives and negatives with score a >= threshold a and score b >= threshold b.

    Rows lie in order of score a, so threshold a selects a prefix of them. Of a row's score b only its
    level among the thresholds matters. The levels are split bit by bit, the highest first, each time
    moving the rows with a zero bit before those with a one and following where every query's stretch of
    rows goes (a wavelet matrix: Claude & Navarro 2012): what lies on the one side while the query's bit
    is zero is above the threshold.
    """
    distinct = np.unique(threshold_b)
    level = np.searchsorted(distinct, pair.score_b, side="right")
    wanted = np.searchsorted(distinct, threshold_b) + 1
    last = np.searchsorted(-pair.score_a, -threshold_a, side="right")
    first = np.zeros_like(last)
    counts = np.stack([pair.pos, pair.neg])
    found = np.zeros((2, len(last)), dtype=np.int64)
    for bit in reversed(range(len(distinct).bit_length())):
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
