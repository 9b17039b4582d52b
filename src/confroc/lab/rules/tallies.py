"""What a study counts: intervals that held the truth, missed it on either side, failed, and their widths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from confroc._types import FloatArray, IntArray

COUNTS = ("samples", "n", "failures", "covered", "below", "above")
SUMS = ("width", "width_sq")


class Tally(NamedTuple):
    """Sums over samples for one method and one quantity, at each of g places.

    Attributes
    ----------
    method, quantity : str
    at : ndarray of shape (g,)
        Where, in the units of the rule (a rate, a weight, or nan where there is one place only).
    samples : ndarray of int
        Samples that gave an interval.
    n : ndarray of int
        Statements checked: as many (for fresh curves, samples times curves).
    failures : ndarray of int
        Samples that gave none.
    covered, below, above : ndarray of int
        Truth inside, below and above. For a region only `covered` counts.
    width, width_sq : ndarray of float
        Sums of the widths and of their squares (for fresh curves, of each sample's share of curves held).
    """

    method: str
    quantity: str
    at: FloatArray
    samples: IntArray
    n: IntArray
    failures: IntArray
    covered: IntArray
    below: IntArray
    above: IntArray
    width: FloatArray
    width_sq: FloatArray


def tally(
    method: str, quantity: str, at: FloatArray, truth: FloatArray, lower: FloatArray, upper: FloatArray
) -> Tally:
    """Count intervals of shape (reps, g) against truths of shape (g,) or (reps, g); NaN ends are failures."""
    # Comparisons with NaN are false.
    missed = np.count_nonzero(truth < lower, axis=0), np.count_nonzero(truth > upper, axis=0)
    width = upper - lower
    failed = np.isnan(width)
    n = len(lower) - np.count_nonzero(failed, axis=0)
    if failed.any():
        width = np.where(failed, 0.0, width)
    return Tally(
        method,
        quantity,
        at,
        n,
        n,
        len(lower) - n,
        n - missed[0] - missed[1],
        missed[0],
        missed[1],
        width.sum(axis=0),
        np.einsum("ij,ij->j", width, width),
    )


class Side(NamedTuple):
    """One axis of a region: its name, true values, and ends of shape (reps, g)."""

    name: str
    truth: FloatArray
    lower: FloatArray
    upper: FloatArray


def tally_region(method: str, at: FloatArray, x: Side, y: Side) -> list[Tally]:
    """Count rectangles, none of which fails: both sides ("joint", its width the area), and each alone."""
    sides = [tally(method, s.name, at, s.truth, s.lower, s.upper) for s in (x, y)]
    inside = (x.lower <= x.truth) & (x.truth <= x.upper) & (y.lower <= y.truth) & (y.truth <= y.upper)
    area = (x.upper - x.lower) * (y.upper - y.lower)
    zero = np.zeros(len(at), np.int64)
    reps = len(area)
    joint = Tally(
        method,
        "joint",
        at,
        np.full(len(at), reps),
        np.full(len(at), reps),
        zero,
        np.count_nonzero(inside, axis=0),
        zero,
        zero,
        area.sum(axis=0),
        np.einsum("ij,ij->j", area, area),
    )
    return [joint, *sides]


def add(parts: Sequence[list[Tally]]) -> list[Tally]:
    """Add up the tallies of several batches of samples; each lists the same methods and quantities."""
    total = list(parts[0])
    for part in parts[1:]:
        total = [
            t._replace(**{name: getattr(t, name) + getattr(p, name) for name in (*COUNTS, *SUMS)})
            for t, p in zip(total, part, strict=True)
        ]
    return total
