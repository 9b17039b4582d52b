"""Command line: parse, call, print.

`group.py` finds commands and ends the process tidily, `options.py` holds what commands share, `source.py`
reads, `output.py` prints, in the form that `wording.py`, `json_text.py` and `figures.py` give it. Each
command is a file of its own, loaded when it is used.
"""

from __future__ import annotations

import click

import confroc
from confroc.cli.group import DATA, Group

__all__ = ["main"]

LINES = {
    "report": "Write one self-contained HTML report, and its numbers as JSON.",
    "auc": "Areas under the curve with intervals.",
    "roc": "Points of the curve with intervals.",
    "band": "A confidence band for the whole curve.",
    "compare": "Compare models: areas, rates, whole curves.",
    "cost": "The cheapest threshold, and what errors cost there.",
    "forecast": "Areas to expect after drift; which segments left the forecast.",
    "power": "Cases needed, or the power that given cases have.",
    "counts": "Write counts that stand in for the rows everywhere.",
    "lab": "Test whether methods attain their level.",
    "schema": "JSON Schema of what --json prints.",
    "completion": "Shell completion for bash, zsh and fish.",
}


@click.group(
    cls=Group,
    lines=LINES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f"\b\nBegin with:\n  confroc report {DATA} --score s100b --score ndka",
)
@click.version_option(confroc.__version__, prog_name="confroc")
def main() -> None:
    """Say how sure you can be of an ROC curve: intervals, bands and comparisons from a file of scores.

    FILE is a CSV, Parquet or Arrow file, a pattern of them, a count file, SQL, or - for standard input.
    """
