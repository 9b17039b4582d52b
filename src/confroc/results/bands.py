"""A simultaneous confidence band for a whole curve."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, as_floats
from confroc._types import FloatArray
from confroc.base import Kind
from confroc.results import shown
from confroc.results.base import Inference, Plottable
from confroc.results.polyline import CHUNK, one_sided_limits

WHOLE = (0.0, 1.0)
ROUND = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
"""Abscissae printed for a band."""


def between(low: float, high: float) -> str:
    """Format a range with enough digits to distinguish its ends; a single point as one number."""
    if low == high:
        return shown.cell(float(low))
    most = max(abs(low), abs(high))
    return " to ".join(shown.evenly((low, high), max(3, 1 + math.ceil(math.log10(most / (high - low))))))


def spans(stretches: Sequence[tuple[float, float]]) -> str:
    """Format the longest interval, and the number of the others."""
    if not stretches:
        return ""
    more = len(stretches) - 1
    longest = between(*max(stretches, key=lambda ends: ends[1] - ends[0]))
    return longest + (f" (and {more} shorter range{'s' * (more > 1)})" if more else "")


class Curve(Protocol):
    """Anything with the coordinates of an ROC curve, such as `RocCurve`."""

    @property
    def fpr(self) -> FloatArray:
        """Non-decreasing false positive rates."""
        ...

    @property
    def tpr(self) -> FloatArray:
        """Corresponding true positive rates."""
        ...


def _check_values(at: FloatArray, value: FloatArray) -> None:
    """Raise unless a curve has two vertices or more, as many values, and no missing ones."""
    if len(at) != len(value) or not len(at):
        raise ArgumentError(
            "curve",
            "have one value for each of at least two abscissae",
            f"{len(value)} values for {len(at)} abscissae",
            "Pass (at, value), two arrays of equal length that cover the band.",
        )
    if not (np.isfinite(at).all() and np.isfinite(value).all()):
        missing = int(np.count_nonzero(~(np.isfinite(at) & np.isfinite(value))))
        raise ArgumentError(
            "curve", "have finite coordinates", f"{missing} missing or infinite", "Drop or fill them."
        )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Band(Plottable, Inference):
    """A simultaneous confidence band for a whole curve: of rates, of costs, or of a difference of two.

    Attributes
    ----------
    quantity, at_name : str
        The quantity and the abscissa: "tpr" and "fpr" for an ROC curve.
    at : ndarray of shape (g,)
        Non-decreasing abscissae; a repeated value is a jump of the curve or of one of the edges.
    estimate : ndarray of shape (g,)
        The empirical curve at these abscissae.
    lower, upper : ndarray of shape (g,)
        The edges, linear between adjacent abscissae.
    at_range : (float, float)
        Abscissae on which the band is valid. Outside, the edges are the limits of the parameter space.
    design : {"paired", "unpaired"}, optional
        For a difference a − b of two curves: whether both models scored the same cases.
    confidence_level : float
        Probability that the band contains the whole true curve.
    method, guarantee, notes, kind
        As in `Inference`.

    See Also
    --------
    roc_band, roc_difference_band, cost_band, cost_difference_band : Return one.
    Intervals : Pointwise intervals.
    """

    _sparse = True
    quantity: str = "tpr"
    at_name: str = "fpr"
    at: FloatArray
    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    at_range: tuple[float, float] = WHOLE
    design: Literal["paired", "unpaired"] | None = None
    kind: Kind = "simultaneous"

    def __len__(self) -> int:
        return len(self.at)

    def _shown(self, most: int | None) -> tuple[Mapping[str, Any], int | None]:
        """The edges at round abscissae; at a jump, the outer ones."""
        if len(self) <= shown.MOST_ROWS:
            return super()._shown(most)
        places = np.array(ROUND) if self.at_range == WHOLE else np.linspace(*self.at_range, 6)
        at, *edges = self._inside()
        estimate = one_sided_limits(self.at, self.estimate, places)
        lower, upper = (one_sided_limits(at, edge, places) for edge in edges)
        return {
            self.at_name: places,
            self.quantity: estimate[1],
            "lower": np.minimum(*lower),
            "upper": np.maximum(*upper),
        }, None

    def _claims(self) -> list[str]:
        if self.design is None:
            return super()._claims()
        where = spans(self.different_at)
        claim = (
            f"excludes zero at {self.at_name} {where}" if where else f"includes zero at every {self.at_name}"
        )
        return [*super()._claims(), claim]

    def _inside(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The abscissae in `at_range` and the edges there."""
        x = np.asarray(self.at)
        first = int(np.searchsorted(x, self.at_range[0], side="right")) - 1
        last = int(np.searchsorted(x, self.at_range[1], side="left")) + 1
        part = slice(max(0, first), last)
        return x[part], self.lower[part], self.upper[part]

    @property
    def area(self) -> float:
        """Area between the edges over `at_range`; for a difference, where they are not −1 and 1."""
        x, low, high = self._inside()
        if self.design is not None:
            claimed = high - low < 2.0
            x, low, high = x[claimed], low[claimed], high[claimed]
        strips = np.empty(max(0, len(x) - 1))
        for start in range(0, len(strips), CHUNK):
            part = slice(start, start + CHUNK + 1)
            wide = high[part] - low[part]
            strips[start : start + CHUNK] = np.diff(x[part]) * (wide[1:] + wide[:-1]) / 2.0
        return float(strips.sum())

    @property
    def lower_vacuous_until(self) -> float:
        """Abscissa up to which the lower edge is 0, uninformative for a rate."""
        x, low, _ = self._inside()
        positive = low > 0.0
        if not positive.any():
            return float(x[-1])
        first = int(positive.argmax())
        return float(x[first if first == 0 or x[first] == x[first - 1] else first - 1])

    @property
    def upper_vacuous_from(self) -> float:
        """Abscissa from which the upper edge is 1, uninformative for a rate."""
        x, _, high = self._inside()
        below = high < 1.0
        if not below.any():
            return float(x[0])
        last = len(below) - 1 - int(below[::-1].argmax())
        return float(x[min(last + 1, len(x) - 1)])

    @property
    def different_at(self) -> tuple[tuple[float, float], ...]:
        """Intervals of the abscissa where the band of a difference excludes zero, as (from, to)."""
        away = (self.lower > 0.0) | (self.upper < 0.0)
        turn = np.flatnonzero(np.diff(np.concatenate([[False], away, [False]]).astype(np.int8)))
        return tuple(
            (float(self.at[first]), float(self.at[last - 1]))
            for first, last in zip(turn[::2], turn[1::2], strict=True)
        )

    def contains(
        self, curve: Curve | tuple[ArrayLike, ArrayLike] | Callable[[FloatArray], ArrayLike]
    ) -> bool:
        """Whether a curve lies inside the band everywhere.

        Parameters
        ----------
        curve : RocCurve, (at, value), or callable
            Vertices joined by straight lines (repeated abscissae are vertical steps) that cover `at_range`;
            or a continuous function of an array of abscissae, such as `BinormalModel.tpr`.

        Raises
        ------
        ArgumentError
            Missing values, decreasing abscissae or abscissae outside the band, different numbers of
            abscissae and values, or a curve that does not cover `at_range`.

        Notes
        -----
        Exact for polylines: curve and edges are linear between their joint abscissae, so the one-sided limits
        there decide. A callable is compared with the one-sided limits of the edges at all their vertices
        (exact for step edges and non-decreasing functions) and at seven points of each sloped segment. The
        tolerance is 1e-12.
        """
        if callable(curve):
            at = self._places()
            value = as_floats("curve", curve(at))
            _check_values(at, value)
            sides = value, value
        else:
            x, y = self._vertices(*(curve if isinstance(curve, tuple) else (curve.fpr, curve.tpr)))
            at = np.union1d(x, self.at)
            at = at[(at >= x[0]) & (at <= x[-1])]
            sides = one_sided_limits(x, y, at)
        lows, highs = one_sided_limits(self.at, self.lower, at), one_sided_limits(self.at, self.upper, at)
        return all(
            bool(((value >= low - 1e-12) & (value <= high + 1e-12)).all())
            for value, low, high in zip(sides, lows, highs, strict=True)
        )

    def values_on(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Values of a polyline at the band's abscissae; at a jump, the one nearer to the estimate."""
        left, right = one_sided_limits(x, y, self.at)
        nearer = np.abs(left - self.estimate) <= np.abs(right - self.estimate)
        return np.where(nearer, left, right)

    def _vertices(self, at: ArrayLike, value: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Check a curve's vertices, and return them."""
        x, y = as_floats("curve", at), as_floats("curve", value)
        _check_values(x, y)
        domain, (first, last) = (float(self.at[0]), float(self.at[-1])), self.at_range
        found = f"{self.at_name} from {x[0]:.6g} to {x[-1]:.6g}"
        if (np.diff(x) < 0.0).any():
            raise ArgumentError(
                "curve",
                f"have non-decreasing {self.at_name}",
                float(x[1:][np.diff(x) < 0.0][0]),
                "Sort the vertices along the curve.",
            )
        if x[0] < domain[0] or x[-1] > domain[1]:
            rule = f"have {self.at_name} between {domain[0]:g} and {domain[1]:g}"
            raise ArgumentError("curve", rule, found, "Drop the vertices outside.")
        if x[0] > first or x[-1] < last:
            rule = f"cover {self.at_name} {first:g} to {last:g}, as the band does"
            raise ArgumentError("curve", rule, found, "Add the missing vertices.")
        return x, y

    def _places(self) -> FloatArray:
        """The vertices of the edges, and seven points of each sloped segment."""
        sloped = np.flatnonzero(
            (np.diff(self.at) > 0.0) & ((np.diff(self.lower) != 0.0) | (np.diff(self.upper) != 0.0))
        )
        share = np.arange(1, 8) / 8.0
        between = self.at[sloped, None] + share * (self.at[sloped + 1] - self.at[sloped])[:, None]
        places: FloatArray = np.union1d(np.unique(self.at), between.ravel())
        return places
