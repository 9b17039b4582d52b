"""The law of the largest of several correlated normal variables, and tests adjusted by it.

Standard normal variables Z = R·(v·U) of m unit vectors v in r dimensions share one radius R, with the χ law
of r degrees of freedom, and one direction U, uniform on the sphere. So

    P(max |Z| > t) = E P(R > t/max |v·U|),

where the radial law is known and only the direction is averaged over, which leaves a smooth function of t.
One set of directions serves every t and every subset of the variables, so that what holds of the law holds of
the computed one: it grows with the subset and falls with t. Most of the directions are spread evenly, the
others as they are given that some |Z| exceeds 4, 8 or 16, so that far tails are met too; their weights are
such that the mean number of |Z| beyond 2 and beyond 3 is exact. For all pairs of 4 to 12 equal groups, and
for up to 9 against one, the error is below 1 % of the p-value for t up to 3.5, and below 10 % for t up to 25.
In one dimension it is that of rounding, in two a few parts in 100,000.

With a common estimate of scale of ν degrees of freedom, R²/r has the law of F(r, ν) and Z is a multivariate
t.

References
----------
Naiman DQ, Priebe CE (2001). Computing scan statistic p values using importance sampling. Journal of
Computational and Graphical Statistics 10, 296-328. The directions beyond a threshold.
Marcus R, Peritz E, Gabriel KR (1976). On closed testing procedures with special reference to ordered analysis
of variance. Biometrika 63, 655-660.
Shaffer JP (1986). Modified sequentially rejective multiple test procedures. Journal of the American
Statistical Association 81, 826-831. Which equalities can hold together.
Westfall PH (1997). Multiple testing of general contrasts using logical constraints and correlations. Journal
of the American Statistical Association 92, 299-306.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from confroc._types import FloatArray

MOST_CLOSED = 10
"""Models up to which all sets of equalities that can hold together are tested."""
_LEVELS = 4096
"""Values that a cosine is rounded to: a table of the radial law at t then serves all directions."""
_DIRECTIONS, _MORE_DIRECTIONS, _FEW = 8192, 16384, 15
"""Directions, and how many of them for few variables."""
_MOST_COSINES = 2**25
_BEYOND, _SHARES = (4.0, 8.0, 16.0), (0.625, 0.125, 0.125, 0.125)
"""Thresholds beyond which directions are drawn, and the shares of them: evenly, and beyond each."""
_EXACT_AT = (2.0, 3.0)


class MaxT:
    """The law of the largest of m standard normal variables, or of multivariate t with a common scale.

    Parameters
    ----------
    vectors : ndarray of shape (m, r)
        Unit vectors whose inner products are the correlations.
    df : float
        Degrees of freedom of the common scale; infinite if it is known.

    Examples
    --------
    >>> import numpy as np
    >>> from confroc.distributions import MaxT
    >>> law = MaxT(np.eye(2))
    >>> round(law.tail(1.96), 4), round(1.0 - 0.95**2, 4)
    (0.0975, 0.0975)
    """

    def __init__(self, vectors: FloatArray, df: float = math.inf) -> None:
        self.m, self.r = vectors.shape
        self.df = df
        directions, weights = _directions(vectors)
        self.places = _rounded(directions, vectors)
        self.weights = weights if self.r < 3 else _importance(weights, self.places, self.r)

    def alone(self, t: float) -> float:
        """P(|Z| > t) of one variable."""
        return float(2.0 * special.ndtr(-t) if math.isinf(self.df) else 2.0 * special.stdtr(self.df, -t))

    def quantile_alone(self, pvalue: ArrayLike) -> FloatArray:
        """The t at which `alone` is a p-value."""
        half = 0.5 * np.asarray(pvalue, dtype=np.float64)
        return np.asarray(-special.ndtri(half) if math.isinf(self.df) else -special.stdtrit(self.df, half))

    def tail(self, t: float, which: Sequence[int] | NDArray[np.intp] | None = None) -> float:
        """P(max |Z| > t) over all variables, or over those of these places."""
        places = self.places if which is None else self.places[:, list(which)]
        return self.tail_of(np.abs(places).max(axis=1), t, places.shape[1])

    def tail_of(self, largest: NDArray[np.int16], t: float, m: int, table: FloatArray | None = None) -> float:
        """The same from the largest cosine of m variables in each direction, as `cosines` has them."""
        alone = self.alone(t)
        if m == 1 or self.r == 1:
            return alone
        found = float(np.einsum("i,i->", self.weights, (self.radial(t) if table is None else table)[largest]))
        return min(max(found, alone), m * alone, 1.0)

    def cosines(self, place: int) -> NDArray[np.int16]:
        """Rounded |v·U| of one variable in each direction."""
        return np.abs(self.places[:, place])

    def upper_tail(self, t: float, which: Sequence[int], signs: Sequence[int]) -> float:
        """P(max ±Z > t) over the variables of these places, each with its sign."""
        signed = self.places[:, list(which)] * np.asarray(signs, dtype=np.int16)
        # Both of a direction and its opposite.
        up, down = signed.max(axis=1), (-signed).max(axis=1)
        alone = 0.5 * self.alone(abs(t))
        if t < 0.0:
            alone = 1.0 - alone
        if len(which) == 1:
            return alone
        table, weights = self.radial(abs(t)), self.weights
        if t > 0.0:
            beyond = table[np.maximum(up, 0)] + table[np.maximum(down, 0)]
            found = 0.5 * float(np.einsum("i,i->", weights, beyond))
        else:
            below = table[np.maximum(-up, 0)] + table[np.maximum(-down, 0)]
            found = 1.0 - 0.5 * float(np.einsum("i,i->", weights, below))
        return min(max(found, alone), len(which) * alone, 1.0)

    def radial(self, t: float) -> FloatArray:
        """P(R·c > t) for each value c that a cosine is rounded to; zero for none at all."""
        table = np.zeros(_LEVELS + 1)
        square = (t * _LEVELS / (np.arange(_LEVELS) + 0.5)) ** 2
        if math.isinf(self.df):
            table[1:] = special.gammaincc(0.5 * self.r, 0.5 * square)
        else:
            table[1:] = special.fdtrc(self.r, self.df, square / self.r)
        return table

    def pointwise_level(self, confidence_level: float) -> float:
        """Return the level that each interval needs for all of them to hold at `confidence_level`."""
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
    """The law of the largest of m resampled values, each from its mean in standard deviations, and opposites.

    One of them alone is taken as normal, and the law of several lies between that and the sum of all.

    Parameters
    ----------
    values : ndarray of shape (n, m)
    """

    def __init__(self, values: FloatArray) -> None:
        n, self.m = values.shape
        self.r, self.df = self.m, math.inf
        errors = values - values.mean(axis=0)
        spread = errors.std(axis=0, ddof=1)
        errors = np.divide(errors, spread, out=np.zeros_like(errors), where=spread > 0.0)
        self._most = max(float(np.abs(errors).max()), 1e-300)
        self.places = _rounded_to_levels(errors / self._most)
        self.weights = np.full(n, 1.0 / n)

    def radial(self, t: float) -> FloatArray:
        """Whether each value that an error is rounded to is beyond t."""
        beyond = np.concatenate([[-1.0], self._most * (np.arange(_LEVELS) + 0.5) / _LEVELS]) > t
        return beyond.astype(np.float64)


# --- directions ----------------------------------------------------------------------------------------


def _directions(vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Unit vectors of shape (n, r), of each pair of opposite ones one, and their weights where r <= 2."""
    m, r = vectors.shape
    n = max(512, min(_MORE_DIRECTIONS if m <= _FEW else _DIRECTIONS, _MOST_COSINES // m))
    if r == 1:
        return np.ones((1, 1)), np.ones(1)
    if r == 2:
        angle = np.pi * (np.arange(n) + 0.5) / n
        return np.stack([np.cos(angle), np.sin(angle)], axis=1), np.full(n, 1.0 / n)
    parts = []
    for beyond, share in zip((0.0, *_BEYOND), _SHARES, strict=True):
        points = _lattice(int(n * share), r + 2)
        normal = special.ndtri(points[:, 2:])
        if beyond > 0.0:
            # One of the variables, drawn from beyond the threshold; the rest of the vector is as it was.
            v = vectors[(points[:, 0] * m).astype(np.intp)]
            z = -special.ndtri(points[:, 1] * special.ndtr(-beyond))
            normal += v * (z - np.einsum("ij,ij->i", normal, v))[:, None]
        parts.append(normal / np.sqrt(np.einsum("ij,ij->i", normal, normal))[:, None])
    directions = np.concatenate(parts)
    return directions, np.ones(len(directions))


def _lattice(n: int, d: int) -> FloatArray:
    """Evenly spread points of the d-dimensional cube: multiples of the square roots of primes (Richtmyer)."""
    primes: list[int] = []
    candidate = 2
    while len(primes) < d:
        if all(candidate % p for p in primes):
            primes.append(candidate)
        candidate += 1
    steps = np.arange(1, n + 1)[:, None] * np.sqrt(np.array(primes, dtype=np.float64))
    return np.clip((0.5 + steps) % 1.0, 1e-12, 1.0 - 1e-12)


def _rounded(directions: FloatArray, vectors: FloatArray) -> NDArray[np.int16]:
    """Cosines as ±1, ±2, ... of the intervals of length 1/4096 that hold them, shape (n, m)."""
    places = np.empty((len(directions), len(vectors)), np.int16)
    for start in range(0, len(directions), 1024):
        # Not a matrix product: the threads of a linear algebra library cost more here than they save.
        part = slice(start, start + 1024)
        places[part] = _rounded_to_levels(np.einsum("ij,kj->ik", directions[part], vectors))
    return places


def _rounded_to_levels(cosine: FloatArray) -> NDArray[np.int16]:
    place = np.minimum(np.floor(np.abs(cosine) * _LEVELS), _LEVELS - 1) + 1
    return np.asarray(np.where(cosine < 0.0, -place, place), dtype=np.int16)


def _importance(weights: FloatArray, places: NDArray[np.int16], r: int) -> FloatArray:
    """Weights that turn means over the directions drawn into means over all of them; they sum to one."""
    table = np.zeros(_LEVELS + 1)
    level = (np.arange(_LEVELS) + 0.5) / _LEVELS

    def times_likelier(t: float) -> FloatArray:
        """How many times likelier than at first each direction is, given that one variable exceeds t."""
        table[1:] = special.gammaincc(0.5 * r, 0.5 * (t / level) ** 2) / (2.0 * special.ndtr(-t))
        total = np.zeros(len(places))
        for column in places.T:
            total += table[np.abs(column)]
        return np.asarray(total / places.shape[1])

    weights = weights / (
        _SHARES[0] + sum(s * times_likelier(t) for t, s in zip(_BEYOND, _SHARES[1:], strict=True))
    )
    weights /= weights.sum()
    moments = np.stack([np.ones(len(weights)), *(times_likelier(t) for t in _EXACT_AT)])
    weighted = moments * weights
    inner = np.einsum("ij,kj->ik", weighted, moments)
    factor = 1.0 + np.einsum(
        "i,ij->j", np.linalg.lstsq(inner, 1.0 - weighted.sum(axis=1), rcond=1e-10)[0], moments
    )
    # A negative weight would let the law fall where its subset grows.
    return np.asarray(weights * factor if factor.min() > 0.0 else weights)


def unit_vectors(correlation: FloatArray) -> FloatArray:
    """Return unit vectors, one a row, with these inner products, in as few dimensions as they have.

    Parameters
    ----------
    correlation : ndarray of shape (m, m)
        What rounding or gaps in the data make impossible of it is left out.
    """
    values, vectors = np.linalg.eigh(correlation)
    kept = values > max(values[-1], 1.0) * RANK_TOLERANCE
    # The largest first, each with a sign of its own, so that no bit depends on the library's choice of it.
    rows = (vectors[:, kept] * np.sqrt(values[kept]))[:, ::-1]
    rows = rows * np.where(rows[np.argmax(np.abs(rows), axis=0), np.arange(rows.shape[1])] < 0.0, -1.0, 1.0)
    return np.asarray(rows / np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None])


RANK_TOLERANCE = 1e-10
"""Share of the largest eigenvalue of a correlation matrix below which another one is rounding."""


# --- adjusted p-values ---------------------------------------------------------------------------------


def single_step(law: MaxT, pvalues: ArrayLike) -> FloatArray:
    """Return the chance that the smallest p-value of all is as small as each.

    Parameters
    ----------
    law : MaxT
    pvalues : array-like of shape (m,)
        Of the two-sided tests of its variables, each by itself.
    """
    p = np.asarray(pvalues, dtype=np.float64)
    if law.m == 1 or law.r == 1:
        return p
    largest = np.abs(law.places).max(axis=1)
    found = [law.tail_of(largest, float(t), law.m) for t in law.quantile_alone(p)]
    return np.maximum(p, found)


def step_down(law: MaxT, pvalues: ArrayLike) -> FloatArray:
    """Return p-values adjusted for those that are no smaller, none below a smaller one's.

    The closed test of hypotheses of which any may hold without the others, as those of several models against
    a common reference (step-down Dunnett).
    """
    p = np.asarray(pvalues, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    largest: Any = np.zeros(len(law.weights), np.int16)
    found = np.empty_like(p)
    for left, place in enumerate(order[::-1], start=1):
        largest = np.maximum(largest, law.cosines(place))
        found[place] = (
            p[place] if left == 1 else law.tail_of(largest, float(law.quantile_alone(p[place])), left)
        )
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(np.maximum(p, found)[order])
    return adjusted


def closed_pairs(law: MaxT, pvalues: ArrayLike, k: int) -> FloatArray:
    """Return p-values of all pairs of k models, adjusted by the closed test.

    Equalities that hold together make a partition of the models: two models are equal in it if they are in
    one block. The pairs within its blocks are tested by the largest of them, and the adjusted p-value of a
    pair is the largest p-value of the partitions that hold it equal (Shaffer 1986; Westfall 1997; for areas
    Blanche, Dartigues & Riou 2022). Of the partitions with the same most significant pair only the coarsest
    count, since the law grows with the set. Beyond `MOST_CLOSED` models the step-down test is used, which
    allows for any set of equalities and is never below.

    Parameters
    ----------
    law : MaxT
        Of all pairs (0, 1), (0, 2), ..., (1, 2), ...
    pvalues : array-like of shape (k(k − 1)/2,)
    k : int
    """
    p = np.asarray(pvalues, dtype=np.float64)
    if k > MOST_CLOSED:
        return step_down(law, p)
    pairs = [(i, j) for i in range(k) for j in range(i + 1, k)]
    largest = _largest_within(law, pairs, k)
    at = {(1 << i) | (1 << j): place for place, (i, j) in enumerate(pairs)}
    within = [[at[pair] for pair in at if pair & block == pair] for block in range(1 << k)]
    found = np.zeros_like(p)
    apart = [0] * k
    for place in np.argsort(p, kind="stable"):
        # Partitions of which this is the most significant pair: those before it are apart.
        t, (i, j) = float(law.quantile_alone(p[place])), pairs[place]
        table = law.radial(t)
        for blocks in _coarsest(k, apart, i, j):
            inside = [pair for block in blocks for pair in within[block]]
            if len(inside) == 1:
                tail = p[place]
            elif found[inside].min() >= min(1.0, len(inside) * p[place]):
                continue
            else:
                top = np.maximum.reduce([largest[block] for block in blocks if within[block]])
                tail = max(p[place], law.tail_of(top, t, len(inside), table))
            found[inside] = np.maximum(found[inside], tail)
        apart[i] |= 1 << j
        apart[j] |= 1 << i
    return found


def _largest_within(law: MaxT, pairs: Sequence[tuple[int, int]], k: int) -> NDArray[np.int16]:
    """The largest cosine of all pairs within each set of models, a set being the bits of its row's number."""
    largest = np.zeros((1 << k, len(law.weights)), np.int16)
    for place, (i, j) in enumerate(pairs):
        largest[(1 << i) | (1 << j)] = law.cosines(place)
    for block in range(1 << k):
        if block.bit_count() > 2:
            # All pairs but that of the first and the last model are within one of two smaller sets.
            low, high = block & -block, 1 << (block.bit_length() - 1)
            parts = [largest[rest] for rest in (block ^ low, block ^ high, low | high)]
            largest[block] = np.maximum.reduce(parts)
    return largest


def _coarsest(k: int, apart: Sequence[int], i: int, j: int) -> Iterator[list[int]]:
    """Partitions of k models that keep some apart and two together, of which no two blocks can be joined.

    `apart` holds for each model the bits of those that must be in another block; blocks are bits too.
    """
    others = [v for v in range(k) if v not in (i, j)]
    blocks, barred = [(1 << i) | (1 << j)], [apart[i] | apart[j]]

    def place(rest: int) -> Iterator[list[int]]:
        if rest == len(others):
            n = len(blocks)
            if all(barred[a] & blocks[b] for a in range(n) for b in range(a + 1, n)):
                yield list(blocks)
            return
        bit, bars = 1 << others[rest], apart[others[rest]]
        for a in range(len(blocks)):
            if not blocks[a] & bars:
                before = blocks[a], barred[a]
                blocks[a], barred[a] = blocks[a] | bit, barred[a] | bars
                yield from place(rest + 1)
                blocks[a], barred[a] = before
        if bars:
            blocks.append(bit)
            barred.append(bars)
            yield from place(rest + 1)
            blocks.pop()
            barred.pop()

    return place(0)
