"""Equal local levels: exact crossing probabilities, paths, calibration and coverage."""

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from confroc import ConfrocWarning, Scores, _kernels
from confroc._kernels.band_crossing import add_events
from confroc.bands import crossing, ellipse_radius, local_levels, roc_band
from confroc.bands.crossing import (
    SHAPE,
    _add_events,
    block_edges,
    chances_to_stay,
    class_radii,
    exact_radii,
    lower_ends,
    most_to_leave,
)
from confroc.bands.edges import WHOLE, edges_on_one_grid
from confroc.bands.ellipse_radius import binomial_deviate, ellipse_radii, segment_distance
from confroc.bands.local_levels import (
    _outer_edge,
    ellipse_edges,
    lower_bound,
    operating_counts,
    resampled_radius,
)
from confroc.curve import roc_curve
from confroc.models import BinormalModel
from confroc.models.ranks import SmoothCurve, rank_bandwidths, smooth_curve
from confroc.resample import critical_rank, spawn
from confroc.results import one_sided_limits

# --- exact calibration -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "radius"), [(1, 2.3), (7, 3.0), (40, 3.4)])
def test_chances_to_stay_by_binomial_steps(n, radius):
    # The same by matrices of Bin(n, ·) from rate to rate, one block and deviate at a time.
    edges, rows = block_edges(n), lower_ends(n, radius)
    k = np.arange(n + 1)

    def through(law, low, block):
        at, stop = edges[block], edges[block + 1]
        times = [x for x in low[1:] if at < x <= stop]
        for x, final in [*((x, False) for x in times), (stop, True)]:
            p = (x - at) / (1.0 - at) if at < 1.0 else 0.0
            law = law @ stats.binom.pmf(k[None, :] - k[:, None], n - k[:, None], p)
            law[k > (np.sum(low[1:] <= stop) if final else np.sum(low[1:] < x))] = 0.0
            at = x
        return law

    one, two = chances_to_stay(n, radius)
    for g in (0, 5, 11, len(rows) - 1):
        for block in range(len(edges) - 1):
            law = stats.binom.pmf(k, n, edges[block])
            law[k > np.sum(rows[g, 1:] <= edges[block])] = 0.0
            law = through(law, rows[g], block)
            assert one[g, block] == pytest.approx(law.sum(), abs=1e-10)
            if block < len(edges) - 2:
                assert two[g, block] == pytest.approx(through(law, rows[g], block + 1).sum(), abs=1e-10)


def test_compiled_events_equal_plain_ones():
    rng = np.random.default_rng(2)
    law, mean = rng.random((9, 25)), np.append(0.0, 3.0 * rng.random(8))
    plain = add_events(law, mean, 1e-14)
    np.testing.assert_allclose(_add_events(law, mean, 1e-14), plain, rtol=1e-12)
    np.testing.assert_allclose(_kernels.compiled(add_events)(law, mean, 1e-14), plain, rtol=1e-13)
    np.testing.assert_allclose(plain[0], law[0])
    np.testing.assert_allclose(plain[:, -1], law[:, -1] * np.exp(-mean))


@pytest.mark.parametrize("n", [3, 401, 2500])
def test_lower_ends_are_nearly_those_of_beta_and_in_order(n):
    ends = lower_ends(n, 3.5)
    assert (np.diff(ends, axis=1) > 0.0).all()
    assert (np.diff(ends[:, 1:], axis=0) > 0.0).all()
    for row, z in zip(ends, 3.5 * SHAPE, strict=True):
        exact = lower_bound(np.arange(n + 1), n, z)
        off = np.abs(np.arcsin(np.sqrt(row)) - np.arcsin(np.sqrt(exact))) * 2.0 * np.sqrt(n)
        assert off.max() < 1e-3


@pytest.mark.parametrize("sizes", [(1, 1), (1, 30), (20, 20), (150, 12)])
@pytest.mark.parametrize("level", [0.1, 0.5, 0.95, 0.999])
def test_exact_radii_have_the_level_and_not_much_more(sizes, level):
    radii = exact_radii(*sizes, level)
    assert radii == pytest.approx(exact_radii(*sizes[::-1], level)[::-1], abs=1e-12)
    assert class_radii(min(radii), *sizes) == pytest.approx(radii, abs=1e-12)
    assert most_to_leave(*sizes, min(radii)) <= 1.0 - level
    assert most_to_leave(*sizes, min(radii) - 0.02) > 1.0 - level


@pytest.mark.slow
def test_extrapolated_radii_err_on_the_wide_side(monkeypatch):
    exact = exact_radii.__wrapped__(4000, 4000, 0.95)
    monkeypatch.setattr(crossing, "LARGEST_EXACT", 2000)
    monkeypatch.setattr(crossing, "EXTRAPOLATED_FROM", (200, 2000))
    wide = exact_radii.__wrapped__(4000, 4000, 0.95)
    assert exact[0] < wide[0] < exact[0] + 0.01


def test_bands_past_the_largest_sample(monkeypatch):
    scores = BinormalModel.from_auc(0.8).sample(400, 600, rng=1)
    exact = roc_band(scores, calibration="exact")
    for module in (crossing, local_levels):
        monkeypatch.setattr(module, "LARGEST_EXACT", 300)
    monkeypatch.setattr(crossing, "EXTRAPOLATED_FROM", (100, 200))
    exact_radii.cache_clear()
    large = roc_band(scores, calibration="exact")
    exact_radii.cache_clear()
    assert (exact.guarantee, large.guarantee) == ("finite-sample", "asymptotic")
    assert exact.area < large.area < 1.03 * exact.area


counts_in_order = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=7)


@given(rows=counts_in_order, radii=st.tuples(st.floats(0.3, 4.0), st.floats(0.3, 4.0)))
@settings(max_examples=60, deadline=None)
def test_outer_edge_is_above_all_corners_and_chords_at_ties(rows, radii):
    neg, pos = np.cumsum([(0, 0), (1, 1), *rows], axis=0).T
    sizes = int(neg[-1]), int(pos[-1])
    x, y = _outer_edge((neg, pos), sizes, radii)
    left = lower_ends(sizes[0], radii[0])[:, neg]
    top = 1.0 - lower_ends(sizes[1], radii[1])[::-1, sizes[1] - pos]
    assert (np.diff(x) >= 0.0).all()
    assert (np.diff(y) >= 0.0).all()
    share = np.linspace(0.0, 1.0, 9)[:, None, None]
    for j in range(len(neg)):
        after = min(j + 1, len(neg) - 1)
        if neg[after] == neg[j] or pos[after] == pos[j]:
            after = j
        if after == j:
            at, height = left[:, j], top[:, j]
        else:
            # From each angle before the tied scores to each one after them.
            at = ((1.0 - share) * left[:, j, None] + share * left[:, after]).ravel()
            height = ((1.0 - share) * top[:, j, None] + share * top[:, after]).ravel()
        found = one_sided_limits(x, y, at)[1]
        assert (found >= height - 1e-12).all()


def test_edges_with_fewer_corners_are_wider_and_hardly_so(monkeypatch):
    scores = BinormalModel.from_auc(0.8).sample(150, 200, rng=1)
    exact = roc_band(scores, calibration="exact")
    monkeypatch.setattr(local_levels, "MOST_CORNERS", 500)
    fewer = roc_band(scores, calibration="exact")
    at = np.linspace(0.0, 1.0, 5001)
    upper, lower = (
        np.subtract(one_sided_limits(fewer.at, of_fewer, at), one_sided_limits(exact.at, of_all, at))
        for of_fewer, of_all in ((fewer.upper, exact.upper), (fewer.lower, exact.lower))
    )
    assert upper.min() >= -1e-12
    assert lower.max() <= 1e-12
    assert exact.area < fewer.area < 1.02 * exact.area


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
    np.testing.assert_allclose(1.0 - lower_bound(n - k, n, z), exact[:, 1], atol=1e-12)


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
    # At least 80% by proof. 120 runs: fewer than 82 have probability 8.6e-4 at 80% (the false alarm), 96%
    # at 60% (the power).
    assert coverage(BinormalModel.from_auc(0.7), 6, 9, 120, calibration="exact", confidence_level=0.8) >= 82


def path_of(cells):
    """Rates at the ends of atoms."""
    ends = np.append(0.0, np.cumsum(cells).clip(0.0, 1.0))
    ends[-1] = 1.0
    return ends


def tables(n, atoms):
    """All ways to put n cases on the atoms, with the logarithm of the number of orders of each."""
    cuts = np.array(list(itertools.combinations(range(n + atoms - 1), atoms - 1)))
    counts = np.diff(cuts, axis=1, prepend=-1, append=n + atoms - 1) - 1
    return counts, special.gammaln(n + 1.0) - special.gammaln(counts + 1.0).sum(axis=1)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*AUC below 0.5")
@pytest.mark.parametrize(("n_neg", "n_pos", "level"), [(3, 3, 0.5), (4, 2, 0.2), (3, 4, 0.05)])
def test_exact_band_holds_every_curve_over_all_rankings(n_neg, n_pos, level):
    """Coverage is a sum over all rankings, with ties, of samples from few atoms: no Monte Carlo error."""
    atoms, rng = 4, np.random.default_rng(1)
    neg, neg_orders = tables(n_neg, atoms)
    pos, pos_orders = tables(n_pos, atoms)
    curves = [(np.eye(atoms)[1], np.eye(atoms)[0]), (np.full(atoms, 0.25), np.full(atoms, 0.25))]
    curves += [(np.array([0.5, 0.0, 0.5, 0.0]), np.array([0.0, 0.5, 0.0, 0.5]))]
    curves += [
        tuple(rng.dirichlet(np.full(atoms, a), size=2)) for a in (0.2, 0.5, 1.0, 2.0) for _ in range(6)
    ]
    bands, worst = {}, 1.0
    held = np.zeros((len(curves), len(neg), len(pos)), dtype=bool)
    truths = [(path_of(p), path_of(q)) for p, q in curves]
    for i, j in np.ndindex(len(neg), len(pos)):
        some = (neg[i] > 0) | (pos[j] > 0)
        key = neg[i][some].tobytes() + pos[j][some].tobytes()
        if key not in bands:
            scores = Scores.from_counts(-np.arange(some.sum()), pos=pos[j][some], neg=neg[i][some])
            bands[key] = roc_band(scores, calibration="exact", confidence_level=level)
        held[:, i, j] = [bands[key].contains(truth) for truth in truths]
    for (p, q), inside in zip(curves, held, strict=True):
        chance_neg = np.exp(neg_orders + special.xlogy(neg, p).sum(axis=1))
        chance_pos = np.exp(pos_orders + special.xlogy(pos, q).sum(axis=1))
        worst = min(worst, chance_neg @ inside @ chance_pos)
    assert worst >= level


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*AUC below 0.5")
@pytest.mark.parametrize(("n_neg", "n_pos"), [(60, 60), (300, 25)])
@pytest.mark.parametrize("shape", ["even", "steep", "steps", "tied"])
def test_exact_band_covers_steep_and_tied_curves(n_neg, n_pos, shape):
    # At least 80% by proof. 80 runs: fewer than 51 have probability 2.2e-4 at 80% (the false alarm of each
    # cell), 93% at 55% (the power).
    p, q = {
        "even": (np.full(40, 0.025), np.full(40, 0.025)),
        "steep": (np.append(0.0, np.full(10, 0.1)), np.append(0.7, np.full(10, 0.03))),
        "steps": (np.tile([0.05, 0.0], 20), np.tile([0.0, 0.05], 20)),
        "tied": (np.array([0.05, 0.1, 0.2, 0.3, 0.35]), np.array([0.35, 0.3, 0.2, 0.1, 0.05])),
    }[shape]
    truth = path_of(p), path_of(q)
    rng, held = np.random.default_rng(4), 0
    for _ in range(80):
        pos, neg = rng.multinomial(n_pos, q), rng.multinomial(n_neg, p)
        scores = Scores.from_counts(-np.arange(len(p)), pos=pos, neg=neg)
        held += roc_band(scores, calibration="exact", confidence_level=0.8).contains(truth)
    assert held >= 51


@pytest.mark.slow
def test_default_band_covers_near_its_level():
    # 60 runs outside [38, 57] have probability 1e-3 at 80% (the false alarm), 97% at 50% and 98% at 99%
    # (the power).
    held = coverage(BinormalModel.from_auc(0.8), 60, 60, 60, confidence_level=0.8, n_resamples=99)
    assert 38 <= held <= 57


def test_bootstrap_is_tighter_than_exact_calibration():
    scores = BinormalModel.from_auc(0.8).sample(100, 100, rng=1)
    bootstrap, exact = roc_band(scores, n_resamples=299, rng=1), roc_band(scores, calibration="exact")
    assert bootstrap.area < 0.8 * exact.area
    assert (bootstrap.guarantee, exact.guarantee) == ("bootstrap", "finite-sample")
    assert exact.area < roc_band(scores, method="ks_regions").area


@pytest.mark.parametrize(
    ("n", "deviate", "most"), [(20, 3.0558, 1.03), (60, 3.2252, 0.99), (300, 3.3972, 0.92)]
)
def test_exact_calibration_takes_less_area_than_rectangles(n, deviate, most):
    # At these deviates all of a class's two-sided intervals hold with probability √0.95.
    for auc in (0.6, 0.75, 0.92):
        scores = BinormalModel.from_auc(auc).sample(n, n, rng=1)
        neg, pos = operating_counts(scores)
        ends = [(lower_bound(k, n, deviate), 1.0 - lower_bound(n - k, n, deviate)) for k in (neg, pos)]
        corners = edges_on_one_grid(ends[0][0], ends[1][1], ends[0][1], ends[1][0])
        area = np.trapezoid(corners.upper - corners.lower, corners.at)
        assert roc_band(scores, calibration="exact").area < most * area


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
