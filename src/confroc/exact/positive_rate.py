"""Exact bootstrap distributions when the r highest of all m resampled cases are predicted positive.

Cases tied at the cut are predicted positive at random, so that exactly r are. Give every draw a uniform
tie-breaker: then the ranking of the positives is continuous, and the a-th highest of m_pos positives lies at
a Beta(a, m_pos - a + 1) proportion of the positives from the top; likewise for the negatives.

Stratified. At least a of the r cases above the cut are positive exactly when the a-th highest positive
outranks the (r - a + 1)-th highest negative. So with independent proportions U ~ Beta(a, m_pos - a + 1) and V
~ Beta(r - a + 1, m_neg - r + a), and the ROC curve as the path (V, U) down the ranking,

    P(TP >= a) = P(U is reached before V)
               = sum over rows of dF_U (1 - F_V),

plus, within rows with both classes, the probability that the positive comes first.

Full. The r-th highest of m draws lies at a proportion w ~ Beta(r, m - r + 1) of all cases from the top. Given
w, the r - 1 draws above it and the m - r below it are independent draws from the cases above and below, and
the r-th is positive with the proportion of positives in its row.
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np
from scipy.special import betainc, betaincc

from confroc._types import FloatArray, IntArray
from confroc.distributions import (
    beta_window,
    binomial_pmf,
    binomial_window,
    discrete_quantile,
    first_reaching,
    gauss_nodes,
    inner,
    order_cdf,
)
from confroc.scores import Scores
from confroc.scores.counting import rows_of_cases

WORK = 5e9
"""Number of multiplications from which the joint distribution under full sampling has a normal
approximation."""

NODES = 12


def expected_found(scores: Scores, flagged: FloatArray) -> FloatArray:
    """Return the expected number of positives among the highest cases, with ties in random order."""
    row = rows_of_cases(scores, flagged)
    pos, both = scores.pos[row], scores.pos[row] + scores.neg[row]
    short = scores.pos_above[row] + scores.neg_above[row] - flagged
    return np.asarray(scores.pos_above[row] - pos * (short / both))


# --- stratified sampling -----------------------------------------------------------------------------


def found_at_least(scores: Scores, a: int, r: int, size: tuple[int, int]) -> float:
    """Return P(TP >= a), the probability that at least a of the r cases above the cut are positive."""
    m_pos, m_neg = size
    if a <= max(0, r - m_neg):
        return 1.0
    if a > min(r, m_pos):
        return 0.0
    u, v = (float(a), m_pos - a + 1.0), (r - a + 1.0, m_neg - (r - a))
    # Rows above the window lie above V, rows below it below V.
    low, high = (float(end) * scores.n_neg for end in beta_window(r - a + 1, m_neg))
    # Integers, because otherwise the search copies all counts.
    first, last = np.searchsorted(scores.neg_above, [math.floor(low) + 1, math.ceil(high)]).tolist()
    window = slice(first, last + 1)
    pos_end, neg_end = scores.pos_above[window] / scores.n_pos, scores.neg_above[window] / scores.n_neg
    top, top_neg = (
        float(above[first - 1]) / n if first > 0 else 0.0
        for above, n in ((scores.pos_above, scores.n_pos), (scores.neg_above, scores.n_neg))
    )
    cdf_pos = np.concatenate([[betainc(*u, top)], order_cdf(a, m_pos, pos_end)])
    total = float(cdf_pos[0]) + inner(np.diff(cdf_pos), 1.0 - order_cdf(r - a + 1, m_neg, neg_end))
    mixed = np.flatnonzero((scores.pos[window] > 0) & (scores.neg[window] > 0))
    if mixed.size:
        pos_start = np.concatenate([[top], pos_end])[mixed]
        neg_start = np.concatenate([[top_neg], neg_end])[mixed]
        total += _first_in_row(u, v, (pos_start, pos_end[mixed]), (neg_start, neg_end[mixed]), size)
    return min(total, 1.0)


def _first_in_row(
    u: tuple[float, float],
    v: tuple[float, float],
    pos: tuple[FloatArray, FloatArray],
    neg: tuple[FloatArray, FloatArray],
    size: tuple[int, int],
) -> float:
    """Return the probability that U and V fall into one row and U comes first.

    The integral of f_U(x) (F_V(end) - F_V(y(x))) over the row, by Gauss quadrature on panels of at most one
    standard deviation of either distribution.
    """
    low, high = pos
    # The part of the row with mass of U.
    start, end = (np.clip(side, low, high) for side in beta_window(int(u[0]), size[0]))
    slope = (neg[1] - neg[0]) / (high - low)
    deviations = [np.sqrt(p * q / (p + q + 1.0)) / (p + q) for p, q in (u, v)]
    panels = np.ceil((end - start) * np.maximum(1.0 / deviations[0], slope / deviations[1]))
    panels = np.where(end > start, np.maximum(panels, 1.0), 0.0).astype(np.int64)
    if not panels.any():
        return 0.0
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    row, width, x = gauss_nodes(start, end, panels, nodes)
    y = neg[0][row, None] + slope[row, None] * (x - low[row, None])
    density = size[0] * binomial_pmf(np.array(int(u[0]) - 1), size[0] - 1, x)
    rest = betaincc(*v, y) - betaincc(*v, neg[1])[row, None]
    return float(np.sum(density * rest * weights * width[:, None]) / 2.0)


def found_quantiles(scores: Scores, r: int, size: tuple[int, int], probs: tuple[float, ...]) -> list[int]:
    """Return, per level, the smallest number a with P(TP <= a) >= level."""
    m_pos, m_neg = size

    @functools.cache
    def cdf(a: int) -> float:
        return 1.0 - found_at_least(scores, a + 1, r, size)

    least, most = max(0, r - m_neg), min(r, m_pos)
    flagged = r * (scores.n_pos + scores.n_neg) / (m_pos + m_neg)
    middle = float(expected_found(scores, np.array([flagged]))[0]) * m_pos / scores.n_pos
    spread = 1.0 + math.sqrt(max(middle * (1.0 - middle / r), 0.0))
    return [discrete_quantile(cdf, prob, least, most, middle, spread) for prob in probs]


def found_moments(scores: Scores, r: int, size: tuple[int, int]) -> tuple[float, float]:
    """Return the mean and variance of TP.

    From the masses of cells of up to two thirds of a standard deviation, which give the mean of a bell-shaped
    distribution, and with Sheppard's correction its variance, far more accurately than 1e-10.
    """
    low, median, high = found_quantiles(scores, r, size, (0.16, 0.5, 0.84))
    width = max(1, int((high - low) / 3))
    around = 10 * (high - low) + 20
    start = max(0, r - size[1], median - around)
    edges = np.arange(start, min(r, size[0], median + around) + width + 1, width)
    above = np.array([found_at_least(scores, int(a), r, size) for a in edges])
    mass = above[:-1] - above[1:]
    center = edges[:-1] + (width - 1) / 2.0
    mean = float(mass @ center)
    return mean, float(mass @ np.square(center - mean)) - (width * width - 1) / 12.0


# --- full sampling -----------------------------------------------------------------------------------


class BothCounts(NamedTuple):
    """The distribution of (TP, FN) at one r under full sampling, given that both classes occur."""

    found: IntArray
    missed: IntArray
    pmf: FloatArray


class CutNodes(NamedTuple):
    """Quadrature nodes for the cut, as proportions w of all cases, with weights.

    `above` and `below` are the proportions of positives among the cases above and below the cut, `at` that in
    its row.
    """

    weight: FloatArray
    above: FloatArray
    below: FloatArray
    at: FloatArray


def cut_nodes(scores: Scores, r: int, m: int) -> CutNodes:
    """Return Gauss nodes for the position of the r-th highest of m draws, by rows of its window."""
    n = scores.n_pos + scores.n_neg
    a, b = float(r), m - r + 1.0
    window = beta_window(r, m)
    first, last = rows_of_cases(scores, np.array([np.floor(window[0] * n) + 1.0, window[1] * n])).tolist()
    row = np.arange(first, last + 1)
    row_end = scores.pos_above[row] + scores.neg_above[row]
    row_start = row_end - scores.pos[row] - scores.neg[row]
    start, end = np.maximum(row_start / n, window[0]), np.minimum(row_end / n, window[1])
    size = (end - start) * (a + b) / np.sqrt(a * b / (a + b + 1.0))
    # With rows much finer than the standard deviation a few nodes each suffice.
    order = NODES if size.max() > 0.25 else 6 if size.max() > 0.05 else 3
    panels = np.maximum(np.ceil(size), 1).astype(np.int64)
    nodes, weights = np.polynomial.legendre.leggauss(order)
    of, width, x = gauss_nodes(start, end, panels, nodes)
    w = x.ravel()
    mass = m * binomial_pmf(np.array(r - 1), m - 1, w) * (width[:, None] * weights / 2.0).ravel()
    at = np.repeat((scores.pos[row] / (scores.pos[row] + scores.neg[row]))[of], order)
    pos_start = np.repeat((scores.pos_above[row] - scores.pos[row])[of], order)
    pos_above = pos_start + (w * n - np.repeat(row_start[of], order)) * at
    above, below = pos_above / (w * n), (scores.n_pos - pos_above) / (n * (1.0 - w))
    return CutNodes(mass, np.clip(above, 0.0, 1.0), np.clip(below, 0.0, 1.0), at)


def joint_law(scores: Scores, r: int, m: int) -> BothCounts | None:
    """Return the distribution of positives above and below the cut, or None if it is too large."""
    nodes = cut_nodes(scores, r, m)
    above, missed = binomial_window(nodes.above, r - 1), binomial_window(nodes.below, m - r)
    if len(nodes.weight) * float(len(above)) * len(missed) > WORK:
        return None
    of_above = binomial_pmf(above, r - 1, nodes.above[:, None]) * nodes.weight[:, None]
    found = np.append(above, above[-1] + 1)
    of_found = np.zeros((len(nodes.weight), len(found)))
    of_found[:, :-1] = of_above * (1.0 - nodes.at[:, None])
    of_found[:, 1:] += of_above * nodes.at[:, None]
    pmf = of_found.T @ binomial_pmf(missed, m - r, nodes.below[:, None])
    drawn = found[:, None] + missed
    pmf[(drawn == 0) | (drawn == m)] = 0.0
    return BothCounts(found, missed, pmf / pmf.sum())


def joint_quantiles(joint: BothCounts, r: int, m: int, probs: tuple[float, ...]) -> dict[str, list[float]]:
    """Return quantiles of TPR, FPR and precision from the joint distribution."""
    found, missed = joint.found[:, None], joint.missed[None, :]
    drawn = found + missed
    # Without a class the probability is zero and the rate is not used.
    rates = {
        "tpr": found / np.maximum(drawn, 1),
        "fpr": (r - found) / np.maximum(m - drawn, 1),
        "precision": np.broadcast_to(found / r, drawn.shape),
    }
    return {name: quantiles_of(rate, joint.pmf, probs) for name, rate in rates.items()}


def quantiles_of(values: FloatArray, mass: FloatArray, probs: tuple[float, ...]) -> list[float]:
    """Return, per level, the smallest of the values whose cumulative probability reaches the level."""
    order = np.argsort(values, axis=None)
    cdf = np.cumsum(mass.ravel()[order])
    # Equal values share the cumulative mass of the last one.
    place = first_reaching(cdf[None, :], np.asarray(probs))[0]
    found: list[float] = values.ravel()[order[place]].tolist()
    return found


def full_moments(scores: Scores, r: int, m: int) -> dict[str, tuple[float, float]]:
    """Return the mean and variance of FPR, TPR and precision under full sampling.

    Exact for the precision, with denominator r; to first order (delta method) for the two rates, whose
    denominators vary.
    """
    nodes = cut_nodes(scores, r, m)
    weight = nodes.weight / nodes.weight.sum()
    found, missed = (r - 1) * nodes.above + nodes.at, (m - r) * nodes.below
    mean_found, mean_missed = inner(weight, found), inner(weight, missed)
    var_found = inner(weight, np.square(found - mean_found))
    var_found += inner(weight, (r - 1) * nodes.above * (1.0 - nodes.above) + nodes.at * (1.0 - nodes.at))
    var_missed = inner(weight, np.square(missed - mean_missed))
    var_missed += inner(weight, (m - r) * nodes.below * (1.0 - nodes.below))
    covariance = inner(weight, (found - mean_found) * (missed - mean_missed))
    result = {"precision": (mean_found / r, var_found / r**2)}
    for name, f, g in (("tpr", mean_found, mean_missed), ("fpr", r - mean_found, m - r - mean_missed)):
        # d(f / (f + g)) is (g df - f dg) / (f + g)^2; for the negatives df and dg both change sign.
        variance = (g * g * var_found + f * f * var_missed - 2.0 * f * g * covariance) / (f + g) ** 4
        result[name] = f / (f + g), max(variance, 0.0)
    return result
