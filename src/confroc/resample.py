"""Bootstrap resampling by counts.

A resample of a table of counts is another table of counts over the same rows, so nothing is ever
sorted again. Each replicate has a random stream of its own, derived from the caller's generator and
the replicate's number: results do not depend on how many threads shared the work.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from confroc._check import RNG, make_rng

IntArray: TypeAlias = NDArray[np.int64]
FloatArray: TypeAlias = NDArray[np.float64]
Sampling: TypeAlias = Literal["stratified", "full"]
SAMPLINGS = ("stratified", "full")


class Counts(Protocol):
    """A table of counts: `Scores` or `PairedScores`."""

    @property
    def pos(self) -> IntArray: ...
    @property
    def neg(self) -> IntArray: ...


def spawn(rng: RNG, n: int) -> list[np.random.SeedSequence]:
    """Return one seed per replicate; the generator advances by a fixed amount."""
    entropy = make_rng(rng).integers(0, 2**32, size=8, dtype=np.uint64)
    return np.random.SeedSequence(entropy.tolist()).spawn(n)


def draw(generator: np.random.Generator, counts: IntArray, cases: IntArray | None, m: int) -> IntArray:
    """Draw m cases with replacement from a table; return how many fell on each row.

    `cases` is the row of every case (`np.repeat(arange, counts)`), or None to draw row by row, which is
    the quicker way when rows are few.
    """
    if cases is None:
        return generator.multinomial(m, counts / counts.sum())
    return np.bincount(cases[generator.integers(len(cases), size=m)], minlength=len(counts))


def _cases(counts: IntArray, m: int) -> IntArray | None:
    # A binomial draw costs about ten uniform ones.
    return None if 10 * np.count_nonzero(counts) < m else np.repeat(np.arange(len(counts)), counts)


def resample(
    statistic: Callable[[IntArray, IntArray], FloatArray],
    table: Counts,
    n_resamples: int,
    rng: RNG,
    *,
    size: tuple[int, int],
    sampling: Sampling = "stratified",
    n_jobs: int = 1,
) -> FloatArray:
    """Evaluate a statistic on bootstrap resamples of a table of counts.

    Parameters
    ----------
    statistic : callable
        Takes the resampled counts (pos, neg), each of shape (d,), and returns an array of fixed shape.
    table : Scores or PairedScores
    n_resamples : int
    rng : Generator, SeedSequence, int or None
    size : (int, int)
        (m_pos, m_neg). Under "full" only their sum counts.
    sampling : {"stratified", "full"}
        "stratified" draws each class by itself, sizes fixed. "full" draws from both together, so class
        sizes vary; a resample without one of the classes is drawn again.
    n_jobs : int
        Threads; the result does not depend on it.

    Returns
    -------
    ndarray of shape (n_resamples, ...)
    """
    seeds = spawn(rng, n_resamples)
    pos, neg = table.pos, table.neg
    m_pos, m_neg = size
    both, m_both = np.concatenate([pos, neg]), m_pos + m_neg
    rows = tuple(_cases(c, m) for c, m in ((pos, m_pos), (neg, m_neg), (both, m_both)))

    def one(seed: np.random.SeedSequence) -> FloatArray:
        generator = np.random.Generator(np.random.SFC64(seed))
        if sampling == "stratified":
            return statistic(draw(generator, pos, rows[0], m_pos), draw(generator, neg, rows[1], m_neg))
        while True:
            drawn = draw(generator, both, rows[2], m_both)
            p, q = drawn[: len(pos)], drawn[len(pos) :]
            if p.any() and q.any():
                return statistic(p, q)

    if n_jobs == 1:
        return np.array([one(seed) for seed in seeds])
    import joblib

    return np.array(joblib.Parallel(n_jobs=n_jobs, prefer="threads")(joblib.delayed(one)(seed) for seed in seeds))
