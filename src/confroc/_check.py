"""Checks of arguments, and the wording of errors.

Every check returns the value in the required form, or raises. An error message has the argument in
backticks, the rule, the value received and a remedy. Other code assumes checked arguments.
"""

from __future__ import annotations

import math
import operator
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from confroc._keywords import suggest
from confroc._types import RNG, FloatArray, IntArray

COLUMN = "be an array, a list or a column of a data frame"
ONE_VALUE = "Pass one value per case."
ONE_SCORE = "Pass one value per case, e.g. a column of a frame, or `predict_proba(X)[:, 1]`."
ONE_NAME = "Pass the values; `read_scores` accepts names of columns."
LARGEST_EXACT_INTEGER = 2**53
LONGEST_NAME = 255
"""Maximum length of a file name in bytes."""
LOWEST_LEVEL, HIGHEST_LEVEL = 1e-3, 1.0 - 1e-9
"""Confidence levels that every method supports."""
MOST_CASES = 10**12
"""Maximum number of cases for exact counts."""
MOST_RESAMPLES = 10**7
MOST_DRAWN = 10**8
"""Maximum number of cases of a class in a resample."""
MOST_JOBS = 10_000
"""Maximum number of processes."""

NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
"""Full pattern of a number in text labels and text files."""


class ConfrocWarning(UserWarning):
    """A caution about a valid result."""

    __module__ = "confroc"


HELD: ContextVar[list[str] | None] = ContextVar("HELD", default=None)
"""Where warnings are kept instead of being issued, if anywhere."""


@contextmanager
def held() -> Iterator[list[str]]:
    """Keep the warnings of this package that come up inside.

    `warnings.catch_warnings` would make Python forget which ones it has shown, and show them again.
    """
    kept: list[str] = []
    token = HELD.set(kept)
    try:
        yield kept
    finally:
        HELD.reset(token)


def warn(message: str) -> None:
    """Issue a `ConfrocWarning` that points at the first caller outside this package.

    The message has no running numbers: Python shows the same text once for each line of a program.
    """
    kept = HELD.get()
    if kept is not None:
        kept.append(message)
        return
    depth, frame = 2, _outer_frame()
    while frame is not None and str(frame.f_globals.get("__name__", "")).split(".")[0] == "confroc":
        depth, frame = depth + 1, frame.f_back
    warnings.warn(message, ConfrocWarning, stacklevel=depth)


def warned(note: str, *, where: bool) -> tuple[str, ...]:
    """If `where`, warn and return the note for a result, else return nothing."""
    if not where:
        return ()
    warn(note)
    return (note,)


def _outer_frame() -> Any:
    import sys

    return sys._getframe(2)


class Words(str):
    """A value received that is described, and not quoted."""

    __slots__ = ()
    __repr__ = str.__str__


def sentence(name: str, rule: str, value: object, remedy: str) -> str:
    """Error message: argument, rule, value received, remedy."""
    try:
        shown = repr(value)
    except Exception:  # An integer with too many digits to print, or a failing `__repr__`.
        shown = type(value).__name__
    if len(shown) > 80:
        # Keep both ends: a path ends in the file name.
        shown = f"{shown[:36]}...{shown[-41:]}"
    got = "" if value is None else f"; got {shown}"
    return f"`{name}` must {rule}{got}. {remedy}"


class ArgumentError(ValueError):
    """Invalid argument.

    Attributes
    ----------
    argument : str
        Name of the argument.
    rule : str
        The rule, e.g. "lie strictly between 0 and 1".
    value : object
        The value received.
    remedy : str
        What to do instead.
    """

    __module__ = "confroc"

    def __init__(self, argument: str, rule: str, value: object, remedy: str) -> None:
        self.argument, self.rule, self.value, self.remedy = argument, rule, value, remedy
        super().__init__(argument, rule, value, remedy)

    def __str__(self) -> str:
        return sentence(self.argument, self.rule, self.value, self.remedy)


class ArgumentTypeError(ArgumentError, TypeError):
    """Argument of a wrong type."""


class DesignError(ArgumentError):
    """Weights, clusters or strata that a method does not support."""


class MissingFileError(ArgumentError, FileNotFoundError):
    """Missing file."""


def check_level(confidence_level: float) -> float:
    """Return a valid confidence level."""
    level = check_number("confidence_level", confidence_level)
    if not LOWEST_LEVEL <= level <= HIGHEST_LEVEL:
        rule = "lie between 0.001 and 0.999999999"
        raise ArgumentError("confidence_level", rule, confidence_level, "Write 95% as 0.95.")
    return level


def check_choice(
    name: str, value: object, allowed: Sequence[str], synonyms: Mapping[str, str] | None = None
) -> str:
    """Return `value` if it is one of the allowed words; errors suggest the word for a synonym."""
    if isinstance(value, str) and value in allowed:
        return value
    listed = ", ".join(repr(a) for a in allowed)
    hint = suggest(value, allowed, synonyms)
    raise ArgumentError(name, f"be one of {listed}", value, hint.strip() or "Choose one of these names.")


def check_count(name: str, value: object, *, minimum: int = 1, maximum: int = MOST_CASES) -> int:
    """Return an integer from `minimum` to `maximum`; truth values and floats are rejected."""
    try:
        count = minimum - 1 if isinstance(value, bool | np.bool_) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        count = minimum - 1
    if not minimum <= count <= maximum:
        rule = f"be an integer from {minimum} to {maximum:,}"
        raise ArgumentError(name, rule, value, "Pass a whole number in this range.")
    return count


def check_number(name: str, value: object) -> float:
    """Return a finite real number, or that of an array of one, as a float; raise for anything else."""
    try:
        given: Any = value.item() if isinstance(value, np.ndarray) and value.size == 1 else value
        # Text and truth values are rejected although `float` accepts them.
        none = isinstance(given, str | bytes | bool | np.bool_) or np.ndim(given) or np.ma.is_masked(value)
        number = math.nan if none else float(given)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ArgumentTypeError(name, "be one finite number", value, "Pass a number.")
    return number


def check_inside(name: str, value: object, remedy: str) -> float:
    """Return a number strictly between 0 and 1."""
    number = check_number(name, value)
    if not 0.0 < number < 1.0:
        raise ArgumentError(name, "lie strictly between 0 and 1", value, remedy)
    return number


def check_flag(name: str, value: object) -> bool:
    """Return a truth value; other types are rejected."""
    if not isinstance(value, bool | np.bool_):
        raise ArgumentTypeError(name, "be True or False", value, "Pass True or False.")
    return bool(value)


def check_instance(name: str, value: object, kind: type | tuple[type, ...], remedy: str) -> None:
    """Raise unless the value has one of these types."""
    if not isinstance(value, kind):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        wanted = " or ".join(k.__name__ for k in kinds)
        got = Words(f"the class {value.__name__}") if isinstance(value, type) else type(value).__name__
        raise ArgumentTypeError(name, f"be of type {wanted}", got, remedy)


def check_same(name: str, estimate: ArrayLike, own: ArrayLike, remedy: str, *, close: float = 1e-12) -> None:
    """Raise if a result was computed from other scores than those it is combined with.

    Estimates are compared.
    """
    difference = float(np.max(np.abs(np.subtract(estimate, own))))
    if not difference <= close:
        raise ArgumentError(
            name, "be computed from the same scores", f"estimates that differ by {difference:.3g}", remedy
        )


def check_callable(name: str, value: object) -> None:
    """Raise unless the value is None or callable."""
    if value is not None and not callable(value):
        raise ArgumentTypeError(name, "be callable", value, "Pass a function of (done, total).")


def check_items(name: str, values: object, remedy: str) -> list[Any]:
    """Return the items of an iterable; text, mappings, sets and numbers are rejected."""
    if isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping | AbstractSet):
        try:
            return list(values)
        except TypeError:  # e.g. an array without dimensions
            pass
    raise ArgumentTypeError(name, "be a list", type(values).__name__, remedy)


def check_omitted(where: str, remedy: str, **given: object) -> None:
    """Raise for the first of the arguments that is given where it must be omitted."""
    for name, value in given.items():
        if value is not None:
            raise ArgumentError(name, f"be omitted {where}", value, remedy)


def check_name(argument: str, value: object) -> str:
    """Return the name of a column, model, group or class: printable text."""
    if not isinstance(value, str):
        raise ArgumentTypeError(argument, "be text", value, "Pass the name as text, e.g. '0'.")
    if not value.strip() or re.search(r"[\0\ud800-\udfff]", value):
        rule = "not be blank or contain NUL or lone surrogates"
        raise ArgumentError(argument, rule, value, "Rename it.")
    return value


def check_names(name: str, values: object, n: int) -> tuple[str, ...]:
    """Return n distinct names of models or groups."""
    remedy = f"Pass {n} different names."
    found = tuple(check_name(f"{name}[{i}]", v) for i, v in enumerate(check_items(name, values, remedy)))
    if len(found) != n or len(set(found)) < n:
        raise ArgumentError(name, f"be {n} different names", list(found), remedy)
    return found


def check_path(name: str, value: object) -> Path:
    """Return a path given as text or as a path object."""
    if not isinstance(value, str | os.PathLike) or "\0" in str(value):
        raise ArgumentTypeError(name, "be a path", value, "Pass the path of a file or folder as text.")
    path = Path(value)
    if any(len(os.fsencode(part)) > LONGEST_NAME for part in path.parts):
        rule = f"have no part of more than {LONGEST_NAME} bytes"
        raise ArgumentError(name, rule, str(value), "Use a shorter name.")
    return path


def check_jobs(n_jobs: object) -> int:
    """Return a number of processes, as joblib counts them: 1, 2, ..., or -1 for all, -2, ..."""
    jobs = check_count("n_jobs", n_jobs, minimum=-MOST_JOBS, maximum=MOST_JOBS)
    if jobs == 0:
        raise ArgumentError("n_jobs", "be a whole number other than 0", n_jobs, "Use -1 for all cores.")
    return jobs


def check_size(size: Any, n_pos: int, n_neg: int) -> tuple[int, int]:
    """Return (m_pos, m_neg), the size of a bootstrap sample; None means as in the sample."""
    if size is None:
        return n_pos, n_neg
    remedy = "Pass two whole numbers, or omit it."
    pair = check_items("size", size, remedy)
    if len(pair) != 2:
        raise ArgumentError("size", "be a pair (m_pos, m_neg)", size, remedy)
    return (
        check_count("size[0]", pair[0], maximum=max(MOST_DRAWN, n_pos)),
        check_count("size[1]", pair[1], maximum=max(MOST_DRAWN, n_neg)),
    )


def make_rng(rng: RNG) -> np.random.Generator:
    """Return a Generator for `rng` (a Generator, a seed or None), as in SPEC 7."""
    try:
        # NumPy accepts arrays as seeds, and loops forever on a matrix.
        if isinstance(rng, bool | np.bool_ | np.ndarray):
            raise TypeError
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise ArgumentError(
            "rng", "be a numpy Generator, a non-negative seed or None", rng, "Try `rng=0`."
        ) from None


def as_column(name: str, values: ArrayLike) -> NDArray[Any]:
    """Return a one-dimensional array that keeps all distinctions of the given values.

    What numpy would merge or lose (text with numbers, missing integers, masks, integers with fractions) is
    returned as an array of Python objects, with missing values as `is_missing` recognizes them. Numbers are
    returned as booleans, integers, or single or double precision, in native byte order.
    """
    given: Any = values
    if isinstance(given, np.ndarray):
        array = _unmasked(given)
    elif isinstance(given, list | tuple):
        array = _of_items(given)
    elif isinstance(given, str):
        raise ArgumentTypeError(name, COLUMN, given, ONE_NAME)
    elif isinstance(given, bytes | bytearray | Mapping | AbstractSet) or not (
        isinstance(given, Sequence | memoryview) or hasattr(given, "__array__")
    ):
        raise ArgumentTypeError(name, COLUMN, type(given).__name__, _one_value(name))
    else:
        array = _of_column(name, given)
    if array.ndim != 1:
        raise ArgumentError(name, "be one-dimensional", Words(f"shape {array.shape}"), _one_value(name))
    if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
        # Numbers beyond double precision become infinite and are rejected as such.
        with np.errstate(over="ignore"):
            return array.astype(np.float64)
    if array.dtype.kind in "biuf" and not (array.dtype.isnative and array.flags.aligned):
        return array.astype(array.dtype.newbyteorder("="))
    if array.dtype.kind == "O":
        _refuse_nested(name, array.tolist())
    return array


def _one_value(name: str) -> str:
    return ONE_SCORE if "score" in name else ONE_VALUE


def _refuse_nested(name: str, items: Sequence[Any]) -> None:
    """Raise if a value is a list, an array or another sequence."""
    # Check distinct types, of which there are few.
    lists = (list, tuple, Mapping, AbstractSet)
    suspects = {t for t in set(map(type, items)) if issubclass(t, lists) or hasattr(t, "ndim")}
    for value in items if suspects else ():
        if isinstance(value, lists) or getattr(value, "ndim", 0) != 0:
            raise ArgumentError(name, "be one-dimensional", value, _one_value(name))


def _unmasked(array: NDArray[Any]) -> NDArray[Any]:
    """Return a plain array with masked values as missing."""
    if isinstance(array, np.ma.MaskedArray) and array.dtype.names is None:
        mask = np.ma.getmaskarray(array)
        if mask.any():
            values = np.array(array.data, dtype=object)
            values[mask] = None
            return values
    return np.asarray(array)


def _of_items(items: Sequence[Any]) -> NDArray[Any]:
    """Return items of one plain type as a numpy array, and others as objects."""
    types = set(map(type, items))
    if len(types) == 1 and types <= {float, int, bool, np.float64, np.int64, np.bool_}:
        array = np.array(items)
        # Some integers beyond 64 bits would become double precision.
        if array.dtype.kind != "f" or types <= {float, np.float64}:
            return array
    return np.fromiter(items, dtype=object, count=len(items)) if items else np.zeros(0)


def _of_column(name: str, given: Any) -> NDArray[Any]:
    """Convert objects with an array interface: columns of data frames, tensors, ..."""
    try:
        if not hasattr(given, "__array__") and not isinstance(given, memoryview):
            return _of_items(list(given))
        array = _unmasked(np.asanyarray(given))
        kind = str(getattr(given, "dtype", getattr(given, "type", "float"))).lower()
        if array.dtype.kind == "f" and not re.search("float|double|half", kind):
            # Missing integers; conversion to double precision would merge large ones.
            array = _of_items(list(given) if not hasattr(given, "to_pylist") else given.to_pylist())
    except Exception as error:
        if hasattr(given, "to_list"):
            return _of_items(given.to_list())
        raise ArgumentTypeError(name, COLUMN, type(given).__name__, f"NumPy reports: {error}") from None
    return array


def as_floats(name: str, values: ArrayLike, *, exact: bool = True) -> FloatArray:
    """Return a one-dimensional float array; missing values become NaN, text is rejected.

    Integers beyond 2**53 are rejected if `exact`.
    """
    array = as_column(name, values)
    if array.dtype.kind == "O":
        numbers = (_number(name, value, exact) for value in array.tolist())
        return np.fromiter(numbers, dtype=np.float64, count=len(array))
    if array.dtype.kind not in "biuf":
        dated = array.dtype.kind in "mM"
        raise _not_numbers(name, str(array.dtype) if dated else next(iter(array[:1].tolist()), array.dtype))
    if exact and array.dtype.kind in "iu" and array.size:
        largest = max(int(array.max()), -int(array.min()))
        if largest > LARGEST_EXACT_INTEGER:
            raise _too_large(name, largest)
    return np.asarray(array, dtype=np.float64)


def _number(name: str, value: Any, exact: bool) -> float:
    if type(value) is float:
        return value
    if is_missing(value):
        return math.nan
    # numpy treats a duration as an integer.
    if isinstance(value, np.timedelta64):
        raise _not_numbers(name, value)
    if not isinstance(value, Real | np.bool_ | Decimal):
        if not hasattr(value, "__array__") or not hasattr(value, "item"):
            raise _not_numbers(name, value)
        # A zero-dimensional array or tensor; for extended complex numbers `item` returns the same type.
        item = value.item()
        if type(item) is type(value):
            raise _not_numbers(name, value)
        return _number(name, item, exact)
    if exact and not is_exact(value):
        raise _too_large(name, value)
    try:
        # Overflow of extended precision must not warn.
        with np.errstate(over="ignore"):
            return float(value)
    except OverflowError:
        larger: Any = value
        return math.inf if larger > 0 else -math.inf


def is_exact(value: Any) -> bool:
    """Whether a number is a float, or an integer that is exact in double precision."""
    if isinstance(value, float | np.floating) or (isinstance(value, Decimal) and value.is_infinite()):
        return True
    return bool(abs(value) <= LARGEST_EXACT_INTEGER)


def is_missing(value: Any) -> bool:
    """Whether a value is None, NaN, masked, or pandas NA or NaT."""
    if isinstance(value, float | np.floating):
        return bool(value != value)
    if isinstance(value, Decimal):
        return value.is_nan()
    if isinstance(value, np.datetime64 | np.timedelta64):
        return bool(np.isnat(value))
    if isinstance(value, np.ma.MaskedArray):
        return value.ndim == 0 and bool(np.ma.getmaskarray(value))
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def number_of(text: str) -> Decimal | None:
    """Return the exact number of a text, or None."""
    try:
        return Decimal(text) if re.fullmatch(NUMBER, text) else None
    except ArithmeticError:  # An exponent with too many digits.
        return None


def _too_large(name: str, value: object) -> ArgumentError:
    return ArgumentError(
        name,
        "contain integers of at most 2**53, which double precision can distinguish",
        value,
        "Pass ranks, or scores divided by a power of two.",
    )


def _not_numbers(name: str, value: object) -> ArgumentTypeError:
    return ArgumentTypeError(name, "contain numbers", value, "Convert the values to numbers.")


def as_values(name: str, values: ArrayLike) -> FloatArray:
    """Return one or several numbers as a one-dimensional array; raise if empty."""
    given: Any = values
    if isinstance(given, bool | np.bool_):
        raise _not_numbers(name, given)
    single = isinstance(given, str | bytes | Real | complex | Decimal) or getattr(given, "ndim", 1) == 0
    found = as_floats(name, [given] if single else given)
    if not found.size:
        raise ArgumentError(name, "contain at least one number", values, "Pass a number, e.g. 0.1.")
    return found


def check_threshold(name: str, threshold: ArrayLike) -> FloatArray:
    """Return thresholds as a one-dimensional array; infinite ones are allowed, NaN is not."""
    values = as_values(name, threshold)
    if np.isnan(values).any():
        raise ArgumentError(name, "not contain NaN", threshold, "Remove the missing thresholds.")
    return values


def check_rate(name: str, rate: ArrayLike, *, positive: bool = False) -> FloatArray:
    """Return rates in [0, 1], or in (0, 1], as a one-dimensional array."""
    values = as_values(name, rate)
    bad = ~((values >= 0.0) & (values <= 1.0))
    if bad.any():
        raise ArgumentError(name, "lie between 0 and 1", float(values[bad][0]), "Write 5% as 0.05.")
    if positive and not values.all():
        raise ArgumentError(name, "be above 0", 0.0, "Use a rate above 0.")
    return values


def whole(rate: FloatArray, m: int | IntArray, *, up: bool) -> IntArray:
    """Return rate * m rounded down (or up) to a whole number.

    A product within 1e-9 (relative) of an integer is rounded to it, so that 0.07 of 100 cases are 7 although
    0.07 * 100 < 7 in floating point.
    """
    exact = rate * m
    near = np.rint(exact)
    rounded = np.ceil(exact) if up else np.floor(exact)
    return np.where(np.abs(exact - near) <= 1e-9 * np.maximum(1.0, exact), near, rounded).astype(np.int64)


def ranks_of(rate: FloatArray, m: int | IntArray) -> tuple[IntArray, FloatArray]:
    """Return the integer and the fractional part of rate * m."""
    r = whole(rate, m, up=False)
    part = rate * m - r
    return r, np.where(part <= 1e-9 * np.maximum(1.0, r), 0.0, part)


def rate_counts(name: str, rate: ArrayLike, m: int, cases: str) -> IntArray:
    """Return r = floor(rate * m), which must be >= 1."""
    values = check_rate(name, rate)
    r = whole(values, m, up=False)
    if (r < 1).any():
        raise ArgumentError(
            name,
            f"be at least 1/{m}, the smallest rate with {m} {cases}",
            float(values[r < 1][0]),
            "Use a larger rate or more cases.",
        )
    return r


def false_positives(fpr: ArrayLike, m_neg: int) -> IntArray:
    """Return the number of false positives r for each false positive rate."""
    return rate_counts("fpr", fpr, m_neg, "negatives")
