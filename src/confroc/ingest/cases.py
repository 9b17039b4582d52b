"""What reading yields, and the rules for labels and gaps that every source shares.

An engine surveys its columns (how many rows of each label, what is missing, the range of the scores); the
rules here decide what the labels mean and whether the data are sound; then the engine counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from confroc._check import ArgumentError, check_name, is_exact, is_missing, suggest, warn
from confroc._types import BoolArray, FloatArray, IntArray
from confroc.scores import NanPolicy, PairedScores, PlacementSums, Scores, WeightKind
from confroc.scores.design import SampledCases, read_rows
from confroc.scores.labels import (
    LEAST_SCORES,
    check_kinds,
    is_blank,
    kind_of,
    label_shown,
    no_classes,
    split_labels,
    text_of,
)

MOST_LABELS_EVER = 10_000
GROUP_NUMBER = "number of the group"
"""The column that engines add where rows are counted by group."""


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
    scores : PairedScores or None
        All models on the same cases, by their columns' names; None for one model, or unless requested.
    turned : tuple of str
        The models, "-points", whose scores are those of a column, "points", with the sign turned.
    cluster : str
        The column of clusters; empty for none and for two.
    repeated : str
        The note on a column that looks like an identifier and repeats, where no cluster is given; or empty.
    """

    source: str
    label: str
    positive: str
    negative: str
    n_rows: int
    n_dropped: int
    models: Mapping[str, Scores]
    scores: PairedScores | None = None
    turned: tuple[str, ...] = ()
    cluster: str = ""
    repeated: str = ""


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
    """What an engine reports of its columns before it counts."""

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


class DesignColumns(NamedTuple):
    """Columns of weights, identifiers of clusters, and strata."""

    sample_weight: str | None = None
    weight_kind: WeightKind = "sampling"
    cluster: str | tuple[str, str] | None = None
    strata: str | None = None

    def checked(self) -> Self:
        """Refuse what names no column."""
        remedy = "Name one column, or two of them."
        two = self.cluster if isinstance(self.cluster, tuple) else (self.cluster,)
        if len(two) > 2:
            raise ArgumentError("cluster", "name at most two columns", len(two), remedy)
        named = {"sample_weight": (self.sample_weight,), "cluster": two, "strata": (self.strata,)}
        for argument, columns in named.items():
            for column in columns:
                if column is not None:
                    check_name(argument, column)
        return self

    @property
    def clusters(self) -> tuple[str, ...]:
        """The columns of clusters."""
        given = self.cluster
        return () if given is None else (given,) if isinstance(given, str) else tuple(given)

    @property
    def identifiers(self) -> list[str]:
        """The columns of clusters and strata."""
        return [*self.clusters, *([] if self.strata is None else [self.strata])]

    @property
    def named(self) -> dict[str, str]:
        """All columns, with the arguments that name them."""
        found = {} if self.sample_weight is None else {self.sample_weight: "sample_weight"}
        found |= dict.fromkeys(self.clusters, "cluster")
        return found if self.strata is None else found | {self.strata: "strata"}


class DesignCells(NamedTuple):
    """The chosen cases by class, scores, weight and identifiers, and how many there are of each."""

    positive: BoolArray
    scores: list[FloatArray]
    weight: FloatArray | None
    identifiers: list[NDArray[Any]]
    repeats: IntArray

    def cases(self, columns: DesignColumns, dropped: int) -> SampledCases:
        """Check weights and identifiers, and return the cases of positive weight."""
        ids = self.identifiers[: len(columns.clusters)]
        strata = None if columns.strata is None else self.identifiers[-1]
        cluster = None if not ids else ids[0] if len(ids) == 1 else tuple(ids)
        rows = read_rows(self.weight, columns.weight_kind, cluster, strata)
        assert rows is not None
        repeats = np.asarray(self.repeats * (1.0 if rows.repeats is None else rows.repeats))
        rows = rows._replace(repeats=repeats)
        kept = repeats > 0.0 if rows.weight is None else (rows.weight > 0.0) & (repeats > 0.0)
        left = rows.kept([column[kept] for column in rows.columns.values()])
        scores = [values[kept] for values in self.scores]
        return SampledCases(self.positive[kept], scores, dropped, left)


class Placements(NamedTuple):
    """Tables of several models, one below the other: each model's distinct scores, strictly decreasing.

    `of_pos` and `of_neg` are the placements there of a positive and of a negative, centred over their class;
    `model` is the place of the model that a row belongs to.
    """

    model: NDArray[np.int16]
    score: FloatArray
    of_pos: FloatArray
    of_neg: FloatArray

    def parts(self) -> list[Placements]:
        """Each model's own rows, not copied."""
        ends = np.searchsorted(self.model, np.arange(int(self.model[-1]) + 2))
        rows = (slice(a, b) for a, b in pairwise(ends))
        return [Placements(self.model[r], self.score[r], self.of_pos[r], self.of_neg[r]) for r in rows]


class JoinedSums(NamedTuple):
    """An engine's report of models together: the positives and negatives it has joined, and their sums."""

    cases: tuple[int, int]
    sums: PlacementSums


def survey_of(found: Mapping[str, Sequence[Any]], scores: Sequence[str]) -> Survey:
    """Read an engine's report by label: `label`, `rows`, `complete`, and facts of the i-th score.

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

    def column(name: str, kind: type) -> NDArray[Any]:
        return found[name].astype(kind, copy=False)

    low = [column(f"low{i}" if f"low{i}" in found else f"s{i}", float) for i in range(keys)]
    high = [column(f"high{i}", float) if f"high{i}" in found else low[i] for i in range(keys)]
    pos = column("pos", np.int64)
    return CellCounts(low, high, pos, column("n", np.int64) - pos)


def sums_of(found: Mapping[str, Sequence[Any]], models: int) -> JoinedSums:
    """Read an engine's sums by class: `pos` (1 or 0), `n`, and of two `second{i}_{j}`, `fourth{i}_{j}`."""
    cases = [0, 0]
    second, fourth = np.zeros((2, 2, models, models))
    for row, pos in enumerate(found["pos"]):
        side = 0 if pos else 1
        cases[side] = int(found["n"][row])
        for i, j in combinations(range(models), 2):
            second[side, i, j] = second[side, j, i] = found[f"second{i}_{j}"][row]
            fourth[side, i, j] = fourth[side, j, i] = found[f"fourth{i}_{j}"][row]
    return JoinedSums((cases[0], cases[1]), PlacementSums(second, fourth))


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
        raise no_classes("label", f"more than {MOST_LABELS_EVER} different values")
    known = [found for found in survey.labels if not is_blank(found.raw)]
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
    check_kinds("label", (kind_of(found.raw) for found in known), repr(label))
    text = [check_name("label", text_of(found.raw)) for found in known]
    positives, negatives = split_labels(text, pos_label)
    if not positives or not negatives:
        raise ArgumentError(
            "label",
            "hold both classes",
            {label: positives or negatives},
            "Read rows of both classes, or name another column.",
        )
    if len(negatives) > LEAST_SCORES:
        warn(f"Column {label!r} has many labels; all but {label_shown(positives[0])} are negative.")
    chosen = Chosen(
        label,
        list(survey.scores),
        [found.raw for found, t in zip(known, text, strict=True) if t in positives],
        [found.raw for found, t in zip(known, text, strict=True) if t in negatives],
    )
    return chosen, label_shown(positives[0]), ", ".join(dict.fromkeys(map(label_shown, negatives)))


def _check_scores(scores: Mapping[str, ScoreFacts]) -> None:
    for name, facts in scores.items():
        if facts.text is not None:
            raise not_numbers(name, facts.text)
        for end in (facts.high, facts.low):
            if end is not None and np.isinf(float(end)):
                raise ArgumentError(
                    f"score {name}", "hold finite scores", float(end), "Replace infinite scores first."
                )
            if end is not None and not is_exact(end):
                raise ArgumentError(
                    f"score {name}",
                    "hold integers of at most 2**53, so that distinct scores stay distinct",
                    end,
                    "Use ranks, or scores divided by a power of two.",
                )


def not_numbers(name: str, value: object) -> ValueError:
    """Return the error for a score column of another type, or for a field that is no number."""
    remedy = (
        "Write numbers like 1234.5, and NA where there is none, give the decimal mark by `decimal`, or "
        "choose another column."
    )
    return ArgumentError(f"score {name}", "hold numbers", value, remedy)


def check_columns(columns: Sequence[str]) -> None:
    """Raise for columns of the same name."""
    if twice := [name for name, n in Counter(columns).items() if n > 1]:
        raise ArgumentError("source", "have distinct column names", twice, "Rename the repeated columns.")


def missing_column(name: str, column: str, columns: Sequence[str]) -> ValueError:
    """Return the error for a column that is not there."""
    listed = ", ".join(repr(c) for c in columns[:12]) + (", ..." if len(columns) > 12 else "")
    remedy = f"{suggest(column, columns)}The columns are {listed}."
    return ArgumentError(name, "be a column of the data", column, remedy)
