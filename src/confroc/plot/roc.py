"""The empirical curve, and the band around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from confroc.plot.style import BAND_ALPHA, legend, new_axes, next_color, percent, plain, roc_axes, thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import FigureBase
    from matplotlib.lines import Line2D

    from confroc.curve import RocCurve
    from confroc.results import Band


class CurveDisplay:
    """An ROC curve on square axes, with the chance line.

    Parameters
    ----------
    curve : RocCurve

    Attributes
    ----------
    line_ : matplotlib Line2D
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from confroc import Scores, roc_curve
    >>> from confroc.plot import CurveDisplay
    >>> curve = roc_curve(Scores([1, 1, 0, 0], [4, 3, 2, 1]))
    >>> CurveDisplay(curve).plot(ax=Figure().add_subplot(), name="model").line_.get_label()
    'model (AUC 1.000)'
    """

    line_: Line2D
    ax_: Axes
    figure_: FigureBase

    def __init__(self, curve: RocCurve) -> None:
        self.curve = curve

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **kwargs: Any) -> Self:
        """Draw the curve.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        name : str, optional
            What the legend calls the curve; its AUC is added.
        **kwargs
            Passed to `Axes.plot`; a `label` replaces the one made from `name`.

        Returns
        -------
        CurveDisplay
            Itself. A curve of more than about 1,500 vertices is thinned by less than a pixel.
        """
        ax = new_axes(ax, figsize=(5.0, 5.0))
        curve = self.curve.corners()
        kept = thin(curve.fpr, curve.tpr)
        label = f"AUC {curve.auc:.3f}"
        options: dict[str, Any] = {
            "color": kwargs.pop("color", None) or next_color(ax),
            "linewidth": 1.8,
            "solid_joinstyle": "miter",
            "label": label if name is None else f"{plain(name)} ({label})",
        }
        (self.line_,) = ax.plot(curve.fpr[kept], curve.tpr[kept], **(options | kwargs))
        roc_axes(ax)
        legend(ax, loc="lower right")
        self.ax_, self.figure_ = ax, ax.figure
        return self


class BandDisplay:
    """A confidence band for a whole ROC curve, with the curve in it.

    Parameters
    ----------
    band : Band
    curve : RocCurve, optional
        The empirical curve; by default its values on the band's own grid.

    Attributes
    ----------
    fill_ : matplotlib PolyCollection
        The band.
    line_ : matplotlib Line2D
        The empirical curve.
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from confroc import Scores, roc_band
    >>> from confroc.plot import BandDisplay
    >>> band = roc_band(Scores([1, 1, 0, 0], [4, 3, 2, 1]))
    >>> BandDisplay(band).plot(ax=Figure().add_subplot()).line_.get_label()
    '95 % simultaneous band'
    """

    fill_: PolyCollection
    line_: Line2D
    ax_: Axes
    figure_: FigureBase

    def __init__(self, band: Band, curve: RocCurve | None = None) -> None:
        self.band = band
        self.curve = curve

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **kwargs: Any) -> Self:
        """Draw the band and its curve in one colour.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        name : str, optional
            What the legend calls the curve; the level and kind of the band are added.
        **kwargs
            Passed to `Axes.fill_between`; `color` also colours the curve.

        Returns
        -------
        BandDisplay
            Itself. A band of more than about 1,500 rows is thinned by less than a pixel.
        """
        ax = new_axes(ax, figsize=(5.0, 5.0))
        band = self.band
        kept = thin(band.fpr, band.lower, band.upper)
        color = kwargs.pop("color", None) or next_color(ax)
        label = f"{percent(band.confidence_level)} {band.kind} band"
        fpr = band.fpr[kept]
        options: dict[str, Any] = {"color": color, "alpha": BAND_ALPHA, "linewidth": 0.0}
        self.fill_ = ax.fill_between(fpr, band.lower[kept], band.upper[kept], **(options | kwargs))
        x, y = (band.fpr, band.tpr) if self.curve is None else (self.curve.fpr, self.curve.tpr)
        drawn = thin(x, y)
        (self.line_,) = ax.plot(
            x[drawn],
            y[drawn],
            color=color,
            linewidth=1.8,
            label=label if name is None else f"{plain(name)} ({label})",
        )
        roc_axes(ax)
        legend(ax, loc="lower right")
        self.ax_, self.figure_ = ax, ax.figure
        return self
