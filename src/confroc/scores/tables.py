"""Tables of counts per score, or per row of several models' scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from confroc import _kernels
from confroc._check import ArgumentError, as_floats
from confroc._kernels.merge import merge_counts, merge_tables, partition
from confroc._kernels.pairs import add_ranks, bring_together, merge_codes
from confroc._types import FloatArray, IntArray
from confroc.scores.labels import check_case_count, refuse_infinite, refuse_missing

PARTS = 4096
"""Number of parts of a table, so that each fits the cache (at 1e7 rows 512 and 2048 are slower)."""


class CountTable(NamedTuple):
    """Distinct scores, strictly decreasing, with their counts."""

    score: FloatArray
    pos: IntArray
    neg: IntArray

    def rows(self, start: int, stop: int) -> CountTable:
        """A view of some rows."""
        return CountTable(self.score[start:stop], self.pos[start:stop], self.neg[start:stop])


def sorted_classes(values: FloatArray, positive: NDArray[Any]) -> tuple[FloatArray, FloatArray]:
    """Copy the scores of the positives (labeled 1) and of the negatives, each in ascending order."""
    if len(values) < _kernels.BIG:
        member = positive == 1
        return np.sort(values[member]), np.sort(values[~member])
    both = np.empty(len(values))
    n_pos, _, _ = _kernels.compiled(partition)(positive, values, both)
    return _sorted_parts(both, n_pos)


def sorted_coded(values: FloatArray, labels: NDArray[Any]) -> tuple[FloatArray, FloatArray] | None:
    """Sort as above, given labels within {0, 1} or {-1, 1}; return None for other labels.

    One pass checks the labels and splits the values.
    """
    if len(values) < _kernels.BIG or labels.dtype.kind not in "biuf":
        return None
    both = np.empty(len(values))
    n_pos, zeros, minus = _kernels.compiled(partition)(labels, values, both)
    return _sorted_parts(both, n_pos) if len(values) in (n_pos + zeros, n_pos + minus) else None


def _sorted_parts(both: FloatArray, n_pos: int) -> tuple[FloatArray, FloatArray]:
    from concurrent.futures import ThreadPoolExecutor

    classes = both[:n_pos], both[n_pos:]
    # numpy releases the interpreter lock while sorting.
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(np.ndarray.sort, classes))
    return classes


def tally(pos_sorted: FloatArray, neg_sorted: FloatArray) -> CountTable:
    """Merge the two classes' scores, each in ascending order, into a table of counts."""
    return tally_wins(pos_sorted, neg_sorted)[0]


def tally_wins(pos_sorted: FloatArray, neg_sorted: FloatArray) -> tuple[CountTable, int]:
    """Merge as above; return also twice the Mann-Whitney U, ties counting one half.

    It is exact below 2**63 and wraps around beyond.
    """
    if len(pos_sorted) + len(neg_sorted) >= _kernels.BIG:
        return _merge_halves(pos_sorted, neg_sorted)
    # Turn minus zero into zero.
    score = np.unique(np.concatenate([pos_sorted, neg_sorted])) + 0.0
    pos, neg = (
        np.diff(np.searchsorted(values, score, side="right"), prepend=0)[::-1].astype(np.int64)
        for values in (pos_sorted, neg_sorted)
    )
    return CountTable(score[::-1].copy(), pos, neg), int(np.dot(neg, 2 * np.cumsum(pos) - pos))


def _merge_halves(pos_sorted: FloatArray, neg_sorted: FloatArray) -> tuple[CountTable, int]:
    """Merge the parts above and below the median of one class in two threads."""
    from concurrent.futures import ThreadPoolExecutor

    n = len(pos_sorted) + len(neg_sorted)
    columns = _room(n)
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
    return _trimmed(columns, used), wins + more


def _trimmed(table: CountTable, used: int) -> CountTable:
    """The first rows of a table, copied if a view would keep much unused memory."""
    first = table.rows(0, used)
    if 4 * used < 3 * len(table.score):
        return CountTable(first.score.copy(), first.pos.copy(), first.neg.copy())
    return first


def _room(n: int) -> CountTable:
    """An empty table of n rows."""
    return CountTable(np.empty(n), np.empty(n, np.int64), np.empty(n, np.int64))


def check_counts(name: str, counts: ArrayLike) -> IntArray:
    """Return counts as integers; raise if invalid."""
    if np.ma.is_masked(counts):
        gaps = int(np.ma.getmaskarray(counts).sum())  # type: ignore[arg-type]
        remedy = f"Fill them with {name}.filled(0)."
        raise ArgumentError(name, "contain no masked values", f"{gaps} masked", remedy)
    values = as_floats(name, counts, exact=False)
    wrong = ~((values >= 0) & (values == np.floor(values)) & (values < np.inf))
    if wrong.any():
        rule = "contain whole numbers >= 0"
        raise ArgumentError(name, rule, float(values[wrong][0]), "Pass counts of cases, not weights.")
    # Below the bound sums are exact in double precision.
    check_case_count(name, int(values.sum()))
    return values.astype(np.int64)


def check_finite(name: str, score: ArrayLike) -> FloatArray:
    """Return finite scores, or raise."""
    values = as_floats(name, score)
    refuse_missing(name, np.isnan(values))
    refuse_infinite(name, values)
    # Turn minus zero into zero.
    return values + 0.0


def add_tables(a: CountTable, b: CountTable) -> CountTable:
    """Merge two sorted tables."""
    if len(a.score) + len(b.score) < _kernels.BIG:
        return sum_equal(*(np.concatenate(columns) for columns in zip(a, b, strict=True)))
    total = _room(len(a.score) + len(b.score))
    used = _kernels.compiled(merge_tables)(*a, *b, *total)
    return _trimmed(total, used)


def sum_equal(score: FloatArray, pos: NDArray[Any], neg: NDArray[Any]) -> CountTable:
    """Sort a table of counts (or 0/1 indicators) in descending order and merge equal scores."""
    return sum_levels(score, score, pos, neg)[0]


def sum_levels(
    score: FloatArray, score_max: FloatArray, pos: NDArray[Any], neg: NDArray[Any]
) -> tuple[CountTable, FloatArray]:
    """As `sum_equal`, for levels that cover the scores from `score` to `score_max`.

    The highest scores are returned as the same array as the lowest ones if all levels are single scores.
    """
    pos, neg = _counts(pos), _counts(neg)
    exact = score_max is score
    if exact and (score[1:] < score[:-1]).all() and not ((pos == 0) & (neg == 0)).any():
        # Already sorted, as tables written by confroc are.
        table = CountTable(score + 0.0, pos, neg)
        return table, table.score
    order = np.argsort(-score, kind="stable")
    order = order[(pos[order] > 0) | (neg[order] > 0)]
    score, pos, neg = score[order] + 0.0, pos[order], neg[order]
    first = np.flatnonzero(np.concatenate([[True], score[1:] != score[:-1]]))
    table = CountTable(score[first], np.add.reduceat(pos, first), np.add.reduceat(neg, first))
    if exact:
        return table, table.score
    highest = np.maximum.reduceat(score_max[order], first) + 0.0
    return table, table.score if np.array_equal(highest, table.score) else highest


class JointTable(NamedTuple):
    """Each model's table, and counts per distinct row of their scores, in the order of the models.

    `places` has, for each model, the position of the row's score in its table.
    """

    models: tuple[CountTable, ...]
    places: tuple[IntArray, ...]
    pos: IntArray
    neg: IntArray


def joint_cases(columns: Sequence[FloatArray], positive: NDArray[np.bool_]) -> JointTable:
    """Count single cases, with one score column per model."""
    if len(columns) != 2 or len(positive) < _kernels.BIG:
        return joint_counts(columns, positive, ~positive)
    from concurrent.futures import ThreadPoolExecutor

    a, b = columns
    table_a, table_b = (tally(*sorted_classes(values, positive)) for values in (a, b))

    def codes(member: NDArray[np.bool_], of_a: IntArray, of_b: IntArray) -> IntArray:
        """Ascending codes of one class's cases; `of_a` and `of_b` are its counts in the tables."""
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
    found = [np.empty(len(a), np.int64) for _ in range(4)]
    used = _kernels.compiled(merge_codes)(pos_codes.result(), neg_codes.result(), len(table_b.score), *found)
    if 4 * used < 3 * len(a):
        found = [c[:used].copy() for c in found]
    index_a, index_b, pos, neg = (c[:used] for c in found)
    return JointTable((table_a, table_b), (index_a, index_b), pos, neg)


def _near(
    values: FloatArray, carried: NDArray[Any], score: FloatArray, counts: IntArray
) -> tuple[FloatArray, NDArray[Any], IntArray, int]:
    """Order values and their companions roughly as the table; also return where its parts begin."""
    step = -(-len(score) // PARTS)
    parts = np.add.reduceat(counts, np.arange(0, len(counts), step))
    begin = np.concatenate([[0], np.cumsum(parts)])
    near, near_carried = np.empty_like(values), np.empty_like(carried)
    _kernels.compiled(bring_together)(
        values, carried, score[::step].copy(), begin[:-1].copy(), near, near_carried
    )
    return near, near_carried, begin, step


def joint_counts(columns: Sequence[FloatArray], pos: NDArray[Any], neg: NDArray[Any]) -> JointTable:
    """Add counts (or 0/1 indicators) per distinct row of scores; every row has a case."""
    few = len(pos) >= _kernels.BIG and int(pos.sum()) + int(neg.sum()) <= 2 * len(pos)
    if len(columns) == 2 and few and pos.dtype.kind != "f":
        # With nearly one case per row, `joint_cases` is faster.
        each = [np.concatenate([np.repeat(v, pos), np.repeat(v, neg)]) for v in columns]
        return joint_cases(each, np.arange(len(each[0])) < pos.sum())
    ranked = [np.unique(-v, return_inverse=True) for v in columns]
    code, distinct = ranked[0][1], len(ranked[0][0])
    for i, (score, rank) in enumerate(ranked[1:], 1):
        if distinct == len(code):
            # All rows are distinct already; the remaining models do not change the order.
            break
        code = code * len(score) + rank
        if i < len(ranked) - 1:
            # Renumber, because codes of many models would exceed 64 bits.
            levels, code = np.unique(code, return_inverse=True)
            distinct = len(levels)
    order = np.argsort(code, kind="stable")
    code, pos, neg = code[order], _counts(pos[order]), _counts(neg[order])
    first = np.flatnonzero(np.diff(code, prepend=code[0] - 1))
    pos, neg = np.add.reduceat(pos, first), np.add.reduceat(neg, first)
    index = tuple(rank[order][first] for _, rank in ranked)
    return joint_table([0.0 - score for score, _ in ranked], index, pos, neg)


def joint_table(
    scores: Iterable[FloatArray], places: tuple[IntArray, ...], pos: NDArray[Any], neg: NDArray[Any]
) -> JointTable:
    """Return the table of rows with these places in each model's scores."""
    models = tuple(
        CountTable(score, *(_sums(rows, count, len(score)) for count in (pos, neg)))
        for score, rows in zip(scores, places, strict=True)
    )
    return JointTable(models, places, pos, neg)


def rows_of(table: JointTable, columns: Sequence[FloatArray]) -> IntArray:
    """Return the index in a joint table of each row of scores."""
    code = np.zeros(len(table.pos) + len(columns[0]), np.int64)
    for model, places, values in zip(table.models, table.places, columns, strict=True):
        rank = np.searchsorted(-model.score, -values)
        both = code * len(model.score) + np.concatenate([places, rank])
        code = np.unique(both, return_inverse=True)[1]
    row = np.empty(len(table.pos), np.int64)
    row[code[: len(row)]] = np.arange(len(row))
    return row[code[len(row) :]]


def _counts(values: NDArray[Any]) -> NDArray[Any]:
    """Counts as integers; sums of weights unchanged."""
    return values if values.dtype.kind == "f" else values.astype(np.int64)


def _sums(index: IntArray, counts: NDArray[Any], size: int) -> NDArray[Any]:
    # Integer sums are exact in double precision below 2**53 cases.
    return np.bincount(index, weights=counts, minlength=size).astype(counts.dtype)
