"""Mean and variance of costs: every cost is a linear form of two error rates.

Under stratified sampling the rates are FNR and FPR, each over its own class, and independent; under full
sampling they are FN/n and FP/n, and the random class sizes tie them together. What differs between one
model and two, and between the data's own moments and smoothed ones, is only the rates and their
covariance (Dugas & Gadoury 2009, cost curves, eqs. 3-13, with the missing divisors of eq. 5).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from confroc._types import FloatArray, IntArray, Sampling
from confroc.cost.tallies import Errors
from confroc.scores.counting import Discordant


class Sample(NamedTuple):
    """Class sizes of the data, and of the sample whose uncertainty is wanted (the data's own, as a rule)."""

    n_pos: int
    n_neg: int
    m_pos: int
    m_neg: int

    @property
    def share(self) -> float:
        """Share of positives."""
        return self.n_pos / (self.n_pos + self.n_neg)

    @property
    def m(self) -> int:
        """Cases of both classes together."""
        return self.m_pos + self.m_neg


class Rates(NamedTuple):
    """Two estimated rates at each of h places, with their variances and covariance."""

    x: FloatArray
    y: FloatArray
    xx: FloatArray
    yy: FloatArray
    xy: FloatArray

    def mean(self, alpha: FloatArray, beta: FloatArray) -> FloatArray:
        """Mean of alpha·x + beta·y."""
        return alpha * self.x + beta * self.y

    def variance(self, alpha: FloatArray, beta: FloatArray) -> FloatArray:
        """Variance of alpha·x + beta·y."""
        return alpha * alpha * self.xx + beta * beta * self.yy + 2.0 * alpha * beta * self.xy


def linear_form(w: FloatArray, share: float, sampling: Sampling) -> tuple[FloatArray, FloatArray]:
    """Coefficients of the two rates in the normalised cost.

    Stratified: w and 1 − w. Full: the unit costs that w stands for at this share of positives (eq. 2),
    divided by the larger of the two.
    """
    if sampling == "stratified":
        return w, 1.0 - w
    miss, alarm = w * (1.0 - share), (1.0 - w) * share
    largest = np.maximum(miss, alarm)
    return miss / largest, alarm / largest


def one_model(found: Errors, sample: Sample, sampling: Sampling, a: float = 0.0) -> Rates:
    """Rates of one model's errors, after adding `a` errors and `a` correct cases to each class."""
    p = np.asarray((found.fn + a) / (sample.n_pos + 2.0 * a), dtype=np.float64)
    q = np.asarray((found.fp + a) / (sample.n_neg + 2.0 * a), dtype=np.float64)
    return _assemble(p, q, p * (1.0 - p), q * (1.0 - q), 2.0 * a, sample, sampling)


def two_models(found: Discordant, sample: Sample, sampling: Sampling, a: float = 0.0) -> Rates:
    """Differences of two models' rates on the same cases, after adding `a` to each cell of each class."""
    # A positive that only b calls positive is an error of a alone; a negative, of b alone.
    p, p_spread = _net(found.pos_01, found.pos_10, sample.n_pos, a)
    q, q_spread = _net(found.neg_10, found.neg_01, sample.n_neg, a)
    return _assemble(p, q, p_spread, q_spread, 4.0 * a, sample, sampling)


def _net(only_a: IntArray, only_b: IntArray, n: int, a: float) -> tuple[FloatArray, FloatArray]:
    """Mean and variance of a case's net error, which is 1, 0 or −1."""
    trials = n + 4.0 * a
    mean = (only_a - only_b) / trials
    return mean, (only_a + only_b + 2.0 * a) / trials - mean * mean


def _assemble(
    p: FloatArray,
    q: FloatArray,
    p_spread: FloatArray,
    q_spread: FloatArray,
    added: float,
    sample: Sample,
    sampling: Sampling,
) -> Rates:
    """Rates from the mean and variance per case within each class; `added` pseudo-cases in each class."""
    if sampling == "stratified":
        return Rates(
            p, q, p_spread / (sample.m_pos + added), q_spread / (sample.m_neg + added), np.zeros_like(p)
        )
    # Total variance: within the classes, whose expected sizes are share·m, plus that of the class sizes.
    share, rest, m = sample.share, 1.0 - sample.share, sample.m
    drift = share * rest / m
    return Rates(
        share * p,
        rest * q,
        share * share * p_spread / (share * m + added) + drift * p * p,
        rest * rest * q_spread / (rest * m + added) + drift * q * q,
        -drift * p * q,
    )


def minus(a: Rates, b: Rates) -> Rates:
    """Difference of two independent models' rates."""
    return Rates(a.x - b.x, a.y - b.y, a.xx + b.xx, a.yy + b.yy, a.xy + b.xy)
