"""Commands for areas and any statistic: `auc`, `interval`, `compare`, `compare-rates`, `power`."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any, get_args

import click

import confroc
from confroc.base import FAMILIES, Statistic
from confroc.cli import options as opt
from confroc.cli.data import Data, pairs_of
from confroc.cli.methods import ANY_STATISTIC, method_options, of_statistic, split
from confroc.cli.output import Output
from confroc.drift.area_tests import ALTERNATIVES as SIDED
from confroc.drift.divergence import DIVERGENCES
from confroc.hypotheses import ALTERNATIVES
from confroc.planning.study import SIDES
from confroc.points.alignment import By
from confroc.results import Adjustment, Comparison, Difference, Interval
from confroc.results.shown import informed
from confroc.sklearn import cross_validated_auc, cross_validated_auc_difference
from confroc.statistics import Gini, KolmogorovSmirnov

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from confroc.plot import ComparisonDisplay

RATES: dict[str, Any] = {
    "fpr": confroc.tpr_difference_at_fpr,
    "threshold": confroc.rates_difference_at_threshold,
    "positive_rate": confroc.rates_difference_at_positive_rate,
    "threshold_a": confroc.aligned_thresholds,
}
"""The function for each place at which rates are compared, or thresholds aligned."""

OTHERS: tuple[Statistic, ...] = (Gini(), KolmogorovSmirnov())
"""Statistics that stand beside the AUC."""
margin_option = opt.number(
    "--margin", "AREA", "Smallest difference that matters, for non-inferiority and equivalence."
)
compared_options = opt.together(
    opt.column("--group", "Compare one model between the groups in this column: sites, sexes, months."),
    opt.option("--against", "FILE", "Compare each model with itself in this second file (unpaired)."),
)


@opt.command(
    "auc",
    opt.BOTH,
    may_give={
        **dict.fromkeys(
            ("auc_interval", "auc_test", "cross_validated_auc", "cross_validated_auc_difference")
        ),
        **dict.fromkeys(("gini", "ks"), Mapping[str, Interval]),
    },
    plot="the intervals of the AUC",
    gate="an AUC",
)
@opt.data_options()
@opt.partial_area_options
@opt.number("--null-auc auc", "AUC", "Test whether the AUC equals this value, by resampling under the null.")
@opt.choice("--alternative", SIDED, "With --null-auc: alternative hypothesis.")
@opt.choice("--divergence", DIVERGENCES, "With --null-auc: what the nearest population under the null is.")
@opt.column(
    "--fold",
    "The mean AUC over the folds of a cross-validation, which this column numbers. Each row is a test case "
    "with its scores by models fitted without it.",
)
@opt.column(
    "--case",
    "With --fold: numbers of the cases, required if some are in several folds (repeated cross-validation).",
)
@opt.level_option
@method_options(confroc.auc_interval)
def auc(
    data: Data,
    out: Output,
    *,
    auc: float | None = None,
    fold: str | None = None,
    case: str | None = None,
    **options: Any,
) -> None:
    """Print the AUC, the Gini coefficient (2 AUC - 1) and the Kolmogorov-Smirnov statistic of each model.

    A partial AUC and the mean AUC over folds come alone. The intervals are pointwise. `confroc compare`
    computes simultaneous intervals, and the set of models that may be best.
    """
    if auc is not None and options.keys() & {"max_fpr", "min_tpr"}:
        raise click.UsageError("--null-auc tests the whole AUC: leave out --max-fpr and --min-tpr.")
    function: Any = confroc.auc_interval if fold is None else cross_validated_auc
    if function is cross_validated_auc and auc is not None:
        raise click.UsageError("--null-auc goes without --fold.")
    whole = fold is None and not options.keys() & {"max_fpr", "min_tpr"}
    others = {s.label: of_statistic(confroc.interval, s, "interval") for s in OTHERS if whole}
    tests = [] if auc is None else [confroc.auc_test]
    own, *parts = split(options, [function, *others.values(), *tests])
    folds, cases = data.read_folds(out, fold, case), None
    models: Mapping[str, Any] = folds or (cases := data.read(out)).models
    found = out.computed(function, models, **own)
    more = {
        name: out.computed(other, models, **part)
        for (name, other), part in zip(others.items(), parts, strict=False)
    }
    out.show(function.__name__, found, None if fold is None else "Mean area over the folds", more=more)
    if cases is not None and (sentence := informed(cases.models, found, cases.cluster)):
        out.line(sentence)
    for part in parts[len(others) :]:
        out.run(confroc.auc_test, models, title=f"Test of AUC = {auc:g}", auc=auc, **part)
    if fold is not None:
        pairs = {two: [models[name] for name in two] for two in combinations(models, 2)}
        gaps = {two: cross_validated_auc_difference(*pair, **own) for two, pair in pairs.items()}
        out.show("cross_validated_auc_difference", gaps, "Difference of two mean areas over the folds")
    _draw_intervals(out, found)


def _draw_intervals(out: Output, found: Mapping[Any, Any], reference: float | None = None) -> None:
    """Intervals, one below the other; those of differences with a line at zero."""
    names = [" - ".join(name) if isinstance(name, tuple) else name for name in found]

    def draw(ax: Any) -> Any:
        display = confroc.plot.IntervalDisplay(list(found.values()), reference=reference)
        return display.plot(ax=ax, name=names)

    out.draw(draw, size=(6.0, 1.2 + 0.5 * len(found)))


@opt.command(
    "interval",
    f"{opt.BOTH} --statistic average_precision",
    gives=["interval"],
    plot="the intervals",
    gate="a statistic",
)
@opt.data_options()
@opt.statistic_option(required=True)
@opt.level_option
@method_options(more=[ANY_STATISTIC], default="that of the statistic")
def interval(data: Data, out: Output, *, statistic: Statistic, **options: Any) -> None:
    """Print a statistic of each model with its confidence interval. The intervals are pointwise."""
    cases = data.read(out)
    function = of_statistic(confroc.interval, statistic, "interval")
    (own,) = split(options, [function])
    _draw_intervals(out, out.run(function, cases.models, title=statistic.title, **own))


@opt.command(
    "compare",
    opt.BOTH,
    may_give=[
        "auc_comparison",
        "auc_difference",
        "comparison",
        "difference",
        "auc_equality_test",
        "curve_test",
        "roc_difference_band",
    ],
    plot="the AUCs and all differences (with --band, the bands)",
    gate="the difference of two",
)
@opt.data_options()
@compared_options
@opt.statistic_option()
@opt.choice("--adjust", get_args(Adjustment), "With three or more: adjustment for multiple comparisons.")
@opt.option("--reference", "MODEL", "With three or more: compare with this model or group only.")
@opt.partial_area_options
@opt.choice("--alternative", ALTERNATIVES, "With two: alternative hypothesis.")
@margin_option
@opt.option("--only-a", "FILE", "With two: further cases that only the first model has scored.")
@opt.option("--only-b", "FILE", "With two: further cases that only the second model has scored.")
@opt.flag("--band", "Add simultaneous bands for the differences of the ROC curves.")
@opt.number("--fpr", "LOW HIGH", "With --band: between these false positive rates only.", nargs=2)
@opt.flag("--equality-test", "Test whether all AUCs are equal, by resampling under the null.")
@opt.choice(
    "--divergence", DIVERGENCES, "With --equality-test: what the nearest population under the null is."
)
@opt.flag("--curve-test", "Test whether the ROC curves are the same, of each two models.")
@opt.level_option
@method_options(
    confroc.auc_difference,
    confroc.auc_comparison,
    more=[ANY_STATISTIC],
    help=f"Method; with three or more models {', '.join(FAMILIES['auc_comparison'].names)}.",
)
def compare(
    data: Data,
    out: Output,
    *,
    band: bool = False,
    equality_test: bool = False,
    curve_test: bool = False,
    statistic: Statistic | None = None,
    group: str | None = None,
    against: str | None = None,
    **options: Any,
) -> None:
    """Compare models on the same cases (paired), or one model in groups (unpaired), by default by their AUCs.

    Two are compared by their difference, the first minus the second. Three or more are ranked, with
    simultaneous intervals, a test of equality, adjusted p-values and the set of models that may be best.
    """
    if equality_test and options.keys() & {"max_fpr", "min_tpr"}:
        raise click.UsageError("--equality-test is for the whole AUC: leave out --max-fpr and --min-tpr.")
    if statistic is not None and (band or equality_test or curve_test):
        raise click.UsageError("--band, --equality-test and --curve-test go without --statistic.")
    if equality_test and against is not None:
        raise click.UsageError("--equality-test is for models or groups of FILE: leave out --against.")
    scores, pairs = data.read_compared(out, group, against)
    for option, name in zip(("only_a", "only_b"), data.score, strict=False):
        if option in options:
            options[option] = data.read_only(out, option, options[option], name)
    several = len(pairs) > 1 and scores is not None
    if several and out.fail_below is not None:
        raise click.UsageError("--fail-below is for two models: with more, compare them two by two.")
    ability, title = "comparison" if several else "difference", None
    functions: dict[str, Any] = {"values": getattr(confroc, f"auc_{ability}")}
    if statistic is not None:
        title = statistic.title
        functions["values"] = of_statistic(getattr(confroc, ability), statistic, ability)
    if equality_test:
        functions["test"] = confroc.auc_equality_test
    if curve_test:
        functions["curves"] = confroc.curve_test
    if band:
        functions["band"] = confroc.roc_difference_band
    parts = dict(zip(functions, split(options, list(functions.values())), strict=True))
    if scores is not None and several:
        name = functions["values"].__name__
        out.doing(f"{name}")
        found: Comparison = functions["values"](scores, **parts["values"])
        out.add(name, found.to_dict())
        out.table(found.table(title or FAMILIES[name].title, most=None))
        out.table(found.differences.table("Differences" if title else "Differences of these AUCs", most=None))
        if found.design == "unpaired":
            out.line(f"largest gap: {found.largest_gap}")
        pairs = pairs_of(scores, zip(found.differences.a.tolist(), found.differences.b.tolist(), strict=True))
    else:
        gaps: Mapping[tuple[str, str], Difference] = out.run(
            functions["values"], pairs, title=title, **parts["values"]
        )
    if equality_test and scores is not None:
        out.doing("auc_equality_test")
        out.state("auc_equality_test", confroc.auc_equality_test(scores, **parts["test"]))
    if curve_test:
        out.run(confroc.curve_test, pairs, title="Tests of equal ROC curves", **parts["curves"])
    if band:
        bands = out.run(confroc.roc_difference_band, pairs, **parts["band"])
        out.draw(lambda ax: [value.plot(ax=ax, name=" - ".join(names)) for names, value in bands.items()])
    elif several:
        display = confroc.plot.ComparisonDisplay(found)
        out.draw(lambda ax: _draw_comparison(ax, display), size=display.figsize)
    else:
        _draw_intervals(out, gaps, reference=0.0)


@opt.command(
    "compare-rates",
    f"{opt.BOTH} --fpr 0.1",
    may_give=[*(function.__name__ for function in RATES.values()), "dominance_at_threshold"],
)
@opt.data_options()
@compared_options
@opt.places("--fpr", "RATE", "Compare the TPRs at this false positive rate")
@opt.places("--threshold", "A B", "Compare both rates, of the first model at A and the second at B", nargs=2)
@opt.places("--positive-rate", "RATE", "Compare both rates at this predicted-positive rate")
@opt.places(
    "--threshold-a", "A", "Print the threshold of the second model that means the same as A of the first"
)
@opt.choice(
    "--by",
    get_args(By),
    "With --threshold-a: thresholds mean the same at equal predicted-positive rates, or at equal "
    "probabilities after isotonic calibration.",
)
@opt.joint_option
@opt.flag("--dominance", "Add the probability that one model is better in both rates at --threshold.")
@opt.sampling_option
@opt.level_option
@method_options(*RATES.values(), default="that of each function")
def compare_rates(
    data: Data,
    out: Output,
    *,
    dominance: bool = False,
    group: str | None = None,
    against: str | None = None,
    **options: Any,
) -> None:
    """Compare the rates of every two models on the same cases (paired), or of one model in groups (unpaired).

    Differences are the first minus the second. The intervals are pointwise.
    """
    places = {name: options.pop(name) for name in RATES if name in options}
    if not places:
        raise click.UsageError("Give --fpr, --threshold, --positive-rate or --threshold-a.")
    if dominance and "threshold" not in places:
        raise click.UsageError("--dominance requires --threshold.")
    _, pairs = data.read_compared(out, group, against)
    if places.keys() & {"threshold", "threshold_a"} and len(pairs) > 1:
        raise click.UsageError("--threshold and --threshold-a compare two models: give two --score columns.")
    functions = [*(RATES[name] for name in places), *([confroc.dominance_at_threshold] if dominance else [])]
    parts = split(options, functions)
    for (name, at), part in zip(places.items(), parts, strict=False):
        place = {name: at}
        if name == "threshold":
            place = dict(zip(("threshold_a", "threshold_b"), zip(*at, strict=True), strict=True))
        title = "Thresholds that mean the same" if name == "threshold_a" else None
        out.run(RATES[name], pairs, title=title, **place, **part)
        if name == "threshold" and dominance:
            out.run(confroc.dominance_at_threshold, pairs, **place, **parts[-1])


def _draw_comparison(ax: Axes, display: ComparisonDisplay) -> None:
    """AUCs by rank, and the matrix of pairs."""
    figure = ax.figure
    ax.remove()
    areas, pairs = figure.subplots(1, 2, width_ratios=display.widths)
    display.plot(ax=areas, ax_pairs=pairs)


@opt.command("power", "--auc 0.8 --null-auc 0.7 --power 0.9", may_give=["auc_power", "auc_sample_size"])
@opt.data_options(required=False)
@opt.number("--auc model", "AUC", "AUC expected in the population.")
@opt.number("--auc-b model_b", "AUC", "AUC of a second model, to be compared with the first.")
@opt.number(
    "--correlation",
    "POS NEG",
    "Two models on the same cases: correlation of their scores within positives and within negatives. "
    "Without it the models are evaluated on different cases (unpaired).",
    nargs=2,
)
@opt.number("--null-auc", "AUC", "AUC under the null hypothesis. Default: 0.5.")
@opt.whole("--n-pos", "N", "Positives available: prints the power.")
@opt.whole("--n-neg", "N", "Negatives available.")
@opt.number("--power", "SHARE", "Power required: prints the number of cases. Default: 0.8.")
@opt.number("--width", "AREA", "Width of the interval: prints the number of cases.")
@opt.number("--ratio", "N", "Negatives per positive. Default: as in the pilot sample, otherwise 1.")
@opt.choice("--alternative", SIDES, "Alternative hypothesis.")
@margin_option
@opt.number("--significance-level", "LEVEL", "Of the test. Default: 0.05.")
@method_options(
    confroc.auc_power, help="By formula, or by the intervals and tests of confroc on simulated samples."
)
def power(out: Output, *, data: Data | None = None, model: float | None = None, **options: Any) -> None:
    """Print the power of given numbers of cases, or the cases required for a power or a width.

    The AUC is given by --auc, or estimated from a pilot sample in FILE. With two --score columns (or --auc-b)
    the power is that of a comparison of two models.
    """
    sizes, wanted = options.keys() & {"n_pos", "n_neg"}, options.keys() & {"power", "width", "ratio"}
    if len(sizes) == 1 or (sizes and wanted):
        raise click.UsageError("Give --n-pos and --n-neg together, or --power, or --width.")
    if (model is None) == (data is None):
        raise click.UsageError("Give --auc, or a pilot sample as FILE, and not both.")
    if "correlation" in options and "model_b" not in options:
        raise click.UsageError("--correlation goes with --auc-b.")
    design: Any = model
    if data is not None:
        if not data.columns["label"] or len(data.score) not in (1, 2):
            raise click.UsageError("A pilot sample needs --label, and one --score or two.")
        cases = data.read(out, pairs=True)
        design = cases.scores or cases.models[data.score[0]]
    out.doing("power")
    key = "auc_power" if sizes else "auc_sample_size"
    found = confroc.auc_power(design, **options) if sizes else confroc.auc_sample_size(design, **options)
    out.state(key, found)
    if "model_b" in options:
        paired = "correlation" in options
        out.line(
            "Both models on the same cases." if paired else "For each model; on different cases (unpaired)."
        )


@opt.command("power-rate", "--auc 0.95 --fpr 0.001 --width 0.2", gives=["rate_sample_size"])
@opt.number("--auc model", "AUC", "AUC expected in the population.", required=True)
@opt.number("--fpr", "RATE", "False positive rate at which the true one is estimated.", required=True)
@opt.number("--power", "SHARE", "Power required. Default: 0.8.")
@opt.number("--width", "RATE", "Width of the interval, in place of a power.")
@opt.number("--ratio", "N", "Negatives per positive. Default: that with the fewest cases in all.")
@opt.number("--null-tpr", "RATE", "True positive rate under the null hypothesis. Default: --fpr.")
@opt.choice("--alternative", SIDES[:2], "Alternative hypothesis.")
@opt.number("--significance-level", "LEVEL", "Of the test. Default: 0.05.")
def power_rate(out: Output, *, model: float, **options: Any) -> None:
    """Print the cases required to estimate the true positive rate at a false positive rate."""
    out.state("rate_sample_size", confroc.rate_sample_size(model, **options))
