"""Costs of dependent cases: thresholds chosen on them, and the prevalence where class sizes vary."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

from confroc import (
    PairedScores,
    Scores,
    UnpairedScores,
    comparison,
    cost_curve,
    cost_difference,
    difference,
    expected_cost,
    expected_cost_difference,
    interval,
    net_benefit,
    net_benefit_difference,
    statistics,
)
from confroc._check import ArgumentError
from confroc.cost import cost_optimism
from confroc.cost.threshold_set import threshold_set
from confroc.inference import one
from confroc.influence import contrast_moments
from confroc.statistics import Cost, CostPerCase, NetBenefit
from confroc.statistics.cheapest import Criterion

UNIT = {"false_negative": 5.0, "false_positive": 1.0}
quiet = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")


def drawn(seed: int, clusters: int, rows: int = 5) -> tuple[Any, Any, Any]:
    """Labels, scores and clusters: half of the scores' variance is common to a cluster."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(clusters), rows)
    y = rng.random(len(cluster)) < 0.4
    common = rng.standard_normal(clusters)[cluster]
    return y, 1.5 * y + math.sqrt(0.5) * (common + rng.standard_normal(len(y))), cluster


def price(w: float, t: Any) -> Any:
    """Cost in that population."""
    return w * ndtr(t - 1.5) + (1.0 - w) * ndtr(-t)


def left_out(y: Any, s: Any, weight: Any, cluster: Any, w: float) -> float:
    """Optimism by leaving out one cluster at a time, from all thresholds: highest of the cheapest."""
    grid = np.append(np.inf, np.unique(s)[::-1])
    miss = (w * weight * y)[:, None] * (s[:, None] < grid)
    alarm = ((1.0 - w) * weight * ~y)[:, None] * (s[:, None] >= grid)
    n = weight[y].sum(), weight[~y].sum()
    total = 0.0
    for c in np.unique(cluster):
        out = cluster == c
        rest = weight[y & ~out].sum(), weight[~y & ~out].sum()
        cost = miss[~out].sum(axis=0) / rest[0] + alarm[~out].sum(axis=0) / rest[1]
        best = int(np.argmin(np.round(cost, 12)))
        total += miss[out, best].sum() / n[0] + alarm[out, best].sum() / n[1]
    return total - float((miss.sum(axis=0) / n[0] + alarm.sum(axis=0) / n[1]).min())


@pytest.mark.parametrize("weighted", [False, True])
def test_with_few_clusters_each_is_left_out_once(weighted: bool) -> None:
    """Six clusters are six folds, however they are dealt."""
    for seed in range(8):
        y, s, cluster = drawn(seed, 6, 9)
        s = np.round(s, 1)
        weight = np.random.default_rng(seed).random(len(y)) + 0.1 if weighted else np.ones(len(y))
        given = {"sample_weight": weight} if weighted else {}
        if len(np.unique(cluster[y])) < 6 or len(np.unique(cluster[~y])) < 6:
            continue  # Five clusters of a class are dealt into five folds.
        scores = Scores(y, s, cluster=cluster, **given)
        for w in (0.2, 0.5):
            expected = left_out(y, s, weight, cluster, w)
            found = cost_optimism(scores, w=w, rng=seed)
            np.testing.assert_allclose(found, expected, atol=1e-12)
            curve = cost_curve(scores, w=w)
            assert curve.optimism[0] == pytest.approx(max(0.0, expected), abs=1e-12)


def test_weighted_cases_are_left_out_one_by_one() -> None:
    rng = np.random.default_rng(1)
    y, s, weight = np.arange(14) < 7, rng.standard_normal(14), rng.random(14) + 0.1
    s[:7] += 1.0
    # Seven folds hold a case of each class.
    found = cost_optimism(Scores(y, s, sample_weight=weight), w=0.5, repeats=400, rng=2)[0]
    total = 0.0
    for i, j in itertools.product(range(7), range(7, 14)):
        out = np.isin(np.arange(14), (i, j))
        grid = np.append(np.inf, np.sort(s)[::-1])
        share = [np.where(k, weight, 0.0) for k in (y & ~out, ~y & ~out)]
        cost = 0.5 * (share[0] / share[0].sum()) @ (s[:, None] < grid)
        cost = cost + 0.5 * (share[1] / share[1].sum()) @ (s[:, None] >= grid)
        t = grid[int(np.argmin(np.round(cost, 12)))]
        total += 0.5 * weight[i] / weight[y].sum() * (s[i] < t)
        total += 0.5 * weight[j] / weight[~y].sum() * (s[j] >= t)
    apparent = cost_curve(y, s, w=0.5, sample_weight=weight)
    # Each of the 49 pairs is one of seven folds of a deal with probability 1/7.
    expected = total / 7.0 - float(apparent.estimate[0] - apparent.optimism[0])
    assert found == pytest.approx(expected, abs=0.01)


@pytest.mark.slow
def test_the_optimism_of_clusters_is_the_mean_gap() -> None:
    """The true mean gap of 400 samples is found by leaving out clusters, not rows."""
    w, runs = np.array([0.3, 0.5]), 400
    true, of_clusters, of_rows = np.zeros((runs, 2)), np.zeros((60, 2)), np.zeros((60, 2))
    for i in range(runs):
        y, s, cluster = drawn(i, 24, 8)
        scores = Scores(y, s, cluster=cluster)
        curve = cost_curve(scores, w=w, threshold=cost_curve(y, s, w=w).threshold)
        true[i] = [price(*pair) for pair in zip(w, curve.threshold, strict=True)] - curve.estimate
        if i < 60:
            of_clusters[i] = cost_optimism(scores, w=w, repeats=5, rng=i)
            of_rows[i] = cost_optimism(Scores(y, s), w=w, repeats=5, rng=i)
    error = np.hypot(true.std(axis=0) / math.sqrt(runs), of_clusters.std(axis=0) / math.sqrt(60))
    # Both means within 4 of their errors: false alarm 1e-4.
    assert (np.abs(true.mean(axis=0) - of_clusters.mean(axis=0)) < 4.0 * error).all()
    assert (of_rows.mean(axis=0) < true.mean(axis=0)).all()
    assert (of_rows.mean(axis=0) < of_clusters.mean(axis=0) - 0.003).all()


@pytest.mark.slow
def test_the_set_of_thresholds_contains_the_best_one() -> None:
    """Fewer than 52 of 60 samples of 40 clusters: probability 5e-3 at .95, .9 at .80."""
    w, criterion = 0.4, Criterion.cost(np.array([0.4]))
    grid = np.linspace(-3.0, 4.0, 7001)
    best, held, wider = float(grid[np.argmin(price(w, grid))]), 0, 0
    for i in range(60):
        y, s, cluster = drawn(1000 + i, 40, 6)
        rng = np.random.default_rng(i)
        low, high = threshold_set(Scores(y, s, cluster=cluster), criterion, 0.95, 200, rng).ends
        # The best threshold cuts as the next observed score above it does.
        above = s[s >= best].min()
        held += low <= above <= high
        alone = threshold_set(Scores(y, s), criterion, 0.95, 200, rng).ends
        wider += high - low >= alone[1] - alone[0]
    assert held >= 52
    assert wider >= 45


def test_clusters_that_cross_leave_the_cost_optimistic() -> None:
    y, s, cluster = drawn(3, 30)
    scores = Scores(y, s, cluster=(cluster, np.arange(len(y)) % 7))
    cost = expected_cost(scores, **UNIT)
    assert math.isnan(cost.optimism)
    assert math.isnan(cost.threshold_lower)
    assert any("optimistic" in note for note in cost.notes)
    assert any("optimistic" in note for note in interval(scores, Cost(w=0.5)).notes)
    with pytest.raises(ArgumentError, match="two cases, or uncrossed clusters, of each class"):
        cost_optimism(scores)


# --- one rule for named and general functions ----------------------------------------------------------

DESIGNS: dict[str, list[str]] = {
    "independent": [],
    "clustered": ["cluster"],
    "weighted": ["sample_weight"],
    "strata": ["strata"],
    "all": ["cluster", "sample_weight", "strata"],
}


def sampled(design: str, seed: int = 5) -> tuple[Any, list[Any], dict[str, Any]]:
    y, s, cluster = drawn(seed, 40)
    rng = np.random.default_rng(seed)
    other = s + rng.standard_normal(len(s))
    columns = {"cluster": cluster, "sample_weight": rng.random(len(y)) + 0.2, "strata": cluster % 3}
    risks = [1.0 / (1.0 + np.exp(1.0 - v)) for v in (s, other)]
    return y, risks, {name: columns[name] for name in DESIGNS[design]}


def ends(found: Any) -> Any:
    return [np.ravel(getattr(found, name)) for name in ("estimate", "lower", "upper")]


@pytest.mark.parametrize("design", DESIGNS)
def test_named_functions_are_the_general_ones(design: str) -> None:
    y, (a, b), kw = sampled(design)
    pair = PairedScores(y, a, b, **kw)
    cost, case, benefit = Cost(w=0.3), CostPerCase(**UNIT), NetBenefit(risk=0.3)
    drawn = {"method": "bootstrap", "rng": 3, "n_resamples": 99}
    for named, general in (
        (cost_curve(pair.a, w=0.3), interval(pair.a, cost)),
        (cost_curve(pair.a, w=0.3, **drawn), interval(pair.a, cost, **drawn)),
        (expected_cost(pair.a, **UNIT, n_resamples=40), interval(pair.a, case)),
        (net_benefit(pair.a, risk=0.3), interval(pair.a, benefit)),
        (cost_difference(pair, w=0.3), difference(pair, cost)),
        (expected_cost_difference(pair, **UNIT), difference(pair, case)),
        (net_benefit_difference(pair, risk=0.3), difference(pair, benefit)),
    ):
        np.testing.assert_allclose(ends(named), ends(general), atol=1e-12)
    values = [interval(model, cost).estimate for model in pair.models]
    np.testing.assert_allclose(comparison(pair, cost).intervals.estimate, values, atol=1e-12)


@pytest.mark.parametrize("design", DESIGNS)
def test_where_class_sizes_vary_the_prevalence_is_the_samples(design: str) -> None:
    """By hand from the rows; the effective sizes of the classes differ."""
    y, (a, _), kw = sampled(design)
    weight = kw.get("sample_weight", np.ones(len(y)))
    called = a >= 0.3
    expected = np.average(called * np.where(y, 1.0, -0.3 / 0.7), weights=weight)
    assert net_benefit(y, a, risk=0.3, **kw).estimate[0] == pytest.approx(expected)
    lost = np.average(np.where(y, 5.0 * ~called, called), weights=weight)
    assert expected_cost(y, a, threshold=0.3, **UNIT, **kw).estimate == pytest.approx(lost)


def test_the_variance_where_class_sizes_vary_is_that_of_the_mean_over_clusters() -> None:
    y, (a, _), kw = sampled("clustered")
    lost, cluster = np.where(y, 5.0 * (a < 0.3), a >= 0.3), kw["cluster"]
    sums = np.bincount(cluster, lost - lost.mean())
    expected = (sums**2).sum() / len(y) ** 2
    case = CostPerCase(**UNIT, threshold=0.3)
    found = sum(m.variance for m in contrast_moments(one(Scores(y, a, **kw), case)))
    assert found == pytest.approx(expected, rel=0.03)
    alone = sum(m.variance for m in contrast_moments(one(Scores(y, a), case)))
    assert alone == pytest.approx(lost.var() / len(y), rel=0.02)


@pytest.mark.slow
def test_costs_of_clusters_cover() -> None:
    """Fewer than 176 of 200: probability 3e-5 at coverage .95; independent rows cover about .8."""
    truth = 0.4 * 5.0 * ndtr(0.7 - 1.5) + 0.6 * ndtr(-0.7)
    held = 0
    for i in range(200):
        y, s, cluster = drawn(5000 + i, 50, 8)
        case = interval(y, s, CostPerCase(**UNIT, threshold=0.7), cluster=cluster)
        held += case.lower <= truth <= case.upper
    assert held >= 176


@quiet
def test_a_statistic_of_risks_needs_risks() -> None:
    y, s, _ = drawn(1, 20)
    pair = PairedScores(y, s, -s)
    for call in (
        lambda: interval(y, s, NetBenefit(risk=0.2)),
        lambda: difference(pair, NetBenefit(risk=0.2)),
        lambda: comparison(pair, NetBenefit(risk=0.2)),
        lambda: net_benefit(y, s, risk=0.2),
    ):
        with pytest.raises(ArgumentError, match="`scores` must contain risks between 0 and 1"):
            call()


# --- every statistic, function and design --------------------------------------------------------------


def area(y_true: Any, y_score: Any, sample_weight: Any) -> float:
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(y_true, y_score, sample_weight=sample_weight))


MADE: dict[str, Callable[[], Any]] = {
    "Auarc": statistics.Auarc,
    "Aurc": statistics.Aurc,
    "BrierScore": statistics.BrierScore,
    "LogLoss": statistics.LogLoss,
    "Auc": statistics.Auc,
    "AveragePrecision": statistics.AveragePrecision,
    "Cost": lambda: Cost(w=0.3),
    "CostPerCase": lambda: CostPerCase(**UNIT),
    "Custom": lambda: statistics.Custom(area),
    "EqualErrorRate": statistics.EqualErrorRate,
    "FprAtTpr": lambda: statistics.FprAtTpr(0.8),
    "Gini": statistics.Gini,
    "KolmogorovSmirnov": statistics.KolmogorovSmirnov,
    "Metric": lambda: statistics.Metric("ppv", threshold=0.3),
    "NetBenefit": lambda: NetBenefit(risk=0.3),
    "PrecisionAtRecall": lambda: statistics.PrecisionAtRecall(0.6),
    "RatesAtPositiveRate": lambda: statistics.RatesAtPositiveRate(0.3),
    "RatesAtThreshold": lambda: statistics.RatesAtThreshold(0.3),
    "TprAtFpr": lambda: statistics.TprAtFpr(0.2),
}
SEVERAL = {
    "Metric": lambda: statistics.Metric("f1", threshold=[0.3, 0.5]),
    "PrecisionAtRecall": lambda: statistics.PrecisionAtRecall([0.5, 0.8]),
    "Cost": lambda: Cost(w=[0.3, 0.6]),
    "NetBenefit": lambda: NetBenefit(risk=[0.3, 0.6]),
    "TprAtFpr": lambda: statistics.TprAtFpr([0.1, 0.2]),
    "FprAtTpr": lambda: statistics.FprAtTpr([0.7, 0.8]),
}
ASKED = [(name, False) for name in MADE] + [(name, True) for name in SEVERAL]


def test_every_statistic_is_tried() -> None:
    assert set(MADE) == set(statistics.__all__)


@pytest.mark.slow
@quiet
@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize(("name", "several"), ASKED)
def test_each_works_or_refuses_in_a_sentence(name: str, several: bool, design: str) -> None:
    """No error of NumPy comes through, whatever is asked of a statistic."""
    y, (a, b), kw = sampled(design, 7)
    statistic = (SEVERAL if several else MADE)[name]()
    half = len(y) // 2
    parts = {key: (value[:half], value[half:]) for key, value in kw.items()}
    paired = PairedScores(y, a, b, **kw)
    unpaired = UnpairedScores(
        *(
            Scores(y[at], a[at], **{key: value[i] for key, value in parts.items()})
            for i, at in enumerate((slice(None, half), slice(half, None)))
        )
    )
    drawn = {"n_resamples": 60, "rng": 1, "confidence_level": 0.9}
    calls: list[Callable[[], Any]] = [lambda: interval(paired.a, statistic)]
    calls += [lambda: interval(paired.a, statistic, method="bootstrap", **drawn)]
    for data in (paired, unpaired):
        calls += [lambda data=data: difference(data, statistic, method="bootstrap", **drawn)]
        calls += [lambda data=data: comparison(data, statistic, method="bootstrap", **drawn)]
        if not several and name not in (
            "Custom",
            "EqualErrorRate",
            "KolmogorovSmirnov",
            "FprAtTpr",
            "TprAtFpr",
        ):
            # Their defaults resample by themselves.
            calls += [
                lambda data=data: difference(data, statistic),
                lambda data=data: comparison(data, statistic),
            ]
    for call in calls:
        try:
            found = call()
        except ArgumentError as error:
            assert str(error).startswith("`")  # noqa: PT017
        else:
            values = found.intervals if hasattr(found, "intervals") else found
            for part in (values.fpr, values.tpr) if hasattr(values, "fpr") else (values,):
                assert np.isfinite(part.estimate).all()
                assert (np.asarray(part.lower) <= part.estimate).all()
                assert (np.asarray(part.estimate) <= part.upper).all()


@pytest.mark.parametrize("name", ["RatesAtThreshold", "RatesAtPositiveRate"])
def test_models_are_compared_by_a_number(name: str) -> None:
    y, (a, b), _ = sampled("independent")
    with pytest.raises(ArgumentError, match="`statistic` must be a scalar statistic to compare models"):
        comparison(PairedScores(y, a, b), MADE[name]())
