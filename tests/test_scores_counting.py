"""Counts above thresholds without arrays as long as the table: the same whatever the table is cut into."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from confroc import ConfrocWarning, PairedScores, Scores, _kernels, drift, roc_curve
from confroc._kernels.counting import counts_above_both
from confroc.cost import lower_envelope
from confroc.curve import hull_vertices
from confroc.drift.divergence import Divergence, quantile_bins
from confroc.drift.reweighting import AreaFunctional, blocks, solve
from confroc.models import BinormalModel
from confroc.scores import counting
from confroc.scores.counting import (
    Cells,
    PairCounter,
    ThresholdCounter,
    counts_above_grid,
    discordant_counts,
    kept_rows,
    rectangles,
    rows_above,
    rows_of_cases,
    rows_reaching,
    sums_before,
    wavelet_counts,
)
from confroc.statistics.cheapest import optimal_rows

CHUNKED = (
    "confroc.curve",
    "confroc.scores.counting",
    "confroc.drift.reweighting",
    "confroc.models.binormal_fit",
)


def in_chunks(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """Work on so few rows at a time."""
    for name in CHUNKED:
        monkeypatch.setattr(f"{name}.CHUNK", rows)


def sample(seed: int, n: int, decimals: int = 1) -> Scores:
    g = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return Scores(y, (g.normal(size=n) + 2.0 * y).round(decimals))


@given(st.integers(0, 10_000), st.integers(1, 60), st.integers(1, 70))
def test_sums_and_rows_against_brute_force(seed: int, d: int, h: int) -> None:
    g = np.random.default_rng(seed)
    pos, neg = g.integers(0, 4, d), g.integers(0, 4, d)
    rows, cases = g.integers(0, d + 1, h), g.integers(0, pos.sum() + neg.sum() + 2, h)
    score = -np.sort(-g.choice(200, d, replace=False)) / 4.0
    threshold = np.append(g.integers(-4, 210, h) / 4.0, [np.inf, -np.inf])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "CHUNK", int(g.integers(1, 9)))
        for found, count in zip(sums_before(rows, pos, neg), (pos, neg), strict=True):
            np.testing.assert_array_equal(found, [count[:r].sum() for r in rows])
        together = np.cumsum(pos + neg)
        expected = [next((i for i, c in enumerate(together) if c >= case), d) for case in cases]
        np.testing.assert_array_equal(rows_reaching(cases, pos, neg), expected)
        np.testing.assert_array_equal(rows_above(score, threshold), [(score >= t).sum() for t in threshold])


@given(st.integers(0, 10_000), st.integers(1, 30), st.tuples(st.integers(1, 6), st.integers(1, 6)))
def test_grid_of_joint_counts_against_brute_force(seed: int, n: int, shape: tuple[int, int]) -> None:
    g = np.random.default_rng(seed)
    a, b, count = g.integers(0, shape[0] + 1, n), g.integers(0, shape[1] + 1, n), g.integers(0, 4, n)
    want = [[count[(a <= k) & (b <= j)].sum() for j in range(shape[1])] for k in range(shape[0])]
    np.testing.assert_array_equal(counts_above_grid(a, b, count, shape), want)


def test_rows_of_cases_are_those_of_the_whole_table() -> None:
    scores = sample(3, 90, 0)
    cases = np.arange(1.0, 91.0)
    np.testing.assert_array_equal(rows_of_cases(scores, cases), rows_reaching(cases, scores.pos, scores.neg))


@pytest.mark.parametrize("chunk", [1, 7, 2**16])
def test_rectangles_and_discordant_cases_few_and_many(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one row at a time rectangles are many, and are told apart by sorting."""
    monkeypatch.setattr(counting, "CHUNK", chunk)
    g = np.random.default_rng(chunk)
    for _ in range(20):
        n = int(g.integers(4, 80))
        y = np.arange(n) % 2
        pair = PairedScores(y, g.integers(0, 9, n) + 5 * y, g.integers(0, 9, n) + 5 * y)
        a, b = g.integers(-1, 15, 9).astype(float), g.integers(-1, 15, 9).astype(float)
        above_a, above_b = pair.score_a[:, None] >= a, pair.score_b[:, None] >= b
        expected_counts = [
            only.T @ count
            for count in (pair.pos, pair.neg)
            for only in (above_a & ~above_b, above_b & ~above_a)
        ]
        np.testing.assert_array_equal(discordant_counts(pair, a, b), expected_counts)
        cut_a, cut_b = (np.unique(rows_above(s.score, t)) for s, t in ((pair.a, a), (pair.b, b)))
        cells, at_a, at_b = rectangles(Cells(pair.pos, pair.neg), pair.index_a, pair.index_b, cut_a, cut_b)
        expected: dict[tuple[int, int], list[int]] = {}
        for i, j, p, q in zip(pair.index_a, pair.index_b, pair.pos, pair.neg, strict=True):
            key = int((cut_a <= i).sum()), int((cut_b <= j).sum())
            expected[key] = [x + int(c) for x, c in zip(expected.get(key, [0, 0]), (p, q), strict=True)]
        keys = list(zip(at_a.tolist(), at_b.tolist(), strict=True))
        assert keys == sorted(expected)
        assert [[int(p), int(q)] for p, q in zip(*cells, strict=True)] == [expected[k] for k in keys]


def upper_hull(x: Any, y: Any) -> list[int]:
    """Vertices by turning (Andrew 1979), a point on a straight stretch left out."""
    kept: list[int] = []
    for i in range(len(x)):
        while len(kept) > 1:
            j, k = kept[-2:]
            if (x[k] - x[j]) * (y[i] - y[j]) < (y[k] - y[j]) * (x[i] - x[j]):
                break
            kept.pop()
        kept.append(i)
    return kept


@pytest.mark.parametrize("chunk", [1, 2, 13])
def test_hull_of_parts_is_the_hull(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole numbers, so that straight stretches are known; seeded, and exact whatever the seed."""
    in_chunks(monkeypatch, chunk)
    g = np.random.default_rng(chunk)
    for _ in range(50):
        dx, dy = g.integers(0, 4, 40), g.integers(0, 4, 40)
        dx[(dx == 0) & (dy == 0)] = 1
        x, y = (np.append(0, np.cumsum(d)) for d in (dx, dy))
        found = hull_vertices(40, lambda at, x=x, y=y: (np.diff(x[at]) / 1.0, np.diff(y[at]) / 1.0))
        hull = upper_hull(x, y)
        assert set(hull) <= set(found.tolist())
        # Points of a straight stretch may be kept; seen along the diagonal, no edge is upright.
        along, beside = x + y, y - x
        np.testing.assert_allclose(
            np.interp(along[found], along[hull], beside[hull]), beside[found], atol=1e-12
        )


def results(scores: Scores) -> list[Any]:
    curve, envelope = roc_curve(scores), lower_envelope(scores)
    at = np.linspace(0.0, 1.0, 31)
    fit = BinormalModel.fit(scores)
    found = [
        [curve.convex_hull().auc, envelope.area, *envelope.cost_at(at), len(curve.corners().fpr)],
        [fit.a, fit.b, fit.log_likelihood, *np.ravel(fit.covariance)],
        quantile_bins(scores.score, scores.pos, 7).edges,
        blocks(scores.pos, scores.neg, 11),
    ]
    for name in ("kl", "jeffreys", "chi2"):
        for sign in (-1.0, 1.0):
            population = solve(
                AreaFunctional(scores.pos, scores.neg), Divergence(name), sign=sign, radius=0.6
            )
            assert population is not None
            found += [population.pos, population.neg, [population.value, population.distance]]
    return found


def test_results_do_not_depend_on_the_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = sample(1, 400)
    whole = results(scores)
    in_chunks(monkeypatch, 5)
    monkeypatch.setattr(drift.reweighting, "COARSE", 20)
    whole_from_coarse = results(scores)
    for one, other in zip(whole, whole_from_coarse, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("chunk", [1, 3, 50])
def test_steps_that_lead_nowhere_end_no_block(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    in_chunks(monkeypatch, chunk)
    g = np.random.default_rng(chunk)
    for _ in range(30):
        pos, neg = np.array([g.poisson(np.linspace(2.0, 0.1, 40)), g.poisson(np.linspace(0.1, 2.0, 40))])
        pos += pos + neg == 0
        out_pos, out_neg = g.integers(0, pos + 1), g.integers(0, neg + 1)
        out_pos[:2], out_neg[:2] = pos[:2], neg[:2]
        scores = Scores.from_counts(-np.arange(40.0), pos, neg)
        left_pos, left_neg = scores.pos - out_pos, scores.neg - out_neg
        seen = np.flatnonzero(left_pos + left_neg)
        w = np.linspace(0.0, 1.0, 21)
        part = Scores.from_counts(scores.score[seen], left_pos[seen], left_neg[seen])
        rows = np.append(0, seen + 1)[optimal_rows(part, w)]
        np.testing.assert_array_equal(optimal_rows(scores, w, (out_pos, out_neg)), rows)


def test_pulls_count_ties_one_half() -> None:
    scores = sample(2, 60, 0)
    area = AreaFunctional(scores.pos, scores.neg)
    y, x = (np.repeat(scores.score, count > 0) for count in (scores.pos, scores.neg))
    wins = (y[:, None] > x) + 0.5 * (y[:, None] == x)
    np.testing.assert_allclose(area.gradient_pos(area.neg), wins @ area.neg, atol=1e-14)
    np.testing.assert_allclose(area.gradient_neg(area.pos), area.pos @ wins, atol=1e-14)


@pytest.mark.parametrize("length", [0, 1, 5, 6, 23])
def test_kept_rows_are_those_marked(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    in_chunks(monkeypatch, 5)
    values = np.arange(length, dtype=np.int16) + 7
    for share in (0.0, 0.4, 1.0):
        kept = np.random.default_rng(length).random(length) < share
        found = kept_rows(values, kept)
        assert found.dtype == values.dtype
        np.testing.assert_array_equal(found, values[kept])
        np.testing.assert_array_equal(kept_rows(values, np.flatnonzero(kept)), values[kept])


# --- counters of resamples ---------------------------------------------------------------------------


def rows_of_pair(draw_seed: int, n: int, levels: int) -> tuple[PairedScores, Any]:
    rng = np.random.default_rng(draw_seed)
    y = np.arange(n) < n // 3
    a, b = rng.integers(0, levels, n), rng.integers(0, levels, n)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        return PairedScores(y, a, b), (y, a, b)


@given(st.integers(0, 10_000), st.integers(4, 30), st.integers(1, 9), st.booleans())
def test_discordant_errors_against_counting_rows(seed: int, n: int, levels: int, along: bool) -> None:
    """Both ways of counting (thresholds falling together, or in any order), and compressed tables."""
    pair, (y, a, b) = rows_of_pair(seed, n, levels)
    rng = np.random.default_rng(seed + 1)
    t_a, t_b = (rng.choice(np.append(np.arange(-1, levels + 1), np.inf), 7) for _ in range(2))
    if along:
        t_a, t_b = -np.sort(-t_a), -np.sort(-t_b)
    reader = PairCounter.of(pair, t_a, t_b)
    want = []
    for s, t in zip(t_a, t_b, strict=True):
        wrong_a, wrong_b = (a >= s) != y, (b >= t) != y
        want.append(
            [
                np.sum(y & wrong_b & ~wrong_a),
                np.sum(y & wrong_a & ~wrong_b),
                np.sum(~y & wrong_a & ~wrong_b),
                np.sum(~y & wrong_b & ~wrong_a),
            ]
        )
    table = (pair.pos, pair.neg)
    np.testing.assert_array_equal(np.stack(reader(*table)).T, want)
    cells, small = reader.compressed(Cells(*table))
    np.testing.assert_array_equal(np.stack(small(*cells)).T, want)
    for counter, counts in ((reader, table), (small, cells)):
        pos, neg = counter.differences(*counts)
        np.testing.assert_array_equal(np.stack([pos, neg]).T, [[p - q, r - s] for p, q, r, s in want])
    single, one = ThresholdCounter.of(pair.a, t_a), Cells(pair.a.pos, pair.a.neg)
    want_one = [[np.sum(y & (a >= s)), np.sum(~y & (a >= s))] for s in t_a]
    np.testing.assert_array_equal(np.stack(single(*one)).T, want_one)
    cells, few = single.compressed(one)
    np.testing.assert_array_equal(np.stack(few(*cells)).T, want_one)


@given(st.integers(0, 10_000), st.integers(1, 40), st.integers(1, 40))
def test_kernel_against_wavelet_and_brute_force(seed: int, n: int, queries: int) -> None:
    rng = np.random.default_rng(seed)
    ranks = int(rng.integers(1, n + 1))
    index_b, count = rng.integers(0, ranks, n), rng.integers(0, 4, n)
    prefix, below = np.sort(rng.integers(0, n + 1, queries)), rng.integers(0, ranks + 1, queries)
    want = [count[:p][index_b[:p] < b].sum() for p, b in zip(prefix, below, strict=True)]
    np.testing.assert_array_equal(wavelet_counts(prefix, below, index_b, count, ranks), want)
    np.testing.assert_array_equal(counts_above_both(prefix, below, index_b, count, ranks), want)


def test_compiled_kernel_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    pair, _ = rows_of_pair(3, 60, 8)
    t_a, t_b = np.array([3.0, 5.0, 1.0]), np.array([2.0, 1.0, 7.0])
    want = PairCounter.of(pair, t_a, t_b)(pair.pos, pair.neg)
    monkeypatch.setattr(_kernels, "BIG", 1)
    np.testing.assert_array_equal(PairCounter.of(pair, t_a, t_b)(pair.pos, pair.neg), want)


def test_few_pairs_of_thresholds_are_counted_at_once() -> None:
    g = np.random.default_rng(3)
    index_a, index_b, count = g.integers(0, 40, (3, 500))
    above_a, above_b = g.integers(0, 41, (2, 12))
    only_a, only_b = counting._at_few(above_a, above_b, index_a, index_b)(count)
    by_a, by_b = index_a < above_a[:, None], index_b < above_b[:, None]
    np.testing.assert_array_equal(only_a, (by_a & ~by_b) @ count)
    np.testing.assert_array_equal(only_b, (by_b & ~by_a) @ count)
