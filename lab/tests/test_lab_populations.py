"""Populations: what they say of themselves against what their samples show, and against other formulas.

Shares of 200,000 seeded draws are compared with the truth within 4.5 standard errors; over all comparisons
here (fewer than 150) a correct population fails for one seed in a thousand.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import special, stats

from confroc import Scores
from confroc_lab import (
    Exponential,
    Normal,
    NormalMixture,
    NormalPair,
    Population,
    SamplePopulation,
    SmoothedCopy,
    StudentT,
    TiedDistributions,
    TwoDistributions,
    binormal,
    binormal_with_auc,
    threshold_at_positive_rate,
)
from probit import Probit
from regimes import Regimes
from shapes import MODELS, PAIRS

DRAWS = 200_000
ALLOWED = 4.5


def small_sample(seed: int = 3, ties: bool = False) -> Scores:
    rng = np.random.default_rng(seed)
    y = np.arange(90) < 40
    score = rng.normal(y * 1.2, 1.0)
    return Scores(y, np.round(score) if ties else score)


POPULATIONS: dict[str, Population] = {
    "binormal": binormal(3.0, -3.0, 3.75, 3.0),
    "student": TwoDistributions(StudentT(3.0, 1.5), StudentT(3.0)),
    "mixture": TwoDistributions(NormalMixture((0.3, 0.7), (Normal(0.0, 1.0), Normal(3.0, 0.5))), Normal()),
    "exponential": TwoDistributions(Exponential(3.0), Exponential(1.0)),
    "tied": TiedDistributions(Normal(1.0), Normal(0.0), step=0.5),
    **{f"shape: {name}": shape for name, shape in MODELS.items()},
    "probit": Probit(1.0, 1.0),
    "probit steep": Probit(-0.5, 3.0),
    "sample": SamplePopulation.of(small_sample()),
    "smoothed": SmoothedCopy.of(small_sample()),
    "smoothed categories": SmoothedCopy.of(small_sample(ties=True)),
}


@pytest.mark.parametrize("name", POPULATIONS)
def test_rates_are_those_of_the_draws(name: str) -> None:
    population = POPULATIONS[name]
    pos, neg = (x[0] for x in population.draw(np.random.default_rng(5), DRAWS, DRAWS, 1))
    thresholds = np.quantile(np.concatenate([pos, neg]), [0.02, 0.2, 0.5, 0.7, 0.95])
    fpr, tpr = population.rates(thresholds)
    for rate, drawn in ((fpr, neg), (tpr, pos)):
        seen = np.array([np.mean(drawn >= t) for t in thresholds])
        error = np.sqrt(np.maximum(rate * (1.0 - rate), 1e-9) / DRAWS)
        assert (np.abs(seen - rate) <= ALLOWED * error + 1e-9).all()


@pytest.mark.parametrize("name", POPULATIONS)
def test_area_is_that_of_the_draws(name: str) -> None:
    population = POPULATIONS[name]
    pos, neg = (x[0] for x in population.draw(np.random.default_rng(6), DRAWS, DRAWS, 1))
    drawn = Scores(np.repeat([1, 0], DRAWS), np.concatenate([pos, neg]))
    # The variance of an empirical area is at most A(1 - A)/min(n_pos, n_neg).
    error = math.sqrt(population.auc * (1.0 - population.auc) / DRAWS)
    assert abs(drawn.auc - population.auc) <= ALLOWED * error


@pytest.mark.parametrize("name", POPULATIONS)
def test_thresholds_invert_rates(name: str) -> None:
    population = POPULATIONS[name]
    wanted = np.array([0.01, 0.2, 0.5, 0.9])
    fpr, _ = population.rates(population.threshold_at_fpr(wanted))
    called_at = threshold_at_positive_rate(population, wanted, 0.4)
    at_fpr, at_tpr = population.rates(called_at)
    called = 0.4 * at_tpr + 0.6 * at_fpr
    if population.support is None:
        np.testing.assert_allclose(fpr, wanted, rtol=1e-8)
        np.testing.assert_allclose(called, wanted, rtol=1e-8)
    else:
        # The highest score that reaches the rate: enough are called, and one score higher too few.
        assert (fpr >= wanted - 1e-12).all()
        assert (called >= wanted - 1e-12).all()
        above = np.nextafter(called_at, np.inf)
        at_fpr, at_tpr = population.rates(above)
        assert (0.4 * at_tpr + 0.6 * at_fpr < wanted).all()


@pytest.mark.parametrize("name", POPULATIONS)
def test_curve_passes_through_all_operating_points(name: str) -> None:
    population = POPULATIONS[name]
    knots = np.array([0.003, 0.11, 0.5, 0.77])
    x, y = population.curve(knots)
    assert x[0] == 0.0
    assert (x[-1], y[-1]) == (1.0, 1.0)
    assert (np.diff(x) >= 0.0).all()
    assert (np.diff(y) >= -1e-12).all()
    fpr, tpr = population.rates(population.threshold_at_fpr(knots))
    found = [np.min(np.hypot(x - f, y - t)) for f, t in zip(fpr, tpr, strict=True)]
    assert max(found) < 2e-4


def test_binormal_area_and_probit_against_other_formulas() -> None:
    assert binormal(3.0, -3.0, 3.75, 3.0).auc == pytest.approx(
        special.ndtr(6.0 / math.hypot(3.75, 3.0)), abs=1e-15
    )
    assert binormal_with_auc(0.83, sd=0.7).auc == pytest.approx(0.83, abs=1e-14)
    # By quadrature of the normal density times the chance of a positive.
    x = np.linspace(-12.0, 12.0, 400_001)
    weight = stats.norm.pdf(x) * stats.norm.cdf(1.0 + x)
    share = np.trapezoid(weight, x)
    probit = Probit(1.0, 1.0)
    assert probit.share == pytest.approx(share, abs=1e-10)
    for t in (-1.0, 0.0, 0.4, 2.0):
        above = np.trapezoid(np.where(x >= t, weight, 0.0), x) / share
        assert probit.rates(t)[1] == pytest.approx(above, abs=3e-5)


def test_gauss_rule_for_the_area_against_a_closed_form() -> None:
    # TPR = FPR^(1/3) has area 3/4.
    assert TwoDistributions(Exponential(3.0), Exponential(1.0)).auc == pytest.approx(0.75, abs=1e-12)


def test_pairs_have_the_stated_correlation_and_models() -> None:
    pair = NormalPair((1.0, 3.0), (-1.0, -1.0), 3.75, 3.0, 0.6)
    pos, neg = pair.draw(np.random.default_rng(1), 50_000, 50_000, 1)
    for drawn in (pos[0], neg[0]):
        # Standard error of a correlation of 0.6: (1 - 0.36)/sqrt(n) = 0.0029.
        assert abs(np.corrcoef(drawn.T)[0, 1] - 0.6) < 4.5 * 0.0029
    for i, model in enumerate((pair.a, pair.b)):
        assert abs(np.mean(pos[0, :, i] >= 2.0) - model.rates(2.0)[1]) < 4.5 * 0.5 / math.sqrt(50_000)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_pairs_by_copula_have_their_models_and_the_stated_dependence(name: str) -> None:
    pair = PAIRS[name]
    drawn = pair.draw(np.random.default_rng(4), 50_000, 50_000, 1)
    for i, model in enumerate((pair.a, pair.b)):
        t = model.threshold_at_fpr(np.array([0.05, 0.3, 0.8]))
        for truth, scores in zip(model.rates(t), (drawn[1][0, :, i], drawn[0][0, :, i]), strict=True):
            found = np.mean(scores[:, None] >= t, axis=0)
            error = np.sqrt(np.maximum(truth * (1.0 - truth), 1e-6) / 50_000)
            assert (np.abs(found - truth) < ALLOWED * error + 1e-9).all()
    if not any(isinstance(model, TiedDistributions) for model in (pair.a, pair.b)):
        # Kendall's tau of correlated normals, (2/π)·arcsin(ρ), does not change with the margins.
        tau = stats.kendalltau(*drawn[1][0, :5000].T).statistic
        assert abs(tau - 2.0 / math.pi * math.asin(pair.correlation)) < ALLOWED * 0.0095


def test_regimes_put_the_low_segment_first() -> None:
    regimes = Regimes.morin(0.6, 0.9)
    assert (round(regimes.low.auc, 12), round(regimes.high.auc, 12)) == (0.6, 0.9)
    pos, neg = regimes.draw(np.random.default_rng(2), 2_000, 2_000, 20)
    low, high = (
        Scores(np.repeat([1, 0], 20_000), np.r_[pos[:, s].ravel(), neg[:, s].ravel()]).auc
        for s in (slice(0, 1000), slice(1000, 2000))
    )
    # Standard errors are below 0.0035.
    assert abs(low - 0.6) < 0.016
    assert abs(high - 0.9) < 0.016


def test_smoothed_copy_does_not_change_under_increasing_transforms() -> None:
    scores = small_sample()
    moved = Scores.from_counts(np.exp(scores.score), scores.pos, scores.neg)
    a, b = SmoothedCopy.of(scores), SmoothedCopy.of(moved)
    np.testing.assert_array_equal(a.pos, b.pos)
    np.testing.assert_array_equal(a.neg, b.neg)
    assert a.support is None


def test_smoothed_copy_keeps_categories() -> None:
    scores = small_sample(ties=True)
    copy = SmoothedCopy.of(scores)
    assert copy.support is not None
    assert len(copy.support) == len(scores.score)
    assert abs(copy.auc - scores.auc) < 0.05


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: Normal(0.0, -1.0), "sd"),
        (lambda: NormalMixture((0.5, 0.6), (Normal(), Normal())), "weights"),
        (lambda: NormalMixture((1.0,), (Normal(), Normal())), "weights"),
        (lambda: TwoDistributions(Normal(), Normal(), share=1.0), "share"),
        (lambda: Probit(0.0, -1.0), "slope"),
        (lambda: NormalPair((0, 0), (0, 0), 1.0, 1.0, 1.0), "correlation"),
        (lambda: binormal_with_auc(1.0), "auc"),
    ],
)
def test_impossible_populations_are_refused(make: Callable[[], object], named: str) -> None:
    with pytest.raises(ValueError, match=f"`{named}`"):
        make()
