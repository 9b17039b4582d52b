"""Tables of counts per pair of scores: ranks of each model's scores, and cases per pair of ranks."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from confroc import _kernels
from confroc._kernels.pairs import add_ranks, bring_together, merge_codes
from confroc._types import FloatArray, IntArray
from confroc.scores.tables import Table, sorted_classes, tally

PARTS = 4096
"""Parts a table is cut into so that each fits the cache (measured at 1e7 rows: 512 and 2048 are slower)."""


class PairTable(NamedTuple):
    """Each model's table, and counts per pair of their rows, by first and then by second index."""

    a: Table
    b: Table
    index_a: IntArray
    index_b: IntArray
    pos: IntArray
    neg: IntArray


def pair_cases(a: FloatArray, b: FloatArray, positive: NDArray[np.bool_]) -> PairTable:
    """Count cases given one by one."""
    if len(a) < _kernels.BIG:
        return pair_counts(a, b, positive, ~positive)
    from concurrent.futures import ThreadPoolExecutor

    table_a, table_b = (tally(*sorted_classes(values, positive)) for values in (a, b))

    def codes(member: NDArray[np.bool_], of_a: IntArray, of_b: IntArray) -> IntArray:
        """Codes of one class's cases, upwards; `of_a` and `of_b` are its counts in the tables."""
        near_b, carried, begin, step = _near(b[member], a[member], table_b.score, of_b)
        code = np.zeros(len(near_b), np.int64)
        _kernels.compiled(add_ranks)(near_b, table_b.score, step, begin, 1, code)
        del near_b
        near_a, code, begin, step = _near(carried, code, table_a.score, of_a)
        _kernels.compiled(add_ranks)(near_a, table_a.score, step, begin, len(table_b.score), code)
        code.sort()
        return code

    with ThreadPoolExecutor(2) as pool:
        pos_codes = pool.submit(codes, positive, table_a.pos, table_b.pos)
        neg_codes = pool.submit(codes, ~positive, table_a.neg, table_b.neg)
    columns = [np.empty(len(a), np.int64) for _ in range(4)]
    used = _kernels.compiled(merge_codes)(
        pos_codes.result(), neg_codes.result(), len(table_b.score), *columns
    )
    if 4 * used < 3 * len(a):
        columns = [c[:used].copy() for c in columns]
    return PairTable(table_a, table_b, *(c[:used] for c in columns))


def _near(
    values: FloatArray, carried: NDArray[Any], score: FloatArray, counts: IntArray
) -> tuple[FloatArray, NDArray[Any], IntArray, int]:
    """Order values, and what comes with each, roughly as the table; return also where its parts begin."""
    step = -(-len(score) // PARTS)
    parts = np.add.reduceat(counts, np.arange(0, len(counts), step))
    begin = np.concatenate([[0], np.cumsum(parts)])
    near, near_carried = np.empty_like(values), np.empty_like(carried)
    _kernels.compiled(bring_together)(
        values, carried, score[::step].copy(), begin[:-1].copy(), near, near_carried
    )
    return near, near_carried, begin, step


def pair_counts(a: FloatArray, b: FloatArray, pos: NDArray[Any], neg: NDArray[Any]) -> PairTable:
    """Add up counts (or 0/1 marks) per pair of scores; every row has a case."""
    if len(a) >= _kernels.BIG and int(pos.sum()) + int(neg.sum()) <= 2 * len(a):
        # Nearly one case a row: the way of single cases is the faster one.
        each_a, each_b = (np.concatenate([np.repeat(v, pos), np.repeat(v, neg)]) for v in (a, b))
        return pair_cases(each_a, each_b, np.arange(len(each_a)) < pos.sum())
    (score_a, rank_a), (score_b, rank_b) = (np.unique(-v, return_inverse=True) for v in (a, b))
    code = rank_a * len(score_b) + rank_b
    order = np.argsort(code, kind="stable")
    code, pos, neg = code[order], pos[order].astype(np.int64), neg[order].astype(np.int64)
    first = np.flatnonzero(np.diff(code, prepend=code[0] - 1))
    pos, neg = np.add.reduceat(pos, first), np.add.reduceat(neg, first)
    index_a, index_b = np.divmod(code[first], len(score_b))
    tables = [
        Table(0.0 - score, *(_sums(index, c, len(score)) for c in (pos, neg)))
        for score, index in ((score_a, index_a), (score_b, index_b))
    ]
    return PairTable(tables[0], tables[1], index_a, index_b, pos, neg)


def _sums(index: IntArray, counts: IntArray, size: int) -> IntArray:
    # Sums of whole numbers, exact in double precision below 2**53 cases.
    return np.bincount(index, weights=counts, minlength=size).astype(np.int64)
