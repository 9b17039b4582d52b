"""Costs per case where the share of positives is an estimate, and where the threshold is the sample's own."""

from __future__ import annotations

import inspect
import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats
from scipy.special import ndtr

import confroc
from confroc import (
    PairedScores,
    Scores,
    UnpairedScores,
    best_threshold,
    cost,
    cost_band,
    cost_curve,
    cost_difference,
    cost_difference_band,
    expected_cost,
    expected_cost_difference,
)
from confroc.cost import cost_optimism, net_benefit
from confroc.cost.band import WeightRange
from confroc.scores import ScoreStream
from support import sample, sample_arrays

COSTS: dict[str, Any] = {"false_negative": 30.0, "false_positive": 7.0}


def pair_arrays(seed: int = 3) -> tuple[Any, Any, Any]:
    y, a = sample_arrays(seed, 40, 90, 1.2)
    return y, a, a + np.random.default_rng(seed + 1).normal(0, 0.8, len(y))


def pair(seed: int = 3) -> PairedScores:
    return PairedScores(*pair_arrays(seed))


# --- the share of positives --------------------------------------------------------------------------


@pytest.mark.slow
def test_without_a_prior_the_share_is_an_estimate() -> None:
    """Fewer than 360 of 400 samples: probability 1e-5 at coverage .95, almost one at .80."""
    rng = np.random.default_rng(5)
    covered = known = 0
    truth = 0.2 * ndtr(0.5 - 1.2) + 0.8 * ndtr(-0.5)
    for _ in range(400):
        y = rng.random(150) < 0.2
        scores = Scores(y, rng.normal(size=150) + 1.2 * y)
        cost = expected_cost(scores, false_negative=1, false_positive=1, threshold=0.5)
        covered += cost.lower <= truth <= cost.upper
        apart = expected_cost(
            scores, false_negative=1, false_positive=1, threshold=0.5, sampling="stratified"
        )
        known += apart.upper - apart.lower < cost.upper - cost.lower
    assert covered >= 360
    assert known >= 390


def test_full_sampling_against_all_samples_of_six_cases() -> None:
    # Every one of 6^6 resamples: the law of the money lost per case, laid out.
    y, s = [1, 1, 0, 0, 0, 1], [4.0, 1.0, 3.0, 2.0, 0.0, 5.0]
    lost = np.where(np.array(y) == 1, 30.0 * (np.array(s) < 3), 7.0 * (np.array(s) >= 3))
    means = lost[np.array(list(itertools.product(range(6), repeat=6)))].mean(axis=1)
    cost = expected_cost(Scores(y, s), threshold=3, method="exact_bootstrap", **COSTS)
    ends = np.quantile(means, [0.025, 0.975], method="inverted_cdf")
    assert (cost.lower, cost.upper) == pytest.approx(tuple(ends))
    assert cost.estimate == pytest.approx(lost.mean())


def test_the_sampling_follows_from_the_prior() -> None:
    scores = sample(1, 30, 90, 1.2)
    free, known = expected_cost(scores, rng=1, **COSTS), expected_cost(scores, prior=0.25, rng=1, **COSTS)
    assert (free.sampling, known.sampling, free.prior) == ("full", "stratified", 0.25)
    assert free.upper - free.lower > known.upper - known.lower
    told = expected_cost(scores, sampling="stratified", rng=1, **COSTS)
    assert (told.lower, told.upper) == (known.lower, known.upper)
    assert "treated as known" in told.notes[0]
    with pytest.raises(ValueError, match="`prior` must be omitted under sampling='full'"):
        expected_cost(scores, prior=(3, 10), sampling="full", **COSTS)
    assert net_benefit(scores, risk=0.2, threshold=0.5, prior=0.1).sampling == "stratified"


@pytest.mark.parametrize("method", ["mid_p", "agresti_coull", "wald"])
def test_an_estimated_share_lies_between_a_known_one_and_ignorance(method: str) -> None:
    scores = sample(2, 60, 200, 1.2)
    options: dict[str, Any] = {**COSTS, "threshold": 0.7, "method": method}
    known = expected_cost(scores, prior=0.08, **options)
    many = expected_cost(scores, prior=(8e8, 1e10), **options)
    assert (many.lower, many.upper) == pytest.approx((known.lower, known.upper), rel=1e-3)
    widths = []
    for n in (10_000, 1000, 150, 25):
        cost = expected_cost(scores, prior=(0.08 * n, n), **options)
        assert cost.lower <= cost.estimate <= cost.upper
        assert cost.estimate == pytest.approx(known.estimate)
        widths.append(cost.upper - cost.lower)
    assert (np.diff([known.upper - known.lower, *widths]) > 0).all()
    # What the sample itself tells of the share is what full sampling takes from it.
    own = expected_cost(scores, prior=(60, 260), **options)
    full = expected_cost(scores, **options)
    assert (own.lower, own.upper) == pytest.approx((full.lower, full.upper), rel=0.03)


def test_an_estimated_share_by_its_distribution() -> None:
    # The same three proportions as confidence distributions, drawn at random: another formula altogether.
    scores = Scores.from_counts([2, 1], pos=[70, 30], neg=[50, 250])
    rng, n = np.random.default_rng(1), 400_000
    share, miss, alarm = (rng.beta(k + 0.5, m - k + 0.5, n) for k, m in ((12, 150), (30, 100), (50, 300)))
    money = 30 * share * miss + 7 * (1 - share) * alarm
    cost = expected_cost(scores, prior=(12, 150), threshold=2, **COSTS)
    assert (cost.lower, cost.upper) == pytest.approx(tuple(np.quantile(money, [0.025, 0.975])), rel=0.04)
    # Wald's is the normal law with the exact variance of such a product.
    wald = expected_cost(scores, prior=(12, 150), threshold=2, method="wald", **COSTS)
    p, x, y = 0.08, 0.3, 1 / 6
    v, vx, vy = p * (1 - p) / 150, x * (1 - x) / 100, y * (1 - y) / 300
    variance = v * (30 * x - 7 * y) ** 2 + (p**2 + v) * 900 * vx + ((1 - p) ** 2 + v) * 49 * vy
    assert wald.upper - wald.estimate == pytest.approx(stats.norm.ppf(0.975) * math.sqrt(variance))


def test_an_estimated_share_of_two_models_and_of_net_benefit() -> None:
    both = pair()
    options: dict[str, Any] = {**COSTS, "threshold_a": 0.5, "threshold_b": 0.6}
    for data in (both, UnpairedScores(both.a, both.b)):
        known = expected_cost_difference(data, prior=0.2, **options)
        loose = expected_cost_difference(data, prior=(4, 20), **options)
        assert loose.estimate == pytest.approx(known.estimate)
        assert loose.upper - loose.lower > known.upper - known.lower
        assert (known.sampling, loose.sampling) == ("stratified", "stratified")
    # NB = π − cost at unit costs 1 and r/(1 − r).
    benefit = net_benefit(both.a, risk=0.2, threshold=0.5, prior=(4, 20), method="wald")
    cost = expected_cost(both.a, false_negative=1, false_positive=0.25, prior=0.2, threshold=0.5)
    assert benefit.estimate[0] == pytest.approx(0.2 - cost.estimate)
    known_benefit = net_benefit(both.a, risk=0.2, threshold=0.5, prior=0.2, method="wald")
    assert benefit.upper[0] > known_benefit.upper[0]


@pytest.mark.parametrize("prior", [(12, 150, 3), (0, 10), (10, 10), (12, 5), (1, np.inf), "ten"])
def test_impossible_priors(prior: Any) -> None:
    with pytest.raises(ValueError, match="`prior`"):
        expected_cost(sample(1, 9, 20, 1.2), prior=prior, **COSTS)


@pytest.mark.parametrize("method", ["bootstrap", "exact_bootstrap"])
def test_resampled_shares_are_whole_counts(method: str) -> None:
    with pytest.raises(ValueError, match="`prior` must be whole counts"):
        expected_cost(sample(1, 9, 20, 1.2), prior=(2.5, 9), method=method, **COSTS)


# --- the threshold's own cases -----------------------------------------------------------------------


@pytest.mark.parametrize("n", [25, 60])
def test_optimism_at_one_weight_is_that_among_many(n: int) -> None:
    """A few costs are laid out and compared, many are read off each fold's hull: two ways to one number."""
    scores = sample(1, n, n, 1.2)
    for w in (0.04, 0.3, 0.5, 0.5 + 1 / 12):
        alone = cost_optimism(scores, w=w, rng=1)[0]
        among = cost_optimism(scores, w=[w, *np.linspace(0, 1, 1500)], rng=1)[0]
        assert alone == pytest.approx(among, abs=1e-12)


@pytest.mark.parametrize("sizes", [(20, 60), (60, 20)])
def test_thresholds_that_call_everyone_the_same_are_not_optimistic(sizes: tuple[int, int]) -> None:
    # Whatever is left out, at these w the cheapest is to call both scores negative, or both positive.
    pos, neg = sizes
    scores = Scores.from_counts([2, 1], pos=[pos // 2, pos - pos // 2], neg=[neg // 4, neg - neg // 4])
    np.testing.assert_allclose(cost_optimism(scores, w=[1e-4, 1.0 - 1e-4], rng=1), 0.0, atol=1e-12)


def between(lower: float, estimate: float, upper: float, bias: float) -> tuple[float, float]:
    """Imbens and Manski's (2004) interval for a bias between none and this one, from the interval of none."""
    z = stats.norm.ppf(0.975)
    far = abs(bias) / ((upper - lower) / (2.0 * z))
    c = optimize.brentq(lambda c: ndtr(c) - ndtr(-c - far) - 0.95, 0.0, 3.0)
    low, high = estimate - c / z * (estimate - lower), estimate + c / z * (upper - estimate)
    return low + min(bias, 0.0), high + max(bias, 0.0)


def test_the_cost_is_corrected_for_its_own_threshold() -> None:
    scores = sample(4, 40, 80, 1.2)
    cost = expected_cost(scores, prior=0.2, rng=1, **COSTS)
    apparent = expected_cost(scores, prior=0.2, threshold=cost.threshold, **COSTS)
    optimism = cost_optimism(scores, w=cost.w, folds=10, repeats=20, rng=0)[0] * (0.2 * 30 + 0.8 * 7)
    assert optimism > 0
    assert cost.optimism == pytest.approx(optimism)
    assert cost.apparent == pytest.approx(apparent.estimate)
    assert cost.estimate == pytest.approx(apparent.estimate + optimism)
    assert (cost.lower, cost.upper) == pytest.approx(
        between(apparent.lower, apparent.estimate, apparent.upper, optimism)
    )
    assert apparent.optimism == 0
    assert f"corrected by {optimism:+.4f} for optimism" in " ".join(str(cost).split())
    assert "optimism" not in str(apparent)
    # The same whatever the generator, and whatever the order of the rows.
    y, s = sample_arrays(4, 40, 80, 1.2)
    order = np.random.default_rng(0).permutation(len(y))
    assert expected_cost(Scores(y[order], s[order]), prior=0.2, rng=9, **COSTS).estimate == cost.estimate


@pytest.mark.slow
def test_what_a_chosen_threshold_will_cost() -> None:
    """The apparent cost is too low by 6 standard errors of 150 samples; the corrected one within 3."""
    rng, w = np.random.default_rng(7), 0.5
    apparent, corrected, covered, plain = [], [], 0, 0
    for _ in range(150):
        scores = Scores(np.arange(60) < 30, np.concatenate([rng.normal(1.2, 1, 30), rng.normal(size=30)]))
        cost = expected_cost(scores, false_negative=1, false_positive=1, prior=w, n_resamples=40, rng=1)
        t = cost.threshold
        truth = 0.5 * ndtr(t - 1.2) + 0.5 * ndtr(-t)
        apparent.append(cost.apparent - truth)
        corrected.append(cost.estimate - truth)
        covered += cost.lower <= truth <= cost.upper
        plain += cost.lower <= truth <= cost.upper - cost.optimism
    error = np.std(apparent) / math.sqrt(150)
    assert np.mean(apparent) < -6 * error
    assert abs(np.mean(corrected)) < 3 * np.std(corrected) / math.sqrt(150)
    # Fewer than 131 of 150: probability 6e-5 at coverage .95, .84 at .84.
    assert covered >= 131
    assert plain < covered


def test_thresholds_of_one_case_in_a_class_stay_optimistic() -> None:
    cost = expected_cost(Scores([1, 0, 0, 0], [3, 2, 1, 4]), rng=1, **COSTS)
    assert math.isnan(cost.optimism)
    assert cost.apparent == cost.estimate
    assert any("optimistic" in note for note in cost.notes)


def test_a_difference_is_corrected_for_both_models() -> None:
    arrays = pair_arrays()
    both = PairedScores(*arrays)
    difference = expected_cost_difference(both, prior=0.2, **COSTS)
    a, b = (expected_cost(scores, prior=0.2, rng=1, **COSTS) for scores in (both.a, both.b))
    assert difference.estimate == pytest.approx(a.estimate - b.estimate)
    assert difference.optimism == pytest.approx(a.optimism - b.optimism)
    assert (difference.threshold_a, difference.threshold_b) == (a.threshold, b.threshold)
    # One case more in each cell of both classes' tables, its scores beyond all others on either side.
    at = {"threshold_a": a.threshold, "threshold_b": b.threshold}
    more = [(label, x, y) for label in (0, 1) for x in (-99.0, 99.0) for y in (-99.0, 99.0)]
    wald = expected_cost_difference(
        PairedScores(*(np.append(new, old) for new, old in zip(np.transpose(more), arrays, strict=True))),
        prior=0.2,
        method="wald",
        **at,
        **COSTS,
    )
    estimate = expected_cost_difference(both, prior=0.2, **at, **COSTS).estimate
    lower, upper = between(wald.lower, estimate, wald.upper, difference.optimism)
    assert (difference.lower, difference.upper) == pytest.approx((lower, upper))
    assert "paired" in str(difference)
    again = expected_cost_difference(both, prior=0.2, validation=pair(4), **COSTS)
    assert (again.threshold_source, again.optimism) == ("validation", 0.0)


OF_ONE = (best_threshold, expected_cost, cost_curve, cost_band)
OF_TWO = (expected_cost_difference, cost_difference, cost_difference_band)


def test_every_function_that_takes_validation_is_tried_here() -> None:
    public = [getattr(module, name) for module in (confroc, cost) for name in module.__all__]
    taking = {
        f.__name__
        for f in public
        if inspect.isfunction(f) and "validation" in inspect.signature(f).parameters
    }
    assert taking == {f.__name__ for f in (*OF_ONE, *OF_TWO, confroc.report)}


@pytest.mark.parametrize("function", [*OF_ONE, *OF_TWO])
@pytest.mark.parametrize("size", [2, 40])
def test_the_cases_that_are_evaluated_are_no_validation_sample(function: Any, size: int) -> None:
    """The optimism of thresholds chosen on them would stay in the costs, without a word."""
    rng, y = np.random.default_rng(size), np.repeat([1, 0], size)
    columns = [rng.normal(size=2 * size).round(9) + y for _ in range(2)]
    both, again = PairedScores(y, *columns), PairedScores(y[::-1], *(c[::-1] for c in columns))
    wrong: list[Any] = [both, again, UnpairedScores(both.a, both.b)]
    data: Any = both
    if function in OF_ONE:
        data, wrong = both.a, [both.a, again.a, Scores.from_counts(both.a.score, both.a.pos, both.a.neg)]
        wrong += [both.a.merge(Scores(y, rng.normal(size=2 * size) + y))] if size == 40 else []
    elif size == 40:
        # The thresholds of one model are chosen on its own test cases, too.
        wrong += [UnpairedScores(both.a, Scores(y, rng.normal(size=2 * size) + y))]
    options: dict[str, Any] = COSTS if "expected" in function.__name__ else {}
    for validation in wrong:
        with pytest.raises(ValueError, match=r"`validation` must contain other cases .*or omit `validation`"):
            function(data, validation=validation, **options)


@pytest.mark.parametrize("prior", [None, 0.3, (5, 20)])
@pytest.mark.parametrize("method", ["mid_p", "agresti_coull", "wald"])
def test_another_currency_and_the_other_way_round(prior: Any, method: str) -> None:
    y, s = sample_arrays(6, 25, 70, 1.2)
    options: dict[str, Any] = {"prior": prior, "method": method, "threshold": 0.4}
    cost = expected_cost(Scores(y, s), **COSTS, **options)
    seven = expected_cost(Scores(y, s), false_negative=210, false_positive=49, **options)
    assert (seven.estimate, seven.lower, seven.upper) == pytest.approx(
        (7 * cost.estimate, 7 * cost.lower, 7 * cost.upper)
    )
    assert seven.w == pytest.approx(cost.w)
    # Labels, scores and costs turned round: at the threshold just above, the same errors.
    other = {None: None, 0.3: 0.7, (5, 20): (15, 20)}[prior]
    turned = expected_cost(
        Scores(~y, -s), false_negative=7, false_positive=30, prior=other, method=method, threshold=-0.4 + 1e-9
    )
    assert (turned.estimate, turned.lower, turned.upper) == pytest.approx(
        (cost.estimate, cost.lower, cost.upper)
    )


def test_a_chosen_threshold_in_another_currency() -> None:
    scores = sample(6, 25, 70, 1.2)
    cost = expected_cost(scores, rng=1, **COSTS)
    seven = expected_cost(scores, false_negative=210, false_positive=49, rng=1)
    assert seven.upper == pytest.approx(7 * cost.upper)
    assert (seven.threshold, seven.threshold_upper) == (cost.threshold, cost.threshold_upper)


def test_rounding_speaks_in_the_currency() -> None:
    # Rounding may change the calls of some cases; the note says what these cost.
    stream = ScoreStream(np.linspace(-3.0, 4.0, 30))
    stream.update(*sample_arrays(2, 200, 200, 1.2))
    rounded = stream.scores()
    dear, cheap = (
        expected_cost(rounded, false_negative=c, false_positive=c, threshold=0.5) for c in (1000.0, 1.0)
    )
    note, small = (next(n for n in c.notes if "rounded" in n) for c in (dear, cheap))
    number = float(note.split("up to ")[1].rstrip("."))
    assert number == pytest.approx(1000 * float(small.split("up to ")[1].rstrip(".")), rel=0.05)


# --- options -----------------------------------------------------------------------------------------


def test_every_option_has_an_effect_or_is_refused() -> None:
    scores, other = sample(4, 120, 240, 1.2), sample(8, 40, 80, 1.2)
    plain = expected_cost(scores, rng=1, **COSTS)
    for change in (
        {"prior": 0.1},
        {"prior": (4, 40)},
        {"threshold": 0.1},
        {"validation": other},
        {"sampling": "stratified"},
        {"method": "wald"},
        {"confidence_level": 0.8},
        {"n_resamples": 40},
        {"rng": 3},
        {"false_negative": 60.0},
    ):
        changed = expected_cost(scores, **{**COSTS, "rng": 1, **change})
        assert changed.to_dict() != plain.to_dict(), change
    with pytest.raises(ValueError, match="`n_resamples` must be omitted with a threshold"):
        expected_cost(scores, threshold=0.1, n_resamples=500, **COSTS)
    with pytest.raises(ValueError, match="`threshold` must be omitted when `validation`"):
        expected_cost(scores, threshold=0.1, validation=other, **COSTS)
    with pytest.raises(ValueError, match="`n_resamples` must be omitted with method 'agresti_min'"):
        expected_cost_difference(pair(), n_resamples=500, **COSTS)
    with pytest.raises(ValueError, match="`threshold` must be a single number"):
        expected_cost(scores, threshold=[0.1, 0.2], **COSTS)  # type: ignore[arg-type]
    few, many = (
        expected_cost_difference(
            pair(), threshold_a=0.1, threshold_b=0.2, method="bootstrap", n_resamples=n, rng=1, **COSTS
        )
        for n in (40, 400)
    )
    assert few.upper != many.upper


def test_curves_say_in_their_claims_that_they_are_optimistic() -> None:
    """Where a class is a single case nothing can be left out to see by how much."""
    scores, single = sample(4, 40, 80, 1.2), Scores([1, 0, 0, 0], [3, 2, 1, 4])
    own, held = cost_curve(single, w=[0.2, 0.5]), cost_curve(scores, w=[0.2, 0.5])
    assert (own.optimistic, held.optimistic) == (True, False)
    assert "Thresholds were chosen on the same cases, so the estimate is optimistic." in str(own)
    assert "optimistic" not in str(held)


def test_ranges_of_w_have_ends_that_differ() -> None:
    narrow = WeightRange("a", 0.045012, 0.045034, 0.95)
    assert str(narrow).startswith("w = 0.045012 to 0.045034: model a is cheaper")
    assert str(WeightRange("b", 0.3, 0.3, 0.95)).startswith("w = 0.3: model b is cheaper")
    thin = WeightRange("a", 0.0450000012, 0.0450000034, 0.95)
    low, high = str(thin).split("w = ")[1].split(": model")[0].split(" to ")
    assert low != high
