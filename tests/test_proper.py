"""Log-loss and Brier score, and the areas of a classifier that abstains: values, variances, differences."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from sklearn import metrics

from confroc import PairedScores, Scores, comparison, difference, interval, ratio
from confroc.base import Statistic
from confroc.inference import minus, one
from confroc.influence import contrast_moments
from confroc.statistics import Auarc, Aurc, BrierScore, LogLoss

TRUTH = {"log_loss": metrics.log_loss, "brier_score": metrics.brier_score_loss}
ALL = [LogLoss(), BrierScore(), Auarc(), Aurc()]


def drawn(n: int, seed: int, places: int = 2) -> tuple[Any, Any]:
    """Labels, and risks that are a little too far from one half."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    return y, np.round(1.0 / (1.0 + np.exp(-1.5 * rng.normal(y - 0.7, 1.0))), places)


def variance(statistic: Statistic, table: Scores) -> float:
    return sum(m.variance for m in contrast_moments(one(table, statistic)))


def jackknife(statistic: Statistic, y: Any, s: Any) -> float:
    n = len(y)
    left = [statistic.value(Scores(np.delete(y, i), np.delete(s, i))) for i in range(n)]
    return (n - 1) ** 2 / n * float(np.var(left, ddof=1))


@pytest.mark.parametrize("statistic", ALL[:2], ids=lambda s: s.name)
def test_losses_are_those_of_scikit_learn(statistic: Statistic) -> None:
    y, s = drawn(300, 1)
    s[:2] = 0.0, 1.0  # moved by the least number, as there
    weight = np.random.default_rng(2).random(300)
    truth = TRUTH[statistic.name]
    assert statistic.value(Scores(y, s)) == pytest.approx(truth(y, s), rel=1e-15)
    weighted = Scores(y, s, sample_weight=weight)
    assert statistic.value(weighted) == pytest.approx(truth(y, s, sample_weight=weight), rel=1e-14)


@pytest.mark.parametrize("kind", [LogLoss, BrierScore])
def test_variance_of_a_mean_loss(kind: Any) -> None:
    """Over all cases it is s²/n, up to the divisors n − 1 of each class; by class it is the part within."""
    y, s = drawn(400, 3)
    loss = np.where(y == 1, kind.loss(s), kind.loss(1.0 - s))
    assert variance(kind(), Scores(y, s)) == pytest.approx(np.var(loss) / 400, rel=0.01)
    assert variance(kind(), Scores(y, s)) == pytest.approx(jackknife(kind(), y, s), rel=0.01)
    within = sum(np.mean(y == c) ** 2 * np.var(loss[y == c], ddof=1) / np.sum(y == c) for c in (0, 1))
    assert variance(kind("stratified"), Scores(y, s)) == pytest.approx(within, rel=1e-12)


@pytest.mark.parametrize("statistic", ALL[:2], ids=lambda s: s.name)
def test_scores_must_be_risks(statistic: Statistic) -> None:
    with pytest.raises(
        ValueError, match=r"`scores` must contain risks between 0 and 1; got scores from -1 to 2"
    ):
        interval([0, 1, 1], [-1.0, 2.0, 0.5], statistic)


def test_area_of_four_answers_and_of_ties() -> None:
    assert Auarc().value(Scores([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1])) == pytest.approx(0.7916666667, abs=1e-10)
    # The mean over all orders of the tied answers.
    correct, confidence = [1, 0, 1, 1, 0], [0.9, 0.5, 0.5, 0.5, 0.1]
    orders = [np.array(correct)[[0, *p, 4]] for p in itertools.permutations([1, 2, 3])]
    expected = np.mean([np.mean(np.cumsum(o) / np.arange(1, 6)) for o in orders])
    assert Auarc().value(Scores(correct, confidence)) == pytest.approx(expected, abs=1e-14)
    turned = Scores(correct[::-1], confidence[::-1])
    assert Auarc().value(turned) == Auarc().value(Scores(correct, confidence))
    assert Aurc().value(turned) == 1.0 - Auarc().value(turned)


def test_area_of_weighted_answers() -> None:
    y, s = drawn(200, 4)
    weight = np.random.default_rng(5).integers(1, 4, 200)
    repeated = Scores(np.repeat(y, weight), np.repeat(s, weight))
    assert Auarc().value(Scores(y, s, sample_weight=weight, weight_kind="frequency")) == Auarc().value(
        repeated
    )
    once, twice = (interval(Scores(y, s, sample_weight=k * weight), Auarc()) for k in (1, 2))
    assert once.estimate == pytest.approx(twice.estimate, rel=1e-14)
    assert once.standard_error == pytest.approx(twice.standard_error, rel=1e-12)


@pytest.mark.parametrize("places", [1, 8])
def test_variance_of_the_area_is_the_jackknifes_in_the_limit(places: int) -> None:
    gaps = [
        variance(Auarc(), Scores(*data)) / jackknife(Auarc(), *data) - 1.0
        for data in (drawn(80, 6, places), drawn(800, 6, places))
    ]
    assert abs(gaps[1]) < 0.03
    assert abs(gaps[1]) < abs(gaps[0])


def test_influence_on_the_area_is_its_derivative() -> None:
    """A little more weight at a row moves the area by the influence there, times the weight."""
    y, s = drawn(100, 7, 1)
    table, step = Scores(y, s), 1e-5
    influence = Auarc().influence(table)
    share = table.n_pos / 100, table.n_neg / 100
    for side in (0, 1):
        for row in np.flatnonzero((table.pos, table.neg)[side])[[0, 3, -1]]:
            cell = np.flatnonzero((s == table.score[row]) & (y == 1 - side))[0]
            moved = [
                Auarc().value(Scores(y, s, sample_weight=np.ones(100) + h * (np.arange(100) == cell)))
                for h in (-step, step)
            ]
            slope = (moved[1] - moved[0]) / (2.0 * step) * 100
            # Weights are scaled to a mean of one, which has a small influence of its own on the sums.
            assert slope == pytest.approx(influence[side][row] / share[side], abs=0.02)


@pytest.mark.parametrize("statistic", ALL, ids=lambda s: s.name)
def test_what_comes_with_a_statistic(statistic: Statistic) -> None:
    y, a = drawn(240, 8)
    b = np.clip(a + np.random.default_rng(9).normal(0.0, 0.1, 240), 0.01, 0.99)
    pair = PairedScores(y, a, b, names=["a", "b"])
    found = difference(pair, statistic)
    assert found.estimate == pytest.approx(statistic.value(Scores(y, a)) - statistic.value(Scores(y, b)))
    resampled = difference(pair, statistic, method="bootstrap", n_resamples=1999, rng=1)
    assert resampled.upper - resampled.lower == pytest.approx(found.upper - found.lower, rel=0.12)
    best = comparison(pair, statistic).may_be_best
    better = found.estimate < 0.0 if statistic.lower_is_better else found.estimate > 0.0
    assert best[0 if better else 1]
    assert ratio(pair, statistic).lower < ratio(pair, statistic).upper
    # Every case twice in a cluster is no more than once.
    twice = Scores(np.repeat(y, 2), np.repeat(a, 2), cluster=np.repeat(np.arange(240), 2))
    clustered = interval(twice, statistic).standard_error
    assert clustered == pytest.approx(interval(Scores(y, a), statistic).standard_error, rel=0.02)
    assert interval(twice, statistic).design_effect == pytest.approx(2.0, rel=0.02)
    parts = contrast_moments(minus(pair, (statistic, statistic)))
    assert math.sqrt(sum(m.variance for m in parts)) == pytest.approx(found.standard_error)
