"""Where the scores of either class lie: shares of cases in bins, from the table of counts."""

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
    """The distribution of the scores in each class, as shares of the class's cases in bins.

    Probabilities are drawn over [0, 1], other scores over the central 99% of the cases (each class counting
    half), on a logarithmic axis if they are positive and have a long tail; the outermost bars then hold what
    lies beyond. All bars are equally wide; of other scores than probabilities that are on an even grid of at
    most 24 values, such as grades, each has its own.

    Parameters
    ----------
    scores : Scores

    Attributes
    ----------
    bins_ : Bins
        What is drawn: `edges`, and the shares `pos` and `neg`.
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
    """Draw the shares of positives and of negatives, without a legend."""
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
    """Let the abscissa show the bins."""
    if bins.log:
        ax.set_xscale("log")
        # As plain numbers, which are drawn faster than powers of ten.
        ax.xaxis.set_major_formatter("{x:g}")
        ax.minorticks_off()
    ax.set_xlim(float(bins.edges[0]), float(bins.edges[-1]))
