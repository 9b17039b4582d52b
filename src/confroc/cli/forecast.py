"""The `forecast` command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

import confroc
from confroc.cli import options as opt
from confroc.cli.data import Data, pairs_of
from confroc.cli.methods import method_options, split
from confroc.cli.output import Output, named
from confroc.drift import DriftTable, Forecast
from confroc.drift.divergence import DIVERGENCES
from confroc.drift.radius import mean_size

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from confroc.scores import Scores


@opt.command(
    "forecast",
    f"{opt.ONE} --jeffreys 0.1",
    may_give={
        "auc_forecast": None,
        "forecast_curve": None,
        "reference": list[str],
        "drift_monitor": None,
        "nearest_distribution": None,
    },
    plot="the AUCs of the segments, or without segments the bounds by divergence",
)
@opt.data_options()
@opt.number("--jeffreys", "DISTANCE", "Drift budget: largest Jeffreys divergence, summed over both classes.")
@opt.number("--radius", "DISTANCE", "Drift budget: largest value of --divergence.")
@opt.choice("--divergence", DIVERGENCES, "Divergence for --radius and --nearest.")
@opt.whole(
    "--size",
    "POS NEG",
    "Numbers of positives and negatives of the sample to forecast; adds its sampling error. Default: the "
    "population with a drift budget, otherwise a sample of the size of the segments or of the data.",
    nargs=2,
)
@opt.number("--nearest", "AUC", "Add the divergence of the nearest population with this AUC.")
@opt.flag("--difference", "Add forecasts of the difference between the AUCs of every two models.")
@opt.segment_options(
    "one segment, e.g. a month, to compare with the reference. Without a drift budget the drift is estimated "
    "from the segments"
)
@opt.option(
    "--reference",
    "VALUE",
    "Reference segment of comparisons and forecast; repeat to join several. Default: the first segment; a "
    "forecast without a drift budget is then estimated from all segments and does not judge them.",
    multiple=True,
)
@opt.whole("--n-bins", "N", "Quantile bins of the reference (with --method paper: per class). Default: 10.")
@opt.resamples_option
@opt.seed_option
@opt.number(
    "-c --confidence-level", "LEVEL", "Confidence level of forecasts and of the monitor. Default: 0.95."
)
@method_options(
    confroc.auc_forecast,
    confroc.drift_monitor,
    help="Forecast with (calibrated) or without (paper) the sampling error of the present AUC.",
)
def forecast(
    data: Data,
    out: Output,
    *,
    nearest: float | None = None,
    difference: bool = False,
    segment_files: bool = False,
    segment_column: str | None = None,
    reference: Sequence[str] = (),
    **options: Any,
) -> None:
    """Forecast the AUC under population drift, and flag segments outside the forecast.

    Without a drift budget or segments, the forecast is for another sample from the same population. With
    clusters, strata or weights there is no forecast; segments are compared with the reference.
    """
    segmented = segment_column is not None or segment_files
    if reference and not segmented:
        raise click.UsageError("--reference requires --segment-column or --segment-files.")
    if difference and (segmented or len(data.score) < 2):
        raise click.UsageError("--difference requires two --score columns and no segments.")
    if segmented:
        cases, parts = data.read_segments(out, segment_column, segment_files)
    else:
        cases, parts = data.read(out, pairs=difference), {}
    models: dict[str, Any] = dict(cases.models)
    if difference:
        models |= {named(two): pair for two, pair in pairs_of(cases.scores).items()}
    found: dict[str, Forecast] = {}
    tables: dict[str, DriftTable] = {}
    for name, model in out.each(models, "forecast"):
        if segmented:
            found[name], tables[name], joined = monitored(model, parts[name], reference, options)
        else:
            found[name] = confroc.auc_forecast(model, **options)
    dependent = segmented and any(s.design is not None for part in parts.values() for s in part.values())
    if not dependent:
        pooled = segmented and not reference and not options.keys() & {"jeffreys", "radius"}
        out.show("auc_forecast", found, "Forecast of the AUC of all segments" if pooled else None)
    if tables:
        out.add("reference", joined)
        out.show("drift_monitor", tables, f"Segments compared with {', '.join(joined)}")
    if nearest is not None:
        tilted = {
            name: confroc.nearest_distribution(model, auc=nearest, divergence=found[name].divergence)
            for name, model in out.each(cases.models, "nearest_distribution")
        }
        if out.as_json:
            out.show("nearest_distribution", tilted)
        for name, one in tilted.items():
            out.line(f"{name}: AUC {nearest:g} at a divergence of {one.distance:.4g} ({one.divergence})")
    if (out.plot and not segmented) or (out.as_json and not dependent):
        curves = {
            name: confroc.forecast_curve(model, divergence=found[name].divergence)
            for name, model in out.each(cases.models, "forecast_curve")
        }
        out.show("forecast_curve", curves, "Bounds by divergence")
    if tables:
        out.draw(lambda ax: _draw_segments(ax, tables), size=(6.5, 4.0 * len(tables)))
    else:
        out.draw(lambda ax: [curve.plot(ax=ax, name=name) for name, curve in curves.items()], size=(6.5, 5.0))


def _draw_segments(ax: Axes, tables: Mapping[str, DriftTable]) -> None:
    """Draw the control charts of the models below each other."""
    figure = ax.figure
    ax.remove()
    panels = figure.subplots(len(tables), sharey=True, squeeze=False).ravel()
    for panel, (name, table) in zip(panels, tables.items(), strict=True):
        table.plot(ax=panel, name=name)


def monitored(
    whole: Scores, segments: Mapping[str, Scores], reference: Sequence[str], options: Mapping[str, Any]
) -> tuple[Forecast, DriftTable, list[str]]:
    """Compare segments with the joined reference, and with a forecast from it."""
    from confroc.ingest.segments import divided, merged

    joined, others = divided(segments, reference)
    forecasting, monitoring = split(options, [confroc.auc_forecast, confroc.drift_monitor])
    if any(s.design is not None for s in segments.values()):
        if len(joined) > 1:
            # Joining is not defined for clusters that span segments.
            raise click.UsageError("With --weight, --cluster and --strata, give one --reference at most.")
        if forecasting.keys() & {"jeffreys", "radius", "divergence", "size", "method"}:
            raise click.UsageError(
                "A drift budget, --size and --method require data without --weight, --cluster and --strata."
            )
        table = confroc.drift_monitor(segments[joined[0]], others, **monitoring)
        return table.forecast, table, joined
    sample = merged([segments[name] for name in joined])
    # Forecasts from segments draw no resamples, and method 'paper' has no confidence level.
    forecasting.pop("n_resamples", None)
    paper = options.get("method") == "paper"
    if paper:
        forecasting.pop("confidence_level", None)
    source = [segments[name] for name in joined] if reference else list(segments.values())
    estimated = not forecasting.keys() & {"jeffreys", "radius"}
    if estimated:
        if len(source) > 1:
            forecasting["segments"] = source
        elif not paper:
            forecasting["size"] = mean_size(list(others.values()))
    # A forecast estimated from all segments does not judge them.
    judged = bool(reference) or not estimated
    forecast = confroc.auc_forecast(sample if judged else whole, **forecasting)
    # A forecast without drift is for a sample; the monitor compares with the population.
    held = forecast if judged and forecast.source != "sampling" else None
    return forecast, confroc.drift_monitor(sample, others, forecast=held, **monitoring), joined
