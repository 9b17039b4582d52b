"""Results of a study: coverage, misses on either side, widths, and their Monte Carlo errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from confroc.auditing.coverage import COUNTS, SUMS, Coverage, added
from confroc.results import frame
from confroc_lab._errors import invalid
from confroc_lab._types import BoolArray, FloatArray

Statistic: TypeAlias = Literal[
    "coverage",
    "below",
    "above",
    "points",
    "width",
    "failures",
    "min",
    "max",
    "mean",
    "span",
    "distance",
    "rough",
    "on_target",
    "width_sd",
]

Between: TypeAlias = tuple[float, float]
"""Least and largest place."""
OVER_PLACES = ("min", "max", "mean", "span", "distance", "rough", "on_target")
"""Statistics of the coverage at all places, or at those between two."""
ON_TARGET = 0.05
"""Distance from the level within which a coverage is on target."""


def places_between(at: FloatArray, between: Between | None) -> BoolArray:
    """Whether each place is between two bounds, inclusive; without bounds all are."""
    if between is None:
        return np.ones(len(at), bool)
    kept = (between[0] - 1e-9 <= at) & (at <= between[1] + 1e-9)
    if not kept.any():
        remedy = f"Its places go from {at.min():g} to {at.max():g}."
        raise invalid("between", "hold a place", between, remedy)
    return np.asarray(kept)


def without_points(c: Coverage) -> Coverage:
    """Return the counts with intervals of zero width counted as not containing the true value.

    Such an interval claims no uncertainty. Without any error in the sample, [0, 0] contains a difference of
    zero, and [w, w] a cost that differs from w by less than the resolution of doubles.
    """
    return c._replace(covered=c.covered - c.points_covered)


def coverage_error(c: Coverage) -> FloatArray:
    """Monte Carlo standard error of the coverage.

    For fresh curves the standard deviation of the samples' proportions over the root of their number.
    """
    if c.quantity.startswith("fresh"):
        return np.asarray(c.width_sd / np.sqrt(np.maximum(c.samples, 1)))
    return c.error


# --- results -----------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class CellResult:
    """Counts of one cell.

    Attributes
    ----------
    name : str
    at_name : str
        Meaning of `Coverage.at`.
    level : float
        Confidence level of the statements.
    parts : tuple of tuple of Coverage
        Counts of the samples drawn together, with every method and quantity. All methods use the same
        samples.
    """

    name: str
    at_name: str
    level: float
    parts: tuple[tuple[Coverage, ...], ...]

    def __repr__(self) -> str:
        return f"CellResult({self.name}: {len(self.counts)} methods and quantities at {self.level:g})"

    @cached_property
    def counts(self) -> tuple[Coverage, ...]:
        """The parts together."""
        return tuple(added([list(part) for part in self.parts]))

    @cached_property
    def left_out(self) -> tuple[CellResult, ...]:
        """Return the cell without one of its parts, for each part."""
        names = (*COUNTS, *SUMS)
        return tuple(
            replace(
                self,
                parts=(
                    tuple(
                        t._replace(**{name: getattr(t, name) - getattr(p, name) for name in names})
                        for t, p in zip(self.counts, part, strict=True)
                    ),
                ),
            )
            for part in self.parts
        )

    def find(self, method: str, quantity: str) -> Coverage:
        """Return the counts of one method and quantity."""
        held = {f"{c.method}/{c.quantity}": c for c in self.counts}
        wanted = f"{method}/{quantity}"
        if wanted not in held:
            raise invalid("method", f"be one of {', '.join(held)}", wanted, "Choose one of these.")
        return held[wanted]


def _over_places(share: FloatArray, level: float, statistic: Statistic) -> float:
    """Return a statistic of the coverage over places."""
    if np.isnan(share).all():
        return math.nan
    if statistic == "rough":
        steps = np.abs(np.diff(share))
        return float(steps.mean()) if steps.size else 0.0
    off = np.abs(share - level)
    found = {
        "min": np.nanmin(share),
        "max": np.nanmax(share),
        "mean": np.nanmean(share),
        "span": np.nanmax(share) - np.nanmin(share),
        "distance": np.nanmean(off),
        "on_target": np.mean(off <= ON_TARGET),
    }
    return float(found[statistic])


@dataclass(frozen=True, repr=False)
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

    def __repr__(self) -> str:
        return f"StudyResult({self.name}: {len(self.cells)} cells, {self.replications} samples each)"

    def cell(self, name: str) -> CellResult:
        """Return one cell by name."""
        held = {c.name: c for c in self.cells}
        if name not in held:
            raise invalid("cell", f"be one of {', '.join(held)}", name, "Choose one of these.")
        return held[name]

    def value(
        self,
        cell: str,
        method: str,
        quantity: str,
        at: float | None = None,
        statistic: Statistic = "coverage",
        between: Between | None = None,
        wide: bool = False,
    ) -> float:
        """Return a number.

        Parameters
        ----------
        cell, method, quantity : str
        at : float, optional
            Place; the nearest one is used. Default: the only place, or all for statistics over places.
        statistic : str
            "min", "max", "mean", "span" (largest less smallest), "distance" (mean distance from the level),
            "rough" (mean distance of neighbouring places) and "on_target" (proportion of places within 0.05
            of the level) are of the coverage over the places.
        between : (float, float), optional
            Least and largest place of such a statistic.
        wide : bool
            Whether an interval of zero width counts as not containing the true value.
        """
        one = self.cell(cell)
        found = one.find(method, quantity)
        found = without_points(found) if wide else found
        if statistic in OVER_PLACES:
            return _over_places(found.share[places_between(found.at, between)], one.level, statistic)
        i = 0 if at is None else int(np.argmin(np.abs(found.at - at)))
        if statistic in ("below", "above", "points", "failures"):
            return float(getattr(found, statistic)[i]) / max(int(found.n[i]), 1)
        values = {"coverage": found.share, "width": found.mean_width, "width_sd": found.width_sd}[statistic]
        return float(values[i])

    def error(self, cells: Iterable[str], number: Callable[[StudyResult], float]) -> float:
        """Return the Monte Carlo standard error of a number: the jackknife's over the parts of the cells.

        The same part is omitted for every method of a cell, so that numbers from the same samples are
        paired; those of different cells are independent. Infinite where a cell has one part.

        Parameters
        ----------
        cells : iterable of str
            Those that the number depends on.
        number : callable
            Called with a result.
        """
        variance = 0.0
        for name in cells:
            left = [
                number(replace(self, cells=tuple(rest if c.name == name else c for c in self.cells)))
                for rest in self.cell(name).left_out
            ]
            variance += (len(left) - 1) * float(np.var(left)) if len(left) > 1 else math.inf
        return math.sqrt(variance)

    def columns(self) -> Mapping[str, list[Any]]:
        """Return one row per cell, method, quantity and place, as columns."""
        table: dict[str, list[Any]] = {}
        for cell in self.cells:
            for c in cell.counts:
                n = np.maximum(c.n, 1)
                found = {
                    "cell": [cell.name] * len(c.at),
                    "method": [c.method] * len(c.at),
                    "quantity": [c.quantity] * len(c.at),
                    "at_name": [cell.at_name] * len(c.at),
                    "at": c.at.tolist(),
                    "level": [cell.level] * len(c.at),
                    "n": c.n.tolist(),
                    "failures": c.failures.tolist(),
                    "coverage": c.share.tolist(),
                    "coverage_error": coverage_error(c).tolist(),
                    "below": (c.below / n).tolist(),
                    "above": (c.above / n).tolist(),
                    "points": (c.points / np.maximum(c.samples, 1)).tolist(),
                    "width": c.mean_width.tolist(),
                    "width_error": (c.width_sd / np.sqrt(np.maximum(c.samples, 1))).tolist(),
                }
                for name, values in found.items():
                    table.setdefault(name, []).extend(values)
        return table

    def to_frame(self) -> Any:
        """Return the columns as a data frame."""
        return frame(self.columns())
