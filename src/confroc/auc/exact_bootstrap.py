"""Variances of areas over infinitely many stratified resamples, in closed form.

A resample draws each class by itself and, where only some cases have both models' scores, the cases with
both, with a's only and with b's only each by themselves: strata s of the positives and t of the negatives.
With φ ∈ {0, ½, 1} the win of a pair of cases, Hoeffding's (1948) decomposition of Σφ/(n₊n₋) gives

    Var* = Σ_s n_s Var_s(h)/n₊² + Σ_t n_t Var_t(g)/n₋²
           + Σ_st n_s n_t [E_st φ² − μ_st² − Var_s(h_t) − Var_t(g_s)]/(n₊n₋)²,

where h is a positive's placement among all negatives, h_t among those of stratum t, g and g_s the negatives',
and variances have divisor n. With one stratum it is Bandos, Rockette & Gur's (2006) formula. For the
covariance of two models, products replace squares and only the stratum with both scores counts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confroc import _kernels
from confroc._kernels.auc import four_joint_wins
from confroc._types import FloatArray, IntArray
from confroc.influence import count_placements, placements
from confroc.scores import PairedScores, Scores

ENUMERABLE = 4_000_000
"""Pairs of cases up to which joint wins are counted pair by pair rather than with a compiled kernel."""


def _mean(values: FloatArray, count: IntArray) -> float:
    # Not np.dot: the threads of a linear algebra library cost more here than they save.
    return float(np.einsum("i,i->", values, count)) / int(count.sum())


def _variance(values: FloatArray, count: IntArray) -> float:
    return _mean((values - _mean(values, count)) ** 2, count)


def exact_bootstrap_variance(scores: Scores, size: tuple[int, int]) -> float:
    """Variance of one area over resamples of m_pos positives and m_neg negatives."""
    return _strata_variance(([scores.pos], [scores.neg]), ([size[0]], [size[1]]))


def partly_shared_variance(full: Scores, parts: Sequence[Scores]) -> float:
    """Variance of the area of `full`, the sum of `parts` that are resampled each by itself."""
    counts: tuple[list[IntArray], list[IntArray]] = ([], [])
    for part in parts:
        at = np.searchsorted(-full.score, -part.score)
        for rows, own in zip(counts, (part.pos, part.neg), strict=True):
            spread = np.zeros_like(full.pos)
            spread[at] = own
            if own.any():
                rows.append(spread)
    sizes = [[int(c.sum()) for c in side] for side in counts]
    return _strata_variance(counts, (sizes[0], sizes[1]))


def _strata_variance(
    counts: tuple[list[IntArray], list[IntArray]], sizes: tuple[list[int], list[int]]
) -> float:
    """The formula above, for strata given as counts on the rows of one table and their resamples' sizes."""
    of_pos, of_neg = count_placements(*(np.sum(side, axis=0) for side in counts))
    n_pos, n_neg = sum(sizes[0]), sum(sizes[1])
    total = 0.0
    for values, side, own, n in zip((of_pos, of_neg), counts, sizes, (n_pos, n_neg), strict=True):
        total += sum(m * _variance(values, c) for c, m in zip(side, own, strict=True)) / n**2
    for p, m_pos in zip(counts[0], sizes[0], strict=True):
        for q, m_neg in zip(counts[1], sizes[1], strict=True):
            own_pos, own_neg = count_placements(p, q)
            mean = _mean(own_pos, p)
            ties = float(np.einsum("i,i->", p.astype(np.float64), q)) / (float(p.sum()) * float(q.sum()))
            # E φ² = P(win) + P(tie)/4 = μ − P(tie)/4.
            rest = mean - 0.25 * ties - mean**2 - _variance(own_pos, p) - _variance(own_neg, q)
            total += float(m_pos) * m_neg * rest / (float(n_pos) * n_neg) ** 2
    return total


def joint_wins(pair: PairedScores) -> float:
    """Mean over pairs of a positive and a negative of the product of both models' wins."""
    rows_pos, rows_neg = np.flatnonzero(pair.pos), np.flatnonzero(pair.neg)
    pairs = float(pair.n_pos) * pair.n_neg
    if len(rows_pos) * len(rows_neg) > ENUMERABLE:
        count = _kernels.compiled(four_joint_wins)(
            pair.index_a, pair.index_b, pair.pos, pair.neg, len(pair.b.score)
        )
        return count / 4.0 / pairs
    wins = np.ones((len(rows_pos), len(rows_neg)))
    for index in (pair.index_a, pair.index_b):
        # A smaller index is a higher score.
        wins *= 0.5 + 0.5 * np.sign(index[rows_neg] - index[rows_pos, None])
    return float(pair.pos[rows_pos] @ wins @ pair.neg[rows_neg]) / pairs


def _shared_covariances(pair: PairedScores, a: Scores, b: Scores) -> tuple[float, float]:
    """Covariances (divisor n) of both models' placements among the cases of `a` and `b`, over the pair's."""
    at_a = np.searchsorted(-a.score, -pair.a.score)[pair.index_a]
    at_b = np.searchsorted(-b.score, -pair.b.score)[pair.index_b]
    (pos_a, neg_a), (pos_b, neg_b) = placements(a), placements(b)
    found = []
    for u, v, count in ((pos_a[at_a], pos_b[at_b], pair.pos), (neg_a[at_a], neg_b[at_b], pair.neg)):
        found.append(_mean((u - _mean(u, count)) * (v - _mean(v, count)), count))
    return found[0], found[1]


def exact_bootstrap_covariance(
    pair: PairedScores, size: tuple[int, int], full: tuple[Scores, Scores] | None = None
) -> float:
    """Covariance of two areas over resamples of the cases that have both scores.

    `full` are all cases of each model, when some have the score of one only; `size` is then the pair's own.
    """
    m_pos, m_neg = size
    a, b = (pair.a, pair.b) if full is None else full
    # With one set of cases the weights are the resample's sizes, otherwise the sample's.
    sizes = [(m_pos, m_neg)] * 2 if full is None else [(s.n_pos, s.n_neg) for s in full]
    (n_pos_a, n_neg_a), (n_pos_b, n_neg_b) = sizes
    of_pos, of_neg = _shared_covariances(pair, a, b)
    own_pos, own_neg = (of_pos, of_neg) if full is None else _shared_covariances(pair, pair.a, pair.b)
    rest = joint_wins(pair) - pair.a.auc * pair.b.auc - own_pos - own_neg
    total = m_pos * of_pos / (float(n_pos_a) * n_pos_b) + m_neg * of_neg / (float(n_neg_a) * n_neg_b)
    share = float(m_pos) * m_neg / (float(n_pos_a) * n_neg_a) / (float(n_pos_b) * n_neg_b)
    return total + share * rest
