"""Methods: classes whose fields are options, by name or as objects, and what is generated from them."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import confroc
import typed_options
from confroc import PairedScores, Scores, base, methods
from confroc._docstrings import documented
from confroc.base import Contrast, Family, Method, Outcome, method_class
from confroc.statistics import Auc

FAMILIES = list(methods.FAMILIES.values())
CLASSES = sorted(
    {cls for table in base.REGISTER.values() for cls in table.values()}, key=lambda c: c.__name__
)
ids = {"ids": lambda each: each.__name__ if isinstance(each, type) else each.name}

SAMPLE = Scores([1] * 12 + [0] * 15, [*range(4, 28, 2), *range(15)])
PAIR = PairedScores([1] * 12 + [0] * 15, [*range(4, 28, 2), *range(15)], [*range(2, 26, 2), *range(15)])


def front(entry: Family) -> Any:
    return typed_options.front(entry.name)


@pytest.mark.parametrize("entry", FAMILIES, **ids)
def test_default_is_that_of_the_signature(entry: Family) -> None:
    chosen = inspect.signature(front(entry)).parameters.get("method")
    assert entry.names[0] == entry.default
    assert len(repr(entry)) < 100
    if chosen is not None:
        assert chosen.default == entry.default


@pytest.mark.parametrize("cls", CLASSES, **ids)
def test_classes_describe_themselves(cls: type[Method]) -> None:
    method = cls()
    assert set(method.papers) <= set(methods.PAPERS)
    assert method.title
    assert len(method.summary) > 20
    assert method.guarantee in ("finite-sample", "asymptotic", "bootstrap", "none")
    options = {name for c in cls.__mro__ for name in documented(c)}
    assert set(method.options) <= options
    assert eval(repr(method), vars(methods) | methods._CLASSES) == method
    assert cls.__name__ in methods.__all__


@pytest.mark.parametrize("entry", FAMILIES, **ids)
def test_docstrings_list_every_method_and_option(entry: Family) -> None:
    text = inspect.getdoc(front(entry)) or ""
    assert not re.search(r"\{(methods|options)", text)
    listed = entry.name not in ("auc_sample_size", "dominance_at_threshold")
    if listed:
        shipped = [c for c in entry.classes.values() if c.__module__.startswith("confroc.")]
        assert all(re.search(rf"\b{cls.name}\b", text) for cls in shipped)
        assert all(re.search(rf"\b{option}\b", text) for cls in shipped for option in cls().options)


def test_types_of_options_are_up_to_date() -> None:
    # Methods of the tests' own are no methods of the library's.
    assert typed_options.FILE.read_text(encoding="utf-8") == typed_options.source()


@pytest.mark.parametrize("entry", FAMILIES, **ids)
def test_unknown_method_is_refused_with_the_names(entry: Family) -> None:
    with pytest.raises(ValueError, match=rf"`method` must be one of .*{entry.default}"):
        entry.chosen("no such method", {})


def test_options_of_other_methods_and_unknown_ones() -> None:
    with pytest.raises(
        ValueError, match=r"`error_rate` must be omitted with method 'delong'; got 0.1.*'cortes"
    ):
        confroc.auc_interval(SAMPLE, method="delong", error_rate=0.1)
    with pytest.raises(
        TypeError, match=r"unexpected keyword argument 'n_resample'. Did you mean `n_resamples`"
    ):
        confroc.auc_interval(SAMPLE, n_resample=99)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match=r"`tails` must be one of 'symmetric'"):
        methods.SmoothedBootstrapArea(tails="both")
    with pytest.raises(ValueError, match="`smoothing` must be True or False"):
        methods.BallBootstrap(smoothing="yes")


def test_settings_are_accepted_by_every_method() -> None:
    assert confroc.auc_interval(SAMPLE, rng=0, n_jobs=2) == confroc.auc_interval(SAMPLE)
    with pytest.raises(ValueError, match="`rng` must be"):
        confroc.auc_interval(SAMPLE, rng="seed")  # type: ignore[call-overload]


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
def test_objects_and_names_give_equal_results() -> None:
    by_name = confroc.auc_interval(SAMPLE, method="bootstrap", n_resamples=99, rng=3)
    method = methods.AreaBootstrap(n_resamples=99, rng=3)
    assert confroc.auc_interval(SAMPLE, method=method) == by_name
    assert by_name.method == method
    assert (str(method), repr(method)) == ("bootstrap", "AreaBootstrap(n_resamples=99, rng=3)")
    with pytest.raises(ValueError, match="`n_resamples` must be an option of the method object"):
        confroc.auc_interval(SAMPLE, method=method, n_resamples=50)
    with pytest.raises(ValueError, match="`method` must be a method of `tpr_at_fpr`"):
        confroc.tpr_at_fpr(SAMPLE, fpr=0.1, method=method)


@pytest.mark.filterwarnings("ignore::confroc.ConfrocWarning")
def test_a_drawn_seed_is_recorded_and_makes_the_result_again() -> None:
    found = confroc.auc_interval(SAMPLE, method="bootstrap", n_resamples=99)
    again = eval(repr(found.method), methods._CLASSES)
    assert isinstance(again.rng, int)
    assert confroc.auc_interval(SAMPLE, method=again) == found
    band = confroc.roc_band(SAMPLE, n_resamples=99)
    assert confroc.roc_band(SAMPLE, method=eval(repr(band.method), methods._CLASSES)) == band
    by_generator = confroc.auc_interval(
        SAMPLE, method="bootstrap", n_resamples=99, rng=np.random.default_rng(1)
    )
    assert by_generator.to_dict()["options"]["rng"] == "not reproducible"
    assert found.to_dict()["options"] == {"n_resamples": 99, "rng": again.rng}
    # The number of threads is no part of what a method is.
    assert methods.AreaBootstrap(n_jobs=2) == methods.AreaBootstrap()


@pytest.fixture
def doubled() -> Iterator[type[Method]]:
    """A method entered by a user, taken out again for the tests that try all methods."""

    @method_class
    class Doubled(Method):
        """Twice as wide.

        The interval of another method, twice as wide.

        Attributes
        ----------
        factor : float
        """

        name = "doubled"
        serves = (("auc", "interval"), ("auc", "difference"))
        factor: float = 2.0

        def __call__(self, x: Contrast, level: float) -> Outcome:
            found = methods.ScoreDelong()(x, level)
            low, high = (x.value + self.factor * (end - x.value) for end in found.ends)
            return found._replace(lower=low, upper=high)

    yield Doubled
    for served in Doubled.serves:
        del base.REGISTER[served]["doubled"]


def test_a_method_of_the_users_own(doubled: type[Method]) -> None:
    own = dataclasses.replace(doubled(), factor=1.5)  # type: ignore[call-arg]
    assert confroc.auc_interval(SAMPLE, method="doubled", factor=1.5) == confroc.auc_interval(
        SAMPLE, method=own
    )
    found, usual = confroc.auc_interval(SAMPLE, method=own), confroc.auc_interval(SAMPLE)
    assert found.estimate - found.lower == pytest.approx(1.5 * (usual.estimate - usual.lower))
    assert str(found.method) == "doubled"
    two, plain = confroc.auc_difference(PAIR, method=own), confroc.auc_difference(PAIR)
    assert two.upper - two.estimate == pytest.approx(1.5 * (plain.upper - plain.estimate))
    assert confroc.interval(SAMPLE, Auc(), method=own) == found


def test_names_are_taken_once() -> None:
    with pytest.raises(TypeError, match="interval of 'auc' already has a method 'delong'"):

        class Other(Method):
            name = "delong"
            serves = (("auc", "interval"),)
