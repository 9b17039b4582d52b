"""Intervals: forest plots, intervals along a grid, rectangles in ROC space, and forecasts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.patches import Rectangle

from confroc._check import ArgumentError, check_choice, check_instance
from confroc._types import FloatArray
from confroc.cost import DecisionCurve
from confroc.plot.names import plain, wrapped
from confroc.plot.rows import forest, further_rows, name_rows, rows_height
from confroc.plot.scales import roc_axes
from confroc.plot.style import (
    BAND_ALPHA,
    GUIDE,
    SQUARE,
    Display,
    check_area,
    compared,
    label_of,
    legend,
    name_axes,
    quantity_words,
    ribbon,
    row_words,
)
from confroc.results import Difference, Interval, Intervals, Regions, level_words, percent
from confroc.results.polyline import thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.container import ErrorbarContainer
    from matplotlib.lines import Line2D

    from confroc.drift import Forecast

# More bars overlap, and a ribbon is easier to read.
MOST_BARS = 40
# Axes have different scales if the ranges of the rates differ by more than this factor.
MOST_UNEQUAL = 3.0
# Decision curves are cropped this fraction of their height below zero.
BELOW = 0.5
NOBODY = {"ppv": "No case is predicted positive", "npv": "No case is predicted negative"}
"""Why predictive values are undefined at all thresholds."""
# Intervals along these are drawn as a ribbon if there are more than this.
FEW = 5
ALONG = ("w", "risk", "radius", "coverage")
CHANCE = {"auc": 0.5}
DIVERGENCES = {
    "kl": "Kullback–Leibler divergence, both classes",
    "jeffreys": "Jeffreys divergence, both classes",
    "chi2": "χ² divergence, both classes",
}


class IntervalDisplay(Display):
    """A forest plot: one row per interval.

    Parameters
    ----------
    intervals : Interval, or sequence of Interval or Forecast
        Drawn from top to bottom.
    reference : float, optional
        Position of a vertical line; by default 0.5 for AUCs, 0 for differences, otherwise none.

    Attributes
    ----------
    bars_ : matplotlib ErrorbarContainer
    points_ : matplotlib Line2D
        The estimates.
    reference_ : matplotlib Line2D or None

    Raises
    ------
    ValueError
        No interval.

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
        places = {0.0 if isinstance(row, Difference) else CHANCE.get(row.quantity) for row in self.intervals}
        self.reference = places.pop() if reference is None and len(places) == 1 else reference
        if not self.intervals:
            raise ArgumentError("intervals", "contain at least one interval", [], "Pass a list of results.")
        self.figsize = (6.0, rows_height(len(self.intervals)))

    def plot(self, ax: Axes | None = None, *, name: str | Sequence[str] | None = None, **kwargs: Any) -> Self:
        """Draw the rows.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        name : str or sequence of str, optional
            Names of the rows; by default the quantities.
        **kwargs
            Passed to `Axes.errorbar`.

        Returns
        -------
        IntervalDisplay

        Raises
        ------
        ValueError
            The numbers of names and intervals differ.
        """
        rows = self.intervals
        if name is None:
            names = [_row_words(row) for row in rows]
        else:
            names = [plain(wrapped(n)) for n in ([name] if isinstance(name, str) else name)]
        if len(names) != len(rows):
            rule = f"be one name for each of the {len(rows)} intervals"
            raise ArgumentError("name", rule, name, "Pass a list of names.")
        return super().plot(ax, name=names, **kwargs)  # type: ignore[arg-type]

    def _draw(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        rows = self.intervals
        estimate = np.array([row.estimate for row in rows])
        lower, upper = np.array([row.lower for row in rows]), np.array([row.upper for row in rows])
        height, named = further_rows(ax, name)
        self.bars_, self.points_ = forest(ax, color, height, estimate, lower, upper, kwargs)
        self.reference_ = None
        if self.reference is not None:
            self.reference_ = ax.axvline(self.reference, **GUIDE)
        name_rows(ax, named)
        titles = {_title(row) for row in rows}
        levels = {level_words(row.confidence_level, _noun(row)) for row in rows}
        title = titles.pop() if len(titles) == 1 else ""
        name_axes(ax, x=f"{title} ({levels.pop()})".strip() if len(levels) == 1 else title)


def _row_words(row: Interval) -> str:
    """The name of a row for which none is given."""
    _, names = compared(row.quantity)
    return " −\n".join(names) if names else _title(row)


def _title(row: Interval) -> str:
    """The quantity of a row, as an axis title."""
    of, names = compared(row.quantity)
    of = "cost per case" if of == "cost" else of
    words = quantity_words(of if names else row.quantity)
    if not names:
        return words
    # Acronyms stay in capitals within a sentence.
    return f"Difference in {words if words[:2].isupper() else words[0].lower() + words[1:]}"


def _noun(row: Interval) -> str:
    """What the limits of a row are: "CI", "simultaneous CI" or "forecast"."""
    noun = "forecast" if hasattr(row, "radius") else "CI"
    return f"simultaneous {noun}" if row.kind == "simultaneous" else noun


class IntervalsDisplay(Display):
    """Intervals along a grid, as bars or as a ribbon; intervals by name, as a forest plot.

    Rates of one model are drawn on ROC axes: vertical intervals of the true positive rate at false positive
    rates, or horizontal ones of the false positive rate. Differences have a line at zero. Infinite thresholds
    are omitted. Options of `plot` are passed to `Axes.errorbar` (bars) or `Axes.fill_between` (ribbon).

    Parameters
    ----------
    intervals : Intervals
    style : {"bars", "ribbon"}, optional
        By default "bars" for names and up to 40 points; along w, risk, coverage or radius up to 5.

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
    >>> rates = rates_at_threshold(Scores([1, 0, 1, 0], [4, 3, 2, 1]), threshold=[1, 2, 3])
    >>> IntervalsDisplay(rates.tpr).plot(ax=Figure().add_subplot()).ax_.get_ylabel()
    'True positive rate'
    """

    line_: Line2D
    bars_: ErrorbarContainer | None
    fill_: PolyCollection | None

    def __init__(self, intervals: Intervals, *, style: Literal["bars", "ribbon"] | None = None) -> None:
        check_instance("intervals", intervals, Intervals, "Use the result of `tpr_at_fpr` or its neighbors.")
        self.intervals = intervals
        self.by_name = intervals.at.dtype.kind == "U"
        most = FEW if intervals.at_name in ALONG else MOST_BARS
        many = not self.by_name and len(intervals) > most
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
            height, named = further_rows(ax, [row_words(rows, at) for at in rows.at])
            ends = rows.estimate, rows.lower, rows.upper
            self.bars_, self.line_ = forest(ax, color, height, *ends, kwargs)
            name_rows(ax, named)
            words = f"{quantity_words(rows.quantity)} ({_level_of(rows)})"
            name_axes(ax, x=words if name is None else f"{plain(name)}: {words}")
            return
        upright = not (self.on_roc and rows.at_name == "tpr")
        label = label_of(name, _level_of(rows))
        shown = np.flatnonzero(np.isfinite(rows.at))
        shown = shown[np.argsort(rows.at[shown], kind="stable")]
        at, estimate, low, high = (v[shown] for v in (rows.at, rows.estimate, rows.lower, rows.upper))
        self.bars_, self.fill_ = None, None
        if self.style == "bars":
            # As in a forest plot: an interval need not contain its estimate.
            middle, half = (low + high) / 2.0, (high - low) / 2.0
            bars: dict[str, Any] = (
                {"x": at, "y": middle, "yerr": half} if upright else {"x": middle, "y": at, "xerr": half}
            )
            options: dict[str, Any] = {"fmt": "none", "ecolor": color, "elinewidth": 1.6}
            self.bars_ = ax.errorbar(**(bars | options | kwargs))
            look: dict[str, Any] = {"linestyle": "none", "marker": "o", "markersize": 5}
            if rows.at_name in ALONG:
                end = float(at.max())
                ax.set_xlim(0.0, max(min(2.0 * end, 1.0), 1.05 * end) or 1.0)
        else:
            kept = thin(at, estimate, low, high)
            at, estimate, low, high = at[kept], estimate[kept], low[kept], high[kept]
            if name is not None:
                # The legend states the level of several curves once.
                label, kwargs = plain(name), {"label": _level_of(rows)} | kwargs
            self.fill_ = ribbon(ax, at, low, high, color, kwargs, upright=upright)
            look = {}
        line = (at, estimate) if upright else (estimate, at)
        self.line_ = self._line(ax, color, label, *line, options=look)
        if rows.quantity in NOBODY and np.isnan(rows.estimate).all():
            _say_undefined(ax, at, NOBODY[rows.quantity])
        if self.on_roc:
            roc_axes(ax)
        else:
            if " - " in rows.quantity:
                ax.axhline(0.0, **GUIDE)
            name_axes(ax, x=quantity_words(rows.at_name), y=quantity_words(rows.quantity))
        legend(ax, labels=self._labels)


class DecisionDisplay(IntervalsDisplay):
    """A decision curve: net benefit with its interval, and the lines "treat all" and "treat none".

    Further models use the same lines. Intervals far below zero are cropped, and the axis ends at the largest
    risk with an interval that is not, unless there are only a few.

    Parameters
    ----------
    curve : DecisionCurve

    Attributes
    ----------
    line_ : matplotlib Line2D
        Net benefit of the model.
    fill_ : matplotlib PolyCollection

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from confroc import Scores, net_benefit
    >>> from confroc.plot import DecisionDisplay
    >>> curve = net_benefit(Scores([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.2]))
    >>> shown = DecisionDisplay(curve).plot(ax=Figure().add_subplot(), name="model")
    >>> [line.get_label() for line in shown.ax_.lines]
    ['treat all', 'treat none', 'model']
    """

    def __init__(self, curve: DecisionCurve) -> None:
        check_instance("curve", curve, DecisionCurve, "Make it with `net_benefit(scores)`.")
        super().__init__(curve)
        self.curve = curve

    def _draw(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        curve, order = self.curve, np.argsort(self.curve.at)
        high = 1.05 * max(curve.upper.max(), curve.treat_all.max(), 0.01)
        low, right = -0.02 * high, 0.0
        if any(line.get_label() == "treat all" for line in ax.lines):
            low, high = min(low, ax.get_ylim()[0]), max(high, ax.get_ylim()[1])
            right = ax.get_xlim()[1]
        else:
            # The line of a single risk has no length.
            mark = {"label": "treat all", "marker": "_" if self.style == "bars" else None, "markersize": 16}
            ax.plot(curve.at[order], curve.treat_all[order], **(GUIDE | mark))
            ax.axhline(0.0, **(GUIDE | {"linestyle": ":", "label": "treat none"}))
        super()._draw(ax, color, name, **kwargs)
        # Benefits fall without limit as the risk approaches 1.
        bars = self.style == "bars"
        least = -math.inf if bars else -BELOW * high
        lowest = min(curve.lower.min(), curve.treat_all.min() if bars else 0.0)
        ax.set_ylim(max(min(low, 1.05 * lowest), least), high)
        if self.style == "ribbon":
            inside = curve.at[curve.lower >= least]
            ax.set_xlim(right=max(right, float(np.max(inside, initial=0.0)) or float(curve.at.max())))


def _say_undefined(ax: Axes, at: FloatArray, words: str) -> None:
    """Write in empty axes why they are empty."""
    if np.isfinite(ax.dataLim.get_points()).any():
        return
    ax.text(0.5, 0.5, words, transform=ax.transAxes, ha="center", va="center", color=GUIDE["color"])
    # The limits adapt to what is drawn later.
    ax.set_ylim(0.0, 1.0, auto=None)
    if len(at):
        room = 0.05 * (at[-1] - at[0] or abs(at[0]) or 1.0)
        ax.set_xlim(at[0] - room, at[-1] + room, auto=None)


def _level_of(rows: Intervals) -> str:
    """The level for a legend, e.g. "95% pointwise CIs"."""
    if np.isnan(rows.confidence_level):
        return "range within this drift" if rows.at_name == "radius" else "range"
    return f"{percent(rows.confidence_level)} {rows.kind} CIs"


class RegionsDisplay(Display):
    """Rectangular confidence regions for (FPR, TPR).

    Differences of two models are drawn on axes with lines at zero. Options of `plot` are passed to
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
    >>> regions = rates_at_threshold(Scores([1, 0, 1, 0], [4, 3, 2, 1]), threshold=[2, 3])
    >>> RegionsDisplay(regions).plot(ax=Figure().add_subplot()).points_.get_label()
    '95% on each axis'
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
            ax.autoscale_view()
            across, up = np.ptp(ax.get_xlim()), np.ptp(ax.get_ylim())
            if max(across, up) < MOST_UNEQUAL * min(across, up):
                ax.set_aspect("equal")
            name_axes(ax, x=quantity_words(fpr.quantity), y=quantity_words(tpr.quantity))
        legend(ax, labels=self._labels)


class ForecastDisplay(Display):
    """Forecast bounds of the AUC by the size of the drift (the hourglass of Morin 2018, section 3.5).

    The axis of the drift is logarithmic. A vertical line marks its 95% quantile in new samples without drift.
    Options of `plot` are passed to `Axes.fill_between`.

    Parameters
    ----------
    curve : Intervals
        From `forecast_curve`.
    intervals : mapping of str to Interval, optional
        Intervals for the population of the sample, by name, drawn as bars to the left of the bounds.

    Attributes
    ----------
    fill_ : matplotlib PolyCollection
    line_ : matplotlib Line2D
        The AUC in the sample.
    bars_ : list of matplotlib Line2D
    limit_ : matplotlib Line2D or None
        The quantile; None if it is outside of the axes.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from confroc import Scores, auc_interval, forecast_curve
    >>> from confroc.plot import ForecastDisplay
    >>> scores = Scores.from_counts(range(5), pos=[5, 10, 20, 30, 35], neg=[60, 50, 40, 30, 20])
    >>> today = {"score DeLong": auc_interval(scores)}
    >>> shown = ForecastDisplay(forecast_curve(scores), today).plot(ax=Figure().add_subplot())
    >>> shown.ax_.get_xlabel()
    'Drift (Kullback–Leibler divergence, both classes)'
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
            check_area("intervals", one, float(curve.estimate[0]))
        self.curve = curve
        self.intervals = dict(given)

    def _draw(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        # A logarithmic axis has no zero.
        away = self.curve.at > 0.0
        distance = self.curve.at[away]
        middle, lower, upper = (v[away] for v in (self.curve.estimate, self.curve.lower, self.curve.upper))
        label = "range of the AUC" if name is None else plain(name)
        self.fill_ = ribbon(ax, distance, lower, upper, color, kwargs)
        for edge in (lower, upper):
            ax.plot(distance, edge, color=color, linewidth=1.2)
        self.line_ = self._line(ax, color, label, distance, middle)
        self.limit_ = None
        limit = getattr(self.curve, "limit_without_drift", 0.0)
        if distance[0] <= limit <= distance[-1]:
            self.limit_ = ax.axvline(limit, label="95% of samples without drift", **GUIDE)
        self.bars_ = []
        # Each bar has a tenth of the width of the bounds.
        step = (distance[-1] / distance[0]) ** -0.1
        for row, (words, interval) in enumerate(self.intervals.items()):
            at = distance[0] * step ** (row + 1)
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
            xlim=(distance[0] * step ** (len(self.intervals) + 0.5), float(np.max(distance))),
        )
        name_axes(ax, x=f"Drift ({DIVERGENCES.get(str(self.curve.method), str(self.curve.method))})", y="AUC")
        # No ticks below the bars.
        ax.set_xticks([t for t in ax.get_xticks() if distance[0] * 0.999 <= t <= distance[-1] * 1.001])
        ax.minorticks_off()
        legend(ax, loc="upper left", labels=self._labels)
