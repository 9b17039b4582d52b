"""Counting the cases of bootstrap resamples, with counter-based random numbers.

Of n cases m are drawn with replacement. Numbers of each case that come from a Poisson law of their own are,
given their sum N, those of N draws; where N exceeds m all are drawn anew, and otherwise the m − N draws that
lack are made one by one. A mean sum of m − 3√m leaves few to make and seldom too many. A Poisson number
takes eight random bits, and thirty-two more where those do not decide it, so that each of its probabilities
is right to 2⁻⁴⁰.

Every random number is a function of a key, the replicate and its place: threads and the order of work change
nothing. They are those of numpy's `Philox` (4x64, 10 rounds; Salmon, Moraes, Dror & Shaw 2011), so that numpy
can draw the same where there is little to draw.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from confroc._kernels.wide import high_product
from confroc._types import IntArray

Words = NDArray[np.uint64]

LANES = 32
"""Blocks of 32 bytes that are made at once."""

UNSURE = -1
"""Stands for a Poisson number that eight bits do not decide."""

BYTES, MORE_BITS, CASES = 0, 1, 2
"""What a stream of random numbers is for."""

STREAMS = 4
"""Streams of an attempt; each further attempt has as many of its own."""


def philox(counter: Any, k0: Any, k1: Any) -> Any:
    """Four random numbers of 64 bits: Philox-4x64 with 10 rounds."""
    c0 = counter
    c1 = counter ^ counter
    c2 = c1
    c3 = c1
    for _ in range(10):
        p = high_product(0xD2E7470EE14C6C93, c0)
        q = high_product(0xCA5A826395121157, c2)
        r = (0xD2E7470EE14C6C93 * c0) & 0xFFFFFFFFFFFFFFFF
        s = (0xCA5A826395121157 * c2) & 0xFFFFFFFFFFFFFFFF
        c0 = q ^ c1 ^ k0
        c1 = s
        c2 = p ^ c3 ^ k1
        c3 = r
        k0 = (k0 + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        k1 = (k1 + 0xBB67AE8584CAA73B) & 0xFFFFFFFFFFFFFFFF
    return c0, c1, c2, c3


def fill_words(first: int, count: int, key: Any, stream: int, words: Words) -> None:
    """Fill `words`, of shape (LANES, 4), with consecutive blocks of a stream."""
    for b in range(count):
        # numpy counts before it draws.
        w0, w1, w2, w3 = philox(np.uint64(first + b + 1), key, np.uint64(stream))
        words[b, 0] = w0
        words[b, 1] = w1
        words[b, 2] = w2
        words[b, 3] = w3


def byte_at(words: Words, place: int) -> Any:
    """Return a byte of the blocks in `words`."""
    word = words[place // 32, (place % 32) // 8] >> np.uint64(8 * (place % 8))
    return np.int64(word & np.uint64(255))


def half_at(words: Words, place: int) -> Any:
    """Return one of the 32-bit numbers of the blocks in `words`."""
    word = words[place // 8, (place % 8) // 2] >> np.uint64(32 * (place % 2))
    return np.int64(word & np.uint64(0xFFFFFFFF))


def reached(value: int, cut: IntArray) -> Any:
    """How many of the increasing values of `cut`, of which the last exceeds all, a value reaches."""
    number = 0
    while value >= cut[number]:
        number += 1
    return np.int64(number)


def draw_counts(
    key: Any,
    replicates: IntArray,
    stream: int,
    lookup: NDArray[np.int8],
    cut: IntArray,
    n: int,
    m: Any,
    more: int,
    rest: int,
    rows: NDArray[np.int32],
    out: IntArray,
) -> None:
    """Fill `out`, of shape (replicates, rows), with how many of m draws from n cases fell on each row.

    A replicate has `more` and `rest` blocks of the streams of further bits and of cases drawn one by one, and
    would begin with its first ones again after the last. `rows` is the row of every case, or empty where each
    row is one.
    """
    blocks = (n + 31) // 32
    words = np.empty((LANES, 4), np.uint64)
    further = np.empty((LANES, 4), np.uint64)
    of_cases = np.empty(n if rows.shape[0] > 0 else 0, np.int64)
    for r in range(replicates.shape[0]):
        replicate = replicates[r]
        drawn = of_cases if rows.shape[0] > 0 else out[r]
        total = m + 1
        now = stream - STREAMS
        while total > m:
            now += STREAMS
            total = 0
            unsure = 0
            for start in range(0, n, 32 * LANES):
                stop = min(n, start + 32 * LANES)
                first = replicate * blocks + start // 32
                fill_words(first, (stop - start + 31) // 32, key, now + BYTES, words)
                for i in range(start, stop):
                    byte = byte_at(words, i - start)
                    number = np.int64(lookup[byte])
                    if number == UNSURE:
                        # Eight numbers a block.
                        if unsure % 8 == 0:
                            at = replicate * more + (unsure // 8) % more
                            fill_words(at, 1, key, now + MORE_BITS, further)
                        value = (byte << 32) | half_at(further, unsure % 8)
                        number = reached(value, cut)
                        unsure += 1
                    drawn[i] = number
                    total += number
        for start in range(0, m - total, 8 * LANES):
            few = min(8 * LANES, m - total - start)
            for b in range((few + 7) // 8):
                at = replicate * rest + (start // 8 + b) % rest
                fill_words(at, 1, key, now + CASES, words[b:])
            for j in range(few):
                drawn[(half_at(words, j) * n) >> 32] += 1
        if rows.shape[0] > 0:
            out[r, :] = 0
            for i in range(n):
                out[r, rows[i]] += drawn[i]
