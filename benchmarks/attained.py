"""Coverage of `threshold_at` at 95 %: python benchmarks/attained.py [samples].

Cases are positive with probability π; negatives are N(0, 1) and positives N(1.5, 1). In clusters the scores
share half of their variance. Printed are the share of samples whose interval contains the population's
threshold, those in which the guaranteed threshold keeps the rate, and those whose intervals contain the
wanted rate, the FPR and the TPR that the sample's threshold attains. A sample without a threshold of the
wanted precision is left out.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np
from scipy import stats
from scipy.optimize import brentq

from confroc import ConfrocWarning, Scores, threshold_at

DISTANCE = 1.5
WANTED: list[dict[str, float]] = [
    {"fpr": 0.05},
    {"tpr": 0.9},
    {"positive_rate": 0.1},
    {"precision": 0.6},
    {"precision": 0.8},
    {"precision": 0.6, "prior": 0.3},
]
DESIGNS = [(100, 0.3, 1), (400, 0.1, 1), (1000, 0.2, 1), (300, 0.3, 3), (600, 0.3, 6)]
"""Cases, share of positives, cases in a cluster."""


def rates(threshold: float, share: float) -> dict[str, float]:
    """Return what a threshold attains in the population; the precision at a prevalence."""
    fpr, tpr = stats.norm.sf(threshold), stats.norm.sf(threshold - DISTANCE)
    both = share * tpr + (1.0 - share) * fpr
    return {"fpr": fpr, "tpr": tpr, "positive_rate": both, "precision": share * tpr / max(both, 1e-300)}


def sample(n: int, share: float, size: int, rng: np.random.Generator) -> Scores:
    """Draw cases, in clusters of one size."""
    y = (rng.random(n) < share).astype(int)
    if size == 1:
        return Scores(y, rng.normal(size=n) + DISTANCE * y)
    cluster = np.repeat(np.arange(n // size), size)
    noise = np.sqrt(0.5) * (rng.normal(size=n // size)[cluster] + rng.normal(size=n))
    return Scores(y, noise + DISTANCE * y, cluster=cluster)


def coverage(design: tuple[int, float, int], wanted: dict[str, Any], samples: int) -> np.ndarray:
    """Return the five shares of samples, NaN for what there is not."""
    n, share, size = design
    (name, value), prior = next(iter(wanted.items())), wanted.get("prior", share)
    rng = np.random.default_rng(n)
    truth = brentq(lambda t: rates(t, prior)[name] - value, -9.0, 9.0)
    found = []
    for _ in range(samples):
        try:
            at = threshold_at(sample(n, share, size, rng), **wanted)
        except ValueError:
            continue
        kept = np.nan
        if at.guaranteed is not None:
            attained = rates(at.guaranteed[0], share)[name]
            kept = attained >= value if name == "tpr" else attained <= value
        here = rates(at.threshold.estimate[0], prior)
        inside = [
            side.lower[0] - 1e-12 <= here[of] <= side.upper[0] + 1e-12
            for of, side in ((name, getattr(at, name)), ("fpr", at.fpr), ("tpr", at.tpr))
        ]
        found.append([at.threshold.lower[0] <= truth <= at.threshold.upper[0], kept, *inside])
    return np.asarray(np.mean(found, axis=0))


def main() -> None:
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    warnings.simplefilter("ignore", ConfrocWarning)
    print(f"{samples} samples: threshold, guaranteed, wanted rate, FPR, TPR")
    for design in DESIGNS:
        for wanted in WANTED:
            shares = " ".join(f"{share:6.3f}" for share in coverage(design, wanted, samples))
            print(
                "{} cases, {:g} positive, {} a cluster".format(*design).ljust(40),
                f"{wanted}".ljust(36),
                shares,
                flush=True,
            )


if __name__ == "__main__":
    main()
