"""Every method on every hard data set: bounds in order and in range, no NaN, never without width."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

from confroc import (
    ConfrocWarning,
    PairedScores,
    Scores,
    UnpairedScores,
    auc_difference,
    auc_forecast,
    auc_interval,
)
from confroc.auc.difference import AUC_DIFFERENCE
from confroc.auc.interval import AUC_INTERVAL
from confroc.drift import forecast_curve

pytestmark = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
MILLION = 10**6


def counts(*rows: tuple[int, int]) -> Scores:
    """Counts of positives and of negatives by decreasing score."""
    pos, neg = zip(*rows, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        return Scores.from_counts(-np.arange(len(rows)), pos, neg)


HARD: dict[str, Scores] = {
    "perfect": counts((30, 0), (0, 40)),
    "perfect, two cases": counts((1, 0), (0, 1)),
    "perfectly wrong": counts((0, 40), (30, 0)),
    "nearly perfect": counts((29, 0), (0, 1), (1, 0), (0, 39)),
    "constant": counts((20, 30)),
    "constant, two cases": counts((1, 1)),
    "two a class": counts((1, 0), (0, 1), (1, 0), (0, 1)),
    "two a class, tied": counts((1, 0), (1, 1), (0, 1)),
    "one positive": counts((0, 3), (1, 0), (0, 60)),
    "one negative": counts((50, 0), (0, 1), (7, 0)),
    "a million to three": counts((0, 1000), (2, 0), (0, 200_000), (1, 0), (0, MILLION - 201_000)),
    "three to a million": counts((MILLION - 201_000, 0), (0, 1), (200_000, 0), (0, 2), (1000, 0)),
    "a million to three, perfect": counts((3, 0), (0, MILLION)),
    "a million to three, tied": counts((1, 10), (2, MILLION - 10)),
    "all ties but one": counts((1, 0), (99, 100)),
}
LEVELS = (0.5, 0.95, 0.999)
PARTS: tuple[dict[str, float], ...] = ({"max_fpr": 0.1}, {"min_tpr": 0.8})


def sound(found: Any, low: float, high: float) -> None:
    for name in ("estimate", "lower", "upper", "standard_error"):
        assert math.isfinite(getattr(found, name)), name
    assert low <= found.lower < found.upper <= high
    assert found.lower <= found.estimate <= found.upper
    assert found.standard_error > 0.0


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("method", AUC_INTERVAL.names)
def test_intervals(method: Any, name: str) -> None:
    scores = HARD[name]
    if method.startswith("bootstrap") and scores.n_pos + scores.n_neg > 1000:
        scores = scores if len(scores.score) < 3 else HARD["three to a million"]
    if method == "smoothed_bootstrap" and scores.n_pos + scores.n_neg > 1000:
        # It draws and sorts case by case.
        scores = HARD["nearly perfect"]
    for level in LEVELS:
        # The fewest that both tails need.
        count = max(50, math.ceil(2.0 / (1.0 - level)))
        options = AUC_INTERVAL.taken(method, {"n_resamples": count})
        found = auc_interval(scores, method=method, confidence_level=level, rng=1, **options)
        sound(found, 0.0, 1.0)
        # An end at the empirical extreme claims to know that the population is extreme, too.
        if found.estimate in (0.0, 1.0):
            assert found.upper - found.lower > 1e-8


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("part", PARTS, ids=str)
@pytest.mark.parametrize("method", ["score_delong", "delong", "logit_delong", "bootstrap", "bootstrap_bca"])
def test_partial_intervals(method: Any, part: Any, name: str) -> None:
    width = part.get("max_fpr", 1 - part.get("min_tpr", 0.0))
    options = part | AUC_INTERVAL.taken(method, {"n_resamples": 40})
    found = auc_interval(HARD[name], method=method, rng=1, **options)
    sound(found, -1e-12, width + 1e-12)


DESIGNS = {
    "agreeing": ("perfect", "perfect"),
    "opposite": ("perfect", "perfectly wrong"),
    "perfect against constant": ("perfect", "constant"),
    "nearly perfect": ("perfect", "nearly perfect"),
    "constant": ("constant", "constant"),
    "two a class": ("two a class", "two a class, tied"),
    "two cases": ("perfect, two cases", "constant, two cases"),
    "one positive": ("one positive", "one positive"),
    "imbalance": ("a million to three", "a million to three, tied"),
    "perfect imbalance": ("a million to three, perfect", "a million to three, perfect"),
}


def cases(scores: Scores, turn: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores of the positives and of the negatives, each class's cases moved on by `turn`."""
    return tuple(  # type: ignore[return-value]
        np.roll(np.repeat(scores.score, count), turn) for count in (scores.pos, scores.neg)
    )


def paired(a: Scores, b: Scores) -> PairedScores:
    n_pos, n_neg = min(a.n_pos, b.n_pos), min(a.n_neg, b.n_neg)
    (pos_a, neg_a), (pos_b, neg_b) = cases(a, 0), cases(b, 1)
    y = np.repeat([1, 0], [n_pos, n_neg])
    return PairedScores(y, np.r_[pos_a[:n_pos], neg_a[:n_neg]], np.r_[pos_b[:n_pos], neg_b[:n_neg]])


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("method", AUC_DIFFERENCE.names)
def test_differences(method: Any, design: str) -> None:
    a, b = (HARD[name] for name in DESIGNS[design])
    few = a.n_neg < 1000
    pairs = [UnpairedScores(a, b), *([paired(a, b)] if few or method == "delong" else [])]
    for pair in pairs:
        options: dict[str, Any] = AUC_DIFFERENCE.taken(method, {"n_resamples": 40})
        if method == "permutation" and isinstance(pair, PairedScores):
            # All swaps are counted.
            options = {}
        for alternative in ("two-sided", "less", "greater"):
            found = auc_difference(pair, method=method, alternative=alternative, rng=1, **options)  # type: ignore[arg-type]
            for name in ("estimate", "lower", "upper", "standard_error", "pvalue"):
                assert not math.isnan(getattr(found, name)), name
            assert -1.0 <= found.lower < found.upper <= 1.0
            assert 0.0 <= found.pvalue <= 1.0
        if method in ("score_delong", "delong", "bootstrap", "newcombe"):
            part = auc_difference(pair, method=method, max_fpr=0.2, rng=1, **options)
            sound(part, -0.2 - 1e-12, 0.2 + 1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("divergence", ["kl", "jeffreys", "chi2"])
def test_forecasts(name: str, divergence: Any) -> None:
    scores = HARD[name]
    for options in ({"radius": 0.1}, {}, {"method": "paper", "n_resamples": 20, "rng": 1}):
        found = auc_forecast(scores, divergence=divergence, **options)  # type: ignore[arg-type]
        assert 0.0 <= found.lower < found.upper <= 1.0
        assert found.lower <= found.estimate <= found.upper
        assert math.isfinite(found.radius)


@pytest.mark.parametrize("name", ["perfect", "constant", "perfectly wrong", "two a class"])
def test_forecast_curves(name: str) -> None:
    curve = forecast_curve(HARD[name], radius=[0.01, 0.1, 1.0])
    assert (curve.lower < curve.upper).all()
    assert (np.diff(curve.upper) >= -1e-9).all()
    assert (np.diff(curve.lower) <= 1e-9).all()
    ordinary = auc_interval(HARD[name])
    if name != "two a class":
        assert (curve.lower[0], curve.upper[0]) == (ordinary.lower, ordinary.upper)
        assert "No reweighting" in curve.notes[0]
