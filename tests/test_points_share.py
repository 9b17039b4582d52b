"""Rates at a share flagged by a mixture of Beta laws, against quadrature, simulation and what must hold."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from confroc import Scores, rates_at_positive_rate, roc_curve
from confroc.points.share_mixture import Law
from confroc_lab import Normal, TiedDistributions
from confroc_lab.shares import rates_at_share

SIDES = ("fpr", "tpr", "precision")
METHODS: Any = ("beta_mixture", "agresti_coull", "wald", "bootstrap", "exact_bootstrap")
TINY = Scores([0, 0, 1, 0, 0, 1, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])


def walk(scores: Scores, k: int) -> int:
    """Positives among the k highest cases; no ties."""
    return int(sum(([1] * p + [0] * n)[0] for p, n in zip(scores.pos[:k], scores.neg[:k], strict=True)))


def share_law(pos: int, neg: int, sure_pos: bool, sure_neg: bool) -> Any:
    """Jeffreys's law of a share, or the point at which a class that was not seen has none."""
    if sure_pos and pos == 0:
        return 0.0
    if sure_neg and neg == 0:
        return 1.0
    return stats.beta(pos + 0.5, neg + 0.5)


def chance_below(x: float, q: float, p: Any, s: Any) -> float:
    """P(q p / (q p + (1 - q) s) <= x) by quadrature over p."""
    factor = q * (1.0 - x) / ((1.0 - q) * x)

    def rest(value: float) -> float:
        least = factor * value
        return float(least <= s) if isinstance(s, float) else float(s.sf(least))

    if isinstance(p, float):
        return rest(p)
    return float(integrate.quad(lambda u: rest(float(p.ppf(u))), 0.0, 1.0, limit=400, epsabs=1e-10)[0])


@pytest.mark.slow
@pytest.mark.parametrize("q", [0.35, 0.5, 0.9])
def test_full_sampling_against_quadrature(q: float) -> None:
    """The chance below each end, over all numbers of cases above the cut, is the tail asked for."""
    found = rates_at_positive_rate(TINY, positive_rate=q, confidence_level=0.9)
    n, n_pos = 10, 5
    for name, tail, sure in (
        ("tpr", "lower", "found spared"),
        ("tpr", "upper", "false missed"),
        ("fpr", "lower", "false missed"),
        ("fpr", "upper", "found spared"),
    ):
        end = float(getattr(getattr(found, name), tail)[0])
        reached = 0.0
        for k in range(n + 1):
            j = walk(TINY, k)
            above = (j, k - j, "found" in sure, "false" in sure)
            below = (n_pos - j, n - k - n_pos + j, "missed" in sure, "spared" in sure)
            if name == "fpr":
                above, below = (
                    (above[1], above[0], above[3], above[2]),
                    (below[1], below[0], below[3], below[2]),
                )
            p, s = share_law(*above), share_law(*below)
            x = end if 0.0 < end < 1.0 else 1.0 - 1e-12 if end else 1e-12
            reached += float(stats.binom.pmf(k, n, q)) * chance_below(x, q, p, s)
        wanted = 0.05 if tail == "lower" else 0.95
        if 0.0 < end < 1.0:
            assert reached == pytest.approx(wanted, abs=5e-4)
        else:
            # So much of the law is at this end of the range.
            assert reached >= wanted if end == 0.0 else reached <= wanted


def test_where_the_cut_may_be_above_all_cases_a_rate_may_be_zero() -> None:
    # With probability 0.9¹⁷ = 0.17 no case is above it; of both rates, one of them at most is seen then.
    scores = Scores.from_counts([4, 3, 2, 1], pos=[4, 3, 2, 0], neg=[0, 0, 3, 5])
    few, many = (rates_at_positive_rate(scores, positive_rate=q, confidence_level=0.9) for q in (0.1, 0.9))
    assert (few.tpr.lower[0], few.fpr.lower[0], many.tpr.upper[0], many.fpr.upper[0]) == (0.0, 0.0, 1.0, 1.0)


def test_precision_against_a_sum_of_beta_laws() -> None:
    found = rates_at_positive_rate(TINY, positive_rate=0.5, confidence_level=0.8).precision
    for end, wanted, sure in ((found.lower[0], 0.1, True), (found.upper[0], 0.9, False)):
        reached = 0.0
        for k in range(11):
            law = share_law(walk(TINY, k), k - walk(TINY, k), sure, not sure)
            reached += stats.binom.pmf(k, 10, 0.5) * (law <= end if isinstance(law, float) else law.cdf(end))
        assert reached == pytest.approx(wanted, abs=1e-6) if 0.0 < end < 1.0 else reached >= wanted


@pytest.mark.slow
def test_stratified_sampling_against_quadrature() -> None:
    """The law of p on the line q p + (1 - q) s = π, by quadrature over p of every place of the cut."""
    g = np.random.default_rng(5)
    y = np.repeat([1, 0], [14, 26])
    scores = Scores(y, g.normal(size=40) + 1.2 * y)
    q, pi = 0.4, 0.35
    low = max(0.0, (pi - 0.6) / q)
    high = min(1.0, pi / q)
    masses, parts = [], []
    found = rates_at_positive_rate(scores, positive_rate=q, sampling="stratified", confidence_level=0.9)
    ends = [float(found.precision.lower[0]), float(found.precision.upper[0])]
    for k in range(1, 40):
        j = walk(scores, k)
        above, below = stats.beta(j + 0.5, k - j + 0.5), stats.beta(14 - j + 0.5, 26 - k + j + 0.5)

        def density(p: float, above: Any = above, below: Any = below) -> float:
            return float(above.pdf(p) * below.pdf((pi - q * p) / (1.0 - q)))

        weight = float(stats.binom.pmf(k, 40, q))
        if weight < 1e-9:
            continue
        whole = integrate.quad(density, low + 1e-9, high - 1e-9, limit=300)[0]
        masses.append(weight * whole)
        parts.append([weight * integrate.quad(density, low + 1e-9, end, limit=300)[0] for end in ends])
    reached = np.sum(parts, axis=0) / np.sum(masses)
    np.testing.assert_allclose(reached, [0.05, 0.95], atol=3e-3)
    # One number decides all three rates.
    np.testing.assert_allclose(found.tpr.lower, q * found.precision.lower / pi)
    np.testing.assert_allclose(found.fpr.upper, q * (1.0 - found.precision.lower) / (1.0 - pi))


@pytest.mark.parametrize("sampling", ["full", "stratified"])
@pytest.mark.parametrize("method", METHODS)
def test_all_flagged_is_certain(method: Any, sampling: Any) -> None:
    """Both rates are 1 by definition where everyone is flagged; nothing warns of it."""
    found = rates_at_positive_rate(TINY, positive_rate=[0.5, 1.0], method=method, sampling=sampling, rng=1)
    for side in (found.fpr, found.tpr):
        assert side.lower[1] == side.estimate[1] == side.upper[1] == 1.0
    assert found.precision.lower[1] <= 0.5 <= found.precision.upper[1]


def test_with_few_positives_the_share_all_but_decides_the_false_positive_rate() -> None:
    """FPR = q (1 - p)/(1 - π): with 2% positives π may move it by a few hundredths of its width only."""
    g = np.random.default_rng(2)
    y = (np.arange(1000) < 20).astype(int)
    scores = Scores(y, g.exponential(size=1000) * np.where(y == 1, 4.0, 1.0))
    q = np.array([0.05, 0.3])
    found = rates_at_positive_rate(scores, positive_rate=q)
    for end, other in ((found.fpr.lower, found.precision.upper), (found.fpr.upper, found.precision.lower)):
        width = found.fpr.upper - found.fpr.lower
        np.testing.assert_array_less(np.abs(end - q * (1.0 - other) / 0.98), 0.25 * width)


tables = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 1)), min_size=4, max_size=40).filter(
    lambda rows: 0 < sum(y for _, y in rows) < len(rows)
)


@pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")
@settings(max_examples=12, deadline=None)
@given(tables, st.floats(0.02, 0.99), st.sampled_from(["full", "stratified"]))
def test_invariants(rows: Any, q: float, sampling: Any) -> None:
    score, y = (np.array(column) for column in zip(*rows, strict=True))
    found = rates_at_positive_rate(Scores(y, score), positive_rate=q, sampling=sampling)
    order = np.random.default_rng(0).permutation(len(y))
    other = rates_at_positive_rate(
        Scores(y[order], np.exp(score[order] / 3.0)), positive_rate=q, sampling=sampling
    )
    # Flagging the highest is leaving the lowest: the highest of the mirrored sample.
    mirrored = rates_at_positive_rate(Scores(1 - y, -score), positive_rate=1.0 - q, sampling=sampling)
    np.testing.assert_allclose(found.tpr.lower, 1.0 - mirrored.fpr.upper, atol=2e-3)
    np.testing.assert_allclose(found.tpr.upper, 1.0 - mirrored.fpr.lower, atol=2e-3)
    curve = roc_curve(Scores(y, score))
    line = curve.fpr * (y == 0).sum() + curve.tpr * (y == 1).sum()
    for name in SIDES:
        side, same = getattr(found, name), getattr(other, name)
        for end in ("estimate", "lower", "upper"):
            np.testing.assert_allclose(getattr(side, end), getattr(same, end), atol=1e-12)
        assert 0.0 <= side.lower[0] <= side.estimate[0] <= side.upper[0] <= 1.0
    assert found.tpr.estimate[0] == pytest.approx(np.interp(q * len(y), line, curve.tpr), abs=1e-12)
    assert found.fpr.estimate[0] == pytest.approx(np.interp(q * len(y), line, curve.fpr), abs=1e-12)
    assert found.at[0] == q
    assert found.flagged[0] == pytest.approx(q * len(y))


def test_a_tie_at_the_cut_adds_no_noise_of_its_own() -> None:
    """All scores equal: TPR = q whatever the data. The interval is narrower than where order was drawn."""
    y = np.arange(200) % 2
    tied = rates_at_positive_rate(Scores(y, np.zeros(200)), positive_rate=0.5).tpr
    drawn = rates_at_positive_rate(
        Scores(y, np.random.default_rng(1).normal(size=200)), positive_rate=0.5
    ).tpr
    assert tied.lower[0] < 0.5 < tied.upper[0]
    assert tied.upper[0] - tied.lower[0] < 0.75 * (drawn.upper[0] - drawn.lower[0])


def test_shares_between_cases_and_below_one_case() -> None:
    found = rates_at_positive_rate(TINY, positive_rate=[0.01, 0.33])
    np.testing.assert_allclose(found.flagged, [0.1, 3.3])
    np.testing.assert_allclose(found.tpr.estimate, [0.1 / 5.0, 3.0 / 5.0])
    np.testing.assert_allclose(found.fpr.estimate, [0.0, 0.3 / 5.0], atol=1e-15)
    with pytest.raises(ValueError, match="`positive_rate` must be above 0"):
        rates_at_positive_rate(TINY, positive_rate=0.0)
    with pytest.raises(ValueError, match="`size` must be omitted"):
        rates_at_positive_rate(TINY, positive_rate=0.5, size=(3, 3))


def test_true_rates_in_ties_lie_on_the_line() -> None:
    tied = TiedDistributions(Normal(1.0), Normal(), share=0.3, step=1.0)
    q = np.array([0.001, 0.2, 0.77, 1.0])
    fpr, tpr = rates_at_share(tied, q, 0.3)
    np.testing.assert_allclose(0.3 * tpr + 0.7 * fpr, q, atol=1e-12)
    # From the top: P(score rounds to at least 2) is that of reaching 1.5.
    cut = 0.3 * stats.norm.sf(0.5) + 0.7 * stats.norm.sf(1.5)
    np.testing.assert_allclose(rates_at_share(tied, np.array([cut]), 0.3)[1], stats.norm.sf(0.5))


def test_large_samples_are_normal() -> None:
    """Half a million cases: the delta method with the multinomial variance, q given."""
    g = np.random.default_rng(8)
    n, pi, q = 400_000, 0.2, 0.3
    y = (g.random(n) < pi).astype(int)
    score = g.normal(size=n) + 1.3 * y
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = rates_at_positive_rate(Scores(y, score), positive_rate=q)
    top = np.argsort(-score)
    near = y[top[int(n * (q - 0.005)) : int(n * (q + 0.005))]].mean()
    p = y[top[: int(q * n)]].mean()
    share = y.mean()
    s = (share - q * p) / (1.0 - q)
    tpr = q * p / share
    # Given k: p and s binomial; k moves both along the curve, of slope `near`.
    along = (
        q
        * (1.0 - q)
        / n
        * np.square(
            (1.0 - tpr) * (near - p) / (q * 1.0) * q / share
            + tpr * (near - s) / (1.0 - q) * (1.0 - q) / share
        )
    )
    variance = (
        np.square(q * (1.0 - tpr) / share) * p * (1.0 - p) / (n * q)
        + np.square((1.0 - q) * tpr / share) * s * (1.0 - s) / (n * (1.0 - q))
        + along
    )
    half = 1.959964 * math.sqrt(variance)
    assert float(found.tpr.upper[0] - found.tpr.lower[0]) / 2.0 == pytest.approx(half, rel=0.03)


def test_log_variance_is_that_of_the_logarithm_of_a_beta_variable() -> None:
    law = Law(np.array([0.5, 3.5, 40.0, 0.0]), np.array([2.5, 1.5, 9.0, 4.0]))
    for a, b, found in zip(*law, law.log_variance(), strict=True):
        # The logarithm of a quantile, integrated over a fine grid of probabilities.
        u = (np.arange(200_000) + 0.5) / 200_000
        wanted = np.var(np.log(stats.beta.ppf(u, a, b))) if a > 0.0 else 0.0
        assert found == pytest.approx(wanted, rel=2e-3)


def test_log_density_is_that_of_the_logarithm_of_a_beta_variable() -> None:
    law = Law(np.array([0.5, 3.5, 40.0, 0.0]), np.array([2.5, 1.5, 9.0, 4.0]))
    x = np.array([[0.1, 0.4], [0.5, 0.999], [0.7, 0.9], [0.2, 0.3]])
    wanted = x[:3] * stats.beta.pdf(x[:3], law.a[:3, None], law.b[:3, None])
    np.testing.assert_allclose(law.log_density(x), [*wanted, [0.0, 0.0]], rtol=1e-9)
