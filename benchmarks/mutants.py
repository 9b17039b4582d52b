"""Mutation testing of the statistics: change a formula in one place, and see whether a test fails.

    python benchmarks/mutants.py --map [TEST_FILE ...]   # about 5 minutes: which lines each test executes
    python benchmarks/mutants.py [--count 360]           # about an hour: draw mutants, run their tests
    python benchmarks/mutants.py --again LOG             # those that an earlier output lists as survivors
    python benchmarks/mutants.py --only FILE:LINE        # all mutants of a line

Mutants change a constant by one or 5 %, < to <=, + to −, × to ÷, n − 1 to n, 1 − α to α, lower to upper, less
to greater, max to min, or drop a square root. They are drawn from every file of the statistics. A mutant is
killed when a test fails. The recorded results (`tests/test_recorded.py`) take no part, nor do tests of pages,
plots, documentation and commands. Nothing is written to the source: a forked process imports the mutant.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib.machinery
import itertools
import json
import multiprocessing
import os
import random
import re
import resource
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "confroc"
STATISTICS = re.compile(
    "(statistics|auc|comparing|points|cost|bands|drift|planning|exact|distributions|models)/"
    "|influence|linear|bootstrap|general|hypotheses|resample|curve|scores/(rounding|counting)"
    "|sklearn/cross_validation"
)
LEFT_OUT = re.compile(
    "recorded|cli|docs|report|plot|lab|experiments|ingest|engines|notebook|packaging|memory|layout|files|frozen"
    "|methods|shown|arguments|types|accept|typed|mutants"
)
"""Tests of other things than numbers, or of numbers that only this program computed."""
SHOWN = ("__repr__", "_repr_html_", "_table", "_title", "_columns")
PAIRS = "less greater, lower upper, maximum minimum, max min, cdf sf, ppf isf, left right, floor ceil"
OTHER = {x: y for pair in PAIRS.split(", ") for x, y in itertools.permutations(pair.split())}
OPERATORS: dict[type[ast.AST], Any] = {ast.Lt: ast.LtE, ast.Gt: ast.GtE, ast.Add: ast.Sub, ast.Mult: ast.Div}
OPERATORS |= {new: old for old, new in OPERATORS.items()}
SECONDS = 15.0, 60.0
"""Seconds of tests in the first round, which kills most, and in the second."""
PATIENCE = 90.0
"""Seconds that a mutant may take beyond its tests."""
LARGEST = 8 << 30
"""Bytes that a mutant may ask for."""
Map = dict[str, dict[str, Any]]


class Mutant(NamedTuple):
    """One change: the file, the number of the expression in walking order, and which of its changes."""

    file: str
    number: int
    change: int
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


def statistics() -> list[Path]:
    """Return the files that are changed."""
    return sorted(p for p in SOURCE.rglob("*.py") if STATISTICS.match(str(p.relative_to(SOURCE))))


def changes(node: ast.AST) -> list[ast.expr]:
    """Return what may stand in place of an expression."""

    def is_one(value: ast.expr) -> bool:
        return isinstance(value, ast.Constant) and type(value.value) in (int, float) and value.value == 1

    match node:
        case ast.Constant(value=int() | float() as x) if not isinstance(x, bool):
            # Sizes of chunks and tolerances are no statistics.
            small = x == 0 or 1e-3 < abs(x) < 500
            return [ast.Constant(x + 1 if isinstance(x, int) else 1.05 * x or 0.05)] if small else []
        case ast.Constant(value="less" | "greater" | "left" | "right" as x):
            return [ast.Constant(OTHER[x])]
        case ast.Compare(left, [ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE() as sign, *rest], others):
            return [ast.Compare(left, [OPERATORS[type(sign)](), *rest], others)]
        case ast.UnaryOp(ast.USub(), operand) if not is_one(operand):
            return [operand]
        case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult() | ast.Div() as sign, right):
            if any(isinstance(side, ast.List | ast.Tuple | ast.JoinedStr) for side in (left, right)):
                return []
            found: list[ast.expr] = [ast.BinOp(left, OPERATORS[type(sign)](), right)]
            found += [right] if isinstance(sign, ast.Sub) and is_one(left) else []
            return found + ([left] if isinstance(sign, ast.Add | ast.Sub) and is_one(right) else [])
        case ast.Attribute(value, name) if name in OTHER:
            return [ast.Attribute(value, OTHER[name], ast.Load())]
        case ast.Name("lower" | "upper" | "max" | "min" as name, ast.Load()):
            return [ast.Name(OTHER[name], ast.Load())]
        case ast.Call(ast.Attribute(attr="sqrt"), [root]):
            return [root]
    return []


def expressions(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """Yield what computes something, with its place: parent, field, index."""
    for field, value in ast.iter_fields(node):
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            text = (
                isinstance(child, ast.Raise | ast.JoinedStr | ast.Assert)
                or getattr(child, "name", "") in SHOWN
            )
            keyword = getattr(child, "arg", "") in ("axis", "ndmin") and isinstance(child, ast.keyword)
            types = field in ("annotation", "returns", "decorator_list")
            if isinstance(child, ast.AST) and not (text or keyword or types):
                yield node, field, index, child
                yield from expressions(child)


def mutants_of(path: Path) -> list[Mutant]:
    """Return all changes of a file."""
    found = []
    for number, (*_, node) in enumerate(expressions(ast.parse(path.read_text(encoding="utf-8")))):
        for which, new in enumerate(changes(node)):
            text = f"{ast.unparse(node)} → {ast.unparse(new)}"
            found.append(
                Mutant(str(path.relative_to(SOURCE)), number, which, getattr(node, "lineno", 0), text)
            )
    return found


def drawn(count: int, seed: int) -> list[Mutant]:
    """Return a sample from every file, in proportion to the root of its number of mutants."""
    rng, every = random.Random(seed), [mutants_of(p) for p in statistics()]
    share = count / sum(len(own) ** 0.5 for own in every)
    return [m for own in every for m in rng.sample(own, min(len(own), round(share * len(own) ** 0.5)))]


def put_in_place(mutant: Mutant) -> None:
    """Let this process import the mutant."""
    path, plain = str(SOURCE / mutant.file), importlib.machinery.SourceFileLoader.get_code
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    parent, field, index, node = next(itertools.islice(expressions(tree), mutant.number, None))
    new = ast.copy_location(changes(node)[mutant.change], node)
    if index is None:
        setattr(parent, field, new)
    else:
        getattr(parent, field)[index] = new
    code = compile(ast.fix_missing_locations(tree), path, "exec")

    def get_code(self: importlib.machinery.SourceFileLoader, fullname: str) -> Any:
        return code if self.path == path else plain(self, fullname)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]


def run_tests(arguments: list[str], *plugins: object) -> int:
    """Run tests in this process, without output, and return pytest's exit status."""
    import pytest

    os.setpgrp()
    os.chdir(ROOT)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    ignored = "ignore::pytest.PytestAssertRewriteWarning"
    return int(pytest.main(["-q", "-p", "no:cacheprovider", "-W", ignored, *arguments], [*plugins]))


class Failure:
    """A plugin of pytest that keeps the name of the last test that failed."""

    nodeid = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Keep a name."""
        self.nodeid = report.nodeid if report.failed else self.nodeid


class Executed(Failure):
    """A plugin of pytest that keeps the lines that each test executes, and its seconds."""

    def __init__(self) -> None:
        import coverage

        self.tests: Map = {}
        self.coverage = coverage.Coverage(
            data_file=None, config_file=False, include=[str(path) for path in statistics()]
        )

    def pytest_runtestloop(self) -> None:
        """Begin to trace."""
        self.coverage.start()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Begin a test."""
        self.coverage.switch_context(nodeid)
        self.begun = time.process_time()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """End it."""
        if nodeid != self.nodeid:
            self.tests[nodeid] = {"seconds": time.process_time() - self.begun, "lines": {}}

    def pytest_sessionfinish(self) -> None:
        """Enter the lines of each test."""
        self.coverage.stop()
        data = self.coverage.get_data()
        for path in data.measured_files():
            file = str(Path(path).relative_to(SOURCE))
            for line, tests in data.contexts_by_lineno(path).items():
                for test in {*tests} & {*self.tests}:
                    self.tests[test]["lines"].setdefault(file, []).append(line)


def collect(tests: list[str], answer: Any) -> None:
    """Send pytest's exit status for the names of tests, without a mutant."""
    answer.send(run_tests(["--collect-only", *tests]) if tests else 5)


def map_file(name: str, answer: Any) -> None:
    """Run one file of tests and send what each test executes."""
    plugin = Executed()
    run_tests([name], plugin)
    answer.send(plugin.tests)


def try_mutant(mutant: Mutant, tests: list[str], answer: Any) -> None:
    """Run tests with the mutant in place and send the name of the first that fails, "" if none does."""
    resource.setrlimit(resource.RLIMIT_AS, (LARGEST, LARGEST))
    put_in_place(mutant)
    failure = Failure()
    status = run_tests(["-x", "--tb=no", *tests], failure) if tests else 0
    answer.send(failure.nodeid or ("no test can be collected" if status else ""))


def side_by_side(work: list[tuple[Any, ...]], seconds: list[float], jobs: int) -> Iterator[tuple[int, Any]]:
    """Call functions in forked processes; yield the number and answer of each, None if it took too long."""
    fork, waiting = multiprocessing.get_context("fork"), list(range(len(work)))[::-1]
    running: dict[int, tuple[Any, Any, float]] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            number = waiting.pop()
            here, there = fork.Pipe(duplex=False)
            process = fork.Process(target=work[number][0], args=(*work[number][1:], there))
            process.start()
            there.close()
            running[number] = process, here, time.monotonic() + seconds[number]
        for number, (process, here, end) in list(running.items()):
            if here.poll(0.02) or time.monotonic() > end:
                answer = None
                with contextlib.suppress(EOFError):
                    answer = here.recv() if here.poll() else None
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.join()
                del running[number]
                yield number, answer


def make_map(known: Map, names: list[str], jobs: int) -> Map:
    """Run these files of tests once, or all files that test numbers, and keep what is known of others."""
    names = names or [p.name for p in sorted(ROOT.glob("tests/test_*.py")) if not LEFT_OUT.search(p.stem)]
    found = {k: v for k, v in known.items() if k.split("::")[0].removeprefix("tests/") not in names}
    work = [(map_file, f"tests/{name}") for name in names]
    for number, answer in side_by_side(work, [1200.0] * len(work), jobs):
        print(time.strftime("%H:%M:%S"), names[number], len(answer or ()), flush=True)
        found |= answer or {}
    return found


def places_of(mutant: Mutant) -> set[tuple[str, int]]:
    """Return the lines of its statement or, for a constant of a module, all lines that use the constant."""
    tree = ast.parse((SOURCE / mutant.file).read_text(encoding="utf-8"))
    around = [
        n
        for n in ast.walk(tree)
        if isinstance(n, ast.stmt) and n.lineno <= mutant.line <= (n.end_lineno or 0)
    ]
    inner = around[-1]
    if any(isinstance(n, ast.FunctionDef) for n in around) or "lambda" in ast.unparse(inner):
        # Of a function's head its body, of another compound statement the line itself.
        first, last = inner.lineno, inner.end_lineno or 0
        if isinstance(inner, ast.FunctionDef):
            first = inner.body[0].lineno
        elif hasattr(inner, "body"):
            first = last = mutant.line
        return {(mutant.file, line) for line in range(first, last + 1)}
    names = [n.id for n in ast.walk(inner) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    uses = re.compile(rf"\b({'|'.join(names) or '(?!)'})\b")
    texts = {str(p.relative_to(SOURCE)): p.read_text(encoding="utf-8").splitlines() for p in statistics()}
    return {
        (file, k) for file, lines in texts.items() for k, line in enumerate(lines, 1) if uses.search(line)
    }


def tests_of(mutant: Mutant, known: Map, least: float, most: float) -> list[str]:
    """Return the tests that execute the place, of so many seconds from the fastest, a file at a time.

    Where none is known to, as of lines that run once in a process, those that execute anything in the file.
    """
    places, tests = (
        places_of(mutant),
        [(test["seconds"], name, test["lines"]) for name, test in known.items()],
    )
    of_place = [t for t in tests if any(line in t[2].get(file, ()) for file, line in places)]
    tests = sorted(of_place or [t for t in tests if mutant.file in t[2]], key=lambda t: t[0])
    ends = itertools.accumulate(seconds for seconds, *_ in tests)
    names = [name for (_, name, _), end in zip(tests, ends, strict=True) if least < end <= most]
    files = list(dict.fromkeys(name.split("::")[0] for name in names))
    return sorted(names, key=lambda name: files.index(name.split("::")[0]))


def campaign(mutants: list[Mutant], known: Map, jobs: int) -> list[Mutant]:
    """Try mutants, print what comes of each, and return the survivors."""
    least = 0.0
    for most in SECONDS:
        work = [(try_mutant, m, tests_of(m, known, least, most)) for m in mutants]
        survived, least = [], most
        for number, by in side_by_side(work, [most + PATIENCE] * len(work), jobs):
            m, tests = mutants[number], len(work[number][2])
            found = f"survived {tests} tests" if by == "" else f"killed by {by or 'the clock'}"
            print(f"{m}  [{found}]", flush=True)
            survived += [m] if by == "" else []
        mutants = survived
    return mutants


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--map", nargs="*", metavar="TEST_FILE", help="run tests once and keep what they execute"
    )
    parser.add_argument("--kept", type=Path, default=ROOT / ".mutants.json", help="where that is kept")
    parser.add_argument("--count", type=int, default=360)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--only", action="append", default=[], metavar="FILE:LINE", help="all mutants of a line"
    )
    parser.add_argument("--again", type=Path, metavar="LOG", help="only survivors of an earlier output")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    for module in ("numpy", "scipy.stats", "scipy.optimize", "numba", "mpmath", "hypothesis", "pytest"):
        importlib.import_module(module)  # once, before forking
    sys.path.insert(0, str(SOURCE.parent))
    known: Map = json.loads(args.kept.read_text()) if args.kept.exists() else {}
    if args.map is not None:
        args.kept.write_text(json.dumps(make_map(known, args.map, args.jobs)))
        return
    if any(status != 0 for _, status in side_by_side([(collect, [*known])], [300.0], 1)):
        parser.error("The known tests cannot be collected: run --map again.")
    every = [m for p in statistics() for m in mutants_of(p)]
    if args.again is not None:
        lines = args.again.read_text().splitlines()
        survivors = {line.split("  [")[0] for line in lines if "  [survived" in line}
        mutants = [m for m in every if str(m) in survivors]
    else:
        only = [m for m in every if f"{m.file}:{m.line}" in args.only]
        mutants = only or drawn(args.count, args.seed)
    survived = campaign(mutants, known, args.jobs)
    print(f"\n{len(mutants)} mutants, {len(mutants) - len(survived)} killed; survived:")
    for m in sorted(survived):
        print(m)


if __name__ == "__main__":
    main()
