"""At a rate: the answer at the rate asked, and the mixture of Beta laws against its definition."""

from __future__ import annotations

import itertools
import math
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from confroc import (
    ConfrocWarning,
    PairedScores,
    Scores,
    UnpairedScores,
    fpr_at_tpr,
    rates_at_positive_rate,
    rates_at_threshold,
    roc_curve,
    tpr_at_fpr,
    tpr_difference_at_fpr,
)
from confroc.base import Family
from confroc.points.beta_mixture import Ties
from confroc.points.rate import FPR_AT_TPR, TPR_AT_FPR, TPR_DIFFERENCE_AT_FPR
from confroc.points.rate_methods import ByErrors
from confroc.statistics.rates import exchanged
from confroc_lab import Exponential, TwoDistributions

tables = st.lists(
    st.tuples(st.integers(-5, 5), st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=9
).filter(lambda t: sum(p for _, p, _ in t) > 1 and sum(q for _, _, q in t) > 1)


def counted(table: Any) -> Scores:
    score, pos, neg = (np.array(c) for c in zip(*table, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Scores.from_counts(score, pos, neg)


# --- the rate asked ----------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
@pytest.mark.parametrize("method", TPR_AT_FPR.names)
@settings(max_examples=8)
@given(table=tables, rate=st.floats(0.0, 1.0))
def test_every_method_answers_at_the_rate_asked(method: Any, table: Any, rate: float) -> None:
    scores = counted(table)
    options = {"n_resamples": 40, "rng": 0} if "bootstrap" in method and method[:5] != "exact" else {}
    for function, name, least in ((tpr_at_fpr, "fpr", scores.n_neg), (fpr_at_tpr, "tpr", scores.n_pos)):
        if function is fpr_at_tpr and method not in FPR_AT_TPR.names:
            continue
        at = max(rate, 1 / least)
        try:
            found = function(scores, **{name: at}, method=method, **options)
        except ValueError as error:
            assert "scores" in str(error)  # noqa: PT017
            continue
        assert found.at[0] == at
        assert 0.0 <= found.lower[0] <= found.estimate[0] <= found.upper[0] <= 1.0
        if method != "kernel":
            curve = roc_curve(scores)
            own = curve.tpr_at(at) if function is tpr_at_fpr else curve.fpr_at(at)
            assert found.estimate[0] == own[0]


def test_a_binary_score_is_read_along_its_diagonal() -> None:
    """TPR 0.8 at FPR 0.3: at 0.05 a sixth of it. Within the tie cases are in random order."""
    binary = Scores.from_counts([2, 1], [80, 20], [30, 70])
    for method in ("beta_mixture", "agresti_coull", "wald", "exact_bootstrap", "naive_bootstrap"):
        options = {"n_resamples": 400, "rng": 1} if method == "naive_bootstrap" else {}
        found = tpr_at_fpr(binary, fpr=0.05, method=method, **options)
        assert found.estimate[0] == pytest.approx(0.8 * 0.05 / 0.3)
        assert found.lower[0] < found.estimate[0] < found.upper[0] < 0.35


def test_ratings_are_read_along_their_ties() -> None:
    """The CT ratings of Hanley & McNeil (1982): 11 normal cases have the rating 4 and 2 the rating 5."""
    ratings = Scores.from_counts([5, 4, 3, 2, 1], [33, 11, 2, 2, 3], [2, 11, 6, 6, 33])
    wanted = (33 + 11 * 6 / 11) / 51
    assert wanted == pytest.approx(0.765, abs=5e-4)
    for method in ("beta_mixture", "smoothed_bootstrap", "naive_studentized_bootstrap"):
        options = {} if method == "beta_mixture" else {"n_resamples": 99, "rng": 1}
        assert tpr_at_fpr(ratings, fpr=8 / 58, method=method, **options).estimate[0] == pytest.approx(wanted)


def test_rates_that_few_negatives_decide_are_said_aloud() -> None:
    g = np.random.default_rng(5)
    scores = Scores(np.r_[np.zeros(40), np.ones(60)], np.r_[g.normal(size=40), g.normal(1.0, 1.0, 60)])
    for method in ("agresti_coull", "exact_bootstrap"):
        with pytest.warns(ConfrocWarning, match="fewer than five cases .* Use method='beta_mixture'.$"):
            found = tpr_at_fpr(scores, fpr=[0.1, 0.125, 0.5], method=method)
        assert "'beta_mixture'" in found.notes[0]
        # 0.125 of 40 negatives are five.
        assert not tpr_at_fpr(scores, fpr=[0.125, 0.5], method=method).notes
    with pytest.warns(ConfrocWarning, match="fewer than five cases .* Use method='beta_mixture'.$"):
        fpr_at_tpr(scores, tpr=[0.95, 0.5], method="wald")
    assert not fpr_at_tpr(scores, tpr=[0.5], method="wald").notes
    assert not tpr_at_fpr(scores, fpr=[0.1, 0.02]).notes


# --- the mixture -------------------------------------------------------------------------------------


def by_definition(pos: Any, neg: Any, f: float, level: float) -> tuple[float, float]:
    """The same interval with a place for each positive and negative and bisection, without ties."""
    pos, neg = sorted(pos, reverse=True), sorted(neg, reverse=True)
    n, m = len(neg), len(pos)
    above = [0, *(sum(p >= t for p in pos) for t in neg), m]
    weight = [0.0] * (m + 1)
    for k in range(n + 1):
        for beside in (k, k + 1):
            weight[above[beside]] += math.comb(n, k) * f**k * (1 - f) ** (n - k) / 2

    def cdf(x: float, sure: dict[int, float]) -> float:
        parts = (
            w * (sure[j] if j in sure else stats.beta.cdf(x, j + 0.5, m - j + 0.5))
            for j, w in enumerate(weight)
        )
        return math.fsum(parts)

    low, high = (1 - level) / 2, (1 + level) / 2
    lower = upper = 0.0
    if weight[0] < low:
        lower = optimize.brentq(lambda x: cdf(x, {0: 1.0}) - low, 0.0, 1.0, xtol=1e-15)
    upper = 1.0
    if weight[m] < 1 - high:
        upper = optimize.brentq(lambda x: cdf(x, {m: 0.0}) - high, 0.0, 1.0, xtol=1e-15)
    return lower, upper


def test_the_mixture_is_its_definition() -> None:
    g = np.random.default_rng(0)
    for m, n in ((7, 5), (20, 30), (60, 3), (2, 2)):
        pos, neg = g.normal(1.0, 1.0, m), g.normal(size=n)
        scores = Scores(np.r_[np.ones(m), np.zeros(n)], np.r_[pos, neg])
        for f in (0.0, 0.01, 1 / n, 0.37, 0.91, 0.999):
            for level in (0.3, 0.95, 0.999):
                found = tpr_at_fpr(scores, fpr=f, confidence_level=level)
                lower, upper = by_definition(pos, neg, f, level)
                assert found.lower[0] == pytest.approx(min(lower, found.estimate[0]), abs=1e-9)
                assert found.upper[0] == pytest.approx(max(upper, found.estimate[0]), abs=1e-9)


def test_gathering_thresholds_changes_nothing_that_shows() -> None:
    g = np.random.default_rng(1)
    m, n = 3000, 2000
    pos, neg = g.normal(0.7, 1.3, m), g.normal(size=n)
    scores = Scores(np.r_[np.ones(m), np.zeros(n)], np.r_[pos, neg])
    above = np.searchsorted(np.sort(-pos), np.sort(-neg), side="right")
    for f in (0.02, 0.3):
        k = np.arange(n + 1)
        law = stats.binom.pmf(k, n, f)
        beside = np.concatenate([[0], above, [m]])
        count = np.concatenate([beside[:-1], beside[1:]])
        found = tpr_at_fpr(scores, fpr=f)
        for end, prob in ((found.lower[0], 0.025), (found.upper[0], 0.975)):
            cdf = np.tile(law / 2, 2) @ stats.beta.cdf(end, count + 0.5, m - count + 0.5)
            assert cdf == pytest.approx(prob, abs=1e-7)


def test_a_tie_is_interpolated_between_its_two_ends() -> None:
    """Three levels against draws of the rates at either end of the middle one, where the threshold is."""
    pos, neg = (40, 40, 20), (10, 40, 50)
    found = tpr_at_fpr(Scores.from_counts([3, 2, 1], pos, neg), fpr=[0.25, 0.3])
    g = np.random.default_rng(2)
    draws = 400_000
    above, inside, _ = g.dirichlet((neg[0] + 0.5, neg[1], neg[2] + 0.5), draws).T
    p_above, p_inside, _ = g.dirichlet((pos[0] + 0.5, pos[1], pos[2] + 0.5), draws).T
    for i, f in enumerate(found.at):
        u = (f - above) / inside
        assert ((u > 0.0) & (u < 1.0)).mean() > 0.999
        drawn = p_above + np.clip(u, 0.0, 1.0) * p_inside
        # Half of a hundredth of the width; the quantiles of the draws err by less than a fifth of that.
        assert found.lower[i] == pytest.approx(np.quantile(drawn, 0.025), abs=0.002)
        assert found.upper[i] == pytest.approx(np.quantile(drawn, 0.975), abs=0.002)


def test_the_beta_laws_of_a_tie_have_the_moments_of_its_parts() -> None:
    g = np.random.default_rng(3)
    parts = g.dirichlet((4.5, 7, 9.5), 200_000)
    ties = Ties(np.array([4]), np.array([7]), 20)
    for u in (0.0, 0.3, 0.9, 1.0):
        a, b = (float(v[0]) for v in ties.share(np.array([0]), np.array([u])))
        drawn = parts[:, 0] + u * parts[:, 1]
        assert stats.beta.mean(a, b) == pytest.approx(drawn.mean(), abs=0.001)
        assert stats.beta.std(a, b) == pytest.approx(drawn.std(), rel=0.01)
    assert (a, b) == pytest.approx((11.5, 9.5))


@settings(max_examples=40)
@given(tables, st.floats(0.0, 1.0), st.sampled_from([0.5, 0.8, 0.95]))
def test_turning_the_curve_turns_the_interval(table: Any, rate: float, level: float) -> None:
    """Exchanging the classes makes one question of the other; mirroring both labels and scores, 1 − it."""
    scores = counted(table)
    found = tpr_at_fpr(scores, fpr=rate, confidence_level=level)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mirrored = Scores.from_counts(-scores.score, scores.neg, scores.pos)
    back = fpr_at_tpr(mirrored, tpr=1.0 - rate, confidence_level=level)
    np.testing.assert_allclose(found.estimate, 1.0 - back.estimate, atol=1e-9)
    np.testing.assert_allclose(found.lower, 1.0 - back.upper, atol=1e-7)
    np.testing.assert_allclose(found.upper, 1.0 - back.lower, atol=1e-7)
    if rate < 1.0:
        # At 1 the true positive rate is known, and the false positive rate is not.
        over = fpr_at_tpr(exchanged(scores), tpr=rate, confidence_level=level)
        # The estimates are the two ends of a vertical step, and each is in its interval.
        np.testing.assert_allclose(np.minimum(found.lower, over.estimate), over.lower, atol=1e-12)


TIED = Scores(np.repeat([1, 0], [20, 30]), np.r_[np.arange(20) // 3, np.arange(30) // 4 - 3.0])
ROUNDED = Scores.from_counts([1, 2, 5], [3, 9, 20], [12, 9, 4], score_max=[1.5, 3, 5])
SEPARATED = Scores(np.repeat([1, 0], [12, 9]), np.arange(21)[::-1])
RANDOM = {name for name, method in TPR_AT_FPR.methods.items() if "rng" in method.options}
BY_ERRORS = [name for name, method in TPR_AT_FPR.methods.items() if isinstance(method, ByErrors)]


SAMPLES = {"tied": TIED, "rounded": ROUNDED, "separated": SEPARATED}


def certain_cases(entry: Family) -> list[tuple[str, str]]:
    """Samples and methods; those that smooth scores take no rounded ones."""
    pairs = itertools.product(SAMPLES, entry.names)
    return [(name, method) for name, method in pairs if SAMPLES[name].exact or entry.methods[method].widens]


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
@pytest.mark.parametrize(("name", "method"), certain_cases(TPR_AT_FPR))
def test_every_true_positive_rate_is_one_where_all_negatives_are_called(name: str, method: str) -> None:
    options = {"n_resamples": 99, "rng": 1} if method in RANDOM else {}
    alone, beside, found = (
        tpr_at_fpr(SAMPLES[name], fpr=at, method=method, **options) for at in (1.0, 0.5, [0.5, 1.0])
    )
    for one in (alone.estimate, alone.lower, alone.upper):
        assert one.tolist() == [1.0]
    for key in ("estimate", "lower", "upper"):
        assert getattr(found, key)[1] == 1.0
        # Resamples of ties are drawn for all rates in turn.
        assert method in RANDOM or getattr(found, key)[0] == getattr(beside, key)[0]
    assert beside.lower[0] < beside.upper[0] or name == "separated"


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
@pytest.mark.parametrize(("name", "method"), certain_cases(FPR_AT_TPR))
def test_no_false_positive_rate_is_needed_to_find_no_positive(name: str, method: str) -> None:
    options = {"n_resamples": 99, "rng": 1} if method in RANDOM else {}
    alone, beside, found = (
        fpr_at_tpr(SAMPLES[name], tpr=at, method=method, **options) for at in (0.0, 0.5, [0.0, 0.5])
    )
    for one in (alone.estimate, alone.lower, alone.upper):
        assert one.tolist() == [0.0]
    for key in ("estimate", "lower", "upper"):
        assert getattr(found, key)[0] == 0.0
        assert method in RANDOM or getattr(found, key)[1] == getattr(beside, key)[0]


@pytest.mark.parametrize("method", TPR_DIFFERENCE_AT_FPR.names)
def test_models_do_not_differ_where_all_negatives_are_called(method: str) -> None:
    g = np.random.default_rng(4)
    y = np.repeat([1, 0], [40, 60])
    pair = PairedScores(y, g.normal(size=100) + y, (g.normal(size=100) + y).round())
    options = {"n_resamples": 99, "rng": 1} if method in RANDOM else {}
    for two in (pair, UnpairedScores(pair.a, pair.b)):
        found = tpr_difference_at_fpr(two, fpr=[0.5, 1.0], method=method, **options)
        assert (found.estimate[1], found.lower[1], found.upper[1]) == (0.0, 0.0, 0.0)
        assert found.lower[0] < found.upper[0]
    # No variation is no reason to warn there.
    assert not tpr_difference_at_fpr(UnpairedScores(pair.a, pair.a), fpr=1.0, method="wald").notes


def test_covers_where_one_negative_decides() -> None:
    """500 positives and 20 negatives at one of 20, and the reverse; 300 samples, nominal 90 %.

    Fewer than 255 of 300 have a probability below 0.005 at 90 % (the false alarm), and 0.9996 at the 75 %
    that a normal interval attains (the power).
    """
    model = TwoDistributions(Exponential(4.0), Exponential(1.0))
    for size, f in (((500, 20), 0.05), ((20, 500), 0.95)):
        pos, neg = model.draw(np.random.default_rng(6), *size, 300)
        held = 0
        for p, q in zip(pos, neg, strict=True):
            scores = Scores(np.r_[np.ones(len(p)), np.zeros(len(q))], np.r_[p, q])
            if f < 0.5:
                found, truth = tpr_at_fpr(scores, fpr=f, confidence_level=0.9), f**0.25
            else:
                found, truth = fpr_at_tpr(scores, tpr=f, confidence_level=0.9), f**4
            held += bool(found.lower[0] <= truth <= found.upper[0])
        assert held >= 255


Y = np.repeat([1, 0], [40, 60])


def test_results_carry_the_threshold_that_attains_the_rate() -> None:
    scores = Scores(Y, Y + np.random.default_rng(3).normal(size=100).round(1))
    score = scores.score
    found = tpr_at_fpr(scores, fpr=[0.0, 0.1, 0.5, 1.0])
    for rate, threshold in zip(found.at, found.threshold, strict=True):
        # No more false positives than asked for, and one distinct score lower there are more.
        rates = [scores.neg[score >= t].sum() / 60 for t in (threshold, *score[score < threshold][:1])]
        assert rates[0] <= rate
        assert all(more > rate for more in rates[1:])
    found = fpr_at_tpr(scores, tpr=[0.3, 0.9, 1.0])
    for rate, threshold in zip(found.at, found.threshold, strict=True):
        rates = [scores.pos[score >= t].sum() / 40 for t in (threshold, *score[score > threshold][-1:])]
        assert rates[0] >= rate
        assert all(fewer < rate for fewer in rates[1:])
    share = rates_at_positive_rate(scores, positive_rate=0.25).tpr
    assert np.sum(scores.pos + scores.neg, where=score > share.threshold[0]) < 25
    assert np.sum(scores.pos + scores.neg, where=score >= share.threshold[0]) >= 25
    assert rates_at_threshold(scores, threshold=0.0).tpr.threshold is None
