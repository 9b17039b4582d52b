"""Areas on test sets that overlap partly or not at all: every resample and every division of small ones."""

from __future__ import annotations

import functools
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confroc import ConfrocWarning, PairedScores, Scores, UnpairedScores, auc_difference
from confroc._kernels.auc import twice_won
from confroc.auc import permutation
from confroc.auc.bootstrap import exact_bootstrap_variance
from confroc.curve import area_of_counts
from confroc.statistics import areas_resampled

quiet = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
PAIR = PairedScores([1, 1, 0, 0], [3, 1, 2, 1], [2, 3, 3, 1])
ONLY_A = Scores.from_counts([4, 2, 0], pos=[1, 1, 0], neg=[0, 1, 1])
ONLY_B = Scores.from_counts([5, 2], pos=[1, 0], neg=[0, 2])


def cases_of(scores: Scores) -> tuple[list[float], list[float]]:
    return list(np.repeat(scores.score, scores.pos)), list(np.repeat(scores.score, scores.neg))


def win(pos: list[float], neg: list[float]) -> float:
    y, x = np.array(pos), np.array(neg)
    return float((0.5 * (np.sign(y[:, None] - x) + 1)).mean())


def resamples(n: int) -> list[tuple[int, ...]]:
    return list(itertools.product(range(n), repeat=n))


@quiet
@pytest.mark.parametrize("extras", [(ONLY_A, None), (None, ONLY_B), (ONLY_A, ONLY_B)])
def test_partially_paired_exact_bootstrap_by_enumeration(extras: tuple[Scores | None, Scores | None]) -> None:
    rows = np.arange(len(PAIR.pos))
    shared = [np.repeat(rows, PAIR.pos), np.repeat(rows, PAIR.neg)]
    own = [cases_of(s) if s else ([], []) for s in extras]
    # Positives and negatives are drawn apart, and in each class the three kinds of cases.
    draws = [
        [resamples(len(shared[k])), resamples(len(own[0][k])), resamples(len(own[1][k]))] for k in (0, 1)
    ]
    score = (PAIR.score_a, PAIR.score_b)

    def drawn(k: int, model: int, pick: tuple[tuple[int, ...], ...]) -> list[float]:
        both, single = pick[0], pick[1 + model]
        return [float(score[model][shared[k][i]]) for i in both] + [own[model][k][i] for i in single]

    found = []
    for of_pos in itertools.product(*draws[0]):
        pos = [drawn(0, m, of_pos) for m in (0, 1)]
        for of_neg in itertools.product(*draws[1]):
            neg = [drawn(1, m, of_neg) for m in (0, 1)]
            found.append(win(pos[0], neg[0]) - win(pos[1], neg[1]))
    result = auc_difference(PAIR, method="exact_bootstrap", only_a=extras[0], only_b=extras[1])
    assert result.standard_error == pytest.approx(np.std(found), rel=1e-10)
    assert result.estimate == pytest.approx(np.mean(found), abs=1e-12)
    assert result.design == "partially_paired"
    assert result.guarantee == "bootstrap"


def test_one_stratum_is_the_plain_formula() -> None:
    full = ONLY_A.merge(ONLY_B)
    size = (full.n_pos, full.n_neg)
    assert exact_bootstrap_variance(full, strata=[full]) == pytest.approx(
        exact_bootstrap_variance(full, size)
    )
    # Drawing strata apart takes the variance between them away.
    assert exact_bootstrap_variance(full, strata=[ONLY_A, ONLY_B]) < exact_bootstrap_variance(full, size)


# --- unpaired permutation ----------------------------------------------------------------------------


def divisions(total: list[float], n: int) -> list[tuple[list[float], list[float]]]:
    every = range(len(total))
    return [
        ([total[i] for i in chosen], [total[i] for i in every if i not in chosen])
        for chosen in itertools.combinations(every, n)
    ]


def studentized(a: tuple[list[float], list[float]], b: tuple[list[float], list[float]]) -> float:
    difference, variance = 0.0, 0.0
    for sign, (pos, neg) in ((1, a), (-1, b)):
        w = 0.5 * (np.sign(np.array(pos)[:, None] - np.array(neg)) + 1)
        difference += sign * w.mean()
        variance += np.var(w.mean(axis=1), ddof=1) / len(pos) + np.var(w.mean(axis=0), ddof=1) / len(neg)
    if variance > 1e-20:
        return float(difference / math.sqrt(variance))
    return 0.0 if abs(difference) < 1e-12 else math.copysign(math.inf, difference)


@quiet
@pytest.mark.parametrize("seed", range(3))
def test_unpaired_permutation_by_enumeration(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a = Scores([1, 1, 1, 0, 0], rng.integers(0, 6, 5))
    b = Scores([1, 1, 0, 0, 0, 0], rng.integers(0, 6, 6))
    (pos_a, neg_a), (pos_b, neg_b) = cases_of(a), cases_of(b)
    law = np.array(
        [
            studentized((p, q), (r, s))
            for p, r in divisions(pos_a + pos_b, 3)
            for q, s in divisions(neg_a + neg_b, 2)
        ]
    )
    observed = studentized((pos_a, neg_a), (pos_b, neg_b))
    at, found = permutation.reallocations(UnpairedScores(a, b), 2500, 1)
    assert at == pytest.approx(observed, rel=1e-9)
    less, greater = permutation.tail_shares(at, found[:, 1])
    # Standard error of a share of 2,500 at most 0.01; four and a half of it.
    assert less == pytest.approx(np.mean(law <= observed + 1e-9), abs=0.045)
    assert greater == pytest.approx(np.mean(law >= observed - 1e-9), abs=0.045)
    two_sided = permutation.division_test(UnpairedScores(a, b), "two-sided", 2500, 1)
    assert two_sided.pvalue == pytest.approx(min(1.0, 2 * min(less, greater)), abs=1e-12)
    assert two_sided.guarantee == "finite-sample"
    plain = [
        win(p, q) - win(r, s) for p, r in divisions(pos_a + pos_b, 3) for q, s in divisions(neg_a + neg_b, 2)
    ]
    # Their mean is zero. A root mean square of 2,500 has a standard error of 1.3%; three of these.
    assert two_sided.standard_error == pytest.approx(np.std(plain), rel=0.04)


@quiet
@pytest.mark.parametrize("n_resamples", [1, 19])
def test_the_sample_counts_as_one_of_the_divisions(n_resamples: int) -> None:
    """Perfect against useless scores: no random division differs as much, so the sample is first of B + 1."""
    g = np.random.default_rng(1)
    y = np.repeat([1, 0], 30)
    perfect, useless = Scores(y, g.normal(size=60) + 20.0 * y), Scores(y, 20.0 * g.integers(0, 2, 60) + y)
    for pair, extreme in (
        (UnpairedScores(perfect, useless), "greater"),
        (UnpairedScores(useless, perfect), "less"),
    ):
        tested = {
            side: permutation.division_test(pair, side, n_resamples, 1).pvalue
            for side in ("less", "greater", "two-sided")
        }
        first = 1.0 / (n_resamples + 1.0)
        assert tested.pop(extreme) == pytest.approx(first, rel=1e-12)
        assert tested.pop("two-sided") == pytest.approx(2.0 * first, rel=1e-12)
        # And last from the other side.
        assert list(tested.values()) == [1.0]


@pytest.mark.slow
@quiet
def test_unpaired_permutation_holds_its_level() -> None:
    # One population, 12 + 12 and 8 + 10 cases: rejections of 200 at 10% lie outside 7 to 36 with probability
    # 3e-4; if the test's level were 25% or 1% they would with probability 0.99.
    rejected = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        sets = [
            Scores.from_counts(np.r_[1.2 + rng.standard_normal(m), rng.standard_normal(n)], *classes(m, n))
            for m, n in ((12, 12), (8, 10))
        ]
        tested = permutation.division_test(UnpairedScores(*sets), "two-sided", 39, rng)
        rejected += tested.pvalue <= 0.1
    assert 7 <= rejected <= 36


def classes(m: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    pos = np.repeat([1, 0], [m, n])
    return pos, 1 - pos


def test_unpaired_permutation_finds_differences_and_is_reproducible() -> None:
    rng = np.random.default_rng(1)
    sets = [
        Scores(np.repeat([1, 0], 60), np.r_[s + rng.standard_normal(60), rng.standard_normal(60)])
        for s in (2.5, 0.8)
    ]
    pair = UnpairedScores(*sets)
    one, same = (auc_difference(pair, method="permutation", rng=3, n_resamples=999) for _ in range(2))
    assert one == same
    assert one.pvalue == 2 / 1000
    assert "permutation test" in one.notes[0]
    delong = auc_difference(pair, method="delong")
    assert (one.lower, one.upper) == (delong.lower, delong.upper)
    assert one.statistic == pytest.approx(delong.statistic, rel=1e-9)
    # A transform of both sets together changes nothing.
    moved = UnpairedScores(*(Scores.from_counts(np.exp(s.score), s.pos, s.neg) for s in sets))
    assert auc_difference(moved, method="permutation", rng=3, n_resamples=999).pvalue == one.pvalue


# --- warnings ----------------------------------------------------------------------------------------


def test_warns_where_few_cases_shape_the_difference() -> None:
    rng = np.random.default_rng(2)
    y = np.repeat([1, 0], [5, 200])
    common = rng.standard_normal(205)
    pair = PairedScores(y, *(2 * y + common + rng.standard_normal(205) for _ in range(2)))
    with pytest.warns(ConfrocWarning, match="under-covers"):
        result = auc_difference(pair, method="delong")
    assert "under-cover" in result.notes[-1]
    # The default does not rest on that variance alone.
    assert auc_difference(pair).notes == ()


# --- resampling --------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=8))
def test_counting_wins_by_class(rows: list[tuple[int, int]]) -> None:
    pos, neg = (np.array(c) for c in zip(*rows, strict=True))
    if not (pos.any() and neg.any()):
        return
    at_pos, at_neg = np.flatnonzero(pos), np.flatnonzero(neg)
    # Two rows of counts, in an order that is not the model's.
    mixed = np.random.default_rng(len(rows)).permutation(len(at_pos))
    order = areas_resampled.Order.of((at_pos[mixed], at_neg))
    counts = [np.stack([c[at], 2 * c[at]]) for c, at in ((pos, at_pos[mixed]), (neg, at_neg))]
    won = 2 * area_of_counts(pos, neg) * pos.sum() * neg.sum()
    expected = [[won, pos.sum(), neg.sum()], [4 * won, 2 * pos.sum(), 2 * neg.sum()]]
    for count in (functools.partial(twice_won, *order), order.twice_won):
        found = np.zeros((2, 3), np.int64)
        count(*counts, found)
        np.testing.assert_allclose(found, expected, atol=1e-9)


def test_bootstrap_law_of_one_area() -> None:
    scores = Scores([1, 1, 1, 0, 0], [3, 2, 1, 2, 0])
    values = areas_resampled.replicates(scores, None, 8_000, 1, (3, 2), 1)
    pos, neg = cases_of(scores)
    law = [win([pos[i] for i in p], [neg[j] for j in q]) for p in resamples(3) for q in resamples(2)]
    for v in np.unique(np.round(law, 9)):
        # Standard error of a share of 8,000 at most 0.0056; five of it.
        share = np.mean(np.abs(np.array(law) - v) < 1e-9)
        assert np.mean(np.abs(values - v) < 1e-9) == pytest.approx(share, abs=0.028)
    assert values.min() >= 0.0


def test_few_cases_are_announced_whichever_sample_has_them() -> None:
    rng = np.random.default_rng(5)
    few, many = (
        Scores(np.repeat([1, 0], n), np.r_[rng.normal(2, 1, n), rng.normal(size=n)]) for n in (5, 300)
    )
    notes = []
    for pair in (UnpairedScores(few, many), UnpairedScores(many, few)):
        with pytest.warns(ConfrocWarning, match="under-covers"):
            notes.append(auc_difference(pair, method="delong").notes)
    assert notes[0] == notes[1]
