"""The designs of the papers' figures against sums over all counts, written apart from the laboratory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

import designs
from confroc.lab import load_experiment, run_study

FOLDER = Path(__file__).resolve().parents[1] / "experiments"
Z = stats.norm.isf((1.0 - np.sqrt(0.9)) / 2.0)


def threshold(theta: float, rate: float) -> float:
    """Where half of each class together have this share above: positives N(θ, 3.75), negatives N(-θ, 3)."""

    def excess(t: float) -> float:
        shares = stats.norm.sf((t - theta) / 3.75), stats.norm.sf((t + theta) / 3.0)
        return float(np.mean(shares) - rate)

    return float(optimize.brentq(excess, -60.0, 60.0, xtol=1e-12))


def held(p: float, n: int, added: float) -> float:
    """Coverage of a rate by Wald's interval with `added` pseudo-successes and as many failures."""
    k = np.arange(n + 1)
    q = (k + added) / (n + 2.0 * added)
    half = Z * np.sqrt(q * (1.0 - q) / (n + 2.0 * added))
    return float(stats.binom.pmf(k, n, p)[np.abs(q - p) <= half].sum())


def coverage(theta: float, n: int, rate: float, added: float) -> float:
    t = threshold(theta, rate)
    return held(stats.norm.sf((t - theta) / 3.75), n, added) * held(
        stats.norm.sf((t + theta) / 3.0), n, added
    )


def test_the_papers_range_of_thresholds_is_that_of_the_rates() -> None:
    """Dugas & Gadoury 2009, section 5.1: [-7.8430, 8.5299] for θ = 0.75 and [-11.1618, 12.7016] for θ = 5."""
    for theta, printed in ((0.75, (-7.8430, 8.5299)), (5.0, (-11.1618, 12.7016))):
        ends = [threshold(theta, rate) for rate in (designs.RATES[-1], designs.RATES[0])]
        assert np.round(ends, 4).tolist() == list(printed)


@pytest.mark.parametrize(
    ("theta", "n", "rate", "exact"),
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
def test_wald_by_sums(theta: float, n: int, rate: float, exact: float) -> None:
    """The coverages that the studies of figures 3 and 4 lean on."""
    assert round(coverage(theta, n, rate, 0.0), 3) == exact


@pytest.mark.parametrize("name", ["dg_roc_fig03_spread", "dg_roc_fig04_size"])
def test_studies_are_the_sums(name: str) -> None:
    """Wald and Agresti-Coull at the ends and in the middle, 200 samples.

    Within five standard errors of the sums, of which one of 24 comparisons goes beyond in 70,000 seeds; an
    error of 0.15 in a coverage of 0.9 would be found with a probability above 0.98.
    """
    experiment = load_experiment(FOLDER / f"{name}.py")
    study: Any = experiment.study("x", quick=True)
    cells = study.cells[1:] if "fig03" in name else study.cells[:3]
    result = run_study(type(study)(name="x", cells=cells, replications=200, seed=5))
    for cell in cells:
        theta = cell.population.pos.mean
        for method, added in (("wald", 0.0), ("agresti_coull", 0.5 * Z * Z)):
            found = result.cell(cell.name).find(method, "joint")
            for rate in (0.01, 0.5, 0.99):
                p = coverage(theta, cell.size[0], rate, added)
                ours = found.share[np.argmin(np.abs(found.at - rate))]
                assert abs(ours - p) <= 5.0 * np.sqrt(max(p * (1.0 - p), 2e-3) / 200), (cell.name, rate)
