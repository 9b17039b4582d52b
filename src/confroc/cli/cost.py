"""The `cost` command."""

from __future__ import annotations

from typing import Any

import click

import confroc
from confroc.cli.options import (
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
@click.option("--miss", type=float, required=True, help="Cost of one false negative, in any currency.")
@click.option("--false-alarm", type=float, required=True, help="Cost of one false positive.")
@click.option("--prior", type=float, help="Share of positives expected in use; by default the sample's.")
@seed_option
@json_option
def cost(data: Data, miss: float, false_alarm: float, prior: float | None, seed: int, as_json: bool) -> None:
    """Print the cheapest threshold for given unit costs, the cost per case there, and where a model pays.

    With two models or more it adds the operating conditions under which one is cheaper than the other,
    jointly at the confidence level. Thresholds are chosen on these cases, so the costs are optimistic.
    """
    with told_plainly():
        cases = data.read(pairs=len(data.scores) > 1)
        level = data.confidence_level
        found = {
            name: confroc.expected_cost(
                model,
                false_negative=miss,
                false_positive=false_alarm,
                prior=prior,
                confidence_level=level,
                rng=seed,
            )
            for name, model in cases.models.items()
        }
        ranges = {
            f"{a} - {b}": confroc.cost_difference_band(pair, confidence_level=level, rng=seed).cheaper()
            for (a, b), pair in cases.pairs.items()
        }
        if as_json:
            content: dict[str, Any] = {"cost": {name: value.to_dict() for name, value in found.items()}}
            if ranges:
                content["cheaper"] = {name: [r._asdict() for r in listed] for name, listed in ranges.items()}
            print_json("cost", cases, content)
            return
        rows = [
            [
                name,
                f"{v.threshold:.6g}",
                f"{v.threshold_lower:.6g} to {v.threshold_upper:.6g}",
                f"{v.estimate:.4g}",
                f"{v.lower:.4g}",
                f"{v.upper:.4g}",
                f"{v.trivial:.4g}",
            ]
            for name, v in found.items()
        ]
        print_table(
            f"Cost per case at the cheapest threshold, {percent(level)} intervals",
            ["model", "threshold", "may be", "cost", "lower", "upper", "without a model"],
            rows,
            cases,
        )
        for name, listed in ranges.items():
            a, b = name.split(" - ", 1)
            for r in listed:
                click.echo(f"{name}: {str(r).replace(r.cheaper, a if r.cheaper == 'a' else b, 1)}")
            if not listed:
                click.echo(f"{name}: neither is surely cheaper anywhere, jointly at {percent(level)}")
