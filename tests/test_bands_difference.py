"""The band for the difference of two curves."""

import dataclasses

import numpy as np
import pytest
from scipy import special, stats

from confroc import ConfrocWarning, PairedScores, Scores, UnpairedScores
from confroc.bands import difference, difference_levels, ks_regions, roc_difference_band, studentized
from confroc.bands.difference import ROC_DIFFERENCE_BAND
from confroc.bands.difference_levels import (
    Resamples,
    class_draws,
    counts_above,
    critical_radius,
    evaluated_rates,
    lower_edge,
    lowest_corners,
    next_radius,
    reached,
    resampled,
    smooth_difference,
    two_models,
)
from confroc.bands.local_levels import both_bounds, corner_edges
from confroc.bands.studentized import tpr_of
from confroc.models import BinormalModel
from confroc.models.ranks import normal_scores_of_rows, pooled_ranks
from confroc.results import Band, one_sided_limits


def paired(n_pos, n_neg, auc_a, auc_b, rho, seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [n_pos, n_neg])
    common = rng.standard_normal(len(y))
    scores = []
    for auc in (auc_a, auc_b):
        own = np.sqrt(rho) * common + np.sqrt(1 - rho) * rng.standard_normal(len(y))
        scores.append(BinormalModel.from_auc(auc).a * y + own)
    return PairedScores(y, *scores)


def true_difference(auc_a, auc_b):
    a, b = BinormalModel.from_auc(auc_a), BinormalModel.from_auc(auc_b)
    return lambda x: a.tpr(x) - b.tpr(x)


def inside(band, difference):
    """Whether the band contains a difference from end to end, looked at more densely than it is drawn."""
    ends = np.geomspace(1e-9, 0.5, 400)
    at = np.unique(np.concatenate([[0.0, 1.0], band.at, ends, 1.0 - ends]))
    value = difference(at)
    low, high = np.interp(at, band.at, band.lower), np.interp(at, band.at, band.upper)
    return bool(((value >= low) & (value <= high)).all())


@pytest.mark.slow
@pytest.mark.parametrize("design", ["paired", "unpaired"])
def test_covers_near_its_level(design):
    held, runs, truth = 0, 60, true_difference(0.85, 0.75)
    for seed in range(runs):
        pair = paired(50, 50, 0.85, 0.75, 0.6, seed)
        if design == "unpaired":
            pair = UnpairedScores(pair.a, paired(50, 50, 0.85, 0.75, 0.6, seed + 1000).b)
        band = roc_difference_band(pair, confidence_level=0.8, n_resamples=29, rng=seed)
        assert band.design == design
        held += inside(band, truth)
    # 60 runs outside [37, 59] have probability 3e-4 at 80% (the false alarm), 95% at 50% and 1 at 100%
    # (the power).
    assert 37 <= held <= 59


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*has AUC below 0.5:confroc.ConfrocWarning")
def test_covers_a_strong_model_against_noise_at_both_ends():
    # The difference rises from 0 to 0.44 before the first of 300 negatives: a band that starts there
    # loses it.
    truth, held = true_difference(special.ndtr(3.0 / np.sqrt(2.0)), 0.5), 0
    rng = np.random.default_rng(1)
    y = np.repeat([1, 0], 300)
    for seed in range(40):
        pair = PairedScores(y, 3.0 * y + rng.standard_normal(600), rng.standard_normal(600))
        held += inside(roc_difference_band(pair, confidence_level=0.8, n_resamples=29, rng=seed), truth)
    # 40 runs outside [23, 39] have probability 6e-4 at 80% (the false alarm), 98% at 40% (the power).
    assert 23 <= held <= 39


def limits_by_corners(scores, radius, at):
    """Edges at some rates of the union of corner bands of one ellipse."""
    neg, pos = (np.concatenate([[0], above]) for above in (scores.neg_above, scores.pos_above))
    low, high = np.ones(len(at)), np.zeros(len(at))
    for angle in difference_levels.DIRECTIONS:
        edges = corner_edges(
            both_bounds(neg, scores.n_neg, radius * np.cos(angle)),
            both_bounds(pos, scores.n_pos, radius * np.sin(angle)),
        )
        low = np.minimum(low, one_sided_limits(edges.at, edges.lower, at)[1])
        high = np.maximum(high, one_sided_limits(edges.at, edges.upper, at)[1])
    return low, high


def limits(model, at, radius):
    """Edges of the ellipse bands of a radius of one resample."""
    found, rate = model.ellipses(at, np.array([radius])), np.arange(len(at))
    corner, row = np.arange(len(difference_levels.DIRECTIONS))[:, None], np.zeros(1, int)
    return found.low(corner, row, rate).min(axis=0), found.high(corner, row, rate).max(axis=0)


def differences(a, b, at, radius):
    """Edges of the bands of a radius for the difference."""
    row, rate = np.arange(len(a.above))[:, None], np.arange(len(at))
    of_a, of_b = two_models(a, b, at, radius)
    return lower_edge(of_a, of_b, row, rate), -lower_edge(of_b, of_a, row, rate)


@pytest.mark.parametrize("sizes", [(3, 2), (30, 45), (600, 500)])
def test_limits_of_resamples_are_those_of_corner_bands(sizes):
    pair, at = paired(*sizes, 0.9, 0.7, 0.5, 2), evaluated_rates(sizes[1], (0.0, 1.0))
    models = []
    for scores in (pair.a, pair.b):
        pos, neg = (np.repeat(scores.score, counts)[None] for counts in (scores.pos, scores.neg))
        models.append(Resamples(counts_above(pos, neg), scores.n_neg, scores.n_pos))
        for radius in (0.0, 0.7, 2.5):
            low, high = limits(models[-1], at, radius)
            exact = limits_by_corners(scores, radius, at)
            # Past 400 cases bounds are interpolated between counts.
            np.testing.assert_allclose(low, exact[0], atol=1e-9 if sizes[0] < 400 else 2e-4)
            np.testing.assert_allclose(high, exact[1], atol=1e-9 if sizes[0] < 400 else 2e-4)
    low, high = (edge[0] for edge in differences(*models, at, 2.0))
    parts = [
        [limits_by_corners(scores, 2.0 * np.sin(t), at) for t in difference_levels.DIRECTIONS]
        for scores in (pair.a, pair.b)
    ]
    lows = [a[0] - b[1] for a, b in zip(parts[0], parts[1][::-1], strict=True)]
    np.testing.assert_allclose(low, np.min(lows, axis=0), atol=1e-9 if sizes[0] < 400 else 4e-4)
    assert (high >= low).all()


def test_the_radius_is_the_critical_one_of_the_resamples():
    pair, at = paired(25, 30, 0.9, 0.7, 0.5, 2), evaluated_rates(30, (0.0, 1.0))
    a, b = resampled(pair, 39, 1, 1)
    truth = smooth_difference(pair, at)
    radii = np.arange(0.0, 4.0, 0.02)
    held = []
    for radius in radii:
        low, high = differences(a, b, at, radius)
        held.append(((truth >= low) & (truth <= high)).all(axis=1))
    # By scanning: the first radius that contains the difference, and from which on all larger ones do.
    assert (np.diff(np.array(held).astype(int), axis=0) >= 0).all()
    smallest = np.sort(radii[np.argmax(held, axis=0)])
    for level in (0.5, 0.9):
        found = critical_radius(a, b, at, truth, level)
        rank = int(np.ceil(40 * level - 1e-9))
        assert smallest[rank - 1] - 0.02 <= found <= smallest[rank - 1] + 0.01


def test_smoothed_cases_are_as_alike_as_the_cases():
    pair = paired(40, 40, 0.8, 0.8, 0.9, 4)
    draw, _ = class_draws(pair, [(pair.a, pair.index_a), (pair.b, pair.index_b)])
    generator = np.random.default_rng(1)
    drawn = [each.ravel() for each in draw(generator, 200)]
    cases = np.flatnonzero(pair.pos)
    own = np.corrcoef(*(special.ndtri(stats.rankdata(s) / 81)[cases] for s in (pair.score_a, pair.score_b)))
    # Noise of each model's own would take a tenth of the correlation away; 8,000 cases know it to 0.003.
    assert np.corrcoef(drawn)[0, 1] == pytest.approx(own[0, 1], abs=0.03)


DEGENERATE = {
    "perfect separation": ([1] * 10 + [0] * 10, range(20, 0, -1)),
    "area 0": ([0] * 10 + [1] * 10, range(20, 0, -1)),
    "all ties": ([1] * 10 + [0] * 10, [1.0] * 20),
    "one case per class": ([1, 0], [2.0, 1.0]),
}


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
@pytest.mark.parametrize("method", ROC_DIFFERENCE_BAND.names)
@pytest.mark.parametrize("case", DEGENERATE)
def test_samples_without_variation_have_bands_with_width(case, method):
    y, s = DEGENERATE[case]
    options = ROC_DIFFERENCE_BAND.taken(method, {"n_resamples": 49})
    band = roc_difference_band(PairedScores(y, s, s), method=method, rng=1, **options)
    inner = (band.at > 0.0) & (band.at < 1.0)
    # One that may have none says that it promises nothing.
    assert ((band.upper - band.lower)[inner] > 0.0).all() or band.guarantee == "none"
    assert band.contains(([0.0, 1.0], [0.0, 0.0]))


def test_the_studentized_band_says_that_it_falls_short():
    pair = paired(30, 40, 0.85, 0.75, 0.5, 2)
    with pytest.warns(ConfrocWarning, match="under-covers where a curve is steep"):
        band = roc_difference_band(pair, method="studentized_bootstrap", n_resamples=49, rng=1)
    assert band.guarantee == "none"
    assert "under-covers" in band.notes[0]
    assert band.lower[0] <= 0.0 <= band.upper[0]
    assert band.lower[-1] <= 0.0 <= band.upper[-1]


def test_pairing_narrows_the_band():
    pair = paired(300, 300, 0.85, 0.8, 0.9, 3)
    together = roc_difference_band(pair, n_resamples=199, rng=1)
    apart = roc_difference_band(UnpairedScores(pair.a, pair.b), n_resamples=199, rng=1)
    assert together.area < 0.8 * apart.area
    np.testing.assert_allclose(together.estimate, apart.estimate)


def test_a_model_against_itself_has_no_difference():
    pair = paired(50, 50, 0.8, 0.8, 0.5, 1)
    same = PairedScores.from_counts(pair.score_a, pair.score_a, pair.pos, pair.neg)
    band = roc_difference_band(same, n_resamples=49, rng=1)
    assert band.different_at == ()
    assert (band.lower <= 0.0).all()
    assert (band.upper >= 0.0).all()


def test_swapping_the_models_turns_the_sign():
    pair = paired(60, 70, 0.85, 0.75, 0.5, 2)
    swapped = PairedScores.from_counts(pair.score_b, pair.score_a, pair.pos, pair.neg)
    one = roc_difference_band(pair, n_resamples=299, rng=1)
    other = roc_difference_band(swapped, n_resamples=299, rng=1)
    np.testing.assert_allclose(other.estimate, -one.estimate, atol=1e-12)
    # The rows come in another order, so the noise differs: equal but for resampling error.
    assert other.area == pytest.approx(one.area, rel=0.1)


def test_finds_a_clear_difference_and_says_where():
    band = roc_difference_band(paired(400, 400, 0.95, 0.7, 0.3, 4), n_resamples=199, rng=1)
    (low, high), *_ = band.different_at
    assert 0.0 < low < 0.1 < 0.3 < high < 1.0


def test_range_is_tighter_and_frees_the_outside():
    pair = paired(200, 200, 0.85, 0.8, 0.5, 5)
    part = roc_difference_band(pair, fpr=(0.1, 0.3), n_resamples=299, rng=1)
    whole = roc_difference_band(pair, n_resamples=299, rng=1)
    at = np.linspace(0.11, 0.29, 50)
    width = [np.interp(at, b.at, b.upper - b.lower).mean() for b in (part, whole)]
    assert width[0] < width[1]
    assert part.lower[0] == -1.0
    assert part.upper[-1] == 1.0
    middle = (part.at >= 0.1) & (part.at <= 0.3)
    x = np.concatenate([[0.0, 0.1], part.at[middle], [0.3, 1.0]])
    assert part.contains((x, np.concatenate([[1.0, 1.0], part.estimate[middle], [-1.0, -1.0]])))


def test_columns_are_continued_to_both_ends():
    at, estimate, half = np.array([0.3, 0.5]), np.array([0.2, -0.1]), np.array([0.05, 0.3])
    ends = {
        (0.0, 1.0): ([0.2, 0.2, 0.2, -0.1, -0.1, -0.1], [0.0, 0.0], [-0.4, -0.4], [0.25, 0.25], [0.2, 0.2]),
        (0.2, 1.0): ([0.0, 0.0, 0.2, -0.1, -0.1, -0.1], [-1.0, -1.0], [-0.4, -0.4], [1.0, 1.0], [0.2, 0.2]),
        (0.0, 0.6): ([0.2, 0.2, 0.2, -0.1, 0.0, 0.0], [0.0, 0.0], [-1.0, -1.0], [0.25, 0.25], [1.0, 1.0]),
    }
    for fpr_range, (middle, low_from, low_to, high_from, high_to) in ends.items():
        found = studentized._over_whole_range(at, estimate, half, fpr_range)
        wanted = (
            [0.0, 0.3, 0.3, 0.5, 0.5, 1.0],
            middle,
            [*low_from, 0.15, -0.4, *low_to],
            [*high_from, 0.25, 0.2, *high_to],
        )
        np.testing.assert_allclose(found, wanted, atol=1e-15)


def test_noise_has_the_correlation_of_the_cases():
    pair = paired(30, 50, 0.8, 0.7, 0.5, 4)
    models = [(pair.a, pair.index_a), (pair.b, pair.index_b)]
    for draw, counts in zip(class_draws(pair, models), (pair.pos, pair.neg), strict=True):
        cases = np.flatnonzero(counts)
        own = [np.interp(s, *_sorted_ranks(s)) for s in (pair.score_a, pair.score_b)]
        assert draw.common == pytest.approx(np.corrcoef(*(z[cases] for z in own))[0, 1], abs=0.01)


def _sorted_ranks(score):
    return np.sort(score), special.ndtri((np.arange(len(score)) + 0.5) / len(score))


def test_threads_change_nothing(monkeypatch):
    pair = paired(40, 40, 0.85, 0.8, 0.5, 6)
    # Ten resamples at a time: by default so few are drawn at once.
    monkeypatch.setattr(difference_levels, "DRAWN", 400)
    one, *others = (resampled(pair, 49, 1, jobs) for jobs in (1, 2, 3))
    for other in others:
        for model, same in zip(one, other, strict=True):
            np.testing.assert_array_equal(model.above, same.above)
    assert len(np.unique(one[0].above, axis=0)) == 49
    one, two = (roc_difference_band(pair, n_resamples=49, rng=1, n_jobs=j) for j in (1, 2))
    np.testing.assert_array_equal(one.lower, two.lower)


@pytest.mark.parametrize("digits", [None, 1], ids=["untied", "tied"])
def test_cases_have_the_normal_scores_of_random_places_in_their_blocks(digits):
    """Against the normal quantile of every case's rank, in the outermost blocks and in the middle."""
    pair = paired(400, 500, 0.9, 0.7, 0.5, 2)
    score = pair.score_a if digits is None else np.round(pair.score_a, digits)
    scores = Scores.from_counts(score, pair.pos, pair.neg)
    ranks, rows = pooled_ranks(scores), np.arange(len(scores.score))
    normal = normal_scores_of_rows(scores)
    assert {0, rows[-1]} < set(normal.bent)
    assert len(normal.bent) == len(rows) if digits else len(normal.bent) < 0.25 * len(rows)
    at = np.random.default_rng(1).permutation(np.repeat(rows, 40))
    place = np.random.default_rng(2).random(len(at))
    exact = -special.ndtri((ranks.first[at] + ranks.size[at] * place) / ranks.n)
    np.testing.assert_allclose(normal.at(at, place), exact, atol=1e-5)


@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 4, 7), (2, 3000, 2000)])
def test_positives_above_each_negative_by_searching(shape):
    rng = np.random.default_rng(1)
    pos, neg = (rng.standard_normal((shape[0], n)) for n in shape[1:])
    found = counts_above(pos + 0.5, neg)
    for row, p, q in zip(found, pos + 0.5, neg, strict=True):
        want = len(p) - np.searchsorted(np.sort(p), np.sort(q)[::-1], side="right")
        assert row.tolist() == [0, *want, len(p)]
    # A positive that ties with a negative is not above it.
    assert counts_above(np.array([[1.0, 0.25]]), np.array([[0.25, 0.25]])).tolist() == [[0, 1, 1, 2]]


def test_rates_that_one_corner_decides_are_decided_as_by_all():
    pair, at = paired(60, 80, 0.9, 0.7, 0.5, 2), evaluated_rates(80, (0.0, 1.0))
    a, b = resampled(pair, 99, 1, 1)
    truth = smooth_difference(pair, at)
    for radius in (0.3, 1.0, 1.7):
        of_a, of_b = two_models(a, b, at, radius)
        low, _ = differences(a, b, at, radius)
        rows, rates = np.arange(3, 99), np.arange(1, len(at), 2)
        usual = lowest_corners(*two_models(a.mean_curve, b.mean_curve, at, radius))
        found = reached(of_a, of_b, usual, truth, rows, rates)
        held = (truth >= low)[3:, 1::2].all(axis=1)
        assert 0 < held.sum() < 96 or radius > 1.0
        np.testing.assert_array_equal(found, rows[held])
        # All decided alike, whichever corner is asked first.
        other = np.zeros_like(usual[0]), np.zeros_like(usual[1])
        np.testing.assert_array_equal(reached(of_a, of_b, other, truth, rows, rates), found)


@pytest.mark.parametrize("step", [0.001, 0.3, 2.0, 11.0])
def test_the_search_ends_at_a_radius_wherever_the_line_points(step):
    # Errors that jump where the wanted radius is, and tell nothing of the distance from it.
    low, high, radius, seen = 0.0, difference_levels.LARGEST_RADIUS, 2.2, []
    while high - low > difference_levels.PRECISION:
        error = 1.0 if radius >= step else -1.0
        low, high = (low, radius) if error > 0.0 else (radius, high)
        seen.append((radius, error))
        radius = next_radius(low, high, seen)
        assert low < radius < high
    assert low < step <= high
    assert len(seen) < 40


def test_increasing_transforms_change_nothing():
    pair = paired(40, 40, 0.85, 0.8, 0.5, 6)
    moved = PairedScores.from_counts(np.exp(pair.score_a), pair.score_b**3, pair.pos, pair.neg)
    one, two = (roc_difference_band(p, n_resamples=49, rng=1) for p in (pair, moved))
    np.testing.assert_array_equal(one.upper, two.upper)


def test_rates_by_counting():
    rng = np.random.default_rng(0)
    pos, neg = rng.standard_normal(30) + 1, rng.standard_normal(20)
    for fpr in (0.01, 0.05, 0.33, 0.99):
        threshold = np.sort(neg)[::-1][int(fpr * 20)]
        assert tpr_of(pos, neg, np.array([fpr]))[0] == pytest.approx(np.mean(pos > threshold))


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"n_resamples": 5}, "`n_resamples`"),
        ({"fpr": (0.5, 0.5)}, "`fpr`"),
        ({"method": "delong"}, "`method`"),
    ],
    ids=str,
)
def test_bad_input_is_named(options, name):
    with pytest.raises(ValueError, match=name):
        roc_difference_band(paired(20, 20, 0.8, 0.7, 0.5, 1), **options)


def test_a_pair_is_required():
    with pytest.raises(TypeError, match="`pair`"):
        roc_difference_band(Scores([0, 1], [0, 1]))


def test_different_at_by_hand():
    x = np.array([0.0, 0.2, 0.4, 0.6, 1.0])
    band = Band(
        design="paired",
        at=x,
        estimate=np.zeros(5),
        lower=np.array([-0.1, 0.1, 0.1, -0.1, -0.3]),
        upper=np.array([0.1, 0.3, 0.3, 0.1, -0.2]),
        confidence_level=0.95,
        method="studentized_bootstrap",
        guarantee="bootstrap",
    )
    assert band.different_at == ((0.2, 0.4), (1.0, 1.0))
    assert "excludes zero at fpr 0.2 to 0.4 (and 1 shorter range)" in " ".join(str(band).split())
    at = np.arange(9) / 8.0
    ends = {"lower": np.tile([0.1, -0.1], 5)[:9], "upper": np.full(9, 0.3)}
    many = " ".join(str(dataclasses.replace(band, at=at, estimate=np.zeros(9), **ends)).split())
    assert "excludes zero at fpr 0 (and 4 shorter ranges)" in many


# --- two Kolmogorov regions -----------------------------------------------------------------------------


def unpaired(seed=0, n_pos=60, n_neg=80):
    models = [BinormalModel.from_auc(auc) for auc in (0.9, 0.7)]
    return UnpairedScores(*(m.sample(n_pos, n_neg, rng=seed + i) for i, m in enumerate(models)))


@pytest.mark.parametrize("design", ["paired", "unpaired"])
@pytest.mark.parametrize("level", [0.5, 0.9])
def test_regions_are_the_differences_of_kolmogorovs_edges(design, level):
    pair = paired(60, 80, 0.9, 0.7, 0.5, 4) if design == "paired" else unpaired()
    band = roc_difference_band(pair, method="ks_regions", confidence_level=level)
    assert (str(band.method), band.guarantee, band.kind) == ("ks_regions", "finite-sample", "simultaneous")
    assert band.design == design
    # Each class of each model within Kolmogorov's distance, with probability √each.
    each = (1.0 + level) / 2.0 if design == "paired" else np.sqrt(level)
    e, d = (special.smirnovi(n, (1.0 - np.sqrt(each)) / 2.0) for n in (80, 60))

    def edges(scores, f):
        # The curve at f + e and at f − e, by counting: so many negatives may be above the threshold.
        pos, neg = (np.repeat(scores.score, count) for count in (scores.pos, scores.neg))
        neg = np.sort(neg)[::-1]
        allowed, needed = int(np.floor((f + e) * 80)), int(np.ceil((f - e) * 80))
        high = 1.0 if allowed >= 80 else np.mean(pos > neg[allowed])
        low = 0.0 if needed <= 0 else np.mean(pos > neg[needed - 1])
        return max(0.0, low - d), min(1.0, high + d)

    middle = 0.5 * (np.unique(band.at)[1:] + np.unique(band.at)[:-1])
    for f in middle[np.diff(np.unique(band.at)) > 1e-9]:
        (low_a, high_a), (low_b, high_b) = edges(pair.a, f), edges(pair.b, f)
        assert np.interp(f, band.at, band.lower) == pytest.approx(low_a - high_b, abs=1e-9)
        assert np.interp(f, band.at, band.upper) == pytest.approx(high_a - low_b, abs=1e-9)


def test_regions_of_long_curves_are_moved_outwards_by_little(monkeypatch):
    pair = paired(2000, 2500, 0.9, 0.7, 0.5, 4)
    exact = roc_difference_band(pair, method="ks_regions")
    for module in (difference, ks_regions):
        monkeypatch.setattr(module, "MOST_JOINTS", 100)
    short = roc_difference_band(pair, method="ks_regions")
    assert len(short.at) < 2500 < len(exact.at)
    at = np.union1d(exact.at, short.at)
    for side in (0, 1):
        inner, outer = (
            [one_sided_limits(b.at, edge, at)[side] for edge in (b.lower, b.upper)] for b in (exact, short)
        )
        assert (outer[0] <= inner[0] + 1e-12).all()
        assert (outer[1] >= inner[1] - 1e-12).all()
    assert exact.area < short.area < 1.03 * exact.area
    assert short.different_at
    assert short.contains(true_difference(0.9, 0.7))


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
def test_regions_cover_by_proof():
    # At least 50%, and far more, since all four classes must be at their worst together: of 200 bands fewer
    # than 76 have probability 3e-4 at 50% (the false alarm), 99% at 30% (the power).
    truth = true_difference(0.8, 0.8)
    held = sum(
        roc_difference_band(
            paired(9, 7, 0.8, 0.8, 0.5, seed), method="ks_regions", confidence_level=0.5
        ).contains(truth)
        for seed in range(200)
    )
    assert held >= 76


def test_regions_in_a_range_free_the_outside():
    pair = unpaired()
    part, whole = (roc_difference_band(pair, method="ks_regions", fpr=r) for r in ((0.1, 0.3), None))
    outside = (part.at < 0.1) | (part.at > 0.3)
    assert (part.lower[outside] == -1.0).all()
    assert (part.upper[outside] == 1.0).all()
    assert part.at_range == (0.1, 0.3)
    at = np.linspace(0.1003, 0.2997, 50)
    for edge in ("lower", "upper", "estimate"):
        found, full = (np.interp(at, b.at, getattr(b, edge)) for b in (part, whole))
        np.testing.assert_allclose(found, full, atol=1e-9)


def test_regions_of_rounded_scores_contain_those_of_exact_ones():
    exact = paired(60, 80, 0.9, 0.7, 0.5, 4)
    score = [np.floor(s * 4) / 4 for s in (exact.score_a, exact.score_b)]
    rounded = PairedScores.from_counts(
        *score, exact.pos, exact.neg, score_a_max=score[0] + 0.25, score_b_max=score[1] + 0.25
    )
    inner, outer = (roc_difference_band(p, method="ks_regions") for p in (exact, rounded))
    at = np.union1d(inner.at, outer.at)
    low, high = (
        [one_sided_limits(b.at, getattr(b, edge), at)[0] for b in (inner, outer)]
        for edge in ("lower", "upper")
    )
    assert (low[1] <= low[0] + 1e-9).all()
    assert (high[1] >= high[0] - 1e-9).all()
    assert "widened" in " ".join(outer.notes)
