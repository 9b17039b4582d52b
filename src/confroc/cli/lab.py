"""The `lab` commands: list, run, show and audit."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from confroc._check import ArgumentError
from confroc._files import write_text
from confroc.cli.group import misused
from confroc.cli.options import ONE, Data, choice, command, data_options, level_option, seed_option
from confroc.cli.output import FIGURES, PICTURE_MARK, Output, echo, save
from confroc.lab import (
    Audit,
    StudyResult,
    list_experiments,
    load_experiment,
    page,
    progress_bar,
    run_study,
    store,
)
from confroc.lab import audit as run_audit
from confroc.lab.audit import FEWEST_TO_DECIDE, SOURCES
from confroc.lab.experiment import Experiment, Listed, MissingDataError, tally
from confroc.results.shown import Table

EXAMPLE = "dg_roc_fig03_spread"
PAGE_MARK = "`confroc lab run "
"""What tells a page on an experiment from other people's."""

replications_option = click.option(
    "-r",
    "--replications",
    "--reps",
    type=click.IntRange(min=1),
    metavar="N",
    help="Samples per cell, or per method; by default the paper's number, or 2000.",
)
jobs_option = click.option(
    "-j",
    "--n-jobs",
    type=int,
    metavar="N",
    help="Processes, 1 by default; -1 takes all cores. The numbers do not depend on it.",
)
data_option = click.option(
    "--data", "data_sets", type=Path, metavar="DIR", help="Folder of the data sets; by default $CONFROC_DATA."
)


@command("lab list", "experiments")
@click.argument("path", metavar="PATH")
def list_(out: Output, *, path: str) -> None:
    """List the experiments of a file or of a folder, without running any."""
    found = [(item.name, item.title) for item in list_experiments(path)]
    out.table(_table("Experiments", ("name", "what it studies"), found))


@command("lab run", f"experiments/{EXAMPLE}.py --quick", writes=True)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@replications_option
@jobs_option
@click.option(
    "-o",
    "--output",
    "folder",
    metavar="DIR",
    help="Folder of the results; by default lab-results/NAME. Run again to continue.",
)
@click.option(
    "--quick",
    is_flag=True,
    help="The short form: fewer samples. Exit code 1 when a statement fails or never could.",
)
@data_option
@click.option(
    "--dask", metavar="ADDRESS", help="Scheduler of a Dask cluster, which does the work instead of --n-jobs."
)
def run(
    out: Output,
    *,
    paths: tuple[str, ...],
    quick: bool,
    replications: int | None = None,
    n_jobs: int = 1,
    folder: str | None = None,
    data_sets: Path | None = None,
    dask: str | None = None,
) -> None:
    """Run the experiments in files that are named, or continue them.

    Of a folder all are run; those whose data are missing are skipped.
    """
    chosen = [item for path in paths for item in list_experiments(path)]
    if folder is not None and len(chosen) > 1:
        raise ArgumentError("folder", "be left out for several experiments", folder, "Run them one by one.")
    verdicts: set[str] = set()
    for item, experiment in [(item, load_experiment(item.path)) for item in chosen]:
        into = Path(folder or Path("lab-results") / (f"{item.name}-quick" if quick else item.name))
        out.check_output("folder", into / "figure.png", PICTURE_MARK)
        study = experiment.study(item.name, quick=quick, replications=replications, data=data_sets)
        try:
            with progress_bar(item.name, shown=not out.quiet) as progress, workers(dask, chosen):
                result = run_study(study, into, n_jobs=-1 if dask else n_jobs, progress=progress)
        except MissingDataError as error:
            if len(chosen) == 1:
                raise
            click.echo(f"skipped {item.name}: {error}", err=True)
            continue
        verdicts |= _report(out, experiment, result, into)
        if not quick:
            _drawings(out, experiment, into, "figure", data_sets)
    # In the short form, which guards against mistakes, each statement must be able to fail.
    if verdicts & ({"FAILS", "undecided"} if quick else {"FAILS"}):
        raise ValueError("at least one statement fails or is undecided; see the tables above.")


@command("lab show", f"lab-results/{EXAMPLE}", writes=True)
@click.argument("folder", metavar="DIR")
@click.option("--experiment", metavar="FILE", help="The experiment's file, for its statements and figures.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the whole table of results as CSV.")
@click.option(
    "--page",
    "target",
    type=Path,
    metavar="FILE",
    help="Write a Markdown page, with its figures and a CSV of its statements beside it; it takes "
    "--experiment.",
)
@data_option
def show(
    out: Output,
    *,
    folder: str,
    as_csv: bool,
    experiment: str | None = None,
    target: Path | None = None,
    data_sets: Path | None = None,
) -> None:
    """Show what a folder of results holds, finished or not.

    With its experiment, draw the figure, too.
    """
    held = store.load(folder)
    if as_csv:
        echo(store.as_csv(held.result), end=False)
        return
    if held.chunks < held.of:
        click.echo(f"unfinished: {held.chunks} of {held.of} parts are here", err=True)
    if experiment is None:
        if target is not None:
            raise misused("--page takes --experiment FILE.")
        out.table(_table(held.result.name, page.RESULT_COLUMNS, page.rows_of(None, held.result)))
        return
    (listed,), loaded = list_experiments(experiment), load_experiment(experiment)
    if target is None:
        _report(out, loaded, held.result, Path(folder))
        return
    if target.suffix.lower() in FIGURES:
        raise misused("--page takes a Markdown file; its figures go beside it.")
    out.check_output("target", target, PAGE_MARK)
    table = target.with_suffix(".csv")
    out.check_output("target", table, ",".join(page.FINDING_COLUMNS))
    figure = target.with_suffix(".png")
    _save(out, page.draw(loaded, held.result), figure, dpi=80)
    drawn = _drawings(out, loaded, target.parent, target.stem, data_sets)
    write_text(table, page.findings_csv(loaded.findings(held.result)))
    out.wrote(table)
    write_text(target, page.markdown(listed, loaded, held.result, figure.name, drawn, held.seconds))
    out.wrote(target)


@command("lab audit", f"{ONE} --no-bands", gives={"audit": dict[str, Audit]})
@data_options()
@click.option(
    "--size",
    type=(int, int),
    metavar="POS NEG",
    help="Class sizes of the samples; by default the data's own.",
)
@choice(
    "--population",
    SOURCES,
    "What samples are drawn from: a smoothed copy of the data, or the data themselves, which should then be "
    "many more than --size.",
)
@replications_option
@click.option(
    "--band-replications",
    "--band-reps",
    type=int,
    metavar="N",
    help="Samples for bands; by default 200.",
)
@click.option("--bands/--no-bands", default=True, help="Bands take most of the time.")
@jobs_option
@seed_option
@level_option
def audit(data: Data, out: Output, **options: Any) -> None:
    """Find out which methods attain their level on data like FILE.

    Draws samples of the same size from a population made of the data, whose truth is known, and counts how
    often each method's interval or band contains it.
    """
    found = {}
    for name, scores in data.read(out).models.items():
        out.still()
        with progress_bar(f"audit of {name}", shown=not out.quiet) as progress:
            found[name] = run_audit(scores, progress=progress, **options)
    first = next(iter(found.values()))
    made = "a smoothed copy of the data" if first.population == "smoothed" else "resamples of the data"
    out.show("audit", found, f"Coverage on {made}, samples of {first.n_pos} + {first.n_neg}")
    for name, one in found.items():
        for v in one.verdicts:
            if v.recommended:
                why = (
                    "the narrowest that attains its level and does not fall short of it on average"
                    if v.attains_level
                    else "none attains its level; this comes closest"
                )
                if v.statement != "band" and one.replications[v.statement] < FEWEST_TO_DECIDE:
                    why = f"{why}; undecided, on so few samples"
                of = f"{name}, " if len(found) > 1 else ""
                out.line(f"{of}{v.statement}: {v.method} ({why})")


lab = click.Group(
    "lab",
    commands={"list": list_, "run": run, "show": show, "audit": audit},
    help="Count how often intervals and bands contain the true value, in studies or on data like yours.",
)


def _table(heading: str, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    return Table(heading, dict(zip(names, zip(*rows, strict=True), strict=True)), len(rows))


def _report(out: Output, experiment: Experiment, result: StudyResult, folder: Path) -> set[str]:
    """Print the tables and draw the figure; return the verdicts."""
    findings = experiment.findings(result)
    heading = f"{result.name}: {experiment.title}"
    out.table(_table(heading, page.RESULT_COLUMNS, page.rows_of(experiment, result)))
    if findings:
        # A line each: statements are long, and a table that is too wide would be turned on its side.
        for says, *numbers in [page.STATEMENT_COLUMNS, *page.statements_of(findings)]:
            source, expected, ours, allowed, verdict = numbers
            out.line(f"{verdict:<9}  {source:<6}  {expected:>9}  {ours:>18}  {allowed:>8}  {says}")
        out.line(f"statements that agree: {tally(findings)}")
        for reason in dict.fromkeys(f.expected.differs for f in findings if f.verdict == "differs"):
            out.line(f"differs: {reason}")
    path = folder / "figure.png"
    _save(out, page.draw(experiment, result), path, dpi=110)
    out.wrote(folder / store.RESULTS)
    return {f.verdict for f in findings}


def _save(out: Output, figure: Any, path: Path, *, dpi: int) -> None:
    out.check_output("folder", path, PICTURE_MARK)
    save(figure, path, dpi=dpi)
    out.wrote(path)


def _drawings(
    out: Output, experiment: Experiment, folder: Path, stem: str, data: Path | None
) -> list[tuple[str, str]]:
    """Save the pictures of single samples; return file names and captions."""
    saved = []
    for drawing in experiment.drawings:
        path = folder / f"{stem}-{drawing.name}.png"
        _save(out, drawing.figure(data), path, dpi=80)
        saved.append((path.name, drawing.caption))
    return saved


@contextmanager
def workers(address: str | None, files: Sequence[Listed]) -> Iterator[None]:
    """Send joblib's work to a Dask cluster when an address is given, with the modules beside the files."""
    if address is None:
        yield
        return
    try:
        import distributed
    except ImportError:
        raise ImportError("`--dask` needs the package distributed. Run `pip install distributed`.") from None
    import joblib

    client: Any = distributed.Client
    folders = {item.path.resolve().parent for item in files}
    loaded = {Path(str(getattr(module, "__file__", None))) for module in list(sys.modules.values())}
    with contextlib.closing(client(address)) as cluster, joblib.parallel_config("dask"):
        for path in sorted(path for path in loaded if path.parent in folders):
            cluster.upload_file(str(path), load=False)
        yield
