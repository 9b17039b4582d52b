"""The permutation test of two areas on different test sets, studentised.

Under the null hypothesis that both sets come from one population, any division of the pooled cases of each
class into two sets of the same sizes is equally likely, whatever the statistic: a test by random divisions,
the observed one counted among them, is exact. The statistic is the difference of the areas over DeLong's
standard error; so studentised, the test is also asymptotically valid for equal areas of different
populations (Chung & Romano 2013; Pauly, Asendorf & Konietschke 2016), which the plain difference's is not.
"""

from __future__ import annotations

import math

import numpy as np

from confroc._types import RNG, FloatArray, IntArray
from confroc.auc.permutation import Permuted, p_value
from confroc.influence import count_placements
from confroc.resample import spawn
from confroc.scores import UnpairedScores


def pooled_counts(pair: UnpairedScores) -> tuple[tuple[IntArray, IntArray], tuple[IntArray, IntArray]]:
    """Both sets' counts, (pos, neg) each, on the rows of all distinct scores, decreasing."""
    levels = np.union1d(pair.a.score, pair.b.score)[::-1]
    counts = []
    for scores in (pair.a, pair.b):
        at = np.searchsorted(-levels, -scores.score)
        spread = np.zeros((2, len(levels)), np.int64)
        spread[0, at], spread[1, at] = scores.pos, scores.neg
        counts.append((spread[0], spread[1]))
    return counts[0], counts[1]


def area_and_variance(pos: IntArray, neg: IntArray) -> tuple[float, float]:
    """Area and DeLong's variance of a table of counts."""
    of_pos, of_neg = count_placements(pos, neg)
    area = float(np.einsum("i,i->", of_pos, pos)) / int(pos.sum())
    variance = 0.0
    for values, count in ((of_pos, pos), (of_neg, neg)):
        n = int(count.sum())
        variance += float(np.einsum("i,i->", (values - area) ** 2, count)) / max(1, n - 1) / n
    return area, variance


def studentised(difference: float, variance: float) -> float:
    """Difference over its standard error; infinite when that is zero and the difference is not."""
    if variance > 1e-24:
        return difference / math.sqrt(variance)
    return 0.0 if abs(difference) <= 1e-12 else math.copysign(math.inf, difference)


def reallocations(pair: UnpairedScores, n_resamples: int, rng: RNG) -> tuple[float, FloatArray]:
    """Statistic of the sample; differences and statistics of random divisions, shape (n_resamples, 2)."""
    (pos_a, neg_a), (pos_b, neg_b) = pooled_counts(pair)
    pos, neg = pos_a + pos_b, neg_a + neg_b

    def both(p: IntArray, q: IntArray) -> tuple[float, float]:
        (area_a, of_a), (area_b, of_b) = area_and_variance(p, q), area_and_variance(pos - p, neg - q)
        return area_a - area_b, studentised(area_a - area_b, of_a + of_b)

    found = np.empty((n_resamples, 2))
    for i, seed in enumerate(spawn(rng, n_resamples)):
        generator = np.random.Generator(np.random.SFC64(seed))
        drawn = [
            # Case by case, or row by row where rows are few.
            generator.multivariate_hypergeometric(
                total, n, method="count" if total.sum() < 10 * len(total) else "marginals"
            )
            for total, n in ((pos, pair.a.n_pos), (neg, pair.a.n_neg))
        ]
        found[i] = both(drawn[0], drawn[1])
    return both(pos_a, neg_a)[1], found


def tail_shares(observed: float, statistics: FloatArray) -> tuple[float, float]:
    """Shares of divisions at most and at least as large as the sample's, which counts as one of them."""
    # Ties of the discrete statistic count against rejection, rounding or not.
    slack = 1e-9 * max(1.0, abs(observed)) if math.isfinite(observed) else 0.0
    n = 1 + len(statistics)
    less, greater = statistics <= observed + slack, statistics >= observed - slack
    return (1 + int(less.sum())) / n, (1 + int(greater.sum())) / n


def division_test(pair: UnpairedScores, alternative: str, n_resamples: int, rng: RNG) -> Permuted:
    """Test of equal areas by dividing the pooled cases of each class anew."""
    observed, found = reallocations(pair, n_resamples, rng)
    less, greater = tail_shares(observed, found[:, 1])
    return Permuted(
        float(np.sqrt(np.mean(found[:, 0] ** 2))),
        observed,
        p_value(less, greater, alternative),
        "finite-sample",
        f"{n_resamples} divisions of the pooled cases, exact if both sets are from one population",
    )
