"""Interval primitives against scipy, statsmodels-style formulas written out, and enumeration."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from confroc import distributions
from confroc.distributions import chi2_sum_quantile, chi2_sum_tail
from support import mid_p_limit

counts = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("ours", "scipys"), [(distributions.wilson, "wilson"), (distributions.clopper_pearson, "exact")]
)
@pytest.mark.parametrize("level", [0.5, 0.9, 0.999])
def test_single_intervals_equal_scipys(ours: Any, scipys: Any, level: Any) -> None:
    for k, n in [(0, 1), (1, 1), (0, 7), (3, 7), (7, 7), (250, 1000)]:
        low, high = ours(np.array([k]), n, level)
        theirs = stats.binomtest(k, n).proportion_ci(level, method=scipys)
        np.testing.assert_allclose([low[0], high[0]], [theirs.low, theirs.high], rtol=1e-9, atol=1e-12)


def test_jeffreys_equals_beta_quantiles() -> None:
    low, high = distributions.jeffreys(np.array([0, 3, 10]), 10, 0.9)
    assert low[0] == 0.0
    assert high[2] == 1.0
    np.testing.assert_allclose(low[1], stats.beta.ppf(0.05, 3.5, 7.5))
    np.testing.assert_allclose(high[1], stats.beta.ppf(0.95, 3.5, 7.5))


def test_the_papers_interval_without_a_false_positive() -> None:
    # Dugas & Gadoury 2009, section 5.1: no false positive among 10,000, each side at level sqrt(0.9). Two
    # successes and failures are added, for z²/2 = 1.90.
    low, high = distributions.wald(np.array([0]), 10_000, math.sqrt(0.9), a=2.0)
    assert low[0] == 0.0
    assert high[0] == pytest.approx(4.7539e-04, abs=5e-9)


@given(counts, st.floats(0.01, 0.999))
def test_agresti_coull_contains_wilsons_interval(kn: Any, level: float) -> None:
    k, n = kn
    low, high = distributions.agresti_coull(np.array([k]), n, level)
    inner = distributions.wilson(np.array([k]), n, level)
    assert low[0] <= inner[0][0] + 1e-12
    assert high[0] >= inner[1][0] - 1e-12
    if 0.0 < low[0] < high[0] < 1.0:
        assert low[0] + high[0] == pytest.approx(inner[0][0] + inner[1][0])


@given(counts, st.integers(1, 40), st.floats(0.001, 0.999))
def test_bootstrap_quantiles_equal_the_table_of_the_binomial(kn: Any, m: Any, prob: Any) -> None:
    k, n = kn
    found = distributions.bootstrap_quantiles(np.array([k]), n, m, (prob,))[0, 0]
    cdf = stats.binom.cdf(np.arange(m + 1), m, k / n)
    assert cdf[round(found * m)] >= prob - 1e-9
    assert round(found * m) == 0 or cdf[round(found * m) - 1] < prob + 1e-9


def test_bootstrap_quantiles_of_a_large_sample() -> None:
    quantiles = distributions.bootstrap_quantiles(np.array([123, 0, 10**6]), 10**6, 10**6, (0.025, 0.975))
    np.testing.assert_array_equal(quantiles[0] * 10**6, stats.binom.ppf([0.025, 0.975], 10**6, 123e-6))
    np.testing.assert_array_equal(quantiles[1:], [[0, 0], [1, 1]])


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=40).filter(any),
    st.floats(0.001, 0.999),
    st.floats(-50.0, 90.0),
    st.sampled_from([0.0, 1.0, 30.0]),
)
def test_discrete_quantile_equals_the_table_for_any_start(
    masses: Any, prob: Any, mean: Any, deviation: Any
) -> None:
    table = np.cumsum(masses) / np.sum(masses)
    found = distributions.discrete_quantile(lambda k: table[k + 3], prob, -3, len(table) - 4, mean, deviation)
    assert found + 3 == distributions.first_reaching(table[None, :], np.array([prob]))[0, 0]
    assert table[found + 3] >= prob - 1e-9
    assert found == -3 or table[found + 2] < prob + 1e-9


def test_discrete_quantile_of_a_large_sample_takes_few_steps() -> None:
    asked = []

    def cdf(k: int) -> float:
        asked.append(k)
        return float(stats.binom.cdf(k, 10**9, 0.3))

    found = distributions.discrete_quantile(cdf, 0.975, 0, 10**9, 3e8, math.sqrt(2.1e8))
    assert found == stats.binom.ppf(0.975, 10**9, 0.3)
    assert len(asked) <= 8


def test_wilson_limits_bound_the_interval() -> None:
    low, high = distributions.wilson(np.array([3]), 12, 0.9)
    z = distributions.normal_quantile(0.9)
    assert (low[0], high[0]) == tuple(distributions.wilson_limit(0.25, 12, side) for side in (-z, z))


@pytest.mark.parametrize("n", [1, 12, 300])
def test_mid_p_limits_solve_their_equation(n: int) -> None:
    k = np.unique([0, 1, n // 3, n - 1, n])
    for z in (-2.576, -0.5, 0.0, 1.96, 4.0):
        want = [mid_p_limit(x, n, z) for x in k.tolist()]
        assert distributions.mid_p_limit(k, n, z) == pytest.approx(want, abs=1e-9)
    assert distributions.mid_p_limit([0, 7], [5, 7], [-1.0, 1.0]).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.999])
def test_quantile_for_an_unknown_bias(level: float) -> None:
    shift = np.array([0.0, 1e-9, 0.1, 1.0, 5.0, 40.0])
    found = distributions.biased_quantile(shift, level)
    want = [brentq(lambda c, s=s: ndtr(c) - ndtr(-c - s) - level, 0.0, 9.0, xtol=1e-13) for s in shift]
    assert found == pytest.approx(want, abs=1e-10)
    assert (found[0], found[-1]) == pytest.approx((ndtri(0.5 + level / 2.0), ndtri(level)))


def test_matched_difference_is_the_variance_of_m_steps() -> None:
    # A step of +1, -1 or 0 for each of m cases; the variance of their mean by its definition.
    n10, n01, n, m = 7, 2, 30, 50
    p = np.array([n10, n01, n - n10 - n01]) / n
    steps = np.array([1, -1, 0])
    mean, variance = p @ steps, (p @ steps**2 - (p @ steps) ** 2) / m
    low, high = distributions.matched_difference(np.array([n10]), np.array([n01]), n, 0.9, m=m)
    half = stats.norm.ppf(0.95) * math.sqrt(variance)
    np.testing.assert_allclose([low[0], high[0]], [mean - half, mean + half])


def test_agresti_min_adds_a_half_a_half_and_one() -> None:
    added = distributions.matched_difference(np.array([15]), np.array([5]), 64, 0.95)
    # Twice the counts make whole numbers of (7, 2, 21) plus (1/2, 1/2, 1); the variance is of 32 cases.
    low, high = distributions.agresti_min(np.array([7]), np.array([2]), 30, 0.95)
    center = (added[0] + added[1]) / 2.0
    np.testing.assert_allclose((low + high) / 2.0, center)
    np.testing.assert_allclose(high - center, (added[1] - center) * math.sqrt(2.0))


def test_agresti_caffo_is_wald_on_enlarged_samples() -> None:
    plain = distributions.independent_difference(np.array([8]), 12, 12, np.array([4]), 22, 22, 0.95)
    caffo = distributions.independent_difference(np.array([7]), 10, 10, np.array([3]), 20, 20, 0.95, a=1.0)
    np.testing.assert_allclose(caffo, plain)


@given(counts, counts, st.floats(0.01, 0.999))
def test_differences_stay_inside_and_turn_with_their_sides(a: Any, b: Any, level: Any) -> None:
    (k_a, n_a), (k_b, n_b) = a, b
    of_a, of_b = (np.array([k_a]), n_a, n_a), (np.array([k_b]), n_b, n_b)
    there, back = (distributions.independent_difference(*x, level, a=1.0) for x in (of_a + of_b, of_b + of_a))
    np.testing.assert_allclose(there[0], -back[1], atol=1e-15)
    assert -1.0 <= there[0][0] <= there[1][0] <= 1.0


@given(st.integers(1, 40), st.floats(0.0, 1.0), st.integers(2, 30))
def test_order_statistics_fall_where_binomial_counts_say(m: int, share: float, n: int) -> None:
    """The r-th of m draws is among the first c of n cases when r draws or more are."""
    r = max(1, round(share * m))
    cut = np.arange(n + 1)
    within = stats.binom.sf(r - 1, m, cut / n)
    np.testing.assert_allclose(distributions.order_masses(r, m, cut, n), np.diff(within), atol=1e-12)
    np.testing.assert_allclose(distributions.order_cdf(r, m, cut / n), within, atol=1e-12)
    low, high = distributions.beta_window(r, m)
    assert stats.beta.cdf(float(low), r, m - r + 1) <= 1.1e-17
    assert stats.beta.sf(float(high), r, m - r + 1) <= 1.1e-17


# SciPy's binomial overflows at probabilities below 1e-300.
@given(st.integers(1, 400), st.sampled_from([0.0, 1.0]) | st.floats(1e-12, 1.0 - 1e-12))
def test_window_holds_the_binomial_law(m: int, p: float) -> None:
    window = distributions.binomial_window(p, m)
    outside = stats.binom.cdf(window[0] - 1, m, p) + stats.binom.sf(window[-1], m, p)
    assert outside < 1e-16
    np.testing.assert_allclose(
        distributions.binomial_pmf(window, m, np.asarray(p)), stats.binom.pmf(window, m, p), atol=1e-12
    )


@pytest.mark.parametrize(
    ("weight", "df"),
    [((1.0, 1.0), (9, 9)), ((0.005, 0.0005), (9, 9)), ((2.0, 0.001), (4, 9)), ((1.0, 0.7), (1, 1))],
)
def test_weighted_sum_of_two_chi_squares(weight: tuple[float, float], df: tuple[int, int]) -> None:
    """By adaptive quadrature over the wider part's probabilities instead of the narrower part's root."""
    mean = sum(w * d for w, d in zip(weight, df, strict=True))
    x = np.array([0.3, 1.0, 2.5]) * mean
    found = chi2_sum_tail(x, weight, df)
    for one, ours in zip(x, found, strict=True):
        below = integrate.quad(
            lambda t, one=one: (
                stats.chi2.pdf(t, df[0]) * stats.chi2.cdf((one - weight[0] * t) / weight[1], df[1])
            ),
            0.0,
            one / weight[0],
            points=[0.9 * one / weight[0], 0.99 * one / weight[0]],
            limit=500,
            epsabs=1e-10,
        )[0]
        assert ours == pytest.approx(1.0 - below, abs=1e-6)
    assert chi2_sum_quantile(float(found[1]), weight, df) == pytest.approx(mean, rel=1e-9)


def test_weighted_chi_squares_in_closed_form() -> None:
    x = np.array([-1.0, 0.0, 0.7, 5.0])
    # Two of two degrees of freedom are exponential.
    a, b = 2.0 * 0.3, 2.0 * 1.1
    expected = np.where(x > 0, (b * np.exp(-x / b) - a * np.exp(-x / a)) / (b - a), 1.0)
    np.testing.assert_allclose(chi2_sum_tail(x, (0.3, 1.1), (2, 2)), expected, atol=1e-11)
    np.testing.assert_allclose(chi2_sum_tail(x, (1.0, 1.0), (9, 9)), stats.chi2(18).sf(x), atol=1e-11)
    np.testing.assert_allclose(chi2_sum_tail(x, (1.0, 2.0), (0, 3)), stats.chi2(3).sf(x / 2), atol=1e-11)
    assert chi2_sum_tail(x, (1.0, 1.0), (0, 0)).tolist() == [1.0, 0.0, 0.0, 0.0]
    assert chi2_sum_quantile(0.1, (1.0, 1.0), (0, 0)) == 0.0


@pytest.mark.parametrize(
    ("k", "m", "hits", "n"),
    [
        *((0, 5, 3, 20), (3, 5, 3, 20), (1, 1, 1, 1), (5, 5, 20, 20), (0, 5, 0, 20)),
        *((14, 100, 60, 1000), (135, 1500, 219, 3000), (300, 1000, 500, 10_000), (0, 1000, 500, 10_000)),
    ],
)
def test_hypergeometric_tails_equal_scipys(k: int, m: int, hits: int, n: int) -> None:
    less, greater = distributions.hypergeometric_tails(k, m, hits, n)
    law = stats.hypergeom(n, hits, m)
    assert less == pytest.approx(law.cdf(k), rel=1e-9)
    assert greater == pytest.approx(law.sf(k - 1), rel=1e-9)


@pytest.mark.slow
def test_hypergeometric_tails_of_a_million_million_cases_are_normal() -> None:
    n, hits, m = 2 * 10**12, 10**12, 10**12
    sd = math.sqrt(m * 0.25 * (n - m) / (n - 1))
    k = hits // 2 + round(3.0 * sd)
    assert distributions.hypergeometric_tails(k, m, hits, n)[1] == pytest.approx(stats.norm.sf(3.0), rel=1e-4)


def above(a: float, b: float, rest: float, x: float) -> float:
    """P(P - Q > x) for (P, Q) of Dirichlet(a, b, rest) by quadrature over sqrt(Q), which removes b's pole."""

    def density(root: float) -> float:
        q = root * root
        given = stats.beta.sf((x + q) / (1.0 - q), a, rest) if q < 1.0 else 0.0
        return float(2.0 * root * stats.beta.pdf(q, b, a + rest) * given)

    top, middle = math.sqrt((1.0 - x) / 2.0), math.sqrt(b / (a + b + rest))
    near = [p for p in middle + np.linspace(-8.0, 8.0, 17) / (2.0 * math.sqrt(a + b + rest)) if 0.0 < p < top]
    return float(integrate.quad(density, 0.0, top, points=near, epsabs=0.0, epsrel=1e-10, limit=500)[0])


@pytest.mark.slow
def test_tails_of_two_cells_of_a_trinomial_against_quadrature() -> None:
    laws = [
        (0.5, 0.5, 0.5),
        (0.5, 1.5, 49.5),
        (0.765, 3.826, 74.2),
        (3.3, 2.2, 6.1),
        (10.5, 0.5, 0.5),
        (40.0, 22.0, 300.0),
        (0.5, 0.5, 1000.5),
        (2000.0, 52.0, 261.0),
        (1e4, 9e3, 8.1e4),
    ]
    a, b, rest = np.array(laws).T
    one = distributions.Parts.of(np.ones(len(a), dtype=np.int64))
    for columns in ((a, b), (b, a)):
        found = distributions.trinomial_differences(one, np.ones(len(a)), *columns, rest)
        for tail in (1e-6, 0.025, 0.5):
            x = np.maximum(found.end(tail), 0.0)
            expected = [above(*law, y) for *law, y in zip(*columns, rest, x, strict=True)]
            np.testing.assert_allclose(found.beyond(x)[0], expected, rtol=1e-6, atol=1e-13)
            inside = found.end(tail) > 0.0
            np.testing.assert_allclose(np.array(expected)[inside], tail, rtol=1e-4)
        slope = (found.beyond(0.0999)[0] - found.beyond(0.1001)[0]) / 0.0002
        np.testing.assert_allclose(found.beyond(0.1)[1][:4], slope[:4], rtol=1e-4)
