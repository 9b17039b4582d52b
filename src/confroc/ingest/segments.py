"""All cases, and the cases by segment (month, region or file)."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from confroc._check import ArgumentError, ArgumentTypeError, check_flag
from confroc._keywords import suggest
from confroc.ingest.cases import Cases, DesignColumns
from confroc.ingest.files import Decimal, found_files, is_query
from confroc.ingest.groups import enough
from confroc.ingest.reading import read_cases, read_groups
from confroc.scores import NanPolicy, Scores, WeightKind

Segments: TypeAlias = Mapping[str, Mapping[str, Scores]]
"""Scores by score column and segment."""


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
    sample_weight: str | None = None,
    weight_kind: WeightKind = "sampling",
    cluster: str | tuple[str, str] | None = None,
    strata: str | None = None,
    decimal: Decimal | None = None,
) -> tuple[Cases, Segments]:
    """Read all cases, and the cases by segment.

    Parameters
    ----------
    source : str or Path
        Path, pattern or SQL, as for `read_scores`.
    label : str
    scores : sequence of str
        Score columns; with "omit" a row that lacks one of them is dropped for all.
    segment_column : str, optional
        Each value of this column is a segment; not for count tables.
    segment_files : bool
        Each file of a pattern is a segment; rows or count tables. One of the two is required.
    pos_label, nan_policy, resolution, sample_weight, weight_kind, cluster, strata, decimal
        As in `read_scores`.

    Returns
    -------
    Cases
        All cases.
    mapping of score column to mapping of segment to Scores
        Segments in numerical or else alphabetical order; files in order of their names.

    Raises
    ------
    ValueError
        Fewer than two or more than 1000 segments, one without both classes, or rows without a segment with
        "raise"; as in `read_scores`.

    See Also
    --------
    confroc.auc_forecast : Forecasts from the drift between segments.
    confroc.drift_monitor : Compares segments with a reference.

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
            "segment_column", "not be combined with `segment_files`", segment_column, "Choose one."
        )
    if not isinstance(source, str | Path):
        raise ArgumentTypeError(
            "source",
            "be a path, a pattern of paths or SQL",
            type(source).__name__,
            "Write the rows to a file first.",
        )
    source = str(source)
    design = DesignColumns(sample_weight, weight_kind, cluster, strata).checked()

    given: dict[str, Any] = {"label": label, "scores": scores, "design": design, "decimal": decimal}
    given |= {"nan_policy": nan_policy, "resolution": resolution}
    paths = _segment_paths(source) if segment_column is None else {}
    cases = read_cases(source, pos_label=pos_label, **given)
    given["pos_label"] = cases.positive
    if segment_column is not None:
        return cases, read_groups(source, segment_column, argument="segment_column", **given)
    parts = {name: read_cases(path, **given) for name, path in paths.items()}
    return cases, {s: {name: part.models[s] for name, part in parts.items()} for s in scores}


def _segment_paths(source: str) -> dict[str, str]:
    """The files by name up to the first dot, or by path if these are not distinct."""
    if is_query(source):
        raise ArgumentError(
            "segment_files", "be used with a pattern of files", source, "Quote it: 'months/*.csv'."
        )
    files = found_files(source)
    stems = [path.name.split(".")[0] for path in files]
    names = stems if len(set(stems)) == len(stems) else [str(path) for path in files]
    enough(names, "segment_files")
    return dict(zip(names, map(str, files), strict=True))


def divided(segments: Mapping[str, Scores], reference: Sequence[str]) -> tuple[list[str], dict[str, Scores]]:
    """Names of the reference segments (by default the first) and of the others."""
    for name in reference:
        if name not in segments:
            listed = ", ".join(map(repr, segments))
            remedy = f"{suggest(name, segments)}The segments are {listed}."
            raise ArgumentError("reference", "be one of the segments", name, remedy)
    chosen = list(dict.fromkeys(reference)) or [next(iter(segments))]
    others = {name: part for name, part in segments.items() if name not in chosen}
    if not others:
        raise ArgumentError("reference", "leave at least one segment", chosen, "Name fewer segments.")
    return chosen, others


def merged(parts: Sequence[Scores]) -> Scores:
    """Merge several segments."""
    return functools.reduce(Scores.merge, parts)
