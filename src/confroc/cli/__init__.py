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

TASKS = {
    "Start": {
        "demo": Entry("files", "Write example data and a report on them."),
        "report": Entry("files", "Write a self-contained HTML report, and its numbers as JSON."),
    },
    "Evaluate each model": {
        "auc": Entry("areas", "AUC, Gini coefficient and KS statistic with confidence intervals."),
        "roc": Entry("curves", "Points on the ROC curve: sensitivity at a specificity, and others."),
        "band": Entry("curves", "Simultaneous confidence band for the ROC curve."),
        "pr": Entry("curves", "Average precision, precision at a recall, and a precision-recall band."),
        "calibration": Entry("curves", "Simultaneous confidence band for the calibration curve."),
        "interval": Entry("areas", "Any statistic with its confidence interval."),
    },
    "Compare models or groups": {
        "compare": Entry("areas", "Compare AUCs or any other statistic."),
        "compare-rates": Entry("areas", "Compare true and false positive rates; align two thresholds."),
    },
    "Choose and evaluate a threshold": {
        "threshold": Entry("curves", "Threshold for a target rate or precision, or the best by a criterion."),
        "confusion": Entry("curves", "Predictive values and other metrics at a given threshold."),
        "cost": Entry("curves", "Cost per case for given unit costs; cost curves."),
        "decision": Entry("curves", "Net benefit over a range of risks (decision curves)."),
    },
    "Monitor and plan": {
        "forecast": Entry("forecast", "Forecast the AUC under population drift; monitor segments."),
        "power": Entry("areas", "Sample size or power for an AUC or a difference."),
        "power-rate": Entry("areas", "Sample size for a true positive rate at a false positive rate."),
        "audit": Entry("audit", "Coverage of the methods on data like yours."),
    },
    "Tools": {
        "counts": Entry("files", "Write counts per distinct score to a file that all commands accept."),
        "schema": Entry("about", "JSON Schema of the output of --json."),
        "completion": Entry("about", "Shell completion for bash, zsh and fish."),
    },
}
COMMANDS = {name: entry for entries in TASKS.values() for name, entry in entries.items()}


@click.group(
    cls=Group,
    tasks=TASKS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Start with: confroc demo",
)
@click.version_option(confroc.__version__, prog_name="confroc")
def main() -> None:
    """Confidence intervals, bands and comparisons for ROC curves, from a file of scores.

    FILE is a CSV, Parquet or Arrow file, several of them, a count file, SQL, or - for standard input.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
