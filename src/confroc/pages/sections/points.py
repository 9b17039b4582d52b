"""The true positive rate each model reaches at small false positive rates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from confroc._check import false_positives
from confroc.pages import words
from confroc.pages.data import ReportData
from confroc.pages.section import Note, Section, Use, with_notes
from confroc.points import tpr_at_fpr
from confroc.results import Intervals
from confroc.scores import Scores

RATES = (0.01, 0.05, 0.10)


def _supported(rate: float, n_neg: int) -> bool:
    try:
        false_positives(rate, n_neg)
    except ValueError:
        return False
    return True


def _point(name: str, scores: Scores, rate: float, level: float) -> tuple[dict[str, Any], Intervals | None]:
    asked = {"model": name, "fpr_asked": rate}
    if not _supported(rate, scores.n_neg):
        reason = (
            f"Too few negatives: a false positive rate of {words.percent(rate)} needs at least "
            f"{words.count(math.ceil(1.0 / rate))}, and there are {words.count(scores.n_neg)}."
        )
        return asked | {"supported": False, "reason": reason}, None
    found, notes = with_notes(lambda: tpr_at_fpr(scores, rate, confidence_level=level))
    point = {
        "supported": True,
        "fpr": float(found.at[0]),
        "estimate": float(found.estimate[0]),
        "lower": float(found.lower[0]),
        "upper": float(found.upper[0]),
        "confidence_level": found.confidence_level,
        "method": found.method,
        "kind": found.kind,
        "guarantee": found.guarantee,
        "notes": list(notes),
    }
    return asked | point, found


def points(data: ReportData, before: Sequence[Section]) -> Section:  # noqa: ARG001
    """Give the true positive rate at each rate of `RATES` that there are enough negatives for."""
    record, uses = [], []
    for name, scores in data.models.items():
        for rate in RATES:
            point, found = _point(name, scores, rate, data.confidence_level)
            record.append(point)
            if found is not None:
                uses.append(Use("tpr_at_fpr", name, found))
    by_model = []
    for name in data.models:
        own = [point for point in record if point["model"] == name]
        # A note takes a row of its own in the table.
        table_rows = len(own) + sum(len(point.get("notes", [])) for point in own)
        by_model.append({"model": name, "points": own, "table_rows": table_rows})
    return Section(
        key="tpr_at_fpr",
        title="True positive rate at small false positive rates",
        question="threshold",
        template="points.html",
        view={"models": by_model},
        record=record,
        notes=tuple(
            Note(point["model"], f"at a false positive rate of {words.percent(point['fpr_asked'])}: {text}")
            for point in record
            for text in point.get("notes", [])
        ),
        uses=tuple(uses),
    )
