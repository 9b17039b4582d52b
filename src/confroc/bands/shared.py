"""What every band shares: its result class, edges on one grid, and checks of the arguments."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np

from confroc._check import ArgumentError, as_floats, check_count
from confroc._types import FloatArray
from confroc.curve import RocCurve
from confroc.results import Band, Guarantee, Kind, one_sided_limits

FprRange: TypeAlias = tuple[float, float]
WHOLE: FprRange = (0.0, 1.0)
MOST_JOINTS = 10_000
Item = TypeVar("Item")
Out = TypeVar("Out")


class Edges(NamedTuple):
    """Two edges on one grid from 0 to 1, every abscissa twice (left and right limit)."""

    fpr: FloatArray
    lower: FloatArray
    upper: FloatArray


def edges_on_one_grid(
    upper_x: FloatArray, upper_y: FloatArray, lower_x: FloatArray, lower_y: FloatArray
) -> Edges:
    """Put two polylines on one grid over [0, 1], every abscissa twice (left and right limit)."""
    inner = np.concatenate([upper_x, lower_x])
    at = np.unique(np.concatenate([[0.0, 1.0], inner[(inner > 0.0) & (inner < 1.0)]]))
    grid = np.repeat(at, 2)
    edges = []
    for px, py in ((lower_x, lower_y), (upper_x, upper_y)):
        edge = np.empty_like(grid)
        edge[0::2], edge[1::2] = one_sided_limits(px, py, at)
        edges.append(np.clip(edge, 0.0, 1.0))
    return Edges(grid, edges[0], edges[1])


def envelope(parts: list[Edges]) -> Edges:
    """Outermost edges of several bands, on the union of their grids.

    Between grid points the larger of two straight lines is replaced by the chord above it.
    """
    at = np.unique(np.concatenate([part.fpr for part in parts]))
    grid = np.repeat(at, 2)
    lower, upper = np.full(len(grid), np.inf), np.full(len(grid), -np.inf)
    for part in parts:
        for side, (low, high) in enumerate(
            zip(
                one_sided_limits(part.fpr, part.lower, at),
                one_sided_limits(part.fpr, part.upper, at),
                strict=True,
            )
        ):
            lower[side::2] = np.minimum(lower[side::2], low)
            upper[side::2] = np.maximum(upper[side::2], high)
    return Edges(grid, lower, upper)


def without_collinear(edges: Edges) -> Edges:
    """Drop abscissae at which neither edge jumps or turns."""
    steps = [np.diff(column) != 0.0 for column in edges]
    x, low, high = (column[np.concatenate([[True], np.logical_or.reduce(steps)])] for column in edges)
    turns = np.zeros(max(len(x) - 2, 0), dtype=bool)
    for y in (low, high):
        one, other = np.diff(x)[:-1] * np.diff(y)[1:], np.diff(x)[1:] * np.diff(y)[:-1]
        # Relative, so that a smooth edge never loses two neighbours in a row to rounding.
        turns |= np.abs(one - other) > 1e-10 * (np.abs(one) + np.abs(other))
    kept = np.concatenate([[True], turns, [True]])
    return Edges(x[kept], low[kept], high[kept])


def cut_to_range(edges: Edges, fpr_range: FprRange) -> Edges:
    """Widen the edges to 0 and 1 outside a range of false positive rates."""
    if fpr_range == WHOLE:
        return edges
    at = np.union1d(edges.fpr, fpr_range)
    grid = np.repeat(at, 2)
    low, high = np.empty_like(grid), np.empty_like(grid)
    for edge, source in ((low, edges.lower), (high, edges.upper)):
        edge[0::2], edge[1::2] = one_sided_limits(edges.fpr, source, at)
    # A left limit at the start of the range, and a right limit at its end, lie outside it.
    outside = (grid < fpr_range[0]) | (grid > fpr_range[1])
    outside[0::2] |= (at == fpr_range[0]) & (at > 0.0)
    outside[1::2] |= (at == fpr_range[1]) & (at < 1.0)
    return without_collinear(Edges(grid, np.where(outside, 0.0, low), np.where(outside, 1.0, high)))


def make_band(
    edges: Edges,
    curve: RocCurve,
    *,
    level: float,
    method: str,
    guarantee: Guarantee,
    kind: Kind = "simultaneous",
    notes: tuple[str, ...] = (),
    fpr_range: FprRange = WHOLE,
) -> Band:
    """Wrap edges, with the empirical curve, on a grid of the joints of all three."""
    edges = cut_to_range(edges, fpr_range)
    joints = curve.corners().fpr
    # A longer curve is sampled on the edges' own grid.
    at = np.union1d(edges.fpr, joints) if len(joints) <= MOST_JOINTS else np.unique(edges.fpr)
    columns = [np.repeat(at, 2)]
    for x, y in ((curve.fpr, curve.tpr), (edges.fpr, edges.lower), (edges.fpr, edges.upper)):
        columns.append(np.empty(2 * len(at)))
        columns[-1][0::2], columns[-1][1::2] = one_sided_limits(x, y, at)
    kept = np.ones(2 * len(at), dtype=bool)
    kept[1::2] = np.logical_or.reduce([c[1::2] != c[0::2] for c in columns[1:]])
    fpr, tpr, lower, upper = (c[kept] for c in columns)
    band = Band(
        at=fpr,
        estimate=tpr,
        lower=np.clip(lower, 0.0, 1.0),
        upper=np.clip(upper, 0.0, 1.0),
        confidence_level=level,
        method=method,
        guarantee=guarantee,
        kind=kind,
        notes=notes,
        at_range=fpr_range,
    )
    until = band.lower_vacuous_until
    if until > fpr_range[0]:
        note = f"The lower edge is zero, and says nothing, for fpr below {until:.4g}."
        object.__setattr__(band, "notes", (*notes, note))
    return band


def check_range(fpr: object) -> FprRange:
    """Return (lo, hi) with 0 <= lo < hi <= 1; None means all."""
    if fpr is None:
        return WHOLE
    ends = as_floats("fpr", np.asarray(fpr))
    if len(ends) != 2 or not 0.0 <= ends[0] < ends[1] <= 1.0:
        raise ArgumentError(
            "fpr", "be a pair (lo, hi) with 0 <= lo < hi <= 1", fpr, "Write (0, 0.1) for 0 to 10 %."
        )
    return float(ends[0]), float(ends[1])


def check_band_resamples(n_resamples: object, level: float) -> int:
    """Return the number of resamples, at least 1/(1 − level)."""
    needed = math.ceil(1.0 / (1.0 - level) - 1e-9)
    count = check_count("n_resamples", n_resamples)
    if count < needed:
        raise ArgumentError(
            "n_resamples",
            f"be at least 1/(1 - level) = {needed}, so that the level can leave one out",
            count,
            "Ask for more resamples.",
        )
    return count


def critical_rank(n_resamples: int, level: float) -> int:
    """Rank of the resampled value that bounds a new one with at least `level`: ⌈(B + 1)·level⌉, at most B."""
    return min(n_resamples, math.ceil((n_resamples + 1) * level - 1e-9))


def critical_value(values: FloatArray, level: float) -> float:
    """Return the order statistic of the resampled values that bounds a new one with at least `level`."""
    return float(np.sort(values)[critical_rank(len(values), level) - 1])


def in_threads(func: Callable[[Item], Out], items: Sequence[Item], n_jobs: int) -> list[Out]:
    """Map a function over items, in order, on `n_jobs` threads."""
    if n_jobs == 1:
        return [func(item) for item in items]
    import joblib

    call = joblib.delayed(func)
    found: list[Out] = joblib.Parallel(n_jobs=n_jobs, prefer="threads")(call(item) for item in items)
    return found
