"""Commands that write files to pass on: `report`, `counts`, and `demo`, which writes the example data too."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

import confroc
from confroc._check import ArgumentError
from confroc._files import check_output, write_text
from confroc.cli import options as opt
from confroc.cli.group import misused
from confroc.cli.output import Output

if TYPE_CHECKING:
    from confroc.ingest import Cases
    from confroc.pages import Report

EXAMPLE = "asah.csv"


class Written(NamedTuple):
    """The files of a report, and its results in plain sentences; the numbers are in the second file."""

    page: str
    numbers: str
    headlines: list[str]


class Shown(NamedTuple):
    """The example data, the report on them, and its results in plain sentences."""

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
    type=opt.OutputFile("report.html"),
)
@opt.number(
    "--false-negative", "COST", "Cost of one false negative; with --false-positive, adds a section on costs."
)
@opt.number("--false-positive", "COST", "Cost of one false positive.")
@opt.option(
    "--prior",
    "SHARE",
    "Share of positives expected in use, as 0.08: taken as known, so that no count says how sure it is; by "
    "default the sample's, and as uncertain.",
    type=opt.Share(),
)
@opt.number(
    "--psi",
    "INDEX",
    "Drift to allow for in what to expect next, as population stability index; by default 0.1.",
)
@opt.number(
    "--threshold",
    "SCORE",
    "The threshold in use; for models that differ in it, repeat it once for each --score, in their order. By "
    "default the report recommends the cheapest one.",
    multiple=True,
)
@opt.option("--validation", "FILE", "Choose the thresholds on these cases instead.")
@opt.option("--title", "TEXT", "Of the page; by default one made from FILE.")
@opt.option("--description", "TEXT", "Plain text below the title; empty lines part its paragraphs.")
@opt.level_option
def report(
    data: opt.Data,
    out: Output,
    *,
    path: str,
    threshold: tuple[float, ...] = (),
    validation: str | None = None,
    **options: Any,
) -> None:
    """Write one self-contained HTML report, and the same numbers as JSON beside it.

    It recommends a threshold, the cheapest for the costs given or else for errors of equal cost, and corrects
    what that costs for having been chosen on the same cases; --validation and --threshold avoid that.
    """
    from confroc.pages import report_files

    report_files(path, out.reads, force=out.force)
    if len(threshold) > 1 and len(threshold) != len(data.score):
        wanted = f"once, or once for each of the {len(data.score)} --score columns"
        raise misused(f"--threshold is given {len(threshold)} times; give it {wanted}.")
    cases = data.read(out, pairs=True)
    if threshold:
        each = threshold if len(threshold) > 1 else threshold * len(cases.models)
        options["threshold"] = dict(zip(cases.models, each, strict=True))
    if validation is not None:
        others = data.read(out, pairs=True, source=validation, called="")
        options["validation"] = others.scores or others.models[data.score[0]]
        options["validation_source"] = others.source
    made, page, numbers = _write_report(cases, out, path, **options)
    out.add("report", Written(page, numbers, list(made.headlines))._asdict())


def _write_report(cases: Cases, out: Output, path: str, **options: Any) -> tuple[Report, str, str]:
    """Make the report, write its two files and print what it says."""
    from confroc.pages import ReportData, build_report

    out.doing("computing the report ...")
    command_line = shlex.join(["confroc", *sys.argv[1:]])
    made = build_report(ReportData(**vars(cases), **options, command=command_line))
    page, numbers = made.write(path, force=out.force)
    for written in (page, numbers):
        out.wrote(written)
    for line in made.headlines:
        out.line(line)
    return made, str(page), str(numbers)


@opt.command("demo", "", gives={"demo": Shown}, writes=True)
@click.argument("folder", default=".", metavar="[FOLDER]")
def demo(out: Output, *, folder: str) -> None:
    """Write example data into FOLDER, by default here, report on them, and say what to try next.

    The data are 113 patients after a stroke, their outcome and two proteins in their blood.
    """
    from confroc.ingest import read_cases
    from confroc.pages import report_files

    place = Path(folder)
    if not place.is_dir():
        raise ArgumentError("folder", "be a folder that exists", folder, f"Make it first: mkdir {folder}")
    target, page = place / EXAMPLE, str(place / "report.html")
    text = example_file().read_text(encoding="utf-8")
    report_files(page, [str(target)], force=out.force)
    write_text(check_output("folder", target, mark=text, force=out.force), text)
    out.wrote(target)
    cases = read_cases(str(target), label="outcome", scores=("s100b", "ndka"), pos_label="Poor", paired=True)
    made, written, numbers = _write_report(cases, out, page)
    out.add("demo", Shown(str(target), written, numbers, list(made.headlines))._asdict())
    read = f"{shlex.quote(str(target))} --label outcome --pos-label Poor --score s100b"
    out.line("")
    out.line("Open the page in a browser. Then try:")
    for words in (
        f"confroc auc {read}",
        f"confroc roc {read} --fpr 0.1",
        f"confroc compare {read} --score ndka",
        f"confroc cost {read} --false-negative 5 --false-positive 1",
    ):
        out.line(f"  {words}")


def example_file() -> Path:
    """Where the example data are: in the package, or in the checkout that it is run from."""
    package = Path(confroc.__file__).parent
    inside = package / "examples" / EXAMPLE
    return inside if inside.exists() else package.parents[1] / "examples" / EXAMPLE


@opt.command("counts", f"{opt.BOTH} -o counts.parquet", gives={"counts": Counted}, writes=True)
@opt.data_options()
@opt.option(
    "-o --output path", "PATH", "Parquet file to write.", required=True, type=opt.OutputFile("counts.parquet")
)
def counts(data: opt.Data, out: Output, *, path: str) -> None:
    """Write the counts per distinct score (of several models, per row of scores) to a compact Parquet file.

    Every other command takes the file instead of the rows: share a curve's whole inference without
    sharing rows.
    """
    from confroc.ingest import write_counts
    from confroc.ingest.counts import KEY

    out.check_output("path", path, KEY)
    cases = data.read(out, pairs=True)
    out.wrote(write_counts(cases, path, force=out.force))
    table = cases.scores or cases.models[data.score[0]]
    levels = len(table.pos)
    out.add("counts", Counted(path, levels)._asdict())
    of = {1: "scores", 2: "pairs of scores"}.get(len(data.score), "rows of scores")
    out.line(f"{table.n_pos + table.n_neg} cases in {levels} distinct {of}")
