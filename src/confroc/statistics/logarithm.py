"""The logarithm of a statistic: a ratio of two models is a difference of two logarithms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from confroc._types import Ends, FloatArray
from confroc.base import Statistic
from confroc.scores import Scores, errors_of


@dataclass(frozen=True)
class Log(Statistic):
    """Logarithm of a statistic that is a positive number; −∞ where it is zero.

    Parameters
    ----------
    of : Statistic
    """

    of: Any

    name: ClassVar[str] = "log"
    title: ClassVar[str] = "Logarithm of a statistic"

    @property
    def monotone(self) -> bool:  # type: ignore[override]
        """As of the statistic."""
        return bool(self.of.monotone)

    @property
    def regular(self) -> bool:  # type: ignore[override]
        """As of the statistic."""
        return bool(self.of.regular)

    @property
    def sampling(self) -> Any:
        """As of the statistic; by default each class by itself."""
        return getattr(self.of, "sampling", "stratified")

    @property
    def together(self) -> bool:
        """As of the statistic."""
        return bool(getattr(self.of, "together", False))

    @property
    def label(self) -> str:
        """What results call the statistic."""
        return str(self.of.label)

    @property
    def bounds(self) -> tuple[Any, Any]:
        """The least and the greatest value."""
        low, high = self.of.bounds
        return _log(max(0.0, low)), _log(high)

    def value(self, table: Scores) -> float:
        """Return the logarithm."""
        return _log(self.of.value(table))

    def resampled_value(self, table: Scores) -> float:
        """Return the logarithm of the statistic of a resample."""
        return _log(self.of.resampled_value(table))

    def influence(self, table: Scores) -> tuple[FloatArray, FloatArray]:
        """Return the contributions of cases to the statistic, over its value."""
        value = self.of.value(table) or np.nan
        of_pos, of_neg = self.of.influence(table)
        return of_pos / value, of_neg / value

    def threshold_of(self, table: Scores) -> Any:
        """Return the threshold that the value refers to."""
        return self.of.threshold_of(table)

    def rounding(self, table: Scores) -> Ends:
        """How far below and above the value of rounded scores that of the exact ones may lie."""
        if not hasattr(self.of, "rounding"):
            return errors_of(table, self.value)
        value, (down, up) = self.of.value(table), self.of.rounding(table)
        return (
            np.asarray(_log(value) - _log(value - down)),
            np.asarray(_log(value + up) - _log(value)),
        )


def _log(value: Any) -> float:
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.log(value))
