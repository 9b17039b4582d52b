"""Placements, and what DeLong, DeLong & Clarke-Pearson (1988) make of them.

A positive's placement is the share of negatives it outranks, a negative's the share of positives that
outrank it, ties counting one half. Each averages to the AUC over its class, and their spread is the
whole of the sampling variance.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from confroc import _kernels
from confroc._kernels.auc import difference_moments, placement_moments
from confroc._types import FloatArray, IntArray
from confroc.scores import PairedScores, Scores


class Moments(NamedTuple):
    """Spread of one class's placements.

    `variance` is of their mean (NaN for a single case); `df` says how well it is known: twice its
    square over its own variance, by the placements' fourth moment, and at most the class's cases less
    one. It is 0 when no placement varies.
    """

    variance: float
    df: float


def placements(scores: Scores) -> tuple[FloatArray, FloatArray]:
    """Placement of a positive and of a negative at each distinct score, minus the AUC."""
    auc = scores.auc
    of_pos = (0.5 * scores.neg - scores.neg_above) / scores.n_neg + (1.0 - auc)
    of_neg = (scores.pos_above - 0.5 * scores.pos) / scores.n_pos - auc
    return of_pos, of_neg


def count_placements(pos: IntArray, neg: IntArray) -> tuple[FloatArray, FloatArray]:
    """Placement of a positive and of a negative on each row of a table of counts, not centred."""
    of_pos = 1.0 - (np.cumsum(neg) - 0.5 * neg) / neg.sum()
    of_neg = (np.cumsum(pos) - 0.5 * pos) / pos.sum()
    return of_pos, of_neg


def covariance_of_means(u: FloatArray, v: FloatArray, count: IntArray, n: int) -> float:
    """Covariance of the means of n centred values u and v that come with counts; NaN for one case."""
    return float(np.einsum("i,i,i->", u, v, count)) / (n - 1) / n if n > 1 else math.nan


def spread(second: float, fourth: float, n: int) -> Moments:
    """Moments of a class of n cases from its sums of squared and of fourth powers of centred placements."""
    if n < 2:
        return Moments(math.nan, 0.0)
    s2 = second / (n - 1)
    # Rounding leaves about 1e-32 where no placement varies.
    if not s2 > 1e-30:
        return Moments(0.0, 0.0)
    # Var(s²) = (m₄ − s⁴(n − 3)/(n − 1))/n, the textbook variance of a sample variance.
    noise = (fourth / n - s2 * s2 * (n - 3) / (n - 1)) / n
    df = n - 1.0 if noise <= 0.0 else min(n - 1.0, 2.0 * s2 * s2 / noise)
    return Moments(s2 / n, df)


def delong_moments(scores: Scores) -> tuple[Moments, Moments]:
    """Spread of the positives' and of the negatives' placements, in one linear pass."""
    n_pos, n_neg = scores.n_pos, scores.n_neg
    if len(scores.score) >= _kernels.BIG:
        sums = _kernels.compiled(placement_moments)(scores.pos, scores.neg, n_pos, n_neg, scores.auc)
    else:
        sums = weighted_moments(placements(scores), (scores.pos, scores.neg))
    return spread(sums[0], sums[1], n_pos), spread(sums[2], sums[3], n_neg)


def weighted_moments(
    values: tuple[FloatArray, FloatArray], counts: tuple[IntArray, IntArray]
) -> tuple[float, float, float, float]:
    """Sums of second and fourth powers of the centred values of each class."""
    sums = []
    for v, c in zip(values, counts, strict=True):
        squares = v * v
        # Not np.dot: the threads of a linear algebra library cost more here than they save.
        sums += [float(np.einsum("i,i->", squares, c)), float(np.einsum("i,i,i->", squares, squares, c))]
    return sums[0], sums[1], sums[2], sums[3]


def delong_variances(scores: Scores) -> tuple[float, float]:
    """DeLong's two parts of the variance of the AUC: from positives and from negatives.

    NaN for a class of a single case, whose spread cannot be estimated.
    """
    of_pos, of_neg = delong_moments(scores)
    return of_pos.variance, of_neg.variance


def delong_covariances(pair: PairedScores) -> tuple[float, float]:
    """DeLong's two parts of the covariance of two AUCs on the same cases."""
    (pos_a, neg_a), (pos_b, neg_b) = placements(pair.a), placements(pair.b)
    return (
        covariance_of_means(pos_a[pair.index_a], pos_b[pair.index_b], pair.pos, pair.n_pos),
        covariance_of_means(neg_a[pair.index_a], neg_b[pair.index_b], pair.neg, pair.n_neg),
    )


def delong_difference_moments(pair: PairedScores) -> tuple[Moments, Moments]:
    """Spread of the positives' and of the negatives' differences of placements, one model's less the other's.

    The variances sum to DeLong's variance of the difference of two AUCs on the same cases, without the
    rounding that two variances less twice a covariance leave.
    """
    n_pos, n_neg = pair.n_pos, pair.n_neg
    if len(pair.pos) >= _kernels.BIG:
        kernel = _kernels.compiled(difference_moments)
        index, difference = (pair.index_a, pair.index_b), pair.a.auc - pair.b.auc
        # A negative's placement counts the positives above it, a positive's the negatives not above it.
        of_pos = kernel(*index, pair.pos, pair.a.neg, pair.b.neg, -0.5 / n_neg, difference)
        of_neg = kernel(*index, pair.neg, pair.a.pos, pair.b.pos, 0.5 / n_pos, difference)
        return spread(*of_pos, n_pos), spread(*of_neg, n_neg)
    return moments_of_difference(pair, placements(pair.a), placements(pair.b))


def moments_of_difference(
    pair: PairedScores, of_a: tuple[FloatArray, FloatArray], of_b: tuple[FloatArray, FloatArray]
) -> tuple[Moments, Moments]:
    """The same from the two models' centred placements, which may be of partial areas."""
    differences = tuple(u[pair.index_a] - v[pair.index_b] for u, v in zip(of_a, of_b, strict=True))
    sums = weighted_moments((differences[0], differences[1]), (pair.pos, pair.neg))
    return spread(sums[0], sums[1], pair.n_pos), spread(sums[2], sums[3], pair.n_neg)


def pooled_df(*parts: Moments) -> float:
    """Degrees of freedom of a sum of variances (Welch-Satterthwaite); 0 when nothing varies."""
    known = [m for m in parts if m.variance > 0.0]
    total = sum(m.variance for m in known)
    return total**2 / sum(m.variance**2 / m.df for m in known) if known else 0.0
