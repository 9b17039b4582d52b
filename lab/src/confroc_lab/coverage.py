"""Results of a study: coverage, misses on either side, widths, and their Monte Carlo errors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from scipy import special

from confroc.auditing.coverage import Coverage
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
EXTREMES = ("min", "max", "span")
"""Those that the worst places decide, which Monte Carlo error alone may have made the worst."""


def places_between(at: FloatArray, between: Between | None) -> BoolArray:
    """Whether each place lies between two, ends included; without bounds all do."""
    if between is None:
        return np.ones(len(at), bool)
    kept = (between[0] - 1e-9 <= at) & (at <= between[1] + 1e-9)
    if not kept.any():
        remedy = f"Its places go from {at.min():g} to {at.max():g}."
        raise invalid("between", "hold a place", between, remedy)
    return np.asarray(kept)


def without_points(c: Coverage) -> Coverage:
    """Return the same counts, where an interval without width never contains the true value.

    Such an interval claims that there is no uncertainty. Without any error in the sample, [0, 0] contains a
    difference that is zero; and [w, w] a cost that differs from w by less than doubles can represent.
    """
    return c._replace(covered=c.covered - c.points_covered)


def coverage_error(c: Coverage) -> FloatArray:
    """Monte Carlo standard error of the coverage.

    For fresh curves the standard deviation of the samples' shares over the root of their number.
    """
    if c.quantity.startswith("fresh"):
        return np.asarray(c.width_sd / np.sqrt(np.maximum(c.samples, 1)))
    return c.error


# --- results -----------------------------------------------------------------------------------------


class CellResult(NamedTuple):
    """Counts of one cell.

    Attributes
    ----------
    name : str
    at_name : str
        What `Coverage.at` holds.
    level : float
        Confidence level of the statements.
    counts : tuple of Coverage
    """

    name: str
    at_name: str
    level: float
    counts: tuple[Coverage, ...]

    def __repr__(self) -> str:
        return f"CellResult({self.name}: {len(self.counts)} methods and quantities at {self.level:g})"

    def find(self, method: str, quantity: str) -> Coverage:
        """Return the counts of one method and quantity."""
        held = {f"{c.method}/{c.quantity}": c for c in self.counts}
        wanted = f"{method}/{quantity}"
        if wanted not in held:
            raise invalid("method", f"be one of {', '.join(held)}", wanted, "Choose one of these.")
        return held[wanted]


def _over_places(
    share: FloatArray, error: FloatArray, level: float, statistic: Statistic
) -> tuple[float, float]:
    """Return a statistic of the coverage over places, and its Monte Carlo error."""
    if np.isnan(share).all():
        return math.nan, math.nan
    if statistic in ("min", "max"):
        i = int(np.nanargmin(share) if statistic == "min" else np.nanargmax(share))
        return float(share[i]), float(error[i])
    worst = float(np.nanmax(error))
    if statistic == "rough":
        steps = np.abs(np.diff(share))
        return (float(steps.mean()) if steps.size else 0.0), math.sqrt(2.0) * float(np.nanmean(error))
    if statistic == "on_target":
        off = np.abs(share - level)
        # A coverage near the border may be on the wrong side of it; all such places may err together.
        wrong = special.ndtr(-np.abs(off - ON_TARGET) / error)
        return float(np.mean(off <= ON_TARGET)), float(np.mean(np.sqrt(wrong * (1.0 - wrong))))
    if statistic == "span":
        return float(np.nanmax(share) - np.nanmin(share)), 2.0 * worst
    return float(np.nanmean(share if statistic == "mean" else np.abs(share - level))), worst


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

    def measure(
        self,
        cell: str,
        method: str,
        quantity: str,
        at: float | None = None,
        statistic: Statistic = "coverage",
        between: Between | None = None,
        wide: bool = False,
    ) -> tuple[float, float]:
        """Return a number and its Monte Carlo standard error.

        Parameters
        ----------
        cell, method, quantity : str
        at : float, optional
            Place; the nearest one is taken. Left out, the only place, or for statistics over places all.
        statistic : str
            "min", "max", "mean", "span" (largest less smallest), "distance" (mean distance from the level),
            "rough" (mean distance of neighbouring places) and "on_target" (share of places within 0.05 of
            the level) are of the coverage over the places.
        between : (float, float), optional
            Least and largest place of such a statistic.
        wide : bool
            Whether an interval without width counts as not containing the true value, whatever that is.

        Notes
        -----
        Coverages at several places come from the same samples and may err together. So the error of a mean
        or of a mean distance is taken as large as the largest at one place, that of a span as twice that;
        averaging over places is not credited with making it smaller. The error of "rough" is that of the
        difference of two independent places, which neighbours are not; that of "on_target" the mean over the
        places of the standard deviation of being taken for on target.
        """
        one = self.cell(cell)
        found = one.find(method, quantity)
        found = without_points(found) if wide else found
        share, error = found.share, coverage_error(found)
        if statistic in OVER_PLACES:
            kept = places_between(found.at, between)
            return _over_places(share[kept], error[kept], one.level, statistic)
        i = 0 if at is None else int(np.argmin(np.abs(found.at - at)))
        if statistic == "coverage":
            return float(share[i]), float(error[i])
        if statistic in ("below", "above", "points", "failures"):
            n = max(int(found.n[i]), 1)
            p = float(getattr(found, statistic)[i]) / n
            return p, math.sqrt(max(p * (1.0 - p), 1.0 / n) / n)
        sd, made = float(found.width_sd[i]), float(found.samples[i])
        if statistic == "width_sd":
            return sd, sd / math.sqrt(2.0 * max(made - 1.0, 1.0))
        return float(found.mean_width[i]), sd / math.sqrt(max(made, 1.0))

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
        """Return a number as `measure` does, without its error."""
        return self.measure(cell, method, quantity, at, statistic, between, wide)[0]

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
