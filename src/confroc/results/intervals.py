"""Confidence intervals for one number, for a difference or ratio, and pointwise over a grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from numpy.typing import NDArray

from confroc._types import FloatArray
from confroc.results.base import ConfidenceInterval, Inference, Plottable, level_words
from confroc.results.shown import cell, evenly, pvalue, visible


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Interval(Plottable, Inference):
    """A confidence interval for one number.

    Attributes
    ----------
    quantity : str
        What is estimated, e.g. "auc".
    estimate, lower, upper : float
    standard_error : float
        NaN for methods that do not use one.
    design_effect : float, optional
        Of weighted, clustered or stratified cases: the variance over that of as many independent ones.
    threshold, threshold_lower, threshold_upper : float, optional
        The threshold to which the value belongs, e.g. of a rate at another rate, and the ends of its interval
        where the result has one.
    confidence_level, method, guarantee, notes, kind
        As in `Inference`.

    See Also
    --------
    auc_interval : Returns one.
    Intervals : Pointwise intervals over a grid.
    """

    _sparse = True
    _noun: ClassVar[str] = "CI"
    _sign: ClassVar[str] = ""
    """Whether plus signs are printed."""
    quantity: str
    estimate: float
    lower: float
    upper: float
    standard_error: float
    design_effect: float | None = None
    threshold: float | None = None
    threshold_lower: float | None = None
    threshold_upper: float | None = None

    @property
    def confidence_interval(self) -> ConfidenceInterval:
        """The limits as `(low, high)`."""
        return ConfidenceInterval(self.lower, self.upper)

    def _sentence(self) -> str:
        estimate, lower, upper = (f"{x:{self._sign}.4f}" for x in (self.estimate, self.lower, self.upper))
        together = "simultaneous " if self.kind == "simultaneous" else ""
        level = level_words(self.confidence_level, f"{together}{self._noun}")
        value = f"{visible(self.quantity)} {estimate} ({level} {lower} to {upper}{self._origin()})"
        names = ("threshold", "threshold_a", "threshold_b")
        known = [at for name in names if (at := getattr(self, name, None)) is not None]
        ends = [at for at in (self.threshold_lower, self.threshold_upper) if at is not None and at == at]
        # A threshold and the set of best ones have the same decimals.
        shown = evenly([*known, *ends]) if ends else [*map(cell, known)]
        at, between = " and ".join(shown[: len(known)]), " to ".join(shown[len(known) :])
        value += f" at threshold{'s' * (len(known) > 1)} {at}" if known else ""
        return value + (f" ({between})" if ends else "")

    def _origin(self) -> str:
        """The method, and for a difference the design, for the sentence."""
        design = (getattr(self, "design", None) or "").replace("_", " ")
        return f"; {self.method}, {design}" if design else f"; {self.method}"


def label_of_two(quantity: str, a: str, b: str, sign: str = "-") -> str:
    """Name a quantity of two models, e.g. "auc_new - auc_old" or "auc_new - auc_old [max_fpr=0.1]"."""
    name, bracket, part = quantity.partition("[")
    return f"{name}_{a} {sign} {name}_{b}" + (f" [{part}" if bracket else "")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Difference(Interval):
    """The difference a − b of two models, with its interval and a test of no difference.

    Attributes
    ----------
    quantity : str
        E.g. "auc_a - auc_b".
    estimate, lower, upper, standard_error : float
    statistic, pvalue : float
        Test statistic and p-value for zero difference.
    least_pvalue : float
        The smallest p-value possible with these resamples, printed with "≤"; 0 for closed forms.
    design : {"paired", "partially_paired", "unpaired"}
        Whether the models scored the same cases, some common cases, or none.
    alternative : {"two-sided", "less", "greater", "non-inferiority", "equivalence"}
        Alternative hypothesis of `pvalue`. One-sided intervals have the minimum of the difference as `lower`
        ("less") or its maximum as `upper` ("greater", "non-inferiority"). That for "equivalence" is
        two-sided, with level 90% for tests at 5%.
    margin : float or None
        The smallest difference that matters, for the last two.
    threshold_a, threshold_b : float, optional
        The threshold of each model to which its value belongs.
    confidence_level, method, guarantee, notes, kind
        As in `Inference`; `confidence_level` is that of the interval shown.

    See Also
    --------
    auc_difference : Returns one.
    """

    _sign = "+"
    statistic: float
    pvalue: float
    least_pvalue: float = 0.0
    design: Literal["paired", "partially_paired", "unpaired"]
    alternative: Literal["two-sided", "less", "greater", "non-inferiority", "equivalence"] = "two-sided"
    margin: float | None = None
    threshold_a: float | None = None
    threshold_b: float | None = None

    def _origin(self) -> str:
        aim = "" if self.alternative == "two-sided" else f", {self.alternative}"
        aim += "" if self.margin is None else f" within {self.margin:g}"
        return f", {pvalue(self.pvalue, self.least_pvalue)}{super()._origin()}{aim}"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Ratio(Interval):
    """The ratio a / b of two models, with its interval and a test of the ratio 1.

    Attributes
    ----------
    quantity : str
        E.g. "ppv_a / ppv_b".
    estimate, lower, upper : float
    standard_error : float
        Standard error of the log ratio.
    statistic, pvalue : float
        Test statistic and p-value for ratio 1.
    least_pvalue : float
        The smallest p-value possible with these resamples, printed with "≤"; 0 for closed forms.
    design : {"paired", "unpaired"}
    alternative : {"two-sided", "less", "greater"}
        What `pvalue` is evidence for. With "less" the interval is open below, with "greater" above.
    threshold_a, threshold_b : float, optional
        The threshold of each model to which its value belongs.
    confidence_level, method, guarantee, notes, kind
        As in `Inference`.

    See Also
    --------
    ratio : Returns one.
    """

    statistic: float
    pvalue: float
    least_pvalue: float = 0.0
    design: Literal["paired", "unpaired"]
    alternative: Literal["two-sided", "less", "greater"] = "two-sided"
    threshold_a: float | None = None
    threshold_b: float | None = None

    def _origin(self) -> str:
        aim = "" if self.alternative == "two-sided" else f", {self.alternative}"
        return f", {pvalue(self.pvalue, self.least_pvalue)}{super()._origin()}{aim}"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Intervals(Plottable, Inference):
    """Pointwise confidence intervals over a grid.

    Attributes
    ----------
    quantity, at_name : str
        The quantity and the abscissa, e.g. "tpr" and "fpr".
    at : ndarray of shape (h,)
        The abscissae used; for a table by model or group, the names.
    estimate, lower, upper : ndarray of shape (h,)
    pvalue : ndarray of shape (h,), optional
        For a difference, if the method has a test: two-sided, below 1 − `confidence_level` exactly where the
        interval excludes 0.
    threshold : ndarray of shape (h,), optional
        The threshold at which one model's scores have the rate given in `at`; in a table by model, each
        model's.
    threshold_a, threshold_b : ndarray of shape (h,), optional
        Of a difference, those of both models.
    confidence_level : float
        Level of each interval.
    method, guarantee, notes, kind
        As in `Inference`.

    See Also
    --------
    tpr_at_fpr, fpr_at_tpr, tpr_difference_at_fpr : Return them.
    Band : Simultaneous confidence band.
    """

    _sparse = True
    quantity: str
    at_name: str
    at: NDArray[Any]
    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    pvalue: FloatArray | None = None
    threshold: FloatArray | None = None
    threshold_a: FloatArray | None = None
    threshold_b: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.at)
