"""The designs of the papers' figures against sums over all counts, written apart from the laboratory."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import designs
import exact_coverage as exact
from confroc import dominance_at_threshold
from confroc.auditing.rates import interval_table
from confroc.auditing.rules import quiet
from confroc.auditing.samples import Samples
from confroc_lab import load_experiment, run_study

FOLDER = Path(__file__).resolve().parents[1] / "experiments"


# --- the sums themselves ----------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [7, 60])
def test_intervals_are_the_librarys(n: int) -> None:
    """But that the library's contain the estimate, which only tiny samples' might not."""
    k = np.arange(n + 1)
    for method, interval in {
        "wald": exact.normal_interval(0.9, 0.0),
        "agresti_coull": exact.normal_interval(0.9, exact.z_of(0.9) ** 2 / 2.0),
        "wilson": exact.score_interval(0.9),
        "clopper_pearson": exact.exact_interval(0.9),
    }.items():
        for ours, theirs in zip(interval(k, n), interval_table(method, n, 0.9), strict=True):
            np.testing.assert_allclose(np.clip(ours, 0.0, 1.0), theirs, atol=1e-12, err_msg=method)


def test_percentiles_by_drawing() -> None:
    """Percentiles of 20 resamples of 9 cases contain 0.3: 20,000 draws, five standard errors."""
    rng = np.random.default_rng(3)
    k = rng.binomial(9, 0.3, size=20_000)
    drawn = np.sort(rng.binomial(9, k / 9, size=(20, len(k))) / 9, axis=0)
    # The 5 % and 95 % points of 20 are the 1st and the 19th.
    share = np.mean((drawn[0] <= 0.3) & (drawn[18] >= 0.3))
    found = exact.covered_by_percentiles(0.3, 9, 0.9, 20)
    assert abs(share - found) < 5.0 * np.sqrt(found * (1.0 - found) / len(k))


def test_a_difference_by_all_samples() -> None:
    """Four cases, each concordant or discordant either way: 3⁴ samples one by one."""
    p10, p01, n = 0.3, 0.15, 4
    interval = exact.matched_interval(0.8, 0.5)
    held = 0.0
    for sample in itertools.product((1, 0, -1), repeat=n):
        low, high = interval(sample.count(1), sample.count(-1), n)
        chance = np.prod([{1: p10, -1: p01, 0: 1.0 - p10 - p01}[case] for case in sample])
        held += float(chance) * bool(low <= p10 - p01 <= high)
    assert exact.difference_covered(p10, p01, n, interval) == pytest.approx(held, abs=1e-12)


def test_signs_by_all_resamples() -> None:
    """Five cases, two discordant one way and one the other: 5⁵ resamples one by one."""
    cases = np.array([1, 1, -1, 0, 0])
    sums = np.array([cases[list(drawn)].sum() for drawn in itertools.product(range(5), repeat=5)])
    wanted = [np.mean(sums < 0), np.mean(sums == 0), np.mean(sums > 0)]
    found = [float(side[0]) for side in exact.signs([2], [1], 5)]
    np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_discordant_shares_by_quadrature() -> None:
    """Positives that only a calls positive: the conditional normal distribution integrated."""
    a, b = exact.pair_of(1.0)
    x = np.linspace(2.0, 60.0, 200_001)
    given = stats.norm.cdf(4.5, b.pos + 0.6 * (x - a.pos), 3.75 * 0.8)
    wanted = np.trapezoid(stats.norm.pdf(x, a.pos, 3.75) * given, x)
    (_, positives) = exact.discordant(a, b, 2.0, 4.5, 0.6)
    assert positives[0] == pytest.approx(wanted, abs=1e-7)


@pytest.mark.slow
def test_dominance_is_the_librarys() -> None:
    """Share of 400 samples with f2 >= 0.9, and the undecided quadrants' mean: five standard errors."""
    a, b = exact.pair_of(1.0)
    t_a, t_b = a.threshold(0.5), b.threshold(0.5)
    (cell,) = designs.of_pairs(designs_rule(), 30, 3.75, (("x", 1.0, 2.0, 0.6),))
    drawn = Samples(*cell.population.draw(np.random.default_rng(4), 30, 30, 400))
    with quiet():
        found = [dominance_at_threshold(drawn.pair(i), threshold_a=t_a, threshold_b=t_b) for i in range(400)]
    strong = np.array([f.b_over_a[0] >= 0.9 for f in found])
    power = exact.dominance_power(1.0, 0.6, 0.5, 30, 0.9)
    assert abs(strong.mean() - power) < 5.0 * np.sqrt(power * (1.0 - power) / 400)


def designs_rule() -> Any:
    return load_experiment(FOLDER / "dg_roc_fig07_paired_threshold.py").cells[0].rule


# --- what the studies lean on -----------------------------------------------------------------------------


def test_the_papers_range_of_thresholds_is_that_of_the_rates() -> None:
    """Dugas & Gadoury 2009, section 5.1: [-7.8430, 8.5299] for θ = 0.75 and [-11.1618, 12.7016] for θ = 5."""
    for theta, printed in ((0.75, (-7.8430, 8.5299)), (5.0, (-11.1618, 12.7016))):
        model = exact.by_distance(theta)
        ends = [model.threshold(rate) for rate in (designs.RATES[-1], designs.RATES[0])]
        assert np.round(ends, 4).tolist() == list(printed)


@pytest.mark.parametrize(
    ("theta", "threshold", "rates", "none"),
    [(5.0, 5.9513, (1.3090e-4, 0.3999), 0.2701), (0.75, 2.8681, (0.1139, 0.2861), 0.0)],
)
def test_the_papers_example(theta: float, threshold: float, rates: tuple[float, float], none: float) -> None:
    """Section 5.1, total positive rate 0.2: threshold, rates, and the chance of no false positive."""
    model = exact.by_distance(theta)
    t = model.threshold(0.2)
    assert round(t, 4) == threshold
    fpr, tpr = model.rates(t)
    assert (float(f"{fpr:.4g}"), round(tpr, 4)) == rates
    assert round((1.0 - fpr) ** 10_000, 4) == none


@pytest.mark.parametrize(
    ("theta", "n", "rate", "exactly"),
    [
        (5.0, 10_000, 0.2, 0.692),
        (1.5, 10_000, 0.01, 0.786),
        (3.0, 10_000, 0.01, 0.023),
        (5.0, 10_000, 0.99, 0.074),
        (3.0, 250, 0.99, 0.115),
        (3.0, 2500, 0.99, 0.719),
        (3.0, 10_000, 0.99, 0.870),
    ],
)
def test_wald_by_sums(theta: float, n: int, rate: float, exactly: float) -> None:
    """The coverages that the studies of figures 3 and 4 lean on."""
    assert round(exact.at_rate(exact.by_distance(theta), rate, n, "wald"), 3) == exactly


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dg_roc_fig03_spread", "dg_roc_fig04_size", "dg_roc_fig11_sampling"])
def test_studies_are_the_sums(name: str) -> None:
    """All three methods at the ends and in the middle, 200 samples.

    Within five standard errors of the sums, of which one of 40 comparisons goes beyond in 40,000 seeds; an
    error of 0.15 in a coverage of 0.9 would be found with a probability above 0.98.
    """
    experiment = load_experiment(FOLDER / f"{name}.py")
    study: Any = experiment.study("x", quick=True)
    cells = study.cells[1:4] if "fig03" in name else study.cells[:3]
    result = run_study(type(study)(name="x", cells=cells, replications=200, seed=5))
    for cell in cells:
        model = exact.by_distance(cell.population.pos.mean)
        for method, rate in itertools.product(set(cell.rule.methods) & set(exact.METHODS), (0.01, 0.5, 0.99)):
            p = exact.at_rate(model, rate, cell.size[0], method)
            found = result.cell(cell.name).find(method, "joint")
            ours = found.share[np.argmin(np.abs(found.at - rate))]
            assert abs(ours - p) <= 5.0 * np.sqrt(max(p * (1.0 - p), 2e-3) / 200), (cell.name, method, rate)


@pytest.mark.slow
def test_the_paired_study_is_the_sums() -> None:
    """Wald and Agresti-Min at three rates, 500 samples, five standard errors as above."""
    experiment = load_experiment(FOLDER / "dg_roc_fig07_paired_threshold.py")
    study: Any = experiment.study("x", quick=True)
    cells = study.cells[2:4]
    result = run_study(type(study)(name="x", cells=cells, replications=500, seed=6))
    for cell in cells:
        theta = cell.population.mean_pos[0]
        for method, rate in itertools.product(("wald", "agresti_min"), (0.05, 0.5, 0.96)):
            p = exact.differences_at_rate(theta, cell.population.correlation, rate, 100, method)
            found = result.cell(cell.name).find(method, "joint")
            ours = found.share[np.argmin(np.abs(found.at - rate))]
            assert abs(ours - p) <= 5.0 * np.sqrt(max(p * (1.0 - p), 2e-3) / 500), (cell.name, method, rate)


def test_full_sampling_by_sums() -> None:
    """Section 5.5: classes drawn together and apart differ little, at n = 25 most."""
    model = exact.by_distance(3.0)
    apart, together = (
        [f(model, rate, 25, "agresti_coull") for rate in (0.01, 0.1, 0.9, 0.99)]
        for f in (exact.at_rate, exact.at_rate_full)
    )
    np.testing.assert_allclose(apart, together, atol=0.02)
    assert round(exact.at_rate(model, 0.5, 25, "wald"), 3) == 0.742
    assert round(exact.at_rate_full(model, 0.5, 25, "wald"), 3) == 0.818


@pytest.mark.parametrize(
    ("theta", "correlation", "power"),
    [(1.0, 0.3, 0.309), (3.0, 0.3, 0.199), (1.0, 0.9, 0.853), (3.0, 0.9, 0.667)],
)
def test_the_power_of_dominance(theta: float, correlation: float, power: float) -> None:
    """What the study of dominance is held against."""
    assert round(exact.dominance_power(theta, correlation, 0.5, 100, 0.95), 3) == power
