"""Rounded scores: the bounds they report, against the exact counts, and streams that round."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from confroc import PairedScores, Scores, auc_interval, roc_curve, tpr_at_fpr
from confroc.results import one_sided_limits
from confroc.scores import ScoreStream, tpr_errors_at, widened
from confroc.scores.rounding import _with_crossing

quiet = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")

cases = st.lists(st.tuples(st.booleans(), st.integers(-8, 8)), min_size=2, max_size=40).filter(
    lambda rows: len({label for label, _ in rows}) == 2
)
edges = st.sets(st.integers(-9, 9), min_size=1, max_size=6).map(lambda e: sorted(map(float, e)))


def split(rows: list[tuple[bool, int]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([label for label, _ in rows]), np.array([float(score) for _, score in rows])


def streamed(rows: list[tuple[bool, int]], grid: list[float], batch: int = 7) -> ScoreStream:
    stream = ScoreStream(grid)
    y, s = split(rows)
    for i in range(0, len(y), batch):
        stream.update(y[i : i + batch], s[i : i + batch])
    return stream


def rate(scores: Scores, counts: np.ndarray, threshold: float) -> float:
    return float(counts[scores.score >= threshold].sum() / counts.sum())


def bounds_hold(exact: Scores, rounded: Scores) -> None:
    for t in np.arange(-10.0, 10.0, 0.5):
        assert abs(rate(exact, exact.neg, t) - rate(rounded, rounded.neg, t)) <= rounded.fpr_error + 1e-12
        assert abs(rate(exact, exact.pos, t) - rate(rounded, rounded.pos, t)) <= rounded.tpr_error + 1e-12
    assert abs(exact.auc - rounded.auc) <= rounded.auc_error + 1e-12


@quiet
@given(cases, edges)
def test_bounds_hold_at_every_threshold(rows: list[tuple[bool, int]], grid: list[float]) -> None:
    exact, rounded = Scores(*split(rows)), streamed(rows, grid).scores()
    assert (rounded.n_pos, rounded.n_neg) == (exact.n_pos, exact.n_neg)
    bounds_hold(exact, rounded)


@quiet
@given(cases, cases, edges, edges)
def test_bounds_add_up_when_different_grids_merge(
    first: list[Any], second: list[Any], grid: list[float], other: list[float]
) -> None:
    merged = streamed(first, grid).scores().merge(streamed(second, other).scores())
    bounds_hold(Scores(*split(first + second)), merged)
    with_exact = streamed(first, grid).scores().merge(Scores(*split(second)))
    bounds_hold(Scores(*split(first + second)), with_exact)


@quiet
@given(cases, cases, edges)
def test_merged_streams_are_one_stream(first: list[Any], second: list[Any], grid: list[float]) -> None:
    one, two = streamed(first, grid), streamed(second, grid)
    one.merge(two)
    assert one.scores() == streamed(first + second, grid).scores()


@quiet
@given(cases, cases, edges, edges)
@example(first=[(False, 1), (True, 0)], second=[(False, 1), (True, 0)], grid=[1.0], other=[1.0])
def test_the_exact_curve_lies_within_the_errors_of_the_rounded_one(
    first: list[Any], second: list[Any], grid: list[float], other: list[float]
) -> None:
    exact = Scores(*split(first + second))
    rounded = streamed(first, grid).scores().merge(streamed(second, other).scores())
    f = np.linspace(0.0, 1.0, 41)
    down, up = tpr_errors_at(rounded, f)
    curve, truth = roc_curve(rounded), roc_curve(exact)
    top = truth.tpr_at(f)
    if rounded.exact:
        assert rounded == exact
        return
    # The lowest value of a vertical stretch counts too.
    bottom = one_sided_limits(truth.fpr, truth.tpr, f)[0]
    assert (top <= curve.tpr_at(f) + up + 1e-12).all()
    assert (bottom >= curve.tpr_at(f) - down - 1e-12).all()


@quiet
def test_results_widen() -> None:
    scores = Scores.from_counts([0, 2, 5], pos=[1, 5, 9], neg=[9, 5, 2], score_max=[0, 4, 5])
    plain = auc_interval(scores)
    wide = widened(plain, scores.auc_error, bounds=(0.0, 1.0))
    assert wide.lower == plain.lower - scores.auc_error
    assert wide.upper == min(1.0, plain.upper + scores.auc_error)
    assert "rounded" in wide.notes[-1]
    assert wide.estimate == plain.estimate
    assert widened(plain, 0.0, bounds=(0.0, 1.0)) is plain
    points = tpr_at_fpr(scores, fpr=[0.2, 0.5])
    down, up = tpr_errors_at(scores, points.at)
    wider = widened(points, down, up, bounds=(0.0, 1.0))
    assert (wider.lower <= points.lower).all()
    assert wider.lower.tolist() == np.maximum(0.0, points.lower - down).tolist()
    assert tpr_errors_at(Scores([0, 1], [0, 1]), 0.5)[0].tolist() == [0.0]


def test_the_bounds_are_as_small_as_they_can_be() -> None:
    # Two of four negatives share a level with one positive, whose true scores may lie in any order.
    rounded = Scores.from_counts([0, 2, 5], pos=[0, 1, 2], neg=[2, 2, 0], score_max=[0, 4, 5])
    assert rounded.fpr_error == 0.5
    assert rounded.tpr_error == pytest.approx(1 / 3)
    assert rounded.auc_error == pytest.approx(0.5 * 2 / 12)
    assert "±" in repr(rounded)
    extremes = [Scores([1, 1, 1, 0, 0, 0, 0], [5, 5, p, 0, 0, *n]).auc for p, n in ((4, (2, 2)), (2, (4, 4)))]
    assert [a - rounded.auc for a in extremes] == [
        pytest.approx(rounded.auc_error),
        pytest.approx(-rounded.auc_error),
    ]


def test_overlapping_levels_add_up() -> None:
    wide = Scores.from_counts([0, 1, 3, 9], pos=[1, 1, 1, 1], neg=[3, 4, 5, 1], score_max=[2, 4, 3, 9])
    assert wide.fpr_error == 7 / 13
    # A level that ends where the next one begins is cut by no threshold that cuts the next one.
    touching = Scores.from_counts([0, 2, 9], pos=[1, 1, 1], neg=[3, 4, 1], score_max=[2, 4, 9])
    assert touching.fpr_error == 4 / 8


def test_exact_scores_have_no_error() -> None:
    scores = Scores([0, 1, 1], [1.0, 2.0, 3.0])
    assert scores.exact
    assert scores.score_max is scores.score
    assert scores.fpr_error == scores.tpr_error == scores.auc_error == 0.0
    assert Scores.from_counts([1, 2], [0, 1], [1, 0], score_max=[1, 2]).exact
    # One score in each cell: the grid changes nothing.
    stream = ScoreStream([1.5, 2.5])
    stream.update([0, 1, 1], [1.0, 2.0, 3.0])
    assert stream.scores() == scores


def test_pairs_carry_their_models_bounds() -> None:
    pair = PairedScores.from_counts(
        [0, 2, 2], [1, 1, 5], pos=[0, 1, 1], neg=[1, 1, 0], score_a_max=[0, 4, 4], score_b_max=[1, 1, 5]
    )
    assert not pair.a.exact
    assert pair.b.exact
    assert pair.a.score_max.tolist() == [4.0, 0.0]
    assert pair.merge(pair).a.score_max.tolist() == [4.0, 0.0]
    assert pair[1, 0].b == pair.a
    assert pair[1, 0][1, 0] == pair


def test_streams_choose_their_grid() -> None:
    rng = np.random.default_rng(0)
    y = rng.random(20_000) < 0.3
    s = np.exp(rng.normal(size=y.size) + y)
    exact = Scores(y, s)
    for stream in (ScoreStream.like(exact, cells=200), ScoreStream.even(0.0, 20.0, cells=200)):
        stream.update(y, s)
        rounded = stream.scores()
        assert len(rounded.score) <= 200
        assert abs(rounded.auc - exact.auc) <= rounded.auc_error
    balanced = ScoreStream.like(exact, cells=200)
    balanced.update(y, s)
    # Each cell holds 1/200 of the mean of the two classes' shares: at most 2/200 of either.
    assert max(balanced.scores().fpr_error, balanced.scores().tpr_error) <= 2.1 / 200


def test_streams_take_batches_of_one_class_and_missing_values() -> None:
    stream = ScoreStream([0.0], pos_label="yes", nan_policy="omit")
    stream.update(["no", "no"], [-1.0, float("nan")])
    with pytest.raises(ValueError, match=r"`y_true` must contain both classes"):
        stream.scores()
    stream.update(np.array(["yes", None], dtype=object), [2.0, 1.0])
    assert stream.scores() == Scores([1, 0], [2.0, -1.0])
    assert (stream.n_pos, stream.n_neg, stream.n_dropped, stream.scores().n_dropped) == (1, 1, 2, 2)
    assert repr(stream) == "ScoreStream(cells=2, n_pos=1, n_neg=1)"


def test_bad_batches_count_nothing() -> None:
    stream = ScoreStream.even(0, 1)
    stream.update([0, 1], [0.25, 0.5])
    before = stream.scores()
    bad: list[tuple[Any, Any, str]] = [
        ([1, 0], [0.5, np.nan], "`y_score` must contain no missing"),
        ([1, None], [0.5, 0.5], "`y_true` must contain no missing"),
        ([1, 0], [0.5, np.inf], "`y_score` must contain finite"),
        ([1, 0], [0.5], "`y_score` must have the length"),
        ([1, 2], [0.5, 0.5], "`pos_label` must name the positive class"),
    ]
    for y, s, message in bad:
        with pytest.raises(ValueError, match=message):
            stream.update(y, s)
    assert stream.scores() == before


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ScoreStream([]), "`edges` must be strictly increasing"),
        (lambda: ScoreStream([1, 1]), "`edges` must be strictly increasing"),
        (lambda: ScoreStream([np.nan]), "`edges` must contain no missing"),
        (lambda: ScoreStream.even(1, 0), "`low` must be below `high`"),
        (lambda: ScoreStream.even(0, 1, cells=1), "`cells` must be an integer from 2"),
        (lambda: ScoreStream([0]).merge(ScoreStream([1])), "`other` must have the same edges"),
        (
            lambda: Scores.from_counts([1, 2], [1, 0], [0, 1], score_max=[1, 1]),
            r"`score_max` must be >= `score` \(2\.0\); got 1\.0",
        ),
    ],
)
def test_bad_grids(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_streams_merge_with_streams_only() -> None:
    with pytest.raises(TypeError, match="`other` must be of type ScoreStream"):
        ScoreStream([0]).merge(3)  # type: ignore[arg-type]


@given(st.lists(st.floats(-2.0, 2.0), min_size=2, max_size=8), st.sampled_from([0.0, 1.0]))
def test_vertices_at_a_bound_lie_on_the_polyline(values: list[float], bound: float) -> None:
    x, y = np.arange(float(len(values))), np.array(values)
    at, value = _with_crossing(x, y, bound)
    assert (np.diff(at) >= 0.0).all()
    np.testing.assert_allclose(value, np.interp(at, x, y), atol=1e-9)
    # Between neighbors no piece crosses the bound any more.
    off = value - bound
    assert (off[:-1] * off[1:] >= -1e-12).all()
