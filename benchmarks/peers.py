"""confroc beside its peers, each ratio measured in one run.

Run it by `python benchmarks/peers.py [--scale 0.1] [--only band ...] [--big]`.

The script makes a virtual environment of the Python peers (scikit-learn, confidenceinterval, rocci) in
--venv, and finds R's pROC and fbroc through Rscript; a peer that is not there leaves its rows out and says
so. Each peer reads the same data from the same files, warms up on a small sample, and times its own call
only.
Ratios come twice: of time on the clock, and of processor time (all threads together), which other programs'
load disturbs less. --only names rows to run; --scale makes every sample smaller by that factor; --big adds a
report on 100 million rows.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import confroc

PEERS = ("scikit-learn", "confidenceinterval", "rocci")


class Time(NamedTuple):
    """Seconds on the clock and of the processor."""

    wall: float
    cpu: float


@dataclass(frozen=True)
class Row:
    """One line of the table; `factor` scales a peer's time where only a share of its work was run."""

    what: str
    n: int
    ours: Time
    peer: str
    theirs: Time
    wanted: str
    factor: int = 1


def seconds(work: Callable[[], object], rounds: int = 5) -> Time:
    """Median times of a call, after one to warm up."""
    work()
    times = []
    for _ in range(rounds):
        start = time.perf_counter(), time.process_time()
        work()
        times.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    return Time(*(statistics.median(t) for t in zip(*times, strict=True)))


# --- peers ----------------------------------------------------------------------------------------------


def peer_python(venv: Path) -> str:
    python = venv / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *PEERS], check=True)
    return str(python)


PYTHON = """
import importlib.metadata, json, sys, time, warnings
import numpy as np
warnings.simplefilter("ignore")
d = np.load(sys.argv[1]); y, a = d["y"], d["a"]
few = np.random.default_rng(0).choice(len(y), min(500, len(y)), replace=False)
{setup}
def work(y, a):
    {work}
work(y[few], a[few])
start = time.perf_counter(), time.process_time(); work(y, a)
took = time.perf_counter() - start[0], time.process_time() - start[1]
print(json.dumps([*took, "{package} " + importlib.metadata.version("{package}")]))
"""

R = """
suppressMessages(library({package}))
con <- gzcon(file("{path}", "rb")); n <- {n}
y <- readBin(con, "integer", n, size = 1); a <- readBin(con, "double", n); b <- readBin(con, "double", n)
close(con)
work <- function(y, a, b) {{ {work} }}
few <- seq_len(min(500, n)); invisible(work(y[few], a[few], b[few]))
t <- system.time(invisible(work(y, a, b)))
cpu <- t[["user.self"]] + t[["sys.self"]]
cat(sprintf('[%.6f, %.6f, "{package} %s"]', t[["elapsed"]], cpu, as.character(packageVersion("{package}"))))
"""


def by_python(python: str, package: str, setup: str, work: str, data: Data) -> tuple[Time, str]:
    code = PYTHON.format(setup=setup, work=work, package=package)
    return _timed([python, "-c", code, str(data.npz)])


def by_r(work: str, data: Data, package: str = "pROC") -> tuple[Time, str]:
    return _timed(["Rscript", "-e", R.format(path=data.raw, n=len(data.y), work=work, package=package)])


def has_r(package: str) -> bool:
    """Whether R is there and has a package."""
    look = f'quit(status = !requireNamespace("{package}", quietly = TRUE))'
    return shutil.which("Rscript") is not None and not subprocess.run(["Rscript", "-e", look]).returncode


def _timed(command: list[str]) -> tuple[Time, str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    wall, cpu, version = json.loads(done.stdout.strip().splitlines()[-1])
    return Time(wall, cpu), version


class Data:
    """Two models' scores of n cases, in memory and in files that the peers read."""

    def __init__(self, folder: Path, n: int) -> None:
        rng = np.random.default_rng(0)
        self.y = rng.integers(0, 2, n).astype(np.int8)
        self.a = rng.normal(size=n) + self.y
        self.b = 0.5 * self.a + rng.normal(size=n)
        self.npz, self.raw = folder / f"{n}.npz", folder / f"{n}.bin"
        np.savez(self.npz, y=self.y.astype(np.int64), a=self.a)
        with self.raw.open("wb") as file:
            for column in (self.y, self.a, self.b):
                column.tofile(file)


# --- rows -----------------------------------------------------------------------------------------------


def curve_and_delong(data: Data, r: bool) -> Iterator[Row]:
    pos, neg = data.a[data.y == 1], data.a[data.y == 0]

    def ours() -> None:
        scores = confroc.Scores(data.y, data.a)
        confroc.roc_curve(scores)
        confroc.auc_interval(scores, method="delong")

    def sort() -> None:
        np.sort(pos)
        np.sort(neg)

    took = seconds(ours)
    yield Row(
        "curve + DeLong", len(data.y), took, f"numpy {np.__version__} sort", seconds(sort), "<= 3 times"
    )
    if r:
        theirs, version = by_r("ci.auc(roc(y, a, quiet = TRUE, direction = '<'), method = 'delong')", data)
        yield Row("curve + DeLong", len(data.y), took, version, theirs, ">= 20 times faster")


def paired_delong(data: Data) -> Iterator[Row]:
    took = seconds(lambda: confroc.auc_difference(confroc.PairedScores(data.y, data.a, data.b)), 2)
    work = (
        "roc.test(roc(y, a, quiet = TRUE, direction = '<'), roc(y, b, quiet = TRUE, direction = '<'), "
        "method = 'delong', paired = TRUE)"
    )
    theirs, version = by_r(work, data)
    yield Row("paired DeLong", len(data.y), took, version, theirs, ">= 10 times faster")


def exact_intervals(data: Data) -> Iterator[Row]:
    scores = confroc.Scores(data.y, data.a)
    took = seconds(lambda: confroc.tpr_at_fpr(scores, fpr=RATES, method="exact_bootstrap"), 3)
    # The peer's time is proportional to its resamples: 20 of 2,000 are enough to tell.
    work = (
        "ci.se(roc(y, a, quiet = TRUE, direction = '<'), specificities = seq(0, 1, 0.01), boot.n = 20, "
        "progress = 'none')"
    )
    theirs, version = by_r(work, data)
    yield Row("101 exact TPR intervals", len(data.y), took, version, theirs, ">= 1000 times faster", 100)


RATES = np.linspace(0.0, 1.0, 103)[1:-1]

RESAMPLED: dict[str, tuple[Callable[[Any], object], dict[str, str], dict[int, float]]] = {
    "bootstrap of the area": (
        lambda pair: confroc.auc_interval(pair.a, method="bootstrap", n_resamples=2000, rng=0, n_jobs=2),
        {
            "pROC": "ci.auc(roc(y, a, quiet = TRUE, direction = '<'), method = 'bootstrap', boot.n = {n}, "
            "progress = 'none')",
            "fbroc": "perf(boot.roc(a, y == 1, n.boot = {n}), 'auc')",
        },
        {10**3: 0.02, 10**4: 0.1, 10**5: 1.0},
    ),
    "paired bootstrap of the areas": (
        lambda pair: confroc.auc_difference(pair, method="bootstrap", n_resamples=2000, rng=0, n_jobs=2),
        {
            "pROC": "roc.test(roc(y, a, quiet = TRUE, direction = '<'), "
            "roc(y, b, quiet = TRUE, direction = '<'), method = 'bootstrap', paired = TRUE, boot.n = {n}, "
            "progress = 'none')",
            "fbroc": "perf(boot.paired.roc(a, b, y == 1, n.boot = {n}), 'auc')",
        },
        {10**3: 0.03, 10**4: 0.2, 10**5: 2.0},
    ),
    "bootstrap of 101 TPRs": (
        lambda pair: confroc.tpr_at_fpr(
            pair.a, fpr=RATES, method="bootstrap", n_resamples=2000, rng=0, n_jobs=2
        ),
        {
            "pROC": "ci.se(roc(y, a, quiet = TRUE, direction = '<'), specificities = seq(0, 1, 0.01), "
            "boot.n = {n}, progress = 'none')",
            "fbroc": "conf(boot.roc(a, y == 1, n.boot = {n}), conf.for = 'tpr', steps = 100)",
        },
        {10**4: 0.15, 10**5: 1.5},
    ),
    "band of the difference": (
        lambda pair: confroc.roc_difference_band(pair, rng=0, n_jobs=2),
        {},
        {10**4: 0.5, 10**5: 3.0},
    ),
}
"""What resamples, on two threads, its peers' calls (the number of resamples goes for {n}), seconds wanted."""


def resampled(data: Data, peers: Sequence[str], python: str | None) -> Iterator[Row]:
    pair = confroc.PairedScores(data.y, data.a, data.b)
    n = len(data.y)
    for what, (ours, calls, seconds_wanted) in RESAMPLED.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            took = seconds(lambda ours=ours: ours(pair), 5 if n < 10**5 else 3)  # type: ignore[misc]
        wanted = f"<= {seconds_wanted[n]:g} s" if n in seconds_wanted else ""
        found = []
        for package in peers:
            if package in calls:
                # pROC's time is proportional to its resamples.
                factor = 1 if package == "fbroc" or n <= 1000 else n // 500
                work = calls[package].replace("{n}", str(2000 // factor))
                found.append((*by_r(work, data, package), factor))
        if python and what == "bootstrap of the area" and n == 10**4:
            setup = "from confidenceinterval import roc_auc_score"
            # A tenth of the resamples, in proportion.
            work = "roc_auc_score(y.tolist(), a.tolist(), method='bootstrap_percentile', n_resamples=200)"
            found.append((*by_python(python, "confidenceinterval", setup, work, data), 10))
        nobody = Time(float("nan"), float("nan")), "no peer", 1
        for theirs, version, factor in found or [nobody]:
            yield Row(what, n, took, version, theirs, wanted, factor)


def default_band(data: Data, python: str) -> Iterator[Row]:
    scores = confroc.Scores(data.y, data.a)
    took = seconds(lambda: confroc.roc_band(scores), 2)
    theirs, version = by_python(
        python, "rocci", "import rocci", "rocci.roc_band(y, a, random_state=0, n_threads=2)", data
    )
    yield Row("default band", len(data.y), took, version, theirs, ">= 8 times faster")


def sklearn_curve(data: Data, python: str) -> Iterator[Row]:
    def ours() -> None:
        confroc.roc_curve(confroc.Scores(data.y, data.a))

    work = "roc_curve(y, a); roc_auc_score(y, a)"
    theirs, version = by_python(
        python, "scikit-learn", "from sklearn.metrics import roc_auc_score, roc_curve", work, data
    )
    yield Row("curve and area only", len(data.y), seconds(ours), version, theirs, "")


def imports() -> Iterator[Row]:
    # As for installed packages: bytecode is kept.
    with tempfile.TemporaryDirectory(prefix="confroc-") as cache:
        settings = {**os.environ, "PYTHONPYCACHEPREFIX": cache}
        settings.pop("PYTHONDONTWRITEBYTECODE", None)

        def once(code: str) -> Time:
            start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, "-c", code], check=True, env=settings)
            wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
            return Time(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

        # Names are loaded when first used: one is, so that the import cannot hide behind that.
        codes = ("pass", "from confroc import auc_interval", "import numpy, scipy.special")
        list(map(once, codes))
        rounds = [list(map(once, codes)) for _ in range(11)]
    bare, ours, base = (
        [statistics.median(t) for t in zip(*times, strict=True)] for times in zip(*rounds, strict=True)
    )
    own, other = (Time(t[0] - bare[0], t[1] - bare[1]) for t in (ours, base))
    yield Row("import, with auc_interval", 0, own, "numpy + scipy.special", other, "<= 1.3 times")


def big_report() -> None:
    """Generate 100 million rows, report on them, and print the time and the peak memory."""
    import duckdb

    with tempfile.TemporaryDirectory(prefix="confroc-") as folder:
        path = Path(folder) / "big.parquet"
        score = "1 / (1 + exp(-(sqrt(-2 * ln(1 - u)) * cos(2 * pi() * v) + 1.5 * y - 1)))"
        with duckdb.connect() as connection:
            connection.execute("SET preserve_insertion_order = false")
            connection.execute(
                f"COPY (SELECT y, round({score}, 6) AS s FROM (SELECT (random() < 0.3)::TINYINT AS y, "
                f"random() AS u, random() AS v FROM range(100000000))) TO '{path}' (FORMAT parquet)"
            )
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        command = ["report", str(path), "--label", "y", "--score", "s", "-o", str(Path(folder) / "out.html")]
        subprocess.run([sys.executable, "-m", "confroc", *command], check=True, capture_output=True)
        took, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(
        f"report on 100 million rows: {took:.0f} s on the clock (wanted: < 90), {cpu:.0f} s of processor "
        f"time, peak {after.ru_maxrss / 2**20:.2f} GB (wanted: < 4)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--only", nargs="+", metavar="ROW")
    parser.add_argument("--venv", type=Path, default=Path(tempfile.gettempdir()) / "confroc-peers")
    parser.add_argument("--big", action="store_true")
    options = parser.parse_args()
    packages = ("numpy", "scipy", "numba", "duckdb")
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in packages)
    print(
        f"confroc {confroc.__version__}, Python {sys.version.split()[0]}, {versions}, {os.cpu_count()} cores"
    )
    r = has_r("pROC")
    resampling = [package for package in ("fbroc", "pROC") if has_r(package)]
    try:
        python: str | None = peer_python(options.venv)
    except subprocess.CalledProcessError as error:
        print(f"no Python peers: {error}")
        python = None
    with tempfile.TemporaryDirectory(prefix="confroc-") as folder:

        def data(n: float) -> Data:
            return Data(Path(folder), int(n * options.scale))

        groups: dict[str, Callable[[], Iterator[Row]]] = {"import": imports}
        groups["curve"] = lambda: curve_and_delong(data(1e7), r)
        if python:
            groups["sklearn"] = lambda: sklearn_curve(data(1e6), python)
            groups["band"] = lambda: default_band(data(1e6), python)
        for power in (3, 4, 5):
            groups[f"resampled-{power}"] = lambda n=10**power: resampled(data(n), resampling, python)  # type: ignore[misc]
        if r:
            groups["exact"] = lambda: exact_intervals(data(1e6))
            groups["paired"] = lambda: paired_delong(data(1e7))
        print(
            f"{'':32}{'n':>9}  {'confroc':>10}  {'peer':>10}  {'on the clock':>14}  {'processor':>14}  "
            "peer, and what is wanted"
        )
        for name in options.only or groups:
            try:
                for row in groups[name]():
                    show(row)
            except RuntimeError as error:
                print(f"a peer failed: {error}")
    if options.big:
        big_report()


def show(row: Row) -> None:
    ratios = []
    for ours, theirs in zip(row.ours, row.theirs, strict=True):
        faster = row.factor * theirs / ours
        ratios.append(f"{faster:.1f} x faster" if faster > 1 else f"{1 / faster:.2f} x")
    peer = row.peer + (f" ({row.factor} times a share of its work)" if row.factor > 1 else "")
    print(
        f"{row.what:32}{row.n:9.0e}  {row.ours.wall:9.4f}s  {row.factor * row.theirs.wall:9.3f}s  "
        f"{ratios[0]:>14}  {ratios[1]:>14}  {peer}; {row.wanted}",
        flush=True,
    )


if __name__ == "__main__":
    main()
