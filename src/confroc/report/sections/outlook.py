"""What to expect next: the areas of populations that have drifted no further than a given budget."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from confroc.report import words
from confroc.report.data import ReportData
from confroc.report.section import Note, Section, Use, with_notes


def outlook(data: ReportData, before: Sequence[Section]) -> Section | None:  # noqa: ARG001
    """Bound the area of every model after drift, if a budget for it is given."""
    psi = data.psi
    if psi is None:
        return None
    from confroc.auc import auc_interval
    from confroc.drift import auc_forecast, forecast_curve
    from confroc.report.figures import hourglass_figure

    rows, record, headlines, notes, uses = [], [], [], [], []
    for row, (name, scores) in enumerate(data.models.items()):
        found, said = with_notes(partial(auc_forecast, scores, psi=psi))
        curve, _ = with_notes(partial(forecast_curve, scores, divergence="jeffreys"))
        interval, _ = with_notes(partial(auc_interval, scores, confidence_level=data.confidence_level))
        alt = f"Range of areas of {name} against the distance to the population now"
        figure = hourglass_figure(curve, interval, psi, row=row, key=f"outlook-{row}", alt=alt)
        rows.append({"model": name, "forecast": found, "notes": said, "figure": figure})
        record.append({"model": name} | found.to_dict() | {"notes": list(said)})
        headlines.append(
            f"{name} after a drift of population stability index {psi:g}: AUC "
            f"{words.between(found.lower, found.upper)}"
        )
        notes += [Note(name, text) for text in said]
        uses.append(Use("auc_forecast", name, found))
    return Section(
        key="outlook",
        title="What to expect next",
        template="outlook.html",
        view={"rows": rows, "psi": psi},
        record={"psi": psi, "models": record},
        headlines=tuple(headlines),
        notes=tuple(notes),
        uses=tuple(uses),
    )
