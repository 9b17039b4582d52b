"""The difference of two models' true positive rates where thresholds are the negatives of one sample.

The thresholds of two models depend on each other and so, given them, do the true positives (Dugas & Gadoury
2009, §4.2 and Appendix B).
"""

from __future__ import annotations

import numpy as np

from confroc._check import ranks_of, whole
from confroc._types import FloatArray, IntArray
from confroc.exact.difference import PairDesign
from confroc.exact.tpr import positives_at
from confroc.resample import Draw
from confroc.scores import PairedScores, Scores
from confroc.scores.counting import rows_reaching, sums_before


def ranked_designs(rates: FloatArray, design: PairDesign) -> list[tuple[PairDesign, FloatArray]]:
    """Return the ranks on either side of each rate, and their weights, which fall with their distance."""
    r, part = ranks_of(rates, design.size[1])
    sides = (r, 1.0 - part), (np.minimum(r + 1, design.size[1]), part)
    return [(design._replace(r=ranks), weight) for ranks, weight in sides if (weight > 0.0).any()]


def moved_inside_ties(pair: PairedScores, design: PairDesign) -> FloatArray:
    """How far the difference at these ranks moves when ties are entered as the curve does.

    The distributions call all cases tied at a threshold positive; the curve counts their positives evenly
    among their negatives.
    """
    # For a resample of another size the negative with the same share of negatives above it.
    # By Python's integers: the product may be beyond 64 bits.
    rank = np.array([-(-x * pair.n_neg // design.size[1]) for x in design.r.tolist()], np.int64)
    moved = np.zeros((2, len(rank)))
    for i, scores in enumerate((pair.a, pair.b)):
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


def difference_replicates(pair: PairedScores, design: PairDesign, draw: Draw) -> FloatArray:
    """Return resampled differences of the true positive rates, of shape (n_resamples, h)."""
    rates = design.r / design.size[1]
    columns = [
        (index, len(scores.score)) for index, scores in ((pair.index_a, pair.a), (pair.index_b, pair.b))
    ]

    def statistic(pos: IntArray, neg: IntArray) -> FloatArray:
        by_a, by_b = (
            share_at_rank(
                np.bincount(index, weights=pos, minlength=rows),
                np.bincount(index, weights=neg, minlength=rows),
                rates,
            )
            for index, rows in columns
        )
        return by_a - by_b

    return draw(statistic, pair, size=design.size)


def replicates_by_rank(scores: Scores, rate: FloatArray, size: tuple[int, int], draw: Draw) -> FloatArray:
    """Return resampled true positive rates of one model, of shape (n_resamples, h)."""
    return draw(lambda pos, neg: share_at_rank(pos, neg, rate), scores, size=size)
