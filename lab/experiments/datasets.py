"""The papers' data sets: location, checksums and reading.

Files are searched for in a folder that the user names, or in the one that the environment variable
CONFROC_DATA names, in the archive's form or compressed with gzip. To download them:

    python lab/experiments/datasets.py abalone credit --data DIR
    python lab/experiments/datasets.py all --data DIR
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

from confroc_lab._errors import invalid
from confroc_lab._files import whole_file
from confroc_lab._types import BoolArray, FloatArray
from confroc_lab.experiment import MissingDataError

ARCHIVE = "https://archive.ics.uci.edu/ml/machine-learning-databases"
TIMEOUT = 60.0


class Table(NamedTuple):
    """Numeric attributes, shape (n, d), and which cases are positive, in the file's order."""

    x: FloatArray
    positive: BoolArray


class File(NamedTuple):
    """One file: its name, its path in the archive (packed with gzip or not), its content's SHA-256."""

    name: str
    path: str
    sha256: str


class DataSet(NamedTuple):
    """Files of a data set, and how its tables are read from their text."""

    files: tuple[File, ...]
    read: Callable[[list[str]], list[Table]]


def one_hot(column: NDArray[np.str_], categories: NDArray[np.str_] | None = None) -> FloatArray:
    """Return a 0/1 column for every category but the first, the base (Dugas & Gadoury 2009, appendix C)."""
    known = np.unique(column) if categories is None else categories
    return np.asarray(column[:, None] == known[None, 1:], dtype=np.float64)


def _fields(text: str, separator: str | None = ",") -> NDArray[np.str_]:
    rows = [[v.strip() for v in line.split(separator)] for line in text.splitlines() if line.strip()]
    return np.array(rows)


def _abalone(texts: list[str]) -> list[Table]:
    rows = _fields(texts[0])
    x = np.hstack([one_hot(rows[:, 0]), rows[:, 1:8].astype(np.float64)])
    return [Table(x, rows[:, 8].astype(int) < 10)]


ADULT_NUMERIC = (0, 2, 4, 10, 11, 12)


def _adult(texts: list[str]) -> list[Table]:
    train = _fields(texts[0])
    test = _fields(texts[1].split("\n", 1)[1])
    tables = []
    for rows in (train, test):
        columns = []
        for j in range(14):
            if j in ADULT_NUMERIC:
                columns.append(rows[:, j].astype(np.float64)[:, None])
            else:
                columns.append(one_hot(rows[:, j], np.unique(train[:, j])))
        tables.append(Table(np.hstack(columns), np.char.startswith(rows[:, 14], ">50K")))
    return tables


def _chess(texts: list[str]) -> list[Table]:
    rows = _fields(texts[0])
    return [Table(np.hstack([one_hot(rows[:, j]) for j in range(6)]), rows[:, 6] != "draw")]


def _covertype(texts: list[str]) -> list[Table]:
    values = np.loadtxt(io.StringIO(texts[0]), delimiter=",", dtype=np.float64)
    kept = values[values[:, 54] <= 2]
    return [Table(kept[:, :54], kept[:, 54] == 2)]


def _credit(texts: list[str]) -> list[Table]:
    values = _fields(texts[0], None).astype(np.float64)
    return [Table(values[:, :24], values[:, 24] == 1)]


def _telescope(texts: list[str]) -> list[Table]:
    rows = _fields(texts[0])
    return [Table(rows[:, :10].astype(np.float64), rows[:, 10] == "g")]


DATA_SETS = {
    "abalone": DataSet(
        (
            File(
                "abalone.data",
                "abalone/abalone.data",
                "de37cdcdcaaa50c309d514f248f7c2302a5f1f88c168905eba23fe2fbc78449f",
            ),
        ),
        _abalone,
    ),
    "adult": DataSet(
        (
            File(
                "adult.data",
                "adult/adult.data",
                "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
            ),
            File(
                "adult.test",
                "adult/adult.test",
                "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05",
            ),
        ),
        _adult,
    ),
    "chess": DataSet(
        (
            File(
                "krkopt.data",
                "chess/king-rook-vs-king/krkopt.data",
                "497b61d20d3d9e2ce310f9f4d2ca92dbdb0691d9e449d983ec6f7baf387dc7a9",
            ),
        ),
        _chess,
    ),
    "covertype": DataSet(
        (
            File(
                "covtype.data",
                "covtype/covtype.data.gz",
                "0a9371cef7c964b5475d6053cc3e0894a5aa6f65ad1ed3ecb01c45aa96217945",
            ),
        ),
        _covertype,
    ),
    "credit": DataSet(
        (
            File(
                "german.data-numeric",
                "statlog/german/german.data-numeric",
                "2752b044394958ab6dd193a0b56ca0f0b3a2d8bc7cb8c008e35a5e84bbec02f8",
            ),
        ),
        _credit,
    ),
    "telescope": DataSet(
        (
            File(
                "magic04.data",
                "magic/magic04.data",
                "e9314b7ebd4b4b59a3b3d65f7316663963777b16a46786877651dbbaa640b36a",
            ),
        ),
        _telescope,
    ),
}


def data_folder(folder: str | Path | None = None) -> Path | None:
    """Folder of the data sets: the one given, or the one that CONFROC_DATA names."""
    named = folder or os.environ.get("CONFROC_DATA")
    return Path(named) if named else None


def _where(name: str) -> str:
    listed = ", ".join(f"{ARCHIVE}/{file.path}" for file in DATA_SETS[name].files)
    return (
        f"Run `python lab/experiments/datasets.py {name} --data DIR`, or get it from {listed}, "
        "and name the folder with --data or CONFROC_DATA."
    )


def _content(name: str, file: File, folder: Path | None) -> str:
    for suffix in ("", ".gz") if folder is not None else ():
        path = Path(folder or "") / f"{file.name}{suffix}"
        if path.exists():
            raw = path.read_bytes()
            return (gzip.decompress(raw) if suffix else raw).decode("utf-8")
    raise MissingDataError(
        f"`data` must be a folder that holds {file.name} or {file.name}.gz (data set {name!r}); "
        f"got {folder}. {_where(name)}"
    )


def load(name: str, folder: str | Path | None = None) -> list[Table]:
    """Read a data set: one table, or training and test table where the archive splits it.

    Parameters
    ----------
    name : {"abalone", "adult", "chess", "covertype", "credit", "telescope"}
    folder : path, optional
        By default the one that CONFROC_DATA names.

    Returns
    -------
    list of Table
        Positive are: abalone, younger than 10 rings; adult, income above 50,000; chess, White wins;
        covertype, lodgepole pine (spruce/fir negative, other types left out); credit, good; telescope, gamma.

    Raises
    ------
    MissingDataError
        A `ValueError`: a file is not there; which, and where to get it.
    """
    if name not in DATA_SETS:
        raise invalid("name", f"be one of {', '.join(DATA_SETS)}", name, "Choose one of these.")
    given = data_folder(folder)
    data_set = DATA_SETS[name]
    return data_set.read([_content(name, file, given) for file in data_set.files])


def fetch(name: str, folder: str | Path, *, archive: str = ARCHIVE) -> list[Path]:
    """Download a data set's files, unless they are there.

    Parameters
    ----------
    name : str
        As in `load`.
    folder : path
        Made when it does not exist. Files are kept as the archive's text, packed with gzip.
    archive : str
        Address of the archive, or of a mirror with the same paths.

    Returns
    -------
    list of Path

    Raises
    ------
    ValueError
        The downloaded file has another SHA-256 than expected.
    OSError
        When it cannot be reached.
    """
    if name not in DATA_SETS:
        raise invalid("name", f"be one of {', '.join(DATA_SETS)}", name, "Choose one of these.")
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for file in DATA_SETS[name].files:
        path = folder / f"{file.name}.gz"
        if not path.exists() and not (folder / file.name).exists():
            address = f"{archive.rstrip('/')}/{file.path}"
            try:
                with urllib.request.urlopen(address, timeout=TIMEOUT) as answer:
                    raw = answer.read()
            except OSError as error:
                raise OSError(
                    f"cannot download {address}: {error}. Download it by other means into {folder}."
                ) from error
            content = gzip.decompress(raw) if file.path.endswith(".gz") else raw
            found = hashlib.sha256(content).hexdigest()
            if found != file.sha256:
                raise invalid(
                    "archive",
                    f"hold {file.name} with SHA-256 {file.sha256}",
                    found,
                    f"What {address} sent is another file, or a damaged one; nothing was kept.",
                )
            with whole_file(path) as beside:
                beside.write_bytes(gzip.compress(content, mtime=0))
        paths.append(path if path.exists() else folder / file.name)
    return paths


@click.command()
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option("--data", required=True, metavar="DIR", help="Folder that takes the files.")
@click.option("--archive", metavar="URL", default=ARCHIVE, help="Address of the archive, or of a mirror.")
def main(names: tuple[str, ...], data: str, archive: str) -> None:
    """Download data sets from the UCI archive; NAME may be `all`."""
    for name in DATA_SETS if names == ("all",) else names:
        try:
            paths = fetch(name, data, archive=archive)
        except (ValueError, OSError) as error:
            raise click.ClickException(str(error)) from None
        for path in paths:
            click.echo(f"have {path}", err=True)


if __name__ == "__main__":
    main()
