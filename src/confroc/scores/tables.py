"""Tables of counts: merging sorted classes, adding up equal scores."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from confroc import _kernels
from confroc._check import ArgumentError, as_floats
from confroc._kernels.merge import merge_counts, merge_tables, partition
from confroc._types import FloatArray, IntArray
from confroc.scores.labels import refuse_infinite, refuse_missing


class Table(NamedTuple):
    """Distinct scores, strictly decreasing, with their counts."""

    score: FloatArray
    pos: IntArray
    neg: IntArray

    def rows(self, start: int, stop: int) -> Table:
        """Some of the rows, not copied."""
        return Table(self.score[start:stop], self.pos[start:stop], self.neg[start:stop])


def sorted_classes(values: FloatArray, positive: NDArray[Any]) -> tuple[FloatArray, FloatArray]:
    """Copy the values of the positives (labelled 1) and of the others, each sorted upwards."""
    if len(values) < _kernels.BIG:
        member = positive == 1
        return np.sort(values[member]), np.sort(values[~member])
    both = np.empty(len(values))
    n_pos, _, _ = _kernels.compiled(partition)(positive, values, both)
    return _sorted_parts(both, n_pos)


def sorted_coded(values: FloatArray, labels: NDArray[Any]) -> tuple[FloatArray, FloatArray] | None:
    """Sort as above by labels as they come, if they are within {0, 1} or within {-1, 1}; else None.

    One pass over many rows checks the labels and splits the values.
    """
    if len(values) < _kernels.BIG or labels.dtype.kind not in "biuf":
        return None
    both = np.empty(len(values))
    n_pos, zeros, minus = _kernels.compiled(partition)(labels, values, both)
    return _sorted_parts(both, n_pos) if len(values) in (n_pos + zeros, n_pos + minus) else None


def _sorted_parts(both: FloatArray, n_pos: int) -> tuple[FloatArray, FloatArray]:
    from concurrent.futures import ThreadPoolExecutor

    classes = both[:n_pos], both[n_pos:]
    # numpy sorts without holding the interpreter.
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(np.ndarray.sort, classes))
    return classes


def tally(pos_sorted: FloatArray, neg_sorted: FloatArray) -> Table:
    """Merge the two classes' scores, each sorted upwards, into a table of counts."""
    return tally_wins(pos_sorted, neg_sorted)[0]


def tally_wins(pos_sorted: FloatArray, neg_sorted: FloatArray) -> tuple[Table, int]:
    """Merge as above; return also twice the pairs in which the positive outranks the negative, ties one half.

    That number is exact below 2**63 and wraps around beyond.
    """
    if len(pos_sorted) + len(neg_sorted) >= _kernels.BIG:
        return _merge_halves(pos_sorted, neg_sorted)
    # Minus zero equals zero, and must print as it.
    score = np.unique(np.concatenate([pos_sorted, neg_sorted])) + 0.0
    pos, neg = (
        np.diff(np.searchsorted(values, score, side="right"), prepend=0)[::-1].astype(np.int64)
        for values in (pos_sorted, neg_sorted)
    )
    return Table(score[::-1].copy(), pos, neg), int(np.dot(neg, 2 * np.cumsum(pos) - pos))


def _merge_halves(pos_sorted: FloatArray, neg_sorted: FloatArray) -> tuple[Table, int]:
    """Merge what lies above and what lies below the median of one class in a thread each."""
    from concurrent.futures import ThreadPoolExecutor

    n = len(pos_sorted) + len(neg_sorted)
    columns = Table(after_infinity(n), np.empty(n, np.int64), np.empty(n, np.int64))
    longer = max(pos_sorted, neg_sorted, key=len)
    i, j = (int(np.searchsorted(v, longer[len(longer) // 2])) for v in (pos_sorted, neg_sorted))
    top = n - i - j
    merge = _kernels.compiled(merge_counts)
    with ThreadPoolExecutor(2) as pool:
        first, rest = columns.rows(0, top), columns.rows(top, n)
        upper = pool.submit(merge, pos_sorted[i:], neg_sorted[j:], 0, *first)
        lower = pool.submit(merge, pos_sorted[:i], neg_sorted[:j], len(pos_sorted) - i, *rest)
    (above, wins), (below, more) = upper.result(), lower.result()
    used = above + below
    if above < top:
        for column in columns:
            column[above:used] = column[top : top + below]
    return shortened(columns, used), wins + more


def shortened(columns: Table, used: int) -> Table:
    """The first rows of a table, copied where they would keep much more memory than they need."""
    table = columns.rows(0, used)
    if 4 * used < 3 * len(columns.score):
        table = Table(after_infinity(used), table.pos.copy(), table.neg.copy())
        table.score[:] = columns.score[:used]
    return table


def after_infinity(n: int) -> FloatArray:
    """Room for n scores, in memory that begins with infinity: see `thresholds`."""
    room = np.empty(n + 1)
    room[0] = np.inf
    return room[1:]


def thresholds(score: FloatArray) -> FloatArray:
    """Infinity and then the decreasing scores: the thresholds of an ROC curve's vertices.

    Not a copy where `after_infinity` made the room for the scores.
    """
    room = score.base
    if isinstance(room, np.ndarray) and room.ctypes.data == score.ctypes.data - 8 and room[0] == np.inf:
        return room[: len(score) + 1]
    return np.concatenate([[np.inf], score])


def check_counts(name: str, counts: ArrayLike) -> IntArray:
    """Return counts as integers, or raise."""
    values = as_floats(name, counts)
    if not ((values >= 0) & (values == np.floor(values)) & np.isfinite(values)).all():
        wrong = float(values[~((values >= 0) & (values == np.floor(values)))][0])
        raise ArgumentError(name, "hold whole numbers >= 0", wrong, "Pass counts of cases, not weights.")
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


def add_tables(a: Table, b: Table) -> Table:
    """Add up two tables, each in order."""
    if len(a.score) + len(b.score) < _kernels.BIG:
        return sum_equal(*(np.concatenate(columns) for columns in zip(a, b, strict=True)))
    n = len(a.score) + len(b.score)
    total = Table(after_infinity(n), np.empty(n, np.int64), np.empty(n, np.int64))
    used = _kernels.compiled(merge_tables)(*a, *b, *total)
    return shortened(total, used)


def sum_equal(score: FloatArray, pos: NDArray[Any], neg: NDArray[Any]) -> Table:
    """Sort a table of counts (or 0/1 marks) downwards and add up equal scores."""
    return sum_levels(score, score, pos, neg)[0]


def sum_levels(
    score: FloatArray, score_max: FloatArray, pos: NDArray[Any], neg: NDArray[Any]
) -> tuple[Table, FloatArray]:
    """Add up as above levels that stand for the scores from `score` to `score_max`.

    The highest scores come back as the very array of the lowest ones when no level is wider than a point.
    """
    pos, neg = pos.astype(np.int64), neg.astype(np.int64)
    exact = score_max is score
    if exact and (score[1:] < score[:-1]).all() and not ((pos == 0) & (neg == 0)).any():
        # In order already, as a table that was written by this package.
        table = Table(score + 0.0, pos, neg)
        return table, table.score
    order = np.argsort(-score, kind="stable")
    order = order[(pos[order] > 0) | (neg[order] > 0)]
    score, pos, neg = score[order] + 0.0, pos[order], neg[order]
    first = np.flatnonzero(np.concatenate([[True], score[1:] != score[:-1]]))
    table = Table(score[first], np.add.reduceat(pos, first), np.add.reduceat(neg, first))
    if exact:
        return table, table.score
    highest = np.maximum.reduceat(score_max[order], first) + 0.0
    return table, table.score if np.array_equal(highest, table.score) else highest
