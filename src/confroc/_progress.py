"""How much of long work is done: loops report it, and `progress_bar` shows it on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from datetime import timedelta
from typing import Any, TypeAlias, TypeVar

Item = TypeVar("Item")
Report: TypeAlias = Callable[[float], object]
"""Called with how much more is done."""

DELAY = 0.5
"""Seconds after which work is shown."""
EVERY = 10.0
"""Seconds from one line of a log to the next."""
SHOWN: ContextVar[Any] = ContextVar("SHOWN", default=None)
"""What shows the work, if anything; a thread of a pool has its own, which is nothing."""


class Reported:
    """Reports work to what shows it, if anything; a copy in another process reports nothing."""

    def __init__(self, bars: Any = None, task: Any = None) -> None:
        self.bars, self.task = bars, task

    def __call__(self, more: float = 1) -> None:
        if self.bars is not None:
            self.bars.advance(self.task, more)

    def __reduce__(self) -> Any:
        return Reported, ()


@contextmanager
def work(what: str, total: float | None = None, poll: Callable[[], float] | None = None) -> Iterator[Report]:
    """Begin work of so many parts; what is yielded is called with how many more are done.

    Where a program of others works, `poll` is called, on another thread, for how many are done.
    """
    bars = SHOWN.get()
    task = None if bars is None else bars.add_task(what, total=total, poll=poll)
    try:
        yield Reported(bars, task)
    finally:
        if bars is not None:
            bars.remove_task(task)


def steps(items: Collection[Item], what: str) -> Iterator[Item]:
    """Go through items, and report each when it is done."""
    with work(what, len(items)) as report:
        for item in items:
            yield item
            report(1)


@contextmanager
def progress_bar(
    what: str = "confroc", total: float | None = None, *, shown: bool = True
) -> Iterator[Report]:
    """Show the progress of the computations in a `with` block, and the time left.

    Parameters
    ----------
    what : str
        Title of the first line.
    total : float, optional
        Total amount of work, if the block reports it.
    shown : bool

    Yields
    ------
    callable
        Call it with the amount of work done since the last call. Resamples, samples of an audit and sections
        of a report are counted without it. Lines appear after half a second on the error stream, on terminals
        and in notebooks (which need the package ipywidgets), and are removed at the end. In a log a line with
        the counts is added every ten seconds.

    See Also
    --------
    roc_band, audit, report : Computations that may take minutes.

    Examples
    --------
    >>> from confroc import Scores, progress_bar, tpr_at_fpr
    >>> scores = Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])
    >>> with progress_bar("bootstrap"):
    ...     found = tpr_at_fpr(scores, fpr=0.5, method="smoothed_bootstrap", rng=0)
    """
    if not shown:
        yield Reported()
        return
    # Importing rich takes longer than a small computation.
    drawn = sys.stderr.isatty() or "ipykernel" in sys.modules
    with _bars() if drawn else nullcontext(LogLines()) as bars:
        token = SHOWN.set(bars)
        try:
            with work(what, total) as report:
                yield report
        finally:
            SHOWN.reset(token)


class LogLines:
    """Lines of a log: the counts of all work in progress, at most every `EVERY` seconds."""

    def __init__(self) -> None:
        self.tasks: list[list[Any]] = []
        self.due = time.monotonic() + EVERY

    def add_task(self, what: str, *, total: float | None, **_poll: object) -> list[Any]:
        """Begin work; return what `advance` and `remove_task` accept."""
        self.tasks.append([what, 0, total])
        return self.tasks[-1]

    def advance(self, task: list[Any], more: float) -> None:
        """Count what is done, and write a line if one is due."""
        task[1] += more
        if time.monotonic() >= self.due:
            counts = [f"{what} {done:,.0f} of {total:,.0f}" for what, done, total in self.tasks if total]
            print(", ".join(counts), file=sys.stderr, flush=True)
            self.due = time.monotonic() + EVERY

    def remove_task(self, task: list[Any]) -> None:
        """End work."""
        self.tasks = [one for one in self.tasks if one is not task]


def _bars(console: Any = None) -> Any:
    """Lines of work, each with a title, and a bar, counts and the time left where there are counts."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.text import Text

    console = console or Console(stderr=True)

    def counted(task: Task) -> bool:
        return task.total is not None and task.total > 1

    class Share(BarColumn):
        def render(self, task: Task) -> Any:
            return super().render(task) if counted(task) else Text("")

    class Left(ProgressColumn):
        def render(self, task: Task) -> Text:
            if not counted(task):
                return Text(time_of(task.elapsed))
            return Text(f"{task.completed:,.0f} of {task.total:,.0f}, {time_of(task.time_remaining)} left")

    class Lines(Progress):
        def get_renderables(self) -> Iterator[Any]:
            shown = [task for task in self.tasks if (task.elapsed or 0.0) > DELAY]
            for task in shown:
                if task.fields["poll"] is not None:
                    self.update(task.id, completed=max(0.0, task.fields["poll"]()))
            yield self.make_tasks_table(shown)

    columns = TextColumn("{task.description}", markup=False), Share(bar_width=30), Left()
    # What is printed meanwhile goes where it was meant to go.
    return Lines(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)


def time_of(seconds: float | None) -> str:
    """Return hours, minutes and seconds."""
    return "-:--:--" if seconds is None else str(timedelta(seconds=round(seconds)))
