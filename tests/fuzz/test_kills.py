"""Killed processes: afterwards a file is absent, the whole old one or the whole new one, and the next run succeeds.

`report`, `counts` and `confroc-lab run` are killed by SIGKILL, SIGTERM or SIGINT at random times, each from the start of
the process to its end. `CONFROC_FUZZ_KILLS` says how many of each command.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from confroc import Scores, read_counts

KILLS = int(os.environ.get("CONFROC_FUZZ_KILLS", "2"))
SEED = int(os.environ.get("CONFROC_FUZZ_SEED", "1"))
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
EXPERIMENT = '''"""A small study."""

from confroc_lab import Cell, Dots, Experiment, Quick, Rule, binormal

EXPERIMENT = Experiment(
    title="A small study",
    source="none",
    cells=tuple(
        Cell(
            name=name,
            population=binormal(1.0),
            size=(15, 20),
            rule=Rule("tpr_at_fpr", ("beta_mixture", "bootstrap"), (0.3,), n_resamples=100),
            chunk=5,
        )
        for name in ("a", "b")
    ),
    replications=100,
    quick=Quick(replications=100),
    figure=Dots(quantity="tpr"),
)
'''

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="signals of Unix")]


@contextmanager
def started(args: list[str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    environment = os.environ | {"TMPDIR": str(folder / "temporary")}
    program = "confroc_lab" if args[0] == "run" else "confroc"
    process = subprocess.Popen(
        [sys.executable, "-m", program, *args],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def succeeds(args: list[str], folder: Path) -> float:
    """Run a command to its end; return the seconds it took."""
    before = time.perf_counter()
    with started(args, folder) as process:
        _, errors = process.communicate()
    assert process.returncode == 0, errors.decode()
    return time.perf_counter() - before


def killed(args: list[str], folder: Path, number: int, seconds: float) -> str | None:
    """Run a command and kill it at a random time; return the signal's name, or None if it was done before."""
    chosen = SIGNALS[number % len(SIGNALS)]
    wait = random.Random(f"{SEED} {args[0]} {number}").uniform(0.0, seconds)
    with started(args, folder) as process:
        try:
            process.wait(wait)
        except subprocess.TimeoutExpired:
            process.send_signal(chosen)
            _, errors = process.communicate(timeout=60)
            # Python may be interrupted while it loads this package; after that the command line answers for it.
            assert b"confroc/cli/group" not in errors, errors.decode()
            return chosen.name
    return None


def visible(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 400)
    for name, shift in (("old.csv", 0.5), ("new.csv", 1.5)):
        scores = np.round(rng.normal(size=400) + shift * y, 3)
        (tmp_path / name).write_text(
            "\n".join(["y,s", *(f"{a},{b}" for a, b in zip(y, scores, strict=True)), ""])
        )
    (tmp_path / "study.py").write_text(EXPERIMENT)
    (tmp_path / "temporary").mkdir()
    return tmp_path


def attack(
    args: Callable[[str], list[str]], folder: Path, outputs: list[str], state: Callable[[], str]
) -> None:
    """Kill a command again and again, over an old file and over nothing."""
    outcomes: Counter[str] = Counter()
    succeeds(args("old"), folder)
    seconds, number = succeeds(args("old"), folder), 0
    while sum(outcomes.values()) < KILLS:
        number += 1
        over = "absent" if number % 3 == 0 else "old"
        if over == "absent":
            for name in outputs:
                (folder / name).unlink(missing_ok=True)
        elif state() != "old":
            succeeds(args("old"), folder)
        ended = killed(args("new"), folder, number, seconds)
        if ended is None:
            seconds *= 0.95
            continue
        found = state()
        outcomes[f"{ended} over {over}: {found}"] += 1
        assert found in (over, "new", "partly new"), (number, ended, found)
    succeeds(args("new"), folder)
    assert state() == "new"
    assert visible(folder) == sorted(["new.csv", "old.csv", "study.py", "temporary", *outputs])
    assert visible(folder / "temporary") == []
    print(f"{args('new')[0]}: {sum(outcomes.values())} kills, {dict(sorted(outcomes.items()))}")


def test_killed_reports(folder: Path) -> None:
    def args(which: str) -> list[str]:
        return [
            "report",
            f"{which}.csv",
            "--label",
            "y",
            "--score",
            "s",
            "--title",
            f"the {which} page",
            "-o",
            "r.html",
            "--force",
        ]

    def of(name: str) -> str:
        if not (folder / name).exists():
            return "absent"
        text = (folder / name).read_text()
        assert text.rstrip().endswith(("</html>", "}"))
        (found,) = [which for which in ("old", "new") if f"{which}.csv" in text]
        return found

    def state() -> str:
        # Each file is whole. Two cannot change places in one step; the page goes last.
        page, numbers = of("r.html"), of("r.json")
        return page if page == numbers else "partly new" if numbers == "new" else f"{page} and {numbers}"

    attack(args, folder, ["r.html", "r.json"], state)


def test_killed_counts(folder: Path) -> None:
    def args(which: str) -> list[str]:
        return ["counts", f"{which}.csv", "--label", "y", "--score", "s", "-o", "c.parquet"]

    def counted(which: str) -> Scores:
        table = np.loadtxt(folder / f"{which}.csv", delimiter=",", skiprows=1)
        return Scores(table[:, 0].astype(int), table[:, 1])

    expected = {which: counted(which) for which in ("old", "new")}

    def state() -> str:
        if not (folder / "c.parquet").exists():
            return "absent"
        found = read_counts(folder / "c.parquet")
        return next(which for which, scores in expected.items() if scores == found)

    attack(args, folder, ["c.parquet"], state)


def results(folder: Path) -> bytes:
    (table,) = folder.rglob("results.csv")
    return table.read_bytes()


def test_killed_studies(folder: Path) -> None:
    """A study that was killed again and again ends with the bits of one that was left alone."""

    def args(where: str) -> list[str]:
        return ["run", "study.py", "--quick", "-o", where]

    succeeds(args("whole"), folder)
    expected = results(folder / "whole")
    seconds = succeeds(args("again"), folder)
    outcomes: Counter[str] = Counter()
    number, where = 0, "study0"
    while sum(outcomes.values()) < KILLS:
        number += 1
        ended = killed(args(where), folder, number, seconds)
        if ended is not None:
            outcomes[ended] += 1
        # A study is finished, and a new one begun, after about five kills.
        if ended is None or number % 5 == 0 or sum(outcomes.values()) == KILLS:
            succeeds(args(where), folder)
            assert results(folder / where) == expected
            names = [
                sorted(p.relative_to(folder / w) for p in (folder / w).rglob("*")) for w in (where, "whole")
            ]
            assert names[0] == names[1]
            where = f"study{number}"
    print(f"confroc-lab run: {sum(outcomes.values())} kills, {dict(outcomes)}")
