"""From operating points to cost curves (Dugas & Gadoury 2009, costs, Fig. 1)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from scipy import stats

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Normal: TypeAlias = tuple[float, float]
"""Mean and standard deviation."""


@dataclass(frozen=True, kw_only=True)
class CostLines:
    """Scores, ROC curve and cost curve of several binormal models, with a few thresholds on all three.

    Attributes
    ----------
    classes : tuple of ((mean, sd), (mean, sd))
        Positives and negatives of each model, a column each.
    thresholds : tuple of float
    w : float
        Operating conditions that are marked.
    name, caption : str
    """

    classes: tuple[tuple[Normal, Normal], ...]
    thresholds: tuple[float, ...]
    w: float
    name: str
    caption: str

    def figure(self, data: Path | None) -> Figure:  # noqa: ARG002
        """Draw it."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(3.4 * len(self.classes), 8.4), layout="constrained")
        axes = figure.subplots(3, len(self.classes))
        colours = [f"C{i}" for i in (3, 2, 0)]
        weights = np.linspace(0.0, 1.0, 201)
        for (scores, roc, cost), (pos, neg) in zip(axes.T, self.classes, strict=True):
            reach = [f(m + k * s for m, s in (pos, neg)) for f, k in ((min, -3.5), (max, 3.5))]
            x = np.linspace(*reach, 401)
            scores.plot(x, stats.norm.pdf(x, *neg), "k-", linewidth=1)
            scores.plot(x, stats.norm.pdf(x, *pos), "k--", linewidth=1)
            roc.plot(stats.norm.sf(x, *neg), stats.norm.sf(x, *pos), "k-", linewidth=1)
            lines = [
                np.outer(1.0 - weights, stats.norm.sf(x, *neg)) + np.outer(weights, stats.norm.cdf(x, *pos))
            ]
            cost.plot(weights, lines[0].min(axis=1), "k-", linewidth=1)
            cost.axvline(self.w, color="0.6", linewidth=0.8)
            for t, colour in zip(self.thresholds, colours, strict=True):
                fpr, tpr = stats.norm.sf(t, *neg), stats.norm.sf(t, *pos)
                scores.axvline(t, color=colour, linewidth=1.2)
                roc.plot(fpr, tpr, "o", color=colour)
                cost.plot([0.0, 1.0], [fpr, 1.0 - tpr], color=colour, linewidth=1.2)
            scores.set(xlabel="score", yticks=[])
            roc.set(xlabel="false positive rate", ylabel="true positive rate", aspect="equal")
            cost.set(xlabel="operating conditions w", ylabel="normalised cost", ylim=(0.0, 0.6))
        return figure
