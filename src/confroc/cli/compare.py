"""The `compare` command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import confroc
from confroc.auc.testing import ALTERNATIVES
from confroc.cli.group import misused
from confroc.cli.json_text import describe
from confroc.cli.options import (
    BOTH,
    Data,
    Part,
    choice,
    command,
    data_options,
    output_options,
    part_options,
    resampling_options,
)
from confroc.cli.output import Output
from confroc.cli.wording import about, percent
from confroc.methods.auc import AUC_DIFFERENCE

if TYPE_CHECKING:
    from confroc.ingest import Cases
    from confroc.results import Intervals
    from confroc.scores import Pair

Names = tuple[str, str]


@command(BOTH)
@data_options()
@click.option(
    "--against",
    metavar="FILE",
    help="Compare each model with itself on the cases of this second file (unpaired).",
)
@choice("--method", AUC_DIFFERENCE.names, "delong", "Method for the difference of the areas.")
@part_options
@choice("--alternative", ALTERNATIVES, "two-sided", "What the p-value is evidence for.")
@click.option(
    "--margin",
    type=float,
    metavar="AREA",
    help="The smallest difference that matters, for non-inferiority and equivalence.",
)
@click.option(
    "--fpr",
    type=float,
    multiple=True,
    metavar="RATE",
    help="Compare the true positive rates at this false positive rate too; repeat for more.",
)
@click.option("--band", is_flag=True, help="Add the simultaneous band of the difference of the curves.")
@resampling_options(2000)
@output_options(plot="the differences (with --band, the bands)")
def compare(
    data: Data,
    against: str | None,
    method: Any,
    part: Part,
    alternative: Any,
    margin: float | None,
    fpr: tuple[float, ...],
    band: bool,
    n_resamples: int,
    seed: int,
    out: Output,
) -> None:
    """Compare models, two at a time: areas, and if asked for, rates and whole curves.

    Every difference is the first model minus the second, on the same cases (paired).
    """
    if against is None and len(data.scores) < 2:
        raise misused("compare needs at least two --score columns, or --against with a second file.")
    level = data.confidence_level
    with out:
        cases = data.read(out, pairs=against is None)
        pairs: dict[Names, Pair] = dict(cases.pairs)
        caption, other = about(cases), None
        if against is not None:
            other = data.read(out, source=against)
            pairs = unpaired(cases, other)
            caption += f"\nagainst {about(other)}"
        common: dict[str, Any] = {"confidence_level": level, "n_resamples": n_resamples, "rng": seed}
        areas = {
            names: confroc.auc_difference(
                pair, method=method, alternative=alternative, margin=margin, **part._asdict(), **common
            )
            for names, pair in out.each(pairs, "area")
        }
        rates = {
            names: confroc.tpr_difference_at_fpr(pair, fpr, **common)
            for names, pair in out.each(pairs if fpr else {}, "rates")
        }
        bands = {
            names: confroc.roc_difference_band(pair, confidence_level=level, rng=seed)
            for names, pair in out.each(pairs if band else {}, "band")
        }
        titles = {names: f"{names[0]} - {names[1]}" for names in pairs}
        if bands:
            out.draw(lambda ax: [value.plot(ax=ax, name=titles[names]) for names, value in bands.items()])
        else:
            out.draw(
                lambda ax: confroc.plot.IntervalDisplay(list(areas.values()), reference=0.0).plot(
                    ax=ax, name=list(titles.values())
                ),
                size=(6.0, 1.2 + 0.5 * len(areas)),
            )
        if out.as_json:
            content: dict[str, Any] = {"auc_difference": _listed(areas)}
            if rates:
                content["tpr_difference_at_fpr"] = _listed(rates)
            if bands:
                different = {names: {"different_at": list(b.different_at)} for names, b in bands.items()}
                content["band"] = [
                    {"a": a, "b": b, **different[a, b], **value.to_dict()} for (a, b), value in bands.items()
                ]
            if other is not None:
                content = {"against": describe(other)} | content
            out.json(content, cases)
            return
        for results in (areas, rates, bands):
            out.remark({titles[names]: value for names, value in results.items()})
        aim = "" if alternative == "two-sided" else f", {alternative}"
        if margin is not None:
            aim += f" within {margin:g}"
        out.table(
            f"Difference of areas{part.words}, {percent(level)} intervals{aim}",
            ["models", "difference", "lower", "upper", "p", "method"],
            [
                [
                    titles[names],
                    *(f"{v:+.4f}" for v in (r.estimate, r.lower, r.upper)),
                    f"{r.pvalue:.4g}",
                    f"{r.method}, {r.design}",
                ]
                for names, r in areas.items()
            ],
            "" if rates else caption,
        )
        if rates:
            out.table(
                f"Difference of true positive rates, {percent(level)} pointwise intervals",
                ["models", "FPR", "difference", "lower", "upper"],
                [[titles[names], *row] for names, value in rates.items() for row in _rows(value)],
                caption,
            )
        for names, value in bands.items():
            where = ", ".join(f"{low:.4g} to {high:.4g}" for low, high in value.different_at)
            found = f"the curves differ at false positive rates {where}" if where else "no sure difference"
            out.line(f"{titles[names]}: {found}, jointly at {percent(level)}")


def unpaired(first: Cases, second: Cases) -> dict[Names, Pair]:
    """Each model on the cases of two files."""
    a, b = (Path(cases.source).name for cases in (first, second))
    return {
        (f"{name} ({a})", f"{name} ({b})"): confroc.UnpairedScores(model, second.models[name])
        for name, model in first.models.items()
    }


def _listed(found: dict[Names, Any]) -> list[dict[str, Any]]:
    return [{"a": a, "b": b, **value.to_dict()} for (a, b), value in found.items()]


def _rows(value: Intervals) -> list[list[str]]:
    columns = (value.at, value.estimate, value.lower, value.upper)
    return [[f"{at:.4g}", *(f"{v:+.4f}" for v in rest)] for at, *rest in zip(*columns, strict=True)]
