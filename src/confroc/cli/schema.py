"""The `schema` command."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any

import click

from confroc._files import json_text
from confroc.cli.group import Named
from confroc.cli.options import command

FILE = "confroc-1.json"
DESCRIBED = ("auc", "roc", "band", "compare", "cost", "forecast", "power", "counts", "report", "lab audit")


def load() -> dict[str, Any]:
    """Return the whole schema."""
    text = files("confroc").joinpath("schema", FILE).read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def only(whole: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the schema of one command's output, with the definitions it needs."""
    key = name.replace(" ", "_")
    needed, waiting = {}, [key]
    while waiting:
        current = waiting.pop()
        if current not in needed:
            needed[current] = whole["$defs"][current]
            waiting += re.findall(r'"#/\$defs/(\w+)"', json.dumps(needed[current]))
    return {
        "$schema": whole["$schema"],
        "title": f"confroc {name} --json",
        "$ref": f"#/$defs/{key}",
        "$defs": {k: v for k, v in whole["$defs"].items() if k in needed},
    }


@command("auc")
@click.argument("name", metavar="[COMMAND]", required=False, type=Named(DESCRIBED))
def schema(name: str | None) -> None:
    """Print the JSON Schema (draft 2020-12) of what --json prints, for all commands or for one."""
    whole = load()
    click.echo(json_text(whole if name is None else only(whole, name)))
