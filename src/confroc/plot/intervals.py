"""Intervals: a forest of single ones, many along a grid, rectangles of two, the hourglass of a forecast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.patches import Rectangle

from confroc._check import ArgumentError, check_choice, check_instance
from confroc.plot.scales import roc_axes
from confroc.plot.style import (
    BAND_ALPHA,
    GUIDE,
    SQUARE,
    Display,
    forest,
    label_of,
    legend,
    plain,
    quantity_words,
    ribbon,
    rows_height,
    short,
    thin,
)
from confroc.results import Difference, Interval, Intervals, Regions, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.container import ErrorbarContainer
    from matplotlib.lines import Line2D

    from confroc.drift import Forecast

# Beyond this many, bars run into each other and a ribbon reads better.
MOST_BARS = 40
# Intervals over these are a curve, however few.
ALONG = ("w", "risk", "radius")
DIVERGENCES = {
    "kl": "Kullback-Leibler divergence",
    "jeffreys": "Population stability index",
    "chi2": "χ² divergence",
}


class IntervalDisplay(Display):
    """A forest plot: one row per interval, estimate and ends.

    Parameters
    ----------
    intervals : Interval, or sequence of Interval or Forecast
        Drawn from top to bottom.
    reference : float, optional
        Where to draw a thin vertical line, e.g. 0.5 for areas; by default 0 for differences, else none.

    Attributes
    ----------
    bars_ : matplotlib ErrorbarContainer
    points_ : matplotlib Line2D
        The estimates.
    reference_ : matplotlib Line2D or None

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

    def __init__(
        self,
        intervals: Interval | Forecast | Sequence[Interval | Forecast],
        *,
        reference: float | None = None,
    ) -> None:
        self.intervals = tuple(intervals) if isinstance(intervals, Sequence) else (intervals,)
        for one in self.intervals:
            check_instance("intervals", one, Interval, "Pass an interval, or a list of them.")
        all_differences = all(isinstance(row, Difference) for row in self.intervals)
        self.reference = 0.0 if reference is None and all_differences else reference
        if not self.intervals:
            raise ArgumentError("intervals", "hold at least one interval", [], "Pass a list of results.")
        self.figsize = (6.0, rows_height(len(self.intervals)))

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
            names = [quantity_words(row.quantity) for row in rows]
        else:
            names = [plain(short(n)) for n in ([name] if isinstance(name, str) else name)]
        if len(names) != len(rows):
            rule = f"be one name for each of the {len(rows)} intervals"
            raise ArgumentError("name", rule, name, "Pass a list of names.")
        return super().plot(ax, name=names, **kwargs)  # type: ignore[arg-type]

    def _draw(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        rows = self.intervals
        estimate = np.array([row.estimate for row in rows])
        lower, upper = np.array([row.lower for row in rows]), np.array([row.upper for row in rows])
        height = np.arange(len(rows))
        self.bars_, self.points_ = forest(ax, color, height, estimate, lower, upper, kwargs)
        self.reference_ = None
        if self.reference is not None:
            self.reference_ = ax.axvline(self.reference, **GUIDE)
        ax.set_yticks(height, name)
        ax.set_ylim(len(rows) - 0.5, -0.5)
        levels = {row.confidence_level for row in rows}
        title = quantity_words(rows[0].quantity) if len({row.quantity for row in rows}) == 1 else ""
        if len(levels) == 1:
            title = f"{title} ({percent(levels.pop())} interval)".strip()
        ax.set_xlabel(title)


class IntervalsDisplay(Display):
    """Intervals along a grid, bars for a few and a ribbon for many; or a forest, where they are by name.

    Rates of one model go on square ROC axes, vertical for the true positive rate at given false
    positive rates, horizontal the other way round. Differences get a line at zero. Infinite abscissae are
    left out. Options of `plot` go to `Axes.errorbar` (bars) or `Axes.fill_between` (ribbon).

    Parameters
    ----------
    intervals : Intervals
    style : {"bars", "ribbon"}, optional
        By default "bars" for up to 40 points and for names; "ribbon" for more, and along w, risk or distance.

    Attributes
    ----------
    line_ : matplotlib Line2D
        The estimates.
    bars_ : matplotlib ErrorbarContainer or None
    fill_ : matplotlib PolyCollection or None

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

    def __init__(self, intervals: Intervals, *, style: Literal["bars", "ribbon"] | None = None) -> None:
        check_instance("intervals", intervals, Intervals, "Take them from `tpr_at_fpr` or its neighbours.")
        self.intervals = intervals
        self.by_name = intervals.at.dtype.kind == "U"
        many = not self.by_name and (len(intervals) > MOST_BARS or intervals.at_name in ALONG)
        self.style: str = ("ribbon" if many else "bars") if style is None else style
        check_choice("style", self.style, ("bars",) if self.by_name else ("bars", "ribbon"))
        self.on_roc = {intervals.quantity, intervals.at_name} == {"fpr", "tpr"}
        self.figsize = SQUARE if self.on_roc else Display.figsize
        if self.by_name:
            self.figsize = (6.0, rows_height(len(intervals)))

    def _draw(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        rows = self.intervals
        if self.by_name:
            self.fill_ = None
            height = np.arange(len(rows))
            ends = rows.estimate, rows.lower, rows.upper
            self.bars_, self.line_ = forest(ax, color, height, *ends, kwargs)
            ax.set_yticks(height, [plain(short(str(at))) for at in rows.at])
            ax.set_ylim(len(rows) - 0.5, -0.5)
            words = (
                f"{quantity_words(rows.quantity)} ({percent(rows.confidence_level)} {rows.kind} intervals)"
            )
            ax.set_xlabel(words if name is None else f"{plain(name)}: {words}")
            return
        upright = not (self.on_roc and rows.at_name == "tpr")
        label = label_of(name, f"{percent(rows.confidence_level)} {rows.kind} intervals")
        shown = np.flatnonzero(np.isfinite(rows.at))
        shown = shown[np.argsort(rows.at[shown], kind="stable")]
        at, estimate, low, high = (v[shown] for v in (rows.at, rows.estimate, rows.lower, rows.upper))
        self.bars_, self.fill_ = None, None
        if self.style == "bars":
            # As in a forest plot, bars hang on their middle.
            middle, half = (low + high) / 2.0, (high - low) / 2.0
            bars: dict[str, Any] = (
                {"x": at, "y": middle, "yerr": half} if upright else {"x": middle, "y": at, "xerr": half}
            )
            options: dict[str, Any] = {"fmt": "none", "ecolor": color, "elinewidth": 1.6}
            self.bars_ = ax.errorbar(**(bars | options | kwargs))
            look: dict[str, Any] = {"linestyle": "none", "marker": "o", "markersize": 5}
        else:
            kept = thin(at, estimate, low, high)
            at, estimate, low, high = at[kept], estimate[kept], low[kept], high[kept]
            self.fill_ = ribbon(ax, at, low, high, color, kwargs, upright=upright)
            look = {"linewidth": 1.8}
        line = (at, estimate) if upright else (estimate, at)
        (self.line_,) = ax.plot(*line, color=color, label=label, **look)
        if self.on_roc:
            roc_axes(ax)
        else:
            if " - " in rows.quantity:
                ax.axhline(0.0, **GUIDE)
            ax.set(xlabel=quantity_words(rows.at_name), ylabel=quantity_words(rows.quantity))
        legend(ax)


class RegionsDisplay(Display):
    """Confidence rectangles for (FPR, TPR), each around its operating point.

    Differences of two models are drawn on axes through zero instead of ROC axes. Options of `plot` go to
    `matplotlib.collections.PatchCollection`.

    Parameters
    ----------
    regions : Regions

    Attributes
    ----------
    boxes_ : matplotlib PatchCollection
    points_ : matplotlib Line2D

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
    figsize = SQUARE

    def __init__(self, regions: Regions) -> None:
        check_instance("regions", regions, Regions, "Make them with `rates_at_threshold`.")
        self.regions = regions

    def _draw(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        regions = self.regions
        fpr, tpr = regions.fpr, regions.tpr
        corners = np.column_stack([fpr.lower, tpr.lower, fpr.upper - fpr.lower, tpr.upper - tpr.lower])
        boxes = [Rectangle((x, y), width, height) for x, y, width, height in corners]
        options: dict[str, Any] = {"color": color, "alpha": BAND_ALPHA, "linewidth": 1.0}
        self.boxes_ = PatchCollection(boxes, **(options | kwargs))
        ax.add_collection(self.boxes_)
        level = percent(regions.confidence_level)
        (self.points_,) = ax.plot(
            fpr.estimate,
            tpr.estimate,
            linestyle="none",
            marker="o",
            markersize=5,
            color=color,
            label=label_of(name, f"{level} regions" if regions.joint else f"{level} on each axis"),
        )
        if fpr.quantity == "fpr":
            roc_axes(ax)
        else:
            ax.axhline(0.0, **GUIDE)
            ax.axvline(0.0, **GUIDE)
            ax.set(
                aspect="equal",
                xlabel=quantity_words(fpr.quantity),
                ylabel=quantity_words(tpr.quantity),
            )
            ax.autoscale_view()
        legend(ax)


class ForecastDisplay(Display):
    """The hourglass: forecast bounds against the distance they allow (Morin 2018, section 3.5).

    The distance is logarithmic. A vertical line marks the distance that 95 % of new samples without drift
    stay below. Options of `plot` go to `Axes.fill_between`.

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
    limit_ : matplotlib Line2D or None
        The mark; None where it lies outside of the distances shown.

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
    limit_: Line2D | None
    figsize = (6.5, 4.5)

    def __init__(self, curve: Intervals, intervals: Mapping[str, Interval] | None = None) -> None:
        check_instance("curve", curve, Intervals, "Make it with `forecast_curve(scores)`.")
        given = {} if intervals is None else intervals
        check_instance("intervals", given, Mapping, "Pass a dict of intervals by name.")
        for one in given.values():
            check_instance("intervals", one, Interval, "Pass a dict of intervals by name.")
        self.curve = curve
        self.intervals = dict(given)

    def _draw(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        curve = self.curve
        label = "range of the AUC" if name is None else plain(name)
        self.fill_ = ribbon(ax, curve.at, curve.lower, curve.upper, color, kwargs)
        for edge in (curve.lower, curve.upper):
            ax.plot(curve.at, edge, color=color, linewidth=1.2)
        (self.line_,) = ax.plot(curve.at, curve.estimate, color=color, linewidth=1.8, label=label)
        self.limit_ = None
        limit = getattr(curve, "limit_without_drift", 0.0)
        if curve.at[0] <= limit <= curve.at[-1]:
            self.limit_ = ax.axvline(limit, label="95 % of samples without drift", **GUIDE)
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
            xlabel=f"{DIVERGENCES.get(curve.method, curve.method)}, both classes added",
            ylabel="AUC",
        )
        # Left of the hourglass there is no distance to read.
        ax.set_xticks([t for t in ax.get_xticks() if curve.at[0] * 0.999 <= t <= curve.at[-1] * 1.001])
        ax.minorticks_off()
        legend(ax, loc="upper left")
