"""The bootstrap ball's options: unlike steps, Hausdorff's distance, the other center, pairs, bandwidths."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from confroc import Scores, roc_band, roc_curve
from confroc.bands.ball import SMOOTH_STEPS, db_distance, hausdorff_distance, sup_distance
from confroc.models import BinormalModel, KernelModel
from confroc.models.bandwidths import reference
from confroc.models.kernel_grid import REACH
from confroc.models.resampler import Smoothing, resampler
from confroc.resample import critical_value, spawn

TRUTH = BinormalModel.from_auc(0.8)
BALL = {"method": "bootstrap", "n_resamples": 99, "rng": 1}


def random_steps(rng, n):
    return np.sort(rng.integers(0, 8, n) / 7.0)


def horizontal(f, value, t):
    """Distance along the abscissa from (t, value) to the graph of f, jumps included."""
    n = len(f)
    places = [i / n for i in range(n + 1) if (f[i - 1] if i else 0.0) <= value <= (f[i] if i < n else 1.0)]
    spans = [(i / n, (i + 1) / n) for i in range(n) if f[i] == value]
    return min([abs(t - x) for x in places] + [max(a - t, t - b, 0.0) for a, b in spans])


@given(seed=st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_distances_on_unlike_steps_by_scanning(seed):
    rng = np.random.default_rng(seed)
    n, m = rng.integers(1, 7, 2)
    f, g = random_steps(rng, n), random_steps(rng, m)
    grid = (np.arange(840) + 0.5) / 840
    vertical, least = [], []
    for t in grid:
        a, b = f[int(t * n)], g[int(t * m)]
        vertical.append(abs(a - b))
        least.append(min(abs(a - b), horizontal(f, b, t), horizontal(g, a, t)))
    assert sup_distance(f, g) == pytest.approx(max(vertical), abs=1e-12)
    assert db_distance(f, g) == pytest.approx(max(least), abs=1.1 / 840)


def points_of(f, per_side):
    """Points along the completed graph."""
    n = len(f)
    corners = [(0.0, 0.0)]
    for i, value in enumerate(f):
        corners += [(i / n, value), ((i + 1) / n, value)]
    corners.append((1.0, 1.0))
    u = np.linspace(0.0, 1.0, per_side)[:, None]
    ends = itertools.pairwise(np.array(corners))
    return np.concatenate([a + u * (b - a) for a, b in ends])


@given(seed=st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_hausdorff_distance_by_all_pairs_of_points(seed):
    rng = np.random.default_rng(seed)
    f, g = (random_steps(rng, n) for n in rng.integers(1, 6, 2))
    apart = cdist(points_of(f, 60), points_of(g, 60), "chebyshev")
    wanted = max(apart.min(axis=1).max(), apart.min(axis=0).max())
    assert hausdorff_distance(f, g) == pytest.approx(wanted, abs=0.02)
    assert hausdorff_distance(g, f) == pytest.approx(hausdorff_distance(f, g), abs=1e-12)


def test_hausdorff_ball_holds_the_points_near_the_curve():
    scores = TRUTH.sample(12, 10, rng=4)
    curve = roc_curve(scores)
    band = roc_band(scores, metric="hausdorff", **BALL)
    corners = np.stack([curve.fpr, curve.tpr], axis=1)
    u = np.linspace(0.0, 1.0, 200)[:, None]
    graph = np.concatenate([a + u * (b - a) for a, b in itertools.pairwise(corners)])
    delta = 0.0
    for t in (0.07, 0.31, 0.66):
        for edge in (np.interp(t, band.at, band.upper), np.interp(t, band.at, band.lower)):
            if 0.0 < edge < 1.0:
                reach = np.abs(graph - [t, edge]).max(axis=1).min()
                delta = delta or float(reach)
                assert reach == pytest.approx(delta, abs=0.005)
    assert delta > 0.0


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
def test_recentered_radius_by_loops():
    """Remark 3: the distance of each smoothed resample from the kernel curve, which bisection finds."""
    scores = TRUTH.sample(40, 30, rng=2)
    band = roc_band(scores, metric="sup", center="smoothed", **BALL)
    draws = resampler(scores, Smoothing(), "stratified").reversed
    model = KernelModel.fit(scores, bandwidth="curve")
    steps = scores.n_neg * (SMOOTH_STEPS // scores.n_neg)
    t = (np.arange(steps) + 0.5) / steps
    smooth = model.tpr(t)
    found = []
    for seed in spawn(1, 99):
        pos, neg = draws.draw(np.random.Generator(np.random.SFC64(seed)))
        drawn = Scores(np.repeat([1, 0], [len(pos), len(neg)]), np.concatenate([pos, neg]))
        found.append(np.abs(roc_curve(drawn).tpr_at(t) - smooth).max())
    delta = critical_value(np.array(found), 0.95)
    assert np.interp(0.5, band.at, band.lower) == pytest.approx(
        roc_curve(scores).tpr_at(0.5)[0] - delta, abs=2e-3
    )


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
@pytest.mark.parametrize("metric", ["sup", "db", "hausdorff"])
def test_a_bandwidth_is_in_units_of_the_scores(metric):
    scores = TRUTH.sample(40, 30, rng=3)
    both = roc_band(scores, metric=metric, bandwidth=(0.4, 0.4), **BALL)
    assert replace(roc_band(scores, metric=metric, bandwidth=0.4, **BALL), method=both.method) == both
    stretched = Scores.from_counts(scores.score * 8.0, scores.pos, scores.neg)
    assert replace(roc_band(stretched, metric=metric, bandwidth=3.2, **BALL), method=both.method) == both
    pos, neg = (np.repeat(scores.score, c) for c in (scores.pos, scores.neg))
    h = tuple(reference(float(x.std()), len(x), -0.25) for x in (pos, neg))
    assert roc_band(scores, metric=metric, **BALL).area == pytest.approx(
        roc_band(scores, metric=metric, bandwidth=h, **BALL).area, abs=1e-9
    )


def test_pairs_drawn_have_binomial_class_sizes():
    scores = TRUTH.sample(30, 70, rng=1)
    draws = resampler(scores, Smoothing(), "full")
    generator = np.random.default_rng(1)
    sizes = [tuple(map(len, draws.draw(generator))) for _ in range(2000)]
    n_pos = np.array(sizes)[:, 0]
    assert set(np.sum(sizes, axis=1)) == {100}
    # Five standard errors of the mean, and of the standard deviation.
    assert n_pos.mean() == pytest.approx(30.0, abs=5.0 * np.sqrt(21.0 / 2000))
    assert n_pos.std() == pytest.approx(np.sqrt(21.0), rel=5.0 / np.sqrt(4000))
    # Of four pairs, two positive, one to three are: in 4, 6 and 4 of 14 draws.
    draws = resampler(Scores([0, 0, 1, 1], range(4)), Smoothing(bandwidth=None), "full")
    n_pos = np.bincount([len(draws.draw(generator)[0]) for _ in range(2000)], minlength=4)
    assert n_pos.tolist() == pytest.approx([0.0, 4000 / 7, 6000 / 7, 4000 / 7], abs=110)


def test_noise_has_the_bandwidth_for_its_standard_deviation():
    scores = TRUTH.sample(30, 40, rng=1)
    spread = np.repeat(scores.score, scores.pos).var()
    for kernel in ("gaussian", "uniform"):
        draws = resampler(scores, Smoothing(0.9, kernel), "stratified")
        generator = np.random.default_rng(2)
        drawn = np.concatenate([draws.draw(generator)[0] for _ in range(2000)])
        unit = np.log2(draws.bandwidths[0] / 0.9)
        assert unit == round(unit)
        # 60,000 draws: five standard errors of a variance are below 5·√(2/60,000) = 3%.
        assert drawn.var() / 4.0**unit == pytest.approx(spread + 0.81, rel=0.03)
    least, largest = draws.pos[0] - REACH * draws.bandwidths[0], draws.pos[-1] + REACH * draws.bandwidths[0]
    assert least <= drawn.min() < drawn.max() <= largest
    assert drawn.max() > draws.pos[-1] + 0.5 * REACH * draws.bandwidths[0]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"bandwidth": 0.0}, "`bandwidth` must be positive"),
        ({"bandwidth": 1e308}, "`bandwidth` must be more than 1e-06 and less than 1e"),
        ({"bandwidth": 1e-320}, "`bandwidth` must be more than 1e-06"),
        ({"bandwidth": np.array([0.5, 0.0])}, "`bandwidth` must be positive"),
        ({"bandwidth": (1.0, 2.0, 3.0)}, "`bandwidth` must be a number, a pair"),
        ({"bandwidth": "silverman"}, "`bandwidth`"),
        ({"kernel": "box"}, "`kernel`"),
        ({"center": "mean"}, "`center`"),
        ({"sampling": "pairs"}, "`sampling`"),
        ({"smoothing": False, "center": "smoothed"}, "`center` must be omitted without smoothing"),
    ],
)
def test_impossible_options(options, says):
    with pytest.raises(ValueError, match=says):
        roc_band(TRUTH.sample(30, 30, rng=1), **BALL | options)
