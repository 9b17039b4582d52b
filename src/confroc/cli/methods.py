"""Options generated from the fields of method classes, and which function of a command accepts them."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import click
from click.core import ParameterSource

from confroc.base import ANY, FAMILIES, SETTINGS, Family, Statistic, keywords_of
from confroc.cli.group import MethodOption
from confroc.cli.options import Decorator, choice, jobs_option, seed_option, together, value
from confroc.inference import family_of

SHORT = {"n_resamples": ("-n",)}
"""Short forms of options."""
SENTENCE = re.compile(r".*?[^.]{2}\.(?= [A-Z\"]|$)")
"""The first sentence of a text; "e.g." ends none."""
ANY_STATISTIC = Family("interval", "Any statistic", ANY, "interval", "logit")
"""Methods of `interval`, `difference` and `comparison` for every statistic."""


def method_options(
    *functions: Callable[..., Any],
    more: Sequence[Family] = (),
    help: str = "Interval method.",
    default: str | None = None,
) -> Decorator:
    """Add `--method` with the methods of some functions, and an option for each field of their classes.

    The command itself adds options that are arguments of a function.
    """
    entries = [FAMILIES[f.__name__] for f in functions if f.__name__ in FAMILIES] + [*more]
    names = dict.fromkeys(name for entry in entries for name in entry.names)
    own = {name for function in functions for name in inspect.signature(function).parameters}
    options = dict.fromkeys(name for entry in entries for name in entry.options if name not in own)
    settings = {"rng": seed_option, "n_jobs": jobs_option}
    return together(
        choice("-m --method", names, help, default=default),
        *(_option(name, entries) for name in options if name not in SETTINGS),
        *(option for name, option in settings.items() if name in options),
    )


def _option(name: str, entries: Sequence[Family]) -> Decorator:
    """Make the option for a field; the help is the first sentence of its documentation, and the default."""
    classes = [pair for entry in entries for pair in entry.classes.items()]
    users = [(key, cls) for key, cls in classes if name in cls.__dataclass_fields__]
    cls = users[0][1]
    default = cls.__dataclass_fields__[name].default
    text = next(entry.described[name] for entry in entries if name in entry.options).partition(". ")[2]
    first, stated = SENTENCE.match(text), re.search(r"Default: .*", text)
    words = [first[0]] if first else []
    if default is not None:
        shown = str(default).lower() if isinstance(default, bool) else default
        words.append(f"Default: {shown}.")
    elif stated:
        words.append(stated[0])
    if len(users) < len(classes):
        words.append(f"For {', '.join(dict(users))}.")
    flag, more = f"--{name.replace('_', '-')}", _type(get_type_hints(cls)[name])
    if more["type"] is bool:
        flag = f"{flag}/--no-{flag.removeprefix('--')}"
    shorts, text = SHORT.get(name, ()), " ".join(words)
    return click.option(*shorts, flag, default=None, help=text, cls=MethodOption, **more)


def _type(hint: Any) -> dict[str, Any]:
    """Return the click type of an option for a field of this type; None means that it was not given."""
    parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    kinds = [part for part in parts if part is not NoneType]
    words = [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
    if kinds in ([bool], [int], [float]):
        return {"type": kinds[0]}
    if len(kinds) > 1 or not (words or get_origin(kinds[0]) is tuple):
        return {"type": value}
    return {"type": click.Choice(words)} if words else {"type": int, "nargs": 2, "metavar": "POS NEG"}


def split(options: Mapping[str, Any], functions: Sequence[Callable[..., Any]]) -> list[dict[str, Any]]:
    """Return the options of each of a command's functions.

    An option is passed to every function that accepts it with its method. If there is none, it is passed to
    the first function that has the option with another method, whose error then explains why.
    """
    context = click.get_current_context()
    parts: list[dict[str, Any]] = [{} for _ in functions]
    for name, given in options.items():
        if not any(name in _known(function) for function in functions):
            if context.get_parameter_source(name) is ParameterSource.DEFAULT:
                continue
            names = " or ".join(function.__name__ for function in functions)
            flag = next(max(p.opts, key=len) for p in context.command.params if p.name == name)
            raise click.UsageError(f"{names} has no option {flag}.")
        knows = [(f, part) for f, part in zip(functions, parts, strict=True) if name in _known(f)]
        users = [part for function, part in knows if accepts(function, name, options)]
        for part in users or [part for _, part in knows[:1]]:
            part[name] = given
    return parts


def accepted(function: Callable[..., Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that a function accepts."""
    return {name: given for name, given in options.items() if accepts(function, name, options)}


def of_statistic(function: Callable[..., Any], statistic: Statistic, ability: str) -> Callable[..., Any]:
    """Return `interval`, `difference` or `comparison` of a statistic as a function of the table."""

    @functools.wraps(function)
    def call(table: Any, *, statistic: Any = statistic, **options: Any) -> Any:
        return function(table, statistic, **options)

    call.family = family_of(statistic, ability)  # type: ignore[attr-defined]
    return call


def _family(function: Callable[..., Any]) -> Family | None:
    return getattr(function, "family", FAMILIES.get(function.__name__))


def _known(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return all keyword arguments of a function, including the options of its methods."""
    entry = getattr(function, "family", None)
    return keywords_of(function) + (() if entry is None else (*entry.options, *SETTINGS))


def accepts(function: Callable[..., Any], option: str, options: Mapping[str, Any]) -> bool:
    """Whether a function accepts an option with the method in the options, or with its default method."""
    entry, method = _family(function), options.get("method")
    if entry is None or option in SETTINGS:
        return option in _known(function)
    if option == "method":
        return method in entry.names
    if option in inspect.signature(function).parameters:
        return True
    return option in entry.taken(method if method in entry.names else entry.default, options)
