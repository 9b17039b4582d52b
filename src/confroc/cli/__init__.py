"""Command line: parse, call, print.

Exit codes: 0 success, 1 the data do not allow it, 2 wrong usage.
"""

from __future__ import annotations

import click

import confroc
from confroc._check import suggest
from confroc.cli.area import auc, compare, forecast, power
from confroc.cli.cost import cost
from confroc.cli.counts import counts
from confroc.cli.curve import band, roc
from confroc.cli.options import EXAMPLE
from confroc.cli.report import report

__all__ = ["main"]


class Group(click.Group):
    """Lists commands in the order they are written, and suggests the nearest one."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [*self.commands, "lab"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == "lab":
            # The laboratory is large, and the other commands do not need it.
            from confroc.lab.commands import lab

            return lab
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None:
            listed = ", ".join(self.list_commands(ctx))
            ctx.fail(f"No such command {name!r}. {suggest(name, self.list_commands(ctx))}Commands: {listed}.")
        return super().resolve_command(ctx, args)


@click.group(
    cls=Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="\b\nBegin with:\n  " + EXAMPLE.format(command="report") + " -o report.html",
)
@click.version_option(confroc.__version__, prog_name="confroc")
def main() -> None:
    """Say how sure you can be of an ROC curve: intervals, bands and comparisons from a file of scores."""


for command in (report, auc, roc, band, compare, cost, forecast, power, counts):
    main.add_command(command)
