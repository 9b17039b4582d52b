"""Mixtures of Beta distributions, of a rate and of differences; the weighted sum of two χ² variables."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.special import betainc, betaln, chdtrc, chdtri, gammaln, ndtri, xlog1py, xlogy

from confroc._types import FloatArray

Betas: TypeAlias = tuple[FloatArray, FloatArray, FloatArray]
"""Parameters a and b of Beta distributions, and their weights."""


def log_beta(a: FloatArray, b: FloatArray, x: float | FloatArray) -> FloatArray:
    """Return the logarithm of x^a (1 - x)^b / B(a, b): of a Beta(a, b) density times x (1 - x).

    Written by the distance from the mean, since the logarithms of gamma functions near 10^12 have no digit
    left behind the point.
    """
    both = a + b
    mean = a / both
    near = np.minimum(a, b) >= 20.0
    c, d = np.where(near, a, 20.0), np.where(near, b, 20.0)
    height = 0.5 * np.log(c * (d / (c + d)) / (2.0 * np.pi)) + _rest(c + d) - _rest(c) - _rest(d)
    if not np.all(near):
        height = np.where(near, height, xlogy(a, mean) + xlogy(b, b / both) - betaln(a, b))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.asarray(
            height + xlog1py(a, (x - mean) / mean) + xlog1py(b, (mean - x) / (b / both)), dtype=np.float64
        )


def _rest(x: FloatArray) -> FloatArray:
    """Logarithm of the gamma function less Stirling's formula, for x of 20 and more."""
    w = 1.0 / (x * x)
    return np.asarray((1 / 12 - w * (1 / 360 - w * (1 / 1260 - w / 1680))) / x)


def smooth_quantile(
    cdf: Callable[[float], tuple[float, float]],
    prob: float,
    x: float,
    ends: tuple[float, float],
    *,
    xtol: float = 0.0,
    rtol: float = 0.0,
) -> float:
    """Return x between `ends` where a distribution function is `prob`: Newton steps in a shrinking bracket.

    `cdf` returns the function and, approximately, its density. The tolerances are for the last step: the next
    would be about its square. SciPy's bracketing solvers, which use no density, slow the intervals that need
    these quantiles down by factors of 2.4 to 4.8 (python benchmarks/roots.py).
    """
    low, high = ends
    for _ in range(200):
        reached, density = cdf(x)
        low, high = (x, high) if reached < prob else (low, x)
        following = x + (prob - reached) / density if density > 0.0 else low
        if not low < following < high:
            following = 0.5 * (low + high)
        last, x = x, following
        if abs(x - last) <= xtol + rtol * abs(last):
            break
    return x


def beta_mixture_quantile(a: FloatArray, b: FloatArray, weight: FloatArray, prob: float) -> float:
    """Return x at which the weighted sum of Beta distribution functions is `prob`.

    Solved for the angle arcsin(sqrt x), on the scale of which Beta distributions have about the same width
    everywhere.
    """
    total = float(weight.sum())
    mean = a / (a + b)
    centre = float(weight @ mean) / total
    variance = float(weight @ (np.square(mean - centre) + mean * (1.0 - mean) / (a + b + 1.0))) / total
    guess = centre + float(ndtri(min(prob / total, 1.0 - 1e-16))) * np.sqrt(max(variance, 0.0))
    start = float(np.arcsin(np.sqrt(guess))) if 0.0 < guess < 1.0 else np.pi / 4.0

    def cdf(angle: float) -> tuple[float, float]:
        sine, cosine = np.sin(angle), np.cos(angle)
        x = sine * sine
        density = 2.0 * float(weight @ np.exp(log_beta(a, b, x))) / float(sine * cosine)
        return float(weight @ betainc(a, b, x)), density

    # To a small part of the distribution's own width, however narrow it is.
    close = min(1e-8, max(1e-4 * float(np.sqrt(variance)), 1e-15))
    return float(np.sin(smooth_quantile(cdf, prob, start, (0.0, np.pi / 2.0), rtol=close)) ** 2)


NODES = 25
"""Nodes of a Beta distribution, over ten standard deviations on the scale of the angle arcsin(sqrt x)."""


def beta_nodes(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return nodes of Beta distributions and their weights, shape (distributions, nodes)."""
    centre, deviation = np.arcsin(np.sqrt(a / (a + b))), 0.5 / np.sqrt(a + b)
    low = np.maximum(centre - 5.0 * deviation, 0.0)[:, None]
    high = np.minimum(centre + 5.0 * deviation, np.pi / 2.0)[:, None]
    angle = low + (high - low) * (np.arange(NODES) + 0.5) / NODES
    x = np.square(np.sin(angle))
    weight = np.exp(log_beta(a[:, None], b[:, None], x)) / np.sin(2.0 * angle)
    return x, weight / weight.sum(axis=1, keepdims=True)


class ShiftedBetas(NamedTuple):
    """A mixture of shift + scale X in [-1, 1], X of Beta(a, b); arrays that broadcast to one shape."""

    a: FloatArray
    b: FloatArray
    shift: FloatArray
    scale: FloatArray
    weight: FloatArray

    def beyond(self, x: float) -> float:
        """Return the probability above x."""
        # As the distribution function of 1 - X: SciPy's complement takes ten times as long.
        rest = np.clip((self.shift + self.scale - x) / self.scale, 0.0, 1.0)
        return float(np.sum(self.weight * betainc(self.b, self.a, rest)))

    def end(self, tail: float) -> float:
        """Return x with this probability above it."""
        from scipy.optimize import brentq

        return float(brentq(lambda x: self.beyond(x) - tail, -1.0, 1.0, xtol=1e-9))


def trinomial_difference(a: FloatArray, b: FloatArray, rest: FloatArray, weight: FloatArray) -> ShiftedBetas:
    """Return the distribution of P - Q, a mixture of (P, Q) of Dirichlet(a, b, rest).

    Given Q it is (1 - Q) X - Q with X of Beta(a, rest); given P it is 2 P - 1 + (1 - P) X with X of
    Beta(rest, b). The nodes are those of the smaller share, over which the other varies little.
    """
    less = b <= a
    given = np.where(less, b, a)
    share, mass = beta_nodes(given, a + b + rest - given)
    shift = np.where(less[:, None], -share, 2.0 * share - 1.0)
    a, b = np.where(less, a, rest)[:, None], np.where(less, rest, b)[:, None]
    return ShiftedBetas(a, b, shift, 1.0 - share, mass * (weight / weight.sum())[:, None])


def beta_difference(p: Betas, q: Betas) -> ShiftedBetas:
    """Return the distribution of P - Q, independent mixtures of Beta distributions.

    Of each pair of them the narrower has the nodes.
    """
    i, j = np.indices((len(p[0]), len(q[0]))).reshape(2, -1)
    (a, b, weight), (c, d, other) = (x[i] for x in p), (x[j] for x in q)
    weight = weight * other
    narrow = a * b / np.square(a + b) / (a + b + 1.0) < c * d / np.square(c + d) / (c + d + 1.0)
    share, mass = beta_nodes(np.where(narrow, a, c), np.where(narrow, b, d))
    shift = np.where(narrow[:, None], share - 1.0, -share)
    a, b = np.where(narrow, d, a)[:, None], np.where(narrow, c, b)[:, None]
    return ShiftedBetas(a, b, shift, np.ones(1), mass * (weight / weight.sum())[:, None])


def chi2_sum_tail(x: FloatArray, weight: tuple[float, float], df: tuple[int, int]) -> FloatArray:
    """Return P(w₁X₁ + w₂X₂ > x) of independent χ² variables; one without degrees of freedom is zero.

    An integral over the root of the narrower part. Written as √(x/w)·sin θ, which leaves x·cos²θ for the
    wider one, its integrand is smooth for every number of degrees of freedom.
    """
    parts = [(w, d) for w, d in zip(weight, df, strict=True) if d > 0]
    x = np.asarray(x, dtype=np.float64)
    if not parts:
        return np.where(x < 0.0, 1.0, 0.0)
    if len(parts) == 1:
        return np.asarray(chdtrc(parts[0][1], np.maximum(x, 0.0) / parts[0][0]))
    (narrow, inner_df), (wide, outer_df) = sorted(parts, key=lambda p: p[0] * math.sqrt(p[1]))
    top = np.sqrt(np.maximum(x, 1e-300) / narrow)
    # The narrow part lies between these but for 1e-16.
    first, last = (float(chdtri(inner_df, p)) ** 0.5 for p in (1.0 - 1e-16, 1e-16))
    theta = [np.arcsin(np.minimum(1.0, end / top)) for end in (first, last)]
    node, share = _nodes()
    half = 0.5 * (theta[1] - theta[0])[..., None]
    angle = 0.5 * (theta[0] + theta[1])[..., None] + half * node
    root = top[..., None] * np.sin(angle)
    density = np.exp(
        (1.0 - 0.5 * inner_df) * math.log(2.0)
        + (inner_df - 1.0) * np.log(root)
        - 0.5 * root**2
        - gammaln(0.5 * inner_df)
    )
    cosine = top[..., None] * np.cos(angle)
    tail = chdtrc(outer_df, narrow / wide * cosine**2)
    within = np.sum(share * half * density * cosine * tail, axis=-1)
    return np.asarray(np.where(x > 0.0, np.minimum(1.0, within + chdtrc(inner_df, top**2)), 1.0))


@functools.cache
def _nodes() -> tuple[FloatArray, FloatArray]:
    """Gauss's nodes and weights, of which 200 give eleven digits; finding them is what takes time."""
    return np.polynomial.legendre.leggauss(200)


def chi2_sum_quantile(tail: float, weight: tuple[float, float], df: tuple[int, int]) -> float:
    """Return the x beyond which the weighted sum of two χ² variables has the given probability."""
    from scipy.optimize import brentq

    if not sum(df):
        return 0.0
    # Beyond it one of the two at least is beyond its own share.
    highest = sum(w * float(chdtri(d, 0.5 * tail)) for w, d in zip(weight, df, strict=True) if d > 0)

    def excess(x: float) -> float:
        return float(chi2_sum_tail(np.asarray(x), weight, df)) - tail

    return float(brentq(excess, 0.0, highest, xtol=1e-12 * highest, rtol=1e-12))
