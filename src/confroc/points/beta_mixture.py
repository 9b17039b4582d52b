"""Interval for the TPR at a false positive rate, by a mixture of Beta distributions.

The true threshold has the requested false positive rate f. Its position among the sample's n negatives is
unknown, but the number K of negatives above it is Bin(n, f). So its position t on the sample's axis of false
positive rates has the distribution function

    M(k/n) = P(K < k) + P(K = k)/2,

the mid-P form: a threshold between the k-th and the (k + 1)-th negative counts one half on each side. Given
its position, the number of positives above it is given by the sample's curve, J = n_pos R(t), and the true
positive rate has Jeffreys's distribution, Beta(J + 1/2, n_pos - J + 1/2). The limits are quantiles of the
mixture.

Sampling variation must be counted once. Between the median position and another one are B positives, a number
with variance about B (Poisson), which the mixture over positions includes. The Beta distribution includes it
again, so B is subtracted from its variance, n_pos p (1 - p) in positives. Likewise inside a tie: a proportion
u of its m positives is predicted positive on average and not at random, so m u (1 - u) is subtracted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.special import betaincc

from confroc._check import ranks_of
from confroc._types import Ends, FloatArray, IntArray
from confroc.distributions import ROUNDING, Parts, beta_mixture_quantile
from confroc.distributions.counts import binomial_ends
from confroc.resample import tails
from confroc.scores import Scores

STEP = 0.5
"""Spacing of the positions, in standard deviations of the number of negatives above a threshold."""

LEAST = 0.01
"""Smallest remaining fraction of a variance."""


PlaceLaw: TypeAlias = Callable[[FloatArray, int, FloatArray], FloatArray]
"""Probability that a threshold of rate f is above the position with k of n negatives above it."""


class Places(NamedTuple):
    """Intervals of the axis of false positive rates, and the curve at their centers.

    Intervals for several rates are concatenated. `edge` is the upper limit of each, `reached` the cumulative
    probability. The last interval of a rate extends beyond its last edge.
    """

    parts: Parts
    edge: FloatArray
    reached: FloatArray
    cut: tuple[IntArray, FloatArray]

    @classmethod
    def of(cls, scores: Scores, fpr: FloatArray, smallest: float, law: PlaceLaw) -> Places:
        """Build the positions with more than the smallest probability on both sides.

        The first and last interval are unbounded: no case or all cases predicted positive, if the window
        extends so far.
        """
        n = scores.n_neg
        first, last = np.array([binomial_ends(f, n) for f in fpr.tolist()]).reshape(-1, 2).T
        step = np.maximum(1, np.rint(STEP * np.sqrt(n * fpr * (1.0 - fpr)))).astype(np.int64)
        parts = Parts.of(-((first - last) // step) + 1)
        count = np.minimum(np.repeat(first, parts.size) + parts.places * np.repeat(step, parts.size), n)
        reached = law(count.astype(np.float64), n, parts.each(fpr))
        low = np.maximum(parts.sums((reached < smallest).astype(np.int64)) - 1, 0)
        high = np.minimum(parts.sums((reached < 1.0 - smallest).astype(np.int64)) + 1, parts.size)
        begin, edges, parts = parts.start + low, high - low, Parts.of(high - low + 1)
        k = parts.places
        upper = np.repeat(begin, parts.size) + np.minimum(k, np.repeat(edges, parts.size) - 1)
        lower = np.repeat(begin, parts.size) + np.maximum(k - 1, 0)
        rows, part = called(scores, 0.5 * (count[lower] / n + count[upper] / n))
        none = parts.start[count[begin] == 0]
        rows[none], part[none] = 0, 0.0
        reached = np.where(k < np.repeat(edges, parts.size), reached[upper], 1.0)
        return cls(parts, count[upper] / n, reached, (rows, part))

    @property
    def medians(self) -> tuple[IntArray, IntArray]:
        """The first and the last median position."""
        first, last = (
            self.parts.start + self.parts.sums((self.reached < half).astype(np.int64))
            for half in (0.5 - ROUNDING, 0.5 + ROUNDING)
        )
        return first, last

    @property
    def weight(self) -> FloatArray:
        """Probability of each interval."""
        before = np.append(0.0, self.reached[:-1])
        before[self.parts.start] = 0.0
        return np.asarray(self.reached - before)

    def found(self, scores: Scores) -> FloatArray:
        """Return the number of positives above each position."""
        rows, part = self.cut
        return np.asarray(np.append(0, scores.pos_above)[rows] + part * np.append(scores.pos, 0)[rows])


def beta_mixture(scores: Scores, fpr: FloatArray, level: float) -> Ends:
    """Return the limits of central intervals for the true positive rate at false positive rates in [0, 1].

    Where the curve is 0, lower limits use rate 0; where it is 1, upper limits use rate 1.
    """
    low, high = tails(level)
    places = Places.of(scores, fpr, 1e-6 * low, mid_p)
    a, b, weight = share_above(scores, places)
    found, ends = places.found(scores), []
    for sure, prob, known in ((0, low, 0.0), (scores.n_pos, high, 1.0)):
        known_weight = places.parts.sums(weight * (found == sure))
        open_ = known_weight < low * (1.0 - ROUNDING)
        kept = np.repeat(open_, places.parts.size) & (found != sure)
        end = np.full(len(fpr), known)
        if open_.any():
            parts = Parts.of(places.parts.sums(kept.astype(np.int64))[open_])
            below = known_weight[open_] * (sure == 0)
            end[open_] = beta_mixture_quantile(a[kept], b[kept], weight[kept], prob - below, parts)
        ends.append(end)
    return ends[0], ends[1]


def mid_p(k: FloatArray, n: int, f: FloatArray) -> FloatArray:
    """P(K < k) + P(K = k)/2 of K ~ Bin(n, f)."""
    no_more = betaincc(k + 1.0, np.maximum(n - k, 1.0), f)
    fewer = betaincc(np.maximum(k, 1.0), n - k + 1.0, f)
    return np.asarray(0.5 * (np.where(k < n, no_more, 1.0) + np.where(k > 0.0, fewer, 0.0)))


def jeffreys(k: FloatArray, n: int, f: FloatArray) -> FloatArray:
    """P(Beta(k + 1/2, n - k + 1/2) >= f), the continuous form of the same."""
    return np.asarray(betaincc(k + 0.5, n - k + 0.5, f))


def called(scores: Scores, fpr: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the number of rows predicted positive at each rate, and the part of the next one.

    Predictions are those of the curve at the requested rate, with its largest true positive rate.
    """
    r, part = ranks_of(fpr, scores.n_neg)
    above = np.append(0, scores.neg_above)
    rows = np.searchsorted(scores.neg_above, r, side="right")
    inside = np.append(scores.neg, 1)[rows]
    return rows, (r - above[rows] + part) / inside


def shrunk(variance: FloatArray, counted: FloatArray, size: float) -> FloatArray:
    """Return the factor of Dirichlet parameters with sum `size` that removes variance already included."""
    kept = np.maximum(1.0 - counted / variance, LEAST)
    return np.asarray(((size + 1.0) / kept - 1.0) / size)


def in_ties(scores: Scores, cut: tuple[IntArray, FloatArray]) -> FloatArray:
    """Variance of the number of true positives from a random selection within a tie."""
    rows, part = cut
    return np.asarray(np.append(scores.pos, 0)[rows] * part * (1.0 - part))


def share_above(scores: Scores, places: Places) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the Beta distributions of the proportion of positives above the positions, and weights."""
    found = places.found(scores)
    k, size = found + 0.5, scores.n_pos + 1.0
    moved = sum(np.abs(found - places.parts.each(found[median])) for median in places.medians)
    factor = shrunk(k * (1.0 - k / size), 0.5 * moved + in_ties(scores, places.cut), size)
    return factor * k, factor * (size - k), places.weight
