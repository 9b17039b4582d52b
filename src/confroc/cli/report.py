"""The `report` command."""

from __future__ import annotations

import sys

import click

from confroc.cli.group import misused
from confroc.cli.options import BOTH, Data, command, data_options, output_options
from confroc.cli.output import Output


@command(f"{BOTH} -o report.html")
@data_options()
@click.option(
    "-o", "--output", default="report.html", show_default=True, metavar="PATH", help="HTML file to write."
)
@click.option(
    "--false-negative",
    type=float,
    metavar="COST",
    help="Cost of one false negative; with --false-positive, adds a cost section.",
)
@click.option("--false-positive", type=float, metavar="COST", help="Cost of one false positive.")
@click.option(
    "--prior",
    type=float,
    metavar="SHARE",
    help="Share of positives expected in use; by default the sample's.",
)
@click.option(
    "--psi",
    type=float,
    metavar="INDEX",
    help="Drift to allow for in what to expect next, as population stability index (default 0.1).",
)
@output_options()
def report(
    data: Data,
    output: str,
    false_negative: float | None,
    false_positive: float | None,
    prior: float | None,
    psi: float | None,
    out: Output,
) -> None:
    """Write one self-contained HTML report, and the same numbers as JSON beside it."""
    if (false_negative is None) != (false_positive is None):
        raise misused("Give --false-negative and --false-positive together.")
    with out:
        from confroc.pages import ReportData, build_report

        cases = data.read(out, pairs=True)
        out.doing("computing the report ...")
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
                false_negative=false_negative,
                false_positive=false_positive,
                prior=prior,
                psi=psi,
                command=_command_line(),
            )
        )
        page, numbers = made.write(output)
        for path in (page, numbers):
            out.wrote(path)
        if out.as_json:
            files = {"page": str(page), "numbers": str(numbers)}
            out.json({"report": {**files, "headlines": list(made.headlines)}}, cases)
            return
        for line in made.headlines:
            out.line(line)


def _command_line() -> str:
    import shlex

    return shlex.join(["confroc", *sys.argv[1:]])
