"""Frozen means frozen, and copied means equal: for one result of every public function, and for samples."""

from __future__ import annotations

import copy
import dataclasses
import functools
import inspect
import pickle
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest

import confroc
from confroc import PairedScores, Scores, UnpairedScores, auditing, methods, models
from confroc.base import keywords_of
from confroc.results import Frozen, Result
from confroc.sklearn import CrossValidatedScores
from test_options import FEWEST, FUNCTIONS, ONE, PAIR

ROUNDED = Scores.from_counts([1, 2, 4], [0, 2, 3], [4, 1, 0], score_max=[1, 3, 5], n_dropped=2)
HALVES = [([0, 1, 14, 15], [3.0, 2.0, 1.0, 2.5]), ([2, 3, 16, 17], [0.9, 0.4, 0.3, 0.2])]


@functools.cache
def made(name: str) -> Any:
    """One object of every kind, by the function that made it."""
    return MADE[name] if name in MADE else called(name)


def called(name: str) -> Any:
    called = FUNCTIONS[name]
    few = {"n_resamples": FEWEST.get(name, 80), "rng": 1, "confidence_level": 0.9}
    given = {k: v for k, v in few.items() if k in keywords_of(called.function)}
    entry = methods.FAMILIES.get(name)
    default = entry and inspect.signature(called.function).parameters.get("method")
    if default and "n_resamples" not in entry.methods[default.default].options:
        given.pop("n_resamples", None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", confroc.ConfrocWarning)
        return called.function(*called.args, **{**given, **called.base})


MADE: dict[str, Any] = {
    "Scores": ONE,
    "rounded Scores": ROUNDED,
    "PairedScores": PAIR,
    "rounded PairedScores": PairedScores.from_counts(
        [1, 2, 4], [1, 1, 2], [1, 2, 3], [3, 1, 0], score_a_max=[1, 3, 5]
    ),
    "UnpairedScores": UnpairedScores(ONE, ROUNDED),
    "CrossValidatedScores": CrossValidatedScores([1] * 14 + [0] * 20, HALVES),
    "KernelModel": models.KernelModel.fit(ONE),
    "BinormalModel": models.BinormalModel.fit(ONE),
    "roc_curve": confroc.roc_curve(ONE),
    "convex_hull": confroc.roc_curve(ONE).convex_hull(),
    "lower_envelope": confroc.cost.lower_envelope(ONE),
    "Audit": auditing.Audit(
        n_pos=3,
        n_neg=4,
        population="smoothed",
        auc=0.8,
        categories=0,
        confidence_level=0.9,
        replications={"area": 20},
        verdicts=(),
        recommendation={"area": "delong"},
    ),
}


def arrays(value: Any, seen: dict[int, Any] | None = None) -> Iterator[np.ndarray]:
    """Every array that can be reached from an object, cached ones too."""
    seen = {} if seen is None else seen
    if id(value) in seen:
        return
    # Kept, so that no other object gets its number.
    seen[id(value)] = value
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from arrays(inner, seen)
    elif isinstance(value, tuple):
        for inner in value:
            yield from arrays(inner, seen)
    elif isinstance(value, Frozen):
        for inner in (getattr(value, name) for name in dir(value) if name[:2] != "__"):
            if not callable(inner):
                yield from arrays(inner, seen)


def mutable(value: Any) -> bool:
    """Whether a list, dict or set is among the values of a result's fields."""
    if isinstance(value, tuple):
        return any(map(mutable, value))
    if isinstance(value, Result):
        return any(mutable(getattr(value, f.name)) for f in dataclasses.fields(value))
    return isinstance(value, list | dict | set | bytearray)


def every_kind(kind: type) -> Iterator[type]:
    for own in kind.__subclasses__():
        yield own
        yield from every_kind(own)


NAMES = [*MADE, *FUNCTIONS]


@pytest.mark.parametrize("name", NAMES)
def test_frozen(name: str) -> None:
    result = made(name)
    if not isinstance(result, Frozen) and all(
        type(a) is np.ndarray and a.flags.writeable for a in arrays(result)
    ):
        # Laws are arrays of the caller's own: writing to them changes nothing else.
        for array in arrays(result):
            array[:] = 0
        again = called(name)
        assert any(array.any() for array in arrays(again))
        return
    found = list(arrays(result))
    for array in found:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
    assert not mutable(result)
    if not isinstance(result, Frozen):
        return
    for attribute in (*(vars(result) if hasattr(result, "__dict__") else ("a", "b")), "unknown"):
        with pytest.raises(AttributeError):
            setattr(result, attribute, 1)
        with pytest.raises(AttributeError):
            delattr(result, attribute)


@pytest.mark.parametrize("name", NAMES)
def test_copies_are_equal_and_frozen(name: str, tmp_path: Path) -> None:
    result = made(name)
    if not isinstance(result, Frozen):
        return
    copies = [copy.copy(result), copy.deepcopy(result)]
    copies += [
        pickle.loads(pickle.dumps(result, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
    ]
    joblib.dump(result, tmp_path / "object")
    copies += [joblib.load(tmp_path / "object", mmap_mode=mode) for mode in (None, "r", "r+", "c")]
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        copies.append(dataclasses.replace(result))
    for other in copies:
        assert type(other) is type(result)
        assert other == result
        assert hash(other) == hash(result)
        assert (repr(other), str(other)) == (repr(result), str(result))
        for array in arrays(other):
            assert not array.flags.writeable
        for mine, theirs in zip(arrays(result), arrays(other), strict=True):
            assert mine.dtype == theirs.dtype
            assert np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == "f")
        if isinstance(result, Scores):
            assert other.exact == result.exact
            assert (other.auc, other.n_dropped) == (result.auc, result.n_dropped)
        if isinstance(result, Result):
            assert other.to_dict().keys() == result.to_dict().keys()


@pytest.mark.parametrize("kind", [*every_kind(Result)])
def test_no_result_has_its_own_idea_of_equality(kind: type) -> None:
    assert "__eq__" not in vars(kind)
    assert "__hash__" not in vars(kind)


@pytest.mark.parametrize("kind", ["list", "array", "view"])
def test_what_the_caller_does_later_changes_nothing(kind: str) -> None:
    mine = np.array([0.2, 0.5, 0.9])
    given = {"list": mine.tolist(), "array": mine, "view": mine[:]}[kind]
    found = [
        confroc.rates_at_threshold(ONE, threshold=given),
        confroc.tpr_at_fpr(ONE, fpr=given),
        confroc.fpr_at_tpr(ONE, tpr=given),
        confroc.rates_at_positive_rate(ONE, positive_rate=given),
        confroc.rates_difference_at_threshold(PAIR, threshold_a=given, threshold_b=given),
        confroc.dominance_at_threshold(PAIR, threshold_a=given, threshold_b=given),
        confroc.cost_curve(ONE, w=given),
        models.BinormalModel(a=1.0, b=1.0, covariance=np.outer(mine, mine)[:2, :2]),
    ]
    before = [repr(r.to_dict()) if isinstance(r, Result) else repr(r) for r in found]
    mine[:] = 0.7
    assert [repr(r.to_dict()) if isinstance(r, Result) else repr(r) for r in found] == before
    labels, score = np.array([True, False, True, False]), np.array([4.0, 3.0, 2.0, 1.0])
    samples = [Scores(labels, score), PairedScores(labels, score, score + 1.0)]
    counts = np.array([1, 2, 3])
    samples.append(Scores.from_counts(counts, counts, counts, score_max=counts))
    kept = copy.deepcopy(samples)
    labels[:], score[:], counts[:] = True, 0.0, 0
    assert samples == kept


def test_results_differ_where_anything_differs() -> None:
    one = confroc.tpr_at_fpr(ONE, fpr=[0.2, 0.3])
    assert one == confroc.tpr_at_fpr(ONE, fpr=[0.2, 0.3])
    assert one != confroc.tpr_at_fpr(ONE, fpr=[0.2, 0.4])
    assert one != dataclasses.replace(one, method="other")
    assert one != one.to_dict()
    # A missing standard error equals another one.
    first = confroc.auc_interval(ONE, method="newcombe")
    other = dataclasses.replace(first, standard_error=float("nan"))
    assert other == dataclasses.replace(other, standard_error=float("nan"))
    assert len({first, copy.deepcopy(first), other}) == len({first, other})
    assert Scores.from_counts([1, 2, 4], [0, 2, 3], [4, 1, 0]) != ROUNDED
