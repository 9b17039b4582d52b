"""Fixed-width bands: the curve displaced along one slanted direction (Campbell 1994)."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias, get_args

import numpy as np

from confroc._types import FloatArray, IntArray
from confroc.bands.curves import Curves
from confroc.bands.edges import Edges, edges_on_one_grid
from confroc.curve import RocCurve
from confroc.resample import critical_value

Slope: TypeAlias = Literal["corrected", "published"]
SLOPES: tuple[Slope, ...] = get_args(Slope)


def steepness(slope: Slope, n_pos: float, n_neg: float) -> float:
    """Vertical displacement per unit of horizontal displacement.

    The ratio of the standard deviations of the two rates, √(1/n₊)/√(1/n₋) = √(n₋/n₊); Macskassy &
    Provost (2004, §3.7) print its inverse.
    """
    return math.sqrt(n_neg / n_pos) if slope == "corrected" else math.sqrt(n_pos / n_neg)


def displacement(x: FloatArray, y: FloatArray, other_x: FloatArray, other_y: FloatArray, k: float) -> float:
    """Largest horizontal part of the displacement along slope −k that takes one curve to the other.

    A line of slope −k meets an increasing curve once, at one value of k·x + y, which grows along the
    curve; both curves are polylines in it, so the largest distance is at a vertex of one of them.
    """
    w, other_w = k * x + y, k * other_x + other_y
    return max(
        float(np.abs(np.interp(w, other_w, other_x) - x).max()),
        float(np.abs(np.interp(other_w, w, x) - other_x).max()),
    )


def displaced(curve: RocCurve, s: float, k: float) -> Edges:
    """Edges of the band of all curves within displacement s along slope −k."""
    x, y = curve.fpr, curve.tpr
    return edges_on_one_grid(
        np.append(x - s, 1.0),
        np.append(y + k * s, 1.0 + k * s),
        np.concatenate([[0.0], x + s]),
        np.concatenate([[-k * s], y - k * s]),
    )


def fixed_width(curves: Curves, level: float, *, slope: Slope) -> Edges:
    """Band around the centre just wide enough to contain the curves with probability `level`."""
    k = steepness(slope, curves.n_pos, curves.n_neg)
    centre = curves.centre

    def distance(pos: IntArray, neg: IntArray, _: FloatArray) -> FloatArray:
        fpr, tpr = (np.concatenate([[0.0], np.cumsum(n) / n.sum()]) for n in (neg, pos))
        return np.array(displacement(centre.fpr, centre.tpr, fpr, tpr, k))

    return displaced(centre, critical_value(curves.each(distance), level), k)
