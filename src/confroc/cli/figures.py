"""The pictures of `--plot`: displays of several models on one pair of axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import confroc

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from confroc.results import Intervals
    from confroc.scores import Scores


def draw_points(ax: Axes, models: Mapping[str, Scores], found: Mapping[str, Mapping[str, Any]]) -> None:
    """Curves, each with its points and their intervals in its colour."""
    curves = []
    for name, model in models.items():
        curve = confroc.roc_curve(model).plot(ax=ax, name=name).line_
        curves.append(curve)
        for points in found[name].values():
            points.plot(ax=ax, name=name, color=curve.get_color())
    # What the points are is said by their curve's colour.
    ax.legend(handles=curves, loc="lower right", frameon=False)


def draw_hourglass(ax: Axes, curves: Mapping[str, Intervals]) -> None:
    """Forecast bounds against the distance allowed; the nearer, the narrower."""
    lines = []
    for name, curve in curves.items():
        line = confroc.plot.IntervalsDisplay(curve, style="ribbon").plot(ax=ax, name=name).line_
        line.set_label(name)
        lines.append(line)
    measure = next(iter(curves.values())).method
    # Far from the sample the bounds open fast; equal ratios show both ends.
    ax.set(xscale="log", xlabel=f"Divergence from these cases ({measure}, both classes)", ylabel="AUC")
    ax.legend(handles=lines, loc="upper left", frameon=False)


def draw_costs(ax: Axes, bands: Mapping[str, Any]) -> None:
    """Cost curves inside their bands."""
    for name, band in bands.items():
        band.plot(ax=ax, name=name)
    ax.set(xlabel="w, weight of false negatives", ylabel="Normalised cost")
