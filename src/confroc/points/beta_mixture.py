"""At a given false positive rate, the interval from a mixture of Beta distributions.

The true threshold has the requested false positive rate f. Where it stands among the sample's n negatives is
unknown, but the number K of negatives above it is Bin(n, f). So its place t on the sample's own axis of false
positive rates has the distribution function

    M(k/n) = P(K < k) + P(K = k)/2,

the mid-P form: of the threshold between the k-th and the (k + 1)-th negative one half goes to either.
Given its place, the positives above it are read off the sample's curve, J = n_pos R(t), and the true positive
rate has Jeffreys's distribution, Beta(J + 1/2, n_pos - J + 1/2). The interval's ends are quantiles of the
mixture.

Chance is counted once. Between the median place and another one are B positives. That number
varies from sample to sample, with a variance of about B (Poisson), and the mixture over places shows it. The
Beta distribution holds it again. So B is taken off its variance, n_pos p (1 - p) in positives. The same is
true inside a tie: a part u of its m positives is called on average and not at random, and m u (1 - u) is
taken off.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.special import betaincc

from confroc._check import ranks_of
from confroc._types import Ends, FloatArray, IntArray
from confroc.distributions import ROUNDING, beta_mixture_quantile
from confroc.distributions.counts import binomial_ends
from confroc.resample import tails
from confroc.scores import Scores

STEP = 0.5
"""Distance of the places, in standard deviations of the number of negatives above a threshold."""

LEAST = 0.01
"""The least part of a variance that is left."""


PlaceLaw: TypeAlias = Callable[[FloatArray, int, float], FloatArray]
"""Probability that a threshold of rate f stands above the place with k of n negatives above it."""


class Places(NamedTuple):
    """Stretches of the axis of false positive rates, and where a model's curve is in the middle of each."""

    edge: FloatArray
    reached: FloatArray
    cut: tuple[IntArray, FloatArray]

    @classmethod
    def of(cls, scores: Scores, f: float, smallest: float, law: PlaceLaw) -> Places:
        """Lay out the places that have more than the smallest probability on either side of them.

        The first and last stretch are all that is beyond: no case called, and every case called, where the
        window reaches as far.
        """
        n = scores.n_neg
        first, last = binomial_ends(f, n)
        step = max(1, round(STEP * float(np.sqrt(n * f * (1.0 - f)))))
        edge = np.minimum(np.arange(first, last + step, step), n) / n
        reached = law(np.rint(n * edge), n, f)
        kept = slice(
            max(int(np.searchsorted(reached, smallest)) - 1, 0),
            int(np.searchsorted(reached, 1.0 - smallest)) + 1,
        )
        edge, reached = edge[kept], reached[kept]
        rows, part = called(scores, np.concatenate([edge[:1], (edge[1:] + edge[:-1]) / 2.0, edge[-1:]]))
        if edge[0] == 0.0:
            rows[0], part[0] = 0, 0.0
        return cls(edge, np.asarray(reached), (rows, part))

    @property
    def medians(self) -> tuple[int, int]:
        """The first and the last place that has no more than half of the probability on either side."""
        first, last = np.searchsorted(self.reached, (0.5 - ROUNDING, 0.5 + ROUNDING))
        return int(first), int(last)

    def found(self, scores: Scores) -> FloatArray:
        """Return the number of positives above each place."""
        rows, part = self.cut
        return np.asarray(np.append(0, scores.pos_above)[rows] + part * np.append(scores.pos, 0)[rows])


def beta_mixture(scores: Scores, fpr: FloatArray, level: float) -> Ends:
    """Return the ends of intervals for the true positive rate at false positive rates in [0, 1]."""
    found = np.array([ends_at(scores, f, level) for f in fpr.tolist()]).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def ends_at(scores: Scores, f: float, level: float) -> tuple[float, float]:
    """Return the ends of the central interval of this level at one rate.

    Where the curve is 0 a lower end takes the rate as 0, and where it is 1 an upper end takes it as 1.
    """
    low, high = tails(level)
    places = Places.of(scores, f, 1e-6 * low, mid_p)
    a, b, weight = share_above(scores, places)
    none, every = (weight * (places.found(scores) == k) for k in (0, scores.n_pos))
    lower, upper = 0.0, 1.0
    if none.sum() < low * (1.0 - ROUNDING):
        lower = beta_mixture_quantile(a, b, weight - none, low - float(none.sum()))
    if every.sum() < low * (1.0 - ROUNDING):
        upper = beta_mixture_quantile(a, b, weight - every, high)
    return lower, upper


def mid_p(k: FloatArray, n: int, f: float) -> FloatArray:
    """P(K < k) + P(K = k)/2 of K ~ Bin(n, f)."""
    no_more = betaincc(k + 1.0, np.maximum(n - k, 1.0), f)
    fewer = betaincc(np.maximum(k, 1.0), n - k + 1.0, f)
    return np.asarray(0.5 * (np.where(k < n, no_more, 1.0) + np.where(k > 0.0, fewer, 0.0)))


def jeffreys(k: FloatArray, n: int, f: float) -> FloatArray:
    """P(Beta(k + 1/2, n - k + 1/2) >= f), the continuous form of the same."""
    return np.asarray(betaincc(k + 0.5, n - k + 0.5, f))


def called(scores: Scores, fpr: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return how many rows are called positive at each rate, and the part of the next one.

    The calls are those of the curve: they give the requested rate, and its largest true positive rate.
    """
    r, part = ranks_of(fpr, scores.n_neg)
    above = np.append(0, scores.neg_above)
    rows = np.searchsorted(scores.neg_above, r, side="right")
    inside = np.append(scores.neg, 1)[rows]
    return rows, (r - above[rows] + part) / inside


def shrunk(variance: FloatArray, counted: FloatArray, size: float) -> FloatArray:
    """Return the factor of a Dirichlet distribution's parameters, of sum `size`, without what is counted."""
    kept = np.maximum(1.0 - counted / variance, LEAST)
    return np.asarray(((size + 1.0) / kept - 1.0) / size)


def in_ties(scores: Scores, cut: tuple[IntArray, FloatArray]) -> FloatArray:
    """Variance that calling a part of a tie at random would add to the number of positives called."""
    rows, part = cut
    return np.asarray(np.append(scores.pos, 0)[rows] * part * (1.0 - part))


def share_above(scores: Scores, places: Places) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the Beta distributions of the share of positives above the places, and their weights."""
    found = places.found(scores)
    k, size = found + 0.5, scores.n_pos + 1.0
    counted = sum(np.abs(found - found[k]) for k in places.medians) / 2.0 + in_ties(scores, places.cut)
    factor = shrunk(k * (1.0 - k / size), counted, size)
    return factor * k, factor * (size - k), np.diff(places.reached, prepend=0.0, append=1.0)
