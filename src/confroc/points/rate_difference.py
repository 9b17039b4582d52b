"""Ranks of thresholds for two models on the same cases, and resampled true positive rates by rank.

The thresholds of two models are dependent, and so, given them, are the true positives (Dugas & Gadoury 2009,
§4.2 and Appendix B).
"""

from __future__ import annotations

import numpy as np

from confroc._check import ranks_of, whole
from confroc._types import FloatArray, IntArray
from confroc.exact.difference import PairDesign
from confroc.exact.tpr import positives_at
from confroc.resample import Draw
from confroc.scores import PairedScores, Scores
from confroc.scores.counting import Cells, rows_reaching, sums_before


def ranked_designs(rates: FloatArray, design: PairDesign) -> list[tuple[PairDesign, FloatArray]]:
    """Return the ranks on both sides of each rate, with weights that decrease with distance."""
    r, part = ranks_of(rates, design.size[1])
    sides = (r, 1.0 - part), (np.minimum(r + 1, design.size[1]), part)
    return [(design._replace(r=ranks), weight) for ranks, weight in sides if (weight > 0.0).any()]


def moved_inside_ties(pair: PairedScores, design: PairDesign) -> FloatArray:
    """Change of the difference at these ranks if ties are treated as on the curve.

    The distributions predict all cases tied at a threshold positive; the curve spreads their positives evenly
    among their negatives.
    """
    # For a resample of another size, the negative with the same proportion of negatives above it.
    # Python integers, since the product may exceed 64 bits.
    rank = np.array([-(-x * pair.n_neg // design.size[1]) for x in design.r.tolist()], np.int64)
    moved = np.zeros((2, len(rank)))
    for i, scores in enumerate((pair.a, pair.b)):
        called = scores.pos_above[np.searchsorted(scores.neg_above, rank)]
        moved[i] = (positives_at(scores, rank) - called) / scores.n_pos
    return np.asarray(moved[0] - moved[1])


def share_at_rank(pos: FloatArray | IntArray, neg: FloatArray | IntArray, rate: FloatArray) -> FloatArray:
    """Return the true positive rate of one table of counts at given false positive rates.

    The rank is at least 1 and at most the number of negatives, which varies under full sampling.
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


def replicates_at(scores: Scores, rate: FloatArray, size: tuple[int, int], draw: Draw) -> FloatArray:
    """Return resampled true positive rates, of shape (n_resamples, h).

    Between two ranks one of them is drawn, weighted by distance. Inside a tie the threshold is one of the
    sample's negatives in random order, with each positive of the tie above it with the interpolated
    probability, as in `confroc.exact.tpr.spread_laws`.
    """
    if not ((scores.pos > 0) & (scores.neg > 1)).any():
        return _untied_replicates(scores, rate, size, draw)

    def statistic(pos: IntArray, neg: IntArray, rng: np.random.Generator) -> FloatArray:
        m_neg = int(neg.sum())
        low, between = ranks_of(rate, m_neg)
        # Under full sampling the number of negatives varies.
        rank = np.clip(low + (rng.random() < between), 1, m_neg)
        rows = rows_reaching(rank, neg)
        found, passed = sums_before(rows, pos, neg)
        tied, inside = pos[rows], scores.neg[rows]
        spread = (tied > 0) & (inside > 1)
        if spread.any():
            within = (rank - passed)[spread]
            depth = rng.beta(within, neg[rows][spread] - within + 1)
            share = np.ceil(depth * inside[spread]) / inside[spread]
            tied[spread] = rng.binomial(tied[spread], share)
        return np.asarray((found + tied) / pos.sum())

    return draw(statistic, scores, size=size, randomized=True)


def _untied_replicates(scores: Scores, rate: FloatArray, size: tuple[int, int], draw: Draw) -> FloatArray:
    """The same for scores without ties of positives with several negatives, vectorized."""
    at_pos, at_neg = np.flatnonzero(scores.pos), np.flatnonzero(scores.neg)
    weak = np.searchsorted(at_pos, at_neg, side="right")

    def statistic(pos: IntArray, neg: IntArray, rng: np.random.Generator) -> FloatArray:
        passed = np.cumsum(neg, axis=1)
        m_neg = passed[:, -1:]
        low, between = ranks_of(rate, m_neg)
        rank = np.clip(low + (rng.random(m_neg.shape) < between), 1, m_neg)
        # One search for all: sums of each resample are shifted above those of the previous one.
        each = np.arange(len(neg))[:, None]
        lift = each * (int(m_neg.max()) + 1)
        row = np.searchsorted((passed + lift).ravel(), (rank + lift).ravel()).reshape(rank.shape)
        above = np.zeros((len(pos), len(at_pos) + 1), np.int64)
        np.cumsum(pos, axis=1, out=above[:, 1:])
        return np.asarray(above[each, weak[row - each * len(at_neg)]] / above[:, -1:])

    table = Cells(scores.pos[at_pos], scores.neg[at_neg])
    return draw(statistic, table, size=size, randomized=True, vectorized=True)
