"""The scale of the scores does not matter: a power of two times them changes no bit of any result.

Only the order of scores enters most results; kernels and binormal intervals measure distances, of scores
divided by a power of two. At the ends of what doubles hold nothing warns or breaks.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from confroc import ConfrocWarning, KernelModel, PairedScores, Scores, methods, tpr_at_fpr
from confroc._check import ArgumentError
from confroc.base import keywords_of
from support import slow
from test_options import FUNCTIONS, LARGER, MORE, ONE, OTHER, PAIR, PARTS, ways

g = np.random.default_rng(3)
Y = np.repeat([1, 0], [14, 20])
A, B = (g.normal(size=34) + 1.3 * Y).round(2), (g.normal(size=34) + 0.8 * Y).round(2)
PLACES = np.searchsorted(np.unique(np.concatenate([A, B])), A)

OF_SCORES = [
    name
    for name in FUNCTIONS
    # Risks have a scale, planned studies no scores, cases of a law their numbers.
    if name in methods.FAMILIES and "net_benefit" not in name and name not in ("auc_power", "auc_sample_size")
]
OWN = ("threshold", "at_b")
"""What is in units of the scores."""


def plain(result: Any) -> Any:
    """The numbers that are in no unit."""
    found = result.to_dict() if hasattr(result, "to_dict") else result
    if isinstance(found, dict):
        at_threshold = str(found.get("at_name")) == "threshold"
        return {
            name: plain(value)
            for name, value in found.items()
            if not name.startswith(OWN) and not (name == "at" and at_threshold)
        }
    return found


def called(name: str, way: dict[str, Any], scaled: Callable[[Any], Any]) -> Any:
    pair = PairedScores(Y, scaled(A), scaled(B))
    instead = [
        (ONE, pair.a),
        (LARGER, pair.a),
        (OTHER, pair.b),
        (MORE, pair.b),
        (PAIR, pair),
        (PARTS, [pair.a, pair.b]),
    ]
    function = FUNCTIONS[name]

    def own(value: Any) -> Any:
        return next((new for known, new in instead if value is known), value)

    args, base = [own(value) for value in function.args], dict(function.base)
    base |= {k: float(scaled(v)) for k, v in base.items() if k.startswith("threshold")}
    if "rng" in keywords_of(function.function):
        base["rng"] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConfrocWarning)
        return plain(function.function(*args, **{**base, **way}))


@pytest.mark.parametrize(
    "name",
    slow(
        OF_SCORES,
        "rates_difference_at_positive_rate",
        "pr_band",
        "confusion_at_threshold",
        "roc_band",
        "auc_comparison",
        "rates_at_positive_rate",
        "cost_difference",
    ),
)
def test_a_power_of_two_changes_nothing(name: str) -> None:
    for way in ways(FUNCTIONS[name], name):
        before = str(called(name, way, lambda v: v))
        for exponent in (-960, 13, 1021):
            assert str(called(name, way, lambda v, e=exponent: v * 2.0**e)) == before, (way, exponent)


DISTANCES = [
    ("tpr_at_fpr", {"method": "kernel"}),
    ("fpr_at_tpr", {"method": "kernel"}),
    ("auc_interval", {"method": "binormal"}),
]


@settings(max_examples=25)
@given(st.integers(-960, 1021))
@example(-960)
@example(1021)
def test_distances_in_any_power_of_two(exponent: int) -> None:
    for name, way in DISTANCES:
        assert str(called(name, way, lambda v: v * 2.0**exponent)) == str(called(name, way, lambda v: v))
    model, scaled = KernelModel.fit(Scores(Y, A)), KernelModel.fit(Scores(Y, A * 2.0**exponent))
    assert scaled.bandwidth_pos == model.bandwidth_pos * 2.0**exponent
    assert scaled.auc == model.auc
    assert (scaled.tpr([0.1, 0.4]) == model.tpr([0.1, 0.4])).all()


ENDS = {
    "the smallest doubles": PLACES * 5e-324,
    "next to one": 1.0 + PLACES * 2.3e-16,
    "all that doubles span": A / np.abs(A).max() * 1.79e308,
    "far from most": np.where(A.max() == A, 3e79, A * 1e16),
}


@pytest.mark.parametrize("where", ENDS)
def test_the_ends_of_what_doubles_hold(where: str) -> None:
    """No warning, and numbers, or a sentence that refuses them."""
    scores = Scores(Y, ENDS[where])
    for method, row in methods.FAMILIES["tpr_at_fpr"].methods.items():
        few = {"n_resamples": 80, "rng": 1} if "n_resamples" in row.options else {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConfrocWarning)
            try:
                found = tpr_at_fpr(scores, fpr=[0.1, 0.5], method=method, **few)
            except ArgumentError:
                assert "bootstrap" in method or method == "kernel"
                continue
        assert np.isfinite(found.lower).all()
        assert (found.lower <= found.upper).all()
    try:
        model = KernelModel.fit(scores)
    except ArgumentError:
        return
    assert 0.5 < model.auc < 1.0


@pytest.mark.slow
def test_monotone_transforms_change_nothing_but_distances() -> None:
    of_distances = ("kernel", "binormal", "smoothed", "studentized")
    for name in OF_SCORES:
        for way in ways(FUNCTIONS[name], name):
            method = str(way.get("method", ""))
            if "threshold" in name or "cost" in name or any(word in method for word in of_distances):
                continue
            if name not in ("roc_band", "pr_band") or method != "bootstrap":
                assert str(called(name, way, np.sinh)) == str(called(name, way, lambda v: v)), (name, way)
