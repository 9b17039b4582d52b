"""Area of the exactly calibrated band: `python benchmarks/exact_band.py`.

A line has the area over that of the band of rectangles, in which each class keeps all its intervals with
probability √0.95, and over that of the default, for four normal models; means over the same samples. A second
table has the processor time to find the radii, kernels loaded and nothing cached.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from confroc import Scores, roc_band
from confroc.bands import crossing
from confroc.bands.edges import Edges, edges_on_one_grid
from confroc.bands.local_levels import both_bounds
from confroc.curve import turns_of_counts

RECTANGLES = {20: 3.0558, 25: 3.0946, 60: 3.2252, 300: 3.3972, 1000: 3.4886}
"""Deviates by cases of a class: the two-sided crossing probability of all intervals is √0.95."""

SIZES = ((20, 20), (60, 60), (300, 300), (1000, 1000), (25, 300), (300, 25), (1000, 25))
MODELS = {"mean 1": (1.0, 1.0), "mean 2": (2.0, 1.0), "mean 0.3": (0.3, 1.0), "mean 1, sd 2": (1.0, 2.0)}


def area_of(edges: Edges) -> float:
    """Area between two edges."""
    return float(np.trapezoid(edges.upper - edges.lower, edges.at))


def rectangles(scores: Scores) -> Edges:
    """Band through the corners of the rectangles of both classes' intervals."""
    neg, pos = turns_of_counts(scores.pos, scores.neg)
    ends = [both_bounds(k, n, RECTANGLES[n]) for k, n in ((neg, scores.n_neg), (pos, scores.n_pos))]
    return edges_on_one_grid(ends[0][0], ends[1][1], ends[0][1], ends[1][0])


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--decimals", type=int, help="Round the scores.")
    options = parser.parse_args()
    print(f"{'negatives + positives':22}" + "".join(f"{name:>18}" for name in MODELS))
    for n_neg, n_pos in SIZES:
        cells = []
        for mean, sd in MODELS.values():
            areas = np.zeros(3)
            for seed in range(options.samples):
                rng = np.random.default_rng(seed)
                score = np.append(rng.normal(mean, sd, n_pos), rng.normal(size=n_neg))
                if options.decimals is not None:
                    score = score.round(options.decimals)
                scores = Scores(np.repeat([1, 0], [n_pos, n_neg]), score)
                exact, default = roc_band(scores, calibration="exact").area, roc_band(scores, rng=seed).area
                areas += exact, area_of(rectangles(scores)), default
            cells.append(f"{areas[0] / areas[1]:.3f} {areas[0] / areas[2]:.2f}")
        print(f"{n_neg} + {n_pos}".ljust(22) + "".join(f"{cell:>18}" for cell in cells), flush=True)
    print(f"\n{'negatives + positives':22}{'seconds':>10}")
    for n_neg, n_pos in (*SIZES, (10_000, 10_000)):
        seconds = []
        for _ in range(4):
            for cached in (crossing.exact_radii, crossing.chances_to_stay, crossing.lower_ends):
                cached.cache_clear()
            start = time.process_time()
            crossing.exact_radii(n_neg, n_pos, 0.95)
            seconds.append(time.process_time() - start)
        print(f"{n_neg} + {n_pos}".ljust(22) + f"{min(seconds):10.3f}", flush=True)


if __name__ == "__main__":
    main()
