"""Damaged files: what comes of single flipped bits and of cuts in every region of every format.

Each damaged file is read in a child process, so that a crash is seen as one. The outcome must be the undamaged
result or a refusal in this package's words; where the format has a checksum, a wrong number is a failure too.
`CONFROC_FUZZ_DAMAGE` says how many damaged copies of each kind of file are read.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import confroc_lab as lab
from confroc import PairedScores, Scores, write_counts

pytestmark = pytest.mark.slow
COPIES = int(os.environ.get("CONFROC_FUZZ_DAMAGE", "9"))
SEED = int(os.environ.get("CONFROC_FUZZ_SEED", "1"))
SECONDS = 60.0

READER = """
import json, sys, warnings
from pathlib import Path
warnings.simplefilter("ignore")
import confroc

def outcome(path):
    try:
        found = confroc.read_scores(path, label="y", score="s")
        return {"found": [found.n_pos, found.n_neg, found.n_dropped, len(found.score), found.auc]}
    except confroc._check.ArgumentError as error:
        return {"refused": str(error)[:200]} if "`" in str(error) else {"traceback": repr(error)[:200]}
    except BaseException as error:
        return {"traceback": repr(error)[:300]}

for line in sys.stdin:
    print(json.dumps(outcome(Path(line.rstrip(chr(10))))), flush=True)
"""


class Child:
    """A reader in a process of its own, started again where it was killed."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.process: subprocess.Popen[str] | None = None

    def ask(self, path: Path) -> dict[str, Any]:
        """Read one file."""
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                [sys.executable, "-c", self.code],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{path}\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], SECONDS)
        if not ready:
            self.close()
            return {"hang": f"no answer after {SECONDS:g} s"}
        line = self.process.stdout.readline()
        if not line:
            return {"crash": self.process.wait()}
        found: dict[str, Any] = json.loads(line)
        return found

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            for stream in (self.process.stdin, self.process.stdout):
                if stream is not None:
                    stream.close()
            self.process = None


def damaged(whole: bytes, rng: np.random.Generator, number: int) -> tuple[str, bytes]:
    """One damaged copy: a bit flipped in the header, the body or the footer, or the file cut off."""
    n = len(whole)
    edge = max(1, min(512, n // 4))
    start, stop = [(0, edge), (edge, n - edge), (n - edge, n)][number % 3]
    at = int(rng.integers(start, max(start + 1, stop)))
    if number % 4 == 3:
        return f"cut at {at}", whole[:at]
    changed = bytearray(whole)
    bit = int(rng.integers(8))
    changed[at] ^= 1 << bit
    return f"bit {bit} of byte {at}", bytes(changed)


# --- files of rows -------------------------------------------------------------------------------------


def rows() -> dict[str, Any]:
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 600)
    return {"y": y, "s": np.round(rng.normal(size=600) + y, 3), "part": rng.integers(0, 3, 600)}


def _csv(path: Path) -> None:
    pl.DataFrame(rows()).write_csv(path)


def _gz(path: Path) -> None:
    import gzip

    path.write_bytes(gzip.compress(pl.DataFrame(rows()).write_csv().encode(), mtime=0))


def _arrow_table() -> pa.Table:
    return pa.table(rows())


def _duckdb(path: Path, codec: str) -> None:
    import duckdb

    with duckdb.connect() as connection:
        connection.register("rows", rows())
        connection.execute(f"COPY rows TO '{path}' (FORMAT parquet, COMPRESSION {codec})")


def _parquet(codec: str, **options: Any) -> Callable[[Path], None]:
    return lambda path: parquet.write_table(_arrow_table(), path, compression=codec, **options)


FILES: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "CSV": ("a.csv", _csv),
    "gzipped CSV": ("a.csv.gz", _gz),
    "Parquet by pyarrow, uncompressed": ("a.parquet", _parquet("none")),
    "Parquet by pyarrow, plain": ("a.parquet", _parquet("none", use_dictionary=False)),
    "Parquet by pyarrow, snappy": ("a.parquet", _parquet("snappy")),
    "Parquet by pyarrow, zstd": ("a.parquet", _parquet("zstd")),
    "Parquet by polars, uncompressed": (
        "a.parquet",
        lambda path: pl.DataFrame(rows()).write_parquet(path, compression="uncompressed"),
    ),
    "Parquet by polars, zstd": ("a.parquet", lambda path: pl.DataFrame(rows()).write_parquet(path)),
    "Parquet by DuckDB, uncompressed": ("a.parquet", lambda path: _duckdb(path, "uncompressed")),
    "Parquet by DuckDB, snappy": ("a.parquet", lambda path: _duckdb(path, "snappy")),
    "Arrow": (
        "a.arrow",
        lambda path: feather.write_feather(_arrow_table(), str(path), compression="uncompressed"),
    ),
    "Arrow, lz4": (
        "a.arrow",
        lambda path: feather.write_feather(_arrow_table(), str(path), compression="lz4"),
    ),
    "counts": (
        "a.parquet",
        lambda path: write_counts(Scores(rows()["y"], rows()["s"]), path=path, label="y", score="s"),
    ),
}
CHECKED = {"gzipped CSV", "counts"}
"""Formats with a checksum of their content."""


@pytest.fixture(scope="module")
def reader() -> Any:
    child = Child(READER)
    yield child
    child.close()


def campaign(kind: str, reader: Child, folder: Path, copies: int) -> tuple[Counter[str], list[str]]:
    """Read damaged copies of one kind of file; return outcomes and what must not be."""
    name, write = FILES[kind]
    path = folder / name
    write(path)
    whole = path.read_bytes()
    expected = reader.ask(path)
    assert "found" in expected, expected
    rng = np.random.default_rng([SEED, zlib.crc32(kind.encode())])
    outcomes: Counter[str] = Counter()
    wrong = []
    for number in range(copies):
        how, changed = damaged(whole, rng, number)
        path.write_bytes(changed)
        answer = reader.ask(path)
        (outcome,) = answer
        if outcome == "found":
            outcome = "same" if answer == expected else "another number"
        outcomes[outcome] += 1
        if outcome in ("crash", "traceback", "hang") or (outcome == "another number" and kind in CHECKED):
            wrong.append(f"{kind}, {how}: {answer}")
    return outcomes, wrong


@pytest.mark.parametrize("kind", FILES)
def test_damaged_files(kind: str, reader: Child, tmp_path: Path, record_property: Any) -> None:
    outcomes, wrong = campaign(kind, reader, tmp_path, COPIES)
    record_property("outcomes", dict(outcomes))
    print(f"{kind}: {dict(outcomes)}")
    assert not wrong, "\n".join(wrong[:10])


# --- folders of studies --------------------------------------------------------------------------------


STUDY = lab.Study(
    name="damage",
    cells=tuple(
        lab.Cell(
            name=name,
            population=lab.binormal(1.0),
            size=(8, 9),
            rule=lab.Rule("tpr_at_fpr", ("beta_mixture", "wald"), (0.3, 0.6)),
            chunk=10,
        )
        for name in ("a", "b")
    ),
    replications=20,
)


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
def test_damaged_studies(tmp_path: Path) -> None:
    """A study is finished from a damaged folder with the same bits, or refuses its configuration in words."""
    folder = tmp_path / "study"
    expected = lab.run_study(STUDY, folder)
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    kept = {p: p.read_bytes() for p in files}
    rng = np.random.default_rng(SEED)
    outcomes: Counter[str] = Counter()
    for number in range(COPIES * 2):
        for left in folder.rglob("*"):
            if left.is_file():
                left.unlink()
        for path, content in kept.items():
            path.write_bytes(content)
        target = files[number % len(files)]
        how, changed = damaged(kept[target], rng, number)
        target.write_bytes(changed)
        try:
            again = lab.run_study(STUDY, folder)
        except ValueError as error:
            assert "`" in str(error), (target.name, how, error)
            outcomes["refused"] += 1
            continue
        assert again.columns() == expected.columns(), (target.name, how)
        outcomes["same"] += 1
    print(f"studies: {dict(outcomes)}")
    assert outcomes["same"] > 0


def test_paired_counts_are_checked_too(tmp_path: Path) -> None:
    path = tmp_path / "pair.parquet"
    write_counts(PairedScores([0, 1, 0, 1], [1, 2, 3, 4], [1, 3, 2, 4]), path=path)
    whole = path.read_bytes()
    from confroc import read_counts

    expected = read_counts(path)
    rng = np.random.default_rng(SEED)
    for number in range(COPIES):
        how, changed = damaged(whole, rng, number)
        path.write_bytes(changed)
        try:
            assert read_counts(path) == expected, how
        except ValueError as error:
            assert "`" in str(error), (how, error)
