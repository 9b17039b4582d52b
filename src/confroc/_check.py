"""Input rules, kept in one place, and the sentences users read when a rule is broken.

Every check returns the value in the form the cores want, or raises. A sentence names the argument in
backticks, states the rule, shows the value received and states what to do instead. Cores assume that
what reaches them has passed here.
"""

from __future__ import annotations

import difflib
import inspect
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

from confroc._types import RNG, FloatArray, IntArray

COLUMN = "be an array, a list or a column of a data frame"
ONE_VALUE = "Pass one value per case; of `predict_proba`, the column of the positive class."
LARGEST_EXACT_INTEGER = 2**53
LONGEST_NAME = 255
"""Bytes of a name that file systems hold."""
LOWEST_LEVEL, HIGHEST_LEVEL = 1e-3, 1.0 - 1e-9
"""Confidence levels that every method can serve."""
MOST_CASES = 10**12
"""Most cases of a sample, for which everything is counted exactly."""
MOST_RESAMPLES = 10**7
MOST_DRAWN = 10**8
"""Most cases of a class in a resample of another size than the sample's own."""
MOST_JOBS = 10_000
"""More processes than any machine runs well; a larger number is a slip."""

NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
"""What a text must look like, all of it, to be a number: labels that are text, fields of text files."""


class ConfrocWarning(UserWarning):
    """Something the user should know about a result that is nevertheless correct."""


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
    """Warn and return the note for a result if it applies, else return nothing."""
    if not where:
        return ()
    warn(note)
    return (note,)


def _outer_frame() -> Any:
    import sys

    return sys._getframe(2)


def sentence(name: str, rule: str, value: object, remedy: str) -> str:
    """One error sentence: argument, rule, value received, remedy."""
    try:
        shown = "nothing" if value is inspect.Parameter.empty else repr(value)
    except Exception:  # A whole number of more digits than Python prints, or an object of another's making.
        shown = type(value).__name__
    if len(shown) > 80:
        # Both ends: a path ends in the name of its file.
        shown = f"{shown[:36]}...{shown[-41:]}"
    return f"`{name}` must {rule}; got {shown}. {remedy}"


class ArgumentError(ValueError):
    """An argument breaks a rule; states which one, the value received, and what to type instead.

    Attributes
    ----------
    argument : str
        The argument's name.
    rule : str
        What it must do, e.g. "lie strictly between 0 and 1".
    value : object
        What was received.
    remedy : str
        A sentence that states what to do.
    """

    def __init__(self, argument: str, rule: str, value: object, remedy: str) -> None:
        self.argument, self.rule, self.value, self.remedy = argument, rule, value, remedy
        super().__init__(argument, rule, value, remedy)

    def __str__(self) -> str:
        return sentence(self.argument, self.rule, self.value, self.remedy)


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument of a wrong type."""


class DesignError(ArgumentError):
    """The cases have weights, clusters or strata that a result does not allow for."""


class MissingFileError(ArgumentError, FileNotFoundError):
    """An argument names a file that is not there."""


def suggest(value: object, allowed: Iterable[str]) -> str:
    """Return "Did you mean 'x'? " when `value` is an allowed word misspelt, else an empty string."""
    spelled = {word.casefold(): word for word in allowed}
    close = difflib.get_close_matches(str(value).casefold(), spelled, n=1, cutoff=0.65)
    return f"Did you mean {spelled[close[0]]!r}? " if close else ""


def check_level(confidence_level: float) -> float:
    """Return a confidence level within what the computations serve."""
    level = check_number("confidence_level", confidence_level)
    if not LOWEST_LEVEL <= level <= HIGHEST_LEVEL:
        rule = "lie between 0.001 and 1 - 1e-9"
        raise ArgumentError("confidence_level", rule, confidence_level, "Write 95 % as 0.95.")
    return level


def check_choice(name: str, value: object, allowed: Sequence[str]) -> str:
    """Return `value` if it is one of the allowed words."""
    if isinstance(value, str) and value in allowed:
        return value
    listed = ", ".join(repr(a) for a in allowed)
    raise ArgumentError(
        name, f"be one of {listed}", value, f"{suggest(value, allowed)}Choose one of these names."
    )


def check_count(name: str, value: object, *, minimum: int = 1, maximum: int = MOST_CASES) -> int:
    """Return an integer from `minimum` to `maximum`; truth values and floats are refused."""
    try:
        count = minimum - 1 if isinstance(value, bool | np.bool_) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        count = minimum - 1
    if not minimum <= count <= maximum:
        rule = f"be an integer from {minimum} to {maximum:,}"
        raise ArgumentError(name, rule, value, "Give a whole number in this range.")
    return count


def check_number(name: str, value: object) -> float:
    """Return one finite real number as a float; text, missing values and arrays are refused."""
    try:
        # Text is no number here, although `float` reads it; an array of one number is not one either.
        none = isinstance(value, str | bytes) or np.ndim(value) or np.ma.is_masked(value)  # type: ignore[arg-type]
        number = math.nan if none else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ArgumentTypeError(name, "be one finite number", value, "Give a number such as 0.5.")
    return number


def check_flag(name: str, value: object) -> bool:
    """Return a truth value; whatever merely counts as one is refused."""
    if not isinstance(value, bool | np.bool_):
        raise ArgumentTypeError(name, "be True or False", value, "Choose one of the two.")
    return bool(value)


def check_instance(name: str, value: object, kind: type | tuple[type, ...], remedy: str) -> None:
    """Refuse a value of another type than this, or than one of these."""
    if not isinstance(value, kind):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        wanted = " or ".join(k.__name__ for k in kinds)
        raise ArgumentTypeError(name, f"be of type {wanted}", type(value).__name__, remedy)


def check_same(name: str, estimate: ArrayLike, own: ArrayLike, remedy: str, *, close: float = 1e-12) -> None:
    """Refuse a result that was made from other scores than those it is combined with.

    Its estimates are compared with their own.
    """
    apart = float(np.max(np.abs(np.subtract(estimate, own))))
    if not apart <= close:
        raise ArgumentError(name, "be made from the same scores", f"estimates {apart:.3g} apart", remedy)


def check_callable(name: str, value: object) -> None:
    """Refuse what is neither None nor a function of the work done and all work."""
    if value is not None and not callable(value):
        raise ArgumentTypeError(name, "be callable", value, "Pass a function of (done, total).")


def check_items(name: str, values: object, remedy: str) -> list[Any]:
    """Return the items of a list, tuple or other iterable; text, mappings, sets and numbers are refused."""
    if isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping | AbstractSet):
        try:
            return list(values)
        except TypeError:  # e.g. an array without dimensions
            pass
    raise ArgumentTypeError(name, "be a list", type(values).__name__, remedy)


def check_name(argument: str, value: object) -> str:
    """Return the name of a column, a model, a group or a class: text that files and screens can hold."""
    if not isinstance(value, str):
        raise ArgumentTypeError(argument, "be a name as text", value, "Write the name as text, 0 as '0'.")
    if not value.strip() or re.search(r"[\0\ud800-\udfff]", value):
        rule = "be a name that is not blank, without NUL and lone surrogates"
        raise ArgumentError(argument, rule, value, "Rename it.")
    return value


def check_names(name: str, values: object, n: int) -> tuple[str, ...]:
    """Return the names of n models or groups, all distinct."""
    remedy = f"Give {n} different names, one each."
    found = tuple(check_name(f"{name}[{i}]", v) for i, v in enumerate(check_items(name, values, remedy)))
    if len(found) != n or len(set(found)) < n:
        raise ArgumentError(name, f"be {n} different names", list(found), remedy)
    return found


def check_path(name: str, value: object) -> Path:
    """Return a path given as text or as a path object."""
    if not isinstance(value, str | os.PathLike) or "\0" in str(value):
        raise ArgumentTypeError(name, "be a path", value, "Give the name of a file or folder as text.")
    path = Path(value)
    if any(len(os.fsencode(part)) > LONGEST_NAME for part in path.parts):
        rule = f"have no part of more than {LONGEST_NAME} bytes, the limit of file systems"
        raise ArgumentError(name, rule, str(value), "Give a shorter name.")
    return path


def check_jobs(n_jobs: object) -> int:
    """Return a number of processes as joblib counts them: 1, 2, ..., or -1, -2, ... from all of them."""
    jobs = check_count("n_jobs", n_jobs, minimum=-MOST_JOBS, maximum=MOST_JOBS)
    if jobs == 0:
        raise ArgumentError("n_jobs", "be a whole number other than 0", n_jobs, "Use -1 for all cores.")
    return jobs


def check_size(size: Any, n_pos: int, n_neg: int) -> tuple[int, int]:
    """Return (m_pos, m_neg), the size of a bootstrap sample; None means the sample's own."""
    if size is None:
        return n_pos, n_neg
    remedy = "Give two whole numbers, or leave it out."
    pair = check_items("size", size, remedy)
    if len(pair) != 2:
        raise ArgumentError("size", "be a pair (m_pos, m_neg)", size, remedy)
    return (
        check_count("size[0]", pair[0], maximum=max(MOST_DRAWN, n_pos)),
        check_count("size[1]", pair[1], maximum=max(MOST_DRAWN, n_neg)),
    )


def check_settings(rng: RNG, n_jobs: object = 1) -> None:
    """Refuse what is no generator or no number of processes, also where nothing is drawn."""
    make_rng(rng)
    check_jobs(n_jobs)


def make_rng(rng: RNG) -> np.random.Generator:
    """Return the Generator that `rng` (a Generator, a seed or None) stands for, as in SPEC 7."""
    try:
        # NumPy takes arrays of any shape for seeds, and goes on without end in a matrix.
        if isinstance(rng, bool | np.bool_ | np.ndarray):
            raise TypeError
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise ArgumentError(
            "rng", "be a numpy Generator, a non-negative seed or None", rng, "Try `rng=0`."
        ) from None


def as_column(name: str, values: ArrayLike) -> NDArray[Any]:
    """Return a one-dimensional array in which whatever differs in what was given still differs.

    What numpy would merge or lose - text with numbers, gaps among whole numbers, masks, whole numbers
    with fractions - comes back as an array of Python's own objects, gaps as something that `is_missing`
    knows. Numbers come back as booleans, integers, or single or double precision, in the machine's order.
    """
    given: Any = values
    if isinstance(given, np.ndarray):
        array = _unmasked(given)
    elif isinstance(given, list | tuple):
        array = _of_items(given)
    elif isinstance(given, str | bytes | bytearray | Mapping | AbstractSet) or not (
        isinstance(given, Sequence | memoryview) or hasattr(given, "__array__")
    ):
        raise ArgumentTypeError(name, COLUMN, type(given).__name__, ONE_VALUE)
    else:
        array = _of_column(name, given)
    if array.ndim != 1:
        raise ArgumentError(name, "be one-dimensional", array.shape, ONE_VALUE)
    if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
        # What is beyond double precision becomes infinite, and is refused as such.
        with np.errstate(over="ignore"):
            return array.astype(np.float64)
    if array.dtype.kind in "biuf" and not (array.dtype.isnative and array.flags.aligned):
        return array.astype(array.dtype.newbyteorder("="))
    if array.dtype.kind == "O":
        _refuse_nested(name, array.tolist())
    return array


def is_estimator(value: object) -> bool:
    """Whether a value is, or may become, a fitted classifier."""
    methods = ("predict", "predict_proba", "decision_function")
    return not isinstance(value, type) and any(callable(getattr(type(value), m, None)) for m in methods)


def _refuse_nested(name: str, items: Sequence[Any]) -> None:
    """Raise where a value is itself a list, an array or the like."""
    # By type first, of which there are few.
    lists = (list, tuple, Mapping, AbstractSet)
    suspects = {t for t in set(map(type, items)) if issubclass(t, lists) or hasattr(t, "ndim")}
    for value in items if suspects else ():
        if isinstance(value, lists) or getattr(value, "ndim", 0) != 0:
            raise ArgumentError(name, "be one-dimensional", value, ONE_VALUE)


def _unmasked(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array without subclass, whose masked values are missing."""
    if isinstance(array, np.ma.MaskedArray) and array.dtype.names is None:
        mask = np.ma.getmaskarray(array)
        if mask.any():
            values = np.array(array.data, dtype=object)
            values[mask] = None
            return values
    return np.asarray(array)


def _of_items(items: Sequence[Any]) -> NDArray[Any]:
    """Return items of one plain type as numpy reads them, and others as they are."""
    types = set(map(type, items))
    if len(types) == 1 and types <= {float, int, bool, np.float64, np.int64, np.bool_}:
        array = np.array(items)
        # Whole numbers beyond 64 bits, some of them, would become double precision.
        if array.dtype.kind != "f" or types <= {float, np.float64}:
            return array
    return np.fromiter(items, dtype=object, count=len(items)) if items else np.zeros(0)


def _of_column(name: str, given: Any) -> NDArray[Any]:
    """Return what converts itself to an array: columns of data frames, tensors, ..."""
    try:
        if not hasattr(given, "__array__") and not isinstance(given, memoryview):
            return _of_items(list(given))
        array = _unmasked(np.asanyarray(given))
        kind = str(getattr(given, "dtype", getattr(given, "type", "float"))).lower()
        if array.dtype.kind == "f" and not re.search("float|double|half", kind):
            # Whole numbers with gaps; the way through double precision would merge large ones.
            array = _of_items(list(given) if not hasattr(given, "to_pylist") else given.to_pylist())
    except Exception as error:
        if hasattr(given, "to_list"):
            return _of_items(given.to_list())
        raise ArgumentTypeError(name, COLUMN, type(given).__name__, f"NumPy reports: {error}") from None
    return array


def as_floats(name: str, values: ArrayLike, *, exact: bool = True) -> FloatArray:
    """Return a one-dimensional float array; missing values become NaN, text is refused.

    So are whole numbers beyond 2**53, if the result has to be `exact`.
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
    # To numpy a duration is an integer.
    if isinstance(value, np.timedelta64):
        raise _not_numbers(name, value)
    if not isinstance(value, Real | np.bool_ | Decimal):
        if not hasattr(value, "__array__") or not hasattr(value, "item"):
            raise _not_numbers(name, value)
        # An array or a tensor of no dimension; complex numbers of extended precision are their own item.
        item = value.item()
        if type(item) is type(value):
            raise _not_numbers(name, value)
        return _number(name, item, exact)
    if exact and not is_exact(value):
        raise _too_large(name, value)
    try:
        # Those of extended precision, too, must not warn on their way to infinity.
        with np.errstate(over="ignore"):
            return float(value)
    except OverflowError:
        larger: Any = value
        return math.inf if larger > 0 else -math.inf


def is_exact(value: Any) -> bool:
    """Whether a number is a float, or no larger than the integers that double precision distinguishes."""
    if isinstance(value, float | np.floating) or (isinstance(value, Decimal) and value.is_infinite()):
        return True
    return bool(abs(value) <= LARGEST_EXACT_INTEGER)


def is_missing(value: Any) -> bool:
    """Whether a value is None, NaN, a masked one, or pandas's NA or NaT."""
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
    """Return the number that a text stands for, exactly; None if it stands for none."""
    try:
        return Decimal(text) if re.fullmatch(NUMBER, text) else None
    except ArithmeticError:  # An exponent of very many digits.
        return None


def _too_large(name: str, value: object) -> ArgumentError:
    return ArgumentError(
        name,
        "hold integers of at most 2**53, so that distinct scores stay distinct",
        value,
        "Pass ranks, or scores divided by a power of two.",
    )


def _not_numbers(name: str, value: object) -> ArgumentTypeError:
    return ArgumentTypeError(name, "hold numbers", value, "Convert the column to numbers first.")


def as_values(name: str, values: ArrayLike) -> FloatArray:
    """Return one number or several as a one-dimensional array that is not empty."""
    given: Any = values
    single = isinstance(given, str | bytes | Real | complex | Decimal) or getattr(given, "ndim", 1) == 0
    found = as_floats(name, [given] if single else given)
    if not found.size:
        raise ArgumentError(name, "hold at least one number", values, "Give a number, e.g. 0.1.")
    return found


def check_threshold(name: str, threshold: ArrayLike) -> FloatArray:
    """Return thresholds as a one-dimensional array; infinite ones are allowed, NaN is not."""
    values = as_values(name, threshold)
    if np.isnan(values).any():
        raise ArgumentError(name, "not hold NaN", threshold, "Remove the missing thresholds.")
    return values


def check_rate(name: str, rate: ArrayLike, *, positive: bool = False) -> FloatArray:
    """Return rates in [0, 1], or in (0, 1], as a one-dimensional array."""
    values = as_values(name, rate)
    bad = ~((values >= 0.0) & (values <= 1.0))
    if bad.any():
        raise ArgumentError(name, "lie between 0 and 1", float(values[bad][0]), "Write 5 % as 0.05.")
    if positive and not values.all():
        raise ArgumentError(name, "be above 0", 0.0, "Use a rate above 0.")
    return values


def whole(rate: FloatArray, m: int | IntArray, *, up: bool) -> IntArray:
    """Return rate * m rounded down (or up) to a whole number.

    A product within 1e-9 (relative) of a whole number counts as that number, so that 0.07 of 100
    cases are 7 although 0.07 * 100 < 7 in floating point.
    """
    exact = rate * m
    near = np.rint(exact)
    rounded = np.ceil(exact) if up else np.floor(exact)
    return np.where(np.abs(exact - near) <= 1e-9 * np.maximum(1.0, exact), near, rounded).astype(np.int64)


def ranks_of(rate: FloatArray, m: int | IntArray) -> tuple[IntArray, FloatArray]:
    """Return how many whole cases of m a rate holds, and the part of the next one, in [0, 1)."""
    r = whole(rate, m, up=False)
    part = rate * m - r
    return r, np.where(part <= 1e-9 * np.maximum(1.0, r), 0.0, part)


def rate_counts(name: str, rate: ArrayLike, m: int, cases: str) -> IntArray:
    """Return r = floor(rate * m) >= 1: how many of `m` cases a rate stands for."""
    values = check_rate(name, rate)
    r = whole(values, m, up=False)
    if (r < 1).any():
        raise ArgumentError(
            name,
            f"be at least 1/{m}, the smallest rate that {m} {cases} support",
            float(values[r < 1][0]),
            "Use a larger rate or more cases.",
        )
    return r


def false_positives(fpr: ArrayLike, m_neg: int) -> IntArray:
    """Return the number of false positives r that each false positive rate stands for."""
    return rate_counts("fpr", fpr, m_neg, "negatives")
