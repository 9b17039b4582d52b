"""The command group, which imports a command when it is used.

Exit codes: 0 success; 1 a limit below `--fail-below`; 2 wrong usage, unsuitable data, or a file that cannot
be read or written; 130 interrupted with Ctrl-C; 141 output pipe closed.
"""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

import click

from confroc._keywords import CLOSE

INTERRUPTED, CUT_SHORT = 130, 141


class Entry(NamedTuple):
    """The module of this folder that defines a command, and the command's summary."""

    module: str
    summary: str


class Group(click.Group):
    """Commands by task in the order of definition; a module is imported when its command is used."""

    def __init__(self, *args: Any, tasks: Mapping[str, Mapping[str, Entry]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tasks = tasks
        self.entries = {name: entry for entries in tasks.values() for name, entry in entries.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return all names, in order."""
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in self.entries:
            return None
        module = import_module(f"confroc.cli.{self.entries[cmd_name].module}")
        found: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; suggest one for a misspelled name."""
        from confroc._keywords import suggest

        if args[0] not in self.entries and not args[0].startswith("-"):
            # Words of four letters or more name a topic.
            about = [n for n, e in self.entries.items() if args[0] in re.findall(r"\w{4,}", e.summary)]
            close = suggest(args[0], self.entries) or "".join(f"Did you mean {n!r}? " for n in about[:1])
            ctx.fail(f"No such command {args[0]!r}. {close}See confroc --help.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing any."""
        for task, entries in self.tasks.items():
            with formatter.section(task):
                formatter.write_dl([(name, entry.summary) for name, entry in entries.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; return the exit code after an interrupt or a closed output pipe."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            # All errors have one form, without the usage.
            error.ctx = None
            raise
        except BrokenPipeError:
            # Python flushes the stream once more at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(CUT_SHORT)
        except (KeyboardInterrupt, RuntimeError) as error:
            # DuckDB, and Python 3.11 during class creation, turn an interrupt into a RuntimeError.
            if "nterrupt" not in f"{error!r} {error.__cause__!r}":
                raise
            click.echo("Interrupted.", err=True)
            ctx.exit(INTERRUPTED)


class MethodOption(click.Option):
    """An option of some methods only; the help lists it last."""


class Command(click.Command):
    """A command that refuses a repeated option unless it accepts several values.

    Attributes
    ----------
    gives, may_give : mapping of str to type or None
        Keys of its JSON output, required and optional, and their types; see `confroc.cli.about`.
    remedy : callable
        Returns what to write instead of an unknown option, or an empty text.
    """

    remedy: Callable[[str], str]
    gives: Mapping[str, Any] = MappingProxyType({})
    may_give: Mapping[str, Any] = MappingProxyType({})

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options; those of single methods follow under their own heading."""
        for heading, single in (("Options", False), ("Options of single methods", True)):
            options = [p for p in self.get_params(ctx) if isinstance(p, click.Option)]
            own = (p.get_help_record(ctx) for p in options if isinstance(p, MethodOption) == single)
            if records := [*filter(None, own)]:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, and refuse a repeated option."""
        # Other programs accept -s=COLUMN.
        args = [re.sub(r"^(-[a-z])=", r"\1", word) for word in args]
        try:
            rest = super().parse_args(ctx, list(args))
        except click.NoSuchOption as error:
            if found := self.remedy(error.option_name):
                raise click.UsageError(f"No such option {error.option_name!r}. {found}", ctx) from None
            # Short names resemble too many others.
            closest = difflib.get_close_matches(error.option_name, error.possibilities or (), 1, CLOSE)
            raise click.NoSuchOption(error.option_name, None, closest, ctx) from None
        given = [] if ctx.resilient_parsing else self.make_parser(ctx).parse_args(args)[2]
        for option, times in Counter(given).items():
            if times > 1 and isinstance(option, click.Option) and not (option.multiple or option.is_flag):
                ctx.fail(f"Give {max(option.opts, key=len)} once; got {times} values.")
        return rest
