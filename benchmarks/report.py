"""A cold `confroc report` over a process that imports what it uses and draws one picture.

Run it by `python benchmarks/report.py [--rows 1e5] [--models 2] [--rounds 9] [--parts] [--open]`.

Both are fresh processes with compiled bytecode, as in installed packages, and alternate. The ratios are of
wall time and of processor time (all threads together), which depends less on other programs. The picture is
one line saved as PNG by `matplotlib.pyplot`. The script first checks that the report loads all modules that
are imported with it. --parts prints the time of each section of the page, in one process. --open prints the
time that the page takes to open in a browser, from the start of the navigation until all pictures are drawn.
It requires Playwright, and Chromium on the path or named by CONFROC_CHROMIUM.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

USED = ("numpy", "scipy.optimize", "duckdb", "jinja2", "click")
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
    columns = [rng.normal(size=rows) + (1.0 + 0.1 * k) * y for k in range(models)]
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
    for name in ("build_report", "environment"):
        setattr(page, name, timed(name, getattr(page, name)))
    page.Report.write = timed("write", page.Report.write)  # type: ignore[method-assign]
    start = time.process_time()
    outcome = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert outcome.exit_code == 0, outcome.output
    print(outcome.output)
    print(f"{'all':>14}: {1e3 * (time.process_time() - start):4.0f} ms, without importing the page's modules")


# Seconds since the start of the navigation, two frames after the page is ready.
DRAWN = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(
  () => done(performance.now() / 1000))))"""


def opened(page: Path, rounds: int) -> list[float]:
    """Return the seconds until all pictures are drawn, each time in a fresh tab."""
    from playwright import sync_api as playwright

    names = "chromium", "chromium-browser", "google-chrome"
    chromium = os.environ.get("CONFROC_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        raise SystemExit("no Chromium on the path; CONFROC_CHROMIUM names another place")
    seconds = []
    with playwright.sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        # The first tab of a browser is not counted.
        for _ in range(rounds + 1):
            context = browser.new_context(viewport={"width": 1200, "height": 900})
            tab = context.new_page()
            tab.goto(page.as_uri())
            tab.wait_for_selector("html[data-ready=yes]")
            seconds.append(tab.evaluate(DRAWN))
            context.close()
        browser.close()
    return seconds[1:]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rows", type=float, default=1e5)
    parser.add_argument("--models", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--parts", action="store_true")
    parser.add_argument("--open", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="confroc-") as folder:
        data, page = Path(folder) / "data.csv", Path(folder) / "out.html"
        write_rows(data, int(asked.rows), asked.models)
        scores = [part for k in range(asked.models) for part in ("--score", f"m{k}")]
        arguments = ["report", str(data), "--label", "y", *scores, "-o", str(page)]
        if asked.parts:
            parts(arguments)
            return
        if asked.open:
            subprocess.run([sys.executable, "-m", "confroc", *arguments], check=True, capture_output=True)
            took = opened(page, asked.rounds)
            what = f"{asked.models} models, {asked.rows:.0e} rows, {page.stat().st_size / 1e6:.2f} MB"
            seconds = f"{statistics.median(took):.2f} s ({min(took):.2f} to {max(took):.2f})"
            print(f"page of {what}: drawn after {seconds}, median of {len(took)}")
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
