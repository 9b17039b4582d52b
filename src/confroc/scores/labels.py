"""Reading labels: which cases are positive, which are unlabelled, and what to say when unclear."""

from __future__ import annotations

from typing import Any, Literal, NoReturn, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from confroc._check import ArgumentError, is_missing
from confroc._types import BoolArray, FloatArray

NanPolicy: TypeAlias = Literal["raise", "omit"]

NAN_POLICIES = ("raise", "omit")


def _missing(values: NDArray[Any]) -> BoolArray:
    if values.dtype.kind == "f":
        missing: BoolArray = np.isnan(values)
        return missing
    if values.dtype.kind == "O":
        none: BoolArray = np.array([is_missing(v) for v in values], dtype=bool)
        return none
    return np.zeros(len(values), dtype=bool)


def read_labels(y_true: ArrayLike, pos_label: object, *, part: bool = False) -> tuple[BoolArray, BoolArray]:
    """Return which cases are positive, and whose label is missing.

    With `part` these are some of the cases, and the positive label need not be among them.
    """
    y = np.asarray(y_true)
    if y.ndim != 1:
        raise ArgumentError("y_true", "be one-dimensional", y.shape, "Pass one label per case.")
    if y.dtype.kind == "O":
        missing = _missing(y)
        known = np.array(y[~missing].tolist())
        positive = np.zeros(len(y), dtype=bool)
        positive[~missing] = _positive(known, pos_label, part)
        return positive, missing
    missing = _missing(y)
    if missing.any():
        positive = np.zeros(len(y), dtype=bool)
        positive[~missing] = _positive(y[~missing], pos_label, part)
        return positive, missing
    return _positive(y, pos_label, part), missing


def _positive(y: NDArray[Any], pos_label: object, part: bool) -> BoolArray:
    if y.size == 0:
        return np.zeros(0, dtype=bool)
    if pos_label is None:
        if y.dtype.kind == "b":
            return y
        if y.dtype.kind in "iuf":
            ones: BoolArray = np.asarray(y == 1)
            if _is_coded(y, int(np.count_nonzero(ones))):
                return ones
        raise ArgumentError(
            "pos_label",
            "name the positive class unless labels are {0, 1}, {-1, 1} or booleans",
            None,
            f"The labels are {_listed(y)}; pass one of them, e.g. pos_label={np.unique(y)[-1].item()!r}.",
        )
    text = isinstance(pos_label, str)
    if text != (y.dtype.kind in "US"):
        kind = "text" if y.dtype.kind in "US" else "numbers"
        raise ArgumentError(
            "pos_label", f"be of the labels' type ({kind})", pos_label, f"The labels are {_listed(y)}."
        )
    positive: BoolArray = np.asarray(y == pos_label)
    if not part and not positive.any():
        raise ArgumentError("pos_label", "be one of the labels", pos_label, f"The labels are {_listed(y)}.")
    return positive


def _is_coded(y: NDArray[Any], ones: int) -> bool:
    """Whether the labels, of which so many equal 1, are within {0, 1} or within {-1, 1}."""
    return len(y) in (ones + np.count_nonzero(y == 0), ones + np.count_nonzero(y == -1))


def _listed(y: NDArray[Any]) -> str:
    labels = [repr(v) for v in np.unique(y)[:6].tolist()]
    return ", ".join(labels[:5]) + (", ..." if len(labels) > 5 else "")


def both_classes(n_pos: int, n_neg: int) -> None:
    """Raise unless there are cases of both classes."""
    if n_pos == 0 or n_neg == 0:
        lacking = "positives" if n_pos == 0 else "negatives"
        raise ArgumentError(
            "y_true",
            "hold both classes",
            {"positives": n_pos, "negatives": n_neg},
            f"There are no {lacking}: check the labels and `pos_label`.",
        )


def refuse_missing(name: str, count: int) -> NoReturn:
    """Raise for missing values that the policy does not allow."""
    raise ArgumentError(
        name,
        "hold no missing values under nan_policy='raise'",
        f"{count} missing",
        "Remove them, or pass nan_policy='omit' to drop those cases and keep their count.",
    )


def refuse_infinite(name: str, value: float) -> NoReturn:
    """Raise for an infinite score."""
    raise ArgumentError(
        name, "hold finite scores", value, "Replace infinite scores by large finite ones or by ranks."
    )


def complete_cases(
    y_true: ArrayLike, pos_label: object, nan_policy: NanPolicy, *, part: bool = False, **columns: FloatArray
) -> tuple[BoolArray, list[FloatArray], int]:
    """Return which cases are positive, their scores by column, and how many incomplete cases were dropped.

    With `part` these are some of the cases, and the positive label need not be among them.
    """
    positive, dropped = read_labels(y_true, pos_label, part=part)
    same_length(y_true=positive, **columns)
    for name, missing in {"y_true": dropped, **{n: np.isnan(v) for n, v in columns.items()}}.items():
        if nan_policy == "raise" and missing.any():
            refuse_missing(name, int(missing.sum()))
        dropped = dropped | missing
    if dropped.any():
        positive, columns = positive[~dropped], {n: v[~dropped] for n, v in columns.items()}
    for name, values in columns.items():
        if np.isinf(values).any():
            refuse_infinite(name, float(values[np.isinf(values)][0]))
    return positive, list(columns.values()), int(dropped.sum())


def same_length(**columns: NDArray[Any]) -> None:
    """Raise unless all columns, named by argument, have one length."""
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        first, *rest = lengths
        other = next(name for name in rest if lengths[name] != lengths[first])
        raise ArgumentError(
            other,
            f"have the length of `{first}` ({lengths[first]})",
            lengths[other],
            "Align the columns.",
        )
