"""Commands for the ROC curve: `roc` for points, `band` for the whole curve, `cost` for expected costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

import confroc
from confroc.bands.averaging import DISTRIBUTIONS, JOINED, TRIALS
from confroc.bands.ball import METRICS
from confroc.bands.fixed_width import SLOPES
from confroc.bands.local_levels import CALIBRATIONS
from confroc.cli import options as opt
from confroc.cli.output import Output
from confroc.cost import CostBand, CostDifferenceBand, ExpectedCost, ExpectedCostDifference
from confroc.curve import RocCurve
from confroc.methods import FUNCTIONS
from confroc.resample import N_BAND_RESAMPLES, N_RESAMPLES, SAMPLINGS
from confroc.results import Band, FlaggedRegions, Intervals, Regions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from confroc.scores import Scores

FPR = (0.01, 0.05, 0.1, 0.2, 0.5)
"""Rates that are shown without other places."""
POINTS: dict[str, Any] = {
    "fpr": confroc.tpr_at_fpr,
    "tpr": confroc.fpr_at_tpr,
    "threshold": confroc.rates_at_threshold,
    "positive_rate": confroc.rates_at_positive_rate,
}
"""The function for each kind of place."""
POINT_METHODS = tuple(dict.fromkeys(name for f in POINTS.values() for name in FUNCTIONS[f.__name__].names))


def _places(flag: str, metavar: str, help: str) -> opt.Decorator:
    return opt.number(flag, metavar, f"{help}; repeat for more.", multiple=True)


@opt.command(
    "roc",
    f"{opt.BOTH} --fpr 0.1 --threshold 0.2",
    gives={"roc_curve": dict[str, RocCurve]},
    may_give={
        "tpr_at_fpr": dict[str, Intervals],
        "fpr_at_tpr": dict[str, Intervals],
        "rates_at_threshold": dict[str, Regions],
        "rates_at_positive_rate": dict[str, FlaggedRegions],
    },
    plot="the curves with these points",
)
@opt.data_options()
@_places("--fpr", "RATE", "False positive rate at which to give the TPR")
@_places("--tpr", "RATE", "True positive rate at which to give the FPR")
@_places("--threshold", "SCORE", "Score threshold at which to give both rates")
@_places("--positive-rate", "RATE", "Predicted-positive rate at which to give both rates")
@opt.choice("-m --method", POINT_METHODS, "Interval method.")
@opt.level_option
@opt.resampling_options(N_RESAMPLES)
@opt.sampling_option(SAMPLINGS)
@opt.smoothing_options("kernel and the smoothed bootstraps")
def roc(data: opt.Data, out: Output, **options: Any) -> None:
    """Print points of the ROC curve with pointwise confidence intervals.

    Points are given by false positive rate, true positive rate, threshold or predicted-positive rate; by
    default, a few false positive rates. --json adds the whole curve. See also `confroc band`.
    """
    cases = data.read(out)
    places = {name: options.pop(name) for name in POINTS if name in options}
    if not places:
        n_neg = next(iter(cases.models.values())).n_neg
        places = {"fpr": tuple(f for f in FPR if f * n_neg >= 1)}
    found: dict[str, dict[str, Any]] = {}
    parts = opt.split(options, [POINTS[place] for place in places])
    for (place, at), part in zip(places.items(), parts, strict=True):
        found[place] = out.run(POINTS[place], cases.models, **{place: at}, **part)
    if out.as_json:
        out.run(confroc.roc_curve, cases.models)
    out.draw(lambda ax: _draw_points(ax, cases.models, found))


def _draw_points(ax: Axes, models: Mapping[str, Scores], found: Mapping[str, Mapping[str, Any]]) -> None:
    """Curves, each with its points and their intervals in its colour."""
    curves = []
    for name, model in models.items():
        curve = confroc.roc_curve(model).plot(ax=ax, name=name).line_
        curves.append(curve)
        for points in found.values():
            points[name].plot(ax=ax, name=name, color=curve.get_color())
    # Points have the colours of their curves.
    ax.legend(handles=curves, loc="lower right", frameon=False)


@opt.command("band", opt.ONE, gives={"roc_band": dict[str, Band]}, plot="the curves inside their bands")
@opt.data_options()
@opt.method("roc_band", "Band method.")
@opt.choice(
    "--calibration",
    CALIBRATIONS,
    "Of equal_local_levels: close to nominal, or guaranteed for every sample size (wider).",
    default="bootstrap",
)
@opt.choice("--distribution", DISTRIBUTIONS, "Of vertical_averaging and threshold_averaging.")
@opt.choice(
    "--trials", TRIALS, "Of the same, binomial: what the variance is divided by.", default="positives"
)
@opt.choice("--joined", JOINED, "Of threshold_averaging: how two intervals make a band.", default="vertical")
@opt.whole("--n-points", "N", "Of vertical_averaging and threshold_averaging: points. Default: 100.")
@opt.choice("--slope", SLOPES, "Of fixed_width.", default="corrected")
@opt.choice("--metric", METRICS, "Of bootstrap.", default="db")
@click.option(
    "--smoothing/--no-smoothing",
    default=None,
    help="Of bootstrap: resample smoothed scores. Default: --smoothing.",
)
@click.option(
    "--joint/--no-joint",
    default=None,
    help="Of ks_regions: the level is that of both rates together, or of each. Default: --joint.",
)
@opt.number("--fpr", "LOW HIGH", "Band between these false positive rates only.", nargs=2)
@opt.level_option
@opt.resampling_options(N_BAND_RESAMPLES)
@opt.choice("--sampling", SAMPLINGS, "Of bootstrap: sampling within classes, or of all cases.")
@opt.smoothing_options("bootstrap", tails=False)
def band(data: opt.Data, out: Output, **options: Any) -> None:
    """Print a simultaneous confidence band, which contains the whole true ROC curve at the confidence level.

    The table shows the band at a few rates; --json prints all of it.
    """
    cases = data.read(out)
    found = out.run(confroc.roc_band, cases.models, **options)
    out.draw(lambda ax: [value.plot(ax=ax, name=name) for name, value in found.items()])


@opt.command(
    "cost",
    f"{opt.BOTH} --false-negative 5 --false-positive 1",
    gives={"expected_cost": dict[str, ExpectedCost]},
    may_give={
        "expected_cost_difference": list[ExpectedCostDifference],
        "cost_difference_band": list[CostDifferenceBand],
    },
    plot="the cost curves inside their bands, and these conditions",
)
@opt.data_options()
@opt.number("--false-negative", "COST", "Cost of one false negative, in any currency.", required=True)
@opt.number("--false-positive", "COST", "Cost of one false positive.", required=True)
@opt.option(
    "--prior",
    "SHARE",
    "Prevalence in use: known, e.g. 0.1, or estimated by a count elsewhere, e.g. 12/150. Default: estimated "
    "from the sample.",
    type=opt.share,
)
@opt.choice(
    "--sampling",
    SAMPLINGS[::-1],
    "Whether the prevalence of the sample is an estimate (full), or known (stratified).",
    default="full without --prior, stratified with it",
)
@opt.number("--threshold", "SCORE", "Threshold in use. Default: the cheapest one in the sample.")
@opt.option("--validation", "FILE", "Choose the thresholds on these cases instead.")
@opt.method("expected_cost", "Interval method, also for differences if available.")
@opt.level_option
@opt.resampling_options(N_RESAMPLES)
def cost(data: opt.Data, out: Output, *, validation: str | None = None, **options: Any) -> None:
    """Print the cheapest threshold for given unit costs, and the cost per case there.

    Costs are optimistic if the threshold was chosen on the same cases; cross-validation corrects them. With
    two or more models, differences of costs follow, and the operating conditions under which one is
    significantly cheaper, simultaneously at the confidence level.
    """
    cases = data.read(out, pairs=True)
    pairs = opt.pairs_of(cases.scores)
    held = options.get("threshold")
    unit = opt.given(options, "false_negative", "false_positive", "prior", "sampling")
    settings = opt.given(options, "confidence_level", "rng", "n_jobs")
    drawn, method = opt.given(options, "n_resamples"), opt.given(options, "method")
    chosen: dict[Any, dict[str, Any]] = {name: {} for name in (*cases.models, *pairs)}
    if held is not None:
        chosen = {
            name: {"threshold_a": held, "threshold_b": held} if name in pairs else {"threshold": held}
            for name in chosen
        }
    if validation is not None:
        others = data.read_other(out, "validation", validation, pairs=True)
        samples: dict[Any, Any] = {**others.models, **opt.pairs_of(others.scores)}
        chosen = {name: {**place, "validation": samples[name]} for name, place in chosen.items()}
    # Costs at a given threshold are not resampled; the number of resamples is for the bands.
    for_bands = held is not None and method != {"method": "bootstrap"} and (pairs or out.plot)
    own = unit | settings | method | ({} if for_bands else drawn)
    found = {
        name: confroc.expected_cost(model, **own, **chosen[name])
        for name, model in out.each(cases.models, "expected_cost")
    }
    at = f"threshold {held:g}" if held is not None else "the cheapest threshold"
    out.show("expected_cost", found, f"Cost per case at {at}")
    between = unit | settings
    if method.get("method") in FUNCTIONS["expected_cost_difference"].methods:
        between |= method | (drawn if "bootstrap" in method.values() else {})
    differences = {
        pair: confroc.expected_cost_difference(both, **between, **chosen[pair])
        for pair, both in out.each(pairs, "expected_cost_difference")
    }
    out.show("expected_cost_difference", differences)
    # A known prevalence is part of w; an estimated one widens the bands.
    estimated = {"prior": options["prior"]} if isinstance(options.get("prior"), tuple) else {}
    common = opt.given(unit, "sampling") | estimated | settings | drawn
    bands = {
        pair: confroc.cost_difference_band(both, **common, **chosen[pair])
        for pair, both in out.each(pairs, "cost_difference_band")
    }
    out.show("cost_difference_band", bands)
    for (a, b), band in bands.items():
        for part in band.cheaper():
            out.line(f"{a} - {b}: {part}")
    w = next(iter(found.values())).w
    out.draw(
        lambda ax: _draw_costs(
            ax, {n: confroc.cost_band(m, **common, **chosen[n]) for n, m in cases.models.items()}, w
        ),
        size=(6.5, 5.0),
    )


def _draw_costs(ax: Axes, bands: Mapping[str, CostBand], w: float) -> None:
    """Cost curves inside their bands, and a line at these conditions."""
    for name, band in bands.items():
        band.plot(ax=ax, name=name)
    ax.axvline(w, color="0.6", linewidth=0.8, zorder=0)
    ax.set(xlabel="w, weight of false negatives", ylabel="Normalised cost")
