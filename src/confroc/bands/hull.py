"""Hull of the resampled curves whose areas are in the middle."""

from __future__ import annotations

import numpy as np

from confroc._types import RNG, FloatArray, IntArray
from confroc.bands.ball import steps_of
from confroc.bands.edges import Edges
from confroc.resample import percentile_ends, resample
from confroc.scores import Scores
from confroc.scores.counting import one_by_one

STRIPS = 1000
"""Largest number of strips of the false positive rate over which the hull is taken."""


def auc_hull(scores: Scores, level: float, *, n_resamples: int, rng: RNG, n_jobs: int) -> Edges:
    """Upper and lower hull of the curves with the middle `level` of the areas.

    Proposed, not tried, in Macskassy & Provost (2004, §6). With more than `STRIPS` negatives the hull is
    constant over strips of the false positive rate, where it takes the curves' extremes.
    """
    one_by_one("method 'auc_hull'", scores.n_neg, "negatives")
    n_neg = scores.n_neg
    first = np.unique(np.arange(min(n_neg, STRIPS)) * n_neg // min(n_neg, STRIPS))
    last = np.append(first[1:], n_neg) - 1

    def ends(pos: IntArray, neg: IntArray) -> FloatArray:
        steps = steps_of(pos, neg)
        return np.stack([steps[first], steps[last], np.full(len(first), steps.mean())])

    drawn = resample(ends, scores, n_resamples, rng, size=(scores.n_pos, n_neg), n_jobs=n_jobs)
    area = drawn[:, 2, 0]
    low, high = percentile_ends(area, level)
    middle = drawn[(area >= low) & (area <= high)]
    at = np.append(first, n_neg) / n_neg
    grid = np.repeat(at, 2)
    # Over strip j the grid carries its value at the right end of abscissa j and the left end of j + 1.
    lower = np.concatenate([[0.0], np.repeat(middle[:, 0].min(axis=0), 2), [1.0]])
    upper = np.concatenate([[0.0], np.repeat(middle[:, 1].max(axis=0), 2), [1.0]])
    return Edges(grid, lower, upper)
