"""Frozen results: what every inference function returns.

A result holds numbers and says where they come from: `method`, `confidence_level`, `kind` (is the
statement about one point at a time or about all at once?) and `guarantee` (what the level rests on).
It turns itself into a plain dict, a data frame or a picture, and imports the libraries for that only
when asked.

Guarantees
----------
finite-sample
    Coverage is at least the level for every sample size, by proof.
asymptotic
    Coverage tends to the level as both classes grow.
bootstrap
    As asymptotic, through the bootstrap's own approximation of the sampling law.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from confroc import plot

FloatArray: TypeAlias = NDArray[np.float64]
Kind: TypeAlias = Literal["pointwise", "simultaneous"]
Guarantee: TypeAlias = Literal["finite-sample", "asymptotic", "bootstrap"]
Backend: TypeAlias = Literal["pandas", "polars", "pyarrow"]

FRAME_BACKENDS: tuple[Backend, ...] = ("pandas", "polars", "pyarrow")


class ConfidenceInterval(NamedTuple):
    """The two ends of an interval, named as in SciPy."""

    low: float
    high: float


def read_only(array: ArrayLike, dtype: Any = np.float64) -> NDArray[Any]:
    """Return a view of the values that refuses to be written to."""
    values = np.asarray(array, dtype=dtype).view()
    values.flags.writeable = False
    return values


def frame(columns: Mapping[str, Any], backend: Backend | None = None) -> Any:
    """Return a data frame of the chosen library, or of the first one that is installed."""
    import importlib.util

    import narwhals

    names: tuple[Backend, ...] = FRAME_BACKENDS if backend is None else (backend,)
    for name in names:
        if importlib.util.find_spec(name) is not None:
            return narwhals.from_dict(dict(columns), backend=name).to_native()
    raise ImportError(
        f"`to_frame` needs one of {', '.join(names)}; none is installed. "
        f"Run `pip install {names[0]}`, or use `.to_dict()`."
    )


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    return value.item() if isinstance(value, np.generic) else value


class Result:
    """What all results share."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values, nested where the result is."""
        return {f.name: _plain(getattr(self, f.name)) for f in fields(self)}  # type: ignore[arg-type]

    def _columns(self) -> Mapping[str, Any]:
        raise NotImplementedError  # pragma: no cover

    def to_frame(self, backend: Backend | None = None) -> Any:
        """Return the result as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Library to use; by default the first of these that is installed.

        Raises
        ------
        ImportError
            When no such library is installed.
        """
        return frame(self._columns(), backend)


def _percent(level: float) -> str:
    return f"{100 * level:.10g} %"


@dataclass(frozen=True, kw_only=True)
class Interval(Result):
    """A confidence interval for one number.

    Attributes
    ----------
    quantity : str
        What is estimated, e.g. "auc".
    estimate, lower, upper : float
    standard_error : float
        NaN for methods that do not use one.
    confidence_level : float
    method : str
        The method that made the interval (after any fallback named in `notes`).
    guarantee : {"finite-sample", "asymptotic", "bootstrap"}
    notes : tuple of str
        Sentences the reader should see with the number.
    kind : {"pointwise", "simultaneous"}
    """

    quantity: str
    estimate: float
    lower: float
    upper: float
    standard_error: float
    confidence_level: float
    method: str
    guarantee: Guarantee
    notes: tuple[str, ...] = ()
    kind: Kind = "pointwise"

    @property
    def confidence_interval(self) -> ConfidenceInterval:
        """The two ends as `(low, high)`."""
        return ConfidenceInterval(self.lower, self.upper)

    def _columns(self) -> Mapping[str, Any]:
        return {k: [v] for k, v in self.to_dict().items() if k != "notes"}

    def __str__(self) -> str:
        return (
            f"{self.quantity} {self.estimate:.4f} ({_percent(self.confidence_level)} interval "
            f"{self.lower:.4f} to {self.upper:.4f}; {self.method})"
        )

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> plot.IntervalDisplay:
        """Draw the interval as a bar; see `confroc.plot.IntervalDisplay`."""
        from confroc.plot import IntervalDisplay

        return IntervalDisplay([self]).plot(ax=ax, **kwargs)


@dataclass(frozen=True, kw_only=True, eq=False)
class Intervals(Result):
    """Pointwise confidence intervals over a grid.

    Attributes
    ----------
    quantity, at_name : str
        What is estimated, and what `at` holds, e.g. "tpr" and "fpr".
    at : ndarray of shape (h,)
        The abscissae really used.
    estimate, lower, upper : ndarray of shape (h,)
    confidence_level : float
        Of each interval by itself.
    method, guarantee, notes, kind
        As in `Interval`.
    """

    quantity: str
    at_name: str
    at: FloatArray
    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    confidence_level: float
    method: str
    guarantee: Guarantee
    notes: tuple[str, ...] = ()
    kind: Kind = "pointwise"

    def __post_init__(self) -> None:
        for name in ("at", "estimate", "lower", "upper"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    def __len__(self) -> int:
        return len(self.at)

    def _columns(self) -> Mapping[str, Any]:
        return {
            self.at_name: self.at,
            self.quantity: self.estimate,
            "lower": self.lower,
            "upper": self.upper,
        }

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> plot.IntervalsDisplay:
        """Draw the intervals against `at`; see `confroc.plot.IntervalsDisplay`."""
        from confroc.plot import IntervalsDisplay

        return IntervalsDisplay(self).plot(ax=ax, **kwargs)


@dataclass(frozen=True, kw_only=True, eq=False)
class Regions(Result):
    """Rectangles in ROC space, one for each threshold (or each fraction flagged).

    Attributes
    ----------
    at_name : str
        What `at` holds: "threshold" or "positive_rate".
    at : ndarray of shape (h,)
    fpr, tpr : Intervals
        One interval on each axis. With `joint` each has level √confidence_level.
    confidence_level : float
        Of each rectangle when `joint`, of each side by itself otherwise.
    joint : bool
    method, guarantee, notes, kind
        As in `Interval`.
    """

    at_name: str
    at: FloatArray
    fpr: Intervals
    tpr: Intervals
    confidence_level: float
    joint: bool
    method: str
    guarantee: Guarantee
    notes: tuple[str, ...] = ()
    kind: Kind = "pointwise"

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", read_only(self.at))

    def __len__(self) -> int:
        return len(self.at)

    def _columns(self) -> Mapping[str, Any]:
        columns: dict[str, Any] = {self.at_name: self.at}
        for side in (self.fpr, self.tpr):
            columns[side.quantity] = side.estimate
            columns[f"{side.quantity}_lower"] = side.lower
            columns[f"{side.quantity}_upper"] = side.upper
        return columns

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> plot.RegionsDisplay:
        """Draw the rectangles in ROC space; see `confroc.plot.RegionsDisplay`."""
        from confroc.plot import RegionsDisplay

        return RegionsDisplay(self).plot(ax=ax, **kwargs)


@dataclass(frozen=True, kw_only=True, eq=False)
class DifferenceRegions(Regions):
    """Rectangles for the differences a − b of two models' rates, one for each pair of thresholds.

    Attributes
    ----------
    at : ndarray of shape (h,)
        Thresholds of model a.
    at_b : ndarray of shape (h,)
        Thresholds of model b.
    fpr, tpr : Intervals
        Differences of the rates, in [−1, 1].
    design : {"paired", "unpaired"}
    at_name, confidence_level, joint, method, guarantee, notes, kind
        As in `Regions`.
    """

    at_b: FloatArray
    design: Literal["paired", "unpaired"]

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "at_b", read_only(self.at_b))

    def _columns(self) -> Mapping[str, Any]:
        columns = dict(super()._columns())
        return {f"{self.at_name}_a": columns.pop(self.at_name), f"{self.at_name}_b": self.at_b, **columns}


@dataclass(frozen=True, kw_only=True, eq=False)
class FlaggedRegions(Regions):
    """Rates when a given fraction of the cases is flagged.

    Attributes
    ----------
    at : ndarray of shape (h,)
        The fraction r/m really flagged.
    flagged : ndarray of int, shape (h,)
        The number r of cases flagged.
    fpr, tpr : Intervals
    precision : Intervals
        Share of positives among the flagged cases.
    at_name, confidence_level, joint, method, guarantee, notes, kind
        As in `Regions`.
    """

    flagged: NDArray[np.int64]
    precision: Intervals

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "flagged", read_only(self.flagged, np.int64))

    def _columns(self) -> Mapping[str, Any]:
        side = self.precision
        return {
            **super()._columns(),
            "precision": side.estimate,
            "precision_lower": side.lower,
            "precision_upper": side.upper,
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class Dominance(Result):
    """Probabilities that one model is better than the other on both axes at once.

    Attributes
    ----------
    threshold_a, threshold_b : ndarray of shape (h,)
    a_over_b : ndarray of shape (h,)
        Probability that a has no more false positives and no fewer true positives than b, and is strictly
        better on at least one axis.
    b_over_a : ndarray of shape (h,)
    design : {"paired", "unpaired"}
    method, guarantee, notes, kind
        As in `Interval`.
    """

    threshold_a: FloatArray
    threshold_b: FloatArray
    a_over_b: FloatArray
    b_over_a: FloatArray
    design: Literal["paired", "unpaired"]
    method: str
    guarantee: Guarantee
    notes: tuple[str, ...] = ()
    kind: Kind = "pointwise"

    def __post_init__(self) -> None:
        for name in ("threshold_a", "threshold_b", "a_over_b", "b_over_a"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    def __len__(self) -> int:
        return len(self.threshold_a)

    def _columns(self) -> Mapping[str, Any]:
        return {name: getattr(self, name) for name in ("threshold_a", "threshold_b", "a_over_b", "b_over_a")}


@dataclass(frozen=True, kw_only=True)
class Difference(Result):
    """The difference a − b of two models, with its interval and a test of no difference.

    Attributes
    ----------
    quantity : str
        E.g. "auc_a - auc_b".
    estimate, lower, upper, standard_error : float
    statistic, pvalue : float
        Of the two-sided test that the difference is zero.
    design : {"paired", "unpaired"}
    confidence_level, method, guarantee, notes, kind
        As in `Interval`.
    """

    quantity: str
    estimate: float
    lower: float
    upper: float
    standard_error: float
    statistic: float
    pvalue: float
    design: Literal["paired", "unpaired"]
    confidence_level: float
    method: str
    guarantee: Guarantee
    notes: tuple[str, ...] = ()
    kind: Kind = "pointwise"

    @property
    def confidence_interval(self) -> ConfidenceInterval:
        """The two ends as `(low, high)`."""
        return ConfidenceInterval(self.lower, self.upper)

    def _columns(self) -> Mapping[str, Any]:
        return {k: [v] for k, v in self.to_dict().items() if k != "notes"}

    def __str__(self) -> str:
        return (
            f"{self.quantity} {self.estimate:+.4f} "
            f"({_percent(self.confidence_level)} interval {self.lower:+.4f} to {self.upper:+.4f}, "
            f"p = {self.pvalue:.4g}; {self.method}, {self.design})"
        )

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> plot.IntervalDisplay:
        """Draw the interval with a line at zero; see `confroc.plot.IntervalDisplay`."""
        from confroc.plot import IntervalDisplay

        return IntervalDisplay([self], reference=0.0).plot(ax=ax, **kwargs)


class Curve(Protocol):
    """Anything with the coordinates of an ROC curve, such as `RocCurve`."""

    @property
    def fpr(self) -> FloatArray: ...
    @property
    def tpr(self) -> FloatArray: ...


def one_sided_limits(x: FloatArray, y: FloatArray, at: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Left and right limits at `at` of the polyline through (x, y); repeated x are jumps.

    `x` is non-decreasing. Outside its range the polyline continues with its end values.
    """
    left, right = (
        _limit(x, y, at, np.searchsorted(x, at, side="left")),
        _limit(x, y, at, np.searchsorted(x, at, side="right")),
    )
    return left, right


def _limit(x: FloatArray, y: FloatArray, at: FloatArray, j: NDArray[np.intp]) -> FloatArray:
    # The segment that ends at knot j and starts at knot j-1 is the one approached from that side.
    b, a = np.clip(j, 0, len(x) - 1), np.clip(j - 1, 0, len(x) - 1)
    run = x[b] - x[a]
    share = np.divide(at - x[a], run, out=np.zeros_like(at), where=run > 0.0)
    # An exact end keeps its exact ordinate.
    value: FloatArray = np.where(share >= 1.0, y[b], y[a] + share * (y[b] - y[a]))
    return value


@dataclass(frozen=True, kw_only=True, eq=False)
class Band(Result):
    """A simultaneous confidence band for a whole ROC curve.

    Attributes
    ----------
    fpr : ndarray of shape (g,)
        Non-decreasing abscissae from 0 to 1; a repeated value is a jump of one of the edges.
    lower, upper : ndarray of shape (g,)
        The edges, linear between neighbouring abscissae, inside [0, 1].
    tpr : ndarray of shape (g,)
        The empirical curve on the same abscissae.
    confidence_level : float
        Probability that the band holds the whole true curve.
    method, guarantee, notes, kind
        As in `Interval`.
    """

    fpr: FloatArray
    tpr: FloatArray
    lower: FloatArray
    upper: FloatArray
    confidence_level: float
    method: str
    guarantee: Guarantee
    notes: tuple[str, ...] = ()
    kind: Kind = "simultaneous"

    def __post_init__(self) -> None:
        for name in ("fpr", "tpr", "lower", "upper"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    def _columns(self) -> Mapping[str, Any]:
        return {"fpr": self.fpr, "tpr": self.tpr, "lower": self.lower, "upper": self.upper}

    @property
    def area(self) -> float:
        """Area between the two edges."""
        return float(np.trapezoid(self.upper - self.lower, self.fpr))

    def contains(self, curve: Curve | tuple[ArrayLike, ArrayLike]) -> bool:
        """Whether a curve lies inside the band everywhere.

        Parameters
        ----------
        curve : RocCurve, or (fpr, tpr)
            Joined by straight lines, as ROC curves are; repeated fpr are vertical steps.

        Notes
        -----
        Exact: curve and edges are linear between their joint abscissae, so the one-sided limits there
        decide. Rounding of 1e-12 is forgiven.
        """
        x, y = curve if isinstance(curve, tuple) else (curve.fpr, curve.tpr)
        x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        at = np.union1d(x, self.fpr)
        inside = True
        sides = zip(
            one_sided_limits(x, y, at),
            one_sided_limits(self.fpr, self.lower, at),
            one_sided_limits(self.fpr, self.upper, at),
            strict=True,
        )
        for value, low, high in sides:
            inside &= bool(((value >= low - 1e-12) & (value <= high + 1e-12)).all())
        return inside

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> plot.BandDisplay:
        """Draw the curve inside its band; see `confroc.plot.BandDisplay`."""
        from confroc.plot import BandDisplay

        return BandDisplay(self).plot(ax=ax, **kwargs)


__all__ = [
    "Band",
    "ConfidenceInterval",
    "Difference",
    "DifferenceRegions",
    "Dominance",
    "FlaggedRegions",
    "Guarantee",
    "Interval",
    "Intervals",
    "Kind",
    "Regions",
]
