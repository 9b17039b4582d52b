"""Commands about the curve: `roc` for its points, `band` for all of it, `cost` for what its errors cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

import confroc
from confroc.bands.averaging import DISTRIBUTIONS
from confroc.bands.ball import METRICS
from confroc.bands.fixed_width import SLOPES
from confroc.bands.local_levels import CALIBRATIONS
from confroc.cli import options as opt
from confroc.cli.output import Output
from confroc.cost import CostDifferenceBand, ExpectedCost
from confroc.curve import RocCurve
from confroc.methods import FUNCTIONS
from confroc.resample import N_BAND_RESAMPLES, N_RESAMPLES
from confroc.results import Band, FlaggedRegions, Intervals, Regions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from confroc.scores import Scores

FPR = (0.01, 0.05, 0.1, 0.2, 0.5)
"""Rates that are shown when no place is asked for."""
POINTS: dict[str, Any] = {
    "fpr": confroc.tpr_at_fpr,
    "tpr": confroc.fpr_at_tpr,
    "threshold": confroc.rates_at_threshold,
    "positive_rate": confroc.rates_at_positive_rate,
}
"""What answers when such a place is given."""
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
@_places("--positive-rate", "RATE", "Share of the cases that can be flagged")
@opt.choice("-m --method", POINT_METHODS, "Interval method.")
@opt.level_option
@opt.resampling_options(N_RESAMPLES)
def roc(data: opt.Data, out: Output, **options: Any) -> None:
    """Print points of the ROC curve with intervals, each point by itself.

    Points are asked for by false positive rate, true positive rate, threshold, or share of cases flagged;
    without any of these, a few false positive rates are shown. --json adds the whole curve. For a statement
    about all points at once, see `confroc band`.
    """
    cases = data.read(out)
    places = {name: options.pop(name) for name in POINTS if name in options}
    if not places:
        n_neg = next(iter(cases.models.values())).n_neg
        places = {"fpr": tuple(f for f in FPR if f * n_neg >= 1)}
    found: dict[str, dict[str, Any]] = {}
    for place, at in places.items():
        found[place] = out.run(POINTS[place], cases.models, at, **options)
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
    # What the points are is said by their curve's colour.
    ax.legend(handles=curves, loc="lower right", frameon=False)


@opt.command("band", opt.ONE, gives={"roc_band": dict[str, Band]}, plot="the curves inside their bands")
@opt.data_options()
@opt.method("roc_band", "Band method.")
@opt.choice(
    "--calibration",
    CALIBRATIONS,
    "Of equal_local_levels: close to nominal, or by proof for every sample size (wider).",
    default="bootstrap",
)
@opt.choice("--distribution", DISTRIBUTIONS, "Of vertical_averaging and threshold_averaging.")
@opt.choice("--slope", SLOPES, "Of fixed_width.", default="corrected")
@opt.choice("--metric", METRICS, "Of bootstrap.", default="db")
@click.option(
    "--smoothing/--no-smoothing",
    default=None,
    help="Of bootstrap: resample from smoothed scores; by default it does.",
)
@click.option(
    "--joint/--no-joint",
    default=None,
    help="Of ks_regions: the level is that of both rates together (the default), or of each.",
)
@opt.number("--fpr", "LOW HIGH", "Hold only between these false positive rates.", nargs=2)
@opt.level_option
@opt.resampling_options(N_BAND_RESAMPLES)
def band(data: opt.Data, out: Output, **options: Any) -> None:
    """Print a simultaneous confidence band: it contains the whole true curve with the stated confidence.

    The table shows the band at a few rates; --json prints all of it.
    """
    cases = data.read(out)
    found = out.run(confroc.roc_band, cases.models, **options)
    out.draw(lambda ax: [value.plot(ax=ax, name=name) for name, value in found.items()])


@opt.command(
    "cost",
    f"{opt.BOTH} --false-negative 5 --false-positive 1",
    gives={"expected_cost": dict[str, ExpectedCost]},
    may_give={"cost_difference_band": list[CostDifferenceBand]},
    plot="the cost curves inside their bands",
)
@opt.data_options()
@opt.number("--false-negative", "COST", "Cost of one false negative, in any currency.", required=True)
@opt.number("--false-positive", "COST", "Cost of one false positive.", required=True)
@opt.number("--prior", "SHARE", "Share of positives expected in use; by default the sample's.")
@opt.number("--threshold", "SCORE", "The threshold in use; by default the cheapest one on these cases.")
@opt.option(
    "--validation",
    "FILE",
    "Choose the thresholds on these cases instead, so that the costs are not optimistic.",
)
@opt.method("expected_cost", "Interval method.")
@opt.level_option
@opt.resampling_options(N_RESAMPLES)
def cost(data: opt.Data, out: Output, *, validation: str | None = None, **options: Any) -> None:
    """Print the cheapest threshold for given unit costs, and the cost per case there.

    With two models or more it adds the operating conditions under which one is cheaper than the other,
    jointly at the confidence level. Thresholds chosen on the same cases make the costs optimistic.
    """
    cases = data.read(out, pairs=True)
    chosen_on = {} if validation is None else data.read(out, source=validation, called="").models
    found = {
        name: confroc.expected_cost(model, validation=chosen_on.get(name), **options)
        for name, model in out.each(cases.models, "cost")
    }
    at = f"threshold {options['threshold']:g}" if "threshold" in options else "the cheapest threshold"
    out.show("expected_cost", found, f"Cost per case at {at}")
    common = opt.given(options, *opt.SAMPLING)
    bands = out.run(confroc.cost_difference_band, cases.pairs, title="Difference of cost curves", **common)
    for (a, b), difference in bands.items():
        for part in difference.cheaper():
            name = a if part.cheaper == "a" else b
            out.line(f"{a} - {b}: {str(part).replace(f'model {part.cheaper}', name)}")
    out.draw(lambda ax: _draw_costs(ax, cases.models, common), size=(6.5, 5.0))


def _draw_costs(ax: Axes, models: Mapping[str, Scores], options: Mapping[str, Any]) -> None:
    """Cost curves inside their bands."""
    for name, model in models.items():
        confroc.cost_band(model, **options).plot(ax=ax, name=name)
    ax.set(xlabel="w, weight of false negatives", ylabel="Normalised cost")
