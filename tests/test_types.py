"""What is a label, a score, a missing value: the same in every source, or refused there in the same words."""

from __future__ import annotations

import array
import collections
import csv
import datetime
import inspect
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from confroc import (
    PairedScores,
    Scores,
    _kernels,
    auc_interval,
    fpr_at_tpr,
    rates_at_threshold,
    read_scores,
    roc_band,
    tpr_at_fpr,
)
from confroc._check import (
    HIGHEST_LEVEL,
    LOWEST_LEVEL,
    ArgumentError,
    ArgumentTypeError,
    is_missing,
    number_of,
)
from confroc._kernels.merge import partition
from confroc.base import keywords_of
from confroc.scores import ScoreStream
from confroc.scores.labels import kind_of
from support import slow
from test_options import FUNCTIONS, RESAMPLED, SETTINGS, Given, options_of, outcome, ways

NAN = float("nan")
BIG = 2**53
ONES = [1, 0, 1, 0]
UP = [4, 1, 3, 2]


class Column(NamedTuple):
    """Labels, scores and the positive label; the scores counted of either class, or the error's words."""

    labels: list[Any]
    scores: list[Any]
    pos_label: Any = None
    pos: tuple[float, ...] = (4, 3)
    neg: tuple[float, ...] = (1, 2)
    refused: str = ""


GOOD = {
    "0 and 1": Column(ONES, UP),
    "-1 and 1": Column([1, -1, 1, -1], UP),
    "truth values": Column([True, False, True, False], UP),
    "0.0 and 1.0": Column([1.0, 0.0, 1.0, 0.0], UP),
    "text 0 and 1": Column(["1", "0", "1.0", "0"], UP),
    "text true and false": Column(["true", "False", "TRUE", "false"], UP),
    "text": Column(["Poor", "Good", "Poor", "Good"], UP, "Poor"),
    "long text": Column(["p" * 20_000, "g", "p" * 20_000, "g"], UP, "p" * 20_000),
    "other letters": Column(["à", "é", "à", "é"], UP, "à"),
    "space around": Column([" yes", "no", "yes ", "no"], UP, "yes "),
    "blank text": Column(["yes", "", "no", " "], UP, "yes", (4,), (3,)),
    "a gap among text": Column(["Poor", "Good", None, "Good"], UP, "Poor", (4,)),
    "NaN among text": Column(["Poor", "Good", NAN, "Good"], UP, "Poor", (4,)),
    "a gap among numbers": Column([1, 0, None, 0], UP, None, (4,)),
    "NaN among numbers": Column([1.0, 0.0, NAN, 0.0], UP, None, (4,)),
    "a gap among truth values": Column([True, False, None, False], UP, None, (4,)),
    "a number called by text": Column([7, 3, 7, 3], UP, "7"),
    "a number called by other text": Column([7, 3, 7, 3], UP, "+7.0"),
    "a whole number called by a float": Column([7, 3, 7, 3], UP, 7.0),
    "a float called by a whole number": Column([7.0, 3.0, 7.0, 3.0], UP, 7),
    "text called by a number": Column(["7", "3", "7", "3"], UP, 7),
    "text called by another spelling": Column(["7", "3", "7.0", "3"], UP, 7),
    "a truth value called by text": Column([True, False, True, False], UP, "TRUE"),
    "the other truth value": Column([False, True, False, True], UP, False),
    "a truth value called by number": Column([True, False, True, False], UP, 1),
    "text of truth values called by number": Column(["False", "true", "false", "True"], UP, 0),
    "an underscore is text": Column(["10", "1_0", "10", "1_0"], UP, 10),
    "hexadecimal is text": Column(["16", "0x10", "16", "0x10"], UP, 16),
    "two signs are text": Column(["1", "+-1", "1", "+-1"], UP, 1),
    "infinity is text": Column(["inf", "Infinity", "inf", "Infinity"], UP, "inf"),
    "scientific": Column(["1e1", "2", "10", "2"], UP, 10),
    "fractions as labels": Column([0.5, 0.25, 0.5, 0.25], UP, 0.5),
    "large labels": Column([2**60, 2**60 + 1, 2**60, 2**60 + 1], UP, 2**60),
    "large labels as text": Column([str(2**60), str(2**60 + 1), str(2**60), str(2**60 + 1)], UP, 2**60),
    "large labels with a gap": Column([2**60, 2**60 + 1, None, 2**60 + 1], UP, 2**60, (4,)),
    "fractions": Column(ONES, [0.75, -0.5, 0.25, 0.125], None, (0.75, 0.25), (-0.5, 0.125)),
    "minus zero": Column(ONES, [-0.0, 0.0, 1.0, -1.0], None, (0, 1), (0, -1)),
    "truth values as scores": Column(ONES, [True, False, True, False], None, (1, 1), (0, 0)),
    "a gap among fractions": Column(ONES, [0.75, None, 0.25, 0.125], None, (0.75, 0.25), (0.125,)),
    "a gap among whole numbers": Column(ONES, [4, None, 3, 2], None, (4, 3), (2,)),
    "a gap among truth values as scores": Column(ONES, [True, None, True, False], None, (1, 1), (0,)),
    "NaN": Column(ONES, [0.75, NAN, 0.25, 0.125], None, (0.75, 0.25), (0.125,)),
    "gaps in both": Column([1, 0, None, 0, 1], [4.0, 1.0, 3.0, None, NAN], None, (4,), (1,)),
    "the largest whole numbers": Column(ONES, [BIG, -BIG, 3, 2], None, (BIG, 3), (-BIG, 2)),
    "large fractions": Column(ONES, [1e300, -1e300, 3.0, 2.0], None, (1e300, 3), (-1e300, 2)),
    "small fractions": Column(ONES, [5e-324, -5e-324, 1.0, 0.0], None, (5e-324, 1), (-5e-324, 0)),
    "decimal fractions": Column(
        ONES, [Decimal("0.75"), Decimal("0.1"), Decimal("0.5"), Decimal("0.2")], None, (0.75, 0.5), (0.1, 0.2)
    ),
}

REFUSED = {
    "1 and text 1": Column([1, 0, "1", "0"], UP, 1, refused="labels of one type"),
    "1 and true": Column([1, 0, True, False], UP, 1, refused="labels of one type"),
    "true and text true": Column([True, False, "true", "false"], UP, refused="labels of one type"),
    "dates as labels": Column([datetime.date(2026, 1, i) for i in (1, 2, 1, 2)], UP, 1, refused="text; got"),
    "objects as labels": Column([1, object(), 1, 0], UP, 1, refused="labels of one type"),
    "bytes as labels": Column([b"p", b"n", b"p", b"n"], UP, "p", refused="text; got"),
    "no such label": Column(["a", "b", "a", "b"], UP, "z", refused="must be one of the labels; got 'z'"),
    "2 is no truth value": Column([True, False, True, False], UP, 2, refused="must be one of the labels"),
    "1 is true among truth values alone": Column(
        ["true", "no", "true", "no"], UP, 1, refused="must be one of the labels"
    ),
    "true is no number": Column(ONES, UP, True, refused="must be one of the labels"),
    "NaN is no label": Column([1.0, 0.0, NAN, 0.0], UP, NAN, refused="must be one of the labels"),
    "bytes are no label": Column(["p", "n", "p", "n"], UP, b"p", refused="be a truth value, a number or "),
    "a list is no label": Column(["p", "n", "p", "n"], UP, ["p"], refused="be a truth value, a number or "),
    "three classes": Column(["Poor", "Good", "Poor", "Fair"], UP, "Poor", refused="contain two classes"),
    "1 and 2": Column([1, 2, 1, 2], UP, refused="must name the positive class"),
    "text that is no code": Column(["a", "b", "a", "b"], UP, refused="must name the positive class"),
    "no zeros": Column([1, 1, 1, 1], UP, refused="must contain both classes"),
    "no ones": Column([0, 0, 0, 0], UP, refused="must contain both classes"),
    "as many labels as cases": Column(list(range(99)), list(range(99)), refused="contain classes"),
    "text as scores": Column(ONES, ["4", "1", "3", "2"], refused="must contain numbers"),
    "text among scores": Column(ONES, [4, "1", 3, 2], refused="must contain numbers"),
    "text with an underscore": Column(ONES, ["4", "1_000", "3", "2"], refused="must contain numbers"),
    "complex scores": Column(ONES, [4j, 1, 3, 2], refused="must contain numbers"),
    "dates as scores": Column(ONES, [datetime.date(2026, 1, i) for i in UP], refused="must contain numbers"),
    "durations": Column(ONES, [datetime.timedelta(i) for i in UP], refused="must contain numbers"),
    "infinite": Column(ONES, [4.0, float("inf"), 3.0, 2.0], refused="must contain finite scores"),
    "minus infinity": Column(ONES, [4.0, float("-inf"), 3.0, None], refused="must contain finite scores"),
    "a large whole number": Column(ONES, [4, BIG + 1, 3, 2], refused="integers of at most"),
    "a large negative one": Column(ONES, [4, -BIG - 1, 3, 2], refused="integers of at most"),
    "a large one and a gap": Column(ONES, [4, BIG + 1, None, 2], refused="integers of at most"),
    "a larger one": Column(ONES, [4, 2**63, 3, 2], refused="integers of at most"),
    "a larger one and a negative": Column(ONES, [-4, 2**63, 3, 2], refused="integers of at most"),
    "beyond 64 bits": Column(ONES, [4, 2**70, 3, 2], refused="integers of at most"),
    "beyond all floats": Column(ONES, [4, 10**400, 3, 2], refused="integers of at most|finite scores"),
    "a large one among fractions": Column(ONES, [0.5, BIG + 1, 3, 2], refused="integers of at most"),
    "a large decimal": Column(
        ONES, [Decimal(4), Decimal(BIG + 1), Decimal(3), Decimal(2)], refused="at most"
    ),
}


def holds(values: list[Any], *types: type) -> bool:
    return all(v is None or isinstance(v, types) for v in values)


def arrays(column: Column) -> Iterator[tuple[str, Any, Any]]:
    """The labels and the scores in every type of array that can hold them."""
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    labels, scores = column.labels, column.scores
    n = len(labels)
    yield "lists", labels, scores
    yield "tuples", tuple(labels), tuple(scores)
    yield "arrays of objects", np.fromiter(labels, object, n), np.fromiter(scores, object, n)
    for name, make in {
        "pandas": lambda v: pd.Series(v, index=range(n, 0, -1)),
        "pandas objects": lambda v: pd.Series(v, dtype=object),
        "pandas nullable": lambda v: pd.Series(v).convert_dtypes(),
        "pandas Arrow": lambda v: pd.Series(v).convert_dtypes(dtype_backend="pyarrow"),
        "pandas Arrow, converted by it": lambda v: pd.Series(v, dtype=pd.ArrowDtype(pa.array(v).type)),
        "pandas categories": lambda v: pd.Series(v, dtype="category"),
        "pandas array": lambda v: pd.Series(v).convert_dtypes().array,
        "polars": lambda v: pl.Series(v, strict=True),
        "pyarrow": pa.array,
        "pyarrow chunks": lambda v: pa.chunked_array([pa.array(v)]),
        "numpy": plain,
        "numpy text": lambda v: (
            np.array(v, dtype=np.dtypes.StringDType(na_object=None)) if holds(v, str) else None
        ),
        "masked": masked,
    }.items():
        made = []
        for values in (labels, scores):
            try:
                held = make(values)
            except (TypeError, ValueError, OverflowError, pa.ArrowException, pl.exceptions.PolarsError):
                held = None
            made.append(held if faithful(held, values) else None)
        if made[0] is not None or made[1] is not None:
            yield name, labels if made[0] is None else made[0], scores if made[1] is None else made[1]


def plain(values: list[Any]) -> Any:
    return np.array(values) if len(set(map(type, values))) == 1 else None


def masked(values: list[Any]) -> Any:
    mask = [is_missing(v) for v in values]
    filled = plain([values[0] if m else v for v, m in zip(values, mask, strict=True)])
    return None if filled is None else np.ma.masked_array(filled, mask)


def faithful(made: Any, values: list[Any]) -> bool:
    """Whether a column holds the values, and its library has not changed them."""
    if made is None:
        return False
    held = made.to_pylist() if hasattr(made, "to_pylist") else list(made)
    return all(
        (is_missing(a) and is_missing(b))
        or (bool(a == b) and kind_of(a) == kind_of(b) and isinstance(a, float) == isinstance(b, float))
        for a, b in zip(held, values, strict=True)
        # A float that stands for a small whole number is none the worse.
        if not (isinstance(b, int) and abs(b) <= BIG and a == b and kind_of(a) == kind_of(b))
    )


def counts(scores: Scores) -> tuple[Counter[float], Counter[float]]:
    return tuple(
        Counter({s: int(c) for s, c in zip(scores.score.tolist(), counts.tolist(), strict=True) if c})
        for counts in (scores.pos, scores.neg)
    )


def check(name: str, column: Column, read: Callable[[], Scores]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if column.refused:
            with pytest.raises(ArgumentError, match=column.refused) as caught:
                read()
            assert len(str(caught.value)) < 500, name
            return
        scores = read()
    assert counts(scores) == (Counter(column.pos), Counter(column.neg)), name
    assert scores.n_dropped == len(column.labels) - len(column.pos) - len(column.neg), name


@pytest.mark.parametrize("case", [*GOOD, *REFUSED])
def test_arrays(case: str) -> None:
    column = (GOOD | REFUSED)[case]
    for name, y, s in arrays(column):
        check(name, column, lambda y=y, s=s: Scores(y, s, pos_label=column.pos_label, nan_policy="omit"))
        if column.refused or name != "lists":
            continue
        pair = PairedScores(y, s, s, pos_label=column.pos_label, nan_policy="omit")
        assert pair.a == pair.b == Scores(y, s, pos_label=column.pos_label, nan_policy="omit")
        if pair.n_dropped:
            with pytest.raises(ArgumentError, match="must contain no missing values"):
                Scores(y, s, pos_label=column.pos_label)


def frames(column: Column) -> Iterator[tuple[str, Any]]:
    """The labels and the scores in every kind of data frame that can hold them."""
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    columns = {"y": column.labels, "s": column.scores}
    makers: dict[str, Callable[[], Any]] = {
        "pandas": lambda: pd.DataFrame(columns),
        "pandas objects": lambda: pd.DataFrame(columns, dtype=object),
        "pandas categories": lambda: pd.DataFrame(columns).astype({"y": "category"}),
        "pandas nullable": lambda: pd.DataFrame(columns, dtype=object).convert_dtypes(),
        "pandas Arrow": lambda: pa.table(columns).to_pandas(types_mapper=pd.ArrowDtype),
        "pyarrow": lambda: pa.table(columns),
        "polars": lambda: pl.DataFrame(columns, strict=True),
        "polars lazy": lambda: pl.DataFrame(columns, strict=True).lazy(),
    }
    for name, make in makers.items():
        try:
            frame = make()
        except (TypeError, ValueError, OverflowError, pa.ArrowException, pl.exceptions.PolarsError):
            continue
        held = frame.collect() if name == "polars lazy" else frame
        objects = name.startswith("polars") and pl.Object in held.dtypes
        if not objects and all(faithful(held[c], values) for c, values in columns.items()):
            yield name, frame


def test_a_lazy_frame_that_is_not_in_memory() -> None:
    """Dask, of two parts; with a few columns, for it takes its time."""
    import pandas as pd
    from dask import dataframe

    for case in ("text", "a gap among whole numbers"):
        column = (GOOD | REFUSED)[case]
        frame = dataframe.from_pandas(pd.DataFrame({"y": column.labels, "s": column.scores}), npartitions=2)
        options = {"label": "y", "score": "s", "pos_label": column.pos_label, "nan_policy": "omit"}
        check(case, column, lambda f=frame, o=options: read_scores(f, **o))


@pytest.mark.parametrize("case", [*GOOD, *REFUSED])
def test_frames(case: str) -> None:
    column = (GOOD | REFUSED)[case]
    for name, frame in frames(column):
        options = {"label": "y", "score": "s", "pos_label": column.pos_label, "nan_policy": "omit"}
        check(name, column, lambda f=frame, o=options: read_scores(f, **o))


TYPED = (
    "1 and text 1",
    "1 and true",
    "true and text true",
    "dates as labels",
    "bytes as labels",
    "objects as labels",
    "text as scores",
    "text among scores",
    "truth values as scores",
    "a gap among truth values as scores",
)
"""What only types tell; a text file has none."""


OPENED = ("text", "NaN among numbers", "a gap among whole numbers", "large labels", "no zeros", "infinite")


@pytest.fixture(scope="module")
def connection() -> Any:
    import duckdb

    with duckdb.connect() as opened:
        yield opened


def files(case: str, column: Column, folder: Path, connection: Any) -> Iterator[tuple[str, Any]]:
    """The labels and the scores in every kind of file that can hold them, and behind SQL."""
    import pyarrow as pa
    from pyarrow import feather, parquet

    if case not in TYPED:
        with (folder / "c.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("y", "s"), *zip(column.labels, column.scores, strict=True)])
        yield "CSV", folder / "c.csv"
    try:
        table = pa.table({"y": column.labels, "s": column.scores})
    except (TypeError, ValueError, OverflowError, pa.ArrowException):
        return
    if faithful(table["y"], column.labels) and faithful(table["s"], column.scores):
        yield "relation", connection.from_arrow(table)
        # Each opens an engine of its own, and reads with the same one.
        if case in OPENED:
            parquet.write_table(table, folder / "c.parquet")
            yield "Parquet", folder / "c.parquet"
            feather.write_feather(table, folder / "c.feather")
            yield "Arrow", folder / "c.feather"
            yield "SQL", f"SELECT y, s FROM '{folder / 'c.parquet'}'"


@pytest.mark.parametrize("case", [*GOOD, *REFUSED])
def test_files(case: str, tmp_path: Path, connection: Any) -> None:
    column = (GOOD | REFUSED)[case]
    for name, source in files(case, column, tmp_path, connection):
        options = {"label": "y", "score": "s", "pos_label": column.pos_label, "nan_policy": "omit"}
        check(name, column, lambda s=source, o=options: read_scores(s, **o))


# --- every type of array, and every size ------------------------------------------------------------

NARROW = np.array([1, 0, 1, 1, 0, 0, 1, 0, 0, 1])
RANKS = np.array([9, 3, 7, 5, 4, 2, 8, 1, 7, 3])
INTEGERS = [f"{order}{kind}{width}" for order in "<>" for kind in "iu" for width in (2, 4, 8)] + ["i1", "u1"]
FLOATS = [
    "<f2",
    ">f2",
    "<f4",
    ">f4",
    "<f8",
    ">f8",
    np.dtype(np.longdouble).str,
    np.dtype(np.longdouble).newbyteorder().str,
]


def laid_out(values: Any) -> Iterator[np.ndarray]:
    """The same values apart, backwards, at odd addresses, not to be written, and as a subclass."""
    apart = np.zeros(2 * len(values), values.dtype)
    apart[::2] = values
    yield values
    yield apart[::2]
    yield values[::-1].copy()[::-1]
    odd = np.zeros(len(values), dtype=[("first", "i1"), ("held", values.dtype)])
    odd["held"] = values
    yield odd["held"]
    kept = values.copy()
    kept.flags.writeable = False
    yield kept
    yield np.ma.masked_array(values)
    yield values.view(np.recarray)


@pytest.mark.parametrize("big", [False, True])
@pytest.mark.parametrize("dtype", ["?", *INTEGERS, *FLOATS])
def test_every_number_type_counts_as_double_precision(
    dtype: str, big: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def interpreted(func: Any) -> Any:
        """Run kernels as Python, and keep what the one that sees users' labels is given."""

        def run(*args: Any) -> Any:
            if func is partition:
                seen.extend(args)
            return func(*args)

        return run

    if big:
        monkeypatch.setattr(_kernels, "BIG", 5)
        monkeypatch.setattr(_kernels, "compiled", interpreted)
    signed = np.dtype(dtype).kind in "if"
    expected = Scores(NARROW, RANKS.astype(float))
    for negative in (0, -1) if signed else (0,):
        labels = np.where(NARROW == 1, 1, negative).astype(dtype)
        for y in laid_out(labels):
            assert Scores(y, RANKS.astype(float)) == expected
        assert Scores(labels, RANKS, pos_label=bool(1) if dtype == "?" else 1) == expected
        if dtype != "?":
            for s in laid_out(RANKS.astype(dtype)):
                assert Scores(labels, s) == expected
            assert PairedScores(labels, RANKS.astype(dtype), RANKS).a == expected
    for given in seen:
        # What the compiler of the kernels takes.
        assert given.dtype.isnative
        assert given.flags.aligned
        assert given.dtype.kind in "biu" or given.dtype in (np.float32, np.float64)


def test_the_compiled_kernels_take_labels_of_odd_types() -> None:
    """As above, once with the compiler."""
    y, s = np.resize(NARROW, _kernels.BIG), np.resize(RANKS, _kernels.BIG)
    expected = Scores(y.astype(float), s.astype(float))
    for dtype in (">f8", "f2", np.longdouble):
        assert Scores(y.astype(dtype), s.astype(dtype)) == expected


class Celsius(float):
    """A number with a type of its own."""


@pytest.mark.parametrize(
    "values",
    [
        range(4),
        memoryview(np.array([0, 1, 2, 3])),
        array.array("d", [0, 1, 2, 3]),
        collections.deque([0, 1, 2, 3]),
        [Celsius(v) for v in range(4)],
        [Fraction(v, 7) for v in range(4)],
        [np.float32(0), 1, 2.0, Decimal(3)],
        [np.array(v) for v in range(4)],
        np.array([0, 1, 2, 3], dtype=[("s", "f8")])["s"],
    ],
)
def test_columns_of_other_kinds(values: Any) -> None:
    assert Scores([0, 0, 1, 1], values).auc == 1.0


@pytest.mark.parametrize(
    "values",
    [
        None,
        3,
        3.0,
        "0011",
        b"0011",
        {0, 1},
        frozenset([0, 1]),
        {0: 0, 1: 1},
        (v for v in range(4)),
        iter([0, 1]),
        object(),
        np.array(3),
        np.zeros((4, 1)),
        [[0], [0], [1], [1]],
        [[0], [0, 1], [1], [1]],
        [0, 0, [1], 1],
        [np.zeros(2), np.zeros(2)],
        [{}, {}, {}, {}],
        np.array([(0, 1.0)] * 4, dtype=[("a", "i4"), ("b", "f8")]),
        np.array([b"ab"] * 4),
        np.zeros(4, "V3"),
        np.zeros(4, "M8[ns]"),
        np.zeros(4, "m8[s]"),
        np.zeros(4, complex),
        [object()] * 4,
        [np.clongdouble(1)] * 4,
        [np.timedelta64(1)] * 4,
    ],
    ids=lambda v: type(v).__name__,
)
def test_what_is_no_column_is_refused(values: Any) -> None:
    rule = "be an array|be one-dimensional|contain numbers|contain truth values, numbers or text"
    for build in (Scores, lambda y, s: PairedScores(y, s, s), ScoreStream([0.5]).update):
        with pytest.raises(ArgumentError, match=rf"`(y_score|score_a)` must ({rule})"):
            build([0, 0, 1, 1], values)
        with pytest.raises(ArgumentError, match=rf"`y_true` must ({rule})"):
            build(values, [1, 2, 3, 4])


def test_missing_values_that_have_no_hash_or_no_order() -> None:
    labels = [1, Decimal("sNaN"), np.datetime64("NaT"), np.timedelta64("NaT"), np.ma.masked, 0]
    scores = Scores(labels, [5, 4, 3, 2, 1, Decimal("0.5")], nan_policy="omit")
    assert (scores.n_pos, scores.n_neg, scores.n_dropped) == (1, 1, 4)


def test_a_column_that_fails_says_why() -> None:
    class Broken:
        def __array__(self, *_: Any, **__: Any) -> Any:
            raise RuntimeError("call detach() first")

    with pytest.raises(ArgumentTypeError, match=r"`y_score` must be an array.*call detach\(\) first"):
        Scores([0, 1], Broken())


def test_the_grammar_of_numbers() -> None:
    for text in ("1", "+1", "-1.", ".5", "1e5", "1.5E-3"):
        assert number_of(text) == Decimal(text)
    for text in (
        "",
        "1_0",
        "+-1",
        "0x1",
        "1,5",
        "1e",
        ".",
        "inf",
        "nan",
        " 1",
        "1 ",
        "\u0661",
        "1e9999999999999999999",
    ):
        assert number_of(text) is None


# --- settings --------------------------------------------------------------------------------

SAMPLE = Scores(NARROW, RANKS)


@pytest.mark.parametrize(
    "level", ["0.95", True, [0.95], np.array([0.9, 0.95]), NAN, None, 0.95j, 0, 1, 95, -0.5]
)
def test_what_is_no_level(level: Any) -> None:
    with pytest.raises(ArgumentError, match="`confidence_level` must"):
        auc_interval(SAMPLE, confidence_level=level)


@pytest.mark.parametrize("level", [5e-324, 1e-300, 1e-9, 9e-4, 1.0 - 1e-10, 1.0 - 2.0**-53])
def test_levels_that_no_method_can_serve(level: float) -> None:
    with pytest.raises(ArgumentError, match=r"`confidence_level` must lie between 0\.001 and 0\.999999999"):
        auc_interval(SAMPLE, confidence_level=level)


@pytest.mark.parametrize(
    "level", [np.float32(0.75), np.float64(0.75), Fraction(3, 4), Decimal("0.75"), np.array(0.75)]
)
def test_levels_of_other_types(level: Any) -> None:
    assert auc_interval(SAMPLE, confidence_level=level) == auc_interval(SAMPLE, confidence_level=0.75)


LEVELLED = [n for n, c in FUNCTIONS.items() if "confidence_level" in inspect.signature(c.function).parameters]


@pytest.mark.parametrize("name", slow(LEVELLED, "rates_difference_at_positive_rate"))
def test_the_extreme_levels_work_everywhere(name: str) -> None:
    """Every method either answers, contains its estimate, or asks for more resamples."""
    called = FUNCTIONS[name]
    for way in ways(called, name):
        for level in (LOWEST_LEVEL, HIGHEST_LEVEL):
            found = outcome(called, way | {"confidence_level": level})
            if isinstance(found, ArgumentError):
                assert found.argument in ("n_resamples", "confidence_level"), found
                # `pr_band` divides the error between curve and prevalence, so that a level may be too high.
                assert found.argument == "n_resamples" or way["method"] == "paper" or name == "pr_band"
                assert "(1 - 1)" not in str(found)


@pytest.mark.parametrize(
    "count", [0, -1, True, 2.5, 1e4, "100", [100], 10**7 + 1, 10**12, 99999999999999999999]
)
def test_numbers_of_resamples(count: Any) -> None:
    with pytest.raises(ArgumentError, match=r"`n_resamples` must be an integer from"):
        auc_interval(SAMPLE, method="bootstrap", n_resamples=count)


@pytest.mark.parametrize(
    "size",
    [
        "ab",
        5,
        (1,),
        (1, 2, 3),
        {1: 2, 3: 4},
        {1, 2},
        (0, 1),
        (-1, 2),
        (1.5, 2),
        (True, 2),
        (10**13, 3),
        (3, 10**20),
    ],
)
def test_sizes_of_resamples(size: Any) -> None:
    with pytest.raises(ArgumentError, match="`size"):
        auc_interval(SAMPLE, method="bootstrap", size=size)


@pytest.mark.parametrize("rng", ["a", 1.5, -1, [1, "x"], object(), True, {}])
def test_generators(rng: Any) -> None:
    with pytest.raises(ArgumentError, match="`rng` must be a numpy Generator, a non-negative seed or None"):
        auc_interval(SAMPLE, method="bootstrap", rng=rng)


@pytest.mark.parametrize("n_jobs", [0, "a", 1.5, True, 10**9, -(10**9), [1]])
def test_numbers_of_jobs(n_jobs: Any) -> None:
    for function, more in ((auc_interval, {"method": "bootstrap"}), (roc_band, {})):
        with pytest.raises(ArgumentError, match="`n_jobs` must be"):
            function(SAMPLE, n_jobs=n_jobs, **more)


def test_negative_numbers_of_jobs_leave_that_many_cores_but_one() -> None:
    drawn = {"method": "bootstrap", "n_resamples": 80}
    one, other = (outcome(FUNCTIONS["auc_interval"], drawn | {"n_jobs": n}) for n in (1, -5))
    assert one == other
    assert not isinstance(one, ArgumentError)


NUMBERS = [
    "a", b"a", "0.5", None, [None], ["0.5"], ["a"], 1j, [1j], np.datetime64("2026"), np.zeros(1, "m8[s]"),
    [NAN], NAN, 10**400, [10**400], 2**60, [[0.5]], {}, set(), [], np.zeros(0), (x for x in [0.5]), object(),
    [0.1, None], [{}],
]  # fmt: skip


@pytest.mark.parametrize("given", NUMBERS, ids=lambda v: type(v).__name__)
def test_what_is_no_rate_or_threshold(given: Any) -> None:
    for function, name in ((tpr_at_fpr, "fpr"), (fpr_at_tpr, "tpr"), (rates_at_threshold, "threshold")):
        with pytest.raises(ArgumentError, match=f"`{name}` must "):
            function(SAMPLE, **{name: given})


@pytest.mark.parametrize(
    "given", [0.5, [0.5], (0.5,), np.array(0.5), np.float16(0.5), Fraction(1, 2), np.ma.array([0.5])]
)
def test_rates_and_thresholds(given: Any) -> None:
    for function, name in ((tpr_at_fpr, "fpr"), (rates_at_threshold, "threshold")):
        assert function(SAMPLE, **{name: given}).to_dict() == function(SAMPLE, **{name: [0.5]}).to_dict()


# --- counts ----------------------------------------------------------------------------------------

LIMIT = 10**12


def test_counts_are_exact_up_to_the_limit() -> None:
    half = LIMIT // 2
    for dtype in (np.int64, np.uint64, float, object):
        scores = Scores.from_counts(
            [2, 1], np.array([half - 1, 1], dtype), np.array([1, half - 1], dtype), n_dropped=LIMIT
        )
        assert (scores.n_pos, scores.n_neg, scores.pos.tolist()) == (half, half, [half - 1, 1])
    small = Scores.from_counts([2, 1], [1, 0], [0, 1])
    pair = PairedScores.from_counts([2, 1], [2, 1], [half, 0], [0, half])
    stream = ScoreStream([1.5])
    stream.update([1, 0], [2, 1])
    stream._pos[:], stream._neg[:] = [0, half], [half, 0]
    stream._sum()
    for call in (
        lambda: scores.merge(small),
        lambda: small.merge(scores),
        lambda: pair.merge(pair),
        lambda: stream.merge(stream),
        lambda: stream.update([1, 0], [2, 1]),
        lambda: Scores.from_counts([2, 1], [half, 1], [1, half]),
    ):
        with pytest.raises(ArgumentError, match="must contain at most 1,000,000,000,000 cases"):
            call()
    # Nothing was counted on the way.
    assert stream.n_pos + stream.n_neg == LIMIT


@pytest.mark.parametrize(
    "counts",
    [
        [2**62, 2**62],
        [LIMIT + 1, 0],
        [LIMIT, LIMIT],
        np.array([2**64 - 1, 1], np.uint64),
        np.array([2**53 + 1, 1], object),
        [1e300, 1],
    ],
)
def test_more_cases_than_can_be_counted_exactly(counts: Any) -> None:
    for build in (
        lambda: Scores.from_counts([2, 1], counts, [1, 1]),
        lambda: Scores.from_counts([2, 1], [1, 1], counts),
        lambda: PairedScores.from_counts([2, 1], [2, 1], counts, [1, 1]),
    ):
        with pytest.raises(ArgumentError, match="must contain at most 1,000,000,000,000 cases"):
            build()


@pytest.mark.parametrize(
    "counts", [[0.5, 1], [-1, 1], [NAN, 1], [None, 1], [float("inf"), 1], [10**400, 1], [-(2**62), 1]]
)
def test_what_is_no_count(counts: Any) -> None:
    with pytest.raises(ArgumentError, match="`pos` must contain whole numbers >= 0"):
        Scores.from_counts([2, 1], counts, [1, 1])
    with pytest.raises(ArgumentError, match="`pos` must contain whole numbers >= 0"):
        PairedScores.from_counts([2, 1], [2, 1], counts, [1, 1])


def test_other_arguments_of_constructors() -> None:
    assert Scores.from_counts([2, 1], [1.0, -0.0], [-0.0, 1.0]).auc == 1.0
    for given in ("1", 1.5, -1, None, True, [1], LIMIT + 1):
        with pytest.raises(ArgumentError, match="`n_dropped` must be an integer"):
            Scores.from_counts([2, 1], [1, 0], [0, 1], n_dropped=given)
        with pytest.raises(ArgumentError, match="`n_dropped` must be an integer"):
            PairedScores.from_counts([2, 1], [2, 1], [1, 0], [0, 1], n_dropped=given)
    for given in (["2", "1"], "21", {2, 1}, [2j, 1], [[2], [1]], 2, None):
        for columns in (
            {"score": given},
            {"pos": given},
            {"neg": given},
            {"score_max": given} if given is not None else {"score": given},
        ):
            with pytest.raises(ArgumentError, match=f"`{next(iter(columns))}` must"):
                Scores.from_counts(**{"score": [2, 1], "pos": [1, 0], "neg": [0, 1]} | columns)
    for given in ("a", None, 1j, [1, 2], NAN, float("inf"), 2):
        with pytest.raises(ArgumentError, match=r"`(low|high)` must"):
            ScoreStream.even(given, 1.0)
    with pytest.raises(ArgumentError, match="`edges` must contain finite scores"):
        ScoreStream.even(-1.7e308, 1.7e308)
    for cells in (1, 2**53 + 1, 1e3, "9"):
        with pytest.raises(ArgumentError, match="`cells` must be an integer"):
            ScoreStream.even(0.0, 1.0, cells=cells)
        with pytest.raises(ArgumentError, match="`cells` must be an integer"):
            ScoreStream.like(SAMPLE, cells=cells)
    for edges in ("ab", None, [], [1, 1], [2, 1], ["a"], [NAN], {1, 2}, 1.0):
        with pytest.raises(ArgumentError, match="`edges` must"):
            ScoreStream(edges)
    for other in (None, 1, "a", PairedScores([0, 1], [0, 1], [0, 1])):
        with pytest.raises(ArgumentTypeError, match=r"`other` must be (of type|a)"):
            SAMPLE.merge(other)
        with pytest.raises(ArgumentTypeError, match=r"`other` must be (of type|a)"):
            ScoreStream([1.0]).merge(other)
    for policy in (None, 1, [], {}, "keep"):
        with pytest.raises(ArgumentError, match="`nan_policy` must be one of"):
            Scores([0, 1], [0, 1], nan_policy=policy)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_settings_are_checked_where_nothing_is_drawn(name: str) -> None:
    called = FUNCTIONS[name]
    taken = keywords_of(called.function)
    for way in ways(called, name):
        for setting in SETTINGS:
            if setting in taken:
                found = outcome(called, way | {setting: "a"})
                assert isinstance(found, ArgumentError), (way, setting)
                assert found.argument == setting


@pytest.mark.parametrize("name", FUNCTIONS)
def test_options_of_other_types_are_refused_in_words(name: str) -> None:
    """Nothing but an answer or an `ArgumentError`, which `outcome` lets pass, comes of nonsense."""
    called = FUNCTIONS[name]
    way = ways(called, name)[0]
    for option in options_of(called.function):
        given = called.options[option]
        beside = given.beside if isinstance(given, Given) else {}
        for value in ("abc", 1j, [None], {}, 10**400, [], np.zeros(0), object()):
            found = outcome(called, way | {**beside, option: value})
            assert isinstance(found, ArgumentError), (option, value)
    for place in range(1, len(called.args)):
        for value in ("abc", 1j, [None], {}, 10**400, [], np.zeros(0), object(), NAN):
            args = (*called.args[:place], value, *called.args[place + 1 :])
            assert isinstance(outcome(called._replace(args=args), way), ArgumentError), (place, value)


@pytest.mark.parametrize("name", RESAMPLED)
def test_no_function_draws_without_end(name: str) -> None:
    called = FUNCTIONS[name]
    for way in ways(called, name):
        found = outcome(called, way | {"n_resamples": 10**12})
        assert isinstance(found, ArgumentError), way
        assert found.argument == "n_resamples"
