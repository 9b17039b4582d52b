"""Results of a study as a figure in the paper's layout, as tables, and as a page in Markdown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from confroc_lab.coverage import StudyResult, coverage_error
from confroc_lab.experiment import (
    SAMPLES,
    SEPARATES,
    Dots,
    Expected,
    Experiment,
    Finding,
    Listed,
    Panels,
    tally,
)
from confroc_lab.store import csv_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FINDING_COLUMNS = (
    *("statement", "says", "source", "expected", "ours", "error", "samples", "allowed", "verdict", "why"),
)
RESULT_COLUMNS = ("cell", "method", "coverage", "over the places", "width")
STATEMENT_COLUMNS = ("statement", "source", "expected", "ours ± MC error", "allowed", "verdict")


def draw(experiment: Experiment, result: StudyResult) -> Figure:
    """Plot the results of a study; cells that were not run leave their panel empty.

    Parameters
    ----------
    experiment : Experiment
    result : StudyResult

    Returns
    -------
    matplotlib.figure.Figure
    """
    if isinstance(experiment.figure, Panels):
        figure = _panels(experiment.figure, result)
    else:
        figure = _dots(experiment.figure, result)
    figure.suptitle(
        f"{experiment.title}\n{experiment.source}; {result.replications} samples a cell", fontsize=10
    )
    return figure


def _panels(layout: Panels, result: StudyResult) -> Figure:
    from matplotlib.figure import Figure

    rows = -(-len(layout.panels) // layout.columns)
    figure = Figure(figsize=(4.2 * layout.columns, 2.7 * rows + 0.6), layout="constrained")
    axes = figure.subplots(rows, layout.columns, squeeze=False, sharey=True)
    there = {cell.name: cell for cell in result.cells}
    for ax, (title, names) in zip(axes.flat, layout.panels, strict=False):
        for number, name in enumerate(n for n in names if n in there):
            cell = there[name]
            colour = f"C{number}" if len(names) > 1 else "black"
            methods = {c.method for c in cell.counts}
            for method, label, style in layout.styles:
                if method not in methods:
                    continue
                found = cell.find(method, layout.quantity)
                text = f"{label}, {name}" if len(names) > 1 else label
                ax.plot(found.at, found.share, style, color=colour, linewidth=1.0, label=text)
            ax.axhline(cell.level, color="0.6", linestyle="--", linewidth=0.8, zorder=0)
        ax.set_title(title, fontsize=9)
        ax.set_ylim(*layout.ylim)
        ax.tick_params(labelsize=8)
    for ax in axes[-1]:
        ax.set_xlabel(layout.x, fontsize=8)
    for ax in axes[:, 0]:
        ax.set_ylabel("coverage", fontsize=8)
    handles, labels = axes.flat[0].get_legend_handles_labels()
    if handles:
        axes.flat[0].legend(handles, labels, fontsize=7, loc="lower center")
    for ax in axes.flat[len(layout.panels) :]:
        ax.remove()
    return figure


def _dots(layout: Dots, result: StudyResult) -> Figure:
    from matplotlib.figure import Figure

    held = [(cell, [c for c in cell.counts if c.quantity == layout.quantity]) for cell in result.cells]
    shown = [(cell, counts) for cell, counts in held if counts]
    columns = min(2, len(shown))
    rows = -(-len(shown) // columns)
    each = max(len(counts) for _, counts in shown)
    figure = Figure(figsize=(3.0 + 3.2 * columns, rows * (0.19 * each + 0.5) + 0.9), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, sharex=True)
    least = min(float(np.nanmin([c.share[0] for c in counts])) for _, counts in shown)
    for ax, (cell, counts) in zip(axes.flat, shown, strict=False):
        at = np.arange(len(counts))[::-1]
        values = [c.share[0] for c in counts]
        errors = [2.0 * coverage_error(c)[0] for c in counts]
        ax.errorbar(values, at, xerr=errors, fmt="o", color="black", markersize=3.5, linewidth=1.0)
        ax.axvline(cell.level, color="0.6", linestyle="--", linewidth=0.8)
        ax.set_yticks(at, [c.method for c in counts], fontsize=7)
        ax.set_title(cell.name, fontsize=9)
        ax.tick_params(axis="x", labelsize=8)
        ax.set_xlim(min(0.5, least - 0.05), 1.02)
    # Methods are named once per row where they are the same.
    for row in axes:
        names = [[label.get_text() for label in ax.get_yticklabels()] for ax in row]
        if columns == 2 and names[0] == names[1]:
            row[1].set_yticklabels([])
    for ax in axes[-1]:
        ax.set_xlabel("coverage (bars: two Monte Carlo standard errors)", fontsize=8)
    for ax in axes.flat[len(shown) :]:
        ax.remove()
    return figure


def rows_of(experiment: Experiment | None, result: StudyResult) -> list[tuple[str, ...]]:
    """Return cell, method, mean coverage, its range over the places, and width where there is one place."""
    rows: list[tuple[str, ...]] = []
    figure = None if experiment is None else experiment.figure
    for cell in result.cells:
        alone = len({c.quantity for c in cell.counts}) == 1
        for c in cell.counts:
            main = alone or (figure is not None and c.quantity == figure.quantity)
            # Only the CSV has the sides of a region.
            if not main and isinstance(figure, Panels):
                continue
            one = len(c.at) == 1
            name = c.method if main else f"{c.method} ({c.quantity})"
            # An area or an edge has a size but no coverage; only the CSV has edges.
            size = c.quantity.startswith(("area", "edge"))
            held = "" if size else f"{c.share.mean():.3f}"
            span = "" if one or size else f"{c.share.min():.3f} to {c.share.max():.3f}"
            sized = one and not c.quantity.startswith("fresh")
            if size and not one:
                continue
            rows.append((cell.name, name, held, span, f"{c.mean_width[0]:.4g}" if sized else ""))
    return rows


def statements_of(findings: Sequence[Finding]) -> list[tuple[str, ...]]:
    """Return statement, source, expected value, ours with its error, distance allowed, verdict."""
    return [
        (
            f.expected.says,
            f.expected.source,
            _expected(f.expected),
            f"{f.ours:.4g} ± {f.error:.2g}",
            f"{f.allowed:.2g}",
            f.verdict,
        )
        for f in findings
    ]


def findings_csv(findings: Sequence[Finding]) -> str:
    """Return the statements as CSV text, each with the key of the paper's statement, if any."""
    return csv_text(
        FINDING_COLUMNS,
        [
            (
                f.expected.statement,
                f.expected.says,
                f.expected.source,
                _expected(f.expected),
                f"{f.ours:.6g}",
                f"{f.error:.4g}",
                f.samples,
                f"{f.allowed:.4g}",
                f.verdict,
                f.expected.differs if f.verdict == "not reproduced" else "",
            )
            for f in findings
        ],
    )


def _expected(expected: Expected) -> str:
    """Return relation and value; for a difference with its sign and the subtrahend."""
    value = float(expected.value)
    if expected.than is None:
        return f"{expected.relation} {value:.4g}"
    cell, method, *at = expected.than
    other = [cell] * (cell != expected.cell) + [method] * (method != expected.method) + [f"{x:g}" for x in at]
    other += [expected.than_quantity] * bool(expected.than_quantity)
    return f"{expected.relation} {value:+.4g} than {', '.join(other)}"


def markdown(
    listed: Listed,
    experiment: Experiment,
    result: StudyResult,
    figure: str,
    drawings: Sequence[tuple[str, str]] = (),
    seconds: float | None = None,
) -> str:
    """Return a page for an experiment: the paper's statements with our results.

    Parameters
    ----------
    listed : Listed
        The experiment's file.
    experiment : Experiment
    result : StudyResult
    figure : str
        Path of the figure, relative to the page.
    drawings : sequence of (path, caption)
        Further figures.
    seconds : float, optional
        Processor time of the study.
    """
    parts = [
        f"# {listed.title}",
        "\n".join(listed.about.splitlines()[2:]),
        f"`confroc-lab run lab/experiments/{listed.path.name} --reps {result.replications}`: "
        f"{result.replications} samples a cell{_time(seconds)}.",
        f"![{experiment.title}]({figure})",
        *(f"{caption}\n\n![{caption}]({path})" for path, caption in drawings),
        compared(experiment.findings(result)),
        "## Coverage",
        _table(RESULT_COLUMNS, rows_of(experiment, result)),
    ]
    return "\n\n".join(parts) + "\n"


def compared(findings: Sequence[Finding]) -> str:
    """Return a page's section on the statements."""
    parts = [
        f"## Statements that agree: {tally(findings)}",
        "A statement agrees when our number differs by at most two Monte Carlo standard errors (of both "
        "studies for a number, of ours for an inequality) plus the rounding of the printed number. It is "
        f"undecided when an alternative would agree as well (a number {2.0 * SEPARATES:g} away, no "
        f"difference, the reverse order), or when a proportion is based on fewer than {SAMPLES:,} samples.",
        _table(STATEMENT_COLUMNS, statements_of(findings)),
    ]
    reasons = dict.fromkeys(f.expected.differs for f in findings if f.verdict == "not reproduced")
    if any(reasons):
        parts += ["Reasons for differences:", "\n".join(f"* {reason}." for reason in reasons if reason)]
    return "\n\n".join(parts)


def text_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as aligned text."""
    lines = [tuple(columns), *(tuple(row) for row in rows)]
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def _time(seconds: float | None) -> str:
    if seconds is None:
        return ""
    text = f"{math.ceil(seconds)} seconds" if seconds < 100.0 else f"{seconds / 60.0:.0f} minutes"
    return f", {text} of one core"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in lines)
