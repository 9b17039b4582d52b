"""Commands for curves and their points: `roc`, `band`, `pr`, `calibration`, `cost`, `decision`, ..."""

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
from confroc.cost.thresholds import ThresholdRange

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


@opt.command(
    "roc",
    f"{opt.BOTH} --fpr 0.1 --threshold 0.2",
    gives=["roc_curve"],
    may_give=[function.__name__ for function in POINTS.values()],
    plot="the curves with these points",
)
@opt.data_options()
@opt.places("--fpr", "RATE", "False positive rate at which to give the TPR")
@opt.places("--tpr", "RATE", "True positive rate at which to give the FPR")
@opt.places("--threshold", "SCORE", "Score threshold at which to give both rates")
@opt.places("--positive-rate", "RATE", "Predicted-positive rate at which to give both rates")
@opt.joint_option
@opt.sampling_option
@opt.level_option
@method_options(*POINTS.values(), default="that of each function")
def roc(data: Data, out: Output, **options: Any) -> None:
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
    parts = split(options, [POINTS[place] for place in places])
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
        for part in found.values():
            part[name].plot(ax=ax, name=name, color=curve.get_color())
    # Points have the colours of their curves.
    ax.legend(handles=curves, loc="lower right", frameon=False)


WANTED = ("fpr", "tpr", "precision", "positive_rate", "criterion")
"""Options of `threshold` of which one is given."""


@opt.command(
    "threshold",
    f"{opt.ONE} --fpr 0.05",
    may_give=["threshold_at", "best_threshold"],
    plot="the curves with the rates there, with --criterion the criterion along the threshold",
)
@opt.data_options()
@opt.places("--fpr", "RATE", "False positive rate wanted")
@opt.places("--tpr", "RATE", "True positive rate wanted")
@opt.places("--precision", "SHARE", "Precision wanted")
@opt.places("--positive-rate", "RATE", "Predicted-positive rate wanted")
@opt.choice(
    "--criterion",
    get_args(By),
    "The best threshold by this criterion instead.",
    default="the threshold for a wanted rate or precision",
)
@opt.number("--false-negative", "COST", "With --criterion cost: cost of one false negative. Default: 1.")
@opt.number("--false-positive", "COST", "With --criterion cost: cost of one false positive. Default: 1.")
@opt.number("--beta", "WEIGHT", "With --criterion fbeta: how much more recall counts than precision.")
@opt.number("--risk", "RISK", "With --criterion net_benefit: risk threshold.")
@opt.number("--max-fpr", "RATE", "With --criterion max_tpr: largest false positive rate.")
@opt.prevalence_options
@opt.option("--validation", "FILE", "With --criterion: choose the threshold on these cases instead.")
@opt.level_option
@opt.whole(
    "-n --n-resamples", "N", "With --criterion: number of resamples. Default: as many as the level needs."
)
@opt.seed_option
@opt.jobs_option
def threshold(data: Data, out: Output, **options: Any) -> None:
    """Print the threshold for a wanted rate or precision, or the best by a criterion, and the rates there.

    `guaranteed` is the threshold that keeps the wanted rate at the confidence level. With --criterion,
    `threshold_lower` to `threshold_upper` are the thresholds that may be the best, and the criterion and the
    rates are corrected for choosing the threshold on the same cases.
    """
    if len(options.keys() & {*WANTED}) != 1:
        raise click.UsageError("Give one of --fpr, --tpr, --precision, --positive-rate and --criterion.")
    criterion = options.get("criterion")
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
        out.draw(lambda ax: [best.plot(ax=ax, name=name) for name, best in found.items()], size=(6.5, 5.0))


@opt.command("band", opt.ONE, gives=["roc_band"], plot="the curves inside their bands")
@opt.data_options()
@opt.number("--fpr", "LOW HIGH", "Band between these false positive rates only.", nargs=2)
@opt.segment_options("a curve (a fold, a site); the band is made of these curves")
@opt.level_option
@method_options(confroc.roc_band, help="Band method.")
def band(
    data: Data, out: Output, *, segment_files: bool = False, segment_column: str | None = None, **options: Any
) -> None:
    """Print a simultaneous confidence band, which contains the whole true ROC curve at the confidence level.

    The table shows the band at a few rates; --json prints all of it.
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
)
@opt.data_options()
@opt.places("--recall", "RATE", "Recall at which to give the precision")
@opt.number("--max-recall", "RATE", "Average precision up to this recall only.")
@opt.prevalence_options
@opt.flag("--band", "Also a simultaneous band for the whole curve.")
@opt.level_option
@method_options(
    confroc.average_precision,
    confroc.average_precision_difference,
    confroc.precision_at_recall,
    confroc.pr_band,
    default="that of each function",
)
def pr(data: Data, out: Output, *, band: bool = False, **options: Any) -> None:
    """Print the average precision, precisions at recalls, and a band for the precision-recall curve.

    With two or more models, differences of average precisions follow. --json adds the whole curve.
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
    """Curves with their average precisions, inside their bands where there are some."""
    for name, model in models.items():
        drawn: Any = confroc.pr_curve(model, prior=prior)
        if "pr_band" in found:
            drawn = confroc.plot.PrBandDisplay(found["pr_band"][name], drawn)
        drawn.plot(ax=ax, name=name, average_precision=found["average_precision"][name])


@opt.command("calibration", opt.ONE, gives=["calibration_band"], plot="the curves inside their bands")
@opt.data_options()
@opt.level_option
@method_options(confroc.calibration_band, help="Band method.")
def calibration(data: Data, out: Output, **options: Any) -> None:
    """Print a simultaneous band for the calibration curve: the share of positives at each score.

    For scores that are probabilities, it shows at which scores they are not calibrated.
    """
    found = out.run(confroc.calibration_band, data.read(out).models, **options)
    out.draw(lambda ax: [value.plot(ax=ax, name=name) for name, value in found.items()])


@opt.command("confusion", f"{opt.ONE} --threshold 0.2", gives=["confusion_at_threshold"])
@opt.data_options()
@opt.number("--threshold", "SCORE", "Cases with at least this score are called positive.", required=True)
@opt.prevalence_options
@opt.level_option
@method_options(confroc.confusion_at_threshold)
def confusion(data: Data, out: Output, **options: Any) -> None:
    """Print predictive values and other metrics of the confusion matrix at a threshold, with intervals.

    The threshold must have been chosen without looking at these cases. The intervals are pointwise.
    """
    out.run(confroc.confusion_at_threshold, data.read(out).models, **options)


RISKS = tuple(tenth / 10 for tenth in range(1, 10))
"""Risks that are shown without others."""


@opt.command(
    "decision",
    "predictions.csv --label died --score risk --risk 0.1 --risk 0.2",
    gives=["net_benefit"],
    may_give=["net_benefit_difference"],
    plot="the decision curves, with those of treating everybody and nobody",
)
@opt.data_options()
@opt.places("--risk", "RISK", "Risk threshold at which to give the net benefit")
@opt.prevalence_options
@opt.number(
    "--threshold",
    "SCORE",
    "Score that stands for the risk; one, or one for each --risk. Default: the risk itself.",
    multiple=True,
)
@opt.flag("--standardized", "Divide by the prevalence, which is then known.")
@opt.flag("--interventions-avoided", "Also interventions avoided per 100; --plot draws them instead.")
@opt.level_option
@method_options(
    confroc.net_benefit,
    confroc.net_benefit_difference,
    default="that of each function",
    help="Interval method.",
)
def decision(data: Data, out: Output, *, interventions_avoided: bool = False, **options: Any) -> None:
    """Print the net benefit at each risk threshold, and that of treating everybody.

    By default a few risks are shown; --plot and --json have 0.01 to 0.99. With two or more models,
    differences of their net benefits follow.
    """
    cases = data.read(out, pairs=True)
    pairs = pairs_of(cases.scores)
    held = options.pop("threshold", None)
    own, of_two = split(options, [confroc.net_benefit, confroc.net_benefit_difference])
    if held is not None:
        own["threshold"] = of_two["threshold_a"] = of_two["threshold_b"] = held
    shown = {} if out.as_json else {"risk": RISKS}
    found = out.run(confroc.net_benefit, cases.models, **(shown | own))
    if interventions_avoided and not out.as_json:
        avoided = {name: curve.interventions_avoided for name, curve in found.items()}
        out.show("net_benefit", avoided, "Interventions avoided per 100 patients")
    out.run(confroc.net_benefit_difference, pairs, **(shown | of_two))

    def draw(ax: Axes) -> None:
        for name, model in cases.models.items():
            curve = confroc.net_benefit(model, **own)
            (curve.interventions_avoided if interventions_avoided else curve).plot(ax=ax, name=name)

    out.draw(draw, size=(6.5, 5.0))


COSTS = {
    "false_negative": ("expected_cost", "expected_cost_difference"),
    "w": ("cost_curve", "cost_difference"),
}
"""The functions, for one model and for two, by the option that calls for them."""


@opt.command(
    "cost",
    f"{opt.BOTH} --false-negative 5 --false-positive 1",
    may_give=[*(name for names in COSTS.values() for name in names), "cost_band", "cost_difference_band"],
    plot="the cost curves inside their bands, and these conditions",
)
@opt.data_options()
@opt.number("--false-negative", "COST", "Cost of one false negative, in any currency.")
@opt.number("--false-positive", "COST", "Cost of one false positive.")
@opt.places("--w", "WEIGHT", "Instead of unit costs: weight of false negatives at which to give the cost")
@opt.prevalence_options
@opt.number(
    "--threshold",
    "SCORE",
    "Threshold in use; one, or one for each --w. Default: the cheapest one in the sample.",
    multiple=True,
)
@opt.choice(
    "--threshold-range",
    get_args(ThresholdRange),
    "With --w: any threshold, or those of the sample's scores, or of the scores that both classes reach.",
)
@opt.option("--validation", "FILE", "Choose the thresholds on these cases instead.")
@opt.level_option
@opt.whole("-n --n-resamples", "N", "Number of resamples. Default: as many as the level needs.")
@opt.seed_option
@opt.jobs_option
@method_options(confroc.expected_cost, help="Interval method, also for differences if available.")
def cost(data: Data, out: Output, *, validation: str | None = None, **options: Any) -> None:
    """Print the cheapest threshold for given unit costs, and the cost per case there.

    With --w it prints points of the cost curve; net benefits are printed by `confroc decision`. With unit
    costs, --json adds the cost curves and their bands.

    Costs are optimistic if the threshold was chosen on the same cases; cross-validation corrects them. With
    two or more models, differences of costs follow, and the operating conditions under which one is
    significantly cheaper, simultaneously at the confidence level.
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
        names += ["cost_difference_band"] if pairs else []
        names += ["cost_band"] if out.plot or out.as_json else []
    parts = dict(zip(names, split(options, [getattr(confroc, name) for name in names]), strict=True))
    if not isinstance(options.get("prior"), tuple):
        # A known prevalence is part of w; an estimated one widens the bands.
        for name in parts.keys() & {"cost_band", "cost_difference_band"}:
            parts[name].pop("prior", None)
    if held is not None and names[1:] and options.get("method") != "bootstrap":
        # Costs at a given threshold are not resampled.
        parts.get("expected_cost", {}).pop("n_resamples", None)

    def computed(name: str, items: Mapping[Any, Any]) -> dict[Any, Any]:
        function, wanted = getattr(confroc, name), items if name in names else {}
        return {key: function(item, **parts[name], **places[key]) for key, item in out.each(wanted, name)}

    found, title = computed(single, cases.models), None
    if single == "expected_cost":
        title = f"Cost per case at {f'threshold {held:g}' if held is not None else 'the cheapest threshold'}"
    out.show(single, found, title)
    out.show(double, computed(double, pairs))
    differences, curves = computed("cost_difference_band", pairs), computed("cost_band", cases.models)
    out.show("cost_difference_band", differences)
    for (a, b), difference in differences.items():
        for part in difference.cheaper():
            out.line(f"{a} - {b}: {part}")
    if out.as_json:
        out.show("cost_band", curves)
    out.draw(lambda ax: _draw_costs(ax, curves or found, found), size=(6.5, 5.0))


def _draw_costs(ax: Axes, curves: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    """Cost curves inside their bands, and a line at the conditions found; or costs."""
    for name, curve in curves.items():
        curve.plot(ax=ax, name=name)
    if curves is not found:
        ax.axvline(next(iter(found.values())).w, color="0.6", linewidth=0.8, zorder=0)
        ax.set(xlabel="w, weight of false negatives", ylabel="Normalised cost")
