"""Mixtures of Beta distributions, for a rate and for differences; weighted sum of two χ² variables."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaln, chdtrc, chdtri, gammaln, ndtr, ndtri, xlog1py, xlogy

from confroc._types import FloatArray, IntArray

T = TypeVar("T", bound=np.generic)

Betas: TypeAlias = tuple[FloatArray, FloatArray, FloatArray]
"""Parameters a and b of Beta distributions, and their weights."""


def log_beta(a: FloatArray, b: FloatArray, x: float | FloatArray) -> FloatArray:
    """Return the logarithm of x^a (1 - x)^b / B(a, b), a Beta(a, b) density times x (1 - x).

    Relative to the mean, because logarithms of gamma functions near 10^12 have no correct decimals.
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
    """Logarithm of the gamma function minus Stirling's formula, for x >= 20."""
    w = 1.0 / (x * x)
    return np.asarray((1 / 12 - w * (1 / 360 - w * (1 / 1260 - w / 1680))) / x)


def smooth_quantile(
    cdf: Callable[[Any], tuple[Any, Any]],
    prob: float | FloatArray,
    x: float | FloatArray,
    ends: tuple[float | FloatArray, float | FloatArray],
    *,
    xtol: float | FloatArray = 0.0,
) -> FloatArray:
    """Return x between `ends` where distribution functions equal `prob`, by safeguarded Newton steps.

    `cdf` returns the functions and, approximately, their densities. Tolerances are for the last step; the
    next would be about its square. SciPy's bracketing solvers, which use no density, make these intervals 2.4
    to 4.8 times slower (python benchmarks/roots.py).
    """
    low, high = ends
    x, open_ = np.asarray(x, dtype=np.float64), np.asarray(True)
    for _ in range(200):
        reached, density = cdf(x)
        short = np.asarray(reached) < prob
        low, high = np.where(short, x, low), np.where(short, high, x)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            following = x + (prob - np.asarray(reached)) / density
        following = np.where((low < following) & (following < high), following, 0.5 * (low + high))
        last, x = x, np.where(open_, following, x)
        open_ = np.abs(x - last) > xtol
        if not open_.any():
            break
    return x


class Parts(NamedTuple):
    """Indices of the first distribution of each mixture; mixtures are consecutive."""

    start: IntArray
    size: IntArray

    @classmethod
    def of(cls, size: IntArray) -> Parts:
        """Build from the numbers of distributions of the mixtures."""
        return cls(np.cumsum(size) - size, size)

    @property
    def places(self) -> IntArray:
        """Index of each distribution within its mixture."""
        return np.arange(int(self.size.sum())) - np.repeat(self.start, self.size)

    def each(self, x: ArrayLike) -> FloatArray:
        """Repeat the value of each mixture for its distributions."""
        return np.repeat(np.broadcast_to(x, self.size.shape), self.size)

    def sums(self, values: NDArray[T]) -> NDArray[T]:
        """Return the sum over each mixture."""
        return np.asarray(np.add.reduceat(values, self.start))

    def normal_quantile(
        self, mean: FloatArray, deviation: FloatArray, weight: FloatArray, prob: float | FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return the quantiles and standard deviations of mixtures of normal distributions."""
        center = self.sums(weight * mean)
        variance = self.sums(weight * (np.square(mean - self.each(center)) + np.square(deviation)))
        spread = np.sqrt(np.maximum(variance, 0.0))

        def cdf(x: FloatArray) -> tuple[FloatArray, FloatArray]:
            z = (self.each(x) - mean) / deviation
            density = np.exp(-0.5 * z * z) * (weight / deviation / np.sqrt(2.0 * np.pi))
            return self.sums(weight * ndtr(z)), self.sums(density)

        far = 40.0 * spread
        x = smooth_quantile(
            cdf, prob, center + spread * ndtri(prob), (center - far, center + far), xtol=1e-3 * spread
        )
        return x, spread


def beta_mixture_quantile(
    a: FloatArray, b: FloatArray, weight: FloatArray, prob: float | FloatArray, parts: Parts | None = None
) -> FloatArray:
    """Return x at which weighted sums of Beta distribution functions equal `prob`; default: one sum of all.

    Solved in the angle arcsin(sqrt x), in which Beta distributions have about the same width everywhere.
    """
    parts = parts or Parts.of(np.array([len(a)]))
    total = parts.sums(weight)
    weight, prob = weight / parts.each(total), np.minimum(prob / total, 1.0 - 1e-16)
    start, spread = parts.normal_quantile(np.arcsin(np.sqrt(a / (a + b))), 0.5 / np.sqrt(a + b), weight, prob)

    def cdf(angle: FloatArray) -> tuple[FloatArray, FloatArray]:
        x = parts.each(np.square(np.sin(angle)))
        density = 2.0 * parts.sums(weight * np.exp(log_beta(a, b, x))) / (np.sin(angle) * np.cos(angle))
        return parts.sums(weight * betainc(a, b, x)), density

    # Tolerance relative to the width of the distribution.
    close = np.minimum(1e-8, np.maximum(1e-4 * spread, 1e-15))
    inside = np.clip(start, 0.1 * spread, np.pi / 2.0 - 0.1 * spread)
    return np.asarray(np.square(np.sin(smooth_quantile(cdf, prob, inside, (0.0, np.pi / 2.0), xtol=close))))


class ShareGap(NamedTuple):
    """Mixtures of differences of two proportions; `tails` returns probabilities above x, and densities."""

    parts: Parts
    weight: FloatArray
    mean: FloatArray
    deviation: FloatArray
    tails: Callable[[FloatArray], tuple[FloatArray, FloatArray]]

    def beyond(self, x: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return the probability above x and the density of each mixture."""
        tail, density = self.tails(self.parts.each(x))
        return self.parts.sums(self.weight * tail), self.parts.sums(self.weight * density)

    def end(self, tail: float) -> FloatArray:
        """Return x with this upper tail probability, for each mixture."""
        start, spread = self.parts.normal_quantile(self.mean, self.deviation, self.weight, 1.0 - tail)

        def cdf(x: FloatArray) -> tuple[FloatArray, FloatArray]:
            above, density = self.beyond(x)
            return -above, density

        inside = np.clip(start, -0.999, 0.999)
        return smooth_quantile(cdf, -tail, inside, (-1.0, 1.0), xtol=1e-4 * spread)


# --- two cells of a trinomial ------------------------------------------------------------------------

STEP, NODES = 0.7, 8
"""Spacing of the nodes on the contour in widths of the integrand, and block size."""

AWAY = 3.0
"""Power of the pole for the minimum at which the contour crosses the real axis."""

CHUNK = 1024
"""Block size, in distributions."""


def trinomial_differences(
    parts: Parts, weight: FloatArray, a: FloatArray, b: FloatArray, rest: FloatArray
) -> ShareGap:
    """Return mixtures of P - Q, where (P, Q) is Dirichlet(a, b, rest)."""

    def tails(x: FloatArray) -> tuple[FloatArray, FloatArray]:
        swap, y = x < 0.0, np.minimum(np.abs(x), 1.0 - 1e-12)
        of_all = np.where(swap, b, a), np.where(swap, a, b), rest, y
        chunks = (slice(i, i + CHUNK) for i in range(0, len(x), CHUNK))
        tail, density = np.hstack([trinomial_tail(*(v[of] for v in of_all)) for of in chunks])
        return np.where(swap, 1.0 - tail, tail), density

    size = a + b + rest
    mean = (a - b) / size
    return ShareGap(parts, weight, mean, np.sqrt(((a + b) / size - mean * mean) / (size + 1.0)), tails)


def trinomial_tail(a: FloatArray, b: FloatArray, rest: FloatArray, x: FloatArray) -> tuple[FloatArray, ...]:
    """Return P(P - Q > x) for (P, Q) ~ Dirichlet(a, b, rest), and the density, at x in [0, 1).

    With gamma variables A, B, C of these shapes it is P(A > u B + v C), u = (1 + x)/(1 - x), v = x/(1 - x).
    That is the integral of (1 - s)^-a (1 + u s)^-b (1 + v s)^-rest / (2 pi i s) over s from below to above
    the real axis between 0 and 1. On a hyperbola with foci 1 and 0 (or left of it) the trapezoidal rule
    converges geometrically.
    """
    u, v = (1.0 + x) / (1.0 - x), x / (1.0 - x)
    s = np.full(len(x), 0.5)
    for _ in range(8):
        # The saddle point, with two factors replaced by one of equal value and slope at s.
        by_b, by_rest = u / (1.0 + u * s), v / (1.0 + v * s)
        slope, bend = b * by_b + rest * by_rest, b * by_b * by_b + rest * by_rest * by_rest
        power = slope * slope / bend
        scale = slope / (power - slope * s)
        square, linear = scale * (a + 0.5 + AWAY + power), a + 0.5 + AWAY - (AWAY + power) * scale
        root = np.sqrt(linear * linear + 4.0 * AWAY * square)
        s = np.where(linear > 0.0, 2.0 * AWAY / (root + np.abs(linear)), (root - linear) / (2.0 * square))
    left = np.minimum(2.0 * s - 1.0, 0.0)
    half, middle = 0.5 * (1.0 - left), 0.5 * (1.0 + left)
    cosine, sine = (s - middle) / half, np.sqrt((1.0 - s) * (s - left)) / half
    curvature = (a + 0.5) / np.square(1.0 - s) + bend + AWAY / np.square(s)
    width = STEP / (np.sqrt(curvature) * half * sine)
    # Chernoff bounds: extreme probabilities need no integral.
    mean, variance = a - b * u - rest * v, a + b * u * u + rest * v * v
    below = np.clip(mean / variance, 0.0, 0.9 / u)
    sure = _log_mgf(a, b, rest, u, v, -below) < np.log(1e-11)
    never = _log_mgf(a, b, rest, u, v, s) < np.log(1e-15)
    tail, density = np.zeros((2, len(x)))
    todo, k = np.flatnonzero(~(sure | never)), 0
    while len(todo):
        t = np.exp(width[todo] * (np.arange(k, k + NODES)[:, None] + 0.5))
        even, odd = 0.5 * half[todo] * (t + 1.0 / t), 0.5 * half[todo] * (t - 1.0 / t)
        node = np.empty(t.shape, np.complex128)
        node.real, node.imag = middle[todo] + even * cosine[todo], odd * sine[todo]
        step = np.empty_like(node)
        step.real, step.imag = odd * cosine[todo], even * sine[todo]
        of_b, of_rest = 1.0 + u[todo] * node, 1.0 + v[todo] * node
        power = a[todo] * _log(1.0 - node) + b[todo] * _log(of_b) + rest[todo] * _log(of_rest)
        term = np.exp(-power) * step
        tail[todo] += (term / node).imag.sum(axis=0)
        density[todo] += (term * (2.0 * b[todo] / of_b + rest[todo] / of_rest)).imag.sum(axis=0)
        k += NODES
        todo = todo[np.abs(term[-1] / node[-1]) > 1e-9 * np.abs(tail[todo])]
    tail = np.where(sure, 1.0, tail * width / np.pi)
    return tail, density * width / np.pi / np.square(1.0 - x)


def _log(z: NDArray[Any]) -> NDArray[Any]:
    """Complex logarithm, ten times faster than NumPy's."""
    out = np.empty_like(z)
    out.real, out.imag = 0.5 * np.log(np.square(z.real) + np.square(z.imag)), np.arctan2(z.imag, z.real)
    return out


def _log_mgf(
    a: FloatArray, b: FloatArray, rest: FloatArray, u: FloatArray, v: FloatArray, s: FloatArray
) -> FloatArray:
    """Logarithm of the moment generating function of A - u B - v C at s."""
    return -(a * np.log1p(-s) + b * np.log1p(u * s) + rest * np.log1p(v * s))


# --- two independent shares --------------------------------------------------------------------------

BETA_NODES = 25
"""Number of nodes of a Beta distribution, over ten standard deviations of the angle arcsin(sqrt x)."""


def beta_nodes(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return nodes of Beta distributions and their weights, shape (distributions, nodes)."""
    center, deviation = np.arcsin(np.sqrt(a / (a + b))), 0.5 / np.sqrt(a + b)
    low = np.maximum(center - 5.0 * deviation, 0.0)[:, None]
    high = np.minimum(center + 5.0 * deviation, np.pi / 2.0)[:, None]
    angle = low + (high - low) * (np.arange(BETA_NODES) + 0.5) / BETA_NODES
    x = np.square(np.sin(angle))
    weight = np.exp(log_beta(a[:, None], b[:, None], x)) / np.sin(2.0 * angle)
    return x, weight / weight.sum(axis=1, keepdims=True)


def beta_pairs(p: Betas, q: Betas) -> tuple[FloatArray, ...]:
    """Return P - Q of independent mixtures as a mixture of X + shift, X ~ Beta(a, b): weights, a, b, shifts.

    In each pair the narrower Beta distribution is discretized.
    """
    i, j = np.indices((len(p[0]), len(q[0]))).reshape(2, -1)
    (a, b, weight), (c, d, other) = (x[i] for x in p), (x[j] for x in q)
    narrow = a * b / np.square(a + b) / (a + b + 1.0) < c * d / np.square(c + d) / (c + d + 1.0)
    share, mass = beta_nodes(np.where(narrow, a, c), np.where(narrow, b, d))
    shift = np.where(narrow[:, None], share - 1.0, -share)
    wide = (np.repeat(x, BETA_NODES) for x in (np.where(narrow, d, a), np.where(narrow, c, b)))
    return (mass * (weight * other)[:, None]).ravel(), *wide, shift.ravel()


def shifted_betas(
    parts: Parts, weight: FloatArray, a: FloatArray, b: FloatArray, shift: FloatArray
) -> ShareGap:
    """Return mixtures of X + shift, X ~ Beta(a, b)."""
    size = a + b

    def tails(x: FloatArray) -> tuple[FloatArray, FloatArray]:
        # The distribution function of 1 - X is ten times faster than SciPy's complement.
        y = np.clip(1.0 + shift - x, 0.0, 1.0)
        # Beyond this distance from the mean each tail is below 1e-14.
        near = (np.square(y - b / size) * (size + 1.0) < 16.0) & (y > 0.0) & (y < 1.0)
        tail, density = (y > b / size).astype(np.float64), np.zeros(len(y))
        d, c, y = b[near], a[near], y[near]
        tail[near] = betainc(d, c, y)
        density[near] = np.exp(log_beta(d, c, y)) / (y * (1.0 - y))
        return tail, density

    return ShareGap(parts, weight, a / size + shift, np.sqrt(a * b / (size + 1.0)) / size, tails)


def chi2_sum_tail(x: FloatArray, weight: tuple[float, float], df: tuple[int, int]) -> FloatArray:
    """Return P(w₁X₁ + w₂X₂ > x) of independent χ² variables; one with zero degrees of freedom is zero.

    An integral over the square root of the narrower term. With √(x/w)·sin θ, which leaves x·cos²θ for the
    wider one, the integrand is smooth for all degrees of freedom.
    """
    parts = [(w, d) for w, d in zip(weight, df, strict=True) if d > 0]
    x = np.asarray(x, dtype=np.float64)
    if not parts:
        return np.where(x < 0.0, 1.0, 0.0)
    if len(parts) == 1:
        return np.asarray(chdtrc(parts[0][1], np.maximum(x, 0.0) / parts[0][0]))
    (narrow, inner_df), (wide, outer_df) = sorted(parts, key=lambda p: p[0] * math.sqrt(p[1]))
    top = np.sqrt(np.maximum(x, 1e-300) / narrow)
    # Limits of the narrower term up to 1e-16.
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
    """Gauss nodes and weights, cached; 200 of them give eleven digits."""
    return np.polynomial.legendre.leggauss(200)


def chi2_sum_quantile(tail: float, weight: tuple[float, float], df: tuple[int, int]) -> float:
    """Return the x beyond which the weighted sum of two χ² variables has the given probability."""
    from scipy.optimize import brentq

    if not sum(df):
        return 0.0
    # Beyond it at least one of the two exceeds its part.
    highest = sum(w * float(chdtri(d, 0.5 * tail)) for w, d in zip(weight, df, strict=True) if d > 0)

    def excess(x: float) -> float:
        return float(chi2_sum_tail(np.asarray(x), weight, df)) - tail

    return float(brentq(excess, 0.0, highest, xtol=1e-12 * highest, rtol=1e-12))
