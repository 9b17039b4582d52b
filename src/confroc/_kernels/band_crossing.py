"""Probability that a Poisson process stays between two increasing staircases."""

from __future__ import annotations

import numpy as np

from confroc._types import FloatArray, IntArray


def stay_between(gap: FloatArray, low: IntArray, high: IntArray, n: int, tail: float) -> float:
    """P(low[i] <= N(t_i) <= high[i] for all i, and N = n at the end), with N a Poisson process.

    `gap` holds the mean number of events between consecutive times. Increments with a probability
    below `tail` are left out, which can only lower the result.
    """
    width = 1
    for i in range(low.shape[0]):
        width = max(width, high[i] - low[i] + 1)
    law = np.zeros(width)
    new = np.zeros(width)
    law[0] = 1.0
    first = 0
    size = 1
    for i in range(gap.shape[0]):
        new_first = low[i]
        new_size = high[i] - low[i] + 1
        new[:new_size] = 0.0
        weight = np.exp(-gap[i])
        jump = 0
        while True:
            shift = first + jump - new_first
            start = max(0, -shift)
            stop = min(size, new_size - shift)
            if start < stop:
                new[start + shift : stop + shift] += weight * law[start:stop]
            jump += 1
            weight *= gap[i] / jump
            if jump > gap[i] and weight < tail:
                break
        law, new = new, law
        first = new_first
        size = new_size
    return float(law[n - first])
