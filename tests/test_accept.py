"""Calls: arrays in place of a table, misspelled names, and what would give wrong numbers."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import confroc
from confroc import ConfrocWarning, PairedScores, Scores, UnpairedScores
from confroc._check import ArgumentError
from confroc._keywords import suggest
from confroc.scores.accept import ARRAYS
from confroc.statistics import Auc
from test_options import FUNCTIONS, Called, outcome, ways

RNG = np.random.default_rng(5)
Y = RNG.integers(0, 2, 60)
A, B = Y + RNG.normal(size=60), Y + RNG.normal(size=60)
ONE, TWO = Scores(Y, A), PairedScores(Y, A, B)
LIKELY = np.column_stack([1.0 / (1.0 + np.exp(A)), 1.0 / (1.0 + np.exp(-A))])


# --- arrays in place of a table ------------------------------------------------------------------------


def arrays_of(table: Scores | PairedScores) -> list[Any]:
    """The labels and the scores of a table, one row a case."""
    columns = (
        [table.score] if isinstance(table, Scores) else [table._column(i) for i in range(len(table.names))]
    )
    cases = np.repeat([True, False], [len(table.pos)] * 2), np.concatenate([table.pos, table.neg])
    return [np.repeat(cases[0], cases[1]), *(np.repeat(np.tile(c, 2), cases[1]) for c in columns)]


TABLES_ONLY = {
    "auc_power",
    "auc_sample_size",
    "rate_sample_size",
    "power",
    "sample_size",
    "drift_monitor",
    "nearest_distribution",
    "reader_comparison",
}
MORE = {
    "roc_curve": Called(confroc.roc_curve, (ONE,), {}),
    "lower_envelope": Called(confroc.cost.lower_envelope, (ONE,), {}),
    "interval": Called(confroc.interval, (ONE, Auc()), {}),
    "difference": Called(confroc.difference, (TWO, Auc()), {}),
    "ratio": Called(confroc.ratio, (TWO, Auc()), {}),
    "comparison": Called(confroc.comparison, (TWO, Auc()), {}),
}
CALLED = {name: called for name, called in {**FUNCTIONS, **MORE}.items() if name not in TABLES_ONLY}
WRITERS = {"report", "write_counts"}
"""Functions of tables that write a file, and are tried below."""
SLOW = {"audit"}
INTERNAL = {"read_cases", "read_segments"}


@pytest.mark.parametrize("name", CALLED)
def test_arrays_give_the_same_result_as_the_table(name: str) -> None:
    called = CALLED[name]
    way = ways(called, name)[0]
    arrays = called._replace(args=(*arrays_of(called.args[0]), *called.args[1:]))
    assert outcome(arrays, way) == outcome(called, way)


def _functions_of_tables() -> Iterator[str]:
    for module in ("", ".auc", ".bands", ".cost", ".drift", ".exact", ".ingest", ".points", ".auditing"):
        space = importlib.import_module(f"confroc{module}")
        # Private packages only gather names.
        for name in getattr(space, "__all__", vars(space)):
            function = getattr(space, name)
            if inspect.isfunction(function):
                first = next(iter(inspect.signature(function).parameters.values()), None)
                if first is not None and (
                    "Scores" in str(first.annotation) or "Pair" in str(first.annotation)
                ):
                    yield name


def test_every_function_of_a_table_is_tried() -> None:
    assert set(_functions_of_tables()) <= {
        *CALLED,
        *TABLES_ONLY,
        *WRITERS,
        *SLOW,
        *INTERNAL,
    }


def test_arrays_make_files(tmp_path: Path) -> None:
    confroc.write_counts(Y, A, path=tmp_path / "one.parquet")
    assert confroc.read_counts(tmp_path / "one.parquet") == ONE
    confroc.write_counts(Y, A, B, path=tmp_path / "two.parquet")
    assert confroc.read_counts(tmp_path / "two.parquet") == TWO
    made = confroc.report(Y, A, path=tmp_path / "one.html", names=["logistic"])
    assert list(made.data.models) == ["logistic"]
    made = confroc.report(Y, {"u": A, "v": B}, path=tmp_path / "two.html")
    assert made.data.scores == TWO
    assert list(made.data.models) == ["u", "v"]


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_columns_with_names(frame: Callable[[Any], Any]) -> None:
    columns = frame({"u": A, "v": B, "w": A + B})
    assert PairedScores(Y, columns) == PairedScores(Y, A, B, A + B)
    assert PairedScores(Y, columns).names == ("u", "v", "w")
    named = confroc.auc_comparison(PairedScores(Y, A, B, A + B, names=["u", "v", "w"]))
    assert confroc.auc_comparison(Y, columns) == named
    assert confroc.auc_comparison(Y, A, B, A + B, names=["u", "v", "w"]) == named
    with pytest.raises(ArgumentError, match="`names` must be omitted with a mapping or a data frame"):
        PairedScores(Y, columns, names=["a", "b", "c"])
    with pytest.raises(ArgumentError, match="must contain two models"):
        confroc.auc_difference(Y, columns)


def test_groups_in_one_mapping() -> None:
    north, south = Scores(Y, A), Scores(Y, B)
    expected = UnpairedScores(north, south, names=["north", "south"])
    assert UnpairedScores({"north": north, "south": south}) == expected


def test_models_in_one_list() -> None:
    expected = PairedScores(Y, A, B)
    for given in ([A, B], (A, B.tolist())):
        assert PairedScores(Y, given) == expected
        assert confroc.auc_difference(Y, given) == confroc.auc_difference(expected)
    assert PairedScores(Y, pd.DataFrame(np.stack([A, B], axis=1))).names == ("0", "1")


def test_options_of_the_table() -> None:
    words = np.where(Y == 1, "ill", "well")
    assert confroc.auc_interval(words, A, pos_label="ill") == confroc.auc_interval(ONE)
    assert confroc.auc_difference(words, A, B, pos_label="ill") == confroc.auc_difference(TWO)
    gaps = np.where(np.arange(60) < 5, np.nan, A)
    omitted = confroc.auc_interval(Y, gaps, nan_policy="omit")
    assert omitted == confroc.auc_interval(Scores(Y[5:], A[5:]))
    with pytest.raises(TypeError, match=r"argument 'pos_label'\. With a table, pass `pos_label` to its"):
        confroc.auc_interval(ONE, pos_label=1)
    with pytest.raises(TypeError, match="argument 'names'"):
        confroc.auc_interval(Y, A, names=["a"])


def test_arrays_of_the_wrong_number() -> None:
    with pytest.raises(ArgumentError, match="`y_scores` must contain scores of two or more models"):
        confroc.auc_difference(Y, A)
    with pytest.raises(
        TypeError,
        match=r"auc_difference\(\) accepts one PairedScores.* or arrays by position and its options by",
    ):
        confroc.auc_difference(Y, A, B, A)
    with pytest.raises(TypeError, match=r"tpr_at_fpr\(\) accepts a Scores or arrays by position and fpr="):
        confroc.tpr_at_fpr(Y, A, 0.1)
    with pytest.raises(
        TypeError, match=r"tpr_difference_at_fpr\(\) accepts one Paired.* or arrays .* and fpr="
    ):
        confroc.tpr_difference_at_fpr(TWO, 0.1)
    with pytest.raises(TypeError, match=r"roc_curve\(\) accepts a Scores or arrays by position"):
        confroc.roc_curve(ONE, 0.1)
    with pytest.raises(TypeError, match=r"auc_difference\(\) accepts"):
        confroc.auc_difference(ONE, ONE)
    with pytest.raises(TypeError, match=r"interval\(\) missing 1 required positional argument: 'statistic'"):
        confroc.interval(ONE)
    with pytest.raises(TypeError, match=r"interval\(\) accepts a Scores or arrays and a statistic by"):
        confroc.interval(Y, A, B, Auc())


def test_a_statistic_by_position_or_by_name() -> None:
    by_position = confroc.interval(Y, A, Auc())
    assert confroc.interval(Y, A, statistic=Auc()) == by_position
    assert confroc.interval(ONE, Auc()) == confroc.interval(ONE, statistic=Auc()) == by_position
    two = {"u": A, "v": B}
    assert confroc.comparison(Y, two, Auc()) == confroc.comparison(PairedScores(Y, two), Auc())
    assert confroc.difference(Y, two, statistic=Auc()) == confroc.difference(PairedScores(Y, two), Auc())


# --- misspelled names ------------------------------------------------------------------------------------

MISSPELLED = {
    "auc_interval(ONE, methd='delong')": "auc_interval() got an unexpected keyword argument 'methd'. "
    "Did you mean `method`?",
    "auc_interval(Y, A, methd='delong')": "Did you mean `method`?",
    "auc_interval(ONE, zzz=0)": "got an unexpected keyword argument 'zzz'. See help(auc_interval).",
    "auc_interval(ONE, sample_weight=A)": "With a table, pass `sample_weight` to its constructor.",
    "auc_interval(ONE, seed=0)": "Use `rng`.",
    "roc_curve(ONE, seed=0)": "roc_curve() got an unexpected keyword argument 'seed'. See help(roc_curve).",
    "roc_band(Y, A, random_state=0)": "Use `rng`.",
    "roc_band(ONE, n_boot=99)": "Use `n_resamples`.",
    "auc_interval(ONE, alpha=0.1)": "Use `confidence_level`, which is 1 - alpha.",
    "auc_sample_size(0.8, alpha=0.1)": "Use `significance_level`.",
    "auc_sample_size(0.8, prevalence=0.1)": "Use `ratio`, which is (1 - prevalence) / prevalence.",
    "fpr_at_tpr(ONE, sensitivity=0.9)": "Use `tpr`.",
    "tpr_at_fpr(ONE, specificity=0.9)": "Use `fpr`, which is 1 - specificity.",
    "auc_interval(Y, A, weight=A)": "Use `sample_weight`.",
    "auc_interval(y_true=Y, y_score=A)": "Pass the labels by position.",
    "Scores(Y, A, pos_labl=1)": "Scores.__init__() got an unexpected keyword argument 'pos_labl'. "
    "Did you mean `pos_label`?",
    "PairedScores(Y, A, B, nams=['a', 'b'])": "Did you mean `names`?",
    "drift_monitor(ONE, [ONE], n_bin=5)": "Did you mean `n_bins`?",
}


@pytest.mark.parametrize("call", MISSPELLED)
def test_misspelled_keywords(call: str) -> None:
    space = {name: getattr(confroc, name) for name in confroc.__all__} | {"ONE": ONE, "Y": Y, "A": A, "B": B}
    with pytest.raises(TypeError) as caught:
        eval(call, space)
    assert str(caught.value).endswith(MISSPELLED[call])


def test_misspelled_choices() -> None:
    with pytest.raises(ArgumentError, match="Did you mean 'bootstrap_bca'"):
        confroc.auc_interval(ONE, method="bca")
    with pytest.raises(ArgumentError, match="Did you mean 'f1'"):
        confroc.best_threshold(ONE, criterion="f1_score")  # type: ignore[call-overload]
    assert suggest("class", ["y", "s"]) == ""


def test_misspelled_public_names() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'auc_intervals'. Did you mean `auc_interval`\?$"):
        confroc.auc_intervals  # noqa: B018
    # Names of other questions, of which some look like a public one.
    others = "f1_score lift log_loss sensitivity_at_specificity youden"
    for name in others.split():
        with pytest.raises(AttributeError, match=rf"^module 'confroc' has no attribute '{name}'$"):
            getattr(confroc, name)
    with pytest.raises(ImportError, match="cannot import name 'auc_intervals'"):
        exec("from confroc import auc_intervals", {})
    names: dict[str, Any] = {}
    exec("from confroc import auc, cli", names)
    assert (names["auc"].__name__, names["cli"].__name__) == ("confroc.auc", "confroc.cli")


def test_functions_keep_signature_and_documentation() -> None:
    assert str(inspect.signature(confroc.auc_interval)).startswith(
        "(scores: 'Scores', /, *, max_fpr: 'float | None' = None"
    )
    functions = [getattr(confroc, name) for name in confroc.__all__]
    decorated = [f for f in functions if inspect.isfunction(f) and hasattr(f, "__wrapped__")]
    described = re.compile(rf", or y_true(,| and) .*\n *{re.escape(ARRAYS)}\n")
    others = {"drift_monitor", "nearest_distribution", "progress_bar", "read_scores"}
    assert {f.__name__ for f in decorated if not described.search(str(f.__doc__))} == others
    assert len(decorated) > 40


def test_errors_inside_a_call_are_not_replaced() -> None:
    def mine(*arrays: Any, **_weight: Any) -> float:
        raise TypeError(f"my own of {len(arrays)}")

    with pytest.raises(TypeError, match="my own"):
        confroc.interval(ONE, confroc.statistics.Custom(mine))


# --- what would give wrong numbers ---------------------------------------------------------------------

WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "swapped": (lambda: Scores(A, Y), "Swap them"),
    "swapped, by arrays": (lambda: confroc.auc_interval(A, Y), "Swap them"),
    "swapped words": (lambda: Scores(A, np.where(Y, "bad", "good")), "Swap them"),
    "swapped, one is the label": (
        lambda: Scores(np.r_[1.0, A[1:]], Y, pos_label=1),
        "Swap them",
    ),
    "swapped with the first of a pair": (lambda: confroc.auc_difference(A, Y, B), "Swap them"),
    "swapped in a pair": (lambda: PairedScores(A, B, Y), "Swap them"),
    "swapped in a pair, one is the label": (
        lambda: confroc.auc_difference(np.r_[1.0, A[1:]], Y, Y, pos_label=1),
        "Swap them",
    ),
    "both columns of predict_proba": (lambda: Scores(Y, LIKELY), "`y_score` must be one-dimensional"),
    "both columns, by arrays": (lambda: confroc.roc_curve(Y, LIKELY), "`y_score` must be one-dimensional"),
    "both columns of two models": (lambda: confroc.auc_difference(Y, LIKELY), "scores of two or more models"),
    "both columns in a pair": (
        lambda: PairedScores(Y, LIKELY, LIKELY),
        "`score_a` must be one-dimensional",
    ),
    "rows in another order": (
        lambda: confroc.auc_interval(pd.Series(Y), pd.Series(A)[::-1]),
        "`y_score` must have the row order of `y_true`",
    ),
    "rows of a frame in another order": (
        lambda: confroc.auc_comparison(pd.Series(Y), pd.DataFrame({"u": A, "v": B})[::-1]),
        "`score_u` must have the row order of `y_true`",
    ),
    "rows of a model in another order": (
        lambda: confroc.auc_difference(pd.Series(Y), pd.Series(A), pd.Series(B)[::-1]),
        "`score_b` must have the row order of `y_true`",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_refused_before_it_gives_wrong_numbers(case: str) -> None:
    call, text = WRONG[case]
    with pytest.raises(ArgumentError, match=text):
        call()


HIDDEN = np.ma.masked_array(A, np.arange(60) < 5)


class Held:
    """A column of another library that hides its mask until it is asked for an array."""

    dtype = "float64"

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        return HIDDEN


@pytest.mark.parametrize(
    "call",
    [
        lambda: Scores(Y, HIDDEN),
        lambda: Scores(np.ma.masked_array(Y, HIDDEN.mask), A),
        lambda: Scores(Y, Held()),
        lambda: Scores.from_counts(HIDDEN, Y, 1 - Y),
        lambda: PairedScores(Y, A, HIDDEN),
    ],
)
def test_masked_cases_are_missing(call: Callable[[], Any]) -> None:
    with pytest.raises(ArgumentError, match="got 5 missing"):
        call()
    assert Scores(Y, HIDDEN, nan_policy="omit") == Scores(Y[5:], A[5:])


def test_masked_counts_and_rates() -> None:
    with pytest.raises(ArgumentError, match="got '1 masked'"):
        Scores.from_counts(A[:2], np.ma.array([1, 2], mask=[0, 1]), [3, 2])
    with pytest.raises(ArgumentError, match="`fpr` must lie between 0 and 1; got nan"):
        confroc.tpr_at_fpr(ONE, fpr=np.ma.masked_array([0.1, 0.2], [0, 1]))
    with pytest.raises(ArgumentError, match="`threshold` must not contain NaN"):
        confroc.rates_at_threshold(ONE, threshold=[np.ma.masked_array(1.0, True)])


def test_predicted_classes_are_no_scores() -> None:
    with pytest.warns(
        ConfrocWarning, match="^`y_score` contains predicted classes: .* one threshold. Pass scores instead.$"
    ):
        one = Scores(Y, (A > 0.5).astype(int))
    with pytest.warns(
        ConfrocWarning, match="^`score_tree` contains predicted classes: .* Pass scores instead.$"
    ):
        pair = PairedScores(Y, A, np.where(A > 0.5, 1, -1), names=["lr", "tree"])
    said = "Scores are predicted classes; the ROC curve has one threshold."
    for result in (confroc.auc_interval(one), confroc.tpr_at_fpr(one, fpr=0.1), confroc.roc_band(one, rng=0)):
        assert said in result.notes
    assert said in one._repr_html_()
    for result in (confroc.auc_difference(pair), confroc.auc_comparison(pair)):
        assert said in result.notes


# --- lower scores that mean more likely positive -------------------------------------------------------


@pytest.mark.filterwarnings("ignore:.* has AUC below 0.5:confroc.ConfrocWarning")
def test_a_minus_turns_scores() -> None:
    one, pair, two = ONE, PairedScores(Y, A, B, names=["lr", "rf"]), UnpairedScores(ONE, Scores(Y, B))
    assert -one == Scores(Y, -A)
    turned = -one
    assert -turned == one
    turned = -pair
    assert turned == PairedScores(Y, -A, -B)
    assert turned.names == pair.names
    assert (-two).a == -one
    rounded = Scores.from_counts([1, 2, 5], [3, 1, 2], [1, 2, 4], score_max=[1.5, 3, 5], n_dropped=2)
    other = -rounded
    assert other.score.tolist() == [-1.5, -3.0, -5.0]
    assert (other.score_max.tolist(), other.n_dropped) == ([-1.0, -2.0, -5.0], 2)
    assert other.auc == pytest.approx(1.0 - rounded.auc)
    assert other.auc_error == pytest.approx(rounded.auc_error)


@pytest.mark.filterwarnings("ignore:.* has AUC below 0.5:confroc.ConfrocWarning")
def test_a_minus_before_a_column(tmp_path: Path) -> None:
    path = tmp_path / "cases.csv"
    rows = (f"{y},{a},{b},{'nw'[i % 2]}" for i, (y, a, b) in enumerate(zip(Y, A, B, strict=True)))
    path.write_text("\n".join(["y,a,-b,site", *rows, ""]))
    assert confroc.read_scores(path, label="y", score="-a") == Scores(Y, -A)
    # A column's own name comes first.
    assert confroc.read_scores(path, label="y", score="-b") == Scores(Y, B)
    pair = confroc.read_scores(path, label="y", score=("-a", "-b"))
    assert pair == PairedScores(Y, -A, B)
    assert pair.names == ("-a", "-b")
    sites = confroc.read_scores(path, label="y", score="-a", group="site")
    assert sites["n"] == Scores(Y[::2], -A[::2])
    confroc.write_counts(PairedScores(Y, A, B), path=tmp_path / "counts.parquet", score=["a", "b"], label="y")
    assert confroc.read_scores(tmp_path / "counts.parquet", label="y", score="-a") == Scores(Y, -A)
    with pytest.raises(ArgumentError, match="contain distinct"):
        confroc.read_scores(path, label="y", score=("a", "-a"))


def test_a_low_area_names_the_minus(tmp_path: Path) -> None:
    with pytest.warns(
        confroc.ConfrocWarning,
        match="^`y_score` has AUC below 0.5. .* negate the scores.$",
    ):
        Scores(Y, -A)
    path = tmp_path / "cases.csv"
    path.write_text("\n".join(["y,a", *(f"{y},{-a}" for y, a in zip(Y, A, strict=True)), ""]))
    with pytest.warns(confroc.ConfrocWarning, match="^`a` has AUC below 0.5. .* use score='-a'.$"):
        confroc.read_scores(path, label="y", score="a")


def test_the_pilot_s_own_ratio() -> None:
    few = Scores.from_counts([1, 2, 3], pos=[2, 3, 15], neg=[50, 20, 10])
    found, told = confroc.auc_sample_size(few), confroc.auc_sample_size(few, ratio=4.0)
    assert (found.n_pos, found.n_neg, found.power) == (told.n_pos, told.n_neg, told.power)
    against = "The power is that of the test against AUC 0.5; set another null hypothesis with `null_auc`."
    pilot = "The ratio of negatives to positives is that of the pilot sample."
    fewer = (
        "The formula treats the variance as known; with so few cases intervals are wider and tests have less "
        "power."
    )
    assert found.notes == (against, pilot, fewer)
    assert told.notes == confroc.auc_sample_size(0.8).notes == (against, fewer)
    assert confroc.auc_power(0.8, n_pos=30).notes == (against,)
    assert confroc.auc_sample_size(0.8, null_auc=0.5).notes == (fewer,)
    for known in ({"width": 0.1}, {"model_b": 0.7}):
        assert confroc.auc_sample_size(0.8, **known).notes == ()
    assert confroc.auc_power(few, n_pos=30).power == confroc.auc_power(few, n_pos=30, n_neg=120).power
    assert confroc.auc_power(0.8, n_pos=30).n_neg == 30


def test_names_of_other_libraries_are_understood() -> None:
    for name, own in (
        ("roc_auc_score", "auc_interval"),
        ("delong_test", "auc_difference"),
        ("roc", "roc_curve"),
    ):
        with pytest.raises(AttributeError, match=rf"no attribute '{name}'. Did you mean `{own}`\?$"):
            getattr(confroc, name)
    confroc.auc_interval(Y, A)
    with pytest.raises(TypeError, match="is a module"):
        confroc.auc(Y, A)  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match=r"one of several models, scores\['a'\]"):
        confroc.auc_interval(confroc.PairedScores(Y, {"a": A, "b": B}))  # type: ignore[call-overload]
    assert confroc.ArgumentError.__module__ == confroc.ConfrocWarning.__module__ == "confroc"
