"""Costs as linear functions of two error rates, with their means and variances.

Under stratified sampling the rates are FNR and FPR, which are independent; under full sampling they are FN/n
and FP/n, which are correlated through the class sizes. One model and two, and moments with and without
pseudo-cases, differ only in the rates and their covariance (Dugas & Gadoury 2009, cost curves, eqs. 3-13,
with the missing divisors of eq. 5).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np

from confroc._types import FloatArray, IntArray, Sampling, Size
from confroc.resample import Draw, resample
from confroc.scores import Pair, PairedScores, Scores, models_of
from confroc.scores.counting import CHUNK, Cells, Discordant, PairCounter, ThresholdCounter
from confroc.statistics.prevalence import Prevalence


class Errors(NamedTuple):
    """Errors of one model at each threshold: false negatives and false positives, shape (h,)."""

    fn: IntArray
    fp: IntArray


Found: TypeAlias = Errors | Discordant
"""Errors of one model, or the cases that exactly one of two models predicts positive."""

Counter: TypeAlias = ThresholdCounter | PairCounter
Turned: TypeAlias = tuple[bool, bool]
"""Whether correct predictions replace errors, among positives and among negatives."""


class ClassSizes(NamedTuple):
    """Class sizes of the data, and of the sample for which the uncertainty is computed."""

    n_pos: int
    n_neg: int
    m_pos: int
    m_neg: int

    @property
    def share(self) -> float:
        """Prevalence."""
        return self.n_pos / (self.n_pos + self.n_neg)


class Rates(NamedTuple):
    """Two estimated rates at each of h places, with their variances and covariance."""

    x: FloatArray
    y: FloatArray
    xx: FloatArray
    yy: FloatArray
    xy: FloatArray

    def mean(self, alpha: FloatArray, beta: FloatArray) -> FloatArray:
        """Return the mean of alpha·x + beta·y."""
        return alpha * self.x + beta * self.y

    def variance(self, alpha: FloatArray, beta: FloatArray) -> FloatArray:
        """Return the variance of alpha·x + beta·y."""
        return alpha * alpha * self.xx + beta * beta * self.yy + 2.0 * alpha * beta * self.xy

    def minus(self, other: Rates) -> Rates:
        """Return the difference from the rates of an independent model."""
        a, b = self, other
        return Rates(a.x - b.x, a.y - b.y, a.xx + b.xx, a.yy + b.yy, a.xy + b.xy)

    def per_case(self, share: float | FloatArray, drift: float | FloatArray) -> Rates:
        """Return rates over all cases from those within classes; the prevalence has variance `drift`."""
        rest, x, y = 1.0 - share, self.x, self.y
        return Rates(
            share * x,
            rest * y,
            (share * share + drift) * self.xx + drift * x * x,
            (rest * rest + drift) * self.yy + drift * y * y,
            -drift * x * y,
        )


class Pseudo(NamedTuple):
    """Pseudo-cases added to each cell: for one model, two independent models, and a pair."""

    alone: float = 0.0
    of_two: float = 0.0
    paired: float = 0.0


NONE = Pseudo()
# Agresti & Coull (1998), Agresti & Caffo (2000), Agresti & Min (2005).
AGRESTI = Pseudo(alone=2.0, of_two=1.0, paired=0.5)


def linear_form(w: FloatArray, share: float, sampling: Sampling) -> tuple[FloatArray, FloatArray]:
    """Return the coefficients of the two rates in the normalized cost.

    Stratified: w and 1 − w. Full: the unit costs of w at this prevalence (eq. 2), divided by the larger one.
    """
    if sampling == "stratified":
        return w, 1.0 - w
    miss, alarm = w * (1.0 - share), (1.0 - w) * share
    largest = np.maximum(miss, alarm)
    return miss / largest, alarm / largest


def form_of(w: FloatArray, share: Prevalence, sampling: Sampling) -> tuple[FloatArray, FloatArray]:
    """Return the coefficients of the two rates, over all cases if the prevalence is estimated elsewhere.

    The unit costs are then those of w at the estimate, so only the uncertainty of the cost differs from
    stratified sampling.
    """
    if share.uncertain:
        return w / share.value, (1.0 - w) / (1.0 - share.value)
    return linear_form(w, share.value, sampling)


def rates_of(found: Found, sample: ClassSizes, sampling: Sampling, a: float = 0.0) -> Rates:
    """Return rates of one model, or differences between paired models, after adding `a` to each cell.

    A class has two cells for one model and four for two.
    """
    if isinstance(found, Errors):
        p = np.asarray((found.fn + a) / (sample.n_pos + 2.0 * a), dtype=np.float64)
        q = np.asarray((found.fp + a) / (sample.n_neg + 2.0 * a), dtype=np.float64)
        p_spread, q_spread, added = p * (1.0 - p), q * (1.0 - q), 2.0 * a
    else:
        # A positive that only a predicts positive is an error of b only; a negative, of a only.
        p, p_spread = _net(found.pos_01, found.pos_10, sample.n_pos, a)
        q, q_spread = _net(found.neg_10, found.neg_01, sample.n_neg, a)
        added = 4.0 * a
    if sampling == "stratified":
        return Rates(
            p, q, p_spread / (sample.m_pos + added), q_spread / (sample.m_neg + added), np.zeros_like(p)
        )
    # Law of total variance: within classes of expected size share·m, plus the variance of the class sizes.
    share, rest, m = sample.share, 1.0 - sample.share, sample.m_pos + sample.m_neg
    drift = share * rest / m
    return Rates(
        share * p,
        rest * q,
        share * share * p_spread / (share * m + added) + drift * p * p,
        rest * rest * q_spread / (rest * m + added) + drift * q * q,
        -drift * p * q,
    )


def _net(only_a: IntArray, only_b: IntArray, n: int, a: float) -> tuple[FloatArray, FloatArray]:
    """Return the mean and variance of the net error of a case, which is 1, 0 or −1."""
    trials = n + 4.0 * a
    mean = (only_a - only_b) / trials
    return mean, (only_a + only_b + 2.0 * a) / trials - mean * mean


def trials(m_pos: int, m_neg: int, sampling: Sampling) -> tuple[int, int]:
    """Return the denominators of the two rates."""
    m = m_pos + m_neg
    return (m_pos, m_neg) if sampling == "stratified" else (m, m)


class ErrorTable(NamedTuple):
    """A table of one model, or of two on the same cases, with a counter and its counts.

    For a class that is `turned`, correct predictions replace errors.
    """

    table: Cells
    counter: Counter
    found: Found
    sample: ClassSizes
    turned: Turned = (False, False)

    @classmethod
    def of(
        cls,
        cases: Scores | PairedScores,
        counter: Counter,
        size: Size = None,
        *,
        turned: Turned = (False, False),
    ) -> Self:
        """Count on a table, reduced to the smallest with the same counts if it is long."""
        n, table = (cases.n_pos, cases.n_neg), Cells(cases.pos, cases.neg)
        if len(table.pos) > CHUNK:
            table, counter = counter.compressed(table)
        return cls(table, counter, read(counter, table, turned=turned), ClassSizes(*n, *(size or n)), turned)

    def resampled(self, draw: Draw, sampling: Sampling) -> FloatArray:
        """Return both rates in resamples, concatenated, shape (n_resamples, 2h)."""
        size = self.sample.m_pos, self.sample.m_neg
        x, y = trials(*size, sampling)
        table, counter = self.counter.compressed(self.table)

        def rates(pos: IntArray, neg: IntArray) -> FloatArray:
            if isinstance(counter, PairCounter):
                called, alarms = counter.differences(pos, neg)
                missed = -called
            else:
                errors: Any = read(counter, Cells(pos, neg), turned=self.turned)
                missed, alarms = errors
            return np.concatenate([missed / x, alarms / y])

        return draw(rates, table, size=size)


def read(counter: Counter, table: Cells, *, turned: Turned = (False, False)) -> Found:
    """Return the errors at the counter's places for the counts of the data or of a resample."""
    found = counter(*table)
    if isinstance(found, Discordant):
        return found
    return Errors(
        found.pos if turned[0] else table.pos.sum() - found.pos,
        table.neg.sum() - found.neg if turned[1] else found.neg,
    )


class LinearCost(NamedTuple):
    """Cost or benefit alpha·x + beta·y at h places; with two parts, the first minus the second.

    With a prevalence `share` estimated from other cases, the rates are over all cases, as under full
    sampling. `chosen` are thresholds chosen on the same cases.
    """

    parts: tuple[ErrorTable, ...]
    alpha: FloatArray
    beta: FloatArray
    sampling: Sampling
    share: Prevalence | None = None
    chosen: bool = False

    @classmethod
    def of(
        cls,
        data: Scores | Pair,
        thresholds: tuple[FloatArray, ...],
        form: tuple[FloatArray, FloatArray],
        sampling: Sampling,
        *,
        size: Size = None,
        turned: Turned = (False, False),
        share: Prevalence | None = None,
    ) -> Self:
        """Return the cost of one model, or the difference between two."""
        alpha, beta = form
        if isinstance(data, PairedScores):
            # On the same cases each additional true positive is one false negative less.
            alpha, beta = (-v if turn else v for v, turn in zip(form, turned, strict=True))
            parts = [ErrorTable.of(data, PairCounter.of(data, *thresholds), size)]
        else:
            parts = [
                ErrorTable.of(scores, ThresholdCounter.of(scores, threshold), size, turned=turned)
                for scores, threshold in zip(models_of(data), thresholds, strict=True)
            ]
        return cls(tuple(parts), alpha, beta, sampling, share if share and share.uncertain else None)

    @classmethod
    def counted(
        cls,
        found: Sequence[Found],
        n: tuple[int, int],
        form: tuple[FloatArray, FloatArray],
        sampling: Sampling,
    ) -> Self:
        """Return the cost of given numbers of errors, for methods that do not resample."""
        none = np.zeros(1, dtype=np.int64)
        table = Cells(none, none), ThresholdCounter(none)
        return cls(tuple(ErrorTable(*table, one, ClassSizes(*n, *n)) for one in found), *form, sampling)

    @property
    def alone(self) -> bool:
        """Whether there is one model."""
        return len(self.parts) == 1 and isinstance(self.parts[0].found, Errors)

    def cells(self, added: Pseudo) -> float:
        """Return the pseudo-cases for each cell."""
        if len(self.parts) == 2:
            return added.of_two
        return added.alone if self.alone else added.paired

    def rates(self, added: Pseudo = NONE) -> Rates:
        """Return the two rates and their covariance, with pseudo-cases added."""
        first, *rest = (
            rates_of(part.found, part.sample, self.sampling, self.cells(added)) for part in self.parts
        )
        found = first.minus(rest[0]) if rest else first
        if self.share is None:
            return found
        return found.per_case(self.share.value, self.share.variance)

    def mean(self, added: Pseudo = NONE) -> FloatArray:
        """Return the cost at each place, without negative zeros."""
        return self.rates(added).mean(self.alpha, self.beta) + 0.0

    def error(self, added: Pseudo = NONE) -> FloatArray:
        """Return the standard error of the cost at each place."""
        return np.sqrt(self.rates(added).variance(self.alpha, self.beta))

    def replicates(self, n_resamples: int, rng: np.random.Generator, n_jobs: int = 1) -> FloatArray:
        """Return the costs of resamples at fixed thresholds, shape (n_resamples, h)."""
        draw = functools.partial(
            resample, n_resamples=n_resamples, rng=rng, n_jobs=n_jobs, sampling=self.sampling
        )
        drawn = [np.split(part.resampled(draw, self.sampling), 2, axis=1) for part in self.parts]
        alpha, beta = self.alpha, self.beta
        if self.share is not None:
            self.share.check_whole()
            share = self.share.resampled(n_resamples, rng)[:, None]
            alpha, beta = alpha * share, beta * (1.0 - share)
        costs, *second = (alpha * x + beta * y for x, y in drawn)
        return costs - second[0] if second else costs
