"""Tables of counts: merging sorted classes, adding up equal scores."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from confroc import _kernels
from confroc._check import as_floats, sentence
from confroc._kernels.merge import merge_counts, partition
from confroc.scores.labels import refuse_infinite, refuse_missing

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]


class Table(NamedTuple):
    """Distinct scores, strictly decreasing, with their counts."""

    score: FloatArray
    pos: IntArray
    neg: IntArray


def sorted_classes(values: FloatArray, positive: NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
    """Copy the values of the positives and of the negatives, each sorted upwards."""
    if len(values) < _kernels.BIG:
        return np.sort(values[positive]), np.sort(values[~positive])
    from concurrent.futures import ThreadPoolExecutor

    both = np.empty(len(values))
    n_pos = _kernels.compiled(partition)(positive, values, both)
    classes = both[:n_pos], both[n_pos:]
    # numpy sorts without holding the interpreter.
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(np.ndarray.sort, classes))
    return classes


def tally(pos_sorted: FloatArray, neg_sorted: FloatArray) -> Table:
    """Merge the two classes' scores, each sorted upwards, into a table of counts."""
    n = len(pos_sorted) + len(neg_sorted)
    if n >= _kernels.BIG:
        score, pos, neg = np.empty(n), np.empty(n, np.int64), np.empty(n, np.int64)
        used = _kernels.compiled(merge_counts)(pos_sorted, neg_sorted, score, pos, neg)
        if used < n:
            score, pos, neg = score[:used].copy(), pos[:used].copy(), neg[:used].copy()
        return Table(score, pos, neg)
    score = np.unique(np.concatenate([pos_sorted, neg_sorted]))
    counts = [
        np.diff(np.searchsorted(values, score, side="right"), prepend=0)[::-1].astype(np.int64)
        for values in (pos_sorted, neg_sorted)
    ]
    return Table(score[::-1].copy(), counts[0], counts[1])


def group(key: IntArray, *columns: NDArray[Any]) -> tuple[IntArray, list[IntArray]]:
    """Sum integer columns over equal keys; return the distinct keys, ascending, and the sums."""
    order = np.argsort(key, kind="stable")
    key = key[order]
    first = np.flatnonzero(np.diff(key, prepend=key[0] - 1))
    return key[first], [np.add.reduceat(c[order].astype(np.int64), first) for c in columns]


def check_counts(name: str, counts: ArrayLike) -> IntArray:
    """Return counts as integers, or raise."""
    values = as_floats(name, counts)
    if not ((values >= 0) & (values == np.floor(values)) & np.isfinite(values)).all():
        wrong = float(values[~((values >= 0) & (values == np.floor(values)))][0])
        raise ValueError(
            sentence(name, "hold whole numbers >= 0", wrong, "Pass counts of cases, not weights.")
        )
    return values.astype(np.int64)


def check_finite(name: str, score: ArrayLike) -> FloatArray:
    """Return scores without gaps or infinities, or raise."""
    values = as_floats(name, score)
    if np.isnan(values).any():
        refuse_missing(name, int(np.isnan(values).sum()))
    if not np.isfinite(values).all():
        refuse_infinite(name, float(values[~np.isfinite(values)][0]))
    # Minus zero equals zero, and must print as it.
    return values + 0.0


def sum_equal(score: FloatArray, pos: NDArray[Any], neg: NDArray[Any]) -> Table:
    """Sort a table of counts (or 0/1 marks) downwards and add up equal scores."""
    pos, neg = pos.astype(np.int64), neg.astype(np.int64)
    kept = (pos > 0) | (neg > 0)
    score, pos, neg = score[kept], pos[kept], neg[kept]
    order = np.argsort(-score, kind="stable")
    score, pos, neg = score[order], pos[order], neg[order]
    first = np.flatnonzero(np.concatenate([[True], score[1:] != score[:-1]]))
    return Table(score[first], np.add.reduceat(pos, first), np.add.reduceat(neg, first))
