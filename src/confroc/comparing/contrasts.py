"""Differences of k values: distinct models, correlations of the differences, and the joint test.

Inputs are plain arrays: values, their variances, and the k × k variances of their differences. Covariances
are not used, because differences of nearly identical models would lose precision. The shortest differences
that connect all models, the edges of a minimum spanning tree, represent all others as sums.

References
----------
DeLong ER, DeLong DM, Clarke-Pearson DL (1988). Biometrics 44, 837–845.
Krishnamoorthy K, Yu J (2004). Modified Nel and Van der Merwe test for the multivariate Behrens-Fisher
problem. Statistics & Probability Letters 66, 161–169.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import special

from confroc._types import BoolArray, FloatArray, IntArray
from confroc.distributions import cholesky_rows, unit_vectors
from confroc.influence import correlation_of

NOISE = 1e-13
"""Relative rounding error of a variance that is a sum over many cases."""


def distinct_models(agree: BoolArray, values: FloatArray, variances: FloatArray) -> tuple[IntArray, IntArray]:
    """Return the distinct models, and for each model the representative with the same ranking.

    Distinct models are sorted by value and variance, so that results do not depend on the given order.

    Parameters
    ----------
    agree : ndarray of bool, shape (k, k)
        Whether two models have the same value and identical rankings, as monotone transforms have.
    values, variances : ndarray of shape (k,)

    Returns
    -------
    chosen : ndarray of int, shape (d,)
        Positions among the k models.
    representative : ndarray of int, shape (k,)
        Positions among `chosen`.
    """
    first = np.argmax(agree, axis=1)
    alone = np.unique(first)
    # Values equal up to rounding error keep their order.
    chosen = alone[np.lexsort((variances[alone].astype(np.float32), -values[alone].round(12)))]
    place = np.zeros(len(values), np.int64)
    place[chosen] = np.arange(len(chosen))
    return chosen, place[first]


class Tree(NamedTuple):
    """Edges that connect models, their lengths and correlations, and each model as a sum of edges.

    Attributes
    ----------
    edges : tuple of (int, int)
    scale : ndarray of shape (e,)
        Standard errors of the edges' differences.
    correlation : ndarray of shape (e, e)
    paths : ndarray of shape (k, e)
        Coefficients of the path from the first model to each, in standard errors of the edges.
    """

    edges: tuple[tuple[int, int], ...]
    scale: FloatArray
    correlation: FloatArray
    paths: FloatArray


def spanning_tree(difference_variances: FloatArray) -> Tree:
    """Return the minimum spanning tree; models at distance zero count as one.

    Parameters
    ----------
    difference_variances : ndarray of shape (k, k)
        Variances of the differences of k values.
    """
    k = len(difference_variances)
    edges: list[tuple[int, int]] = []
    paths = np.zeros((k, max(k - 1, 0)))
    # Treat lengths equal up to rounding error as equal.
    length = difference_variances.astype(np.float32)
    nearest, origin = length[0].copy(), np.zeros(k, np.intp)
    left = set(range(1, k))
    while left:
        node = min(left, key=lambda i: (nearest[i], i))
        left.remove(node)
        source = int(origin[node])
        paths[node] = paths[source]
        if difference_variances[source, node] > 0.0:
            paths[node, len(edges)] = math.sqrt(difference_variances[source, node])
            edges.append((source, node))
        closer = length[node] < nearest
        nearest[closer], origin[closer] = length[node, closer], node
    scale = np.sqrt([difference_variances[edge] for edge in edges])
    correlation = _correlation(difference_variances, edges, scale)
    np.fill_diagonal(correlation, 1.0)
    return Tree(tuple(edges), scale, correlation, paths[:, : len(edges)])


def _correlation(
    difference_variances: FloatArray, edges: Sequence[tuple[int, int]], scale: FloatArray
) -> FloatArray:
    """Covariances of edges over their standard errors, from the variances of differences."""
    p, q = (np.array([edge[end] for edge in edges], np.intp) for end in (0, 1))
    corners = [
        difference_variances[np.ix_(p, q)],
        difference_variances[np.ix_(q, p)],
        difference_variances[np.ix_(p, p)],
        difference_variances[np.ix_(q, q)],
    ]
    lengths = np.multiply.outer(scale, scale)
    correlation = 0.5 * (corners[0] + corners[1] - corners[2] - corners[3]) / lengths
    # For very unequal differences the correlation may be all rounding error.
    known = NOISE * np.max(corners, axis=0) < 1e-3 * lengths
    return np.asarray(np.where(known, np.clip(correlation, -1.0, 1.0), 0.0))


def difference_vectors(difference_variances: FloatArray, pairs: Sequence[tuple[int, int]]) -> FloatArray:
    """Return unit vectors whose inner products are the correlations of the differences.

    A difference without variance, of models that differ only in their values, has a separate dimension.

    Parameters
    ----------
    difference_variances : ndarray of shape (k, k)
    pairs : sequence of m pairs of positions
    """
    tree = spanning_tree(difference_variances)
    vectors = np.zeros((len(pairs), 1))
    if tree.edges:
        edges = unit_vectors(tree.correlation)
        between = np.array([tree.paths[j] - tree.paths[i] for i, j in pairs])
        vectors = np.einsum("ij,jk->ik", between, edges)
    length = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    unknown = np.flatnonzero(length == 0.0)
    vectors = np.hstack([vectors, np.zeros((len(pairs), len(unknown)))])
    vectors[unknown, vectors.shape[1] - len(unknown) + np.arange(len(unknown))] = length[unknown] = 1.0
    return np.asarray(vectors / length[:, None])


def value_vectors(variances: FloatArray, difference_variances: FloatArray) -> FloatArray:
    """Return unit vectors whose inner products are the correlations of the values."""
    correlation = correlation_of(variances[:, None], variances, difference_variances)
    correlation = np.where(np.isnan(correlation), 0.0, correlation)
    np.fill_diagonal(correlation, 1.0)
    return unit_vectors(correlation)


class WaldTest(NamedTuple):
    """Wald statistic for equal values, the rank of the covariance of differences, and its distribution.

    The p-value is from F(df, `df_denominator`), or chi-squared if this is infinite.
    """

    statistic: float
    df: int
    df_denominator: float
    pvalue: float


def wald_test(
    values: FloatArray, difference_variances: FloatArray, parts: Sequence[tuple[FloatArray, float]] = ()
) -> WaldTest:
    """Wald test that all values are equal.

    Parameters
    ----------
    values : ndarray of shape (k,)
    difference_variances : ndarray of shape (k, k)
        Variances of the differences.
    parts : sequence of (ndarray of shape (k, k), float), optional
        Components of `difference_variances` by class, with degrees of freedom. With them
        W(ν − r + 1)/(νr) has the distribution of F(r, ν − r + 1), where r is the rank and

            ν = (r + r²)/Σ [tr((S_c S⁻¹)²) + tr²(S_c S⁻¹)]/ν_c

        (Krishnamoorthy & Yu 2004, for two mean vectors); default: the covariance is treated as known.
    """
    tree = spanning_tree(difference_variances)
    if not tree.edges:
        return WaldTest(0.0, 0, math.inf, 1.0)
    rows, chosen = cholesky_rows(tree.correlation)
    r, whitening = len(chosen), np.linalg.inv(rows[chosen])
    edges, scale = [tree.edges[place] for place in chosen], tree.scale[chosen]
    gaps = np.array([values[j] - values[i] for i, j in edges]) / scale
    statistic = float(np.sum(np.einsum("ij,j->i", whitening, gaps) ** 2))
    spread = 0.0
    for part, known in parts:
        share = np.einsum("ij,jk,lk->il", whitening, _correlation(part, edges, scale), whitening)
        spread += (float(np.sum(share**2)) + float(np.trace(share)) ** 2) / known
    if not spread > 0.0:
        return WaldTest(statistic, r, math.inf, float(special.gammaincc(0.5 * r, 0.5 * statistic)))
    # With few more cases than models no degrees of freedom remain for the covariance.
    left = max(1.0, (r + r * r) / spread - r + 1.0)
    pvalue = float(special.fdtrc(r, left, statistic * left / (r * (left + r - 1.0))))
    return WaldTest(statistic, r, left, pvalue)
