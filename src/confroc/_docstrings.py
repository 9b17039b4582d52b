"""Reading and writing the sections of docstrings."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterable


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
