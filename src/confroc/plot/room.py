"""Where a text finds room beside a line: on no line, and nearer to its own than to any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from confroc._types import FloatArray

if TYPE_CHECKING:
    from matplotlib.lines import Line2D
    from matplotlib.transforms import Bbox

APART, CLEAR = 3.0, 9.0
"""Points from a line to its text, and at least from the text to any other line."""
SIDES = ((1, -1), (-1, 1), (1, 1), (-1, -1), (1, 0), (-1, 0))
"""Where a text stands from a point of its line: right or left of it, above or below."""


def pixels(line: Line2D, room: Bbox) -> FloatArray:
    """Points of a line as it is seen in the axes, no two further apart than two pixels."""
    drawn = np.asarray(line.get_transform().transform(line.get_xydata()), dtype=np.float64)
    drawn = drawn[np.isfinite(drawn).all(axis=1)]
    if len(drawn) < 2:
        return drawn
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(drawn, axis=0).T))])
    even = np.linspace(0.0, along[-1], int(np.clip(along[-1] / 2.0, 2, 40_000)))
    points = np.column_stack([np.interp(even, along, drawn[:, k]) for k in (0, 1)])
    # What lies beyond the axes is not seen.
    near = room.padded(10.0)
    return np.asarray(points[((points >= near.min) & (points <= near.max)).all(axis=1)])


def boxes_of(at: FloatArray, side: tuple[int, int], size: tuple[float, float], apart: float) -> FloatArray:
    """Boxes (x0, y0, x1, y1) of a text on a side of each point."""
    low = [at[:, k] + apart * side[k] - size[k] * {1: 0.0, 0: 0.5, -1: 1.0}[side[k]] for k in (0, 1)]
    return np.column_stack([*low, low[0] + size[0], low[1] + size[1]])


def free_place(
    own: FloatArray,
    others: FloatArray,
    placed: list[FloatArray],
    size: tuple[float, float],
    room: Bbox,
    dot: float,
) -> tuple[FloatArray | None, tuple[int, int]]:
    """Where along a line, and on which side, a text is on no line and nearest to its own by far."""
    best: tuple[FloatArray | None, tuple[int, int]] = (None, (0, 0))
    if not len(own) or not len(others):
        return best
    most = CLEAR * dot
    anchors = own[:: max(1, len(own) // 60)]
    for side in SIDES:
        boxes = boxes_of(anchors, side, size, APART * dot)
        inside = ((boxes[:, :2] >= room.min) & (boxes[:, 2:] <= room.max)).all(axis=1)
        boxes, starts = boxes[inside], anchors[inside]
        if not len(boxes):
            continue
        gap = _gaps(boxes, others)
        for other in placed:
            apart = np.maximum(other[:2] - boxes[:, 2:], boxes[:, :2] - other[2:]).max(axis=1)
            gap = np.minimum(gap, np.where(apart > 0.0, np.inf, -1.0))
        gap[_gaps(boxes, own) < 0.5 * dot] = -1.0
        k = int(np.argmax(gap))
        if gap[k] > most:
            most, best = float(gap[k]), (starts[k], side)
    return best


def _gaps(boxes: FloatArray, points: FloatArray) -> FloatArray:
    """How far each box is from the nearest of the points."""
    x, y = points[None, :, 0], points[None, :, 1]
    dx = np.maximum(boxes[:, 0, None] - x, x - boxes[:, 2, None]).clip(0.0)
    dy = np.maximum(boxes[:, 1, None] - y, y - boxes[:, 3, None]).clip(0.0)
    gaps: FloatArray = np.hypot(dx, dy).min(axis=1)
    return gaps
