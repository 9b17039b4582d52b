"""Cases by the values of a column (month, region, site), in one grouped query per model.

The engine numbers the groups in a separate column and counts each (group, score) as it counts pairs of
scores, so the same rules apply for labels, missing values and rounding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from confroc._check import ArgumentError, Words, check_name, number_of
from confroc.ingest.cases import GROUP_NUMBER, DesignColumns, check_column
from confroc.ingest.counting import survey_table
from confroc.ingest.levels import CaseTable
from confroc.scores import NanPolicy, PairedScores, Scores
from confroc.scores.design import Rows, SampledCases
from confroc.scores.labels import is_blank, kind_of, text_of

MOST = 1000


def count_groups(
    table: CaseTable,
    column: str,
    argument: str,
    label: str,
    scores: Sequence[str],
    pos_label: object,
    nan_policy: NanPolicy,
    resolution: int | None,
    design: DesignColumns,
) -> dict[str, dict[str, Scores]]:
    """Count the cases of each score column by the values of another column.

    Returns
    -------
    mapping of score column to mapping of group to Scores
        Groups in numerical or else alphabetical order. A row that lacks one of the scores is dropped for all
        models and counted in the `n_dropped` of its group.
    """
    check_name(argument, column)
    check_column(argument, column, table.columns)
    if column in (label, *scores):
        remedy = "Pass the column of regions, sites, months, ..."
        raise ArgumentError(argument, "differ from the label and score columns", column, remedy)
    found = table.values(column, MOST + 2)
    groups = _named(argument, column, found, nan_policy)
    numbered = table.numbered(column, [[raw for raw, _ in rows] for rows in groups.values()])
    counting = survey_table(numbered, label, [GROUP_NUMBER, *scores], pos_label, nan_policy, design)
    steps = counting.steps(resolution) | {GROUP_NUMBER: None}
    sizes = {name: sum(n for _, n in rows) for name, rows in groups.items()}
    if design.named:
        both: Any = counting.designed(design)
        return {score: _split(both[GROUP_NUMBER, score], sizes, argument) for score in scores}
    return {
        score: _split(counting.joint({GROUP_NUMBER: None, score: steps[score]}), sizes, argument)
        for score in scores
    }


def _named(
    argument: str, column: str, found: Sequence[tuple[Any, int]], nan_policy: NanPolicy
) -> dict[str, list[tuple[Any, int]]]:
    """Values of the column as text with their numbers of rows, in numerical or alphabetical order."""
    missing = sum(n for raw, n in found if is_blank(raw))
    if missing and nan_policy == "raise":
        rule = "contain no missing values with nan_policy='raise'"
        remedy = "Supply the values, or pass nan_policy='omit' to drop these rows."
        raise ArgumentError(argument, rule, Words(f"{missing} missing in {column!r}"), remedy)
    known = [(raw, n) for raw, n in found if not is_blank(raw)]
    if len(known) > MOST:
        rule = f"have at most {MOST} values"
        raise ArgumentError(argument, rule, f"more than {MOST}", "Use fewer groups, e.g. months.")
    kinds = sorted({kind_of(raw) for raw, _ in known})
    if len(kinds) > 1:
        rule = "contain values of one type"
        raise ArgumentError(argument, rule, kinds, f"Convert {column!r} to text first.")
    groups: dict[str, list[tuple[Any, int]]] = {}
    for raw, n in known:
        name = str(raw).lower() if isinstance(raw, bool | np.bool_) else check_name(argument, text_of(raw))
        groups.setdefault(name, []).append((raw, n))
    enough(list(groups), argument)
    numbers = {name: number_of(name) for name in groups}
    # None is excluded because it has no order.
    plain = None in numbers.values()
    return {name: groups[name] for name in sorted(groups, key=lambda v: (None if plain else numbers[v], v))}


def enough(names: Sequence[str], argument: str) -> None:
    """Raise unless there are at least two groups."""
    if len(names) < 2:
        raise ArgumentError(argument, "give at least two groups", list(names), "Choose another column.")


def _split(pair: PairedScores, sizes: Mapping[str, int], argument: str) -> dict[str, Scores]:
    """Scores by group, from pairs of group number and score."""
    highest, design = pair.score_b if pair.b.exact else pair.b.score_max[pair.index_b], pair.design
    found = {}
    for number, (name, rows) in enumerate(sizes.items(), 1):
        here = pair.score_a == number
        pos, neg = pair.pos[here], pair.neg[here]
        if not pos.sum() or not neg.sum():
            raise ArgumentError(
                argument,
                f"have both classes in every group, including {name!r}",
                {"positives": int(pos.sum()), "negatives": int(neg.sum())},
                "Use larger groups, or drop this one.",
            )
        if design is None:
            dropped = max(0, rows - int(pos.sum() + neg.sum()))
            found[name] = Scores._counted(pair.score_b[here], pos, neg, highest[here], dropped)
        else:
            own = here[design.row]
            dropped = max(0, rows - int(design.count[own].sum()))
            # Cells are rows with frequencies.
            count = design.count.astype(np.float64)
            cells = Rows(design.weight * design.scale, count, design.clusters, design.stratum).at(own)
            cases = SampledCases(design.positive[own], [pair.score_b[design.row[own]]], dropped, cells)
            found[name] = Scores._sampled(cases)
    return found
