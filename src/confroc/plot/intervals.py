"""Intervals: a forest of single ones, many along a grid, rectangles of two, the hourglass of a forecast."""

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

# Beyond this many, bars run into each other and a ribbon reads better.
MOST_BARS = 40
# Ranges of both rates further from each other than this have no room on one scale.
MOST_UNEQUAL = 3.0
# Of the height above zero: what decision curves show below it.
BELOW = 0.5
NOBODY = {"ppv": "Nobody is called positive here", "npv": "Nobody is called negative here"}
"""Why a share has no value at any threshold."""
# Intervals over these are a curve, unless there are only so few.
FEW = 5
ALONG = ("w", "risk", "radius", "coverage")
CHANCE = {"auc": 0.5}
DIVERGENCES = {
    "kl": "Kullback–Leibler divergence, both classes",
    "jeffreys": "Jeffreys divergence, both classes",
    "chi2": "χ² divergence, both classes",
}


class IntervalDisplay(Display):
    """A forest plot: one row per interval, estimate and ends.

    Parameters
    ----------
    intervals : Interval, or sequence of Interval or Forecast
        Drawn from top to bottom.
    reference : float, optional
        Where to draw a thin vertical line; by default 0.5 for AUCs, 0 for differences, else none.

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
    """What a row of a forest is called that has no name."""
    _, names = compared(row.quantity)
    return " −\n".join(names) if names else _title(row)


def _title(row: Interval) -> str:
    """What a row of a forest is measured in."""
    of, names = compared(row.quantity)
    of = "cost per case" if of == "cost" else of
    words = quantity_words(of if names else row.quantity)
    if not names:
        return words
    # An acronym stays one within a sentence.
    return f"Difference in {words if words[:2].isupper() else words[0].lower() + words[1:]}"


def _noun(row: Interval) -> str:
    """What the ends of a row are, e.g. "CI"; a forecast without a level is called by its name."""
    noun = "forecast" if hasattr(row, "radius") else "CI"
    return f"simultaneous {noun}" if row.kind == "simultaneous" else noun


class IntervalsDisplay(Display):
    """Intervals along a grid, bars for a few and a ribbon for many; or a forest, where they are by name.

    Rates of one model go on square ROC axes, vertical for the true positive rate at given false
    positive rates, horizontal the other way round. Differences get a line at zero. Infinite abscissae are
    left out. Options of `plot` go to `Axes.errorbar` (bars) or `Axes.fill_between` (ribbon).

    Parameters
    ----------
    intervals : Intervals
    style : {"bars", "ribbon"}, optional
        By default "bars" for names and for up to 40 points, along w, risk, coverage or distance up to 5.

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
            # As in a forest plot, bars hang on their middle.
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
                # Several curves have claims of one kind, which the legend states once.
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
    """A decision curve: net benefit in its band, with lines for treating everybody and nobody.

    Several models share the lines. Intervals far below zero are cut, and the axis ends at the last risk
    where one is not, unless there are only a few.

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
        least = -math.inf if self.style == "bars" else -BELOW * high
        ax.set_ylim(max(min(low, 1.05 * curve.lower.min()), least), high)
        if self.style == "ribbon":
            inside = curve.at[curve.lower >= least]
            ax.set_xlim(right=max(right, float(np.max(inside, initial=0.0)) or float(curve.at.max())))


def _say_undefined(ax: Axes, at: FloatArray, words: str) -> None:
    """Write in empty axes why they are empty, around the requested places."""
    if np.isfinite(ax.dataLim.get_points()).any():
        return
    ax.text(0.5, 0.5, words, transform=ax.transAxes, ha="center", va="center", color=GUIDE["color"])
    # What is drawn here later still scales the axes.
    ax.set_ylim(0.0, 1.0, auto=None)
    if len(at):
        room = 0.05 * (at[-1] - at[0] or abs(at[0]) or 1.0)
        ax.set_xlim(at[0] - room, at[-1] + room, auto=None)


def _level_of(rows: Intervals) -> str:
    """Words for the level in a legend, e.g. "95% pointwise CIs"."""
    if np.isnan(rows.confidence_level):
        return "range within this drift" if rows.at_name == "radius" else "range"
    return f"{percent(rows.confidence_level)} {rows.kind} CIs"


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
    >>> regions = rates_at_threshold(Scores([1, 0, 1, 0], [4, 3, 2, 1]), threshold=[2, 3])
    >>> RegionsDisplay(regions).plot(ax=Figure().add_subplot()).points_.get_label()
    '95% regions'
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
    """The hourglass: forecast bounds against the distance they allow (Morin 2018, section 3.5).

    The distance is logarithmic. A vertical line marks the distance that 95% of new samples without drift
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
        # No distance at all has no place on a logarithmic axis; as near as shown is as good.
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
        # One bar's room is a tenth of the distances shown; they stand left of the smallest.
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
        # Left of the hourglass there is no distance to read.
        ax.set_xticks([t for t in ax.get_xticks() if distance[0] * 0.999 <= t <= distance[-1] * 1.001])
        ax.minorticks_off()
        legend(ax, loc="upper left", labels=self._labels)
