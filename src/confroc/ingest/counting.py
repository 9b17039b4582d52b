"""Counting the cases of a table, for one model or several jointly."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from confroc._check import ArgumentError
from confroc.ingest.cases import CellCounts, Chosen, DesignColumns, Survey, check_column, choose
from confroc.ingest.levels import CaseTable, LevelMap, find_steps
from confroc.ingest.together import joint_of, placements_of, scores_of
from confroc.scores import NanPolicy, PairedScores, Scores

NO_DESIGN = DesignColumns()
MOST_JOINT = 20_000_000
"""Default maximum size (rows times models) of a table of joint counts."""


@dataclass(frozen=True)
class Counting:
    """The cases of a table to count, and the survey of all its rows."""

    table: CaseTable
    survey: Survey
    chosen: Chosen
    positive: str
    negative: str

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return sum(found.rows for found in self.survey.labels)

    @property
    def n_dropped(self) -> int:
        """Number of rows with a missing label or score."""
        return self.n_rows - sum(self.complete)

    @property
    def complete(self) -> tuple[int, int]:
        """Numbers of positives and negatives with all scores."""
        pos, neg = (
            sum(found.complete for found in self.survey.labels if found.raw in labels)
            for labels in (self.chosen.positives, self.chosen.negatives)
        )
        return pos, neg

    def steps(self, resolution: int | None) -> dict[str, LevelMap | None]:
        """Rounding map of each score column, to `resolution` levels; None without rounding."""
        steps: dict[str, LevelMap | None] = dict.fromkeys(self.chosen.scores)
        if resolution is not None:
            for name, facts in self.survey.scores.items():
                if facts.low is not None and facts.high is not None:
                    ends = facts.low, facts.high
                    steps[name] = find_steps(self.table, self.chosen, name, ends, resolution)
        return steps

    def model(self, name: str, steps: LevelMap | None) -> Scores:
        """One model's counts."""
        return scores_of(self._tally({name: steps}), self.n_dropped)

    def joint(self, steps: Mapping[str, LevelMap | None]) -> PairedScores:
        """Joint counts of several columns."""
        return joint_of(self._tally(steps), list(steps.values()), self.n_dropped, tuple(steps))

    def designed(self, columns: DesignColumns) -> Scores | PairedScores:
        """Counts of one or several models, with weights, clusters and strata."""
        found = self.table.design_cells(self.chosen, columns.sample_weight, columns.identifiers)
        n_pos = int(found.repeats[found.positive].sum())
        self._check_cases((n_pos, int(found.repeats.sum()) - n_pos))
        cases, names = found.cases(columns, self.n_dropped), tuple(self.chosen.scores)
        return Scores._sampled(cases) if len(names) == 1 else PairedScores._sampled(cases, names)

    def together(self, steps: Mapping[str, LevelMap | None]) -> PairedScores:
        """Joint counts or, if too many, each model's counts and the sums for covariances of AUCs."""
        k = len(steps)
        if sum(self.complete) * k > MOST_JOINT:
            models = [self.model(name, how) for name, how in steps.items()]
            if math.prod(len(model.score) for model in models) * k > MOST_JOINT:
                cases, sums = self.table.difference_sums(self.chosen, placements_of(models))
                self._check_cases(cases)
                return PairedScores._without_joint(models, sums, tuple(steps), self.n_dropped)
            del models
        return self.joint(steps)

    def _tally(self, keys: Mapping[str, LevelMap | None]) -> CellCounts:
        tally = self.table.tally(self.chosen, keys)
        finite = all(np.isfinite(ends).all() for ends in (*tally.low, *tally.high))
        self._check_cases((int(tally.pos.sum()), int(tally.neg.sum())), finite=finite)
        return tally

    def _check_cases(self, found: tuple[int, int], *, finite: bool = True) -> None:
        """Raise unless a pass found as many cases as the survey."""
        pos, neg = self.complete
        if found != (pos, neg) or not finite:
            rule = f"not change while it is read (first {pos} positives and {neg} negatives)"
            remedy = "Check that the file is complete; save a random sample to a file before reading it."
            raise ArgumentError("source", rule, f"{found[0]} and {found[1]}", remedy)


def survey_table(
    table: CaseTable,
    label: str,
    scores: Sequence[str],
    pos_label: object,
    nan_policy: NanPolicy,
    design: DesignColumns = NO_DESIGN,
) -> Counting:
    """Survey all rows, and choose the cases to count."""
    for column, argument in {**design.named, label: "label", **dict.fromkeys(scores, "score")}.items():
        check_column(argument, column, table.columns)
    survey = table.survey(label, scores)
    return Counting(table, survey, *choose(table.name, survey, label, pos_label, nan_policy))
