"""What rounded scores may have changed in a result, and intervals that allow for it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from confroc._types import FloatArray
from confroc.results import Result, one_sided_limits
from confroc.scores.single import Scores

R = TypeVar("R", bound=Result)
Polyline: TypeAlias = tuple[FloatArray, FloatArray]

WIDENED = "Scores were rounded; the band is widened by `fpr_error` and `tpr_error` of the scores."


def widened(
    result: R, down: ArrayLike, up: ArrayLike | None = None, *, bounds: tuple[ArrayLike, ArrayLike]
) -> R:
    """Lower a result's `lower` by `down` and raise its `upper` by `up`, within `bounds`.

    Parameters
    ----------
    result : Interval, Intervals, Band, Difference, ...
        Any result with `lower`, `upper` and `notes`.
    down, up : float or array-like
        Bounds on the error of the estimate (`up` as `down` by default), all >= 0; 0 leaves the result alone.
    bounds : (float or array-like, float or array-like)
        Range of the quantity: (0, 1) for rates and areas, (−1, 1) for differences.

    Returns
    -------
    The same kind of result, with a note of the largest widening.
    """
    below = np.asarray(down, dtype=np.float64)
    above = below if up is None else np.asarray(up, dtype=np.float64)
    most = float(max(below.max(initial=0.0), above.max(initial=0.0)))
    if most == 0.0:
        return result
    old: Any = result
    ends: tuple[Any, Any] = (
        np.maximum(bounds[0], np.asarray(old.lower) - below),
        np.minimum(bounds[1], np.asarray(old.upper) + above),
    )
    if not isinstance(old.lower, np.ndarray):
        ends = float(ends[0]), float(ends[1])
    note = f"Scores were rounded; the result is widened by up to {most:.2g}."
    changed: R = dataclasses.replace(old, lower=ends[0], upper=ends[1], notes=(*old.notes, note))
    return changed


def errors_of(
    scores: Scores,
    statistic: Callable[[Scores], ArrayLike],
    *,
    at_best: Callable[[Scores], ArrayLike] | None = None,
) -> tuple[FloatArray, FloatArray]:
    """How far below and above a statistic of rounded scores that of the exact ones may lie.

    Parameters
    ----------
    scores : Scores
    statistic : callable
        Accepts a Scores; monotone in the ROC curve: a rate at a threshold
        or at another rate, an area, whole or partial, a cost. The exact curve lies between those of
        `Scores.extremes`, and so does then the statistic.
    at_best : callable, optional
        Replaces it for the better of the two extremes, where the exact scores may do better than
        `statistic` lets them: the cost at thresholds chosen on the scores themselves.

    Returns
    -------
    down, up : ndarray
        Of the statistic's shape, >= 0; zeros for exact scores.
    """
    here = np.asarray(statistic(scores), dtype=np.float64)
    if scores.exact:
        return np.zeros_like(here), np.zeros_like(here)
    worst, best = scores.extremes
    ends = np.asarray(statistic(worst)), np.asarray((at_best or statistic)(best))
    return np.maximum(here - np.minimum(*ends), 0.0), np.maximum(np.maximum(*ends) - here, 0.0)


def difference_errors(
    a: tuple[FloatArray, FloatArray], b: tuple[FloatArray, FloatArray]
) -> tuple[FloatArray, FloatArray]:
    """How far below and above a difference a − b may lie, from the same of a and of b."""
    return a[0] + b[1], a[1] + b[0]


def tpr_errors_at(scores: Scores, fpr: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """How far below and above the rounded curve the exact one may lie at false positive rates.

    The exact curve lies between the two of `Scores.extremes`.

    Parameters
    ----------
    scores : Scores
    fpr : array-like of shape (h,)
        In [0, 1].

    Returns
    -------
    down, up : ndarray of shape (h,)
        Zeros for exact scores. To be taken from, and added to, the curve's greatest value at `fpr`.
    """
    f = np.atleast_1d(np.asarray(fpr, dtype=np.float64))
    if scores.exact:
        return np.zeros_like(f), np.zeros_like(f)
    worst, best = scores.extremes
    here = _limits(scores, f)[1]
    return np.maximum(here - _limits(worst, f)[0], 0.0), np.maximum(_limits(best, f)[1] - here, 0.0)


def moved_edges(
    scores: Scores, at: FloatArray, lower: FloatArray, upper: FloatArray
) -> tuple[Polyline, Polyline]:
    """Edges of a band around the exact scores' curve, from those of one around the rounded scores' curve.

    At every threshold the exact rates are within `fpr_error` and `tpr_error` of the rounded ones, so the
    upper edge moves left and up by these, the lower one right and down.

    Parameters
    ----------
    scores : Scores
    at, lower, upper : ndarray of shape (g,)
        Edges over [0, 1]; repeated abscissae are jumps.

    Returns
    -------
    upper, lower : (x, y)
        Vertices of either edge; they may leave [0, 1], to which the values can be cut afterwards.
    """
    across, along = scores.fpr_error, scores.tpr_error
    x, y = _with_crossing(at - across, upper + along, 1.0)
    a, b = _with_crossing(at + across, lower - along, 0.0)
    return (np.append(x, 1.0), np.append(y, 1.0)), (np.insert(a, 0, 0.0), np.insert(b, 0, 0.0))


def moved_note(*tables: Scores) -> tuple[str, ...]:
    """Return the note of a band that was widened for rounded scores."""
    return () if all(scores.exact for scores in tables) else (WIDENED,)


def _with_crossing(x: FloatArray, y: FloatArray, bound: float) -> Polyline:
    """Put a vertex where a polyline crosses `bound`, so that cutting values there moves no piece inwards."""
    off = y - bound
    crossing = np.flatnonzero((off[:-1] * off[1:] < 0.0) & (np.diff(x) > 0.0))
    share = off[crossing] / (off[crossing] - off[crossing + 1])
    at = x[crossing] + share * (x[crossing + 1] - x[crossing])
    return np.insert(x, crossing + 1, at), np.insert(y, crossing + 1, bound)


def _limits(scores: Scores, fpr: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The lowest and the highest true positive rate of the curve at each false positive rate."""
    x = np.concatenate([[0.0], scores.neg_above / scores.n_neg])
    y = np.concatenate([[0.0], scores.pos_above / scores.n_pos])
    return one_sided_limits(x, y, fpr)
