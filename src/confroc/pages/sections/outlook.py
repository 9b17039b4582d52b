"""What to expect next: the areas of populations that have drifted, against how far they have."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from confroc.auc import auc_interval
from confroc.pages import words
from confroc.pages.data import ReportData
from confroc.pages.section import Note, Section, Use, with_notes
from confroc.results import Interval, Intervals

USUAL_PSI = 0.1
"""Where no budget is given: what credit risk calls the end of a small shift."""
NEAREST, FARTHEST, DISTANCES = 1e-3, 1.0, 10

BESIDE: dict[str, str] = {
    "This report": "score_delong",
    "DeLong": "delong",
    "Newcombe": "newcombe",
    "Birnbaum–Klose": "upper_bound",
}
"""Intervals for the population as it is, to set beside the range after drift."""


def _curve_record(curve: Intervals, moved: float) -> dict[str, Any]:
    shown = {"psi": curve.at.tolist(), "lower": curve.lower.tolist(), "upper": curve.upper.tolist()}
    return shown | {"max_deviation": moved}


def outlook(data: ReportData, before: Sequence[Section]) -> Section:  # noqa: ARG001
    """Bound the area of every model after drift, at the budget given or else at the customary one."""
    from confroc.drift import auc_forecast, coarsened, forecast_curve
    from confroc.pages.figures import hourglass_figure

    psi = USUAL_PSI if data.psi is None else data.psi
    level = data.confidence_level
    at = np.geomspace(min(NEAREST, 0.5 * psi), max(FARTHEST, 2.0 * psi), DISTANCES)
    rows, record, headlines, notes, uses = [], [], [], [], []
    for row, (name, scores) in enumerate(data.models.items()):
        few, moved = coarsened(scores)
        # The budget that was asked for is answered from the scores themselves.
        found, said = with_notes(partial(auc_forecast, few if data.psi is None else scores, psi=psi))
        curve, _ = with_notes(partial(forecast_curve, few, at, divergence="jeffreys"))
        intervals: dict[str, Interval] = {}
        for label, method in BESIDE.items():
            intervals[label], _ = with_notes(
                partial(auc_interval, scores, method=method, confidence_level=level)
            )
        alt = f"Range of areas of {name} against the distance to the population now"
        figure = hourglass_figure(curve, intervals, psi, row=row, key=f"outlook-{row}", alt=alt)
        rows.append({"model": name, "forecast": found, "notes": said, "figure": figure, "moved": moved})
        beside = [{"name": label} | interval.to_dict() for label, interval in intervals.items()]
        record.append(
            {"model": name}
            | found.to_dict()
            | {"notes": list(said), "curve": _curve_record(curve, moved), "intervals": beside}
        )
        headlines.append(
            f"{name} after a drift of population stability index {psi:g}: AUC "
            f"{words.between(found.lower, found.upper)}"
        )
        notes += [Note(name, text) for text in said]
        uses.append(Use("auc_forecast", name, found))
        uses += [Use("auc", name, interval) for interval in intervals.values()]
    return Section(
        key="outlook",
        title="What to expect next",
        question="next",
        template="outlook.html",
        view={"rows": rows, "psi": psi, "asked": data.psi is not None},
        record={"psi": psi, "asked": data.psi is not None, "models": record},
        headlines=tuple(headlines),
        notes=tuple(notes),
        uses=tuple(uses),
    )
