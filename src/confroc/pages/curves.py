"""The cases, the curves in their bands, and the curve read at small false positive rates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from confroc.bands import ks_statistic, roc_band
from confroc.curve import RocCurve, roc_curve
from confroc.general import interval
from confroc.pages import words
from confroc.pages.areas import area
from confroc.pages.figures import band_figure, curves_figure
from confroc.pages.section import (
    ENDS,
    SEED,
    ReportData,
    Section,
    band_record,
    claims,
    if_allowed,
    noted,
    thinned,
)
from confroc.pages.templating import sentence
from confroc.points import tpr_at_fpr
from confroc.precision import average_precision
from confroc.results import Band
from confroc.results.shown import informed
from confroc.statistics import Gini

MANY = 10_000
"""Cases in each class from which the band that needs no resampling, and holds by proof, is narrow enough."""
RATES = (0.01, 0.05, 0.10)
PAIR = 2
"""Curves whose bands stay readable on one pair of axes."""


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
    """Draw the curves in their bands, and tabulate what is read off them."""
    level = words.percent(data.confidence_level)
    drawn = {name: roc_curve(scores) for name, scores in data.models.items()}
    parts = area(data), points(data, drawn)
    bands: dict[str, Band] = {}
    panels: list[dict[str, Any]] = []
    record, notes, uses = [], [], []
    for name, scores in data.models.items():
        corners = drawn[name].corners()
        many = min(scores.n_pos, scores.n_neg) >= MANY and not data.dependent
        method = "ks_regions" if many else "equal_local_levels"
        options = {"confidence_level": data.confidence_level}
        banded = if_allowed(noted, roc_band, scores, method=method, rng=SEED, **options)
        columns = {name: getattr(corners, name) for name in ("fpr", "tpr", "threshold")}
        shown = thinned(columns, corners.fpr, corners.tpr)
        record.append({"model": name, "curve": shown, "band": None})
        if banded is not None:
            bands[name], said = banded
            record[-1]["band"] = band_record(bands[name], said, ("lower", "upper"))
            uses.append(("roc_band", name, str(bands[name].method)))
        # What else the band's notes state is in the explanation below the chart, for all models at once.
        ks, said = if_allowed(noted, ks_statistic, scores, **options) or (None, ())
        notes += [(name, text) for text in said]
        uses += [] if ks is None else [("ks_statistic", name, str(ks.method))]
        ap, more = if_allowed(noted, average_precision, scores, **options) or (None, ())
        notes += [(name, text) for text in more]
        uses += [] if ap is None else [("average_precision", name, str(ap.method))]
        share = scores.n_pos / (scores.n_pos + scores.n_neg)
        panels.append({"model": name, "ks": ks, "notes": said, "ap": ap, "ap_notes": more, "share": share})
    alt = "ROC curves of " + ", ".join(f"{name} (AUC {words.rate(c.auc)})" for name, c in drawn.items())
    leader = max(drawn, key=lambda name: drawn[name].auc)
    beside = bands if len(bands) <= PAIR else {}
    together = curves_figure(
        drawn, beside, key="curves", alt=f"{alt}, in {level} bands" if bands else alt, named=not data.many
    )
    for row, panel in enumerate(panels if not beside else []):
        name = panel["model"]
        if name not in bands:
            continue
        alt = f"ROC curve of {name} inside its {level} {bands[name].kind} band"
        panel["figure"] = band_figure(bands[name], drawn[name], row=row, key=f"band-{row}", alt=alt)
    rows = []
    for one, other, panel in zip(parts[0].view["rows"], parts[1].view["models"], panels, strict=True):
        name, found = one["model"], one["interval"]
        scale = {"method": found.method, "confidence_level": data.confidence_level}
        gini, _ = noted(interval, data.models[name], Gini(), **scale)
        own = [text for part in parts for about, text in part.notes if about == name]
        rows.append({
            "model": name,
            "auc": found,
            "gini": gini,
            "ks": panel["ks"],
            "points": other["points"],
            "notes": list(dict.fromkeys([*own, *panel["notes"]])),
        })  # fmt: skip
    areas = [
        kept | {name: None if row[name] is None else row[name].to_dict() for name in ("gini", "ks")}
        for kept, row in zip(parts[0].record, rows, strict=True)
    ]
    found_areas = {name: it for name, (it, _) in data.areas.items()}
    informed_by = informed(data.models, found_areas, data.cluster)
    return Section(
        key="curves",
        title="ROC curves and areas" if len(drawn) > 1 else "ROC curve and area",
        template="curves.html",
        question="rank",
        view={
            "panels": panels,
            "together": together,
            "rows": rows,
            "rates": RATES,
            "leader": leader,
            "banded": bool(bands),
            "tied": any(point["within_tie"] for point in parts[1].record),
            "notes": by_note(rows),
            "vacuous": {name: end for name, b in bands.items() if (end := b.lower_vacuous_until) > 0.0},
        },
        record=record,
        records={
            "auc": areas,
            "tpr_at_fpr": parts[1].record,
            "average_precision": [
                {"model": panel["model"]} | panel["ap"].to_dict() | {"notes": list(panel["ap_notes"])}
                for panel in panels
                if panel["ap"]
            ],
        },
        headlines=parts[0].headlines + ([informed_by] if informed_by else []),
        notes=[*parts[0].notes, *notes, *parts[1].notes],
        uses=[*parts[0].uses, *uses, *parts[1].uses],
    )


def by_note(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return each note of the rows once, with the models that it is about."""
    found: dict[str, list[str]] = {}
    for row in rows:
        for text in row["notes"]:
            found.setdefault(text, []).append(row["model"])
    return found


def _tie(curve: RocCurve, n_neg: int, rate: float) -> list[float] | None:
    """Return the false positive rates of the thresholds around a tie of both classes that holds a rate.

    A single negative is no more than the step between any two thresholds.
    """
    after = int(np.searchsorted(curve.fpr, rate, side="right"))
    (low, high), (below, above) = (
        values[after - 1 : after + 1].tolist() for values in (curve.fpr, curve.tpr)
    )
    return [low, high] if low < rate and below < above and round(n_neg * (high - low)) > 1 else None


def points(data: ReportData, drawn: Mapping[str, RocCurve]) -> Section:
    """Give the true positive rate at each rate of `RATES`, and which of them no threshold attains."""
    models: list[dict[str, Any]] = []
    notes: list[tuple[str, str]] = []
    uses = []
    for name, scores in data.models.items():
        own: list[dict[str, Any]] = []
        where: dict[str, list[float]] = {}
        for rate in RATES:
            found, said = noted(tpr_at_fpr, scores, fpr=rate, confidence_level=data.confidence_level)
            ends = {end: float(getattr(found, end)[0]) for end in ENDS}
            about = {"model": name, "fpr": rate, "within_tie": _tie(drawn[name], scores.n_neg, rate)}
            own.append(about | ends | claims(found) | {"notes": list(said)})
            where.update({text: [*where.get(text, ()), rate] for text in said})
            uses.append(("tpr_at_fpr", name, str(found.method)))
        for text, rates in where.items():
            # A note at every rate is about the scores.
            every = len(rates) == len(RATES)
            notes.append((name, text if every else sentence("note_at", text=text, rates=rates)))
        models.append({"model": name, "points": own})
    return Section(
        view={"models": models},
        record=[point for model in models for point in model["points"]],
        notes=notes,
        uses=uses,
    )
