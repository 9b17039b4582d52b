"""The bootstrap engine: streams, threads, and the laws it draws from."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats

import confroc
from confroc import PairedScores, Scores, UnpairedScores, resample
from confroc.scores.counting import Cells

TABLE = Cells(np.array([3, 1, 0, 2]), np.array([0, 2, 2, 1]))


def both(pos: Any, neg: Any) -> Any:
    return np.concatenate([pos, neg])


@pytest.mark.parametrize("sampling", ["stratified", "full"])
def test_threads_and_compiled_counting_change_nothing(sampling: Any, monkeypatch: Any) -> None:
    g = np.random.default_rng(5)
    y = g.integers(0, 2, 300)
    scores = Scores(y, g.normal(size=300) + y)
    size = (scores.n_pos, scores.n_neg)

    def run(n_jobs: int) -> Any:
        return resample.resample(both, scores, 23, 7, size=size, sampling=sampling, n_jobs=n_jobs)

    one = run(1)
    np.testing.assert_array_equal(run(2), one)
    np.testing.assert_array_equal(run(3), one)
    monkeypatch.setattr(resample, "COMPILE", 0)
    np.testing.assert_array_equal(run(1), one)


def test_drawing_row_by_row_compiles_nothing(monkeypatch: Any) -> None:
    monkeypatch.setattr(resample, "COMPILE", 0)
    monkeypatch.setattr(resample._kernels, "compiled", None)
    few = Cells(np.array([600, 400]), np.array([500, 500]))
    assert resample.resample(both, few, 3, 1, size=(1000, 1000)).sum() == 6000
    with pytest.raises(TypeError, match="not callable"):
        resample.resample(both, TABLE, 3, 1, size=(6, 5))


def test_replicates_differ_and_repeat_with_the_seed() -> None:
    first = resample.resample(both, TABLE, 50, 1, size=(6, 5))
    np.testing.assert_array_equal(first, resample.resample(both, TABLE, 50, 1, size=(6, 5)))
    assert len(np.unique(first, axis=0)) > 20
    assert not np.array_equal(first, resample.resample(both, TABLE, 50, 2, size=(6, 5)))
    generator = np.random.default_rng(1)
    resample.resample(both, TABLE, 50, generator, size=(6, 5))
    # A generator that is passed on moves on.
    assert not np.array_equal(first, resample.resample(both, TABLE, 50, generator, size=(6, 5)))


@pytest.mark.parametrize("rows", [True, False])
def test_stratified_draws_follow_the_multinomial_law(rows: Any, monkeypatch: Any) -> None:
    """Chi-square over all outcomes, both ways of drawing; false alarm 0.1 % each, seed fixed."""
    if rows:
        monkeypatch.setattr(resample, "_cases", lambda counts, m: None)  # noqa: ARG005
    pos = np.array([3, 1, 2])
    drawn = resample.resample(both, Cells(pos, np.array([1, 0, 0])), 20_000, 11, size=(3, 1))[:, :3]
    seen = Counter(map(tuple, drawn.tolist()))
    outcomes = [k for k in itertools.product(range(4), repeat=3) if sum(k) == 3]
    law = stats.multinomial.pmf(outcomes, 3, pos / 6)
    assert stats.chisquare([seen[k] for k in outcomes], law * 20_000).pvalue > 1e-3


def test_full_draws_follow_the_binomial_split_given_both_classes() -> None:
    """The number of positives is binomial, cut off at both ends; false alarm 0.1 %, seed fixed."""
    drawn = resample.resample(
        lambda p, q: np.array([p.sum(), q.sum()]), TABLE, 20_000, 3, size=(2, 3), sampling="full"
    )
    assert (drawn.sum(axis=1) == 5).all()
    law = np.asarray(stats.binom.pmf([1, 2, 3, 4], 5, 6 / 11))
    seen = np.bincount(drawn[:, 0], minlength=6)
    assert seen[0] == seen[5] == 0
    assert stats.chisquare(seen[1:5], law / law.sum() * 20_000).pvalue > 1e-3


def test_a_randomised_statistic_gets_the_replicates_own_stream() -> None:
    draw = lambda p, q, generator: generator.random(2)  # noqa: E731, ARG005
    drawn = resample.resample(draw, TABLE, 10, 4, size=(6, 5), randomised=True)
    assert len(np.unique(drawn)) == 20
    again = resample.resample(draw, TABLE, 10, 4, size=(6, 5), randomised=True, n_jobs=2)
    np.testing.assert_array_equal(drawn, again)


PUBLIC: list[Any] = [
    lambda d, **k: confroc.rates_at_threshold(d.a, [0, 1], method="bootstrap", **k),
    lambda d, **k: confroc.tpr_at_fpr(d.a, [0.1, 0.5], method="bootstrap", **k),
    lambda d, **k: confroc.fpr_at_tpr(d.a, [0.1, 0.5], method="bootstrap", **k),
    lambda d, **k: confroc.rates_at_positive_rate(d.a, [0.1, 0.5], method="bootstrap", **k),
    lambda d, **k: confroc.rates_difference_at_threshold(d, 0, 1, method="bootstrap", **k),
    lambda d, **k: confroc.rates_difference_at_threshold(
        UnpairedScores(d.a, d.a), 0, 1, method="bootstrap", **k
    ),
    lambda d, **k: confroc.tpr_difference_at_fpr(d, 0.2, method="bootstrap", **k),
    lambda d, **k: confroc.tpr_difference_at_fpr(UnpairedScores(d.a, d.a), 0.2, method="bootstrap", **k),
    lambda d, **k: confroc.cost_curve(d.a, [0.2, 0.5], method="bootstrap", **k),
    lambda d, **k: confroc.cost_difference(d, [0.2, 0.5], method="bootstrap", **k),
    lambda d, **k: confroc.cost_band(d.a, [0.2, 0.5], **k),
    lambda d, **k: confroc.cost_difference_band(d, [0.2, 0.5], **k),
    lambda d, **k: confroc.net_benefit(d.a, 0.3, threshold=0, method="bootstrap", **k),
    lambda d, **k: confroc.net_benefit_difference(
        d, 0.3, threshold_a=0, threshold_b=0, method="bootstrap", **k
    ),
    lambda d, **k: confroc.expected_cost(d.a, false_negative=2, false_positive=1, **k),
]


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
@pytest.mark.parametrize("call", PUBLIC)
def test_jobs_change_no_public_result(call: Any) -> None:
    g = np.random.default_rng(2)
    y = g.integers(0, 2, 90)
    a = g.normal(size=90) + y
    pair = PairedScores(y, a, 0.5 * a + g.normal(size=90))
    one, two = (call(pair, n_resamples=100, rng=9, n_jobs=jobs).to_dict() for jobs in (1, 2))
    np.testing.assert_equal(two, one)
