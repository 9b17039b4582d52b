"""The `auc`, `compare`, `forecast` and `power` commands."""

from __future__ import annotations

from typing import Any

import click

import confroc
from confroc.auc import AUC_METHODS
from confroc.cli.options import (
    EXAMPLE,
    Data,
    Helpful,
    data_options,
    json_option,
    percent,
    print_json,
    print_table,
    seed_option,
    told_plainly,
)


@click.command(cls=Helpful)
@data_options
@click.option(
    "--method",
    type=click.Choice(AUC_METHODS),
    default="score_delong",
    show_default=True,
    help="Interval method.",
)
@click.option("--max-fpr", type=float, help="Area under the curve up to this false positive rate only.")
@seed_option
@json_option
def auc(data: Data, method: Any, max_fpr: float | None, seed: int, as_json: bool) -> None:
    """Print the area under the ROC curve of each model with its interval."""
    with told_plainly():
        cases = data.read()
        found = {
            name: confroc.auc_interval(
                model, method=method, max_fpr=max_fpr, confidence_level=data.confidence_level, rng=seed
            )
            for name, model in cases.models.items()
        }
        if as_json:
            print_json("auc", cases, {"auc": {name: value.to_dict() for name, value in found.items()}})
            return
        rows = [
            [
                name,
                f"{v.estimate:.4f}",
                f"{v.lower:.4f}",
                f"{v.upper:.4f}",
                f"{v.standard_error:.4f}",
                v.method,
            ]
            for name, v in found.items()
        ]
        part = "" if max_fpr is None else f" up to a false positive rate of {max_fpr:g}"
        print_table(
            f"Area under the ROC curve{part}, {percent(data.confidence_level)} intervals",
            ["model", "AUC", "lower", "upper", "SE", "method"],
            rows,
            cases,
        )


@click.command(cls=Helpful)
@data_options
@json_option
def compare(data: Data, as_json: bool) -> None:
    """Compare the areas of models scored on the same cases, two at a time (paired DeLong test)."""
    if len(data.scores) < 2:
        raise click.UsageError(
            "compare needs at least two --score columns.\nType, for example:\n  "
            + EXAMPLE.format(command="compare")
        )
    with told_plainly():
        cases = data.read(pairs=True)
        found = {
            names: confroc.auc_difference(pair, confidence_level=data.confidence_level)
            for names, pair in cases.pairs.items()
        }
        if as_json:
            listed = [{"a": a, "b": b, **value.to_dict()} for (a, b), value in found.items()]
            print_json("compare", cases, {"auc_difference": listed})
            return
        rows = [
            [
                f"{a} - {b}",
                f"{v.estimate:+.4f}",
                f"{v.lower:+.4f}",
                f"{v.upper:+.4f}",
                f"{v.pvalue:.4g}",
                f"{v.method}, {v.design}",
            ]
            for (a, b), v in found.items()
        ]
        print_table(
            f"Difference of areas, {percent(data.confidence_level)} intervals",
            ["models", "difference", "lower", "upper", "p", "method"],
            rows,
            cases,
        )


@click.command(cls=Helpful)
@data_options
@click.option("--psi", type=float, help="Drift budget: the largest population stability index to expect.")
@click.option("--radius", type=float, help="Drift budget: the largest divergence to expect.")
@click.option(
    "--divergence",
    type=click.Choice(["kl", "jeffreys", "chi2"]),
    default="kl",
    show_default=True,
    help="What --radius measures.",
)
@seed_option
@json_option
def forecast(
    data: Data, psi: float | None, radius: float | None, divergence: Any, seed: int, as_json: bool
) -> None:
    """Print the range of areas to expect once the population has drifted.

    Without a drift budget, the distance between the sample and its own bootstrap resamples is used.
    """
    with told_plainly():
        cases = data.read()
        found = {
            name: confroc.auc_forecast(
                model,
                psi=psi,
                radius=radius,
                divergence=divergence,
                confidence_level=data.confidence_level,
                rng=seed,
            )
            for name, model in cases.models.items()
        }
        if as_json:
            print_json(
                "forecast", cases, {"forecast": {name: value.to_dict() for name, value in found.items()}}
            )
            return
        rows = [
            [
                name,
                f"{v.estimate:.4f}",
                f"{v.lower:.4f}",
                f"{v.upper:.4f}",
                f"{v.radius:.4g}",
                v.divergence,
                v.source,
            ]
            for name, v in found.items()
        ]
        print_table(
            "Area to expect after drift",
            ["model", "AUC now", "lower", "upper", "radius", "divergence", "radius from"],
            rows,
            cases,
        )


@click.command(cls=Helpful)
@click.option("--auc", "area", type=float, required=True, help="AUC expected in the population.")
@click.option("--null-auc", type=float, default=0.5, show_default=True, help="AUC to tell it from.")
@click.option("--n-pos", type=int, help="Positives available; with --n-neg, the power they give.")
@click.option("--n-neg", type=int, help="Negatives available.")
@click.option("--power", "wanted", type=float, help="Wanted power; gives the cases needed (default 0.8).")
@click.option("--width", type=float, help="Wanted width of the interval; gives the cases needed.")
@click.option("--ratio", type=float, default=1.0, show_default=True, help="Negatives per positive.")
@click.option(
    "--significance-level", type=float, default=0.05, show_default=True, help="Of the two-sided test."
)
@json_option
def power(
    area: float,
    null_auc: float,
    n_pos: int | None,
    n_neg: int | None,
    wanted: float | None,
    width: float | None,
    ratio: float,
    significance_level: float,
    as_json: bool,
) -> None:
    """Print the power of given numbers of cases, or the cases needed for a power or an interval's width."""
    if (n_pos is None) != (n_neg is None) or (n_pos is not None and (wanted or width)):
        raise click.UsageError("Give --n-pos and --n-neg together, or --power, or --width.")
    with told_plainly():
        if n_pos is not None and n_neg is not None:
            found = confroc.power(
                area, n_pos=n_pos, n_neg=n_neg, null_auc=null_auc, significance_level=significance_level
            )
        else:
            found = confroc.sample_size(
                area,
                power=wanted,
                width=width,
                ratio=ratio,
                null_auc=null_auc,
                significance_level=significance_level,
            )
        if as_json:
            print_json("power", None, {"power": found.to_dict()})
        else:
            click.echo(str(found))
