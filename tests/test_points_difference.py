"""Two models: differences at thresholds and at a false positive rate, and dominance."""

from __future__ import annotations

import functools
import itertools
import math
import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from confroc import (
    ConfrocWarning,
    PairedScores,
    Scores,
    UnpairedScores,
    difference,
    distributions,
    points,
    roc_curve,
)
from confroc.exact.difference import difference_moments, difference_quantiles, pair_design
from confroc.points.rate import TPR_DIFFERENCE_AT_FPR
from confroc.points.rate_methods import AgrestiMinAtRate
from confroc.points.threshold import RATES_AT_THRESHOLD, RATES_DIFFERENCE_AT_THRESHOLD
from confroc.resample import resample
from confroc.scores.counting import discordant_counts
from confroc.statistics import TprAtFpr
from support import gap_in_probability, quantile

pytestmark = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")

# Wrong arguments are passed on purpose below.
dominance_at_threshold: Any = points.dominance_at_threshold
rates_at_threshold: Any = points.rates_at_threshold
rates_difference_at_threshold: Any = points.rates_difference_at_threshold
tpr_difference_at_fpr: Any = points.tpr_difference_at_fpr


def tiny_pair(g: np.random.Generator, most: int = 4) -> PairedScores:
    n = int(g.integers(2, most + 1))
    return PairedScores(np.r_[0, 1, g.integers(0, 2, n - 2)], g.integers(0, 4, n), g.integers(0, 4, n))


def rows_of(pair: PairedScores, counts: np.ndarray) -> list[tuple[float, float]]:
    return [(a, b) for a, b, c in zip(pair.score_a, pair.score_b, counts, strict=True) for _ in range(int(c))]


def add(law: Any, value: Any, weight: Any) -> Any:
    law[value] = law.get(value, Fraction(0)) + weight


# --- counting ----------------------------------------------------------------------------------------


def test_discordant_counts_equal_counting_one_by_one() -> None:
    g = np.random.default_rng(0)
    for _ in range(150):
        n, h = int(g.integers(2, 40)), int(g.integers(1, 12))
        pair = PairedScores(np.r_[0, 1, g.integers(0, 2, n - 2)], g.integers(0, 6, n), g.integers(0, 6, n))
        a, b = g.integers(-1, 7, h).astype(float), g.integers(-1, 7, h).astype(float)
        a[0], b[-1] = np.inf, -np.inf
        above_a, above_b = pair.score_a[:, None] >= a, pair.score_b[:, None] >= b
        expected = [
            (cell * counts[:, None]).sum(axis=0)
            for counts in (pair.pos, pair.neg)
            for cell in (above_a & ~above_b, ~above_a & above_b)
        ]
        np.testing.assert_array_equal(discordant_counts(pair, a, b), expected)


def test_many_thresholds_are_counted_in_one_sweep() -> None:
    g = np.random.default_rng(1)
    n = 3000
    pair = PairedScores(g.integers(0, 2, n), g.normal(size=n).round(2), g.normal(size=n).round(2))
    a, b = g.normal(size=500), g.normal(size=500)
    found = discordant_counts(pair, a, b)
    above_a, above_b = pair.score_a[:, None] >= a, pair.score_b[:, None] >= b
    np.testing.assert_array_equal(found.pos_10, (above_a & ~above_b).T @ pair.pos)
    np.testing.assert_array_equal(found.neg_01, (above_b & ~above_a).T @ pair.neg)


# --- exact laws at thresholds ------------------------------------------------------------------------


def paired_difference_law(rows: Any, m: Any, a: Any, b: Any) -> Any:
    law: dict[Fraction, Fraction] = {}
    for drawn in itertools.product(rows, repeat=m):
        up, down = sum(x >= a for x, _ in drawn), sum(y >= b for _, y in drawn)
        add(law, Fraction(up - down, m), Fraction(1, len(rows) ** m))
    return law


def binomial_law(k: Any, n: Any, m: Any) -> Any:
    return {
        Fraction(i, m): math.comb(m, i) * Fraction(k, n) ** i * Fraction(n - k, n) ** (m - i)
        for i in range(m + 1)
    }


def unpaired_difference_law(first: Any, second: Any) -> Any:
    law: dict[Fraction, Fraction] = {}
    for (x, v), (y, w) in itertools.product(first.items(), second.items()):
        add(law, x - y, v * w)
    return law


def dominance(tpr: Any, fpr: Any) -> Any:
    """P(no fewer true and no more false positives, not both equal)."""
    return float(
        sum(v * w for x, v in tpr.items() for y, w in fpr.items() if x >= 0 and y <= 0 and (x, y) != (0, 0))
    )


def mirrored(law: Any) -> Any:
    return {-k: v for k, v in law.items()}


def test_paired_laws_at_thresholds_equal_enumeration() -> None:
    g = np.random.default_rng(2)
    for trial in range(25):
        pair = tiny_pair(g, 5)
        size = (pair.n_pos, pair.n_neg) if trial % 2 else tuple(g.integers(1, 4, 2).tolist())
        a, b = g.integers(0, 5, 2).astype(float)
        laws = [
            paired_difference_law(rows_of(pair, counts), m, a, b)
            for counts, m in ((pair.neg, size[1]), (pair.pos, size[0]))
        ]
        got = rates_difference_at_threshold(
            pair,
            threshold_a=a,
            threshold_b=b,
            method="exact_bootstrap",
            joint=False,
            confidence_level=0.77,
            size=size,
        )
        for side, law in zip((got.fpr, got.tpr), laws, strict=True):
            ends = [quantile(law, 0.115), quantile(law, 0.885)]
            np.testing.assert_allclose([side.lower[0], side.upper[0]], ends, atol=1e-12)
        fpr, tpr = laws
        result = dominance_at_threshold(pair, threshold_a=a, threshold_b=b, size=size)
        assert result.a_over_b[0] == pytest.approx(dominance(tpr, fpr), abs=1e-12)
        assert result.b_over_a[0] == pytest.approx(dominance(mirrored(tpr), mirrored(fpr)), abs=1e-12)


def test_laws_at_thresholds_of_random_class_sizes_equal_enumeration() -> None:
    g = np.random.default_rng(4)
    options = {"method": "exact_bootstrap", "sampling": "full", "confidence_level": 0.77, "joint": False}
    for _ in range(8):
        pair, other = tiny_pair(g, 4), tiny_pair(g, 4).a
        a, b = g.integers(0, 5, 2).astype(float)

        def laws(rows: Any, rates: Any) -> Any:
            """Of the FPR and the TPR, or of their differences, in resamples with both classes."""
            found: Any = ({}, {})
            for x in itertools.product(rows, repeat=len(rows)):
                for law, label in zip(found, (0, 1), strict=True):
                    steps = [rates(s) for y, *s in x if y == label]
                    if 0 < len(steps) < len(rows):
                        add(law, Fraction(sum(steps), len(steps)), Fraction(1))
            return [{k: v / sum(law.values()) for k, v in law.items()} for law in found]

        pos, neg = rows_of(pair, pair.pos), rows_of(pair, pair.neg)
        rows = [(1, *s) for s in pos] + [(0, *s) for s in neg]
        alone = [(1, s) for s in np.repeat(other.score, other.pos)]
        alone += [(0, s) for s in np.repeat(other.score, other.neg)]
        of_a, of_b = laws(rows, lambda s, t=a: s[0] >= t), laws(alone, lambda s, t=b: s[0] >= t)
        unpaired: Any = ({}, {})
        for law, u, v in zip(unpaired, of_a, of_b, strict=True):
            for (x, p), (y, q) in itertools.product(u.items(), v.items()):
                add(law, x - y, p * q)
        for found, expected in (
            (rates_at_threshold(pair.a, threshold=a, **options), of_a),
            (
                rates_difference_at_threshold(pair, threshold_a=a, threshold_b=b, **options),
                laws(rows, lambda s, t=a, u=b: int(s[0] >= t) - int(s[1] >= u)),
            ),
            (
                rates_difference_at_threshold(
                    UnpairedScores(pair.a, other), threshold_a=a, threshold_b=b, **options
                ),
                unpaired,
            ),
        ):
            for side, law in zip((found.fpr, found.tpr), expected, strict=True):
                own = side.estimate[0]
                ends = min(own, quantile(law, 0.115)), max(own, quantile(law, 0.885))
                np.testing.assert_allclose((side.lower[0], side.upper[0]), ends, atol=1e-12)


def test_unpaired_laws_at_thresholds_equal_enumeration() -> None:
    g = np.random.default_rng(3)
    for trial in range(25):
        models = []
        for _ in range(2):
            n = int(g.integers(2, 8))
            models.append(Scores(np.r_[0, 1, g.integers(0, 2, n - 2)], g.integers(0, 4, n)))
        pair = UnpairedScores(*models)
        size = None if trial % 2 else tuple(g.integers(1, 6, 2).tolist())
        a, b = g.integers(0, 5, 2).astype(float)
        laws = []
        for name, m_index in (("neg", 1), ("pos", 0)):
            of = []
            for scores, t in zip(models, (a, b), strict=True):
                n = scores.n_neg if name == "neg" else scores.n_pos
                k = int(getattr(scores, name)[scores.score >= t].sum())
                of.append(binomial_law(k, n, n if size is None else size[m_index]))
            laws.append(unpaired_difference_law(*of))
        got = rates_difference_at_threshold(
            pair,
            threshold_a=a,
            threshold_b=b,
            method="exact_bootstrap",
            joint=False,
            confidence_level=0.77,
            size=size,
        )
        for side, law in zip((got.fpr, got.tpr), laws, strict=True):
            ends = [quantile(law, 0.115), quantile(law, 0.885)]
            np.testing.assert_allclose([side.lower[0], side.upper[0]], ends, atol=1e-12)
        fpr, tpr = laws
        result = dominance_at_threshold(pair, threshold_a=a, threshold_b=b, size=size)
        assert result.a_over_b[0] == pytest.approx(dominance(tpr, fpr), abs=1e-12)
        assert result.b_over_a[0] == pytest.approx(dominance(mirrored(tpr), mirrored(fpr)), abs=1e-12)


def test_algorithm_3_written_out() -> None:
    g = np.random.default_rng(4)
    y = g.integers(0, 2, 60)
    pair = PairedScores(y, g.normal(size=60) + y, g.normal(size=60) + y)
    got = rates_difference_at_threshold(
        pair, threshold_a=0.5, threshold_b=0.7, method="agresti_min", confidence_level=0.9, joint=True
    )
    z = stats.norm.ppf(1 - (1 - math.sqrt(0.9)) / 2)
    for side, counts, n in ((got.tpr, pair.pos, pair.n_pos), (got.fpr, pair.neg, pair.n_neg)):
        only_a = ((pair.score_a >= 0.5) & (pair.score_b < 0.7)) @ counts
        only_b = ((pair.score_a < 0.5) & (pair.score_b >= 0.7)) @ counts
        p, q = (only_a + 0.5) / (n + 2), (only_b + 0.5) / (n + 2)
        half = z * math.sqrt((p + q - (p - q) ** 2) / (n + 2))
        np.testing.assert_allclose([side.lower[0], side.upper[0]], [p - q - half, p - q + half])
        assert side.estimate[0] == pytest.approx((only_a - only_b) / n)
        assert side.confidence_level == pytest.approx(math.sqrt(0.9))


def test_the_default_at_thresholds_covers_small_differences_with_rare_discordance() -> None:
    """Exact coverage, summed over all tables: no simulation. Agresti and Min's falls to 0.87."""
    default = RATES_DIFFERENCE_AT_THRESHOLD.default
    least = {default: 1.0, "agresti_min": 1.0}
    for n, p10, p01 in itertools.product((40, 100, 200), (0.01, 0.02, 0.05, 0.1), (0.0, 0.02)):
        only_a, only_b = (x.ravel() for x in np.indices((2 * n // 3, n // 3)))
        law = stats.multinomial.pmf(
            np.stack([only_a, only_b, n - only_a - only_b], axis=1), n, [p10, p01, 1 - p10 - p01]
        )
        assert law.sum() > 1 - 1e-6
        for method in least:
            low, high = getattr(distributions, method)(only_a, only_b, n, 0.95)
            least[method] = min(least[method], law[(low <= p10 - p01) & (p10 - p01 <= high)].sum())
    assert least["agresti_min"] < 0.88
    assert least[default] > 0.935
    # The function's own interval is that formula.
    pair = PairedScores.from_counts([1, 1, 0, 0], [1, 0, 1, 0], [20, 3, 0, 77], [1, 0, 0, 9])
    got = rates_difference_at_threshold(pair, threshold_a=1, threshold_b=1, joint=False).tpr
    low, high = distributions.bonett_price(np.array([3]), np.array([0]), 100, 0.95)
    assert (got.lower[0], got.upper[0]) == (low[0], high[0])
    # By hand: p10 = 4/102, p01 = 1/102, variance (5/102 - 9/10404)/102.
    assert low[0] == pytest.approx(3 / 102 - 1.959964 * math.sqrt((5 / 102 - 9 / 10404) / 102), abs=1e-7)


def test_dominance_survives_a_certain_cell() -> None:
    """u = 1 of Algorithm 2: model a flags every positive, b none; on the negatives the reverse."""
    pair = PairedScores([0, 0, 1, 1, 1], [0, 0, 1, 1, 1], [1, 1, 0, 0, 0])
    result = dominance_at_threshold(pair, threshold_a=[1.0, 0.0], threshold_b=[1.0, 0.0])
    np.testing.assert_allclose(result.a_over_b, [1.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(result.b_over_a, [0.0, 0.0], atol=1e-12)


def test_equal_models_hardly_dominate_each_other() -> None:
    """Dugas & Gadoury 2009, Figure 2: half of the probability stays in the two undecided quadrants.

    Two models as good as each other, 400 cases of a class, 60 discordant either way: each dominates with
    about one quarter, less what no difference at all takes off.
    """
    pair = PairedScores.from_counts([1, 1, 0, 0], [1, 0, 1, 0], [140, 60, 60, 140], [140, 60, 60, 140])
    result = dominance_at_threshold(pair, threshold_a=1.0, threshold_b=1.0)
    assert result.a_over_b[0] == pytest.approx(result.b_over_a[0], abs=1e-12)
    assert 0.25 < result.a_over_b[0] < 0.28


# --- at a false positive rate ------------------------------------------------------------------------


def test_paired_law_at_a_rate_equals_enumeration() -> None:
    g = np.random.default_rng(5)
    for trial in range(15):
        pair = tiny_pair(g, 5)
        pos, neg = rows_of(pair, pair.pos), rows_of(pair, pair.neg)
        m_pos, m_neg = size = (len(pos), len(neg)) if trial % 2 else tuple(g.integers(1, 4, 2).tolist())
        weight = Fraction(1, len(pos) ** m_pos * len(neg) ** m_neg)
        for r in range(1, m_neg + 1):
            law: dict[Fraction, Fraction] = {}
            for x, y in itertools.product(
                itertools.product(neg, repeat=m_neg), itertools.product(pos, repeat=m_pos)
            ):
                cut = [sorted((s[i] for s in x), reverse=True)[r - 1] for i in (0, 1)]
                ahead = sum(s[0] >= cut[0] for s in y) - sum(s[1] >= cut[1] for s in y)
                add(law, Fraction(ahead, m_pos), weight)
            design = pair_design(pair, r / m_neg, size)
            got = difference_quantiles(pair, design, (0.115, 0.885))
            ends = [quantile(law, 0.115), quantile(law, 0.885)]
            np.testing.assert_allclose(got[0], ends, atol=1e-12)
            # Algorithm 5 as printed; at a rate of 1 the methods know better.
            options = {"method": "exact_bootstrap", "confidence_level": 0.77, "ranks": "published"}
            found = tpr_difference_at_fpr(pair, fpr=r / m_neg, size=size, **options)
            if r < m_neg:
                own = found.estimate[0]
                held = [min(own, ends[0]), max(own, ends[1])]
                np.testing.assert_allclose([found.lower[0], found.upper[0]], held, atol=1e-12)
            mean = float(sum(k * v for k, v in law.items()))
            variance = max(float(sum(k * k * v for k, v in law.items())) - mean**2, 0.0)
            np.testing.assert_allclose(difference_moments(pair, design, 0.0), [[mean], [variance]], atol=1e-9)


def smoothed_moments(pair: Any, r: Any) -> Any:
    """Mean and variance of Algorithm 3's smoothed trinomials over the joint law of the thresholds."""
    from confroc.exact import joint_threshold_pmf

    (s_a, s_b), pmf = joint_threshold_pmf(pair, fpr=r / pair.n_neg)
    mean = square = 0.0
    for (i, a), (j, b) in itertools.product(enumerate(s_a), enumerate(s_b)):
        p = (((pair.score_a >= a) & (pair.score_b < b)) @ pair.pos + 0.5) / (pair.n_pos + 2)
        q = (((pair.score_a < a) & (pair.score_b >= b)) @ pair.pos + 0.5) / (pair.n_pos + 2)
        mean += pmf[i, j] * (p - q)
        square += pmf[i, j] * ((p - q) ** 2 + (p + q - (p - q) ** 2) / (pair.n_pos + 2))
    return mean, square - mean**2


def test_vertical_smoothing_adds_what_algorithm_3_adds() -> None:
    g = np.random.default_rng(6)
    y = g.integers(0, 2, 40)
    pair = PairedScores(y, (g.normal(size=40) + y).round(1), (g.normal(size=40) + y).round(1))
    for r in (1, 5, 12):
        mean, variance = smoothed_moments(pair, r)
        got = difference_moments(pair, pair_design(pair, r / pair.n_neg), 0.5)
        np.testing.assert_allclose(got, [[mean], [variance]], atol=1e-9)


def single_law(scores: Scores, f: float) -> Any:
    """Values and masses: a tie's negatives one by one, its positives evenly, ranks mixed by nearness."""
    n, m = scores.n_neg, scores.n_pos
    share = np.arange(n + 1) / n
    rank = np.arange(1, n + 1)
    row = np.searchsorted(scores.neg_above, rank)
    inside = (scores.neg_above[row] - rank) / scores.neg[row]
    p = (scores.pos_above[row] - inside * scores.pos[row]) / m
    low = math.floor(f * n)
    part = f * n - low
    weight = -np.diff((1 - part) * stats.binom.cdf(low - 1, n, share) + part * stats.binom.cdf(low, n, share))
    return np.arange(m + 1) / m, stats.binom.pmf(np.arange(m + 1)[:, None], m, p) @ weight


def test_unpaired_at_a_rate_combines_two_single_laws() -> None:
    g = np.random.default_rng(7)
    models = []
    for n in (30, 41):
        y = g.integers(0, 2, n)
        models.append(Scores(y, (g.normal(size=n) + y).round(1)))
    pair = UnpairedScores(*models)
    (x_a, p_a), (x_b, p_b) = (single_law(scores, 0.3) for scores in models)
    values, weights = np.subtract.outer(x_a, x_b).ravel(), np.outer(p_a, p_b).ravel()
    order = np.argsort(values)
    ends = values[order][np.searchsorted(np.cumsum(weights[order]), [0.025, 0.975])]
    mean = weights @ values
    half = stats.norm.ppf(0.975) * math.sqrt(weights @ (values - mean) ** 2)
    normal = np.clip([mean - half, mean + half], -1, 1)
    got = tpr_difference_at_fpr(pair, fpr=0.3, method="exact_bootstrap")
    np.testing.assert_allclose([got.lower[0], got.upper[0]], ends, atol=1e-9)
    wald = tpr_difference_at_fpr(pair, fpr=0.3, method="wald")
    np.testing.assert_allclose([wald.lower[0], wald.upper[0]], normal)
    caffo = tpr_difference_at_fpr(pair, fpr=0.3, method="agresti_min")
    assert caffo.method == AgrestiMinAtRate()
    assert any("Caffo" in note for note in caffo.notes)
    assert caffo.at[0] == 0.3
    assert not any("numbers of negatives" in note for note in caffo.notes)


# --- at the rate asked -------------------------------------------------------------------------------


def test_tied_models_are_compared_at_the_rate_asked(asah: Any) -> None:
    """At 0.1 the tie of wfns reaches to 0.167, where it finds .29 more than s100b does at 0.097."""
    pair = PairedScores(asah["outcome"], asah["wfns"], asah["s100b"], pos_label="Poor")
    for method in TPR_DIFFERENCE_AT_FPR.names:
        got = tpr_difference_at_fpr(pair, fpr=0.1, method=method, rng=1)
        assert got.at[0] == 0.1
        assert got.estimate[0] == pytest.approx(5.2 / 41)
        assert got.lower[0] < 0.0 < got.upper[0]


def places(scores: Scores, f: float) -> tuple[Any, Any]:
    """Probabilities of a threshold between two negatives each, in falling order, and the positives there."""
    n = scores.n_neg
    reached = stats.beta.sf(f, np.arange(n + 1) + 0.5, n - np.arange(n + 1) + 0.5)
    found = [scores.pos[scores.score >= t].sum() for t in scores.score[scores.neg > 0]]
    return np.diff(reached, prepend=0.0, append=1.0), np.array([0, *found, scores.n_pos])


def test_a_paired_mixture_against_draws_from_it() -> None:
    """400,000 draws: a quantile errs by less than 0.004 here; one seed in 1,000 would fail."""
    g = np.random.default_rng(21)
    m, n, f = 30, 24, 0.25
    y = np.r_[np.ones(m), np.zeros(n)]
    a = g.normal(size=m + n) + 1.2 * y
    b = 0.6 * a + 0.8 * g.normal(size=m + n)
    pair = PairedScores(y, a, b)
    # Calls of the negatives when k of them are above either threshold, and of the positives between two.
    negatives = [np.argsort(np.argsort(-x[y == 0])) < np.arange(n + 1)[:, None] for x in (a, b)]
    cuts = [np.r_[np.inf, np.sort(x[y == 0])[::-1], -np.inf] for x in (a, b)]
    positives = [x[y == 1] >= cut[:, None] for x, cut in zip((a, b), cuts, strict=True)]
    steps = [np.cumsum(places(s, f)[0])[:-1] for s in (pair.a, pair.b)]
    median = [int(np.sum(reached < 0.5)) for reached in steps]
    joint = np.zeros((n + 3, n + 3))
    joint[1:-1, -1], joint[-1, 1:-1], joint[-1, -1] = steps[0], steps[1], 1.0
    for k, i in itertools.product(range(n + 1), repeat=2):
        u, v = negatives[0][k], negatives[1][i]
        table = np.array([[np.sum(u & v), np.sum(u & ~v)], [np.sum(~u & v), np.sum(~u & ~v)]]) + 0.25
        rho = np.linalg.det(table) / math.sqrt(np.prod(table.sum(axis=0)) * np.prod(table.sum(axis=1)))
        at = stats.norm.ppf([steps[0][k], steps[1][i]])
        if np.isfinite(at).all():
            joint[k + 1, i + 1] = stats.multivariate_normal.cdf(at, cov=[[1.0, rho], [rho, 1.0]])
        else:
            joint[k + 1, i + 1] = min(steps[0][k], steps[1][i])
    mass = np.maximum(np.diff(np.diff(joint, axis=0), axis=1), 0.0)
    difference = []
    of_both = [c[:, None] if i == 0 else c[None] for i, c in enumerate(positives)]
    calls = of_both[0].astype(int) - of_both[1]
    change = np.square(calls - calls[median[0], median[1]]).sum(axis=2)
    numbers = g.multinomial(400_000, (mass / mass.sum()).ravel()).reshape(mass.shape)
    for (k, i), number in np.ndenumerate(numbers):
        cells = np.array([np.sum(calls[k, i] == d) for d in (1, -1, 0)]) + 0.5
        variance = cells[0] + cells[1] - (cells[0] - cells[1]) ** 2 / (m + 1.5)
        kept = max(1.0 - change[k, i] / variance, 0.01)
        # Dirichlet's variances are those of shares divided by its size and one.
        shares = g.dirichlet(((m + 2.5) / kept - 1.0) * cells / (m + 1.5), number)
        difference.append(shares[:, 0] - shares[:, 1])
    drawn = np.concatenate(difference)
    for level in (0.8, 0.95):
        got = tpr_difference_at_fpr(pair, fpr=f, confidence_level=level)
        expected = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
        np.testing.assert_allclose([got.lower[0], got.upper[0]], expected, atol=0.004)
    # 2 P(D <= 0) or 2 P(D >= 0).
    share = 2.0 * min(np.mean(drawn <= 0.0), np.mean(drawn >= 0.0))
    assert got.pvalue[0] == pytest.approx(share, abs=0.005)


def test_an_unpaired_mixture_is_the_difference_of_two() -> None:
    """Both models' own mixtures on a grid, and the difference by all pairs of its points."""
    g = np.random.default_rng(23)
    f, grid = 0.25, (np.arange(1500) + 0.5) / 1500
    density = []
    models = []
    for m, n, shift in ((30, 24, 1.6), (25, 33, 0.8)):
        y = np.repeat([1, 0], [m, n])
        scores = Scores(y, g.normal(size=m + n) + shift * y)
        weight, found = places(scores, f)
        median = int(np.sum(np.cumsum(weight) < 0.5))
        variance = (found + 0.5) * (m - found + 0.5) / (m + 1)
        kept = np.maximum(1.0 - np.abs(found - found[median]) / variance, 0.01)
        size = (m + 2) / kept - 1
        betas = stats.beta(size * (found + 0.5) / (m + 1), size * (m - found + 0.5) / (m + 1))
        edges = np.arange(1501) / 1500
        density.append(np.diff(betas.cdf(edges[:, None]) @ weight))
        models.append(scores)
    value = np.subtract.outer(grid, grid).ravel()
    order = np.argsort(value)
    cdf = np.cumsum(np.outer(*density).ravel()[order])
    for level in (0.8, 0.95, 0.999):
        got = tpr_difference_at_fpr(UnpairedScores(*models), fpr=f, confidence_level=level)
        low, high = value[order][np.searchsorted(cdf, [(1 - level) / 2, (1 + level) / 2])]
        np.testing.assert_allclose([got.lower[0], got.upper[0]], [low, high], atol=0.001)
    below = cdf[np.searchsorted(value[order], 0.0)]
    assert got.pvalue[0] == pytest.approx(2.0 * min(below, 1.0 - below), abs=0.005)


@pytest.mark.parametrize("method", ["beta_mixture", "agresti_min", "wald"])
def test_a_difference_is_significant_exactly_where_its_interval_excludes_zero(method: str) -> None:
    g = np.random.default_rng(24)
    decided = set()
    for trial in range(3):
        y = np.repeat([1, 0], [25, 40])
        x = g.normal(size=65)
        a, b = (x + g.normal(size=65) + shift * y for shift in (1.0 + 0.6 * trial, 1.0))
        pair = PairedScores(y, a.round(1), b.round(1))
        data: Any = UnpairedScores(pair.a, pair.b) if trial == 2 else pair
        pvalue = tpr_difference_at_fpr(data, fpr=[0.1, 0.33], method=method).pvalue
        for level in (0.6, 0.9, 0.99):
            got = tpr_difference_at_fpr(data, fpr=[0.1, 0.33], method=method, confidence_level=level)
            np.testing.assert_allclose(got.pvalue, pvalue, rtol=1e-9)
            excluded = (got.lower > 0.0) | (got.upper < 0.0)
            np.testing.assert_array_equal(got.pvalue < 1.0 - level, excluded)
            decided |= set(excluded.tolist())
            for alternative, margin in (("greater", None), ("less", None), ("non-inferiority", 0.1)):
                one = difference(
                    data,
                    TprAtFpr(0.33),
                    method=method,
                    alternative=alternative,
                    margin=margin,
                    confidence_level=level,
                )
                beyond = one.upper < 0.0 if alternative == "less" else one.lower > -(margin or 0.0)
                assert (one.pvalue < 1.0 - level) == beyond
    assert decided == {True, False}


def test_methods_without_a_test_have_no_pvalue() -> None:
    y = np.repeat([1, 0], [10, 10])
    pair = PairedScores(y, *np.random.default_rng(25).normal(size=(2, 20)))
    got = tpr_difference_at_fpr(pair, fpr=0.5, method="exact_bootstrap")
    assert got.pvalue is None
    assert "pvalue" not in got.to_dict()
    assert math.isnan(difference(pair, TprAtFpr(0.5), method="exact_bootstrap").pvalue)
    assert "pvalue" in tpr_difference_at_fpr(pair, fpr=0.5).to_frame("pandas").columns
    # At a rate of 1 there is no difference.
    assert tpr_difference_at_fpr(pair, fpr=1.0).pvalue.tolist() == [1.0]


def test_few_negatives_beyond_a_threshold_are_warned_of() -> None:
    g = np.random.default_rng(22)
    y = np.r_[np.ones(40), np.zeros(40)]
    pair = PairedScores(y, g.normal(size=80) + y, g.normal(size=80) + y)
    with pytest.warns(ConfrocWarning, match="fewer than five cases"):
        got = tpr_difference_at_fpr(pair, fpr=[0.1, 0.3], method="agresti_min")
    assert any("fewer than five cases" in note for note in got.notes)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not tpr_difference_at_fpr(pair, fpr=[0.2, 0.5], method="agresti_min").notes
        assert not tpr_difference_at_fpr(pair, fpr=[0.125, 0.5]).notes
        (note,) = tpr_difference_at_fpr(pair, fpr=[0.1, 0.5]).notes
        assert note.startswith("With fewer than five negatives")


# --- resampling --------------------------------------------------------------------------------------


@pytest.mark.parametrize("design", ["paired", "unpaired"])
def test_resamples_agree_with_the_exact_laws(design: Any) -> None:
    """4,000 resamples: four deviations of a share are at most 0.0317; false alarm below 1e-3, seed fixed."""
    from confroc.inference import minus
    from confroc.points.rate_difference import difference_replicates
    from confroc.points.rate_methods import ExactBootstrapAtRate, replicates_at
    from confroc.points.threshold_methods import rate_replicates
    from confroc.statistics.rates import RatesAtThreshold

    g = np.random.default_rng(8)
    y = g.integers(0, 2, 60)
    x = (g.normal(size=60) + y).round(1)
    pair: PairedScores | UnpairedScores = PairedScores(y, x, (x + g.normal(size=60)).round(1))
    if design == "unpaired":
        z = g.integers(0, 2, 47)
        pair = UnpairedScores(pair.a, Scores(z, (g.normal(size=47) + z).round(1)))
    a, b = np.array([0.3, 0.9, 0.3]), np.array([0.1, 1.1, -0.4])
    draw = functools.partial(resample, n_resamples=4000, rng=np.random.default_rng(1))
    drawn = rate_replicates(minus(pair, (RatesAtThreshold(a), RatesAtThreshold(b))), draw)
    keywords = {"method": "exact_bootstrap", "confidence_level": 0.8}
    exact = rates_difference_at_threshold(pair, threshold_a=a, threshold_b=b, joint=False, **keywords)
    for i, side in enumerate((exact.fpr, exact.tpr)):
        for j in range(3):
            assert gap_in_probability(drawn[:, i, j], (side.lower[j], side.upper[j]), 0.8) > -0.0317
    # At rates: the laws of whole ranks on the same cases, before their ends are moved.
    draw = functools.partial(resample, n_resamples=4000, rng=np.random.default_rng(2))
    rates = np.array([0.1, 0.4])
    method = ExactBootstrapAtRate()
    if isinstance(pair, PairedScores):
        whole = pair_design(pair, rates)
        drawn = difference_replicates(pair, whole, draw)
        ends = method.at_ranks(pair, whole, 0.8)
    else:
        sides = [(x, (x.n_pos, x.n_neg)) for x in (pair.a, pair.b)]
        drawn = np.subtract(*(replicates_at(x, rates, size, draw) for x, size in sides))
        ends = method.of_samples(sides, rates, 0.8)
    for j in range(2):
        assert gap_in_probability(drawn[:, j], (ends[0][j], ends[1][j]), 0.8) > -0.0317


def test_bootstrap_of_a_difference_gives_each_rate_its_own_percentiles() -> None:
    """Two test sets: both differences of two binomial shares, laid out in full."""
    sets = [
        Scores.from_counts([2, 1], pos=[160, 40], neg=[30, 270]),
        Scores.from_counts([2, 1], pos=[50, 50], neg=[60, 90]),
    ]
    found = rates_difference_at_threshold(
        UnpairedScores(*sets),
        threshold_a=2,
        threshold_b=2,
        method="bootstrap",
        joint=False,
        n_resamples=4000,
        rng=1,
    )
    for rate, ((k, n), (i, m)) in ((found.fpr, ((30, 300), (60, 150))), (found.tpr, ((160, 200), (50, 100)))):
        value = np.subtract.outer(np.arange(n + 1) / n, np.arange(m + 1) / m).ravel()
        mass = np.outer(
            stats.binom.pmf(np.arange(n + 1), n, k / n), stats.binom.pmf(np.arange(m + 1), m, i / m)
        )
        order = np.argsort(value)
        low, high = value[order][np.searchsorted(np.cumsum(mass.ravel()[order]), [0.025, 0.975])]
        # 4,000 resamples know a quantile to 0.04 of a standard error of at most 0.05; four of that.
        assert (rate.lower[0], rate.upper[0]) == pytest.approx((low, high), abs=0.008)


@pytest.mark.parametrize("sampling", ["stratified", "full"])
def test_public_bootstraps_repeat_with_the_seed(sampling: Any) -> None:
    g = np.random.default_rng(9)
    y = g.integers(0, 2, 80)
    pair = PairedScores(y, g.normal(size=80) + y, g.normal(size=80) + y)
    for data in (pair, UnpairedScores(pair.a, pair.b)):
        calls: list[Callable[..., Any]] = [
            lambda d, **k: (
                rates_difference_at_threshold(d, threshold_a=[0.0, 1.0], threshold_b=[0.5, 1.0], **k).tpr
            ),
            lambda d, **k: tpr_difference_at_fpr(d, fpr=[0.1, 0.5], **k),
        ]
        for call in calls:
            one = call(data, method="bootstrap", rng=3, n_resamples=300, sampling=sampling)
            two = call(data, method="bootstrap", rng=3, n_resamples=300, sampling=sampling)
            np.testing.assert_array_equal(one.lower, two.lower)
            exact = call(data, method="exact_bootstrap")
            np.testing.assert_allclose(one.lower, exact.lower, atol=0.15)
            np.testing.assert_allclose(one.upper, exact.upper, atol=0.15)


# --- invariants --------------------------------------------------------------------------------------

METHODS = ["bonett_price", "agresti_min", "wald", "exact_bootstrap"]
rows = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(0, 3), st.integers(0, 3)),
    min_size=1,
    max_size=7,
).filter(lambda t: sum(r[2] for r in t) > 0 and sum(r[3] for r in t) > 0)


@settings(max_examples=30)
@given(rows, st.integers(-4, 4), st.integers(-4, 4), st.sampled_from(METHODS))
def test_swapping_models_negates_and_order_does_not_matter(table: Any, a: Any, b: Any, method: Any) -> None:
    score_a, score_b, pos, neg = (np.array(c) for c in zip(*table, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pair = PairedScores.from_counts(score_a, score_b, pos, neg)
        swapped = PairedScores.from_counts(score_b[::-1], score_a[::-1], pos[::-1], neg[::-1])
        warped = PairedScores.from_counts(np.exp(score_a), score_b**3.0, pos, neg)
        there = rates_difference_at_threshold(pair, threshold_a=a, threshold_b=b, method=method)
        same = rates_difference_at_threshold(
            warped, threshold_a=math.exp(a), threshold_b=b**3.0, method=method
        )
        back = rates_difference_at_threshold(swapped, threshold_a=b, threshold_b=a, method=method)
        for side in ("fpr", "tpr"):
            x, y, z = (getattr(r, side) for r in (there, same, back))
            np.testing.assert_array_equal(x.lower, y.lower)
            np.testing.assert_array_equal(x.upper, y.upper)
            np.testing.assert_allclose(x.estimate, -z.estimate, atol=1e-15)
            if method != "exact_bootstrap":  # the quantile is the smallest value that reaches the level
                np.testing.assert_allclose(x.lower, -z.upper, atol=1e-12)
            assert (x.lower >= -1).all()
            assert (x.lower <= x.upper).all()
            assert (x.upper <= 1).all()
        first, second = (
            dominance_at_threshold(pair, threshold_a=a, threshold_b=b),
            dominance_at_threshold(swapped, threshold_a=b, threshold_b=a),
        )
        np.testing.assert_allclose(first.a_over_b, second.b_over_a, atol=1e-12)
        assert first.a_over_b[0] + first.b_over_a[0] <= 1 + 1e-12


@settings(max_examples=40)
@given(rows, st.floats(0.0, 1.0), st.sampled_from(["beta_mixture", "agresti_min", "wald", "exact_bootstrap"]))
def test_the_difference_at_a_rate_is_that_of_the_curves(table: Any, u: float, method: Any) -> None:
    score_a, score_b, pos, neg = (np.array(c) for c in zip(*table, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pair = PairedScores.from_counts(score_a, score_b, pos, neg)
        swapped = PairedScores.from_counts(score_b[::-1], score_a[::-1], pos[::-1], neg[::-1])
        warped = PairedScores.from_counts(np.exp(score_a), score_b**3.0, pos, neg)
        rate = u if method == "beta_mixture" else 1 / pair.n_neg + u * (1 - 1 / pair.n_neg)
        for x, y, z in (
            (pair, warped, swapped),
            *[tuple(UnpairedScores(p.a, p.b) for p in (pair, warped, swapped))],
        ):
            there, same, back = (tpr_difference_at_fpr(d, fpr=rate, method=method) for d in (x, y, z))
            curves = roc_curve(x.a).tpr_at(rate) - roc_curve(x.b).tpr_at(rate)
            np.testing.assert_array_equal(there.estimate, curves)
            np.testing.assert_allclose(there.lower, same.lower, atol=1e-12)
            np.testing.assert_allclose(there.upper, same.upper, atol=1e-12)
            np.testing.assert_allclose(there.estimate, -back.estimate, atol=1e-15)
            if method != "exact_bootstrap":
                np.testing.assert_allclose(there.lower, -back.upper, atol=1e-7)
            assert -1 <= there.lower[0] <= there.estimate[0] <= there.upper[0] <= 1


def test_a_model_against_itself_is_no_different() -> None:
    y = [0, 0, 0, 1, 1, 1]
    pair = PairedScores(y, [1, 2, 4, 3, 5, 6], [1, 2, 4, 3, 5, 6])
    result = rates_difference_at_threshold(pair, threshold_a=3, threshold_b=3)
    assert result.tpr.estimate[0] == 0.0
    assert result.tpr.lower[0] == -result.tpr.upper[0] < 0.0
    dominance_result = dominance_at_threshold(pair, threshold_a=3, threshold_b=3)
    assert dominance_result.a_over_b[0] == dominance_result.b_over_a[0] == 0.0
    with pytest.warns(ConfrocWarning, match="zero width"):
        rates_difference_at_threshold(pair, threshold_a=3, threshold_b=3, method="wald")


def test_unpaired_difference_of_one_model_is_wider_than_paired() -> None:
    """Equation 12: ignoring the pairing of agreeing models overstates the variance."""
    g = np.random.default_rng(10)
    y = g.integers(0, 2, 200)
    x = g.normal(size=200) + y
    pair = PairedScores(y, x, x + 0.2 * g.normal(size=200))
    paired = rates_difference_at_threshold(pair, threshold_a=0.5, threshold_b=0.5, method="wald").tpr
    naive = rates_difference_at_threshold(
        UnpairedScores(pair.a, pair.b), threshold_a=0.5, threshold_b=0.5, method="wald"
    ).tpr
    assert naive.upper[0] - naive.lower[0] > 2 * (paired.upper[0] - paired.lower[0])
    single = [rates_at_threshold(s, threshold=0.5, method="wald").tpr for s in (pair.a, pair.b)]
    halves = [(s.upper[0] - s.lower[0]) / 2 for s in single]
    assert (naive.upper[0] - naive.lower[0]) / 2 == pytest.approx(math.hypot(*halves))


def test_results_turn_into_frames_and_dicts() -> None:
    pair = PairedScores([0, 0, 1, 1], [1, 2, 3, 4], [1, 3, 2, 4])
    region = rates_difference_at_threshold(pair, threshold_a=[2, 3], threshold_b=[2, 3])
    assert list(region.to_frame("pandas").columns[:3]) == ["threshold_a", "threshold_b", "fpr_a - fpr_b"]
    assert region.to_dict()["design"] == "paired"
    assert region.to_dict()["at_b"] == [2.0, 3.0]
    result = dominance_at_threshold(pair, threshold_a=[2, 3], threshold_b=[2, 3])
    assert len(result) == 2
    assert list(result.to_frame("pandas").columns) == ["threshold_a", "threshold_b", "a_over_b", "b_over_a"]
    assert result.guarantee == "bootstrap"


# --- bad input ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda p: rates_difference_at_threshold(p, threshold_a=[1, 2], threshold_b=[1]),
            ["`threshold_b`", "`threshold_a` (2)"],
        ),
        (lambda p: dominance_at_threshold(p, threshold_a=[1], threshold_b=[1, 2]), ["`threshold_b`"]),
        (lambda p: dominance_at_threshold(p, threshold_a=math.nan, threshold_b=1), ["`threshold_a`", "NaN"]),
        (lambda p: dominance_at_threshold(p, threshold_a=1, threshold_b=1, size=(2, -1)), ["`size[1]`"]),
        (
            lambda p: rates_difference_at_threshold(p, threshold_a=1, threshold_b=1, method="agresti_coull"),
            ["'agresti_min'"],
        ),
        (lambda p: tpr_difference_at_fpr(p, fpr=0.1, method="wald"), ["`fpr`", "1/2"]),
        (lambda p: tpr_difference_at_fpr(p, fpr=0.5, method="wald", size=(2, 0)), ["`size[1]`"]),
        (lambda p: tpr_difference_at_fpr(p, fpr=0.5, sampling="full"), ["`sampling`"]),
        (
            lambda p: tpr_difference_at_fpr(p, fpr=0.5, method="bootstrap", n_resamples=9),
            ["`n_resamples`", "40"],
        ),
    ],
)
def test_errors_name_the_argument_and_the_remedy(call: Any, words: Any) -> None:
    pair = PairedScores([0, 0, 1, 1], [1, 2, 3, 4], [1, 3, 2, 4])
    for data in (pair, UnpairedScores(pair.a, pair.b)):
        with pytest.raises(ValueError, match="must") as error:
            call(data)
        for word in words:
            assert word in str(error.value)


def test_single_scores_are_refused() -> None:
    scores = Scores([0, 1], [1, 2])
    calls: list[Callable[[], Any]] = [
        lambda: rates_difference_at_threshold(scores, threshold_a=1, threshold_b=1),
        lambda: dominance_at_threshold(scores, threshold_a=1, threshold_b=1),
        lambda: tpr_difference_at_fpr(scores, fpr=1.0),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="`pair`"):
            call()


LEVELS = (0.5, 0.68, 0.8, 0.84, 0.9, 0.95, 0.99)


@pytest.mark.parametrize("level", LEVELS)
def test_intervals_at_thresholds_contain_their_estimates_at_every_level(level: float) -> None:
    """All counts from 0 to 12 of 12 cases, in one sample and in a pair."""
    n = 12
    scores = Scores.from_counts(np.arange(n + 1.0), np.r_[0, np.ones(n, int)], np.r_[0, np.ones(n, int)])
    grid = [x.ravel() for x in np.meshgrid(np.arange(4.0), np.arange(4.0))]
    pair = PairedScores.from_counts(*grid, np.eye(4, dtype=int).ravel(), np.ones(16, dtype=int))
    for method in RATES_AT_THRESHOLD.names:
        region = rates_at_threshold(
            scores, threshold=np.arange(n + 2.0), method=method, confidence_level=level, joint=False
        )
        for side in (region.fpr, region.tpr):
            assert (side.lower <= side.estimate).all()
            assert (side.estimate <= side.upper).all()
    for method in RATES_DIFFERENCE_AT_THRESHOLD.names:
        a, b = (x.ravel() for x in np.meshgrid(np.arange(5.0), np.arange(5.0)))
        region = rates_difference_at_threshold(
            pair, threshold_a=a, threshold_b=b, method=method, confidence_level=level, joint=False
        )
        for side in (region.fpr, region.tpr):
            assert (side.lower <= side.estimate).all()
            assert (side.estimate <= side.upper).all()
