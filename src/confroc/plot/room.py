"""Where texts find room: beside a line, on none and nearer to its own than to any other; under an axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import rcParams
from matplotlib.axis import Axis
from matplotlib.font_manager import FontProperties
from matplotlib.ticker import AutoLocator, MaxNLocator

from confroc._types import FloatArray

if TYPE_CHECKING:
    from matplotlib.lines import Line2D
    from matplotlib.transforms import Bbox

APART, CLEAR = 3.0, 9.0
"""Points from a line to its text, and at least from the text to any other line."""
SIDES = ((1, -1), (-1, 1), (1, 1), (-1, -1), (1, 0), (-1, 0))
"""Where a text stands from a point of its line: right or left of it, above or below."""
DIGIT, BETWEEN = 0.62, 0.5
"""In units of the font's size: the width of a digit, and what is left between two labels of ticks."""


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


class FewerTicks(AutoLocator):
    """Ticks as usual, or else fewer, for their labels not to run into each other in the axes as laid out."""

    def tick_values(self, vmin: float, vmax: float) -> Any:
        """Return where ticks stand in these limits; asked for by matplotlib whenever it draws."""
        ticks = super().tick_values(vmin, vmax)
        axis = self.axis
        if not isinstance(axis, Axis) or axis.get_scale() != "linear":
            return ticks
        box, figure = axis.axes.bbox, axis.axes.figure
        size = axis.get_tick_params().get("labelsize", rcParams["xtick.labelsize"])
        em = FontProperties(size=size).get_size_in_points() * figure.dpi / 72.0
        room = box.width / (em * max(abs(vmax - vmin), 1e-300))
        for most in range(len(ticks), 0, -1):
            words = axis.get_major_formatter().format_ticks(list(ticks))
            step = room * np.diff(ticks).min(initial=np.inf)
            if step >= DIGIT * max(map(len, words), default=0) + BETWEEN:
                break
            ticks = MaxNLocator(most, steps=[1, 2, 2.5, 5, 10], min_n_ticks=1).tick_values(vmin, vmax)
        return ticks
