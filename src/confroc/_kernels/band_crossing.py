"""Poisson events added to many distributions of a count."""

from __future__ import annotations

import numpy as np

from confroc._types import FloatArray


def add_events(law: FloatArray, mean: FloatArray, tail: float) -> FloatArray:
    """Distributions after a Poisson number of events, with mean `mean[r]` in row r.

    Column d has the probability that d more events reach the bound; more leave the row. Numbers of events
    with probability below `tail` are neglected, which can only lower the result.
    """
    depth = law.shape[1]
    new = np.zeros_like(law)
    for r in range(law.shape[0]):
        weight = np.exp(-mean[r])
        for events in range(depth):
            for d in range(depth - events):
                new[r, d] += weight * law[r, d + events]
            weight *= mean[r] / (events + 1)
            if events + 1 > mean[r] and weight < tail:
                break
    return new
