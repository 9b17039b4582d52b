"""CSV, Parquet and Arrow files, and SQL, as DuckDB relations."""

from __future__ import annotations

import csv
import glob
import gzip
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from confroc._check import ArgumentError, MissingFileError, sentence, suggest, warn
from confroc._files import temporary_folder
from confroc.ingest.sql import SqlTable, text, unreadable

if TYPE_CHECKING:
    import duckdb

PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".ipc")
CSV = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")
MISSING = ("", "NA", "N/A", "NaN", "nan", "NULL", "null", "None", "<NA>")
KEPT = 256 * 2**20
"""Bytes of CSV up to which the parsed text is kept for the next pass instead of being parsed again."""
QUERY = re.compile(r"\s*(SELECT|FROM|WITH)\s", re.IGNORECASE)
QUOTED = re.compile(r"'([^']+)'|\"([^\"]+)\"")


def is_query(source: str) -> bool:
    """Whether a text is SQL rather than a path: it begins with SELECT, FROM or WITH and a space."""
    return QUERY.match(source) is not None


def _csv_header(path: Path) -> tuple[list[str], str]:
    """Read a CSV file's column names and the delimiter between them."""
    opener: Any = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8-sig", newline="") as file:
        try:
            first = file.readline()
        except UnicodeDecodeError:
            raise ArgumentError(
                "source", "be text in UTF-8", str(path), "Convert the file's encoding first."
            ) from None
        except (EOFError, gzip.BadGzipFile) as error:
            raise unreadable(str(path), error) from None
    if not first.strip():
        raise ArgumentError(
            "source",
            "start with a line of column names",
            str(path),
            "The file is empty: choose another.",
        )
    delimiter = max(",;\t|", key=first.count)
    names = [name.strip() for name in next(csv.reader([first], delimiter=delimiter))]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ArgumentError(
            "source", "have distinct column names", twice, f"Rename the repeated columns of {path.name}."
        )
    return names, delimiter


def _same_header(files: Sequence[Path]) -> tuple[list[str], str]:
    """Read the header that all CSV files share: the reader goes by the order of the columns alone."""
    first = _csv_header(files[0])
    for path in files[1:]:
        other = _csv_header(path)
        if other != first:
            raise ArgumentError(
                "source",
                f"have the same columns in all files, as {files[0].name} has ({', '.join(first[0])})",
                ", ".join(other[0]),
                f"Rearrange {path.name}, or leave it out.",
            )
    return first


def _warn_of_open_ends(files: Sequence[Path]) -> None:
    """Warn of text that stops within a line, whose last number may have lost digits."""
    for path in files:
        if path.suffix == ".gz":
            continue  # A compressed file says itself when it is cut off.
        with path.open("rb") as file:
            file.seek(-1, 2)
            ended = file.read(1) in b"\r\n"
        if not ended:
            warn(
                f"The last line of {path.name} has no end: if the file was cut off, that row may be wrong. "
                "End the file with a line break if it is whole."
            )


def found_files(source: str) -> list[Path]:
    """Return the files that a path or pattern names, or raise."""
    path = Path(source)
    if path.is_file():
        return [path]
    found = sorted(Path(p) for p in glob.glob(source, recursive=True))
    if not found:
        beside = [p.name for p in path.parent.iterdir() if p.is_file()] if path.parent.is_dir() else []
        remedy = f"{suggest(path.name, beside)}Check the path."
        raise MissingFileError("source", "be an existing file or a pattern", source, remedy)
    folders = [p for p in found if p.is_dir()]
    if folders:
        raise ArgumentError(
            "source", "be a file or a pattern of files", source, f"Try {source.rstrip('/')}/*.parquet."
        )
    return found


def _relation(
    connection: duckdb.DuckDBPyConnection, source: str, files: Sequence[Path]
) -> tuple[duckdb.DuckDBPyRelation, bool]:
    """Return the files as one relation, and whether it is text still to be read as numbers."""
    listed = "[" + ", ".join(text(str(p)) for p in files) + "]"
    name = files[0].name.lower()
    if name.endswith(PARQUET):
        return connection.sql(f"SELECT * FROM read_parquet({listed})"), False
    if name.endswith(ARROW):
        return connection.from_arrow(_arrow(source, files)), False
    if not name.endswith(CSV):
        known = ", ".join((*CSV[:3], PARQUET[0], *ARROW[:2]))
        raise ArgumentError(
            "source", f"end in one of {known} (.gz allowed for text)", source, "Rename or convert it."
        )
    columns, delimiter = _same_header(files)
    _warn_of_open_ends(files)
    # Every column as text: what a value means is decided later, not by a guess from the first rows.
    nulls = "[" + ", ".join(map(text, MISSING)) + "]"
    names = "{" + ", ".join(f"{text(c)}: 'VARCHAR'" for c in columns) + "}"
    table = (
        f"SELECT * FROM read_csv({listed}, header=true, delim={text(delimiter)}, quote='\"', escape='\"', "
        f"nullstr={nulls}, columns={names}, auto_detect=false)"
    )
    if sum(p.stat().st_size for p in files) <= KEPT:
        connection.execute(f"CREATE TEMP TABLE parsed AS {table}")
        table = "SELECT * FROM parsed"
    return connection.sql(table), True


def _arrow(source: str, files: Sequence[Path]) -> Any:
    try:
        import pyarrow
        from pyarrow import dataset
    except ImportError:
        raise ImportError(
            sentence(
                "source", "be a file of a kind that is installed", source, "Run `pip install confroc[arrow]`."
            )
        ) from None
    try:
        return dataset.dataset([str(p) for p in files], format="ipc")
    except (pyarrow.ArrowException, OSError) as error:
        raise unreadable(source, error) from None


def files_read(source: str) -> list[Path]:
    """Return the files that a source names, whether they are fit to be read or not; a query quotes them."""
    names = [a or b for a, b in QUOTED.findall(source)] if is_query(source) else [source]
    found = [[name] if os.path.exists(name) else glob.glob(name, recursive=True) for name in names if name]
    return [Path(path) for paths in found for path in paths]


@contextmanager
def open_file(source: str) -> Iterator[SqlTable]:
    """Open a file, a pattern of files or a query in a DuckDB of its own."""
    import duckdb

    with temporary_folder() as spill, duckdb.connect() as connection:
        connection.execute(f"SET temp_directory = {text(str(spill))}")
        connection.execute("SET preserve_insertion_order = false")
        try:
            if is_query(source):
                relation, parsed = connection.sql(source), False
            else:
                relation, parsed = _relation(connection, source, found_files(source))
        except duckdb.Error as error:
            raise unreadable(source, error) from None
        yield SqlTable(relation, source, parsed=parsed)
