"""The finished report: as a page, as JSON, and on disk."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import confroc
from confroc._check import ArgumentError
from confroc._files import finite, json_text, write_texts
from confroc.pages import words
from confroc.pages.data import ReportData
from confroc.pages.live import live
from confroc.pages.section import QUESTIONS, Note, Section
from confroc.pages.sections import SECTIONS

SCHEMA = "confroc.report/1"


@dataclass(frozen=True, kw_only=True)
class Report:
    """A report, ready to be shown or written.

    Attributes
    ----------
    data : ReportData
    sections : tuple of Section
    created : datetime
    """

    data: ReportData
    sections: tuple[Section, ...]
    created: datetime

    @property
    def headlines(self) -> tuple[str, ...]:
        """The results in plain sentences."""
        return tuple(line for section in self.sections for line in section.headlines)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader should know about single results, each with the model it is about."""
        return tuple(f"{note.about}: {note.text}" for note in self._notes())

    def _notes(self) -> list[Note]:
        return [note for section in self.sections for note in section.notes]

    def to_dict(self) -> dict[str, Any]:
        """Return the report's numbers as plain Python values fit for JSON.

        Returns
        -------
        dict
            "schema" names the layout, "confroc.report/1". NaN and infinite values are None.
        """
        head = {
            "schema": SCHEMA,
            "confroc_version": confroc.__version__,
            "created": self.created.isoformat(timespec="seconds"),
            "title": self.data.heading,
            "command": self.data.command,
            "confidence_level": self.data.confidence_level,
            "headlines": list(self.headlines),
            "notes": [note._asdict() for note in self._notes()],
        }
        body = {section.key: section.record for section in self.sections if section.record is not None}
        plain: dict[str, Any] = finite(head | body)
        return plain

    def to_json(self) -> str:
        """Return `to_dict` as JSON text, each part of the report on a line of its own."""
        # Without indentation the encoder is compiled code, ten times quicker on whole curves.
        parts = (
            f"{json_text(key)}: {json_text(value, indent=None)}" for key, value in self.to_dict().items()
        )
        return "{\n" + ",\n".join(parts) + "\n}\n"

    def to_html(self) -> str:
        """Return the report as one HTML page that needs no other file and no network."""
        return self._page(self.to_json())

    def _page(self, numbers: str) -> str:
        from jinja2 import Environment, PackageLoader, StrictUndefined

        environment = Environment(
            loader=PackageLoader("confroc.pages"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.filters |= {
            "count": words.count,
            "percent": words.percent,
            "plural": words.plural,
            "prose": words.prose,
            "pvalue": words.pvalue,
            "rate": words.rate,
            "signed": words.signed,
        }
        environment.globals |= {"between": words.between, "between_signed": words.between_signed}
        answers: dict[str, tuple[str, ...]] = {}
        for section in self.sections:
            answers[section.question] = answers.get(section.question, ()) + section.headlines
        return environment.get_template("page.html").render(
            report=self,
            live=live(numbers),
            questions=QUESTIONS,
            answers=answers,
            data=self.data,
            level=words.percent(self.data.confidence_level).replace(" ", "\u00a0"),
            version=confroc.__version__,
        )

    def write(self, path: str | os.PathLike[str]) -> tuple[Path, Path]:
        """Write the page, and the JSON file beside it.

        Parameters
        ----------
        path : str or path-like
            Of the page. The JSON file has the same name with the ending .json.

        Returns
        -------
        (Path, Path)
            The page and the JSON file.

        Raises
        ------
        ValueError
            When `path` ends in .json.
        OSError
            When a file cannot be written. Reports already there are then as they were: both files are
            written in full beside their places first, then moved there.
        """
        page = Path(path)
        if page.suffix.lower() == ".json":
            remedy = "The JSON file is written beside it, as .json."
            raise ArgumentError("path", "name the HTML page", str(path), remedy)
        named = page.suffix.lower() in (".html", ".htm")
        beside = page.with_suffix(".json") if named else page.with_name(f"{page.name}.json")
        numbers = self.to_json()
        write_texts({page: self._page(numbers), beside: numbers})
        return page, beside


def build_report(data: ReportData, *, created: datetime | None = None) -> Report:
    """Run the statistics and put their results together.

    Parameters
    ----------
    data : ReportData
    created : datetime, optional
        The date on the report; by default now.

    Returns
    -------
    Report
        Notes that the statistics make are in it, and are not issued as warnings.

    Examples
    --------
    >>> from confroc import Scores
    >>> from confroc.pages import ReportData, build_report
    >>> scores = Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    >>> data = ReportData(
    ...     source="scores.csv",
    ...     label="outcome",
    ...     positive="1",
    ...     negative="0",
    ...     n_rows=6,
    ...     n_dropped=0,
    ...     models={"m": scores},
    ... )
    >>> build_report(data).headlines[0]
    'm: AUC 0.889, 95 % interval 0.356 to 0.990'
    """
    sections: list[Section] = []
    for builder in SECTIONS:
        section = builder(data, tuple(sections))
        if section is not None:
            sections.append(section)
    return Report(data=data, sections=tuple(sections), created=created or datetime.now(UTC))
