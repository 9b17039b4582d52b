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
    type=click.Choice([n for n, cls in opt.STATISTICS.items() if n != "auc" and not opt.required(cls)]),
    multiple=True,
    help="Also audit this statistic; repeat for more.",
)
@opt.whole("--size", "POS NEG", "Class sizes of the samples. Default: those of the data.", nargs=2)
@opt.choice(
    "--population",
    SOURCES,
    "Population to sample from: a smoothed copy of the data, or the data themselves, which should then have "
    "many more cases than --size.",
)
@opt.option(
    "-r --replications --reps", "N", "Samples for intervals. Default: 2000.", type=click.IntRange(min=1)
)
@opt.whole("--band-replications --band-reps", "N", "Samples for bands. Default: 200.")
@opt.flag("--bands", "Also audit bands, which takes minutes instead of seconds.")
@opt.jobs_option
@opt.seed_option
@opt.level_option
def audit(data: Data, out: Output, *, statistic: Sequence[str] = (), **options: Any) -> None:
    """Measure the coverage of the methods on data like FILE, and recommend methods.

    The command draws samples from a population similar to the data, whose true rates are known, and counts
    how often the interval or band of each method contains the true value.
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
