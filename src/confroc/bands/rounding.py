"""Bands of rounded scores: edges moved by the most that the rounding can have changed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from confroc._types import FloatArray
from confroc.bands.shared import Edges, edges_on_one_grid
from confroc.scores import Scores


def note(scores: Scores) -> tuple[str, ...]:
    """Return what the reader of a band must know of rounded scores."""
    if scores.exact:
        return ()
    return (
        f"Scores were rounded; the band is widened by the most this can have changed (false positive rates "
        f"by {scores.fpr_error:.2g}, true positive rates by {scores.tpr_error:.2g}).",
    )


def loosened(edges: Edges, scores: Scores) -> Edges:
    """Return edges outside those by as much as rounding can have moved the curve.

    At every threshold the exact rates are within `fpr_error` and `tpr_error` of the rounded ones, so the
    upper edge moves left and up by these, the lower one right and down.
    """
    if scores.exact:
        return edges
    across, along = scores.fpr_error, scores.tpr_error
    upper = _cut(edges.fpr - across, edges.upper + along, 1.0)
    lower = _cut(edges.fpr + across, edges.lower - along, 0.0)
    return edges_on_one_grid(
        np.append(upper[0], 1.0),
        np.append(upper[1], 1.0),
        np.insert(lower[0], 0, 0.0),
        np.insert(lower[1], 0, 0.0),
    )


def _cut(x: FloatArray, y: FloatArray, bound: float) -> tuple[FloatArray, FloatArray]:
    """Put a vertex where a polyline crosses `bound`, so that cutting values there moves no piece inwards."""
    off = y - bound
    crossing: NDArray[np.intp] = np.flatnonzero((off[:-1] * off[1:] < 0.0) & (np.diff(x) > 0.0))
    share = off[crossing] / (off[crossing] - off[crossing + 1])
    at = x[crossing] + share * (x[crossing + 1] - x[crossing])
    return np.insert(x, crossing + 1, at), np.insert(y, crossing + 1, bound)
