"""Any number of models on the same cases, any number of samples, against counting case by case."""

import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from confroc import PairedScores, Scores, UnpairedScores, auc_difference, auc_interval
from confroc.influence import (
    delong_covariance,
    difference_of_placements,
    placements,
)
from confroc.scores import PlacementSums

pytestmark = pytest.mark.filterwarnings("ignore:.*has AUC below 0.5:confroc.ConfrocWarning")

RNG = np.random.default_rng(17)
Y = np.repeat([1, 0], (23, 31))
COLUMNS = [np.round(Y + RNG.normal(0.0, 1.2, len(Y)), 1) for _ in range(4)]
NAMES = ["one", "two", "three", "four"]
MANY = PairedScores(Y, *COLUMNS, names=NAMES)


def cases(scores: PairedScores) -> Counter:
    """How often each row of scores occurs in each class."""
    columns = [model.score[index] for model, index in zip(scores.models, scores.index, strict=True)]
    found: Counter = Counter()
    for row in zip(*columns, scores.pos, scores.neg, strict=True):
        found[(*row[:-2], 1)] += int(row[-2])
        found[(*row[:-2], 0)] += int(row[-1])
    return +found


tied = st.integers(0, 3).map(float)
tables = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.tuples(st.booleans(), *[tied] * k), min_size=2, max_size=30)
)


@given(tables)
def test_joint_counts_are_those_of_the_cases(rows):
    y = np.array([row[0] for row in rows], dtype=int)
    y[:2] = 0, 1
    columns = np.array([row[1:] for row in rows]).T
    scores = PairedScores(y, *columns)
    assert cases(scores) == Counter((*row, int(label)) for row, label in zip(columns.T, y, strict=True))
    for model, column in zip(scores.models, columns, strict=True):
        assert model == Scores(y, column)
    # Each row once, by decreasing scores of the first model, then of the second, ...
    rank = list(zip(*(index.tolist() for index in scores.index), strict=True))
    assert rank == sorted(set(rank))


def test_many_rows_need_no_code_beyond_64_bits():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 3000)
    columns = np.round(rng.normal(size=(12, 3000)), 2)
    columns[0] = np.round(columns[0], 1)
    scores = PairedScores(y, *columns)
    assert cases(scores) == Counter((*row, int(label)) for row, label in zip(columns.T, y, strict=True))


def test_models_by_name_and_place():
    assert MANY.names == ("one", "two", "three", "four")
    assert MANY["three"] is MANY[2] is MANY.models[2]
    assert [name for name, _ in MANY.items()] == NAMES
    assert list(MANY) == list(MANY.models)
    some = MANY["four", "two"]
    assert some.names == ("four", "two")
    assert some == MANY[["four", "two"]] == MANY[3, 1] == PairedScores(Y, COLUMNS[3], COLUMNS[1])
    assert MANY[0, 1, 2, 3] is MANY
    assert (MANY.a, MANY.b) == (MANY[0], MANY[1])
    assert PairedScores(Y, *COLUMNS[:3]).names == ("a", "b", "c")
    assert pickle.loads(pickle.dumps(MANY)) == MANY
    assert pickle.loads(pickle.dumps(MANY)).names == MANY.names


def test_rounded_models_stay_rounded_when_chosen():
    low = [np.array([4.0, 3.0, 1.0]), np.array([1.0, 2.0, 9.0]), np.array([5.0, 3.0, 4.0])]
    highest = [low[0] + 0.5, None, low[2] + 0.25]
    scores = PairedScores._counted(low, [1, 2, 3], [3, 1, 2], highest, 0, ("x", "y", "z"))
    some = scores["z", "x"]
    assert some["x"] == scores["x"]
    assert some["z"] == scores["z"]
    assert not some["x"].exact
    assert scores["y"].exact


def test_merging_adds_up_and_wants_the_same_models():
    parts = [PairedScores(Y[i::2], *(c[i::2] for c in COLUMNS), names=NAMES) for i in range(2)]
    assert parts[0].merge(parts[1]) == MANY
    with pytest.raises(ValueError, match=r"`other` must have the models \['one', 'two', 'three', 'four'\]"):
        parts[0].merge(parts[1]["two", "one", "three", "four"])


def brute_covariance(columns, y):
    """DeLong's covariance, pair of cases by pair of cases."""
    kernel = [
        [[(p > n) + 0.5 * (p == n) for n in column[y == 0]] for p in column[y == 1]] for column in columns
    ]
    wins = np.array(kernel, dtype=float)
    return np.cov(wins.mean(axis=2)) / wins.shape[1] + np.cov(wins.mean(axis=1)) / wins.shape[2]


def test_covariance_of_all_areas():
    expected = brute_covariance(COLUMNS, Y)
    np.testing.assert_allclose(delong_covariance(MANY).sum(axis=0), expected, rtol=1e-12)
    of_difference = expected[1, 1] + expected[3, 3] - 2 * expected[1, 3]
    found = difference_of_placements(MANY, models=(1, 3))
    assert found[0].variance + found[1].variance == pytest.approx(of_difference, rel=1e-10)


def without_joint(scores: PairedScores) -> PairedScores:
    """The same as an engine hands it over, summed up case by case."""
    k = len(scores.names)
    second, fourth = np.zeros((2, 2, k, k))
    for side, count in enumerate((scores.pos, scores.neg)):
        values = [placements(m)[side][index] for m, index in zip(scores.models, scores.index, strict=True)]
        for i in range(k):
            for j in range(k):
                apart = values[i] - values[j]
                second[side, i, j], fourth[side, i, j] = count @ apart**2, count @ apart**4
    return PairedScores._without_joint(
        scores.models, PlacementSums(second, fourth), scores.names, scores.n_dropped
    )


def test_areas_and_differences_need_no_joint_counts():
    summed = without_joint(MANY)
    assert MANY.joint
    assert not summed.joint
    np.testing.assert_allclose(delong_covariance(summed), delong_covariance(MANY), rtol=1e-10, atol=1e-16)
    for method in ("score_delong", "delong", "newcombe"):
        found, expected = (auc_difference(s["four", "one"], method=method) for s in (summed, MANY))
        assert found.quantity == expected.quantity == "auc_four - auc_one"
        for name in ("estimate", "lower", "upper", "statistic", "pvalue"):
            assert getattr(found, name) == pytest.approx(getattr(expected, name), rel=1e-12, abs=1e-14)
    assert pickle.loads(pickle.dumps(summed)) == summed != MANY
    assert "joint=False" in repr(summed)
    assert "one" in summed._repr_html_()


@pytest.mark.parametrize("method", ["bootstrap", "exact_bootstrap", "permutation"])
def test_what_needs_joint_counts_says_how_to_get_them(method):
    with pytest.raises(
        ValueError,
        match=r"`scores` must have joint counts .* got 'AUCs .* 54 cases'.*resolution=4096",
    ):
        auc_difference(without_joint(MANY)["one", "two"], method=method)
    with pytest.raises(ValueError, match="resolution=4096"):
        auc_difference(without_joint(MANY)["one", "two"], max_fpr=0.2)
    with pytest.raises(AttributeError, match="no attribute 'posi'"):
        without_joint(MANY).posi  # noqa: B018


def test_functions_of_two_models_name_the_two_to_choose():
    with pytest.raises(ValueError, match=r"`pair` must contain two models; got \['one', .*Select two"):
        auc_difference(MANY)


def test_samples_by_name():
    a, b, c = (Scores(Y[i::3], COLUMNS[0][i::3]) for i in range(3))
    groups = UnpairedScores(a, b, c, names=["north", "south", "west"])
    assert groups["south"] is groups[1] is b
    assert groups["west", "north"].names == ("west", "north")
    assert groups["west", "north"] == UnpairedScores(c, a)
    assert dict(groups.items()) == {"north": a, "south": b, "west": c}
    assert pickle.loads(pickle.dumps(groups)) == groups
    assert pickle.loads(pickle.dumps(groups)).names == groups.names
    assert auc_difference(groups["south", "west"]).quantity == "auc_south - auc_west"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: PairedScores(Y, COLUMNS[0]), r"`y_scores` must contain scores of two or more models"),
        (lambda: PairedScores(Y, *COLUMNS, names=["a", "b", "c", "a"]), r"`names` must be 4 different names"),
        (
            lambda: PairedScores(Y, *COLUMNS, names=["a", "b", "c", ""]),
            r"`names\[3\]` must not be blank",
        ),
        (lambda: PairedScores(Y, *COLUMNS, names=["a", "b", "c", "d\0"]), r"or contain NUL"),
        (lambda: PairedScores(Y, *COLUMNS, names=["a", "b", "\ud800", "d"]), r"contain .* lone surrogates"),
        (lambda: PairedScores(Y, *COLUMNS, names=["a", "b"]), r"`names` must be 4 different names"),
        (lambda: PairedScores(Y, *COLUMNS, names="abcd"), r"`names` must be a list"),
        (lambda: PairedScores(Y, *COLUMNS, names=[1, 2, 3, 4]), r"`names\[0\]` must be text"),
        (lambda: PairedScores(Y, COLUMNS[0], COLUMNS[1][:-1], names=["x", "y"]), r"`score_y` must have"),
        (lambda: UnpairedScores(MANY.a), r"`samples` must be two or more; got 1"),
        (lambda: UnpairedScores(MANY.a, MANY), r"`b` must be a Scores"),
        (lambda: UnpairedScores(MANY.a, MANY.b, names=["x", "x"]), r"`names` must be 2 different"),
        (lambda: PairedScores(Y, np.array(COLUMNS).T), r"got 1. Pass one score column per model"),
        (lambda: UnpairedScores([MANY.a, MANY.b]), r"Pass one Scores per sample"),
        (
            lambda: auc_interval(MANY),
            r"`scores` must be a Scores; got .*or one of several models, scores\['one'\]",
        ),
        (lambda: MANY["fuor"], r"`name` must be one of .*Did you mean 'four'"),
        (lambda: MANY["one", "one"], r"`name` must contain two or more distinct names"),
        (lambda: MANY[["one"]], r"`name` must contain two or more"),
        (lambda: MANY[1.5], r"`name` must be a name or a list of names"),
    ],
)
def test_errors(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_places_end():
    with pytest.raises(IndexError, match="there are 4 models"):
        MANY[4]


def test_frames_whose_columns_cannot_be_told_apart_are_refused() -> None:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    values = {"a": COLUMNS[0], "b": COLUMNS[1]}
    repeated = pd.DataFrame(values).set_axis(["a", "a"], axis="columns")
    for frame in (repeated, pa.table([*values.values()], names=["a", "a"]), pl.DataFrame(values).lazy()):
        with pytest.raises(
            ValueError, match=r"`y_scores` must be .* in-memory data frame with distinct column names"
        ):
            PairedScores(Y, frame)
