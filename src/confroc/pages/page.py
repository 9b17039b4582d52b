"""The finished report: as a page, as JSON, and on disk.

Everything is inside the page: the plotting library, the page's own script, and the numbers both read. Its
content policy names the two scripts by their SHA-256, so that nothing else can run, and allows no connection
at all.
"""

from __future__ import annotations

import base64
import hashlib
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from importlib.util import cache_from_source
from numbers import Real
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import BytecodeCache, Environment, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup

import confroc
from confroc._calls import is_sample, made_from, public, wrong_call
from confroc._check import ArgumentError, ArgumentTypeError, check_instance, check_items, check_path
from confroc._files import WrongEndingError, check_output, finite, json_text, whole_file, write_texts
from confroc.ingest.files import files_read
from confroc.pages import areas, curves, described, explained, figures, thresholds, words
from confroc.pages.section import QUESTIONS, ReportData, Section
from confroc.plot.names import shortened
from confroc.plot.style import thinner
from confroc.scores import PairedScores, Scores, UnpairedScores, check_scores

SCHEMA = "confroc.report/1"
PAGE_MARK, NUMBERS_MARK = '<meta name="generator" content="confroc ', '"schema": "confroc.report/'
"""What tells a page, or its numbers, from other people's files."""
LIBRARY = "vendor/plotly-basic.min.js"
SCRIPTS = ("arithmetic.js", "words.js", "charts.js", "page.js")
FILTERS = (
    "bare_pvalue",
    "count",
    "number",
    "percent",
    "plural",
    "prose",
    "pvalue",
    "rate",
    "signed",
    "threshold",
    "unbroken",
)
GLOBALS = ("amounts", "between", "differences", "signed_amounts")
"""Words that templates use, after a value and with several."""
MARKS = ("bar", "key", "line_sample")
"""What templates show of a model's colour and line."""
TEMPLATE_RULES: Any = {
    "autoescape": True,
    "trim_blocks": True,
    "lstrip_blocks": True,
    # Each template is shown once: looking for constants in it takes longer than it saves.
    "optimized": False,
}
"""How templates are compiled."""
SECTIONS = (
    curves.curves,
    thresholds.thresholds,
    areas.comparison,
    described.described,
    areas.outlook,
    curves.cases,
)
"""What makes the sections, in order; None instead of a section when there is nothing to say."""

LONGEST_IN_CHART = 30
"""Letters of a name that a chart's legend holds on a telephone."""
ALL_VERTICES = 3000
"""Vertices of a line, times models: so that the page of many models is not much larger than that of two."""


@public
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
        """What the reader should know about single results, each with the model it is about."""
        return tuple(f"{about}: {text}" for about, text in self._notes())

    def _notes(self) -> list[tuple[str, str]]:
        """What each is about and says, once."""
        return list(dict.fromkeys(note for section in self.sections for note in section.notes))

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
        head = {
            "schema": SCHEMA,
            "confroc_version": confroc.__version__,
            "created": self.created.isoformat(timespec="seconds"),
            "title": self.data.heading,
            "description": self.data.description,
            "command": self.data.command,
            "confidence_level": self.data.confidence_level,
            "headlines": self.headlines,
            "notes": notes,
        }
        body: dict[str, Any] = {}
        for section in self.sections:
            if section.record is not None:
                body[section.key] = section.record
            body.update(section.records)
        return head | body

    def to_json(self) -> str:
        """Return `to_dict` as JSON text."""
        # Without indentation the encoder is compiled code, ten times quicker on whole curves.
        return json_text(self._record(), indent=None) + "\n"

    def to_html(self) -> str:
        """Return the report as one HTML page that needs no other file and no network."""
        return self._page(self.to_json())

    def _page(self, numbers: str) -> str:
        scripts = _scripts()
        answers: dict[str, list[str]] = {}
        for section in self.sections:
            answers.setdefault(section.question, []).extend(section.headlines)
        template = _environment().get_template("page.html")
        return template.render(
            report=self,
            scripts=[Markup(script) for script in scripts],
            policy=Markup(_policy(scripts)),
            # The one sign that could end a script element or open a comment inside it.
            numbers=Markup(numbers.replace("<", "\\u003c")),
            short_names=json_text(self._short_names(), indent=None),
            questions=QUESTIONS,
            answers=answers,
            data=self.data,
            level=words.percent(self.data.confidence_level).replace(" ", "\u00a0"),
            version=confroc.__version__,
        )

    def _short_names(self) -> dict[str, str]:
        """What the charts call models whose names are too long for their legends."""
        names = list(self.data.models)
        return {
            name: told
            for name, told in zip(names, shortened(names, LONGEST_IN_CHART), strict=True)
            if name != told
        }

    def write(self, path: str | os.PathLike[str], *, force: bool = False) -> tuple[Path, Path]:
        """Write the page, and the JSON file beside it.

        Parameters
        ----------
        path : str or path-like
            Of the page. The JSON file has the same name with the ending .json.
        force : bool
            Replace files that are no earlier report, too.

        Returns
        -------
        (Path, Path)
            The page and the JSON file.

        Raises
        ------
        ValueError
            When `path` ends in .json, when one of the two files is read for the report, and when one is
            there that is no report's, without `force`.
        OSError
            When a file cannot be written. Reports already there are then as they were: both files are
            written in full beside their places first, then moved there.
        """
        page, beside = report_files(path, [self.data.source, self.data.validation_source], force=force)
        numbers = self.to_json()
        write_texts({page: self._page(numbers), beside: numbers})
        return page, beside


OTHER_KINDS = (".csv", ".docx", ".ipynb", ".md", ".pdf", ".png", ".pptx", ".svg", ".txt", ".xlsx")
"""Endings of files that a page is not."""


@public
def report_files(
    path: str | os.PathLike[str], sources: Sequence[str], *, force: bool = False
) -> tuple[Path, Path]:
    """Return where a report goes that is made from these sources, page and numbers; see `Report.write`."""
    read = [file for source in sources for file in files_read(source)]
    page = check_path("path", path)
    remedy = "Give it the ending .html; the JSON file is written beside it, and a browser prints it to PDF."
    wrong = WrongEndingError("path", "name the HTML page", str(path), remedy)
    if page.suffix.lower() == ".json":
        raise wrong
    check_output("path", page, mark=PAGE_MARK, inputs=read, force=force)
    if page.suffix.lower() in OTHER_KINDS:
        raise wrong
    named = page.suffix.lower() in (".html", ".htm")
    beside = page.with_suffix(".json") if named else page.with_name(f"{page.name}.json")
    check_output("path", beside, mark=NUMBERS_MARK, inputs=[page, *read], force=force)
    return page, beside


@public
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
    """
    with thinner(ALL_VERTICES // max(1, len(data.models))):
        sections = [section for make in SECTIONS if (section := make(data)) is not None]
    last = [explained.reading(data, sections), explained.methods(sections), explained.citing(data, sections)]
    return Report(data=data, sections=(*sections, *last), created=created or datetime.now(UTC))


@public
def report(
    scores: Scores | PairedScores,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    description: str | None = None,
    names: Sequence[str] | None = None,
    positive: str = "positive",
    negative: str = "negative",
    confidence_level: float = 0.95,
    false_negative: float | None = None,
    false_positive: float | None = None,
    prior: float | None = None,
    psi: float | None = None,
    threshold: float | Mapping[str, float] | None = None,
    validation: Scores | PairedScores | None = None,
    force: bool = False,
) -> Report:
    """Write a report: one HTML page that needs no other file and no network, and its numbers as JSON.

    The page is the one that the command `confroc report` writes: areas, curves in bands, every threshold
    with its errors and costs, models compared, and the range of areas after drift, each with its uncertainty.

    Parameters
    ----------
    scores : Scores or PairedScores
        One model, or two and more on the same cases, which are then compared too, all at once.
    path : str or path-like
        Of the page. The JSON file has the same name with the ending .json.
    title : str, optional
        By default "ROC report" and the models' names.
    description : str, optional
        Plain text below the title, paragraphs parted by empty lines: what the scores are, who made them.
    names : sequence of str, optional
        What a single model is called, by default ["model"]; a `PairedScores` has names of its own.
    positive, negative : str
        What cases of the two classes are called.
    confidence_level : float
        In (0, 1); of every interval and band.
    false_negative, false_positive : float, optional
        What one error of each kind costs, in any currency. Both together add a section on costs.
    prior : float, optional
        Share of positives expected in use, for costs: taken as known. By default it is the sample's, and as
        uncertain as the sample makes it.
    psi : float, optional
        Budget for drift, as a population stability index of both classes together; by default 0.1.
    threshold : float or mapping of str to float, optional
        The threshold in use, of all models or of each by its name, chosen without looking at these cases. By
        default the report recommends the cheapest one, and corrects its cost for having chosen it on them.
    validation : Scores or PairedScores, optional
        The same models on other cases, on which the cheapest thresholds are chosen instead.
    force : bool
        Replace files that are no earlier report, too.

    Returns
    -------
    Report
        `headlines` has the results in plain sentences, which it prints, `to_dict()` all numbers; a notebook
        shows them with a link to the page. Notes that the statistics make are in it, and are not issued as
        warnings.

    Raises
    ------
    ValueError
        A `path` that ends in .json, one where a file is that is no report's, names that do not fit the
        models, an impossible level or share, only one of the two costs, a prior without costs, a threshold
        for some of the models only or beside `validation`, a `validation` of other models.
    TypeError
        For an `UnpairedScores`: groups are compared by `auc_comparison`, and each has a report of its own.
    OSError
        When a file cannot be written; nothing is changed then.

    See Also
    --------
    auc_interval, roc_band, tpr_at_fpr, expected_cost, auc_comparison, auc_forecast : What the page shows.

    Examples
    --------
    >>> import tempfile
    >>> from confroc import Scores, report
    >>> scores = Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = report(scores, f"{folder}/report.html", names=["logistic"])
    >>> made.headlines[0]
    'logistic: AUC 0.889, 95 % interval 0.372 to 0.990: not shown to rank better than chance'
    """
    if is_sample(path):
        remedy = f"Write report(scores, {str(scores)!r})."
        raise ArgumentTypeError("scores", "come first, then the path", type(scores).__name__, remedy)
    several = made_from(scores, name="scores", several=True) if isinstance(scores, list | Mapping) else ""
    if several:
        remedy = f"Write report({several}, {str(path)!r})."
        raise ArgumentTypeError("scores", "be a Scores or a PairedScores", type(scores).__name__, remedy)
    if not is_sample(scores) and not isinstance(path, str | os.PathLike):
        # Columns of cases fill the two places.
        raise wrong_call(report, (scores, path, None), {})
    models = _models_of(scores, names)
    data = ReportData(
        models=models,
        scores=scores if isinstance(scores, PairedScores) else None,
        n_rows=scores.n_pos + scores.n_neg + scores.n_dropped,
        n_dropped=scores.n_dropped,
        positive=positive,
        negative=negative,
        title=f"ROC report: {', '.join(models)}" if title is None else title,
        description=description,
        confidence_level=confidence_level,
        false_negative=false_negative,
        false_positive=false_positive,
        prior=prior,
        psi=psi,
        threshold=for_each(threshold, models),
        validation=validation,
    )
    report_files(path, [data.source], force=force)
    made = build_report(data)
    page, _ = made.write(path, force=force)
    return replace(made, page=page)


def for_each(threshold: object, models: Mapping[str, Scores]) -> Any:
    """Return a threshold by model, one number standing for all; `ReportData` checks the rest."""
    return dict.fromkeys(models, float(threshold)) if isinstance(threshold, Real) else threshold


def _models_of(scores: Scores | PairedScores, names: Sequence[str] | None) -> dict[str, Scores]:
    """Return the models by name."""
    if isinstance(scores, UnpairedScores):
        one = scores.names[0]
        remedy = (
            f"Compare the groups with `auc_comparison`; report on each by itself, e.g. on scores[{one!r}]."
        )
        raise ArgumentTypeError("scores", "be a Scores or a PairedScores", "UnpairedScores", remedy)
    if isinstance(scores, PairedScores):
        if names is not None:
            remedy = "Name the models where they are put together: PairedScores(..., names=[...])."
            raise ArgumentError("names", "be left out with a PairedScores, which has names", names, remedy)
        return dict(scores.items())
    remedy = "Pass e.g. names=['logistic']."
    called = ["model"] if names is None else check_items("names", names, remedy)
    for name in called:
        check_instance("names", name, str, remedy)
    if len(called) != 1:
        raise ArgumentError("names", "be one name for one model", names, remedy)
    return {called[0]: check_scores("scores", scores, widens=True)}


@cache
def _scripts() -> tuple[str, str]:
    """The plotting library, and the page's own script."""
    folder = files("confroc.pages")
    own = "".join(folder.joinpath("script", part).read_text(encoding="utf-8") for part in SCRIPTS)
    library = folder.joinpath(LIBRARY).read_text(encoding="utf-8")
    return library, f'"use strict";\n(() => {{\n{own}}})();\n'


def _policy(scripts: tuple[str, ...]) -> str:
    digests = (hashlib.sha256(text.encode()).digest() for text in scripts)
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)


class _Compiled(BytecodeCache):
    """Templates' bytecode, kept where Python keeps that of modules.

    Compiling them takes longer than all else that writes the page.
    """

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return cache_from_source(filename or name)

    def get_source_checksum(self, source: str) -> str:
        # The same text is other code by other rules.
        return super().get_source_checksum(f"{TEMPLATE_RULES}{source}")

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError), open(bucket.key, "rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: Bucket) -> None:
        if sys.dont_write_bytecode:
            return
        # Where packages cannot be written to, templates are compiled each time.
        with suppress(OSError):
            os.makedirs(os.path.dirname(bucket.key), exist_ok=True)
            with whole_file(bucket.key) as beside, beside.open("wb") as file:
                bucket.write_bytecode(file)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("confroc.pages"),
        undefined=StrictUndefined,
        bytecode_cache=_Compiled(),
        **TEMPLATE_RULES,
    )
    environment.filters |= {name: getattr(words, name) for name in FILTERS}
    environment.globals |= {name: getattr(words, name) for name in GLOBALS}
    environment.globals |= {name: getattr(figures, name) for name in MARKS}
    return environment
