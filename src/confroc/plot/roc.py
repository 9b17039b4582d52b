"""The empirical curve, and the band around it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from confroc.plot.scales import (
    Scale,
    check_axes,
    polyline,
    roc_axes,
    scale_of,
    show_from,
    smallest_rate,
)
from confroc.plot.style import BAND_ALPHA, legend, new_axes, next_color, percent, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import FigureBase
    from matplotlib.lines import Line2D
    from numpy.typing import ArrayLike

    from confroc.curve import RocCurve
    from confroc.results import Band
    from confroc.scores import Scores
    from confroc.scores.predictions import ResponseMethod

SQUARE = (5.0, 5.0)
# Where the curves of useful models leave room.
CORNERS: dict[Scale, str] = {"linear": "lower right", "log": "upper left", "probit": "lower right"}


class FromScores:
    """Displays made straight from labels and scores, or from a fitted classifier, as in scikit-learn."""

    @classmethod
    def from_scores(cls, scores: Scores, **kwargs: Any) -> Self:  # pragma: no cover
        """Compute what is shown from `scores`, and draw it."""
        raise NotImplementedError

    @classmethod
    def from_predictions(
        cls, y_true: ArrayLike, y_score: ArrayLike, *, pos_label: object = None, **kwargs: Any
    ) -> Self:
        """Make and draw the display from labels and scores.

        Parameters
        ----------
        y_true, y_score : array-like of shape (n,)
        pos_label : label, optional
            As in `Scores`, whose errors are raised.
        **kwargs
            As in `from_scores`: `ax`, `name`, ...
        """
        from confroc.scores import Scores

        return cls.from_scores(Scores(y_true, y_score, pos_label=pos_label), **kwargs)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        pos_label: object = None,
        response_method: ResponseMethod = "auto",
        name: str | None = None,
        **kwargs: Any,
    ) -> Self:
        """Make and draw the display from a fitted classifier and test cases.

        Parameters
        ----------
        estimator, X, y, pos_label, response_method
            As in `Scores.from_estimator`, whose errors are raised.
        name : str, optional
            By default the estimator's class.
        **kwargs
            As in `from_scores`: `ax`, ...
        """
        from confroc.scores import Scores

        scores = Scores.from_estimator(estimator, X, y, pos_label=pos_label, response_method=response_method)
        return cls.from_scores(scores, name=type(estimator).__name__ if name is None else name, **kwargs)


class CurveDisplay(FromScores):
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

    @classmethod
    def from_scores(cls, scores: Scores, **kwargs: Any) -> Self:
        """Make and draw the display from scores.

        Parameters
        ----------
        scores : Scores
        **kwargs
            As in `plot`: `ax`, `name`, `scale`, ...

        Examples
        --------
        >>> from matplotlib.figure import Figure
        >>> from confroc.plot import CurveDisplay
        >>> ax = Figure().add_subplot()
        >>> CurveDisplay.from_predictions([1, 1, 0, 0], [4, 2, 3, 1], ax=ax, name="model").line_.get_label()
        'model (AUC 0.750)'
        """
        from confroc.curve import roc_curve

        return cls(roc_curve(scores)).plot(**kwargs)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        scale: Scale | None = None,
        fpr_max: float | None = None,
        **kwargs: Any,
    ) -> Self:
        """Draw the curve.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        name : str, optional
            What the legend calls the curve; its AUC is added.
        scale : {"linear", "log", "probit"}, optional
            Of new axes: "log" stretches small false positive rates; "probit" shows both rates by their
            normal deviates, where binormal curves are straight. By default linear, or that of axes in use.
        fpr_max : float, optional
            Show false positive rates up to here: the tail where few false alarms are allowed.
        **kwargs
            Passed to `Axes.plot`; a `label` replaces the one made from `name`.

        Returns
        -------
        CurveDisplay
            Itself. A curve of more than about 1,500 vertices is thinned by less than a pixel.
        """
        check_axes(scale, fpr_max)
        ax = new_axes(ax, figsize=SQUARE)
        curve = self.curve.corners()
        color = kwargs.pop("color", None) or next_color(ax)
        roc_axes(ax, scale, fpr_max)
        label = f"AUC {curve.auc:.3f}"
        options: dict[str, Any] = {
            "color": color,
            "linewidth": 1.8,
            "solid_joinstyle": "miter",
            "label": label if name is None else f"{plain(name)} ({label})",
        }
        (self.line_,) = ax.plot(*polyline(curve.fpr, curve.tpr, scale=scale_of(ax)), **(options | kwargs))
        show_from(ax, smallest_rate(curve.fpr))
        legend(ax, loc=CORNERS[scale_of(ax)])
        self.ax_, self.figure_ = ax, ax.figure
        return self


class BandDisplay(FromScores):
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

    @classmethod
    def from_scores(
        cls, scores: Scores, *, band_kwargs: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> Self:
        """Compute the band of `scores`, and draw it.

        Parameters
        ----------
        scores : Scores
        band_kwargs : mapping, optional
            Passed to `roc_band`: `method`, `confidence_level`, `rng`, ...
        **kwargs
            As in `plot`: `ax`, `name`, `scale`, ...

        Examples
        --------
        >>> from matplotlib.figure import Figure
        >>> from confroc.plot import BandDisplay
        >>> ax, options = Figure().add_subplot(), {"method": "ks_regions"}
        >>> shown = BandDisplay.from_predictions([1, 1, 0, 0], [4, 2, 3, 1], ax=ax, band_kwargs=options)
        >>> shown.band.method
        'ks_regions'
        """
        from confroc.bands import roc_band
        from confroc.curve import roc_curve

        return cls(roc_band(scores, **(band_kwargs or {})), roc_curve(scores)).plot(**kwargs)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        scale: Scale | None = None,
        fpr_max: float | None = None,
        line_kwargs: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> Self:
        """Draw the band and its curve in one colour.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        name : str, optional
            What the legend calls the curve; the level and kind of the band are added.
        scale, fpr_max
            As in `CurveDisplay.plot`.
        line_kwargs : mapping, optional
            Passed to `Axes.plot` for the curve.
        **kwargs
            Passed to `Axes.fill_between`; `color` also colours the curve.

        Returns
        -------
        BandDisplay
            Itself. A band of more than about 1,500 rows is thinned by less than a pixel.
        """
        check_axes(scale, fpr_max)
        ax = new_axes(ax, figsize=SQUARE)
        band = self.band
        color = kwargs.pop("color", None) or next_color(ax)
        roc_axes(ax, scale, fpr_max)
        drawn_on = scale_of(ax)
        label = f"{percent(band.confidence_level)} {band.kind} band"
        options: dict[str, Any] = {"color": color, "alpha": BAND_ALPHA, "linewidth": 0.0}
        fpr, lower, upper = polyline(band.at, band.lower, band.upper, scale=drawn_on)
        self.fill_ = ax.fill_between(fpr, lower, upper, **(options | kwargs))
        x, y = (band.at, band.estimate) if self.curve is None else (self.curve.fpr, self.curve.tpr)
        look: dict[str, Any] = {
            "color": color,
            "linewidth": 1.8,
            "label": label if name is None else f"{plain(name)} ({label})",
        }
        (self.line_,) = ax.plot(*polyline(x, y, scale=drawn_on), **(look | dict(line_kwargs or {})))
        show_from(ax, smallest_rate(x))
        legend(ax, loc=CORNERS[scale_of(ax)])
        self.ax_, self.figure_ = ax, ax.figure
        return self
