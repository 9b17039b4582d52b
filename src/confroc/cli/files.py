"""Commands that write files: `report`, `counts`, and `demo`, which writes the example data too."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

import confroc
from confroc._check import ArgumentError
from confroc._files import write_text
from confroc.cli import options as opt
from confroc.cli.data import Data
from confroc.cli.output import Output

if TYPE_CHECKING:
    from confroc.ingest import Cases
    from confroc.pages import Report, ReportData

EXAMPLE = "asah.csv"


class Written(NamedTuple):
    """The files of a report, and its results in plain sentences; the numbers are in the second file."""

    page: str
    numbers: str
    headlines: list[str]


class Shown(NamedTuple):
    """The example data, the files of the report on them, and its results in plain sentences."""

    data: str
    page: str
    numbers: str
    headlines: list[str]


class Counted(NamedTuple):
    """A file of counts, and how many distinct scores (of several models, rows of them) it holds."""

    path: str
    levels: int


@opt.command("report", f"{opt.BOTH} -o report.html", gives={"report": Written}, writes=True)
@opt.data_options()
@opt.option(
    "-o --output path",
    "PATH",
    "HTML file to write; the numbers go beside it under the same name with the ending .json.",
    default="report.html",
    show_default=True,
)
@opt.number(
    "--false-negative", "COST", "Cost of one false negative; with --false-positive, adds a section on costs."
)
@opt.number("--false-positive", "COST", "Cost of one false positive.")
@opt.number(
    "--prior", "SHARE", "Prevalence in use, e.g. 0.08, treated as known. Default: estimated from the sample."
)
@opt.number(
    "--jeffreys",
    "DISTANCE",
    "Drift for the forecast, as Jeffreys divergence, both classes added. Default: 0.1.",
)
@opt.number(
    "--threshold",
    "SCORE",
    "Threshold in use, for all models; or one for each --score, in their order. Default: the cheapest.",
    multiple=True,
)
@opt.option("--validation", "FILE", "Choose the thresholds on these cases instead.")
@opt.option(
    "--name names", "COLUMN=NAME", "Name a model in the report, e.g. a='Model A'; repeat it.", multiple=True
)
@opt.column("--group", "Add a comparison of the AUC between the groups in this column, e.g. regions.")
@opt.segment_options("a segment, such as a month; later ones are compared with the first")
@opt.option("--title", "TEXT", "Title of the page. Default: made from FILE.")
@opt.option("--description", "TEXT", "Plain text below the title; empty lines separate paragraphs.")
@opt.level_option
def report(
    data: Data,
    out: Output,
    *,
    path: str,
    threshold: tuple[float, ...] = (),
    validation: str | None = None,
    names: tuple[str, ...] = (),
    group: str | None = None,
    segment_column: str | None = None,
    segment_files: bool = False,
    **options: Any,
) -> None:
    """Write one self-contained HTML report, and the same numbers as JSON beside it.

    The report recommends the threshold that is cheapest for the costs given, by default equal ones. Its cost
    is corrected for optimism, unless --validation or --threshold is given.
    """
    if len(threshold) > 1 and len(threshold) != len(data.score):
        wanted = f"once, or once for each of the {len(data.score)} --score columns"
        raise click.UsageError(f"--threshold is given {len(threshold)} times; give it {wanted}.")
    if group is not None:
        each = {one: replace(data, columns={**data.columns, "score": (one,)}) for one in data.score}
        options["group"] = group
        options["groups"] = {one: part.read_groups(out, group) for one, part in each.items()}
    if segment_column is not None or segment_files:
        _, options["segments"] = data.read_segments(out, segment_column, segment_files)
        options["segment"] = segment_column or "file"
    options["names"] = dict(_renamed(text) for text in names)
    cases = data.read(out, pairs=True)
    if threshold:
        given = threshold if len(threshold) > 1 else threshold * len(cases.models)
        options["threshold"] = dict(zip(cases.models, given, strict=True))
    if validation is not None:
        others = data.read_other(out, "validation", validation, pairs=True)
        options["validation"] = others.scores or others.models[data.score[0]]
        options["validation_source"] = others.source
    made, page, numbers = _write_report(_report_data(cases, out, path, **options), out, path)
    out.add("report", Written(page, numbers, list(made.headlines))._asdict())


def _renamed(text: str) -> tuple[str, str]:
    """Return a column and what its model is called."""
    column, equals, name = text.partition("=")
    if not (column and equals and name):
        raise click.UsageError(f"--name must be COLUMN=NAME; got {text!r}.")
    return column, name


def _report_data(cases: Cases, out: Output, path: str, **options: Any) -> ReportData:
    """Return the data of the report, unless it would replace another one."""
    from confroc.pages import ReportData, report_files

    data = ReportData(**vars(cases), **options, command=shlex.join(["confroc", *sys.argv[1:]]))
    out.check(report_files, path, data)
    return data


def _write_report(data: ReportData, out: Output, path: str) -> tuple[Report, str, str]:
    """Make the report, write its two files and print its headlines."""
    from confroc.pages import build_report

    out.doing("computing the report")
    made = build_report(data)
    page, numbers = made.write(path, force=out.force)
    for written in (page, numbers):
        out.wrote(written)
    for line in (*made.headlines, "", f"Open {page} in a browser."):
        out.line(line)
    return made, str(page), str(numbers)


@opt.command("demo", "", gives={"demo": Shown}, writes=True)
@click.argument("path", default=".", metavar="[FOLDER]")
def demo(out: Output, *, path: str) -> None:
    """Write example data and a report on them into FOLDER (default: the current one).

    The data are 113 patients after a stroke, with their outcome and two blood markers.
    """
    from confroc.ingest import read_cases

    place = Path(path)
    if not place.is_dir():
        raise ArgumentError("path", "be a folder that exists", path, f"Make it first: mkdir {path}")
    target, page = place / EXAMPLE, str(place / "report.html")
    example = example_file()
    text = example.read_text(encoding="utf-8")
    out.check_output("path", target, text)
    cases = read_cases(str(example), label="outcome", scores=("s100b", "ndka"), pos_label="Poor", paired=True)
    data = _report_data(replace(cases, source=str(target)), out, page)
    write_text(target, text)
    out.wrote(target)
    made, written, numbers = _write_report(data, out, page)
    out.add("demo", Shown(str(target), written, numbers, list(made.headlines))._asdict())
    read = f"{shlex.quote(str(target))} --label outcome --pos-label Poor --score s100b"
    out.line("Then try:")
    for words in (
        f"confroc auc {read}",
        f"confroc roc {read} --fpr 0.1",
        f"confroc compare {read} --score ndka",
        f"confroc cost {read} --false-negative 5 --false-positive 1",
    ):
        out.line(f"  {words}")


def example_file() -> Path:
    """Return the path of the example data, in the package or in the checkout."""
    package = Path(confroc.__file__).parent
    inside = package / "examples" / EXAMPLE
    return inside if inside.exists() else package.parents[1] / "examples" / EXAMPLE


@opt.command("counts", f"{opt.BOTH} -o counts.parquet", gives={"counts": Counted}, writes=True)
@opt.data_options()
@opt.option("-o --output path", "PATH", "Parquet file to write.", required=True)
def counts(data: Data, out: Output, *, path: str) -> None:
    """Write the counts per distinct score (of several models, per row of scores) to a compact Parquet file.

    Every other command accepts the file instead of the rows.
    """
    from confroc.ingest import write_counts
    from confroc.ingest.counts import KEY

    out.check_output("path", path, KEY)
    cases = data.read(out, pairs=True)
    out.wrote(write_counts(cases, path=path, force=out.force))
    table = cases.scores or cases.models[data.score[0]]
    levels = len(table.pos)
    out.add("counts", Counted(path, levels)._asdict())
    of = {1: "scores", 2: "pairs of scores"}.get(len(data.score), "rows of scores")
    out.line(f"{table.n_pos + table.n_neg} cases in {levels} distinct {of}")
