"""Error rates of one model or two, what the errors cost, and the mean and variance of that.

Every cost is a linear form of two error rates. Under stratified sampling they are FNR and FPR, each over
its own class, and independent; under full sampling they are FN/n and FP/n, and the random class sizes tie
them together. What differs between one model and two, and between the data's own moments and smoothed ones,
is only the rates and their covariance (Dugas & Gadoury 2009, cost curves, eqs. 3-13, with the missing
divisors of eq. 5).
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
"""Errors of one model, or the cases that only one of two calls positive: one of the two errs."""

Counter: TypeAlias = ThresholdCounter | PairCounter
Turned: TypeAlias = tuple[bool, bool]
"""Whether cases called rightly are counted instead of errors, among positives and among negatives."""


class ClassSizes(NamedTuple):
    """Class sizes of the data, and of the sample whose uncertainty is wanted (the data's own, as a rule)."""

    n_pos: int
    n_neg: int
    m_pos: int
    m_neg: int

    @property
    def share(self) -> float:
        """Share of positives."""
        return self.n_pos / (self.n_pos + self.n_neg)


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

    def minus(self, other: Rates) -> Rates:
        """Difference to the rates of another, independent model."""
        a, b = self, other
        return Rates(a.x - b.x, a.y - b.y, a.xx + b.xx, a.yy + b.yy, a.xy + b.xy)

    def per_case(self, share: float | FloatArray, drift: float | FloatArray) -> Rates:
        """Rates over all cases from independent ones within the classes, for a share of variance `drift`."""
        rest, x, y = 1.0 - share, self.x, self.y
        return Rates(
            share * x,
            rest * y,
            (share * share + drift) * self.xx + drift * x * x,
            (rest * rest + drift) * self.yy + drift * y * y,
            -drift * x * y,
        )


class Pseudo(NamedTuple):
    """Pseudo-cases added to each cell: for one model, each of two independent ones, a pair."""

    alone: float = 0.0
    of_two: float = 0.0
    paired: float = 0.0


NONE = Pseudo()
# Agresti & Coull (1998), Agresti & Caffo (2000), Agresti & Min (2005).
AGRESTI = Pseudo(alone=2.0, of_two=1.0, paired=0.5)


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


def form_of(w: FloatArray, share: Prevalence, sampling: Sampling) -> tuple[FloatArray, FloatArray]:
    """Coefficients of the two rates, over all cases where the share of positives comes from other cases.

    There the unit costs are those that w stands for at the estimate, with which the cost is the stratified
    one: only its uncertainty differs.
    """
    if share.uncertain:
        return w / share.value, (1.0 - w) / (1.0 - share.value)
    return linear_form(w, share.value, sampling)


def rates_of(found: Found, sample: ClassSizes, sampling: Sampling, a: float = 0.0) -> Rates:
    """Rates of one model, or differences of two on the same cases, after adding `a` to each cell.

    A class has two cells for one model (error, none), four for two.
    """
    if isinstance(found, Errors):
        p = np.asarray((found.fn + a) / (sample.n_pos + 2.0 * a), dtype=np.float64)
        q = np.asarray((found.fp + a) / (sample.n_neg + 2.0 * a), dtype=np.float64)
        p_spread, q_spread, added = p * (1.0 - p), q * (1.0 - q), 2.0 * a
    else:
        # A positive that only a calls positive is an error of b alone; a negative, of a alone.
        p, p_spread = _net(found.pos_01, found.pos_10, sample.n_pos, a)
        q, q_spread = _net(found.neg_10, found.neg_01, sample.n_neg, a)
        added = 4.0 * a
    if sampling == "stratified":
        return Rates(
            p, q, p_spread / (sample.m_pos + added), q_spread / (sample.m_neg + added), np.zeros_like(p)
        )
    # Total variance: within the classes, whose expected sizes are share·m, plus that of the class sizes.
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
    """Mean and variance of a case's net error, which is 1, 0 or −1."""
    trials = n + 4.0 * a
    mean = (only_a - only_b) / trials
    return mean, (only_a + only_b + 2.0 * a) / trials - mean * mean


def trials(m_pos: int, m_neg: int, sampling: Sampling) -> tuple[int, int]:
    """Cases over which the two rates are taken."""
    m = m_pos + m_neg
    return (m_pos, m_neg) if sampling == "stratified" else (m, m)


class ErrorTable(NamedTuple):
    """One table of counts, how to count on it, and what is found: one model, or two on the same cases.

    Of a class that is `turned`, the cases called rightly stand in for its errors.
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
        """Count on a table, cut down to the smallest with the same results if it is long."""
        n, table = (cases.n_pos, cases.n_neg), Cells(cases.pos, cases.neg)
        if len(table.pos) > CHUNK:
            table, counter = counter.compressed(table)
        return cls(table, counter, read(counter, table, turned=turned), ClassSizes(*n, *(size or n)), turned)

    def resampled(self, draw: Draw, sampling: Sampling) -> FloatArray:
        """Both rates in resamples, one after the other, shape (n_resamples, 2h)."""
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
    """Errors at the counter's places for a table of counts, the data's or a resample's."""
    found = counter(*table)
    if isinstance(found, Discordant):
        return found
    return Errors(
        found.pos if turned[0] else table.pos.sum() - found.pos,
        table.neg.sum() - found.neg if turned[1] else found.neg,
    )


class LinearCost(NamedTuple):
    """alpha·x + beta·y at h places: a cost or a benefit; with two parts, the first minus the second.

    With a `share` of positives estimated from other cases, the rates are over all cases, as under full
    sampling. Thresholds may be `chosen` on the same cases.
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
        """Price the errors of one model, or the difference of two."""
        alpha, beta = form
        if isinstance(data, PairedScores):
            # On the same cases a true positive more is a false negative less.
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
        """Price errors that are counted already, without the cases: for methods that do not resample."""
        none = np.zeros(1, dtype=np.int64)
        table = Cells(none, none), ThresholdCounter(none)
        return cls(tuple(ErrorTable(*table, one, ClassSizes(*n, *n)) for one in found), *form, sampling)

    @property
    def alone(self) -> bool:
        """Whether this is about one model."""
        return len(self.parts) == 1 and isinstance(self.parts[0].found, Errors)

    def cells(self, added: Pseudo) -> float:
        """Pseudo-cases for each cell."""
        if len(self.parts) == 2:
            return added.of_two
        return added.alone if self.alone else added.paired

    def rates(self, added: Pseudo = NONE) -> Rates:
        """The two rates and their covariance, of the data or with pseudo-cases added."""
        first, *rest = (
            rates_of(part.found, part.sample, self.sampling, self.cells(added)) for part in self.parts
        )
        found = first.minus(rest[0]) if rest else first
        if self.share is None:
            return found
        return found.per_case(self.share.value, self.share.variance)

    def mean(self, added: Pseudo = NONE) -> FloatArray:
        """Cost at each place; minus zero is zero."""
        return self.rates(added).mean(self.alpha, self.beta) + 0.0

    def error(self, added: Pseudo = NONE) -> FloatArray:
        """Standard error of the cost at each place."""
        return np.sqrt(self.rates(added).variance(self.alpha, self.beta))

    def replicates(self, n_resamples: int, rng: np.random.Generator, n_jobs: int = 1) -> FloatArray:
        """Costs of resamples, shape (n_resamples, h): the thresholds are held fixed."""
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
