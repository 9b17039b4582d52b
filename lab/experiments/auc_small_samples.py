"""Differences of areas in small samples: coverage of paired intervals, and levels of unpaired tests.

    python lab/experiments/auc_small_samples.py [samples] [studies]

Binormal populations with equal spread. First the coverage of the paired 95 % intervals of `auc_difference`,
with `samples` samples a cell (default 3,000) and correlations 0 and 0.6. Then, with `studies` (default 250)
and 99 resamples, the rejection rates at 5 % and 10 % for two equal areas of 0.8 on unpaired test sets, by
the permutation test and by DeLong's test. Tests by the nearest population are in `morin_tests.py`. Last the
coverage for areas up to a false positive rate of 0.2, of `shapes.py`'s pairs and of areas 0.95 and 0.97; the
true difference is that of 10^6 cases.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import special

import shapes
from confroc import ConfrocWarning, PairedScores, Scores, UnpairedScores, auc_difference
from confroc.methods import FAMILIES
from confroc_lab import CopulaPair, NormalPair, Rule
from confroc_lab.study import evaluated

FloatArray = NDArray[np.float64]

SIZES = ((5, 5), (5, 100), (10, 10), (20, 20), (50, 50))
AREAS = ((0.6, 0.7), (0.8, 0.9), (0.9, 0.95), (0.95, 0.99))
METHODS = ("score_delong", "delong")
UNPAIRED = (((10, 10), (20, 40)), ((30, 30), (10, 10)))
RESAMPLES = 99
PARTIAL_SIZES = ((25, 25), (60, 60), (200, 20), (20, 200))


def covered(
    n_pos: int, n_neg: int, areas: tuple[float, float], correlation: float, samples: int
) -> dict[str, float]:
    """Share of intervals of each method that contain the true difference."""
    a, b = (float(special.ndtri(area)) * math.sqrt(2.0) for area in areas)
    population = NormalPair((a, b), (0.0, 0.0), 1.0, 1.0, correlation)
    rule = Rule("auc_difference", methods=METHODS, confidence_level=0.95)
    rng = np.random.default_rng(1)
    found = evaluated(rule, population, (n_pos, n_neg), "stratified", samples, rng)
    return {coverage.method: float(coverage.share[0]) for coverage in found}


def rejections(pvalue: Callable[[], float], studies: int) -> str:
    """Shares of p-values of at most 0.05 and 0.1; without those studies in which the test cannot be made."""
    found = []
    for _ in range(studies):
        try:
            found.append(pvalue())
        except ValueError:
            continue
    values = np.array(found)
    return f"{np.mean(values <= 0.05):.3f} {np.mean(values <= 0.1):.3f}"


def unpaired(rng: np.random.Generator, sizes: tuple[tuple[int, int], ...], kind: str) -> UnpairedScores:
    """Two test sets with areas of 0.8: of one population, of two spreads, or on two scales."""
    sets = []
    for k, (n_pos, n_neg) in enumerate(sizes):
        spread = 2.0 if kind == "spread" and k else 1.0
        pos = special.ndtri(0.8) * math.sqrt(1.0 + spread**2) + spread * rng.standard_normal(n_pos)
        score = np.concatenate([pos, rng.standard_normal(n_neg)])
        sets.append(
            Scores(
                np.repeat([1, 0], [n_pos, n_neg]), 100.0 * score + 50.0 if kind == "scale" and k else score
            )
        )
    return UnpairedScores(*sets)


def partial_areas(population: NormalPair | CopulaPair, samples: int) -> Iterator[str]:
    """Coverage of the difference of the areas up to an FPR of 0.2 by each method, for each size."""
    rng = np.random.default_rng(2)

    def pairs(n_pos: int, n_neg: int, reps: int) -> Iterator[PairedScores]:
        for drawn in zip(*population.draw(rng, n_pos, n_neg, reps), strict=True):
            scores = np.concatenate(drawn)
            yield PairedScores(np.repeat([1, 0], [n_pos, n_neg]), scores[:, 0], scores[:, 1])

    (large,) = pairs(10**6, 10**6, 1)
    true = auc_difference(large, max_fpr=0.2, method="delong").estimate
    for size in PARTIAL_SIZES:
        held = dict.fromkeys(METHODS, 0)
        for pair in pairs(*size, samples):
            for method in METHODS:
                found = auc_difference(pair, max_fpr=0.2, method=method)
                held[method] += found.lower <= true <= found.upper
        yield f"{size}: " + "; ".join(f"{method} {share / samples:.3f}" for method, share in held.items())


def main() -> None:
    """Run the studies and print their tables."""
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    studies = int(sys.argv[2]) if len(sys.argv) > 2 else 250
    rng = np.random.default_rng(5)
    print(f"coverage of the difference, {samples} samples; correlation 0, 0.6")
    for n_pos, n_neg in SIZES:
        for areas in AREAS:
            found = [covered(n_pos, n_neg, areas, r, samples) for r in (0.0, 0.6)]
            text = "; ".join(f"{m} {found[0][m]:.3f} {found[1][m]:.3f}" for m in METHODS)
            print(f"{n_pos} + {n_neg}, {areas}: {text}", flush=True)
    print(f"\nunpaired, {studies} studies: permutation; DeLong")
    for sizes in UNPAIRED:
        for kind in ("same", "spread", "scale"):
            rates = [
                rejections(
                    lambda m=m, sizes=sizes, kind=kind: (
                        auc_difference(  # type: ignore[misc]
                            unpaired(rng, sizes, kind),
                            method=m,
                            rng=rng,
                            **FAMILIES["auc_difference"].taken(m, {"n_resamples": RESAMPLES}),
                        ).pvalue
                    ),
                    studies,
                )
                for m in ("permutation", "delong")
            ]
            print(f"{sizes}, {kind}: {rates[0]}; {rates[1]}", flush=True)
    print(f"\nareas up to an FPR of 0.2, {samples // 3} samples")
    means = special.ndtri(0.95) * 2**0.5, special.ndtri(0.97) * 2**0.5
    strong = NormalPair(means, (0.0, 0.0), 1.0, 1.0, 0.6)
    for name, population in {**shapes.PAIRS, "0.95 and 0.97": strong}.items():
        for line in partial_areas(population, samples // 3):
            print(f"{name}, {line}", flush=True)


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        main()
