"""Rectangles in ROC space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from confroc._types import FloatArray
from confroc.results.base import Inference, percent
from confroc.results.intervals import Intervals


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Regions(Inference):
    """Rectangles in ROC space, one for each threshold (or each predicted-positive rate).

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
        As in `Inference`.

    See Also
    --------
    rates_at_threshold, rates_at_positive_rate : Make them.
    """

    at_name: str
    at: FloatArray
    fpr: Intervals
    tpr: Intervals
    joint: bool

    def __len__(self) -> int:
        return len(self.at)

    def _places(self) -> dict[str, Any]:
        return {self.at_name: self.at}

    def _sides(self) -> tuple[Intervals, ...]:
        return self.fpr, self.tpr

    def _heading(self) -> str:
        return f"{type(self).__name__}: {', '.join(side.quantity for side in self._sides())}"

    def _claims(self) -> list[str]:
        level, kind, *others = super()._claims()
        # One rectangle at a time; the words of `shown` would refer to each interval.
        sides = f"both intervals of a row together, each alone {percent(self.fpr.confidence_level)}"
        return [f"{level} for {sides if self.joint else 'each interval by itself'}", f"kind: {kind}", *others]

    def _columns(self) -> Mapping[str, Any]:
        columns = self._places()
        for side in self._sides():
            columns[side.quantity] = side.estimate
            columns[f"{side.quantity}_lower"] = side.lower
            columns[f"{side.quantity}_upper"] = side.upper
        return columns


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DifferenceRegions(Regions):
    """Rectangles for the differences a − b of two models' rates, one for each pair of thresholds or shares.

    Attributes
    ----------
    at : ndarray of shape (h,)
        Thresholds of model a, or its predicted-positive rate.
    at_b : ndarray of shape (h,)
        The same of model b.
    fpr, tpr : Intervals
        Differences of the rates, in [−1, 1].
    design : {"paired", "unpaired"}
    at_name, confidence_level, joint, method, guarantee, notes, kind
        As in `Regions`.

    See Also
    --------
    rates_difference_at_threshold, rates_difference_at_positive_rate : Make them.
    """

    at_b: FloatArray
    design: Literal["paired", "unpaired"]

    def _places(self) -> dict[str, Any]:
        return {f"{self.at_name}_a": self.at, f"{self.at_name}_b": self.at_b}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FlaggedRegions(Regions):
    """Rates at a given predicted-positive rate.

    Attributes
    ----------
    at : ndarray of shape (h,)
        The predicted-positive rate.
    flagged : ndarray of shape (h,)
        The number of the sample's cases that it stands for, whole or not.
    fpr, tpr : Intervals
    precision : Intervals
        Share of positives among the cases predicted positive.
    at_name, confidence_level, joint, method, guarantee, notes, kind
        As in `Regions`.

    See Also
    --------
    rates_at_positive_rate : Makes them.
    """

    flagged: FloatArray
    precision: Intervals

    def _sides(self) -> tuple[Intervals, ...]:
        return self.fpr, self.tpr, self.precision
