"""Exact bootstrap distribution of the difference in true positives among the r highest cases of two models.

Both models predict r cases positive, so model a has D more true positives than b exactly when it has D fewer
false positives: the differences of the rates are D/m_pos and -D/m_neg. Cases tied at a cut are predicted
positive at random.

Stratified. At least s of the cases above a's cut are positive exactly when its s-th highest positive outranks
its (r - s + 1)-th highest negative. With that negative at position x of a's ranking and b's (r - t + 1)-th
highest one at position y of b's,

    P(TP_a >= s, TP_b >= t) = integral of G(x, y) dF(x, y),
    F(x, y) = P(r - s + 1 or more negatives above x, r - t + 1 or more above y),
    G(x, y) = P(s or more positives above x, t or more above y).

Both are tails of the distribution of two dependent binomial counts (as eq. 13 of Dugas & Gadoury 2009). In
rows with negatives only, G is constant, and the integral is a difference of F (their eq. 19); in rows with
both classes, both are polynomials, integrated by Lobatto quadrature.

Full. Given the number of positives drawn the sampling is stratified, so the distribution is a mixture over
that number.
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import fft, sparse

from confroc._types import FloatArray, IntArray, Sampling
from confroc.distributions import beta_window, binomial_pmf, binomial_window
from confroc.exact.positive_rate import found_at_least, joint_law
from confroc.scores import PairedScores, Scores
from confroc.scores.counting import counts_above_grid

WORK = 4e7
"""Number of values of the distributions of two counts, over all positions of both cuts, from which a normal
approximation is used."""

SURE = 1e-13
"""Neglected probability of numbers of positives in each tail."""

OUTCOMES = 4_000_000
"""The same for pairs of outcomes of two models on disjoint test sets."""


class DifferenceLaw(NamedTuple):
    """Joint distribution of D, a's true positives minus b's, and the positives drawn; `pmf` is (d, n)."""

    difference: IntArray
    drawn: IntArray
    pmf: FloatArray


# --- positions ---------------------------------------------------------------------------------------


class Panel(NamedTuple):
    """Places along a part of a ranking, in rows, and the rule that integrates G dF over them.

    `rule` has a row for G at each position, and a column for F before all positions and at each.
    """

    at: FloatArray
    rule: FloatArray


@functools.cache
def lobatto(order: int) -> tuple[FloatArray, FloatArray]:
    """Return Lobatto nodes in [0, 1], and the matrix of the integrals of l_i dl_j of Lagrange polynomials."""
    legendre = np.polynomial.legendre.Legendre.basis(order - 1)
    inside = np.sort(legendre.deriv().roots().real)
    nodes = np.concatenate([[-1.0], inside, [1.0]])
    weights = 2.0 / (order * (order - 1.0) * np.square(legendre(nodes)))
    gaps = nodes[:, None] - nodes + np.eye(order)
    own = gaps.prod(axis=1)
    slopes = own[:, None] / own / gaps
    np.fill_diagonal(slopes, 0.0)
    np.fill_diagonal(slopes, -slopes.sum(axis=1))
    return 0.5 * (nodes + 1.0), weights[:, None] * slopes


def places(scores: Scores, r: IntArray, size: tuple[int, int]) -> list[Panel]:
    """Return the places where the r-th highest negatives of a resample may be, row by row."""
    m_pos, m_neg = size
    window = beta_window(r, m_neg)
    low, high = float(window[0].min()) * scores.n_neg, float(window[1].max()) * scores.n_neg
    rows = np.flatnonzero(
        (scores.neg > 0) & (scores.neg_above > low) & (scores.neg_above - scores.neg < high)
    )
    found = []
    for row in rows.tolist():
        if scores.pos[row] == 0:
            found.append(Panel(np.array([row + 1.0]), np.array([[-1.0, 1.0]])))
            continue
        # In a row with both classes each panel is at most one standard deviation of either count wide.
        deviations = 0.0
        for count, above, n, m in (
            (scores.neg, scores.neg_above, scores.n_neg, m_neg),
            (scores.pos, scores.pos_above, scores.n_pos, m_pos),
        ):
            middle = (above[row] - 0.5 * count[row]) / n
            deviations = max(deviations, count[row] / n * math.sqrt(m / (middle * (1.0 - middle))))
        panels = max(1, math.ceil(deviations))
        nodes, rule = lobatto(6 if deviations < 0.05 else 9 if deviations < 0.25 else 14)
        rule = np.hstack([np.zeros((len(nodes), 1)), rule])
        found += [Panel(row + (panel + nodes) / panels, rule) for panel in range(panels)]
    return found


def joined(parts: list[Panel]) -> tuple[FloatArray, sparse.csr_array]:
    """Return all places, and one rule for them, with F zero before the first."""
    at = np.concatenate([part.at for part in parts])
    first, blocks = 0, []
    for part in parts:
        value, column = np.nonzero(part.rule)
        blocks.append((part.rule[value, column], value + first, column + first - 1))
        first += len(part.at)
    weight, value, column = (np.concatenate(x) for x in zip(*blocks, strict=True))
    kept = column >= 0
    return at, sparse.csr_array((weight[kept], (value[kept], column[kept])), shape=(first, first))


# --- paired ------------------------------------------------------------------------------------------


def two_tails(share_a: FloatArray, share_b: FloatArray, both: FloatArray, m: int) -> FloatArray:
    """P(X >= i, Y >= j) for all i and j from 0 to m, for m draws.

    Shape (..., m + 1, m + 1); computed from the characteristic function of (X, Y).
    """
    length = int(fft.next_fast_len(m + 1, real=True))
    z = np.exp(-2j * np.pi * np.arange(length) / length)
    x, y = z[:, None], z[None, : length // 2 + 1]
    b, c, d = (v[..., None, None] for v in (share_a - both, share_b - both, both))
    step = (1.0 - b - c - d) + b * x + c * y + d * (x * y)
    law = fft.irfft2(_power(step, m), s=(length, length), overwrite_x=True)[..., : m + 1, : m + 1]
    return np.asarray(np.flip(np.flip(law, (-2, -1)).cumsum(axis=-1).cumsum(axis=-2), (-2, -1)))


def _power(base: NDArray[np.complex128], m: int) -> NDArray[np.complex128]:
    """By repeated squaring, many times faster than numpy's complex power."""
    done = np.ones_like(base)
    while m:
        if m & 1:
            done *= base
        m >>= 1
        if m:
            base = base * base
    return done


def shares_above(pair: PairedScores, counts: IntArray) -> FloatArray:
    """Proportions of one class above all pairs of rows of both rankings."""
    shape = len(pair.a.score), len(pair.b.score)
    above = counts_above_grid(pair.index_a, pair.index_b, counts, shape)
    return np.asarray(np.pad(above, ((1, 0), (1, 0))) / counts.sum())


def tails_at(grid: FloatArray, x: FloatArray, y: FloatArray, m: int) -> FloatArray:
    """Tails of m draws of a class at all pairs of positions, linear within ties; (x, y, m + 1, m + 1)."""
    both = _between(_between(grid, x).T, y).T
    a, b = _between(grid[:, -1], x), _between(grid[-1], y)
    both = np.minimum(both, np.minimum(a[:, None], b))
    return two_tails(np.broadcast_to(a[:, None], both.shape), np.broadcast_to(b, both.shape), both, m)


def _between(values: FloatArray, place: FloatArray) -> FloatArray:
    """Interpolate along the first axis."""
    row = np.minimum(place.astype(np.int64), len(values) - 2)
    part = (place - row).reshape(-1, *[1] * (values.ndim - 1))
    return np.asarray(values[row] * (1.0 - part) + values[row + 1] * part)


class Attainable(NamedTuple):
    """Ranges of true positives of both models, and their marginal probabilities."""

    found: IntArray
    tail_a: FloatArray
    tail_b: FloatArray

    @classmethod
    def of(cls, pair: PairedScores, r: int, size: tuple[int, int]) -> Attainable:
        """Restrict to numbers with non-negligible probability."""
        found = np.arange(max(0, r - size[1]), min(r, size[0]) + 1)
        tails = np.array([[found_at_least(x, s, r, size) for s in found.tolist()] for x in (pair.a, pair.b)])
        first = int(np.flatnonzero(tails.min(axis=0) >= 1.0 - SURE)[-1])
        last = int(np.flatnonzero(tails.max(axis=0) > SURE)[-1]) + 1
        kept = slice(first, last)
        return cls(found[kept], tails[0, kept], tails[1, kept])

    def places(self, scores: Scores, r: int, size: tuple[int, int]) -> list[Panel]:
        """Return the places of the negatives that more than the least number of positives outrank."""
        return places(scores, r - self.found[1:] + 1, size)


def _work(parts: tuple[list[Panel], list[Panel]], size: tuple[int, int]) -> float:
    """Return how many values of the distributions of two counts are computed."""
    count_a, count_b = (float(sum(len(part.at) for part in side)) for side in parts)
    return count_a * count_b * sum((m + 1.0) ** 2 for m in size)


def found_law(
    pair: PairedScores, r: int, size: tuple[int, int], above: tuple[FloatArray, FloatArray]
) -> tuple[int, FloatArray]:
    """Return the stratified distribution of (TP_a, TP_b): the first count of both, and the masses."""
    within = Attainable.of(pair, r, size)
    first, steps = int(within.found[0]), len(within.found)
    tails = np.zeros((steps + 1, steps + 1))
    tails[0, :-1], tails[:-1, 0] = within.tail_b, within.tail_a
    tails[0, 0] = 1.0
    if steps > 1:
        parts, others = (within.places(x, r, size) for x in (pair.a, pair.b))
        y, rule = joined(others)
        found = within.found[1:]
        false = r - found + 1
        last = np.zeros((1, len(y), steps - 1, steps - 1))
        for part in parts:
            of_neg = tails_at(above[1], part.at, y, size[1])[:, :, false[:, None], false]
            of_pos = tails_at(above[0], part.at, y, size[0])[:, :, found[:, None], found]
            change = np.tensordot(part.rule, np.concatenate([last, of_neg]), axes=1)
            for value, moved in zip(of_pos, change, strict=True):
                along = (rule @ moved.reshape(len(y), -1)).reshape(moved.shape)
                tails[1:-1, 1:-1] += (value * along).sum(axis=0)
            last = of_neg[-1:]
    law = tails[:-1, :-1] - tails[1:, :-1] - tails[:-1, 1:] + tails[1:, 1:]
    return first, np.maximum(law, 0.0)


def difference_law(
    pair: PairedScores, r: int, size: tuple[int, int], sampling: Sampling
) -> DifferenceLaw | None:
    """Return the distribution of the difference in true positives, or None if too expensive."""
    m = sum(size)
    if max(float(m) ** 2, float(len(pair.a.score)) * len(pair.b.score)) > WORK:
        return None
    drawn, weight = np.array([size[0]]), np.ones(1)
    if sampling == "full":
        share = np.array([pair.n_pos / (pair.n_pos + pair.n_neg)])
        drawn = binomial_window(share, m)
        drawn = drawn[(drawn > 0) & (drawn < m)]
        weight = binomial_pmf(drawn, m, share)
    middle = Attainable.of(pair, r, size)
    if len(middle.found) > 1:
        parts = middle.places(pair.a, r, size), middle.places(pair.b, r, size)
        if _work(parts, size) * len(drawn) > WORK:
            return None
    above = shares_above(pair, pair.pos), shares_above(pair, pair.neg)
    most = min(r, m - 1)
    pmf = np.zeros((2 * most + 1, len(drawn)))
    for column, (n_pos, mass) in enumerate(zip(drawn.tolist(), weight.tolist(), strict=True)):
        _, law = found_law(pair, r, (n_pos, m - n_pos), above)
        steps = np.arange(len(law))
        difference = (steps[:, None] - steps + most).ravel()
        pmf[:, column] = mass * np.bincount(difference, weights=law.ravel(), minlength=len(pmf))
    return DifferenceLaw(np.arange(-most, most + 1), drawn, pmf / pmf.sum())


# --- unpaired ----------------------------------------------------------------------------------------


class RateLaws(NamedTuple):
    """Values of one model's rates and their probabilities."""

    fpr: FloatArray
    tpr: FloatArray
    mass: FloatArray


def rate_laws(scores: Scores, r: int, size: tuple[int, int], sampling: Sampling) -> RateLaws | None:
    """Return the joint distribution of one model's rates, or None if it has too many outcomes."""
    m = sum(size)
    if sampling == "full":
        joint = joint_law(scores, r, m)
        if joint is None:
            return None
        kept = joint.pmf > 1e-16
        found, missed = (np.broadcast_to(v, kept.shape)[kept] for v in (joint.found[:, None], joint.missed))
        drawn = found + missed
        return RateLaws((r - found) / (m - drawn), found / drawn, joint.pmf[kept])
    least, most = max(0, r - size[1]), min(r, size[0])
    if most - least > OUTCOMES // 1000:
        return None
    found = np.arange(least, most + 1)
    tail = np.array([found_at_least(scores, s, r, size) for s in [*found.tolist(), int(found[-1]) + 1]])
    return RateLaws((r - found) / size[1], found / size[0], np.maximum(-np.diff(tail), 0.0))
