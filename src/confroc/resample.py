"""Bootstrap resampling by counts.

A resample of a table of counts is another table of counts on the same rows, so nothing is sorted again; its
counts are multinomial. Seeds belong to groups of resamples, and the sampling algorithm depends on sizes only,
so results do not depend on the number of threads or on earlier calls.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np

from confroc import _kernels
from confroc._check import (
    MOST_RESAMPLES,
    ArgumentError,
    DesignError,
    check_choice,
    check_count,
    check_jobs,
    make_rng,
)
from confroc._kernels.draw import RUN, draw_cases
from confroc._progress import work
from confroc._types import RNG, Ends, FloatArray, IntArray, Sampling
from confroc.base import Method
from confroc.scores import Design
from confroc.scores.counting import Counts

Item = TypeVar("Item")
Out = TypeVar("Out")
Draw: TypeAlias = Callable[..., FloatArray]
"""`resample` with its options bound; accepts a statistic, a table and the size."""

Sampler: TypeAlias = Callable[[np.random.Generator, IntArray], None]
"""Fills an array of shape (r, d) with the counts of r resamples."""

Tails: TypeAlias = Literal["symmetric", "basic", "percentile"]

SAMPLINGS: tuple[Sampling, ...] = ("stratified", "full")

N_RESAMPLES = 2000
"""Default number of resamples of an interval."""

N_BAND_RESAMPLES = 999
"""Default number of resamples of a band; (B + 1)·level is an integer at the usual levels."""

MUCH = 20_000_000
"""Total number of cases to draw from which compiled kernels and threads are faster."""

GROUP = 128
"""Number of resamples per seed and thread, for large problems."""

BLOCK = 2**13
"""Block size of numpy, in cases; larger arrays are returned to the system at every step."""

COMPILED_BLOCK = 2**16
"""Block size of a kernel, in cases; fits the cache."""

MOST_KEPT = 2**28
"""Maximum number of values kept over all resamples: 2 GiB, copied by results."""

SEED = 48
"""Memory of a seed, in numbers."""


def check_kept(n_resamples: int, each: int) -> None:
    """Raise if the values of all resamples do not fit into memory."""
    if n_resamples * each > MOST_KEPT:
        most = MOST_KEPT // each
        rule = f"be at most {most:,} to fit {each:,} numbers per resample into memory"
        remedy = "Use fewer resamples, or a lower level."
        raise ArgumentError("n_resamples", rule, n_resamples, remedy)


def spawn(rng: RNG, n: int) -> list[np.random.SeedSequence]:
    """Return one seed per replicate; advances the generator by a fixed amount."""
    check_kept(n, SEED)
    entropy = make_rng(rng).integers(0, 2**32, size=8, dtype=np.uint64)
    return np.random.SeedSequence(entropy.tolist()).spawn(n)


# --- drawing by counts ---------------------------------------------------------------------------------


def is_much(size: tuple[int, int], n_resamples: int) -> bool:
    """Whether to use compiled kernels and threads. Large tables are built by kernels anyway."""
    return sum(size) >= _kernels.BIG or sum(size) * n_resamples >= MUCH


def multinomial(counts: IntArray, m: int, *, compiled: bool) -> Sampler:
    """Return a sampler that draws m cases with replacement and counts them by row."""
    d, n = len(counts), int(counts.sum())

    def by_row(generator: np.random.Generator, out: IntArray) -> None:
        out[:] = generator.multinomial(m, counts / n, size=len(out))

    # A binomial number costs as much as ten cases.
    if 10 * np.count_nonzero(counts) < m:
        return by_row
    tied = not (counts == 1).all()
    # Tables of 2**31 rows do not fit into memory.
    rows = np.repeat(np.arange(d, dtype=np.int32), counts) if tied else np.zeros(0, np.int32)
    runs = np.diff(np.append(np.arange(0, n, RUN), n)) / n

    def by_case(generator: np.random.Generator, out: IntArray) -> None:
        # Twice as fast as `integers`; the relative error of each probability is n·2⁻⁵³.
        row: Any = (generator.random((len(out), m)) * n).astype(np.intp)
        row = rows.take(row) if tied else row
        row = row + d * np.arange(len(out))[:, None]
        out[:] = np.bincount(row.ravel(), minlength=out.size).reshape(out.shape)

    def by_kernel(generator: np.random.Generator, out: IntArray) -> None:
        # Compiled code is not picklable; each process has its own.
        _kernels.compiled(draw_cases)(generator, generator.multinomial(m, runs, size=len(out)), rows, out)

    return by_kernel if compiled else by_case


def resample(
    statistic: Callable[..., FloatArray],
    table: Counts,
    n_resamples: int,
    rng: RNG,
    *,
    size: tuple[int, int],
    sampling: Sampling = "stratified",
    n_jobs: int = 1,
    randomized: bool = False,
    vectorized: bool = False,
) -> FloatArray:
    """Evaluate a statistic on bootstrap resamples of a table of counts.

    Parameters
    ----------
    statistic : callable
        Accepts the resampled counts (pos, neg), each of shape (d,), and returns an array of fixed shape. The
        counts are overwritten by the next resample.
    table : Scores, PairedScores or Cells
        For weighted, clustered or stratified cases, whole clusters are drawn in each stratum.
    n_resamples : int
    rng : Generator, SeedSequence, int or None
    size : (int, int)
        (m_pos, m_neg). With "full" only their sum is used. Ignored for clusters.
    sampling : {"stratified", "full"}
        "stratified" resamples each class separately, with fixed sizes. "full" resamples all cases, so class
        sizes vary; a resample without one of the classes is drawn again.
    n_jobs : int
        Threads, by joblib; inside `joblib.parallel_config("dask")` the workers of a cluster, for any number
        but 1. Small problems run in the calling thread. The result does not depend on it. Kernels use one
        thread each, so jobs and threads do not multiply.
    randomized : bool
        Pass a generator to `statistic` as third argument.
    vectorized : bool
        `statistic` accepts the counts of several resamples, of shape (r, d), and returns r rows.

    Returns
    -------
    ndarray of shape (n_resamples, ...)
    """
    check_jobs(n_jobs)
    design: Design | None = getattr(table, "design", None)
    if design is not None:
        drawn = cluster_draw(design, sampling)
        return by_generator(
            lambda generator: statistic(*replace(design, count=drawn(generator)).counts(len(table.pos))),
            n_resamples,
            rng,
            n_jobs,
        )
    d_pos, much = len(table.pos), is_much(size, n_resamples)
    if sampling == "stratified":
        parts = [(table.pos, size[0]), (table.neg, size[1])]
    else:
        parts = [(np.concatenate([table.pos, table.neg]), sum(size))]
    samplers = [multinomial(*part, compiled=much) for part in parts]
    # Cost of a resample, in cases.
    each = max(max(len(counts), min(m, 10 * len(counts))) for counts, m in parts)
    at_once = min(GROUP, max(1, (COMPILED_BLOCK if much else BLOCK) // each))
    starts = range(0, n_resamples, GROUP if much else n_resamples)
    entropy = make_rng(rng).integers(0, 2**32, size=8).tolist()

    def draw(generator: np.random.Generator, room: Sequence[IntArray]) -> Sequence[IntArray]:
        for sampler, out in zip(samplers, room, strict=True):
            sampler(generator, out)
        if sampling == "stratified":
            return room
        both = room[0]
        pos, neg = both[:, :d_pos], both[:, d_pos:]
        while len(lacking := np.flatnonzero(~(pos.any(axis=1) & neg.any(axis=1)))):
            again = both[lacking]
            samplers[0](generator, again)
            both[lacking] = again
        return pos, neg

    def of_group(start: int) -> FloatArray:
        seed, found = np.random.SeedSequence(entropy, spawn_key=(start,)), []
        generator = np.random.Generator(np.random.SFC64(seed))
        extra = (generator,) if randomized else ()
        room = [np.empty((at_once, len(counts)), np.int64) for counts, _ in parts]
        stop = min(start + starts.step, n_resamples)
        for first in range(start, stop, at_once):
            pos, neg = draw(generator, [out[: stop - first] for out in room])
            if vectorized:
                found.append(statistic(pos, neg, *extra))
            else:
                found.append(np.array([statistic(p, q, *extra) for p, q in zip(pos, neg, strict=True)]))
            check_kept(n_resamples, found[0][0].size)
            report(len(found[-1]))
        return np.concatenate(found)

    with work("resamples", n_resamples) as report:
        return np.concatenate(in_threads(of_group, starts, n_jobs if much else 1))


def units_of(design: Design) -> IntArray:
    """Return the cluster of each cell, or the cell itself without clusters; raise for two identifiers."""
    if len(design.clusters) > 1:
        rule = "have one identifier per row for resampling"
        raise DesignError("cluster", rule, "two", "Use a method that does not resample.")
    return design.clusters[0].code if design.clusters else np.arange(len(design.row))


def exchangeable(design: Design, unit: IntArray, *, by_class: bool) -> list[IntArray]:
    """Return the units of each stratum, and of each class if `by_class` and no cluster has both."""
    side = design.positive
    group = np.zeros(int(unit.max()) + 1, np.int64)
    group[unit] = 0 if design.stratum is None else design.stratum.code
    if by_class and not np.intersect1d(unit[side], unit[~side]).size:
        group[unit] = 2 * group[unit] + side
    return [np.flatnonzero(group == g) for g in np.unique(group)]


def cluster_draw(design: Design, sampling: Sampling) -> Callable[[np.random.Generator], IntArray]:
    """Return a sampler of whole clusters, or weighted cases, in each stratum: drawn cases of each cell.

    With "stratified" sampling clusters of one class are drawn by class, as cases are; clusters of both
    classes are drawn from all. A resample without one of the classes is drawn again.
    """
    code, side = units_of(design), design.positive
    groups = exchangeable(design, code, by_class=sampling == "stratified")
    one = np.ones(len(side), np.int64)
    each, units = (design.count, one[: int(code.max()) + 1]) if design.clusters else (one, design.count)

    def draw(generator: np.random.Generator) -> IntArray:
        times = np.zeros(len(units), np.int64)
        while True:
            for at in groups:
                n = int(units[at].sum())
                times[at] = generator.multinomial(n, units[at] / n)
            drawn = each * times[code]
            if drawn[side].any() and drawn[~side].any():
                return drawn

    return draw


def resamples_or(default: int, n_resamples: object, *, minimum: int = 1) -> int:
    """Return the number of resamples, or the default."""
    count = default if n_resamples is None else n_resamples
    return check_count("n_resamples", count, minimum=minimum, maximum=MOST_RESAMPLES)


def least_resamples(level: float) -> int:
    """Return the minimum number of resamples: one is expected beyond each limit of an interval."""
    # 1 − level has a relative error of 1e-12: 2/(1 − 0.9998) is slightly above 10,000.
    return math.ceil(2.0 / (1.0 - level) * (1.0 - 1e-9))


def check_resamples(n_resamples: object, level: float, default: int = N_RESAMPLES) -> int:
    """Return the number of resamples; default: `default`, or as many as the level needs.

    Raise if a given number is too small for the level.
    """
    needed = least_resamples(level)
    count = resamples_or(max(default, needed) if needed <= MOST_RESAMPLES else default, n_resamples)
    if count < needed:
        raise ArgumentError(
            "n_resamples",
            f"be at least {needed} at this level",
            count,
            "Use more resamples, or a lower level.",
        )
    return count


def check_sampling(sampling: object) -> Sampling:
    """Check the resampling scheme."""
    check_choice("sampling", sampling, SAMPLINGS)
    return "full" if sampling == "full" else "stratified"


def draws_of(method: Method, level: float, *, sampling: Sampling = "stratified", **settings: Any) -> Draw:
    """Return `resample` bound to the settings of a method; by default as many resamples as needed."""
    own: Any = method
    count = check_resamples(own.n_resamples, level)
    settings = {"n_resamples": count, "rng": make_rng(own.rng), "n_jobs": own.n_jobs, **settings}
    return functools.partial(resample, sampling=getattr(own, "sampling", None) or sampling, **settings)


def tails(level: float) -> tuple[float, float]:
    """Return the two tail probabilities of a central interval."""
    return (1.0 - level) / 2.0, (1.0 + level) / 2.0


def percentiles(replicates: FloatArray, probabilities: tuple[float, ...]) -> FloatArray:
    """Return percentiles of resampled values, along the first axis.

    A percentile is the smallest value with cumulative proportion >= the level, as for exact distributions, so
    that both agree in the limit.
    """
    return np.quantile(replicates, probabilities, axis=0, method="inverted_cdf")


def percentile_ends(replicates: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Return the two percentiles of a central interval, along the first axis."""
    return tuple(percentiles(replicates, tails(level)))


def critical_rank(n_resamples: int, level: float) -> int:
    """Rank of the critical resampled value at `level`: ⌈(B + 1)·level⌉, at most B."""
    return min(n_resamples, math.ceil((n_resamples + 1) * level * (1.0 - 1e-12)))


def critical_value(values: FloatArray, level: float) -> float:
    """Return the critical resampled value at `level`, an order statistic."""
    return float(np.sort(values)[critical_rank(len(values), level) - 1])


def error_ends(errors: FloatArray, level: float, tails: Tails) -> Ends:
    """Distances of the limits from the estimate, from errors of resamples along the first axis.

    "symmetric": the critical value of the absolute errors on both sides. The others exclude the same
    proportion on both sides: "basic" takes the resampled error for that of the sample, so that its upper
    quantile is the distance of the lower limit; "percentile" adds the errors to the estimate.
    """
    if tails == "symmetric":
        half = np.sort(np.abs(errors), axis=0)[critical_rank(len(errors), level) - 1]
        return -half, half
    low, high = percentile_ends(errors, level)
    return (low, high) if tails == "percentile" else (-high, -low)


def by_generator(
    one: Callable[[np.random.Generator], FloatArray], n_resamples: int, rng: RNG, n_jobs: int
) -> FloatArray:
    """Evaluate a function of a generator in threads, once per resample; shape (n_resamples, ...)."""

    def of_seed(seed: np.random.SeedSequence) -> FloatArray:
        found = one(np.random.Generator(np.random.SFC64(seed)))
        report(1)
        return found

    seeds = spawn(rng, n_resamples)
    check_kept(n_resamples, one(np.random.Generator(np.random.SFC64(seeds[0]))).size)
    with work("resamples", n_resamples) as report:
        return np.array(in_threads(of_seed, seeds, n_jobs))


def in_threads(func: Callable[[Item], Out], items: Sequence[Item], n_jobs: int) -> list[Out]:
    """Map a function over items, in order, on `n_jobs` threads."""
    if check_jobs(n_jobs) == 1:
        return [func(item) for item in items]
    import joblib

    call = joblib.delayed(func)
    # Batches of small items reduce the overhead.
    batch = max(1, len(items) // (4 * joblib.effective_n_jobs(n_jobs)))
    threads = joblib.Parallel(n_jobs=n_jobs, prefer="threads", batch_size=batch)
    found: list[Out] = threads(call(item) for item in items)
    return found
