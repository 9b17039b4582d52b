"""What a command prints: tables, JSON and pictures, and beside them notes and progress.

Results go to standard output, so that they can be piped. Notes, progress and the names of files written go to
the error stream; progress only to a terminal.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

import click

import confroc
from confroc._check import ArgumentError
from confroc._files import check_output, json_text, whole_file
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
REPLACE = "Choose another name, or replace the file with --force."
PICTURE_MARK = "Drawn by confroc "
"""The mark of pictures that may be replaced."""


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


class Output(AbstractContextManager["Output"]):
    """The output of one command; notes and the names of files written follow at the end.

    Parameters
    ----------
    command : str
        Its name, for JSON.
    as_json, quiet : bool
    plot : str, optional
        Picture to write.
    force : bool
        Replace files that confroc did not write.
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
        """What was read, by its name in JSON."""
        self._content: dict[str, Any] = {}
        self._catching = warnings.catch_warnings(record=True)
        self._caught: list[warnings.WarningMessage] = []
        self._notes: dict[str, dict[str, None]] = {}
        self._written: list[str] = []
        self._printed = False
        self._status: Any = None

    def __enter__(self) -> Output:
        if self.plot is not None:
            self.check_output("plot", self.plot, PICTURE_MARK)
        caught = self._catching.__enter__()
        assert caught is not None
        self._caught = caught
        warnings.simplefilter("always", confroc.ConfrocWarning)
        return self

    def check_output(self, argument: str, path: str | Path, mark: str) -> None:
        """Refuse to write over what is read, or without `--force` over a file without the mark."""
        from confroc.ingest.files import files_read

        read = [file for source in self.reads for file in files_read(source)]
        self.check(check_output, argument, path, mark=mark, inputs=read)

    def check(self, files: Callable[..., object], *args: Any, **kwargs: Any) -> None:
        """Check the files to write by a function that accepts `force`, and name the option where it helps."""
        files(*args, **kwargs, force=True)
        try:
            files(*args, **kwargs, force=self.force)
        except ArgumentError as error:
            raise ArgumentError(error.argument, error.rule, error.value, REPLACE) from None

    def __exit__(self, *raised: Any) -> None:
        self.still()
        self._catching.__exit__(*raised)
        if raised[0] is not None:
            return
        warned = [str(w.message) for w in self._caught if issubclass(w.category, confroc.ConfrocWarning)]
        if self.as_json:
            head = {"schema": SCHEMA, "command": self.command, "version": confroc.__version__}
            content = head | self.data | {"notes": list(dict.fromkeys(warned))} | self._content
            click.echo(visible(json_text(content)))
        elif self._printed:
            for name, data in self.data.items():
                line = "{n_pos} positives ({positive}), {n_neg} negatives ({negative})".format(**data)
                click.echo(visible(line if name == "data" else f"{name} {line}"))
        if not self.quiet:
            notes: dict[str, dict[str, None]] = {note: {} for note in warned} | self._notes
            for note, names in notes.items():
                click.echo(visible(": ".join(filter(None, ("note", ", ".join(names), note)))), err=True)
            for path in self._written:
                click.echo(visible(f"wrote {path}"), err=True)

    def note_dropped(self, data: About) -> None:
        """Note how many rows were left out, if any were."""
        if data["n_dropped"]:
            line = f"{data['n_dropped']} of {data['n_rows']} rows dropped for missing values"
            self._notes.setdefault(line, {})[data["source"]] = None

    # --- progress ------------------------------------------------------------------------------------

    def doing(self, what: str) -> None:
        """Show on a terminal what is being done."""
        # First, because the progress shown replaces the error stream.
        self.still()
        if self.quiet or not sys.stderr.isatty():
            return
        from rich.console import Console
        from rich.text import Text

        # As text, since names may look like markup.
        self._status = Console(stderr=True).status(Text(visible(what)))
        self._status.start()

    def each(self, items: Mapping[Any, T], what: str) -> Iterator[tuple[Any, T]]:
        """Go through models or pairs, and show on a terminal which one is being computed."""
        for number, (name, item) in enumerate(items.items(), 1):
            shown = " and ".join(name) if isinstance(name, tuple) else name
            of = f" ({number} of {len(items)})" if len(items) > 1 else ""
            self.doing(f"{what}: {shown}{of} ...")
            yield name, item

    def still(self) -> None:
        """Remove the progress."""
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
        table = joined(title or FUNCTIONS[key].title, tables, by="pair" if pairs else "model")
        self.table(table._replace(notes=()))

    def run(
        self,
        function: Callable[..., R],
        items: Mapping[Any, Any],
        *,
        title: str | None = None,
        **options: Any,
    ) -> dict[Any, R]:
        """Call a function for each model or pair of models, and show its results."""
        name = function.__name__
        found = {key: function(item, **options) for key, item in self.each(items, name)}
        self.show(name, found, title)
        return found

    def state(self, key: str, result: Result) -> None:
        """Show one result by its headline."""
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
            click.echo(text)

    def wrote(self, path: str | Path) -> None:
        """Report at the end that a file was written."""
        self._written.append(str(path))

    def draw(self, draw: Callable[[Axes], object], *, size: tuple[float, float] = (5.5, 5.5)) -> None:
        """Write the picture of `--plot`; an old one is replaced once the new one is whole."""
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


def save(figure: Figure, path: str | Path, *, dpi: int) -> None:
    """Write a picture whole or not at all, with the mark by which it may be replaced later."""
    key = "Software" if Path(path).suffix.lower() == ".png" else "Creator"
    with whole_file(path) as beside:
        figure.savefig(beside, dpi=dpi, metadata={key: f"{PICTURE_MARK}{confroc.__version__}"})
