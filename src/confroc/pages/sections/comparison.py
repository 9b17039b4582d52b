"""Models compared on the same cases, two at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from markupsafe import Markup

from confroc.auc import auc_difference
from confroc.pages import words
from confroc.pages.data import ReportData
from confroc.pages.section import Note, Section, Use, with_notes
from confroc.plot.style import THIN_ERROR, thin
from confroc.results import Band, Difference

MOST_BANDS = 6
"""Pairs that each get a band; of more, only those with the first model, against which the others stand."""


@dataclass
class Row:
    """What is shown of one pair."""

    a: str
    b: str
    n: int
    difference: Difference
    notes: tuple[str, ...]
    figure: Markup | None = None
    ranges: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What is compared."""
        return f"{self.a} − {self.b}"


def _verdict(a: str, b: str, found: Difference, level: str) -> str:
    ends = words.between_signed(found.lower, found.upper)
    difference = f"AUC difference {words.signed(found.estimate)}, {level} interval {ends}"
    difference = f"{difference}, {words.pvalue(found.pvalue)}"
    if found.lower > 0.0 or found.upper < 0.0:
        better, worse = (a, b) if found.lower > 0.0 else (b, a)
        return f"{better} ranks cases better than {worse}: {difference}"
    return f"These cases do not settle whether {a} or {b} ranks better: {difference}"


def _record(band: Band, ranges: list[dict[str, Any]], notes: tuple[str, ...]) -> dict[str, Any]:
    kept = thin(band.at, band.lower, band.upper, band.estimate)
    columns = {"fpr": "at", "estimate": "estimate", "lower": "lower", "upper": "upper"}
    shown = {key: getattr(band, name)[kept].tolist() for key, name in columns.items()}
    about = {name: getattr(band, name) for name in ("confidence_level", "method", "kind", "guarantee")}
    moved = 0.0 if len(kept) == len(band.at) else THIN_ERROR
    return shown | about | {"max_deviation": moved, "better": ranges, "notes": list(notes)}


def comparison(data: ReportData, before: Sequence[Section]) -> Section | None:  # noqa: ARG001
    """Test every pair for a difference of areas, and draw the difference of the curves in its band."""
    if not data.pairs:
        return None
    from confroc.pages.difference import a_leads, difference_band
    from confroc.pages.figures import difference_figure

    level = words.percent(data.confidence_level)
    first = next(iter(data.models))
    rows: list[Row] = []
    record, headlines, uses = [], [], []
    for (a, b), pair in data.pairs.items():
        found, notes = with_notes(partial(auc_difference, pair, confidence_level=data.confidence_level))
        row = Row(a, b, pair.n_pos + pair.n_neg, found, notes)
        rows.append(row)
        headlines.append(_verdict(a, b, found, level))
        uses.append(Use("auc_difference", row.name, found))
        kept: dict[str, Any] = {"a": a, "b": b, "n": row.n} | found.to_dict() | {"notes": list(notes)}
        if len(data.pairs) <= MOST_BANDS or first in (a, b):
            band, said = with_notes(partial(difference_band, pair, data.confidence_level))
            ranges: list[dict[str, Any]] = [
                {"model": a if a_leads(band, low) else b, "low": low, "high": high}
                for low, high in band.different_at
            ]
            alt = f"Difference of the true positive rates of {a} and {b} inside its {level} simultaneous band"
            row.figure = difference_figure(band, a=a, b=b, key=f"difference-{len(rows)}", alt=alt)
            row.ranges = tuple(
                f"{r['model']} finds more positives at false positive rates from {words.rate(r['low'])} "
                f"to {words.rate(r['high'])}"
                for r in ranges
            )
            kept["band"] = _record(band, ranges, said)
            row.notes += said
            uses.append(Use("roc_difference_band", row.name, band))
        record.append(kept)
    return Section(
        key="comparisons",
        title="Which model?",
        question="model",
        template="comparison.html",
        view={"rows": rows},
        record=record,
        headlines=tuple(headlines),
        notes=tuple(Note(row.name, text) for row in rows for text in row.notes),
        uses=tuple(uses),
    )
