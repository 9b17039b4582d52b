"""An experiment: a paper's study with its parameters, its statements and the layout of its figure.

Each is a separate file that assigns one object, EXPERIMENT, of plain parameters.
"""

from __future__ import annotations

import ast
import importlib.util
import math
import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from confroc import ConfrocWarning
from confroc_lab._errors import invalid
from confroc_lab.coverage import Between, Statistic, StudyResult
from confroc_lab.study import Cell, Study

ERRORS = 2.0
"""Monte Carlo standard errors by which a number may miss a statement that agrees."""
ALARM = 5.0
"""Errors by which none misses by chance."""
SEPARATES = 0.05
"""Largest distance allowed: of two numbers that differ by more than twice this, at most one agrees."""
SAMPLES = 2000
"""Samples a cell, at least, on which a share that agrees rests."""
PARTS = 20
"""Parts of a short form, at least: enough to estimate errors from the spread between them."""

Source: TypeAlias = Literal["paper", "theory", "ours"]


@dataclass(frozen=True, kw_only=True)
class Expected:
    """A number that a paper states, that theory gives or that we claim, with the allowed deviation.

    With `than` it is the difference of two numbers of one study, for statements that one is larger
    ("better", "wider") or that both are equal.

    Attributes
    ----------
    says : str
        The statement in words, with its place in the paper.
    cell, method, quantity : str
    value : float or str
        The number, or its bound; with `than`, its excess over the other. For a printed number its digits,
        such as "0.930", which may be rounded.
    at : float, optional
        Place (nearest).
    statistic : str
        As in `StudyResult.value`.
    between : (float, float), optional
        Least and largest place of a statistic over places.
    than : (cell, method) or (cell, method, at), optional
        The other number, of the same statistic, and of the same places unless `at` is given.
    than_quantity : str
        Quantity of the other number, where it differs.
    wide : bool
        Whether an interval of zero width counts as not containing the true value.
    statement : str
        Key of the sentence, figure or table in the register of all statements; several may share one.
    relation : {"=", "<=", ">="}
        An inequality is about the true number, which the paper's Monte Carlo error does not change.
    replications : int, optional
        Replications of the paper's own simulation; none for its theory.
    spread : float, optional
        Standard deviation between the paper's replications; by default that of ours.
    differs : str
        Known reason why our number differs.
    source : {"paper", "theory", "ours"}
        Source of the statement. Statements that agree are counted by source.
    """

    says: str
    cell: str
    method: str
    quantity: str
    value: float | str
    at: float | None = None
    statistic: Statistic = "coverage"
    relation: Literal["=", "<=", ">="] = "="
    replications: int | None = 1000
    spread: float | None = None
    differs: str = ""
    source: Source = "paper"
    between: Between | None = None
    than: tuple[str, str] | tuple[str, str, float] | None = None
    than_quantity: str = ""
    wide: bool = False
    statement: str = ""

    @property
    def is_share(self) -> bool:
        """Whether the number is a proportion of samples; each sample has many fresh curves or areas."""
        return self.statistic not in ("width", "width_sd") and not self.quantity.startswith("fresh")

    def number(self, result: StudyResult) -> float:
        """Return our number."""
        more = (self.statistic, self.between, self.wide)
        ours = result.value(self.cell, self.method, self.quantity, self.at, *more)
        if self.than is None:
            return ours
        cell, method, *at = self.than
        quantity, place = self.than_quantity or self.quantity, at[0] if at else self.at
        return ours - result.value(cell, method, quantity, place, *more)

    def check(self, result: StudyResult) -> Finding:
        """Compare the statement with a result."""
        error = result.error(dict.fromkeys((self.cell, *(self.than or ())[:1])), self.number)
        if self.is_share:
            # A share moves in steps of one sample, and samples that all agree show no spread.
            error = max(error, 1.0 / result.replications)
        return self.grade(self.number(result), error, result.replications)

    def grade(self, ours: float, error: float, samples: int) -> Finding:
        """Compare the statement with a number, its Monte Carlo standard error and its number of samples."""
        paper = rounding = 0.0
        if (self.source, self.relation) == ("paper", "=") and self.replications is not None:
            spread = error * math.sqrt(samples) if self.spread is None else self.spread
            paper = spread / math.sqrt(self.replications)
        if isinstance(self.value, str):
            rounding = 0.5 * 10.0 ** int(Decimal(self.value).as_tuple().exponent)
        return Finding(self, ours, error, samples, rounding + ERRORS * math.hypot(error, paper))


class Finding(NamedTuple):
    """A statement, our number with its Monte Carlo error and its samples, and the distance allowed."""

    expected: Expected
    ours: float
    error: float
    samples: int
    allowed: float

    @property
    def miss(self) -> float:
        """Distance of the number from the statement; negative on the right side of an inequality."""
        over = self.ours - float(self.expected.value)
        return {"=": abs(over), "<=": over, ">=": -over}[self.expected.relation]

    @property
    def verdict(self) -> str:
        """Agrees, undecided (an alternative would agree as well, or too few samples) or not reproduced."""
        if not self.miss <= self.allowed:
            return "not reproduced"
        if self.expected.is_share and self.samples < SAMPLES:
            return "undecided"
        least = SEPARATES
        if self.expected.than is not None and self.expected.relation != "=":
            # The rival of a difference is none, that of an order the reverse one.
            least = min(least, abs(float(self.expected.value)))
        return "agrees" if self.miss <= -self.allowed or self.allowed <= least else "undecided"

    @property
    def alarms(self) -> bool:
        """Whether the deviation exceeds chance without a known reason."""
        return not (self.miss <= self.allowed * ALARM / ERRORS or self.expected.differs)


def tally(findings: Sequence[Finding]) -> str:
    """Return how many statements of each source agree.

    Parameters
    ----------
    findings : sequence of Finding

    Returns
    -------
    str
        Such as "paper 5 of 6, ours 1 of 1".
    """
    counts = []
    for source in get_args(Source):
        of = [f for f in findings if f.expected.source == source]
        if of:
            counts.append(f"{source} {sum(f.verdict == 'agrees' for f in of)} of {len(of)}")
    return ", ".join(counts)


@dataclass(frozen=True, kw_only=True)
class Panels:
    """Curves of coverage in the paper's layout: one panel per group of cells.

    Attributes
    ----------
    panels : tuple of (title, cells)
        Row by row. Several cells in one panel differ in colour.
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
        Cells to run instead of all; statements about other cells are omitted.
    """

    replications: int = 100
    cells: tuple[Cell, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A paper's study.

    Attributes
    ----------
    title, source : str
        The subject, and the figure or table of the paper.
    cells : tuple of Cell
    replications : int
        Samples of a cell; the paper's number where that is larger.
    quick : Quick
    expected : tuple of Expected
    figure : Panels or Dots
    drawings : tuple
        The paper's plots of single samples: objects with a short `name` for their file, a `caption`, and
        `figure(data)`, called with the folder of the data sets.
    seed : int
    """

    title: str
    source: str
    cells: tuple[Cell, ...]
    quick: Quick
    figure: Panels | Dots
    replications: int = 2000
    expected: tuple[Expected, ...] = ()
    drawings: tuple[Any, ...] = ()
    seed: int = 2009

    def study(
        self, name: str, *, quick: bool = False, replications: int | None = None, data: Path | None = None
    ) -> Study:
        """Return the study to run."""
        cells = self.quick.cells if quick and self.quick.cells is not None else self.cells
        wanted = replications or (self.quick.replications if quick else self.replications)
        if quick:
            cells = tuple(replace(cell, chunk=min(cell.chunk, max(wanted // PARTS, 1))) for cell in cells)
        return Study(name=name, cells=cells, replications=wanted, seed=self.seed, data=data)

    def findings(self, result: StudyResult) -> list[Finding]:
        """Compare the result with every statement about a cell and a method that were run."""
        there = {(cell.name, c.method, c.quantity) for cell in result.cells for c in cell.counts}
        return [
            e.check(result)
            for e in self.expected
            if (e.cell, e.method, e.quantity) in there
            and (e.than is None or (*e.than[:2], e.than_quantity or e.quantity) in there)
        ]


# --- experiments in files ------------------------------------------------------------------------------


class MissingDataError(ValueError):
    """A data set that an experiment needs is missing."""


class Listed(NamedTuple):
    """An experiment's file, listed without running it."""

    path: Path
    about: str

    @property
    def name(self) -> str:
        """Name of the file."""
        return self.path.stem

    @property
    def title(self) -> str:
        """First line of the docstring of the file."""
        return self.about.splitlines()[0]


def list_experiments(path: str | Path) -> list[Listed]:
    """List a file's experiment, or those of all files in a folder, without running anything.

    Parameters
    ----------
    path : path
        A Python file that assigns `EXPERIMENT`, or a folder of such files; other files are ignored.

    Raises
    ------
    ValueError
        If there is none, or the file is not valid Python.

    Warns
    -----
    ConfrocWarning
        For files in a folder that are not valid Python.
    """
    place = Path(path)
    found = []
    for file in sorted(place.glob("*.py")) if place.is_dir() else [place] if place.is_file() else []:
        try:
            tree = ast.parse(file.read_text(encoding="utf-8"))
        except (SyntaxError, ValueError) as error:
            if file == place:
                raise _not_python(file, error) from None
            message = f"{file} is skipped: it is not valid Python ({error})."
            warnings.warn(message, ConfrocWarning, stacklevel=2)
            continue
        targets = [t for node in tree.body if isinstance(node, ast.Assign) for t in node.targets]
        if any(isinstance(t, ast.Name) and t.id == "EXPERIMENT" for t in targets):
            found.append(Listed(file, ast.get_docstring(tree) or file.stem))
    if not found:
        raise invalid(
            "path",
            "be a file that assigns EXPERIMENT, or a folder of such files",
            str(path),
            "`confroc-lab list FOLDER` shows all of a folder.",
        )
    return found


def load_experiment(path: str | Path) -> Experiment:
    """Run one experiment's file and return its `EXPERIMENT`.

    The file may import other modules of its folder, which is put on the module path as it is for a script.

    Raises
    ------
    ValueError
        If there is no such file, or it raises an error.
    """
    if Path(path).is_dir():
        raise invalid("path", "be one file", str(path), "Name one file of this folder.")
    (listed,) = list_experiments(path)
    folder = str(listed.path.resolve().parent)
    if folder not in sys.path:
        # It stays there: worker processes import from it, too.
        sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(f"confroc_experiment_{listed.name}", listed.path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except ImportError:
        raise
    except Exception as error:
        raise _not_python(listed.path, error) from error
    found = module.EXPERIMENT
    if not isinstance(found, Experiment):
        kind = type(found).__name__
        raise invalid("EXPERIMENT", "be an Experiment", kind, f"Make it with `Experiment(...)` in {path}.")
    return found


def _not_python(path: Path, error: Exception) -> ValueError:
    remedy = f"It ends in {type(error).__name__}: {error}."
    return invalid("path", "be a file of Python that runs", str(path), remedy)
