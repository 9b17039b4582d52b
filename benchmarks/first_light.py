"""`Scores`, `roc_curve` and the DeLong interval for a million unsorted rows, over sorting each class.

Measured side by side in one run of `python benchmarks/first_light.py`.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from confroc import Scores, auc_interval, roc_curve

ROUNDS = 15


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def warm_core() -> None:
    rng = np.random.default_rng(0)
    n = 1_000_000
    y = rng.integers(0, 2, n)
    s = rng.normal(size=n) + y
    pos, neg = s[y == 1], s[y == 0]

    def ours() -> None:
        scores = Scores(y, s)
        roc_curve(scores)
        auc_interval(scores, method="delong")

    def sort() -> None:
        np.sort(pos)
        np.sort(neg)

    ours()
    pairs = [(seconds(ours), seconds(sort)) for _ in range(ROUNDS)]
    report("Scores + curve + DeLong, n = 1e6, over sorting each class", pairs)


def report(title: str, pairs: list[tuple[float, float]]) -> None:
    ratios = [a / b for a, b in pairs]
    ours, base = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(
        f"{title}: median ratio {statistics.median(ratios):.2f} "
        f"(from {min(ratios):.2f} to {max(ratios):.2f}; "
        f"{1e3 * ours:.0f} ms over {1e3 * base:.0f} ms)"
    )


if __name__ == "__main__":
    print(f"Python {sys.version.split()[0]}, numpy {np.__version__}")
    warm_core()
