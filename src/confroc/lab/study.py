"""Running a study: cells in chunks, each chunk with a random stream of its own.

A cell is a population, a size and a rule. Its replications are cut into chunks whose stream depends on the
study's seed, the cell's name and the chunk's number only, and chunks are added up in order. So results do not
depend on the number of processes, on the machine that ran a chunk, or on how often the study was stopped
and continued.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from confroc._check import ArgumentError, check_count
from confroc._types import Sampling
from confroc.lab.designs import AnyPopulation
from confroc.lab.results import CellResult, StudyResult
from confroc.lab.rules import Rule, Tally
from confroc.lab.store import Store


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One population, one sample size, one rule.

    Attributes
    ----------
    name : str
        Unique in its study; part of the seed.
    population : Population, NormalPair, or a recipe for one
        A recipe has `prepare(folder)`, which reads data and returns the population.
    size : (int, int)
        (n_pos, n_neg). Under "full" sampling only their sum counts.
    rule : Rule
    sampling : {"stratified", "full"}
    chunk : int
        Replications that share a random stream and are computed together.
    """

    name: str
    population: Any
    size: tuple[int, int]
    rule: Rule
    sampling: Sampling = "stratified"
    chunk: int = 100

    def __post_init__(self) -> None:
        for n in self.size:
            check_count("size", n)
        check_count("chunk", self.chunk)


@dataclass(frozen=True, kw_only=True)
class Study:
    """Cells with a number of replications and a seed.

    Attributes
    ----------
    name : str
    cells : tuple of Cell
    replications : int
        Samples per cell.
    seed : int
    """

    name: str
    cells: tuple[Cell, ...]
    replications: int = 1000
    seed: int = 0
    data: Path | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        check_count("replications", self.replications)
        names = [cell.name for cell in self.cells]
        if len(set(names)) < len(names) or not names:
            raise ArgumentError("cells", "be one or more with different names", names, "Rename them.")

    def prepared(self) -> Study:
        """Return the same study with every recipe replaced by its population."""
        cells = tuple(
            replace(cell, population=cell.population.prepare(self.data))
            if hasattr(cell.population, "prepare")
            else cell
            for cell in self.cells
        )
        return replace(self, cells=cells)


class Chunk(NamedTuple):
    """Replications `start` to `stop` of a cell."""

    cell: int
    start: int
    stop: int


Progress = Callable[[float, float], None]
"""Called with the work just done and all work to do, in samples times cases."""


def chunks_of(study: Study) -> list[Chunk]:
    """All chunks of a study, in the order in which they are added up."""
    return [
        Chunk(i, start, min(start + cell.chunk, study.replications))
        for i, cell in enumerate(study.cells)
        for start in range(0, study.replications, cell.chunk)
    ]


def run_chunk(cell: Cell, seed: int, start: int, stop: int) -> list[Tally]:
    """Draw and judge replications `start` to `stop`, which is where a chunk begins and ends."""
    sequence = np.random.SeedSequence(
        [seed, zlib.crc32(cell.name.encode())], spawn_key=(start // cell.chunk,)
    )
    rng = np.random.Generator(np.random.SFC64(sequence))
    population: AnyPopulation = cell.population
    return cell.rule.run(population, cell.size, cell.sampling, stop - start, rng)


def _work(study: Study, chunk: Chunk) -> float:
    cell = study.cells[chunk.cell]
    return float((chunk.stop - chunk.start) * sum(cell.size) + 1000)


def run_study(
    study: Study, out: str | Path | None = None, *, n_jobs: int = 1, progress: Progress | None = None
) -> StudyResult:
    """Run a study, or what is left of it.

    Parameters
    ----------
    study : Study
    out : path, optional
        Folder that takes each chunk's counts as it is done. Chunks that it already holds are not run again.
    n_jobs : int
        Processes, by joblib. Inside `joblib.parallel_config("dask")` the workers of a Dask cluster take part
        instead. The result does not depend on it.
    progress : callable, optional
        Called as progress(done, total) after each chunk.

    Returns
    -------
    StudyResult

    Raises
    ------
    ValueError
        When `out` holds the results of another configuration.

    Examples
    --------
    >>> from confroc.lab import Cell, Study, binormal, run_study
    >>> from confroc.lab.rules import Area
    >>> rule = Area(methods=("delong", "newcombe"), confidence_level=0.95)
    >>> cell = Cell(name="AUC 0.9", population=binormal(1.81), size=(20, 20), rule=rule)
    >>> result = run_study(Study(name="two intervals", cells=(cell,), replications=400))
    >>> delong, newcombe = (result.value("AUC 0.9", method, "auc") for method in rule.methods)
    >>> delong < newcombe
    True
    """
    study = study.prepared()
    store = None if out is None else Store.open(Path(out), study)
    done: dict[Chunk, list[Tally]] = {}
    for chunk in chunks_of(study):
        held = None if store is None else store.read(study.cells[chunk.cell].name, chunk.start, chunk.stop)
        if held is not None:
            done[chunk] = held
    missing = [chunk for chunk in chunks_of(study) if chunk not in done]
    total = sum(_work(study, chunk) for chunk in missing)
    so_far = 0.0
    for chunk, tallies in _computed(study, missing, n_jobs):
        if store is not None:
            store.write(study.cells[chunk.cell].name, chunk.start, chunk.stop, tallies)
        done[chunk] = tallies
        so_far += _work(study, chunk)
        if progress is not None:
            progress(so_far, total)
    cells = [
        CellResult.of(cell.name, cell.rule, [done[c] for c in chunks_of(study) if c.cell == i])
        for i, cell in enumerate(study.cells)
    ]
    result = StudyResult(study.name, study.replications, tuple(cells))
    if store is not None:
        store.finish(result)
    return result


def _computed(study: Study, chunks: list[Chunk], n_jobs: int) -> Iterator[tuple[Chunk, list[Tally]]]:
    """Yield each chunk's counts as they come in."""
    import joblib

    def numbered(chunk: Chunk) -> Any:
        return joblib.delayed(_task)(chunk, study.cells[chunk.cell], study.seed)

    if joblib.effective_n_jobs(n_jobs) == 1 or not chunks:
        for chunk in chunks:
            yield _task(chunk, study.cells[chunk.cell], study.seed)
        return
    parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
    yield from parallel(numbered(chunk) for chunk in chunks)


def _task(chunk: Chunk, cell: Cell, seed: int) -> tuple[Chunk, list[Tally]]:
    return chunk, run_chunk(cell, seed, chunk.start, chunk.stop)
