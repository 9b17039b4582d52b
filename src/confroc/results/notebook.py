"""How results look in a notebook: a heading, a short table, and what the numbers claim.

The page brings no colours of its own, so that it reads on light and on dark backgrounds, and no scripts.
Where a viewer strips the style sheet, a plain table is left.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

import numpy as np

MOST_ROWS = 10
# A single row of more columns than this is shown as names and values, one under the other.
WIDEST_ROW = 6
CLAIMS = ("confidence_level", "kind", "method", "guarantee", "design", "sampling", "threshold_source")
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


def cell(value: Any) -> str:
    """Return one value as escaped text: four digits, or the whole part of a large number."""
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
    return escape("–" if value is None else str(value))


def page(heading: str, columns: Mapping[str, Any], *, claims: str = "", notes: Iterable[str] = ()) -> str:
    """Return a small self-contained HTML fragment.

    Parameters
    ----------
    heading, claims : str
        Plain text above and below the table.
    columns : mapping of str to sequence
        Of one length. More than `MOST_ROWS` rows are cut off, and their number is said.
    notes : iterable of str

    Returns
    -------
    str
        All text is escaped.
    """
    # Only the rows that are shown are turned into Python values.
    shown = {name: list(values[:MOST_ROWS]) for name, values in columns.items()}
    total = max((len(values) for values in columns.values()), default=0)
    if total == 1 and len(shown) > WIDEST_ROW:
        body = "".join(
            f'<tr><th scope="row">{escape(name)}</th><td>{cell(values[0])}</td></tr>'
            for name, values in shown.items()
        )
        table = f"<table><tbody>{body}</tbody></table>"
    else:
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in shown)
        body = "".join(
            f"<tr>{''.join(f'<td>{cell(v)}</td>' for v in row)}</tr>"
            for row in zip(*shown.values(), strict=True)
        )
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    more = total - MOST_ROWS
    parts = [STYLE, f"<p><b>{escape(heading)}</b></p>", table]
    if more > 0:
        parts.append(f"<p>… {cell(more)} more row{'s' if more > 1 else ''}</p>")
    if claims:
        parts.append(f"<p><small>{escape(claims)}</small></p>")
    parts += [f"<p><small>Note: {escape(note)}</small></p>" for note in notes]
    return f'<div class="confroc">{"".join(parts)}</div>'


def result_page(result: Any, columns: Mapping[str, Any]) -> str:
    """Return a result's fragment; what it claims stands below the table instead of in every row."""
    name = type(result).__name__
    told = {claim: getattr(result, claim) for claim in CLAIMS if hasattr(result, claim)}
    level = told.pop("confidence_level", math.nan)
    words = [] if math.isnan(level) else [f"{100 * level:.10g} %"]
    words += [str(told.pop("kind"))] if "kind" in told else []
    words += [f"{claim.replace('_', ' ')}: {value}" for claim, value in told.items()]
    # A class with words of its own for its numbers has a `__str__`.
    own_words = any("__str__" in vars(cls) for cls in type(result).__mro__[:-1])
    heading = f"{name}: {result}" if own_words else _heading(name, result)
    kept = {column: values for column, values in columns.items() if column not in CLAIMS}
    return page(heading, kept, claims="; ".join(words), notes=getattr(result, "notes", ()))


def scores_page(name: str, models: Mapping[str, Any], *, joint: int | None = None) -> str:
    """Return the fragment of samples: what `Scores` and their pairs show of themselves."""
    columns: dict[str, list[Any]] = {"model": list(models)} if len(models) > 1 else {}
    columns |= {
        "positives": [s.n_pos for s in models.values()],
        "negatives": [s.n_neg for s in models.values()],
        "distinct scores": [len(s.score) for s in models.values()],
        "AUC": [s.auc for s in models.values()],
    }
    if any(s.n_dropped for s in models.values()):
        columns["dropped"] = [s.n_dropped for s in models.values()]
    notes = [
        f"scores {model} are rounded; the AUC may be off by {s.auc_error:.2g}.".replace("  ", " ")
        for model, s in models.items()
        if not s.exact
    ]
    claims = "" if joint is None else f"{joint:,} distinct pairs of scores".replace(",", " ")
    return page(name, columns, claims=claims, notes=notes)


def _heading(name: str, result: Any) -> str:
    for attribute in ("quantity", "auc"):
        value = getattr(result, attribute, None)
        if isinstance(value, str):
            return f"{name}: {value}"
        if isinstance(value, float):
            return f"{name}: {attribute} {value:.4f}"
    return name
