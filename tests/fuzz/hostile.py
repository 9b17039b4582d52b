"""Hostile calls: what is called, with what, and what may come of it.

Everything public is found by looking, and its arguments by their names and types, so that a new function is
attacked without a line more. A call is written as Python (`auc_interval(Scores([0, 1], [1, 1]),
confidence_level=nan)`), so that what fails can be typed as it is printed.
"""

from __future__ import annotations

import ast
import copy
import dataclasses
import functools
import importlib
import inspect
import io
import math
import os
import pickle
import signal
import sys
import typing
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

import confroc
from confroc import ConfrocWarning, methods
from confroc._check import ArgumentError
from confroc.results import Result

SECONDS = float(os.environ.get("CONFROC_FUZZ_SECONDS", "60"))
"""How long one call may take; compiling a kernel for the first time is part of it."""

MODULES = ("", ".cost", ".exact", ".ingest", ".auditing", ".plot", ".points", ".sklearn")
STUDIES = {"audit"}
"""May take as long as its samples need, and show progress."""
LEFT_OUT = {"Cases", "progress_bar", "AucScorer"}
"""What reading returns, a bar on the terminal, and a scorer that scikit-learn calls."""
PASSED_ON = {"self", "X"}
"""Arguments that are not ours to judge."""


def settings_of(examples: int) -> settings:
    """So many examples, the same every time unless CONFROC_FUZZ_CALLS asks for others."""
    return settings(
        max_examples=examples,
        derandomize="CONFROC_FUZZ_CALLS" not in os.environ,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        # An example is short enough as it was drawn.
        phases=[Phase.generate],
        report_multiple_bugs=True,
        print_blob=True,
    )


# --- what is called ------------------------------------------------------------------------------------


def _own(cls: type) -> Iterator[str]:
    for name, value in vars(cls).items():
        if not name.startswith("_") and (
            inspect.isfunction(value) or isinstance(value, classmethod | staticmethod)
        ):
            yield name


def targets() -> dict[str, Callable[..., Any]]:
    """Every public function, constructor and method, by the name under which it is called."""
    found: dict[str, Callable[..., Any]] = {}
    for module in MODULES:
        space = importlib.import_module(f"confroc{module}")
        for name in getattr(space, "__all__", ()):
            thing = getattr(space, name)
            if name in LEFT_OUT or not callable(thing) or not hasattr(thing, "__module__"):
                continue
            if not inspect.isclass(thing):
                found.setdefault(name, thing)
            elif not issubclass(thing, Result | tuple | Exception):
                # Results are made by the functions; their methods are called on everything returned.
                found.setdefault(name, thing)
                found |= {f"{name}.{own}": getattr(thing, own) for own in _own(thing)}
    return {name: thing for name, thing in sorted(found.items()) if not name.endswith(".plot")}


TARGETS = targets()


# --- with what -----------------------------------------------------------------------------------------


@functools.cache
def sample(n_pos: int, n_neg: int, seed: int = 0, shift: float = 1.0) -> confroc.Scores:
    """Two normal classes."""
    rng = np.random.default_rng(seed)
    return confroc.Scores(
        np.repeat([1, 0], [n_pos, n_neg]),
        rng.normal(size=n_pos + n_neg) + np.repeat([shift, 0.0], [n_pos, n_neg]),
    )


@functools.cache
def pair(n_pos: int, n_neg: int, seed: int = 0) -> confroc.PairedScores:
    """Two models on the same cases."""
    rng = np.random.default_rng(seed)
    both = [rng.normal(size=n_pos + n_neg) + np.repeat([s, 0.0], [n_pos, n_neg]) for s in (1.0, 0.7)]
    return confroc.PairedScores(np.repeat([1, 0], [n_pos, n_neg]), *both)


SPACE: dict[str, Any] = {
    "np": np, "pd": pd, "pl": pl, "nan": math.nan, "inf": math.inf, "Decimal": Decimal, "Fraction": Fraction,
    "sample": sample, "pair": pair, "Path": Path, "UnpairedScores": confroc.UnpairedScores,
}  # fmt: skip
for _module in MODULES[::-1]:
    _space = importlib.import_module(f"confroc{_module}")
    SPACE |= {_name: getattr(_space, _name) for _name in getattr(_space, "__all__", ())}

HOSTILE = """
None; nan; inf; -inf; 0; -1; 2; 7; 1e308; -1e308; 5e-324; 1e-300; 10**30; -(10**400); 2**63; 2**53 + 1; ''; 'x'; b'x'
'\\ud800'; 'a' * 5000; []; [[0.1, 0.2]]; [[]]; [0.1, [0.2]]; (); {}; set(); [None]; [nan]; [0.1, nan]; [0.1, inf]
[0.5, 0.5]; [0.9, 0.1]; ['a']; ['0.5']; [1j]; 1j; True; [True, False]; object(); [object()]; print; Scores
np.array([]); np.array(0.5); np.array([[0.5]]); np.array(['0.5']); np.array([None, 0.2]); np.array([0.2, 0.4], '>f8')
np.array([0.2, 0.4], np.float16); np.array([0.2, 0.4], np.longdouble); np.array([1, 2], '>i2'); np.array([1, 0], np.uint8)
np.ma.masked_array([0.2, 0.4], [True, False]); np.ma.masked_array(0.2, True); np.datetime64('NaT'); np.timedelta64(3, 's')
np.array(['2020-01-01'], 'M8[D]'); np.array([0.5, 0.25])[::-1]; np.zeros((2, 0)); np.float16(0.3); np.float32(0.1)
np.int8(-3); np.uint64(2**64 - 1); np.bool_(True); np.str_('x'); np.matrix([[0.1, 0.2]]); np.array([(1, 2.0)], 'i4,f8')
Decimal('0.5'); Decimal('NaN'); Decimal('1e999'); Fraction(1, 3); range(3); (x for x in [0.5]); iter([0.5]); slice(3)
pd.NA; pd.NaT; pd.Series([0.2, 0.4], index=[7, 7]); pd.Series([1, None], dtype='Int64'); pd.DataFrame({'a': [0.2]})
pd.Categorical(['a', 'b']); pl.Series([0.2, None]); pl.DataFrame({'a': [0.2]}); pl.LazyFrame({'a': [0.2]})
sample(3, 4); pair(3, 4); UnpairedScores(sample(3, 4), sample(2, 2)); roc_curve(sample(3, 4)); np.random.default_rng(0)
"""
HOSTILE_VALUES = [text.strip() for line in HOSTILE.splitlines() for text in line.split("; ") if text.strip()]

SCORES = [
    "sample(30, 40)",
    "sample(12, 9, 1, 2.0)",
    "sample(5, 60, 2, 0.5)",
    "Scores([1, 1, 0, 0, 1, 0], [3, 2, 2, 1, 0.5, 0.1])",
    "Scores([0, 1], [1, 1])",
    "Scores([0, 1], [0, 1])",
    "Scores([1, 0], [0, 1])",
    "Scores([0, 0, 1, 1], [1, 2, 3, 4])",
    "Scores([0, 1, 1, 1, 1], [0.5, 0.5, 0.5, 0.5, 0.7])",
    "Scores([0, 1, 0, 1], [-1.7e308, 1.7e308, 1.6e308, -1.6e308])",
    "Scores([0, 1, 0, 1], [5e-324, 1e-323, 0.0, -0.0])",
    "Scores([0, 1, 0, 1, 1], [1e160, 1e161, -1e160, 3e160, 2e160])",
    "Scores([0, 1, 0, 1, 1], [1, 1 + 2**-52, 1 + 2**-51, 1 + 3 * 2**-52, 1])",
    "Scores(np.array([0, 1, 0, 1], '>i4'), np.array([1, 2, 3, 4], '>f4'))",
    "Scores([False, True, False, True], np.ma.masked_array([1.0, 2, 3, 4], [0, 1, 0, 0]), nan_policy='omit')",
    "Scores.from_counts([2, 1], [10**6, 1], [1, 10**6])",
    "Scores.from_counts([3, 2, 1], [2**40, 1, 2**40], [2**39, 5, 2**40])",
    "Scores.from_counts([3, 2, 1], [10**11, 7, 10**12], [10**12, 5, 10**11])",
    "Scores.from_counts([0, 1, 2], [1, 2, 3], [3, 2, 1], score_max=[0.5, 1.5, 2.5])",
    "ScoreStream.like(sample(30, 40), cells=20).scores()",
]
PAIRS = [
    "pair(20, 30)",
    "pair(3, 4, 5)",
    "PairedScores([0, 1], [0, 1], [1, 0])",
    "PairedScores([0, 1, 0, 1], [0, 1, 0, 1], [0, 1, 0, 1])",
    "PairedScores([0, 1, 0, 1], [1, 1, 1, 1], [0.1, 0.2, 0.3, 0.4])",
    "PairedScores([0, 1, 0, 1], [1e308, -1e308, 1e-320, 0], [1e160, 2e160, 3e160, 0])",
    "PairedScores.from_counts([1, 2, 2], [3, 1, 3], [2**40, 5, 1], [3, 2**40, 9])",
    "UnpairedScores(sample(30, 40), sample(20, 10, 3))",
    "UnpairedScores(Scores([0, 1], [0, 1]), Scores([0, 1], [1, 1]))",
]
ARRAYS = {
    "scores": ["[1, 0, 1, 0], [4, 3, 2, 1]", "[True, False, True], pd.Series([0.5, 0.5, 0.1])"],
    "pair": ["[1, 0, 1, 0], [4, 3, 2, 1], [1, 2, 3, 1]", "[1, 0, 1], {'u': [4, 3, 2], 'v': [1, 2, 3]}"],
}
"""What may stand in place of a table, by the name of the table's argument."""
FLOATS = ["0.5", "0.9", "0.05", "0.0", "1.0", "0.3", "2.0", "-1.0", "1e-12", "1 - 1e-12", "0.7"]
RATES = [
    "0.5",
    "[0.2]",
    "[0.1, 0.3, 0.9]",
    "np.array([0.25, 0.5])",
    "[0.0, 1.0]",
    "0.07",
    "pd.Series([0.2, 0.8])",
]
TEXTS = ["'x'", "'s'", "'a b'", "'label'", "'ø'"]
CV = "CrossValidatedScores([0, 1, 0, 1, 0, 1, 1, 0], [([0, 1, 2, 3], [1, 2, 0, 3]), ([4, 5, 6, 7], [0, 1, 0, 1])])"

# By the argument's name; what has no entry goes by its type, and what has no known type gets only hostile values.
SENSIBLE: dict[str, list[str]] = {
    "scores": SCORES,
    "other": SCORES,
    "pair": PAIRS,
    "validation": [*SCORES[:6], *PAIRS[:3]],
    "y_true": ["[0, 1, 0, 1]", "[True, False, True, False]", "['a', 'b', 'a', 'b']", "np.array([0, 1, 1, 0], np.int8)"],
    "y_score": ["[0.1, 0.2, 0.3, 0.4]", "[1, 1, 1, 1]", "np.array([4, 3, 2, 1], np.float32)", "[0.1, nan, 0.3, 0.4]"],
    "score": ["'s'", "('s', 't')", "[1.0, 2.0, 3.0]", "[3, 2, 1]"],
    "score_a": ["[0.1, 0.2, 0.3, 0.4]", "[4, 3, 2, 1]"],
    "score_b": ["[0.4, 0.2, 0.3, 0.4]", "[1, 1, 1, 1]"],
    "score_max": ["[1.5, 2.5, 3.5]", "[1, 2, 3]"],
    "pos": ["[1, 2, 3]", "[0, 1, 0]", "[5, 0, 2**40]", "np.array([1.0, 2.0])"],
    "neg": ["[3, 2, 1]", "[1, 0, 0]", "[2**40, 9, 1]", "np.array([0.0, 1.0])"],
    "pos_label": ["1", "'a'", "True", "'1'", "1.0"],
    "label": ["'y'", "'label'"],
    "source": ["FILES + '/a.csv'", "FILES + '/a.parquet'", "FILES + '/counts.parquet'", "FILES + '/*.csv'",
               "pl.read_csv(FILES + '/a.csv')", "pd.read_csv(FILES + '/a.csv')",
               "\"SELECT * FROM '\" + FILES + \"/a.csv'\""],
    "path": ["FILES + '/new.parquet'", "FILES + '/new.html'", "Path(FILES) / 'new.parquet'", "FILES + '/no/new.html'"],
    "counts": ["sample(30, 40)", "pair(20, 30)"],
    "segments": ["[sample(10, 20), sample(20, 10, 1)]", "{'a': sample(10, 20), 'b': sample(9, 9, 2)}"],
    "forecast": ["auc_forecast(sample(30, 40), jeffreys=0.1)"],
    "reference": [*SCORES[:6], "0.5"],
    "segment_column": ["'part'"],
    "confidence_level": ["0.95", "0.8", "0.5", "0.999", "np.float32(0.9)"],
    "n_resamples": ["99", "200", "161"],
    "replications": ["4", "20"],
    "band_replications": ["20"],
    "reps": ["2"],
    "rng": ["0", "np.random.default_rng(1)", "2**70"],
    "n_jobs": ["1"],
    "size": ["(9, 15)", "(1, 1)", "(200, 10)", "None"],
    "shape": ["(3,)", "(2, 3)"],
    "model": ["0.8", "0.6", "pair(20, 30)", "sample(30, 40)", "BinormalModel.from_auc(0.8)"],
    "model_b": ["0.7", "BinormalModel.from_auc(0.7)"],
    "correlation": ["(0.5, 0.4)", "0.3"],
    "n_pos": ["20", "3", "1"],
    "n_neg": ["25", "3", "1"],
    "edges": ["[0.0, 1.0, 2.0]", "np.linspace(-3, 3, 40)"],
    "cells": ["10", "4096"],
    "folds": ["5", "[([0, 1], [0.1, 0.4]), ([2, 3], [0.3, 0.2])]"],
    "repeats": ["2"],
    "fpr": [*RATES, "(0.1, 0.5)"],
    "names": ["['a', 'b']", "['a']"],
    "weights": ["(0.5, 0.5)"],
    "population": ["'smoothed'", "'resampled'"],
    "folder": ["FILES + '/study'"],
    "rule": ["Rule('tpr_at_fpr', ('beta_mixture',), (0.3,))"],
    "function": ["'tpr_at_fpr'", "'auc_interval'"],
    "methods": ["('beta_mixture',)", "('score_delong',)"],
    "at": ["(0.3,)"],
    "cv": [CV],
    "estimator": ["CLASSIFIER"],
    "estimators": ["{'a': CLASSIFIER, 'b': CLASSIFIER}"],
    "X": ["FEATURES"],
    "y": ["[0, 1, 0, 1, 0, 1]"],
    "cv_results": ["{'estimator': [CLASSIFIER], 'indices': {'train': [np.arange(3)], 'test': [np.arange(6)]}}"],
    "curve": ["roc_curve(sample(9, 9))", "forecast_curve(sample(9, 9), radius=[0.1, 0.2])"],
    "band": ["roc_band(sample(9, 9), method='fixed_width', n_resamples=99, rng=0)"],
    "intervals": ["auc_interval(sample(9, 9))", "tpr_at_fpr(sample(9, 9), fpr=[0.2, 0.4])"],
    "regions": ["rates_at_threshold(sample(9, 9), threshold=[0.1])"],
    "result": ["auc_interval(sample(9, 9))", "roc_curve(sample(9, 9))"],
    "mean_pos": ["1.0", "(1.0, 0.5)"],
    "title": TEXTS,
    "covariance": ["None"],
    "knots": ["np.array([0.0, 0.5])"],
    "cuts": ["np.array([0.5])"],
    "resolution": ["10", "50"],
    "options": ["{}"],
}  # fmt: skip
BY_TYPE = {
    "Scores": SCORES,
    "PairedScores": PAIRS[:7],
    "Pair": PAIRS,
    "ArrayLike": RATES,
    "FloatArray": RATES[3:4],
    "float": FLOATS,
    "bool": ["True", "False"],
    "int": ["1", "2", "20", "0"],
    "str": TEXTS,
    "CrossValidatedScores": [CV],
    "Sequence[str]": ["['s']", "['s', 't']"],
}
SELVES = {
    "Scores": SCORES,
    "PairedScores": PAIRS[:7],
    "BinormalModel": ["BinormalModel(a=1.0, b=0.8)", "BinormalModel.from_auc(0.99)"],
    "KernelModel": ["KernelModel.fit(sample(30, 40))"],
    "ScoreStream": ["ScoreStream([0.0, 1.0, 2.0])", "ScoreStream.even(0, 1, cells=4)"],
    "RocCurve": ["roc_curve(sample(9, 9))"],
}


def choices(annotation: str, function: Callable[..., Any]) -> list[str]:
    """The words that a type admits, e.g. `Literal["less", "greater"]` under whatever name it has."""
    space = getattr(sys.modules.get(function.__module__), "__dict__", {})
    try:
        hint = eval(annotation, dict(vars(typing)), dict(space))
    except (NameError, TypeError, AttributeError):
        return []
    found: list[str] = []
    for part in (hint, *typing.get_args(hint)):
        if typing.get_origin(part) is typing.Literal:
            found += [repr(word) for word in typing.get_args(part)]
    return found


def sensible(name: str, owner: str, function: Callable[..., Any], parameter: inspect.Parameter) -> list[str]:
    """Values of an argument that mean something, as Python."""
    if parameter.name == "self":
        return SELVES.get(owner, [f"{owner}()"])
    if parameter.name == "method" and name in methods.FAMILIES:
        return [repr(word) for word in methods.FAMILIES[name].methods]
    annotation = str(parameter.annotation).strip("'")
    if parameter.name == "other" and owner in SELVES:
        return SELVES[owner]
    if words := choices(annotation, function):
        return words
    if parameter.name in SENSIBLE:
        return SENSIBLE[parameter.name]
    kind = annotation.split(" | ")[0]
    return BY_TYPE.get(kind) or BY_TYPE.get(kind.split("[")[0], HOSTILE_VALUES)


@functools.cache
def parameters_of(name: str) -> list[tuple[inspect.Parameter, list[str]]]:
    """The arguments of a target and what may be given for each."""
    function = TARGETS[name]
    owner, _, own = name.partition(".")
    made = inspect.signature(function).parameters.values()
    named = [p for p in made if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    return [
        (p, sensible(name, owner if own or inspect.isclass(function) else "", function, p)) for p in named
    ]


FEW = ("replications", "band_replications", "rng")
"""Always given: by default there are many replications, and another seed every time."""
FLOAT = st.one_of(
    st.sampled_from([0.0, 1.0, 2.0, 0.5, -1.0, 1e-320, 1e308]),
    st.floats(allow_nan=False, allow_infinity=False),
)


@st.composite
def drawn_scores(draw: Callable[..., Any]) -> str:
    """A few cases with any numbers."""
    values = draw(st.lists(FLOAT, min_size=2, max_size=8))
    labels = [1, 0, *draw(st.lists(st.integers(0, 1), min_size=len(values) - 2, max_size=len(values) - 2))]
    return f"Scores({labels}, {values})"


def _fitting(name: str, given: dict[str, str], kept: str) -> dict[str, str]:
    """Leave out options that the chosen method does not take, which would only be refused; few resamples."""
    entry = methods.FAMILIES.get(name)
    if entry is None:
        return given
    default = inspect.signature(TARGETS[name]).parameters.get("method")
    word = given.get("method", repr(default.default) if default is not None else "''").strip("'")
    row = entry.methods.get(word, next(iter(entry.methods.values())))
    others = {option for other in entry.methods.values() for option in other.options} - {*row.options}
    given = {k: v for k, v in given.items() if k == kept or k not in others}
    if "n_resamples" in row.options:
        given.setdefault("n_resamples", "4" if "power" in name or "sample_size" in name else "99")
    return given


def written(name: str, given: dict[str, str]) -> str:
    """The call as Python."""
    given = dict(given)
    subject = given.pop("self", None)
    by_place = (p.name for p, _ in parameters_of(name) if p.kind is not p.KEYWORD_ONLY and p.name != "self")
    words, gap = [], False
    for own in by_place:
        gap = gap or own not in given
        if own in given:
            words.append(f"{own}={given.pop(own)}" if gap else given.pop(own))
    words += [f"{own}={value}" for own, value in given.items()]
    return f"{name if subject is None else subject + '.' + name.partition('.')[2]}({', '.join(words)})"


def calls(name: str) -> st.SearchStrategy[str]:
    """Calls of one target as Python: one argument hostile, or none, and the others sensible."""
    listed = parameters_of(name)
    attackable = [p.name for p, _ in listed if p.name not in PASSED_ON]
    # All functions of tables have the same outer function.
    accepting = getattr(TARGETS[name], "__code__", None) is confroc.roc_curve.__code__

    @st.composite
    def call(draw: Callable[..., Any]) -> str:
        victim = draw(st.sampled_from(["", *attackable]))
        given = {}
        for parameter, values in listed:
            own, optional = parameter.name, parameter.default is not parameter.empty
            if own == victim:
                given[own] = draw(st.sampled_from(HOSTILE_VALUES) | FLOAT.map(repr))
            elif own == "n_resamples" and optional:
                continue
            elif not optional or draw(st.integers(0, 2)) == 0 or own in FEW:
                drawn = values is SCORES and draw(st.integers(0, 3)) == 0
                given[own] = draw(drawn_scores() if drawn else st.sampled_from(values))
                if own in ARRAYS and accepting and draw(st.integers(0, 4)) == 0:
                    given[own] = draw(st.sampled_from(ARRAYS[own]))
        return written(name, _fitting(name, given, victim))

    return call()


# --- what may come of it -------------------------------------------------------------------------------


class HangError(BaseException):
    """A call took too long."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """End a call that takes too long."""

    def stop(*_: object) -> None:
        raise HangError(f"no answer after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def raised_by_us(error: BaseException) -> bool:
    """Whether the sentence of an error was written by this package: it names an argument in backticks."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    own = trace is not None and str(trace.tb_frame.f_globals.get("__name__", "")).startswith("confroc")
    return own and "`" in str(error)


def refusal(error: BaseException) -> str | None:
    """Return what is wrong with an error; None where it is a clear refusal."""
    if isinstance(error, ArgumentError | ValueError | TypeError | ImportError | OSError) and raised_by_us(
        error
    ):
        return None
    if isinstance(error, confroc._files.CannotWriteError):
        return None
    return f"{type(error).__name__}: {str(error)[:300]}"


TIED = 1e-9
"""What rounding may do to an order of numbers."""


def _ordered(result: Any) -> Iterator[str]:
    estimate, lower, upper = (
        np.asarray(getattr(result, n), dtype=float) for n in ("estimate", "lower", "upper")
    )
    known = ~np.isnan(estimate)
    for name, bound in (("lower", lower), ("upper", upper)):
        if np.isnan(bound[known]).any() if bound.ndim else bool(known) and math.isnan(float(bound)):
            yield f"`{name}` is NaN where there is an estimate"
    slack = TIED * np.maximum(1.0, np.abs(np.nan_to_num(estimate)))
    with np.errstate(invalid="ignore"):
        if (lower > upper).any():
            yield "`lower` lies above `upper`"
        if (lower > estimate + slack).any() or (upper < estimate - slack).any():
            yield "the estimate lies outside its interval"


RANGES = {"auc": (0, 1), "tpr": (0, 1), "fpr": (0, 1), "precision": (0, 1)}


def complaints(result: Any, depth: int = 0) -> Iterator[str]:
    """Yield what is wrong with a result."""
    if isinstance(result, tuple | list) and depth < 3:
        for item in result:
            yield from complaints(item, depth + 1)
    if isinstance(result, Result) and dataclasses.is_dataclass(result):
        for field in dataclasses.fields(result):
            value = getattr(result, field.name)
            if isinstance(value, np.ndarray) and value.flags.writeable:
                yield f"`{field.name}` can be written to"
            yield from complaints(value, depth + 1)
        if all(hasattr(result, name) for name in ("estimate", "lower", "upper")):
            yield from _ordered(result)
            low, high = RANGES.get(str(getattr(result, "quantity", "")), (-math.inf, math.inf))
            for name in ("estimate", "lower", "upper"):
                value = np.asarray(getattr(result, name), dtype=float)
                if ((value < low) | (value > high)).any():
                    yield f"`{name}` lies outside [{low}, {high}]"
    if isinstance(result, Result) and depth == 0:
        yield from _shows(result)
    if isinstance(result, confroc.Scores | confroc.PairedScores):
        if depth == 0:
            yield from _copies(result)
        if isinstance(result, confroc.Scores) and not 0 <= result.auc <= 1:
            yield f"the area is {result.auc}"


def _shows(result: Result) -> Iterator[str]:
    for show in (repr, str, lambda r: r._repr_html_(), lambda r: r.to_dict(), lambda r: r.to_frame("polars")):
        show(result)
    yield from _copies(result)


def _copies(value: Any) -> Iterator[str]:
    """Copied means equal, and frozen still."""
    for how, copied in (("pickle", pickle.loads(pickle.dumps(value))), ("deepcopy", copy.deepcopy(value))):
        if repr(copied) != repr(value):
            yield f"after {how} it is another"
        held = (getattr(copied, "__dict__", None) or {}).values()
        if any(isinstance(array, np.ndarray) and array.flags.writeable for array in held):
            yield f"after {how} it can be written to"


def arrays_in(values: dict[str, Any]) -> list[np.ndarray]:
    """The arrays among arguments that may be written to."""
    return [
        v
        for v in values.values()
        if isinstance(v, np.ndarray) and v.flags.writeable and v.dtype.kind in "fiu"
    ]


def verdict(text: str) -> str | None:
    """Make a call and return what is wrong with its outcome, or None."""
    # Arguments first: what fails there is no call of ours.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        name, arguments = taken_apart(text)
        try:
            values = {key: eval(word, SPACE) for key, word in arguments.items()}
            function = eval(name, {**SPACE, **values})
        except ArgumentError:
            return None
    before = [(array, array.copy()) for array in arrays_in(values)]
    by_place = [v for k, v in values.items() if k.startswith("_place")]
    by_name = {k: v for k, v in values.items() if not k.startswith("_")}
    quiet = redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO())
    with warnings.catch_warnings(), quiet[0], quiet[1]:
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ConfrocWarning)
        try:
            with limited(SECONDS):
                found = function(*by_place, **by_name)
                wrong = list(complaints(found))
        except HangError as error:
            return None if name in STUDIES else str(error)
        except Exception as error:
            return refusal(error)
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
    if any(not np.array_equal(array, kept, equal_nan=array.dtype.kind == "f") for array, kept in before):
        wrong.append("an argument was changed")
    if isinstance(found, Result):
        shown = repr(found.to_dict())
        for array, _ in before:
            array[...] = 1
        if repr(found.to_dict()) != shown:
            wrong.append("the result changes with the caller's array")
    return "; ".join(wrong) or None


def taken_apart(text: str) -> tuple[str, dict[str, str]]:
    """What is called, and its arguments by name or place, as Python; `_self` is what a method belongs to."""
    tree = ast.parse(text, mode="eval").body
    assert isinstance(tree, ast.Call)
    values = {f"_place{i}": ast.unparse(arg) for i, arg in enumerate(tree.args)}
    values |= {str(word.arg): ast.unparse(word.value) for word in tree.keywords}
    if isinstance(tree.func, ast.Attribute) and not isinstance(tree.func.value, ast.Name):
        return f"_self.{tree.func.attr}", values | {"_self": ast.unparse(tree.func.value)}
    return ast.unparse(tree.func), values
