"""Class labels of every source: positive and missing labels, and errors for ambiguous ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from numbers import Real
from types import NoneType
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from confroc._check import (
    MOST_CASES,
    ArgumentError,
    ArgumentTypeError,
    Words,
    as_column,
    as_floats,
    check_name,
    is_missing,
    number_of,
)
from confroc._keywords import suggest
from confroc._types import BoolArray, FloatArray, IntArray

NanPolicy: TypeAlias = Literal["raise", "omit"]

NAN_POLICIES = ("raise", "omit")

# Label sets that need no pos_label, as text, positive first.
CODED = (("1", "0"), ("1", "-1"), ("true", "false"))
TRUTHS = {"true": 1, "false": 0}
"""Truth values as text, and the numbers accepted for them if all labels are truth values."""
WORDS = {"true": ("true", "t", "yes", "y"), "false": ("false", "f", "no", "n")}
"""Words that SQL engines read from files as truth values."""
MOST_LABELS = 50
"""Maximum number of distinct labels without pos_label."""

LEAST_SCORES = 10
"""Integers with more distinct values are taken for scores."""
FEW_LABELS = 5
"""Number of labels up to which comparing arrays is faster than looking up every case."""

KINDS = TRUTH, NUMBERS, TEXT = "true/false", "numbers", "text"
"""Accepted types; a column has one type."""


def text_of(label: object) -> str:
    """Return a label as text, stripped, and without the sign of zero."""
    try:
        text = str(label).strip()
    except ValueError:  # An integer with more digits than Python prints.
        return f"{label:x}"
    return text[1:] if text.startswith("-") and number_of(text) == 0 else text


def label_shown(text: str) -> str:
    """Return the text of a label as it is shown: "1" for the "1.0" of a column of floats.

    Both are equal as `pos_label`.
    """
    return re.sub(r"(?<=\d)\.0+$", "", text) if number_of(text) is not None else text


def is_blank(label: object) -> bool:
    """Whether a label is missing: a missing value or blank text."""
    return is_missing(label) or (isinstance(label, str) and not label.strip())


def kind_of(label: object) -> str:
    """Return the kind of a label: truth value, number, text, or the name of another type."""
    if isinstance(label, bool | np.bool_):
        return TRUTH
    if isinstance(label, np.timedelta64):  # numpy treats a duration as an integer.
        return type(label).__name__
    if isinstance(label, Real | Decimal):
        return NUMBERS
    return TEXT if isinstance(label, str) else type(label).__name__


def check_kinds(name: str, kinds: Iterable[str], column: str) -> None:
    """Raise unless all labels have one accepted type; None has any type."""
    found = sorted(set(kinds))
    if len(found) > 1:
        rule = "contain labels of one type"
        raise ArgumentError(name, rule, found, f"Convert {column} to text or to numbers first.")
    if found and found[0] not in KINDS:
        rule = "contain truth values, numbers or text"
        raise ArgumentTypeError(name, rule, found[0], f"Convert {column} to text first.")


def same_label(found: str, wanted: str) -> bool:
    """Whether two texts denote one label: equal text, number or truth value."""
    if found == wanted:
        return True
    if wanted.lower() in TRUTHS:
        return found.lower() == wanted.lower()
    number = number_of(wanted)
    return number is not None and number_of(found) == number


def check_classes(positive: str, negative: str) -> None:
    """Raise for class names that cannot be printed or that denote one label."""
    for argument, value in (("positive", positive), ("negative", negative)):
        check_name(argument, value)
    if same_label(positive, negative):
        raise ArgumentError("negative", "differ from `positive`", negative, "Name two classes.")


def _truth(wanted: str) -> str | None:
    """Return the truth value that a word or the number 1 or 0 denotes, else None."""
    number = number_of(wanted)
    return next((v for v, one in TRUTHS.items() if wanted.lower() in WORDS[v] or number == one), None)


def split_labels(
    found: Iterable[str], pos_label: object, *, name: str = "label", part: bool = False
) -> tuple[list[str], list[str]]:
    """Return the spellings of the positive label and of the negative one, as text.

    With `part` the positive label may be absent.
    """
    labels = sorted(set(found))
    if pos_label is None and len(labels) > MOST_LABELS:
        raise no_classes(name, f"{len(labels)} different values")
    if pos_label is None:
        for one, zero in CODED:
            positives = [v for v in labels if same_label(v, one)]
            negatives = [v for v in labels if v not in positives]
            if all(same_label(v, zero) for v in negatives):
                return positives, negatives
        if len(labels) > 2:
            raise _more_classes(name, labels, labels[-1])
        remedy = f"{_these(labels)} Pass the positive one as `pos_label`."
        rule = "name the positive class unless labels are {0, 1}, {-1, 1} or true/false"
        raise ArgumentError("pos_label", rule, None, remedy)
    kind = kind_of(pos_label)
    if kind not in KINDS:
        raise ArgumentTypeError("pos_label", "be a truth value, a number or text", pos_label, _these(labels))
    wanted = text_of(pos_label)
    if {v.lower() for v in labels} <= TRUTHS.keys():
        wanted = _truth(wanted) or wanted
    positives = [v for v in labels if same_label(v, wanted)]
    if not positives and not part:
        if len(labels) == 1:
            remedy = "Include cases of both classes, or choose another column."
            raise ArgumentError(name, "contain both classes", Words(f"only {_shown(labels[0])}"), remedy)
        rule = "be one of the labels"
        raise ArgumentError("pos_label", rule, pos_label, f"{suggest(wanted, labels)}{_these(labels)}")
    negatives = [v for v in labels if v not in positives]
    if any(not same_label(v, negatives[0]) for v in negatives):
        raise _more_classes(name, labels, wanted)
    return positives, negatives


def _more_classes(name: str, labels: Sequence[str], positive: str) -> ValueError:
    """Return the error for three or more labels."""
    found = Words(f"{len(labels)} labels: {listed(labels)}")
    how = "y_true == {}" if name == "y_true" else "\"SELECT *, COLUMN = {} AS y FROM 'FILE'\" with label y"
    remedy = f"Recode them to two classes, e.g. {how.format(_shown(positive))}."
    return ArgumentError(name, "contain two classes", found, remedy)


def no_classes(name: str, value: str) -> ValueError:
    """Return the error for a column that cannot contain classes."""
    return ArgumentError(name, "contain classes", Words(value), "Pass the column of true classes.")


def _these(labels: Sequence[str]) -> str:
    return f"The labels are {listed(labels)}."


def _shown(label: str) -> str:
    label = label_shown(label)
    if str(number_of(label)) == label:
        return label
    return repr(label if len(label) <= 40 else label[:37] + "...")


def listed(labels: Sequence[str]) -> str:
    """Format labels; at most five."""
    names = [*dict.fromkeys(map(_shown, labels))]
    return ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")


def coded_labels(name: str, column: NDArray[Any]) -> tuple[list[Any], NDArray[Any]]:
    """Return the distinct labels of a column (all missing ones as None), and the index of each case's label.

    Equal labels of different types are distinct.
    """
    kind = column.dtype.kind
    if kind in "cmMSV":
        check_kinds(name, [column.dtype.name], "them")
    if kind in "biufU":
        found = _compared(column)
        if found is not None:
            return found
    if kind in "biuf":
        distinct, code = np.unique(column, return_inverse=True)
        return [None if is_missing(v) else v for v in distinct.tolist()], code
    items = column.tolist()
    try:
        place, code, plain = _looked_up(items)
    except (TypeError, ValueError):
        # Only a signaling NaN is an unhashable label.
        items = [None if is_missing(v) else v for v in items]
        check_kinds(name, (kind_of(v) for v in items if v is not None), "them")
        place, code, plain = _looked_up(items)
    labels = list(place) if plain else [v for _, v in place]
    return [None if is_blank(v) else _as_python(v) for v in labels], code


def _as_python(label: Any) -> Any:
    # A duration without a unit would become a whole number.
    return label.item() if isinstance(label, np.generic) and label.dtype.kind not in "mM" else label


def _looked_up(items: Sequence[Any]) -> tuple[dict[Any, int], IntArray, bool]:
    """Number distinct items by value, or if ambiguous by type and value."""
    place: dict[Any, int] = {}
    # 1, 1.0 and True are the same dictionary key; text equals only text.
    plain = len(set(map(type, items)) - {str, NoneType}) <= 1
    keys: Iterable[Any] = items if plain else zip(map(type, items), items, strict=True)
    code = np.fromiter((place.setdefault(k, len(place)) for k in keys), np.int64, len(items))
    return place, code, plain


def _compared(column: NDArray[Any]) -> tuple[list[Any], NDArray[Any]] | None:
    """Find few labels in an array by comparing it with one label after another."""
    labels: list[Any] = []
    code = np.full(len(column), -1, np.int8)
    while (left := code < 0).any():
        if len(labels) == FEW_LABELS:
            return None
        label = column[np.argmax(left)]
        # NaN does not equal itself.
        code[column == label if label == label else column != column] = len(labels)
        labels.append(None if is_blank(label) else label.item())
    return labels, code


def read_labels(y_true: ArrayLike, pos_label: object, *, part: bool = False) -> tuple[BoolArray, BoolArray]:
    """Return masks of positive cases and of missing labels.

    With `part` these are some of the cases, and the positive label may be absent.
    """
    y = as_column("y_true", y_true)
    labels, code = coded_labels("y_true", y)
    check_kinds("y_true", (kind_of(v) for v in labels if v is not None), "them")
    text = [None if v is None else text_of(v) for v in labels]
    positives, _ = split_labels(
        (t for t in text if t is not None), pos_label, name="y_true", part=part or not any(text)
    )
    sign = np.array([[t in positives, t is None] for t in text], dtype=bool).reshape(-1, 2)[code]
    return sign[:, 0], sign[:, 1]


@contextmanager
def check_not_swapped(y_true: Any, y_scores: Sequence[Any], pos_label: object) -> Iterator[None]:
    """Raise for swapped labels and scores."""
    try:
        yield
    except ArgumentError:
        if any(_swapped(y_true, one) for one in y_scores):
            raise _swapped_error() from None
        raise
    # Scores equal to the positive label's number are read as labels.
    if pos_label is not None and any(_swapped(y_true, one, read=True) for one in y_scores):
        raise _swapped_error()


def _swapped_error() -> ArgumentError:
    return ArgumentError(
        "y_true",
        "contain the labels, and `y_score` the scores",
        Words("many distinct numbers in `y_true` and two values in `y_score`"),
        "Swap them.",
    )


def _swapped(y_true: Any, y_score: Any, *, read: bool = False) -> bool:
    """Whether labels look like scores and scores like labels; stricter if they could be `read`."""
    try:
        scores = as_floats("y_true", y_true)
        scores = scores[~np.isnan(scores)]
        fractions = bool((scores != np.floor(scores)).any())
        if read and not fractions:
            return False
        if (read or not fractions) and len(np.unique(scores)) <= LEAST_SCORES:
            return False
        labels = coded_labels("y_score", as_column("y_score", y_score))[0]
    except ArgumentError:
        return False
    return len([label for label in labels if label is not None]) == 2


def check_case_count(name: str, cases: int) -> None:
    """Raise for more cases than can be counted exactly."""
    if cases > MOST_CASES:
        remedy = "Use fewer cases."
        raise ArgumentError(name, f"contain at most {MOST_CASES:,} cases", cases, remedy)


def check_both_classes(n_pos: int, n_neg: int) -> None:
    """Raise unless there are cases of both classes, and no more than can be counted exactly."""
    check_case_count("y_true", n_pos + n_neg)
    if n_pos == 0 or n_neg == 0:
        found, remedy = Words(f"{n_pos} positives and {n_neg} negatives"), "Check the labels and `pos_label`."
        raise ArgumentError("y_true", "contain both classes", found, remedy)


def refuse_missing(name: str, missing: BoolArray) -> None:
    """Raise if there are missing values, which the policy does not allow."""
    if missing.any():
        remedy = "Remove them, or pass nan_policy='omit' to drop incomplete cases."
        found = Words(f"{int(missing.sum())} missing")
        raise ArgumentError(name, "contain no missing values with nan_policy='raise'", found, remedy)


def refuse_infinite(name: str, values: FloatArray) -> None:
    """Raise if a score is infinite."""
    if (wrong := values[np.isinf(values)]).size:
        remedy = "Replace infinite scores by large finite numbers or by ranks."
        raise ArgumentError(name, "contain finite scores", float(wrong[0]), remedy)


def complete_cases(
    y_true: ArrayLike, pos_label: object, nan_policy: NanPolicy, *, part: bool = False, **columns: Any
) -> tuple[BoolArray, list[NDArray[Any]], BoolArray]:
    """Return the mask of positive cases, their scores by column, and the mask of incomplete cases dropped.

    With `part` these are some of the cases, and the positive label may be absent.
    """
    positive, dropped = read_labels(y_true, pos_label, part=part)
    same_length(y_true=positive, **columns)
    for name, missing in {"y_true": dropped, **{n: np.isnan(v) for n, v in columns.items()}}.items():
        if nan_policy == "raise":
            refuse_missing(name, missing)
        dropped = dropped | missing
    if dropped.any():
        positive, columns = positive[~dropped], {n: v[~dropped] for n, v in columns.items()}
    for name, values in columns.items():
        refuse_infinite(name, values)
    return positive, list(columns.values()), dropped


def same_length(**columns: NDArray[Any]) -> None:
    """Raise unless all columns, named by argument, have the same length."""
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        first, *rest = lengths
        other = next(name for name in rest if lengths[name] != lengths[first])
        rule = f"have the length of `{first}`, {lengths[first]}"
        raise ArgumentError(other, rule, lengths[other], "Pass one value per case in each.")


def same_rows(**columns: Any) -> None:
    """Raise for pandas columns, named by argument, with the same index labels in different order.

    Columns are read by position, whereas pandas aligns by index.
    """
    labeled = {name: rows for name, given in columns.items() if (rows := _row_labels(given)) is not None}
    names = list(labeled)
    for other in names[1:]:
        first, rows = labeled[names[0]], labeled[other]
        if len(first) != len(rows) or first is rows or first.equals(rows):
            continue
        # Different test sets have different index labels, which the first label shows quickly; repeated
        # labels define no order.
        shared = first.isin(rows[:1]).any() and first.is_unique and rows.is_unique
        if shared and rows.isin(first).all():
            at = int(np.argmax(np.asarray(first != rows)))
            raise ArgumentError(
                other,
                f"have the row order of `{names[0]}`, where row {at} has index {first[at]}",
                rows[at].item() if isinstance(rows[at], np.generic) else rows[at],
                "Align the indexes, or pass .to_numpy() if the order is right.",
            )


def _row_labels(given: Any) -> Any:
    rows = getattr(given, "index", None)
    return rows if type(rows).__module__.split(".")[0] == "pandas" else None
