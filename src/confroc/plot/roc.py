"""Whole curves: the empirical ROC curve, the band around a curve, and the band of a difference of two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from confroc._check import check_instance
from confroc.curve import RocCurve
from confroc.plot.scales import Scale, check_axes, polyline, roc_axes, scale_of, show_from, smallest_rate
from confroc.plot.style import GUIDE, SQUARE, Display, label_of, legend, quantity_words, ribbon
from confroc.results import Band, DifferenceBand, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.lines import Line2D
    from numpy.typing import ArrayLike

    from confroc.scores import Scores
    from confroc.scores.predictions import ResponseMethod

# Where the curves of useful models leave room.
CORNERS: dict[Scale, str] = {"linear": "lower right", "log": "upper left", "probit": "lower right"}


class RocDisplay(Display):
    """Displays on ROC axes, made from a result, or straight from labels and scores as in scikit-learn."""

    on_roc = True
    figsize = SQUARE

    @classmethod
    def from_scores(cls, scores: Scores, **kwargs: Any) -> Self:
        """Make and draw the display from scores."""
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

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        scale: Scale | None = None,
        fpr_max: float | None = None,
        **kwargs: Any,
    ) -> Self:
        """Draw the curve, or the band and its curve in one colour.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        name : str, optional
            What the legend calls the curve; its AUC, or the level and kind of its band, is added.
        scale : {"linear", "log", "probit"}, optional
            Of new axes: "log" stretches small false positive rates; "probit" shows both rates by their
            normal deviates, where binormal curves are straight. By default linear, or that of axes in use.
        fpr_max : float, optional
            Show false positive rates up to here: the tail where few false alarms are allowed.
        **kwargs
            Passed to `Axes.plot` for a curve, to `Axes.fill_between` for a band; `color` colours the whole.
            For a band, `line_kwargs` is a mapping that is passed to `Axes.plot` for the curve in it.

        Returns
        -------
        Display
            Itself. Lines of more than about 1,500 vertices are thinned by less than a pixel.
        """
        check_axes(scale, fpr_max)
        return super().plot(ax, name=name, axes=(scale, fpr_max), **kwargs)

    def _draw(self, ax: Axes, color: Any, name: Any, *, axes: Any = (), **kwargs: Any) -> None:
        if self.on_roc:
            roc_axes(ax, *axes)
        self._lines(ax, color, name, **kwargs)

    def _lines(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        raise NotImplementedError


class CurveDisplay(RocDisplay):
    """An ROC curve on square axes, with the chance line.

    Parameters
    ----------
    curve : RocCurve

    Attributes
    ----------
    line_ : matplotlib Line2D

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

    def __init__(self, curve: RocCurve) -> None:
        check_instance("curve", curve, RocCurve, "Make it with `roc_curve(scores)`.")
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

    def _lines(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        curve = self.curve.corners()
        options: dict[str, Any] = {
            "color": color,
            "linestyle": self._linestyle,
            "linewidth": 1.8,
            "solid_joinstyle": "miter",
            "label": label_of(name, f"AUC {curve.auc:.3f}"),
        }
        (self.line_,) = ax.plot(*polyline(curve.fpr, curve.tpr, scale=scale_of(ax)), **(options | kwargs))
        show_from(ax, smallest_rate(curve.fpr))
        legend(ax, loc=CORNERS[scale_of(ax)])


class BandDisplay(RocDisplay):
    """A confidence band for a whole curve, with the curve in it.

    A band of an ROC curve stands on square ROC axes, that of a cost curve on plain ones.

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

    def __init__(self, band: Band, curve: RocCurve | None = None) -> None:
        check_instance("band", band, Band, "Make it with `roc_band(scores)`.")
        if curve is not None:
            check_instance("curve", curve, RocCurve, "Make it with `roc_curve(scores)`.")
        self.band = band
        self.curve = curve
        self.on_roc = (band.at_name, band.quantity) == ("fpr", "tpr")
        self.figsize = SQUARE if self.on_roc else Display.figsize

    @classmethod
    def from_scores(
        cls, scores: Scores, *, band_kwargs: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> Self:
        """Make the band of `scores` with `roc_band`, and draw it.

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

        options = {} if band_kwargs is None else band_kwargs
        check_instance("band_kwargs", options, Mapping, "Pass a dict of options of `roc_band`.")
        return cls(roc_band(scores, **options), roc_curve(scores)).plot(**kwargs)

    def _lines(
        self,
        ax: Axes,
        color: Any,
        name: Any,
        *,
        line_kwargs: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        band = self.band
        drawn_on = scale_of(ax) if self.on_roc else "linear"
        at, lower, upper = polyline(band.at, band.lower, band.upper, scale=drawn_on)
        self.fill_ = ribbon(ax, at, lower, upper, color, kwargs)
        x, y = (band.at, band.estimate) if self.curve is None else (self.curve.fpr, self.curve.tpr)
        look = {
            "color": color,
            "linestyle": self._linestyle,
            "linewidth": 1.8,
            "label": label_of(name, claim_of(band)),
        }
        (self.line_,) = ax.plot(*polyline(x, y, scale=drawn_on), **(look | dict(line_kwargs or {})))
        if self.on_roc:
            show_from(ax, smallest_rate(x))
            legend(ax, loc=CORNERS[drawn_on])
        else:
            ax.set(xlabel=quantity_words(band.at_name), ylabel=quantity_words(band.quantity))
            legend(ax)


class DifferenceBandDisplay(Display):
    """A band for the difference of two curves, with a line at zero.

    Where the band leaves out zero the two curves differ, and a thick line along zero marks it. Options of
    `plot` go to `Axes.fill_between`.

    Parameters
    ----------
    band : DifferenceBand

    Attributes
    ----------
    fill_ : matplotlib PolyCollection
        The band, over the abscissae for which it claims anything.
    line_ : matplotlib Line2D
        Difference of the empirical curves, a − b.
    marks_ : matplotlib LineCollection or None
        Where the band leaves out zero; None when it nowhere does.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from confroc import PairedScores, roc_difference_band
    >>> from confroc.plot import DifferenceBandDisplay
    >>> pair = PairedScores([1, 1, 0, 0], [4, 3, 2, 1], [4, 1, 3, 2])
    >>> band = roc_difference_band(pair, n_resamples=99, rng=1)
    >>> DifferenceBandDisplay(band).plot(ax=Figure().add_subplot()).ax_.get_ylabel()
    'True positive rate, a − b'
    """

    fill_: PolyCollection
    line_: Line2D
    marks_: LineCollection | None

    def __init__(self, band: DifferenceBand) -> None:
        check_instance("band", band, DifferenceBand, "Make it with `roc_difference_band(pair)`.")
        self.band = band

    def _draw(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        band = self.band
        # Outside its range the edges are -1 and 1, which claim nothing.
        inside = band.upper - band.lower < 2.0
        columns = (column[inside] for column in (band.at, band.lower, band.upper, band.estimate))
        at, lower, upper, difference = polyline(*columns)
        self.fill_ = ribbon(ax, at, lower, upper, color, kwargs)
        label = label_of(name, claim_of(band))
        (self.line_,) = ax.plot(at, difference, color=color, linewidth=1.8, label=label)
        ax.axhline(0.0, **GUIDE)
        self.marks_ = None
        if band.different_at:
            start, stop = np.array(band.different_at).T
            self.marks_ = ax.hlines(
                np.zeros(len(start)), start, stop, color=color, linewidth=5.0, label="band leaves out 0"
            )
        ax.set(xlim=(-0.01, 1.01), xlabel=quantity_words(band.at_name), ylabel=quantity_words(band.quantity))
        legend(ax)


def claim_of(band: Band) -> str:
    """Return what a legend says of a band, e.g. "95 % simultaneous band"."""
    return f"{percent(band.confidence_level)} {band.kind} band"
