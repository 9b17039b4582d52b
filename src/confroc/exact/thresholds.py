"""The exact bootstrap law of the threshold that yields r false positives, over its window.

Draw m of the n negatives with replacement. The r-th largest of the draws is at least the score s when
r or more draws come from the c negatives that score s or more, so

    P(T >= s) = P(Bin(m, c/n) >= r) = I(c/n; r, m - r + 1)

with the regularised incomplete beta function (Dugas & Gadoury 2009, eqs. 3-4). In other words the
threshold is the case found at a Beta(r, m - r + 1) share of the way down the ranking. That law has a
standard deviation of sqrt(r (m - r) / m^3), so only a window of negatives matters: all but 1e-16 of
the mass lies between two quantiles of the Beta law.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincc

from confroc._check import check_size, false_positives
from confroc._types import FloatArray, IntArray, Size
from confroc.distributions import beta_window
from confroc.scores import Scores, check_scores

NODES = 12
"""Nodes per block of the interpolated Beta density."""


def threshold_pmf(scores: Scores, fpr: ArrayLike, *, size: Size = None) -> tuple[FloatArray, FloatArray]:
    """Exact bootstrap law of the threshold that yields a given false positive rate.

    Parameters
    ----------
    scores : Scores
    fpr : float or array-like of shape (h,)
        False positive rates in [1/m_neg, 1]; each stands for r = floor(fpr * m_neg) false positives.
    size : tuple of int, optional
        (m_pos, m_neg), cases per bootstrap sample; by default the sample's own.

    Returns
    -------
    support : ndarray of shape (k,)
        The distinct scores of negatives, in decreasing order.
    pmf : ndarray of shape (k,), or (h, k) when `fpr` is an array
        Probability that the r-th largest negative score of a bootstrap sample equals each of them.

    Raises
    ------
    ValueError
        When a rate is not in [1/m_neg, 1], or `size` is not a pair of positive integers.

    Notes
    -----
    Negatives with equal scores are one point of the support. Exact but for rounding: it is the limit of
    the stratified bootstrap as resamples grow in number (Dugas & Gadoury 2009, eqs. 3-4).

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.exact import threshold_pmf
    >>> support, pmf = threshold_pmf(Scores([1, 0, 1, 0], [4, 3, 2, 1]), 0.5)
    >>> support, pmf
    (array([3., 1.]), array([0.75, 0.25]))
    """
    table = check_scores("scores", scores)
    m_neg = check_size(size, table.n_pos, table.n_neg)[1]
    r = false_positives(fpr, m_neg)
    support = np.flatnonzero(table.neg)
    pmf = np.zeros((len(r), len(support)))
    for i, law in enumerate(windows(table, r, m_neg)):
        pmf[i, np.searchsorted(support, law.rows)] = law.pmf
    return table.score[support], pmf.reshape((*np.shape(fpr), len(support)))


class ThresholdLaw(NamedTuple):
    """The thresholds that matter at one rate: rows of the score table and their probabilities."""

    rows: IntArray
    pmf: FloatArray


def share_masses(r: int, m: int, share: FloatArray) -> FloatArray:
    """Return the Beta(r, m - r + 1) mass between consecutive increasing shares, accurate in both tails."""
    a, b = float(r), m - r + 1.0
    split = int(np.searchsorted(share, r / (m + 1.0)))
    below = np.asarray(betainc(a, b, share[: split + 1]))
    above = np.asarray(betaincc(a, b, share[split:]))
    return np.concatenate([np.diff(below), -np.diff(above)])


@functools.cache
def _block_rule(cells: int) -> tuple[FloatArray, FloatArray]:
    """Return nodes in (0, 1), and the matrix taking a density at them to its integrals over equal cells."""
    chebyshev = np.polynomial.chebyshev
    x = np.cos((np.arange(NODES) + 0.5) * np.pi / NODES)
    basis = np.linalg.inv(chebyshev.chebvander(x, NODES - 1))
    edges = np.linspace(-1.0, 1.0, cells + 1)
    antiderivative = chebyshev.chebval(edges, chebyshev.chebint(np.eye(NODES), axis=0))
    return (x + 1.0) / 2.0, np.asarray((np.diff(antiderivative, axis=1).T @ basis).T)


def _lattice_masses(r: int, m: int, n: int, start: int, cells: int, per_block: int) -> FloatArray:
    """Return Beta(r, m - r + 1) masses of the cells (i, i + 1] / n, i = start, start + 1, ..., sum one.

    The density is smooth on the scale of its deviation, so a dozen values per block of half a deviation
    give all the block's cells by one product of matrices.
    """
    nodes, rule = _block_rule(per_block)
    blocks = -(-cells // per_block)
    share = ((start + per_block * np.arange(blocks))[:, None] + per_block * nodes) / n
    inside = (share > 0.0) & (share < 1.0)
    share = np.where(inside, share, 0.5)
    mode = (r - 1.0) / (m - 1.0)
    log_density = np.zeros_like(share)
    if r > 1:
        log_density += (r - 1.0) * np.log1p((share - mode) / mode)
    if r < m:
        log_density += (m - r) * np.log1p((mode - share) / (1.0 - mode))
    density = np.where(inside, np.exp(log_density), 0.0)
    mass = np.maximum((density @ rule).ravel()[:cells], 0.0)
    return np.asarray(mass / mass.sum())


def windows(scores: Scores, r: IntArray, m_neg: int) -> list[ThresholdLaw]:
    """Return the threshold's law at each number of false positives, over the rows that hold negatives."""
    n = scores.n_neg
    neg_above = scores.neg_above
    low, high = beta_window(r, m_neg)
    first = np.searchsorted(neg_above, np.floor(low * n).astype(np.int64), side="right")
    last = np.minimum(np.searchsorted(neg_above, np.ceil(high * n).astype(np.int64)) + 1, len(neg_above))
    deviation = np.sqrt(r * (m_neg - r + 1.0) / (m_neg + 2.0)) / (m_neg + 1.0) * n
    laws = []
    for i, count in enumerate(r.tolist()):
        rows = first[i] + np.flatnonzero(scores.neg[first[i] : last[i]] > 0)
        start = int(neg_above[rows[0] - 1]) if rows[0] > 0 else 0
        edges = np.concatenate([[start], neg_above[rows]])
        cells = int(edges[-1]) - start
        per_block = 2 ** int(np.log2(max(1.0, 0.7 * deviation[i])))
        # The lattice costs a nanosecond or two a cell, the incomplete beta function about one microsecond.
        if per_block < 16 or cells > 100 * len(rows) or edges[-1] + per_block > n or start == 0:
            pmf = share_masses(count, m_neg, edges / n)
        else:
            pmf = _lattice_masses(count, m_neg, n, start, cells, per_block)
            if cells > len(rows):
                pmf = np.add.reduceat(pmf, edges[:-1] - start)
        laws.append(ThresholdLaw(rows, pmf))
    return laws
