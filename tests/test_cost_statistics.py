"""Costs as statistics: what the named functions return, any statistic's functions return too."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from confroc import (
    PairedScores,
    Scores,
    UnpairedScores,
    cost_band,
    cost_curve,
    cost_difference_band,
    difference,
    expected_cost,
    expected_cost_difference,
    interval,
    net_benefit,
)
from confroc.base import Contrast, method_class
from confroc.bootstrap import Bootstrap
from confroc.cost.resampled_errors import CostBandMethod, CostBandOutcome
from confroc.inference import one
from confroc.statistics import Cost, CostPerCase, NetBenefit
from confroc.statistics.prevalence import Prevalence

UNIT: dict[str, float] = {"false_negative": 5.0, "false_positive": 1.0}


def pair(n: int = 80, seed: int = 3) -> PairedScores:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    return PairedScores(y, rng.normal(size=n) + y, rng.normal(size=n) + y)


def same(found: Any, other: Any) -> bool:
    return all(np.array_equal(getattr(found, n), getattr(other, n)) for n in ("estimate", "lower", "upper"))


def test_a_chosen_threshold_is_paid_for_by_the_statistic() -> None:
    both = pair()
    known = CostPerCase(**UNIT, sampling="full")
    cost = expected_cost(both.a, **UNIT, rng=1)
    assert cost.optimism == known.optimism(both.a) > 0.0
    assert same(interval(both.a, known), cost)
    assert CostPerCase(**UNIT, threshold=0.5).optimism(both.a) == 0.0
    assert same(difference(both, known), expected_cost_difference(both, **UNIT))


def test_an_unknown_optimism_is_not_added() -> None:
    few = Scores([1, 0, 0, 0], [4, 3, 2, 1])
    cost = expected_cost(few, **UNIT, rng=1)
    assert math.isnan(cost.optimism)
    assert cost.estimate == 0.0
    assert any("optimistic" in note for note in cost.notes)


def test_disjoint_test_sets_share_one_prevalence() -> None:
    a, b = pair().a, Scores([1, 1, 1, 0, 0], [5, 3, 2, 4, 1])
    two = UnpairedScores(a, b)
    cost = CostPerCase(**UNIT, threshold=0.5, sampling="stratified")
    assert cost.share(a, b).value == (a.n_pos + b.n_pos) / (80 + 5)
    expected = expected_cost_difference(two, **UNIT, threshold_a=0.5, threshold_b=0.5, sampling="stratified")
    assert difference(two, cost).estimate == pytest.approx(expected.estimate, abs=1e-15)


@pytest.mark.parametrize("prior", [None, (12, 150)])
def test_one_bootstrap_for_named_and_general_methods(prior: Any) -> None:
    scores = pair().a
    by_name = cost_curve(scores, w=[0.3, 0.6], threshold=0.5, prior=prior, method="bootstrap", rng=7)
    general = cost_curve(scores, w=[0.3, 0.6], threshold=0.5, prior=prior, method=Bootstrap(rng=7))
    assert same(by_name, general)
    benefit = net_benefit(scores, risk=0.2, threshold=0.5, sampling="stratified", method="bootstrap", rng=7)
    known = NetBenefit(risk=0.2, threshold=0.5, sampling="stratified")
    drawn = known.replicates(one(scores, known), Bootstrap(rng=7), 2000)
    assert np.quantile(drawn, 0.025, method="inverted_cdf") == pytest.approx(benefit.lower[0], abs=1e-15)


def test_what_the_general_bootstrap_refuses() -> None:
    scores = pair().a
    with pytest.raises(ValueError, match="`sampling` must be omitted"):
        cost_curve(scores, w=0.3, threshold=0.5, method=Bootstrap(sampling="full", rng=1))
    fraction = Cost(w=0.3, threshold=0.5, prevalence=Prevalence(0.25, 10.0, 2.5))
    for method in ("bootstrap", "exact_bootstrap"):
        with pytest.raises(ValueError, match="`prior` must be whole counts"):
            interval(scores, fraction, method=method)


def test_a_band_by_a_method_of_ones_own() -> None:
    @method_class
    class Everything(CostBandMethod):
        """All costs that there can be."""

        name = "everything"
        serves = (("cost", "band"), ("cost_difference", "band"))
        margin: float = 2.0

        def band(self, x: Contrast, level: float) -> CostBandOutcome:  # noqa: ARG002
            return CostBandOutcome(x.value - self.margin, x.value + self.margin, notes=("By hand.",))

    from confroc.base import REGISTER

    try:
        both = pair()
        band = cost_band(both.a, method=Everything())
        assert (band.lower.min(), band.upper.max(), band.kind) == (0.0, 1.0, "simultaneous")
        assert "By hand." in band.notes
        assert str(band.method) == "everything"
        wide = cost_difference_band(both, w=[0.2, 0.5], method="everything", margin=1.5)  # type: ignore[call-arg]
        assert (wide.lower == -1.0).all()
        assert wide.different_at == ()
    finally:
        for served in Everything.serves:
            del REGISTER[served]["everything"]
