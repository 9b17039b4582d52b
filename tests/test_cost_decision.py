"""Net benefit, and the cost and threshold for given unit costs."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy import stats
from scipy.special import ndtr

from confroc import ConfrocWarning, PairedScores, Scores, UnpairedScores, interval
from confroc.cost import (
    CostCurve,
    binormal_threshold,
    cost_curve,
    cost_difference,
    cost_weight,
    expected_cost,
    net_benefit,
    net_benefit_difference,
)
from confroc.plot import DecisionDisplay
from confroc.statistics import NetBenefit, cheapest
from support import furthest

RISKS = np.array([0.05, 0.2, 0.6])


def cohort(seed: int = 0, n: int = 150) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    a = rng.random(n)
    return rng.random(n) < a, a, np.clip(a + rng.normal(0, 0.2, n), 0, 1)


# --- net benefit -------------------------------------------------------------------------------------


def test_net_benefit_case_by_case() -> None:
    y, a, _ = cohort()
    curve = net_benefit(Scores(y, a), risk=RISKS)
    for i, r in enumerate(RISKS):
        gain = np.where(a >= r, np.where(y, 1.0, -r / (1 - r)), 0.0)
        assert curve.estimate[i] == pytest.approx(gain.mean())
        everybody = np.where(y, 1.0, -r / (1 - r))
        assert curve.treat_all[i] == pytest.approx(everybody.mean())
        # Under full sampling it is a plain mean of independent values.
        wald = net_benefit(Scores(y, a), risk=r, method="wald")
        assert wald.upper[0] - wald.estimate[0] == pytest.approx(
            1.959964 * gain.std() / np.sqrt(len(y)), rel=1e-6
        )


@pytest.mark.parametrize("method", ["mid_p", "agresti_coull", "wald", "exact_bootstrap"])
def test_at_a_known_share_it_is_the_cost_curve_turned_round(method: Any) -> None:
    y, a, _ = cohort()
    scores, prior, r = Scores(y, a), 0.3, 0.2
    benefit = net_benefit(scores, risk=r, prior=prior, sampling="stratified", method=method)
    alarm = r / (1 - r)
    w = cost_weight(false_negative=1, false_positive=alarm, prior=prior)
    scale = prior + (1 - prior) * alarm
    cost = cost_curve(scores, w=w, threshold=r, method=method)
    assert benefit.estimate[0] == pytest.approx(prior - scale * cost.estimate[0], abs=1e-12)
    # An exact law's lower quantile turned round is the upper one or the value next to it.
    slack = 1e-12 if method != "exact_bootstrap" else 0.02
    assert benefit.lower[0] == pytest.approx(prior - scale * cost.upper[0], abs=slack)
    assert benefit.upper[0] == pytest.approx(prior - scale * cost.lower[0], abs=slack)


def test_mid_p_of_a_gain_less_a_loss_is_the_furthest_on_the_sphere() -> None:
    """Of 24 positive patients 18 are treated, and of 36 others 12, each at a cost of 1.5."""
    scores = Scores.from_counts([0.9, 0.1], pos=[18, 6], neg=[12, 24])
    found = net_benefit(scores, risk=0.6, threshold=0.5)
    ends = furthest(
        lambda share, hit, alarm: share * hit - 1.5 * (1.0 - share) * alarm, [(24, 60), (18, 24), (12, 36)]
    )
    assert found.estimate[0] == pytest.approx((18 - 1.5 * 12) / 60)
    assert (found.lower[0], found.upper[0]) == pytest.approx(ends, abs=0.01 * (ends[1] - ends[0]))


@pytest.mark.parametrize("sampling", ["full", "stratified"])
def test_difference_of_net_benefits(sampling: Any) -> None:
    y, a, b = cohort()
    pair = PairedScores(y, a, b)
    for data in (pair, UnpairedScores(pair.a, pair.b)):
        difference = net_benefit_difference(data, risk=RISKS, sampling=sampling)
        want = net_benefit(pair.a, risk=RISKS).estimate - net_benefit(pair.b, risk=RISKS).estimate
        assert isinstance(difference, CostCurve)
        np.testing.assert_array_equal(difference.threshold_a, RISKS)
        np.testing.assert_allclose(difference.estimate, want, atol=1e-14)
        assert (difference.lower < difference.upper).all()
    share = float(np.mean(y))
    alarm = RISKS / (1 - RISKS)
    w = cost_weight(false_negative=1, false_positive=alarm, prior=share)
    cost = cost_difference(pair, w=w, threshold_a=RISKS, threshold_b=RISKS, sampling=sampling, method="wald")
    benefit = net_benefit_difference(pair, risk=RISKS, sampling=sampling, method="wald")
    scale = share + (1 - share) * alarm if sampling == "stratified" else np.maximum(1, alarm)
    np.testing.assert_allclose(benefit.upper, -scale * cost.lower, atol=1e-12)


def test_net_benefit_law_by_enumeration() -> None:
    # Five patients; all 5^5 samples. Gains at r = 0.5: treated positive 1, treated negative −1, untreated 0.
    y, a = [1, 1, 0, 0, 0], [0.9, 0.3, 0.6, 0.2, 0.1]
    gains = [1, 0, -1, 0, 0]
    means = np.sort([sum(s) / 5 for s in itertools.product(gains, repeat=5)])
    curve = net_benefit(Scores(y, a), risk=0.5, method="exact_bootstrap")
    ends = np.quantile(means, [0.025, 0.975], method="inverted_cdf")
    np.testing.assert_allclose([curve.lower[0], curve.upper[0]], ends, atol=1e-12)
    drawn = net_benefit(Scores(y, a), risk=0.5, method="bootstrap", rng=1, n_resamples=2000)
    # Resamples of one class are drawn again, a chance of 0.6^5 + 0.4^5 = 9%; the lattice step is 0.2.
    np.testing.assert_allclose([drawn.lower[0], drawn.upper[0]], ends, atol=0.21)


@pytest.mark.slow
@pytest.mark.parametrize("sampling", ["full", "stratified"])
def test_net_benefit_coverage(sampling: Any) -> None:
    """Of 300 cohorts fewer than 268 are covered with probability 2e-5 at coverage 0.95, 0.98 at 0.85."""
    r, n, rng = 0.2, 80, np.random.default_rng(4)
    covered = 0
    # Outcomes with risk u, itself uniform: E[TP] = ∫ u du, E[FP] = ∫ (1 − u) du over (r, 1).
    truth = (1 - r**2) / 2 - r / (1 - r) * (1 - r) ** 2 / 2
    for _ in range(300):
        u = rng.random(n)
        y = rng.random(n) < u
        prior = 0.5 if sampling == "stratified" else None
        curve = net_benefit(Scores(y, u), risk=r, sampling=sampling, prior=prior)
        covered += bool(curve.lower[0] <= truth <= curve.upper[0])
    assert covered >= 268


# Published by dcurves for its 750 men, 105 with cancer: true and false positives, net benefit, interventions
# avoided per 100 men. The counts for age are solved from its net benefit.
FAMILY = {0.1: (24, 91, 0.018518518518518517), 0.23: (24, 91, -0.004242424242424242)}
AGE = {0.23: (50, 89, 0.0312207792)}
MARKER = {
    0.1: (78, 281, 0.06237037037037038, 16.133333333333336),
    0.2: (41, 77, 0.029, 41.599999999999994),
    0.3: (23, 31, 0.012952380952380951, 56.35555555555555),
    0.35: (18, 24, 0.006769230769230774, 61.25714285714285),
}


def test_net_benefit_is_that_of_dcurves() -> None:
    for published in (FAMILY, AGE):
        for risk, (tp, fp, benefit) in published.items():
            scores = Scores.from_counts([1.0, 0.0], pos=[tp, 105 - tp], neg=[fp, 645 - fp])
            assert net_benefit(scores, risk=risk).estimate[0] == pytest.approx(benefit, abs=5e-11)
    risks = list(MARKER)
    tp, fp, benefit, avoided = map(np.array, zip(*MARKER.values(), strict=True))
    pos, neg = (np.diff(np.array([0, *called[::-1], n])) for called, n in ((tp, 105), (fp, 645)))
    curve = net_benefit(Scores.from_counts([*risks[::-1], 0.0], pos=pos, neg=neg), risk=risks)
    assert curve.estimate == pytest.approx(benefit, abs=1e-12)
    assert curve.interventions_avoided.estimate == pytest.approx(avoided, abs=1e-9)
    assert curve.treat_all[:2] == pytest.approx([0.04444444444444445, -0.075], abs=1e-12)
    assert curve.treat_none.tolist() == [0.0] * 4


@pytest.mark.parametrize("method", ["mid_p", "wald", "exact_bootstrap", "agresti_coull"])
def test_interventions_avoided_at_a_known_prevalence(method: str) -> None:
    """Their ends are those of the net benefit above that of treating everybody, times 100(1 − r)/r."""
    y, a, _ = cohort()
    curve = net_benefit(Scores(y, a), risk=RISKS, prior=0.3, method=method)
    avoided, scale = curve.interventions_avoided, 100.0 * (1.0 - curve.at) / curve.at
    for name in ("estimate", "lower", "upper"):
        expected = scale * (getattr(curve, name) - curve.treat_all)
        assert getattr(avoided, name) == pytest.approx(expected, abs=1e-8)


def test_interventions_avoided_in_a_cohort() -> None:
    """Wald's interval is that of the mean of what each patient adds; the bootstrap agrees with it."""
    y, a, _ = cohort()
    curve, z = net_benefit(Scores(y, a), risk=RISKS, method="wald"), stats.norm.ppf(0.975)
    for i, r in enumerate(np.atleast_1d(RISKS)):
        each = 100.0 * (a < r) * np.where(y == 1, -(1.0 - r) / r, 1.0)
        found = [getattr(curve.interventions_avoided, name)[i] for name in ("estimate", "lower", "upper")]
        half = z * np.std(each) / math.sqrt(len(y))
        assert found == pytest.approx([np.mean(each), np.mean(each) - half, np.mean(each) + half], abs=1e-8)
    drawn = net_benefit(Scores(y, a), risk=RISKS, method="bootstrap", n_resamples=4000, rng=1)
    width, wanted = (c.interventions_avoided.upper - c.interventions_avoided.lower for c in (drawn, curve))
    assert width == pytest.approx(wanted, rel=0.1)


def test_interventions_avoided_of_two_models_differ_as_their_net_benefits() -> None:
    y, a, b = cohort()
    pair = PairedScores(y, a, b)
    difference = net_benefit_difference(pair, risk=RISKS).estimate * 100.0 * (1.0 - np.array(RISKS)) / RISKS
    one, two = (net_benefit(s, risk=RISKS).interventions_avoided.estimate for s in (pair.a, pair.b))
    assert one - two == pytest.approx(difference, abs=1e-8)


@pytest.mark.parametrize("prior", [None, 0.3])
def test_standardized_net_benefit_is_that_over_the_prevalence(prior: Any) -> None:
    y, a, b = cohort()
    pair, share = PairedScores(y, a, b), prior or float(np.mean(y))
    for function, data in ((net_benefit, pair.a), (net_benefit_difference, pair)):
        plain = function(data, risk=RISKS, prior=prior, sampling="stratified")
        found = function(data, risk=RISKS, prior=prior, standardized=True)
        for name in ("estimate", "lower", "upper"):
            assert getattr(found, name) == pytest.approx(getattr(plain, name) / share, abs=1e-12)
        assert found.quantity.startswith("standardized_net_benefit")
        assert found.sampling == "stratified"
    assert net_benefit(pair.a, risk=RISKS, standardized=True).treat_all == pytest.approx(
        net_benefit(pair.a, risk=RISKS).treat_all / float(np.mean(y))
    )
    one = interval(pair.a, NetBenefit(risk=0.2, standardized=True))
    assert one.estimate == net_benefit(pair.a, risk=0.2, standardized=True).estimate[0]
    for more in ({"sampling": "full"}, {"prior": (12, 150)}):
        with pytest.raises(ValueError, match="`standardized` must be omitted where"):
            net_benefit(pair.a, risk=0.2, standardized=True, **more)


def test_a_decision_curve_is_drawn_with_both_other_rules() -> None:
    y, a, b = cohort()
    curves = [net_benefit(Scores(y, s)) for s in (a, b)]
    assert curves[0].at.tolist() == [k / 100 for k in range(1, 100)]
    ax = Figure().add_subplot()
    for name, curve in zip("ab", curves, strict=True):
        shown = curve.plot(ax=ax, name=name)
        assert isinstance(shown, DecisionDisplay)
        assert shown.line_.get_ydata() == pytest.approx(curve.estimate)
    lines = {line.get_label(): line.get_ydata() for line in ax.lines}
    assert list(lines) == ["treat all", "treat none", "a", "b"]
    assert lines["treat all"] == pytest.approx(curves[0].treat_all)
    assert ax.get_ylim() == pytest.approx(
        (-0.5 * ax.get_ylim()[1], 1.05 * max(c.upper.max() for c in curves))
    )
    # The axis ends at the last risk of either model where the interval does not leave the axes.
    inside = [
        risk for c in curves for risk, low in zip(c.at, c.lower, strict=True) if low >= ax.get_ylim()[0]
    ]
    assert 0.5 < ax.get_xlim()[1] == max(inside) < 0.99
    assert ax.get_ylabel() == "Net benefit"
    with pytest.raises(TypeError, match="`curve` must be"):
        DecisionDisplay(net_benefit_difference(PairedScores(y, a, b), risk=RISKS))  # type: ignore[arg-type]


def test_net_benefit_refuses() -> None:
    scores = Scores([1, 0, 1], [3, 1, 2])
    with pytest.raises(ValueError, match="`risk` must lie strictly"):
        net_benefit(scores, risk=1.0)
    with pytest.raises(ValueError, match="`scores` must contain risks between 0 and 1"):
        net_benefit(scores, risk=0.5)
    with pytest.raises(ValueError, match="`prior` must be omitted under sampling='full'"):
        net_benefit(scores, risk=0.5, threshold=2, prior=0.1, sampling="full")
    assert net_benefit(scores, risk=[0.1, 0.5], threshold=2).estimate[0] == pytest.approx(2 / 3)
    with pytest.raises(ValueError, match=r"one per value of `risk` \(2\); got 3"):
        net_benefit(scores, risk=[0.1, 0.5], threshold=[1, 2, 3])
    with pytest.raises(ValueError, match="`scores` must contain risks between 0 and 1"):
        net_benefit_difference(UnpairedScores(scores, scores), risk=0.5)


# --- one decision ------------------------------------------------------------------------------------


def test_expected_cost_by_hand() -> None:
    # 100 positives, 100 negatives; a miss 500, an alarm 50, one in ten positive: at threshold 3
    # 0.1·500·15/100 + 0.9·50·10/100 = 7.5 + 4.5 = 12 per case; calling everybody costs 45, nobody 50.
    scores = Scores.from_counts([4, 3, 2, 1], pos=[60, 25, 10, 5], neg=[2, 8, 30, 60])
    cost = expected_cost(scores, false_negative=500, false_positive=50, prior=0.1, rng=1)
    assert cost.estimate == pytest.approx(12.0)
    assert cost.threshold == 3.0
    assert cost.trivial == pytest.approx(45.0)
    assert cost.w == pytest.approx(50 / 95)
    curve = cost_curve(scores, w=cost.w)
    assert cost.lower == pytest.approx(95 * curve.lower[0])
    assert cost.threshold_lower <= 3.0 <= cost.threshold_upper


def test_expected_cost_under_full_sampling_counts_money() -> None:
    y, a, _ = cohort()
    cost = expected_cost(
        Scores(y, a), false_negative=30, false_positive=7, sampling="full", threshold=0.4, method="wald"
    )
    money = np.where(y & (a < 0.4), 30.0, np.where(~y & (a >= 0.4), 7.0, 0.0))
    assert cost.estimate == pytest.approx(money.mean())
    assert cost.upper - cost.estimate == pytest.approx(1.959964 * money.std() / np.sqrt(len(y)), rel=1e-6)
    assert np.isnan(cost.threshold_lower)


def test_threshold_set_holds_the_best_threshold() -> None:
    """Of 100 samples fewer than 84 are covered with probability 1e-5 at coverage 0.95, 0.98 at 0.75."""
    rng = np.random.default_rng(8)
    y = np.repeat([1, 0], [60, 120])
    w = cost_weight(false_negative=3, false_positive=1, prior=1 / 3)
    best = binormal_threshold(w, mean_pos=1.5, sd_pos=1)[0]
    covered, width = 0, []
    for i in range(100):
        scores = Scores(y, np.concatenate([rng.normal(1.5, 1, 60), rng.normal(0, 1, 120)]))
        cost = expected_cost(scores, false_negative=3, false_positive=1, n_resamples=100, rng=i)
        # Thresholds between two scores are one decision: the next score down has the same cost below it.
        below = scores.score[scores.score < cost.threshold_lower]
        low = below[0] if len(below) else -np.inf
        covered += bool(low <= best <= cost.threshold_upper)
        width.append(ndtr(cost.threshold_upper) - ndtr(cost.threshold_lower))
    assert covered >= 84
    assert np.mean(width) < 0.6


def test_the_number_of_resamples_reaches_the_interval() -> None:
    y, a, _ = cohort()
    options: dict[str, Any] = {"false_negative": 2, "false_positive": 1, "threshold": 0.5, "rng": 3}
    few, many = (expected_cost(Scores(y, a), method="bootstrap", n_resamples=n, **options) for n in (40, 400))
    for cost, n in ((few, 40), (many, 400)):
        curve = cost_curve(
            Scores(y, a),
            w=cost.w,
            threshold=0.5,
            sampling="full",
            method="bootstrap",
            n_resamples=n,
            rng=3,
        )
        assert (cost.lower, cost.upper) == pytest.approx((2 * curve.lower[0], 2 * curve.upper[0]))
    assert (few.lower, few.upper) != (many.lower, many.upper)
    with pytest.raises(ValueError, match="`n_resamples` must be at least"):
        expected_cost(Scores(y, a), method="bootstrap", n_resamples=10, **options)


def test_expected_cost_of_many_scores_is_thinned(monkeypatch: Any) -> None:
    rng = np.random.default_rng(9)
    y = np.arange(9000) < 3000
    scores = Scores(y, rng.normal(size=9000) + 1.5 * y)
    asked: dict[str, Any] = {"false_negative": 2, "false_positive": 1, "n_resamples": 60, "rng": 1}
    cost = expected_cost(scores, **asked)
    best = binormal_threshold(0.5, mean_pos=1.5, sd_pos=1)[0]
    assert cost.threshold_lower < best < cost.threshold_upper
    assert cost.threshold_upper - cost.threshold_lower < 0.6
    # The set is nearly that of all thresholds, the optimism that of more deals, within five standard errors.
    for name, value in (("CANDIDATES", 9000), ("FEWEST_REPEATS", 200), ("REPEATS", 200)):
        monkeypatch.setattr(cheapest, name, value)
    every = expected_cost(scores, **asked)
    assert every.threshold_lower == pytest.approx(cost.threshold_lower, abs=0.05)
    assert every.threshold_upper == pytest.approx(cost.threshold_upper, abs=0.05)
    assert every.optimism == pytest.approx(cost.optimism, abs=0.0006)
    assert every.optimism > 0.0


def test_expected_cost_with_validation_and_errors() -> None:
    y, a, b = cohort()
    scores, other = Scores(y, a), Scores(y, b)
    cost = expected_cost(scores, false_negative=1, false_positive=1, validation=other, rng=1)
    assert cost.threshold in other.score
    assert cost.notes == ()
    with pytest.raises(ValueError, match="`false_negative` must be positive"):
        expected_cost(scores, false_negative=0, false_positive=1)
    with pytest.raises(ValueError, match="`prior` must be omitted"):
        expected_cost(scores, false_negative=1, false_positive=1, prior=0.2, sampling="full")
    with pytest.warns(ConfrocWarning, match="zero width"):
        expected_cost(scores, false_negative=1, false_positive=1, prior=0.5, threshold=2, method="wald")


def test_default_risks_reach_twice_the_prevalence() -> None:
    score = np.linspace(0.001, 0.4, 100)
    curve = net_benefit(Scores((np.arange(100) >= 93).astype(int), score))
    np.testing.assert_allclose(curve.at, np.arange(1, 101) / 1000.0, rtol=1e-12)
    # A threshold that is the risk is no column of its own.
    assert "threshold" not in curve.to_frame().columns
    assert "threshold" in net_benefit(Scores([1, 0], [7.0, 3.0]), risk=0.2, threshold=5.0).to_frame().columns
