"""A study's folder: its configuration, a CSV of counts per finished chunk, and the table of results.

Every file is written to a temporary name and then renamed, so that a folder never contains a partial file.
The configuration and the counts have a checksum, which for counts includes their place and the configuration:
counts that are damaged, or belong elsewhere, are never added. They are renamed to .damaged and computed
again.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import re
import warnings
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

import confroc
from confroc import ConfrocWarning
from confroc.auditing.coverage import COUNTS, SUMS, Coverage
from confroc_lab._errors import invalid
from confroc_lab._files import PART, set_aside, write_text
from confroc_lab.coverage import CellResult, StudyResult
from confroc_lab.study import Study

CONFIGURATION = "study.json"
RESULTS = "results.csv"
TIME = "time.json"
COLUMNS = ("method", "quantity", "at", *COUNTS, *SUMS)
FORMAT = 4
DIGEST = "sha256"


def describe(value: Any) -> Any:
    """Return plain JSON values that identify an object; functions by name, arrays by digest."""
    if isinstance(value, np.ndarray):
        return {
            "array": list(value.shape),
            "sha256": hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest(),
        }
    if is_dataclass(value) and not isinstance(value, type):
        described = {f.name: describe(getattr(value, f.name)) for f in fields(value) if f.compare}
        return {"type": type(value).__name__, **described}
    if isinstance(value, tuple | list):
        return [describe(v) for v in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value.__name__ if callable(value) else value


def configuration(study: Study) -> dict[str, Any]:
    """Return everything on which the numbers depend, except the number of replications."""
    described = describe(study)
    described.pop("replications")
    return {"format": FORMAT, "confroc": confroc.__version__, "numpy": np.__version__, "study": described}


def _warn(message: str) -> None:
    warnings.warn(message, ConfrocWarning, stacklevel=3)


def json_text(value: Any) -> str:
    """Return a value as JSON."""
    return json.dumps(value, allow_nan=False, ensure_ascii=False, indent=1)


def first_difference(old: Any, new: Any, path: str = "") -> str | None:
    """Describe the first difference of two configurations."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            found = first_difference(old.get(key), new.get(key), f"{path}.{key}".lstrip("."))
            if found:
                return found
        return None
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (a, b) in enumerate(zip(old, new, strict=True)):
            name = a.get("name", i) if isinstance(a, dict) else i
            found = first_difference(a, b, f"{path}[{name}]")
            if found:
                return found
        return None
    if old != new:
        return f"{path} was {_short(old)} and is now {_short(new)}"
    return None


def _taken(folder: Path, why: str) -> ValueError:
    return invalid(
        "folder",
        f"be new or hold results of this same study, and {why}",
        str(folder),
        "Choose another folder, or delete this one: numbers of different studies cannot be added up.",
    )


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def digest(*parts: Any) -> str:
    """Return the SHA-256 of plain JSON values and texts."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class DamagedError(ValueError):
    """A file whose content is not what was written."""


class Store(NamedTuple):
    """The folder of one study, and the checksum of its configuration."""

    folder: Path
    configured: str

    @classmethod
    def open(cls, folder: Path, study: Study) -> Self:
        """Make the folder, or check that it belongs to this study.

        Raises
        ------
        ValueError
            If it contains another configuration, or other files.
        """
        now = configuration(study)
        path, parts = folder / CONFIGURATION, folder / "parts"
        if path.exists():
            try:
                before = _configured(path)
                difference = first_difference(before["configuration"], now)
                if difference:
                    raise _taken(folder, f"in {folder} {difference}")
            except DamagedError:
                if not parts.is_dir():
                    raise _taken(folder, f"{path} is no study's") from None
                # The checksums of counts show whether they belong to this study.
                _warn(f"{path} was damaged; it is written again, and kept as {set_aside(path).name}.")
        elif folder.exists() and any(PART not in file.name for file in folder.iterdir()):
            raise _taken(folder, f"{folder} holds other files and no {CONFIGURATION}")
        folder.mkdir(parents=True, exist_ok=True)
        cells = [
            {"name": c.name, "at_name": c.at_name, "level": c.rule.confidence_level, "chunk": c.chunk}
            for c in study.cells
        ]
        about = {"name": study.name, "replications": study.replications, "cells": cells, "configuration": now}
        write_text(path, json_text(about | {DIGEST: digest(about)}))
        # Last, so that a folder never has results and no configuration.
        parts.mkdir(exist_ok=True)
        return cls(folder, digest(now))

    def part(self, cell: str, start: int, stop: int) -> Path:
        """Path of one chunk's counts."""
        digest = hashlib.sha256(cell.encode()).hexdigest()[:8]
        slug = re.sub(r"[^A-Za-z0-9]+", "-", cell).strip("-")[:60]
        return self.folder / "parts" / f"{slug}-{digest}-{start:06d}-{stop:06d}.csv"

    def read(self, cell: str, start: int, stop: int) -> list[Coverage] | None:
        """Return one chunk's counts, None if missing.

        Raises
        ------
        DamagedError
            If they are not what was written.
        """
        path = self.part(cell, start, stop)
        try:
            text = path.read_bytes().decode()
        except FileNotFoundError:
            return None
        except UnicodeDecodeError:
            raise DamagedError(path) from None
        table = text.removesuffix("\n").rpartition("\n")[0] + "\n"
        if text != table + self._sum(path, table):
            raise DamagedError(path)
        rows = list(csv.DictReader(io.StringIO(table, newline="")))
        groups: dict[tuple[str, str], list[dict[str, str]]] = {}
        for row in rows:
            groups.setdefault((row["method"], row["quantity"]), []).append(row)
        return [_coverage(method, quantity, group) for (method, quantity), group in groups.items()]

    def write(self, cell: str, start: int, stop: int, counts: list[Coverage]) -> None:
        """Store one chunk's counts; floats are written so that they are read back to the same bits."""
        rows = [
            (c.method, c.quantity, *row)
            for c in counts
            for row in zip(*(getattr(c, name).tolist() for name in COLUMNS[2:]), strict=True)
        ]
        path, table = self.part(cell, start, stop), csv_text(COLUMNS, rows)
        write_text(path, table + self._sum(path, table))

    def _sum(self, path: Path, table: str) -> str:
        """The last line of a chunk's counts."""
        return f"{DIGEST},{digest(self.configured, path.name, table)}\n"

    @property
    def seconds(self) -> float | None:
        """Processor time of all chunks; None if unknown."""
        try:
            return float(json.loads((self.folder / TIME).read_bytes())["processor_seconds"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def spent(self, seconds: float) -> None:
        """Add the processor time of a chunk."""
        write_text(self.folder / TIME, json_text({"processor_seconds": (self.seconds or 0.0) + seconds}))

    def finish(self, result: StudyResult) -> None:
        """Write the table of results."""
        write_text(self.folder / RESULTS, as_csv(result))


def _configured(path: Path) -> dict[str, Any]:
    """Read the configuration in a study's folder."""
    try:
        about = json.loads(path.read_bytes())
        if about.pop(DIGEST) == digest(about):
            found: dict[str, Any] = about
            return found
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    raise DamagedError(path)


def _coverage(method: str, quantity: str, rows: list[dict[str, str]]) -> Coverage:
    columns: dict[str, Any] = {name: np.array([float(row[name]) for row in rows]) for name in ("at", *SUMS)}
    columns |= {name: np.array([int(row[name]) for row in rows], dtype=np.int64) for name in COUNTS}
    return Coverage(method, quantity, **columns)


class Stored(NamedTuple):
    """The present content of a folder.

    Attributes
    ----------
    result : StudyResult
        Of the chunks present.
    chunks, of : int
        Number of chunks present, and of all chunks.
    seconds : float or None
        Processor time spent, where known.
    """

    result: StudyResult
    chunks: int
    of: int
    seconds: float | None


def load(folder: str | Path) -> Stored:
    """Read a study's folder, finished or not.

    Raises
    ------
    ValueError
        If it contains no study, or no chunk is finished.

    Warns
    -----
    ConfrocWarning
        For damaged chunks, which are omitted.
    """
    path = Path(folder) / CONFIGURATION
    if not path.exists():
        raise invalid(
            "folder",
            f"hold a study ({CONFIGURATION})",
            str(folder),
            "Run one there: `confroc-lab run PATH --output DIR`.",
        )
    try:
        about = _configured(path)
    except DamagedError:
        raise invalid(
            "folder",
            f"hold a {CONFIGURATION} as it was written",
            str(folder),
            "It is damaged. Run the study again there: it is written again, and finished parts are kept.",
        ) from None
    store, wanted = Store(Path(folder), digest(about["configuration"])), int(about["replications"])
    cells, found, total = [], 0, 0

    def sound(cell: str, start: int, stop: int) -> list[Coverage] | None:
        try:
            return store.read(cell, start, stop)
        except DamagedError as error:
            _warn(f"{error} is damaged and left out; run the study again, and it is made again.")
            return None

    for cell in about["cells"]:
        starts = range(0, wanted, cell["chunk"])
        parts = [sound(cell["name"], start, min(start + cell["chunk"], wanted)) for start in starts]
        there = [part for part in parts if part is not None]
        total, found = total + len(parts), found + len(there)
        if there:
            cells.append(CellResult(cell["name"], cell["at_name"], cell["level"], tuple(map(tuple, there))))
    if not cells:
        raise invalid(
            "folder",
            "hold at least one finished part",
            str(folder),
            "Run the study again; it will continue.",
        )
    return Stored(StudyResult(about["name"], wanted, tuple(cells)), found, total, store.seconds)


def as_csv(result: StudyResult) -> str:
    """Return the table of results as CSV text."""
    table = result.columns()
    return csv_text(table, zip(*table.values(), strict=True))


def csv_text(names: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return a table as CSV text."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return text.getvalue()
