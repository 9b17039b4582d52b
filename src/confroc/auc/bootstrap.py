"""Bootstrap of AUCs: by resampling, and with the variance of infinitely many resamples.

A resample draws each class separately. For partially paired cases, resampling draws from all cases, so that
the set of models that scored a case is drawn with it. The closed form draws the cases with both scores, with
a's only and with b's only separately: strata s of the positives and t of the negatives. With φ ∈ {0, ½, 1}
for the ordering of a pair of cases, Hoeffding's (1948) decomposition of Σφ/(n₊n₋) gives

    Var* = Σ_s n_s Var_s(h)/n₊² + Σ_t n_t Var_t(g)/n₋²
           + Σ_st n_s n_t [E_st φ² − μ_st² − Var_s(h_t) − Var_t(g_s)]/(n₊n₋)²,

where h is a positive's placement among all negatives, h_t among those of stratum t, g and g_s the negatives',
and variances have divisor n. With one stratum this is the formula of Bandos, Rockette & Gur (2006). For the
covariance of two models, products replace squares and only the stratum with both scores contributes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confroc import _kernels
from confroc._kernels.auc import four_joint_wins
from confroc._types import RNG, FloatArray, IntArray
from confroc.curve import CurvePart, area_of_counts
from confroc.influence import count_placements, shared_placements
from confroc.models.resampler import Smoothing, resampler
from confroc.resample import by_generator
from confroc.scores import PairedScores, Scores
from confroc.scores.counting import one_by_one

ENUMERABLE = 4_000_000
"""Number of pairs of cases up to which joint wins are counted without a compiled kernel."""


def smoothed_replicates(
    scores: Scores,
    part: CurvePart | None,
    smoothing: Smoothing,
    n_resamples: int,
    rng: RNG,
    n_jobs: int,
) -> tuple[FloatArray, float]:
    """AUCs of resamples with added noise, and the AUC that centers their errors; not standardized.

    Each class is resampled separately (Bertail, Clémençon & Vayatis 2008, remark 4).
    """
    one_by_one("method 'smoothed_bootstrap'", scores.n_pos + scores.n_neg)
    draws = resampler(scores, smoothing, "stratified")

    def one(generator: np.random.Generator) -> FloatArray:
        pos, neg = draws.draw(generator)
        # Noise breaks all ties.
        positive = np.argsort(-np.concatenate([pos, neg]), kind="stable") < len(pos)
        return np.asarray(area_of_counts(positive.astype(np.int64), (~positive).astype(np.int64), part))

    pos, neg = draws.smooth_steps() if smoothing.center == "smoothed" else (scores.pos, scores.neg)
    return by_generator(one, n_resamples, rng, n_jobs), area_of_counts(pos, neg, part)


# --- infinitely many resamples -------------------------------------------------------------------------


def _mean(values: FloatArray, count: IntArray) -> float:
    # Not np.dot: BLAS threads are slower here.
    return float(np.einsum("i,i->", values, count)) / int(count.sum())


def _variance(values: FloatArray, count: IntArray) -> float:
    return _mean((values - _mean(values, count)) ** 2, count)


def counts_on_rows(levels: FloatArray, scores: Scores) -> tuple[IntArray, IntArray]:
    """Positives and negatives of a sample by decreasing scores, a superset of its own."""
    at = np.searchsorted(-levels, -scores.score)
    counts = np.zeros((2, len(levels)), np.int64)
    counts[0, at], counts[1, at] = scores.pos, scores.neg
    return counts[0], counts[1]


def exact_bootstrap_variance(
    scores: Scores, size: tuple[int, int] | None = None, strata: Sequence[Scores] = ()
) -> float:
    """Variance of one AUC over resamples of `size` cases; default: as many as in the sample.

    `strata` are samples that sum to `scores` and are resampled separately.
    """
    rows = [counts_on_rows(scores.score, s) for s in strata] or [(scores.pos, scores.neg)]
    counts = [[c for c in side if c.any()] for side in zip(*rows, strict=True)]
    sizes = [[int(c.sum()) for c in side] for side in counts] if size is None else [[m] for m in size]
    n_pos, n_neg = (sum(side) for side in sizes)
    total = 0.0
    of_class = zip(count_placements(scores.pos, scores.neg), counts, sizes, (n_pos, n_neg), strict=True)
    for values, side, own, n in of_class:
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


def exact_bootstrap_covariance(
    pair: PairedScores, full: tuple[Scores, Scores], size: tuple[int, int] | None = None
) -> float:
    """Covariance of two AUCs over resamples of `size` of the cases with both scores.

    `full` are all cases of each model. By default all are resampled, those with both scores separately.
    """
    m_pos, m_neg = size or (pair.n_pos, pair.n_neg)
    (n_pos_a, n_neg_a), (n_pos_b, n_neg_b) = (size or (s.n_pos, s.n_neg) for s in full)
    of_pos, of_neg = _covariances(pair, *full)
    whole = full == (pair.a, pair.b)
    own_pos, own_neg = (of_pos, of_neg) if whole else _covariances(pair, pair.a, pair.b)
    rest = joint_wins(pair) - pair.a.auc * pair.b.auc - own_pos - own_neg
    total = m_pos * of_pos / (float(n_pos_a) * n_pos_b) + m_neg * of_neg / (float(n_neg_a) * n_neg_b)
    share = float(m_pos) * m_neg / (float(n_pos_a) * n_neg_a) / (float(n_pos_b) * n_neg_b)
    return total + share * rest


def _covariances(pair: PairedScores, a: Scores, b: Scores) -> tuple[float, float]:
    """Covariances (divisor n) over the pair of both models' placements among all their cases."""
    (pos_a, pos_b), (neg_a, neg_b) = shared_placements(pair, a, b)
    return _mean(pos_a * pos_b, pair.pos), _mean(neg_a * neg_b, pair.neg)


def joint_wins(pair: PairedScores) -> float:
    """Mean over pairs of a positive and a negative of the product of both models' φ."""
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
