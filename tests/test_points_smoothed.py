"""Symmetric bootstrap intervals at a false positive rate, smoothed and studentized or not."""

import numpy as np
import pytest
from scipy import stats

from confroc import Scores, roc_curve, tpr_at_fpr
from confroc.models import BinormalModel, KernelModel
from confroc.models.resampler import Smoothing, resampler
from confroc.points.smoothed import standard_error
from confroc.resample import spawn

METHODS = (
    "smoothed_bootstrap",
    "smoothed_studentized_bootstrap",
    "naive_bootstrap",
    "naive_studentized_bootstrap",
)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_covers_near_its_level(method):
    truth, held, runs = BinormalModel.from_auc(0.8), 0, 100
    for seed in range(runs):
        scores = truth.sample(100, 100, rng=seed)
        found = tpr_at_fpr(scores, fpr=0.2, method=method, confidence_level=0.8, n_resamples=99, rng=seed)
        held += found.lower[0] <= truth.tpr([0.2])[0] <= found.upper[0]
    # 100 runs outside [62, 96] have probability below 2e-3 at 75% to 85% (the false alarm), 90% at 55%
    # and 98% at 99% (the power).
    assert 62 <= held <= 96


@pytest.mark.filterwarnings("ignore:.*zero width:confroc.ConfrocWarning")
def test_says_what_it_is():
    scores = BinormalModel.from_auc(0.8).sample(30, 30, rng=1)
    found = tpr_at_fpr(scores, fpr=[0.1, 0.5, 1.0], method=METHODS[1], n_resamples=49, rng=1)
    assert (str(found.method), found.kind, found.guarantee) == (METHODS[1], "pointwise", "bootstrap")
    assert found.estimate[2] == 1.0
    np.testing.assert_allclose(found.estimate, roc_curve(scores).tpr_at([0.1, 0.5, 1.0]))
    with pytest.raises(ValueError, match="`size`"):
        tpr_at_fpr(scores, fpr=0.5, method=METHODS[0], size=(20, 20))


@pytest.mark.parametrize("method", METHODS)
def test_threads_change_nothing(method):
    scores = BinormalModel.from_auc(0.8).sample(30, 30, rng=1)
    one, two = (tpr_at_fpr(scores, fpr=0.3, method=method, n_resamples=49, rng=1, n_jobs=n) for n in (1, 2))
    assert (one.lower, one.upper) == (two.lower, two.upper)


def test_only_smoothing_needs_spread():
    flat = Scores.from_counts([2, 1], pos=[5, 0], neg=[3, 4])
    with pytest.raises(
        ValueError, match="`scores` must have at least two distinct scores among the positives"
    ):
        tpr_at_fpr(flat, fpr=0.5, method="smoothed_bootstrap", n_resamples=49)


def test_standard_error_approaches_that_of_equation_4():
    truth, t = BinormalModel.from_auc(0.8, b=0.9), np.array([0.1, 0.3])
    n = 40_000
    rng = np.random.default_rng(2)
    pos, neg = np.sort((truth.a + rng.standard_normal(n)) / truth.b), np.sort(rng.standard_normal(n))
    x = stats.norm.isf(t)
    slope = stats.norm.pdf(x, truth.a / truth.b, 1.0 / truth.b) / stats.norm.pdf(x)
    tpr = truth.tpr(t)
    wanted = np.sqrt((tpr * (1.0 - tpr) + slope**2 * t * (1.0 - t)) / n)
    found = standard_error(pos, neg, tpr, x, t)
    np.testing.assert_allclose(found, wanted, rtol=0.05)


@pytest.mark.parametrize("n", [1, 4, 19])
def test_standard_error_at_the_ends_is_that_of_half_a_case(n):
    # All of n + 1 cases but a half: nothing vanishes where the curve is 0 or 1, and the slope takes no part.
    pos, neg = np.linspace(0.0, 1.0, n), np.linspace(-1.0, 0.5, 7)
    found = standard_error(pos, neg, np.array([0.0, 1.0]), np.array([2.0, -2.0]), np.array([0.0, 1.0]))
    rate = 0.5 / (n + 1)
    np.testing.assert_allclose(found, np.sqrt(rate * (1.0 - rate) / n), rtol=1e-12)


@pytest.mark.filterwarnings("ignore:.*zero width:confroc.ConfrocWarning")
@pytest.mark.parametrize("sampling", ["stratified", "full"])
@pytest.mark.parametrize("method", ["naive_bootstrap", "smoothed_bootstrap"])
def test_tails_by_loops(method, sampling):
    """Every kind of interval from the same resamples, drawn one by one and read off their own curves."""
    scores, t = BinormalModel.from_auc(0.8).sample(40, 30, rng=1), 0.21
    draws = resampler(scores, Smoothing("curve" if method[0] == "s" else None), sampling)
    own, rates = roc_curve(scores).tpr_at(t)[0], []
    for seed in spawn(1, 99):
        pos, neg = draws.draw(np.random.Generator(np.random.SFC64(seed)))
        # Between two jumps of the curve: the rate above the threshold that leaves floor(n·t) negatives.
        threshold = neg[::-1][int(t * len(neg))]
        rates.append(sum(x > threshold for x in pos) / len(pos) + 0.0)
        inside = [x for x in neg if x == threshold]
        if len(inside) > 1:
            above = sum(x > threshold for x in neg)
            tied = sum(x == threshold for x in pos)
            rates[-1] += tied * (t * len(neg) - above) / len(inside) / len(pos)
    ordered = sorted(rates)
    # Of 99, the 3rd and the 97th leave out 2.5% or less on either side.
    low, high = ordered[2], ordered[96]
    half = sorted(abs(r - own) for r in rates)[94]
    wanted = {
        "percentile": (min(low, own), max(high, own)),
        "basic": (min(2 * own - high, own), max(2 * own - low, own)),
        "symmetric": (own - half, own + half),
    }
    for tails, ends in wanted.items():
        found = tpr_at_fpr(
            scores, fpr=t, method=method, sampling=sampling, tails=tails, n_resamples=99, rng=1
        )
        np.testing.assert_allclose((found.lower[0], found.upper[0]), np.clip(ends, 0.0, 1.0), atol=1e-12)


def test_recentering_shifts_the_errors_by_the_curves_distance():
    scores, t = BinormalModel.from_auc(0.8).sample(40, 30, rng=1), 0.1
    options = {"method": "smoothed_bootstrap", "tails": "percentile", "n_resamples": 99, "rng": 1}
    plain = tpr_at_fpr(scores, fpr=t, **options)
    moved = tpr_at_fpr(scores, fpr=t, center="smoothed", **options)
    smooth = KernelModel.fit(scores, bandwidth="curve").tpr([t])[0]
    shift = plain.estimate[0] - smooth
    assert moved.lower[0] - plain.lower[0] == pytest.approx(shift, abs=2e-3)
    assert moved.upper[0] - plain.upper[0] == pytest.approx(shift, abs=2e-3)


def test_a_studentized_interval_is_a_multiple_of_the_standard_error():
    scores, t = BinormalModel.from_auc(0.8).sample(60, 50, rng=1), np.array([0.3])
    options = {"method": "smoothed_studentized_bootstrap", "n_resamples": 99, "rng": 1}
    basic, turned = (tpr_at_fpr(scores, fpr=t, tails=tails, **options) for tails in ("basic", "percentile"))
    assert basic.estimate[0] - basic.lower[0] == pytest.approx(turned.upper[0] - turned.estimate[0])
    assert basic.upper[0] - basic.estimate[0] == pytest.approx(turned.estimate[0] - turned.lower[0])


def test_only_what_is_smoothed_takes_a_bandwidth():
    scores = BinormalModel.from_auc(0.8).sample(30, 30, rng=1)
    for option in ({"bandwidth": 0.1}, {"kernel": "uniform"}, {"center": "smoothed"}):
        with pytest.raises(ValueError, match=f"`{next(iter(option))}` must be omitted"):
            tpr_at_fpr(scores, fpr=0.5, method="naive_bootstrap", n_resamples=49, **option)
