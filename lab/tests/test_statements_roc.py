"""Examples and remarks of Dugas & Gadoury's (2009) paper on ROC curves that need no study."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import exact_coverage as exact
from confroc import distributions
from confroc_lab import load_experiment

FOLDER = Path(__file__).resolve().parents[1] / "experiments"


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


@pytest.mark.slow
def test_zigzags_grow_with_the_correlation() -> None:
    """Section 5.2: steps between neighbouring total positive rates from 0.2 to 0.8, by exact sums."""
    rates = np.round(np.arange(0.2, 0.801, 0.02), 2).tolist()
    for theta, method in ((1.0, "wald"), (3.0, "wald"), (3.0, "agresti_min")):
        rough = [
            np.abs(np.diff([exact.differences_at_rate(theta, rho, r, 100, method) for r in rates])).mean()
            for rho in (0.3, 0.6, 0.9)
        ]
        assert rough[0] < rough[1] < rough[2]


def test_regions_are_drawn_around_their_points() -> None:
    """Figure 1: five rectangles, each around its point, wider in both directions than nothing."""
    (ax,) = load_experiment(FOLDER / "dg_roc_fig03_spread.py").drawings[0].figure(None).axes
    points = np.transpose(ax.lines[1].get_data())
    assert len(ax.patches) == len(points) == 5
    for patch, (x, y) in zip(ax.patches, points, strict=True):
        (left, low), (width, height) = patch.get_xy(), (patch.get_width(), patch.get_height())
        assert min(width, height) > 0.0
        assert left <= x <= left + width
        assert low <= y <= low + height


def test_quadrants_hold_the_resamples_of_their_probabilities() -> None:
    """Figure 2: f2 written in quadrant B is the share of 500 resamples there, by five standard errors."""
    (ax,) = load_experiment(FOLDER / "dg_roc_fig02_dominance.py").drawings[0].figure(None).axes
    x, y = (np.round(np.asarray(side) * 100.0) for side in ax.lines[0].get_data())
    (written,) = [t.get_text() for t in ax.texts if t.get_text().startswith("B")]
    f2 = float(written.split("= ")[1])
    share = np.mean((x >= 0.0) & (y <= 0.0) & ((x != 0.0) | (y != 0.0)))
    assert abs(share - f2) < 5.0 * np.sqrt(f2 * (1.0 - f2) / len(x))
