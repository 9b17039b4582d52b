"""The table of recorded cases: every public function by method, option and data set.

`CASES` maps a name to a function without arguments that returns numbers under neutral keys. Only public names
are called, each with its method, number of resamples and seed written out, so that a changed default changes
nothing here. After a renaming, change the calls and the helpers that take numbers out of results, never the
names of the cases or their keys. `record.py` writes what the cases return; `test_recorded.py` compares.
"""

from __future__ import annotations

import csv
import functools
import itertools
import math
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

import confroc as c
import confroc_lab as lab
from balls import balls
from fresh_curves import FreshCurves
from probit import Probit
from regimes import Regimes, regime_areas

Numbers: TypeAlias = dict[str, ArrayLike]

ASAH = Path(__file__).resolve().parents[2] / "examples" / "asah.csv"
RESULTS = Path(__file__).with_name("results.json")
MOST = 40
"""Entries kept of a longer array, besides its length and its sum."""

RESAMPLED = {
    "rates_at_threshold": ["bootstrap"],
    "tpr_at_fpr": [
        "bootstrap",
        "smoothed_bootstrap",
        "smoothed_studentized_bootstrap",
        "naive_bootstrap",
        "naive_studentized_bootstrap",
    ],
    "fpr_at_tpr": ["bootstrap"],
    "rates_at_positive_rate": ["bootstrap"],
    "rates_difference_at_threshold": ["bootstrap"],
    "tpr_difference_at_fpr": ["bootstrap"],
    "rates_difference_at_positive_rate": ["bootstrap"],
    "auc_interval": ["bootstrap", "bootstrap_bca", "smoothed_bootstrap"],
    "auc_difference": ["bootstrap", "permutation"],
    "auc_comparison": ["bootstrap", "permutation"],
    "auc_power": ["simulation"],
    "auc_sample_size": ["simulation"],
    "roc_band": [
        "equal_local_levels",
        "fixed_width",
        "vertical_averaging",
        "threshold_averaging",
        "bootstrap",
        "auc_hull",
    ],
    "roc_difference_band": ["equal_local_levels", "studentized_bootstrap"],
    "cost_curve": ["bootstrap"],
    "cost_difference": ["bootstrap"],
    "expected_cost_difference": ["bootstrap"],
    "net_benefit": ["bootstrap"],
    "net_benefit_difference": ["bootstrap"],
    "auc_forecast": ["paper"],
}
"""Methods that take `n_resamples`, of functions whose other methods refuse it."""

RESAMPLED_ONLY = {
    "rates_at_threshold",
    "tpr_at_fpr",
    "fpr_at_tpr",
    "rates_difference_at_threshold",
    "tpr_difference_at_fpr",
}
"""Functions where `sampling` is an option of methods that resample."""

CASES: dict[str, Callable[[], Numbers]] = {}


def add(
    name: str, take: Callable[[Any], Numbers], function: Callable[..., Any], *args: Any, **kw: Any
) -> None:
    """Add the case that calls `function` and takes its numbers; functions among the arguments are data."""

    def load(value: Any) -> Any:
        return value() if callable(value) else value

    def run() -> Numbers:
        data = [load(value) for value in args]
        given = {key: load(value) for key, value in kw.items()}
        if not resamples(function, data, given):
            given.pop("n_resamples", None)
            if function.__name__ in RESAMPLED_ONLY:
                given.pop("sampling", None)
        return take(function(*data, **given))

    if name in CASES:
        raise ValueError(f"there are two cases {name!r}")
    CASES[name] = run


def resamples(function: Callable[..., Any], data: Sequence[Any], options: Mapping[str, Any]) -> bool:
    """Whether a function draws resamples of these data; others refuse a number of them."""
    takers = RESAMPLED.get(function.__name__)
    drawn = takers is None or "method" not in options or options["method"] in takers
    swaps = options.get("method") == "permutation" and isinstance(data[0], c.PairedScores)
    return drawn and not swaps and options.get("calibration") != "exact"


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
}
FEW = ("s100b", "tied", "normal")
FEW_PAIRS = ("asah", "tied", "unpaired")


def subset(table: Mapping[str, Any], names: Sequence[str]) -> list[tuple[str, Any]]:
    return [(name, table[name]) for name in names]


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
        "outside": found.outside,
    }


def tallies(found: Any) -> Numbers:
    """Return the counts of one model's scores."""
    return {
        "score": found.score,
        "pos": found.pos,
        "neg": found.neg,
        "auc": found.auc,
        "errors": [found.auc_error, found.fpr_error, found.tpr_error],
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


def studied(found: Any) -> Numbers:
    columns = found.columns()
    return {
        "at": columns["at"],
        "n": columns["n"],
        "failures": columns["failures"],
        "coverage": columns["coverage"],
        "error": columns["coverage_error"],
        "below": columns["below"],
        "above": columns["above"],
        "width": columns["width"],
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


# --- the curve -----------------------------------------------------------------------------------------


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


for data, load in [*SINGLE.items(), ("large", model_a(large)), ("counted", model_b(counted))]:
    add(f"roc_curve/{data}", curve_values, c.roc_curve, load)


# --- points of the curve, one model --------------------------------------------------------------------

THRESHOLDS = [-0.5, 0.12, 0.3, 1.0, 2.0, 3.0, 30.0]
RATES = [0.1, 0.2, 0.333, 0.5, 0.9]
RATE_METHODS = (
    "agresti_coull",
    "wald",
    "bootstrap",
    "exact_bootstrap",
    "wilson",
    "clopper_pearson",
    "jeffreys",
)

for method, joint, (data, load) in itertools.product(
    RATE_METHODS, (True, False), subset(SINGLE, ("s100b", "wfns", "separated", "unbalanced"))
):
    add(
        f"rates_at_threshold/{method}/{'joint' if joint else 'single'}/{data}",
        sides, c.rates_at_threshold, load, threshold=THRESHOLDS,
        method=method, joint=joint, confidence_level=0.9, n_resamples=60, rng=1,
    )  # fmt: skip
for data, load in [("rounded", rounded), ("large", model_a(large))]:
    add(
        f"rates_at_threshold/agresti_coull/joint/{data}",
        sides, c.rates_at_threshold, load, threshold=THRESHOLDS,
        method="agresti_coull", confidence_level=0.95, n_resamples=60, rng=1,
    )  # fmt: skip
add(
    "rates_at_threshold/bootstrap/full/s100b",
    sides, c.rates_at_threshold, SINGLE["s100b"], threshold=THRESHOLDS,
    method="bootstrap", confidence_level=0.9, n_resamples=60, rng=1, sampling="full",
)  # fmt: skip
add(
    "rates_at_threshold/exact_bootstrap/size/s100b",
    sides, c.rates_at_threshold, SINGLE["s100b"], threshold=THRESHOLDS,
    method="exact_bootstrap", confidence_level=0.9, size=(30, 50), n_resamples=60, rng=1,
)  # fmt: skip

VERTICAL_METHODS = ("agresti_coull", "wald", "bootstrap", "exact_bootstrap", "kernel")
for (word, function), method, (data, load) in itertools.product(
    (("tpr_at_fpr", c.tpr_at_fpr), ("fpr_at_tpr", c.fpr_at_tpr)),
    VERTICAL_METHODS,
    subset(SINGLE, ("s100b", "wfns", "tied", "normal", "separated", "unbalanced", "rounded")),
):
    if method == "kernel" and data == "rounded":
        continue
    add(
        f"{word}/{method}/{data}",
        intervals, function, load, **{word[-3:]: [0.25, 0.333, 0.5, 0.9]},
        method=method, confidence_level=0.9, n_resamples=60, rng=2, sampling="stratified",
    )  # fmt: skip
for method in ("agresti_coull", "exact_bootstrap"):
    add(
        f"tpr_at_fpr/{method}/large",
        intervals, c.tpr_at_fpr, model_a(large), fpr=RATES,
        method=method, confidence_level=0.95, n_resamples=60, rng=2, sampling="stratified",
    )  # fmt: skip
    add(
        f"tpr_at_fpr/{method}/size/s100b",
        intervals, c.tpr_at_fpr, SINGLE["s100b"], fpr=RATES,
        method=method, confidence_level=0.9, size=(30, 50), n_resamples=60, rng=2, sampling="stratified",
    )  # fmt: skip
add(
    "tpr_at_fpr/bootstrap/full/s100b",
    intervals, c.tpr_at_fpr, SINGLE["s100b"], fpr=RATES,
    method="bootstrap", confidence_level=0.9, n_resamples=60, rng=2, sampling="full",
)  # fmt: skip

for method, sampling, (data, load) in itertools.product(
    ("agresti_coull", "wald", "bootstrap", "exact_bootstrap"),
    ("full", "stratified"),
    subset(SINGLE, ("s100b", "tied", "separated", "unbalanced")),
):
    add(
        f"rates_at_positive_rate/{method}/{sampling}/{data}",
        flagged, c.rates_at_positive_rate, load, positive_rate=[0.1, 0.25, 0.5, 0.8],
        method=method, confidence_level=0.9, n_resamples=60, rng=3, sampling=sampling,
    )  # fmt: skip

for smoothing, studentized, (data, load) in itertools.product(
    (True, False), (True, False), subset(SINGLE, ("s100b", "normal"))
):
    words = f"{'smoothed' if smoothing else 'plain'}/{'studentized' if studentized else 'percentile'}"
    method = f"{'smoothed' if smoothing else 'naive'}{'_studentized' if studentized else ''}_bootstrap"
    add(
        f"smoothed_tpr_at_fpr/{words}/{data}",
        intervals, c.tpr_at_fpr, load, fpr=[0.2, 0.5],
        method=method, confidence_level=0.9, n_resamples=60, rng=4,
    )  # fmt: skip


# --- points of the curve, two models -------------------------------------------------------------------

THRESHOLDS_A = [0.12, 0.3, 1.0, 2.0, 3.0]
THRESHOLDS_B = [0.5, 1.0, 2.0, 12.0, 3.0]
PAIR_METHODS = ("agresti_min", "wald", "bootstrap", "exact_bootstrap")
for method, joint, (data, load) in itertools.product(
    PAIR_METHODS, (True, False), subset(PAIRS, ("asah", "tied", "unpaired"))
):
    add(
        f"rates_difference_at_threshold/{method}/{'joint' if joint else 'single'}/{data}",
        sides, c.rates_difference_at_threshold, load, threshold_a=THRESHOLDS_A, threshold_b=THRESHOLDS_B,
        method=method, joint=joint, confidence_level=0.9, n_resamples=60, rng=5, sampling="stratified",
    )  # fmt: skip
for data, load in [*PAIRS.items(), ("large", large)]:
    add(
        f"rates_difference_at_threshold/agresti_min/all/{data}",
        sides, c.rates_difference_at_threshold, load, threshold_a=THRESHOLDS_A, threshold_b=THRESHOLDS_B,
        method="agresti_min", confidence_level=0.95, n_resamples=60, rng=5, sampling="stratified",
    )  # fmt: skip
    if data != "rounded":
        add(
            f"dominance_at_threshold/{data}",
            dominance, c.dominance_at_threshold, load, threshold_a=THRESHOLDS_A, threshold_b=THRESHOLDS_B,
            size=None,
        )  # fmt: skip
for method, (data, load) in itertools.product(PAIR_METHODS, PAIRS.items()):
    add(
        f"tpr_difference_at_fpr/{method}/{data}",
        intervals, c.tpr_difference_at_fpr, load, fpr=[0.2, 0.333, 0.5, 0.9],
        method=method, confidence_level=0.9, n_resamples=60, rng=6, sampling="stratified",
    )  # fmt: skip
for data in ("asah", "unpaired"):
    add(
        f"rates_difference_at_threshold/bootstrap/full/{data}",
        sides, c.rates_difference_at_threshold, PAIRS[data],
        threshold_a=THRESHOLDS_A, threshold_b=THRESHOLDS_B,
        method="bootstrap", confidence_level=0.9, n_resamples=60, rng=5, sampling="full",
    )  # fmt: skip
    add(
        f"tpr_difference_at_fpr/bootstrap/full/{data}",
        intervals, c.tpr_difference_at_fpr, PAIRS[data], fpr=[0.2, 0.5],
        method="bootstrap", confidence_level=0.9, n_resamples=60, rng=6, sampling="full",
    )  # fmt: skip
    for method in ("agresti_min", "exact_bootstrap"):
        add(
            f"tpr_difference_at_fpr/{method}/size/{data}",
            intervals, c.tpr_difference_at_fpr, PAIRS[data], fpr=[0.2, 0.5],
            method=method, confidence_level=0.9, size=(30, 50), n_resamples=60, rng=6, sampling="stratified",
        )  # fmt: skip
for method, (data, load) in itertools.product(
    ("agresti_min", "exact_bootstrap"), (("medium", medium), ("large", large))
):
    add(
        f"tpr_difference_at_fpr/{method}/{data}",
        intervals, c.tpr_difference_at_fpr, load, fpr=[0.1, 0.5],
        method=method, confidence_level=0.95, n_resamples=60, rng=6, sampling="stratified",
    )  # fmt: skip


# --- exact laws ----------------------------------------------------------------------------------------

for data, load in subset(SINGLE, ("s100b", "tied", "separated", "unbalanced")):
    for words, size in (("own", None), ("size", (9, 14))):
        add(f"exact/tpr_pmf/{words}/{data}", law, c.exact.tpr_pmf, load, fpr=[0.2, 0.5], size=size)
        add(
            f"exact/threshold_pmf/{words}/{data}", law, c.exact.threshold_pmf, load, fpr=[0.2, 0.5], size=size
        )
for data, load in subset(PAIRS, ("asah", "tied", "separated", "unpaired_tied")):
    for words, size in (("own", None), ("size", (9, 14))):
        add(
            f"exact/tpr_difference_pmf/{words}/{data}",
            law,
            c.exact.tpr_difference_pmf,
            load,
            fpr=0.5,
            size=size,
        )
        add(
            f"exact/joint_threshold_pmf/{words}/{data}",
            joint_law,
            c.exact.joint_threshold_pmf,
            load,
            fpr=0.5,
            size=size,
        )


# --- bands ---------------------------------------------------------------------------------------------

BANDS: dict[str, dict[str, Any]] = {
    "equal_local_levels": {"method": "equal_local_levels", "calibration": "bootstrap"},
    "equal_local_levels/range": {
        "method": "equal_local_levels",
        "calibration": "bootstrap",
        "fpr": (0.05, 0.4),
    },
    "equal_local_levels/exact": {"method": "equal_local_levels", "calibration": "exact"},
    "ks_regions": {"method": "ks_regions", "joint": True},
    "ks_regions/single": {"method": "ks_regions", "joint": False},
    "fixed_width/corrected": {"method": "fixed_width", "slope": "corrected"},
    "fixed_width/published": {"method": "fixed_width", "slope": "published"},
    "working_hotelling": {"method": "working_hotelling"},
    "working_hotelling_pointwise": {"method": "working_hotelling_pointwise"},
    "auc_hull": {"method": "auc_hull"},
}
for method, distribution in itertools.product(
    ("vertical_averaging", "threshold_averaging"), ("normal", "binomial", "empirical")
):
    BANDS[f"{method}/{distribution}"] = {"method": method, "distribution": distribution}
for metric, smoothing in itertools.product(("sup", "db"), (True, False)):
    words = f"bootstrap/{metric}/{'smoothed' if smoothing else 'plain'}"
    BANDS[words] = {"method": "bootstrap", "metric": metric, "smoothing": smoothing}
for (words, options), (data, load) in itertools.product(BANDS.items(), subset(SINGLE, FEW)):
    add(
        f"roc_band/{words}/{data}",
        one_band, c.roc_band, load, confidence_level=0.9, n_resamples=40, rng=7, **options,
    )  # fmt: skip
for words, data in itertools.product(
    (
        "equal_local_levels",
        "equal_local_levels/exact",
        "ks_regions",
        "fixed_width/corrected",
        "bootstrap/db/plain",
    ),
    ("separated", "unbalanced", "rounded"),
):
    add(
        f"roc_band/{words}/{data}",
        one_band, c.roc_band, SINGLE[data], confidence_level=0.95, n_resamples=40, rng=7, **BANDS[words],
    )  # fmt: skip
for words in ("ks_regions", "working_hotelling", "equal_local_levels/exact"):
    add(
        f"roc_band/{words}/large",
        one_band, c.roc_band, model_a(large), confidence_level=0.95, n_resamples=40, rng=7, **BANDS[words],
    )  # fmt: skip
add(
    "roc_band/threshold_averaging/two_jobs/s100b",
    one_band, c.roc_band, SINGLE["s100b"], confidence_level=0.9, n_resamples=40, rng=7, n_jobs=2,
    method="threshold_averaging", distribution="normal",
)  # fmt: skip
for data, load in PAIRS.items():
    for words, fpr in (("whole", None), ("range", (0.1, 0.5))):
        if words == "whole" or data in FEW_PAIRS:
            add(
                f"roc_difference_band/{words}/{data}",
                difference_band, c.roc_difference_band, load,
                method="studentized_bootstrap", confidence_level=0.9, fpr=fpr, n_resamples=40, rng=8,
            )  # fmt: skip
            if data in FEW_PAIRS:
                add(
                    f"roc_difference_band/ks_regions/{words}/{data}",
                    difference_band, c.roc_difference_band, load,
                    method="ks_regions", confidence_level=0.9, fpr=fpr,
                )  # fmt: skip


# --- areas ---------------------------------------------------------------------------------------------

AUC_METHODS = (
    "score_delong", "delong", "logit_delong", "hanley_mcneil", "binormal", "newcombe", "upper_bound",
    "upper_bound_wald",
    "cortes_mohri", "bootstrap", "bootstrap_bca", "exact_bootstrap",
)  # fmt: skip
PARTIAL_METHODS = ("score_delong", "delong", "logit_delong", "bootstrap", "bootstrap_bca")
PARTS: dict[str, dict[str, Any]] = {
    "max_fpr": {"max_fpr": 0.2},
    "max_fpr/standardized": {"max_fpr": 0.2, "standardize": True},
    "min_tpr": {"min_tpr": 0.8},
}
for method, (data, load) in itertools.product(AUC_METHODS, [*SINGLE.items(), ("large", model_a(large))]):
    if data == "large" and method in ("bootstrap", "bootstrap_bca"):
        continue
    add(
        f"auc_interval/{method}/{data}",
        interval, c.auc_interval, load, method=method, confidence_level=0.95, n_resamples=100, rng=9,
    )  # fmt: skip
for method, (words, options), (data, load) in itertools.product(
    PARTIAL_METHODS, PARTS.items(), subset(SINGLE, ("s100b", "tied", "separated", "rounded"))
):
    add(
        f"auc_interval/{method}/{words}/{data}",
        interval, c.auc_interval, load, method=method, confidence_level=0.9, n_resamples=60, rng=9, **options,
    )  # fmt: skip
add(
    "auc_interval/cortes_mohri/error_rate/normal",
    interval, c.auc_interval, SINGLE["normal"], method="cortes_mohri", error_rate=0.2, confidence_level=0.9,
)  # fmt: skip
for method in ("bootstrap", "bootstrap_bca", "exact_bootstrap"):
    add(
        f"auc_interval/{method}/size/s100b",
        interval, c.auc_interval, SINGLE["s100b"],
        method=method, confidence_level=0.9, size=(30, 50), n_resamples=60, rng=9,
    )  # fmt: skip
add(
    "auc_interval/bootstrap/two_jobs/s100b",
    interval, c.auc_interval, SINGLE["s100b"],
    method="bootstrap", confidence_level=0.95, n_resamples=100, rng=9, n_jobs=2,
)  # fmt: skip

for method, (data, load) in itertools.product(
    ("delong", "bootstrap", "exact_bootstrap", "permutation"), [*PAIRS.items(), ("large", large)]
):
    if data == "large" and method == "bootstrap":
        continue
    add(
        f"auc_difference/{method}/{data}",
        difference, c.auc_difference, load,
        method=method, alternative="two-sided", confidence_level=0.95, n_resamples=60, rng=10,
    )  # fmt: skip
ALTERNATIVES: dict[str, dict[str, Any]] = {
    "less": {"alternative": "less"},
    "greater": {"alternative": "greater"},
    "non-inferiority": {"alternative": "non-inferiority", "margin": 0.1},
    "equivalence": {"alternative": "equivalence", "margin": 0.1},
}
for method, (words, options), data in itertools.product(
    ("delong", "bootstrap", "permutation"), ALTERNATIVES.items(), ("asah", "unpaired")
):
    if method == "permutation" and "margin" in options:
        continue
    add(
        f"auc_difference/{method}/{words}/{data}",
        difference, c.auc_difference, PAIRS[data],
        method=method, confidence_level=0.9, n_resamples=60, rng=10, **options,
    )  # fmt: skip
for method, (words, options), data in itertools.product(
    ("delong", "bootstrap"), PARTS.items(), ("asah", "tied", "unpaired", "rounded")
):
    add(
        f"auc_difference/{method}/{words}/{data}",
        difference, c.auc_difference, PAIRS[data],
        method=method, alternative="two-sided", confidence_level=0.9, n_resamples=60, rng=10, **options,
    )  # fmt: skip
for method, (words, options) in itertools.product(
    ("delong", "bootstrap", "exact_bootstrap"),
    (
        ("both", {"only_a": model_a(tied), "only_b": model_b(normal)}),
        ("only_a", {"only_a": model_a(normal)}),
        ("only_b", {"only_b": model_b(tied)}),
    ),
):
    add(
        f"auc_difference/{method}/partially_paired/{words}",
        difference, c.auc_difference, asah,
        method=method, alternative="two-sided", confidence_level=0.9, n_resamples=60, rng=10, **options,
    )  # fmt: skip
COMPARISONS: dict[str, tuple[Callable[[], Any], dict[str, Any]]] = {
    "max_t/asah": (asah_three, {"method": "score_delong", "adjust": "max_t"}),
    "holm/reference/asah": (asah_three, {"method": "delong", "adjust": "holm", "reference": "ndka"}),
    "bonferroni/max_fpr/asah": (
        asah_three, {"method": "score_delong", "adjust": "bonferroni", "max_fpr": 0.3, "standardize": True}
    ),
    "bootstrap/max_t/four": (
        four_models, {"method": "bootstrap", "adjust": "max_t", "n_resamples": 400, "rng": 10}
    ),
    "max_t/groups": (three_groups, {"method": "score_delong", "adjust": "max_t"}),
}  # fmt: skip
for words, (load, options) in COMPARISONS.items():
    add(
        f"auc_comparison/{words}", compared, c.auc_comparison, load, confidence_level=0.95, **options,
    )  # fmt: skip


# --- planning ------------------------------------------------------------------------------------------

STUDIES: dict[str, tuple[Any, dict[str, Any]]] = {
    "one": (0.75, {"null_auc": 0.6}),
    "one_sided": (0.75, {"null_auc": 0.5, "alternative": "one-sided"}),
    "binormal": (lambda: c.BinormalModel(a=1.2, b=0.7), {"null_auc": 0.7}),
    "two": (0.85, {"model_b": 0.8, "correlation": (0.6, 0.5)}),
    "two_unpaired": (0.85, {"model_b": 0.75}),
    "non_inferiority": (
        0.8, {"model_b": 0.8, "correlation": (0.6, 0.6), "alternative": "non-inferiority", "margin": 0.05}
    ),
    "equivalence": (
        0.8, {"model_b": 0.8, "correlation": (0.6, 0.6), "alternative": "equivalence", "margin": 0.08}
    ),
    "pilot": (SINGLE["s100b"], {"null_auc": 0.6}),
    "pilot_pair": (asah, {}),
    "pilot_unpaired": (unpaired, {}),
}  # fmt: skip
for (words, (model, options)), variance in itertools.product(STUDIES.items(), ("empirical", "obuchowski")):
    for aim, number in (("power", 0.8), ("width", 0.1)):
        if aim == "width" and words not in ("one", "binormal", "two", "pilot_pair"):
            continue
        add(
            f"sample_size/{aim}/{variance}/{words}",
            study_design, c.auc_sample_size, model,
            ratio=1.5, significance_level=0.05, method="asymptotic", variance=variance,
            **{aim: number}, **options,
        )  # fmt: skip
    add(
        f"power/{variance}/{words}",
        study_design, c.auc_power, model,
        n_pos=80, n_neg=120, significance_level=0.05, method="asymptotic", variance=variance, **options,
    )  # fmt: skip
for words in ("one", "binormal", "two", "non_inferiority"):
    model, options = STUDIES[words]
    add(
        f"power/simulation/{words}",
        study_design, c.auc_power, model,
        n_pos=40, n_neg=50, significance_level=0.05, method="simulation",
        n_resamples=100, rng=11, **options,
    )  # fmt: skip
add(
    "sample_size/simulation/one",
    study_design, c.auc_sample_size, 0.8,
    power=0.8, null_auc=0.6, ratio=1.0, alternative="two-sided", significance_level=0.05,
    method="simulation", n_resamples=100, rng=11,
)  # fmt: skip


# --- costs ---------------------------------------------------------------------------------------------

WEIGHTS = [0.0, 0.05, 0.2, 0.5, 0.75, 1.0]
COST_METHODS = ("mid_p", "agresti_coull", "wald", "bootstrap", "exact_bootstrap")
for method, sampling, (data, load) in itertools.product(
    COST_METHODS, ("stratified", "full"), subset(SINGLE, ("s100b", "tied", "separated"))
):
    add(
        f"cost_curve/{method}/{sampling}/{data}",
        costs, c.cost_curve, load, w=WEIGHTS,
        sampling=sampling, method=method, confidence_level=0.9, n_resamples=60, rng=12,
    )  # fmt: skip
for data, load in [*SINGLE.items(), ("large", model_a(large))]:
    add(
        f"cost_curve/every_weight/{data}",
        costs, c.cost_curve, load, w=None,
        sampling="stratified", method="mid_p", confidence_level=0.95, n_resamples=60, rng=12,
    )  # fmt: skip
    add(f"lower_envelope/{data}", envelope, c.cost.lower_envelope, load)
for sampling in ("stratified", "full"):
    add(
        f"cost_curve/given/{sampling}",
        costs, c.cost_curve, SINGLE["s100b"], w=WEIGHTS,
        threshold=[0.1, 0.2, 0.25, 0.3, 0.4, 0.5],
        sampling=sampling, method="agresti_coull", confidence_level=0.9, n_resamples=60, rng=12,
    )  # fmt: skip
    add(
        f"cost_curve/validation/{sampling}",
        costs, c.cost_curve, SINGLE["normal"], w=WEIGHTS,
        validation=model_b(normal), sampling=sampling, method="mid_p", confidence_level=0.9,
        n_resamples=60, rng=12,
    )  # fmt: skip
    add(
        f"cost_curve/size/{sampling}",
        costs, c.cost_curve, SINGLE["s100b"], w=WEIGHTS,
        sampling=sampling, method="bootstrap", size=(30, 50), confidence_level=0.9, n_resamples=60, rng=12,
    )  # fmt: skip

COST_PAIR_METHODS = ("agresti_min", "wald", "bootstrap", "exact_bootstrap")
for method, sampling, (data, load) in itertools.product(
    COST_PAIR_METHODS, ("stratified", "full"), subset(PAIRS, FEW_PAIRS)
):
    if data == "unpaired" and sampling == "full" and method == "exact_bootstrap":
        continue
    add(
        f"cost_difference/{method}/{sampling}/{data}",
        two_costs, c.cost_difference, load, w=WEIGHTS,
        sampling=sampling, method=method, confidence_level=0.9, n_resamples=60, rng=13,
    )  # fmt: skip
for data in ("separated", "unbalanced", "counted", "rounded", "unpaired_tied"):
    add(
        f"cost_difference/agresti_min/every_weight/{data}",
        two_costs, c.cost_difference, PAIRS[data], w=None,
        sampling="stratified", method="agresti_min", confidence_level=0.9, n_resamples=60, rng=13,
    )  # fmt: skip
add(
    "cost_difference/given/asah",
    two_costs, c.cost_difference, asah, w=[0.2, 0.5], threshold_a=[0.2, 0.4], threshold_b=[9.0, 12.0],
    sampling="stratified", method="agresti_min", confidence_level=0.9, n_resamples=60, rng=13,
)  # fmt: skip
add(
    "cost_difference/validation/normal",
    two_costs, c.cost_difference, normal, w=[0.2, 0.5], validation=unbalanced,
    sampling="stratified", method="wald", confidence_level=0.9, n_resamples=60, rng=13,
)  # fmt: skip

for sampling, (data, load) in itertools.product(
    ("stratified", "full"), subset(SINGLE, ("s100b", "tied", "separated", "rounded"))
):
    for words, w in (("every_weight", None), ("few_weights", [0.2, 0.5, 0.8])):
        add(
            f"cost_band/{words}/{sampling}/{data}",
            cost_bands, c.cost_band, load, w=w,
            sampling=sampling, confidence_level=0.9, n_resamples=40, rng=14,
        )  # fmt: skip
add(
    "cost_band/given/s100b",
    cost_bands, c.cost_band, SINGLE["s100b"], w=[0.2, 0.5, 0.8], threshold=[0.2, 0.3, 0.4],
    sampling="stratified", confidence_level=0.9, n_resamples=40, rng=14,
)  # fmt: skip
add(
    "cost_band/validation/normal",
    cost_bands, c.cost_band, SINGLE["normal"], w=None, validation=model_b(normal),
    sampling="stratified", confidence_level=0.9, n_resamples=40, rng=14,
)  # fmt: skip
for sampling, (data, load) in itertools.product(("stratified", "full"), subset(PAIRS, FEW_PAIRS)):
    add(
        f"cost_difference_band/{sampling}/{data}",
        two_cost_bands, c.cost_difference_band, load, w=None,
        sampling=sampling, confidence_level=0.9, n_resamples=40, rng=15,
    )  # fmt: skip
add(
    "cost_difference_band/given/asah",
    two_cost_bands, c.cost_difference_band, asah, w=[0.2, 0.5],
    threshold_a=[0.2, 0.4], threshold_b=[9.0, 12.0],
    sampling="stratified", confidence_level=0.9, n_resamples=40, rng=15,
)  # fmt: skip

EXPECTED: dict[str, dict[str, Any]] = {
    "own": {"sampling": "stratified"},
    "prior": {"sampling": "stratified", "prior": 0.1},
    "full": {"sampling": "full"},
    "given": {"sampling": "stratified", "threshold": 0.5},
    "validation": {"sampling": "stratified", "validation": model_b(normal)},
}
for (words, options), data in itertools.product(EXPECTED.items(), ("s100b", "normal", "rounded")):
    add(
        f"expected_cost/{words}/{data}",
        expected, c.expected_cost, SINGLE[data], false_negative=5.0, false_positive=1.0,
        method="mid_p", confidence_level=0.9, rng=16, **({} if words == "given" else {"n_resamples": 40}),
        **options,
    )  # fmt: skip
for method in COST_METHODS:
    add(
        f"expected_cost/{method}/tied",
        expected, c.expected_cost, SINGLE["tied"], false_negative=2.0, false_positive=1.0,
        sampling="stratified", method=method, confidence_level=0.9, n_resamples=2000, rng=16,
    )  # fmt: skip

RISKS = [0.05, 0.2, 0.5, 0.7]
for method, sampling in itertools.product(COST_METHODS, ("stratified", "full")):
    add(
        f"net_benefit/{method}/{sampling}/normal",
        benefits, c.net_benefit, model_a(risks(normal)), risk=RISKS,
        sampling=sampling, method=method, confidence_level=0.9, n_resamples=60, rng=17,
    )  # fmt: skip
add(
    "net_benefit/given/s100b",
    benefits, c.net_benefit, SINGLE["s100b"], risk=RISKS, threshold=[0.1, 0.2, 0.3, 0.4], prior=0.2,
    sampling="stratified", method="mid_p", confidence_level=0.9, n_resamples=60, rng=17,
)  # fmt: skip
for method, sampling in itertools.product(COST_PAIR_METHODS, ("stratified", "full")):
    add(
        f"net_benefit_difference/{method}/{sampling}/normal",
        intervals, c.net_benefit_difference, risks(normal), risk=RISKS,
        sampling=sampling, method=method, confidence_level=0.9, n_resamples=60, rng=18,
    )  # fmt: skip
add(
    "net_benefit_difference/given/unpaired",
    intervals, c.net_benefit_difference, unpaired, risk=RISKS,
    threshold_a=[-0.5, 0.0, 0.5, 1.0], threshold_b=[7.0, 9.0, 12.0, 15.0], prior=0.3,
    sampling="stratified", method="agresti_min", confidence_level=0.9, n_resamples=60, rng=18,
)  # fmt: skip

for data, load in subset(SINGLE, FEW):
    add(
        f"cost_optimism/{data}",
        value,
        c.cost.cost_optimism,
        load,
        w=[0.2, 0.5, 0.8],
        folds=4,
        repeats=3,
        rng=19,
    )
add(
    "cost_weight",
    value, c.cost.cost_weight, false_negative=[1.0, 5.0, 20.0], false_positive=2.0, prior=[0.5, 0.2, 0.01]
)  # fmt: skip
add("unit_costs", value, c.cost.unit_costs, [0.1, 0.5, 0.9], prior=0.3, scale=7.0)
add("trivial_cost", value, c.cost.trivial_cost, [0.0, 0.1, 0.5, 0.9, 1.0])
for words, sd_neg in (("equal", 1.0), ("wider", 1.5)):
    add(
        f"binormal_threshold/{words}",
        value, c.cost.binormal_threshold, [0.1, 0.5, 0.9],
        mean_pos=1.2, sd_pos=1.0, mean_neg=0.1, sd_neg=sd_neg,
    )  # fmt: skip


# --- drift ---------------------------------------------------------------------------------------------

DIVERGENCES = ("kl", "jeffreys", "chi2")
for divergence, (data, load) in itertools.product(DIVERGENCES, [*SINGLE.items(), ("large", model_a(large))]):
    add(
        f"auc_forecast/radius/{divergence}/{data}",
        forecast, c.auc_forecast, load, radius=0.08, divergence=divergence, method="paper",
    )  # fmt: skip
    if data in FEW:
        add(
            f"auc_forecast/bootstrap/{divergence}/{data}",
            forecast, c.auc_forecast, load, divergence=divergence, method="paper", n_bins=5,
            n_resamples=40, rng=20,
        )  # fmt: skip
        add(
            f"forecast_curve/{divergence}/{data}",
            intervals, c.forecast_curve, load, radius=[0.01, 0.05, 0.2, 0.5], divergence=divergence,
        )  # fmt: skip
        for auc in (0.5, 0.8):
            add(
                f"nearest_distribution/{divergence}/{auc}/{data}",
                tilted, c.nearest_distribution, load, auc=auc, divergence=divergence,
            )  # fmt: skip
        add(
            f"auc_test/{divergence}/{data}",
            null_test, c.auc_test, load, auc=0.6, alternative="two-sided", divergence=divergence,
            n_resamples=39, rng=21,
        )  # fmt: skip
for divergence in DIVERGENCES:
    add(
        f"auc_forecast/segments/{divergence}",
        forecast, c.auc_forecast, whole, segments=segments, divergence=divergence, method="paper", n_bins=10,
    )  # fmt: skip
    for words, parts in (("segments", segments), ("sampling", None)):
        add(
            f"auc_forecast/calibrated/{words}/{divergence}",
            forecast, c.auc_forecast, whole, segments=parts, divergence=divergence, method="calibrated",
            confidence_level=0.9,
        )  # fmt: skip
    for data in ("asah", "normal"):
        add(
            f"auc_equality_test/{divergence}/{data}",
            null_test, c.auc_equality_test, PAIRS[data], alternative="two-sided", divergence=divergence,
            n_resamples=39, rng=22,
        )  # fmt: skip
for data, load in SINGLE.items():
    add(
        f"auc_forecast/jeffreys/{data}",
        forecast, c.auc_forecast, load, jeffreys=0.1, divergence="jeffreys", method="paper",
    )  # fmt: skip
for alternative in ("less", "greater"):
    add(
        f"auc_test/{alternative}/s100b",
        null_test, c.auc_test, SINGLE["s100b"], auc=0.65, alternative=alternative, divergence="kl",
        n_resamples=39, rng=21,
    )  # fmt: skip
    add(
        f"auc_equality_test/{alternative}/asah",
        null_test, c.auc_equality_test, asah, alternative=alternative, divergence="kl",
        n_resamples=39, rng=22,
    )  # fmt: skip
for n_bins in (5, 10):
    add(
        f"drift_monitor/{n_bins}_bins",
        drift, c.drift_monitor, whole, segments, n_bins=n_bins, confidence_level=0.95,
        forecast=lambda: c.auc_forecast(
            whole(), radius=0.1, divergence="kl", method="paper",
        ),
    )  # fmt: skip


# --- models --------------------------------------------------------------------------------------------

for data, load in [
    *subset(SINGLE, ("s100b", "wfns", "tied", "normal", "unbalanced")),
    ("large", model_a(large)),
]:
    for information in ("observed", "expected"):
        add(
            f"binormal_fit/{information}/{data}",
            binormal_fit, c.BinormalModel.fit, load, information=information, max_iter=200,
        )  # fmt: skip
    for bandwidth in ("hall_hyndman", "normal_reference"):
        if data != "tied":
            add(f"kernel_fit/{bandwidth}/{data}", kernel_fit, c.KernelModel.fit, load, bandwidth=bandwidth)
add("binormal_from_auc", binormal_fit, c.BinormalModel.from_auc, 0.83, b=0.7)
add(
    "binormal_from_moments",
    binormal_fit, c.BinormalModel.from_moments, mean_pos=1.5, mean_neg=0.2, sd_pos=1.3, sd_neg=0.9,
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


for repeats in (1, 3):
    models = [functools.partial(cross_validated, column, repeats) for column in (0, 1)]
    add(
        f"cross_validated_auc/{repeats}",
        fold_interval,
        c.sklearn.cross_validated_auc,
        models[0],
        confidence_level=0.95,
    )
    add(
        f"cross_validated_auc_difference/{repeats}",
        fold_difference, c.sklearn.cross_validated_auc_difference, *models, confidence_level=0.95,
    )  # fmt: skip
add("from_cv_results", fold_interval, c.sklearn.cross_validated_auc, cv_results, confidence_level=0.9)
for response in ("predict_proba", "decision_function"):
    add(f"from_estimator/{response}", pair_tallies, estimated, response)
for bound in ("estimate", "lower", "upper", "all"):
    add(f"auc_scorer/{bound}", value, scored, bound)


# --- reading and counting ------------------------------------------------------------------------------


def with_file(use: Callable[[Path], Any]) -> Any:
    """Write cases with many distinct scores to a file, and use it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.csv"
        rng = np.random.default_rng(60)
        y = (rng.random(400) < 0.3).astype(int)
        a, b = (rng.standard_normal((2, 400)) + y).round(6)
        rows = "".join(
            f"{i},{p!r},{q!r}\n" for i, p, q in zip(y.tolist(), a.tolist(), b.tolist(), strict=True)
        )
        path.write_text("label,a,b\n" + rows, encoding="utf-8")
        return use(path)


def scanned(score: str | tuple[str, str], resolution: int | None) -> Any:
    return with_file(lambda path: c.read_scores(path, label="label", score=score, resolution=resolution))


def kept_counts(score: str | tuple[str, str], resolution: int | None) -> Any:
    def use(path: Path) -> Any:
        found = c.read_scores(path, label="label", score=score, resolution=resolution)
        return c.read_counts(c.write_counts(found, path=path.with_suffix(".parquet"), score=score))

    return with_file(use)


def streamed() -> Any:
    X, y = features()
    first = c.ScoreStream.even(-3.0, 4.0, cells=32)
    second = c.ScoreStream.even(-3.0, 4.0, cells=32)
    first.update(y[:50], X[:50, 0])
    second.update(y[50:], X[50:, 0])
    first.merge(second)
    return first.scores()


def streamed_like() -> Any:
    X, y = features()
    stream = c.ScoreStream.like(c.Scores(y, X[:, 0]), cells=16)
    stream.update(y, X[:, 1])
    return stream.scores()


for words, resolution in (("whole", None), ("25", 25)):
    add(f"scan/{words}", tallies, scanned, "a", resolution)
    add(f"scan/pair/{words}", pair_tallies, scanned, ("a", "b"), resolution)
    add(f"read_counts/{words}", tallies, kept_counts, "b", resolution)
    add(f"read_counts/pair/{words}", pair_tallies, kept_counts, ("a", "b"), resolution)
add(
    "scan/asah", pair_tallies, c.read_scores, ASAH, label="outcome", score=("s100b", "ndka"), pos_label="Poor"
)
add(
    "scan/query",
    tallies, c.read_scores, "SELECT * FROM (VALUES (1, 0.9), (0, 0.2), (1, 0.2), (0, 0.1)) AS t(y, s)",
    label="y", score="s",
)  # fmt: skip
add("stream/even", tallies, streamed)
add("stream/like", tallies, streamed_like)
for data, load in [*SINGLE.items(), ("whole", whole)]:
    add(f"scores/{data}", tallies, load)
for data in ("asah", "tied", "counted", "rounded"):
    add(f"pair/{data}", pair_tallies, PAIRS[data])
add("pair/merged", pair_tallies, lambda: normal().merge(unbalanced()))
add("pair/swapped", pair_tallies, lambda: asah()[1, 0])


# --- coverage studies ------------------------------------------------------------------------------------


def study(population: Any, rule: Any, size: tuple[int, int], sampling: str, replications: int) -> Any:
    cell = lab.Cell(name="cell", population=population, size=size, rule=rule, sampling=sampling, chunk=20)
    return lab.run_study(lab.Study(name="study", cells=(cell,), replications=replications, seed=70), None)


BINORMAL = lab.binormal(1.5, 0.0, 1.25, 1.0)
COARSE = lab.TiedDistributions(lab.Normal(1.0), lab.Normal(0.0), step=0.5)
TWO = lab.NormalPair((1.0, 0.7), (0.0, 0.0), 1.0, 1.0, 0.6)
LEVEL: dict[str, Any] = {"confidence_level": 0.9, "n_resamples": 40}
AREA = lab.Rule(
    "auc_interval", methods=("score_delong", "delong", "logit_delong", "newcombe", "bootstrap"), **LEVEL
)
STUDIED: dict[str, tuple[Any, Any]] = {
    "area": (BINORMAL, AREA),
    "area/tied": (COARSE, AREA),
    "area/probit": (Probit(1.0, 1.0), AREA),
    "pair_area": (TWO, lab.Rule("auc_difference", methods=("delong", "exact_bootstrap"), **LEVEL)),
    "at_threshold": (
        BINORMAL,
        lab.Rule(
            "rates_at_threshold", methods=("agresti_coull", "wald", "wilson", "bootstrap"), at=(0.2, 0.5),
            **LEVEL,
        ),
    ),
    "pair_at_threshold": (
        TWO,
        lab.Rule("rates_difference_at_threshold", methods=("agresti_min", "wald"), at=(0.2, 0.5), **LEVEL),
    ),
    "at_fpr": (
        BINORMAL,
        lab.Rule("tpr_at_fpr", methods=("agresti_coull", "wald", "exact_bootstrap"), at=(0.1, 0.3), **LEVEL),
    ),
    "pair_at_fpr": (
        TWO, lab.Rule("tpr_difference_at_fpr", methods=("agresti_min", "wald"), at=(0.2, 0.5), **LEVEL)
    ),
    "at_w": (
        BINORMAL,
        lab.Rule("cost_curve", methods=("mid_p", "agresti_coull", "wald"), at=(0.2, 0.6), **LEVEL),
    ),
    "pair_at_w": (TWO, lab.Rule("cost_difference", methods=("agresti_min", "wald"), at=(0.2, 0.6), **LEVEL)),
    "true_curve": (
        BINORMAL,
        lab.Rule(
            "roc_band", methods=("equal_local_levels:calibration=exact", "ks_regions", "fixed_width"), **LEVEL
        ),
    ),
    "ball": (
        BINORMAL,
        lab.Rule(
            balls, at=(0.2,),
            methods=("bootstrap:metric=db,smoothing=False", "bootstrap:metric=sup,smoothing=True"), **LEVEL
        ),
    ),
    "fresh_curves": (
        BINORMAL,
        FreshCurves(methods=("ks_regions", "fixed_width"), curves=20, at=(0.2, 0.5), **LEVEL),
    ),
    "regimes": (
        Regimes.morin(0.7, 0.8), lab.Rule(regime_areas, methods=("delong", "forecast"), **LEVEL)
    ),
}  # fmt: skip
for words, (population, rule) in STUDIED.items():
    replications = 10 if words in ("true_curve", "regimes", "pair_area", "ball", "fresh_curves") else 40
    add(f"study/{words}", studied, study, population, rule, (20, 30), "stratified", replications)
add("study/area/full", studied, study, BINORMAL, AREA, (20, 30), "full", 20)
for source in ("smoothed", "resampled"):
    add(
        f"audit/{source}",
        audited, c.audit, SINGLE["tied"], confidence_level=0.9, population=source, replications=200,
        rng=71,
    )  # fmt: skip


def population_values(population: Any) -> Numbers:
    knots = np.linspace(0.0, 1.0, 9)
    fpr, tpr = population.curve(knots)
    rates = population.rates([-1.0, 0.0, 0.5, 1.5])
    drawn = population.draw(np.random.default_rng(72), 5, 6, 2)
    return {
        "auc": population.auc,
        "fpr": rates[0],
        "tpr": rates[1],
        "threshold": population.threshold_at_fpr([0.1, 0.5, 0.9]),
        "curve_fpr": fpr,
        "curve_tpr": tpr,
        "drawn_pos": drawn[0],
        "drawn_neg": drawn[1],
        "at_positive_rate": lab.threshold_at_positive_rate(population, [0.2, 0.6], 0.4),
    }


POPULATIONS: dict[str, Callable[[], Any]] = {
    "binormal": lambda: BINORMAL,
    "binormal_with_auc": lambda: lab.binormal_with_auc(0.8, sd=1.5, share=0.3),
    "tied": lambda: COARSE,
    "probit": lambda: Probit(0.5, 2.0),
    "exponential": lambda: lab.TwoDistributions(lab.Exponential(3.0), lab.Exponential(1.0)),
    "student": lambda: lab.TwoDistributions(lab.StudentT(3.0, 1.0, 1.2), lab.StudentT(4.0)),
    "mixture": lambda: lab.TwoDistributions(
        lab.NormalMixture((0.3, 0.7), (lab.Normal(0.0), lab.Normal(2.0, 0.5))), lab.Normal()
    ),
    "sample": lambda: lab.SamplePopulation.of(normal().a),
    "smoothed": lambda: lab.SmoothedCopy.of(normal().a),
    "smoothed_tied": lambda: lab.SmoothedCopy.of(tied().a),
}
for words, make in POPULATIONS.items():
    add(f"population/{words}", population_values, make)


# --- so many scores that compiled code is used ---------------------------------------------------------

add("huge/roc_curve", points, c.roc_curve, model_a(huge))
for method in ("delong", "score_delong", "exact_bootstrap"):
    add(
        f"huge/auc_interval/{method}",
        interval,
        c.auc_interval,
        model_a(huge),
        method=method,
        confidence_level=0.95,
    )
add(
    "huge/auc_interval/max_fpr",
    interval, c.auc_interval, model_a(huge), method="delong", max_fpr=0.1, confidence_level=0.95,
)  # fmt: skip
add(
    "huge/auc_interval/bootstrap",
    interval, c.auc_interval, model_a(huge), method="bootstrap", confidence_level=0.9, n_resamples=80, rng=80,
)  # fmt: skip
for method in ("delong", "exact_bootstrap", "permutation"):
    add(
        f"huge/auc_difference/{method}",
        difference, c.auc_difference, huge,
        method=method, alternative="two-sided", confidence_level=0.95, n_resamples=60, rng=80,
    )  # fmt: skip
add(
    "huge/tpr_at_fpr",
    intervals, c.tpr_at_fpr, model_a(huge), fpr=RATES,
    method="agresti_coull", confidence_level=0.95, n_resamples=60, rng=80, sampling="stratified",
)  # fmt: skip
add(
    "huge/roc_band",
    one_band,
    c.roc_band,
    model_a(huge),
    method="ks_regions",
    confidence_level=0.95,
)
add(
    "huge/cost_curve",
    costs, c.cost_curve, model_a(huge), w=WEIGHTS,
    sampling="stratified", method="mid_p", confidence_level=0.95, n_resamples=60, rng=80,
)  # fmt: skip
add(
    "huge/cost_difference",
    two_costs, c.cost_difference, huge, w=WEIGHTS,
    sampling="stratified", method="agresti_min", confidence_level=0.95, n_resamples=60, rng=80,
)  # fmt: skip
add(
    "huge/auc_forecast",
    forecast, c.auc_forecast, model_a(huge), radius=0.1, divergence="kl", method="paper",
)  # fmt: skip
add(
    "huge/rates_difference_at_threshold",
    sides, c.rates_difference_at_threshold, huge, threshold_a=[0.0, 1.0], threshold_b=[0.2, 1.5],
    method="agresti_min", confidence_level=0.95, n_resamples=60, rng=80, sampling="stratified",
)  # fmt: skip


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
