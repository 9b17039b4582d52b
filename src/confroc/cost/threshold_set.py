"""Confidence set of the best threshold."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from confroc._types import BoolArray, FloatArray
from confroc.moments import kish_sizes
from confroc.resample import critical_value, resample
from confroc.scores import Scores
from confroc.scores.counting import Cells
from confroc.statistics.cheapest import (
    Criterion,
    candidates,
    joined_runs,
    rates_along,
    score_of_rows,
    units,
)
from confroc.statistics.metrics import STEP

STRIDE = 0.2
"""Step of thresholds compared in resamples, in the logarithm of the number of cases from the best one."""

NEAR = 200
"""Number of thresholds to compare on each side of the best one, at distances in a geometric sequence."""


class ThresholdSet(NamedTuple):
    """Thresholds compared with the best, in decreasing order, and whether each is in the confidence set."""

    threshold: FloatArray
    may_be_best: BoolArray

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest threshold in the set; NaN if the set is unknown."""
        held = self.threshold[self.may_be_best]
        return (float(held[-1]), float(held[0])) if len(held) else (np.nan, np.nan)


def threshold_set(
    scores: Scores,
    criterion: Criterion,
    level: float,
    n_resamples: int,
    rng: np.random.Generator,
    n_jobs: int = 1,
) -> ThresholdSet:
    """Return the confidence set of the best threshold by a criterion with one loss, given the prevalence.

    Each cluster counts as one case, and whole clusters are resampled. For crossed clusters the set is empty.
    """
    best = int(criterion.rows(scores)[0])
    # Errors can be so few that the next of evenly spread thresholds is significantly worse.
    near = np.geomspace(1.0, len(scores.score), NEAR).astype(np.int64)
    around = np.clip(np.concatenate([best - near, best + near]), 0, len(scores.score))
    rows = np.union1d(candidates(scores, best), around)
    if not min(units(scores)):
        return ThresholdSet(score_of_rows(scores, rows), np.zeros(len(rows), dtype=bool))
    alone = scores if scores.design is None else scores._resized(*kish_sizes(scores))
    sizes = alone.n_pos + 2.0, alone.n_neg + 2.0

    def loss(tpr: Any, fpr: Any) -> Any:
        return criterion.loss(tpr[..., None], fpr[..., None])[..., 0]

    def runs_between(rows: Any) -> Cells:
        """Return the counts of cases between neighboring thresholds."""
        return Cells(*(np.add.reduceat(count, rows[:-1]) for count in (alone.pos, alone.neg)))

    def excess(p: Any, q: Any, anchor: int) -> tuple[FloatArray, FloatArray]:
        """Return the loss minus that of the chosen threshold, with ½ added to each cell, and its error."""
        above = [np.pad(np.cumsum(c, axis=-1), [(0, 0)] * (c.ndim - 1) + [(1, 0)]) for c in (p, q)]
        rates = [(count + 1.0) / n for count, n in zip(above, sizes, strict=True)]
        value = loss(*rates)
        variance: Any = 0.0
        for i, (count, n) in enumerate(zip(above, sizes, strict=True)):
            moved = [rate + STEP * 1j * (i == j) for j, rate in enumerate(rates)]
            slope = np.imag(loss(*moved)) / STEP
            # Cases predicted positive at both thresholds, at the compared one only, and at the best only.
            here, there = count, count[..., anchor, None]
            effects = slope - slope[..., anchor, None], slope, -slope[..., anchor, None]
            cells = np.minimum(here, there), np.maximum(here - there, 0.0), np.maximum(there - here, 0.0)
            shares = [(cell + 0.5) / n for cell in cells]
            mean = sum(s * e for s, e in zip(shares, effects, strict=True))
            variance = (
                variance + (sum(s * e * e for s, e in zip(shares, effects, strict=True)) - mean * mean) / n
            )
        return value - value[..., anchor, None], np.sqrt(variance)

    # The studentized sum over the cases up to a distance is stationary in the logarithm of the distance.
    away = np.cumsum(np.append(0, (scores.pos + scores.neg)))[rows]
    away = away - away[np.searchsorted(rows, best)]
    step = np.sign(away) * np.floor(np.log1p(np.abs(away)) / STRIDE)
    few = rows[
        np.union1d(np.unique(step, return_index=True)[1], [np.searchsorted(rows, best), len(rows) - 1])
    ]
    table, anchor = runs_between(few), int(np.searchsorted(few, best))
    with np.errstate(divide="ignore", invalid="ignore"):
        plain = np.nan_to_num(loss(rates_along(table.pos), rates_along(table.neg)))
    plain = plain - plain[anchor]

    def largest(p: Any, q: Any) -> FloatArray:
        drawn, spread = excess(p, q, anchor)
        # Only a loss that is too high excludes a better threshold from the set.
        return np.asarray(((drawn - plain) / spread).max(axis=-1))

    def of_clusters(p: FloatArray, q: FloatArray) -> FloatArray:
        return largest(p * (alone.n_pos / p.sum()), q * (alone.n_neg / q.sum()))

    size = scores.n_pos, scores.n_neg
    if scores.design is None:
        drawn = resample(largest, table, n_resamples, rng, size=size, n_jobs=n_jobs, vectorized=True)
    else:
        cases = joined_runs(scores, few[1:-1])
        drawn = resample(of_clusters, cases, n_resamples, rng, size=size, n_jobs=n_jobs)
    found, error = excess(*runs_between(rows), int(np.searchsorted(rows, best)))
    return ThresholdSet(score_of_rows(scores, rows), found <= critical_value(drawn, level) * error)
