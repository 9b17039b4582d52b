"""The `audit` command."""

from __future__ import annotations

from typing import Any

import click

from confroc.auditing import Audit, progress_bar
from confroc.auditing import audit as run_audit
from confroc.auditing.audit import SOURCES
from confroc.cli.options import ONE, Data, choice, command, data_options, level_option, seed_option
from confroc.cli.output import Output


@command("audit", f"{ONE} --no-bands", gives={"audit": dict[str, Audit]})
@data_options()
@click.option(
    "--size",
    type=(int, int),
    metavar="POS NEG",
    help="Class sizes of the samples; by default the data's own.",
)
@choice(
    "--population",
    SOURCES,
    "What samples are drawn from: a smoothed copy of the data, or the data themselves, which should then be "
    "many more than --size.",
)
@click.option(
    "-r",
    "--replications",
    "--reps",
    type=click.IntRange(min=1),
    metavar="N",
    help="Samples for intervals; by default 2000.",
)
@click.option(
    "--band-replications",
    "--band-reps",
    type=int,
    metavar="N",
    help="Samples for bands; by default 200.",
)
@click.option("--bands/--no-bands", default=True, help="Bands take most of the time.")
@click.option(
    "-j",
    "--n-jobs",
    type=int,
    metavar="N",
    help="Processes, 1 by default; -1 uses all cores. The numbers do not depend on it.",
)
@seed_option
@level_option
def audit(data: Data, out: Output, **options: Any) -> None:
    """Measure the coverage of the methods on data like FILE.

    Draws samples of the same size from a population made of the data, with known true rates, and counts how
    often each method's interval or band contains the true value. Ends with the methods to use.
    """
    found = {}
    for name, scores in data.read(out).models.items():
        out.still()
        with progress_bar(f"audit of {name}", shown=not out.quiet) as progress:
            found[name] = run_audit(scores, progress=progress, **options)
    first = next(iter(found.values()))
    made = "a smoothed copy of the data" if first.population == "smoothed" else "resamples of the data"
    out.show("audit", found, f"Coverage on {made}, samples of {first.n_pos} + {first.n_neg}")
    for name, one in found.items():
        for statement, method in one.recommendation.items():
            out.line(f"{name}, {statement}: use {method}")
