"""Cases by segment - a month, a region, a file - in one grouped query.

The engine counts every (segment, score) as it counts pairs of scores: segments are numbered in a column
of their own, and the rules for labels, gaps and rounding stay those of any other reading.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from confroc._check import ArgumentError, ArgumentTypeError, check_flag, number_of, suggest
from confroc.ingest.cases import Cases, missing_column
from confroc.ingest.files import found_files, is_query, open_file
from confroc.ingest.reading import read_cases, read_scores
from confroc.ingest.sql import SqlTable, quoted, text
from confroc.scores import NanPolicy, PairedScores, Scores

if TYPE_CHECKING:
    import duckdb

MOST = 1000
NUMBER = "number of the segment"

Segments: TypeAlias = Mapping[str, Mapping[str, Scores]]
"""Of each score column, its scores in each segment."""


def read_segments(
    source: str | Path,
    *,
    label: str,
    scores: Sequence[str],
    segment_column: str | None = None,
    segment_files: bool = False,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    resolution: int | None = None,
) -> tuple[Cases, Segments]:
    """Read all cases, and the same by segment.

    Parameters
    ----------
    source : str or Path
        Path, pattern or SQL, as for `read_scores`.
    label : str
    scores : sequence of str
        Score columns; a row that lacks one of them is dropped for all under "omit".
    segment_column : str, optional
        Each value of this column is a segment; rows only, since count tables hold none.
    segment_files : bool
        Each file of a pattern is a segment; rows or count tables. One of the two must be asked for.
    pos_label, nan_policy, resolution
        As in `read_scores`.

    Returns
    -------
    Cases
        All together.
    mapping of score column to mapping of segment to Scores
        Segments in the order of their numbers, or else of their spelling; files in that of their names.

    Raises
    ------
    ValueError
        For fewer than two or more than 1000 segments, one without both classes, rows without a segment under
        "raise"; as in `read_scores`.

    See Also
    --------
    confroc.auc_forecast : Takes segments' drift as typical.
    confroc.drift_monitor : Holds segments against a reference.

    Examples
    --------
    >>> from confroc.ingest import read_segments
    >>> rows = "(1, 0.9, 'May'), (0, 0.2, 'May'), (1, 0.4, 'June'), (0, 0.7, 'June')"
    >>> query = f"SELECT * FROM (VALUES {rows}) AS t(y, s, month)"
    >>> cases, found = read_segments(query, label="y", scores=["s"], segment_column="month")
    >>> {month: scores.auc for month, scores in found["s"].items()}
    {'June': 0.0, 'May': 1.0}
    """
    if (segment_column is None) == (not check_flag("segment_files", segment_files)):
        raise ArgumentError(
            "segment_column", "be given alone, or else `segment_files`", segment_column, "Choose one."
        )
    if not isinstance(source, str | Path):
        raise ArgumentTypeError(
            "source",
            "be a path, a pattern of paths or SQL",
            type(source).__name__,
            "Write the rows to a file first.",
        )
    source = str(source)
    if not isinstance(segment_column, str | None):
        raise ArgumentTypeError(
            "segment_column", "be the name of a column", segment_column, "Give it as text."
        )

    def read(path: str, positive: object) -> Cases:
        return read_cases(
            path,
            label=label,
            scores=scores,
            pos_label=positive,
            nan_policy=nan_policy,
            resolution=resolution,
        )

    if segment_column is None:
        paths = _segment_paths(source)
        cases = read(source, pos_label)
        parts = {name: read(path, cases.positive) for name, path in paths.items()}
        return cases, {s: {name: part.models[s] for name, part in parts.items()} for s in scores}
    cases = read(source, pos_label)
    with open_file(source) as table:
        names = _segment_names(table, segment_column, label, nan_policy, resolution)
        rows = _numbered(table, segment_column, names, label, scores, nan_policy)
        found = {}
        for score in scores:
            with warnings.catch_warnings():
                # Warnings would call the scores by another name, and the numbers of segments scores.
                warnings.simplefilter("ignore")
                pair = read_scores(
                    rows,
                    label=label,
                    score=(NUMBER, score),
                    pos_label=cases.positive,
                    nan_policy=nan_policy,
                    resolution=resolution,
                )
                found[score] = _split(pair, names)
    return cases, found


def _segment_paths(source: str) -> dict[str, str]:
    """The files by their names up to the first dot, or by their paths where those are not distinct."""
    if is_query(source):
        raise ArgumentError(
            "segment_files", "go with a pattern of files", source, "Quote it: 'months/*.csv'."
        )
    files = found_files(source)
    stems = [path.name.split(".")[0] for path in files]
    names = stems if len(set(stems)) == len(stems) else [str(path) for path in files]
    _enough(names, "segment_files")
    return dict(zip(names, map(str, files), strict=True))


def _enough(names: Sequence[str], argument: str) -> None:
    if len(names) < 2:
        raise ArgumentError(argument, "give at least two segments", list(names), "Use months, regions, ...")


def _value(table: SqlTable, column: str) -> str:
    return f"nullif(trim(CAST({table.value(column)} AS VARCHAR)), '')"


def _segment_names(
    table: SqlTable, column: str, label: str, nan_policy: NanPolicy, resolution: int | None
) -> list[str]:
    """Values of the column, numbers by size and the rest by spelling."""
    if label not in table.columns:
        raise ArgumentError(
            "segment_column",
            "be left out for count tables, which hold no rows",
            column,
            "Count each segment by itself, and read the files with `segment_files=True`.",
        )
    if column not in table.columns:
        raise missing_column("segment_column", column, table.columns)
    found = (
        table.relation.project(f"{_value(table, column)} AS name").aggregate("name, count(*)").limit(MOST + 2)
    )
    rows = dict(found.fetchall())
    missing = rows.pop(None, 0)
    if missing and nan_policy == "raise":
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
    if resolution is not None and resolution < len(rows):
        raise ArgumentError(
            "resolution",
            f"be at least the number of segments, {len(rows)}",
            resolution,
            "Choose a finer resolution, or longer segments.",
        )
    numbers = {name: number_of(name) for name in rows}
    # Without `None` among them, which has no order.
    return sorted(rows) if None in numbers.values() else sorted(rows, key=lambda name: (numbers[name], name))


def _numbered(
    table: SqlTable,
    column: str,
    names: Sequence[str],
    label: str,
    scores: Sequence[str],
    nan_policy: NanPolicy,
) -> duckdb.DuckDBPyRelation:
    """The label, the scores as numbers, and the number of the segment."""
    listed = "[" + ", ".join(map(text, names)) + "]"
    columns = [
        f"{table.value(label)} AS {quoted(label)}",
        f"list_position({listed}, {_value(table, column)}) AS {quoted(NUMBER)}",
    ]
    columns += [f"{table.double(s)} AS {quoted(s)}" for s in scores]
    complete = " AND ".join(f"{quoted(c)} IS NOT NULL" for c in (label, *scores, NUMBER))
    numbered = table.relation.project(", ".join(columns))
    # A row that lacks one of several scores is dropped for all of them.
    return numbered if nan_policy == "raise" else numbered.filter(complete)


def _split(pair: PairedScores, names: Sequence[str]) -> dict[str, Scores]:
    """Each segment's scores, from pairs of the segment's number and the score."""
    highest = pair.score_b if pair.b.exact else pair.b.score_max[pair.index_b]
    found = {}
    for number, name in enumerate(names, 1):
        here = pair.score_a == number
        pos, neg = pair.pos[here], pair.neg[here]
        if not pos.sum() or not neg.sum():
            raise ArgumentError(
                "segment_column",
                f"have both classes in every segment, also in {name!r}",
                {"positives": int(pos.sum()), "negatives": int(neg.sum())},
                "Use longer segments, or leave this one out with SQL.",
            )
        found[name] = Scores.from_counts(pair.score_b[here], pos, neg, score_max=highest[here])
    return found


def divided(segments: Mapping[str, Scores], reference: Sequence[str]) -> tuple[list[str], dict[str, Scores]]:
    """Names of the segments to hold the others against, those given or else the first, and the others."""
    for name in reference:
        if name not in segments:
            listed = ", ".join(map(repr, segments))
            remedy = f"{suggest(name, segments)}The segments are {listed}."
            raise ArgumentError("reference", "be one of the segments", name, remedy)
    chosen = list(dict.fromkeys(reference)) or [next(iter(segments))]
    others = {name: part for name, part in segments.items() if name not in chosen}
    if not others:
        raise ArgumentError("reference", "leave at least one segment", chosen, "Leave some out.")
    return chosen, others


def merged(parts: Sequence[Scores]) -> Scores:
    """Several segments as one sample."""
    total = parts[0]
    for part in parts[1:]:
        total = total.merge(part)
    return total
