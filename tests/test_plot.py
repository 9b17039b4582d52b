"""Displays: what they draw is what the results say."""

from __future__ import annotations

import itertools

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from confroc import (
    PairedScores,
    Scores,
    UnpairedScores,
    auc_difference,
    auc_interval,
    calibration_band,
    interval,
    net_benefit,
    rates_at_threshold,
    rates_difference_at_threshold,
    roc_band,
    roc_curve,
    tpr_at_fpr,
    tpr_difference_at_fpr,
)
from confroc.plot import (
    BandDisplay,
    CalibrationDisplay,
    CurveDisplay,
    IntervalDisplay,
    IntervalsDisplay,
    RegionsDisplay,
)
from confroc.plot.style import OKABE_ITO
from confroc.results import Intervals
from confroc.results.polyline import MAX_VERTICES, THIN_ERROR, thin
from confroc.statistics import Metric


@pytest.fixture(autouse=True)
def no_screen() -> None:
    mpl.use("Agg")


@pytest.fixture(scope="module")
def pair() -> PairedScores:
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1], 60)
    s = rng.normal(size=120) + 1.2 * y
    return PairedScores(y, np.round(s, 1), s + rng.normal(size=120))


def axes() -> object:
    return Figure().add_subplot()


def test_tables_draw_a_curve_for_each_model(pair: PairedScores) -> None:
    for table, names in ((pair, ["a", "b"]), (UnpairedScores(pair.a, pair.b), ["a", "b"])):
        shown = table.plot(ax=axes())
        assert [type(one) for one in shown.displays_] == [CurveDisplay, CurveDisplay]
        for name, one, model in zip(names, shown.displays_, (pair.a, pair.b), strict=True):
            assert one.ax_ is shown.ax_
            assert np.array_equal(one.curve.fpr, roc_curve(model).fpr)
            found = auc_interval(model)
            ends = f"{found.estimate:.2f} (95% CI {found.lower:.2f} to {found.upper:.2f})"
            assert one.line_.get_label() == f"{name}, AUC {ends}"
        assert len({one.line_.get_color() for one in shown.displays_}) == 2
    (alone,) = pair.a.plot(ax=axes(), name="new", color="k", auc_kwargs={"method": "delong"}).displays_
    assert (alone.line_.get_color(), str(alone.auc.method)) == ("k", "delong")
    assert alone.line_.get_label().startswith("new, AUC ")


def test_curve_draws_every_vertex(pair: PairedScores) -> None:
    curve = roc_curve(pair.a)
    display = curve.plot(ax=axes(), name="model")
    assert isinstance(display, CurveDisplay)
    x, y = display.line_.get_data()
    f = np.linspace(0, 1, 201)
    assert np.allclose(np.interp(f, x, y), np.interp(f, curve.fpr, curve.tpr), atol=1e-12)
    assert display.line_.get_label() == f"model (AUC {curve.auc:.3f})"
    assert display.ax_.get_aspect() == 1.0
    assert display.figure_ is display.ax_.figure


def test_two_models_share_axes_in_two_colors_with_one_chance_line(pair: PairedScores) -> None:
    ax = axes()
    for name, scores in (("a", pair.a), ("b", pair.b)):
        band = roc_band(scores, method="ks_regions")
        BandDisplay(band, roc_curve(scores)).plot(ax=ax, name=name, labels="legend")
    lines = [line for line in ax.lines if not str(line.get_label()).startswith("_")]
    assert [to_hex(line.get_color()) for line in lines] == [to_hex(c) for c in OKABE_ITO[:2]]
    assert len(ax.lines) == 3
    assert len(ax.collections) == 2
    assert [t.get_text() for t in ax.get_legend().get_texts()] == [
        "a",
        "b",
        "95% simultaneous band",
    ]


def test_band_is_drawn_with_its_jumps(pair: PairedScores) -> None:
    band = roc_band(pair.b, method="ks_regions")
    display = band.plot(ax=axes())
    path = display.fill_.get_paths()[0].vertices
    inner = (band.at > 0.1) & (band.at < 0.9)
    for edge in (band.lower, band.upper):
        for x, y in zip(band.at[inner][::7], edge[inner][::7], strict=True):
            assert (np.abs(path - [x, y]).max(axis=1) < 1e-9).any()
    curve = roc_curve(pair.b)
    x, y = BandDisplay(band, curve).plot(ax=axes()).line_.get_data()
    assert np.array_equal(x, curve.fpr)
    assert np.array_equal(y, curve.tpr)


def test_regions_are_rectangles_at_their_bounds(pair: PairedScores) -> None:
    regions = rates_at_threshold(pair.a, threshold=[0.0, 1.0])
    display = regions.plot(ax=axes())
    assert isinstance(display, RegionsDisplay)
    boxes = np.array([path.vertices for path in display.boxes_.get_paths()])
    assert np.allclose(boxes[..., 0].min(axis=1), regions.fpr.lower)
    assert np.allclose(boxes[..., 0].max(axis=1), regions.fpr.upper)
    assert np.allclose(boxes[..., 1].min(axis=1), regions.tpr.lower)
    assert np.allclose(boxes[..., 1].max(axis=1), regions.tpr.upper)


def test_differences_have_a_zero_line(pair: PairedScores) -> None:
    difference = tpr_difference_at_fpr(pair, fpr=[0.1, 0.2, 0.3])
    display = difference.plot(ax=axes())
    assert isinstance(display, IntervalsDisplay)
    assert any(np.ptp(line.get_ydata()) == 0 and line.get_ydata()[0] == 0 for line in display.ax_.lines)
    unpaired = tpr_difference_at_fpr(UnpairedScores(pair.a, pair.b), fpr=[0.1])
    assert isinstance(unpaired.plot(ax=axes()), IntervalsDisplay)


def test_points_of_the_curve_stand_on_roc_axes(pair: PairedScores) -> None:
    display = tpr_at_fpr(pair.a, fpr=[0.1, 0.5]).plot(ax=axes())
    assert display.ax_.get_xlabel() == "False positive rate"
    assert display.ax_.get_ylabel() == "True positive rate"


def test_forest_plots(pair: PairedScores) -> None:
    interval = auc_interval(pair.a)
    assert isinstance(interval.plot(ax=axes()), IntervalDisplay)
    display = auc_difference(pair).plot(ax=axes())
    assert any(line.get_xdata()[0] == 0.0 for line in display.ax_.lines)


def test_without_axes_a_new_figure_is_made_for_notebooks(pair: PairedScores) -> None:
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    display = roc_curve(pair.a).plot()
    assert len(plt.get_fignums()) == len(before) + 1
    plt.close(display.figure_)


def test_names_are_text_not_formulas(pair: PairedScores) -> None:
    display = roc_curve(pair.a).plot(ax=axes(), name="_cost_$x$")
    display.figure_.canvas.draw()
    assert r"\$x\$" in display.line_.get_label()
    assert display.ax_.get_legend() is not None


def test_thinning_moves_no_line_by_more_than_it_says() -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 40_000)
    curve = roc_curve(Scores(y, rng.normal(size=y.size) + 1.5 * y)).corners()
    kept = thin(curve.fpr, curve.tpr)
    assert len(kept) <= MAX_VERTICES + 2
    # Distance of every vertex from the thinned line, measured along the anti-diagonal: both are monotone,
    # so that u = x + y orders them and v = y - x is a function of u.
    u, v = curve.fpr + curve.tpr, curve.tpr - curve.fpr
    moved = np.abs(v - np.interp(u, u[kept], v[kept])) / np.sqrt(2)
    assert moved.max() < THIN_ERROR
    x, _ = curve.plot(ax=axes()).line_.get_data()
    assert len(x) <= MAX_VERTICES + 2


def test_displays_from_predictions_and_estimators() -> None:
    linear = pytest.importorskip(
        "sklearn.linear_model", reason="needs scikit-learn: pip install scikit-learn"
    )
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 80)
    x = rng.normal(size=(80, 2)) + y[:, None]
    model = linear.LogisticRegression().fit(x[:40], y[:40])
    value = model.predict_proba(x[40:])[:, 1]
    for cls, options in ((CurveDisplay, {}), (BandDisplay, {"band_kwargs": {"method": "ks_regions"}})):
        one = cls.from_estimator(model, x[40:], y[40:], ax=axes(), **options)
        two = cls.from_predictions(y[40:], value, ax=axes(), name="LogisticRegression", **options)
        assert isinstance(one, cls)
        assert np.array_equal(one.line_.get_data(), two.line_.get_data())
        assert one.line_.get_label() == two.line_.get_label()
    assert str(one.band.method) == "ks_regions"
    assert "LogisticRegression" in one.line_.get_label()
    made = (
        CalibrationDisplay.from_estimator(model, x[40:], y[40:], ax=axes(), band_kwargs={"rng": 1}),
        CalibrationDisplay.from_predictions(y[40:], value, ax=axes(), band_kwargs={"rng": 1}),
    )
    for shown in made:
        assert shown.band == calibration_band(Scores(y[40:], value), rng=1)


@pytest.mark.parametrize("scale", ["log", "probit"])
def test_other_scales_draw_the_same_curve(pair: PairedScores, scale: str) -> None:
    curve = roc_curve(pair.a)
    display = curve.plot(ax=axes(), scale=scale)
    x, y = display.line_.get_data()
    # Every drawn vertex is on the curve's straight pieces: the distance to the nearest, by projection.
    a, b = np.stack([curve.fpr[:-1], curve.tpr[:-1]]), np.stack([curve.fpr[1:], curve.tpr[1:]])
    step = b - a
    for u, v in zip(x, y, strict=True):
        share = ((u - a[0]) * step[0] + (v - a[1]) * step[1]) / (step**2).sum(axis=0)
        near = a + np.clip(share, 0.0, 1.0) * step
        assert np.hypot(near[0] - u, near[1] - v).min() < 1e-6
    assert len(x) > len(curve.fpr)
    assert np.isfinite(display.ax_.transData.transform(np.column_stack([x, y]))).all()
    # The chance line bends on the logarithmic scale, and is drawn bent.
    chance = display.ax_.lines[0].get_xydata()
    assert np.allclose(chance[:, 0], chance[:, 1])
    assert len(chance) > 50


def test_axes_options_are_checked(pair: PairedScores) -> None:
    curve = roc_curve(pair.a)
    with pytest.raises(ValueError, match="`scale` must be one of"):
        curve.plot(ax=axes(), scale="logit")
    with pytest.raises(ValueError, match="`fpr_max` must be above 0 and at most 1; got 0"):
        curve.plot(ax=axes(), fpr_max=0)
    assert curve.plot(ax=axes(), fpr_max=0.1).ax_.get_xlim()[1] == 0.1


def test_the_hourglass_draws_its_bounds(pair: PairedScores) -> None:
    from confroc import forecast_curve
    from confroc.plot import ForecastDisplay

    bounds, today = forecast_curve(pair.a), auc_interval(pair.a)
    display = ForecastDisplay(bounds, {"today": today}).plot(ax=axes())
    vertices = display.fill_.get_paths()[0].vertices
    for edge in (bounds.lower, bounds.upper):
        for point in zip(bounds.at, edge, strict=True):
            assert (np.abs(vertices - point).max(axis=1) < 1e-12).any()
    (bar,) = display.bars_
    assert list(bar.get_ydata()) == [today.lower, today.upper]
    assert bar.get_xdata()[0] < bounds.at[0]
    assert display.limit_ is not None
    assert list(display.limit_.get_xdata()) == [bounds.limit_without_drift] * 2
    # Out of sight it is left out.
    assert ForecastDisplay(forecast_curve(pair.a, radius=[1e-4, 1e-3])).plot(ax=axes()).limit_ is None


def test_every_result_with_a_picture_has_its_display(pair: PairedScores) -> None:
    import confroc
    from confroc.plot import DecisionDisplay, DifferenceBandDisplay, DriftDisplay, ForecastDisplay, display

    w, options = [0.2, 0.5, 0.8], {"n_resamples": 99, "rng": 1}
    expected = [
        (roc_curve(pair.a), CurveDisplay),
        (roc_band(pair.a, method="ks_regions"), BandDisplay),
        (confroc.roc_difference_band(pair, **options), DifferenceBandDisplay),
        (confroc.rates_at_positive_rate(pair.a, positive_rate=0.2), RegionsDisplay),
        (confroc.rates_difference_at_threshold(pair, threshold_a=0.5, threshold_b=0.5), RegionsDisplay),
        (auc_difference(pair), IntervalDisplay),
        (confroc.auc_forecast(pair.a, radius=0.05), IntervalDisplay),
        (confroc.forecast_curve(pair.a), ForecastDisplay),
        (confroc.cost_curve(pair.a, w=w), IntervalsDisplay),
        (confroc.net_benefit(pair.a, risk=w, threshold=[0.0, 0.5, 1.0]), DecisionDisplay),
        (confroc.drift_monitor(pair.a, [pair.b], rng=1), DriftDisplay),
    ]
    for result, kind in expected:
        assert type(display(result)) is kind
        assert result.plot(ax=axes()).ax_.has_data()
    # A curve of a few points is drawn as points; a picture of an interval needs no list of one.
    assert display(confroc.cost_curve(pair.a, w=np.linspace(0.1, 0.9, 6))).style == "ribbon"
    assert display(confroc.cost_curve(pair.a, w=w)).style == "bars"
    assert display(tpr_at_fpr(pair.a, fpr=[0.1])).style == "bars"
    for band in (
        confroc.cost_band(pair.a, w=w, **options),
        confroc.cost_difference_band(pair, w=w, **options),
    ):
        drawn = band.plot(ax=axes())
        assert drawn.fill_.get_label() == "95% simultaneous band"
        assert drawn.line_.get_label() == ("estimate" if band.design is None else "difference")
        assert drawn.ax_.get_xlabel() == "Weight of a false negative, w"
    dominance = confroc.dominance_at_threshold(pair, threshold_a=0.5, threshold_b=0.5)
    with pytest.raises(TypeError, match="be a result that can be plotted; got 'Dominance'"):
        display(dominance)
    assert not hasattr(dominance, "plot")


def test_results_have_a_plot_exactly_where_there_is_a_display() -> None:
    from confroc import auditing, plot, results

    assert dir(plot) == sorted(plot.__all__)
    kinds = [results.Result]
    for kind in kinds:
        kinds += kind.__subclasses__()
        assert hasattr(kind, "plot") == any(each.__name__ in plot.DISPLAYS for each in kind.__mro__), kind
    assert auditing.Audit in kinds


@pytest.mark.parametrize(
    ("k", "width"), [(2, 6.0), (12, 3.35), pytest.param(60, 3.35, marks=pytest.mark.slow)]
)
def test_drift_is_drawn_by_segment_with_the_forecast(pair: PairedScores, k: int, width: float) -> None:
    import confroc

    chance = Scores.from_counts([3, 2, 1], pos=[51, 50, 50], neg=[50, 50, 50])
    named = {f"2026, month {i}": pair.a for i in range(k - 1)} | {"last": chance}
    table = confroc.drift_monitor(pair.a, named, rng=1)
    ax = Figure(figsize=(width, 3.0)).add_subplot()
    shown = table.plot(ax=ax)
    forecast = table.forecast
    assert shown.limits_.get_bbox().intervaly.tolist() == [forecast.lower, forecast.upper]
    assert shown.line_.get_ydata().tolist() == table.auc.tolist()
    assert table.auc_drifted.tolist() == [False] * (k - 1) + [True]
    assert shown.outside_.get_xdata().tolist() == [k - 1]
    # No two names overlap.
    ax.figure.canvas.draw()
    boxes = [label.get_window_extent().intervalx for label in ax.get_xticklabels()]
    assert all(a[1] < b[0] for a, b in itertools.pairwise(boxes))
    words = [text.get_text() for text in ax.get_legend().get_texts()]
    assert words == [
        "95% CI of the reference",
        "AUC differs significantly",
        "95% pointwise CIs",
    ]
    expected = confroc.auc_forecast(pair.a, jeffreys=0.1)
    drawn = confroc.drift_monitor(pair.a, named, forecast=expected, rng=1).plot(ax=axes())
    assert drawn.ax_.get_legend().get_texts()[0].get_text() == "95% forecast"


def test_a_share_of_nobody_says_so_in_its_picture() -> None:
    scores = Scores([1, 0, 1, 0], [4, 3, 2, 1])

    def ppv(threshold: list[float]) -> Intervals:
        found = interval(scores, Metric("ppv", threshold))
        assert isinstance(found, Intervals)
        return found

    ax = Figure().add_subplot()
    ppv([50.0, 60.0]).plot(ax=ax)
    assert [text.get_text() for text in ax.texts] == ["No case is predicted positive"]
    assert 40.0 < ax.get_xlim()[0] < 50.0 < 60.0 < ax.get_xlim()[1] < 70.0
    assert ax.get_ylim() == (0.0, 1.0)
    # With some of them defined, or in axes that show others, there is nothing to explain.
    ppv([2.0, 3.0]).plot(ax=ax)
    assert ax.get_xlim()[1] < 4.0
    for threshold in ([2.0, 60.0], [-5.0]):
        other = Figure().add_subplot()
        ppv(threshold).plot(ax=other)
        assert not other.texts
    ppv([np.inf]).plot(ax=(empty := Figure().add_subplot()))
    assert len(empty.texts) == 1


def test_net_benefit_at_one_risk_is_a_point_next_to_that_of_treating_all(pair: PairedScores) -> None:
    found = net_benefit(pair.a, risk=0.3, threshold=0.5)
    shown = found.plot(axes())
    assert shown.line_.get_marker() == "o"
    marks = {line.get_label(): line for line in shown.ax_.lines}
    assert marks["treat all"].get_marker() == "_"
    assert [*marks["treat all"].get_ydata()] == [found.treat_all[0]]
    (left, right), (low, high) = shown.ax_.get_xlim(), shown.ax_.get_ylim()
    assert (left, right) == (0.0, 0.6)
    assert low < min(0.0, found.lower[0])
    assert high > max(found.upper[0], found.treat_all[0])
    # Near risk 1 the lower limit falls far; a curve is cut half its height below zero.
    curve = net_benefit(pair.a, risk=np.linspace(0.1, 0.99, 20), threshold=[0.5] * 20)
    low, high = curve.plot(axes()).ax_.get_ylim()
    assert low == pytest.approx(-0.5 * high)


def test_areas_are_drawn_next_to_that_of_chance(pair: PairedScores) -> None:
    area = auc_interval(pair.a)
    assert area.plot(axes()).ax_.get_xlim()[0] < 0.5
    assert IntervalDisplay([area, auc_difference(pair)]).reference is None


def test_short_names_of_options_are_those_of_matplotlib(pair: PairedScores) -> None:
    def axes() -> Axes:
        return Figure().add_subplot()

    curve = roc_curve(pair.a).plot(axes(), lw=3, ls="--", c="r", chance_level_kw={"lw": 2.5, "c": "k"})
    assert (curve.line_.get_linewidth(), curve.line_.get_linestyle()) == (3, "--")
    assert to_hex(curve.line_.get_color()) == "#ff0000"
    assert {line.get_linewidth() for line in curve.ax_.lines} == {3, 2.5}
    band = roc_band(pair.a, rng=0).plot(axes(), lw=2, line_kwargs={"lw": 4})
    assert band.fill_.get_linewidth() == [2]
    assert band.line_.get_linewidth() == 4
    assert auc_interval(pair.a).plot(axes(), c="g").points_.get_color() == "g"


def test_further_intervals_on_the_same_axes_have_rows_of_their_own(pair: PairedScores) -> None:
    ax = Figure().add_subplot()
    first = auc_interval(pair.a).plot(ax, name="first")
    second = IntervalDisplay([auc_interval(pair.b)] * 2).plot(ax, name=["second", "third"])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["first", "second", "third"]
    assert [*first.points_.get_ydata(), *second.points_.get_ydata()] == [0, 1, 2]
    low, high = ax.get_ylim()
    assert low > 2
    assert high < 0


def test_differences_of_rates_on_one_scale_only_where_both_have_room() -> None:
    rng = np.random.default_rng(0)
    y = rng.random(2000) < 0.03
    rare = PairedScores(y, rng.normal(size=2000) + 1.5 * y, rng.normal(size=2000) + y)
    narrow = rates_difference_at_threshold(rare, threshold_a=[0.5, 1.0], threshold_b=[0.5, 1.0]).plot(
        Figure().add_subplot()
    )
    assert narrow.ax_.get_aspect() == "auto"
    half = rng.random(300) < 0.5
    even = PairedScores(half, rng.normal(size=300) + half, rng.normal(size=300) + half)
    assert (
        rates_difference_at_threshold(even, threshold_a=0.5, threshold_b=0.0)
        .plot(Figure().add_subplot())
        .ax_.get_aspect()
        == 1.0
    )


@pytest.mark.parametrize("given", ["LR", Figure(), plt, np.array([1, 2]), 3])
def test_axes_are_asked_for_where_something_else_is_given(pair: PairedScores, given: object) -> None:
    remedy = r"Create them with `figure, ax = plt\.subplots\(\)`; to name the curve use plot\(name=\.\.\.\)"
    for result in (roc_curve(pair.a), auc_interval(pair.a), roc_band(pair.a, rng=0)):
        with pytest.raises(TypeError, match=f"`ax` must be Axes of matplotlib; got .*{remedy}"):
            result.plot(given)  # type: ignore[arg-type]


def test_results_of_other_scores_are_not_drawn_together() -> None:
    from confroc import forecast_curve
    from confroc.plot import ForecastDisplay

    y = np.repeat([1, 0], 40)
    one, other = (Scores(y, np.random.default_rng(seed).normal(size=80) + y) for seed in (1, 2))
    band, curve, area = roc_band(one, method="ks_regions"), roc_curve(one), auc_interval(one)
    risk, bounds = calibration_band(one), forecast_curve(one, radius=[1e-3, 1e-2])
    for make in (
        lambda s: CurveDisplay(curve, auc_interval(s)),
        lambda s: CurveDisplay(curve).plot(ax=axes(), auc=auc_interval(s)),
        lambda s: BandDisplay(band, roc_curve(s)),
        lambda s: BandDisplay(band, curve, auc_interval(s)),
        lambda s: BandDisplay(band, auc=auc_interval(s)),
        lambda s: BandDisplay(band).plot(ax=axes(), auc=auc_interval(s)),
        lambda s: CalibrationDisplay(risk, s),
        lambda s: ForecastDisplay(bounds, {"today": auc_interval(s)}),
    ):
        assert make(one) is not None
        with pytest.raises(ValueError, match="` must be computed from the same scores; got 'estimates"):
            make(other)
    # An area on another scale, and that of a model, are no empirical area.
    assert CurveDisplay(curve, auc_interval(one, max_fpr=0.5)).auc != area
    assert CurveDisplay(curve, auc_interval(one, method="binormal")).auc != area
