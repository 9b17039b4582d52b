"""What a command prints: tables, JSON and pictures on one side, notes and progress on the other.

Results go to standard output. Everything else - notes, progress, what was written - goes to the error
stream, so that a result can be piped; progress only to a terminal.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

import confroc
from confroc._files import json_text, whole_file
from confroc.cli.group import StrType
from confroc.cli.json_text import SCHEMA, describe
from confroc.cli.wording import in_options

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from confroc.ingest import Cases
    from confroc.results import Result

T = TypeVar("T")

FIGURES = (".png", ".svg", ".pdf")


class Output(AbstractContextManager["Output"]):
    """What one command says. Inside `with`, errors about the data end it in one sentence and exit code 1.

    Parameters
    ----------
    as_json, quiet : bool
    plot : str or None
        Picture to write.
    """

    def __init__(self, *, as_json: bool = False, quiet: bool = False, plot: str | None = None) -> None:
        self.as_json, self.quiet, self.plot = as_json, quiet, plot
        self._catching = warnings.catch_warnings(record=True)
        self._caught: list[warnings.WarningMessage] = []
        self._remarks: dict[str, list[str]] = {}
        self._written: list[str] = []
        self._tables = 0
        self._status: Any = None
        self._words: Callable[[str], str] = str

    def __enter__(self) -> Output:
        caught = self._catching.__enter__()
        assert caught is not None
        self._caught = caught
        warnings.simplefilter("always", confroc.ConfrocWarning)
        if self.plot is not None and not Path(self.plot).resolve().parent.is_dir():
            self._fail(
                f"`--plot` must lie in a folder that exists; got {self.plot!r}. Make the folder first."
            )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.still()
        notes = [note for note in self.notes if note not in self._remarks]
        self._catching.__exit__(kind, error, trace)
        refused = isinstance(error, ValueError | OSError | ImportError)
        if (error is None or refused) and not self.quiet and not isinstance(error, BrokenPipeError):
            for note, names in self._remarks.items():
                notes.append(f"{', '.join(names)}: {note}")
            for line in (*(f"note: {note}" for note in notes), *(f"wrote {path}" for path in self._written)):
                click.echo(line, err=True)
        if refused and not isinstance(error, BrokenPipeError):
            self._fail(str(error))

    def _fail(self, message: str) -> NoReturn:
        click.echo(f"confroc: {in_options(self._words(message))}", err=True)
        sys.exit(1)

    def say_instead(self, words: Callable[[str], str]) -> None:
        """Pass messages through a function, for names that mean nothing to the user."""
        self._words = words

    @property
    def notes(self) -> list[str]:
        """What the statistics warned of so far, each once."""
        found = (str(w.message) for w in self._caught if issubclass(w.category, confroc.ConfrocWarning))
        return [in_options(self._words(note)) for note in dict.fromkeys(found)]

    def remark(self, found: Mapping[str, Result]) -> None:
        """Show the notes of results that are printed as tables; JSON holds them in the results."""
        for name, result in found.items():
            for note in getattr(result, "notes", ()):
                names = self._remarks.setdefault(in_options(note), [])
                if name not in names:
                    names.append(name)

    # --- progress ------------------------------------------------------------------------------------

    def doing(self, what: str) -> None:
        """Say on a terminal what is being done."""
        if self.quiet or not sys.stderr.isatty():
            return
        from rich.console import Console

        # A new one is drawn at once; an update would wait for the next tick, which quick work does not reach.
        self.still()
        self._status = Console(stderr=True).status(what)
        self._status.start()

    def each(self, items: Mapping[Any, T], what: str) -> Iterator[tuple[Any, T]]:
        """Go through models or pairs, saying on a terminal which one is being worked on."""
        for number, (name, item) in enumerate(items.items(), 1):
            shown = " and ".join(name) if isinstance(name, tuple) else name
            of = f" ({number} of {len(items)})" if len(items) > 1 else ""
            self.doing(f"{what}: {shown}{of} ...")
            yield name, item

    def still(self) -> None:
        """Take the progress away."""
        if self._status is not None:
            self._status.stop()
            self._status = None

    # --- results -------------------------------------------------------------------------------------

    def json(self, content: Mapping[str, Any], cases: Cases | None = None) -> None:
        """Print a result as JSON, with what it was computed from."""
        self.still()
        whole: dict[str, Any] = {
            "schema": SCHEMA,
            "command": click.get_current_context().command.name,
            "version": confroc.__version__,
        }
        if cases is not None:
            whole["data"] = describe(cases)
        click.echo(json_text(whole | {"notes": self.notes} | dict(content)))

    def table(
        self, title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], caption: str = ""
    ) -> None:
        """Print a table under its title, with a line below."""
        from rich import box
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        self.still()
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
        for number, column in enumerate(columns):
            table.add_column(Text(column), justify="left" if number == 0 else "right", no_wrap=number == 0)
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        # A pipe has no width of its own; wrapping there would only spoil what reads it.
        console = Console(width=None if sys.stdout.isatty() else 10_000, highlight=False)
        with console.capture() as printed:
            if self._tables:
                console.print()
            console.print(Text(title, style="bold"))
            console.print(table)
            if caption:
                console.print(Text(caption, style="italic"))
        self._tables += 1
        click.echo(printed.get(), nl=False)

    def line(self, text: str) -> None:
        """Print a line of a result."""
        self.still()
        click.echo(text)

    def wrote(self, path: str | Path) -> None:
        """Say, at the end, that a file was written."""
        self._written.append(str(path))

    def draw(self, draw: Callable[[Axes], object], *, size: tuple[float, float] = (5.5, 5.5)) -> None:
        """Write the picture that `--plot` asks for; an old one is replaced once the new one is whole."""
        if self.plot is None:
            return
        self.doing("drawing ...")
        from matplotlib.figure import Figure

        figure = Figure(figsize=size, layout="constrained")
        draw(figure.add_subplot())
        with whole_file(self.plot) as beside:
            figure.savefig(beside, dpi=150)
        self.wrote(self.plot)


class FigureFile(StrType):
    """A picture's path, of a kind that can be drawn."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check the ending."""
        if not str(value).lower().endswith(FIGURES):
            self.fail(f"{value!r} does not end in {', '.join(FIGURES)}.", param, ctx)
        return str(value)
