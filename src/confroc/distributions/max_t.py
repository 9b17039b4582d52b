"""The distribution of the maximum of correlated normal variables, and tests adjusted by it.

Standard normal variables Z = R·(v·U) of m unit vectors v in r dimensions share a radius R, χ-distributed with
r degrees of freedom, and a direction U, uniform on the sphere. So

    P(max |Z| > t) = E P(R > t/max |v·U|),

where the radial distribution is known and only the direction is averaged over, which gives a smooth function
of t. One set of directions is used for every t and every subset of the variables, so the computed tail is
exactly monotone: it increases with the subset and decreases with t. About half of the directions are spread
evenly, the others are drawn given that some |Z| exceeds 2, 4 or 16. Weights make the mean numbers of
variables, and of pairs of them, beyond several thresholds exact.

The directions are fixed in the basis of the vectors; a random rotation changes the tail by the error of the
method. For p-values from 0.5 to 0.001 the standard deviation of this error relative to the p-value is at most
0.13% for all pairs of 4 to 12 equal groups, 0.4% for up to 9 against one, 0.5% for 20, and 2% for the
pairs of three of ten groups; at t = 25 it is 5% for all pairs of 12 groups. In one dimension it is rounding
error, in two a few parts in 100,000. `cholesky_rows` fixes the basis, so results are equal on all processors.

With a common estimate of scale with ν degrees of freedom, R²/r has the F(r, ν) distribution and Z is
multivariate t.

References
----------
Naiman DQ, Priebe CE (2001). Computing scan statistic p values using importance sampling. Journal of
Computational and Graphical Statistics 10, 296-328. Directions beyond a threshold.
Owen DB (1956). Tables for computing bivariate normal probabilities. Annals of Mathematical Statistics 27,
1075-1090.
Marcus R, Peritz E, Gabriel KR (1976). On closed testing procedures with special reference to ordered analysis
of variance. Biometrika 63, 655-660.
Shaffer JP (1986). Modified sequentially rejective multiple test procedures. Journal of the American
Statistical Association 81, 826-831. Logically possible sets of equalities.
Westfall PH (1997). Multiple testing of general contrasts using logical constraints and correlations. Journal
of the American Statistical Association 92, 299-306.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from confroc._types import FloatArray

MOST_CLOSED = 10
"""Number of models up to which all logically possible sets of equalities are tested."""
_LEVELS = 4096
"""Number of values that a cosine is rounded to, so that the radial tail at t is a table."""
_DIRECTIONS = 8192
_MOST_COSINES = 2**25
_EVENLY, _BEYOND = 0.45, {2.0: 0.25, 4.0: 0.2, 16.0: 0.1}
"""Fractions of the directions: spread evenly, and drawn beyond these thresholds."""
_EXACT_AT, _PAIRS = (1.0, 2.0, 3.0, 4.0, 6.0, 16.0), (2.0, 3.0, 4.0)
"""Thresholds beyond which the mean numbers of variables and of pairs are exact."""
_EACH_AT, _SETS = 3.0, 45
"""Threshold beyond which it is exact for each variable, or for 45 sets if there are more."""


class MaxT:
    """Distribution of the maximum of m correlated standard normal variables.

    Parameters
    ----------
    vectors : ndarray of shape (m, r)
        Unit vectors whose inner products are the correlations.

    Examples
    --------
    >>> import numpy as np
    >>> from confroc.distributions import MaxT
    >>> distribution = MaxT(np.eye(2))
    >>> round(distribution.pointwise_level(0.95), 4), round(0.95**0.5, 4)
    (0.9747, 0.9747)
    """

    def __init__(self, vectors: FloatArray) -> None:
        self.m, self.r = vectors.shape
        directions = _directions(vectors)
        self.places = _rounded(directions, vectors)
        evenly = np.full(len(directions), 1.0 / len(directions))
        self.weights = evenly if self.r < 3 else _importance(vectors, self.places)

    def alone(self, t: float) -> float:
        """P(|Z| > t) for one variable."""
        return float(2.0 * special.ndtr(-t))

    def quantile_alone(self, pvalue: ArrayLike) -> FloatArray:
        """Inverse of `alone`."""
        return np.asarray(-special.ndtri(0.5 * np.asarray(pvalue, dtype=np.float64)))

    def tail_of(self, largest: NDArray[np.int16], t: float, m: int, table: FloatArray | None = None) -> float:
        """P(max |Z| > t) of m variables, from the largest of their rounded cosines in each direction."""
        alone = self.alone(t)
        if m == 1 or self.r == 1:
            return alone
        beyond = (self.radial(t) if table is None else table).take(largest)
        found = float(np.einsum("i,i->", self.weights, beyond))
        return min(max(found, alone), m * alone, 1.0)

    def upper_tail(self, t: float, which: Sequence[int], signs: Sequence[int]) -> float:
        """P(max ±Z > t) over the variables with these indices and signs."""
        signed = self.places[:, list(which)] * np.asarray(signs, dtype=np.int16)
        # Both a direction and its opposite.
        up, down = signed.max(axis=1), (-signed).max(axis=1)
        alone = 0.5 * self.alone(abs(t))
        if t < 0.0:
            alone = 1.0 - alone
        if len(which) == 1:
            return alone
        table = self.radial(abs(t))
        beyond = sum(table[np.maximum(end if t > 0.0 else -end, 0)] for end in (up, down))
        half = 0.5 * float(np.einsum("i,i->", self.weights, beyond))
        found = half if t > 0.0 else 1.0 - half
        return min(max(found, alone), len(which) * alone, 1.0)

    def radial(self, t: float) -> FloatArray:
        """P(R·c > t) for each rounded cosine c; zero for none."""
        return _radial(t, self.r)

    def pointwise_level(self, confidence_level: float) -> float:
        """Return the level of each interval for simultaneous coverage `confidence_level`."""
        if self.m == 1 or self.r == 1:
            return confidence_level
        from scipy.optimize import brentq

        alpha = 1.0 - confidence_level
        most, least = (float(self.quantile_alone(p)) for p in (alpha / self.m, alpha))
        largest = np.abs(self.places).max(axis=1)

        def excess(t: float) -> float:
            return self.tail_of(largest, t, self.m) - alpha

        if not excess(most) < 0.0 < excess(least):
            return 1.0 - (alpha / self.m if excess(most) >= 0.0 else alpha)
        return 1.0 - self.alone(float(brentq(excess, least, most, xtol=1e-13)))


class ResampledMaxT(MaxT):
    """Distribution of the maximum of m standardized resampled values and their opposites.

    A single one is treated as normal; the tail of several lies between that and the sum of all.

    Parameters
    ----------
    values : ndarray of shape (n, m)
    """

    def __init__(self, values: FloatArray) -> None:
        n, self.m = values.shape
        self.r = self.m
        errors = values - values.mean(axis=0)
        spread = errors.std(axis=0, ddof=1)
        errors = np.divide(errors, spread, out=np.zeros_like(errors), where=spread > 0.0)
        self._most = max(float(np.abs(errors).max()), 1e-300)
        self.places = _rounded_to_levels(errors / self._most)
        self.weights = np.full(n, 1.0 / n)

    def radial(self, t: float) -> FloatArray:
        """Whether each rounded error is beyond t."""
        beyond = np.concatenate([[-1.0], self._most * (np.arange(_LEVELS) + 0.5) / _LEVELS]) > t
        return beyond.astype(np.float64)


# --- directions ----------------------------------------------------------------------------------------


def _radial(t: float, r: int) -> FloatArray:
    """P(R·c > t) for each rounded cosine c; zero for none."""
    square = (t * _LEVELS / (np.arange(_LEVELS) + 0.5)) ** 2
    return np.concatenate([[0.0], special.gammaincc(0.5 * r, 0.5 * square)])


def _directions(vectors: FloatArray) -> FloatArray:
    """Unit vectors of shape (n, r), one of each pair of opposite ones."""
    m, r = vectors.shape
    n = max(512, min(_DIRECTIONS, _MOST_COSINES // m))
    if r == 1:
        return np.ones((1, 1))
    if r == 2:
        angle = np.pi * (np.arange(n) + 0.5) / n
        return np.stack([np.cos(angle), np.sin(angle)], axis=1)
    parts = []
    for beyond, share in {0.0: _EVENLY, **_BEYOND}.items():
        points = _lattice(int(n * share), r + 2)
        normal = special.ndtri(points[:, 2:])
        if beyond > 0.0:
            # One variable is drawn beyond the threshold; the orthogonal part is unchanged.
            v = vectors[(points[:, 0] * m).astype(np.intp)]
            z = -special.ndtri(points[:, 1] * special.ndtr(-beyond))
            normal += v * (z - np.einsum("ij,ij->i", normal, v))[:, None]
        parts.append(normal / np.sqrt(np.einsum("ij,ij->i", normal, normal))[:, None])
    return np.concatenate(parts)


def _lattice(n: int, d: int) -> FloatArray:
    """Evenly spread points of the d-dimensional cube: multiples of the square roots of primes (Richtmyer)."""
    primes = [p for p in range(2, 12 * d + 2) if all(p % q for q in range(2, math.isqrt(p) + 1))]
    steps = np.arange(1, n + 1)[:, None] * np.sqrt(np.array(primes[:d], dtype=np.float64))
    return np.clip((0.5 + steps) % 1.0, 1e-12, 1.0 - 1e-12)


def _rounded(directions: FloatArray, vectors: FloatArray) -> NDArray[np.int16]:
    """Cosines as indices ±1, ±2, ... of intervals of length 1/4096, shape (n, m)."""
    places = np.empty((len(directions), len(vectors)), np.int16)
    for start in range(0, len(directions), 1024):
        # Not a matrix product: BLAS threads are slower here.
        part = slice(start, start + 1024)
        places[part] = _rounded_to_levels(np.einsum("ij,kj->ik", directions[part], vectors))
    return places


def _rounded_to_levels(cosine: FloatArray) -> NDArray[np.int16]:
    place = np.minimum(np.floor(np.abs(cosine) * _LEVELS), _LEVELS - 1) + 1
    return np.asarray(np.where(cosine < 0.0, -place, place), dtype=np.int16)


def _importance(vectors: FloatArray, places: NDArray[np.int16]) -> FloatArray:
    """Weights that turn sums over the drawn directions into means over the sphere."""
    (m, r), cosines = vectors.shape, np.abs(places).T
    increasing = np.ascontiguousarray(np.sort(cosines.T, axis=1).T)
    products = np.einsum("ij,kj->ik", vectors, vectors)[np.triu_indices(m, 1)]
    density = np.full(len(places), _EVENLY)
    # The mean of each row over all directions is one.
    rows = [np.ones(len(places))]
    for t in _EXACT_AT:
        table, single, pair = _radial(t, r), np.zeros(len(places)), np.zeros(len(places))
        for cosine in increasing:
            # All larger cosines are beyond t, too.
            pair += single
            single += table.take(cosine)
        alone = 2.0 * float(special.ndtr(-t))
        rows.append(single / (m * alone))
        density += _BEYOND.get(t, 0.0) * rows[-1]
        if t in _PAIRS:
            rows.append(pair / _pairs_beyond(t, products))
        if t == _EACH_AT:
            sets = np.array_split(cosines, min(m, _SETS))
            rows += [sum(table.take(cosine) for cosine in part) / (len(part) * alone) for part in sets]
    weights = 1.0 / density
    weights /= weights.sum()
    weighted = np.stack(rows) * weights
    inner = np.einsum("ij,kj->ik", weighted, weighted)
    solution = np.linalg.lstsq(inner, 1.0 - weighted.sum(axis=1), rcond=1e-10)[0]
    change = np.einsum("i,ij->j", solution, weighted)
    # A negative weight would break monotonicity in the subset.
    return np.asarray(weights * (1.0 + change / max(1.0, -1.001 * float(change.min()))))


def _pairs_beyond(t: float, correlation: FloatArray) -> float:
    """Mean number of pairs of variables with these correlations that are both beyond t (Owen 1956)."""
    # Keep away from one by more than rounding error.
    distance = np.maximum(1.0 - np.abs(correlation), 1e-12)
    slope = np.sqrt(distance / (2.0 - distance))
    beside = special.owens_t(t, slope) + special.owens_t(t, 1.0 / slope)
    return float(4.0 * np.sum(special.ndtr(-t) - beside))


def cholesky_rows(correlation: FloatArray) -> tuple[FloatArray, list[int]]:
    """Return vectors, one per row, with these inner products, in as few dimensions as possible.

    The Cholesky factor of the part with positive eigenvalues. Unlike eigenvectors it does not depend on
    rounding: each pivot is the vector farthest from the span of the previous ones, the first of equal ones.

    Parameters
    ----------
    correlation : ndarray of shape (m, m)
        Negative eigenvalues, from rounding or missing data, are dropped.

    Returns
    -------
    rows : ndarray of shape (m, r)
    chosen : list of r int
        The pivots; their rows, in this order, are lower triangular.
    """
    values, vectors = np.linalg.eigh(correlation)
    values = np.where(values > max(values[-1], 1.0) * RANK_TOLERANCE, values, 0.0)
    product = np.einsum("ij,kj->ik", vectors * values, vectors)
    scale = np.sqrt(np.diag(product))
    product /= np.multiply.outer(scale, scale)
    rows, rest, chosen = np.zeros_like(product), np.ones(len(product)), list[int]()
    while rest.max() > RANK_TOLERANCE:
        r, place = len(chosen), int(np.argmax(rest > (1.0 - 1e-6) * rest.max()))
        inner = np.einsum("ij,j->i", rows[:, :r], rows[place, :r])
        rows[:, r] = (product[place] - inner) / math.sqrt(rest[place])
        rows[chosen, r] = 0.0
        rest = np.maximum(1.0 - np.einsum("ij,ij->i", rows, rows), 0.0)
        chosen.append(place)
        rest[chosen] = 0.0
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return np.asarray(rows[:, : len(chosen)] / length[:, None]), chosen


def unit_vectors(correlation: FloatArray) -> FloatArray:
    """Return the vectors of `cholesky_rows`."""
    return cholesky_rows(correlation)[0]


RANK_TOLERANCE = 1e-10
"""Fraction of the largest eigenvalue below which another one is rounding error."""


# --- adjusted p-values ---------------------------------------------------------------------------------


def single_step(distribution: MaxT, pvalues: ArrayLike) -> FloatArray:
    """Return the probability that the smallest p-value is as small as each.

    Parameters
    ----------
    distribution : MaxT
    pvalues : array-like of shape (m,)
        Unadjusted p-values of the two-sided tests of its variables.
    """
    p = np.asarray(pvalues, dtype=np.float64)
    if distribution.m == 1 or distribution.r == 1:
        return p
    largest = np.abs(distribution.places).max(axis=1)
    found = [distribution.tail_of(largest, float(t), distribution.m) for t in distribution.quantile_alone(p)]
    return np.maximum(p, found)


def step_down(distribution: MaxT, pvalues: ArrayLike) -> FloatArray:
    """Return step-down adjusted p-values.

    The closed test of hypotheses without logical implications, e.g. of several models against a common
    reference (step-down Dunnett).
    """
    p = np.asarray(pvalues, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    largest: Any = np.zeros(len(distribution.weights), np.int16)
    found = np.empty_like(p)
    for left, place in enumerate(order[::-1], start=1):
        largest = np.maximum(largest, np.abs(distribution.places[:, place]))
        t = float(distribution.quantile_alone(p[place]))
        found[place] = p[place] if left == 1 else distribution.tail_of(largest, t, left)
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(np.maximum(p, found)[order])
    return adjusted


def closed_pairs(distribution: MaxT, pvalues: ArrayLike, k: int) -> FloatArray:
    """Return p-values of all pairs of k models, adjusted by the closed test.

    A set of equalities is a partition of the models: two models are equal if they are in one block. The pairs
    within its blocks are tested by their maximum, and the adjusted p-value of a pair is the largest p-value
    of the partitions in which it is equal (Shaffer 1986; Westfall 1997; for AUCs Blanche, Dartigues & Riou
    2022). Of the partitions with the same most significant pair only the coarsest are needed, since the tail
    increases with the set. Beyond `MOST_CLOSED` models the step-down test is used, which ignores logical
    implications and is never smaller.

    Parameters
    ----------
    distribution : MaxT
        Distribution for all pairs (0, 1), (0, 2), ..., (1, 2), ...
    pvalues : array-like of shape (k(k − 1)/2,)
    k : int
    """
    p = np.asarray(pvalues, dtype=np.float64)
    if k > MOST_CLOSED:
        return step_down(distribution, p)
    pairs = list(combinations(range(k), 2))
    largest = _largest_within(distribution, pairs, k)
    at = {(1 << i) | (1 << j): place for place, (i, j) in enumerate(pairs)}
    within = [[at[pair] for pair in at if pair & block == pair] for block in range(1 << k)]
    found = np.zeros_like(p)
    # For each set of models, the bits of those that must differ from one of them.
    bars, sets = np.zeros(1 << k, np.int64), np.arange(1 << k)
    for place in np.argsort(p, kind="stable"):
        # Partitions with this as the most significant pair: previous pairs differ.
        t, (i, j) = float(distribution.quantile_alone(p[place])), pairs[place]
        table = distribution.radial(t)
        both, barring = (1 << i) | (1 << j), bars.tolist()
        for blocks in _coarsest(barring, [(both, barring[both])], (1 << k) - 1 - both):
            inside = [pair for block in blocks for pair in within[block]]
            if len(inside) == 1:
                tail = p[place]
            elif found[inside].min() >= min(1.0, len(inside) * p[place]):
                continue
            else:
                # Sequentially, because reducing a list copies it into one array.
                top = functools.reduce(np.maximum, [largest[block] for block in blocks if within[block]])
                tail = max(p[place], distribution.tail_of(top, t, len(inside), table))
            found[inside] = np.maximum(found[inside], tail)
        bars[sets & (1 << i) > 0] |= 1 << j
        bars[sets & (1 << j) > 0] |= 1 << i
    return found


def _largest_within(distribution: MaxT, pairs: Sequence[tuple[int, int]], k: int) -> NDArray[np.int16]:
    """The largest cosine of all pairs within each set of models; sets are the bits of row numbers."""
    largest = np.zeros((1 << k, len(distribution.weights)), np.int16)
    for place, (i, j) in enumerate(pairs):
        largest[(1 << i) | (1 << j)] = np.abs(distribution.places[:, place])
    for block in range(1 << k):
        if block.bit_count() > 2:
            # All pairs except the first and last model are within one of two smaller sets.
            low, high = block & -block, 1 << (block.bit_length() - 1)
            parts = [largest[rest] for rest in (block ^ low, block ^ high, low | high)]
            largest[block] = np.maximum.reduce(parts)
    return largest


def _coarsest(bars: Sequence[int], blocks: Sequence[tuple[int, int]], rest: int) -> Iterator[list[int]]:
    """Maximal ways to assign the remaining models to these blocks or new ones.

    A block has the bits of its models, and the bits of those that must be in another one; `bars` has the
    latter for each set of models, `rest` the bits of unassigned models.
    """
    stack = [(list(blocks), rest)]
    while stack:
        blocks, rest = stack.pop()
        if not rest:
            yield [block for block, _ in blocks]
            continue
        bit = rest & -rest
        left, own = rest ^ bit, bars[bit]
        ways = [[*blocks, (bit, own)]]
        ways += [
            [*blocks[:a], (block | bit, barred | own), *blocks[a + 1 :]]
            for a, (block, barred) in enumerate(blocks)
            if not block & own
        ]
        # Two blocks differ, or may: a remaining model can join only one of them, or two remaining ones that
        # must be in different blocks can join one each.
        stack += [
            (way, left)
            for way in ways
            if all(
                barred & other or left & (barred ^ others) or bars[left & ~barred] & left & ~others
                for (_, barred), (other, others) in combinations(way, 2)
            )
        ]
