"""The curves, and a simultaneous band around each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from confroc.bands import roc_band
from confroc.curve import RocCurve, roc_curve
from confroc.pages import words
from confroc.pages.data import SEED, ReportData
from confroc.pages.figures import band_figure, curves_figure
from confroc.pages.section import Note, Section, Use, with_notes
from confroc.plot.style import THIN_ERROR, thin
from confroc.results import Band
from confroc.scores import Scores

MANY = 10_000
"""Cases in each class from which the band that needs no resampling, and holds by proof, is narrow enough."""


def _curve_record(curve: RocCurve) -> dict[str, Any]:
    corners = curve.corners()
    kept = thin(corners.fpr, corners.tpr)
    thresholds = [t if math.isfinite(t) else None for t in corners.threshold[kept].tolist()]
    return {
        "fpr": corners.fpr[kept].tolist(),
        "tpr": corners.tpr[kept].tolist(),
        "threshold": thresholds,
        "max_deviation": 0.0 if len(kept) == len(corners) else THIN_ERROR,
    }


def _band_record(band: Band, notes: tuple[str, ...]) -> dict[str, Any]:
    kept = thin(band.at, band.lower, band.upper, band.estimate)
    edges = {"fpr": band.at, "lower": band.lower, "upper": band.upper}
    shown = {name: values[kept].tolist() for name, values in edges.items()}
    about = {name: getattr(band, name) for name in ("confidence_level", "method", "kind", "guarantee")}
    moved = 0.0 if len(kept) == len(band.at) else THIN_ERROR
    return shown | about | {"max_deviation": moved, "notes": list(notes)}


def curves(data: ReportData, before: Sequence[Section]) -> Section:  # noqa: ARG001
    """Draw all curves together when there are several, and each in its band."""
    level = words.percent(data.confidence_level)
    record, panels, notes, uses, drawn = [], [], [], [], {}
    for row, (name, scores) in enumerate(data.models.items()):

        def band_of(model: Scores = scores) -> Band:
            method = "ks_regions" if min(model.n_pos, model.n_neg) >= MANY else "equal_local_levels"
            return roc_band(model, method=method, confidence_level=data.confidence_level, rng=SEED)

        curve = drawn[name] = roc_curve(scores)
        band, said = with_notes(band_of)
        record.append({"model": name, "curve": _curve_record(curve), "band": _band_record(band, said)})
        notes += [Note(name, text) for text in said]
        uses.append(Use("roc_band", name, band))
        alt = f"ROC curve of {name}, AUC {words.rate(curve.auc)}, inside its {level} {band.kind} band"
        figure = band_figure(band, curve, row=row, key=f"band-{row}", alt=alt)
        panels.append({"model": name, "auc": curve.auc, "figure": figure, "notes": said})
    together = Markup("")
    if len(drawn) > 1:
        alt = "ROC curves of " + ", ".join(f"{name} (AUC {words.rate(c.auc)})" for name, c in drawn.items())
        together = curves_figure(drawn, key="curves", alt=alt)
    return Section(
        key="curves",
        title="ROC curves" if len(drawn) > 1 else "ROC curve",
        question="trust",
        template="curves.html",
        view={"panels": panels, "together": together},
        record=record,
        notes=tuple(notes),
        uses=tuple(uses),
    )
