"""The `auc` command."""

from __future__ import annotations

from typing import Any

import click

import confroc
from confroc.cli.group import misused
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
from confroc.methods.auc import AUC_INTERVAL


@command(BOTH)
@data_options()
@choice("--method", AUC_INTERVAL.names, "score_delong", "Interval method.")
@part_options
@click.option(
    "--error-rate",
    type=float,
    metavar="RATE",
    help="For cortes_mohri; by default that at the best threshold.",
)
@click.option(
    "--null-auc",
    type=float,
    metavar="AUC",
    help="Test that the whole area is this one, by resampling from the nearest population where it is.",
)
@resampling_options(2000)
@output_options(plot="the intervals")
def auc(
    data: Data,
    method: Any,
    part: Part,
    error_rate: float | None,
    null_auc: float | None,
    n_resamples: int,
    seed: int,
    out: Output,
) -> None:
    """Print the area under the ROC curve of each model with its interval."""
    if null_auc is not None and part.words:
        raise misused("--null-auc tests the whole area; leave out --max-fpr and --min-tpr.")
    with out:
        cases = data.read(out)
        found = {
            name: confroc.auc_interval(
                model,
                method=method,
                **part._asdict(),
                error_rate=error_rate,
                confidence_level=data.confidence_level,
                n_resamples=n_resamples,
                rng=seed,
            )
            for name, model in out.each(cases.models, "area")
        }
        tests = {
            name: confroc.auc_test(model, null_auc, n_resamples=n_resamples, rng=seed)
            for name, model in out.each(cases.models, "test")
            if null_auc is not None
        }
        out.draw(
            lambda ax: confroc.plot.IntervalDisplay(list(found.values())).plot(ax=ax, name=list(found)),
            size=(6.0, 1.2 + 0.5 * len(found)),
        )
        if out.as_json:
            content = {"auc": {name: value.to_dict() for name, value in found.items()}}
            if tests:
                content["test"] = {name: value.to_dict() for name, value in tests.items()}
            out.json(content, cases)
            return
        out.remark(found)
        out.table(
            f"Area under the ROC curve{part.words}, {percent(data.confidence_level)} intervals",
            [
                "model",
                "AUC",
                "lower",
                "upper",
                "SE",
                "method",
                *([f"p (AUC = {null_auc:g})"] if tests else []),
            ],
            [
                [
                    name,
                    *(f"{v:.4f}" for v in (r.estimate, r.lower, r.upper, r.standard_error)),
                    r.method,
                    *([f"{tests[name].pvalue:.4g}"] if tests else []),
                ]
                for name, r in found.items()
            ],
            about(cases),
        )
