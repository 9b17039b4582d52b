"""User-defined statistics, e.g. a metric of scikit-learn or a profit."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from confroc._check import ArgumentError, check_callable, check_instance
from confroc._types import FloatArray, IntArray, Sampling
from confroc.base import Statistic
from confroc.influence import centered
from confroc.resample import check_sampling
from confroc.scores import CountTable, Scores

A_STATISTIC = "Use one of confroc.statistics, e.g. Auc(), or a function."
MOST_ROWS = 5_000
"""Maximum number of distinct scores for the jackknife."""


@dataclass(frozen=True)
class Custom(Statistic):
    """A function `function(y_true, y_score, sample_weight) -> float` as a statistic.

    The function is called with one row for each distinct score and class, and the counts by the keyword
    `sample_weight`.

    Parameters
    ----------
    function : callable
        E.g. a metric of scikit-learn that accepts scores.
    lower, upper : float
        Minimum and maximum of the value. Default: unbounded.
    lower_is_better : bool
        Whether smaller values are better.
    sampling : {"full", "stratified"}
        Sampling of all cases, so class sizes vary, or of each class separately. "stratified" is for fixed
        class sizes; for values that depend on the prevalence its intervals are then much shorter.

    Notes
    -----
    The default method is "bootstrap". "wald", "logit" and "bootstrap_bca" use the jackknife, which calls the
    function for each distinct score, and accept at most 5,000 of these.

    Examples
    --------
    >>> import numpy as np
    >>> from confroc import PairedScores, difference, interval, Scores
    >>> from confroc.statistics import Custom
    >>> def brier(y_true, y_score, sample_weight):
    ...     return np.average((y_true - y_score) ** 2, weights=sample_weight)
    >>> scores = Scores([1, 1, 0, 1, 0, 0, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.2, 0.2, 0.1])
    >>> found = interval(scores, Custom(brier), rng=0)
    >>> print(f"{found.estimate:.4f} ({found.lower:.4f} to {found.upper:.4f})")
    0.1100 (0.0350 to 0.2263)
    """

    function: Callable[..., float]
    lower: float = -math.inf
    upper: float = math.inf
    lower_is_better: bool = False  # type: ignore[misc]
    sampling: Sampling = "full"

    name: ClassVar[str] = "custom"
    title: ClassVar[str] = "Statistic of your own"
    default_method: ClassVar[str] = "bootstrap"
    default_difference: ClassVar[str] = "bootstrap"

    def __post_init__(self) -> None:
        check_callable("function", self.function)
        check_sampling(self.sampling)

    @property
    def label(self) -> str:
        """Name of the function."""
        return str(getattr(self.function, "__name__", "custom"))

    @property
    def together(self) -> bool:
        """Whether class sizes vary."""
        return self.sampling == "full"

    @property
    def bounds(self) -> tuple[float, float]:
        """Minimum and maximum of the value."""
        return self.lower, self.upper

    def value(self, table: Scores) -> float:
        """Return the value of the function."""
        found = self._called(table.score, table.pos, table.neg)
        if np.ndim(found) != 0 or not np.isfinite(found):
            remedy = "Check what it returns for (y_true, y_score, sample_weight=counts)."
            raise ArgumentError("function", "return one finite number", found, remedy)
        return float(found)

    def resampled_value(self, table: Scores) -> float:
        """Return the value for a resample; NaN if the function fails."""
        try:
            return float(self._called(table.score, table.pos, table.neg))
        except (ArithmeticError, IndexError, TypeError, ValueError):
            return math.nan

    def _called(self, score: FloatArray, pos: IntArray, neg: IntArray) -> Any:
        has_pos, has_neg = pos > 0, neg > 0
        y_true = np.repeat([1, 0], [np.count_nonzero(has_pos), np.count_nonzero(has_neg)])
        y_score = np.concatenate([score[has_pos], score[has_neg]])
        weight = np.concatenate([pos[has_pos], neg[has_neg]]).astype(np.float64)
        return self.function(y_true, y_score, sample_weight=weight)

    def influence(self, table: Scores) -> tuple[FloatArray, FloatArray]:
        """Return the jackknife influence of each case."""
        if len(table.score) > MOST_ROWS:
            rule = f"be 'bootstrap' for a function of more than {MOST_ROWS:,} distinct scores"
            raise ArgumentError("method", rule, len(table.score), "Use method='bootstrap'.")
        whole, every = self.value(table), int(table.pos.sum() + table.neg.sum())
        sides = []
        for side, own in enumerate((table.pos, table.neg)):
            n, changed = int(own.sum()), np.zeros(len(own))
            for row in np.flatnonzero(own):
                counts = [table.pos.copy(), table.neg.copy()]
                counts[side][row] -= 1
                left = Scores._of(CountTable(table.score, *counts)) if n > 1 else table
                changed[row] = ((every if self.together else n) - 1) * (whole - self.value(left))
            sides.append(changed)
        return centered((sides[0], sides[1]), table, self.together)


def as_statistic(given: object, name: str = "statistic") -> Statistic:
    """Return a statistic; a function becomes a `Custom`."""
    if callable(given) and not isinstance(given, type):
        return Custom(given)
    check_instance(name, given, Statistic, A_STATISTIC)
    return given  # type: ignore[return-value]
