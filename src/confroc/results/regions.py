"""Rectangles in ROC space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from confroc._types import FloatArray
from confroc.results.base import Inference, Plottable, percent
from confroc.results.intervals import Intervals


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Regions(Plottable, Inference):
    """Confidence rectangles in ROC space, one per threshold or predicted-positive rate, of one or two models.

    Attributes
    ----------
    at_name : str
        "threshold" or "positive_rate".
    at : ndarray of shape (h,)
        Thresholds or rates; for a difference, those of model a.
    at_b : ndarray of shape (h,), optional
        For a difference a − b, those of model b.
    fpr, tpr : Intervals
        One interval per axis, in [−1, 1] for a difference. With `joint` each has level √confidence_level.
    precision : Intervals, optional
        At a predicted-positive rate: the positive predictive value.
    flagged : ndarray of shape (h,), optional
        Number of cases predicted positive in the sample, possibly fractional.
    confidence_level : float
        Level of each rectangle if `joint`, else of each interval.
    joint : bool
    design : {"paired", "unpaired"}, optional
        For a difference.
    method, guarantee, notes, kind
        As in `Inference`.

    See Also
    --------
    rates_at_threshold, rates_at_positive_rate : Return them.
    rates_difference_at_threshold, rates_difference_at_positive_rate : Regions of differences.
    """

    _sparse = True
    at_name: str
    at: FloatArray
    fpr: Intervals
    tpr: Intervals
    joint: bool
    precision: Intervals | None = None
    flagged: FloatArray | None = None
    at_b: FloatArray | None = None
    design: Literal["paired", "unpaired"] | None = None

    def __len__(self) -> int:
        return len(self.at)

    @property
    def threshold(self) -> FloatArray | None:
        """The thresholds of one model; those of two are `fpr.threshold_a` and `fpr.threshold_b`."""
        return self.at if self.at_name == "threshold" and self.at_b is None else self.fpr.threshold

    def _sides(self) -> tuple[Intervals, ...]:
        return (self.fpr, self.tpr) if self.precision is None else (self.fpr, self.tpr, self.precision)

    def _heading(self) -> str:
        return f"{self._title}: {', '.join(side.quantity for side in self._sides())}"

    def _claims(self) -> list[str]:
        # Pointwise refers to rectangles here, not to intervals.
        level, kind, *others = super()._claims()
        joint = f": joint region in each row ({percent(self.fpr.confidence_level)} per rate)"
        return [f"{level} {kind}{joint if self.joint else ' for each rate'}", *others]

    def _interval_words(self) -> str:
        return self.fpr._interval_words()

    def _columns(self) -> Mapping[str, Any]:
        columns = {self.at_name: self.at}
        if self.at_b is not None:
            columns = {f"{self.at_name}_a": self.at, f"{self.at_name}_b": self.at_b}
        for side in self._sides():
            columns[side.quantity] = side.estimate
            columns[f"{side.quantity}_lower"] = side.lower
            columns[f"{side.quantity}_upper"] = side.upper
        thresholds = {name: getattr(self.fpr, name) for name in ("threshold", "threshold_a", "threshold_b")}
        return columns | {name: at for name, at in thresholds.items() if at is not None}
