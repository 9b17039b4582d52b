"""An experiment: a paper's study with its parameters, what the paper says of it, and how it draws it.

Each lives in a file of its own in the `experiments` folder, as one object called EXPERIMENT made of plain
parameters.
"""

from __future__ import annotations

import ast
import importlib.util
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple

from scipy import special

import confroc
from confroc._check import ArgumentError, suggest
from confroc.lab.drawings import Drawing
from confroc.lab.results import Statistic, StudyResult
from confroc.lab.study import Cell, Study

FALSE_ALARM = 6e-5
"""Chance that a true statement fails, over the random seed: two-sided, by the normal law of its error, or by
Student's when the error itself is estimated from the spread of a few samples. A statement about the smallest
or largest of many places allows for all of them (Bonferroni)."""


def deviations(places: int, df: float = math.inf) -> float:
    """Monte Carlo standard errors that a true statement may miss by, beyond its own tolerance.

    Parameters
    ----------
    places : int
        Numbers of which the statement takes the worst.
    df : float
        Degrees of freedom of the standard error; infinite for that of a proportion.

    Examples
    --------
    >>> from confroc.lab.experiment import deviations
    >>> round(deviations(1), 2), round(deviations(50), 2), round(deviations(1, df=9), 2)
    (4.01, 4.86, 7.05)
    """
    tail = FALSE_ALARM / 2.0 / places
    return -float(special.ndtri(tail) if math.isinf(df) else special.stdtrit(df, tail))


@dataclass(frozen=True, kw_only=True)
class Expected:
    """A number that a paper states, or that theory gives, and how closely it should be met.

    Attributes
    ----------
    says : str
        The statement in words, with where it stands.
    cell, method, quantity : str
    value : float
    at : float, optional
        Place (nearest).
    statistic : str
        As in `StudyResult.measure`.
    relation : {"=", "<=", ">="}
    tolerance : float
        For rounding in the paper and for what it leaves open.
    replications : int, optional
        Of the paper's own simulation; its Monte Carlo error is allowed for too. None for exact values.
    differs : str
        Why our number is known to differ from the paper's; such a statement never fails.
    """

    says: str
    cell: str
    method: str
    quantity: str
    value: float
    at: float | None = None
    statistic: Statistic = "coverage"
    relation: Literal["=", "<=", ">="] = "="
    tolerance: float = 0.0
    replications: int | None = 1000
    differs: str = ""

    def check(self, result: StudyResult) -> Finding:
        """Hold the statement against a result."""
        ours, error = result.measure(self.cell, self.method, self.quantity, self.at, self.statistic)
        paper = 0.0
        if self.replications is not None and 0.0 <= self.value <= 1.0:
            p = (self.value * self.replications + 2.0) / (self.replications + 4.0)
            paper = math.sqrt(p * (1.0 - p) / self.replications)
        tally = result.cell(self.cell).find(self.method, self.quantity)
        places = len(tally.at) if self.statistic in ("min", "max") else 1
        spread = self.statistic in ("width", "width_sd") or self.quantity.startswith("fresh")
        df = max(float(tally.samples[0]) - 1.0, 1.0) if spread else math.inf
        allowed = self.tolerance + deviations(places, df) * math.hypot(error, paper)
        miss = {"=": abs(ours - self.value), "<=": ours - self.value, ">=": self.value - ours}[self.relation]
        return Finding(self, ours, error, allowed, bool(miss <= allowed))


class Finding(NamedTuple):
    """A statement, our number with its Monte Carlo error, the distance allowed, and whether it holds."""

    expected: Expected
    ours: float
    error: float
    allowed: float
    holds: bool

    @property
    def can_fail(self) -> bool:
        """Whether some rate in [0, 1] is further from the statement than is allowed."""
        value = self.expected.value
        room = {"=": max(value, 1.0 - value), "<=": 1.0 - value, ">=": value}[self.expected.relation]
        return room > self.allowed

    @property
    def verdict(self) -> str:
        """One word: agrees, undecided (nothing could contradict it), differs (for a known reason), FAILS."""
        if self.holds:
            return "agrees" if self.can_fail else "undecided"
        return "differs" if self.expected.differs else "FAILS"


@dataclass(frozen=True, kw_only=True)
class Panels:
    """Curves of coverage in the paper's layout: one panel per group of cells.

    Attributes
    ----------
    panels : tuple of (title, cells)
        Row by row. Several cells in one panel are told apart by colour.
    columns : int
    quantity : str
    x : str
        Label of the abscissa.
    styles : tuple of (method, label, line style)
    ylim : (float, float)
    """

    panels: tuple[tuple[str, tuple[str, ...]], ...]
    columns: int
    quantity: str
    x: str
    styles: tuple[tuple[str, str, str], ...]
    ylim: tuple[float, float] = (0.5, 1.0)


@dataclass(frozen=True, kw_only=True)
class Dots:
    """Coverage of statements about one number or curve: a dot with its error per cell and method."""

    quantity: str


@dataclass(frozen=True, kw_only=True)
class Quick:
    """The short form of an experiment.

    Attributes
    ----------
    replications : int
    cells : tuple of Cell, optional
        Cells to run instead of all; statements about other cells are left out.
    """

    replications: int = 100
    cells: tuple[Cell, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A paper's study.

    Attributes
    ----------
    title, source : str
        What is studied, and which figure or table of which paper.
    cells : tuple of Cell
    replications : int
        The paper's.
    quick : Quick
    expected : tuple of Expected
    figure : Panels or Dots
    drawings : tuple of Drawing
        The paper's pictures of single samples.
    seed : int
    """

    title: str
    source: str
    cells: tuple[Cell, ...]
    quick: Quick
    figure: Panels | Dots
    replications: int = 1000
    expected: tuple[Expected, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    seed: int = 2009

    def study(
        self, name: str, *, quick: bool = False, replications: int | None = None, data: Path | None = None
    ) -> Study:
        """Return the study to run."""
        cells = self.quick.cells if quick and self.quick.cells is not None else self.cells
        wanted = replications or (self.quick.replications if quick else self.replications)
        # Small chunks would only repeat the overhead; one chunk may not exceed what is wanted.
        cells = tuple(replace(cell, chunk=min(cell.chunk, wanted)) if quick else cell for cell in cells)
        return Study(name=name, cells=cells, replications=wanted, seed=self.seed, data=data)

    def findings(self, result: StudyResult) -> list[Finding]:
        """Hold every statement about a cell and a method that were run against the result."""
        there = {(cell.name, t.method, t.quantity) for cell in result.cells for t in cell.tallies}
        return [e.check(result) for e in self.expected if (e.cell, e.method, e.quantity) in there]


# --- finding experiments -----------------------------------------------------------------------------


class Listed(NamedTuple):
    """An experiment's file, known by name without being loaded."""

    name: str
    path: Path
    about: str

    @property
    def title(self) -> str:
        """First line of what the file says of itself."""
        return self.about.splitlines()[0]


def experiments_folder(given: str | Path | None = None) -> Path:
    """Folder of the experiments: the one given, or else the one here, beside the source or in the package.

    Raises
    ------
    ValueError
        When there is none.
    """
    package = Path(confroc.__file__).parent
    places = (
        [Path(given)]
        if given
        else [Path("experiments"), package.parents[1] / "experiments", package / "experiments"]
    )
    for place in places:
        if place.is_dir() and _listed(place):
            return place
    raise ArgumentError(
        "experiments",
        "be a folder with experiment files",
        str(places[0]),
        "Name the `experiments` folder of a checkout of confroc with --experiments.",
    )


def _listed(folder: Path) -> list[Listed]:
    found = []
    for path in sorted(folder.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {
            t.id
            for node in tree.body
            if isinstance(node, ast.Assign)
            for t in node.targets
            if isinstance(t, ast.Name)
        }
        if "EXPERIMENT" in names:
            found.append(Listed(path.stem, path, ast.get_docstring(tree) or path.stem))
    return found


def list_experiments(folder: str | Path | None = None) -> list[Listed]:
    """Names and titles of all experiments, without loading them."""
    return _listed(experiments_folder(folder))


def load_experiment(name: str, folder: str | Path | None = None) -> Experiment:
    """Load an experiment by name.

    Raises
    ------
    ValueError
        For an unknown name; the nearest one is suggested.
    """
    listed = {item.name: item for item in list_experiments(folder)}
    if name not in listed:
        raise ArgumentError(
            "name", "be an experiment", name, f"{suggest(name, listed)}`confroc lab list` shows all."
        )
    spec = importlib.util.spec_from_file_location(f"confroc_experiment_{name}", listed[name].path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Experiment = module.EXPERIMENT
    return found
