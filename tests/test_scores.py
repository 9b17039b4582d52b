"""The count tables, against plain Python on small samples."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from confroc import ConfrocWarning, PairedScores, Scores, ScoreStream, UnpairedScores, _kernels, read_scores
from confroc._check import ArgumentError
from confroc._kernels.merge import merge_counts, merge_tables, partition, rates, twice_wins
from confroc._kernels.pairs import add_ranks, bring_together, merge_codes

quiet = pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")

# Few distinct values, so that ties within and between the classes are the rule.
cases = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=30).filter(
    lambda rows: len({label for label, _ in rows}) == 2
)


def split(rows: list[tuple[bool, int]]) -> tuple[list[bool], list[float]]:
    return [label for label, _ in rows], [float(score) for _, score in rows]


def brute_force_auc(y: list[bool], s: list[float]) -> float:
    wins = [
        1.0 if p > n else 0.5 if p == n else 0.0
        for p, yp in zip(s, y, strict=True)
        if yp
        for n, yn in zip(s, y, strict=True)
        if not yn
    ]
    return sum(wins) / len(wins)


@quiet
@given(cases)
def test_counts_and_auc_against_plain_python(rows: list[tuple[bool, int]]) -> None:
    y, s = split(rows)
    scores = Scores(y, s)
    assert (np.diff(scores.score) < 0).all()
    for label, counts in ((True, scores.pos), (False, scores.neg)):
        expected = Counter(v for v, yes in zip(s, y, strict=True) if yes == label)
        assert {v: c for v, c in zip(scores.score.tolist(), counts.tolist(), strict=True) if c} == expected
    assert scores.auc == pytest.approx(brute_force_auc(y, s), abs=1e-15)
    assert (scores.n_pos, scores.n_neg) == (sum(y), len(y) - sum(y))


@quiet
@given(cases, st.randoms(use_true_random=False))
def test_row_order_counts_and_monotone_transforms_change_nothing(
    rows: list[tuple[bool, int]], random: Any
) -> None:
    y, s = split(rows)
    scores = Scores(y, s)
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert Scores(*split(shuffled)) == scores
    order = list(range(len(scores.score)))
    random.shuffle(order)
    rebuilt = Scores.from_counts(scores.score[order], scores.pos[order], scores.neg[order])
    assert rebuilt == scores
    cubed = Scores(y, [v**3 + v for v in s])
    assert np.array_equal(cubed.pos, scores.pos)
    assert cubed.auc == scores.auc


@quiet
@given(cases)
def test_swapping_labels_mirrors_the_auc(rows: list[tuple[bool, int]]) -> None:
    y, s = split(rows)
    swapped = Scores([not v for v in y], [-v for v in s])
    assert swapped.auc == pytest.approx(Scores(y, s).auc, abs=1e-15)
    assert Scores([not v for v in y], s).auc == pytest.approx(1.0 - Scores(y, s).auc, abs=1e-15)


@quiet
@given(cases, cases)
def test_merge_is_concatenation(first: list[tuple[bool, int]], second: list[tuple[bool, int]]) -> None:
    assert Scores(*split(first)).merge(Scores(*split(second))) == Scores(*split(first + second))


@quiet
@given(cases)
def test_kernels_equal_numpy(rows: list[tuple[bool, int]]) -> None:
    y, s = split(rows)
    scores = Scores(y, s)
    n = len(y)
    pos = np.sort([v for v, yes in zip(s, y, strict=True) if yes])
    neg = np.sort([v for v, yes in zip(s, y, strict=True) if not yes])
    for parted in (partition, _kernels.compiled(partition)):
        both = np.empty(n)
        k, zeros, minus = parted(np.array(y), np.array(s), both)
        assert (k, zeros, minus) == (sum(y), n - sum(y), 0)
        assert np.array_equal(np.sort(both[:k]), pos)
        assert np.array_equal(np.sort(both[k:]), neg)
    for kernel in (merge_counts, _kernels.compiled(merge_counts)):
        table = np.empty(n), np.empty(n, np.int64), np.empty(n, np.int64)
        used, wins = kernel(pos, neg, 0, *table)
        assert wins / (2 * scores.n_pos * scores.n_neg) == scores.auc
        assert kernel(pos, neg, 7, *table)[1] == wins + 2 * 7 * scores.n_neg
        for column, name in zip(table, ("score", "pos", "neg"), strict=True):
            assert np.array_equal(column[:used], getattr(scores, name))
    for count_wins in (twice_wins, _kernels.compiled(twice_wins)):
        assert count_wins(scores.pos, scores.neg) / (2 * scores.n_pos * scores.n_neg) == scores.auc
    fpr, tpr = np.empty(len(scores.score) + 1), np.empty(len(scores.score) + 1)
    _kernels.compiled(rates)(scores.pos, scores.neg, len(pos), len(neg), fpr, tpr)
    assert np.array_equal(fpr[1:], scores.neg_above / len(neg))
    assert np.array_equal(tpr[1:], scores.pos_above / len(pos))


@quiet
@given(cases)
def test_area_is_that_of_the_rank_sum(rows: list[tuple[bool, int]]) -> None:
    """Morin 2018, eqs. 5 and 6: the positives' ranks less n₁(n₁ + 1)/2 are the won pairs."""
    y, s = split(rows)
    scores = Scores(y, s)
    of_positives = stats.rankdata(s)[np.array(y)].sum()
    won = of_positives - scores.n_pos * (scores.n_pos + 1) / 2
    assert scores.auc == pytest.approx(won / (scores.n_pos * scores.n_neg), abs=1e-14)


def test_large_samples_take_the_compiled_path_to_the_same_table() -> None:
    rng = np.random.default_rng(1)
    n = _kernels.BIG + 1000
    y = rng.random(n) < 0.3
    s = np.round(rng.normal(size=n) + y, 3)
    whole = Scores(y, s)
    parts = Scores(y[: n // 2], s[: n // 2]).merge(Scores(y[n // 2 :], s[n // 2 :]))
    assert whole == parts
    assert whole.auc == parts.auc


def test_large_samples_with_other_labels_and_gaps() -> None:
    rng = np.random.default_rng(3)
    n = _kernels.BIG + 10
    y = rng.random(n) < 0.3
    s = np.round(rng.normal(size=n) + y, 2) * np.where(rng.random(n) < 0.1, 0.0, 1.0)
    expected = Scores(y.astype(np.int8), s)
    assert not np.signbit(expected.score[expected.score == 0.0]).any()
    assert Scores(2 * y.astype(np.int64) - 1, s) == expected
    assert Scores(y.astype(float), s) == expected
    assert Scores(np.where(y, "a", "b"), s, pos_label="a") == expected
    with pytest.raises(ValueError, match="`pos_label` must name the positive class"):
        Scores(y + 1, s)
    y_gap, s_gap = y.astype(float), s.copy()
    y_gap[:5], s_gap[3:9] = np.nan, np.nan
    omitted = Scores(y_gap, s_gap, nan_policy="omit")
    assert omitted == Scores(y[9:], s[9:])
    assert omitted.n_dropped == 9
    with pytest.raises(ValueError, match="`y_score` must contain no missing"):
        Scores(y, s_gap)


@pytest.mark.parametrize("digits", [9, 3, 0])
def test_large_pairs_take_the_compiled_path_to_the_same_table(digits: int) -> None:
    rng = np.random.default_rng(4)
    n = _kernels.BIG + 1000
    y = rng.random(n) < 0.3
    a = np.round(rng.normal(size=n) + y, digits)
    b = np.round(0.5 * a + rng.normal(size=n), digits) * np.where(rng.random(n) < 0.1, -0.0, 1.0)
    whole = PairedScores(y, a, b)
    small = [
        PairedScores._of((a[i::3], b[i::3]), y[i::3].astype(int), (~y[i::3]).astype(int)) for i in range(3)
    ]
    assert len(small[0].pos) < _kernels.BIG
    assert small[0].merge(small[1]).merge(small[2]) == whole
    assert whole.a == Scores(y, a)
    assert whole.b == Scores(y, b)
    # The numpy path, written differently.
    order = np.lexsort([y, -b, -a])
    key = np.column_stack([-a, -b])[order]
    first = np.flatnonzero(np.concatenate([[True], (key[1:] != key[:-1]).any(axis=1)]))
    assert np.array_equal(np.add.reduceat(y[order].astype(int), first), whole.pos)
    assert np.array_equal(whole.score_a, a[order][first])
    assert np.array_equal(whole.score_b, b[order][first])


@quiet
@given(cases, st.integers(1, 4))
def test_ranking_kernels_equal_numpy(rows: list[tuple[bool, int]], step: int) -> None:
    _, s = split(rows)
    values = np.array(s)
    score = np.unique(values)[::-1].copy()
    begin = np.searchsorted(np.sort(-values), -score[::step])
    plain = bring_together, add_ranks
    machine = _kernels.compiled(bring_together), _kernels.compiled(add_ranks)
    for bring, add in (plain, machine):
        near, rank = np.empty_like(values), np.empty(len(values), np.int64)
        bring(values, np.arange(len(values)), score[::step].copy(), begin.copy(), near, rank)
        assert np.array_equal(values[rank], near)
        codes = np.zeros(len(values), np.int64)
        add(near, score, step, np.append(begin, len(values)), 3, codes)
        assert np.array_equal(codes, 3 * np.searchsorted(-score, -near))


@quiet
@given(st.lists(st.integers(0, 11), max_size=9), st.lists(st.integers(0, 11), max_size=9))
def test_code_kernel_equals_counting(one: list[int], other: list[int]) -> None:
    n = len(one) + len(other)
    for kernel in (merge_codes, _kernels.compiled(merge_codes)):
        table = [np.empty(n, np.int64) for _ in range(4)]
        first, second = (np.sort(np.array(c, np.int64)) for c in (one, other))
        used = kernel(first, second, 4, *table)
        found = {(4 * i + j): (p, q) for i, j, p, q in zip(*(c[:used].tolist() for c in table), strict=True)}
        assert found == {c: (one.count(c), other.count(c)) for c in sorted({*one, *other})}
        assert list(found) == sorted(found)


@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [
        ([0, 1, 1], None),
        ([-1, 1, 1], None),
        ([False, True, True], None),
        ([0.0, 1.0, 1.0], None),
        (["n", "y", "y"], "y"),
        ([2, 7, 7], 7),
        ([True, False, False], False),
        (np.array([None, 1, 1])[[1, 2, 1]] * np.array([0, 1, 1]), None),
    ],
)
def test_labels(labels: Any, pos_label: Any) -> None:
    scores = Scores(labels, [1.0, 2.0, 3.0], pos_label=pos_label)
    assert (scores.n_pos, scores.n_neg, scores.auc) == (2, 1, 1.0)


@pytest.mark.parametrize(
    ("labels", "pos_label"), [(["a", "b", "c", "a"], "a"), ([3, 1, 2, 3], 3), ([0, 1, 2, 1], None)]
)
def test_three_labels_are_refused(labels: list[Any], pos_label: Any) -> None:
    with pytest.raises(ArgumentError, match=r"`y_true` must contain two classes; got 3 .* e\.g\. y_true == "):
        Scores(labels, [4, 1, 2, 3], pos_label=pos_label)
    with pytest.raises(ArgumentError, match="`label` must contain two classes"):
        read_scores(pd.DataFrame({"y": labels, "s": [4, 1, 2, 3]}), label="y", score="s", pos_label=pos_label)


def test_omit_drops_whole_cases_and_counts_them() -> None:
    nan = float("nan")
    y = np.array([1, 0, None, 1, 0, nan], dtype=object)
    scores = Scores(y, [3.0, 1.0, 2.0, nan, 0.0, nan], nan_policy="omit")
    assert (scores.n_pos, scores.n_neg, scores.n_dropped) == (1, 2, 3)
    pair = PairedScores([1, 0, 1, 0], [1.0, nan, 3.0, 0.0], [1.0, 2.0, nan, 0.0], nan_policy="omit")
    assert (pair.n_pos, pair.n_neg, pair.n_dropped, pair.a.n_dropped) == (1, 1, 2, 2)
    merged = scores.merge(Scores.from_counts([1], [1], [1], n_dropped=4))
    assert merged.n_dropped == 7


def test_pandas_and_polars_columns() -> None:
    import pandas as pd
    import polars as pl

    y, s = [1, 0, None, 1], [0.5, 0.25, 0.75, None]
    frame = pd.DataFrame({"y": pd.array(y, dtype="Int64"), "s": pd.array(s, dtype="Float64")})
    series = pl.DataFrame({"y": y, "s": s})
    one = Scores(frame["y"], frame["s"], nan_policy="omit")
    two = Scores(series["y"], series["s"], nan_policy="omit")
    assert one == two
    assert one.n_dropped == two.n_dropped == 2


@pytest.mark.parametrize(
    ("y", "s", "options", "message"),
    [
        ([1, 1], [1, 2], {}, r"`y_true` must contain both classes; got 2 positives and 0 negatives"),
        ([0, 0], [1, 2], {}, r"`y_true` must contain both classes; got 0 positives and 2 negatives"),
        ([0, 1], [1, 2, 3], {}, r"`y_score` must have the length of `y_true`, 2; got 3"),
        ([0, 1], [1, float("nan")], {}, r"`y_score` must contain no missing values.*nan_policy='omit'"),
        ([0, None], [1, 2], {}, r"`y_true` must contain no missing values"),
        ([0, 1], [1, float("inf")], {}, r"`y_score` must contain finite scores.*got inf"),
        (
            [0, 1],
            [-float("inf"), 1],
            {"nan_policy": "omit"},
            r"`y_score` must contain finite scores.*got -inf",
        ),
        ([0, 1], ["a", "b"], {}, r"`y_score` must contain numbers; got 'a'"),
        ([0, 1], [[1], [2]], {}, r"`y_score` must be one-dimensional"),
        ([[0], [1]], [1, 2], {}, r"`y_true` must be one-dimensional"),
        ([1, 2], [1, 2], {}, r"`pos_label` must name the positive class.*labels are 1, 2"),
        (["a", "b", "c"], [1, 2, 3], {}, r"`y_true` must contain two classes; got 3 labels: 'a', 'b', 'c'"),
        (["a", "b"], [1, 2], {"pos_label": "z"}, r"`pos_label` must be one of the labels; got 'z'"),
        ([0, 1], [1, 2], {"pos_label": "one"}, r"`pos_label` must be one of the labels; got 'one'.*are 0, 1"),
        ([0, 1], [1, 2], {"nan_policy": "drop"}, r"`nan_policy` must be one of 'raise', 'omit'; got 'drop'"),
        ([0, 1], [2**53 + 1, 1], {}, r"`y_score` must contain integers of at most 2\*\*53"),
        ([], [], {}, r"`y_true` must contain both classes"),
    ],
)
def test_bad_arrays(y: Any, s: Any, options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Scores(y, s, **options)


def test_a_missing_label_of_several_models_is_no_score() -> None:
    with pytest.raises(ValueError, match="`y_true` must contain no missing values"):
        PairedScores([0, None, 1], [1, 2, 2], [2, 1, 1])


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([1, 2], [1, 0], [0.5, 1]), "`neg` must contain whole numbers"),
        (([1, 2], [-1, 2], [0, 1]), "`pos` must contain whole numbers"),
        (([1, 2], [1, 1], [0, 0]), "`y_true` must contain both classes"),
        (([1, 2], [1], [0, 1]), "`pos` must have the length of `score`"),
        (([1, np.nan], [1, 1], [1, 1]), "`score` must contain no missing"),
    ],
)
def test_bad_counts(columns: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Scores.from_counts(*columns)


def test_scores_are_read_only() -> None:
    scores = Scores([0, 1], [1, 2])
    with pytest.raises(AttributeError, match="read-only"):
        scores.n_pos = 3
    with pytest.raises(ValueError, match="read-only"):
        scores.pos[0] = 3


def test_direction_is_never_guessed() -> None:
    with pytest.warns(ConfrocWarning, match=r"`y_score` has AUC below 0\.5.*negate the scores") as caught:
        scores = Scores([0, 1], [2, 1])
    assert scores.auc == 0.0
    assert caught[0].filename == __file__
    with pytest.warns(ConfrocWarning, match="`score_b`"):
        PairedScores([0, 1], [1, 2], [2, 1])


def test_minus_zero_is_zero() -> None:
    scores = Scores([0, 1], [-0.0, 0.0])
    assert scores.score.tolist() == [0.0]
    assert not np.signbit(scores.score).any()
    assert scores.auc == 0.5


pair_cases = st.lists(
    st.tuples(st.booleans(), st.integers(-2, 2), st.integers(-2, 2)), min_size=2, max_size=25
).filter(lambda rows: len({row[0] for row in rows}) == 2)


@quiet
@given(pair_cases, st.randoms(use_true_random=False))
def test_pairs_against_plain_python(rows: list[tuple[bool, int, int]], random: Any) -> None:
    y, a, b = (list(column) for column in zip(*rows, strict=True))
    pair = PairedScores(y, a, b)
    assert pair.a == Scores(y, a)
    assert pair.b == Scores(y, b)
    expected = Counter(rows)
    found = {
        (label, sa, sb): count
        for label, counts in ((True, pair.pos), (False, pair.neg))
        for sa, sb, count in zip(pair.score_a, pair.score_b, counts, strict=True)
        if count
    }
    assert found == expected
    keys = list(zip(-pair.score_a, -pair.score_b, strict=True))
    assert keys == sorted(keys)
    assert np.array_equal(pair.a.score[pair.index_a], pair.score_a)
    assert np.array_equal(pair.b.score[pair.index_b], pair.score_b)
    assert np.shares_memory(pair.pos, pair.a.pos) == (len(pair.pos) == len(pair.a.score))
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert PairedScores(*(list(c) for c in zip(*shuffled, strict=True))) == pair
    assert PairedScores.from_counts(pair.score_a, pair.score_b, pair.pos, pair.neg) == pair


@quiet
@given(pair_cases, pair_cases)
def test_merging_pairs_is_concatenation(first: list[Any], second: list[Any]) -> None:
    one, two, both = (
        PairedScores(*(list(c) for c in zip(*rows, strict=True))) for rows in (first, second, first + second)
    )
    assert one.merge(two) == both


def test_pairs_of_different_lengths() -> None:
    with pytest.raises(ValueError, match=r"`score_b` must have the length of `y_true`, 2; got 3"):
        PairedScores([0, 1], [1, 2], [1, 2, 3])


def test_unpaired_wants_scores() -> None:
    one = Scores([0, 1], [1, 2])
    assert UnpairedScores(one, one).b is one
    with pytest.raises(TypeError, match="`b` must be a Scores; got 'list'"):
        UnpairedScores(one, [1, 2])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`other` must be a Scores"):
        one.merge(3)  # type: ignore[arg-type]


tables = st.dictionaries(st.integers(-6, 6), st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=9).map(
    lambda rows: [(float(s), p, q) for s, (p, q) in sorted(rows.items(), reverse=True) if p + q]
)


@given(one=tables, other=tables)
def test_merging_tables_equals_adding_up(one: list[Any], other: list[Any]) -> None:
    expected: dict[float, list[int]] = {}
    for score, pos, neg in one + other:
        total = expected.setdefault(score, [0, 0])
        total[0] += pos
        total[1] += neg
    types = (float, np.int64, np.int64)
    columns = [
        np.array([row[i] for row in rows], dtype=kind)
        for rows in (one, other)
        for i, kind in enumerate(types)
    ]
    for kernel in (merge_tables, _kernels.compiled(merge_tables)):
        filled = [np.empty(len(one) + len(other), kind) for kind in types]
        used = kernel(*columns, *filled)
        found = {s: [p, q] for s, p, q in zip(*(c[:used].tolist() for c in filled), strict=True)}
        assert list(found) == sorted(expected, reverse=True)
        assert found == expected


@quiet
def test_large_tables_merge_like_small_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    y, s = rng.integers(0, 2, 600), rng.integers(0, 300, 600).astype(float)
    halves = Scores(y[:300], s[:300] / 8), Scores(y[300:], s[300:] / 8)
    expected = Scores(y, s / 8)
    assert halves[0].merge(halves[1]) == expected
    monkeypatch.setattr(_kernels, "BIG", 0)
    assert halves[0].merge(halves[1]) == expected


@quiet
def test_a_table_in_order_is_taken_as_it_is() -> None:
    pos, neg = np.array([1, 0, 2]), np.array([0, 3, 1])
    given = Scores.from_counts([3.0, 2.0, -0.0], pos, neg)
    assert given == Scores.from_counts([-0.0, 2.0, 3.0], pos[::-1], neg[::-1])
    assert str(given.score[-1]) == "0.0"
    pos[0] = 9
    assert given.n_pos == int(given.pos.sum()) == 3
    # A row without a case is left out in either order.
    assert len(Scores.from_counts([3.0, 2.0, 1.0], [1, 0, 1], [1, 0, 1]).score) == 2


@quiet
@pytest.mark.parametrize("labels", [range(6), [7, 3, 5, 1, 9, 2], list("abcdef")])
def test_rows_of_the_same_labels_in_another_order(labels: Any) -> None:
    y = pd.Series([1, 0, 1, 0, 1, 0], index=labels)
    s = pd.Series([6.0, 5.0, 4.0, 3.0, 2.0, 1.0], index=labels)
    turned = s.iloc[::-1]
    said = rf"must have the row order of `y_true`, where row 0 has index {labels[0]}; got"
    with pytest.raises(ArgumentError, match=f"`y_score` {said}") as caught:
        Scores(y, turned)
    with pytest.raises(ArgumentError, match=f"`score_nb` {said}"):
        PairedScores(y, s, turned, names=["lr", "nb"])
    with pytest.raises(ArgumentError, match=f"`y_score` {said}"):
        ScoreStream.even(0, 7).update(y, turned)
    # Both remedies can be typed.
    for line in re.findall(r"y_score\.[\w.\[\]()]+", str(caught.value)):
        assert Scores(y, eval(line, {"y_score": turned, "y_true": y})).n_pos == 3
    with pytest.raises(ArgumentError, match=r"`y_true` must have the row order of `X`"):
        Scores.from_estimator(None, s.to_frame(), y.iloc[::-1])


def test_rows_of_equal_or_of_other_labels_are_paired_as_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    y, s = [1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0]
    labels = pd.Index([7, 3, 5, 1])
    twice = pd.Index([7, 7, 5, 5])
    wanted = Scores(y, s)
    assert Scores(pd.Series(y, index=labels), pd.Series(s)) == wanted
    assert Scores(pd.Series(y, index=twice), pd.Series(s, index=twice[::-1])) == wanted
    # What is costly is asked for where labels differ only.
    monkeypatch.setattr(pd.Index, "isin", None)
    assert Scores(pd.Series(y), pd.Series(s)) == wanted
    assert Scores(pd.Series(y, index=labels), pd.Series(s, index=labels.copy())) == wanted
    assert Scores(pd.Series(y, index=labels), s) == wanted
    assert Scores(pd.Series(y), np.array(s)) == wanted
