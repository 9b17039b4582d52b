"""The `lab` commands: list, run, show and audit."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from confroc._check import ArgumentError
from confroc._files import json_text, write_text
from confroc.lab.terminal import table, told_plainly, workers

if TYPE_CHECKING:
    from confroc.lab.experiment import Experiment, Finding
    from confroc.lab.results import StudyResult


@click.group()
def lab() -> None:
    """Ask whether intervals attain their level: rerun the papers' studies, or audit your own data."""


@lab.command("list")
@click.argument("path", metavar="PATH")
def list_(path: str) -> None:
    """List the experiments of a file or of a folder, without running any."""
    with told_plainly():
        from confroc.lab.experiment import list_experiments

        found = list_experiments(path)
        table(
            "Experiments", ("name", "what it studies"), [(item.name, item.title) for item in found], words=2
        )


@lab.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--reps", type=click.IntRange(min=1), help="Samples per cell; by default the paper's number.")
@click.option(
    "--jobs",
    type=int,
    default=1,
    show_default=True,
    help="Processes; -1 takes all cores. The numbers do not depend on it.",
)
@click.option(
    "--out", metavar="DIR", help="Folder of the results; by default lab-results/NAME. Run again to continue."
)
@click.option(
    "--quick",
    is_flag=True,
    help="The short form: fewer samples. Exit code 1 when a statement fails or never could.",
)
@click.option("--data", metavar="DIR", help="Folder of the data sets; by default $CONFROC_DATA.")
@click.option(
    "--dask", metavar="ADDRESS", help="Scheduler of a Dask cluster, which does the work instead of --jobs."
)
def run(
    paths: tuple[str, ...],
    reps: int | None,
    jobs: int,
    out: str | None,
    quick: bool,
    data: str | None,
    dask: str | None,
) -> None:
    """Run the experiments in files that are named, or continue them.

    Of a folder all are run; those whose data are missing are skipped.
    """
    with told_plainly():
        from confroc.lab.experiment import MissingDataError, list_experiments, load_experiment
        from confroc.lab.progress import progress_bar
        from confroc.lab.study import run_study

        chosen = [item for path in paths for item in list_experiments(path)]
        loaded = {item.name: load_experiment(item.path) for item in chosen}
        if out is not None and len(chosen) > 1:
            raise ArgumentError(
                "out", "be left out when several experiments run", out, "Run them one by one."
            )
        failed = False
        for name, experiment in loaded.items():
            folder = Path(out or Path("lab-results") / (f"{name}-quick" if quick else name))
            study = experiment.study(
                name, quick=quick, replications=reps, data=None if data is None else Path(data)
            )
            try:
                with progress_bar(name) as progress, workers(dask, [item.path for item in chosen]):
                    result = run_study(study, folder, n_jobs=-1 if dask else jobs, progress=progress)
            except MissingDataError as error:
                if len(chosen) == 1:
                    raise
                click.echo(f"skipped {name}: {error}", err=True)
                continue
            findings = experiment.findings(result)
            _report(name, experiment, result, findings, folder)
            if not quick:
                _drawings(experiment, folder, "figure", study.data)
            # In the short form, which guards against mistakes, each statement must be able to fail.
            failing = ("FAILS", "undecided") if quick else ("FAILS",)
            failed |= any(f.verdict in failing for f in findings)
        if failed:
            click.echo(
                "confroc: at least one statement fails or is undecided; see the tables above.", err=True
            )
            sys.exit(1)


@lab.command()
@click.argument("folder", metavar="DIR")
@click.option("--csv", "as_csv", is_flag=True, help="Print the whole table of results as CSV.")
@click.option("--page", metavar="FILE", help="Write a Markdown page, with its figures beside it.")
@click.option(
    "--data", metavar="DIR", help="Folder of the data sets, for the page; by default $CONFROC_DATA."
)
@click.option("--experiment", metavar="FILE", help="The experiment's file, for its statements and figures.")
def show(folder: str, as_csv: bool, page: str | None, data: str | None, experiment: str | None) -> None:
    """Show what a folder of results holds, finished or not; with its experiment, draw the figure, too."""
    with told_plainly():
        from confroc.lab import store
        from confroc.lab.experiment import list_experiments, load_experiment

        held = store.load(folder)
        if as_csv:
            click.echo(store.as_csv(held.result), nl=False)
            return
        if held.chunks < held.of:
            click.echo(f"unfinished: {held.chunks} of {held.of} parts are here", err=True)
        if experiment is None:
            if page is not None:
                raise ArgumentError("experiment", "be named for a page", None, "Add --experiment FILE.")
            _table(held.result.name, None, held.result)
            return
        (listed,) = list_experiments(experiment)
        loaded = load_experiment(experiment)
        findings = loaded.findings(held.result)
        if page is None:
            _report(held.result.name, loaded, held.result, findings, Path(folder))
            return
        from confroc.lab.figures import draw
        from confroc.lab.pages import page as page_of

        path = Path(page)
        figure = path.with_suffix(".png")
        draw(loaded, held.result).savefig(figure, dpi=80)
        drawn = _drawings(loaded, path.parent, path.stem, None if data is None else Path(data))
        text = page_of(held.result.name, listed.about, loaded, held.result, findings, figure.name, drawn)
        write_text(path, text)
        click.echo(f"wrote {path} and {figure}", err=True)


@lab.command()
@click.argument("source", metavar="FILE")
@click.option("--label", required=True, metavar="COLUMN", help="Column of true classes.")
@click.option(
    "--score", required=True, metavar="COLUMN", help="Score column. Higher means more likely positive."
)
@click.option(
    "--pos-label", metavar="LABEL", help="The positive class. Not needed for 0/1, -1/1 and true/false labels."
)
@click.option(
    "--confidence-level", type=float, default=0.95, show_default=True, help="Level that the methods claim."
)
@click.option(
    "--size",
    type=(int, int),
    metavar="POS NEG",
    help="Class sizes of the samples; by default the data's own.",
)
@click.option(
    "--population",
    type=click.Choice(["smoothed", "resampled"]),
    default="smoothed",
    show_default=True,
    help="What samples are drawn from: a smoothed copy of the data, or the data themselves, which should "
    "then be many more than --size.",
)
@click.option(
    "--reps", type=click.IntRange(min=20), default=2000, show_default=True, help="Samples for intervals."
)
@click.option(
    "--band-reps", type=click.IntRange(min=20), default=200, show_default=True, help="Samples for bands."
)
@click.option("--no-bands", is_flag=True, help="Leave bands out; they take most of the time.")
@click.option(
    "--jobs", type=int, default=1, show_default=True, help="Processes; the numbers do not depend on it."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed.")
@click.option(
    "--nan-policy",
    type=click.Choice(["raise", "omit"]),
    default="raise",
    show_default=True,
    help="Rows with a missing label or score: stop, or drop them and report how many.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def audit(
    source: str,
    label: str,
    score: str,
    pos_label: str | None,
    confidence_level: float,
    size: tuple[int, int] | None,
    population: Literal["smoothed", "resampled"],
    reps: int,
    band_reps: int,
    no_bands: bool,
    jobs: int,
    seed: int,
    nan_policy: Literal["raise", "omit"],
    as_json: bool,
) -> None:
    """Find out which methods attain their level on data like FILE.

    Draws samples of the same size from a population made of the data, whose truth is known, and counts how
    often each method's interval or band holds it.
    """
    with told_plainly():
        from confroc.ingest import read_cases
        from confroc.lab.audit import audit as run_audit
        from confroc.lab.progress import progress_bar

        cases = read_cases(source, label=label, scores=[score], pos_label=pos_label, nan_policy=nan_policy)
        with progress_bar("audit") as progress:
            found = run_audit(
                cases.models[score],
                confidence_level=confidence_level,
                size=size,
                population=population,
                replications=reps,
                band_replications=band_reps,
                bands=not no_bands,
                rng=seed,
                n_jobs=jobs,
                progress=progress,
            )
        if as_json:
            from confroc import __version__

            head = {"schema": "confroc/1", "command": "lab audit", "version": __version__}
            click.echo(json_text(head | found.to_dict()))
            return
        kept = f"{found.categories} distinct scores" if found.categories else "continuous scores"
        made = "Smoothed copy of" if population == "smoothed" else "Resamples of"
        table(
            f"{made} {score}: AUC {found.auc:.4f}, {kept}; "
            f"samples of {found.n_pos} + {found.n_neg}, "
            f"{100 * confidence_level:g} %",
            (
                "statement",
                "method",
                "least coverage",
                "at",
                "mean coverage",
                "mean width",
                "attains its level",
            ),
            [
                (
                    v.statement,
                    v.method,
                    f"{v.coverage:.3f} ± {v.error:.3f}",
                    "" if math.isnan(v.at) or v.statement == "area" else f"{v.at:g}",
                    f"{v.mean_coverage:.3f}",
                    f"{v.width:.4f}",
                    ("yes" if v.keeps_word else "NO") + (" <- use this" if v.recommended else ""),
                )
                for v in found.verdicts
            ],
        )
        for note in found.notes:
            click.echo(f"note: {note}", err=True)
        for statement, method in found.recommendation().items():
            verdict = next(v for v in found.verdicts if v.recommended and v.statement == statement)
            why = (
                "the narrowest on target that attains its level"
                if verdict.keeps_word
                else "none attains its level; this comes closest"
            )
            click.echo(f"{statement}: {method} ({why})")


def _table(title: str, experiment: Experiment | None, result: StudyResult) -> None:
    from confroc.lab import pages

    table(title, pages.RESULT_COLUMNS, pages.rows_of(experiment, result), words=2)


def _report(
    name: str, experiment: Experiment, result: StudyResult, findings: Sequence[Finding], folder: Path
) -> None:
    from confroc.lab import pages
    from confroc.lab.figures import draw

    _table(f"{name}: {experiment.title}", experiment, result)
    if findings:
        table("Statements", pages.STATEMENT_COLUMNS, pages.statements_of(findings))
        for reason in dict.fromkeys(f.expected.differs for f in findings if f.verdict == "differs"):
            click.echo(f"differs: {reason}")
    path = folder / "figure.png"
    draw(experiment, result).savefig(path, dpi=110)
    click.echo(f"wrote {path} and {folder / 'results.csv'}", err=True)


def _drawings(experiment: Experiment, folder: Path, stem: str, data: Path | None) -> list[tuple[str, str]]:
    """Save the pictures of single samples; return file names and captions."""
    saved = []
    for drawing in experiment.drawings:
        path = folder / f"{stem}-{drawing.name}.png"
        drawing.figure(data).savefig(path, dpi=80)
        click.echo(f"wrote {path}", err=True)
        saved.append((path.name, drawing.caption))
    return saved
