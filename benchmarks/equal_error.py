"""Coverage of `equal_error_rate` in normal, unequal normal and rounded normal populations.

`python benchmarks/equal_error.py [samples]`; 2,000 samples a cell take a quarter of an hour.
"""

from __future__ import annotations

import sys
import warnings
from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from confroc import Scores, equal_error_rate

STEP = 0.5
"""Distance of rounded scores."""


class Population(NamedTuple):
    """Negatives N(0, 1) and positives N(shift, sd²), rounded to multiples of STEP or not."""

    shift: float
    sd: float
    rounded: bool

    def drawn(self, n_pos: int, n_neg: int, rng: np.random.Generator) -> Scores:
        """Draw a sample."""
        score = np.concatenate([rng.normal(self.shift, self.sd, n_pos), rng.normal(size=n_neg)])
        if self.rounded:
            score = np.round(score / STEP) * STEP
        return Scores(np.repeat([1, 0], [n_pos, n_neg]), score)

    @property
    def rate(self) -> float:
        """The equal error rate, from both distribution functions."""
        width = STEP if self.rounded else 1e-4
        # Halfway between rounded scores, a threshold has the rates of the scores above it.
        threshold = np.arange(20.0, -20.0, -width) + width / 2.0
        fpr, tpr = norm.sf(threshold), norm.sf(threshold, self.shift, self.sd)
        return float(np.interp(0.0, fpr + tpr - 1.0, fpr))


def main(samples: int) -> None:
    """Print the coverage of each cell."""
    warnings.simplefilter("ignore")
    for area in (0.8, 0.99):
        for name, sd, rounded in (("normal", 1.0, False), ("unequal", 2.0, False), ("rounded", 1.0, True)):
            population = Population(norm.ppf(area) * np.hypot(1.0, sd), sd, rounded)
            for sizes in ((30, 30), (100, 1000)):
                rng = np.random.default_rng(7)
                found = [equal_error_rate(population.drawn(*sizes, rng)) for _ in range(samples)]
                ends = np.array([(each.lower, each.upper) for each in found])
                below, above = (ends[:, 1] < population.rate).mean(), (ends[:, 0] > population.rate).mean()
                print(
                    f"AUC {area} {name:7} {sizes[0]:3} + {sizes[1]:4}: EER {population.rate:.4f}, coverage "
                    f"{1.0 - below - above:.4f} (below {below:.4f}, above {above:.4f}), mean width "
                    f"{np.ptp(ends, axis=1).mean():.4f}"
                )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
