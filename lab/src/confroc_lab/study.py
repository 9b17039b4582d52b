"""A study: cells, each a population, a size and a rule, and their simulation in chunks.

Replications of a cell are divided into chunks whose random stream depends only on the study's seed, the
cell's name and the chunk's number. Results therefore do not depend on the number of processes, on the machine
that ran a chunk, or on interruptions of the study.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from confroc.auditing.areas import auc_intervals
from confroc.auditing.bands import roc_bands
from confroc.auditing.coverage import Coverage, added
from confroc.auditing.rates import rates_at_threshold, tpr_at_fprs
from confroc.auditing.rules import Drawn, Evaluator, Rule, quiet
from confroc_lab._errors import invalid
from confroc_lab._types import Sampling
from confroc_lab.areas import auc_differences
from confroc_lab.bands import roc_difference_bands
from confroc_lab.comparisons import auc_comparisons
from confroc_lab.costs import cost_differences, costs, expected_costs
from confroc_lab.populations import AnyPopulation
from confroc_lab.rates import fpr_at_tprs, rates_differences_at_threshold, tpr_differences_at_fpr
from confroc_lab.samples import draw
from confroc_lab.shares import rates_at_shares, rates_differences_at_shares

EVALUATORS: dict[str, tuple[str, Evaluator]] = {
    "auc_interval": ("auc", auc_intervals),
    "auc_difference": ("auc_a - auc_b", auc_differences),
    "auc_comparison": ("auc", auc_comparisons),
    "rates_at_threshold": ("positive_rate", rates_at_threshold),
    "rates_difference_at_threshold": ("positive_rate", rates_differences_at_threshold),
    "tpr_at_fpr": ("fpr", tpr_at_fprs),
    "fpr_at_tpr": ("tpr", fpr_at_tprs),
    "tpr_difference_at_fpr": ("fpr", tpr_differences_at_fpr),
    "cost_curve": ("w", costs),
    "cost_difference": ("w", cost_differences),
    "expected_cost": ("w", expected_costs),
    "expected_cost_difference": ("w", expected_costs),
    "rates_at_positive_rate": ("positive_rate", rates_at_shares),
    "rates_difference_at_positive_rate": ("positive_rate", rates_differences_at_shares),
    "roc_band": ("at", roc_bands),
    "roc_difference_band": ("at", roc_difference_bands),
}
"""By function: what the places of its intervals are called, and their evaluator."""
BY_SCORE = ("rates_at_threshold", "rates_difference_at_threshold")
"""Functions whose places may be thresholds."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One population, one sample size, one rule.

    Attributes
    ----------
    name : str
        Unique in its study; part of the seed.
    population : Population, NormalPair, CopulaPair, NormalModels, or a recipe for one
        A recipe has `prepare(folder)`, which reads data and returns the population.
    size : (int, int)
        (n_pos, n_neg). Under "full" sampling only their sum matters.
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
        if min(self.size) < 1:
            raise invalid("size", "be two counts of at least 1", self.size, "Try (50, 50).")
        if self.chunk < 1:
            raise invalid("chunk", "be at least 1", self.chunk, "Try 100.")
        function = self.rule.function
        if isinstance(function, str) and function not in EVALUATORS:
            raise invalid("function", f"be one of {', '.join(EVALUATORS)}", function, "Choose one of these.")
        if self.rule.by_score and function not in BY_SCORE:
            raise invalid(
                "by_score", f"be False for {function!r}", True, f"It is for {' and '.join(BY_SCORE)}."
            )

    @property
    def at_name(self) -> str:
        """Meaning of the places of the rule."""
        if self.rule.by_score:
            return "threshold"
        return EVALUATORS[self.rule.function][0] if isinstance(self.rule.function, str) else "at"


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
        if self.replications < 1:
            raise invalid("replications", "be at least 1", self.replications, "Try 1000.")
        names = [cell.name for cell in self.cells]
        if len(set(names)) < len(names) or not names:
            raise invalid("cells", "be one or more with different names", names, "Rename them.")

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


def chunks_of(study: Study) -> list[Chunk]:
    """Return all chunks of a study, in the order in which they are added."""
    return [
        Chunk(i, start, min(start + cell.chunk, study.replications))
        for i, cell in enumerate(study.cells)
        for start in range(0, study.replications, cell.chunk)
    ]


def evaluated(
    rule: Rule,
    population: AnyPopulation,
    size: tuple[int, int],
    sampling: Sampling,
    reps: int,
    rng: np.random.Generator,
) -> list[Coverage]:
    """Draw `reps` samples and evaluate the rule on all of them."""
    evaluate = EVALUATORS[rule.function][1] if isinstance(rule.function, str) else rule.function
    parts, lost = draw(population, size, sampling, rng, reps)
    with quiet():
        total = added([evaluate(rule, Drawn(samples, population, sampling, rng)) for samples in parts])
    return [c._replace(failures=c.failures + lost) for c in total]


def run_chunk(cell: Cell, seed: int, start: int, stop: int) -> list[Coverage]:
    """Draw and evaluate replications `start` to `stop` of a chunk."""
    sequence = np.random.SeedSequence(
        [seed, zlib.crc32(cell.name.encode())], spawn_key=(start // cell.chunk,)
    )
    rng = np.random.Generator(np.random.SFC64(sequence))
    return evaluated(cell.rule, cell.population, cell.size, cell.sampling, stop - start, rng)
