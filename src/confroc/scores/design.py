"""Sampling design: weights, clusters and strata of the cases.

Rows of one patient are dependent, and rows of a survey represent more or fewer cases than one. A table of
counts shows neither, so a `Design` has cells of cases that share a row of the table, class, weight, cluster
and stratum. Without clusters its size does not grow with the number of cases.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from confroc._check import ArgumentError, Words, as_column, as_floats, check_choice
from confroc._types import BoolArray, FloatArray, IntArray
from confroc.results import FrozenFields, sealed
from confroc.scores.labels import NanPolicy, coded_labels, complete_cases, is_blank

WeightKind: TypeAlias = Literal["sampling", "frequency"]
WEIGHT_KINDS: tuple[WeightKind, ...] = ("sampling", "frequency")

GIVEN = "Pass a value for each row, or omit the argument."


ONE = sealed(np.ones(()))
"""Default weight; an array of it takes no memory."""


class Column(NamedTuple):
    """Identifiers of clusters or strata: a code per row, and the label of each code."""

    code: IntArray
    label: NDArray[Any]

    def at(self, rows: NDArray[Any]) -> Column:
        """The identifiers of some rows."""
        return self._replace(code=self.code[rows])


class Rows(NamedTuple):
    """Design columns of each row; `repeats` are frequency weights."""

    weight: FloatArray | None
    repeats: FloatArray | None
    clusters: tuple[Column, ...]
    stratum: Column | None

    @property
    def columns(self) -> dict[str, NDArray[Any]]:
        """The columns by argument name."""
        names = ["cluster"] if len(self.clusters) == 1 else ["cluster[0]", "cluster[1]"]
        found: dict[str, Any] = {"sample_weight": self.weight, "repeats": self.repeats}
        found |= {name: column.code for name, column in zip(names, self.clusters, strict=False)}
        found["strata"] = None if self.stratum is None else self.stratum.code
        return {name: values for name, values in found.items() if values is not None}

    def at(self, kept: NDArray[Any]) -> Rows:
        """Some of the rows."""
        weight, repeats = (None if v is None else v[kept] for v in (self.weight, self.repeats))
        stratum = None if self.stratum is None else self.stratum.at(kept)
        return Rows(weight, repeats, tuple(c.at(kept) for c in self.clusters), stratum)


def read_rows(
    sample_weight: ArrayLike | None, weight_kind: object, cluster: Any, strata: ArrayLike | None
) -> Rows | None:
    """Check weights, clusters and strata; None if none is given."""
    check_choice("weight_kind", weight_kind, WEIGHT_KINDS)
    if sample_weight is None and cluster is None and strata is None:
        return None
    weight = None if sample_weight is None else check_weights(sample_weight, weight_kind == "frequency")
    columns = cluster if isinstance(cluster, tuple) and np.ndim(cluster[0]) else (cluster,)
    if len(columns) > 2:
        rule = "be one column of identifiers or a pair of them"
        remedy = "Pass at most two identifiers per row."
        raise ArgumentError("cluster", rule, f"{len(columns)} columns", remedy)
    return Rows(
        None if weight_kind == "frequency" else weight,
        weight if weight_kind == "frequency" else None,
        () if cluster is None else tuple(_identifiers("cluster", c) for c in columns),
        None if strata is None else _identifiers("strata", strata),
    )


def check_weights(weights: ArrayLike, whole: bool) -> FloatArray:
    """Return the weights, checked to be finite and >= 0, and integers for frequencies."""
    values = as_floats("sample_weight", weights, exact=False)
    sound = (values >= 0.0) & (values < np.inf) & (not whole or values == np.floor(values))
    if not sound.all():
        rule = "contain whole numbers >= 0" if whole else "contain finite numbers >= 0"
        remedy = "Correct these weights; those of a sample need weight_kind='sampling'."
        raise ArgumentError("sample_weight", rule, float(values[~sound][0]), remedy)
    return values


def _identifiers(name: str, values: ArrayLike) -> Column:
    array = as_column(name, values)
    if array.dtype.kind in "iub" and np.can_cast(array.dtype, np.int64):
        code, found = distinct(array.astype(np.int64))
        text = found.astype(array.dtype).astype(str)
    else:
        labels, code = coded_labels(name, array)
        missing = np.isin(code, [i for i, label in enumerate(labels) if is_blank(label)])
        if missing.any():
            rule = "contain no missing values"
            raise ArgumentError(name, rule, Words(f"{int(missing.sum())} missing"), GIVEN)
        text = np.array([str(label) for label in labels])
    label, place = np.unique(text, return_inverse=True)
    return Column(place[code], label)


def distinct(values: IntArray) -> Column:
    """Sorted distinct integers and the inverse index; counted, not sorted, if dense."""
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    if high - low > 4 * len(values):
        return Column(*np.unique(values, return_inverse=True)[::-1])
    place = values - low
    found = np.bincount(place) > 0
    return Column((np.cumsum(found) - 1)[place], np.flatnonzero(found) + low)


@dataclass(frozen=True, eq=False)
class Design(FrozenFields):
    """Cells of cases with the same table row, class, weight, clusters and stratum.

    Attributes
    ----------
    row : ndarray of int, shape (c,)
        Position of the score, or of the row of scores, in the table.
    positive : ndarray of bool, shape (c,)
    weight : ndarray of shape (c,)
        Weight of each case; weights sum to the number of rows.
    count : ndarray of int, shape (c,)
        Number of cases.
    scale : float
        Mean of the given weights.
    clusters : tuple of Column
        Empty, or one or two identifiers of each cell.
    stratum : Column, optional
    """

    row: IntArray
    positive: BoolArray
    weight: FloatArray
    count: IntArray
    scale: float
    clusters: tuple[Column, ...] = ()
    stratum: Column | None = None

    @property
    def mass(self) -> FloatArray:
        """Contribution of each cell to the table."""
        return self.weight * self.count

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.count.sum())

    @property
    def class_sizes(self) -> tuple[int, int]:
        """Numbers of positive and of negative rows."""
        n_pos = int(self.count[self.positive].sum())
        return n_pos, self.rows - n_pos

    @property
    def weighted(self) -> bool:
        """Whether the weights differ."""
        return bool((self.weight != 1.0).any())

    @property
    def n_clusters(self) -> int | None:
        """Number of clusters, for two identifiers the smaller number; None without clusters."""
        return min((len(c.label) for c in self.clusters), default=None)

    def counts(self, d: int) -> tuple[Any, Any]:
        """Positives and negatives in each of d rows of the table; integers without weights."""
        mass = self.mass if self.weighted else self.count
        neg, pos = np.bincount(2 * self.row + self.positive, mass, minlength=2 * d).reshape(d, 2).T
        kind = np.float64 if self.weighted else np.int64
        return pos.astype(kind), neg.astype(kind)

    def moved(self, place: IntArray) -> Self:
        """The same design with the table's rows moved to `place`."""
        return replace(self, row=place[self.row])

    def __eq__(self, other: object) -> bool:
        """Whether the cells are equal; the scale of sampling weights is ignored."""
        return isinstance(other, Design) and super().__eq__(replace(other, scale=self.scale))

    def __hash__(self) -> int:
        return hash((self.rows, len(self.clusters)))

    def __str__(self) -> str:
        parts = [f"{self.rows:,} weighted rows"] if self.weighted else []
        sizes = " x ".join(f"{len(c.label):,}" for c in self.clusters)
        parts += [f"{sizes} clusters"] if sizes else []
        parts += [] if self.stratum is None else [f"{len(self.stratum.label):,} strata"]
        return ", ".join(parts)

    def joined(self, other: Design) -> Self:
        """Cells of both, on one table; clusters with the same identifier are merged."""
        if (len(self.clusters), self.stratum is None) != (len(other.clusters), other.stratum is None):
            raise another_design()
        names = ("row", "positive", "count")
        both = {n: np.concatenate([getattr(self, n), getattr(other, n)]) for n in names}
        scale = (self.scale * self.rows + other.scale * other.rows) / (self.rows + other.rows)
        both["weight"] = np.concatenate([d.weight * (d.scale / scale) for d in (self, other)])
        clusters = tuple(_joined(a, b) for a, b in zip(self.clusters, other.clusters, strict=True))
        a, b = self.stratum, other.stratum
        stratum = None if a is None else _joined(a, b)
        return replace(self, **both, scale=scale, clusters=clusters, stratum=stratum)


def another_design() -> ArgumentError:
    """Return the error for two tables with different weights, clusters or strata columns."""
    rule = "have the same design columns (weights, clusters, strata) as this table"
    return ArgumentError("other", rule, "another design", "Read both in the same way.")


def check_identified(lone: bool) -> None:
    """Refuse to merge tables whose clusters may be the same: those of one case keep no identifiers."""
    if lone:
        rule = "have identifiers of clusters, which are kept where a cluster has two cases or more"
        remedy = "Build one table from the rows of both."
        raise ArgumentError("other", rule, "clusters of one case each", remedy)


class SampledCases(NamedTuple):
    """Complete cases: classes, score columns, number of dropped cases, and design columns."""

    positive: BoolArray
    columns: list[FloatArray]
    dropped: int
    rows: Rows | None = None

    def with_weight(self) -> SampledCases:
        """The cases with a positive weight and frequency."""
        assert self.rows is not None
        given = [values > 0.0 for values in (self.rows.weight, self.rows.repeats) if values is not None]
        kept = np.all(given, axis=0)
        if not given or kept.all():
            return self
        columns = [column[kept] for column in self.columns]
        return SampledCases(self.positive[kept], columns, self.dropped, self.rows.at(kept))


def sampled_cases(
    y_true: ArrayLike, pos_label: object, nan_policy: NanPolicy, rows: Rows, **columns: FloatArray
) -> SampledCases:
    """Return the cases with a label, all scores and a positive weight."""
    given: dict[str, Any] = {**columns, **rows.columns}
    positive, found, dropped = complete_cases(y_true, pos_label, nan_policy, **given)
    rows = rows.at(~dropped)
    return SampledCases(positive, found[: len(columns)], int(dropped.sum()), rows).with_weight()


def gathered(rows: Rows, order: IntArray, row: IntArray, positive: BoolArray) -> Design:
    """Group rows into cells, given their order by row of the table, and these rows in that order.

    Clusters of one case each and equal weights are dropped. Only rows that share a row of the table need
    further sorting.
    """
    n, scale = len(row), 1.0
    clusters = [c for c in rows.clusters if (np.bincount(c.code, rows.repeats) > 1).any()]
    named = [*clusters, *([] if rows.stratum is None else [rows.stratum])]
    keys: list[NDArray[Any]] = [positive, *(c.code for c in named)]
    if rows.weight is not None:
        keys.insert(1, rows.weight)
        scale = float(np.average(rows.weight, weights=rows.repeats))
    same = row[1:] == row[:-1]
    tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
    of_tied = [row[tied], *(key[order[tied]] for key in keys)]
    inner = np.lexsort(of_tied[::-1])
    order[tied] = order[tied][inner]
    again = np.all([key[inner[1:]] == key[inner[:-1]] for key in of_tied], axis=0)
    start = np.delete(np.arange(n), tied[1:][again])
    at = order[start]
    count = np.diff(start, append=n) if rows.repeats is None else np.add.reduceat(rows.repeats[order], start)
    weight = np.broadcast_to(ONE, len(at))
    if rows.weight is not None and (rows.weight != rows.weight[0]).any():
        weight = rows.weight[at] / scale
    used = [_used(c, at) for c in named]
    k = len(clusters)
    stratum = None if rows.stratum is None else used[k]
    cells, counted = sealed(row[start]), sealed(count.astype(np.int64, copy=False))
    clustered = tuple(used[:k])
    return Design(cells, sealed(positive[at]), sealed(weight), counted, scale, clustered, stratum)


SHARED = "Samples share clusters; comparisons ignore this, and their intervals are usually too wide."


def shares_clusters(samples: Iterable[Any]) -> bool:
    """Whether a cluster has cases in several samples, whose values are then dependent."""
    designs = [s.design for s in samples if s.design is not None]
    labels = [set(column.label.tolist()) for design in designs for column in design.clusters]
    return len(set().union(*labels)) < sum(map(len, labels))


def is_simple(design: Design) -> bool:
    """Whether cases are independent, of one stratum and one weight, so that counts suffice."""
    return not (design.clusters or design.weighted or design.stratum is not None)


def _used(column: Column, at: IntArray) -> Column:
    code, place = distinct(column.code[at])
    return Column(sealed(code), column.label[place])


def _joined(a: Column, b: Any) -> Column:
    label, code = np.unique(np.concatenate([a.label, b.label]), return_inverse=True)
    return Column(np.concatenate([code[: len(a.label)][a.code], code[len(a.label) :][b.code]]), label)
