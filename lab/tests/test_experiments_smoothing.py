"""Readings of the bootstrap ball and laws without resampling, each against another way to the same number."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from confroc import Scores, roc_curve
from confroc.bands import ball
from confroc.models import KernelModel
from laws import (
    ALPHA,
    GAP,
    POPULATION,
    bandwidths,
    farthest,
    naive_law,
    normal_distance,
    smooth_area,
    smoothed_law,
    true_law,
)
from readings import (
    Plan,
    curves_apart,
    distances,
    ends_of,
    fitted_probabilities,
    resampled_classes,
    smooth_steps,
)

REACHED = 5.0
"""Standard errors within which a simulation must meet an exact number: a chance of 6e-7."""


def drawn(seed: int, n_pos: int, n_neg: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    return rng.normal(1.0, 1.0, n_pos), rng.standard_normal(n_neg)


@pytest.mark.parametrize("seed", range(6))
def test_distances_are_the_librarys(seed: int) -> None:
    rng = np.random.default_rng(seed)
    f, g = (np.sort(rng.integers(0, 12, n) / 11.0) for n in rng.integers(1, 30, 2))
    assert distances(f, g) == pytest.approx((ball.sup_distance(f, g), ball.db_distance(f, g)), abs=1e-12)
    assert distances.py_func(f, g) == distances(f, g)


@pytest.mark.parametrize("sampling", ["full", "stratified", "swapped"])
def test_a_resample_is_judged_as_its_own_curve(sampling: str) -> None:
    pos, neg = drawn(1, 12, 9)
    plan = Plan(sampling=sampling)
    classes = resampled_classes(plan, pos, neg, 200, np.random.default_rng(2))
    share = {"full": 12 / 21, "stratified": 12 / 21, "swapped": 9 / 21}[sampling]
    assert classes.mean() == pytest.approx(share, abs=REACHED * math.sqrt(0.25 / 4200))
    if sampling == "stratified":
        assert set(classes.sum(axis=1)) == {12}
    own = ball.steps_of(*(np.bincount(np.argsort(np.argsort(-np.r_[pos, neg]))[part], minlength=21)
                          for part in (slice(0, 12), slice(12, None))))  # fmt: skip
    out = np.empty((200, 4))
    curves_apart(classes, own, 0.4, 0.3, out)
    for row, found in zip(classes[:20], out, strict=False):
        again = roc_curve(Scores(row, np.arange(21.0)))
        n = int((~row).sum())
        steps = again.tpr_at((np.arange(n) + 0.5) / n)
        sup = ball.sup_distance(own, steps)
        wanted = [sup, ball.db_distance(own, steps), max(sup, steps[0], own[0]), steps[int(0.3 * n)] - 0.4]
        np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_noise_moves_scores_by_the_bandwidth() -> None:
    """The share of pairs in order, over resamples, is the kernel model's area."""
    pos, neg = drawn(3, 30, 20)
    scores = Scores(np.repeat([1, 0], [30, 20]), np.concatenate([pos, neg]))
    for kernel in ("gaussian", "uniform"):
        classes = resampled_classes(
            Plan("0.8", kernel, "stratified"), pos, neg, 4000, np.random.default_rng(1)
        )
        rank = np.cumsum(~classes, axis=1)
        areas = (rank * classes).sum(axis=1) / 600.0
        model = KernelModel.fit(scores, bandwidth=0.8, kernel=kernel)
        assert areas.mean() == pytest.approx(model.auc, abs=REACHED * areas.std() / math.sqrt(4000))
        t = (np.arange(50) + 0.5) / 50
        np.testing.assert_allclose(smooth_steps(Plan("0.8", kernel), pos, neg, 50), model.tpr(t), atol=1e-3)


def test_fitted_probabilities_maximise_the_likelihood() -> None:
    rng = np.random.default_rng(5)
    x = rng.standard_normal(400)
    y = 1.0 + x + rng.standard_normal(400) > 0.0
    p_pos, p_neg = fitted_probabilities(x[y], x[~y])
    z = stats.norm.ppf(np.concatenate([p_pos, p_neg]))
    slope, intercept = np.polyfit(np.concatenate([x[y], x[~y]]), z, 1)

    def likelihood(a: float, b: float) -> float:
        return float(stats.norm.logcdf(a + b * x[y]).sum() + stats.norm.logsf(a + b * x[~y]).sum())

    best = likelihood(intercept, slope)
    for a, b in ((0.01, 0.0), (-0.01, 0.0), (0.0, 0.01), (0.0, -0.01)):
        assert likelihood(intercept + a, slope + b) < best


def test_ends_by_hand() -> None:
    errors = np.arange(-9.0, 11.0)
    assert ends_of(errors, 0.8, "percentile") == (-8.0, 8.0)
    assert ends_of(errors, 0.8, "basic") == (-8.0, 8.0)
    assert ends_of(errors + 3.0, 0.8, "basic") == (-11.0, 5.0)
    assert ends_of(errors, 0.8, "symmetric") == (-8.0, 8.0)


# --- laws -----------------------------------------------------------------------------------------------


def shares_below(values: Any, at: Any) -> Any:
    return (values[:, None] <= at + 1e-9).mean(axis=0)


def own_curve(pos: Any, neg: Any) -> float:
    """Rate above the threshold that leaves floor(n·α) negatives above it."""
    return float((pos > np.sort(neg)[::-1][math.floor(ALPHA * len(neg) + 1e-9)]).mean())


def test_laws_are_those_of_simulations() -> None:
    n, reps = 40, 20_000
    rng = np.random.default_rng(1)
    k = np.arange(8.0, 40.0, 4.0)
    error = REACHED * math.sqrt(0.25 / reps)
    pos, neg = rng.logistic(GAP, 1.0, (reps, n)), rng.logistic(0.0, 1.0, (reps, n))
    threshold = np.sort(neg, axis=1)[:, ::-1][:, 8]
    rates = (pos > threshold[:, None]).sum(axis=1)
    np.testing.assert_allclose(true_law(POPULATION, n).below(k, n), shares_below(rates, k), atol=error + 2e-3)
    x, y = pos[0], neg[0]
    for law, h in ((naive_law(x, y), (0.0, 0.0)), (smoothed_law(x, y, (0.5, 0.7), False, 0.0), (0.5, 0.7))):
        again = [
            z[rng.integers(n, size=(reps, n))] + w * rng.standard_normal((reps, n))
            for z, w in zip((x, y), h, strict=True)
        ]
        threshold = np.sort(again[1], axis=1)[:, ::-1][:, 8]
        counts = (again[0] > threshold[:, None]).sum(axis=1)
        np.testing.assert_allclose(law.below(k, n), shares_below(counts, k), atol=error + 5e-3)
    assert naive_law(x, y).center == pytest.approx(own_curve(x, y))


@pytest.mark.slow
def test_distance_of_laws_on_a_fine_grid() -> None:
    x, y = (np.random.default_rng(7).logistic(m, 1.0, 60) for m in (GAP, 0.0))
    ours, true, n = naive_law(x, y), true_law(POPULATION, 60), 60
    at = np.linspace(-0.7, 0.7, 20_001)
    one, other = (law.below(np.floor((at + law.center) * n + 1e-9), n) for law in (ours, true))
    assert farthest(ours, true, n) == pytest.approx(np.abs(one - other).max(), abs=1e-9)


@pytest.mark.parametrize("alpha", [0.1, 0.2, 0.5])
def test_the_variance_of_the_curve_is_that_of_theorem_1(alpha: float) -> None:
    """Equation 4 at 8,000 cases of either class, against the exact law's variance by quadrature."""
    n = 8000
    law = true_law(POPULATION, n, alpha)
    mean = law.weight @ law.p
    variance = law.weight @ (law.p - mean) ** 2 + law.weight @ (law.p * (1.0 - law.p)) / n
    x = POPULATION.neg.threshold(alpha)
    slope = stats.logistic.pdf(x, GAP) / stats.logistic.pdf(x)
    tpr = law.center
    # n and p are those of both classes: r_n has the factor √(2n), and p = ½.
    equation_4 = (alpha * (1.0 - alpha) * slope**2 + tpr * (1.0 - tpr)) / n
    # Quadrature errs by 0.4 %.
    assert variance == pytest.approx(equation_4, rel=0.01)
    assert abs(mean - tpr) < 0.1 * math.sqrt(variance)


@pytest.mark.slow
def test_sup_distances_are_of_order_root_n() -> None:
    """Theorem 1: the mean of √n·sup|R̂ − R| is the same within two errors with 4,000 and with 16,000 cases.

    The errors are small enough to tell orders that differ by n^0.04 apart.
    """
    rng = np.random.default_rng(4)
    found = np.empty((2, 1000))
    for row, n in zip(found, (2000, 8000), strict=True):
        for i in range(len(row)):
            pos, neg = np.sort(rng.logistic(GAP, 1.0, n)), np.sort(rng.logistic(0.0, 1.0, n))
            steps = 1.0 - np.searchsorted(pos, neg[::-1]) / n
            at = [np.clip((np.arange(n) + k) / n, 1e-12, 1.0 - 1e-12) for k in (0, 1)]
            ends = [POPULATION.pos.survival(POPULATION.neg.threshold(t)) for t in at]
            row[i] = math.sqrt(2 * n) * max(np.abs(steps - end).max() for end in ends)
    mean, error = found.mean(axis=1), math.hypot(*found.std(axis=1, ddof=1)) / math.sqrt(1000)
    assert abs(mean[1] - mean[0]) < 2.0 * error
    assert 2.0 * error / mean[0] < 4.0**0.04 - 1.0


def test_the_papers_design_breaks_its_first_hypothesis() -> None:
    """H1 bounds the slope of the curve; the probit model's likelihood ratio grows for ever."""
    x = np.array([2.0, 4.0, 6.0])
    ratio = stats.norm.cdf(1.0 + x) / stats.norm.sf(1.0 + x)
    assert (ratio[1:] > 1e3 * ratio[:-1]).all()


def test_normal_laws_and_smooth_areas() -> None:
    assert normal_distance(0.0, 1.1, 1.1) == 0.0
    # Equal spreads, means two apart: the largest distance is in the middle.
    assert normal_distance(2.0, 1.0, 1.0) == pytest.approx(2.0 * stats.norm.cdf(1.0) - 1.0, abs=1e-4)
    x, y = drawn(9, 50, 60)
    h = bandwidths(x, y, -0.25)
    pairs = stats.norm.cdf((x[:, None] - y) / math.hypot(*h)).mean()
    assert smooth_area(x, y, math.hypot(*h)) == pytest.approx(pairs, abs=2e-3)
