"""What a study counts: coverage, misses on either side, widths and their Monte Carlo errors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from scipy import special

from confroc._calls import public
from confroc._check import ArgumentError, check_choice, suggest
from confroc._types import BoolArray, Ends, FloatArray, IntArray
from confroc.results import frame, shown

COUNTS = ("samples", "n", "failures", "covered", "below", "above", "points", "points_covered")
SUMS = ("width", "width_sq")

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


class Coverage(NamedTuple):
    """Sums over samples for one method and one quantity, at each of g places.

    Attributes
    ----------
    method, quantity : str
    at : ndarray of shape (g,)
        Where, in the units of the rule (a rate, a weight, or nan where there is one place only).
    samples : ndarray of int
        Samples that gave an interval.
    n : ndarray of int
        Statements checked: as many (for fresh curves, samples times curves).
    failures : ndarray of int
        Samples that gave none.
    covered, below, above : ndarray of int
        Truth inside, below and above. For a region only `covered` counts.
    points, points_covered : ndarray of int
        Samples whose interval has no width, and those of them whose interval is the truth itself.
    width, width_sq : ndarray of float
        Sums of the widths and of their squares (for fresh curves, of each sample's share of curves held).
    """

    method: str
    quantity: str
    at: FloatArray
    samples: IntArray
    n: IntArray
    failures: IntArray
    covered: IntArray
    below: IntArray
    above: IntArray
    points: IntArray
    points_covered: IntArray
    width: FloatArray
    width_sq: FloatArray

    def within(self, between: Between | None) -> BoolArray:
        """Tell which places lie between two, ends included; all without."""
        least, largest = between or (-math.inf, math.inf)
        kept = np.isnan(self.at) if between is None else np.zeros(len(self.at), bool)
        kept |= (least - 1e-9 <= self.at) & (self.at <= largest + 1e-9)
        if not kept.any():
            remedy = f"Its places go from {self.at.min():g} to {self.at.max():g}."
            raise ArgumentError("between", "hold a place", between, remedy)
        return np.asarray(kept)

    @property
    def share(self) -> FloatArray:
        """Share of statements that held: the coverage."""
        return np.asarray(np.divide(self.covered, self.n, out=np.full(len(self.n), np.nan), where=self.n > 0))

    def wide(self) -> Coverage:
        """Return the same counts, where an interval without width never contains the true value.

        Such an interval says that there is no uncertainty. Where no error is seen, [0, 0] contains a
        difference that is zero; and [w, w] a cost that differs from w by less than doubles can show.
        """
        return self._replace(covered=self.covered - self.points_covered)

    @property
    def error(self) -> FloatArray:
        """Monte Carlo standard error of the coverage.

        Binomial, with two successes and two failures added so that it is not zero at coverages of 0 and 1;
        for fresh curves the standard deviation of the samples' shares over the root of their number.
        """
        if self.quantity.startswith("fresh"):
            return np.asarray(self.width_sd / np.sqrt(np.maximum(self.samples, 1)))
        p = (self.covered + 2.0) / (self.n + 4.0)
        return np.asarray(np.sqrt(p * (1.0 - p) / (self.n + 4.0)))

    @property
    def mean_width(self) -> FloatArray:
        """Mean width (area for regions and bands; share of curves held for fresh curves)."""
        n = self.samples
        return np.asarray(np.divide(self.width, n, out=np.full(len(n), np.nan), where=n > 0))

    @property
    def width_sd(self) -> FloatArray:
        """Standard deviation of the width between samples."""
        n, mean = self.samples, self.mean_width
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.sqrt(np.maximum(self.width_sq / n - mean * mean, 0.0) * n / (n - 1.0)))


def counted(
    method: str, quantity: str, at: FloatArray, truth: FloatArray, lower: FloatArray, upper: FloatArray
) -> Coverage:
    """Count intervals of shape (reps, g) against truths of shape (g,) or (reps, g); NaN ends are failures."""
    # Comparisons with NaN are false.
    below, above = np.count_nonzero(truth < lower, axis=0), np.count_nonzero(truth > upper, axis=0)
    width = upper - lower
    point = width == 0.0
    points = np.count_nonzero(point, axis=0)
    met = np.count_nonzero(point & (truth == lower), axis=0) if points.any() else points
    failed = np.isnan(width)
    n = len(lower) - np.count_nonzero(failed, axis=0)
    if failed.any():
        width = np.where(failed, 0.0, width)
    sums = width.sum(axis=0), np.einsum("ij,ij->j", width, width)
    covered = n - below - above
    return Coverage(method, quantity, at, n, n, len(lower) - n, covered, below, above, points, met, *sums)


def counted_region(
    method: str,
    at: FloatArray,
    names: Sequence[str],
    truth: Sequence[FloatArray],
    ends: Sequence[Ends],
) -> list[Coverage]:
    """Count rectangles, none of which fails: both sides ("joint", its width the area), and each alone."""
    sides = [
        counted(method, name, at, true, *both) for name, true, both in zip(names, truth, ends, strict=True)
    ]
    held = [(low <= true) & (true <= high) for true, (low, high) in zip(truth, ends, strict=True)]
    area = (ends[0][1] - ends[0][0]) * (ends[1][1] - ends[1][0])
    zero, reps = np.zeros(len(at), np.int64), np.full(len(at), len(area))
    covered = np.count_nonzero(held[0] & held[1], axis=0)
    sums = area.sum(axis=0), np.einsum("ij,ij->j", area, area)
    points = np.count_nonzero(area == 0.0, axis=0)
    met = np.count_nonzero((area == 0.0) & held[0] & held[1], axis=0)
    return [Coverage(method, "joint", at, reps, reps, zero, covered, zero, zero, points, met, *sums), *sides]


def added(parts: Sequence[list[Coverage]]) -> list[Coverage]:
    """Add up the counts of several parts of a study; each lists the same methods and quantities."""
    total = list(parts[0])
    for part in parts[1:]:
        total = [
            t._replace(**{name: getattr(t, name) + getattr(p, name) for name in (*COUNTS, *SUMS)})
            for t, p in zip(total, part, strict=True)
        ]
    return total


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
            raise ArgumentError("method", f"be one of {', '.join(held)}", wanted, suggest(wanted, held))
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


@public
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
        rows = [(cell, count) for cell in self.cells for count in cell.counts]
        columns, gap = shown.ends(
            {
                "cell": [cell.name for cell, _ in rows],
                "method": [count.method for _, count in rows],
                "quantity": [count.quantity for _, count in rows],
                "coverage": [float(np.mean(count.share)) for _, count in rows],
            },
            shown.MOST_ROWS,
        )
        heading = f"StudyResult: {self.name}, {self.replications} samples a cell"
        table = shown.Table(heading, columns, len(rows), "mean coverage over the places", gap=gap)
        return shown.as_text(table, wide=shown.PAGE)

    def cell(self, name: str) -> CellResult:
        """Return one cell by name."""
        held = {c.name: c for c in self.cells}
        return held[check_choice("cell", name, tuple(held))]

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
        found = found.wide() if wide else found
        share, error = found.share, found.error
        if statistic in OVER_PLACES:
            kept = found.within(between)
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
                    "coverage_error": c.error.tolist(),
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
