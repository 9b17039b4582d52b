"""One model: rates at a threshold, at a rate, and at a fraction flagged.

Truths: enumeration of all resamples of tiny samples, the reference numbers of pROC, the paper's remarks,
and direct counting of the definitions.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from confroc import ConfrocWarning, Intervals, Scores, distributions, points, roc_curve
from confroc.exact import tpr_pmf
from confroc.exact.positive_rate import (
    found_at_least,
    found_moments,
    full_moments,
    joint_law,
    joint_quantiles,
)
from confroc.exact.tpr import count_laws, spread_laws
from confroc.resample import resample
from confroc_lab import binormal, threshold_at_positive_rate
from support import gap_in_probability, quantile

pytestmark = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")

# Wrong arguments are passed on purpose below.
fpr_at_tpr: Any = points.fpr_at_tpr
rates_at_positive_rate: Any = points.rates_at_positive_rate
rates_at_threshold: Any = points.rates_at_threshold
tpr_at_fpr: Any = points.tpr_at_fpr

REFERENCE = Path(__file__).parent / "reference" / "proc_reference.json"


def tiny(g: np.random.Generator, most: int = 5) -> Scores:
    """Random sample of both classes, with ties."""
    n = int(g.integers(2, most + 1))
    return Scores(np.r_[0, 1, g.integers(0, 2, n - 2)], g.integers(0, 4, n))


def cases(scores: Scores) -> tuple[list[float], list[float]]:
    return np.repeat(scores.score, scores.pos).tolist(), np.repeat(scores.score, scores.neg).tolist()


def resamples(values: Any, m: Any) -> Any:
    return itertools.product(values, repeat=m)


# --- definitions -------------------------------------------------------------------------------------


def test_estimates_count_what_their_definitions_say() -> None:
    g = np.random.default_rng(0)
    for _ in range(60):
        scores = tiny(g, 12)
        pos, neg = (sorted(c, reverse=True) for c in cases(scores))
        for r in range(1, len(neg) + 1):
            result = tpr_at_fpr(scores, fpr=r / len(neg))
            assert result.at[0] == r / len(neg)
            # The positives above the next negative below; of those tied with it, their share of the tie.
            found = 1.0
            if r < len(neg):
                t, before = neg[r], sum(v > neg[r] for v in neg)
                within = (r - before) / (sum(v >= t for v in neg) - before)
                tied = sum(p == t for p in pos)
                found = (sum(p > t for p in pos) + within * tied) / len(pos)
            assert result.estimate[0] == pytest.approx(found, abs=1e-12)
        for tpr in (0.01, 0.3, 0.5, 0.77, 1.0):
            result = fpr_at_tpr(scores, tpr=tpr)
            assert result.at[0] == tpr
            # The highest threshold that finds as many; of negatives tied with it, their share of the tie.
            t = max(t for t in pos if sum(p >= t for p in pos) >= tpr * len(pos) - 1e-12)
            before = sum(p > t for p in pos)
            within = (tpr * len(pos) - before) / (sum(p >= t for p in pos) - before)
            found = (sum(v > t for v in neg) + within * sum(v == t for v in neg)) / len(neg)
            assert result.estimate[0] == pytest.approx(found, abs=1e-12)


def test_a_rate_on_the_lattice_is_not_rounded_away() -> None:
    """0.07 of 100 negatives are 7, though 0.07 * 100 is less; 3 * 0.1 of 10 are 3, though it is more."""
    g = np.random.default_rng(3)
    for n, rate in ((100, 0.07), (100, 0.29), (10, 3 * 0.1)):
        scores = Scores(np.r_[np.zeros(n), np.ones(n)], g.normal(size=2 * n))
        r = round(rate * n)
        pos, neg = (sorted(c, reverse=True) for c in cases(scores))
        assert tpr_at_fpr(scores, fpr=rate).estimate[0] == sum(p > neg[r] for p in pos) / n
        assert fpr_at_tpr(scores, tpr=rate).estimate[0] == sum(v > pos[r - 1] for v in neg) / n
        at, beside = (
            tpr_at_fpr(scores, fpr=x, method="wald", size=(n, 10 * n)) for x in (rate, rate * (1 + 1e-12))
        )
        assert (at.lower[0], at.upper[0]) == (beside.lower[0], beside.upper[0])


# --- exact laws against enumeration ------------------------------------------------------------------


FEW = pytest.mark.filterwarnings("ignore:.*fewer than five:confroc.ConfrocWarning")


def law_at(pos: Any, neg: Any, m_pos: Any, m_neg: Any, r: Any) -> dict[Fraction, Fraction]:
    """The law of the rate with the r-th highest of m_neg drawn negatives as threshold, by enumeration.

    Tied negatives have an order, and each tied positive is above the i-th of k of them with chance i/k.
    """
    neg = sorted(neg, reverse=True)
    law: dict[Fraction, Fraction] = {}
    for x in resamples(range(len(neg)), m_neg):
        k = sorted(x)[r - 1]
        t = neg[k]
        within = Fraction(sum(v >= t for v in neg[: k + 1]) - sum(v > t for v in neg), neg.count(t))
        p = (sum(v > t for v in pos) + within * pos.count(t)) / len(pos)
        for j in range(m_pos + 1):
            mass = math.comb(m_pos, j) * p**j * (1 - p) ** (m_pos - j) / Fraction(len(neg)) ** m_neg
            law[Fraction(j, m_pos)] = law.get(Fraction(j, m_pos), Fraction(0)) + mass
    return law


def mixed(a: Any, b: Any, part: Fraction) -> dict[Fraction, Fraction]:
    return {v: (1 - part) * a[v] + part * b[v] for v in a}


@FEW
def test_exact_quantiles_equal_enumeration() -> None:
    g = np.random.default_rng(1)
    for trial in range(30):
        scores = tiny(g)
        pos, neg = cases(scores)
        m_pos, m_neg = size = (len(pos), len(neg)) if trial % 2 else tuple(g.integers(1, 4, 2).tolist())
        level = float(g.uniform(0.5, 0.97))
        low, high = (1 - level) / 2, (1 + level) / 2
        # At a rate of 1 nothing is left to chance.
        for r, part in [(r, Fraction(0)) for r in range(1, m_neg)] + [(1, Fraction(1, 3))]:
            if part and m_neg == 1:
                continue
            law = law_at(pos, neg, m_pos, m_neg, r)
            if part:
                law = mixed(law, law_at(pos, neg, m_pos, m_neg, r + 1), part)
            rate = float((r + part) / m_neg)
            got = tpr_at_fpr(scores, fpr=rate, method="exact_bootstrap", confidence_level=level, size=size)
            estimate = got.estimate[0]
            assert got.lower[0] == min(quantile(law, low), estimate)
            assert got.upper[0] == max(quantile(law, high), estimate)
            mean = sum(k * v for k, v in law.items())
            variance = sum(k * k * v for k, v in law.items()) - mean**2
            wald = tpr_at_fpr(scores, fpr=rate, method="wald", confidence_level=level, size=size)
            half = stats.norm.ppf(high) * math.sqrt(variance)
            np.testing.assert_allclose(wald.lower[0], min(estimate, max(0.0, float(mean) - half)), atol=1e-9)
            np.testing.assert_allclose(wald.upper[0], max(estimate, min(1.0, float(mean) + half)), atol=1e-9)
        for r in range(1, m_pos + 1):
            law = law_at(neg, pos, m_neg, m_pos, r)
            got = fpr_at_tpr(
                scores, tpr=r / m_pos, method="exact_bootstrap", confidence_level=level, size=size
            )
            assert got.lower[0] == min(quantile(law, low), got.estimate[0])
            assert got.upper[0] == max(quantile(law, high), got.estimate[0])


def curve_law(pos: Any, neg: Any, x: float) -> Any:
    """The law of the resampled curves' positives at x negatives, ties along the diagonal, by enumeration."""

    def drawn(counts: Any) -> Any:
        n = sum(counts)
        for table in itertools.product(range(n + 1), repeat=len(counts)):
            if sum(table) == n:
                yield table, stats.multinomial.pmf(table, n, np.array(counts) / n)

    values: dict[float, float] = {}
    for (p, mass), (q, weight) in itertools.product(drawn(pos), drawn(neg)):
        row = int(np.searchsorted(np.cumsum(q), x))
        value = sum(p[:row]) + (x - sum(q[:row])) / q[row] * p[row]
        values[round(value, 9)] = values.get(round(value, 9), 0.0) + mass * weight
    return zip(*sorted(values.items()), strict=True)


def test_tied_negatives_one_by_one_are_nearest_to_resampled_curves() -> None:
    """Against calling all cases tied with the threshold positive, as it is or moved to the curve."""
    apart = np.zeros(3)
    for pos, neg in (((3, 2, 1), (1, 2, 3)), ((4, 0, 2), (2, 1, 3)), ((5, 3), (2, 4))):
        scores = Scores.from_counts(np.arange(len(pos))[::-1], pos, neg)
        for r in (2, 3, 4):
            values, masses = curve_law(pos, neg, r)
            (one,) = spread_laws(scores, np.array([r / 6]), 6)
            (every,) = count_laws(scores, np.array([r]), 6)
            own = float(roc_curve(scores).tpr_at(r / 6)[0]) * scores.n_pos
            called = scores.pos_above[np.searchsorted(scores.neg_above, r)]
            counts = np.arange(scores.n_pos + 1)
            for i, (law, moved) in enumerate(((one, 0.0), (every, 0.0), (every, min(own - called, 0.0)))):
                pmf = stats.binom.pmf(counts[:, None], scores.n_pos, law.positives / scores.n_pos) @ law.pmf
                distance = stats.wasserstein_distance(values, counts + moved, masses, pmf)
                apart[i] += distance / scores.n_pos
    assert 2.0 * apart[0] < apart[1:].min()


@FEW
def test_agresti_coull_at_a_rate_is_algorithm_4_written_out() -> None:
    g = np.random.default_rng(2)
    for _ in range(20):
        scores = tiny(g, 14)
        pos, neg = cases(scores)
        n_pos, n_neg = len(pos), len(neg)
        neg.sort(reverse=True)
        if n_neg == 1:  # Nothing is left to chance at its only rate, 1.
            continue
        r = int(g.integers(1, n_neg))
        ei = ei2 = 0.0
        for k in range(1, n_neg + 1):
            t = neg[k - 1]
            within = (k - sum(v > t for v in neg)) / neg.count(t)
            p = (sum(v > t for v in pos) + within * pos.count(t) + 2) / (n_pos + 4)
            pik = stats.binom.cdf(r - 1, n_neg, (k - 1) / n_neg) - stats.binom.cdf(r - 1, n_neg, k / n_neg)
            ei += pik * p
            ei2 += pik * (p**2 + p * (1 - p) / (n_pos + 4))
        half = stats.norm.ppf(0.975) * math.sqrt(ei2 - ei**2)
        got = tpr_at_fpr(scores, fpr=r / n_neg, method="agresti_coull")
        np.testing.assert_allclose(got.lower[0], min(got.estimate[0], max(0.0, ei - half)), atol=1e-12)
        np.testing.assert_allclose(got.upper[0], max(got.estimate[0], min(1.0, ei + half)), atol=1e-12)


@FEW
def test_algorithm_4_as_printed() -> None:
    """Whole ranks, and cases tied with the threshold positive, as `tpr_pmf` has them."""
    g = np.random.default_rng(3)
    for _ in range(20):
        scores = tiny(g, 14)
        pos, neg = (np.sort(c)[::-1] for c in cases(scores))
        if len(neg) == 1:
            continue
        rate = float(g.uniform(1 / len(neg), 1.0))
        r = math.floor(rate * len(neg) + 1e-9)
        share = np.arange(len(neg) + 1) / len(neg)
        p = ((pos >= neg[:, None]).sum(axis=1) + 2) / (len(pos) + 4)
        pik = -np.diff(stats.binom.cdf(r - 1, len(neg), share))
        mean, square = pik @ p, pik @ (p**2 + p * (1 - p) / (len(pos) + 4))
        half = stats.norm.ppf(0.975) * math.sqrt(square - mean**2)
        got = tpr_at_fpr(scores, fpr=rate, method="agresti_coull", ranks="published")
        ends = min(got.estimate[0], max(0.0, mean - half)), max(got.estimate[0], min(1.0, mean + half))
        np.testing.assert_allclose((got.lower[0], got.upper[0]), ends, atol=1e-9)


@FEW
def test_laws_at_rates_of_random_class_sizes_equal_enumeration() -> None:
    g = np.random.default_rng(5)
    for _ in range(12):
        scores = tiny(g)
        pos, neg = cases(scores)
        rate = float(g.uniform(0.99 / len(neg) ** 0.5, 0.99))
        if rate < 1 / len(neg):
            continue
        law: dict[Fraction, Fraction] = {}
        for z in resamples([(1, s) for s in pos] + [(0, s) for s in neg], len(pos) + len(neg)):
            x, y = (sorted((s for label, s in z if label == c), reverse=True) for c in (0, 1))
            if x and y:
                threshold = x[max(math.floor(rate * len(x) + 1e-9), 1) - 1]
                value = Fraction(sum(s >= threshold for s in y), len(y))
                law[value] = law.get(value, Fraction(0)) + 1
        law = {k: v / sum(law.values()) for k, v in law.items()}
        support, pmf = tpr_pmf(scores, fpr=[rate, 0.99], sampling="full")
        found = dict(zip(support.tolist(), pmf[0].tolist(), strict=True))
        assert {k: v for k, v in found.items() if v > 1e-14} == pytest.approx(
            {float(k): float(v) for k, v in law.items()}, abs=1e-12
        )
        options = {"method": "exact_bootstrap", "ranks": "published", "sampling": "full"}
        got = tpr_at_fpr(scores, fpr=rate, confidence_level=0.77, **options)
        ends = min(got.estimate[0], quantile(law, 0.115)), max(got.estimate[0], quantile(law, 0.885))
        np.testing.assert_allclose((got.lower[0], got.upper[0]), ends, atol=1e-12)


# --- the fraction flagged ----------------------------------------------------------------------------


def split_cut(pos: Any, neg: Any, r: Any) -> Any:
    """Law of the positives among the r highest, cut ties in random order."""
    everyone = sorted([(-s, 1) for s in pos] + [(-s, 0) for s in neg])
    cut = everyone[r - 1][0]
    sure = sum(label for s, label in everyone if s < cut)
    p = sum(label for s, label in everyone if s == cut)
    q = sum(1 - label for s, label in everyone if s == cut)
    left = r - sum(s < cut for s, _ in everyone)
    ways = math.comb(p + q, left)
    return {
        sure + k: Fraction(math.comb(p, k) * math.comb(q, left - k), ways)
        for k in range(max(0, left - q), min(p, left) + 1)
    }


def stratified_law(scores: Any, r: Any, size: Any) -> Any:
    pos, neg = cases(scores)
    law: dict[int, Fraction] = {}
    share = Fraction(1, len(pos) ** size[0] * len(neg) ** size[1])
    for y, x in itertools.product(resamples(pos, size[0]), resamples(neg, size[1])):
        for a, w in split_cut(y, x, r).items():
            law[a] = law.get(a, Fraction(0)) + share * w
    return law


def full_law(scores: Any, r: Any, m: Any) -> Any:
    pos, neg = cases(scores)
    everyone = [(s, 1) for s in pos] + [(s, 0) for s in neg]
    law: dict[tuple[int, int], Fraction] = {}
    for z in resamples(everyone, m):
        y, x = [s for s, label in z if label], [s for s, label in z if not label]
        if y and x:
            for a, w in split_cut(y, x, r).items():
                law[a, len(y) - a] = law.get((a, len(y) - a), Fraction(0)) + w
    total = sum(law.values())
    return {k: v / total for k, v in law.items()}


def test_stratified_law_of_the_flagged_equals_enumeration() -> None:
    g = np.random.default_rng(3)
    for trial in range(16):
        scores = tiny(g)
        size = (scores.n_pos, scores.n_neg) if trial % 2 else tuple(g.integers(1, 4, 2).tolist())
        for r in range(1, sum(size) + 1):
            law = stratified_law(scores, r, size)
            for a in range(sum(size) + 2):
                expected = float(sum(v for k, v in law.items() if k >= a))
                assert found_at_least(scores, a, r, size) == pytest.approx(expected, abs=1e-12)
            mean = sum(k * v for k, v in law.items())
            variance = sum(k * k * v for k, v in law.items()) - mean**2
            moments = [float(mean), float(variance)]
            np.testing.assert_allclose(found_moments(scores, r, size), moments, atol=1e-11)
            got = rates_at_positive_rate(
                scores,
                positive_rate=r / sum(size),
                method="exact_bootstrap",
                confidence_level=0.83,
                size=size,
                sampling="stratified",
            )
            ends = [quantile({Fraction(k): v for k, v in law.items()}, p) for p in (0.085, 0.915)]
            for side, wanted, cases in (
                (got.tpr, ends, size[0]),
                (got.fpr, [r - ends[1], r - ends[0]], size[1]),
                (got.precision, ends, r),
            ):
                # An interval for samples of another size is moved out to the estimate of this one.
                own = float(side.estimate[0]) * cases
                moved = [min(wanted[0], own), max(wanted[1], own)]
                np.testing.assert_allclose(np.r_[side.lower, side.upper] * cases, moved, atol=1e-12)


def test_full_law_of_the_flagged_equals_enumeration() -> None:
    g = np.random.default_rng(4)
    for _ in range(10):
        scores = tiny(g, 4)
        m = int(g.integers(2, 6))
        for r in range(1, m + 1):
            law, joint = full_law(scores, r, m), joint_law(scores, r, m)
            assert joint is not None
            for i, a in enumerate(joint.found.tolist()):
                for j, c in enumerate(joint.missed.tolist()):
                    assert joint.pmf[i, j] == pytest.approx(float(law.get((a, c), 0)), abs=1e-12)
            got = joint_quantiles(joint, r, m, (0.1, 0.77))
            rates: dict[str, dict[Fraction, Fraction]] = {"tpr": {}, "fpr": {}, "precision": {}}
            for (a, c), w in law.items():
                values = Fraction(a, a + c), Fraction(r - a, m - a - c), Fraction(a, r)
                for of, value in zip(rates.values(), values, strict=True):
                    of[value] = of.get(value, Fraction(0)) + w
            for name, of in rates.items():
                assert got[name] == [quantile(of, 0.1), quantile(of, 0.77)]


def test_full_moments_are_those_of_the_joint_law() -> None:
    """The precision's exactly; the two rates', whose denominators vary, to first order in 1/m."""
    g = np.random.default_rng(13)
    y = g.random(1500) < 0.3
    scores = Scores(y.astype(int), (g.normal(size=1500) + y).round(1))
    for r in (40, 600):
        joint, moments = joint_law(scores, r, 1500), full_moments(scores, r, 1500)
        assert joint is not None
        found, missed = joint.found[:, None], joint.missed[None, :]
        rates = {
            "precision": found / r + 0.0 * missed,
            "tpr": found / (found + missed),
            "fpr": (r - found) / (1500 - found - missed),
        }
        for name, rate in rates.items():
            mean = float((joint.pmf * rate).sum())
            variance = float((joint.pmf * (rate - mean) ** 2).sum())
            exact = name == "precision"
            assert moments[name][0] == pytest.approx(mean, rel=1e-10 if exact else 2e-3)
            assert moments[name][1] == pytest.approx(variance, rel=1e-8 if exact else 1e-2)


def test_the_flagged_estimate_lies_on_the_curve_and_keeps_the_budget() -> None:
    g = np.random.default_rng(5)
    scores = Scores(g.integers(0, 2, 80), g.integers(0, 9, 80))
    result = rates_at_positive_rate(scores, positive_rate=np.arange(1, 81, 4) / 80)
    flagged = result.tpr.estimate * scores.n_pos + result.fpr.estimate * scores.n_neg
    np.testing.assert_allclose(flagged, result.flagged)
    np.testing.assert_allclose(result.precision.estimate * result.flagged, result.tpr.estimate * scores.n_pos)
    curve = roc_curve(scores)
    along = curve.fpr * scores.n_neg + curve.tpr * scores.n_pos
    np.testing.assert_allclose(np.interp(flagged, along, curve.tpr), result.tpr.estimate)


def test_smoothing_at_the_ends_is_agresti_coull_at_a_fixed_threshold() -> None:
    """Where one threshold separates blocks, the moments are those of the smoothed binomial (tied blocks)."""
    # Precision among the flagged, when everything above the cut is far from it: r(+4) cases, k(+2) positive.
    scores = Scores.from_counts([2, 1], [500_000, 500_000], [500_000, 500_000])
    # Inside a single block the flagged are a random part: their precision is a hypergeometric-like share.
    got = rates_at_positive_rate(scores, positive_rate=50 / 2_000_000, method="agresti_coull")
    expected = tuple(e[0] for e in _agresti(25, 50))
    np.testing.assert_allclose([got.precision.lower[0], got.precision.upper[0]], expected, atol=2e-4)


def _agresti(k: Any, n: Any) -> Any:
    from confroc.distributions import agresti_coull

    return agresti_coull(np.array([k]), n, 0.95)


def test_interpolated_beta_law() -> None:
    for a, b in ((2000.0, 9000.0), (50_000.0, 50_000.0), (1400.0, 1e6)):
        x = np.sort(np.random.default_rng(6).beta(a, b, 4000))
        x = np.concatenate([x[:1] * 0.5, x, x[-1:] * 1.2])
        found = distributions.order_cdf(int(a), int(a + b) - 1, x)
        np.testing.assert_allclose(found, stats.beta.cdf(x, a, b), atol=1e-11)


def test_large_laws_fall_back_on_a_close_normal_law(monkeypatch: Any) -> None:
    g = np.random.default_rng(7)
    y = g.random(4000) < 0.3
    scores = Scores(y.astype(int), g.normal(size=4000) + y)
    exact = rates_at_positive_rate(
        scores, positive_rate=[0.05, 0.3], method="exact_bootstrap", sampling="full"
    )
    monkeypatch.setattr("confroc.exact.positive_rate.WORK", 0.0)
    normal = rates_at_positive_rate(
        scores, positive_rate=[0.05, 0.3], method="exact_bootstrap", sampling="full"
    )
    assert normal.notes
    assert not exact.notes
    for name in ("tpr", "fpr", "precision"):
        a, b = getattr(exact, name), getattr(normal, name)
        width = a.upper - a.lower
        assert (np.abs(a.lower - b.lower) < 0.03 * width).all()
        assert (np.abs(a.upper - b.upper) < 0.03 * width).all()


# --- the bootstrap converges to the exact laws -------------------------------------------------------


@pytest.mark.parametrize("sampling", ["stratified", "full"])
def test_resampled_budgets_agree_with_the_exact_law(sampling: Any) -> None:
    """5,000 resamples: four deviations of a share are at most 0.0283; false alarm below 1e-3, seed fixed."""
    from confroc.points.positive_rate_methods import flagged_replicates

    g = np.random.default_rng(8)
    scores = Scores(g.integers(0, 2, 50), g.integers(0, 12, 50))
    size = (scores.n_pos, scores.n_neg)
    draw = functools.partial(resample, n_resamples=5000, rng=9, sampling=sampling)
    drawn = flagged_replicates(scores, np.array([7, 20]), size, draw)
    exact = rates_at_positive_rate(
        scores,
        positive_rate=[7 / 50, 20 / 50],
        method="exact_bootstrap",
        sampling=sampling,
        confidence_level=0.8,
    )
    for i, name in enumerate(("fpr", "tpr", "precision")):
        side = getattr(exact, name)
        for j in range(2):
            assert gap_in_probability(drawn[:, i, j], (side.lower[j], side.upper[j]), 0.8) > -0.0283


@FEW
def test_resampled_rates_agree_with_the_exact_laws() -> None:
    """As above, at thresholds and at false and true positive rates, in ties and between two ranks."""
    from confroc.exact.tpr import law_quantiles, spread_laws
    from confroc.inference import one
    from confroc.points.rate_methods import replicates_at
    from confroc.points.threshold_methods import rate_replicates
    from confroc.statistics.rates import RatesAtThreshold, exchanged

    g = np.random.default_rng(10)
    scores = Scores(g.integers(0, 2, 60), g.integers(0, 15, 60))
    size = (scores.n_pos, scores.n_neg)
    at = np.array([3.0, 8.0, 8.0, 12.0, 99.0])
    drawn = rate_replicates(
        one(scores, RatesAtThreshold(at)), functools.partial(resample, n_resamples=5000, rng=1)
    )
    exact = rates_at_threshold(
        scores, threshold=at, method="exact_bootstrap", joint=False, confidence_level=0.8
    )
    for i, name in enumerate(("fpr", "tpr")):
        side = getattr(exact, name)
        for j in range(len(at)):
            assert gap_in_probability(drawn[:, i, j], (side.lower[j], side.upper[j]), 0.8) > -0.0283
    untied = Scores(g.permutation(np.repeat([0, 1], size[::-1])), g.normal(size=60))
    tables = ((2, scores, size), (3, exchanged(scores), size[::-1]), (4, untied, size))
    for seed, table, (m_pos, m_neg) in tables:
        rates = np.concatenate([np.arange(1, m_neg + 1), np.arange(1, m_neg) + 0.4]) / m_neg
        draw = functools.partial(resample, n_resamples=5000, rng=seed)
        drawn = replicates_at(table, rates, (m_pos, m_neg), draw)
        exact = law_quantiles(spread_laws(table, rates, m_neg), m_pos, m_pos, (0.1, 0.9))
        for j in range(len(rates)):
            assert gap_in_probability(drawn[:, j], tuple(exact[j]), 0.8) > -0.0283


@FEW
def test_a_resample_of_one_class_is_drawn_again() -> None:
    """Dugas & Gadoury 2009, section 2.3: 2 positives and 3 negatives, of which 8.8% of resamples lack one.

    The law of the rates is that given both classes, by drawing all 5^5 samples; 4,000 resamples, of which no
    rate may be further off than 4.5 deviations, false alarm below 1e-3, seed fixed.
    """
    from confroc.inference import one
    from confroc.points.threshold_methods import rate_replicates
    from confroc.statistics.rates import RatesAtThreshold

    everyone = [(3, 1), (1, 1), (4, 0), (2, 0), (0, 0)]
    scores = Scores([y for _, y in everyone], [s for s, _ in everyone])
    law: dict[tuple[Fraction, Fraction], int] = {}
    lacking = 0
    for drawn in itertools.product(everyone, repeat=5):
        n_pos = sum(y for _, y in drawn)
        if n_pos in (0, 5):
            lacking += 1
            continue
        found, false = (sum(s >= 2 for s, y in drawn if y == label) for label in (1, 0))
        rates = Fraction(false, 5 - n_pos), Fraction(found, n_pos)
        law[rates] = law.get(rates, 0) + 1
    assert lacking / 5**5 == pytest.approx(0.4**5 + 0.6**5, abs=1e-12)
    draw = functools.partial(resample, n_resamples=4000, rng=6, sampling="full")
    replicates = rate_replicates(one(scores, RatesAtThreshold(2.0)), draw, (2, 3))[:, :, 0]
    assert np.isfinite(replicates).all()
    total = sum(law.values())
    for (fpr, tpr), count in law.items():
        p = count / total
        share = np.mean((replicates == [float(fpr), float(tpr)]).all(axis=1))
        assert abs(share - p) < 4.5 * math.sqrt(p * (1.0 - p) / 4000)
    found = rates_at_threshold(scores, threshold=2, method="bootstrap", sampling="full", rng=6)
    assert 0.0 <= found.tpr.lower[0] <= found.tpr.estimate[0] <= found.tpr.upper[0] <= 1.0


def test_level_of_rates_is_95_percent_unless_given() -> None:
    scores = Scores.from_counts([3, 2, 1], pos=[160, 30, 10], neg=[30, 90, 180])
    for call in (
        lambda **level: tpr_at_fpr(scores, fpr=0.5, **level),
        lambda **level: fpr_at_tpr(scores, tpr=0.5, **level),
        lambda **level: rates_at_threshold(scores, threshold=2, **level).tpr,
        lambda **level: rates_at_positive_rate(scores, positive_rate=0.5, **level).tpr,
    ):
        default, given = call(), call(confidence_level=0.95)
        assert (default.lower[0], default.upper[0]) == (given.lower[0], given.upper[0])


def test_bootstrap_at_a_threshold_gives_each_rate_its_own_percentiles() -> None:
    scores = Scores.from_counts([3, 2, 1], pos=[160, 30, 10], neg=[30, 90, 180])
    found = rates_at_threshold(scores, threshold=3, method="bootstrap", joint=False, n_resamples=4000, rng=1)
    for rate, k, n in ((found.fpr, 30, 300), (found.tpr, 160, 200)):
        low, high = stats.binom.ppf([0.025, 0.975], n, k / n) / n
        # 4,000 resamples know a quantile to 4% of a standard deviation, a third of 1/n: at most a neighbor.
        assert (rate.lower[0], rate.upper[0]) == pytest.approx((low, high), abs=1.01 / n)


@FEW
def test_public_bootstraps_return_percentiles_and_repeat_with_the_seed() -> None:
    g = np.random.default_rng(11)
    scores = Scores(g.integers(0, 2, 60), g.normal(size=60))
    calls: list[Callable[..., Any]] = [
        lambda **k: rates_at_threshold(scores, threshold=[0.0, 1.0], **k).tpr,
        lambda **k: tpr_at_fpr(scores, fpr=[0.2, 0.5], **k),
        lambda **k: fpr_at_tpr(scores, tpr=[0.2, 0.5], **k),
        lambda **k: rates_at_positive_rate(scores, positive_rate=[0.2, 0.5], **k).precision,
    ]
    for call in calls:
        for sampling in ("stratified", "full"):
            one = call(method="bootstrap", rng=5, sampling=sampling, n_resamples=400)
            two = call(method="bootstrap", rng=5, sampling=sampling, n_resamples=400)
            np.testing.assert_array_equal(one.lower, two.lower)
            assert (one.lower <= one.estimate).all()
            assert (one.estimate <= one.upper).all()
            assert one.guarantee == "bootstrap"
            # A resample of another spread: neighbors of the exact ends on a sample of 60 cases.
            exact = call(method="exact_bootstrap")
            np.testing.assert_allclose(one.lower, exact.lower, atol=0.12)
            np.testing.assert_allclose(one.upper, exact.upper, atol=0.12)


# --- other programs, and the paper -------------------------------------------------------------------


def test_thresholds_against_proc(asah: Any) -> None:
    """pROC's percentiles of 20,000 resamples lie within one lattice step of the exact ones."""
    reference = json.loads(REFERENCE.read_text())["asah"]["markers"]
    for marker in ("s100b", "wfns"):
        block = reference[marker]["rates_at_threshold"]
        scores = Scores(asah["outcome"], asah[marker], pos_label="Poor")
        result = rates_at_threshold(
            scores, threshold=block["threshold"], method="exact_bootstrap", joint=False
        )
        np.testing.assert_allclose(result.tpr.estimate, block["sensitivity"]["estimate"])
        np.testing.assert_allclose(1 - result.fpr.estimate, block["specificity"]["estimate"])
        step = 1.001 / scores.n_pos
        np.testing.assert_allclose(result.tpr.lower, block["sensitivity"]["lower"], atol=step)
        np.testing.assert_allclose(result.tpr.upper, block["sensitivity"]["upper"], atol=step)
        step = 1.001 / scores.n_neg
        np.testing.assert_allclose(1 - result.fpr.upper, block["specificity"]["lower"], atol=step)
        np.testing.assert_allclose(1 - result.fpr.lower, block["specificity"]["upper"], atol=step)


@FEW
def test_tpr_at_fpr_against_proc(asah: Any) -> None:
    """The estimates are pROC's, which reads its curve at the specificity itself, along ties and up steps.

    Its 20,000 resamples are read off likewise, where the paper's threshold is a negative: so its percentiles
    lie between ours at r and r + 1 false positives, but for one step of the lattice.
    """
    block = json.loads(REFERENCE.read_text())["asah"]["markers"]["s100b"]["sensitivity_at_specificity"]
    scores = Scores(asah["outcome"], asah["s100b"], pos_label="Poor")
    r = np.floor((1 - np.array(block["specificity"])) * scores.n_neg + 1e-9)
    r, kept = r[r > 0], r > 0
    at, after = (tpr_at_fpr(scores, fpr=k / scores.n_neg, method="exact_bootstrap") for k in (r, r + 1))
    own = tpr_at_fpr(scores, fpr=1 - np.array(block["specificity"])).estimate
    np.testing.assert_allclose(own, block["estimate"])
    step = 1.001 / scores.n_pos
    for name in ("lower", "upper"):
        theirs = np.array(block[name])[kept]
        assert (getattr(at, name) - step <= theirs).all()
        assert (theirs <= getattr(after, name) + step).all()


@FEW
def test_fpr_at_tpr_against_proc(asah: Any) -> None:
    """The estimates are pROC's; its percentiles differ by up to three negatives, in ties and between."""
    block = json.loads(REFERENCE.read_text())["asah"]["markers"]["s100b"]["specificity_at_sensitivity"]
    scores = Scores(asah["outcome"], asah["s100b"], pos_label="Poor")
    result = fpr_at_tpr(scores, tpr=block["sensitivity"], method="exact_bootstrap")
    np.testing.assert_allclose(result.estimate, 1 - np.array(block["estimate"]), atol=1e-12)
    for ours, theirs in ((result.lower, block["upper"]), (result.upper, block["lower"])):
        assert (np.abs(ours - (1 - np.array(theirs))) * scores.n_neg <= 3.5).all()


def test_the_papers_wald_coverage() -> None:
    """Dugas & Gadoury 2009, section 5.1: coverage 0.692 for theta = 5 at total positive rate 0.2.

    100,000 simulated pairs of counts; the deviation of a coverage is 0.0015, the paper's own (1,000
    simulations) 0.015.
    """
    threshold, n = 5.9513, 10_000
    tpr, fpr = stats.norm.sf(threshold, 5.0, 3.75), stats.norm.sf(threshold, -5.0, 3.0)
    assert tpr == pytest.approx(0.3999, abs=5e-5)
    assert fpr == pytest.approx(1.3090e-4, rel=1e-3)
    assert (tpr + fpr) / 2 == pytest.approx(0.2, abs=1e-4)
    assert (1 - fpr) ** n == pytest.approx(0.2701, abs=1e-3)

    g = np.random.default_rng(12)
    found, false = g.binomial(n, tpr, 100_000), g.binomial(n, fpr, 100_000)
    coverage = {}
    for name in ("wald", "agresti_coull"):
        inside = np.ones(100_000, dtype=bool)
        for k, truth in ((found, tpr), (false, fpr)):
            low, high = getattr(distributions, name)(k, n, math.sqrt(0.9))
            inside &= (low <= truth) & (truth <= high)
        coverage[name] = inside.mean()
    assert coverage["wald"] == pytest.approx(0.692, abs=0.02)
    assert coverage["agresti_coull"] > 0.9


@pytest.mark.parametrize(
    ("theta", "threshold", "tpr", "fpr"), [(0.75, 2.8681, 0.2861, 0.1139), (5.0, 5.9513, 0.3999, 1.3090e-4)]
)
def test_the_papers_operating_points(theta: float, threshold: float, tpr: float, fpr: float) -> None:
    """Dugas & Gadoury 2009, section 5.1: thresholds and rates where 20% of all cases are called positive."""
    population = binormal(theta, -theta, 3.75, 3.0)
    ours = float(threshold_at_positive_rate(population, [0.2], 0.5)[0])
    assert round(ours, 4) == threshold
    assert ours == pytest.approx(threshold_of_two_normals(theta, 0.2), abs=1e-9)
    assert round(stats.norm.sf(threshold, theta, 3.75), 4) == tpr
    assert stats.norm.sf(threshold, -theta, 3.0) == pytest.approx(fpr, rel=5e-4)
    if theta == 0.75:
        # No sample of 10,000 is without a false positive: the paper's "zero".
        assert (1.0 - fpr) ** 10_000 < 1e-300


@pytest.mark.parametrize(("theta", "printed"), [(0.75, (-7.8430, 8.5299)), (5.0, (-11.1618, 12.7016))])
def test_the_papers_thresholds_are_those_of_one_and_99_per_cent(
    theta: float, printed: tuple[float, float]
) -> None:
    """Dugas & Gadoury 2009, section 5.1: the ranges of thresholds, hence total positive rates .01 to .99."""
    ours = threshold_at_positive_rate(binormal(theta, -theta, 3.75, 3.0), [0.99, 0.01], 0.5)
    assert tuple(ours.round(4)) == printed
    alone = [threshold_of_two_normals(theta, rate) for rate in (0.99, 0.01)]
    np.testing.assert_allclose(ours, alone, atol=1e-9)


def test_the_papers_interval_without_a_false_positive() -> None:
    """Dugas & Gadoury 2009, section 5.1: [0, 4.7539e-4], two successes and failures added to 0 of 10,000.

    The level of either rate is √(1 − α), which is 0.9487; the paper's expression for it is 1 − √(1 − α).
    """
    level = math.sqrt(0.9)
    assert round(level, 4) == 0.9487
    share, cases = 2 / 10_004, 10_004
    arm = stats.norm.ppf((1 + level) / 2) * math.sqrt(share * (1 - share) / cases)
    low, high = distributions.wald(np.array([0]), 10_000, level, a=2.0)
    assert share - arm < 0.0 == low[0]
    assert high[0] == pytest.approx(share + arm, rel=1e-12)
    assert high[0] == pytest.approx(4.7539e-4, abs=5e-9)


@pytest.mark.parametrize("threshold", [-11.0, -9.0, 8.5, 10.0])
def test_difficult_problems_cover_better_at_equal_thresholds_too(threshold: float) -> None:
    """Dugas & Gadoury 2009, section 5.1, expect the reverse. Exact sums over both counts of 10,000: it stays.

    θ = 5 is the worst at every one of these thresholds.
    """
    n, k = 10_000, np.arange(10_001)
    low, high = distributions.wald(k, n, math.sqrt(0.9))
    coverage = []
    for theta in (0.75, 1.5, 3.0, 5.0):
        rates = stats.norm.sf(threshold, theta, 3.75), stats.norm.sf(threshold, -theta, 3.0)
        held = [stats.binom.pmf(k, n, p)[(low <= p) & (p <= high)].sum() for p in rates]
        coverage.append(held[0] * held[1])
    assert coverage[3] == min(coverage)
    assert coverage[3] < min(coverage[:2]) - 0.25


def threshold_of_two_normals(theta: float, rate: float) -> float:
    def excess(t: float) -> float:
        return (stats.norm.sf(t, theta, 3.75) + stats.norm.sf(t, -theta, 3.0)) / 2 - rate

    return float(optimize.brentq(excess, -60, 60, xtol=1e-12))


# --- invariants --------------------------------------------------------------------------------------

METHODS = ["agresti_coull", "wald", "exact_bootstrap"]
AT_RATE = ["beta_mixture", *METHODS]
tables = st.lists(
    st.tuples(st.integers(-5, 5), st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=8
).filter(lambda t: sum(p for _, p, _ in t) > 0 and sum(q for _, _, q in t) > 0)


def all_results(scores: Scores) -> Iterator[Intervals]:
    n = scores.n_pos + scores.n_neg
    for method in METHODS:
        for sampling in ("stratified", "full"):
            yield rates_at_positive_rate(
                scores, positive_rate=[1 / n, 0.5, 1.0], method=method, sampling=sampling
            ).tpr
    yield tpr_at_fpr(scores, fpr=[0.0, 0.01, 0.4])
    for method in AT_RATE:
        yield tpr_at_fpr(scores, fpr=[1.0], method=method)
        yield fpr_at_tpr(scores, tpr=[1.0], method=method)


@pytest.mark.slow
@settings(max_examples=25)
@given(tables, st.permutations(range(8)), st.integers(0, 3))
def test_row_order_counts_and_monotone_transforms_change_nothing(table: Any, order: Any, power: Any) -> None:
    score, pos, neg = (np.array(c) for c in zip(*table, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        by_counts = Scores.from_counts(score, pos, neg)
        y = np.repeat(np.tile([1, 0], len(score)), np.stack([pos, neg], axis=1).ravel())
        s = np.repeat(np.repeat(score, 2), np.stack([pos, neg], axis=1).ravel())
        turned = sorted(range(len(y)), key=lambda i: order[i % 8])
        by_cases = Scores(y[turned], np.exp(s[turned] * 10.0 ** (-power)))
        for a, b in zip(all_results(by_counts), all_results(by_cases), strict=True):
            np.testing.assert_array_equal(a.lower, b.lower)
            np.testing.assert_array_equal(a.upper, b.upper)
            np.testing.assert_array_equal(a.estimate, b.estimate)
            assert (a.lower >= 0).all()
            assert (a.lower <= a.upper).all()
            assert (a.upper <= 1).all()


@settings(max_examples=25)
@given(tables)
def test_turning_labels_and_scores_turns_the_curve(table: Any) -> None:
    """Calling negatives positive and reversing scores swaps TPR at FPR with 1 - FPR at TPR, without ties."""
    score, pos, neg = (np.array(c) for c in zip(*table, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = Scores.from_counts(score, pos, neg)
        flagged = rates_at_positive_rate(scores, positive_rate=[0.5, 1.0], method="agresti_coull")
        n, r = scores.n_pos + scores.n_neg, flagged.flagged
        mirrored = Scores.from_counts(-score, neg, pos)
        kept = rates_at_positive_rate(
            mirrored, positive_rate=np.maximum(n - r, 1) / n, method="agresti_coull"
        )
        same = r < n
        # Flagging the r highest is leaving the n - r lowest: the mirrored sample's highest.
        np.testing.assert_allclose(flagged.tpr.lower[same], 1 - kept.fpr.upper[same], atol=1e-9)
        np.testing.assert_allclose(flagged.tpr.upper[same], 1 - kept.fpr.lower[same], atol=1e-9)


# --- bad input ---------------------------------------------------------------------------------------


@pytest.fixture
def small() -> Any:
    return Scores([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda s: tpr_at_fpr(s, fpr=0.3, method="agresti_coull"), ["`fpr`", "1/3", "0.3"]),
        (lambda s: fpr_at_tpr(s, tpr=0.3, method="bootstrap"), ["`tpr`", "1/3", "0.3"]),
        (lambda s: tpr_at_fpr(s, fpr=1.5), ["`fpr`", "between 0 and 1"]),
        (lambda s: fpr_at_tpr(s, tpr=[0.5, -0.1]), ["`tpr`", "between 0 and 1"]),
        (
            lambda s: rates_at_positive_rate(s, positive_rate=0.1, method="bootstrap"),
            ["`positive_rate`", "1/6"],
        ),
        (lambda s: tpr_at_fpr(s, fpr=0.5, method="percentile"), ["`method`", "'bootstrap'"]),
        (lambda s: tpr_at_fpr(s, fpr=0.5, method="wald", size=(0, 3)), ["`size[0]`"]),
        (lambda s: tpr_at_fpr(s, fpr=0.5, method="wald", size=(3, 2.5)), ["`size[1]`"]),
        (lambda s: tpr_at_fpr(s, fpr=0.5, size=(3, 3)), ["`size`", "'beta_mixture'", "'agresti_coull'"]),
        (lambda s: tpr_at_fpr(s, fpr=0.5, size=(3, 3), method="kernel"), ["`size`", "'kernel'"]),
        (lambda s: rates_at_threshold(s, threshold=3, size=(3, 3), method="wilson"), ["`size`", "'wilson'"]),
        (lambda s: tpr_at_fpr(s, fpr=0.5, sampling="full"), ["`sampling`", "'beta_mixture'", "'bootstrap'"]),
        (
            lambda s: tpr_at_fpr(s, fpr=0.5, method="bootstrap", sampling="both"),
            ["`sampling`", "'stratified'"],
        ),
        (lambda s: rates_at_positive_rate(s, positive_rate=0.5, sampling="fully"), ["`sampling`", "'full'"]),
        (lambda s: rates_at_threshold(s, threshold=3, sampling="both"), ["`sampling`"]),
        (lambda s: tpr_at_fpr(s, fpr=0.5, method="bootstrap", n_resamples=39), ["`n_resamples`", "40"]),
        (
            lambda s: rates_at_threshold(s, threshold=3, method="bootstrap", n_resamples=40, joint=True),
            ["`n_resamples`", "79"],
        ),
        (lambda s: rates_at_threshold(s, threshold=[1, math.nan]), ["`threshold`"]),
        (lambda s: tpr_at_fpr(s, fpr=0.5, confidence_level=95), ["`confidence_level`", "0.95"]),
    ],
)
def test_errors_name_the_argument_and_the_remedy(small: Any, call: Any, words: Any) -> None:
    with pytest.raises(ValueError, match="must") as error:
        call(small)
    for word in words:
        assert word in str(error.value)


@FEW
def test_wrong_types(small: Any) -> None:
    for function, at in (
        (rates_at_threshold, {"threshold": 0.5}),
        (tpr_at_fpr, {"fpr": 0.5}),
        (fpr_at_tpr, {"tpr": 0.5}),
        (rates_at_positive_rate, {"positive_rate": 0.5}),
    ):
        with pytest.raises(TypeError, match="`scores`"):
            function([1, 2, 3], **at)
    assert tpr_at_fpr(small, fpr=0.5, method="bootstrap", n_resamples=40, rng=0).lower[0] >= 0


@pytest.mark.filterwarnings("error", "ignore:.*fewer than five:confroc.ConfrocWarning")
@pytest.mark.parametrize("method", ["wald", "bootstrap", "exact_bootstrap"])
def test_zero_width_is_said_aloud(method: Any) -> None:
    scores = Scores([0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6])
    calls: list[Callable[[], Any]] = [
        lambda: tpr_at_fpr(scores, fpr=0.5, method=method, rng=0),
        lambda: rates_at_threshold(scores, threshold=3.5, method=method, rng=0),
    ]
    for call in calls:
        with pytest.warns(ConfrocWarning, match="zero width"):
            result = call()
        assert any("zero width" in note for note in result.notes)
    assert not any("zero width" in note for note in tpr_at_fpr(scores, fpr=0.5).notes)
