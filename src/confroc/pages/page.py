"""The finished report: as a page, as JSON, and on disk.

The page contains its pictures, its script, and the numbers that the script reads. Its content policy allows
only this script, by its SHA-256, and no connection.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from numbers import Real
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

import confroc
from confroc._check import ArgumentError, ArgumentTypeError, check_items, check_path
from confroc._files import check_output, finite, json_text, write_texts
from confroc._progress import steps
from confroc.ingest.files import files_read
from confroc.ingest.reversal import record_in_column
from confroc.pages import areas, curves, described, explained, groups, thresholds, words
from confroc.pages.section import ReportData, Section, if_allowed
from confroc.pages.templating import environment
from confroc.scores import PairedScores, Scores, UnpairedScores, accepts_models

SCHEMA = "confroc.report/1"
PAGE_MARK, NUMBERS_MARK = '<meta name="confroc-data" content="{}">', '"data_sha256": "{}"'
"""Marks of a page and of its numbers, by which reports of the same data are recognized."""
SCRIPTS = ("arithmetic.js", "words.js", "chart.js", "page.js")
SECTIONS = (
    curves.curves,
    areas.comparison,
    thresholds.thresholds,
    groups.groups,
    groups.segments,
    curves.precision,
    described.described,
    areas.outlook,
    curves.cases,
)
"""Functions that make the sections, in order; each may return None."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Report:
    """A report, ready to be shown or written.

    Attributes
    ----------
    data : ReportData
    sections : tuple of Section
    created : datetime
    page : Path or None
        Where `report` wrote it.
    """

    data: ReportData
    sections: tuple[Section, ...]
    created: datetime
    page: Path | None = None

    def __repr__(self) -> str:
        where = "" if self.page is None else f" in {str(self.page)!r}"
        return f"<{type(self).__name__} {self.data.heading!r}{where}>"

    def __str__(self) -> str:
        return "\n".join(self.headlines)

    def _repr_html_(self) -> str:
        """Return the results for a notebook, with a link to the page."""
        lines = Markup("").join(Markup("<li>{}</li>").format(line) for line in self.headlines)
        title = Markup("<strong>{}</strong>").format(self.data.heading)
        if self.page is not None:
            place = quote(self.page.as_posix())
            title = Markup('<a href="{}" target="_blank">{}</a>').format(place, title)
        return str(Markup("<div>{}<ul>{}</ul></div>").format(title, lines))

    @property
    def headlines(self) -> tuple[str, ...]:
        """The results in plain sentences."""
        return tuple(line for section in self.sections for line in section.headlines)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on single results, each with its model or comparison."""
        return tuple(f"{about}: {text}" for about, text in self._notes())

    def _notes(self) -> list[tuple[str, str]]:
        """Subject and text of each note, once."""
        found = [note for section in self.sections for note in section.notes]
        return list(dict.fromkeys([*self.data.remarks, *found]))

    def to_dict(self) -> dict[str, Any]:
        """Return the report's numbers as plain Python values fit for JSON.

        Returns
        -------
        dict
            "schema" names the layout, "confroc.report/1". NaN and infinite values are None.
        """
        plain: dict[str, Any] = finite(self._record())
        return plain

    def _record(self) -> dict[str, Any]:
        notes = [{"about": about, "text": text} for about, text in self._notes()]
        head: dict[str, Any] = {
            "schema": SCHEMA,
            "data_sha256": self.data.fingerprint,
            "confroc_version": confroc.__version__,
            "created": self.created.isoformat(timespec="seconds"),
            "title": self.data.heading,
            "description": self.data.description,
            "command": self.data.command,
            "confidence_level": self.data.confidence_level,
            "headlines": self.headlines,
            "notes": notes,
        }
        if self.data.dependent:
            head["design_effect"] = {name: it.design_effect for name, (it, _) in self.data.areas.items()}
        body: dict[str, Any] = {}
        for section in self.sections:
            if section.record is not None:
                body[section.key] = section.record
            body.update(section.records)
        shown: dict[str, Any] = record_in_column(body, self.data.turned)
        return head | shown

    def to_json(self) -> str:
        """Return `to_dict` as JSON text."""
        # Without indentation the encoder is compiled code, ten times faster on whole curves.
        return json_text(self._record(), indent=None) + "\n"

    def to_html(self) -> str:
        """Return the report as one HTML page that needs no other file and no network."""
        by_key = {section.key: section for section in self.sections}
        # Without counts at thresholds there is no slider.
        advice = by_key["thresholds"]
        operated = [] if self.data.dependent else advice.record
        read = {"thresholds": operated, "recommended": advice.records["recommended"]}
        template = environment().get_template("page.html")
        return template.render(
            report=self,
            by_key=by_key,
            script=Markup(_script()),
            digest=base64.b64encode(hashlib.sha256(_script().encode()).digest()).decode(),
            mark=Markup(PAGE_MARK.format(self.data.fingerprint)),
            # The only sign that could end a script element, or start a comment in it.
            numbers=Markup(json_text(read, indent=None).replace("<", "\\u003c")),
            data=self.data,
            level=words.percent(self.data.confidence_level).replace(" ", "\u00a0"),
            version=confroc.__version__,
        )

    def write(self, path: str | os.PathLike[str], *, force: bool = False) -> tuple[Path, Path]:
        """Write the page, and the JSON file next to it.

        Parameters
        ----------
        path : str or path-like
            Of the page. The JSON file has the same name with the ending .json.
        force : bool
            Also replace files that are not a report of the same data.

        Returns
        -------
        (Path, Path)
            The page and the JSON file.

        Raises
        ------
        ValueError
            If `path` has another ending than .html or .htm, if one of the two files is an input, or if one
            exists that was not made from the same data, without `force`.
        OSError
            If a file cannot be written. Earlier reports then remain: both files are first written in full
            under temporary names, then renamed.
        """
        page, numbers = report_files(path, self.data, force=force)
        write_texts({page: self.to_html(), numbers: self.to_json()})
        return page, numbers


def report_files(path: str | os.PathLike[str], data: ReportData, *, force: bool = False) -> tuple[Path, Path]:
    """Return the paths of the page and of the numbers of a report; see `Report.write`."""
    rules: dict[str, Any] = {"own": "a report of the same data", "force": force}
    rules["inputs"] = [
        file for source in (data.source, data.validation_source) for file in files_read(source)
    ]
    page = check_path("path", path)
    check_output("path", page, mark=PAGE_MARK.format(data.fingerprint), **rules)
    if page.suffix.lower() not in ("", ".html", ".htm"):
        remedy = "Give it the ending .html; the JSON file is next to it, and a browser prints it to PDF."
        raise ArgumentError("path", "name the HTML page", str(path), remedy)
    numbers = page.with_suffix(".json")
    check_output("path", numbers, mark=NUMBERS_MARK.format(data.fingerprint), **rules)
    return page, numbers


def build_report(data: ReportData, *, created: datetime | None = None) -> Report:
    """Run the statistics and collect their results.

    Parameters
    ----------
    data : ReportData
    created : datetime, optional
        Date of the report; now by default.

    Returns
    -------
    Report
        Includes the notes of all results, which are not issued as warnings.
    """
    made = (if_allowed(make, data) for make in steps(SECTIONS, "sections"))
    sections = [section for section in made if section is not None]
    last = [explained.reading(data, sections), explained.methods(sections), explained.citing(data, sections)]
    return Report(data=data, sections=(*sections, *last), created=created or datetime.now(UTC))


@accepts_models
def report(
    scores: Scores | PairedScores,
    *,
    path: str | os.PathLike[str],
    title: str | None = None,
    description: str | None = None,
    names: Sequence[str] | Mapping[str, str] | None = None,
    positive: str = "positive",
    negative: str = "negative",
    confidence_level: float = 0.95,
    false_negative: float | None = None,
    false_positive: float | None = None,
    prior: float | None = None,
    jeffreys: float | None = None,
    threshold: float | Mapping[str, float] | None = None,
    validation: Scores | PairedScores | None = None,
    groups: UnpairedScores | Mapping[str, UnpairedScores] | None = None,
    segments: Mapping[str, Scores | PairedScores] | Mapping[str, Mapping[str, Scores]] | None = None,
    force: bool = False,
) -> Report:
    """Write a report: one HTML page that needs no other file and no network, and its numbers as JSON.

    The command `confroc report` writes the same page: AUCs, curves in bands, errors and costs of every
    threshold, comparisons of models, and the range of the AUC after drift, each with its uncertainty.

    Parameters
    ----------
    scores : Scores or PairedScores
        One model, or several on the same cases, which are then compared.
    path : str or path-like
        Path of the page. The JSON file has the same name with the ending .json.
    title : str, optional
        Default: "ROC report" and the names of the models.
    description : str, optional
        Plain text below the title; empty lines separate paragraphs.
    names : sequence of str, or mapping of str to str, optional
        Names of the models in the report: of all in their order, or of some by their names in `scores`.
        Default: those names, and "model" for a single one.
    positive, negative : str
        Names of the two classes.
    confidence_level : float
        In (0, 1); of every interval and band.
    false_negative, false_positive : float, optional
        Costs of one error of each kind, in any currency. Both or neither are required.
    prior : float, optional
        Prevalence in the target population for costs, treated as known. Default: estimated from the sample.
    jeffreys : float, optional
        Budget for drift, a Jeffreys divergence summed over both classes, e.g. 0.1. Default: no drift.
    threshold : float or mapping of str to float, optional
        Threshold to evaluate, of all models or of each by its name, chosen on other data. Default: the report
        recommends the cheapest threshold, and corrects its cost for the choice on the same cases.
    validation : Scores or PairedScores, optional
        The same models on other cases, on which the cheapest thresholds are chosen instead.
    groups : UnpairedScores or mapping of str to UnpairedScores, optional
        The cases by group, such as a region, to compare the AUCs; for several models a mapping by name.
    segments : mapping of str to Scores or PairedScores, or mapping of these by model, optional
        The cases by segment, such as a month, in order: later ones are compared with the first. `Scores` for
        one model, `PairedScores` for several.
    force : bool
        Also replace files that are not a report of the same data.

    Returns
    -------
    Report
        `headlines` has the results as sentences, `to_dict()` all numbers. Printing shows the headlines, and
        a notebook shows them with a link to the page. `notes` of all results are included, and are not
        issued as warnings.

    Raises
    ------
    ValueError
        A `path` with another ending than .html or .htm, or with a file that was not made from the same data
        (scores and classes; names and options may differ); names that do not fit the models; an impossible
        level or prevalence; only one of the two costs; a prior without costs; a threshold for some of the
        models only or together with `validation`; a `validation` of other models or the same cases.
    TypeError
        For an `UnpairedScores`; `auc_comparison` compares such samples.
    OSError
        If a file cannot be written; nothing is changed then.

    See Also
    --------
    auc_interval, roc_band, tpr_at_fpr, expected_cost, auc_comparison, auc_forecast : Results on the page.

    Examples
    --------
    >>> import tempfile
    >>> from confroc import Scores, report
    >>> scores = Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = report(scores, path=f"{folder}/report.html", names=["logistic"])
    >>> made.headlines[0]
    'logistic: AUC 0.889 (95% CI 0.372 to 0.990), not significantly better than chance.'
    """
    models = _models_of(scores)
    called = _names_of(models, names)
    shown = [called.get(name, name) for name in models]
    data = ReportData(
        models=models,
        scores=scores if isinstance(scores, PairedScores) else None,
        n_rows=scores.n_pos + scores.n_neg + scores.n_dropped,
        n_dropped=scores.n_dropped,
        positive=positive,
        negative=negative,
        title=f"ROC report: {', '.join(shown)}" if title is None else title,
        description=description,
        confidence_level=confidence_level,
        false_negative=false_negative,
        false_positive=false_positive,
        prior=prior,
        jeffreys=jeffreys,
        threshold=for_each(threshold, models),
        validation=validation,
        names=called,
        # The name of a column that was read with a minus starts with it.
        turned=[name for name in models if name.startswith("-")],
        groups=_by_model(groups, models),
        segments=_by_model(segments, models),
    )
    report_files(path, data, force=force)
    made = build_report(data)
    page, _ = made.write(path, force=force)
    return replace(made, page=page)


def for_each(threshold: object, models: Mapping[str, Scores]) -> Any:
    """Return a threshold by model; one number is for all. `ReportData` checks the rest."""
    return dict.fromkeys(models, float(threshold)) if isinstance(threshold, Real) else threshold


def _by_model(parts: Any, models: Mapping[str, Scores]) -> Any:
    """Return groups or segments by model, from those of a single model, or from segments of all models."""
    if len(models) == 1 and not (isinstance(parts, Mapping) and models.keys() == parts.keys()):
        return None if parts is None else dict.fromkeys(models, parts)
    if isinstance(parts, Mapping) and all(isinstance(part, PairedScores) for part in parts.values()):
        return {name: {at: part[name] for at, part in parts.items()} for name in models}
    return parts


def _models_of(scores: object) -> dict[str, Scores]:
    """Return the models by name."""
    if isinstance(scores, PairedScores):
        return dict(scores.items())
    if not isinstance(scores, Scores):
        remedy = "Write report(y_true, y_score, path='report.html')."
        raise ArgumentTypeError("scores", "be a Scores or a PairedScores", type(scores).__name__, remedy)
    return {"model": scores}


def _names_of(models: Mapping[str, Scores], names: object) -> dict[str, str]:
    """Return the new names of some models, by their names."""
    if names is None or isinstance(names, Mapping):
        return dict(names or {})
    remedy = "Pass e.g. names=['logistic']."
    listed = check_items("names", names, remedy)
    if len(listed) != len(models) or not all(isinstance(name, str) for name in listed):
        raise ArgumentTypeError("names", "have a name for each model", names, remedy)
    return dict(zip(models, listed, strict=True))


@cache
def _script() -> str:
    folder = files("confroc.pages").joinpath("script")
    own = "".join(folder.joinpath(part).read_text(encoding="utf-8") for part in SCRIPTS)
    return f'"use strict";\n(() => {{\n{own}}})();\n'
