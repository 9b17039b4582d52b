"""Linear passes over one model's cases: splitting by class, merging the sorted classes, the curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from confroc._types import FloatArray, IntArray


def partition(labels: NDArray[Any], values: FloatArray, out: FloatArray) -> tuple[int, int, int]:
    """Fill `out` with the values labeled 1 from the left and the others from the right.

    Returns the numbers of labels 1, 0 and −1.
    """
    i = 0
    j = values.shape[0] - 1
    zeros = 0
    minus = 0
    for k in range(values.shape[0]):
        # Both positions are written, to avoid a branch.
        out[i] = values[k]
        out[j] = values[k]
        one = labels[k] == 1
        i += one
        j -= not one
        zeros += labels[k] == 0
        minus += labels[k] == -1
    return i, zeros, minus


def merge_counts(
    pos_sorted: FloatArray,
    neg_sorted: FloatArray,
    above: int,
    score: FloatArray,
    pos: IntArray,
    neg: IntArray,
) -> tuple[int, int]:
    """Fill `score`, `pos`, `neg` (length: all rows) from the top score down.

    Returns the rows used, and twice the Mann-Whitney U, ties counting one half; `above` positives precede all
    of these. Within a tie positives come first, so that a negative meets all cases it ties with. One case per
    step and no branch on the data, half of which would be mispredicted. Adding zero turns minus zero into
    zero.
    """
    i = pos_sorted.shape[0] - 1
    j = neg_sorted.shape[0] - 1
    passed = above
    wins = 0
    row = -1
    last = np.inf
    p = 0
    q = 0
    while i >= 0 and j >= 0:
        positive = pos_sorted[i] >= neg_sorted[j]
        s = pos_sorted[i] if positive else neg_sorted[j]
        new = s != last
        last = s
        row += new
        p = (0 if new else p) + positive
        q = (0 if new else q) + (not positive)
        passed += positive
        wins += 0 if positive else 2 * passed - p
        score[row] = s + 0.0
        pos[row] = p
        neg[row] = q
        i -= positive
        j -= not positive
    while i >= 0:
        new = pos_sorted[i] != last
        last = pos_sorted[i]
        row += new
        p = (0 if new else p) + 1
        q = 0 if new else q
        score[row] = last + 0.0
        pos[row] = p
        neg[row] = q
        i -= 1
    while j >= 0:
        new = neg_sorted[j] != last
        last = neg_sorted[j]
        row += new
        p = 0 if new else p
        q = (0 if new else q) + 1
        wins += 2 * passed - p
        score[row] = last + 0.0
        pos[row] = p
        neg[row] = q
        j -= 1
    return row + 1, wins


def merge_tables(
    score_a: FloatArray,
    pos_a: IntArray,
    neg_a: IntArray,
    score_b: FloatArray,
    pos_b: IntArray,
    neg_b: IntArray,
    score: FloatArray,
    pos: IntArray,
    neg: IntArray,
) -> int:
    """Fill `score`, `pos`, `neg` (length: the rows of both) with the sum of two tables of decreasing scores.

    Returns the rows used.
    """
    i = 0
    j = 0
    row = 0
    while i < score_a.shape[0] or j < score_b.shape[0]:
        from_a = j == score_b.shape[0] or (i < score_a.shape[0] and score_a[i] >= score_b[j])
        from_b = i == score_a.shape[0] or (j < score_b.shape[0] and score_b[j] >= score_a[i])
        p = 0
        q = 0
        if from_a:
            score[row] = score_a[i]
            p += pos_a[i]
            q += neg_a[i]
            i += 1
        if from_b:
            score[row] = score_b[j]
            p += pos_b[j]
            q += neg_b[j]
            j += 1
        pos[row] = p
        neg[row] = q
        row += 1
    return row


def twice_wins(pos: IntArray, neg: IntArray) -> int:
    """Twice the Mann-Whitney U, ties counting one half."""
    wins = 0
    above = 0
    for i in range(pos.shape[0]):
        wins += neg[i] * (2 * above + pos[i])
        above += pos[i]
    return wins


def rates(
    pos: IntArray,
    neg: IntArray,
    n_pos: int,
    n_neg: int,
    fpr: FloatArray,
    tpr: FloatArray,
) -> None:
    """Fill the curve's vertices (one more than the rows), from the origin."""
    pos_above = 0
    neg_above = 0
    fpr[0] = 0.0
    tpr[0] = 0.0
    for i in range(pos.shape[0]):
        pos_above += pos[i]
        neg_above += neg[i]
        fpr[i + 1] = neg_above / n_neg
        tpr[i + 1] = pos_above / n_pos
