"""Memory held at once, in multiples of the labels and scores: `benchmarks/growth.py --memory` says more."""

import tracemalloc

import numpy as np
import pytest

from confroc import Scores, roc_band

N = 200_000
Y = np.arange(N) % 3 == 0
A = np.random.default_rng(1).normal(size=N) + Y
PEAKS = {
    "Scores": (lambda: Scores(Y, A), 3.6),
    "roc_band": (lambda: roc_band(Scores(Y, A), n_resamples=40, rng=0), 4.0),
    "ks_regions": (lambda: roc_band(Scores(Y, A), method="ks_regions"), 7.5),
}


@pytest.mark.parametrize(("work", "most"), PEAKS.values(), ids=PEAKS)
def test_the_peak_of_memory(work, most):
    tracemalloc.start()
    try:
        work()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < most * 8 * 2 * N
