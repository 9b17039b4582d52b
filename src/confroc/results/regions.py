"""Rectangles in ROC space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from confroc._types import FloatArray
from confroc.results.base import Guarantee, Kind, Result, read_only
from confroc.results.interval import Intervals

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from confroc import plot


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
