"""What a row of the register says, and how rows are looked up.

One row a method. The function that offers the method dispatches by the register's names, checks its
argument against them, and takes guarantee and kind from the row; the docstring's list, the command line's
choices, the report's words, the audit and the tables of the documentation read the same row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from confroc._check import ArgumentError, check_choice
from confroc.methods.papers import PAPERS, Paper
from confroc.results import Guarantee, Kind, shown

F = TypeVar("F")


class Method(NamedTuple):
    """One way of an inference function to do its work.

    Attributes
    ----------
    name : str
        As the argument `method` takes it.
    title : str
        As a table or a page calls it.
    summary : str
        What it does, in a sentence or two of plain words.
    guarantee : {"finite-sample", "asymptotic", "bootstrap", "none"}
    kind : {"pointwise", "simultaneous"}
    options : tuple of str
        Arguments of the function that this method takes and not every other does.
    caution : str
        Where it is known to cover less than its level, or what to mind; empty if nothing is known.
    papers : tuple of str
        Keys of `confroc.methods.papers.PAPERS`.
    """

    name: str
    title: str
    summary: str
    guarantee: Guarantee = "asymptotic"
    kind: Kind = "pointwise"
    options: tuple[str, ...] = ()
    caution: str = ""
    papers: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Method({self.name}: {self.title}; {self.kind}, {self.guarantee})"

    @property
    def references(self) -> tuple[Paper, ...]:
        """The papers, in full."""
        return tuple(PAPERS[key] for key in self.papers)


class Function(NamedTuple):
    """A function that offers methods; the first one is its default."""

    name: str
    title: str
    methods: Mapping[str, Method]

    def __repr__(self) -> str:
        rows = self.methods.values()
        fields = ("name", "kind", "guarantee", "title")
        columns = {field: [getattr(row, field) for row in rows] for field in fields}
        return shown.as_text(shown.Table(f"{self.name}: {self.title}", columns, len(rows)), wide=shown.PAGE)

    @property
    def default(self) -> str:
        """The name of the default method."""
        return next(iter(self.methods))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all methods, the default first."""
        return tuple(self.methods)

    def check(self, method: object, **given: Any) -> Method:
        """Return the row of a method.

        Parameters
        ----------
        method : str
        **given
            Options that only some methods take, by name; None if the caller left them out.

        Raises
        ------
        ArgumentError
            For an unknown method, or an option that this one does not take.
        """
        row = self.methods[check_choice("method", method, self.names)]
        for option, value in given.items():
            if value is not None and option not in row.options:
                takers = [repr(m.name) for m in self.methods.values() if option in m.options]
                remedy = f"Leave it out, or use {' or '.join(takers)}." if takers else "Leave it out."
                raise ArgumentError(option, f"be left out with method {row.name!r}", value, remedy)
        return row

    def taken(self, method: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return those of the options given, by name, that a method takes."""
        return {name: value for name, value in given.items() if name in self.methods[method].options}

    def table(self, implementations: Mapping[str, F]) -> Mapping[str, F]:
        """Return the functions that carry out the methods, one for each row, for dispatch by name."""
        missing = set(self.names) ^ set(implementations)
        if missing:
            raise TypeError(f"{self.name}: rows and implementations differ in {sorted(missing)}")
        return implementations


def function(name: str, title: str, methods: Iterable[Method]) -> Function:
    """Return the entry of a function."""
    return Function(name, title, {method.name: method for method in methods})
