"""What was analysed: rows, classes, scores."""

from __future__ import annotations

from collections.abc import Sequence

from confroc.pages.data import ReportData
from confroc.pages.section import Section


def cases(data: ReportData, before: Sequence[Section]) -> Section:  # noqa: ARG001
    """Count cases and distinct scores of each model."""
    models = [
        {
            "model": name,
            "n": scores.n_pos + scores.n_neg,
            "n_pos": scores.n_pos,
            "n_neg": scores.n_neg,
            "prevalence": scores.n_pos / (scores.n_pos + scores.n_neg),
            "n_distinct": len(scores.score),
        }
        for name, scores in data.models.items()
    ]
    record = {
        "source": data.source,
        "label": data.label,
        "positive": data.positive,
        "negative": data.negative,
        "n_rows": data.n_rows,
        "n_dropped": data.n_dropped,
        "models": models,
    }
    return Section(key="data", title="What was analysed", template="cases.html", view=record, record=record)
