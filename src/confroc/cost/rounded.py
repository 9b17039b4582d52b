"""What rounded scores may have changed in a cost."""

from __future__ import annotations

import numpy as np

from confroc._types import FloatArray, Sampling
from confroc.cost.problem import Problem, one_model
from confroc.cost.thresholds import optimal_thresholds
from confroc.scores import Pair, Scores, difference_errors

Errors = tuple[FloatArray, FloatArray]


def cost_errors(
    scores: Scores,
    threshold: FloatArray,
    form: tuple[FloatArray, FloatArray],
    sampling: Sampling,
    *,
    chosen_at: FloatArray | None = None,
    hits: bool = False,
) -> Errors:
    """How far below and above a cost, or benefit, of rounded scores that of the exact ones may lie.

    It grows (or falls) as the ROC curve is raised, so the two `Scores.extremes` bound it. Where `chosen_at`
    gives the w at which thresholds were chosen on these very scores, the exact ones offer more thresholds,
    with perhaps a cheaper one among them: none is cheaper than the cheapest of the best extreme.
    """

    def price(table: Scores, at: FloatArray) -> FloatArray:
        return Problem((one_model(table, at, hits=hits),), *form, sampling).rates().mean(*form)

    here = price(scores, threshold)
    if scores.exact:
        return np.zeros_like(here), np.zeros_like(here)
    worst, best = scores.extremes
    ends = [
        price(worst, threshold),
        price(best, threshold if chosen_at is None else optimal_thresholds(best, chosen_at)),
    ]
    return np.maximum(here - np.minimum(*ends), 0.0), np.maximum(np.maximum(*ends) - here, 0.0)


def pair_cost_errors(
    pair: Pair,
    threshold: tuple[FloatArray, FloatArray],
    form: tuple[FloatArray, FloatArray],
    sampling: Sampling,
    *,
    chosen_at: FloatArray | None = None,
) -> Errors:
    """The same for the difference a − b of two models."""
    a, b = (
        cost_errors(scores, at, form, sampling, chosen_at=chosen_at)
        for scores, at in zip((pair.a, pair.b), threshold, strict=True)
    )
    return difference_errors(a, b)
