"""The `forecast` command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import confroc
from confroc.cli import options as opt
from confroc.cli.group import misused
from confroc.cli.output import Output
from confroc.drift import DriftTable, Forecast, ForecastCurve
from confroc.drift.divergence import DIVERGENCES
from confroc.drift.radius import mean_size

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from confroc.scores import Scores


@opt.command(
    "forecast",
    f"{opt.ONE} --psi 0.1",
    gives={"auc_forecast": dict[str, Forecast], "forecast_curve": dict[str, ForecastCurve]},
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
    "Each value of this column is a segment (a month, a region): without a budget their areas say how far "
    "the next one may lie, and each is held against the reference.",
    shell_complete=opt.complete_column,
)
@opt.flag("--segment-files", "Each file of the pattern FILE is a segment; rows or count files.")
@opt.option(
    "--reference",
    "VALUE",
    "Segment to hold the others against, and to forecast from; repeat it to join several. By default the "
    "others are held against the first, and the forecast is from all.",
    multiple=True,
)
@opt.method(
    "auc_forecast",
    "With the sampling error of today's area, at the confidence level (calibrated), or the drift alone, by "
    "the budget or the mean divergence of segments or resamples (paper).",
)
@opt.number("-c --confidence-level", "LEVEL", "Of calibrated forecasts and of the monitor; by default 0.95.")
@opt.resampling_options(2000, jobs=False)
def forecast(
    data: opt.Data,
    out: Output,
    *,
    segment_files: bool,
    segment_column: str | None = None,
    reference: Sequence[str] = (),
    **options: Any,
) -> None:
    """Print the range of areas to expect once the population has drifted, and which segments moved.

    Without a drift budget or segments it is the range for the next sample of the same population.
    """
    if segment_column is not None and segment_files:
        raise misused("Give --segment-column or --segment-files, not both.")
    if segment_files and data.source == opt.STANDARD_INPUT:
        raise misused("--segment-files goes with a pattern of files; quote it: 'months/*.csv'.")
    segmented = segment_column is not None or segment_files
    if reference and not segmented:
        raise misused("--reference names a segment; give --segment-column or --segment-files.")
    cases, parts = data.read_segments(out, segment_column) if segmented else (data.read(out), {})
    found: dict[str, Forecast] = {}
    tables: dict[str, DriftTable] = {}
    for name, model in out.each(cases.models, "forecast"):
        if segmented:
            found[name], tables[name], joined = hold(model, parts[name], reference, options)
        else:
            found[name] = confroc.auc_forecast(model, **options)
    out.show("auc_forecast", found)
    if tables:
        out.add("reference", joined)
        out.show("drift_monitor", tables, f"Segments against {', '.join(joined)}")
    if out.as_json or out.plot:
        curves = {
            name: confroc.forecast_curve(model, divergence=found[name].divergence)
            for name, model in out.each(cases.models, "hourglass")
        }
        out.show("forecast_curve", curves, "Bounds against distance")
        out.draw(lambda ax: _draw_hourglass(ax, curves), size=(6.5, 5.0))


def hold(
    whole: Scores, segments: Mapping[str, Scores], reference: Sequence[str], options: Mapping[str, Any]
) -> tuple[Forecast, DriftTable, list[str]]:
    """Hold segments against the joined reference and one forecast: of the reference if named, else of all."""
    from confroc.ingest.segments import divided, merged

    joined, others = divided(segments, reference)
    sample = merged([segments[name] for name in joined])
    # The monitor resamples, and has a level whatever the forecast's method.
    forecasting = {name: value for name, value in options.items() if name != "n_resamples"}
    paper = options.get("method") == "paper"
    if paper:
        forecasting.pop("confidence_level", None)
    source = [segments[name] for name in joined] if reference else list(segments.values())
    if not forecasting.keys() & {"psi", "radius"}:
        if len(source) > 1:
            forecasting["segments"] = source
        elif not paper:
            forecasting["size"] = mean_size(list(others.values()))
    forecast = confroc.auc_forecast(sample if reference else whole, **forecasting)
    level = opt.given(options, "confidence_level", "n_resamples", "rng")
    return forecast, confroc.drift_monitor(sample, others, forecast=forecast, **level), joined


def _draw_hourglass(ax: Axes, curves: Mapping[str, ForecastCurve]) -> None:
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
