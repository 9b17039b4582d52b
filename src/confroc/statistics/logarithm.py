"""The logarithm of a statistic, for ratios of two models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from confroc._types import Ends, FloatArray
from confroc.base import Statistic
from confroc.scores import Scores, errors_of


@dataclass(frozen=True)
class Log(Statistic):
    """Logarithm of a positive statistic; −∞ at zero.

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
        """As of the statistic; by default "stratified"."""
        return getattr(self.of, "sampling", "stratified")

    @property
    def together(self) -> bool:
        """As of the statistic."""
        return bool(getattr(self.of, "together", False))

    @property
    def label(self) -> str:
        """Name in results."""
        return str(self.of.label)

    @property
    def bounds(self) -> tuple[Any, Any]:
        """Minimum and maximum of the value."""
        low, high = self.of.bounds
        return _log(max(0.0, low)), _log(high)

    def value(self, table: Scores) -> float:
        """Return the logarithm."""
        return _log(self.of.value(table))

    def resampled_value(self, table: Scores) -> float:
        """Return the logarithm of the statistic for a resample."""
        return _log(self.of.resampled_value(table))

    def influence(self, table: Scores) -> tuple[FloatArray, FloatArray]:
        """Return the influence on the statistic divided by its value."""
        value = self.of.value(table) or np.nan
        of_pos, of_neg = self.of.influence(table)
        return of_pos / value, of_neg / value

    def threshold_of(self, table: Scores) -> Any:
        """Return the threshold of the statistic."""
        return self.of.threshold_of(table)

    def rounding(self, table: Scores) -> Ends:
        """Return bounds on the effect of rounded scores, below and above the value."""
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
