"""The `schema` and `completion` commands.

The JSON Schema is generated from the types of the result classes that the functions of a command return.
"""

from __future__ import annotations

import dataclasses
import inspect
import types
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import click
import numpy as np

import confroc
from confroc._files import json_text
from confroc.auditing import audit
from confroc.base import Method
from confroc.cli import options as opt
from confroc.cli.group import Command
from confroc.cli.output import SCHEMA, About, Output
from confroc.scores import CountTable, Scores

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    # NaN and infinities are null.
    float: {"type": ["number", "null"]},
    type(None): {"type": "null"},
    Method: {"type": "string"},
    Any: {},
}
KINDS = {"b": bool, "i": int, "u": int, "f": float, "U": str}
SIDES = {side: {"description": "A score column.", "type": "string"} for side in ("a", "b")}
SHELLS = ("bash", "zsh", "fish")


class Schemas:
    """Schemas of types; `named` contains those of classes."""

    def __init__(self) -> None:
        self.named: dict[str, Any] = {}

    def of(self, kind: Any) -> dict[str, Any]:
        """Return the schema of the type of a result's field."""
        # A table is serialized as its columns.
        kind = CountTable if kind is Scores else kind
        origin, parts = get_origin(kind), get_args(kind)
        if kind in PLAIN:
            return PLAIN[kind]
        if origin is Literal:
            return {"enum": list(parts)}
        if origin in (Union, types.UnionType):
            return {"anyOf": [self.of(part) for part in parts]}
        if origin is np.ndarray:
            (item,) = get_args(parts[1])
            return {
                "type": "array",
                "items": self.of(float | str if item is Any else KINDS[np.dtype(item).kind]),
            }
        if origin is tuple and parts[-1] is not Ellipsis:
            length = {"minItems": len(parts), "maxItems": len(parts)}
            return {"type": "array", "prefixItems": [self.of(part) for part in parts], **length}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(parts[1])}
        if isinstance(origin, type) and issubclass(origin, Sequence):
            return {"type": "array", "items": self.of(parts[0])}
        if kind.__name__ not in self.named:
            self.named[kind.__name__] = self._of_class(kind)
        return {"$ref": f"#/$defs/{kind.__name__}"}

    def _of_class(self, kind: Any) -> dict[str, Any]:
        """Return the schema of a dataclass, a named tuple or a typed dictionary."""
        hints, defaults = get_type_hints(kind), {}
        if dataclasses.is_dataclass(kind):
            defaults = {field.name: field.default for field in dataclasses.fields(kind)}
        made = {name: self.of(hints[name]) for name in defaults or kind.__annotations__}
        # Results omit fields that are None.
        other = {name: made.pop(name) for name, default in defaults.items() if default is None}
        if "method" in made:
            other["options"] = {"type": "object"}
        return {"description": str(kind.__doc__).partition("\n")[0], **keys(made, other)}

    def returned(self, name: str) -> dict[str, Any]:
        """Return the schema of a function's results: by model, by pair of models, or a single result."""
        homes = (module for module in (confroc, confroc.points, confroc.sklearn) if name in module.__all__)
        function = audit if name == "audit" else getattr(next(homes), name)
        data = next(iter(inspect.signature(function).parameters.values()))
        result = get_type_hints(inspect.unwrap(function))["return"]
        if isinstance(result, types.UnionType):
            # On the command line statistics are numbers, so the first type applies.
            result = get_args(result)[0]
        made = self.of(result)
        if data.name in ("pair", "a"):
            one = self.named[result.__name__]
            pair = {"required": [*SIDES, *one["required"]], "properties": SIDES | one["properties"]}
            return {"type": "array", "items": one | pair}
        several = str(data.annotation).startswith(("Scores", "CrossValidated"))
        return {"type": "object", "additionalProperties": made} if several else made

    def of_output(self, name: str, made: Command) -> dict[str, Any]:
        """Return the schema of a command's output."""
        always, other = dict(made.gives), dict(made.may_give)
        named = {parameter.name: parameter for parameter in made.params}
        if "source" in named:
            (always if named["source"].required else other)["data"] = About
        if "against" in named:
            other["against"] = About
        head = {
            "schema": {"const": SCHEMA},
            "command": {"const": name},
            "version": {"type": "string"},
            "notes": {"type": "array", "items": {"type": "string"}},
        }
        found, more = (
            {key: self.returned(key) if kind is None else self.of(kind) for key, kind in part.items()}
            for part in (always, other)
        )
        return keys(head | found, more)


def keys(always: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with required and optional keys and no others."""
    return {
        "type": "object",
        "required": list(always),
        "properties": {**always, **other},
        "additionalProperties": False,
    }


def schema_of(commands: Mapping[str, Command]) -> dict[str, Any]:
    """Return the schema of the output of some commands."""
    schemas = Schemas()
    outputs = [schemas.of_output(name, made) for name, made in commands.items()]
    title = f"confroc {next(iter(commands))} --json" if len(commands) == 1 else "Output of confroc --json"
    whole = outputs[0] if len(outputs) == 1 else {"oneOf": outputs}
    return {"$schema": DIALECT, "title": title, **whole, "$defs": dict(sorted(schemas.named.items()))}


@opt.command("schema", "auc")
@click.argument("name", metavar="[COMMAND]", required=False)
def schema(out: Output, *, name: str | None = None) -> None:
    """Print the JSON Schema (draft 2020-12) of the output of --json, for all commands or for one."""
    root = click.get_current_context().find_root()
    group: Any = root.command
    made = {each: group.get_command(root, each) for each in group.list_commands(root)}
    commands = {each: found for each, found in made.items() if found.gives or found.may_give}
    if name is not None and name not in commands:
        raise click.UsageError(f"{name!r} is not one of {', '.join(commands)}.")
    out.line(json_text(schema_of({name: commands[name]} if name else commands)))


@opt.command("completion", "bash")
@click.argument("shell", metavar="SHELL", type=click.Choice(SHELLS))
def completion(out: Output, *, shell: str) -> None:
    """Print a script for shell completion of commands, options, methods and column names.

    \b
    bash: add to ~/.bashrc   eval "$(confroc completion bash)"
    zsh:  add to ~/.zshrc    eval "$(confroc completion zsh)"
    fish: confroc completion fish > ~/.config/fish/completions/confroc.fish
    """  # noqa: D301
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    root = click.get_current_context().find_root().command
    out.line(found(root, {}, "confroc", "_CONFROC_COMPLETE").source())
