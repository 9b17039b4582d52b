"""Pictures as inline SVG: drawn by the displays, then made to fit the page.

The page's style sheet sets their type face and colours, so that they follow its dark mode and its
print form; without it they keep the colours given here.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Mapping
from io import StringIO
from typing import Any
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FixedFormatter, FixedLocator

from confroc.bands import CalibrationBand
from confroc.curve import RocCurve
from confroc.plot import BandDisplay, CurveDisplay
from confroc.plot.calibration import draw_calibration
from confroc.plot.distribution import Bins, draw_bins, set_score_axis
from confroc.plot.names import plain, shortened
from confroc.plot.style import GUIDE, LINE_STYLES, OKABE_ITO, Labels, ribbon, thin
from confroc.results import Band, Interval, Intervals

INK = "#1b1f24"

_POINTS = 9.0
_STYLE: Any = {
    "svg.fonttype": "none",
    # Fixed, so that the same report is the same file.
    "svg.hashsalt": "confroc",
    "font.size": _POINTS,
    "axes.linewidth": 0.7,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
} | dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK)

_VARIABLES = {color.lower(): f"var(--series-{i}, {color.lower()})" for i, color in enumerate(OKABE_ITO)} | {
    INK: f"var(--ink, {INK})",
    GUIDE["color"]: f"var(--muted, {GUIDE['color']})",
}
# As wide as a phone shows them, so that their labels can be read there.
_SQUARE = ((3.6, 3.6), (0.14, 0.125, 0.84, 0.855))


def color_of(row: int) -> str:
    """Return the colour of the model in this row of the report."""
    return OKABE_ITO[row % len(OKABE_ITO)]


def style_of(row: int) -> Any:
    """Return the line style of the model in this row of the report."""
    return LINE_STYLES[row % len(LINE_STYLES)]


LONGEST_NAME = 22
"""Letters of a model's name in the legend of a picture."""


def curves_figure(
    curves: Mapping[str, RocCurve], bands: Mapping[str, Band], *, key: str, alt: str, named: bool = True
) -> Markup:
    """Draw all curves on one pair of axes, in the bands given.

    Without `named` the page says beside the picture which line is whose.
    """

    def draw(ax: Axes) -> None:
        short = shortened([*curves], LONGEST_NAME)
        for row, (name, curve) in enumerate(curves.items()):
            if name in bands:
                band = bands[name]
                kept = thin(band.at, band.lower, band.upper)
                ribbon(ax, band.at[kept], band.lower[kept], band.upper[kept], color_of(row), {})
            # The last one's legend tells of all.
            labels: Labels = "legend" if named and row == len(curves) - 1 else "none"
            look = {"color": color_of(row), "linestyle": style_of(row)}
            CurveDisplay(curve).plot(ax, name=short[row], labels=labels, **look)

    return _picture(draw, *_SQUARE, key, alt)


def band_figure(band: Band, curve: RocCurve, *, row: int, key: str, alt: str) -> Markup:
    """Draw one curve in its band."""
    return _picture(lambda ax: BandDisplay(band, curve).plot(ax, color=color_of(row)), *_SQUARE, key, alt)


def cost_figure(
    bands: Mapping[str, Band], w: float, *, key: str, alt: str, banded: str | None = None
) -> Markup:
    """Draw cost curves in their bands, the trivial classifiers, and the weight that is asked about.

    With `banded`, a model's name, only that model's band is drawn. The page says which line is whose: an
    empty corner is there in some such pictures only.
    """

    def draw(ax: Axes) -> None:
        for row, (name, band) in enumerate(bands.items()):
            look = {"linestyle": style_of(row), "linewidth": 1.5}
            if banded in (None, name):
                BandDisplay(band).plot(ax, color=color_of(row), labels="none", line_kwargs=look)
            else:
                ax.plot(band.at, band.estimate, color=color_of(row), **look)
        ax.plot([0.0, 0.5, 1.0], [0.0, 0.5, 0.0], **GUIDE)
        ax.axvline(w, **(GUIDE | {"linestyle": ":"}))
        ax.set(xlim=(0, 1), ylim=(0, 0.52), xlabel="w, weight of a missed positive", ylabel="Normalised cost")

    return _picture(draw, (3.6, 2.8), (0.15, 0.16, 0.81, 0.81), key, alt)


def difference_figure(band: Band, *, a: str, b: str, key: str, alt: str) -> Markup:
    """Draw the difference of two curves in its band."""

    def draw(ax: Axes) -> None:
        kept = thin(band.at, band.lower, band.upper, band.estimate)
        ribbon(ax, band.at[kept], band.lower[kept], band.upper[kept], color_of(0), {})
        ax.plot(band.at[kept], band.estimate[kept], color=color_of(0))
        ax.axhline(0.0, **GUIDE)
        reach = min(1.0, 1.08 * max(float(-band.lower.min()), float(band.upper.max()), 0.05))
        ax.set(xlim=(0, 1), ylim=(-reach, reach), xlabel="False positive rate")
        # As long as the axis, at most.
        names = f"{plain(a)} − {plain(b)}" if len(a + b) <= 14 else "first − second"
        ax.set_ylabel(f"TPR of {names}")

    return _picture(draw, (3.6, 2.4), (0.22, 0.18, 0.74, 0.79), key, alt)


def hourglass_figure(
    curve: Intervals, intervals: Mapping[str, Interval], jeffreys: float, *, row: int, key: str, alt: str
) -> Markup:
    """Draw the range of areas against the distance, and today's intervals beside it."""

    def draw(ax: Axes) -> None:
        # One pair of axes, over the logarithm of the distance: a second one, or a logarithmic scale with its
        # many ticks, takes longer to draw than all the rest.
        at = np.log10(curve.at)
        decades = range(math.ceil(at[0] - 1e-9), math.floor(at[-1] + 1e-9) + 1)
        places = [float(at[0]) - 0.4 * (len(intervals) - k) for k in range(len(intervals))]
        for place, interval in zip(places, intervals.values(), strict=True):
            ink = INK if place == places[0] else GUIDE["color"]
            ax.plot([place, place], [interval.lower, interval.upper], color=ink, linewidth=2.4)
            ax.plot([place], [interval.estimate], color=ink, marker="o", markersize=4)
        ribbon(ax, at, curve.lower, curve.upper, color_of(row), {})
        for edge in (curve.lower, curve.upper):
            ax.plot(at, edge, color=color_of(row))
        ax.plot(at, curve.estimate, **GUIDE)
        ax.axvline(math.log10(jeffreys), **(GUIDE | {"linestyle": ":"}))
        ax.xaxis.set_major_locator(FixedLocator([*places, *decades]))
        drifts = (f"Jeffreys {10.0**k:g}" for k in decades)
        ax.xaxis.set_major_formatter(FixedFormatter([*intervals, *drifts]))
        ax.set(xlim=(places[0] - 0.3, float(at[-1]) + 0.05), ylabel="AUC")

    return _picture(draw, (3.6, 2.6), (0.16, 0.35, 0.82, 0.62), key, alt, slanted=True)


def described_figure(
    bins: Bins, band: CalibrationBand, *, row: int, key: str, alt: str, end: float = 1.0
) -> Markup:
    """Draw the scores of both classes above their calibration curve in its band, over one axis.

    Axes of probabilities end at `end`.
    """

    def draw(ax: Axes) -> None:
        draw_calibration(ax, band, color_of(row), {})
        left, low, width, height = ax.get_position().bounds
        above = ax.figure.add_axes((left, low + height + 0.03, width, 0.955 - low - height))
        draw_bins(above, bins, color_of(row))
        set_score_axis(ax, bins)
        ticks = [0.0, 0.5 * end, end]
        texts = [f"{tick:.1f}" if end == 1.0 else f"{tick:g}" for tick in ticks]
        ax.set_yticks(ticks, texts)
        ax.set(ylim=(-0.01 * end, 1.01 * end), ylabel="Probability")
        if band.probabilities:
            ax.set_xticks(ticks, texts)
        above.set_axis_off()

    return _picture(draw, (3.6, 2.45), (0.14, 0.175, 0.81, 0.53), key, alt)


def _picture(
    draw: Callable[[Axes], object],
    size: tuple[float, float],
    box: tuple[float, float, float, float],
    key: str,
    alt: str,
    *,
    slanted: bool = False,
) -> Markup:
    out = StringIO()
    with mpl.rc_context(_STYLE), warnings.catch_warnings():
        # Only measured with matplotlib's font; the reader's browser has its own for other scripts.
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        figure = Figure(figsize=size)
        ax = figure.add_axes(box)
        draw(ax)
        scales = _scales(ax, size, slanted)
        figure.savefig(out, format="svg", transparent=True, metadata=dict.fromkeys(("Date", "Creator")))
    return _inline(out.getvalue(), scales, key, alt)


def _scales(ax: Axes, size: tuple[float, float], slanted: bool) -> ElementTree.Element:
    """Take ticks, numbers and labels off axes and return them as SVG.

    They are where matplotlib has them, which needs longer for them than for all the rest. With `slanted` the
    names below are.
    """
    ax.apply_aspect()
    place = ax.get_position()
    width, height = 72.0 * size[0], 72.0 * size[1]
    left, right = place.x0 * width, place.x1 * width
    top, bottom = (1.0 - place.y1) * height, (1.0 - place.y0) * height
    group = ElementTree.Element("g", {"style": f"font-size: {_POINTS:g}px; fill: {INK}"})
    lines, widest = [], 0.0

    def write(text: str, x: float, y: float, anchor: str, turned: int = 0) -> None:
        about = {"x": f"{x:.2f}", "y": f"{y:.2f}", "style": f"text-anchor: {anchor}"}
        if turned:
            about["transform"] = f"rotate({turned} {x:.2f} {y:.2f})"
        if text:
            # In matplotlib's labels a dollar sign is escaped.
            ElementTree.SubElement(group, "text", about).text = text.replace(r"\$", "$")

    for at, text in _ticks(ax.xaxis, left, right):
        lines.append(f"M {at:.2f} {bottom:.2f} V {bottom + 3.5:.2f}")
        if slanted:
            write(text, at + 4.4, bottom + 12.24, "end", -40)
        else:
            write(text, at, bottom + 13.84, "middle")
    for at, text in _ticks(ax.yaxis, bottom, top):
        lines.append(f"M {left:.2f} {at:.2f} H {left - 3.5:.2f}")
        write(text, left - 7.0, at + 3.42, "end")
        widest = max(widest, sum({".": 2.86, "−": 7.54}.get(sign, 5.73) for sign in text))
    write(ax.get_xlabel(), (left + right) / 2.0, bottom + 26.84, "middle")
    write(ax.get_ylabel(), left - 13.2 - widest, (top + bottom) / 2.0, "middle", -90)
    look = {"d": " ".join(lines), "style": f"fill: none; stroke: {INK}; stroke-width: 0.7"}
    ElementTree.SubElement(group, "path", look)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_visible(False)
    return group


def _ticks(axis: Axis, start: float, end: float) -> list[tuple[float, str]]:
    """Where the ticks of an axis are between its ends on the page, and what stands at them."""
    on_scale = axis.get_transform().transform
    low, high = on_scale(np.asarray(axis.get_view_interval()))
    places = axis.get_majorticklocs()
    texts = axis.get_major_formatter().format_ticks(places.tolist())
    within = (on_scale(places) - low) / (high - low)
    return [
        (start + share * (end - start), text)
        for share, text in zip(within.tolist(), texts, strict=True)
        if -1e-9 <= share <= 1.0 + 1e-9
    ]


def _inline(document: str, scales: ElementTree.Element, key: str, alt: str) -> Markup:
    """Return an SVG document as an element of an HTML page.

    Names of XML namespaces, sizes, metadata and identifiers nothing refers to go; the other identifiers
    get the prefix `key`, because two pictures on one page must not share any.
    """
    root = ElementTree.fromstring(document)
    root.append(scales)
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
                parent.set("d", " ".join(re.sub(r"(?<=\.\d\d)\d+", "", value).split()))
            else:
                parent.set(name, value.replace("url(#", f"url(#{key}-"))
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.set("role", "img")
    root.set("aria-label", alt)
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def _local(name: str) -> str:
    return name.rpartition("}")[2]
