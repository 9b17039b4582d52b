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
from confroc.points.rate import FPR_AT_TPR, TPR_AT_FPR, TPR_DIFFERENCE_AT_FPR
from confroc.points.rate_methods import ByErrors
from confroc.statistics.rates import INTERPOLATED, LOWER_ZERO, exchanged
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
    assert tpr_at_fpr(scores, fpr=[0.1, 0.025]).notes == (f"{LOWER_ZERO}0.025.",)
    assert not tpr_at_fpr(scores, fpr=[0.1, 0.3]).notes


def test_rates_between_thresholds_are_noted() -> None:
    # At score 2 fifteen positives tie with 18 negatives; no threshold has an FPR from 0.02 to 0.2.
    scores = Scores.from_counts([3, 2, 1], pos=[30, 15, 5], neg=[2, 18, 80])
    for rate, noted in ((0.02, False), (0.1, True), (0.2, False)):
        found = tpr_at_fpr(scores, fpr=rate)
        assert (INTERPOLATED in found.notes) == noted == bool(np.isnan(found.threshold).all())
    for rate, noted in ((0.6, False), (0.7, True), (0.9, False)):
        found = fpr_at_tpr(scores, tpr=rate)
        assert (INTERPOLATED in found.notes) == noted == bool(np.isnan(found.threshold).all())
    assert INTERPOLATED in tpr_difference_at_fpr(UnpairedScores(scores, scores), fpr=0.1).notes


@pytest.mark.parametrize("function", [tpr_at_fpr, tpr_difference_at_fpr])
def test_rates_that_the_negatives_cannot_show_are_noted(function: Any) -> None:
    g = np.random.default_rng(5)
    y = np.repeat([1, 0], [30, 40])
    data = (y, g.normal(size=70) + y) if function is tpr_at_fpr else (y, *(g.normal(size=(2, 70)) + y))
    (note,) = (text for text in function(*data, fpr=[0.02, 0.5]).notes if "below 1/n_neg" in text)
    assert "rate_sample_size" in note
    assert not any("below 1/n_neg" in text for text in function(*data, fpr=[0.025, 0.5]).notes)


# --- the mixture -------------------------------------------------------------------------------------


def by_definition(scores: Scores, f: float, level: float) -> tuple[float, float]:
    """The same interval with a place between any two negatives, and bisection."""
    n, m = scores.n_neg, scores.n_pos
    curve = roc_curve(scores)
    binomial = [math.comb(n, k) * f**k * (1 - f) ** (n - k) for k in range(n + 1)]
    reached = [math.fsum(binomial[:k]) + binomial[k] / 2 for k in range(n + 1)]
    found, in_tie = [0.0], [0.0]
    for k in range(n):
        found.append(m * float(curve.tpr_at((k + 0.5) / n)[0]))
        row = np.flatnonzero(np.cumsum(scores.neg) > k)[0]
        part = (k + 0.5 - scores.neg[:row].sum()) / scores.neg[row]
        in_tie.append(scores.pos[row] * part * (1.0 - part))
    found, in_tie = [*found, float(m)], [*in_tie, 0.0]
    medians = [sum(r < 0.5 + by for r in reached) for by in (-1e-9, 1e-9)]
    weight = np.diff([0.0, *reached, 1.0])
    betas = []
    for j, tie in zip(found, in_tie, strict=True):
        variance = (j + 0.5) * (m - j + 0.5) / (m + 1)
        counted = tie + sum(abs(j - found[k]) for k in medians) / 2
        kept = max(1.0 - counted / variance, 0.01)
        # A Beta distribution whose variance is a part `kept` of that of Beta(j + 1/2, m - j + 1/2).
        size = (m + 2) / kept - 1
        betas.append((size * (j + 0.5) / (m + 1), size * (m - j + 0.5) / (m + 1)))

    def cdf(x: float, sure: dict[float, float]) -> float:
        parts = (
            w * (sure[j] if j in sure else stats.beta.cdf(x, a, b))
            for j, w, (a, b) in zip(found, weight, betas, strict=True)
        )
        return math.fsum(parts)

    low, high = (1 - level) / 2, (1 + level) / 2
    lower, upper = 0.0, 1.0
    if cdf(0.0, {0.0: 1.0}) < low:
        lower = optimize.brentq(lambda x: cdf(x, {0.0: 1.0}) - low, 0.0, 1.0, xtol=1e-15)
    if cdf(1.0, {float(m): 0.0}) > high:
        upper = optimize.brentq(lambda x: cdf(x, {float(m): 0.0}) - high, 0.0, 1.0, xtol=1e-15)
    return lower, upper


def assert_by_definition(scores: Scores, f: float, level: float, tolerance: float) -> None:
    found = tpr_at_fpr(scores, fpr=f, confidence_level=level)
    lower, upper = by_definition(scores, f, level)
    assert found.lower[0] == pytest.approx(min(lower, found.estimate[0]), abs=tolerance)
    assert found.upper[0] == pytest.approx(max(upper, found.estimate[0]), abs=tolerance)


@pytest.mark.slow
def test_the_mixture_is_its_definition() -> None:
    g = np.random.default_rng(0)
    for m, n in ((7, 5), (20, 30), (60, 3), (2, 2)):
        pos, neg = g.normal(1.0, 1.0, m), g.normal(size=n)
        scores = Scores(np.r_[np.ones(m), np.zeros(n)], np.r_[pos, neg])
        for f, level in itertools.product((0.0, 0.01, 1 / n, 0.37, 0.91, 0.999), (0.3, 0.95, 0.999)):
            assert_by_definition(scores, f, level, 1e-6)


@settings(max_examples=30)
@given(tables, st.floats(0.0, 1.0, exclude_max=True), st.sampled_from([0.5, 0.8, 0.95]))
def test_the_mixture_is_its_definition_in_ties(table: Any, f: float, level: float) -> None:
    assert_by_definition(counted(table), f, level, 1e-6)


@pytest.mark.slow
def test_wider_stretches_change_nothing_that_shows() -> None:
    """Of 400 negatives every fourth or fifth is a place: the ends move by less than 1% of the width."""
    g = np.random.default_rng(1)
    m, n = 300, 400
    scores = Scores(np.repeat([1, 0], [m, n]), np.r_[g.normal(0.7, 1.3, m), g.normal(size=n)])
    for f in (0.1, 0.3):
        found = tpr_at_fpr(scores, fpr=f)
        close = 0.01 * (found.upper[0] - found.lower[0])
        assert_by_definition(scores, f, 0.95, close)


def test_many_positives_leave_the_order_statistics_and_many_negatives_jeffreys() -> None:
    """The two limits in which the interval is exact, or that of a proportion."""
    f, z = 0.25, np.linspace(-4.0, 4.0, 4001)
    # A million positives show the curve between the negatives; only their order is random.
    neg = np.random.default_rng(2).normal(size=40)
    pos = np.round(1e6 * np.diff(stats.norm.cdf(z, 1.0))).astype(int)
    score = np.r_[(z[1:] + z[:-1]) / 2, neg]
    counts = np.r_[pos, np.zeros(40, int)], np.r_[np.zeros(4000, int), np.ones(40, int)]
    found = tpr_at_fpr(Scores.from_counts(score, *counts), fpr=f)
    reached = stats.binom.cdf(np.arange(41), 40, f) - stats.binom.pmf(np.arange(41), 40, f) / 2
    ordered = np.sort(neg)[::-1]
    for end, tail in ((found.lower[0], 0.025), (found.upper[0], 0.975)):
        # The place is between the negatives on either side of the probability.
        k = int(np.searchsorted(reached, tail))
        between = stats.norm.sf(ordered[max(k - 2, 0)], 1.0), stats.norm.sf(ordered[k], 1.0)
        assert between[0] <= end <= between[1]
    # A million negatives fix the threshold.
    neg = np.round(1e6 * np.diff(stats.norm.cdf(z))).astype(int)
    own = np.random.default_rng(3).normal(1.0, 1.0, 30)
    score = np.r_[(z[1:] + z[:-1]) / 2, own]
    counts = np.r_[np.zeros(4000, int), np.ones(30, int)], np.r_[neg, np.zeros(30, int)]
    found = tpr_at_fpr(Scores.from_counts(score, *counts), fpr=f)
    j = int(np.sum(own > stats.norm.isf(f)))
    wanted = stats.beta.ppf([0.025, 0.975], j + 0.5, 30 - j + 0.5)
    np.testing.assert_allclose([found.lower[0], found.upper[0]], wanted, atol=0.002)


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
    """500 positives and 20 negatives at one of 20, and the reverse; 300 samples, nominal 90%.

    Fewer than 255 of 300 have a probability below 0.005 at 90% (the false alarm), and 0.9996 at the 75%
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


@pytest.mark.parametrize("seed", [3, 8])
def test_results_carry_the_threshold_that_attains_the_rate(seed: int) -> None:
    # Of the second sample one distinct score alone is above all negatives.
    scores = Scores(Y, Y + np.random.default_rng(seed).normal(size=100).round(1))
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
