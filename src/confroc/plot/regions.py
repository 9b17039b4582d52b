"""Rectangles in ROC space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.patches import Rectangle

from confroc.plot.scales import roc_axes
from confroc.plot.style import BAND_ALPHA, GUIDE, legend, new_axes, next_color, percent, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import FigureBase
    from matplotlib.lines import Line2D

    from confroc.results import Regions


class RegionsDisplay:
    """Confidence rectangles for (FPR, TPR), each around its operating point.

    Differences of two models are drawn on axes through zero instead of ROC axes.

    Parameters
    ----------
    regions : Regions

    Attributes
    ----------
    boxes_ : matplotlib PatchCollection
    points_ : matplotlib Line2D
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from confroc import Scores, rates_at_threshold
    >>> from confroc.plot import RegionsDisplay
    >>> regions = rates_at_threshold(Scores([1, 0, 1, 0], [4, 3, 2, 1]), [2, 3])
    >>> RegionsDisplay(regions).plot(ax=Figure().add_subplot()).points_.get_label()
    '95 % regions'
    """

    boxes_: PatchCollection
    points_: Line2D
    ax_: Axes
    figure_: FigureBase

    def __init__(self, regions: Regions) -> None:
        self.regions = regions

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **kwargs: Any) -> Self:
        """Draw the rectangles and their operating points.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        name : str, optional
            What the legend calls them; the level is added.
        **kwargs
            Passed to `matplotlib.collections.PatchCollection`; `color` also colours the points.

        Returns
        -------
        RegionsDisplay
        """
        ax = new_axes(ax, figsize=(5.0, 5.0))
        regions = self.regions
        fpr, tpr = regions.fpr, regions.tpr
        color = kwargs.pop("color", None) or next_color(ax)
        corners = np.column_stack([fpr.lower, tpr.lower, fpr.upper - fpr.lower, tpr.upper - tpr.lower])
        boxes = [Rectangle((x, y), width, height) for x, y, width, height in corners]
        options: dict[str, Any] = {"color": color, "alpha": BAND_ALPHA, "linewidth": 1.0}
        self.boxes_ = PatchCollection(boxes, **(options | kwargs))
        ax.add_collection(self.boxes_)
        level = percent(regions.confidence_level)
        label = f"{level} regions" if regions.joint else f"{level} on each axis"
        (self.points_,) = ax.plot(
            fpr.estimate,
            tpr.estimate,
            linestyle="none",
            marker="o",
            markersize=5,
            color=color,
            label=label if name is None else f"{plain(name)} ({label})",
        )
        if fpr.quantity == "fpr":
            roc_axes(ax)
        else:
            ax.axhline(0.0, **GUIDE)
            ax.axvline(0.0, **GUIDE)
            ax.set(
                aspect="equal",
                xlabel="False positive rate, a − b",
                ylabel="True positive rate, a − b",
            )
            ax.autoscale_view()
        legend(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self
