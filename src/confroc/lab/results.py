"""What a study found: coverage, both tails, widths and Monte Carlo errors, per cell, method and place."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from confroc._check import ArgumentError, suggest
from confroc._types import FloatArray
from confroc.lab.rules.base import Rule
from confroc.lab.rules.tallies import Tally, add
from confroc.results import frame

Statistic: TypeAlias = Literal[
    "coverage", "below", "above", "width", "failures", "min", "max", "mean", "width_sd"
]
STATISTICS = ("coverage", "below", "above", "width", "failures", "min", "max", "mean", "width_sd")


class CellResult(NamedTuple):
    """Counts of one cell.

    Attributes
    ----------
    name : str
    at_name : str
        What `Tally.at` holds.
    level : float
        Confidence level of the statements.
    tallies : tuple of Tally
    """

    name: str
    at_name: str
    level: float
    tallies: tuple[Tally, ...]

    @classmethod
    def of(cls, name: str, rule: Rule, chunks: Sequence[list[Tally]]) -> CellResult:
        """Add up chunks in their order."""
        return cls(name, rule.at_name, rule.confidence_level, tuple(add(chunks)))

    def find(self, method: str, quantity: str) -> Tally:
        """Return the counts of one method and quantity."""
        for t in self.tallies:
            if (t.method, t.quantity) == (method, quantity):
                return t
        held = sorted({f"{t.method}/{t.quantity}" for t in self.tallies})
        raise ArgumentError(
            "method",
            f"be one of {', '.join(held)}",
            f"{method}/{quantity}",
            suggest(f"{method}/{quantity}", held),
        )


def coverage(t: Tally) -> FloatArray:
    """Share of statements that held."""
    return np.asarray(np.divide(t.covered, t.n, out=np.full(len(t.n), np.nan), where=t.n > 0))


def coverage_error(t: Tally) -> FloatArray:
    """Monte Carlo standard error of the coverage.

    Binomial, with two successes and two failures added so that it is not zero at coverages of 0 and 1; for
    fresh curves the standard deviation of the samples' shares over the root of their number.
    """
    if t.quantity.startswith("fresh"):
        return np.asarray(width_sd(t) / np.sqrt(np.maximum(t.samples, 1)))
    p = (t.covered + 2.0) / (t.n + 4.0)
    return np.asarray(np.sqrt(p * (1.0 - p) / (t.n + 4.0)))


def width(t: Tally) -> FloatArray:
    """Mean width (area for regions and bands; share of curves held for fresh curves)."""
    n = t.samples
    return np.asarray(np.divide(t.width, n, out=np.full(len(n), np.nan), where=n > 0))


def width_sd(t: Tally) -> FloatArray:
    """Standard deviation of the width between samples."""
    n = t.samples
    mean = width(t)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.sqrt(np.maximum(t.width_sq / n - mean * mean, 0.0) * n / (n - 1.0)))


@dataclass(frozen=True)
class StudyResult:
    """All cells of a study.

    Attributes
    ----------
    name : str
    replications : int
    cells : tuple of CellResult
    """

    name: str
    replications: int
    cells: tuple[CellResult, ...]

    def cell(self, name: str) -> CellResult:
        """Return one cell by name."""
        names = [c.name for c in self.cells]
        if name not in names:
            raise ArgumentError("cell", f"be one of {names}", name, suggest(name, names))
        return self.cells[names.index(name)]

    def measure(
        self,
        cell: str,
        method: str,
        quantity: str,
        at: float | None = None,
        statistic: Statistic = "coverage",
    ) -> tuple[float, float]:
        """Return a number and its Monte Carlo standard error.

        Parameters
        ----------
        cell, method, quantity : str
        at : float, optional
            Place; the nearest one is taken. Left out, the only place, or for "min", "max" and "mean" all.
        statistic : str
            "min", "max" and "mean" are of the coverage over the places.
        """
        t = self.cell(cell).find(method, quantity)
        if statistic in ("min", "max", "mean"):
            values, errors = coverage(t), coverage_error(t)
            if np.isnan(values).all():
                return math.nan, math.nan
            if statistic == "mean":
                return float(np.nanmean(values)), float(np.nanmax(errors))
            i = int(np.nanargmin(values) if statistic == "min" else np.nanargmax(values))
            return float(values[i]), float(errors[i])
        i = 0 if at is None else int(np.argmin(np.abs(t.at - at)))
        n = max(int(t.n[i]), 1)
        if statistic == "coverage":
            return float(coverage(t)[i]), float(coverage_error(t)[i])
        if statistic in ("below", "above", "failures"):
            p = float(getattr(t, statistic)[i]) / n
            return p, math.sqrt(max(p * (1.0 - p), 1.0 / n) / n)
        sd = float(width_sd(t)[i])
        if statistic == "width_sd":
            return sd, sd / math.sqrt(2.0 * max(float(t.samples[i]) - 1.0, 1.0))
        return float(width(t)[i]), sd / math.sqrt(max(float(t.samples[i]), 1.0))

    def value(
        self,
        cell: str,
        method: str,
        quantity: str,
        at: float | None = None,
        statistic: Statistic = "coverage",
    ) -> float:
        """Return a number as `measure` does, without its error."""
        return self.measure(cell, method, quantity, at, statistic)[0]

    def columns(self) -> Mapping[str, list[Any]]:
        """Return one row per cell, method, quantity and place, as columns."""
        names = (
            "cell",
            "method",
            "quantity",
            "at_name",
            "at",
            "level",
            "n",
            "failures",
            "coverage",
            "coverage_error",
        )
        table: dict[str, list[Any]] = {
            name: [] for name in (*names, "below", "above", "width", "width_error")
        }
        for cell in self.cells:
            for t in cell.tallies:
                counts = np.maximum(t.n, 1)
                rows = zip(
                    t.at.tolist(),
                    t.n.tolist(),
                    t.failures.tolist(),
                    coverage(t).tolist(),
                    coverage_error(t).tolist(),
                    (t.below / counts).tolist(),
                    (t.above / counts).tolist(),
                    width(t).tolist(),
                    (width_sd(t) / np.sqrt(np.maximum(t.samples, 1))).tolist(),
                    strict=True,
                )
                for at, *numbers in rows:
                    values = (cell.name, t.method, t.quantity, cell.at_name, at, cell.level, *numbers)
                    for column, value in zip(table.values(), values, strict=True):
                        column.append(value)
        return table

    def to_frame(self) -> Any:
        """Return the columns as a data frame."""
        return frame(self.columns())
