"""The `forecast` command."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

import confroc
from confroc.cli.figures import draw_hourglass
from confroc.cli.group import misused, nearest
from confroc.cli.options import (
    ONE,
    Data,
    choice,
    command,
    complete_column,
    data_options,
    output_options,
    resampling_options,
)
from confroc.cli.output import Output
from confroc.cli.source import SHOWN, STANDARD_INPUT, opened
from confroc.cli.wording import about, percent
from confroc.drift.divergence import DIVERGENCES
from confroc.methods import FUNCTIONS

if TYPE_CHECKING:
    from confroc.drift import DriftTable, Forecast
    from confroc.ingest import Cases
    from confroc.ingest.segments import Segments
    from confroc.scores import Scores


class Held(NamedTuple):
    """Segments held against reference segments."""

    reference: Sequence[str]
    sample: Scores
    table: DriftTable


@command(f"{ONE} --psi 0.1")
@data_options()
@click.option(
    "--psi",
    type=float,
    metavar="INDEX",
    help="Drift budget: the largest population stability index to expect.",
)
@click.option(
    "--radius", type=float, metavar="DISTANCE", help="Drift budget: the largest divergence to expect."
)
@choice("--divergence", DIVERGENCES, "kl", "What distances are measured by; with --psi it is jeffreys.")
@click.option(
    "--segment-column",
    metavar="COLUMN",
    help="Each value of this column is a segment (a month, a region): their drift gives the radius, and "
    "each is held against the reference.",
    shell_complete=complete_column,
)
@click.option(
    "--segment-files", is_flag=True, help="Each file of the pattern FILE is a segment; rows or count files."
)
@click.option(
    "--reference",
    multiple=True,
    metavar="VALUE",
    help="Segment to hold the others against; repeat it to join several. By default the first.",
)
@choice(
    "--method",
    FUNCTIONS["auc_forecast"].names,
    "paper",
    "Where the radius comes from without a budget: the mean divergence of segments or resamples (paper), or "
    "a prediction interval of the confidence level (calibrated).",
)
@resampling_options(500)
@output_options(plot="the hourglass: bounds against distance")
def forecast(
    data: Data,
    psi: float | None,
    radius: float | None,
    divergence: Any,
    segment_column: str | None,
    segment_files: bool,
    reference: tuple[str, ...],
    method: Any,
    n_resamples: int,
    seed: int,
    out: Output,
) -> None:
    """Print the range of areas to expect once the population has drifted, and which segments left it.

    Without a drift budget or segments, the distance between the sample and its own resamples is used: no
    drift at all.
    """
    segmented = segment_column is not None or segment_files
    if segment_column is not None and segment_files:
        raise misused("Give --segment-column or --segment-files, not both.")
    if reference and not segmented:
        raise misused("--reference names a segment; give --segment-column or --segment-files.")
    with out:
        parts: Mapping[str, Mapping[str, Scores]] = {}
        if segmented:
            cases, parts = _segments(data, segment_column, out)
        else:
            cases = data.read(out)
        budget: dict[str, Any] = {"psi": psi, "radius": radius}
        budgeted = any(value is not None for value in budget.values())
        common: dict[str, Any] = {
            "method": method,
            "divergence": divergence,
            "confidence_level": data.confidence_level,
            "n_resamples": n_resamples,
            "rng": seed,
        }
        found: dict[str, Forecast] = {}
        held: dict[str, Held] = {}
        for name, model in out.each(cases.models, "forecast"):
            segments = parts.get(name, {})
            source = budget if budgeted or not segments else {"segments": list(segments.values())}
            found[name] = confroc.auc_forecast(model, **source, **common)
            if segments:
                held[name] = hold(segments, reference, budget if budgeted else None, common)
        curves = {}
        if out.as_json or out.plot:
            curves = {
                name: confroc.forecast_curve(model, divergence=found[name].divergence)
                for name, model in out.each(cases.models, "hourglass")
            }
        out.draw(lambda ax: draw_hourglass(ax, curves), size=(6.5, 5.0))
        if out.as_json:
            content: dict[str, Any] = {
                "forecast": {name: value.to_dict() for name, value in found.items()},
                "hourglass": {name: value.to_dict() for name, value in curves.items()},
            }
            if held:
                content["monitor"] = {
                    name: {"reference": list(h.reference), **h.table.to_dict()} for name, h in held.items()
                }
            out.json(content, cases)
            return
        out.remark(found)
        out.table(
            "Area to expect after drift",
            ["model", "AUC now", "lower", "upper", "radius", "divergence", "radius from"],
            [
                [
                    name,
                    *(f"{v:.4f}" for v in (r.estimate, r.lower, r.upper)),
                    f"{r.radius:.4g}",
                    r.divergence,
                    r.source,
                ]
                for name, r in found.items()
            ],
            about(cases),
        )
        for name, h in held.items():
            _monitor(out, name, h, data.confidence_level)


def _segments(data: Data, segment_column: str | None, out: Output) -> tuple[Cases, Segments]:
    from confroc.ingest import read_segments

    if segment_column is None and data.source == STANDARD_INPUT:
        raise ValueError(
            "`--segment-files` must go with a pattern of files; got '-'. Quote it: 'months/*.csv'."
        )
    out.doing(f"counting the segments of {data.source} ...")
    with opened(data.source, out) as source:
        cases, parts = read_segments(
            source,
            label=data.label,
            scores=data.scores,
            segment_column=segment_column,
            segment_files=segment_column is None,
            pos_label=data.pos_label,
            nan_policy=data.nan_policy,
            resolution=data.resolution,
        )
    return dataclasses.replace(cases, source=SHOWN) if data.source == STANDARD_INPUT else cases, parts


def hold(
    segments: Mapping[str, Scores],
    reference: Sequence[str],
    budget: Mapping[str, Any] | None,
    common: Mapping[str, Any],
) -> Held:
    """Hold segments against the reference ones, joined."""
    from confroc.ingest.segments import merged

    for name in reference:
        if name not in segments:
            listed = ", ".join(map(repr, segments))
            raise ValueError(
                f"`--reference` must be one of the segments; got {name!r}. "
                f"{nearest(name, segments)}The segments are {listed}."
            )
    chosen = list(dict.fromkeys(reference)) or [next(iter(segments))]
    others = {name: part for name, part in segments.items() if name not in chosen}
    if not others:
        raise ValueError(
            f"`--reference` must leave at least one segment; got {list(reference)!r}. Leave some out."
        )
    own = [segments[name] for name in chosen]
    sample = merged(own)
    made = None
    if budget is not None:
        made = confroc.auc_forecast(sample, **budget, **common)
    elif len(own) > 1:
        made = confroc.auc_forecast(sample, segments=own, **common)
    table = confroc.drift_monitor(sample, others, forecast=made, confidence_level=common["confidence_level"])
    return Held(chosen, sample, table)


def _monitor(out: Output, name: str, held: Held, level: float) -> None:
    table, bounds = held.table, held.table.forecast
    size = f"{held.sample.n_pos}+{held.sample.n_neg}"
    rows = [["reference", size, "", "", f"{held.sample.auc:.4f}", "", "", ""]]
    columns = (table.n_pos, table.n_neg, table.divergence, table.psi, table.auc, table.lower, table.upper)
    for segment, outside, beyond, *values in zip(
        table.segment, table.outside, table.beyond, *columns, strict=True
    ):
        n_pos, n_neg, *rest = values
        verdict = "beyond" if beyond else "outside" if outside else "inside"
        rows.append([segment, f"{n_pos}+{n_neg}", *(f"{v:.4f}" for v in rest), verdict])
    out.table(
        f"{name}: segments against {', '.join(held.reference)}; forecast {bounds.lower:.4f} to "
        f"{bounds.upper:.4f} ({bounds.divergence} {bounds.radius:.4g} from {bounds.source})",
        ["segment", "cases", bounds.divergence, "PSI", "AUC", "lower", "upper", "is"],
        rows,
        f"outside: the AUC left the forecast; beyond: so did its whole {percent(level)} interval",
    )
