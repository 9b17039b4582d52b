"""Control charts of the AUC by segment, such as months."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from confroc._check import check_instance
from confroc.drift import DriftTable
from confroc.plot.intervals import IntervalsDisplay
from confroc.plot.names import LETTER, letters, plain, shortened
from confroc.plot.rows import LINE
from confroc.plot.style import BAND_ALPHA, GUIDE, REJECTED, room_of
from confroc.results import Intervals, level_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.patches import Rectangle

LONGEST = 20
"""Maximum length of a segment's name."""
WIDTH = 0.8
"""Width of the axes as a fraction of their part of the figure."""


class DriftDisplay(IntervalsDisplay):
    """A control chart: the AUC of each segment with its interval, and the forecast of the table as limits.

    Without a forecast the limits are the interval of the reference.

    Options of `plot` are passed to `Axes.errorbar`.

    Parameters
    ----------
    table : DriftTable

    Attributes
    ----------
    line_ : matplotlib Line2D
        The AUCs.
    bars_ : matplotlib ErrorbarContainer
    limits_ : matplotlib Rectangle
        The forecast, or the interval of the reference AUC.
    outside_ : matplotlib Line2D
        AUCs that differ significantly, adjusted for all tests of the table.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from confroc import Scores, drift_monitor
    >>> reference = Scores.from_counts(range(5), pos=[5, 10, 20, 30, 35], neg=[60, 50, 40, 30, 20])
    >>> worse = Scores.from_counts(range(5), pos=[18, 19, 20, 21, 22], neg=[42, 41, 40, 39, 38])
    >>> table = drift_monitor(reference, {"May": reference, "June": worse}, rng=1)
    >>> shown = table.plot(ax=Figure().add_subplot())
    >>> [tick.get_text() for tick in shown.ax_.get_xticklabels()], shown.outside_.get_xdata()
    (['May', 'June'], array([1.]))
    """

    limits_: Rectangle
    outside_: Line2D

    def __init__(self, table: DriftTable) -> None:
        check_instance("table", table, DriftTable, "Make it with `drift_monitor(reference, segments)`.")
        self.table = table
        shared = ("lower", "upper", "confidence_level", "method", "guarantee", "notes", "kind")
        areas = Intervals(
            quantity="auc",
            at_name="segment",
            at=np.arange(float(len(table))),
            estimate=table.auc,
            **{name: getattr(table, name) for name in shared},
        )
        super().__init__(areas, style="bars")

    def _draw(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        at, forecast, outside = self.intervals.at, self.table.forecast, self.table.auc_drifted
        noun = "forecast" if forecast.radius != 0.0 else "CI of the reference"
        words = level_words(forecast.confidence_level, noun)
        look = {"color": GUIDE["color"], "alpha": BAND_ALPHA, "linewidth": 0.0, "label": words}
        self.limits_ = ax.axhspan(forecast.lower, forecast.upper, **look)
        ax.axhline(forecast.estimate, **GUIDE)
        names = [plain(name) for name in shortened(self.table.segment, LONGEST)]
        room = letters(WIDTH * room_of(ax)[0], float(ax.get_xticklabels()[0].get_fontsize()))
        # Names are vertical if they do not fit next to each other; some are omitted if even these do not fit.
        vertical = (max(map(len, names)) + 1) * len(names) > room
        kept = slice(None, None, math.ceil(len(names) * LINE / (LETTER * room)) if vertical else 1)
        ax.set_xticks(at[kept], names[kept], rotation=90.0 * vertical)
        marks: dict[str, Any] = {"linestyle": "none", "marker": "o", "markersize": 8, "zorder": 3.0}
        label = "AUC differs significantly" if outside.any() else None
        (self.outside_,) = ax.plot(at[outside], self.table.auc[outside], color=REJECTED, label=label, **marks)
        super()._draw(ax, color, name, **kwargs)
