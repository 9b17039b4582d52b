"""Comparisons of many models judged together, against `auc_comparison` on each sample, and by hand.

Bounds of random numbers are five standard errors wide: a correct test fails for one seed in a million.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import special, stats

from confroc.auditing.samples import Samples
from confroc.distributions import MaxT
from confroc_lab import Cell, NormalModels, Rule, Study, binormal, load_experiment, run_study
from confroc_lab.comparisons import (
    Compared,
    batched,
    critical_above,
    critical_of,
    differences_of,
    estimated,
    evaluated,
    one_by_one,
    pairs,
)

EXPERIMENTS = Path(__file__).resolve().parents[1] / "experiments"


def drawn(population: NormalModels, size: tuple[int, int], reps: int) -> Samples:
    return Samples(*population.draw(np.random.default_rng(3), *size, reps))


# --- what is drawn -------------------------------------------------------------------------------------


def test_models_have_their_areas_and_correlation() -> None:
    pos, neg = NormalModels((0.7, 0.8, 0.95), 0.6).draw(np.random.default_rng(0), 40, 50, 2000)
    assert pos.shape == (2000, 40, 3)
    for i, area in enumerate((0.7, 0.8, 0.95)):
        won = np.mean(pos[:, 0, i] > neg[:, 0, i])
        assert won == pytest.approx(area, abs=5.0 * math.sqrt(area * (1.0 - area) / 2000))
    for scores in (pos, neg):
        found = np.asarray(np.corrcoef(scores.reshape(-1, 3).T))
        assert found[np.triu_indices(3, 1)] == pytest.approx(0.6, abs=0.02)


def test_groups_have_cases_of_their_own() -> None:
    samples = drawn(NormalModels((0.8, 0.9), groups=True), (6, 7), 2)
    found = samples.groups(1)
    assert found.names == ("a", "b")
    assert [(s.n_pos, s.n_neg) for s in found.samples] == [(6, 7), (6, 7)]
    assert found["b"].auc == pytest.approx(samples.pair(1)["b"].auc)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (((0.8,),), "areas"),
        (((0.8, 1.0),), "areas"),
        (((0.8, 0.8), 1.0), "correlation"),
        (((0.8, 0.8), 0.3, True), "correlation"),
    ],
)
def test_impossible_models_are_refused(arguments: tuple[object, ...], name: str) -> None:
    with pytest.raises(ValueError, match=f"`{name}`"):
        NormalModels(*arguments)  # type: ignore[arg-type]


def test_a_comparison_needs_several_models() -> None:
    cell = Cell(name="x", population=binormal(1.0), size=(9, 9), rule=Rule("auc_comparison", ("delong",)))
    with pytest.raises(ValueError, match="NormalModels"):
        run_study(Study(name="x", cells=(cell,), replications=1))


# --- together, and one by one --------------------------------------------------------------------------

MODELS = NormalModels((0.8,) * 4, 0.6)
PERFECT = NormalModels((0.98,) * 3, 0.9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("population", "size", "method", "reps"),
    [
        (NormalModels((0.8, 0.8), 0.6), (20, 30), "score_delong", 10),
        (MODELS, (20, 30), "score_delong", 6),
        (MODELS, (20, 30), "score_delong:adjust=none", 4),
        (MODELS, (20, 30), "delong", 6),
        (NormalModels((0.85,) * 3, groups=True), (25, 20), "score_delong", 8),
        (PERFECT, (14, 14), "score_delong", 15),
        (NormalModels((0.8,) * 6, 0.6), (40, 30), "score_delong", 3),
        (NormalModels((0.8,) * 10, 0.6), (40, 30), "score_delong", 2),
    ],
    ids=lambda value: str(value)[:40],
)
@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
def test_together_as_one_by_one(
    population: NormalModels, size: tuple[int, int], method: str, reps: int
) -> None:
    """Critical values agree within what directions are worth; at one level, and for tests, to rounding."""
    samples = drawn(population, size, reps)
    found = estimated(samples, groups=population.groups)
    some = found.usable
    assert some.mean() > 0.5
    samples, found = samples.take(some), found.take(some)
    name, options = (method.split(":")[0], {"adjust": "none"} if ":" in method else {})
    rows = range(samples.reps)
    one = one_by_one(name, options, samples, 0.95, rows, groups=population.groups)
    many = batched(method, samples, found, 0.95, groups=population.groups)
    exact = bool(options) or len(population.areas) == 2
    for end in ("low", "high", "lower", "upper"):
        ours, theirs = np.clip(getattr(many, end), -1.0, 1.0), getattr(one, end)
        assert ours == pytest.approx(theirs, abs=1e-9 if exact and end in ("lower", "upper") else 4e-3)
    # The closed test may find more than the intervals exclude, but only where they exclude some.
    clear = np.minimum(np.abs(one.lower), np.abs(one.upper)).min(axis=1) > 4e-3
    assert clear.mean() > 0.5
    assert (many.found.any(axis=1) == one.found.any(axis=1))[clear].all()
    # Of two models that count 0 and 1 stand for the p-value of their difference.
    more = (many.joint > 0.0) & (many.joint < 1.0)
    assert more.any() == (len(population.areas) > 2)
    assert many.joint[more] == pytest.approx(one.joint[more], rel=1e-6)
    assert ((many.joint <= 0.05) == (one.joint <= 0.05)).all()
    assert (many.best[:, 0] == one.best[:, 0]).mean() > 0.9


def test_perfect_models_are_met() -> None:
    """The cell above has some, so that it tries what has no variance."""
    found = estimated(drawn(PERFECT, (14, 14), 25), groups=False)
    assert (found.areas.variance == 0.0).any()
    assert (found.of_differences[found.usable] == 0.0).any()


# --- the law of the largest ----------------------------------------------------------------------------


@pytest.mark.parametrize("k", [2, 3, 6, 10])
def test_critical_values_of_equal_groups_are_tukeys(k: int) -> None:
    """The largest difference of k independent equal areas is a studentized range over the root of two."""
    z = critical_of(np.eye(k)[None], differences_of(k), 0.05)
    assert z[0] == pytest.approx(stats.studentized_range.ppf(0.95, k, np.inf) / math.sqrt(2.0), rel=3e-3)


def test_critical_values_of_independent_statistics() -> None:
    z = critical_of(np.eye(4)[None], np.eye(4), 0.05)
    assert z[0] == pytest.approx(-special.ndtri(0.5 * (1.0 - 0.95**0.25)), rel=3e-3)
    above = critical_above(np.eye(4)[None], np.eye(4), 0.05)
    assert above[0] == pytest.approx(-special.ndtri(1.0 - 0.95**0.25), rel=3e-3)


def test_critical_values_are_those_of_the_law() -> None:
    """Models of different variances and correlations, against the law that `auc_comparison` uses."""
    rng = np.random.default_rng(5)
    root = rng.standard_normal((5, 9))
    covariance, contrasts = root @ root.T, differences_of(5)
    vectors = contrasts @ root
    law = MaxT(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    largest, t = np.abs(law.places).max(axis=1), float(critical_of(covariance[None], contrasts, 0.05)[0])
    assert law.tail_of(largest, t, law.m) == pytest.approx(0.05, rel=0.03)
    others = np.eye(5)[1:] - np.eye(5)[0]
    z = float(critical_above(covariance[None], others, 0.05)[0])
    which = [n for n, pair in enumerate(zip(*pairs(5), strict=True)) if 0 in pair]
    assert law.upper_tail(z, which, [-1] * 4) == pytest.approx(0.05, rel=0.03)


# --- what is counted -----------------------------------------------------------------------------------


def test_what_is_wrong_is_counted() -> None:
    """Three models of which the last is better, four samples."""
    areas = np.array([0.7, 0.7, 0.9])
    said = Compared(
        low=np.full((4, 3), 0.6),
        high=np.array([[0.95] * 3, [0.8] * 3, [0.95] * 3, [0.95] * 3]),
        lower=np.full((4, 3), -0.3),
        upper=np.array([[0.1] * 3] * 3 + [[0.1, -0.25, 0.1]]),
        found=np.array([[True, True, False], [False, True, True], [False, False, False], [True, True, True]]),
        joint=np.array([0.01, 0.2, 0.05, 0.5]),
        best=np.array([[False, False, True], [True, True, False], [True, True, True], [False, False, True]]),
    )
    counts = {c.quantity: c for c in evaluated("delong", said, areas, math.nan, 0.95)}
    errors = {quantity: int(c.below[0]) for quantity, c in counts.items()}
    # The second and third difference are truly -0.2.
    assert errors == {"all areas": 1, "all differences": 1, "no false difference": 2, "best": 1}
    assert counts["no false difference"].mean_width[0] == pytest.approx((0.5 + 1.0 + 0.0 + 1.0) / 4)
    assert counts["best"].mean_width[0] == pytest.approx((1 + 2 + 3 + 1) / 4)
    same = {c.quantity: c for c in evaluated("delong", said, np.full(3, 0.7), math.nan, 0.95)}
    assert int(same["joint test"].below[0]) == 2
    fewer = said._replace(found=said.found[:, 1:], lower=said.lower[:, 1:], upper=said.upper[:, 1:])
    against = {c.quantity: c for c in evaluated("delong:reference=c", fewer, areas, math.nan, 0.95)}
    assert int(against["no false difference"].below[0]) == 0
    assert int(against["all differences"].below[0]) == 1


def test_unadjusted_tests_would_be_found_out() -> None:
    """The short form contradicts tests of each pair by itself, whose familywise error is ten times that."""
    experiment = load_experiment(EXPERIMENTS / "familywise_error.py")
    (cell,) = experiment.quick.cells or ()
    study = Study(name="x", cells=(cell,), replications=150, seed=experiment.seed)
    result = run_study(study)
    statement = next(
        e for e in experiment.expected if e.cell == cell.name and e.quantity == "no false difference"
    )
    assert statement.check(result).verdict != "not reproduced"
    assert replace(statement, method="score_delong:adjust=none").check(result).verdict == "not reproduced"


def test_pairs_of_a_reference_name_it_last() -> None:
    a, b = pairs(3, "b")
    assert a.tolist() == [0, 2]
    assert b.tolist() == [1, 1]
