"""The law of the largest of correlated normal variables, and the tests adjusted by it."""

from __future__ import annotations

import itertools
import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special, stats

from confroc.comparing.contrasts import difference_vectors, distinct_models
from confroc.distributions import (
    MaxT,
    ResampledMaxT,
    cholesky_rows,
    closed_pairs,
    single_step,
    step_down,
    unit_vectors,
)

Floats = NDArray[np.float64]


def pairs_of(k: int) -> list[tuple[int, int]]:
    return list(itertools.combinations(range(k), 2))


def tail_of(law: MaxT, t: float, which: Sequence[int] | None = None) -> float:
    """P(max |Z| > t) over all variables, or over those with these indices."""
    places = law.places if which is None else law.places[:, list(which)]
    return law.tail_of(np.abs(places).max(axis=1), t, places.shape[1])


def law_of_pairs(points: Floats) -> MaxT:
    """Of all differences of independent areas, or of areas whose errors are rows of a matrix."""
    rows = np.array([points[i] - points[j] for i, j in pairs_of(len(points))])
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    return MaxT(unit_vectors(rows @ rows.T))


def integral(func: object, least: float = -9.0, most: float = 9.0) -> float:
    x, w = special.roots_legendre(200)
    middle, half = 0.5 * (most + least), 0.5 * (most - least)
    nodes = middle + half * x
    return float(np.sum(half * w * np.exp(-0.5 * nodes**2) / math.sqrt(2.0 * math.pi) * func(nodes)))  # type: ignore[operator]


@pytest.mark.parametrize("k", [2, 3, 4, 6, 10])
def test_all_pairs_of_equal_groups_are_the_studentized_range(k: int) -> None:
    law = law_of_pairs(np.eye(k))
    assert law.r == k - 1
    for t in (0.5, 2.0, 3.2):
        truth = stats.studentized_range.sf(t * math.sqrt(2.0), k, math.inf)
        assert tail_of(law, t) == pytest.approx(truth, rel=1e-10 if k == 2 else 1e-4 if k == 3 else 2.5e-3)
    critical = float(law.quantile_alone(1.0 - law.pointwise_level(0.95)))
    truth = stats.studentized_range.sf(critical * math.sqrt(2.0), k, math.inf)
    assert truth == pytest.approx(0.05, rel=1e-10 if k == 2 else 1e-4 if k == 3 else 2.5e-3)


@pytest.mark.parametrize("k", [4, 8, 12])
def test_far_tail_is_the_sum_of_single_tails(k: int) -> None:
    law = law_of_pairs(np.eye(k))
    m = k * (k - 1) / 2
    for t in (7.0, 10.0, 16.0, 25.0):
        assert tail_of(law, t) == pytest.approx(m * 2.0 * special.ndtr(-t), rel=0.1)
        assert tail_of(law, t) <= m * 2.0 * special.ndtr(-t)


@pytest.mark.parametrize("others", [2, 5, 9])
@pytest.mark.parametrize("ratio", [1.0, 3.0])
def test_all_against_one_is_dunnetts_law(others: int, ratio: float) -> None:
    # The reference has `ratio` times the variance of the others: P by one integral over its error.
    points = np.eye(others + 1)
    points[0] *= math.sqrt(ratio)
    rows = points[1:] - points[0]
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    law = MaxT(unit_vectors(rows @ rows.T))
    scale, shared = math.sqrt(1.0 + ratio), math.sqrt(ratio)
    for t in (1.0, 2.0, 3.0):
        inside = integral(
            lambda x, t=t: (
                (special.ndtr(shared * x + scale * t) - special.ndtr(shared * x - scale * t)) ** others
            )
        )
        assert tail_of(law, t) == pytest.approx(1.0 - inside, rel=1e-2)
    for t in (-2.0, -0.5, 0.0, 1.0, 2.5):
        below = integral(lambda x, t=t: special.ndtr(shared * x + scale * t) ** others)
        found = law.upper_tail(t, range(others), [1] * others)
        assert found == pytest.approx(1.0 - below, rel=1e-2, abs=1e-6)
        assert law.upper_tail(t, range(others), [-1] * others) == pytest.approx(found, abs=1e-12)


def test_dunnetts_table() -> None:
    # Dunnett (1964), two-sided, equal groups, infinite df, 5%: number of treatments and critical value.
    for others, critical in [(2, 2.21), (3, 2.35), (4, 2.44), (5, 2.51)]:
        law = MaxT(unit_vectors(0.5 * (np.eye(others) + 1.0)))
        assert float(law.quantile_alone(1.0 - law.pointwise_level(0.95))) == pytest.approx(
            critical, abs=0.006
        )


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("m", [2, 3])
def test_any_correlation_against_the_integral_over_a_box(seed: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(m, m)) + rng.normal(size=m)
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    correlation = rows @ rows.T
    law, normal = MaxT(unit_vectors(correlation)), stats.multivariate_normal(np.zeros(m), correlation)
    for t in (1.0, 2.0, 3.0):
        inside = float(normal.cdf(np.full(m, t), lower_limit=np.full(m, -t)))
        assert tail_of(law, t) == pytest.approx(1.0 - inside, rel=5e-3)
    assert law.upper_tail(2.0, [0, 1], [1, -1]) == pytest.approx(
        1.0
        - float(
            stats.multivariate_normal(
                np.zeros(2), [[1.0, -correlation[0, 1]], [-correlation[0, 1], 1.0]]
            ).cdf([2.0, 2.0])
        ),
        rel=5e-3,
    )


def test_one_variable_is_exact_to_the_last_bit() -> None:
    law = law_of_pairs(np.eye(5))
    for t in (0.0, 1.0, 10.0, 37.0):
        assert tail_of(law, t, [3]) == 2.0 * special.ndtr(-t)
    p = [0.3, 1e-20]
    alone = MaxT(np.array([[1.0], [-1.0]]))
    assert single_step(alone, p).tolist() == p
    assert alone.pointwise_level(0.9) == 0.9
    assert MaxT(np.array([[1.0]])).upper_tail(-1.0, [0], [1]) == pytest.approx(special.ndtr(1.0), rel=1e-15)


@pytest.mark.parametrize("seed", range(3))
def test_the_law_grows_with_the_set_and_falls_with_t(seed: int) -> None:
    rng = np.random.default_rng(seed)
    law = law_of_pairs(rng.normal(size=(6, 6)))
    places = rng.permutation(15)
    for t in (0.3, 2.0, 4.0, 30.0):
        tails = [tail_of(law, t, places[:n]) for n in range(1, 16)]
        assert (np.diff(tails) >= 0.0).all()
        assert tails[-1] <= 15.0 * law.alone(t)
    tails = [tail_of(law, t) for t in np.linspace(0.0, 40.0, 200)]
    assert tails[0] == 1.0
    assert (np.diff(tails) <= 0.0).all()


def closed_by_enumeration(law: MaxT, p: Floats, k: int) -> list[float]:
    """Every set of pairs, closed under what equalities imply, tested by its smallest p-value."""
    pairs = pairs_of(k)
    adjusted = [0.0] * len(pairs)
    for chosen in itertools.chain.from_iterable(
        itertools.combinations(range(len(pairs)), n) for n in range(1, len(pairs) + 1)
    ):
        block = list(range(k))
        for place in chosen:
            i, j = (block[v] for v in pairs[place])
            block = [i if b == j else b for b in block]
        implied = [place for place, (i, j) in enumerate(pairs) if block[i] == block[j]]
        least = p[implied].min()
        tail = least if len(implied) == 1 else tail_of(law, float(law.quantile_alone(least)), implied)
        for place in chosen:
            adjusted[place] = max(adjusted[place], tail)
    return adjusted


@pytest.mark.parametrize("k", [3, 4, 5])
@pytest.mark.parametrize("seed", range(4))
def test_closed_test_against_enumeration(k: int, seed: int) -> None:
    rng = np.random.default_rng(100 * k + seed)
    points = rng.normal(size=(k, k)) + rng.normal(size=k)
    law = law_of_pairs(points)
    # Real differences in some, any p-values at all in others, ties among them.
    p = np.round(rng.uniform(size=len(pairs_of(k))) ** (1 + 3 * seed), 2 if seed == 3 else 12)
    p = np.maximum(p, 1e-9)
    found = closed_pairs(law, p, k)
    if k < 5:
        assert found == pytest.approx(closed_by_enumeration(law, p, k), rel=1e-9)
    assert (found >= p).all()
    assert (found <= step_down(law, p) * (1.0 + 1e-12)).all()
    assert (step_down(law, p) <= single_step(law, p) * (1.0 + 1e-12)).all()
    assert found.min() == pytest.approx(single_step(law, p).min(), rel=1e-12)


def partitions(models: list[int]) -> Iterator[list[list[int]]]:
    """All ways to put models into blocks."""
    if not models:
        yield []
        return
    for blocks in partitions(models[1:]):
        yield [[models[0]], *blocks]
        for a, block in enumerate(blocks):
            yield [*blocks[:a], [models[0], *block], *blocks[a + 1 :]]


@pytest.mark.parametrize(("k", "seeds"), [(4, 40), (5, 12), (6, 4)])
def test_closed_test_against_all_partitions(k: int, seeds: int) -> None:
    """Whatever the order of the models: one that may be equal to all others can have a block of its own."""
    places = {pair: place for place, pair in enumerate(pairs_of(k))}
    every = [
        [places[pair] for block in blocks for pair in itertools.combinations(sorted(block), 2)]
        for blocks in partitions(list(range(k)))
    ]
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        law = law_of_pairs(rng.normal(size=(k, k)) + rng.normal(size=k))
        p = rng.uniform(size=len(places)) ** (1 + seed % 4)
        expected = np.zeros(len(places))
        for inside in filter(None, every):
            least = p[inside].min()
            tail = least if len(inside) == 1 else tail_of(law, float(law.quantile_alone(least)), inside)
            expected[inside] = np.maximum(expected[inside], tail)
        assert closed_pairs(law, p, k) == pytest.approx(expected, rel=1e-9)


def test_step_down_against_enumeration() -> None:
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(4, 4)) + 1.0
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    law = MaxT(unit_vectors(rows @ rows.T))
    p = np.array([0.01, 0.2, 0.004, 0.03])
    sets = [s for n in range(1, 5) for s in itertools.combinations(range(4), n)]
    expected = [
        max(tail_of(law, float(law.quantile_alone(p[list(s)].min())), s) for s in sets if i in s)
        for i in range(4)
    ]
    assert step_down(law, p) == pytest.approx(expected, rel=1e-9)


def test_beyond_ten_models_the_closed_test_is_the_step_down_one() -> None:
    law = law_of_pairs(np.eye(11))
    p = np.random.default_rng(0).uniform(size=55)
    assert closed_pairs(law, p, 11).tolist() == step_down(law, p).tolist()


def test_ten_models_in_the_worst_orders() -> None:
    law = law_of_pairs(np.eye(10))
    pairs = pairs_of(10)
    matching = [pairs.index((i, i + 1)) for i in range(0, 10, 2)]
    p = np.linspace(0.001, 0.9, 45)
    order = [*matching, *(place for place in range(45) if place not in matching)]
    given = np.empty(45)
    given[order] = p
    found = closed_pairs(law, given, 10)
    assert (found <= single_step(law, given)).all()


def test_resampled_values_have_the_law_they_were_drawn_from() -> None:
    rng = np.random.default_rng(2)
    points = rng.normal(size=(4, 4))
    law, pairs = law_of_pairs(points), pairs_of(4)
    values = rng.normal(size=(40_000, 4)) @ points.T
    resampled = ResampledMaxT(np.stack([3.0 + values[:, i] - values[:, j] for i, j in pairs], axis=1))
    for t in (1.0, 2.0, 2.6):
        # Standard error of a share of 40,000: at most 2.5e-3; four of it.
        assert tail_of(resampled, t) == pytest.approx(
            tail_of(law, t), abs=4.0 * math.sqrt(tail_of(law, t) / 40_000)
        )
        assert resampled.upper_tail(t, [0, 1], [1, -1]) == pytest.approx(
            law.upper_tail(t, [0, 1], [1, -1]), abs=0.01
        )
    assert resampled.pointwise_level(0.9) == pytest.approx(law.pointwise_level(0.9), abs=5e-3)
    assert tail_of(resampled, 9.0) == 6.0 * resampled.alone(9.0) or tail_of(
        resampled, 9.0
    ) == resampled.alone(9.0)


# --- the basis -----------------------------------------------------------------------------------------


def rotated(vectors: Floats, rng: np.random.Generator) -> Floats:
    """The same vectors in a basis drawn at random."""
    return vectors @ np.linalg.qr(rng.normal(size=(vectors.shape[1],) * 2))[0]


@pytest.mark.parametrize(
    ("some", "levels", "most"),
    [
        # Standard deviations of the error, relative to the p-value: 0.0009, 0.0008 and 0.0006 for all ten
        # groups; of 20 basis vectors one in a million such samples shows 1.8 times that.
        (10, (0.2, 0.05, 0.01), 0.002),
        pytest.param(6, (0.2, 0.05, 0.01), 0.008, marks=pytest.mark.slow),
        pytest.param(3, (0.2, 0.05, 0.01), 0.016, marks=pytest.mark.slow),
    ],
)
def test_error_in_any_basis(some: int, levels: tuple[float, ...], most: float) -> None:
    rng = np.random.default_rng(some)
    rows = np.array([np.eye(10)[i] - np.eye(10)[j] for i, j in pairs_of(10)]) / math.sqrt(2.0)
    vectors = unit_vectors(rows @ rows.T)
    which = [place for place, pair in enumerate(pairs_of(10)) if max(pair) < some]
    laws = [MaxT(rotated(vectors, rng)) for _ in range(20)]
    for level in levels:
        t = float(stats.studentized_range.isf(level, some, np.inf)) / math.sqrt(2.0)
        errors = np.array([tail_of(law, t, which) / level - 1.0 for law in laws])
        assert math.sqrt(float(np.mean(errors**2))) < most


def test_mean_numbers_of_variables_and_of_pairs_are_exact() -> None:
    rng = np.random.default_rng(8)
    rows = rng.normal(size=(5, 5)) + 0.7
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    correlation, t = rows @ rows.T, 3.0
    law = MaxT(unit_vectors(correlation))
    expected = 0.0
    for i, j in pairs_of(5):
        rho = correlation[i, j]
        scale = math.sqrt(1.0 - rho * rho)
        # P(|Z_i| > t and |Z_j| > t), by the law of one given the other.
        both = 2.0 * integral(
            lambda x, rho=rho, scale=scale: (
                special.ndtr((rho * x - t) / scale) + special.ndtr((-rho * x - t) / scale)
            ),
            least=t,
        )
        expected += 4.0 * special.ndtr(-t) - both
    # Not each pair is exact, but all together are.
    assert sum(tail_of(law, t, pair) for pair in pairs_of(5)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("k", [4, 10])
def test_rounding_of_equal_correlations_moves_nothing(k: int) -> None:
    rng = np.random.default_rng(k)
    rows = np.array([np.eye(k)[i] - np.eye(k)[j] for i, j in pairs_of(k)]) / math.sqrt(2.0)
    found = []
    for size in (0.0, 1e-15):
        noise = size * rng.normal(size=(len(rows),) * 2)
        law = MaxT(unit_vectors(rows @ rows.T + noise + noise.T))
        found.append([tail_of(law, t) for t in (1.0, 3.2, 6.0)])
    assert found[1] == pytest.approx(found[0], rel=1e-9)


@pytest.mark.parametrize("k", [3, 8])
def test_rounding_of_equal_variances_moves_nothing(k: int) -> None:
    rng = np.random.default_rng(k)
    apart = 2.0 * (np.ones((k, k)) - np.eye(k))
    found = []
    for size in (0.0, 1e-15):
        noise = size * rng.normal(size=(k, k))
        vectors = difference_vectors(apart * (1.0 + noise + noise.T), pairs_of(k))
        found.append([tail_of(MaxT(vectors), t) for t in (1.0, 3.2, 6.0)])
    assert found[1] == pytest.approx(found[0], rel=1e-9)
    # The order of models with equal areas and variances is that given, and of others that of their areas.
    areas = np.full(k, 0.7) + 1e-15 * rng.normal(size=k)
    variances = np.full(k, 0.01) * (1.0 + 1e-15 * rng.normal(size=k))
    assert distinct_models(np.eye(k, dtype=bool), areas, variances)[0].tolist() == list(range(k))
    areas[-1] = 0.8
    assert distinct_models(np.eye(k, dtype=bool), areas, variances)[0][0] == k - 1


def test_vectors_of_correlations_that_contradict_each_other() -> None:
    # The nearest matrix without negative eigenvalues, scaled to correlations, and a rank that it has.
    correlation = np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 0.6], [1.0, 0.6, 1.0]])
    values, vectors = np.linalg.eigh(correlation)
    nearest = (vectors * np.maximum(values, 0.0)) @ vectors.T
    nearest /= np.sqrt(np.multiply.outer(np.diag(nearest), np.diag(nearest)))
    rows, chosen = cholesky_rows(correlation)
    assert rows.shape == (3, 2)
    assert rows @ rows.T == pytest.approx(nearest, abs=1e-12)
    assert rows[chosen][0, 1] == 0.0


@pytest.mark.slow
def test_numbers_are_the_same_on_every_processor() -> None:
    # Where OpenBLAS is not the library the variables change nothing.
    program = Path(__file__).with_name("processor_numbers.py")
    started = [
        subprocess.Popen(
            [sys.executable, str(program)],
            env={**os.environ, "OPENBLAS_CORETYPE": processor, "OPENBLAS_NUM_THREADS": threads},
            stdout=subprocess.PIPE,
            text=True,
        )
        for processor, threads in (("Nehalem", "1"), ("Haswell", "2"), ("Nehalem", "2"), ("Haswell", "1"))
    ]
    first, *others = (json.loads(process.communicate(timeout=300)[0]) for process in started)
    assert len(first) >= 10
    for numbers in others:
        assert list(numbers) == list(first)
        for name, values in first.items():
            assert numbers[name] == pytest.approx(values, rel=1e-9, abs=1e-12), name


def test_directions_of_few_dimensions() -> None:
    # Variables that are multiples of each other share a direction, whatever rounding says.
    same = unit_vectors(np.ones((4, 4)))
    assert same.shape == (4, 1)
    noisy = np.array([[1.0, 1.0 + 1e-14, 0.0], [1.0 + 1e-14, 1.0, 0.0], [0.0, 0.0, 1.0]])
    assert unit_vectors(noisy).shape == (3, 2)
    assert np.einsum("ij,ij->i", same, same) == pytest.approx(1.0)
