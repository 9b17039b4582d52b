"""Speed of cost curves and differences at as many w as there are cases: python benchmarks/cost.py [rows].

Each line gives wall seconds (the least of three) and their ratio to building the `PairedScores` of the same
rows (default 10⁶), measured side by side. Kernels are compiled first.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from confroc import PairedScores, Scores
from confroc.cost import cost_band, cost_curve, cost_difference

ROUNDS = 3


def seconds(work: Callable[[], object]) -> float:
    """Least wall seconds."""
    taken = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def sample(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels and two models' scores, in no order."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    common = rng.standard_normal(n)
    return y, y + 0.7 * common + 0.7 * rng.standard_normal(n), 0.9 * y + common


def sorted_anew(y: np.ndarray, score: np.ndarray, seed: int) -> Scores:
    """One resample drawn row by row and sorted, as section 6 of Dugas & Gadoury (2009) counts its cost."""
    rows = np.random.default_rng(seed).integers(0, len(y), len(y))
    return Scores(y[rows], score[rows])


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rng = np.random.default_rng(1)
    small = PairedScores(*sample(300_000, 1))
    some = rng.normal(size=300_000)
    cost_difference(small, w=np.linspace(0, 1, len(some)), threshold_a=some, threshold_b=-some)
    y, a, b = sample(n)
    pair = PairedScores(y, a, b)
    other = PairedScores(*sample(n, 2))
    w = np.linspace(0, 1, n)
    few, given = np.linspace(0.01, 0.99, 99), np.linspace(2, -1, 99)
    falling, any_order = np.linspace(4, -4, n), rng.normal(size=n)
    lines: list[tuple[str, Callable[[], object]]] = [
        ("build PairedScores", lambda: PairedScores(y, a, b)),
        ("curve, thresholds on the same sample", lambda: cost_curve(pair.a, w=w)),
        ("curve, thresholds on a validation sample", lambda: cost_curve(pair.a, w=w, validation=other.a)),
        ("curve, full sampling", lambda: cost_curve(pair.a, w=w, sampling="full")),
        ("difference, thresholds on the same sample", lambda: cost_difference(pair, w=w)),
        (
            "difference, thresholds on a validation sample",
            lambda: cost_difference(pair, w=w, validation=other),
        ),
        (
            "difference, as many given thresholds, falling",
            lambda: cost_difference(pair, w=w, threshold_a=falling, threshold_b=falling),
        ),
        (
            "difference, as many given thresholds, any order",
            lambda: cost_difference(pair, w=w, threshold_a=any_order, threshold_b=-any_order),
        ),
        ("band over all w, 1000 resamples", lambda: cost_band(pair.a, rng=1)),
        (
            "99 given thresholds, Gaussian fit",
            lambda: cost_curve(pair.a, w=few, threshold=given, method="wald"),
        ),
        (
            "99 given thresholds, 1000 resamples by counts",
            lambda: cost_curve(pair.a, w=few, threshold=given, method="bootstrap", n_resamples=1000, rng=1),
        ),
        ("10 of 1000 resamples, each sorted", lambda: [sorted_anew(y, a, seed) for seed in range(10)]),
    ]
    unit = 0.0
    for name, work in lines:
        taken = seconds(work)
        unit = unit or taken
        print(f"{name:50} {taken:7.3f} s  {taken / unit:5.2f}")


if __name__ == "__main__":
    main()
