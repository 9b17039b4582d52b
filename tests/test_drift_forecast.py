"""Forecasts of the area: radii, hourglass, monitor, and what no forecast may do."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import special, stats

from confroc import ConfrocWarning, Scores, auc_interval
from confroc.drift import auc_forecast, drift_monitor, forecast_curve, hourglass, nearest_distribution
from confroc.drift.divergence import FLOOR, SHORT, Divergence, bin_edges, class_divergences, shares
from confroc.drift.monitor import without_drift
from confroc.drift.radius import (
    bootstrap_radius,
    chance_distance,
    chance_radius,
    far_regimes_coverage,
    segment_radius,
)
from confroc.drift.reweighting import solve
from regimes import next_coverage

TABLE = Scores.from_counts(range(5), pos=[5, 10, 20, 30, 35], neg=[60, 50, 40, 30, 20])

few_segments = pytest.mark.filterwarnings("ignore:.*segments say little")


def sample(rng: np.random.Generator, n_pos: int, n_neg: int, shift: float = 1.0) -> Scores:
    return Scores(
        np.repeat([1, 0], [n_pos, n_neg]),
        np.r_[shift + rng.standard_normal(n_pos), rng.standard_normal(n_neg)],
    )


# --- radii -------------------------------------------------------------------------------------------


def test_bins_are_quantiles_that_divide_no_tie() -> None:
    score, count = np.arange(100.0, 0.0, -1.0), np.full(100, 3)
    edges = bin_edges(score, count, 10)
    assert shares(score, count, edges) == pytest.approx(np.full(10, 0.1))
    tied = bin_edges(np.array([3.0, 2.0, 1.0]), np.array([50, 30, 20]), 10)
    assert shares(np.array([3.0, 2.0, 1.0]), np.array([50, 30, 20]), tied) == pytest.approx([0.5, 0.3, 0.2])
    # Scores that the reference never had fall into the nearest bins.
    assert shares(np.array([9.0, 2.5, 0.0]), np.array([1, 1, 2]), tied) == pytest.approx([0.25, 0.25, 0.5])


def test_population_stability_index_by_hand() -> None:
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
    # 2,000 resamples of a χ² with 9 degrees of freedom: relative error √(2/9/2000) = 1.1 %; four of it.
    assert bootstrap_radius(whole, Divergence(name), 10, (500, 800), 2000, 1) == pytest.approx(
        expected, rel=0.05
    )
    radii = []
    for _ in range(60):
        parts = [sample(rng, 500, 800) for _ in range(4)]
        joint = parts[0].merge(parts[1]).merge(parts[2]).merge(parts[3])
        radii.append(segment_radius(parts, joint, Divergence(name), 10))
    # 240 segments: 240 terms of relative error √(2/9), dependent in fours: about 3.5 %; four of it.
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


def test_calibrated_holds_its_level_under_drift() -> None:
    # Twelve segments whose shifts vary; is the thirteenth's area inside? 150 histories at 90 %: fewer than
    # 120 inside with probability 7e-5. A coverage of 75 % is found out with probability 0.91, of 70 % with
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
    with pytest.warns(ConfrocWarning, match="the coverage falls to 0.75: all may be in the same one"):
        found = auc_forecast(parts[0].merge(parts[1]), segments=parts, method="calibrated")
    assert "2 segments say little" in found.notes[0]
    # A note is enough where the coverage is close to the level, or above it.
    three = [*parts, sample(rng, 200, 300)]
    low = auc_forecast(parts[0].merge(parts[1]).merge(three[2]), segments=three, confidence_level=0.8)
    assert "falls to 0.875" in low.notes[0]


@few_segments
def test_coverage_under_two_regimes_far_apart() -> None:
    """The coverage that the note states, from areas of segments in one of two regimes, and by quadrature.

    400 histories of three segments, areas 0.64 and 0.98: 0.875 ± 0.0165; a true coverage of 0.95 passes with
    probability 0.2.
    """
    for segments, coverage in ((2, 0.75), (3, 0.875), (4, 0.9375), (5, 0.96875)):
        assert far_regimes_coverage(segments, 0.95) == coverage
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
        assert nearest_distribution(TABLE, end, divergence=name).distance == pytest.approx(0.08, rel=1e-5)
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


@pytest.mark.parametrize("scores", [TABLE, Scores([1, 1, 0, 0], [4, 3, 2, 1])], ids=["usual", "separated"])
@pytest.mark.filterwarnings("ignore:no reweighting")
def test_several_budgets_at_once_are_forecasts_one_by_one(scores: Scores) -> None:
    curve = hourglass(scores, np.array([1e-3, 0.1, 2.0]), confidence_level=0.9)
    for at, lower, upper in zip(curve.at, curve.lower, curve.upper, strict=True):
        one = auc_forecast(scores, psi=float(at), confidence_level=0.9)
        assert (lower, upper, curve.method, curve.guarantee) == (
            one.lower,
            one.upper,
            one.method,
            one.guarantee,
        )


def test_ratios_from_others_near_by_or_far_away_are_those_without() -> None:
    pull = np.concatenate([-np.geomspace(1e-6, 1e6, 50), np.geomspace(1e-6, 600.0, 50)])
    jeffreys = Divergence("jeffreys")
    plain = jeffreys.ratio(pull)
    for off in (0.0, 1e-7, 1e-3, 0.5, 40.0):
        near = jeffreys.ratio(pull - off)[0]
        # The rounding of a pull itself moves a ratio so far.
        for found, one in zip(jeffreys.ratio(pull, near), plain, strict=True):
            assert (np.abs(found / one - 1.0) <= 1e-15 * (4.0 + np.abs(pull))).all()


@pytest.mark.parametrize(("low", "high"), [(-690.0, 700.0), (-3.0, 4.0), (0.99, 1.01), (-300.0, -299.5)])
def test_ratios_of_many_rows_are_wrights_omega(low: float, high: float) -> None:
    rng = np.random.default_rng(7)
    z = np.linspace(low, high, 3 * SHORT)
    for pull in (1.0 - z, rng.permutation(1.0 - z)):
        ratio, slope = Divergence("jeffreys").ratio(pull)
        t = special.wrightomega(1.0 - pull)
        assert (np.abs(ratio * t - 1.0) <= 1e-15 * (4.0 + np.abs(pull))).all()
        assert (np.abs(slope * t * (1.0 + t) - 1.0) <= 1e-15 * (8.0 + np.abs(pull))).all()
        for i in range(0, len(pull), SHORT // 2):
            with mpmath.workdps(40):
                exact = mpmath.lambertw(mpmath.exp(1.0 - mpmath.mpf(pull[i])))
                assert abs(exact * ratio[i] - 1.0) <= 1e-15 * (4.0 + abs(pull[i]))


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
    curve = forecast_curve(scores, half**2 / (2 * zeta) * np.array([0.8, 1.0, 1.25]))
    width = curve.upper - curve.lower
    assert width[1] == pytest.approx(2 * half, rel=0.01)
    assert width[0] < 2 * half < width[2]


def test_psi_is_the_symmetric_divergence() -> None:
    one, other = auc_forecast(TABLE, psi=0.1), auc_forecast(TABLE, radius=0.1, divergence="jeffreys")
    assert (one.lower, one.upper, one.radius) == (other.lower, other.upper, other.radius)
    assert one.divergence == "jeffreys"
    assert one.source == "psi"


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
    with pytest.warns(ConfrocWarning, match="no reweighting"):
        found = auc_forecast(HARD[name], radius=0.1, divergence=divergence)
    expected = auc_interval(HARD[name])
    assert (found.lower, found.upper) == (expected.lower, expected.upper)
    assert found.method == "score_delong"
    assert found.confidence_level == 0.95


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
    assert "95 % forecast" in str(found)
    assert found.to_dict()["radius"] == found.radius
    assert found.confidence_interval.low == found.lower


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"radius": 0.1, "psi": 0.1}, "`radius`.*without `psi`"),
        ({"radius": 0.0}, "`radius`"),
        ({"psi": -1.0}, "`psi`"),
        ({"segments": [TABLE]}, "`segments`.*two"),
        ({"method": "papers"}, "`method`"),
        ({"divergence": "hellinger"}, "`divergence`"),
        ({"segments": [TABLE, TABLE], "n_bins": 1, "method": "paper"}, "`n_bins`.*at least 2"),
        ({"psi": 0.1, "divergence": "kl"}, "`divergence`.*'jeffreys'"),
        ({"psi": 0.1, "n_bins": 5}, "`n_bins`.*left out with method 'calibrated'"),
        ({"psi": 0.1, "n_resamples": 50}, "`n_resamples`.*left out with method 'calibrated'"),
        ({"radius": 0.1, "method": "paper", "n_bins": 5}, "`n_bins`.*left out.*`radius`"),
        ({"radius": 0.1, "method": "paper", "n_resamples": 50}, "`n_resamples`.*left out.*`radius`"),
        ({"psi": 0.1, "method": "paper", "size": (5, 5)}, "`size`.*left out.*`psi`"),
        ({"segments": [TABLE, TABLE], "method": "paper", "size": (5, 5)}, "`size`.*left out.*`segments`"),
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
        sampling = nearest_distribution(TABLE, end).distance
        whole = nearest_distribution(TABLE, bound).distance
        assert math.sqrt(whole) == pytest.approx(math.sqrt(0.08) + math.sqrt(sampling), rel=1e-4)


@pytest.mark.filterwarnings("ignore:AUC of")
def test_forecasts_contain_every_drift_within_the_budget() -> None:
    # Populations drifted as far as the budget lets them, worst and best, found on a table of 2,000 cases a
    # class. 100 samples at 90 %, both contained in the same forecast: 90 expected; fewer than 75 with
    # probability 1e-5. Morin's bounds, without the sampling error, contain both in next to none; a coverage
    # of 65 % is found out with probability 0.97.
    rng = np.random.default_rng(12)
    grid = stats.norm.ppf((np.arange(2_000) + 0.5) / 2_000)
    population = Scores(np.repeat([1, 0], 2_000), np.concatenate([1.0 + grid, grid]))
    drifted = auc_forecast(population, psi=0.1, method="paper")
    inside, without = 0, 0
    for _ in range(100):
        scores = sample(rng, 25, 40)
        found = auc_forecast(scores, psi=0.1, confidence_level=0.9)
        inside += found.lower <= drifted.lower and drifted.upper <= found.upper
        paper = auc_forecast(scores, psi=0.1, method="paper")
        without += paper.lower <= drifted.lower and drifted.upper <= paper.upper
    assert inside >= 75
    assert without < 40


@few_segments
@pytest.mark.filterwarnings("ignore:AUC of")
def test_two_segments_forecast_the_third_at_the_level() -> None:
    # Segments whose areas' standard deviation is about twice their sampling error, where two say least: 250
    # histories at 90 %, 225 expected; fewer than 203 with probability 1e-5. A coverage of 75 % passes with
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
    population = auc_forecast(scores, psi=0.1)
    assert population.size is None
    small, large = (auc_forecast(scores, psi=0.1, size=size) for size in ((20, 20), (10**6, 10**6)))
    assert small.lower < large.lower
    assert (large.lower, large.upper) == pytest.approx((population.lower, population.upper), abs=1e-4)
    assert small.size == (20, 20)
    assert "20 + 20 cases" in str(small)


# --- monitor -----------------------------------------------------------------------------------------


def test_monitor_flags_what_left() -> None:
    rng = np.random.default_rng(7)
    reference = sample(rng, 2000, 4000)
    new = {"same": sample(rng, 500, 1000), "worse": sample(rng, 500, 1000, 0.3)}
    table = drift_monitor(reference, new)
    assert table.segment == ("same", "worse")
    assert table.outside.tolist() == [False, True]
    assert table.beyond.tolist() == [False, True]
    assert table.divergence == pytest.approx(table.divergence_pos + table.divergence_neg)
    assert table.auc.tolist() == [s.auc for s in new.values()]
    assert table.psi[1] > 5 * table.psi[0]
    assert len(table) == 2
    forecast = auc_forecast(reference, psi=2.0)
    assert drift_monitor(reference, list(new.values()), forecast=forecast).outside.tolist() == [False, False]
    assert table.to_dict()["forecast"]["radius"] == table.forecast.radius


def test_monitor_false_alarms_are_at_the_level() -> None:
    # 300 segments of the reference's own population at 95 %: 15 expected; outside 2 to 36 with probability
    # 4e-6. A monitor with 15 % false alarms is found out with probability 0.92, with 18 % with 0.997.
    rng = np.random.default_rng(8)
    reference = sample(rng, 20_000, 20_000)
    table = drift_monitor(reference, [sample(rng, 200, 300) for _ in range(300)], n_resamples=50, rng=1)
    assert 2 <= int(table.outside.sum()) <= 36


@pytest.mark.filterwarnings("ignore:AUC of")
def test_monitor_p_values_hold_without_drift_and_find_one() -> None:
    # 120 segments and references of the same population, some bins empty: shares of p-values up to 5 % and
    # 20 % are binomial; outside with probability below 1e-4 each. With drift most are below 1 %.
    rng = np.random.default_rng(15)
    pvalue, usual = [], []
    for _ in range(120):
        table = drift_monitor(sample(rng, 25, 120), [sample(rng, 25, 120)], n_resamples=199, rng=rng)
        pvalue.append(float(table.pvalue[0]))
        usual.append(table.psi[0] / table.psi_without_drift[0])
        assert table.drifted[0] == (pvalue[-1] <= 0.05)
    assert 1 <= np.sum(np.array(pvalue) <= 0.05) <= 18
    assert 8 <= np.sum(np.array(pvalue) <= 0.2) <= 42
    assert np.mean(usual) == pytest.approx(1.0, abs=0.15)
    # The stability index alone would raise an alarm every month.
    found = [
        drift_monitor(sample(rng, 900, 900), [sample(rng, 90, 90, 0.1)], n_resamples=199, rng=rng).pvalue[0]
        for _ in range(20)
    ]
    assert np.sum(np.array(found) <= 0.01) >= 15


def test_many_months_without_drift_raise_no_alarm() -> None:
    rng = np.random.default_rng(16)
    months = [sample(rng, 25, 225) for _ in range(6)]
    table = drift_monitor(months[0], months[1:], rng=1)
    assert (table.psi > 0.1).all()
    assert not table.drifted.any()
    assert table.psi == pytest.approx(table.psi_without_drift, rel=0.9)
    # One alarm in twenty tables, not in twenty rows.
    raw = np.sort(table.pvalue)
    assert (table.drifted == (table.pvalue <= 0.01)).all() or raw[0] > 0.01


def test_distances_without_drift_are_enumerated() -> None:
    """All counts of four new positives and three negatives in three bins, by exact probabilities."""
    reference = Scores.from_counts([3, 2, 1], pos=[4, 3, 3], neg=[3, 3, 3])
    segment = Scores.from_counts([3, 2, 1], pos=[3, 0, 1], neg=[0, 2, 1])
    kl = Divergence("kl")
    laws = []
    for count, m in ((reference.pos, 4), (reference.neg, 3)):
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
            law.append((kl.between(share, count / count.sum()), mass))
        assert sum(mass for _, mass in law) == pytest.approx(1.0)
        laws.append(law)
    both = [(a + b, p * q) for a, p in laws[0] for b, q in laws[1]]
    mean = sum(d * p for d, p in both)
    table = drift_monitor(
        reference,
        [segment],
        forecast=auc_forecast(reference, radius=0.1),
        n_bins=3,
        n_resamples=40_000,
        rng=1,
    )
    tail = sum(p for d, p in both if d >= table.divergence[0] - 1e-12)
    # 40,000 draws: five standard errors.
    assert table.divergence_without_drift[0] == pytest.approx(mean, rel=0.02)
    assert table.divergence_pvalue[0] == pytest.approx(tail, abs=0.0125)
    assert 0.05 < tail < 0.95
    # Of the symmetric divergence it is what stands beside the index.
    same = drift_monitor(reference, [segment], forecast=auc_forecast(reference, psi=0.1), n_bins=3, rng=1)
    assert same.divergence_pvalue.tolist() == same.pvalue.tolist()
    assert same.divergence_without_drift.tolist() == same.psi_without_drift.tolist()


@pytest.mark.parametrize(
    ("name", "size"), [("kl", (100, 1000)), ("chi2", (60, 80)), ("jeffreys", (400, 900))]
)
def test_large_sample_law_of_distances_against_the_exact_one(name: Any, size: tuple[int, int]) -> None:
    rng = np.random.default_rng(18)
    reference, segment = sample(rng, 150, 700), sample(rng, *size)
    curve = forecast_curve(reference, [0.02, 0.05], divergence=name, size=size)
    exact = without_drift(reference, segment, [Divergence(name)], 10, 20_000, rng)[0]
    assert curve.expected_without_drift == pytest.approx(exact.mean(), rel=0.05)
    assert np.mean(exact > curve.limit_without_drift) == pytest.approx(0.05, abs=0.012)
    assert curve.without_drift == pytest.approx([np.mean(exact >= r) for r in curve.at], abs=0.04)
    assert curve.size == size
    assert "new cases are" in str(curve)


@pytest.mark.filterwarnings("ignore:AUC of")
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
    assert "radius of 0.04 on average" in still.notes[0]
    moved = [*parts[:2], sample(rng, 120, 200, 2.0)]
    joint = moved[0].merge(moved[1]).merge(moved[2])
    found = auc_forecast(joint, segments=moved, method="paper").notes[0]
    assert float(found.split("probability ")[1].split(",")[0]) < 0.01


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
    assert forecast_curve(scores, [0.1]).notes == ()
    for options in ({"size": (40, 1000)}, {"n_bins": 30}, {"divergence": "jeffreys"}):
        assert "rough" in forecast_curve(scores, [0.1], **options).notes[0]  # type: ignore[arg-type]


def test_monitor_errors() -> None:
    with pytest.raises(ValueError, match="`segments`"):
        drift_monitor(TABLE, {})
    with pytest.raises(TypeError, match="segments"):
        drift_monitor(TABLE, {"a": 1})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="`forecast`"):
        drift_monitor(TABLE, [TABLE], forecast=0.1)  # type: ignore[arg-type]


def test_psi_is_the_sum_of_both_classes_indices_and_bounds_every_binned_one() -> None:
    rng = np.random.default_rng(8)
    scores = sample(rng, 150, 400)
    found = auc_forecast(scores, psi=0.2, method="paper")
    assert (found.divergence, found.radius, found.source) == ("jeffreys", 0.2, "psi")
    same = auc_forecast(scores, radius=0.2, divergence="jeffreys", method="paper")
    assert (found.lower, found.upper) == (same.lower, same.upper)
    reached = solve(scores.pos, scores.neg, Divergence("jeffreys"), sign=1.0, radius=0.2)
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
    assert "Pearson's" in found.notes[0]
    assert "5 bins" in found.notes[0]
    expected = []
    for segment in segments:
        for name in ("pos", "neg"):
            count = getattr(whole, name)
            edges = bin_edges(whole.score, count, 5)
            f, u = shares(whole.score, count, edges), shares(segment.score, getattr(segment, name), edges)
            # Morin's eq. 18 on bins of equal shares, times their number.
            assert f == pytest.approx(np.full(5, 0.2))
            expected.append(5 * np.sum((u - f) ** 2))
    assert found.radius == pytest.approx(sum(expected) / 2, rel=1e-9)
    assert auc_forecast(whole, radius=0.1, divergence="chi2", method="paper").notes == ()
