"""Groups of cases compared, and later segments compared with the first."""

from __future__ import annotations

from typing import Any

import numpy as np

from confroc.auc import auc_comparison
from confroc.drift import drift_monitor
from confroc.pages import facts
from confroc.pages.figures import segments_figure
from confroc.pages.section import ENDS, FEW, SEED, ReportData, Section, noted
from confroc.pages.templating import sentence
from confroc.scores import class_sizes


def groups(data: ReportData) -> Section | None:
    """Report the AUC of every group, and differences: of many groups only the significant ones."""
    if data.groups is None:
        return None
    level = data.confidence_level
    panels: list[dict[str, Any]] = []
    record, headlines, notes, uses = [], [], [], []
    for name, parts in data.groups.items():
        found, remarks = noted(auc_comparison, parts, confidence_level=level, rng=SEED)
        pairs = [(a, b, found[a, b]) for a, b in facts.pairs_of(found)]
        differing = [(a, b) for a, b, it in pairs if facts.significant(it)]
        about = {"name": name, "group": data.group, "n_pairs": len(pairs), "test": found.test, "level": level}
        headlines.append(sentence("groups", differing=differing, **about))
        rows = [
            {"group": group}
            | dict(zip(("n_pos", "n_neg"), class_sizes(scores), strict=True))
            | {end: getattr(found.intervals, end)[i] for end in ENDS}
            for i, (group, scores) in enumerate(zip(parts.names, parts.samples, strict=True))
        ]
        shown = pairs if len(rows) <= FEW else [pair for pair in pairs if facts.significant(pair[2])]
        about = {"model": name, "sentence": headlines[-1], "rows": rows, "notes": remarks}
        panels.append(about | {"pairs": shown, "all": len(shown) == len(pairs)})
        record.append({"model": name} | found.to_dict() | {"notes": list(remarks)})
        notes += [(f"{name} by {data.group}", text) for text in remarks]
        uses.append(("auc_comparison", f"{name} by {data.group}", str(found.method)))
    own_rows = any(
        np.sum([*map(class_sizes, parts.samples)], axis=0).tolist() != [*class_sizes(data.models[name])]
        for name, parts in data.groups.items()
    )
    return Section(
        key="groups",
        title=f"By {data.group}",
        template="groups.html",
        view={"panels": panels, "own_rows": own_rows},
        record={"group": data.group, "models": record},
        headlines=headlines,
        notes=notes,
        uses=uses,
    )


def segments(data: ReportData) -> Section | None:
    """Compare the prevalence, scores and AUC of every later segment with the first."""
    if data.segments is None:
        return None
    panels: list[dict[str, Any]] = []
    record, headlines, notes, uses = [], [], [], []
    level = data.confidence_level
    for name, parts in data.segments.items():
        (reference, first), *later = parts.items()
        found, remarks = noted(drift_monitor, first, dict(later), confidence_level=level, rng=SEED)
        about = {"name": name, "segment": data.segment, "reference": reference, "n": len(later)}
        columns = found._columns()
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        flagged = {
            name: [r["segment"] for r in rows if r[column]]
            for name, column in (("drifted", "population_drifted"), ("outside", "auc_drifted"))
        }
        headlines.append(sentence("segments", **about, **flagged))
        alt = f"AUC of {name} by {data.segment} with intervals, and the interval of {reference}"
        shown = {
            "model": name,
            "sentence": headlines[-1],
            "tested": True,
            "reference": reference,
            "first": first,
        }
        shown["figure"] = segments_figure(found, flagged["outside"], row=[*data.models].index(name), alt=alt)
        panels.append(shown | {"forecast": found.forecast, "rows": rows, "notes": remarks})
        record.append({"model": name, "reference": reference} | found.to_dict() | {"notes": list(remarks)})
        notes += [(f"{name} by {data.segment}", text) for text in remarks]
        of = str(found.method).split(" or ")
        uses += [("auc_interval", f"{name} by {data.segment}", method) for method in of]
    return Section(
        key="segments",
        title=f"By {data.segment}",
        template="segments.html",
        view={"panels": panels},
        record={"segment": data.segment, "models": record},
        headlines=headlines,
        notes=notes,
        uses=uses,
    )
