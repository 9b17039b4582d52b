"""The calibration band: all blocks by brute force, coverage by enumeration, invariances, the diagonal."""

from __future__ import annotations

import functools
import itertools
import math
import warnings
from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression
from scipy.stats import beta, binom, norm

from confroc import ConfrocWarning, Scores, calibration_band
from confroc.bands import CalibrationBand
from confroc.bands.calibration import groups_of, largest_deviates

FEW = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 30), st.integers(0, 30)), min_size=2, max_size=13
).filter(lambda rows: sum(r[1] for r in rows) > 0 and sum(r[2] for r in rows) > 0)


WAYS: list[dict[str, Any]] = [{"rng": 1}, {"calibration": "exact"}, {"method": "isotonic_contraction"}]


@functools.cache
def clopper_pearson(s: int, f: int, error: float) -> tuple[float, float]:
    """Bounds of a share, of s positives and f negatives, each with this error."""
    return float(beta.ppf(error, s, f + 1)) if s else 0.0, float(beta.isf(error, s + 1, f)) if f else 1.0


def by_blocks(pos: Any, neg: Any, level: float) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Lower and upper bounds at every score, in increasing order, as the paper states them."""
    d = len(pos)
    error = (1.0 - level) / (d * (d + 1))
    lower, upper = np.zeros(d), np.ones(d)
    for j, k in itertools.combinations_with_replacement(range(d), 2):
        s, f = sum(pos[j : k + 1]), sum(neg[j : k + 1])
        low, high = clopper_pearson(s, f, error)
        lower[k:] = np.maximum(lower[k:], low)
        upper[: j + 1] = np.minimum(upper[: j + 1], high)
    return lower, upper


def made(scores: Scores, **options: Any) -> CalibrationBand:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        return calibration_band(scores, **options)


def table(rows: list[tuple[int, int, int]], scale: float = 1.0) -> Scores:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        score, pos, neg = zip(*rows, strict=True)
        return Scores.from_counts(np.array(score) * scale, pos, neg)


@settings(max_examples=30, deadline=None)
@given(FEW, st.sampled_from([0.5, 0.9, 0.99]), st.sampled_from([1.0, 1 / 16]))
def test_every_block_counts(rows: list[tuple[int, int, int]], level: float, scale: float) -> None:
    scores = table(rows, scale)
    band = made(scores, confidence_level=level, calibration="exact")
    at = scores.score[::-1]
    found = band.at_score(at)
    weights = (scores.pos + scores.neg)[::-1].astype(float)
    risk = isotonic_regression(scores.pos[::-1] / weights, weights=weights).x
    assert found.estimate == pytest.approx(risk, abs=1e-12)
    lower, upper = by_blocks(scores.pos[::-1].tolist(), scores.neg[::-1].tolist(), level)
    crossing = lower > upper
    for ends, wanted in ((found.lower, np.minimum(lower, risk)), (found.upper, np.maximum(upper, risk))):
        assert ends == pytest.approx(np.where(crossing, np.nan, wanted), abs=1e-10, nan_ok=True)
    assert ("contradict" in "".join(band.notes)) == bool(crossing.any())


@settings(max_examples=30, deadline=None)
@given(FEW, st.integers(2, 14), st.sampled_from(WAYS))
def test_counts_rows_and_transforms_make_no_difference(
    rows: list[tuple[int, int, int]], n_groups: int, way: dict[str, Any]
) -> None:
    scores, options = table(rows, 1 / 16), {"n_groups": n_groups, **way}
    band = made(scores, **options)
    assert made(table(rows[::-1], 1 / 16), **options) == band
    y = np.repeat([1, 0], [scores.n_pos, scores.n_neg])
    x = np.concatenate([np.repeat(scores.score, scores.pos), np.repeat(scores.score, scores.neg)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        assert made(Scores(y, x), **options) == band
        moved = made(Scores(y, np.expm1(x / 3.0) + 2.0), **options)
    here, there = (
        b.at_score(at) for b, at in ((band, scores.score), (moved, np.expm1(scores.score / 3.0) + 2.0))
    )
    for name in ("estimate", "lower", "upper"):
        assert getattr(here, name) == pytest.approx(getattr(there, name), abs=1e-12, nan_ok=True)


@settings(max_examples=30, deadline=None)
@given(FEW, st.integers(2, 8))
def test_a_bound_uses_groups_on_its_own_side_only(rows: list[tuple[int, int, int]], n_groups: int) -> None:
    scores = table(rows)
    groups = groups_of(scores, n_groups)
    assert len(groups.low) <= max(n_groups, 1)
    assert (groups.low <= groups.high).all()
    assert (groups.low[1:] > groups.high[:-1]).all()
    # All cases are positives from some group on: no lower bound can be known before that group's end.
    band = made(scores, n_groups=n_groups)
    for k in range(len(groups.low)):
        inside = (scores.score >= groups.low[k]) & (scores.score <= groups.high[k])
        assert groups.pos[k] == scores.pos[inside].sum()
    first = np.flatnonzero(groups.pos)[0]
    before = scores.score[scores.score < groups.high[first]]
    risk = band.at_score(np.append(before, -1.0))
    assert (risk.lower == 0.0).all()


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_coverage_by_enumeration(level: float) -> None:
    """All outcomes of ten cases at four scores, with their exact probabilities, for three risks."""
    cases = (3, 2, 2, 3)
    risks = [[0.1, 0.5, 0.5, 0.9], [0.4, 0.4, 0.4, 0.4], [0.02, 0.05, 0.6, 0.99]]
    covered = [Fraction(0)] * len(risks)
    for pos in itertools.product(*(range(m + 1) for m in cases)):
        neg = [m - s for m, s in zip(cases, pos, strict=True)]
        lower, upper = by_blocks(pos, neg, level)
        if any(pos) and any(neg):
            # What is reported is that, or wider where it would leave out the estimate.
            scores = table(list(zip(range(4), pos, neg, strict=True)))
            found = made(scores, confidence_level=level, calibration="exact").at_score(np.arange(4.0))
            assert (found.lower <= lower + 1e-10).all()
            assert (found.upper >= upper - 1e-10).all()
        for i, risk in enumerate(risks):
            if (lower <= risk).all() and (upper >= risk).all():
                exact = [Fraction(q).limit_denominator(1000) for q in risk]
                covered[i] += math.prod(
                    comb(m, s) * q**s * (1 - q) ** (m - s) for m, s, q in zip(cases, pos, exact, strict=True)
                )
    assert all(share >= Fraction(level) for share in covered)
    # The bounds are no wider than the number of blocks demands: at a low level some samples are missed.
    assert level > 0.5 or min(covered) < 1


@pytest.mark.slow
def test_coverage_of_the_bootstrap_by_enumeration() -> None:
    """All outcomes of 24 cases at three scores: its coverage at 95%, and no wider than the proof's band."""
    cases, at = np.array([8, 8, 8]), np.arange(3.0)
    risks = np.array([[0.1, 0.5, 0.9], [0.4, 0.4, 0.4], [0.2, 0.4, 0.7]])
    covered = np.zeros(len(risks))
    for pos in itertools.product(*(range(m + 1) for m in cases)):
        mass = binom.pmf(pos, cases, risks).prod(axis=1)
        if mass.max() < 1e-4 or sum(pos) in (0, 24):
            continue
        scores = table(list(zip(range(3), pos, (cases - pos).tolist(), strict=True)))
        found, proved = (
            made(scores, **way).at_score(at) for way in ({"rng": 3, "n_resamples": 199}, WAYS[1])
        )
        assert (found.lower >= proved.lower - 1e-12).all()
        assert (found.upper <= proved.upper + 1e-12).all()
        covered += mass * ((found.lower <= risks) & (found.upper >= risks)).all(axis=1)
    assert (covered > 0.89).all()


def test_coverage_of_near_deterministic_scores_by_enumeration() -> None:
    """Two scores of 50 cases that nearly determine the outcome. Most samples have a rate of 0 or 1, and
    outcomes drawn with such rates do not vary: coverage at 95% would be 0.34."""
    risks, at, covered = np.array([0.005, 0.995]), np.arange(2.0), 0.0
    for low, high in itertools.product(range(5), range(46, 51)):
        found = calibration_band(
            Scores.from_counts(at, [low, high], [50 - low, 50 - high]), rng=3, n_resamples=199
        ).at_score(at)
        inside = ((found.lower <= risks) & (found.upper >= risks)).all()
        covered += inside * binom.pmf([low, high], 50, risks).prod()
    assert 0.935 < covered < 0.98


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(1, 9)), min_size=2, max_size=8), st.integers(0, 99))
def test_largest_deviates_by_brute_force(rows: list[tuple[int, int]], seed: int) -> None:
    """Binomial tails of every block, against Peizer and Pratt's deviates of those that can decide."""
    pos, cases = np.array([p for p, _ in rows]), np.array([p + q for p, q in rows])
    rng = np.random.default_rng(seed)
    left, right = np.sort(rng.uniform(0.05, 0.95, (len(rows), 2)).ravel()).reshape(-1, 2).T
    drawn = rng.binomial(cases, (left + right) / 2.0, (3, len(rows)))
    for counts, found in zip(
        (*drawn, pos), largest_deviates(np.vstack([drawn, pos]), cases, right, left), strict=True
    ):
        largest = max(
            max(norm.isf(binom.sf(s - 1, m, right[k])), norm.isf(binom.cdf(s, m, left[j])))
            for j, k in itertools.combinations_with_replacement(range(len(rows)), 2)
            for s, m in [(counts[j : k + 1].sum(), cases[j : k + 1].sum())]
        )
        assert found == pytest.approx(largest, abs=0.03) or min(found, largest) > 8.0


@pytest.mark.parametrize("way", WAYS[:2])
def test_the_p_value_is_the_level_at_which_the_diagonal_is_left_out(way: dict[str, Any]) -> None:
    """Up to what Peizer and Pratt's deviates leave of a binomial tail."""
    at, found = np.array([0.1, 0.3, 0.5, 0.7, 0.9]), []
    for shrink in (1.0, 0.9, 0.85, 0.8):
        pos = np.round(200 * (0.5 + (at - 0.5) * shrink)).astype(int)
        scores = Scores.from_counts(at, pos, 200 - pos)
        found.append(calibration_band(scores, **way).pvalue)
        for level, calibrated in ((1.0 - 0.93 * found[-1], True), (1.0 - 1.07 * found[-1], False)):
            if level > 0.0:
                band = calibration_band(scores, confidence_level=level, **way)
                assert band.calibrated is calibrated
    assert found[0] > 0.5
    assert found == sorted(found, reverse=True)
    assert found[-1] < 0.05


@settings(max_examples=30, deadline=None)
@given(FEW, st.sampled_from([0.5, 0.95]))
def test_contraction_by_its_formula(rows: list[tuple[int, int, int]], level: float) -> None:
    """Yang and Barber (2019): the fit's mean over each block, less and plus √(log(d(d + 1)/α)/(2m))."""
    scores = table(rows)
    cases = (scores.pos + scores.neg)[::-1]
    risk = isotonic_regression(scores.pos[::-1] / cases, weights=cases.astype(float)).x
    d = len(cases)
    lower, upper = np.zeros(d), np.ones(d)
    for j, k in itertools.combinations_with_replacement(range(d), 2):
        mean, m = np.average(risk[j : k + 1], weights=cases[j : k + 1]), cases[j : k + 1].sum()
        arm = math.sqrt(math.log(d * (d + 1) / (1.0 - level)) / (2 * m))
        lower[k:] = np.maximum(lower[k:], mean - arm)
        upper[: j + 1] = np.minimum(upper[: j + 1], mean + arm)
    band = made(scores, confidence_level=level, method="isotonic_contraction")
    found = band.at_score(scores.score[::-1])
    assert found.lower == pytest.approx(lower, abs=1e-12)
    assert found.upper == pytest.approx(upper, abs=1e-12)
    assert band.guarantee == "finite-sample"


def test_grouping_keeps_the_level_where_the_risk_climbs_within_groups() -> None:
    """2,000 scores, a steep curve, groups of dozens of scores: a band of groups that were taken as one score
    each would miss the curve within them nearly always. At level 0.5, 100 samples: fewer than 50 covered
    happens with probability 0.5 at worst, 40 with 0.03."""
    rng = np.random.default_rng(3)
    x = np.linspace(0.0, 1.0, 2000)
    risk = 1.0 / (1.0 + np.exp(-25.0 * (x - 0.5)))
    covered = 0
    for _ in range(100):
        band = calibration_band(
            Scores(rng.random(2000) < risk, x), n_groups=12, confidence_level=0.5, calibration="exact"
        )
        covered += band.contains((np.append(x[0], x), np.append(risk[0], risk)))
    assert covered >= 60


def test_default_number_of_groups() -> None:
    """Four times the cube root of the number of cases, and fewer groups do make another band."""
    rng = np.random.default_rng(1)
    x = rng.random(1000)
    scores = Scores(rng.random(1000) < x, x)
    usual = calibration_band(scores, rng=1)
    assert replace(calibration_band(scores, n_groups=40, rng=1), method=usual.method) == usual
    assert replace(calibration_band(scores, n_groups=80, rng=1), method=usual.method) != usual


@pytest.mark.parametrize("scale", [1.0, 1e-324, 1.7e308])
def test_scores_of_any_size(scale: float) -> None:
    """Distances that no double holds, and those that vanish when halved, change no bound."""
    at = np.array([-1.0, 0.0, 1.0]) * max(scale, 5e-324)
    counts = {"pos": [10, 30, 90], "neg": [90, 70, 10]}
    band = calibration_band(Scores.from_counts(at, **counts), rng=1)
    plain = calibration_band(Scores.from_counts([-1.0, 0.0, 1.0], **counts), rng=1)
    for name in ("lower", "upper", "estimate"):
        mine, other = getattr(band.at_score(at), name), getattr(plain.at_score([-1.0, 0.0, 1.0]), name)
        assert mine.tolist() == other.tolist()
    assert "rejected" not in str(band)


def uniforms_of_r(seed: int, n: int) -> np.ndarray[Any, Any]:
    """Numbers of R's `runif` after `set.seed`: the Mersenne Twister, filled as R fills it."""
    state, filled = seed, []
    for k in range(50 + 625):
        state = (69069 * state + 1) % 2**32
        if k >= 50:
            filled.append(state)
    generator = np.random.MT19937()
    inner = generator.state
    inner["state"] = {"key": np.array(filled[1:], dtype=np.uint32), "pos": 624}
    generator.state = inner
    return np.asarray(generator.random_raw(n) * 2.3283064365386963e-10)


def test_published_example() -> None:
    """The example on the page of the R package calibrationband 0.2.1, its method "round" with three digits.

    Its page prints as areas of miscalibration 0.0396 to 0.299, 0.693 to 0.951, 0.957 to 0.957, and one more.
    The method rounds scores down for the upper edge and up for the lower one; 10,000 even places are tried.
    """
    u = uniforms_of_r(123, 20_000)
    assert u[:3] == pytest.approx([0.2875775, 0.7883051, 0.4089769], abs=1e-7)
    x = u[:10_000]
    risk = 1.0 / (1.0 + (1.0 / x * (1.0 - x)) ** 1.8)
    # R draws the rarer outcome by inversion.
    rarer = u[10_000:] >= np.maximum(risk, 1.0 - risk)
    y = np.where(risk > 0.5, ~rarer, rarer)
    down, up = (
        calibration_band(Scores(y, rounding(x * 1000.0) / 1000.0), n_groups=1001, calibration="exact")
        for rounding in (np.floor, np.ceil)
    )
    at = np.linspace(0.0, 1.0, 10_000)
    outside = (down.at_score(at).upper < at) | (up.at_score(at).lower > at)
    turns = np.flatnonzero(np.diff(np.concatenate([[0], outside.astype(int), [0]])))
    stretches = {(f"{at[a]:.3g}", f"{at[b - 1]:.3g}") for a, b in zip(turns[::2], turns[1::2], strict=True)}
    assert len(stretches) == 4
    assert stretches > {("0.0396", "0.299"), ("0.693", "0.951"), ("0.957", "0.957")}


@pytest.mark.parametrize("way", WAYS[1:])
def test_mirror_image(way: dict[str, Any]) -> None:
    rng = np.random.default_rng(2)
    x = rng.integers(0, 9, 300) / 8.0
    y = rng.random(300) < x
    band, other = (calibration_band(s, **way) for s in (Scores(y, x), Scores(~y, 1.0 - x)))
    at = np.linspace(0.0, 1.0, 33)
    here, there = band.at_score(at), other.at_score(1.0 - at)
    assert here.lower == pytest.approx(1.0 - there.upper, abs=1e-12)
    assert here.upper == pytest.approx(1.0 - there.lower, abs=1e-12)


def test_where_the_diagonal_is_outside() -> None:
    fair = Scores.from_counts([0.1, 0.5, 0.9], pos=[100, 500, 900], neg=[900, 500, 100])
    for way in WAYS:
        assert calibration_band(fair, **way).calibrated is True
        assert calibration_band(fair, **way).contains(([0.0, 1.0], [0.0, 1.0]))
    over = Scores.from_counts([0.1, 0.5, 0.9], pos=[100, 300, 500], neg=[900, 700, 500])
    band = calibration_band(over, calibration="exact")
    assert band.calibrated is False
    assert not band.contains(([0.0, 1.0], [0.0, 1.0]))
    # At a fine grid, by the bounds themselves.
    at = np.linspace(0.0, 1.0, 20_001)
    risk = band.at_score(at)
    wrong = (at < risk.lower) | (at > risk.upper)
    wide = np.zeros(len(at), dtype=bool)
    for begin, end in band.miscalibrated_at:
        wide |= (at > begin + 1e-9) & (at < end - 1e-9)
    assert (wide == wrong).mean() > 0.9995
    told = " ".join(str(band).split())
    assert "p < 0.0001, miscalibrated at scores 0.542 to 0.900 (and 1 shorter range)" in told
    # As extreme as all resamples: an upper bound of the p-value.
    rough = calibration_band(Scores.from_counts([0.02, 0.6], pos=[30, 95], neg=[70, 5]), rng=1)
    assert rough.pvalue == rough.least_pvalue > 0.0
    assert f"test of calibration: p ≤ {rough.least_pvalue:.4g}" in str(rough)
    marker = calibration_band(Scores.from_counts([1.0, 5.0, 9.0], pos=[1, 3, 5], neg=[9, 7, 5]), rng=1)
    assert math.isnan(marker.pvalue)
    assert "calibration is not tested" in marker.notes[-1]
    assert marker.calibrated is None
    assert marker.at_range == (1.0, 9.0)
    assert "miscalibrated" not in str(marker)
    assert marker.at_score([0.0, 10.0]).lower[0] == 0.0
    assert marker.at_score([0.0, 10.0]).upper[1] == 1.0


def test_rounded_scores_bound_what_they_stand_for() -> None:
    """Levels from 0.0 to 0.3 and so on: lower bounds count from a level's top, upper ones up to its foot."""
    counts = {"pos": [5, 20, 60], "neg": [95, 80, 40]}
    levels = Scores.from_counts([0.0, 0.4, 0.7], score_max=[0.3, 0.6, 1.0], **counts)
    # By the bootstrap they differ, as the risk climbs within a level and not within a score.
    rounded = calibration_band(levels, calibration="exact")
    exact = calibration_band(Scores.from_counts([1.0, 2.0, 3.0], **counts), calibration="exact")
    exact = exact.at_score([1.0, 2.0, 3.0])
    assert rounded.at_score([0.3, 0.6, 1.0]).lower == pytest.approx(exact.lower)
    assert rounded.at_score([0.0, 0.4, 0.7]).upper == pytest.approx(exact.upper)
    assert rounded.at_score(0.29).lower[0] == 0.0


def test_a_million_million_cases() -> None:
    """A million times as many cases: arms a thousand times shorter."""
    few, many = (
        calibration_band(
            Scores.from_counts([0.2, 0.5, 0.7], [200 * f, 510 * f, 690 * f], [800 * f, 490 * f, 310 * f]),
            calibration="exact",
        )
        for f in (300, 3 * 10**8)
    )
    at = [0.2, 0.5, 0.7]
    for name in ("lower", "upper"):
        arms = [getattr(band.at_score(at), name) - [0.2, 0.51, 0.69] for band in (few, many)]
        assert arms[1] * 1000.0 == pytest.approx(arms[0], rel=0.02)


@pytest.mark.parametrize(
    "options",
    [
        {"n_groups": 1},
        {"n_groups": 10_000},
        {"confidence_level": 1.0},
        {"n_resamples": 99, "calibration": "exact"},
    ],
)
def test_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"`{next(iter(options))}` must"):
        calibration_band(Scores([0, 1], [0.2, 0.7]), **options)


def test_falling_risk_has_no_interval() -> None:
    with pytest.warns(ConfrocWarning), pytest.warns(ConfrocWarning, match="contradict a probability"):
        band = calibration_band(Scores.from_counts([0.2, 0.8], pos=[90, 10], neg=[10, 90]))
    inside = band.at_score([0.1, 0.5, 0.9])
    assert np.isnan(inside.lower).tolist() == np.isnan(inside.upper).tolist() == [False, True, False]
    assert any(low <= 0.2 and high >= 0.8 for low, high in band.miscalibrated_at)
    assert "  0.2          0.5      –      –" in str(band)


def test_blocks_some_at_a_time_give_the_same_band(monkeypatch: pytest.MonkeyPatch) -> None:
    # The highest scores have fewer positives than those before them, whose bounds go on.
    scores = Scores.from_counts(range(40), [0] * 20 + [9] * 10 + [1] * 10, [3] * 40)
    whole = made(scores, rng=1)
    monkeypatch.setattr("confroc.bands.calibration.BLOCKS_AT_ONCE", 120)
    some = made(scores, rng=1)
    np.testing.assert_array_equal(some.lower, whole.lower)
    np.testing.assert_array_equal(some.upper, whole.upper)
