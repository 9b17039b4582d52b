"""An option given is used or refused: every option of every method, function and command is tried.

Each function is called with each of its methods, once without and once with a value of each option other
than the default. The result must differ, or the option be refused by name. `rng` and `n_jobs` are settings of
how a computation runs, which every method accepts. A new option without an entry in these tables fails here.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import click
import numpy as np
import pytest

import confroc
from confroc import ConfrocWarning, PairedScores, Scores, UnpairedScores, cost, exact, methods
from confroc._check import ArgumentError
from confroc.bands import ks_statistic
from confroc.base import keywords_of
from confroc.cli import main
from confroc.statistics import Auc, AveragePrecision
from support import invoke, slow

SETTINGS = ("rng", "n_jobs")
"""Settings that every method accepts."""

g = np.random.default_rng(8)
Y = np.repeat([1, 0], [14, 20])
PAIR = PairedScores(Y, (g.normal(size=34) + 1.3 * Y).round(2), (g.normal(size=34) + 0.8 * Y).round(2))
ONE, OTHER = PAIR.a, PAIR.b
MORE = Scores(np.repeat([1, 0], [20, 40]), g.normal(size=60) + np.repeat([1.5, 0.0], [20, 40]))
MORE_PAIR = PairedScores(
    np.repeat([1, 0], [20, 20]), *(g.normal(size=40) + np.repeat([2.0 - i, 0.0], 20) for i in range(2))
)
APART = UnpairedScores(ONE, MORE)
RISKS = PairedScores(
    Y, 0.05 + 0.9 * np.argsort(np.argsort(g.normal(size=34) + Y)) / 34, (g.random(34) + 0.6 * Y) / 1.6
)
PARTS = [
    Scores(np.repeat([1, 0], [8, 12]), g.normal(size=20) + np.repeat([m, 0.0], [8, 12])) for m in (1.0, 2.0)
]
LARGER = Scores(np.repeat([1, 0], [61, 83]), g.normal(size=144) + np.repeat([1.5, 0.0], [61, 83]))
THREE = PairedScores(Y, *(g.normal(size=34) + shift * Y for shift in (0.5, 1.0, 1.5)))


RATED = {
    t: {r: np.arange(34) % k + j * Y for r, k, j in each}
    for t, each in {"u": [("x", 7, 3), ("y", 5, 2)], "v": [("x", 11, 1), ("y", 6, 3)]}.items()
}


class Given(NamedTuple):
    """A value of an option, what else must be given for it to have a meaning, and what must not."""

    value: Any
    beside: Mapping[str, Any] = MappingProxyType({})
    without: tuple[str, ...] = ()


class Called(NamedTuple):
    """How a function is called, and a value other than the default for each of its options."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    options: dict[str, Any]
    base: Mapping[str, Any] = MappingProxyType({})


FEW = {"n_resamples": 161, "confidence_level": 0.8, "sampling": "full", "size": (9, 15)}
PART = {"max_fpr": 0.4, "min_tpr": 0.5, "standardize": Given(True, {"max_fpr": 0.4})}
BOTH_THRESHOLDS = {
    "threshold_a": Given(0.55, {"threshold_b": 0.4}),
    "threshold_b": Given(0.55, {"threshold_a": 0.4}),
}
STUDY = {
    "model_b": 0.7,
    "correlation": Given((0.5, 0.4), {"model_b": 0.7}),
    "null_auc": 0.6,
    "alternative": "one-sided",
    "margin": Given(0.05, {"alternative": "non-inferiority", "model_b": 0.78}),
    "significance_level": 0.1,
    "variance": "obuchowski",
    "n_resamples": 11,
}

STATISTIC_STUDY = {
    "null": 0.02,
    "effect": 0.1,
    "alternative": "one-sided",
    "margin": Given(0.2, {"alternative": "non-inferiority"}),
    "significance_level": 0.1,
}

TEST = {"alternative": "less", "divergence": "chi2", "n_resamples": 161}

FUNCTIONS = {
    "rates_at_threshold": Called(
        confroc.rates_at_threshold, (ONE,), FEW | {"joint": True} | {"threshold": 0.5}, {"threshold": 0.6}
    ),
    "tpr_at_fpr": Called(
        confroc.tpr_at_fpr,
        (ONE,),
        FEW
        | {"bandwidth": (0.1, 3.0), "kernel": "uniform", "center": "smoothed", "tails": "basic"}
        | {"fpr": 0.5, "ranks": "published"},
        {"fpr": 0.3},
    ),
    "fpr_at_tpr": Called(
        confroc.fpr_at_tpr,
        (ONE,),
        FEW | {"bandwidth": 0.7, "kernel": "uniform", "ranks": "published"} | {"tpr": 0.5},
        {"tpr": 0.6},
    ),
    "rates_at_positive_rate": Called(
        confroc.rates_at_positive_rate,
        (ONE,),
        FEW | {"sampling": "stratified"} | {"positive_rate": 0.7},
        {"positive_rate": 0.4},
    ),
    "risk_coverage_curve": Called(
        confroc.risk_coverage_curve,
        (ONE,),
        {name: FEW[name] for name in ("n_resamples", "confidence_level", "size")} | {"coverage": 0.7},
        {"coverage": 0.4},
    ),
    "rates_difference_at_threshold": Called(
        confroc.rates_difference_at_threshold,
        (PAIR,),
        FEW | {"joint": True} | {"threshold_a": 0.5, "threshold_b": 0.5},
        {"threshold_a": 0.6, "threshold_b": 0.6},
    ),
    "rates_difference_at_positive_rate": Called(
        confroc.rates_difference_at_positive_rate,
        (PAIR,),
        FEW | {"sampling": "stratified"} | {"positive_rate": 0.7},
        {"positive_rate": 0.4},
    ),
    "tpr_difference_at_fpr": Called(
        confroc.tpr_difference_at_fpr, (PAIR,), FEW | {"fpr": 0.5, "ranks": "published"}, {"fpr": 0.3}
    ),
    "aligned_thresholds": Called(
        confroc.aligned_thresholds,
        (PAIR,),
        {"by": "calibration"} | {"threshold_a": 0.5},
        {"threshold_a": 0.6},
    ),
    "dominance_at_threshold": Called(
        confroc.dominance_at_threshold,
        (PAIR,),
        {"size": (9, 15)} | {"threshold_a": 0.5, "threshold_b": 0.5},
        {"threshold_a": 0.6, "threshold_b": 0.6},
    ),
    "auc_interval": Called(
        confroc.auc_interval,
        (ONE,),
        FEW
        | PART
        | {"error_rate": 0.21, "bandwidth": 0.7, "kernel": "uniform", "center": "smoothed", "tails": "basic"},
    ),
    "auc_difference": Called(
        confroc.auc_difference,
        (PAIR,),
        FEW
        | PART
        | {
            "alternative": "less",
            "margin": Given(0.1, {"alternative": "non-inferiority"}),
            "only_a": MORE,
            "only_b": MORE,
        },
    ),
    "curve_test": Called(confroc.curve_test, (PAIR,), {"n_resamples": 161, "method": "venkatraman"}),
    "reader_comparison": Called(
        confroc.reader_comparison,
        (Y, RATED),
        {"readers": "fixed", "confidence_level": 0.8, "pos_label": 0, "statistic": AveragePrecision()},
    ),
    "auc_comparison": Called(
        confroc.auc_comparison,
        (THREE,),
        PART | FEW | {"n_resamples": 1600, "adjust": "bonferroni", "reference": "b"},
    ),
    "auc_power": Called(
        confroc.auc_power, (0.8,), STUDY | {"n_pos": 21, "n_neg": 23}, {"n_pos": 20, "n_neg": 20}
    ),
    "auc_sample_size": Called(
        confroc.auc_sample_size, (0.8,), STUDY | {"power": 0.9, "width": 0.2, "ratio": 2.0}
    ),
    "rate_sample_size": Called(
        confroc.rate_sample_size,
        (0.9,),
        {
            "fpr": 0.05,
            "power": 0.9,
            "width": 0.2,
            "ratio": 2.0,
            "null_tpr": 0.3,
            "alternative": "one-sided",
            "significance_level": 0.1,
        },
        {"fpr": 0.1},
    ),
    "power": Called(
        confroc.power,
        (PAIR, Auc()),
        STATISTIC_STUDY | {"n_pos": 21, "n_neg": 23},
        {"n_pos": 20},
    ),
    "sample_size": Called(
        confroc.sample_size, (PAIR, Auc()), STATISTIC_STUDY | {"power": 0.9, "width": 0.2, "ratio": 2.0}
    ),
    "roc_band": Called(
        confroc.roc_band,
        (LARGER,),
        {
            "n_resamples": 161,
            "confidence_level": 0.8,
            "fpr": (0.1, 0.5),
            "calibration": Given("exact", {}, ("n_resamples",)),
            "joint": False,
            "slope": "published",
            "distribution": "empirical",
            "trials": Given("curves", {"distribution": "binomial"}),
            "joined": "box",
            "n_points": 7,
            "metric": "sup",
            "smoothing": False,
            "bandwidth": (0.1, 3.0),
            "kernel": "uniform",
            "center": "smoothed",
            "sampling": "full",
        },
    ),
    "average_precision": Called(
        confroc.average_precision,
        (ONE,),
        FEW | {"sampling": "stratified", "max_recall": 0.5, "prior": 0.1},
    ),
    "average_precision_difference": Called(
        confroc.average_precision_difference,
        (PAIR,),
        FEW
        | {"sampling": "stratified", "max_recall": 0.5, "prior": 0.1}
        | {"alternative": "less", "margin": Given(0.05, {"alternative": "non-inferiority"})},
    ),
    "equal_error_rate": Called(confroc.equal_error_rate, (ONE,), {"confidence_level": 0.8}),
    "precision_at_recall": Called(
        confroc.precision_at_recall,
        (ONE,),
        {"confidence_level": 0.8, "sampling": "stratified", "prior": 0.1, "recall": 0.5, "rate": "wald"},
        {"recall": 0.6},
    ),
    "pr_curve": Called(confroc.pr_curve, (ONE,), {"prior": 0.1}),
    "pr_band": Called(
        confroc.pr_band,
        (LARGER,),
        {
            "n_resamples": 161,
            "confidence_level": 0.8,
            "calibration": Given("exact", {}, ("n_resamples",)),
            "joint": False,
            "slope": "published",
            "distribution": "empirical",
            "trials": Given("curves", {"distribution": "binomial"}),
            "joined": "box",
            "n_points": 7,
            "metric": "sup",
            "smoothing": False,
            "bandwidth": (0.1, 3.0),
            "kernel": "uniform",
            "center": "smoothed",
            "sampling": "stratified",
            "prior": 0.1,
        },
    ),
    "roc_difference_band": Called(
        confroc.roc_difference_band,
        (PAIR,),
        {"n_resamples": 161, "confidence_level": 0.8, "fpr": (0.1, 0.5)},
    ),
    "cost_curve": Called(
        confroc.cost_curve,
        (ONE,),
        FEW
        | {
            "threshold": 0.1,
            "validation": MORE,
            "threshold_range": "both_classes",
            "prior": (3, 9),
        }
        | {"w": 0.7},
        {"w": 0.4},
    ),
    "cost_difference": Called(
        confroc.cost_difference,
        (PAIR,),
        FEW
        | BOTH_THRESHOLDS
        | {
            "validation": MORE_PAIR,
            "threshold_range": "both_classes",
            "prior": (3, 9),
        }
        | {"w": 0.7},
        {"w": 0.4},
    ),
    "cost_band": Called(
        confroc.cost_band,
        (ONE,),
        {
            "n_resamples": 161,
            "confidence_level": 0.8,
            "sampling": "full",
            "threshold": 0.1,
            "validation": MORE,
            "prior": (3, 9),
        }
        | {"w": 0.7},
        {"w": 0.4},
    ),
    "cost_difference_band": Called(
        confroc.cost_difference_band,
        (PAIR,),
        {
            "n_resamples": 161,
            "confidence_level": 0.8,
            "sampling": "full",
            **BOTH_THRESHOLDS,
            "validation": MORE_PAIR,
            "prior": (3, 9),
        }
        | {"w": 0.7},
        {"w": 0.4},
    ),
    "best_threshold": Called(
        confroc.best_threshold,
        (ONE,),
        {
            "criterion": "mcc",
            "false_negative": 3.0,
            "false_positive": 2.0,
            "beta": Given(2.0, {"criterion": "fbeta"}),
            "risk": Given(0.3, {"criterion": "net_benefit"}),
            "max_fpr": Given(0.3, {"criterion": "max_tpr"}),
            "prior": 0.2,
            "validation": MORE,
            "sampling": "stratified",
            "confidence_level": 0.8,
            "n_resamples": 161,
        },
    ),
    "expected_cost": Called(
        confroc.expected_cost,
        (ONE,),
        {
            "false_negative": 3.0,
            "false_positive": 2.0,
            "prior": 0.2,
            "threshold": 0.1,
            "validation": Given(MORE, {"n_resamples": 80}, ("threshold",)),
            "sampling": "stratified",
            "size": (9, 15),
            "confidence_level": 0.8,
            "n_resamples": 161,
        },
        {"false_negative": 2.0, "false_positive": 1.0, "threshold": 0.6},
    ),
    "expected_cost_difference": Called(
        cost.expected_cost_difference,
        (PAIR,),
        {
            "false_negative": 3.0,
            "false_positive": 2.0,
            "prior": 0.2,
            **BOTH_THRESHOLDS,
            "validation": Given(MORE_PAIR, {}, ("threshold_a", "threshold_b")),
            "sampling": "stratified",
            "size": (9, 15),
            "confidence_level": 0.8,
            "n_resamples": 161,
        },
        {"false_negative": 2.0, "false_positive": 1.0, "threshold_a": 0.6, "threshold_b": 0.5},
    ),
    "net_benefit": Called(
        confroc.net_benefit,
        (RISKS.a,),
        {
            "threshold": 0.5,
            "prior": 0.2,
            "sampling": "stratified",
            "standardized": True,
            "size": (9, 15),
            "confidence_level": 0.8,
            "n_resamples": 161,
        }
        | {"risk": 0.5},
        {"risk": 0.3},
    ),
    "net_benefit_difference": Called(
        confroc.net_benefit_difference,
        (RISKS,),
        {
            **BOTH_THRESHOLDS,
            "prior": 0.2,
            "sampling": "stratified",
            "standardized": True,
            "size": (9, 15),
            "confidence_level": 0.8,
            "n_resamples": 161,
        }
        | {"risk": 0.5},
        {"risk": 0.3},
    ),
    "auc_forecast": Called(
        confroc.auc_forecast,
        (ONE,),
        {
            "radius": 0.1,
            "segments": PARTS,
            "jeffreys": 0.1,
            "divergence": "chi2",
            "n_bins": 5,
            "size": (9, 15),
            "confidence_level": 0.8,
            "n_resamples": 161,
        },
    ),
    "auc_test": Called(
        confroc.auc_test,
        (ONE,),
        TEST | {"null_auc": 0.5},
        {"n_resamples": 80, "null_auc": 0.6, "method": "nearest_population"},
    ),
    "auc_equality_test": Called(confroc.auc_equality_test, (PAIR,), TEST, {"n_resamples": 80}),
    "drift_monitor": Called(
        confroc.drift_monitor,
        (ONE, PARTS),
        {
            "forecast": confroc.auc_forecast(ONE, jeffreys=0.1),
            "n_bins": 5,
            "confidence_level": 0.8,
            "n_resamples": 461,
        },
    ),
    "forecast_curve": Called(
        confroc.forecast_curve,
        (ONE,),
        {"divergence": "chi2", "n_bins": 5, "size": (9, 15)} | {"radius": [0.2]},
        {"radius": [0.1]},
    ),
    "nearest_distribution": Called(
        confroc.nearest_distribution, (ONE,), {"divergence": "chi2"} | {"auc": 0.5}, {"auc": 0.6}
    ),
    "calibration_band": Called(
        confroc.calibration_band,
        (RISKS.a,),
        {
            "confidence_level": 0.8,
            "n_groups": 5,
            "n_resamples": 161,
            "calibration": Given("exact", {}, ("n_resamples",)),
        },
    ),
    "ks_statistic": Called(ks_statistic, (LARGER,), {"confidence_level": 0.8}),
    "confusion_at_threshold": Called(
        confroc.confusion_at_threshold,
        (ONE,),
        {
            "threshold": 0.1,
            "prior": 0.2,
            "sampling": "stratified",
            "size": (9, 15),
            "confidence_level": 0.8,
            "n_resamples": 161,
        },
        {"threshold": 0.6},
    ),
    "threshold_at": Called(
        confroc.threshold_at,
        (ONE,),
        {
            "confidence_level": 0.8,
            "fpr": 0.2,
            "tpr": Given(0.5, {}, ("fpr",)),
            "precision": Given(0.5, {}, ("fpr",)),
            "positive_rate": Given(0.5, {}, ("fpr",)),
            "prior": Given(0.2, {"precision": 0.5}, ("fpr",)),
        },
        {"fpr": 0.5},
    ),
    "cost_pmf": Called(
        cost.cost_pmf,
        (ONE,),
        {"threshold": 0.1, "prior": (3, 9), "sampling": "full", "size": (9, 15)} | {"w": 0.7},
        {"threshold": 0.6} | {"w": 0.4},
    ),
    "cost_difference_pmf": Called(
        cost.cost_difference_pmf,
        (PAIR,),
        {
            "threshold_a": 0.1,
            "threshold_b": 0.1,
            "prior": (3, 9),
            "sampling": "full",
            "size": (9, 15),
        }
        | {"w": 0.7},
        {"threshold_a": 0.6, "threshold_b": 0.5} | {"w": 0.4},
    ),
    "cost_optimism": Called(cost.cost_optimism, (ONE,), {"folds": 5, "repeats": 3} | {"w": 0.7}, {"w": 0.4}),
    "threshold_pmf": Called(exact.threshold_pmf, (ONE,), {"size": (9, 15)} | {"fpr": 0.5}, {"fpr": 0.3}),
    "tpr_pmf": Called(
        exact.tpr_pmf, (ONE,), {"size": (9, 15), "sampling": "full"} | {"fpr": 0.5}, {"fpr": 0.3}
    ),
    "joint_threshold_pmf": Called(
        exact.joint_threshold_pmf, (PAIR,), {"size": (9, 15)} | {"fpr": 0.5}, {"fpr": 0.3}
    ),
    "tpr_difference_pmf": Called(
        exact.tpr_difference_pmf, (PAIR,), {"size": (9, 15)} | {"fpr": 0.5}, {"fpr": 0.3}
    ),
}


def outcome(called: Called, given: dict[str, Any]) -> Any:
    """What a call returns, as plain values, or the error that it ends with."""
    settings = {name: 1 for name in SETTINGS if name in keywords_of(called.function)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        try:
            found = called.function(*called.args, **{**called.base, **settings, **given})
        except ArgumentError as error:
            return error
    return repr(found.to_dict() if hasattr(found, "to_dict") else found)


FEWEST = {"auc_power": 4, "auc_sample_size": 4, "auc_comparison": 240, "drift_monitor": 320}


def options_of(function: Callable[..., Any]) -> list[str]:
    return [name for name in keywords_of(function) if name not in (*SETTINGS, "method")]


def ways(called: Called, name: str) -> list[dict[str, Any]]:
    """Every method of a function, with as few resamples as do."""
    entry = methods.FAMILIES.get(name)
    if entry is None:
        return [{}]
    named = "method" in inspect.signature(called.function).parameters
    found = []
    for row in entry.methods.values():
        if row.name == "permutation":
            # Cases with both scores: all swaps are counted.
            found.append({"method": row.name})
            continue
        few = {"n_resamples": FEWEST.get(name, 80)} if "n_resamples" in row.options else {}
        found.append(({"method": row.name} if named else {}) | few)
    return found


def refused(error: ArgumentError, option: str) -> bool:
    return option in str(error)


def tried(
    called: Called, way: dict[str, Any], bare: Any, option: str
) -> Iterator[tuple[Any, Any, tuple[str, ...]]]:
    """Outcomes without an option, which is `bare`, and with it, and the options whose refusal would do.

    First by itself, then with what it needs to have a meaning and without what it excludes.
    """
    given = called.options[option]
    value, beside, without = given if isinstance(given, Given) else (given, {}, ())
    yield bare, outcome(called, way | {option: value}), (option,)
    if beside or without:
        kept = called._replace(base={k: v for k, v in called.base.items() if k not in without})
        wanted = {k: v for k, v in way.items() if k not in without} | {**beside, option: value}
        yield outcome(called, way | {**beside}), outcome(kept, wanted), (option, *beside)


@pytest.mark.parametrize(
    "name", slow(FUNCTIONS, "rates_difference_at_positive_rate", "confusion_at_threshold")
)
def test_every_option_of_every_method(name: str) -> None:
    called = FUNCTIONS[name]
    # That any number of resamples is noticed is for the next test.
    ignored, used = [], {"n_resamples"} & {*called.options}
    for way in ways(called, name):
        bare = outcome(called, way)
        for option in options_of(called.function):
            for before, after, named in tried(called, way, bare, option):
                if isinstance(after, ArgumentError):
                    if not any(refused(after, o) for o in named):
                        ignored.append((way, option, str(after)))
                elif before != after:
                    used.add(option)
                elif option != "n_resamples":
                    ignored.append((way, option, named))
    assert not ignored, f"{name}: neither used nor refused: {ignored}"
    assert used == set(options_of(called.function)), (name, used ^ {*options_of(called.function)})


RESAMPLED = [name for name in FUNCTIONS if "n_resamples" in FUNCTIONS[name].options]


@pytest.mark.parametrize("name", RESAMPLED)
def test_a_number_of_resamples_reaches_every_method_or_is_refused(name: str) -> None:
    """Two numbers may give the same percentiles; an impossible one must be noticed by everyone."""
    called = FUNCTIONS[name]
    for way in ways(called, name):
        found = outcome(called, way | {"n_resamples": 0})
        assert isinstance(found, ArgumentError), (name, way)
        assert found.argument == "n_resamples"


def test_every_function_with_methods_is_tried() -> None:
    assert FUNCTIONS.keys() >= methods.FAMILIES.keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", methods.FAMILIES)
def test_an_object_is_what_a_name_and_options_stand_for(name: str) -> None:
    called, entry = FUNCTIONS[name], methods.FAMILIES[name]
    if "method" not in inspect.signature(called.function).parameters:
        return
    for way in ways(called, name):
        cls = entry.classes[way["method"]]
        settings = {"rng": 1} if "rng" in entry.options and hasattr(cls, "rng") else {}
        own = {option: value for option, value in way.items() if option != "method"}
        by_object = outcome(called, {"method": cls(**own, **settings)})
        assert repr(by_object) == repr(outcome(called, way)), (name, way)


# --- the command line ----------------------------------------------------------------------------------

QUIET = ("rng", "n_jobs", "quiet", "force")
"""Settings of how a command runs."""

OTHERS = ("demo", "audit", "schema", "completion")
"""Commands about studies and words, with tests of their own."""


class Command(NamedTuple):
    """Arguments of a command, and those that an option adds, with what it needs to have a meaning."""

    args: tuple[str, ...]
    options: Mapping[str, tuple[str, ...]]
    reads: bool = True


DESIGN = {
    "sample_weight": ("--weight", "part"),
    "weight_kind": ("--weight-kind", "frequency", "--weight", "part"),
    "cluster": ("--cluster", "part"),
    "strata": ("--strata", "part"),
}
READ = {
    "label": ("--label", "other"),
    "score": ("--score", "c"),
    "pos_label": ("--pos-label", "0"),
    "nan_policy": ("--nan-policy", "raise"),
    "resolution": ("--resolution", "3"),
    "decimal": ("--decimal", ","),
    "as_json": ("--json",),
    "as_csv": ("--csv",),
    "as_latex": ("--latex",),
    **DESIGN,
}
LEVEL = {"confidence_level": ("--confidence-level", "0.8")}
COSTS = ("--false-negative", "2", "--false-positive", "1")
DRAWN = LEVEL | {"n_resamples": ("--n-resamples", "161"), "plot": ("--plot", "PICTURE")}
AREA = {
    "max_fpr": ("--max-fpr", "0.4"),
    "min_tpr": ("--min-tpr", "0.5"),
    "standardize": ("--standardize", "--max-fpr", "0.4"),
}

COMMANDS = {
    "report": Command(
        ("--output", "PAGE"),
        LEVEL
        | {
            "path": ("--output", "ELSEWHERE"),
            "false_negative": ("--false-negative", "3", "--false-positive", "1"),
            "false_positive": ("--false-positive", "3", "--false-negative", "1"),
            "prior": ("--prior", "0.2"),
            "jeffreys": ("--jeffreys", "0.2"),
            "threshold": ("--threshold", "0.2"),
            "validation": ("--validation", "SECOND"),
            "names": ("--name", "a=A"),
            "group": ("--group", "part"),
            "segment_column": ("--segment-column", "part"),
            "segment_files": ("--segment-files",),
            "title": ("--title", "Another"),
            "description": ("--description", "What the scores are"),
        },
    ),
    "auc": Command(
        (),
        DRAWN
        | AREA
        | {
            "fail_below": ("--fail-below", "2"),
            "method": ("--method", "delong"),
            "error_rate": ("--error-rate", "0.2", "--method", "cortes_mohri"),
            "size": ("--size", "9", "9", "--method", "exact_bootstrap"),
            "sampling": ("--sampling", "full", "--method", "bootstrap"),
            "bandwidth": ("--bandwidth", "0.1,3", "--method", "smoothed_bootstrap"),
            "kernel": ("--kernel", "uniform", "--bandwidth", "2", "--method", "smoothed_bootstrap"),
            "center": ("--center", "smoothed", "--method", "smoothed_bootstrap"),
            "tails": ("--tails", "basic", "--method", "smoothed_bootstrap"),
            "null_auc": ("--null-auc", "0.6", "--n-resamples", "20"),
            "fold": ("--fold", "part"),
            "case": ("--case", "other", "--fold", "part"),
            "alternative": ("--alternative", "less", "--null-auc", "0.6", "--n-resamples", "20"),
            "divergence": ("--divergence", "chi2", "--null-auc", "0.6", "--n-resamples", "20"),
        },
    ),
    "roc": Command(
        (),
        DRAWN
        | {
            "fpr": ("--fpr", "0.3"),
            "tpr": ("--tpr", "0.3"),
            "threshold": ("--threshold", "0.3"),
            "positive_rate": ("--positive-rate", "0.3"),
            "fail_below": ("--fail-below", "2", "--fpr", "0.3"),
            "joint": ("--joint", "--threshold", "0.5"),
            "method": ("--method", "wald"),
            "sampling": ("--sampling", "full", "--method", "bootstrap", "--threshold", "0.5"),
            "size": ("--size", "9", "9", "--method", "wald", "--fpr", "0.3"),
            "ranks": ("--ranks", "published", "--method", "wald", "--fpr", "0.3"),
            "bandwidth": ("--bandwidth", "0.1,3", "--method", "smoothed_bootstrap"),
            "kernel": ("--kernel", "uniform", "--bandwidth", "2", "--method", "smoothed_bootstrap"),
            "center": ("--center", "smoothed", "--method", "smoothed_bootstrap"),
            "tails": ("--tails", "basic", "--method", "smoothed_bootstrap"),
        },
    ),
    "band": Command(
        ("--n-resamples", "80"),
        DRAWN
        | {
            "method": ("--method", "fixed_width"),
            "calibration": ("--calibration", "exact"),
            "distribution": ("--distribution", "empirical"),
            "trials": ("--trials", "curves", "--distribution", "binomial", "--method", "vertical_averaging"),
            "joined": ("--joined", "box", "--method", "threshold_averaging"),
            "n_points": ("--n-points", "7", "--method", "vertical_averaging"),
            "slope": ("--slope", "published"),
            "metric": ("--metric", "sup"),
            "smoothing": ("--no-smoothing",),
            "joint": ("--no-joint",),
            "fpr": ("--fpr", "0.1", "0.5"),
            # These refuse the number of resamples.
            "segment_column": ("--segment-column", "part", "--method", "fixed_width", "--n-resamples", "161"),
            "segment_files": ("--segment-files", "--method", "fixed_width", "--n-resamples", "161"),
            "sampling": ("--sampling", "full", "--method", "bootstrap"),
            "bandwidth": ("--bandwidth", "0.1,3", "--method", "bootstrap"),
            "kernel": ("--kernel", "uniform", "--bandwidth", "2", "--method", "bootstrap"),
            "center": ("--center", "smoothed", "--method", "bootstrap"),
        },
    ),
    "interval": Command(
        ("--statistic", "average_precision"),
        DRAWN
        | {
            "statistic": ("--statistic", "auc"),
            "fail_below": ("--fail-below", "2"),
            "method": ("--method", "wald"),
            "size": ("--size", "9", "9", "--method", "bootstrap"),
            "sampling": ("--sampling", "full", "--method", "bootstrap"),
        },
    ),
    "compare": Command(
        ("--score", "b"),
        DRAWN
        | AREA
        | {
            "against": ("--against", "SECOND"),
            "group": ("--group", "part"),
            "curve_test": ("--curve-test", "--n-resamples", "80"),
            "statistic": ("--statistic", "tpr_at_fpr=0.2"),
            "fpr": ("--fpr", "0.2", "0.6", "--band", "--n-resamples", "80"),
            "fail_below": ("--fail-below", "2"),
            "method": ("--method", "newcombe"),
            "size": ("--size", "9", "9", "--method", "bootstrap"),
            "sampling": ("--sampling", "full", "--method", "bootstrap"),
            "adjust": ("--adjust", "none"),
            "reference": ("--reference", "a"),
            "alternative": ("--alternative", "less"),
            "margin": ("--margin", "0.1", "--alternative", "non-inferiority"),
            "only_a": ("--only-a", "SECOND"),
            "only_b": ("--only-b", "SECOND"),
            "equality_test": ("--equality-test", "--n-resamples", "20"),
            "divergence": ("--divergence", "chi2", "--equality-test"),
            "band": ("--band", "--n-resamples", "80"),
        },
    ),
    "threshold": Command(
        ("--criterion", "cost", *COSTS, "--score", "b", "--n-resamples", "80"),
        DRAWN
        | {
            # These go without a criterion.
            **{name: (f"--{name.replace('_', '-')}", "0.2") for name in ("fpr", "tpr", "precision")},
            "positive_rate": ("--positive-rate", "0.2"),
            "criterion": ("--criterion", "mcc"),
            "false_negative": ("--false-negative", "3"),
            "false_positive": ("--false-positive", "3"),
            "beta": ("--beta", "2", "--criterion", "fbeta"),
            "risk": ("--risk", "0.3", "--criterion", "net_benefit"),
            "max_fpr": ("--max-fpr", "0.3", "--criterion", "max_tpr"),
            "prior": ("--prior", "0.2"),
            "sampling": ("--sampling", "stratified"),
            "validation": ("--validation", "SECOND"),
            "seed": ("--seed", "3"),
        },
    ),
    "confusion": Command(
        ("--threshold", "0.5"),
        LEVEL
        | {
            "threshold": ("--threshold", "0.3"),
            "method": ("--method", "wilson"),
            "prior": ("--prior", "0.2"),
            "sampling": ("--sampling", "stratified"),
            "size": ("--size", "40", "40", "--method", "bootstrap"),
            "n_resamples": ("--n-resamples", "161", "--method", "bootstrap"),
            "seed": ("--seed", "3", "--method", "bootstrap"),
        },
    ),
    "pr": Command(
        ("--score", "b", "--recall", "0.5", "--band", "--n-resamples", "80"),
        DRAWN
        | {
            "recall": ("--recall", "0.8"),
            "max_recall": ("--max-recall", "0.5"),
            "prior": ("--prior", "0.1"),
            "sampling": ("--sampling", "stratified"),
            "band": ("--band", "--confidence-level", "0.9"),
            "fail_below": ("--fail-below", "2"),
            "method": ("--method", "fixed_width"),
            "rate": ("--rate", "wald"),
            "size": ("--size", "9", "9", "--method", "bootstrap"),
            "calibration": ("--calibration", "exact"),
            "distribution": ("--distribution", "empirical"),
            "trials": ("--trials", "curves", "--distribution", "binomial", "--method", "vertical_averaging"),
            "joined": ("--joined", "box", "--method", "threshold_averaging"),
            "n_points": ("--n-points", "7", "--method", "vertical_averaging"),
            "slope": ("--slope", "published"),
            "metric": ("--metric", "sup", "--method", "bootstrap"),
            "smoothing": ("--no-smoothing", "--method", "bootstrap"),
            "joint": ("--no-joint",),
            "bandwidth": ("--bandwidth", "0.1,3", "--method", "bootstrap"),
            "kernel": ("--kernel", "uniform", "--bandwidth", "2", "--method", "bootstrap"),
            "center": ("--center", "smoothed", "--method", "bootstrap"),
        },
    ),
    "calibration": Command(
        (),
        LEVEL
        | {
            "method": ("--method", "isotonic_contraction"),
            "n_groups": ("--n-groups", "5"),
            "n_resamples": ("--n-resamples", "161"),
            "seed": ("--seed", "3"),
            "calibration": ("--calibration", "exact"),
            "plot": ("--plot", "PICTURE"),
        },
    ),
    "compare-rates": Command(
        ("--score", "b", "--fpr", "0.2"),
        LEVEL
        | {
            "against": ("--against", "SECOND"),
            "group": ("--group", "part"),
            "fpr": ("--fpr", "0.3"),
            "threshold": ("--threshold", "0.3", "0.5"),
            "positive_rate": ("--positive-rate", "0.3"),
            "threshold_a": ("--threshold-a", "0.5"),
            "by": ("--by", "calibration", "--threshold-a", "0.5"),
            "joint": ("--joint", "--threshold", "0.3", "0.5"),
            "dominance": ("--dominance", "--threshold", "0.3", "0.5"),
            "method": ("--method", "wald"),
            "n_resamples": ("--n-resamples", "161"),
            "size": ("--size", "9", "9", "--method", "wald"),
            "ranks": ("--ranks", "published", "--method", "wald"),
            "sampling": ("--sampling", "stratified", "--positive-rate", "0.3", "--method", "bootstrap"),
        },
    ),
    "cost": Command(
        (*COSTS, "--threshold", "0.5"),
        DRAWN
        | {
            "false_negative": ("--false-negative", "3"),
            "false_positive": ("--false-positive", "3"),
            "w": ("--w", "0.3"),
            "prior": ("--prior", "0.2"),
            "sampling": ("--sampling", "stratified"),
            "threshold": ("--threshold", "0.2"),
            "threshold_range": ("--threshold-range", "observed", "--w", "0.3"),
            "validation": ("--validation", "SECOND"),
            "method": ("--method", "wald"),
            "size": ("--size", "9", "9", "--method", "wald"),
        },
    ),
    "decision": Command(
        ("--risk", "0.3", "--threshold", "0.5"),
        LEVEL
        | {
            "risk": ("--risk", "0.2"),
            "prior": ("--prior", "0.2"),
            "sampling": ("--sampling", "stratified"),
            "threshold": ("--threshold", "0.2"),
            "standardized": ("--standardized",),
            "interventions_avoided": ("--interventions-avoided",),
            "method": ("--method", "wald"),
            "n_resamples": ("--n-resamples", "161", "--method", "bootstrap"),
            "seed": ("--seed", "3", "--method", "bootstrap"),
            "n_jobs": None,
            "size": ("--size", "9", "9", "--method", "wald"),
            "plot": ("--plot", "PICTURE"),
        },
    ),
    "forecast": Command(
        ("--jeffreys", "0.1"),
        DRAWN
        | {
            "nearest": ("--nearest", "0.6"),
            "jeffreys": ("--jeffreys", "0.2"),
            "radius": ("--radius", "0.2"),
            "divergence": ("--divergence", "chi2"),
            "size": ("--size", "9", "15"),
            "difference": ("--difference", "--score", "b"),
            "segment_column": ("--segment-column", "part"),
            "segment_files": ("--segment-files",),
            "reference": ("--reference", "2", "--segment-column", "part"),
            "method": ("--method", "paper"),
            "n_bins": ("--n-bins", "5", "--method", "paper"),
        },
    ),
    "power": Command(
        ("--auc", "0.8"),
        {
            "source": ("FIRST", "--label", "y", "--score", "a", "--auc", "0.8"),
            "label": ("--label", "y"),
            "score": ("--score", "a"),
            "pos_label": ("--pos-label", "1"),
            "nan_policy": ("--nan-policy", "omit"),
            "resolution": ("--resolution", "3"),
            "decimal": ("--decimal", ","),
            **DESIGN,
            "model": ("--auc", "0.9"),
            "model_b": ("--auc-b", "0.7"),
            "correlation": ("--correlation", "0.5", "0.5", "--auc-b", "0.7"),
            "null_auc": ("--null-auc", "0.6"),
            "n_pos": ("--n-pos", "20", "--n-neg", "20"),
            "n_neg": ("--n-neg", "30", "--n-pos", "20"),
            "power": ("--power", "0.9"),
            "width": ("--width", "0.1"),
            "ratio": ("--prior", "0.25"),
            "alternative": ("--alternative", "one-sided"),
            "margin": ("--margin", "0.05", "--alternative", "non-inferiority", "--auc-b", "0.8"),
            "significance_level": ("--significance-level", "0.1"),
            "method": ("--method", "simulation", "--n-resamples", "5"),
            "variance": ("--variance", "obuchowski"),
            "n_resamples": ("--n-resamples", "5"),
            "as_json": ("--json",),
            "as_csv": ("--csv",),
        },
        reads=False,
    ),
    "power-rate": Command(
        ("--auc", "0.9", "--fpr", "0.1"),
        {
            "model": ("--auc", "0.8"),
            "fpr": ("--fpr", "0.2"),
            "power": ("--power", "0.9"),
            "width": ("--width", "0.1"),
            "ratio": ("--prior", "0.125"),
            "null_tpr": ("--null-tpr", "0.4"),
            "alternative": ("--alternative", "one-sided"),
            "significance_level": ("--significance-level", "0.1"),
            "as_json": ("--json",),
            "as_csv": ("--csv",),
        },
        reads=False,
    ),
    "counts": Command(("--output", "TABLE"), {"path": ("--output", "OTHER_TABLE")}),
}


def leaves(command: click.Command, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command that is not a group, by its full name."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for own in command.list_commands(context):
            inner = command.get_command(context, own)
            assert inner is not None
            yield from leaves(inner, f"{name} {own}".strip())
    else:
        yield name, command


LEAVES = dict(leaves(main))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files of cases, one with a gap."""
    path = tmp_path_factory.mktemp("options")
    made = np.random.default_rng(3)
    for name, shift in (("first", 1.0), ("second", 1.4)):
        rows = [
            f"{y},{1 - y if i % 5 else y},{made.normal() + shift * y:.3f},{made.normal() + y:.3f},"
            f"{made.normal() + y:.3f},{i % 3}"
            for i, y in enumerate([1, 0] * 20)
        ]
        (path / f"{name}.csv").write_text("\n".join(["y,other,a,b,c,part", *rows, "1,0,,0.5,0.5,1", ""]))
    return path


def typed(folder: Path, words: tuple[str, ...]) -> list[str]:
    files = {
        "FIRST": "first.csv",
        "SECOND": "second.csv",
        "PICTURE": "picture.svg",
        "PAGE": "page.html",
        "ELSEWHERE": "elsewhere.html",
        "TABLE": "table.parquet",
        "OTHER_TABLE": "other.parquet",
    }
    return [str(folder / files[word]) if word in files else word for word in words]


def ran(folder: Path, name: str, words: tuple[str, ...]) -> tuple[int, str]:
    """Exit status, and everything that the command printed or wrote."""
    made = [path for path in folder.iterdir() if path.name not in ("first.csv", "second.csv")]
    for path in made:
        path.unlink()
    done = invoke(main, [*name.split(), *typed(folder, words)])
    files = [path for path in sorted(folder.iterdir()) if path.name not in ("first.csv", "second.csv")]
    written = [(path.name, path.read_bytes() if name in ("report", "counts") else b"") for path in files]
    return done.exit_code, f"{done.output}{written}"


def words_of(command: Command, more: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The words of a command line; what is given later replaces it where it is given once."""
    first = ("FIRST", "--label", "y", "--score", "a", "--nan-policy", "omit") if command.reads else ()
    return (*first, *command.args, *more)


@pytest.mark.parametrize(
    "name", slow(COMMANDS, *(set(COMMANDS) - {"interval", "decision", "counts", "power", "power-rate"}))
)
def test_every_option_of_every_command(folder: Path, name: str) -> None:
    command = COMMANDS[name]
    before = ran(folder, name, words_of(command))
    assert before[0] == 0, before[1]
    given = (READ if command.reads else {}) | dict(command.options)
    params = [p for p in LEAVES[name].params if p.name not in QUIET]
    ignored = []
    for param in params:
        if param.name == "source" and command.reads:
            continue
        more = given[str(param.name)]
        status, text = ran(folder, name, words_of(command, more))
        flags = [*param.opts, *(word for word in more if word[:1] == "-")]
        named = any(flag in text or flag.lstrip("-").replace("-", "_") in text for flag in flags)
        if (status == 0 and text == before[1]) or (status != 0 and not named):
            ignored.append((param.name, status, text[-200:]))
    assert not ignored


def test_every_command_is_tried() -> None:
    assert LEAVES.keys() == COMMANDS.keys() | {*OTHERS}
