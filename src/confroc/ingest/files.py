"""CSV, Parquet and Arrow files, and SQL, as DuckDB relations."""

from __future__ import annotations

import csv
import glob
import gzip
import itertools
import os
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from confroc._check import ArgumentError, MissingFileError, check_choice, sentence, warn
from confroc._files import temporary_folder
from confroc._progress import work
from confroc.ingest.sql import SqlTable, quoted, text, unreadable

if TYPE_CHECKING:
    import duckdb

PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".ipc")
CSV = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")
MISSING = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None", "<NA>")
KEPT = 256 * 2**20
"""Size in bytes up to which a parsed CSV file is cached between passes."""
LONGEST_LINE = 2_000_000
"""Maximum line length of DuckDB."""
SETTINGS = (
    # It uses statistics of Parquet files, which ignore NaN and may be damaged.
    "disabled_optimizers = 'statistics_propagation'",
    "autoinstall_known_extensions = false",
    "autoload_known_extensions = false",
    "python_enable_replacements = false",
    # Counted, not printed.
    "enable_progress_bar = true",
    "enable_progress_bar_print = false",
    # What one pass has used goes back to the system before the next needs memory.
    "allocator_bulk_deallocation_flush_threshold = '16MB'",
)
Decimal: TypeAlias = Literal[".", ","]
DECIMALS: tuple[Decimal, ...] = get_args(Decimal)
FIRST_ROWS = 1000
"""Number of rows examined for decimal commas."""
FRACTION = re.compile(r"[+-]?(?![1-9]\d{0,2},\d{3}$)\d*([.,])\d+([eE][+-]?\d+)?")
"""A number with a decimal point or comma; the comma in 1,234 may be a thousands separator."""
QUERY = re.compile(r"\s*(SELECT|FROM|WITH)\s", re.IGNORECASE)
QUOTED = re.compile(r"'([^']+)'|\"([^\"]+)\"")


def is_query(source: str) -> bool:
    """Whether a text is SQL, not a path: it begins with SELECT, FROM or WITH and a space.

    An existing path is always a file.
    """
    return QUERY.match(source) is not None and not os.path.isfile(source)


def literal(path: Path) -> str:
    """A file name in SQL, with pattern characters escaped."""
    # Absolute, because DuckDB expands a leading ~ and treats `http:` as a URL.
    whole = os.path.abspath(path)
    escaped = "".join(f"[{c}]" if c in "*?[" else c for c in whole)
    if os.sep == "/" and "\\" in whole and escaped != whole:
        rule = "have no \\ together with *, ? or [ in its path"
        raise ArgumentError("source", rule, whole, "Rename the file.")
    try:
        whole.encode()
    except UnicodeEncodeError:
        raise ArgumentError("source", "have a name in UTF-8", str(path), "Rename the file.") from None
    return text(escaped)


def _listed(files: Sequence[Path]) -> str:
    return "[" + ", ".join(map(literal, files)) + "]"


def _gzipped(path: Path) -> bool:
    return path.suffix.lower() == ".gz"


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Add the file name to errors of opening and decompressing."""
    try:
        yield
    except (EOFError, OSError, zlib.error) as error:
        raise unreadable(str(path), error) from None


def csv_header(path: Path) -> tuple[list[str], str]:
    """Read the column names and the delimiter of a CSV file.

    An unnamed column, such as an index written by pandas, is named as in pandas: `Unnamed: 0`.
    """
    opener: Any = gzip.open if _gzipped(path) else open
    with _naming(path), opener(path, "rt", encoding="utf-8-sig", newline="") as file:
        try:
            first = file.readline(LONGEST_LINE)
            if len(first) == LONGEST_LINE:
                raise csv.Error(f"the first line has more than {LONGEST_LINE} characters")
            delimiter = max(",;\t|", key=re.sub('"[^"]*"', "", first).count)
            lines = itertools.chain([first], iter(lambda: file.readline(LONGEST_LINE), ""))
            names = [name.strip() for name in next(csv.reader(lines, delimiter=delimiter))]
        except UnicodeDecodeError:
            remedy = "Convert it, e.g. with `iconv -f latin1 -t utf-8 FILE > NEW`."
            raise ArgumentError("source", "be UTF-8 text", str(path), remedy) from None
        except csv.Error as error:
            raise unreadable(str(path), error) from None
    if not first.strip():
        remedy = "The file is empty; write the column names into its first line."
        raise ArgumentError("source", "start with a line of column names", str(path), remedy)
    for i, name in enumerate(names):
        names[i] = name or f"Unnamed: {i}"
    return names, delimiter


def _same_header(files: Sequence[Path]) -> tuple[list[str], str]:
    """Read the common header of CSV files; DuckDB matches columns by position."""
    first = csv_header(files[0])
    for path in files[1:]:
        other = csv_header(path)
        if other != first:
            rule = f"have one header in all files, as in {files[0].name} ({first[1].join(first[0])})"
            remedy = f"Save {path.name} with these columns and this delimiter, or exclude it."
            raise ArgumentError("source", rule, other[1].join(other[0]), remedy)
    return first


def _warn_of_open_ends(files: Sequence[Path]) -> None:
    """Warn of a file without a final line break, whose last number may be truncated."""
    for path in files:
        if _gzipped(path):
            continue  # A truncated compressed file raises its own error.
        with path.open("rb") as file:
            file.seek(-1, 2)
            ended = file.read(1) in b"\r\n"
        if not ended:
            warn(
                f"{path.name} does not end with a line break. If it was truncated, the last row may be "
                "wrong. Add a line break if the file is complete."
            )


def _check_packed(files: Sequence[Path]) -> None:
    """Verify checksums of compressed files, which DuckDB ignores."""
    for path in filter(_gzipped, files):
        with _naming(path), gzip.open(path) as file:
            while file.read(2**20):
                pass


def found_files(source: str) -> list[Path]:
    """Return the files that match a path or a pattern, or one on each line; or raise."""
    if os.path.isfile(source):
        return [Path(source)]
    if len(lines := source.splitlines()) > 1:
        return list(dict.fromkeys(file for line in lines for file in found_files(line)))
    try:
        found = sorted(Path(p) for p in glob.glob(source, recursive=True))
    except (OSError, ValueError):  # No such folder, or not a valid name.
        found = []
    if not found:
        remedy = "Check the path; download remote files first."
        raise MissingFileError("source", "be an existing file or a pattern", source, remedy)
    for other in found:
        if not other.is_file():
            rule = "be a file or a pattern of files, not a folder, pipe or device"
            raise ArgumentError("source", rule, str(other), "Pass files, e.g. folder/*.parquet.")
    return found


def _kind(source: str, files: Sequence[Path]) -> str:
    """Return the kind of the files: PARQUET[0], ARROW[0] or CSV[0]."""
    kinds = []
    for path in files:
        name = path.name.lower()
        kinds += [ends[0] for ends in (PARQUET, ARROW, CSV) if name.endswith(ends)] or [path.suffix]
        if kinds[-1] not in (PARQUET[0], ARROW[0], CSV[0]):
            known = ", ".join((*CSV[:3], PARQUET[0], *ARROW[:2]))
            remedy = "Rename it, or save it as CSV or Parquet."
            raise ArgumentError("source", f"end in one of {known} (.gz allowed for text)", source, remedy)
        if kinds[-1] != kinds[0]:
            rule = f"be files of one kind, {kinds[0]} like {files[0].name}"
            remedy = f"Use a narrower pattern, e.g. '*{files[0].suffix}'."
            raise ArgumentError("source", rule, str(path), remedy)
    return kinds[0]


def _table(
    connection: duckdb.DuckDBPyConnection, source: str, files: Sequence[Path], decimal: Decimal | None
) -> SqlTable:
    """Return the files as one table."""
    kind = _kind(source, files)
    if kind != CSV[0]:
        check_text(source, decimal)
    if kind == PARQUET[0]:
        return SqlTable(_parquet(connection, files), source, connection=connection)
    if kind == ARROW[0]:
        return SqlTable(connection.from_arrow(_arrow(source, files)), source, connection=connection)
    columns, delimiter = _same_header(files)
    _check_packed(files)
    _warn_of_open_ends(files)
    # Read every column as text, so that types do not depend on the first rows; by position, because the
    # reader does not accept every name.
    nulls = "[" + ", ".join(map(text, MISSING)) + "]"
    names = "{" + ", ".join(f"c{i}: 'VARCHAR'" for i in range(len(columns))) + "}"
    packed = {_gzipped(path) for path in files}
    compression = "auto" if len(packed) > 1 else "gzip" if packed == {True} else "none"
    table = (
        f"SELECT * FROM read_csv({_listed(files)}, header=true, delim={text(delimiter)}, quote='\"', "
        f"escape='\"', nullstr={nulls}, columns={names}, auto_detect=false, compression={text(compression)}, "
        "hive_partitioning=false)"
    )
    if sum(p.stat().st_size for p in files) <= KEPT:
        connection.execute(f"CREATE TEMP TABLE parsed AS {table}")
        table = "SELECT * FROM parsed"
    return SqlTable(
        connection.sql(table),
        source,
        columns=columns,
        gaps=MISSING,
        rows=lambda: ((path, *row) for path in files for row in _rows(path, delimiter)),
        commas=columns if decimal == "," else [] if decimal else _with_commas(files, columns, delimiter),
        connection=connection,
    )


def _rows(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield readable rows below the header, with the number of their last line."""
    opener: Any = gzip.open if _gzipped(path) else open
    with (
        opener(path, "rt", encoding="utf-8-sig", newline="") as file,
        suppress(csv.Error, UnicodeDecodeError),
    ):
        rows = csv.reader(file, delimiter=delimiter)
        for row in itertools.islice(rows, 1, None):
            yield rows.line_num, row


def check_text(source: object, decimal: object) -> None:
    """Refuse a decimal mark for what is no text."""
    if decimal is not None:
        check_choice("decimal", decimal, DECIMALS)
        raise ArgumentError("decimal", "be left out except for CSV files", source, "Leave it out.")


def _with_commas(files: Sequence[Path], columns: Sequence[str], delimiter: str) -> list[str]:
    """Return the columns whose first decimal number has a comma."""
    marks: dict[str, str] = {}
    rows = itertools.chain.from_iterable(_rows(path, delimiter) for path in files)
    for _, row in itertools.islice(rows, FIRST_ROWS):
        for name, field in zip(columns, row, strict=False):
            if name not in marks and (found := FRACTION.fullmatch(field.strip())):
                marks[name] = found[1]
    return [name for name, mark in marks.items() if mark == ","]


def _parquet(connection: duckdb.DuckDBPyConnection, files: Sequence[Path]) -> duckdb.DuckDBPyRelation:
    """Return Parquet files as one relation with their common columns."""
    # By name and with a common type; otherwise all get the first file's type, and 0.7 may become 1.
    relation = connection.sql(
        f"SELECT * FROM read_parquet({_listed(files)}, "
        f"union_by_name={len(files) > 1}, hive_partitioning=false)"
    )
    if len(files) == 1:
        return relation
    counted = connection.execute(
        f"SELECT name FROM (SELECT DISTINCT file_name, name FROM parquet_schema({_listed(files)})) "
        f"GROUP BY name HAVING count(*) = {len(set(files))}"
    )
    everywhere = {name for (name,) in counted.fetchall()}
    return relation.project(", ".join(quoted(c) for c in relation.columns if c in everywhere))


def _arrow(source: str, files: Sequence[Path]) -> Any:
    try:
        import pyarrow
        from pyarrow import dataset, ipc
    except ImportError:
        raise ImportError(
            sentence(
                "source",
                "have a supported format",
                source,
                "Run `pip install confroc[arrow]` for Arrow files.",
            )
        ) from None
    for path in files:
        # Damaged offsets or dictionaries would otherwise be read out of bounds.
        with _naming(path), pyarrow.memory_map(str(path)) as file:
            try:
                reader = ipc.open_file(file)
                for i in range(reader.num_record_batches):
                    reader.get_batch(i).validate(full=True)
            except pyarrow.ArrowException as error:
                raise unreadable(str(path), error) from None
    try:
        return dataset.dataset([str(p) for p in files], format="ipc")
    except (pyarrow.ArrowException, OSError) as error:
        raise unreadable(source, error) from None


def files_read(source: str) -> list[Path]:
    """Return the files that a source names, readable or not; a query quotes them."""
    quoted = [a or b for a, b in QUOTED.findall(source)]
    names = quoted if is_query(source) else [source, *source.splitlines()]
    found = [[name] if os.path.exists(name) else glob.glob(name, recursive=True) for name in names if name]
    return [Path(path) for paths in found for path in paths]


@contextmanager
def connected(*, in_order: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
    """Connect to a separate, locked-down DuckDB for untrusted files and queries.

    It loads no extensions, has no network access and cannot read Python variables. Rows arrive in any order
    unless `in_order`, which is slower.
    """
    import duckdb

    with temporary_folder() as spill, duckdb.connect() as connection:
        for setting in SETTINGS:
            connection.execute(f"SET {setting}")
        connection.execute(f"SET temp_directory = {text(str(spill))}")
        connection.execute(f"SET preserve_insertion_order = {in_order}")
        connection.execute("SET lock_configuration = true")
        with work("percent of a pass over the rows", 100, poll=connection.query_progress):
            yield connection


def _query(connection: duckdb.DuckDBPyConnection, source: str) -> SqlTable:
    """Return the rows of one SELECT; `query` wraps it in another, so that it cannot write."""
    import duckdb

    try:
        relation = connection.sql(f"SELECT * FROM query({text(source)})")
        return SqlTable(relation, source, connection=connection)
    except duckdb.Error as error:
        if "extension" in str(error):
            rule = "read local files only, without extensions"
            remedy = "Download the file, or pass a DuckDB relation on your own connection."
            raise ArgumentError("source", rule, source, remedy) from None
        if "single SELECT" in str(error) or "must be at the top level" in str(error):
            rule = "be one SELECT statement"
            raise ArgumentError("source", rule, source, "Use one SELECT without semicolons.") from None
        raise


@contextmanager
def open_file(source: str, decimal: Decimal | None = None) -> Iterator[SqlTable]:
    """Open a file, a pattern of files or a query in a DuckDB of its own."""
    import duckdb

    with connected() as connection:
        try:
            table = (
                _query(connection, source)
                if is_query(source)
                else _table(connection, source, found_files(source), decimal)
            )
        except (duckdb.Error, UnicodeDecodeError) as error:
            raise unreadable(source, error) from None
        except RuntimeError as error:
            # Column names that are not UTF-8 in DuckDB 2.0; an interrupt is a RuntimeError, too.
            if "conversion" not in str(error):
                raise
            raise unreadable(source, error) from None
        yield table
