"""The last sections: how to read the report, what its methods promise, and what to cite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import confroc
from confroc.methods import FUNCTIONS
from confroc.pages import words
from confroc.pages.section import ReportData, Section

KINDS = {
    "pointwise": "Holds for one number at a time. Among many such intervals, some are bound to miss.",
    "simultaneous": "Holds for a whole curve, or for all models, at once: with the stated probability all of "
    "it is inside.",
}
GUARANTEES = {
    "finite-sample": "The stated probability is proven for samples of every size.",
    "asymptotic": "The stated probability is reached as both classes grow; it is approximate with few cases.",
    "bootstrap": "The stated probability is reached as both classes grow, by imitating new samples.",
    "none": "Nothing makes sure of the stated probability; the method is there for comparison.",
}


def reading(data: ReportData, before: Sequence[Section]) -> Section:
    """Explain the terms that the sections before use."""
    view = {
        "positive": data.positive,
        "negative": data.negative,
        "level": words.percent(data.confidence_level),
        "miss": words.percent(1.0 - data.confidence_level, 4),
        "present": {section.key for section in before},
        "several": data.scores is not None and len(data.models) > 2,
    }
    return Section(key="reading", title="How to read this", template="reading.html", view=view, folded=True)


def methods(before: Sequence[Section]) -> Section:
    """List each method that was really used, for whom, and its guarantee."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for function, about, method in (use for section in before for use in section.uses):
        entry = FUNCTIONS[function].methods[method]
        row = found.setdefault(
            (function, entry.name),
            {
                "topic": function,
                "method": entry.name,
                "name": entry.title,
                "text": f"{entry.summary} {entry.caution}".strip(),
                "kind": entry.kind,
                "guarantee": entry.guarantee,
                "used_for": [],
            },
        )
        if about not in row["used_for"]:
            row["used_for"].append(about)
    rows = list(found.values())
    # Naming the models helps only where a fallback has split them between methods.
    topics = [row["topic"] for row in rows]
    view = {
        "rows": [row | {"split": topics.count(row["topic"]) > 1} for row in rows],
        "topics": {topic: FUNCTIONS[topic].title for topic in topics},
        "promises": [
            (word, text)
            for aspect, terms in (("kind", KINDS), ("guarantee", GUARANTEES))
            for word, text in terms.items()
            if any(row[aspect] == word for row in rows)
        ],
    }
    return Section(
        key="methods",
        title="Methods and guarantees",
        template="methods.html",
        view=view,
        record=rows,
        folded=True,
    )


def citing(before: Sequence[Section]) -> Section:
    """Collect this version and the papers of all methods used."""
    used = {
        paper
        for section in before
        for function, _, method in section.uses
        for paper in FUNCTIONS[function].methods[method].references
    }
    papers = sorted(used, key=lambda paper: paper.text)
    software = f"confroc, version {confroc.__version__}: honest uncertainty for ROC curves [software]."
    return Section(
        key="citation",
        title="How to cite",
        template="citing.html",
        folded=True,
        view={"papers": papers, "software": software},
        record={"software": software, "papers": [{"text": p.text, "doi": p.doi or None} for p in papers]},
    )
