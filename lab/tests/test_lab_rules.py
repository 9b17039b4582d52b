"""Rules: all samples at once against the public functions one by one, and against exact coverage."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import confroc
from confroc import ConfrocWarning, Scores, auc_difference, auc_interval, rates_at_threshold
from confroc.auditing.areas import delong
from confroc.auditing.coverage import added, counted
from confroc.auditing.rates import binomial_cdfs, mixture_quantiles, resampled_proportion
from confroc.auditing.rules import Drawn
from confroc.auditing.samples import Samples, count_at, ranks
from confroc.cost import cost_curve, cost_difference, expected_cost
from confroc.points import (
    rates_difference_at_positive_rate,
    rates_difference_at_threshold,
    tpr_at_fpr,
    tpr_difference_at_fpr,
)
from confroc.resample import percentile_ends
from confroc_lab import (
    Cell,
    Coverage,
    Normal,
    NormalPair,
    Rule,
    SamplePopulation,
    TiedDistributions,
    TwoDistributions,
    binormal,
    threshold_at_positive_rate,
)
from confroc_lab.costs import best_places
from confroc_lab.populations import exchanged
from confroc_lab.samples import discordant_at, draw
from confroc_lab.study import EVALUATORS
from confroc_lab.study import evaluated as run

FloatArray = NDArray[np.float64]
Methods = tuple[Any, ...]
POPULATION = binormal(1.5, 0.0, 1.25, 1.0)
TIED = TiedDistributions(Normal(1.5, 1.25), Normal(0.0, 1.0), step=0.5)
PAIR = NormalPair((1.0, 1.7), (0.0, 0.0), 1.25, 1.0, 0.6)
PLACES = (0.05, 0.3, 0.5, 0.9)
W = (0.02, 0.3, 0.5, 0.97)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        yield


def samples(population: Any, size: tuple[int, int], reps: int = 12, seed: int = 0) -> Samples:
    batches, lost = draw(population, size, "stratified", np.random.default_rng(seed), reps)
    assert lost == 0
    return batches[0]


def evaluated(
    rule: Rule, batch: Samples, population: Any, sampling: Any = "stratified"
) -> dict[tuple[str, str], Coverage]:
    evaluator: Any = EVALUATORS[str(rule.function)][1]
    found = evaluator(rule, Drawn(batch, population, sampling, np.random.default_rng(1)))
    return {(c.method, c.quantity): c for c in found}


def same(ours: Coverage, lower: list[FloatArray], upper: list[FloatArray], truth: FloatArray) -> None:
    """Counts equal, widths to rounding."""
    wanted = counted(ours.method, ours.quantity, ours.at, truth, np.array(lower), np.array(upper))
    for name in ("n", "failures", "covered", "below", "above"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(wanted, name), err_msg=name)
    np.testing.assert_allclose(ours.width, wanted.width, rtol=1e-9, atol=1e-7)
    np.testing.assert_allclose(ours.width_sq, wanted.width_sq, rtol=1e-9, atol=1e-7)


# --- batches equal the public functions -----------------------------------------------------------------


@pytest.mark.parametrize("size", [(7, 11), (40, 25)])
@pytest.mark.parametrize("population", [POPULATION, TIED], ids=["continuous", "tied"])
def test_rates_at_threshold(population: Any, size: tuple[int, int]) -> None:
    methods: Methods = ("agresti_coull", "wald", "wilson", "clopper_pearson", "jeffreys", "exact_bootstrap")
    rule = Rule("rates_at_threshold", methods=methods, confidence_level=0.9, at=PLACES)
    batch = samples(population, size)
    threshold = threshold_at_positive_rate(population, PLACES, size[0] / sum(size))
    fpr, tpr = population.rates(threshold)
    found = evaluated(rule, batch, population)
    for method in methods:
        regions = [
            rates_at_threshold(
                batch.scores(i), threshold=threshold, method=method, confidence_level=0.9, joint=True
            )
            for i in range(batch.reps)
        ]
        same(found[method, "fpr"], [r.fpr.lower for r in regions], [r.fpr.upper for r in regions], fpr)
        same(found[method, "tpr"], [r.tpr.lower for r in regions], [r.tpr.upper for r in regions], tpr)
        inside = [
            (r.fpr.lower <= fpr) & (fpr <= r.fpr.upper) & (r.tpr.lower <= tpr) & (tpr <= r.tpr.upper)
            for r in regions
        ]
        np.testing.assert_array_equal(found[method, "joint"].covered, np.sum(inside, axis=0))


def test_rates_difference_at_positive_rate() -> None:
    rule = Rule("rates_difference_at_positive_rate", methods=("wald",), confidence_level=0.9, at=(0.1, 0.4))
    batch = samples(PAIR, (12, 20), reps=6)
    found = evaluated(rule, batch, PAIR, "full")
    regions = [
        rates_difference_at_positive_rate(
            batch.pair(i), positive_rate=(0.1, 0.4), method="wald", confidence_level=0.9
        )
        for i in range(batch.reps)
    ]
    rates = [
        population.rates(threshold_at_positive_rate(population, (0.1, 0.4), PAIR.share))
        for population in (PAIR.a, PAIR.b)
    ]
    for name, a, b in zip(("fpr", "tpr"), *rates, strict=True):
        sides = [getattr(region, name) for region in regions]
        same(found["wald", name], [side.lower for side in sides], [side.upper for side in sides], a - b)


@pytest.mark.parametrize("population", [POPULATION, TIED], ids=["continuous", "tied"])
def test_tpr_at_fpr(population: Any) -> None:
    methods: Methods = ("beta_mixture", "agresti_coull", "wald", "exact_bootstrap")
    rule = Rule("tpr_at_fpr", methods=methods, confidence_level=0.9, at=PLACES)
    batch = samples(population, (30, 25))
    truth = np.interp(PLACES, *population.curve(np.array(PLACES)))
    found = evaluated(rule, batch, population)
    for method in methods:
        intervals = [
            tpr_at_fpr(batch.scores(i), fpr=PLACES, method=method, confidence_level=0.9)
            for i in range(batch.reps)
        ]
        same(found[method, "tpr"], [r.lower for r in intervals], [r.upper for r in intervals], truth)


@pytest.mark.parametrize("population", [POPULATION, TIED], ids=["continuous", "tied"])
def test_fpr_at_tpr(population: Any) -> None:
    """The classes exchanged, as the public function exchanges them; truth by a threshold of its own."""
    methods: Methods = ("beta_mixture", "agresti_coull", "wald", "exact_bootstrap", "kernel")
    rule = Rule("fpr_at_tpr", methods=methods, confidence_level=0.9, at=PLACES)
    batch = samples(population, (30, 25))
    if population is TIED:
        fpr, tpr = population.curve(np.array([]))
        truth = np.interp(PLACES, tpr, fpr)
    else:
        truth = stats.norm.sf(stats.norm.isf(PLACES, 1.5, 1.25))
    found = evaluated(rule, batch, population)
    for method in methods:
        intervals = [
            confroc.fpr_at_tpr(batch.scores(i), tpr=PLACES, method=method, confidence_level=0.9)
            for i in range(batch.reps)
        ]
        same(found[method, "fpr"], [r.lower for r in intervals], [r.upper for r in intervals], truth)


def test_classes_are_exchanged() -> None:
    """Twice is the population itself; other kinds are refused."""
    large = SamplePopulation(np.array([1.0, 2.0, 2.0]), np.array([0.0, 2.0]))
    assert exchanged(large).auc == pytest.approx(1.0 - large.auc, abs=1e-15)
    assert exchanged(exchanged(TIED)) == TIED
    assert exchanged(TIED).auc == pytest.approx(1.0 - TIED.auc, abs=1e-12)
    with pytest.raises(ValueError, match="have classes to exchange"):
        exchanged(PAIR)  # type: ignore[arg-type]


@pytest.mark.parametrize("population", [POPULATION, TIED, PAIR], ids=["continuous", "tied", "pair"])
def test_thresholds_as_places(population: Any) -> None:
    """Places that are the thresholds of positive rates are evaluated as those rates are."""
    function = "rates_difference_at_threshold" if population is PAIR else "rates_at_threshold"
    method = "agresti_min" if population is PAIR else "agresti_coull"
    batch = samples(population, (20, 30), reps=50)
    at = threshold_at_positive_rate(population.a if population is PAIR else population, PLACES, 0.4)
    by_rate, by_score = (
        evaluated(Rule(function, (method,), tuple(places), 0.9, by_score=by_score), batch, population)
        for places, by_score in ((PLACES, False), (at.tolist(), True))
    )
    if population is not PAIR:
        for key, found in by_rate.items():
            np.testing.assert_array_equal(found.covered, by_score[key].covered)
        return
    rates = [model.rates(at) for model in (PAIR.a, PAIR.b)]
    regions = [
        rates_difference_at_threshold(
            batch.pair(i),
            threshold_a=at,
            threshold_b=at,
            method="agresti_min",
            confidence_level=0.9,
            joint=True,
        )
        for i in range(batch.reps)
    ]
    for i, name in enumerate(("fpr", "tpr")):
        sides = [getattr(r, name) for r in regions]
        truth = rates[0][i] - rates[1][i]
        same(by_score[method, name], [s.lower for s in sides], [s.upper for s in sides], truth)


def test_thresholds_as_places_are_for_thresholds() -> None:
    rule = Rule("tpr_at_fpr", ("wald",), (0.1,), by_score=True)
    with pytest.raises(ValueError, match=r"`by_score` must be False for 'tpr_at_fpr'"):
        Cell(name="x", population=POPULATION, size=(5, 5), rule=rule)
    rule = Rule("rates_at_threshold", ("wald",), (0.1,), by_score=True)
    assert Cell(name="x", population=POPULATION, size=(5, 5), rule=rule).at_name == "threshold"


def test_rates_difference_at_threshold() -> None:
    methods: Methods = ("agresti_min", "wald", "exact_bootstrap")
    rule = Rule("rates_difference_at_threshold", methods=methods, confidence_level=0.9, at=PLACES)
    batch = samples(PAIR, (30, 20))
    t_a, t_b = (threshold_at_positive_rate(m, PLACES, 0.6) for m in (PAIR.a, PAIR.b))
    truth = [x - y for x, y in zip(PAIR.a.rates(t_a), PAIR.b.rates(t_b), strict=True)]
    found = evaluated(rule, batch, PAIR)
    for method in methods:
        regions = [
            rates_difference_at_threshold(
                batch.pair(i),
                threshold_a=t_a,
                threshold_b=t_b,
                method=method,
                confidence_level=0.9,
                joint=True,
            )
            for i in range(batch.reps)
        ]
        same(found[method, "fpr"], [r.fpr.lower for r in regions], [r.fpr.upper for r in regions], truth[0])
        same(found[method, "tpr"], [r.tpr.lower for r in regions], [r.tpr.upper for r in regions], truth[1])


def test_tpr_difference_at_fpr() -> None:
    methods: Methods = ("agresti_min", "wald", "exact_bootstrap")
    rule = Rule("tpr_difference_at_fpr", methods=methods, confidence_level=0.9, at=PLACES)
    batch = samples(PAIR, (20, 20), reps=4)
    at = np.array([1, 6, 10, 18]) / 20
    true_a, true_b = (m.rates(m.threshold_at_fpr(at))[1] for m in (PAIR.a, PAIR.b))
    found = evaluated(rule, batch, PAIR)
    for method in methods:
        intervals = [
            tpr_difference_at_fpr(batch.pair(i), fpr=PLACES, method=method, confidence_level=0.9)
            for i in range(batch.reps)
        ]
        same(
            found[method, "tpr_a - tpr_b"],
            [r.lower for r in intervals],
            [r.upper for r in intervals],
            true_a - true_b,
        )


def test_cost_curve() -> None:
    methods: Methods = ("wald", "agresti_coull", "mid_p")
    rule = Rule("cost_curve", methods=methods, confidence_level=0.9, at=W)
    batch = samples(POPULATION, (30, 25))
    threshold, fpr, tpr = best_places(POPULATION, W)
    truth = np.array(W) * (1.0 - tpr) + (1.0 - np.array(W)) * fpr
    found = evaluated(rule, batch, POPULATION)
    for method in methods:
        curves = [
            cost_curve(batch.scores(i), w=W, threshold=threshold, method=method, confidence_level=0.9)
            for i in range(batch.reps)
        ]
        same(found[method, "cost"], [c.lower for c in curves], [c.upper for c in curves], truth)


def test_full_sampling_costs_at_the_samples_own_share() -> None:
    """With the sample's share of positives equal to the population's, unit costs are the same."""
    rule = Rule("cost_curve", methods=("wald", "mid_p"), confidence_level=0.9, at=W)
    batch = samples(POPULATION, (30, 30))
    threshold, fpr, tpr = best_places(POPULATION, W)
    w = np.array(W)
    # Unit costs proportional to w and 1 - w when classes are equally frequent (Dugas & Gadoury 2009, eq. 2).
    truth = (w * 0.5 * (1.0 - tpr) + (1.0 - w) * 0.5 * fpr) / np.maximum(w, 1.0 - w)
    found = evaluated(rule, batch, POPULATION, "full")
    methods: Methods = ("wald", "mid_p")
    for method in methods:
        curves = [
            cost_curve(
                batch.scores(i),
                w=W,
                threshold=threshold,
                method=method,
                confidence_level=0.9,
                sampling="full",
            )
            for i in range(batch.reps)
        ]
        same(found[method, "cost"], [c.lower for c in curves], [c.upper for c in curves], truth)


def test_cost_difference() -> None:
    methods: Methods = ("wald", "agresti_min")
    rule = Rule("cost_difference", methods=methods, confidence_level=0.9, at=W)
    batch = samples(PAIR, (30, 25))
    (t_a, fpr_a, tpr_a), (t_b, fpr_b, tpr_b) = (best_places(m, W) for m in (PAIR.a, PAIR.b))
    w = np.array(W)
    truth = w * (tpr_b - tpr_a) + (1.0 - w) * (fpr_a - fpr_b)
    found = evaluated(rule, batch, PAIR)
    for method in methods:
        curves = [
            cost_difference(
                batch.pair(i), w=W, threshold_a=t_a, threshold_b=t_b, method=method, confidence_level=0.9
            )
            for i in range(batch.reps)
        ]
        same(found[method, "cost_a - cost_b"], [c.lower for c in curves], [c.upper for c in curves], truth)


@pytest.mark.parametrize("prior", ["known", "sample"])
def test_expected_cost(prior: str) -> None:
    """Equal classes in use and in the samples; unit costs in the ratio that w stands for there."""
    methods = tuple(f"mid_p:thresholds={t},prior={prior}" for t in ("known", "chosen"))
    rule = Rule("expected_cost", methods=methods, confidence_level=0.9, at=(0.3,))
    batch = samples(POPULATION, (30, 30), reps=3)
    found = evaluated(rule, batch, POPULATION)
    best = float(best_places(POPULATION, (0.3,))[0][0])
    for method, threshold in zip(methods, (best, None), strict=True):
        costs = [
            expected_cost(
                batch.scores(i),
                false_negative=0.6,
                false_positive=1.4,
                prior=0.5 if prior == "known" else None,
                threshold=threshold,
                confidence_level=0.9,
                rng=1,
            )
            for i in range(batch.reps)
        ]
        rates = [POPULATION.rates(np.array([c.threshold])) for c in costs]
        truth = np.array([0.3 * (1.0 - tpr) + 0.7 * fpr for fpr, tpr in rates])
        same(found[method, "cost"], [[c.lower] for c in costs], [[c.upper] for c in costs], truth)


def test_expected_cost_difference_at_a_share_from_other_cases() -> None:
    method = "agresti_min:thresholds=validation,prior=40"
    rule = Rule("expected_cost_difference", methods=(method,), confidence_level=0.9, at=(0.3, 0.6))
    found = evaluated(rule, samples(PAIR, (30, 25), reps=40), PAIR)[method, "cost_a - cost_b"]
    # Fewer than 28 of 40 with probability 9e-5 at coverage .9.
    assert (found.covered >= 28).all()
    assert (found.width > 0).all()


def test_best_thresholds_have_the_likelihood_ratio_of_the_costs() -> None:
    # With equal spreads the best threshold is at mid + sd²/distance · ln((1 - w)/w).
    w = np.array([0.01, 0.2, 0.5, 0.9])
    threshold, _, _ = best_places(binormal(3.0, -3.0, 3.0, 3.0), tuple(w.tolist()))
    np.testing.assert_allclose(threshold, 9.0 / 6.0 * np.log((1.0 - w) / w), atol=1e-5)


@pytest.mark.parametrize(
    "population", [POPULATION, TIED, binormal(5.0)], ids=["continuous", "tied", "separated"]
)
@pytest.mark.parametrize("size", [(8, 6), (40, 25)])
def test_auc_interval(population: Any, size: tuple[int, int]) -> None:
    methods: Methods = (
        "score_delong",
        "delong",
        "logit_delong",
        "hanley_mcneil",
        "newcombe",
        "upper_bound",
        "upper_bound_wald",
        "binormal",
    )
    rule = Rule("auc_interval", methods=methods, confidence_level=0.95)
    batch = samples(population, size, reps=25)
    found = evaluated(rule, batch, population)
    truth = np.array([population.auc])
    for method in methods:
        intervals = [auc_interval(batch.scores(i), method=method) for i in range(batch.reps)]
        lower, upper = ([np.array([getattr(r, side)]) for r in intervals] for side in ("lower", "upper"))
        same(found[method, "auc"], lower, upper, truth)


# --- resampling methods tend to their exact laws --------------------------------------------------------


def test_auc_difference() -> None:
    batch = samples(PAIR, (25, 30))
    found = evaluated(
        Rule("auc_difference", methods=("delong", "exact_bootstrap"), confidence_level=0.6), batch, PAIR
    )
    for (method, _), t in found.items():
        chosen: Any = method
        made = [auc_difference(batch.pair(i), method=chosen, confidence_level=0.6) for i in range(12)]
        truth = np.array([PAIR.a.auc - PAIR.b.auc])
        same(t, [np.array([m.lower]) for m in made], [np.array([m.upper]) for m in made], truth)
        assert 0 < t.covered[0] < 12


def test_resampled_ends_tend_to_the_exact_ones() -> None:
    """With 4,000 resamples a percentile end is off by at most two steps of the law's lattice, here always."""
    batch = samples(POPULATION, (40, 30), reps=6)
    methods: Methods = ("bootstrap", "exact_bootstrap")
    for rule in (
        Rule("rates_at_threshold", methods=methods, n_resamples=4000, at=PLACES),
        Rule("tpr_at_fpr", methods=methods, n_resamples=4000, at=PLACES),
    ):
        found = evaluated(rule, batch, POPULATION)
        for quantity in {q for _, q in found} - {"joint"}:
            a, b = found["bootstrap", quantity], found["exact_bootstrap", quantity]
            assert np.abs(a.width - b.width).max() / batch.reps < 2.0 / 30


@pytest.mark.slow
def test_resampled_differences_tend_to_the_exact_ones() -> None:
    batch = samples(PAIR, (40, 30), reps=4)
    for rule in (
        Rule(
            "rates_difference_at_threshold",
            methods=("bootstrap", "exact_bootstrap"),
            n_resamples=4000,
            at=PLACES,
        ),
        Rule("tpr_difference_at_fpr", methods=("bootstrap", "exact_bootstrap"), n_resamples=2000, at=PLACES),
    ):
        found = evaluated(rule, batch, PAIR)
        for quantity in {q for _, q in found} - {"joint"}:
            a, b = found["bootstrap", quantity], found["exact_bootstrap", quantity]
            assert np.abs(a.width - b.width).max() / batch.reps < 2.0 / 30


# --- coverage against exact enumeration -----------------------------------------------------------------


@pytest.mark.parametrize("method", ["wald", "agresti_coull", "clopper_pearson"])
def test_coverage_is_the_binomial_sum(method: Any) -> None:
    """Against a sum over all counts; 4.5 standard errors: one seed in 10,000 fails for twelve comparisons.

    An error of 0.035 in a joint coverage of 0.9 would be found with a probability above 0.99.
    """
    n, reps = 40, 4000
    rule = Rule("rates_at_threshold", methods=(method,), confidence_level=0.9, at=PLACES)
    found = {
        t.quantity: t for t in run(rule, POPULATION, (n, n), "stratified", reps, np.random.default_rng(3))
    }
    threshold = threshold_at_positive_rate(POPULATION, PLACES, 0.5)
    exact = []
    k = np.arange(n + 1)
    table = Scores.from_counts([1.0, 0.0], [1, 1], [1, 1])
    assert table.n_pos == 2
    for rates in POPULATION.rates(threshold):
        held = []
        for p in rates:
            inside = []
            for count in k:
                # A sample with `count` of n cases above a threshold at zero, in both classes.
                one = Scores.from_counts([1.0, -1.0], [count, n - count], [count, n - count])
                ends = rates_at_threshold(
                    one, threshold=0.0, method=method, confidence_level=0.9, joint=True
                ).tpr
                inside.append(ends.lower[0] <= p <= ends.upper[0])
            held.append(stats.binom.pmf(k, n, p)[np.array(inside)].sum())
        exact.append(np.array(held))
    joint = exact[0] * exact[1]
    error = np.sqrt(np.maximum(joint * (1.0 - joint), 1e-4) / reps)
    assert (np.abs(found["joint"].covered / reps - joint) <= 4.5 * error).all()


def test_full_sampling_counts_samples_without_a_class_as_failures() -> None:
    rule = Rule("rates_at_threshold", methods=("wald",), confidence_level=0.9, at=(0.5,))
    population = TwoDistributions(Normal(1.0), Normal(), share=0.85)
    reps = 3000
    (joint, *_rest) = run(rule, population, (3, 2), "full", reps, np.random.default_rng(8))
    assert (joint.n + joint.failures == reps).all()
    lost = population.share**5 + (1.0 - population.share) ** 5
    # Binomial; 4.5 standard errors, one seed in 100,000; an error of 0.07 is found with probability 0.99.
    assert abs(joint.failures[0] / reps - lost) < 4.5 * math.sqrt(lost * (1 - lost) / reps)


def test_rates_below_one_negative_are_failures() -> None:
    rule = Rule("tpr_at_fpr", methods=("agresti_coull", "bootstrap"), confidence_level=0.9, at=(0.05, 0.5))
    for t in run(rule, POPULATION, (10, 10), "stratified", 30, np.random.default_rng(0)):
        assert t.failures.tolist() == [30, 0]
        assert t.n.tolist() == [0, 30]


# --- bands ----------------------------------------------------------------------------------------------


def test_true_curve_counts_what_contains_says() -> None:
    rule = Rule("roc_band", methods=("ks_regions", "ks_regions:joint=False"), confidence_level=0.5)
    batch = samples(POPULATION, (30, 30), reps=40)
    found = evaluated(rule, batch, POPULATION)
    for joint in (True, False):
        name = "ks_regions" if joint else "ks_regions:joint=False"
        bands = [
            confroc.roc_band(batch.scores(i), method="ks_regions", confidence_level=0.5, joint=joint)
            for i in range(40)
        ]
        held = sum(band.contains(POPULATION.curve(band.at)) for band in bands)
        t = found[name, "curve"]
        assert t.covered[0] == held
        assert t.width[0] == pytest.approx(sum(band.area for band in bands))
        assert t.n[0] == 40
        assert t.below[0] + t.above[0] >= 40 - held
    assert found["ks_regions:joint=False", "curve"].covered[0] < 40


@pytest.mark.slow
def test_true_difference_counts_what_contains_says() -> None:
    rule = Rule("roc_difference_band", methods=("ks_regions", "equal_local_levels"), confidence_level=0.3)
    rule = replace(rule, n_resamples=19)
    batch = samples(PAIR, (15, 12), reps=20)
    found = evaluated(rule, batch, PAIR)
    bands = [
        confroc.roc_difference_band(batch.pair(i), method="ks_regions", confidence_level=0.3)
        for i in range(20)
    ]
    # The true difference by its formula, and end to end.
    ends = np.geomspace(1e-8, 0.5, 500)
    held = 0
    for band in bands:
        at = np.unique(np.concatenate([[0.0], ends, 1.0 - ends, band.at]))
        value = np.interp(at, *PAIR.a.curve(at)) - np.interp(at, *PAIR.b.curve(at))
        held += band.contains((at, value))
    count = found["ks_regions", "curve"]
    assert (count.covered[0], count.n[0]) == (held, 20)
    assert count.width[0] == pytest.approx(sum(band.area for band in bands))
    assert 0 < found["equal_local_levels", "curve"].covered[0] < 20


@pytest.mark.parametrize(
    ("rule", "population"),
    [
        (Rule("auc_interval", methods=("delong",)), PAIR),
        (Rule("roc_difference_band", methods=("ks_regions",)), POPULATION),
        (Rule("rates_difference_at_threshold", methods=("wald",), at=(0.5,)), POPULATION),
        (Rule("roc_band", methods=("ks_regions",)), PAIR),
    ],
)
def test_rules_refuse_populations_of_another_kind(rule: Rule, population: Any) -> None:
    with pytest.raises(TypeError, match="`population`"):
        run(rule, population, (10, 10), "stratified", 2, np.random.default_rng(0))


# --- counting -------------------------------------------------------------------------------------------


def test_ranks_and_placements_are_those_of_all_pairs() -> None:
    rng = np.random.default_rng(4)
    x, y = (np.sort(rng.integers(0, 6, (5, n)).astype(float), axis=1) for n in (7, 9))
    at_least, above = ranks(x, y)
    np.testing.assert_array_equal(at_least, (y[:, None, :] >= x[:, :, None]).sum(axis=2))
    np.testing.assert_array_equal(above, (y[:, None, :] > x[:, :, None]).sum(axis=2))
    wins = (x[:, :, None] > y[:, None, :]) + 0.5 * (x[:, :, None] == y[:, None, :])
    found = delong(Samples(x, y))
    np.testing.assert_allclose(found.auc, wins.mean(axis=(1, 2)))
    of_pos, of_neg = (wins.mean(axis=axis).var(axis=1, ddof=1) for axis in (2, 1))
    np.testing.assert_allclose(found.variance, of_pos / 7 + of_neg / 9, atol=1e-15)


def test_counts_at_thresholds_are_those_of_all_cases() -> None:
    rng = np.random.default_rng(7)
    scores = rng.integers(0, 6, (4, 9, 2)).astype(float)
    for t_a, t_b in (
        (np.array([3.0, 1.0, 3.0, np.inf]), np.array([4.0, 0.5, 5.0, 6.0])),
        (np.array([3.0, 1.0, 3.0, -1.0]), np.array([4.0, 0.5, 5.0, 0.5])),
        (np.array([2.0]), np.array([4.0])),
    ):
        reach = scores[..., 0][:, :, None] >= t_a, scores[..., 1][:, :, None] >= t_b
        np.testing.assert_array_equal(count_at(scores[..., 0], t_a), reach[0].sum(axis=1))
        only_a, only_b = discordant_at(scores, (t_a, t_b))
        np.testing.assert_array_equal(only_a, (reach[0] & ~reach[1]).sum(axis=1))
        np.testing.assert_array_equal(only_b, (reach[1] & ~reach[0]).sum(axis=1))
    with pytest.raises(ValueError, match="`thresholds`"):
        discordant_at(scores, (np.array([3.0, 1.0]), np.array([0.5, 4.0])))


def test_quantiles_of_mixtures_are_those_of_their_distributions() -> None:
    rng = np.random.default_rng(5)
    count = rng.integers(0, 5, (3, 6))
    weights = np.array([[0.2, 0.3, 0.5, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.6, 0.4, 0.0]])
    prob = rng.random((3, 2))
    found = mixture_quantiles(count, 4, weights, prob)
    for i, j in np.ndindex(3, 2):
        cdf = weights[j] @ binomial_cdfs(4)[count[i]]
        assert found[i, j] == np.searchsorted(cdf, prob[i, j]) / 4


def test_percentiles_without_resampling_have_the_law_of_percentiles() -> None:
    """Two-sample comparison of both ends with real resampling: 4.5 standard errors at each of 2 x 2 means."""
    rng = np.random.default_rng(9)
    k, n, b, level, reps = 13, 40, 100, 0.9, 4000
    ours = resampled_proportion(np.full(reps, k), n, b, level, rng)
    drawn = rng.binomial(n, k / n, size=(b, reps)) / n
    real = percentile_ends(drawn, level)
    for x, y in zip(ours, real, strict=True):
        for f in (lambda v: v, np.square):
            error = np.hypot(f(x).std(), f(y).std()) / np.sqrt(reps)
            assert abs(f(x).mean() - f(y).mean()) <= 4.5 * error
    assert (ours[0] <= ours[1]).all()


def test_tallies_add_up() -> None:
    rng = np.random.default_rng(6)
    lower = rng.normal(-0.5, 1.0, (20, 3))
    upper = lower + 1.0
    lower[4, 1] = np.nan
    truth = np.array([0.0, 0.1, 5.0])
    at = np.arange(3.0)
    whole = counted("m", "q", at, truth, lower, upper)
    (total,) = added(
        [[counted("m", "q", at, truth, lower[s], upper[s])] for s in (slice(0, 7), slice(7, 20))]
    )
    np.testing.assert_array_equal(whole.n, [20, 19, 20])
    np.testing.assert_array_equal(whole.failures, [0, 1, 0])
    np.testing.assert_array_equal(whole.covered + whole.below + whole.above, whole.n)
    np.testing.assert_array_equal(total.covered, whole.covered)
    np.testing.assert_allclose(total.width_sq, whole.width_sq)
