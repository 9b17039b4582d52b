"""The `audit` command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from confroc.auditing import audit as run_audit
from confroc.auditing.audit import SOURCES
from confroc.cli import options as opt
from confroc.cli.data import Data
from confroc.cli.output import Output


@opt.command("audit", opt.ONE, gives=["audit"])
@opt.data_options()
@click.option(
    "--statistic",
    type=click.Choice([name for name in opt.PLAIN if name != "auc"]),
    multiple=True,
    help="Audit this statistic, too.",
)
@opt.whole("--size", "POS NEG", "Class sizes of the samples. Default: those of the data.", nargs=2)
@opt.choice(
    "--population",
    SOURCES,
    "What samples are drawn from: a smoothed copy of the data, or the data themselves, which should then be "
    "many more than --size.",
)
@opt.option(
    "-r --replications --reps", "N", "Samples for intervals. Default: 2000.", type=click.IntRange(min=1)
)
@opt.whole("--band-replications --band-reps", "N", "Samples for bands. Default: 200.")
@opt.flag("--bands", "Audit bands too: minutes instead of seconds.")
@opt.whole("-j --n-jobs", "N", "Processes; -1 uses all cores. The numbers do not depend on it. Default: 1.")
@opt.seed_option
@opt.level_option
def audit(data: Data, out: Output, *, statistic: Sequence[str] = (), **options: Any) -> None:
    """Measure the coverage of the methods on data like FILE.

    Draws samples of the same size from a population made of the data, with known true rates, and counts how
    often each method's interval or band contains the true value. Ends with the methods to use.
    """
    found, statistics = {}, [opt.STATISTICS[name]() for name in statistic]
    for name, scores in out.each(data.read(out).models, "audit"):
        found[name] = run_audit(scores, statistics=statistics, **options)
    first = next(iter(found.values()))
    made = "a smoothed copy of the data" if first.population == "smoothed" else "resamples of the data"
    out.show("audit", found, f"Coverage on {made}, samples of {first.n_pos} + {first.n_neg}")
    for name, one in found.items():
        for statement, method in one.recommendation.items():
            out.line(f"{name}, {statement}: use {method}")
