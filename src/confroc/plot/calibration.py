"""Calibration curves with their bands, and the distribution of the scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from matplotlib.collections import LineCollection

from confroc._check import check_instance, check_same
from confroc.bands.calibration import CalibrationBand, distinct_scores, isotonic, reach
from confroc.plot.distribution import set_score_axis
from confroc.plot.roc import ScoredDisplay, band_labels
from confroc.plot.style import GUIDE, REJECTED, legend, options_of, quantity_words, ribbon
from confroc.results.polyline import thin
from confroc.scores import Scores, check_scores
from confroc.scores.binning import Bins, binned, drawable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.lines import Line2D
    from matplotlib.patches import StepPatch

RUG: dict[str, Any] = {"linestyle": "none", "marker": 2, "markeredgewidth": 0.6, "zorder": 0.9}
"""Marks at the distinct scores if the numbers of cases are unknown."""
STRIP = 0.12
"""Height of the histogram of the scores, as a fraction of the axes."""


class CalibrationDisplay(ScoredDisplay):
    """The calibration curve, the proportion of positives at each score, with its band.

    For probabilities the diagonal is drawn, and a thick line along it marks where the band excludes it, so
    that calibration is rejected. If 99% of the cases have low probabilities, the axes are cropped, and the
    axis title gives the number of cases beyond. Options of `plot` are passed to `Axes.fill_between`.

    Parameters
    ----------
    band : CalibrationBand
    scores : Scores, optional
        The sample, for a histogram of the scores at the bottom; scores that are not probabilities are drawn
        over the same range as in `ScoresDisplay`.

    Attributes
    ----------
    fill_ : matplotlib PolyCollection
        The band.
    line_ : matplotlib Line2D
        The estimate, by isotonic regression.
    marks_ : matplotlib LineCollection or None
        Where calibration is rejected; None if nowhere.
    cases_ : matplotlib StepPatch or None
        The histogram of the scores.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from confroc import Scores, calibration_band
    >>> from confroc.plot import CalibrationDisplay
    >>> scores = Scores.from_counts([0.1, 0.5, 0.9], pos=[40, 80, 90], neg=[360, 220, 60])
    >>> shown = CalibrationDisplay(calibration_band(scores), scores).plot(ax=Figure().add_subplot())
    >>> [text.get_text() for text in shown.ax_.get_legend().get_texts()]
    ['estimate', 'excludes the diagonal', '95% simultaneous band']
    """

    fill_: PolyCollection
    line_: Line2D
    marks_: LineCollection | None
    cases_: StepPatch | None

    def __init__(self, band: CalibrationBand, scores: Scores | None = None) -> None:
        check_instance("band", band, CalibrationBand, "Make it with `calibration_band(scores)`.")
        self.band = band
        self.scores = None if scores is None else check_scores("scores", scores, widens=True)
        if scores is not None:
            own = band.values_on(*isotonic(scores))
            check_same("band", band.estimate, own, "Make it with `calibration_band(scores)`.")

    @classmethod
    def from_scores(
        cls, scores: Scores, *, band_kwargs: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> Self:
        """Compute the band of `scores` with `calibration_band`, and draw it with a histogram of the scores.

        Parameters
        ----------
        scores : Scores
        band_kwargs : mapping, optional
            Passed to `calibration_band`: `calibration`, `confidence_level`, `rng`, ...
        **kwargs
            As in `plot`: `ax`, `name`, ...

        Examples
        --------
        >>> from matplotlib.figure import Figure
        >>> from confroc import Scores
        >>> from confroc.plot import CalibrationDisplay
        >>> scores = Scores.from_counts([0.1, 0.9], pos=[40, 90], neg=[360, 10])
        >>> CalibrationDisplay.from_scores(scores, ax=Figure().add_subplot()).band.calibrated
        True
        """
        from confroc.bands import calibration_band

        band = calibration_band(scores, **options_of("band_kwargs", band_kwargs))
        return cls(band, scores).plot(**kwargs)

    def _draw(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        label, kwargs = band_labels(self.band, name, None, kwargs)
        look = {"linestyle": self._linestyle, "label": label}
        self.fill_, self.line_, self.marks_ = draw_calibration(ax, self.band, color, look, **kwargs)
        end = reach(self.band, self.scores)
        bins, self.cases_ = None, None
        if self.scores is not None:
            bins = binned(self.scores, end)
            self.cases_ = _strip(ax, bins, self.scores, end)
        else:
            seen = distinct_scores(self.band) if self.band.probabilities else np.unique(self.band.at)
            # Those of each model above the previous ones.
            height = 0.02 * end * sum(line.get_marker() == RUG["marker"] for line in ax.lines)
            ax.plot(seen, np.full(len(seen), height), color=color, **RUG)
        if self.band.probabilities:
            limits = (-0.01 * end, 1.01 * end)
            if self.marks_ is not None and self.band.miscalibrated_at[0][0] > end:
                self.marks_.set_label("_beyond the axes")
            ax.set(xlim=limits, ylim=limits, aspect="equal")
            far = "some" if bins is None else f"{bins.beyond:,}"
            if distinct_scores(self.band)[-1] > end if bins is None else bins.beyond:
                ax.set_xlabel(f"{ax.get_xlabel()} ({far} beyond {end:g})")
        legend(ax, loc="upper left", labels=self._labels)


def draw_calibration(
    ax: Axes, band: CalibrationBand, color: Any, look: dict[str, Any], **kwargs: Any
) -> tuple[PolyCollection, Line2D, LineCollection | None]:
    """Draw the curve, its band and the diagonal with the marks of rejection, without a legend."""
    columns = (drawable(band.at), band.lower, band.upper, band.estimate)
    kept = thin(*columns)
    at, lower, upper, risk = (v[kept] for v in columns)
    if band.probabilities:
        ax.plot([0.0, 1.0], [0.0, 1.0], **GUIDE)
    fill = ribbon(ax, at, lower, upper, color, kwargs)
    (line,) = ax.plot(at, risk, **({"color": color, "linewidth": 1.5} | look))
    marks = None
    if band.miscalibrated_at:
        pieces = [[(low, low), (high, high)] for low, high in band.miscalibrated_at]
        marks = LineCollection(
            pieces, colors=REJECTED, linewidths=3.0, label="excludes the diagonal", capstyle="round"
        )
        ax.add_collection(marks)
    names = {"xlabel": quantity_words(band.at_name), "ylabel": quantity_words(band.quantity)}
    ax.set(**names, ylim=(-0.01, 1.01))
    if at[0] < at[-1]:
        ax.set_xlim(float(at[0]), float(at[-1]))
    return fill, line, marks


def _strip(ax: Axes, bins: Bins, scores: Scores, end: float) -> StepPatch:
    """Draw the histogram of the scores at the bottom of axes of height `end`."""
    n = scores.n_pos + scores.n_neg
    share = (bins.pos * scores.n_pos + bins.neg * scores.n_neg) / n
    set_score_axis(ax, bins)
    height = STRIP * end * share / np.max(share)
    return ax.stairs(height, bins.edges, fill=True, color=GUIDE["color"], alpha=0.45, zorder=0.9)
