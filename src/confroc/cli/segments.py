"""Cases by segment - a month, a region, a file - in one grouped query.

The engine counts every (segment, score) as it counts pairs of scores: segments are numbered in a column
of their own, and the rules for labels, gaps and rounding stay those of any other reading.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from confroc._check import ArgumentError
from confroc.cli.output import Output
from confroc.cli.source import SHOWN, STANDARD_INPUT, Data, opened
from confroc.ingest import Cases, read_cases, scan
from confroc.ingest.cases import missing_column
from confroc.ingest.files import found_files, is_query, open_file
from confroc.ingest.sql import SqlTable, quoted, text
from confroc.scores import PairedScores, Scores

if TYPE_CHECKING:
    import duckdb

MOST = 1000
NUMBER = "number of the segment"

Segments = Mapping[str, Mapping[str, Scores]]
"""Of each model, its scores in each segment."""


def by_column(data: Data, column: str, out: Output) -> tuple[Cases, Segments]:
    """Read all cases, and the same by the values of a column."""
    with opened(data.source, out) as source:
        cases = data.read(out, source=source)
        if data.source == STANDARD_INPUT:
            cases = dataclasses.replace(cases, source=SHOWN)
        with open_file(source) as table:
            if data.label not in table.columns:
                raise ArgumentError(
                    "segment_column",
                    "be left out for count tables, which hold no rows",
                    column,
                    "Count each segment by itself, and read the files with --segment-files.",
                )
            if column not in table.columns:
                raise missing_column("segment_column", column, table.columns)
            names = _names(table, column, data)
            numbered = _numbered(table, column, names, data)
            out.doing(f"counting {len(names)} segments ...")
            found = {score: _split(numbered, score, names, data, cases.positive) for score in data.scores}
    return cases, found


def by_file(data: Data, out: Output) -> tuple[Cases, Segments]:
    """Read all cases, and the same by file; rows or count tables."""
    if data.source == STANDARD_INPUT or is_query(data.source):
        raise ArgumentError(
            "segment_files", "go with a pattern of files", data.source, "Quote it: 'months/*.csv'."
        )
    files = found_files(data.source)
    stems = [path.name.split(".")[0] for path in files]
    names = stems if len(set(stems)) == len(stems) else [str(path) for path in files]
    _enough(names, "segment_files")
    cases = data.read(out)
    parts = {}
    for name, path in zip(names, files, strict=True):
        out.doing(f"reading {path} ...")
        parts[name] = read_cases(
            str(path),
            label=data.label,
            scores=data.scores,
            pos_label=cases.positive,
            nan_policy=data.nan_policy,
            resolution=data.resolution,
        )
    return cases, {score: {name: part.models[score] for name, part in parts.items()} for score in data.scores}


def _enough(names: Sequence[str], argument: str) -> None:
    if len(names) < 2:
        raise ArgumentError(argument, "give at least two segments", list(names), "Use months, regions, ...")


def _value(column: str) -> str:
    return f"nullif(trim(CAST({quoted(column)} AS VARCHAR)), '')"


def _names(table: SqlTable, column: str, data: Data) -> list[str]:
    """Values of the column, numbers by size and the rest by spelling."""
    found = table.relation.project(f"{_value(column)} AS name").aggregate("name, count(*)").limit(MOST + 2)
    rows = dict(found.fetchall())
    missing = rows.pop(None, 0)
    if missing and data.nan_policy == "raise":
        raise ArgumentError(
            "segment_column",
            "hold no missing values under nan_policy='raise'",
            f"{missing} missing in {column!r}",
            "Fill them, or pass nan_policy='omit' to drop those rows.",
        )
    if len(rows) > MOST:
        raise ArgumentError(
            "segment_column", f"have at most {MOST} values", f"more than {MOST}", "Use months, ..."
        )
    _enough(sorted(rows), "segment_column")
    if data.resolution is not None and data.resolution < len(rows):
        raise ArgumentError(
            "resolution",
            f"be at least the number of segments, {len(rows)}",
            data.resolution,
            "Choose a finer resolution, or longer segments.",
        )
    try:
        return sorted(rows, key=float)
    except ValueError:
        return sorted(rows)


def _numbered(table: SqlTable, column: str, names: Sequence[str], data: Data) -> duckdb.DuckDBPyRelation:
    """The label, the scores as numbers, and the number of the segment."""
    listed = "[" + ", ".join(map(text, names)) + "]"
    score = "TRY_CAST({0} AS DOUBLE)" if table.parsed else "{0}"
    columns = [quoted(data.label), f"list_position({listed}, {_value(column)}) AS {quoted(NUMBER)}"]
    columns += [f"{score.format(quoted(s))} AS {quoted(s)}" for s in data.scores]
    complete = " AND ".join(f"{quoted(c)} IS NOT NULL" for c in (data.label, *data.scores, NUMBER))
    numbered = table.relation.project(", ".join(columns))
    # A row that lacks one of several scores is dropped for all of them.
    return numbered if data.nan_policy == "raise" else numbered.filter(complete)


def _split(
    rows: duckdb.DuckDBPyRelation, score: str, names: Sequence[str], data: Data, positive: str
) -> dict[str, Scores]:
    with warnings.catch_warnings():
        # Warnings would call the scores by another name, and the numbers of segments scores; the areas are
        # shown.
        warnings.simplefilter("ignore")
        pair: PairedScores = scan(
            rows,
            label=data.label,
            score=(NUMBER, score),
            pos_label=positive,
            nan_policy=data.nan_policy,
            resolution=data.resolution,
        )
        highest = pair.score_b if pair.b.exact else pair.b.score_max[pair.index_b]
        found = {}
        for number, name in enumerate(names, 1):
            here = pair.score_a == number
            pos, neg = pair.pos[here], pair.neg[here]
            if not pos.sum() or not neg.sum():
                counted = {"positives": int(pos.sum()), "negatives": int(neg.sum())}
                raise ArgumentError(
                    "segment_column",
                    f"have both classes in every segment, also in {name!r}",
                    counted,
                    "Use longer segments, or leave this one out with SQL.",
                )
            found[name] = Scores.from_counts(pair.score_b[here], pos, neg, score_max=highest[here])
    return found


def merged(parts: Sequence[Scores]) -> Scores:
    """Several segments as one sample."""
    total = parts[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for part in parts[1:]:
            total = total.merge(part)
    return total


__all__ = ["Segments", "by_column", "by_file", "merged"]
