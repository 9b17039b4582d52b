"""Where the scores of either class lie: shares of cases in bins, from the table of counts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from confroc._types import FloatArray
from confroc.scores.single import Scores

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
        told = ["logarithmic axis"] * self.log + ["the outer bars include more extreme scores"] * self.clipped
        return "; ".join(told)


def binned(scores: Scores, end: float = 1.0) -> Bins:
    """Put the scores into bins: probabilities up to `end`, others where the central 99% of cases are."""
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
