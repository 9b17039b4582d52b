"""Cost geometry and the choice of thresholds: brute force, theory, and the measured optimism."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from confroc import Scores
from confroc.cost import (
    binormal_threshold,
    cost_curve,
    cost_optimism,
    cost_weight,
    lower_envelope,
    trivial_cost,
    unit_costs,
)
from confroc.models import BinormalModel

UNITS = {"false_negative": 1.0, "false_positive": 2.0, "prior": 0.5}
SIX = Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])


def apparent(scores: Scores, w: Any) -> Any:
    """The least costs on the sample itself."""
    curve = cost_curve(scores, w=w)
    return curve.estimate - curve.optimism


# --- w and unit costs --------------------------------------------------------------------------------


def test_weight_by_hand() -> None:
    # 5% positives, a miss 40 times as dear as a false alarm: 0.05·40/(0.05·40 + 0.95·1) = 2/2.95.
    assert cost_weight(false_negative=40, false_positive=1, prior=0.05) == pytest.approx(2 / 2.95)
    np.testing.assert_allclose(cost_weight(false_negative=1, false_positive=1, prior=[0.2, 0.5]), [0.2, 0.5])


@given(st.floats(0.001, 0.999), st.floats(0.001, 0.999), st.floats(0.01, 100))
def test_there_and_back(w: float, prior: float, scale: float) -> None:
    miss, alarm = unit_costs(w, prior=prior, scale=scale)
    assert prior * miss + (1 - prior) * alarm == pytest.approx(scale)
    assert cost_weight(false_negative=miss, false_positive=alarm, prior=prior) == pytest.approx(w)


def test_trivial_cost() -> None:
    assert trivial_cost(0.3) == 0.3
    np.testing.assert_allclose(trivial_cost([0, 0.5, 0.9]), [0, 0.5, 0.1])


@pytest.mark.parametrize(
    ("call", "options", "text"),
    [
        (
            cost_weight,
            {"false_negative": 0, "false_positive": 1, "prior": 0.5},
            "`false_negative` must be positive",
        ),
        (
            cost_weight,
            {"false_negative": 1, "false_positive": -2, "prior": 0.5},
            "`false_positive` must be positive",
        ),
        (
            cost_weight,
            {"false_negative": 1, "false_positive": np.inf, "prior": 0.5},
            "`false_positive` must be",
        ),
        (cost_weight, {"false_negative": 1, "false_positive": 2, "prior": 1}, "`prior` must lie strictly"),
        (unit_costs, {"w": 2, "prior": 0.5}, "`w` must lie between 0 and 1"),
        (unit_costs, {"w": 0.5, "prior": 0.5, "scale": 0}, "`scale` must be positive"),
        (trivial_cost, {"w": -1}, "`w` must lie"),
    ],
)
def test_bad_costs(call: Any, options: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        call(**options)


# --- the lower envelope ------------------------------------------------------------------------------


def test_envelope_of_six_cases() -> None:
    # By hand (see the table in test_cost_curve.py): threshold 5 up to w = 1/2, then 3.
    envelope = lower_envelope(SIX)
    np.testing.assert_allclose(envelope.w, [0, 0.5, 1])
    np.testing.assert_allclose(envelope.cost, [0, 1 / 6, 0])
    np.testing.assert_array_equal(envelope.threshold, [5, 3])
    np.testing.assert_allclose(envelope.fnr, [1 / 3, 0])
    np.testing.assert_allclose(envelope.fpr, [0, 1 / 3])
    assert envelope.area == pytest.approx(1 / 12)
    assert envelope.operating_range == (0.0, 1.0)


def test_operating_range() -> None:
    # ROC corners (0, 0), (0.1, 0.6), (1, 1): better than nobody from w = 0.1/0.7, than everybody to 0.9/1.3.
    scores = Scores.from_counts([2, 1], pos=[60, 40], neg=[10, 90])
    low, high = lower_envelope(scores).operating_range or (np.nan, np.nan)
    assert (low, high) == pytest.approx((1 / 7, 9 / 13))
    for w, better in ((low - 0.01, False), (low + 0.01, True), (high - 0.01, True), (high + 0.01, False)):
        assert (apparent(scores, w)[0] < trivial_cost(w) - 1e-9) == better
    assert lower_envelope(Scores([0, 1], [1, 1])).operating_range is None
    assert lower_envelope(Scores([0, 1], [1, 2])).operating_range == (0.0, 1.0)
    assert lower_envelope(Scores([0, 1], [1, 2])).area == 0.0


def test_ends_of_w_take_the_undominated_threshold() -> None:
    curve = cost_curve(SIX, w=[0.0, 1.0])
    np.testing.assert_array_equal(curve.threshold, [5, 3])


# --- the binormal optimum ----------------------------------------------------------------------------


@given(st.floats(0.001, 0.999), st.floats(-2, 3), st.floats(0.3, 3), st.floats(0.5, 2))
def test_binormal_threshold_is_the_least_on_a_fine_grid(
    w: float, mean_pos: float, sd_pos: float, sd_neg: float
) -> None:
    def cost(t: Any) -> Any:
        return w * ndtr((t - mean_pos) / sd_pos) + (1 - w) * ndtr((0.5 - t) / sd_neg)

    best = binormal_threshold(w, mean_pos=mean_pos, sd_pos=sd_pos, mean_neg=0.5, sd_neg=sd_neg)[0]
    grid = np.concatenate([np.linspace(-40, 40, 80_001), [-np.inf, np.inf]])
    assert cost(best) <= cost(grid).min() + 1e-12


def test_the_papers_figure_1() -> None:
    """Dugas & Gadoury 2009, cost curves: a stronger model's best threshold is lower, and costs end at zero.

    With equal spreads σ and means ±d/2 the best threshold is log((1 − w)/w)·σ²/d. The cost of calling
    nobody vanishes as w goes to 0, that of calling everybody as w goes to 1, so the least cost does.
    """
    w = 0.33
    for d in (1.0, 3.0):
        best = binormal_threshold(w, mean_pos=d / 2, sd_pos=1.5, mean_neg=-d / 2, sd_neg=1.5)[0]
        assert best == pytest.approx(np.log((1 - w) / w) * 1.5**2 / d, rel=1e-12)
    # Three thresholds on offer, as drawn: the highest is best for the weak model, the next for the strong.
    offered = np.array([0.0, 0.6, 1.4])
    picked = []
    for d in (1.0, 3.0):
        cost = w * ndtr((offered - d / 2) / 1.5) + (1 - w) * ndtr((-d / 2 - offered) / 1.5)
        picked.append(int(cost.argmin()))
    assert picked == [2, 1]
    ends = apparent(SIX, [0.0, 1e-6, 1.0 - 1e-6, 1.0])
    np.testing.assert_allclose(ends, 0.0, atol=1e-6)
    assert (ends <= trivial_cost([0.0, 1e-6, 1.0 - 1e-6, 1.0])).all()


def test_binormal_threshold_of_unequal_spreads_takes_the_minimum() -> None:
    # μ₊ = 1, σ₊ = 2, μ₋ = 0, σ₋ = 1, w = ½: g(t) = 3t²/8 + t/4 − 1/8 − ln 2 = 0 has the roots
    # (−1/4 ± √(1/16 + 1.5·(1/8 + ln 2)))/0.75; the slope is positive at the upper one, the minimum.
    root = np.sqrt(1 / 16 + 1.5 * (1 / 8 + np.log(2)))
    best = binormal_threshold(0.5, mean_pos=1, sd_pos=2)[0]
    assert best == pytest.approx((-0.25 + root) / 0.75, rel=1e-12)


def test_binormal_threshold_at_the_ends_and_without_information() -> None:
    np.testing.assert_array_equal(binormal_threshold([0, 1], mean_pos=1, sd_pos=2), [np.inf, -np.inf])
    # Equal distributions: call nobody below w = ½, everybody above.
    np.testing.assert_array_equal(binormal_threshold([0.3, 0.7], mean_pos=0, sd_pos=1), [np.inf, -np.inf])
    # Positives lower than negatives with equal spread: the stationary point is a maximum.
    np.testing.assert_array_equal(binormal_threshold([0.3, 0.7], mean_pos=-1, sd_pos=1), [np.inf, -np.inf])
    # Wide positives at small w: calling nobody beats the local minimum's neighborhood nowhere finite.
    assert np.isinf(binormal_threshold(0.001, mean_pos=0, sd_pos=0.5)[0])


def test_binormal_threshold_of_a_binormal_model() -> None:
    """On the latent scale its cost is the least along the model's ROC curve."""
    model = BinormalModel.from_moments(mean_pos=4.0, mean_neg=1.0, sd_pos=2.0, sd_neg=1.5)
    w = np.array([0.15, 0.5, 0.8])
    t = binormal_threshold(w, mean_pos=model.a / model.b, sd_pos=1 / model.b)
    fpr = ndtr(-t)
    cost = w * (1 - model.tpr(fpr)) + (1 - w) * fpr
    grid = ndtr(np.linspace(-8, 8, 40_001))
    along = np.multiply.outer(w, 1 - model.tpr(grid)) + np.multiply.outer(1 - w, grid)
    np.testing.assert_allclose(cost, along.min(axis=1), atol=1e-8)
    raw = binormal_threshold(w, mean_pos=4, sd_pos=2, mean_neg=1, sd_neg=1.5)
    np.testing.assert_allclose(raw, 1 + 1.5 * t, rtol=1e-12)


@pytest.mark.parametrize(("name", "value"), [("sd_pos", 0), ("sd_neg", -1), ("mean_pos", np.nan)])
def test_binormal_threshold_refuses(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"`{name}` must be (above 0|one finite number)"):
        binormal_threshold(0.5, **{"mean_pos": 1.0, "sd_pos": 1.0, name: value})


# --- optimism ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_optimism_against_its_definition() -> None:
    """The estimate is near the true mean gap between population and apparent cost."""
    rng = np.random.default_rng(12)
    n, runs, w = 60, 400, np.array([0.3, 0.5])
    true, estimated = np.zeros(2), np.zeros(2)
    y = np.repeat([1, 0], n)
    for i in range(runs):
        scores = Scores(y, np.concatenate([rng.normal(1.5, 1, n), rng.normal(0, 1, n)]))
        curve = cost_curve(scores, w=w)
        population = w * ndtr(curve.threshold - 1.5) + (1 - w) * ndtr(-curve.threshold)
        true += (population - (curve.estimate - curve.optimism)) / runs
        if i < 60:
            estimated += cost_optimism(scores, w=w, repeats=2, rng=i) / 60
    assert (true > 0.02).all()
    # Their standard errors are about 0.0016 and 0.0025: 4.5 of them together, false alarm 2e-5.
    np.testing.assert_allclose(estimated, true, atol=0.0135)


def test_optimism_by_hand() -> None:
    # Scores 4 (positive), 3 (negative), 2 (positive), 1 (negative), two folds, w = ½; the apparent cost is ¼.
    # Folds {4, 3} and {2, 1} choose thresholds 4 and 2: nothing of {2, 1} is called at 4, a miss; all of
    # {4, 3} at 2, a false alarm: (½·1 + ½·1)/2 = ½. Folds {4, 1} and {2, 3} choose 4 and, by the tie rule,
    # nobody: a miss each, ½·2/2 = ½. In either deal the optimism is ½ − ¼.
    scores = Scores([1, 0, 1, 0], [4, 3, 2, 1])
    np.testing.assert_allclose(cost_optimism(scores, w=0.5, folds=2, repeats=5, rng=1), [0.25])


def test_optimism_is_reproducible_and_checked() -> None:
    one = cost_optimism(SIX, w=[0.5], rng=3)
    np.testing.assert_array_equal(one, cost_optimism(SIX, w=[0.5], rng=3))
    with pytest.raises(ValueError, match="`repeats` must be"):
        cost_optimism(SIX, repeats=0)
    with pytest.raises(ValueError, match="`folds` must be"):
        cost_optimism(SIX, folds=1)
    with pytest.raises(ValueError, match="`scores` must contain two cases, or"):
        cost_optimism(Scores([1, 0, 0], [3, 2, 1]))
