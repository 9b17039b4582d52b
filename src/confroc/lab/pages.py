"""A page for an experiment: what the paper says beside what we find, in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from confroc.lab.experiment import Experiment, Finding, Panels
from confroc.lab.results import StudyResult, coverage, width


def rows_of(experiment: Experiment | None, result: StudyResult) -> list[tuple[str, ...]]:
    """Return cell, method, mean coverage, its range over the places, and width where there is one place."""
    rows: list[tuple[str, ...]] = []
    main = None if experiment is None else experiment.figure.quantity
    for cell in result.cells:
        alone = len({u.quantity for u in cell.tallies}) == 1
        for t in cell.tallies:
            # The sides of a region are left to the CSV.
            if experiment and t.quantity != main and isinstance(experiment.figure, Panels) and not alone:
                continue
            share, wide = coverage(t), width(t)
            one = len(t.at) == 1
            name = t.method if t.quantity == main or alone else f"{t.method} ({t.quantity})"
            held = "" if t.quantity == "area" else f"{share.mean():.3f}"
            span = "" if one else f"{share.min():.3f} to {share.max():.3f}"
            sized = one and not t.quantity.startswith("fresh")
            rows.append((cell.name, name, held, span, f"{wide[0]:.4g}" if sized else ""))
    return rows


def statements_of(findings: Sequence[Finding]) -> list[tuple[str, ...]]:
    """Return statement, expected value, ours with its Monte Carlo error, distance allowed, verdict."""
    return [
        (
            f.expected.says,
            f"{f.expected.relation} {f.expected.value:.4g}",
            f"{f.ours:.4g} ± {f.error:.2g}",
            f"{f.allowed:.2g}",
            f.verdict,
        )
        for f in findings
    ]


RESULT_COLUMNS = ("cell", "method", "coverage", "over the places", "width")
STATEMENT_COLUMNS = ("statement", "expected", "ours ± MC error", "allowed", "")


def page(
    name: str,
    about: str,
    experiment: Experiment,
    result: StudyResult,
    findings: Sequence[Finding],
    figure: str,
    drawings: Sequence[tuple[str, str]] = (),
) -> str:
    """Return the page.

    Parameters
    ----------
    name, about : str
        Of the experiment's file.
    experiment : Experiment
    result : StudyResult
    findings : sequence of Finding
    figure : str
        Path of the figure, relative to the page.
    drawings : sequence of (path, caption)
        Further pictures.
    """
    agree = sum(f.verdict == "agrees" for f in findings)
    reasons = dict.fromkeys(f.expected.differs for f in findings if not f.holds and f.expected.differs)
    parts = [
        f"# {about.splitlines()[0]}",
        "\n".join(about.splitlines()[2:]),
        f"`confroc lab run experiments/{name}.py --reps {result.replications}`: "
        f"{result.replications} samples a cell.",
        f"![{experiment.title}]({figure})",
        *(f"{caption}\n\n![{caption}]({path})" for path, caption in drawings),
        f"## Statements: {agree} of {len(findings)} agree",
        "A statement agrees when our number is as close as its tolerance and the Monte Carlo errors of both "
        "studies allow; a true one fails for 6 seeds in 100,000.",
        _table(STATEMENT_COLUMNS, statements_of(findings)),
    ]
    if reasons:
        parts += ["Where we differ, and why:", "\n".join(f"* {reason}." for reason in reasons)]
    parts += ["## Coverage", _table(RESULT_COLUMNS, rows_of(experiment, result))]
    return "\n\n".join(parts) + "\n"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in lines)
