"""Arguments of a wrong type are refused by name, wherever they are given, in the words of this package."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from confroc import (
    BinormalModel,
    KernelModel,
    Scores,
    ScoreStream,
    auc_interval,
    cost,
    forecast_curve,
    plot,
    report,
    roc_curve,
    tpr_at_fpr,
    write_counts,
)
from confroc import sklearn as folds
from confroc._check import (
    ArgumentError,
    ArgumentTypeError,
    check_instance,
    check_items,
    check_jobs,
    check_number,
    check_path,
    make_rng,
)
from confroc.ingest import read_cases

ONE = Scores([1, 0, 1, 0], [4, 3, 2, 1])
WRONG: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "band": (plot.BandDisplay, (0.5,)),
    "curve": (plot.CurveDisplay, (0.5,)),
    "band_kwargs": (lambda v: plot.BandDisplay.from_scores(ONE, band_kwargs=v), (["a"],)),
    "intervals": (plot.IntervalsDisplay, (auc_interval(ONE),)),
    "intervals, a mapping": (plot.ForecastDisplay, (forecast_curve(ONE, radius=[0.1]), auc_interval(ONE))),
    "intervals, each": (plot.IntervalDisplay, ([auc_interval(ONE), 0.5],)),
    "regions": (plot.RegionsDisplay, (tpr_at_fpr(ONE, fpr=0.5),)),
    "result": (plot.display, (0.5,)),
    "folds": (folds.CrossValidatedScores, ([0, 1, 0, 1], 5)),
    "folds[0]": (folds.CrossValidatedScores, ([0, 1, 0, 1], [0.5])),
    "cv_results": (folds.from_cv_results, (1.0, [[0.5]], [0])),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_type_is_refused_by_name(name: str) -> None:
    function, given = WRONG[name]
    with pytest.raises(ArgumentTypeError, match=f"`{name.split(',')[0]}`".replace("[", r"\[")):
        function(*given)


def test_a_fold_is_a_pair() -> None:
    with pytest.raises(ArgumentError, match="be a pair"):
        folds.CrossValidatedScores([0, 1, 0, 1], [([0, 1], [0.1, 0.4], 3)])


@pytest.mark.parametrize(
    "value",
    [
        "0.5",
        b"1",
        None,
        [1.0],
        np.array([1.0, 2.0]),
        np.array(["1"]),
        float("nan"),
        float("inf"),
        -(10**400),
        1j,
        object(),
    ],
)
def test_what_is_no_number(value: object) -> None:
    with pytest.raises(ArgumentTypeError, match="`x` must be one finite number"):
        check_number("x", value)


def test_what_is_a_number() -> None:
    for value in (1, 0.5, np.float32(2.0), np.int8(3), np.array(4.0), np.array([5.0])):
        assert check_number("x", value) == value
    for value in (True, np.True_, np.array(True)):
        with pytest.raises(ArgumentTypeError, match="be one finite number"):
            check_number("x", value)


@pytest.mark.parametrize("value", ["ab", b"ab", 5, None, {"a": 1}, np.array(1.0)])
def test_what_is_no_list(value: object) -> None:
    with pytest.raises(ArgumentTypeError, match="be a list"):
        check_items("x", value, "Pass a list.")


@pytest.mark.parametrize("value", [0.5, None, b"x", "a\0b", ["a"]])
def test_what_is_no_path(value: object) -> None:
    with pytest.raises(ArgumentTypeError, match="be a path"):
        check_path("x", value)
    assert check_path("x", "a/b") == Path("a/b")


@pytest.mark.parametrize("value", [0, 10**9, 0.5, float("nan"), None, "2", -(10**9), True])
def test_what_is_no_number_of_processes(value: object) -> None:
    with pytest.raises(ArgumentError, match="`n_jobs`"):
        check_jobs(value)
    assert [check_jobs(n) for n in (1, 2, -1)] == [1, 2, -1]


def test_one_of_several_types() -> None:
    check_instance("x", 1, (int, str), "")
    with pytest.raises(ArgumentTypeError, match="be of type int or str; got 'float'"):
        check_instance("x", 0.5, (int, str), "")


def test_a_curve_is_no_interval() -> None:
    with pytest.raises(ArgumentTypeError, match="`intervals`"):
        plot.IntervalsDisplay(roc_curve(ONE))  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [np.array([[1, 2]]), np.array([1]), True, -1, 0.5, "1", [-1]])
def test_what_is_no_seed(value: object) -> None:
    with pytest.raises(ArgumentError, match="`rng` must be"):
        make_rng(value)  # type: ignore[arg-type]


def test_costs_of_several_lengths() -> None:
    with pytest.raises(ArgumentError, match="have equal lengths"):
        cost.cost_weight(false_negative=[1, 2, 3], false_positive=[1, 2], prior=0.1)
    with pytest.raises(ArgumentError, match="`scale` must result in finite costs"):
        cost.unit_costs(0.2, prior=1e-300, scale=1e100)


@pytest.mark.parametrize("value", [None, [0.5], "0.5", float("nan")])
def test_models_are_made_of_numbers(value: Any) -> None:
    for name in ("a", "b"):
        with pytest.raises(ArgumentTypeError, match=f"`{name}`"):
            BinormalModel(**{"a": 1.0, "b": 1.0, name: value})
    with pytest.raises(ArgumentTypeError, match="`mean_pos`"):
        BinormalModel.from_moments(mean_pos=value)
    with pytest.raises(ArgumentTypeError, match="`auc`"):
        BinormalModel.from_auc(value)
    with pytest.raises(ArgumentTypeError, match="`bandwidth_neg`"):
        KernelModel(scores=ONE, bandwidth_pos=0.5, bandwidth_neg=value)


def test_a_list_of_columns() -> None:
    for value in (ONE, 0.5, None):
        with pytest.raises(ArgumentTypeError, match="`scores` must be a list"):
            read_cases("a.csv", label="y", scores=value)  # type: ignore[arg-type]


def test_scores_whose_squares_no_double_holds() -> None:
    with pytest.raises(ArgumentError, match="have a bandwidth that is a double"):
        KernelModel.fit(Scores([0, 1, 0, 1], [-1.7e308, 1.7e308, 1.6e308, -1.6e308]))


@pytest.mark.parametrize("jeffreys", [0.0, -1.0, 1e308, None])
def test_a_drift_to_allow_for(jeffreys: float | None, tmp_path: Path) -> None:
    if jeffreys is not None:
        with pytest.raises(ArgumentError, match="`jeffreys`"):
            report(ONE, path=tmp_path / "page.html", jeffreys=jeffreys)
    assert list(tmp_path.iterdir()) == []


def test_a_duration_is_no_rate() -> None:
    with pytest.raises(ArgumentTypeError, match="`fpr` must contain numbers"):
        BinormalModel.from_auc(0.9).tpr(np.timedelta64(3, "s"))


@pytest.mark.parametrize("value", ["x", 0.5, [1.0, 0.0], [[1.0], [0.0]], [["a", "b"], ["c", "d"]]])
def test_a_covariance_is_two_by_two(value: Any) -> None:
    with pytest.raises(ArgumentError, match="`covariance`"):
        BinormalModel(a=1.0, b=1.0, covariance=value)
    assert BinormalModel(a=1.0, b=1.0, covariance=np.eye(2)).auc_standard_error > 0.0


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_cells_from_end_to_end_of_the_doubles() -> None:
    assert len(ScoreStream.like(Scores([0, 1, 0, 1], [-1.7e308, 1.7e308, 1.6e308, -1.6e308]))._edges) == 4


def test_columns_are_a_list(tmp_path: Path) -> None:
    with pytest.raises(ArgumentTypeError, match="`score` must be a list"):
        write_counts(ONE, path=tmp_path / "a.parquet", score=2.0)  # type: ignore[arg-type]
