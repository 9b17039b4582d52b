"""Write src/confroc/_options.py: the options of each function's methods as types, made from the classes.

`python tests/typed_options.py` writes the file; `tests/test_methods.py` checks that it is up to date.
"""

from __future__ import annotations

import functools
import inspect
import operator
import subprocess
import sys
import types
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

import confroc
import confroc.bands
from confroc import methods
from confroc.base import SETTINGS, Family

FILE = Path(__file__).resolve().parents[1] / "src" / "confroc" / "_options.py"
LONG = 70
"""Length of a type that gets a name."""
HEAD = '''"""The options of the methods of each function, as types for `**options`; None stands for a default.

Made from the classes of the methods by `python tests/typed_options.py`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

import numpy as np


class Settings(TypedDict, total=False):
    """How a computation runs: every method accepts these, and uses them if it resamples."""

    rng: np.random.Generator | np.random.SeedSequence | int | None
    n_jobs: int
'''


def text(hint: Any) -> str:
    """Return a type as it is written."""
    if hint is type(None):
        return "None"
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return f"Literal[{', '.join(map(_quoted, args))}]"
    if origin in (Union, types.UnionType):
        return " | ".join(dict.fromkeys(text(arg) for arg in args))
    if origin is tuple:
        return f"tuple[{', '.join('...' if arg is Ellipsis else text(arg) for arg in args)}]"
    if hint in (np.random.Generator, np.random.SeedSequence):
        return f"np.random.{hint.__name__}"
    return "object" if hint is Any or origin is not None or hint.__module__ != "builtins" else hint.__name__


def _quoted(word: object) -> str:
    return f'"{word}"' if isinstance(word, str) else repr(word)


def options_of(family: Family) -> dict[str, str]:
    """Return the types of the options of all methods of a function."""
    found: dict[str, list[Any]] = {}
    for cls in family.classes.values():
        if not cls.__module__.startswith("confroc."):
            continue
        hints = get_type_hints(cls)
        for name in cls().options:
            found.setdefault(name, []).append(hints[name])
    named = inspect.signature(front(family.name)).parameters
    return {
        name: text(functools.reduce(operator.or_, [*hints, None]))
        for name, hints in found.items()
        if name not in named and name not in SETTINGS
    }


def front(name: str) -> Any:
    """Return a function by its name."""
    return getattr(confroc, name, None) or getattr(confroc.bands, name)


def class_name(function: str) -> str:
    """Return the name of the type of a function's options."""
    return "".join(part.capitalize() for part in function.split("_")) + "Options"


def source() -> str:
    """Return the text of the file."""
    parts, written, long = [HEAD], {"Settings": dict[str, str]()}, dict[str, str]()
    for function, family in sorted(methods.FAMILIES.items()):
        if inspect.signature(front(function)).parameters.get("options") is None:
            continue
        options = options_of(family)
        for name, hint in options.items():
            if len(hint) > LONG:
                options[name] = long.setdefault(hint, name.capitalize())
        # The largest type before that has no other options.
        base = max(
            (b for b, own in written.items() if own.items() <= options.items()), key=lambda b: len(written[b])
        )
        own_settings = "rng" in inspect.signature(front(function)).parameters
        base = "TypedDict" if own_settings else base
        lines = [f"class {class_name(function)}({base}, total=False):"]
        lines += [f'    """Options of the methods of `{function}`."""', ""]
        inherited = written.get(base, {})
        lines += [f"    {name}: {hint}" for name, hint in sorted(options.items()) if name not in inherited]
        parts.append("\n".join(lines))
        if not own_settings:
            written[class_name(function)] = options
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(FILE), "-"]
    parts[0] += "\n\n" + "".join(f"{name}: TypeAlias = {hint}\n" for hint, name in long.items())
    whole = "\n\n\n".join(parts) + "\n"
    return subprocess.run(command, input=whole, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    FILE.write_text(source(), encoding="utf-8")
