"""Count tables as files: all that inference needs, without the rows.

A count table is a Parquet file with one row per distinct score (or pair of scores), its positives and its
negatives. What the columns mean is written in the file's metadata, so that any command that reads rows
reads counts as well.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from confroc._check import ArgumentError
from confroc._files import CannotWriteError, whole_file
from confroc.ingest.cases import Cases, missing_column, same_label
from confroc.ingest.files import PARQUET, found_files
from confroc.ingest.sql import text, unreadable
from confroc.scores import PairedScores, Scores

if TYPE_CHECKING:
    import duckdb

KEY = "confroc_counts"
FORMAT = 1


def _columns(counts: Scores | PairedScores) -> dict[str, Any]:
    if isinstance(counts, Scores):
        columns = {"score": counts.score, "pos": counts.pos, "neg": counts.neg}
        return columns if counts.exact else columns | {"score_max": counts.score_max}
    columns = {"score_a": counts.score_a, "score_b": counts.score_b, "pos": counts.pos, "neg": counts.neg}
    for name, model, index in (("a", counts.a, counts.index_a), ("b", counts.b, counts.index_b)):
        if not model.exact:
            columns[f"score_{name}_max"] = model.score_max[index]
    return columns


def write_counts(
    counts: Scores | PairedScores | Cases,
    path: str | Path,
    *,
    label: str = "label",
    score: str | tuple[str, str] | None = None,
    positive: str = "1",
    negative: str = "0",
) -> Path:
    """Write a compact Parquet table of counts that `read_scores` and every command accept instead of rows.

    Parameters
    ----------
    counts : Scores, PairedScores or Cases
        `Cases` (from `confroc.ingest.read_cases`) of one model, or of two with their pair, bring their own
        names and labels.
    path : str or Path
        Ends in .parquet. Written beside and then renamed, so that an old file survives a failure.
    label, score, positive, negative : str
        Names under which the file will be read: the label column, the score column (two for a
        `PairedScores`; default "score", or "score_a" and "score_b"), the positive and the negative label.

    Returns
    -------
    Path

    Raises
    ------
    ValueError
        For a name that does not end in .parquet, or more than two models.
    OSError
        When the file cannot be written; nothing is left of it then.

    See Also
    --------
    read_counts, read_scores : Read it.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from confroc import Scores, read_scores
    >>> from confroc.ingest import write_counts
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = write_counts(Scores([0, 1, 1], [0.1, 0.1, 0.9]), pathlib.Path(folder) / "day.parquet")
    ...     read_scores(path, label="label", score="score")
    Scores(n_pos=2, n_neg=1, distinct=2, auc=0.7500)
    """
    path = Path(path)
    if not path.name.lower().endswith(PARQUET):
        raise ArgumentError("path", "end in .parquet", str(path), "Rename the output.")
    n_rows = None
    if isinstance(counts, Cases):
        label, positive, negative, n_rows = counts.label, counts.positive, counts.negative, counts.n_rows
        names = list(counts.models)
        if len(names) == 2 and counts.pairs:
            counts = counts.pairs[names[0], names[1]]
        elif len(names) == 1:
            counts = counts.models[names[0]]
        else:
            raise ArgumentError(
                "counts", "hold one model, or two with their pair", names, "Write one file each."
            )
    else:
        default = ["score"] if isinstance(counts, Scores) else ["score_a", "score_b"]
        names = default if score is None else [score] if isinstance(score, str) else list(score)
        if len(names) != len(default):
            raise ArgumentError("score", f"name {len(default)} column(s)", names, "Name each model once.")
    about = {
        "format": FORMAT,
        "label": label,
        "scores": names,
        "positive": positive,
        "negative": negative,
        "n_dropped": counts.n_dropped,
        "n_rows": counts.n_pos + counts.n_neg + counts.n_dropped if n_rows is None else n_rows,
    }
    _write(_columns(counts), about, path)
    return path


def _write(columns: dict[str, Any], about: dict[str, Any], path: Path) -> None:
    import duckdb

    with duckdb.connect() as connection:
        connection.register("counts", columns)
        kept = f"KV_METADATA {{{KEY}: {text(json.dumps(about))}}}"
        options = f"FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false, {kept}"
        with whole_file(path) as beside:
            try:
                connection.execute(f"COPY counts TO {text(str(beside))} ({options})")
            except duckdb.Error as error:
                raise CannotWriteError(path, OSError(str(error))) from None


def counts_about(files: Sequence[Path]) -> list[dict[str, Any]] | None:
    """Return what each file says of its counts; None when they are rows."""
    import duckdb

    if not files[0].name.lower().endswith(PARQUET):
        return None
    listed = "[" + ", ".join(text(str(p)) for p in files) + "]"
    with duckdb.connect() as connection:
        try:
            found = connection.sql(
                f"SELECT file_name, decode(value) FROM parquet_kv_metadata({listed}) "
                f"WHERE decode(key) = '{KEY}'"
            ).fetchall()
        except duckdb.Error as error:
            raise unreadable(", ".join(p.name for p in files), error) from None
    about = {name: json.loads(value) for name, value in found}
    if about and len(about) < len(files):
        rows = next(str(p) for p in files if str(p) not in about)
        raise ArgumentError("source", "be all rows or all count tables", rows, "Read the two kinds apart.")
    return [about[str(p)] for p in files] if about else None


def read_counts(source: str | Path) -> Scores | PairedScores:
    """Read the count tables that `write_counts` wrote; those of several files are added up.

    Parameters
    ----------
    source : str or Path
        A path or a pattern.

    Raises
    ------
    FileNotFoundError
        No such file.
    ValueError
        Not a count table, or files that do not go together.

    See Also
    --------
    write_counts : Writes them.
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
        for name in ("format", "label", "scores", "positive", "negative"):
            if one.get(name) != about[0].get(name):
                raise ArgumentError(
                    "source",
                    f"agree on {name!r} in all files ({about[0].get(name)!r})",
                    one.get(name),
                    f"Leave out {file.name}, or write it again.",
                )
    if about[0]["format"] != FORMAT:
        raise ArgumentError(
            "source", f"have format {FORMAT}", about[0]["format"], "Update confroc to read it."
        )
    import duckdb

    with duckdb.connect() as connection:
        total: Any = None
        for file, one in zip(files, about, strict=True):
            more = _table(connection, file, one["n_dropped"])
            total = more if total is None else total.merge(more)
    found: Scores | PairedScores = total
    return found


def _table(connection: duckdb.DuckDBPyConnection, file: Path, dropped: int) -> Scores | PairedScores:
    import duckdb

    try:
        found = connection.sql(f"SELECT * FROM read_parquet({text(str(file))})").fetchnumpy()
    except duckdb.Error as error:
        raise unreadable(str(file), error) from None
    column = {name: np.ma.getdata(v) for name, v in found.items()}
    if "score" in column:
        score, pos, neg = (column[c] for c in ("score", "pos", "neg"))
        return Scores._counted(score, pos, neg, column.get("score_max"), dropped)
    a, b, pos, neg = (column[c] for c in ("score_a", "score_b", "pos", "neg"))
    return PairedScores._counted(
        a, b, pos, neg, (column.get("score_a_max"), column.get("score_b_max")), dropped
    )


def counted_cases(
    source: str,
    files: Sequence[Path],
    about: Sequence[dict[str, Any]],
    label: str,
    scores: Sequence[str],
    pos_label: object,
) -> Cases:
    """Answer from count tables what was asked of rows."""
    first = about[0]
    if label != first["label"]:
        raise missing_column("label", label, [first["label"]])
    for name in scores:
        if name not in first["scores"]:
            raise missing_column("score", name, first["scores"])
    if pos_label is not None and not same_label(first["positive"], str(pos_label)):
        raise ArgumentError(
            "pos_label",
            f"be the label that was counted as positive ({first['positive']!r})",
            pos_label,
            "Leave it out, or count again.",
        )
    total = _total(files, about)
    models, pairs = {}, {}
    if isinstance(total, Scores):
        models[first["scores"][0]] = total
    else:
        a, b = first["scores"]
        models = {a: total.a, b: total.b}
        if list(scores) == [a, b]:
            pairs = {(a, b): total}
        elif list(scores) == [b, a]:
            pairs = {(b, a): total.swapped()}
    return Cases(
        source=source,
        label=label,
        positive=first["positive"],
        negative=first["negative"],
        n_rows=sum(one["n_rows"] for one in about),
        n_dropped=total.n_dropped,
        models={name: models[name] for name in scores},
        pairs=pairs,
    )
