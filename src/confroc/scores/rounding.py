"""What rounded scores may have changed in a result, and intervals that allow for it."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from confroc.results import Result, one_sided_limits
from confroc.scores.single import Scores

FloatArray = NDArray[np.float64]
R = TypeVar("R", bound=Result)


def widened(result: R, down: ArrayLike, up: ArrayLike | None = None, *, bounds: tuple[float, float]) -> R:
    """Lower a result's `lower` by `down` and raise its `upper` by `up`, within `bounds`.

    Parameters
    ----------
    result : Interval, Intervals, Band, Difference, ...
        Any result with `lower`, `upper` and `notes`.
    down, up : float or array-like
        Bounds on the error of the estimate (`up` as `down` by default), all >= 0; 0 leaves the result alone.
    bounds : (float, float)
        Range of the quantity: (0, 1) for rates and areas, (−1, 1) for differences.

    Returns
    -------
    The same kind of result, with a note that says by how much it was widened at most.
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
    note = f"Scores were rounded; the interval is widened by the most this can have changed ({most:.2g})."
    changed: R = dataclasses.replace(old, lower=ends[0], upper=ends[1], notes=(*old.notes, note))
    return changed


def tpr_errors_at(scores: Scores, fpr: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """How far below and above the rounded curve the exact one may lie at false positive rates.

    At every threshold the exact rates are within `fpr_error` and `tpr_error` of the rounded ones, so the
    exact curve at f lies between the rounded curve at f − fpr_error and f + fpr_error, less and plus
    tpr_error.

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
    x = np.concatenate([[0.0], scores.neg_above / scores.n_neg])
    y = np.concatenate([[0.0], scores.pos_above / scores.n_pos])
    here = one_sided_limits(x, y, f)[1]
    low = one_sided_limits(x, y, np.maximum(0.0, f - scores.fpr_error))[0]
    high = one_sided_limits(x, y, np.minimum(1.0, f + scores.fpr_error))[1]
    return here - low + scores.tpr_error, high - here + scores.tpr_error
