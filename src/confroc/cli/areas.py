"""Commands about areas under the curve: `auc`, `compare`, `power`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import confroc
from confroc.auc.study import SIDES, VARIANCES, Power
from confroc.auc.testing import ALTERNATIVES, AucDifference
from confroc.cli import options as opt
from confroc.cli.group import misused
from confroc.cli.output import About, Output
from confroc.drift.area_tests import NullTest
from confroc.methods import FUNCTIONS
from confroc.resample import N_RESAMPLES, SAMPLINGS
from confroc.results import (
    Adjustment,
    Comparison,
    Difference,
    DifferenceBand,
    DifferenceRegions,
    Dominance,
    Interval,
    Intervals,
)
from confroc.results.shown import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from confroc.ingest import Cases
    from confroc.plot import ComparisonDisplay
    from confroc.scores import Pair

PLACES: dict[str, Any] = {
    "fpr": confroc.tpr_difference_at_fpr,
    "threshold": confroc.rates_difference_at_threshold,
    "positive_rate": confroc.rates_difference_at_positive_rate,
}
"""What compares rates when such a place is given."""
ADJUSTMENTS = get_args(Adjustment)
STEPWISE = ("max_t", "holm")
"""Adjustments whose p-values may find more than the intervals, which are of one step."""
FEW = 3
"""Models of which every pair is printed; of more, unless all are asked for, those with the leading one."""
TWO_ONLY = ("alternative", "margin")
"""Options of a difference that many have not."""
POINT_METHODS = tuple(dict.fromkeys(name for f in PLACES.values() for name in FUNCTIONS[f.__name__].names))

margin_option = opt.number(
    "--margin", "AREA", "The smallest difference that matters, for non-inferiority and equivalence."
)


@opt.command(
    "auc",
    opt.BOTH,
    gives={"auc_interval": dict[str, Interval]},
    may_give={"auc_test": dict[str, NullTest]},
    plot="the intervals",
)
@opt.data_options()
@opt.method("auc_interval", "Interval method.")
@opt.partial_area_options
@opt.number("--error-rate", "RATE", "For cortes_mohri; by default that at the best threshold.")
@opt.number(
    "--null-auc auc",
    "AUC",
    "Test that the whole area is this one, by resampling from the nearest population where it is.",
)
@opt.level_option
@opt.resampling_options(N_RESAMPLES)
@opt.smoothing_options("smoothed_bootstrap")
def auc(data: opt.Data, out: Output, *, auc: float | None = None, **options: Any) -> None:
    """Print the area under the ROC curve of each model with its interval.

    Each interval holds by itself; `confroc compare` gives intervals that hold together, and says which models
    may be the best.
    """
    if auc is not None and options.keys() & {"max_fpr", "min_tpr"}:
        raise misused("--null-auc tests the whole area; leave out --max-fpr and --min-tpr.")
    cases = data.read(out)
    own, *tested = opt.apportioned(options, "auc_interval", *([] if auc is None else ["auc_test"]))
    found = out.run(confroc.auc_interval, cases.models, **own)
    for part in tested:
        sampling = opt.given(part, "n_resamples", "rng")
        out.run(confroc.auc_test, cases.models, auc, title=f"Test that the area is {auc:g}", **sampling)
    out.draw(
        lambda ax: confroc.plot.IntervalDisplay(list(found.values())).plot(ax=ax, name=list(found)),
        size=(6.0, 1.2 + 0.5 * len(found)),
    )


@opt.command(
    "compare",
    opt.BOTH,
    gives={},
    may_give={
        "against": About,
        "auc_comparison": Comparison,
        "auc_difference": list[AucDifference],
        "auc_equality_test": list[NullTest],
        "tpr_difference_at_fpr": list[Intervals],
        "rates_difference_at_threshold": list[DifferenceRegions],
        "dominance_at_threshold": list[Dominance],
        "rates_difference_at_positive_rate": list[DifferenceRegions],
        "roc_difference_band": list[DifferenceBand],
    },
    plot="the areas and all pairs (of two models, the difference; with --band, the bands)",
)
@opt.data_options()
@opt.option(
    "--group",
    "COLUMN",
    "Compare one model's areas in the groups that this column names: sites, sexes, months.",
    shell_complete=opt.complete_column,
)
@opt.option(
    "--against", "FILE", "Compare each model with itself on the cases of this second file (unpaired)."
)
@opt.method(
    "auc_difference",
    f"Method for the areas; with more than two models {', '.join(FUNCTIONS['auc_comparison'].names)}.",
)
@opt.choice("--adjust", ADJUSTMENTS, "How intervals, p-values and the set allow for the number of models.")
@opt.option("--reference", "MODEL", "Compare all others with this model, or group, instead of all pairs.")
@opt.flag("--all-pairs", "Of more than three models print every pair, not only those with the leading one.")
@opt.partial_area_options
@opt.choice("--alternative", ALTERNATIVES, "Of two models: what the p-value is evidence for.")
@margin_option
@opt.number(
    "--fpr",
    "RATE",
    "Compare the true positive rates at this false positive rate too; repeat for more.",
    multiple=True,
)
@opt.number(
    "--threshold",
    "A B",
    "Compare both rates with the first model at threshold A and the second at B; repeat for more.",
    nargs=2,
    multiple=True,
)
@opt.flag("--dominance", "Add the probability that one model is better on both rates at --threshold.")
@opt.number(
    "--positive-rate",
    "RATE",
    "Compare both rates where both models flag this share of the cases; repeat for more.",
    multiple=True,
)
@opt.choice("--point-method", POINT_METHODS, "Interval method of differences of rates.", default="each one's")
@opt.flag("--band", "Add the simultaneous band of the difference of the curves.")
@opt.flag(
    "--equality-test",
    "Test that the whole areas are equal, by resampling from the nearest population where they are.",
)
@opt.level_option
@opt.resampling_options(N_RESAMPLES)
@opt.sampling_option(SAMPLINGS)
def compare(
    data: opt.Data,
    out: Output,
    *,
    band: bool,
    dominance: bool,
    equality_test: bool,
    all_pairs: bool,
    group: str | None = None,
    against: str | None = None,
    adjust: str | None = None,
    reference: str | None = None,
    point_method: str | None = None,
    **options: Any,
) -> None:
    """Compare models, or one model in several groups: areas, and if asked for, rates and whole curves.

    All areas are compared at once: ranked, with intervals that hold together, a test that all are equal,
    p-values adjusted for the number of pairs, and the set of models that may be the best. Every difference is
    the first model minus the second, on the same cases (paired); groups are unpaired. Rates and curves are
    compared two at a time.
    """
    together = {"adjust": adjust, "reference": reference, "all-pairs": all_pairs}
    _check_asked(data, group, against, together)
    places = {name: options.pop(name) for name in PLACES if name in options}
    if dominance and "threshold" not in places:
        raise misused("--dominance is at thresholds; add --threshold A B.")
    if point_method is not None and not places:
        raise misused("--point-method is for rates; add --fpr, --threshold or --positive-rate.")
    if equality_test and (against is not None or group is not None):
        other = "--against" if against is not None else "--group"
        raise misused(f"--equality-test takes two models on the same cases; leave out {other}.")
    for place in places:
        entry = FUNCTIONS[PLACES[place].__name__]
        if point_method is not None and point_method not in entry.methods:
            flag = place.replace("_", "-")
            raise misused(f"--point-method {point_method} is none for --{flag}: {', '.join(entry.names)}.")
    if equality_test and options.keys() & {"max_fpr", "min_tpr"}:
        raise misused("--equality-test is for the whole areas; leave out --max-fpr and --min-tpr.")
    scores: Pair | None = None
    if group is not None:
        scores = data.read_groups(out, group)
    else:
        cases = data.read(out, pairs=against is None)
        scores = cases.scores
    names = () if scores is None else scores.names
    if "threshold" in places and (len(names) > 2 or (against is not None and len(data.score) > 1)):
        raise misused("--threshold is for two models; name two --score columns, or one with --against.")
    functions = {name: PLACES[name].__name__ for name in places}
    if equality_test:
        functions["equality_test"] = "auc_equality_test"
    if band:
        functions["band"] = "roc_difference_band"
    area = "auc_comparison" if len(names) > 2 else "auc_difference"
    if area == "auc_comparison":
        _check_many(options)
    own, *rest = opt.apportioned(options, area, *functions.values(), others=point_method)
    if "sampling" in own:
        raise misused("--sampling is for rates: --positive-rate, or --point-method bootstrap.")
    parts = dict(zip(functions, rest, strict=True))
    pairs: dict[tuple[str, str], Pair]
    areas: Mapping[tuple[str, str], Difference]
    heading = ""
    if scores is None:
        pairs = unpaired(cases, data.read(out, source=against, called="against"))
    given = {"adjust": adjust, "reference": reference}
    asked: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if scores is not None and (len(names) > 2 or _also_compared(own, asked)):
        out.doing("auc_comparison ...")
        own_of_all = {name: value for name, value in own.items() if name not in TWO_ONLY}
        found = confroc.auc_comparison(scores, **own_of_all, **asked)
        pairs = {two: scores[two] for two in _pairs_told(found, all_pairs)}
        if len(names) > FEW and reference is None and not all_pairs:
            heading = f", {found.ranking[0]} against each other"
        areas = {two: found[two] for two in pairs}
        _show(out, found, areas if len(names) > 2 else {}, heading)
    elif scores is not None:
        pairs = {two: scores[two] for two in [(names[0], names[1])]}
    if len(names) <= 2:
        areas = out.run(confroc.auc_difference, pairs, **own)
    if equality_test:
        test = opt.given(parts["equality_test"], "n_resamples", "rng") | opt.given(options, "alternative")
        out.run(confroc.auc_equality_test, pairs, title=f"Test that two areas are equal{heading}", **test)
    for place, at in places.items():
        args = tuple(zip(*at, strict=True)) if place == "threshold" else (at,)
        title = FUNCTIONS[PLACES[place].__name__].title + heading
        out.run(PLACES[place], pairs, *args, title=title, **parts[place])
        if place == "threshold" and dominance:
            out.run(confroc.dominance_at_threshold, pairs, *args)
    if band:
        title = FUNCTIONS["roc_difference_band"].title + heading
        bands = out.run(confroc.roc_difference_band, pairs, title=title, **parts["band"])
        out.draw(lambda ax: [value.plot(ax=ax, name=" - ".join(names)) for names, value in bands.items()])
        return
    if len(names) > 2:
        display = confroc.plot.ComparisonDisplay(found)
        out.draw(lambda ax: _draw_comparison(ax, display), size=display.figsize)
        return
    out.draw(lambda ax: _draw_differences(ax, areas), size=(6.0, 1.2 + 0.5 * len(areas)))


def _check_asked(
    data: opt.Data, group: str | None, against: str | None, together: Mapping[str, object]
) -> None:
    """Refuse what does not say what to compare with what."""
    if group is not None and (against is not None or len(data.score) > 1):
        raise misused(
            "--group compares one model's groups; name one --score column, and leave out --against."
        )
    if group is None and against is None and len(data.score) < 2:
        raise misused("compare needs at least two --score columns, or one with --group or --against.")
    asked = [name for name, value in together.items() if value]
    if against is not None and asked:
        raise misused(f"--{asked[0]} is for models on the same cases, or groups; leave out --against.")
    if {"reference", "all-pairs"} <= {*asked}:
        raise misused("--reference compares with one model; leave out --all-pairs.")


def _check_many(options: Mapping[str, Any]) -> None:
    """Refuse what only two models have."""
    for name in TWO_ONLY:
        if name in options:
            raise misused(f"--{name} is for two models; name two of them.")
    methods = FUNCTIONS["auc_comparison"].names
    if options.get("method", methods[0]) not in methods:
        raise misused(
            f"--method {options['method']} is for two models; for more there are {', '.join(methods)}."
        )


def _also_compared(options: Mapping[str, Any], asked: Mapping[str, Any]) -> bool:
    """Whether of two models more is told than their difference: unless only this has what is asked for."""
    methods = FUNCTIONS["auc_comparison"].names
    only = [name for name in TWO_ONLY if name in options]
    if options.get("method", methods[0]) not in methods:
        only.append("method")
    if only and asked:
        raise misused(
            f"--{next(iter(asked))} is for all areas together; leave it out, or --{only[0]}, which is not."
        )
    return not only


def _pairs_told(found: Comparison, all_pairs: bool) -> list[tuple[str, str]]:
    """All pairs of few models or with the reference; else those with the leading model."""
    if found.reference is not None or all_pairs or len(found.names) <= FEW:
        return list(zip(found.differences.a.tolist(), found.differences.b.tolist(), strict=True))
    return [(found.ranking[0], name) for name in found.ranking[1:]]


def _show(out: Output, found: Comparison, areas: Mapping[tuple[str, str], Difference], heading: str) -> None:
    """Show the ranking, the set, the joint test, and those differences that are told."""
    out.add("auc_comparison", found.to_dict())
    out.table(found.table(FUNCTIONS["auc_comparison"].title, most=None))
    if not areas:
        return
    noun = "model" if found.design == "paired" else "group"
    columns: dict[str, Sequence[Any]] = {f"{noun}s": [" - ".join(two) for two in areas]}
    columns |= {
        name: [getattr(it, name) for it in areas.values()]
        for name in ("estimate", "lower", "upper", "pvalue")
    }
    claims = f"{found.differences.table().claims}; adjusted by: {found.adjust}"
    if found.adjust in STEPWISE:
        claims += ", p-values in steps"
    n = len(found.differences)
    out.table(Table(f"Differences of these areas{heading}", columns, n, claims))
    if len(areas) < n:
        out.line("--all-pairs prints the other pairs too, --json has them")
    if noun == "group":
        out.line(f"largest gap: {found.largest_gap}")


def _draw_differences(ax: Axes, areas: Mapping[tuple[str, str], Difference]) -> None:
    """Differences, one under the other, beside no difference."""
    display = confroc.plot.IntervalDisplay(list(areas.values()), reference=0.0)
    display.plot(ax=ax, name=[" - ".join(names) for names in areas])


def _draw_comparison(ax: Axes, display: ComparisonDisplay) -> None:
    """Areas by rank, and the pairs beside them."""
    figure = ax.figure
    ax.remove()
    areas, pairs = figure.subplots(1, 2, width_ratios=display.widths)
    display.plot(ax=areas, ax_pairs=pairs)


def unpaired(first: Cases, second: Cases) -> dict[tuple[str, str], Pair]:
    """Each model on the cases of two files."""
    a, b = (Path(cases.source).name for cases in (first, second))
    return {
        (f"{name} ({a})", f"{name} ({b})"): confroc.UnpairedScores(model, second.models[name])
        for name, model in first.models.items()
    }


@opt.command(
    "power",
    "--auc 0.8 --null-auc 0.7 --power 0.9",
    gives={},
    may_give={"auc_power": Power, "auc_sample_size": Power},
)
@opt.data_options(required=False)
@opt.number("--auc model", "AUC", "Area expected in the population.")
@opt.number("--auc-b model_b", "AUC", "Area of a second model, to tell from the first.")
@opt.number(
    "--correlation",
    "POS NEG",
    "Two models on the same cases: correlation of their scores within positives and within negatives. "
    "Without it the models have cases of their own (unpaired).",
    nargs=2,
)
@opt.number("--null-auc", "AUC", "Area to tell one model from; by default 0.5.")
@opt.whole("--n-pos", "N", "Positives available; gives their power.")
@opt.whole("--n-neg", "N", "Negatives available.")
@opt.number("--power", "SHARE", "Wanted power, by default 0.8; gives the cases needed.")
@opt.number("--width", "AREA", "Wanted width of the interval; gives the cases needed.")
@opt.number("--ratio", "N", "Negatives per positive; by default the pilot sample's own, and 1 without one.")
@opt.choice("--alternative", SIDES, "What the test is to show.")
@margin_option
@opt.number("--significance-level", "LEVEL", "Of the test; by default 0.05.")
@opt.method("auc_power", "By formula, or with this package's own intervals and tests on simulated samples.")
@opt.choice("--variance", VARIANCES, "Of the empirical area, or Obuchowski and McClish's (as in pROC).")
@opt.whole("-n --n-resamples", "N", "Samples of a simulation.")
@opt.seed_option
def power(out: Output, *, data: opt.Data | None = None, model: float | None = None, **options: Any) -> None:
    """Print the power of given numbers of cases, or the cases needed for a power or an interval's width.

    The areas are given with --auc, or estimated from a pilot sample in FILE; two --score columns (or
    --auc-b) ask for the power to tell two models apart.
    """
    sizes, wanted = options.keys() & {"n_pos", "n_neg"}, options.keys() & {"power", "width", "ratio"}
    if len(sizes) == 1 or (sizes and wanted):
        raise misused("Give --n-pos and --n-neg together, or --power, or --width.")
    if (model is None) == (data is None):
        raise misused("Give --auc, or a pilot sample as FILE, and not both.")
    if "correlation" in options and "model_b" not in options:
        raise misused("--correlation goes with --auc-b.")
    design: Any = model
    if data is not None:
        if not data.label or len(data.score) not in (1, 2):
            raise misused("A pilot sample needs --label, and one --score or two.")
        cases = data.read(out, pairs=True)
        design = cases.scores or cases.models[data.score[0]]
    out.doing("power ...")
    key = "auc_power" if sizes else "auc_sample_size"
    found = confroc.auc_power(design, **options) if sizes else confroc.auc_sample_size(design, **options)
    out.state(key, found)
    if "model_b" in options:
        paired = "correlation" in options
        out.line("on the same cases" if paired else "for each model: cases of their own (unpaired)")
