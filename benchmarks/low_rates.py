"""Coverage of 95 % intervals for the TPR at low FPRs: python benchmarks/low_rates.py [samples].

Positives N(d, 1), 100 or 1,000 of them, and 1,000 negatives N(0, 1). Compared are the default of `tpr_at_fpr`
and Wilson's interval for the TPR at the empirical threshold, which treats that threshold as the true one.
Below 1/1,000 the empirical threshold is the highest negative.
"""

from __future__ import annotations

import itertools
import sys
import warnings

import numpy as np
from scipy import stats

from confroc import ConfrocWarning, Scores, rates_at_threshold, tpr_at_fpr

FPR = np.array([1e-4, 3e-4, 1e-3, 3e-3, 1e-2])
DISTANCES = (1.0, 2.0, 3.0)
N_POS = (100, 1_000)
N_NEG = 1_000


def coverage(distance: float, n_pos: int, samples: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Share of samples whose interval contains the truth, and mean width, at each rate: default, Wilson."""
    truth = stats.norm.sf(stats.norm.isf(FPR) - distance)
    rng = np.random.default_rng(int(distance) * n_pos)
    y = np.repeat([0, 1], [N_NEG, n_pos])
    inside, width = np.zeros((2, 2, len(FPR)))
    for _ in range(samples):
        scores = Scores(y, rng.normal(size=y.size) + distance * y)
        default = tpr_at_fpr(scores, fpr=FPR)
        assert default.threshold is not None
        wilson = rates_at_threshold(scores, threshold=default.threshold, method="wilson", joint=False).tpr
        for i, found in enumerate((default, wilson)):
            inside[i] += (found.lower <= truth) & (truth <= found.upper)
            width[i] += found.upper - found.lower
    return list(zip(inside / samples, width / samples, strict=True))


def main() -> None:
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 4_000
    warnings.simplefilter("ignore", ConfrocWarning)
    print(f"coverage (mean width) of 95 % intervals, {N_NEG} negatives, {samples} samples")
    print("d, positives, method".ljust(22), *(f"{rate:<13g}" for rate in FPR))
    for distance, n_pos in itertools.product(DISTANCES, N_POS):
        found = coverage(distance, n_pos, samples)
        for name, (inside, width) in zip(("default", "wilson"), found, strict=True):
            cells = (f"{p:.3f} ({w:.2f})".ljust(13) for p, w in zip(inside, width, strict=True))
            print(f"{distance:g}, {n_pos}, {name}".ljust(22), *cells, flush=True)


if __name__ == "__main__":
    main()
