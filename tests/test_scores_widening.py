"""Intervals of rounded scores: wide enough for every table that the rounding hides, and no wider."""

from __future__ import annotations

import itertools
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confroc import (
    ConfrocWarning,
    PairedScores,
    Scores,
    UnpairedScores,
    cost_band,
    cost_curve,
    cost_difference,
    cost_difference_band,
    dominance_at_threshold,
    exact,
    expected_cost,
    expected_cost_difference,
    fpr_at_tpr,
    net_benefit,
    net_benefit_difference,
    rates_at_positive_rate,
    rates_at_threshold,
    rates_difference_at_threshold,
    tpr_at_fpr,
    tpr_difference_at_fpr,
)
from confroc.cost import cost_optimism, lower_envelope
from confroc.scores import difference_errors, errors_of
from support import slow

quiet = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
T = np.array([-9.0, -4.0, -1.5, 0.0, 0.5, 2.0, 5.0, 9.0])
W = np.linspace(0.0, 1.0, 9)
RISK = np.array([0.1, 0.3, 0.6])

Sides = list[Any]

ONE: dict[str, Callable[[Scores], Sides]] = {
    "rates_at_threshold": lambda s: both(rates_at_threshold(s, threshold=T)),
    "rates_at_threshold, exact law": lambda s: both(
        rates_at_threshold(s, threshold=T, method="exact_bootstrap")
    ),
    "tpr_at_fpr": lambda s: [tpr_at_fpr(s, fpr=shares(s.n_neg))],
    "tpr_at_fpr, exact law": lambda s: [tpr_at_fpr(s, fpr=shares(s.n_neg), method="exact_bootstrap")],
    "tpr_at_fpr, another size": lambda s: [tpr_at_fpr(s, fpr=[0.2, 0.6], method="wald", size=(30, 25))],
    "fpr_at_tpr": lambda s: [fpr_at_tpr(s, tpr=shares(s.n_pos))],
    "rates_at_positive_rate": lambda s: flagged(
        rates_at_positive_rate(s, positive_rate=0.4, sampling="stratified")
    ),
    "rates_at_positive_rate, another size": lambda s: flagged(
        rates_at_positive_rate(s, positive_rate=[0.35, 0.7], method="agresti_coull", size=(9, 11))
    ),
    "cost_curve": lambda s: [cost_curve(s, w=W)],
    "cost_curve, full sampling": lambda s: [cost_curve(s, w=W, sampling="full")],
    "cost_curve, given thresholds": lambda s: [cost_curve(s, w=np.linspace(0.1, 0.9, len(T)), threshold=T)],
    "cost_band": lambda s: [cost_band(s, w=W, n_resamples=40, rng=0)],
    "net_benefit": lambda s: [net_benefit(s, risk=RISK, threshold=0.5)],
    "net_benefit, prior": lambda s: [
        net_benefit(s, risk=RISK, threshold=T[1:4], prior=0.2, sampling="stratified")
    ],
    "expected_cost": lambda s: [
        expected_cost(s, false_negative=3, false_positive=1, prior=0.3, n_resamples=40, rng=0)
    ],
}
TWO: dict[str, Callable[[Any], Sides]] = {
    "rates_difference_at_threshold": lambda p: both(
        rates_difference_at_threshold(p, threshold_a=T, threshold_b=T[::-1])
    ),
    "tpr_difference_at_fpr": lambda p: [tpr_difference_at_fpr(p, fpr=[0.5, 1.0])],
    "cost_difference": lambda p: [cost_difference(p, w=W)],
    "cost_difference, given": lambda p: [cost_difference(p, w=0.4, threshold_a=1, threshold_b=0)],
    "cost_difference_band": lambda p: [cost_difference_band(p, w=W, n_resamples=40, rng=0)],
    "expected_cost_difference": lambda p: [
        expected_cost_difference(p, false_negative=3, false_positive=1, prior=(3, 10))
    ],
    "net_benefit_difference": lambda p: [
        net_benefit_difference(p, risk=RISK, threshold_a=0.5, threshold_b=-1)
    ],
}


def both(regions: Any) -> Sides:
    return [regions.fpr, regions.tpr]


def flagged(regions: Any) -> Sides:
    return [regions.fpr, regions.tpr, regions.precision]


def shares(n: int) -> np.ndarray:
    """Every rate that so many cases support."""
    return np.arange(1, n + 1) / n


def levels(values: np.ndarray, grid: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """Each value's lowest and highest companion in its cell of the grid."""
    cell = np.searchsorted(grid, values, side="right")
    low, high = np.full(len(grid) + 1, np.inf), np.full(len(grid) + 1, -np.inf)
    np.minimum.at(low, cell, values)
    np.maximum.at(high, cell, values)
    return low[cell], high[cell]


def plain(table: Any) -> Any:
    """The same counts, taken for exact."""
    if isinstance(table, PairedScores):
        return PairedScores.from_counts(table.score_a, table.score_b, table.pos, table.neg)
    if isinstance(table, UnpairedScores):
        return UnpairedScores(plain(table.a), plain(table.b))
    return Scores.from_counts(table.score, table.pos, table.neg)


def most_widened(result: Any) -> float:
    """By how much at most a result says that it was widened; its note has two digits."""
    notes = [note for note in result.notes if "rounded" in note]
    return max((1.06 * float(re.findall(r"up to ([\d.e-]*\d)", note)[-1]) for note in notes), default=0.0)


def estimate(result: Any) -> Any:
    """What the rounding moves; that a threshold was chosen on the scores is corrected on the rounded ones."""
    return getattr(result, "apparent", result.estimate - np.nan_to_num(getattr(result, "optimism", 0.0)))


def holds(call: Callable[[Any], Sides], truth: Any, rounded: Any) -> None:
    """The exact estimate is within what the rounded interval was widened by.

    Where the interval ends at the end of what is possible, the widening shows in its note alone.
    """
    for exactly, wide, narrow in zip(call(truth), call(rounded), call(plain(rounded)), strict=True):
        low, high = (-1.0, 1.0) if " - " in wide.quantity else (0.0, 1.0)
        down, up = np.subtract(narrow.lower, wide.lower), np.subtract(wide.upper, narrow.upper)
        assert (np.minimum(down, up) >= -1e-12).all()
        moved, most = np.subtract(estimate(exactly), estimate(narrow)), most_widened(wide)
        assert (moved >= -np.where(np.asarray(wide.lower) <= low, most, down) - 1e-12).all()
        assert (moved <= np.where(np.asarray(wide.upper) >= high, most, up) + 1e-12).all()


one_model = st.lists(st.tuples(st.booleans(), st.integers(-8, 8)), min_size=4, max_size=30).filter(
    lambda rows: len({label for label, _ in rows}) == 2
)
two_models = st.lists(
    st.tuples(st.booleans(), st.integers(-8, 8), st.integers(-8, 8)), min_size=6, max_size=30
).filter(lambda rows: min(sum(row[0] for row in rows), sum(not row[0] for row in rows)) >= 2)
edges = st.sets(st.integers(-9, 9), min_size=1, max_size=6).map(lambda e: sorted(map(float, e)))


def counted(y: np.ndarray, s: np.ndarray, grid: list[float]) -> Scores:
    low, high = levels(s, grid)
    return Scores.from_counts(low, y, 1 - y, score_max=high)


def columns(rows: list[Any]) -> list[np.ndarray]:
    return [np.array(column, dtype=float) for column in zip(*rows, strict=True)]


@quiet
@pytest.mark.parametrize(
    "name", slow(ONE, *(set(ONE) - {"rates_at_threshold", "expected_cost", "cost_curve"}))
)
@settings(max_examples=25)
@given(rows=one_model, more=one_model, grid=edges, other=edges)
def test_one_model(name: str, rows: Any, more: Any, grid: Any, other: Any) -> None:
    y, s = columns(rows)
    holds(ONE[name], Scores(y, s), counted(y, s, grid))
    # Two grids: levels that overlap.
    again = columns(more)
    merged = counted(y, s, grid).merge(counted(*again, other))
    holds(ONE[name], Scores(*np.concatenate([[y, s], again], axis=1)), merged)


@quiet
@pytest.mark.parametrize("name", slow(TWO, "cost_difference_band", "expected_cost_difference"))
@settings(max_examples=25)
@given(rows=two_models, grid=edges, other=edges)
def test_two_models(name: str, rows: Any, grid: Any, other: Any) -> None:
    y, a, b = columns(rows)
    (low_a, high_a), (low_b, high_b) = levels(a, grid), levels(b, other)
    rounded = PairedScores.from_counts(low_a, low_b, y, 1 - y, score_a_max=high_a, score_b_max=high_b)
    holds(TWO[name], PairedScores(y, a, b), rounded)
    if name != "tpr_difference_at_fpr":
        unpaired = UnpairedScores(counted(y, a, grid), counted(y, b, other))
        holds(TWO[name], UnpairedScores(Scores(y, a), Scores(y, b)), unpaired)


@pytest.mark.slow
@quiet
def test_the_bounds_are_reached() -> None:
    # All tables that a rounded one may stand for, each case at its level's lowest or highest score.
    rounded = Scores.from_counts([0, 2, 5], pos=[1, 2, 1], neg=[2, 1, 0], score_max=[1, 4, 5])
    cases = [(1, 0, 1), (0, 0, 1), (0, 0, 1), (1, 2, 4), (1, 2, 4), (0, 2, 4), (1, 5, 5)]
    y = [label for label, _, _ in cases]
    tables = [
        Scores(y, [low if at else high for (_, low, high), at in zip(cases, chosen, strict=True)])
        for chosen in itertools.product([False, True], repeat=len(cases))
    ]
    for statistic in (
        lambda s: rates_at_threshold(s, threshold=[0.5, 3, 6]).tpr.estimate,
        lambda s: rates_at_threshold(s, threshold=[0.5, 3, 6]).fpr.estimate,
        lambda s: tpr_at_fpr(s, fpr=[1 / 3, 2 / 3, 1]).estimate,
        lambda s: fpr_at_tpr(s, tpr=[0.25, 0.5, 1]).estimate,
        lambda s: rates_at_positive_rate(s, positive_rate=[2 / 7, 4 / 7]).precision.estimate,
        lambda s: cost_curve(s, w=[0.3, 0.6], threshold=[0.5, 3]).estimate,
        lambda s: estimate(cost_curve(s, w=W)),
    ):
        down, up = errors_of(rounded, statistic)
        found = np.array([statistic(table) for table in tables])
        np.testing.assert_allclose(statistic(rounded) - down, found.min(axis=0), atol=1e-12)
        np.testing.assert_allclose(statistic(rounded) + up, found.max(axis=0), atol=1e-12)
        assert max(down.max(), up.max()) > 0.0


def test_differences_add_both_errors() -> None:
    a, b = (np.array([0.1]), np.array([0.2])), (np.array([0.3]), np.array([0.5]))
    assert [e.tolist() for e in difference_errors(a, b)] == [[0.6], [0.5]]


def large() -> tuple[Scores, Scores]:
    rng = np.random.default_rng(3)
    y = rng.random(20_000) < 0.3
    s = rng.normal(size=y.size) + y
    grid = np.quantile(s, np.arange(1, 300) / 300).tolist()
    return Scores(y, s), counted(y.astype(float), s, grid)


def test_the_bounds_are_small() -> None:
    rounded = large()[1]
    rates = np.linspace(0.0512, 0.9512, 19)
    calls: list[tuple[Callable[[Scores], Any], float]] = [
        (lambda s: tpr_at_fpr(s, fpr=rates), 0.03),
        (lambda s: fpr_at_tpr(s, tpr=rates), 0.03),
        (lambda s: rates_at_threshold(s, threshold=rates - 0.5).tpr, 0.012),
        (lambda s: rates_at_threshold(s, threshold=rounded.score[::20]).tpr, 0.0),
        (lambda s: rates_at_positive_rate(s, positive_rate=rates[::6]).precision, 0.02),
        (lambda s: cost_curve(s, w=rates), 0.006),
        (lambda s: cost_curve(s, w=rates, threshold=0.123), 0.006),
        (lambda s: cost_band(s, w=rates, n_resamples=40, rng=0), 0.006),
    ]
    for call, most in calls:
        wide, narrow = call(rounded), call(plain(rounded))
        added = np.maximum(narrow.lower - wide.lower, wide.upper - narrow.upper)
        assert added.max() <= most
        assert (added.max() > 0.0) == (most > 0.0)
        assert ("rounded" in " ".join(wide.notes)) == (most > 0.0)


def test_a_band_over_all_weights_allows_for_rounding_between_its_entries() -> None:
    truth, rounded = large()
    band, narrow = (cost_band(s, n_resamples=40, rng=0) for s in (rounded, plain(rounded)))
    w = np.linspace(0.0, 1.0, 2001)
    envelope = lower_envelope(truth).cost_at(w)
    down, up = (
        np.interp(w, band.at, narrow.lower - band.lower),
        np.interp(w, band.at, band.upper - narrow.upper),
    )
    here = np.interp(w, band.at, narrow.estimate)
    inside = (np.interp(w, band.at, band.lower) > 0.0) & (w > 0.0) & (w < 1.0)
    assert (envelope >= here - down - 1e-12)[inside].all()
    assert (envelope <= here + up + 1e-12).all()
    assert down.max() < 0.006


def test_who_widens_does_not_warn() -> None:
    rounded = large()[1]
    some = slice(None, None, 30)
    score = rounded.score[some]
    few = Scores.from_counts(score, rounded.pos[some], rounded.neg[some], score_max=score + 0.001)
    pair = UnpairedScores(few, few)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*(zero width|fewer than five)", ConfrocWarning)
        for call in ONE.values():
            call(few)
        for other in TWO.values():
            other(pair)


@pytest.mark.filterwarnings("ignore:This method under-covers at rates:confroc.ConfrocWarning")
@pytest.mark.parametrize(
    "call",
    [
        lambda s: tpr_at_fpr(s, fpr=0.2, method="kernel"),
        lambda s: dominance_at_threshold(UnpairedScores(s, s), threshold_a=0, threshold_b=0),
        lower_envelope,
        lambda s: cost_optimism(s, w=0.5, repeats=1, rng=0),
        lambda s: exact.tpr_pmf(s, fpr=0.5),
        lambda s: exact.threshold_pmf(s, fpr=0.5),
    ],
)
def test_who_cannot_widen_warns(call: Callable[[Scores], Any]) -> None:
    rounded = counted(*columns([(i % 3 == 0, i // 2 + (i % 3 == 0)) for i in range(40)]), [4.5, 9.5, 14.5])
    with pytest.warns(ConfrocWarning, match="contains rounded scores"):
        call(rounded)
