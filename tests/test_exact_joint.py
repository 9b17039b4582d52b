"""Exact bootstrap laws of two models: thresholds and differences in the true positive rate."""

from __future__ import annotations

import itertools
import math
import warnings
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from confroc import PairedScores, Scores, UnpairedScores
from confroc.exact import (
    approximate,
    difference,
    joint,
    joint_threshold_pmf,
    threshold_pmf,
    tpr_difference_pmf,
    tpr_pmf,
)
from confroc.exact.difference import (
    PairDesign,
    _affordable,
    difference_moments,
    difference_quantiles,
    pair_design,
)
from confroc.exact.full import RateLaw, quantiles
from confroc.exact.thresholds import windows
from confroc.exact.tpr import count_laws, law_moments

Floats = NDArray[np.float64]
Cases = list[tuple[float, float]]

pytestmark = pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")


def mean_tpr(scores: Scores, design: PairDesign, a: float) -> Floats:
    return law_moments(count_laws(scores, design.r, design.size[1]), scores.n_pos, design.size[0], a)[0]


def simulated(
    n_pos: int,
    n_neg: int,
    seed: int,
    *,
    rho: float = 0.5,
    separation: float = 1.0,
    decimals: int | None = None,
) -> PairedScores:
    rng = np.random.default_rng(seed)
    y = np.r_[np.zeros(n_neg), np.ones(n_pos)]
    common, own = rng.normal(size=len(y)), rng.normal(size=(2, len(y)))
    a, b = math.sqrt(rho) * common + math.sqrt(1 - rho) * own + separation * y
    if decimals is not None:
        a, b = np.round(a, decimals), np.round(b, decimals)
    return PairedScores(y, a, b)


def paired_scores(pos: Cases, neg: Cases) -> PairedScores:
    return PairedScores([1] * len(pos) + [0] * len(neg), *zip(*(pos + neg), strict=True))


def enumerated(pos: Cases, neg: Cases, r: int, m_pos: int, m_neg: int) -> tuple[Floats, Floats]:
    """Joint law of the thresholds and law of the difference (in cases), by drawing every possible sample."""
    support_a, support_b = (sorted({case[i] for case in neg}, reverse=True) for i in (0, 1))
    thresholds = np.zeros((len(support_a), len(support_b)))
    for sample in itertools.product(neg, repeat=m_neg):
        a, b = (sorted((case[i] for case in sample), reverse=True)[r - 1] for i in (0, 1))
        thresholds[support_a.index(a), support_b.index(b)] += len(neg) ** -float(m_neg)
    difference = np.zeros(2 * m_pos + 1)
    for (i, a), (j, b) in itertools.product(enumerate(support_a), enumerate(support_b)):
        steps = [(x >= a) - (y >= b) for x, y in pos]
        for drawn in itertools.product(steps, repeat=m_pos):
            difference[sum(drawn) + m_pos] += thresholds[i, j] * len(pos) ** -float(m_pos)
    return thresholds, difference


SAMPLES: list[tuple[Cases, Cases]] = [
    ([(3, 1), (2, 4), (0, 0)], [(1, 4), (2, 3), (3, 2), (4, 1)]),  # opposite rankings of the negatives
    ([(2, 2), (2, 1), (3, 3)], [(1, 1), (2, 2), (2, 1), (1, 2)]),  # ties of every kind
    ([(5, 5)], [(1, 2), (1, 2), (1, 2)]),
    ([(1, 2), (2, 1)], [(1, 1)]),
    ([(4, 2), (1, 3), (2, 2), (2, 5)], [(0, 3), (4, 2), (3, 3), (1, 0), (4, 4)]),
]


@pytest.mark.parametrize(("pos", "neg"), SAMPLES)
@pytest.mark.parametrize("size", [None, (2, 3), (4, 2), (3, 6), (1, 1)])
def test_paired_laws_equal_enumeration(pos: Cases, neg: Cases, size: tuple[int, int] | None) -> None:
    pair = paired_scores(pos, neg)
    m_pos, m_neg = size or (len(pos), len(neg))
    rates = np.arange(1, m_neg + 1) / m_neg
    _, thresholds = joint_threshold_pmf(pair, fpr=rates, size=size)
    support, law = tpr_difference_pmf(pair, fpr=rates, size=size)
    design = pair_design(pair, rates, size)
    mean, variance = difference_moments(pair, design, 0.0)
    levels = [0.03, 0.5, 0.97]
    quantiles = difference_quantiles(pair, design, levels)
    np.testing.assert_allclose(support, np.arange(-m_pos, m_pos + 1) / m_pos)
    for i in range(m_neg):
        cells, difference = enumerated(pos, neg, i + 1, m_pos, m_neg)
        np.testing.assert_allclose(thresholds[i], cells, atol=1e-13)
        np.testing.assert_allclose(law[i], difference, atol=1e-13)
        np.testing.assert_allclose(mean[i], difference @ support, atol=1e-13)
        spread = difference @ support**2 - (difference @ support) ** 2
        np.testing.assert_allclose(variance[i], spread, atol=1e-13)
        expected = [support[np.argmax(np.cumsum(difference) >= level - 1e-12)] for level in levels]
        np.testing.assert_allclose(quantiles[i], expected)


@pytest.mark.parametrize("size", [None, (2, 3)])
def test_unpaired_laws_equal_enumeration(size: tuple[int, int] | None) -> None:
    # Each single law is enumerated in test_exact; here their independence, and unequal numbers of positives.
    a = Scores([1, 1, 1, 0, 0, 0, 0], [2, 3, 1, 1, 2, 2, 0])
    b = Scores([1, 1, 0, 0], [1, 2, 0, 1])
    pair = UnpairedScores(a, b)
    rates = [0.5, 1.0]
    (support_a, support_b), thresholds = joint_threshold_pmf(pair, fpr=rates, size=size)
    assert thresholds.shape == (2, len(support_a), len(support_b))
    law_a, law_b = (threshold_pmf(x, fpr=rates, size=size)[1] for x in (a, b))
    np.testing.assert_allclose(thresholds, np.einsum("hi,hj->hij", law_a, law_b), atol=1e-15)
    support, law = tpr_difference_pmf(pair, fpr=rates, size=size)
    (points_a, tpr_a), (points_b, tpr_b) = (tpr_pmf(x, fpr=rates, size=size) for x in (a, b))
    levels = (0.1, 0.5, 0.9)
    for i in range(2):
        direct: dict[Fraction, float] = {}
        single_a, single_b = zip(points_a, tpr_a[i], strict=True), zip(points_b, tpr_b[i], strict=True)
        for (u, p), (v, q) in itertools.product(single_a, single_b):
            value = Fraction(u).limit_denominator(100) - Fraction(v).limit_denominator(100)
            direct[value] = direct.get(value, 0.0) + p * q
        values = sorted(direct)
        np.testing.assert_allclose(support, [float(v) for v in values], atol=1e-15)
        np.testing.assert_allclose(law[i], [direct[v] for v in values], atol=1e-15)
        cumulative = np.cumsum(law[i])
        expected = [support[np.argmax(cumulative >= level - 1e-12)] for level in levels]
        found = quantiles(RateLaw(points_a, tpr_a[i]), levels, RateLaw(points_b, tpr_b[i]))
        np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize(("n_a", "n_b"), [(400, 400), (300, 200), (70, 41)])
def test_unpaired_law_equals_a_direct_sum(n_a: int, n_b: int) -> None:
    a, b = simulated(n_a, 90, 3).a, simulated(n_b, 80, 4).a
    support, law = tpr_difference_pmf(UnpairedScores(a, b), fpr=0.2)
    whole = math.lcm(n_a, n_b)
    steps = np.subtract.outer(whole // n_a * np.arange(n_a + 1), whole // n_b * np.arange(n_b + 1))
    values, index = np.unique(steps, return_inverse=True)
    masses = np.outer(tpr_pmf(a, fpr=0.2)[1], tpr_pmf(b, fpr=0.2)[1])
    np.testing.assert_array_equal(support, values / whole)
    np.testing.assert_allclose(law, np.bincount(index.ravel(), masses.ravel()), rtol=0, atol=1e-15)


def test_tables_too_large_are_refused() -> None:
    pair = simulated(3, 1500, 2)
    for data in (pair, UnpairedScores(pair.a, pair.b)):
        with pytest.raises(ValueError, match=r"`pair` must give .* 2,000,000 values; got 2250000\. "):
            joint_threshold_pmf(data, fpr=0.2)
    with pytest.raises(ValueError, match="`size` must give a distribution"):
        tpr_difference_pmf(UnpairedScores(pair.a, pair.b), fpr=0.2, size=(3_000_000, 9))


def equation_13(m: int, n: int, above_a: int, above_b: int, both: int, r: int) -> Fraction:
    """F of eqs. 13-14 of Dugas & Gadoury (2009), (14) divided by (1 - p)^(m - l), in rational arithmetic."""
    p11, p10 = Fraction(both, n), Fraction(above_a - both, n)
    p01, p00 = Fraction(above_b - both, n), Fraction(n - above_a - above_b + both, n)

    def b(count: int) -> Fraction:
        return math.comb(m, count) * p11**count * (1 - p11) ** (m - count)

    def trinomial_sum(count: int) -> Fraction:
        left, total = m - count, Fraction(0)
        for i in range(r - count, left + 1):
            for j in range(r - count, left - i + 1):
                ways = math.comb(left, i) * math.comb(left - i, j)
                total += ways * p10**i * p01**j * p00 ** (left - i - j)
        return total / (1 - p11) ** left if p11 < 1 else Fraction(0)

    sure = sum((b(count) for count in range(r, m + 1)), Fraction(0))
    return sure + sum((b(count) * trinomial_sum(count) for count in range(max(0, 2 * r - m), r)), Fraction(0))


@pytest.mark.parametrize(
    ("n", "m", "rho", "decimals"), [(9, 9, 0.5, None), (12, 8, 0.0, None), (10, 13, 0.9, 0)]
)
def test_joint_law_equals_equations_13_and_19_in_fractions(
    n: int, m: int, rho: float, decimals: int | None
) -> None:
    pair = simulated(4, n, 6, rho=rho, decimals=decimals)
    t = joint.table(pair, merged=False)
    both = joint.counts_above(t, t.neg)
    rates = np.array([1, m // 2, m - 1, m])
    law = joint_threshold_pmf(pair, fpr=rates / m, size=(4, m))[1]
    for i, r in enumerate(rates.tolist()):
        corners = np.zeros((len(t.a.above) + 1, len(t.b.above) + 1), dtype=object)
        for (k, above_a), (j, above_b) in itertools.product(enumerate(t.a.above), enumerate(t.b.above)):
            corners[k + 1, j + 1] = equation_13(m, n, int(above_a), int(above_b), int(both[k, j]), r)
        expected = np.diff(np.diff(corners, axis=0), axis=1).astype(float)
        np.testing.assert_allclose(law[i], expected, atol=1e-13)


def assembled(t: joint.PairGrid, rates: NDArray[np.int64], m_pos: int, m_neg: int) -> Floats:
    """The joint law from the kernel, run as plain Python."""
    law = np.zeros((len(rates), len(t.a.above), len(t.b.above)))
    with mock.patch.object(joint, "compiled", lambda kernel: kernel):
        found = [*joint.blocks(t, joint.plan(t, rates, m_neg), (m_pos, m_neg), keep_joint=True)]
    for block in found:
        slots, rows, _ = block.joint.shape
        law[block.slot0 : block.slot0 + slots, block.row0 : block.row0 + rows] += block.joint
    return law


@pytest.mark.parametrize("decimals", [None, 0])
@pytest.mark.parametrize("rho", [0.0, 0.5, 0.99, 1.0])
@pytest.mark.parametrize(("n", "m"), [(7, 7), (9, 4), (5, 12), (11, 11)])
def test_kernel_as_plain_python_equals_array_operations(
    n: int, m: int, rho: float, decimals: int | None
) -> None:
    pair = simulated(6, n, 7, rho=rho, decimals=decimals)
    for merged in (False, True):
        t = joint.table(pair, merged=merged)
        rates = np.arange(1, m + 1)
        expected = joint.cells(joint.plain_tails(t, m)[rates])
        np.testing.assert_allclose(assembled(t, rates, 6, m), expected, atol=1e-12)


def test_kernel_as_plain_python_within_the_window_of_a_rate() -> None:
    """Negatives that enter in model a's window and never in model b's are counted nowhere."""
    pair = simulated(30, 60, 9, rho=0.3)
    rates = np.array([1])
    t = joint.table(pair, merged=False, rates=rates, m_neg=60)
    below_b = (t.level_a < len(t.a.above)) & (t.level_b == len(t.b.above))
    assert t.neg[below_b].sum() > 0
    expected = joint.cells(joint.plain_tails(t, 60)[rates])
    np.testing.assert_allclose(assembled(t, rates, 30, 60), expected, atol=1e-12)


def test_the_papers_example_of_two_thresholds() -> None:
    """Dugas & Gadoury 2009, section 4.2: negatives scored 1 2 3 4 and 5 8 6 7, one false positive."""
    neg: Cases = [(1, 5), (2, 8), (3, 6), (4, 7)]
    (a, b), law = joint_threshold_pmf(paired_scores([(9, 9)], neg), fpr=0.25)
    np.testing.assert_array_equal((a, b), [[4, 3, 2, 1], [8, 7, 6, 5]])
    # Each case once: thresholds 4 and 8. The first case twice, then the second and third: 3 and 8.
    for drawn, place in ((neg, (0, 0)), ([neg[0], *neg[:3]], (1, 0))):
        assert (max(x for x, _ in drawn), max(y for _, y in drawn)) == (a[place[0]], b[place[1]])
        assert law[place] > 0.0
    np.testing.assert_allclose(law, enumerated([(9, 9)], neg, 1, 1, 4)[0], atol=1e-14)


@pytest.mark.slow
def test_most_pairs_of_thresholds_have_no_probability() -> None:
    """Dugas & Gadoury 2009, section 4.2: most of the joint law is nearly zero, the more the larger n."""
    held = [
        float((joint_threshold_pmf(simulated(2, n, 3), fpr=0.5)[1] > 1e-12).mean()) for n in (40, 80, 160)
    ]
    assert held[1] < 0.4
    # Like 1/n: windows of both thresholds grow like its root.
    assert held[1] / held[0] < 0.65
    assert held[2] / held[1] < 0.6


def test_opposite_rankings() -> None:
    # Model b is model a upside down: no negative is above both thresholds until some is below neither.
    n = 10
    neg = [(float(i), float(n - i)) for i in range(n)]
    pair = paired_scores([(3.0, 3.0), (6.0, 1.0)], neg)
    t = joint.table(pair, merged=False)
    rates = np.arange(1, n + 1)
    tails = joint.plain_tails(t, n)[rates]
    both = joint.counts_above(t, t.neg)
    for i, k, j in itertools.product((0, 4, 5, 9), range(n), range(n)):
        expected = equation_13(n, n, k + 1, j + 1, int(both[k, j]), int(rates[i]))
        assert abs(tails[i, k, j] - float(expected)) < 1e-13
    np.testing.assert_allclose(assembled(t, rates, 2, n), joint.cells(tails), atol=1e-13)


@pytest.fixture(scope="module")
def medium() -> PairedScores:
    return simulated(260, 300, 8)


def test_compiled_kernel_margins_are_the_single_laws(medium: PairedScores) -> None:
    t = joint.table(medium, merged=False)
    assert not joint.is_plain(t, 300)
    rates = np.array([1, 3, 45, 150, 290, 300]) / 300
    _, law = joint_threshold_pmf(medium, fpr=rates)
    np.testing.assert_allclose(law.sum(axis=(1, 2)), 1.0, atol=1e-12)
    np.testing.assert_allclose(law.sum(axis=2), threshold_pmf(medium.a, fpr=rates)[1], atol=1e-12)
    np.testing.assert_allclose(law.sum(axis=1), threshold_pmf(medium.b, fpr=rates)[1], atol=1e-12)


@pytest.mark.slow
def test_all_rates_or_one_at_a_time_is_the_same(medium: PairedScores) -> None:
    every = np.arange(1, 301) / 300
    _, law = tpr_difference_pmf(medium, fpr=every)
    np.testing.assert_allclose(law.sum(axis=1), 1.0, atol=1e-12)
    for r in (1, 40, 150, 300):
        np.testing.assert_allclose(tpr_difference_pmf(medium, fpr=r / 300)[1], law[r - 1], atol=1e-12)
    design = pair_design(medium, every)
    mean, variance = difference_moments(medium, design, 0.0)
    support = np.arange(-260, 261) / 260
    np.testing.assert_allclose(law @ support, mean, atol=1e-11)
    np.testing.assert_allclose(law @ support**2 - mean**2, variance, atol=1e-11)
    # The mean needs no joint law at all.
    expected = [mean_tpr(x, design, 0.0) for x in (medium.a, medium.b)]
    np.testing.assert_allclose(mean, expected[0] - expected[1], atol=1e-11)


def test_array_operations_and_kernel_give_the_same_difference_law(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = simulated(70, 80, 9, decimals=1)
    rates = np.arange(1, 81) / 80
    design = pair_design(pair, rates)
    assert joint.is_plain(joint.table(pair, merged=True), 80)
    _, law = tpr_difference_pmf(pair, fpr=rates)
    moments = difference_moments(pair, design, 0.5)
    for module in (difference, joint):
        monkeypatch.setattr(module, "is_plain", lambda *_: False)
    np.testing.assert_allclose(tpr_difference_pmf(pair, fpr=rates)[1], law, atol=1e-12)
    np.testing.assert_allclose(difference_moments(pair, design, 0.5), moments, atol=1e-12)


@pytest.mark.parametrize("n", [40, 200])
def test_swapping_the_models_negates_the_law(n: int) -> None:
    pair = simulated(n - 5, n, 10)
    swapped = PairedScores.from_counts(pair.score_b, pair.score_a, pair.pos, pair.neg)
    rates = [0.05, 0.3, 0.8]
    law, other = tpr_difference_pmf(pair, fpr=rates)[1], tpr_difference_pmf(swapped, fpr=rates)[1]
    np.testing.assert_allclose(law, other[:, ::-1], atol=1e-12)
    cells, other = joint_threshold_pmf(pair, fpr=rates)[1], joint_threshold_pmf(swapped, fpr=rates)[1]
    np.testing.assert_allclose(cells, other.transpose(0, 2, 1), atol=1e-12)


cases = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=14)


@pytest.mark.slow
@given(cases, cases, st.integers(1, 15), st.integers(1, 15), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_invariants(pos, neg, m_pos, m_neg, random) -> None:  # type: ignore[no-untyped-def]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pair = paired_scores(pos, neg)
        shuffled = [list(pos), list(neg)]
        for x in shuffled:
            random.shuffle(x)
        # another order, and another strictly increasing scale for each model
        other = paired_scores(*([(math.exp(a), b**3) for a, b in x] for x in shuffled))
        model = paired_scores([(a, a) for a, _ in pos], [(a, a) for a, _ in neg])
    rates = np.arange(1, m_neg + 1) / m_neg
    size = (m_pos, m_neg)
    _, cells = joint_threshold_pmf(pair, fpr=rates, size=size)
    support, law = tpr_difference_pmf(pair, fpr=rates, size=size)
    np.testing.assert_allclose(law.sum(axis=1), 1.0, atol=1e-12)
    assert (law >= 0).all()
    np.testing.assert_allclose(cells.sum(axis=2), threshold_pmf(pair.a, fpr=rates, size=size)[1], atol=1e-12)
    np.testing.assert_array_equal(law, tpr_difference_pmf(other, fpr=rates, size=size)[1])
    # A model never differs from itself.
    none = tpr_difference_pmf(model, fpr=rates, size=size)[1]
    np.testing.assert_allclose(none[:, support == 0.0], 1.0, atol=1e-12)


@pytest.mark.slow
def test_monte_carlo_of_a_million_resamples() -> None:
    """Chi-square tests of two laws at two rates: four tests at level 1e-6, a false alarm in 250,000 runs."""
    from scipy.stats import chi2

    n, m_resamples = 50, 1_000_000
    pair = simulated(n, n, 11, decimals=1)
    rng = np.random.default_rng(12)
    rows = np.arange(len(pair.neg))
    neg_case, pos_case = np.repeat(rows, pair.neg), np.repeat(rows, pair.pos)
    ranks = np.array([5, 25])
    supports, law = joint_threshold_pmf(pair, fpr=ranks / n)
    observed = np.zeros(law.shape)
    differences = np.zeros((2, 2 * n + 1))
    for _ in range(50):
        neg_drawn = rng.integers(0, n, (m_resamples // 50, n))
        pos_drawn = rng.integers(0, n, neg_drawn.shape)
        found, at = [], []
        for score, support in ((pair.score_a, supports[0]), (pair.score_b, supports[1])):
            ordered = np.sort(score[neg_case].astype(np.float32)[neg_drawn], axis=1)[:, ::-1]
            threshold = ordered[:, ranks - 1]
            at.append(np.searchsorted(-support.astype(np.float32), -threshold))
            positives = score[pos_case].astype(np.float32)[pos_drawn]
            found.append(np.stack([(positives >= threshold[:, [i]]).sum(axis=1) for i in (0, 1)]))
        for i in (0, 1):
            np.add.at(observed[i], (at[0][:, i], at[1][:, i]), 1)
            differences[i] += np.bincount(found[0][i] - found[1][i] + n, minlength=2 * n + 1)
    _, difference_law = tpr_difference_pmf(pair, fpr=ranks / n)
    for counts, probabilities in [(observed, law), (differences, difference_law)]:
        for i in (0, 1):
            expected, seen = probabilities[i].ravel() * m_resamples, counts[i].ravel()
            assert seen[expected < 1e-9].sum() == 0
            common = expected >= 10
            rest = max(expected[~common].sum(), 1e-300)
            statistic = ((seen - expected)[common] ** 2 / expected[common]).sum()
            if rest >= 10:
                statistic += (seen[~common].sum() - rest) ** 2 / rest
            assert statistic < chi2.isf(1e-6, common.sum() - 1 + (rest >= 10))


# --- approximation -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("decimals", [None, 0])
def test_approximate_interval_ends(rho: float, decimals: int | None) -> None:
    n = 400
    pair = simulated(n, n, 13, rho=rho, decimals=decimals)
    r = np.array([20, 60, 150, 300, 380])
    design = PairDesign(r, (n, n))
    assert _affordable(pair, design.r, design.size[1]).all()
    exact, approximated = difference._exact_sums(pair, r, (n, n)), approximate.sums(pair, r, (n, n))
    ends = []
    for mean, square, discordant in (exact / n, approximated / n):
        square = square / n
        deviation = np.sqrt(square - mean**2 + (discordant - square) / n)
        ends.append(np.stack([mean - 1.96 * deviation, mean + 1.96 * deviation]))
    assert np.abs(ends[0] - ends[1]).max() < 1e-3
    # Quantiles lie on a lattice: at most the next point.
    quantiles = difference_quantiles(pair, design, [0.025, 0.975])
    others = approximate.quantiles(pair, r, (n, n), np.array([0.025, 0.975]))
    assert np.abs(others - quantiles).max() < 1.5 / n


@pytest.mark.parametrize("decimals", [None, 1])
def test_bins_of_thresholds_keep_their_probability_and_moments(decimals: int | None) -> None:
    scores = simulated(300, 400, 13, decimals=decimals).a
    (law,) = windows(scores, np.array([60]), 400)
    bins = approximate._bins(scores, 60, 400, law)
    found = scores.pos_above[law.rows]
    assert len(bins.mass) > 5
    assert bins.mass.sum() == pytest.approx(law.pmf.sum(), rel=1e-12)
    assert bins.mass @ bins.mean == pytest.approx(law.pmf @ found, rel=1e-12)
    # Of the square, what varies within bins is added.
    assert bins.mass @ (bins.mean**2 + bins.variance) == pytest.approx(law.pmf @ found**2, rel=1e-12)
    first = 0
    for median, last in zip(bins.median, bins.edge[1:], strict=True):
        inside = np.arange(first, np.flatnonzero(law.rows == last)[0] + 1)
        at = int(np.flatnonzero(law.rows == median)[0])
        half = 0.5 * law.pmf[inside].sum()
        assert law.pmf[inside[inside < at]].sum() <= half + 1e-15
        assert law.pmf[inside[inside > at]].sum() <= half + 1e-15
        first = inside[-1] + 1


def test_where_no_rate_can_be_afforded_none_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = simulated(40, 40, 13)
    rates = np.array([5, 10, 20])
    design = PairDesign(rates, (40, 40))
    monkeypatch.setattr(difference, "AFFORDABLE", 0)
    assert not _affordable(pair, design.r, design.size[1]).any()


@pytest.mark.slow
def test_no_size_is_too_large() -> None:
    pair = simulated(100_000, 100_000, 14)
    design = pair_design(pair, [1e-5, 0.1, 0.5])
    np.testing.assert_array_equal(_affordable(pair, design.r, design.size[1]), [True, False, False])
    mean, variance = difference_moments(pair, design, 0.5)
    quantiles = difference_quantiles(pair, design, [0.025, 0.975])
    assert (variance > 0).all()
    deviation = np.sqrt(variance)
    # With many cases the law is normal; the discrete tail at one false positive is not.
    z = (quantiles[1:] - mean[1:, None]) / deviation[1:, None]
    np.testing.assert_allclose(z, [[-1.96, 1.96]] * 2, atol=0.05)
    mean_a, mean_b = (mean_tpr(x, design, 1.0) for x in (pair.a, pair.b))
    np.testing.assert_allclose(mean, mean_a - mean_b, atol=1e-9)


def test_bad_input_is_refused() -> None:
    pair = simulated(5, 8, 15)
    with pytest.raises(ValueError, match="`fpr` must be at least 1/8"):
        tpr_difference_pmf(pair, fpr=0.01)
    with pytest.raises(ValueError, match=r"`size\[0\]`"):
        joint_threshold_pmf(pair, fpr=0.5, size=(2.5, 3))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`pair`"):
        tpr_difference_pmf(pair.a, fpr=0.5)  # type: ignore[arg-type]
