"""Data frames of any library that narwhals supports, in memory or lazy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from confroc._check import ArgumentTypeError, as_column, as_floats
from confroc._types import FloatArray, IntArray
from confroc.ingest.cases import (
    GROUP_NUMBER,
    MOST_LABELS_EVER,
    CellCounts,
    Chosen,
    DesignCells,
    JoinedSums,
    LabelCount,
    Placements,
    ScoreFacts,
    Survey,
    cells_of,
    not_numbers,
    sums_of,
    survey_of,
)
from confroc.ingest.levels import LevelMap
from confroc.ingest.sql import unreadable
from confroc.scores import PlacementSums, sorted_classes, tally
from confroc.scores.labels import check_kinds, coded_labels

if TYPE_CHECKING:
    import narwhals
    from narwhals.typing import IntoFrame


ROWS = 2**18
"""Block size of placement look-ups, in rows."""
EXTRAS = {"dask": "dask", "pyspark": "spark"}
"""Engines that are extras of confroc, which install all their requirements."""


class FrameTable:
    """A data frame in memory."""

    def __init__(self, frame: narwhals.DataFrame[Any], name: str) -> None:
        self.frame = frame
        self.name = name
        self.columns: Sequence[str] = frame.columns
        self._values: dict[str, FloatArray] = {}
        self._labels: list[Any] = []
        self._code: IntArray = np.zeros(0, np.int64)

    def _read_score(self, column: str) -> ScoreFacts:
        """Read a column as doubles, NaN when missing."""
        values = as_floats(f"score {column}", self.frame[column])
        self._values[column] = values
        missing = int(np.isnan(values).sum())
        if missing == len(values):
            return ScoreFacts(missing, None, None)
        return ScoreFacts(missing, float(np.nanmin(values)), float(np.nanmax(values)))

    def survey(self, label: str, scores: Sequence[str]) -> Survey:
        """Survey the rows; see `CaseTable`."""
        facts = {name: self._read_score(name) for name in scores}
        self._labels, self._code = coded_labels("label", as_column("label", self.frame[label]))
        rows, kept = (
            np.bincount(c, minlength=len(self._labels)).tolist()
            for c in (self._code, self._code[self._complete(scores)])
        )
        return Survey([LabelCount(*row) for row in zip(self._labels, rows, kept, strict=True)], facts)

    def _complete(self, scores: Sequence[str]) -> NDArray[np.bool_]:
        known: NDArray[np.bool_] = np.logical_and.reduce([~np.isnan(self._values[name]) for name in scores])
        return known

    def design_cells(self, chosen: Chosen, weight: str | None, identifiers: Sequence[str]) -> DesignCells:
        """Count the chosen cases by their design; see `CaseTable`."""
        label, known = self._known(chosen)
        of_cases = None if weight is None else as_floats("sample_weight", self.frame[weight])[known]
        found = [as_column(name, self.frame[name])[known] for name in identifiers]
        scores = [self._values[name][known] for name in chosen.scores]
        return DesignCells(label[known] == 1, scores, of_cases, found, np.ones(int(known.sum()), np.int64))

    def _known(self, chosen: Chosen) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
        """Return each row's class (1, 0, or -1 for excluded rows) and the mask of chosen rows."""
        sign = [1 if v in chosen.positives else 0 if v in chosen.negatives else -1 for v in self._labels]
        label = np.array(sign, np.int8)[self._code]
        return label, (label >= 0) & self._complete(chosen.scores)

    def _rows(self, chosen: Chosen, scores: Sequence[str]) -> tuple[NDArray[np.bool_], list[FloatArray]]:
        """Return the mask of positives and the given scores of the chosen cases."""
        label, known = self._known(chosen)
        positive = label == 1
        values = [self._values[name] for name in scores]
        return (positive, values) if known.all() else (positive[known], [v[known] for v in values])

    def tally(self, chosen: Chosen, keys: Mapping[str, LevelMap | None]) -> CellCounts:
        """Count the chosen cases; see `CaseTable`."""
        positive, values = self._rows(chosen, list(keys))
        steps = list(keys.values())
        if len(keys) == 1 and steps[0] is None:
            table = tally(*sorted_classes(values[0], positive))
            return CellCounts([table.score], [table.score], table.pos, table.neg)
        if steps == [None] * len(keys):
            return CellCounts(values, values, positive, ~positive)
        key: Any = 0
        for v, step in zip(values, steps, strict=True):
            distinct, index = np.unique(v if step is None else step.cell(v), return_inverse=True)
            # Renumber after each model, because keys of many models would exceed 64 bits.
            _, key = np.unique(key * len(distinct) + index, return_inverse=True)
        group = key
        size = int(group.max()) + 1
        low, high = [np.full(size, np.inf) for _ in keys], [np.full(size, -np.inf) for _ in keys]
        for v, lowest, highest in zip(values, low, high, strict=True):
            np.minimum.at(lowest, group, v)
            np.maximum.at(highest, group, v)
        pos, n = np.bincount(group[positive], minlength=size), np.bincount(group, minlength=size)
        return CellCounts(low, high, pos, n - pos)

    def difference_sums(self, chosen: Chosen, placed: Placements) -> JoinedSums:
        """Sum up differences of placements; see `CaseTable`."""
        positive, values = self._rows(chosen, chosen.scores)
        tables = placed.parts()
        upwards = [table.score[::-1].copy() for table in tables]
        k = len(tables)
        sums = np.zeros((2, 2, k, k))
        for start in range(0, len(positive), ROWS):
            here = slice(start, start + ROWS)
            at = [_places(scores, v[here]) for scores, v in zip(upwards, values, strict=True)]
            for side, member in enumerate((positive[here], ~positive[here])):
                of_side = [(table.of_pos, table.of_neg)[side] for table in tables]
                v = [of[place[member]] for of, place in zip(of_side, at, strict=True)]
                for i, j in combinations(range(k), 2):
                    square = (v[i] - v[j]) ** 2
                    sums[:, side, i, j] += square.sum(), (square * square).sum()
        sums += np.swapaxes(sums, -1, -2)
        n_pos = int(np.count_nonzero(positive))
        return JoinedSums((n_pos, len(positive) - n_pos), PlacementSums(sums[0], sums[1]))

    def values(self, column: str, most: int) -> list[tuple[Any, int]]:
        """Return distinct values; see `CaseTable`."""
        with converting_errors(self.name):
            return _values_of(_by_value(self.frame, column).head(most))

    def numbered(self, column: str, values: Sequence[Sequence[Any]]) -> FrameTable:
        """Number the rows by their value; see `CaseTable`."""
        return FrameTable(self.frame.with_columns(_number(self.frame, column, values)), self.name)


def _places(upwards: FloatArray, values: FloatArray) -> IntArray:
    """Positions of values in a table of decreasing scores, given in ascending order."""
    # Sorted, because random searches miss the cache.
    order = np.argsort(values)
    found = np.empty(len(values), np.int64)
    found[order] = len(upwards) - 1 - np.searchsorted(upwards, values[order])
    return found


def _value(frame: narwhals.DataFrame[Any] | narwhals.LazyFrame[Any], column: str) -> narwhals.Expr:
    """A column to group by, with categories as their values."""
    import narwhals as nw

    dtype = frame.collect_schema()[column]
    if dtype == nw.Object and frame.implementation.is_polars():
        # Polars crashes when grouping by Python objects.
        rule = "contain text, numbers or dates"
        raise ArgumentTypeError(column, rule, str(dtype), "Convert it to text first.")
    return _plain(column) if dtype in (nw.Categorical, nw.Enum) else nw.col(column)


def _plain(column: str) -> narwhals.Expr:
    """Categories as text."""
    import narwhals as nw

    # Some versions of pandas turn missing values into text.
    return nw.when(~nw.col(column).is_null()).then(nw.col(column).cast(nw.String))


def _by_value(frame: Any, column: str) -> Any:
    """Rows per distinct value of a column."""
    import narwhals as nw

    values = frame.select(_value(frame, column).alias("value"))
    return values.group_by("value", drop_null_keys=False).agg(nw.len().alias("rows"))


def _values_of(found: narwhals.DataFrame[Any]) -> list[tuple[Any, int]]:
    return list(zip(found["value"].to_list(), map(int, found["rows"].to_list()), strict=True))


def _number(frame: Any, column: str, values: Sequence[Sequence[Any]]) -> narwhals.Expr:
    """Number of the list that contains a row's value, from 1, assembled from binary digits, or null."""
    import narwhals as nw

    value = _value(frame, column)
    known = value.is_in([v for same in values for v in same])
    number: Any = 0
    for digit in range(len(values).bit_length()):
        ones = [v for n, same in enumerate(values, 1) if n >> digit & 1 for v in same]
        number = number + value.is_in(ones).cast(nw.Int64) * 2**digit
    return nw.when(known).then(number).alias(GROUP_NUMBER)


@contextmanager
def converting_errors(name: str) -> Iterator[None]:
    """Convert an engine's errors to errors of confroc."""
    from narwhals.exceptions import NarwhalsError

    try:
        yield
    except ImportError as error:
        extra = EXTRAS.get(name.split()[0])
        wanted = f"confroc[{extra}]" if extra else error.name
        raise ImportError(
            f"`source` must come from a fully installed engine; {name} lacks {error.name}. "
            f"Run `pip install {wanted}`."
        ) from None
    except (NarwhalsError, UnicodeError) as error:
        raise unreadable(name, error) from None


class LazyTable:
    """A lazy data frame: polars, Dask, PySpark and others. Grouping happens where the data are."""

    def __init__(self, frame: narwhals.LazyFrame[Any], name: str) -> None:
        self.frame = frame
        self.name = name
        with converting_errors(name):
            self.schema = frame.collect_schema()
        self.columns: Sequence[str] = self.schema.names()

    def _score(self, column: str) -> narwhals.Expr:
        """The score as a double, null or NaN when missing."""
        import narwhals

        dtype = self.schema[column]
        if not (dtype.is_numeric() or dtype == narwhals.Boolean):
            raise not_numbers(column, str(dtype))
        return narwhals.col(column).cast(narwhals.Float64)

    def survey(self, label: str, scores: Sequence[str]) -> Survey:
        """Survey the rows; see `CaseTable`."""
        import narwhals as nw

        lost = [self._score(name).is_null() | self._score(name).is_nan() for name in scores]
        complete = ~lost[0]
        for gap in lost[1:]:
            complete = complete & ~gap
        columns = [self._label(label).alias("label"), complete.cast(nw.Int64).alias("complete")]
        facts = [nw.len().alias("rows"), nw.col("complete").sum()]
        for i, (name, gap) in enumerate(zip(scores, lost, strict=True)):
            # Integers stay integers, so that those not exact in double precision are detected.
            whole = self.schema[name].is_integer() or self.schema[name].is_decimal()
            raw = nw.col(name) if whole else self._score(name)
            columns += [gap.cast(nw.Int64).alias(f"missing{i}"), nw.when(~gap).then(raw).alias(f"s{i}")]
            facts += [nw.col(f"missing{i}").sum()]
            facts += [nw.col(f"s{i}").min().alias(f"low{i}"), nw.col(f"s{i}").max().alias(f"high{i}")]
        grouped = self.frame.select(*columns).group_by("label", drop_null_keys=False).agg(*facts)
        found = self._collect(grouped.head(MOST_LABELS_EVER + 1))
        # As lists: arrays with missing values turn integers into doubles.
        return survey_of({name: found[name].to_list() for name in found.columns}, scores)

    def _label(self, column: str) -> narwhals.Expr:
        import narwhals as nw

        dtype = self.schema[column]
        text = dtype in (nw.Categorical, nw.Enum)
        known = text or dtype.is_numeric() or dtype in (nw.Boolean, nw.String)
        # pandas may store text as objects; polars crashes when grouping by objects.
        objects = dtype in (nw.Object, nw.Unknown) and not self.frame.implementation.is_polars()
        if not (known or objects):
            check_kinds("label", [str(dtype)], repr(column))
        return _plain(column) if text else nw.col(column)

    def design_cells(self, chosen: Chosen, weight: str | None, identifiers: Sequence[str]) -> DesignCells:
        """Count the chosen cases by their design; see `CaseTable`."""
        import narwhals as nw

        more = {f"m{i}": _plain(name) for i, name in enumerate(identifiers)}
        more |= {} if weight is None else {"weight": self._score(weight)}
        rows = self._rows(chosen, chosen.scores, more)
        keys = rows.collect_schema().names()
        found = self._collect(rows.group_by(*keys, drop_null_keys=False).agg(nw.len().alias("n")))
        scores = [found[f"s{i}"].to_numpy().astype(float) for i in range(len(chosen.scores))]
        return DesignCells(
            found["pos"].to_numpy() == 1,
            scores,
            None if weight is None else as_floats("sample_weight", found["weight"]),
            [as_column(name, found[f"m{i}"]) for i, name in enumerate(identifiers)],
            found["n"].to_numpy().astype(np.int64),
        )

    def _rows(
        self, chosen: Chosen, scores: Sequence[str], more: Mapping[str, narwhals.Expr] = MappingProxyType({})
    ) -> narwhals.LazyFrame[Any]:
        """The chosen cases: `pos` (1 or 0), scores as `s0`, `s1`, ..., and more columns."""
        import narwhals as nw

        label = self._label(chosen.label)
        known = label.is_in([*chosen.positives, *chosen.negatives])
        for name in chosen.scores:
            known = known & ~(self._score(name).is_null() | self._score(name).is_nan())
        columns = [label.is_in(list(chosen.positives)).cast(nw.Int64).alias("pos")]
        columns += [self._score(name).alias(f"s{i}") for i, name in enumerate(scores)]
        columns += [value.alias(name) for name, value in more.items()]
        return self.frame.filter(known).select(*columns)

    def tally(self, chosen: Chosen, keys: Mapping[str, LevelMap | None]) -> CellCounts:
        """Count the chosen cases; see `CaseTable`."""
        import narwhals as nw

        cells, ends, groups = [], [], []
        for i, steps in enumerate(keys.values()):
            if steps is None:
                groups.append(f"s{i}")
                continue
            cells.append(steps.expression(f"s{i}").alias(f"cell{i}"))
            ends += [nw.col(f"s{i}").min().alias(f"low{i}"), nw.col(f"s{i}").max().alias(f"high{i}")]
            groups.append(f"cell{i}")
        frame = self._rows(chosen, list(keys))
        if cells:
            frame = frame.with_columns(*cells)
        grouped = frame.group_by(*groups).agg(*ends, nw.col("pos").sum(), nw.len().alias("n"))
        found = self._collect(grouped)
        return cells_of({name: found[name].to_numpy() for name in found.columns}, len(keys))

    def difference_sums(self, chosen: Chosen, placed: Placements) -> JoinedSums:
        """Sum up differences of placements; see `CaseTable`."""
        import narwhals as nw

        models = range(len(chosen.scores))
        with converting_errors(self.name):
            rows = self._rows(chosen, chosen.scores)
            for i, table in enumerate(placed.parts()):
                columns = {f"s{i}": table.score, f"pos{i}": table.of_pos, f"neg{i}": table.of_neg}
                rows = rows.join(self._lazy(columns), on=f"s{i}", how="inner")
        positive = nw.col("pos") == 1
        own = [nw.when(positive).then(nw.col(f"pos{i}")).otherwise(nw.col(f"neg{i}")) for i in models]
        rows = rows.select("pos", *(v.alias(f"v{i}") for i, v in enumerate(own)))
        sums = [nw.len().alias("n")]
        for i, j in combinations(models, 2):
            second, fourth = f"second{i}_{j}", f"fourth{i}_{j}"
            differences = nw.col(f"v{i}") - nw.col(f"v{j}")
            rows = rows.with_columns((differences * differences).alias(second))
            rows = rows.with_columns((nw.col(second) * nw.col(second)).alias(fourth))
            sums += [nw.col(second).sum(), nw.col(fourth).sum()]
        found = self._collect(rows.group_by("pos").agg(*sums))
        return sums_of({name: found[name].to_list() for name in found.columns}, len(models))

    def values(self, column: str, most: int) -> list[tuple[Any, int]]:
        """Return distinct values; see `CaseTable`."""
        return _values_of(self._collect(_by_value(self.frame, column).head(most)))

    def numbered(self, column: str, values: Sequence[Sequence[Any]]) -> LazyTable:
        """Number the rows by their value; see `CaseTable`."""
        return LazyTable(self.frame.with_columns(_number(self.frame, column, values)), self.name)

    def _lazy(self, columns: dict[str, FloatArray]) -> narwhals.LazyFrame[Any]:
        """A small table for this engine to join."""
        import narwhals as nw

        kind = self.frame.implementation
        if kind.is_polars():
            return nw.from_dict(columns, backend="polars").lazy()
        session = getattr(nw.to_native(self.frame), "sparkSession", None)
        return nw.from_dict(columns, backend="pandas").lazy(kind, session=session)

    def _collect(self, frame: narwhals.LazyFrame[Any]) -> narwhals.DataFrame[Any]:
        with converting_errors(self.name):
            return frame.collect()


def open_frame(source: IntoFrame) -> FrameTable | LazyTable:
    """Wrap a data frame."""
    import narwhals

    name = f"{type(source).__module__.split('.')[0]} {type(source).__name__}"
    try:
        with converting_errors(name):
            frame = narwhals.from_native(source)
            columns = frame.collect_schema().names()
    except TypeError:
        remedy = "Pass a path or a data frame, e.g. pandas.DataFrame(source)."
        rule = "be a path, a pattern of paths, a query, a DuckDB relation or a data frame"
        raise ArgumentTypeError("source", rule, type(source).__name__, remedy) from None
    if not all(isinstance(column, str) for column in columns):
        # Only pandas and similar libraries have such names.
        named: Any = narwhals.to_native(frame)
        named = named.copy(deep=False)
        named.columns = list(map(str, columns))
        return open_frame(named)
    return LazyTable(frame, name) if isinstance(frame, narwhals.LazyFrame) else FrameTable(frame, name)
