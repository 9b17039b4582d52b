"""Counting inside DuckDB: only grouped counts come back, and nothing is loaded whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from confroc._check import ArgumentError
from confroc.ingest.cases import (
    MOST_LABELS_EVER,
    CellCounts,
    Chosen,
    Survey,
    cells_of,
    not_numbers,
    survey_of,
)
from confroc.ingest.levels import LevelMap

if TYPE_CHECKING:
    import duckdb

INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
WHOLE = (*INTEGERS, *(f"U{t}" for t in INTEGERS))
FLOATS = ("FLOAT", "DOUBLE")
NUMBERS = (*WHOLE, *FLOATS, "BOOLEAN")


def quoted(name: str) -> str:
    """A column name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """A string in SQL."""
    return "'" + value.replace("'", "''") + "'"


def unreadable(source: str, error: Exception) -> ValueError:
    """Return the error for what the engine could not read, in its own words."""
    reason = " ".join(str(error).split())
    # DuckDB appends the options it used after the reason proper.
    reason = reason.split(" file = ")[0].split(" Possible ")[0][:300]
    return ArgumentError("source", "be a readable table", source, f"Check it. The reader says: {reason}")


class SqlTable:
    """A DuckDB relation, on the connection it came from.

    With `parsed`, every column is text that still has to be read as numbers. `columns` are other names for
    the relation's columns.
    """

    def __init__(
        self,
        relation: duckdb.DuckDBPyRelation,
        name: str,
        *,
        columns: Sequence[str] | None = None,
        parsed: bool = False,
    ) -> None:
        self.relation = relation
        self.name = name
        self.parsed = parsed
        self.columns: Sequence[str] = relation.columns if columns is None else columns
        self._types = dict(zip(self.columns, map(str, relation.types), strict=True))
        self._quoted = dict(zip(self.columns, map(quoted, relation.columns), strict=True))

    def double(self, column: str) -> str:
        """A column as doubles, null where it is missing."""
        value = f"CAST({self._quoted[column]} AS DOUBLE)"
        if self.parsed:
            return f"TRY_CAST({self._quoted[column]} AS DOUBLE)"
        if self._types[column] not in FLOATS:
            return value
        # Statistics of Parquet files leave NaN out, and DuckDB 2.0 answers isnan() from them; an element of a
        # list has none, whatever the connection's settings.
        value = f"list_extract(list_value({value}), 1)"
        return f"(CASE WHEN isnan({value}) THEN NULL ELSE {value} END)"

    def _score(self, column: str) -> str:
        """The score as a double, null when missing."""
        kind = self._types[column]
        if not self.parsed and kind not in NUMBERS and not kind.startswith("DECIMAL"):
            raise not_numbers(column, kind)
        return self.double(column)

    def value(self, column: str) -> str:
        """A column as the engine holds it, null when it is NaN."""
        return self.double(column) if self._types[column] in FLOATS else self._quoted[column]

    def survey(self, label: str, scores: Sequence[str]) -> Survey:
        """Look at every row once; see `CaseTable`."""
        value = {name: self._score(name) for name in scores}
        complete = " AND ".join(f"{v} IS NOT NULL" for v in value.values())
        # By place and not by an alias, which could be the name of a column.
        parts = {
            "label": f"CAST({self.value(label)} AS VARCHAR)",
            "rows": "count(*)",
            "complete": f"count(*) FILTER ({complete})",
        }
        for i, (name, v) in enumerate(value.items()):
            # Whole numbers come back whole, so that those a double cannot tell apart are noticed.
            raw = self._quoted[name] if self._types[name] in WHOLE else v
            parts[f"missing{i}"] = f"count(*) FILTER ({v} IS NULL)"
            parts |= {f"low{i}": f"min({raw})", f"high{i}": f"max({raw})"}
            if self.parsed:
                trimmed = f"nullif(trim({self._quoted[name]}), '')"
                parts[f"text{i}"] = f"min({trimmed}) FILTER (TRY_CAST({trimmed} AS DOUBLE) IS NULL)"
        with self._told():
            grouped = self.relation.aggregate(", ".join(parts.values()), self.value(label))
            rows = grouped.limit(MOST_LABELS_EVER + 1).fetchall()
        found = {name: [row[k] for row in rows] for k, name in enumerate(parts)}
        return survey_of(found, scores)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Tell in this package's manner what the engine cannot read."""
        import duckdb

        try:
            yield
        except duckdb.Error as error:
            raise unreadable(self.name, error) from None

    def tally(self, chosen: Chosen, keys: Mapping[str, LevelMap | None]) -> CellCounts:
        """Count the chosen cases; see `CaseTable`."""
        label = self.value(chosen.label)
        kind = "DOUBLE" if self._types[chosen.label] in FLOATS else self._types[chosen.label]

        def one_of(labels: Sequence[str]) -> str:
            # Compared as the column's own type: casting every row to text costs more than all the rest.
            return f"{label} IN ({', '.join(f'CAST({text(v)} AS {kind})' for v in labels)})"

        known = [one_of([*chosen.positives, *chosen.negatives])]
        known += [f"{self._score(name)} IS NOT NULL" for name in chosen.scores]
        columns = [f"{one_of(chosen.positives)} AS positive"]
        groups, ends = [], []
        for i, (name, steps) in enumerate(keys.items()):
            columns.append(f"{self._score(name)} AS s{i}")
            groups.append(f"s{i}" if steps is None else steps.sql(f"s{i}"))
            ends += [f"s{i}"] if steps is None else [f"min(s{i}) AS low{i}", f"max(s{i}) AS high{i}"]
        counts = f"{', '.join(ends)}, count(*) FILTER (positive) AS pos, count(*) AS n"
        with self._told():
            rows = self.relation.filter(" AND ".join(known)).project(", ".join(columns))
            found = rows.aggregate(counts, ", ".join(groups)).fetchnumpy()
        return cells_of({name: np.ma.getdata(values) for name, values in found.items()}, len(keys))
