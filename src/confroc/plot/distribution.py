"""Histograms of the scores of each class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from confroc.plot.names import plain
from confroc.plot.style import BAND_ALPHA, GUIDE, Display, legend, quantity_words
from confroc.scores import Scores, check_scores
from confroc.scores.binning import Bins, binned

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import StepPatch


class ScoresDisplay(Display):
    """Histograms of the scores of positives and of negatives, as proportions of each class.

    Probabilities are drawn over [0, 1], other scores over the central 99% of the cases (with equal weight of
    the classes), on a logarithmic axis if they are positive and have a long tail; the outermost bars include
    the scores beyond. All bars have the same width. Up to 24 equidistant values, such as grades, have a bar
    each, except for probabilities.

    Parameters
    ----------
    scores : Scores

    Attributes
    ----------
    bins_ : Bins
        The histogram: `edges`, and the proportions `pos` and `neg`.
    positives_, negatives_ : matplotlib StepPatch

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from confroc import Scores
    >>> from confroc.plot import ScoresDisplay
    >>> scores = Scores.from_counts([0.2, 0.5, 0.9], pos=[1, 3, 6], neg=[12, 6, 2])
    >>> ScoresDisplay(scores).plot(ax=Figure().add_subplot()).bins_.neg.max()
    np.float64(0.6)
    """

    bins_: Bins
    positives_: StepPatch
    negatives_: StepPatch

    def __init__(self, scores: Scores) -> None:
        self.scores = check_scores("scores", scores, widens=True, dependent=True)

    def _draw(self, ax: Axes, color: Any, name: Any, **kwargs: Any) -> None:
        self.bins_ = binned(self.scores)
        label = "positives" if name is None else f"positives of {plain(name)}"
        self.positives_, self.negatives_ = draw_bins(ax, self.bins_, color, label, **kwargs)
        legend(ax, loc="upper right", labels=self._labels)


def draw_bins(
    ax: Axes, bins: Bins, color: Any, label: str = "positives", **kwargs: Any
) -> tuple[StepPatch, StepPatch]:
    """Draw the histograms of positives and of negatives, without a legend."""
    gray = GUIDE["color"]
    look: dict[str, Any] = {"fill": True, "linewidth": 1.4} | kwargs
    of = ((bins.neg, gray, 0.35, "negatives"), (bins.pos, color, BAND_ALPHA, label))
    neg, pos = (
        ax.stairs(share, bins.edges, facecolor=(ink, alpha), edgecolor=ink, label=text, **look)
        for share, ink, alpha, text in of
    )
    set_score_axis(ax, bins)
    highest = max(bins.pos.max(), bins.neg.max())
    ax.set(xlabel=quantity_words("score"), ylabel="Proportion of the class", ylim=(0.0, 1.08 * highest))
    return pos, neg


def set_score_axis(ax: Axes, bins: Bins) -> None:
    """Scale the horizontal axis to the bins."""
    if bins.log:
        ax.set_xscale("log")
        # Plain numbers are drawn faster than powers of ten.
        ax.xaxis.set_major_formatter("{x:g}")
        ax.minorticks_off()
    ax.set_xlim(float(bins.edges[0]), float(bins.edges[-1]))
