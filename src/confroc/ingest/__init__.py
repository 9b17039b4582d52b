"""From files and data frames to counts.

Files are read by DuckDB, out of core, and only the counts per distinct score (or pair of scores) come
back. Data frames of any library that narwhals knows are read column by column. Labels are compared as
text, so that a file means the same whatever type an engine guesses for its label column.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, overload

from confroc._check import check_choice, sentence
from confroc.ingest.cases import Cases
from confroc.ingest.files import read_file
from confroc.ingest.frames import read_frame
from confroc.scores import NAN_POLICIES, NanPolicy, PairedScores, Scores

__all__ = ["Cases", "read_cases", "scan"]


def read_cases(
    source: Any,
    *,
    label: str,
    scores: Sequence[str],
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    pairs: bool = False,
) -> Cases:
    """Read one or more score columns of the same cases; see `scan` for the arguments."""
    check_choice("nan_policy", nan_policy, NAN_POLICIES)
    if len(set(scores)) < len(scores) or label in scores:
        raise ValueError(
            sentence(
                "score", "name distinct columns other than the label", list(scores), "Name each column once."
            )
        )
    read = read_file if isinstance(source, str | Path) else read_frame
    source = str(source) if isinstance(source, Path) else source
    cases = read(source, label, scores, pos_label, nan_policy, pairs)
    for name, model in cases.models.items():
        model._warn_below_half(name)
    return cases


@overload
def scan(
    source: Any, *, label: str, score: str, pos_label: object = None, nan_policy: NanPolicy = "raise"
) -> Scores: ...
@overload
def scan(
    source: Any,
    *,
    label: str,
    score: tuple[str, str],
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
) -> PairedScores: ...
def scan(
    source: Any,
    *,
    label: str,
    score: str | tuple[str, str],
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
) -> Scores | PairedScores:
    """Read scores from a file or a data frame.

    Parameters
    ----------
    source : str, Path or data frame
        Path or pattern of CSV (.csv, .tsv, .txt, also .gz) or Parquet files, read out of core by DuckDB;
        or an eager data frame that narwhals knows (pandas, polars, pyarrow, ...).
    label : str
        Column of true classes. {0, 1}, {-1, 1} and true/false need no `pos_label`.
    score : str or (str, str)
        Score column; two of them give a `PairedScores`.
    pos_label : object, optional
        The positive class, compared as text or as a number; every other label is negative.
    nan_policy : {"raise", "omit"}
        "omit" drops rows whose label or score is missing. In CSV files an empty field and NA, NaN, null
        or None are missing.

    Returns
    -------
    Scores or PairedScores

    Raises
    ------
    FileNotFoundError
        No such file.
    ValueError
        Missing columns, repeated column names, no rows, text or infinite values among the scores, one
        class only, labels that need `pos_label`, missing values under "raise".
    """
    names = (score,) if isinstance(score, str) else tuple(score)
    if len(names) > 2:
        raise ValueError(sentence("score", "name one column or two", names, "Compare two models at a time."))
    cases = read_cases(
        source, label=label, scores=names, pos_label=pos_label, nan_policy=nan_policy, pairs=len(names) == 2
    )
    return cases.models[names[0]] if len(names) == 1 else cases.pairs[names[0], names[1]]
