"""A short table with a heading and what it claims, as text and for notebooks.

The notebook's page brings no colours of its own, so that it reads on light and on dark backgrounds, and no
scripts. Where a viewer strips the style sheet, a plain table is left.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

import numpy as np

MOST_ROWS = 10
# A single row of more columns than this is shown as names and values, one under the other.
WIDEST_ROW = 6
WIDEST = 80
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""What moves a terminal's cursor, changes its colours or turns its text round; lines and tabs do not."""
MOST_UPRIGHT = 5
"""Lines, the names among them, up to which a table that is too wide is turned."""
STYLE = (
    "<style>"
    ".confroc{max-width:100%;overflow-x:auto}"
    ".confroc table{border-collapse:collapse;margin:.3em 0;font-variant-numeric:tabular-nums}"
    ".confroc th,.confroc td{padding:.15em .7em;text-align:right;background:none;color:inherit}"
    ".confroc thead th{border-bottom:1px solid currentColor}"
    ".confroc tbody th{text-align:left;font-weight:normal}"
    ".confroc p{margin:.2em 0}"
    "</style>"
)


class Table(NamedTuple):
    """What is shown: the columns' first or chosen rows, and how many rows there are in all."""

    heading: str
    columns: Mapping[str, Sequence[Any]]
    total: int
    claims: str = ""
    notes: tuple[str, ...] = ()

    @property
    def left_out(self) -> int:
        """Rows that are not shown."""
        return self.total - max((len(values) for values in self.columns.values()), default=0)

    @property
    def upright(self) -> bool:
        """Whether one row of many columns is shown as names and values."""
        return self.total == 1 and len(self.columns) > WIDEST_ROW


def cell(value: Any) -> str:
    """Return one value as text: four digits, or the whole part of a large number."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer):
        return f"{int(value):,}".replace(",", " ")
    if isinstance(value, float | np.floating):
        number = float(value)
        if math.isnan(number):
            return "–"
        if math.isinf(number):
            return "∞" if number > 0 else "−∞"
        digits = 4 if abs(number) < 1000.0 else 7
        return f"{number:.{digits}g}".replace("-", "−")
    return "–" if value is None else str(value)


def visible(text: str) -> str:
    """Return a text that changes nothing but lines in a terminal: control characters as JSON writes them."""
    return CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def as_text(table: Table) -> str:
    """Return the table as lines of text; one that is too wide has its columns one under the other."""
    columns = [[_one_line(name), *map(_one_line, values)] for name, values in table.columns.items()]
    lines = _aligned(columns, words=any(isinstance(v, str) for v in next(iter(table.columns.values()), ())))
    if len(lines[0]) > WIDEST and len(lines) <= MOST_UPRIGHT:
        lines = _aligned([list(row) for row in zip(*columns, strict=True)], words=True)
    if table.left_out > 0:
        lines.append(f"({cell(table.total)} rows, {cell(table.total - table.left_out)} shown)")
    claims = [table.claims] if table.claims else []
    return visible("\n".join([table.heading, *lines, *claims, *(f"Note: {note}" for note in table.notes)]))


def _one_line(value: Any) -> str:
    """A cell as it stands between others, however odd a name is."""
    return visible(cell(value).replace("\n", "\\n").replace("\t", "\\t"))


def _aligned(columns: Sequence[Sequence[str]], *, words: bool) -> list[str]:
    """Lines of cells, aligned to the right; words in the first column are aligned to the left."""
    widths = [max(map(len, column)) for column in columns]
    sides = ["<" if words else ">", *">" * len(columns)]
    return [
        "  ".join(f"{c:{side}{width}}" for c, side, width in zip(row, sides, widths, strict=False)).rstrip()
        for row in zip(*columns, strict=True)
    ]


def joined(heading: str, tables: Mapping[str, Table], *, by: str = "model") -> Table:
    """Return tables under one another as one, whose first column names them.

    Words that all rows share are said once, below; columns without any number are left out.
    """
    names = dict.fromkeys(name for table in tables.values() for name in table.columns)
    columns: dict[str, list[Any]] = {by: []} | {name: [] for name in names}
    for title, table in tables.items():
        rows = max((len(values) for values in table.columns.values()), default=0)
        columns[by] += [title] * rows
        for name in names:
            columns[name] += table.columns.get(name, [None] * rows)
    said = []
    for name in names:
        values = columns[name]
        if all(v is None or (isinstance(v, float) and math.isnan(v)) for v in values):
            del columns[name]
        elif isinstance(values[0], str) and values.count(values[0]) == len(values):
            said.append(f"{name.replace('_', ' ')}: {columns.pop(name)[0]}")
    claims = dict.fromkeys(table.claims for table in tables.values())
    whose = {c: ", ".join(title for title, table in tables.items() if table.claims == c) for c in claims}
    lines = [c if len(claims) == 1 else f"{whose[c]}: {c}" for c in claims]
    return Table(
        heading,
        columns,
        sum(table.total for table in tables.values()),
        "\n".join([*lines[:-1], "; ".join(filter(None, [*lines[-1:], *said]))]),
        tuple(f"{', '.join(names)}: {note}" for note, names in by_note(tables).items()),
    )


def by_note(tables: Mapping[str, Table]) -> dict[str, list[str]]:
    """Return the names of the tables that each note belongs to."""
    found: dict[str, list[str]] = {}
    for name, table in tables.items():
        for note in table.notes:
            found.setdefault(note, []).append(name)
    return found


def as_html(table: Table) -> str:
    """Return the table as a small self-contained HTML fragment, all text escaped."""
    columns = {escape(n): [escape(cell(v)) for v in values] for n, values in table.columns.items()}
    if table.upright:
        body = "".join(
            f'<tr><th scope="row">{name}</th><td>{values[0]}</td></tr>' for name, values in columns.items()
        )
        page = f"<table><tbody>{body}</tbody></table>"
    else:
        head = "".join(f'<th scope="col">{name}</th>' for name in columns)
        body = "".join(
            f"<tr>{''.join(f'<td>{value}</td>' for value in row)}</tr>"
            for row in zip(*columns.values(), strict=True)
        )
        page = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    parts = [STYLE, f"<p><b>{escape(table.heading)}</b></p>", page]
    if table.left_out > 0:
        parts.append(f"<p>{cell(table.total)} rows, {cell(table.total - table.left_out)} shown</p>")
    parts += [f"<p><small>{escape(claim)}</small></p>" for claim in table.claims.splitlines()]
    parts += [f"<p><small>Note: {escape(note)}</small></p>" for note in table.notes]
    return f'<div class="confroc">{"".join(parts)}</div>'


def samples(name: str, models: Mapping[str, Any], *, joint: int | None = None) -> Table:
    """Return the table of samples: what `Scores` and their pairs show of themselves."""
    columns: dict[str, list[Any]] = {"model": list(models)} if len(models) > 1 else {}
    columns |= {
        "positives": [s.n_pos for s in models.values()],
        "negatives": [s.n_neg for s in models.values()],
        "distinct scores": [len(s.score) for s in models.values()],
        "AUC": [s.auc for s in models.values()],
    }
    if any(s.n_dropped for s in models.values()):
        columns["dropped"] = [s.n_dropped for s in models.values()]
    notes = tuple(
        f"scores {model} are rounded; the AUC may be off by {s.auc_error:.2g}.".replace("  ", " ")
        for model, s in models.items()
        if not s.exact
    )
    claims = "" if joint is None else f"{joint:,} distinct pairs of scores".replace(",", " ")
    return Table(name, columns, len(models), claims, notes)
