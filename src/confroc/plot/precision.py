"""Precision-recall curves and their bands, with lines of equal F1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from matplotlib.ticker import AutoLocator

from confroc._check import check_instance, check_same
from confroc.plot.roc import ScoredDisplay, band_labels
from confroc.plot.style import GUIDE, label_of, legend, name_axes, options_of, ribbon, spelt_out
from confroc.precision import PrBand, PrCurve, average_precision, pr_band, pr_curve
from confroc.results import Interval
from confroc.results.polyline import thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.lines import Line2D

    from confroc.scores import Scores

F1 = (0.2, 0.4, 0.6, 0.8)
"""Values of F1 whose lines are drawn."""
REMEDY = "Make it with `average_precision(scores)`."
_MARK = "_confroc f1"


def pr_axes(ax: Axes) -> None:
    """Set up axes for precision-recall curves with lines of equal F1, unless done before."""
    if any(line.get_label() == _MARK for line in ax.lines):
        return
    # Outside the axes, where nothing is drawn.
    text = {"ha": "left", "va": "center", "fontsize": "x-small", "color": GUIDE["color"]}
    for f1 in F1:
        # F1 = 2PR/(P + R); at recall 1 the precision is f1/(2 − f1).
        recall = np.linspace(f1 / (2.0 - f1), 1.0, 100)
        ax.plot(recall, f1 * recall / (2.0 * recall - f1), **{**GUIDE, "linewidth": 0.6, "label": _MARK})
        place = (1.0, f1 / (2.0 - f1))
        ax.annotate(f"F1 {f1:g}", place, (6, 0), textcoords="offset points", **text)
    name_axes(ax, x="Recall", y="Precision")
    ax.xaxis.set_major_locator(AutoLocator())
    ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")


class PrDisplay(ScoredDisplay):
    """Base of displays on precision-recall axes."""

    def _curve(
        self, ax: Axes, color: Any, curve: PrCurve, label: str, options: Mapping[str, Any] | None
    ) -> Line2D:
        """Draw the steps of a curve, as scikit-learn draws them."""
        kept = thin(curve.recall, curve.precision)
        points = curve.recall[kept], curve.precision[kept]
        # Precision at a recall is that of the first point that attains it: the step comes before the point.
        steps = {"drawstyle": "steps-pre"}
        return self._line(ax, color, label, *points, options=steps | spelt_out(options))


class PrCurveDisplay(PrDisplay):
    """A precision-recall curve, with lines of equal F1.

    Parameters
    ----------
    curve : PrCurve
    average_precision : Interval, optional
        From `average_precision`, for the legend; by default the legend shows the number alone.

    Attributes
    ----------
    line_ : matplotlib Line2D

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from confroc import pr_curve
    >>> from confroc.plot import PrCurveDisplay
    >>> curve = pr_curve([1, 1, 0, 0], [4, 2, 3, 1])
    >>> PrCurveDisplay(curve).plot(ax=Figure().add_subplot(), name="model").line_.get_label()
    'model (AP 0.833)'
    """

    line_: Line2D

    def __init__(self, curve: PrCurve, average_precision: Interval | None = None) -> None:
        check_instance("curve", curve, PrCurve, "Make it with `pr_curve(scores)`.")
        self.curve = curve
        self.average_precision = _checked(average_precision, curve)

    @classmethod
    def from_scores(
        cls, scores: Scores, *, average_precision_kwargs: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> Self:
        """Compute the curve of `scores` and the interval of its average precision, and draw them.

        Parameters
        ----------
        scores : Scores
        average_precision_kwargs : mapping, optional
            Passed to `average_precision`: `method`, `confidence_level`, `rng`, ...
        **kwargs
            As in `plot`: `ax`, `name`, ...
        """
        given = options_of("average_precision_kwargs", average_precision_kwargs)
        curve = pr_curve(scores, prior=given.get("prior"))
        return cls(curve, average_precision(scores, **given)).plot(**kwargs)

    def _draw(
        self, ax: Axes, color: Any, name: Any, *, average_precision: Interval | None = None, **kwargs: Any
    ) -> None:
        self.average_precision = _checked(average_precision, self.curve) or self.average_precision
        pr_axes(ax)
        label = label_of(name, f"AP {self.curve.average_precision:.3f}", self.average_precision)
        label = label.replace("Average precision", "AP", 1)
        self.line_ = self._curve(ax, color, self.curve, label, kwargs)
        legend(ax, "lower left", self._labels)


class PrBandDisplay(PrDisplay):
    """A confidence band for a precision-recall curve, with the curve.

    Parameters
    ----------
    band : PrBand
    curve : PrCurve, optional
        The empirical curve; by default its values on the band's own grid.
    average_precision : Interval, optional
        From `average_precision`, for the legend.

    Attributes
    ----------
    fill_ : matplotlib PolyCollection
        The band.
    line_ : matplotlib Line2D
        The empirical curve.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from confroc import pr_band
    >>> from confroc.plot import PrBandDisplay
    >>> band = pr_band([1, 1, 0, 0], [4, 3, 2, 1])
    >>> PrBandDisplay(band).plot(ax=Figure().add_subplot()).line_.get_label()
    'estimate'
    """

    fill_: PolyCollection
    line_: Line2D

    def __init__(
        self, band: PrBand, curve: PrCurve | None = None, average_precision: Interval | None = None
    ) -> None:
        check_instance("band", band, PrBand, "Make it with `pr_band(scores)`.")
        self.band, self.curve = band, curve
        self.average_precision = _checked(average_precision, curve)

    @classmethod
    def from_scores(
        cls,
        scores: Scores,
        *,
        band_kwargs: Mapping[str, Any] | None = None,
        average_precision_kwargs: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> Self:
        """Compute the band of `scores` with `pr_band` and the interval of average precision, and draw them.

        Parameters
        ----------
        scores : Scores
        band_kwargs, average_precision_kwargs : mapping, optional
            Passed to `pr_band` and to `average_precision`.
        **kwargs
            As in `plot`: `ax`, `name`, ...
        """
        given = options_of("average_precision_kwargs", average_precision_kwargs)
        of_band = options_of("band_kwargs", band_kwargs)
        curve, area = pr_curve(scores, prior=given.get("prior")), average_precision(scores, **given)
        return cls(pr_band(scores, **of_band), curve, area).plot(**kwargs)

    def _draw(
        self,
        ax: Axes,
        color: Any,
        name: Any,
        *,
        average_precision: Interval | None = None,
        line_kwargs: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        self.average_precision = _checked(average_precision, self.curve) or self.average_precision
        pr_axes(ax)
        band, (label, kwargs) = self.band, band_labels(self.band, name, self.average_precision, kwargs)
        label = label.replace("Average precision", "AP", 1)
        kept = thin(band.at, band.lower, band.upper)
        self.fill_ = ribbon(ax, band.at[kept], band.lower[kept], band.upper[kept], color, kwargs)
        if self.curve is not None:
            self.line_ = self._curve(ax, color, self.curve, label, line_kwargs)
        else:
            # At recall 0 the limit from the right: nothing is predicted positive at it.
            self.line_ = self._line(ax, color, label, band.at, band.estimate, options=line_kwargs)
        legend(ax, "lower left", self._labels)


def _checked(interval: Interval | None, curve: PrCurve | None) -> Interval | None:
    """Check that this is the interval of the average precision of the curve."""
    if interval is not None:
        check_instance("average_precision", interval, Interval, REMEDY)
        if curve is not None and "max_recall" not in interval.quantity:
            check_same("average_precision", interval.estimate, curve.average_precision, REMEDY)
    return interval
