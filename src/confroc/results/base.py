"""The base of all results: fields, conversion and printing.

A result and its arrays are read-only, and it equals its copies. It converts itself to a dict, JSON, a data
frame, text, HTML or a figure, and imports the libraries for that only when needed.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, NoReturn, TypeAlias

import numpy as np

from confroc._check import check_choice, check_flag
from confroc._files import finite, json_text
from confroc._keywords import suggest
from confroc._types import FloatArray
from confroc.base import Guarantee, Kind, Method
from confroc.results import shown
from confroc.results.frozen import FrozenFields, identical

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Backend: TypeAlias = Literal["pandas", "polars", "pyarrow"]

FRAME_BACKENDS: tuple[Backend, ...] = ("pandas", "polars", "pyarrow")
CLAIMS = ("confidence_level", "kind", "method", "guarantee", "design", "sampling", "threshold_source")
"""Fields printed below a table, not in every row, where all rows share the value."""


PLACE = re.compile(r"(?:threshold|guaranteed|score|edges|start)(_[ab])?(?:_lower|_upper)?")
"""Names of thresholds in options, in columns of tables and in JSON."""


class ConfidenceInterval(NamedTuple):
    """The two ends of an interval, named as in SciPy."""

    low: float
    high: float


def frame(columns: Mapping[str, Any], backend: Backend | None = None) -> Any:
    """Return a data frame of the given library, or of the first installed one."""
    if backend is not None:
        check_choice("backend", backend, FRAME_BACKENDS)
    import narwhals

    names: tuple[Backend, ...] = FRAME_BACKENDS if backend is None else (backend,)
    for name in names:
        if importlib.util.find_spec(name) is not None:
            return narwhals.from_dict(dict(columns), backend=name).to_native()
    raise ImportError(
        f"`to_frame` requires {' or '.join(names)}. Run `pip install {names[0]}`, or use `.to_dict()`."
    )


class Plottable:
    """What has a plot."""

    __slots__ = ()

    def plot(self, ax: Axes | None = None, **kwargs: Any) -> Any:
        """Draw the result, or the ROC curves of a table with their AUCs.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default on a new figure.
        **kwargs
            As the `plot` of the display accepts them; see `confroc.plot`.

        Returns
        -------
        The display for this type, which keeps the artists and the axes.
        """
        # By name: results do not import plots.
        return importlib.import_module("confroc.plot").display(self).plot(ax=ax, **kwargs)


class Result(FrozenFields):
    """What all results share."""

    __slots__ = ()

    _spare: ClassVar[tuple[str, ...]] = ()
    """Numeric columns omitted where the page is too narrow, in this order."""
    _printed: ClassVar[Mapping[str, str]] = {}
    """Printed names of columns that are no words; empty for columns that are not printed."""
    _sparse: ClassVar[bool] = False
    """Whether fields that are None are omitted."""
    _synonyms: ClassVar[dict[str, str]] = {"ci": "confidence_interval", "high": "upper"}
    """Other names of attributes, for hints in errors."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values fit for JSON, nested as the result is.

        Infinite and missing numbers become None, since JSON has none; the attributes keep them.
        """
        plain: dict[str, Any] = finite(self._parts())
        return plain

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            public = [n for n in (*dir(type(self)), *self.__dataclass_fields__) if n[0] != "_"]
            hint = suggest(name, public, self._synonyms)
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}. {hint}".rstrip())

    def _parts(self) -> dict[str, Any]:
        """The fields, for `to_dict` and for tables of one row."""
        names = [f.name for f in fields(self)]  # type: ignore[arg-type]
        # Numbers first, then level, method and guarantee.
        names.sort(key=lambda name: name in _INFERENCE_FIELDS)
        parts: dict[str, Any] = {}
        for name in names:
            value = getattr(self, name)
            if value is None and self._sparse:
                continue
            parts[name] = str(value) if isinstance(value, Method) else value
            if name == "method" and isinstance(value, Method):
                parts["options"] = value.record
        return parts

    def to_json(self, *, indent: int | None = None) -> str:
        """Return `to_dict` as JSON text; infinite and missing numbers are null.

        Parameters
        ----------
        indent : int, optional
            Indentation in spaces; by default all on one line.

        Examples
        --------
        >>> from confroc import Scores, roc_curve
        >>> roc_curve(Scores([1, 0], [2.0, 1.0])).to_json()
        '{"fpr": [0.0, 0.0, 1.0], "tpr": [0.0, 1.0, 1.0], "threshold": [null, 2.0, 1.0], "auc": 1.0}'
        """
        return json_text(self.to_dict(), indent=indent)

    def _columns(self) -> Mapping[str, Any]:
        """The table of the result: arrays as long as the first one; without arrays, its fields in one row."""
        parts = {k: v for k, v in self._parts().items() if k not in ("notes", "options")}
        arrays = {k: v for k, v in parts.items() if isinstance(v, np.ndarray)}
        if not arrays:
            return {k: [v] for k, v in parts.items()}
        rows = len(next(iter(arrays.values())))
        names = {"at": getattr(self, "at_name", "at"), "estimate": getattr(self, "quantity", "estimate")}
        return {names.get(k, k): v for k, v in arrays.items() if len(v) == rows}

    def _shown(self, most: int | None) -> tuple[Mapping[str, Any], int | None]:
        """The first and last rows, at most `most`, and the row before which others are omitted."""
        columns = {
            self._printed.get(name, name): (
                shown.pvalues(values, self._least()) if name.endswith("pvalue") else values
            )
            for name, values in self._columns().items()
            if name != "least_pvalue" and self._printed.get(name) != ""
        }
        return shown.ends(columns, most)

    def _least(self) -> float | FloatArray:
        """The smallest p-value possible with these resamples; 0 for closed forms."""
        return getattr(self, "least_pvalue", 0.0)

    def to_frame(self, backend: Backend | None = None) -> Any:
        """Return the result as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Default: the first of these that is installed.

        Raises
        ------
        ValueError
            Unknown library.
        ImportError
            No such library is installed.
        """
        return frame(self._columns(), backend)

    @property
    def headline(self) -> str:
        """The result in one line: its numbers if they are few, else its type and quantity."""
        return self._sentence() or self._heading()

    def _sentence(self) -> str:
        """The numbers in one sentence, if it can report all of them."""
        return ""

    @property
    def _title(self) -> str:
        """The kind of result; by default the name of the class, as words."""
        return re.sub("(?<=[a-z])(?=[A-Z])", " ", type(self).__name__).capitalize()

    def _heading(self) -> str:
        for attribute in ("quantity", "auc"):
            value = getattr(self, attribute, None)
            if isinstance(value, str):
                return f"{self._title}: {value}"
            if isinstance(value, float):
                return f"{self._title}: {attribute} {value:.4f}"
        return self._title

    def _claims(self) -> list[str]:
        """Level, kind, method, guarantee and what is unusual in words; the last item may span lines."""
        found = {claim: getattr(self, claim, None) for claim in CLAIMS}
        claims = {c: v for c, v in found.items() if v is not None and shown.USUAL.get(c) != v}
        level = claims.pop("confidence_level", math.nan)
        words = [] if math.isnan(level) else [percent(level)]
        words += [str(claims.pop("kind"))] if "kind" in claims else []
        claims.pop("sampling", None)
        source = claims.pop("threshold_source", None)
        words += [f"{claim}: {value}" for claim, value in claims.items()]
        if source is None:
            return words
        corrected = np.isfinite(getattr(self, "optimism", math.nan)).all()
        names = "estimate" if getattr(self, "fpr", None) is None else "estimate, fpr and tpr"
        means = f", {names} corrected for optimism" if corrected and source == "same_sample" else ""
        return [*words, f"threshold chosen on the {source.replace('_', ' ')}{means}"]

    def table(self, heading: str | None = None, *, most: int | None = shown.MOST_ROWS) -> shown.Table:
        """Return the table that is printed.

        Parameters
        ----------
        heading : str, optional
            Default: the kind and the quantity of the result.
        most : int or None
            Maximum number of rows; None shows all. A band always shows a few abscissae only.
        """
        found, gap = self._shown(most)
        below = {name for name, values in self._columns().items() if self._below(name, values)}
        columns = {
            name: [*map(shown.place, values)] if PLACE.fullmatch(name) else list(values)
            for name, values in found.items()
            if name not in below
        }
        total = max((len(values) for values in columns.values()), default=0)
        if gap is not None or total == most:
            total = max(len(values) for values in self._columns().values())
        claims, notes = "; ".join(self._claims()), tuple(getattr(self, "notes", ()))
        heading = self._heading() if heading is None else heading
        return shown.Table(heading, columns, total, claims, notes, gap, self._spare, self._interval_words())

    def _below(self, name: str, values: Any) -> bool:
        """Whether a column repeats a claim below the table, or has tuples of more than two."""
        claim = self._parts().get(name) if name in CLAIMS else None
        repeats = claim is not None and all(identical(v, claim) for v in values)
        return repeats or any(isinstance(v, tuple) and len(v) > 2 for v in values)

    def _uninformative(self, name: str, value: Any) -> bool:
        """Whether a value of a single row adds no information."""
        return name == "quantity" or value is None or value != value

    def __str__(self) -> str:
        if sentence := self._sentence():
            return shown.as_lines([sentence], getattr(self, "notes", ()), wide=shown.PAGE)
        return shown.as_text(self.table(), wide=shown.PAGE)

    def __repr__(self) -> str:
        return shown.visible(self._sentence() or shown.as_line(self.table()))

    def _repr_html_(self) -> str:
        """Return a small table for notebooks."""
        return shown.as_html(self._page())

    def to_latex(self, *, most: int | None = None, booktabs: bool = False) -> str:
        r"""Return the result as a LaTeX `tabular`; claims and notes are comments.

        An estimate and its limits are in one cell, as "0.731 (0.619 to 0.820)", with the decimals that
        show two significant digits of a quarter of the interval's width, about one standard error, in the
        median row. Thresholds have seven digits.

        Parameters
        ----------
        most : int, optional
            Rows to show at most, the first and the last; by default all. A band shows its edges at a few
            abscissae in any case.
        booktabs : bool
            Whether to use the rules of the LaTeX package booktabs instead of `\hline`.

        Examples
        --------
        >>> from confroc import Scores, tpr_at_fpr
        >>> print(tpr_at_fpr(Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]), fpr=0.4).to_latex())
        % Intervals: tpr
        \begin{tabular}{rrr}
        \hline
        FPR & TPR (95\% CI) & Threshold \\
        \hline
        0.4 & 1 (0 to 1) & 3 \\
        \hline
        \end{tabular}
        % 95%; pointwise; method: beta_mixture; guarantee: asymptotic
        % Note: The lower limit is zero (uninformative) at false positive rates up to 0.4.
        """
        check_flag("booktabs", booktabs)
        return shown.as_latex(self._page(most=most), booktabs=booktabs)

    def _interval_words(self) -> str:
        """What the limits are, for the heads of columns."""
        noun = "simultaneous CI" if getattr(self, "kind", "") == "simultaneous" else "CI"
        return level_words(getattr(self, "confidence_level", math.nan), noun)

    def _page(self, **rows: Any) -> shown.Table:
        """The table; for one row the heading is the sentence, and what is missing is left out."""
        table = self.table(**rows)
        if sentence := self._sentence():
            kept = {n: v for n, v in table.columns.items() if not self._uninformative(n, v[0])}
            quantity = getattr(self, "quantity", "estimate")
            names = {"estimate": quantity} if quantity not in kept else {}
            table = table._replace(heading=sentence, columns={names.get(n, n): v for n, v in kept.items()})
        return table


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Inference(Result):
    """Base class of results with a confidence level.

    Attributes
    ----------
    confidence_level : float
        In (0, 1); for each interval, or for a whole band; see `kind`.
    method : Method
        The method used (after any fallback, which `notes` report): `str` gives its name, `repr` the call that
        creates it.
    guarantee : {"finite-sample", "asymptotic", "bootstrap", "none"}
        Basis of the coverage; see `confroc.results`.
    notes : tuple of str
        Cautions to report with the numbers.
    kind : {"pointwise", "simultaneous"}
        Whether the level applies to each number or to all of them jointly.
    """

    confidence_level: float
    method: Method | str
    guarantee: Guarantee
    notes: tuple[str, ...] = ()
    kind: Kind = "pointwise"


_INFERENCE_FIELDS = frozenset(f.name for f in fields(Inference))


def percent(level: float) -> str:
    """Format a level, e.g. "95%"; a computed one with two significant digits of 1 − level."""
    text = f"{100.0 * level:.10g}"
    if text != f"{100.0 * level:.14g}" and level < 1.0:
        text = f"{100.0 * level:.{max(1, 1 - math.floor(math.log10(100.0 * (1.0 - level))))}f}"
    return f"{text}%"


def level_words(level: float, noun: str) -> str:
    """Format a level with a noun, e.g. "95% CI"; without a level only the noun."""
    return noun if math.isnan(level) else f"{percent(level)} {noun}"


def notes_of(*parts: Inference) -> tuple[str, ...]:
    """Return the distinct notes of several results."""
    return tuple(dict.fromkeys(note for part in parts for note in part.notes))
