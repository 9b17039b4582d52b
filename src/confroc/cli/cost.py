"""The `cost` command."""

from __future__ import annotations

from typing import Any

import click

import confroc
from confroc.cli.figures import draw_costs
from confroc.cli.options import BOTH, Data, choice, command, data_options, output_options, resampling_options
from confroc.cli.output import Output
from confroc.cli.wording import about, percent
from confroc.methods import FUNCTIONS


@command(f"{BOTH} --false-negative 5 --false-positive 1")
@data_options()
@click.option(
    "--false-negative",
    type=float,
    metavar="COST",
    required=True,
    help="Cost of one false negative, in any currency.",
)
@click.option(
    "--false-positive", type=float, metavar="COST", required=True, help="Cost of one false positive."
)
@click.option(
    "--prior",
    type=float,
    metavar="SHARE",
    help="Share of positives expected in use; by default the sample's.",
)
@click.option(
    "--threshold",
    type=float,
    metavar="SCORE",
    help="The threshold in use; by default the cheapest one on these cases.",
)
@click.option(
    "--validation",
    metavar="FILE",
    help="Choose the thresholds on these cases instead, so that the costs are not optimistic.",
)
@choice("--method", FUNCTIONS["expected_cost"].names, "newcombe", "Interval method.")
@resampling_options(1000)
@output_options(plot="the cost curves inside their bands")
def cost(
    data: Data,
    false_negative: float,
    false_positive: float,
    prior: float | None,
    threshold: float | None,
    validation: str | None,
    method: Any,
    n_resamples: int,
    seed: int,
    out: Output,
) -> None:
    """Print the cheapest threshold for given unit costs, and the cost per case there.

    With two models or more it adds the operating conditions under which one is cheaper than the other,
    jointly at the confidence level. Thresholds chosen on the same cases make the costs optimistic.
    """
    level = data.confidence_level
    common: dict[str, Any] = {"confidence_level": level, "n_resamples": n_resamples, "rng": seed}
    with out:
        cases = data.read(out, pairs=True)
        chosen_on = {} if validation is None else data.read(out, source=validation).models
        found = {
            name: confroc.expected_cost(
                model,
                false_negative=false_negative,
                false_positive=false_positive,
                prior=prior,
                threshold=threshold,
                validation=chosen_on.get(name),
                method=method,
                **common,
            )
            for name, model in out.each(cases.models, "cost")
        }
        ranges = {
            names: confroc.cost_difference_band(pair, **common).cheaper()
            for names, pair in out.each(cases.pairs, "cost band")
        }
        if out.plot:
            bands = {
                name: confroc.cost_band(model, **common)
                for name, model in out.each(cases.models, "cost band")
            }
            out.draw(lambda ax: draw_costs(ax, bands), size=(6.5, 5.0))
        if out.as_json:
            content: dict[str, Any] = {"cost": {name: value.to_dict() for name, value in found.items()}}
            if ranges:
                content["cheaper"] = [
                    {"a": a, "b": b, "ranges": [r._asdict() for r in listed]}
                    for (a, b), listed in ranges.items()
                ]
            out.json(content, cases)
            return
        out.remark(found)
        given = threshold is not None
        at = f"threshold {threshold:g}" if given else "the cheapest threshold"
        out.table(
            f"Cost per case at {at}, {percent(level)} intervals",
            ["model", "threshold", "may be", "cost", "lower", "upper", "without a model"],
            [
                [
                    name,
                    f"{r.threshold:.6g}",
                    "" if given else f"{r.threshold_lower:.4g} to {r.threshold_upper:.4g}",
                    *(f"{v:.4g}" for v in (r.estimate, r.lower, r.upper, r.trivial)),
                ]
                for name, r in found.items()
            ],
            about(cases),
        )
        for (a, b), listed in ranges.items():
            for r in listed:
                out.line(f"{a} - {b}: {str(r).replace(f'model {r.cheaper}', a if r.cheaper == 'a' else b)}")
            if not listed:
                out.line(f"{a} - {b}: neither is surely cheaper anywhere, jointly at {percent(level)}")
