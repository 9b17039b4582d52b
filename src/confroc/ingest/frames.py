"""Eager data frames of any library that narwhals knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from confroc._check import as_floats, is_missing, sentence
from confroc.ingest.cases import Cases, missing_column, refuse_gaps, refuse_one_class, split_labels
from confroc.scores import NanPolicy, PairedScores, Scores, check_finite, sum_equal


def read_frame(
    source: Any, label: str, scores: Sequence[str], pos_label: object, nan_policy: NanPolicy, pairs: bool
) -> Cases:
    """Read an eager data frame; see `confroc.ingest.read_cases`."""
    import narwhals

    try:
        data = narwhals.from_native(source, eager_only=True)
    except TypeError:
        raise TypeError(
            sentence(
                "source",
                "be a path, a pattern of paths, or an eager data frame",
                type(source).__name__,
                "Collect a lazy frame first, or pass the path of a CSV or Parquet file.",
            )
        ) from None
    for column, argument in {label: "label", **dict.fromkeys(scores, "score")}.items():
        if column not in data.columns:
            raise missing_column(argument, column, data.columns)
    if data.is_empty():
        raise ValueError(sentence("source", "hold at least one row", data.shape, "The frame is empty."))
    text = [None if is_missing(v) else str(v).strip() for v in data[label].to_list()]
    known = np.array([bool(t) for t in text])
    columns = {}
    gaps = {label: int((~known).sum())}
    for name in scores:
        columns[name] = as_floats(f"score {name}", np.array(data[name].to_list(), dtype=object))
        missing = np.isnan(columns[name])
        gaps[name] = int(missing.sum())
        known &= ~missing
    refuse_gaps(gaps, nan_policy)
    kept = [t for t, k in zip(text, known, strict=True) if k and t]
    columns = {name: check_finite(f"score {name}", column[known]) for name, column in columns.items()}
    counts = Counter(kept)
    if not counts:
        raise ValueError(
            sentence("source", "hold at least one complete row", data.shape, "Every row lacks a value.")
        )
    positives, negatives = split_labels(counts, pos_label)
    refuse_one_class(label, positives, negatives)
    y = np.isin(kept, positives)
    dropped = len(text) - len(kept)
    return Cases(
        source=type(source).__name__,
        label=label,
        positive=positives[0],
        negative=", ".join(negatives),
        n_rows=len(text),
        n_dropped=dropped,
        models={name: Scores._of(sum_equal(column, y, ~y), dropped) for name, column in columns.items()},
        pairs={
            (a, b): PairedScores._of(columns[a], columns[b], y, ~y, dropped)
            for a, b in combinations(scores, 2)
        }
        if pairs
        else {},
    )
