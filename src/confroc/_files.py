"""Writing files whole or not at all, and JSON that every reader takes."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np


class CannotWriteError(OSError):
    """A file cannot be written; what was there before is unchanged."""

    def __init__(self, path: str | Path, error: OSError) -> None:
        super().__init__(
            f"{path} cannot be written ({error.strerror or error}). Choose another place, or make the folder "
            "first. Nothing was changed there."
        )


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Give a path to write to; the file takes its place when all is written, and is removed otherwise.

    Parameters
    ----------
    path : str or Path
        A link is followed, so that it stays a link; a file that is replaced passes on its permissions.

    Raises
    ------
    CannotWriteError
        An `OSError`, where nothing can be written.
    """
    target = Path(os.path.realpath(path))
    beside = None
    try:
        if target.exists() and not target.is_file():
            raise IsADirectoryError(f"{target} is there and is not a file")
        mode = target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask()
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=target.suffix, dir=target.parent)
        os.close(handle)
        beside = Path(name)
        yield beside
        with beside.open("rb") as stream:
            os.fsync(stream.fileno())
        beside.chmod(mode)
        os.replace(beside, target)
    except CannotWriteError:
        raise
    except OSError as error:
        raise CannotWriteError(path, error) from error
    finally:
        if beside is not None:
            beside.unlink(missing_ok=True)


def write_texts(files: Mapping[Path, str]) -> None:
    """Write all files or none; existing ones are replaced only once all texts are safely on disk."""
    with ExitStack() as waiting:
        for path, text in files.items():
            beside = waiting.enter_context(whole_file(path))
            # Lone surrogates, from odd file names, have no UTF-8.
            beside.write_text(text, encoding="utf-8", errors="replace", newline="\n")


def write_text(path: str | Path, text: str) -> None:
    """Write one file, whole or not at all."""
    write_texts({Path(path): text})


def json_text(value: Any, *, indent: int | None = 2) -> str:
    """Return a value as JSON; see `finite` for what becomes of numbers that JSON lacks."""
    return json.dumps(finite(value), allow_nan=False, ensure_ascii=False, indent=indent)


def finite(value: Any) -> Any:
    """Replace NaN and infinities, which JSON lacks, by null; tuples and arrays by lists."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
