"""Where the scores of either class lie: shares of cases in bins, from the table of counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from confroc._types import FloatArray
from confroc.plot.names import plain
from confroc.plot.style import BAND_ALPHA, GUIDE, Display, legend, quantity_words
from confroc.scores import Scores, check_scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import StepPatch

BINS = 24
MOST_LEVELS = 24
"""Values of an even grid up to which each has a bin of its own."""
CENTRAL = (0.005, 0.995)
"""Between these shares of the cases, each class counting half, lie the scores drawn if no probabilities."""
FARTHEST = 1e100
"""Scores beyond are drawn there: squares of distances must be numbers."""
HEAVY = 8.0
"""Distances between the quartiles on an axis from which that of positive scores is logarithmic."""


def drawable(score: FloatArray) -> FloatArray:
    """Return scores within what axes can show."""
    return np.clip(score, -FARTHEST, FARTHEST)


class Bins(NamedTuple):
    """Shares of each class's cases in bins of scores, which are equally wide as drawn.

    Attributes
    ----------
    edges : ndarray of shape (b + 1,)
        Increasing. The outer bins hold the cases beyond them, too.
    pos, neg : ndarray of shape (b,)
        Shares of the class's cases; each adds up to 1.
    log : bool
        Whether the bins are even on a logarithmic axis.
    beyond : int
        Cases beyond the outer edges.
    """

    edges: FloatArray
    pos: FloatArray
    neg: FloatArray
    log: bool
    beyond: int

    @property
    def clipped(self) -> bool:
        """Whether there are cases beyond the outer edges."""
        return self.beyond > 0

    @property
    def words(self) -> str:
        """A remark on the axis of the picture; empty for none."""
        told = ["logarithmic axis"] * self.log + ["outermost bars hold what lies beyond"] * self.clipped
        return "; ".join(told)


def binned(scores: Scores, end: float = 1.0) -> Bins:
    """Put the scores into bins: probabilities up to `end`, others where the central 99 % of cases are."""
    score = drawable(scores.score[::-1])
    pos, neg = scores.pos[::-1] / scores.n_pos, scores.neg[::-1] / scores.n_neg
    low, high, log, probabilities = float(score[0]), float(score[-1]), False, False
    if low >= 0.0 and high <= 1.0:
        low, high, probabilities = 0.0, end, True
    else:
        half = 0.5 * np.cumsum(pos + neg)
        reached = np.searchsorted(half, [CENTRAL[0], 0.25, 0.75, CENTRAL[1] - 1e-9])
        low, quarter, three, high = score[np.minimum(reached, len(score) - 1)].tolist()
        log = low > 0.0 and high - low > HEAVY * (three - quarter) and high > 2.0 * low
    inside = np.unique(score[(score >= low) & (score <= high)])
    if log:
        edges = np.geomspace(low, high, BINS + 1)
    elif not probabilities and (step := _step(inside)) > 0.0:
        places = np.arange(round((inside[-1] - inside[0]) / step) + 2)
        edges = inside[0] + step * (places - 0.5)
    else:
        edges = 2.0 * np.linspace(0.5 * low, 0.5 * high, BINS + 1)
    edges = np.unique(edges)
    if len(edges) == 1:
        # One score, or scores so large that what lies between them is lost.
        edges = edges + np.array([-1e-3, 1e-3]) * max(abs(float(edges[0])), 1.0)
    at = np.clip(np.searchsorted(edges, score, side="right") - 1, 0, len(edges) - 2)
    count: list[FloatArray] = [
        np.bincount(at, share, len(edges) - 1).astype(np.float64) for share in (pos, neg)
    ]
    outside = (scores.score < edges[0]) | (scores.score > edges[-1])
    beyond = int(scores.pos[outside].sum() + scores.neg[outside].sum())
    return Bins(edges, count[0], count[1], log, beyond)


def _step(score: FloatArray) -> float:
    """The step of the even grid that a few distinct scores are on; 0 when there is none.

    Only then may each have a bar of its own: bars of other widths would show neither counts nor densities.
    """
    if len(score) < 2:
        return 1.0
    step = float(np.min(np.diff(score)))
    with np.errstate(over="ignore"):
        place = (score - score[0]) / step
    even = place[-1] < MOST_LEVELS - 0.5 and np.abs(place - np.round(place)).max() < 1e-6
    return step if even else 0.0


class ScoresDisplay(Display):
    """The distribution of the scores in each class, as shares of the class's cases in bins.

    Probabilities are drawn over [0, 1], other scores over the central 99 % of the cases (each class counting
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
    grey = GUIDE["color"]
    look: dict[str, Any] = {"fill": True, "linewidth": 1.4} | kwargs
    of = ((bins.neg, grey, 0.35, "negatives"), (bins.pos, color, BAND_ALPHA, label))
    neg, pos = (
        ax.stairs(share, bins.edges, facecolor=(ink, alpha), edgecolor=ink, label=text, **look)
        for share, ink, alpha, text in of
    )
    set_score_axis(ax, bins)
    highest = max(bins.pos.max(), bins.neg.max())
    ax.set(xlabel=quantity_words("score"), ylabel="Share of the class", ylim=(0.0, 1.08 * highest))
    return pos, neg


def set_score_axis(ax: Axes, bins: Bins) -> None:
    """Let the abscissa show the bins."""
    if bins.log:
        ax.set_xscale("log")
        # As plain numbers, which are drawn faster than powers of ten.
        ax.xaxis.set_major_formatter("{x:g}")
        ax.minorticks_off()
    ax.set_xlim(float(bins.edges[0]), float(bins.edges[-1]))
