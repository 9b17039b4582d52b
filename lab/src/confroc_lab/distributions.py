"""Distributions of the scores of one class: draw from them, with exact tails.

Every distribution has `survival(t)` = P(score >= t) and `threshold(p)`, the score exceeded with
probability p.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from confroc.auditing.populations import invert_decreasing
from confroc_lab._errors import invalid
from confroc_lab._types import FloatArray


class Distribution(Protocol):
    """Protocol of a distribution of scores."""

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
        """Return independent scores."""
        ...

    def survival(self, t: ArrayLike) -> FloatArray:
        """Return P(score >= t)."""
        ...

    def threshold(self, p: ArrayLike) -> FloatArray:
        """Return the score exceeded with probability p; inf at 0 and -inf at 1 for unbounded scores."""
        ...


def _positive(name: str, value: float) -> None:
    if not 0.0 < value < math.inf:
        raise invalid(name, "be finite and positive", value, "It is a spread.")


@dataclass(frozen=True)
class Normal:
    """Normal scores with this mean and standard deviation."""

    mean: float = 0.0
    sd: float = 1.0

    def __post_init__(self) -> None:
        _positive("sd", self.sd)

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
        """Return independent scores."""
        values = rng.standard_normal(shape)
        values *= self.sd
        values += self.mean
        return values

    def survival(self, t: ArrayLike) -> FloatArray:
        """Return P(score >= t)."""
        return np.asarray(special.ndtr((self.mean - np.asarray(t, dtype=np.float64)) / self.sd))

    def threshold(self, p: ArrayLike) -> FloatArray:
        """Return the score exceeded with probability p."""
        return np.asarray(self.mean - self.sd * special.ndtri(np.asarray(p, dtype=np.float64)))


@dataclass(frozen=True)
class StudentT:
    """Student's t with `df` degrees of freedom, shifted and scaled: heavy tails."""

    df: float
    mean: float = 0.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        _positive("df", self.df)
        _positive("scale", self.scale)

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
        """Return independent scores."""
        return self.mean + self.scale * rng.standard_t(self.df, shape)

    def survival(self, t: ArrayLike) -> FloatArray:
        """Return P(score >= t)."""
        return np.asarray(special.stdtr(self.df, (self.mean - np.asarray(t, dtype=np.float64)) / self.scale))

    def threshold(self, p: ArrayLike) -> FloatArray:
        """Return the score exceeded with probability p."""
        p = np.asarray(p, dtype=np.float64)
        inner = np.clip(p, 1e-300, 1.0 - 1e-16)
        value = self.mean - self.scale * special.stdtrit(self.df, inner)
        return np.where(p <= 0.0, np.inf, np.where(p >= 1.0, -np.inf, value))


@dataclass(frozen=True)
class Exponential:
    """Exponential scores with this mean: bounded below, with a heavy upper tail."""

    mean: float = 1.0

    def __post_init__(self) -> None:
        _positive("mean", self.mean)

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
        """Return independent scores."""
        return self.mean * rng.standard_exponential(shape)

    def survival(self, t: ArrayLike) -> FloatArray:
        """Return P(score >= t)."""
        return np.exp(-np.maximum(np.asarray(t, dtype=np.float64), 0.0) / self.mean)

    def threshold(self, p: ArrayLike) -> FloatArray:
        """Return the score exceeded with probability p."""
        with np.errstate(divide="ignore"):
            return np.asarray(-self.mean * np.log(np.asarray(p, dtype=np.float64)))


@dataclass(frozen=True)
class LogNormal:
    """Scores whose logarithm is normal with this mean and standard deviation: skewed, bounded below."""

    mean: float = 0.0
    sd: float = 1.0

    def __post_init__(self) -> None:
        _positive("sd", self.sd)

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
        """Return independent scores."""
        return np.exp(self.mean + self.sd * rng.standard_normal(shape))

    def survival(self, t: ArrayLike) -> FloatArray:
        """Return P(score >= t)."""
        with np.errstate(divide="ignore"):
            logarithm = np.log(np.maximum(np.asarray(t, dtype=np.float64), 0.0))
        return np.asarray(special.ndtr((self.mean - logarithm) / self.sd))

    def threshold(self, p: ArrayLike) -> FloatArray:
        """Return the score exceeded with probability p."""
        return np.exp(self.mean - self.sd * special.ndtri(np.asarray(p, dtype=np.float64)))


@dataclass(frozen=True)
class NormalMixture:
    """Normal scores of several kinds of cases."""

    weights: tuple[float, ...]
    parts: tuple[Normal, ...]

    def __post_init__(self) -> None:
        if len(self.weights) != len(self.parts) or not self.parts or min(self.weights) < 0.0:
            raise invalid("weights", "be one number >= 0 per part", self.weights, "Give as many as `parts`.")
        if abs(sum(self.weights) - 1.0) > 1e-9:
            raise invalid("weights", "add up to 1", sum(self.weights), "Divide by their sum.")

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> FloatArray:
        """Return independent scores."""
        edges = np.cumsum(self.weights)[:-1]
        kind = np.searchsorted(edges, rng.random(shape), side="right")
        mean, sd = (np.array([getattr(p, name) for p in self.parts]) for name in ("mean", "sd"))
        values: FloatArray = mean[kind] + sd[kind] * rng.standard_normal(shape)
        return values

    def survival(self, t: ArrayLike) -> FloatArray:
        """Return P(score >= t)."""
        total = sum(w * part.survival(t) for w, part in zip(self.weights, self.parts, strict=True))
        return np.asarray(total)

    def threshold(self, p: ArrayLike) -> FloatArray:
        """Return the score exceeded with probability p."""
        p = np.asarray(p, dtype=np.float64)
        ends = [part.mean + side * 40.0 * part.sd for part in self.parts for side in (-1.0, 1.0)]
        found = invert_decreasing(self.survival, p, np.array(min(ends)), np.array(max(ends)))
        return np.where(p <= 0.0, np.inf, np.where(p >= 1.0, -np.inf, found))
