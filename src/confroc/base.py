"""The nouns that join the others: a statistic, a contrast, a method, and what a method returns.

A statistic is a number (or several) read off a table. A contrast is a weighted sum of statistics of tables:
one model is one term, a difference has two. A method is a frozen dataclass whose fields are its options; it
turns a contrast into an interval. Each class of methods enters itself into the register, from which the lists
in docstrings, the choices of the command line and the tables of the documentation are made.

There is no mathematics here, and importing this module is quick.
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
from confroc._docstrings import documented, wrapped
from confroc._keywords import check_keywords
from confroc._types import RNG, Ends, FloatArray

Kind: TypeAlias = Literal["pointwise", "simultaneous"]
Guarantee: TypeAlias = Literal["finite-sample", "asymptotic", "bootstrap", "none"]
Dependence: TypeAlias = Literal["refused", "resized", "own"]
Ability: TypeAlias = str
"""What a method makes: "interval", "difference", "comparison", "band", "plan", "forecast"."""

F = TypeVar("F", bound=Callable[..., Any])

SETTINGS = ("rng", "n_jobs")
"""Settings of how a computation runs; every method accepts them, and uses them if it resamples."""

ANY = "*"
"""The statistic of methods that work for every statistic that offers what they need."""


# --- statistics ----------------------------------------------------------------------------------------


class Statistic:
    """A number read off a table, or an array of numbers.

    A subclass is a small frozen dataclass whose fields are the question: at which rate, which part of the
    curve, which costs.

    Attributes
    ----------
    name : str
        Key of the register, e.g. "auc".
    title : str
        As a table or a page calls it.
    bounds : (float, float)
        The least and the greatest value.
    monotone : bool
        Whether the value can only rise when the ROC curve rises (or only fall), so that the effect of
        rounding can be bounded.
    regular : bool
        Whether the plug-in influence exists and its variance converges. Methods that need it refuse others.
    lower_is_better : bool
        Whether the best of several models is the one with the smallest value.
    default_method, default_difference : str
        Names of methods.
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
        """The least and the greatest value."""
        return 0.0, 1.0

    @property
    def label(self) -> str:
        """What results call the quantity."""
        return self.name

    @property
    def at(self) -> tuple[str, Any] | None:
        """Name and values of the abscissae of a statistic that is an array; None for a number."""
        return None

    @property
    def is_number(self) -> bool:
        """Whether the value is a number, not an array."""
        return self.at is None

    def value(self, table: Any) -> Any:
        """Return the statistic of a table: a float, or an array."""
        raise NotImplementedError

    def resampled_value(self, table: Any) -> Any:
        """Return the statistic of a resample; NaN where it fails."""
        return self.value(table)

    def influence(self, table: Any) -> tuple[FloatArray, FloatArray]:
        """Return what a positive and a negative at each distinct score contribute, centred in each class.

        Arrays of shape (..., d); where the prevalence is an estimate, centred over all cases. The variance of
        the value is the sum over both classes of the mean square of these contributions over the class size.
        """
        raise NotImplementedError

    separate: ClassVar[bool] = False
    """Whether `of_classes` holds for each class by itself, not for their sum."""

    def of_classes(self, table: Any) -> tuple[FloatArray, FloatArray]:
        """Return the same up to a factor for each class, which is enough to find its effective size."""
        return self.influence(table)

    def at_place(self, i: int) -> Statistic:
        """Return the statistic at one of its places, still an array."""
        raise NotImplementedError

    def threshold_of(self, table: Any) -> Any:  # noqa: ARG002
        """Return the threshold that the value refers to; None if there is none."""
        return None

    def optimism(self, table: Any) -> Any:  # noqa: ARG002
        """Return how much too low the value is because it was chosen on this table."""
        return 0.0


# --- contrasts -----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Contrast:
    """A weighted sum of statistics, each of one model: one model, or the difference of two.

    Attributes
    ----------
    data : Scores, PairedScores or UnpairedScores
        Where it is a `PairedScores`, the tables are of the same cases.
    tables : tuple of Scores
        One a term.
    statistics : tuple of Statistic
        One a term.
    weights : tuple of float
        (1,) or (1, −1).
    models : tuple of int
        Places of the terms' models in `data`.
    hypothesis : Hypothesis
        What a test of the difference is for; None where there is none.
    only : tuple of (Scores or None)
        Cases of each term's table that the other model has not scored; empty where there are none.
    known : mapping
        What has been computed already of the terms, by name.
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
        """The statistic of the first term."""
        return self.statistics[0]

    @property
    def table(self) -> Any:
        """The table of the first term."""
        return self.tables[0]

    @property
    def single(self) -> bool:
        """Whether there is one term only."""
        return len(self.tables) == 1

    @property
    def is_number(self) -> bool:
        """Whether it is a number, not an array."""
        return all(s.is_number for s in self.statistics)

    @functools.cached_property
    def values(self) -> tuple[Any, ...]:
        """The value of each term."""
        return tuple(s.value(t) for s, t in zip(self.statistics, self.tables, strict=True))

    @functools.cached_property
    def value(self) -> Any:
        """The weighted sum."""
        if self.single and self.weights == (1.0,):
            return self.values[0]
        return sum(w * v for w, v in zip(self.weights, self.values, strict=True))


class Outcome(NamedTuple):
    """What a method returns: ends of the interval of a contrast, and what it knows beyond them.

    The caller sees to it that the ends contain the estimate, stay within the bounds, and allow for rounded
    scores and for optimism.

    Attributes
    ----------
    lower, upper : float or ndarray
    estimate : float or ndarray, optional
        Where it is not the value of the contrast.
    standard_error, statistic, pvalue : float or ndarray
        NaN where the method has none.
    least_pvalue : float
        The least p-value that the resamples can show.
    used : Method, optional
        The method really used, after a fallback.
    guarantee : str, optional
        Where it is not the method's.
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
        """Both ends."""
        return self.lower, self.upper


# --- methods -------------------------------------------------------------------------------------------

REGISTER: dict[tuple[str, Ability], dict[str, type[Method]]] = {}
"""Classes of methods by what they serve and by name."""


@dataclass(frozen=True, kw_only=True)
class Method:
    """A way to do the work of an inference function.

    The fields of a subclass are its options. The first line of its docstring is its title, the second
    paragraph its summary. A field annotated with a `Literal` or `bool` is checked when the object is made.

    Attributes
    ----------
    name : str
        As the argument `method` accepts it.
    serves : tuple of (str, str)
        Pairs of a statistic's name and what is made of it, e.g. ("auc", "interval"); "*" is any statistic.
    dependence : {"refused", "resized", "own"}
        What it does with weighted, clustered or stratified cases: refuses them, naming what to use `instead`;
        is given a sample of independent cases that is as informative; or allows for them itself.
    kind : {"pointwise", "simultaneous"}
    guarantee : {"finite-sample", "asymptotic", "bootstrap", "none"}
    papers : tuple of str
        Keys of `confroc.methods.PAPERS`.
    caution : str
        Where the method is known to cover less than its level, or what to mind.
    widens : bool
        Whether its interval is widened for rounded scores. Methods that use the values of scores, and not
        their order alone, move with them by more than counts show; they warn instead.
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
                    raise TypeError(f"{served[1]} of {served[0]!r} has a method {cls.name!r} already")
                REGISTER[served][cls.name] = cls

    def __post_init__(self) -> None:
        cls: Any = type(self)
        for name, hint in _hints(cls).items():
            _check_option(name, getattr(self, name), hint)

    def __str__(self) -> str:
        return self.name

    @property
    def kind(self) -> Kind:
        """Whether the level is for one number at a time or for all at once."""
        return "pointwise"

    @property
    def guarantee(self) -> Guarantee:
        """What the level rests on."""
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
        """The options that differ from their defaults, those aside that do not change the result."""
        told = ((f, getattr(self, f.name)) for f in fields(self) if f.compare)
        return {f.name: value for f, value in told if not _is_default(f, value)}

    @property
    def record(self) -> dict[str, Any]:
        """The same as plain values; a generator, which cannot be written down, is marked as such."""
        told = self.given
        if isinstance(told.get("rng"), np.random.Generator | np.random.SeedSequence):
            told["rng"] = "not reproducible"
        return told

    @property
    def title(self) -> str:
        """What a table or a page calls it."""
        return (inspect.getdoc(type(self)) or self.name).split("\n", 1)[0].rstrip(".")

    @property
    def summary(self) -> str:
        """What it does, in a sentence or two."""
        paragraphs = (inspect.getdoc(type(self)) or "").split("\n\n")
        return " ".join(paragraphs[1].split()) if len(paragraphs) > 1 else f"{self.title}."

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={value!r}" for name, value in self.given.items())
        return f"{type(self).__name__}({told})"

    chi_squared: ClassVar[bool] = False
    """Whether the joint test of a comparison treats the covariance as known."""
    uses_cases: ClassVar[bool] = False
    """Whether it exchanges or draws cases, so that models of one ranking may still differ."""

    @property
    def of_dependent(self) -> Any:
        """The method for weighted or clustered cases."""
        return self

    @property
    def of_one(self) -> Method:
        """The method for a single model where this one is used for differences."""
        return self

    def comparison_notes(self, statistic: Any, spread: Any, models: int) -> tuple[str, ...]:  # noqa: ARG002
        """Return what to mind of a comparison of so many models."""
        return ()

    def known_of(self, contrasts: Sequence[Contrast]) -> list[dict[str, Any]]:
        """Return what is computed quicker of many contrasts at once, by name, for `known` of each."""
        return [{} for _ in contrasts]

    def null_spread(self, data: Any, statistic: Any, spread: Any) -> FloatArray | None:  # noqa: ARG002
        """Return the variances of differences where all values are equal; None where they are the same."""
        return None

    def seeded(self) -> Method:
        """Return the method with a seed drawn where it has none, so that its result can be made again."""
        drawn: dict[str, Any] = {"rng": int(np.random.SeedSequence().generate_state(1, np.uint64)[0])}
        return replace(self, **drawn) if getattr(self, "rng", 0) is None else self

    def __call__(self, x: Contrast, level: float) -> Outcome:
        """Return the interval of a contrast at a level."""
        raise NotImplementedError


M = TypeVar("M", bound=Method)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def method_class(cls: type[M]) -> type[M]:
    """Make a class of methods of a class with annotated options."""
    return dataclass(frozen=True, kw_only=True, repr=False)(cls)


@method_class
class Resampling(Method):
    """What methods that draw resamples share.

    Attributes
    ----------
    n_resamples : int, optional
        Number of resamples. Default: as many as the level needs.
    rng : Generator, seed or None
        The same seed gives the same result. With None a seed is drawn, and recorded in the result.
    n_jobs : int
        Threads; the result does not depend on it.
    """

    n_resamples: int | None = None
    rng: RNG = None
    n_jobs: int = field(default=1, compare=False)

    @property
    def guarantee(self) -> Guarantee:
        """What the level rests on."""
        return "bootstrap"


@functools.cache
def _hints(cls: Any) -> dict[str, Any]:
    """The types of the options of a class, by which they are checked."""
    found = get_type_hints(cls)
    return {f.name: found[f.name] for f in fields(cls)}


def _check_option(name: str, value: Any, hint: Any) -> None:
    """Check what a type states in full: words, flags, and the settings of resampling."""
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
    """A function that offers methods.

    Attributes
    ----------
    name : str
        Of the function.
    title : str
        What a table or a page calls what it computes.
    statistic, ability : str
        Key of the register.
    default : str
        Name of the default method.
    listed : bool
        Whether methods for any statistic are among its own.
    kind : str
        What it makes of the methods' own kind: a comparison is simultaneous.
    papers : tuple of str
        Papers behind all its methods.
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
        """The classes of methods by name, the default first."""
        found = dict(REGISTER.get((self.statistic, self.ability), {}))
        if self.listed:
            found = REGISTER.get((ANY, self.ability), {}) | found
        return {self.default: found.pop(self.default), **found}

    @property
    def methods(self) -> Mapping[str, Method]:
        """The methods by name, each with the defaults of its options."""
        return {name: cls() for name, cls in self.classes.items()}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all methods, the default first."""
        return tuple(self.classes)

    @property
    def options(self) -> tuple[str, ...]:
        """The names of all options that some method has."""
        return tuple(dict.fromkeys(f.name for cls in self.classes.values() for f in fields(cls)))

    def kind_of(self, method: str) -> Kind:
        """Return whether the results of a method, by name, are pointwise or simultaneous."""
        return "simultaneous" if self.kind == "simultaneous" else self.methods[method].kind

    def papers_of(self, method: str) -> tuple[str, ...]:
        """Return the papers behind a method, by name, and behind what the function does with it."""
        return tuple(dict.fromkeys((*self.methods[method].papers, *self.papers)))

    @property
    def described(self) -> dict[str, str]:
        """What the docstrings of the classes state of each option: its type, then sentences."""
        owners = [owner for cls in self.classes.values() for owner in cls.__mro__]
        return {name: text for owner in reversed(owners) for name, text in documented(owner).items()}

    def taken(self, method: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return those of the options given, by name, that a method has."""
        own = {f.name for f in fields(self.classes[method])}
        return {name: value for name, value in given.items() if name in own}

    def chosen(
        self, method: str | Method | None, options: Mapping[str, Any], front: Callable[..., Any] | None = None
    ) -> Any:
        """Return the method object that a name, or an object, and options stand for, with a seed.

        Parameters
        ----------
        method : str, Method or None
            None is the default.
        options : mapping
            Options by name, as given by the caller. None stands for a default.
        front : callable, optional
            The function that was called, for the error about a keyword that no method has.

        Raises
        ------
        ArgumentError
            For an unknown method, or an option that this one does not have.
        TypeError
            For a keyword that neither the function nor any method has.
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
            if option in own or option in SETTINGS:
                continue
            takers = [other for other, c in self.classes.items() if option in {f.name for f in fields(c)}]
            if not takers:
                self._unknown(option, front)
            if value is not None:
                rule = f"be left out with method {name!r}"
                remedy = f"Leave it out, or use {' or '.join(map(repr, takers))}."
                raise ArgumentError(option, rule, value, remedy)
        for setting in SETTINGS:
            if setting in options and setting not in own:
                _check_option(setting, options[setting], None)
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


METHOD_OBJECT = "Set it when you make the object, or pass the method by its name."

FAMILIES: dict[str, Family] = {}
"""Every function that offers methods, by name; each enters itself when its module is imported."""


def keywords_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of the keyword-only arguments of a function, options of its methods included."""
    named = inspect.signature(function).parameters.values()
    own = [p.name for p in named if p.kind is p.KEYWORD_ONLY]
    entry = FAMILIES.get(function.__name__)
    if entry is None or all(p.kind is not p.VAR_KEYWORD for p in named):
        return tuple(own)
    return tuple(dict.fromkeys([*own, *entry.options, *SETTINGS]))


def family(name: str, title: str, serves: tuple[str, Ability], default: str, **more: Any) -> Family:
    """Enter a function that offers methods, and return its entry."""
    entry = FAMILIES[name] = Family(name, title, *serves, default, **more)
    return entry


def lists_methods(*entries: Family) -> Callable[[F], F]:
    """Put the list of methods and the descriptions of their options into a docstring.

    `{methods}` in the docstring becomes one entry a method, its name and summary; `{options}` one entry an
    option, with the methods that have it. The second and further entries stand for `{methods_2}`, ….
    """

    def fill(function: F) -> F:
        if function.__doc__ is None:
            return function
        for place, entry in enumerate(entries, 1):
            suffix = "" if place == 1 else f"_{place}"
            text = function.__doc__.replace(f"{{methods{suffix}}}", _method_list(entry))
            function.__doc__ = text.replace(f"{{options{suffix}}}", _option_list(entry, function))
        return function

    return fill


def _method_list(entry: Family) -> str:
    lines = []
    for name, method in entry.methods.items():
        claims = "" if method.guarantee == "asymptotic" else f" Guarantee: {method.guarantee}."
        mark = " (default)" if name == entry.default and len(entry.classes) > 1 else ""
        text = f"{method.summary} {method.caution}".strip()
        lines += [f"{name} :{mark} {text}{claims}"]
    return wrapped(lines, 8)


def _option_list(entry: Family, function: Callable[..., Any]) -> str:
    described = entry.described
    lines = []
    for option in (o for o in entry.options if o not in inspect.signature(function).parameters):
        users = [name for name, cls in entry.classes.items() if option in {f.name for f in fields(cls)}]
        whose = "" if len(users) == len(entry.classes) else f" For {', '.join(map(repr, users))}."
        lines += [f"{option} : {described.get(option, '')}{whose}"]
    return wrapped(lines, 4)
