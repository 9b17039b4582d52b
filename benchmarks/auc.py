"""Speed and memory of the area's intervals, tests, forecasts and resamples.

    python benchmarks/auc.py [rows]

Each line gives wall and processor seconds (the least of three) and the ratio of the wall time to that of
sorting each class's scores, measured in the same run, for `rows` cases (default 10⁷); kernels are compiled
first. Forecasts use a tenth of the rows, 2,000 resamples a thousandth. The first line is the resident memory
that building `PairedScores`, and then the paired test with it, add at most (Linux only).
"""

from __future__ import annotations

import functools
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np

from confroc import PairedScores, Scores, auc_difference, auc_forecast, auc_interval

ROUNDS = 3
DIVERGENCES: tuple[Literal["kl", "jeffreys", "chi2"], ...] = ("kl", "jeffreys", "chi2")


def seconds(work: Callable[[], object]) -> tuple[float, float]:
    """Least wall and least processor seconds."""
    wall, cpu = [], []
    for _ in range(ROUNDS):
        start, start_cpu = time.perf_counter(), time.process_time()
        work()
        wall.append(time.perf_counter() - start)
        cpu.append(time.process_time() - start_cpu)
    return min(wall), min(cpu)


def sample(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels and two models' scores, in no order."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    common = rng.standard_normal(n)
    return (
        y,
        y + 0.7 * common + 0.7 * rng.standard_normal(n),
        0.9 * y + 0.7 * common + 0.7 * rng.standard_normal(n),
    )


def resident() -> int:
    """Bytes of memory in use."""
    return 4096 * int(Path("/proc/self/statm").read_text().split()[1])


def most_added(work: Callable[[], object]) -> int:
    """Most bytes of memory that `work` adds at any time."""
    start = most = resident()
    done = threading.Event()

    def watch() -> None:
        nonlocal most
        while not done.is_set():
            most = max(most, resident())
            done.wait(0.002)

    watcher = threading.Thread(target=watch)
    watcher.start()
    work()
    done.set()
    watcher.join()
    return most - start


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    small = sample(600_000, 1)
    auc_interval(Scores(*small[:2]))
    auc_difference(PairedScores(*small))
    y, a, b = sample(n)
    if Path("/proc/self/statm").exists():
        # First of all: what is freed later is used again, and would not show.
        inputs, before = y.nbytes + a.nbytes + b.nbytes, resident()
        made: list[PairedScores] = []
        table = most_added(lambda: made.append(PairedScores(y, a, b)))
        start = resident()
        test = most_added(lambda: auc_difference(made[0])) + start - before
        print(f"memory over that of the inputs: PairedScores {table / inputs:.2f}, test {test / inputs:.2f}")
        made.clear()
    classes = [a[y == 1], a[y == 0]]
    sort = seconds(lambda: [np.sort(c) for c in classes])
    scores, pair = Scores(y, a), PairedScores(y, a, b)
    tenth = Scores(y[: n // 10], a[: n // 10])
    lines: list[tuple[str, Callable[[], object]]] = [
        ("sort each class", lambda: [np.sort(c) for c in classes]),
        ("Scores and DeLong interval", lambda: auc_interval(Scores(y, a), method="delong")),
        ("DeLong interval alone", lambda: auc_interval(scores, method="delong")),
        ("default interval alone", lambda: auc_interval(scores)),
        ("PairedScores and DeLong test", lambda: auc_difference(PairedScores(y, a, b))),
        ("DeLong test alone", lambda: auc_difference(pair)),
        ("exact bootstrap test alone", lambda: auc_difference(pair, method="exact_bootstrap")),
    ]
    for name in DIVERGENCES:
        forecast = functools.partial(auc_forecast, tenth, radius=0.05, divergence=name)
        lines.append((f"{name} forecast, {n // 10} rows", forecast))
    few = Scores(y[: n // 1000], a[: n // 1000])
    resamples = functools.partial(auc_interval, few, method="bootstrap", n_resamples=2000, rng=1)
    lines.append((f"2,000 resamples, {n // 1000} rows", resamples))
    print(f"{n} rows; wall s, processor s, wall over sorting")
    for title, work in lines:
        wall, cpu = seconds(work)
        print(f"{title:38s} {wall:8.3f} {cpu:8.3f} {wall / sort[0]:8.2f}")


if __name__ == "__main__":
    main()
