"""Up to 10^12 cases every number is right, or the method says that it cannot be computed for so many.

Tables of the same shares, of a million cases and of 10^12, must give the same estimates, and intervals whose
arms are a thousand times shorter. Products of such counts are beyond 64 bits, and laws of such counts beyond
any memory.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Iterator
from typing import Any

import mpmath
import numpy as np
import pytest

import confroc
from confroc import ConfrocWarning, PairedScores, Scores, UnpairedScores, methods
from confroc._check import ArgumentError
from confroc.base import keywords_of
from confroc.distributions import (
    binomial_pmf,
    independent_law,
    independent_quantiles,
    log_beta,
)
from confroc.distributions.counts import binomial_tail
from confroc.results import one_sided_limits
from support import slow
from test_options import FEWEST, FUNCTIONS, LARGER, MORE, ONE, OTHER, PAIR, PARTS, RISKS, THREE

FEWER, MANY = 100, 10**8
"""What the counts of a table of 10,000 cases are multiplied by."""

X = np.linspace(-3.0, 3.0, 12)
A, B = (v.ravel() for v in np.meshgrid(X, X, indexing="ij"))


def whole(weight: np.ndarray, n: int) -> np.ndarray:
    counts = np.floor(weight / weight.sum() * n).astype(np.int64)
    counts[np.argmax(counts)] += n - counts.sum()
    return counts


def bell(x: np.ndarray, mean: float, sd: float) -> np.ndarray:
    return np.exp(-0.5 * ((x - mean) / sd) ** 2)


POS, NEG = whole(bell(X, 1.2, 1.1), 4000), whole(bell(X, 0.0, 1.0), 6000)
OTHER_POS = whole(bell(X, 0.9, 1.0), 4000)
BOTH_POS = whole(bell(A + B, 1.8, 1.7) * bell(A - B, 0.2, 1.0), 4000)
BOTH_NEG = whole(bell(A + B, 0.0, 1.7) * bell(A - B, 0.0, 1.0), 6000)


class Samples:
    """The samples of the catalogue of functions, each as a table that is multiplied."""

    def __init__(self, factor: int) -> None:
        held = (BOTH_POS + BOTH_NEG) > 0
        counts = BOTH_POS[held] * factor, BOTH_NEG[held] * factor
        self.one = Scores.from_counts(X, POS * factor, NEG * factor)
        self.other = Scores.from_counts(X, OTHER_POS * factor, NEG * factor)
        self.pair = PairedScores.from_counts(A[held], B[held], *counts)
        self.risks = PairedScores.from_counts(*(1.0 / (1.0 + np.exp(-v[held])) for v in (A, B)), *counts)
        self.three = PairedScores._of((A[held], B[held], (B - 0.5 * A)[held]), *counts)
        parts = [self.one, self.other]
        self.instead = [
            (ONE, self.one), (LARGER, self.one), (OTHER, self.other), (MORE, self.other),
            (PAIR, self.pair), (RISKS, self.risks), (THREE, self.three),
            (RISKS.a, self.risks.a), (PARTS, parts), (PARTS[0], self.one), (PARTS[1], self.other),
        ]  # fmt: skip

    def of(self, value: Any) -> Any:
        return next((own for known, own in self.instead if value is known), value)


SAMPLES = {factor: Samples(factor) for factor in (FEWER, MANY)}


def ways() -> Iterator[tuple[str, str]]:
    for name, called in FUNCTIONS.items():
        # The first accepts arrays only, and thresholds of twelve levels do not close in.
        if name in ("reader_comparison", "threshold_at"):
            continue
        entry = methods.FAMILIES.get(name)
        named = "method" in inspect.signature(called.function).parameters
        yield from ((name, method) for method in (entry.methods if entry and named else [""]))


def made(name: str, method: str, factor: int, samples: Samples | None = None, **options: Any) -> Any:
    called, samples = FUNCTIONS[name], samples or SAMPLES[factor]
    args = tuple(samples.of(value) for value in called.args)
    options |= {"method": method} if method else {}
    row = methods.FAMILIES[name].methods.get(method) if name in methods.FAMILIES else None
    parameters = keywords_of(called.function)
    swaps = method == "permutation"
    if "n_resamples" in (row.options if row else parameters) and not swaps:
        options |= {"n_resamples": FEWER_NOISE.get(name, FEWEST.get(name, 80))}
    options |= {"rng": 1} if "rng" in parameters else {}
    base = dict(called.base)
    if "n_pos" in base:
        base |= {"n_pos": 4000 * factor, "n_neg": 6000 * factor}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        return called.function(*args, **{**base, **options})


FEWER_NOISE = {"average_precision": 800, "confusion_at_threshold": 800}
"""Resamples for percentiles whose chance is below what arms may differ by."""

REFUSED = {
    ("risk_coverage_curve", "bootstrap"),
    ("tpr_at_fpr", "kernel"),
    ("fpr_at_tpr", "kernel"),
    ("tpr_at_fpr", "smoothed_bootstrap"),
    ("tpr_at_fpr", "smoothed_studentized_bootstrap"),
    ("tpr_at_fpr", "naive_bootstrap"),
    ("tpr_at_fpr", "naive_studentized_bootstrap"),
    ("rates_at_positive_rate", "bootstrap"),
    ("rates_difference_at_positive_rate", "bootstrap"),
    ("auc_interval", "cortes_mohri"),
    ("auc_interval", "smoothed_bootstrap"),
    ("auc_power", "simulation"),
    ("roc_band", "bootstrap"),
    ("pr_band", "bootstrap"),
    ("curve_test", ""),
    ("cost_pmf", ""),
    ("cost_difference_pmf", ""),
    ("tpr_pmf", ""),
    ("joint_threshold_pmf", ""),
    ("tpr_difference_pmf", ""),
}
"""What lays out every case, or every value of a law."""


def numbers(value: Any, path: str = "") -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from numbers(inner, f"{path}.{name}")
    elif isinstance(value, list | tuple | np.ndarray):
        for i, inner in enumerate(value):
            yield from numbers(inner.to_dict() if hasattr(inner, "to_dict") else inner, f"{path}[{i}]")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path, float(value)


SIZES = ("n_pos", "n_neg", "tp", "fp", "fn", "tn", "flagged", "size", "pos", "neg", "df_denominator")
SHRINK = ("standard_error", "width", "radius", "critical", "statistic", "psi_without_drift", "distance")


def compared(few: Any, many: Any, tolerance: float, exact: bool = True) -> None:
    """Estimates are the same, arms a thousand times shorter."""
    root = math.sqrt(MANY / FEWER)
    few, many = dict(numbers(few)), dict(numbers(many))
    assert few.keys() == many.keys()
    for path, value in many.items():
        last = path.rsplit(".", 1)[-1].split("[")[0]
        before, estimate = few[path], path.replace(last, "estimate")
        if last in ("lower", "upper") and estimate in few:
            arm, own = before - few[estimate], (value - many[estimate]) * root
            if few.get(path.replace(last, "radius")) is None:
                assert own == pytest.approx(arm, rel=tolerance, abs=1e-9), path
        elif last in SHRINK:
            assert math.isnan(before) == math.isnan(value), path
        elif last not in SIZES:
            # Half of a tie's probability, which vanishes as cases grow.
            slack = 1e-3 if last in ("a_over_b", "b_over_a") else 1e-9 if exact else 1e-5
            assert value == pytest.approx(before, rel=slack, abs=slack, nan_ok=True), path


WHOLE_CURVES = ("roc_band", "roc_difference_band")
# Bounds of a risk that these samples contradict do not close in on an estimate; ratios have no bounds; the
# area of a risk–coverage curve with ties depends on n, and whole sizes are rounded.
NOT_INTERVALS = (
    "calibration_band",
    "forecast_curve",
    "auc_forecast",
    "drift_monitor",
    "auc_sample_size",
    "sample_size",
    "risk_coverage_curve",
)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "method"), [*ways()])
def test_a_million_million_cases(name: str, method: str) -> None:
    if (name, method) in REFUSED:
        with pytest.raises(ArgumentError, match=r"size|contain|tails|n_pos"):
            made(name, method, MANY)
        return
    many = made(name, method, MANY)
    if name in WHOLE_CURVES:
        assert_band(name, method, many)
        return
    if name == "pr_band":
        # Its ROC band is that of `roc_band`.
        assert np.isfinite([many.lower, many.upper]).all()
        return
    few = made(name, method, FEWER)
    if name in NOT_INTERVALS or (name, method) == ("confusion_at_threshold", "logit"):
        found = [dict(numbers(r)) for r in (few.to_dict(), many.to_dict())]
        assert all(math.isfinite(v) for path, v in found[1].items() if math.isfinite(found[0][path]))
        return
    row = methods.FAMILIES[name].methods.get(method) if name in methods.FAMILIES else None
    # What KS is moved by is a mean over random folds.
    resampled = "n_resamples" in (row.options if row else FUNCTIONS[name].options) or name == "ks_statistic"
    # What a function passes on to a method that resamples is none of the method's own options.
    resampled |= method == "bootstrap"
    plain = [r.to_dict() if hasattr(r, "to_dict") else r for r in (few, many)]
    # Binormal spreads have divisor n - 1.
    compared(*plain, tolerance=0.5 if resampled else 0.01, exact=method != "binormal")


AT = np.array([0.057, 0.11, 0.23, 0.31, 0.52, 0.71, 0.93])


def assert_band(name: str, method: str, many: Any) -> None:
    """Edges on both sides of the curve, a thousand times closer, as far as the method is about the curve."""
    few = made(name, method, FEWER)
    arms = []
    for found in (few, many):
        low, mid, high = (
            one_sided_limits(found.at, v, AT)[0] for v in (found.lower, found.estimate, found.upper)
        )
        arms.append(np.stack([mid - low, high - mid]))
    assert np.isfinite(arms[1]).all()
    if method in ("working_hotelling", "working_hotelling_pointwise", "vertical_averaging", "auc_hull"):
        # Straight, binormal or constant over strips where the curve is neither: what is left is that misfit.
        assert np.abs(arms[1]).max() < 0.05
        return
    ratio = arms[1] / arms[0] * math.sqrt(MANY / FEWER)
    assert ((ratio > 0.6) & (ratio < 1.7)).all(), ratio


@pytest.mark.slow
@pytest.mark.parametrize("factor", [500_000, 10**7])
@pytest.mark.parametrize(
    "name", ["tpr_at_fpr", "rates_at_positive_rate", "auc_interval", "tpr_difference_at_fpr"]
)
def test_sizes_on_the_way(name: str, factor: int) -> None:
    """Where products of two counts pass 2^63."""
    samples = Samples(factor)
    for method, row in methods.FAMILIES[name].methods.items():
        if (name, method) in REFUSED:
            continue
        found = dict(numbers(made(name, method, factor, samples).to_dict()))
        few = (
            dict(numbers(made(name, method, FEWER).to_dict())) if "n_resamples" not in row.options else found
        )
        slack = 1e-5 if method == "binormal" else 1e-9
        for path, value in found.items():
            if path.rsplit(".", 1)[-1].split("[")[0] == "estimate":
                assert value == pytest.approx(few[path], rel=slack), (method, path)
                low, high = (found[path.replace("estimate", end)] for end in ("lower", "upper"))
                assert -1.0 <= low <= value <= high <= 1.0
                assert high - low < 0.01


@pytest.mark.parametrize(
    "name",
    slow(
        ["tpr_difference_at_fpr", "rates_difference_at_threshold", "auc_difference"], "tpr_difference_at_fpr"
    ),
)
def test_two_test_sets(name: str) -> None:
    """Of sizes whose least common multiple is beyond 64 bits."""
    found = {}
    for factor in (FEWER, MANY):
        a, b = SAMPLES[factor].one, Samples(factor * 3 // 4 + 1).other
        samples = SAMPLES[factor]
        kept, samples.instead = samples.instead, [(PAIR, UnpairedScores(a, b))]
        for method, row in methods.FAMILIES[name].methods.items():
            if (method, factor) == ("permutation", MANY):
                with pytest.raises(ArgumentError, match="score_delong"):
                    made(name, method, factor)
            elif "n_resamples" not in row.options:
                found[method, factor] = made(name, method, factor).to_dict()
        samples.instead = kept
    for method, factor in found:
        if factor == FEWER:
            compared(found[method, FEWER], found[method, MANY], 0.01)


def test_dominance_of_two_test_sets() -> None:
    few, many = (
        confroc.dominance_at_threshold(
            UnpairedScores(SAMPLES[f].one, Samples(f // 2 + 1).other), threshold_a=0.3, threshold_b=0.3
        )
        for f in (FEWER, MANY)
    )
    assert many.a_over_b[0] == pytest.approx(few.a_over_b[0], abs=0.2)
    assert 0.0 <= many.a_over_b[0] <= 1.0


def test_the_area_of_the_largest_tables() -> None:
    """Against Python's integers."""
    for factor in (FEWER, 10**6, MANY):
        scores = Samples(factor).one
        above, wins = 0, 0
        for p, q in zip(scores.pos.tolist(), scores.neg.tolist(), strict=True):
            wins += q * (2 * above + p)
            above += p
        assert scores.auc == pytest.approx(wins / (2 * scores.n_pos * scores.n_neg), rel=4e-16)


def beta_probability(a: int, b: int, x: float) -> float:
    """P(B ≤ x) of a Beta distribution with large parameters, by integrating its density with 40 digits."""
    with mpmath.workdps(40):
        mean = mpmath.mpf(a) / (a + b)
        sd = mpmath.sqrt(mean * (1 - mean) / (a + b))
        log_beta = mpmath.loggamma(a) + mpmath.loggamma(b) - mpmath.loggamma(a + b)

        def density(u: Any) -> Any:
            return mpmath.exp((a - 1) * mpmath.log(u) + (b - 1) * mpmath.log1p(-u) - log_beta)

        low = min(mean, mpmath.mpf(x)) - 12 * sd
        return float(mpmath.quad(density, mpmath.linspace(low, mpmath.mpf(x), 25)))


def test_laws_of_the_largest_counts() -> None:
    """Tails by their expansion against the Beta density integrated, densities against Loader's masses.

    SciPy's incomplete beta function is wrong in the fifth digit here before version 1.17.
    """
    n, p = 10**12, 0.3
    k = np.array([0.3 * n + z * math.sqrt(n * p * (1 - p)) for z in (-6.0, -2.0, 0.1, 3.0, 6.0)]).astype(int)
    truth = [beta_probability(int(j), n - int(j) + 1, p) for j in k]
    assert binomial_tail(k, n, p) == pytest.approx(truth, rel=1e-8)
    x = k / n
    exact = np.log(binomial_pmf(np.array(int(p * n)), n, x) * (n + 1.0) * x * (1.0 - x))
    assert log_beta(np.array(p * n + 1.0), np.array((1 - p) * n + 1.0), x) == pytest.approx(exact, abs=1e-6)
    few = independent_quantiles(np.array([300]), 1000, 1000, np.array([400]), 1300, 1300, (0.025, 0.5, 0.975))
    many = independent_quantiles(
        np.array([300 * 10**9]), 10**12, 10**12, np.array([400 * 10**9 + 1]), 13 * 10**11, 13 * 10**11 - 7,
        (0.025, 0.5, 0.975),
    )  # fmt: skip
    assert many[0, 1] == pytest.approx(0.3 - 4 / 13, abs=1e-9)
    assert np.diff(many[0]) * math.sqrt(1e9) == pytest.approx(np.diff(few[0]), rel=0.02)
    ge, eq, le = independent_law(
        np.array([300 * 10**9]), 10**12, 10**12, np.array([300 * 10**9]), 10**12, 10**12
    )
    # Of two equal laws; P(D = 0) is that of the normal density at 0.
    assert ge[0] == pytest.approx(le[0], abs=1e-9)
    assert eq[0] == pytest.approx(1.0 / math.sqrt(2.0 * math.pi * 2.0 * 10**12 * 0.21), rel=1e-6)
