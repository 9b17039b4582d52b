"""Exact bootstrap distribution of the true positive rate at a given false positive rate.

Given the threshold, the true positives of a resample are binomial; over the distribution of the threshold
they are a mixture of binomials (Dugas & Gadoury 2009, eqs. 4-7 and Algorithm 4).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc

from confroc import _kernels
from confroc._check import check_rate, check_size, false_positives, ranks_of
from confroc._kernels.panels import panel_moments
from confroc._types import FloatArray, IntArray, Sampling, Size
from confroc.distributions import (
    beta_window,
    binomial_pmf,
    discrete_quantile,
    first_reaching,
    inner,
    order_masses,
)
from confroc.distributions.counts import binomial_ends
from confroc.exact.full import RateLaw, over_class_sizes
from confroc.exact.thresholds import check_support, windows
from confroc.resample import check_sampling
from confroc.results import Distribution
from confroc.scores import Scores, accepts_one_model, check_scores

CELLS = 500_000
"""Maximum number of cells of a tie's negatives."""

FINE = 50_000
"""Number of counts evaluated in a wide window; steps are 1e-3 of the standard deviation."""

DENSE = 40_000
"""Number of (true positives, count of positives) pairs up to which the full table is computed."""


@accepts_one_model
def tpr_pmf(
    scores: Scores, *, fpr: ArrayLike, size: Size = None, sampling: Sampling = "stratified"
) -> Distribution[FloatArray]:
    """Exact bootstrap distribution of the true positive rate at a given false positive rate.

    Parameters
    ----------
    scores : Scores
    fpr : float or array-like of shape (h,)
        False positive rates in [1/m_neg, 1]; each corresponds to r = floor(fpr * m_neg) false positives.
    size : tuple of int, optional
        (m_pos, m_neg), cases of each class per bootstrap sample; default: as in the sample.
    sampling : {"stratified", "full"}
        "full": m_pos + m_neg cases are sampled from all cases, given that both classes occur.

    Returns
    -------
    support : ndarray of shape (m_pos + 1,), or more values under full sampling
        Possible rates, 0, 1/m_pos, ..., 1.
    pmf : ndarray like `support`, with a row for each rate when `fpr` is an array

    Raises
    ------
    ValueError
        A rate is not in [1/m_neg, 1], or `size` is not a pair of positive integers.

    See Also
    --------
    confroc.tpr_at_fpr : Intervals from moments and quantiles of this distribution.
    threshold_pmf : Distribution of the threshold.

    Notes
    -----
    A mixture of binomials over the distribution of the threshold (eq. 5 of [1]_, with M_r / m_pos for the
    rate), the limit of the stratified bootstrap for an infinite number of resamples. A positive with a score
    equal to the threshold is predicted positive. Exact up to rounding error.

    References
    ----------
    .. [1] Dugas & Gadoury (2009), section 4.1.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.exact import tpr_pmf
    >>> print(tpr_pmf(Scores([1, 0, 1, 0], [4, 3, 2, 1]), fpr=0.5))
    Distribution: 3 values
    value  probability
      0.0       0.1875
      0.5       0.3750
      1.0       0.4375
    """
    table = check_scores("scores", scores)
    size = check_size(size, table.n_pos, table.n_neg)
    if check_sampling(sampling) == "full":
        check_rate("fpr", fpr)
        laws = [over_class_sizes((table.n_pos, table.n_neg), size, _at(table, f)) for f in np.ravel(fpr)]
        pmf = np.stack([law.pmf for law in laws])
        return Distribution(laws[0].value, pmf.reshape((*np.shape(fpr), pmf.shape[1])))
    r = false_positives(fpr, size[1])
    m = size[0]
    check_support("size", m + 1)
    pmf = np.zeros((len(r), m + 1))
    for i, mixture in enumerate(mixtures(table, r, size)):
        counts, masses = count_cells(mixture, m)
        pmf[i, counts] = masses
    return Distribution(np.arange(m + 1) / m, pmf.reshape((*np.shape(fpr), m + 1)))


def _at(scores: Scores, fpr: float) -> Callable[[tuple[int, int]], RateLaw]:
    """The distribution at a rate for variable class sizes, at the lowest rate if fpr < 1/m_neg."""
    return lambda size: RateLaw(*tpr_pmf(scores, fpr=max(fpr, 1.0 / size[1]), size=size))


# --- positives above the threshold -------------------------------------------------------------------


class CountLaw(NamedTuple):
    """Positives at or above the threshold, increasing, and their probabilities at one rate.

    Fractional inside a tie that is spread over its negatives.
    """

    positives: FloatArray
    pmf: FloatArray


def count_laws(scores: Scores, r: IntArray, m_neg: int) -> list[CountLaw]:
    """Return the distribution at each number of false positives; ties at the threshold are positive."""
    return [
        CountLaw(scores.pos_above[law.rows].astype(np.float64), law.pmf) for law in windows(scores, r, m_neg)
    ]


def spread_laws(scores: Scores, rate: FloatArray, m_neg: int) -> list[CountLaw]:
    """Return the distribution at each false positive rate of at least 1/m_neg, with interpolation.

    Between r/m_neg and (r + 1)/m_neg it is the mixture of the distributions at both ends, weighted by
    distance. A tie's negatives are ordered, with its positives spread evenly among them.
    """
    n = scores.n_neg
    low, between = ranks_of(rate, m_neg)
    high = np.minimum(low + (between > 0.0), m_neg)
    first = np.floor(beta_window(low, m_neg)[0] * n).astype(np.int64)
    last = np.minimum(np.ceil(beta_window(high, m_neg)[1] * n).astype(np.int64) + 1, n)
    laws = []
    for i, share in enumerate(between.tolist()):
        edges = _edges(scores, int(first[i]), int(last[i]))
        pmf = order_masses(int(low[i]), m_neg, edges, n)
        if share > 0.0:
            pmf = (1.0 - share) * pmf + share * order_masses(int(high[i]), m_neg, edges, n)
        laws.append(CountLaw(positives_at(scores, (edges[1:] + edges[:-1] + 1) / 2), pmf))
    return laws


def _edges(scores: Scores, first: int, last: int) -> IntArray:
    """Cut the negatives of these ranks into cells within which the curve is linear.

    Each negative is a cell, or if there are far more, `CELLS` cells and the ends of ties: a cell is then 1e-4
    of the standard deviation and represented by its center, with a relative change of the variance of 1e-9.
    """
    if last - first <= 4 * CELLS:
        return np.arange(first, last + 1)
    even = first + (last - first) * np.arange(CELLS + 1, dtype=np.float64) / CELLS
    ends = scores.neg_above[slice(*np.searchsorted(scores.neg_above, [first, last]))]
    return np.unique(np.concatenate([even.astype(np.int64), ends]))


def positives_at(scores: Scores, rank: IntArray | FloatArray) -> FloatArray:
    """Return the positives at or above the negatives of these ranks, proportionally inside a tie."""
    rows = np.searchsorted(scores.neg_above, rank)
    # The product of two counts may exceed 64 bits.
    below = np.multiply(scores.neg_above[rows] - rank, scores.pos[rows], dtype=np.float64)
    return np.asarray(scores.pos_above[rows] - below / scores.neg[rows])


def law_moments(laws: list[CountLaw], n: int, m: int, a: float) -> tuple[FloatArray, FloatArray]:
    """Return the mean and variance of the true positive rate for n positives and a resample of m.

    With a > 0 each binomial is smoothed as by Agresti & Coull: a successes and a failures are added (Dugas &
    Gadoury 2009, Algorithm 4 and eqs. 6-7, a = 2); a = 0 gives the moments of the distribution.
    """
    mean, variance = np.empty(len(laws)), np.empty(len(laws))
    for i, law in enumerate(laws):
        p = (law.positives + a) / (n + 2.0 * a)
        mean[i] = inner(law.pmf, p)
        variance[i] = inner(law.pmf, np.square(p - mean[i])) + inner(law.pmf, p * (1.0 - p)) / (m + 2.0 * a)
    return mean, variance


def law_quantiles(laws: list[CountLaw], n: int, m: int, probs: ArrayLike) -> FloatArray:
    """Return, per rate and level, the smallest l/m whose cumulative probability reaches the level.

    The distribution is the mixture of eq. 5 of Dugas & Gadoury (2009) for n positives and a resample of m; in
    large samples its masses are never all computed. Shape (h, number of levels).
    """
    levels = np.asarray(probs, dtype=np.float64)
    counts, place = np.unique(np.concatenate([law.positives for law in laws]), return_inverse=True)
    if (m + 1) * len(counts) <= DENSE:
        weight = np.zeros((len(laws), len(counts)))
        start = 0
        for of_rate, law in zip(weight, laws, strict=True):
            np.add.at(of_rate, place[start : start + len(law.pmf)], law.pmf)
            start += len(law.pmf)
        masses = binomial_pmf(np.arange(m + 1), m, counts[:, None] / n)
        cdf = np.minimum(np.cumsum(weight @ masses, axis=1), 1.0)
        return first_reaching(cdf, levels) / m
    out = np.empty((len(laws), len(levels)))
    for i, law in enumerate(laws):
        mixture = gathered(law, n, m)
        mean = float(mixture.weight @ mixture.share)
        spread = float(
            mixture.weight @ (m * np.square(mixture.share - mean) + mixture.share * (1.0 - mixture.share))
        )
        deviation = math.sqrt(max(m * spread, 0.0))
        law_cdf = functools.partial(_cdf, mixture, m)
        out[i] = [
            discrete_quantile(law_cdf, level, 0, m, m * mean, deviation) / m for level in levels.tolist()
        ]
    return out


# --- mixtures of binomials ---------------------------------------------------------------------------


class BinomialMixture(NamedTuple):
    """Weights on increasing success probabilities.

    Each run of `NODES` of them is a Chebyshev panel of half-width `half`; arbitrary points if it is empty.
    """

    share: FloatArray
    weight: FloatArray
    half: FloatArray


NODES = 10


@functools.cache
def _panel_rule() -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return Chebyshev nodes, the map from Chebyshev moments to weights, and the integration matrix.

    The matrix has a row per node (the integral from the left end to it) and a last one for the panel.
    """
    chebyshev = np.polynomial.chebyshev
    x = -np.cos((np.arange(NODES) + 0.5) * np.pi / NODES)
    basis = np.linalg.inv(chebyshev.chebvander(x, NODES - 1))
    primitive = chebyshev.chebint(np.eye(NODES), lbnd=-1, axis=0)
    integral = chebyshev.chebval(np.append(x, 1.0), primitive).T @ basis
    return np.asarray(x), np.asarray(basis), np.asarray(integral)


def mixtures(scores: Scores, r: IntArray, size: tuple[int, int]) -> list[BinomialMixture]:
    """Return the mixing distribution of the success probability at each rate.

    A binomial probability is a smooth function of its success probability p on the scale of the standard
    deviation sqrt(p(1 - p)/m). If that scale has many thresholds, their weights are moved to the Chebyshev
    nodes of panels at most 0.6 standard deviations wide, exactly for polynomials of degree 9: the
    distribution of the count changes by less than 1e-12.
    """
    return [gathered(law, scores.n_pos, size[0]) for law in count_laws(scores, r, size[1])]


def gathered(law: CountLaw, n: int, m: int, panel: float = 0.6) -> BinomialMixture:
    """Return the mixing distribution of one rate on few points, for n positives and a resample of m.

    `panel` is the width of panels in standard deviations.
    """
    count, pmf = law
    # In the angle arcsin(sqrt p) the standard deviation of a proportion is 1/(2 sqrt m).
    low, high = np.arcsin(np.sqrt(count[[0, -1]] / n))
    panels = max(1, int(np.ceil((high - low) * 2.0 * np.sqrt(m) / panel)))
    if min(len(count), count[-1] - count[0]) <= NODES * panels:
        new = np.flatnonzero(np.diff(count, prepend=-1) != 0)
        return BinomialMixture(count[new] / n, np.add.reduceat(pmf, new), np.empty(0))
    edges = np.square(np.sin(np.linspace(low, high, panels + 1)))
    edges[0], edges[-1] = count[0] / n, count[-1] / n
    first = np.searchsorted(count, edges[:-1] * n)
    first[0] = 0
    center, half = (edges[1:] + edges[:-1]) / 2.0, np.diff(edges) / 2.0
    x, basis, _ = _panel_rule()
    share = (center[:, None] + half[:, None] * x).ravel()
    moments = np.zeros((panels, NODES))
    if n >= _kernels.BIG:
        begin = np.append(first, len(count))
        _kernels.compiled(panel_moments)(count, pmf, begin, center * n, 1.0 / (half * n), moments)
        return BinomialMixture(share, (moments @ basis).ravel(), half)
    length = np.diff(np.append(first, len(count)))
    full = np.flatnonzero(length)
    t = (count - np.repeat(center * n, length)) * np.repeat(1.0 / (half * n), length)
    before, current = pmf, pmf * t
    moments[full, 0] = np.add.reduceat(before, first[full])
    moments[full, 1] = np.add.reduceat(current, first[full])
    twice = 2.0 * t
    for degree in range(2, NODES):
        before, current = current, twice * current - before
        moments[full, degree] = np.add.reduceat(current, first[full])
    return BinomialMixture(share, (moments @ basis).ravel(), half)


def count_cells(mixture: BinomialMixture, m: int) -> tuple[IntArray, FloatArray]:
    """Return the counts of the window and their masses; beyond `FINE`, counts at even steps."""
    first, last = binomial_ends(mixture.share, m)
    step = max(1, (last - first) // FINE)
    counts = np.arange(first, last + 1, step)
    parts = np.array_split(counts, 1 + len(counts) * len(mixture.share) // 2_000_000)
    mass = [binomial_pmf(part[:, None], m, mixture.share) @ mixture.weight for part in parts]
    return counts, step * np.maximum(np.concatenate(mass), 0.0)


def _cdf(mixture: BinomialMixture, m: int, count: int) -> float:
    """Return P(L <= count), for 0 <= count < m.

    The derivative of P(Bin(m, p) >= count + 1) in p is the Beta(count + 1, m - count) density, so within a
    panel the binomial tails follow by spectral integration, with only one incomplete beta function.
    """
    p = mixture.share
    if mixture.half.size == 0:
        return 1.0 - float(betainc(count + 1.0, m - count, p) @ mixture.weight)
    density = m * binomial_pmf(count, m - 1, p)
    x, _, integral = _panel_rule()
    within = (density.reshape(-1, NODES) @ integral.T) * mixture.half[:, None]
    left = p[0] - mixture.half[0] * (x[0] + 1.0)
    start = betainc(count + 1.0, m - count, max(left, 0.0)) + np.cumsum(within[:, -1]) - within[:, -1]
    tail = (start[:, None] + within[:, :-1]).ravel()
    return 1.0 - float(tail @ mixture.weight)
