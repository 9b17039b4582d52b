"""Command line: parse, call, print.

`group.py` finds commands, `output.py` prints what the functions return, and `options.py` has what commands
share. Commands are imported when they are used. An option is called as the argument in Python, with dashes.
"""

from __future__ import annotations

import sys

import click

import confroc
from confroc.cli.group import Command, Entry, Group

__all__ = ["Command", "main"]

COMMANDS = {
    "demo": Entry("files", "Write example data and a report on them."),
    "report": Entry("files", "Write a self-contained HTML report, and its numbers as JSON."),
    "auc": Entry("areas", "AUC of each model with confidence intervals."),
    "interval": Entry("areas", "Any statistic of each model, e.g. the average precision."),
    "roc": Entry("curves", "Points of the ROC curve with confidence intervals."),
    "threshold": Entry("curves", "The threshold for a wanted rate or precision, and the rates there."),
    "band": Entry("curves", "A simultaneous confidence band for the ROC curve."),
    "pr": Entry("curves", "Average precision, precision at a recall, and a precision-recall band."),
    "compare": Entry("areas", "Compare models or groups by their AUCs, or by any statistic."),
    "compare-rates": Entry(
        "areas", "Compare true and false positive rates; align the thresholds of two models."
    ),
    "calibration": Entry("curves", "A simultaneous band for the calibration curve."),
    "confusion": Entry("curves", "Predictive values and other metrics at a threshold."),
    "cost": Entry("curves", "The cheapest threshold and its cost, the cost curve, or the net benefit."),
    "decision": Entry("curves", "Decision curves: net benefit, treat all, treat none."),
    "forecast": Entry(
        "forecast", "Forecast the AUC under population drift; flag segments outside the forecast."
    ),
    "power": Entry("areas", "Cases required, or the power of given numbers of cases."),
    "power-rate": Entry("areas", "Cases required for a true positive rate at a false positive rate."),
    "counts": Entry("files", "Write a count file, which replaces the rows in all commands."),
    "audit": Entry("audit", "Coverage of the methods on data like yours."),
    "schema": Entry("about", "JSON Schema of the output of --json."),
    "completion": Entry("about", "Shell completion for bash, zsh and fish."),
}


@click.group(
    cls=Group,
    entries=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with: confroc demo",
)
@click.version_option(confroc.__version__, prog_name="confroc")
def main() -> None:
    """Confidence intervals, bands and comparisons for ROC curves, from a file of scores.

    FILE is a CSV, Parquet or Arrow file, a pattern of them, a count file, SQL, or - for standard input.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
