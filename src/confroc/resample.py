"""Bootstrap resampling by counts.

A resample of a table of counts is another table of counts over the same rows, so nothing is ever
sorted again. Each replicate has a random stream of its own, derived from the caller's generator and
the replicate's number: results do not depend on how many threads shared the work.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from confroc import _kernels
from confroc._check import (
    MOST_RESAMPLES,
    ArgumentError,
    check_choice,
    check_count,
    check_jobs,
    check_settings,
    make_rng,
)
from confroc._kernels.draw import count_drawn
from confroc._types import RNG, Ends, FloatArray, IntArray, Sampling
from confroc.methods import Method
from confroc.scores.counting import Counts

Cases32: TypeAlias = NDArray[np.int32]
Item = TypeVar("Item")
Out = TypeVar("Out")
Draw: TypeAlias = Callable[..., FloatArray]
"""`resample` with its options filled in: takes a statistic, a table and the size."""

Tails: TypeAlias = Literal["symmetric", "basic", "percentile"]
TAILS: tuple[Tails, ...] = get_args(Tails)

SAMPLINGS: tuple[Sampling, ...] = ("stratified", "full")

N_RESAMPLES = 2000
"""Resamples of an interval, by default."""

N_BAND_RESAMPLES = 999
"""Resamples of a band, by default; (B + 1)·level is then a whole number at the usual levels."""

COMPILE = 20_000_000
"""Cases to draw, over all replicates, from which a compiled kernel repays loading the compiler."""


def compiles(size: tuple[int, int], n_resamples: int) -> bool:
    """Whether there is so much to draw that statistics, too, should be compiled."""
    return sum(size) * n_resamples >= COMPILE


def spawn(rng: RNG, n: int) -> list[np.random.SeedSequence]:
    """Return one seed per replicate; the generator advances by a fixed amount."""
    entropy = make_rng(rng).integers(0, 2**32, size=8, dtype=np.uint64)
    return np.random.SeedSequence(entropy.tolist()).spawn(n)


def draw(
    generator: np.random.Generator,
    counts: IntArray,
    cases: Cases32 | range | None,
    m: int,
    count: Callable[..., None] | None = None,
) -> IntArray:
    """Draw m cases with replacement from a table; return how many fell on each row.

    `cases` is the row of every case (`np.repeat(arange, counts)`, a range when each row holds one), or None
    to draw row by row, which is the quicker way when rows are few. `count` is the compiled `count_drawn`, for
    the same result without holding up other threads.
    """
    if cases is None:
        return generator.multinomial(m, counts / counts.sum())
    drawn = generator.integers(len(cases), size=m, dtype=np.uint32)
    if isinstance(cases, range):
        return np.bincount(drawn, minlength=len(counts))
    if count is None:
        return np.bincount(cases[drawn], minlength=len(counts))
    result = np.zeros(len(counts), np.int64)
    count(cases, drawn, result)
    return result


def _cases(counts: IntArray, m: int) -> Cases32 | range | None:
    # A binomial draw costs about ten uniform ones.
    if 10 * np.count_nonzero(counts) < m:
        return None
    if (counts == 1).all():
        return range(len(counts))
    # Half the memory; tables of 2**31 rows do not fit one machine's anyway.
    return np.repeat(np.arange(len(counts), dtype=np.int32), counts)


def resample(
    statistic: Callable[..., FloatArray],
    table: Counts,
    n_resamples: int,
    rng: RNG,
    *,
    size: tuple[int, int],
    sampling: Sampling = "stratified",
    n_jobs: int = 1,
    randomised: bool = False,
) -> FloatArray:
    """Evaluate a statistic on bootstrap resamples of a table of counts.

    Parameters
    ----------
    statistic : callable
        Takes the resampled counts (pos, neg), each of shape (d,), and returns an array of fixed shape.
    table : Scores, PairedScores or Cells
    n_resamples : int
    rng : Generator, SeedSequence, int or None
    size : (int, int)
        (m_pos, m_neg). Under "full" only their sum counts.
    sampling : {"stratified", "full"}
        "stratified" draws each class by itself, sizes fixed. "full" draws from both together, so class
        sizes vary; a resample without one of the classes is drawn again.
    n_jobs : int
        Threads, each of which takes one run of consecutive replicates, by joblib: inside
        `joblib.parallel_config("dask")` the workers of a cluster take them, for any number but 1. The result
        does not depend on it. Kernels run on one thread each, so that jobs and threads never multiply.
    randomised : bool
        Pass the replicate's own generator to `statistic` as a third argument.

    Returns
    -------
    ndarray of shape (n_resamples, ...)
    """
    check_jobs(n_jobs)
    seeds = spawn(rng, n_resamples)
    pos, neg = table.pos, table.neg
    m_pos, m_neg = size
    m_both = m_pos + m_neg
    if sampling == "stratified":
        both, rows = pos[:0], (_cases(pos, m_pos), _cases(neg, m_neg))
    else:
        both = np.concatenate([pos, neg])
        rows = _cases(both, m_both), None
    # Drawn row by row, or where each row holds one case, nothing is left to compile.
    many = compiles(size, n_resamples) and any(isinstance(row, np.ndarray) for row in rows)

    def one(seed: np.random.SeedSequence) -> FloatArray:
        # Machine code stays where it was made: each process has its own.
        count = _kernels.compiled(count_drawn) if many else None
        generator = np.random.Generator(np.random.SFC64(seed))
        if sampling == "stratified":
            p, q = draw(generator, pos, rows[0], m_pos, count), draw(generator, neg, rows[1], m_neg, count)
        else:
            p = q = pos[:0]
            while not (p.any() and q.any()):
                drawn = draw(generator, both, rows[0], m_both, count)
                p, q = drawn[: len(pos)], drawn[len(pos) :]
        extra: tuple[Any, ...] = (generator,) if randomised else ()
        return statistic(p, q, *extra)

    def run(part: list[np.random.SeedSequence]) -> list[FloatArray]:
        return [one(seed) for seed in part]

    if n_jobs == 1:
        return np.array(run(seeds))
    import joblib

    workers = min(joblib.effective_n_jobs(n_jobs), n_resamples)
    starts = np.linspace(0, n_resamples, workers + 1).astype(int).tolist()
    parts = joblib.Parallel(n_jobs=n_jobs, prefer="threads")(
        joblib.delayed(run)(seeds[i:j]) for i, j in itertools.pairwise(starts)
    )
    return np.array([value for part in parts for value in part])


def resamples_or(default: int, n_resamples: object, *, minimum: int = 1) -> int:
    """Return the number of resamples, the default where the caller left it out."""
    count = default if n_resamples is None else n_resamples
    return check_count("n_resamples", count, minimum=minimum, maximum=MOST_RESAMPLES)


def least_resamples(level: float) -> int:
    """Return how many resamples a level needs: one must be expected beyond each end of an interval."""
    # One minus a level is known to some 1e-12 of itself only: 2/(1 - 0.9998) is 10,000 and a trifle.
    return math.ceil(2.0 / (1.0 - level) * (1.0 - 1e-9))


def check_resamples(n_resamples: object, level: float, default: int = N_RESAMPLES) -> int:
    """Return the number of resamples; there must be as many as the level needs."""
    needed = least_resamples(level)
    count = resamples_or(default, n_resamples)
    if count < needed:
        raise ArgumentError(
            "n_resamples",
            f"be at least 2/(1 - {level:.6g}) = {needed}, so that both tails hold a resample",
            count,
            f"Ask for {needed} or more, or for a lower level."
            if needed <= MOST_RESAMPLES
            else "Ask for a lower level.",
        )
    return count


def check_sampling(sampling: object, *, only: tuple[Sampling, ...] = SAMPLINGS, method: str = "") -> Sampling:
    """Return the way of resampling, where `method` has no other than those of `only`."""
    check_choice("sampling", sampling, SAMPLINGS)
    if sampling not in only:
        raise ArgumentError(
            "sampling", f"be {only[0]!r} with method {method!r}", sampling, "Use method 'bootstrap'."
        )
    return "full" if sampling == "full" else "stratified"


def check_draws(
    row: Method, level: float, n_resamples: int | None, rng: RNG, sampling: Sampling, n_jobs: int
) -> Draw:
    """Return `resample` with a method's options checked, and their defaults where they were left out."""
    check_settings(rng, n_jobs)
    only = SAMPLINGS if "sampling" in row.options else SAMPLINGS[:1]
    sampling = check_sampling(sampling, only=only, method=row.name)
    if "n_resamples" not in row.options:
        return functools.partial(resample, sampling=sampling)
    count = check_resamples(n_resamples, level)
    return functools.partial(resample, n_resamples=count, rng=make_rng(rng), sampling=sampling, n_jobs=n_jobs)


def tails(level: float) -> tuple[float, float]:
    """Return the two probabilities between which a central interval lies."""
    return (1.0 - level) / 2.0, (1.0 + level) / 2.0


def percentiles(replicates: FloatArray, probabilities: tuple[float, ...]) -> FloatArray:
    """Return percentiles of resampled values, along the first axis.

    A percentile is the smallest value whose cumulative share reaches the level, the same definition as
    for the exact laws, so that the two methods agree in the limit.
    """
    return np.quantile(replicates, probabilities, axis=0, method="inverted_cdf")


def percentile_ends(replicates: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Return the two percentiles between which a central interval lies, along the first axis."""
    low, high = percentiles(replicates, tails(level))
    return low, high


def critical_rank(n_resamples: int, level: float) -> int:
    """Rank of the resampled value that bounds a new one with at least `level`: ⌈(B + 1)·level⌉, at most B."""
    return min(n_resamples, math.ceil((n_resamples + 1) * level * (1.0 - 1e-12)))


def critical_value(values: FloatArray, level: float) -> float:
    """Return the order statistic of the resampled values that bounds a new one with at least `level`."""
    return float(np.sort(values)[critical_rank(len(values), level) - 1])


def error_ends(errors: FloatArray, level: float, tails: Tails) -> Ends:
    """How far an interval's ends lie from its estimate, by the errors of resamples along the first axis.

    "symmetric": as far on either side as the critical value of the absolute errors. The others leave out the
    same share on either side: "basic" takes the resampled error for the sample's own, so that its upper
    quantile is the distance of the lower end; "percentile" adds the errors to the estimate.
    """
    if tails == "symmetric":
        half = np.sort(np.abs(errors), axis=0)[critical_rank(len(errors), level) - 1]
        return -half, half
    low, high = percentile_ends(errors, level)
    return (low, high) if tails == "percentile" else (-high, -low)


def in_threads(func: Callable[[Item], Out], items: Sequence[Item], n_jobs: int) -> list[Out]:
    """Map a function over items, in order, on `n_jobs` threads."""
    if check_jobs(n_jobs) == 1:
        return [func(item) for item in items]
    import joblib

    call = joblib.delayed(func)
    found: list[Out] = joblib.Parallel(n_jobs=n_jobs, prefer="threads")(call(item) for item in items)
    return found
