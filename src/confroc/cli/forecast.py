"""The `forecast` command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import confroc
from confroc._check import ArgumentError, suggest
from confroc.cli import options as opt
from confroc.cli.group import misused
from confroc.cli.output import Output
from confroc.drift import DriftTable, Forecast
from confroc.drift.divergence import DIVERGENCES
from confroc.results import Intervals

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from confroc.scores import Scores


@opt.command(
    "forecast",
    f"{opt.ONE} --psi 0.1",
    gives={"auc_forecast": dict[str, Forecast], "forecast_curve": dict[str, Intervals]},
    may_give={"reference": list[str], "drift_monitor": dict[str, DriftTable]},
    plot="the hourglass: bounds against distance",
)
@opt.data_options()
@opt.number("--psi", "INDEX", "Drift budget: the largest population stability index to expect.")
@opt.number("--radius", "DISTANCE", "Drift budget: the largest divergence to expect.")
@opt.choice("--divergence", DIVERGENCES, "What distances are measured by; with --psi it is jeffreys.")
@opt.option(
    "--segment-column",
    "COLUMN",
    "Each value of this column is a segment (a month, a region): their drift gives the radius, and "
    "each is held against the reference.",
    shell_complete=opt.complete_column,
)
@opt.flag("--segment-files", "Each file of the pattern FILE is a segment; rows or count files.")
@opt.option(
    "--reference",
    "VALUE",
    "Segment to hold the others against; repeat it to join several. By default the first.",
    multiple=True,
)
@opt.method(
    "auc_forecast",
    "Where the radius comes from without a budget: the mean divergence of segments or resamples (paper), or "
    "a prediction interval of the confidence level (calibrated).",
)
@opt.level_option
@opt.resampling_options(500, jobs=False)
def forecast(
    data: opt.Data,
    out: Output,
    *,
    segment_files: bool,
    segment_column: str | None = None,
    reference: Sequence[str] = (),
    **options: Any,
) -> None:
    """Print the range of areas to expect once the population has drifted, and which segments left it.

    Without a drift budget or segments, the distance between the sample and its own resamples is used: no
    drift at all.
    """
    if segment_column is not None and segment_files:
        raise misused("Give --segment-column or --segment-files, not both.")
    if segment_files and data.source == opt.STANDARD_INPUT:
        raise misused("--segment-files goes with a pattern of files; quote it: 'months/*.csv'.")
    segmented = segment_column is not None or segment_files
    if reference and not segmented:
        raise misused("--reference names a segment; give --segment-column or --segment-files.")
    cases, parts = data.read_segments(out, segment_column) if segmented else (data.read(out), {})
    budgeted = bool(options.keys() & {"psi", "radius"})
    found: dict[str, Forecast] = {}
    tables: dict[str, DriftTable] = {}
    for name, model in out.each(cases.models, "forecast"):
        segments = parts.get(name, {})
        drift: dict[str, Any] = {} if budgeted or not segments else {"segments": list(segments.values())}
        found[name] = confroc.auc_forecast(model, **drift, **options)
        if segments:
            reference = choose(segments, reference)
            tables[name] = hold(segments, reference, options, budgeted=budgeted)
    out.show("auc_forecast", found)
    if tables:
        out.add("reference", list(reference))
        out.show("drift_monitor", tables, f"Segments against {', '.join(reference)}")
    if out.as_json or out.plot:
        curves = {
            name: confroc.forecast_curve(model, divergence=found[name].divergence)
            for name, model in out.each(cases.models, "hourglass")
        }
        out.show("forecast_curve", curves, "Bounds against distance")
        out.draw(lambda ax: _draw_hourglass(ax, curves), size=(6.5, 5.0))


def choose(segments: Mapping[str, Scores], reference: Sequence[str]) -> list[str]:
    """Return the segments to hold the others against: those named, else the first."""
    for name in reference:
        if name not in segments:
            listed = ", ".join(map(repr, segments))
            remedy = f"{suggest(name, segments)}The segments are {listed}."
            raise ArgumentError("reference", "be one of the segments", name, remedy)
    chosen = list(dict.fromkeys(reference)) or [next(iter(segments))]
    if len(chosen) == len(segments):
        raise ArgumentError("reference", "leave at least one segment", chosen, "Leave some out.")
    return chosen


def hold(
    segments: Mapping[str, Scores], reference: Sequence[str], options: Mapping[str, Any], *, budgeted: bool
) -> DriftTable:
    """Hold segments against the reference ones, joined."""
    from confroc.ingest.segments import merged

    own = [segments[name] for name in reference]
    sample = merged(own)
    made = None
    if budgeted:
        made = confroc.auc_forecast(sample, **options)
    elif len(own) > 1:
        made = confroc.auc_forecast(sample, segments=own, **options)
    others = {name: part for name, part in segments.items() if name not in reference}
    level = options["confidence_level"]
    return confroc.drift_monitor(sample, others, forecast=made, confidence_level=level)


def _draw_hourglass(ax: Axes, curves: Mapping[str, Intervals]) -> None:
    """Forecast bounds against the distance allowed; the nearer, the narrower."""
    lines = []
    for name, curve in curves.items():
        line = confroc.plot.IntervalsDisplay(curve, style="ribbon").plot(ax=ax, name=name).line_
        line.set_label(name)
        lines.append(line)
    measure = next(iter(curves.values())).method
    # Far from the sample the bounds open fast; equal ratios show both ends.
    ax.set(xscale="log", xlabel=f"Divergence from these cases ({measure}, both classes)", ylabel="AUC")
    ax.legend(handles=lines, loc="upper left", frameon=False)
