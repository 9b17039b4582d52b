"""Areas of rounded scores: whatever the exact scores are, the widened bounds contain their areas."""

from __future__ import annotations

import warnings
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
    auc_difference,
    auc_forecast,
    auc_interval,
    auc_test,
    drift_monitor,
    forecast_curve,
)
from confroc.curve import area_of_counts, check_part
from confroc.statistics.area import Auc

quiet = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
PARTS: tuple[dict[str, float], ...] = ({}, {"max_fpr": 0.3}, {"min_tpr": 0.4})
cases = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 11), st.integers(0, 11)), min_size=3, max_size=14
).filter(lambda rows: 0 < sum(r[0] for r in rows) < len(rows))


def rounded(score: np.ndarray, y: np.ndarray, step: int) -> Scores:
    low = score // step * step
    top = low + step - 1 if step > 1 else low
    return Scores.from_counts(low, y, 1 - y, score_max=top)


@quiet
@given(cases, st.sampled_from([2, 3, 5]), st.sampled_from(PARTS))
def test_errors_bound_the_area(rows: list[tuple[int, int, int]], step: int, part: dict[str, float]) -> None:
    y, a, _ = (np.array(c) for c in zip(*rows, strict=True))
    exact, coarse = Scores(y, a), rounded(a, y, step)
    chosen = check_part(part.get("max_fpr"), part.get("min_tpr"))
    areas = [area_of_counts(s.pos, s.neg, chosen) for s in (exact, coarse)]
    statistic = Auc(part.get("max_fpr"), part.get("min_tpr"))
    down, up = statistic.rounding(coarse)
    assert areas[1] - down - 1e-12 <= areas[0] <= areas[1] + up + 1e-12
    assert statistic.rounding(exact) == (0.0, 0.0)


@quiet
@settings(max_examples=40)
@given(cases, st.sampled_from([2, 3, 5]), st.sampled_from(PARTS))
def test_intervals_reach_the_exact_area(
    rows: list[tuple[int, int, int]], step: int, part: dict[str, Any]
) -> None:
    y, a, b = (np.array(c) for c in zip(*rows, strict=True))
    coarse = rounded(a, y, step)
    found = auc_interval(coarse, **part)
    truth = auc_interval(Scores(y, a), **part).estimate
    assert found.lower - 1e-12 <= truth <= found.upper + 1e-12
    other = rounded(b, y, step)
    difference = auc_difference(UnpairedScores(coarse, other), **part)
    truth -= auc_interval(Scores(y, b), **part).estimate
    assert difference.lower - 1e-12 <= truth <= difference.upper + 1e-12


def sample() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], 60)
    common = rng.integers(0, 40, 120)
    return y, 12 * y + common + rng.integers(0, 20, 120), 9 * y + common + rng.integers(0, 20, 120)


def test_widened_by_the_bound_and_without_warning() -> None:
    y, a, b = sample()
    low = [s // 4 * 4 for s in (a, b)]
    pair = PairedScores.from_counts(*low, y, 1 - y, score_a_max=low[0] + 3, score_b_max=low[1] + 3)
    plain = PairedScores.from_counts(*low, y, 1 - y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConfrocWarning)
        one, bare = auc_interval(pair.a), auc_interval(plain.a)
        assert bare.lower - one.lower == pytest.approx(pair.a.auc_error, abs=1e-12)
        assert one.upper - bare.upper == pytest.approx(pair.a.auc_error, abs=1e-12)
        assert "rounded" in one.notes[-1]
        two, flat = auc_difference(pair), auc_difference(plain)
        total = pair.a.auc_error + pair.b.auc_error
        assert flat.lower - two.lower == pytest.approx(total, abs=1e-12)
        assert two.upper - flat.upper == pytest.approx(total, abs=1e-12)
        part, whole = (auc_interval(p.a, max_fpr=0.2, standardize=True) for p in (pair, plain))
        assert part.lower < whole.lower
        assert part.upper >= whole.upper
        down, up = Auc(0.2).rounding(pair.a)
        factor = 0.5 / (0.2 - 0.02)
        assert whole.lower - part.lower == pytest.approx(factor * down, abs=1e-12)
        assert part.upper - whole.upper == pytest.approx(factor * up, abs=1e-12)


@quiet
@settings(max_examples=40)
@given(cases, st.sampled_from([2, 4]), st.sampled_from([0.02, 0.3]), st.integers(0, 10**6))
def test_forecasts_hold_every_exact_forecast(
    rows: list[tuple[int, int, int]], step: int, radius: float, seed: int
) -> None:
    y, a, _ = (np.array(c) for c in zip(*rows, strict=True))
    rng = np.random.default_rng(seed)
    # Any scores inside the levels may be the exact ones.
    inside = a // step * step + rng.integers(0, step, len(a))
    exact, coarse = (auc_forecast(s, radius=radius) for s in (Scores(y, inside), rounded(a, y, step)))
    if str(exact.method) == "score_delong":
        return
    assert coarse.lower <= exact.lower + 1e-6
    assert coarse.upper >= exact.upper - 1e-6


def test_forecast_says_so_and_tests_warn() -> None:
    y, a, _ = sample()
    coarse = rounded(a, y, 4)
    forecast = auc_forecast(coarse, radius=0.05)
    assert "all possible exact scores" in forecast.notes[-1]
    curve, paper = forecast_curve(coarse, radius=[0.05]), auc_forecast(coarse, radius=0.05, method="paper")
    assert (curve.lower[0], curve.upper[0]) == (paper.lower, paper.upper)
    plain = auc_forecast(Scores.from_counts(coarse.score, coarse.pos, coarse.neg), radius=0.05)
    assert forecast.lower < plain.lower < plain.upper < forecast.upper
    # No bound on a binned divergence or a p-value: the warning stays.
    with pytest.warns(ConfrocWarning, match="rounded"):
        drift_monitor(coarse, [coarse])
    with pytest.warns(ConfrocWarning, match="rounded"):
        assert not auc_interval(coarse, method="binormal").notes
    with pytest.warns(ConfrocWarning, match="rounded"):
        auc_test(coarse, null_auc=0.6)
