"""The `power` command."""

from __future__ import annotations

from typing import Any

import click

import confroc
from confroc.auc.study import SIDES, VARIANCES
from confroc.cli.group import misused
from confroc.cli.options import Data, choice, command, data_options, output_options, resampling_options
from confroc.cli.output import Output
from confroc.methods.auc import AUC_POWER


@command("--auc 0.8 --null-auc 0.7 --power 0.9")
@data_options(required=False, level=False)
@click.option("--auc", "model", type=float, metavar="AUC", help="Area expected in the population.")
@click.option(
    "--auc-b",
    "model_b",
    type=float,
    metavar="AUC",
    help="Area of a second model, to tell from the first.",
)
@click.option(
    "--correlation",
    type=float,
    nargs=2,
    metavar="POS NEG",
    help="Two models on the same cases: correlation of their scores within positives and within negatives. "
    "Without it the models have cases of their own (unpaired).",
)
@click.option(
    "--null-auc",
    type=float,
    default=0.5,
    show_default=True,
    metavar="AUC",
    help="Area to tell one model from.",
)
@click.option("--n-pos", type=int, metavar="N", help="Positives available; gives their power.")
@click.option("--n-neg", type=int, metavar="N", help="Negatives available.")
@click.option(
    "--power",
    "wanted",
    type=float,
    metavar="SHARE",
    help="Wanted power; gives the cases needed (default 0.8).",
)
@click.option(
    "--width", type=float, metavar="AREA", help="Wanted width of the interval; gives the cases needed."
)
@click.option(
    "--ratio", type=float, default=1.0, show_default=True, metavar="N", help="Negatives per positive."
)
@choice("--alternative", SIDES, "two-sided", "What the test is to show.")
@click.option(
    "--margin",
    type=float,
    metavar="AREA",
    help="The smallest difference that matters, for non-inferiority and equivalence.",
)
@click.option(
    "--significance-level", type=float, default=0.05, show_default=True, metavar="LEVEL", help="Of the test."
)
@choice(
    "--method",
    AUC_POWER.names,
    "asymptotic",
    "By formula, or with this package's own intervals and tests on simulated samples.",
)
@choice(
    "--variance",
    VARIANCES,
    "empirical",
    "Of the empirical area, or Obuchowski and McClish's (as in pROC).",
)
@resampling_options(2000)
@output_options()
def power(
    data: Data | None,
    model: float | None,
    model_b: float | None,
    correlation: tuple[float, float] | None,
    null_auc: float,
    n_pos: int | None,
    n_neg: int | None,
    wanted: float | None,
    width: float | None,
    ratio: float,
    alternative: Any,
    margin: float | None,
    significance_level: float,
    method: Any,
    variance: Any,
    n_resamples: int,
    seed: int,
    out: Output,
) -> None:
    """Print the power of given numbers of cases, or the cases needed for a power or an interval's width.

    The areas are given with --auc, or estimated from a pilot sample in FILE; two --score columns (or
    --auc-b) ask for the power to tell two models apart.
    """
    if (n_pos is None) != (n_neg is None) or (n_pos is not None and (wanted or width)):
        raise misused("Give --n-pos and --n-neg together, or --power, or --width.")
    if (model is None) == (data is None):
        raise misused("Give --auc, or a pilot sample as FILE, and not both.")
    if data is not None and (not data.label or not 1 <= len(data.scores) <= 2):
        raise misused("A pilot sample needs --label, and one --score or two.")
    if correlation is not None and model_b is None:
        raise misused("--correlation goes with --auc-b.")
    with out:
        design: Any = model
        cases = None
        if data is not None:
            cases = data.read(out, pairs=True)
            (design,) = (cases.pairs or cases.models).values()
        common: dict[str, Any] = {
            "model_b": model_b,
            "correlation": correlation or (0.0, 0.0),
            "null_auc": null_auc,
            "alternative": alternative,
            "margin": margin,
            "significance_level": significance_level,
            "method": method,
            "variance": variance,
            "n_resamples": n_resamples,
            "rng": seed,
        }
        out.doing("power ...")
        if n_pos is not None and n_neg is not None:
            found = confroc.auc_power(design, n_pos=n_pos, n_neg=n_neg, **common)
        else:
            found = confroc.auc_sample_size(design, power=wanted, width=width, ratio=ratio, **common)
        if out.as_json:
            out.json({"power": found.to_dict()}, cases)
            return
        out.remark({"power": found})
        out.line(str(found))
        if model_b is not None:
            out.line("on the same cases" if correlation else "for each model: cases of their own (unpaired)")
