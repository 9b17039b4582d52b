"""Command line: list, run and show."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

import confroc
from confroc import progress_bar
from confroc.cli import Command
from confroc_lab import page, store
from confroc_lab._errors import invalid
from confroc_lab._files import whole_file, write_text
from confroc_lab.coverage import StudyResult
from confroc_lab.experiment import (
    ALARM,
    Experiment,
    Listed,
    MissingDataError,
    list_experiments,
    load_experiment,
    tally,
)
from confroc_lab.run import run_study

data_option = click.option(
    "--data", "data_sets", type=Path, metavar="DIR", help="Folder of the data sets; by default $CONFROC_DATA."
)


class Lab(click.Group):
    """Commands that end in one line on invalid values and unwritable files."""

    command_class = Command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except (ValueError, OSError, ImportError) as error:
            raise click.ClickException(str(error)) from error


@click.group(cls=Lab, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(confroc.__version__, prog_name="confroc-lab")
def main() -> None:
    """Count how often intervals and bands contain the true value, in coverage studies."""


@main.command("list")
@click.argument("path")
def list_(path: str) -> None:
    """List the experiments of a file or of a folder, without running any."""
    click.echo(
        page.text_table(("name", "title"), [(item.name, item.title) for item in list_experiments(path)])
    )


@main.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "-r",
    "--replications",
    "--reps",
    type=click.IntRange(min=1),
    metavar="N",
    help="Samples per cell; by default the experiment's number.",
)
@click.option(
    "-j",
    "--n-jobs",
    type=int,
    default=1,
    metavar="N",
    help="Processes, 1 by default; -1 uses all cores. The numbers do not depend on it.",
)
@click.option(
    "-o",
    "--output",
    type=Path,
    metavar="DIR",
    help="Folder of the results; by default lab-results/NAME. Run again to continue.",
)
@click.option("--quick", is_flag=True, help="The short form: fewer samples.")
@data_option
@click.option("--dask", metavar="ADDRESS", help="Scheduler of a Dask cluster, used instead of --n-jobs.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
def run(
    paths: tuple[str, ...],
    replications: int | None,
    n_jobs: int,
    output: Path | None,
    quick: bool,
    data_sets: Path | None,
    dask: str | None,
    quiet: bool,
) -> None:
    """Run the experiments in the given files, or continue them.

    A folder runs all of its experiments; those without their data sets are skipped.
    """
    chosen = [item for path in paths for item in list_experiments(path)]
    if output is not None and len(chosen) > 1:
        raise invalid("--output", "be left out for several experiments", str(output), "Run them one by one.")
    alarms = False
    for item, experiment in [(item, load_experiment(item.path)) for item in chosen]:
        folder = output or Path("lab-results") / (f"{item.name}-quick" if quick else item.name)
        study = experiment.study(item.name, quick=quick, replications=replications, data=data_sets)
        try:
            with progress_bar(item.name, shown=not quiet), workers(dask, chosen):
                result = run_study(study, folder, n_jobs=-1 if dask else n_jobs)
        except MissingDataError as error:
            if len(chosen) == 1:
                raise
            click.echo(f"skipped {item.name}: {error}", err=True)
            continue
        alarms |= _report(experiment, result, folder)
        if not quick:
            _drawings(experiment, folder, "figure", data_sets)
    if alarms:
        raise click.ClickException(
            f"at least one statement deviates by more than {ALARM:g} errors; see the tables above."
        )


@main.command()
@click.argument("folder", metavar="DIR", type=Path)
@click.option("--experiment", metavar="FILE", help="The experiment's file, for its statements and figures.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the whole table of results as CSV.")
@click.option(
    "--page",
    "target",
    type=Path,
    metavar="FILE",
    help="Write a Markdown page with its figures and a CSV of its statements; needs --experiment.",
)
@data_option
def show(
    folder: Path, experiment: str | None, as_csv: bool, target: Path | None, data_sets: Path | None
) -> None:
    """Show the results in a folder, finished or not.

    With its experiment, also plot the figure.
    """
    held = store.load(folder)
    if as_csv:
        click.echo(store.as_csv(held.result), nl=False)
        return
    if held.chunks < held.of:
        click.echo(f"unfinished: {held.chunks} of {held.of} parts are here", err=True)
    if experiment is None:
        if target is not None:
            raise click.UsageError("--page needs --experiment FILE.")
        click.echo(
            f"{held.result.name}\n{page.text_table(page.RESULT_COLUMNS, page.rows_of(None, held.result))}"
        )
        return
    (listed,), loaded = list_experiments(experiment), load_experiment(experiment)
    if target is None:
        _report(loaded, held.result, folder)
        return
    figure = target.with_suffix(".png")
    _save(page.draw(loaded, held.result), figure, dpi=80)
    drawn = _drawings(loaded, target.parent, target.stem, data_sets)
    _write(target.with_suffix(".csv"), page.findings_csv(loaded.findings(held.result)))
    _write(target, page.markdown(listed, loaded, held.result, figure.name, drawn, held.seconds))


def _report(experiment: Experiment, result: StudyResult, folder: Path) -> bool:
    """Print the tables and plot the figure; return whether a statement alarms."""
    findings = experiment.findings(result)
    click.echo(f"{result.name}: {experiment.title}")
    click.echo(page.text_table(page.RESULT_COLUMNS, page.rows_of(experiment, result)))
    if findings:
        # Sentences come last, since they are long.
        statements = [(*row[:0:-1], row[0]) for row in page.statements_of(findings)]
        click.echo(page.text_table((*page.STATEMENT_COLUMNS[:0:-1], page.STATEMENT_COLUMNS[0]), statements))
        click.echo(f"statements that agree: {tally(findings)}")
        wrong = [f for f in findings if f.verdict == "not reproduced"]
        for reason in dict.fromkeys(f.expected.differs for f in wrong if f.expected.differs):
            click.echo(f"differs: {reason}")
    _save(page.draw(experiment, result), folder / "figure.png", dpi=110)
    _wrote(folder / store.RESULTS)
    return any(f.alarms for f in findings)


def _wrote(path: Path) -> None:
    click.echo(f"wrote {path}", err=True)


def _write(path: Path, text: str) -> None:
    write_text(path, text)
    _wrote(path)


def _save(figure: Any, path: Path, *, dpi: int) -> None:
    with whole_file(path) as beside:
        figure.savefig(beside, dpi=dpi)
    _wrote(path)


def _drawings(experiment: Experiment, folder: Path, stem: str, data: Path | None) -> list[tuple[str, str]]:
    """Save the plots of single samples; return file names and captions."""
    saved = []
    for drawing in experiment.drawings:
        path = folder / f"{stem}-{drawing.name}.png"
        _save(drawing.figure(data), path, dpi=80)
        saved.append((path.name, drawing.caption))
    return saved


@contextmanager
def workers(address: str | None, files: Sequence[Listed]) -> Iterator[None]:
    """Send joblib's work to a Dask cluster if an address is given, with the modules next to the files."""
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
