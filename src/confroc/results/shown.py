"""Tables of results with heading, claims and notes, as text and as HTML.

The HTML sets no colors, so that it is readable on light and dark backgrounds, and has no scripts. Where a
viewer removes the style sheet, a plain table remains.
"""

from __future__ import annotations

import itertools
import math
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from html import escape
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from confroc._types import FloatArray

MOST_ROWS = 10
# A single row of more columns is printed vertically, as names and values.
WIDEST_ROW = 6
WIDEST = 80
PAGE = 100
"""Page width of printed results, in characters."""
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Control characters of terminals, except newline and tab."""
MOST_NOTES = 5
MOST_DIGITS = 7
"""Digits of thresholds."""
LEAST_SHOWN = 0.0001
"""The smallest p-value that is printed as a number."""
SHORT = 40
"""Maximum length of text that a notebook does not wrap."""
CONTEXT = 8
"""Characters kept around the difference between long names."""
MOST_UPRIGHT = 5
"""Maximum number of lines of a wide table that is transposed."""
USUAL = {"alternative": "two-sided", "design": "paired", "drift_from": "given", "threshold_source": "given"}
"""Values that are not printed below a table."""
IN_WORDS = {
    "pointwise": "pointwise (level of each interval)",
    "simultaneous": "simultaneous (level of all intervals jointly)",
}
"""Meaning of `kind`, for notebooks."""
STYLE = (
    "<style>"
    ".confroc{max-width:100%;overflow-x:auto}"
    ".confroc table{border-collapse:collapse;margin:.3em 0;font-variant-numeric:tabular-nums}"
    ".confroc th,.confroc td{padding:.15em .7em;text-align:right;background:none;color:inherit}"
    ".confroc .words{text-align:left}"
    ".confroc .short{white-space:nowrap}"
    ".confroc thead th{border-bottom:1px solid currentColor}"
    ".confroc tbody th{text-align:left;font-weight:normal}"
    ".confroc p{margin:.2em 0}"
    "</style>"
)


class Table(NamedTuple):
    """Columns with the rows to show, and the total number of rows."""

    heading: str
    columns: Mapping[str, Sequence[Any]]
    total: int
    claims: str = ""
    notes: tuple[str, ...] = ()
    gap: int | None = None
    """The row before which rows are omitted; None if selected rows or all rows are shown."""
    spare: tuple[str, ...] = ()
    """Numeric columns omitted where the page is too narrow, in this order."""
    interval: str = "CI"
    """What the limits are, for the heads of columns in LaTeX."""

    @property
    def left_out(self) -> int:
        """Number of rows not shown."""
        return self.total - max((len(values) for values in self.columns.values()), default=0)

    @property
    def upright(self) -> bool:
        """Whether one row of many columns is shown vertically."""
        return self.total == 1 and len(self.columns) > WIDEST_ROW


class Printed:
    """Base of objects that print as a table."""

    __slots__ = ()

    def _table(self) -> Table:
        raise NotImplementedError

    def __str__(self) -> str:
        return as_text(self._table(), wide=PAGE)

    def __repr__(self) -> str:
        return as_line(self._table())

    def _repr_html_(self) -> str:
        """Return a small table for notebooks."""
        return as_html(self._table())


class AtMost(float):
    """A number that is an upper bound, e.g. a p-value limited by the number of resamples."""


class Place(float):
    """A threshold; `turned` if cases at or below it, not above, are predicted positive."""

    turned: bool = False

    def __neg__(self) -> Place:
        found = Place(0.0 - self)
        found.turned = not self.turned
        return found

    @property
    def text(self) -> str:
        """The number with at most seven digits, rounded so that a case with this score stays positive."""
        if not math.isfinite(self):
            return cell(float(self))
        exact, digits = Decimal(repr(float(self))), MOST_DIGITS if abs(self) < 10.0**MOST_DIGITS else 17
        last = Decimal(1).scaleb(exact.adjusted() - digits + 1)
        exact = exact.quantize(last, ROUND_CEILING if self.turned else ROUND_FLOOR)
        return f"{float(exact):.{digits}g}"


def place(value: Any) -> Any:
    """Return a number as a threshold."""
    return Place(value) if isinstance(value, float | np.floating) and not math.isnan(value) else value


def pvalues(values: Sequence[float] | FloatArray, least: float | FloatArray) -> list[float]:
    """Return p-values; those equal to the smallest possible one become upper bounds."""
    return [AtMost(p) if p == floor > 0.0 else p for p, floor in np.broadcast(np.asarray(values), least)]


def pvalue(p: float, least: float = 0.0, form: str = ".4g") -> str:
    """Format a p-value, e.g. "p = 0.03", "p ≤ 0.0005" or "p < 0.0001"."""
    if p < LEAST_SHOWN:
        return f"p < {LEAST_SHOWN:.4f}"
    return f"p {'≤' if p == least > 0.0 else '='} {p:{form}}"


def cell(value: Any, digits: int = 4, decimals: int | None = None) -> str:
    """Format one value with four digits or the integer part of a large number, or with given decimals."""
    if isinstance(value, AtMost):
        return f"≤ {cell(float(value), digits, decimals)}"
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, Place):
        return value.text
    if isinstance(value, float | np.floating):
        number = float(value)
        if math.isnan(number):
            return "–"
        if math.isinf(number):
            return "∞" if number > 0 else "-∞"
        most = digits if abs(number) < 1000.0 else max(7, digits)
        form = f".{most}g" if decimals is None else f".{decimals}f"
        return f"{number:{form}}"
    if isinstance(value, tuple):
        # Class sizes.
        return " + ".join(f"{n} {noun}" for n, noun in zip(value, ("positives", "negatives"), strict=True))
    return "–" if value is None else str(value)


def texts(columns: Mapping[str, Sequence[Any]]) -> dict[str, list[str]]:
    """Format the cells; a column, or an estimate and its limits, has one number of decimals."""
    together = {name: trio for trio in with_limits(columns) for name in trio}
    found = {}
    for name, values in columns.items():
        decimals = _decimals([value for one in together.get(name, [name]) for value in columns[one]])
        if name.endswith("pvalue"):
            decimals = 4 if decimals is None else min(4, decimals)
        found[name] = [cell(value, decimals=decimals) for value in values]
        if any(isinstance(value, Place) for value in values):
            found[name] = _padded(found[name])
        if name.endswith("pvalue"):
            found[name] = [
                f"<{LEAST_SHOWN:.4f}" if isinstance(value, float) and value < LEAST_SHOWN else text
                for value, text in zip(values, found[name], strict=True)
            ]
    return found


def _padded(texts: Sequence[str]) -> list[str]:
    """Return numbers with the decimals of the longest, unless there are powers."""
    most = max(len(text.partition(".")[2]) for text in texts)
    if "e" in "".join(texts) or not most:
        return [*texts]
    return [f"{Decimal(text):.{most}f}" if text[-1].isdigit() else text for text in texts]


def _decimals(values: Iterable[Any]) -> int | None:
    """Decimals of the most precise number, but no more than four or those of the largest; None for powers."""
    numbers = [float(v) for v in values if isinstance(v, float | np.floating) and math.isfinite(v)]
    usual = [*map(cell, numbers)]
    if not usual or "e" in "".join(usual):
        return None
    largest = max(map(abs, numbers))
    most = max(4, 3 - math.floor(math.log10(largest)) if largest > 0.0 else 0)
    return min(most, max(len(text.partition(".")[2]) for text in usual))


def with_limits(names: Iterable[str]) -> list[tuple[str, str, str]]:
    """Return the names of each estimate, which precedes its limits, and of the limits."""
    trios = ((name, low, f"{low.removesuffix('lower')}upper") for name, low in pairwise(names))
    return [trio for trio in trios if trio[1].endswith("lower") and trio[2] in names]


def evenly(values: Sequence[Any], digits: int = 4) -> list[str]:
    """Format numbers with the decimals that the largest needs for four digits, without common trailing zeros.

    Used wherever an interval is printed, in tables and in sentences.
    """
    usual = [cell(value, digits) for value in values]
    if not all(isinstance(v, float | np.floating) and math.isfinite(v) for v in values):
        return usual
    most = max(map(abs, values))
    if most >= 1000.0 or "e" in "".join(usual):
        return usual
    decimals = digits - 1 - math.floor(math.log10(most)) if most > 0.0 else 0
    decimals = min(decimals, max(len(text.partition(".")[2]) for text in usual))
    return [f"{v:.{decimals}f}" for v in values]


def visible(text: str) -> str:
    """Escape control characters as JSON does, except newlines and tabs."""
    return CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def ends(columns: Mapping[str, Any], most: int | None) -> tuple[Mapping[str, Any], int | None]:
    """Return the first and last rows, at most `most`, and the row before which others are omitted."""
    total = max((len(values) for values in columns.values()), default=0)
    if most is None or total <= most:
        return columns, None
    first = most - most // 2
    last = total - most // 2
    return {name: [*values[:first], *values[last:]] for name, values in columns.items()}, first


def as_text(table: Table, *, wide: int | None = None, page: int = WIDEST) -> str:
    """Format the table as text; a table that is too wide is transposed, or continued below the first block.

    Tables are at most `page` characters wide. With `wide`, columns of `spare` are omitted, and sentences are
    wrapped at `wide` characters.
    """
    cells = {n: [_one_line(n), *map(_one_line, values)] for n, values in texts(_with_gap(table)).items()}
    words = [any(isinstance(v, str) for v in values) for values in table.columns.values()]
    left_out: list[str] = []
    lines = _aligned([*cells.values()], words=words[:1] == [True])
    if wide is not None and len(lines[0]) > wide:
        # Limit names to half the page, to leave room for numbers.
        most = 36 if _leading(words) < 2 else 24
        cells = {n: [_cut(texts[0], most), *_cut_names(texts[1:], most)] for n, texts in cells.items()}
        lines = _aligned([*cells.values()], words=words[:1] == [True])
    if len(lines[0]) > page and len(lines) <= (len(cells) if wide is None else MOST_UPRIGHT):
        lines = _in_blocks([list(row) for row in zip(*cells.values(), strict=True)], [True], page)
    elif len(lines[0]) > (wide or page):
        for name in table.spare if wide else ():
            if len(lines[0]) <= (wide or page):
                break
            del cells[name]
            left_out.append(name)
            lines = _aligned([*cells.values()], words=words[:1] == [True])
        lines = _in_blocks([*cells.values()], words, wide or page)
    extra = []
    if table.left_out > 0:
        extra.append(f"{table.total:,} rows, {table.total - table.left_out:,} shown")
    if left_out:
        extra.append(f"not shown: {', '.join(left_out)}")
    lines += as_lines([f"({'; '.join(extra)})"], wide=wide).splitlines() if extra else []
    heading = as_lines([table.heading], wide=wide)
    sentences = as_lines(table.claims.splitlines(), table.notes, wide=wide)
    return "\n".join([heading, *map(visible, lines), *([sentences] if sentences else [])])


def as_lines(sentences: Iterable[str], notes: Iterable[str] = (), *, wide: int | None = None) -> str:
    """Return sentences and notes as lines, wrapped at `wide` characters."""
    lines = [visible(line) for line in (*sentences, *(f"Note: {note}" for note in notes))]
    if wide is not None:
        lines = [part for line in lines for part in _broken(line, wide)]
    return "\n".join(lines)


def _broken(line: str, wide: int) -> list[str]:
    """Wrap a sentence; a list of claims is split between claims."""
    claims = [c.replace(" ", "\ufeff") if len(c) < wide // 2 else c for c in line.split("; ")]
    lines = textwrap.wrap("; ".join(claims), wide, subsequent_indent="  ", break_on_hyphens=False)
    return [line.replace("\ufeff", " ") for line in lines]


def _with_gap(table: Table) -> Mapping[str, Sequence[Any]]:
    """The columns, with a row of dots in place of omitted rows."""
    if table.gap is None:
        return table.columns
    at = table.gap
    return {name: [*values[:at], "…", *values[at:]] for name, values in table.columns.items()}


def _leading(words: Sequence[bool]) -> int:
    """Number of leading text columns, which name the rows."""
    return [*words, False].index(False)


def _cut(text: str, most: int) -> str:
    """Shorten a text in the middle, since names often differ at their ends."""
    return text if len(text) <= most else f"{text[: most - most // 2 - 1]}…{text[-(most // 2) :]}"


def _cut_names(names: Sequence[str], most: int) -> list[str]:
    """Shorten names, if they remain distinct."""
    long = [name for name in names if len(name) > most]
    first = max(0, shared(long) - CONTEXT)
    last = max(0, shared([name[::-1] for name in long]) - CONTEXT)
    differing = [f"{'…' * (first > 0)}{n[first : len(n) - last]}{'…' * (last > 0)}" for n in names]
    tries = [
        [_cut(part if name in long else name, most) for name, part in zip(names, parts, strict=True)]
        for parts in (names, differing)
    ]
    return next((cut for cut in tries if len({*cut}) == len({*names})), [*names])


def shared(names: Sequence[str]) -> int:
    """Length of the common prefix of names."""
    pairs = zip(min(names, default=""), max(names, default=""), strict=False)
    return next((i for i, (one, other) in enumerate(pairs) if one != other), min(map(len, names), default=0))


def _in_blocks(columns: Sequence[Sequence[str]], words: Sequence[bool], wide: int) -> list[str]:
    """Lines of cells; columns that do not fit continue below, after the columns that name the rows."""
    names = max(1, _leading(words))
    first, rest = list(columns[:names]), list(columns[names:])
    lines: list[str] = []
    while rest:
        taken = len(rest)
        block = _aligned([*first, *rest[:taken]], words=words[0])
        while taken > 1 and max(map(len, block)) > wide:
            taken -= 1
            block = _aligned([*first, *rest[:taken]], words=words[0])
        lines, rest = [*lines, *([""] if lines else []), *block], rest[taken:]
    return lines or _aligned(columns, words=words[0])


def _one_line(value: Any) -> str:
    """A cell on one line, even if a name has line breaks."""
    return visible(cell(value).replace("\n", "\\n").replace("\t", "\\t"))


def _aligned(columns: Sequence[Sequence[str]], *, words: bool) -> list[str]:
    """Lines of right-aligned cells; text in the first column is left-aligned."""
    widths = [max(map(len, column)) for column in columns]
    sides = ["<" if words else ">", *">" * len(columns)]
    return [
        "  ".join(f"{c:{side}{width}}" for c, side, width in zip(row, sides, widths, strict=False)).rstrip()
        for row in zip(*columns, strict=True)
    ]


def joined(heading: str, tables: Mapping[str, Table], *, by: str = "model") -> Table:
    """Concatenate tables; the first column names them.

    Text that all rows share is printed once, below, unless it is usual; the heading names a quantity without
    parameters.
    Columns without numbers are omitted.
    """
    names = dict.fromkeys(name for table in tables.values() for name in table.columns)
    columns: dict[str, list[Any]] = {by: []} | {name: [] for name in names}
    for title, table in tables.items():
        rows = max((len(values) for values in table.columns.values()), default=0)
        columns[by] += [title] * rows
        for name in names:
            columns[name] += table.columns.get(name, [None] * rows)
    extra = []
    complete = not any(table.left_out for table in tables.values())
    for name in names:
        present = [v for v in columns[name] if not (v is None or (isinstance(v, float) and math.isnan(v)))]
        if complete and not present:
            del columns[name]
        elif complete and isinstance(present[0], str) and present.count(present[0]) == len(present):
            del columns[name]
            value = present[0]
            if ("[" in value) if name == "quantity" else USUAL.get(name) != value:
                extra.append(f"{name.replace('_', ' ')}: {value}")
    lines: list[str] = []
    for claims in itertools.zip_longest(*(t.claims.split("\n") for t in tables.values()), fillvalue=""):
        whose: dict[str, list[str]] = {}
        for title, claim in zip(tables, claims, strict=True):
            whose.setdefault(claim, []).append(title)
        parts = [claim.split("; ") for claim in whose]
        common = [part for part in parts[0] if all(part in each for each in parts)]
        rest = ["; ".join(part for part in each if part not in common) for each in parts]
        own = [
            f"{', '.join(names)}: {more}" for names, more in zip(whose.values(), rest, strict=True) if more
        ]
        lines += [*filter(None, ["; ".join(common)]), *own]
    return Table(
        heading,
        columns,
        sum(table.total for table in tables.values()),
        "\n".join([*lines[:-1], "; ".join(filter(None, [*lines[-1:], *extra]))]),
        tuple(f"{', '.join(names)}: {note}" for note, names in by_note(tables).items()),
        interval=next(iter(tables.values())).interval,
    )


def by_note(tables: Mapping[str, Table]) -> dict[str, list[str]]:
    """Return the names of the tables that have each note."""
    found: dict[str, list[str]] = {}
    for name, table in tables.items():
        for note in table.notes:
            found.setdefault(note, []).append(name)
    return found


def as_line(table: Table) -> str:
    """Return a table in one line: its heading, its row or how many it has, and its claims."""
    rows = f"{table.total:,} rows"
    if table.total == 1:
        rows = ", ".join(f"{name} {values[0]}" for name, values in texts(table.columns).items())
    words = filter(None, [rows, *table.claims.splitlines()[:1]])
    return _one_line(f"{table.heading} ({'; '.join(words)})")


LATEX = {sign: f"\\{sign}" for sign in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "≤": r"$\le$",
    "<": "$<$",
    "∞": r"$\infty$",
    "…": r"\dots{}",
    "–": "--",
}
"""What LaTeX reads as commands, and signs that not every font has."""


HEADS = {name: name.upper() for name in ("auc", "fpr", "tpr", "fnr", "tnr", "ppv", "npv", "mcc", "ks", "psi")}
HEADS["pvalue"] = "P-value"
"""Heads of columns that are no words."""


NEGATIVE = re.compile(r"(?:(?<!\w)|(?<=\de))-(?=[\d∞])")
"""The sign of a negative number."""
SAME_DIGITS = {"optimism", "cost_without_model", "standard_error"}
"""Columns with the decimals of the first estimate, in LaTeX."""


def _head(name: str) -> str:
    """The name of a column in words."""
    words = " ".join(
        HEADS.get(word, word) for word in name.replace("_", " ").replace(" - ", " − ").split(" ")
    )
    return words[:1].upper() + words[1:]


def _digits(values: Sequence[Any]) -> int | None:
    """Decimals for two significant digits of a quarter of an interval, about one standard error."""
    _, low, high = values
    finite = all(isinstance(v, float | np.floating) and math.isfinite(v) for v in values)
    return max(0, 1 - math.floor(math.log10((high - low) / 4.0))) if finite and high > low else None


def as_latex(table: Table, *, booktabs: bool = False) -> str:
    """Return the table as a LaTeX tabular, all text escaped, with limits next to their estimates."""
    raw, heads = _with_gap(table), dict[str, str]()
    cells = texts(raw)
    for trio in with_limits([*cells]):
        each = [*zip(*(raw[name] for name in trio), strict=True)]
        digits = [] if "threshold" in trio[0] else [*filter(None, map(_digits, each))]
        if digits:
            usual = max(len(text.partition(".")[2]) for text in cells[trio[0]])
            decimals = min(int(np.median(digits)), usual)
            for name in (*trio, *(cells.keys() & SAME_DIGITS if not heads else ())):
                cells[name] = [cell(value, decimals=decimals) for value in raw[name]]
        cells[trio[0]] = [
            at if low == high == at else f"{at} ({low} to {high})"
            for at, low, high in zip(*(cells[name] for name in trio), strict=True)
        ]
        heads[trio[0]] = f" ({table.interval})"
        del cells[trio[1]], cells[trio[2]]
    table = table._replace(columns={name: table.columns[name] for name in cells})
    columns = [[_head(name) + heads.get(name, ""), *values] for name, values in cells.items()]
    sides = "".join("l" if _side(values) else "r" for values in table.columns.values())
    if table.upright:
        columns, sides = [list(row) for row in zip(*columns, strict=True)], "lr"
    signs = str.maketrans(LATEX)
    cut = (map(_one_line, row) for row in zip(*columns, strict=True))
    rows = [" & ".join(NEGATIVE.sub("−", c).translate(signs) for c in row) for row in cut]
    lines = [rf"{row} \\" for row in rows]
    top, middle, bottom = (r"\toprule", r"\midrule", r"\bottomrule") if booktabs else (r"\hline",) * 3
    lines[1:1] = [] if table.upright else [middle]
    body = [rf"\begin{{tabular}}{{{sides}}}", top, *lines, bottom, r"\end{tabular}"]
    said = as_lines([table.heading]), as_lines(table.claims.splitlines(), table.notes)
    above, below = ([f"% {line}" for line in text.splitlines()] for text in said)
    return "\n".join([*above, *body, *below])


def as_html(table: Table) -> str:
    """Return the table as a small self-contained HTML fragment, all text escaped."""
    columns = {escape(n): [*map(escape, values)] for n, values in texts(_with_gap(table)).items()}
    if table.upright:
        body = "".join(
            f'<tr><th scope="row">{name}</th><td>{values[0]}</td></tr>' for name, values in columns.items()
        )
        page = f"<table><tbody>{body}</tbody></table>"
    else:
        side = {escape(name): _side(values) for name, values in table.columns.items()}
        head = "".join(f'<th scope="col"{side[name]}>{name}</th>' for name in columns)
        body = "".join(
            f"<tr>{''.join(f'<td{side[n]}>{v}</td>' for n, v in zip(columns, row, strict=True))}</tr>"
            for row in zip(*columns.values(), strict=True)
        )
        page = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    parts = [STYLE, f"<p><b>{escape(table.heading)}</b></p>", page]
    if table.left_out > 0:
        parts.append(f"<p>{table.total:,} rows, {table.total - table.left_out:,} shown</p>")
    for claims in table.claims.splitlines():
        extra = "; ".join(IN_WORDS.get(claim, claim) for claim in claims.split("; "))
        parts.append(f"<p><small>{escape(extra)}</small></p>")
    parts += [f"<p><small>Note: {escape(note)}</small></p>" for note in table.notes]
    return f'<div class="confroc">{"".join(parts)}</div>'


def _side(values: Sequence[Any]) -> str:
    """CSS class of a column: text is left-aligned, short text does not wrap."""
    words = [value for value in values if isinstance(value, str)]
    if not words:
        return ""
    return ' class="words short"' if max(map(len, words)) <= SHORT else ' class="words"'


def samples(
    name: str,
    models: Mapping[str, Any],
    *,
    claims: str = "",
    by: str = "model",
    notes: tuple[str, ...] = (),
) -> Table:
    """Return the table that `Scores`, `PairedScores` and `UnpairedScores` print."""
    columns: dict[str, list[Any]] = {
        "positives": [s.n_pos for s in models.values()],
        "negatives": [s.n_neg for s in models.values()],
        "distinct scores": [len(s.score) for s in models.values()],
        "AUC": [s.auc for s in models.values()],
    }
    if any(s.n_dropped for s in models.values()):
        columns["dropped"] = [s.n_dropped for s in models.values()]
    if len(models) > 1:
        columns = {"group" if by in columns else by: list(models)} | columns
    notes += tuple(
        f"scores {model} are rounded; the error of the AUC is at most {s.auc_error:.2g}.".replace("  ", " ")
        for model, s in models.items()
        if not s.exact
    )
    first, gap = ends(columns, MOST_ROWS)
    return Table(name, first, len(models), claims, notes[:MOST_NOTES], gap)


def informed(models: Mapping[str, Any], found: Mapping[str, Any], column: str = "") -> str:
    """Return the effective number of independent cases for the largest design effect; "" without a design.

    `models` are tables of scores, `found` the intervals of their AUCs, `column` the name of the clusters.
    """
    effects = {name: it.design_effect for name, it in found.items() if it.design_effect is not None}
    if not effects:
        return ""
    name = max(effects, key=lambda one: effects[one])
    rows, clusters = models[name].design.rows, models[name].design.n_clusters
    groups = "" if clusters is None else f" in {clusters:,} clusters{f' ({column})' if column else ''}"
    about = f" of {name}" if len(found) > 1 else ""
    most = "largest " if len(found) > 1 else ""
    why = "; the rarer class is oversampled" if effects[name] < 1.0 and models[name].design.weighted else ""
    return (
        f"{rows:,} rows{groups} carry about as much information about the AUC{about} as "
        f"{rows / effects[name]:,.0f} independent cases sampled at random "
        f"({most}design effect {effects[name]:.2f}{why})."
    )
