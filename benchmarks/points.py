"""Times of the pointwise intervals, the bootstrap beside its exact law, and coverage by method.

Run it by: python benchmarks/points.py [times] [coverage]

Times are the best of a few rounds on one core. Where resampling and the exact law answer the same
question, the ratio of their times says what the law saves. Coverage is simulated at the false positive
rates where the methods part.
"""

from __future__ import annotations

import math
import sys
import time
import warnings
from collections.abc import Callable

import numpy as np
from scipy import stats

from confroc import ConfrocWarning, PairedScores, Scores
from confroc.points import (
    dominance_at_threshold,
    fpr_at_tpr,
    rates_at_positive_rate,
    rates_at_threshold,
    rates_difference_at_threshold,
    tpr_at_fpr,
    tpr_difference_at_fpr,
)
from confroc.resample import resample

METHODS = ("agresti_coull", "wald", "exact_bootstrap")


def best_of(rounds: int, work: Callable[[], object]) -> float:
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def binormal(n: int, seed: int = 0) -> Scores:
    rng = np.random.default_rng(seed)
    return Scores(np.r_[np.zeros(n), np.ones(n)], rng.normal(size=2 * n) + np.r_[np.zeros(n), np.ones(n)])


def paired(n: int, seed: int = 0) -> PairedScores:
    rng = np.random.default_rng(seed)
    y = np.r_[np.zeros(n), np.ones(n)]
    a = rng.normal(size=2 * n) + y
    return PairedScores(y, a, a + 0.8 * rng.normal(size=2 * n))


def times() -> None:
    rates = np.arange(1, 102) / 102
    print("one model, 101 points (positive_rate: 3), milliseconds")
    heads = ("threshold", "tpr@fpr", "exact", "fpr@tpr", "kernel", "budget")
    print(f"{'cases':>9} " + " ".join(f"{head:>10}" for head in heads))
    for n in (1_000, 10_000, 100_000, 1_000_000):
        scores = binormal(n // 2)
        thresholds = np.linspace(-2, 3, 101)
        works: list[Callable[[], object]] = [
            lambda s=scores, t=thresholds: rates_at_threshold(s, threshold=t),  # type: ignore[misc]
            lambda s=scores: tpr_at_fpr(s, fpr=rates),  # type: ignore[misc]
            lambda s=scores: tpr_at_fpr(s, fpr=rates, method="exact_bootstrap"),  # type: ignore[misc]
            lambda s=scores: fpr_at_tpr(s, tpr=rates),  # type: ignore[misc]
            lambda s=scores: tpr_at_fpr(s, fpr=rates, method="kernel"),  # type: ignore[misc]
            lambda s=scores: rates_at_positive_rate(s, positive_rate=[0.01, 0.1, 0.5]),  # type: ignore[misc]
        ]
        cells = [1e3 * best_of(3, work) for work in works]
        print(f"{n:>9} " + " ".join(f"{c:>10.2f}" for c in cells))

    print("\ntwo models, 101 pairs of thresholds, milliseconds (the pair itself is built before)")
    print(f"{'cases':>9} {'difference':>11} {'dominance':>10}")
    for n in (10_000, 100_000, 1_000_000):
        pair = paired(n // 2)
        t = np.linspace(-2, 3, 101)
        cells = [
            1e3
            * best_of(3, lambda p=pair, t=t: rates_difference_at_threshold(p, threshold_a=t, threshold_b=t)),  # type: ignore[misc]
            1e3 * best_of(3, lambda p=pair, t=t: dominance_at_threshold(p, threshold_a=t, threshold_b=t)),  # type: ignore[misc]
        ]
        print(f"{n:>9} {cells[0]:>11.1f} {cells[1]:>10.1f}")

    print("\n2,000 resamples beside the exact law, ten rates: seconds, and their ratio")
    print(f"{'cases':>9} {'bootstrap':>10} {'exact':>8} {'ratio':>7}")
    for n in (1_000, 10_000):
        scores, ten = binormal(n // 2), np.arange(1, 11) / 20
        slow = best_of(1, lambda s=scores, f=ten: tpr_at_fpr(s, fpr=f, method="bootstrap", rng=0))  # type: ignore[misc]
        fast = best_of(3, lambda s=scores, f=ten: tpr_at_fpr(s, fpr=f, method="exact_bootstrap"))  # type: ignore[misc]
        print(f"{n:>9} {slow:>10.3f} {fast:>8.4f} {slow / fast:>7.0f}")
    pair, ten = paired(500), np.arange(1, 11) / 20
    slow = best_of(1, lambda: tpr_difference_at_fpr(pair, fpr=ten, method="bootstrap", rng=0))
    fast = best_of(2, lambda: tpr_difference_at_fpr(pair, fpr=ten, method="exact_bootstrap"))
    print(f"{'pair 1000':>9} {slow:>10.3f} {fast:>8.4f} {slow / fast:>7.0f}")

    print("\n200 resamples of 200,000 cases: seconds on 1 and 2 threads")
    scores = binormal(100_000)

    def top(pos: np.ndarray, neg: np.ndarray) -> np.ndarray:
        return np.array([pos[:1000].sum(), neg[:1000].sum()])

    size = scores.n_pos, scores.n_neg
    for n_jobs in (1, 2):
        seconds = best_of(2, lambda j=n_jobs: resample(top, scores, 200, 0, size=size, n_jobs=j))  # type: ignore[misc]
        print(f"{n_jobs:>9} {seconds:>10.3f}")


def coverage(samples: int = 500, level: float = 0.9) -> None:
    fpr = np.array([0.02, 0.05, 0.1, 0.3, 0.5, 0.8])
    print(f"coverage of the true positive rate at a false positive rate, level {level}, {samples} samples")
    print(f"{'n per class':>11} {'method':>16} " + " ".join(f"{f:>6}" for f in fpr))
    for n in (50, 250):
        rng = np.random.default_rng(n)
        truth = stats.norm.sf(stats.norm.isf(fpr) - 1.5)
        methods = ("beta_mixture", "agresti_coull", "wald", "exact_bootstrap", "kernel")
        inside = {m: np.zeros(len(fpr)) for m in methods}
        for _ in range(samples):
            scores = Scores(np.r_[np.zeros(n), np.ones(n)], np.r_[rng.normal(size=n), rng.normal(1.5, 1, n)])
            for method in inside:
                result = tpr_at_fpr(scores, fpr=fpr, method=method, confidence_level=level)
                inside[method] += (result.lower <= truth) & (truth <= result.upper)
        for method, count in inside.items():
            print(f"{n:>11} {method:>16} " + " ".join(f"{c:>6.3f}" for c in count / samples))
    print(f"one deviation of a coverage is {math.sqrt(level * (1 - level) / samples):.3f}\n")

    q = np.array([0.02, 0.05, 0.1, 0.3])
    print(f"coverage of the precision at a fraction flagged, 30 % positives, level {level}")
    print(f"{'cases':>11} {'method':>16} {'sampling':>10} " + " ".join(f"{f:>6}" for f in q))
    for n in (100, 1000):
        rng = np.random.default_rng(n)
        truth = population_precision(q)
        budget = {(m, s): np.zeros(len(q)) for m in METHODS for s in ("full", "stratified")}
        for _ in range(samples):
            y = rng.random(n) < 0.3
            scores = Scores(y.astype(int), rng.normal(size=n) + 1.5 * y)
            for method, sampling in budget:
                result = rates_at_positive_rate(  # type: ignore[call-overload]
                    scores,
                    positive_rate=q,
                    method=method,
                    sampling=sampling,
                    confidence_level=level,
                ).precision
                budget[method, sampling] += (result.lower <= truth) & (truth <= result.upper)
        for (method, sampling), count in budget.items():
            print(f"{n:>11} {method:>16} {sampling:>10} " + " ".join(f"{c:>6.3f}" for c in count / samples))


def population_precision(q: np.ndarray) -> np.ndarray:
    """Precision when the fraction q of the population is flagged, 30 % of it positive, binormal scores."""
    grid = np.linspace(-6, 8, 200_001)
    found, false = 0.3 * stats.norm.sf(grid, 1.5), 0.7 * stats.norm.sf(grid)
    at = np.interp(-q, -(found + false), grid)
    return np.asarray(0.3 * stats.norm.sf(at, 1.5) / q)


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConfrocWarning)
    chosen = sys.argv[1:] or ["times", "coverage"]
    if "times" in chosen:
        times()
    if "coverage" in chosen:
        coverage()
