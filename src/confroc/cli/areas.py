"""Commands about areas under the curve: `auc`, `compare`, `power`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import confroc
from confroc.auc.difference import AucDifference
from confroc.auc.study import SIDES, VARIANCES, Power
from confroc.auc.testing import ALTERNATIVES
from confroc.cli.group import misused
from confroc.cli.options import (
    BOTH,
    SAMPLING,
    Data,
    choice,
    command,
    data_options,
    given,
    level_option,
    number,
    partial_area_options,
    resampling_options,
    seed_option,
)
from confroc.cli.output import About, Output
from confroc.drift.area_tests import NullTest
from confroc.methods import FUNCTIONS
from confroc.resample import N_RESAMPLES
from confroc.results import DifferenceBand, Interval, Intervals

if TYPE_CHECKING:
    from confroc.ingest import Cases
    from confroc.scores import Pair

margin_option = number(
    "--margin", "AREA", "The smallest difference that matters, for non-inferiority and equivalence."
)


@command(
    "auc",
    BOTH,
    gives={"auc_interval": dict[str, Interval]},
    may_give={"auc_test": dict[str, NullTest]},
    plot="the intervals",
)
@data_options()
@choice("--method", FUNCTIONS["auc_interval"].names, "Interval method.")
@partial_area_options
@number("--error-rate", "RATE", "For cortes_mohri; by default that at the best threshold.")
@number(
    "--null-auc auc",
    "AUC",
    "Test that the whole area is this one, by resampling from the nearest population where it is.",
)
@level_option
@resampling_options(N_RESAMPLES)
def auc(data: Data, out: Output, *, auc: float | None = None, **options: Any) -> None:
    """Print the area under the ROC curve of each model with its interval."""
    if auc is not None and options.keys() & {"max_fpr", "min_tpr"}:
        raise misused("--null-auc tests the whole area; leave out --max-fpr and --min-tpr.")
    cases = data.read(out)
    found = {name: confroc.auc_interval(model, **options) for name, model in out.each(cases.models, "area")}
    out.show("auc_interval", found)
    if auc is not None:
        sampling = given(options, "n_resamples", "rng")
        tests = {
            name: confroc.auc_test(model, auc, **sampling) for name, model in out.each(cases.models, "test")
        }
        out.show("auc_test", tests, f"Test that the area is {auc:g}")
    out.draw(
        lambda ax: confroc.plot.IntervalDisplay(list(found.values())).plot(ax=ax, name=list(found)),
        size=(6.0, 1.2 + 0.5 * len(found)),
    )


@command(
    "compare",
    BOTH,
    gives={"auc_difference": list[AucDifference]},
    may_give={
        "against": About,
        "tpr_difference_at_fpr": list[Intervals],
        "roc_difference_band": list[DifferenceBand],
    },
    plot="the differences (with --band, the bands)",
)
@data_options()
@click.option(
    "--against",
    metavar="FILE",
    help="Compare each model with itself on the cases of this second file (unpaired).",
)
@choice("--method", FUNCTIONS["auc_difference"].names, "Method for the difference of the areas.")
@partial_area_options
@choice("--alternative", ALTERNATIVES, "What the p-value is evidence for.")
@margin_option
@number(
    "--fpr",
    "RATE",
    "Compare the true positive rates at this false positive rate too; repeat for more.",
    multiple=True,
)
@click.option("--band", is_flag=True, help="Add the simultaneous band of the difference of the curves.")
@level_option
@resampling_options(N_RESAMPLES)
def compare(
    data: Data,
    out: Output,
    *,
    band: bool,
    against: str | None = None,
    fpr: tuple[float, ...] = (),
    **options: Any,
) -> None:
    """Compare models, two at a time: areas, and if asked for, rates and whole curves.

    Every difference is the first model minus the second, on the same cases (paired).
    """
    if against is None and len(data.score) < 2:
        raise misused("compare needs at least two --score columns, or --against with a second file.")
    cases = data.read(out, pairs=against is None)
    pairs: dict[tuple[str, str], Pair] = dict(cases.pairs)
    if against is not None:
        pairs = unpaired(cases, data.read(out, source=against, called="against"))
    areas = {names: confroc.auc_difference(pair, **options) for names, pair in out.each(pairs, "area")}
    out.show("auc_difference", areas)
    common = given(options, *SAMPLING)
    if fpr:
        rates = {
            names: confroc.tpr_difference_at_fpr(pair, fpr, **common)
            for names, pair in out.each(pairs, "rates")
        }
        out.show("tpr_difference_at_fpr", rates)
    if band:
        bands = {
            names: confroc.roc_difference_band(pair, **common) for names, pair in out.each(pairs, "band")
        }
        out.show("roc_difference_band", bands)
        out.draw(lambda ax: [value.plot(ax=ax, name=" - ".join(names)) for names, value in bands.items()])
        return
    display = confroc.plot.IntervalDisplay(list(areas.values()), reference=0.0)
    out.draw(
        lambda ax: display.plot(ax=ax, name=[" - ".join(names) for names in areas]),
        size=(6.0, 1.2 + 0.5 * len(areas)),
    )


def unpaired(first: Cases, second: Cases) -> dict[tuple[str, str], Pair]:
    """Each model on the cases of two files."""
    a, b = (Path(cases.source).name for cases in (first, second))
    return {
        (f"{name} ({a})", f"{name} ({b})"): confroc.UnpairedScores(model, second.models[name])
        for name, model in first.models.items()
    }


@command(
    "power",
    "--auc 0.8 --null-auc 0.7 --power 0.9",
    gives={},
    may_give={"auc_power": Power, "auc_sample_size": Power},
)
@data_options(required=False)
@number("--auc model", "AUC", "Area expected in the population.")
@number("--auc-b model_b", "AUC", "Area of a second model, to tell from the first.")
@click.option(
    "--correlation",
    type=float,
    nargs=2,
    metavar="POS NEG",
    help="Two models on the same cases: correlation of their scores within positives and within negatives. "
    "Without it the models have cases of their own (unpaired).",
)
@number("--null-auc", "AUC", "Area to tell one model from; by default 0.5.")
@click.option("--n-pos", type=int, metavar="N", help="Positives available; gives their power.")
@click.option("--n-neg", type=int, metavar="N", help="Negatives available.")
@number("--power", "SHARE", "Wanted power, by default 0.8; gives the cases needed.")
@number("--width", "AREA", "Wanted width of the interval; gives the cases needed.")
@number("--ratio", "N", "Negatives per positive; by default 1.")
@choice("--alternative", SIDES, "What the test is to show.")
@margin_option
@number("--significance-level", "LEVEL", "Of the test; by default 0.05.")
@choice(
    "--method",
    FUNCTIONS["auc_power"].names,
    "By formula, or with this package's own intervals and tests on simulated samples.",
)
@choice("--variance", VARIANCES, "Of the empirical area, or Obuchowski and McClish's (as in pROC).")
@click.option("-n", "--n-resamples", type=int, metavar="N", help="Samples of a simulation.")
@seed_option
def power(out: Output, *, data: Data | None = None, model: float | None = None, **options: Any) -> None:
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
