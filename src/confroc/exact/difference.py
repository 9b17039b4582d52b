"""The exact bootstrap distribution of the difference of two models' TPR at a false positive rate.

Given both thresholds, the difference is that of two cells of a trinomial; over the joint distribution of the
thresholds it is a mixture (Dugas & Gadoury 2009, Appendix B and Algorithm 5). On disjoint test sets the
two models' distributions are independent.
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
from confroc.distributions import binomial_pmf, discrete_quantile, inner, reach
from confroc.distributions.counts import binomial_ends, lattice_quantiles, step_power, unwrap
from confroc.exact import approximate
from confroc.exact.full import FINEST
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
from confroc.exact.tpr import BinomialMixture, count_law, mixtures, tpr_moments, tpr_pmf
from confroc.results import ExactLaw
from confroc.scores import Pair, PairedScores, Scores, UnpairedScores, accepts_two_models, check_pair

CELLS = 4_000
"""Counts at which the distribution of a far larger number of them is computed."""

LARGEST_EXACT = 5_000_000
"""Negatives of a resample up to which the exact distribution is computed, however few their scores."""

AFFORDABLE = 2.5e8
"""Steps of the recurrence up to which intervals come from the exact distribution: seconds on two cores."""


PairSizes: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
"""(m_pos, m_neg) of the bootstrap samples of two models."""


class PairDesign(NamedTuple):
    """Numbers of false positives and bootstrap sizes (m_pos, m_neg) of both models; equal when paired."""

    r_a: IntArray
    r_b: IntArray
    size_a: tuple[int, int]
    size_b: tuple[int, int]


def check_pair_sizes(pair: Pair, size: Size) -> PairSizes:
    """Return (m_pos, m_neg) for each model; a size that is given holds for both."""
    return check_size(size, pair.a.n_pos, pair.a.n_neg), check_size(size, pair.b.n_pos, pair.b.n_neg)


def pair_design(pair: Pair, fpr: ArrayLike, size: Size = None) -> PairDesign:
    """Return what the false positive rates and the bootstrap size mean for each model."""
    sizes = check_pair_sizes(pair, size)
    r_a, r_b = (false_positives(fpr, m_neg) for _, m_neg in sizes)
    return PairDesign(r_a, r_b, sizes[0], sizes[1])


@accepts_two_models
def tpr_difference_pmf(pair: Pair, *, fpr: ArrayLike, size: Size = None) -> ExactLaw[FloatArray]:
    """Exact bootstrap distribution of the difference in TPR, a - b, at a given false positive rate.

    Parameters
    ----------
    pair : PairedScores, UnpairedScores or (y_true, score_a, score_b)
    fpr, size
        As in `tpr_pmf`; a size that is given holds for both models.

    Returns
    -------
    support : ndarray of shape (d,)
        -1, ..., -1/m_pos, 0, 1/m_pos, ..., 1, when both models have m_pos positives; otherwise the distinct
        values of i/m_pos_a - j/m_pos_b, increasing, where the two numbers have a common multiple of at most
        2,000,000.
    pmf : ndarray of shape (d,), or (h, d) when `fpr` is an array

    Raises
    ------
    ValueError
        When a rate is not in [1/m_neg, 1], or `size` is not a pair of positive integers.

    See Also
    --------
    confroc.tpr_difference_at_fpr : Intervals, by the moments and quantiles of this distribution.
    joint_threshold_pmf : The distribution of the two thresholds.

    Notes
    -----
    Eqs. 20-23 of [1]_. A positive whose score equals the threshold counts as found. Exact to 1e-10. All rates
    of a pair with n_pos = n_neg = 1,000 take about a second, once compiled; beyond a few thousand cases
    request few rates, or intervals, which have approximations.

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
    design = pair_design(checked, fpr, size)
    if isinstance(checked, UnpairedScores):
        return _unpaired_pmf(checked, fpr, size, design)
    m = design.size_a[0]
    check_support("size", 2 * max(design.size_a) + 1)
    rates, slot = np.unique(design.r_a, return_inverse=True)
    low, masses = _paired_law(checked, rates, design.size_a)
    pmf = np.zeros((len(low), 2 * m + 1))
    for i, start in enumerate(low.tolist()):
        first, last = max(start, -m), min(start + masses.shape[1], m + 1)
        pmf[i, first + m : last + m] = masses[i, first - start : last - start]
    pmf /= pmf.sum(axis=1, keepdims=True)
    return ExactLaw(np.arange(-m, m + 1) / m, pmf[slot].reshape((*np.shape(fpr), 2 * m + 1)))


def difference_is_exact(pair: Pair, design: PairDesign) -> NDArray[np.bool_]:
    """Whether moments and quantiles of the difference come from the exact distribution, per rate.

    The exact distribution is not used where it would take more than seconds: beyond about 1,300 negatives for
    all rates together, beyond several thousand for a few. Rates near 0 and 1, whose thresholds vary least,
    keep it longest.
    """
    if isinstance(pair, UnpairedScores):
        return np.ones(len(design.r_a), dtype=bool)
    rates, slot = np.unique(design.r_a, return_inverse=True)
    return np.asarray(_affordable(pair, rates, design.size_a[1])[slot])


def _affordable(pair: PairedScores, rates: IntArray, m: int) -> NDArray[np.bool_]:
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


def difference_moments(pair: Pair, design: PairDesign, a: float) -> tuple[FloatArray, FloatArray]:
    """Return the mean and variance of the difference in true positive rates, a - b.

    With a > 0 each trinomial is smoothed as by Agresti & Min: a is added to either discordant count and
    2a to the agreeing ones (Dugas & Gadoury 2009, Algorithm 3 and eqs. 24-27, a = 1/2); a = 0 gives the
    moments of the distribution itself. Unpaired models are smoothed by 2a successes and 2a failures each,
    which is what the paired smoothing does to either model alone.

    Where `difference_is_exact` is false, the joint distribution of the thresholds is approximated. Against
    the exact distribution (benchmarks/exact_laws.py) that moved the ends of 95 % intervals by at most 5e-4 at
    n = 400 and 1e-4 at n = 2,000 for models with correlations up to 0.9, and by 1.2e-3 and 3e-4 at
    correlation 0.995.
    """
    if isinstance(pair, UnpairedScores):
        mean_a, variance_a = tpr_moments(pair.a, design.r_a, design.size_a, 2.0 * a)
        mean_b, variance_b = tpr_moments(pair.b, design.r_b, design.size_b, 2.0 * a)
        return mean_a - mean_b, variance_a + variance_b
    rates, slot = np.unique(design.r_a, return_inverse=True)
    exact = _affordable(pair, rates, design.size_a[1])
    sums = np.empty((3, len(rates)))
    if exact.any():
        sums[:, exact] = _exact_sums(pair, rates[exact], design.size_a)
    if not exact.all():
        sums[:, ~exact] = approximate.sums(pair, rates[~exact], design.size_a)
    first, second, discordant = sums
    # Over the distribution of the thresholds: d and s are the difference and the sum of the discordant
    # positives.
    n, m = pair.n_pos + 4.0 * a, design.size_a[0] + 4.0 * a
    mean, mean_square = first / n, second / (n * n)
    variance = mean_square - mean * mean + ((discordant + 2.0 * a) / n - mean_square) / m
    return mean[slot], np.maximum(variance, 0.0)[slot]


def difference_quantiles(pair: Pair, design: PairDesign, probs: ArrayLike) -> FloatArray:
    """Return, per rate and level, the smallest difference whose cumulative probability reaches the level.

    The distribution is that of `tpr_difference_pmf`; shape (h, number of levels). Where `difference_is_exact`
    is false, they are approximate: at most one step of 1/m_pos off wherever the exact distribution was at
    hand to compare.
    """
    levels = np.asarray(probs, dtype=np.float64)
    if isinstance(pair, UnpairedScores):
        return _unpaired_quantiles(pair, design, levels)
    rates, slot = np.unique(design.r_a, return_inverse=True)
    exact = _affordable(pair, rates, design.size_a[1])
    out = np.empty((len(rates), len(levels)))
    if exact.any():
        low, masses = _paired_law(pair, rates[exact], design.size_a)
        out[exact] = lattice_quantiles(masses, low, levels) / design.size_a[0]
    if not exact.all():
        out[~exact] = approximate.quantiles(pair, rates[~exact], design.size_a, levels)
    return np.asarray(out[slot])


# --- paired ------------------------------------------------------------------------------------------


def _plain_cells(t: PairGrid, rates: IntArray, m_neg: int) -> tuple[FloatArray, IntArray, IntArray]:
    """Return the distribution of the positives found by a only and b only: weights (h, c), and counts."""
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
    """Return, per rate, the first difference (in cases) and the masses from there on."""
    m_pos, m_neg = size
    t = table(pair, merged=True, rates=rates, m_neg=m_neg)
    if is_plain(t, m_neg):
        weight, only_a, only_b = _plain_cells(t, rates, m_neg)
        share, tilt = (only_a + only_b) / t.n_pos, (only_a - only_b) / t.n_pos
        around = reach(m_pos * np.maximum(share - tilt * tilt, 0.0))
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
    """Return the first difference per rate, and one length of the lattice that holds every rate's window."""
    first = np.maximum(np.floor(low), -m).astype(np.int64)
    last = np.minimum(np.ceil(high), m).astype(np.int64)
    return first, int((last - first).max()) + 1


# --- unpaired ----------------------------------------------------------------------------------------


def _unpaired_pmf(
    pair: UnpairedScores, fpr: ArrayLike, size: Size, design: PairDesign
) -> ExactLaw[FloatArray]:
    law_a, law_b = (np.atleast_2d(tpr_pmf(x, fpr=fpr, size=size)[1]) for x in (pair.a, pair.b))
    m_a, m_b = design.size_a[0], design.size_b[0]
    whole = math.lcm(m_a, m_b)
    check_support("size", whole)
    # On the lattice of steps 1/whole; in the last row a one for each value that a rate may have.
    on_a, on_b = np.zeros((2, len(law_a) + 1, whole + 1))
    on_a[:-1, :: whole // m_a], on_b[:-1, :: whole // m_b] = law_a, law_b
    on_a[-1, :: whole // m_a] = on_b[-1, :: whole // m_b] = 1.0
    length = fft.next_fast_len(2 * whole + 1, real=True)
    product = fft.rfft(on_a, length) * fft.rfft(on_b[:, ::-1], length)
    convolved = fft.irfft(product, length)[:, : 2 * whole + 1]
    at = np.flatnonzero(convolved[-1] > 0.5)
    pmf = np.maximum(convolved[:-1, at], 0.0)
    return ExactLaw((at - whole) / whole, pmf.reshape((*np.shape(fpr), len(at))))


def _count_laws(scores: Scores, r: IntArray, size: tuple[int, int]) -> list[tuple[int, FloatArray]]:
    return [count_law(mixture, size[0]) for mixture in mixtures(scores, r, size)]


def _unpaired_quantiles(pair: UnpairedScores, design: PairDesign, levels: FloatArray) -> FloatArray:
    """Bisect on the lattice of the differences: a sum over b's distribution of a's."""
    m_a, m_b = design.size_a[0], design.size_b[0]
    if max(m_a, m_b) > LARGEST_EXACT:
        return _smooth_unpaired_quantiles(pair, design, levels)
    whole = math.lcm(m_a, m_b)
    laws = zip(
        _count_laws(pair.a, design.r_a, design.size_a),
        _count_laws(pair.b, design.r_b, design.size_b),
        strict=True,
    )
    out = np.empty((len(design.r_a), len(levels)))
    for i, ((first_a, law_a), (first_b, law_b)) in enumerate(laws):
        law_a, law_b = law_a / law_a.sum(), law_b / law_b.sum()
        cumulative = np.concatenate([[0.0], np.cumsum(law_a)])
        count_a = (first_a + np.arange(len(law_a))) * (whole // m_a)
        count_b = (first_b + np.arange(len(law_b))) * (whole // m_b)

        def cdf(d: int) -> float:
            """P(a - b <= d / whole)."""
            at = np.clip((d + count_b) // (whole // m_a) - first_a + 1, 0, len(law_a))  # noqa: B023
            return float(law_b @ cumulative[at])  # noqa: B023

        mean, deviation = _difference_moments(count_a, law_a, count_b, law_b)
        out[i] = [discrete_quantile(cdf, p, -whole, whole, mean, deviation) / whole for p in levels.tolist()]
    return out


def _difference_moments(
    a: FloatArray | IntArray, mass_a: FloatArray, b: FloatArray | IntArray, mass_b: FloatArray
) -> tuple[float, float]:
    """Return the mean and the standard deviation of a - b, independent with these masses."""
    mean_a, mean_b = inner(mass_a, a), inner(mass_b, b)
    variance = inner(mass_a, np.square(a - mean_a)) + inner(mass_b, np.square(b - mean_b))
    return mean_a - mean_b, math.sqrt(variance)


def _smooth_unpaired_quantiles(pair: UnpairedScores, design: PairDesign, levels: FloatArray) -> FloatArray:
    """The same where the larger sample's distribution is too fine to compute, and so nearly smooth.

    Read off between `CELLS` counts, a hundredth of a deviation apart, it is right to 1e-5; it is summed over
    the distribution of the other, the smaller sample.
    """
    sides = [(pair.a, design.r_a, design.size_a), (pair.b, design.r_b, design.size_b)]
    turned = design.size_a[0] > design.size_b[0]
    (small, r, size), (large, r_large, size_large) = sides[::-1] if turned else sides
    laws = zip(mixtures(small, r, size), mixtures(large, r_large, size_large), strict=True)
    sign = -1.0 if turned else 1.0
    out = np.empty((len(design.r_a), len(levels)))
    for i, (outer, inner_law) in enumerate(laws):
        counts, mass = _cells(outer, size[0])
        grid, masses = _cells(inner_law, size_large[0])
        reached = np.cumsum(masses) - 0.5 * masses

        def cdf(d: int) -> float:
            """P(small - large <= d / FINEST)."""
            at = size_large[0] * (counts / size[0] - d / FINEST)  # noqa: B023
            return float(mass @ (1.0 - np.interp(at, grid, reached, left=0.0, right=1.0)))  # noqa: B023

        mean, deviation = _difference_moments(counts / size[0], mass, grid / size_large[0], masses)

        for j, level in enumerate((1.0 - levels if turned else levels).tolist()):
            found = discrete_quantile(cdf, level, -FINEST, FINEST, FINEST * mean, FINEST * deviation)
            out[i, j] = sign * found / FINEST
    return out


def _cells(mixture: BinomialMixture, m: int) -> tuple[FloatArray, FloatArray]:
    """Counts at even steps over the window of a mixture of binomials, and the masses around them."""
    first, last = binomial_ends(mixture.share, m)
    counts = np.arange(first, last + 1, max(1, (last - first) // CELLS))
    parts = np.array_split(counts, 20)
    mass = np.concatenate([binomial_pmf(k[:, None], m, mixture.share) @ mixture.weight for k in parts])
    mass = np.maximum(mass, 0.0)
    return counts.astype(np.float64), mass / mass.sum()
