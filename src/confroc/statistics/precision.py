"""The average precision, and the precision at a recall."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from confroc._check import ArgumentError, check_number, check_rate
from confroc._types import FloatArray, Sampling
from confroc.base import Statistic
from confroc.scores import Scores
from confroc.statistics.prevalence import Prevalence, Prior, read_prior, share_in_use
from confroc.statistics.rates import AtPlaces, FprAtTpr

MOST_CORRECTED = 1e8
"""Number of cases of a class from which the bias is not estimated."""


@dataclass(frozen=True)
class AveragePrecision(Statistic):
    """Average precision: the mean of the precision at the scores of the positives.

    As in scikit-learn, Σ (R_k − R_{k−1})·P_k over the distinct scores, where R and P are the recall and the
    precision at a score as threshold.

    Parameters
    ----------
    max_recall : float
        Average over recalls up to this one, in (0, 1].
    prior : float, optional
        Known prevalence in the target population. Default: that of the sample.
    sampling : {"full", "stratified"}, optional
        Whether the prevalence of the sample is an estimate, or fixed. Default: "full" without `prior`,
        "stratified" with it.

    Notes
    -----
    The influence of a case is that of the jackknife.

    References
    ----------
    Boyd K, Eng KH, Page CD (2013). Area under the precision-recall curve. ECML PKDD 2013, 451–466.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.statistics import AveragePrecision
    >>> scores = Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    >>> round(AveragePrecision().value(scores), 4), round(AveragePrecision(prior=0.1).value(scores), 4)
    (0.9167, 0.75)
    """

    max_recall: float = 1.0
    prior: float | None = None
    sampling: Sampling | None = None

    name: ClassVar[str] = "average_precision"
    title: ClassVar[str] = "Average precision"
    monotone: ClassVar[bool] = True
    default_method: ClassVar[str] = "corrected_logit"
    default_difference: ClassVar[str] = "wald"

    def __post_init__(self) -> None:
        if not 0.0 < check_number("max_recall", self.max_recall) <= 1.0:
            raise ArgumentError("max_recall", "be above 0 and at most 1", self.max_recall, "Pass e.g. 0.5.")
        if self.prior is not None:
            check_number("prior", self.prior)
        object.__setattr__(self, "sampling", read_prior(self.prior, self.sampling)[1])

    @property
    def together(self) -> bool:
        """Whether class sizes vary."""
        return self.sampling == "full"

    @property
    def label(self) -> str:
        """Name in results."""
        parts = [f"max_recall={self.max_recall:g}"] if self.max_recall < 1.0 else []
        parts += [] if self.prior is None else [f"prior={self.prior:g}"]
        return f"{self.name}[{', '.join(parts)}]" if parts else self.name

    def value(self, table: Scores) -> float:
        """Return the average precision."""
        hits, alarms, mass, wanted = self._ranking(table)
        return float(np.dot(mass, _share(hits, hits + alarms)) / wanted)

    def influence(self, table: Scores) -> tuple[FloatArray, FloatArray]:
        """Return the jackknife influence of a positive and of a negative at each distinct score.

        It is centered over all cases if the prevalence is an estimate, otherwise within classes.
        """
        sizes, counts = (table.n_pos, table.n_neg), (table.pos, table.neg)
        left = self._left_out(table)
        mean = [float(np.dot(v, c)) / n for v, c, n in zip(left, counts, sizes, strict=True)]
        if self.sampling == "stratified":
            of_pos, of_neg = ((n - 1.0) * (m - v) for v, m, n in zip(left, mean, sizes, strict=True))
            return of_pos, of_neg
        n = sum(sizes)
        middle = float(np.dot(mean, sizes)) / n
        of_pos, of_neg = ((n - 1.0) * own / n * (middle - v) for v, own in zip(left, sizes, strict=True))
        return of_pos, of_neg

    def bias(self, table: Scores) -> float:
        """Return the jackknife estimate of bias."""
        value, total = self.value(table), 0.0
        classes = zip(self._left_out(table), (table.pos, table.neg), (table.n_pos, table.n_neg), strict=True)
        for left, count, n in classes:
            # With more cases rounding errors exceed the bias, which is negligible.
            if n < MOST_CORRECTED:
                total += (n - 1.0) * (float(np.dot(left, count)) / n - value)
        return total

    def threshold_of(self, table: Scores) -> None:
        """None, since an average has no threshold."""

    def _ranking(self, table: Scores) -> tuple[FloatArray, FloatArray, FloatArray, float]:
        """Return counts by row, in decreasing order of scores.

        Positives and negatives at or above the row, the latter rescaled to the prevalence in the target
        population; positives of the row up to the maximum recall, and their sum.
        """
        odds = 1.0
        if self.prior is not None:
            odds = (1.0 - self.prior) / self.prior * table.n_pos / table.n_neg
        hits = table.pos_above.astype(np.float64)
        wanted = self.max_recall * table.n_pos
        mass = np.asarray(np.diff(np.minimum(hits, wanted), prepend=0.0), dtype=np.float64)
        return hits, np.asarray(odds * table.neg_above), mass, wanted

    def _left_out(self, table: Scores) -> tuple[FloatArray, FloatArray]:
        """Return the average precision without one positive, or one negative, of each row.

        Precisions above the row are unchanged. Leaving out a positive reduces the number of positives in the
        average by `max_recall`.
        """
        hits, alarms, mass, wanted = self._ranking(table)
        odds = alarms[-1] / table.n_neg
        here = _share(hits, hits + alarms)
        without_hit = _share(np.maximum(hits - 1.0, 0.0), hits - 1.0 + alarms)
        without_alarm = _share(hits, hits + np.maximum(alarms - odds, 0.0))
        before = np.cumsum(mass * here) - mass * here
        inside = np.divide(mass, table.pos, out=np.zeros(len(mass)), where=table.pos > 0)
        last = int(np.searchsorted(hits, wanted * (1.0 - 1e-12)))
        at_end = np.where(np.arange(len(mass)) <= last, without_hit[last], here[last])
        of_pos = before + _from_here(mass * without_hit) - inside * without_hit
        of_pos += (inside - self.max_recall) * at_end
        of_neg = before + _from_here(mass * without_alarm)
        return of_pos / max(wanted - self.max_recall, self.max_recall), of_neg / wanted


@dataclass(frozen=True, eq=False)
class PrecisionAtRecall(AtPlaces):
    """Precision at a recall r: π·r/(π·r + (1 − π)·FPR(r)), where FPR(r) is the minimum at recall r.

    Parameters
    ----------
    recall : float or array-like of shape (h,)
        In (0, 1].
    prior : float or (float, float), optional
        Prevalence π in the target population: known, or (positives, cases) of another sample that estimates
        it. Default: that of the sample.
    sampling : {"full", "stratified"}, optional
        Whether the prevalence of the sample is an estimate, or fixed. Default: "full" without `prior`,
        "stratified" with it.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.statistics import PrecisionAtRecall
    >>> scores = Scores.from_counts([3, 2, 1], [40, 40, 20], [10, 40, 50])
    >>> round(PrecisionAtRecall(0.6).value(scores), 4), PrecisionAtRecall(0.6).threshold_of(scores)
    (0.6667, nan)
    """

    recall: ArrayLike
    prior: Prior | None = None
    sampling: Sampling | None = None

    given: ClassVar[str] = "recall"
    regular: ClassVar[bool] = False
    separate: ClassVar[bool] = True
    name: ClassVar[str] = "precision_at_recall"
    title: ClassVar[str] = "Precision at a recall"
    default_method: ClassVar[str] = "from_fpr"
    default_difference: ClassVar[str] = "bootstrap"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "sampling", read_prior(self.prior, self.sampling)[1])

    @functools.cached_property
    def places(self) -> FloatArray:
        """The recalls, in an array of shape (h,)."""
        return check_rate("recall", self.recall, positive=True)

    @property
    def label(self) -> str:
        """Name in results."""
        return "precision"

    @property
    def fpr(self) -> FprAtTpr:
        """The false positive rate at these recalls."""
        return FprAtTpr(self.places)

    def share(self, table: Scores) -> Prevalence:
        """Return the prevalence in the target population."""
        return share_in_use(table, self.prior, None if self.prior else self.sampling)[0]

    def value(self, table: Scores) -> Any:
        """Return the precision, or the precisions."""
        found = precision_of(self.places, self.fpr.value(table), odds_of(self.share(table).value))
        return self.shaped(found)

    def of_classes(self, table: Scores) -> tuple[FloatArray, FloatArray]:
        """Return whether a case is above the threshold, centered in each class, shape (h, d)."""
        return self.fpr.of_classes(table)

    def threshold_of(self, table: Scores) -> Any:
        """Return the threshold that attains the recall; NaN where scores tie there."""
        return self.shaped(self.fpr.threshold_of(table))


TINY = 1e-15


def odds_of(prevalence: float) -> float:
    """Number of negatives per positive; finite and above 0 at prevalences of 0 and 1 too."""
    return (1.0 - min(prevalence, 1.0 - TINY)) / max(prevalence, TINY)


def precision_of(recall: FloatArray, fpr: FloatArray, odds: float) -> FloatArray:
    """Return the precision of operating points, given the negatives per positive; 1 at the origin."""
    return np.asarray(_share(recall, recall + odds * fpr, empty=1.0))


def _share(part: FloatArray, whole: FloatArray, empty: float = 0.0) -> FloatArray:
    return np.asarray(np.divide(part, whole, out=np.full(len(part), empty), where=whole > 0.0))


def _from_here(values: FloatArray) -> FloatArray:
    """Return the sum from each row to the last."""
    return np.asarray(np.cumsum(values[::-1])[::-1])
