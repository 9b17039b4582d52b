"""Rates at a threshold, at a false or true positive rate, or at a predicted-positive rate."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import check_rate, check_threshold, rate_counts
from confroc._types import BoolArray, Ends, FloatArray, Sampling
from confroc.base import Statistic
from confroc.curve import curve_of
from confroc.exact.positive_rate import expected_found
from confroc.influence import centered
from confroc.resample import check_sampling
from confroc.scores import CountTable, Scores, errors_of
from confroc.scores.counting import counts_at, rows_of_cases

T = TypeVar("T")
INTERPOLATED = "The rate is interpolated between tied scores; no threshold attains it."
LOWER_ZERO = "The lower limit is zero (uninformative) at false positive rates up to "


@dataclass(frozen=True, eq=False)
class AtPlaces(Statistic):
    """A statistic at one place or several."""

    monotone: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _ = self.places

    @property
    def places(self) -> FloatArray:
        """The places, in an array of shape (h,)."""
        raise NotImplementedError

    given: ClassVar[str]
    """Name of the field that holds the places."""

    @property
    def place(self) -> ArrayLike:
        """The places as given: a number or an array."""
        found: ArrayLike = getattr(self, self.given)
        return found

    @property
    def at(self) -> Any:
        """Name and values of the abscissae."""
        return self.given, self.places

    @property
    def is_number(self) -> bool:
        """Whether the value is a number, not an array."""
        return np.ndim(self.place) == 0

    def at_place(self, i: int) -> AtPlaces:
        """Return the statistic at one of its places, as an array of length 1."""
        return replace(self, **{self.given: self.places[i : i + 1]})

    def shaped(self, values: FloatArray) -> Any:
        """Return a number if the place is a number."""
        return float(values[0]) if np.ndim(self.place) == 0 else values

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return False
        return all(np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))

    def __hash__(self) -> int:
        return hash((type(self), self.places.tobytes()))


@dataclass(frozen=True, eq=False)
class RatesAtThreshold(AtPlaces):
    """False and true positive rate at a threshold; cases with score >= threshold are predicted positive.

    Parameters
    ----------
    threshold : float or array-like of shape (h,)
        Thresholds that were not chosen on the table.
    """

    threshold: ArrayLike

    rates: ClassVar[tuple[str, ...]] = ("fpr", "tpr")
    given: ClassVar[str] = "threshold"
    is_number: ClassVar[bool] = False
    separate: ClassVar[bool] = True
    name: ClassVar[str] = "rates_at_threshold"
    title: ClassVar[str] = "True and false positive rate at a threshold"
    default_method: ClassVar[str] = "agresti_coull"
    default_difference: ClassVar[str] = "bonett_price"

    @functools.cached_property
    def places(self) -> FloatArray:
        """The thresholds, in an array of shape (h,)."""
        return check_threshold("threshold", self.threshold)

    def value(self, table: Scores) -> FloatArray:
        """Return both rates at each threshold, shape (2, h)."""
        above = counts_at(table, self.places)
        return np.stack([above.neg / table.n_neg, above.pos / table.n_pos])

    def influence(self, table: Scores) -> tuple[FloatArray, FloatArray]:
        """Return whether a case is predicted positive, centered in each class, shape (2, h, d)."""
        fpr, tpr = self.value(table)
        called = (table.score >= self.places[:, None]).astype(np.float64)
        none = np.zeros_like(called)
        return np.stack([none, called - tpr[:, None]]), np.stack([called - fpr[:, None], none])


@dataclass(frozen=True, eq=False)
class RateAtRate(AtPlaces):
    """Base class of one rate at a value of the other.

    Methods are for the true positive rate at a false positive rate. For the reverse, `turned` returns the
    sample with exchanged classes.
    """

    regular: ClassVar[bool] = False
    separate: ClassVar[bool] = True
    default_method: ClassVar[str] = "beta_mixture"
    default_difference: ClassVar[str] = "beta_mixture"
    given: ClassVar[Literal["fpr", "tpr"]]
    wanted: ClassVar[Literal["fpr", "tpr"]]

    @functools.cached_property
    def places(self) -> FloatArray:
        """The given rates, in an array of shape (h,)."""
        return check_rate(self.given, self.place)

    @property
    def label(self) -> str:
        """Name in results."""
        return self.wanted

    @property
    def certain(self) -> BoolArray:
        """Rates at which the answer is certain: 1 at FPR 1, and 0 at TPR 0."""
        return np.asarray(self.places == (1.0 if self.given == "fpr" else 0.0))

    @property
    def asked(self) -> FloatArray:
        """The given rates, replaced by a valid one where the answer is certain."""
        return np.where(self.certain, 1.0, self.places)

    def of_classes(self, table: Scores) -> tuple[FloatArray, FloatArray]:
        """Return whether a case is above the threshold, centered in each class, shape (h, d)."""
        return _called(table, self.nearest(table))

    def turned(self, table: Scores) -> Scores:
        """Return the sample with exchanged classes for a false positive rate at a true one."""
        return table if self.given == "fpr" else exchanged(table)

    def oriented(self, of_classes: tuple[T, T]) -> tuple[T, T]:
        """Return values of positives and negatives in the order of the turned sample."""
        return of_classes if self.given == "fpr" else (of_classes[1], of_classes[0])

    def curve(self, table: Scores) -> FloatArray:
        """Return the rates on the sample's own curve, shape (h,)."""
        raise NotImplementedError

    def nearest(self, table: Scores) -> FloatArray:
        """Return the threshold of the next point of the sample's curve, shape (h,)."""
        raise NotImplementedError

    def interpolated(self, table: Scores) -> BoolArray:
        """Whether a rate of the curve is not that of its threshold, because scores tie there, shape (h,)."""
        above = counts_at(table, self.nearest(table))
        attained = above.pos / table.n_pos if self.wanted == "tpr" else above.neg / table.n_neg
        return np.asarray(np.abs(attained - self.value(table)) > 1e-9)

    def threshold_of(self, table: Scores) -> Any:
        """Return the threshold that attains both rates; NaN where scores tie there."""
        return self.shaped(np.where(self.interpolated(table), math.nan, self.nearest(table)))

    def value(self, table: Scores) -> Any:
        """Return the rate, or the rates."""
        return self.shaped(np.where(self.certain, self.places, self.curve(table)))

    def rounding(self, table: Scores) -> Ends:
        """Return bounds on the effect of rounded scores, below and above the rate."""
        down, up = (np.where(self.certain, 0.0, moved) for moved in errors_of(table, self.curve))
        return self.shaped(down), self.shaped(up)


@dataclass(frozen=True, eq=False)
class TprAtFpr(RateAtRate):
    """True positive rate at a false positive rate, interpolated linearly between points on the curve.

    Parameters
    ----------
    fpr : float or array-like of shape (h,)
        In [0, 1].

    Notes
    -----
    The influence function requires a density, and the jackknife variance is twice the true variance at any
    sample size, so methods that use influence refuse this statistic.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.statistics import TprAtFpr
    >>> scores = Scores.from_counts([3, 2, 1], [40, 40, 20], [10, 40, 50])
    >>> TprAtFpr(0.1).value(scores), TprAtFpr(0.1).threshold_of(scores)
    (0.4, 3.0)
    """

    fpr: ArrayLike

    name: ClassVar[str] = "tpr_at_fpr"
    title: ClassVar[str] = "True positive rate at a false positive rate"
    given: ClassVar[Literal["fpr", "tpr"]] = "fpr"
    wanted: ClassVar[Literal["fpr", "tpr"]] = "tpr"

    def curve(self, table: Scores) -> FloatArray:
        """Return the rates on the sample's own curve, shape (h,)."""
        return curve_of(table).tpr_at(self.asked)

    def nearest(self, table: Scores) -> FloatArray:
        """Return the lowest threshold with at most the given false positive rate."""
        row = np.searchsorted(table.neg_above, self.places * table.n_neg * (1.0 + 1e-12), side="right")
        return np.where(row > 0, table.score[np.maximum(row - 1, 0)], np.inf)


@dataclass(frozen=True, eq=False)
class FprAtTpr(RateAtRate):
    """False positive rate at a true positive rate, the minimum on the curve.

    Parameters
    ----------
    tpr : float or array-like of shape (h,)
        In [0, 1].

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.statistics import FprAtTpr
    >>> scores = Scores.from_counts([3, 2, 1], [40, 40, 20], [10, 40, 50])
    >>> round(FprAtTpr(0.6).value(scores), 4), FprAtTpr(0.6).threshold_of(scores)
    (0.3, nan)
    """

    tpr: ArrayLike

    name: ClassVar[str] = "fpr_at_tpr"
    title: ClassVar[str] = "False positive rate at a true positive rate"
    default_difference: ClassVar[str] = "bootstrap"
    lower_is_better: ClassVar[bool] = True
    given: ClassVar[Literal["fpr", "tpr"]] = "tpr"
    wanted: ClassVar[Literal["fpr", "tpr"]] = "fpr"

    def curve(self, table: Scores) -> FloatArray:
        """Return the rates on the sample's own curve, shape (h,)."""
        return curve_of(table).fpr_at(self.asked)

    def nearest(self, table: Scores) -> FloatArray:
        """Return the highest threshold with at least the given true positive rate."""
        row = np.searchsorted(table.pos_above, self.places * table.n_pos * (1.0 - 1e-12), side="left")
        row = np.minimum(row, len(table.score) - 1)
        return np.where(self.places > 0.0, table.score[row], np.inf)


def _called(table: Scores, threshold: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Whether a case has at least the threshold, centered in each class, shape (h, d)."""
    called = (table.score >= threshold[:, None]).astype(np.float64)
    of_pos, of_neg = (
        called - np.average(called, axis=1, weights=count)[:, None] for count in (table.pos, table.neg)
    )
    return of_pos, of_neg


def exchanged(scores: Scores) -> Scores:
    """Return the same scores with the classes exchanged."""
    return Scores._of(
        CountTable(scores.score, scores.neg, scores.pos), None if scores.exact else scores.score_max
    )


@dataclass(frozen=True, eq=False)
class RatesAtPositiveRate(AtPlaces):
    """Both rates and the precision at a predicted-positive rate.

    Parameters
    ----------
    positive_rate : float or array-like of shape (h,)
        In (0, 1].
    sampling : {"full", "stratified"}
        Sampling of all cases, or of each class separately.
    rates : tuple of {"fpr", "tpr", "precision"}
        Rates to return; differences have no precision.
    """

    positive_rate: ArrayLike
    sampling: Sampling = "full"
    rates: tuple[str, ...] = ("fpr", "tpr", "precision")

    name: ClassVar[str] = "rates_at_positive_rate"
    title: ClassVar[str] = "Rates and precision at a predicted-positive rate"
    given: ClassVar[str] = "positive_rate"
    is_number: ClassVar[bool] = False
    regular: ClassVar[bool] = False
    together: ClassVar[bool] = True
    default_method: ClassVar[str] = "beta_mixture"
    default_difference: ClassVar[str] = "beta_mixture"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sampling(self.sampling)

    @functools.cached_property
    def places(self) -> FloatArray:
        """The predicted-positive rates, in an array of shape (h,)."""
        return check_rate("positive_rate", self.positive_rate, positive=True)

    @property
    def certain(self) -> BoolArray:
        """Whether all cases are predicted positive, so that both rates are 1."""
        return np.asarray(self.places == 1.0)

    @property
    def rows(self) -> list[int]:
        """Indices of the rates among FPR, TPR and precision."""
        return [("fpr", "tpr", "precision").index(rate) for rate in self.rates]

    def of_cases(self, m: int) -> RatesAtPositiveRate:
        """Return the statistic at the rates of whole numbers of cases out of m, at least one."""
        return replace(self, positive_rate=rate_counts("positive_rate", self.places, m, "cases") / m)

    def value(self, table: Scores) -> FloatArray:
        """Return the rates at each predicted-positive rate, in rows."""
        return self._all(table)[self.rows]

    def _all(self, table: Scores) -> FloatArray:
        """FPR, TPR and precision at each share."""
        flagged = self.places * (table.n_pos + table.n_neg)
        found = expected_found(table, flagged)
        rates = np.stack([(flagged - found) / table.n_neg, found / table.n_pos, found / flagged])
        return np.clip(rates, 0.0, 1.0)

    def of_classes(self, table: Scores) -> tuple[FloatArray, FloatArray]:
        """Return the influence of a case on the precision, centered over all cases, shape (h, d).

        A predicted-positive rate is comparable between samples only at the same prevalence.
        """
        called = (table.score >= self.threshold_of(table)[:, None]).astype(np.float64)
        precision = self._all(table)[2][:, None]
        return centered((called * (1.0 - precision), -called * precision), table, True)

    def threshold_of(self, table: Scores) -> FloatArray:
        """Return the highest threshold with at least the given predicted-positive rate."""
        cases = self.places * (table.n_pos + table.n_neg) * (1.0 - 1e-12)
        return np.asarray(table.score[rows_of_cases(table, cases)])
