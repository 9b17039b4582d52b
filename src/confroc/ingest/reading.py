"""Reading scores from any source; the type of the source determines the engine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict, Unpack, overload

import numpy as np

from confroc._check import (
    ArgumentError,
    check_choice,
    check_count,
    check_instance,
    check_items,
    check_name,
    check_omitted,
    held,
    warn,
    warned,
)
from confroc._keywords import checks_keywords
from confroc._types import BoolArray, FloatArray, IntArray
from confroc.ingest.cases import Cases, DesignColumns, check_column
from confroc.ingest.counting import NO_DESIGN, survey_table
from confroc.ingest.counts import counted_cases, counts_about
from confroc.ingest.files import DECIMALS, Decimal, check_text, found_files, is_query, open_file
from confroc.ingest.frames import open_frame
from confroc.ingest.groups import count_groups
from confroc.ingest.levels import CaseTable
from confroc.ingest.sql import SqlTable
from confroc.scores import NAN_POLICIES, NanPolicy, PairedScores, Scores, UnpairedScores, WeightKind
from confroc.scores.design import SHARED, WEIGHT_KINDS, shares_clusters

FEWEST_LEVELS = 10
IDENTIFIER = re.compile(
    r"(.*[_ ])?(id|patient|subject|customer|user|borrower|account|conversation|case|person|client)", re.I
)
"""Names of columns of identifiers."""
MOST_COUNTED = 100_000
"""Maximum number of rows for counting identifiers, which is slower than reading."""
REPEATS = (
    "Column {column!r} repeats values. If rows with the same value are dependent, intervals are too narrow "
    "without cluster={column!r}."
)


@contextmanager
def _open(source: Any, decimal: Decimal | None) -> Iterator[CaseTable]:
    if decimal is not None:
        check_choice("decimal", decimal, DECIMALS)
    if not isinstance(source, str | Path) or is_query(str(source)):
        check_text(source, decimal)
    if isinstance(source, str | Path):
        with open_file(str(source), decimal) as table:
            yield table
    elif type(source).__name__ == "DuckDBPyRelation":
        yield SqlTable(source, "DuckDB relation")
    else:
        yield open_frame(source)


def read_cases(
    source: Any,
    *,
    label: str,
    scores: Sequence[str],
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    resolution: int | None = None,
    paired: bool = False,
    design: DesignColumns = NO_DESIGN,
    decimal: Decimal | None = None,
) -> Cases:
    """Read one or more score columns of the same cases; arguments as in `read_scores`.

    With `paired`, the models are also counted jointly.
    """
    scores = _check_arguments(label, scores, nan_policy, resolution, design)
    columns, counted = list(scores), _counted(source)
    if counted is not None:
        check_omitted("for count tables", "Read the rows.", resolution=resolution, **design.arguments)
        check_text(source, decimal)
        columns = columns_of(scores, counted[1][0]["scores"], label)
        cases = counted_cases(str(source), *counted, label, columns, pos_label)
    else:
        with _open(source, decimal) as table:
            columns = columns_of(scores, table.columns, label)
            cases = _count(table, label, columns, pos_label, nan_policy, resolution, paired, design)
    if columns != scores:
        cases = _turned(cases, scores, columns)
    for name, model in cases.models.items():
        _warn_of(name, model)
    return cases


def _check_arguments(
    label: object, scores: object, nan_policy: object, resolution: object, design: DesignColumns
) -> list[str]:
    check_instance("design", design, DesignColumns, "Omit it, or use `read_scores`.")
    """Return the score columns as a list, or raise."""
    check_choice("nan_policy", nan_policy, NAN_POLICIES)
    if resolution is not None:
        check_count("resolution", resolution, minimum=FEWEST_LEVELS)
        check_omitted("with `resolution`", "Omit `resolution`.", **design.arguments)
    remedy = "Try scores=['score']."
    if isinstance(scores, str) or not (listed := check_items("scores", scores, remedy)):
        raise ArgumentError("scores", "be a list of at least one column", scores, remedy)
    check_name("label", label)
    return [check_name("score", name) for name in listed]


def columns_of(scores: Sequence[str], columns: Sequence[str], label: str) -> list[str]:
    """Return the columns of these scores; a minus before a column name negates its scores."""
    names = [s[1:] if s not in columns and s.startswith("-") and s[1:] in columns else s for s in scores]
    if len({label, *names}) <= len(names):
        rule = "contain distinct columns other than the label"
        raise ArgumentError("score", rule, list(scores), "Pass columns of scores, each once.")
    return names


def _turned(cases: Cases, scores: Sequence[str], columns: Sequence[str]) -> Cases:
    """Return the cases with the scores negated where requested, under the requested names."""
    places = [
        i for i, (requested, column) in enumerate(zip(scores, columns, strict=True)) if requested != column
    ]
    together = None if cases.scores is None else cases.scores._turned(places, tuple(scores))
    models = (
        together.models
        if together
        else [_turned_model(cases.models[c], s != c) for s, c in zip(scores, columns, strict=True)]
    )
    turned = tuple(scores[i] for i in places)
    return replace(cases, models=dict(zip(scores, models, strict=True)), scores=together, turned=turned)


def _turned_model(model: Scores, turn: bool) -> Scores:
    # Reported later, with the name of the column.
    with held():
        return -model if turn else model


def _warn_of(name: str, model: Scores) -> None:
    column = name.removeprefix("-")
    model._warn_of_ranking(column, f"use score={column if name != column else f'-{column}'!r}")
    if len(model.score) == 1:
        warn(f"All scores of `{column}` are equal, so the AUC is 0.5.")


def _counted(source: Any) -> tuple[list[Path], list[dict[str, Any]]] | None:
    """Return the files and the descriptions of their counts, for count tables."""
    if not isinstance(source, str | Path) or is_query(str(source)):
        return None
    files = found_files(str(source))
    about = counts_about(files)
    return (files, about) if about else None


def read_groups(
    source: Any,
    column: str,
    *,
    argument: str,
    label: str,
    scores: Sequence[str],
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    resolution: int | None = None,
    design: DesignColumns = NO_DESIGN,
    decimal: Decimal | None = None,
) -> dict[str, dict[str, Scores]]:
    """Read cases by the values of a column; `argument` names it in errors. See `count_groups`."""
    scores = _check_arguments(label, scores, nan_policy, resolution, design)
    if _counted(source):
        check_omitted("for count tables", "Count each group separately.", **{argument: column})
    with _open(source, decimal) as table:
        columns = columns_of(scores, table.columns, label)
        how = argument, label, columns, pos_label, nan_policy, resolution, design
        found = count_groups(table, column, *how)
    return {
        requested: {group: _turned_model(model, requested != name) for group, model in found[name].items()}
        for requested, name in zip(scores, columns, strict=True)
    }


def read_folds(
    source: str,
    fold: str,
    case: str | None,
    label: str,
    scores: Sequence[str],
    pos: str,
    policy: NanPolicy,
    design: DesignColumns = NO_DESIGN,
    decimal: Decimal | None = None,
) -> tuple[BoolArray, dict[str, list[tuple[IntArray, FloatArray]]], dict[str, Any]]:
    """Read cross-validated cases for `CrossValidatedScores`: labels, each model's folds, and the design.

    Columns `fold` and `case` number the folds and the cases; without `case` each row is a case.
    """
    with _open(source, decimal) as table:
        given = {"fold": fold} if case is None else {"fold": fold, "case": case}
        for argument, column in given.items():
            check_column(argument, column, table.columns)
        keys = columns_of([*given.values(), *scores], table.columns, label)
        counting = survey_table(table, label, keys, pos, policy, design)
        rows: Any = counting.designed(design) if design.named else counting.joint(dict.fromkeys(keys))
    y_true, at, columns = rows_of(rows)
    numbers, *values = (rows._column(i)[at] for i in range(len(keys)))
    cases = np.arange(len(y_true))
    if case is not None:
        _, first, cases = np.unique(values.pop(0), return_index=True, return_inverse=True)
        for name, column in {"label": y_true, **columns}.items():
            if (np.asarray(column).T[first][cases] != np.asarray(column).T).any():
                raise ArgumentError("case", f"have one {name} per case", case, "Check the column.")
        y_true = y_true[first]
        columns = {name: np.asarray(column)[..., first] for name, column in columns.items()}
    found = {}
    for name, column, value in zip(scores, keys[len(given) :], values, strict=True):
        score = value if name == column else -value
        found[name] = [(cases[numbers == k], score[numbers == k]) for k in np.unique(numbers)]
    return y_true, found, {name: tuple(c) if np.ndim(c) > 1 else c for name, c in columns.items()}


def rows_of(data: PairedScores) -> tuple[BoolArray, IntArray, dict[str, Any]]:
    """Return the class of each case, its row in the table, and its design columns."""
    design = data.design
    if design is None:
        both = np.column_stack([data.pos, data.neg])
        cells = np.arange(both.size)
        at = np.repeat(cells // 2, both.ravel())
        return np.repeat(cells % 2 == 0, both.ravel()), at, {}
    cells = np.repeat(np.arange(len(design.row)), design.count)
    columns: dict[str, Any] = {"sample_weight": design.weight} if design.weighted else {}
    clusters = [column.label[column.code] for column in design.clusters]
    if clusters:
        columns["cluster"] = clusters[0] if len(clusters) == 1 else np.array(clusters)
    columns |= {} if design.stratum is None else {"strata": design.stratum.label[design.stratum.code]}
    return design.positive[cells], design.row[cells], {n: c[..., cells] for n, c in columns.items()}


def _count(
    table: CaseTable,
    label: str,
    scores: Sequence[str],
    pos_label: object,
    nan_policy: NanPolicy,
    resolution: int | None,
    paired: bool,
    design: DesignColumns,
) -> Cases:
    counting = survey_table(table, label, scores, pos_label, nan_policy, design)
    steps = counting.steps(resolution)
    together: PairedScores | None = None
    models: Sequence[Scores]
    if design.named:
        found = counting.designed(design)
        together = found if isinstance(found, PairedScores) else None
        models = found.models if isinstance(found, PairedScores) else [found]
    else:
        if paired and len(scores) > 1:
            together = counting.together(steps) if resolution is None else counting.joint(steps)
        models = together.models if together else [counting.model(name, how) for name, how in steps.items()]
    if not design.clusters:
        _warn_of_repeats(table, {label, *scores, *design.named}, counting.n_rows)
    return Cases(
        source=table.name,
        cluster=design.cluster if isinstance(design.cluster, str) else "",
        label=label,
        positive=counting.positive,
        negative=counting.negative,
        n_rows=counting.n_rows,
        n_dropped=counting.n_dropped,
        models=dict(zip(scores, models, strict=True)),
        scores=together,
    )


def _warn_of_repeats(table: CaseTable, used: set[str], rows: int) -> None:
    for column in table.columns if rows <= MOST_COUNTED else ():
        named = column not in used and IDENTIFIER.fullmatch(column)
        if named and 1 < len(table.values(column, rows)) < rows:
            warn(REPEATS.format(column=column))
            return


class ReadOptions(TypedDict, total=False):
    """Options of `read_scores` that do not change its type of result."""

    sample_weight: str | None
    weight_kind: WeightKind
    cluster: str | tuple[str, str] | None
    strata: str | None
    pos_label: object
    nan_policy: NanPolicy
    resolution: int | None
    decimal: Decimal | None


@overload
def read_scores(
    source: Any, *, label: str, score: str, group: None = None, **options: Unpack[ReadOptions]
) -> Scores: ...
@overload
def read_scores(
    source: Any, *, label: str, score: str, group: str, **options: Unpack[ReadOptions]
) -> UnpairedScores: ...
@overload
def read_scores(
    source: Any,
    *,
    label: str,
    score: tuple[str, ...] | list[str],
    group: None = None,
    **options: Unpack[ReadOptions],
) -> PairedScores: ...
@checks_keywords
def read_scores(
    source: Any,
    *,
    label: str,
    score: str | tuple[str, ...] | list[str],
    sample_weight: str | None = None,
    weight_kind: WeightKind = "sampling",
    cluster: str | tuple[str, str] | None = None,
    strata: str | None = None,
    pos_label: object = None,
    group: str | None = None,
    nan_policy: NanPolicy = "raise",
    resolution: int | None = None,
    decimal: Decimal | None = None,
) -> Scores | PairedScores | UnpairedScores:
    """Read scores from files, a query or a data frame, in memory or on a cluster.

    Parameters
    ----------
    source : str, Path, DuckDB relation or data frame
        Path or pattern of CSV (.csv, .tsv, .txt, also .gz; delimiters and, from the first 1,000 rows, decimal
        commas are detected), Parquet or Arrow (.arrow, .feather) files, read out of core by DuckDB; an
        existing path is never a pattern. Also Parquet files written by `write_counts`, whose counts are
        added; SQL that begins with SELECT, FROM or WITH, one statement that reads local files only; a DuckDB
        relation, on its own connection; or a data frame that narwhals supports: pandas, polars, pyarrow, and
        lazy ones (polars, Dask, PySpark, ...), which are grouped where they are.
    label : str
        Column of true classes. {0, 1}, {-1, 1} and true/false need no `pos_label`. Column names of a data
        frame that are not text are matched as text, 0 as "0".
    score : str or sequence of str
        Score column; several give a `PairedScores` with their names. If low scores indicate the positive
        class, put a minus before the column name: "-platelets" negates the scores.
    sample_weight, weight_kind, cluster, strata : str, optional
        Columns of weights, of clusters (a patient, a borrower; a pair of columns for two identifiers) and of
        strata, as in `Scores`.
    pos_label : object, optional
        The positive class, compared as text or as a number; all other labels are negative.
    group : str, optional
        Column of regions, sites, months, ... Its values are the samples of an `UnpairedScores`, in numerical
        or else alphabetical order. For one score column only. Groups that share clusters are dependent, with
        a warning.
    nan_policy : {"raise", "omit"}
        "omit" drops rows whose label, score or group is missing. In CSV files an empty field and NA, NaN,
        null or None are missing.
    resolution : int, optional
        Maximum number of distinct scores per column (at least 10). If there are more, neighboring scores
        share a level, with about equal numbers of cases; `fpr_error`, `tpr_error` and `auc_error` of the
        `Scores` bound the effect, about 2 / resolution for the rates. The levels are the same for every
        source. For several models the joint counts are kept, whatever their number.
    decimal : {".", ","}, optional
        Decimal mark of CSV files, for all columns. By default it is detected, column by column.

    Returns
    -------
    Scores, PairedScores or UnpairedScores
        Identical counts from every kind of source. Several models of very many cases (rows times models above
        2e7, and as many distinct rows of scores) are returned without joint counts unless `resolution` is
        given: each model's table, and the sums for the covariances of AUCs. AUCs and their differences are
        the same; methods that need joint counts raise an error.

    Raises
    ------
    FileNotFoundError
        No such file.
    ImportError
        A library that the source needs is not installed.
    ValueError
        Missing columns, repeated column names, no rows, non-numeric or infinite scores, one class only (also
        in a group), fewer than two groups or more than 1000, labels of mixed types or that need `pos_label`,
        missing values with "raise", and files or queries that cannot be read, are damaged, or change between
        passes.

    See Also
    --------
    Scores, PairedScores : From arrays.
    write_counts, read_counts : Tables of counts as files.
    confroc.ingest.read_segments : By month, region or file.

    Examples
    --------
    >>> from confroc import read_scores
    >>> read_scores("SELECT * FROM (VALUES (1, 0.9), (0, 0.2), (1, 0.2)) AS t(y, s)", label="y", score="s")
    Scores(n_pos=2, n_neg=1, distinct=2, auc=0.7500)
    """
    names = tuple(score) if isinstance(score, list | tuple) else (score,)
    if not names:
        raise ArgumentError("score", "contain at least one column", names, 'Try score="score".')
    check_choice("weight_kind", weight_kind, WEIGHT_KINDS)
    design = DesignColumns(sample_weight, weight_kind, cluster, strata).checked()
    given: dict[str, Any] = {"label": label, "scores": names, "pos_label": pos_label, "decimal": decimal}
    given |= {"nan_policy": nan_policy, "resolution": resolution, "design": design}
    if group is not None:
        if len(names) > 1:
            remedy = f"Read one model at a time, e.g. score={names[0]!r}."
            raise ArgumentError("group", "be given with one score column", list(names), remedy)
        groups = read_groups(source, group, argument="group", **given)[names[0]]
        for sample in groups.values():
            _warn_of(names[0], sample)
        warned(SHARED, where=shares_clusters(groups.values()))
        return UnpairedScores._by(group, [*groups.values()], tuple(groups))
    cases = read_cases(source, paired=True, **given)
    return cases.models[names[0]] if cases.scores is None else cases.scores
