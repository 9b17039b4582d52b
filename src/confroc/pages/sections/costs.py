"""What errors cost: the recommended threshold, the cost curve in its band, and which model is cheaper."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from confroc.pages import words
from confroc.pages.data import SEED, ReportData
from confroc.pages.section import Note, Section, Use, with_notes
from confroc.plot.style import THIN_ERROR, thin

if TYPE_CHECKING:
    from confroc.cost import CostBand, ExpectedCost


class Row(NamedTuple):
    """What one line of the table shows."""

    model: str
    cost: ExpectedCost
    notes: tuple[str, ...]


def _band_record(band: CostBand, notes: tuple[str, ...]) -> dict[str, Any]:
    kept = thin(band.at, band.estimate, band.lower, band.upper)
    shown = {"w": band.at[kept].tolist()}
    shown |= {name: getattr(band, name)[kept].tolist() for name in ("estimate", "lower", "upper")}
    about = {name: getattr(band, name) for name in ("confidence_level", "method", "kind", "guarantee")}
    moved = 0.0 if len(kept) == len(band.at) else THIN_ERROR
    return shown | about | {"max_deviation": moved, "notes": list(notes)}


def costs(data: ReportData, before: Sequence[Section]) -> Section | None:  # noqa: ARG001
    """Give the cheapest threshold and its cost for the unit costs of the data, if there are any."""
    unit = data.unit_costs
    if unit is None:
        return None
    from confroc.cost import cost_band, cost_difference_band, expected_cost
    from confroc.pages.figures import cost_figure

    level = data.confidence_level
    rows: list[Row] = []
    record, notes, uses, bands = [], [], [], {}
    for name, scores in data.models.items():
        decide = partial(
            expected_cost,
            scores,
            false_negative=unit.miss,
            false_positive=unit.false_alarm,
            prior=unit.prior,
            confidence_level=level,
            rng=SEED,
        )
        found, said = with_notes(decide)
        # The page says in its own words that the costs are optimistic.
        said = tuple(text for text in said if not text.startswith("Thresholds were chosen on the same"))
        rows.append(Row(name, found, said))
        notes += [Note(name, text) for text in said]
        uses.append(Use("expected_cost", name, found))
        bands[name], heard = with_notes(partial(cost_band, scores, confidence_level=level, rng=SEED))
        about_band = {"notes": list(said), "band": _band_record(bands[name], heard)}
        record.append({"model": name} | found.to_dict() | about_band)
        uses.append(Use("cost_band", name, bands[name]))
    ranges = []
    for (a, b), pair in data.pairs.items():
        band, _ = with_notes(partial(cost_difference_band, pair, confidence_level=level, rng=SEED))
        cheaper = [
            {"model": a if r.cheaper == "a" else b, "low": r.low, "high": r.high} for r in band.cheaper()
        ]
        ranges.append({"a": a, "b": b, "cheaper": cheaper})
    w = rows[0].cost.w
    alt = f"Cost curves of {', '.join(bands)} in their {words.percent(level)} simultaneous bands"
    figure: Markup = cost_figure(bands, w, key="costs", alt=alt)
    best = min(rows, key=lambda row: row.cost.estimate)
    headline = (
        f"{best.model} costs least at these unit costs: call positive from {best.cost.threshold:.6g}, "
        f"{best.cost.estimate:.4g} per case ({best.cost.lower:.4g} to {best.cost.upper:.4g}; "
        f"{best.cost.trivial:.4g} without a model)"
    )
    return Section(
        key="costs",
        title="What errors cost",
        question="threshold",
        template="costs.html",
        view={"rows": rows, "unit": unit, "w": w, "figure": figure, "ranges": ranges},
        record={"unit_costs": unit._asdict(), "w": w, "models": record, "cheaper": ranges},
        headlines=(headline,),
        notes=tuple(notes),
        uses=tuple(uses),
    )
