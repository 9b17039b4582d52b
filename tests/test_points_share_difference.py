"""Two models that flag the same share of the cases: against all resamples, resampling and what must hold."""

from __future__ import annotations

import functools
import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from confroc import (
    PairedScores,
    Scores,
    UnpairedScores,
    rates_at_positive_rate,
    rates_difference_at_positive_rate,
)
from confroc.exact import positive_rate_difference as exact
from confroc.exact.positive_rate import joint_law
from confroc.points.positive_rate_methods import Request, difference_replicates
from confroc.resample import resample
from support import quantile

pytestmark = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")

Case = tuple[int, float, float]
Law = dict[tuple[int, int], Fraction]


def found_by(drawn: Any, model: int, r: int) -> dict[int, Fraction]:
    """Law of the positives among the r highest of a list of cases, ties in random order."""
    found, left = 0, r
    for score in sorted({case[model] for case in drawn}, reverse=True):
        tied = [case[0] for case in drawn if case[model] == score]
        pos = sum(tied)
        if len(tied) < left:
            found, left = found + pos, left - len(tied)
            continue
        ways = math.comb(len(tied), left)
        few = range(max(0, left - len(tied) + pos), min(pos, left) + 1)
        return {
            found + h: Fraction(math.comb(pos, h) * math.comb(len(tied) - pos, left - h), ways) for h in few
        }
    raise AssertionError


def enumerated(cases: list[Case], r: int, size: tuple[int, int] | None, m: int) -> Law:
    """Law of (more positives found by a, positives drawn), by drawing every possible sample."""
    pos, neg = ([case for case in cases if case[0] == y] for y in (1, 0))
    samples: Any = itertools.product(cases, repeat=m)
    if size is not None:
        both = itertools.product(
            itertools.product(pos, repeat=size[0]), itertools.product(neg, repeat=size[1])
        )
        samples = (x + y for x, y in both)
    law: Law = {}
    for drawn in samples:
        n_pos = sum(case[0] for case in drawn)
        if n_pos in (0, m):
            continue
        for (i, p), (j, q) in itertools.product(found_by(drawn, 1, r).items(), found_by(drawn, 2, r).items()):
            law[i - j, n_pos] = law.get((i - j, n_pos), Fraction(0)) + p * q
    total = sum(law.values())
    return {key: value / total for key, value in law.items()}


def tiny(g: np.random.Generator) -> tuple[PairedScores, list[Case]]:
    n = int(g.integers(3, 6))
    y = np.r_[0, 1, g.integers(0, 2, n - 2)]
    a, b = g.integers(0, int(g.integers(2, 7)), (2, n)).astype(np.float64)
    return PairedScores(y, a, b), list(zip(y.tolist(), a.tolist(), b.tolist(), strict=True))


@pytest.mark.parametrize("sampling", ["stratified", "full"])
def test_paired_law_equals_enumeration(sampling: Any) -> None:
    """All resamples of tiny samples, with ties within and between classes, and resamples of other sizes."""
    g = np.random.default_rng(11)
    for trial in range(6):
        pair, cases = tiny(g)
        size = (pair.n_pos, pair.n_neg) if trial % 2 else (2, 2)
        m = sum(size)
        for r in range(1, m + 1):
            law = enumerated(cases, r, size if sampling == "stratified" else None, m)
            made = exact.difference_law(pair, r, size, sampling)
            assert made is not None
            for i, d in enumerate(made.difference.tolist()):
                for j, n_pos in enumerate(made.drawn.tolist()):
                    assert made.pmf[i, j] == pytest.approx(float(law.get((d, n_pos), 0)), abs=1e-12)
            got = rates_difference_at_positive_rate(
                pair,
                positive_rate=r / m,
                method="exact_bootstrap",
                size=size,
                sampling=sampling,
                confidence_level=0.77,
            )
            for side, rate in (
                (got.tpr, lambda d, n_pos: Fraction(d, n_pos)),
                (got.fpr, lambda d, n_pos, m=m: Fraction(-d, m - n_pos)),
            ):
                rates: dict[Fraction, Fraction] = {}
                for (d, n_pos), mass in law.items():
                    rates[rate(d, n_pos)] = rates.get(rate(d, n_pos), Fraction(0)) + mass
                ends = [quantile(rates, p) for p in (0.115, 0.885)]
                ends = [min(ends[0], side.estimate[0]), max(ends[1], side.estimate[0])]
                np.testing.assert_allclose(np.r_[side.lower, side.upper], ends, atol=1e-12)


def test_wide_rows_of_both_classes_are_integrated_exactly() -> None:
    """Ten cases of a class on two scores each: all multinomial resamples, and all choices within a tie."""
    pair = PairedScores.from_counts([2, 2, 1, 1], [2, 1, 2, 1], pos=[4, 2, 1, 3], neg=[1, 3, 2, 4])
    size, r = (10, 10), 8
    law = exact.difference_law(pair, r, size, "stratified")
    assert law is not None
    wanted = np.zeros(len(law.difference))

    def chance(counts: tuple[int, ...], of: tuple[int, ...]) -> float:
        terms = ((k / 10) ** c / math.factorial(c) for k, c in zip(of, counts, strict=True))
        return math.factorial(10) * math.prod(terms)

    drawn = [counts for counts in itertools.product(range(11), repeat=4) if sum(counts) == 10]
    draws = [[(counts, chance(counts, of)) for counts in drawn] for of in ((4, 2, 1, 3), (1, 3, 2, 4))]

    @functools.cache
    def flagged(top: tuple[int, int]) -> tuple[float, ...]:
        """Law of the positives flagged when so many positives and negatives have the higher score."""
        rows = (
            [(1, 2.0)] * top[0]
            + [(0, 2.0)] * top[1]
            + [(1, 1.0)] * (10 - top[0])
            + [(0, 1.0)] * (10 - top[1])
        )
        found = found_by([(y, s, s) for y, s in rows], 1, r)
        return tuple(float(found.get(h, 0)) for h in range(r + 1))

    tops: dict[tuple[int, int, int, int], float] = {}
    for (p, of_pos), (q, of_neg) in itertools.product(*draws):
        key = p[0] + p[1], q[0] + q[1], p[0] + p[2], q[0] + q[2]
        tops[key] = tops.get(key, 0.0) + of_pos * of_neg
    for key, mass in tops.items():
        apart = np.convolve(flagged(key[:2]), flagged(key[2:])[::-1])
        wanted[np.arange(-r, r + 1) + len(wanted) // 2] += mass * apart
    np.testing.assert_allclose(law.pmf[:, 0], wanted, atol=1e-12)


@pytest.mark.parametrize("sampling", ["stratified", "full"])
def test_two_test_sets_have_the_law_of_two_single_ones(sampling: Any) -> None:
    g = np.random.default_rng(4)
    a, b = (Scores(np.repeat([1, 0], n), g.integers(0, 6, sum(n))) for n in ((4, 6), (7, 5)))
    got = rates_difference_at_positive_rate(
        UnpairedScores(a, b),
        positive_rate=0.5,
        method="exact_bootstrap",
        sampling=sampling,
        confidence_level=0.8,
    )
    assert got.design == "unpaired"
    laws: list[dict[Fraction, float]] = []
    for scores, r in ((a, 5), (b, 6)):
        m, of_model = scores.n_pos + scores.n_neg, {}
        joint = joint_law(scores, r, m)
        assert joint is not None
        for (i, found), (j, missed) in itertools.product(enumerate(joint.found), enumerate(joint.missed)):
            drawn = int(found + missed)
            # Given how many positives were drawn, the law is the stratified one.
            if 0 < drawn < m and (sampling == "full" or drawn == scores.n_pos):
                rate = Fraction(int(found), drawn)
                of_model[rate] = of_model.get(rate, 0.0) + float(joint.pmf[i, j])
        laws.append(of_model)
    values: dict[Fraction, float] = {}
    for (x, p), (y, q) in itertools.product(laws[0].items(), laws[1].items()):
        values[x - y] = values.get(x - y, 0.0) + p * q
    total, reached, ends = sum(values.values()), 0.0, []
    for value in sorted(values):
        before, reached = reached, reached + values[value] / total
        ends += [float(value) for prob in (0.1, 0.9) if before < prob * (1.0 - 1e-12) <= reached]
    np.testing.assert_allclose(np.r_[got.tpr.lower, got.tpr.upper], ends, atol=1e-12)


def simulated(n: int, share: float, rho: float, seed: int, decimals: int = 9) -> PairedScores:
    g = np.random.default_rng(seed)
    y = (np.arange(n) < share * n).astype(int)
    common, own = g.normal(size=n), g.normal(size=(2, n))
    a, b = (math.sqrt(rho) * common + math.sqrt(1.0 - rho) * x for x in own)
    return PairedScores(y, (a + 1.5 * y).round(decimals), (b + y).round(decimals))


@pytest.mark.slow
@pytest.mark.parametrize("design", ["paired", "unpaired"])
@pytest.mark.parametrize("sampling", ["stratified", "full"])
def test_resamples_agree_with_the_exact_law(sampling: Any, design: str) -> None:
    """2,000 resamples: four deviations of a share are at most 0.0447; false alarm below 1e-3, seed fixed."""
    # Ties of both classes make the full law expensive.
    pair: Any = simulated(20, 0.4, 0.5, 2, decimals=1 if sampling == "stratified" else 9)
    sizes = (8, 12), (8, 12)
    if design == "unpaired":
        pair, sizes = UnpairedScores(pair.a, simulated(24, 0.5, 0.5, 3).b), ((8, 12), (12, 12))
    counts = tuple(np.array([sum(size) // 5, sum(size) // 2]) for size in sizes)
    shares: Any = tuple(count / sum(size) for count, size in zip(counts, sizes, strict=True))
    asked = Request(pair, shares, (counts[0], counts[1]), sizes, 0.8, sampling)
    # A generator, so that the second test set goes on where the first has stopped.
    draw = functools.partial(resample, n_resamples=2000, rng=np.random.default_rng(5), sampling=sampling)
    drawn = difference_replicates(asked, draw)
    found = rates_difference_at_positive_rate(
        pair, positive_rate=shares[0], method="exact_bootstrap", sampling=sampling, confidence_level=0.8
    )
    assert not found.notes
    for i, side in enumerate((found.fpr, found.tpr)):
        for j in range(2):
            for end, prob in ((side.lower[j], 0.1), (side.upper[j], 0.9)):
                # An interval is moved out to its estimate.
                if end != side.estimate[j]:
                    assert np.mean(drawn[:, i, j] <= end + 1e-12) > prob - 0.0447
                    assert np.mean(drawn[:, i, j] < end - 1e-12) < prob + 0.0447


@pytest.mark.parametrize("rho", [0.0, 0.9])
def test_moments_to_first_order_are_near_the_exact_ones(rho: float) -> None:
    """The models' correlation is of first order: 7% of the exact law's deviation is left at 60 cases."""
    pair = simulated(60, 0.5, rho, 6)
    for r in (6, 18, 36):
        law = exact.difference_law(pair, r, (30, 30), "stratified")
        assert law is not None
        mean = float(law.pmf[:, 0] @ law.difference)
        deviation = math.sqrt(float(law.pmf[:, 0] @ np.square(law.difference - mean))) / 30
        found = rates_difference_at_positive_rate(
            pair, positive_rate=r / 60, method="wald", sampling="stratified"
        ).tpr
        assert (found.upper[0] - found.lower[0]) / 2.0 / 1.959964 == pytest.approx(deviation, rel=0.08)


def test_moments_under_full_sampling_are_near_those_of_resamples() -> None:
    """2,000 resamples tell a deviation to 1.6%; 8% are five of these, seed fixed."""
    pair = simulated(400, 0.3, 0.6, 6)
    share, r = np.array([0.1, 0.5]), np.array([40, 200])
    asked = Request(pair, (share, share), (r, r), ((120, 280), (120, 280)), 0.95, "full")
    draw = functools.partial(resample, n_resamples=2000, rng=np.random.default_rng(0), sampling="full")
    deviation = difference_replicates(asked, draw).std(axis=0)
    found = rates_difference_at_positive_rate(pair, positive_rate=share, method="wald")
    for side, wanted in zip((found.fpr, found.tpr), deviation, strict=True):
        np.testing.assert_allclose((side.upper - side.lower) / 2.0 / 1.959964, wanted, rtol=0.08)


def influence(pair: Any, model: int, q: float, name: str, sampling: str) -> tuple[Any, Any]:
    """Influences of every case, and of eight quarter cases of each kind, on one rate; and their weights."""
    n = pair.n_pos + pair.n_neg
    rows = sorted(zip(pair.score_a, pair.score_b, pair.pos.tolist(), strict=True), reverse=True)
    by = [sorted(rows, key=lambda row: -row[m]) for m in (0, 1)]
    flagged = [set(ranked[: round(q * n)]) for ranked in by]
    y = np.array([row[2] for row in rows] + [1] * 4 + [0] * 4)
    calls = np.array([[row in flagged[m] for row in rows] + [1, 1 - m, m, 0] * 2 for m in (0, 1)])
    weight = np.r_[np.ones(n), np.full(8, 0.25)]
    weight /= weight.sum()
    # The share of positives at the cut: the slope of the positives among the k highest, k binomial.
    walk, chance = np.cumsum([0] + [row[2] for row in by[model]]), stats.binom.pmf(np.arange(n + 1), n, q)
    k = np.arange(n + 1) - q * n
    p = float(chance @ (k * walk)) / float(chance @ (k * k))
    f = calls[model].astype(np.float64)
    own = y == 1 if name == "tpr" else y == 0
    rate = weight[own] @ f[own] / weight[own].sum()
    moved = np.where(own, f - rate, 0.0) - (p if name == "tpr" else 1.0 - p) * (f - weight @ f)
    if sampling == "stratified":
        for side in (y == 1, y == 0):
            moved[side] -= weight[side] @ moved[side] / weight[side].sum()
    return moved, weight


@pytest.mark.parametrize("sampling", ["stratified", "full"])
@pytest.mark.parametrize("name", ["tpr", "fpr"])
def test_the_default_squares_and_adds_the_two_models_own_arms(sampling: Any, name: str) -> None:
    """Newcombe (1998) and Zou & Donner (2008) written out, the correlation from every single case."""
    pair, q = simulated(40, 0.4, 0.7, 9), 0.3
    got = getattr(rates_difference_at_positive_rate(pair, positive_rate=q, sampling=sampling), name)
    a, b = (
        getattr(rates_at_positive_rate(model, positive_rate=q, sampling=sampling), name)
        for model in (pair.a, pair.b)
    )
    (of_a, weight), (of_b, _) = (influence(pair, model, q, name, sampling) for model in (0, 1))
    rho = weight @ (of_a * of_b) / math.sqrt((weight @ of_a**2) * (weight @ of_b**2))
    assert 0.2 < rho < 0.9
    common = 0.5 * abs((a.upper - a.lower) - (b.upper - b.lower))[0]
    for end, x, y, sign in (
        (got.lower[0], a.estimate - a.lower, b.upper - b.estimate, -1.0),
        (got.upper[0], a.upper - a.estimate, b.estimate - b.lower, 1.0),
    ):
        arm = math.sqrt((1.0 - rho) * (x[0] ** 2 + y[0] ** 2) + rho * common**2)
        assert end == pytest.approx(a.estimate[0] - b.estimate[0] + sign * arm, abs=2e-4)
    apart = rates_difference_at_positive_rate(
        UnpairedScores(pair.a, pair.b), positive_rate=q, sampling=sampling
    )
    alone = getattr(apart, name)
    assert alone.estimate[0] - alone.lower[0] == pytest.approx(
        math.hypot(a.estimate[0] - a.lower[0], b.upper[0] - b.estimate[0]), abs=1e-9
    )


METHODS: Any = ("beta_mixture", "wald", "exact_bootstrap")
tables = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 6), st.integers(0, 6)), min_size=4, max_size=14
).filter(lambda rows: 0 < sum(y for y, *_ in rows) < len(rows))


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(tables, st.integers(1, 14), st.sampled_from(METHODS), st.sampled_from(["full", "stratified"]))
@example([(0, 0, 0), (0, 0, 0), (0, 0, 0), (1, 0, 0)], 1, "wald", "stratified")
def test_invariants(rows: Any, r: int, method: Any, sampling: Any) -> None:
    y, a, b = (np.array(column) for column in zip(*rows, strict=True))
    n, n_pos = len(y), int(y.sum())
    q = min(r, n) / n

    def found(labels: Any, x: Any, z: Any, share: float = q) -> Any:
        return rates_difference_at_positive_rate(
            PairedScores(labels, x, z), positive_rate=share, method=method, sampling=sampling
        )

    order = np.random.default_rng(1).permutation(n)
    one, again = found(y, a, b), found(y[order], np.exp(a / 3.0)[order], b[order] ** 3)
    other = found(y, b, a)
    of_a, of_b = (rates_at_positive_rate(Scores(y, x), positive_rate=q) for x in (a, b))
    for name in ("fpr", "tpr"):
        side, same, turned = getattr(one, name), getattr(again, name), getattr(other, name)
        for end in ("estimate", "lower", "upper"):
            np.testing.assert_allclose(getattr(side, end), getattr(same, end), atol=1e-9)
        np.testing.assert_allclose(side.lower, -turned.upper, atol=0.0 if method == "wald" else 1e-9)
        assert -1.0 <= side.lower[0] <= side.estimate[0] <= side.upper[0] <= 1.0
        single = getattr(of_a, name).estimate - getattr(of_b, name).estimate
        np.testing.assert_allclose(side.estimate, single, atol=1e-12)
    # As many cases are flagged by both: positives more are negatives fewer.
    np.testing.assert_allclose(n_pos * one.tpr.estimate, -(n - n_pos) * one.fpr.estimate, atol=1e-9)
    if sampling == "stratified" and method != "beta_mixture":
        # Each end is cut at its class, so the two are the same number of cases up to the smaller class.
        ends = np.array([n_pos * one.tpr.lower, -(n - n_pos) * one.fpr.upper])
        np.testing.assert_allclose(*np.maximum(ends, -min(n_pos, n - n_pos)), atol=1e-8)
    assert one.at[0] == one.at_b[0] == pytest.approx(q)


@pytest.mark.parametrize("method", METHODS)
def test_all_flagged_is_certain_and_one_model_is_no_better_than_itself(method: Any) -> None:
    pair = simulated(30, 0.5, 0.5, 1)
    found = rates_difference_at_positive_rate(pair, positive_rate=[0.3, 1.0], method=method)
    for side in (found.fpr, found.tpr):
        assert side.lower[1] == side.estimate[1] == side.upper[1] == 0.0
    y = np.repeat([1, 0], [15, 15])
    score = np.random.default_rng(3).normal(size=30) + y
    alone = rates_difference_at_positive_rate(PairedScores(y, score, score), positive_rate=0.4, method=method)
    assert alone.tpr.estimate[0] == 0.0
    assert alone.tpr.lower[0] == pytest.approx(-alone.tpr.upper[0], abs=1e-12)
    apart = rates_difference_at_positive_rate(
        UnpairedScores(Scores(y, score), Scores(y, score)), positive_rate=0.4, method=method
    )
    assert apart.tpr.upper[0] > alone.tpr.upper[0]


def test_a_law_too_large_gives_way_to_a_normal_one_and_says_so() -> None:
    found = rates_difference_at_positive_rate(
        simulated(400, 0.3, 0.5, 4), positive_rate=[0.1, 0.5], method="exact_bootstrap"
    )
    normal = rates_difference_at_positive_rate(
        simulated(400, 0.3, 0.5, 4), positive_rate=[0.1, 0.5], method="wald"
    )
    assert any("too large" in note for note in found.notes)
    np.testing.assert_allclose(found.tpr.lower, normal.tpr.lower)


def test_errors_name_the_argument() -> None:
    pair = simulated(30, 0.5, 0.5, 1)
    for options, words in (
        ({"positive_rate": 0.0}, "`positive_rate` must be above 0"),
        ({"positive_rate": 0.01, "method": "wald"}, "1/30"),
        ({"positive_rate": 0.5, "size": (3, 3)}, "`size` must be omitted"),
        ({"positive_rate": 0.5, "sampling": "whole"}, "`sampling`"),
        ({"positive_rate": 0.5, "method": "agresti_min"}, "`method`"),
    ):
        given_options: Any = options
        with pytest.raises(ValueError, match=words):
            rates_difference_at_positive_rate(pair, **given_options)


@pytest.mark.parametrize("method", ["beta_mixture", "wald"])
def test_rounded_scores_widen_both_differences(method: Any) -> None:
    """Of each model's rates by what its own rounding may have changed, as for one model."""
    sides = [
        Scores.from_counts([1, 2, 5], [3 + more, 9, 20], [12, 9 + more, 4], score_max=[1.5, 3, 5.5])
        for more in (0, 2)
    ]
    exact = [Scores.from_counts([1, 2, 5], s.pos[::-1], s.neg[::-1]) for s in sides]
    wide, narrow = (
        rates_difference_at_positive_rate(UnpairedScores(*two), positive_rate=0.3, method=method)
        for two in (sides, exact)
    )
    assert any("rounded" in note for note in wide.notes)
    for name in ("fpr", "tpr"):
        one, other = getattr(wide, name), getattr(narrow, name)
        assert one.estimate == other.estimate
        assert one.lower < other.lower
        assert one.upper > other.upper
