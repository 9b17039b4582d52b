"""Counting inside DuckDB: only grouped counts come back, and nothing is loaded whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from confroc._check import sentence
from confroc.ingest.cases import (
    MOST_LABELS_EVER,
    CellCounts,
    Chosen,
    LabelCount,
    ScoreFacts,
    Survey,
    not_numbers,
)
from confroc.ingest.levels import LevelMap

if TYPE_CHECKING:
    import duckdb

INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
WHOLE = (*INTEGERS, *(f"U{t}" for t in INTEGERS))
NUMBERS = (*WHOLE, "FLOAT", "DOUBLE", "BOOLEAN")


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
    return ValueError(sentence("source", "be a readable table", source, f"The reader says: {reason}"))


class SqlTable:
    """A DuckDB relation, on the connection it came from.

    With `parsed`, every column is text that still has to be read as numbers.
    """

    def __init__(self, relation: duckdb.DuckDBPyRelation, name: str, *, parsed: bool = False) -> None:
        self.relation = relation
        self.name = name
        self.parsed = parsed
        self.columns: Sequence[str] = relation.columns
        self._types = dict(zip(relation.columns, map(str, relation.types), strict=True))

    def _score(self, column: str) -> str:
        """The score as a double, null when missing."""
        if self.parsed:
            value = f"TRY_CAST({quoted(column)} AS DOUBLE)"
        else:
            kind = self._types[column]
            if kind not in NUMBERS and not kind.startswith("DECIMAL"):
                raise not_numbers(column, kind)
            value = f"CAST({quoted(column)} AS DOUBLE)"
            if kind not in ("FLOAT", "DOUBLE"):
                return value
        return f"(CASE WHEN isnan({value}) THEN NULL ELSE {value} END)"

    def survey(self, label: str, scores: Sequence[str]) -> Survey:
        """Look at every row once; see `CaseTable`."""
        value = {name: self._score(name) for name in scores}
        complete = " AND ".join(f"{v} IS NOT NULL" for v in value.values())
        parts = ["count(*)", f"count(*) FILTER ({complete})"]
        for name, v in value.items():
            # Whole numbers come back whole, so that those a double cannot tell apart are noticed.
            raw = quoted(name) if self._types[name] in WHOLE else v
            text_found = "NULL"
            if self.parsed:
                trimmed = f"nullif(trim({quoted(name)}), '')"
                text_found = f"min({trimmed}) FILTER (TRY_CAST({trimmed} AS DOUBLE) IS NULL)"
            parts += [f"count(*) FILTER ({v} IS NULL)", f"min({raw})", f"max({raw})", text_found]
        rows = self._rows(f"CAST({quoted(label)} AS VARCHAR), {', '.join(parts)}", quoted(label))
        labels = [LabelCount(self._label(label, row[0]), row[1], row[2]) for row in rows]
        facts = {}
        for i, name in enumerate(scores):
            missing, low, high, wrong = (
                [row[k] for row in rows if row[k] is not None] for k in range(3 + 4 * i, 7 + 4 * i)
            )
            ends = min(low, default=None), max(high, default=None)
            facts[name] = ScoreFacts(sum(missing), *ends, min(wrong, default=None))
        return Survey(labels, facts)

    def _label(self, column: str, found: str | None) -> str | None:
        lost = found is not None and found.lower() == "nan" and self._types[column] in ("FLOAT", "DOUBLE")
        return None if lost else found

    def _rows(self, select: str, group: str) -> list[tuple[Any, ...]]:
        import duckdb

        try:
            return self.relation.aggregate(select, group).limit(MOST_LABELS_EVER + 1).fetchall()
        except duckdb.Error as error:
            raise unreadable(self.name, error) from None

    def tally(self, chosen: Chosen, keys: Mapping[str, LevelMap | None]) -> CellCounts:
        """Count the chosen cases; see `CaseTable`."""
        import duckdb

        label = quoted(chosen.label)
        kind = self._types[chosen.label]

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
            ends += (
                [f"s{i} AS low{i}"] if steps is None else [f"min(s{i}) AS low{i}", f"max(s{i}) AS high{i}"]
            )
        try:
            found = (
                self.relation.filter(" AND ".join(known))
                .project(", ".join(columns))
                .aggregate(
                    f"{', '.join(ends)}, count(*) FILTER (positive) AS pos, count(*) AS n", ", ".join(groups)
                )
                .fetchnumpy()
            )
        except duckdb.Error as error:
            raise unreadable(self.name, error) from None
        data = {c: np.ma.getdata(v) for c, v in found.items()}
        low = [data[f"low{i}"] for i in range(len(keys))]
        high = [data.get(f"high{i}", low[i]) for i in range(len(keys))]
        return CellCounts(low, high, data["pos"], data["n"] - data["pos"])
