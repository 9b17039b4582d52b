"""Pictures as wide as a column of a journal: all words are there, in the picture, and on nothing else."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from matplotlib.transforms import Bbox

import confroc
from confroc import PairedScores, auc_interval, roc_band, roc_curve
from confroc.plot import (
    BandDisplay,
    CalibrationDisplay,
    CurveDisplay,
    ForecastDisplay,
    IntervalDisplay,
    ScoresDisplay,
)
from confroc.plot.style import GUIDE, auc_words, quantity_words
from support import slow
from test_plot_comparison import by_hand

WIDTH = 3.5
RNG = np.random.default_rng(3)
Y = np.repeat([0, 1], [150, 90])
BASE = RNG.normal(size=240) + 1.2 * Y
LONG = [
    "Gradient boosting, 400 trees, depth 6",
    "Logistic regression with splines",
    "Random forest",
    "Neural network, two hidden layers",
    "Single marker",
]


def models(names: list[str]) -> PairedScores:
    columns = [np.round(BASE + (0.4 + 0.35 * i) * RNG.normal(size=240), 2) for i in range(len(names))]
    return PairedScores(Y, *columns, names=names)


TWO, FIVE = models(["s100b", "ndka"]), models(["s100b", "ndka", "wfns", "gos6", "age"])
TWO_LONG, FIVE_LONG = models(LONG[:2]), models(LONG)
ONE = TWO["s100b"]
RISKS = PairedScores(Y, *(1.0 / (1.0 + np.exp(-BASE + k * RNG.normal(size=240))) for k in (0.2, 0.6)))
W = np.linspace(0.02, 0.98, 25)
KS: dict[str, Any] = {"band_kwargs": {"method": "ks_regions"}}
FEW: dict[str, Any] = {"n_resamples": 99, "rng": 1}
FORECAST = confroc.forecast_curve(ONE, divergence="jeffreys")


def curves(pair: PairedScores, **options: Any) -> Callable[[Axes], None]:
    def draw(ax: Axes) -> None:
        for name, scores in pair.items():
            # Each display names all lines anew; the last one is enough.
            labels = "legend"
            CurveDisplay.from_scores(scores, ax=ax, name=name, labels=labels, **options)

    return draw


def bands(pair: PairedScores) -> Callable[[Axes], None]:
    def draw(ax: Axes) -> None:
        for name, scores in pair.items():
            labels = "legend"
            BandDisplay.from_scores(scores, ax=ax, name=name, labels=labels, **KS)

    return draw


def costs(ax: Axes) -> None:
    for name, scores in TWO.items():
        confroc.cost_curve(scores, w=W).plot(ax=ax, name=name)


PICTURES: dict[str, Callable[[Axes], object]] = {
    "one curve": lambda ax: roc_curve(ONE).plot(ax=ax, name="s100b", auc=auc_interval(ONE)),
    "two curves": curves(TWO),
    "five curves": curves(FIVE),
    "two curves, long names": curves(TWO_LONG),
    "five curves, long names": curves(FIVE_LONG),
    "logarithmic": curves(FIVE, scale="log"),
    "deviates": curves(TWO, scale="probit"),
    "tail": curves(TWO, fpr_max=0.1),
    "one band": lambda ax: BandDisplay.from_scores(ONE, ax=ax, name="s100b", **KS),
    "two bands": bands(TWO),
    "two bands, long names": bands(TWO_LONG),
    "band": lambda ax: roc_band(ONE, method="ks_regions").plot(ax=ax),
    "difference band": lambda ax: confroc.roc_difference_band(TWO_LONG, **FEW).plot(ax=ax),
    "rates": lambda ax: confroc.tpr_at_fpr(ONE, fpr=[0.05, 0.1, 0.5]).plot(ax=ax, name="s100b"),
    "difference of rates": lambda ax: confroc.tpr_difference_at_fpr(TWO_LONG, fpr=[0.1, 0.5]).plot(ax=ax),
    "regions": lambda ax: confroc.rates_at_threshold(ONE, threshold=[0.0, 1.0]).plot(ax=ax, name="s100b"),
    "regions of a difference": lambda ax: confroc.rates_difference_at_threshold(
        TWO_LONG, threshold_a=[0.0, 0.5], threshold_b=[0.0, 0.5]
    ).plot(ax=ax),
    "area": lambda ax: auc_interval(ONE).plot(ax=ax),
    "partial area": lambda ax: auc_interval(ONE, max_fpr=0.2).plot(ax=ax),
    "areas": lambda ax: IntervalDisplay([auc_interval(s) for s in FIVE_LONG.models], reference=0.5).plot(
        ax=ax, name=FIVE_LONG.names
    ),
    "difference of areas": lambda ax: confroc.auc_difference(TWO_LONG).plot(ax=ax),
    "forecast": lambda ax: confroc.auc_forecast(ONE, radius=0.05, method="paper").plot(ax=ax),
    "forecast and area": lambda ax: IntervalDisplay(
        [auc_interval(ONE), confroc.auc_forecast(ONE, radius=0.05, method="paper")]
    ).plot(ax=ax, name=["today", "with drift"]),
    "forecasts": lambda ax: confroc.forecast_curve(ONE).plot(ax=ax),
    "hourglass": lambda ax: ForecastDisplay(FORECAST, {"today": auc_interval(ONE)}).plot(ax=ax, name="s100b"),
    "ribbon": lambda ax: confroc.plot.IntervalsDisplay(FORECAST).plot(ax=ax),
    "costs": costs,
    "cost band": lambda ax: confroc.cost_band(ONE, w=W, **FEW).plot(ax=ax, name="s100b"),
    "difference of costs": lambda ax: confroc.cost_difference(TWO_LONG, w=W).plot(ax=ax),
    "cost": lambda ax: confroc.expected_cost(ONE, false_negative=2, false_positive=1, **FEW).plot(ax=ax),
    "benefit": lambda ax: confroc.net_benefit(RISKS.a, risk=W).plot(ax=ax),
    "calibration": lambda ax: CalibrationDisplay.from_scores(RISKS.a, ax=ax, name=LONG[0]),
    "scores": lambda ax: ScoresDisplay(RISKS.a).plot(ax=ax, name=LONG[0]),
    "comparison": lambda ax: by_hand(FIVE_LONG).plot(ax=ax),
    "differences": lambda ax: by_hand(FIVE_LONG).differences.plot(ax=ax),
}


@functools.cache
def drawn(name: str) -> Axes:
    figure = Figure(figsize=(WIDTH, WIDTH), layout="constrained")
    ax = figure.add_subplot()
    PICTURES[name](ax)
    figure.draw_without_rendering()
    return ax


@pytest.mark.parametrize("layout", [None, "constrained", "tight"])
@pytest.mark.parametrize("name", ["unnamed costs", "cost band", "band"])
def test_a_legend_covers_no_curve_and_shows_line_and_fill(name: str, layout: Any) -> None:
    figure = Figure(figsize=(3.5, 3.0), layout=layout)
    ax = figure.add_subplot()
    draw = PICTURES.get(name, lambda ax: confroc.cost_curve(ONE, w=W).plot(ax=ax))
    draw(ax)
    figure.draw_without_rendering()
    key = ax.get_legend()
    assert key is not None
    box = key.get_window_extent()
    for line in ax.lines:
        if line.get_zorder() != GUIDE["zorder"]:
            assert not line.get_path().transformed(line.get_transform()).intersects_bbox(box, filled=False)
    drawn = {type(part) for part in key.findobj(lambda part: part.get_visible())}
    assert {Line2D, Rectangle} <= drawn


def words_of(ax: Axes) -> Iterator[tuple[str, Text]]:
    for text in ax.findobj(Text):
        if text.get_visible() and text.get_text().strip():
            yield text.get_text(), text


def overlap(one: Bbox, other: Bbox) -> bool:
    common = Bbox.intersection(one, other)
    return common is not None and common.width > 1.0 and common.height > 1.0


@pytest.mark.parametrize("name", PICTURES)
def test_words_are_inside_the_picture_and_on_nothing_else(name: str) -> None:
    ax = drawn(name)
    whole = ax.figure.bbox.padded(1.5)
    limits = [sorted(limit) for limit in (ax.get_xlim(), ax.get_ylim())]
    for axis, (low, high) in zip((ax.xaxis, ax.yaxis), limits, strict=True):
        ticks = [t for t in axis.get_major_ticks() if low <= t.get_loc() <= high and t.label1.get_text()]
        boxes = [tick.label1.get_window_extent() for tick in ticks]
        if ax.get_xscale() != "function":
            assert not any(overlap(one, other) for one, other in combinations(boxes, 2))
        for box in [*boxes, axis.label.get_window_extent()]:
            assert whole.x0 <= box.x0 <= box.x1 <= whole.x1
            assert whole.y0 <= box.y0 <= box.y1 <= whole.y1
    said = " ".join(text for text, _ in words_of(ax))
    assert "nan" not in said
    assert not re.search(r"[a-z]_[a-z]|\bauc\b|\[", said), said
    curves = [line for line in ax.lines if line.get_zorder() != GUIDE["zorder"]]
    paths = [line.get_transform().transform_path(line.get_path()) for line in curves]
    inside = [text.get_window_extent() for text in ax.texts]
    if (legend := ax.get_legend()) is not None:
        inside.append(legend.get_window_extent())
    for box in inside:
        assert whole.x0 <= box.x0 <= box.x1 <= whole.x1
        assert whole.y0 <= box.y0 <= box.y1 <= whole.y1
        if "bars" not in name and name != "hourglass":
            assert not any(path.intersects_bbox(box, filled=False) for path in paths)
    assert not any(overlap(one, other) for one, other in combinations(inside, 2))
    assert ax.get_window_extent().width > 0.2 * ax.figure.bbox.width


@pytest.mark.parametrize("name", ["one curve", "two curves", "five curves, long names", "two bands"])
def test_names_stand_with_their_areas(name: str) -> None:
    ax = drawn(name)
    said = " ".join(" ".join(text.split()) for text, _ in words_of(ax))
    pair = {"one curve": {"s100b": ONE}, "five curves, long names": FIVE_LONG}.get(name, TWO)
    for model, scores in pair.items():
        auc = auc_interval(scores)
        area = f"AUC {auc.estimate:.2f} (95% CI {auc.lower:.2f} to {auc.upper:.2f})"
        # Where the legend would be too high, names are cut.
        told = re.escape(model[:12]) + ".*?" if name == "five curves, long names" else f"{model},? "
        assert re.search(told + re.escape(area), said)


def test_areas_state_their_level() -> None:
    auc = auc_interval(ONE, confidence_level=0.9)
    assert auc_words(auc) == f"AUC {auc.estimate:.2f} (90% CI {auc.lower:.2f} to {auc.upper:.2f})"
    part = auc_interval(ONE, max_fpr=0.2)
    assert auc_words(part).startswith("Partial AUC, FPR\u00a0≤\u00a00.2 0.")
    shown = CurveDisplay.from_scores(ONE, ax=Figure().add_subplot(), auc_kwargs={"confidence_level": 0.9})
    assert shown.auc == auc
    assert shown.line_.get_label() == auc_words(auc)
    with pytest.raises(TypeError, match="`auc_kwargs` must be of type Mapping"):
        CurveDisplay.from_scores(ONE, ax=Figure().add_subplot(), auc_kwargs=0.9)
    with pytest.raises(TypeError, match="`auc` must be of type Interval"):
        CurveDisplay(roc_curve(ONE), 0.8)


def test_a_legend_stands_below_the_axes_or_inside_of_axes_placed_by_hand() -> None:
    curve = roc_curve(ONE)
    for layout in (None, "constrained", "tight"):
        ax = Figure(figsize=(WIDTH, WIDTH), layout=layout).add_subplot()
        curve.plot(ax=ax, name="one")
        ax.figure.draw_without_rendering()
        key, title = ax.get_legend().get_window_extent(), ax.xaxis.label.get_window_extent()
        assert 0.0 <= key.y0 < key.y1 <= title.y0
        curve.plot(ax=ax, name="again", labels="none")
        assert ax.get_legend() is None
    figure = Figure()
    by_hand = figure.add_axes((0.2, 0.2, 0.7, 0.7))
    curve.plot(ax=by_hand, name="one")
    figure.draw_without_rendering()
    key = by_hand.get_legend().get_window_extent()
    assert overlap(key, by_hand.bbox)
    assert figure.get_layout_engine() is None
    with pytest.raises(ValueError, match="`labels` must be one of 'legend', 'none'"):
        curve.plot(ax=by_hand, labels="left")


def test_the_chance_line_is_as_in_scikit_learn() -> None:
    curve = roc_curve(ONE)
    hidden = curve.plot(ax=Figure().add_subplot(), plot_chance_level=False).ax_.lines[0]
    assert not hidden.get_visible()
    shown = curve.plot(ax=Figure().add_subplot(), chance_level_kw={"color": "red"}).ax_.lines[0]
    assert shown.get_color() == "red"
    assert shown.get_visible()


@pytest.mark.parametrize(
    ("quantity", "words"),
    [
        ("auc[max_fpr=0.2, standardized]", "Partial AUC (FPR\u00a0≤\u00a00.2, standardized)"),
        ("auc_a - auc_b[min_tpr=0.8]", "Partial AUC, a − b (TPR\u00a0≥\u00a00.8)"),
        ("cost per case", "Cost per case"),
        ("cross-validated auc", "Cross-validated AUC"),
        ("cross-validated auc_a - auc_b", "Cross-validated AUC, a − b"),
        ("w", "Weight of a false negative, w"),
    ],
)
def test_axes_are_told_in_words(quantity: str, words: str) -> None:
    assert quantity_words(quantity) == words


@pytest.mark.parametrize("width", slow([WIDTH, 7.0], 7.0))
@pytest.mark.parametrize("layout", [None, "constrained"])
@pytest.mark.parametrize("k", slow([1, 2, 8], 1))
@pytest.mark.parametrize("draw", ["curves", "areas", "differences"])
def test_nothing_is_cut_off(draw: str, k: int, layout: Any, width: float) -> None:
    names = [f"Gradient boosted trees of depth {i}, learning rate 0.05, monotone"[:60] for i in range(k)]
    pair = models(names if k > 1 else [*names, "b"])
    ax = Figure(figsize=(width, WIDTH), layout=layout).add_subplot()
    if draw == "curves":
        for name in names:
            CurveDisplay.from_scores(pair[name], ax=ax, name=name)
    elif draw == "areas":
        IntervalDisplay([auc_interval(pair[name]) for name in names]).plot(ax=ax, name=names)
    else:
        confroc.auc_comparison(pair, rng=1).differences.plot(ax=ax)
    figure = ax.figure
    figure.draw_without_rendering()
    whole = figure.bbox.padded(1.5)
    for axis in (ax.xaxis, ax.yaxis):
        box = axis.get_tightbbox()
        assert whole.x0 <= box.x0 <= box.x1 <= whole.x1
        assert whole.y0 <= box.y0 <= box.y1 <= whole.y1
    if draw == "curves":
        box = ax.get_legend().get_window_extent()
        assert whole.x0 <= box.x0 <= box.x1 <= whole.x1
        assert whole.y0 <= box.y0 <= box.y1 <= whole.y1
        assert len({text.get_text() for text in ax.get_legend().get_texts()}) == k
    labels = [label.get_window_extent() for label in ax.get_yticklabels() if draw == "areas"]
    assert not any(overlap(one, other) for one, other in combinations(labels, 2))
    assert min(ax.bbox.width, ax.bbox.height) > 0.2 * figure.bbox.height


@pytest.mark.parametrize("names", [["a", "b"], ["gradient boosting, tuned", "logistic regression, base"]])
@pytest.mark.parametrize("draw", ["regions", "differences"])
def test_labels_of_ticks_stay_apart_and_titles_inside(draw: str, names: list[str]) -> None:
    rng = np.random.default_rng(1)
    y = rng.random(111) < 0.5
    score = y + rng.normal(size=111)
    pair = confroc.PairedScores(y, score, score + 0.25 * y + 0.25 * rng.normal(size=111), names=names)
    ax = Figure(figsize=(WIDTH, 2.8), layout="constrained").add_subplot()
    if draw == "regions":
        confroc.rates_difference_at_positive_rate(pair, positive_rate=[0.1, 0.2]).plot(ax=ax)
    else:
        confroc.auc_comparison(pair).differences.plot(ax=ax)
        ax.set_xlim(-0.11, 0.13)
        ax.set_position((0.6, 0.3, 0.2, 0.6))
    ax.figure.draw_without_rendering()
    low, high = ax.get_xlim()
    ticks = [tick for tick in ax.xaxis.get_major_ticks() if low <= tick.get_loc() <= high]
    boxes = [tick.label1.get_window_extent() for tick in ticks]
    assert len(boxes) > 0
    assert all(right.x0 - left.x1 > 2.0 for left, right in pairwise(boxes))
    title = ax.yaxis.label.get_window_extent()
    assert title.y0 >= 0.0
    assert title.y1 <= ax.figure.bbox.height
