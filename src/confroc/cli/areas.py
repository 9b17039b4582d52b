"""The commands `auc`, `interval`, `compare`, `compare-rates`, `power` and `power-rate`."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import fields
from itertools import combinations
from typing import TYPE_CHECKING, Any, get_args

import click

import confroc
from confroc.base import FAMILIES, Statistic
from confroc.cli import options as opt
from confroc.cli.curves import POINTS
from confroc.cli.data import Data, pairs_of
from confroc.cli.methods import ANY_STATISTIC, accepted, method_options, of_statistic, split
from confroc.cli.output import Output, named
from confroc.drift.area_tests import ALTERNATIVES as SIDED
from confroc.drift.divergence import DIVERGENCES
from confroc.hypotheses import ALTERNATIVES
from confroc.ingest.reversal import in_scores
from confroc.planning.study import SIDES
from confroc.points.alignment import By
from confroc.results import Adjustment, Comparison, Difference, Interval
from confroc.results.shown import informed
from confroc.scores import PairedScores, UnpairedScores
from confroc.sklearn import cross_validated_auc, cross_validated_auc_difference
from confroc.statistics import Gini, KolmogorovSmirnov

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from confroc.plot import ComparisonDisplay
    from confroc.scores import Scores

RATES: dict[str, Any] = {
    "fpr": confroc.tpr_difference_at_fpr,
    "threshold": confroc.rates_difference_at_threshold,
    "positive_rate": confroc.rates_difference_at_positive_rate,
    "threshold_a": confroc.aligned_thresholds,
}
"""Functions of `compare-rates` by option."""

OTHERS: tuple[Statistic, ...] = (Gini(), KolmogorovSmirnov())
"""Statistics that `auc` prints with the AUC."""
WITH_OTHERS = "AUC, Gini coefficient and one-sided Kolmogorov–Smirnov statistic (interval corrected for bias)"
margin_option = opt.number("--margin", "AREA", "Margin of a test of non-inferiority or equivalence.")
compared_options = opt.together(
    opt.column("--group", "Compare one model between the groups in this column, e.g. sites (unpaired)."),
    opt.option("--against", "FILE", "Compare each model between FILE and this second file (unpaired)."),
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
@opt.number("--null-auc", "AUC", "Test of the hypothesis that the AUC equals this value.")
@opt.choice("--alternative", SIDED, "With --null-auc: alternative hypothesis.")
@opt.column(
    "--fold",
    "Column of fold numbers: print the mean AUC over the folds of a cross-validation. Each row is a test "
    "case, scored by models that were fitted without it.",
)
@opt.column(
    "--case",
    "With --fold: column of case numbers, required for repeated cross-validation.",
)
@opt.level_option
@method_options(confroc.auc_interval)
def auc(
    data: Data,
    out: Output,
    *,
    null_auc: float | None = None,
    fold: str | None = None,
    case: str | None = None,
    **options: Any,
) -> None:
    """Print the AUC, the Gini coefficient (2 AUC - 1) and the Kolmogorov–Smirnov statistic of each model.

    The last is one-sided: the largest TPR - FPR. With --max-fpr, --min-tpr or --fold only the AUC is printed.
    Intervals are pointwise; for three or more models `confroc compare` prints simultaneous ones.
    """
    whole = fold is None and not options.keys() & {"max_fpr", "min_tpr"}
    if null_auc is not None and not whole:
        raise click.UsageError("--null-auc cannot be combined with --max-fpr, --min-tpr and --fold.")
    function: Any = confroc.auc_interval if fold is None else cross_validated_auc
    others = {s.label: of_statistic(confroc.interval, s, "interval") for s in OTHERS if whole}
    side = options.pop("alternative", "two-sided") if null_auc is not None else None
    own, *parts = split(options, [function, *others.values()])
    folds, cases = data.read_folds(out, fold, case), None
    models: Mapping[str, Any] = folds or (cases := data.read(out)).models
    found = out.computed(function, models, **own)
    more = {
        name: out.computed(other, models, **part)
        for (name, other), part in zip(others.items(), parts, strict=True)
    }
    partial = "Standardized partial AUC" if "standardize" in options else "Partial AUC"
    title = WITH_OTHERS if whole else partial if fold is None else "Mean area over the folds"
    out.show(function.__name__, found, title, more=more)
    if cases is not None and (sentence := informed(cases.models, found, cases.cluster)):
        out.line(sentence)
    if null_auc is not None:
        title = f"Test of AUC = {null_auc:g}"
        out.run(confroc.auc_test, models, title=title, null_auc=null_auc, alternative=side)
    if fold is not None:
        pairs = {two: [models[name] for name in two] for two in combinations(models, 2)}
        gaps = {two: cross_validated_auc_difference(*pair, **own) for two, pair in pairs.items()}
        out.show("cross_validated_auc_difference", gaps, "Difference of two mean areas over the folds")
    _draw_intervals(out, found)


def _draw_intervals(out: Output, found: Mapping[Any, Any], reference: float | None = None) -> None:
    """Draw intervals below each other, those of differences with a line at zero."""
    results, names = list(found.values()), [*map(named, found)]
    out.draw(
        lambda ax: confroc.plot.IntervalDisplay(results, reference=reference).plot(ax=ax, name=names),
        size=(6.0, 1.2 + 0.5 * len(found)),
    )


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
    """Print a statistic of each model with its pointwise confidence interval."""
    cases = data.read(out)
    function = of_statistic(confroc.interval, statistic, "interval")
    (own,) = split(options, [function])
    found = out.run(function, cases.models, title=_title(statistic), statistic=statistic, **own)
    _draw_intervals(out, found)


def _title(statistic: Statistic) -> str:
    """Return the title of a statistic with its arguments."""
    given = [(f.name, getattr(statistic, f.name), f.default) for f in fields(statistic) if f.init]  # type: ignore[arg-type]
    words = [f"{name} {value}" for name, value, default in given if value is not None and value != default]
    return f"{statistic.title} ({', '.join(words)})" if words else statistic.title


@opt.command(
    "compare",
    opt.BOTH,
    may_give=[
        "auc_interval",
        "interval",
        "auc_comparison",
        "auc_difference",
        "comparison",
        "difference",
        "auc_equality_test",
        "curve_test",
        "roc_difference_band",
    ],
    plot="the AUCs and all differences (with --band, the bands)",
    gate="a difference",
)
@opt.data_options()
@compared_options
@opt.statistic_option()
@opt.choice(
    "--adjust", get_args(Adjustment), "With three or more models: adjustment for multiple comparisons."
)
@opt.option("--reference", "MODEL", "With three or more models: compare the others with this one only.")
@opt.partial_area_options
@opt.choice("--alternative", ALTERNATIVES, "With two models: alternative hypothesis.")
@margin_option
@opt.option("--only-a", "FILE", "With two models: further cases scored by the first model only.")
@opt.option("--only-b", "FILE", "With two models: further cases scored by the second model only.")
@opt.flag("--band", "Add simultaneous bands for the differences of ROC curves.")
@opt.number("--fpr", "LOW HIGH", "With --band: between these false positive rates only.", nargs=2)
@opt.flag("--equality-test", "Bootstrap test of the hypothesis that all AUCs are equal.")
@opt.choice("--divergence", DIVERGENCES, "With --equality-test: divergence that defines the null population.")
@opt.flag("--curve-test", "Test the equality of every two ROC curves.")
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
    """Compare models on the same cases (paired), or one model in groups (unpaired), by default by AUC.

    For two models the command prints both values and the difference, first minus second. For three or more it
    prints a ranking with simultaneous intervals, a test of equality, adjusted p-values and the set of models
    that contains the best one at the confidence level.
    """
    if equality_test and (against is not None or options.keys() & {"max_fpr", "min_tpr"}):
        raise click.UsageError("--equality-test cannot be combined with --max-fpr, --min-tpr and --against.")
    if statistic is not None and (band or equality_test or curve_test):
        raise click.UsageError("--band, --equality-test and --curve-test are not available with --statistic.")
    scores, pairs = data.read_compared(out, group, against)
    for option, name in zip(("only_a", "only_b"), data.score, strict=False):
        if option in options:
            options[option] = data.read_only(out, option, options[option], name)
    several = len(pairs) > 1 and scores is not None
    ability, title = "comparison" if several else "difference", None
    functions: dict[str, Any] = {"values": getattr(confroc, f"auc_{ability}")}
    if statistic is not None:
        title = _title(statistic)
        functions["values"] = of_statistic(getattr(confroc, ability), statistic, ability)
    functions |= {"test": confroc.auc_equality_test} if equality_test else {}
    functions |= {"curves": confroc.curve_test} if curve_test else {}
    functions |= {"band": confroc.roc_difference_band} if band else {}
    parts = dict(zip(functions, split(options, list(functions.values())), strict=True))
    if statistic is not None:
        parts["values"]["statistic"] = statistic
    if scores is not None and several:
        name = functions["values"].__name__
        out.doing(name)
        own = in_scores(parts["values"], out.reverses(scores.names))
        found: Comparison = functions["values"](scores, **own)
        gaps = found.differences
        pairs = pairs_of(scores, zip(gaps.a.tolist(), gaps.b.tolist(), strict=True))
        out.gate(dict(zip(pairs, gaps.lower, strict=True)))
        out.add(name, found.to_dict())
        out.table(found.table(title or FAMILIES[name].title, most=None))
        if found.reference is None:
            out.table(gaps.table("Differences" if title else "Differences of AUCs", most=None))
    else:
        each, own = confroc.auc_interval, dict[str, Any]()
        if statistic is not None:
            each, own = of_statistic(confroc.interval, statistic, "interval"), {"statistic": statistic}
        # Further cases of one model are part of the difference only.
        single = {} if options.keys() & {"only_a", "only_b"} else _single(pairs)
        above = {each.__name__: out.computed(each, single, **own, **accepted(each, options))}
        two: Mapping[tuple[str, str], Difference] = out.run(
            functions["values"], pairs, title=title, above=above if single else {}, **parts["values"]
        )
    if equality_test and scores is not None:
        out.doing("auc_equality_test")
        out.state("auc_equality_test", confroc.auc_equality_test(scores, **parts["test"]))
    if curve_test:
        out.run(confroc.curve_test, pairs, title="Tests of equal ROC curves", **parts["curves"])
    if band:
        bands = out.run(confroc.roc_difference_band, pairs, **parts["band"])
        out.draw(lambda ax: [value.plot(ax=ax, name=named(names)) for names, value in bands.items()])
    elif several:
        display = confroc.plot.ComparisonDisplay(found)
        out.draw(lambda ax: _draw_comparison(ax, display), size=display.figsize)
    else:
        _draw_intervals(out, two, reference=0.0)


def _single(pairs: Mapping[tuple[str, str], Any]) -> dict[str, Scores]:
    """Return the models of pairs by name."""
    return {
        name: model
        for two, pair in pairs.items()
        for name, model in zip(
            two, pair.samples if isinstance(pair, UnpairedScores) else pair.models, strict=True
        )
    }


@opt.command(
    "compare-rates",
    f"{opt.BOTH} --fpr 0.1",
    may_give=[
        *(function.__name__ for function in RATES.values()),
        *(POINTS[name].__name__ for name in RATES if name in POINTS),
        "dominance_at_threshold",
    ],
)
@opt.data_options()
@compared_options
@opt.places("--fpr", "RATE", "Compare the TPRs at this false positive rate")
@opt.places("--threshold", "A B", "Compare both rates, first model at A and second at B", nargs=2)
@opt.places("--positive-rate", "RATE", "Compare both rates at this predicted-positive rate")
@opt.places("--threshold-a", "A", "Threshold of the second model that is equivalent to A of the first")
@opt.choice(
    "--by",
    get_args(By),
    "With --threshold-a: equivalent thresholds have equal predicted-positive rates, or equal probabilities "
    "after isotonic calibration.",
)
@opt.joint_option
@opt.flag("--dominance", "With --threshold: add the probability that one model is better on both rates.")
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
    """Compare the rates of models on the same cases (paired), or of one model in groups (unpaired).

    The command prints the rates of both and the differences, first minus second, with pointwise intervals.
    """
    places = {name: options.pop(name) for name in RATES if name in options}
    if not places:
        raise click.UsageError("Give --fpr, --threshold, --positive-rate or --threshold-a.")
    if dominance and "threshold" not in places:
        raise click.UsageError("--dominance requires --threshold.")
    _, pairs = data.read_compared(out, group, against)
    if places.keys() & {"threshold", "threshold_a"} and len(pairs) > 1:
        raise click.UsageError("--threshold and --threshold-a compare two models: give two --score columns.")
    models = _single(pairs)
    functions = [*(RATES[name] for name in places), *([confroc.dominance_at_threshold] if dominance else [])]
    parts = split(options, functions)
    for (name, at), part in zip(places.items(), parts, strict=False):
        place, each = {name: at}, dict.fromkeys(models, at)
        if name == "threshold":
            both = tuple(zip(*at, strict=True))
            each, place = (dict(zip(n, both, strict=True)) for n in (*pairs, ("threshold_a", "threshold_b")))
        title = "Equivalent thresholds" if name == "threshold_a" else None
        above: dict[str, dict[str, Any]] = {}
        for one, model in models.items() if name in POINTS else ():
            function = POINTS[name]
            found = out.computed(function, {one: model}, **{name: each[one]}, **accepted(function, options))
            above.setdefault(function.__name__, {}).update(found)
        out.run(RATES[name], pairs, title=title, above=above, **place, **part)
        if name == "threshold" and dominance:
            out.run(confroc.dominance_at_threshold, pairs, **place, **parts[-1])


def _draw_comparison(ax: Axes, display: ComparisonDisplay) -> None:
    """Draw AUCs by rank, and the matrix of pairs."""
    figure = ax.figure
    ax.remove()
    areas, pairs = figure.subplots(1, 2, width_ratios=display.widths)
    display.plot(ax=areas, ax_pairs=pairs)


def _ratio(_ctx: click.Context, _param: click.Parameter, share: float | None) -> float | None:
    """Return the negatives per positive at a prevalence."""
    if share is not None and not 0.0 < share < 1.0:
        raise click.BadParameter(f"{share:g} is not between 0 and 1.")
    return None if share is None else (1.0 - share) / share


prevalence_option = functools.partial(opt.number, "--prior ratio", "SHARE", callback=_ratio)
expected_option = functools.partial(opt.number, "--auc model", "AUC", "Expected AUC.")
size_options = opt.together(
    opt.number("--power", "SHARE", "Required power. Default: 0.8."),
    opt.number("--width", "WIDTH", "Required width of the confidence interval."),
    opt.number("--significance-level", "LEVEL", "Significance level of the test. Default: 0.05."),
)


@opt.command(
    "power",
    "--auc 0.8 --null-auc 0.7 --power 0.9",
    may_give=["auc_power", "auc_sample_size"],
    tables=False,
)
@opt.data_options(required=False, design=False)
@expected_option()
@opt.number("--auc-b model_b", "AUC", "Expected AUC of a second model, to compare with the first.")
@opt.number(
    "--correlation",
    "POS NEG",
    "Models evaluated on the same cases: correlation of their scores within positives and within negatives. "
    "Default: different cases (unpaired).",
    nargs=2,
)
@opt.number("--null-auc", "AUC", "AUC under the null hypothesis. Default: 0.5.")
@opt.whole("--n-pos", "N", "Number of positives: print the power.")
@opt.whole("--n-neg", "N", "Number of negatives.")
@size_options
@prevalence_option("Prevalence in the study. Default: as in the pilot sample, otherwise 0.5.")
@opt.choice("--alternative", SIDES, "Alternative hypothesis.")
@margin_option
@method_options(confroc.auc_power, help="Closed form, or intervals and tests of simulated samples.")
def power(out: Output, *, data: Data | None = None, model: float | None = None, **options: Any) -> None:
    """Print the number of cases required for a power or an interval width, or the power of a sample size.

    Give the expected AUC with --auc, or a pilot sample in FILE. With --auc-b, or two --score columns, the
    power is that of a comparison of two models.
    """
    sizes, wanted = options.keys() & {"n_pos", "n_neg"}, options.keys() & {"power", "width", "ratio"}
    if len(sizes) == 1 or (sizes and wanted):
        raise click.UsageError("Give --n-pos and --n-neg together, or --power, or --width.")
    if (model is None) == (data is None):
        raise click.UsageError("Give either --auc or a pilot sample as FILE.")
    if "correlation" in options and "model_b" not in options:
        raise click.UsageError("--correlation requires --auc-b.")
    design: Any = model
    if data is not None:
        if not data.columns["label"] or len(data.score) not in (1, 2):
            raise click.UsageError("A pilot sample requires --label and one or two --score columns.")
        read = data.read(out, pairs=True)
        design = read.scores or next(iter(read.models.values()))
    out.doing("power")
    key = "auc_power" if sizes else "auc_sample_size"
    found = confroc.auc_power(design, **options) if sizes else confroc.auc_sample_size(design, **options)
    out.state(key, found)
    if "model_b" in options or isinstance(design, PairedScores):
        paired = "model_b" not in options or "correlation" in options
        cases = "the same cases (paired)" if paired else "different cases (unpaired)"
        out.line(f"Power and width are those of the difference; models evaluated on {cases}.")


@opt.command("power-rate", "--auc 0.95 --fpr 0.001 --width 0.2", gives=["rate_sample_size"], tables=False)
@expected_option(required=True)
@opt.number("--fpr", "RATE", "False positive rate.", required=True)
@size_options
@prevalence_option("Prevalence in the study. Default: that with the fewest cases.")
@opt.number("--null-tpr", "RATE", "True positive rate under the null hypothesis. Default: --fpr.")
@opt.choice("--alternative", SIDES[:2], "Alternative hypothesis.")
def power_rate(out: Output, *, model: float, **options: Any) -> None:
    """Print the number of cases required to estimate the true positive rate at a false positive rate."""
    out.state("rate_sample_size", confroc.rate_sample_size(model, **options))
