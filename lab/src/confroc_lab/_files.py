"""Writing files whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PART = ".part"
"""Ending of a file that is being written; a killed process leaves one, and the next run overwrites it."""


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a path to write to; the file is renamed when it is complete, and removed otherwise."""
    beside = path.with_name(f".{path.name}{PART}{path.suffix}")
    try:
        yield beside
        with beside.open("rb+") as stream:
            os.fsync(stream.fileno())
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write one file, whole or not at all."""
    with whole_file(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")


def set_aside(path: Path) -> Path:
    """Rename a damaged file and return its new name."""
    aside = path.with_name(f"{path.name}.damaged")
    os.replace(path, aside)
    return aside
