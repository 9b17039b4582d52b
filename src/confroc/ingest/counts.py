"""Tables of counts as files, in place of the rows.

A count table is a Parquet file with one row per distinct score (or row of scores) and its positives and
negatives. The file's metadata describe the columns, so that any command that reads rows also reads counts,
and include a checksum.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from confroc._check import ArgumentError, check_instance, check_items, check_name
from confroc._files import CannotWriteError, check_output, whole_file
from confroc.ingest.cases import Cases, DesignCells, DesignColumns, check_column
from confroc.ingest.files import PARQUET, connected, files_read, found_files, literal
from confroc.ingest.sql import text, unreadable
from confroc.scores import Design, PairedScores, Scores, accepts_models, models_of, usual_names
from confroc.scores.labels import check_classes, same_label

if TYPE_CHECKING:
    import duckdb

KEY = "confroc_counts"
FORMAT = 2
FORMAT_OF_MANY = 3
"""Format with more than two models."""
CLUSTERS, STRATUM = ("cluster_1", "cluster_2"), "stratum"
"""Identifier columns, as text."""
DIGEST = "sha256"
MOST = 2**53
"""Largest number of cases accepted from a file."""


def _score_columns(models: int) -> tuple[str, ...]:
    """Names of the score columns of a file."""
    return ("score",) if models == 1 else tuple(f"score_{name}" for name in usual_names(models))


def _format(models: int) -> int:
    return FORMAT_OF_MANY if models > 2 else FORMAT


def _columns(counts: Scores | PairedScores) -> dict[str, Any]:
    if counts.design is not None:
        return _cells(counts, counts.design)
    if isinstance(counts, Scores):
        columns = {"score": counts.score, "pos": counts.pos, "neg": counts.neg}
        return columns if counts.exact else columns | {"score_max": counts.score_max}
    columns = {"pos": counts.pos, "neg": counts.neg}
    models = zip(_score_columns(len(counts.models)), counts.models, counts.index, strict=True)
    for name, model, index in models:
        columns[name] = model.score[index]
        if not model.exact:
            columns[f"{name}_max"] = model.score_max[index]
    return columns


def _cells(counts: Scores | PairedScores, design: Design) -> dict[str, Any]:
    """Rows of a table of design cells: class, row of scores, weight, clusters and stratum."""
    tables = models_of(counts)
    places: tuple[Any, ...] = (slice(None),) if isinstance(counts, Scores) else counts.index
    models = zip(_score_columns(len(tables)), tables, places, strict=True)
    columns: dict[str, Any] = {name: table.score[at][design.row] for name, table, at in models}
    columns["pos"] = np.where(design.positive, design.count, 0)
    columns["neg"] = np.where(design.positive, 0, design.count)
    if design.weighted:
        columns["weight"] = design.weight * design.scale
    named = dict(zip(CLUSTERS, design.clusters, strict=False))
    named |= {} if design.stratum is None else {STRATUM: design.stratum}
    return columns | {name: column.label[column.code].astype(object) for name, column in named.items()}


def _digest(about: Mapping[str, Any], columns: Mapping[str, Any]) -> str:
    """Return the checksum of a file's content, independent of its encoding."""
    said = {name: value for name, value in about.items() if name != DIGEST}
    digest = hashlib.sha256(json.dumps([said, sorted(columns)], sort_keys=True).encode())
    for name in sorted(columns):
        if name in (*CLUSTERS, STRATUM):
            digest.update(json.dumps(columns[name].tolist()).encode())
            continue
        kind = "<f8" if name.startswith(("score", "weight")) else "<i8"
        digest.update(np.ascontiguousarray(columns[name], kind).data)
    return digest.hexdigest()


@accepts_models
def write_counts(
    counts: Scores | PairedScores | Cases,
    *,
    path: str | os.PathLike[str],
    label: str = "label",
    score: str | Sequence[str] | None = None,
    positive: str = "1",
    negative: str = "0",
    force: bool = False,
) -> Path:
    """Write a compact Parquet table of counts, which `read_scores` and every command accept in place of rows.

    Weights, clusters and strata are kept, with one row for each distinct combination.

    Parameters
    ----------
    counts : Scores, PairedScores or Cases
        Models on the same cases with joint counts. `Cases` (from `confroc.ingest.read_cases`) of one model,
        or of several with `paired=True`, have their own names and labels.
    path : str or path-like
        Must end in .parquet. Written to a temporary name and then renamed, so that an existing file survives
        a failure. Readers verify the file's checksum.
    label, score, positive, negative : str
        Names in the file: the label column, the score columns (one per model; default "score", or the names
        of the models, "score_a" and "score_b" if unnamed), the positive and the negative label.
    force : bool
        Also replace a file that is not a table of counts.

    Returns
    -------
    Path

    Raises
    ------
    TypeError
        Counts of another type, or names that are not text.
    ValueError
        A path that does not end in .parquet, models without joint counts, repeated names, the file that the
        cases were read from, or, without `force`, a file that is not a table of counts.
    OSError
        The file cannot be written; no partial file remains.

    See Also
    --------
    read_counts, read_scores : Read the file.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from confroc import Scores, read_scores
    >>> from confroc.ingest import write_counts
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = write_counts(Scores([0, 1, 1], [0.1, 0.1, 0.9]), path=pathlib.Path(folder) / "day.parquet")
    ...     read_scores(path, label="label", score="score")
    Scores(n_pos=2, n_neg=1, distinct=2, auc=0.7500)
    """
    remedy = "Write one file per sample."
    check_instance("counts", counts, (Scores, PairedScores, Cases), remedy)
    read = files_read(counts.source) if isinstance(counts, Cases) else []
    path = check_output("path", path, mark=KEY, inputs=read, force=force)
    if not path.name.lower().endswith(PARQUET):
        raise ArgumentError("path", "end in .parquet", str(path), "Rename the output.")
    try:
        os.path.realpath(path).encode()
    except UnicodeEncodeError:
        # DuckDB supports only these.
        raise ArgumentError("path", "have a name in UTF-8", str(path), "Rename the output.") from None
    n_rows = None
    if isinstance(counts, Cases):
        label, positive, negative, n_rows = counts.label, counts.positive, counts.negative, counts.n_rows
        names = list(counts.models)
        if counts.scores is None and len(names) > 1:
            remedy = "Read with `paired=True`, or write one file per model."
            raise ArgumentError("counts", "contain one model, or several jointly", names, remedy)
        counts = counts.models[names[0]] if counts.scores is None else counts.scores
    else:
        default = _default_names(counts)
        given = [score] if isinstance(score, str) else default if score is None else score
        names = check_items("score", given, "Pass one name per model.")
        if len(names) != len(default):
            raise ArgumentError("score", f"name {len(default)} column(s)", names, "Pass one name per model.")
    if isinstance(counts, PairedScores) and not counts.joint:
        remedy = "Read with e.g. resolution=4096, or write one file per model."
        found = f"{len(names)} models without joint counts"
        raise ArgumentError("counts", "contain joint counts", found, remedy)
    for argument, value in (("label", label), *(("score", name) for name in names)):
        check_name(argument, value)
    check_classes(positive, negative)
    if len({label, *names}) <= len(names):
        remedy = "Use each name once."
        raise ArgumentError("score", "contain distinct names other than the label", names, remedy)
    about = {
        "format": _format(len(names)),
        "label": label,
        "scores": names,
        "positive": positive,
        "negative": negative,
        "n_dropped": counts.n_dropped,
        "n_rows": _rows_of(counts) + counts.n_dropped if n_rows is None else n_rows,
    }
    columns = _columns(counts)
    _write(columns, about | {DIGEST: _digest(about, columns)}, path)
    return path


def _rows_of(counts: Scores | PairedScores) -> int:
    return int(counts.n_pos + counts.n_neg) if counts.design is None else counts.design.rows


def _default_names(counts: Scores | PairedScores) -> tuple[str, ...]:
    if isinstance(counts, Scores):
        return _score_columns(1)
    k = len(counts.names)
    return _score_columns(k) if counts.names == usual_names(k) else counts.names


def _write(columns: dict[str, Any], about: dict[str, Any], path: Path) -> None:
    import duckdb

    with duckdb.connect() as connection:
        connection.register("counts", columns)
        kept = f"KV_METADATA {{{KEY}: {text(json.dumps(about))}}}"
        options = f"FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false, {kept}"
        with whole_file(path) as temporary:
            try:
                connection.execute(f"COPY counts TO {text(str(temporary))} ({options})")
            except duckdb.Error as error:
                raise CannotWriteError(path, OSError(str(error))) from None


def counts_about(files: Sequence[Path]) -> list[dict[str, Any]] | None:
    """Return each file's description of its counts; None for files of rows."""
    import duckdb

    if not files[0].name.lower().endswith(PARQUET):
        return None
    about = []
    with connected() as connection:
        for file in files:
            try:
                found = connection.sql(
                    f"SELECT value FROM parquet_kv_metadata({literal(file)}) WHERE key = '{KEY}'::BLOB"
                ).fetchall()
            except duckdb.Error as error:
                raise unreadable(str(file), error) from None
            about.append(_understood(file, found[0][0]) if found else None)
    known = [one for one in about if one is not None]
    if known and len(known) < len(files):
        rows = str(files[about.index(None)])
        rule = "be all rows or all count tables"
        raise ArgumentError("source", rule, rows, "Read the two kinds separately.")
    return known or None


def _damaged(file: Path) -> ArgumentError:
    remedy = "The file is damaged; count the rows again."
    return ArgumentError("source", "be an intact table of counts", str(file), remedy)


def _understood(file: Path, value: bytes) -> dict[str, Any]:
    """Read a file's description of its counts."""
    try:
        about = json.loads(value)
        kind = about["format"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise _damaged(file) from None
    if kind not in (FORMAT, FORMAT_OF_MANY):
        remedy = "The file is from another version of confroc; count the rows again."
        known = f"be a table of counts of format {FORMAT} or {FORMAT_OF_MANY}"
        raise ArgumentError("source", known, str(file), remedy)
    texts = [about.get(name) for name in ("label", "positive", "negative", DIGEST)]
    names, numbers = about.get("scores"), [about.get(name) for name in ("n_dropped", "n_rows")]
    sound = isinstance(names, list) and bool(names) and len(about) == 8
    sound = sound and kind == _format(len(names))
    sound = sound and all(isinstance(value, str) for value in (*texts, *names))
    sound = sound and all(type(value) is int and 0 <= value <= MOST for value in numbers)
    if not sound or len({texts[0], *names}) <= len(names):
        raise _damaged(file)
    found: dict[str, Any] = about
    return found


def read_counts(source: str | Path) -> Scores | PairedScores:
    """Read tables of counts written by `write_counts`; counts of several files are added.

    Parameters
    ----------
    source : str or Path
        Path or pattern.

    Raises
    ------
    FileNotFoundError
        No such file.
    ValueError
        Not a count table, damaged, from another version, or incompatible files.

    See Also
    --------
    write_counts : Writes tables of counts.
    """
    files = found_files(str(source))
    about = counts_about(files)
    if about is None:
        raise ArgumentError("source", "be a table of counts", str(source), "Write one with `write_counts`.")
    total = _total(files, about)
    total._warn_below_half()
    return total


def _total(files: Sequence[Path], about: Sequence[dict[str, Any]]) -> Scores | PairedScores:
    for file, one in zip(files, about, strict=True):
        for name in ("label", "scores", "positive", "negative"):
            if one.get(name) != about[0].get(name):
                rule = f"have the same {name!r} in all files ({about[0].get(name)!r})"
                raise ArgumentError("source", rule, one.get(name), f"Exclude {file.name}, or write it again.")
    with connected(in_order=True) as connection:
        total: Any = None
        for file, one in zip(files, about, strict=True):
            more = _table(connection, file, one)
            total = more if total is None else total.merge(more)
    found: Scores | PairedScores = total
    return found


def _table(
    connection: duckdb.DuckDBPyConnection, file: Path, about: Mapping[str, Any]
) -> Scores | PairedScores:
    import duckdb

    scores = _score_columns(len(about["scores"]))
    needed = dict.fromkeys(scores, "DOUBLE") | {"pos": "BIGINT", "neg": "BIGINT"}
    allowed = needed | {f"{name}_max": "DOUBLE" for name in scores} | {"weight": "DOUBLE"}
    allowed |= dict.fromkeys((*CLUSTERS, STRATUM), "VARCHAR")
    try:
        relation = connection.sql(f"SELECT * FROM read_parquet({literal(file)}, hive_partitioning = false)")
        kinds = dict(zip(relation.columns, map(str, relation.types), strict=True))
        if not needed.items() <= kinds.items() <= allowed.items():
            raise _damaged(file)
        found = relation.fetchnumpy()
    except duckdb.Error as error:
        raise unreadable(str(file), error) from None
    column = {name: np.ma.getdata(values) for name, values in found.items()}
    missing = any(np.ma.getmaskarray(values).any() for values in found.values())
    if missing or _digest(about, column) != about[DIGEST]:
        raise _damaged(file)
    pos, neg, dropped = column["pos"], column["neg"], about["n_dropped"]
    if not column.keys().isdisjoint({"weight", *CLUSTERS, STRATUM}):
        return _of_cells(column, scores, tuple(about["scores"]), dropped)
    tops = [column.get(f"{name}_max") for name in scores]
    if len(scores) == 1:
        return Scores._counted(column["score"], pos, neg, tops[0], dropped)
    columns, names = [column[name] for name in scores], tuple(about["scores"])
    return PairedScores._counted(columns, pos, neg, tops, dropped, names)


def _of_cells(
    column: Mapping[str, Any], scores: Sequence[str], names: tuple[str, ...], dropped: int
) -> Scores | PairedScores:
    """Return the table of cells written by `_cells`."""
    positive = column["pos"] > 0
    clusters = [column[name] for name in CLUSTERS if name in column]
    identifiers = [*clusters, *([column[STRATUM]] if STRATUM in column else [])]
    columns = [column[name] for name in scores]
    weight = column.get("weight")
    cells = DesignCells(positive, columns, weight, identifiers, column["pos"] + column["neg"])
    named = DesignColumns(
        None if weight is None else "weight",
        cluster=tuple(CLUSTERS[: len(clusters)]) or None,  # type: ignore[arg-type]
        strata=STRATUM if STRATUM in column else None,
    )
    cases = cells.cases(named, dropped)
    return Scores._sampled(cases) if len(scores) == 1 else PairedScores._sampled(cases, names)


def counted_cases(
    source: str,
    files: Sequence[Path],
    about: Sequence[dict[str, Any]],
    label: str,
    scores: Sequence[str],
    pos_label: object,
) -> Cases:
    """Read cases from count tables."""
    first = about[0]
    check_column("label", label, [first["label"]])
    for name in scores:
        check_column("score", name, first["scores"])
    if pos_label is not None and not same_label(first["positive"], str(pos_label)):
        rule = f"be the label counted as positive ({first['positive']!r})"
        raise ArgumentError("pos_label", rule, pos_label, "Omit it, or count the rows again.")
    total = _total(files, about)
    if isinstance(total, Scores):
        models, together = {first["scores"][0]: total}, None
    else:
        together = total[list(scores)] if len(scores) > 1 else None
        models = dict(total.items())
    return Cases(
        source=source,
        label=label,
        positive=first["positive"],
        negative=first["negative"],
        n_rows=sum(one["n_rows"] for one in about),
        n_dropped=total.n_dropped,
        models={name: models[name] for name in scores},
        scores=together,
    )
