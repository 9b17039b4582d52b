"""An experiment's figure, in the paper's layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from confroc.lab.experiment import Dots, Experiment, Panels
from confroc.lab.results import StudyResult, coverage, coverage_error

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(experiment: Experiment, result: StudyResult) -> Figure:
    """Draw what a study found; cells that were not run leave their panel empty.

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
            methods = {t.method for t in cell.tallies}
            for method, label, style in layout.styles:
                if method not in methods:
                    continue
                t = cell.find(method, layout.quantity)
                text = f"{label}, {name}" if len(names) > 1 else label
                ax.plot(t.at, coverage(t), style, color=colour, linewidth=1.0, label=text)
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

    shown = [(c, [t for t in c.tallies if t.quantity == layout.quantity]) for c in result.cells]
    shown = [(cell, tallies) for cell, tallies in shown if tallies]
    columns = min(2, len(shown))
    rows = -(-len(shown) // columns)
    each = max(len(tallies) for _, tallies in shown)
    figure = Figure(figsize=(3.0 + 3.2 * columns, rows * (0.19 * each + 0.5) + 0.9), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, sharex=True)
    least = min(float(np.nanmin([coverage(t)[0] for t in tallies])) for _, tallies in shown)
    for ax, (cell, tallies) in zip(axes.flat, shown, strict=False):
        at = np.arange(len(tallies))[::-1]
        values = [coverage(t)[0] for t in tallies]
        errors = [2.0 * coverage_error(t)[0] for t in tallies]
        ax.errorbar(values, at, xerr=errors, fmt="o", color="black", markersize=3.5, linewidth=1.0)
        ax.axvline(cell.level, color="0.6", linestyle="--", linewidth=0.8)
        ax.set_yticks(at, [t.method for t in tallies], fontsize=7)
        ax.set_title(cell.name, fontsize=9)
        ax.tick_params(axis="x", labelsize=8)
        ax.set_xlim(min(0.5, least - 0.05), 1.02)
    # Names of the methods stand once a row where they are the same.
    for row in axes:
        names = [[label.get_text() for label in ax.get_yticklabels()] for ax in row]
        if columns == 2 and names[0] == names[1]:
            row[1].set_yticklabels([])
    for ax in axes[-1]:
        ax.set_xlabel("coverage (bars: two Monte Carlo standard errors)", fontsize=8)
    for ax in axes.flat[len(shown) :]:
        ax.remove()
    return figure
