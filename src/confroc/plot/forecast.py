"""The hourglass: how far the area may move as the population moves away, and today's intervals beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from confroc.plot.style import BAND_ALPHA, GUIDE, legend, new_axes, next_color, percent, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import FigureBase
    from matplotlib.lines import Line2D

    from confroc.results import Interval, Intervals

NAMES = {
    "kl": "Kullback-Leibler divergence",
    "jeffreys": "Population stability index",
    "chi2": "χ² divergence",
}


class ForecastDisplay:
    """Forecast bounds against the distance they allow (Morin 2018, section 3.5).

    Parameters
    ----------
    curve : Intervals
        From `forecast_curve`.
    intervals : mapping of str to Interval, optional
        Intervals for today's population, by the name to show; drawn as bars left of the hourglass.

    Attributes
    ----------
    fill_ : matplotlib PolyCollection
    line_ : matplotlib Line2D
        The area today.
    bars_ : list of matplotlib Line2D
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from confroc import Scores, auc_interval, forecast_curve
    >>> from confroc.plot import ForecastDisplay
    >>> scores = Scores.from_counts(range(5), pos=[5, 10, 20, 30, 35], neg=[60, 50, 40, 30, 20])
    >>> today = {"score DeLong": auc_interval(scores)}
    >>> shown = ForecastDisplay(forecast_curve(scores), today).plot(ax=Figure().add_subplot())
    >>> shown.ax_.get_xlabel()
    'Kullback-Leibler divergence, both classes added'
    """

    fill_: PolyCollection
    line_: Line2D
    bars_: list[Line2D]
    ax_: Axes
    figure_: FigureBase

    def __init__(self, curve: Intervals, intervals: Mapping[str, Interval] | None = None) -> None:
        self.curve = curve
        self.intervals = dict(intervals or {})

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **kwargs: Any) -> Self:
        """Draw the hourglass over a logarithmic distance.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        name : str, optional
            What the legend calls the model.
        **kwargs
            Passed to `Axes.fill_between`; `color` also colours the lines.

        Returns
        -------
        ForecastDisplay
        """
        ax = new_axes(ax, figsize=(6.5, 4.5))
        curve = self.curve
        color = kwargs.pop("color", None) or next_color(ax)
        label = "range of the AUC" if name is None else plain(name)
        options: dict[str, Any] = {"color": color, "alpha": BAND_ALPHA, "linewidth": 0.0}
        self.fill_ = ax.fill_between(curve.at, curve.lower, curve.upper, **(options | kwargs))
        for edge in (curve.lower, curve.upper):
            ax.plot(curve.at, edge, color=color, linewidth=1.2)
        (self.line_,) = ax.plot(curve.at, curve.estimate, color=color, linewidth=1.8, label=label)
        self.bars_ = []
        # One bar's room is a tenth of the distances shown; they stand left of the smallest.
        step = (curve.at[-1] / curve.at[0]) ** -0.1
        for row, (words, interval) in enumerate(self.intervals.items()):
            at = curve.at[0] * step ** (row + 1)
            (bar,) = ax.plot([at, at], [interval.lower, interval.upper], color=GUIDE["color"], linewidth=2.4)
            ax.plot([at], [interval.estimate], color=GUIDE["color"], marker="o", markersize=4)
            ax.annotate(
                f"{plain(words)}, {percent(interval.confidence_level)}",
                (at, interval.lower),
                xytext=(0, -4),
                textcoords="offset points",
                rotation=90,
                ha="center",
                va="top",
                fontsize="small",
            )
            self.bars_.append(bar)
        ax.set_xscale("log")
        ax.set(
            xlim=(curve.at[0] * step ** (len(self.intervals) + 0.5), float(np.max(curve.at))),
            xlabel=f"{NAMES.get(curve.method, curve.method)}, both classes added",
            ylabel="AUC",
        )
        # Left of the hourglass there is no distance to read.
        ax.set_xticks([t for t in ax.get_xticks() if curve.at[0] * 0.999 <= t <= curve.at[-1] * 1.001])
        ax.minorticks_off()
        legend(ax, loc="upper left")
        self.ax_, self.figure_ = ax, ax.figure
        return self
