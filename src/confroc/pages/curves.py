"""The cases, the curves in their bands, and the curve read at small false positive rates."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from confroc.bands import roc_band
from confroc.curve import roc_curve
from confroc.pages import words
from confroc.pages.figures import band_figure, curves_figure
from confroc.pages.section import ENDS, SEED, ReportData, Section, band_record, claims, noted, thinned
from confroc.points import tpr_at_fpr

MANY = 10_000
"""Cases in each class from which the band that needs no resampling, and holds by proof, is narrow enough."""
RATES = (0.01, 0.05, 0.10)


def cases(data: ReportData) -> Section:
    """Count cases and distinct scores of each model."""
    models = [
        {
            "model": name,
            "n": scores.n_pos + scores.n_neg,
            "n_pos": scores.n_pos,
            "n_neg": scores.n_neg,
            "prevalence": scores.n_pos / (scores.n_pos + scores.n_neg),
            "n_distinct": len(scores.score),
        }
        for name, scores in data.models.items()
    ]
    about = ("source", "label", "positive", "negative", "n_rows", "n_dropped", "validation_source")
    record = {name: getattr(data, name) for name in about} | {"models": models}
    return Section(
        key="data", title="What was analysed", template="cases.html", view=record, record=record, folded=True
    )


def curves(data: ReportData) -> Section:
    """Draw all curves together when there are several, and each in its band."""
    level = words.percent(data.confidence_level)
    drawn = {name: roc_curve(scores) for name, scores in data.models.items()}
    record, panels, notes, uses = [], [], [], []
    for row, (name, scores) in enumerate(data.models.items()):
        curve, corners = drawn[name], drawn[name].corners()
        method = "ks_regions" if min(scores.n_pos, scores.n_neg) >= MANY else "equal_local_levels"
        band, said = noted(roc_band, scores, method=method, confidence_level=data.confidence_level, rng=SEED)
        columns = {name: getattr(corners, name) for name in ("fpr", "tpr", "threshold")}
        shown = thinned(columns, corners.fpr, corners.tpr)
        record.append({"model": name, "curve": shown, "band": band_record(band, said, ("lower", "upper"))})
        notes += [(name, text) for text in said]
        uses.append(("roc_band", name, band.method))
        alt = f"ROC curve of {name}, AUC {words.rate(curve.auc)}, inside its {level} {band.kind} band"
        figure = band_figure(band, curve, row=row, key=f"band-{row}", alt=alt)
        panels.append({"model": name, "auc": curve.auc, "figure": figure, "notes": said})
    together = Markup("")
    if len(drawn) > 1:
        alt = "ROC curves of " + ", ".join(f"{name} (AUC {words.rate(c.auc)})" for name, c in drawn.items())
        together = curves_figure(drawn, key="curves", alt=alt, named=not data.many)
    return Section(
        key="curves",
        title="ROC curves" if len(drawn) > 1 else "ROC curve",
        template="curves.html",
        question="rank",
        view={"panels": panels, "together": together, "leader": max(drawn, key=lambda name: drawn[name].auc)},
        record=record,
        notes=notes,
        uses=uses,
    )


def points(data: ReportData) -> Section:
    """Give the true positive rate at each rate of `RATES`."""
    by_model: list[dict[str, Any]] = []
    notes, uses = [], []
    for name, scores in data.models.items():
        own: list[dict[str, Any]] = []
        for rate in RATES:
            found, said = noted(tpr_at_fpr, scores, rate, confidence_level=data.confidence_level)
            ends = {end: float(getattr(found, end)[0]) for end in ENDS}
            own.append({"model": name, "fpr": rate} | ends | claims(found) | {"notes": list(said)})
            notes += [(name, f"at a false positive rate of {words.percent(rate)}: {text}") for text in said]
            uses.append(("tpr_at_fpr", name, found.method))
        # A note takes a row of its own in the table.
        table_rows = len(own) + sum(len(point["notes"]) for point in own)
        by_model.append({"model": name, "points": own, "table_rows": table_rows})
    return Section(
        key="tpr_at_fpr",
        title="True positive rate at small false positive rates",
        template="points.html",
        question="threshold",
        view={"models": by_model},
        record=[point for model in by_model for point in model["points"]],
        notes=notes,
        uses=uses,
    )
