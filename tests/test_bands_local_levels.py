"""Equal local levels: exact crossing probabilities, paths, calibration and coverage."""

import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from confroc import ConfrocWarning, Scores, _kernels
from confroc._kernels.band_crossing import stay_between
from confroc.bands import ellipse_radius, roc_band
from confroc.bands.crossing import all_inside, exact_deviate, order_statistic_bounds
from confroc.bands.edges import WHOLE
from confroc.bands.ellipse_radius import binomial_deviate, ellipse_radii, segment_distance
from confroc.bands.local_levels import (
    ellipse_edges,
    lower_bound,
    operating_counts,
    resampled_radius,
    upper_bound,
)
from confroc.curve import roc_curve
from confroc.models import BinormalModel
from confroc.models.ranks import SmoothCurve, rank_bandwidths, smooth_curve
from confroc.resample import critical_rank, spawn
from confroc.results import one_sided_limits

# --- crossing probabilities -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 5, 30, 400, 3000])
@pytest.mark.parametrize("scaled", [0.9, 1.36, 1.8])
def test_constant_width_gives_kolmogorovs_law(n, scaled):
    # Another algorithm for the same probability, in SciPy: exact for few cases, good to 1e-6 for many.
    d = scaled / np.sqrt(n)
    k = np.arange(1, n + 1)
    low, high = np.clip(k / n - d, 0.0, 1.0), np.clip((k - 1) / n + d, 0.0, 1.0)
    assert all_inside(low, high) == pytest.approx(stats.kstwo.cdf(d, n), abs=1e-9 if n < 140 else 1e-6)


def test_steck_determinant_for_few_cases():
    # P = n! det[ (high_i − low_j)₊^(j−i+1) / (j−i+1)! ] (Steck 1971).
    n = 4
    low, high = order_statistic_bounds(n, 1.3)
    matrix = np.zeros((n, n))
    for i, j in itertools.product(range(n), repeat=2):
        power = j - i + 1
        if power >= 0:
            matrix[i, j] = max(high[i] - low[j], 0.0) ** power / special.factorial(power) if power else 1.0
    exact = special.factorial(n) * np.linalg.det(matrix)
    assert all_inside(low, high) == pytest.approx(exact, abs=1e-12)


def test_simulation_of_order_statistics():
    n, runs = 25, 40_000
    low, high = order_statistic_bounds(n, 2.6)
    drawn = np.sort(np.random.default_rng(5).random((runs, n)), axis=1)
    share = ((drawn >= low) & (drawn <= high)).all(axis=1).mean()
    # Five standard errors: a false alarm once in 1.7 million seeds.
    assert all_inside(low, high) == pytest.approx(share, abs=5 * np.sqrt(0.1 * 0.9 / runs))


def test_bounds_that_cross_leave_no_chance():
    assert all_inside(np.array([0.5, 0.6]), np.array([0.4, 0.9])) == 0.0


def test_compiled_crossing_equals_plain():
    gap = np.full(9, 0.7)
    low, high = np.array([0, 0, 1, 1, 2, 3, 3, 4, 5]), np.array([2, 3, 3, 4, 5, 6, 6, 7, 5])
    plain = stay_between(gap, low, high, 5, 1e-14)
    assert _kernels.compiled(stay_between)(gap, low, high, 5, 1e-14) == pytest.approx(plain, rel=1e-13)


@pytest.mark.parametrize("n", [2, 17, 150])
@pytest.mark.parametrize("level", [0.8, 0.975])
def test_exact_deviate_has_the_level_and_not_much_more(n, level):
    z = exact_deviate(n, level)
    assert all_inside(*order_statistic_bounds(n, z)) >= level
    assert all_inside(*order_statistic_bounds(n, z - 3e-4)) < level


# --- the deviates and their paths -----------------------------------------------------------------------


@pytest.mark.slow
def test_binomial_deviate_against_the_exact_law():
    worst = 0.0
    for n in (5, 40, 700):
        for p in (0.003, 0.1, 0.5, 0.93):
            for k in range(n):
                law = stats.binom(n, p)
                exact = special.ndtri(law.cdf(k)) if k < n * p else -special.ndtri(law.sf(k))
                if abs(exact) < 3.5:
                    found = binomial_deviate(np.float64(k), np.float64(n), np.float64(p))
                    worst = max(worst, abs(found - exact))
    assert worst < 0.021


@given(corner=st.tuples(st.floats(-3, 3), st.floats(-3, 3)), step=st.tuples(st.floats(0, 4), st.floats(0, 4)))
@settings(max_examples=200, deadline=None)
def test_segment_distance_by_scanning(corner, step):
    (a0, b0), (da, db) = corner, step
    t = np.linspace(0.0, 1.0, 4001)
    scanned = np.hypot(np.maximum(a0 + t * da, 0.0), np.maximum(b0 - t * db, 0.0)).min()
    found = segment_distance(*map(np.float64, (a0, b0, a0 + da, b0 - db)))
    assert found <= scanned + 1e-12
    assert found >= scanned - 2e-3


def resamples(scores, count, seed=1):
    curve = smooth_curve(scores)
    drawn = []
    for rate, n in ((curve.fpr, scores.n_neg), (curve.tpr, scores.n_pos)):
        cells = np.diff(rate, prepend=0.0, append=1.0)
        rows = [np.cumsum(np.random.default_rng(s).multinomial(n, cells)) for s in spawn(seed, count)]
        drawn.append(np.pad(np.array(rows), ((0, 0), (1, 0))))
        seed += 1
    return SmoothCurve(*(np.pad(rate, 1, mode="edge") for rate in curve)), drawn[0], drawn[1]


def deviate_by_scanning(ka, pa, na, kb, pb, nb, used):
    """Largest distance over true points to a path's whole length, vertices and points between them."""
    share = np.linspace(0.0, 1.0, 41)[:, None]
    largest = 0.0
    for i in np.flatnonzero(used):
        a = binomial_deviate(ka - 1.0, np.float64(na), pa[i])
        b = -binomial_deviate(kb + 0.0, np.float64(nb), pb[i])
        along_a, along_b = a[:-1] + share * np.diff(a), b[:-1] + share * np.diff(b)
        largest = max(largest, np.hypot(np.maximum(along_a, 0.0), np.maximum(along_b, 0.0)).min())
    return largest


@pytest.mark.parametrize(("n_pos", "n_neg"), [(3, 4), (30, 45), (400, 150), (3000, 3000)])
def test_radii_by_scanning_whole_paths(n_pos, n_neg):
    scores = BinormalModel.from_auc(0.85).sample(n_pos, n_neg, rng=8)
    curve, neg, pos = resamples(scores, 3)
    used = curve.fpr < 0.6
    used[0] = False
    found = ellipse_radii(neg, pos, curve.fpr, curve.tpr, n_neg, n_pos, used)
    for r in range(3):
        upper = deviate_by_scanning(neg[r], curve.fpr, n_neg, pos[r], curve.tpr, n_pos, used)
        lower = deviate_by_scanning(pos[r], curve.tpr, n_pos, neg[r], curve.fpr, n_neg, used)
        # Scanned at steps of 1/40 of a segment, the foot is missed by at most a percent.
        assert found[r] <= max(upper, lower) + 1e-9
        assert found[r] >= 0.99 * max(upper, lower)


@pytest.mark.parametrize("n", [4, 60, 2500])
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_only_the_largest_radii_are_exact_and_the_wanted_one_is(n, level):
    curve, neg, pos = resamples(BinormalModel.from_auc(0.8, b=0.7).sample(n, 2 * n, rng=5), 199)
    used = np.ones(len(curve.fpr), dtype=bool)
    used[[0, -1]] = False
    rank = critical_rank(199, level)
    all_exact, wanted = (
        ellipse_radii(neg, pos, curve.fpr, curve.tpr, 2 * n, n, used, rank=k) for k in (1, rank)
    )
    np.testing.assert_allclose(np.sort(wanted)[rank - 1 :], np.sort(all_exact)[rank - 1 :], atol=1e-9)


def test_a_table_of_deviates_changes_nothing(monkeypatch):
    curve, neg, pos = resamples(BinormalModel.from_auc(0.8).sample(30, 40, rng=5), 50)
    used = np.ones(len(curve.fpr), dtype=bool)
    used[[0, -1]] = False
    tabulated = ellipse_radii(neg, pos, curve.fpr, curve.tpr, 40, 30, used)
    monkeypatch.setattr(ellipse_radius, "LARGEST_TABLE", 0)
    np.testing.assert_array_equal(ellipse_radii(neg, pos, curve.fpr, curve.tpr, 40, 30, used), tabulated)


@pytest.mark.parametrize("fpr", [(0.0, 1e-6), (0.5, 0.500001)])
def test_a_range_between_grid_points_is_contained(fpr):
    scores = BinormalModel.from_auc(0.8).sample(30, 30, rng=5)
    radius = resampled_radius(smooth_curve(scores), scores, 0.95, 99, 1, fpr)
    # Before the first case nothing is known, and any radius contains the curve.
    assert (
        (0.0 if fpr[0] == 0.0 else 0.1)
        <= radius
        < resampled_radius(smooth_curve(scores), scores, 0.95, 99, 1, WHOLE) + 1e-12
    )


@pytest.mark.parametrize("n", [20, 150])
def test_the_radius_is_where_the_drawn_band_first_contains_the_curve(n):
    scores = BinormalModel.from_auc(0.8, b=0.8).sample(n, n, rng=3)
    curve, neg, pos = resamples(scores, 8)
    used = np.ones(len(curve.fpr), dtype=bool)
    used[[0, -1]] = False
    radius = ellipse_radii(neg, pos, curve.fpr, curve.tpr, n, n, used)
    row = np.arange(len(curve.fpr), 0, -1)
    for r in range(8):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConfrocWarning)
            drawn = Scores.from_counts(row, np.diff(pos[r], prepend=0), np.diff(neg[r], prepend=0))
        held = []
        # Peizer & Pratt's approximation, the 12 angles and the bins of the resample blur it by some percent.
        for factor in (0.94, 1.06):
            edges = ellipse_edges(drawn, factor * radius[r])
            low = one_sided_limits(edges.at, edges.lower, curve.fpr)[0]
            high = one_sided_limits(edges.at, edges.upper, curve.fpr)[1]
            held.append(bool(((curve.tpr >= low - 1e-9) & (curve.tpr <= high + 1e-9)).all()))
        assert held == [False, True]


# --- pieces of the band --------------------------------------------------------------------------------


def test_bounds_are_clopper_pearson_ends():
    k, n, z = np.arange(11), 10, 1.7
    tail = stats.norm.sf(z)
    exact = np.array([stats.binomtest(int(i), n).proportion_ci(1 - 2 * tail, "exact") for i in k])
    np.testing.assert_allclose(lower_bound(k, n, z), exact[:, 0], atol=1e-12)
    np.testing.assert_allclose(upper_bound(k, n, z), exact[:, 1], atol=1e-12)


def test_operating_counts_keep_the_turns():
    scores = Scores.from_counts([6, 5, 4, 3, 2, 1], pos=[2, 1, 0, 3, 4, 0], neg=[0, 0, 5, 1, 2, 7])
    neg, pos = operating_counts(scores)
    np.testing.assert_array_equal(neg, [0, 0, 5, 6, 8, 15])
    np.testing.assert_array_equal(pos, [0, 3, 3, 6, 10, 10])


def test_operating_counts_thin_large_samples():
    scores = BinormalModel.from_auc(0.8).sample(20_000, 20_000, rng=1)
    neg, pos = operating_counts(scores)
    assert len(neg) <= 1000
    assert (neg[0], pos[0], neg[-1], pos[-1]) == (0, 0, 20_000, 20_000)
    # Straight lines between the kept points stay within a fifth of a standard deviation of the curve.
    curve = roc_curve(scores)
    off = np.interp(curve.fpr + curve.tpr, neg / 20_000 + pos / 20_000, neg / 20_000) - curve.fpr
    assert np.abs(off / np.sqrt((curve.fpr * (1 - curve.fpr) + 1e-4) / 20_000)).max() < 0.35


def test_smooth_curve_approaches_the_truth():
    truth = BinormalModel.from_auc(0.85, b=0.8)
    for n, most in ((300, 0.12), (30_000, 0.015)):
        curve = smooth_curve(truth.sample(n, n, rng=2))
        kept = (curve.fpr > 0.02) & (curve.fpr < 0.98)
        # Five times the Kolmogorov scale of the sampling error.
        assert np.abs(curve.tpr - truth.tpr(curve.fpr))[kept].max() < most
    assert (np.diff(curve.fpr) >= 0.0).all()
    assert (np.diff(curve.tpr) >= 0.0).all()


@pytest.mark.parametrize(("n_pos", "n_neg"), [(400, 700), (1500, 300)])
def test_bandwidths_are_those_of_normal_scores(n_pos, n_neg):
    scores = BinormalModel.from_auc(0.8).sample(n_pos, n_neg, rng=2)
    normal = stats.norm.ppf((np.arange(n_pos + n_neg) + 0.5) / (n_pos + n_neg))[::-1]
    for found, count in zip(rank_bandwidths(scores), (scores.neg, scores.pos), strict=True):
        own = normal[count > 0]
        assert found == pytest.approx(1.06 * own.std() * len(own) ** (-1 / 3), rel=0.01)


def test_ties_are_spread_over_their_ranks():
    tied = Scores.from_counts([2, 1], pos=[500, 500], neg=[100, 900])
    curve = smooth_curve(tied)
    # One tied block is a straight line; kernels round its corner.
    off = curve.tpr - np.interp(curve.fpr, [0.0, 0.1, 1.0], [0.0, 0.5, 1.0])
    assert np.abs(off).max() < 0.05


# --- coverage -------------------------------------------------------------------------------------------


def coverage(truth, n_pos, n_neg, runs, **options):
    held = 0
    for seed in range(runs):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConfrocWarning)
            scores = truth.sample(n_pos, n_neg, rng=seed)
        held += roc_band(scores, rng=seed, **options).contains(truth.tpr)
    return held


def test_exact_band_covers_even_tiny_samples():
    # At least 80 % by proof. 120 runs: fewer than 82 have probability 8.6e-4 at 80 % (the false alarm), 96 %
    # at 60 % (the power).
    assert coverage(BinormalModel.from_auc(0.7), 6, 9, 120, calibration="exact", confidence_level=0.8) >= 82


@pytest.mark.parametrize("level", [0.5, 0.9])
def test_exact_band_keeps_both_classes_together_with_its_level(level):
    # Perfect separation draws each class's end: all n cases above a threshold leave rates above tail^(1/n).
    sizes, chances = (4, 6), []
    perfect = Scores.from_counts([2, 1], pos=[sizes[0], 0], neg=[0, sizes[1]])
    band = roc_band(perfect, calibration="exact", confidence_level=level)
    ends = band.lower.max(), 1.0 - band.at[band.lower > 0.0].min()
    for n, end in zip(sizes, ends, strict=True):
        k, tail = np.arange(1, n + 1), end**n
        drawn = np.sort(np.random.default_rng(n).random((200_000, n)), axis=1)
        low, high = stats.beta.ppf(tail, k, n - k + 1), stats.beta.isf(tail, k, n - k + 1)
        chances.append(((drawn >= low) & (drawn <= high)).all(axis=1).mean())
    # Five standard errors of each chance: a false alarm once in a million seeds.
    np.testing.assert_allclose(chances, math.sqrt(level), atol=5.0 * math.sqrt(0.25 / 200_000) + 3e-4)


@pytest.mark.slow
def test_default_band_covers_near_its_level():
    # 60 runs outside [38, 57] have probability 1e-3 at 80 % (the false alarm), 97 % at 50 % and 98 % at 99 %
    # (the power).
    held = coverage(BinormalModel.from_auc(0.8), 60, 60, 60, confidence_level=0.8, n_resamples=99)
    assert 38 <= held <= 57


def test_ellipses_are_tighter_than_exact_corners():
    scores = BinormalModel.from_auc(0.8).sample(100, 100, rng=1)
    bootstrap, exact = roc_band(scores, n_resamples=299, rng=1), roc_band(scores, calibration="exact")
    assert bootstrap.area < 0.8 * exact.area
    assert (bootstrap.guarantee, exact.guarantee) == ("bootstrap", "finite-sample")
    assert exact.area < roc_band(scores, method="ks_regions").area


def test_swapping_the_classes_mirrors_the_exact_band():
    scores = BinormalModel.from_auc(0.8).sample(12, 19, rng=1)
    swapped = Scores.from_counts(-scores.score, pos=scores.neg, neg=scores.pos)
    one, other = roc_band(scores, calibration="exact"), roc_band(swapped, calibration="exact")
    assert one.area == pytest.approx(other.area, abs=1e-10)


@pytest.mark.parametrize("n", [1, 2])
def test_bands_of_the_fewest_cases_are_a_standard_error_wide(n):
    """Resamples of so few are alike or nearly so, whatever the level; the radius is then 1.

    With n of n cases above a threshold the lower end at deviate z is the p with pⁿ = Φ(−z).
    """
    end = stats.norm.cdf(-1.0) ** (1.0 / n)
    for level in (0.5, 0.95):
        band = roc_band(Scores.from_counts([2, 1], [n, 0], [0, n]), confidence_level=level, rng=1)
        assert band.lower_vacuous_until == pytest.approx(1.0 - end, abs=1e-12)
        assert band.lower[-1] == pytest.approx(end, abs=1e-12)
        assert band.area == pytest.approx(1.0 - end * end, abs=1e-12)
