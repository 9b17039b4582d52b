"""Whole curves: the empirical ROC curve, the band around a curve, and the band of a difference of two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from confroc._check import check_instance, check_same
from confroc.curve import RocCurve
from confroc.plot.names import plain
from confroc.plot.scales import Scale, check_axes, polyline, roc_axes, scale_of, show_from, smallest_rate
from confroc.plot.style import (
    GUIDE,
    SQUARE,
    Display,
    Labels,
    check_area,
    label_of,
    legend,
    name_axes,
    options_of,
    quantity_words,
    ribbon,
    spelt_out,
)
from confroc.results import Band, Interval, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.lines import Line2D
    from numpy.typing import ArrayLike

    from confroc.scores import PairedScores, Scores, UnpairedScores
    from confroc.scores.predictions import ResponseMethod

NO_MODEL = "no model"
# Where the curves of useful models leave room for a legend.
CORNERS: dict[Scale, str] = {"linear": "lower right", "log": "upper left", "probit": "lower right"}


class ScoredDisplay(Display):
    """Displays made from a result, or straight from labels and scores or a classifier as in scikit-learn."""

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


class RocDisplay(ScoredDisplay):
    """Displays on ROC axes."""

    on_roc = True

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | None = None,
        scale: Scale | None = None,
        fpr_max: float | None = None,
        labels: Labels = "legend",
        plot_chance_level: bool = True,
        chance_level_kw: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> Self:
        """Draw the curve, or the band and its curve in one color.

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
        labels : {"legend", "none"}
            Whether a legend names the lines of these axes: below them, or inside axes placed by hand.
        plot_chance_level : bool
            Whether new axes show the line of a classifier that guesses.
        chance_level_kw : mapping, optional
            Passed to `Axes.plot` for that line.
        **kwargs
            Passed to `Axes.plot` for a curve, to `Axes.fill_between` for a band; `color` colors the whole.
            Of an ROC curve or its band, `auc` is the `Interval` of the area, which the legend then shows.
            For a band, `line_kwargs` is a mapping that is passed to `Axes.plot` for the curve in it.

        Returns
        -------
        Display
            Itself. Lines of more than about 1,500 vertices are thinned by less than a pixel.
        """
        check_axes(scale, fpr_max)
        chance = spelt_out(chance_level_kw) if plot_chance_level else {"visible": False}
        return super().plot(ax, name=name, labels=labels, axes=(scale, fpr_max, chance), **kwargs)

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
    auc : Interval, optional
        From `auc_interval`, for the legend; by default the legend shows the area alone.

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

    def __init__(self, curve: RocCurve, auc: Interval | None = None) -> None:
        check_instance("curve", curve, RocCurve, "Make it with `roc_curve(scores)`.")
        self.curve, self.auc = curve, check_area("auc", auc, curve.auc)

    @classmethod
    def from_scores(
        cls, scores: Scores, *, auc_kwargs: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> Self:
        """Make the curve of `scores` and the interval of its area, and draw them.

        Parameters
        ----------
        scores : Scores
        auc_kwargs : mapping, optional
            Passed to `auc_interval`: `method`, `confidence_level`, `rng`, ...
        **kwargs
            As in `plot`: `ax`, `name`, `scale`, ...

        Examples
        --------
        >>> from matplotlib.figure import Figure
        >>> from confroc.plot import CurveDisplay
        >>> ax = Figure().add_subplot()
        >>> CurveDisplay.from_predictions([1, 1, 0, 0], [4, 2, 3, 1], ax=ax, name="model").line_.get_label()
        'model, AUC 0.75 (95% CI 0.15 to 0.98)'
        """
        from confroc.curve import roc_curve

        return cls(roc_curve(scores), _area(scores, auc_kwargs)).plot(**kwargs)

    def _lines(self, ax: Axes, color: Any, name: Any, *, auc: Interval | None = None, **kwargs: Any) -> None:
        self.auc = check_area("auc", auc, self.curve.auc) or self.auc
        curve = self.curve.corners()
        label = label_of(name, f"AUC {curve.auc:.3f}", self.auc)
        points = polyline(curve.fpr, curve.tpr, scale=scale_of(ax))
        self.line_ = self._line(ax, color, label, *points, options=kwargs)
        show_from(ax, smallest_rate(curve.fpr))
        legend(ax, CORNERS[scale_of(ax)], self._labels)


class CurvesDisplay:
    """The ROC curves of a table, one for each model or sample, with the intervals of their AUCs.

    Parameters
    ----------
    scores : Scores, PairedScores or UnpairedScores

    Attributes
    ----------
    displays_ : list of CurveDisplay
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from confroc import PairedScores
    >>> pair = PairedScores([1, 1, 0, 0], {"new": [4, 2, 3, 1], "old": [4, 1, 3, 2]})
    >>> [curve.line_.get_label() for curve in pair.plot(ax=Figure().add_subplot()).displays_]
    ['new, AUC 0.75 (95% CI 0.15 to 0.98)', 'old, AUC 0.50 (95% CI 0.06 to 0.94)']
    """

    def __init__(self, scores: Scores | PairedScores | UnpairedScores) -> None:
        self.scores = scores

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> Self:
        """Draw the curves, as `CurveDisplay.from_scores` does, whose keywords are accepted.

        `name` is for a single model; others have the names of the table.
        """
        scores: Any = self.scores
        named = [({}, scores)] if hasattr(scores, "score") else [({"name": n}, s) for n, s in scores.items()]
        self.displays_: list[CurveDisplay] = []
        for name, one in named:
            self.displays_.append(CurveDisplay.from_scores(one, ax=ax, **name, **kwargs))
            self.ax_ = ax = self.displays_[-1].ax_
        self.figure_ = self.ax_.figure
        return self


class BandDisplay(RocDisplay):
    """A confidence band for a whole curve, with the curve in it.

    A band of an ROC curve stands on square ROC axes, that of a cost curve on plain ones.

    Parameters
    ----------
    band : Band
    curve : RocCurve, optional
        The empirical curve; by default its values on the band's own grid.
    auc : Interval, optional
        From `auc_interval`, for the legend.

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
    >>> BandDisplay(band).plot(ax=Figure().add_subplot(), name="model").line_.get_label()
    'model'
    """

    fill_: PolyCollection
    line_: Line2D

    def __init__(self, band: Band, curve: RocCurve | None = None, auc: Interval | None = None) -> None:
        check_instance("band", band, Band, "Make it with `roc_band(scores)`.")
        if curve is not None:
            remedy = "Make it with `roc_curve(scores)`."
            check_instance("curve", curve, RocCurve, remedy)
            check_same("curve", band.values_on(curve.fpr, curve.tpr), band.estimate, remedy)
        self.band, self.curve = band, curve
        self.auc = self._checked(auc)
        self.on_roc = (band.at_name, band.quantity) == ("fpr", "tpr")
        self.figsize = SQUARE if self.on_roc else Display.figsize

    @classmethod
    def from_scores(
        cls,
        scores: Scores,
        *,
        band_kwargs: Mapping[str, Any] | None = None,
        auc_kwargs: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> Self:
        """Make the band of `scores` with `roc_band` and the interval of the area, and draw them.

        Parameters
        ----------
        scores : Scores
        band_kwargs : mapping, optional
            Passed to `roc_band`: `method`, `confidence_level`, `rng`, ...
        auc_kwargs : mapping, optional
            Passed to `auc_interval`: `method`, `confidence_level`, `rng`, ...
        **kwargs
            As in `plot`: `ax`, `name`, `scale`, ...

        Examples
        --------
        >>> from matplotlib.figure import Figure
        >>> from confroc.plot import BandDisplay
        >>> ax, options = Figure().add_subplot(), {"method": "ks_regions"}
        >>> shown = BandDisplay.from_predictions([1, 1, 0, 0], [4, 2, 3, 1], ax=ax, band_kwargs=options)
        >>> print(shown.band.method)
        ks_regions
        """
        from confroc.bands import roc_band
        from confroc.curve import roc_curve

        band = roc_band(scores, **options_of("band_kwargs", band_kwargs))
        return cls(band, roc_curve(scores), _area(scores, auc_kwargs)).plot(**kwargs)

    def _area(self) -> float:
        """The area under the curve drawn."""
        return float(np.trapezoid(self.band.estimate, self.band.at)) if self.curve is None else self.curve.auc

    def _checked(self, auc: Interval | None) -> Interval | None:
        # The grid of a band does not have all vertices of a curve with very many.
        return check_area("auc", auc, self._area(), close=1e-3 if self.curve is None else 1e-12)

    def _lines(
        self,
        ax: Axes,
        color: Any,
        name: Any,
        *,
        auc: Interval | None = None,
        line_kwargs: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        self.auc = self._checked(auc) or self.auc
        band = self.band
        drawn_on = scale_of(ax) if self.on_roc else "linear"
        at, lower, upper = polyline(band.at, band.lower, band.upper, scale=drawn_on)
        label, kwargs = band_labels(band, name, self.auc, kwargs)
        self.fill_ = ribbon(ax, at, lower, upper, color, kwargs)
        x, y = (band.at, band.estimate) if self.curve is None else (self.curve.fpr, self.curve.tpr)
        self.line_ = self._line(ax, color, label, *polyline(x, y, scale=drawn_on), options=line_kwargs)
        if self.on_roc:
            show_from(ax, smallest_rate(x))
            legend(ax, CORNERS[drawn_on], self._labels)
        else:
            words = {line.get_label() for line in ax.lines}
            if band.at_name == "w" and NO_MODEL not in words:
                # The cost of the cheaper prediction for all cases is min(w, 1 − w).
                ax.plot([0.0, 0.5, 1.0], [0.0, 0.5, 0.0], **GUIDE | {"label": NO_MODEL})
            name_axes(ax, x=quantity_words(band.at_name), y=quantity_words(band.quantity))
            legend(ax, labels=self._labels)


class DifferenceBandDisplay(Display):
    """A band for the difference of two curves, with a line at zero.

    Where the band excludes zero the two curves differ, and a thick line along zero marks it. Options of
    `plot` go to `Axes.fill_between`.

    Parameters
    ----------
    band : Band
        From `roc_difference_band` or `cost_difference_band`.

    Attributes
    ----------
    fill_ : matplotlib PolyCollection
        The band, over the abscissae for which it claims anything.
    line_ : matplotlib Line2D
        Difference of the empirical curves, a − b.
    marks_ : matplotlib LineCollection or None
        Where the band excludes zero; None if it does so nowhere.

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

    def __init__(self, band: Band) -> None:
        check_instance("band", band, Band, "Make it with `roc_difference_band(pair)`.")
        self.band = band

    def _draw(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        band = self.band
        # Outside its range the edges are -1 and 1, which claim nothing.
        inside = band.upper - band.lower < 2.0
        columns = (column[inside] for column in (band.at, band.lower, band.upper, band.estimate))
        at, lower, upper, difference = polyline(*columns)
        label, kwargs = band_labels(band, name, None, kwargs, "difference")
        self.fill_ = ribbon(ax, at, lower, upper, color, kwargs)
        self.line_ = self._line(ax, color, label, at, difference)
        ax.axhline(0.0, **GUIDE)
        self.marks_ = None
        if band.different_at:
            start, stop = np.array(band.different_at).T
            self.marks_ = ax.hlines(
                np.zeros(len(start)), start, stop, color=color, linewidth=5.0, label="excludes 0"
            )
        ax.set_xlim(-0.01, 1.01)
        name_axes(ax, x=quantity_words(band.at_name), y=quantity_words(band.quantity))
        legend(ax, labels=self._labels)


def _area(scores: Scores, options: Mapping[str, Any] | None) -> Interval:
    """The interval of an area for a legend, with these options."""
    from confroc.auc import auc_interval

    return auc_interval(scores, **options_of("auc_kwargs", options))


def band_labels(
    band: Band, name: str | None, area: Interval | None, options: dict[str, Any], unnamed: str = "estimate"
) -> tuple[str, dict[str, Any]]:
    """Return the label of a curve in a band, `unnamed` without a name, and the options of the band.

    The label of the band is its claim, which the legend states once.
    """
    label = unnamed if name is None else plain(name)
    label = label if area is None else label_of(name, "", area)
    return label, {"label": claim_of(band)} | options


def claim_of(band: Band) -> str:
    """Return the words for a band in a legend, e.g. "95% simultaneous band"."""
    return f"{percent(band.confidence_level)} {band.kind} band"
