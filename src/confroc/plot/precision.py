"""Precision-recall curves and their bands, with lines of equal F1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from matplotlib.ticker import AutoLocator

from confroc._check import check_instance, check_same
from confroc.plot.names import plain
from confroc.plot.roc import ScoredDisplay, claim_of
from confroc.plot.style import GUIDE, label_of, legend, name_axes, ribbon, spelt_out
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
    """Make axes for precision-recall curves, with lines of equal F1, unless they are such axes."""
    if any(line.get_label() == _MARK for line in ax.lines):
        return
    text = {"va": "center", "fontsize": "x-small", "color": GUIDE["color"]}
    for f1 in F1:
        # F1 = 2PR/(P + R); at recall 1 the precision is f1/(2 − f1).
        recall = np.linspace(f1 / (2.0 - f1), 1.0, 100)
        ax.plot(recall, f1 * recall / (2.0 * recall - f1), **{**GUIDE, "linewidth": 0.6, "label": _MARK})
        place = (1.0, f1 / (2.0 - f1))
        ax.annotate(f"F1 {f1:g}", place, (5, 0), textcoords="offset points", **text)
    name_axes(ax, x="Recall", y="Precision")
    ax.xaxis.set_major_locator(AutoLocator())
    ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")


class PrDisplay(ScoredDisplay):
    """What displays on precision-recall axes share."""

    def _curve(self, ax: Axes, color: Any, curve: PrCurve, label: str, options: Mapping[str, Any]) -> Line2D:
        """Draw the steps of a curve, as scikit-learn draws them."""
        recall, precision = curve.recall, curve.precision
        # Precision at a recall is that of the first point that attains it: the step comes before the point.
        kept = thin(recall, precision)
        look = {"color": color, "linestyle": self._linestyle, "linewidth": 1.8, "label": label}
        look |= {"drawstyle": "steps-pre"}
        (line,) = ax.plot(recall[kept], precision[kept], **(look | dict(options)))
        return line


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
        """Make the curve of `scores` and the interval of its average precision, and draw them.

        Parameters
        ----------
        scores : Scores
        average_precision_kwargs : mapping, optional
            Passed to `average_precision`: `method`, `confidence_level`, `rng`, ...
        **kwargs
            As in `plot`: `ax`, `name`, ...
        """
        given = _options("average_precision", average_precision_kwargs)
        curve = pr_curve(scores, prior=given.get("prior"))
        return cls(curve, average_precision(scores, **given)).plot(**kwargs)

    def _draw(
        self, ax: Axes, color: Any, name: Any, *, average_precision: Interval | None = None, **kwargs: Any
    ) -> None:
        self.average_precision = _checked(average_precision, self.curve) or self.average_precision
        pr_axes(ax)
        words = f"AP {self.curve.average_precision:.3f}"
        label = _label(name, words, self.average_precision)
        self.line_ = self._curve(ax, color, self.curve, label, kwargs)
        legend(ax, "lower left", self._labels)


class PrBandDisplay(PrDisplay):
    """A confidence band for a whole precision-recall curve, with the curve in it.

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
    '95 % simultaneous band'
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
        """Make the band of `scores` with `pr_band` and the interval of the average precision, and draw them.

        Parameters
        ----------
        scores : Scores
        band_kwargs, average_precision_kwargs : mapping, optional
            Passed to `pr_band` and to `average_precision`.
        **kwargs
            As in `plot`: `ax`, `name`, ...
        """
        given, of_band = (
            _options("average_precision", average_precision_kwargs),
            _options("band", band_kwargs),
        )
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
        band, label = self.band, claim_of(self.band)
        if name is not None or self.average_precision is not None:
            # Several bands have claims of one kind, which the legend states once.
            kwargs = {"label": label} | kwargs
            label = _label(name, "", self.average_precision) if self.average_precision else plain(str(name))
        kept = thin(band.at, band.lower, band.upper)
        self.fill_ = ribbon(ax, band.at[kept], band.lower[kept], band.upper[kept], color, kwargs)
        if self.curve is not None:
            self.line_ = self._curve(ax, color, self.curve, label, spelt_out(line_kwargs))
        else:
            look = {"color": color, "linestyle": self._linestyle, "linewidth": 1.8, "label": label}
            # At recall 0 the limit from the right: nothing is predicted positive at it.
            (self.line_,) = ax.plot(band.at, band.estimate, **(look | spelt_out(line_kwargs)))
        legend(ax, "lower left", self._labels)


def _checked(interval: Interval | None, curve: PrCurve | None) -> Interval | None:
    """Refuse what is no interval, or one for the average precision of another curve than is drawn."""
    if interval is not None:
        check_instance("average_precision", interval, Interval, REMEDY)
        if curve is not None and "max_recall" not in interval.quantity:
            check_same("average_precision", interval.estimate, curve.average_precision, REMEDY)
    return interval


def _label(name: Any, words: str, interval: Interval | None) -> str:
    return label_of(name, words, interval).replace("Average precision", "AP", 1)


def _options(name: str, given: Mapping[str, Any] | None) -> Mapping[str, Any]:
    options = {} if given is None else given
    check_instance(f"{name}_kwargs", options, Mapping, "Pass a dict of options.")
    return options
