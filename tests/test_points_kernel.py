"""The kernel ROC curve: bandwidth rules against quadrature, estimates against direct sums."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

from confroc import ConfrocWarning, Scores
from confroc.models import KernelModel
from confroc.models.bandwidths import KAPPA, class_samples, derivative_reference, hall_hyndman_bandwidths
from confroc.models.kernel_grid import KERNELS, density, distribution, estimated_hall_hyndman, make_grid
from confroc.points import fpr_at_tpr, tpr_at_fpr
from confroc.points.kernel import PEAK, ROUGHNESS, kernel_curve

pytestmark = pytest.mark.filterwarnings("ignore:.*fewer than five:confroc.ConfrocWarning")


@pytest.fixture
def scores() -> Any:
    g = np.random.default_rng(0)
    return Scores(np.r_[np.zeros(120), np.ones(80)], np.r_[g.normal(size=120), g.normal(1.5, 0.7, 80)])


def test_constants_of_the_gaussian_kernel() -> None:
    phi, cdf = stats.norm.pdf, stats.norm.cdf
    assert pytest.approx(2 * integrate.quad(lambda u: u * phi(u) * cdf(u), -9, 9)[0]) == KAPPA
    assert pytest.approx(integrate.quad(lambda u: phi(u) ** 2, -9, 9)[0]) == ROUGHNESS
    assert pytest.approx(phi(0)) == PEAK


@pytest.mark.parametrize(
    ("means", "sds"), [((0.3, 1.5), (1.2, 0.7)), ((0, 0), (1, 1)), ((-1, 2), (0.5, 3.0))]
)
def test_density_weighted_rule_is_hall_and_hyndmans_ratio_of_integrals(means: Any, sds: Any) -> None:
    pdf_f, pdf_g = (stats.norm(m, s).pdf for m, s in zip(means, sds, strict=True))

    def slope(x: float) -> float:
        return float(-(x - means[0]) / sds[0] ** 2 * pdf_f(x))

    above = integrate.quad(lambda x: pdf_f(x) * pdf_g(x) ** 2, -15, 15, limit=200)[0]
    below = integrate.quad(lambda x: (slope(x) * pdf_g(x)) ** 2, -15, 15, limit=200)[0]
    wanted = pytest.approx((KAPPA * above / below / 50) ** (1 / 3), rel=1e-7)
    neg, pos = ((m, s, 50) for m, s in zip(means, sds, strict=True))
    assert hall_hyndman_bandwidths(*pos, *neg, weight="density")[1] == wanted
    # The same rule with the classes exchanged.
    assert hall_hyndman_bandwidths(*neg, *pos, weight="density")[0] == wanted


def test_derivatives_bandwidths_are_the_normal_ones() -> None:
    """A derivative's best bandwidth minimizes R(K^(r))/(n h^(2r+1)) + h^4 R(f^(r+2))/4, by quadrature."""

    def roughness(order: Any) -> Any:
        polynomial = np.polynomial.hermite_e.HermiteE.basis(order)
        return integrate.quad(lambda u: (polynomial(u) * stats.norm.pdf(u)) ** 2, -12, 12)[0]

    for order in (0, 1, 2):
        rough = roughness(order), roughness(order + 2)
        best = ((2 * order + 1) * rough[0] / (40 * rough[1])) ** (1 / (2 * order + 5))
        assert derivative_reference(1.0, 40, order) == pytest.approx(best, rel=1e-7)


def test_coverage_error_of_the_studentized_median() -> None:
    """Coverage lost by estimating f at the median, uniform population, n = 201; 100,000 samples, se 0.001."""
    g, n, h, z = np.random.default_rng(1), 201, 0.05, 1.96
    lost = 0
    for _ in range(20):
        x = np.sort(g.random((5000, n)), axis=1)
        median = x[:, n // 2]
        f = stats.norm.pdf((x - median[:, None]) / h).mean(axis=1) / h
        error, half = np.abs(median - 0.5), z * math.sqrt(0.25 / n)
        lost += np.sum(error <= half) - np.sum(error <= half / f)
    bracket = ROUGHNESS * (2 - z * z) - 2 * PEAK
    assert -lost / 100_000 == pytest.approx(z * stats.norm.pdf(z) * bracket / (n * h), abs=0.005)


def test_grid_densities_equal_direct_sums(scores: Any) -> None:
    samples = class_samples(scores)
    grid = make_grid(samples, (0.2, 0.3))
    at = grid.x[:: len(grid.x) // 50]
    for which, cases in ((0, np.repeat(scores.score, scores.neg)), (1, np.repeat(scores.score, scores.pos))):
        u = (at[:, None] - cases) / 0.3
        direct = stats.norm.pdf(u).mean(axis=1) / 0.3
        np.testing.assert_allclose(np.interp(at, grid.x, density(grid, which, 0.3)), direct, atol=2e-3)
        direct = ((u**2 - 1) * stats.norm.pdf(u)).mean(axis=1) / 0.3**3
        np.testing.assert_allclose(np.interp(at, grid.x, density(grid, which, 0.3, 2)), direct, atol=0.05)
        direct = stats.norm.cdf(u).mean(axis=1)
        np.testing.assert_allclose(np.interp(at, grid.x, distribution(grid, which, 0.3)), direct, atol=2e-3)


def test_estimated_rule_finds_the_normal_one_in_a_normal_sample() -> None:
    g = np.random.default_rng(4)
    n = 100_000
    drawn = Scores(np.r_[np.zeros(n), np.ones(n)], np.r_[g.normal(size=n), g.normal(1.0, 0.7, n)])
    samples = class_samples(drawn)
    grid = make_grid(samples, (0.05, 0.3))
    neg, pos = ((s.mean, s.scale, s.n) for s in samples)
    for which, normal in enumerate(reversed(hall_hyndman_bandwidths(*pos, *neg, weight="density"))):
        assert estimated_hall_hyndman(grid, which, samples) == pytest.approx(normal, rel=0.05)


def test_curve_is_near_the_truth_and_covers() -> None:
    """True binormal curve, 300 samples at level 0.9 in the middle of the curve.

    Coverage outside (0.83, 0.97) has probability 1.3e-4 a rate at 0.9 (a false alarm once in 4,000 seeds)
    and 0.92 at 0.8 and at 0.98 (the power).
    """
    t = np.array([0.2, 0.4])
    truth = stats.norm.sf(stats.norm.isf(t), 1.5, 0.7)
    g, inside = np.random.default_rng(2), np.zeros(2)
    for _ in range(300):
        drawn = Scores(np.r_[np.zeros(120), np.ones(80)], np.r_[g.normal(size=120), g.normal(1.5, 0.7, 80)])
        result = tpr_at_fpr(drawn, fpr=t, method="kernel", confidence_level=0.9)
        inside += (result.lower <= truth) & (truth <= result.upper)
    assert (np.abs(inside / 300 - 0.9) < 0.07).all()
    n = 40_000
    large = Scores(np.r_[np.zeros(n), np.ones(n)], np.r_[g.normal(size=n), g.normal(1.5, 0.7, n)])
    np.testing.assert_allclose(kernel_curve(large, t, 1.96).tpr, truth, atol=0.01)


def test_kernel_result_is_bounded_and_affine_invariant(scores: Any) -> None:
    t = np.arange(1, 121) / 120
    one = tpr_at_fpr(scores, fpr=t[:-1], method="kernel")
    assert (one.lower >= 0).all()
    assert (one.upper <= 1).all()
    assert (np.diff(one.estimate) >= 0).all()
    assert one.guarantee == "asymptotic"
    stretched = Scores.from_counts(scores.score * 7 - 3, scores.pos, scores.neg)
    other = tpr_at_fpr(stretched, fpr=t[:-1], method="kernel")
    np.testing.assert_allclose(one.lower, other.lower, atol=1e-9)
    back = fpr_at_tpr(scores, tpr=0.8, method="kernel")
    assert back.lower[0] < back.estimate[0] < back.upper[0]


@pytest.mark.filterwarnings("error")
def test_kernel_warns_near_the_ends(scores: Any) -> None:
    with pytest.warns(ConfrocWarning, match="fewer than five"):
        result = tpr_at_fpr(scores, fpr=[0.1, 0.9], method="kernel")
    assert "under-covers" in result.notes[0]
    assert not tpr_at_fpr(scores, fpr=0.1, method="kernel").notes


def test_kernel_says_when_it_cannot() -> None:
    with pytest.raises(ValueError, match=r"`scores` must .* two distinct scores among the positives"):
        tpr_at_fpr(Scores([0, 0, 1, 1], [1, 2, 3, 3]), fpr=0.5, method="kernel")
    g = np.random.default_rng(3)
    heavy = np.exp(12 * np.abs(g.normal(size=200)))
    with pytest.raises(ValueError, match="`scores` must have shorter tails"):
        tpr_at_fpr(Scores(np.r_[np.zeros(100), np.ones(100)], np.sort(heavy)), fpr=0.5, method="kernel")


def test_bandwidths_of_the_smooth_curve_can_be_given(scores: Any) -> None:
    """The estimate is the curve of the model with these bandwidths, which bisection finds."""
    t = np.array([0.1, 0.3, 0.6])
    for kernel in KERNELS:
        model = KernelModel.fit(scores, bandwidth=(0.3, 0.5), kernel=kernel)
        found = tpr_at_fpr(scores, fpr=t, method="kernel", bandwidth=(0.3, 0.5), kernel=kernel)
        np.testing.assert_allclose(found.estimate, model.tpr(t), atol=2e-3)
    back = fpr_at_tpr(scores, tpr=0.8, method="kernel", bandwidth=(0.3, 0.5), kernel="uniform")
    assert back.estimate[0] == pytest.approx(model.fpr(0.8)[0], abs=2e-3)
    with pytest.raises(ValueError, match="`bandwidth` must be omitted with method 'wald'"):
        tpr_at_fpr(scores, fpr=t, method="wald", bandwidth=0.3)
