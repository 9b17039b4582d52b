"""Linear passes over one model's cases: merging the sorted classes, and sums over the table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def partition(member: NDArray[np.bool_], values: NDArray[np.float64], out: NDArray[np.float64]) -> int:
    """Fill `out` with the members' values from the left and the others' from the right; return how many."""
    i = 0
    j = values.shape[0] - 1
    for k in range(values.shape[0]):
        # Both places are written, one of them for good: no branch to guess.
        out[i] = values[k]
        out[j] = values[k]
        if member[k]:
            i += 1
        else:
            j -= 1
    return i


def merge_counts(
    pos_sorted: NDArray[np.float64],
    neg_sorted: NDArray[np.float64],
    score: NDArray[np.float64],
    pos: NDArray[np.int64],
    neg: NDArray[np.int64],
) -> int:
    """Fill `score`, `pos`, `neg` (length: all rows) from the top score down; return the rows used."""
    i = pos_sorted.shape[0] - 1
    j = neg_sorted.shape[0] - 1
    used = 0
    while i >= 0 and j >= 0:
        s = max(pos_sorted[i], neg_sorted[j])
        p = 0
        q = 0
        while i >= 0 and pos_sorted[i] == s:
            p += 1
            i -= 1
        while j >= 0 and neg_sorted[j] == s:
            q += 1
            j -= 1
        score[used] = s
        pos[used] = p
        neg[used] = q
        used += 1
    while i >= 0:
        s = pos_sorted[i]
        p = 0
        while i >= 0 and pos_sorted[i] == s:
            p += 1
            i -= 1
        score[used] = s
        pos[used] = p
        neg[used] = 0
        used += 1
    while j >= 0:
        s = neg_sorted[j]
        q = 0
        while j >= 0 and neg_sorted[j] == s:
            q += 1
            j -= 1
        score[used] = s
        pos[used] = 0
        neg[used] = q
        used += 1
    return used


def twice_wins(pos: NDArray[np.int64], neg: NDArray[np.int64]) -> int:
    """Twice the pairs in which the positive outranks the negative, a tie counting one half."""
    wins = 0
    above = 0
    for i in range(pos.shape[0]):
        wins += neg[i] * (2 * above + pos[i])
        above += pos[i]
    return wins


def placement_sums(
    pos: NDArray[np.int64], neg: NDArray[np.int64], n_pos: int, n_neg: int, auc: float
) -> tuple[float, float]:
    """Sum of squared centred placements of the positives and of the negatives."""
    per_pos = 1.0 / n_pos
    per_neg = 1.0 / n_neg
    of_pos = 0.0
    of_neg = 0.0
    pos_above = 0
    neg_above = 0
    for i in range(pos.shape[0]):
        v = (n_neg - neg_above - 0.5 * neg[i]) * per_neg - auc
        w = (pos_above + 0.5 * pos[i]) * per_pos - auc
        of_pos += pos[i] * v * v
        of_neg += neg[i] * w * w
        pos_above += pos[i]
        neg_above += neg[i]
    return of_pos, of_neg


def rates(
    pos: NDArray[np.int64],
    neg: NDArray[np.int64],
    n_pos: int,
    n_neg: int,
    fpr: NDArray[np.float64],
    tpr: NDArray[np.float64],
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
