"""Samples that show no variation: intervals have width, or say in a note that they lack it; all are finite.

Perfect separation, one score for all, a single case in a class, two and two, the ranking reversed. The
methods that resample plainly, Wald's, and the exact laws that they converge to have no width there by
definition; they warn, and say so in their notes.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from confroc import (
    Band,
    ConfrocWarning,
    PairedScores,
    Scores,
    auc_difference,
    auc_interval,
    cost_curve,
    methods,
    net_benefit_difference,
    tpr_at_fpr,
)
from confroc._check import ArgumentError
from confroc.bands.averaging import interval_of
from confroc.base import keywords_of
from support import slow
from test_options import FUNCTIONS, MORE, ONE, PAIR, PARTS, RISKS, ways

TABLES = {
    "perfect": ([3, 2, 1, 0, 0, 0], [0, 0, 0, 2, 3, 1]),
    "two levels": ([10, 0], [0, 12]),
    "all tied": ([7], [9]),
    "one and one": ([1, 0], [0, 1]),
    "one and one, reversed": ([0, 1], [1, 0]),
    "one and one, tied": ([1], [1]),
    "one and many": ([1] + [0] * 20, [0] + [1] * 20),
    "one amid many": ([0] * 10 + [1] + [0] * 10, [1] * 10 + [0] + [1] * 10),
    "two and two": ([1, 0, 1, 0], [0, 1, 0, 1]),
    "one tie": ([1] * 5 + [1] + [0] * 5, [0] * 5 + [1] + [1] * 5),
    "reversed": ([0] * 10 + [1] * 10, [1] * 10 + [0] * 10),
}
RATES = {
    "tpr_at_fpr": {"fpr": [0.3, 0.5]},
    "fpr_at_tpr": {"tpr": [0.3, 0.5]},
    "tpr_difference_at_fpr": {"fpr": [0.5]},
    "rates_at_positive_rate": {"positive_rate": [0.3, 0.5]},
    "rates_at_threshold": {"threshold": [0.05, 0.3, 0.5, 0.95]},
    "cost_curve": {"w": [0.2, 0.5, 0.8]},
    "cost_difference": {"w": [0.2, 0.5, 0.8]},
}
WITHOUT_WIDTH = {"wald", "bootstrap", "bootstrap_bca", "exact_bootstrap", "studentized_bootstrap"}
"""Methods that have no width where the sample shows no variation, as their docstrings say."""
WITHOUT_WIDTH_BANDS = {"fixed_width", "vertical_averaging", "threshold_averaging", "auc_hull", "ks_regions"}


def counted(table: str) -> PairedScores:
    pos, neg = (np.array(column) for column in TABLES[table])
    score = np.linspace(0.9, 0.1, len(pos)) if len(pos) > 1 else np.array([0.5])
    other = np.clip(np.round(score * 3) / 3, 0.05, 0.95)
    return PairedScores.from_counts(score, other, pos, neg)


def designed(design: str) -> PairedScores:
    """Forty cases whose cluster or weight is known; of two clusters each is a class."""
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], 20)
    columns = {
        "cluster": rng.integers(0, 12, 40) if "two" not in design else y,
        "sample_weight": rng.uniform(0.5, 3.0, 40),
        "strata": np.arange(40) % 2,
    }
    given = {name: column for name, column in columns.items() if name in design}
    if "strata" in given and "cluster" in given:
        given["strata"] = given["cluster"] % 2
    return PairedScores(y, *(1.0 / (1.0 + np.exp(-rng.normal(y))) for _ in range(2)), **given)


def called(name: str, way: dict[str, Any], pair: PairedScores) -> Any:
    one = pair.a
    instead = [(ONE, one), (MORE, one), (RISKS.a, one), (PAIR, pair), (RISKS, pair), (PARTS, [one, one])]
    function = FUNCTIONS[name]
    args = [next((own for known, own in instead if value is known), value) for value in function.args]
    base = {**function.base, **RATES.get(name, {})}
    parameters = keywords_of(function.function)
    return function.function(*args, **{**base, **way, **({"rng": 1} if "rng" in parameters else {})})


def parts(result: Any) -> Iterator[Any]:
    """The result and the intervals in it that have an estimate and two ends."""
    for inner in (result, *(getattr(result, name, None) for name in ("fpr", "tpr", "precision"))):
        if hasattr(inner, "lower") and hasattr(inner, "estimate"):
            yield inner


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [n for n in FUNCTIONS if n in methods.FAMILIES and not n.startswith("auc_s")],
)
@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
def test_width_or_a_note(name: str) -> None:
    for way in ways(FUNCTIONS[name], name):
        method = way.get("method", "")
        for table in TABLES:
            try:
                result = called(name, way, counted(table))
            except ArgumentError:
                continue
            for found in parts(result):
                about = (name, method, table, found)
                lower, upper, estimate = (
                    np.atleast_1d(v) for v in (found.lower, found.upper, found.estimate)
                )
                if np.isnan(lower).any():
                    assert any("there is no interval" in note for note in result.notes), about
                    continue
                assert np.isfinite(np.concatenate([lower, upper, estimate])).all(), about
                assert (lower <= upper).all(), about
                none = upper - lower <= 1e-12
                if isinstance(found, Band):
                    if (none[1:-1] if len(none) > 2 else none).all():
                        assert method in WITHOUT_WIDTH | WITHOUT_WIDTH_BANDS, about
                        assert any("zero width" in note for note in result.notes), about
                    continue
                assert ((lower <= estimate + 1e-12) & (estimate - 1e-12 <= upper)).all(), about
                if none.any():
                    assert method in WITHOUT_WIDTH, about
                    assert any("zero width" in note for note in result.notes), about


@pytest.mark.parametrize(
    "design",
    slow(
        ["two cluster", "cluster sample_weight strata", "cluster", "sample_weight", "strata"],
        "cluster",
        "sample_weight",
        "strata",
    ),
)
@pytest.mark.parametrize("name", list(FUNCTIONS))
@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
def test_every_function_has_a_design_or_refuses_it(name: str, design: str) -> None:
    """No error or warning of NumPy comes through, whatever the clusters, weights and strata."""
    for way in ways(FUNCTIONS[name], name):
        try:
            result = called(name, way, designed(design))
        except ArgumentError:
            continue
        for found in parts(result):
            ends = [np.asarray(v) for v in (found.lower, found.upper)]
            assert np.isfinite(ends).all(), (name, way, found)
            assert (ends[0] <= ends[1]).all(), (name, way, found)


@pytest.mark.parametrize(
    "method",
    [
        "smoothed_bootstrap",
        "smoothed_studentized_bootstrap",
        "naive_bootstrap",
        "naive_studentized_bootstrap",
    ],
)
def test_resamples_that_are_all_alike_leave_doubt(method: str) -> None:
    scores = Scores([1] * 20 + [0] * 20, np.arange(40.0)[::-1])
    with pytest.warns(
        ConfrocWarning, match="^All resamples are identical at some rates; 'beta_mixture' is used there.$"
    ):
        found = tpr_at_fpr(scores, fpr=[0.3, 0.5, 1.0], method=method, n_resamples=80, rng=1)
    safe = tpr_at_fpr(scores, fpr=[0.3, 0.5])
    assert found.lower[:2].tolist() == safe.lower.tolist()
    assert found.upper[:2].tolist() == safe.upper.tolist()
    assert "'beta_mixture'" in found.notes[0]
    # At a false positive rate of 1 there is no doubt.
    assert (found.lower[2], found.upper[2]) == (1.0, 1.0)


def test_costs_contain_their_estimates() -> None:
    """Pseudo-cases pull the center away from a cost of zero."""
    scores = Scores([1, 1, 0, 0], [4, 3, 2, 1])
    found = cost_curve(scores, w=[0.2, 0.5], threshold=3.0, method="agresti_coull")
    assert (found.estimate == 0.0).all()
    assert (found.lower == 0.0).all()
    pair = PairedScores([0, 1], [0, 1], [0, 1])
    found = net_benefit_difference(pair, risk=0.5)
    assert found.lower[0] <= found.estimate[0] <= found.upper[0]
    assert not np.signbit(found.estimate[0])


def test_averages_of_ones_have_a_binomial_variance() -> None:
    above = np.nextafter(np.ones((3, 2)), 2.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        low, high = interval_of(above, 0.95, "binomial", 10)
    assert low.tolist() == high.tolist() == [1.0, 1.0]


def test_a_margin_that_the_difference_has_reached() -> None:
    """The null value is the estimate but for rounding: no standard error away."""
    label, a, b = zip(
        *[(0, 1, 3), (0, 2, 2), (0, 4, 3), (0, 4, 3), (1, 0, 4), (1, 1, 0), (1, 3, 0), (1, 4, 0), (1, 4, 2)],
        strict=True,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        pair = PairedScores(label, b, a)
        found = auc_difference(pair, alternative="non-inferiority", margin=0.2, confidence_level=0.8)
    assert found.estimate == pytest.approx(-0.2)
    assert found.pvalue == pytest.approx(0.5)


def test_no_part() -> None:
    scores = Scores([1, 0, 1, 0], [4, 3, 2, 1])
    with pytest.raises(ArgumentError, match="leave a part"):
        auc_interval(scores, max_fpr=1e-320)


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
@pytest.mark.parametrize("level", [0.001, 0.01, 0.2])
@pytest.mark.parametrize("method", ["bootstrap", "bootstrap_bca"])
def test_low_levels_contain_the_estimate(level: float, method: str) -> None:
    found = auc_interval(ONE, method=method, confidence_level=level, n_resamples=80, rng=1)
    assert found.lower <= found.estimate <= found.upper
    if method == "bootstrap":
        difference = auc_difference(PAIR, method=method, confidence_level=level, n_resamples=80, rng=1)
        assert difference.lower <= difference.estimate <= difference.upper
