"""Examples and remarks of Dugas & Gadoury's (2009) paper on ROC curves that need no study."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

import exact_coverage as exact
from confroc import (
    PairedScores,
    Scores,
    distributions,
    rates_at_threshold,
)
from confroc.exact import joint_threshold_pmf
from confroc.lab import NormalPair
from confroc.lab.rules import quiet
from confroc.lab.samples import Samples


def test_the_example_of_thresholds_that_rank_differently() -> None:
    """Section 4.2: negatives scored 1, 2, 3, 4 and 5, 8, 6, 7; all 4⁴ samples of four, r = 1."""
    a, b = np.array([1, 2, 3, 4]), np.array([5, 8, 6, 7])
    samples = [list(s) for s in itertools.product(range(4), repeat=4)]
    both = Counter((int(a[s].max()), int(b[s].max())) for s in samples)
    # The paper's two samples: each once, thresholds 4 and 8; 1, 1, 2, 3, thresholds 3 and 8.
    assert (a[[0, 1, 2, 3]].max(), b[[0, 1, 2, 3]].max()) == (4, 8)
    assert (a[[0, 0, 1, 2]].max(), b[[0, 0, 1, 2]].max()) == (3, 8)
    pair = PairedScores([0, 0, 0, 0, 1], np.append(a, 9), np.append(b, 9))
    (support_a, support_b), law = joint_threshold_pmf(pair, 0.25)
    assert (support_a.tolist(), support_b.tolist()) == ([4, 3, 2, 1], [8, 7, 6, 5])
    wanted = [[both[int(x), int(y)] / 4**4 for y in support_b] for x in support_a]
    np.testing.assert_allclose(law, wanted, atol=1e-14)
    assert law[1, 0] > 0.0


def test_most_entries_of_the_joint_law_are_nearly_zero() -> None:
    """Section 4.2: of 60 negatives at a false positive rate of one half, correlation 0.5."""
    drawn = NormalPair((0.0, 0.0), (0.0, 0.0), 1.0, 1.0, 0.5).draw(np.random.default_rng(1), 5, 60, 1)
    with quiet():
        _, law = joint_threshold_pmf(Samples(*drawn).pair(0), 0.5)
    assert law.sum() == pytest.approx(1.0)
    assert np.mean(law > 1e-12) < 0.5
    assert np.mean(law > 1e-4) < 0.2


def test_independent_models_would_be_more_uncertain() -> None:
    """Equation (12): twice (p11·p00 - p10·p01)/m more variance, the more the higher the correlation."""
    a, b = exact.pair_of(1.0)
    t = a.threshold(0.3), b.threshold(0.3)
    ratios = []
    for correlation in (0.3, 0.6, 0.9):
        _, (p10, p01) = exact.discordant(a, b, *t, correlation)
        p1, p2 = (model.rates(at)[1] for model, at in zip((a, b), t, strict=True))
        p11 = p1 - p10
        paired = p10 + p01 - (p10 - p01) ** 2
        naive = p1 * (1.0 - p1) + p2 * (1.0 - p2)
        p00 = 1.0 - p11 - p10 - p01
        assert naive == pytest.approx(paired + 2.0 * (p11 * p00 - p10 * p01), abs=1e-12)
        ratios.append(naive / paired)
    assert 1.0 < ratios[0] < ratios[1] < ratios[2]


def test_resamples_of_one_class_are_drawn_again() -> None:
    """Section 2.3: of 2 + 3 cases 9 % of plain resamples lack a class and have no rates."""
    lacking = [len({i < 2 for i in s}) == 1 for s in itertools.product(range(5), repeat=5)]
    assert np.mean(lacking) == pytest.approx(0.4**5 + 0.6**5)
    scores = Scores([1, 1, 0, 0, 0], [5, 2, 4, 3, 1])
    with quiet():
        found = rates_at_threshold(scores, 3.0, method="bootstrap", sampling="full", n_resamples=2000, rng=1)
    for side in (found.fpr, found.tpr):
        assert np.isfinite([side.lower, side.upper]).all()


@pytest.mark.parametrize("n", [1, 5, 40])
def test_score_intervals(n: int) -> None:
    """Section 2.6: inside [0, 1], of some width, around the estimate, their middle drawn towards one half."""
    k, z = np.arange(n + 1), exact.z_of(0.9)
    low, high = distributions.wilson(k, n, 0.9)
    assert (low >= 0.0).all()
    assert (high <= 1.0).all()
    assert (low < high).all()
    assert ((low <= k / n) & (k / n <= high)).all()
    middle = (k / n + z * z / (2 * n)) / (1 + z * z / n)
    np.testing.assert_allclose((low + high) / 2, middle, atol=1e-12)


@pytest.mark.parametrize("n", [5, 20, 100])
def test_score_intervals_are_nearest_to_their_level(n: int) -> None:
    """Section 2.6, of Agresti & Coull (1998): mean distance of the coverage from 0.95, and Wald near 0."""
    p = np.linspace(0.005, 0.995, 199)

    def distance(interval: exact.Interval) -> float:
        return float(np.mean([abs(exact.covered(float(x), n, interval) - 0.95) for x in p]))

    wald, score, both = (
        exact.normal_interval(0.95, 0.0),
        exact.score_interval(0.95),
        exact.exact_interval(0.95),
    )
    assert distance(wald) > distance(both) > distance(score)
    assert exact.covered(0.01, n, wald) < 0.7
    adjusted = exact.normal_interval(0.95, 2.0)
    assert abs(distance(adjusted) - distance(score)) < 0.02


def test_zigzags_grow_with_the_correlation() -> None:
    """Section 5.2: steps between neighbouring total positive rates from 0.2 to 0.8, by exact sums."""
    rates = np.round(np.arange(0.2, 0.801, 0.02), 2).tolist()
    for theta, method in ((1.0, "wald"), (3.0, "wald"), (3.0, "agresti_min")):
        rough = [
            np.abs(np.diff([exact.differences_at_rate(theta, rho, r, 100, method) for r in rates])).mean()
            for rho in (0.3, 0.6, 0.9)
        ]
        assert rough[0] < rough[1] < rough[2]


def test_equal_thresholds_do_not_turn_the_order_round() -> None:
    """Section 5.1: at no whole threshold from -11 to 12 is Wald better with θ = 5 than with θ = 0.75."""
    easy, hard = (
        [
            exact.rectangle(exact.by_distance(theta), float(t), (10_000, 10_000), "wald")
            for t in range(-11, 13)
        ]
        for theta in (5.0, 0.75)
    )
    assert (np.array(easy) <= np.array(hard) + 0.01).all()
    # Between 0.75 and 1.5 the order turns at the lowest.
    turned = exact.rectangle(exact.by_distance(1.5), -11.0, (10_000, 10_000), "wald")
    assert round(turned, 2) == 0.87
    assert round(hard[0], 2) == 0.76
