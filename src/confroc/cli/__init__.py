"""Command line: parse, call, print.

`group.py` finds commands and ends the process tidily, `output.py` prints what results say of themselves, and
`options.py` holds what commands share. The commands are loaded when they are used. What an option is called
in Python is its name here: messages about the argument `pos_label` speak of `--pos-label`.
"""

from __future__ import annotations

import click

import confroc
from confroc.cli.group import DATA, Entry, Group

__all__ = ["main"]

COMMANDS = {
    "demo": Entry("files", "Write example data, and a report on them, to look at first."),
    "report": Entry("files", "Write one self-contained HTML report, and its numbers as JSON."),
    "auc": Entry("areas", "Areas under the curve with intervals."),
    "roc": Entry("curves", "Points of the curve with intervals."),
    "band": Entry("curves", "A confidence band for the whole curve."),
    "compare": Entry("areas", "Compare models: areas, rates, whole curves."),
    "cost": Entry("curves", "The cheapest threshold, and what errors cost there."),
    "forecast": Entry("forecast", "Areas to expect after drift; which segments left the forecast."),
    "power": Entry("areas", "Cases needed, or the power that given cases have."),
    "counts": Entry("files", "Write counts that stand in for the rows everywhere."),
    "lab": Entry("lab", "Measure the coverage of methods."),
    "schema": Entry("about", "JSON Schema of what --json prints."),
    "completion": Entry("about", "Shell completion for bash, zsh and fish."),
}


@click.group(
    cls=Group,
    entries=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f"\b\nBegin with:\n  confroc demo\n  confroc report {DATA} --score s100b --score ndka",
)
@click.version_option(confroc.__version__, prog_name="confroc")
def main() -> None:
    """Say how sure you can be of an ROC curve: intervals, bands and comparisons from a file of scores.

    FILE is a CSV, Parquet or Arrow file, a pattern of them, a count file, SQL, or - for standard input.
    """
