"""CSV and Parquet files, read out of core by DuckDB; only counts come back."""

from __future__ import annotations

import csv
import glob
import gzip
import tempfile
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from confroc._check import sentence
from confroc.ingest.cases import Cases, missing_column, refuse_gaps, refuse_one_class, split_labels
from confroc.scores import NanPolicy, PairedScores, Scores, sum_equal

if TYPE_CHECKING:
    import duckdb

PARQUET = (".parquet", ".pq")
CSV = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")
MISSING = ("", "NA", "N/A", "NaN", "nan", "NULL", "null", "None", "<NA>")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _csv_header(path: Path) -> tuple[list[str], str]:
    """Read a CSV file's column names and the delimiter between them."""
    opener: Any = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8-sig", newline="") as file:
        try:
            first = file.readline()
        except UnicodeDecodeError:
            raise ValueError(
                sentence("source", "be text in UTF-8", str(path), "Convert the file's encoding first.")
            ) from None
    if not first.strip():
        raise ValueError(
            sentence("source", "start with a line of column names", str(path), "The file is empty.")
        )
    delimiter = max(",;\t|", key=first.count)
    names = [name.strip() for name in next(csv.reader([first], delimiter=delimiter))]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(
            sentence(
                "source", "have distinct column names", twice, f"Rename the repeated columns of {path.name}."
            )
        )
    return names, delimiter


def _files(source: str) -> list[Path]:
    path = Path(source)
    if path.is_file():
        return [path]
    found = sorted(Path(p) for p in glob.glob(source, recursive=True))
    if not found:
        raise FileNotFoundError(
            sentence("source", "be an existing file or a pattern", source, "Check the path.")
        )
    folders = [p for p in found if p.is_dir()]
    if folders:
        raise ValueError(
            sentence(
                "source", "be a file or a pattern of files", source, f"Try {source.rstrip('/')}/*.parquet."
            )
        )
    return found


def _relation(connection: duckdb.DuckDBPyConnection, source: str, wanted: Mapping[str, str]) -> str:
    """Return SQL that yields the wanted columns of a file, label as text and scores as doubles."""
    import duckdb

    files = _files(source)
    listed = "[" + ", ".join(_text(str(p)) for p in files) + "]"
    name = files[0].name.lower()
    if name.endswith(PARQUET):
        table = f"read_parquet({listed})"
        try:
            columns = connection.sql(f"SELECT * FROM {table} LIMIT 0").columns
        except duckdb.Error as error:
            raise ValueError(_unreadable(source, error)) from None
    elif name.endswith(CSV):
        columns, delimiter = _csv_header(files[0])
        # Every column as text: what a value means is decided below, not by a guess from the first rows.
        nulls = "[" + ", ".join(_text(v) for v in MISSING) + "]"
        names = "{" + ", ".join(f"{_text(c)}: 'VARCHAR'" for c in columns) + "}"
        table = (
            f"read_csv({listed}, header=true, delim={_text(delimiter)}, quote='\"', escape='\"', "
            f"nullstr={nulls}, columns={names}, auto_detect=false)"
        )
    else:
        known = ", ".join((*CSV[:3], *PARQUET[:1]))
        raise ValueError(
            sentence("source", f"end in one of {known} (.gz allowed)", source, "Rename or convert it.")
        )
    for column, argument in wanted.items():
        if column not in columns:
            raise missing_column(argument, column, columns)
    return table


def _unreadable(source: str, error: Exception) -> str:
    reason = " ".join(str(error).split())
    # DuckDB appends the options it used after the reason proper.
    reason = reason.split(" file = ")[0].split(" Possible ")[0][:300]
    return sentence("source", "be a readable table", source, f"The reader says: {reason}")


def _fetch(connection: duckdb.DuckDBPyConnection, query: str, source: str) -> dict[str, Any]:
    import duckdb

    try:
        return dict(connection.sql(query).fetchnumpy())
    except duckdb.Error as error:
        raise ValueError(_unreadable(source, error)) from None


def read_file(
    source: str, label: str, scores: Sequence[str], pos_label: object, nan_policy: NanPolicy, pairs: bool
) -> Cases:
    """Read a file or a pattern of files; see `confroc.ingest.read_cases`."""
    import duckdb

    with tempfile.TemporaryDirectory(prefix="confroc-") as spill, duckdb.connect() as connection:
        connection.sql(f"SET temp_directory = {_text(spill)}")
        table = _relation(connection, source, {label: "label", **dict.fromkeys(scores, "score")})
        number = {s: f"s{i}" for i, s in enumerate(scores)}
        # A text that is no number shows as t: not null beside a null s.
        columns = [f"nullif(trim(CAST({_quoted(label)} AS VARCHAR)), '') AS label"]
        for name, s in number.items():
            columns.append(f"TRY_CAST({_quoted(name)} AS DOUBLE) AS {s}")
            columns.append(
                f"CASE WHEN {s} IS NULL THEN nullif(trim(CAST({_quoted(name)} AS VARCHAR)), '') END AS t_{s}"
            )
        kind = "TABLE" if not table.startswith("read_parquet") else "VIEW"
        try:
            connection.sql(f"CREATE TEMP {kind} cases AS SELECT {', '.join(columns)} FROM {table}")
        except duckdb.Error as error:
            raise ValueError(_unreadable(source, error)) from None

        parts = ["count(*) AS n", "count(label) AS labelled"]
        for s in number.values():
            parts += [
                f"count(*) FILTER ({s} IS NULL OR isnan({s})) AS {s}_missing",
                f"max({s}) FILTER (isinf({s})) AS {s}_inf",
                f"min(t_{s}) AS {s}_text",
            ]
        row = {
            k: v[0] for k, v in _fetch(connection, f"SELECT {', '.join(parts)} FROM cases", source).items()
        }
        n = int(row["n"])
        if n == 0:
            raise ValueError(
                sentence("source", "hold at least one row below its header", source, "It has none.")
            )
        for name, s in number.items():
            if isinstance(row[f"{s}_text"], str):
                raise ValueError(
                    sentence(
                        f"score {name}",
                        "hold numbers",
                        row[f"{s}_text"],
                        "Clean the column, or choose another.",
                    )
                )
            if not np.ma.is_masked(row[f"{s}_inf"]) and np.isinf(row[f"{s}_inf"]):
                raise ValueError(
                    sentence(
                        f"score {name}",
                        "hold finite scores",
                        float(row[f"{s}_inf"]),
                        "Replace infinite scores first.",
                    )
                )
        gaps = {label: n - int(row["labelled"])} | {
            name: int(row[f"{s}_missing"]) for name, s in number.items()
        }
        refuse_gaps(gaps, nan_policy)

        known = "label IS NOT NULL" + "".join(
            f" AND {s} IS NOT NULL AND NOT isnan({s})" for s in number.values()
        )
        found = _fetch(
            connection,
            f"SELECT label, count(*) AS n FROM cases WHERE {known} GROUP BY label LIMIT 100000",
            source,
        )
        counts = {str(k): int(v) for k, v in zip(found["label"], found["n"], strict=True)}
        if not counts:
            raise ValueError(
                sentence("source", "hold at least one complete row", source, "Every row lacks a value.")
            )
        positives, negatives = split_labels(counts, pos_label)
        refuse_one_class(label, positives, negatives)
        is_pos = f"label IN ({', '.join(map(_text, positives))})"
        tallies = f"count(*) FILTER ({is_pos}) AS pos, count(*) FILTER (NOT ({is_pos})) AS neg"

        def tallied(*keys: str) -> list[NDArray[Any]]:
            listed = ", ".join(keys)
            got = _fetch(
                connection, f"SELECT {listed}, {tallies} FROM cases WHERE {known} GROUP BY {listed}", source
            )
            return [got[c] for c in (*keys, "pos", "neg")]

        models: dict[str, Scores] = {}
        paired: dict[tuple[str, str], PairedScores] = {}
        dropped = n - sum(counts.values())
        if pairs:
            for a, b in combinations(scores, 2):
                a_scores, b_scores, pos, neg = tallied(number[a], number[b])
                pair = PairedScores._of(a_scores, b_scores, pos, neg, dropped)
                paired[a, b] = pair
                models[a], models[b] = pair.a, pair.b
        for name in scores:
            if name not in models:
                models[name] = Scores._of(sum_equal(*tallied(number[name])), dropped)
    return Cases(
        source=source,
        label=label,
        positive=positives[0],
        negative=", ".join(negatives),
        n_rows=n,
        n_dropped=dropped,
        models={name: models[name] for name in scores},
        pairs=paired,
    )
