"""At a given false positive rate, the interval from a mixture of Beta distributions.

The true threshold has the requested false positive rate f. Where it stands among the sample's n negatives is
unknown, but the number K of negatives above it is Bin(n, f). So its place t on the sample's own axis of false
positive rates has the distribution function

    M(k/n) = P(K < k) + P(K = k)/2,

the mid-P form: of the threshold between the k-th and the (k + 1)-th negative one half goes to either. Given
its place, the positives above it are read off the sample's curve, J = n_pos R(t), and the true positive rate
has Jeffreys's distribution, Beta(J + 1/2, n_pos - J + 1/2). The interval's ends are quantiles of the mixture.

Inside a tie of both classes the curve is a diagonal, on which the rates are interpolated between those at its
two ends: F(u) = F_0 + u (F_1 - F_0) and R(u) likewise. These are weighted sums of the three parts of a class
(above the tie, in it, below it), which vary less than a share of cases that are called positive or not; a
Beta distribution with the same mean and variance stands for each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import betaincc

from confroc._types import Ends, FloatArray, IntArray
from confroc.distributions import ROUNDING, beta_mixture_quantile, binomial_cells
from confroc.exact.tpr import CountLaw, gathered
from confroc.resample import tails
from confroc.scores import Scores

PANEL = 1.2
"""Width, in standard deviations, of the panels to whose nodes many thresholds are gathered."""

CELLS = 64
"""Most parts of a tie into which the threshold may fall."""

FINE = 0.25
"""Width of such a part, in standard deviations of the number of positives above it."""

NARROWINGS = 5
"""How often the stretch of a tie that the threshold may fall into is narrowed down, at most 64-fold each."""

LOST = 1e-14
"""Probability left out at either end of that stretch."""


class RateMixture(NamedTuple):
    """Weights on Beta(a, b) distributions, and on places where the curve is 0 (`none`) or 1 (`every`).

    There Jeffreys's distribution holds as well, but the true positive rate is 0 for a lower end and 1 for an
    upper end.
    """

    a: FloatArray
    b: FloatArray
    weight: FloatArray
    none: float
    every: float


class Ties(NamedTuple):
    """Blocks of cases with one score: how many of a class are above each block and inside it."""

    above: IntArray
    inside: IntArray
    n: int

    def share(self, block: IntArray, u: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return a and b of the Beta distribution of the class's share above the part u of a block.

        At the ends of a block it is Jeffreys's distribution; between them it has the mean and variance of
        P_0 + u (P_1 - P_0), where the parts of the class are Dirichlet(above + 1/2, inside, below + 1/2).
        """
        above, inside = self.above[block] + 0.5, self.inside[block]
        mean = (above + u * inside) / (self.n + 1.0)
        square = (above + u * u * inside) / (self.n + 1.0)
        size = (self.n + 2.0) * (mean * (1.0 - mean)) / (square - mean * mean) - 1.0
        return mean * size, (1.0 - mean) * size


def beta_mixture(scores: Scores, fpr: FloatArray, level: float) -> Ends:
    """Return the ends of intervals for the true positive rate at false positive rates in [0, 1]."""
    of_neg = np.flatnonzero(scores.neg)
    above = scores.neg_above[of_neg]
    found = np.array(
        [ends_of(mixture_at(scores, of_neg, above, f), scores.n_pos, level) for f in fpr.tolist()]
    ).reshape(-1, 2)
    return found[:, 0], found[:, 1]


# --- the mixture -------------------------------------------------------------------------------------


def mixture_at(scores: Scores, of_neg: IntArray, above: IntArray, f: float) -> RateMixture:
    """Return the mixture at one false positive rate.

    `of_neg` are the rows that hold negatives, `above` the negatives down to each.
    """
    n, n_pos = scores.n_neg, scores.n_pos
    counts, pmf = binomial_cells(f, n)
    mid = np.concatenate([[0.0], np.minimum(np.cumsum(pmf) - pmf / 2.0, 1.0), [1.0]])

    laid_out = len(counts) == counts[-1] - counts[0] + 1

    def place(cases: IntArray) -> FloatArray:
        """M at so many negatives of n; 0 before the window and 1 after it."""
        if laid_out:
            return np.asarray(mid[np.clip(cases - counts[0] + 1, 0, len(counts) + 1)])
        return np.asarray(np.interp(cases, counts, mid[1:-1], left=0.0, right=1.0))

    first, last = np.searchsorted(above, [counts[0], counts[-1] + 1])
    rows = of_neg[first : last + 1]
    pos, neg, pos_after, neg_after = (
        column[rows] for column in (scores.pos, scores.neg, scores.pos_above, scores.neg_above)
    )
    start, stop = place(neg_after - neg), place(neg_after)
    weight = stop - start
    at_ends = place(np.array([0, n]))
    none = float(at_ends[0] + weight[pos_after == 0].sum())
    every = float(1.0 - at_ends[1] + weight[(pos_after == n_pos) & (pos == 0)].sum())
    flat = (pos == 0) & (pos_after > 0) & (pos_after < n_pos)
    parts = []
    if flat.any():
        points = gathered(
            CountLaw(pos_after[flat].astype(np.float64), weight[flat]), n_pos, n_pos, panel=PANEL
        )
        parts.append((points.share * n_pos + 0.5, (1.0 - points.share) * n_pos + 0.5, points.weight))
    tied = (pos > 0) & (weight > LOST)
    if tied.any():
        of_pos = Ties((pos_after - pos)[tied], pos[tied], n_pos)
        parts.append(
            diagonals(of_pos, Ties((neg_after - neg)[tied], neg[tied], n), f, start[tied], stop[tied])
        )
    a, b, weight = np.concatenate(parts, axis=1) if parts else np.empty((3, 0))
    return RateMixture(a, b, weight, none, every)


def diagonals(
    pos: Ties, neg: Ties, f: float, start: FloatArray, stop: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return a, b and weights of the Beta distributions of ties of both classes, given M at their ends."""
    low, high = np.zeros(len(start)), np.ones(len(start))
    block = np.arange(len(start))
    for _ in range(NARROWINGS):
        a, b = pos.share(block, (low + high) / 2.0)
        deviation = pos.n * np.sqrt(a * b / (a + b + 1.0)) / (a + b)
        cells = np.maximum(np.ceil(pos.inside * (high - low) / (FINE * deviation)), 1.0).astype(np.int64)
        if (cells <= CELLS).all():
            break
        u = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, CELLS + 1)
        reached = betaincc(*neg.share(block[:, None], u), f)
        before = np.count_nonzero(reached <= start[:, None] + LOST, axis=1)
        after = np.count_nonzero(reached < stop[:, None] - LOST, axis=1)
        low, high = (
            u[block, np.maximum(before - 1, 0)],
            u[block, np.clip(after, np.maximum(before, 1), CELLS)],
        )
    cells = np.minimum(cells, CELLS)
    first = np.cumsum(cells) - cells
    of = np.repeat(block, cells)
    nth = np.arange(len(of)) - first[of]
    width = ((high - low) / cells)[of]
    reached = np.clip(betaincc(*neg.share(of, low[of] + (nth + 1.0) * width), f), start[of], stop[of])
    reached[first + cells - 1] = stop
    weight = np.maximum(np.diff(reached, prepend=0.0), 0.0)
    weight[first] = np.maximum(reached[first] - start, 0.0)
    weight *= ((stop - start) / np.add.reduceat(weight, first))[of]
    return *pos.share(of, low[of] + (nth + 0.5) * width), weight


# --- its quantiles -----------------------------------------------------------------------------------


def ends_of(mixture: RateMixture, n_pos: int, level: float) -> tuple[float, float]:
    """Return the two quantiles between which the central interval of this level lies."""
    low, high = tails(level)
    a, b, weight, none, every = mixture
    lower, upper = 0.0, 1.0
    if none < low * (1.0 - ROUNDING):
        lower = beta_mixture_quantile(
            np.append(a, n_pos + 0.5), np.append(b, 0.5), np.append(weight, every), low - none
        )
    if every < low * (1.0 - ROUNDING):
        upper = beta_mixture_quantile(
            np.append(a, 0.5), np.append(b, n_pos + 0.5), np.append(weight, none), high
        )
    return lower, upper
