"""Linear and near-linear passes for the AUC: placements and their moments, joint wins of two models."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from confroc._types import FloatArray, IntArray

RUN = 1024
"""Block size of gathered rows, to avoid mispredicted branches."""


def placement_moments(
    pos: IntArray, neg: IntArray, n_pos: int, n_neg: int, auc: float
) -> tuple[float, float, float, float]:
    """Sums of squares and fourth powers of the centered placements, of positives, then negatives."""
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


def twice_won(
    order_pos: NDArray[np.int32],
    order_neg: NDArray[np.int32],
    strict: NDArray[np.int32],
    weak: NDArray[np.int32],
    pos: IntArray,
    neg: IntArray,
    found: IntArray,
) -> None:
    """Fill `found`, of shape (r, 3), with twice the Mann-Whitney U, and the numbers of cases of each class.

    `pos` and `neg`, of shape (r, d), are the counts of the classes. The orders are the rows of each class by
    decreasing score of one model; `strict` and `weak` are the numbers of rows of positives above, and at or
    above, each row of negatives.
    """
    # Cumulative sums avoid the unpredictable branches of a merge.
    above = np.empty(order_pos.shape[0] + 1, np.int64)
    for r in range(pos.shape[0]):
        above[0] = 0
        for i in range(order_pos.shape[0]):
            above[i + 1] = above[i] + pos[r, order_pos[i]]
        wins = 0
        total = 0
        for j in range(order_neg.shape[0]):
            count = neg[r, order_neg[j]]
            wins += count * (above[strict[j]] + above[weak[j]])
            total += count
        found[r, 0] = wins
        found[r, 1] = above[order_pos.shape[0]]
        found[r, 2] = total


def add_ranked_above(
    index: IntArray,
    own: IntArray,
    other: IntArray,
    weight: FloatArray,
    sign: float,
    above: FloatArray,
    found: FloatArray,
) -> None:
    """Add to `found`, with this sign, the other class's weight above each row of one's own, ties one half.

    `own` and `other` are the counts of the classes on the rows of pairs; `found` and `weight` have a value
    for each row with the class. `above` must be zeros, one for each row of the model's table.
    """
    places = np.empty(RUN, np.int64)
    k = 0
    for start in range(0, index.shape[0], RUN):
        held = 0
        for i in range(start, min(start + RUN, index.shape[0])):
            places[held] = index[i]
            held += other[i] > 0
        for j in range(held):
            above[places[j]] += weight[k + j]
        k += held
    passed = 0.0
    for i in range(above.shape[0]):
        here = above[i]
        passed += here
        above[i] = passed - 0.5 * here
    k = 0
    for start in range(0, index.shape[0], RUN):
        held = 0
        for i in range(start, min(start + RUN, index.shape[0])):
            places[held] = index[i]
            held += own[i] > 0
        for j in range(held):
            found[k + j] += sign * above[places[j]]
        k += held


def difference_moments(
    index_a: IntArray,
    index_b: IntArray,
    own: IntArray,
    other_a: IntArray,
    other_b: IntArray,
    scale: float,
    mean: float,
) -> tuple[float, float]:
    """Sums of squares and fourth powers, over one class, of the centered difference of two placements.

    `own` are the counts of the class on the rows of pairs, `other_a` and `other_b` those of the other class
    on each model's rows. Twice the other class's cases above a row, ties one half, times `scale`, is a
    placement up to a constant. Rows are sorted by `index_a`, so only model b's counts need an array.
    """
    above_b = np.empty(other_b.shape[0], np.int64)
    above = 0
    for i in range(other_b.shape[0]):
        above_b[i] = above + other_b[i]
        above += 2 * other_b[i]
    second = 0.0
    fourth = 0.0
    last = 0
    above = 0
    for i in range(own.shape[0]):
        while last < index_a[i]:
            above += 2 * other_a[last]
            last += 1
        if own[i] > 0:
            d = scale * (above + other_a[last] - above_b[index_b[i]]) - mean
            d *= d
            second += own[i] * d
            fourth += own[i] * d * d
    return second, fourth


def four_joint_wins(
    index_a: IntArray,
    index_b: IntArray,
    pos: IntArray,
    neg: IntArray,
    size_b: int,
) -> float:
    """Four times the sum, over pairs of a positive and a negative, of the product of both models' φ.

    φ is 1 for a win and ½ for a tie, so four times a product is a sum of four strict or weak dominances. Rows
    are sorted by `index_a` (decreasing score); a Fenwick tree over `index_b` counts previous positives.
    """
    tree = np.zeros(size_b + 1, np.int64)
    # A double, since the products may exceed 64 bits.
    total = 0.0
    start = 0
    rows = index_a.shape[0]
    while start < rows:
        stop = start
        while stop < rows and index_a[stop] == index_a[start]:
            stop += 1
        # Before this block's positives are added, those in the tree win strictly on a; afterwards weakly.
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
                    total += float(neg[i]) * (above + with_ties)
            if weak == 0:
                for i in range(start, stop):
                    if pos[i] > 0:
                        k = index_b[i] + 1
                        while k <= size_b:
                            tree[k] += pos[i]
                            k += k & -k
        start = stop
    return total
