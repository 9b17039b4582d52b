"""Output of a command: tables, JSON, pictures, notes and progress.

Results go to standard output. Notes and the names of written files go to standard error, and so does progress
if standard error is a terminal.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

import click
import numpy as np

import confroc
from confroc._check import ArgumentError, DesignError, held
from confroc._files import check_output, json_text, whole_file
from confroc._progress import Report, Reported, progress_bar
from confroc.base import FAMILIES
from confroc.ingest.reversal import Reversed, in_column, in_scores, negated
from confroc.results.shown import PAGE, AtMost, Table, as_latex, as_text, by_note, cell, joined, visible
from confroc.scores import class_sizes

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
SIDES = ("threshold_a", "threshold_b", "positive_rate_b")
"""Columns of differences that repeat the values of the models."""
DIFFERENCE = re.compile(r"(\w+)_a - \1_b ?")
"""The name of a difference."""
DESIGN_FLAGS = {"--weight": "sample_weight", "--cluster": "cluster", "--strata": "strata"}
DEPENDENT = "confroc interval and confroc compare accept it for any --statistic, e.g. brier_score."
"""The remedy where these options are not available."""
PICTURE_MARK = "Drawn by confroc "
"""Metadata of pictures that may be replaced without `--force`."""


class About(TypedDict):
    """The source, class labels, numbers of cases, and bounds on rounding errors."""

    source: str
    label: str
    positive: str
    negative: str
    n_rows: int
    n_dropped: int
    n_pos: float
    n_neg: float
    reversed: list[str]
    design: str | None
    rounding: dict[str, dict[str, float]]


def about(cases: Cases) -> About:
    """Describe cases for JSON."""
    first = next(iter(cases.models.values()))
    (n_pos, n_neg), design = class_sizes(first), None if first.design is None else str(first.design)
    if first.design is not None and first.design.weighted:
        design = f"{design}, weighted prevalence {first.n_pos / (first.n_pos + first.n_neg):.4g}"
    inexact = {name: scores for name, scores in cases.models.items() if not scores.exact}
    return {
        "source": cases.source,
        "label": cases.label,
        "positive": cases.positive,
        "negative": cases.negative,
        "n_rows": cases.n_rows,
        "n_dropped": cases.n_dropped,
        "n_pos": n_pos,
        "n_neg": n_neg,
        "reversed": list(cases.turned),
        "design": design,
        "rounding": {
            name: {"fpr_error": s.fpr_error, "tpr_error": s.tpr_error, "auc_error": s.auc_error}
            for name, s in inexact.items()
        },
    }


@dataclass
class Output(AbstractContextManager["Output"]):
    """The output of one command; notes and the names of written files come last.

    Attributes
    ----------
    command : str
        Its name, for JSON.
    as_json, as_csv, as_latex, quiet : bool
    plot : str, optional
        Picture to write.
    force : bool
        Replace files that confroc did not write.
    fail_below : float, optional
        Exit with code 1 if a lower confidence limit of the first results is below.
    reads : sequence of str
        Sources, which are never overwritten.
    data : dict
        Description of the data, by key in JSON.
    all_reversed : bool
        Whether all score columns are read with their signs reversed.
    warned : list of str
        Warnings so far.
    """

    command: str
    as_json: bool = False
    as_csv: bool = False
    as_latex: bool = False
    quiet: bool = False
    plot: str | None = None
    force: bool = False
    fail_below: float | None = None
    reads: Sequence[str] = ()
    data: dict[str, About] = field(default_factory=dict)
    all_reversed: bool = False
    warned: list[str] = field(default_factory=list)
    _content: dict[str, Any] = field(default_factory=dict)
    _notes: dict[str, dict[str, None]] = field(default_factory=dict)
    _dropped: dict[str, tuple[int, int]] = field(default_factory=dict)
    _written: list[str] = field(default_factory=list)
    _holding: ExitStack = field(default_factory=ExitStack)
    _printed: bool = False
    _limits: dict[str, float] = field(default_factory=dict)
    _shown: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> Output:
        if self.as_json + self.as_csv + self.as_latex > 1:
            raise click.UsageError("Give one of --json, --csv and --latex.")
        if self.plot is not None:
            self.check_output("plot", self.plot, PICTURE_MARK)
        self.warned = self._holding.enter_context(held())
        return self

    def check_output(self, argument: str, path: str | Path, mark: str) -> None:
        """Refuse to overwrite a source, or without `--force` a file without the mark."""
        from confroc.ingest.files import files_read

        read = [file for source in self.reads for file in files_read(source)]
        self.check(check_output, argument, path, mark=mark, inputs=read)

    def check(self, files: Callable[..., object], *args: Any, **kwargs: Any) -> None:
        """Check the files to write by a function with an argument `force`; mention the option if it helps."""
        files(*args, **kwargs, force=True)
        try:
            files(*args, **kwargs, force=self.force)
        except ArgumentError as error:
            raise ArgumentError(error.argument, error.rule, error.value, REPLACE) from None

    def __exit__(self, *raised: Any) -> None:
        self.still()
        self._holding.close()
        if raised[0] is not None:
            return
        if self.as_json:
            head = {"schema": SCHEMA, "command": self.command, "version": confroc.__version__}
            content = head | self.data | {"notes": list(dict.fromkeys(self.warned))} | self._content
            click.echo(visible(json_text(content)))
        elif self._printed and not (self.as_csv or self.as_latex):
            for name, data in self.data.items():
                line = "{n_pos:,} positives ({positive}), {n_neg:,} negatives ({negative})".format(**data)
                line += f"; {data['design']}" if data.get("design") else ""
                click.echo(visible(line if name == "data" else f"{name} {line}"))
            if self._reversed:
                line = f"{', '.join(self._reversed)}: predicted positive at or below the threshold"
                click.echo(visible(line))
        notes: dict[str, dict[str, None]] = {note: {} for note in self.warned} | self._notes
        for source, (n, rows) in self._dropped.items():
            notes.setdefault(f"{n:,} of {rows:,} rows dropped for missing values", {})[source] = None
        for note, names in notes.items():
            line = ": ".join(filter(None, ("note", ", ".join(names), as_typed(note))))
            click.echo(visible(line), err=True)
        for path in () if self.quiet else self._written:
            click.echo(visible(f"wrote {path}"), err=True)
        # NaN fails.
        below = [f"{name} {x:.4f}" for name, x in self._limits.items() if not x >= (self.fail_below or 0.0)]
        if self.fail_below is not None and below:
            message = (
                f"The lower confidence limit is below --fail-below {self.fail_below:g}: {', '.join(below)}."
            )
            raise click.ClickException(visible(message))

    def note_data(self, called: str, data: About) -> None:
        """Record the description of data under its key, if any, and note the number of dropped rows."""
        if called:
            self.data[called] = data
        if data["n_dropped"]:
            # Columns of groups and segments can have further gaps.
            found = data["n_dropped"], data["n_rows"]
            self._dropped[data["source"]] = max(found, self._dropped.get(data["source"], found))

    # --- progress ------------------------------------------------------------------------------------

    def doing(self, what: str, total: int | None = None) -> Report:
        """Show progress; return a function to report the number of steps done."""
        self.still()
        if self.quiet:
            return Reported()
        return self._shown.enter_context(progress_bar(visible(what), total))

    def each(self, items: Mapping[Any, T], what: str) -> Iterator[tuple[Any, T]]:
        """Iterate over models or pairs, and show progress."""
        report = self.doing(what, len(items))
        for name, item in items.items():
            yield name, item
            report(1)

    def still(self) -> None:
        """Remove the progress."""
        self._shown.close()

    # --- results -------------------------------------------------------------------------------------

    def show(
        self,
        key: str,
        found: Mapping[Any, Result],
        title: str | None = None,
        *,
        more: Mapping[str, Mapping[Any, Result]] = MappingProxyType({}),
        above: Mapping[str, Mapping[str, Result]] = MappingProxyType({}),
    ) -> None:
        """Print the results of one function as a table, or add them to the JSON under the function's name.

        Parameters
        ----------
        key : str
            The function's name.
        found : mapping of str, or of (str, str), to Result
            Results by model, or by pair of models.
        title : str, optional
            Default: the title of the function's family of methods.
        more : mapping of str to mapping of str to Result, optional
            Other statistics of the same models by name, for further rows of the table.
        above : mapping of str to mapping of str to Result, optional
            Results of the single models by function, for rows above those of the pairs.
        """
        if not found:
            return
        results: Mapping[Any, Any] = found

        if self.fail_below is not None and not self._limits:
            self.gate({name: value.lower for name, value in results.items()})
        if self.as_json:
            for own, shown in {**above, key: found, **more}.items():
                plain = {
                    name: in_column(value.to_dict(), self.reverses(name)) for name, value in shown.items()
                }
                self._content[own] = (
                    [{"a": name[0], "b": name[1], **value} for name, value in plain.items()]
                    if isinstance(next(iter(shown)), tuple)
                    else plain
                )
            return
        # Next to single models, a difference has its value in the same column.
        made = {
            name: value.table(most=None) if above else self._table(value) for name, value in found.items()
        }
        tables = {named(name): self.in_column(name, table) for name, table in made.items()}
        if more:
            statistics = {results[next(iter(found))].quantity: found, **more}
            tables = {
                name: joined(
                    "",
                    {s: self.in_column(name, _unnamed(of[name])) for s, of in statistics.items()},
                    by="statistic",
                )
                for name in tables
            }
        for shown in above.values():
            single = {name: self.in_column(name, value.table(most=None)) for name, value in shown.items()}
            tables = single | {name: _below(table) for name, table in tables.items()}
        for note, names in by_note(tables).items():
            self._notes.setdefault(note, {}).update(dict.fromkeys(names))
        pairs = isinstance(next(iter(found)), tuple) and not above
        table = joined(title or FAMILIES[key].title, tables, by="pair" if pairs else "model")
        self.table(table._replace(notes=()))

    def _table(self, result: Result) -> Table:
        return result._page(most=None) if self.as_latex else result.table(most=None)

    def run(
        self,
        function: Callable[..., R],
        items: Mapping[Any, Any],
        *,
        title: str | None = None,
        above: Mapping[str, Mapping[str, Result]] = MappingProxyType({}),
        **options: Any,
    ) -> dict[Any, R]:
        """Call a function for each model or pair of models, and print its results."""
        found = self.computed(function, items, **options)
        self.show(function.__name__, found, title, above=above)
        return found

    def computed(self, function: Callable[..., R], items: Mapping[Any, Any], **options: Any) -> dict[Any, R]:
        """Call a function for each model or pair of models."""
        return {
            key: function(item, **in_scores(options, self.reverses(key)))
            for key, item in self.each(items, function.__name__)
        }

    def reverses(self, key: str | tuple[str, ...]) -> Reversed:
        """Whether the column of a model, or of each of several, is reversed."""
        names = (key,) if isinstance(key, str) else key
        if self.all_reversed:
            return (True,) * len(names)
        # A model in another file is named "score (file)".
        return tuple(any(f"{name} ".startswith(f"{one} ") for one in self._reversed) for name in names)

    @property
    def _reversed(self) -> list[str]:
        return self.data["data"]["reversed"] if "data" in self.data else []

    def in_column(self, key: str | tuple[str, str], table: Table) -> Table:
        """Return the table of a model, or of a pair, with thresholds in the numbers of the column."""
        return table._replace(columns=in_column(table.columns, self.reverses(key)))

    def gate(self, lower: Mapping[Any, Any]) -> None:
        """Record the lower limits of the first results, for `--fail-below`."""
        self._limits = {named(name): float(np.min(limit)) for name, limit in lower.items()}

    def state(self, key: str, result: Result) -> None:
        """Print one result by its headline."""
        self.add(key, result.to_dict())
        self._notes |= {note: {} for note in getattr(result, "notes", ())}
        self.line(result.headline)

    def table(self, table: Table) -> None:
        """Print a table; its notes are printed at the end."""
        self._notes |= {note: {} for note in table.notes}
        named = {DIFFERENCE.sub(r"\1_difference", name): values for name, values in table.columns.items()}
        table = table._replace(columns=named)
        if self.as_csv:
            self.still()
            lines = io.StringIO("\n" if self._printed else "", newline="")
            lines.seek(0, io.SEEK_END)
            columns = dict[str, Sequence[Any]]()
            for name, values in table.columns.items():
                columns[name] = [*map(_field, values)]
                signs = ["<=" if isinstance(value, AtMost) else "=" for value in values]
                columns |= {f"{name}_is": signs} if "<=" in signs else {}
            rows = zip(*columns.values(), strict=True)
            csv.writer(lines, lineterminator="\n").writerows([columns, *rows])
            click.echo(visible(lines.getvalue()), nl=False)
            self._printed = True
            return
        table = table._replace(notes=(), claims=as_typed(table.claims))
        if self.as_latex:
            click.echo("\n" * self._printed + as_latex(table))
            self._printed = True
            return
        # Programs that read the output depend on its layout, which depends on no width.
        heading, _, rest = as_text(table, page=PAGE).partition("\n")
        self._line(f"{chr(10) if self._printed else ''}{click.style(heading, bold=True)}\n{rest}")
        self._printed = True

    def add(self, key: str, value: Any) -> None:
        """Add a value to the JSON."""
        self._content[key] = value

    def line(self, text: str) -> None:
        """Print a line, unless the output is JSON, CSV or LaTeX."""
        self._line(visible(text))

    def _line(self, text: str) -> None:
        # Otherwise the progress would remain above the line.
        self.still()
        if not (self.as_json or self.as_csv or self.as_latex):
            # Other programs read numbers with an ASCII sign only.
            click.echo(text.replace("−", "-"))

    def wrote(self, *paths: str | Path) -> None:
        """Record that files were written, for the end of the output."""
        self._written += map(str, paths)

    def draw(
        self,
        draw: Callable[[Axes], object],
        *,
        size: tuple[float, float] = (5.5, 5.5),
        scores: bool = False,
    ) -> None:
        """Write the picture of `--plot`; an existing one is replaced only by a complete one.

        `scores` is whether the abscissa is the score, which is then shown in the numbers of the column.
        """
        if self.plot is None:
            return
        self.doing("drawing")
        from matplotlib.figure import Figure

        figure = Figure(figsize=size, layout="constrained")
        ax = figure.add_subplot()
        draw(ax)
        if scores and self.all_reversed:
            ax.xaxis.set_major_formatter(lambda at, _: f"{negated(at):g}")
        save(figure, self.plot, dpi=150)
        self.wrote(self.plot)


def named(name: str | tuple[str, str]) -> str:
    """Return the name of a model, or of a pair of models."""
    return name if isinstance(name, str) else " - ".join(name)


def _field(value: Any) -> Any:
    """Return a value for CSV: a missing one is empty, truth values are as in JSON, class sizes as printed."""
    if isinstance(value, tuple):
        return cell(value)
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    return "" if isinstance(value, float | np.floating) and np.isnan(value) else value


def _unnamed(result: Result) -> Table:
    """Return the table of an interval without the name of its statistic."""
    table = result.table(most=None)
    return table._replace(columns={n: v for n, v in table.columns.items() if n != "quantity"})


def _below(table: Table) -> Table:
    """Return the table of a difference under the columns of the two models' values."""
    found = {"positive_rate" if n == "positive_rate_a" else n: v for n, v in table.columns.items()}
    kept = {_of_one(name): values for name, values in found.items() if name not in SIDES}
    if "quantity" in kept:
        kept["quantity"] = [*map(_of_one, kept["quantity"])]
    return table._replace(columns=kept)


def _of_one(quantity: str) -> str:
    """Return the name of a quantity of which a difference is named, e.g. "auc" for "auc_a - auc_b"."""
    return DIFFERENCE.sub(r"\1", quantity)


def save(figure: Figure, path: str | Path, *, dpi: int) -> None:
    """Write a picture completely or not at all, with the mark by which it may be replaced later."""
    key = "Software" if Path(path).suffix.lower() == ".png" else "Creator"
    with whole_file(path) as temporary:
        figure.savefig(temporary, dpi=dpi, metadata={key: f"{PICTURE_MARK}{confroc.__version__}"})


class Unusable(click.ClickException):
    """Data or a file that cannot be used; as in `grep`, exit code 1 is an answer, that of `--fail-below`."""

    exit_code = 2


def failure(error: Exception) -> Unusable:
    """Return an error of the library with the names of options in place of arguments."""
    if isinstance(error, DesignError) and error.argument not in ("method", "cluster"):
        given = click.get_current_context().params
        flags = [flag for flag, name in DESIGN_FLAGS.items() if given.get(name)]
        return Unusable(f"{', '.join(flags)} is not available for this analysis. {DEPENDENT}")
    text = str(error)
    return Unusable(visible(as_typed(text) if isinstance(error, ArgumentError) else text))


def as_typed(text: str) -> str:
    """Replace arguments in backticks, and assignments like rng=1, by options of the current command."""
    typed = {
        str(p.name): max(p.opts, key=len) if isinstance(p, click.Option) else str(p.metavar).strip("[].")
        for p in click.get_current_context().command.params
    }
    typed["scores"] = typed.get("score", "scores")
    text = re.sub(r"(?<=`)\w+(?=[`\[])", lambda name: typed.get(name[0], name[0]), text)
    return re.sub(
        r"(?<=`)(\w+)=|\b(\w+)='([^']*)'",
        lambda m: f"{typed[m[1] or m[2]]} {m[3] or ''}" if (m[1] or m[2]) in typed else m[0],
        text,
    )
