"""The base of all displays: axes, colors, labels, ribbons and legends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

import numpy as np
from matplotlib.axes import Axes as PlotAxes
from matplotlib.axis import Axis
from matplotlib.cbook import normalize_kwargs
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex, to_rgba
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import AutoLocator
from matplotlib.transforms import ScaledTranslation

from confroc._check import ArgumentTypeError, check_choice, check_instance, check_same, number_of
from confroc._types import FloatArray
from confroc.plot.names import cut_labels, letters, plain, shortened, wrapped
from confroc.results import Interval, level_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import FigureBase

    from confroc.results import Intervals

Labels: TypeAlias = Literal["legend", "none"]
# Okabe & Ito's palette for color-blind readers, without yellow, which is too pale for lines on white; black
# is last because axes are black.
OKABE_ITO = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
# For significant results.
REJECTED = "#B3261E"
BAND_ALPHA = 0.18
GRID = "#e8e8e8"
SQUARE = (5.0, 5.4)
# Reference lines: chance, zero.
GUIDE: dict[str, Any] = {"color": "#767676", "linewidth": 0.9, "linestyle": (0, (4, 3)), "zorder": 1.0}
WORDS = {
    "auc": "AUC",
    "fpr": "False positive rate",
    "tpr": "True positive rate",
    "w": "Weight of a false negative, w",
    "risk": "Threshold probability",
    "coverage": "Coverage (proportion of cases answered)",
    "cost": "Normalized cost",
    "radius": "Drift",
    "jeffreys": "Drift (Jeffreys divergence)",
    "ks": "KS distance",
    "ppv": "Positive predictive value",
    "npv": "Negative predictive value",
    "youden": "Youden's index",
    "positive_rate": "Predicted-positive rate",
    "interventions_avoided": "Interventions avoided per 100 patients",
    "score": "Score",
    "probability": "Probability of a positive",
}
# Lines of one color are distinguished by these, in this order.
LINE_STYLES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.2, 1.4)), (0, (6, 2, 1.2, 2)))
# Maximum length of a vertical title, as a fraction of the height of the axes' part of a figure.
Y_TITLE = 0.6
# Maximum width of a label in the legend, as a fraction of that of the axes' part of a figure; inches between
# legend and axes.
LEGEND_WIDTH, LEGEND_PAD = 0.9, 0.08
# Characters for a handle in the legend, and the maximum number of wrapped labels.
HANDLE, MOST_WRAPPED = 7, 5
# Distance of ticks of a horizontal axis, in units of matplotlib's; the usual number of ticks.
TICKS_APART, USUAL_TICKS = 1.4, 9
# The first color of matplotlib's own default cycle.
_MATPLOTLIB_FIRST = "#1f77b4"
NO_AXES = "Create them with `figure, ax = plt.subplots()`; to name the curve use plot(name=...)."


class Display:
    """Base class of displays.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    """

    ax_: Axes
    figure_: FigureBase
    figsize: tuple[float, float] = (6.0, 4.4)
    _linestyle: Any = LINE_STYLES[0]
    _labels: Labels = "legend"

    def plot(
        self, ax: Axes | None = None, *, name: str | None = None, labels: Labels = "legend", **kwargs: Any
    ) -> Self:
        """Draw the result.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Default: new axes.
        name : str, optional
            Name in the legend, to which level and kind are added.
        labels : {"legend", "none"}
            Whether to add a legend: below the axes, or inside axes that are not part of a grid.
        **kwargs
            Passed to the artist that the class documents; `color` applies to everything.

        Returns
        -------
        Display
            The display itself. Lines with more than about 1,500 vertices are simplified by less than a pixel.
        """
        kwargs = spelt_out(kwargs)
        if ax is not None and not isinstance(ax, PlotAxes):
            raise ArgumentTypeError("ax", "be Axes of matplotlib", type(ax).__name__, NO_AXES)
        if ax is None:
            # Notebooks show figures of pyplot.
            import matplotlib.pyplot as plt

            _, ax = plt.subplots(figsize=self.figsize, layout="constrained")
        elif ax.figure.figure.get_layout_engine() is None and ax.get_subplotspec() is not None:
            # Makes room for names and legends next to the axes.
            ax.figure.figure.set_layout_engine("tight")
        if not ax.has_data():
            ax.grid(color=GRID, linewidth=0.6)
            ax.set_axisbelow(True)
        check_choice("labels", labels, ("legend", "none"))
        self._labels = labels
        color = kwargs.pop("color", None)
        if color is None:
            color = next_color(ax)
            self._linestyle = next_line_style(ax, color)
        self._draw(ax, color, name, **kwargs)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _draw(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        raise NotImplementedError

    def _line(
        self, ax: Axes, color: Any, label: str, *points: FloatArray, options: Mapping[str, Any] | None = None
    ) -> Line2D:
        """Draw a line with the options of matplotlib."""
        look = {"color": color, "linestyle": self._linestyle, "linewidth": 1.5, "label": label}
        look["solid_joinstyle"] = "miter"
        (line,) = ax.plot(*points, **(look | spelt_out(options)))
        return line


def spelt_out(options: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return options of a line or a band with matplotlib's short names, such as `lw`, in full."""
    return dict(normalize_kwargs(dict(options or {}), Line2D))


def quantity_words(quantity: str) -> str:
    """Return a quantity as an axis title; that of a difference ends in "a − b"."""
    whole, bracket, part = quantity.rstrip("]").rpartition("[")
    if bracket:
        bounds = part.replace("max_fpr=", "FPR\u00a0≤\u00a0").replace("min_tpr=", "TPR\u00a0≥\u00a0")
        return f"{quantity_words(whole.strip()).replace('AUC', 'Partial AUC', 1)} ({bounds})"
    of, names = compared(quantity)
    if names:
        return f"{quantity_words(of)}, {names[0]} − {names[1]}"
    words = WORDS.get(quantity, quantity.replace("_", " ").replace(" auc", " AUC"))
    words = words.replace("false negative ", "FN ").replace("false positive ", "FP ")
    return f"{words[:1].upper()}{words[1:]}"


def compared(quantity: str) -> tuple[str, tuple[str, ...]]:
    """Return what is compared and the names of the two; no names if the quantity is no difference."""
    of_two = ("cross-validated auc", "auc", "fpr", "tpr", "cost", "net_benefit", "standardized_net_benefit")
    for of in of_two:
        a, minus, b = quantity.removeprefix(f"{of}_").partition(f" - {of.split()[-1]}_")
        if minus and quantity.startswith(f"{of}_"):
            return of, tuple(map(plain, shortened((a, b))))
    return quantity, ()


def auc_words(auc: Interval) -> str:
    """Format an AUC with its interval, e.g. "AUC 0.73 (95% CI 0.62 to 0.82)"."""
    digits = 2 if auc.upper - auc.lower >= 0.02 else 3
    ends = " to ".join(f"{end:.{digits}f}" for end in (auc.lower, auc.upper))
    words = quantity_words(auc.quantity).replace(" (", ", ").rstrip(")")
    return f"{words} {auc.estimate:.{digits}f} ({level_words(auc.confidence_level, 'CI')} {ends})"


def check_area(name: str, interval: Interval | None, area: float, *, close: float = 1e-12) -> Interval | None:
    """Check that this is the interval of the AUC of the curve.

    Binormal estimates are accepted: they are not the empirical AUC.
    """
    remedy = "Make it with `auc_interval(scores)`."
    if interval is not None:
        check_instance(name, interval, Interval, remedy)
        if interval.quantity == "auc" and str(interval.method) != "binormal":
            check_same(name, interval.estimate, area, remedy, close=close)
    return interval


def name_axes(ax: Axes, x: str | None = None, y: str | None = None) -> None:
    """Set the titles of the axes, wrapped at the length of the axis."""
    wide, high = room_of(ax)
    # Tick labels to the left reduce the width.
    beside = max((label.get_window_extent().width for label in ax.get_yticklabels()), default=0.0)
    rooms = 0.95 * wide - beside / ax.figure.dpi, Y_TITLE * high
    for axis, words, room in zip((ax.xaxis, ax.yaxis), (x, y), rooms, strict=True):
        if words is not None:
            axis.set_label_text(wrapped(words, max(12, letters(room, float(axis.label.get_fontsize())))))
    if x is not None and type(ax.xaxis.get_major_locator()) is AutoLocator:
        ax.xaxis.set_major_locator(WideTicks())


class WideTicks(AutoLocator):
    """Ticks whose labels, such as −0.025, do not overlap."""

    def tick_values(self, vmin: float, vmax: float) -> Any:
        """Return the positions of ticks; called by matplotlib."""
        space = self.axis.get_tick_space() if isinstance(self.axis, Axis) else USUAL_TICKS
        most = max(1, round(space / TICKS_APART))
        self.set_params(nbins=most, min_n_ticks=min(2, most), steps=[1, 2, 5, 10])
        return super().tick_values(vmin, vmax)


def next_color(ax: Axes) -> str:
    """Return the next color of the axes' cycle.

    Empty axes with matplotlib's default cycle get the colors of Okabe and Ito, which color-blind readers can
    distinguish. Another cycle is kept.
    """
    fresh = not ax.has_data()
    # Drawing an empty line is the public way to take a color from the cycle.
    (probe,) = ax.plot([], [])
    color = to_hex(probe.get_color())
    probe.remove()
    if fresh and color == _MATPLOTLIB_FIRST:
        ax.set_prop_cycle(color=OKABE_ITO[1:] + OKABE_ITO[:1])
        return OKABE_ITO[0]
    return color


def next_line_style(ax: Axes, color: str) -> Any:
    """Return the style of the next line of a color: solid, unless all colors have been used."""
    drawn = [line for line in ax.lines if not str(line.get_label()).startswith("_")]
    taken = sum(to_hex(line.get_color()) == color and line.get_linestyle() != "None" for line in drawn)
    return LINE_STYLES[taken % len(LINE_STYLES)]


def row_words(rows: Intervals, name: object) -> str:
    """Return the name of a row: "new", "rel = 3", or "model 3" if the name is a number."""
    if rows.at_name in ("model", "group"):
        words = f"{rows.at_name} {name}" if number_of(str(name)) is not None else str(name)
    else:
        words = f"{rows.at_name} = {name}"
    return plain(wrapped(words))


def label_of(name: str | None, words: str, auc: Interval | None = None) -> str:
    """Return the label for the legend: `words`, the name with `words` in parentheses, or with its AUC."""
    if auc is not None:
        return auc_words(auc) if name is None else f"{plain(name)}, {auc_words(auc)}"
    return words if name is None else f"{plain(name)} ({words})"


def options_of(name: str, given: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Check a mapping of options."""
    options = {} if given is None else given
    check_instance(name, options, Mapping, "Pass a dict of options.")
    return options


def ribbon(
    ax: Axes,
    at: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    color: Any,
    options: dict[str, Any],
    *,
    upright: bool = True,
) -> PolyCollection:
    """Fill between two edges; `at` is vertical if `upright` is false."""
    fill = ax.fill_between if upright else ax.fill_betweenx
    # The edges distinguish overlapping bands.
    look: dict[str, Any] = {
        "facecolor": to_rgba(color, BAND_ALPHA),
        "edgecolor": to_rgba(color, 0.5),
        "linewidth": 0.6,
    }
    return fill(at, lower, upper, **(look | options))


def legend(ax: Axes, loc: Any = "lower right", labels: Labels = "legend") -> None:
    """Add a legend below the axes, or inside axes that are not part of a grid; replace an existing one.

    The layout engine of the figure makes room for it. Many labels are shortened to one line each.

    Parameters
    ----------
    ax : matplotlib Axes
    loc : str
        Position within axes that are not part of a grid.
    labels : {"legend", "none"}
    """
    if (old := ax.get_legend()) is not None:
        old.remove()
    handles, words = _named(ax)
    if not words or labels == "none":
        return
    handles = [_with_fill(ax, handle) for handle in handles]
    if ax.get_subplotspec() is None:
        ax.legend(handles, words, loc=loc, frameon=False)
        return
    size = FontProperties(size="small").get_size_in_points()
    room = letters(room_of(ax)[0], size)
    most = int(LEGEND_WIDTH * room) - HANDLE
    words = cut_labels(words, most) if len(words) > MOST_WRAPPED else [wrapped(text, most) for text in words]
    longest = max(len(line) for text in words for line in text.split("\n"))
    ax.apply_aspect()
    written = ax.xaxis.get_tightbbox()
    under = 0.0 if written is None else (ax.bbox.y0 - written.y0) / ax.figure.dpi
    below = ScaledTranslation(0.0, -under - LEGEND_PAD, ax.figure.dpi_scale_trans)
    ax.legend(
        handles,
        words,
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        bbox_transform=ax.transAxes + below,
        ncols=max(1, room // (longest + HANDLE)),
        frameon=False,
        fontsize=size,
        borderaxespad=0.0,
        labelspacing=0.3,
        handlelength=1.5,
    )


def room_of(ax: Axes) -> tuple[float, float]:
    """Return width and height in inches of the axes' part of the figure."""
    spec, dpi, box = ax.get_subplotspec(), ax.figure.dpi, ax.figure.bbox
    if spec is None:
        return ax.bbox.width / dpi, ax.bbox.height / dpi
    rows, columns = (
        len(spec.rowspan) / spec.get_gridspec().nrows,
        len(spec.colspan) / spec.get_gridspec().ncols,
    )
    return box.width / dpi * columns, box.height / dpi * rows


def _with_fill(ax: Axes, handle: Any) -> Any:
    """Return a line together with the unlabeled band around it, if any."""
    if not isinstance(handle, Line2D):
        return handle
    fills = (
        fill
        for fill in ax.collections
        if isinstance(fill, PolyCollection) and str(fill.get_label()).startswith("_")
    )
    color = to_hex(handle.get_color())
    around = any(to_hex(shade) == color for fill in fills for shade in np.asarray(fill.get_facecolor()))
    return (Patch(facecolor=color, alpha=BAND_ALPHA, linewidth=0.0), handle) if around else handle


def _named(ax: Axes) -> tuple[list[Any], list[str]]:
    """Handles and labels; bands with the same label appear once, in gray."""
    handles, words = ax.get_legend_handles_labels()
    told: dict[str, Any] = {}
    rest = []
    for handle, text in zip(handles, words, strict=True):
        if not isinstance(handle, PolyCollection):
            rest.append((handle, text))
        elif text in told:
            told[text] = Patch(facecolor=GUIDE["color"], alpha=2.0 * BAND_ALPHA)
        else:
            told[text] = handle
    both = [*rest, *((handle, text) for text, handle in told.items())]
    return [handle for handle, _ in both], [text for _, text in both]
