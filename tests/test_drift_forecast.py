"""Forecasts of the area: radii, hourglass, monitor, and what no forecast may do."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from confroc import (
    ConfrocWarning,
    PairedScores,
    Scores,
    UnpairedScores,
    auc_comparison,
    auc_difference,
    auc_interval,
)
from confroc.drift import (
    auc_forecast,
    auc_test,
    drift_monitor,
    forecast_curve,
    nearest_distribution,
)
from confroc.drift.divergence import (
    DIVERGENCES,
    FLOOR,
    Divergence,
    class_divergences,
    quantile_bins,
    shares,
)
from confroc.drift.forecast import WHOLE_RANGE
from confroc.drift.monitor import WithoutDrift
from confroc.drift.radius import (
    bootstrap_radius,
    chance_distance,
    chance_radius,
    segment_half_lengths,
    segment_radius,
)
from confroc.drift.reweighting import AreaFunctional, functional_of, solve
from confroc.results.shown import cell
from regimes import next_coverage
from support import sample

TABLE = Scores.from_counts(range(5), pos=[5, 10, 20, 30, 35], neg=[60, 50, 40, 30, 20])

few_segments = pytest.mark.filterwarnings("ignore:The forecast is wide")


# --- radii -------------------------------------------------------------------------------------------


def test_bins_are_quantiles_that_divide_no_tie() -> None:
    score, count = np.arange(100.0, 0.0, -1.0), np.full(100, 3)
    assert quantile_bins(score, count, 10).share == pytest.approx(np.full(10, 0.1))
    found = quantile_bins(np.array([3.0, 2.0, 1.0]), np.array([50, 30, 20]), 10)
    assert found.share == pytest.approx([0.5, 0.3, 0.2])
    tied = found.edges
    # Scores that the reference never had fall into the nearest bins.
    assert shares(np.array([9.0, 2.5, 0.0]), np.array([1, 1, 2]), tied) == pytest.approx([0.25, 0.25, 0.5])


def test_class_divergences_by_hand() -> None:
    whole = Scores.from_counts([3, 2, 1], pos=[40, 40, 20], neg=[10, 30, 60])
    segment = Scores.from_counts([3, 2, 1], pos=[10, 5, 5], neg=[4, 3, 3])
    expected = sum((a - b) * math.log(a / b) for a, b in ((0.5, 0.4), (0.25, 0.4), (0.25, 0.2)))
    # The negatives' thirds end within scores 2 and 1, so scores 3 and 2 share a bin.
    expected_neg = sum((a - b) * math.log(a / b) for a, b in ((0.7, 0.4), (0.3, 0.6)))
    assert class_divergences(segment, whole, Divergence("jeffreys"), 3) == pytest.approx(
        (expected, expected_neg)
    )
    kl = sum(a * math.log(a / b) for a, b in ((0.5, 0.4), (0.25, 0.4), (0.25, 0.2)))
    assert class_divergences(segment, whole, Divergence("kl"), 3)[0] == pytest.approx(kl)
    chi = sum((a - b) ** 2 / b for a, b in ((0.5, 0.4), (0.25, 0.4), (0.25, 0.2)))
    assert class_divergences(segment, whole, Divergence("chi2"), 3)[0] == pytest.approx(chi)


def test_empty_bins_are_floored() -> None:
    whole = Scores.from_counts([3, 2, 1], pos=[40, 40, 20], neg=[10, 30, 60])
    segment = Scores.from_counts([3, 2, 1], pos=[10, 10, 0], neg=[4, 3, 3])
    found = class_divergences(segment, whole, Divergence("kl"), 3)[0]
    assert found == pytest.approx(2 * 0.5 * math.log(0.5 / 0.4) + FLOOR * math.log(FLOOR / 0.2))


@pytest.mark.parametrize(("name", "factor"), [("kl", 1.0), ("jeffreys", 2.0), ("chi2", 2.0)])
def test_radius_without_drift(name: Any, factor: float) -> None:
    # Resamples: (K − 1)/2·(1/m₊ + 1/m₋). Segments of one sample: the same times (1 − 1/S).
    rng = np.random.default_rng(1)
    whole = sample(rng, 20_000, 20_000)
    expected = factor * 9 / 2 * (1 / 500 + 1 / 800)
    # 2,000 resamples of a χ² with 9 degrees of freedom: relative error √(2/9/2000) = 1.1%; four of it.
    assert bootstrap_radius(whole, Divergence(name), 10, (500, 800), 2000, 1) == pytest.approx(
        expected, rel=0.05
    )
    radii = []
    for _ in range(60):
        parts = [sample(rng, 500, 800) for _ in range(4)]
        joint = parts[0].merge(parts[1]).merge(parts[2]).merge(parts[3])
        radii.append(segment_radius(parts, joint, Divergence(name), 10))
    # 240 segments: 240 terms of relative error √(2/9), dependent in fours: about 3.5%; four of it.
    assert np.mean(radii) == pytest.approx(0.75 * expected, rel=0.14)


def test_morins_reading_gives_half_of_jeffreys() -> None:
    rng = np.random.default_rng(2)
    low, high = sample(rng, 100, 1000, 0.66), sample(rng, 100, 1000, 0.82)
    whole = low.merge(high)
    kl, jeffreys = (
        auc_forecast(whole, segments=[low, high], divergence=d, method="paper").radius
        for d in ("kl", "jeffreys")
    )
    assert kl == pytest.approx(jeffreys / 2, rel=0.1)


def test_calibrated_without_segments_is_a_prediction_interval() -> None:
    rng = np.random.default_rng(3)
    scores = sample(rng, 2000, 3000)
    found = auc_forecast(scores, method="calibrated", size=(500, 700), confidence_level=0.9)
    next_se = auc_interval(sample(rng, 500, 700), method="delong").standard_error
    own_se = auc_interval(scores, method="delong").standard_error
    half = stats.norm.ppf(0.95) * math.hypot(next_se, own_se)
    assert (found.upper - found.lower) / 2 == pytest.approx(half, rel=0.08)
    assert found.confidence_level == 0.9
    assert found.source == "sampling"
    assert "without drift" in found.notes[0]


@pytest.mark.slow
def test_calibrated_holds_its_level_under_drift() -> None:
    # Twelve segments whose shifts vary; is the thirteenth's area inside? 150 histories at 90%: fewer than
    # 120 inside with probability 7e-5. A coverage of 75% is found out with probability 0.91, of 70% with
    # 0.996.
    rng = np.random.default_rng(4)
    inside = 0
    for _ in range(150):
        shifts = 1.0 + 0.15 * rng.standard_normal(13)
        *history, new = (sample(rng, 150, 300, s) for s in shifts)
        whole = history[0]
        for segment in history[1:]:
            whole = whole.merge(segment)
        found = auc_forecast(whole, segments=history, method="calibrated", confidence_level=0.9)
        inside += found.lower <= new.auc <= found.upper
    assert inside >= 120


def test_two_segments_are_said_to_say_little() -> None:
    rng = np.random.default_rng(5)
    parts = [sample(rng, 200, 300, s) for s in (0.5, 1.5)]
    found = auc_forecast(parts[0].merge(parts[1]), segments=parts, method="calibrated")
    assert (found.lower, found.upper) == (0.0, 1.0)
    assert found.notes == (WHOLE_RANGE,)
    near = [sample(rng, 200, 300, s) for s in (0.9, 1.1)]
    with pytest.warns(ConfrocWarning, match="rests on 2 segments"):
        found = auc_forecast(near[0].merge(near[1]), segments=near, method="calibrated")
    assert "rests on 2 segments" in found.notes[0]
    # A note is enough where the coverage is close to the level, or above it.
    three = [*parts, sample(rng, 200, 300)]
    low = auc_forecast(parts[0].merge(parts[1]).merge(three[2]), segments=three, confidence_level=0.8)
    assert "rests on 3 segments" in low.notes[0]


@pytest.mark.slow
@few_segments
def test_coverage_under_two_regimes_far_apart() -> None:
    """The coverage that the note states, from areas of segments in one of two regimes, and by quadrature.

    400 histories of three segments, areas 0.64 and 0.98: 0.875 ± 0.0165; a true coverage of 0.95 passes with
    probability 0.2.
    """
    for segments, coverage in ((2, 0.75), (3, 0.875), (4, 0.9375), (5, 0.96875)):
        # Where all are in the regime of the next one, the floor leaves the last half per cent.
        assert next_coverage(150.0, segments, 0.95) == pytest.approx(coverage, abs=0.006)
    rng = np.random.default_rng(21)
    inside, drawn = 0, rng.integers(2, size=(400, 4))
    for regimes in drawn:
        *past, new = (sample(rng, 100, 200, 0.5 + 2.5 * r) for r in regimes)
        found = auc_forecast(past[0].merge(past[1]).merge(past[2]), segments=past)
        inside += found.lower <= new.auc <= found.upper
    missed = (np.ptp(drawn[:, :3], axis=1) == 0) & (drawn[:, 0] != drawn[:, 3])
    assert inside == pytest.approx((~missed).sum(), abs=8)
    assert abs(inside / 400 - 0.875) < 0.066


@pytest.mark.slow
def test_quadrature_of_two_regimes_against_simulated_areas() -> None:
    """200,000 histories of normal areas, judged by the rule as its docstring says it: error 0.001."""
    rng = np.random.default_rng(22)
    for segments, gap in ((2, 3.0), (3, 10.0), (5, 2.0)):
        areas = gap * rng.integers(2, size=(200_000, segments + 1)) + rng.standard_normal(
            (200_000, segments + 1)
        )
        past, new = areas[:, :-1], areas[:, -1]
        spread = np.maximum(
            stats.t.ppf(0.975, segments - 1) * past.std(axis=1, ddof=1), stats.norm.ppf(0.975)
        )
        held = np.abs(new - past.mean(axis=1)) <= spread * math.sqrt(1 + 1 / segments)
        assert next_coverage(gap, segments, 0.95) == pytest.approx(held.mean(), abs=0.004)


# --- bounds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kl", "jeffreys", "chi2"])
def test_bounds_are_nearest_populations_at_that_distance(name: Any) -> None:
    found = auc_forecast(TABLE, radius=0.08, divergence=name, method="paper")
    for end in (found.lower, found.upper):
        assert nearest_distribution(TABLE, auc=end, divergence=name).distance == pytest.approx(0.08, rel=1e-5)
    assert found.source == "given"
    assert math.isnan(found.confidence_level)


def test_hourglass() -> None:
    curve = forecast_curve(TABLE)
    assert len(curve) == 25
    assert (np.diff(curve.upper) > 0).all()
    assert (np.diff(curve.lower) < 0).all()
    assert curve.lower[0] == pytest.approx(TABLE.auc, abs=0.01)
    one = auc_forecast(TABLE, radius=float(curve.at[10]), method="paper")
    assert (curve.lower[10], curve.upper[10]) == (one.lower, one.upper)
    assert curve.at_name == "radius"


def test_bounds_pass_todays_interval_at_a_known_distance() -> None:
    """Morin 2018, Fig. 6: where the black curves cross DeLong's interval, to first order.

    A shift δ of the area costs δ²/(2(ζ₊ + ζ₋)), ζ being the variances of the placements.
    """
    scores = sample(np.random.default_rng(30), 1500, 2500)
    today = auc_interval(scores, method="delong")
    y, x = np.repeat(scores.score, scores.pos), np.repeat(scores.score, scores.neg)
    wins = (y[:, None] > x).astype(float)
    zeta = wins.mean(axis=1).var() + wins.mean(axis=0).var()
    half = (today.upper - today.lower) / 2
    curve = forecast_curve(scores, radius=half**2 / (2 * zeta) * np.array([0.8, 1.0, 1.25]))
    width = curve.upper - curve.lower
    assert width[1] == pytest.approx(2 * half, rel=0.01)
    assert width[0] < 2 * half < width[2]


def test_jeffreys_is_the_symmetric_divergence() -> None:
    one, other = auc_forecast(TABLE, jeffreys=0.1), auc_forecast(TABLE, radius=0.1, divergence="jeffreys")
    assert (one.lower, one.upper, one.radius) == (other.lower, other.upper, other.radius)
    assert one.divergence == "jeffreys"
    assert one.source == "given"


HARD = {
    "perfect": Scores([1, 1, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1]),
    "ten apart": Scores([1] * 10 + [0] * 10, range(20, 0, -1)),
    "seven and six apart": Scores([1] * 7 + [0] * 6, range(13, 0, -1)),
    "constant": Scores([1, 1, 0, 0], [1, 1, 1, 1]),
    "one of each": Scores([1, 0], [2, 1]),
}


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("divergence", ["kl", "jeffreys", "chi2"])
def test_what_cannot_be_moved_falls_back(name: str, divergence: Any) -> None:
    with pytest.warns(ConfrocWarning, match="No reweighting"):
        found = auc_forecast(HARD[name], radius=0.1, divergence=divergence)
    expected = auc_interval(HARD[name])
    assert (found.lower, found.upper) == (expected.lower, expected.upper)
    assert str(found.method) == "score_delong"
    assert found.confidence_level == 0.95


@pytest.mark.slow
@pytest.mark.parametrize("divergence", ["kl", "jeffreys", "chi2"])
@pytest.mark.parametrize(
    "scores",
    [
        Scores([1, 0, 1, 0], [4, 3, 2, 1]),
        Scores([1] * 9 + [0, 1] + [0] * 9, range(20, 0, -1)),
        Scores.from_counts([4, 3, 2, 1], pos=[1, 1, 1, 0], neg=[10, 1000, 98_990, 900_000]),
        TABLE,
    ],
)
def test_bounds_are_inside_and_apart(scores: Scores, divergence: Any) -> None:
    for radius in (1e-6, 0.01, 0.3, 3.0):
        found = auc_forecast(scores, radius=radius, divergence=divergence)
        assert 0.0 <= found.lower <= scores.auc <= found.upper <= 1.0
        assert found.lower < found.upper


@few_segments
def test_transform_and_order_do_not_matter() -> None:
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, 100)
    score = np.round(3 * rng.standard_normal(100) + 3 * y)
    order = rng.permutation(100)
    parts = [Scores(y[:50], score[:50]), Scores(y[50:], score[50:])]
    moved = [Scores(y[:50], np.cbrt(score[:50])), Scores(y[50:], np.cbrt(score[50:]))]
    one = auc_forecast(Scores(y, score), segments=parts)
    other = auc_forecast(Scores(y[order], np.cbrt(score[order])), segments=moved)
    assert one == other


def test_strings_and_frames() -> None:
    found = auc_forecast(TABLE, method="calibrated")
    assert "95% forecast" in str(found)
    assert found.to_dict()["radius"] == found.radius
    assert found.confidence_interval.low == found.lower


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"radius": 0.1, "jeffreys": 0.1}, "`radius`.*combined with `jeffreys`"),
        ({"radius": 0.0}, "`radius`"),
        ({"jeffreys": -1.0}, "`jeffreys`"),
        ({"segments": [TABLE]}, "`segments`.*two"),
        ({"method": "papers"}, "`method`"),
        ({"divergence": "hellinger"}, "`divergence`"),
        (
            {"segments": [TABLE, TABLE], "n_bins": 1, "method": "paper"},
            "`n_bins` must be an integer from 2 to 1,000,000; got 1. Pass a whole number in this range.",
        ),
        ({"jeffreys": 0.1, "divergence": "kl"}, "`divergence`.*omitted with `jeffreys`"),
        ({"jeffreys": 0.1, "n_bins": 5}, "`n_bins`.*omitted with method 'calibrated'"),
        ({"jeffreys": 0.1, "n_resamples": 50}, "`n_resamples`.*omitted with method 'calibrated'"),
        ({"radius": 0.1, "method": "paper", "n_bins": 5}, "`n_bins`.*omitted.*`radius`"),
        ({"radius": 0.1, "method": "paper", "n_resamples": 50}, "`n_resamples`.*omitted.*`radius`"),
        ({"jeffreys": 0.1, "method": "paper", "size": (5, 5)}, "`size`.*omitted.*`jeffreys`"),
        ({"segments": [TABLE, TABLE], "method": "paper", "size": (5, 5)}, "`size`.*omitted.*`segments`"),
        ({"segments": [TABLE, TABLE], "method": "paper", "n_resamples": 9}, "`n_resamples`.*`segments`"),
        ({"radius": 0.1, "method": "paper", "confidence_level": 0.9}, "`confidence_level`.*'paper'"),
        ({"confidence_level": 95}, "`confidence_level`"),
    ],
)
def test_errors_name_the_argument(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        auc_forecast(TABLE, **arguments)
    with pytest.raises(TypeError, match="`segments`"):
        auc_forecast(TABLE, segments=TABLE)  # type: ignore[arg-type]


# --- with the sampling error ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kl", "jeffreys", "chi2"])
@pytest.mark.parametrize("size", [(30, 30), (8, 40), (150, 20)])
def test_a_forecast_starts_from_todays_interval(name: Any, size: tuple[int, int]) -> None:
    scores = sample(np.random.default_rng(11), *size)
    for level in (0.8, 0.99):
        today = auc_interval(scores, confidence_level=level)
        at_once = auc_forecast(scores, radius=1e-12, divergence=name, confidence_level=level)
        assert (at_once.lower, at_once.upper) == pytest.approx((today.lower, today.upper), abs=1e-5)
        before = today
        for radius in (0.01, 0.1, 1.0):
            found = auc_forecast(scores, radius=radius, divergence=name, confidence_level=level)
            assert found.lower < before.lower
            assert found.upper > before.upper or found.upper == 1.0
            assert found.confidence_level == level
            # Morin's bounds leave the sampling error out.
            paper = auc_forecast(scores, radius=radius, divergence=name, method="paper")
            assert found.lower < paper.lower
            assert found.upper >= paper.upper
            before = found


def test_the_radii_add_up_as_roots() -> None:
    found = auc_forecast(TABLE, radius=0.08)
    today = auc_interval(TABLE)
    for end, bound in ((today.lower, found.lower), (today.upper, found.upper)):
        sampling = nearest_distribution(TABLE, auc=end).distance
        whole = nearest_distribution(TABLE, auc=bound).distance
        assert math.sqrt(whole) == pytest.approx(math.sqrt(0.08) + math.sqrt(sampling), rel=1e-4)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")
def test_forecasts_contain_every_drift_within_the_budget() -> None:
    # Populations drifted as far as the budget lets them, worst and best, found on a table of 2,000 cases a
    # class. 100 samples at 90%, both contained in the same forecast: 90 expected; fewer than 75 with
    # probability 1e-5. Morin's bounds, without the sampling error, contain both in next to none; a coverage
    # of 65% is found out with probability 0.97.
    rng = np.random.default_rng(12)
    grid = stats.norm.ppf((np.arange(2_000) + 0.5) / 2_000)
    population = Scores(np.repeat([1, 0], 2_000), np.concatenate([1.0 + grid, grid]))
    drifted = auc_forecast(population, jeffreys=0.1, method="paper")
    inside, without = 0, 0
    for _ in range(100):
        scores = sample(rng, 25, 40)
        found = auc_forecast(scores, jeffreys=0.1, confidence_level=0.9)
        inside += found.lower <= drifted.lower and drifted.upper <= found.upper
        paper = auc_forecast(scores, jeffreys=0.1, method="paper")
        without += paper.lower <= drifted.lower and drifted.upper <= paper.upper
    assert inside >= 75
    assert without < 40


@pytest.mark.slow
@few_segments
@pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")
def test_two_segments_forecast_the_third_at_the_level() -> None:
    # Segments whose areas' standard deviation is about twice their sampling error, where two say least: 250
    # histories at 90%, 225 expected; fewer than 203 with probability 1e-5. A coverage of 75% passes with
    # probability 0.01.
    rng = np.random.default_rng(13)
    inside = 0
    for _ in range(250):
        one, two, new = (sample(rng, 60, 120, s) for s in 1.0 + 0.35 * rng.standard_normal(3))
        found = auc_forecast(one.merge(two), segments=[one, two], confidence_level=0.9)
        inside += found.lower <= new.auc <= found.upper
    assert inside >= 203


def test_size_asks_for_the_next_sample() -> None:
    scores = sample(np.random.default_rng(14), 50, 80)
    population = auc_forecast(scores, jeffreys=0.1)
    assert population.size is None
    small, large = (auc_forecast(scores, jeffreys=0.1, size=size) for size in ((20, 20), (10**6, 10**6)))
    assert small.lower < large.lower
    assert (large.lower, large.upper) == pytest.approx((population.lower, population.upper), abs=1e-4)
    assert small.size == (20, 20)
    assert "20 + 20 cases" in str(small)


# --- differences of two models -----------------------------------------------------------------------


def two_models(rng: np.random.Generator, n: int, shifts: tuple[float, float] = (1.2, 0.8)) -> PairedScores:
    y, common = np.repeat([1, 0], n), rng.normal(size=2 * n)
    return PairedScores(y, *(s * y + 0.7 * common + 0.7 * rng.normal(size=2 * n) for s in shifts))


@pytest.mark.parametrize("name", DIVERGENCES)
def test_difference_forecasts_are_bounded_by_those_of_the_models(name: Any) -> None:
    p = two_models(np.random.default_rng(1), 60)
    found = auc_forecast(p, radius=0.05, divergence=name, method="paper")
    assert found.quantity == "auc_a - auc_b"
    assert found.estimate == p.a.auc - p.b.auc
    a, b = (auc_forecast(m, radius=0.05, divergence=name, method="paper") for m in p.models)
    assert a.lower - b.upper < found.lower < found.estimate < found.upper < a.upper - b.lower
    turned = auc_forecast(p["b", "a"], radius=0.05, divergence=name, method="paper")
    assert (turned.lower, turned.upper) == pytest.approx((-found.upper, -found.lower), abs=1e-7)
    # A small shift δ costs c·δ²/(2(ζ₊ + ζ₋)), as for one area.
    small = auc_forecast(p, radius=1e-6, divergence=name, method="paper")
    price = math.sqrt(2e-6 * sum(functional_of(p).spreads) / (1.0 if name == "kl" else 2.0))
    assert small.upper - small.estimate == pytest.approx(price, rel=0.01)


def test_difference_with_a_model_without_information_is_its_excess_over_one_half() -> None:
    y = np.repeat([1, 0], 30)
    score = np.random.default_rng(2).normal(size=60) + y
    difference = auc_forecast(PairedScores(y, score, np.zeros(60)), jeffreys=0.1, method="paper")
    alone = auc_forecast(Scores(y, score), jeffreys=0.1, method="paper")
    assert (difference.lower, difference.upper) == pytest.approx((alone.lower - 0.5, alone.upper - 0.5))


def test_difference_forecast_starts_from_todays_interval() -> None:
    p = two_models(np.random.default_rng(3), 50)
    today, near = auc_difference(p), auc_forecast(p, radius=1e-12)
    assert (near.lower, near.upper) == pytest.approx((today.lower, today.upper), abs=1e-5)
    by_size = auc_forecast(p, size=(50, 50))
    wider = (by_size.upper - by_size.lower) / (today.upper - today.lower)
    assert wider == pytest.approx(math.sqrt(2.0), rel=0.03)


def test_difference_forecast_from_segments_is_students() -> None:
    rng = np.random.default_rng(4)
    parts = [two_models(rng, 80, (1.0 + s, 0.9)) for s in (0.0, 0.5, 0.9, 0.2, 0.6)]
    whole = functools.reduce(PairedScores.merge, parts)
    found = auc_forecast(whole, segments=parts)
    gaps = np.array([p.a.auc - p.b.auc for p in parts])
    half = stats.t(4).ppf(0.975) * gaps.std(ddof=1) * math.sqrt(1.2)
    assert found.source == "segments"
    assert found.upper - found.lower == pytest.approx(2.0 * half, rel=0.1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"method": "paper"}, r"`radius` must be given with method 'paper' and two models"),
        ({"segments": [TABLE, TABLE]}, r"`segments\[0\]` must be a PairedScores"),
        ({"segments": TABLE}, r"`segments` must be a list"),
    ],
)
def test_errors_of_difference_forecasts(arguments: dict[str, Any], words: str) -> None:
    p = two_models(np.random.default_rng(5), 20)
    with pytest.raises((ValueError, TypeError), match=words):
        auc_forecast(p, **arguments)
    with pytest.raises(ValueError, match="`scores` must contain two models"):
        auc_forecast(PairedScores([1, 0, 1, 0], [4, 3, 2, 1], [3, 1, 2, 0], [1, 0, 1, 0]))
    with pytest.raises(TypeError, match="`forecast` must be a Forecast of one AUC"):
        drift_monitor(p.a, [p.a], forecast=auc_forecast(p, radius=0.1))


@pytest.mark.filterwarnings("ignore:The two models rank")
def test_models_of_one_ranking_have_no_difference_to_forecast() -> None:
    y = np.repeat([1, 0], 20)
    score = np.random.default_rng(6).normal(size=40) + y
    with pytest.warns(ConfrocWarning, match="No reweighting"):
        found = auc_forecast(PairedScores(y, score, np.exp(score)), radius=0.1)
    assert found.lower <= 0.0 <= found.upper


@pytest.mark.slow
def test_difference_forecasts_contain_every_drift_within_the_budget() -> None:
    """The worst and the best difference within the budget of the population, both in the interval.

    The population's are those of a sample of 8,000. Of 200 intervals at 0.95 at least 180 but for 1e-3; the
    bounds without sampling error contain both in fewer than half.
    """
    truth = auc_forecast(two_models(np.random.default_rng(7), 4000), jeffreys=0.05, method="paper")
    held = {"calibrated": 0, "paper": 0}
    for seed in range(200):
        p = two_models(np.random.default_rng([8, seed]), 60)
        for method in held:
            found = auc_forecast(p, jeffreys=0.05, method=method)
            held[method] += found.lower <= truth.lower and truth.upper <= found.upper
    assert held["calibrated"] >= 180
    assert held["paper"] < 100


# --- monitor -----------------------------------------------------------------------------------------


def with_rate(rng: np.random.Generator, n: int, rate: float, shift: float = 1.0) -> Scores:
    n_pos = int(rng.binomial(n, rate))
    return sample(rng, n_pos, n - n_pos, shift)


def test_monitor_flags_what_left() -> None:
    rng = np.random.default_rng(7)
    reference = sample(rng, 2000, 4000)
    new = {"same": sample(rng, 500, 1000), "worse": sample(rng, 500, 1000, 0.3)}
    table = drift_monitor(reference, new)
    assert table.segment == ("same", "worse")
    assert table.auc_drifted.tolist() == [False, True]
    assert table.population_drifted.tolist() == [False, True]
    assert table.outside is None
    assert table.jeffreys == pytest.approx(table.jeffreys_pos + table.jeffreys_neg)
    assert table.auc.tolist() == [s.auc for s in new.values()]
    assert table.jeffreys[1] > 5 * table.jeffreys[0]
    assert len(table) == 2
    today = auc_interval(reference)
    assert (table.forecast.lower, table.forecast.upper) == (today.lower, today.upper)
    for budget, outside in ((2.0, False), (0.001, True)):
        forecast = auc_forecast(reference, jeffreys=budget)
        found = drift_monitor(reference, new, forecast=forecast, rng=1)
        assert found.outside is not None
        assert found.outside.tolist() == [False, outside] == [False, found.upper[1] < forecast.lower]
        # A forecast does not change the tests against the reference.
        assert found.auc_pvalue.tolist() == table.auc_pvalue.tolist()
        assert found.auc_pvalue[1] == auc_difference(UnpairedScores(new["worse"], reference)).pvalue
    assert table.to_dict()["forecast"]["radius"] == table.forecast.radius


def industry_psi(reference: np.ndarray, new: np.ndarray, n_bins: int = 10) -> float:
    """Population stability index of all cases on deciles of the reference, with np.quantile.

    Edges are distinct quantiles of the reference; a case on an edge belongs to the bin below it.
    """
    edges = np.unique(np.quantile(reference, np.arange(1, n_bins) / n_bins, method="inverted_cdf"))
    a, b = (
        np.maximum(np.bincount((x[:, None] > edges).sum(axis=1), minlength=len(edges) + 1) / len(x), 1e-4)
        for x in (new, reference)
    )
    return float(np.sum((a - b) * np.log(a / b)))


def test_psi_is_the_index_of_the_industry() -> None:
    """Pooled over both classes on deciles of the reference: without ties, with ties, with empty bins."""
    rng = np.random.default_rng(40)
    y, new_y = rng.random(1000) < 0.3, rng.random(700) < 0.1
    score, moved = rng.standard_normal(1000) + y, rng.standard_normal(700) + new_y + 0.2
    for old, new in (
        (score, moved),
        (np.round(score), np.round(moved)),
        (np.round(2.0 * score) / 2.0, np.round(2.0 * moved) / 2.0),
        (score, np.abs(moved)),
    ):
        # Quantiles from the top, as the monitor counts them.
        table = drift_monitor(Scores(y, old), [Scores(new_y, new)], n_resamples=200, rng=1)
        assert table.psi[0] == pytest.approx(industry_psi(-old, -new), rel=1e-9)
        assert table.psi[0] != pytest.approx(table.jeffreys[0], rel=0.1)
    by_hand = Scores.from_counts([3, 2, 1], pos=[30, 10, 10], neg=[10, 40, 100])
    empty = Scores.from_counts([3, 2, 1], pos=[10, 0, 10], neg=[20, 0, 60])
    shares_of = ((0.3, 0.2), (1e-4, 0.25), (0.7, 0.55))
    expected = sum((a - b) * math.log(a / b) for a, b in shares_of)
    assert drift_monitor(by_hand, [empty], n_bins=10, rng=1).psi[0] == pytest.approx(expected)


@pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")
def test_pooled_index_does_not_see_classes_that_trade_places() -> None:
    counts = {"pos": [40, 30, 20, 10], "neg": [10, 20, 30, 40]}
    reference = Scores.from_counts(range(4), **counts)
    turned = Scores.from_counts(range(4), pos=counts["neg"], neg=counts["pos"])
    table = drift_monitor(turned, [reference], rng=1)
    assert table.psi[0] == 0.0
    assert table.psi_pvalue[0] == 1.0
    assert table.jeffreys[0] == pytest.approx(4 * (0.3 * math.log(4) + 0.1 * math.log(1.5)))
    assert table.population_drifted.all()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")
def test_years_without_drift_raise_alarms_at_the_level() -> None:
    """150 years of twelve months without drift at 90%: any alarm in 10% of years at most.

    More than 26 of 150 with probability 0.002 at exactly 10%; a monitor whose alarms come in 30% of years
    passes with probability 3e-4. Unadjusted tests have one in more than 80%.
    """
    rng = np.random.default_rng(8)
    drifted = areas = unadjusted = 0
    for _ in range(150):
        reference = with_rate(rng, 1500, 0.2)
        months = [with_rate(rng, 300, 0.2) for _ in range(12)]
        table = drift_monitor(reference, months, confidence_level=0.9, n_resamples=960, rng=rng)
        drifted += bool(table.population_drifted.any())
        areas += bool(table.auc_drifted.any())
        own = (table.rate_pvalue, table.psi_pvalue, table.jeffreys_pvalue)
        unadjusted += any((p <= 0.1).any() for p in own)
    assert drifted <= 26
    assert areas <= 26
    assert unadjusted > 100


def test_names_of_segments_are_checked() -> None:
    with pytest.raises(TypeError, match=r"`segments\[0\]` must be text; got 1"):
        drift_monitor(TABLE, {1: TABLE})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match=r"`segments\[1\]` must not be blank"):
        drift_monitor(TABLE, {"May": TABLE, " ": TABLE})


@pytest.mark.slow
def test_a_rate_of_positives_that_rises_raises_an_alarm() -> None:
    """5.6% to 9.0% in the last of twelve months of 3,000 cases: found in 19 of 20 years or more.

    The threshold for one of 48 tests is 0.001, and the expected difference 6.6 standard errors;
    a power of 0.7 passes with probability 0.008.
    """
    rng = np.random.default_rng(41)
    found = 0
    for _ in range(20):
        reference = with_rate(rng, 36_000, 0.056)
        months = [with_rate(rng, 3000, rate) for rate in [0.056] * 11 + [0.09]]
        table = drift_monitor(reference, months, rng=rng)
        found += bool(table.population_drifted[-1])
        assert table.rate_pvalue.argmin() == 11
    assert found >= 19


def test_rate_of_positives_interval_and_test_are_those_of_scipy() -> None:
    reference = Scores.from_counts(range(4), pos=[10, 20, 30, 40], neg=[500, 500, 400, 300])
    segments = [
        Scores.from_counts(range(4), pos=pos, neg=neg)
        for pos, neg in (([1, 3, 5, 9], [60, 50, 40, 30]), ([0, 0, 0, 1], [90, 80, 70, 60]))
    ]
    table = drift_monitor(reference, segments, rng=1)
    for i, s in enumerate(segments):
        n = s.n_pos + s.n_neg
        assert table.positive_rate[i] == s.n_pos / n
        exact = stats.binomtest(s.n_pos, n).proportion_ci(0.95, method="exact")
        assert (table.rate_lower[i], table.rate_upper[i]) == pytest.approx((exact.low, exact.high), rel=1e-9)
        cells = [[s.n_pos, s.n_neg], [reference.n_pos, reference.n_neg]]
        tails = [stats.fisher_exact(cells, alternative=side).pvalue for side in ("less", "greater")]
        assert table.rate_pvalue[i] == pytest.approx(2 * min(tails), rel=1e-9)


@pytest.mark.slow
def test_without_drift_the_area_differs_as_often_as_stated() -> None:
    """Rejections at 20% in 400 pairs of samples of equal size.

    False alarms: 1 in 1,000. Comparing with the bounds of the reference's interval rejects 1% of the time.
    """
    rng = np.random.default_rng(45)
    pvalues = [
        drift_monitor(sample(rng, 40, 60), [sample(rng, 40, 60)], n_bins=2, n_resamples=160).auc_pvalue[0]
        for _ in range(400)
    ]
    low, high = stats.binom.interval(0.999, 400, 0.2)
    assert low <= sum(p <= 0.2 for p in pvalues) <= high


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")
def test_more_than_a_hundred_segments_can_raise_an_alarm() -> None:
    """Twenty days of pure noise among 120, and none of the others."""
    rng = np.random.default_rng(43)
    reference = sample(rng, 2000, 2000)
    days = [sample(rng, 250, 250, 0.0 if i < 20 else 1.0) for i in range(120)]
    table = drift_monitor(reference, days, rng=1)
    assert table.population_drifted.tolist() == table.auc_drifted.tolist() == [True] * 20 + [False] * 100
    # 480 tests at 5% need p-values of 1e-4; half of that can be shown.
    assert table.least_pvalue <= 0.05 / 480 / 2
    assert table.jeffreys_pvalue.min() == table.least_pvalue
    assert "&lt;0.0001" in table._repr_html_()
    with pytest.raises(ValueError, match=r"`n_resamples` must be at least 19200 "):
        drift_monitor(reference, days, n_resamples=2000)
    # What is left of the samples is not drawn where no p-value can become significant.
    assert table.psi_pvalue[60] * 2001 == pytest.approx(round(table.psi_pvalue[60] * 2001), abs=1e-6)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")
def test_monitor_p_values_hold_without_drift_and_find_one() -> None:
    # 120 segments and references of the same population, some bins empty: shares of p-values up to 5% and
    # 20% are binomial; outside with probability below 1e-4 each. With drift most are below 1%.
    rng = np.random.default_rng(15)
    pvalue: dict[str, list[float]] = {"jeffreys": [], "psi": []}
    usual: dict[str, list[float]] = {"jeffreys": [], "psi": []}
    for _ in range(120):
        table = drift_monitor(sample(rng, 25, 120), [sample(rng, 25, 120)], n_resamples=199, rng=rng)
        for name in pvalue:
            pvalue[name].append(float(getattr(table, f"{name}_pvalue")[0]))
            usual[name].append(getattr(table, name)[0] / getattr(table, f"{name}_without_drift")[0])
    for name, values in pvalue.items():
        assert 1 <= np.sum(np.array(values) <= 0.05) <= 18
        assert 8 <= np.sum(np.array(values) <= 0.2) <= 42
        assert np.mean(usual[name]) == pytest.approx(1.0, abs=0.15)
    # An index alone would raise an alarm every month.
    found = [
        drift_monitor(sample(rng, 900, 900), [sample(rng, 90, 90, 0.1)], n_resamples=199, rng=rng)
        for _ in range(20)
    ]
    assert np.sum([table.jeffreys_pvalue[0] <= 0.01 for table in found]) >= 15


def test_many_months_without_drift_raise_no_alarm() -> None:
    rng = np.random.default_rng(16)
    months = [sample(rng, 25, 225) for _ in range(6)]
    table = drift_monitor(months[0], months[1:], rng=1)
    assert (table.jeffreys > 0.1).all()
    assert not table.population_drifted.any()
    assert not table.auc_drifted.any()
    assert table.jeffreys == pytest.approx(table.jeffreys_without_drift, rel=0.9)


def test_distances_without_drift_are_enumerated() -> None:
    """All counts of four new positives and three negatives in three bins, by exact probabilities."""
    reference = Scores.from_counts([3, 2, 1], pos=[4, 3, 3], neg=[3, 3, 3])
    segment = Scores.from_counts([3, 2, 1], pos=[3, 0, 1], neg=[2, 1, 0])
    index = Divergence("jeffreys")
    laws = []
    for count, m in ((reference.pos, 4), (reference.neg, 3), (reference.pos + reference.neg, 7)):
        held = count + np.array([0, 0, 1])
        cells = [
            (np.array([i, j, m - i - j]) / m, math.comb(m, i) * math.comb(m - i, j))
            for i in range(m + 1)
            for j in range(m + 1 - i)
        ]
        law = []
        for share, ways in cells:
            new = np.round(share * m)
            risen = math.prod(math.gamma(h + c) / math.gamma(h) for h, c in zip(held, new, strict=True))
            mass = ways * risen * math.gamma(held.sum()) / math.gamma(held.sum() + m)
            law.append((index.between(share, count / count.sum()), mass))
        assert sum(mass for _, mass in law) == pytest.approx(1.0)
        laws.append(law)
    both = [(a + b, p * q) for a, p in laws[0] for b, q in laws[1]]
    table = drift_monitor(reference, [segment], n_bins=3, n_resamples=40_000, rng=1)
    for name, law in (("jeffreys", both), ("psi", laws[2])):
        own, mean, pvalue = (
            getattr(table, column)[0] for column in (name, f"{name}_without_drift", f"{name}_pvalue")
        )
        tail = sum(p for d, p in law if d >= own - 1e-12)
        # 40,000 draws: five standard errors.
        assert mean == pytest.approx(sum(d * p for d, p in law), rel=0.02)
        assert pvalue == pytest.approx(tail, abs=0.0125)
        assert 0.05 < tail < 0.95


def test_new_cases_below_the_last_edge_are_likelier_by_one() -> None:
    """Three cases in bins of two and one: a new case is in the second, without a lower edge, in 2 of 4 gaps.

    Uniform cases, drawn and binned without the monitor: 100,000 references with two new cases each. Without
    that gap the mean index would be 11% lower.
    """
    rng = np.random.default_rng(44)
    second = np.sort(rng.random((100_000, 3)), axis=1)[:, 1]
    last = (rng.random((100_000, 2)) < second[:, None]).mean(axis=1)
    share = np.maximum(np.stack([1.0 - last, last], axis=1), FLOOR)
    own = np.array([2.0, 1.0]) / 3.0
    truth = float(np.mean(np.sum((share - own) * np.log(share / own), axis=1)))
    reference = Scores([1, 0, 0], [3, 2, 1])
    table = drift_monitor(reference, [Scores([1, 0], [2, 1])], n_bins=2, n_resamples=100_000, rng=1)
    # The standard errors are 0.3% each.
    assert table.psi_without_drift[0] == pytest.approx(truth, rel=0.017)


@pytest.mark.parametrize(
    ("name", "size"), [("kl", (100, 1000)), ("chi2", (60, 80)), ("jeffreys", (400, 900))]
)
def test_large_sample_law_of_distances_against_the_exact_one(name: Any, size: tuple[int, int]) -> None:
    rng = np.random.default_rng(18)
    reference, segment = sample(rng, 150, 700), sample(rng, *size)
    curve = forecast_curve(reference, radius=[0.02, 0.05], divergence=name, size=size)
    counts = [(reference.pos, segment.pos), (reference.neg, segment.neg)]
    bins = [quantile_bins(reference.score, own, 10) for own, _ in counts]
    drawn = WithoutDrift(bins, 0, 0, 0.0, rng).draw([new.sum() for _, new in counts], 20_000)
    exact = sum(Divergence(name).between(d, b.share) for d, b in zip(drawn, bins, strict=True))
    assert curve.expected_without_drift == pytest.approx(exact.mean(), rel=0.05)
    assert np.mean(exact > curve.limit_without_drift) == pytest.approx(0.05, abs=0.012)
    assert curve.without_drift == pytest.approx([np.mean(exact >= r) for r in curve.at], abs=0.04)
    assert curve.size == size
    assert "new cases without drift" in str(curve)


def placement_variances(scores: Scores) -> tuple[float, float]:
    """Variances of both classes' placements, pair by pair."""
    y, x = np.repeat(scores.score, scores.pos), np.repeat(scores.score, scores.neg)
    wins = (y[:, None] > x) + 0.5 * (y[:, None] == x)
    return float(wins.mean(axis=1).var()), float(wins.mean(axis=0).var())


def test_reach_of_segments_that_differ_is_students() -> None:
    """Three segments whose areas differ by much: t·s·√(1 + 1/S) about their mean, and a smaller next one."""
    rng = np.random.default_rng(45)
    parts = [sample(rng, n, 2 * n, shift) for n, shift in ((80, 0.3), (100, 1.0), (120, 1.8))]
    whole = parts[0].merge(parts[1]).merge(parts[2])
    pos, neg = placement_variances(whole)
    areas, z = [s.auc for s in parts], stats.norm.ppf(0.95)
    unit = z * math.sqrt(pos / whole.n_pos + neg / whole.n_neg)
    student = stats.t.ppf(0.95, 2) * np.std(areas, ddof=1) * math.sqrt(4 / 3)
    usual = np.mean([pos / s.n_pos + neg / s.n_neg for s in parts])
    for size, more in (((500, 900), 0.0), ((20, 30), pos / 20 + neg / 30 - usual)):
        half = math.sqrt(student**2 + z**2 * more)
        found = segment_half_lengths(whole, parts, 0.9, size)
        # The interval is about the segments' mean, and its ends are counted from the area of the whole.
        assert whole.auc - found[0] * unit == pytest.approx(np.mean(areas) - half, rel=1e-9)
        assert whole.auc + found[1] * unit == pytest.approx(np.mean(areas) + half, rel=1e-9)


def test_reach_of_segments_that_agree_is_that_of_a_next_sample() -> None:
    """Equal segments: their spread is zero, and the interval that of a new sample beside today's."""
    part = sample(np.random.default_rng(46), 60, 90)
    whole = part.merge(part).merge(part)
    pos, neg = placement_variances(whole)
    today = pos / whole.n_pos + neg / whole.n_neg
    for size in ((60, 90), (10, 15), (10**6, 10**6)):
        new = pos / size[0] + neg / size[1]
        expected = math.sqrt(1.0 + new / today)
        assert segment_half_lengths(whole, [part] * 3, 0.95, size) == pytest.approx(
            (expected, expected), rel=1e-9
        )


def test_reach_of_segments_is_at_least_that_of_todays_interval() -> None:
    """Pairs across two segments turn the area of the whole up or down, away from that of both segments."""
    rng = np.random.default_rng(49)
    pos, neg = rng.normal(0.5, 1.0, 40), rng.normal(0.0, 1.0, 40)
    few = Scores(np.repeat([1, 0], [10, 40]), np.r_[pos[:10], neg])
    for shift, end in ((9.0, 0), (-9.0, 1)):
        many = Scores(np.repeat([1, 0], [40, 10]), np.r_[pos, neg[:10]] + shift)
        found = segment_half_lengths(few.merge(many), [few, many], 0.5, (1000, 1000))
        assert found[1 - end] == 1.0
        assert found[end] > 1.0


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")
def test_p_values_at_their_floor_are_bounds() -> None:
    """However it is shown: 1/(B + 1) of B resamples, twice that where the smaller tail is doubled."""
    rng = np.random.default_rng(47)
    good, bad = sample(rng, 60, 60, 3.0), sample(rng, 60, 60, 0.0)
    test = auc_test(good, method="nearest_population", n_resamples=99, rng=1)
    assert test.pvalue == test.least_pvalue == 0.01
    assert "p ≤ 0.01;" in str(test)
    assert "≤ 0.01" in test._repr_html_()
    assert "p = " in str(auc_test(good, null_auc=good.auc))
    apart = auc_difference(UnpairedScores(good, bad), method="permutation", n_resamples=99, rng=1)
    assert apart.pvalue == apart.least_pvalue == 0.02
    assert "p ≤ 0.02;" in str(apart)
    closed = auc_difference(UnpairedScores(good, bad))
    assert closed.least_pvalue == 0.0
    assert "p < 0.0001" in str(closed)
    groups = auc_comparison(UnpairedScores(good, bad, sample(rng, 60, 60, 0.1)), method="permutation", rng=1)
    rows = groups.differences
    at_floor = rows.pvalue_unadjusted == rows.least_pvalue
    assert at_floor.tolist() == [True, True, False]
    shown = rows.table().columns["pvalue"]
    assert [cell(p).startswith("≤") for p in shown] == at_floor.tolist()
    assert rows.row(0).least_pvalue == rows.row(0).pvalue
    assert "least_pvalue" not in rows.table().columns


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")
def test_permutations_of_many_groups_are_as_many_as_their_pairs_need() -> None:
    rng = np.random.default_rng(48)
    groups = UnpairedScores(*[sample(rng, 15, 15, 4.0 if i == 0 else 0.0) for i in range(5)])
    with pytest.raises(ValueError, match=r"`n_resamples`"):
        auc_comparison(groups, method="permutation", adjust="bonferroni", n_resamples=399)
    auc_comparison(groups, method="permutation", adjust="bonferroni", n_resamples=400)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")
def test_radius_of_segments_beside_its_law_without_drift() -> None:
    """P-values of 300 radii without drift: 15 ± 3.8 of 0.05 or less; more than 34 with probability 1e-5.

    Three segments of which one has moved by a standard deviation are found out.
    """
    rng = np.random.default_rng(31)
    small = 0
    for _ in range(300):
        parts = [sample(rng, 120, 200) for _ in range(3)]
        whole = parts[0].merge(parts[1]).merge(parts[2])
        law = chance_radius(parts, whole, Divergence("kl"), 10)
        small += law.tail(np.asarray(segment_radius(parts, whole, Divergence("kl"), 10))) <= 0.05
    assert 3 <= small <= 34
    assert law.df == (18, 18)
    assert law.mean == pytest.approx(4.5 * (2 / 3) * (1 / 120 + 1 / 200))
    still = auc_forecast(whole, segments=parts, method="paper")
    assert still.radius_without_drift == law.mean
    assert "without drift" in still.notes[0]
    moved = [*parts[:2], sample(rng, 120, 200, 2.0)]
    joint = moved[0].merge(moved[1]).merge(moved[2])
    found = auc_forecast(joint, segments=moved, method="paper")
    law = chance_radius(moved, joint, Divergence("kl"), 10)
    assert law.tail(np.asarray(found.radius)) < 0.01


def test_one_class_distance_is_the_papers_chi_square() -> None:
    """Morin 2018, Fig. 6: 9 degrees of freedom for one class on ten bins; the other class of one bin only."""
    reference = Scores.from_counts(range(20), pos=[0] * 19 + [40], neg=[50] * 20)
    law = chance_distance(reference, Divergence("kl"), 10, (7, 500))
    assert law.df == (0, 9)
    x = 16.918977604620448
    assert law.tail(np.array([0.5 * (1 / 500 + 1 / 1000) * x]))[0] == pytest.approx(0.05, rel=1e-9)
    assert law.quantile(0.05) == pytest.approx(0.5 * (1 / 500 + 1 / 1000) * x, rel=1e-9)


def test_few_cases_in_a_bin_are_said() -> None:
    rng = np.random.default_rng(19)
    scores = sample(rng, 100, 1000)
    assert forecast_curve(scores, radius=[0.1]).notes == ()
    for options in ({"size": (40, 1000)}, {"n_bins": 30}, {"divergence": "jeffreys"}):
        assert "approximate" in forecast_curve(scores, radius=[0.1], **options).notes[0]  # type: ignore[arg-type]


def test_monitor_errors() -> None:
    with pytest.raises(ValueError, match="`segments`"):
        drift_monitor(TABLE, {})
    with pytest.raises(TypeError, match="segments"):
        drift_monitor(TABLE, {"a": 1})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="`forecast`"):
        drift_monitor(TABLE, [TABLE], forecast=0.1)  # type: ignore[arg-type]


def test_a_jeffreys_budget_bounds_every_binned_index() -> None:
    rng = np.random.default_rng(8)
    scores = sample(rng, 150, 400)
    found = auc_forecast(scores, jeffreys=0.2, method="paper")
    assert (found.divergence, found.radius, found.source) == ("jeffreys", 0.2, "given")
    same = auc_forecast(scores, radius=0.2, divergence="jeffreys", method="paper")
    assert (found.lower, found.upper) == (same.lower, same.upper)
    reached = solve(AreaFunctional(scores.pos, scores.neg), Divergence("jeffreys"), sign=1.0, radius=0.2)
    assert reached is not None
    assert reached.value == pytest.approx(found.upper, abs=1e-9)
    index, parts = [], []
    for count, new in ((scores.pos, reached.pos), (scores.neg, reached.neg)):
        old = count[count > 0] / count.sum()
        parts.append(float(np.sum((new - old) * np.log(new / old))))
        bins = np.arange(len(old)) * 10 // len(old)
        f, u = (np.bincount(bins, weights=w) for w in (old, new))
        index.append(float(np.sum((u - f) * np.log(u / f))))
        assert index[-1] <= parts[-1] + 1e-12
    assert sum(parts) == pytest.approx(0.2, rel=1e-6)
    # Both classes' scores pooled in their present shares move less than the classes apart.
    share = 150 / 550
    old, new = np.zeros(len(scores.pos)), np.zeros(len(scores.pos))
    for weight, count, moved in ((share, scores.pos, reached.pos), (1 - share, scores.neg, reached.neg)):
        old += weight * count / count.sum()
        new[count > 0] += weight * moved
    pooled = float(np.sum((new - old) * np.log(new / old)))
    assert pooled <= share * parts[0] + (1 - share) * parts[1] + 1e-12
    assert pooled <= max(share, 1 - share) * 0.2


def test_chi2_says_what_its_radius_is() -> None:
    rng = np.random.default_rng(9)
    segments = [sample(rng, 100, 100, shift) for shift in (0.8, 1.2)]
    whole = segments[0].merge(segments[1])
    found = auc_forecast(whole, segments=segments, divergence="chi2", n_bins=5, method="paper")
    expected = []
    for segment in segments:
        for name in ("pos", "neg"):
            count = getattr(whole, name)
            bins = quantile_bins(whole.score, count, 5)
            f, u = bins.share, shares(segment.score, getattr(segment, name), bins.edges)
            # Morin's eq. 18 on bins of equal shares, times their number.
            assert f == pytest.approx(np.full(5, 0.2))
            expected.append(5 * np.sum((u - f) ** 2))
    assert found.radius == pytest.approx(sum(expected) / 2, rel=1e-9)
    assert auc_forecast(whole, radius=0.1, divergence="chi2", method="paper").notes == ()


def test_spreads_are_the_variances_of_placements() -> None:
    scores = Scores([1, 1, 1, 0, 0, 0, 0, 1], [7, 5, 5, 6, 5, 2, 1, 3])
    pos, neg = np.array([7, 5, 5, 3.0]), np.array([6, 5, 2, 1.0])
    wins = 0.5 + 0.5 * np.sign(pos[:, None] - neg)
    expected = np.var(wins.mean(axis=1), ddof=1) * 3 / 4, np.var(wins.mean(axis=0), ddof=1) * 3 / 4
    assert functional_of(scores).spreads == pytest.approx(expected, rel=1e-12)
