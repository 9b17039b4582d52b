"""Two models: the difference of one number, and which is better on both axes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from confroc._types import FloatArray
from confroc.results.base import ConfidenceInterval, Guarantee, Kind, Result, percent, read_only

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from confroc import plot


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
    design : {"paired", "partially_paired", "unpaired"}
        Whether both models scored the same cases, only some of them, or none.
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
    design: Literal["paired", "partially_paired", "unpaired"]
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
            f"({percent(self.confidence_level)} interval {self.lower:+.4f} to {self.upper:+.4f}, "
            f"p = {self.pvalue:.4g}; {self.method}, {self.design.replace('_', ' ')})"
        )

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> plot.IntervalDisplay:
        """Draw the interval with a line at zero; see `confroc.plot.IntervalDisplay`."""
        from confroc.plot import IntervalDisplay

        return IntervalDisplay([self], reference=0.0).plot(ax=ax, **kwargs)
