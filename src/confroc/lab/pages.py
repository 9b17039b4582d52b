"""A page for an experiment: what the paper says beside what we find, in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from confroc.lab.experiment import Experiment, Finding
from confroc.lab.results import StudyResult, coverage, width


def rows_of(experiment: Experiment, result: StudyResult) -> list[tuple[str, ...]]:
    """Return cell, method, mean coverage, its range over the places, and width where there is one place."""
    rows: list[tuple[str, ...]] = []
    for cell in result.cells:
        wanted = {experiment.figure.quantity, "area", "realised"}
        for t in cell.tallies:
            alone = len({u.quantity for u in cell.tallies}) == 1
            if t.quantity not in wanted and not alone:
                continue
            share, wide = coverage(t), width(t)
            one = len(t.at) == 1
            name = t.method if t.quantity not in ("area", "realised") else f"{t.method} ({t.quantity})"
            held = "" if t.quantity == "area" else f"{share.mean():.3f}"
            span = "" if one else f"{share.min():.3f} to {share.max():.3f}"
            rows.append(
                (cell.name, name, held, span, f"{wide[0]:.4g}" if one and t.quantity != "fresh" else "")
            )
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
    """
    agree = sum(f.holds for f in findings)
    reasons = dict.fromkeys(f.expected.differs for f in findings if not f.holds and f.expected.differs)
    parts = [
        f"# {about.splitlines()[0]}",
        "\n".join(about.splitlines()[2:]),
        f"`confroc lab run {name} --reps {result.replications}`: {result.replications} samples a cell.",
        f"![{experiment.title}]({figure})",
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
