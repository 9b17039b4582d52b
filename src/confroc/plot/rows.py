"""Rows of forest plots and their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.ticker import FixedLocator
from numpy.typing import NDArray

from confroc._types import FloatArray
from confroc.plot.names import LETTER, LONGEST_LINE, cut_labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import ErrorbarContainer
    from matplotlib.lines import Line2D

LEAST_FONT = 5.5
# Of a row's height, for its name; titles and legends use some of the axes' height.
ROW_SHARE = 0.8
# In units of the font's size: the height of a line.
LINE = 1.2


def rows_height(rows: int) -> float:
    """Return the height in inches of a figure with this number of rows."""
    return 0.9 + 0.45 * rows


def further_rows(ax: Axes, names: Sequence[str]) -> tuple[NDArray[np.intp], list[str]]:
    """Return the positions of rows below those already drawn, and the names of all rows."""
    fixed = isinstance(ax.yaxis.get_major_locator(), FixedLocator)
    taken = [label.get_text() for label in ax.get_yticklabels()] if fixed else []
    return np.arange(len(taken), len(taken) + len(names)), [*taken, *names]


def forest(
    ax: Axes,
    color: Any,
    at: NDArray[Any],
    estimate: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    options: dict[str, Any],
    *,
    filled: bool = True,
) -> tuple[ErrorbarContainer, Line2D]:
    """Draw intervals as rows at heights `at`, from top to bottom."""
    # Bars hang on their middle, because a smoothed interval need not contain its estimate.
    look: dict[str, Any] = {"fmt": "none", "ecolor": color, "elinewidth": 1.8}
    bars = ax.errorbar((lower + upper) / 2.0, at, xerr=(upper - lower) / 2.0, **(look | options))
    face = color if filled else ax.get_facecolor()
    (points,) = ax.plot(
        estimate, at, linestyle="none", marker="o", markersize=6, color=color, markerfacecolor=face
    )
    ax.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    return bars, points


def name_rows(ax: Axes, names: Sequence[str]) -> float:
    """Write the names of the rows, and return their font size.

    It is limited by the height of the rows and half of the width. If there are many rows, names are shortened
    to one line, each of a pair by itself.
    """
    pairs = [re.split(r" −\s", name) for name in names]
    parts = list(dict.fromkeys(part for pair in pairs for part in pair))
    cut = dict(zip(parts, cut_labels(parts, LONGEST_LINE // max(map(len, pairs))), strict=True))
    short = [" − ".join(cut[part] for part in pair) for pair in pairs]
    ax.set_ylim(len(names) - 0.5, -0.5)
    row = 72.0 * ROW_SHARE * ax.bbox.height / ax.figure.dpi / len(names)
    wide = 36.0 * ax.figure.bbox.width / ax.figure.dpi
    for told in (names, short):
        lines = [name.splitlines() or [""] for name in told]
        longest = max(len(line) for name in lines for line in name)
        size = min(row / (LINE * max(map(len, lines))), wide / (LETTER * max(1, longest)))
        if size >= LEAST_FONT:
            break
    usual = FontProperties(size=mpl.rcParams["ytick.labelsize"]).get_size_in_points()
    size = min(usual, max(LEAST_FONT, size))
    ax.set_yticks(np.arange(len(names)), told, fontsize=size)
    return size
