"""Reading and writing the sections of docstrings."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Container, Iterable
from typing import Any


@functools.cache
def documented(cls: type) -> dict[str, str]:
    """The options that the docstring of a class describes under "Attributes"."""
    found: dict[str, list[str]] = {}
    doc = inspect.cleandoc(vars(cls).get("__doc__") or "")
    _, _, section = doc.partition("Attributes\n----------\n")
    current: list[str] = []
    for line in section.split("\n\n")[0].splitlines():
        if line and not line.startswith(" "):
            name, _, kind = line.partition(" : ")
            current = found.setdefault(name, [f"{kind}."] if kind else [])
        else:
            current.append(line.strip())
    return {name: " ".join(text) for name, text in found.items()}


def wrapped(lines: Iterable[str], indent: int) -> str:
    """Entries of a definition list, wrapped, without the indent of the first line."""
    import textwrap

    pad = " " * indent
    wrapped = (textwrap.fill(line, 110, initial_indent=pad, subsequent_indent=f"{pad}    ") for line in lines)
    return "\n".join(wrapped).strip()


def method_list(entry: Any) -> str:
    """Entries of the methods of a `Family`."""
    lines = []
    for name, method in entry.methods.items():
        claims = "" if method.guarantee == "asymptotic" else f" Guarantee: {method.guarantee}."
        mark = " (default)" if name == entry.default and len(entry.classes) > 1 else ""
        text = f"{method.summary} {method.caution}".strip()
        lines += [f"{name} :{mark} {text}{claims}"]
    return wrapped(lines, 8)


def option_list(entry: Any, parameters: Container[str]) -> str:
    """Entries of the options of a `Family`, except those that are parameters of the function."""
    lines, described = [], entry.described
    for option in (o for o in entry.options if o not in parameters):
        users = entry.with_option(option)
        whose = "" if len(users) == len(entry.classes) else f" For {', '.join(map(repr, users))}."
        lines += [f"{option} : {described.get(option, '')}{whose}"]
    return wrapped(lines, 4)
