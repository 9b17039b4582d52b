"""Atomic writing of files, without overwriting foreign files, and strict JSON."""

from __future__ import annotations

import errno
import json
import math
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from confroc._check import ArgumentError, check_flag, check_path

try:
    import fcntl
except ImportError:  # Windows lacks these locks, which end with their process.
    fcntl = None  # type: ignore[assignment]

EDGE = 2**16
"""Bytes at each end of a file that are searched for its mark."""
PLAIN = {float, int, bool, str, type(None)}
"""JSON types."""
TEMPORARY = ".confroc-scratch-"
"""Prefix of temporary files and folders."""


class CannotWriteError(OSError):
    """A file cannot be written; any existing file is unchanged."""

    def __init__(self, path: str | Path, error: OSError) -> None:
        super().__init__(
            f"{path} cannot be written ({error.strerror or error}). Choose another place, or create the "
            "folder. No file was changed."
        )


def check_output(
    argument: str,
    path: str | os.PathLike[str],
    *,
    mark: str,
    own: str = "one that confroc wrote before",
    inputs: Iterable[Path] = (),
    force: bool = False,
) -> Path:
    """Return the path of a file to write; raise without a folder, or for an input or a foreign file.

    Parameters
    ----------
    argument : str
        Name of the argument.
    path : str or path-like
    mark : str
        Text near the beginning or end of files that may be replaced. Empty files may always be replaced.
    own : str
        Description of such files.
    inputs : iterable of Path
        Input files; recognized under any name, and never replaced.
    force : bool
        Also replace a file without the mark.

    Raises
    ------
    ArgumentError
        The folder does not exist, or the file must not be replaced.
    """
    target, force = check_path(argument, path), check_flag("force", force)
    remedy = "Choose another name for the output."
    if target.is_dir():
        raise ArgumentError(argument, "name a file, not a folder", str(path), remedy)
    if not target.absolute().parent.is_dir():
        raise ArgumentError(argument, "be in an existing folder", str(path), "Create the folder first.")
    if any(_same_file(source, target) for source in inputs):
        raise ArgumentError(argument, "not be an input file", str(path), remedy)
    if not force and target.is_file() and not _may_go(target, mark):
        remedy = "Choose another name, or replace the file with force=True."
        raise ArgumentError(argument, f"be a new file or {own}", str(path), remedy)
    return target


def _same_file(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


def _may_go(path: Path, mark: str) -> bool:
    """Whether a file is empty or has the mark."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - EDGE))
            last = file.read()
            file.seek(0)
            return not last or mark.encode() in last or mark.encode() in file.read(EDGE)
    except OSError:
        return False


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path; the file replaces the target when complete, and is removed otherwise.

    Parameters
    ----------
    path : str or Path
        A link is followed and remains a link. A replaced file passes on its permissions and, where possible,
        owner and group; other hard links keep the old content. Read-only files are not replaced.

    Raises
    ------
    CannotWriteError
        An `OSError`, if the file cannot be written.
    """
    target = Path(os.path.realpath(path))
    try:
        old = _to_replace(target)
        with _scratch(target.parent, f".part{target.suffix}") as temporary:
            yield temporary
            with temporary.open("rb+") as stream:
                os.fsync(stream.fileno())
            _pass_on(old, temporary)
            os.replace(temporary, target)
        _sync_folder(target.parent)
    except CannotWriteError:
        raise
    except OSError as error:
        raise CannotWriteError(path, error) from error


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Yield a temporary folder."""
    with _scratch(Path(tempfile.gettempdir()), "") as folder:
        yield folder


@contextmanager
def _scratch(place: Path, ending: str) -> Iterator[Path]:
    """Yield a new temporary file, or without an ending a new folder.

    Those of killed processes are removed, since their locks are released.
    """
    for left in place.glob(f"{TEMPORARY}*"):
        if (lock := _locked(left)) is not None:
            _remove(left)
            os.close(lock)
    while True:
        if ending:
            handle, name = tempfile.mkstemp(ending, TEMPORARY, place)
            os.close(handle)
        else:
            name = tempfile.mkdtemp("", TEMPORARY, place)
        made = Path(name)
        lock = _locked(made, wait=True)
        # Another process may have removed it before it was locked.
        if made.exists():
            break
    try:
        yield made
    finally:
        _remove(made)
        if lock is not None:
            os.close(lock)


def _locked(path: Path, *, wait: bool = False) -> int | None:
    """Lock a file or folder; return the lock's descriptor, or None if not possible."""
    # Windows has none of these attributes.
    with suppress(OSError, AttributeError):
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
        else:
            return handle
    return None


def _remove(path: Path) -> None:
    with suppress(OSError):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _to_replace(target: Path) -> os.stat_result | None:
    """Status of the file to be replaced, or None."""
    try:
        old = target.lstat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(old.st_mode):
        raise OSError(errno.EEXIST, f"{target} exists and is not a regular file")
    # The superuser may write any file, but read-only files are respected.
    if not old.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "it is read-only")
    return old


def _pass_on(old: os.stat_result | None, temporary: Path) -> None:
    """Copy permissions and owner of the replaced file, or set the defaults for a new file."""
    if old is None:
        temporary.chmod(0o666 & ~_umask())
        return
    if hasattr(os, "chown"):
        for uid, gid in ((old.st_uid, -1), (-1, old.st_gid)):
            with suppress(PermissionError):
                os.chown(temporary, uid, gid)
    temporary.chmod(stat.S_IMODE(old.st_mode))


def _sync_folder(folder: Path) -> None:
    """Flush a folder to disk, where supported."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_texts(files: Mapping[Path, str]) -> None:
    """Write all files or none; existing ones are replaced once all texts are on disk."""
    with ExitStack() as waiting:
        for path, text in files.items():
            temporary = waiting.enter_context(whole_file(path))
            # Lone surrogates, from odd file names, have no UTF-8, and pages cannot contain NUL.
            temporary.write_text(text.replace("\0", "?"), encoding="utf-8", errors="replace", newline="\n")


def write_text(path: str | Path, text: str) -> None:
    """Write one file atomically."""
    write_texts({Path(path): text})


def json_text(value: Any, *, indent: int | None = 2) -> str:
    """Return a value as JSON; see `finite` for NaN and infinities."""
    return json.dumps(finite(value), allow_nan=False, ensure_ascii=False, indent=indent)


def finite(value: Any) -> Any:
    """Replace NaN and infinities by None, tuples and arrays by lists, results by dicts."""
    if isinstance(value, float):
        # Includes numpy doubles.
        return float(value) if math.isfinite(value) else None
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        # Fast path for long columns of numbers and missing values.
        kinds = set(map(type, value))
        if kinds == {float} and all(map(math.isfinite, value)):
            return list(value)
        if kinds <= PLAIN:
            return [None if type(item) is float and not math.isfinite(item) else item for item in value]
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
