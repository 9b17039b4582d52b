"""A cold `confroc report` over a process that imports what it uses and draws one picture.

Run it by `python benchmarks/report.py [--rows 1e5] [--models 2] [--rounds 9] [--parts]`.

Both are fresh processes that find their bytecode compiled, as installed packages do, and take turns. Ratios
come twice: of time on the clock, and of processor time (all threads together), which other programs' load
disturbs less. The picture is one line saved as PNG by `matplotlib.pyplot`; of the modules imported with it
the script first makes sure that the report loads each. --parts tells how long each section of the page takes,
in one process.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

USED = ("numpy", "scipy.special", "scipy.optimize", "duckdb", "jinja2", "click", "matplotlib.figure")
PICTURE = (
    "import matplotlib.pyplot as plt; figure, ax = plt.subplots(); ax.plot(range(9)); figure.savefig({!r})"
)


class Took(NamedTuple):
    """Seconds on the clock and of the processor."""

    wall: float
    cpu: float


def write_rows(path: Path, rows: int, models: int) -> None:
    """Write labels, and scores of models that get better and better, with nine digits."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, rows)
    columns = [rng.normal(size=rows) + (1.0 + 0.5 * k) * y for k in range(models)]
    header = ",".join(["y", *(f"m{k}" for k in range(models))])
    np.savetxt(
        path,
        np.column_stack([y, *columns]),
        delimiter=",",
        header=header,
        comments="",
        fmt=["%d"] + ["%.9f"] * models,
    )


def fresh(command: list[str], settings: dict[str, str]) -> Took:
    """Run a process to its end."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=settings)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Took(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def loaded(command: list[str], settings: dict[str, str]) -> set[str]:
    """Return the modules that a process imports."""
    told = subprocess.run(
        [command[0], "-X", "importtime", *command[1:]],
        check=True,
        capture_output=True,
        env=settings,
        text=True,
    )
    return {line.rpartition("|")[2].strip() for line in told.stderr.splitlines()}


def parts(arguments: list[str]) -> None:
    """Print the processor time of each section's maker, and of writing the page."""
    from click.testing import CliRunner

    from confroc.cli import main
    from confroc.pages import page

    def timed(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **kwargs: Any) -> Any:
            start = time.process_time()
            made = work(*args, **kwargs)
            print(f"{name:>14}: {1e3 * (time.process_time() - start):4.0f} ms")
            return made

        return run

    sections = page.SECTIONS
    page.SECTIONS = tuple(timed(make.__name__, make) for make in sections)  # type: ignore[assignment]
    for name in ("build_report", "_environment"):
        setattr(page, name, timed(name, getattr(page, name)))
    page.Report.write = timed("write", page.Report.write)  # type: ignore[method-assign]
    start = time.process_time()
    outcome = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert outcome.exit_code == 0, outcome.output
    print(outcome.output)
    print(f"{'all':>14}: {1e3 * (time.process_time() - start):4.0f} ms, without importing the page's modules")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=float, default=1e5)
    parser.add_argument("--models", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--parts", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="confroc-") as folder:
        data, page = Path(folder) / "data.csv", Path(folder) / "out.html"
        write_rows(data, int(asked.rows), asked.models)
        scores = [part for k in range(asked.models) for part in ("--score", f"m{k}")]
        arguments = ["report", str(data), "--label", "y", *scores, "-o", str(page)]
        if asked.parts:
            parts(arguments)
            return
        settings = {**os.environ, "PYTHONPYCACHEPREFIX": str(Path(folder) / "bytecode")}
        settings.pop("PYTHONDONTWRITEBYTECODE", None)
        ours = [sys.executable, "-m", "confroc", *arguments]
        base = [
            sys.executable,
            "-c",
            f"import {', '.join(USED)}; {PICTURE.format(str(Path(folder) / 'a.png'))}",
        ]
        fresh(ours, settings)
        fresh(base, settings)
        if unused := set(USED) - loaded(ours, settings):
            raise SystemExit(f"the report does not load {', '.join(sorted(unused))}: take it out of USED")
        rounds = [(fresh(ours, settings), fresh(base, settings)) for _ in range(asked.rounds)]
        size = page.stat().st_size
    print(f"cold report of {asked.models} models, {asked.rows:.0e} rows, over its imports and one PNG:")
    for name in Took._fields:
        pairs = [(getattr(a, name), getattr(b, name)) for a, b in rounds]
        ratios = sorted(a / b for a, b in pairs)
        best = min(a for a, _ in pairs) / min(b for _, b in pairs)
        middle = [statistics.median(column) for column in zip(*pairs, strict=True)]
        print(
            f"  {name}: median ratio {statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}), "
            f"of least times {best:.2f}; medians {1e3 * middle[0]:.0f} ms over {1e3 * middle[1]:.0f} ms"
        )
    print(f"  page: {size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
