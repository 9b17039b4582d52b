"""The smoothed bootstrap of areas, against loops and against the normal law that it approaches."""

import numpy as np
import pytest
from scipy import stats

from confroc import ConfrocWarning, Scores, auc_interval, roc_curve
from confroc.models import BinormalModel, KernelModel
from confroc.models.resampler import Smoothing, resampler
from confroc.resample import spawn


@pytest.mark.parametrize("part", [{}, {"max_fpr": 0.3}, {"min_tpr": 0.4}])
def test_ends_by_loops(part):
    scores = BinormalModel.from_auc(0.8).sample(25, 30, rng=1)
    draws, areas = resampler(scores, Smoothing(0.5, "uniform"), "stratified"), []
    for seed in spawn(1, 99):
        pos, neg = draws.draw(np.random.Generator(np.random.SFC64(seed)))
        if part:
            drawn = Scores(np.repeat([1, 0], [25, 30]), np.concatenate([pos, neg]))
            areas.append(roc_curve(drawn).partial_auc(**part))
        else:
            areas.append(sum(x > y for x in pos for y in neg) / 750.0)
    ordered = sorted(areas)
    for tails in ("percentile", "basic", "symmetric"):
        found = auc_interval(
            scores,
            method="smoothed_bootstrap",
            bandwidth=0.5,
            kernel="uniform",
            tails=tails,
            n_resamples=99,
            rng=1,
            **part,
        )
        own = found.estimate
        half = sorted(abs(a - own) for a in areas)[94]
        wanted = {
            "percentile": (ordered[2], ordered[96]),
            "basic": (2 * own - ordered[96], 2 * own - ordered[2]),
            "symmetric": (own - half, own + half),
        }[tails]
        most = 0.3 if "max_fpr" in part else 0.6 if part else 1.0
        assert (found.lower, found.upper) == pytest.approx(np.clip(wanted, 0.0, most), abs=1e-12)
        assert found.standard_error == pytest.approx(np.std(areas, ddof=1))


def test_resamples_centre_on_the_kernel_model():
    """Mean and spread of the resampled areas are those of samples from the kernel curve."""
    scores = BinormalModel.from_auc(0.8).sample(60, 70, rng=1)
    found = auc_interval(scores, method="smoothed_bootstrap", tails="percentile", n_resamples=4000, rng=1)
    model = KernelModel.fit(scores, bandwidth="curve")
    middle = 0.5 * (found.lower + found.upper)
    # The standard error of an end is about 0.04/√4000·2.5 = 0.002.
    assert middle == pytest.approx(model.auc, abs=0.008)
    half = stats.norm.ppf(0.975) * found.standard_error
    assert found.upper - found.lower == pytest.approx(2.0 * half, rel=0.08)


@pytest.mark.parametrize("part", [{}, {"max_fpr": 0.3}, {"min_tpr": 0.4}])
def test_recentering_shifts_the_errors_by_the_areas_distance(part):
    """The kernel curve's area by quadrature over its rates, which bisection finds."""
    scores = BinormalModel.from_auc(0.8).sample(60, 70, rng=1)
    options = {"method": "smoothed_bootstrap", "tails": "percentile", "n_resamples": 99, "rng": 1, **part}
    plain, moved = (auc_interval(scores, center=center, **options) for center in ("empirical", "smoothed"))
    model, t = KernelModel.fit(scores, bandwidth="curve"), (np.arange(2000) + 0.5) / 2000
    area = model.auc
    if "max_fpr" in part:
        area = 0.3 * model.tpr(0.3 * t).mean()
    elif part:
        area = 0.6 * (1.0 - model.fpr(0.4 + 0.6 * t)).mean()
    assert moved.lower - plain.lower == pytest.approx(plain.estimate - area, abs=1e-3)
    assert moved.upper - plain.upper == pytest.approx(plain.estimate - area, abs=1e-3)


def test_says_what_it_is_and_what_it_cannot():
    scores = BinormalModel.from_auc(0.8).sample(30, 30, rng=1)
    found = auc_interval(scores, method="smoothed_bootstrap", n_resamples=49, rng=1, n_jobs=2)
    assert found == auc_interval(scores, method="smoothed_bootstrap", n_resamples=49, rng=1)
    assert (str(found.method), found.guarantee) == ("smoothed_bootstrap", "bootstrap")
    for option in ({"bandwidth": 0.0}, {"bandwidth": {}}, {"kernel": ""}, {"center": ""}, {"tails": ""}):
        with pytest.raises(ValueError, match=f"`{next(iter(option))}` must be"):
            auc_interval(scores, method="smoothed_bootstrap", n_resamples=49, **option)
    with pytest.raises(ValueError, match="`bandwidth` must be omitted with method 'delong'"):
        auc_interval(scores, method="delong", bandwidth=0.3)
    flat = Scores.from_counts([2, 1], pos=[5, 0], neg=[3, 4])
    with pytest.warns(
        ConfrocWarning,
        match="^The standard error is zero or undefined; Newcombe's score interval is reported",
    ):
        assert auc_interval(flat, method="smoothed_bootstrap", n_resamples=49).method.name == "newcombe"
