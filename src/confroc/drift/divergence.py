"""Divergences of a reweighted sample from the sample, and between two samples on common bins.

Each is Σ f φ(u/f) for a convex φ with φ(1) = 0, where f are the sample's proportions and u the new ones, in
each class separately. In this form all three have the same stationary points: φ′(u/f) = λS + γ, where S is
the gradient of the AUC in a case, so u = f·ratio(λS + γ) and only `ratio` differs.

The printed recurrences of Morin 2018 (eqs. 19-22 and 39-41) do not follow from his objective; these do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from confroc import distributions
from confroc._check import check_choice
from confroc._types import FloatArray, IntArray
from confroc.scores import Scores
from confroc.scores.counting import rows_above, rows_reaching, sums_before

DivergenceName: TypeAlias = Literal["kl", "jeffreys", "chi2"]
DIVERGENCES = ("kl", "jeffreys", "chi2")

FLOOR = 1e-4
"""Smallest proportion of a bin; an empty bin would make the divergence infinite."""

SHORT = 10_000
"""Number of terms up to which BLAS uses one thread and is faster than einsum."""


def inner(a: NDArray[Any], b: NDArray[Any]) -> float:
    """Return the sum of products."""
    return float(np.dot(a, b)) if len(a) <= SHORT else distributions.inner(a, b)


@dataclass(frozen=True)
class Divergence:
    """A divergence; `name` is one of `DIVERGENCES`.

    kl : u ln(u/f) (Morin 2018, eq. 35).
    jeffreys : (u − f) ln(u/f) (Morin 2018, eq. 17), the symmetric form. On ten bins of all cases it is the
        population stability index.
    chi2 : (u − f)²/f. Morin's eq. 18 lacks the division, so its value depends on the number of bins; on
        K equal bins it is this one divided by K.
    """

    name: DivergenceName

    def cost(self, ratio: FloatArray) -> FloatArray:
        """φ(u/f)."""
        if self.name == "kl":
            kl: FloatArray = special.xlogy(ratio, ratio) - ratio + 1.0
            return kl
        if self.name == "jeffreys":
            return np.asarray((ratio - 1.0) * np.log(ratio))
        return (ratio - 1.0) ** 2

    def ratio(self, gradient: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Inverse of φ′ and its derivative at `gradient`."""
        if self.name == "kl":
            r = np.exp(gradient)
            return r, r
        if self.name == "jeffreys":
            # ln ρ + 1 − 1/ρ = gradient is t + ln t = 1 − gradient for t = 1/ρ: Wright's omega.
            t = special.wrightomega(1.0 - gradient)
            return 1.0 / t, 1.0 / (t * (1.0 + t))
        r = np.maximum(0.0, 1.0 + 0.5 * gradient)
        return r, np.where(r > 0.0, 0.5, 0.0)

    def first_level(self, share: FloatArray, gradient: FloatArray) -> float:
        """An upper bound on the γ for which the new proportions sum to one."""
        # By Jensen, since `ratio` is convex with ratio(0) = 1.
        level = -inner(share, gradient)
        if self.name != "chi2":
            # No new proportion can exceed one.
            level = min(level, 1.0 + float(np.min(-np.log(share) - gradient)))
        return level

    @property
    def chance(self) -> float:
        """Factor of χ²/n in the large-sample distribution without drift: ½ or 1."""
        return 0.5 if self.name == "kl" else 1.0

    def split_cost(self, share: FloatArray) -> FloatArray:
        """Cost of concentrating a class on a part with this proportion."""
        if self.name == "kl":
            return -np.log(share)
        return np.full(share.shape, math.inf) if self.name == "jeffreys" else 1.0 / share - 1.0

    def between(self, share: FloatArray, reference: FloatArray) -> FloatArray:
        """Divergence of proportions, along the last axis, from a reference; both floored at `FLOOR`."""
        f, g = np.maximum(share, FLOOR), np.maximum(reference, FLOOR)
        if self.name == "kl":
            return np.asarray(np.sum(f * np.log(f / g), axis=-1))
        if self.name == "jeffreys":
            return np.asarray(np.sum((f - g) * np.log(f / g), axis=-1))
        return np.asarray(np.sum((f - g) ** 2 / g, axis=-1))


@dataclass(frozen=True)
class Tilt:
    """A reweighted class: new proportions, their derivative in γ, cost, and γ."""

    share: FloatArray
    slope: FloatArray
    cost: float
    level: float


def tilt(
    divergence: Divergence,
    share: FloatArray,
    gradient: FloatArray,
    level: float | None = None,
    *,
    within: float = 0.0,
) -> Tilt:
    """Proportions f·ratio(gradient + γ) that sum to one; `level` is a starting value of γ.

    With `within`, the sum needs to be one only up to this tolerance, and is normalized.
    """
    if divergence.name == "kl":
        top = float(gradient.max())
        new = gradient - top
        np.exp(new, out=new)
        new *= share
        total = float(new.sum())
        new /= total
        gamma = -top - math.log(total)
        return Tilt(new, new, inner(new, gradient) + gamma, gamma)
    highest = divergence.first_level(share, gradient)
    gamma = highest if level is None else min(highest, level)
    # Newton on the logarithm of the sum (on the sum for chi2): convex, so it converges from above, and a
    # starting value below overshoots once, at most to where no proportion exceeds one. With SciPy's brentq
    # forecasts by 'jeffreys' take three to ten times as long (python benchmarks/roots.py).
    for _ in range(200):
        ratio, slope = divergence.ratio(gradient + gamma)
        total, rise = inner(share, ratio), inner(share, slope)
        if abs(total - 1.0) <= max(within, 4e-15 * max(8.0, math.sqrt(len(share)))):
            break
        if not rise > 0.0:
            # A starting value so low that every ratio is zero.
            if gamma >= highest:
                break
            gamma = highest
            continue
        step = (total - 1.0) / rise if divergence.name == "chi2" else math.log(total) * total / rise
        gamma = min(highest, gamma - step)
        if abs(step) <= 4e-16 * abs(gamma):
            # Large gradients are rounded more coarsely than the sum requires.
            break
    if abs(total - 1.0) <= within:
        ratio /= total
    cost = inner(share, divergence.cost(ratio))
    ratio *= share
    slope *= share
    return Tilt(ratio, slope, cost, gamma)


def check_divergence(name: object) -> Divergence:
    """Return the divergence with this name."""
    check_choice("divergence", name, DIVERGENCES)
    return Divergence(name)  # type: ignore[arg-type]


MOST_BINS = 10**6


class QuantileBins(NamedTuple):
    """Quantile bins of cases: descending lower edges, proportion in each, number of cases."""

    edges: FloatArray
    share: FloatArray
    size: float


def quantile_bins(score: FloatArray, count: IntArray, n_bins: int) -> QuantileBins:
    """Return quantile bins of the counted cases; tied cases share a bin."""
    n = count.sum().item()
    ends = rows_reaching((np.arange(1, n_bins) / n_bins - 1e-12) * n, count)
    edges = np.asarray(score[np.unique(np.concatenate([ends, [len(score) - 1]]))])
    return QuantileBins(edges, shares(score, count, edges), n)


def shares(score: FloatArray, count: IntArray, edges: FloatArray) -> FloatArray:
    """Proportion of a class in each bin; cases below the last edge belong to the last bin."""
    n = count.sum().item()
    (above,) = sums_before(rows_above(score, edges[:-1]), count)
    return np.asarray(np.diff(above, prepend=0, append=n) / n)


def class_divergences(
    segment: Scores, whole: Scores, divergence: Divergence, n_bins: int
) -> tuple[float, float]:
    """Divergences of a segment's positives and negatives from the whole sample, on its bins."""
    parts = []
    for own, count in ((segment.pos, whole.pos), (segment.neg, whole.neg)):
        bins = quantile_bins(whole.score, count, n_bins)
        parts.append(float(divergence.between(shares(segment.score, own, bins.edges), bins.share)))
    return parts[0], parts[1]
