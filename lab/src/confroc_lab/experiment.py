"""An experiment: a paper's study with its parameters, what the paper says of it, and how it draws it.

Each lives in a file of its own, as one object called EXPERIMENT made of plain parameters.
"""

from __future__ import annotations

import ast
import importlib.util
import math
import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from scipy import special

from confroc import ConfrocWarning
from confroc_lab._errors import invalid
from confroc_lab.coverage import EXTREMES, Between, Statistic, StudyResult, places_between
from confroc_lab.study import Cell, Study

FALSE_ALARM = 6e-5
"""Chance that a true statement fails, over the random seed: two-sided, by the normal law of its error, or by
Student's when the error itself is estimated from the spread of a few samples. A statement about the smallest
or largest of many places, or their difference, allows for all of them (Bonferroni)."""


Source: TypeAlias = Literal["paper", "theory", "ours"]


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
    >>> from confroc_lab.experiment import deviations
    >>> round(deviations(1), 2), round(deviations(50), 2), round(deviations(1, df=9), 2)
    (4.01, 4.86, 7.05)
    """
    tail = FALSE_ALARM / 2.0 / places
    return -float(special.ndtri(tail) if math.isinf(df) else special.stdtrit(df, tail))


@dataclass(frozen=True, kw_only=True)
class Expected:
    """A number that a paper states, that theory gives or that we claim, and how closely it should be met.

    With `than` it is the difference of two numbers of one study, which says that one is larger ("better",
    "wider") or that both are equal.

    Attributes
    ----------
    says : str
        The statement in words, with where it stands.
    cell, method, quantity : str
    value : float
        What the number is, or is at most or at least; with `than`, by how much it exceeds the other.
    at : float, optional
        Place (nearest).
    statistic : str
        As in `StudyResult.measure`.
    between : (float, float), optional
        Least and largest place of a statistic over places.
    than : (cell, method) or (cell, method, at), optional
        The other number, of the same statistic, and of the same places unless `at` is given.
        Errors of different cells, which are independent, are combined as such; those of one cell, whose
        methods use the same samples, are added.
    than_quantity : str
        Quantity of the other number, where it is another one.
    wide : bool
        Whether an interval without width counts as not containing the true value, whatever that is.
    statement : str
        Key of the sentence, figure or table that it tells in the register of all statements; several may
        tell one.
    relation : {"=", "<=", ">="}
    tolerance : float
        For rounding in the paper and for what it leaves open.
    replications : int, optional
        Of the paper's own simulation; its Monte Carlo error is allowed for too. None for exact values. Not
        used with `than`, whose value is ours.
    differs : str
        Why our number is known to differ from the paper's; such a statement never fails.
    source : {"paper", "theory", "ours"}
        Who says so. Where statements that agree are counted, the papers' are counted apart.
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
    source: Source = "paper"
    between: Between | None = None
    than: tuple[str, str] | tuple[str, str, float] | None = None
    than_quantity: str = ""
    wide: bool = False
    statement: str = ""

    def check(self, result: StudyResult) -> Finding:
        """Compare the statement with a result."""
        sides = [(self.cell, self.method, self.quantity, self.at)]
        if self.than is not None:
            cell, method, *at = self.than
            sides.append((cell, method, self.than_quantity or self.quantity, at[0] if at else self.at))
        found = [result.measure(*side, self.statistic, self.between, self.wide) for side in sides]
        ours, error = found[0]
        if self.than is not None:
            ours -= found[1][0]
            error = error + found[1][1] if self.than[0] == self.cell else math.hypot(error, found[1][1])
        paper = 0.0
        if self.than is None and self.replications is not None and 0.0 <= self.value <= 1.0:
            p = (self.value * self.replications + 2.0) / (self.replications + 4.0)
            paper = math.sqrt(p * (1.0 - p) / self.replications)
        counts = [result.cell(cell).find(method, quantity) for cell, method, quantity, _ in sides]
        # Any place of one side may be compared with any of the other.
        extreme = self.statistic in EXTREMES
        places = math.prod(int(places_between(c.at, self.between).sum()) for c in counts) if extreme else 1
        spread = self.statistic in ("width", "width_sd") or self.quantity.startswith("fresh")
        df = max(min(float(c.samples[0]) for c in counts) - 1.0, 1.0) if spread else math.inf
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
        """Whether some rate, or difference of two rates, is further from the statement than is allowed."""
        value, least = self.expected.value, 0.0 if self.expected.than is None else -1.0
        over, under = 1.0 - value, value - least
        room = {"=": max(over, under), "<=": over, ">=": under}[self.expected.relation]
        return room > self.allowed

    @property
    def verdict(self) -> str:
        """One word: agrees, undecided (nothing could contradict it), differs (for a known reason), FAILS."""
        if self.holds:
            return "agrees" if self.can_fail else "undecided"
        return "differs" if self.expected.differs else "FAILS"


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
    drawings : tuple
        The paper's pictures of single samples: objects with a short `name` for their file, a `caption`, and
        `figure(data)`, which draws with the folder of the data sets.
    seed : int
    """

    title: str
    source: str
    cells: tuple[Cell, ...]
    quick: Quick
    figure: Panels | Dots
    replications: int = 1000
    expected: tuple[Expected, ...] = ()
    drawings: tuple[Any, ...] = ()
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
        """Compare every statement about a cell and a method that were run with the result."""
        there = {(cell.name, c.method, c.quantity) for cell in result.cells for c in cell.counts}
        return [
            e.check(result)
            for e in self.expected
            if (e.cell, e.method, e.quantity) in there
            and (e.than is None or (*e.than[:2], e.than_quantity or e.quantity) in there)
        ]


# --- experiments in files ------------------------------------------------------------------------------


class MissingDataError(ValueError):
    """A data set that an experiment needs is not there."""


class Listed(NamedTuple):
    """An experiment's file, listed without being run."""

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
        A Python file that assigns `EXPERIMENT`, or a folder of such files; others in it are left out.

    Raises
    ------
    ValueError
        When there is none, or the one file is no Python.

    Warns
    -----
    ConfrocWarning
        Of files in a folder that are no Python.
    """
    place = Path(path)
    found = []
    for file in sorted(place.glob("*.py")) if place.is_dir() else [place] if place.is_file() else []:
        try:
            tree = ast.parse(file.read_text(encoding="utf-8"))
        except (SyntaxError, ValueError) as error:
            if file == place:
                raise _not_python(file, error) from None
            message = f"{file} is left out: it is no Python that can be read ({error})."
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
        When it is no such file, or ends in an error.
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
