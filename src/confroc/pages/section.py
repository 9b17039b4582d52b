"""What a section of the report is, and how one is filled."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from confroc._check import ConfrocWarning
from confroc.pages.data import ReportData

T = TypeVar("T")

QUESTIONS = {
    "trust": "Can I trust it?",
    "threshold": "Which threshold?",
    "model": "Which model?",
    "next": "What next?",
}
"""What the report answers, in order."""


class Statement(Protocol):
    """What every result says about itself."""

    @property
    def method(self) -> str:
        """Name of the method."""
        ...

    @property
    def kind(self) -> str:
        """Say "pointwise" or "simultaneous"."""
        ...

    @property
    def guarantee(self) -> str:
        """What the level rests on."""
        ...


class Note(NamedTuple):
    """A sentence the reader should see, and the model or comparison it is about."""

    about: str
    text: str


class Use(NamedTuple):
    """A statistical method that was used: `topic` and `result.method` name its entry in `methods`."""

    topic: str
    about: str
    result: Statement


@dataclass(frozen=True, kw_only=True)
class Section:
    """One part of the report.

    Attributes
    ----------
    key : str
        Identifier on the page and key of `record` in the JSON file.
    title : str
    question : str
        Which of `QUESTIONS` the section helps to answer; empty for none.
    template : str
        File in `templates` that shows `view`.
    view : mapping
        What the template sees as `view`.
    record : object
        What the JSON file holds; plain Python values.
    headlines : tuple of str
        Sentences for the summary.
    notes : tuple of Note
    uses : tuple of Use
        Methods to explain and papers to cite.
    """

    key: str
    title: str
    question: str = ""
    template: str
    view: Mapping[str, Any] = field(default_factory=dict)
    record: Any = None
    headlines: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    uses: tuple[Use, ...] = ()


Builder: TypeAlias = Callable[[ReportData, Sequence[Section]], Section | None]
"""Makes a section from the data and the sections before it, or None when it has nothing to say."""


def with_notes(call: Callable[[], T]) -> tuple[T, tuple[str, ...]]:
    """Return what `call` returns and the notes it made, whether kept in the result or only warned about.

    Notes go on the page, so they are not issued as warnings too; warnings of other kinds are passed on.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConfrocWarning)
        result = call()
    warned = [w for w in caught if issubclass(w.category, ConfrocWarning)]
    for other in caught:
        if other not in warned:
            warnings.warn_explicit(other.message, other.category, other.filename, other.lineno)
    kept = tuple(getattr(result, "notes", ()))
    return result, tuple(dict.fromkeys(kept + tuple(str(w.message) for w in warned)))
