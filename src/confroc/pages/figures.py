"""Pictures as inline SVG: drawn by the displays, then made to fit the page.

The page's style sheet sets their type face and colours, so that they follow its dark mode and its
print form; without it they keep the colours given here.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
from markupsafe import Markup
from matplotlib.figure import Figure

from confroc.plot import BandDisplay, CurveDisplay, IntervalDisplay
from confroc.plot.style import GUIDE, OKABE_ITO, legend, plain, thin

if TYPE_CHECKING:
    from confroc.cost import CostBand
    from confroc.curve import RocCurve
    from confroc.results import Band, Difference, DifferenceBand, Interval, Intervals

INK = "#1b1f24"
# Line styles tell models apart where colours cannot be seen, as on a black and white print.
LINE_STYLES: tuple[Any, ...] = ("solid", (0, (6, 1.6)), (0, (2.5, 1.2)), (0, (6, 1.6, 1.2, 1.6)))
LONGEST_NAME = 30

_STYLE: Any = {
    "svg.fonttype": "none",
    # Fixed, so that the same report is the same file.
    "svg.hashsalt": "confroc",
    "font.size": 9.0,
    "axes.linewidth": 0.7,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
} | dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK)

_VARIABLES = {color.lower(): f"var(--series-{i}, {color.lower()})" for i, color in enumerate(OKABE_ITO)} | {
    INK: f"var(--ink, {INK})",
    GUIDE["color"]: f"var(--muted, {GUIDE['color']})",
}


def color_of(row: int) -> str:
    """Return the colour of the model in this row of the report."""
    return OKABE_ITO[row % len(OKABE_ITO)]


def style_of(row: int) -> Any:
    """Return the line style of the model in this row of the report."""
    return LINE_STYLES[row % len(LINE_STYLES)]


def short(name: str) -> str:
    """Return a name that fits in a picture."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def curves_figure(curves: Mapping[str, RocCurve], *, key: str, alt: str) -> Markup:
    """Draw all curves on one pair of axes."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(4.6, 4.6))
        ax = figure.add_axes((0.115, 0.1, 0.87, 0.87))
        for row, (name, curve) in enumerate(curves.items()):
            CurveDisplay(curve).plot(ax=ax, name=short(name), color=color_of(row), linestyle=style_of(row))
        return _svg(figure, key, alt)


def band_figure(band: Band, curve: RocCurve, *, row: int, key: str, alt: str) -> Markup:
    """Draw one curve in its band."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(4.6, 4.6))
        ax = figure.add_axes((0.115, 0.1, 0.87, 0.87))
        BandDisplay(band, curve).plot(ax=ax, color=color_of(row))
        return _svg(figure, key, alt)


def forest_figure(
    intervals: Sequence[Interval | Difference], names: Sequence[str], *, reference: float, key: str, alt: str
) -> Markup:
    """Draw intervals below each other."""
    with mpl.rc_context(_STYLE):
        height = 0.75 + 0.34 * len(intervals)
        shown = [short(name) for name in names]
        figure = Figure(figsize=(6.4, height))
        # Room for the longest name, at about 0.075 inch a letter, and for the scale below.
        left = (0.25 + 0.075 * max(map(len, shown))) / 6.4
        ax = figure.add_axes((left, 0.5 / height, 0.98 - left, 1.0 - 0.58 / height))
        IntervalDisplay(intervals, reference=reference).plot(ax=ax, name=shown, color=INK)
        return _svg(figure, key, alt)


def cost_figure(bands: Mapping[str, CostBand], w: float, *, key: str, alt: str) -> Markup:
    """Draw cost curves in their bands, the trivial classifiers, and the weight that is asked about."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(6.4, 4.0))
        ax = figure.add_axes((0.1, 0.12, 0.88, 0.85))
        for row, (name, band) in enumerate(bands.items()):
            kept = thin(band.at, band.estimate, band.lower, band.upper)
            at, color = band.at[kept], color_of(row)
            ax.fill_between(at, band.lower[kept], band.upper[kept], color=color, alpha=0.18, linewidth=0.0)
            ax.plot(at, band.estimate[kept], color=color, linestyle=style_of(row), label=plain(short(name)))
        ax.plot([0.0, 0.5, 1.0], [0.0, 0.5, 0.0], **GUIDE)
        ax.axvline(w, **(GUIDE | {"linestyle": ":"}))
        ax.set(xlim=(0, 1), ylim=(0, 0.52), xlabel="w, weight of a missed positive", ylabel="Normalised cost")
        legend(ax, loc="upper left")
        return _svg(figure, key, alt)


def difference_figure(band: DifferenceBand, *, a: str, b: str, key: str, alt: str) -> Markup:
    """Draw the difference of two curves in its band."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(6.4, 3.4))
        ax = figure.add_axes((0.1, 0.14, 0.88, 0.83))
        kept = thin(band.at, band.lower, band.upper, band.estimate)
        at = band.at[kept]
        ax.fill_between(at, band.lower[kept], band.upper[kept], color=color_of(0), alpha=0.18, linewidth=0.0)
        ax.plot(at, band.estimate[kept], color=color_of(0))
        ax.axhline(0.0, **GUIDE)
        reach = min(1.0, 1.08 * max(float(-band.lower.min()), float(band.upper.max()), 0.05))
        ax.set(xlim=(0, 1), ylim=(-reach, reach), xlabel="False positive rate")
        ax.set_ylabel(f"TPR of {plain(short(a))} − {plain(short(b))}")
        return _svg(figure, key, alt)


def hourglass_figure(
    curve: Intervals, intervals: Mapping[str, Interval], psi: float, *, row: int, key: str, alt: str
) -> Markup:
    """Draw the range of areas against the distance, and today's intervals beside it."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(6.4, 3.6))
        ax = figure.add_axes((0.09, 0.3, 0.89, 0.67))
        color = color_of(row)
        # One pair of axes, over the logarithm of the distance: a second one, or a logarithmic scale with its
        # many ticks, takes longer to draw than all the rest.
        at = np.log10(curve.at)
        decades = range(math.ceil(at[0] - 1e-9), math.floor(at[-1] + 1e-9) + 1)
        places = [float(at[0]) - 0.4 * (len(intervals) - k) for k in range(len(intervals))]
        for place, interval in zip(places, intervals.values(), strict=True):
            ink = INK if place == places[0] else GUIDE["color"]
            ax.plot([place, place], [interval.lower, interval.upper], color=ink, linewidth=2.4)
            ax.plot([place], [interval.estimate], color=ink, marker="o", markersize=4)
        ax.fill_between(at, curve.lower, curve.upper, color=color, alpha=0.18, linewidth=0.0)
        for edge in (curve.lower, curve.upper):
            ax.plot(at, edge, color=color)
        ax.plot(at, curve.estimate, **GUIDE)
        ax.axvline(math.log10(psi), **(GUIDE | {"linestyle": ":"}))
        names = [*intervals, *(f"PSI {10.0**k:g}" for k in decades)]
        ax.set_xticks([*places, *decades], names, rotation=40, ha="right", rotation_mode="anchor")
        ax.set(xlim=(places[0] - 0.3, float(at[-1]) + 0.05), ylabel="AUC")
        return _svg(figure, key, alt)


def _svg(figure: Figure, key: str, alt: str) -> Markup:
    out = StringIO()
    with warnings.catch_warnings():
        # Only measured with matplotlib's font; the reader's browser has its own for other scripts.
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        figure.savefig(out, format="svg", transparent=True, metadata=dict.fromkeys(("Date", "Creator")))
    return _inline(out.getvalue(), key, alt)


def _inline(document: str, key: str, alt: str) -> Markup:
    """Return an SVG document as an element of an HTML page.

    Names of XML namespaces, sizes, metadata and identifiers nothing refers to go; the other identifiers
    get the prefix `key`, because two pictures on one page must not share any.
    """
    root = ElementTree.fromstring(document)
    used = set(re.findall(r'(?:xlink:href="|url\()#([^")]+)', document))
    for parent in list(root.iter()):
        parent.tag = _local(parent.tag)
        for child in list(parent):
            if _local(child.tag) in ("metadata", "style"):
                parent.remove(child)
        for name, value in list(parent.attrib.items()):
            del parent.attrib[name]
            if name == "id":
                if value in used:
                    parent.set("id", f"{key}-{value}")
            elif value.startswith("#") and _local(name) == "href":
                parent.set("href", f"#{key}-{value[1:]}")
            elif name == "style":
                parent.set("style", re.sub(r"#[0-9a-f]{6}\b", lambda m: _VARIABLES.get(m[0], m[0]), value))
            elif name == "d":
                # A hundredth of a point is far below a pixel.
                parent.set("d", " ".join(re.sub(r"(\.\d\d)\d+", r"\1", value).split()))
            else:
                parent.set(name, value.replace("url(#", f"url(#{key}-"))
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.set("role", "img")
    root.set("aria-label", alt)
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def _local(name: str) -> str:
    return name.rpartition("}")[2]
