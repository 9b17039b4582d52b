"""Plots of single samples that papers show next to their numbers: bands around one curve, forecast bounds.

They are illustrations without statements; an experiment lists them among its parameters.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from confroc import auc_forecast, auc_interval, rates_at_threshold, roc_band, roc_curve, tpr_at_fpr
from confroc.auditing.populations import threshold_at_positive_rate
from confroc.auditing.rules import parse, quiet
from confroc.methods import FAMILIES
from confroc_lab._types import Sampling
from confroc_lab.samples import draw

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Drawing(Protocol):
    """A plot with a short name for its file and a caption."""

    @property
    def name(self) -> str:
        """Short name."""
        ...

    @property
    def caption(self) -> str:
        """What it shows, and which figure of the paper it is."""
        ...

    def figure(self, data: Path | None) -> Figure:
        """Draw it; `data` is the folder of the data sets."""
        ...


@dataclass(frozen=True, kw_only=True)
class BandLine:
    """A band in a sketch.

    Attributes
    ----------
    label : str
    method : str
        As in the rules for bands, or an interval method of `tpr_at_fpr` at 49 rates.
    size : (int, int)
        Of the sample.
    n_resamples : int
    """

    label: str
    method: str
    size: tuple[int, int]
    n_resamples: int = 999


@dataclass(frozen=True, kw_only=True)
class BandSketch:
    """Bands around the curve of one sample, in panels; equal sizes share the sample.

    Attributes
    ----------
    name, caption : str
    population : Population, or a recipe for one
    panels : tuple of (title, lines)
    confidence_level : float
    sampling : {"stratified", "full"}
    seed : int
    """

    name: str
    caption: str
    population: Any
    panels: tuple[tuple[str, tuple[BandLine, ...]], ...]
    confidence_level: float = 0.95
    sampling: Sampling = "stratified"
    seed: int = 0

    def figure(self, data: Path | None) -> Figure:
        """Draw it."""
        from matplotlib.figure import Figure

        population = self.population
        if hasattr(population, "prepare"):
            population = population.prepare(data)
        figure = Figure(figsize=(3.6 * len(self.panels), 4.2), layout="constrained")
        axes = figure.subplots(1, len(self.panels), squeeze=False, sharey=True)[0]
        for ax, (title, lines) in zip(axes, self.panels, strict=True):
            for number, line in enumerate(lines):
                self._draw(ax, population, line, f"C{number}" if len(lines) > 1 else "black")
            ax.set_title(title, fontsize=9)
            ax.set_xlabel("false positive rate", fontsize=8)
            ax.set_aspect("equal")
            ax.tick_params(labelsize=8)
            ax.legend(fontsize=7, loc="lower right")
        axes[0].set_ylabel("true positive rate", fontsize=8)
        return figure

    def _draw(self, ax: Axes, population: Any, line: BandLine, colour: str) -> None:
        rng = np.random.Generator(np.random.SFC64(self.seed))
        scores = draw(population, line.size, self.sampling, rng, 1)[0][0].scores(0)
        curve = roc_curve(scores)
        method, options = parse(line.method)
        level = self.confidence_level
        with quiet():
            if method in POINTWISE:
                at = np.linspace(0.02, 0.98, 49)
                found = tpr_at_fpr(
                    scores,
                    fpr=at,
                    method=method,
                    confidence_level=level,
                    rng=rng,
                    **FAMILIES["tpr_at_fpr"].taken(method, {"n_resamples": line.n_resamples}),
                )
                edges = found.at, found.lower, found.upper
            else:
                options |= FAMILIES["roc_band"].taken(method, {"n_resamples": line.n_resamples, "rng": rng})
                band = roc_band(scores, method=method, confidence_level=level, **options)
                edges = band.at, band.lower, band.upper
        ax.plot(curve.fpr, curve.tpr, color=colour, linewidth=1.0)
        ax.plot(edges[0], edges[1], color=colour, linewidth=0.8, linestyle="--", label=line.label)
        ax.plot(edges[0], edges[2], color=colour, linewidth=0.8, linestyle="--")


POINTWISE = ("naive_bootstrap", "smoothed_bootstrap")
"""Bertail, Clémençon & Vayatis's (2008) intervals at single rates."""


@dataclass(frozen=True, kw_only=True)
class ForecastFan:
    """Bounds of the area as the distance from the sample grows, with confidence intervals.

    Attributes
    ----------
    name, caption : str
    population : Population
    size : (int, int)
    radii : (float, float)
        Smallest and largest distance.
    methods : tuple of str
        Of `auc_interval`.
    bins : int
        Vertical lines mark the median and the 95 % point of the distance that chance alone makes on so many
        bins a class: χ² with bins − 1 degrees of freedom over twice the number of cases, both classes added.
    """

    name: str
    caption: str
    population: Any
    size: tuple[int, int]
    radii: tuple[float, float]
    methods: tuple[str, ...]
    bins: int = 10
    confidence_level: float = 0.95
    seed: int = 0

    def figure(self, data: Path | None) -> Figure:  # noqa: ARG002
        """Draw it."""
        from matplotlib.figure import Figure

        rng = np.random.Generator(np.random.SFC64(self.seed))
        scores = draw(self.population, self.size, "stratified", rng, 1)[0][0].scores(0)
        radii = np.geomspace(*self.radii, 60)
        bounds = [auc_forecast(scores, radius=float(r), method="paper") for r in radii]
        figure = Figure(figsize=(6.4, 4.2), layout="constrained")
        ax = figure.subplots()
        for side in ("lower", "upper"):
            ax.plot(radii, [getattr(b, side) for b in bounds], color="black", linewidth=1.2)
        ax.plot([], [], color="black", label="forecast bounds")
        ax.axhline(scores.auc, color="0.5", linewidth=0.8, label=f"sample's area, {scores.auc:.3f}")
        for number, method in enumerate(self.methods):
            chosen: Any = method
            interval = auc_interval(scores, method=chosen, confidence_level=self.confidence_level, rng=rng)
            for end in (interval.lower, interval.upper):
                ax.axhline(end, color=f"C{number}", linewidth=0.9, linestyle="--")
            ax.plot([], [], color=f"C{number}", linestyle="--", label=method)
        chance = sum(rng.chisquare(self.bins - 1, 100_000) / (2.0 * n) for n in self.size)
        for share, style in ((0.5, ":"), (0.95, "-.")):
            at = float(np.quantile(chance, share))
            ax.axvline(
                at,
                color="0.6",
                linewidth=0.8,
                linestyle=style,
                label=f"{100 * share:g} % of chance: {at:.3f}",
            )
        ax.set_xscale("log")
        ax.set_xlabel("distance from the sample (Kullback-Leibler, both classes)", fontsize=8)
        ax.set_ylabel("area under the curve", fontsize=8)
        ax.tick_params(labelsize=8)
        ax.legend(fontsize=7, loc="upper left")
        return figure


@dataclass(frozen=True, kw_only=True)
class RectangleSketch:
    """Regions for points of one sample's curve, at thresholds with some total positive rates.

    Attributes
    ----------
    name, caption : str
    population : Population
    size : (int, int)
    rates : tuple of float
    confidence_level : float
        Of each region.
    seed : int
    """

    name: str
    caption: str
    population: Any
    size: tuple[int, int]
    rates: tuple[float, ...]
    confidence_level: float = 0.9
    seed: int = 0

    def figure(self, data: Path | None) -> Figure:  # noqa: ARG002
        """Draw it."""
        from matplotlib.figure import Figure
        from matplotlib.patches import Rectangle

        rng = np.random.Generator(np.random.SFC64(self.seed))
        scores = draw(self.population, self.size, "stratified", rng, 1)[0][0].scores(0)
        share = self.size[0] / sum(self.size)
        threshold = threshold_at_positive_rate(self.population, self.rates, share)
        with quiet():
            found = rates_at_threshold(
                scores,
                threshold=threshold,
                method="agresti_coull",
                confidence_level=self.confidence_level,
                joint=True,
            )
        figure = Figure(figsize=(4.4, 4.4), layout="constrained")
        ax = figure.subplots()
        curve = roc_curve(scores)
        ax.plot(curve.fpr, curve.tpr, color="black", linewidth=1.0)
        for i in range(len(threshold)):
            (left, right), (low, high) = (
                (float(side.lower[i]), float(side.upper[i])) for side in (found.fpr, found.tpr)
            )
            ax.add_patch(Rectangle((left, low), right - left, high - low, facecolor="C0", alpha=0.3))
        ax.plot(found.fpr.estimate, found.tpr.estimate, "o", color="C0", markersize=4)
        ax.set_aspect("equal")
        ax.set_xlabel("false positive rate", fontsize=8)
        ax.set_ylabel("true positive rate", fontsize=8)
        ax.tick_params(labelsize=8)
        return figure
