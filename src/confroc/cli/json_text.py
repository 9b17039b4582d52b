"""What `--json` prints: the data it was computed from, values that JSON has, and its layout on lines."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from confroc.ingest import Cases

SCHEMA = "confroc/1"
SHORT = 80
"""Characters up to which a JSON object stays on one line."""


def describe(cases: Cases) -> dict[str, Any]:
    """Return what the JSON output says of the data."""
    first = next(iter(cases.models.values()))
    rounded = {
        name: {"fpr_error": s.fpr_error, "tpr_error": s.tpr_error, "auc_error": s.auc_error}
        for name, s in cases.models.items()
        if not s.exact
    }
    return {
        "source": cases.source,
        "label": cases.label,
        "positive": cases.positive,
        "negative": cases.negative,
        "n_rows": cases.n_rows,
        "n_dropped": cases.n_dropped,
        "n_pos": first.n_pos,
        "n_neg": first.n_neg,
        "rounding": rounded,
    }


def finite(value: Any) -> Any:
    """Replace NaN and infinities, which JSON lacks, by null; and tuples by lists."""
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [finite(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def as_text(value: Any, indent: str = "") -> str:
    """JSON with long objects spread over lines, and each list of plain values on one."""
    inner = indent + "  "
    if isinstance(value, dict) and not (_flat(value) and len(_plain(value)) <= SHORT):
        lines = (f"{inner}{_plain(k)}: {as_text(v, inner)}" for k, v in value.items())
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(v, dict | list) for v in value):
        return "[\n" + ",\n".join(inner + as_text(v, inner) for v in value) + f"\n{indent}]"
    return _plain(value)


def _flat(value: dict[str, Any]) -> bool:
    return not any(isinstance(v, dict | list) for v in value.values())


def _plain(value: Any) -> str:
    return json.dumps(value, allow_nan=False, ensure_ascii=False)
