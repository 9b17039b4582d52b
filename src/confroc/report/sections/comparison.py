"""Models compared on the same cases, two at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from confroc.auc import auc_difference
from confroc.report import words
from confroc.report.data import ReportData
from confroc.report.section import Note, Section, Use, with_notes
from confroc.results import Difference
from confroc.scores import PairedScores


class Row(NamedTuple):
    """What one line of the table shows."""

    a: str
    b: str
    n: int
    difference: Difference
    notes: tuple[str, ...]

    @property
    def name(self) -> str:
        """What is compared."""
        return f"{self.a} − {self.b}"


def _verdict(a: str, b: str, found: Difference, level: str) -> str:
    ends = words.between_signed(found.lower, found.upper)
    difference = f"AUC difference {words.signed(found.estimate)}, {level} interval {ends}"
    difference = f"{difference}, {words.pvalue(found.pvalue)}"
    if found.lower > 0.0 or found.upper < 0.0:
        better, worse = (a, b) if found.lower > 0.0 else (b, a)
        return f"{better} ranks cases better than {worse}: {difference}"
    return f"These cases do not settle whether {a} or {b} ranks better: {difference}"


def comparison(data: ReportData, before: Sequence[Section]) -> Section | None:  # noqa: ARG001
    """Test every pair for a difference of areas."""
    if not data.pairs:
        return None
    level = words.percent(data.confidence_level)
    rows: list[Row] = []
    record, headlines = [], []
    for (a, b), pair in data.pairs.items():

        def difference_of(models: PairedScores = pair) -> Difference:
            return auc_difference(models, confidence_level=data.confidence_level)

        found, notes = with_notes(difference_of)
        n = pair.n_pos + pair.n_neg
        rows.append(Row(a, b, n, found, notes))
        headlines.append(_verdict(a, b, found, level))
        record.append({"a": a, "b": b, "n": n} | found.to_dict() | {"notes": list(notes)})
    return Section(
        key="comparisons",
        title="Comparison" if len(rows) == 1 else "Comparisons",
        template="comparison.html",
        view={"rows": rows},
        record=record,
        headlines=tuple(headlines),
        notes=tuple(Note(row.name, text) for row in rows for text in row.notes),
        uses=tuple(Use("auc_difference", row.name, row.difference) for row in rows),
    )
