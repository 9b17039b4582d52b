"""The area under each curve, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from confroc.auc import auc_interval
from confroc.pages import words
from confroc.pages.data import ReportData
from confroc.pages.section import Note, Section, Use, with_notes
from confroc.results import Interval
from confroc.scores import Scores


class Row(NamedTuple):
    """What one line of the table shows."""

    model: str
    interval: Interval
    notes: tuple[str, ...]


def _remarks(scores: Scores, interval: Interval) -> tuple[str, ...]:
    if len(scores.score) == 1:
        return ("All scores are equal: they cannot rank the cases, so the AUC is 0.5 whatever the cases.",)
    if interval.upper < 0.5:
        return (
            "The AUC is below 0.5 and so is its whole interval: low scores mark positives. If lower means "
            "more likely positive, negate the scores; confroc never flips them for you.",
        )
    if scores.auc < 0.5:
        return ("The AUC is below 0.5: in these cases, low scores mark positives rather than high ones.",)
    if interval.lower <= 0.5:
        return ("The interval includes 0.5: these cases do not show that the scores do better than chance.",)
    return ()


def area(data: ReportData, before: Sequence[Section]) -> Section:  # noqa: ARG001
    """Give every model's AUC, and draw them below each other when there are several."""
    rows: list[Row] = []
    record, headlines = [], []
    for name, scores in data.models.items():

        def interval_of(model: Scores = scores) -> Interval:
            return auc_interval(model, confidence_level=data.confidence_level)

        interval, notes = with_notes(interval_of)
        notes += _remarks(scores, interval)
        rows.append(Row(name, interval, notes))
        record.append({"model": name} | interval.to_dict() | {"notes": list(notes)})
        headlines.append(
            f"{name}: AUC {words.rate(interval.estimate)}, {words.percent(data.confidence_level)} interval "
            f"{words.between(interval.lower, interval.upper)}"
        )
    figure = Markup("")
    if len(rows) > 1:
        from confroc.pages.figures import forest_figure

        figure = forest_figure(
            [row.interval for row in rows],
            [row.model for row in rows],
            reference=0.5,
            key="forest",
            alt="Areas under the curve with their intervals: " + "; ".join(headlines),
        )
    return Section(
        key="auc",
        title="Area under the curve",
        question="trust",
        template="area.html",
        view={"rows": rows, "figure": figure},
        record=record,
        headlines=tuple(headlines),
        notes=tuple(Note(row.model, text) for row in rows for text in row.notes),
        uses=tuple(Use("auc", row.model, row.interval) for row in rows),
    )
