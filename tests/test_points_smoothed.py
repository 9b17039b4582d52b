"""Symmetric bootstrap intervals at a false positive rate, smoothed and studentized or not."""

import numpy as np
import pytest
from scipy import stats

from confroc import Scores, roc_curve, tpr_at_fpr
from confroc.models import BinormalModel
from confroc.points.smoothed import standard_error

METHODS = (
    "smoothed_bootstrap",
    "smoothed_studentized_bootstrap",
    "naive_bootstrap",
    "naive_studentized_bootstrap",
)


@pytest.mark.parametrize("method", METHODS)
def test_covers_near_its_level(method):
    truth, held, runs = BinormalModel.from_auc(0.8), 0, 100
    for seed in range(runs):
        scores = truth.sample(100, 100, rng=seed)
        found = tpr_at_fpr(scores, 0.2, method=method, confidence_level=0.8, n_resamples=99, rng=seed)
        held += found.lower[0] <= truth.tpr([0.2])[0] <= found.upper[0]
    # 100 runs outside [62, 96] have probability below 2e-3 at 75 % to 85 % (the false alarm), 90 % at 55 %
    # and 98 % at 99 % (the power).
    assert 62 <= held <= 96


@pytest.mark.filterwarnings("ignore:.*zero width:confroc.ConfrocWarning")
def test_says_what_it_is():
    scores = BinormalModel.from_auc(0.8).sample(30, 30, rng=1)
    found = tpr_at_fpr(scores, [0.1, 0.5, 1.0], method=METHODS[1], n_resamples=49, rng=1)
    assert (found.method, found.kind, found.guarantee) == (METHODS[1], "pointwise", "bootstrap")
    assert found.estimate[2] == 1.0
    np.testing.assert_allclose(found.estimate, roc_curve(scores).tpr_at([0.1, 0.5, 1.0]))
    with pytest.raises(ValueError, match="`size`"):
        tpr_at_fpr(scores, 0.5, method=METHODS[0], size=(20, 20))


@pytest.mark.parametrize("method", METHODS)
def test_threads_change_nothing(method):
    scores = BinormalModel.from_auc(0.8).sample(30, 30, rng=1)
    one, two = (tpr_at_fpr(scores, 0.3, method=method, n_resamples=49, rng=1, n_jobs=n) for n in (1, 2))
    assert (one.lower, one.upper) == (two.lower, two.upper)


def test_only_smoothing_needs_spread():
    flat = Scores.from_counts([2, 1], pos=[5, 0], neg=[3, 4])
    with pytest.raises(ValueError, match="`scores` must have two scores or more among the positives"):
        tpr_at_fpr(flat, 0.5, method="smoothed_bootstrap", n_resamples=49)


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
