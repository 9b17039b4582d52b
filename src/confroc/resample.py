"""Bootstrap resampling by counts.

A resample of a table of counts is another table of counts over the same rows, so nothing is ever sorted
again. Every random number is a function of a key that the caller's generator gives, the replicate's number
and its place in it: results do not depend on how many threads shared the work, nor on whether compiled code
or numpy drew.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from confroc import _kernels
from confroc._check import (
    MOST_RESAMPLES,
    ArgumentError,
    check_choice,
    check_count,
    check_jobs,
    make_rng,
)
from confroc._kernels.draw import BYTES, CASES, MORE_BITS, STREAMS, UNSURE, draw_counts
from confroc._types import RNG, Ends, FloatArray, IntArray, Sampling
from confroc.base import Method
from confroc.scores.counting import Counts

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

COMPILE = 60_000_000
"""Cases that a process draws, over all replicates, from which a compiled kernel repays its loading."""

SHARED = 20_000_000
"""Cases to draw from which threads repay loading joblib and setting them up."""

_drawn = 0
"""Cases that this process has drawn without a compiled kernel: whoever draws so much will draw more."""

GROUP = 128
"""Replicates that share one of numpy's generators, where one is needed; a thread takes whole groups."""

BLOCK = 2**16
"""Cases that are drawn at a time, so that counts are still in the cache when the statistic reads them."""

SLACK = 3.0
"""Standard deviations of a Poisson sum by which its mean stays below the draws that are wanted."""

ATTEMPTS = 2**16
"""Streams between those of drawing again for want of a class: more than drawing too many ever takes."""


MOST_KEPT = 2**28
"""Most numbers that resamples keep together: 2 GiB, of which results take copies."""

SEED = 48
"""Numbers that take as much memory as a seed."""


def check_kept(n_resamples: int, each: int) -> None:
    """Refuse resamples that keep so many numbers each that all together are more than memory should hold."""
    if n_resamples * each > MOST_KEPT:
        most = MOST_KEPT // each
        rule = f"be at most {most:,}, so that {each:,} numbers of each resample fit into memory"
        remedy = "Ask for fewer resamples, and where the level needs so many, for a lower level."
        raise ArgumentError("n_resamples", rule, n_resamples, remedy)


def spawn(rng: RNG, n: int) -> list[np.random.SeedSequence]:
    """Return one seed per replicate; the generator advances by a fixed amount."""
    check_kept(n, SEED)
    entropy = make_rng(rng).integers(0, 2**32, size=8, dtype=np.uint64)
    return np.random.SeedSequence(entropy.tolist()).spawn(n)


# --- drawing by counts ---------------------------------------------------------------------------------


class Urn(NamedTuple):
    """What draws m of n cases, of one class or of both together, from a table of d rows.

    Attributes
    ----------
    d, n, m : int
    rows : ndarray of int32
        The row of every case, ascending; empty where every row is one case.
    lookup, cut : ndarray
        The Poisson law of how often a case is drawn (`_kernels.draw`): the number of every eight bits, and
        the 40-bit values from which it is larger.
    more, rest : int
        Blocks of eight 32-bit random numbers of a replicate: for what eight bits do not decide, and for the
        cases that are drawn one by one. Eight standard deviations more than are wanted on average.
    share : ndarray, optional
        Each row's share of the cases, where rows are so few that each is quicker drawn as a whole.
    """

    d: int
    n: int
    m: int
    rows: NDArray[np.int32]
    lookup: NDArray[np.int8]
    cut: IntArray
    more: int
    rest: int
    share: FloatArray | None

    @classmethod
    def of(cls, counts: IntArray, m: int) -> Urn:
        """Return what draws m cases from counts."""
        d, n = len(counts), int(counts.sum())
        rows, share = np.zeros(0, np.int32), None
        # A binomial draw costs about ten uniform ones.
        if 10 * np.count_nonzero(counts) < m:
            share = counts / n
        elif not (counts == 1).all():
            # Tables of 2**31 rows do not fit one machine's memory.
            rows = np.repeat(np.arange(d, dtype=np.int32), counts)
        lacking = min(float(m), SLACK * math.sqrt(m))
        lookup, cut = poisson_table((m - lacking) / n if share is None else 0.0)
        unsure = n * float(np.mean(lookup == UNSURE))
        spread = 8.0 * math.sqrt(unsure), 8.0 * math.sqrt(m)
        more, rest = (
            1 + math.ceil((mean + far) / 8) for mean, far in zip((unsure, lacking), spread, strict=True)
        )
        return cls(d, n, m, rows, lookup, cut, more, rest, share)

    def fill(self, key: np.uint64, replicates: IntArray, stream: int, out: IntArray, fast: bool) -> None:
        """Fill `out`, of shape (replicates, d), with the counts of consecutive replicates."""
        if fast:
            draw = _kernels.compiled(draw_counts)
            law = self.lookup, self.cut, self.n, self.m
            draw(key, replicates, stream, *law, self.more, self.rest, self.rows, out)
            return
        drawn = self.counts_of_cases(key, replicates, stream)
        if not len(self.rows):
            out[:] = drawn
            return
        starts = np.flatnonzero(np.diff(self.rows, prepend=-1))
        out[:] = 0
        out[:, self.rows[starts]] = (
            np.add.reduceat(drawn, starts, axis=1, dtype=np.int64) if len(starts) < self.n else drawn
        )

    def counts_of_cases(self, key: np.uint64, replicates: IntArray, stream: int) -> NDArray[np.int16]:
        """How often each case is drawn, shape (replicates, n): what the compiled kernel does, by numpy."""
        first, r, n = int(replicates[0]), len(replicates), self.n
        byte = _random(key, stream + BYTES, first, r, -(-n // 32)).view(np.uint8)
        found = np.frombuffer(bytearray(byte).translate(self.lookup.tobytes()), np.int8)
        number = found.reshape(r, -1)[:, :n].astype(np.int16)
        replicate, case = np.divmod(np.flatnonzero(number == UNSURE), n)
        bits = _random(key, stream + MORE_BITS, first, r, self.more).view(np.uint32)
        nth = np.arange(len(replicate)) - np.searchsorted(replicate, replicate)
        more = bits[replicate, nth % bits.shape[1]].astype(np.int64)
        value = (byte[replicate, case].astype(np.int64) << 32) | more
        number[replicate, case] = np.searchsorted(self.cut, value, side="right")
        lacking = self.m - number.sum(axis=1, dtype=np.int64)
        bits = _random(key, stream + CASES, first, r, self.rest).view(np.uint32)
        wanted = np.arange(max(0, int(lacking.max()))) < lacking[:, None]
        picked = bits[:, np.arange(wanted.shape[1]) % bits.shape[1]][wanted].astype(np.int64) * n >> 32
        picked += np.repeat(np.arange(r) * n, np.maximum(lacking, 0))
        np.add.at(number.reshape(-1), picked, np.int16(1))
        for again in np.flatnonzero(lacking < 0):
            number[again] = self.counts_of_cases(key, replicates[again : again + 1], stream + STREAMS)
        return number


def _random(key: np.uint64, stream: int, first: int, replicates: int, blocks: int) -> NDArray[np.uint64]:
    """Blocks of a stream for consecutive replicates, shape (replicates, 4·blocks)."""
    source = np.random.Philox(key=np.array([key, stream], np.uint64), counter=first * blocks)
    words: NDArray[np.uint64] = source.random_raw(4 * blocks * replicates).astype("<u8", copy=False)
    return words.reshape(replicates, -1)


@functools.lru_cache(maxsize=64)
def poisson_table(mean: float) -> tuple[NDArray[np.int8], IntArray]:
    """Return the Poisson number of every eight bits, or `UNSURE`, and where 40 bits reach the next number."""
    cdf = special.pdtr(np.arange(128), mean)
    cut = np.rint(cdf * 2.0**40).astype(np.int64)
    cut = cut[: np.searchsorted(cut, 2**40) + 1]
    first = np.arange(256, dtype=np.int64) << 32
    low, high = (np.searchsorted(cut, value, side="right") for value in (first, first + (2**32 - 1)))
    return np.where(low == high, low, UNSURE).astype(np.int8), cut


def compiles(size: tuple[int, int], n_resamples: int, kernel: Callable[..., Any]) -> bool:
    """Whether a kernel should be compiled: there is much to do, or has been, or it is there already."""
    return _drawn + sum(size) * n_resamples >= COMPILE or _kernels.at_hand(kernel)


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
    vectorized: bool = False,
) -> FloatArray:
    """Evaluate a statistic on bootstrap resamples of a table of counts.

    Parameters
    ----------
    statistic : callable
        Takes the resampled counts (pos, neg), each of shape (d,), and returns an array of fixed shape. The
        counts are overwritten by the next resample's.
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
        `joblib.parallel_config("dask")` the workers of a cluster take them, for any number but 1. Little
        work is done by the caller, whatever the number, and the result does not depend on it. Kernels run
        on one thread each, so that jobs and threads never multiply.
    randomised : bool
        Pass a generator to `statistic` as a third argument.
    vectorized : bool
        `statistic` takes the counts of several resamples, of shape (r, d), and returns r rows.

    Returns
    -------
    ndarray of shape (n_resamples, ...)
    """
    global _drawn
    check_jobs(n_jobs)
    key = make_rng(rng).integers(0, 2**64, dtype=np.uint64)
    d_pos = len(table.pos)
    if sampling == "stratified":
        urns = [Urn.of(table.pos, size[0]), Urn.of(table.neg, size[1])]
    else:
        urns = [Urn.of(np.concatenate([table.pos, table.neg]), sum(size))]
    whole = compiles(size, n_resamples, draw_counts)
    _drawn += 0 if whole else n_resamples * sum(urn.m for urn in urns if urn.share is None)
    numpy_draws = randomised or any(urn.share is not None for urn in urns)
    block = min(GROUP, 2 ** int(math.log2(max(1, BLOCK // max(urn.n for urn in urns)))))

    def fill(urn: int, replicates: IntArray, retry: int, out: IntArray, generator: Any) -> None:
        own = urns[urn]
        if own.share is not None:
            for row in out:
                row[:] = generator.multinomial(own.m, own.share)
                while len(urns) == 1 and not (row[:d_pos].any() and row[d_pos:].any()):
                    row[:] = generator.multinomial(own.m, own.share)
        else:
            # Machine code stays where it was made: each process has its own.
            own.fill(key, replicates, urn * ATTEMPTS**2 + retry * ATTEMPTS, out, whole)

    def run(part: range) -> FloatArray:
        room = [np.zeros((block, urn.d), np.int64) for urn in urns]
        values: FloatArray | None = None
        for start in range(part.start, part.stop, block):
            if start % GROUP == 0:
                generators = _generators(key, start // GROUP) if numpy_draws else [None] * 3
            replicates = np.arange(start, min(start + block, part.stop))
            drawn = [out[: len(replicates)] for out in room]
            for urn, out in enumerate(drawn):
                fill(urn, replicates, 0, out, generators[urn])
            if len(drawn) == 1:
                _draw_both(functools.partial(fill, 0, generator=generators[0]), replicates, drawn[0], d_pos)
                drawn = [drawn[0][:, :d_pos], drawn[0][:, d_pos:]]
            extra = (generators[-1],) if randomised else ()
            if vectorized:
                found = statistic(*drawn, *extra)
            else:
                found = np.stack([statistic(p, q, *extra) for p, q in zip(*drawn, strict=True)])
            if values is None:
                check_kept(n_resamples, found[0].size)
                values = np.empty((len(part), *found.shape[1:]), found.dtype)
            values[start - part.start : start - part.start + len(replicates)] = found
        return np.zeros(0) if values is None else values

    if n_jobs == 1 or sum(size) * n_resamples < SHARED:
        return run(range(n_resamples))
    import joblib

    groups = -(-n_resamples // GROUP)
    workers = min(joblib.effective_n_jobs(n_jobs), groups)
    ends = [min(n_resamples, GROUP * (groups * i // workers)) for i in range(workers)] + [n_resamples]
    parts = joblib.Parallel(n_jobs=n_jobs, prefer="threads")(
        joblib.delayed(run)(range(i, j)) for i, j in itertools.pairwise(ends)
    )
    return np.concatenate(parts)


def _generators(key: np.uint64, group: int) -> list[Any]:
    """Generators of one group of replicates, where other laws are drawn from: numpy's own Philox.

    The first draws positives, or both classes together, the second negatives; the third is the statistic's.
    """
    counter = np.array([0, 0, 0, group + 1], np.uint64)
    keys = (np.array([key, i], np.uint64) for i in range(3))
    return [np.random.Generator(np.random.Philox(key=own, counter=counter)) for own in keys]


def _draw_both(
    fill: Callable[[IntArray, int, IntArray], None], replicates: IntArray, drawn: IntArray, d_pos: int
) -> None:
    """Draw again what lacks a class, each replicate by itself."""
    for place in np.flatnonzero(~(drawn[:, :d_pos].any(axis=1) & drawn[:, d_pos:].any(axis=1))):
        own, retry = drawn[place : place + 1], 0
        while not (own[:, :d_pos].any() and own[:, d_pos:].any()):
            retry += 1
            fill(replicates[place : place + 1], retry, own)


def resamples_or(default: int, n_resamples: object, *, minimum: int = 1) -> int:
    """Return the number of resamples, the default where the caller left it out."""
    count = default if n_resamples is None else n_resamples
    return check_count("n_resamples", count, minimum=minimum, maximum=MOST_RESAMPLES)


def least_resamples(level: float) -> int:
    """Return how many resamples a level needs: one must be expected beyond each end of an interval."""
    # One minus a level is known to some 1e-12 of itself only: 2/(1 - 0.9998) is 10,000 and a trifle.
    return math.ceil(2.0 / (1.0 - level) * (1.0 - 1e-9))


def check_resamples(n_resamples: object, level: float, default: int = N_RESAMPLES) -> int:
    """Return the number of resamples, by default the usual one or as many as the level needs.

    A number given must be as large as that.
    """
    needed = least_resamples(level)
    count = resamples_or(max(default, needed) if needed <= MOST_RESAMPLES else default, n_resamples)
    if count < needed:
        raise ArgumentError(
            "n_resamples",
            f"be at least {needed} at this level, so that both tails hold a resample",
            count,
            "Ask for more resamples, or for a lower level.",
        )
    return count


def check_sampling(sampling: object) -> Sampling:
    """Return the way of resampling."""
    check_choice("sampling", sampling, SAMPLINGS)
    return "full" if sampling == "full" else "stratified"


def draws_of(method: Method, level: float, *, sampling: Sampling = "stratified", **settings: Any) -> Draw:
    """Return `resample` with the settings of a method, as many resamples as the level needs by default."""
    own: Any = method
    count = check_resamples(own.n_resamples, level)
    settings = {"n_resamples": count, "rng": make_rng(own.rng), "n_jobs": own.n_jobs, **settings}
    return functools.partial(resample, sampling=getattr(own, "sampling", None) or sampling, **settings)


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


def by_generator(
    one: Callable[[np.random.Generator], FloatArray], n_resamples: int, rng: RNG, n_jobs: int
) -> FloatArray:
    """Evaluate a function of a generator on threads, once for each resample; shape (n_resamples, ...)."""

    def of_seed(seed: np.random.SeedSequence) -> FloatArray:
        return one(np.random.Generator(np.random.SFC64(seed)))

    seeds = spawn(rng, n_resamples)
    check_kept(n_resamples, of_seed(seeds[0]).size)
    return np.array(in_threads(of_seed, seeds, n_jobs))


def in_threads(func: Callable[[Item], Out], items: Sequence[Item], n_jobs: int) -> list[Out]:
    """Map a function over items, in order, on `n_jobs` threads."""
    if check_jobs(n_jobs) == 1:
        return [func(item) for item in items]
    import joblib

    call = joblib.delayed(func)
    # Many small items a time, so that handing them out costs little beside them.
    batch = max(1, len(items) // (4 * joblib.effective_n_jobs(n_jobs)))
    threads = joblib.Parallel(n_jobs=n_jobs, prefer="threads", batch_size=batch)
    found: list[Out] = threads(call(item) for item in items)
    return found
