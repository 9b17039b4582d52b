"""Results of reading, and the rules for labels and missing values that all sources share.

An engine first surveys its columns (rows per label, missing values, range of the scores). The rules here
then identify the positive label and check the data, and the engine counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from confroc._check import ArgumentError, Words, check_name, is_exact, is_missing
from confroc._keywords import suggest
from confroc._types import BoolArray, FloatArray, IntArray
from confroc.scores import NanPolicy, PairedScores, PlacementSums, Scores, WeightKind
from confroc.scores.design import SampledCases, read_rows
from confroc.scores.labels import (
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
"""Column added where rows are counted by group."""


@dataclass(frozen=True, kw_only=True)
class Cases:
    """The data read: one `Scores` per score column, all on the same cases.

    Attributes
    ----------
    source, label : str
        Source of the cases, and the label column.
    positive, negative : str
        Positive label and negative label (several are joined by commas).
    n_rows, n_dropped : int
        Rows read, and rows dropped for a missing label or score.
    models : mapping of str to Scores
    scores : PairedScores or None
        All models jointly, named as the columns; None for one model, or unless requested.
    turned : tuple of str
        Models with negated scores, e.g. "-points" for the column "points".
    cluster : str
        The cluster column; empty for none and for two.
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


class LabelCount(NamedTuple):
    """One label in the engine's type, its number of rows, and of rows with all scores."""

    raw: Any
    rows: int
    complete: int


class ScoreFacts(NamedTuple):
    """Number of missing scores, range of the others, and the first text that is no number, with its place.

    The range is None if all scores are missing, and has integers where the engine has integers.
    """

    missing: int
    low: Any
    high: Any
    text: str | None = None
    place: str = ""


class Survey(NamedTuple):
    """Summary of an engine's columns before counting."""

    labels: Sequence[LabelCount]
    scores: Mapping[str, ScoreFacts]


class Chosen(NamedTuple):
    """The cases to count: rows with one of these labels (in the engine's type) and all scores."""

    label: str
    scores: Sequence[str]
    positives: Sequence[Any]
    negatives: Sequence[Any]


class CellCounts(NamedTuple):
    """Counts per distinct score or cell of each column, with its lowest and highest score."""

    low: Sequence[FloatArray]
    high: Sequence[FloatArray]
    pos: NDArray[Any]
    neg: NDArray[Any]


class DesignColumns(NamedTuple):
    """Names of the weight, cluster and stratum columns."""

    sample_weight: str | None = None
    weight_kind: WeightKind = "sampling"
    cluster: str | tuple[str, str] | None = None
    strata: str | None = None

    def checked(self) -> Self:
        """Check that each is a column name."""
        if len(self.clusters) > 2:
            remedy = "Pass the names of one or two columns."
            raise ArgumentError("cluster", "name at most two columns", len(self.clusters), remedy)
        clusters = (("cluster", column) for column in self.clusters)
        for argument, column in (("sample_weight", self.sample_weight), *clusters, ("strata", self.strata)):
            if column is not None:
                check_name(argument, column)
        return self

    @property
    def arguments(self) -> dict[str, Any]:
        """The given columns by argument."""
        return {"sample_weight": self.sample_weight, "cluster": self.cluster, "strata": self.strata}

    @property
    def clusters(self) -> tuple[str, ...]:
        """The cluster columns."""
        given = self.cluster
        return () if given is None else given if isinstance(given, tuple) else (given,)

    @property
    def identifiers(self) -> list[str]:
        """The cluster and stratum columns."""
        return [*self.clusters, *([] if self.strata is None else [self.strata])]

    @property
    def named(self) -> dict[str, str]:
        """All design columns, by argument name."""
        found = {} if self.sample_weight is None else {self.sample_weight: "sample_weight"}
        found |= dict.fromkeys(self.clusters, "cluster")
        return found if self.strata is None else found | {self.strata: "strata"}


class DesignCells(NamedTuple):
    """The chosen cases by class, scores, weight and identifiers, with counts."""

    positive: BoolArray
    scores: list[FloatArray]
    weight: FloatArray | None
    identifiers: list[NDArray[Any]]
    repeats: IntArray

    def cases(self, columns: DesignColumns, dropped: int) -> SampledCases:
        """Check weights and identifiers, and return the cases with positive weight."""
        ids = self.identifiers[: len(columns.clusters)]
        strata = None if columns.strata is None else self.identifiers[-1]
        cluster = None if not ids else ids[0] if len(ids) == 1 else tuple(ids)
        rows = read_rows(self.weight, columns.weight_kind, cluster, strata)
        assert rows is not None
        repeats = np.asarray(self.repeats * (1.0 if rows.repeats is None else rows.repeats))
        rows = rows._replace(repeats=repeats)
        return SampledCases(self.positive, self.scores, dropped, rows).with_weight()


class Placements(NamedTuple):
    """Concatenated tables of several models: each model's distinct scores, strictly decreasing.

    `of_pos` and `of_neg` are the placements of a positive and of a negative, centered within the class;
    `model` is the position of the row's model.
    """

    model: NDArray[np.int16]
    score: FloatArray
    of_pos: FloatArray
    of_neg: FloatArray

    def parts(self) -> list[Placements]:
        """Views of each model's rows."""
        ends = np.searchsorted(self.model, np.arange(int(self.model[-1]) + 2))
        rows = (slice(a, b) for a, b in pairwise(ends))
        return [Placements(self.model[r], self.score[r], self.of_pos[r], self.of_neg[r]) for r in rows]


class JoinedSums(NamedTuple):
    """Joint sums of several models: positives and negatives joined, and sums over them."""

    cases: tuple[int, int]
    sums: PlacementSums


def survey_of(found: Mapping[str, Sequence[Any]], scores: Sequence[str]) -> Survey:
    """Build from an engine's rows by label: `label`, `rows`, `complete`, and facts of the i-th score.

    The facts are `missing{i}`, `low{i}`, `high{i}` and, of text columns that are not numeric, `text{i}`: the
    first text that is no number, and its place.
    """
    labels = [
        LabelCount(None if is_missing(raw) else raw, int(rows), int(kept))
        for raw, rows, kept in zip(found["label"], found["rows"], found["complete"], strict=True)
    ]
    facts = {}
    for i, name in enumerate(scores):
        low, high = (
            [v for v in found.get(f"{what}{i}", ()) if not is_missing(v)] for what in ("low", "high")
        )
        ends = min(low, default=None), max(high, default=None)
        facts[name] = ScoreFacts(int(sum(found[f"missing{i}"])), *ends, *found.get(f"text{i}", ()))
    return Survey(labels, facts)


def cells_of(found: Mapping[str, NDArray[Any]], keys: int) -> CellCounts:
    """Build from an engine's counts: `pos`, `n`, and for the i-th key `low{i}` and `high{i}`, or `s{i}`."""

    def column(name: str, kind: type) -> NDArray[Any]:
        return found[name].astype(kind, copy=False)

    low = [column(f"low{i}" if f"low{i}" in found else f"s{i}", float) for i in range(keys)]
    high = [column(f"high{i}", float) if f"high{i}" in found else low[i] for i in range(keys)]
    pos = column("pos", np.int64)
    return CellCounts(low, high, pos, column("n", np.int64) - pos)


def sums_of(found: Mapping[str, Sequence[Any]], models: int) -> JoinedSums:
    """Build from an engine's sums by class: `pos` (1 or 0), `n`, `second{i}_{j}` and `fourth{i}_{j}`."""
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
    """Return the cases to count, and the positive and negative labels as text."""
    n = sum(found.rows for found in survey.labels)
    if n == 0:
        rule = "contain at least one row below the header"
        raise ArgumentError("source", rule, source, "Check the file or the query.")
    _check_scores(survey.scores)
    if len(survey.labels) > MOST_LABELS_EVER:
        raise no_classes("label", f"more than {MOST_LABELS_EVER} different values")
    known = [found for found in survey.labels if not is_blank(found.raw)]
    gaps = {label: n - sum(found.rows for found in known)}
    gaps |= {name: facts.missing for name, facts in survey.scores.items()}
    if nan_policy == "raise" and any(gaps.values()):
        raise ArgumentError(
            "source",
            "contain no missing values with nan_policy='raise'",
            Words(", ".join(f"{c} missing in {name!r}" for name, c in gaps.items() if c) + f" of {n:,} rows"),
            "Supply the values, or pass nan_policy='omit' to drop these rows.",
        )
    known = [found for found in known if found.complete]
    if not known:
        rule = "contain at least one complete row"
        raise ArgumentError("source", rule, source, "Fill missing values, or choose other columns.")
    check_kinds("label", (kind_of(found.raw) for found in known), repr(label))
    text = [check_name("label", text_of(found.raw)) for found in known]
    # A column of one label lacks a class, whichever label is positive.
    positives, negatives = split_labels(text, pos_label, part=len({*text}) == 1)
    if not positives or not negatives:
        rule, remedy = "contain both classes", "Include rows of both classes, or choose another column."
        raise ArgumentError("label", rule, Words(f"only {label_shown((positives or negatives)[0])}"), remedy)
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
            raise not_numbers(name, facts.text, facts.place)
        for end in (facts.high, facts.low):
            if end is not None and np.isinf(float(end)):
                rule = "contain finite scores"
                raise ArgumentError(f"score {name}", rule, float(end), "Replace infinite scores first.")
            if end is not None and not is_exact(end):
                rule = "contain integers of at most 2**53, which double precision can distinguish"
                remedy = "Use ranks, or scores divided by a power of two."
                raise ArgumentError(f"score {name}", rule, end, remedy)


def not_numbers(name: str, value: object, place: str = "") -> ValueError:
    """Return the error for a score column of another type, or for the first field that is no number."""
    remedy = place + (
        "Use plain numbers such as 1234.5, and NA for missing values; set the decimal mark with `decimal`; "
        "or choose another column."
    )
    return ArgumentError(f"column {name}", "contain numbers", value, remedy)


def check_columns(columns: Sequence[str]) -> None:
    """Raise for columns of the same name."""
    if twice := [name for name, n in Counter(columns).items() if n > 1]:
        raise ArgumentError("source", "have distinct column names", twice, "Rename the repeated columns.")


def check_column(name: str, column: str, columns: Sequence[str]) -> None:
    """Raise for a missing column."""
    if column not in columns:
        listed = ", ".join(repr(c) for c in columns[:12]) + (", ..." if len(columns) > 12 else "")
        remedy = f"{suggest(column, columns)}The columns are {listed}."
        raise ArgumentError(name, "be a column of the data", column, remedy)
