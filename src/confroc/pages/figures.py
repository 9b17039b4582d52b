"""Pictures as inline SVG. The style sheet of the page has the colors of lines, bands and texts."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from markupsafe import Markup

from confroc._types import FloatArray
from confroc.bands import CalibrationBand
from confroc.drift import DriftTable
from confroc.pages.words import MINUS
from confroc.results import Band
from confroc.results.polyline import thin
from confroc.scores.binning import Bins, drawable

WIDTH = 360
"""Width of a picture, about that of a telephone, so that its texts are legible there."""
LEFT, RIGHT, TOP, BELOW = 58, 352, 8, 40
N_COLORS = 7
"""Number of colors of the style sheet for models."""
MOST = 900
"""Most vertices of a line; the error is at most a pixel."""
DASHES = ("", "9 4", "2.5 2.5", "9 3 2.5 3")
TICKS, LETTERS = 5, 48
"""Most intervals between ticks, and most letters of names below an axis."""


class Scale(NamedTuple):
    """Range of an axis, its name, whether it is logarithmic, and the sign of its numbers as shown.

    `names` are shown in place of the numbers 0, 1, ...
    """

    low: float
    high: float
    name: str = ""
    log: bool = False
    sign: float = 1.0
    names: tuple[str, ...] = ()

    def share(self, values: Any) -> FloatArray:
        """Return the positions of values along the axis, from 0 to 1."""
        turned = [np.log10(v) if self.log else np.asarray(v) for v in (values, self.low, self.high)]
        return np.asarray((turned[0] - turned[1]) / (turned[2] - turned[1]), dtype=np.float64)

    def ticks(self) -> list[float]:
        """Return round numbers between the ends, or those of names that fit next to each other."""
        if self.names:
            n = len(self.names)
            return [*range(0, n, math.ceil(n * (max(map(len, self.names)) + 2) / LETTERS))]
        if self.log:
            decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            every = [
                self._inside(digit * 10.0**k for k in decades for digit in of) for of in ((1,), (1, 2, 5))
            ]
            found = every[len(every[0]) < 2]
            return found[:: math.ceil(len(found) / (TICKS + 1))]
        length = self.high - self.low
        power = 10.0 ** math.floor(math.log10(length / TICKS))
        step = next(k * power for k in (1, 2, 5, 10) if length <= (TICKS + 0.5) * k * power)
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        return self._inside(k * step for k in range(first, last + 1))

    def text(self, tick: float) -> str:
        """Return what is written at a tick."""
        return self.names[int(tick)] if self.names else f"{self.sign * tick + 0.0:g}".replace("-", MINUS)

    def _inside(self, ticks: Iterable[float]) -> list[float]:
        return [tick for tick in ticks if self.low <= tick <= self.high]


class Axes:
    """A pair of axes in a picture, and the marks on them; a row is the index of a model in the report."""

    def __init__(
        self, x: Scale, y: Scale, *, top: float = TOP, bottom: float = 190, named: bool = True
    ) -> None:
        self.x, self.y, self.top, self.bottom, self.named = x, y, top, bottom, named
        self.marks: list[Markup] = []

    def place(self, x: Any, y: Any) -> tuple[Any, Any]:
        """Return the positions of points, or of one, in the picture."""
        across = LEFT + self.x.share(x) * (RIGHT - LEFT)
        return across.tolist(), (self.bottom - self.y.share(y) * (self.bottom - self.top)).tolist()

    def path(self, x: Any, y: Any, look: str, *, dashes: str = "", closed: bool = False) -> None:
        """Add a line through points; `look` names classes of the style sheet."""
        points = "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(*self.place(x, y), strict=True))
        drawn = f"M{points}{'Z' if closed else ''}"
        self.marks.append(
            Markup('<path class="{}" stroke-dasharray="{}" d="{}"/>').format(look, dashes, drawn)
        )

    def band(self, row: int, at: FloatArray, lower: FloatArray, upper: FloatArray, also: str = "") -> None:
        """Fill between two edges, where there are any."""
        ends = np.flatnonzero(np.diff(np.isfinite(np.pad(lower, 1, constant_values=np.nan))))
        for start, stop in ends.reshape(-1, 2).tolist():
            x, down, up = (values[start:stop] for values in (at, lower, upper))
            kept = thin(x, down, up, most=MOST)
            edges = np.concatenate([down[kept], up[kept][::-1]])
            look = f"band {color_of(row)} {also}"
            self.path(np.concatenate([x[kept], x[kept][::-1]]), edges, look, closed=True)

    def line(self, row: int, x: FloatArray, y: FloatArray, also: str = "", *, steps: bool = False) -> None:
        """Draw a curve; with `steps`, each step precedes its point."""
        kept = thin(x, y, most=MOST)
        x, y = (np.repeat(x[kept], 2)[:-1], np.repeat(y[kept], 2)[1:]) if steps else (x[kept], y[kept])
        self.path(x, y, f"line {color_of(row)} {also}", dashes=DASHES[row % len(DASHES)])

    def drawn(self) -> Markup:
        """Return the frame with ticks and names, and the marks, clipped to the frame."""
        parts = []

        def write(text: str, x: float, y: float, anchor: str, turned: str = "") -> None:
            form = Markup('<text x="{:.1f}" y="{:.1f}" text-anchor="{}" transform="{}">{}</text>')
            parts.append(form.format(x, y, anchor, turned, text))

        for tick in self.x.ticks() if self.named else ():
            write(self.x.text(tick), self.place(tick, self.y.low)[0], self.bottom + 16.0, "middle")
        for tick in self.y.ticks() if self.named else ():
            write(self.y.text(tick), LEFT - 6.0, self.place(self.x.low, tick)[1] + 4.0, "end")
        middle = 0.5 * (self.top + self.bottom)
        write(self.x.name, 0.5 * (LEFT + RIGHT), self.bottom + 34.0, "middle")
        write(self.y.name, 12.0, middle, "middle", f"rotate(-90 12 {middle:.1f})")
        size = (LEFT, self.top, RIGHT - LEFT, self.bottom - self.top)
        box = 'x="{0}" y="{1}" width="{2}" height="{3}"'
        inside = Markup(f'<svg {box} viewBox="{{0}} {{1}} {{2}} {{3}}">{{4}}</svg>')
        parts.append(inside.format(*size, Markup("").join(self.marks)))
        frame = Markup(f'<rect class="frame" {box}/>').format(*size)
        return Markup("").join([*parts, frame] if self.named else parts)


def _picture(alt: str, *axes: Axes) -> Markup:
    height = axes[0].bottom + BELOW
    form = Markup(
        '<svg class="picture" viewBox="0 0 {} {}" role="img" aria-label="{}" data-axes="{}">{}</svg>'
    )
    ends = f"{LEFT} {axes[0].bottom} {RIGHT} {axes[0].top}"
    return form.format(WIDTH, height, alt, ends, Markup("").join(one.drawn() for one in axes))


def color_of(row: int) -> str:
    """Return the class of the color of the model in this row."""
    return f"series-{row % N_COLORS}"


def rates_figure(
    lines: Sequence[tuple[FloatArray, FloatArray]],
    bands: Mapping[int, Band],
    names: tuple[str, str],
    *,
    banded: Collection[int],
    alt: str,
    steps: bool = False,
) -> Markup:
    """Draw curves of one rate over another, by the rows of their models, and their bands.

    The script shows and hides the parts of row k, of class "curve-k" and "band-k". Bands of other rows than
    `banded` are hidden at first.
    """
    axes = Axes(*(Scale(0.0, 1.0, name) for name in names), bottom=TOP + RIGHT - LEFT)
    if not steps:
        axes.path([0.0, 1.0], [0.0, 1.0], "guide")
    for row, band in bands.items():
        hidden = "" if row in banded else " unseen"
        axes.band(row, band.at, band.lower, band.upper, f"band-{row}{hidden}")
    for row, (x, y) in enumerate(lines):
        axes.line(row, x, y, f"curve-{row}", steps=steps)
    return _picture(alt, axes)


def cost_figure(
    lines: Mapping[str, tuple[FloatArray, FloatArray]],
    bands: Mapping[str, Band],
    w: float,
    *,
    alt: str,
    highest: float = 0.52,
) -> Markup:
    """Draw cost curves, some in their bands, the trivial classifiers, and the weight of the costs given."""
    names = "w, weight of a false negative", "Normalized cost"
    axes = Axes(Scale(0.0, 1.0, names[0]), Scale(0.0, highest, names[1]), bottom=220)
    for row, (name, line) in enumerate(lines.items()):
        if name in bands:
            band = bands[name]
            axes.band(row, band.at, band.lower, band.upper)
        axes.line(row, *line)
    axes.path([0.0, 0.5, 1.0], [0.0, 0.5, 0.0], "guide")
    axes.path([w, w], [0.0, highest], "guide")
    return _picture(alt, axes)


def difference_figure(band: Band, bands: Collection[Band], *, alt: str) -> Markup:
    """Draw the difference of two curves in its band, on the scale of all `bands`."""
    low, high = (
        min(-0.05, *(one.lower.min() for one in bands)),
        max(0.05, *(one.upper.max() for one in bands)),
    )
    x, y = Scale(0.0, 1.0, "False positive rate"), Scale(1.05 * low, 1.05 * high, "Difference in TPR")
    axes = Axes(x, y)
    axes.band(0, band.at, band.lower, band.upper)
    axes.line(0, band.at, band.estimate)
    axes.path([0.0, 1.0], [0.0, 0.0], "guide")
    return _picture(alt, axes)


def segments_figure(found: DriftTable, differing: Collection[str], *, row: int, alt: str) -> Markup:
    """Draw the AUC of each segment with its interval over that of the reference; mark `differing` ones."""
    of = found.forecast
    low, high = (
        float(end([*ends, at]))
        for end, ends, at in ((np.nanmin, found.lower, of.lower), (np.nanmax, found.upper, of.upper))
    )
    room = 0.05 * max(high - low, 0.1)
    axes = Axes(Scale(-0.5, len(found) - 0.5, names=found.segment), Scale(low - room, high + room, "AUC"))
    whole = np.array([axes.x.low, axes.x.high])
    axes.band(row, whole, np.full(2, of.lower), np.full(2, of.upper))
    axes.path(whole, [of.estimate, of.estimate], "guide")
    for k in np.flatnonzero(np.isfinite(found.auc)):
        look = "outside" if found.segment[k] in differing else color_of(row)
        axes.path([k, k], [found.lower[k], found.upper[k]], f"line {look}")
        axes.path([k, k], [found.auc[k], found.auc[k]], f"dot {look}")
    return _picture(alt, axes)


def described_figure(
    bins: Bins, band: CalibrationBand, *, row: int, alt: str, end: float = 1.0, turned: bool = False
) -> Markup:
    """Draw the scores of both classes above their calibration curve in its band, over one axis.

    The axis of probabilities ends at `end`. If the scores are a column with its sign reversed (`turned`), the
    axis shows the column's values, from high to low.
    """
    x = Scale(float(bins.edges[0]), float(bins.edges[-1]), "Score", bins.log, -1.0 if turned else 1.0)
    axes = Axes(x, Scale(0.0, end, "Probability"), top=68, bottom=200)
    at = np.maximum(drawable(band.at), x.low) if bins.log else drawable(band.at)
    if band.probabilities:
        axes.path([0.0, 1.0], [0.0, 1.0], "guide")
    axes.band(row, at, band.lower, band.upper)
    axes.line(row, at, band.estimate)
    for low, high in band.miscalibrated_at:
        axes.path([low, high], [low, high], "rejected")
    highest = 1.08 * float(max(bins.pos.max(), bins.neg.max()))
    above = Axes(x._replace(name=""), Scale(0.0, highest), bottom=62, named=False)
    edges = np.repeat(bins.edges, 2)
    for share, look in ((bins.neg, "bars muted"), (bins.pos, f"bars {color_of(row)}")):
        above.path(edges, np.concatenate([[0.0], np.repeat(share, 2), [0.0]]), look)
    return _picture(alt, axes, above)
