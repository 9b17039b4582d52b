"""What all displays share: axes, colours, labels, ribbons, and lines thin enough to draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from matplotlib.colors import to_hex
from numpy.typing import NDArray

from confroc._types import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import FigureBase


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
# The first colour of matplotlib's own default cycle.
_MATPLOTLIB_FIRST = "#1f77b4"
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

            _, ax = plt.subplots(figsize=self.figsize, layout="constrained")
        color = kwargs.pop("color", None) or next_color(ax)
        self._draw(ax, color, name, **kwargs)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _draw(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        raise NotImplementedError


def quantity_words(quantity: str) -> str:
    """Return what a result estimates, or is over, as an axis title; of a difference, "..., a − b"."""
    a, minus, b = quantity.partition(" - ")
    for of in ("auc", "fpr", "tpr", "cost", "net_benefit"):
        if minus and a.startswith(f"{of}_") and b.startswith(f"{of}_"):
            return f"{quantity_words(of)}, {a[len(of) + 1 :]} − {b[len(of) + 1 :]}"
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


def plain(name: str) -> str:
    """Return a name as matplotlib must receive it: `$` starts no formula, `_` does not hide it."""
    escaped = name.replace("$", r"\$")
    return f" {escaped}" if escaped.startswith("_") else escaped


def label_of(name: str | None, words: str) -> str:
    """Return what the legend says: `words`, or the name with `words` in brackets."""
    return words if name is None else f"{plain(name)} ({words})"


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


def legend(ax: Axes, **kwargs: Any) -> None:
    """Draw or refresh the legend when anything has a name."""
    if ax.get_legend_handles_labels()[1]:
        ax.legend(**({"frameon": False} | kwargs))
