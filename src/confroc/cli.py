"""Command line: parse, call, print.

Exit codes: 0 success, 1 the data do not allow it, 2 wrong usage.
"""

from __future__ import annotations

import json
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

import confroc
from confroc._check import ConfrocWarning

if TYPE_CHECKING:
    from confroc.ingest import Cases
    from confroc.results import Intervals

SCHEMA = "confroc/1"
EXAMPLE = "confroc {command} scores.csv --label outcome --positive Poor --score s100b --score ndka"
DEFAULT_FPR = (0.01, 0.05, 0.1, 0.2, 0.5)


# --- shared options and output ------------------------------------------------------------------------


def _data_options(command: Callable[..., None]) -> Callable[..., None]:
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
        command = option(command)
    return command


_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")


def _read(
    source: str,
    label: str,
    scores: Sequence[str],
    positive: str | None,
    nan_policy: Any,
    *,
    pairs: bool = False,
) -> Cases:
    from confroc.ingest import read_cases

    return read_cases(
        source, label=label, scores=scores, pos_label=positive, nan_policy=nan_policy, pairs=pairs
    )


def _in_options(message: str) -> str:
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
    }
    for word, option in words.items():
        message = message.replace(word, option)
    return message


@contextmanager
def _told_plainly() -> Iterator[None]:
    """Turn data errors into one sentence and exit code 1, and print warnings as notes, each once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConfrocWarning)
        try:
            yield
        except (ValueError, OSError) as error:
            click.echo(f"confroc: {_in_options(str(error))}", err=True)
            sys.exit(1)
        finally:
            for message in dict.fromkeys(str(w.message) for w in caught if w.category is ConfrocWarning):
                click.echo(f"note: {_in_options(message)}", err=True)


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


def _print_json(command: str, cases: Cases, content: dict[str, Any]) -> None:
    whole = {"schema": SCHEMA, "command": command, "version": confroc.__version__, "data": _describe(cases)}
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


def _print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], cases: Cases) -> None:
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


def _percent(level: float) -> str:
    return f"{100 * level:.10g} %"


# --- commands -----------------------------------------------------------------------------------------


class _Helpful(click.Command):
    """Ends usage errors with an example of what to type."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            example = f"Type, for example:\n  {EXAMPLE.format(command=self.name)}"
            raise click.UsageError(f"{error.format_message()}\n{example}", ctx) from None


class _Group(click.Group):
    """Lists commands in the order they are written, and suggests the nearest one."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from confroc._check import suggest

        name = args[0]
        if self.get_command(ctx, name) is None:
            listed = ", ".join(self.list_commands(ctx))
            ctx.fail(f"No such command {name!r}. {suggest(name, self.list_commands(ctx))}Commands: {listed}.")
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="\b\nBegin with:\n  " + EXAMPLE.format(command="report") + " -o report.html",
)
@click.version_option(confroc.__version__, prog_name="confroc")
def main() -> None:
    """Say how sure you can be of an ROC curve: intervals, bands and comparisons from a file of scores."""


@main.command(cls=_Helpful)
@_data_options
@click.option(
    "-o", "--output", default="report.html", show_default=True, metavar="PATH", help="HTML file to write."
)
def report(
    source: str,
    label: str,
    scores: tuple[str, ...],
    positive: str | None,
    nan_policy: str,
    confidence_level: float,
    output: str,
) -> None:
    """Write one self-contained HTML report, and the same numbers as JSON beside it."""
    with _told_plainly():
        from confroc.report import ReportData, build_report

        cases = _read(source, label, scores, positive, nan_policy, pairs=True)
        made = build_report(
            ReportData(
                source=cases.source,
                label=cases.label,
                positive=cases.positive,
                negative=cases.negative,
                n_rows=cases.n_rows,
                n_dropped=cases.n_dropped,
                models=cases.models,
                pairs=cases.pairs,
                confidence_level=confidence_level,
                command=_command_line(),
            )
        )
        for path in made.write(output):
            click.echo(f"wrote {path}", err=True)
        for line in made.headlines:
            click.echo(line)


def _command_line() -> str:
    import shlex

    return shlex.join(["confroc", *sys.argv[1:]])


@main.command(cls=_Helpful)
@_data_options
@click.option(
    "--method",
    type=click.Choice(["delong", "logit_delong", "newcombe"]),
    default="delong",
    show_default=True,
    help="Interval method.",
)
@_json_option
def auc(
    source: str,
    label: str,
    scores: tuple[str, ...],
    positive: str | None,
    nan_policy: str,
    confidence_level: float,
    method: Any,
    as_json: bool,
) -> None:
    """Print the area under the ROC curve of each model with its interval."""
    with _told_plainly():
        cases = _read(source, label, scores, positive, nan_policy)
        found = {
            name: confroc.auc_interval(model, method=method, confidence_level=confidence_level)
            for name, model in cases.models.items()
        }
        if as_json:
            _print_json("auc", cases, {"auc": {name: value.to_dict() for name, value in found.items()}})
            return
        rows = [
            [
                name,
                f"{v.estimate:.4f}",
                f"{v.lower:.4f}",
                f"{v.upper:.4f}",
                f"{v.standard_error:.4f}",
                v.method,
            ]
            for name, v in found.items()
        ]
        _print_table(
            f"Area under the ROC curve, {_percent(confidence_level)} intervals",
            ["model", "AUC", "lower", "upper", "SE", "method"],
            rows,
            cases,
        )


@main.command(cls=_Helpful)
@_data_options
@click.option("--fpr", "rates", type=float, multiple=True, help="False positive rate; repeat for more.")
@click.option(
    "--threshold", "thresholds", type=float, multiple=True, help="Score threshold; repeat for more."
)
@_json_option
def roc(
    source: str,
    label: str,
    scores: tuple[str, ...],
    positive: str | None,
    nan_policy: str,
    confidence_level: float,
    rates: tuple[float, ...],
    thresholds: tuple[float, ...],
    as_json: bool,
) -> None:
    """Print points of the ROC curve with intervals: TPR at given FPRs, both rates at given thresholds.

    JSON output adds the whole curve and its simultaneous band.
    """
    with _told_plainly():
        cases = _read(source, label, scores, positive, nan_policy)
        n_neg = next(iter(cases.models.values())).n_neg
        wanted = (
            rates or ()
            if thresholds and not rates
            else rates or tuple(f for f in DEFAULT_FPR if f * n_neg >= 1)
        )
        content: dict[str, Any] = {}
        fpr_rows, threshold_rows = [], []
        for name, model in cases.models.items():
            entry: dict[str, Any] = {"curve": confroc.roc_curve(model).to_dict()} if as_json else {}
            if wanted:
                points = confroc.tpr_at_fpr(model, wanted, confidence_level=confidence_level)
                entry["tpr_at_fpr"] = points.to_dict()
                fpr_rows += [[name, *row] for row in _interval_rows(points)]
            if thresholds:
                regions = confroc.rates_at_threshold(model, thresholds, confidence_level=confidence_level)
                entry["rates_at_threshold"] = regions.to_dict()
                for (t, *tpr), (_, *fpr) in zip(
                    _interval_rows(regions.tpr), _interval_rows(regions.fpr), strict=True
                ):
                    threshold_rows.append([name, t, *fpr, *tpr])
            if as_json:
                entry["band"] = confroc.roc_band(model, confidence_level=confidence_level).to_dict()
            content[name] = entry
        if as_json:
            _print_json("roc", cases, {"roc": content})
            return
        shown = _percent(confidence_level)
        if fpr_rows:
            _print_table(
                f"True positive rate at a false positive rate, {shown} pointwise intervals",
                ["model", "FPR", "TPR", "lower", "upper"],
                fpr_rows,
                cases,
            )
        if threshold_rows:
            _print_table(
                f"Rates at a threshold, {shown} joint rectangles",
                ["model", "threshold", "FPR", "lower", "upper", "TPR", "lower", "upper"],
                threshold_rows,
                cases,
            )


def _interval_rows(intervals: Intervals) -> list[list[str]]:
    columns = (intervals.at, intervals.estimate, intervals.lower, intervals.upper)
    return [[f"{at:.6g}", *(f"{v:.4f}" for v in values)] for at, *values in zip(*columns, strict=True)]


@main.command(cls=_Helpful)
@_data_options
@_json_option
def compare(
    source: str,
    label: str,
    scores: tuple[str, ...],
    positive: str | None,
    nan_policy: str,
    confidence_level: float,
    as_json: bool,
) -> None:
    """Compare the areas of models scored on the same cases, two at a time (paired DeLong test)."""
    if len(scores) < 2:
        raise click.UsageError(
            "compare needs at least two --score columns.\nType, for example:\n  "
            + EXAMPLE.format(command="compare")
        )
    with _told_plainly():
        cases = _read(source, label, scores, positive, nan_policy, pairs=True)
        found = {
            names: confroc.auc_difference(pair, confidence_level=confidence_level)
            for names, pair in cases.pairs.items()
        }
        if as_json:
            listed = [{"a": a, "b": b, **value.to_dict()} for (a, b), value in found.items()]
            _print_json("compare", cases, {"auc_difference": listed})
            return
        rows = [
            [
                f"{a} - {b}",
                f"{v.estimate:+.4f}",
                f"{v.lower:+.4f}",
                f"{v.upper:+.4f}",
                f"{v.pvalue:.4g}",
                f"{v.method}, {v.design}",
            ]
            for (a, b), v in found.items()
        ]
        _print_table(
            f"Difference of areas, {_percent(confidence_level)} intervals",
            ["models", "difference", "lower", "upper", "p", "method"],
            rows,
            cases,
        )


if __name__ == "__main__":
    main()
