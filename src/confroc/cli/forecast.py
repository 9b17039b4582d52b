"""The `forecast` command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

import confroc
from confroc.cli import options as opt
from confroc.cli.data import Data, pairs_of
from confroc.cli.methods import method_options, split
from confroc.cli.output import Output
from confroc.drift import DriftTable, Forecast
from confroc.drift.divergence import DIVERGENCES
from confroc.drift.radius import mean_size

if TYPE_CHECKING:
    from confroc.scores import Scores


@opt.command(
    "forecast",
    f"{opt.ONE} --jeffreys 0.1",
    gives=["auc_forecast"],
    may_give={
        "forecast_curve": None,
        "reference": list[str],
        "drift_monitor": None,
        "nearest_distribution": None,
    },
    plot="the bounds by divergence",
)
@opt.data_options()
@opt.number("--jeffreys", "DISTANCE", "Drift budget: the largest Jeffreys divergence, both classes added.")
@opt.number("--radius", "DISTANCE", "Drift budget: the largest divergence expected.")
@opt.choice("--divergence", DIVERGENCES, "Divergence of --radius; with --jeffreys it is jeffreys.")
@opt.whole(
    "--size",
    "POS NEG",
    "Forecast for a next sample of so many positives and negatives, with its sampling error. Default: with a "
    "budget for the population, otherwise for a sample like the segments or this one.",
    nargs=2,
)
@opt.number(
    "--nearest",
    "AUC",
    "Add how far the nearest population with this AUC is, by the same divergence; --json has its weights.",
)
@opt.flag("--difference", "Add forecasts of the difference of every two models' AUCs.")
@opt.segment_options(
    "a segment (a month, a region), which is compared with the reference. Without a budget the forecast is "
    "estimated from the segments"
)
@opt.option(
    "--reference",
    "VALUE",
    "Segment to compare the others with, and to forecast from; repeat it to join several. Default: compare "
    "with the first, forecast from all.",
    multiple=True,
)
@opt.whole(
    "--n-bins", "N", "Quantile bins of the reference, or with method paper of each class. Default: 10."
)
@opt.whole(
    "-n --n-resamples",
    "N",
    "Samples for the p-values of segments, or for method paper without a budget. Default: as many as the "
    "level needs, or 2,000.",
)
@opt.seed_option
@opt.number("-c --confidence-level", "LEVEL", "Of calibrated forecasts and of the monitor. Default: 0.95.")
@method_options(
    confroc.auc_forecast,
    confroc.drift_monitor,
    help="With the sampling error of today's AUC (calibrated), or the drift alone (paper).",
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

    Without a drift budget or segments the forecast is for the next sample of the same population. Segments
    of clusters, strata or weights are compared with the reference's interval, a forecast without drift.
    """
    segmented = segment_column is not None or segment_files
    if reference and not segmented:
        raise click.UsageError("--reference requires --segment-column or --segment-files.")
    if difference and (segmented or len(data.score) < 2):
        raise click.UsageError("--difference requires two --score columns, and goes without segments.")
    if segmented:
        cases, parts = data.read_segments(out, segment_column, segment_files)
    else:
        cases, parts = data.read(out, pairs=difference), {}
    models: dict[str, Any] = dict(cases.models)
    if difference:
        models |= {" - ".join(two): pair for two, pair in pairs_of(cases.scores).items()}
    found: dict[str, Forecast] = {}
    tables: dict[str, DriftTable] = {}
    for name, model in out.each(models, "forecast"):
        if segmented:
            found[name], tables[name], joined = monitored(model, parts[name], reference, options)
        else:
            found[name] = confroc.auc_forecast(model, **options)
    out.show("auc_forecast", found)
    if tables:
        out.add("reference", joined)
        out.show("drift_monitor", tables, f"Segments against {', '.join(joined)}")
    if nearest is not None:
        tilted = {
            name: confroc.nearest_distribution(model, auc=nearest, divergence=found[name].divergence)
            for name, model in out.each(cases.models, "nearest_distribution")
        }
        if out.as_json:
            out.show("nearest_distribution", tilted)
        for name, one in tilted.items():
            out.line(f"{name}: AUC {nearest:g} at a divergence of {one.distance:.4g} ({one.divergence})")
    dependent = segmented and any(s.design is not None for part in parts.values() for s in part.values())
    if out.plot or (out.as_json and not dependent):
        curves = {
            name: confroc.forecast_curve(model, divergence=found[name].divergence)
            for name, model in out.each(cases.models, "hourglass")
        }
        out.show("forecast_curve", curves, "Bounds by divergence")
        out.draw(lambda ax: [curve.plot(ax=ax, name=name) for name, curve in curves.items()], size=(6.5, 5.0))


def monitored(
    whole: Scores, segments: Mapping[str, Scores], reference: Sequence[str], options: Mapping[str, Any]
) -> tuple[Forecast, DriftTable, list[str]]:
    """Compare segments with the joined reference, and with one forecast."""
    from confroc.ingest.segments import divided, merged

    joined, others = divided(segments, reference)
    forecasting, monitoring = split(options, [confroc.auc_forecast, confroc.drift_monitor])
    if any(s.design is not None for s in segments.values()):
        if len(joined) > 1:
            # A cluster whose rows are all in different segments is in none of them.
            raise click.UsageError("Give one --reference with --weight, --cluster and --strata.")
        if forecasting.keys() & {"jeffreys", "radius", "divergence", "size", "method"}:
            raise click.UsageError("--weight, --cluster and --strata go without a drift budget.")
        table = confroc.drift_monitor(segments[joined[0]], others, **monitoring)
        return table.forecast, table, joined
    sample = merged([segments[name] for name in joined])
    # From segments nothing is resampled, and method 'paper' has no level.
    forecasting.pop("n_resamples", None)
    paper = options.get("method") == "paper"
    if paper:
        forecasting.pop("confidence_level", None)
    source = [segments[name] for name in joined] if reference else list(segments.values())
    if not forecasting.keys() & {"jeffreys", "radius"}:
        if len(source) > 1:
            forecasting["segments"] = source
        elif not paper:
            forecasting["size"] = mean_size(list(others.values()))
    forecast = confroc.auc_forecast(sample if reference else whole, **forecasting)
    # A forecast without drift is for a sample; the monitor compares with the population.
    held = None if forecast.source == "sampling" else forecast
    return forecast, confroc.drift_monitor(sample, others, forecast=held, **monitoring), joined
