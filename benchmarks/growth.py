"""Time against sample size for the public functions.

Run it by `python benchmarks/growth.py [--most 1e7] [-o growth.png]`.

Prints, per function, the time at each size and the slope of log time on log n over the last decade: 1 is
proportional growth. A function stops growing when it has taken --patience seconds.
"""

from __future__ import annotations

import argparse
import math
import time
import warnings
from collections.abc import Callable

import numpy as np

import confroc
from confroc import PairedScores, Scores

F = np.linspace(0.02, 0.98, 49)


class Sample:
    """One sample of each size, shared by the functions."""

    def __init__(self, n: int) -> None:
        rng = np.random.default_rng(n)
        self.y = rng.integers(0, 2, n)
        self.a = rng.normal(size=n) + self.y
        self.b = 0.5 * self.a + rng.normal(size=n)
        self.scores = Scores(self.y, self.a)
        self.pair = PairedScores(self.y, self.a, self.b)


FUNCTIONS: dict[str, Callable[[Sample], object]] = {
    "Scores": lambda s: Scores(s.y, s.a),
    "PairedScores": lambda s: PairedScores(s.y, s.a, s.b),
    "Scores.merge": lambda s: s.scores.merge(s.scores),
    "roc_curve": lambda s: confroc.roc_curve(s.scores),
    "convex_hull": lambda s: confroc.roc_curve(s.scores).convex_hull(),
    "auc_interval": lambda s: confroc.auc_interval(s.scores),
    "auc_interval delong": lambda s: confroc.auc_interval(s.scores, method="delong"),
    "auc_interval bootstrap": lambda s: confroc.auc_interval(
        s.scores, method="bootstrap", n_resamples=50, rng=0
    ),
    "auc_difference": lambda s: confroc.auc_difference(s.pair),
    "rates_at_threshold": lambda s: confroc.rates_at_threshold(s.scores, F),
    "tpr_at_fpr": lambda s: confroc.tpr_at_fpr(s.scores, F),
    "tpr_at_fpr exact_bootstrap": lambda s: confroc.tpr_at_fpr(s.scores, F, method="exact_bootstrap"),
    "fpr_at_tpr": lambda s: confroc.fpr_at_tpr(s.scores, F),
    "rates_at_positive_rate": lambda s: confroc.rates_at_positive_rate(s.scores, F),
    "tpr_difference_at_fpr": lambda s: confroc.tpr_difference_at_fpr(s.pair, F),
    "rates_difference_at_threshold": lambda s: confroc.rates_difference_at_threshold(s.pair, F, F),
    "roc_band": lambda s: confroc.roc_band(s.scores),
    "roc_band ks_regions": lambda s: confroc.roc_band(s.scores, method="ks_regions"),
    "cost_curve": lambda s: confroc.cost_curve(s.scores, F),
    "cost_difference": lambda s: confroc.cost_difference(s.pair, F),
    "auc_forecast": lambda s: confroc.auc_forecast(s.scores, radius=0.02),
    "BinormalModel.fit": lambda s: confroc.BinormalModel.fit(s.scores),
}


def best_of(work: Callable[[Sample], object], sample: Sample, rounds: int = 3) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work(sample)
        times.append(time.perf_counter() - start)
        if times[-1] > 3.0:
            break
    return min(times)


def measure(sizes: list[int], patience: float) -> dict[str, dict[int, float]]:
    """Seconds per function and size."""
    found: dict[str, dict[int, float]] = {name: {} for name in FUNCTIONS}
    stopped: set[str] = set()
    for n in sizes:
        sample = Sample(n)
        for name, function in FUNCTIONS.items():
            if name in stopped:
                continue
            try:
                # Compilation on the way is not growth.
                if n in (sizes[0], 1_000_000):
                    function(sample)
                found[name][n] = best_of(function, sample)
            except (AttributeError, NotImplementedError, TypeError, ValueError) as error:
                print(f"{name}: left out at n = {n:.0e}: {error}")
                stopped.add(name)
                continue
            if found[name][n] > patience:
                stopped.add(name)
    return found


def slope(times: dict[int, float]) -> float:
    """Slope of log time on log n over the last decade, by least squares; NaN from one point."""
    last = max(times)
    x = np.log([n for n in times if n >= last / 10.1])
    y = np.log([t for n, t in times.items() if n >= last / 10.1])
    return float(np.polyfit(x, y, 1)[0]) if len(x) > 1 else math.nan


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--most", type=float, default=1e7)
    parser.add_argument("--patience", type=float, default=20.0)
    parser.add_argument("-o", "--output", help="write the log-log figure here")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    half_decades = range(6, 2 * round(math.log10(options.most)) + 1)
    sizes = [round(10 ** (k / 2)) for k in half_decades]
    found = {name: times for name, times in measure(sizes, options.patience).items() if times}
    print(f"{'':32}" + "".join(f"{n:>9.0e}" for n in sizes) + "    slope")
    for name, times in found.items():
        cells = "".join(f"{times[n]:9.4f}" if n in times else f"{'':9}" for n in sizes)
        print(f"{name:32}{cells}{slope(times):9.2f}")
    if options.output:
        draw(found, options.output)


def draw(found: dict[str, dict[int, float]], path: str) -> None:
    """Draw time against n, with a line of slope one to compare with."""
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(8, 6), layout="constrained")
    for name, times in found.items():
        ax.loglog(list(times), list(times.values()), ".-", lw=1, label=name)
    ax.loglog([1e4, 1e7], [1e-4, 1e-1], "k:", label="slope 1")
    ax.set(xlabel="cases", ylabel="seconds", title="Time against the number of cases")
    ax.legend(fontsize=7, ncols=2)
    figure.savefig(path)


if __name__ == "__main__":
    main()
