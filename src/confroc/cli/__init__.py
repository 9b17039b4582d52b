"""Command line: commands parse their options, call functions of the library and print the results.

`group.py` imports a command when it is used, `options.py` contains the shared options, and `output.py` prints
tables and JSON. An option has the name of the Python argument, with dashes.
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
    "interval": Entry("areas", "Any statistic of each model with its confidence interval."),
    "roc": Entry("curves", "Points on the ROC curve with confidence intervals."),
    "threshold": Entry("curves", "Threshold for a target rate or precision, or the best by a criterion."),
    "band": Entry("curves", "Simultaneous confidence band for the ROC curve."),
    "pr": Entry("curves", "Average precision, precision at a recall, and a precision-recall band."),
    "compare": Entry("areas", "Compare models or groups by their AUCs or any other statistic."),
    "compare-rates": Entry(
        "areas", "Compare true and false positive rates; align the thresholds of two models."
    ),
    "calibration": Entry("curves", "Simultaneous confidence band for the calibration curve."),
    "confusion": Entry("curves", "Predictive values and other metrics at a threshold."),
    "cost": Entry("curves", "Cost per case at the cheapest or a given threshold; cost curves."),
    "decision": Entry("curves", "Decision curves: net benefit of each model and of treating all."),
    "forecast": Entry(
        "forecast", "Forecast the AUC under population drift; flag segments outside the forecast."
    ),
    "power": Entry("areas", "Sample size for an AUC or a difference, or the power of a sample size."),
    "power-rate": Entry("areas", "Sample size for a true positive rate at a false positive rate."),
    "counts": Entry("files", "Write the counts per distinct score to a file that all commands accept."),
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
