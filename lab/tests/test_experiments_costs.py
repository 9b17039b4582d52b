"""The studies of cost curves against sums over all counts, written apart from the laboratory."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats

import designs
import exact_costs
from confroc.auditing.rules import Drawn
from confroc.cost import binormal_threshold, cost_curve, trivial_cost
from confroc_lab import Cell, NormalPair, Rule, Study, run_study
from confroc_lab.costs import best_places, cost_differences, costs
from confroc_lab.coverage import StudyResult, without_points
from confroc_lab.samples import draw
from dg_cost_fig2_spread import CLASSES_OF_FIGURE_1, THRESHOLDS_OF_FIGURE_1

PLACES = (0.01, 0.05, 0.2, 0.5, 0.95)
DRAWS = 20_000


def studied(cells: tuple[Cell, ...], reps: int = 400) -> StudyResult:
    return run_study(Study(name="against sums", cells=cells, replications=reps, seed=7))


def share(result: StudyResult, cell: str, method: str, quantity: str, at: float) -> tuple[float, float]:
    """Coverage by intervals with a width, and its binomial error."""
    found = without_points(result.cell(cell).find(method, quantity))
    i = int(np.argmin(np.abs(found.at - at)))
    return float(found.share[i]), float(found.error[i])


def assert_near(
    result: StudyResult, cell: str, quantity: str, at: float, want: float, method: str = "wald"
) -> None:
    ours, error = share(result, cell, method, quantity, at)
    # Some 60 comparisons at 4.5 standard errors: false alarm 4e-4. Draws of counts add 0.0035 each.
    assert abs(ours - want) < 4.5 * np.hypot(error, 0.0035), (cell, at, ours, want)


@pytest.mark.parametrize("n", [25, 1000])
def test_stratified_costs(n: int) -> None:
    rule = Rule("cost_curve", ("wald",), at=PLACES, confidence_level=0.9)
    result = studied(designs.by_spread(rule, n, 3.0))
    for theta in designs.SPREADS:
        for w in PLACES:
            assert_near(result, f"theta={theta}", "cost", w, exact_costs.stratified(theta, n, w))


def test_costs_of_varying_classes() -> None:
    rng = np.random.default_rng(1)
    rule = Rule("cost_curve", ("wald",), at=PLACES, confidence_level=0.9)
    result = studied(designs.by_spread(rule, 1000, 3.0, sampling="full"))
    for theta in designs.SPREADS:
        for w in PLACES:
            assert_near(result, f"theta={theta}", "cost", w, exact_costs.full(theta, 1000, w, DRAWS, rng))


@pytest.mark.slow
@pytest.mark.parametrize("sampling", ["stratified", "full"])
def test_differences(sampling: str) -> None:
    rng = np.random.default_rng(2)
    rule = Rule("cost_difference", ("wald",), at=PLACES, confidence_level=0.9)
    pairs = [("a", 1.0, 2.0, 0.6), ("b", 3.0, 4.0, 0.3)]
    result = studied(designs.of_pairs(rule, 1000, 3.0, pairs, sampling=sampling))  # type: ignore[arg-type]
    for name, theta, shift, rho in pairs:
        for w in PLACES:
            want = exact_costs.difference(
                theta, shift, rho, 1000, w, DRAWS, rng, all_sizes=sampling == "full"
            )
            assert_near(result, name, "cost_a - cost_b", w, want)


@pytest.mark.slow
def test_thresholds_from_a_validation_sample() -> None:
    """Coverage is its mean over the law of the thresholds, as section 6 says."""
    rng = np.random.default_rng(3)
    rule = Rule("cost_curve", ("wald:thresholds=validation",), at=(0.02, 0.2), confidence_level=0.9)
    n, theta = 25, 3.0
    result = studied(
        (Cell(name="n=25", population=designs.binormal(theta, -theta, 3.0, 3.0), size=(n, n), rule=rule),),
        2000,
    )
    for w in rule.at:
        chosen = exact_costs.validated(theta, n, w, 2000, rng)
        found = [exact_costs.stratified_at(theta, n, w, t) for t in chosen]
        ours, error = share(result, "n=25", rule.methods[0], "cost", w)
        spread = np.std(found) / np.sqrt(len(found))
        # Two comparisons at 4.5 standard errors.
        assert abs(ours - np.mean(found)) < 4.5 * np.hypot(error, spread)


def test_thresholds_from_a_validation_sample_are_centred_in_the_middle_only() -> None:
    """Section 6 has them centred around the best one; near w = 0 they lie among the observed scores."""
    rng = np.random.default_rng(9)
    for theta, n, w, least, most in (
        (3.0, 1000, 0.2, 0.4, 0.6),
        (1.5, 1000, 0.2, 0.4, 0.6),
        (3.0, 250, 0.01, 0.0, 0.25),
        (3.0, 25, 0.02, 0.0, 0.15),
        (1.5, 1000, 0.02, 0.0, 0.15),
    ):
        above = exact_costs.validated(theta, n, w, 400, rng) > exact_costs.best_threshold(theta, w)
        assert least < np.mean(above) < most, (theta, n, w)


def test_intervals_without_width_are_as_frequent_as_samples_without_an_error() -> None:
    """Section 6: outside of the observed scores the variance of eq. 5 is zero."""
    at = (0.01, 0.1, 0.2)
    rule = Rule("cost_curve", ("wald", "wald:samples=outside"), at=at, confidence_level=0.9)
    result = studied(designs.by_spread(rule, 1000, 3.0)[:2])
    for theta in designs.SPREADS[:2]:
        cell = f"theta={theta}"
        for w in at:
            want = exact_costs.unseen(theta, 1000, w)
            points = result.value(cell, "wald", "cost", w, "points")
            assert abs(points - want) <= 4.5 * np.sqrt(max(points * (1.0 - points), 1.0 / 400) / 400)
            assert result.value(cell, "wald:samples=outside", "cost", w, wide=True) in (
                0.0,
                pytest.approx(np.nan, nan_ok=True),
            )


# --- what the paper says of the figures, by the sums ----------------------------------------------------


def distance(values: list[float]) -> float:
    return float(np.mean(np.abs(np.array(values) - 0.9)))


FEW = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
"""The rest follows by symmetry."""


def test_order_in_overlap_and_in_size() -> None:
    """Figures 2 and 3: nearer to the level with less overlap, and with more cases."""
    by_overlap = [distance([exact_costs.stratified(t, 1000, w) for w in FEW]) for t in designs.SPREADS]
    assert by_overlap == sorted(by_overlap, reverse=True)
    by_size = [distance([exact_costs.stratified(3.0, n, w) for w in FEW[2:]]) for n in (25, 250, 2500)]
    assert by_size == sorted(by_size, reverse=True)
    # Breaks at the ends of all four panels; the middle is on target.
    assert all(exact_costs.stratified(t, 1000, 0.01) < 0.8 for t in designs.SPREADS)
    assert all(abs(exact_costs.stratified(t, 1000, 0.5) - 0.9) < 0.02 for t in designs.SPREADS)


def test_full_sampling_turns_the_order_round() -> None:
    """Figure 5: with much overlap better than stratified; worst with θ = 3."""
    rng = np.random.default_rng(4)
    worst = [min(exact_costs.full(t, 1000, w, DRAWS, rng) for w in FEW) for t in designs.SPREADS]
    assert worst[0] > worst[2] + 0.1
    assert worst[1] > worst[2] + 0.1
    assert worst[3] > worst[2] + 0.02
    assert worst[0] > 0.85 > 0.1 > min(exact_costs.stratified(0.75, 1000, w) for w in FEW)


def test_effect_of_the_shift() -> None:
    """Figure 4: a larger shift is better with θ = 1; with θ = 3 it is worse, but less so."""
    rng = np.random.default_rng(5)
    mean = {
        (theta, shift): distance(
            [
                exact_costs.difference(theta, shift, 0.6, 1000, w, DRAWS, rng)
                for w in (0.01, 0.02, 0.05, 0.1, 0.2)
            ]
        )
        for theta in (1.0, 3.0)
        for shift in (0.0, 2.0, 4.0)
    }
    assert mean[1.0, 0.0] > mean[1.0, 2.0] + 0.05
    assert mean[1.0, 2.0] > mean[1.0, 4.0]
    change = [mean[3.0, shift] - mean[3.0, 0.0] for shift in (2.0, 4.0)]
    assert min(change) > 0.01
    assert max(change) < 0.5 * (mean[1.0, 0.0] - mean[1.0, 2.0])


def test_figure_1() -> None:
    """At w = 0.33 the highest of three thresholds is best for the weak model, the middle for the strong."""
    w, cheapest = 0.33, []
    for pos, neg in CLASSES_OF_FIGURE_1:
        costs = [
            w * stats.norm.cdf(t, *pos) + (1 - w) * stats.norm.sf(t, *neg) for t in THRESHOLDS_OF_FIGURE_1
        ]
        cheapest.append(int(np.argmin(costs)))
        # Each dot of the ROC curve is a line, and the best of all thresholds is cheaper still.
        best = binormal_threshold(w, mean_pos=pos[0], sd_pos=pos[1], mean_neg=neg[0], sd_neg=neg[1])[0]
        assert w * stats.norm.cdf(best, *pos) + (1 - w) * stats.norm.sf(best, *neg) <= min(costs)
        ends = np.array([1e-9, 1 - 1e-9])
        least = binormal_threshold(ends, mean_pos=pos[0], sd_pos=pos[1], mean_neg=neg[0], sd_neg=neg[1])
        lowest = ends * stats.norm.cdf(least, *pos) + (1 - ends) * stats.norm.sf(least, *neg)
        # The expected cost drops to zero at both ends.
        assert (lowest <= trivial_cost(ends)).all()
        assert (lowest < 1e-8).all()
    assert cheapest == [2, 1]


def test_chosen_thresholds_cost_more_than_the_best() -> None:
    """Section 6: by definition."""
    rng = np.random.default_rng(6)
    for w in (0.05, 0.3):
        t = exact_costs.validated(1.5, 100, w, 300, rng)
        fnr, fpr = exact_costs.error_rates(1.5, np.append(t, exact_costs.best_threshold(1.5, w)))
        cost = w * fnr + (1 - w) * fpr
        assert (cost[:-1] >= cost[-1] - 1e-15).all()
        assert cost[:-1].mean() > cost[-1]


# --- how the laboratory judges ---------------------------------------------------------------------------

AT = (0.02, 0.1, 0.5, 0.97)


def drawn_of(population: object, n: int, reps: int) -> Drawn:
    rng = np.random.default_rng(4)
    return Drawn(draw(population, (n, n), "stratified", rng, reps)[0][0], population, "stratified", rng)  # type: ignore[arg-type]


@pytest.mark.parametrize("kept", ["any", "observed", "both_classes"])
def test_thresholds_inside_the_scores_are_those_of_the_public_function(kept: str) -> None:
    population = designs.binormal(0.75, -0.75, 3.0, 3.0)
    drawn = drawn_of(population, 40, 6)
    best = best_places(population, AT)[0]
    name = "wald" if kept == "any" else f"wald:thresholds={kept}"
    (found,) = costs(Rule("cost_curve", (name,), at=AT, confidence_level=0.9), drawn)
    held = np.zeros(len(AT))
    for i in range(6):
        with warnings.catch_warnings(action="ignore"):
            curve = cost_curve(
                drawn.samples.scores(i),
                w=AT,
                threshold=best,
                threshold_range=kept,
                method="wald",
                confidence_level=0.9,  # type: ignore[arg-type]
            )
        fpr, tpr = population.rates(curve.threshold)
        truth = np.array(AT) * (1 - tpr) + (1 - np.array(AT)) * fpr
        held += (curve.lower <= truth) & (truth <= curve.upper)
    assert found.covered.tolist() == held.tolist()


def test_resamples_are_those_of_the_public_function() -> None:
    drawn = drawn_of(designs.binormal(1.5, -1.5, 3.0, 3.0), 40, 3)
    best = best_places(drawn.population, AT)[0]
    state = drawn.rng.bit_generator.state
    rule = Rule("cost_curve", ("exact_bootstrap", "bootstrap"), at=AT, confidence_level=0.8, n_resamples=200)
    found = {c.method: c for c in costs(rule, drawn)}
    drawn.rng.bit_generator.state = state
    width = {"exact_bootstrap": np.zeros(len(AT)), "bootstrap": np.zeros(len(AT))}
    for method, total in width.items():
        for i in range(3):
            more = {"n_resamples": 200, "rng": drawn.rng} if method == "bootstrap" else {}
            with warnings.catch_warnings(action="ignore"):
                curve = cost_curve(
                    drawn.samples.scores(i), w=AT, threshold=best, method=method, confidence_level=0.8, **more
                )
            total += curve.upper - curve.lower
    for method, total in width.items():
        # The public function's intervals are widened to hold their estimate.
        np.testing.assert_allclose(found[method].width, total, atol=0.02)


def test_samples_are_parted_by_their_scores() -> None:
    population = designs.binormal(0.75, -0.75, 3.0, 3.0)
    names = ("wald", *(f"wald:samples={kept}" for kept in ("inside", "outside", "both_classes", "one_class")))
    every, inside, outside, both, one = costs(
        Rule("cost_curve", names, at=(0.2, 0.5)), drawn_of(population, 40, 50)
    )
    assert (inside.n + outside.n == every.n).all()
    assert (both.n + one.n == every.n).all()
    assert (inside.covered + outside.covered == every.covered).all()
    assert (both.n <= inside.n).all()
    assert 0 < inside.n[0] < 50
    assert (outside.points == outside.n).all()
    pair = NormalPair((1.0, 3.0), (-1.0, -1.0), 3.0, 3.0, 0.6)
    with pytest.raises(ValueError, match="`samples` must be"):
        cost_differences(Rule("cost_difference", ("wald:samples=inside",), at=AT), drawn_of(pair, 40, 3))


def test_classes_without_a_common_range_give_no_interval() -> None:
    far = designs.binormal(50.0, -50.0, 3.0, 3.0)
    (found,) = costs(Rule("cost_curve", ("wald:thresholds=both_classes",), at=(0.3,)), drawn_of(far, 10, 4))
    assert found.failures.tolist() == [4]
