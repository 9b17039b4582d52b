"""Times of the exact bootstrap laws, and the error of their approximation.

Run it by: python benchmarks/exact_laws.py
or, for some of its tables, with their names: python benchmarks/exact_laws.py sparsity

Five tables: one model (101 rates), two models (all rates up to n = 1,000, then a few), the whole distribution
of a difference at one rate, how few pairs of thresholds have any probability to speak of, and the error of
the approximate joint law in interval ends wherever the exact one can still be computed. Pairs are normal
scores with unit separation; `rho` is the correlation of the two models within a class.
"""

from __future__ import annotations

import math
import sys
import time
import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from confroc import ConfrocWarning, PairedScores, Scores, UnpairedScores
from confroc.exact import approximate, difference, joint_threshold_pmf, tpr_difference_pmf
from confroc.exact.difference import (
    _affordable,
    difference_moments,
    difference_quantiles,
    pair_design,
)
from confroc.exact.tpr import count_laws, law_moments, law_quantiles

LEVELS = [0.025, 0.975]


def best_of(rounds: int, work: Callable[[], object]) -> tuple[float, float]:
    """Return the least wall and the least processor seconds: on a busy machine only the latter tell."""
    wall, cpu = [], []
    for _ in range(rounds):
        start, start_cpu = time.perf_counter(), time.process_time()
        work()
        wall.append(time.perf_counter() - start)
        cpu.append(time.process_time() - start_cpu)
    return min(wall), min(cpu)


def single_scores(n: int, seed: int = 0) -> Scores:
    rng = np.random.default_rng(seed)
    y = np.r_[np.zeros(n), np.ones(n)]
    return Scores(y, rng.normal(size=2 * n) + y)


def pair_scores(n: int, rho: float, decimals: int | None = None, seed: int = 0) -> PairedScores:
    rng = np.random.default_rng(seed)
    y = np.r_[np.zeros(n), np.ones(n)]
    common, own = rng.normal(size=2 * n), rng.normal(size=(2, 2 * n))
    a, b = math.sqrt(rho) * common + math.sqrt(1.0 - rho) * own + y
    if decimals is not None:
        a, b = a.round(decimals), b.round(decimals)
    return PairedScores(y, a, b)


def one_model() -> None:
    print("one model, 101 rates from 0.5 % to 99.5 %: milliseconds wall (and processor), best of 7")
    print(f"{'n+ = n-':>9} {'moments':>17} {'quantiles':>17}")
    for n in (100, 1_000, 10_000, 100_000, 1_000_000):
        scores = single_scores(n)
        r = np.maximum(np.linspace(0.005, 0.995, 101) * n, 1.0).astype(np.int64)
        moments = best_of(7, lambda: law_moments(count_laws(scores, r, n), n, n, 2.0))  # noqa: B023
        quantiles = best_of(7, lambda: law_quantiles(count_laws(scores, r, n), n, n, LEVELS))  # noqa: B023
        shown = [f"{1e3 * wall:7.1f} ({1e3 * cpu:7.1f})" for wall, cpu in (moments, quantiles)]
        print(f"{n:9,}", *shown, flush=True)


def two_models() -> None:
    print("\ntwo models, compiled: seconds wall (and processor), best of 3; exact: share of the rates")
    print(f"{'n+ = n-':>9} {'rho':>5} {'rates':>6} {'exact':>6} {'moments':>17} {'quantiles':>17}")
    cells = [(n, rho, n) for n in (100, 400, 1_000) for rho in (0.0, 0.5, 0.9)]
    cells += [(4_000, 0.5, 20), (10_000, 0.5, 5), (100_000, 0.5, 5), (1_000_000, 0.5, 5)]
    for n, rho, h in cells:
        pair = pair_scores(n, rho)
        design = pair_design(pair, np.arange(1, n + 1) / n if h == n else np.linspace(0.01, 0.2, h))
        exact = _affordable(pair, np.unique(design.r), design.size[1]).mean()
        difference_quantiles(pair, design, LEVELS)
        moments = best_of(3, lambda: difference_moments(pair, design, 0.5))  # noqa: B023
        quantiles = best_of(3, lambda: difference_quantiles(pair, design, LEVELS))  # noqa: B023
        shown = [f"{wall:7.3f} ({cpu:7.3f})" for wall, cpu in (moments, quantiles)]
        print(f"{n:9,} {rho:5.2f} {h:6,} {exact:6.0%}", *shown, flush=True)


def whole_laws() -> None:
    print("\n`tpr_difference_pmf` at a rate of 0.1: seconds wall (and processor), best of 3; rho = 0.5")
    print(f"{'n+ = n-':>9} {'two test sets':>17} {'paired':>17}")
    for n in (1_000, 5_000, 20_000):
        pair = pair_scores(n, 0.5)
        apart = UnpairedScores(pair.a, single_scores(n, 1))
        tpr_difference_pmf(pair, fpr=0.1)
        times = [best_of(3, lambda: tpr_difference_pmf(data, fpr=0.1)) for data in (apart, pair)]  # noqa: B023
        print(f"{n:9,}", *[f"{wall:7.3f} ({cpu:7.3f})" for wall, cpu in times], flush=True)


def sparsity() -> None:
    print("\ntwo models: share of the n^2 pairs of thresholds with more than 1e-12 of the probability")
    print("(and with more than 1e-6), false positive rate one half and one twentieth")
    print(f"{'n-':>9} {'rho':>5} {'f = 0.5':>19} {'f = 0.05':>19}")
    for n in (100, 300, 1_000):
        for rho in (0.0, 0.5, 0.9):
            _, law = joint_threshold_pmf(pair_scores(n, rho), fpr=[0.5, 0.05])
            shown = [f"{(p > 1e-12).mean():8.2%} ({(p > 1e-6).mean():7.2%})" for p in law]
            print(f"{n:9,} {rho:5.2f} {shown[0]:>19} {shown[1]:>19}", flush=True)


def interval_ends(sums: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    first, second, discordant = sums
    total = n + 2.0
    mean, square = first / total, second / total**2
    deviation = np.sqrt(square - mean**2 + ((discordant + 1.0) / total - square) / total)
    return np.stack([mean - 1.96 * deviation, mean + 1.96 * deviation])


def approximation() -> None:
    print("\napproximate against exact distribution, 95 % intervals, largest error over 60 rates from 1/n")
    print("(quantiles move in steps of 1/n, so theirs is in steps)")
    print(f"{'n+ = n-':>9} {'rho':>6} {'ties':>5} {'agresti_min':>12} {'quantiles':>10}")
    for n in (100, 400, 1_000, 2_000):
        r = np.unique(np.linspace(1, n - 1, 60).astype(np.int64))
        for rho, decimals in ((0.0, None), (0.5, None), (0.9, None), (0.995, None), (0.5, 0)):
            pair = pair_scores(n, rho, decimals)
            exact = interval_ends(difference._exact_sums(pair, r, (n, n)), n)
            error = np.abs(interval_ends(approximate.sums(pair, r, (n, n)), n) - exact).max()
            quantiles = difference_quantiles(pair, pair_design(pair, r / n), LEVELS)
            steps = np.abs(approximate.quantiles(pair, r, (n, n), np.array(LEVELS)) - quantiles).max() * n
            ties = "no" if decimals is None else "yes"
            print(f"{n:9,} {rho:6.3f} {ties:>5} {error:12.1e} {steps:10.0f}", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConfrocWarning)
    tables = {f.__name__: f for f in (one_model, two_models, whole_laws, sparsity, approximation)}
    for name in sys.argv[1:] or tables:
        tables[name]()
