"""Input of a report, the class of its sections, and what sections share."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from confroc._check import (
    ArgumentError,
    ArgumentTypeError,
    DesignError,
    check_instance,
    check_level,
    check_number,
    held,
)
from confroc._types import FloatArray
from confroc.auc import auc_comparison, auc_interval
from confroc.cost.thresholds import check_other_cases
from confroc.distributions import joint_level
from confroc.pages import words
from confroc.resample import N_BAND_RESAMPLES, least_resamples
from confroc.results import Band, Comparison, Interval
from confroc.results.polyline import THIN_ERROR, thin
from confroc.scores import PairedScores, Scores, UnpairedScores, check_scores, class_sizes
from confroc.scores.labels import check_classes
from confroc.statistics.prevalence import check_share

T = TypeVar("T")

SEED = 0
"""Seed of all resampling, so that the same data give the same report."""

MOST_RESAMPLES = 100_000
"""Most resamples that a level may need: about 20 seconds for a band of a few thousand cases."""

FEW = 3
"""Most models of which all pairs are shown; of more, each is compared with the leading one."""

NO_JOINT = (
    "There are too many cases for a table of the joint counts of these models, which this needs; scores read "
    "with `resolution` have one."
)
LEFT_OUT = (
    "Analyses that require independent cases of equal weight are omitted, and so are the interactive charts."
)
RATES = (0.01, 0.05, 0.10)
DIGITS = 8
"""Significant digits of numbers that are only drawn, half of what is written otherwise."""
ENDS = ("estimate", "lower", "upper")
OPTIONAL_TEXTS = ("title", "description", "command")

CODES = ("true", "false", "yes", "no", "y", "n", "t", "f")
"""Labels that do not describe a case."""


def _describes(label: str) -> bool:
    """Whether a label consists of words that describe a case."""
    return re.fullmatch(r"[^\W\d_][\w\s.-]*", label) is not None and label.lower() not in CODES


@dataclass(frozen=True, kw_only=True)
class ReportData:
    """Models on one test set, their source, and the options of the report.

    Attributes
    ----------
    models : mapping of str to Scores
        At least one, in the order of the report.
    scores : PairedScores, optional
        The same models, by the same names, on the same cases. Without it models are not compared.
    n_rows, n_dropped : int
        Rows read, and rows dropped for a missing label or score.
    source : str
        Name of the file, query or frame; empty for none.
    label, positive, negative : str
        Column of true classes (empty for none), and the names of its two classes.
    title, description : str, optional
        Title and introduction of the page, as plain text; empty lines separate paragraphs.
    confidence_level : float
        In (0, 1); of every interval and band.
    false_negative, false_positive : float, optional
        Costs of one error of each kind. Both or neither are required.
    prior : float, optional
        Prevalence in the target population, treated as known. Default: estimated from the sample.
    jeffreys : float, optional
        Budget for drift, a Jeffreys divergence summed over both classes.
    threshold : mapping of str to float, optional
        Threshold to evaluate for every model, chosen on other data.
    validation : Scores or PairedScores, optional
        The same models, by the same names, on other cases, on which the thresholds are chosen. For one model
        a `Scores`.
    validation_source : str
        Name of their file, query or frame; empty for none.
    command : str, optional
        Command line that makes the report.
    turned : sequence of str
        Models whose scores are a column with its sign reversed. The report shows "-points" as "points", and
        its thresholds in the numbers of the column.
    names : mapping of str to str, optional
        Names of models in the report, by their names in `models`.
    groups : mapping of str to UnpairedScores, optional
        Cases by group, of every model.
    group : str
        Name of the column of groups.
    segments : mapping of str to mapping of str to Scores, optional
        Cases by segment, such as a month, of every model: later segments are compared with the first.
    segment : str
        Name of the column of segments.
    cluster : str
        Column of clusters; empty if unknown.
    notes : sequence of str
        Notes on the cases, e.g. on repeated identifiers.

    Raises
    ------
    ValueError
        No models; `scores` or `validation` of other models; a `validation` of the same cases; an impossible
        level or prevalence; only one of the two costs; a prior without costs; a threshold for some of the
        models only or together with `validation`.
    """

    models: Mapping[str, Scores]
    scores: PairedScores | None = None
    n_rows: int
    n_dropped: int
    source: str = ""
    label: str = ""
    positive: str = "positive"
    negative: str = "negative"
    title: str | None = None
    description: str | None = None
    confidence_level: float = 0.95
    false_negative: float | None = None
    false_positive: float | None = None
    prior: float | None = None
    jeffreys: float | None = None
    threshold: Mapping[str, float] | None = None
    validation: Scores | PairedScores | None = None
    validation_source: str = ""
    command: str | None = None
    turned: Sequence[str] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, UnpairedScores] | None = None
    group: str = "group"
    segments: Mapping[str, Mapping[str, Scores]] | None = None
    segment: str = "segment"
    cluster: str = ""
    notes: Sequence[str] = ()

    @property
    def dependent(self) -> bool:
        """Whether cases have weights, clusters or strata."""
        return any(scores.design is not None for scores in self.models.values())

    @property
    def sampling(self) -> list[str]:
        """What the design of the cases has, e.g. ["sampling weights", "364 clusters"]."""
        design = next(iter(self.models.values())).design
        if design is None:
            return []
        clusters = " × ".join(f"{len(column.label):,}" for column in design.clusters)
        parts = ["sampling weights" if design.weighted else "", f"{clusters} clusters" if clusters else ""]
        parts += [] if design.stratum is None else [f"{len(design.stratum.label):,} strata"]
        return [part for part in parts if part]

    @property
    def weighted(self) -> bool:
        """Whether cases have sampling weights."""
        return any(scores.design is not None and scores.design.weighted for scores in self.models.values())

    @property
    def sizes(self) -> tuple[int, int]:
        """Numbers of positive and of negative cases of the first model, without weights."""
        return class_sizes(next(iter(self.models.values())))

    @property
    def called(self) -> tuple[str, str]:
        """Names of the cases of each class: their labels, if these are words that describe a case."""
        labels = self.positive, self.negative
        return labels if all(map(_describes, labels)) else ("positive", "negative")

    @property
    def classes(self) -> tuple[str, str]:
        """The classes in tables: as `called`, or "relapse = 1" and "relapse = 0"."""
        if not self.label or self.called[0] == self.positive:
            return self.called
        return f"{self.label} = {self.positive}", f"{self.label} = {self.negative}"

    def __post_init__(self) -> None:
        check_level(self.confidence_level)
        if least_resamples(self.confidence_level) > MOST_RESAMPLES:
            highest = 1.0 - 2.0 / MOST_RESAMPLES
            rule = (
                f"be at most {highest:.10g} in a report, whose bands take {MOST_RESAMPLES:,} resamples there"
            )
            raise ArgumentError("confidence_level", rule, self.confidence_level, "Choose a lower level.")
        for name in ("source", "label", "title", "description", "command"):
            text = getattr(self, name)
            if not isinstance(text, str) and (text is not None or name not in OPTIONAL_TEXTS):
                raise ArgumentTypeError(name, "be text", text, f"Pass {str(text)!r}.")
        check_classes(self.positive, self.negative)
        for name in ("false_negative", "false_positive", "prior", "jeffreys"):
            if getattr(self, name) is not None:
                check_number(name, getattr(self, name))
        if not self.models:
            raise ArgumentError("models", "contain at least one model", {}, "Name a score column.")
        for name, scores in self.models.items():
            check_scores(f"models[{name!r}]", scores, dependent=True)
        if self.scores is not None:
            check_instance("scores", self.scores, PairedScores, "Leave it out to compare nothing.")
            if self.scores.names != tuple(self.models):
                rule = f"be of the models ({', '.join(map(repr, self.models))}), in this order"
                remedy = "Name them in `PairedScores(..., names=[...])`."
                raise ArgumentError("scores", rule, self.scores.names, remedy)
        if self.prior is not None:
            check_share("prior", self.prior)
        if (self.false_negative is None) != (self.false_positive is None):
            missing = "false_negative" if self.false_negative is None else "false_positive"
            raise ArgumentError(missing, "be given with the other cost", None, "Give both costs, or none.")
        if self.prior is not None and self.false_negative is None:
            rule = "be given with what errors cost, which it is for"
            raise ArgumentError("prior", rule, self.prior, "Give both costs too, or leave it out.")
        self._check_thresholds()
        remedy = "Give a mapping by the models' names."
        for name, kind in (("groups", UnpairedScores), ("segments", Mapping)):
            parts = {} if (given := getattr(self, name)) is None else given
            check_instance(name, parts, Mapping, remedy)
            if given is not None and set(parts) != set(self.models):
                rule = f"have an entry for each of {', '.join(map(repr, self.models))}"
                raise ArgumentError(name, rule, [*parts], remedy)
            for part in parts.values():
                check_instance(name, part, kind, remedy)
        self._rename()

    def _rename(self) -> None:
        """Give the models the names that the report shows."""
        unknown = [name for name in self.names if name not in self.models]
        if unknown:
            rule = f"name some of {', '.join(map(repr, self.models))}"
            raise ArgumentError("names", rule, unknown[0], "Give a mapping of these to new names.")
        bare = {name: name.removeprefix("-") for name in self.turned if name.startswith("-")}
        reversed_ = {n: f"{own} (reversed)" if own in self.models else own for n, own in bare.items()}
        shown = {name: name for name in self.models} | reversed_ | dict(self.names)
        if len(set(shown.values())) < len(shown):
            rule = "give each model a name of its own"
            raise ArgumentError("names", rule, [*shown.values()], "Choose different names.")
        if all(name == of for name, of in shown.items()):
            return
        found: dict[str, Any] = {"names": {}, "turned": tuple(shown[name] for name in self.turned)}
        for name in ("models", "threshold", "groups", "segments"):
            if getattr(self, name) is not None:
                found[name] = {shown[model]: part for model, part in getattr(self, name).items()}
        for name in ("scores", "validation"):
            if isinstance(pair := getattr(self, name), PairedScores):
                called = tuple(shown[model] for model in pair.names)
                found[name] = PairedScores._remade(pair._made_of() | {"names": called})
        for name, value in found.items():
            object.__setattr__(self, name, value)

    def _check_thresholds(self) -> None:
        names = ", ".join(map(repr, self.models))
        if self.validation is not None:
            if self.threshold is not None:
                rule = "be left out when `validation` is given"
                remedy = "Leave out `threshold` or `validation`."
                raise ArgumentError("threshold", rule, self.threshold, remedy)
            if len(self.models) > 1 or not isinstance(self.validation, Scores):
                remedy = f"Pass scores of the models {names}; read_scores reads them from a file."
                check_instance("validation", self.validation, PairedScores, remedy)
                assert isinstance(self.validation, PairedScores)
                if self.validation.names != tuple(self.models):
                    rule = f"be of the models ({names}), in this order"
                    raise ArgumentError("validation", rule, self.validation.names, remedy)
            others: Any = getattr(self.validation, "models", (self.validation,))
            check_other_cases(self.models.values(), others)
        if self.threshold is None:
            return
        remedy = "Give one number for all models, or a mapping of every model's name to its threshold."
        check_instance("threshold", self.threshold, Mapping, remedy)
        if set(self.threshold) != set(self.models):
            rule = f"contain a threshold for each of {names}"
            raise ArgumentError("threshold", rule, self.threshold, remedy)
        for name, value in self.threshold.items():
            check_number(f"threshold[{name!r}]", value)

    @property
    def unit_costs(self) -> dict[str, Any]:
        """Options of `expected_cost`; empty without costs."""
        if self.false_negative is None:
            return {}
        priced = {"false_negative": self.false_negative, "false_positive": self.false_positive}
        return priced | {"prior": self.prior}

    def placed(self, *names: str) -> dict[str, Any]:
        """Options of functions of costs on the source of the thresholds, for one model or two."""
        if self.threshold is not None:
            ends = ("",) if len(names) == 1 else ("_a", "_b")
            return {f"threshold{end}": self.threshold[name] for end, name in zip(ends, names, strict=True)}
        if isinstance(self.validation, PairedScores):
            return {"validation": self.validation[names if len(names) > 1 else names[0]]}
        return {} if self.validation is None else {"validation": self.validation}

    @cached_property
    def fingerprint(self) -> str:
        """Digest of scores, classes, weights, clusters and strata of all models.

        It does not depend on names and on the order of the models.
        """
        tables = [_digest(s.score, s.pos, s.neg, *_design_columns(s)) for s in self.models.values()]
        return hashlib.sha256("".join(sorted(tables)).encode()).hexdigest()

    @property
    def remarks(self) -> list[tuple[str, str]]:
        """Notes on all cases."""
        return [("all models", text) for text in ([LEFT_OUT] if self.dependent else []) + [*self.notes]]

    @property
    def paragraphs(self) -> list[str]:
        """The paragraphs of the description."""
        return [part.strip() for part in re.split(r"\n\s*\n", self.description or "") if part.strip()]

    @property
    def many(self) -> bool:
        """Whether there are too many models to show all pairs."""
        return len(self.models) > FEW

    @cached_property
    def leader(self) -> str:
        """The model with the largest area."""
        return max(self.models, key=lambda name: self.models[name].auc)

    @property
    def shown_areas(self) -> dict[str, dict[str, float]]:
        """AUC of each model with the ends of its interval; simultaneous with many models."""
        if self.many and self.compared is not None:
            found = self.compared[0].intervals
            return {
                name: {end: float(getattr(found, end)[row]) for end in ENDS}
                for row, name in enumerate(self.models)
            }
        return {name: {end: getattr(it, end) for end in ENDS} for name, (it, _) in self.areas.items()}

    @cached_property
    def areas(self) -> dict[str, tuple[Interval, tuple[str, ...]]]:
        """AUC of each model with its interval, and the notes on it."""
        level = self.confidence_level
        return {name: noted(auc_interval, s, confidence_level=level) for name, s in self.models.items()}

    @cached_property
    def compared(self) -> tuple[Comparison, tuple[str, ...]] | None:
        """All models compared with each other, and the notes on that; None without `scores`."""
        if self.scores is None:
            return None
        return noted(auc_comparison, self.scores, confidence_level=self.confidence_level, rng=SEED)

    def pairs(self, order: Sequence[str]) -> list[tuple[str, str]]:
        """Return the pairs to show, the better model first: all of few models; of many, those of the first.

        `order` has the best model first, so that no difference has the sign of a loss.
        """
        if self.many:
            return [(order[0], name) for name in order[1:]]
        return list(combinations(order, 2))

    @property
    def rates(self) -> list[float]:
        """False positive rates of the tables: those of `RATES` that one negative or more would attain."""
        fewest = min(scores.n_neg for scores in self.models.values())
        return [rate for rate in RATES if rate * fewest >= 1.0] or [*RATES[-1:]]

    @property
    def rate_names(self) -> list[str]:
        """Names of the TPR at these rates in tables."""
        return [f"TPR at FPR {words.percent(rate)}" for rate in self.rates]

    @property
    def pair_level(self) -> float:
        """Level of each pair for a simultaneous level of all pairs, including those that are not shown.

        The data determine which model leads, so every pair could have been shown.
        """
        k = len(self.models)
        return joint_level(self.confidence_level, k * (k - 1) // 2)

    @property
    def heading(self) -> str:
        """The title, or one made from the last part of the source."""
        return self.title or f"ROC report: {self.source.replace(chr(92), '/').rstrip('/').rpartition('/')[2]}"


@dataclass(frozen=True, kw_only=True)
class Section:
    """One section of the report; parts of sections have no key, title and template.

    Attributes
    ----------
    key : str
        Identifier on the page and key of `record` in the JSON file.
    title : str
    template : str
        File in `templates` that shows `view`.
    view : mapping
        Passed to the template as `view`.
    record : object
        Value in the JSON file, of plain Python values, or None.
    records : mapping
        Further parts of the JSON file, by their keys.
    headlines : sequence of str
        Sentences for the summary.
    notes : sequence of (about, text)
        Notes, each with its model or comparison.
    uses : sequence of (function, about, method)
        Methods to explain and papers to cite, by their names in the register.
    """

    key: str = ""
    title: str = ""
    template: str = ""
    view: Mapping[str, Any] = field(default_factory=dict)
    record: Any = None
    records: Mapping[str, Any] = field(default_factory=dict)
    headlines: list[str] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    uses: list[tuple[str, str, str]] = field(default_factory=list)


def _digest(*columns: Any) -> str:
    return hashlib.sha256(b"".join(np.asarray(column).tobytes() for column in columns)).hexdigest()


def _design_columns(scores: Scores) -> list[Any]:
    """Weights, clusters and strata of the cases, independent of the order of the rows."""
    design = scores.design
    if design is None:
        return []
    columns = [design.row, design.positive, design.weight, design.count]
    columns += [column.code for column in (*design.clusters, design.stratum) if column is not None]
    order = np.lexsort(columns[::-1])
    return [column[order] for column in columns]


def noted(function: Callable[..., T], *args: Any, **kwargs: Any) -> tuple[T, tuple[str, ...]]:
    """Return the result of a call, and its notes and warnings.

    The page shows them, so they are not issued as warnings.
    """
    with held() as warned:
        result = function(*args, **kwargs)
    return result, tuple(dict.fromkeys((*getattr(result, "notes", ()), *warned)))


def if_allowed(function: Callable[..., T], *args: Any, **kwargs: Any) -> T | None:
    """Return the result of a call, or None if it refuses weights, clusters or strata."""
    try:
        return function(*args, **kwargs)
    except DesignError:
        return None


def resamples(confidence_level: float) -> int:
    """Return the number of resamples for a band; levels close to 1 need more."""
    return max(N_BAND_RESAMPLES, least_resamples(confidence_level))


def claims(result: Any) -> dict[str, Any]:
    """Return level, method, kind and guarantee of a result, for the JSON file."""
    found = {name: getattr(result, name) for name in ("confidence_level", "method", "kind", "guarantee")}
    return found | {"method": str(found["method"])}


def thinned(columns: Mapping[str, FloatArray], *lines: FloatArray) -> dict[str, Any]:
    """Return the columns at the rows that are needed to draw lines over a common x, and the largest error.

    If rows are left out, numbers are rounded to `DIGITS`, which is far less than that error.
    """
    kept = thin(*lines)
    if len(kept) == len(lines[0]):
        return {name: values.tolist() for name, values in columns.items()} | {"max_deviation": 0.0}
    shown = {name: rounded(values[kept]).tolist() for name, values in columns.items()}
    return shown | {"max_deviation": THIN_ERROR}


def rounded(values: FloatArray) -> FloatArray:
    """Return numbers with `DIGITS` significant digits."""
    size = np.abs(values)
    some = (size > 1e-290) & np.isfinite(size)
    # Whole numbers over a power of ten are the doubles that are written with so few digits.
    scale = 10.0 ** (DIGITS - np.ceil(np.log10(np.where(some, size, 1.0))))
    return np.where(some, np.round(values * scale) / scale, values)


def band_record(band: Band, notes: tuple[str, ...], names: Sequence[str]) -> dict[str, Any]:
    """Return a band for the JSON file: its abscissae, and the columns named."""
    columns = {band.at_name: band.at} | {name: getattr(band, name) for name in names}
    shown = thinned(columns, band.at, band.lower, band.upper, band.estimate)
    return shown | claims(band) | {"notes": list(notes)}
