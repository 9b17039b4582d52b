"""A confidence interval for one number, for a difference of two, and pointwise ones over a grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from numpy.typing import NDArray

from confroc._types import FloatArray
from confroc.results.base import ConfidenceInterval, Inference
from confroc.results.shown import pvalue, visible


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Interval(Inference):
    """A confidence interval for one number.

    Attributes
    ----------
    quantity : str
        What is estimated, e.g. "auc".
    estimate, lower, upper : float
    standard_error : float
        NaN for methods that do not use one.
    confidence_level, method, guarantee, notes, kind
        As in `Inference`.

    See Also
    --------
    auc_interval : Makes one.
    Intervals : The same over a grid.
    """

    quantity: str
    estimate: float
    lower: float
    upper: float
    standard_error: float

    @property
    def confidence_interval(self) -> ConfidenceInterval:
        """The two ends as `(low, high)`."""
        return ConfidenceInterval(self.lower, self.upper)

    def _sentence(self) -> str:
        return (
            f"{visible(self.quantity)} {self.estimate:.4f} ({self._level()} "
            f"{self.lower:.4f} to {self.upper:.4f}; {self.method})"
        )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Difference(Interval):
    """The difference a − b of two models, with its interval and a test of no difference.

    Attributes
    ----------
    quantity : str
        E.g. "auc_a - auc_b".
    estimate, lower, upper, standard_error : float
    statistic, pvalue : float
        Of the two-sided test that the difference is zero.
    least_pvalue : float
        The smallest p-value that the resamples can show, printed with "≤"; 0 for closed forms.
    design : {"paired", "partially_paired", "unpaired"}
        Whether both models scored the same cases, only some of them, or none.
    alternative : {"two-sided", "less", "greater", "non-inferiority", "equivalence"}
        What `pvalue` is evidence for. With "less" the interval is open below, with "greater" and
        "non-inferiority" above: that end is the bound of the difference.
    margin : float or None
        The smallest difference that matters, for the last two.
    confidence_level, method, guarantee, notes, kind
        As in `Inference`; `confidence_level` is that of the interval as it stands.

    See Also
    --------
    auc_difference : Makes one.
    """

    statistic: float
    pvalue: float
    least_pvalue: float = 0.0
    design: Literal["paired", "partially_paired", "unpaired"]
    alternative: Literal["two-sided", "less", "greater", "non-inferiority", "equivalence"] = "two-sided"
    margin: float | None = None

    def _sentence(self) -> str:
        aim = "" if self.alternative == "two-sided" else f", {self.alternative}"
        aim += "" if self.margin is None else f" within {self.margin:g}"
        return (
            f"{visible(self.quantity)} {self.estimate:+.4f} "
            f"({self._level()} {self.lower:+.4f} to {self.upper:+.4f}, "
            f"{pvalue(self.pvalue, self.least_pvalue)}; {self.method}, {self.design.replace('_', ' ')}{aim})"
        )


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Intervals(Inference):
    """Pointwise confidence intervals over a grid.

    Attributes
    ----------
    quantity, at_name : str
        What is estimated, and what `at` holds, e.g. "tpr" and "fpr".
    at : ndarray of shape (h,)
        The abscissae really used; for a table by model or group, the names.
    estimate, lower, upper : ndarray of shape (h,)
    threshold : ndarray of shape (h,), optional
        The threshold at which one model's scores have the rate given in `at`.
    confidence_level : float
        Of each interval by itself.
    method, guarantee, notes, kind
        As in `Inference`.

    See Also
    --------
    tpr_at_fpr, fpr_at_tpr, tpr_difference_at_fpr : Make them.
    Band : A statement about the whole curve.
    """

    quantity: str
    at_name: str
    at: NDArray[Any]
    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    threshold: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.at)

    def _columns(self) -> Mapping[str, Any]:
        return {self.at_name: self.at, self.quantity: self.estimate, "lower": self.lower, "upper": self.upper}
