"""Thresholds: the best by a criterion, and those for a target rate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from confroc._check import check_instance
from confroc.cost import BestThreshold
from confroc.plot.intervals import RegionsDisplay
from confroc.plot.scales import roc_axes
from confroc.plot.style import BAND_ALPHA, GUIDE, Display, label_of, legend, name_axes, quantity_words
from confroc.points.attained import AttainedThresholds
from confroc.results import level_words, percent
from confroc.results.polyline import thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import ErrorbarContainer
    from matplotlib.lines import Line2D
    from matplotlib.patches import Rectangle


class BestThresholdDisplay(Display):
    """The criterion by threshold, the set of best thresholds, and the chosen one with its interval.

    The interval is corrected for optimism. Infinite thresholds are omitted. Options of `plot` are passed to
    `Axes.plot`.

    Parameters
    ----------
    best : BestThreshold

    Attributes
    ----------
    line_ : matplotlib Line2D
        The criterion on the sample.
    set_ : matplotlib Rectangle
        The set of thresholds that may be the best.
    bars_ : matplotlib ErrorbarContainer

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from confroc import Scores, best_threshold
    >>> from confroc.plot import BestThresholdDisplay
    >>> scores = Scores.from_counts([4, 3, 2, 1], pos=[60, 25, 10, 5], neg=[2, 8, 30, 60])
    >>> best = best_threshold(scores, criterion="youden", rng=1)
    >>> shown = BestThresholdDisplay(best).plot(ax=Figure().add_subplot())
    >>> shown.ax_.get_xlabel(), shown.ax_.get_ylabel()
    ('Threshold', "Youden's index")
    """

    line_: Line2D
    set_: Rectangle
    bars_: ErrorbarContainer

    def __init__(self, best: BestThreshold) -> None:
        check_instance("best", best, BestThreshold, "Make it with `best_threshold(scores)`.")
        self.best = best

    def _draw(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        best, curve = self.best, self.best.curve
        at, value = curve.threshold[::-1], curve.estimate[::-1]  # type: ignore[union-attr]
        seen = np.isfinite(at) & np.isfinite(value)
        at, value = at[seen], value[seen]
        rows = thin(at, value)
        options = {"color": color, "linestyle": self._linestyle, "drawstyle": "steps-pre"}
        label = label_of(name, "on the sample")
        (self.line_,) = ax.plot(at[rows], value[rows], **(options | {"label": label} | kwargs))
        ends = np.clip([best.threshold_lower, best.threshold_upper], at[0], at[-1])
        label = f"{percent(best.confidence_level)} set of best thresholds"
        self.set_ = ax.axvspan(*ends, color=color, alpha=BAND_ALPHA, linewidth=0.0, label=label)
        arms = [[max(0.0, best.estimate - best.lower)], [max(0.0, best.upper - best.estimate)]]
        place = [float(np.clip(best.threshold, at[0], at[-1]))]  # type: ignore[arg-type]
        words = level_words(best.confidence_level, "CI")
        corrected = "corrected, " if abs(best.optimism) > 0.0 else ""
        self.bars_ = ax.errorbar(
            place,
            [best.estimate],
            arms,
            fmt="o",
            color=color,
            capsize=3.0,
            label=f"best ({corrected}{words})",
        )
        name_axes(ax, x="Threshold", y=quantity_words(best.quantity))
        legend(ax, labels=self._labels)


class AttainedThresholdsDisplay(RegionsDisplay):
    """Rates at the thresholds for a target rate, with the target and the guaranteed thresholds.

    To add the ROC curve, call `roc_curve(scores).plot(ax)`. Options of `plot` are those of `RegionsDisplay`.

    Parameters
    ----------
    found : AttainedThresholds

    Attributes
    ----------
    boxes_ : matplotlib PatchCollection
    points_ : matplotlib Line2D
        Rates at the estimated thresholds.
    guaranteed_ : matplotlib Line2D or None
        Rates in the sample at the guaranteed thresholds.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from confroc import Scores, threshold_at
    >>> from confroc.plot import AttainedThresholdsDisplay
    >>> found = threshold_at(Scores([0] * 100 + [1] * 100, [*range(100), *range(50, 150)]), fpr=0.1)
    >>> shown = AttainedThresholdsDisplay(found).plot(ax=Figure().add_subplot())
    >>> [text.get_text() for text in shown.ax_.get_legend().get_texts()]
    ['threshold in the sample (95% on each axis)', 'target', 'guaranteed threshold']
    """

    guaranteed_: Line2D | None

    def __init__(self, found: AttainedThresholds) -> None:
        check_instance("found", found, AttainedThresholds, "Make it with `threshold_at(scores, fpr=0.1)`.")
        super().__init__(found.rates)
        self.found = found

    def _draw(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        found, mark = self.found, {"linestyle": "none", "marker": "D", "color": color, "fillstyle": "none"}
        if found.threshold.at_name == "fpr":
            roc_axes(ax, fpr_max=min(1.0, max(3.0 * np.max(found.threshold.at), *found.rates.fpr.upper)))
        super()._draw(ax, color, "threshold in the sample" if name is None else name, **kwargs)
        across = {"fpr": ax.axvline, "tpr": ax.axhline}.get(found.threshold.at_name)
        for row, at in enumerate(found.threshold.at if across else ()):
            across(at, **GUIDE | {"label": "_target" if row else "target", "linestyle": ":"})  # type: ignore[misc]
        self.guaranteed_ = None
        if found.guaranteed_fpr is not None and found.guaranteed_tpr is not None:
            ends = found.guaranteed_fpr, found.guaranteed_tpr
            (self.guaranteed_,) = ax.plot(*ends, **mark, label="guaranteed threshold")
        legend(ax, labels=self._labels)
