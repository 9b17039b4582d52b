"""ROC curves, confidence bands, and bands for the difference of two curves."""

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
# The corner that ROC curves leave free for a legend.
CORNERS: dict[Scale, str] = {"linear": "lower right", "log": "upper left", "probit": "lower right"}


class ScoredDisplay(Display):
    """Displays that can be created from labels and scores or from a classifier, as in scikit-learn."""

    figsize = SQUARE

    @classmethod
    def from_scores(cls, scores: Scores, **kwargs: Any) -> Self:
        """Compute the result for `scores` and draw it."""
        raise NotImplementedError

    @classmethod
    def from_predictions(
        cls, y_true: ArrayLike, y_score: ArrayLike, *, pos_label: object = None, **kwargs: Any
    ) -> Self:
        """Compute the result from labels and scores, and draw it.

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
        """Compute the result for a fitted classifier on test cases, and draw it.

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
        """Draw the curve, or the band with its curve.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Default: new axes.
        name : str, optional
            Name in the legend, to which the AUC, or the level and kind of the band, is added.
        scale : {"linear", "log", "probit"}, optional
            Scale of new axes: logarithmic false positive rates, or normal deviates of both rates, on which
            binormal curves are straight. Default: that of the axes, else linear.
        fpr_max : float, optional
            Right end of the axis, to show low false positive rates only.
        labels : {"legend", "none"}
            Whether to add a legend: below the axes, or inside axes that are not part of a grid.
        plot_chance_level : bool
            Whether to draw the diagonal of a random classifier on new axes.
        chance_level_kw : mapping, optional
            Passed to `Axes.plot` for the diagonal.
        **kwargs
            Passed to `Axes.plot` for a curve, to `Axes.fill_between` for a band; `color` applies to both.
            `auc`, an `Interval`, is shown in the legend. For a band, `line_kwargs` is a mapping passed to
            `Axes.plot` for the curve.

        Returns
        -------
        Display
            The display itself. Lines with more than about 1,500 vertices are simplified by less than a pixel.
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
    """An ROC curve on square axes, with the diagonal.

    Parameters
    ----------
    curve : RocCurve
    auc : Interval, optional
        From `auc_interval`, for the legend; by default the legend has the AUC without an interval.

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
        """Compute the curve of `scores` and the interval of its AUC, and draw them.

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
    """The ROC curves of all models or samples of a table, with intervals of their AUCs.

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
        """Draw the curves; accepts the keywords of `CurveDisplay.from_scores`.

        `name` is for a single model; several have the names of the table.
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
    """A confidence band for an ROC curve or a cost curve, with the curve.

    Parameters
    ----------
    band : Band
    curve : RocCurve, optional
        The empirical curve; by default its values on the grid of the band.
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
        """Compute the band of `scores` with `roc_band` and the interval of the AUC, and draw them.

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
        """The area under the curve."""
        return float(np.trapezoid(self.band.estimate, self.band.at)) if self.curve is None else self.curve.auc

    def _checked(self, auc: Interval | None) -> Interval | None:
        # The grid of a band omits vertices of a curve with very many.
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
        at, lower, upper = polyline(*band._inside(), scale=drawn_on)
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
    """A confidence band for the difference of two curves, with a line at zero.

    A thick line along zero marks where the band excludes zero, so that the curves differ significantly.
    Options of `plot` are passed to `Axes.fill_between`.

    Parameters
    ----------
    band : Band
        From `roc_difference_band` or `cost_difference_band`.

    Attributes
    ----------
    fill_ : matplotlib PolyCollection
        The band, where it is informative.
    line_ : matplotlib Line2D
        Difference of the empirical curves, a − b.
    marks_ : matplotlib LineCollection or None
        Where the band excludes zero; None if nowhere.

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
    """The interval of the AUC for a legend."""
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
