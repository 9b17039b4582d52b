"""Costs where other cases tell the share of positives, and thresholds kept inside the observed scores."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

from confroc import (
    PairedScores,
    Scores,
    UnpairedScores,
    cost_band,
    cost_curve,
    cost_difference,
    cost_difference_band,
    expected_cost,
    expected_cost_difference,
    net_benefit,
    roc_curve,
)
from confroc.cost import cost_difference_pmf, cost_pmf, exact_law

Y = [1, 1, 1, 0, 0, 0, 0]
A = [5, 3, 1, 4, 2, 2, 0]
B = [1, 4, 4, 4, 3, 1, 2]
T_A, T_B = 3, 4
TOLD = 2, 5
W = Fraction(3, 10)
SCORES, PAIR = Scores(Y, A), PairedScores(Y, A, B)
UNPAIRED = UnpairedScores(PAIR.a, PAIR.b)
Law = dict[Fraction, Fraction]


def net_errors(score: list[int], threshold: int) -> list[int]:
    return [int((s >= threshold) != (y == 1)) for y, s in zip(Y, score, strict=True)]


def enumerated(*models: list[int]) -> Law:
    """Cost of every sample of each class, with every sample of the five other cases; models subtracted."""
    other = [1] * TOLD[0] + [0] * (TOLD[1] - TOLD[0])
    told = Fraction(*TOLD)
    law: Law = defaultdict(Fraction)
    sides = []
    for wrong in models:
        rates = []
        for label in (1, 0):
            cases = [e for y, e in zip(Y, wrong, strict=True) if y == label]
            found: Law = defaultdict(Fraction)
            for drawn in itertools.product(cases, repeat=len(cases)):
                found[Fraction(sum(drawn), len(cases))] += Fraction(1, len(cases) ** len(cases))
            rates.append(found)
        sides.append(rates)
    shares: Law = defaultdict(Fraction)
    for drawn in itertools.product(other, repeat=TOLD[1]):
        shares[Fraction(sum(drawn), TOLD[1])] += Fraction(1, TOLD[1] ** TOLD[1])
    for share, chance in shares.items():
        costs: Law = {Fraction(0): Fraction(1)}
        for sign, (misses, alarms) in zip((1, -1), sides, strict=False):
            added: Law = defaultdict(Fraction)
            for (c, p), (x, q), (y, r) in itertools.product(costs.items(), misses.items(), alarms.items()):
                cost = W / told * share * x + (1 - W) / (1 - told) * (1 - share) * y
                added[c + sign * cost] += p * q * r
            costs = added
        for cost, p in costs.items():
            law[cost] += chance * p
    return dict(law)


CASES: dict[str, tuple[Any, Law, dict[str, float]]] = {
    "one model": (SCORES, enumerated(net_errors(A, T_A)), {"threshold": T_A}),
    "a pair": (
        PAIR,
        enumerated([a - b for a, b in zip(net_errors(A, T_A), net_errors(B, T_B), strict=True)]),
        {"threshold_a": T_A, "threshold_b": T_B},
    ),
    "two sets": (
        UNPAIRED,
        enumerated(net_errors(A, T_A), net_errors(B, T_B)),
        {"threshold_a": T_A, "threshold_b": T_B},
    ),
}


def curve_of(data: Any, **options: Any) -> Any:
    return (cost_curve if isinstance(data, Scores) else cost_difference)(data, w=float(W), **options)


@pytest.mark.parametrize("name", CASES)
def test_the_law_is_that_of_all_resamples(name: str) -> None:
    data, law, at = CASES[name]
    pmf_of: Any = cost_pmf if isinstance(data, Scores) else cost_difference_pmf
    support, pmf = pmf_of(data, w=float(W), **at, prior=TOLD)
    want = sorted(law)
    np.testing.assert_allclose(support, [float(c) for c in want], atol=1e-12)
    np.testing.assert_allclose(pmf, [float(law[c]) for c in want], atol=1e-12)
    exact = curve_of(data, **at, prior=TOLD, method="exact_bootstrap", confidence_level=0.8)
    cumulated = list(itertools.accumulate(law[c] for c in want))
    for end, level in ((exact.lower, Fraction(1, 10)), (exact.upper, Fraction(9, 10))):
        quantile = next(c for c, p in zip(want, cumulated, strict=True) if p >= level)
        assert end[0] == pytest.approx(float(quantile), abs=1e-12)
    # Percentiles of 4,000 resamples lie between quantiles of the law a little further in and out.
    drawn = curve_of(
        data, **at, prior=TOLD, method="bootstrap", confidence_level=0.8, n_resamples=4000, rng=3
    )
    for end, level in ((drawn.lower, 0.1), (drawn.upper, 0.9)):
        low, high = (
            min((float(c) for c, p in zip(want, cumulated, strict=True) if p >= level + d), default=np.inf)
            for d in (-0.025, 0.025)
        )
        assert low - 1e-12 <= end[0] <= high + 1e-12


@pytest.mark.parametrize("name", CASES)
def test_wald_has_the_laws_mean_and_variance(name: str) -> None:
    data, law, at = CASES[name]
    found = curve_of(data, **at, prior=TOLD, method="wald", confidence_level=0.3)
    mean = sum(c * p for c, p in law.items())
    spread = math.sqrt(sum((c - mean) ** 2 * p for c, p in law.items()))
    assert found.estimate[0] == pytest.approx(float(mean), abs=1e-14)
    assert found.upper[0] == pytest.approx(float(mean) + stats.norm.ppf(0.65) * spread, abs=1e-12)


def test_another_law_of_the_share_by_its_mean_and_variance() -> None:
    """A Beta law in place of the binomial one (Dugas & Gadoury 2009, section 4)."""
    rng = np.random.default_rng(4)
    y = np.arange(300) < 90
    scores = Scores(y, rng.normal(size=300) + y)
    a, b, w, t = 4.0, 17.0, 0.35, 0.6
    mean, n = a / (a + b), a + b + 1.0
    fnr = float((scores.pos[scores.score < t]).sum() / 90)
    fpr = float((scores.neg[scores.score >= t]).sum() / 210)
    miss, alarm = w / mean, (1.0 - w) / (1.0 - mean)

    def cost(p: float) -> float:
        return miss * p * fnr + alarm * (1.0 - p) * fpr

    def within(p: float) -> float:
        return (miss * p) ** 2 * fnr * (1 - fnr) / 90 + (alarm * (1 - p)) ** 2 * fpr * (1 - fpr) / 210

    law = stats.beta(a, b)
    # Total variance: between shares, and within each.
    variance = integrate.quad(
        lambda p: law.pdf(p) * (within(p) + (cost(p) - cost(mean)) ** 2), 0.0, 1.0, epsabs=1e-13
    )[0]
    found = cost_curve(scores, w=w, threshold=t, prior=(mean * n, n), method="wald")
    assert found.estimate[0] == pytest.approx(w * fnr + (1 - w) * fpr, abs=1e-14)
    assert found.upper[0] - found.estimate[0] == pytest.approx(
        stats.norm.ppf(0.975) * math.sqrt(variance), rel=1e-9
    )


@pytest.mark.parametrize("method", ["mid_p", "agresti_coull", "wald", "bootstrap", "exact_bootstrap"])
def test_curves_and_decisions_are_one(method: str) -> None:
    told, w = (12, 50), 0.3
    unit = {"false_negative": w / 0.24, "false_positive": (1 - w) / 0.76}
    options: dict[str, Any] = {"method": method, "prior": told, "rng": 2}
    curve = cost_curve(SCORES, w=w, threshold=T_A, **options)
    cost = expected_cost(SCORES, **unit, threshold=T_A, **options)
    found = curve.estimate[0], curve.lower[0], curve.upper[0]
    assert found == pytest.approx((cost.estimate, cost.lower, cost.upper), abs=1e-12)
    assert any("uncertainty of the prevalence" in note for note in curve.notes)
    if method in ("mid_p", "agresti_coull"):
        return
    at = {"threshold_a": T_A, "threshold_b": T_B}
    two = cost_difference(PAIR, w=w, **at, **options)
    both = expected_cost_difference(PAIR, **unit, **at, **options)
    assert (two.lower[0], two.upper[0]) == pytest.approx((both.lower, both.upper), abs=1e-12)


def test_net_benefit_resamples_the_other_cases_too() -> None:
    scores = Scores(Y, [0.9, 0.6, 0.2, 0.7, 0.3, 0.3, 0.1])
    exact = net_benefit(scores, risk=0.25, prior=TOLD, method="exact_bootstrap", confidence_level=0.8)
    drawn = net_benefit(
        scores, risk=0.25, prior=TOLD, method="bootstrap", confidence_level=0.8, n_resamples=4000, rng=5
    )
    # One resample of 4,000 moves a percentile by no more than the spacing of so few cases.
    np.testing.assert_allclose([drawn.lower, drawn.upper], [exact.lower, exact.upper], atol=0.04)


def test_quantiles_where_the_mixture_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    y = np.arange(1000) < 400
    scores = Scores(y, rng.normal(size=1000) + 1.2 * y)
    options: dict[str, Any] = {"threshold": 0.7, "prior": (40, 200), "method": "exact_bootstrap"}
    exact = cost_curve(scores, w=0.3, **options)
    error = (exact.upper[0] - exact.lower[0]) / (2 * stats.norm.ppf(0.975))
    monkeypatch.setattr(exact_law, "MOST_MIXED", 10)
    with pytest.warns(UserWarning, match="too large"):
        near = cost_curve(scores, w=0.3, **options)
    assert 0.0 < abs(near.lower[0] - exact.lower[0]) < 0.02 * error
    assert abs(near.upper[0] - exact.upper[0]) < 0.02 * error


@pytest.mark.parametrize("method", ["mid_p", "agresti_coull", "wald"])
def test_a_share_told_by_ever_so_many_cases_is_known(method: str) -> None:
    known = cost_curve(SCORES, w=[0.2, 0.7], threshold=T_A, method=method)
    many = cost_curve(SCORES, w=[0.2, 0.7], threshold=T_A, method=method, prior=(3e11, 1e12))
    few = cost_curve(SCORES, w=[0.2, 0.7], threshold=T_A, method=method, prior=(3, 10))
    np.testing.assert_allclose([many.lower, many.upper], [known.lower, known.upper], atol=1e-4)
    assert (few.upper - few.lower > known.upper - known.lower).all()


def test_bands_resample_the_other_cases_too() -> None:
    rng = np.random.default_rng(6)
    y = np.arange(400) < 200
    pair = PairedScores(y, rng.normal(size=400) + 1.5 * y, rng.normal(size=400) + y)
    options: dict[str, Any] = {"rng": 1, "n_resamples": 300}
    for band_of, data in ((cost_band, pair.a), (cost_difference_band, pair)):
        known, few, many = (
            band_of(data, **options, prior=prior)  # type: ignore[operator]
            for prior in (None, (20, 60), (2e8, 6e8))
        )
        assert few.at_range == (0.0, 1.0)
        np.testing.assert_allclose(few.estimate, known.estimate, atol=1e-14)
        assert (few.upper - few.lower).mean() > 1.05 * (known.upper - known.lower).mean()
        # The resamples of the other cases are all that differs.
        np.testing.assert_allclose([many.lower, many.upper], [known.lower, known.upper], atol=2e-5)
    assert few.prior == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prior": 0.2}, r"`prior` must be \(positives, cases\), since"),
        ({"prior": "12"}, r"`prior` must be \(positives, cases\), since"),
        ({"prior": roc_curve(SCORES)}, r"`prior` must be \(positives, cases\), since"),
        ({"prior": [[3], [10, 12]]}, "`prior` must"),
        ({"prior": (3, 10), "sampling": "full"}, "`prior` must be omitted under sampling='full'"),
        ({"prior": (2.5, 10), "method": "exact_bootstrap"}, "`prior` must be whole counts"),
        ({"prior": (0, 10)}, "`prior`"),
        ({"prior": (1, 1e300)}, r"`prior` must be a prevalence of at least 1e-100"),
        ({"threshold_range": "inside"}, "`threshold_range`"),
    ],
)
def test_what_a_curve_refuses(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cost_curve(SCORES, w=0.2, threshold=T_A, **options)


# --- thresholds kept inside the observed scores --------------------------------------------------------


def test_thresholds_move_to_the_nearest_score() -> None:
    # Positives 1, 3, 5; negatives 0, 2, 2, 4.
    at = np.array([0.1, 0.2, 0.5, 0.8, 0.9])
    given = np.array([np.inf, 4.5, 3.0, 0.5, -np.inf])
    moved = {
        kept: cost_curve(SCORES, w=at, threshold=given, threshold_range=kept).threshold.tolist()
        for kept in ("any", "observed", "both_classes")
    }
    assert moved == {
        "any": given.tolist(),
        "observed": [5.0, 4.5, 3.0, 1.0, 1.0],
        "both_classes": [4.0, 4.0, 3.0, 2.0, 2.0],
    }
    two = cost_difference(PAIR, w=at, threshold_a=given, threshold_b=given, threshold_range="both_classes")
    assert two.threshold_a.tolist() == [4.0, 4.0, 3.0, 2.0, 2.0]
    # Positives 1, 4, 4; negatives 4, 3, 1, 2: only at 4 and at 2 or 3 are all four kinds of case there.
    assert two.threshold_b.tolist() == [4.0, 4.0, 3.0, 2.0, 2.0]


def test_thresholds_that_both_classes_reach_leave_no_interval_without_width() -> None:
    rng = np.random.default_rng(3)
    y = np.arange(200) < 100
    scores = Scores(y, rng.normal(size=200) + 0.5 * y)
    at = np.array([0.001, 0.01, 0.99, 0.999])
    given = 2.0 * np.log((1 - at) / at)
    with pytest.warns(UserWarning, match="zero width"):
        plain = cost_curve(scores, w=at, threshold=given, method="wald")
    inside = cost_curve(scores, w=at, threshold=given, threshold_range="both_classes", method="wald")
    assert (plain.upper == plain.lower).all()
    assert any("are moved to the nearest score" in note for note in inside.notes)
    assert (inside.upper > inside.lower).all()
    # One positive is missed at the low end, one negative called positive at the high end.
    called = [
        (scores.pos[scores.score >= t].sum(), scores.neg[scores.score >= t].sum()) for t in inside.threshold
    ]
    assert called[0][1] == 1
    assert called[-1][0] == 99


def test_classes_that_do_not_overlap_have_no_such_thresholds() -> None:
    apart = Scores([0, 0, 1, 1], [1, 2, 3, 4])
    assert cost_curve(apart, w=0.1, threshold=9, threshold_range="observed").threshold[0] == 4.0
    for scores, kept in ((apart, "both_classes"), (Scores([0, 1], [2, 2]), "observed")):
        with pytest.raises(ValueError, match="`threshold_range` must be 'any' where no threshold"):
            cost_curve(scores, w=0.1, threshold=9, threshold_range=kept)  # type: ignore[arg-type]
