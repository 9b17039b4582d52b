"""What the commands share: options, plain words for errors, tables and JSON."""

from __future__ import annotations

import functools
import json
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

import confroc
from confroc._check import ConfrocWarning

if TYPE_CHECKING:
    from confroc.ingest import Cases
    from confroc.scores import NanPolicy

SCHEMA = "confroc/1"
EXAMPLE = "confroc {command} scores.csv --label outcome --positive Poor --score s100b --score ndka"


@dataclass(frozen=True, kw_only=True)
class Data:
    """The options that say which data to read, and at which level to speak."""

    source: str
    label: str
    scores: tuple[str, ...]
    positive: str | None
    nan_policy: NanPolicy
    confidence_level: float

    def read(self, *, pairs: bool = False, resolution: int | None = None) -> Cases:
        """Read the cases; see `confroc.ingest.read_cases`."""
        from confroc.ingest import read_cases

        return read_cases(
            self.source,
            label=self.label,
            scores=self.scores,
            pos_label=self.positive,
            nan_policy=self.nan_policy,
            resolution=resolution,
            pairs=pairs,
        )


def data_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of `Data` and pass them to the command as its argument `data`."""

    @functools.wraps(command)
    def with_data(**options: Any) -> None:
        own = {name: options.pop(name) for name in Data.__dataclass_fields__}
        command(data=Data(**own), **options)

    decorated: Callable[..., None] = with_data
    options = [
        click.argument("source", metavar="FILE"),
        click.option("--label", required=True, metavar="COLUMN", help="Column of true classes."),
        click.option(
            "--score",
            "scores",
            required=True,
            multiple=True,
            metavar="COLUMN",
            help="Score column; repeat it for more models. Higher means more likely positive.",
        ),
        click.option(
            "--positive",
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
            "--confidence-level",
            type=float,
            default=0.95,
            show_default=True,
            help="Confidence level of every interval.",
        ),
    ]
    for option in reversed(options):
        decorated = option(decorated)
    return decorated


seed_option = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Seed of anything that resamples.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")


def in_options(message: str) -> str:
    """Say in command-line words what a library message says in Python's."""
    message = re.sub(r"pos_label='([^']*)'", r"--positive \1", message)
    message = re.sub(r"nan_policy='(\w+)'", r"--nan-policy \1", message)
    words = {
        "`pos_label`": "`--positive`",
        "`label`": "`--label`",
        "`score`": "`--score`",
        "`source`": "`FILE`",
        "`confidence_level`": "`--confidence-level`",
        "`fpr`": "`--fpr`",
        "`threshold`": "`--threshold`",
        "`false_negative`": "`--miss`",
        "`false_positive`": "`--false-alarm`",
        "`prior`": "`--prior`",
        "`psi`": "`--psi`",
        "`radius`": "`--radius`",
        "`method`": "`--method`",
        "`path`": "`--output`",
        "`resolution`": "`--resolution`",
    }
    for word, option in words.items():
        message = message.replace(word, option)
    return message


@contextmanager
def told_plainly() -> Iterator[None]:
    """Turn data errors into one sentence and exit code 1, and print warnings as notes, each once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConfrocWarning)
        try:
            yield
        except (ValueError, OSError, ImportError) as error:
            click.echo(f"confroc: {in_options(str(error))}", err=True)
            sys.exit(1)
        finally:
            for message in dict.fromkeys(str(w.message) for w in caught if w.category is ConfrocWarning):
                click.echo(f"note: {in_options(message)}", err=True)


def _describe(cases: Cases) -> dict[str, Any]:
    first = next(iter(cases.models.values()))
    return {
        "source": cases.source,
        "label": cases.label,
        "positive": cases.positive,
        "negative": cases.negative,
        "n_rows": cases.n_rows,
        "n_dropped": cases.n_dropped,
        "n_pos": first.n_pos,
        "n_neg": first.n_neg,
    }


def print_json(command: str, cases: Cases | None, content: dict[str, Any]) -> None:
    """Print a result as JSON, with what it was computed from."""
    whole: dict[str, Any] = {"schema": SCHEMA, "command": command, "version": confroc.__version__}
    if cases is not None:
        whole["data"] = _describe(cases)
    click.echo(json.dumps(_finite(whole | content), indent=2, allow_nan=False))


def _finite(value: Any) -> Any:
    """Replace NaN and infinities, which JSON lacks, by null."""
    if isinstance(value, dict):
        return {k: _finite(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_finite(v) for v in value]
    if isinstance(value, float) and not -sys.float_info.max <= value <= sys.float_info.max:
        return None
    return value


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], cases: Cases) -> None:
    """Print a table under its title, with a line on the data below."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    about = _describe(cases)
    caption = (
        f"{about['n_pos']} positives ({about['positive']}), {about['n_neg']} negatives ({about['negative']})"
    )
    if cases.n_dropped:
        caption += f"; {cases.n_dropped} of {cases.n_rows} rows dropped for missing values"
    table = Table()
    for number, column in enumerate(columns):
        table.add_column(Text(column), justify="left" if number == 0 else "right", no_wrap=number == 0)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    # A pipe has no width of its own; wrapping there would only spoil what reads it.
    console = Console(width=None if sys.stdout.isatty() else 160)
    for part in (Text(title, style="bold"), table, Text(caption, style="italic")):
        console.print(part)


def percent(level: float) -> str:
    """Write a level as a percentage."""
    return f"{100 * level:.10g} %"


class Helpful(click.Command):
    """Ends usage errors with an example of what to type."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, and add the example to a complaint."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            example = f"Type, for example:\n  {EXAMPLE.format(command=self.name)}"
            raise click.UsageError(f"{error.format_message()}\n{example}", ctx) from None
