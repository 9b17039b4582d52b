"""The difference of two models' true positive rates where thresholds are the negatives of a sample.

On the same cases the thresholds of two models depend on each other and so, given them, do the true positives
(Dugas & Gadoury 2009, §4.2 and Appendix B); on disjoint test sets the two models are independent.
"""

from __future__ import annotations

import numpy as np

from confroc._check import ranks_of, whole
from confroc._types import FloatArray, IntArray
from confroc.exact.difference import PairDesign
from confroc.exact.tpr import positives_at
from confroc.resample import Draw
from confroc.scores import Pair, PairedScores, Scores
from confroc.scores.counting import rows_reaching, sums_before


def ranked_designs(pair: Pair, rates: FloatArray, design: PairDesign) -> list[tuple[PairDesign, FloatArray]]:
    """Return the ranks on either side of each rate, and their weights, which fall with their distance.

    On the same cases both models have the same ranks; otherwise each has its own two.
    """
    (r_a, part_a), (r_b, part_b) = (ranks_of(rates, m) for m in (design.size_a[1], design.size_b[1]))
    next_a, next_b = np.minimum(r_a + 1, design.size_a[1]), np.minimum(r_b + 1, design.size_b[1])
    if isinstance(pair, PairedScores):
        sides = [(r_a, r_b, 1.0 - part_a), (next_a, next_b, part_a)]
    else:
        sides = [
            (ranks_a, ranks_b, weight_a * weight_b)
            for ranks_a, weight_a in ((r_a, 1.0 - part_a), (next_a, part_a))
            for ranks_b, weight_b in ((r_b, 1.0 - part_b), (next_b, part_b))
        ]
    return [(design._replace(r_a=a, r_b=b), weight) for a, b, weight in sides if (weight > 0.0).any()]


def moved_inside_ties(pair: Pair, design: PairDesign) -> FloatArray:
    """How far the difference at these ranks moves when ties are entered as the curve does.

    The distributions call all cases tied at a threshold positive; the curve counts their positives evenly
    among their negatives.
    """
    moved = np.zeros((2, len(design.r_a)))
    sides = ((pair.a, design.r_a, design.size_a), (pair.b, design.r_b, design.size_b))
    for i, (scores, r, size) in enumerate(sides):
        # For a resample of another size the negative with the same share of negatives above it.
        # By Python's integers: the product may be beyond 64 bits.
        rank = np.array([-(-x * scores.n_neg // size[1]) for x in r.tolist()], np.int64)
        called = scores.pos_above[np.searchsorted(scores.neg_above, rank)]
        moved[i] = (positives_at(scores, rank) - called) / scores.n_pos
    return np.asarray(moved[0] - moved[1])


def share_at_rank(pos: FloatArray | IntArray, neg: FloatArray | IntArray, rate: FloatArray) -> FloatArray:
    """Return the true positive rate of one table of counts at given false positive rates.

    The rank that a rate stands for stays within 1 and the number of negatives, which under full sampling
    varies.
    """
    m_neg = int(neg.sum())
    rows = rows_reaching(np.clip(whole(rate, m_neg, up=False), 1, m_neg), neg)
    (found,) = sums_before(rows + 1, pos)
    return np.asarray(found / pos.sum())


def difference_replicates(pair: Pair, design: PairDesign, draw: Draw) -> FloatArray:
    """Return resampled differences of the true positive rates, of shape (n_resamples, h)."""
    rates = design.r_a / design.size_a[1], design.r_b / design.size_b[1]
    if not isinstance(pair, PairedScores):
        drawn = (
            replicates_by_rank(scores, rate, size, draw)
            for scores, rate, size in zip(
                (pair.a, pair.b), rates, (design.size_a, design.size_b), strict=True
            )
        )
        return next(drawn) - next(drawn)
    columns = [
        (index, len(scores.score)) for index, scores in ((pair.index_a, pair.a), (pair.index_b, pair.b))
    ]

    def statistic(pos: IntArray, neg: IntArray) -> FloatArray:
        by_a, by_b = (
            share_at_rank(
                np.bincount(index, weights=pos, minlength=rows),
                np.bincount(index, weights=neg, minlength=rows),
                rates[0],
            )
            for index, rows in columns
        )
        return by_a - by_b

    return draw(statistic, pair, size=design.size_a)


def replicates_by_rank(scores: Scores, rate: FloatArray, size: tuple[int, int], draw: Draw) -> FloatArray:
    """Return resampled true positive rates of one model, of shape (n_resamples, h)."""
    return draw(lambda pos, neg: share_at_rank(pos, neg, rate), scores, size=size)
