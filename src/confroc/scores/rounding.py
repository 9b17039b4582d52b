"""Effect of rounded scores on results, and intervals widened to account for it."""

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

WIDENED = "Scores were rounded; the band is widened by their `fpr_error` and `tpr_error`."


def widened(
    result: R, down: ArrayLike, up: ArrayLike | None = None, *, bounds: tuple[ArrayLike, ArrayLike]
) -> R:
    """Lower a result's `lower` by `down` and raise its `upper` by `up`, within `bounds`.

    Parameters
    ----------
    result : Interval, Intervals, Band, Difference, ...
        Any result with `lower`, `upper` and `notes`.
    down, up : float or array-like
        Bounds >= 0 on the error of the estimate; `up` defaults to `down`. 0 changes nothing.
    bounds : (float or array-like, float or array-like)
        Range of the quantity: (0, 1) for rates and AUCs, (−1, 1) for differences.

    Returns
    -------
    A result of the same type, with a note of the largest widening.
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
    """Bounds on the error of a statistic of rounded scores.

    Parameters
    ----------
    scores : Scores
    statistic : callable
        Accepts a Scores; monotone in the ROC curve: a rate at a threshold or at another rate, a whole or
        partial area, a cost. The exact curve, hence the statistic, lies between those of `Scores.extremes`.
    at_best : callable, optional
        Used in place of `statistic` for the better of the two extremes, where exact scores can do better: the
        cost at thresholds chosen on the same scores.

    Returns
    -------
    down, up : ndarray
        Same shape as the statistic, >= 0; zeros for exact scores.
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
    """Bounds on the error of a difference a − b, from those of a and b."""
    return a[0] + b[1], a[1] + b[0]


def tpr_errors_at(scores: Scores, fpr: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Bounds on the error of the rounded curve's TPR at false positive rates.

    The exact curve lies between the two of `Scores.extremes`.

    Parameters
    ----------
    scores : Scores
    fpr : array-like of shape (h,)
        In [0, 1].

    Returns
    -------
    down, up : ndarray of shape (h,)
        Subtracted from and added to the curve's largest value at `fpr`; zeros for exact scores.
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
    """Edges of a band for the exact curve, from those of a band for the rounded curve.

    At every threshold the exact rates are within `fpr_error` and `tpr_error` of the rounded ones, so the
    upper edge moves left and up, the lower edge right and down.

    Parameters
    ----------
    scores : Scores
    at, lower, upper : ndarray of shape (g,)
        Edges over [0, 1]; repeated abscissae are jumps.

    Returns
    -------
    upper, lower : (x, y)
        Vertices of each edge; values may lie outside [0, 1].
    """
    across, along = scores.fpr_error, scores.tpr_error
    x, y = _with_crossing(at - across, upper + along, 1.0)
    a, b = _with_crossing(at + across, lower - along, 0.0)
    return (np.append(x, 1.0), np.append(y, 1.0)), (np.insert(a, 0, 0.0), np.insert(b, 0, 0.0))


def moved_note(*tables: Scores) -> tuple[str, ...]:
    """Return the note of a band that was widened for rounded scores."""
    return () if all(scores.exact for scores in tables) else (WIDENED,)


def _with_crossing(x: FloatArray, y: FloatArray, bound: float) -> Polyline:
    """Insert a vertex where a polyline crosses `bound`, so that clipping there is exact."""
    off = y - bound
    crossing = np.flatnonzero((off[:-1] * off[1:] < 0.0) & (np.diff(x) > 0.0))
    share = off[crossing] / (off[crossing] - off[crossing + 1])
    at = x[crossing] + share * (x[crossing + 1] - x[crossing])
    return np.insert(x, crossing + 1, at), np.insert(y, crossing + 1, bound)


def _limits(scores: Scores, fpr: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Lowest and highest true positive rate of the curve at each false positive rate."""
    x = np.concatenate([[0.0], scores.neg_above / scores.n_neg])
    y = np.concatenate([[0.0], scores.pos_above / scores.n_pos])
    return one_sided_limits(x, y, fpr)
