"""Running a study: chunks run in any order, on processes or a cluster, and are added in fixed order."""

from __future__ import annotations

import signal
import time
import warnings
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from confroc import ConfrocWarning
from confroc.auditing.coverage import Coverage
from confroc.auditing.rules import progress
from confroc_lab._files import set_aside
from confroc_lab.coverage import CellResult, StudyResult
from confroc_lab.store import DamagedError, Store
from confroc_lab.study import Cell, Chunk, Study, chunks_of, run_chunk


def _cases(study: Study, chunk: Chunk) -> float:
    cell = study.cells[chunk.cell]
    return float((chunk.stop - chunk.start) * sum(cell.size) + 1000)


def run_study(study: Study, folder: str | Path | None = None, *, n_jobs: int = 1) -> StudyResult:
    """Run a study, or the rest of it.

    Parameters
    ----------
    study : Study
    folder : path, optional
        Stores each chunk's counts. Chunks that it already contains are not run again, unless their
        checksum is wrong: then they are renamed, and a warning lists them.
    n_jobs : int
        Processes, by joblib. Inside `joblib.parallel_config("dask")` the workers of a Dask cluster are used
        instead. The result does not depend on it.

    Returns
    -------
    StudyResult

    Raises
    ------
    ValueError
        If `folder` contains the results of another configuration.

    Examples
    --------
    >>> from confroc_lab import Cell, Rule, Study, binormal, run_study
    >>> rule = Rule("auc_interval", ("delong", "newcombe"), confidence_level=0.95)
    >>> cell = Cell(name="AUC 0.9", population=binormal(1.81), size=(20, 20), rule=rule)
    >>> result = run_study(Study(name="two intervals", cells=(cell,), replications=400))
    >>> delong, newcombe = (result.value("AUC 0.9", method, "auc") for method in rule.methods)
    >>> delong < newcombe
    True
    """
    begun = time.process_time()
    study = study.prepared()
    prepared = time.process_time() - begun
    store = None if folder is None else Store.open(Path(folder), study)
    done: dict[Chunk, list[Coverage]] = {}
    for chunk in chunks_of(study):
        held = None if store is None else _held(store, study.cells[chunk.cell], chunk)
        if held is not None:
            done[chunk] = held
    missing = [chunk for chunk in chunks_of(study) if chunk not in done]
    total = sum(_cases(study, chunk) for chunk in missing)
    if store is not None and missing:
        store.spent(prepared)
    with progress("cases", total) as report, closing(_computed(study, missing, n_jobs)) as computed:
        for chunk, counts, seconds in computed:
            if store is not None:
                store.write(study.cells[chunk.cell].name, chunk.start, chunk.stop, counts)
                store.spent(seconds)
            done[chunk] = counts
            report(_cases(study, chunk))
    cells = [
        CellResult(
            cell.name,
            cell.at_name,
            cell.rule.confidence_level,
            tuple(tuple(done[c]) for c in chunks_of(study) if c.cell == i),
        )
        for i, cell in enumerate(study.cells)
    ]
    result = StudyResult(study.name, study.replications, tuple(cells))
    if store is not None:
        store.finish(result)
    return result


def _held(store: Store, cell: Cell, chunk: Chunk) -> list[Coverage] | None:
    """Return a chunk's counts if present and undamaged; damaged ones are renamed."""
    try:
        return store.read(cell.name, chunk.start, chunk.stop)
    except DamagedError:
        part = store.part(cell.name, chunk.start, chunk.stop)
        warnings.warn(
            f"{part} was damaged; it is made again, and kept as {set_aside(part).name}.",
            ConfrocWarning,
            stacklevel=3,
        )
        return None


def _computed(
    study: Study, chunks: list[Chunk], n_jobs: int
) -> Generator[tuple[Chunk, list[Coverage], float], None, None]:
    """Yield each chunk's counts and processor time as they finish."""
    import joblib

    def numbered(chunk: Chunk) -> Any:
        return joblib.delayed(_task)(chunk, study.cells[chunk.cell], study.seed)

    # No more processes than there is work for.
    jobs = min(joblib.effective_n_jobs(n_jobs), len(chunks))
    if jobs <= 1:
        for chunk in chunks:
            yield _task(chunk, study.cells[chunk.cell], study.seed)
        return
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
    with _uninterrupted():
        computed = parallel(numbered(chunk) for chunk in chunks)
    try:
        for found in computed:  # noqa: UP028
            yield found
    finally:
        # An interrupt needs no warning of the tasks that it has cancelled.
        with warnings.catch_warnings(action="ignore"):
            computed.close()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Start processes that ignore Ctrl-C, which a terminal sends to all, except in the parent."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    # They would take the block away when they start in between.
    resource_tracker.ensure_running()
    with suppress(ImportError):
        from joblib.externals.loky.backend.resource_tracker import ensure_running

        ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _task(chunk: Chunk, cell: Cell, seed: int) -> tuple[Chunk, list[Coverage], float]:
    begun = time.process_time()
    return chunk, run_chunk(cell, seed, chunk.start, chunk.stop), time.process_time() - begun
