"""What a command prints: tables, JSON and pictures on one side, notes and progress on the other.

Results go to standard output, as the tables and the plain values that they make of themselves. Everything
else - notes, progress, what was written - goes to the error stream, so that a result can be piped; progress
only to a terminal.
"""

from __future__ import annotations

import inspect
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn, TypedDict, TypeVar

import click

import confroc
from confroc._check import ArgumentError, sentence
from confroc._files import WrongEndingError, check_output, json_text, whole_file
from confroc.cli.group import MISUSED, UNWRITTEN, Helpful
from confroc.methods import FUNCTIONS
from confroc.results.shown import Table, as_text, by_note, joined, visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from confroc.ingest import Cases
    from confroc.results import Result

T = TypeVar("T")
R = TypeVar("R", bound="Result")

SCHEMA = "confroc/1"
FIGURES = (".png", ".svg", ".pdf")
PICTURE_MARK = "Drawn by confroc "
"""What tells a picture from other people's."""


class About(TypedDict):
    """What was read: where from, what the labels mean, how many cases, and what rounding may have changed."""

    source: str
    label: str
    positive: str
    negative: str
    n_rows: int
    n_dropped: int
    n_pos: int
    n_neg: int
    rounding: dict[str, dict[str, float]]


def about(cases: Cases) -> About:
    """Describe cases, for JSON."""
    first = next(iter(cases.models.values()))
    inexact = {name: scores for name, scores in cases.models.items() if not scores.exact}
    return {
        "source": cases.source,
        "label": cases.label,
        "positive": cases.positive,
        "negative": cases.negative,
        "n_rows": cases.n_rows,
        "n_dropped": cases.n_dropped,
        "n_pos": first.n_pos,
        "n_neg": first.n_neg,
        "rounding": {
            name: {"fpr_error": s.fpr_error, "tpr_error": s.tpr_error, "auc_error": s.auc_error}
            for name, s in inexact.items()
        },
    }


def line_of(data: About) -> str:
    """One line on the data, for the foot of the tables."""
    line = f"{data['n_pos']} positives ({data['positive']}), {data['n_neg']} negatives ({data['negative']})"
    return "; ".join(filter(None, (line, dropped(data))))


def dropped(data: About) -> str:
    """Say how many rows were left out; nothing where none was."""
    if not data["n_dropped"]:
        return ""
    return f"{data['n_dropped']} of {data['n_rows']} rows dropped for missing values"


class Output(AbstractContextManager["Output"]):
    """What one command says. Inside `with`, errors end it in one sentence, and exit code 1, or 2 for options.

    Parameters
    ----------
    command : str
        Its name, as JSON holds it.
    as_json, quiet : bool
    plot : str, optional
        Picture to write.
    force : bool
        Replace files that this program did not write.
    reads : sequence of str
        Sources that are read, and so not written over.
    """

    def __init__(
        self,
        command: str,
        *,
        as_json: bool = False,
        quiet: bool = False,
        plot: str | None = None,
        force: bool = False,
        reads: Sequence[str] = (),
    ) -> None:
        self.command, self.as_json, self.quiet, self.plot, self.force = command, as_json, quiet, plot, force
        self.reads = reads
        self.data: dict[str, About] = {}
        """What was read, by the name that JSON gives it."""
        self.beside: list[About] = []
        """What was read besides, of which no table tells."""
        self.aliases = {
            "force=True": "--force",
            "pass `threshold` or `validation`": "give --threshold or --validation",
        }
        """Words that mean nothing to the user, and what messages say instead."""
        self.compared = "model"
        """What the tables of pairs are of."""
        self._content: dict[str, Any] = {}
        self._catching = warnings.catch_warnings(record=True)
        self._caught: list[warnings.WarningMessage] = []
        self._notes: dict[str, dict[str, None]] = {}
        self._written: list[str] = []
        self._printed = False
        self._status: Any = None

    def __enter__(self) -> Output:
        caught = self._catching.__enter__()
        assert caught is not None
        self._caught = caught
        warnings.simplefilter("always", confroc.ConfrocWarning)
        # Known before hours of work rather than after.
        try:
            if self.plot is not None and not Path(self.plot).resolve().parent.is_dir():
                remedy = "Make the folder first."
                raise ArgumentError("plot", "lie in a folder that exists", self.plot, remedy)
            if self.plot is not None:
                self.check_output("plot", self.plot, PICTURE_MARK)
        except ArgumentError as error:
            self._fail(error)
        return self

    def check_output(self, argument: str, path: str | Path, mark: str) -> None:
        """Refuse to write over what is read, or without `--force` over a file without the mark."""
        from confroc.ingest.files import files_read

        read = [file for source in self.reads for file in files_read(source)]
        check_output(argument, path, mark=mark, inputs=read, force=self.force)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.still()
        self._catching.__exit__(kind, error, trace)
        if error is None:
            self._end()
        elif isinstance(error, BrokenPipeError) or not isinstance(error, ValueError | OSError | ImportError):
            return
        if not self.quiet:
            shown = {self._typed(note): names for note, names in self._notes.items()}
            notes = [note for note in self._warnings() if note not in shown]
            notes += [f"{', '.join(names)}: {note}" if names else note for note, names in shown.items()]
            notes += self._dropped(told=error is None and self._foot)
            for line in (*(f"note: {note}" for note in notes), *(f"wrote {path}" for path in self._written)):
                click.echo(visible(line), err=True)
        if error is not None:
            self._fail(error)

    def _end(self) -> None:
        if self.as_json:
            head = {"schema": SCHEMA, "command": self.command, "version": confroc.__version__}
            echo(visible(json_text(head | self.data | {"notes": self._warnings()} | self._content)))
        elif self._foot:
            for name, data in self.data.items():
                echo(visible(line_of(data) if name == "data" else f"{name} {line_of(data)}"))

    @property
    def _foot(self) -> bool:
        """Whether lines on the data stand below tables."""
        return self._printed and not self.as_json

    def _dropped(self, *, told: bool) -> list[str]:
        """Rows left out of what was read, except where the foot of the tables has told it."""
        read = [] if told else [("" if name == "data" else name, of) for name, of in self.data.items()]
        read += [(of["source"], of) for of in self.beside]
        return [f"{name}: {line}" if name else line for name, of in read if (line := dropped(of))]

    def _fail(self, error: BaseException) -> NoReturn:
        message, status = str(error), UNWRITTEN
        if isinstance(error, ArgumentError):
            # In the words of this command line.
            command = click.get_current_context().command
            assert isinstance(command, Helpful)
            rule, remedy = (_as_typed(text, command) for text in (error.rule, error.remedy))
            value = inspect.Parameter.empty if error.value is None else error.value
            message = sentence(command.option_of(error.argument), rule, value, remedy)
            if command.sets(error.argument) or isinstance(error, WrongEndingError):
                status = MISUSED
        click.echo(f"confroc: {visible(self._words(message))}", err=True)
        sys.exit(status)

    def _words(self, message: str) -> str:
        for name, better in self.aliases.items():
            message = message.replace(name, better)
        return message

    def _warnings(self) -> list[str]:
        """What the statistics warned of, each once."""
        found = (str(w.message) for w in self._caught if issubclass(w.category, confroc.ConfrocWarning))
        return [self._typed(note) for note in dict.fromkeys(found)]

    def _typed(self, note: str) -> str:
        command = click.get_current_context().command
        return self._words(_as_typed(note, command) if isinstance(command, Helpful) else note)

    # --- progress ------------------------------------------------------------------------------------

    def doing(self, what: str) -> None:
        """Say on a terminal what is being done."""
        # First, because what is shown stands in for the error stream, and need not say that it is a terminal.
        self.still()
        if self.quiet or not sys.stderr.isatty():
            return
        from rich.console import Console
        from rich.live import Live
        from rich.spinner import Spinner
        from rich.text import Text

        # As text, since names may hold what looks like markup.
        shown = Spinner("dots", Text(visible(what)))
        self._status = Live(shown, console=Console(stderr=True), transient=True)
        # Drawn at once: quick work is over before the first tick.
        self._status.start(refresh=True)

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

    def show(self, key: str, found: Mapping[Any, Result], title: str | None = None) -> None:
        """Show the results of one function: as one table, or in the JSON under the function's name.

        Parameters
        ----------
        key : str
            The function's name.
        found : mapping of str, or of (str, str), to Result
            A result a model, or a pair of models.
        title : str, optional
            By default the function's in the register of methods.
        """
        if not found:
            return
        pairs = isinstance(next(iter(found)), tuple)
        if self.as_json:
            plain = {name: value.to_dict() for name, value in found.items()}
            self._content[key] = (
                [{"a": a, "b": b, **value} for (a, b), value in plain.items()] if pairs else plain
            )
            return
        tables = {name: value.table(most=None) for name, value in found.items()}
        if pairs:
            # Named by their rows, so that columns of all pairs are the same.
            tables = {" - ".join(name): _as_a_and_b(table, *name) for name, table in tables.items()}
        for note, names in by_note(tables).items():
            self._notes.setdefault(note, {}).update(dict.fromkeys(names))
        table = joined(title or FUNCTIONS[key].title, tables, by=f"{self.compared}s" if pairs else "model")
        self.table(table._replace(notes=()))

    def run(
        self,
        function: Callable[..., R],
        items: Mapping[Any, Any],
        *args: Any,
        title: str | None = None,
        **options: Any,
    ) -> dict[Any, R]:
        """Call a function for each model or pair of models, and show its results."""
        name = function.__name__
        found = {key: function(item, *args, **options) for key, item in self.each(items, name)}
        self.show(name, found, title)
        return found

    def state(self, key: str, result: Result) -> None:
        """Show one result in the words that it has for itself."""
        self.add(key, result.to_dict())
        self._notes |= {note: {} for note in getattr(result, "notes", ())}
        self.line(result.headline)

    def table(self, table: Table) -> None:
        """Print a table, whose notes come at the end."""
        self._notes |= {note: {} for note in table.notes}
        heading, _, rest = as_text(table._replace(notes=())).partition("\n")
        self._line(f"{chr(10) if self._printed else ''}{click.style(heading, bold=True)}\n{rest}")
        self._printed = True

    def add(self, key: str, value: Any) -> None:
        """Put a plain value into the JSON."""
        self._content[key] = value

    def line(self, text: str) -> None:
        """Print a line of a result, unless JSON is printed."""
        self._line(visible(text))

    def _line(self, text: str) -> None:
        self.still()
        if not self.as_json:
            echo(text)

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
        save(figure, self.plot, dpi=150)
        self.wrote(self.plot)


def _as_a_and_b(table: Table, a: str, b: str) -> Table:
    """Call the two models a and b in the columns of a table of their difference, which its rows name."""
    quantity = re.compile(rf"(\w+)_{re.escape(a)} - \1_{re.escape(b)}")
    columns = {quantity.sub(r"\1_a - \1_b", name): values for name, values in table.columns.items()}
    if "quantity" in columns:
        either = re.compile(rf"{quantity.pattern}|(\w+)_a - \2_b")
        columns["quantity"] = [either.sub(_difference_of, str(value)) for value in columns["quantity"]]
    return table._replace(columns=columns)


def _difference_of(quantity: re.Match[str]) -> str:
    return f"difference of {quantity[1] or quantity[2]}"


class CannotPrintError(OSError):
    """Standard output takes no more."""


def _as_typed(text: str, command: Helpful) -> str:
    """Say with a command's options what an error or a note says with Python's arguments."""
    text = re.sub(r"\bnan_policy='(\w+)'", r"--nan-policy \1", text)
    text = text.replace("pos_label=", "--pos-label ")
    text = re.sub(r"\bpass the positive one as pos_label\b", "pass the positive one as --pos-label", text)
    # After such words alone, since what stands in backticks may be a column, too.
    named = r"\b((?i:pass|use|or|beside|leave out|left out when)|smaller|larger) `(\w+)`"
    return re.sub(named, lambda found: f"{found[1]} {_option(found[2], command)}", text)


def _option(argument: str, command: Helpful) -> str:
    option = command.option_of(argument)
    return option if option.startswith("--") else f"`{argument}`"


def echo(text: str, *, end: bool = True) -> None:
    """Print a result."""
    try:
        click.echo(text, nl=end)
    except BrokenPipeError:
        raise
    except OSError as error:
        message = f"standard output cannot be written ({error.strerror or error})."
        raise CannotPrintError(message) from None


def save(figure: Figure, path: str | Path, *, dpi: int) -> None:
    """Write a picture whole or not at all, with the mark by which it may be replaced later."""
    key = "Software" if Path(path).suffix.lower() == ".png" else "Creator"
    with whole_file(path) as beside:
        figure.savefig(beside, dpi=dpi, metadata={key: f"{PICTURE_MARK}{confroc.__version__}"})
