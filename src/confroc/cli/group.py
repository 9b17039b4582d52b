"""The command group: commands load when used, mistyped names get the nearest one, exits are tidy.

Exit codes: 0 success, 1 the data do not allow it or the output cannot be written, 2 wrong usage (no such
option, one out of its range, options that do not go together), 130 interrupted, 143 terminated, 141 the
reader of the output went away.
"""

from __future__ import annotations

import codecs
import json
import os
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    Choice = click.Choice[str]
else:
    # Older click has no generic classes.
    Choice = click.Choice

DATA = "asah.csv --label outcome --pos-label Poor"
DEMO = "confroc demo writes asah.csv"
"""Which file the examples read, for those who have none yet."""

FILE = "FILE: CSV, Parquet or Arrow, a pattern of them, a count file, SQL, or - for standard input.\n\n"

SYNONYMS = {
    "--adjustment": "--adjust",
    "--alpha": "--significance-level",
    "--baseline": "--reference",
    "--by": "--group --segment-column",
    "--control": "--reference",
    "--correction": "--adjust",
    "--group": "--segment-column",
    "--groups": "--group",
    "--jobs": "--n-jobs",
    "--level": "--confidence-level",
    "--model": "--score",
    "--out": "--output",
    "--outcome": "--label",
    "--p-adjust": "--adjust",
    "--positive": "--pos-label",
    "--prevalence": "--prior",
    "--random-state": "--seed",
    "--rng": "--seed",
    "--segment-column": "--group",
    "--target": "--label",
    "--variant": "--method",
}
"""What other programs, or commands, call it: the first of these options that a command has is meant."""

UNWRITTEN, MISUSED, INTERRUPTED, CUT_SHORT, TERMINATED = 1, 2, 130, 141, 143

FOUND = {
    *("source", "label", "score", "pos_label", "group", "reference", "segment_column", "segment_files"),
    *("against", "validation", "experiment", "folder", "path", "plot", "target"),
}
"""Arguments that name what is in the data or on the disk, where alone it shows whether they are right."""

PLAIN = {"−": "-", "–": "-", "±": "+/-", "∞": "inf", "×": "x", "≤": "<=", "≥": ">="}
"""How signs are written where the output's encoding lacks them."""


def spelled(error: UnicodeError) -> tuple[str, int]:
    """Write what an encoding lacks in its characters; JSON stays JSON."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(PLAIN.get(sign) or json.dumps(sign)[1:-1] for sign in lacking), error.end


codecs.register_error("confroc", spelled)


def nearest(word: str, words: Iterable[str]) -> str:
    """Return "Did you mean 'x'? " for the nearest word, or for one that contains it; else nothing."""
    # The rules for input load numpy, which a mistyped word need not.
    import difflib

    known = list(words)
    close = difflib.get_close_matches(word.lower(), known, n=1)
    stem = word.strip("-").lower()
    close += [name for name in known if len(stem) > 3 and stem in name]
    return f"Did you mean {close[0]!r}? " if close else ""


def column_names(source: str) -> list[str]:
    """Column names of a file, as far as they can be had without reading its rows."""
    try:
        from confroc.ingest.counts import counts_about
        from confroc.ingest.files import CSV, PARQUET, csv_header, found_files, open_file

        files = found_files(source)
        name = files[0].name.lower()
        if name.endswith(CSV):
            return csv_header(files[0])[0]
        if not name.endswith(PARQUET):
            return []
        about = counts_about(files)
        if about:
            return [about[0]["label"], *about[0]["scores"]]
        with open_file(source) as table:
            return list(table.columns)
    except (OSError, ValueError, ImportError):
        return []


class Entry(NamedTuple):
    """A command: the module beside this one that holds it, and what it is for."""

    module: str
    line: str


class Group(click.Group):
    """Commands in the order they are written; each module is imported when its command is asked for."""

    def __init__(self, *args: Any, entries: Mapping[str, Entry] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entries = entries or {}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """All names, in order."""
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Load a command."""
        if cmd_name not in self.entries:
            return None
        found = getattr(import_module(f"confroc.cli.{self.entries[cmd_name].module}"), cmd_name)
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.line) for name, entry in self.entries.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer commands, or options, without loading any."""
        from click.shell_completion import CompletionItem

        if incomplete.startswith("-"):
            return click.Command.shell_complete(self, ctx, incomplete)
        found = self.entries.items()
        return [CompletionItem(name, help=e.line) for name, e in found if name.startswith(incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or name the nearest."""
        name = args[0]
        if name not in self.entries and not name.startswith("-"):
            listed = ", ".join(self.entries)
            ctx.fail(f"No such command {name!r}. {nearest(name, self.entries)}Commands: {listed}.")
        return super().resolve_command(ctx, args)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run as a program, with streams that can be written to."""
        open_streams()
        Terminated.asked, before = False, None
        with suppress(ValueError):  # In a thread there are no signals to handle.
            before = signal.signal(signal.SIGTERM, terminate)
        try:
            return super().main(*args, **kwargs)
        finally:
            if before is not None:
                signal.signal(signal.SIGTERM, before)

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Parse; help is printed on the way."""
        with tidy_end():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with tidy_end():
            return super().invoke(ctx)


def open_streams() -> None:
    """Put something in the place of closed streams, so that no file takes it; refuse to print to nobody."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    # The types do not say that Python has None where a stream is closed.
    streams: dict[str, Any] = vars(sys)
    if streams["stderr"] is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if streams["stdout"] is None:
        leave(UNWRITTEN, "standard output is closed. Send it to /dev/null if it is not wanted.")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="confroc")


class Terminated(KeyboardInterrupt):
    """The process is asked to end."""

    asked = False


def terminate(*_: object) -> NoReturn:
    """End as after an interrupt, so that nothing is left behind."""
    Terminated.asked = True
    raise Terminated


@contextmanager
def tidy_end() -> Iterator[None]:
    """Turn whatever may end a command from outside into an exit code and at most one line."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        leave(CUT_SHORT)
    except KeyboardInterrupt:
        leave_interrupted()
    except RuntimeError as error:
        # DuckDB's way to pass an interrupt on, and Python 3.11's where it falls into the making of a class.
        if str(error) != "Query interrupted" and not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        leave_interrupted()
    except MemoryError:
        leave(UNWRITTEN, "there is not enough memory for this.")
    except OSError as error:
        leave(UNWRITTEN, f"the output cannot be written ({error.strerror})." if error.errno else str(error))
    except SystemExit:
        empty_streams()
        raise


def leave_interrupted() -> NoReturn:
    """End in one line."""
    if Terminated.asked:
        leave(TERMINATED, "terminated")
    leave(INTERRUPTED, "interrupted")


def leave(status: int, line: str | None = None) -> NoReturn:
    """End the process, even where its streams cannot be written to."""
    if line is not None:
        with suppress(OSError):
            click.echo(f"confroc: {line}", err=True)
    empty_streams()
    sys.exit(status)


def empty_streams() -> None:
    """Write what is still to be written; or else the interpreter will write it to nowhere at its end."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def other_library_s(asked: str, known: Iterable[str]) -> list[str]:
    """The option that has the argument which another library calls so."""
    from confroc._calls import meant

    options = {"rng" if name == "--seed" else name[2:].replace("-", "_"): name for name in known}
    found = meant(asked.lstrip("-").replace("-", "_"), None, options)
    return [options[found[0]]] if found else []


class Helpful(click.Command):
    """Ends its help and its usage errors with an example of what to type.

    Parameters
    ----------
    example : str
        A whole command line.
    gives, may_give : mapping of str to type
        What its JSON holds, always or when asked for; see `confroc.cli.about`.
    """

    def __init__(
        self,
        name: str | None,
        *,
        example: str,
        gives: Mapping[str, Any] | None = None,
        may_give: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(name, **kwargs)
        about = FILE if any(p.name == "source" for p in self.params) else ""
        said = f"For example ({DEMO}):" if DATA in example else "For example:"
        self.epilog = f"{about}\b\n{said}\n  {example}"
        self.example, self.gives, self.may_give = example, gives, may_give or {}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, and add the example to a complaint."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            known = sorted({name for p in self.get_params(ctx) for name in p.opts if name.startswith("--")})
            meant = [name for name in SYNONYMS.get(error.option_name, "").split() if name in known]
            meant += other_library_s(error.option_name, known)
            hint = f"Did you mean {meant[0]!r}? " if meant else nearest(error.option_name, known)
            message = f"No such option {error.option_name!r}. " + (hint or f"Options: {', '.join(known)}.")
        except click.UsageError as error:
            message = error.format_message()
            if "unexpected extra argument" in message and FILE in (self.epilog or ""):
                message += " Quote a pattern of files, so that it stays one argument: 'months/*.csv'."
            param = error.param if isinstance(error, click.BadParameter) else None
            if param is not None and param.nargs > 1:
                message += f" Give {param.nargs} values at a time: {param.opts[0]} {param.metavar}."
            if isinstance(error, click.MissingParameter) and param is not None:
                source = ctx.params.get("source") if param.metavar == "COLUMN" else None
                if source and (names := column_names(str(source))):
                    message += f" The columns of {source} are {', '.join(names)}."
        raise self.misused(message.strip(), ctx) from None

    def misused(self, message: str, ctx: click.Context | None = None) -> click.UsageError:
        """Return a usage error that shows the example."""
        from confroc.results.shown import visible

        return click.UsageError(f"{visible(message)}\nType, for example:\n  {self.example}", ctx)

    def option_of(self, argument: str) -> str:
        """What an argument of the library is called here: `--pos-label`, or FILE."""
        for param in self.params:
            if param.name == argument:
                longest = max(param.opts, key=len)
                return longest if longest.startswith("-") else str(param.metavar).strip("[].")
        return argument

    def sets(self, argument: str) -> bool:
        """Whether an argument of the library is an option here that says what to do, not what to find."""
        name = argument.partition("[")[0]
        return name not in FOUND and self.option_of(name).startswith("-")


def misused(message: str) -> click.UsageError:
    """Return a usage error of the running command, with its example."""
    ctx = click.get_current_context()
    assert isinstance(ctx.command, Helpful)
    return ctx.command.misused(message, ctx)


class Named(Choice):
    """One of several names; a mistyped one gets the nearest."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check the name."""
        if value not in self.choices:
            listed = ", ".join(self.choices)
            self.fail(f"{value!r} is not one of {listed}. {nearest(str(value), self.choices)}".strip())
        return super().convert(value, param, ctx)
