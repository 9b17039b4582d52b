"""The options that commands share: which data, what to print, what resampling may do."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from confroc.cli.group import DATA, Helpful, Named
from confroc.cli.output import FIGURES, FigureFile, Output
from confroc.cli.source import Data, opened

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Function = Callable[..., None]
Decorator = Callable[[Function], Function]

BOTH = f"{DATA} --score s100b --score ndka"
ONE = f"{DATA} --score s100b"


def command(example: str) -> Callable[[Callable[..., None]], Helpful]:
    """Make a command that shows an example, named as its function."""

    def made(function: Callable[..., None]) -> Helpful:
        name = function.__name__.rstrip("_")
        return click.command(name, cls=Helpful, example=f"confroc {name} {example}")(function)

    return made


def _apply(function: Function, options: Sequence[Decorator]) -> Function:
    for option in reversed(options):
        function = option(function)
    return function


def complete_column(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offer the columns of the file already named on the line."""
    from click.shell_completion import CompletionItem

    # An option that still waits for its value keeps click from telling which of the words is FILE.
    source = ctx.params.get("source") or next(iter(ctx.args), "")
    try:
        names = column_names(str(source))
    except (OSError, ValueError, ImportError):
        return []
    taken = ctx.params.get(str(param.name)) or ()
    return [CompletionItem(name) for name in names if name.startswith(incomplete) and name not in taken]


def column_names(source: str) -> list[str]:
    """Column names of a file, without reading its rows where that can be helped."""
    path = Path(source)
    if path.is_file() and path.suffix.lower() in (".csv", ".tsv", ".txt"):
        import csv

        with path.open(encoding="utf-8-sig", newline="") as file:
            first = file.readline()
        return [name.strip() for name in next(csv.reader([first], delimiter=max(",;\t|", key=first.count)))]
    if path.suffix.lower() not in (".parquet", ".pq"):
        return []
    from confroc.ingest.counts import counts_about
    from confroc.ingest.files import found_files, open_file

    about = counts_about(found_files(source))
    if about:
        return [about[0]["label"], *about[0]["scores"]]
    with open_file(source) as table:
        return list(table.columns)


def data_options(*, required: bool = True, level: bool = True) -> Decorator:
    """Add the options of `Data` and pass them to the command as its argument `data`."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def with_data(**given: Any) -> None:
            given.setdefault("confidence_level", 0.95)
            own = {name: given.pop(name) for name in Data.__dataclass_fields__}
            function(data=None if own["source"] is None else Data(**own), **given)

        options: list[Decorator] = [
            click.argument("source", metavar="FILE" if required else "[FILE]", required=required),
            click.option(
                "--label",
                required=required,
                metavar="COLUMN",
                help="Column of true classes.",
                shell_complete=complete_column,
            ),
            click.option(
                "--score",
                "scores",
                required=required,
                multiple=True,
                metavar="COLUMN",
                help="Score column; repeat it for more models. Higher means more likely positive.",
                shell_complete=complete_column,
            ),
            click.option(
                "--pos-label",
                metavar="LABEL",
                help="The positive class. Not needed for 0/1, -1/1 and true/false labels.",
            ),
            click.option(
                "--nan-policy",
                type=click.Choice(["raise", "omit"]),
                default="raise",
                show_default=True,
                help="Rows with a missing label or score: stop, or drop them and report how many.",
            ),
            click.option(
                "--resolution",
                type=int,
                metavar="LEVELS",
                help="Round scores to at most so many levels while reading, for data with very many distinct "
                "ones. What that may change is bounded, and reported.",
            ),
        ]
        if level:
            options.append(level_option)
        return _apply(with_data, options)

    return decorate


def choice(flag: str, names: Sequence[str], default: str, help: str) -> Decorator:
    """Make an option that takes one of several names, and lists them."""
    return click.option(
        flag,
        type=Named(names),
        default=default,
        show_default=True,
        metavar="NAME",
        help=f"{help} One of {', '.join(names)}.",
    )


level_option = click.option(
    "--confidence-level",
    type=float,
    default=0.95,
    show_default=True,
    metavar="LEVEL",
    help="Confidence level of every interval.",
)
seed_option = click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    metavar="N",
    help="Seed of whatever resamples; the same seed gives the same numbers.",
)


def resampling_options(default: int) -> Decorator:
    """Add the number of resamples and their seed."""
    count = click.option(
        "--n-resamples",
        type=int,
        default=default,
        show_default=True,
        metavar="N",
        help="Resamples, for methods that draw them.",
    )
    return lambda function: _apply(function, [count, seed_option])


class Part(NamedTuple):
    """Part of the area, as `auc_interval` and `auc_difference` take it."""

    max_fpr: float | None
    min_tpr: float | None
    standardize: bool

    @property
    def words(self) -> str:
        """What a title adds to "area"."""
        found = "" if self.max_fpr is None else f" up to a false positive rate of {self.max_fpr:g}"
        if self.min_tpr is not None:
            found += f" above a true positive rate of {self.min_tpr:g}"
        return f"{found} (standardized)" if found and self.standardize else found


def part_options(function: Function) -> Function:
    """Add the options of a partial area, and pass them to the command as its argument `part`."""

    @functools.wraps(function)
    def with_part(**given: Any) -> None:
        own = {name: given.pop(name) for name in Part._fields}
        function(part=Part(**own), **given)

    return _apply(
        with_part,
        [
            click.option(
                "--max-fpr", type=float, metavar="RATE", help="Area up to this false positive rate only."
            ),
            click.option(
                "--min-tpr", type=float, metavar="RATE", help="Area above this true positive rate only."
            ),
            click.option(
                "--standardize",
                is_flag=True,
                help="Put a partial area on McClish's scale: chance 0.5, perfect 1.",
            ),
        ],
    )


def output_options(*, plot: str | None = None) -> Decorator:
    """Add what is common to printing, and pass it to the command as its argument `out`."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def with_output(*, as_json: bool, quiet: bool, plot: str | None = None, **given: Any) -> None:
            function(out=Output(as_json=as_json, quiet=quiet, plot=plot), **given)

        options: list[Decorator] = [
            click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables."),
            click.option("-q", "--quiet", is_flag=True, help="Nothing on the error stream but errors."),
        ]
        if plot is not None:
            kinds = ", ".join(ending.lstrip(".") for ending in FIGURES)
            picture = click.option(
                "--plot", type=FigureFile(), metavar="PATH", help=f"Also draw {plot} ({kinds})."
            )
            options.insert(0, picture)
        return _apply(with_output, options)

    return decorate


__all__ = [
    "BOTH",
    "DATA",
    "ONE",
    "Data",
    "Part",
    "choice",
    "command",
    "data_options",
    "level_option",
    "opened",
    "output_options",
    "part_options",
    "resampling_options",
    "seed_option",
]
