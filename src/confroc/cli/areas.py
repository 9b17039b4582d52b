"""Commands about areas under the curve: `auc`, `compare`, `power`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import confroc
from confroc.auc.study import SIDES, VARIANCES, Power
from confroc.auc.testing import ALTERNATIVES, AucDifference
from confroc.cli import options as opt
from confroc.cli.group import misused
from confroc.cli.output import About, Output
from confroc.drift.area_tests import NullTest
from confroc.methods import FUNCTIONS
from confroc.resample import N_RESAMPLES, SAMPLINGS
from confroc.results import DifferenceBand, DifferenceRegions, Dominance, Interval, Intervals

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from confroc.ingest import Cases
    from confroc.scores import Pair

PLACES: dict[str, Any] = {
    "fpr": confroc.tpr_difference_at_fpr,
    "threshold": confroc.rates_difference_at_threshold,
    "positive_rate": confroc.rates_difference_at_positive_rate,
}
"""What compares rates when such a place is given."""
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
    """Print the area under the ROC curve of each model with its interval."""
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
    gives={"auc_difference": list[AucDifference]},
    may_give={
        "against": About,
        "auc_equality_test": list[NullTest],
        "tpr_difference_at_fpr": list[Intervals],
        "rates_difference_at_threshold": list[DifferenceRegions],
        "dominance_at_threshold": list[Dominance],
        "rates_difference_at_positive_rate": list[DifferenceRegions],
        "roc_difference_band": list[DifferenceBand],
    },
    plot="the differences (with --band, the bands)",
)
@opt.data_options()
@opt.option(
    "--against", "FILE", "Compare each model with itself on the cases of this second file (unpaired)."
)
@opt.method("auc_difference", "Method for the difference of the areas.")
@opt.partial_area_options
@opt.choice("--alternative", ALTERNATIVES, "What the p-value is evidence for.")
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
    against: str | None = None,
    point_method: str | None = None,
    **options: Any,
) -> None:
    """Compare models, two at a time: areas, and if asked for, rates and whole curves.

    Every difference is the first model minus the second, on the same cases (paired).
    """
    if against is None and len(data.score) < 2:
        raise misused("compare needs at least two --score columns, or --against with a second file.")
    places = {name: options.pop(name) for name in PLACES if name in options}
    if "threshold" in places and len(data.score) > (2 if against is None else 1):
        raise misused("--threshold is for two models; name two --score columns, or one with --against.")
    if dominance and "threshold" not in places:
        raise misused("--dominance is at thresholds; add --threshold A B.")
    if point_method is not None and not places:
        raise misused("--point-method is for rates; add --fpr, --threshold or --positive-rate.")
    if equality_test and against is not None:
        raise misused("--equality-test takes two models on the same cases; leave out --against.")
    for place in places:
        entry = FUNCTIONS[PLACES[place].__name__]
        if point_method is not None and point_method not in entry.methods:
            flag = place.replace("_", "-")
            raise misused(f"--point-method {point_method} is none for --{flag}: {', '.join(entry.names)}.")
    if equality_test and options.keys() & {"max_fpr", "min_tpr"}:
        raise misused("--equality-test is for the whole areas; leave out --max-fpr and --min-tpr.")
    cases = data.read(out, pairs=against is None)
    pairs: dict[tuple[str, str], Pair] = dict(cases.pairs)
    if against is not None:
        pairs = unpaired(cases, data.read(out, source=against, called="against"))
    functions = {name: PLACES[name].__name__ for name in places}
    if equality_test:
        functions["equality_test"] = "auc_equality_test"
    if band:
        functions["band"] = "roc_difference_band"
    own, *rest = opt.apportioned(options, "auc_difference", *functions.values(), others=point_method)
    if "sampling" in own:
        raise misused("--sampling is for rates: --positive-rate, or --point-method bootstrap.")
    parts = dict(zip(functions, rest, strict=True))
    areas = out.run(confroc.auc_difference, pairs, **own)
    if equality_test:
        test = opt.given(parts["equality_test"], "n_resamples", "rng") | opt.given(options, "alternative")
        out.run(confroc.auc_equality_test, pairs, title="Test that two areas are equal", **test)
    for place, at in places.items():
        args = tuple(zip(*at, strict=True)) if place == "threshold" else (at,)
        out.run(PLACES[place], pairs, *args, **parts[place])
        if place == "threshold" and dominance:
            out.run(confroc.dominance_at_threshold, pairs, *args)
    if band:
        bands = out.run(confroc.roc_difference_band, pairs, **parts["band"])
        out.draw(lambda ax: [value.plot(ax=ax, name=" - ".join(names)) for names, value in bands.items()])
        return
    out.draw(lambda ax: _draw_differences(ax, areas), size=(6.0, 1.2 + 0.5 * len(areas)))


def _draw_differences(ax: Axes, areas: Mapping[tuple[str, str], AucDifference]) -> None:
    """Differences, one under the other, beside no difference."""
    display = confroc.plot.IntervalDisplay(list(areas.values()), reference=0.0)
    display.plot(ax=ax, name=[" - ".join(names) for names in areas])


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
        (design,) = (cases.pairs or cases.models).values()
    out.doing("power ...")
    key = "auc_power" if sizes else "auc_sample_size"
    found = confroc.auc_power(design, **options) if sizes else confroc.auc_sample_size(design, **options)
    out.state(key, found)
    if "model_b" in options:
        paired = "correlation" in options
        out.line("on the same cases" if paired else "for each model: cases of their own (unpaired)")
