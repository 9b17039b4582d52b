"""What all displays share: axes, colours, labels, ribbons, forests, legends, lines thin enough to draw."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from weakref import WeakKeyDictionary

import numpy as np
from matplotlib.collections import LineCollection, PatchCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

from confroc._types import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import ErrorbarContainer
    from matplotlib.figure import FigureBase
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D


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
    "w": "w, weight of a missed positive",
    "cost": "Normalised cost",
}
# Lines of one colour are told apart by these, in this order.
LINE_STYLES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.2, 1.4)), (0, (6, 2, 1.2, 2)))
# Names longer than this are broken into two lines, and lose their middle where these do not hold them.
LONGEST_LINE = 26
# A share of the width of figures that do not grow.
WIDEST_LEGEND = 0.6
# The first colour of matplotlib's own default cycle.
_MATPLOTLIB_FIRST = "#1f77b4"
# Figures that a display has made and the width they were given: they grow for a legend, a user's never do.
_OWN: WeakKeyDictionary[Any, float] = WeakKeyDictionary()
# Lines of more vertices than this are thinned, and then move by at most THIN_ERROR on unit axes.
MAX_VERTICES = 1500
THIN_ERROR = 2e-3


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
        At most about `MAX_VERTICES` row numbers, the first and the last among them; all rows when
        there are no more than that.

    Notes
    -----
    Rows are put into bins of equal total variation (of x and every y, each in units of its own
    range), and the first and last row of each bin are kept. All rows of a bin then lie in a box whose
    width and height add up to at most one bin, (1 + k)/750 for k monotone lines, and no vertex of a
    monotone line is further than 1/(2√2) of that from the chord: 0.0009 of the axes for one line,
    `THIN_ERROR` for three. That is less than a pixel of a picture 500 pixels wide.
    """
    n = len(x)
    if n <= MAX_VERTICES:
        return np.arange(n)
    travelled = np.zeros(n)
    for values in (x, *ys):
        steps = np.abs(np.diff(values))
        span = float(np.ptp(values))
        if span > 0.0:
            travelled[1:] += np.cumsum(steps / span)
    bins = MAX_VERTICES // 2
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

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **kwargs: Any) -> Self:
        """Draw the result.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        name : str, optional
            What the legend calls the result; its level and kind are added.
        **kwargs
            For the artist that the class names; `color` colours the whole.

        Returns
        -------
        Display
            Itself. Lines of more than about 1,500 vertices are thinned by less than a pixel.
        """
        if ax is None:
            # A figure of pyplot, which notebooks show by themselves.
            import matplotlib.pyplot as plt

            figure, ax = plt.subplots(figsize=self.figsize, layout="compressed")
            _OWN[figure] = self.figsize[0]
        color = kwargs.pop("color", None)
        if color is None:
            color = next_color(ax)
            self._linestyle = next_line_style(ax, color)
        self._draw(ax, color, name, **kwargs)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _draw(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        raise NotImplementedError


def quantity_words(quantity: str) -> str:
    """Return what a result estimates, or is over, as an axis title; of a difference, "..., a − b"."""
    for of in ("auc", "fpr", "tpr", "cost", "net_benefit"):
        a, minus, b = quantity.removeprefix(f"{of}_").partition(f" - {of}_")
        if minus and quantity.startswith(f"{of}_"):
            return f"{quantity_words(of)}, {plain(a)} − {plain(b)}"
    return WORDS.get(quantity, quantity.replace("_", " "))


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


def plain(name: str) -> str:
    """Return a name as matplotlib must receive it: `$` starts no formula, `_` does not hide it."""
    escaped = name.replace("$", r"\$")
    return f" {escaped}" if escaped.startswith("_") else escaped


def short(name: str) -> str:
    """Return a name on at most two lines, without its middle if it is too long for them.

    The end is kept, because names of models often differ only there.
    """
    if len(name) > 2 * LONGEST_LINE:
        name = f"{name[:LONGEST_LINE]}…{name[1 - LONGEST_LINE :]}"
    if len(name) <= LONGEST_LINE:
        return name
    # Between words, or else within one, as late as possible.
    for ends in (" ", "_-./"):
        cuts = [at for at in range(1, len(name)) if name[at - 1] in ends]
        lines = [(name[:at].rstrip(), name[at:]) for at in cuts]
        fitting = [pair for pair in lines if max(map(len, pair)) <= LONGEST_LINE]
        if fitting:
            return "\n".join(fitting[-1])
    return f"{name[:LONGEST_LINE]}\n{name[LONGEST_LINE:]}"


def label_of(name: str | None, words: str) -> str:
    """Return what the legend says: `words`, or the name with `words` in brackets."""
    return words if name is None else f"{plain(short(name))} ({words})"


def rows_height(rows: int) -> float:
    """Return the height in inches of a figure that shows so many rows, one under the other."""
    return 0.9 + 0.45 * rows


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
    """Draw intervals as rows at heights `at`, from top to bottom: bars, and a mark at each estimate."""
    # Bars hang on their middle, because a smoothed interval need not contain its estimate.
    look: dict[str, Any] = {"fmt": "none", "ecolor": color, "elinewidth": 1.8}
    bars = ax.errorbar((lower + upper) / 2.0, at, xerr=(upper - lower) / 2.0, **(look | options))
    face = color if filled else "white"
    (points,) = ax.plot(
        estimate, at, linestyle="none", marker="o", markersize=6, color=color, markerfacecolor=face
    )
    ax.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    return bars, points


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


def legend(ax: Axes, loc: str = "best") -> None:
    """Draw or refresh the legend when anything has a name: in an empty corner, else right of the axes.

    Where that would take room from axes of a figure that is not a display's own, it may lie on a pale fill;
    names too wide for the room beside axes in such a figure stay in them, whatever they cover.
    """
    if not ax.get_legend_handles_labels()[1]:
        return
    if isinstance(ax.get_axes_locator(), _Room):
        ax.set_axes_locator(None)  # type: ignore[arg-type]
    ax.apply_aspect()
    corners = tuple(dict.fromkeys((loc, "lower right", "upper left", "upper right", "lower left")))
    for fills in (True,) if ax.figure in _OWN else (True, False):
        for size, place in product(("medium", "small"), corners):
            options: dict[str, Any] = {"frameon": False, "loc": place, "fontsize": size}
            if not _covers(ax, ax.legend(**options), fills=fills):
                return
    options = {"frameon": False, "fontsize": "small", "loc": "upper left", "borderaxespad": 0.3}
    beside = ax.legend(bbox_to_anchor=(1.0, 1.0), **options)
    if ax.figure in _OWN or beside.get_window_extent().width < WIDEST_LEGEND * ax.figure.bbox.width:
        _make_room(ax, beside)
    else:
        ax.legend(**(options | {"loc": loc}))


def _covers(ax: Axes, legend: Legend, *, fills: bool) -> bool:
    """Whether a legend is too wide, or lies over a line or a bar or, if asked, over a filled area.

    Guides, such as the chance line, may pass below it.
    """
    # A layout engine may yet make the axes smaller, for what stands beside them.
    scale = 1.0 if ax.figure in _OWN or ax.figure.get_layout_engine() is None else 1.1
    box = legend.get_window_extent().expanded(scale, scale)
    if box.width > ax.bbox.width:
        return True
    paths: list[tuple[Any, Any]] = [(v, v.get_path()) for v in ax.lines if v.get_zorder() != GUIDE["zorder"]]
    paths += [(c, p) for c in ax.collections for p in c.get_paths() if fills or isinstance(c, LineCollection)]
    return any(
        drawn.get_transform()
        .transform_path(path)
        .intersects_bbox(box, filled=isinstance(drawn, PolyCollection | PatchCollection))
        for drawn, path in paths
    )


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
    """Says where axes go that end further left than they were given."""

    end: float

    def __call__(self, ax: Axes, _: object) -> Bbox:
        given = ax.get_position(original=True)
        end = min(given.x1, self.end)
        return Bbox.from_extents(given.x0, given.y0, end, given.y1)
