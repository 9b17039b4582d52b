"""The risk-coverage curve: enumeration of the orders of ties, its area, and its intervals."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy import stats

from confroc import Scores, interval, rates_at_positive_rate, risk_coverage_curve
from confroc.statistics import Auarc, Aurc


def enumerated(correct: Any, confidence: Any) -> Any:
    """Mean error rate of the first k answers, over all orders that put higher confidences first."""
    orders = [
        order
        for order in itertools.permutations(range(len(correct)))
        if all(confidence[a] >= confidence[b] for a, b in itertools.pairwise(order))
    ]
    return np.mean(
        [[1 - np.mean(np.take(correct, o[: k + 1])) for k in range(len(o))] for o in orders], axis=0
    )


@pytest.mark.parametrize(
    ("correct", "confidence"),
    [
        ([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1]),
        ([1, 0, 1, 1, 0, 1, 0], [3, 3, 3, 2, 2, 1, 0]),
        ([0, 1, 1, 0, 1, 1, 0], [1, 1, 1, 1, 1, 1, 1]),
    ],
)
def test_curve_is_that_of_all_orders_of_ties(correct: list[int], confidence: list[float]) -> None:
    """By default at each case; its mean is the area."""
    curve = risk_coverage_curve(correct, confidence)
    assert curve.at == pytest.approx(np.arange(1, len(correct) + 1) / len(correct))
    assert curve.estimate == pytest.approx(enumerated(correct, confidence), abs=1e-12)
    assert curve.threshold == pytest.approx(np.sort(confidence)[::-1])
    assert curve.aurc.estimate == pytest.approx(np.mean(curve.estimate), abs=1e-12)
    assert curve.aurc == interval(Scores(correct, confidence), Aurc())


def test_published_area() -> None:
    curve = risk_coverage_curve([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1])
    assert 1.0 - curve.aurc.estimate == pytest.approx(0.7916666667, abs=1e-10)
    assert Auarc().value(Scores([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1])) == pytest.approx(
        1.0 - np.mean(curve.estimate)
    )


def test_all_answers_have_the_interval_of_the_error_rate() -> None:
    """At coverage 1 Jeffreys's interval of 12 errors of 40."""
    rng = np.random.default_rng(1)
    correct = np.arange(40) >= 12
    curve = risk_coverage_curve(correct, rng.normal(correct), coverage=1.0, confidence_level=0.9)
    assert [curve.lower[0], curve.upper[0]] == pytest.approx(
        stats.beta(12.5, 28.5).ppf([0.05, 0.95]), abs=1e-9
    )


def test_other_methods_and_designs() -> None:
    """The intervals are those of the precision turned round; repeated answers of a cluster count once."""
    rng = np.random.default_rng(2)
    correct, group = rng.random(60) < 0.7, np.repeat(np.arange(60), 2)
    confidence = rng.normal(correct)
    once = Scores(correct, confidence)
    twice = Scores(correct[group], confidence[group], cluster=group)
    for method in ("beta_mixture", "wald"):
        curve = risk_coverage_curve(once, coverage=[0.3, 0.8], method=method)
        same = rates_at_positive_rate(once, positive_rate=[0.3, 0.8], method=method).precision
        assert same is not None
        assert (curve.lower == 1.0 - same.upper).all()
        assert (curve.upper == 1.0 - same.lower).all()
    once_curve, curve = (risk_coverage_curve(s, coverage=0.5) for s in (once, twice))
    assert curve.estimate == pytest.approx(once_curve.estimate)
    assert curve.upper - curve.lower == pytest.approx(once_curve.upper - once_curve.lower, rel=0.1)
    assert curve.aurc.standard_error == pytest.approx(once_curve.aurc.standard_error, rel=0.05)


def test_default_coverages_and_errors() -> None:
    rng = np.random.default_rng(3)
    curve = risk_coverage_curve(rng.random(500) < 0.7, rng.random(500))
    assert curve.at == pytest.approx(np.arange(1, 101) / 100)
    for wrong in (0.0, 1.2):
        with pytest.raises(ValueError, match="`coverage`"):
            risk_coverage_curve([1, 0], [2.0, 1.0], coverage=wrong)


def test_picture_and_table() -> None:
    curve = risk_coverage_curve([1, 0, 0, 1], [0.9, 0.8, 0.2, 0.9])
    shown = curve.plot(ax=Figure().add_subplot(), name="tokens")
    assert shown.ax_.get_xlabel() == "Coverage (proportion of cases answered)"
    assert shown.ax_.get_ylabel() == "Selective risk"
    assert shown.bars_ is not None
    assert list(curve.to_frame().columns) == ["coverage", "selective_risk", "lower", "upper", "threshold"]


@pytest.mark.parametrize("seed", range(6))
def test_high_coverages_of_weighted_answers(seed: int) -> None:
    """Sums of weights are rounded: the last answer may be reached by none of them."""
    rng = np.random.default_rng(seed)
    correct = rng.random(101) < 0.7
    weighted = Scores(correct, rng.normal(correct), sample_weight=rng.uniform(0.5, 3.0, 101))
    curve = risk_coverage_curve(weighted, coverage=[0.97, 0.99, 1.0])
    assert (curve.lower < curve.estimate).all()
    assert (curve.estimate < curve.upper).all()
    # One place is computed as all of them are.
    alone = risk_coverage_curve(weighted, coverage=0.99)
    assert (alone.lower[0], alone.upper[0]) == (curve.lower[1], curve.upper[1])
