"""What several test files use."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import click
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize, stats

from confroc import PairedScores, Scores
from confroc._progress import SHOWN


def slow(values: Iterable[Any], *slow_values: Any) -> list[Any]:
    """Return parameters for `parametrize`, with those of `slow_values` marked slow."""
    marked = set(slow_values)
    return [pytest.param(v, marks=pytest.mark.slow) if v in marked else v for v in values]


# --- samples -------------------------------------------------------------------------------------------


def sample_arrays(
    rng: int | np.random.Generator, n_pos: int, n_neg: int, shift: float = 1.0
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Labels and normal scores; those of positives are higher by `shift`."""
    rng = np.random.default_rng(rng)
    scores = np.concatenate([shift + rng.standard_normal(n_pos), rng.standard_normal(n_neg)])
    return np.arange(n_pos + n_neg) < n_pos, scores


def sample(rng: int | np.random.Generator, n_pos: int, n_neg: int, shift: float = 1.0) -> Scores:
    """The scores of `sample_arrays`."""
    return Scores(*sample_arrays(rng, n_pos, n_neg, shift))


def paired_sample(seed: int, n_pos: int, n_neg: int, shift: tuple[float, float]) -> PairedScores:
    """Two correlated normal scores of each case; those of positives are higher by `shift`."""
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [n_pos, n_neg])
    common = rng.standard_normal(len(y))
    return PairedScores(y, *(s * y + 0.7 * common + 0.7 * rng.standard_normal(len(y)) for s in shift))


def table(rows: Iterable[tuple[int, int]]) -> Scores:
    """Scores 0, 1, … with counts of positives and negatives."""
    pos, neg = zip(*rows, strict=True)
    return Scores.from_counts(range(len(pos)), pos, neg)


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


# --- commands ------------------------------------------------------------------------------------------


class Done(NamedTuple):
    """What a command printed, and its exit code."""

    exit_code: int
    stdout: str
    stderr: str

    @property
    def output(self) -> str:
        return self.stdout + self.stderr


def invoke(command: click.Command, args: Iterable[str], input: str | bytes = b"") -> Done:
    """Run a command in this process, with its own standard streams; click's runner differs by version."""
    given = input.encode() if isinstance(input, str) else input
    stdin, stdout, stderr = (io.TextIOWrapper(io.BytesIO(data), "utf-8") for data in (given, b"", b""))
    with (
        patch.multiple(sys, stdin=stdin, stdout=stdout, stderr=stderr),
        pytest.raises(SystemExit) as ended,
    ):
        command.main(list(args), prog_name="confroc")
    printed = []
    for stream in (stdout, stderr):
        stream.seek(0)
        printed.append(stream.read())
    return Done(int(ended.value.code or 0), *printed)


# --- references ----------------------------------------------------------------------------------------


def wins(pos: NDArray[Any], neg: NDArray[Any]) -> NDArray[np.float64]:
    """1 where a positive's score is above a negative's, 0.5 where they are equal, by definition."""
    return np.asarray(0.5 * (np.sign(pos[:, None] - neg) + 1.0))


def quantile(law: Mapping[Fraction, Fraction], prob: float) -> float:
    """The least value of a discrete distribution with at least this probability up to it."""
    total = Fraction(0)
    for value in sorted(law):
        total += law[value]
        if float(total) >= prob * (1 - 1e-12):
            return float(value)
    raise AssertionError


def gap_in_probability(replicates: Any, ends: Any, level: Any) -> Any:
    """How far the two exact quantiles are from being quantiles of the replicates, as probabilities."""
    low, high = (1 - level) / 2, (1 + level) / 2
    reached = [np.mean(replicates <= e + 1e-12) - p for e, p in zip(ends, (low, high), strict=True)]
    missed = [p - np.mean(replicates < e - 1e-12) for e, p in zip(ends, (low, high), strict=True)]
    return min(*reached, *missed)


def no_bare_token(token: str) -> float:
    """For `json.loads(…, parse_constant=…)`: NaN and Infinity are no JSON."""
    raise AssertionError(f"{token} is not JSON")


def mid_p_limit(k: int, n: int, z: float) -> float:
    """Lancaster's (1961) mid-P limit: ½P(X = k) and all counts beyond, from the binomial's own sums."""
    if z < 0.0:
        return 1.0 - mid_p_limit(n - k, n, -z)
    if k == n:
        return 1.0

    def short(p: float) -> float:
        return float(stats.binom.cdf(k - 1, n, p) + 0.5 * stats.binom.pmf(k, n, p) - stats.norm.sf(z))

    return float(optimize.brentq(short, 0.0, 1.0, xtol=1e-14))


def furthest(f: Callable[..., Any], counts: list[tuple[int, int]]) -> tuple[float, float]:
    """Least and largest f of three proportions whose mid-P deviates' squares add up to z² at 95%."""
    z, steps = float(stats.norm.ppf(0.975)), np.linspace(-1.0, 1.0, 201)
    limits = [np.array([mid_p_limit(k, n, z * t) for t in steps.tolist()]) for k, n in counts]
    polar, around = np.meshgrid(np.linspace(0.0, np.pi, 181), np.linspace(0.0, 2.0 * np.pi, 361))
    sphere = np.cos(polar), np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around)
    values = f(*(np.interp(x, steps, limit) for x, limit in zip(sphere, limits, strict=True)))
    return float(values.min()), float(values.max())


# --- progress ------------------------------------------------------------------------------------------


class Recorded:
    """Stands where bars are shown, and keeps each kind of work: its total, and what was reported of it."""

    def __init__(self) -> None:
        self.tasks: dict[str, tuple[float | None, list[float]]] = {}
        self.begun: list[str] = []
        self.running: set[int] = set()

    def add_task(self, what: str, *, total: float | None, poll: Any) -> int:  # noqa: ARG002
        self.tasks[what] = (total, [])
        self.begun.append(what)
        self.running.add(len(self.begun) - 1)
        return len(self.begun) - 1

    def advance(self, task: int, more: float) -> None:
        self.tasks[self.begun[task]][1].append(more)

    def remove_task(self, task: int) -> None:
        self.running.remove(task)


@contextmanager
def recorded() -> Iterator[Recorded]:
    """Record the work that is reported inside."""
    bars = Recorded()
    token = SHOWN.set(bars)
    try:
        yield bars
    finally:
        SHOWN.reset(token)
