"""Words: messages in terms of options, levels as percentages, the data in a line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from confroc.ingest import Cases

RENAMED = {
    "score": "--score",
    "source": "FILE",
    "path": "--output",
    "auc": "--null-auc",
    "model": "--auc",
    "model_b": "--auc-b",
    "rng": "--seed",
    "threshold": "--threshold",
}
"""Arguments whose option has another name; the others keep theirs."""


def in_options(message: str) -> str:
    """Say in command-line words what a library message says in Python's."""
    ctx = click.get_current_context(silent=True)
    known = {name for p in ctx.command.params for name in p.opts} | {"FILE"} if ctx else set()

    def option(name: str) -> str | None:
        found = RENAMED.get(name, f"--{name.replace('_', '-')}")
        return found if found in known else None

    def quoted(match: re.Match[str]) -> str:
        return f"`{option(match[1]) or match[1]}`"

    def assigned(match: re.Match[str]) -> str:
        found = option(match[1])
        if found and match[2] in ("True", "False"):
            return found if match[2] == "True" else f"--no-{found.strip('-')}"
        return f"{found} {match[2]}" if found else match[0]

    message = re.sub(r"`(\w+)`", quoted, message)
    return re.sub(r"\b(\w+)='?(-?\w[\w-]*(?:\.\w+)*)'?", assigned, message)


def percent(level: float) -> str:
    """Write a level as a percentage."""
    return f"{100 * level:.10g} %"


def about(cases: Cases) -> str:
    """One line on the data, for the foot of a table."""
    first = next(iter(cases.models.values()))
    line = f"{first.n_pos} positives ({cases.positive}), {first.n_neg} negatives ({cases.negative})"
    if cases.n_dropped:
        line += f"; {cases.n_dropped} of {cases.n_rows} rows dropped for missing values"
    return line
