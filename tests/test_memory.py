"""Memory held at once, in multiples of the labels and scores: `benchmarks/growth.py --memory` says more."""

import tracemalloc

import numpy as np
import pytest

from confroc import PairedScores, Scores, resample, roc_band, roc_difference_band

N = 200_000
Y = np.arange(N) % 3 == 0
A = np.random.default_rng(1).normal(size=N) + Y
B = 0.5 * A + np.random.default_rng(2).normal(size=N)
PAIR = PairedScores(Y, A, B)


def resampled(method):
    return lambda: roc_band(Scores(Y, A), method=method, confidence_level=0.5, n_resamples=4, rng=0)


PEAKS = {
    "Scores": (lambda: Scores(Y, A), 3.6),
    "roc_band": (lambda: roc_band(Scores(Y, A), n_resamples=40, rng=0), 4.0),
    "ks_regions": (lambda: roc_band(Scores(Y, A), method="ks_regions"), 5.0),
    "vertical_averaging": (resampled("vertical_averaging"), 4.2),
    "threshold_averaging": (resampled("threshold_averaging"), 4.2),
    "fixed_width": (resampled("fixed_width"), 4.5),
    "bootstrap": (resampled("bootstrap"), 4.5),
    "auc_hull": (resampled("auc_hull"), 4.5),
    # Besides the pair, which takes more while it is made than the band does with it.
    "roc_difference_band": (
        lambda: roc_difference_band(PAIR, confidence_level=0.5, n_resamples=4, rng=0),
        2.7,
    ),
}


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
@pytest.mark.parametrize(("work", "most"), PEAKS.values(), ids=PEAKS)
def test_the_peak_of_memory(work, most, monkeypatch):
    # Compiling takes more than the data.
    monkeypatch.setattr(resample, "MUCH", np.inf)
    tracemalloc.start()
    try:
        work()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < most * 8 * 2 * N
