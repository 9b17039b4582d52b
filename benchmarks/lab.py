"""Evaluating many samples together, against a Python loop over the public function.

    python benchmarks/lab.py

Each line draws the same number of samples from the same population and makes the same intervals, once by a
rule of confroc-lab and once by the public function, sample by sample. Ratios of processor times, medians
of rounds run side by side; samples are drawn and sorted in both. The kernel interval has no batched form:
most of its time is work on a grid of each sample's own size.
"""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from confroc import ConfrocWarning, auc_interval, rates_at_threshold
from confroc.auditing.rules import Rule
from confroc.auditing.samples import Samples
from confroc.cost import cost_curve
from confroc.points import rates_difference_at_threshold, tpr_at_fpr
from confroc_lab import NormalPair, binormal, threshold_at_positive_rate
from confroc_lab.costs import best_places
from confroc_lab.samples import draw
from confroc_lab.study import evaluated

REPS = 1000
ROUNDS = 7
RATES = tuple(np.round(np.linspace(0.02, 0.98, 49), 2).tolist())
FPR = tuple(np.round(np.linspace(0.04, 0.96, 24), 2).tolist())
W = tuple(np.round(np.linspace(0.01, 0.99, 99), 2).tolist())
ONE = binormal(3.0, -3.0, 3.75, 3.0)
PAIR = NormalPair((1.0, 3.0), (-1.0, -1.0), 3.75, 3.0, 0.6)
THRESHOLD = threshold_at_positive_rate(ONE, RATES, 0.5)
PAIR_THRESHOLDS = tuple(threshold_at_positive_rate(m, RATES, 0.5) for m in (PAIR.a, PAIR.b))
BEST = best_places(ONE, W)[0]
Loop = Callable[[Samples, int, Any], object]


CASES: dict[str, tuple[Rule, Any, Loop]] = {
    "rectangles at 49 thresholds, Agresti-Coull": (
        Rule("rates_at_threshold", methods=("agresti_coull",), at=RATES),
        ONE,
        lambda batch, i, _: rates_at_threshold(
            batch.scores(i), threshold=THRESHOLD, confidence_level=0.9, joint=True
        ),
    ),
    "rectangles at 49 thresholds, 100 resamples": (
        Rule("rates_at_threshold", methods=("bootstrap",), at=RATES),
        ONE,
        lambda batch, i, rng: rates_at_threshold(
            batch.scores(i),
            threshold=THRESHOLD,
            confidence_level=0.9,
            joint=True,
            method="bootstrap",
            n_resamples=100,
            rng=rng,
        ),
    ),
    "TPR at 24 FPRs, Agresti-Coull": (
        Rule("tpr_at_fpr", methods=("agresti_coull",), at=FPR),
        ONE,
        lambda batch, i, _: tpr_at_fpr(
            batch.scores(i), fpr=FPR, confidence_level=0.9, method="agresti_coull"
        ),
    ),
    "TPR at 24 FPRs, 100 resamples": (
        Rule("tpr_at_fpr", methods=("bootstrap",), at=FPR),
        ONE,
        lambda batch, i, rng: tpr_at_fpr(
            batch.scores(i), fpr=FPR, confidence_level=0.9, method="bootstrap", n_resamples=100, rng=rng
        ),
    ),
    "differences at 49 thresholds, Agresti-Min": (
        Rule("rates_difference_at_threshold", methods=("agresti_min",), at=RATES),
        PAIR,
        lambda batch, i, _: rates_difference_at_threshold(
            batch.pair(i),
            threshold_a=PAIR_THRESHOLDS[0],
            threshold_b=PAIR_THRESHOLDS[1],
            confidence_level=0.9,
            joint=True,
        ),
    ),
    "costs at 99 w, mid-P": (
        Rule("cost_curve", methods=("mid_p",), at=W),
        ONE,
        lambda batch, i, _: cost_curve(batch.scores(i), w=W, threshold=BEST, confidence_level=0.9),
    ),
    "areas, DeLong": (
        Rule("auc_interval", methods=("delong",)),
        ONE,
        lambda batch, i, _: auc_interval(batch.scores(i), method="delong", confidence_level=0.9),
    ),
}


def seconds(work: Callable[[], object]) -> float:
    """Processor time of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def measure(rule: Rule, population: Any, loop: Loop, n: int) -> tuple[float, float]:
    """Median ratio of the loop's time to the batch's, and the batch's microseconds a sample."""
    rng = np.random.Generator(np.random.SFC64(0))

    def batched() -> None:
        evaluated(rule, population, (n, n), "stratified", REPS, rng)

    # The loop is timed on fewer samples and scaled up: it is slow.
    few = REPS // 40

    def looped() -> None:
        (batch,), _ = draw(population, (n, n), "stratified", rng, few)
        for i in range(few):
            loop(batch, i, rng)

    batched()
    looped()
    pairs = [(seconds(looped) * REPS / few, seconds(batched)) for _ in range(ROUNDS)]
    return statistics.median(a / b for a, b in pairs), 1e6 * statistics.median(b for _, b in pairs) / REPS


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConfrocWarning)
    print(f"{'':46}" + "".join(f"{f'n = {n} a class':>26}" for n in (25, 125, 250)))
    for title, (rule, population, loop) in CASES.items():
        cells = [measure(rule, population, loop, n) for n in (25, 125, 250)]
        print(
            f"{title:46}" + "".join(f"{f'{ratio:.0f} x  ({each:.0f} µs each)':>26}" for ratio, each in cells)
        )
