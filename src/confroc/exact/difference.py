"""Exact bootstrap distribution of the difference between two models' TPR at a false positive rate.

Given both thresholds, the difference is that of two cells of a trinomial; over the joint distribution of the
thresholds it is a mixture (Dugas & Gadoury 2009, Appendix B and Algorithm 5). On disjoint test sets the two
models are independent.
"""

from __future__ import annotations

import bisect
import math
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import fft

from confroc._check import check_size, false_positives
from confroc._types import FloatArray, IntArray, Size
from confroc.distributions import bernstein_bound
from confroc.distributions.counts import lattice_quantiles, step_power, unwrap
from confroc.exact import approximate
from confroc.exact.joint import (
    PairGrid,
    blocks,
    cells,
    counts_above,
    is_plain,
    plain_tails,
    plan,
    table,
    work_units,
)
from confroc.exact.thresholds import check_support
from confroc.exact.tpr import tpr_pmf
from confroc.results import Distribution
from confroc.scores import Pair, PairedScores, UnpairedScores, accepts_two_models, check_pair

LARGEST_EXACT = 5_000_000
"""Maximum number of negatives of a resample for the exact distribution."""

AFFORDABLE = 2.5e8
"""Maximum number of recurrence steps for the exact distribution: seconds on two cores."""


PairSizes: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
"""(m_pos, m_neg) of the bootstrap samples of two models."""


class PairDesign(NamedTuple):
    """Numbers of false positives, and the bootstrap size (m_pos, m_neg)."""

    r: IntArray
    size: tuple[int, int]


def check_pair_sizes(pair: Pair, size: Size) -> PairSizes:
    """Return (m_pos, m_neg) for each model; a given size applies to both."""
    return check_size(size, pair.a.n_pos, pair.a.n_neg), check_size(size, pair.b.n_pos, pair.b.n_neg)


def pair_design(pair: PairedScores, fpr: ArrayLike, size: Size = None) -> PairDesign:
    """Return the numbers of false positives and the bootstrap size."""
    sizes = check_size(size, pair.n_pos, pair.n_neg)
    return PairDesign(false_positives(fpr, sizes[1]), sizes)


@accepts_two_models
def tpr_difference_pmf(pair: Pair, *, fpr: ArrayLike, size: Size = None) -> Distribution[FloatArray]:
    """Exact bootstrap distribution of the difference in TPR, a - b, at a given false positive rate.

    Parameters
    ----------
    pair : PairedScores or UnpairedScores
    fpr, size
        As in `tpr_pmf`; a given size applies to both models.

    Returns
    -------
    support : ndarray of shape (d,)
        -1, ..., -1/m_pos, 0, 1/m_pos, ..., 1 if both models have m_pos positives; otherwise the distinct
        values of i/m_pos_a - j/m_pos_b, increasing, if the two numbers have a common multiple of at most
        2,000,000.
    pmf : ndarray of shape (d,), or (h, d) when `fpr` is an array

    Raises
    ------
    ValueError
        A rate is not in [1/m_neg, 1], or `size` is not a pair of positive integers.

    See Also
    --------
    confroc.tpr_difference_at_fpr : Intervals from moments and quantiles of this distribution.
    joint_threshold_pmf : The distribution of the two thresholds.

    Notes
    -----
    Eqs. 20-23 of [1]_. A positive with a score equal to the threshold is predicted positive. Exact to 1e-10.
    All rates of a pair with n_pos = n_neg = 1,000 take about a second once compiled; beyond a few thousand
    cases request few rates, or intervals, which use approximations.

    References
    ----------
    .. [1] Dugas & Gadoury (2009), section 4.2 and Appendix B.

    Examples
    --------
    >>> from confroc import PairedScores
    >>> from confroc.exact import tpr_difference_pmf
    >>> pair = PairedScores([1, 0, 1, 0], [4, 3, 2, 1], [4, 1, 3, 2])
    >>> support, pmf = tpr_difference_pmf(pair, fpr=0.5)
    >>> support
    array([-1. , -0.5,  0. ,  0.5,  1. ])
    >>> pmf.round(6)
    array([0.1875, 0.375 , 0.4375, 0.    , 0.    ])
    """
    checked = check_pair("pair", pair)
    if isinstance(checked, UnpairedScores):
        return _unpaired_pmf(checked, fpr, size)
    design = pair_design(checked, fpr, size)
    m = design.size[0]
    check_support("size", 2 * max(design.size) + 1)
    rates, slot = np.unique(design.r, return_inverse=True)
    low, masses = _paired_law(checked, rates, design.size)
    pmf = np.zeros((len(low), 2 * m + 1))
    for i, start in enumerate(low.tolist()):
        first, last = max(start, -m), min(start + masses.shape[1], m + 1)
        pmf[i, first + m : last + m] = masses[i, first - start : last - start]
    pmf /= pmf.sum(axis=1, keepdims=True)
    return Distribution(np.arange(-m, m + 1) / m, pmf[slot].reshape((*np.shape(fpr), 2 * m + 1)))


def _affordable(pair: PairedScores, rates: IntArray, m: int) -> NDArray[np.bool_]:
    """Whether moments and quantiles come from the exact distribution, for each of increasing counts.

    The exact distribution is not used if it takes more than seconds: beyond about 1,300 negatives for all
    rates, or several thousand for a few. It is used longest for rates near 0 and 1, where thresholds vary
    least.
    """
    if m > LARGEST_EXACT:
        return np.zeros(len(rates), dtype=bool)
    order = np.argsort(np.minimum(rates, m - rates), kind="stable")

    def work(count: int) -> float:
        return work_units(pair, np.sort(rates[order[:count]]), m)

    fits = len(rates)
    if work(fits) > AFFORDABLE:
        fits = bisect.bisect_right(range(1, fits), AFFORDABLE, key=work)
    exact = np.zeros(len(rates), dtype=bool)
    exact[order[:fits]] = True
    return exact


def difference_moments(pair: PairedScores, design: PairDesign, a: float) -> tuple[FloatArray, FloatArray]:
    """Return the mean and variance of the difference in true positive rates, a - b.

    With a > 0 each trinomial is smoothed as by Agresti & Min: a is added to each discordant count and 2a to
    the concordant ones (Dugas & Gadoury 2009, Algorithm 3 and eqs. 24-27, a = 1/2); a = 0 gives the moments
    of the distribution.

    If `difference_is_exact` is false, the joint distribution of the thresholds is approximated. This changes
    the limits of 95% intervals (benchmarks/exact_laws.py) by at most 5e-4 at n = 400 and 1e-4 at n = 2,000
    for models with correlations up to 0.9, and by 1.2e-3 and 3e-4 at correlation 0.995.
    """
    rates, slot = np.unique(design.r, return_inverse=True)
    exact = _affordable(pair, rates, design.size[1])
    sums = np.empty((3, len(rates)))
    if exact.any():
        sums[:, exact] = _exact_sums(pair, rates[exact], design.size)
    if not exact.all():
        sums[:, ~exact] = approximate.sums(pair, rates[~exact], design.size)
    first, second, discordant = sums
    # Over the distribution of the thresholds: d and s are the difference and sum of the discordant positives.
    n, m = pair.n_pos + 4.0 * a, design.size[0] + 4.0 * a
    mean, mean_square = first / n, second / (n * n)
    variance = mean_square - mean * mean + ((discordant + 2.0 * a) / n - mean_square) / m
    return mean[slot], np.maximum(variance, 0.0)[slot]


def difference_quantiles(pair: PairedScores, design: PairDesign, probs: ArrayLike) -> FloatArray:
    """Return, per rate and level, the smallest difference whose cumulative probability reaches the level.

    The distribution is that of `tpr_difference_pmf`; shape (h, number of levels). If `difference_is_exact` is
    false, they are approximate, with errors of at most one step of 1/m_pos in comparisons with the exact
    distribution.
    """
    levels = np.asarray(probs, dtype=np.float64)
    rates, slot = np.unique(design.r, return_inverse=True)
    exact = _affordable(pair, rates, design.size[1])
    out = np.empty((len(rates), len(levels)))
    if exact.any():
        low, masses = _paired_law(pair, rates[exact], design.size)
        out[exact] = lattice_quantiles(masses, low, levels) / design.size[0]
    if not exact.all():
        out[~exact] = approximate.quantiles(pair, rates[~exact], design.size, levels)
    return np.asarray(out[slot])


# --- paired ------------------------------------------------------------------------------------------


def _plain_cells(t: PairGrid, rates: IntArray, m_neg: int) -> tuple[FloatArray, IntArray, IntArray]:
    """Return the distribution of discordant true positives (a only, b only): weights (h, c), and counts."""
    law = cells(plain_tails(t, m_neg)[rates]).reshape(len(rates), -1)
    law /= law.sum(axis=1, keepdims=True)
    found = counts_above(t, t.pos)
    only_a, only_b = (t.a.found[:, None] - found).ravel(), (t.b.found[None, :] - found).ravel()
    code, index = np.unique(only_a * (t.n_pos + 1) + only_b, return_inverse=True)
    weight = np.zeros((len(code), len(rates)))
    np.add.at(weight, index.ravel(), law.T)
    only_a, only_b = np.divmod(code, t.n_pos + 1)
    return weight.T, only_a, only_b


def _exact_sums(pair: PairedScores, rates: IntArray, size: tuple[int, int]) -> FloatArray:
    """Return the means of d, d^2 and s over the distribution of the thresholds, shape (3, h)."""
    t = table(pair, merged=True, rates=rates, m_neg=size[1])
    if is_plain(t, size[1]):
        weight, only_a, only_b = _plain_cells(t, rates, size[1])
        d = only_a - only_b
        return np.stack([weight @ d, weight @ (d * d), weight @ (only_a + only_b)])
    total = np.zeros((len(rates), 4))
    for block in blocks(t, plan(t, rates, size[1]), size):
        total[block.slot0 : block.slot0 + len(block.sums)] += block.sums[:, :4]
    return np.asarray((total[:, 1:] / total[:, :1]).T)


def _paired_law(pair: PairedScores, rates: IntArray, size: tuple[int, int]) -> tuple[IntArray, FloatArray]:
    """Return, per rate, the first difference (in cases) and the masses from there."""
    m_pos, m_neg = size
    t = table(pair, merged=True, rates=rates, m_neg=m_neg)
    if is_plain(t, m_neg):
        weight, only_a, only_b = _plain_cells(t, rates, m_neg)
        share, tilt = (only_a + only_b) / t.n_pos, (only_a - only_b) / t.n_pos
        around = bernstein_bound(m_pos * np.maximum(share - tilt * tilt, 0.0))
        matters = weight > 1e-15
        low = np.where(matters, m_pos * tilt - around, np.inf).min(axis=1)
        high = np.where(matters, m_pos * tilt + around, -np.inf).max(axis=1)
        first, period = _period(low, high, m_pos)
        angle = 2.0 * np.pi * np.arange(period // 2 + 1) / period
        phi = weight @ step_power(share[:, None], tilt[:, None], m_pos, angle)
        return first, unwrap(phi, first, period)
    given = plan(t, rates, m_neg)
    low, high = np.full(len(rates), np.inf), np.full(len(rates), -np.inf)
    for block in blocks(t, given, size):
        at = slice(block.slot0, block.slot0 + len(block.sums))
        low[at], high[at] = np.minimum(low[at], block.sums[:, 4]), np.maximum(high[at], block.sums[:, 5])
    first, period = _period(low, high, m_pos)
    phi = np.zeros((len(rates), period // 2 + 1), dtype=np.complex128)
    for block in blocks(t, given, size, period=period):
        phi[block.slot0 : block.slot0 + len(block.law)] += block.law
    return first, unwrap(phi, first, period)


def _period(low: FloatArray, high: FloatArray, m: int) -> tuple[IntArray, int]:
    """Return the first difference per rate, and a lattice length that contains every rate's window."""
    first = np.maximum(np.floor(low), -m).astype(np.int64)
    last = np.minimum(np.ceil(high), m).astype(np.int64)
    return first, int((last - first).max()) + 1


# --- unpaired ----------------------------------------------------------------------------------------


def _unpaired_pmf(pair: UnpairedScores, fpr: ArrayLike, size: Size) -> Distribution[FloatArray]:
    law_a, law_b = (np.atleast_2d(tpr_pmf(x, fpr=fpr, size=size)[1]) for x in (pair.a, pair.b))
    (m_a, _), (m_b, _) = check_pair_sizes(pair, size)
    whole = math.lcm(m_a, m_b)
    check_support("size", whole)
    # On the lattice of steps 1/whole; the last row has ones at the possible rates.
    on_a, on_b = np.zeros((2, len(law_a) + 1, whole + 1))
    on_a[:-1, :: whole // m_a], on_b[:-1, :: whole // m_b] = law_a, law_b
    on_a[-1, :: whole // m_a] = on_b[-1, :: whole // m_b] = 1.0
    length = fft.next_fast_len(2 * whole + 1, real=True)
    product = fft.rfft(on_a, length) * fft.rfft(on_b[:, ::-1], length)
    convolved = fft.irfft(product, length)[:, : 2 * whole + 1]
    at = np.flatnonzero(convolved[-1] > 0.5)
    pmf = np.maximum(convolved[:-1, at], 0.0)
    return Distribution((at - whole) / whole, pmf.reshape((*np.shape(fpr), len(at))))
