"""Displays of many models: areas by rank, pairs, and curves that a legend does not cover."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox
from scipy import stats

from confroc import (
    PairedScores,
    Scores,
    UnpairedScores,
    auc_comparison,
    auc_interval,
    results,
    roc_band,
    roc_curve,
)
from confroc.influence import delong_covariance
from confroc.plot import BandDisplay, ComparisonDisplay, CurveDisplay, DifferencesDisplay, IntervalsDisplay
from confroc.plot.names import LONGEST_LINE, shortened, wrapped
from confroc.plot.style import GUIDE, OKABE_ITO, quantity_words
from confroc.results import Comparison, Differences, Intervals

LONG = "boosted_trees_depth_12_learning_rate_0.05_v2"


@pytest.fixture(autouse=True)
def no_screen() -> None:
    mpl.use("Agg")


def axes() -> Axes:
    return Figure().add_subplot()


def sample(names: list[str], spread: float = 0.8) -> PairedScores:
    """Models of rising areas, but the first is between the others."""
    rng, k = np.random.default_rng(7), len(names)
    y = np.repeat([1, 0], [110, 140])
    common = rng.normal(size=250)
    shifts = np.roll(np.linspace(0.6, 0.6 + spread, k), 1 + k // 2)
    columns = [y * shift + common + 0.6 * rng.normal(size=250) for shift in shifts]
    return PairedScores(y, *columns, names=names)


def by_hand(scores: PairedScores, reference: str | None = None) -> Comparison:
    """A comparison with Bonferroni's intervals and p-values."""
    k, names = len(scores.names), scores.names
    area, cov = np.array([model.auc for model in scores.models]), delong_covariance(scores).sum(axis=0)
    pairs = list(combinations(range(k), 2))
    if reference is not None:
        pairs = [(i, names.index(reference)) for i in range(k) if names[i] != reference]
    i, j = np.array(pairs).T
    gap, se = area[i] - area[j], np.sqrt(cov[i, i] + cov[j, j] - 2.0 * cov[i, j])
    raw = 2.0 * stats.norm.sf(np.abs(gap / se))
    adjusted = np.minimum(1.0, raw * len(pairs))
    claims = {"confidence_level": 0.95, "method": "delong", "guarantee": "asymptotic", "kind": "simultaneous"}

    def ends(middle: np.ndarray, error: np.ndarray) -> dict[str, np.ndarray]:
        half = stats.norm.isf(0.025 / len(middle)) * error
        return {"estimate": middle, "lower": middle - half, "upper": middle + half}

    best = int(np.argmax(area))
    behind = (area[best] - area) / np.sqrt(np.diag(cov) + cov[best, best] - 2.0 * cov[best] + 1e-12)
    return Comparison(
        names=names,
        intervals=Intervals(
            quantity="auc", at_name="model", at=np.array(names), **ends(area, np.sqrt(np.diag(cov))), **claims
        ),
        differences=Differences(
            quantity="auc",
            a=np.array(names)[i],
            b=np.array(names)[j],
            **ends(gap, se),
            standard_error=se,
            statistic=gap / se,
            pvalue=adjusted,
            pvalue_single_step=adjusted,
            pvalue_unadjusted=raw,
            design="paired",
            **claims,
        ),
        test=results.Test(
            quantity="auc",
            statistic=9.0,
            df=k - 1,
            df_denominator=math.inf,
            pvalue=0.1,
            design="paired",
            method="delong",
            guarantee="asymptotic",
        ),
        may_be_best=tuple(n for n, z in zip(names, behind, strict=True) if z < 2.3),
        reference=reference,
        adjust="bonferroni",
        design="paired",
        **claims,
    )


def tick_texts(ax: Axes) -> list[str]:
    return [tick.get_text() for tick in ax.get_yticklabels()]


def test_areas_stand_by_rank_and_those_that_may_be_best_are_marked() -> None:
    compared = by_hand(sample(["one", "two", "three", "four", "five"]))
    left, right = Figure().subplots(1, 2)
    shown = compared.plot(ax=left, ax_pairs=right)
    assert isinstance(shown, ComparisonDisplay)
    assert tick_texts(left) == [f"{rank}  {name}" for rank, name in enumerate(compared.ranking, 1)]
    drawn = {}
    for line, bars in zip((shown.best_, shown.others_), shown.bars_, strict=True):
        (collection,) = bars.lines[2]
        for (x, y), ends in zip(line.get_xydata(), collection.get_segments(), strict=True):
            drawn[compared.ranking[int(y)]] = (x, *ends[:, 0])
    at = compared.intervals
    expected = {n: v for n, *v in zip(at.at, at.estimate, at.lower, at.upper, strict=True)}
    assert drawn.keys() == expected.keys()
    for name, values in expected.items():
        assert drawn[name] == pytest.approx(values, abs=1e-12)
    marked = {compared.ranking[int(y)] for y in shown.best_.get_ydata()}
    assert marked == set(compared.may_be_best)
    assert 0 < len(marked) < 5
    assert shown.best_.get_markerfacecolor() != shown.others_.get_markerfacecolor()
    # The best is on top.
    assert left.get_ylim()[0] > left.get_ylim()[1]


def test_the_matrix_holds_every_pair_once() -> None:
    compared = by_hand(sample(["one", "two", "three", "four", "five"]))
    left, right = Figure().subplots(1, 2)
    shown = compared.plot(ax=left, ax_pairs=right)
    assert shown.cells_ is not None
    assert len(shown.texts_) == len(compared.differences) == 10
    shaded = [bool(color[3]) for color in shown.cells_.get_facecolor()]
    seen = {}
    for text, yes in zip(shown.texts_, shaded, strict=True):
        column, row = (int(v) for v in text.get_position())
        assert row < column
        seen[compared.ranking[row], compared.ranking[column]] = (text.get_text(), yes)
    assert 0 < sum(shaded) < 10
    for (better, other), (words, yes) in seen.items():
        one = compared[better, other]
        assert one.estimate >= 0.0
        assert words.startswith(f"{abs(one.estimate):+.3f}\np ")
        assert words.endswith("p < 0.001" if one.pvalue < 0.001 else f"p = {one.pvalue:.3f}")
        assert yes == (one.pvalue <= 0.05)
    assert right.get_ylim() == left.get_ylim()


def test_with_a_reference_the_differences_stand_in_the_rows_of_the_areas() -> None:
    compared = by_hand(sample(["one", "two", "three", "four"]), reference="three")
    left, right = Figure().subplots(1, 2)
    shown = compared.plot(ax=left, ax_pairs=right)
    assert isinstance(shown.pairs_, DifferencesDisplay)
    assert shown.cells_ is None
    for x, y in shown.pairs_.points_.get_xydata():
        assert x == compared[compared.ranking[int(y)], "three"].estimate
    (here,) = [text for text in right.texts if text.get_text() == "reference"]
    assert compared.ranking[int(here.get_position()[1])] == "three"
    assert right.get_xlabel() == "minus three,\nadjusted p"


def test_differences_are_a_forest_with_their_pvalues() -> None:
    rows = by_hand(sample(["one", "two", "three", "four"])).differences
    shown = rows.plot(ax=axes())
    assert isinstance(shown, DifferencesDisplay)
    assert tick_texts(shown.ax_)[:2] == ["one − two", "one − three"]
    assert list(shown.points_.get_xdata()) == list(rows.estimate)
    assert list(shown.rejected_.get_xdata()) == list(rows.estimate[rows.pvalue <= 0.05])
    words = [text.get_text() for text in shown.texts_]
    assert words == ["p < 0.001" if p < 0.001 else f"p = {p:.3f}" for p in rows.pvalue]
    assert any(line.get_xdata()[0] == 0.0 for line in shown.ax_.lines)


def test_pairs_in_a_small_figure_have_both_names_a_minus_and_pvalues_of_the_same_size() -> None:
    names = ["logistic regression", "random forest", "gradient boosting", "naive Bayes", "k neighbors", "svm"]
    with mpl.rc_context({"font.size": 7}):
        ax = Figure(figsize=(3.35, 4.0)).add_subplot()
        shown = by_hand(sample(names)).differences.plot(ax=ax)
        ax.figure.draw_without_rendering()
    assert tick_texts(ax)[:2] == ["logist…ession − random forest", "logist…ession − gradie…osting"]
    (size,) = {text.get_fontsize() for text in (*ax.get_yticklabels(), *shown.texts_)}
    assert size >= 5.5
    ticks = [label.get_window_extent() for label in ax.get_xticklabels()]
    assert all(right.x0 > left.x1 for left, right in pairwise(ticks))


def test_a_legend_of_journal_width_has_the_interval_on_one_line() -> None:
    for size, lines in ((7, 1), (12, 2)):
        with mpl.rc_context({"font.size": size}):
            ax = Figure(figsize=(3.35, 3.4)).add_subplot()
            model = Scores([0, 1, 0, 1] * 20, np.arange(80))
            CurveDisplay(roc_curve(model), auc_interval(model)).plot(ax=ax, name="Texture of nuclei")
        words = ax.get_legend().get_texts()[0].get_text()
        assert len(words.split("\n")) == lines
        assert words.split("\n")[-1].endswith("AUC 0.51 (95% CI 0.39 to 0.64)")


def test_pairs_of_numbered_groups_say_what_the_numbers_are_of() -> None:
    samples = [Scores([1, 0, 1, 0], [4, 2, 3, i]) for i in range(3)]
    for groups, pair in (
        (UnpairedScores(*samples, names=["1", "2", "3"]), "group 1 − group 2"),
        (UnpairedScores._by("site", samples, ["1", "2", "3"]), "site 1 − site 2"),
        (UnpairedScores._by("site", samples, ["n", "s", "w"]), "n − s"),
    ):
        compared = auc_comparison(groups)
        assert tick_texts(compared.differences.plot(ax=axes()).ax_)[0] == pair
        assert compared.differences.at_name == compared.intervals.at_name


def test_only_the_areas_where_one_axes_is_given() -> None:
    compared = by_hand(sample(["one", "two", "three"]))
    shown = compared.plot(ax=axes(), name="test set", color="black")
    assert shown.ax_pairs_ is None
    assert not shown.texts_
    assert shown.ax_.get_xlabel() == "test set: AUC (95% simultaneous CIs)"
    assert shown.best_.get_color() == "black"


def test_intervals_by_name_are_a_forest() -> None:
    areas = by_hand(sample(["one", LONG, "$x$", "_y"])).intervals
    shown = areas.plot(ax=axes())
    assert isinstance(shown, IntervalsDisplay)
    assert list(shown.line_.get_xdata()) == list(areas.estimate)
    assert tick_texts(shown.ax_) == [
        "one",
        "boosted_trees_depth_12_\nlearning_rate_0.05_v2",
        r"\$x\$",
        " _y",
    ]
    assert shown.figsize[1] > IntervalsDisplay(by_hand(sample(["a", "b"])).intervals).figsize[1]
    with pytest.raises(ValueError, match="`style` must be one of 'bars'; got 'ribbon'"):
        IntervalsDisplay(areas, style="ribbon")


@pytest.mark.parametrize("k", [2, 5, 10, 15])
def test_names_and_cells_do_not_overlap(k: int) -> None:
    names = [f"{LONG}{i}" for i in range(k)]
    shown = by_hand(sample(names)).plot()
    figure = shown.figure_
    try:
        figure.draw_without_rendering()
        whole = figure.bbox
        labels = [t.get_window_extent() for t in shown.ax_.get_yticklabels()]
        cells = [t.get_window_extent() for t in shown.texts_]
        areas = shown.ax_.get_window_extent()
        legend = shown.ax_.get_legend().get_window_extent()
        for boxes in (labels, cells):
            for one, other in combinations(boxes, 2):
                assert not _overlap(one, other)
        for box in (*labels, *cells, legend):
            assert inside(box, whole)
        assert all(box.x1 <= areas.x0 for box in labels)
        assert areas.width > 1.5 * figure.dpi
    finally:
        plt.close(figure)


def inside(box: Bbox, whole: Bbox) -> bool:
    return whole.x0 <= box.x0 and box.x1 <= whole.x1 and whole.y0 <= box.y0 and box.y1 <= whole.y1


def _overlap(one: Bbox, other: Bbox) -> bool:
    common = Bbox.intersection(one, other)
    return common is not None and common.width > 0.5 and common.height > 0.5


def test_displays_refuse_other_results() -> None:
    areas = by_hand(sample(["a", "b"])).intervals
    with pytest.raises(TypeError, match="`comparison` must be of type Comparison; got 'Intervals'"):
        ComparisonDisplay(areas)
    with pytest.raises(TypeError, match="`differences` must be of type Differences; got 'Intervals'"):
        DifferencesDisplay(areas)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("svm", "svm"),
        ("x" * LONGEST_LINE, "x" * LONGEST_LINE),
        ("logistic regression on all values", "logistic regression on all\nvalues"),
        ("score_delong (score_delong)", "score_delong\n(score_delong)"),
        (LONG, "boosted_trees_depth_12_\nlearning_rate_0.05_v2"),
        ("x" * 40, "x" * 26 + "\n" + "x" * 14),
        ("start" + "-" * 60, "start" + "-" * 21 + "\n" + "-" * 26 + "\n" + "-" * 13),
        ("a" * 24 + r" \$b", "a" * 24 + "\n" + r"\$b"),
        ("gradient boosting, AUC 0.73 (0.62–0.82)", "gradient boosting,\nAUC 0.73 (0.62–0.82)"),
        ("True positive rate, new − old", "True positive rate, new\n− old"),
        ("intervals that cover at 95% each", "intervals that cover at\n95% each"),
        ("AUC 0.73 (95% CI 0.6 to 0.8)", "AUC 0.73\n(95% CI 0.6 to 0.8)"),
        ("simultaneous (at 95% each)", "simultaneous (at 95% each)"),
        ("level of the (at 95% each)", "level of the (at 95% each)"),
        ("levels of all (at 95% each)", "levels of all\n(at 95% each)"),
    ],
)
def test_long_names_take_several_lines(name: str, expected: str) -> None:
    assert wrapped(name) == expected
    assert all(len(line) <= LONGEST_LINE for line in wrapped(name).replace(r"\$", "$").split("\n"))


VERSIONS = [
    f"{kind}, version {year} (monotone constraints on)"
    for kind in ("Gradient boosting", "Gradient descent")
    for year in ("2026-11", "2025-03")
]


@pytest.mark.parametrize("most", [30, 52])
@pytest.mark.parametrize(
    "names",
    [
        VERSIONS,
        VERSIONS[:2],
        [*VERSIONS[:2], "svm", "svm"],
        [f"{'a' * 60}{k}" for k in range(3)],
        [f"{k}{'a' * 60}" for k in range(3)],
        [f"a{'b' * 60}{k}{'c' * 60}" for k in range(12)],
        # What differs is longer than there is room.
        [a + m * 70 + b for a in "xy" for m in "pqr" for b in "zw"],
    ],
)
def test_names_cut_together_stay_apart(names: list[str], most: int) -> None:
    told = shortened(names, most)
    assert len(set(told)) == len(set(names))
    assert max(map(len, told)) <= most


def test_cut_names_are_numbered_where_they_would_be_the_same() -> None:
    assert shortened(VERSIONS[:2], 30) == [
        "1: Gradient boos…nstraints on)",
        "2: Gradient boos…nstraints on)",
    ]
    assert shortened(["svm", VERSIONS[0]], 30) == ["svm", "Gradient boosti…onstraints on)"]


@pytest.mark.parametrize(
    ("quantity", "words"),
    [
        ("auc_new - auc_old", "AUC, new − old"),
        ("auc_a - b - auc_c", "AUC, a - b − c"),
        ("tpr_x_1 - tpr_x_2", "True positive rate, x_1 − x_2"),
        ("net_benefit_$1 - net_benefit__b", r"Net benefit, \$1 −  _b"),
        ("auc", "AUC"),
    ],
)
def test_quantities_say_which_models_they_are_of(quantity: str, words: str) -> None:
    assert quantity_words(quantity) == words


# --- curves of many models on one pair of axes ---------------------------------------------------------


def legend_clear(ax: Axes) -> bool:
    """Whether the legend of a drawn figure lies inside of it and over no line."""
    box = ax.get_legend().get_window_extent()
    # Guides, such as the chance line, may pass below it.
    drawn = [line for line in ax.lines if line.get_zorder() != GUIDE["zorder"]]
    lines = [line.get_transform().transform_path(line.get_path()) for line in drawn]
    return inside(box, ax.figure.bbox) and not any(path.intersects_bbox(box, filled=False) for path in lines)


NAMES = [f"classifier number {i}" for i in range(9)] + [LONG]


@pytest.mark.parametrize("k", [1, 6, 10])
@pytest.mark.parametrize("where", ["own", "plain", "constrained", "beside", "small"])
def test_no_legend_covers_a_curve(k: int, where: str) -> None:
    scores = sample(NAMES, spread=1.6)
    figures = {
        "plain": lambda: plt.subplots()[1],
        "constrained": lambda: plt.subplots(figsize=(9, 5), layout="constrained")[1],
        "beside": lambda: plt.subplots(1, 2, figsize=(12, 5), layout="constrained")[1][0],
        "small": lambda: Figure(figsize=(5, 3.6)).add_subplot(),
    }
    ax = figures[where]() if where in figures else None
    for name, model in list(scores.items())[:k]:
        ax = roc_curve(model).plot(ax=ax, name=name).ax_
    assert ax is not None
    figure = ax.figure
    try:
        figure.draw_without_rendering()
        assert legend_clear(ax)
        assert len(ax.get_legend().get_texts()) == k
        assert ax.get_window_extent().width > 0.2 * figure.bbox.width
        assert k != 10 or ax.get_legend().get_texts()[-1].get_text().startswith("boosted")
        if where == "own":
            assert ax.get_window_extent().width > 3.0 * figure.dpi
    finally:
        plt.close(figure)


def test_colors_that_come_again_have_other_line_styles() -> None:
    ax, scores = axes(), sample([f"m{i}" for i in range(15)])
    drawn = [roc_curve(model).plot(ax=ax, name=n, labels="none").line_ for n, model in scores.items()]
    looks = [(line.get_color(), str(line._dash_pattern)) for line in drawn]
    assert len(set(looks)) == 15
    assert [color.upper() for color, _ in looks[:7]] == list(OKABE_ITO)
    assert all(line.get_linestyle() == "-" for line in drawn[:7])
    assert all(line.get_linestyle() == "--" for line in drawn[7:])
    # A color that is asked for is drawn solid, as in matplotlib.
    assert roc_curve(scores[0]).plot(ax=ax, color=OKABE_ITO[0]).line_.get_linestyle() == "-"


def test_a_later_display_finds_its_legend_a_new_place() -> None:
    figure, ax = plt.subplots()
    try:
        scores = sample(NAMES)
        for k, (name, model) in enumerate(scores.items(), 1):
            band = BandDisplay(roc_band(model, method="ks_regions"))
            band.plot(ax=ax, name=name, labels="legend")
            figure.draw_without_rendering()
            assert legend_clear(ax)
            # The names, and once what all bands claim.
            assert len(ax.get_legend().get_texts()) == k + 1
    finally:
        plt.close(figure)
