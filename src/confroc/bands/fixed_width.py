"""Fixed-width bands: the curve displaced along a fixed slope (Campbell 1994)."""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import numpy as np

from confroc._types import FloatArray, IntArray
from confroc.bands.curves import Curves, CurvesBand
from confroc.bands.edges import Edges, edges_on_one_grid
from confroc.base import method_class
from confroc.curve import CHUNK, RocCurve, turns_of_counts
from confroc.resample import critical_value

Slope: TypeAlias = Literal["corrected", "published"]


def steepness(slope: Slope, n_pos: float, n_neg: float) -> float:
    """Vertical displacement per unit of horizontal displacement.

    The ratio of the standard deviations of the two rates, √(1/n₊)/√(1/n₋) = √(n₋/n₊); Macskassy &
    Provost (2004, §3.7) print its inverse.
    """
    return math.sqrt(n_neg / n_pos) if slope == "corrected" else math.sqrt(n_pos / n_neg)


def displacement(x: FloatArray, y: FloatArray, other_x: FloatArray, other_y: FloatArray, k: float) -> float:
    """Largest horizontal part of the displacement along slope −k that takes one curve to the other.

    A line of slope −k meets an increasing curve once, at one value of k·x + y, which increases along the
    curve; both curves are polylines in this value, so the largest distance is at a vertex.
    """
    return max(_farthest(x, y, other_x, other_y, k), _farthest(other_x, other_y, x, y, k))


def _farthest(x: FloatArray, y: FloatArray, other_x: FloatArray, other_y: FloatArray, k: float) -> float:
    """The same over the vertices of the first curve."""
    other_w, most = k * other_x + other_y, 0.0
    for start in range(0, len(x), CHUNK):
        part = x[start : start + CHUNK]
        across = np.interp(k * part + y[start : start + CHUNK], other_w, other_x) - part
        most = max(most, float(across.max()), -float(across.min()))
    return most


def displaced(curve: RocCurve, s: float, k: float) -> Edges:
    """Edges of the band of all curves within displacement s along slope −k."""
    return edges_on_one_grid(curve.fpr - s, curve.tpr + k * s, curve.fpr + s, curve.tpr - k * s)


@method_class
class FixedWidth(CurvesBand):
    """Fixed-width band.

    The curve displaced along a fixed slope, by the distance that contains the stated proportion of resampled
    curves (Campbell 1994; Macskassy & Provost 2004, §3.7).

    Attributes
    ----------
    slope : {"corrected", "published"}
        −√(n₋/n₊), the ratio of the rates' standard deviations, or −√(n₊/n₋) as printed in Macskassy & Provost
        (2004).
    """

    name = "fixed_width"
    papers = ("campbell1994", "macskassy2004")
    caution = "Its constant width is too wide at both ends of the curve."
    slope: Slope = "corrected"

    def edges(self, curves: Curves, level: float) -> Edges:
        """Edges around the center that contain a proportion `level` of the curves."""
        k = steepness(self.slope, curves.n_pos, curves.n_neg)
        center = curves.center

        def distance(pos: IntArray, neg: IntArray, _: FloatArray) -> FloatArray:
            fpr, tpr = (above / above[-1] for above in turns_of_counts(pos, neg))
            return np.array(displacement(center.fpr, center.tpr, fpr, tpr, k))

        return displaced(center, critical_value(curves.each(distance), level), k)
