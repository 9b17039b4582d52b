"""What every threshold does: errors, rates and predictive values, with the cheapest for given costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from confroc.pages.data import ReportData
from confroc.pages.operating import ALL_POINTS, POINTS, operating_points
from confroc.pages.section import Note, Section, Use

SHOWN = 9
"""Rows of the table that needs no script."""


def _rows(record: dict[str, Any]) -> list[dict[str, Any]]:
    """Pick thresholds at even steps along the curve, each as one row of named values."""
    points = record["points"]
    along = np.add(points["tpr"], points["fpr"])
    inner = range(1, len(along) - 1)
    steps = np.linspace(0.0, 2.0, SHOWN + 2)[1:-1]
    picked = {int(np.abs(along[1:-1] - step).argmin()) + 1 for step in steps} if inner else {len(along) - 1}
    return [{name: column[i] for name, column in points.items()} for i in sorted(picked)]


def thresholds(data: ReportData, before: Sequence[Section]) -> Section:  # noqa: ARG001
    """Tabulate the operating points of each model."""
    most = max(50, min(POINTS, ALL_POINTS // len(data.models)))
    record, models, notes, uses = [], [], [], []
    for name, scores in data.models.items():
        table, found, said = operating_points(scores, data.confidence_level, most)
        record.append({"model": name} | table | {"notes": list(said)})
        models.append({"model": name, "rows": _rows(table), "table": table, "notes": said})
        notes += [Note(name, text) for text in said]
        uses.append(Use("operating_points", name, found))
    return Section(
        key="thresholds",
        title="Which threshold?",
        question="threshold",
        template="thresholds.html",
        view={"models": models},
        record=record,
        notes=tuple(notes),
        uses=tuple(uses),
    )
