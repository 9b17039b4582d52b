"""The radius at which each resample's ellipse band contains a known curve.

Relative to a true point, the operating points of a resample form a path of pairs of normal deviates. The band
of radius c contains the point if the path comes within c of the quadrant where both are negative. The radius
of a resample is the largest such distance over all points. Only the largest radii determine a quantile, so
every step first drops candidates that cannot be among them: points by comparing counts, then paths by single
vertices.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from confroc._types import BoolArray, FloatArray, IntArray

CountArray: TypeAlias = NDArray[np.int32 | np.int64]

LARGEST_TABLE = 300_000
"""Number of entries up to which deviates are tabulated."""

COARSE = 24
"""Number of true points for the first bound on the radius."""

SHARES = (0.3, 0.55, 0.75, 0.9)
"""Boxes inside the disc of radius c, as sine of the corner's angle; points inside need no path."""

OFFSETS = (2, -2, 5, -5, 10, -10, 20, -20, 40, -40)
"""Number of neighbors tried before a path is followed."""

CHUNK = 4096
"""Block size, in paths."""

BLOCK = 8
"""Block size, in vertices of a path."""


def count_type(n: int) -> type[np.int32 | np.int64]:
    """The smaller of two types for counts up to n; it is four times faster."""
    return np.int32 if n < 2**31 else np.int64


def binomial_deviate(k: FloatArray, n: FloatArray, p: FloatArray) -> FloatArray:
    """Φ⁻¹(P(Bin(n, p) <= k)) by Peizer & Pratt (1968), to about 0.1%; ∓40 for k < 0 and k >= n."""
    inside = (k >= 0.0) & (k < n)
    outside = np.where(k < 0.0, -40.0, 40.0)
    k = np.where(inside, k, 0.0)
    q, s = 1.0 - p, k + 0.5
    t, np_, nq = n - s, n * p, n * q
    wide = 1.0 + 1.0 / (6.0 * n)
    d = s + 1.0 / 6.0 - (n + 1.0 / 3.0) * p + 0.02 * (q / (k + 1.0) - p / (n - k) + (q - 0.5) / (n + 1.0))
    off = s - np_
    spread = wide * np_ * q
    near = off * off <= 1e-6 * spread
    gain = np.maximum(s * np.log(s / np_) + t * np.log(t / nq), 0.0)
    far = d / np.abs(np.where(near, 1.0, off)) * np.sqrt(2.0 / wide * gain)
    value = np.where(near, d / np.sqrt(spread), far)
    return np.asarray(np.where(inside, value, outside))


def segment_distance(a0: FloatArray, b0: FloatArray, a1: FloatArray, b1: FloatArray) -> FloatArray:
    """Minimum of √(a₊² + b₊²) on segments from (a0, b0) to (a1, b1), with a0 <= a1 and b0 >= b1."""
    da, db = a1 - a0, b0 - b1
    # Both are positive between start and stop.
    start = np.where((a0 < 0.0) & (da > 0.0), -a0 / np.where(da > 0.0, da, 1.0), 0.0)
    stop = np.where((b1 < 0.0) & (db > 0.0), b0 / np.where(db > 0.0, db, 1.0), 1.0)
    zero = ((a0 <= 0.0) & (b0 <= 0.0)) | ((a1 <= 0.0) & (b1 <= 0.0))
    zero |= (a0 <= 0.0) & (b1 <= 0.0) & (stop <= start) & (start <= 1.0)
    length = da * da + db * db
    foot = np.where(length > 0.0, (b0 * db - a0 * da) / np.where(length > 0.0, length, 1.0), 0.0)
    foot = np.clip(np.minimum(np.maximum(foot, start), stop), 0.0, 1.0)
    return np.asarray(np.where(zero, 0.0, _norm(a0 + foot * da, b0 - foot * db)))


def _norm(a: FloatArray, b: FloatArray) -> FloatArray:
    a, b = np.maximum(a, 0.0), np.maximum(b, 0.0)
    return np.asarray(np.sqrt(a * a + b * b))


class _Candidates(NamedTuple):
    """Pairs of a resample and a true point to evaluate, for the upper or the lower edge."""

    edge: IntArray
    resample: IntArray
    point: IntArray
    bound: FloatArray

    def at(self, rows: IntArray | BoolArray) -> _Candidates:
        return _Candidates(self.edge[rows], self.resample[rows], self.point[rows], self.bound[rows])


class _Paths(NamedTuple):
    """Counts of the resamples' operating points, and true rates, both of shape (2, ...), negatives first.

    For the upper edge (0) the first deviate of a path is that at which the false positive rate's lower bound
    equals the true rate, the second that at which the true positive rate's upper bound does. For the lower
    edge (1) the classes are swapped. Along a path the first increases and the second decreases.
    """

    counts: CountArray
    rate: FloatArray
    n: FloatArray
    table: FloatArray | None

    @classmethod
    def of(cls, count: CountArray, rate: FloatArray, n: FloatArray) -> _Paths:
        """Build with a table of deviates by class, count and true point if that is small."""
        cases, table = int(n.max()), None
        if (cases + 2) * rate.size <= LARGEST_TABLE:
            k = np.arange(-1.0, cases + 1.0)[:, None]
            table = binomial_deviate(k, n[:, None, None], rate[:, None, :])
        return cls(count, rate, n, table)

    def deviate(self, c: IntArray, k: CountArray, i: IntArray) -> FloatArray:
        """`binomial_deviate` of counts k of classes c at the rates of true points i."""
        if self.table is not None:
            return self.table[c, k + 1, i]
        return binomial_deviate(k.astype(np.float64), self.n[c], self.rate[c, i])

    def vertex(self, edge: IntArray, r: IntArray, j: IntArray, i: IntArray) -> tuple[FloatArray, FloatArray]:
        """Pair of deviates of operating point j of resample r, relative to true point i."""
        a = self.deviate(edge, self.counts[edge, r, j] - 1, i)
        return a, -self.deviate(1 - edge, self.counts[1 - edge, r, j], i)

    def follow(self, candidates: _Candidates, least: FloatArray) -> FloatArray:
        """Distance of each path, or a value between it and `least`."""
        edge, r, i, _ = candidates
        last = self.counts.shape[2] - 1
        a_own, b_own = self.vertex(edge, r, i, i)
        best = _norm(a_own, b_own)
        for way in (1, -1):
            m, j, a, b = np.arange(len(r)), i, a_own, b_own
            while True:
                near, still = (a, b) if way == 1 else (b, a)
                end = last if way == 1 else 0
                going = (j != end) & (best[m] > least[m]) & (near < best[m]) & (still > 0.0)
                m, j, a, b = m[going], j[going], a[going], b[going]
                if not len(m):
                    break
                ahead = np.clip(j[:, None] + way * np.arange(1, BLOCK + 1), 0, last)
                a_next, b_next = self.vertex(edge[m, None], r[m, None], ahead, i[m, None])
                a_all, b_all = np.column_stack([a, a_next]), np.column_stack([b, b_next])
                one, two = (a_all[:, :-1], b_all[:, :-1]), (a_next, b_next)
                found = segment_distance(*one, *two) if way == 1 else segment_distance(*two, *one)
                best[m] = np.minimum(best[m], found.min(axis=1))
                j, a, b = ahead[:, -1], a_next[:, -1], b_next[:, -1]
        return best


def _extreme_count(n: float, p: FloatArray, z: float) -> IntArray:
    """Count k with `binomial_deviate(k - 1, n, p) <= z`, the largest or slightly smaller."""
    sd = np.sqrt(n * p * (1.0 - p))
    k = np.floor(n * p + z * sd)
    for _ in range(3):
        off = binomial_deviate(np.clip(k - 1.0, -1.0, n - 1.0), np.asarray(n), p) - z
        k = np.where(off > 0.0, np.minimum(k - 1.0, np.floor(k - off * sd)), k)
    fits = binomial_deviate(np.clip(k - 1.0, -1.0, n - 1.0), np.asarray(n), p) <= z
    return np.where(fits & (k > 0.0), np.minimum(k, n), 0.0).astype(np.int64)


def _candidates(paths: _Paths, points: IntArray, floor: float) -> _Candidates:
    """Pairs of resample and true point whose vertex is in no box inside the disc of radius `floor`."""
    count = paths.counts[:, :, points]
    found = []
    for a, b in ((0, 1), (1, 0)):
        safe = np.zeros(count.shape[1:], dtype=bool)
        for share in SHARES:
            most = _extreme_count(paths.n[a], paths.rate[a, points], share * floor)
            # The other bound is a lower bound for the cases below.
            below = _extreme_count(
                paths.n[b], 1.0 - paths.rate[b, points], float(np.sqrt(1.0 - share * share)) * floor
            )
            safe |= (count[a] <= most) & (count[b] >= paths.n[b] - below)
        r, i = np.nonzero(~safe)
        found.append((np.full(len(r), a), r, points[i]))
    edge, r, i = (np.concatenate(column) for column in zip(*found, strict=True))
    return _Candidates(edge, r, i, _norm(*paths.vertex(edge, r, i, i)))


def _farthest(candidates: _Candidates, total: int, count: int) -> _Candidates:
    """Pairs with the largest distance, for the `count` of `total` resamples with the largest ones."""
    largest = np.zeros(total)
    np.maximum.at(largest, candidates.resample, candidates.bound)
    largest[np.argsort(-largest, kind="stable")[count:]] = np.inf
    return candidates.at(candidates.bound >= largest[candidates.resample])


def ellipse_radii(
    neg: CountArray,
    pos: CountArray,
    x: FloatArray,
    y: FloatArray,
    n_neg: int,
    n_pos: int,
    used: BoolArray,
    rank: int = 1,
) -> FloatArray:
    """Radius at which each resample's ellipse band contains the true curve.

    Parameters
    ----------
    neg, pos : ndarray of int, shape (B, G)
        Cases above each of G thresholds, per resample. The first threshold should have none and the last all,
        where paths start and end.
    x, y : ndarray of shape (G,)
        True rates at the thresholds, increasing, inside (0, 1).
    n_neg, n_pos : int
        Number of cases of a resample.
    used : ndarray of bool, shape (G,)
        Points of the curve that the band must contain.
    rank : int
        Rank of the requested order statistic, from 1 to B.

    Returns
    -------
    ndarray of shape (B,)
        Exact from the `rank`-th smallest on; smaller ones are only bounded by it.
    """
    total = len(neg)
    sizes = np.array([n_neg, n_pos], dtype=np.float64)
    counts: CountArray = np.stack([neg, pos]).astype(count_type(max(n_neg, n_pos)))
    paths = _Paths.of(counts, np.stack([x, y]), sizes)
    points = np.flatnonzero(used)
    coarse = points[np.unique(np.linspace(0, len(points) - 1, COARSE).astype(np.int64))]
    radius = np.zeros(total)
    floor, few = 0.0, 2 * (total - rank + 1)

    def updated_floor(some: _Candidates) -> float:
        least = np.maximum(radius[some.resample], floor)
        np.maximum.at(radius, some.resample, paths.follow(some, least))
        return float(np.partition(radius, rank - 1)[rank - 1])

    def remaining(some: _Candidates) -> _Candidates:
        return some.at(some.bound > np.maximum(radius[some.resample], floor))

    for part in (coarse, points):
        candidates = _candidates(paths, part, floor)
        floor = updated_floor(_farthest(candidates, total, few))
    for offset in OFFSETS:
        candidates = remaining(candidates)
        edge, r, i, bound = candidates
        j = np.clip(i + offset, 0, len(x) - 1)
        candidates = _Candidates(edge, r, i, np.minimum(bound, _norm(*paths.vertex(edge, r, j, i))))
    floor = updated_floor(_farthest(remaining(candidates), total, total))
    candidates = remaining(candidates)
    order = np.argsort(-candidates.bound, kind="stable")
    for first in range(0, len(order), CHUNK):
        floor = updated_floor(remaining(candidates.at(order[first : first + CHUNK])))
    return radius
