"""The difference of two ROC curves, with its band."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from confroc.plot.roc import BandDisplay
from confroc.plot.style import BAND_ALPHA, GUIDE, legend, new_axes, next_color, percent, plain, thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection

    from confroc.results import DifferenceBand


class DifferenceBandDisplay(BandDisplay):
    """A band for the difference of two ROC curves, with a line at zero.

    Where the band leaves out zero the two curves differ, and a thick line along zero marks it.

    Parameters
    ----------
    band : DifferenceBand

    Attributes
    ----------
    fill_ : matplotlib PolyCollection
        The band, over its range of false positive rates.
    line_ : matplotlib Line2D
        Difference of the empirical curves, a − b.
    marks_ : matplotlib LineCollection or None
        Where the band leaves out zero; None when it nowhere does.
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure

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

    marks_: LineCollection | None
    band: DifferenceBand

    def __init__(self, band: DifferenceBand) -> None:
        super().__init__(band)

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **kwargs: Any) -> Self:
        """Draw the band.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        name : str, optional
            What the legend calls the difference; the level and kind are added.
        **kwargs
            Passed to `Axes.fill_between`; `color` also colours the lines.

        Returns
        -------
        DifferenceBandDisplay
            Itself. A band of more than about 1,500 rows is thinned by less than a pixel.
        """
        ax = new_axes(ax, figsize=(6.0, 4.0))
        band = self.band
        # Outside its range the edges are -1 and 1, which claim nothing.
        inside = np.flatnonzero(band.upper - band.lower < 2.0)
        fpr, difference, lower, upper = (
            column[inside] for column in (band.at, band.estimate, band.lower, band.upper)
        )
        kept = thin(fpr, lower, upper, difference)
        color = kwargs.pop("color", None) or next_color(ax)
        options: dict[str, Any] = {"color": color, "alpha": BAND_ALPHA, "linewidth": 0.0}
        self.fill_ = ax.fill_between(fpr[kept], lower[kept], upper[kept], **(options | kwargs))
        label = f"{percent(band.confidence_level)} {band.kind} band"
        (self.line_,) = ax.plot(
            fpr[kept],
            difference[kept],
            color=color,
            linewidth=1.8,
            label=label if name is None else f"{plain(name)} ({label})",
        )
        ax.axhline(0.0, **GUIDE)
        self.marks_ = None
        if band.different_at:
            start, stop = np.array(band.different_at).T
            self.marks_ = ax.hlines(
                np.zeros(len(start)), start, stop, color=color, linewidth=5.0, label="band leaves out 0"
            )
        ax.set(xlim=(-0.01, 1.01), xlabel="False positive rate", ylabel="True positive rate, a − b")
        legend(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self
