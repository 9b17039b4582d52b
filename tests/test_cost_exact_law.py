"""Moments and whole laws of bootstrap costs, against the enumeration of every bootstrap sample."""

from __future__ import annotations

import functools
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from confroc import PairedScores, Scores, UnpairedScores
from confroc._types import Sampling
from confroc.cost import cost_difference_pmf, cost_pmf, exact_law
from confroc.cost.exact_law import (
    Mixing,
    Steps,
    law_of,
    mixed_cumulants,
    quantiles,
    refined_normal_quantile,
)
from confroc.scores.counting import Discordant, counts_at
from confroc.statistics.linear_cost import ClassSizes, Errors, LinearCost, linear_form, rates_of

Y = [1, 1, 1, 0, 0, 0]
A = [5, 3, 1, 4, 2, 2]
B = [1, 4, 4, 4, 3, 1]
T_A, T_B = 3, 4
WEIGHTS = [Fraction(0), Fraction(3, 10), Fraction(1, 2), Fraction(1)]

Law = dict[Fraction, Fraction]
SAMPLINGS: tuple[Sampling, ...] = ("stratified", "full")


def case_errors(score: list[int], threshold: int) -> list[tuple[int, int]]:
    """(label, wrong) of each case."""
    return [(y, int((s >= threshold) != (y == 1))) for y, s in zip(Y, score, strict=True)]


def unit_costs_of(w: Fraction, share: Fraction) -> tuple[Fraction, Fraction]:
    """Unit costs by eq. 2, the larger one being 1."""
    miss, alarm = w / share, (1 - w) / (1 - share)
    return miss / max(miss, alarm), alarm / max(miss, alarm)


@functools.cache
def enumerate_counts(wrong: tuple[tuple[int, int], ...], sampling: Sampling) -> Counter[tuple[int, int]]:
    """How many of all samples with replacement have so many net errors in each class."""
    if sampling == "full":
        samples: Iterable[tuple[tuple[int, int], ...]] = itertools.product(wrong, repeat=len(wrong))
    else:
        pos, neg = ([case for case in wrong if case[0] == label] for label in (1, 0))
        samples = (
            p + q
            for p in itertools.product(pos, repeat=len(pos))
            for q in itertools.product(neg, repeat=len(neg))
        )
    return Counter((sum(e for y, e in s if y == 1), sum(e for y, e in s if y == 0)) for s in samples)


def enumerate_law(wrong: list[tuple[int, int]], w: Fraction, sampling: Sampling) -> Law:
    """The law over all samples, one by one; `wrong` holds (label, net error) per case."""
    n, n_pos = len(wrong), sum(y for y, _ in wrong)
    if sampling == "stratified":
        per_miss, per_alarm = w / n_pos, (1 - w) / (n - n_pos)
    else:
        per_miss, per_alarm = (unit / n for unit in unit_costs_of(w, Fraction(n_pos, n)))
    counts = enumerate_counts(tuple(wrong), sampling)
    law: Law = defaultdict(Fraction)
    for (misses, alarms), times in counts.items():
        law[per_miss * misses + per_alarm * alarms] += Fraction(times, counts.total())
    return dict(law)


def difference(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(y, a - b) for (y, a), (_, b) in zip(one, other, strict=True)]


def moments_of(law: Law) -> tuple[float, float]:
    mean = sum(c * p for c, p in law.items())
    return float(mean), float(sum((c - mean) ** 2 * p for c, p in law.items()))


def assert_same_law(support: np.ndarray, pmf: np.ndarray, law: Law) -> None:
    want = sorted(law)
    np.testing.assert_allclose(support, [float(c) for c in want], atol=1e-13)
    np.testing.assert_allclose(pmf, [float(law[c]) for c in want], atol=1e-13)
    assert pmf.sum() == pytest.approx(1.0, abs=1e-12)


SCORES, PAIR = Scores(Y, A), PairedScores(Y, A, B)


def priced(data: Scores | PairedScores | UnpairedScores, w: Fraction, sampling: Sampling) -> LinearCost:
    thresholds = (np.array([float(T_A)]), np.array([float(T_B)]))[: 1 if isinstance(data, Scores) else 2]
    return LinearCost.of(data, thresholds, linear_form(np.array([float(w)]), 0.5, sampling), sampling)


def assert_same_moments(found: LinearCost, law: Law) -> None:
    mean, variance = moments_of(law)
    assert found.mean()[0] == pytest.approx(mean, abs=1e-14)
    assert found.error()[0] ** 2 == pytest.approx(variance, abs=1e-14)


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("w", WEIGHTS)
def test_one_model(w: Fraction, sampling: Sampling) -> None:
    law = enumerate_law(case_errors(A, T_A), w, sampling)
    assert_same_moments(priced(SCORES, w, sampling), law)
    assert_same_law(*cost_pmf(SCORES, w=float(w), threshold=T_A, sampling=sampling), law)


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("w", WEIGHTS)
def test_paired_difference(w: Fraction, sampling: Sampling) -> None:
    law = enumerate_law(difference(case_errors(A, T_A), case_errors(B, T_B)), w, sampling)
    assert_same_moments(priced(PAIR, w, sampling), law)
    support, pmf = cost_difference_pmf(PAIR, w=float(w), threshold_a=T_A, threshold_b=T_B, sampling=sampling)
    assert_same_law(support, pmf, law)


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("w", WEIGHTS)
def test_unpaired_difference(w: Fraction, sampling: Sampling) -> None:
    one, other = (enumerate_law(case_errors(s, t), w, sampling) for s, t in ((A, T_A), (B, T_B)))
    law: Law = defaultdict(Fraction)
    for (a, p), (b, q) in itertools.product(one.items(), other.items()):
        law[a - b] += p * q
    unpaired = UnpairedScores(PAIR.a, PAIR.b)
    support, pmf = cost_difference_pmf(
        unpaired, w=float(w), threshold_a=T_A, threshold_b=T_B, sampling=sampling
    )
    assert_same_law(support, pmf, dict(law))
    assert_same_moments(priced(unpaired, w, sampling), dict(law))


def test_unequal_classes_under_full_sampling() -> None:
    # Five cases, two positive: every one of the 5^5 samples.
    wrong = [(1, 1), (1, 0), (0, 1), (0, 0), (0, 0)]
    law = enumerate_law(wrong, Fraction(1, 4), "full")
    scores = Scores([1, 1, 0, 0, 0], [1, 3, 4, 1, 0])
    assert_same_law(*cost_pmf(scores, w=0.25, threshold=2, sampling="full"), law)


def test_the_papers_variances_as_printed() -> None:
    """Eqs. 8, 10 and 13 of Dugas & Gadoury (2009) term by term, where ours come from one linear form."""
    n_pos, n_neg, w = 40, 90, 0.35
    n = n_pos + n_neg
    sample = ClassSizes(n_pos, n_neg, n_pos, n_neg)
    miss, alarm = w / (n_pos / n), (1 - w) / (n_neg / n)
    largest = max(miss, alarm)
    hit, false_alarm = 31, 12
    alpha_pos, alpha_neg = hit - hit**2 / n_pos, false_alarm - false_alarm**2 / n_neg
    delta2 = (miss * (n_pos - hit) / n_pos - alarm * false_alarm / n_neg) ** 2 * n_pos * n_neg / n
    eq_10 = (miss**2 * alpha_pos + alarm**2 * alpha_neg + delta2) / (n * largest) ** 2
    found = Errors(np.array([n_pos - hit]), np.array([false_alarm]))
    form = linear_form(np.array([w]), n_pos / n, "full")
    assert rates_of(found, sample, "full").variance(*form)[0] == pytest.approx(eq_10, rel=1e-12)

    # Positives called by one model only (p1, p2), negatives too (q1, q2).
    p1, p2, q1, q2 = 7, 3, 5, 9
    spread_p, spread_q = p1 + p2 - (p1 - p2) ** 2 / n_pos, q1 + q2 - (q1 - q2) ** 2 / n_neg
    eq_8 = w**2 * spread_p / n_pos**2 + (1 - w) ** 2 * spread_q / n_neg**2
    delta2 = (miss * (p1 - p2) / n_pos - alarm * (q2 - q1) / n_neg) ** 2 * n_pos * n_neg / n
    # The minus in δ² is as printed: N₋ = n − N₊ falls as N₊ rises.
    eq_13 = (miss**2 * spread_p + alarm**2 * spread_q + delta2) / (n * largest) ** 2
    both = Discordant(*(np.array([k]) for k in (p1, p2, q1, q2)))
    assert rates_of(both, sample, "stratified").variance(np.array([w]), np.array([1 - w]))[
        0
    ] == pytest.approx(eq_8, rel=1e-12)
    assert rates_of(both, sample, "full").variance(*form)[0] == pytest.approx(eq_13, rel=1e-12)


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_monte_carlo_at_200_cases(sampling: Sampling) -> None:
    rng = np.random.default_rng(11)
    y = np.arange(200) < 70
    scores = Scores(y, rng.normal(size=200) + y)
    w, threshold, runs = 0.4, 0.7, 200_000
    support, pmf = cost_pmf(scores, w=w, threshold=threshold, sampling=sampling)
    above = counts_at(scores, np.array([threshold]))
    fn, fp = 70 - int(above.pos[0]), int(above.neg[0])
    if sampling == "stratified":
        cost = w * rng.binomial(70, fn / 70, runs) / 70 + (1 - w) * rng.binomial(130, fp / 130, runs) / 130
    else:
        miss, alarm = unit_costs_of(Fraction(2, 5), Fraction(7, 20))
        drawn = rng.multinomial(200, [fn / 200, fp / 200, 1 - (fn + fp) / 200], size=runs)
        cost = (drawn[:, 0] * float(miss) + drawn[:, 1] * float(alarm)) / 200
    at = support[np.searchsorted(np.cumsum(pmf), [0.025, 0.3, 0.5, 0.9, 0.975])]
    share = (cost[:, None] <= at + 1e-9).mean(axis=0)
    law = np.array([pmf[support <= t + 1e-9].sum() for t in at])
    # Five comparisons at 5 standard errors: false alarm 3e-6.
    assert (np.abs(share - law) < 5 * np.sqrt(law * (1 - law) / runs)).all()


def test_quantiles_are_those_of_the_pmf() -> None:
    parts = [
        Steps(0.3 / 40, 0.0, (0.2, 0.05, 0.0, 0.0), 40),
        Steps(0.7 / 60, 0.0, (0.1, 0.0, 0.0, 0.0), 60),
    ]
    law = law_of(parts, 1000, 1000)
    assert law is not None
    support, pmf = law.pmf()
    for level in (0.001, 0.025, 0.5, 0.975, 0.999):
        want = support[np.searchsorted(np.cumsum(pmf), level * (1 - 1e-12))]
        assert law.quantile(level) == pytest.approx(want, abs=1e-13)


def test_pmf_of_many_cases_sums_to_one() -> None:
    part = Steps(1e-6, 0.0, (0.3, 0.2, 0.0, 0.0), 1_000_000)
    value, mass = part.law()
    mean, variance = part.cumulants()[:2]
    assert mass.sum() == pytest.approx(1.0, abs=1e-9)
    assert mass @ value == pytest.approx(mean, rel=1e-9)
    assert mass @ (value - mean) ** 2 == pytest.approx(variance, rel=1e-7)


def test_cumulants_against_the_law() -> None:
    part = Steps(0.02, 0.03, (0.2, 0.1, 0.15, 0.05), 30)
    value, mass = part.law()
    mean = mass @ value
    central = [mass @ (value - mean) ** k for k in (2, 3, 4)]
    want = [mean, central[0], central[1], central[2] - 3 * central[0] ** 2]
    # The law leaves out some thousand masses below 1e-15.
    np.testing.assert_allclose(part.cumulants(), want, rtol=1e-9, atol=1e-12)


def test_cumulants_of_a_mixture_against_its_law() -> None:
    parts = [Steps(0.02, 0.0, (0.3, 0.0, 0.0, 0.0), 30), Steps(0.05, 0.0, (0.2, 0.0, 0.0, 0.0), 20)]
    chance, factors = np.array([0.5, 0.3, 0.2]), np.array([[1.0, 0.2], [0.6, 1.5], [0.1, 2.0]])
    values, masses = [], []
    (x, p), (y, q) = (part.law() for part in parts)
    for weight, (of_x, of_y) in zip(chance, factors, strict=True):
        values.append((of_x * x[:, None] + of_y * y).ravel())
        masses.append(weight * np.outer(p, q).ravel())
    value, mass = np.concatenate(values), np.concatenate(masses)
    mean = mass @ value
    central = [mass @ (value - mean) ** k for k in (2, 3, 4)]
    want = [mean, central[0], central[1], central[2] - 3 * central[0] ** 2]
    np.testing.assert_allclose(mixed_cumulants(parts, Mixing(chance, factors)), want, rtol=1e-8)


@pytest.mark.parametrize("level", [0.005, 0.2, 0.975])
def test_refined_normal_quantiles_of_a_gamma_distribution(level: float) -> None:
    """Its cumulants are k, k, 2k and 6k; what the expansion leaves out is of the order of k^(−3/2)."""
    k = 1e6

    class Gamma:
        def cumulants(self) -> np.ndarray:
            return k * np.array([1.0, 1.0, 2.0, 6.0])

    found = refined_normal_quantile([Gamma()], level)  # type: ignore[list-item]
    assert (found - k) / 1e3 == pytest.approx((stats.gamma.ppf(level, k) - k) / 1e3, abs=3e-9)


CHANCES = (0.02, 0.03, 0.02, 0.01)


@pytest.mark.parametrize(
    "parts",
    [
        [
            Steps(0.37 / 20_000, 0.0, (0.30, 0.0, 0.0, 0.0), 20_000),
            Steps(0.63 / 20_000, 0.0, (0.02, 0.0, 0.0, 0.0), 20_000),
        ],
        [Steps(1.0 / 10_000, 0.77 / 10_000, CHANCES, 10_000)],
    ],
    ids=["one model, stratified", "pair, full"],
)
def test_refined_normal_quantiles_where_the_law_is_too_large(
    parts: list[Steps], monkeypatch: pytest.MonkeyPatch
) -> None:
    """About where laws are no longer laid out, the stand-in is within a hundredth of a standard error."""
    error = np.sqrt(sum(part.cumulants()[1] for part in parts))
    levels = (0.005, 0.025, 0.5, 0.975, 0.995)
    law = law_of(parts, 10_000, 2_000_000)
    assert law is not None
    exact = [law.quantile(level) for level in levels]
    stand_in = [refined_normal_quantile(parts, level) for level in levels]
    assert np.abs(np.subtract(exact, stand_in)).max() < 0.01 * error
    monkeypatch.setattr(exact_law, "MOST_INNER", 10)
    assert quantiles(parts, levels) == (stand_in, False)


def test_too_large_a_law_is_refused() -> None:
    scores = Scores.from_counts([2, 1], pos=[5_000_000, 5_000_000], neg=[5_000_000, 5_000_000])
    with pytest.raises(ValueError, match="`size` must give a distribution of at most"):
        cost_pmf(scores, w=0.5, threshold=2, sampling="full")
    with pytest.raises(ValueError, match="`w` must be a single number"):
        cost_pmf(scores, w=[0.2, 0.3], threshold=2)  # type: ignore[arg-type]
