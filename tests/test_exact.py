"""Exact bootstrap laws of one model, and of discordant counts."""

from __future__ import annotations

import itertools
import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from confroc import Scores, _kernels
from confroc.distributions import binomial_pmf, matched_law, matched_quantiles
from confroc.distributions.order_statistics import _exact_masses
from confroc.exact import threshold_pmf, tpr_pmf
from confroc.exact.thresholds import windows
from confroc.exact.tpr import _cdf, count_laws, law_moments, law_quantiles, mixtures

Floats = NDArray[np.float64]


def simulated(
    n_pos: int, n_neg: int, seed: int, separation: float = 1.0, decimals: int | None = None
) -> Scores:
    rng = np.random.default_rng(seed)
    y = np.r_[np.zeros(n_neg), np.ones(n_pos)]
    score = rng.normal(size=len(y)) + separation * y
    return Scores(y, score if decimals is None else np.round(score, decimals))


def enumerated(pos: list[float], neg: list[float], r: int, m_pos: int, m_neg: int) -> tuple[Floats, Floats]:
    """Laws of the threshold and of the count of true positives by drawing every possible sample."""
    support = sorted(set(neg), reverse=True)
    threshold = np.zeros(len(support))
    for sample in itertools.product(neg, repeat=m_neg):
        threshold[support.index(sorted(sample, reverse=True)[r - 1])] += len(neg) ** -float(m_neg)
    count = np.zeros(m_pos + 1)
    for s, p in zip(support, threshold, strict=True):
        for sample in itertools.product(pos, repeat=m_pos):
            count[sum(x >= s for x in sample)] += p * len(pos) ** -float(m_pos)
    return threshold, count


SAMPLES = [
    ([3.0, 5.0, 1.5], [1.0, 2.0, 3.0, 4.0]),
    ([2.0, 2.0, 1.0, 4.0], [1.0, 2.0, 2.0, 3.0]),  # ties within and between the classes
    ([1.0], [1.0, 1.0, 1.0]),
    ([0.0, 9.0], [5.0]),
    ([1.0, 2.0, 3.0, 4.0, 4.0], [4.0, 1.0, 0.0, 4.0, 2.0]),
]


@pytest.mark.parametrize(("pos", "neg"), SAMPLES)
@pytest.mark.parametrize("size", [None, (2, 3), (5, 2), (3, 5), (1, 1)])
@pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")
def test_laws_equal_enumeration(pos: list[float], neg: list[float], size: tuple[int, int] | None) -> None:
    scores = Scores([1] * len(pos) + [0] * len(neg), pos + neg)
    m_pos, m_neg = size or (len(pos), len(neg))
    rates = np.arange(1, m_neg + 1) / m_neg
    support, pmf = threshold_pmf(scores, fpr=rates, size=size)
    points, law = tpr_pmf(scores, fpr=rates, size=size)
    np.testing.assert_array_equal(support, sorted(set(neg), reverse=True))
    np.testing.assert_allclose(points, np.arange(m_pos + 1) / m_pos)
    levels = [0.025, 0.3, 0.975]
    laws = count_laws(scores, np.arange(1, m_neg + 1), m_neg)
    quantiles = law_quantiles(laws, scores.n_pos, m_pos, levels)
    for r in range(1, m_neg + 1):
        threshold, count = enumerated(pos, neg, r, m_pos, m_neg)
        np.testing.assert_allclose(pmf[r - 1], threshold, atol=1e-13)
        np.testing.assert_allclose(law[r - 1], count, atol=1e-13)
        expected = [np.argmax(np.cumsum(count) >= level - 1e-12) / m_pos for level in levels]
        np.testing.assert_allclose(quantiles[r - 1], expected)


def test_scalar_rate_drops_the_leading_axis() -> None:
    scores = simulated(6, 8, 1)
    support, pmf = threshold_pmf(scores, fpr=0.25)
    points, law = tpr_pmf(scores, fpr=0.25)
    assert pmf.shape == support.shape == (8,)
    assert law.shape == points.shape == (7,)
    np.testing.assert_array_equal(pmf, threshold_pmf(scores, fpr=[0.25, 0.5])[1][0])


def test_bad_rates_and_sizes_are_refused() -> None:
    scores = simulated(6, 8, 1)
    with pytest.raises(ValueError, match="`fpr` must be at least 1/8"):
        tpr_pmf(scores, fpr=0.1)
    with pytest.raises(ValueError, match="`fpr`"):
        threshold_pmf(scores, fpr=1.2)
    with pytest.raises(ValueError, match=r"`size\[1\]`"):
        threshold_pmf(scores, fpr=0.5, size=(3, 0))
    with pytest.raises(TypeError, match="`scores`"):
        tpr_pmf("scores", fpr=0.5)  # type: ignore[arg-type]


@pytest.mark.slow
@given(
    st.lists(st.integers(0, 6), min_size=1, max_size=30),
    st.lists(st.integers(0, 6), min_size=1, max_size=30),
    st.integers(1, 40),
    st.integers(1, 40),
    st.randoms(use_true_random=False),
)
@settings(max_examples=60, deadline=None)
def test_sums_order_and_transforms(pos, neg, m_pos, m_neg, random) -> None:  # type: ignore[no-untyped-def]
    rows = [(1, float(x)) for x in pos] + [(0, float(x)) for x in neg]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = Scores(*zip(*rows, strict=True))
        random.shuffle(rows)
        other = Scores([y for y, _ in rows], [math.exp(s) for _, s in rows])
    rates = np.arange(1, m_neg + 1) / m_neg
    for law in (threshold_pmf, tpr_pmf):
        pmf = law(scores, fpr=rates, size=(m_pos, m_neg))[1]
        np.testing.assert_allclose(pmf.sum(axis=1), 1.0, atol=1e-12)
        assert (pmf >= 0).all()
        np.testing.assert_array_equal(pmf, law(other, fpr=rates, size=(m_pos, m_neg))[1])


@pytest.mark.parametrize("a", [0.0, 2.0])
def test_moments_equal_a_sum_over_the_law(a: float) -> None:
    scores = simulated(30, 40, 1, decimals=1)
    m_pos, m_neg = 25, 60
    r = np.array([1, 7, 30, 60])
    pmf = threshold_pmf(scores, fpr=r / m_neg, size=(m_pos, m_neg))[1]
    mean, variance = law_moments(count_laws(scores, r, m_neg), scores.n_pos, m_pos, a)
    neg_rows = np.flatnonzero(scores.neg)
    p = (np.cumsum(scores.pos)[neg_rows] + a) / (30 + 2 * a)
    second = pmf @ (p**2 + p * (1 - p) / (m_pos + 2 * a))
    np.testing.assert_allclose(mean, pmf @ p, atol=1e-13)
    np.testing.assert_allclose(variance, second - (pmf @ p) ** 2, atol=1e-13)
    if a == 0.0:
        points, law = tpr_pmf(scores, fpr=r / m_neg, size=(m_pos, m_neg))
        np.testing.assert_allclose(law @ points, mean, atol=1e-13)
        np.testing.assert_allclose(law @ points**2 - (law @ points) ** 2, variance, atol=1e-13)


@pytest.mark.parametrize(("n", "m"), [(3000, 3000), (20_000, 20_000), (20_000, 150), (2_000, 30_000)])
@pytest.mark.parametrize("decimals", [None, 2])
def test_large_sample_threshold_law_equals_the_incomplete_beta_function(
    n: int, m: int, decimals: int | None
) -> None:
    # The lattice rule against eq. 3 itself, at extreme and central rates.
    scores = simulated(50, n, 2, decimals=decimals)
    r = np.array([1, 3, m // 20, m // 2, m - 1, m])
    for count, law in zip(r.tolist(), windows(scores, r, m), strict=True):
        before = 0 if law.rows[0] == 0 else scores.neg_above[law.rows[0] - 1]
        above = np.append(before, scores.neg_above[law.rows])
        np.testing.assert_allclose(law.pmf, _exact_masses(count, m, above / n), atol=2e-14)


@pytest.mark.parametrize(
    ("n_pos", "n_neg", "m"), [(4000, 4000, 4000), (30_000, 20_000, 20_000), (5_000, 5_000, 60)]
)
@pytest.mark.parametrize("separation", [0.2, 1.5])
def test_large_sample_quantiles_are_exact(n_pos: int, n_neg: int, m: int, separation: float) -> None:
    from scipy.stats import binom

    scores = simulated(n_pos, n_neg, 3, separation)
    r = np.array([1, m // 30, m // 3, m - m // 20])
    levels = [0.005, 0.025, 0.5, 0.975]
    found = np.rint(law_quantiles(count_laws(scores, r, m), n_pos, m, levels) * m).astype(int)
    for i, law in enumerate(windows(scores, r, m)):
        share = scores.pos_above[law.rows] / n_pos
        for j, level in enumerate(levels):
            # eq. 5 summed threshold by threshold, with scipy's binomial law
            assert law.pmf @ binom.cdf(found[i, j], m, share) >= level - 1e-10
            assert law.pmf @ binom.cdf(found[i, j] - 1, m, share) < level + 1e-10


def test_merging_thresholds_keeps_the_cumulative_law() -> None:
    from scipy.stats import binom

    scores = simulated(20_000, 20_000, 4, 0.5)
    m = 1_000
    r = np.array([2, 50, 500])
    for law, mixture in zip(windows(scores, r, m), mixtures(scores, r, (m, m)), strict=True):
        assert mixture.half.size > 0  # otherwise nothing was merged
        share = scores.pos_above[law.rows] / 20_000
        for count in np.linspace(m * share.min(), m * share.max() - 1, 7).astype(int).tolist():
            direct = law.pmf @ binom.cdf(count, m, share)
            assert abs(_cdf(mixture, m, count) - direct) < 1e-11


def test_tpr_law_of_a_large_sample() -> None:
    scores = simulated(60_000, 50_000, 5)
    points, law = tpr_pmf(scores, fpr=[0.001, 0.3])
    laws = count_laws(scores, np.array([50, 15_000]), 50_000)
    mean, variance = law_moments(laws, scores.n_pos, 60_000, 0.0)
    np.testing.assert_allclose(law.sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(law @ points, mean, rtol=1e-11)
    np.testing.assert_allclose(law @ points**2 - mean**2, variance, rtol=1e-7)


@pytest.mark.parametrize(("n", "p"), [(1, 1 / 3), (30, 0.0), (30, 1.0), (45, 2 / 9), (300, 1 / 100)])
def test_binomial_masses_equal_fractions(n: int, p: float) -> None:
    exact = Fraction(p)
    expected = [float(math.comb(n, k) * exact**k * (1 - exact) ** (n - k)) for k in range(n + 1)]
    masses = binomial_pmf(np.arange(n + 1), n, np.array(p))
    np.testing.assert_allclose(masses, expected, rtol=1e-12, atol=1e-300)
    one_by_one = [float(binomial_pmf(k, n, np.array(p))) for k in range(n + 1)]
    np.testing.assert_allclose(one_by_one, expected, rtol=1e-12, atol=1e-300)


# --- discordant counts -------------------------------------------------------------------------------


def trinomial_law(n10: int, n01: int, n: int, m: int) -> Floats:
    """P(M10 - M01 = d), d = -m..m, by repeated convolution."""
    law = np.ones(1)
    for _ in range(m):
        law = np.convolve(law, [n01 / n, 1 - (n10 + n01) / n, n10 / n])
    return law


@pytest.mark.parametrize("m", [1, 2, 7, 60, 900])
def test_discordant_law_equals_convolution(m: int) -> None:
    n = 20
    cells = [(u, d) for u in (0, 1, 5, 10, 19, 20) for d in (0, 1, 5, 10, 19, 20) if u + d <= n]
    n10, n01 = np.array(cells).T
    ge, eq, le = matched_law(n10, n01, n, m)
    levels = [0.025, 0.5, 0.975]
    quantiles = matched_quantiles(n10, n01, n, m, levels)
    for i, (u, d) in enumerate(cells):
        law = trinomial_law(u, d, n, m)
        expected = [law[m:].sum(), law[m], law[: m + 1].sum()]
        np.testing.assert_allclose([ge[i], eq[i], le[i]], expected, atol=1e-13)
        cumulative = np.cumsum(law)
        expected = [(np.argmax(cumulative >= level - 1e-12) - m) / m for level in levels]
        np.testing.assert_allclose(quantiles[i], expected, atol=1e-15)


def test_discordant_law_of_many_draws() -> None:
    # Every case discordant: D = 2 Bin(m, p) - m, so the binomial law is a second source.
    from scipy.stats import binom

    m = 1_000_000
    ge, eq, le = matched_law([50_000, 50_010], [50_000, 49_990], 100_000, m)
    half = m // 2
    p = np.array([0.5, 0.5001])
    np.testing.assert_allclose(eq, binom.pmf(half, m, p), rtol=1e-7)
    np.testing.assert_allclose(ge, binom.sf(half - 1, m, p), atol=1e-9)
    np.testing.assert_allclose(le, binom.cdf(half, m, p), atol=1e-9)
    np.testing.assert_allclose(ge + le - eq, 1.0, atol=1e-13)


@pytest.mark.slow
def test_compiled_moments_give_the_same_mixtures(monkeypatch: pytest.MonkeyPatch) -> None:
    g = np.random.default_rng(12)
    y = g.integers(0, 2, 40_000)
    # Continuous scores, and scores with ties.
    for s in (g.normal(size=y.size) + y, np.round(g.normal(size=y.size) + y, 4)):
        scores = Scores(y, s)
        r = np.array([1, 200, scores.n_neg // 2, scores.n_neg - 3])
        monkeypatch.setattr(_kernels, "BIG", 10**9)
        slow = mixtures(scores, r, (scores.n_pos, scores.n_neg))
        monkeypatch.setattr(_kernels, "BIG", 0)
        fast = mixtures(scores, r, (scores.n_pos, scores.n_neg))
        assert any(law.half.size for law in slow)
        for one, other in zip(slow, fast, strict=True):
            np.testing.assert_array_equal(one.share, other.share)
            np.testing.assert_allclose(one.weight, other.weight, atol=1e-15)
