"""Commands about the command line: `schema` describes the output of `--json`, `completion` is for shells.

The schema is made from the types of the results: each command lists the results in its JSON, and the fields
of a result's class have types.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import click
import numpy as np

from confroc._files import json_text
from confroc.cli import options as opt
from confroc.cli.group import Command
from confroc.cli.output import SCHEMA, About, Output

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    # NaN and infinities are null.
    float: {"type": ["number", "null"]},
    type(None): {"type": "null"},
    Any: {},
}
KINDS = {"b": bool, "i": int, "u": int, "f": float, "U": str}
SHELLS = ("bash", "zsh", "fish")


class Schemas:
    """Schemas of types; those of classes are kept under their names in `named`."""

    def __init__(self) -> None:
        self.named: dict[str, Any] = {}

    def of(self, kind: Any) -> dict[str, Any]:
        """Return the schema of a type, as results hold it."""
        origin, parts = get_origin(kind), get_args(kind)
        if kind in PLAIN:
            return PLAIN[kind]
        if origin is Literal:
            return {"enum": list(parts)}
        if origin in (Union, types.UnionType):
            return {"anyOf": [self.of(part) for part in parts]}
        if origin is np.ndarray:
            (item,) = get_args(parts[1])
            # Numbers, or names.
            kinds = float | str if item is Any else KINDS[np.dtype(item).kind]
            return {"type": "array", "items": self.of(kinds)}
        if origin is tuple and parts[-1] is not Ellipsis:
            length = {"minItems": len(parts), "maxItems": len(parts)}
            return {"type": "array", "prefixItems": [self.of(part) for part in parts], **length}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(parts[1])}
        if isinstance(origin, type) and issubclass(origin, Sequence):
            return {"type": "array", "items": self.of(parts[0])}
        return self._of_class(kind)

    def _of_class(self, kind: Any) -> dict[str, Any]:
        """Return a reference to the schema of a dataclass, a named tuple or a typed dictionary."""
        if kind.__name__ not in self.named:
            hints = get_type_hints(kind)
            held = (
                [f.name for f in dataclasses.fields(kind)]
                if dataclasses.is_dataclass(kind)
                else kind.__annotations__
            )
            self.named[kind.__name__] = {
                "description": str(kind.__doc__).partition("\n")[0],
                **keys({name: self.of(hints[name]) for name in held}),
            }
        return {"$ref": f"#/$defs/{kind.__name__}"}

    def _entry(self, kind: Any) -> dict[str, Any]:
        """Return the schema of one key of an output; a list of results has one entry for each pair."""
        if get_origin(kind) is not list or not dataclasses.is_dataclass(get_args(kind)[0]):
            return self.of(kind)
        (result,) = get_args(kind)
        self.of(result)
        names = {side: {"description": "A score column.", **PLAIN[str]} for side in ("a", "b")}
        return {"type": "array", "items": keys(names | self.named[result.__name__]["properties"])}

    def of_output(self, name: str, made: Command) -> dict[str, Any]:
        """Return the schema of what a command prints."""
        always, other = dict(made.gives or {}), dict(made.may_give)
        for parameter in made.params:
            if parameter.name == "source":
                (always if parameter.required else other)["data"] = About
        head = {
            "schema": {"const": SCHEMA},
            "command": {"const": name},
            "version": {"type": "string"},
            "notes": {"type": "array", "items": {"type": "string"}},
        }
        return keys(
            head | {key: self._entry(kind) for key, kind in always.items()},
            {key: self._entry(kind) for key, kind in other.items()},
        )


def keys(always: Mapping[str, Any], other: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the schema of an object with these keys and no others."""
    return {
        "type": "object",
        "required": list(always),
        "properties": {**always, **(other or {})},
        "additionalProperties": False,
    }


def described(group: click.Group) -> dict[str, Command]:
    """Return every command that prints JSON, by its name."""
    context = click.Context(group)
    found = {name: group.get_command(context, name) for name in group.list_commands(context)}
    return {
        name: made for name, made in found.items() if isinstance(made, Command) and made.gives is not None
    }


def schema_of(commands: Mapping[str, Command]) -> dict[str, Any]:
    """Return the schema of what these commands print."""
    schemas = Schemas()
    outputs = [schemas.of_output(name, made) for name, made in commands.items()]
    title = f"confroc {next(iter(commands))} --json" if len(commands) == 1 else "Output of confroc --json"
    whole = outputs[0] if len(outputs) == 1 else {"oneOf": outputs}
    return {"$schema": DIALECT, "title": title, **whole, "$defs": dict(sorted(schemas.named.items()))}


@opt.command("schema", "auc")
@click.argument("name", metavar="[COMMAND]", required=False)
def schema(out: Output, *, name: str | None = None) -> None:
    """Print the JSON Schema (draft 2020-12) of the output of --json, for all commands or for one."""
    root = click.get_current_context().find_root().command
    assert isinstance(root, click.Group)
    commands = described(root)
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
