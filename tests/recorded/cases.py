"""The table of recorded cases: every statistic and every method once, and what reads, fits and plans.

`NAMES` lists calls: a function, its method and options, the data. Calls that need other arguments are added
one by one. Only public names are called, with the number of resamples and the seed written out. The functions
below take numbers out of results under neutral keys; after a renaming change these, not the keys. Together
the cases execute nearly every line that computes something, but no reading of files.
`record.py` writes what they return; `test_recorded.py` compares.
"""

from __future__ import annotations

import ast
import csv
import functools
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

import confroc as c

Numbers: TypeAlias = dict[str, ArrayLike]
Tables: TypeAlias = Mapping[str, Callable[[], Any]]

ASAH = Path(__file__).resolve().parents[2] / "examples" / "asah.csv"
RESULTS = Path(__file__).with_name("results.json")
MOST = 40
"""Entries kept of a longer array, besides its length and its sum."""

CASES: dict[str, Callable[[], Numbers]] = {}


def add(
    name: str, take: Callable[[Any], Numbers], function: Callable[..., Any], *args: Any, **kw: Any
) -> None:
    """Add the case that calls `function` and takes its numbers; functions among the arguments are data."""

    def load(value: Any) -> Any:
        return value() if callable(value) else value

    def run() -> Numbers:
        return take(function(*map(load, args), **{key: load(value) for key, value in kw.items()}))

    if name in CASES:
        raise ValueError(f"there are two cases {name!r}")
    CASES[name] = run


# --- data sets -----------------------------------------------------------------------------------------


@functools.cache
def asah_columns() -> dict[str, list[str]]:
    with ASAH.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] for row in rows] for name in rows[0]}


def asah_pair(a: str, b: str) -> Any:
    table = asah_columns()
    return c.PairedScores(
        table["outcome"], [float(x) for x in table[a]], [float(x) for x in table[b]], pos_label="Poor"
    )


@functools.cache
def asah_three() -> Any:
    table = asah_columns()
    columns = {name: [float(x) for x in table[name]] for name in ("wfns", "s100b", "ndka")}
    return c.PairedScores(table["outcome"], *columns.values(), names=[*columns], pos_label="Poor")


@functools.cache
def four_models() -> Any:
    y = np.repeat([1, 0], [30, 50])
    x = np.random.default_rng(40).standard_normal((5, 80))
    return c.PairedScores(y, *(np.round(x[0] + x[1 + i] + (0.6 + 0.3 * i) * y, 1) for i in range(4)))


@functools.cache
def three_groups() -> Any:
    return c.UnpairedScores(normal().a, asah().b, tied().a, names=("north", "south", "west"))


def normal_pair(n_pos: int, n_neg: int, mean: tuple[float, float], correlation: float, seed: int) -> Any:
    y = np.repeat([1, 0], [n_pos, n_neg])
    x = np.random.default_rng(seed).standard_normal((2, n_pos + n_neg))
    a = x[0] + mean[0] * y
    b = correlation * x[0] + math.sqrt(1.0 - correlation**2) * x[1] + mean[1] * y
    return c.PairedScores(y, a, b)


@functools.cache
def asah() -> Any:
    return asah_pair("s100b", "ndka")


@functools.cache
def asah_wfns() -> Any:
    return asah_pair("s100b", "wfns")


@functools.cache
def tied() -> Any:
    y = [1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0]
    a = [4, 2, 3, 3, 1, 0, 4, 3, 2, 2, 1, 4, 0, 1, 3, 2, 1, 0, 3, 2, 1, 2, 4, 0, 1]
    b = [3, 1, 4, 2, 2, 1, 3, 0, 3, 3, 0, 2, 1, 1, 4, 0, 2, 2, 1, 1, 0, 3, 3, 1, 2]
    return c.PairedScores(y, a, b)


@functools.cache
def normal() -> Any:
    return normal_pair(60, 40, (1.2, 0.7), 0.6, 20)


@functools.cache
def separated() -> Any:
    y = np.repeat([1, 0], [8, 12])
    return c.PairedScores(y, np.arange(20)[::-1], np.concatenate([np.arange(8) + 20.5, np.arange(12)]))


@functools.cache
def unbalanced() -> Any:
    return normal_pair(5, 200, (1.0, 1.5), 0.4, 21)


@functools.cache
def large() -> Any:
    return normal_pair(1500, 3500, (1.1, 1.0), 0.5, 22)


@functools.cache
def counted() -> Any:
    return c.PairedScores.from_counts(
        [4, 4, 3, 3, 2, 2, 1, 1],
        [4, 3, 3, 2, 3, 1, 2, 1],
        [9, 5, 6, 3, 2, 4, 1, 1],
        [1, 2, 3, 5, 4, 9, 8, 12],
    )


@functools.cache
def rounded() -> Any:
    """Scores known to ranges, whose results are widened."""
    score = np.arange(12.0)
    pos, neg = [1, 2, 2, 3, 5, 6, 8, 9, 11, 12, 9, 6], [14, 12, 11, 9, 8, 7, 5, 4, 2, 2, 1, 0]
    return c.Scores.from_counts(score, pos, neg, score_max=score + 0.75)


@functools.cache
def rounded_pair() -> Any:
    a, b = np.array([3.0, 3.0, 2.0, 2.0, 1.0, 1.0]), np.array([3.0, 2.0, 3.0, 1.0, 2.0, 1.0])
    return c.PairedScores.from_counts(
        a, b, [14, 8, 7, 5, 4, 2], [2, 4, 5, 8, 9, 15], score_a_max=a + 0.5, score_b_max=b + 0.5
    )


@functools.cache
def unpaired() -> Any:
    return c.UnpairedScores(normal().a, asah().b)


@functools.cache
def unpaired_tied() -> Any:
    return c.UnpairedScores(tied().a, counted().b)


@functools.cache
def medium() -> Any:
    return normal_pair(300, 700, (1.1, 1.0), 0.5, 23)


@functools.cache
def huge() -> Any:
    """So many distinct scores that compiled code is used."""
    return normal_pair(100_000, 160_000, (1.1, 1.0), 0.5, 24)


def model_a(pair: Callable[[], Any]) -> Callable[[], Any]:
    return lambda: pair().a


def model_b(pair: Callable[[], Any]) -> Callable[[], Any]:
    return lambda: pair().b


def risks(pair: Callable[[], Any]) -> Callable[[], Any]:
    """Return the same cases with scores moved into (0, 1)."""

    def make() -> Any:
        x = pair()
        a, b = (1.0 / (1.0 + np.exp(-np.asarray(s))) for s in (x.score_a, x.score_b))
        return c.PairedScores.from_counts(a, b, x.pos, x.neg)

    return make


SINGLE: dict[str, Callable[[], Any]] = {
    "s100b": model_a(asah),
    "wfns": model_b(asah_wfns),
    "tied": model_a(tied),
    "normal": model_a(normal),
    "separated": model_a(separated),
    "unbalanced": model_a(unbalanced),
    "rounded": rounded,
    "large": model_a(large),
    "huge": model_a(huge),
    "risks": model_a(risks(normal)),
}
PAIRS: dict[str, Callable[[], Any]] = {
    "asah": asah,
    "asah_wfns": asah_wfns,
    "tied": tied,
    "normal": normal,
    "separated": separated,
    "unbalanced": unbalanced,
    "counted": counted,
    "rounded": rounded_pair,
    "unpaired": unpaired,
    "unpaired_tied": unpaired_tied,
    "medium": medium,
    "large": large,
    "huge": huge,
    "risks": risks(normal),
}
SEVERAL: dict[str, Callable[[], Any]] = {"asah": asah_three, "four": four_models, "groups": three_groups}


@functools.cache
def segments() -> list[Any]:
    """Return four parts of a population that drifts."""
    return [normal_pair(30, 70, (1.0 + 0.2 * i, 1.0), 0.5, 30 + i).a for i in range(4)]


@functools.cache
def whole() -> Any:
    return functools.reduce(lambda a, b: a.merge(b), segments())


# --- numbers out of results: neutral keys, whatever the attributes are called --------------------------


def interval(found: Any) -> Numbers:
    return {
        "estimate": found.estimate,
        "lower": found.lower,
        "upper": found.upper,
        "standard_error": found.standard_error,
    }


def difference(found: Any) -> Numbers:
    return {**interval(found), "statistic": found.statistic, "pvalue": found.pvalue}


def compared(found: Any) -> Numbers:
    values, differences = found.intervals, found.differences
    return {
        "estimate": values.estimate,
        "lower": values.lower,
        "upper": values.upper,
        "difference": differences.estimate,
        "difference_lower": differences.lower,
        "difference_upper": differences.upper,
        "pvalue": differences.pvalue,
        "may_be_best": [name in found.may_be_best for name in found.names],
        "joint_statistic": found.test.statistic,
        "joint_pvalue": found.test.pvalue,
    }


def intervals(found: Any) -> Numbers:
    return {"at": found.at, "estimate": found.estimate, "lower": found.lower, "upper": found.upper}


def sides(found: Any, names: Sequence[str] = ("fpr", "tpr")) -> Numbers:
    out: Numbers = {"at": found.at}
    for name in names:
        side = getattr(found, name)
        out |= {name: side.estimate, f"{name}_lower": side.lower, f"{name}_upper": side.upper}
    return out


def flagged(found: Any) -> Numbers:
    return {**sides(found, ("fpr", "tpr", "precision")), "flagged": found.flagged}


def dominance(found: Any) -> Numbers:
    return {"a_over_b": found.a_over_b, "b_over_a": found.b_over_a}


def band(found: Any) -> Numbers:
    return {
        "fpr": found.at,
        "tpr": found.estimate,
        "lower": found.lower,
        "upper": found.upper,
        "area": found.area,
    }


def one_band(found: Any) -> Numbers:
    diagonal = c.roc_curve(c.Scores.from_counts([0.0], [1], [1]))
    return {
        **band(found),
        "lower_vacuous_until": found.lower_vacuous_until,
        "upper_vacuous_from": found.upper_vacuous_from,
        "holds_diagonal": found.contains(diagonal),
        "holds_itself": found.contains((found.at, found.estimate)),
    }


def difference_band(found: Any) -> Numbers:
    return {**band(found), "different_at": np.asarray(found.different_at, dtype=float).ravel()}


def points(found: Any) -> Numbers:
    return {"fpr": found.fpr, "tpr": found.tpr, "threshold": found.threshold, "auc": found.auc}


def costs(found: Any) -> Numbers:
    return {**intervals(found), "threshold": found.threshold}


def two_costs(found: Any) -> Numbers:
    return {**intervals(found), "threshold_a": found.threshold_a, "threshold_b": found.threshold_b}


def weight_ranges(found: Any) -> ArrayLike:
    sign = {"a": 1.0, "b": -1.0, "model": 1.0, "trivial": -1.0}
    return [[sign[x.cheaper], x.low, x.high] for x in found]


def cost_bands(found: Any) -> Numbers:
    return {**costs(found), "critical": found.critical, "ranges": weight_ranges(found.cheaper())}


def two_cost_bands(found: Any) -> Numbers:
    return {**two_costs(found), "critical": found.critical, "ranges": weight_ranges(found.cheaper())}


def expected(found: Any) -> Numbers:
    return {
        **interval(found),
        "w": found.w,
        "threshold": found.threshold,
        "threshold_lower": found.threshold_lower,
        "threshold_upper": found.threshold_upper,
        "trivial": found.trivial,
    }


def benefits(found: Any) -> Numbers:
    return {**intervals(found), "treat_all": found.treat_all}


def envelope(found: Any) -> Numbers:
    return {
        "at": found.w,
        "cost": found.cost,
        "threshold": found.threshold,
        "fnr": found.fnr,
        "fpr": found.fpr,
        "area": found.area,
        "cost_at": found.cost_at(np.linspace(0.0, 1.0, 11)),
        "range": found.operating_range,
    }


def study_design(found: Any) -> Numbers:
    return {
        "n_pos": found.n_pos,
        "n_neg": found.n_neg,
        "power": found.power,
        "width": found.width,
        "effect": found.effect,
        "standard_error": found.standard_error,
    }


def forecast(found: Any) -> Numbers:
    return {
        "estimate": found.estimate,
        "lower": found.lower,
        "upper": found.upper,
        "radius": found.radius,
        "level": found.confidence_level,
    }


def null_test(found: Any) -> Numbers:
    return {
        "estimate": found.estimate,
        "null": found.null_value,
        "statistic": found.statistic,
        "pvalue": found.pvalue,
        "distance": found.distance,
    }


def tilted(found: Any) -> Numbers:
    drawn = found.sample(20, 30, rng=3)
    return {
        "weight_pos": found.pos_weight,
        "weight_neg": found.neg_weight,
        "auc": found.auc,
        "distance": found.distance,
        "multiplier": found.multiplier,
        "drawn_auc": drawn.auc,
    }


def drift(found: Any) -> Numbers:
    return {
        **{f"forecast_{key}": value for key, value in forecast(found.forecast).items()},
        "positive_rate": found.positive_rate,
        "rate_lower": found.rate_lower,
        "rate_upper": found.rate_upper,
        "rate_pvalue": found.rate_pvalue,
        "psi": found.psi,
        "jeffreys_pos": found.jeffreys_pos,
        "jeffreys_neg": found.jeffreys_neg,
        "jeffreys": found.jeffreys,
        "auc": found.auc,
        "lower": found.lower,
        "upper": found.upper,
        "auc_pvalue": found.auc_pvalue,
        "outside": found.auc_drifted,
    }


def pair_tallies(found: Any) -> Numbers:
    return {
        "score_a": found.score_a,
        "score_b": found.score_b,
        "pos": found.pos,
        "neg": found.neg,
        "auc": [found.a.auc, found.b.auc],
        "errors": [[x.auc_error, x.fpr_error, x.tpr_error] for x in (found.a, found.b)],
    }


def law(found: tuple[ArrayLike, ArrayLike]) -> Numbers:
    return {"support": found[0], "probability": found[1]}


def joint_law(found: Any) -> Numbers:
    (a, b), probability = found
    return {"support_a": a, "support_b": b, "probability": probability}


def value(found: Any) -> Numbers:
    return {"value": found}


def binormal_fit(model: Any) -> Numbers:
    at = np.linspace(0.05, 0.95, 10)
    drawn = model.sample(15, 25, rng=4)
    return {
        "a": model.a,
        "b": model.b,
        "auc": model.auc,
        "standard_error": model.auc_standard_error if model.covariance is not None else math.nan,
        "covariance": model.covariance if model.covariance is not None else math.nan,
        "log_likelihood": model.log_likelihood,
        "tpr": model.tpr(at),
        "fpr": model.fpr(at),
        "drawn": drawn.score,
    }


def kernel_fit(model: Any) -> Numbers:
    at = np.linspace(0.05, 0.95, 10)
    return {
        "bandwidth": [model.bandwidth_pos, model.bandwidth_neg],
        "auc": model.auc,
        "tpr": model.tpr(at),
        "fpr": model.fpr(at),
        "drawn": model.sample(15, 25, rng=5).score,
    }


def audited(found: Any) -> Numbers:
    rows = found.verdicts
    return {
        "auc": found.auc,
        "coverage": [x.coverage for x in rows],
        "error": [x.error for x in rows],
        "at": [x.at for x in rows],
        "mean_coverage": [x.mean_coverage for x in rows],
        "width": [x.width for x in rows],
        "failures": [x.failures for x in rows],
        "keeps": [x.attains_level for x in rows],
    }


def curve_values(curve: Any) -> Numbers:
    at = np.linspace(0.0, 1.0, 13)
    hull = curve.convex_hull()
    return {
        **points(curve),
        "tpr_at": curve.tpr_at(at),
        "fpr_at": curve.fpr_at(at),
        "hull_fpr": hull.fpr,
        "hull_tpr": hull.tpr,
        "hull_auc": hull.auc,
        "corners_fpr": curve.corners().fpr,
        "partial": [
            curve.partial_auc(max_fpr=0.15),
            curve.partial_auc(max_fpr=0.15, standardize=True),
            curve.partial_auc(min_tpr=0.8),
            curve.partial_auc(min_tpr=0.8, standardize=True),
        ],
    }


# --- calls ---------------------------------------------------------------------------------------------

TWO_THRESHOLDS = {"threshold_a": [0.12, 0.3, 1.0, 2.0, 3.0], "threshold_b": [0.5, 1.0, 2.0, 12.0, 3.0]}
RATES = [0.2, 0.333, 0.5, 0.9]
SHARES = [0.1, 0.25, 0.5, 0.8]
WEIGHTS = [0.0, 0.05, 0.2, 0.5, 0.75, 1.0]
RISKS = [0.05, 0.2, 0.5, 0.7]
UNIT: dict[str, Any] = {"false_negative": 2.0, "false_positive": 1.0, "rng": 16}
BY = "positive_rate"

CALLS: dict[str, tuple[Tables, Callable[[Any], Numbers], Callable[..., Any], dict[str, Any]]] = {
    "roc_curve": (SINGLE, curve_values, c.roc_curve, {}),
    "auc_interval": (SINGLE, interval, c.auc_interval, {"rng": 9}),
    "auc_difference": (PAIRS, difference, c.auc_difference, {"rng": 10}),
    "auc_comparison": (SEVERAL, compared, c.auc_comparison, {"rng": 10}),
    "tpr_at_fpr": (SINGLE, intervals, c.tpr_at_fpr, {"fpr": RATES, "rng": 2}),
    "fpr_at_tpr": (SINGLE, intervals, c.fpr_at_tpr, {"tpr": RATES, "rng": 2}),
    "rates_at_threshold": (
        SINGLE, sides, c.rates_at_threshold, {"threshold": [-0.5, 0.12, 0.3, 1.0, 2.0, 3.0, 30.0], "rng": 1}
    ),
    "rates_at_positive_rate": (SINGLE, flagged, c.rates_at_positive_rate, {BY: SHARES, "rng": 3}),
    "tpr_difference_at_fpr": (PAIRS, intervals, c.tpr_difference_at_fpr, {"fpr": RATES, "rng": 6}),
    "rates_difference_at_threshold": (
        PAIRS, sides, c.rates_difference_at_threshold, {**TWO_THRESHOLDS, "rng": 5}
    ),
    "rates_difference_at_positive_rate": (
        PAIRS, sides, c.rates_difference_at_positive_rate, {BY: SHARES, "rng": 3}
    ),
    "dominance_at_threshold": (PAIRS, dominance, c.dominance_at_threshold, TWO_THRESHOLDS),
    "tpr_pmf": (SINGLE, law, c.exact.tpr_pmf, {"fpr": [0.2, 0.5]}),
    "threshold_pmf": (SINGLE, law, c.exact.threshold_pmf, {"fpr": [0.2, 0.5]}),
    "tpr_difference_pmf": (PAIRS, law, c.exact.tpr_difference_pmf, {"fpr": 0.5}),
    "joint_threshold_pmf": (PAIRS, joint_law, c.exact.joint_threshold_pmf, {"fpr": 0.5}),
    "roc_band": (SINGLE, one_band, c.roc_band, {"rng": 7}),
    "roc_difference_band": (PAIRS, difference_band, c.roc_difference_band, {"rng": 8}),
    "calibration_band": (SINGLE, intervals, c.calibration_band, {"rng": 20}),
    "ks_statistic": (SINGLE, interval, c.bands.ks_statistic, {}),
    "cost_curve": (SINGLE, costs, c.cost_curve, {"w": WEIGHTS, "rng": 12}),
    "cost_difference": (PAIRS, two_costs, c.cost_difference, {"w": WEIGHTS, "rng": 13}),
    "cost_band": (SINGLE, cost_bands, c.cost_band, {"rng": 14}),
    "cost_difference_band": (PAIRS, two_cost_bands, c.cost_difference_band, {"rng": 15}),
    "expected_cost": (SINGLE, expected, c.expected_cost, UNIT),
    "expected_cost_difference": (PAIRS, interval, c.expected_cost_difference, UNIT),
    "net_benefit": (SINGLE, benefits, c.net_benefit, {"risk": RISKS, "rng": 17}),
    "net_benefit_difference": (PAIRS, intervals, c.net_benefit_difference, {"risk": RISKS, "rng": 18}),
    "lower_envelope": (SINGLE, envelope, c.cost.lower_envelope, {}),
    "auc_forecast": (SINGLE, forecast, c.auc_forecast, {"rng": 20}),
    "forecast_curve": (SINGLE, intervals, c.forecast_curve, {"radius": [0.01, 0.05, 0.2, 0.5]}),
    "nearest_distribution": (SINGLE, tilted, c.nearest_distribution, {}),
    "auc_test": (
        SINGLE,
        null_test,
        c.auc_test,
        {"null_auc": 0.65, "method": "nearest_population", "rng": 21},
    ),
    "auc_equality_test": (PAIRS, null_test, c.auc_equality_test, {"rng": 22}),
    "binormal_fit": (SINGLE, binormal_fit, c.BinormalModel.fit, {}),
    "kernel_fit": (SINGLE, kernel_fit, c.KernelModel.fit, {}),
    "audit": (SINGLE, audited, c.audit, {"rng": 71}),
    "auc_power": (PAIRS, study_design, c.auc_power, {"n_pos": 80, "n_neg": 120}),
}  # fmt: skip
"""What the first word of a name calls: on which tables, and with which arguments in every case."""

NAMES = """
    roc_curve/tied
    roc_curve/huge

    auc_interval/score_delong/tied
    auc_interval/delong/rounded
    auc_interval/logit_delong/max_fpr=0.2/wfns
    auc_interval/hanley_mcneil/unbalanced
    auc_interval/binormal/rounded
    auc_interval/newcombe/wfns
    auc_interval/upper_bound/tied
    auc_interval/upper_bound_wald/separated
    auc_interval/cortes_mohri/normal
    auc_interval/bootstrap/n_resamples=80/huge
    auc_interval/bootstrap_bca/min_tpr=0.8/n_resamples=60/separated
    auc_interval/smoothed_bootstrap/n_resamples=60/s100b
    auc_interval/exact_bootstrap/wfns
    auc_difference/score_delong/asah
    auc_difference/newcombe/asah
    auc_difference/delong/alternative=equivalence/margin=0.1/unpaired
    auc_difference/bootstrap/max_fpr=0.2/standardize=True/n_resamples=60/rounded
    auc_difference/bootstrap/alternative=non-inferiority/margin=0.1/n_resamples=60/unpaired
    auc_difference/exact_bootstrap/huge
    auc_difference/permutation/alternative=greater/n_resamples=60/unpaired
    auc_difference/permutation/separated
    auc_comparison/score_delong/asah
    auc_comparison/score_delong/groups
    auc_comparison/delong/adjust=holm/reference=ndka/asah
    auc_comparison/bootstrap/n_resamples=400/four
    auc_comparison/permutation/four

    tpr_at_fpr/beta_mixture/s100b
    tpr_at_fpr/agresti_coull/large
    tpr_at_fpr/wald/separated
    tpr_at_fpr/bootstrap/sampling=full/n_resamples=60/s100b
    tpr_at_fpr/exact_bootstrap/large
    tpr_at_fpr/kernel/tied
    tpr_at_fpr/smoothed_bootstrap/n_resamples=60/s100b
    tpr_at_fpr/smoothed_studentized_bootstrap/n_resamples=60/normal
    tpr_at_fpr/naive_bootstrap/n_resamples=60/normal
    tpr_at_fpr/naive_studentized_bootstrap/n_resamples=60/s100b
    fpr_at_tpr/beta_mixture/unbalanced
    fpr_at_tpr/bootstrap/n_resamples=60/normal
    fpr_at_tpr/kernel/unbalanced
    rates_at_threshold/agresti_coull/separated
    rates_at_threshold/wald/joint=True/unbalanced
    rates_at_threshold/wilson/joint=True/separated
    rates_at_threshold/clopper_pearson/joint=True/separated
    rates_at_threshold/jeffreys/wfns
    rates_at_threshold/bootstrap/joint=True/sampling=full/n_resamples=99/s100b
    rates_at_threshold/exact_bootstrap/wfns
    rates_at_positive_rate/beta_mixture/tied
    rates_at_positive_rate/agresti_coull/sampling=stratified/s100b
    rates_at_positive_rate/wald/unbalanced
    rates_at_positive_rate/bootstrap/n_resamples=60/unbalanced
    rates_at_positive_rate/exact_bootstrap/separated
    rates_at_positive_rate/exact_bootstrap/sampling=stratified/separated
    tpr_difference_at_fpr/beta_mixture/asah
    tpr_difference_at_fpr/beta_mixture/unpaired
    tpr_difference_at_fpr/agresti_min/large
    tpr_difference_at_fpr/agresti_min/size=(30,50)/unpaired
    tpr_difference_at_fpr/wald/separated
    tpr_difference_at_fpr/bootstrap/n_resamples=60/counted
    tpr_difference_at_fpr/bootstrap/sampling=full/n_resamples=60/unpaired
    tpr_difference_at_fpr/exact_bootstrap/rounded
    tpr_difference_at_fpr/exact_bootstrap/medium
    tpr_difference_at_fpr/exact_bootstrap/unpaired
    rates_difference_at_threshold/bonett_price/joint=True/asah
    rates_difference_at_threshold/agresti_min/joint=True/unpaired
    rates_difference_at_threshold/agresti_min/joint=True/huge
    rates_difference_at_threshold/wald/tied
    rates_difference_at_threshold/bootstrap/n_resamples=60/asah
    rates_difference_at_threshold/exact_bootstrap/tied
    rates_difference_at_threshold/exact_bootstrap/unpaired
    rates_difference_at_positive_rate/beta_mixture/asah
    rates_difference_at_positive_rate/wald/tied
    rates_difference_at_positive_rate/bootstrap/n_resamples=60/tied
    rates_difference_at_positive_rate/exact_bootstrap/counted
    dominance_at_threshold/counted
    dominance_at_threshold/unpaired

    tpr_pmf/separated
    threshold_pmf/tied
    tpr_difference_pmf/size=(9,14)/separated
    tpr_difference_pmf/size=(9,14)/unpaired_tied
    joint_threshold_pmf/size=(9,14)/tied
    joint_threshold_pmf/size=(9,14)/unpaired_tied

    roc_band/equal_local_levels/fpr=(0.05,0.4)/n_resamples=40/tied
    roc_band/equal_local_levels/calibration=exact/separated
    roc_band/ks_regions/huge
    roc_band/fixed_width/n_resamples=40/rounded
    roc_band/working_hotelling/tied
    roc_band/working_hotelling_pointwise/tied
    roc_band/auc_hull/n_resamples=40/s100b
    roc_band/vertical_averaging/distribution=empirical/n_resamples=40/tied
    roc_band/threshold_averaging/distribution=binomial/n_resamples=40/tied
    roc_band/bootstrap/metric=db/smoothing=True/n_resamples=40/tied
    roc_band/bootstrap/metric=sup/smoothing=False/n_resamples=40/separated
    roc_difference_band/equal_local_levels/n_resamples=40/asah
    roc_difference_band/ks_regions/tied
    roc_difference_band/studentized_bootstrap/n_resamples=40/rounded
    roc_difference_band/studentized_bootstrap/fpr=(0.1,0.5)/n_resamples=40/unpaired
    calibration_band/isotonic_blocks/calibration=exact/risks
    calibration_band/isotonic_blocks/risks
    calibration_band/isotonic_contraction/risks
    ks_statistic/newcombe/normal

    cost_curve/mid_p/huge
    cost_curve/agresti_coull/tied
    cost_curve/wald/sampling=full/s100b
    cost_curve/bootstrap/n_resamples=60/s100b
    cost_curve/exact_bootstrap/sampling=full/tied
    cost_difference/agresti_min/unpaired
    cost_difference/wald/sampling=full/unpaired
    cost_difference/bootstrap/n_resamples=60/unpaired
    cost_difference/exact_bootstrap/sampling=full/tied
    cost_band/n_resamples=40/rounded
    cost_difference_band/sampling=full/n_resamples=40/asah
    expected_cost/mid_p/sampling=full/s100b
    expected_cost/exact_bootstrap/sampling=stratified/tied
    expected_cost_difference/agresti_min/tied
    net_benefit/mid_p/sampling=full/risks
    net_benefit_difference/agresti_min/sampling=stratified/risks
    net_benefit_difference/bootstrap/sampling=stratified/n_resamples=60/risks
    lower_envelope/separated

    auc_forecast/method=paper/divergence=jeffreys/n_bins=5/n_resamples=40/tied
    auc_forecast/method=paper/divergence=chi2/n_bins=5/n_resamples=40/s100b
    auc_forecast/method=paper/divergence=jeffreys/jeffreys=0.1/separated
    auc_forecast/method=paper/radius=0.1/huge
    forecast_curve/divergence=kl/tied
    nearest_distribution/divergence=kl/auc=0.5/normal
    auc_test/alternative=greater/n_resamples=39/s100b
    auc_equality_test/divergence=jeffreys/n_resamples=39/asah

    binormal_fit/information=expected/tied
    kernel_fit/bandwidth=normal_reference/s100b
    audit/population=smoothed/replications=100/tied
    auc_power/method=asymptotic/variance=empirical/asah
"""


def call(name: str) -> Numbers:
    """Return the numbers of a call: a function, its method, options and data."""
    function, *words, data = name.split("/")
    tables, take, called, fixed = CALLS[function]
    options = dict(fixed)
    for word in words:
        key, _, value = word.rpartition("=")
        try:
            options[key] = ast.literal_eval(value)
        except ValueError:
            options[key or "method"] = value
    return take(called(tables[data](), **options))


CASES |= {name: functools.partial(call, name) for name in NAMES.split()}

# --- several models, planning, forecasts by segments, and other arguments ------------------------------

add("pair/merged", pair_tallies, lambda: normal().merge(unbalanced()))
for method in ("corrected_logit", "wald", "logit", "bootstrap", "bootstrap_bca"):
    add(
        f"average_precision/{method}",
        interval, c.interval, SINGLE["s100b"], c.statistics.AveragePrecision, method=method, rng=24,
    )  # fmt: skip
add("average_precision/difference", difference, c.difference, asah, c.statistics.AveragePrecision)
add("average_precision/comparison", compared, c.comparison, asah_three, c.statistics.AveragePrecision)
add(
    "auc_difference/partially_paired",
    difference, c.auc_difference, asah, method="exact_bootstrap", only_b=model_b(tied),
)  # fmt: skip
add(
    "auc_difference/partially_paired/bootstrap",
    difference, c.auc_difference, asah, method="bootstrap", only_b=model_b(tied), n_resamples=60, rng=10,
)  # fmt: skip
add(
    "auc_power/simulation",
    study_design, c.auc_power, 0.85, model_b=0.8, correlation=(0.6, 0.5), n_pos=40, n_neg=50,
    method="simulation", n_resamples=100, rng=11,
)  # fmt: skip
add(
    "auc_power/non_inferiority",
    study_design, c.auc_power, 0.8, model_b=0.8, correlation=(0.6, 0.6), n_pos=80, n_neg=120,
    alternative="non-inferiority", margin=0.05, variance="obuchowski",
)  # fmt: skip
add(
    "auc_sample_size/simulation",
    study_design, c.auc_sample_size, 0.8, power=0.8, null_auc=0.6, ratio=1.0, method="simulation",
    n_resamples=100, rng=11,
)  # fmt: skip
add(
    "auc_sample_size/width",
    study_design, c.auc_sample_size, lambda: c.BinormalModel(a=1.2, b=0.7), width=0.1, ratio=1.5,
    variance="obuchowski",
)  # fmt: skip
add(
    "cost_curve/validation",
    costs, c.cost_curve, SINGLE["normal"], w=WEIGHTS, validation=model_b(normal), rng=12,
)  # fmt: skip
add(
    "cost_band/given",
    cost_bands, c.cost_band, SINGLE["s100b"], w=[0.2, 0.5, 0.8], threshold=[0.2, 0.3, 0.4],
    n_resamples=40, rng=14,
)  # fmt: skip
add(
    "expected_cost/validation",
    expected, c.expected_cost, SINGLE["s100b"], false_negative=5.0, false_positive=1.0,
    validation=model_b(normal), sampling="stratified", rng=16,
)  # fmt: skip
add(
    "net_benefit/given",
    benefits, c.net_benefit, SINGLE["s100b"], risk=RISKS, threshold=[0.1, 0.2, 0.3, 0.4], prior=0.2,
    sampling="stratified",
)  # fmt: skip
add(
    "cost_optimism",
    value, c.cost.cost_optimism, SINGLE["tied"], w=[0.2, 0.5, 0.8], folds=4, repeats=3, rng=19,
)  # fmt: skip
add(
    "cost_weight",
    value, c.cost.cost_weight, false_negative=[1.0, 5.0, 20.0], false_positive=2.0, prior=[0.5, 0.2, 0.01],
)  # fmt: skip
add("unit_costs", value, c.cost.unit_costs, [0.1, 0.5, 0.9], prior=0.3, scale=7.0)
add(
    "binormal_threshold",
    value, c.cost.binormal_threshold, [0.1, 0.5, 0.9], mean_pos=1.2, sd_pos=1.0, mean_neg=0.1, sd_neg=1.5,
)  # fmt: skip
add(
    "binormal_from_moments",
    binormal_fit, c.BinormalModel.from_moments, mean_pos=1.5, mean_neg=0.2, sd_pos=1.3, sd_neg=0.9,
)  # fmt: skip
add("auc_forecast/calibrated/segments", forecast, c.auc_forecast, whole, segments=segments, divergence="kl")
add("auc_forecast/calibrated/sampling", forecast, c.auc_forecast, whole, divergence="kl")
add("auc_forecast/paper/segments", forecast, c.auc_forecast, whole, segments=segments, method="paper")
add(
    "drift_monitor",
    drift, c.drift_monitor, whole, segments, n_bins=5,
    forecast=lambda: c.auc_forecast(whole(), radius=0.1, divergence="kl", method="paper"),
)  # fmt: skip


# --- estimators and cross-validation -------------------------------------------------------------------


class Linear:
    """A fitted classifier as scikit-learn has them, made of one column."""

    classes_ = np.array([0, 1])

    def __init__(self, column: int, noise: float) -> None:
        self.column, self.noise = column, noise

    def decision_function(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return a score per case."""
        return X[:, self.column] + self.noise * X[:, 2]

    def predict_proba(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return both classes' probabilities, in steps, so that there are ties."""
        p = np.round(1.0 / (1.0 + np.exp(-self.decision_function(X))), 2)
        return np.column_stack([1.0 - p, p])


@functools.cache
def features() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    rng = np.random.default_rng(40)
    y = (np.arange(120) % 3 == 0).astype(np.int64)
    X = rng.standard_normal((120, 3))
    X[:, :2] += y[:, None] * np.array([1.2, 0.8])
    return X, y


def cross_validated(column: int, repeats: int) -> Any:
    X, y = features()
    folds = []
    for repeat in range(repeats):
        order = np.random.default_rng(50 + repeat).permutation(len(y))
        for k in range(5):
            cases = np.sort(order[k::5])
            folds.append((cases, Linear(column, 0.1 * k).decision_function(X[cases])))
    return c.sklearn.CrossValidatedScores(y, folds)


def cv_results() -> Any:
    X, y = features()
    tests = [np.arange(k, len(y), 4) for k in range(4)]
    kept = {"estimator": [Linear(0, 0.2 * k) for k in range(4)], "indices": {"test": tests}}
    return c.sklearn.from_cv_results(kept, X, y, response_method="predict_proba")


def estimated(response: str) -> Any:
    models = {"a": Linear(0, 0.3), "b": Linear(1, 0.3)}
    return c.PairedScores.from_estimators(models, *features(), response_method=response)


def scored(bound: str) -> list[float]:
    scorer = c.sklearn.auc_scorer(bound=bound, response_method="auto", method="delong", confidence_level=0.9)
    found = scorer(Linear(0, 0.3), *features())
    return list(found.values()) if isinstance(found, dict) else [found]


def fold_interval(found: Any) -> Numbers:
    return {**interval(found), "folds": found.fold_auc, "times_tested": found.times_tested}


def fold_difference(found: Any) -> Numbers:
    return {**difference(found), "folds": found.fold_difference, "times_tested": found.times_tested}


add(
    "cross_validated_auc_difference",
    fold_difference, c.sklearn.cross_validated_auc_difference,
    *(functools.partial(cross_validated, column, 1) for column in (0, 1)),
)  # fmt: skip
add("from_cv_results", fold_interval, c.sklearn.cross_validated_auc, cv_results)
add("from_estimator", pair_tallies, estimated, "decision_function")
add("auc_scorer", value, scored, "all")


# --- running and keeping -------------------------------------------------------------------------------


def kept(values: ArrayLike) -> Any:
    """Return an array as what is written down: all of it, or some entries, the length and the sum."""
    flat = np.asarray(values, dtype=np.float64).ravel()
    if len(flat) <= MOST:
        return flat.tolist()
    chosen = np.linspace(0, len(flat) - 1, MOST).round().astype(int)
    total = math.fsum(flat[np.isfinite(flat)].tolist())
    return {"length": len(flat), "sum": total, "some": flat[chosen].tolist()}


def result_of(name: str) -> dict[str, Any]:
    """Run a case and return its numbers as they are written down; warnings that it expects are silenced."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", c.ConfrocWarning)
        found = CASES[name]()
    return {key: kept(values) for key, values in found.items()}


def numbers(entry: Any) -> list[float]:
    """Return the numbers of one recorded array; of a thinned one, its length and sum first."""
    return entry if isinstance(entry, list) else [entry["length"], entry["sum"], *entry["some"]]


def assert_close(found: dict[str, Any], recorded: dict[str, Any], name: str) -> None:
    """Compare the numbers of a case with those recorded."""
    assert list(found) == list(recorded)
    for key, old in recorded.items():
        np.testing.assert_allclose(
            numbers(found[key]), numbers(old), rtol=1e-9, atol=1e-10, err_msg=f"{name}, {key}"
        )
