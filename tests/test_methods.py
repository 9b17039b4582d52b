"""The register of methods: its rows agree with the functions, which refuse what it does not have."""

from __future__ import annotations

import inspect
import re

import pytest

import confroc
from confroc import cost, methods
from confroc.methods.register import function as function_entry

ENTRIES = methods.FUNCTIONS.values()
ROWS = [(entry, row) for entry in ENTRIES for row in entry.methods.values()]


def function(entry: methods.Function) -> object:
    return getattr(confroc, entry.name, None) or getattr(cost, entry.name)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_default_is_the_first_row(entry: methods.Function) -> None:
    chosen = inspect.signature(function(entry)).parameters.get("method")  # type: ignore[arg-type]
    if chosen is None:
        assert len(entry.methods) == 1
    else:
        assert chosen.default == entry.default


def test_options_and_papers_of_rows_exist() -> None:
    for entry, row in ROWS:
        assert set(row.options) <= set(inspect.signature(function(entry)).parameters), row.name  # type: ignore[arg-type]
        assert set(row.papers) <= set(methods.PAPERS), row.name


def test_docstrings_describe_every_method() -> None:
    several = [(entry, row) for entry, row in ROWS if len(entry.methods) > 1]
    missing = [
        (entry.name, row.name)
        for entry, row in several
        if not re.search(rf"\b{row.name}\b", inspect.getdoc(function(entry)) or "")
    ]
    assert missing == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_unknown_method_is_refused_with_the_names(entry: methods.Function) -> None:
    with pytest.raises(ValueError, match=rf"`method` must be one of .*{entry.default}"):
        entry.check("no such method")


def test_option_of_another_method_is_refused() -> None:
    entry = function_entry(
        "f", "F", [methods.Method("one", "One", "One."), methods.Method("two", "Two", "Two.", options=("x",))]
    )
    assert entry.check("two", x=3).name == "two"
    assert entry.check("one", x=None).name == "one"
    with pytest.raises(ValueError, match=r"`x` must be left out with method 'one'; got 3.*'two'"):
        entry.check("one", x=3)


def test_rows_and_implementations_must_agree() -> None:
    entry = function_entry("f", "F", [methods.Method("one", "One", "One.")])
    assert entry.table({"one": 1})["one"] == 1
    with pytest.raises(TypeError, match="two"):
        entry.table({"one": 1, "two": 2})
