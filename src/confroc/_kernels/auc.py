"""Linear and near-linear passes for the area: moments of placements, joint wins of two models."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def placement_moments(
    pos: NDArray[np.int64], neg: NDArray[np.int64], n_pos: int, n_neg: int, auc: float
) -> tuple[float, float, float, float]:
    """Sums of squares and of fourth powers of the centred placements: positives', then negatives'."""
    per_pos = 1.0 / n_pos
    per_neg = 1.0 / n_neg
    pos_2 = 0.0
    pos_4 = 0.0
    neg_2 = 0.0
    neg_4 = 0.0
    pos_above = 0
    neg_above = 0
    for i in range(pos.shape[0]):
        v = (n_neg - neg_above - 0.5 * neg[i]) * per_neg - auc
        w = (pos_above + 0.5 * pos[i]) * per_pos - auc
        v *= v
        w *= w
        pos_2 += pos[i] * v
        pos_4 += pos[i] * v * v
        neg_2 += neg[i] * w
        neg_4 += neg[i] * w * w
        pos_above += pos[i]
        neg_above += neg[i]
    return pos_2, pos_4, neg_2, neg_4


def paired_moments(
    index_a: NDArray[np.int64],
    index_b: NDArray[np.int64],
    pos: NDArray[np.int64],
    neg: NDArray[np.int64],
    pos_a: NDArray[np.float64],
    neg_a: NDArray[np.float64],
    pos_b: NDArray[np.float64],
    neg_b: NDArray[np.float64],
) -> tuple[float, float]:
    """Sums of products of the two models' centred placements, over positives and over negatives."""
    of_pos = 0.0
    of_neg = 0.0
    for i in range(pos.shape[0]):
        a = index_a[i]
        b = index_b[i]
        if pos[i] > 0:
            of_pos += pos[i] * pos_a[a] * pos_b[b]
        if neg[i] > 0:
            of_neg += neg[i] * neg_a[a] * neg_b[b]
    return of_pos, of_neg


def four_joint_wins(
    index_a: NDArray[np.int64],
    index_b: NDArray[np.int64],
    pos: NDArray[np.int64],
    neg: NDArray[np.int64],
    size_b: int,
) -> int:
    """Four times the sum, over pairs of a positive and a negative, of the product of both models' wins.

    A win is 1, a tie ½, so four times a product is a sum of four strict or weak dominances. Rows come by
    ascending `index_a` (decreasing score); a Fenwick tree over `index_b` counts the positives met so far.
    """
    tree = np.zeros(size_b + 1, np.int64)
    total = 0
    start = 0
    rows = index_a.shape[0]
    while start < rows:
        stop = start
        while stop < rows and index_a[stop] == index_a[start]:
            stop += 1
        # Before this block's positives enter, those in the tree beat it strictly on a; after, weakly.
        for weak in range(2):
            for i in range(start, stop):
                if neg[i] > 0:
                    above = 0
                    k = index_b[i]
                    while k > 0:
                        above += tree[k]
                        k -= k & -k
                    with_ties = 0
                    k = index_b[i] + 1
                    while k > 0:
                        with_ties += tree[k]
                        k -= k & -k
                    total += neg[i] * (above + with_ties)
            if weak == 0:
                for i in range(start, stop):
                    if pos[i] > 0:
                        k = index_b[i] + 1
                        while k <= size_b:
                            tree[k] += pos[i]
                            k += k & -k
        start = stop
    return total
