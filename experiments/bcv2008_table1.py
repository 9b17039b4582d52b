"""Coverage of bootstrap bands and intervals in the probit design of Bertail, Clémençon & Vayatis (2008).

    python experiments/bcv2008_table1.py --runs 500 --resamples 199

The paper's Table 1 (n = 1,000, B = 999, 2,000 runs): 100, 100, 90.3, 93.1, 89.7 and 92.5 %. Labels are
Y = 1 when 1 + X + ε > 0 with X and ε standard normal; a probit fit is an increasing function of X, so X
itself is the score. Curves are compared at the middle of each step of the false positive rate. At the
left end of the first step the true curve is at zero and the empirical one is not, by up to a fifth, so
that the sup band, taken to the very end, covers less often than the paper says ("sup, to the end"). For
d_B "between edges" asks for the true curve between the ball's edges, not only within the distance.
"""

from __future__ import annotations

import argparse
import math

import numpy as np
from scipy import special

from confroc import Scores
from confroc.bands import smoothed_tpr_at_fpr
from confroc.bands.ball import db_distance, db_radius, resampled_steps, steps_of, sup_distance
from confroc.bands.shared import critical_value

PAPER = {
    ("sup", False): 100.0,
    ("sup", True): 100.0,
    ("db", False): 90.3,
    ("db", True): 93.1,
    ("point", False): 89.7,
    ("point", True): 92.5,
}


def true_curve() -> tuple[np.ndarray, np.ndarray]:
    """The design's ROC curve, by integrating P(Y = 1 | X = x) = Φ(1 + x) over x > c."""
    x = np.linspace(-9.0, 9.0, 200_001)
    weight = np.exp(-0.5 * x * x)
    positive = weight * special.ndtr(1.0 + x)
    tpr, fpr = (np.cumsum(w[::-1]) / w.sum() for w in (positive, weight - positive))
    return fpr, tpr


def main() -> None:
    """Run the study and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--resamples", type=int, default=199)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    fpr, tpr = true_curve()
    at_02 = float(np.interp(0.2, fpr, tpr))
    extra = [(name, how) for name in ("sup, to the end", "db, between edges") for how in (False, True)]
    held = dict.fromkeys([*PAPER, *extra], 0)
    for i, seed in enumerate(np.random.SeedSequence(options.seed).spawn(options.runs)):
        rng = np.random.default_rng(seed)
        x = rng.standard_normal(1000)
        y = 1.0 + x + rng.standard_normal(1000) > 0.0
        scores = Scores(y, x)
        own = steps_of(scores.pos, scores.neg)
        n = scores.n_neg
        left, middle, right = (np.interp((np.arange(n) + share) / n, fpr, tpr) for share in (0.0, 0.5, 1.0))
        for smoothing in (False, True):
            drawn = resampled_steps(
                scores,
                options.resamples,
                i,
                1,
                smoothing,
                lambda steps, own=own: np.array(
                    [sup_distance(own, steps), db_distance(own, steps), db_radius(own, steps)]
                ),
            )
            sup, db, edges = (critical_value(column, 0.95) for column in drawn.T)
            held["sup", smoothing] += sup_distance(own, middle) <= sup
            held["sup, to the end", smoothing] += max(sup_distance(own, e) for e in (left, right)) <= sup
            held["db", smoothing] += db_distance(own, middle) <= db
            held["db, between edges", smoothing] += db_radius(own, middle) <= edges
            point = smoothed_tpr_at_fpr(
                scores, 0.2, smoothing=smoothing, n_resamples=options.resamples, rng=i
            )
            held["point", smoothing] += point.lower[0] <= at_02 <= point.upper[0]
    print(f"{'what':18} {'bootstrap':10} {'paper':>6} {'here':>6} {'s.e.':>5}")
    for (name, smoothing), count in held.items():
        p = count / options.runs
        paper = f"{PAPER[name, smoothing]:6.1f}" if (name, smoothing) in PAPER else "     -"
        error = 100.0 * math.sqrt(p * (1.0 - p) / options.runs)
        print(f"{name:18} {'smoothed' if smoothing else 'naive':10} {paper} {100.0 * p:6.1f} {error:5.1f}")


if __name__ == "__main__":
    main()
