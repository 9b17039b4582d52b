"""What `--json` prints: the data it was computed from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from confroc.ingest import Cases

SCHEMA = "confroc/1"


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
