"""Scales of the report's pictures: the page writes them itself, where matplotlib has them."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any
from xml.etree import ElementTree

import matplotlib as mpl
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedFormatter, FixedLocator

from confroc.pages import figures

NAMES = ["This report", "DeLong", "Jeffreys 0.1"]


def texts(document: str) -> dict[str, tuple[float, ...]]:
    """Every text with its place, and how it is turned."""
    found = {}
    for text in ElementTree.fromstring(document).iter():
        if text.tag.endswith("text"):
            turned = re.match(r"rotate\((-?\d+)", text.get("transform", "rotate(0"))
            assert turned
            place = float(text.attrib["x"]), float(text.attrib["y"]), float(turned[1])
            found[str(text.text) + ("|" * (str(text.text) in found))] = place
    return found


def usual(ax: Axes) -> None:
    ax.plot([0, 1], [-0.4, 0.5])
    ax.set(xlim=(0, 1), xlabel="Costs in $", ylabel="True positive rate")
    ax.set_aspect("equal")


def named(ax: Axes) -> None:
    ax.set(xlim=(0, 1), ylim=(0.25, 1))
    ax.xaxis.set_major_locator(FixedLocator([0.1, 0.5, 0.9]))
    ax.xaxis.set_major_formatter(FixedFormatter(NAMES))
    if mpl.rcParams["svg.hashsalt"] == "theirs":
        ax.tick_params(axis="x", rotation=40)
        for label in ax.get_xticklabels():
            label.set(ha="right", rotation_mode="anchor")


def logarithmic(ax: Axes) -> None:
    ax.set(xscale="log", xlim=(0.01, 1), ylim=(0, 30), xlabel="Distance")
    ax.xaxis.set_major_locator(FixedLocator([0.01, 0.1, 1.0]))
    ax.xaxis.set_major_formatter(FixedFormatter(["0.01", "0.1", "1"]))
    ax.xaxis.set_minor_locator(FixedLocator([]))


@pytest.mark.parametrize(
    ("draw", "slanted"), [(usual, False), (named, True), (logarithmic, False)], ids=["usual", "named", "log"]
)
def test_scales_are_where_matplotlib_has_them(draw: Any, slanted: bool) -> None:
    size, box = (3.6, 3.0), (0.2, 0.3, 0.75, 0.65)
    ours = texts(figures._picture(draw, size, box, "key", "alt", slanted=slanted))
    out = StringIO()
    with mpl.rc_context(figures._STYLE | {"svg.hashsalt": "theirs"}):
        figure = Figure(figsize=size)
        ax = figure.add_axes(box)
        draw(ax)
        if mpl.__version_info__ < (3, 11):
            # Labels are 0.29 points nearer than in later versions, which the page follows.
            ax.xaxis.labelpad += 0.29
            ax.yaxis.labelpad += 0.29
        figure.savefig(out, format="svg")
    theirs = texts(out.getvalue())
    assert ours.keys() == theirs.keys()
    assert len(theirs) >= 7
    for text, place in theirs.items():
        # The label beside the axis stands off by the width of the numbers, which is estimated.
        assert ours[text] == pytest.approx(place, abs=0.9 if place[2] == -90 else 0.11), text
