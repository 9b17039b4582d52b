"""A progress bar with the time left, for terminals and notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from confroc.lab.study import Progress


@contextmanager
def progress_bar(name: str) -> Iterator[Progress]:
    """Show how far `run_study` or `audit` is.

    Parameters
    ----------
    name : str
        What the bar is called.

    Yields
    ------
    callable
        To be passed as `progress`. The bar stands on the error stream and goes when done; it is not drawn
        where that is neither a terminal nor a notebook. Notebooks need the package ipywidgets.

    Examples
    --------
    >>> from confroc.lab import progress_bar
    >>> with progress_bar("study") as progress:
    ...     progress(1, 2)
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    shown = console.is_terminal or console.is_jupyter
    with Bar(*columns, console=console, transient=True, disable=not shown) as bar:
        task = bar.add_task(name, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
