"""A confidence interval for one number, and pointwise ones over a grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from confroc._types import FloatArray
from confroc.results.base import ConfidenceInterval, Guarantee, Kind, Result, percent, read_only

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from confroc import plot


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
            f"{self.quantity} {self.estimate:.4f} ({percent(self.confidence_level)} interval "
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
