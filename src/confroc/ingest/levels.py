"""Rounding scores to fewer levels inside an engine, by its own grouped counts.

A level is a range of scores with about the same proportion of each class. The engine finds the level of a
score by a few comparisons and one linear step, which gives identical results in every engine. The balance of
the levels affects the size of the error; the reported bound depends only on the counts and on each level's
lowest and highest score.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from confroc._check import ArgumentError
from confroc._types import FloatArray
from confroc.ingest.cases import CellCounts, Chosen, DesignCells, JoinedSums, Placements, Survey

Code = TypeVar("Code")

FINE = 4096
"""Cells of the histogram from which levels are chosen."""
PIECES = 32
"""Number of linear pieces of the map, with about equal proportions of the cases."""
ATOMS = 64
"""Maximum number of single scores with many cases that get a level of their own."""
ROUNDS = 3
"""Maximum number of histogram passes, each with the map from the last, until cells are balanced."""


class Piece(NamedTuple):
    """Scores from `start` to the next piece: cells `first`, ..., first + cells − 1, each 1/slope wide."""

    start: float
    slope: float
    first: int
    cells: int


class LevelMap(NamedTuple):
    """The map from scores to cells, by pieces of increasing start; the first includes all lower scores."""

    pieces: tuple[Piece, ...]

    def cell(self, values: FloatArray) -> FloatArray:
        """Cells of an array."""
        start, slope, first, cells = (np.array(column, float) for column in zip(*self.pieces, strict=True))
        k = np.searchsorted(start[1:], values, side="right")
        found: FloatArray = np.minimum(np.floor((values - start[k]) * slope[k]), cells[k] - 1.0) + first[k]
        return found

    def _tree(self, choose: Callable[[float, Code, Code], Code], leaf: Callable[[Piece], Code]) -> Code:
        """Expression of a binary search; `choose(x, below, above)` selects the code on one side of x."""

        def between(low: int, high: int) -> Code:
            if high - low == 1:
                return leaf(self.pieces[low])
            middle = (low + high) // 2
            return choose(self.pieces[middle].start, between(low, middle), between(middle, high))

        return between(0, len(self.pieces))

    def sql(self, column: str) -> str:
        """Cells as an SQL expression."""

        def leaf(p: Piece) -> str:
            if p.cells == 1:
                return number(p.first)
            within = f"floor(({column} - {number(p.start)}) * {number(p.slope)})"
            return f"least({within}, {number(p.cells - 1)}) + {number(p.first)}"

        return self._tree(
            lambda x, below, above: f"(CASE WHEN {column} < {number(x)} THEN {below} ELSE {above} END)", leaf
        )

    def expression(self, name: str) -> Any:
        """Cells as a narwhals expression."""
        import narwhals as nw

        column = nw.col(name)

        def leaf(p: Piece) -> Any:
            if p.cells == 1:
                return nw.lit(float(p.first))
            within = ((column - p.start) * p.slope).clip(upper_bound=p.cells - 1.0)
            # Narwhals has `floor` from version 2.9 only.
            return (within // 1.0).cast(nw.Float64) + float(p.first)

        return self._tree(lambda x, below, above: nw.when(column < x).then(below).otherwise(above), leaf)


class CaseTable(Protocol):
    """A table in any engine."""

    @property
    def name(self) -> str:
        """Name for messages and reports."""

    @property
    def columns(self) -> Sequence[str]:
        """Column names."""

    def survey(self, label: str, scores: Sequence[str]) -> Survey:
        """Survey the rows in one pass."""

    def tally(self, chosen: Chosen, keys: Mapping[str, LevelMap | None]) -> CellCounts:
        """Count the chosen cases per distinct value of the key columns, or per cell of those with a map."""

    def design_cells(self, chosen: Chosen, weight: str | None, identifiers: Sequence[str]) -> DesignCells:
        """Count the chosen cases per class, scores, weight and identifiers."""

    def difference_sums(self, chosen: Chosen, placed: Placements) -> JoinedSums:
        """Look up each chosen case's placements by its scores, and sum powers of the models' differences.

        One pass. Cases with a score that is not in its model's table are excluded.
        """

    def values(self, column: str, most: int) -> Sequence[tuple[Any, int]]:
        """Distinct values of a column, at most `most`, with their numbers of rows."""

    def numbered(self, column: str, values: Sequence[Sequence[Any]]) -> CaseTable:
        """The table with a column `GROUP_NUMBER`: the number, from 1, of the list with the row's value."""


def number(value: float) -> str:
    """SQL for a double, exactly."""
    return f"'{float(value)!r}'::DOUBLE"


def find_steps(
    table: CaseTable, chosen: Chosen, column: str, ends: tuple[float, float], cells: int
) -> LevelMap | None:
    """Find a map to at most `cells` levels with about the same proportion of each class.

    None if no rounding is needed.
    """
    low, high = (float(end) for end in ends)
    if not np.isfinite(high - low):
        rule = "span less than 1.8e308"
        raise ArgumentError(f"score {column}", rule, (low, high), "Divide the scores by 4.")
    steps = _steps(np.array([low]), np.array([high]), np.array([1.0]), FINE)
    for _ in range(ROUNDS):
        tally = table.tally(chosen, {column: steps})
        mass = 0.5 * (tally.pos / tally.pos.sum() + tally.neg / tally.neg.sum())
        order = np.argsort(tally.low[0])
        bottom, top, mass = tally.low[0][order], tally.high[0][order], mass[order]
        if len(mass) <= cells and (bottom == top).all():
            return None
        if mass[bottom < top].max(initial=0.0) <= 2.0 / cells:
            break
        steps = _steps(bottom, top, mass, FINE)
    return _steps(bottom, top, mass, cells)


def _shares(cells: int) -> FloatArray:
    """Cumulative proportions at which pieces meet: equal ones, repeatedly halved towards both ends.

    A straight line fits the long tails worst, and would put nearly all of them in one cell.
    """
    width = 1.0 / min(PIECES, cells // 4)
    tail = width * 0.5 ** np.arange(1, max(2, math.ceil(math.log2(2.0 * cells * width)) + 1))
    return np.unique(np.concatenate([tail, np.arange(width, 1.0 - 0.5 * width, width), 1.0 - tail]))


def _steps(bottom: FloatArray, top: FloatArray, mass: FloatArray, cells: int) -> LevelMap:
    """Build the map from a histogram: lowest and highest score and proportion of each cell."""
    heavy = np.flatnonzero((bottom == top) & (mass > 2.0 / cells))
    heavy = heavy[np.argsort(-mass[heavy], kind="stable")][: min(ATOMS, cells // 5)]
    spread = mass.copy()
    spread[heavy] = 0.0
    below = np.concatenate([[0.0], np.cumsum(spread)])
    picked = np.unique(np.searchsorted(below, _shares(cells) * below[-1], side="right") - 1)
    picked = picked[picked < len(mass)]
    # Use both ends of a full cell, because the distribution within it is unknown.
    full = picked[spread[picked] > max(2.0 / cells, 0.5 / PIECES) * below[-1]]
    room = cells - 2 * len(heavy) - 1
    if len(picked) + len(full) > room:
        full, picked = full[:0], picked[np.linspace(0, len(picked) - 1, min(room, len(picked))).astype(int)]
    single = bottom[heavy]
    knots = [
        (bottom[:1], below[:1]),
        (bottom[picked], below[picked]),
        (top[full], below[full + 1]),
        (single, below[heavy]),
        (np.nextafter(single, np.inf), below[heavy]),
        (top[-1:], below[-1:]),
    ]
    at, height = (np.concatenate(column) for column in zip(*knots, strict=True))
    order = np.lexsort([height, at])
    at, height = at[order], height[order]
    kept = np.concatenate([at[1:] > at[:-1], [True]])
    at, height = at[kept], height[kept]
    alone = np.isin(at[:-1], single)
    room = cells - len(at) + 1
    # One cell each, and the rest proportionally, with cumulative rounding so that none is lost.
    share = np.cumsum(np.where(alone, 0.0, np.maximum(np.diff(height), 0.0))) / (below[-1] or 1.0)
    n = 1 + np.diff(np.floor(np.minimum(share, 1.0) * room + 1e-9), prepend=0.0).astype(int)
    with np.errstate(over="ignore"):
        slope = n / np.diff(at)
    n, slope = np.where(np.isfinite(slope), n, 1), np.where(np.isfinite(slope), slope, 0.0)
    first = np.cumsum(n) - n
    found = zip(at[:-1].tolist(), slope.tolist(), first.tolist(), n.tolist(), strict=True)
    return LevelMap(tuple(Piece(*piece) for piece in found) or (Piece(float(at[0]), 0.0, 0, 1),))
