"""Two ratios, each measured side by side in one run of `python benchmarks/first_light.py`.

1. `Scores`, `roc_curve` and the DeLong interval for a million unsorted rows, over `numpy.sort` of each
   class's scores.
2. A cold `confroc report` on 100,000 rows and two models, over importing numpy, scipy, matplotlib and
   duckdb and saving one PNG.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

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


def cold_report() -> None:
    rng = np.random.default_rng(0)
    n = 100_000
    y = rng.integers(0, 2, n)
    columns = np.column_stack([y, rng.normal(size=n) + y, rng.normal(size=n) + 1.5 * y])
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.csv"
        np.savetxt(data, columns, delimiter=",", header="y,a,b", comments="", fmt=["%d", "%.9f", "%.9f"])
        out = str(Path(folder) / "out")
        ours = [
            sys.executable,
            "-m",
            "confroc",
            "report",
            str(data),
            "--label",
            "y",
            "--score",
            "a",
            "--score",
            "b",
        ]

        def bare(scipy: str) -> list[str]:
            code = (
                f"import numpy, {scipy}, duckdb, matplotlib.pyplot as p; "
                f"f, a = p.subplots(); a.plot(numpy.arange(9)); f.savefig({out + '.png'!r})"
            )
            return [sys.executable, "-c", code]

        def run(command: list[str]) -> Callable[[], object]:
            return lambda: subprocess.run(command, check=True, capture_output=True)

        # `import scipy` alone loads next to nothing; scipy.special is the part any statistics needs.
        works = [run(c) for c in ([*ours, "-o", out + ".html"], bare("scipy"), bare("scipy.special"))]
        for work in works:
            work()
        times = [[seconds(work) for work in works] for _ in range(ROUNDS // 2)]
    for number, name in ((1, "scipy"), (2, "scipy.special")):
        title = (
            f"cold report, 1e5 rows, two models, over importing numpy, {name}, duckdb, matplotlib and one PNG"
        )
        report(title, [(row[0], row[number]) for row in times])


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
    cold_report()
