"""Rules of single studies: balls and fresh curves against the public functions, and against each other."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import confroc
from balls import ball_distances, balls, between_edges, resampled_distances, true_curve, two_distances
from confroc import ConfrocWarning
from confroc.auditing.rules import Drawn
from confroc.auditing.samples import Samples
from confroc.bands import ball
from confroc.resample import resample
from confroc.results import Band, one_sided_limits
from confroc_lab import Coverage, Normal, Rule, SamplePopulation, TiedDistributions, binormal
from confroc_lab.samples import draw
from fresh_curves import FreshCurves, band_for, curves_of, first_escape, held
from learners import TreeOnCovertype
from probit import Probit
from regimes import Regimes, regime_areas

POPULATION = binormal(1.5, 0.0, 1.25, 1.0)
BALLS = tuple(
    f"bootstrap:metric={metric},smoothing={smooth}" for metric in ("sup", "db") for smooth in (False, True)
)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        yield


def samples(population: Any, size: tuple[int, int], reps: int, seed: int = 0) -> Samples:
    batches, _ = draw(population, size, "stratified", np.random.default_rng(seed), reps)
    return batches[0]


def evaluated(rule: Rule, batch: Samples, population: Any) -> dict[tuple[str, str], Coverage]:
    judge: Any = rule.function
    found = judge(rule, Drawn(batch, population, "stratified", np.random.default_rng(1)))
    return {(c.method, c.quantity): c for c in found}


steps = st.integers(1, 9).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n).map(sorted)] * 2)
)


@pytest.mark.slow
@given(both=steps)
def test_distances_of_two_step_curves(both: tuple[list[int], list[int]]) -> None:
    f, g = (np.array(values) / 4.0 for values in both)
    wanted = ball.sup_distance(f, g), ball.db_distance(f, g)
    assert two_distances(f, g) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("population", [POPULATION, TiedDistributions(Normal(1.0), Normal(0.0), step=0.5)])
def test_resampled_distances_are_those_of_each_resample(population: Any) -> None:
    scores = samples(population, (9, 7), 1).scores(0)
    found = resampled_distances(scores, False, np.array([2]), 30, np.random.default_rng(3))
    own = ball.steps_of(scores.pos, scores.neg)
    rng = np.random.default_rng(3)
    pos, neg = (np.repeat(scores.score, count) for count in (scores.pos, scores.neg))
    pos, neg = (x[rng.integers(len(x), size=(30, len(x)), dtype=np.uint32)] for x in (pos, neg))
    for i in range(30):
        again = confroc.Scores(np.repeat([1, 0], [9, 7]), np.concatenate([pos[i], neg[i]]))
        step = ball.steps_of(again.pos, again.neg)
        wanted = [ball.sup_distance(own, step), ball.db_distance(own, step), abs(step[2] - own[2])]
        np.testing.assert_allclose(found[i], wanted, atol=1e-12)
    assert (found[:, 1] <= found[:, 0] + 1e-12).all()


@pytest.mark.parametrize(("metric", "delta"), [("sup", 0.02), ("sup", 0.35), ("db", 0.02), ("db", 0.1)])
def test_edges_are_those_of_the_public_band(
    metric: Any, delta: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Held or not on either side, and the area, as `roc_band` has them for a ball of this radius."""
    monkeypatch.setattr(ball, "critical_value", lambda *_: delta)
    batch = samples(POPULATION, (25, 30), 40)
    truth = true_curve(POPULATION)
    seen = set()
    for i in range(40):
        scores = batch.scores(i)
        band = confroc.roc_band(
            scores, method="bootstrap", metric=metric, smoothing=False, n_resamples=40, rng=0
        )
        own = ball.steps_of(scores.pos, scores.neg)
        above, below, area = between_edges(
            own, delta, delta if metric == "db" else 0.0, lambda t: np.interp(t, *truth)
        )
        assert (above and below) == band.contains(POPULATION.curve(band.at))
        assert area == pytest.approx(band.area, abs=1e-9)
        seen.add(above and below)
    assert seen == ({False} if delta == 0.02 else {True, False})


@pytest.mark.slow
def test_ball_rule_agrees_with_the_public_functions() -> None:
    """Radii and areas of 99 resamples differ by chance only: each mean by five standard errors at most.

    Both means of 30 samples have an error of their own; a false alarm needs a deviation beyond 5 of them, a
    chance below 1e-5 over seeds for the eight comparisons together.
    """
    batch = samples(POPULATION, (40, 30), 30)
    rule = Rule(balls, at=(0.2,), methods=(*BALLS, "naive_bootstrap"), confidence_level=0.8, n_resamples=99)
    found = evaluated(rule, batch, POPULATION)
    for method in BALLS:
        metric: Any = "sup" if "sup" in method else "db"
        smooth = "True" in method
        area = np.array(
            [
                confroc.roc_band(
                    batch.scores(i),
                    method="bootstrap",
                    metric=metric,
                    smoothing=smooth,
                    n_resamples=99,
                    confidence_level=0.8,
                    rng=i,
                ).area
                for i in range(30)
            ]
        )
        # The same samples, so that only the resamples differ; their radius varies by some 5 %.
        assert found[method, "curve"].width[0] / 30 == pytest.approx(area.mean(), rel=5 * 0.05 * 2 / 30**0.5)
    widths = [
        float(np.diff([(x := confroc.tpr_at_fpr(s, fpr=0.2, method="naive_bootstrap", n_resamples=99,
              confidence_level=0.8, rng=i)).lower[0], x.upper[0]])[0])
        for i, s in enumerate(map(batch.scores, range(30)))
    ]  # fmt: skip
    assert found["naive_bootstrap", "tpr"].width[0] / 30 == pytest.approx(np.mean(widths), rel=0.1)


def test_more_confidence_contains_more() -> None:
    batch = samples(Probit(), (60, 40), 60)
    held = {}
    for level in (0.5, 0.95):
        rule = Rule(balls, at=(0.2,), methods=BALLS, confidence_level=level, n_resamples=99)
        for (method, quantity), t in evaluated(rule, batch, Probit()).items():
            missed = t.n[0] - t.covered[0]
            # A band may miss the curve on both sides at once, and nothing else is a miss.
            assert t.n[0] == 60
            assert max(t.below[0], t.above[0]) <= missed <= t.below[0] + t.above[0]
            held[level, method, quantity] = int(t.covered[0])
    for method in BALLS:
        for quantity in ("distance", "curve"):
            assert held[0.95, method, quantity] > held[0.5, method, quantity]


joints = st.lists(st.integers(0, 6), min_size=0, max_size=8)


@st.composite
def polyline(draw: st.DrawFn) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    x = np.array([0, *sorted(draw(joints)), 6]) / 6.0
    values = st.lists(st.integers(0, 8), min_size=len(x), max_size=len(x))
    return x, np.array(draw(values)) / 8.0


@pytest.mark.slow
@given(curve=polyline(), data=st.data())
def test_held_is_contains(
    curve: tuple[NDArray[np.float64], NDArray[np.float64]], data: st.DataObject
) -> None:
    fpr, low = data.draw(polyline())
    high = np.array(data.draw(st.lists(st.integers(0, 8), min_size=len(fpr), max_size=len(fpr)))) / 8.0
    lower, upper = np.minimum(low, high) - data.draw(st.sampled_from([0.0, 0.5])), np.maximum(low, high)
    band = Band(
        at=fpr,
        estimate=lower,
        lower=lower,
        upper=upper,
        confidence_level=0.9,
        method="ks_regions",
        guarantee="asymptotic",
        kind="simultaneous",
    )
    assert held(fpr, lower, upper, *curve) == band.contains(curve)


def test_fresh_curves_count_what_contains_says() -> None:
    rule = FreshCurves(methods=("ks_regions",), confidence_level=0.5, curves=25)
    batch = samples(POPULATION, (30, 30), reps=3)
    found = evaluated(rule, batch, POPULATION)
    t = found["ks_regions", "fresh"]
    assert t.n[0] == 75
    rng = np.random.default_rng(1)
    held = []
    for i in range(3):
        band = confroc.roc_band(batch.scores(i), method="ks_regions", confidence_level=0.5)
        fresh = Samples(*POPULATION.draw(rng, 30, 30, 25))
        held.append(sum(band.contains(confroc.roc_curve(fresh.scores(k))) for k in range(25)))
    assert t.covered[0] == sum(held)
    assert t.width[0] == pytest.approx(sum(held) / 25)
    assert 0 < t.covered[0] < 75


def test_both_sources_and_the_places_where_curves_leave() -> None:
    at = (0.1, 0.3, 0.5, 0.8)
    methods = ("ks_regions", "vertical_averaging:n_points=10")
    asked: dict[str, Any] = {"source": "both", "at": at, "places": True, "truth": True}
    rule = FreshCurves(methods=methods, confidence_level=0.5, curves=30, n_resamples=50, **asked)
    batch = samples(POPULATION, (30, 30), reps=2)
    found = evaluated(rule, batch, POPULATION)
    rng = np.random.default_rng(1)
    counts = dict.fromkeys(itertools.product(methods, ("fresh", "fresh_of_sample"), (0, 1, 2, 3, 4)), 0)
    for i in range(2):
        one = Samples(batch.pos[i : i + 1], batch.neg[i : i + 1])
        bands = {method: band_for(rule, one, method, rng) for method in methods}
        for source in ("fresh", "fresh_of_sample"):
            drawn_from: Any = (
                POPULATION if source == "fresh" else SamplePopulation(batch.pos[i], batch.neg[i])
            )
            for fpr, tpr in curves_of(drawn_from, "stratified", rng, (30, 30), 30):
                for method, band in bands.items():
                    assert band is not None
                    low, high = (
                        one_sided_limits(band.at, e, np.array(at))[1] for e in (band.lower, band.upper)
                    )
                    y = one_sided_limits(fpr, tpr, np.array(at))[1]
                    out = np.flatnonzero((y < low - 1e-12) | (y > high + 1e-12))
                    counts[method, source, int(out[0]) if len(out) else 4] += 1
    for method, source in itertools.product(methods, ("fresh", "fresh_of_sample")):
        wanted = [counts[method, source, k] for k in range(5)]
        assert found[method, f"{source}_escapes"].covered.tolist() == wanted[:4]
        assert found[method, f"{source}_at_rates"].covered[0] == wanted[4]
    assert found["ks_regions", "curve"].n[0] == 2
    edges = [found["ks_regions", f"edge_{which}"].width / 2 for which in ("lower", "upper")]
    bands_again = [
        confroc.roc_band(batch.scores(i), method="ks_regions", confidence_level=0.5) for i in range(2)
    ]
    for k, which in enumerate(("lower", "upper")):
        mean = np.mean(
            [one_sided_limits(b.at, getattr(b, which), np.array(at))[1] for b in bands_again], axis=0
        )
        np.testing.assert_allclose(edges[k], mean)


@pytest.mark.parametrize("sampling", ["stratified", "full"])
def test_curves_drawn_as_counts_have_the_law_of_cases_drawn_one_by_one(sampling: Any) -> None:
    """Mean and variance of the rates at three thresholds; 4,000 curves err by a fortieth of a deviation."""
    rng = np.random.default_rng(5)
    pos, neg = np.sort(rng.integers(0, 4, 60)) * 1.0, np.sort(rng.integers(-1, 3, 40)) * 1.0
    population = SamplePopulation(pos, neg)
    curves = list(curves_of(population, sampling, rng, (20, 30), 4000))
    for side, values, m in ((0, neg, 30), (1, pos, 20)):
        rates = np.array([curve[side] for curve in curves])[:, 1:-1]
        thresholds = np.arange(3, -1, -1)
        p = np.array([(values >= t).mean() for t in thresholds])
        np.testing.assert_allclose(rates.mean(axis=0), p, atol=0.01)
        if sampling == "stratified":
            np.testing.assert_allclose(rates.var(axis=0), p * (1 - p) / m, atol=0.001)


def test_first_escape_by_hand() -> None:
    at, low, high = np.array([0.1, 0.2, 0.3]), np.array([0.1, 0.2, 0.3]), np.array([0.5, 0.6, 0.7])
    for y, place in (([0.3, 0.3, 0.3], 3), ([0.0, 0.9, 0.3], 0), ([0.5, 0.7, 0.9], 1), ([0.1, 0.2, 0.2], 2)):
        assert (
            first_escape.py_func(at, low, high, np.array(y))
            == place
            == first_escape(at, low, high, np.array(y))
        )


@pytest.mark.parametrize("method", ["fixed_width", "vertical_averaging:distribution=empirical"])
def test_few_curves_make_a_band_of_their_extremes(method: str) -> None:
    rule = FreshCurves(methods=(method,), confidence_level=0.95, n_resamples=10)
    one = samples(POPULATION, (30, 30), 1)
    band = band_for(rule, one, method, np.random.default_rng(3))
    assert band is not None
    scores = one.scores(0)
    drawn = resample(
        lambda pos, neg: np.stack([np.append(0, np.cumsum(n)) / n.sum() for n in (neg, pos)]),
        scores, 10, np.random.default_rng(3), size=(30, 30),
    )  # fmt: skip
    inside = sum(band.contains((fpr, tpr)) for fpr, tpr in drawn)
    if method == "fixed_width":
        # Rounding may put the curve that made the band a hair outside.
        assert inside >= 9
    else:
        values = [one_sided_limits(fpr, tpr, np.array([0.3]))[1][0] for fpr, tpr in drawn]
        ends = [np.interp(0.3, band.at, edge) for edge in (band.lower, band.upper)]
        assert ends == pytest.approx([min(values), max(values)])


@pytest.mark.uci
def test_larger_training_sets_give_higher_curves(uci_folder: Path) -> None:
    # Macskassy & Provost (2004), section 5.4.1.
    areas = [TreeOnCovertype(training=m).prepare(uci_folder).auc for m in (250, 1000, 4000, 16_000)]
    assert areas == sorted(areas)
    assert areas[-1] - areas[0] > 0.1


@pytest.mark.uci
@pytest.mark.parametrize("seed", [2004, 1, 2])
def test_no_convention_loses_curves_of_few_cases_as_the_paper_does(seed: int, uci_folder: Path) -> None:
    """Macskassy & Provost 2004, Table 3: joint regions hold 62.4 % with 625 cases and 91.8 % with 1,250.

    Here they hold 90 % and more of either, whether the value at a rate of 0 is the lower or the upper end of
    its step, all values are lower ends, or an edge excludes what touches it; with the last at a rate of
    0, where both are 0, more is lost the more the cases.
    """
    population = TreeOnCovertype(seed=seed).prepare(uci_folder)
    at = np.arange(100) / 100
    held: dict[int, NDArray[np.float64]] = {}
    for n in (625, 1250):
        size = (round(0.572 * n), n - round(0.572 * n))
        rng, counts = np.random.default_rng(seed), []
        for _ in range(5):
            scores = Samples(*population.draw(rng, *size, 1)).scores(0)
            band = confroc.roc_band(scores, method="ks_regions", joint=False)
            low, high = (one_sided_limits(band.at, edge, at)[1] for edge in (band.lower, band.upper))
            for fpr, tpr in curves_of(population, "full", rng, size, 100):
                left, right = one_sided_limits(fpr, tpr, at)
                inside, touching = (low <= right) & (right <= high), (low == right) | (right == high)
                counts.append(
                    [
                        inside.all(),
                        inside[1:].all() and low[0] <= left[0] <= high[0],
                        ((low <= left) & (left <= high)).all(),
                        (inside & ~touching)[1:].all(),
                        (inside & ~touching).all(),
                    ]
                )
        held[n] = np.mean(counts, axis=0)
    assert (held[625][:4] >= 0.9).all()
    assert (held[1250][:4] >= 0.9).all()
    assert held[1250][4] <= held[625][4]


def test_regimes_are_held_against_both_areas_and_fresh_ones() -> None:
    """As the public functions have them: "delong" by itself, the forecast from the sample's two segments."""
    rule = Rule(regime_areas, methods=("delong", "forecast", "upper_bound"), confidence_level=0.6)
    regimes = Regimes.morin(0.65, 0.75)
    batch = samples(regimes, (30, 40), 12)
    found = evaluated(rule, batch, regimes)
    truth = np.array([0.65, 0.75])
    for method in ("delong", "forecast"):
        ends = []
        for i in range(12):
            scores = batch.scores(i)
            parts = [
                Samples(batch.pos[:, half], batch.neg[:, other]).scores(i)
                for half, other in ((slice(15), slice(20)), (slice(15, None), slice(20, None)))
            ]
            made: Any = (
                confroc.auc_forecast(scores, segments=parts, method="paper")
                if method == "forecast"
                else confroc.auc_interval(scores, method="delong", confidence_level=0.6)
            )
            ends.append((made.lower, made.upper))
        low, high = np.array(ends).T[:, :, None]
        t = found[method, "auc"]
        np.testing.assert_array_equal(t.covered, ((low <= truth) & (truth <= high)).sum(axis=0))
        assert t.width == pytest.approx((high - low).sum(axis=0).repeat(2))
    for quantity in ("auc", "fresh"):
        assert (found["upper_bound", quantity].covered >= found["delong", quantity].covered).all()
    assert 0 < found["delong", "fresh"].covered[0] < found["delong", "fresh"].n[0] == 12 * 2000


def test_compiled_distances_are_the_plain_ones() -> None:
    rng = np.random.default_rng(2)
    pos, neg = np.sort(rng.normal(1, 1, (5, 8)), axis=1), np.sort(rng.normal(0, 1, (5, 6)), axis=1)
    own, at = np.sort(rng.random(6)), np.array([1])
    out = np.zeros((2, 5, 3))
    ball_distances.py_func(pos, neg, own, at, out[0])
    ball_distances(pos, neg, own, at, out[1])
    np.testing.assert_allclose(out[0], out[1], atol=1e-15)
