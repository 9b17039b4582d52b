"""What the `lab` commands share at the terminal: tables, errors in one sentence, Dask."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

OPTIONS = {
    "out": "--out",
    "path": "PATH",
    "folder": "DIR",
    "experiment": "--experiment",
    "source": "FILE",
    "label": "--label",
    "score": "--score",
    "pos_label": "--pos-label",
    "size": "--size",
    "confidence_level": "--confidence-level",
}
"""What the library's arguments are called here."""


@contextmanager
def told_plainly() -> Iterator[None]:
    """Turn errors about data, names and folders into one sentence and exit code 1."""
    try:
        yield
    except (ValueError, OSError, ImportError) as error:
        message = re.sub(r"`(\w+)`", lambda found: f"`{OPTIONS.get(found[1], found[1])}`", str(error))
        message = re.sub(r"pos_label='?([\w.-]+)'?", r"--pos-label \1", message)
        click.echo(f"confroc: {message}", err=True)
        sys.exit(1)


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *, words: int = 1) -> None:
    """Print a table; the first `words` columns are words, the others numbers."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    made = Table(title=Text(title))
    for number, column in enumerate(columns):
        made.add_column(Text(column), justify="left" if number < words else "right", overflow="fold")
    for row in rows:
        made.add_row(*(Text(str(value)) for value in row))
    Console(width=None if sys.stdout.isatty() else 150).print(made)


@contextmanager
def workers(address: str | None, files: Sequence[Path]) -> Iterator[None]:
    """Send joblib's work to a Dask cluster when an address is given, with the modules beside these files."""
    if address is None:
        yield
        return
    try:
        import distributed
    except ImportError:
        raise ImportError("`--dask` needs the package distributed. Run `pip install distributed`.") from None
    import joblib

    client: Any = distributed.Client
    folders = {file.resolve().parent for file in files}
    loaded = {Path(str(getattr(module, "__file__", None))) for module in list(sys.modules.values())}
    with contextlib.closing(client(address)) as cluster, joblib.parallel_config("dask"):
        for path in sorted(path for path in loaded if path.parent in folders):
            cluster.upload_file(str(path), load=False)
        yield
