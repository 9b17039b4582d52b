"""How to read the report, and what its methods promise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from confroc.pages import methods, words
from confroc.pages.data import ReportData
from confroc.pages.section import Section


def reading(data: ReportData, before: Sequence[Section]) -> Section:
    """Explain the terms that the sections before use."""
    level = words.percent(data.confidence_level)
    miss = words.percent(1.0 - data.confidence_level, 4)
    view = {"positive": data.positive, "negative": data.negative, "level": level, "miss": miss}
    present = {section.key for section in before}
    return Section(
        key="reading", title="How to read this", template="reading.html", view=view | {"present": present}
    )


def explained(data: ReportData, before: Sequence[Section]) -> Section:  # noqa: ARG001
    """List each method that was really used, for whom, and its guarantee."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for use in (use for section in before for use in section.uses):
        key = (use.topic, use.result.method)
        entry = methods.method(*key)
        row = found.setdefault(
            key,
            {
                "topic": use.topic,
                "method": use.result.method,
                "name": entry.name,
                "text": entry.text,
                "kind": use.result.kind,
                "guarantee": use.result.guarantee,
                "used_for": [],
            },
        )
        if use.about not in row["used_for"]:
            row["used_for"].append(use.about)
    rows = list(found.values())
    # Naming the models helps only where a fallback has split them between methods.
    topics = [row["topic"] for row in rows]
    view = {
        "rows": [row | {"split": topics.count(row["topic"]) > 1} for row in rows],
        "topics": methods.TOPICS,
        "promises": [
            (word, text)
            for aspect, words_ in (("kind", methods.KINDS), ("guarantee", methods.GUARANTEES))
            for word, text in words_.items()
            if any(row[aspect] == word for row in rows)
        ],
    }
    return Section(
        key="methods", title="Methods and guarantees", template="methods.html", view=view, record=rows
    )
