"""Exact calibration of equal local levels: radii of ellipse bands with guaranteed coverage of every curve.

The probability that a curve leaves the band is bounded by a sum over the blocks of rates that it passes. Each
term involves one class in one block or two adjacent ones, and the sum has a maximum over all increasing
curves. The terms come from a Poisson process of rate n, which conditioned on n events in [0, 1] is the
uniform sample of a class; its distribution is propagated from bound to bound, with O(√n) counts.
`docs/theory/bands.md` has the proof.
"""

from __future__ import annotations

import functools
import math

import numpy as np
from numpy.typing import NDArray
from scipy import special

from confroc import _kernels
from confroc._kernels.band_crossing import add_events
from confroc._types import FloatArray, IntArray

COMPILED_FROM = 1000
"""Sample size from which the compiled kernel is used."""

LARGEST_EXACT = 30_000
"""Number of cases of a class beyond which the radii are extrapolated."""

EXTRAPOLATED_FROM = (1_000, 10_000)
"""Number of cases of a class from which they are extrapolated."""

MOST_COUNTS = 400
"""Number of cases of a class beyond which bounds are interpolated between counts, on the arcsine scale."""

SHAPE: FloatArray = np.append(np.cos(np.linspace(0.0, 0.5 * np.pi, 16)[:-1]) ** 0.8, 0.0)
"""Deviates of one class in units of its radius, reversed for the other class: |a|^2.5 + |b|^2.5 = 1."""

TAIL = 1e-12
"""Probability below which a number of events is neglected."""

PRECISION, LEFT_OUT = 0.005, 1e-4
"""Fractions of 1 − level: used by the bound, and reserved for neglected events."""

LARGEST_RADIUS = 12.0
"""A radius with a tail probability of 2e-33."""


def class_radii(radius: float, n_neg: int, n_pos: int) -> tuple[float, float]:
    """Radius of each class: that of the smaller one is `radius`.

    The larger class has narrower intervals, so a larger radius costs little.
    """
    least = min(n_neg, n_pos)
    neg, pos = (math.sqrt(radius**2 + 3.0 * math.log(n / least)) for n in (n_neg, n_pos))
    return neg, pos


@functools.lru_cache(maxsize=4)
def lower_ends(n: int, radius: float) -> FloatArray:
    """Lower bounds for 0 to n cases above a threshold, a row for each deviate `radius * SHAPE`.

    The proof only requires that they increase with the count and decrease with the deviate.
    """
    k = np.arange(n + 1)
    if n > MOST_COUNTS:
        even = np.round(n * np.sin(np.linspace(0.0, 0.5 * np.pi, 301)) ** 2).astype(np.int64)
        k = np.unique(np.concatenate([k[:50], even, k[-50:]]))
    ends = np.zeros((len(SHAPE), len(k)))
    ends[:, 1:] = special.betaincinv(k[1:], n - k[1:] + 1.0, special.ndtr(-radius * SHAPE)[:, None])
    if n > MOST_COUNTS:
        angle = np.arcsin(np.sqrt(np.arange(n + 1) / n))
        moved = np.arcsin(np.sqrt(ends)) - angle[k]
        ends = np.sin(angle + np.stack([np.interp(angle, angle[k], row) for row in moved])) ** 2
    ends.setflags(write=False)
    return ends


def block_edges(n: int) -> FloatArray:
    """Boundaries of the blocks of rates: symmetric, in even steps of log odds except the first and last."""
    step, half = max(0.4, 1.4 * n**-0.2), math.log(2.0 * n)
    inner = special.expit(np.linspace(-half, half, math.ceil(2.0 * half / step) + 1))
    return np.concatenate([[0.0], inner, [1.0]])


@functools.lru_cache(maxsize=8)
def chances_to_stay(n: int, radius: float) -> tuple[FloatArray, FloatArray]:
    """Probabilities that a class never exceeds its bounds, in each block and each two adjacent ones.

    Returns
    -------
    one, two : ndarray of shape (deviates, blocks) and (deviates, blocks − 1)
    """
    edges = block_edges(n)
    blocks = len(edges) - 1
    bounds = lower_ends(n, radius)[:, 1:]
    # Bounds up to each edge: the maximum numbers of cases.
    most = np.stack([np.searchsorted(row, edges, side="right") for row in bounds])
    most[:, -1] = n
    log_factorial = special.gammaln(np.arange(n + 2) + 1.0)

    def poisson(k: IntArray, mean: FloatArray) -> FloatArray:
        held = np.clip(k, 0, n)
        found: FloatArray = np.exp(special.xlogy(held, mean) - mean - log_factorial[held])
        return np.where((k >= 0) & (k <= n), found, 0.0)

    spread = np.sqrt(n * bounds * (1.0 - bounds))
    depth = int(min(n, np.max(np.arange(1, n + 1) - n * bounds + 7.0 * spread) + 8.0)) + 1
    below = np.arange(depth)
    row, block = (v.ravel() for v in np.indices((len(SHAPE), blocks)))
    law = poisson(most[row, block][:, None] - below, n * edges[block][:, None])
    # The probability of n events in total, the divisor of the joint probability.
    total = math.exp(n * math.log(n) - n - special.gammaln(n + 1.0))
    chances = []
    for further in (0, 1):
        inside = block + further < blocks
        row, block, law = row[inside], block[inside], law[inside]
        law = _through_block(law, row, block + further, n, bounds, edges, most)
        left = n - most[row, block + further + 1][:, None] + below
        chance = (law * poisson(left, n * (1.0 - edges[block + further + 1])[:, None])).sum(axis=1) / total
        chances.append(chance.reshape(len(SHAPE), -1))
    return chances[0], chances[1]


def _through_block(
    law: FloatArray,
    row: IntArray,
    block: IntArray,
    n: int,
    bounds: FloatArray,
    edges: FloatArray,
    most: NDArray[np.intp],
) -> FloatArray:
    """Distributions at the end of a block, given that the bounds in it are satisfied."""
    first, last = most[row, block], most[row, block + 1]
    # Longest first, so that unfinished ones are the first rows.
    order = np.argsort(first - last, kind="stable")
    law, row, block, first, last = law[order], row[order], block[order], first[order], last[order]
    at = edges[block]
    add = _add_events if n < COMPILED_FROM else _kernels.compiled(add_events)
    for step in range(int(np.max(last - first))):
        going = int(np.searchsorted(first - last, -step))
        bound = bounds[row[:going], first[:going] + step]
        law[:going, 1:] = add(law[:going], n * (bound - at[:going]), TAIL)[:, :-1]
        law[:going, 0] = 0.0
        at[:going] = bound
    found = np.empty_like(law)
    found[order] = add(law, n * (edges[block + 1] - at), TAIL)
    return found


def _add_events(law: FloatArray, mean: FloatArray, tail: float) -> FloatArray:
    """`add_events` for all rows."""
    weight, most = np.exp(-mean)[:, None], float(mean.max())
    new = weight * law
    for events in range(1, law.shape[1]):
        weight = weight * mean[:, None] / events
        if events > most and float(weight.max()) < tail:
            break
        new[:, :-events] += weight * law[:, events:]
    return new


def most_to_leave(n_neg: int, n_pos: int, radius: float) -> float:
    """Bound on the probability that any curve leaves the band with this radius."""
    c_neg, c_pos = class_radii(radius, n_neg, n_pos)
    neg, neg_two = chances_to_stay(n_neg, c_neg)
    # Too few positives at a rate are too many at the mirrored rate.
    pos, pos_two = (v[:, ::-1] for v in chances_to_stay(n_pos, c_pos))
    right = (neg[:, :-1] - neg_two).T @ np.diff(pos[::-1], axis=0, prepend=0.0)
    up = np.diff(neg[::-1], axis=0, prepend=0.0).T @ (pos[:, :-1] - pos_two)
    # The worst path to each cell of blocks, by columns of blocks of negatives.
    start = 1.0 - neg[:, 0] @ np.diff(pos[::-1, 0], prepend=0.0)
    climbs = np.concatenate([np.zeros((len(up), 1)), np.cumsum(up, axis=1)], axis=1)
    worst = start + climbs[0]
    for moved, climb in zip(right, climbs[1:], strict=True):
        worst = climb + np.maximum.accumulate(worst + moved - climb)
    # The other edge is the mirror image.
    return 2.0 * float(worst[-1])


@functools.lru_cache(maxsize=256)
def exact_radii(n_neg: int, n_pos: int, level: float) -> tuple[float, float]:
    """Radii of both classes at which the band contains any curve with probability `level`.

    Beyond `LARGEST_EXACT` cases they are extrapolated: squares grow slightly slower than ln ln n, so the
    extrapolation is conservative.
    """
    largest = max(n_neg, n_pos)
    if largest > LARGEST_EXACT:
        sizes = [(min(n_neg, size), min(n_pos, size)) for size in EXTRAPOLATED_FROM]
        square = [min(exact_radii(*size, level)) ** 2 for size in sizes]
        rate = [math.log(math.log(size)) for size in (*EXTRAPOLATED_FROM, largest)]
        # The radius of a class with few cases is bounded below.
        growth = max(0.0, (square[1] - square[0]) / (rate[1] - rate[0]))
        return class_radii(math.sqrt(square[1] + growth * (rate[2] - rate[1])), n_neg, n_pos)
    wanted = math.log1p(-level) - LEFT_OUT
    least, ratio = min(n_neg, n_pos), largest / min(n_neg, n_pos)
    # A fitted starting value.
    square = 0.5 + 3.85 * math.log(math.log(max(least, 3))) - 2.0 * (1.0 - ratio**-0.5) - 2.0 * wanted
    radius, ends = math.sqrt(max(square, 0.25)), [(0.0, math.inf), (LARGEST_RADIUS, -math.inf)]
    while ends[1][0] - ends[0][0] > 1e-4:
        found = math.log(max(most_to_leave(n_neg, n_pos, radius), 1e-300))
        ends[found <= wanted] = radius, found
        if wanted - PRECISION <= found <= wanted:
            break
        (low, above), (high, below) = ends
        slope = (below - above) / (high - low)
        radius += (wanted - 0.5 * PRECISION - found) / (slope if math.isfinite(slope) else -0.9 * radius)
        if not low < radius < high:
            radius = 0.5 * (low + high)
    return class_radii(ends[1][0], n_neg, n_pos)
