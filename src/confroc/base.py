"""The base classes: statistic, contrast, method, and the outcome of a method.

A statistic is a number (or several) computed from a table. A contrast is a weighted sum of statistics of
tables: one model is one term, a difference two. A method is a frozen dataclass whose fields are its options;
it turns a contrast into an interval. Classes of methods register themselves. The lists in docstrings, the
choices of the command line and the tables of the documentation are generated from the register.

This module has no mathematics and is quick to import.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import (
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    TypeAlias,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np

from confroc._check import ArgumentError, check_choice, check_flag, check_jobs, make_rng
from confroc._docstrings import documented, method_list, option_list
from confroc._keywords import check_keywords
from confroc._types import RNG, Ends, FloatArray

Kind: TypeAlias = Literal["pointwise", "simultaneous"]
Guarantee: TypeAlias = Literal["finite-sample", "asymptotic", "bootstrap", "none"]
Dependence: TypeAlias = Literal["refused", "resized", "own"]
Ability: TypeAlias = str
"""Type of result of a method: "interval", "difference", "comparison", "band", "plan", "forecast"."""

F = TypeVar("F", bound=Callable[..., Any])

SETTINGS = ("rng", "n_jobs")
"""Settings that every method accepts, and uses if it resamples."""

ANY = "*"
"""Marks methods that serve every statistic with the required properties."""


# --- statistics ----------------------------------------------------------------------------------------


class Statistic:
    """A number, or an array of numbers, computed from a table.

    A subclass is a small frozen dataclass whose fields are parameters: a rate, a part of the curve, a cost.

    Attributes
    ----------
    name : str
        Key in the register, e.g. "auc".
    title : str
        Title in tables and reports.
    bounds : (float, float)
        Minimum and maximum.
    monotone : bool
        Whether the value is a monotone function of the ROC curve, so that the effect of rounding can be
        bounded.
    regular : bool
        Whether the influence function exists and its variance converges; some methods require it.
    lower_is_better : bool
        Whether smaller values are better.
    default_method, default_difference : str
        Names of the default methods.
    """

    name: ClassVar[str]
    title: ClassVar[str] = ""
    monotone: ClassVar[bool] = False
    regular: ClassVar[bool] = True
    lower_is_better: ClassVar[bool] = False
    default_method: ClassVar[str] = "logit"
    default_difference: ClassVar[str] = "wald"

    @property
    def bounds(self) -> tuple[Any, Any]:
        """Minimum and maximum."""
        return 0.0, 1.0

    @property
    def label(self) -> str:
        """Name of the quantity in results."""
        return self.name

    @property
    def at(self) -> tuple[str, Any] | None:
        """Name and values of the abscissae of an array statistic; None for a scalar."""
        return None

    @property
    def is_number(self) -> bool:
        """Whether the value is a scalar."""
        return self.at is None

    def value(self, table: Any) -> Any:
        """Return the statistic of a table: a float, or an array."""
        raise NotImplementedError

    def resampled_value(self, table: Any) -> Any:
        """Return the statistic of a resample; NaN where it fails."""
        return self.value(table)

    def influence(self, table: Any) -> tuple[FloatArray, FloatArray]:
        """Return the contribution of a positive and of a negative at each distinct score, centered by class.

        Arrays of shape (..., d); centered over all cases if the prevalence is estimated. The variance of the
        value is the sum over classes of the mean square of these contributions divided by the class size.
        """
        raise NotImplementedError

    separate: ClassVar[bool] = False
    """Whether `of_classes` applies to each class separately, not to their sum."""

    def of_classes(self, table: Any) -> tuple[FloatArray, FloatArray]:
        """Return the same up to a factor for each class, which suffices for effective sizes."""
        return self.influence(table)

    def at_place(self, i: int) -> Statistic:
        """Return the statistic at one abscissa, still an array."""
        raise NotImplementedError

    def threshold_of(self, table: Any) -> Any:  # noqa: ARG002
        """Return the threshold of the value, or None."""
        return None

    def optimism(self, table: Any) -> Any:  # noqa: ARG002
        """Return the optimism of a value chosen on this table."""
        return 0.0


# --- contrasts -----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Contrast:
    """A weighted sum of statistics of models: one model, or the difference between two.

    Attributes
    ----------
    data : Scores, PairedScores or UnpairedScores
        For `PairedScores` the tables are of the same cases.
    tables : tuple of Scores
        One per term.
    statistics : tuple of Statistic
        One per term.
    weights : tuple of float
        (1,) or (1, −1).
    models : tuple of int
        Positions of the terms' models in `data`.
    hypothesis : Hypothesis
        Hypothesis of the test; None without a test.
    only : tuple of (Scores or None)
        Cases of each term that the other model has not scored; empty if there are none.
    known : mapping
        Cached results, by name.
    """

    data: Any
    tables: tuple[Any, ...]
    statistics: tuple[Any, ...]
    weights: tuple[float, ...] = (1.0,)
    models: tuple[int, ...] = (0,)
    hypothesis: Any = None
    only: tuple[Any, ...] = ()
    known: Mapping[str, Any] = field(default_factory=dict)

    @property
    def statistic(self) -> Any:
        """Statistic of the first term."""
        return self.statistics[0]

    @property
    def table(self) -> Any:
        """Table of the first term."""
        return self.tables[0]

    @property
    def single(self) -> bool:
        """Whether there is only one term."""
        return len(self.tables) == 1

    @property
    def is_number(self) -> bool:
        """Whether the value is a scalar."""
        return all(s.is_number for s in self.statistics)

    @functools.cached_property
    def values(self) -> tuple[Any, ...]:
        """Value of each term."""
        return tuple(s.value(t) for s, t in zip(self.statistics, self.tables, strict=True))

    @functools.cached_property
    def value(self) -> Any:
        """The weighted sum."""
        if self.single and self.weights == (1.0,):
            return self.values[0]
        return sum(w * v for w, v in zip(self.weights, self.values, strict=True))


class Outcome(NamedTuple):
    """Result of a method: limits of the interval of a contrast, and further fields.

    The caller includes the estimate, clips to the bounds, and accounts for rounded scores and optimism.

    Attributes
    ----------
    lower, upper : float or ndarray
    estimate : float or ndarray, optional
        If it is not the value of the contrast.
    standard_error, statistic, pvalue : float or ndarray
        NaN if the method has none.
    least_pvalue : float
        The smallest p-value possible with these resamples.
    used : Method, optional
        The method used, after a fallback.
    guarantee : str, optional
        If it differs from the method's.
    notes : tuple of str
    """

    lower: Any
    upper: Any
    estimate: Any = None
    standard_error: Any = math.nan
    statistic: Any = math.nan
    pvalue: Any = math.nan
    least_pvalue: float = 0.0
    used: Method | None = None
    guarantee: Guarantee | None = None
    notes: tuple[str, ...] = ()

    @property
    def ends(self) -> Ends:
        """Both limits."""
        return self.lower, self.upper


# --- methods -------------------------------------------------------------------------------------------

REGISTER: dict[tuple[str, Ability], dict[str, type[Method]]] = {}
"""Classes of methods by (statistic, ability) and name."""


@dataclass(frozen=True, kw_only=True)
class Method:
    """A method of an inference function.

    The fields of a subclass are its options. The first line of its docstring is its title, the second
    paragraph its summary. Fields annotated with a `Literal` or `bool` are checked on construction.

    Attributes
    ----------
    name : str
        Value of the argument `method`.
    serves : tuple of (str, str)
        Pairs of statistic and type of result, e.g. ("auc", "interval"); "*" is any statistic.
    dependence : {"refused", "resized", "own"}
        For weighted, clustered or stratified cases: "refused" raises and names what to use `instead`;
        "resized" uses an equally informative sample of independent cases; "own" supports them directly.
    kind : {"pointwise", "simultaneous"}
    guarantee : {"finite-sample", "asymptotic", "bootstrap", "none"}
    papers : tuple of str
        Keys of `confroc.methods.PAPERS`.
    caution : str
        Where coverage is below nominal, or other limitations.
    widens : bool
        Whether its interval is widened for rounded scores. Methods that use the values of scores, not only
        their order, warn instead.
    """

    name: ClassVar[str]
    serves: ClassVar[tuple[tuple[str, Ability], ...]] = ((ANY, "interval"), (ANY, "difference"))
    dependence: ClassVar[Dependence] = "refused"
    instead: ClassVar[str] = "Use method='bootstrap'."
    papers: ClassVar[tuple[str, ...]] = ()
    caution: ClassVar[str] = ""

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if "name" in vars(cls):
            for served in cls.serves:
                taken = REGISTER.setdefault(served, {}).setdefault(cls.name, cls)
                if taken.__qualname__ != cls.__qualname__:
                    raise TypeError(f"{served[1]} of {served[0]!r} already has a method {cls.name!r}")
                REGISTER[served][cls.name] = cls

    def __post_init__(self) -> None:
        cls: Any = type(self)
        for name, hint in _hints(cls).items():
            _check_option(name, getattr(self, name), hint)

    def __str__(self) -> str:
        return self.name

    @property
    def kind(self) -> Kind:
        """Whether the level applies to each number or to all of them jointly."""
        return "pointwise"

    @property
    def guarantee(self) -> Guarantee:
        """Basis of the coverage."""
        return "asymptotic"

    @property
    def widens(self) -> bool:
        """Whether the interval is widened for rounded scores."""
        return True

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the options."""
        return tuple(f.name for f in fields(self))

    @property
    def given(self) -> dict[str, Any]:
        """Options that differ from their defaults and can change the result."""
        options = ((f, getattr(self, f.name)) for f in fields(self) if f.compare)
        return {f.name: value for f, value in options if not _is_default(f, value)}

    @property
    def record(self) -> dict[str, Any]:
        """The same as plain values; a generator is marked as not reproducible."""
        given = self.given
        if isinstance(given.get("rng"), np.random.Generator | np.random.SeedSequence):
            given["rng"] = "not reproducible"
        return given

    @property
    def title(self) -> str:
        """Title in tables and reports."""
        return (inspect.getdoc(type(self)) or self.name).split("\n", 1)[0].rstrip(".")

    @property
    def summary(self) -> str:
        """Description in one or two sentences."""
        paragraphs = (inspect.getdoc(type(self)) or "").split("\n\n")
        return " ".join(paragraphs[1].split()) if len(paragraphs) > 1 else f"{self.title}."

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self.given.items())
        return f"{type(self).__name__}({options})"

    chi_squared: ClassVar[bool] = False
    """Whether the joint test of a comparison treats the covariance as known."""
    uses_cases: ClassVar[bool] = False
    """Whether it permutes or resamples cases, so that models with identical rankings may differ."""

    @property
    def of_dependent(self) -> Any:
        """Method for weighted or clustered cases."""
        return self

    def known_of(self, contrasts: Sequence[Contrast]) -> list[dict[str, Any]]:
        """Return values computed for many contrasts at once, for `known` of each."""
        return [{} for _ in contrasts]

    def null_spread(self, data: Any, statistic: Any, spread: Any) -> FloatArray | None:  # noqa: ARG002
        """Return variances of differences under equality; None if unchanged."""
        return None

    def seeded(self) -> Method:
        """Return the method with a drawn seed if it has none, so that results are reproducible."""
        drawn: dict[str, Any] = {"rng": int(np.random.SeedSequence().generate_state(1, np.uint64)[0])}
        return replace(self, **drawn) if getattr(self, "rng", 0) is None else self

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the interval of a contrast at a level."""
        raise NotImplementedError


M = TypeVar("M", bound=Method)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def method_class(cls: type[M]) -> type[M]:
    """Turn a class with annotated options into a method class."""
    return dataclass(frozen=True, kw_only=True, repr=False)(cls)


@method_class
class Resampling(Method):
    """Base class of resampling methods.

    Attributes
    ----------
    n_resamples : int, optional
        Number of resamples. Default: as many as the level requires.
    rng : Generator, seed or None
        Source of randomness. With None a seed is drawn and recorded in the result.
    n_jobs : int
        Number of threads; does not affect the result.
    """

    n_resamples: int | None = None
    rng: RNG = None
    n_jobs: int = field(default=1, compare=False)

    @property
    def guarantee(self) -> Guarantee:
        """Basis of the coverage."""
        return "bootstrap"


@functools.cache
def _hints(cls: Any) -> dict[str, Any]:
    """Types of the options of a class, used to check them."""
    found = get_type_hints(cls)
    return {f.name: found[f.name] for f in fields(cls)}


def _check_option(name: str, value: Any, hint: Any) -> None:
    """Check options with a closed type (words, flags) and the settings of resampling."""
    if name == "rng":
        make_rng(value)
    elif name == "n_jobs":
        check_jobs(value)
    elif get_origin(hint) is Literal:
        check_choice(name, value, get_args(hint))
    elif hint is bool:
        check_flag(name, value)


def _is_default(option: dataclasses.Field[Any], value: Any) -> bool:
    return bool(value is option.default or (type(value) is type(option.default) and value == option.default))


# --- the methods of a function -------------------------------------------------------------------------


class Family(NamedTuple):
    """A function with a choice of methods.

    Attributes
    ----------
    name : str
        Name of the function.
    title : str
        Title in tables and reports.
    statistic, ability : str
        Key in the register.
    default : str
        Name of the default method.
    listed : bool
        Whether general methods are included.
    kind : str
        Kind of its results, if not the method's: a comparison is simultaneous.
    papers : tuple of str
        Papers of all methods.
    """

    name: str
    title: str
    statistic: str
    ability: Ability
    default: str
    listed: bool = False
    kind: Kind = "pointwise"
    papers: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Family({self.name!r}, {len(self.classes)} methods, default {self.default!r})"

    @property
    def classes(self) -> dict[str, type[Method]]:
        """Method classes by name, default first."""
        found = dict(REGISTER.get((self.statistic, self.ability), {}))
        if self.listed:
            found = REGISTER.get((ANY, self.ability), {}) | found
        return {self.default: found.pop(self.default), **found}

    @property
    def methods(self) -> Mapping[str, Method]:
        """Methods by name, with default options."""
        return {name: cls() for name, cls in self.classes.items()}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all methods, default first."""
        return tuple(self.classes)

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the options of all methods."""
        return tuple(dict.fromkeys(f.name for cls in self.classes.values() for f in fields(cls)))

    def kind_of(self, method: str) -> Kind:
        """Return whether results of a method are pointwise or simultaneous."""
        return "simultaneous" if self.kind == "simultaneous" else self.methods[method].kind

    def papers_of(self, method: str) -> tuple[str, ...]:
        """Return the papers of a method and of the function."""
        return tuple(dict.fromkeys((*self.methods[method].papers, *self.papers)))

    def with_option(self, option: str) -> list[str]:
        """Return the names of the methods that have an option."""
        return [name for name, cls in self.classes.items() if option in {f.name for f in fields(cls)}]

    @property
    def described(self) -> dict[str, str]:
        """Type and description of each option, from the docstrings of the classes."""
        owners = [owner for cls in self.classes.values() for owner in cls.__mro__]
        return {name: text for owner in reversed(owners) for name, text in documented(owner).items()}

    def taken(self, method: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the given options that a method has."""
        own = {f.name for f in fields(self.classes[method])}
        return {name: value for name, value in given.items() if name in own}

    def chosen(
        self, method: str | Method | None, options: Mapping[str, Any], front: Callable[..., Any] | None = None
    ) -> Any:
        """Return the method object for a name or object and options, with a seed.

        Parameters
        ----------
        method : str, Method or None
            None selects the default.
        options : mapping
            Options given by the caller. None selects the default.
        front : callable, optional
            The calling function, for errors about unknown keywords.

        Raises
        ------
        ArgumentError
            Unknown method, or an option that it does not have.
        TypeError
            Keyword that neither the function nor any method has.
        """
        if isinstance(method, Method):
            if not {(self.statistic, self.ability), (ANY, self.ability)} & {*method.serves}:
                rule = f"be a method of `{self.name}`"
                raise ArgumentError("method", rule, repr(method), f"Use one of {', '.join(self.names)}.")
            taken = {name: value for name, value in options.items() if name not in SETTINGS}
            if taken:
                name = next(iter(taken))
                raise ArgumentError(name, "be an option of the method object", taken[name], METHOD_OBJECT)
            return method.seeded()
        name = self.default if method is None else check_choice("method", method, self.names)
        cls = self.classes[name]
        own = {f.name: f.default for f in fields(cls)}
        for option, value in options.items():
            if option in own:
                continue
            if option in SETTINGS:
                _check_option(option, value, None)
                continue
            takers = self.with_option(option)
            if not takers:
                self._unknown(option, front)
            if value is not None:
                rule = f"be omitted with method {name!r}"
                remedy = f"Methods with this option: {', '.join(map(repr, takers))}."
                raise ArgumentError(option, rule, value, remedy)
        chosen = {
            option: value
            for option, value in options.items()
            if option in own and (value is not None or own[option] is None)
        }
        return cls(**chosen).seeded()

    def _unknown(self, option: str, front: Callable[..., Any] | None) -> None:
        """Raise Python's error for a keyword that no method has."""
        if front is None:
            raise TypeError(f"{self.name}() got an unexpected keyword argument {option!r}")
        named = [n for n, p in inspect.signature(front).parameters.items() if p.kind is not p.VAR_KEYWORD]
        check_keywords(front, [*named, *self.options], [option])


METHOD_OBJECT = "Set it in the method object, or pass the method by name."

FAMILIES: dict[str, Family] = {}
"""Functions with a choice of methods, by name, registered when their module is imported."""


def keywords_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the keyword-only arguments of a function, including options of its methods."""
    named = inspect.signature(function).parameters.values()
    own = [p.name for p in named if p.kind is p.KEYWORD_ONLY]
    entry = FAMILIES.get(function.__name__)
    if entry is None or all(p.kind is not p.VAR_KEYWORD for p in named):
        return tuple(own)
    return tuple(dict.fromkeys([*own, *entry.options, *SETTINGS]))


def family(name: str, title: str, serves: tuple[str, Ability], default: str, **more: Any) -> Family:
    """Register a function with a choice of methods, and return its entry."""
    entry = FAMILIES[name] = Family(name, title, *serves, default, **more)
    return entry


def lists_methods(entry: Family) -> Callable[[F], F]:
    """Insert the list of methods and the descriptions of their options into a docstring.

    `{methods}` is replaced by an entry per method with its name and summary, `{options}` by an entry per
    option with the methods that have it.
    """

    def fill(function: F) -> F:
        if function.__doc__ is not None:
            options = option_list(entry, inspect.signature(function).parameters)
            text = function.__doc__.replace("{methods}", method_list(entry))
            function.__doc__ = text.replace("{options}", options)
        return function

    return fill
