"""The operating points that the page can look up: exact numbers at no more than a few hundred thresholds.

The page draws and looks up, it computes no statistics. So everything it may be asked about a threshold
is put in a table here: counts, rates, predictive values and their intervals, and which row of the table
is the cheapest at each weight w of a missed positive.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from confroc import distributions
from confroc._types import FloatArray, IntArray
from confroc.cost import lower_envelope
from confroc.pages.section import with_notes
from confroc.points.threshold import rates_at_threshold
from confroc.results import Intervals, Regions
from confroc.scores import Scores

METHOD: Literal["wilson"] = "wilson"
"""Score intervals: the cost of an operating point follows from them by adding squares (Newcombe 1998)."""

POINTS = 500
"""Thresholds of one model on the page; several models share `ALL_POINTS`."""
ALL_POINTS = 2000


def spread_rows(scores: Scores, most: int) -> IntArray:
    """Return at most `most` rows of the curve, row r calling the r highest distinct scores positive.

    All rows, when there are no more. Else rows at even steps of a path that moves with both rates and
    with the logarithms of both error counts, so that the ends of the curve are as finely covered, in
    relative terms, as its middle. Nobody (row 0) and everybody (the last) are always among them.
    """
    d = len(scores.score)
    if d < most:
        return np.arange(d + 1)
    pos, neg = (np.concatenate([[0], above]) for above in (scores.pos_above, scores.neg_above))
    path = pos / scores.n_pos + neg / scores.n_neg
    for errors, n in ((neg, scores.n_neg), (scores.n_pos - pos, scores.n_pos)):
        path += np.abs(np.log1p(errors) - math.log1p(float(errors[0]))) / math.log1p(n)
    steps = np.searchsorted(path, np.linspace(0.0, float(path[-1]), most))
    return np.unique(np.concatenate([[0], np.minimum(steps, d), [d]]))


def cheapest_rows(scores: Scores, most: int) -> tuple[IntArray, FloatArray, float]:
    """Return the rows of the cheapest thresholds, up to which w each is the cheapest, and what is lost.

    Parameters
    ----------
    scores : Scores
    most : int
        Pieces of the lower envelope to keep.

    Returns
    -------
    rows : ndarray of shape (k,)
        Increasing, one per piece of the lower envelope.
    until : ndarray of shape (k − 1,)
        The w where each gives way to the next.
    excess : float
        Zero when all pieces are kept; else how much the normalised cost of the row found may be above
        the cheapest one's, at the worst w.
    """
    envelope = lower_envelope(scores)
    n = len(envelope.threshold)
    kept = np.arange(n)
    until = envelope.w[1:-1]
    if n > most:
        kept = np.unique(np.linspace(0, n - 1, most).round().astype(np.int64))
        less = -np.diff(envelope.fnr[kept])
        more = np.diff(envelope.fpr[kept])
        until = more / (less + more)
    rows = np.searchsorted(-scores.score, -envelope.threshold[kept], side="right")
    excess = 0.0
    if n > most:
        # Between its corners the kept envelope is straight and the full one concave: worst at a corner.
        at_corner = until * envelope.fnr[kept[:-1]] + (1.0 - until) * envelope.fpr[kept[:-1]]
        excess = float((at_corner - envelope.cost_at(until)).max())
    return rows.astype(np.int64), until, excess


def shares(k: IntArray, n: IntArray, level: float) -> tuple[list[float | None], ...]:
    """Return k/n with its Wilson interval, as three lists; None where n is zero.

    The share of positives among those called positive: given how many were called so, a binomial
    proportion, when cases were drawn whatever their class.
    """
    some = n > 0
    estimate, lower, upper = (np.full(len(k), np.nan) for _ in range(3))
    # Wilson's formula holds entry by entry; its own signature names the usual single number of trials.
    trials: Any = n[some]
    estimate[some] = k[some] / n[some]
    lower[some], upper[some] = distributions.wilson(k[some], trials, level)
    return tuple(
        [x if math.isfinite(x) else None for x in part.tolist()] for part in (estimate, lower, upper)
    )


def _columns(name: str, found: Intervals) -> dict[str, Any]:
    return {
        name: found.estimate.tolist(),
        f"{name}_lower": found.lower.tolist(),
        f"{name}_upper": found.upper.tolist(),
    }


def operating_points(
    scores: Scores, level: float, most: int = POINTS
) -> tuple[dict[str, Any], Regions, tuple[str, ...]]:
    """Return the table of one model, the result it came from, and notes.

    Parameters
    ----------
    scores : Scores
    level : float
        Confidence level of each interval by itself.
    most : int
        Rows, cheapest thresholds not counted, of which there are as many again at most.

    Returns
    -------
    record : dict
        "points" holds one list per column. "joint" holds limits for both rates together. "cheapest"
        holds, for rising w, the row of "points" and the w up to which it is the cheapest.
    found : Regions
    notes : tuple of str
    """
    (best, until, excess), said = with_notes(lambda: cheapest_rows(scores, most))
    rows = np.union1d(spread_rows(scores, most), best)
    threshold = np.concatenate([[np.inf], scores.score])[rows]
    tp, fp = (np.concatenate([[0], above])[rows] for above in (scores.pos_above, scores.neg_above))

    def at_thresholds(joint: bool) -> Regions:
        return rates_at_threshold(scores, threshold, method=METHOD, joint=joint, confidence_level=level)

    found, notes = with_notes(lambda: at_thresholds(False))
    together, _ = with_notes(lambda: at_thresholds(True))
    points = {"threshold": threshold.tolist(), "tp": tp.tolist(), "fp": fp.tolist()}
    points |= _columns("tpr", found.tpr) | _columns("fpr", found.fpr)
    for name, k, n in (
        ("precision", tp, tp + fp),
        ("npv", scores.n_neg - fp, scores.n_pos + scores.n_neg - tp - fp),
    ):
        parts = shares(k, n, level)
        points |= dict(zip((name, f"{name}_lower", f"{name}_upper"), parts, strict=True))
    record = {
        "n_pos": scores.n_pos,
        "n_neg": scores.n_neg,
        "every_threshold": len(rows) == len(scores.score) + 1,
        "points": points,
        "joint": {
            "tpr_lower": together.tpr.lower.tolist(),
            "tpr_upper": together.tpr.upper.tolist(),
            "fpr_lower": together.fpr.lower.tolist(),
            "fpr_upper": together.fpr.upper.tolist(),
        },
        "cheapest": {
            "point": np.searchsorted(rows, best).tolist(),
            "until_w": until.tolist(),
            "max_excess_cost": excess,
        },
        "confidence_level": found.tpr.confidence_level,
        "method": found.method,
        "kind": found.kind,
        "guarantee": found.guarantee,
    }
    return record, found, tuple(dict.fromkeys(notes + said))
