"""A simultaneous band for a whole curve, and what it contains."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, as_floats, check_threshold
from confroc._types import FloatArray
from confroc.base import Kind
from confroc.results import shown
from confroc.results.base import Inference
from confroc.results.intervals import Intervals
from confroc.results.polyline import CHUNK, one_sided_limits

WHOLE = (0.0, 1.0)
ROUND = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
"""Abscissae at which a band is printed."""
MOST_STRETCHES = 3
"""Stretches that are printed."""


def between(low: float, high: float) -> str:
    """Return a range in words, with digits enough to distinguish its ends; a single place as one number."""
    if low == high:
        return shown.cell(float(low))
    most = max(abs(low), abs(high))
    return " to ".join(shown.evenly((low, high), max(4, 1 + math.ceil(math.log10(most / (high - low))))))


def _listed(stretches: Sequence[tuple[float, float]]) -> str:
    """Return the first stretches in words, "…" for others, "nowhere" for none."""
    found = [between(*stretch) for stretch in stretches[:MOST_STRETCHES]]
    return ", ".join(found + ["…"] * (len(stretches) > MOST_STRETCHES)) or "nowhere"


class Curve(Protocol):
    """Anything with the coordinates of an ROC curve, such as `RocCurve`."""

    @property
    def fpr(self) -> FloatArray:
        """Non-decreasing false positive rates."""
        ...

    @property
    def tpr(self) -> FloatArray:
        """The true positive rates that go with them."""
        ...


def _check_values(at: FloatArray, value: FloatArray) -> None:
    """Refuse a curve without vertices, without a value for each of them, or with missing values."""
    if len(at) != len(value) or not len(at):
        raise ArgumentError(
            "curve",
            "have one value for each of at least two abscissae",
            f"{len(value)} values for {len(at)} abscissae",
            "Pass (at, value), two arrays of one length, from the start of the band to its end.",
        )
    if not (np.isfinite(at).all() and np.isfinite(value).all()):
        missing = int(np.count_nonzero(~(np.isfinite(at) & np.isfinite(value))))
        raise ArgumentError(
            "curve", "have finite coordinates", f"{missing} missing or infinite", "Drop or fill those first."
        )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Band(Inference):
    """A simultaneous confidence band for a whole curve: of rates, of costs, or of a difference of two.

    Attributes
    ----------
    quantity, at_name : str
        What is estimated, and over what: "tpr" over "fpr" for an ROC curve.
    at : ndarray of shape (g,)
        Non-decreasing abscissae; a repeated value is a jump of the curve or of one of the edges.
    estimate : ndarray of shape (g,)
        The empirical curve there.
    lower, upper : ndarray of shape (g,)
        The edges, linear between neighbouring abscissae.
    at_range : (float, float)
        Abscissae for which the band holds. Outside, the edges are the ends of what is possible: nothing is
        claimed there.
    confidence_level : float
        Probability that the band contains the whole true curve.
    method, guarantee, notes, kind
        As in `Inference`.

    See Also
    --------
    roc_band, confroc.cost_band : Make one.
    Intervals : Statements about one point at a time.
    """

    quantity: str = "tpr"
    at_name: str = "fpr"
    at: FloatArray
    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    at_range: tuple[float, float] = WHOLE
    kind: Kind = "simultaneous"

    def __len__(self) -> int:
        return len(self.at)

    def _columns(self) -> Mapping[str, Any]:
        return {self.at_name: self.at, self.quantity: self.estimate, "lower": self.lower, "upper": self.upper}

    def _shown(self, most: int | None) -> tuple[Mapping[str, Any], int | None]:
        """The edges at round abscissae, at a jump the outer ones."""
        if len(self) <= shown.MOST_ROWS:
            return super()._shown(most)
        places = np.array(ROUND) if self.at_range == WHOLE else np.linspace(*self.at_range, 6)
        estimate, lower, upper = (
            one_sided_limits(self.at, curve, places) for curve in (self.estimate, self.lower, self.upper)
        )
        return {
            self.at_name: places,
            self.quantity: estimate[1],
            "lower": np.minimum(*lower),
            "upper": np.maximum(*upper),
        }, None

    def _inside(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        x = np.asarray(self.at)
        first = int(np.searchsorted(x, self.at_range[0], side="right")) - 1
        last = int(np.searchsorted(x, self.at_range[1], side="left")) + 1
        part = slice(max(0, first), last)
        return x[part], self.lower[part], self.upper[part]

    @property
    def area(self) -> float:
        """Area between the two edges, over `at_range`."""
        x, low, high = self._inside()
        strips = np.empty(max(0, len(x) - 1))
        for start in range(0, len(strips), CHUNK):
            part = slice(start, start + CHUNK + 1)
            wide = high[part] - low[part]
            strips[start : start + CHUNK] = np.diff(x[part]) * (wide[1:] + wide[:-1]) / 2.0
        return float(strips.sum())

    @property
    def lower_vacuous_until(self) -> float:
        """Abscissa up to which the lower edge is zero, so that it is not informative for a rate."""
        x, low, _ = self._inside()
        positive = low > 0.0
        if not positive.any():
            return float(x[-1])
        first = int(positive.argmax())
        return float(x[first if first == 0 or x[first] == x[first - 1] else first - 1])

    @property
    def upper_vacuous_from(self) -> float:
        """Abscissa from which the upper edge is one, so that it is not informative for a rate."""
        x, _, high = self._inside()
        below = high < 1.0
        if not below.any():
            return float(x[0])
        last = len(below) - 1 - int(below[::-1].argmax())
        return float(x[min(last + 1, len(x) - 1)])

    def contains(
        self, curve: Curve | tuple[ArrayLike, ArrayLike] | Callable[[FloatArray], ArrayLike]
    ) -> bool:
        """Whether a curve lies inside the band everywhere.

        Parameters
        ----------
        curve : RocCurve, (at, value), or callable
            Vertices joined by straight lines (repeated abscissae are vertical steps), of which the first is
            at the start of `at_range` or before and the last at its end or beyond; or a continuous function
            of an array of abscissae, such as `BinormalModel.tpr`.

        Raises
        ------
        ArgumentError
            Missing values, abscissae that fall or leave the band's own, unequal numbers of abscissae and
            values, or a curve that does not reach over all of `at_range`: nothing is known of what lies
            beyond its ends.

        Notes
        -----
        Exact for polylines: curve and edges are linear between their joint abscissae, so the one-sided
        limits there decide. A callable is compared with the one-sided limits of the edges at all their
        joints, which decides wherever an edge is a step and the function only ever grows, and at seven
        points of each sloped stretch. Rounding of 1e-12 is forgiven.
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
        """Values of a polyline at the band's abscissae; of two where it jumps, the nearer to the estimate."""
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
                f"have {self.at_name} that never falls from one vertex to the next",
                float(x[1:][np.diff(x) < 0.0][0]),
                "Sort the vertices along the curve.",
            )
        if x[0] < domain[0] or x[-1] > domain[1]:
            rule = f"have {self.at_name} between {domain[0]:g} and {domain[1]:g}"
            remedy = (
                "Rates are shares, not percentages." if domain == WHOLE else "Leave out what lies beyond."
            )
            raise ArgumentError("curve", rule, found, remedy)
        if x[0] > first or x[-1] < last:
            rule = f"reach from {self.at_name} {first:g} to {last:g}, where the band is"
            raise ArgumentError(
                "curve", rule, found, "Add the vertices that lack, or make a band of that part."
            )
        return x, y

    def _places(self) -> FloatArray:
        """The joints of the edges, and seven points of each stretch on which an edge is sloped."""
        sloped = np.flatnonzero(
            (np.diff(self.at) > 0.0) & ((np.diff(self.lower) != 0.0) | (np.diff(self.upper) != 0.0))
        )
        share = np.arange(1, 8) / 8.0
        between = self.at[sloped, None] + share * (self.at[sloped + 1] - self.at[sloped])[:, None]
        places: FloatArray = np.union1d(np.unique(self.at), between.ravel())
        return places


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DifferenceBand(Band):
    """A simultaneous confidence band for the difference of two curves, a − b.

    Attributes
    ----------
    design : {"paired", "unpaired"}
        Whether both models scored the same cases.
    at, estimate, lower, upper, at_range, confidence_level, method, guarantee, notes, kind
        As in `Band`; rates differ by −1 to 1, and the edges are −1 and 1 outside `at_range`.

    See Also
    --------
    roc_difference_band : Makes one.
    Band : Of one curve.
    """

    design: Literal["paired", "unpaired"] = "paired"

    @property
    def area(self) -> float:
        """Area between the two edges, over `at_range`."""
        used = (self.at >= self.at_range[0]) & (self.at <= self.at_range[1])
        inner = used & (self.upper - self.lower < 2.0)
        return float(np.trapezoid((self.upper - self.lower)[inner], self.at[inner]))

    def _claims(self) -> list[str]:
        return [*super()._claims(), f"excludes zero for {self.at_name}: {_listed(self.different_at)}"]

    @property
    def different_at(self) -> tuple[tuple[float, float], ...]:
        """Stretches of the abscissa where the band leaves out zero, as (from, to)."""
        away = (self.lower > 0.0) | (self.upper < 0.0)
        turn = np.flatnonzero(np.diff(np.concatenate([[False], away, [False]]).astype(np.int8)))
        return tuple(
            (float(self.at[first]), float(self.at[last - 1]))
            for first, last in zip(turn[::2], turn[1::2], strict=True)
        )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CalibrationBand(Band):
    """A simultaneous confidence band for the probability of a positive given the score.

    Attributes
    ----------
    probabilities : bool
        Whether all scores lie in [0, 1], so that they can be compared with the diagonal; if not, the band is
        that of a risk curve, which has none.
    at, estimate, lower, upper, at_range, confidence_level, method, guarantee, notes, kind
        As in `Band`, over scores in increasing order. The edges are steps: a lower bound holds from its score
        upwards, an upper bound up to its score.

    See Also
    --------
    calibration_band : Makes one.
    """

    quantity: str = "probability"
    at_name: str = "score"
    probabilities: bool = True

    def at_score(self, score: ArrayLike) -> Intervals:
        """Return the estimate and the simultaneous bounds at scores.

        Parameters
        ----------
        score : float or array-like of shape (h,)
            Below the lowest score of the cases the lower bound is 0, above the highest the upper one 1.

        Raises
        ------
        ArgumentError
            Missing values.
        """
        at = check_threshold("score", score)
        estimate, lower, upper = self._values(at)
        return Intervals(
            quantity=self.quantity,
            at_name=self.at_name,
            at=at,
            estimate=estimate,
            lower=np.where(at < self.at[0], 0.0, lower),
            upper=np.where(at > self.at[-1], 1.0, upper),
            confidence_level=self.confidence_level,
            method=self.method,
            guarantee=self.guarantee,
            notes=self.notes,
            kind=self.kind,
        )

    def _values(self, at: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The estimate and the bounds at scores: at a step the closer of its two sides."""
        estimate, lower, upper = (
            one_sided_limits(self.at, curve, at) for curve in (self.estimate, self.lower, self.upper)
        )
        return estimate[1], np.maximum(*lower), np.minimum(*upper)

    def _shown(self, most: int | None) -> tuple[Mapping[str, Any], int | None]:
        """Bounds at the joints if these are few, else at round probabilities, or at scores among them."""
        places = np.unique(self.at)
        if len(places) > (shown.MOST_ROWS if most is None else most):
            spread = np.unique(np.quantile(self.at, np.arange(0.5, 8.0) / 8.0, method="nearest"))
            places = np.array(ROUND) if self.probabilities else spread
        names = (self.at_name, self.quantity, "lower", "upper")
        return dict(zip(names, (places, *self._values(places)), strict=True)), None

    def _claims(self) -> list[str]:
        if not self.probabilities:
            return super()._claims()
        return [*super()._claims(), f"calibration rejected at scores: {_listed(self.miscalibrated_at)}"]

    @property
    def calibrated(self) -> bool | None:
        """Whether the band contains the diagonal, so that the scores may be the probabilities themselves.

        None where the scores are no probabilities. True is no proof of calibration: with few cases the band
        contains much more than the diagonal.
        """
        return not self.miscalibrated_at if self.probabilities else None

    @property
    def miscalibrated_at(self) -> tuple[tuple[float, float], ...]:
        """Stretches of scores, as (from, to), at which the diagonal is outside; none for other scores.

        With probability `confidence_level` at least, no score of a calibrated model is in any of them.
        """
        if not self.probabilities:
            return ()
        run = np.diff(self.at) > 0.0
        start, stop = self.at[:-1][run], self.at[1:][run]
        found: list[tuple[float, float]] = []
        # Where a sloped or level piece of an edge is on the wrong side of the diagonal.
        for edge, side in ((self.lower, 1.0), (self.upper, -1.0)):
            first, last = side * (edge[:-1][run] - start), side * (edge[1:][run] - stop)
            wrong = (first > 1e-12) | (last > 1e-12)
            share = np.divide(first, first - last, out=np.zeros_like(first), where=first != last)
            crossing = start + np.clip(share, 0.0, 1.0) * (stop - start)
            begin, end = np.where(first > 0.0, start, crossing), np.where(last > 0.0, stop, crossing)
            found += zip(begin[wrong].tolist(), end[wrong].tolist(), strict=True)
        return tuple(_joined(found))


def _joined(stretches: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Put stretches that touch or overlap together, in order."""
    joined: list[tuple[float, float]] = []
    for begin, end in sorted(stretches):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined
