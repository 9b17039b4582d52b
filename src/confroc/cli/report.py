"""The `report` command."""

from __future__ import annotations

import sys

import click

from confroc.cli.options import Data, Helpful, data_options, told_plainly


@click.command(cls=Helpful)
@data_options
@click.option(
    "-o", "--output", default="report.html", show_default=True, metavar="PATH", help="HTML file to write."
)
@click.option(
    "--miss", type=float, help="Cost of one false negative; with --false-alarm, adds a cost section."
)
@click.option("--false-alarm", type=float, help="Cost of one false positive.")
@click.option("--prior", type=float, help="Share of positives expected in use; by default the sample's.")
@click.option(
    "--psi", type=float, help="Drift budget as population stability index; adds an outlook section."
)
def report(
    data: Data,
    output: str,
    miss: float | None,
    false_alarm: float | None,
    prior: float | None,
    psi: float | None,
) -> None:
    """Write one self-contained HTML report, and the same numbers as JSON beside it."""
    if (miss is None) != (false_alarm is None):
        raise click.UsageError("Give --miss and --false-alarm together.")
    with told_plainly():
        from confroc.report import ReportData, UnitCosts, build_report

        cases = data.read(pairs=True)
        made = build_report(
            ReportData(
                source=cases.source,
                label=cases.label,
                positive=cases.positive,
                negative=cases.negative,
                n_rows=cases.n_rows,
                n_dropped=cases.n_dropped,
                models=cases.models,
                pairs=cases.pairs,
                confidence_level=data.confidence_level,
                unit_costs=None
                if miss is None or false_alarm is None
                else UnitCosts(miss, false_alarm, prior),
                psi=psi,
                command=_command_line(),
            )
        )
        for path in made.write(output):
            click.echo(f"wrote {path}", err=True)
        for line in made.headlines:
            click.echo(line)


def _command_line() -> str:
    import shlex

    return shlex.join(["confroc", *sys.argv[1:]])
