"""Pictures of the report: marks are where their values are, ticks are round, nothing else is drawn."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from confroc import Scores, drift_monitor, roc_band, roc_curve
from confroc.pages.figures import Axes, Scale, rates_figure, segments_figure


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
def test_ticks_are_few_round_numbers_between_the_ends(low: float, length: float) -> None:
    high = low + length
    ticks = Scale(low, high).ticks()
    assert 1 <= len(ticks) <= 6
    assert low <= min(ticks) <= max(ticks) <= high
    step = ticks[1] - ticks[0] if len(ticks) > 1 else 1.0
    leading = 10.0 ** (math.log10(step) % 1.0)
    assert min(abs(leading - k) for k in (1, 2, 5, 10)) < 1e-3


@pytest.mark.parametrize(
    ("low", "high", "ticks"), [(0.01, 100.0, [0.01, 0.1, 1, 10, 100]), (3.0, 30.0, [5, 10, 20])]
)
def test_ticks_of_a_logarithmic_axis(low: float, high: float, ticks: list[float]) -> None:
    assert Scale(low, high, log=True).ticks() == pytest.approx(ticks)


def test_marks_are_where_their_values_are() -> None:
    axes = Axes(Scale(1.0, 100.0, "x", log=True), Scale(-20.0, 60.0, "y"), bottom=208)
    axes.path([1.0, 10.0, 100.0], [-20.0, 20.0, 60.0], "line")
    picture = ElementTree.fromstring(f"<svg>{axes.drawn()}</svg>")
    (path,) = picture.iter("path")
    assert path.get("d") == "M58.0 208.0L205.0 108.0L352.0 8.0"
    # Texts are at the same places as the values that they name.
    texts = {text.text: (float(text.attrib["x"]), float(text.attrib["y"])) for text in picture.iter("text")}
    assert (texts["10"][0], texts["1"][0], texts["100"][0]) == (205.0, 58.0, 352.0)
    assert texts["60"][1] - texts["−20"][1] == -200.0
    assert {"x", "y"} <= texts.keys()


def test_a_curve_stays_in_its_band_and_its_parts_are_named() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    scores = Scores(y, rng.normal(size=200) + y)
    curve, band = roc_curve(scores), roc_band(scores, method="ks_regions")
    figure = rates_figure([(curve.fpr, curve.tpr)], {0: band}, ("FPR", "TPR"), banded=(), alt='<a> & "b"')
    picture = ElementTree.fromstring(str(figure))
    assert picture.get("aria-label") == '<a> & "b"'
    named = {word: path for path in picture.iter("path") for word in path.attrib["class"].split()}
    assert "unseen" in named["band-0"].attrib["class"]
    ends = [float(end) for end in picture.attrib["data-axes"].split()]
    points = re.findall(r"([\d.]+) ([\d.]+)", named["curve-0"].attrib["d"])
    assert points[0] == (f"{ends[0]:.1f}", f"{ends[1]:.1f}")
    assert points[-1] == (f"{ends[2]:.1f}", f"{ends[3]:.1f}")
    assert len(points) == len(curve.fpr)


def test_steps_come_before_their_points() -> None:
    axes = Axes(Scale(0.0, 1.0), Scale(0.0, 1.0), bottom=308)
    axes.line(1, np.array([0.0, 0.5, 1.0]), np.array([1.0, 0.5, 0.0]), steps=True)
    (path,) = ElementTree.fromstring(f"<svg>{axes.drawn()}</svg>").iter("path")
    assert path.get("d") == "M58.0 8.0L58.0 158.0L205.0 158.0L205.0 308.0L352.0 308.0"
    assert path.get("stroke-dasharray") == "9 4"


def test_segments_are_where_their_intervals_are() -> None:
    rng = np.random.default_rng(1)
    y = np.repeat([1, 0], [60, 90])
    first, same, worse = (Scores(y, k * y + rng.normal(size=150)) for k in (2.0, 2.0, 0.6))
    found = drift_monitor(first, {"May": same, "June": worse}, rng=0)
    picture = ElementTree.fromstring(segments_figure(found, ["June"], row=1, alt="AUC by month"))
    assert [text.text for text in picture.iter("text")][:2] == ["May", "June"]
    shown = {path.get("class"): path.get("d") for path in picture.iter("path")}
    assert {"line series-1", "dot series-1", "line outside", "dot outside"} <= shown.keys()
    ends = [float(point.split()[1]) for point in str(shown["line outside"])[1:].split("L")]
    band = [float(point.split()[1]) for point in str(shown["band series-1 "])[1:-1].split("L")]
    # Heights are linear in the AUC, as those of the reference's interval are.
    of = found.forecast
    per_auc = (min(band) - max(band)) / (of.upper - of.lower)
    for auc, height in zip((found.lower[1], found.upper[1]), ends, strict=True):
        assert height == pytest.approx(max(band) + per_auc * (auc - of.lower), abs=0.3)


def test_names_that_do_not_fit_are_left_out() -> None:
    months = tuple(f"2026-{k:02}" for k in range(1, 13))
    assert Scale(-0.5, 11.5, names=months).ticks() == [0, 3, 6, 9]
    assert Scale(-0.5, 11.5, names=months).text(3) == "2026-04"
