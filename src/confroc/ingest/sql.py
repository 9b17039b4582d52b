"""Counting in DuckDB; only grouped counts are returned."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from confroc._check import LARGEST_EXACT_INTEGER, NUMBER, ArgumentError, as_column, as_floats
from confroc.ingest.cases import (
    GROUP_NUMBER,
    MOST_LABELS_EVER,
    CellCounts,
    Chosen,
    DesignCells,
    JoinedSums,
    Placements,
    Survey,
    cells_of,
    check_columns,
    not_numbers,
    sums_of,
    survey_of,
)
from confroc.ingest.levels import LevelMap
from confroc.scores.labels import TEXT, check_kinds

if TYPE_CHECKING:
    import duckdb

INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
WHOLE = (*INTEGERS, *(f"U{t}" for t in INTEGERS))
FLOATS = ("FLOAT", "DOUBLE")
# The type of a column without values.
NUMBERS = (*WHOLE, *FLOATS, "BOOLEAN", "NULL", '"NULL"')
DECIMAL = re.compile(r"DECIMAL\(\d+, *\d+\)")
TEXTS = re.compile(r"VARCHAR|ENUM\(.*\)", re.DOTALL)
PLACED = "confroc_placements"
"""Name of the placements in SQL; `SqlTable.difference_sums` has a variable of this name."""
INFINITE = r"[+-]?(?i:inf(inity)?)"
"""Words for infinity are read as numbers."""


def _is_number(kind: str) -> bool:
    return kind in NUMBERS or DECIMAL.fullmatch(kind) is not None


def quoted(name: str) -> str:
    """A column name, quoted for SQL."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """A string, quoted for SQL."""
    # SQL text cannot contain the character 0.
    return "'" + value.replace("'", "''").replace("\0", "' || chr(0) || '") + "'"


LINE, FIELDS = r"CSV Error on Line: (\d+)", r"Expected Number of Columns: (\d+) Found: (\d+)"
"""Parts of DuckDB's message on a line with another number of fields."""


def unreadable(source: str, error: Exception) -> ValueError:
    """Return the error for an unreadable source, with the engine's message."""
    line, fields = (re.search(pattern, str(error)) for pattern in (LINE, FIELDS))
    if line and fields:
        rule, remedy = f"have {fields[1]} fields in each line", f"Line {line[1]} has {fields[2]}. Correct it."
        return ArgumentError("source", rule, source, remedy)
    reason = " ".join(str(error).split())
    # DuckDB appends its options after the reason.
    reason = reason.split(" file = ")[0].split(" Possible ")[0][:300]
    return ArgumentError("source", "be a readable table", source, f"DuckDB reports: {reason}")


class SqlTable:
    """A DuckDB relation, on its own connection.

    With `gaps`, every column is text to be parsed as numbers, those of `commas` with decimal commas, and
    `gaps` are the words for missing values; `rows` returns the file, line and fields of each row. `columns`
    are other names for the relation's columns. Tables are registered on `connection`, or else found by DuckDB
    among Python variables.
    """

    def __init__(
        self,
        relation: duckdb.DuckDBPyRelation,
        name: str,
        *,
        columns: Sequence[str] | None = None,
        gaps: Sequence[str] | None = None,
        commas: Sequence[str] = (),
        rows: Callable[[], Iterable[tuple[Path, int, Sequence[str]]]] = tuple,
        connection: duckdb.DuckDBPyConnection | None = None,
    ) -> None:
        self.relation = relation
        self.connection = connection
        self.name = name
        self.gaps = gaps
        self.commas = commas
        self.rows = rows
        with self._converting_errors():
            found, kinds = relation.columns, list(map(str, relation.types))
        self.columns: Sequence[str] = found if columns is None else columns
        check_columns(self.columns)
        self._types = dict(zip(self.columns, kinds, strict=True))
        self._quoted = dict(zip(self.columns, map(quoted, found), strict=True))

    def double(self, column: str) -> str:
        """A column as doubles, null if missing."""
        kind = self._types[column]
        field = self._quoted[column]
        if column in self.commas:
            field = f"replace({field}, ',', '.')"
        value = f"{'CAST' if self.gaps is None else 'TRY_CAST'}({field} AS DOUBLE)"
        if kind in FLOATS:
            # Statistics of Parquet files ignore NaN, and DuckDB 2.0 evaluates isnan() from them; a list
            # element has no statistics.
            value = f"list_extract(list_value({value}), 1)"
        elif self.gaps is None:
            return value
        return f"(CASE WHEN isnan({value}) THEN NULL ELSE {value} END)"

    def _score(self, column: str) -> str:
        """The score as a double, null if missing."""
        kind = self._types[column]
        if self.gaps is None and not _is_number(kind):
            raise not_numbers(column, kind)
        return self.double(column)

    def value(self, column: str) -> str:
        """A column in its own type, null if NaN."""
        kind = self._types[column]
        return f"CAST({self.double(column)} AS {kind})" if kind in FLOATS else self._quoted[column]

    def survey(self, label: str, scores: Sequence[str]) -> Survey:
        """Survey the rows; see `CaseTable`."""
        value = {name: self._score(name) for name in scores}
        kind = self._types[label]
        check_kinds("label", [TEXT if _is_number(kind) or TEXTS.fullmatch(kind) else kind], repr(label))
        complete = " AND ".join(f"{v} IS NOT NULL" for v in value.values())
        # By position, since an alias could be the name of a column.
        parts = {
            "label": f"CAST({self.value(label)} AS VARCHAR)",
            "rows": "count(*)",
            "complete": f"count(*) FILTER ({complete})",
        }
        for i, (name, v) in enumerate(value.items()):
            # Integers stay integers, so that those not exact in double precision are detected.
            kind = self._types[name]
            raw = self._quoted[name] if kind in WHOLE or DECIMAL.fullmatch(kind) else v
            parts[f"missing{i}"] = f"count(*) FILTER ({v} IS NULL)"
            parts |= {f"low{i}": f"min({raw})", f"high{i}": f"max({raw})"}
            if self.gaps is not None:
                parts |= {f"text{i}": self._no_number(name), f"whole{i}": self._too_large(name)}
        with self._converting_errors():
            grouped = self.relation.aggregate(", ".join(parts.values()), self.value(label))
            rows = grouped.limit(MOST_LABELS_EVER + 1).fetchall()
        found = {name: [row[k] for row in rows] for k, name in enumerate(parts)}
        if self.gaps is not None:
            found["label"] = [None if raw and raw.strip() in self.gaps else raw for raw in found["label"]]
        for i in range(len(scores)):
            if texts := [field.strip() for field in found.pop(f"text{i}", ()) if field]:
                found[f"text{i}"] = [*(self._first_text(scores[i]) or (min(texts),))]
            large = [Decimal(digits.strip()) for digits in found.get(f"whole{i}", ()) if digits is not None]
            if large:
                # In place of the doubles.
                found[f"high{i}"] = [*large, *(v for v in found[f"high{i}"] if v == math.inf)]
        return survey_of(found, scores)

    def _known(self, column: str) -> str:
        """Pattern of a field that is a number or missing."""
        assert self.gaps is not None
        # DuckDB also accepts 1_000 and +-1.
        number = NUMBER.replace(r"\.", ",") if column in self.commas else NUMBER
        return rf"[\s\v]*({'|'.join([number, INFINITE, *map(re.escape, self.gaps)])})[\s\v]*"

    def _no_number(self, column: str) -> str:
        """SQL for a field that is neither a number nor missing."""
        field = self._quoted[column]
        return f"min({field}) FILTER (NOT regexp_full_match({field}, {text(self._known(column))}))"

    def _first_text(self, column: str) -> tuple[str, str] | tuple[()]:
        """The first field that is neither a number nor missing, and its place; rows in SQL have no order."""
        known, at = re.compile(self._known(column)), list(self.columns).index(column)
        for path, line, row in self.rows():
            if at < len(row) and not known.fullmatch(row[at]):
                return row[at].strip(), f"It is on line {line:,} of {path}. "
        return ()

    def _too_large(self, column: str) -> str:
        """SQL for a field of digits that is an integer beyond 2**53."""
        field, value, most = self._quoted[column], self.double(column), LARGEST_EXACT_INTEGER
        beyond = f"coalesce(TRY_CAST({field} AS HUGEINT) NOT BETWEEN -{most} AND {most}, true)"
        digits = f"regexp_full_match({field}, '[\\s\\v]*[+-]?[0-9]+[\\s\\v]*')"
        # CASE evaluates its branches in order, unlike AND.
        large = f"abs({value}) >= {most} AND NOT isinf({value})"
        return f"max({field}) FILTER (CASE WHEN {large} THEN {digits} AND {beyond} ELSE false END)"

    @contextmanager
    def _converting_errors(self) -> Iterator[None]:
        """Convert errors of the engine to errors of confroc."""
        import duckdb

        try:
            yield
        except duckdb.Error as error:
            raise unreadable(self.name, error) from None

    def design_cells(self, chosen: Chosen, weight: str | None, identifiers: Sequence[str]) -> DesignCells:
        """Count the chosen cases by their design; see `CaseTable`."""
        more = [f"{self._identifier(name)} AS m{i}" for i, name in enumerate(identifiers)]
        more += [] if weight is None else [f"{self._score(weight)} AS weight"]
        with self._converting_errors():
            rows = self._rows(chosen, chosen.scores, more)
            keys = ", ".join(rows.columns)
            found = rows.aggregate(f"{keys}, count(*) AS n", keys).fetchnumpy()
            values = None if weight is None else as_floats("sample_weight", found["weight"])
            unread = self.gaps is not None and values is not None and np.isnan(values).any()
            if weight is not None and unread and (wrong := self._first_text(weight)):
                raise not_numbers(weight, *wrong)
        return DesignCells(
            np.ma.getdata(found["positive"]).astype(bool),
            [np.ma.getdata(found[f"s{i}"]).astype(float) for i in range(len(chosen.scores))],
            values,
            [as_column(name, found[f"m{i}"]) for i, name in enumerate(identifiers)],
            np.ma.getdata(found["n"]).astype(np.int64),
        )

    def _identifier(self, column: str) -> str:
        """A column as text, null if missing."""
        value = f"CAST({self.value(column)} AS VARCHAR)"
        if self.gaps is None:
            return value
        return f"(CASE WHEN trim({value}) IN ({', '.join(map(text, self.gaps))}) THEN NULL ELSE {value} END)"

    def _rows(
        self, chosen: Chosen, scores: Sequence[str], more: Sequence[str] = ()
    ) -> duckdb.DuckDBPyRelation:
        """The chosen cases: `positive`, scores as `s0`, `s1`, ..., and more columns."""
        label = self.value(chosen.label)
        kind = self._types[chosen.label]

        def one_of(labels: Sequence[str]) -> str:
            # Compare in the column's type, because casting every row to text is slow.
            return f"{label} IN ({', '.join(f'CAST({text(v)} AS {kind})' for v in labels)})"

        known = [one_of([*chosen.positives, *chosen.negatives])]
        known += [f"{self._score(name)} IS NOT NULL" for name in chosen.scores]
        columns = [f"{one_of(chosen.positives)} AS positive"]
        columns += [f"{self._score(name)} AS s{i}" for i, name in enumerate(scores)]
        columns += more
        return self.relation.filter(" AND ".join(known)).project(", ".join(columns))

    def tally(self, chosen: Chosen, keys: Mapping[str, LevelMap | None]) -> CellCounts:
        """Count the chosen cases; see `CaseTable`."""
        groups, ends = [], []
        for i, steps in enumerate(keys.values()):
            groups.append(f"s{i}" if steps is None else steps.sql(f"s{i}"))
            ends += [f"s{i}"] if steps is None else [f"min(s{i}) AS low{i}", f"max(s{i}) AS high{i}"]
        counts = f"{', '.join(ends)}, count(*) FILTER (positive) AS pos, count(*) AS n"
        with self._converting_errors():
            found = self._rows(chosen, list(keys)).aggregate(counts, ", ".join(groups)).fetchnumpy()
        return cells_of({name: np.ma.getdata(values) for name, values in found.items()}, len(keys))

    def difference_sums(self, chosen: Chosen, placed: Placements) -> JoinedSums:
        """Sum up differences of placements; see `CaseTable`."""
        import duckdb

        models = range(len(chosen.scores))
        pairs = list(combinations(models, 2))
        # A hash join that works on any connection.
        looked_up = [
            f"(SELECT struct_pack(pos := of_pos, neg := of_neg) FROM {PLACED} AS t "
            f"WHERE t.model = {i} AND t.score = s{i}) AS p{i}"
            for i in models
        ]
        own = [f"CASE WHEN positive THEN p{i}.pos ELSE p{i}.neg END AS v{i}" for i in models]
        differences = [f"v{i} - v{j} AS d{i}_{j}" for i, j in pairs]
        complete = " AND ".join(f"v{i} IS NOT NULL" for i in models)
        sums = {"pos": "positive", "n": "count(*) FILTER (complete)"}
        for i, j in pairs:
            square = f"(d{i}_{j} * d{i}_{j})"
            # Compensated sums of very many terms.
            sums |= {f"second{i}_{j}": f"fsum({square})", f"fourth{i}_{j}": f"fsum({square} * {square})"}
        confroc_placements = placed._asdict()
        if self.connection is not None:
            self.connection.register(PLACED, confroc_placements)
        with self._converting_errors():
            rows = self._rows(chosen, chosen.scores)
            for columns in (looked_up, own, [f"{complete} AS complete", *differences]):
                # DuckDB looks up the name among this function's variables unless it is registered.
                try:
                    rows = rows.project(", ".join(["positive", *columns]))
                except duckdb.CatalogException:
                    rule = "be on a connection that can read Python variables"
                    remedy = "Run `SET python_enable_replacements = true`, or pass e.g. resolution=4096."
                    raise ArgumentError("source", rule, self.name, remedy) from None
            found = rows.aggregate(", ".join(sums.values()), "positive").fetchall()
        if self.connection is not None:
            self.connection.unregister(PLACED)
        columns_of = dict(zip(sums, zip(*found, strict=True), strict=True))
        return sums_of(columns_of, len(models))

    def _text(self, column: str) -> str:
        """A column as text, null if missing or blank."""
        return f"nullif(trim(CAST({self.value(column)} AS VARCHAR)), '')"

    def values(self, column: str, most: int) -> list[tuple[Any, int]]:
        """Return distinct values as text; see `CaseTable`."""
        with self._converting_errors():
            rows = self.relation.project(f"{self._text(column)} AS value")
            return rows.aggregate("value, count(*)", "value").limit(most).fetchall()

    def numbered(self, column: str, values: Sequence[Sequence[Any]]) -> SqlTable:
        """Number the rows by their value; see `CaseTable`."""
        listed = ", ".join(text(value) for same in values for value in same)
        numbers = ", ".join(str(n) for n, same in enumerate(values, 1) for _ in same)
        # As text if all columns are text.
        kind = "BIGINT" if self.gaps is None else "VARCHAR"
        number = f"CAST(list_extract([{numbers}], list_position([{listed}], {self._text(column)})) AS {kind})"
        relation = self.relation.project(f"*, {number} AS {quoted(GROUP_NUMBER)}")
        return SqlTable(
            relation,
            self.name,
            columns=[*self.columns, GROUP_NUMBER],
            gaps=self.gaps,
            commas=self.commas,
            rows=self.rows,
            connection=self.connection,
        )
