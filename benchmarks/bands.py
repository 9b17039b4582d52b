"""Time of the bands, beside a sort of the same cases: `python benchmarks/bands.py`.

Ratios are what to compare between machines. The first call of each compiled kernel is left out.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from confroc.bands import roc_band, roc_difference_band
from confroc.bands.averaging import tpr_at_counts
from confroc.models import BinormalModel
from confroc.resample import resample
from confroc.scores import PairedScores


def best_of(func: Callable[[], object], repeats: int) -> float:
    """Shortest of several times, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        func()
        times.append(time.perf_counter() - start)
    return min(times)


def tasks_of(n: int) -> dict[str, Callable[[], object]]:
    """What is timed at one sample size, half of it positives."""
    scores = BinormalModel.from_auc(0.85).sample(n // 2, n // 2, rng=1)
    tasks: dict[str, Callable[[], object]] = {
        "default band, 999 resamples": partial(roc_band, scores, rng=1),
        "ks_regions": partial(roc_band, scores, method="ks_regions"),
        "binormal maximum likelihood": partial(BinormalModel.fit, scores),
    }
    if n > 10_000:
        return tasks
    at = np.linspace(0.0, 0.99, 100)

    def rates(pos: NDArray[np.int64], neg: NDArray[np.int64]) -> NDArray[np.float64]:
        return tpr_at_counts(pos, neg, at)

    y = np.repeat([1, 0], n // 2)
    first = y + np.random.default_rng(2).standard_normal(len(y))
    pair = PairedScores(y, first, first + np.random.default_rng(3).standard_normal(len(y)))
    size = scores.n_pos, scores.n_neg
    return tasks | {
        "2,000 resamples by counts, 2 threads": partial(
            resample, rates, scores, 2000, 1, size=size, n_jobs=2
        ),
        "smoothed d_B ball, 199 resamples": partial(
            roc_band, scores, method="bootstrap", n_resamples=199, rng=1
        ),
        "exact calibration (cached after the first)": partial(roc_band, scores, calibration="exact"),
        "difference band, 199 resamples": partial(roc_difference_band, pair, n_resamples=199, rng=1),
    }


def main() -> None:
    """Print a table of times and of their ratios to a sort."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 10_000, 1_000_000])
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    print(f"{'what':44} {'n':>9} {'seconds':>9} {'x sort':>9}")
    for n in options.sizes:
        sort = best_of(partial(np.sort, np.random.default_rng(1).standard_normal(n)), options.repeats)
        for name, task in tasks_of(n).items():
            task()
            seconds = best_of(task, options.repeats)
            print(f"{name:44} {n:9,} {seconds:9.3f} {seconds / sort:9.0f}", flush=True)


if __name__ == "__main__":
    main()
