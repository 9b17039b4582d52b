"""The commands `roc`, `threshold`, `band`, `pr`, `calibration`, `confusion`, `decision` and `cost`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, get_args

import click

import confroc
from confroc.cli import options as opt
from confroc.cli.data import Data, pairs_of
from confroc.cli.methods import method_options, split
from confroc.cli.output import Output
from confroc.cost.best import By
from confroc.cost.net_benefit import default_risks
from confroc.cost.thresholds import ThresholdRange
from confroc.ingest.reversal import in_scores
from confroc.results.bands import spans
from confroc.results.base import percent
from confroc.results.shown import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from confroc.scores import Scores

FPR = (0.01, 0.05, 0.1, 0.2, 0.5)
"""Default false positive rates of `roc`."""
POINTS: dict[str, Any] = {
    "fpr": confroc.tpr_at_fpr,
    "tpr": confroc.fpr_at_tpr,
    "threshold": confroc.rates_at_threshold,
    "positive_rate": confroc.rates_at_positive_rate,
}
"""Functions of `roc` by option."""


@opt.command(
    "roc",
    f"{opt.BOTH} --fpr 0.1 --threshold 0.2",
    gives=["roc_curve"],
    may_give=[function.__name__ for function in POINTS.values()],
    plot="the curves with these points",
    gate="the TPR at --fpr",
)
@opt.data_options()
@opt.places("--fpr", "RATE", "Print the TPR at this false positive rate")
@opt.places("--tpr", "RATE", "Print the FPR at this true positive rate")
@opt.places("--threshold", "SCORE", "Print both rates at this threshold")
@opt.places("--positive-rate", "RATE", "Print both rates at this predicted-positive rate")
@opt.joint_option
@opt.sampling_option
@opt.level_option
@method_options(*POINTS.values(), default="that of each function")
def roc(data: Data, out: Output, **options: Any) -> None:
    """Print points on the ROC curve with pointwise confidence intervals.

    By default the points are at a few false positive rates. The TPR is the sensitivity and 1 - FPR the
    specificity: --fpr 0.1 prints the sensitivity at specificity 0.9. --json adds the whole curve. For
    simultaneous intervals use `confroc band`.
    """
    places = {name: options.pop(name) for name in POINTS if name in options}
    if out.fail_below is not None and "fpr" not in places:
        raise click.UsageError("--fail-below requires --fpr.")
    cases = data.read(out)
    if not places:
        n_neg = next(iter(cases.models.values())).n_neg
        places = {"fpr": tuple(f for f in FPR if f * n_neg >= 1)}
    found: dict[str, dict[str, Any]] = {}
    parts = split(options, [POINTS[place] for place in places])
    for (place, at), part in zip(places.items(), parts, strict=True):
        found[place] = out.run(POINTS[place], cases.models, **{place: at}, **part)
    if out.as_json:
        out.run(confroc.roc_curve, cases.models)
    out.draw(lambda ax: _draw_points(ax, cases.models, found))


def _draw_points(ax: Axes, models: Mapping[str, Scores], found: Mapping[str, Mapping[str, Any]]) -> None:
    """Draw curves, and in their colors points with intervals."""
    curves = []
    for name, model in models.items():
        curve = confroc.roc_curve(model).plot(ax=ax, name=name).line_
        curves.append(curve)
        for part in found.values():
            part[name].plot(ax=ax, name=name, color=curve.get_color())
    ax.legend(handles=curves, loc="lower right", frameon=False)


WANTED = ("fpr", "tpr", "precision", "positive_rate", "criterion")
"""Options of `threshold` of which exactly one is required."""


@opt.command(
    "threshold",
    f"{opt.ONE} --fpr 0.05",
    may_give=["threshold_at", "best_threshold"],
    plot="the curves with the rates there, with --criterion the criterion along the threshold",
)
@opt.data_options()
@opt.places("--fpr", "RATE", "Target false positive rate")
@opt.places("--tpr", "RATE", "Target true positive rate")
@opt.places("--precision", "SHARE", "Target precision")
@opt.places("--positive-rate", "RATE", "Target predicted-positive rate")
@click.option(
    "--criterion",
    type=opt.Name(get_args(By)),
    metavar="NAME",
    help=f"Print the best threshold by {', '.join(get_args(By))}, with the options below.",
)
@opt.unit_cost_options
@opt.number("--beta", "WEIGHT", "With --criterion fbeta: weight of recall relative to precision.")
@opt.number("--risk", "RISK", "With --criterion net_benefit: risk threshold.")
@opt.number("--max-fpr", "RATE", "With --criterion max_tpr: maximum false positive rate.")
@opt.prevalence_options
@opt.validation_option
@opt.resampling_options
@opt.level_option
def threshold(data: Data, out: Output, **options: Any) -> None:
    """Print the threshold for a target rate or precision, or the best by a criterion, and the rates there.

    At the `guaranteed` threshold the target is met with the given confidence. With --criterion,
    `threshold_lower` to `threshold_upper` are not significantly worse than the best threshold; the criterion
    and the rates are corrected for optimism.

    For a threshold chosen in advance use `confroc confusion`, to compare models by cost `confroc cost`, and
    for a range of risks `confroc decision`.
    """
    if len(options.keys() & {*WANTED}) != 1:
        raise click.UsageError("Give one of --fpr, --tpr, --precision, --positive-rate and --criterion.")
    criterion = options.get("criterion")
    if criterion == "cost" and len(options.keys() & {"false_negative", "false_positive"}) < 2:
        raise click.UsageError("--criterion cost requires --false-negative and --false-positive.")
    function: Any = confroc.threshold_at if criterion is None else confroc.best_threshold
    title = "Threshold and the rates there" if criterion is None else f"Best threshold by {criterion}"
    (own,) = split(options, [function])
    models, other = data.read(out).models, own.pop("validation", None)
    others = {} if other is None else data.read_other(out, "validation", other).models
    found = {
        name: function(model, **own, **({"validation": others[name]} if others else {}))
        for name, model in out.each(models, function.__name__)
    }
    out.show(function.__name__, found, title)
    if criterion is None:
        out.draw(lambda ax: _draw_points(ax, models, {"rates": found}))
    else:
        out.draw(
            lambda ax: [best.plot(ax=ax, name=name) for name, best in found.items()],
            size=(6.5, 5.0),
            scores=True,
        )


@opt.command("band", opt.ONE, gives=["roc_band"], plot="the curves inside their bands")
@opt.data_options()
@opt.number("--fpr", "LOW HIGH", "Band between these false positive rates only.", nargs=2)
@opt.segment_options("one curve, e.g. a fold or a site; the band is computed from all curves")
@opt.level_option
@method_options(confroc.roc_band, help="Band method.")
def band(
    data: Data, out: Output, *, segment_files: bool = False, segment_column: str | None = None, **options: Any
) -> None:
    """Print a simultaneous confidence band, which contains the whole true ROC curve at the confidence level.

    The table shows the band at a few rates; --json prints the whole band.
    """
    models: Mapping[str, Any]
    if segment_column is not None or segment_files:
        _, parts = data.read_segments(out, segment_column, segment_files)
        models = {name: list(curves.values()) for name, curves in parts.items()}
    else:
        models = data.read(out).models
    found = out.run(confroc.roc_band, models, **options)
    out.draw(lambda ax: [value.plot(ax=ax, name=name) for name, value in found.items()])


@opt.command(
    "pr",
    f"{opt.BOTH} --recall 0.8 --band",
    gives=["average_precision", "pr_curve"],
    may_give=["average_precision_difference", "precision_at_recall", "pr_band"],
    plot="the precision-recall curves, with --band inside their bands",
    gate="an average precision",
)
@opt.data_options()
@opt.places("--recall", "RATE", "Print the precision at this recall")
@opt.number("--max-recall", "RATE", "Average precision up to this recall only.")
@opt.prevalence_options
@opt.flag("--band", "Add simultaneous bands for the whole curves.")
@opt.level_option
@method_options(
    confroc.average_precision,
    confroc.average_precision_difference,
    confroc.precision_at_recall,
    confroc.pr_band,
    default="that of each function",
)
def pr(data: Data, out: Output, *, band: bool = False, **options: Any) -> None:
    """Print the average precision, the precision at a recall, and a band for the precision-recall curve.

    For two or more models, the command also prints differences. --json adds the whole curve.
    """
    cases = data.read(out, pairs=True)
    pairs = pairs_of(cases.scores)
    names = ["average_precision"]
    names += ["average_precision_difference"] if pairs else []
    names += ["precision_at_recall"] if "recall" in options else []
    names += ["pr_band"] if band else []
    parts = dict(zip(names, split(options, [getattr(confroc, name) for name in names]), strict=True))
    found = {
        name: out.run(
            getattr(confroc, name), pairs if name == "average_precision_difference" else cases.models, **part
        )
        for name, part in parts.items()
    }
    if out.as_json:
        out.run(confroc.pr_curve, cases.models, prior=options.get("prior"))
    out.draw(lambda ax: _draw_precision(ax, cases.models, found, options.get("prior")))


def _draw_precision(
    ax: Axes, models: Mapping[str, Scores], found: Mapping[str, Mapping[str, Any]], prior: float | None
) -> None:
    """Draw curves with their average precisions, and their bands if computed."""
    for name, model in models.items():
        drawn: Any = confroc.pr_curve(model, prior=prior)
        if "pr_band" in found:
            drawn = confroc.plot.PrBandDisplay(found["pr_band"][name], drawn)
        drawn.plot(ax=ax, name=name, average_precision=found["average_precision"][name])


@opt.command("calibration", opt.ONE, gives=["calibration_band"], plot="the curves inside their bands")
@opt.data_options(design=False)
@opt.level_option
@method_options(confroc.calibration_band, help="Band method.")
def calibration(data: Data, out: Output, **options: Any) -> None:
    """Print a simultaneous band for the calibration curve, the proportion of positives at each score.

    Scores that are probabilities are miscalibrated where the band excludes them.
    """
    found = out.run(confroc.calibration_band, data.read(out).models, **options)
    out.draw(lambda ax: [value.plot(ax=ax, name=name) for name, value in found.items()], scores=True)


@opt.command("confusion", f"{opt.ONE} --threshold 0.2", gives=["confusion_at_threshold"])
@opt.data_options()
@opt.number(
    "--threshold",
    "SCORE",
    f"{opt.PER_MODEL} Cases at or above it are predicted positive.",
    multiple=True,
    required=True,
)
@opt.prevalence_options
@opt.level_option
@method_options(confroc.confusion_at_threshold)
def confusion(data: Data, out: Output, *, threshold: tuple[float, ...], **options: Any) -> None:
    """Print predictive values and other metrics of the confusion matrix with pointwise intervals.

    The threshold must not have been chosen on the same data. To choose one use `confroc threshold`.
    """
    each, found = opt.per_model(threshold, data.score), {}
    for (name, scores), at in zip(data.read(out).models.items(), each, strict=True):
        given = in_scores({"threshold": at}, out.reverses(name))
        found[name] = confroc.confusion_at_threshold(scores, **given, **options)
    out.show("confusion_at_threshold", found)
    if out.as_csv:
        counts = {name: [getattr(one, name) for one in found.values()] for name in ("tp", "fp", "fn", "tn")}
        columns = {"model": [*found], "threshold": each, **counts}
        out.table(Table("Confusion matrix", columns, len(found)))


@opt.command(
    "decision",
    "predictions.csv --label died --score risk --risk 0.1 --risk 0.2",
    gives=["net_benefit"],
    may_give=["net_benefit_difference"],
    plot="the decision curves, with those of treating all and none",
)
@opt.data_options()
@opt.places("--risk", "RISK", "Print the net benefit at this risk threshold")
@opt.prevalence_options
@opt.number(
    "--threshold",
    "SCORE",
    "Score that corresponds to the risk, once or for each --risk. Default: the risk itself.",
    multiple=True,
)
@opt.flag("--standardized", "Divide by the prevalence, which is then treated as known.")
@opt.flag("--interventions-avoided", "Add interventions avoided per 100 patients; --plot draws only them.")
@opt.level_option
@method_options(
    confroc.net_benefit,
    confroc.net_benefit_difference,
    default="that of each function",
    help="Interval method.",
)
def decision(data: Data, out: Output, *, interventions_avoided: bool = False, **options: Any) -> None:
    """Print the net benefit at each risk threshold, and that of treating all.

    Use it if scores are risks and costs differ between users; for given costs use `confroc cost`. By default
    the table has ten risk thresholds up to about twice the prevalence, and --plot and --json have 100. For
    two or more models, the command also prints differences.
    """
    cases = data.read(out, pairs=True)
    pairs = pairs_of(cases.scores)
    held = options.pop("threshold", None)
    own, of_two = split(options, [confroc.net_benefit, confroc.net_benefit_difference])
    if held is not None:
        own["threshold"] = of_two["threshold_a"] = of_two["threshold_b"] = held
    first = next(iter(cases.models.values()))
    prior = options.get("prior", first.n_pos / (first.n_pos + first.n_neg))
    prevalence = prior[0] / prior[1] if isinstance(prior, tuple) else prior
    shown = {} if out.as_json else {"risk": default_risks(prevalence, 10)}
    found = out.run(confroc.net_benefit, cases.models, **(shown | own))
    if interventions_avoided and not out.as_json:
        avoided = {name: curve.interventions_avoided for name, curve in found.items()}
        out.show("net_benefit", avoided, "Interventions avoided per 100 patients")
    out.run(confroc.net_benefit_difference, pairs, **(shown | of_two))

    def draw(ax: Axes) -> None:
        for name, model in cases.models.items():
            curve = confroc.net_benefit(model, **in_scores(own, out.reverses(name)))
            (curve.interventions_avoided if interventions_avoided else curve).plot(ax=ax, name=name)

    out.draw(draw, size=(6.5, 5.0))


COSTS = {
    "false_negative": ("expected_cost", "expected_cost_difference"),
    "w": ("cost_curve", "cost_difference"),
}
"""Functions of `cost`, for one model and for two, by option."""


@opt.command(
    "cost",
    f"{opt.BOTH} --false-negative 5 --false-positive 1",
    may_give=[*(name for names in COSTS.values() for name in names), "cost_band", "cost_difference_band"],
    plot="the cost curves inside their bands, and the operating condition",
)
@opt.data_options()
@opt.unit_cost_options
@opt.places("--w", "WEIGHT", "Print the normalized cost at this weight of false negatives, not at unit costs")
@opt.prevalence_options
@opt.number(
    "--threshold",
    "SCORE",
    "Threshold to evaluate, once or for each --w. Default: the cheapest in the sample.",
    multiple=True,
)
@opt.choice(
    "--threshold-range",
    get_args(ThresholdRange),
    "With --w: any threshold, or only those with cases (of both classes) on both sides.",
)
@opt.validation_option
@opt.resampling_options
@opt.level_option
@method_options(confroc.expected_cost, help="Interval method, also for differences if available.")
def cost(data: Data, out: Output, *, validation: str | None = None, **options: Any) -> None:
    """Print the cost per case for given unit costs, at the cheapest threshold or at a given one.

    For other criteria use `confroc threshold`. With --w the command prints points on the cost curve. With
    unit costs, --json adds the cost curves and
    their bands. Costs at thresholds chosen on the same cases are corrected for optimism by cross-validation.

    For two or more models, the command also prints differences of costs, and the operating conditions under
    which one model is significantly cheaper (simultaneous confidence).
    """
    asked = [name for name in COSTS if name in options]
    if len(asked) != 1 or (asked == ["false_negative"] and "false_positive" not in options):
        raise click.UsageError("Give --false-negative and --false-positive, or --w.")
    single, double = COSTS[asked[0]]
    cases = data.read(out, pairs=True)
    pairs, held = pairs_of(cases.scores), options.pop("threshold", None)
    places: dict[Any, dict[str, Any]] = {name: {} for name in (*cases.models, *pairs)}
    if held is not None:
        held = held[0] if len(held) == 1 else held
        places = {name: {"threshold": held} for name in cases.models}
        places |= {pair: {"threshold_a": held, "threshold_b": held} for pair in pairs}
    if validation is not None:
        others = data.read_other(out, "validation", validation, pairs=True)
        samples: dict[Any, Any] = {**others.models, **pairs_of(others.scores)}
        places = {name: {**place, "validation": samples[name]} for name, place in places.items()}
    names = [single, *([double] if pairs else [])]
    if single == "expected_cost":
        # Bands require independent cases.
        independent = all(model.design is None for model in cases.models.values())
        names += ["cost_difference_band"] if pairs and independent else []
        names += ["cost_band"] if out.plot or (out.as_json and independent) else []
    parts = dict(zip(names, split(options, [getattr(confroc, name) for name in names]), strict=True))
    if not isinstance(options.get("prior"), tuple):
        # A known prevalence only changes w; an estimated one widens the bands.
        for name in parts.keys() & {"cost_band", "cost_difference_band"}:
            parts[name].pop("prior", None)
    if held is not None and names[1:] and options.get("method") != "bootstrap":
        # Costs at a given threshold are not resampled.
        parts.get("expected_cost", {}).pop("n_resamples", None)

    def computed(name: str, items: Mapping[Any, Any]) -> dict[Any, Any]:
        function, wanted = getattr(confroc, name), items if name in names else {}
        return {
            key: function(item, **parts[name], **in_scores(places[key], out.reverses(key)))
            for key, item in out.each(wanted, name)
        }

    found, title = computed(single, cases.models), None
    if single == "expected_cost":
        title = f"Cost per case at {'the cheapest threshold' if held is None else f'threshold {held:g}'}"
    out.show(single, found, title)
    out.show(double, computed(double, pairs))
    differences, curves = computed("cost_difference_band", pairs), computed("cost_band", cases.models)
    if out.as_json:
        out.show("cost_difference_band", differences)
        out.show("cost_band", curves)
    for pair, difference in differences.items():
        ranges = difference.cheaper()
        for side, (name, other) in (("a", pair), ("b", pair[::-1])):
            if at := spans([(part.low, part.high) for part in ranges if part.cheaper == side]):
                line = (
                    f"{name} is significantly cheaper than {other} at weights w of false negatives from {at}."
                )
                out.line(line)
        if not ranges:
            out.line(f"The costs of {pair[0]} and {pair[1]} do not differ significantly at any w.")
        chosen = ", not corrected for optimism" if difference.threshold_source == "same_sample" else ""
        level = percent(difference.confidence_level)
        out.line(f"(simultaneous {level} band{chosen}; at these costs w is {found[pair[0]].w:.4f})")
    out.draw(lambda ax: _draw_costs(ax, curves or found, found), size=(6.5, 5.0))


def _draw_costs(ax: Axes, curves: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    """Draw cost curves inside their bands with a line at the operating condition, or costs at given w."""
    from confroc.plot.style import legend

    for name, curve in curves.items():
        curve.plot(ax=ax, name=name)
    if curves is not found:
        w = next(iter(found.values())).w
        ax.axvline(w, color="0.6", linewidth=0.8, zorder=0, label=f"w at these costs ({w:.3g})")
        ax.set(xlabel="w, weight of false negatives", ylabel="Normalized cost")
        legend(ax)
