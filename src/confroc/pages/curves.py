"""The cases, ROC and precision-recall curves in their bands, and rates on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from confroc.bands import ks_statistic, roc_band
from confroc.curve import roc_curve
from confroc.pages import words
from confroc.pages.areas import area
from confroc.pages.figures import rates_figure
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
from confroc.precision import average_precision, pr_band, pr_curve
from confroc.results import Band
from confroc.results.shown import informed
from confroc.scores import class_sizes

PAIR = 2
"""Number of bands that remain readable on one pair of axes."""


def cases(data: ReportData) -> Section:
    """Count cases and distinct scores of each model; the prevalence alone is weighted."""
    models = [
        {
            "model": name,
            "n": sum(class_sizes(scores)),
            **dict(zip(("n_pos", "n_neg"), class_sizes(scores), strict=True)),
            "prevalence": scores.n_pos / (scores.n_pos + scores.n_neg),
            "n_distinct": len(scores.score),
        }
        for name, scores in data.models.items()
    ]
    about = (
        "source",
        "label",
        "positive",
        "negative",
        "n_rows",
        "n_dropped",
        "validation_source",
        "sampling",
    )
    record = {name: getattr(data, name) for name in about} | {"reversed": [*data.turned], "models": models}
    return Section(key="data", title="Data", template="cases.html", view=record, record=record)


def banded(data: ReportData, rows: Iterable[int]) -> set[int]:
    """Return the rows of models whose bands are shown: of one or two models all, else of the largest AUC."""
    return set(rows) if len(data.models) <= PAIR else {[*data.models].index(data.leader)}


def curves(data: ReportData) -> Section:
    """Draw the curves in their bands, and tabulate their rates and distances."""
    drawn = {name: roc_curve(scores) for name, scores in data.models.items()}
    parts = area(data), points(data)
    bands: dict[int, Band] = {}
    rows: list[dict[str, Any]] = []
    record, notes, uses = [], [], []
    for row, (name, scores) in enumerate(data.models.items()):
        corners = drawn[name].corners()
        columns = {column: getattr(corners, column) for column in ("fpr", "tpr", "threshold")}
        record.append({"model": name, "curve": thinned(columns, corners.fpr, corners.tpr), "band": None})
        found = if_allowed(noted, roc_band, scores, rng=SEED, confidence_level=data.confidence_level)
        if found is not None:
            bands[row], remarks = found
            record[-1]["band"] = band_record(bands[row], remarks, ("lower", "upper"))
            uses.append(("roc_band", name, str(bands[row].method)))
        # The explanation below the table states the notes on bands for all models.
        level = data.confidence_level
        ks, remarks = if_allowed(noted, ks_statistic, scores, confidence_level=level) or (None, ())
        notes += [(name, text) for text in remarks]
        uses += [] if ks is None else [("ks_statistic", name, str(ks.method))]
        own = [text for part in parts for about, text in part.notes if about == name]
        rows.append({
            "model": name,
            "auc": data.shown_areas[name],
            "ks": ks,
            "points": parts[1].view["models"][row]["points"],
            "notes": list(dict.fromkeys([*own, *remarks])),
        })  # fmt: skip
    alt = "ROC curves of " + ", ".join(f"{name} (AUC {words.rate(c.auc)})" for name, c in drawn.items())
    found_areas = {name: it for name, (it, _) in data.areas.items()}
    informed_by = informed(data.models, found_areas, data.cluster)
    return Section(
        key="curves",
        title="ROC curve" if len(drawn) == 1 else "ROC curves",
        template="curves.html",
        view={
            "figure": rates_figure(
                [(curve.fpr, curve.tpr) for curve in drawn.values()],
                bands,
                ("False positive rate", "True positive rate"),
                banded=banded(data, bands),
                alt=alt,
            ),
            "rows": rows,
            "rates": data.rates,
            "informed": [informed_by] if informed_by else [],
            "remarks": parts[0].view["remarks"],
            "banded": bool(bands),
            "notes": by_note(rows),
        },
        record=record,
        records={"auc": parts[0].record, "tpr_at_fpr": parts[1].record},
        headlines=parts[0].headlines + ([informed_by] if informed_by else []),
        notes=[*parts[0].notes, *notes, *parts[1].notes],
        uses=[*parts[0].uses, *uses, *parts[1].uses],
    )


def by_note(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return each note of the rows once, with the names of its models."""
    found: dict[str, list[str]] = {}
    for row in rows:
        for text in row["notes"]:
            found.setdefault(text, []).append(row["model"])
    return found


def points(data: ReportData) -> Section:
    """Report the TPR at small false positive rates."""
    models: list[dict[str, Any]] = []
    notes: list[tuple[str, str]] = []
    uses = []
    for name, scores in data.models.items():
        own: list[dict[str, Any]] = []
        where: dict[str, list[float]] = {}
        for rate in data.rates:
            found, remarks = noted(tpr_at_fpr, scores, fpr=[rate], confidence_level=data.confidence_level)
            ends = {end: float(getattr(found, end)[0]) for end in ENDS}
            own.append({"model": name, "fpr": rate} | ends | claims(found) | {"notes": list(remarks)})
            where.update({text: [*where.get(text, ()), rate] for text in remarks})
            uses.append(("tpr_at_fpr", name, str(found.method)))
        for text, rates in where.items():
            # A note at every rate concerns the scores.
            every = len(rates) == len(data.rates)
            notes.append((name, text if every else sentence("note_at", text=text, rates=rates)))
        models.append({"model": name, "points": own})
    return Section(
        view={"models": models},
        record=[point for model in models for point in model["points"]],
        notes=notes,
        uses=uses,
    )


def precision(data: ReportData) -> Section | None:
    """Draw precision-recall curves in their bands; the average precision is in the summary."""
    bands: dict[int, Band] = {}
    curves: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    lines, record, uses = [], [], []
    for row, (name, scores) in enumerate(data.models.items()):
        found, remarks = noted(average_precision, scores, confidence_level=data.confidence_level)
        rows.append({"model": name, "average_precision": found, "notes": remarks})
        record.append({"model": name} | found.to_dict() | {"notes": list(remarks)})
        uses.append(("average_precision", name, str(found.method)))
        curve = pr_curve(scores)
        lines.append((curve.recall, curve.precision))
        columns = {"recall": curve.recall, "precision": curve.precision}
        shown = thinned(columns, curve.recall, curve.precision)
        curves.append({"model": name, "curve": shown, "band": None})
        banding = if_allowed(noted, pr_band, scores, rng=SEED, confidence_level=data.confidence_level)
        if banding is not None:
            bands[row], _ = banding
            uses.append(("pr_band", name, str(bands[row].method)))
            curves[-1]["band"] = band_record(bands[row], (), ("lower", "upper"))
    return Section(
        key="pr",
        title="Precision and recall",
        template="precision.html",
        view={
            "rows": rows,
            "share": curve.prevalence,
            "notes": by_note(rows),
            "figure": rates_figure(
                lines,
                bands,
                ("Recall (true positive rate)", "Precision"),
                banded=banded(data, bands),
                alt=f"Precision-recall curves of {', '.join(data.models)}",
                steps=True,
            ),
        },
        records={"average_precision": record, "precision_recall": curves},
        notes=[(row["model"], text) for row in rows for text in row["notes"]],
        uses=uses,
    )
