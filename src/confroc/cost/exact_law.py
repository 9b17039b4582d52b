"""Exact bootstrap distributions of a cost and of a cost difference.

A bootstrap cost is a sum of independent steps. Under stratified sampling each class contributes m steps of 0
or ±1 on its own lattice; under full sampling every case contributes one step on one of two lattices. The
distribution of the counts on the lattices follows from one FFT of the m-th power of the characteristic
function of a step, over the window that contains all but 1e-17 of the mass. The cost weights the lattices by
w. If the prevalence is estimated from other cases, the distribution is a mixture over the possible
prevalences in a resample of those cases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Self

import numpy as np
from scipy.special import ndtri

from confroc._check import ArgumentError, check_size
from confroc._types import FloatArray, IntArray, Sampling, Size
from confroc.cost.thresholds import given_thresholds
from confroc.distributions import bernstein_bound, inner
from confroc.exact.thresholds import MOST_RETURNED, check_support
from confroc.results import Distribution
from confroc.scores import Pair, Scores, accepts_one_model, accepts_two_models, check_pair, check_scores
from confroc.statistics.linear_cost import Errors, LinearCost, form_of
from confroc.statistics.prevalence import Count, Prevalence, check_w, share_in_curve

NEGLIGIBLE = 1e-15
"""Masses below this are omitted."""

TIE = 1e-12
"""Costs closer than this are tied, since floating point misses ties of multiples of w and 1 − w."""

MOST_INNER = 200_000
MOST_OUTER = 10_000
MOST_MIXED = 50_000
"""Largest supports that are computed; beyond them the Cornish–Fisher approximation is used."""


class Steps(NamedTuple):
    """m independent steps: +x, −x, +y, −y with these probabilities, otherwise none."""

    x: float
    y: float
    chance: tuple[float, float, float, float]
    m: int

    def lengths(self) -> tuple[int, int]:
        """Width of the window in each direction."""
        return self._window(0)[1], self._window(2)[1]

    def _window(self, i: int) -> tuple[int, int]:
        """First count and number of counts in direction x (i = 0) or y (i = 2)."""
        up, down = self.chance[i], self.chance[i + 1]
        if up == down == 0.0:
            return 0, 1
        mean, half = up - down, float(bernstein_bound(self.m * (up + down - (up - down) ** 2)))
        first = max(-self.m if down else 0, int(np.floor(self.m * mean - half)))
        last = min(self.m if up else 0, int(np.ceil(self.m * mean + half)))
        return first, last - first + 1

    def cumulants(self) -> FloatArray:
        """Return the first four cumulants of the sum."""
        value = np.array([self.x, -self.x, self.y, -self.y])
        chance = np.array(self.chance)
        r1, r2, r3, r4 = (float(chance @ value**k) for k in (1, 2, 3, 4))
        variance = r2 - r1**2
        third = r3 - 3.0 * r1 * r2 + 2.0 * r1**3
        fourth = r4 - 4.0 * r1 * r3 - 3.0 * r2**2 + 12.0 * r1**2 * r2 - 6.0 * r1**4
        return self.m * np.array([r1, variance, third, fourth])

    def law(self) -> tuple[FloatArray, FloatArray]:
        """Return the values of the sum and their probabilities, unsorted."""
        counts, power = [], np.ones((1, 1), dtype=np.complex128)
        step = np.zeros((1, 1), dtype=np.complex128)
        shift = np.ones((1, 1), dtype=np.complex128)
        for axis, i in enumerate((0, 2)):
            first, length = self._window(i)
            counts.append(first + np.arange(length))
            angle = 2.0 * np.pi * np.fft.fftfreq(length)
            wave = np.expand_dims(np.exp(1j * angle), 1 - axis)
            up, down = self.chance[i], self.chance[i + 1]
            step = step + up * (wave - 1.0) + down * (np.conj(wave) - 1.0)
            # Centering at the mean keeps the phase of the m-th power, and its rounding error, small.
            center = round(self.m * (up - down))
            shift = shift * np.expand_dims(np.exp(-1j * angle * (center / self.m)), 1 - axis)
            power = power * np.expand_dims(np.exp(1j * angle * (center - first)), 1 - axis)
        mass = np.fft.fft2(power * ((1.0 + step) * shift) ** self.m).real / power.size
        kx, ky = np.nonzero(mass > NEGLIGIBLE)
        return self.x * counts[0][kx] + self.y * counts[1][ky], mass[kx, ky]


def steps_of(priced: LinearCost, row: int) -> list[Steps]:
    """Return the independent parts of the bootstrap cost at one place, with the sign of their sample."""
    steps = []
    for part, sign in zip(priced.parts, (1.0, -1.0), strict=False):
        alpha, beta = sign * float(priced.alpha[row]), sign * float(priced.beta[row])
        found, sample = part.found, part.sample
        if isinstance(found, Errors):
            miss, alarm = (int(found.fn[row]), 0), (int(found.fp[row]), 0)
        else:
            miss = int(found.pos_01[row]), int(found.pos_10[row])
            alarm = int(found.neg_10[row]), int(found.neg_01[row])
        if priced.sampling == "full":
            n, m = sample.n_pos + sample.n_neg, sample.m_pos + sample.m_neg
            steps.append(
                Steps(alpha / m, beta / m, (miss[0] / n, miss[1] / n, alarm[0] / n, alarm[1] / n), m)
            )
            continue
        p, q = (tuple(k / n for k in side) for side, n in ((miss, sample.n_pos), (alarm, sample.n_neg)))
        steps.append(Steps(alpha / sample.m_pos, 0.0, (p[0], p[1], 0.0, 0.0), sample.m_pos))
        steps.append(Steps(beta / sample.m_neg, 0.0, (q[0], q[1], 0.0, 0.0), sample.m_neg))
    return steps


class Mixing(NamedTuple):
    """Factors of the steps of both classes, prevalence and its complement, with their probabilities."""

    chance: FloatArray
    factors: FloatArray

    @classmethod
    def of(cls, share: Prevalence | None) -> Self:
        """Return all possible prevalences among the cases of an estimate; for a known one no factor."""
        if share is None:
            return cls(np.ones(1), np.ones((1, 2)))
        values, chance = share.law()
        return cls(chance, np.stack([values, 1.0 - values], axis=1))


class MixedLaw(NamedTuple):
    """Mixture of k sums of two independent variables, one by its masses and one by cumulative masses."""

    chance: FloatArray
    outer: FloatArray
    mass: FloatArray
    inner: FloatArray
    cumulated: FloatArray

    @property
    def size(self) -> int:
        """Number of values of all sums, including ties."""
        return int(self.outer.size * self.inner.shape[1])

    def _below(self, value: float) -> list[IntArray]:
        """Return for each outer value the number of inner values with a sum of at most `value`."""
        return [
            np.searchsorted(values, value - outer + TIE, side="right")
            for outer, values in zip(self.outer, self.inner, strict=True)
        ]

    def cdf(self, value: float) -> float:
        """Return P(sum ≤ value)."""
        each = [inner(self.mass, self.cumulated[below]) for below in self._below(value)]
        return inner(self.chance, np.array(each))

    def quantile(self, level: float) -> float:
        """Return the smallest value with a cumulative probability of at least the level."""
        level *= 1.0 - 1e-12
        # Bisection, since there are too many sums to sort.
        low = float((self.outer.min(axis=1) + self.inner[:, 0]).min()) - 1.0
        high = float((self.outer.max(axis=1) + self.inner[:, -1]).max())
        while high - low > TIE * max(1.0, abs(high)):
            middle = 0.5 * (low + high)
            if self.cdf(middle) >= level:
                high = middle
            else:
                low = middle
        found = zip(self.outer, self.inner, self._below(high), strict=True)
        return max(float((o + v[n - 1])[n > 0].max(initial=-np.inf)) for o, v, n in found)

    def pmf(self) -> tuple[FloatArray, FloatArray]:
        """Return the support, in increasing order, and the probabilities."""
        value = (self.outer[:, :, None] + self.inner[:, None]).ravel()
        one = np.multiply.outer(self.mass, np.diff(self.cumulated)).ravel()
        mass = np.multiply.outer(self.chance, one).ravel()
        order = np.argsort(value, kind="stable")
        value, mass = value[order], mass[order]
        first = np.flatnonzero(np.diff(value, prepend=-np.inf) > TIE)
        return value[first], np.add.reduceat(mass, first)


Masses = tuple[FloatArray, FloatArray]


def _sum(laws: Sequence[Masses]) -> Masses:
    """Return the values of a sum of independent variables, unsorted, and their probabilities."""
    value, mass = np.zeros(1), np.ones(1)
    for v, p in laws:
        value, mass = np.add.outer(value, v).ravel(), np.multiply.outer(mass, p).ravel()
        kept = mass > NEGLIGIBLE
        value, mass = value[kept], mass[kept]
    return value, mass


UNMIXED = Mixing.of(None)


def law_of(
    parts: Sequence[Steps], most_outer: int, most_inner: int, mixing: Mixing = UNMIXED
) -> MixedLaw | None:
    """Return the exact distribution of the sum of the parts, or None if its support is too large.

    Parts alternate between positives and negatives, which have the two factors of the mixture.
    """
    if any(np.prod(part.lengths(), dtype=float) > most_inner for part in parts):
        return None
    laws = [part.law() for part in parts]
    # Alternate parts, so that both models of a class are together; the smaller half is the outer one.
    halves = sorted(enumerate((laws[0::2], laws[1::2])), key=lambda half: _values(half[1]))
    (out, outer), (into, inside) = halves
    if _values(outer) > most_outer or _values(inside) > most_inner:
        return None
    (held, chance), (value, mass) = _sum(outer), _sum(inside)
    if len(mixing.chance) > 1 and len(mixing.chance) * len(held) > MOST_MIXED:
        return None
    order = np.argsort(value, kind="stable")
    value, cumulated = value[order], np.concatenate([[0.0], np.cumsum(mass[order])])
    factor = mixing.factors.T[:, :, None]
    return MixedLaw(mixing.chance, held * factor[out], chance, value * factor[into], cumulated)


def _values(laws: Sequence[Masses]) -> float:
    return float(np.prod([len(value) for value, _ in laws], dtype=float))


def mixed_cumulants(parts: Sequence[Steps], mixing: Mixing) -> tuple[float, float, float, float]:
    """Return the first four cumulants of the sum of the parts, or of the mixture of such sums."""
    power = np.arange(1, 5)
    each = np.sum(
        [mixing.factors[:, i % 2, None] ** power * part.cumulants() for i, part in enumerate(parts)], axis=0
    )
    first, second, third, fourth = each.T
    mean = inner(mixing.chance, first)
    off = first - mean
    central = (
        second + off**2,
        third + 3.0 * second * off + off**3,
        fourth + 3.0 * second**2 + 4.0 * third * off + 6.0 * second * off**2 + off**4,
    )
    m2, m3, m4 = (inner(mixing.chance, moment) for moment in central)
    return mean, m2, m3, m4 - 3.0 * m2**2


def refined_normal_quantile(parts: Sequence[Steps], level: float, mixing: Mixing = UNMIXED) -> float:
    """Return the quantile by the Cornish–Fisher (1938) expansion with the exact first four cumulants."""
    mean, variance, third, fourth = mixed_cumulants(parts, mixing)
    if variance <= 0.0:
        return float(mean)
    z, skew, excess = float(ndtri(level)), third / variance**1.5, fourth / variance**2
    shift = skew * (z * z - 1.0) / 6.0 + excess * (z**3 - 3.0 * z) / 24.0
    shift -= skew**2 * (2.0 * z**3 - 5.0 * z) / 36.0
    return float(mean + np.sqrt(variance) * (z + shift))


def quantiles(
    parts: Sequence[Steps], levels: Sequence[float], mixing: Mixing = UNMIXED
) -> tuple[list[float], bool]:
    """Return quantiles of the sum of the parts, and whether they are exact."""
    law = law_of(parts, MOST_OUTER, MOST_INNER, mixing)
    if law is not None:
        return [law.quantile(level) for level in levels], True
    return [refined_normal_quantile(parts, level, mixing) for level in levels], False


@accepts_one_model
def cost_pmf(
    scores: Scores,
    *,
    w: float,
    threshold: float,
    prior: Count | None = None,
    sampling: Sampling = "stratified",
    size: Size = None,
) -> Distribution[FloatArray]:
    """Exact bootstrap distribution of the normalized cost at a given threshold.

    Stratified: w·X/m₊ + (1 − w)·Y/m₋ with independent binomial error counts X and Y. Full: the counts of
    the two errors are trinomial.

    Parameters
    ----------
    scores : Scores
    w : float
        In [0, 1].
    threshold : float
    prior : (int, int), optional
        (positives, cases) from which the prevalence is estimated, as in `cost_curve`.
    sampling : {"stratified", "full"}
        As in `cost_curve`.
    size : (int, int), optional
        (m_pos, m_neg), class sizes of a bootstrap sample. Default: as observed.

    Returns
    -------
    support : ndarray of shape (k,)
        In increasing order; values within 1e-12 are merged.
    pmf : ndarray of shape (k,)
        Accurate to 1e-10; masses below 1e-15 are omitted.

    Raises
    ------
    ValueError
        Invalid arguments, or a distribution with more than two million values.

    See Also
    --------
    cost_curve : Quantiles at many w, with method "exact_bootstrap".

    References
    ----------
    Dugas & Gadoury 2009, "Pointwise exact bootstrap distributions of cost curves": the first two moments
    are eqs. 4-5 and 9-10.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.cost import cost_pmf
    >>> support, pmf = cost_pmf(Scores([1, 1, 0, 0], [4, 2, 3, 1]), w=0.5, threshold=3)
    >>> support, pmf.round(4)
    (array([0.  , 0.25, 0.5 , 0.75, 1.  ]), array([0.0625, 0.25  , 0.375 , 0.25  , 0.0625]))
    """
    check_scores("scores", scores)
    return _pmf(scores, w, {"threshold": threshold}, prior, sampling, size)


@accepts_two_models
def cost_difference_pmf(
    pair: Pair,
    *,
    w: float,
    threshold_a: float,
    threshold_b: float,
    prior: Count | None = None,
    sampling: Sampling = "stratified",
    size: Size = None,
) -> Distribution[FloatArray]:
    """Exact bootstrap distribution of the difference a − b between two normalized costs at given thresholds.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    w : float
        In [0, 1].
    threshold_a, threshold_b : float
    prior, sampling, size
        As in `cost_pmf`.

    Returns
    -------
    support, pmf : ndarray of shape (k,)
        As in `cost_pmf`.

    Raises
    ------
    ValueError
        As in `cost_pmf`.

    See Also
    --------
    cost_difference : Quantiles at many w, with method "exact_bootstrap".

    References
    ----------
    Dugas & Gadoury 2009, "Pointwise exact bootstrap distributions of cost curves": the first two moments
    are eqs. 7-8 and 12-13, with the sign of a − b.
    """
    check_pair("pair", pair)
    given = {"threshold_a": threshold_a, "threshold_b": threshold_b}
    return _pmf(pair, w, given, prior, sampling, size)


def _pmf(
    data: Scores | Pair,
    w: float,
    given: Mapping[str, float],
    prior: Count | None,
    sampling: Sampling,
    size: Size,
) -> Distribution[FloatArray]:
    thresholds = tuple(given_thresholds(name, threshold, 1) for name, threshold in given.items())
    at = check_w(w)
    share, sampling = share_in_curve(data, prior, sampling)
    if len(at) != 1:
        raise ArgumentError("w", "be a single number", at.tolist(), "Compute one distribution at a time.")
    form = form_of(at, share, sampling)
    m = None if size is None else check_size(size, 1, 1)
    priced = LinearCost.of(data, thresholds, form, sampling, size=m, share=share)
    law = law_of(steps_of(priced, 0), MOST_RETURNED, MOST_RETURNED, Mixing.of(priced.share))
    check_support("size", MOST_RETURNED + 1 if law is None else law.size)
    assert law is not None
    return Distribution(*law.pmf())
