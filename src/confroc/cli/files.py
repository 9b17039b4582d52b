"""The commands `report`, `demo` and `counts`, which write files."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import confroc
from confroc._check import ArgumentError
from confroc._files import write_text
from confroc.cli import options as opt
from confroc.cli.data import Data
from confroc.cli.output import Output

if TYPE_CHECKING:
    from confroc.ingest import Cases
    from confroc.pages import ReportData

EXAMPLE = "asah.csv"


@opt.command("report", f"{opt.BOTH} -o report.html", writes=True)
@opt.data_options()
@opt.option(
    "-o --output path",
    "PATH",
    "HTML file to write. The numbers are written to a JSON file of the same name.",
    default="report.html",
    show_default=True,
)
@opt.unit_cost_options
@opt.number(
    "--prior",
    "SHARE",
    "Prevalence in the target population, e.g. 0.08, treated as known. Default: estimated from the sample.",
)
@opt.number(
    "--jeffreys",
    "DISTANCE",
    "Also forecast the AUC after this drift, e.g. 0.1: Jeffreys divergence, summed over both classes.",
)
@opt.number(
    "--threshold",
    "SCORE",
    f"{opt.PER_MODEL} Default: the cheapest.",
    multiple=True,
)
@opt.validation_option
@opt.option(
    "--name names",
    "COLUMN=NAME",
    "Name of a model in the report, e.g. a='Model A'; repeat for more.",
    multiple=True,
)
@opt.column("--group", "Add a comparison of the AUC between the groups in this column, e.g. regions.")
@opt.segment_options("one segment, e.g. a month; the first is the reference")
@opt.option("--title", "TEXT", "Title of the page. Default: derived from FILE.")
@opt.option("--description", "TEXT", "Text below the title; empty lines separate paragraphs.")
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
    """Write a self-contained HTML report, and its numbers as JSON.

    The report recommends the threshold with the lowest cost per case, by default for equal unit costs. The
    cost is corrected for optimism unless --validation or --threshold is given.
    """
    given = opt.per_model(threshold, data.score) if threshold else ()
    if group is not None:
        each = [replace(data, columns={**data.columns, "score": (one,)}) for one in data.score]
        options["group"] = group
        options["groups"] = [part.read_groups(out, group) for part in each]
    if segment_column is not None or segment_files:
        _, options["segments"] = data.read_segments(out, segment_column, segment_files)
        options["segment"] = segment_column or "file"
    cases = data.read(out, pairs=True)
    options["names"] = dict(_renamed(text, [*cases.models]) for text in names)
    if group is not None:
        options["groups"] = dict(zip(cases.models, options["groups"], strict=True))
    if threshold:
        options["threshold"] = {
            name: -at if name in cases.turned else at for name, at in zip(cases.models, given, strict=True)
        }
    if validation is not None:
        others = data.read_other(out, "validation", validation, pairs=True)
        options["validation"] = others.scores or next(iter(others.models.values()))
        options["validation_source"] = others.source
    _write_report(_report_data(cases, out, path, **options), out, path)


def _renamed(text: str, scores: Sequence[str]) -> tuple[str, str]:
    """Return the column and the name of a model; a reversed column may be given with its sign."""
    column, _, name = text.partition("=")
    score = next((one for one in (column, column.removeprefix("-")) if one in scores), None)
    if score is None or not name:
        listed = ", ".join(scores)
        raise click.UsageError(f"--name must be COLUMN=NAME with a column of {listed}; got {text!r}.")
    return score, name


def _report_data(cases: Cases, out: Output, path: str, **options: Any) -> ReportData:
    """Return the data of the report, after checking that its files may be written."""
    from confroc.pages import ReportData, report_files

    command, notes = shlex.join(["confroc", *sys.argv[1:]]), tuple(dict.fromkeys(out.warned))
    data = ReportData(**vars(cases), **options, command=command, notes=notes)
    out.check(report_files, path, data)
    return data


def _write_report(data: ReportData, out: Output, path: str) -> None:
    """Compute the report, write its two files and print its headlines."""
    from confroc.pages import build_report

    out.doing("computing the report")
    made = build_report(data)
    written = made.write(path, force=out.force)
    out.wrote(*written)
    for line in (*made.headlines, "", f"Open {written[0]} in a browser."):
        out.line(line)


@opt.command("demo", "", writes=True)
@click.argument("path", default=".", metavar="[FOLDER]")
def demo(out: Output, *, path: str) -> None:
    """Write example data and a report on them to FOLDER (default: the current folder).

    The data are the outcomes and two blood markers of 113 patients after a stroke.
    """
    from confroc.ingest import read_cases

    place = Path(path)
    if not place.is_dir():
        raise ArgumentError("path", "be an existing folder", path, "Create it first.")
    target, page = place / EXAMPLE, str(place / "report.html")
    example = example_file()
    text = example.read_text(encoding="utf-8")
    out.check_output("path", target, text)
    cases = read_cases(str(example), label="outcome", scores=("s100b", "ndka"), pos_label="Poor", paired=True)
    data = _report_data(replace(cases, source=str(target)), out, page)
    write_text(target, text)
    out.wrote(target)
    _write_report(data, out, page)
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
    """Return the path of the example data in the installed package or the repository."""
    package = Path(confroc.__file__).parent
    inside = package / "examples" / EXAMPLE
    return inside if inside.exists() else package.parents[1] / "examples" / EXAMPLE


@opt.command("counts", f"{opt.BOTH} -o counts.parquet", writes=True)
@opt.data_options()
@opt.option("-o --output path", "PATH", "Parquet file to write.", required=True)
def counts(data: Data, out: Output, *, path: str) -> None:
    """Write the number of positives and negatives per distinct score to a Parquet file.

    All other commands accept this file in place of the rows. For several models the counts are per distinct
    row of scores.
    """
    from confroc.ingest import write_counts
    from confroc.ingest.counts import KEY

    out.check_output("path", path, KEY)
    cases = data.read(out, pairs=True)
    if cases.turned:
        raise click.UsageError("Give --score without a minus sign, which belongs where the counts are read.")
    out.wrote(write_counts(cases, path=path, force=out.force))
    table = cases.scores or next(iter(cases.models.values()))
    levels = len(table.pos)
    of = {1: "scores", 2: "pairs of scores"}.get(len(data.score), "rows of scores")
    out.line(f"{table.n_pos + table.n_neg:,} cases in {levels:,} distinct {of}")
