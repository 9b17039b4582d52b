"""Intervals: a forest of single ones, and many along a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from confroc._check import ArgumentError, check_choice
from confroc.plot.scales import roc_axes
from confroc.plot.style import (
    BAND_ALPHA,
    GUIDE,
    legend,
    new_axes,
    next_color,
    percent,
    plain,
    thin,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.container import ErrorbarContainer
    from matplotlib.figure import FigureBase
    from matplotlib.lines import Line2D

    from confroc.drift import Forecast
    from confroc.results import Interval, Intervals

# Beyond this many, bars run into each other and a ribbon reads better.
MOST_BARS = 40


def _words(quantity: str) -> str:
    """Return a quantity as an axis title: the abbreviations of the field in capitals."""
    known = {"auc": "AUC", "fpr": "False positive rate", "tpr": "True positive rate"}
    if quantity in known:
        return known[quantity]
    short = {"auc": "AUC", "fpr": "FPR", "tpr": "TPR"}
    a, minus, b = quantity.partition(" - ")
    if minus and a.endswith("_a") and b.endswith("_b"):
        return f"{short.get(a[:-2], a[:-2])}, a − b"
    return quantity.replace("_", " ")


def _is_difference(quantity: str) -> bool:
    return " - " in quantity


class IntervalDisplay:
    """A forest plot: one row per interval, estimate and ends.

    Parameters
    ----------
    intervals : sequence of Interval or Difference
        Drawn from top to bottom.
    reference : float, optional
        Where to draw a thin vertical line, e.g. 0 for differences or 0.5 for areas.

    Attributes
    ----------
    bars_ : matplotlib ErrorbarContainer
    points_ : matplotlib Line2D
        The estimates.
    reference_ : matplotlib Line2D or None
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Raises
    ------
    ValueError
        When there is no interval.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from confroc import Scores, auc_interval
    >>> from confroc.plot import IntervalDisplay
    >>> auc = auc_interval(Scores([1, 0, 1, 0], [4, 3, 2, 1]))
    >>> shown = IntervalDisplay([auc], reference=0.5).plot(ax=Figure().add_subplot(), name="model")
    >>> [tick.get_text() for tick in shown.ax_.get_yticklabels()]
    ['model']
    """

    bars_: ErrorbarContainer
    points_: Line2D
    reference_: Line2D | None
    ax_: Axes
    figure_: FigureBase

    def __init__(self, intervals: Sequence[Interval | Forecast], *, reference: float | None = None) -> None:
        self.intervals = tuple(intervals)
        self.reference = reference
        if not self.intervals:
            raise ArgumentError("intervals", "hold at least one interval", [], "Pass a list of results.")

    def plot(self, ax: Axes | None = None, *, name: str | Sequence[str] | None = None, **kwargs: Any) -> Self:
        """Draw the rows.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        name : str or sequence of str, optional
            One for each row; by default what each interval estimates.
        **kwargs
            Passed to `Axes.errorbar`.

        Returns
        -------
        IntervalDisplay

        Raises
        ------
        ValueError
            When there are not as many names as intervals.
        """
        rows = self.intervals
        if name is None:
            names = [_words(row.quantity) for row in rows]
        else:
            names = [plain(n) for n in ([name] if isinstance(name, str) else name)]
        if len(names) != len(rows):
            rule = f"be one name for each of the {len(rows)} intervals"
            raise ArgumentError("name", rule, name, "Pass a list of names.")
        ax = new_axes(ax, figsize=(6.0, 0.9 + 0.45 * len(rows)))
        estimate = np.array([row.estimate for row in rows])
        lower, upper = np.array([row.lower for row in rows]), np.array([row.upper for row in rows])
        color = kwargs.pop("color", None) or next_color(ax)
        height = np.arange(len(rows))
        # Bars hang on their middle, because a smoothed interval need not hold its estimate.
        options: dict[str, Any] = {"fmt": "none", "ecolor": color, "elinewidth": 1.8}
        middle, half = (lower + upper) / 2.0, (upper - lower) / 2.0
        self.bars_ = ax.errorbar(middle, height, xerr=half, **(options | kwargs))
        (self.points_,) = ax.plot(estimate, height, linestyle="none", marker="o", markersize=6, color=color)
        self.reference_ = None
        if self.reference is not None:
            self.reference_ = ax.axvline(self.reference, **GUIDE)
        ax.set_yticks(height, names)
        ax.set_ylim(len(rows) - 0.5, -0.5)
        levels = {row.confidence_level for row in rows}
        title = _words(rows[0].quantity) if len({row.quantity for row in rows}) == 1 else ""
        if len(levels) == 1:
            title = f"{title} ({percent(levels.pop())} interval)".strip()
        ax.set_xlabel(title)
        ax.tick_params(axis="y", length=0)
        for side in ("top", "right", "left"):
            ax.spines[side].set_visible(False)
        self.ax_, self.figure_ = ax, ax.figure
        return self


class IntervalsDisplay:
    """Pointwise intervals along a grid: bars for a few, a ribbon for many.

    Rates of one model go on square ROC axes, vertical for the true positive rate at given false
    positive rates, horizontal the other way round. Differences get a line at zero.

    Parameters
    ----------
    intervals : Intervals
    style : {"bars", "ribbon"}, optional
        By default "bars" for up to 40 points.

    Attributes
    ----------
    line_ : matplotlib Line2D
        The estimates.
    bars_ : matplotlib ErrorbarContainer or None
    fill_ : matplotlib PolyCollection or None
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from confroc import Scores, rates_at_threshold
    >>> from confroc.plot import IntervalsDisplay
    >>> rates = rates_at_threshold(Scores([1, 0, 1, 0], [4, 3, 2, 1]), [1, 2, 3])
    >>> IntervalsDisplay(rates.tpr).plot(ax=Figure().add_subplot()).ax_.get_ylabel()
    'True positive rate'
    """

    line_: Line2D
    bars_: ErrorbarContainer | None
    fill_: PolyCollection | None
    ax_: Axes
    figure_: FigureBase

    def __init__(self, intervals: Intervals, *, style: Literal["bars", "ribbon"] | None = None) -> None:
        self.intervals = intervals
        self.style: str = style or ("bars" if len(intervals) <= MOST_BARS else "ribbon")
        check_choice("style", self.style, ("bars", "ribbon"))

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **kwargs: Any) -> Self:
        """Draw the intervals.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        name : str, optional
            What the legend calls them; the level and kind are added.
        **kwargs
            Passed to `Axes.errorbar` (bars) or `Axes.fill_between` (ribbon); `color` colours the whole.

        Returns
        -------
        IntervalsDisplay
            Itself. Infinite abscissae are left out; a long ribbon is thinned.
        """
        rows = self.intervals
        on_roc = {rows.quantity, rows.at_name} == {"fpr", "tpr"}
        ax = new_axes(ax, figsize=(5.0, 5.0) if on_roc else (6.0, 4.0))
        upright = not (on_roc and rows.at_name == "tpr")
        color = kwargs.pop("color", None) or next_color(ax)
        label = f"{percent(rows.confidence_level)} {rows.kind} intervals"
        label = label if name is None else f"{plain(name)} ({label})"
        shown = np.flatnonzero(np.isfinite(rows.at))
        shown = shown[np.argsort(rows.at[shown], kind="stable")]
        at, estimate, low, high = (v[shown] for v in (rows.at, rows.estimate, rows.lower, rows.upper))
        self.bars_, self.fill_ = None, None
        options: dict[str, Any]
        if self.style == "bars":
            # As in a forest plot, bars hang on their middle.
            middle, half = (low + high) / 2.0, (high - low) / 2.0
            bars = {"x": at, "y": middle, "yerr": half} if upright else {"x": middle, "y": at, "xerr": half}
            options = {"fmt": "none", "ecolor": color, "elinewidth": 1.6}
            self.bars_ = ax.errorbar(**(bars | options | kwargs))
            look: dict[str, Any] = {"linestyle": "none", "marker": "o", "markersize": 5}
        else:
            kept = thin(at, estimate, low, high)
            at, estimate, low, high = at[kept], estimate[kept], low[kept], high[kept]
            fill = ax.fill_between if upright else ax.fill_betweenx
            options = {"color": color, "alpha": BAND_ALPHA, "linewidth": 0.0}
            self.fill_ = fill(at, low, high, **(options | kwargs))
            look = {"linewidth": 1.8}
        line = (at, estimate) if upright else (estimate, at)
        (self.line_,) = ax.plot(*line, color=color, label=label, **look)
        if on_roc:
            roc_axes(ax)
        else:
            if _is_difference(rows.quantity):
                ax.axhline(0.0, **GUIDE)
            ax.set(xlabel=_words(rows.at_name), ylabel=_words(rows.quantity))
        legend(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self
