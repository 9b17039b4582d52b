"""Drawing samples, and counting in samples of two models."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confroc.auditing.samples import Samples, at_least, reached
from confroc_lab._errors import invalid
from confroc_lab._types import FloatArray, IntArray, Sampling
from confroc_lab.populations import AnyPopulation


def draw(
    population: AnyPopulation, size: tuple[int, int], sampling: Sampling, rng: np.random.Generator, reps: int
) -> tuple[list[Samples], int]:
    """Draw samples; return those of each size, and the number omitted because they lack a class.

    Under "full" sampling only n = n_pos + n_neg is fixed: the number of positives is binomial with the
    population's prevalence.
    """
    if sampling == "stratified":
        return [Samples(*population.draw(rng, size[0], size[1], reps))], 0
    n = size[0] + size[1]
    counts = rng.binomial(n, population.share, size=reps)
    kept = counts[(counts > 0) & (counts < n)]
    values, how_many = np.unique(kept, return_counts=True)
    drawn = [
        Samples(*population.draw(rng, n_pos, n - n_pos, k))
        for n_pos, k in zip(values.tolist(), how_many.tolist(), strict=True)
    ]
    return drawn, reps - len(kept)


def discordant_at(scores: FloatArray, thresholds: Sequence[FloatArray]) -> tuple[IntArray, IntArray]:
    """Cases of each sample that only model a, and only model b, predicts positive, shapes (reps, h).

    `scores` has shape (reps, n, 2). Both thresholds of the pairs must increase together: a case then reaches
    both exactly when the lower of its two levels does.
    """
    order = np.lexsort((thresholds[1], thresholds[0]))
    if (np.diff(thresholds[1][order]) < 0.0).any():
        raise invalid(
            "thresholds", "rise together for both models", thresholds[1], "Pair thresholds by their rank."
        )
    h = len(order)
    out = np.empty((2, len(scores), h), np.int64)
    level = [reached(scores[:, :, model], t[order]) for model, t in enumerate(thresholds)]
    both = at_least(np.minimum(*level), h)
    for only, each in zip(out, level, strict=True):
        only[:, order] = at_least(each, h) - both
    return out[0], out[1]
