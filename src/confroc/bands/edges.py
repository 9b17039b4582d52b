"""Edges of a band on one grid, and the band built from them."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from confroc._check import ArgumentError, as_floats, warned
from confroc._types import BoolArray, FloatArray
from confroc.base import Guarantee, Method
from confroc.curve import CHUNK, RocCurve, joints
from confroc.results import Band, one_sided_limits, sealed
from confroc.scores import Scores, moved_edges
from confroc.scores.counting import kept_rows
from confroc.statistics.rates import LOWER_ZERO

FprRange: TypeAlias = tuple[float, float]
WHOLE: FprRange = (0.0, 1.0)

MOST_JOINTS = 10_000
"""Number of joints of a curve beyond which it is evaluated on the grid of the edges."""


BLOCK = 2**14
"""Block size, in abscissae or steps of curves."""


class Edges(NamedTuple):
    """Two edges on one grid, from 0 to 1 for an ROC curve; a repeated abscissa has left and right limits."""

    at: FloatArray
    lower: FloatArray
    upper: FloatArray


def check_range(fpr: Any) -> FprRange:
    """Return (lo, hi) with 0 <= lo < hi <= 1; None means (0, 1)."""
    if fpr is None:
        return WHOLE
    ends = as_floats("fpr", fpr)
    if len(ends) != 2 or not 0.0 <= ends[0] < ends[1] <= 1.0:
        raise ArgumentError(
            "fpr", "be a pair (lo, hi) with 0 <= lo < hi <= 1", fpr, "Write (0, 0.1) for 0 to 10%."
        )
    return float(ends[0]), float(ends[1])


def merged(*runs: FloatArray | list[float]) -> FloatArray:
    """The sorted distinct values of increasing runs; a stable sort merges them fastest."""
    at = np.concatenate(runs)
    at.sort(kind="stable")
    return np.asarray(at[np.concatenate([[True], at[1:] != at[:-1]])])


def both_limits(x: FloatArray, y: FloatArray, at: FloatArray) -> FloatArray:
    """Left and right limit of a polyline at each abscissa, interleaved; shape (2 * len(at),)."""
    limits = np.empty((len(at), 2))
    one_sided_limits(x, y, at, limits.T)
    return limits.reshape(-1)


def edges_on_one_grid(
    upper_x: FloatArray, upper_y: FloatArray, lower_x: FloatArray, lower_y: FloatArray
) -> Edges:
    """Put two polylines on one grid over [0, 1], with values clipped to [0, 1]."""
    at = merged([0.0, 1.0], *(x[(x > 0.0) & (x < 1.0)] for x in (upper_x, lower_x)))
    edges = Edges(np.repeat(at, 2), both_limits(lower_x, lower_y, at), both_limits(upper_x, upper_y, at))
    for edge in (edges.lower, edges.upper):
        np.clip(edge, 0.0, 1.0, out=edge)
    return edges


def envelope(parts: list[Edges]) -> Edges:
    """Outermost edges of several bands, on the union of their grids.

    Between grid points the maximum of two lines is replaced by its chord.
    """
    at = merged(*(part.at for part in parts))
    lower = outermost(np.minimum, at, *((part.at, part.lower) for part in parts))
    upper = outermost(np.maximum, at, *((part.at, part.upper) for part in parts))
    return Edges(np.repeat(at, 2), lower, upper)


def outermost(which: np.ufunc, at: FloatArray, *polylines: tuple[FloatArray, FloatArray]) -> FloatArray:
    """`both_limits` of the outermost of several polylines: the maximum or the minimum."""
    found = np.empty(2 * len(at))
    for start in range(0, len(at), BLOCK):
        limits = (both_limits(x, y, at[start : start + BLOCK]) for x, y in polylines)
        found[2 * start : 2 * (start + BLOCK)] = functools.reduce(which, limits)
    return found


def without_collinear(edges: Edges) -> Edges:
    """Drop abscissae at which neither edge jumps or turns."""
    columns = list(edges)
    del edges
    _keep_rows(columns, np.append(True, np.logical_or.reduce([c[1:] != c[:-1] for c in columns])))
    kept = np.ones(len(columns[0]), dtype=bool)
    for start in range(1, len(kept) - 1, CHUNK):
        part = slice(start - 1, min(start + CHUNK, len(kept) - 1) + 1)
        dx, *rises = (np.diff(column[part]) for column in columns)
        turns = np.zeros(len(dx) - 1, dtype=bool)
        for dy in rises:
            one, other = dx[:-1] * dy[1:], dx[1:] * dy[:-1]
            # Relative tolerance, so that a smooth edge never loses two adjacent vertices.
            turns |= np.abs(one - other) > 1e-10 * (np.abs(one) + np.abs(other))
        kept[start : part.stop - 1] = turns
    _keep_rows(columns, kept)
    return Edges(*columns)


def _keep_rows(columns: list[FloatArray], kept: BoolArray) -> None:
    """Drop rows column by column, to limit memory."""
    for i in range(len(columns) if not kept.all() else 0):
        columns[i] = kept_rows(columns[i], kept)


def cut_to_range(edges: Edges, fpr_range: FprRange, least: float = 0.0) -> Edges:
    """Widen the edges to `least` and 1 outside a range of false positive rates."""
    if fpr_range == WHOLE:
        return edges
    at = np.union1d(edges.at, fpr_range)
    grid = np.repeat(at, 2)
    low, high = (both_limits(edges.at, edge, at) for edge in (edges.lower, edges.upper))
    # The left limit at the start of the range and the right limit at its end lie outside.
    outside = (grid < fpr_range[0]) | (grid > fpr_range[1])
    outside[0::2] |= (at == fpr_range[0]) & (at > 0.0)
    outside[1::2] |= (at == fpr_range[1]) & (at < 1.0)
    return without_collinear(Edges(grid, np.where(outside, least, low), np.where(outside, 1.0, high)))


def on_joints(at: FloatArray, *polylines: tuple[FloatArray, FloatArray]) -> list[FloatArray]:
    """Return the abscissae and the values of each polyline; an abscissa is repeated at a jump."""
    return where_jumps(at, [both_limits(x, y, at) for x, y in polylines])


def where_jumps(at: FloatArray, columns: list[FloatArray]) -> list[FloatArray]:
    """The same from `both_limits` of each polyline, in place."""
    columns.insert(0, np.repeat(at, 2))
    kept = np.ones(2 * len(at), dtype=bool)
    kept[1::2] = np.logical_or.reduce([c[1::2] != c[0::2] for c in columns[1:]])
    _keep_rows(columns, kept)
    return columns


def widened_edges(edges: Edges, scores: Scores) -> Edges:
    """Widen the edges by the bound on the effect of rounded scores."""
    if scores.exact:
        return edges
    upper, lower = moved_edges(scores, *edges)
    return edges_on_one_grid(*upper, *lower)


ZERO_WIDTH = (
    "The band has zero width because all resamples or curves are identical; it does not show the remaining "
    "uncertainty. Use method='equal_local_levels'."
)
"""The note on a band of zero width."""


def band_of(
    edges: Edges,
    curve: RocCurve,
    method: Method,
    level: float,
    *,
    guarantee: Guarantee,
    notes: tuple[str, ...] = (),
    fpr_range: FprRange = WHOLE,
) -> Band:
    """Return the band with these edges, `cut_to_range`, and this curve, on a grid of the joints of all three.

    Edges without other references are freed early.
    """
    turns = joints(curve)
    at = merged(edges.at, turns) if len(turns) <= MOST_JOINTS else merged(edges.at)
    del turns
    limits = [both_limits(edges.at, edge, at) for edge in (edges.lower, edges.upper)]
    del edges
    limits.insert(0, both_limits(curve.fpr, curve.tpr, at))
    fpr, tpr, lower, upper = where_jumps(at, limits)
    for edge in (lower, upper):
        np.clip(edge, 0.0, 1.0, out=edge)
    band = Band(
        at=sealed(fpr),
        estimate=sealed(tpr),
        lower=sealed(lower),
        upper=sealed(upper),
        confidence_level=level,
        method=method,
        guarantee=guarantee,
        kind=method.kind,
        notes=notes,
        at_range=fpr_range,
    )
    if band.lower_vacuous_until > fpr_range[0]:
        notes += (f"{LOWER_ZERO}{band.lower_vacuous_until:.3g}.",)
    # Displacement by zero may round.
    if band.area <= 1e-9:
        notes += zero_width()
    return replace(band, notes=notes)


def zero_width() -> tuple[str, ...]:
    """Warn of a band of zero width, and return the note."""
    return warned(ZERO_WIDTH, where=True)
