"""The area under a part of the curve, with the placements that give its sampling variance.

For false positive rates up to w, each positive contributes the width of the strip between it and w, and
each negative the true positive rate at its own place, or at w if it lies beyond: the threshold at w is
itself estimated, and this is the influence function that says so (He & Escobar 2008 reach the same
variance). At w = 1 both are the placements of the whole area.

A partial area divided by w is the chance that a random positive outranks a random one of the top
share w of the negatives, so it behaves as the area of a sample with w·n₋ negatives.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from confroc._check import ArgumentError, check_rate
from confroc._types import FloatArray, IntArray
from confroc.influence import Moments, spread, weighted_moments
from confroc.scores import Scores


class Part(NamedTuple):
    """Which part of the curve: `width` of the axis it lies on, and whether that is the vertical one."""

    width: float
    vertical: bool

    @property
    def label(self) -> str:
        """How a result names the part."""
        return f"min_tpr={1.0 - self.width:g}" if self.vertical else f"max_fpr={self.width:g}"


def check_part(max_fpr: float | None, min_tpr: float | None) -> Part | None:
    """Return the part of the curve that the two arguments name, None for the whole curve."""
    if max_fpr is None and min_tpr is None:
        return None
    if max_fpr is not None and min_tpr is not None:
        raise ArgumentError(
            "max_fpr", "be given alone, or `min_tpr` alone", (max_fpr, min_tpr), "Choose one end."
        )
    name, value = ("max_fpr", max_fpr) if max_fpr is not None else ("min_tpr", min_tpr)
    rate = float(check_rate(name, value if value is not None else 0.0)[0])
    part = Part(rate, False) if max_fpr is not None else Part(1.0 - rate, True)
    if part.width == 0.0:
        raise ArgumentError(name, "leave a part of the curve", value, "Widen the range.")
    return part


class Turned(NamedTuple):
    """Counts from the end of the curve that matters, as if it were the lower left one."""

    pos: IntArray
    neg: IntArray


def turned(pos: IntArray, neg: IntArray, part: Part) -> Turned:
    """Turn the curve about the anti-diagonal when the part lies on the vertical axis."""
    return Turned(neg[::-1], pos[::-1]) if part.vertical else Turned(pos, neg)


def partial_placements(counts: Turned, width: float) -> tuple[float, FloatArray, FloatArray]:
    """Area up to `width`, and each row's placement of a positive and of a negative, not centred."""
    n_pos, n_neg = int(counts.pos.sum()), int(counts.neg.sum())
    y1, x1 = np.cumsum(counts.pos) / n_pos, np.cumsum(counts.neg) / n_neg
    y0, x0 = (np.concatenate([[0.0], v[:-1]]) for v in (y1, x1))
    run = x1 - x0
    # A vertical step at `width` itself belongs to the rest of the curve, rounding or not.
    inside = x0 < width * (1.0 - 1e-12)
    # Share of each row's step that lies left of `width`; ties spread a row's cases evenly over its step.
    share = np.clip(np.divide(width - x0, run, out=np.ones_like(run), where=run > 0.0), 0.0, 1.0) * inside
    of_pos = share * (width - x0 - 0.5 * share * run)
    last = int(np.flatnonzero(inside)[-1])
    edge = y0[last] + share[last] * (y1[last] - y0[last])
    left = y0 + 0.5 * share * (y1 - y0)
    of_neg = np.where(inside, share * left + (1.0 - share) * edge, edge)
    return float(np.dot(of_pos, counts.pos)) / n_pos, of_pos, of_neg


def partial_area(pos: IntArray, neg: IntArray, part: Part) -> float:
    """Area of the part, not standardised: only the rows up to its end are looked at."""
    own, other = turned(pos, neg, part)
    x = np.cumsum(other)
    reach = part.width * float(x[-1])
    # The row whose step holds the end of the part; those before it lie inside.
    last = min(int(np.searchsorted(x, reach * (1.0 - 1e-12))), len(x) - 1)
    y = np.cumsum(own[: last + 1])
    inside = np.einsum("i,i->", y[:last] - 0.5 * own[:last], other[:last])
    rest = reach - float(x[last] - other[last])
    share = min(1.0, rest / float(other[last]))
    height = float(y[last] - own[last]) + 0.5 * share * float(own[last])
    return (float(inside) + share * float(other[last]) * height) / (float(x[-1]) * float(own.sum()))


def partial_moments(scores: Scores, part: Part) -> tuple[float, Moments, Moments, FloatArray, FloatArray]:
    """Area, spread of both sides' placements, and the centred placements in the scores' own order.

    The two sides are (positives, negatives) whichever axis the part lies on.
    """
    counts = turned(scores.pos, scores.neg, part)
    area, of_pos, of_neg = partial_placements(counts, part.width)
    n_pos, n_neg = int(counts.pos.sum()), int(counts.neg.sum())
    u, v = of_pos - area, of_neg - float(np.dot(of_neg, counts.neg)) / n_neg
    sums = weighted_moments((u, v), (counts.pos, counts.neg))
    first, second = spread(sums[0], sums[1], n_pos), spread(sums[2], sums[3], n_neg)
    if part.vertical:
        return area, second, first, v[::-1], u[::-1]
    return area, first, second, u, v


def standardized(area: float, width: float) -> float:
    """McClish's (1989) scale, on which chance is ½ and perfect separation 1."""
    chance = 0.5 * width * width
    return 0.5 * (1.0 + (area - chance) / (width - chance))
