"""Coverage of `best_threshold`: the set of thresholds, the criterion and both rates at the threshold chosen.

    python benchmarks/best_thresholds.py [SAMPLES]

Normal scores, cases drawn whatever their class. The truth of the criterion and of the rates is that of the
chosen threshold in the population; of the set, the population's best threshold.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from confroc import ConfrocWarning, Scores, best_threshold
from confroc.cost.best import By
from confroc.statistics import Metric

CASES = ((150, 1 / 3, 1.5, 1.0), (60, 1 / 2, 1.0, 1.0), (400, 0.1, 1.0, 1.5))
"""Cases, prevalence, mean and standard deviation of the positives; the negatives' are 0 and 1."""
OPTIONS: dict[str, dict[str, Any]] = {"cost": {"false_negative": 3.0}, "max_tpr": {"max_fpr": 0.1}}
CRITERIA: tuple[By, ...] = ("cost", "youden", "f1", "mcc", "closest_corner", "max_tpr")


def value(criterion: str, share: float, tpr: Any, fpr: Any) -> Any:
    """Return the criterion of both rates, the larger the better."""
    if criterion == "cost":
        return -3.0 * share * (1.0 - tpr) - (1.0 - share) * fpr
    if criterion == "max_tpr":
        return np.where(fpr <= OPTIONS[criterion]["max_fpr"], tpr, -np.inf)
    found = Metric(criterion)
    return found.of_rates(share, tpr, fpr) * (-1.0 if found.lower_is_better else 1.0)


def coverage(
    criterion: By, n: int, share: float, mean: float, deviation: float, samples: int
) -> tuple[Any, float, float]:
    """Return shares of samples whose set, criterion, TPR and FPR are covered, and both biases."""
    rng, grid = np.random.default_rng(1), np.linspace(-4.0, mean + 4.0 * deviation, 20_001)

    def rates(t: Any) -> tuple[Any, Any]:
        return ndtr((mean - t) / deviation), ndtr(-t)

    best = grid[np.nanargmax(value(criterion, share, *rates(grid)))]
    if criterion == "max_tpr":
        best = -ndtri(OPTIONS[criterion]["max_fpr"])
    covered, bias = np.zeros(4), np.zeros(2)
    for _ in range(samples):
        y = rng.random(n) < share
        x = rng.normal(size=n)
        scores = Scores(y, np.where(y, mean + deviation * x, x))
        found: Any = best_threshold(
            scores, criterion=criterion, n_resamples=199, rng=1, **OPTIONS.get(criterion, {})
        )
        tpr, fpr = rates(found.threshold)
        sign = -1.0 if criterion in ("cost", "closest_corner") else 1.0
        true = float(tpr if criterion == "max_tpr" else sign * value(criterion, share, tpr, fpr))
        below = scores.score[scores.score < found.threshold_lower]
        lowest = below[0] if len(below) else -np.inf
        covered += [
            lowest <= best <= found.threshold_upper,
            *(i.lower <= t <= i.upper for i, t in ((found, true), (found.tpr, tpr), (found.fpr, fpr))),
        ]
        bias += [found.apparent - true, found.estimate - true]
    return covered / samples, *(bias / samples).tolist()


def main(samples: int) -> None:
    """Print the table."""
    print(
        "| cases | prevalence | criterion | set | criterion | TPR | FPR | bias, apparent | bias, corrected |"
    )
    print("| --- " * 9 + "|")
    for n, share, mean, deviation in CASES:
        for criterion in CRITERIA:
            covered, apparent, corrected = coverage(criterion, n, share, mean, deviation, samples)
            cells = " | ".join(f"{c:.3f}" for c in covered)
            print(
                f"| {n} | {share:.2f} | {criterion} | {cells} | {apparent:+.3f} | {corrected:+.3f} |",
                flush=True,
            )


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConfrocWarning)
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
