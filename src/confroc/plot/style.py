"""What all displays share: axes, colours, labels, ribbons, forests, legends, lines thin enough to draw."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from matplotlib.axes import Axes as PlotAxes
from matplotlib.cbook import normalize_kwargs
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import AutoLocator
from matplotlib.transforms import Bbox, ScaledTranslation
from numpy.typing import NDArray

from confroc._check import ArgumentTypeError, check_choice, number_of
from confroc._types import FloatArray
from confroc.plot.names import plain, short, shortened
from confroc.plot.room import APART, FewerTicks, boxes_of, free_place, pixels
from confroc.results import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import FigureBase
    from matplotlib.legend import Legend
    from matplotlib.text import Text

    from confroc.results import Interval, Intervals

Labels: TypeAlias = Literal["auto", "legend", "none"]
# Okabe & Ito's palette, told apart with any form of colour blindness; yellow is left out because it is
# too pale for a line on white, and black comes last because it reads as "the axes".
OKABE_ITO = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
BAND_ALPHA = 0.18
SQUARE = (5.0, 5.0)
# Reference lines: chance, zero.
GUIDE: dict[str, Any] = {"color": "#767676", "linewidth": 0.9, "linestyle": (0, (4, 3)), "zorder": 1.0}
WORDS = {
    "auc": "AUC",
    "fpr": "False positive rate",
    "tpr": "True positive rate",
    "w": "Weight of a missed positive, w",
    "risk": "Risk above which a case is called positive",
    "cost": "Normalised cost",
    "radius": "Drift",
    "psi": "Drift (population stability index)",
    "ks": "KS distance",
    "ppv": "Positive predictive value",
    "npv": "Negative predictive value",
    "positive_rate": "Share called positive",
    "score": "Score",
    "probability": "Probability of a positive",
}
# Lines of one colour are told apart by these, in this order.
LINE_STYLES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.2, 1.4)), (0, (6, 2, 1.2, 2)))
# Up to so many lines may have their names beside them.
MOST_ON_LINES = 5
# Inches; legends of narrower figures go below the axes.
NARROW = 4.5
# Of an interval whose level a label need not say.
USUAL_LEVEL = 0.95
# A share of the figure's height for the title beside square axes.
SQUARE_TITLE = 0.75
# A share of the width of figures that do not grow.
WIDEST_LEGEND = 0.6
# The first colour of matplotlib's own default cycle.
_MATPLOTLIB_FIRST = "#1f77b4"
# Figures that a display has made and the width they were given: they grow for a legend, a user's never do.
_OWN: WeakKeyDictionary[Any, float] = WeakKeyDictionary()
# Names that are written beside the lines of axes.
_WRITTEN: WeakKeyDictionary[Any, list[Any]] = WeakKeyDictionary()
# Lines of more vertices than this are thinned, and then move by at most THIN_ERROR on unit axes.
MAX_VERTICES = 1500
THIN_ERROR = 2e-3


_MOST_VERTICES = ContextVar("most vertices", default=MAX_VERTICES)


@contextmanager
def thinner(vertices: int) -> Iterator[None]:
    """Thin lines to fewer vertices meanwhile: for pages that hold many of them."""
    token = _MOST_VERTICES.set(min(MAX_VERTICES, vertices))
    try:
        yield
    finally:
        _MOST_VERTICES.reset(token)


def thin_error() -> float:
    """How far `thin` moves lines at most, on unit axes, where it leaves out rows."""
    return THIN_ERROR * MAX_VERTICES / _MOST_VERTICES.get()


def thin(x: FloatArray, *ys: FloatArray) -> NDArray[np.intp]:
    """Return the rows worth drawing of lines y over a common x.

    Parameters
    ----------
    x : ndarray of shape (n,)
        Non-decreasing.
    *ys : ndarray of shape (n,)
        At most three.

    Returns
    -------
    ndarray of int
        At most about `MAX_VERTICES` row numbers, or fewer inside of `thinner`; the first and the last
        among them. All rows when there are no more than that.

    Notes
    -----
    Rows are put into bins of equal total variation (of x and every y, each in units of its own
    range), and the first and last row of each bin are kept. All rows of a bin then lie in a box whose
    width and height add up to at most one bin, (1 + k)/750 for k monotone lines, and no vertex of a
    monotone line is further than 1/(2√2) of that from the chord: 0.0009 of the axes for one line,
    `THIN_ERROR` for three. That is less than a pixel of a picture 500 pixels wide.
    """
    n, most = len(x), _MOST_VERTICES.get()
    if n <= most:
        return np.arange(n)
    travelled = np.zeros(n)
    for values in (x, *ys):
        steps = np.abs(np.diff(values))
        span = float(np.ptp(values))
        if span > 0.0:
            travelled[1:] += np.cumsum(steps / span)
    bins = most // 2
    bin_of = np.minimum(travelled / travelled[-1] * bins, bins - 1).astype(np.intp)
    ends = np.flatnonzero(np.diff(bin_of))
    return np.unique(np.concatenate([[0], ends, ends + 1, [n - 1]]))


class Display:
    """What all displays share: they are drawn by `plot`, and keep what was drawn.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    """

    ax_: Axes
    figure_: FigureBase
    figsize: tuple[float, float] = (6.0, 4.0)
    _linestyle: Any = LINE_STYLES[0]
    _labels: Labels = "auto"

    def plot(
        self, ax: Axes | None = None, *, name: str | None = None, labels: Labels = "auto", **kwargs: Any
    ) -> Self:
        """Draw the result.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        name : str, optional
            What the legend calls the result; its level and kind are added.
        labels : {"auto", "legend", "none"}
            Where the lines of these axes are named: beside each of several lines if all find room there, else
            in a legend; always in a legend; or nowhere.
        **kwargs
            For the artist that the class names; `color` colours the whole.

        Returns
        -------
        Display
            Itself. Lines of more than about 1,500 vertices are thinned by less than a pixel.
        """
        kwargs = spelt_out(kwargs)
        if ax is not None and not isinstance(ax, PlotAxes):
            raise _no_axes(ax)
        if ax is None:
            # A figure of pyplot, which notebooks show by themselves.
            import matplotlib.pyplot as plt

            figure, ax = plt.subplots(figsize=self.figsize, layout="compressed")
            _OWN[figure] = self.figsize[0]
        check_choice("labels", labels, ("auto", "legend", "none"))
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


def spelt_out(options: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return options of a line or a filled band, matplotlib's short names for them, like `lw`, in full."""
    return dict(normalize_kwargs(dict(options or {}), Line2D))


def _no_axes(value: Any) -> ArgumentTypeError:
    """What to write in place of something else than axes."""
    remedy = "Make them with `figure, ax = plt.subplots()`."
    if isinstance(value, str):
        remedy = f"Write plot(name={value!r})."
    elif isinstance(value, Figure):
        remedy = "Write plot(ax=figure.gca())."
    elif getattr(value, "__name__", "") == "matplotlib.pyplot":
        remedy = "Write plot(ax=plt.gca())."
    elif isinstance(value, np.ndarray | list | tuple):
        remedy = "Pass one of them, as in plot(ax=axs[0])."
    return ArgumentTypeError("ax", "be Axes of matplotlib", type(value).__name__, remedy)


def quantity_words(quantity: str) -> str:
    """Return what a result estimates, or is over, as an axis title; of a difference, "..., a − b"."""
    whole, bracket, part = quantity.rstrip("]").rpartition("[")
    if bracket:
        bounds = part.replace("max_fpr=", "FPR\u00a0≤\u00a0").replace("min_tpr=", "TPR\u00a0≥\u00a0")
        return f"{quantity_words(whole.strip()).replace('AUC', 'Partial AUC', 1)} ({bounds})"
    of, names = compared(quantity)
    if names:
        return f"{quantity_words(of)}, {names[0]} − {names[1]}"
    words = WORDS.get(quantity, quantity.replace("_", " ").replace(" auc", " AUC"))
    return f"{words[:1].upper()}{words[1:]}"


def compared(quantity: str) -> tuple[str, tuple[str, ...]]:
    """Return what is compared, and the names of the two; none where it is no difference."""
    for of in ("cross-validated auc", "auc", "fpr", "tpr", "cost", "net_benefit"):
        a, minus, b = quantity.removeprefix(f"{of}_").partition(f" - {of.split()[-1]}_")
        if minus and quantity.startswith(f"{of}_"):
            return of, tuple(map(plain, shortened((a, b))))
    return quantity, ()


def auc_words(auc: Interval) -> str:
    """Return an area with its interval, e.g. "AUC 0.73 (0.62–0.82)"; a level other than 95 % is said."""
    digits = 2 if auc.upper - auc.lower >= 0.02 else 3
    ends = "–".join(f"{end:.{digits}f}" for end in (auc.lower, auc.upper))
    level = "" if auc.confidence_level == USUAL_LEVEL else f"{percent(auc.confidence_level)}: "
    words = quantity_words(auc.quantity).replace(" (", ", ").rstrip(")")
    return f"{words} {auc.estimate:.{digits}f} ({level}{ends})"


def name_axes(ax: Axes, x: str | None = None, y: str | None = None) -> None:
    """Write the titles of the axes, on several lines where one would be longer than its axis.

    Ticks of the horizontal axis become fewer where their labels would run into each other.
    """
    if x is not None and type(ax.xaxis.get_major_locator()) is AutoLocator:
        ax.xaxis.set_major_locator(FewerTicks())
    for axis, words in ((ax.xaxis, x), (ax.yaxis, y)):
        if words is None:
            continue
        axis.set_label_text(words)
        box, room = axis.label.get_window_extent(), ax.bbox
        long, most = (box.width, room.width) if axis is ax.xaxis else (box.height, room.height)
        if axis is ax.xaxis and ax.figure.get_layout_engine() is not None:
            # What stands left of the axes will take its room from them.
            named = [label.get_window_extent().width for label in ax.get_yticklabels()]
            most = min(most, 0.95 * ax.figure.bbox.width - max(named, default=0.0))
        elif axis is ax.yaxis and ax.get_aspect() == 1.0:
            # Square axes will be lower than they are yet, and what stands below lifts their middle.
            most = min(most, SQUARE_TITLE * ax.figure.bbox.height)
        lines = math.ceil(long / most)
        if lines > 1:
            wide = max(12, math.ceil(1.1 * len(words) / lines))
            # A number stays with its unit.
            kept = textwrap.fill(words.replace(" %", "\u00a0%"), wide, break_long_words=False)
            axis.set_label_text(kept.replace("\u00a0%", " %"))


def next_color(ax: Axes) -> str:
    """Return the next colour of the axes' cycle.

    Axes that are still empty and have matplotlib's default cycle get Okabe and Ito's colours, which
    colour-blind readers can tell apart. A cycle the user has chosen is left as it is.
    """
    fresh = not ax.has_data()
    # Drawing nothing is the public way to take a colour from the cycle.
    (probe,) = ax.plot([], [])
    color = to_hex(probe.get_color())
    probe.remove()
    if fresh and color == _MATPLOTLIB_FIRST:
        ax.set_prop_cycle(color=OKABE_ITO[1:] + OKABE_ITO[:1])
        return OKABE_ITO[0]
    return color


def next_line_style(ax: Axes, color: str) -> Any:
    """Return how to draw a further line of a colour: solid, unless the cycle of colours has begun anew."""
    drawn = [line for line in ax.lines if not str(line.get_label()).startswith("_")]
    taken = sum(to_hex(line.get_color()) == color and line.get_linestyle() != "None" for line in drawn)
    return LINE_STYLES[taken % len(LINE_STYLES)]


def row_words(rows: Intervals, name: object) -> str:
    """Return what names a row of a table by model or group: "new", "rel = 3"; of a number, whose it is."""
    names = [str(at) for at in rows.at]
    called = dict(zip(names, shortened(names), strict=True))
    if rows.at_name in ("model", "group"):
        words = f"{rows.at_name} {name}" if number_of(str(name)) is not None else called[str(name)]
    else:
        words = f"{rows.at_name} = {called[str(name)]}"
    return plain(short(words))


def label_of(name: str | None, words: str, auc: Interval | None = None) -> str:
    """Return what the legend says: `words`, or the name with `words` in brackets, or with its area."""
    if auc is not None:
        return auc_words(auc) if name is None else f"{plain(name)}, {auc_words(auc)}"
    return words if name is None else f"{plain(name)} ({words})"


def _parts(label: str) -> tuple[str, str]:
    """The name in a label of a legend, and what is said of it."""
    said = re.search(r",? ((?:\w+ )?AUC[^(]* \d[.\d]* \([^()]*\)|\([^()]{0,28}\))$", label)
    return (label[: said.start()], label[said.start() :]) if said else (label, "")


def broken(label: str) -> str:
    """Return a label of a legend in lines: the name on one or two, and what is said of it on the next."""
    name, said = _parts(label)
    return "\n".join([short(name), *([said.lstrip(", ")] if said else [])])


def _labels(words: Sequence[str]) -> list[str]:
    """Labels of a legend with their names cut together."""
    parts = [_parts(label) for label in words]
    # Escaped signs count as they are seen, and none loses its escape.
    names = shortened([name.replace(r"\$", "$") for name, _ in parts])
    escaped = [
        short_name.replace("$", r"\$") if r"\$" in name else short_name
        for short_name, (name, _) in zip(names, parts, strict=True)
    ]
    return [name + said for name, (_, said) in zip(escaped, parts, strict=True)]


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
    """Fill between two edges; with `upright` false, `at` runs upwards."""
    fill = ax.fill_between if upright else ax.fill_betweenx
    return fill(at, lower, upper, **({"color": color, "alpha": BAND_ALPHA, "linewidth": 0.0} | options))


def legend(ax: Axes, loc: str = "best", labels: Labels = "auto") -> None:
    """Say what the lines are, anew for all of them: beside each line, or in a legend.

    Two to five lines are labelled themselves where every label finds room beside its line. Else a legend
    stands in an empty corner, or right of the axes or below them. Where that would take room from axes of a
    figure that is not a display's own, it may lie on a pale fill; names too wide for the room beside or
    below axes in such a figure stay in them, whatever they cover.
    """
    for text in _WRITTEN.pop(ax, ()):
        text.remove()
    if (old := ax.get_legend()) is not None:
        old.remove()
    handles, words = _named(ax)
    if not words or labels == "none":
        return
    if isinstance(ax.get_axes_locator(), _Room):
        ax.set_axes_locator(None)  # type: ignore[arg-type]
    ax.apply_aspect()
    # Limits are set when asked for; until then lines would seem to lie elsewhere.
    ax.get_xlim(), ax.get_ylim()
    if labels == "auto" and (left := _label_lines(ax, handles, words)) is not None:
        handles, words = left
        if not words:
            return
    handles = [_with_fill(ax, handle) for handle in handles]
    corners: tuple[Any, ...] = tuple(
        dict.fromkeys((loc, "lower right", "upper left", "upper right", "lower left", "lower center"))
    )
    lines = [*map(broken, words)]
    own = ax.figure in _OWN
    shapes = [("medium", words), ("small", words), ("small", lines)]
    narrow = not own and ax.figure.bbox.width < NARROW * ax.figure.dpi
    shapes += [("x-small", words), ("x-small", lines)] if narrow else []
    drawn = [_drawn(ax, fills=fills) for fills in ((True,) if own else (True, False))]
    sizes: dict[int, tuple[float, float]] = {}
    for paths, (k, (size, texts)) in product(drawn, enumerate(shapes)):
        options: dict[str, Any] = {"frameon": False, "fontsize": size}
        if k not in sizes:
            # As wide and as high in every corner.
            box = ax.legend(handles, texts, loc=corners[-1], **options).get_window_extent()
            sizes[k] = box.width, box.height
        for place in corners[corners[0] == "best" :]:
            if not _covers(ax, _corner(ax, place, sizes[k], size), paths):
                ax.legend(handles, texts, loc=place, **options)
                return
    options = {"frameon": False, "fontsize": "small", "loc": "upper left", "borderaxespad": 0.3}
    whole = ax.figure.bbox
    for texts in (lines, [*map(_unbroken, lines)]):
        beside = ax.legend(handles, texts, bbox_to_anchor=(1.0, 1.0), **options)
        box = beside.get_window_extent()
        if box.height <= whole.height:
            break
    if own or (not narrow and box.width < WIDEST_LEGEND * whole.width):
        _make_room(ax, beside)
    elif not _put_below(ax, handles, words):
        ax.legend(handles, lines, **(options | {"loc": loc, "fontsize": "x-small"}))


def _with_fill(ax: Axes, handle: Any) -> Any:
    """Return a line with the fill around it that has no name of its own, for both to be shown."""
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


def _unbroken(label: str) -> str:
    """Return a broken label with what is said of a name on the name's last line."""
    name, _, said = label.rpartition("\n")
    return f"{name} {said}" if name and said.startswith(("(", "AUC")) else label


def _named(ax: Axes) -> tuple[list[Any], list[str]]:
    """What has a name, and the names; fills that say the same are told once, in grey."""
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
    return [handle for handle, _ in both], _labels([text for _, text in both])


def _put_below(ax: Axes, handles: list[Any], words: list[str]) -> bool:
    """Put the legend below axes and what is written there; false if it is too wide or too high."""
    figure = ax.figure
    ticks = [label.get_window_extent().height for label in ax.get_xticklabels()]
    under = max(ticks, default=0.0) + ax.xaxis.label.get_window_extent().height
    away = ScaledTranslation(0.0, -(under / figure.dpi) - 0.17, figure.dpi_scale_trans)
    options: dict[str, Any] = {"frameon": False, "loc": "upper center", "borderaxespad": 0.0}
    options |= {"bbox_to_anchor": (0.5, 0.0), "bbox_transform": ax.transAxes + away, "handlelength": 1.5}
    for size in ("small", "x-small"):
        below = ax.legend(handles, words, fontsize=size, labelspacing=0.3, **options)
        box = below.get_window_extent()
        if box.width <= 0.97 * figure.bbox.width and box.height <= 0.4 * ax.bbox.height:
            break
    else:
        return False
    if figure.get_layout_engine() is None:
        given = ax.get_position(original=True)
        need = (box.height + under + 0.2 * figure.dpi) / figure.bbox.height
        if ax.get_axes_locator() is not None or given.y1 - need < 0.4 * given.height:
            return False
        ax.set_axes_locator(_Room(given.x1, max(given.y0, need)))  # type: ignore[arg-type]
    return True


# --- labels on the lines -----------------------------------------------------------------------------


def _label_lines(ax: Axes, handles: list[Any], words: list[str]) -> tuple[list[Any], list[str]] | None:
    """Write each line's name beside it, and return what is left for a legend; None if one finds no room."""
    named = [k for k, handle in enumerate(handles) if isinstance(handle, Line2D) and _is_curve(handle)]
    if not 2 <= len(named) <= MOST_ON_LINES:
        return None
    points = {
        line: pixels(line, ax.bbox)
        for line in ax.lines
        if _is_curve(line) or line.get_zorder() == GUIDE["zorder"]
    }
    room = ax.bbox.padded(-3.0)
    placed: list[FloatArray] = []
    written: list[Text] = []
    dot = ax.figure.dpi / 72.0
    for k in named:
        line, text = handles[k], broken(words[k])
        look: dict[str, Any] = {"color": line.get_color(), "fontsize": "small", "annotation_clip": False}
        probe = ax.annotate(text, (0.0, 0.0), xycoords="axes fraction", **look)
        size = probe.get_window_extent()
        probe.remove()
        others = np.concatenate([p for other, p in points.items() if other is not line])
        at, side = free_place(points[line], others, placed, (size.width, size.height), room, dot)
        if at is None:
            for text_drawn in written:
                text_drawn.remove()
            return None
        x, y = ax.transData.inverted().transform(at)
        written.append(
            ax.annotate(
                text,
                (x, y),
                xytext=(APART * side[0], APART * side[1]),
                textcoords="offset points",
                ha={1: "left", 0: "center", -1: "right"}[side[0]],
                va={1: "bottom", 0: "center", -1: "top"}[side[1]],
                **look,
            )
        )
        placed.append(boxes_of(at[None, :], side, (size.width, size.height), APART * dot)[0])
    _WRITTEN[ax] = written
    rest = [k for k in range(len(handles)) if k not in named]
    return [handles[k] for k in rest], [words[k] for k in rest]


def _is_curve(line: Line2D) -> bool:
    return line.get_linestyle() != "None" and np.size(line.get_xydata()) > 4


def _drawn(ax: Axes, *, fills: bool) -> list[tuple[Any, bool]]:
    """What a legend must not cover, as it is seen: lines and bars, filled areas if asked; guides are none."""
    paths: list[tuple[Any, Any]] = [(v, v.get_path()) for v in ax.lines if v.get_zorder() != GUIDE["zorder"]]
    paths += [(c, p) for c in ax.collections for p in c.get_paths() if fills or isinstance(c, LineCollection)]
    paths += [(v, v.get_path()) for v in ax.patches if v.get_zorder() >= GUIDE["zorder"]]
    return [
        (drawn.get_transform().transform_path(path), fills and not isinstance(drawn, Line2D | LineCollection))
        for drawn, path in paths
    ]


def _corner(ax: Axes, place: str, size: tuple[float, float], font: str) -> Bbox:
    """Where in the axes a legend of this size stands."""
    away = 0.5 * FontProperties(size=font).get_size_in_points() * ax.figure.dpi / 72.0
    (wide, high), room = size, ax.bbox
    left = room.x1 - away - wide if "right" in place else room.x0 + away
    if "center" in place:
        left = 0.5 * (room.x0 + room.x1 - wide)
    low = room.y1 - away - high if "upper" in place else room.y0 + away
    return Bbox.from_bounds(left, low, wide, high)


def _covers(ax: Axes, box: Bbox, paths: Sequence[tuple[Any, bool]]) -> bool:
    """Whether a legend is too wide or too high, or lies over what is drawn."""
    # A layout engine may yet make the axes smaller, for what stands beside them.
    scale = 1.0
    if ax.figure not in _OWN and ax.figure.get_layout_engine() is not None:
        scale = 1.2 if ax.get_xscale() == "function" else 1.1
    box = box.expanded(scale, scale)
    if box.width > ax.bbox.width or box.height > ax.bbox.height:
        return True
    return any(path.intersects_bbox(box, filled=filled) for path, filled in paths)


def _make_room(ax: Axes, legend: Legend) -> None:
    """Let a legend right of the axes fit into the figure.

    Figures with a layout engine see to it themselves; one that a display has made grows with it. Elsewhere
    the axes give up some of their width.
    """
    figure, wide = ax.figure, legend.get_window_extent().width
    if isinstance(figure, Figure) and figure in _OWN:
        figure.set_figwidth(_OWN[figure] + wide / figure.dpi)
    elif figure.get_layout_engine() is None and ax.get_axes_locator() is None:
        end = ax.get_position(original=True).x1
        alone = all(other.get_position().x0 < end for other in figure.axes)
        room = _Room((1.0 if alone else end) - (wide + 10.0) / figure.bbox.width)
        ax.set_axes_locator(room)  # type: ignore[arg-type]


class _Room(NamedTuple):
    """Says where axes go that end further left, or begin higher, than they were given."""

    end: float
    start: float = 0.0

    def __call__(self, ax: Axes, _: object) -> Bbox:
        given = ax.get_position(original=True)
        end = min(given.x1, self.end)
        return Bbox.from_extents(given.x0, max(given.y0, self.start), end, given.y1)
