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
def report(data: Data, output: str) -> None:
    """Write one self-contained HTML report, and the same numbers as JSON beside it."""
    with told_plainly():
        from confroc.report import ReportData, build_report

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
