"""What reading yields, and the rules for labels and gaps that every source shares.

An engine surveys its columns (how many rows of each label, what is missing, the range of the scores); the
rules here decide what the labels mean and whether the data are sound; then the engine counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from confroc._check import LARGEST_EXACT_INTEGER, ArgumentError, is_missing, suggest
from confroc._types import FloatArray
from confroc.scores import NanPolicy, PairedScores, Scores

# Label sets that need no pos_label, as text, with the positive one first.
CODED = (("1", "0"), ("1", "-1"), ("true", "false"))
MOST_LABELS = 50
MOST_LABELS_EVER = 10_000


@dataclass(frozen=True, kw_only=True)
class Cases:
    """What was read: one `Scores` per score column, all on the same cases.

    Attributes
    ----------
    source, label : str
        Where the cases come from, and the label column.
    positive, negative : str
        The positive label, and the negative one (several are joined by commas).
    n_rows, n_dropped : int
        Rows read, and rows dropped for a missing label or score.
    models : mapping of str to Scores
    pairs : mapping of (str, str) to PairedScores
        Every two models, in the order given; empty unless asked for.
    """

    source: str
    label: str
    positive: str
    negative: str
    n_rows: int
    n_dropped: int
    models: Mapping[str, Scores]
    pairs: Mapping[tuple[str, str], PairedScores] = field(default_factory=dict)


class LabelCount(NamedTuple):
    """One label as the engine holds it, its rows, and those of them that lack no score."""

    raw: Any
    rows: int
    complete: int


class ScoreFacts(NamedTuple):
    """Rows that lack a score, the range of the others, and a text among them that is no number.

    The ends of the range are None when every row lacks it, and whole numbers where the engine holds such.
    """

    missing: int
    low: Any
    high: Any
    text: str | None = None


class Survey(NamedTuple):
    """What an engine says of its columns before it counts."""

    labels: Sequence[LabelCount]
    scores: Mapping[str, ScoreFacts]


class Chosen(NamedTuple):
    """The cases to count: rows with one of these labels (as the engine holds them) and with all scores."""

    label: str
    scores: Sequence[str]
    positives: Sequence[Any]
    negatives: Sequence[Any]


class CellCounts(NamedTuple):
    """Counts per distinct score, or cell, of each column: its lowest and highest score, and the cases."""

    low: Sequence[FloatArray]
    high: Sequence[FloatArray]
    pos: NDArray[Any]
    neg: NDArray[Any]


def survey_of(found: Mapping[str, Sequence[Any]], scores: Sequence[str]) -> Survey:
    """Read what an engine says by label: `label`, `rows`, `complete`, and facts of the i-th score.

    These are `missing{i}`, `low{i}`, `high{i}` and, where scores may be text, `text{i}`.
    """
    labels = [
        LabelCount(None if is_missing(raw) else raw, int(rows), int(kept))
        for raw, rows, kept in zip(found["label"], found["rows"], found["complete"], strict=True)
    ]
    facts = {}
    for i, name in enumerate(scores):
        low, high, text = (
            [v for v in found.get(f"{what}{i}", ()) if not is_missing(v)] for what in ("low", "high", "text")
        )
        ends = min(low, default=None), max(high, default=None)
        facts[name] = ScoreFacts(int(sum(found[f"missing{i}"])), *ends, min(text, default=None))
    return Survey(labels, facts)


def cells_of(found: Mapping[str, NDArray[Any]], keys: int) -> CellCounts:
    """Read what an engine has counted: `pos`, `n`, and of the i-th key `low{i}` and `high{i}`, or `s{i}`."""
    low = [found[f"low{i}" if f"low{i}" in found else f"s{i}"].astype(float) for i in range(keys)]
    high = [found[f"high{i}"].astype(float) if f"high{i}" in found else low[i] for i in range(keys)]
    pos = found["pos"].astype(np.int64)
    return CellCounts(low, high, pos, found["n"].astype(np.int64) - pos)


def choose(
    source: str, survey: Survey, label: str, pos_label: object, nan_policy: NanPolicy
) -> tuple[Chosen, str, str]:
    """Apply the rules; return the cases to count, the positive label and the negative ones, as text."""
    n = sum(found.rows for found in survey.labels)
    if n == 0:
        raise ArgumentError(
            "source", "hold at least one row below its header", source, "Check the file or the query."
        )
    _check_scores(survey.scores)
    if len(survey.labels) > MOST_LABELS_EVER:
        raise _no_classes(f"more than {MOST_LABELS_EVER} different values")
    known = [found for found in survey.labels if not _blank(found.raw)]
    gaps = {label: n - sum(found.rows for found in known)}
    gaps |= {name: facts.missing for name, facts in survey.scores.items()}
    if nan_policy == "raise" and any(gaps.values()):
        raise ArgumentError(
            "source",
            "hold no missing values under nan_policy='raise'",
            ", ".join(f"{count} missing in {name!r}" for name, count in gaps.items() if count),
            "Fill them, or pass nan_policy='omit' to drop those rows and keep their count.",
        )
    known = [found for found in known if found.complete]
    if not known:
        raise ArgumentError(
            "source", "hold at least one complete row", source, "Fill the gaps, or name other columns."
        )
    _one_kind(label, [found.raw for found in known])
    text = [_text(found.raw) for found in known]
    positives, negatives = split_labels(text, pos_label)
    if not negatives:
        raise ArgumentError(
            "label",
            "hold both classes",
            {label: positives},
            "Read rows of both classes, or name another column.",
        )
    chosen = Chosen(
        label,
        list(survey.scores),
        [found.raw for found, t in zip(known, text, strict=True) if t in positives],
        [found.raw for found, t in zip(known, text, strict=True) if t in negatives],
    )
    return chosen, positives[0], ", ".join(negatives)


def _text(raw: object) -> str:
    return str(raw).strip()


def _blank(raw: object) -> bool:
    return is_missing(raw) or not _text(raw)


def _kind(raw: object) -> str:
    if isinstance(raw, bool | np.bool_):
        return "true/false"
    if isinstance(raw, int | float | np.number):
        return "numbers"
    return "text" if isinstance(raw, str) else type(raw).__name__


def _one_kind(label: str, raw: Sequence[object]) -> None:
    kinds = sorted({_kind(v) for v in raw})
    if len(kinds) > 1:
        raise ArgumentError(
            "label", "hold labels of one type", kinds, f"Convert {label!r} to text or to numbers first."
        )


def _check_scores(scores: Mapping[str, ScoreFacts]) -> None:
    for name, facts in scores.items():
        if facts.text is not None:
            raise not_numbers(name, facts.text)
        for end in (facts.high, facts.low):
            if end is not None and np.isinf(float(end)):
                raise ArgumentError(
                    f"score {name}", "hold finite scores", float(end), "Replace infinite scores first."
                )
            if isinstance(end, int | np.integer) and abs(int(end)) > LARGEST_EXACT_INTEGER:
                raise ArgumentError(
                    f"score {name}",
                    "hold integers of at most 2**53, so that distinct scores stay distinct",
                    int(end),
                    "Use ranks, or scores divided by a power of two.",
                )


def not_numbers(name: str, value: object) -> ValueError:
    """Return the error for a score column of another type."""
    return ArgumentError(f"score {name}", "hold numbers", value, "Clean the column, or choose another.")


def _no_classes(value: str) -> ValueError:
    return ArgumentError("label", "be a column of classes", value, "Name the column of true classes.")


def split_labels(found: Sequence[str], pos_label: object) -> tuple[list[str], list[str]]:
    """Return which labels mean positive (one, however it is spelled), and the others."""
    labels = sorted(set(found))
    listed = ", ".join(repr(v) for v in labels[:5]) + (", ..." if len(labels) > 5 else "")
    if pos_label is None and len(labels) > MOST_LABELS:
        raise _no_classes(f"{len(labels)} different values")
    if pos_label is None:
        for one, zero in CODED:
            named = {v for v in labels if same_label(v, one) or same_label(v, zero)}
            if named == set(labels):
                positives = [v for v in labels if same_label(v, one)]
                return positives, [v for v in labels if v not in positives]
        raise ArgumentError(
            "pos_label",
            "name the positive class unless labels are {0, 1}, {-1, 1} or true/false",
            None,
            f"The labels are {listed}; pass one of them, e.g. pos_label={labels[-1]!r}.",
        )
    wanted = str(pos_label)
    positives = [v for v in labels if same_label(v, wanted)]
    if not positives:
        raise ArgumentError(
            "pos_label",
            "be one of the labels",
            pos_label,
            f"{suggest(wanted, labels)}The labels are {listed}.",
        )
    return positives, [v for v in labels if v not in positives]


def same_label(found: str, wanted: str) -> bool:
    """Whether two texts mean one label: equal, as numbers equal, or the same truth value."""
    if found == wanted:
        return True
    if wanted.lower() in ("true", "false"):
        return found.lower() == wanted.lower()
    try:
        return float(found) == float(wanted)
    except ValueError:
        return False


def missing_column(name: str, column: str, columns: Sequence[str]) -> ValueError:
    """Return the error for a column that is not there."""
    listed = ", ".join(repr(c) for c in columns[:12]) + (", ..." if len(columns) > 12 else "")
    remedy = f"{suggest(column, columns)}The columns are {listed}."
    return ArgumentError(name, "be a column of the data", column, remedy)
