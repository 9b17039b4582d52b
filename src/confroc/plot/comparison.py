"""Comparisons of several models or groups: ranked values and pairwise differences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from matplotlib.collections import PatchCollection
from matplotlib.colors import to_rgba
from matplotlib.patches import Rectangle

from confroc._check import check_instance, number_of
from confroc.plot.names import LONGEST_LINE, plain, shortened
from confroc.plot.rows import forest, name_rows, rows_height
from confroc.plot.style import (
    BAND_ALPHA,
    GUIDE,
    Display,
    name_axes,
    quantity_words,
    row_words,
)
from confroc.results import Comparison, Differences, percent
from confroc.results.shown import pvalue

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import ErrorbarContainer
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

    from confroc._types import FloatArray

GRAY = GUIDE["color"]
# Widths in inches: values with their names, one cell of the matrix, differences from a reference.
VALUES_WIDTH, CELL_WIDTH, DIFFERENCES_WIDTH = 4.8, 0.68, 3.4
# For the text below a matrix.
LEAST_MATRIX_WIDTH = 2.0
LINES = "#d8d8d8"


class DifferencesDisplay(Display):
    """A forest plot of differences: one row per pair with its p-value, and a line at zero.

    Markers are filled if the adjusted p-value is at most 1 − confidence_level. Options of `plot` are passed
    to `Axes.errorbar`.

    Parameters
    ----------
    differences : Differences

    Attributes
    ----------
    bars_ : matplotlib ErrorbarContainer
    points_ : matplotlib Line2D
        Estimates that are not significant.
    rejected_ : matplotlib Line2D
        Estimates that are significant.
    texts_ : list of matplotlib Text
        The p-values.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from confroc import PairedScores, auc_comparison
    >>> from confroc.plot import DifferencesDisplay
    >>> scores = PairedScores([1, 1, 0, 0, 1, 0], [6, 5, 4, 3, 2, 1], [6, 1, 5, 2, 4, 3], [6, 2, 1, 5, 4, 3])
    >>> shown = DifferencesDisplay(auc_comparison(scores).differences).plot(ax=Figure().add_subplot())
    >>> [tick.get_text() for tick in shown.ax_.get_yticklabels()]
    ['a − b', 'a − c', 'b − c']
    """

    bars_: ErrorbarContainer
    points_: Line2D
    rejected_: Line2D
    texts_: list[Text]

    def __init__(self, differences: Differences) -> None:
        known = "Use `auc_comparison(scores).differences`."
        check_instance("differences", differences, Differences, known)
        self.differences = differences
        self.figsize = (6.5, rows_height(len(differences)))

    def _draw(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        rows = self.differences
        names = shortened([_of(rows, name) for name in (*rows.a, *rows.b)], LONGEST_LINE)
        pairs = zip(names[: len(rows)], names[len(rows) :], strict=True)
        size = name_rows(ax, [plain(_pair_words(a, b)) for a, b in pairs])
        self._rows(ax, color, np.arange(float(len(rows))), size, kwargs)
        name_axes(ax, x=words_of(f"Difference in {quantity_words(rows.quantity)}", rows, name))

    def _rows(self, ax: Axes, color: Any, height: FloatArray, size: float, options: dict[str, Any]) -> None:
        """Draw the rows without their names; p-values have this font size."""
        rows = self.differences
        apart = rejects(rows)
        self.bars_, self.points_ = forest(
            ax, color, height, rows.estimate, rows.lower, rows.upper, options, filled=False
        )
        look = {"linestyle": "none", "marker": "o", "markersize": 6, "color": color}
        (self.rejected_,) = ax.plot(rows.estimate[apart], height[apart], **look)
        ax.axvline(0.0, **GUIDE)
        self.texts_ = [
            ax.text(
                1.01,
                at,
                pvalue_words(rows, i),
                transform=ax.get_yaxis_transform(),
                va="center",
                fontsize=size,
                fontweight="bold" if bold else "normal",
            )
            for i, (at, bold) in enumerate(zip(height, apart, strict=True))
        ]


class ComparisonDisplay(Display):
    """Models ranked by value, with simultaneous intervals, and the pairwise differences next to them.

    The best model is at the top. Models that may be best are colored and have filled markers. The differences
    are a matrix of ranks: each cell contains the value of its row minus that of its column with the adjusted
    p-value, and is shaded if that is at most 1 − confidence_level. With a reference, the differences from it
    are drawn instead, in the rows of the models. Options of `plot` are passed to `Axes.errorbar` for the
    values; `color` applies to everything.

    Parameters
    ----------
    comparison : Comparison

    Attributes
    ----------
    best_, others_ : matplotlib Line2D
        The values of the models that may be best, and of the others.
    bars_ : list of matplotlib ErrorbarContainer
        The intervals of these two.
    ax_pairs_ : matplotlib Axes or None
        The axes of the differences.
    cells_ : matplotlib PatchCollection or None
        The cells of the matrix.
    pairs_ : DifferencesDisplay or None
        The differences from a reference.
    texts_ : list of matplotlib Text
        The texts of the differences.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from confroc import PairedScores, auc_comparison
    >>> from confroc.plot import ComparisonDisplay
    >>> old, new = [6, 1, 5, 2, 4, 3], [6, 5, 4, 3, 2, 1]
    >>> scores = PairedScores([1, 1, 0, 0, 1, 0], old, new, names=["old", "new"])
    >>> left, right = Figure().subplots(1, 2)
    >>> shown = ComparisonDisplay(auc_comparison(scores)).plot(ax=left, ax_pairs=right)
    >>> [tick.get_text() for tick in left.get_yticklabels()]
    ['1  new', '2  old']
    """

    best_: Line2D
    others_: Line2D
    bars_: list[ErrorbarContainer]
    ax_pairs_: Axes | None
    cells_: PatchCollection | None
    pairs_: DifferencesDisplay | None
    texts_: list[Text]

    def __init__(self, comparison: Comparison) -> None:
        check_instance("comparison", comparison, Comparison, "Make it with `auc_comparison(scores)`.")
        self.comparison = comparison
        self._order = [comparison.names.index(name) for name in comparison.ranking]
        k = len(self._order)
        matrix = max(CELL_WIDTH * k, LEAST_MATRIX_WIDTH)
        beside = matrix if comparison.reference is None else DIFFERENCES_WIDTH
        self.figsize = (VALUES_WIDTH + beside, rows_height(k) + 0.3)
        # Of the two axes; the names are left of the values.
        self.widths = (VALUES_WIDTH - 1.8, beside)

    def plot(
        self, ax: Axes | None = None, *, name: str | None = None, ax_pairs: Axes | None = None, **kwargs: Any
    ) -> Self:
        """Draw the values, and the differences next to them.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            For the values; by default those of a new figure, which also has the differences.
        name : str, optional
            What is compared, for the title of the axis.
        ax_pairs : matplotlib Axes, optional
            For the differences, which are omitted if only `ax` is given.
        **kwargs
            Passed to `Axes.errorbar` for the values.

        Returns
        -------
        ComparisonDisplay
        """
        if ax is None:
            import matplotlib.pyplot as plt

            _, (ax, new) = plt.subplots(
                1, 2, figsize=self.figsize, layout="constrained", width_ratios=self.widths
            )
            ax_pairs = new if ax_pairs is None else ax_pairs
        self.ax_pairs_ = ax_pairs
        return super().plot(ax, name=name, **kwargs)

    def _draw(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        compared = self.comparison
        intervals, order = compared.intervals, self._order
        height = np.arange(len(order))
        best = np.array([compared.names[i] in compared.may_be_best for i in order])
        columns = [values[order] for values in (intervals.lower, intervals.estimate, intervals.upper)]
        self.bars_, points = [], []
        for rows, shade, filled in ((best, color, True), (~best, GRAY, False)):
            low, middle, high = (values[rows] for values in columns)
            drawn = forest(ax, shade, height[rows], middle, low, high, kwargs, filled=filled)
            self.bars_.append(drawn[0])
            points.append(drawn[1])
        self.best_, self.others_ = points
        ranked = [f"{rank}  {row_words(intervals, name)}" for rank, name in enumerate(compared.ranking, 1)]
        size = name_rows(ax, ranked)
        name_axes(ax, x=words_of(quantity_words(intervals.quantity), intervals, name))
        self.best_.set_label(f"may be best ({percent(compared.confidence_level)})")
        handles = [self.best_]
        if not best.all():
            self.others_.set_label("not best")
            handles.append(self.others_)
        # Above the axes, which leaves room for the rows.
        ax.legend(
            handles=handles, loc="lower right", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize="small"
        )
        self.cells_, self.pairs_, self.texts_ = None, None, []
        if self.ax_pairs_ is None:
            return
        if compared.reference is None:
            self._matrix(self.ax_pairs_, color, 0.8 * size)
        else:
            self._against(self.ax_pairs_, color, size, compared.reference)

    def _matrix(self, ax: Axes, color: Any, size: float) -> None:
        """Draw all pairs: the row is the rank of the better model, the column that of the other."""
        compared, rows = self.comparison, self.comparison.differences
        place = {compared.names[i]: rank for rank, i in enumerate(self._order)}
        at = np.array([[place[a], place[b]] for a, b in zip(rows.a.tolist(), rows.b.tolist(), strict=True)])
        better, other = at.min(axis=1), at.max(axis=1)
        gap = np.abs(rows.estimate)
        apart = rejects(rows)
        cells = [Rectangle((x - 0.5, y - 0.5), 1.0, 1.0) for y, x in zip(better, other, strict=True)]
        shades = [to_rgba(color, BAND_ALPHA * yes) for yes in apart]
        self.cells_ = PatchCollection(cells, facecolors=shades, edgecolors=LINES, linewidths=0.6)
        ax.add_collection(self.cells_)
        self.texts_ = [
            ax.text(
                x,
                y,
                f"{d:+.3f}\n{pvalue_words(rows, i)}",
                ha="center",
                va="center",
                fontsize=size,
                fontweight="bold" if bold else "normal",
            )
            for i, (y, x, d, bold) in enumerate(zip(better, other, gap, apart, strict=True))
        ]
        k = len(place)
        ax.set(xlim=(0.5, k - 0.5), ylim=(k - 0.5, -0.5))
        ranks = [str(rank + 1) for rank in range(k)]
        ax.set_xticks(range(1, k), ranks[1:])
        ax.set_yticks(range(k), ranks)
        ax.tick_params(length=0)
        ax.xaxis.tick_top()
        ax.set_xlabel(
            f"row minus column, {self._pvalue()};\nshaded: p ≤ {1.0 - compared.confidence_level:.3g}"
        )
        for side in ax.spines.values():
            side.set_visible(False)

    def _against(self, ax: Axes, color: Any, size: float, reference: str) -> None:
        """Draw the differences from a reference, each in the row of its model."""
        compared = self.comparison
        self.pairs_ = DifferencesDisplay(compared.differences)
        ranking = list(compared.ranking)
        height = np.array([ranking.index(name) for name in compared.differences.a.tolist()])
        self.pairs_._rows(ax, color, height, size, {})
        self.pairs_.ax_, self.pairs_.figure_ = ax, ax.figure
        look: dict[str, Any] = {"ha": "center", "va": "center", "color": GRAY, "backgroundcolor": "white"}
        here = ax.text(0.0, ranking.index(reference), "reference", fontsize=size, **look)
        self.texts_ = [*self.pairs_.texts_, here]
        ax.set(ylim=(len(ranking) - 0.5, -0.5), yticks=[])
        ax.set_xlabel(f"minus {row_words(compared.intervals, reference)},\n{self._pvalue()}")

    def _pvalue(self) -> str:
        return "unadjusted p" if self.comparison.adjust == "none" else "adjusted p"


def _of(rows: Differences, name: str) -> str:
    """The name of one of a pair; a number after what it is a number of."""
    return f"{rows.at_name} {name}" if number_of(str(name)) is not None else str(name)


def _pair_words(a: str, b: str) -> str:
    """A pair of names on one line, or on two if they are long."""
    words = f"{a} − {b}"
    return words if len(words) <= LONGEST_LINE else f"{a} −\n{b}"


def rejects(rows: Differences) -> Any:
    """Return which differences are significant: adjusted p-value at most 1 − confidence_level."""
    return rows.pvalue <= 1.0 - rows.confidence_level


def pvalue_words(rows: Differences, index: int) -> str:
    """Format a p-value with three decimals."""
    p = rows.pvalue[index]
    if np.isnan(p):
        return "p –"
    return "p < 0.001" if p < 0.001 else pvalue(p, rows.row(index).least_pvalue, ".3f")


def words_of(quantity: str, rows: Any, name: str | None) -> str:
    """Return the axis title of a forest plot: the quantity with the level and kind of its intervals."""
    words = f"{quantity} ({percent(rows.confidence_level)} {rows.kind} CIs)"
    return words if name is None else f"{plain(name)}: {words}"
