"""Thresholds of reversed scores, in the numbers of their column.

The library reads `-COLUMN` with its sign reversed, so that its thresholds have the opposite sign. Commands
and reports accept and print those of the column.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from confroc._check import ArgumentError
from confroc.base import Statistic
from confroc.results.base import PLACE

SWAPPED = {"lower": "upper", "upper": "lower"}

Reversed = tuple[bool, ...]
"""Whether the column of a model, or of each of two, is reversed."""


def in_scores(options: Mapping[str, Any], turned: Reversed) -> dict[str, Any]:
    """Return options with thresholds of a column as those of its reversed scores."""
    return {name: _option(name, value, turned) for name, value in options.items()}


def _option(name: str, value: Any, turned: Reversed) -> Any:
    if not isinstance(value, Statistic):
        return negated(value) if _reversed(name, turned) else value
    at = getattr(value, "threshold", None)
    if at is None or not any(turned):
        return value
    if len(turned) > 2 and not all(turned):
        rule = "have no threshold, except for score columns of the same direction"
        raise ArgumentError("statistic", rule, value.label, "Compare two models.")
    changed: Any = value
    changed = replace(changed, threshold=negated(at))
    return changed if all(turned) else tuple(changed if one else value for one in turned)


def in_column(values: Mapping[str, Any], turned: Reversed) -> dict[str, Any]:
    """Return columns of a table, or a result as a dictionary, with thresholds as those of the column."""
    if not any(turned):
        return dict(values)
    found: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, Mapping):
            found[name] = in_column(value, turned)
            continue
        start, _, end = name.rpartition("_")
        # An interval of a threshold, or values along thresholds.
        own = name in ("estimate", "lower", "upper") and values.get("quantity") == "threshold"
        own |= name == "at" and values.get("at_name") in ("threshold", "score")
        if own or _reversed(name, turned):
            other = name if end not in SWAPPED else "_".join(filter(None, (start, SWAPPED[end])))
            value = negated(values[other])
        found[name] = value
    return found


def record_in_column(record: Any, names: Collection[str], turned: Reversed = (False,)) -> Any:
    """Return nested results of several models with thresholds as those of the columns.

    `names` are the models with reversed scores; "model", "leader", or "a" and "b" state whose results follow.
    """
    if isinstance(record, Mapping):
        whose = [record[key] for key in ("model", "leader", "a", "b") if isinstance(record.get(key), str)]
        turned = tuple(name in names for name in whose) or turned
        own = {name: value for name, value in record.items() if not isinstance(value, Mapping)}
        inside = {name: value for name, value in record.items() if name not in own}
        found = in_column(own, turned) | inside
        return {name: record_in_column(found[name], names, turned) for name in record}
    if isinstance(record, list | tuple):
        return [record_in_column(value, names, turned) for value in record]
    return record


def _reversed(name: str, turned: Reversed) -> bool:
    found = PLACE.fullmatch(name)
    return found is not None and turned[-1 if found[1] == "_b" else 0]


def negated(value: Any) -> Any:
    """Return a number, or a sequence of numbers, with the sign reversed; zero has no sign."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Sequence | np.ndarray):
        return [negated(v) for v in value]
    return -value or 0.0
