"""The closest populations: against a generic constrained optimizer, and what defines them."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import minimize

from confroc import (
    ConfrocWarning,
    PairedScores,
    Scores,
    UnpairedScores,
    _kernels,
    auc_comparison,
    auc_interval,
)
from confroc.drift import auc_equality_test, auc_test, nearest_distribution
from confroc.drift.area_tests import _samples, _with_equal_areas
from confroc.drift.divergence import DIVERGENCES, Divergence, tilt
from confroc.drift.nearest import population_with_area
from confroc.drift.reweighting import (
    COARSE,
    AreaFunctional,
    DifferenceFunctional,
    Reweighted,
    alternate,
    functional_of,
    runs,
    solve,
)
from support import slow, wins

TABLE = Scores.from_counts(range(5), pos=[5, 10, 20, 30, 35], neg=[60, 50, 40, 30, 20])
below_half = pytest.mark.filterwarnings("ignore:.*has AUC below 0.5")
COST: dict[str, Any] = {
    "kl": lambda r: r * np.log(r) - r + 1.0,
    "jeffreys": lambda r: (r - 1) * np.log(r),
    "chi2": lambda r: (r - 1) ** 2,
}
SLOPE: dict[str, Any] = {
    "kl": np.log,
    "jeffreys": lambda r: np.log(r) + 1 - 1 / r,
    "chi2": lambda r: 2 * (r - 1),
}

NEAREST: Any = "nearest_population"


def sample(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Five to ten cases a class, tied or not."""
    rng = np.random.default_rng(seed)
    m, n = rng.integers(5, 11, 2)
    digits = int(rng.integers(0, 3))
    return np.round(rng.normal(0.8, 1, m), digits), np.round(rng.normal(0, 1, n), digits)


def build(y: np.ndarray, x: np.ndarray) -> Scores:
    return Scores(np.repeat([1, 0], [len(y), len(x)]), np.concatenate([y, x]))


def optimized(
    w: np.ndarray, name: str, *, sign: float, radius: float | None = None, area: float | None = None
) -> tuple[float, bool]:
    """Best area within a radius, or smallest distance at an area, by quadratic programming on cases."""
    m, n = w.shape
    f, g = np.full(m, 1 / m), np.full(n, 1 / n)

    def distance(z: np.ndarray) -> float:
        return float(f @ COST[name](z[:m] / f) + g @ COST[name](z[m:] / g))

    def distance_slope(z: np.ndarray) -> np.ndarray:
        return np.concatenate([SLOPE[name](z[:m] / f), SLOPE[name](z[m:] / g)])

    def value(z: np.ndarray) -> float:
        return float(z[:m] @ w @ z[m:])

    def value_slope(z: np.ndarray) -> np.ndarray:
        return np.concatenate([w @ z[m:], w.T @ z[:m]])

    first = np.repeat([1.0, 0.0], [m, n])
    constraints: list[dict[str, Any]] = [
        {"type": "eq", "fun": lambda z: z[:m].sum() - 1, "jac": lambda _: first},
        {"type": "eq", "fun": lambda z: z[m:].sum() - 1, "jac": lambda _: 1 - first},
    ]
    if radius is not None:
        constraints.append(
            {
                "type": "ineq",
                "fun": lambda z: float(radius or 0.0) - distance(z),
                "jac": lambda z: -distance_slope(z),
            }
        )
        goal, slope = (lambda z: -sign * value(z)), (lambda z: -sign * value_slope(z))
    else:
        constraints.append({"type": "eq", "fun": lambda z: value(z) - float(area or 0.0), "jac": value_slope})
        goal, slope = distance, distance_slope
    search: Any = minimize
    found = search(
        goal,
        np.concatenate([f, g]),
        jac=slope,
        method="SLSQP",
        bounds=[(1e-10, 1.0)] * (m + n),
        constraints=constraints,
        options={"ftol": 1e-12, "maxiter": 150},
    )
    assert abs(found.x[:m].sum() - 1) < 1e-9
    assert abs(found.x[m:].sum() - 1) < 1e-9
    return (-sign * float(found.fun) if radius is not None else float(found.fun)), bool(found.success)


def test_the_printed_recurrence_leaves_the_nearest_population() -> None:
    """Morin 2018, eqs. 35-40: the derivative, and that the optimum is a fixed point of no such recurrence.

    A positive's weight at the optimum is u = k·f·exp(λS), with S the weight of the negatives below it. The
    printed exponent 1 + u of f asks for another u whatever λ is.
    """
    u, f, step = 0.3, 0.2, 1e-6
    slope = ((u + step) * math.log((u + step) / f) - (u - step) * math.log((u - step) / f)) / (2 * step)
    assert slope == pytest.approx(math.log(u / f) + 1.0, abs=1e-8)
    assert abs(slope - (math.log(u / f) - u * math.log(f) - 1.0)) > 1.0

    y, x = np.array([0.6, 1.6, 2.6, 3.6, 4.6]), np.array([0.0, 1.0, 2.0, 3.0, 4.0])
    m, w = len(y), wins(y, x)
    tilted = nearest_distribution(build(y, x), auc=0.9)
    rising = tilted.pos_weight[::-1], tilted.neg_weight[::-1]
    best_u, best_v = (weight[weight > 0.0] for weight in rising)
    pull = w @ best_v

    def off_a_line(exponent: np.ndarray) -> float:
        """How far ln u less the exponent's share of ln f is from c + λS, at the best c and λ."""
        left = np.log(best_u) - exponent * math.log(1 / m)
        return float(np.abs(np.polyval(np.polyfit(pull, left, 1), pull) - left).max())

    assert off_a_line(np.ones(m)) < 1e-6
    assert off_a_line(1.0 + best_u) > 0.03


def recurrence(
    f: np.ndarray, g: np.ndarray, w: np.ndarray, step: Any, passes: int
) -> tuple[np.ndarray, np.ndarray, float]:
    """Morin 2018, eqs. 21, 22 (39, 40) as printed, and how much the last pass changed.

    `step` makes λ of the area reached and of the number of the pass.
    """
    u, v, change = f.copy(), g.copy(), math.inf
    for t in range(passes):
        pull = step(float(u @ w @ v), t)
        new = f ** (1.0 + u) * np.exp(pull * (w @ v))
        new /= new.sum()
        other = g ** (1.0 + v) * np.exp(pull * (w.T @ new))
        other /= other.sum()
        change = float(np.abs(new - u).max() + np.abs(other - v).max())
        u, v = new, other
    return u, v, change


def samples_of_recurrences() -> dict[str, tuple[Scores, np.ndarray, np.ndarray, np.ndarray]]:
    """Few cases, many, and a table of five tied rows: with shares of both classes and wins."""
    y, x = np.arange(5) + 0.6, np.arange(5.0)
    rng = np.random.default_rng(1)
    small, many = build(y, x), (0.75 + rng.standard_normal(100), rng.standard_normal(1000))
    return {
        "few": (small, np.full(5, 0.2), np.full(5, 0.2), wins(y, x)),
        "many": (build(*many), np.full(100, 0.01), np.full(1000, 0.001), wins(*many)),
        "tied": (
            TABLE,
            TABLE.pos[::-1] / TABLE.n_pos,
            TABLE.neg[::-1] / TABLE.n_neg,
            wins(np.arange(5.0), np.arange(5.0)),
        ),
    }


def test_the_printed_recurrences_settle_beside_the_nearest_population() -> None:
    """Morin 2018, section 3.4, appendix A.1: with any fixed λ they converge, and not to a minimum."""
    cases = samples_of_recurrences()
    excess: dict[str, list[float]] = {name: [] for name in cases}
    for name, (scores, f, g, w) in cases.items():
        for pull in (-2.0, 1.0, 5.0):
            u, v, change = recurrence(f, g, w, lambda _, __, pull=pull: pull, 200)
            assert change < 1e-14
            reached = float(np.sum(u * np.log(u / f)) + np.sum(v * np.log(v / g)))
            least = nearest_distribution(scores, auc=float(u @ w @ v)).distance
            excess[name].append(reached / least - 1.0)
    assert all(3e-4 < e < 4e-3 for e in excess["few"])
    assert all(5e-5 < e < 8e-4 for e in excess["many"])
    assert all(3e-3 < e < 0.02 for e in excess["tied"])
    # With unequal weights of rows they do not even stay at the sample when nothing pulls.
    _, f, g, w = cases["tied"]
    u, v, _ = recurrence(f, g, w, lambda _, __: 0.0, 200)
    assert abs(float(u @ w @ v) - TABLE.auc) > 0.01


@pytest.mark.parametrize("wanted", [0.45, 0.7, 0.8])
def test_the_printed_step_does_not_lead_to_the_area_wanted(wanted: float) -> None:
    """Morin 2018, eq. 41: λ = η(Â − A₀), η small and falling; the sample's area is 0.6.

    With the printed sign the area moves away from A₀, with the other one towards it but not there; and as λ
    falls to 0 it returns to the sample's.
    """
    y, x = np.arange(5) + 0.6, np.arange(5.0)
    f, w = np.full(5, 0.2), wins(y, x)
    for eta in (0.1, 1.0):
        u, v, _ = recurrence(f, f, w, lambda area, _, eta=eta: eta * (area - wanted), 400)
        assert (float(u @ w @ v) - 0.6) * (wanted - 0.6) < 0.0
        u, v, _ = recurrence(f, f, w, lambda area, _, eta=eta: -eta * (area - wanted), 400)
        moved = (float(u @ w @ v) - 0.6) / (wanted - 0.6)
        assert 0.0 < moved < 0.2
        u, v, _ = recurrence(f, f, w, lambda area, t, eta=eta: -eta / (1 + t) * (area - wanted), 400)
        assert float(u @ w @ v) == pytest.approx(0.6, abs=1e-3)


def test_steps_from_the_current_weights_lead_near_the_nearest_population() -> None:
    """Morin 2018, eqs. 39-41 with two changes: λ = −η(Â − A₀), and u⁽ᵗ⁾ in place of f to the power 1 + u⁽ᵗ⁾.

    Each step then adds to the last ones' and may vanish as the area is reached. It is reached in all nine
    cases, at 0.04 to 0.31% more than the least distance: the way there bends, and the steps do not.
    """
    excess = []
    for scores, f, g, w in samples_of_recurrences().values():
        for wanted in scores.auc + np.array([-0.1, 0.05, 0.1]):
            u, v = f, g
            for _ in range(600):
                pull = wanted - float(u @ w @ v)
                u, v = u * np.exp(pull * (w @ v)), v * np.exp(pull * (w.T @ u))
                u, v = u / u.sum(), v / v.sum()
            assert float(u @ w @ v) == pytest.approx(wanted, abs=1e-6)
            reached = float(np.sum(u * np.log(u / f)) + np.sum(v * np.log(v / g)))
            excess.append(reached / nearest_distribution(scores, auc=float(wanted)).distance - 1.0)
    assert min(excess) > 4e-4
    assert max(excess) < 3.2e-3


def test_only_the_quadratic_distance_reaches_zero_weights() -> None:
    """Morin 2018, sections 1 and 3.3: under kl weights stay inside (0, 1); χ² needs the constraint."""
    for area in (0.1, 0.97):
        kl, chi2 = (nearest_distribution(TABLE, auc=area, divergence=d) for d in ("kl", "chi2"))  # type: ignore[arg-type]
        for weight, count in ((kl.pos_weight, TABLE.pos), (kl.neg_weight, TABLE.neg)):
            assert ((weight > 0.0) == (count > 0)).all()
            assert weight.max() < 1.0
        assert min(chi2.pos_weight.min(), chi2.neg_weight.min()) == 0.0


def test_terms_of_the_symmetric_divergence() -> None:
    """Morin 2018, Fig. 5: of two normal densities the difference vanishes in the tails, the log ratio grows.

    It does so linearly for equal spreads, and what the products add up to is the squared distance of means.
    """
    t, d = np.linspace(-9.0, 10.0, 4001), 1.0
    f, g = (np.exp(-0.5 * (t - m) ** 2) / math.sqrt(2.0 * math.pi) for m in (0.0, d))
    log = np.log(g / f)
    assert np.diff(log, 2) == pytest.approx(np.zeros(len(t) - 2), abs=1e-9)
    assert np.abs(g - f)[[0, -1]].max() < 1e-15 < 5.0 < np.abs(log)[[0, -1]].min()
    step = t[1] - t[0]
    assert step * float(f @ Divergence("jeffreys").cost(g / f)) == pytest.approx(d**2, rel=1e-9)
    assert step * float(f @ Divergence("kl").cost(g / f)) == pytest.approx(d**2 / 2.0, rel=1e-9)


def test_of_the_divergences_of_products_only_chi2_is_no_sum() -> None:
    """Morin 2018, eq. 8: the divergence of the distribution of a positive and a negative together."""
    rng = np.random.default_rng(3)
    u, f, v, g = (rng.dirichlet(np.ones(k)) for k in (4, 4, 6, 6))
    for name in DIVERGENCES:
        cost = Divergence(name).cost
        one, other = f @ cost(u / f), g @ cost(v / g)
        both = (np.outer(f, g) * cost(np.outer(u, v) / np.outer(f, g))).sum()
        expected = (1 + one) * (1 + other) - 1 if name == "chi2" else one + other
        assert both == pytest.approx(expected, rel=1e-12)


def test_the_distance_without_division_depends_on_the_division() -> None:
    """Morin 2018, eq. 18: rows cut in two halve Σ(u − f)², and leave Σ(u − f)²/f as it is."""
    u, f = np.array([0.5, 0.3, 0.2]), np.array([0.2, 0.3, 0.5])
    fine_u, fine_f = np.repeat(u, 2) / 2, np.repeat(f, 2) / 2
    assert ((fine_u - fine_f) ** 2).sum() == pytest.approx(((u - f) ** 2).sum() / 2)
    assert ((fine_u - fine_f) ** 2 / fine_f).sum() == pytest.approx(((u - f) ** 2 / f).sum())


@pytest.mark.parametrize("name", DIVERGENCES)
@pytest.mark.parametrize("seed", slow(range(4), 0))
def test_bounds_agree_with_a_generic_optimizer(name: str, seed: int) -> None:
    y, x = sample(seed)
    scores, w = build(y, x), wins(y, x)
    for radius in (0.02, 0.2):
        for sign in (-1.0, 1.0):
            found = solve(AreaFunctional(scores.pos, scores.neg), Divergence(name), sign=sign, radius=radius)  # type: ignore[arg-type]
            assert found is not None
            assert found.distance <= radius * (1 + 1e-6)
            back = solve(
                AreaFunctional(scores.pos, scores.neg), Divergence(name), sign=sign, target=found.value
            )  # type: ignore[arg-type]
            assert back is not None
            assert back.distance == pytest.approx(radius, rel=1e-9)
            expected, converged = optimized(w, name, sign=sign, radius=radius)
            # The optimizer may stop early or in a local optimum, but it must find nothing better.
            assert sign * found.value >= sign * expected - 1e-6
            if converged:
                assert found.value == pytest.approx(expected, abs=1e-6)


# Counts in falling order of the score, the side that is sought, and the radius: weights that are driven to
# zero, several local optima, distances that suffice for almost everything.
EDGES = [
    ([0, 2], [1, 3], -1.0, 1.4),
    ([7, 9, 0], [1, 8, 9], -1.0, 1.4),
    ([49, 76, 0], [47, 33, 57], 1.0, 1.4),
    ([50, 3, 86, 77, 43], [4, 16, 54, 92, 47], -1.0, 3.0),
    ([1, 1, 2, 0], [0, 0, 1, 1], 1.0, 0.5),
    ([1, 1, 2, 1], [0, 1, 2, 0], -1.0, 1.4),
    ([69, 72, 47], [58, 86, 73], -1.0, 1.4),
    ([8, 2, 5, 8], [8, 2, 3, 7], 1.0, 1.4),
    ([0, 2, 0, 0, 1], [2, 1, 1, 2, 1], -1.0, 3.0),
]


@pytest.mark.parametrize("name", DIVERGENCES)
@pytest.mark.parametrize("edge", EDGES)
def test_bounds_at_the_edge_agree_with_a_generic_optimizer(name: Any, edge: Any) -> None:
    pos, neg, sign, radius = (np.array(part) for part in edge)
    own, rows = [c[c > 0] / c.sum() for c in (pos, neg)], [np.flatnonzero(c) for c in (pos, neg)]
    m, w = len(own[0]), wins(-rows[0].astype(float), -rows[1].astype(float))
    search: Any = minimize

    def distance(z: np.ndarray) -> float:
        parts = zip((z[:m], z[m:]), own, strict=True)
        return sum(float(f @ COST[name](np.maximum(u, 1e-300) / f)) for u, f in parts)

    def slope(z: np.ndarray) -> np.ndarray:
        parts = zip((z[:m], z[m:]), own, strict=True)
        return np.concatenate([SLOPE[name](np.maximum(u, 1e-300) / f) for u, f in parts])

    first = np.repeat([1.0, 0.0], [m, len(own[1])])
    constraints = [
        {"type": "eq", "fun": lambda z: z[:m].sum() - 1.0, "jac": lambda _: first},
        {"type": "eq", "fun": lambda z: z[m:].sum() - 1.0, "jac": lambda _: 1.0 - first},
        {"type": "ineq", "fun": lambda z: radius - distance(z), "jac": lambda z: -slope(z)},
    ]
    rng, best = np.random.default_rng(1), -math.inf
    for start in range(3):
        z = np.concatenate(own if start == 0 else [rng.dirichlet(f + 0.2) for f in own])
        found = search(
            lambda z: -sign * (z[:m] @ w @ z[m:]),
            np.maximum(z, 1e-6),
            jac=lambda z: -sign * np.concatenate([w @ z[m:], w.T @ z[:m]]),
            method="SLSQP",
            bounds=[(0.0 if name == "chi2" else 1e-10, 1.0)] * len(z),
            constraints=constraints,
            options={"ftol": 1e-12, "maxiter": 200},
        ).x
        sums = abs(found[:m].sum() - 1.0) + abs(found[m:].sum() - 1.0)
        if sums < 1e-8 and distance(found) <= radius * (1.0 + 1e-6):
            best = max(best, float(sign * (found[:m] @ w @ found[m:])))
    ours = solve(AreaFunctional(pos, neg), Divergence(name), sign=float(sign), radius=float(radius))
    assert ours is not None
    assert ours.pos.sum() == pytest.approx(1.0, abs=1e-9)
    assert ours.neg.sum() == pytest.approx(1.0, abs=1e-9)
    assert distance(np.concatenate([ours.pos, ours.neg])) <= radius * (1.0 + 1e-6)
    assert ours.value == pytest.approx(float(ours.pos @ w @ ours.neg), abs=1e-7)
    assert sign * ours.value >= best - 1e-5


def test_one_class_in_two_rows_by_hand() -> None:
    # Only the negatives can move, by d: χ² = d²/¼ + d²/¾, and the area is half of the lower row's share.
    d = math.sqrt(1.4 / (4.0 + 4.0 / 3.0))
    found = solve(
        AreaFunctional(np.array([0, 2]), np.array([1, 3])), Divergence("chi2"), sign=-1.0, radius=1.4
    )
    assert found is not None
    assert found.value == pytest.approx(0.5 * (0.75 - d), abs=1e-8)


@pytest.mark.parametrize("name", DIVERGENCES)
def test_nothing_moves_what_cannot_move(name: Any) -> None:
    for m in (1, 2, 3, 5, 6, 7, 9, 10):
        for n in (1, 2, 3, 4, 6, 7, 10, 13, 100):
            apart = Scores([1] * m + [0] * n, range(m + n, 0, -1))
            for scores in (apart, Scores.from_counts([1.0], [m], [n])):
                for sign in (-1.0, 1.0):
                    one = solve(
                        AreaFunctional(scores.pos, scores.neg), Divergence(name), sign=sign, radius=0.1
                    )
                    assert one is None


@pytest.mark.parametrize("name", DIVERGENCES)
@pytest.mark.parametrize("seed", range(6, 10))
def test_nearest_agrees_with_a_generic_optimizer(name: Any, seed: int) -> None:
    y, x = sample(seed)
    scores, w = build(y, x), wins(y, x)
    for shift in (-0.1, -0.02, 0.03):
        area = min(0.97, scores.auc + shift)
        found = nearest_distribution(scores, auc=area, divergence=name)
        assert found.auc == pytest.approx(area, abs=1e-10)
        expected, converged = optimized(w, name, sign=1.0, area=area)
        assert found.distance <= expected + 1e-6
        if converged:
            assert found.distance == pytest.approx(expected, abs=1e-6)


@below_half
@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=6).filter(
        lambda rows: all(sum(c) > 0 for c in zip(*rows, strict=True))
    ),
    st.sampled_from(DIVERGENCES),
    st.floats(0.3, 0.9),
)
def test_nearest_has_its_area_and_distance(rows: list[tuple[int, int]], name: Any, area: float) -> None:
    scores = Scores.from_counts(range(len(rows)), *zip(*rows, strict=True))
    try:
        found = nearest_distribution(scores, auc=area, divergence=name)
    except ValueError:
        return  # Out of reach of these cases; tested by itself below.
    p, q = found.pos_weight, found.neg_weight
    assert p.sum() == pytest.approx(1.0, abs=1e-9)
    assert q.sum() == pytest.approx(1.0, abs=1e-9)
    assert (p[scores.pos == 0] == 0.0).all()
    assert float(q @ (np.cumsum(p) - 0.5 * p)) == pytest.approx(area, abs=1e-8)
    if found.distance > 1e-12:
        distance = 0.0
        for weight, count in ((p, scores.pos), (q, scores.neg)):
            f = count[count > 0] / count.sum()
            ratio = np.maximum(weight[count > 0] / f, 1e-300)
            distance += float(f @ COST[name](ratio))
        assert found.distance == pytest.approx(distance, rel=1e-6, abs=1e-10)


@pytest.mark.parametrize("name", DIVERGENCES)
def test_ties_are_one_row_or_many(name: Any) -> None:
    # One row for each distinct score, against an optimizer that weighs each case and counts a tie one half.
    y, x = np.array([3.0, 3.0, 2.0, 1.0]), np.array([3.0, 2.0, 1.0, 1.0, 0.0])
    found = nearest_distribution(build(y, x), auc=0.5, divergence=name)
    expected, converged = optimized(wins(y, x), name, sign=1.0, area=0.5)
    assert converged
    assert found.distance == pytest.approx(expected, abs=1e-6)
    # With its ties counted as wins the sample is farther from 0.5.
    assert nearest_distribution(build(y + 0.5, x), auc=0.5, divergence=name).distance > found.distance + 0.05


@pytest.mark.parametrize("name", DIVERGENCES)
def test_small_shift_costs_its_square(name: Any) -> None:
    rng = np.random.default_rng(1)
    scores = build(rng.standard_normal(300) + 1, rng.standard_normal(400))
    y, x = np.repeat(scores.score, scores.pos), np.repeat(scores.score, scores.neg)
    w = wins(y, x)
    spread = w.mean(axis=1).var() + w.mean(axis=0).var()
    found = nearest_distribution(scores, auc=scores.auc + 0.001, divergence=name)
    curvature = 1.0 if name == "kl" else 2.0
    assert found.distance == pytest.approx(curvature * 0.001**2 / (2 * spread), rel=0.02)


@pytest.mark.parametrize("name", DIVERGENCES)
def test_large_samples_start_from_merged_ones(name: Any) -> None:
    rng = np.random.default_rng(2)
    n = 3 * COARSE
    scores = build(rng.standard_normal(n) + 1, rng.standard_normal(n))
    for sign in (-1.0, 1.0):
        found = solve(AreaFunctional(scores.pos, scores.neg), Divergence(name), sign=sign, radius=0.05)
        functional = AreaFunctional(scores.pos, scores.neg)
        plain = alternate(
            functional, Divergence(name), Reweighted(functional.pos, functional.neg), 0.05, None, sign
        )
        assert found is not None
        assert plain is not None
        assert found.value == pytest.approx(plain.value, abs=1e-10)


@pytest.mark.parametrize("name", DIVERGENCES)
def test_rows_that_nothing_tells_apart_are_one(name: Any) -> None:
    rng = np.random.default_rng(4)
    n = 2 * COARSE
    y, x = rng.standard_normal(n) + 1, rng.standard_normal(n).round(3)
    y[::7] = y[::7].round(3)
    scores = build(y, x)
    table = runs(scores.pos, scores.neg)
    assert [c.sum() for c in table] == [n, n]
    alone = (table[0] > 0).astype(int) - (table[1] > 0)
    assert ((np.diff(alone) != 0) | (alone[1:] == 0)).all()
    assert len(alone) < 0.8 * len(scores.score)
    for sign in (-1.0, 1.0):
        one, all_rows = (
            solve(AreaFunctional(*counts), Divergence(name), sign=sign, target=scores.auc + 0.05 * sign)
            for counts in (table, (scores.pos, scores.neg))
        )
        assert one is not None
        assert all_rows is not None
        assert one.distance == pytest.approx(all_rows.distance, rel=1e-8)
        assert one.multiplier == pytest.approx(all_rows.multiplier, rel=1e-7)


def test_tilt_sums_to_one_for_any_pull() -> None:
    rng = np.random.default_rng(3)
    share = rng.dirichlet(np.ones(30))
    for name in DIVERGENCES:
        for scale in (0.0, 1e-6, 1.0, 30.0, 2000.0):
            pull = scale * rng.standard_normal(30)
            found = tilt(Divergence(name), share, pull)  # type: ignore[arg-type]
            assert found.share.sum() == pytest.approx(1.0, abs=1e-9)
            assert (found.share >= 0.0).all()
            assert found.cost >= -1e-12


def test_perfect_separation_is_reached_at_its_price() -> None:
    scores = Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    # Dropping one of three positives costs ln(3/2); so does dropping one negative.
    price = math.log(1.5)
    found = solve(AreaFunctional(scores.pos, scores.neg), Divergence("kl"), sign=1.0, radius=price)
    assert found is not None
    assert found.value == 1.0
    assert found.distance == pytest.approx(price)
    below = solve(AreaFunctional(scores.pos, scores.neg), Divergence("kl"), sign=1.0, radius=0.9 * price)
    assert below is not None
    assert below.value < 1.0


def test_out_of_reach() -> None:
    for scores in (Scores([1, 1, 0, 0], [4, 3, 2, 1]), Scores([1, 0, 1], [1, 1, 1])):
        with pytest.raises(ValueError, match=r"`auc`.*attainable"):
            nearest_distribution(scores, auc=0.8)
    with pytest.raises(ValueError, match="`auc`"):
        nearest_distribution(scores, auc=1.0)
    with pytest.raises(ValueError, match="`divergence`"):
        nearest_distribution(scores, auc=0.5, divergence="hellinger")  # type: ignore[arg-type]
    assert nearest_distribution(scores, auc=0.5).distance == 0.0


def test_tilted_draws_its_own_population() -> None:
    rng = np.random.default_rng(4)
    scores = build(np.round(rng.standard_normal(200) + 1, 1), np.round(rng.standard_normal(200), 1))
    tilted = nearest_distribution(scores, auc=0.65)
    areas = [tilted.sample(500, 500, rng=seed).auc for seed in range(100)]
    # Standard error of one area about 0.018, of the mean 0.0018; five of them.
    assert np.mean(areas) == pytest.approx(0.65, abs=0.009)
    assert set(tilted.to_dict()) >= {"pos_weight", "auc", "distance"}


# --- tests of a null hypothesis ----------------------------------------------------------------------


def pair(seed: int, n: int, shift: tuple[float, float]) -> PairedScores:
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], n)
    common = rng.standard_normal(2 * n)
    return PairedScores(y, *(s * y + 0.7 * common + 0.7 * rng.standard_normal(2 * n) for s in shift))


def differences(p: PairedScores) -> np.ndarray:
    """What each positive and negative make of a − b: the wins of one model less those of the other."""
    (y_a, x_a), (y_b, x_b) = (
        (np.repeat(m.score[p.index[i]], p.pos), np.repeat(m.score[p.index[i]], p.neg))
        for i, m in enumerate(p.models[:2])
    )
    return np.asarray(wins(y_a, x_a) - wins(y_b, x_b))


def few(seed: int) -> PairedScores:
    """Two models on four to eight cases a class, tied or not."""
    rng = np.random.default_rng(seed)
    m, n = rng.integers(4, 9, 2)
    y, common = np.repeat([1, 0], [m, n]), rng.normal(size=m + n)
    columns = [s * y + r * common + rng.normal(size=m + n) for s, r in ((1.0, 1.0), (0.5, 0.5))]
    return PairedScores(y, *np.round(columns, int(rng.integers(0, 3))))


@below_half
@pytest.mark.parametrize("seed", range(30))
def test_reach_of_a_difference_is_that_of_pairs_of_cases(seed: int) -> None:
    p = few(seed)
    w = differences(p)
    assert DifferenceFunctional(p).extent == (w.min(), w.max())
    assert DifferenceFunctional(p, 1, 0).extent == (-w.max(), -w.min())


@below_half
@pytest.mark.filterwarnings("ignore:Values in x were outside bounds")
@pytest.mark.parametrize("name", DIVERGENCES)
@pytest.mark.parametrize("seed", slow(range(6), *range(1, 6)))
def test_extreme_differences_agree_with_a_generic_optimizer(name: Any, seed: int) -> None:
    p = few(seed)
    functional, w = DifferenceFunctional(p), differences(p)
    for radius, sign in itertools.product((0.01, 0.1, 0.5, 2.0), (-1.0, 1.0)):
        found = solve(functional, Divergence(name), sign=sign, radius=radius)
        assert found is not None
        assert found.distance <= radius * (1.0 + 1e-6)
        counts = [count[count > 0] for count in functional.counts]
        on_cases = [np.repeat(s / c, c) for s, c in zip((found.pos, found.neg), counts, strict=True)]
        assert found.value == pytest.approx(float(on_cases[0] @ w @ on_cases[1]), abs=1e-6)
        # The generic optimizer may end in a lesser optimum, or outside the radius.
        best, converged = optimized(w, name, sign=sign, radius=radius)
        assert not converged or sign * (found.value - best) > -1e-5


def test_a_difference_that_suffices_for_its_extreme_has_its_price() -> None:
    """A positive that a ranks first and b last against two of four negatives: −ln(1/3) − ln(2/4)."""
    y = [1, 1, 1, 0, 0, 0, 0]
    p = PairedScores(y, [9, 8, 7, 6, 5, 1, 2], [1, 8, 7, 6, 5, 0.5, 0.4])
    price = math.log(3.0) + math.log(2.0)
    found = solve(DifferenceFunctional(p), Divergence("kl"), sign=1.0, radius=price + 1e-9)
    assert found is not None
    assert (found.value, found.distance) == pytest.approx((1.0, price))
    below = solve(DifferenceFunctional(p), Divergence("kl"), sign=1.0, radius=0.95 * price)
    assert below is not None
    assert below.value < 0.999


@pytest.mark.parametrize("name", DIVERGENCES)
@pytest.mark.parametrize("k", [2, 3, 4])
def test_equal_areas_are_reached_at_the_least_distance(k: int, name: Any) -> None:
    """Populations of the closest equal areas: their areas, and a generic optimizer's distance."""
    rng = np.random.default_rng(k)
    y, common = np.repeat([1, 0], [12, 14]), rng.normal(size=26)
    shifts = np.linspace(0.6, 1.4, k)
    p = PairedScores(y, *(s * y + common + rng.normal(size=26) for s in shifts))
    null = _with_equal_areas(_samples(p), Divergence(name))
    ((u, v),) = null.shares
    order_pos, order_neg = (np.repeat(np.arange(len(p.pos)), count) for count in (p.pos, p.neg))
    tables = [
        wins(m.score[i][order_pos], m.score[i][order_neg]) for m, i in zip(p.models, p.index, strict=True)
    ]
    areas = [float(u @ w @ v) for w in tables]
    assert areas == pytest.approx([areas[0]] * k, abs=1e-9)
    cost, slope, m, n = COST[name], SLOPE[name], len(u), len(v)
    first = np.repeat([1.0, 0.0], [m, n])
    constraints: list[dict[str, Any]] = [
        {"type": "eq", "fun": lambda z: z[:m].sum() - 1, "jac": lambda _: first},
        {"type": "eq", "fun": lambda z: z[m:].sum() - 1, "jac": lambda _: 1 - first},
        *(
            {
                "type": "eq",
                "fun": lambda z, w=w: float(z[:m] @ w @ z[m:]),
                "jac": lambda z, w=w: np.concatenate([w @ z[m:], w.T @ z[:m]]),
            }
            for w in (tables[0] - other for other in tables[1:])
        ),
    ]
    search: Any = minimize
    found = search(
        lambda z: float(cost(z[:m] * m).sum() / m + cost(z[m:] * n).sum() / n),
        np.concatenate([np.full(m, 1 / m), np.full(n, 1 / n)]),
        jac=lambda z: np.concatenate([slope(z[:m] * m), slope(z[m:] * n)]),
        method="SLSQP",
        bounds=[(1e-10, 1.0)] * (m + n),
        constraints=constraints,
        options={"ftol": 1e-12, "maxiter": 150},
    )
    assert null.distance == pytest.approx(float(found.fun), rel=1e-5)


def test_equal_areas_of_disjoint_samples_are_one_area_at_the_least_distance() -> None:
    rng = np.random.default_rng(5)
    parts = [build(rng.normal(shift, 1, 15), rng.normal(0, 1, 20)) for shift in (0.5, 1.0, 1.6)]
    null = _with_equal_areas(_samples(UnpairedScores(*parts)), Divergence("kl"))
    areas = [
        float(u @ functional_of(s).gradient_pos(v)) for s, (u, v) in zip(parts, null.shares, strict=True)
    ]
    assert areas == pytest.approx([areas[0]] * 3, abs=1e-9)
    at = areas[0] + np.array([-1e-3, 0.0, 1e-3])
    sums = [sum(population_with_area(s, float(a), Divergence("kl")).distance for s in parts) for a in at]
    assert null.distance == pytest.approx(sums[1], rel=1e-8)
    assert sums[1] < min(sums[0], sums[2])


def three(seed: int, n: int, design: str) -> PairedScores | UnpairedScores:
    """Three models of one area, on the same cases or each on its own."""
    rng = np.random.default_rng(seed)
    y, common = np.repeat([1, 0], n), rng.normal(size=2 * n)
    if design == "unpaired":
        return UnpairedScores(*(Scores(y, y + rng.normal(size=2 * n)) for _ in range(3)))
    return PairedScores(y, *(y + 0.7 * common + 0.7 * rng.normal(size=2 * n) for _ in range(3)))


@pytest.mark.parametrize("design", ["paired", "unpaired"])
def test_statistic_of_many_is_delongs_chi_squared(design: str) -> None:
    scores = three(3, 25, design)
    found = auc_equality_test(scores, n_resamples=49, rng=1)
    expected = auc_comparison(scores, method="delong").test
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-9)
    assert found.design == design
    assert str(found).startswith("all auc equal: statistic")


def test_a_copy_of_a_model_adds_nothing_to_the_test() -> None:
    y, columns = np.repeat([1, 0], 25), np.random.default_rng(4).normal(size=(2, 50))
    columns += y
    two = auc_equality_test(PairedScores(y, *columns), n_resamples=99, rng=1)
    more = auc_equality_test(PairedScores(y, *columns, np.exp(columns[0])), n_resamples=99, rng=1)
    assert more.statistic == pytest.approx(two.statistic**2, rel=1e-9)
    assert (more.pvalue, more.distance) == pytest.approx((two.pvalue, two.distance), rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("design", ["paired", "unpaired"])
def test_equality_of_many_holds_its_level_and_agrees_with_chi_squared(design: str) -> None:
    """400 studies of 60 + 60 cases: at 5% rejections are binomial, 7 to 36 but for 1e-3."""
    found = [auc_equality_test(three(i, 60, design), n_resamples=99, rng=i) for i in range(400)]
    rejected = sum(one.pvalue <= 0.05 for one in found)
    apart = [one.pvalue - stats.chi2(2).sf(one.statistic) for one in found]
    assert 7 <= rejected <= 36
    assert abs(np.mean(apart)) < 0.03


def test_one_sided_tests_are_of_two_models() -> None:
    with pytest.raises(ValueError, match=r"`alternative`.*two-sided"):
        auc_equality_test(three(3, 25, "paired"), alternative="less")


def test_equal_areas_on_the_edge_of_what_weights_reach_are_refused() -> None:
    """Model a wins every pair that b wins, and more: only cases that both rank alike make them equal."""
    better = PairedScores([1, 1, 1, 0, 0, 0], [6, 5, 3, 4, 2, 1], [6, 2.5, 3, 4, 2, 1])
    assert DifferenceFunctional(better).extent[0] == 0.0
    for name in DIVERGENCES:
        with pytest.raises(ValueError, match=r"`scores`.*equal AUCs"):
            auc_equality_test(better, divergence=name, n_resamples=9)


@pytest.mark.slow
@below_half
@pytest.mark.parametrize("compile", [_kernels.compiled, lambda kernel: kernel])
def test_long_tables_of_pairs_pull_as_short_ones(compile: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    p = PairedScores.from_counts(*rng.integers(0, 40, (2, 3000)), *rng.integers(0, 3, (2, 3000)))
    short = DifferenceFunctional(p)
    monkeypatch.setattr(_kernels, "BIG", 1)
    monkeypatch.setattr(_kernels, "compiled", compile)
    long = DifferenceFunctional(p)
    counts = p.neg[p.neg > 0].astype(float)
    assert np.array_equal(long.above_pos(counts), short.above_pos(counts))
    assert long.gradient_pos(long.neg) == pytest.approx(short.gradient_pos(short.neg), abs=1e-14)
    assert long.gradient_neg(long.pos) == pytest.approx(short.gradient_neg(short.pos), abs=1e-14)


@pytest.mark.slow
def test_p_values_hold_their_level() -> None:
    # 80 studies of 40 + 40 under the null: rejections at 10% are binomial; outside 1 to 20 with probability
    # 2e-4. A test that rejects 30% is found out with probability 0.80, one that rejects 35% with 0.96.
    rejected = {"one": 0, "two": 0}
    for seed in range(80):
        p = pair(seed, 40, (1.0, 1.0))
        truth = 0.7603  # Φ(1/√(2·0.98))
        rejected["one"] += (
            auc_test(p.a, null_auc=truth, method=NEAREST, n_resamples=99, rng=seed).pvalue <= 0.1
        )
        rejected["two"] += auc_equality_test(p, n_resamples=99, rng=seed).pvalue <= 0.1
    for count in rejected.values():
        assert 1 <= count <= 20


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_p_value_by_all_resamples_of_the_nearest_population(alternative: Any) -> None:
    """Three cases a class: all 27 · 27 resamples, and how likely each is in the nearest population."""
    pos, neg, null = [5.0, 3.0, 2.0], [4.0, 1.0, 0.0], 0.6
    scores = Scores([1] * 3 + [0] * 3, pos + neg)
    population = population_with_area(scores, null, Divergence("kl"))

    def studentized(of_pos: np.ndarray, of_neg: np.ndarray) -> float:
        wins = 1.0 * (of_pos[:, None] > of_neg)
        variance = sum(np.var(wins.mean(axis=k), ddof=1) / 3.0 for k in (0, 1))
        gap = wins.mean() - null
        return float(gap / math.sqrt(variance)) if variance > 1e-20 else math.copysign(math.inf, gap)

    observed = studentized(np.array(pos), np.array(neg))
    extreme, every = 0.0, list(itertools.product(range(3), repeat=3))
    for i, j in itertools.product(every, every):
        t = studentized(np.array(pos)[list(i)], np.array(neg)[list(j)])
        chance = math.prod(population.pos[list(i)]) * math.prod(population.neg[list(j)])
        further = {
            "two-sided": abs(t) >= abs(observed) - 1e-9,
            "greater": t >= observed - 1e-9,
            "less": t <= observed + 1e-9,
        }
        extreme += chance * further[alternative]
    found = auc_test(scores, null_auc=null, alternative=alternative, method=NEAREST, n_resamples=4000, rng=1)
    assert found.statistic == pytest.approx(observed, rel=1e-12)
    # Four standard errors of a share of 4,000.
    assert found.pvalue == pytest.approx(extreme, abs=4.0 * math.sqrt(0.25 / 4000))


@pytest.mark.slow
def test_tests_find_large_effects_and_their_direction() -> None:
    p = pair(2, 100, (1.6, 0.4))
    assert auc_equality_test(p, rng=1, n_resamples=499).pvalue < 0.01
    assert auc_equality_test(p, rng=1, n_resamples=499, alternative="greater").pvalue < 0.01
    assert auc_equality_test(p, rng=1, n_resamples=499, alternative="less").pvalue > 0.9
    high = auc_test(p.a, null_auc=0.6, rng=1, method=NEAREST, n_resamples=499, alternative="greater")
    assert high.pvalue == 1 / 500
    assert high.statistic > 3.0
    assert "nearest_population" in str(high)
    assert auc_test(p.a, null_auc=p.a.auc, method=NEAREST, rng=1, n_resamples=99).distance == 0.0
    options = {"null_auc": 0.6, "method": NEAREST, "n_resamples": 99, "rng": 1}
    assert auc_test(p.a, **options) == auc_test(p.a, **options)


def test_score_test_inverts_the_interval() -> None:
    """Of one sample, one with perfect separation, and one of clusters; one-sided p-values add up to 1."""
    p = pair(4, 30, (1.0, 0.5))
    twice = Scores(
        np.tile([1, 1, 0, 0], 12),
        np.random.default_rng(1).normal(size=48) + np.tile([1, 1, 0, 0], 12),
        cluster=np.arange(48) // 3,
    )
    for scores in (p.a, Scores([1, 1, 0, 0, 0], [5, 4, 3, 2, 1]), twice):
        for level in (0.8, 0.95):
            lower, upper = auc_interval(scores, confidence_level=level).confidence_interval
            for end in {lower, upper} - {0.0, 1.0}:
                assert auc_test(scores, null_auc=end).pvalue == pytest.approx(1.0 - level, rel=1e-6)
        sides = [auc_test(scores, null_auc=0.7, alternative=side).pvalue for side in ("less", "greater")]
        assert sum(sides) == pytest.approx(1.0)
        assert auc_test(scores, null_auc=0.7).pvalue == pytest.approx(2.0 * min(sides))


def test_null_tests_name_their_arguments() -> None:
    p = pair(3, 20, (1.0, 0.5))
    with pytest.raises(ValueError, match="`null_auc`"):
        auc_test(p.a, null_auc=0.0)
    with pytest.raises(ValueError, match="`n_resamples` must be omitted with method 'score_delong'"):
        auc_test(p.a, n_resamples=99)
    with pytest.raises(ValueError, match="`alternative`"):
        auc_test(p.a, null_auc=0.6, alternative="equivalence")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"`auc`.*attainable"):
        auc_test(Scores([1, 1, 0, 0], [4, 3, 2, 1]), null_auc=0.8, method=NEAREST)
    with pytest.raises(TypeError, match="`scores`"):
        auc_equality_test(p.a)  # type: ignore[arg-type]
    worse = PairedScores([1, 1, 0, 0], [4, 3, 2, 1], [2, 2, 2, 2])
    with pytest.raises(ValueError, match=r"`scores`.*equal AUCs"):
        auc_equality_test(worse)


def test_equality_test_warns_of_few_cases() -> None:
    p = pair(4, 12, (1.5, 0.7))
    with pytest.warns(
        ConfrocWarning,
        match=r"is liberal in small samples\. Use auc_comparison, or for two models auc_difference",
    ):
        found = auc_equality_test(p, n_resamples=49, rng=1)
    assert "permutation" in found.notes[0]
    assert auc_equality_test(pair(4, 20, (1.5, 0.7)), n_resamples=49, rng=1).notes == ()
