"""Reading scores from any source: what it is finds its engine, the rules are the same for all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, overload

import numpy as np

from confroc._check import ArgumentError, ArgumentTypeError, check_choice, check_count, check_items, warn
from confroc.ingest.cases import Cases, CellCounts, Chosen, Survey, choose, missing_column
from confroc.ingest.counts import counted_cases, counts_about
from confroc.ingest.files import found_files, is_query, open_file
from confroc.ingest.frames import open_frame
from confroc.ingest.levels import CaseTable, LevelMap, find_steps
from confroc.ingest.sql import SqlTable
from confroc.ingest.together import joint_of, placements_of, scores_of
from confroc.scores import NAN_POLICIES, NanPolicy, PairedScores, Scores

FEWEST_LEVELS = 10
MOST_JOINT = 20_000_000
"""Most numbers (rows times models) of a table of joint counts that is kept without being asked for."""


@contextmanager
def _open(source: Any) -> Iterator[CaseTable]:
    if isinstance(source, str | Path):
        with open_file(str(source)) as table:
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
) -> Cases:
    """Read one or more score columns of the same cases; see `read_scores` for the arguments.

    With `paired` what is known of all models together comes back as well.
    """
    check_choice("nan_policy", nan_policy, NAN_POLICIES)
    if resolution is not None:
        check_count("resolution", resolution, minimum=FEWEST_LEVELS)
    if isinstance(scores, str) or not (scores := check_items("scores", scores, "Try scores=['score'].")):
        raise ArgumentError("scores", "be a list of at least one column", scores, "Try scores=['score'].")
    for argument, column in (("label", label), *(("score", name) for name in scores)):
        if not isinstance(column, str):
            raise ArgumentTypeError(argument, "be the name of a column", column, "Give it as text.")
    if len(set(scores)) < len(scores) or label in scores:
        raise ArgumentError(
            "score", "name distinct columns other than the label", list(scores), "Name each column once."
        )
    cases = _from_counts(source, label, scores, pos_label)
    if cases is not None and resolution is not None:
        raise ArgumentError(
            "resolution",
            "be left out for count tables",
            resolution,
            "Choose it when counting the rows.",
        )
    if cases is None:
        with _open(source) as table:
            cases = _count(table, label, scores, pos_label, nan_policy, resolution, paired)
    for name, model in cases.models.items():
        model._warn_below_half(name)
        if len(model.score) == 1:
            warn(f"All scores of `{name}` are equal: they cannot rank the cases, so the AUC is 0.5.")
    return cases


def _from_counts(source: Any, label: str, scores: Sequence[str], pos_label: object) -> Cases | None:
    """Answer from count tables, if that is what the source is."""
    if not isinstance(source, str | Path) or is_query(str(source)):
        return None
    files = found_files(str(source))
    about = counts_about(files)
    return counted_cases(str(source), files, about, label, scores, pos_label) if about else None


def _count(
    table: CaseTable,
    label: str,
    scores: Sequence[str],
    pos_label: object,
    nan_policy: NanPolicy,
    resolution: int | None,
    paired: bool,
) -> Cases:
    for column, argument in {label: "label", **dict.fromkeys(scores, "score")}.items():
        if column not in table.columns:
            raise missing_column(argument, column, table.columns)
    survey = table.survey(label, scores)
    chosen, positive, negative = choose(table.name, survey, label, pos_label, nan_policy)
    n_rows = sum(found.rows for found in survey.labels)
    known = {*chosen.positives, *chosen.negatives}
    dropped = n_rows - sum(found.complete for found in survey.labels if found.raw in known)
    steps: dict[str, LevelMap | None] = dict.fromkeys(scores)
    if resolution is not None:
        for name, facts in survey.scores.items():
            if facts.low is not None and facts.high is not None:
                steps[name] = find_steps(table, chosen, name, (facts.low, facts.high), resolution)
    together = None
    if paired and len(scores) > 1:
        together = _together(table, survey, chosen, steps, dropped, joint=resolution is not None)
    models = (
        together.models
        if together is not None
        else [scores_of(_tally(table, survey, chosen, {name: steps[name]}), dropped) for name in scores]
    )
    return Cases(
        source=table.name,
        label=label,
        positive=positive,
        negative=negative,
        n_rows=n_rows,
        n_dropped=dropped,
        models=dict(zip(scores, models, strict=True)),
        scores=together,
    )


def _together(
    table: CaseTable,
    survey: Survey,
    chosen: Chosen,
    steps: Mapping[str, LevelMap | None],
    dropped: int,
    *,
    joint: bool,
) -> PairedScores:
    """Count by all scores at once or, where that is too much, by each, and sum up what areas need."""
    names = tuple(steps)
    rows = sum(_complete(survey, chosen))
    if not joint and rows * len(names) > MOST_JOINT:
        models = [scores_of(_tally(table, survey, chosen, {name: None}), dropped) for name in names]
        if math.prod(len(model.score) for model in models) * len(names) > MOST_JOINT:
            cases, sums = table.difference_sums(chosen, placements_of(models))
            _same_cases(survey, chosen, cases)
            return PairedScores._without_joint(models, sums, names, dropped)
    return joint_of(_tally(table, survey, chosen, steps), list(steps.values()), dropped, names)


def _complete(survey: Survey, chosen: Chosen) -> tuple[int, int]:
    """Return the positives and the negatives that lack no score, as the survey has found them."""
    pos, neg = (
        sum(found.complete for found in survey.labels if found.raw in labels)
        for labels in (chosen.positives, chosen.negatives)
    )
    return pos, neg


def _tally(
    table: CaseTable, survey: Survey, chosen: Chosen, keys: Mapping[str, LevelMap | None]
) -> CellCounts:
    """Count, and hold the counts against what the survey has found."""
    tally = table.tally(chosen, keys)
    finite = all(np.isfinite(ends).all() for ends in (*tally.low, *tally.high))
    _same_cases(survey, chosen, (int(tally.pos.sum()), int(tally.neg.sum())), finite=finite)
    return tally


def _same_cases(survey: Survey, chosen: Chosen, found: tuple[int, int], *, finite: bool = True) -> None:
    """Raise unless a pass has found the cases that the survey found."""
    complete = _complete(survey, chosen)
    if found != complete or not finite:
        raise ArgumentError(
            "source",
            f"be the same in each pass over it (first {complete[0]} positives and {complete[1]} negatives)",
            f"{found[0]} and {found[1]}" + ("" if finite else ", NaN among the scores"),
            "Check that the file is whole and nothing writes to it; write a random sample to a file first.",
        )


@overload
def read_scores(
    source: Any,
    *,
    label: str,
    score: str,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    resolution: int | None = None,
) -> Scores: ...
@overload
def read_scores(
    source: Any,
    *,
    label: str,
    score: tuple[str, ...] | list[str],
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    resolution: int | None = None,
) -> PairedScores: ...
def read_scores(
    source: Any,
    *,
    label: str,
    score: str | tuple[str, ...] | list[str],
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    resolution: int | None = None,
) -> Scores | PairedScores:
    """Read scores from files, a query or a data frame, in memory or on a cluster.

    Parameters
    ----------
    source : str, Path, DuckDB relation or data frame
        Path or pattern of CSV (.csv, .tsv, .txt, also .gz), Parquet or Arrow (.arrow, .feather) files, read
        out of core by DuckDB; a path that exists is never a pattern. Parquet files that `write_counts`
        wrote, added up; SQL that begins with SELECT, FROM or WITH, one statement that only reads the files
        it names and fetches nothing from a network; a DuckDB relation, on its own connection; or a data
        frame that narwhals knows: pandas, polars, pyarrow, and lazy ones - polars, Dask, PySpark, ... -
        which are grouped where they are.
    label : str
        Column of true classes. {0, 1}, {-1, 1} and true/false need no `pos_label`.
    score : str or sequence of str
        Score column; several give a `PairedScores` of as many models, named as the columns.
    pos_label : object, optional
        The positive class, compared as text or as a number; every other label is negative.
    nan_policy : {"raise", "omit"}
        "omit" drops rows whose label or score is missing. In CSV files an empty field and NA, NaN, null
        or None are missing.
    resolution : int, optional
        Most distinct scores to keep per column (at least 10). Where there are more, neighbouring ones share
        a level, about equally full; `fpr_error`, `tpr_error` and `auc_error` of the `Scores` bound what that
        may change, about 2 / resolution for the rates. Every source gives the same levels. Of several
        models it keeps the joint counts, however many they are.

    Returns
    -------
    Scores or PairedScores
        The same, to the last count, from every kind of source. Several models of very many cases (rows times
        models above 2e7, and as many distinct rows of scores) come without joint counts unless there is a
        `resolution`: each model by itself, and the sums over the cases from which the covariances of areas
        follow. Areas and their differences are the same; a method that needs joint counts says so.

    Raises
    ------
    FileNotFoundError
        No such file.
    ImportError
        A library that the source needs is not installed; says which.
    ValueError
        Missing columns, repeated column names, no rows, text or infinite values among the scores, one
        class only, labels of mixed types or that need `pos_label`, missing values under "raise", a file or
        query that cannot be read, is damaged, or gives other rows in each pass.

    See Also
    --------
    Scores, PairedScores : The same from arrays.
    write_counts, read_counts : Tables of counts as files.
    confroc.ingest.read_segments : The same by month, region or file.

    Examples
    --------
    >>> from confroc import read_scores
    >>> read_scores("SELECT * FROM (VALUES (1, 0.9), (0, 0.2), (1, 0.2)) AS t(y, s)", label="y", score="s")
    Scores(n_pos=2, n_neg=1, distinct=2, auc=0.7500)
    """
    if not isinstance(score, str | list | tuple):
        raise ArgumentTypeError("score", "be the name of a column, or several", score, "Give it as text.")
    names = (score,) if isinstance(score, str) else tuple(score)
    if not names:
        raise ArgumentError("score", "name at least one column", names, 'Try score="score".')
    cases = read_cases(
        source,
        label=label,
        scores=names,
        pos_label=pos_label,
        nan_policy=nan_policy,
        resolution=resolution,
        paired=True,
    )
    return cases.models[names[0]] if cases.scores is None else cases.scores
