"""Where the cases come from: a path, a pattern, SQL, or standard input."""

from __future__ import annotations

import dataclasses
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from confroc.cli.group import nearest
from confroc.cli.output import Output

if TYPE_CHECKING:
    from confroc.ingest import Cases
    from confroc.scores import NanPolicy

STANDARD_INPUT = "-"
SHOWN = "standard input"
KINDS = {b"PAR1": ".parquet", b"ARROW1": ".arrow", b"\x1f\x8b": ".csv.gz"}
"""How the first bytes tell what is piped; anything else is CSV."""
CHUNK = 2**20


@dataclass(frozen=True, kw_only=True)
class Data:
    """The options that say which data to read, and at which level to speak."""

    source: str
    label: str
    scores: tuple[str, ...]
    pos_label: str | None
    nan_policy: NanPolicy
    resolution: int | None
    confidence_level: float

    def read(self, out: Output, *, pairs: bool = False, source: str | None = None) -> Cases:
        """Read the cases; see `confroc.ingest.read_cases`."""
        from confroc.ingest import read_cases

        chosen = self.source if source is None else source
        out.doing(f"reading {chosen} ...")
        with opened(chosen, out) as path:
            cases = read_cases(
                path,
                label=self.label,
                scores=self.scores,
                pos_label=self.pos_label,
                nan_policy=self.nan_policy,
                resolution=self.resolution,
                pairs=pairs and len(self.scores) > 1,
            )
        return dataclasses.replace(cases, source=SHOWN) if chosen == STANDARD_INPUT else cases


@contextmanager
def opened(source: str, out: Output) -> Iterator[str]:
    """Give a path or SQL that `read_cases` takes; standard input is kept in a file for so long."""
    with ExitStack() as stack:
        path = source
        if source == STANDARD_INPUT:
            path = _spooled(stack, out)
        try:
            yield path
        except FileNotFoundError as error:
            raise FileNotFoundError(f"{error}{_neighbour(path)}") from None


def _spooled(stack: ExitStack, out: Output) -> str:
    if sys.stdin.isatty():
        out.still()
        click.echo("reading standard input; end it with Ctrl-D", err=True)
    stream = sys.stdin.buffer
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="confroc-"))
    first = stream.read(CHUNK)
    ending = next((e for magic, e in KINDS.items() if first.startswith(magic)), ".csv")
    path = Path(folder) / f"standard-input{ending}"
    with path.open("wb") as file:
        while first:
            file.write(first)
            first = stream.read(CHUNK)
    out.say_instead(lambda message: message.replace(str(path), SHOWN))
    return str(path)


def _neighbour(source: str) -> str:
    """Suggest a file of a similar name in the same folder."""
    path = Path(source)
    if not path.parent.is_dir():
        return ""
    hint = nearest(path.name, [p.name for p in path.parent.iterdir() if p.is_file()]).strip()
    return f" {hint}" if hint else ""
